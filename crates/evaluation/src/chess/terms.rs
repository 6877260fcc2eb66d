//! What the squares alone do not say: mobility, threats, who works well with whom. Each function is one idea; each counts for one
//! side, and the difference of both is the score.

use alfil_kernel::{Bits, Side, Taper};

use super::Values;
use super::weights::Weights;
use alfil_chess::geometry::{self, KING, KNIGHT, bishop, rook};
use alfil_chess::piece::Kind;

/// The squares that a1 and all of its colour are of.
pub(super) const DARK: u64 = 0xAA55_AA55_AA55_AA55;

/// Heaviness of a knight, bishop, rook or queen that attacks squares around the enemy king; each such square adds one.
const HEAVY: [i32; 4] = [2, 2, 3, 5];

/// What the men of a side attack, by kinds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    pub(super) pawns: u64,
    /// Of knights, bishops, rooks and queens.
    pub(super) officers: [u64; 4],
    pub(super) king: u64,
    /// Everybody.
    pub(super) all: u64,
    /// How heavily officers attack the squares around the enemy king.
    pub(super) danger: i32,
}

/// A position, and what both sides see in it.
pub(super) struct Scene<'a> {
    pub(super) values: &'a Values,
    pub(super) weights: &'a Weights,
    pub(super) occupied: u64,
    pub(super) sights: [Sight; 2],
}

/// All terms but the structure of pawns, from White's view.
pub(super) fn terms(values: &Values, weights: &Weights) -> Taper {
    let occupied = values.men(Side::First) | values.men(Side::Second);
    let mut scene = Scene { values, weights, occupied, sights: [Sight::default(); 2] };
    for side in Side::BOTH {
        let sight = &mut scene.sights[side.index()];
        sight.pawns = beside(step(side, values.of(side, Kind::Pawn)));
        sight.king = KING[values.king(side)];
    }
    let [white, black] = Side::BOTH.map(|side| scene.mobility(side));
    let [more_white, more_black] = Side::BOTH.map(|side| scene.after_mobility(side));
    white + more_white - black - more_black
}

