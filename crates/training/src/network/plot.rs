//! The losses of a training as a drawing.

use super::EpochReport;
use crate::plot::{Line, LinePlot, PlotStyle};

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
    let last = reports.last().map_or(1, |report| report.epoch).max(2);
    let place = |epoch: usize| (epoch as f64 - 1.0) / (last as f64 - 1.0);
    let grid_line = |line: usize| {
        let loss = low + (high - low) * line as f64 / (GRID_LINES - 1) as f64;
        (loss, format!("{loss:.5}"))
    };
    let line = |(index, (name, colour))| Line {
        name,
        colour,
        points: reports.iter().map(|report| (place(report.epoch), losses(report)[index])).collect(),
    };
    let plot = LinePlot {
        style: PlotStyle::PAGE,
        reference: None,
        title: title.into(),
        range: (low, high),
        grid: (0..GRID_LINES).map(grid_line).collect(),
        ticks: [1, last].map(|epoch| (place(epoch), epoch.to_string())).into(),
        axis: "epoch",
        legend: (610.0, 55.0),
        lines: LINES.into_iter().enumerate().map(line).collect(),
    };
    plot.to_svg()
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
