//! The losses of a training as a drawing.

use std::fmt::Write as _;

use super::EpochReport;

/// The size of the drawing, in pixels.
const SIZE: (f64, f64) = (720.0, 400.0);
/// The margins left and right, above and below the lines, in pixels.
const MARGINS: ((f64, f64), (f64, f64)) = ((70.0, 20.0), (40.0, 45.0));
/// The number of lines across the drawing.
const GRID_LINES: usize = 5;
/// The names and colours of the two lines.
const LINES: [(&str, &str); 2] = [("training", "#1f77b4"), ("held out", "#d62728")];

/// Returns an SVG drawing of the training loss and the held-out loss by epochs.
pub fn loss_plot(title: &str, reports: &[EpochReport]) -> String {
    let losses = |report: &EpochReport| [report.training_loss, report.held_out_loss];
    let all: Vec<_> = reports.iter().flat_map(losses).collect();
    let low = all.iter().copied().reduce(f64::min).unwrap_or(0.0);
    // Equal losses still need a range.
    let high = all.iter().copied().reduce(f64::max).unwrap_or(1.0).max(low + 1e-6);
    let (width, height) = SIZE;
    let ((left, right), (top, bottom)) = MARGINS;
    let last = reports.last().map_or(1, |report| report.epoch).max(2);
    let x = |epoch: usize| left + (epoch as f64 - 1.0) / (last as f64 - 1.0) * (width - left - right);
    let y = |loss: f64| top + (high - loss) / (high - low) * (height - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"20\">{}</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    for line in 0..GRID_LINES {
        let loss = low + (high - low) * line as f64 / (GRID_LINES - 1) as f64;
        let (at, end) = (y(loss), width - right);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{loss:.5}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    for epoch in [1, last] {
        let at = height - bottom + 18.0;
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{at}\" text-anchor=\"middle\">{epoch}</text>", x(epoch));
    }
    let _ =
        writeln!(svg, "<text x=\"{}\" y=\"{}\">epoch</text>", (left + width - right) / 2.0, height - 10.0);
    for (index, (name, colour)) in LINES.into_iter().enumerate() {
        let points: Vec<_> = reports
            .iter()
            .map(|report| format!("{:.1},{:.1}", x(report.epoch), y(losses(report)[index])))
            .collect();
        let (at, label) = (width - right - 90.0, 55.0 + 18.0 * index as f64);
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{at}\" y=\"{label}\" fill=\"{colour}\">{name}</text>",
            points.join(" ")
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_a_point_of_each_line_for_every_epoch() {
        let report = |epoch| EpochReport {
            epoch,
            rate: 0.001,
            training_loss: 0.1 / epoch as f64,
            held_out_loss: 0.11 / epoch as f64,
        };
        for count in 0..4 {
            let reports: Vec<_> = (1..=count).map(report).collect();
            let svg = loss_plot("a < b", &reports);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b"));
            let points = svg.lines().filter_map(|line| line.strip_prefix("<polyline points=\""));
            let counts: Vec<_> =
                points.map(|line| line.split('"').next().unwrap_or_default().matches(',').count()).collect();
            assert_eq!(counts, [count, count]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
