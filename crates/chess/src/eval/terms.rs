//! What the squares alone do not say: mobility, pawn structure, the king's safety. Each function is one idea.

use alfil_kernel::{Bits, Side};

use super::{Taper, Values};
use crate::geometry::{self, KING, KNIGHT, bishop, rook};
use crate::piece::Kind;

/// For each square more that a knight, bishop, rook or queen can safely go to.
const MOBILITY: [Taper; 4] = [Taper(4, 5), Taper(5, 5), Taper(3, 5), Taper(2, 4)];

/// The number of such squares that is neither good nor bad.
const USUAL: [i32; 4] = [4, 6, 7, 13];

/// How heavily each of them weighs on the enemy king when it attacks the squares around it.
const PRESSURE: [i32; 4] = [20, 20, 40, 80];

/// Percent of the pressure that counts with so many attackers; one alone does nothing.
const ATTACKERS: [i32; 8] = [0, 0, 45, 70, 85, 95, 100, 100];

const BISHOP_PAIR: Taper = Taper(26, 44);
const OPEN_FILE: Taper = Taper(30, 12);
const HALF_OPEN_FILE: Taper = Taper(13, 8);

const DOUBLED: Taper = Taper(-8, -20);
const ISOLATED: Taper = Taper(-12, -14);
const SUPPORTED: Taper = Taper(8, 8);

/// A passed pawn by the ranks it has come from its own side's back rank.
const PASSED: [Taper; 8] = [
    Taper(0, 0),
    Taper(2, 8),
    Taper(4, 14),
    Taper(10, 28),
    Taper(24, 54),
    Taper(48, 92),
    Taper(80, 145),
    Taper(0, 0),
];

/// What it keeps of that when something stands before it, in percent.
const BLOCKED: i32 = 60;

/// A pawn one or two ranks before its king, on the king's file or beside it.
const SHIELD: [Taper; 2] = [Taper(14, 0), Taper(7, 0)];
/// A file beside the king or its own without an own pawn.
const BARE_FILE: Taper = Taper(-16, 0);

/// All squares ahead of the set, the set not included.
#[inline(always)]
fn ahead(side: Side, mut set: u64) -> u64 {
    match side {
        Side::First => {
            set |= set << 8;
            set |= set << 16;
            (set | set << 32) << 8
        }
        Side::Second => {
            set |= set >> 8;
            set |= set >> 16;
            (set | set >> 32) >> 8
        }
    }
}

/// The squares to the left and right of the set.
#[inline(always)]
fn beside(set: u64) -> u64 {
    (set & !geometry::file(0)) >> 1 | (set & !geometry::file(7)) << 1
}

/// The squares one rank ahead.
#[inline(always)]
fn step(side: Side, set: u64) -> u64 {
    if side == Side::First { set << 8 } else { set >> 8 }
}

/// The whole files of the set.
#[inline(always)]
fn files(set: u64) -> u64 {
    ahead(Side::First, set) | set | ahead(Side::Second, set)
}

#[inline(always)]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

impl Values {
    /// All of it for one side.
    pub(super) fn terms(&self, side: Side) -> Taper {
        self.officers(side) + self.pawns(side) + self.shelter(side)
    }

    /// Mobility, pressure on the enemy king, the bishop pair and rooks on open files.
    fn officers(&self, side: Side) -> Taper {
        let enemy = !side;
        let occupied = self.men(side) | self.men(enemy);
        let guarded = beside(step(enemy, self.of(enemy, Kind::Pawn)));
        let safe = !self.men(side) & !guarded;
        let around = KING[self.king(enemy)] | 1 << self.king(enemy);
        let (mut sum, mut attackers, mut pressure) = (Taper(0, 0), 0, 0);
        for (i, kind) in Kind::PROMOTIONS.into_iter().enumerate() {
            for square in Bits(self.of(side, kind)) {
                let reach = match kind {
                    Kind::Knight => KNIGHT[square],
                    Kind::Bishop => bishop(square, occupied),
                    Kind::Rook => rook(square, occupied),
                    _ => bishop(square, occupied) | rook(square, occupied),
                };
                sum += MOBILITY[i] * (count(reach & safe) - USUAL[i]);
                if reach & around != 0 {
                    attackers += 1;
                    pressure += PRESSURE[i];
                }
            }
        }
        sum += Taper(pressure * ATTACKERS[attackers.min(7)] / 100, 0);
        if count(self.of(side, Kind::Bishop)) > 1 {
            sum += BISHOP_PAIR;
        }
        sum + self.rooks(side)
    }

    fn rooks(&self, side: Side) -> Taper {
        let rooks = self.of(side, Kind::Rook);
        let own = rooks & !files(self.of(side, Kind::Pawn));
        let open = own & !files(self.of(!side, Kind::Pawn));
        OPEN_FILE * count(open) + HALF_OPEN_FILE * count(own & !open)
    }

    /// Doubled, isolated, supported and passed pawns.
    fn pawns(&self, side: Side) -> Taper {
        let (own, enemy) = (self.of(side, Kind::Pawn), self.of(!side, Kind::Pawn));
        let doubled = own & ahead(side, own);
        let isolated = own & !beside(files(own));
        let supported = own & (beside(own) | beside(step(side, own)));
        // No enemy pawn ahead on its file or beside it; of two on one file the front one.
        let stopped = ahead(!side, enemy | beside(enemy)) | ahead(!side, own);
        let mut sum = DOUBLED * count(doubled) + ISOLATED * count(isolated) + SUPPORTED * count(supported);
        for square in Bits(own & !stopped) {
            let rank = if side == Side::First { square / 8 } else { 7 - square / 8 };
            let worth = PASSED[rank];
            let blocked = step(side, 1 << square) & (self.men(side) | self.men(!side)) != 0;
            sum += if blocked { Taper(worth.0 * BLOCKED / 100, worth.1 * BLOCKED / 100) } else { worth };
        }
        sum
    }

    /// The pawns before the king, and the files around it that lack them.
    fn shelter(&self, side: Side) -> Taper {
        let own = self.of(side, Kind::Pawn);
        let king = 1 << self.king(side);
        let front = step(side, king | beside(king));
        let near = files(king | beside(king));
        let bare = near & !files(own) & geometry::rank(0);
        SHIELD[0] * count(own & front) + SHIELD[1] * count(own & step(side, front)) + BARE_FILE * count(bare)
    }
}
