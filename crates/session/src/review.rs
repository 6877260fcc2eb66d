//! Game review: the search limits for each position of a game, and the evaluation of its end.

use std::time::Duration;

use alfil_kernel::{Outcome, Score, Side};

use crate::game_session::GameEnd;
use crate::search_task::SearchLimits;

/// The evaluation of a decided game in centipawns, beyond any search score.
pub const DECIDED_CP: i32 = 100_000;

/// The default search time for each position.
pub const DEFAULT_TIME: Duration = Duration::from_millis(200);
/// The minimum node count for each position. An idle machine searches it in a fraction of the default time; on a busy
/// one it keeps a shallow evaluation from marking a good move as a mistake.
const MIN_NODES: u64 = 50_000;

/// Returns the search limits for a position of the game.
pub fn search_limits(time: Duration) -> SearchLimits {
    SearchLimits { time: Some(time), min_nodes: MIN_NODES, ..SearchLimits::default() }
}

/// Returns the evaluation of the end of a game for the first side, in centipawns. Where pieces are counted, it is
/// comparable with search scores: a hundred for each.
pub fn end_value_cp(end: &GameEnd) -> i32 {
    let winner_score = if end.margin == 0 { DECIDED_CP } else { 100 * end.margin };
    match end.outcome {
        Outcome::Win(Side::First) => winner_score,
        Outcome::Win(Side::Second) => -winner_score,
        Outcome::Draw => 0,
    }
}

/// Returns the value of a search score for readers, in centipawns: [`DECIDED_CP`] with the sign of the score for a win
/// or loss by a rule, which has no number of moves.
pub fn search_value_cp(score: i32, mate_plies: Option<i32>) -> i32 {
    let is_rule_result = mate_plies.is_none() && Score::from_value(score).is_decisive();
    if is_rule_result { DECIDED_CP * score.signum() } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_by_rule_has_the_value_of_a_decided_game() {
        let value = |score: Score| search_value_cp(score.value(), score.mate_plies());
        assert_eq!(value(Score::rule_win(3)), DECIDED_CP);
        assert_eq!(value(Score::rule_loss(3)), -DECIDED_CP);
        assert_eq!(value(Score::from_cp(-250)), -250);
        assert_eq!(value(Score::mate_in(3)), Score::mate_in(3).value());
    }

    use crate::registry;
    use alfil_kernel::Waivers;

    #[test]
    fn the_evaluation_of_an_end_is_on_the_scale_of_the_search() {
        for (game, text, mv, value) in [
            ("xiangqi", "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1", "a1a9", DECIDED_CP),
            ("chess", "8/8/8/8/8/6k1/4q3/6K1 b - - 0 1", "e2g2", -DECIDED_CP),
            ("chess", "8/8/8/8/8/6k1/5p2/5K2 b - - 0 1", "g3f3", 0),
            // All discs of a side are flipped with three discs on the board: the empty squares go to the winner, as in
            // the search.
            ("othello", &format!("OX{} O", "-".repeat(62)), "c1", -6400),
            ("othello", &format!("XO{} X", "-".repeat(62)), "c1", 6400),
        ] {
            let mut session = registry::open(game, None).unwrap();
            session.open(text, &Waivers::All).unwrap();
            let end = session
                .play(mv, None)
                .unwrap()
                .game_end
                .unwrap_or_else(|| panic!("{game} {text} is not over"));
            assert_eq!(end_value_cp(&end), value, "{game} {text}");
        }
    }
}
