//! The values of a tuning run as a drawing: a panel for each parameter.

use alfil_matches::spsa::TunedParam;
use alfil_session::SearchParams;
use alfil_training::plot::{Line, LinePlot, PlotStyle, panels_to_svg};

/// The number of panels side by side.
const COLUMNS: usize = 3;
/// The maximum number of points of a line: more cannot be seen.
const MAX_POINTS: usize = 600;

/// Returns an SVG drawing of the values after each iteration, within the range of each parameter. A dashed line shows
/// the value of the game.
pub(super) fn value_plot(params: &[TunedParam], history: &[Vec<f64>], defaults: &SearchParams) -> String {
    let last = (history.len().max(2) - 1) as f64;
    let step = history.len().div_ceil(MAX_POINTS).max(1);
    let shown: Vec<_> = (0..history.len()).filter(|at| at % step == 0 || at + 1 == history.len()).collect();
    let panel = |(index, tuned): (usize, &TunedParam)| {
        let param = tuned.param;
        let points = shown.iter().map(|&at| (at as f64 / last, history[at][index])).collect();
        LinePlot {
            style: PlotStyle::PANEL,
            title: format!("{}: {:.1}", param.name, tuned.value),
            range: (f64::from(param.min), f64::from(param.max)),
            grid: [param.min, param.max].map(|end| (f64::from(end), end.to_string())).into(),
            reference: Some(f64::from(defaults.get(param))),
            ticks: Vec::new(),
            axis: "",
            legend: (0.0, 0.0),
            lines: vec![Line { name: "", colour: "#1f77b4", points }],
        }
    };
    let panels: Vec<_> = params.iter().enumerate().map(panel).collect();
    panels_to_svg(&panels, COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::SearchParam;

    #[test]
    fn every_parameter_has_a_panel_with_the_first_and_last_value() {
        let tuned = |name| TunedParam::new(SearchParam::from_name(name).unwrap(), 85.0);
        let params: Vec<_> =
            ["rfp_margin", "futility_margin", "futility_base", "aspiration_window"].map(tuned).into();
        let history: Vec<_> = (0..1_000).map(|at| vec![50.0 + f64::from(at % 100); 4]).collect();
        let svg = value_plot(&params, &history, &SearchParams::DEFAULT);
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(svg.contains("rfp_margin: 85.0") && svg.contains("points=\"28.0,102.0 "), "{svg}");
        // The last value is 149 of 50 to 150, at the right end.
        assert!(svg.contains(" 292.0,28.7\""), "{svg}");
        assert!(svg.len() < 60_000);
    }
}
