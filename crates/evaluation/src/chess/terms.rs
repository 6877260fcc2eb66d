//! Evaluation terms beyond the piece-square tables: mobility, threats and piece coordination. Each function returns the
//! term of one side; the score is the difference of both sides.

use crate::TaperedScore;
use alfil_kernel::{BitSet, Side};

use super::HandcraftedEval;
use super::weights::Weights;
use alfil_chess::geometry::{self, DARK_SQUARES, KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::piece::PieceKind;

/// The king danger of an attack on the king ring by a knight, bishop, rook or queen. Each attacked square adds one
/// more.
const ATTACK_WEIGHTS: [i32; 4] = [2, 2, 3, 5];

/// The squares that the pieces of a side attack, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AttackMaps {
    pub(super) pawns: u64,
    /// The attacks of knights, bishops, rooks and queens.
    pub(super) non_pawns: [u64; 4],
    pub(super) king: u64,
    /// The attacks of all pieces.
    pub(super) all: u64,
    /// The weight of the attacks of knights, bishops, rooks and queens on the ring of the enemy king.
    pub(super) king_danger: i32,
}

/// A position during evaluation, with the attack maps of both sides.
pub(super) struct EvalContext<'a> {
    pub(super) eval: &'a HandcraftedEval,
    pub(super) weights: &'a Weights,
    pub(super) occupied: u64,
    pub(super) attack_maps: [AttackMaps; 2],
}

/// Returns the sum of all terms except pawn structure, from White's view.
pub(super) fn terms(eval: &HandcraftedEval, weights: &Weights) -> TaperedScore {
    let occupied = eval.occupied_by(Side::First) | eval.occupied_by(Side::Second);
    let mut context = EvalContext { eval, weights, occupied, attack_maps: [AttackMaps::default(); 2] };
    for side in Side::BOTH {
        let attacks = &mut context.attack_maps[side.index()];
        attacks.pawns = adjacent_squares(step_forward(side, eval.pieces_of(side, PieceKind::Pawn)));
        attacks.king = KING_ATTACKS[eval.king_index(side)];
    }
    let [white_mobility, black_mobility] = Side::BOTH.map(|side| context.mobility(side));
    let [white, black] = Side::BOTH.map(|side| context.terms_after_mobility(side));
    white_mobility + white - black_mobility - black
}

/// Returns all squares in front of the set (CPW: front span).
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

/// Returns the squares to the left and right of the set.
#[inline(always)]
pub(super) fn adjacent_squares(set: u64) -> u64 {
    (set & !geometry::file_mask(0)) >> 1 | (set & !geometry::file_mask(7)) << 1
}

/// Shifts the set one rank forward.
#[inline(always)]
pub(super) fn step_forward(side: Side, set: u64) -> u64 {
    if side == Side::First { set << 8 } else { set >> 8 }
}

/// Returns the whole files of the set (CPW: file fill).
#[inline(always)]
pub(super) fn file_fill(set: u64) -> u64 {
    front_span(Side::First, set) | set | front_span(Side::Second, set)
}

