//! What the squares alone do not say: mobility, threats, who works well with whom. Each function is one idea; each counts for one
//! side, and the difference of both is the score.

use alfil_kernel::{BitSet, Side, TaperedScore};

use super::HandcraftedEval;
use super::weights::Weights;
use alfil_chess::geometry::{self, KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::piece::PieceKind;

/// The squares that a1 and all of its colour are of.
pub(super) const DARK_SQUARES: u64 = 0xAA55_AA55_AA55_AA55;

/// Heaviness of a knight, bishop, rook or queen that attacks squares around the enemy king; each such square adds one.
const ATTACK_WEIGHTS: [i32; 4] = [2, 2, 3, 5];

/// What the men of a side attack, by kinds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AttackMaps {
    pub(super) pawns: u64,
    /// Of knights, bishops, rooks and queens.
    pub(super) non_pawns: [u64; 4],
    pub(super) king: u64,
    /// Everybody.
    pub(super) all: u64,
    /// How heavily officers attack the squares around the enemy king.
    pub(super) king_danger: i32,
}

/// A position, and what both sides see in it.
pub(super) struct EvalContext<'a> {
    pub(super) eval: &'a HandcraftedEval,
    pub(super) weights: &'a Weights,
    pub(super) occupied: u64,
    pub(super) attack_maps: [AttackMaps; 2],
}

/// All terms but the structure of pawns, from White's view.
pub(super) fn terms(values: &HandcraftedEval, weights: &Weights) -> TaperedScore {
    let occupied = values.occupied_by(Side::First) | values.occupied_by(Side::Second);
    let mut scene = EvalContext { eval: values, weights, occupied, attack_maps: [AttackMaps::default(); 2] };
    for side in Side::BOTH {
        let sight = &mut scene.attack_maps[side.index()];
        sight.pawns = adjacent_squares(step_forward(side, values.pieces_of(side, PieceKind::Pawn)));
        sight.king = KING_ATTACKS[values.king_index(side)];
    }
    let [white, black] = Side::BOTH.map(|side| scene.mobility(side));
    let [more_white, more_black] = Side::BOTH.map(|side| scene.terms_after_mobility(side));
    white + more_white - black - more_black
}

