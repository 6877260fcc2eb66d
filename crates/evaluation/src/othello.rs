//! Static evaluation of Othello: by patterns with weights for each of sixteen phases ([`PatternEval`]), and by
//! hand-made terms ([`HandcraftedEval`]): mobility, stable discs, parity and a few patterns, tapered from the opening
//! to the end of the game. Opening positions have the scores of long searches in the [`OpeningBook`].

use crate::{EvalTrace, TaperedScore, Tunable, tuning};
use alfil_kernel::{
    BoardObserver, Evaluator, Outcome, Score, SearchPolicy, SearchTechniques, Side, Tactics, Verdict,
};

use alfil_othello::Othello;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use alfil_othello::piece::Piece;
use alfil_othello::square::Square;

mod fast_eval;
mod opening_book;
mod pattern_eval;
mod pattern_set;
mod pattern_weights;
mod patterns;
mod prob_cut;
#[cfg(test)]
mod random_games;
mod terms;
mod tuned_weights;
mod weights;

pub use fast_eval::fast_eval;
pub use opening_book::{BookFileError, BookMove, BookPosition, OpeningBook};
pub use pattern_eval::PatternEval;
pub use pattern_set::PatternStates;
pub use pattern_weights::{
    Counts, FEATURES, PHASE_EMPTIES, PHASES, PatternFeatures, PatternFileError, PatternWeights,
    UNITS_PER_DISC, phase_of,
};
pub use prob_cut::{regressed_deviation, shallow_depth};
use tuned_weights::WEIGHTS;
use weights::Weights;

/// The number of empty squares in the start position.
const MAX_PHASE: i32 = 60;

/// The highest score of a finished game, in hundredths of a disc.
const MAX_SCORE: i32 = 6_400;

/// The hand-crafted evaluation. It observes the board to keep the discs of both sides.
///
/// ```
/// use alfil_kernel::{Evaluator, GameHistory};
/// use alfil_evaluation::othello::HandcraftedEval;
/// use alfil_othello::Bitboard;
///
/// let game = GameHistory::<Bitboard>::from_start_position();
/// let mut eval = HandcraftedEval::default();
/// eval.reset(game.position());
/// // All terms are the same for both sides, except that the second player has the last move of the game.
/// assert!(eval.score(game.position()).value() < 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct HandcraftedEval {
    discs: [u64; 2],
}

impl HandcraftedEval {
    /// Returns the discs of `side` and those of its opponent.
    fn own_and_other(&self, side: Side) -> (u64, u64) {
        (self.discs[side.index()], self.discs[(!side).index()])
    }
}

impl BoardObserver<Othello> for HandcraftedEval {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] |= 1 << square.index();
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] &= !(1 << square.index());
    }

    #[inline]
    fn flip(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] |= 1 << square.index();
        self.discs[piece.swapped().index()] &= !(1 << square.index());
    }
}

impl<P: Board> Evaluator<P> for HandcraftedEval {
    fn reset(&mut self, position: &P) {
        self.discs = Side::BOTH.map(|side| position.discs(side).0);
    }

    #[inline]
    fn score(&mut self, position: &P) -> Score {
        let (mover, opponent) = self.own_and_other(position.side_to_move());
        let empty = !(mover | opponent);
        let score =
            terms::sum_terms(mover, opponent, &WEIGHTS).interpolate(empty.count_ones() as i32, MAX_PHASE);
        Score::from_cp(score.clamp(-MAX_SCORE, MAX_SCORE))
    }
}

impl<P: Board> Tactics<P> for HandcraftedEval {
    /// Returns `false`: Othello has no captures.
    fn is_noisy(&self, _: &P, _: Move) -> bool {
        false
    }

    fn mvv_lva(&self, _: &P, _: Move) -> i32 {
        0
    }

    /// Returns whether the threshold is not positive: Othello has no exchanges.
    fn see_ge(&self, _: &P, _: Move, threshold: i32) -> bool {
        threshold <= 0
    }
}

impl<P: Board> SearchPolicy<P> for HandcraftedEval {
    /// Forbids the null move, because a pass is often better than the best move (zugzwang), quiescence search, because
    /// Othello has no captures, and futility pruning, because a quiet move can change most of the board.
    fn techniques(&self, _: &P) -> SearchTechniques {
        SearchTechniques { null_move: false, quiescence: false, futility: false }
    }

