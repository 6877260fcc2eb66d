//! The values of a tuning run as a drawing: a panel for each parameter.

use std::fmt::Write as _;

use alfil_matches::spsa::TunedParam;
use alfil_session::SearchParams;

/// The size of a panel, in pixels.
const PANEL: (f64, f64) = (320.0, 130.0);
/// The number of panels side by side.
const COLUMNS: usize = 3;
/// The margin around the lines of a panel, in pixels.
const MARGIN: f64 = 28.0;
/// The maximum number of points of a line: more cannot be seen.
const MAX_POINTS: usize = 600;

/// Returns an SVG drawing of the values after each iteration, within the range of each parameter. A dashed line shows
/// the value of the game.
pub(super) fn value_plot(params: &[TunedParam], history: &[Vec<f64>], defaults: &SearchParams) -> String {
    let (width, height) = PANEL;
    let (columns, rows) = (params.len().clamp(1, COLUMNS), params.len().div_ceil(COLUMNS).max(1));
    let size = (columns as f64 * width, rows as f64 * height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        size.0, size.1
    );
    let last = (history.len().max(2) - 1) as f64;
    let step = history.len().div_ceil(MAX_POINTS).max(1);
    for (index, tuned) in params.iter().enumerate() {
        let param = tuned.param;
        let (low, high) = (f64::from(param.min), f64::from(param.max));
        let x = |iteration: usize| MARGIN + iteration as f64 / last * (width - 2.0 * MARGIN);
        let y = |value: f64| MARGIN + (high - value) / (high - low) * (height - 2.0 * MARGIN);
        let shown = (0..history.len()).filter(|at| at % step == 0 || at + 1 == history.len());
        let points: Vec<_> = shown.map(|at| format!("{:.1},{:.1}", x(at), y(history[at][index]))).collect();
        let (left, top) = ((index % COLUMNS) as f64 * width, (index / COLUMNS) as f64 * height);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({left} {top})\">\n<text x=\"{MARGIN}\" y=\"18\">{}: {:.1}</text>",
            param.name, tuned.value
        );
        for end in [param.min, param.max] {
            let at = y(f64::from(end));
            let _ = writeln!(
                svg,
                "<path d=\"M{MARGIN} {at:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\" font-size=\"8\">{end}</text>",
                width - MARGIN,
                MARGIN - 3.0,
                at + 3.0
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {:.1}H{}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\"/>\n</g>",
            y(f64::from(defaults.get(param))),
            width - MARGIN,
            points.join(" ")
        );
    }
    svg + "</svg>\n"
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
