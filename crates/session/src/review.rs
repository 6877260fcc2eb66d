//! Game review: the nodes for each position of a game, the evaluation of its end, and what its moves lost.

use alfil_kernel::{Outcome, Score, Side};

use crate::game_info::GameInfo;
use crate::position_view::GameEnd;
use crate::search_task::SearchReport;
use crate::wdl::{finished_wdl_permille, wdl_permille};

/// The evaluation of a decided game in centipawns, beyond any search score.
pub const DECIDED_CP: i32 = 100_000;

/// The number of nodes with which a review searches each position: an idle machine searches them in some
/// tenths of a second.
pub const REVIEW_NODES: u64 = 100_000;
/// The number of nodes of a deeper review, on request.
pub const DEEP_REVIEW_NODES: u64 = 1_000_000;

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

/// Returns the result of a finished game as probabilities of a win of the first side, a draw and a win of the second
/// side, in permille.
pub fn end_wdl_permille(end: &GameEnd) -> [u32; 3] {
    match end.outcome {
        Outcome::Win(Side::First) => [1000, 0, 0],
        Outcome::Draw => [0, 1000, 0],
        Outcome::Win(Side::Second) => [0, 0, 1000],
    }
}

/// Returns the value of a search score for readers, in centipawns: [`DECIDED_CP`] with the sign of the score for a win
/// or loss by a rule, which has no number of moves.
pub fn search_value_cp(score: i32, mate_plies: Option<i32>) -> i32 {
    let is_rule_result = mate_plies.is_none() && Score::from_value(score).is_decisive();
    if is_rule_result { DECIDED_CP * score.signum() } else { score }
}

/// Returns the probabilities of win, draw and loss in permille by which a review judges the score of a search, from the
/// view of the side to move at this game ply. A solved score is certain.
pub fn search_wdl_permille(report: &SearchReport, game: &GameInfo, game_ply: usize) -> [u32; 3] {
    let (score, mate_plies) = (report.score, report.mate_plies);
    match report.is_exact() {
        true => finished_wdl_permille(score),
        false => wdl_permille(search_value_cp(score, mate_plies), mate_plies, &game.review_curve, game_ply),
    }
}

/// Returns the number of nodes for a position of a review that searches with so many nodes. One that the exact solver
/// of its game may solve gets more, for the solver is fast.
pub(crate) fn position_nodes(nodes: u64, may_be_solved: bool) -> u64 {
    if may_be_solved { SOLVER_FACTOR * nodes } else { nodes }
}

/// How many times more nodes a position gets that may be solved: 18 empty squares of Othello take some millions.
const SOLVER_FACTOR: u64 = 40;

/// Scores are clipped to this value before losses are counted, in centipawns: a side with such an advantage wins
/// anyway.
const MAX_COUNTED_SCORE_CP: i32 = 1_500;

/// Returns the moves of a mate in so many plies, with the same sign: one or two plies are one move.
///
/// ```
/// use alfil_session::review::mate_moves;
///
/// assert_eq!([1, 2, 3, -4].map(mate_moves), [1, 1, 2, -2]);
/// ```
pub fn mate_moves(plies: i32) -> i32 {
    plies.signum() * (plies.abs() + 1) / 2
}

/// Returns the value of a score in the loss of a move, in centipawns: a forced end counts as the largest counted score.
fn counted_score_cp(score_cp: i32, mate_plies: Option<i32>) -> i32 {
    match mate_plies {
        Some(_) => MAX_COUNTED_SCORE_CP * score_cp.signum(),
        None => score_cp.clamp(-MAX_COUNTED_SCORE_CP, MAX_COUNTED_SCORE_CP),
    }
}

