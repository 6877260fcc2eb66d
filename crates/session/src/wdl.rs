//! Win, draw and loss probabilities from scores.

use crate::game_info::WdlCurve;

/// Returns the probabilities of win, draw and loss in permille for the side to move at this game ply, by a curve of its
/// game. A decided game has a certain result.
///
/// ```
/// use alfil_session::{registry, wdl::wdl_permille};
///
/// let [wins, draws, losses] = wdl_permille(30, None, &registry::info("chess").unwrap().wdl_curve, 20);
/// assert!(wins > losses && wins + draws + losses == 1000);
/// ```
pub fn wdl_permille(score: i32, mate_plies: Option<i32>, curve: &WdlCurve, game_ply: usize) -> [u32; 3] {
    match mate_plies {
        Some(plies) if plies > 0 => [1000, 0, 0],
        Some(_) => [0, 0, 1000],
        None => {
            let progress = (game_ply as f64 / curve.plies).min(1.0);
            let [even_cp, spread_cp] =
                [curve.even_cp, curve.spread_cp].map(|[first, change]| first + change * progress);
            let win_permille =
                |score: i32| (1000.0 / (1.0 + ((even_cp - f64::from(score)) / spread_cp).exp())) as u32;
            let (wins, losses) = (win_permille(score), win_permille(-score));
            [wins, 1000 - wins - losses, losses]
        }
    }
}

/// Returns the probabilities of win, draw and loss in permille for the side to move in a finished game with this
/// score.
pub fn finished_wdl_permille(score: i32) -> [u32; 3] {
    match score.signum() {
        1 => [1000, 0, 0],
        0 => [0, 1000, 0],
        _ => [0, 0, 1000],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_info::GameInfo;
    use crate::registry;

    #[test]
    fn probabilities_sum_to_1000_permille() {
        for entry in registry::GAMES {
            let GameInfo { wdl_curve, review_curve, .. } = entry.info;
            for curve in [wdl_curve, review_curve] {
                for game_ply in [0, 7, 60, 1000] {
                    let mut previous = 0;
                    for score in [-30_000, -300, -1, 0, 1, 300, 30_000] {
                        let [wins, draws, losses] = wdl_permille(score, None, curve, game_ply);
                        assert_eq!(wins + draws + losses, 1000, "{score}");
                        assert_eq!(
                            wdl_permille(-score, None, curve, game_ply),
                            [losses, draws, wins],
                            "{score}"
                        );
                        assert!(wins >= previous);
                        previous = wins;
                    }
                }
                let half = wdl_permille(curve.even_cp[0].round() as i32, None, curve, 0)[0];
                assert!((495..=505).contains(&half), "{}: {half}", entry.info.name());
            }
        }
        let chess = &registry::info("chess").unwrap().wdl_curve;
        assert_eq!(wdl_permille(0, Some(3), chess, 0), [1000, 0, 0]);
        assert_eq!(wdl_permille(0, Some(-2), chess, 0), [0, 0, 1000]);
    }
}
