//! What a score says about the end of the game: thousandths of wins, draws and losses.

use alfil_session::game_session::PositionView;

/// A logistic curve over the score. The score that wins half the games, and how fast the share grows around it, change with the ply
/// in a straight line, from the first ply to `plies` and no further.
#[derive(Clone, Copy, Debug)]
struct WdlCurve {
    /// Hundredths at which half the games are won: at the first ply, and what is added until the last.
    even_cp: [f64; 2],
    /// Hundredths by which the odds of a win grow e-fold.
    spread_cp: [f64; 2],
    plies: f64,
}

/// Fitted to games of the engine against itself: docs/strength.md has the command, the method and how well it fits.
const WDL_CURVES: [(&str, WdlCurve); 3] = [
    ("xiangqi", WdlCurve { even_cp: [83.0, 437.0], spread_cp: [262.0, -105.0], plies: 120.0 }),
    ("chess", WdlCurve { even_cp: [39.0, 220.0], spread_cp: [320.0, -186.0], plies: 120.0 }),
    ("othello", WdlCurve { even_cp: [30.0, -30.0], spread_cp: [1473.0, -1450.0], plies: 60.0 }),
];

/// How many plies a game is old, by its own text: discs on the board, or the number of the move.
pub(super) fn game_ply(view: &PositionView) -> usize {
    match view.piece_counts {
        Some([first, second]) => (first + second).saturating_sub(4),
        None => 2 * (view.fullmove_number.max(1) as usize - 1) + view.side_to_move.index(),
    }
}

/// Thousandths of wins, draws and losses for the side to move, so many plies into a game. A known end is certain.
pub(super) fn wdl_permille(score: i32, mate: Option<i32>, game: &str, age: usize) -> [u32; 3] {
    match mate {
        Some(plies) if plies > 0 => [1000, 0, 0],
        Some(_) => [0, 0, 1000],
        None => {
            let curve = WDL_CURVES
                .iter()
                .find(|(name, _)| *name == game)
                .map_or(&WDL_CURVES[0].1, |(_, curve)| curve);
            let late = (age as f64 / curve.plies).min(1.0);
            let [half, spread] = [curve.even_cp, curve.spread_cp].map(|[early, more]| early + more * late);
            let share = |score: i32| (1000.0 / (1.0 + ((half - f64::from(score)) / spread).exp())) as u32;
            let (wins, losses) = (share(score), share(-score));
            [wins, 1000 - wins - losses, losses]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_thousandths() {
        for (game, curve) in WDL_CURVES {
            for age in [0, 7, 60, 1000] {
                let mut before = 0;
                for score in [-30_000, -300, -1, 0, 1, 300, 30_000] {
                    let [wins, draws, losses] = wdl_permille(score, None, game, age);
                    assert_eq!(wins + draws + losses, 1000, "{score}");
                    assert_eq!(wdl_permille(-score, None, game, age), [losses, draws, wins], "{score}");
                    assert!(wins >= before);
                    before = wins;
                }
            }
            let half = wdl_permille(curve.even_cp[0].round() as i32, None, game, 0)[0];
            assert!((495..=505).contains(&half), "{game}: {half}");
        }
        assert_eq!(wdl_permille(0, Some(3), "chess", 0), [1000, 0, 0]);
        assert_eq!(wdl_permille(0, Some(-2), "chess", 0), [0, 0, 1000]);
    }
}
