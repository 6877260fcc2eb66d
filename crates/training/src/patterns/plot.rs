//! The errors of a training of patterns as a drawing.

use alfil_evaluation::othello::PHASE_EMPTIES;

use super::PhaseReport;
use crate::plot::{Line, LinePlot};

/// The names and colours of the lines.
const LINES: [(&str, &str); 3] =
    [("hand-made terms", "#7f7f7f"), ("patterns, test set", "#d62728"), ("patterns, training", "#1f77b4")];

/// Returns an SVG drawing of the mean absolute errors by phase, from the opening to the end of the game.
pub fn error_plot(title: &str, reports: &[PhaseReport]) -> String {
    let errors = |report: &PhaseReport| [report.terms_error, report.test_error, report.training_error];
    let high = reports.iter().flat_map(errors).fold(1.0, f64::max).ceil();
    let last = reports.iter().map(|report| report.phase).max().unwrap_or(0).max(1);
    let place = |report: &PhaseReport| (last - report.phase) as f64 / last as f64;
    let tick = |report: &PhaseReport| (place(report), (PHASE_EMPTIES as usize * report.phase).to_string());
    let line = |(index, (name, colour))| Line {
        name,
        colour,
        points: reports.iter().map(|report| (place(report), errors(report)[index])).collect(),
    };
    let plot = LinePlot {
        title,
        range: (0.0, high),
        grid: (0..=high as u32).map(|discs| (discs.into(), discs.to_string())).collect(),
        ticks: reports.iter().map(tick).collect(),
        axis: "least number of empty squares of the phase; errors in discs",
        legend: (90.0, 295.0),
        lines: LINES.into_iter().enumerate().map(line).collect(),
    };
    plot.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_a_point_of_each_line_for_every_phase() {
        let report = |phase| PhaseReport {
            phase,
            positions: 9,
            training_error: 2.5,
            test_positions: 3,
            test_error: 3.0,
            terms_error: 7.2,
        };
        for count in 0..4 {
            let svg = error_plot("a < b", &(0..count).map(report).collect::<Vec<_>>());
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            let points = svg.lines().filter_map(|line| line.strip_prefix("<polyline points=\""));
            let counts: Vec<_> =
                points.map(|line| line.split('"').next().unwrap_or_default().matches(',').count()).collect();
            assert_eq!(counts, [count; 3]);
        }
    }
}
