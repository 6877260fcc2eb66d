//! What a position of Othello is worth: room to move, edges, corners, diagonals and who moves last, weighed between the opening and the
//! end, from discs it is told of.

use alfil_kernel::{
    BoardObserver, EvalTrace, Evaluator, Outcome, Score, SearchPolicy, SearchTechniques, Side, Tactics,
    TaperedScore, Tunable, Verdict, tuning,
};

use alfil_othello::Othello;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use alfil_othello::piece::Piece;
use alfil_othello::square::Square;

mod fast_eval;
mod patterns;
mod terms;
mod tuned_weights;
mod weights;

pub use fast_eval::fast_eval;
use tuned_weights::WEIGHTS;
use weights::Weights;

/// The squares that are filled between the opening and the end.
const MAX_PHASE: i32 = 60;

/// No game ends with more, in hundredths of a disc.
const MAX_SCORE: i32 = 6_400;

/// The evaluator: it keeps both sides' discs by listening, and may have a solver for the end.
///
/// ```
/// use alfil_kernel::{Evaluator, GameHistory};
/// use alfil_evaluation::othello::Values;
/// use alfil_othello::Bitboard;
///
/// let line = Line::<Bitboard>::start_of_game();
/// let mut values = Values::default();
/// values.reset(line.position());
/// // Everything but the last move, which is the second player's, is even.
/// assert!(values.score(line.position()).value() < 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct HandcraftedEval {
    discs: [u64; 2],
}

impl HandcraftedEval {
    /// The discs of the side to move and of the other.
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
    /// Never: no move takes anything, and every move turns something.
    fn is_noisy(&self, _: &P, _: Move) -> bool {
        false
    }

    fn mvv_lva(&self, _: &P, _: Move) -> i32 {
        0
    }

    /// Nothing is exchanged.
    fn see_ge(&self, _: &P, _: Move, at_least: i32) -> bool {
        at_least <= 0
    }
}

impl<P: Board> SearchPolicy<P> for HandcraftedEval {
    /// Passing is often the best there is, so a null move proves nothing; there is no quiescence without captures.
    fn techniques(&self, _: &P) -> SearchTechniques {
        SearchTechniques { null_move: false, quiescence: false, futility: false }
    }

    /// Discs count, however far away the end is: a win by ten is worth ten discs. A full board's 64 stay far below what
    /// search takes for a mate.
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

    /// Never: every disc counts.
    const DECISIVE_SCORE: i32 = 32_000;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn trace(position: &P) -> EvalTrace {
        let side = position.side_to_move();
        let (mover, opponent) = (position.discs(side).0, position.discs(!side).0);
        let counts = tuning::weight_counts(&WEIGHTS, |weights| {
            let lead = terms::sum_terms(mover, opponent, weights);
            if side == Side::First { lead } else { TaperedScore::ZERO - lead }
        });
        EvalTrace { counts, phase: position.empty_squares().len() as f64 / f64::from(MAX_PHASE), scale: 1.0 }
    }

    /// Of the discs.
    fn game_result<C>(verdict: &Verdict<C>) -> f64 {
        let margin = match verdict.outcome {
            Outcome::Win(Side::First) => verdict.margin,
            Outcome::Win(Side::Second) => -verdict.margin,
            Outcome::Draw => 0,
        };
        f64::from(64 + margin) / 128.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{GameHistory, Position, Rules, Setup as _, Waivers, Weights as _};
    use alfil_othello::geometry::Symmetry;
    use alfil_othello::rules::{Cause, Ruleset};
    use alfil_othello::{Bitboard, Mailbox, Setup};

    fn score<P: Board>(values: &HandcraftedEval, position: &P) -> i32 {
        Evaluator::<P>::score(&mut values.clone(), position).value()
    }

    /// Through whole games and back, what was heard equals what a fresh look finds, on both boards; and twins and
    /// exchanged colours are worth the same.
    #[test]
    fn listening_equals_looking() {
        let mut random = SplitMix64::new(71);
        for _ in 0..100 {
            let mut line = GameHistory::<Bitboard>::from_start_position();
            let mut values = HandcraftedEval::default();
            Evaluator::<Bitboard>::reset(&mut values, line.position());
            loop {
                let mut fresh = HandcraftedEval::default();
                let setup = line.position().to_setup();
                let mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
                fresh.reset(&mailbox);
                assert_eq!(fresh.discs, values.discs);
                let here = score(&values, line.position());
                assert_eq!(score(&fresh, &mailbox), here);
                for symmetry in Symmetry::all() {
                    let twin = Bitboard::from_setup_unchecked(&setup.transformed(symmetry).swapped());
                    fresh.reset(&twin);
                    assert_eq!(score(&fresh, &twin), here);
                }
                if line.ply() % 16 == 7 {
                    let features = <HandcraftedEval as Tunable<Bitboard>>::trace(line.position());
                    let (mover, opponent) = values.own_and_other(line.side_to_move());
                    let lead = terms::sum_terms(mover, opponent, &WEIGHTS);
                    let sign = if line.side_to_move() == Side::First { 1 } else { -1 };
                    assert_eq!(features.sum(&WEIGHTS.to_row()), lead * sign, "{setup:?}");
                }
                let moves = alfil_kernel::conformance::sorted_legal_moves(line.position());
                if moves.is_empty() {
                    break;
                }
                line.push(moves[random.below(moves.len())], &mut values);
            }
            while line.ply() > 0 {
                line.pop(&mut values);
            }
            assert_eq!(values.discs, Side::BOTH.map(|side| line.position().discs(side).0));
        }
    }

    #[test]
    fn corners_and_room_are_worth_having() {
        let worth = |text: &str| {
            let board = Bitboard::from_setup_unchecked(&Setup::parse(text).unwrap());
            let mut values = HandcraftedEval::default();
            values.reset(&board);
            score(&values, &board)
        };
        let dots = "-".repeat(19);
        let rest = format!("{dots}--------OX------XO{}", "-".repeat(26));
        assert!(worth(&format!("X{rest} X")) > worth(&format!("O{rest} X")) + 1_000);
        let burdened = format!("---------X{}OX------XO{} X", "-".repeat(17), "-".repeat(27));
        assert!(worth(&burdened) < worth(&Setup::start().to_text()));
    }

    #[test]
    fn the_end_is_worth_its_discs() {
        let board = Bitboard::from_setup_unchecked(
            &Setup::parse(&format!("{}{} X", "X".repeat(40), "O".repeat(24))).unwrap(),
        );
        let verdict: Verdict<Cause> = Ruleset::STANDARD.no_legal_move_verdict(&board);
        let settle = |side| {
            SearchPolicy::<Bitboard>::outcome_score(&HandcraftedEval::default(), &verdict, side, 7).value()
        };
        assert_eq!((settle(Side::First), settle(Side::Second)), (1_600, -1_600));
    }
}
