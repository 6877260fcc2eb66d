//! What a position of chess is worth: material and where it stands, mobility, pawn structure and the king's safety,
//! weighed between middle game and endgame by the men left.
//!
//! It listens to the board and keeps sets of its own, so it values a mailbox and a bitboard at the same price. The
//! numbers are our own, reasoned and not fitted: a pawn in the endgame is the unit of thought, about 100.

use alfil_kernel::{Evaluate, Score, Side, Temper, Watcher};

use crate::Chess;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

mod exchange;
mod places;
mod terms;

use places::PLACES;

/// What each kind is worth in an exchange, in centipawns. The king's is above all others together.
pub const WORTH: [Score; 6] = [100, 320, 330, 500, 950, 20_000];

/// How much of the middle game each kind carries.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sum of [`PHASES`] at the start of a game; more, after promotions, counts as this.
const FULL: i32 = 24;

/// The right to move, in centipawns.
const TEMPO: Score = 10;

/// Two scores at once: what something is worth in the middle game and in the endgame, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taper(pub(crate) i32, pub(crate) i32);

impl core::ops::Add for Taper {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Taper(self.0 + other.0, self.1 + other.1)
    }
}

impl core::ops::AddAssign for Taper {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl core::ops::Sub for Taper {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Taper(self.0 - other.0, self.1 - other.1)
    }
}

impl core::ops::Mul<i32> for Taper {
    type Output = Self;

    fn mul(self, times: i32) -> Self {
        Taper(self.0 * times, self.1 * times)
    }
}

/// An evaluator: where everybody stands, as it was told, and the sums of material and places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    sets: [[u64; 6]; 2],
    sums: [Taper; 2],
    phase: i32,
}

impl Values {
    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> u64 {
        self.sets[side.index()][kind as usize]
    }

    #[inline(always)]
    fn men(&self, side: Side) -> u64 {
        self.sets[side.index()].iter().fold(0, |men, set| men | set)
    }

    #[inline(always)]
    fn king(&self, side: Side) -> usize {
        self.of(side, Kind::King).trailing_zeros() as usize & 63
    }

    /// The part of a full lead that can be won: without pawns a lead of less than a rook seldom is.
    fn winnable(&self, lead: Score) -> Score {
        let leader = if lead > 0 { Side::First } else { Side::Second };
        if self.of(leader, Kind::Pawn) != 0 {
            return lead;
        }
        let officers = |side: Side| {
            let worth = |kind: Kind| self.of(side, kind).count_ones() as Score * WORTH[kind as usize];
            Kind::PROMOTIONS.into_iter().map(worth).sum::<Score>()
        };
        if officers(leader) - officers(!leader) < WORTH[Kind::Rook as usize] - 50 { lead / 4 } else { lead }
    }
}

impl Watcher<Chess> for Values {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.sets[piece.side().index()][piece.kind() as usize] |= 1 << square.index();
        self.sums[piece.side().index()] += PLACES[piece.index()][square.index()];
        self.phase += PHASES[piece.kind() as usize];
    }

    #[inline]
    fn lift(&mut self, square: Square, piece: Piece) {
        let sum = &mut self.sums[piece.side().index()];
        self.sets[piece.side().index()][piece.kind() as usize] &= !(1 << square.index());
        *sum = *sum - PLACES[piece.index()][square.index()];
        self.phase -= PHASES[piece.kind() as usize];
    }

    fn turn(&mut self, _: Square, _: Piece) {
        unreachable!("no man is turned over in chess");
    }
}

impl<P: Board> Evaluate<P> for Values {
    fn reset(&mut self, position: &P) {
        *self = Values::default();
        for piece in Piece::all() {
            for square in position.pieces(piece).iter().map(Square::of_bits) {
                self.put(square, piece);
            }
        }
    }

    fn score(&self, position: &P) -> Score {
        let [white, black] = Side::BOTH.map(|side| self.sums[side.index()] + self.terms(side));
        let Taper(middle, end) = white - black;
        let phase = self.phase.min(FULL);
        let lead = (middle * phase + end * (FULL - phase)) / FULL;
        let lead = self.winnable(lead);
        TEMPO + if position.side() == Side::First { lead } else { -lead }
    }

