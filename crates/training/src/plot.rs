//! Lines over the steps of a training, the phases of a game or the depths of a search as SVG drawings, alone or as
//! panels side by side.

use std::fmt::Write as _;

/// The measures of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotStyle {
    /// Width and height, in pixels.
    size: (f64, f64),
    /// The margins left and right, above and below the lines, in pixels.
    margins: ((f64, f64), (f64, f64)),
    /// The size of the texts, in pixels.
    font_size: f64,
    /// The size of the labels of the grid, in pixels.
    label_size: f64,
    /// The width of the lines, in pixels.
    line_width: f64,
}

impl PlotStyle {
    /// A drawing of its own.
    pub const PAGE: PlotStyle = PlotStyle {
        size: (720.0, 400.0),
        margins: ((70.0, 20.0), (40.0, 45.0)),
        font_size: 13.0,
        label_size: 13.0,
        line_width: 2.0,
    };

    /// One of many drawings side by side.
    pub const PANEL: PlotStyle = PlotStyle {
        size: (320.0, 130.0),
        margins: ((28.0, 28.0), (28.0, 28.0)),
        font_size: 11.0,
        label_size: 8.0,
        line_width: 1.5,
    };
}

/// A line of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name in the legend; empty for a line without a name.
    pub name: &'static str,
    /// The colour, as CSS has it.
    pub colour: &'static str,
    /// The points: the place from left to right, from 0 to 1, and the value.
    pub points: Vec<(f64, f64)>,
}

/// Lines in a common range of values.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePlot {
    /// The measures.
    pub style: PlotStyle,
    /// The title.
    pub title: String,
    /// The lowest and the highest value of the drawing, which differ.
    pub range: (f64, f64),
    /// The values with a line across the drawing, and their labels.
    pub grid: Vec<(f64, String)>,
    /// The value with a dashed line across the drawing.
    pub reference: Option<f64>,
    /// The labels below the lines, with their places from 0 to 1.
    pub ticks: Vec<(f64, String)>,
    /// What the labels below the lines are.
    pub axis: &'static str,
    /// Where the names of the lines begin, in pixels.
    pub legend: (f64, f64),
    /// The lines.
    pub lines: Vec<Line>,
}

impl LinePlot {
    /// Returns the drawing.
    ///
    /// ```
    /// use alfil_training::plot::{Line, LinePlot, PlotStyle};
    ///
    /// let line = Line { name: "loss", colour: "#1f77b4", points: vec![(0.0, 0.12), (1.0, 0.08)] };
    /// let plot = LinePlot {
    ///     style: PlotStyle::PAGE, title: "a training".into(), range: (0.0, 0.2), grid: vec![(0.1, "0.1".into())],
    ///     reference: None, ticks: Vec::new(), axis: "epoch", legend: (610.0, 55.0), lines: vec![line],
    /// };
    /// assert!(plot.to_svg().contains("<polyline points=\"70.0,166.0 700.0,229.0\""));
    /// ```
    pub fn to_svg(&self) -> String {
        panels_to_svg(std::slice::from_ref(self), 1)
    }

    /// Writes the elements of the drawing.
    fn write(&self, svg: &mut String) {
        let PlotStyle { size: (width, height), margins, font_size, label_size, line_width } = self.style;
        let ((low, high), ((left, right), (top, bottom))) = (self.range, margins);
        let x = |place: f64| left + place * (width - left - right);
        let y = |value: f64| top + (high - value) / (high - low) * (height - top - bottom);
        let end = width - right;
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{}</text>", top / 2.0 + 4.0, escape(&self.title));
        for (value, label) in &self.grid {
            let at = y(*value);
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" \
                 font-size=\"{label_size}\">{}</text>",
                left - 4.0,
                at + 0.35 * label_size,
                escape(label)
            );
        }
        if let Some(value) = self.reference {
            let at = y(value);
            let _ =
                writeln!(svg, "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>");
        }
        let below = height - bottom + font_size + 5.0;
        let below = self.ticks.iter().map(|(place, label)| (x(*place), below, label.as_str()));
        let axis = ((left + end) / 2.0, height - 8.0, self.axis);
        for (x, y, text) in below.chain((!self.axis.is_empty()).then_some(axis)) {
            let text = escape(text);
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
        }
        for (index, Line { name, colour, points }) in self.lines.iter().enumerate() {
            let points: Vec<_> =
                points.iter().map(|&(place, value)| format!("{:.1},{:.1}", x(place), y(value))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{line_width}\"/>",
                points.join(" ")
            );
            if !name.is_empty() {
                let (x, y) = (self.legend.0, self.legend.1 + (font_size + 5.0) * index as f64);
                let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{}</text>", escape(name));
            }
        }
    }
}

/// Returns drawings of one style as a drawing with so many columns.
pub fn panels_to_svg(plots: &[LinePlot], columns: usize) -> String {
    let style = plots.first().map_or(PlotStyle::PAGE, |plot| plot.style);
    let (width, height) = style.size;
    let columns = columns.max(1);
    let across = plots.len().clamp(1, columns) as f64 * width;
    let down = plots.len().div_ceil(columns).max(1) as f64 * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" font-family=\"sans-serif\" \
         font-size=\"{}\">\n<rect width=\"{across}\" height=\"{down}\" fill=\"#fff\"/>\n",
        style.font_size
    );
    for (index, plot) in plots.iter().enumerate() {
        let (left, top) = ((index % columns) as f64 * width, (index / columns) as f64 * height);
        let _ = writeln!(svg, "<g transform=\"translate({left} {top})\">");
        plot.write(&mut svg);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

/// Escapes a text for an element of SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