/// All squares ahead of the set, the set not included.
#[inline(always)]
pub(super) fn front_span(side: Side, mut set: u64) -> u64 {
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
pub(super) fn adjacent_squares(set: u64) -> u64 {
    (set & !geometry::file_mask(0)) >> 1 | (set & !geometry::file_mask(7)) << 1
}

/// The squares one rank ahead.
#[inline(always)]
pub(super) fn step_forward(side: Side, set: u64) -> u64 {
    if side == Side::First { set << 8 } else { set >> 8 }
}

/// The whole files of the set.
#[inline(always)]
pub(super) fn file_fill(set: u64) -> u64 {
    front_span(Side::First, set) | set | front_span(Side::Second, set)
}

#[inline(always)]
pub(super) fn popcount(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The rank of a square as this side sees it, from its own back rank.
#[inline(always)]
pub(super) fn relative_rank(side: Side, square: usize) -> usize {
    if side == Side::First { square / 8 } else { 7 - square / 8 }
}

impl EvalContext<'_> {
    #[inline(always)]
    pub(super) fn pieces_of(&self, side: Side, kind: PieceKind) -> u64 {
        self.eval.pieces_of(side, kind)
    }

    #[inline(always)]
    pub(super) fn attack_maps(&self, side: Side) -> &AttackMaps {
        &self.attack_maps[side.index()]
    }

    /// How far officers reach where no enemy pawn guards; what the side sees is kept.
    fn mobility(&mut self, side: Side) -> TaperedScore {
        let (values, weights, enemy) = (self.eval, self.weights, !side);
        let safe = !values.occupied_by(side) & !self.attack_maps[enemy.index()].pawns;
        let around = KING_ATTACKS[values.king_index(enemy)] | 1 << values.king_index(enemy);
        let mut sight = self.attack_maps[side.index()];
        let (mut sum, mut attackers) = (TaperedScore::ZERO, 0);
        let mut see = |i: usize, reach: u64| {
            sight.non_pawns[i] |= reach;
            if reach & around != 0 {
                attackers += 1;
                sight.king_danger += ATTACK_WEIGHTS[i] + popcount(reach & around);
            }
            (reach & safe).count_ones() as usize
        };
        for square in BitSet(values.pieces_of(side, PieceKind::Knight)) {
            sum += weights.knight_reach[see(0, KNIGHT_ATTACKS[square])];
        }
        for square in BitSet(values.pieces_of(side, PieceKind::Bishop)) {
            sum += weights.bishop_reach[see(1, bishop_attacks(square, self.occupied))];
        }
        for square in BitSet(values.pieces_of(side, PieceKind::Rook)) {
            sum += weights.rook_reach[see(2, rook_attacks(square, self.occupied))];
        }
        for square in BitSet(values.pieces_of(side, PieceKind::Queen)) {
            sum += weights.queen_reach
                [see(3, bishop_attacks(square, self.occupied) | rook_attacks(square, self.occupied))];
        }
        if attackers < 2 {
            // One alone does nothing.
            sight.king_danger = 0;
        }
        sight.all = sight.non_pawns.iter().fold(sight.pawns | sight.king, |all, seen| all | seen);
        self.attack_maps[side.index()] = sight;
        sum
    }

    fn terms_after_mobility(&self, side: Side) -> TaperedScore {
        self.king_attack(side)
            + self.shelter(side)
            + self.passed(side)
            + self.threats(side)
            + self.piece_coordination(side)
    }

    /// Men that are attacked by lesser ones, or attacked and not guarded, and those that a pawn's step would attack.
    fn threats(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.attack_maps(side), self.attack_maps(enemy));
        let prey = PieceKind::PROMOTIONS.map(|kind| self.pieces_of(enemy, kind));
        let minors = prey[0] | prey[1];
        let by_minors = own.non_pawns[0] | own.non_pawns[1];
        let mut sum = weights.pawn_on_minor * popcount(minors & own.pawns);
        sum += weights.pawn_on_major * popcount((prey[2] | prey[3]) & own.pawns);
        sum += weights.minor_on_minor * popcount(minors & by_minors);
        sum += weights.minor_on_rook * popcount(prey[2] & by_minors);
        sum += weights.lesser_on_queen * popcount(prey[3] & (by_minors | own.non_pawns[2]));
        sum += weights.rook_on_minor * popcount(minors & own.non_pawns[2]);
        let loose = own.all & !theirs.all;
        sum += weights.hanging_pawn * popcount(self.pieces_of(enemy, PieceKind::Pawn) & loose);
        sum += weights.hanging_officer * popcount((minors | prey[2]) & loose);
        let safe = !self.occupied & !theirs.pawns & (own.all | !theirs.all);
        let home = geometry::rank_mask(if side == Side::First { 2 } else { 5 });
        let once = step_forward(side, self.pieces_of(side, PieceKind::Pawn)) & !self.occupied;
        let steps = (once | step_forward(side, once & home) & !self.occupied) & safe;
        let hit = adjacent_squares(step_forward(side, steps)) & !own.pawns;
        sum + weights.push * popcount(hit & (minors | prey[2] | prey[3]))
    }

    /// The pair of bishops and their pawns, officers on outposts, rooks on open files.
    fn piece_coordination(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (pawns, others) = (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(enemy, PieceKind::Pawn));
        let (knights, bishops) =
            (self.pieces_of(side, PieceKind::Knight), self.pieces_of(side, PieceKind::Bishop));
        let mut sum = weights.bishop_pair * i32::from(popcount(bishops) > 1);
        for colour in [DARK_SQUARES, !DARK_SQUARES] {
            sum += weights.bishop_and_pawn * (popcount(bishops & colour) * popcount(pawns & colour));
        }
        // Squares that an own pawn guards and no enemy pawn can ever attack, beyond the middle.
        let far = if side == Side::First { 0xFFFF_FF00_0000 << 8 } else { 0x00FF_FFFF << 8 };
        let posts =
            self.attack_maps(side).pawns & far & !adjacent_squares(others | front_span(enemy, others));
        sum += weights.knight_outpost * popcount(knights & posts);
        sum += weights.bishop_outpost * popcount(bishops & posts);
        sum += weights.minor_behind_pawn * popcount((knights | bishops) & step_forward(enemy, pawns));
        let own = self.pieces_of(side, PieceKind::Rook) & !file_fill(pawns);
        let open = own & !file_fill(others);
        sum + weights.open_file * popcount(open) + weights.half_open_file * popcount(own & !open)
    }
}
