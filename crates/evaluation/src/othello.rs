//! What a position of Othello is worth: room to move, edges, corners, diagonals and who moves last, weighed between the opening and the
//! end, from discs it is told of.

use alfil_kernel::evaluate::{INFINITE, MATE_BOUND};
use alfil_kernel::{
    Evaluate, Features, Outcome, Score, Side, Taper, Temper, Tunable, Verdict, Watcher, tune,
};

use alfil_othello::Othello;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use alfil_othello::piece::Piece;
use alfil_othello::square::Square;

mod numbers;
mod patterns;
mod quick;
mod terms;
mod weights;

use numbers::WEIGHTS;
pub use quick::value;
use weights::Weights;

/// The squares that are filled between the opening and the end.
const FULL: i32 = 60;

/// No game ends with more, in hundredths of a disc.
const MOST: Score = 6_400;

/// The evaluator: it keeps both sides' discs by listening, and may have a solver for the end.
///
/// ```
/// use alfil_kernel::{Evaluate, Line};
/// use alfil_evaluation::othello::Values;
/// use alfil_othello::Bitboard;
///
/// let line = Line::<Bitboard>::start_of_game();
/// let mut values = Values::default();
/// values.reset(line.position());
/// // Everything but the last move, which is the second player's, is even.
/// assert!(values.score(line.position()) < 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Values {
    discs: [u64; 2],
}

impl Values {
    /// The discs of the side to move and of the other.
    fn sets(&self, side: Side) -> (u64, u64) {
        (self.discs[side.index()], self.discs[(!side).index()])
    }
}

impl Watcher<Othello> for Values {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] |= 1 << square.index();
    }

    #[inline]
    fn lift(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] &= !(1 << square.index());
    }

    #[inline]
    fn turn(&mut self, square: Square, piece: Piece) {
        self.discs[piece.index()] |= 1 << square.index();
        self.discs[piece.swapped().index()] &= !(1 << square.index());
    }
}

impl<P: Board> Evaluate<P> for Values {
    fn reset(&mut self, position: &P) {
        self.discs = Side::BOTH.map(|side| position.discs(side).0);
    }

    #[inline]
    fn score(&self, position: &P) -> Score {
        let (mover, opponent) = self.sets(position.side());
        let empty = !(mover | opponent);
        terms::terms(mover, opponent, &WEIGHTS).at(empty.count_ones() as i32, FULL).clamp(-MOST, MOST)
    }

    /// Never: no move takes anything, and every move turns something.
    fn is_noisy(&self, _: &P, _: Move) -> bool {
        false
    }

    fn promise(&self, _: &P, _: Move) -> Score {
        0
    }

    /// Nothing is exchanged.
    fn exchange(&self, _: &P, _: Move, at_least: Score) -> bool {
        at_least <= 0
    }

    /// Passing is often the best there is, so a null move proves nothing; there is no quiescence without captures.
    fn temper(&self, _: &P) -> Temper {
        Temper { null_move: false, quiescence: false, futility: false }
    }

    /// Discs count, however far away the end is: a win by ten is worth ten discs. A full board's 64 stay far below what
    /// search takes for a mate.
    fn settle<C>(&self, verdict: &Verdict<C>, mover: Side, _: u32) -> Score {
        const { assert!(64 * 100 < MATE_BOUND) };
        match verdict.outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == mover => 100 * verdict.margin,
            Outcome::Win(_) => -100 * verdict.margin,
        }
    }
}

impl<P: Board> Tunable<P> for Values {
    type Weights = Weights;

    /// Never: every disc counts.
    const DECIDED: Score = INFINITE;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn features(position: &P) -> Features {
        let side = position.side();
        let (mover, opponent) = (position.discs(side).0, position.discs(!side).0);
        let counts = tune::counts(&WEIGHTS, |weights| {
            let lead = terms::terms(mover, opponent, weights);
            if side == Side::First { lead } else { Taper::ZERO - lead }
        });
        Features { counts, middle: position.empty().len() as f64 / f64::from(FULL), part: 1.0 }
    }

    /// Of the discs.
    fn share<C>(verdict: &Verdict<C>) -> f64 {
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
    use alfil_othello::geometry::Symmetry;
    use alfil_othello::laws::{Cause, Ruleset};
    use alfil_othello::{Bitboard, Mailbox, Setup};
    use alfil_kernel::keys::SplitMix64;
    use alfil_kernel::{Laws, Line, Position, Setup as _, Waivers, Weights as _};

    fn score<P: Board>(values: &Values, position: &P) -> Score {
        Evaluate::<P>::score(values, position)
    }

    /// Through whole games and back, what was heard equals what a fresh look finds, on both boards; and twins and
    /// exchanged colours are worth the same.
    #[test]
    fn listening_equals_looking() {
        let mut random = SplitMix64::new(71);
        for _ in 0..100 {
            let mut line = Line::<Bitboard>::start_of_game();
            let mut values = Values::default();
            Evaluate::<Bitboard>::reset(&mut values, line.position());
            loop {
                let mut fresh = Values::default();
                let setup = line.position().setup();
                let mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
                fresh.reset(&mailbox);
                assert_eq!(fresh.discs, values.discs);
                let here = score(&values, line.position());
                assert_eq!(score(&fresh, &mailbox), here);
                for symmetry in Symmetry::all() {
                    let twin = Bitboard::of(&setup.seen(symmetry).swapped());
                    fresh.reset(&twin);
                    assert_eq!(score(&fresh, &twin), here);
                }
                if line.ply() % 16 == 7 {
                    let features = <Values as Tunable<Bitboard>>::features(line.position());
                    let (mover, opponent) = values.sets(line.side());
                    let lead = terms::terms(mover, opponent, &WEIGHTS);
                    let sign = if line.side() == Side::First { 1 } else { -1 };
                    assert_eq!(features.sum(&WEIGHTS.row()), lead * sign, "{setup:?}");
                }
                let moves = alfil_kernel::conformance::legal(line.position());
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
            let board = Bitboard::of(&Setup::read(text).unwrap());
            let mut values = Values::default();
            values.reset(&board);
            score(&values, &board)
        };
        let dots = "-".repeat(19);
        let rest = format!("{dots}--------OX------XO{}", "-".repeat(26));
        assert!(worth(&format!("X{rest} X")) > worth(&format!("O{rest} X")) + 1_000);
        let burdened = format!("---------X{}OX------XO{} X", "-".repeat(17), "-".repeat(27));
        assert!(worth(&burdened) < worth(&Setup::start().write()));
    }

    #[test]
    fn the_end_is_worth_its_discs() {
        let board = Bitboard::of(&Setup::read(&format!("{}{} X", "X".repeat(40), "O".repeat(24))).unwrap());
        let verdict: Verdict<Cause> = Ruleset::STANDARD.no_move(&board);
        let settle = |side| Evaluate::<Bitboard>::settle(&Values::default(), &verdict, side, 7);
        assert_eq!((settle(Side::First), settle(Side::Second)), (1_600, -1_600));
    }
}