/// Returns how much a move lost, in centipawns, from the values of the positions before and after it: scores from the
/// view of the side that moved, each with the plies to a forced end. It is negative if the search undervalued the move.
///
/// ```
/// use alfil_session::review::move_loss_cp;
///
/// // The move gave 35 centipawns of an advantage away.
/// assert_eq!(move_loss_cp((20, None), (-15, None)), 35);
/// // It missed a mate: all that is counted.
/// assert_eq!(move_loss_cp((10_000, Some(5)), (1_200, None)), 300);
/// ```
pub fn move_loss_cp(before: (i32, Option<i32>), after: (i32, Option<i32>)) -> i32 {
    counted_score_cp(before.0, before.1) - counted_score_cp(after.0, after.1)
}

/// A move that lost much of the expected score, by PGN's traditional signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// At least 50 permille of the expected score: `?!`.
    Inaccuracy,
    /// At least 100 permille: `?`.
    Mistake,
    /// At least 200 permille: `??`.
    Blunder,
}

impl Judgement {
    /// All judgements, the least severe first.
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// Returns the judgement of a move that lost so many permille of the expected score; `None` for a smaller loss.
    ///
    /// ```
    /// use alfil_session::review::Judgement;
    ///
    /// assert_eq!(Judgement::from_loss_permille(120), Some(Judgement::Mistake));
    /// assert_eq!(Judgement::from_loss_permille(49), None);
    /// ```
    pub fn from_loss_permille(loss: u32) -> Option<Judgement> {
        Judgement::ALL.into_iter().rev().find(|judgement| loss >= judgement.min_loss_permille())
    }

    /// Returns the smallest loss of expected score that has this judgement, in permille.
    pub const fn min_loss_permille(self) -> u32 {
        match self {
            Judgement::Inaccuracy => 50,
            Judgement::Mistake => 100,
            Judgement::Blunder => 200,
        }
    }

    /// Returns the name in data and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Returns the numeric annotation glyph of PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }
}

/// Returns the expected score of a side from its probabilities of win, draw and loss in permille: a draw counts half.
/// The unit is half a permille, so that the value is a whole number from 0 to 2,000.
pub fn expected_half_permille([wins, draws, _]: [u32; 3]) -> u32 {
    2 * wins + draws
}

/// Returns the loss of expected score by a move, in permille: `before` and `after` are the probabilities of win, draw
/// and loss before and after the move, of the side that moved. A gain counts as no loss.
pub fn loss_permille(before: [u32; 3], after: [u32; 3]) -> u32 {
    expected_half_permille(before).saturating_sub(expected_half_permille(after)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_clipped_where_a_side_wins_anyway() {
        assert_eq!(move_loss_cp((120, None), (-30, None)), 150);
        assert_eq!(move_loss_cp((9_000, None), (1_600, None)), 0);
        assert_eq!(move_loss_cp((29_990, Some(5)), (700, None)), 800);
        assert_eq!(move_loss_cp((-29_990, Some(-5)), (-DECIDED_CP, None)), 0);
    }

    #[test]
    fn a_judgement_follows_from_the_loss_of_expected_score() {
        assert_eq!(loss_permille([600, 400, 0], [400, 400, 200]), 200);
        assert_eq!(loss_permille([400, 400, 200], [600, 400, 0]), 0);
        assert_eq!(Judgement::from_loss_permille(1_000), Some(Judgement::Blunder));
        for judgement in Judgement::ALL {
            let loss = judgement.min_loss_permille();
            assert_eq!(Judgement::from_loss_permille(loss), Some(judgement));
            assert!(Judgement::from_loss_permille(loss - 1) < Some(judgement));
        }
    }

    #[test]
    fn a_third_of_a_pawn_is_no_mistake_for_players() {
        let chess = registry::info("chess").unwrap();
        let loss =
            |[before, after]: [[u32; 3]; 2]| Judgement::from_loss_permille(loss_permille(before, after));
        let report = |score| SearchReport { score, ..SearchReport::default() };
        let players = [36, 0].map(|score| search_wdl_permille(&report(score), chess, 0));
        let engines = [36, 0].map(|score| wdl_permille(score, None, &chess.wdl_curve, 0));
        assert_eq!((loss(players), loss(engines)), (None, Some(Judgement::Mistake)));
    }

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
