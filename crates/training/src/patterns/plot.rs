//! The errors of a training of patterns as a drawing.

use std::fmt::Write as _;

use super::PhaseReport;

/// The size of the drawing, in pixels.
const SIZE: (f64, f64) = (720.0, 400.0);
/// The margins left and right, above and below the lines, in pixels.
const MARGINS: ((f64, f64), (f64, f64)) = ((60.0, 20.0), (40.0, 45.0));
/// The names and colours of the lines.
const LINES: [(&str, &str); 3] =
    [("hand-made terms", "#7f7f7f"), ("patterns, test set", "#d62728"), ("patterns, training", "#1f77b4")];

/// Returns an SVG drawing of the mean absolute errors by phase, from the opening to the end of the game.
pub fn error_plot(title: &str, reports: &[PhaseReport]) -> String {
    let errors = |report: &PhaseReport| [report.terms_error, report.test_error, report.training_error];
    let high = reports.iter().flat_map(errors).fold(1.0, f64::max).ceil();
    let (width, height) = SIZE;
    let ((left, right), (top, bottom)) = MARGINS;
    let last = reports.iter().map(|report| report.phase).max().unwrap_or(0).max(1);
    let x = |phase: usize| left + (last - phase) as f64 / last as f64 * (width - left - right);
    let y = |error: f64| top + (high - error) / high * (height - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"20\">{}</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    for discs in 0..=high as u32 {
        let (at, end) = (y(discs.into()), width - right);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{discs}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    for report in reports {
        let at = height - bottom + 18.0;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{at}\" text-anchor=\"middle\">{}</text>",
            x(report.phase),
            3 * report.phase
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">least number of empty squares of the phase; errors in discs</text>",
        (left + width - right) / 2.0,
        height - 8.0
    );
    for (index, (name, colour)) in LINES.into_iter().enumerate() {
        let points: Vec<_> = reports
            .iter()
            .map(|report| format!("{:.1},{:.1}", x(report.phase), y(errors(report)[index])))
            .collect();
        let (at, label) = (left + 20.0, height - bottom - 60.0 + 18.0 * index as f64);
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{at}\" y=\"{label}\" fill=\"{colour}\">{name}</text>",
            points.join(" ")
        );
    }
    svg + "</svg>\n"
}