    /// Returns the margin in hundredths of a disc, regardless of the ply. Its maximum of 64 discs is far below the mate
    /// scores of the search.
    fn outcome_score<C>(&self, verdict: &Verdict<C>, mover: Side, _: u32) -> Score {
        match verdict.outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == mover => Score::from_cp(100 * verdict.margin),
            Outcome::Win(_) => Score::from_cp(-100 * verdict.margin),
        }
    }
}

impl<P: Board> Tunable<P> for HandcraftedEval {
    type Weights = Weights;

    /// No score is decisive, because every disc counts.
    const DECISIVE_SCORE: i32 = 32_000;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn trace(position: &P) -> EvalTrace {
        let side = position.side_to_move();
        let (mover, opponent) = (position.discs(side).0, position.discs(!side).0);
        let counts = tuning::weight_counts(&WEIGHTS, |weights| {
            let score = terms::sum_terms(mover, opponent, weights);
            if side == Side::First { score } else { TaperedScore::ZERO - score }
        });
        EvalTrace { counts, phase: position.empty_squares().len() as f64 / f64::from(MAX_PHASE), scale: 1.0 }
    }

    /// Returns the first side's fraction of the discs.
    fn game_result(_result: u8, margin: i32) -> f64 {
        f64::from(64 + margin) / 128.0
    }
}

#[cfg(test)]
mod tests {
    use super::random_games::check_random_games;
    use super::*;
    use crate::Weights as _;
    use alfil_kernel::{GameHistory, Position, Rules, Setup as _};
    use alfil_othello::rules::{Cause, Ruleset};
    use alfil_othello::{Bitboard, Setup};

    fn score<P: Board>(eval: &HandcraftedEval, position: &P) -> i32 {
        Evaluator::<P>::score(&mut eval.clone(), position).value()
    }

    #[test]
    fn incremental_evaluation_equals_reset() {
        let unmade = check_random_games(71, 100, &HandcraftedEval::default(), |game, eval, _| {
            let position = game.position();
            assert_eq!(eval.discs, Side::BOTH.map(|side| position.discs(side).0));
            if game.ply() % 16 == 7 {
                let trace = <HandcraftedEval as Tunable<Bitboard>>::trace(position);
                let (mover, opponent) = eval.own_and_other(game.side_to_move());
                let terms = terms::sum_terms(mover, opponent, &WEIGHTS);
                let sign = if game.side_to_move() == Side::First { 1 } else { -1 };
                assert_eq!(trace.sum(&WEIGHTS.to_row()), terms * sign, "{:?}", position.to_setup());
            }
        });
        let start = *GameHistory::<Bitboard>::from_start_position().position();
        for eval in unmade {
            assert_eq!(eval.discs, Side::BOTH.map(|side| start.discs(side).0));
        }
    }

    #[test]
    fn corners_increase_and_x_squares_decrease_the_score() {
        let score_of = |text: &str| {
            let board = Bitboard::from_setup_unchecked(&Setup::parse(text).unwrap());
            let mut eval = HandcraftedEval::default();
            eval.reset(&board);
            score(&eval, &board)
        };
        let empty_squares = "-".repeat(19);
        let rest = format!("{empty_squares}--------OX------XO{}", "-".repeat(26));
        assert!(score_of(&format!("X{rest} X")) > score_of(&format!("O{rest} X")) + 1_000);
        let with_x_square = format!("---------X{}OX------XO{} X", "-".repeat(17), "-".repeat(27));
        assert!(score_of(&with_x_square) < score_of(&Setup::start().to_text()));
    }

    #[test]
    fn outcome_score_is_the_margin() {
        let board = Bitboard::from_setup_unchecked(
            &Setup::parse(&format!("{}{} X", "X".repeat(40), "O".repeat(24))).unwrap(),
        );
        let verdict: Verdict<Cause> = Ruleset::STANDARD.no_legal_move_verdict(&board);
        let outcome_score = |side| {
            SearchPolicy::<Bitboard>::outcome_score(&HandcraftedEval::default(), &verdict, side, 7).value()
        };
        assert_eq!((outcome_score(Side::First), outcome_score(Side::Second)), (1_600, -1_600));
    }
}
