//! Lines over the steps of a training, the phases of a game or the depths of a search as an SVG drawing.

use std::fmt::Write as _;

/// The size of the drawing, in pixels.
const SIZE: (f64, f64) = (720.0, 400.0);
/// The margins left and right, above and below the lines, in pixels.
const MARGINS: ((f64, f64), (f64, f64)) = ((70.0, 20.0), (40.0, 45.0));

/// A line with its name, its colour and its points: the place from left to right, from 0 to 1, and the value.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) colour: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines in a common range of values.
pub(crate) struct LinePlot<'a> {
    pub(crate) title: &'a str,
    /// The lowest and the highest value of the drawing, which differ.
    pub(crate) range: (f64, f64),
    /// The values with a line across the drawing, and their labels.
    pub(crate) grid: Vec<(f64, String)>,
    /// The labels below the lines, with their places from 0 to 1.
    pub(crate) ticks: Vec<(f64, String)>,
    /// What the labels below the lines are.
    pub(crate) axis: &'a str,
    /// Where the names of the lines begin, in pixels.
    pub(crate) legend: (f64, f64),
    pub(crate) lines: Vec<Line>,
}

impl LinePlot<'_> {
    /// Returns the drawing.
    pub(crate) fn to_svg(&self) -> String {
        let ((width, height), (low, high)) = (SIZE, self.range);
        let ((left, right), (top, bottom)) = MARGINS;
        let x = |place: f64| left + place * (width - left - right);
        let y = |value: f64| top + (high - value) / (high - low) * (height - top - bottom);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"{left}\" y=\"20\">{}</text>\n",
            self.title.replace('&', "&amp;").replace('<', "&lt;")
        );
        for (value, label) in &self.grid {
            let (at, end) = (y(*value), width - right);
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{label}</text>",
                left - 6.0,
                at + 4.0
            );
        }
        let below =
            self.ticks.iter().map(|(place, label)| (x(*place), height - bottom + 18.0, label.as_str()));
        let axis = ((left + width - right) / 2.0, height - 8.0, self.axis);
        for (x, y, text) in below.chain([axis]) {
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
        }
        for (index, Line { name, colour, points }) in self.lines.iter().enumerate() {
            let points: Vec<_> =
                points.iter().map(|&(place, value)| format!("{:.1},{:.1}", x(place), y(value))).collect();
            let (at, label) = (self.legend.0, self.legend.1 + 18.0 * index as f64);
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
                 <text x=\"{at}\" y=\"{label}\" fill=\"{colour}\">{name}</text>",
                points.join(" ")
            );
        }
        svg + "</svg>\n"
    }
}