    /// Captures, and promotions to a queen; to become anything less is not worth a look there.
    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        match mv.promoted() {
            Some(kind) => kind == Kind::Queen,
            None => position.captured(mv).is_some(),
        }
    }

    #[inline]
    fn promise(&self, position: &P, mv: Move) -> Score {
        let worth = |kind: Kind| WORTH[kind as usize];
        let victim = position.captured(mv).map_or(0, |piece| worth(piece.kind()));
        let gained = mv.promoted().map_or(0, |kind| worth(kind) - WORTH[0]);
        let attacker = position.piece_on(mv.origin()).map_or(0, |piece| worth(piece.kind()));
        (victim + gained) * 16 - attacker / 16
    }

    fn exchange(&self, position: &P, mv: Move, at_least: Score) -> bool {
        if position.is_castling(mv) {
            return at_least <= 0;
        }
        self.wins_exchange(mv, position.side(), at_least)
    }

    /// With king and pawns alone zugzwang is common: passing is not tried.
    fn temper(&self, position: &P) -> Temper {
        let side = position.side();
        let null_move = Kind::PROMOTIONS.into_iter().any(|kind| self.of(side, kind) != 0);
        Temper { null_move, quiescence: true, futility: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::keys::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

    fn score<P: Board>(setup: &Setup) -> Score {
        let position = P::from_setup(setup, &Waivers::None).unwrap();
        let mut values = Values::default();
        values.reset(&position);
        values.score(&position)
    }

    fn of(fen: &str) -> Score {
        score::<Bitboard>(&Setup::read(fen).unwrap())
    }

    #[test]
    fn listening_equals_looking_and_both_sides_are_alike() {
        let mut random = SplitMix64::new(14);
        for _ in 0..150 {
            let setup = Setup::fischer(random.below(960)).unwrap();
            let mut position = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
            let mut values = Values::default();
            values.reset(&position);
            for _ in 0..100 {
                let mut list = MoveList::new();
                position.moves(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                let before = values.clone();
                let undo = position.make(mv, &mut values);
                position.unmake(mv, &undo, &mut values);
                assert_eq!(values, before);
                position.make(mv, &mut values);
                let mut afresh = Values::default();
                afresh.reset(&position);
                assert_eq!(values, afresh);
                let setup = position.setup();
                let here = score::<Bitboard>(&setup);
                assert_eq!(here, values.score(&position), "{setup:?}");
                assert_eq!(here, score::<Mailbox>(&setup.swapped()), "{setup:?} with colours exchanged");
                assert_eq!(here, score::<Mailbox>(&setup.mirrored()), "{setup:?} mirrored");
            }
        }
    }

    #[test]
    fn more_is_better() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(of(start), TEMPO);
        for (better, worse) in [
            // A queen, a rook, a pawn more.
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"),
            // A passed pawn further on; two connected rather than one behind the other.
            ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1"),
            // A pawn more that cannot be held up decides; a knight more without pawns does not.
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"),
            // The king behind its pawns among heavy men.
            ("r2q1rk1/5ppp/8/8/8/8/5PPP/R2Q1RK1 w - - 0 1", "r2q1rk1/5ppp/8/8/8/8/PPP5/R2Q1RK1 w - - 0 1"),
        ] {
            assert!(of(better) > of(worse), "{better}: {}, {worse}: {}", of(better), of(worse));
        }
    }

    #[test]
    fn passing_is_not_tried_in_pawn_endings() {
        let temper = |fen: &str| {
            let position = Bitboard::from_setup(&Setup::read(fen).unwrap(), &Waivers::None).unwrap();
            let mut values = Values::default();
            values.reset(&position);
            values.temper(&position).null_move
        };
        assert!(!temper("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(!temper("3rk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(temper("4k3/pppp4/8/8/8/8/PPPP4/4KN2 w - - 0 1"));
    }
}