/// All squares ahead of the set, the set not included.
#[inline(always)]
pub(super) fn ahead(side: Side, mut set: u64) -> u64 {
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
pub(super) fn beside(set: u64) -> u64 {
    (set & !geometry::file(0)) >> 1 | (set & !geometry::file(7)) << 1
}

/// The squares one rank ahead.
#[inline(always)]
pub(super) fn step(side: Side, set: u64) -> u64 {
    if side == Side::First { set << 8 } else { set >> 8 }
}

/// The whole files of the set.
#[inline(always)]
pub(super) fn files(set: u64) -> u64 {
    ahead(Side::First, set) | set | ahead(Side::Second, set)
}

#[inline(always)]
pub(super) fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The rank of a square as this side sees it, from its own back rank.
#[inline(always)]
pub(super) fn rank_of(side: Side, square: usize) -> usize {
    if side == Side::First { square / 8 } else { 7 - square / 8 }
}

impl Scene<'_> {
    #[inline(always)]
    pub(super) fn of(&self, side: Side, kind: Kind) -> u64 {
        self.values.of(side, kind)
    }

    #[inline(always)]
    pub(super) fn sight(&self, side: Side) -> &Sight {
        &self.sights[side.index()]
    }

    /// How far officers reach where no enemy pawn guards; what the side sees is kept.
    fn mobility(&mut self, side: Side) -> Taper {
        let (values, weights, enemy) = (self.values, self.weights, !side);
        let safe = !values.men(side) & !self.sights[enemy.index()].pawns;
        let around = KING[values.king(enemy)] | 1 << values.king(enemy);
        let mut sight = self.sights[side.index()];
        let (mut sum, mut attackers) = (Taper::ZERO, 0);
        let mut see = |i: usize, reach: u64| {
            sight.officers[i] |= reach;
            if reach & around != 0 {
                attackers += 1;
                sight.danger += HEAVY[i] + count(reach & around);
            }
            (reach & safe).count_ones() as usize
        };
        for square in Bits(values.of(side, Kind::Knight)) {
            sum += weights.knight_reach[see(0, KNIGHT[square])];
        }
        for square in Bits(values.of(side, Kind::Bishop)) {
            sum += weights.bishop_reach[see(1, bishop(square, self.occupied))];
        }
        for square in Bits(values.of(side, Kind::Rook)) {
            sum += weights.rook_reach[see(2, rook(square, self.occupied))];
        }
        for square in Bits(values.of(side, Kind::Queen)) {
            sum += weights.queen_reach[see(3, bishop(square, self.occupied) | rook(square, self.occupied))];
        }
        if attackers < 2 {
            // One alone does nothing.
            sight.danger = 0;
        }
        sight.all = sight.officers.iter().fold(sight.pawns | sight.king, |all, seen| all | seen);
        self.sights[side.index()] = sight;
        sum
    }

    fn after_mobility(&self, side: Side) -> Taper {
        self.attack(side) + self.shelter(side) + self.passed(side) + self.threats(side) + self.company(side)
    }

    /// Men that are attacked by lesser ones, or attacked and not guarded, and those that a pawn's step would attack.
    fn threats(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.sight(side), self.sight(enemy));
        let prey = Kind::PROMOTIONS.map(|kind| self.of(enemy, kind));
        let minors = prey[0] | prey[1];
        let by_minors = own.officers[0] | own.officers[1];
        let mut sum = weights.pawn_on_minor * count(minors & own.pawns);
        sum += weights.pawn_on_major * count((prey[2] | prey[3]) & own.pawns);
        sum += weights.minor_on_minor * count(minors & by_minors);
        sum += weights.minor_on_rook * count(prey[2] & by_minors);
        sum += weights.lesser_on_queen * count(prey[3] & (by_minors | own.officers[2]));
        sum += weights.rook_on_minor * count(minors & own.officers[2]);
        let loose = own.all & !theirs.all;
        sum += weights.hanging_pawn * count(self.of(enemy, Kind::Pawn) & loose);
        sum += weights.hanging_officer * count((minors | prey[2]) & loose);
        let safe = !self.occupied & !theirs.pawns & (own.all | !theirs.all);
        let home = geometry::rank(if side == Side::First { 2 } else { 5 });
        let once = step(side, self.of(side, Kind::Pawn)) & !self.occupied;
        let steps = (once | step(side, once & home) & !self.occupied) & safe;
        let hit = beside(step(side, steps)) & !own.pawns;
        sum + weights.push * count(hit & (minors | prey[2] | prey[3]))
    }

    /// The pair of bishops and their pawns, officers on outposts, rooks on open files.
    fn company(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (pawns, others) = (self.of(side, Kind::Pawn), self.of(enemy, Kind::Pawn));
        let (knights, bishops) = (self.of(side, Kind::Knight), self.of(side, Kind::Bishop));
        let mut sum = weights.bishop_pair * i32::from(count(bishops) > 1);
        for colour in [DARK, !DARK] {
            sum += weights.bishop_and_pawn * (count(bishops & colour) * count(pawns & colour));
        }
        // Squares that an own pawn guards and no enemy pawn can ever attack, beyond the middle.
        let far = if side == Side::First { 0xFFFF_FF00_0000 << 8 } else { 0x00FF_FFFF << 8 };
        let posts = self.sight(side).pawns & far & !beside(others | ahead(enemy, others));
        sum += weights.knight_outpost * count(knights & posts);
        sum += weights.bishop_outpost * count(bishops & posts);
        sum += weights.minor_behind_pawn * count((knights | bishops) & step(enemy, pawns));
        let own = self.of(side, Kind::Rook) & !files(pawns);
        let open = own & !files(others);
        sum + weights.open_file * count(open) + weights.half_open_file * count(own & !open)
    }
}