#[inline(always)]
pub(super) fn popcount(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the rank of a square as counted from the back rank of `side`.
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

    /// Returns the score of the mobility of knights, bishops, rooks and queens on squares that no enemy pawn attacks.
    /// Stores the attack maps.
    fn mobility(&mut self, side: Side) -> TaperedScore {
        let (eval, weights, enemy) = (self.eval, self.weights, !side);
        let safe = !eval.occupied_by(side) & !self.attack_maps[enemy.index()].pawns;
        let king_ring = KING_ATTACKS[eval.king_index(enemy)] | 1 << eval.king_index(enemy);
        let mut attack_maps = self.attack_maps[side.index()];
        let (mut sum, mut attacker_count) = (TaperedScore::ZERO, 0);
        let mut add_attacks = |i: usize, attacks: u64| {
            attack_maps.non_pawns[i] |= attacks;
            if attacks & king_ring != 0 {
                attacker_count += 1;
                attack_maps.king_danger += ATTACK_WEIGHTS[i] + popcount(attacks & king_ring);
            }
            (attacks & safe).count_ones() as usize
        };
        for square in BitSet::<u64>::new(eval.pieces_of(side, PieceKind::Knight)) {
            sum += weights.knight_mobility[add_attacks(0, KNIGHT_ATTACKS[square])];
        }
        for square in BitSet::<u64>::new(eval.pieces_of(side, PieceKind::Bishop)) {
            sum += weights.bishop_mobility[add_attacks(1, bishop_attacks(square, self.occupied))];
        }
        for square in BitSet::<u64>::new(eval.pieces_of(side, PieceKind::Rook)) {
            sum += weights.rook_mobility[add_attacks(2, rook_attacks(square, self.occupied))];
        }
        for square in BitSet::<u64>::new(eval.pieces_of(side, PieceKind::Queen)) {
            sum += weights.queen_mobility
                [add_attacks(3, bishop_attacks(square, self.occupied) | rook_attacks(square, self.occupied))];
        }
        if attacker_count < 2 {
            // A single attacker is no danger.
            attack_maps.king_danger = 0;
        }
        attack_maps.all =
            attack_maps.non_pawns.iter().fold(attack_maps.pawns | attack_maps.king, |all, map| all | map);
        self.attack_maps[side.index()] = attack_maps;
        sum
    }

    fn terms_after_mobility(&self, side: Side) -> TaperedScore {
        self.king_attack(side)
            + self.shelter(side)
            + self.passed(side)
            + self.threats(side)
            + self.piece_coordination(side)
    }

    /// Threats: attacks by less valuable pieces, attacks on undefended pieces, and pieces that a pawn push would
    /// attack.
    fn threats(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.attack_maps(side), self.attack_maps(enemy));
        let victims = PieceKind::PROMOTIONS.map(|kind| self.pieces_of(enemy, kind));
        let minors = victims[0] | victims[1];
        let by_minors = own.non_pawns[0] | own.non_pawns[1];
        let mut sum = weights.pawn_on_minor * popcount(minors & own.pawns);
        sum += weights.pawn_on_major * popcount((victims[2] | victims[3]) & own.pawns);
        sum += weights.minor_on_minor * popcount(minors & by_minors);
        sum += weights.minor_on_rook * popcount(victims[2] & by_minors);
        sum += weights.lesser_piece_on_queen * popcount(victims[3] & (by_minors | own.non_pawns[2]));
        sum += weights.rook_on_minor * popcount(minors & own.non_pawns[2]);
        let hanging = own.all & !theirs.all;
        sum += weights.hanging_pawn * popcount(self.pieces_of(enemy, PieceKind::Pawn) & hanging);
        sum += weights.hanging_non_pawn * popcount((minors | victims[2]) & hanging);
        let safe = !self.occupied & !theirs.pawns & (own.all | !theirs.all);
        let third_rank = geometry::rank_mask(if side == Side::First { 2 } else { 5 });
        let single = step_forward(side, self.pieces_of(side, PieceKind::Pawn)) & !self.occupied;
        let pushes = (single | step_forward(side, single & third_rank) & !self.occupied) & safe;
        let push_attacks = adjacent_squares(step_forward(side, pushes)) & !own.pawns;
        sum + weights.pawn_push_threat * popcount(push_attacks & (minors | victims[2] | victims[3]))
    }

    /// Returns the score of the bishop pair, bishops and own pawns, outposts, rooks on open files.
    fn piece_coordination(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (pawns, enemy_pawns) =
            (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(enemy, PieceKind::Pawn));
        let (knights, bishops) =
            (self.pieces_of(side, PieceKind::Knight), self.pieces_of(side, PieceKind::Bishop));
        let mut sum = weights.bishop_pair * i32::from(popcount(bishops) > 1);
        for colour in [DARK_SQUARES, !DARK_SQUARES] {
            sum += weights.bishop_same_colour_pawn * (popcount(bishops & colour) * popcount(pawns & colour));
        }
        // Outposts: squares on relative ranks 5 to 7 that an own pawn defends, with no enemy pawn on a neighbouring
        // file that stands beside them or can still pass them.
        let outpost_ranks = if side == Side::First { 0xFFFF_FF00_0000 << 8 } else { 0x00FF_FFFF << 8 };
        let enemy_pawn_spans = adjacent_squares(enemy_pawns | front_span(enemy, enemy_pawns));
        let outposts = self.attack_maps(side).pawns & outpost_ranks & !enemy_pawn_spans;
        sum += weights.knight_outpost * popcount(knights & outposts);
        sum += weights.bishop_outpost * popcount(bishops & outposts);
        sum += weights.minor_behind_pawn * popcount((knights | bishops) & step_forward(enemy, pawns));
        let rooks = self.pieces_of(side, PieceKind::Rook) & !file_fill(pawns);
        let open = rooks & !file_fill(enemy_pawns);
        sum + weights.rook_open_file * popcount(open) + weights.rook_half_open_file * popcount(rooks & !open)
    }
}
