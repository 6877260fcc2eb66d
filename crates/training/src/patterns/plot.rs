//! The errors of a training of patterns, and those of shallow searches, as drawings.

use alfil_evaluation::othello::PHASE_EMPTIES;

use super::prob_cut::ProbCutGroup;
use super::{PhaseReport, ProbCutErrors};
use crate::plot::{Line, LinePlot, PlotStyle};

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
        style: PlotStyle::PAGE,
        reference: None,
        title: title.into(),
        range: (0.0, high),
        grid: (0..=high as u32).map(|discs| (discs.into(), discs.to_string())).collect(),
        ticks: reports.iter().map(tick).collect(),
        axis: "least number of empty squares of the phase; errors in discs",
        legend: (330.0, 300.0),
        lines: LINES.into_iter().enumerate().map(line).collect(),
    };
    plot.to_svg()
}

/// Returns an SVG drawing of the root mean square differences between deep and shallow searches
/// ([`ProbCutGroup::deviation`]) by the depth of the deep one: those measured, and those of the regression.
pub fn deviation_plot(errors: &ProbCutErrors) -> String {
    let mut depths: Vec<_> = errors.groups.iter().map(|group| group.deep).collect();
    depths.dedup();
    let steps = depths.len().saturating_sub(1).max(1);
    let line = |name, colour, deviation: &dyn Fn(&ProbCutGroup) -> f64| {
        // The root mean square over the groups of a depth.
        let root_mean_square = |&deep: &u32| {
            let groups = errors.groups.iter().filter(|group| group.deep == deep);
            let (squares, positions) = groups.fold((0.0, 0.0), |(squares, positions), group| {
                let count = group.positions as f64;
                (squares + count * deviation(group).powi(2), positions + count)
            });
            (squares / f64::max(positions, 1.0)).sqrt()
        };
        let points = depths.iter().enumerate();
        let points = points.map(|(i, deep)| (i as f64 / steps as f64, root_mean_square(deep))).collect();
        Line { name, colour, points }
    };
    let lines = vec![
        line("measured", "#d62728", &|group| group.deviation),
        line("regression", "#1f77b4", &|group| errors.regressed_deviation(group)),
    ];
    let high =
        lines.iter().flat_map(|line| &line.points).fold(1.0, |high: f64, point| high.max(point.1)).ceil();
    let tick = |(i, deep): (usize, &u32)| {
        let shallow = errors.groups.iter().find(|group| group.deep == *deep).map_or(0, |group| group.shallow);
        (i as f64 / steps as f64, format!("{deep}, {shallow}"))
    };
    let plot = LinePlot {
        style: PlotStyle::PAGE,
        reference: None,
        title: "deviation of a shallow search from a deep one, in discs".into(),
        range: (0.0, high),
        grid: (0..=high as u32).map(|discs| (discs.into(), discs.to_string())).collect(),
        ticks: depths.iter().enumerate().map(tick).collect(),
        axis: "depth of the deep and of the shallow search, in plies",
        legend: (90.0, 295.0),
        lines,
    };
    plot.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_of_deviations_has_a_point_for_each_depth() {
        let group = |deep: u32, empties| {
            let deviation = 2.0 + f64::from(deep);
            ProbCutGroup { deep, shallow: deep / 2, empties, positions: 7, mean: 0.0, deviation }
        };
        for last in 3..8 {
            let groups: Vec<_> =
                (3..last).flat_map(|deep| [20.0, 40.0].map(|empties| group(deep, empties))).collect();
            let svg = deviation_plot(&ProbCutErrors { groups, regression: [2.0, 1.0, 0.0, 0.0] });
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            let lines: Vec<_> =
                svg.lines().filter_map(|line| line.strip_prefix("<polyline points=\"")).collect();
            let points: Vec<_> =
                lines.iter().map(|line| line.split('"').next().unwrap_or_default()).collect();
            assert_eq!(points[0].matches(',').count() as u32, last - 3);
            assert_eq!(points[0], points[1], "the regression is exact");
        }
    }

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
