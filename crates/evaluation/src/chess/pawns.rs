//! Pawns: their structure, and those that nobody can stop any more.

use std::cell::Cell;

use alfil_kernel::{Bits, Side, Taper};

use super::Values;
use super::terms::{Scene, ahead, beside, count, files, rank_of, step};
use super::weights::Weights;
use alfil_chess::piece::Kind;

/// Steps of a king from one square to another.
fn distance(one: usize, other: usize) -> usize {
    (one % 8).abs_diff(other % 8).max((one / 8).abs_diff(other / 8))
}

/// Doubled, isolated, backward and connected pawns, from White's view.
pub(super) fn structure(values: &Values, weights: &Weights) -> Taper {
    let [white, black] = Side::BOTH.map(|side| of_side(values, weights, side));
    white - black
}

fn of_side(values: &Values, weights: &Weights, side: Side) -> Taper {
    let enemy = !side;
    let (own, others) = (values.of(side, Kind::Pawn), values.of(enemy, Kind::Pawn));
    let doubled = own & ahead(side, own);
    let isolated = own & !beside(files(own));
    let open = !ahead(enemy, others);
    let mut sum = weights.doubled * count(doubled);
    sum += weights.isolated * count(isolated);
    sum += weights.isolated_open * count(isolated & open);
    // Behind its neighbours, and its next square is theirs.
    let helped = beside(own | ahead(side, own));
    let stopped = step(enemy, beside(step(enemy, others)));
    let backward = own & !isolated & !helped & stopped;
    sum += weights.backward * count(backward);
    sum += weights.backward_open * count(backward & open);
    for square in Bits(own & beside(own)) {
        sum += weights.phalanx[rank_of(side, square)];
    }
    for square in Bits(own & beside(step(side, own))) {
        sum += weights.supported[rank_of(side, square)];
    }
    sum
}

/// What structures of pawns are worth, remembered: they change seldom, so most positions of a search share a few.
#[derive(Clone, Debug)]
pub(super) struct Table(Box<[Cell<Known>]>);

/// The pawns of both sides and their worth. Nothing known is the truth of a board without pawns.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    pawns: [u64; 2],
    worth: Taper,
}

impl Table {
    /// The binary logarithm of the number of structures it holds.
    const BITS: u32 = 11;

    /// The worth of these pawns, from memory or else by asking.
    #[inline]
    pub(super) fn worth(&self, pawns: [u64; 2], ask: impl FnOnce() -> Taper) -> Taper {
        let mixed = (pawns[0] ^ pawns[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &self.0[(mixed >> (64 - Self::BITS)) as usize];
        let known = slot.get();
        if known.pawns == pawns {
            return known.worth;
        }
        let worth = ask();
        slot.set(Known { pawns, worth });
        worth
    }
}

impl Default for Table {
    fn default() -> Self {
        Table(vec![Cell::default(); 1 << Self::BITS].into())
    }
}

/// What is remembered changes nothing.
impl PartialEq for Table {
    fn eq(&self, _: &Table) -> bool {
        true
    }
}

impl Eq for Table {}

impl Scene<'_> {
    /// Pawns with no enemy pawn ahead on their files or beside them; of two on one file the front one.
    pub(super) fn passed(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (own, others) = (self.of(side, Kind::Pawn), self.of(enemy, Kind::Pawn));
        let stopped = ahead(enemy, others | beside(others)) | ahead(enemy, own);
        let (sight, theirs) = (self.sight(side), self.sight(enemy));
        let mut sum = Taper::ZERO;
        for square in Bits(own & !stopped) {
            let rank = rank_of(side, square);
            let next = step(side, 1 << square);
            sum += weights.passed[rank];
            if next & self.occupied != 0 {
                sum += weights.passed_blocked[rank];
            }
            if ahead(side, 1 << square) & (theirs.all | self.values.men(enemy)) == 0 {
                sum += weights.passed_free[rank];
            }
            if next & sight.all != 0 {
                sum += weights.passed_guarded[rank];
            }
            // A pawn that a waiver lets stand on its last rank has nowhere to go.
            if rank > 2 && next != 0 {
                let goal = next.trailing_zeros() as usize;
                sum += weights.passed_own_king[distance(goal, self.values.king(side))];
                sum += weights.passed_enemy_king[distance(goal, self.values.king(enemy))];
            }
            let file = ahead(enemy, 1 << square);
            sum += weights.rook_behind_passed * i32::from(file & self.of(side, Kind::Rook) != 0);
        }
        sum
    }
}
