//! Win, draw and loss probabilities from scores.

use alfil_session::game_session::PositionView;

/// A logistic curve over the score. Its centre and width change linearly with the ply, from the first ply to `plies`,
/// and are constant after that.
#[derive(Clone, Copy, Debug)]
struct WdlCurve {
    /// The score that wins half of the games, in centipawns: at the first ply, and the change until the last.
    even_cp: [f64; 2],
    /// The score difference that multiplies the odds of a win by e, in centipawns: at the first ply, and the change
    /// until the last.
    spread_cp: [f64; 2],
    plies: f64,
}

/// Fitted to self-play games; docs/strength.md has the command, the method and the quality of the fit.
const WDL_CURVES: [(&str, WdlCurve); 3] = [
    ("xiangqi", WdlCurve { even_cp: [83.0, 437.0], spread_cp: [262.0, -105.0], plies: 120.0 }),
    ("chess", WdlCurve { even_cp: [39.0, 220.0], spread_cp: [320.0, -186.0], plies: 120.0 }),
    ("othello", WdlCurve { even_cp: [30.0, -30.0], spread_cp: [1473.0, -1450.0], plies: 60.0 }),
];

/// Returns the game ply of a position from its own text: by the discs on the board, or by the move number.
pub(super) fn game_ply(view: &PositionView) -> usize {
    match view.piece_counts {
        Some([first, second]) => (first + second).saturating_sub(4),
        None => 2 * (view.fullmove_number.max(1) as usize - 1) + view.side_to_move.index(),
    }
}

/// Returns the probabilities of win, draw and loss in permille for the side to move at this game ply. A decided game
/// has a certain result.
pub(super) fn wdl_permille(score: i32, mate_plies: Option<i32>, game: &str, game_ply: usize) -> [u32; 3] {
    match mate_plies {
        Some(plies) if plies > 0 => [1000, 0, 0],
        Some(_) => [0, 0, 1000],
        None => {
            let curve = WDL_CURVES
                .iter()
                .find(|(name, _)| *name == game)
                .map_or(&WDL_CURVES[0].1, |(_, curve)| curve);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_1000_permille() {
        for (game, curve) in WDL_CURVES {
            for game_ply in [0, 7, 60, 1000] {
                let mut previous = 0;
                for score in [-30_000, -300, -1, 0, 1, 300, 30_000] {
                    let [wins, draws, losses] = wdl_permille(score, None, game, game_ply);
                    assert_eq!(wins + draws + losses, 1000, "{score}");
                    assert_eq!(wdl_permille(-score, None, game, game_ply), [losses, draws, wins], "{score}");
                    assert!(wins >= previous);
                    previous = wins;
                }
            }
            let half = wdl_permille(curve.even_cp[0].round() as i32, None, game, 0)[0];
            assert!((495..=505).contains(&half), "{game}: {half}");
        }
        assert_eq!(wdl_permille(0, Some(3), "chess", 0), [1000, 0, 0]);
        assert_eq!(wdl_permille(0, Some(-2), "chess", 0), [0, 0, 1000]);
    }
}
