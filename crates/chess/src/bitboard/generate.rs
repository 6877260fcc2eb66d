//! Which moves there are: sets of targets, handed to whoever lists or counts them.

use alfil_kernel::{MoveList, Side};

use super::{Bitboard, NO_SQUARE};
use crate::board::Board;
use crate::geometry::{
    self, BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, LINE_THROUGH, PAWN_ATTACKS, bishop_attacks, rook_attacks,
};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GenType {
    /// Those that leave the own king safe.
    Legal,
    /// Of the legal ones those that take something.
    Captures,
    /// As the men move.
    PseudoLegal,
}

/// Takes moves in sets.
pub(super) trait MoveSink {
    /// A man on `origin` may go to each of these squares.
    fn push_piece_moves(&mut self, origin: usize, targets: u64);
    /// Pawns may go to these squares, each from the square `step` numbers before it.
    fn push_pawn_moves(&mut self, targets: u64, step: i32);
    /// The same, and become something there.
    fn push_promotions(&mut self, targets: u64, step: i32);
}

/// Counting needs no list: the number of moves is the number of bits.
pub(super) struct CountSink(pub(super) usize);

impl MoveSink for CountSink {
    #[inline(always)]
    fn push_piece_moves(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn push_pawn_moves(&mut self, targets: u64, _: i32) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn push_promotions(&mut self, targets: u64, _: i32) {
        self.0 += 4 * targets.count_ones() as usize;
    }
}

/// The squares of a set, from the lowest to the highest.
#[inline(always)]
fn for_each_square(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize & 63);
        set &= set - 1;
    }
}

#[inline(always)]
fn pawn_origin(target: usize, step: i32) -> Square {
    Square::from_low_bits((target as i32 - step) as usize)
}

impl MoveSink for MoveList<Move> {
    #[inline(always)]
    fn push_piece_moves(&mut self, origin: usize, targets: u64) {
        for_each_square(targets, |target| {
            self.push(Move::from_squares(Square::from_low_bits(origin), Square::from_low_bits(target)))
        });
    }

    #[inline(always)]
    fn push_pawn_moves(&mut self, targets: u64, step: i32) {
        for_each_square(targets, |target| {
            self.push(Move::from_squares(pawn_origin(target, step), Square::from_low_bits(target)))
        });
    }

    #[inline(always)]
    fn push_promotions(&mut self, targets: u64, step: i32) {
        for_each_square(targets, |target| {
            for kind in PieceKind::PROMOTIONS {
                self.push(Move::with_promotion(
                    pawn_origin(target, step),
                    Square::from_low_bits(target),
                    kind,
                ));
            }
        });
    }
}

/// What differs between the colours, so that each gets code of its own without a test.
#[inline(always)]
const fn forward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set << 8 } else { set >> 8 }
}

impl Bitboard {
    /// Hands out the moves of the side to move.
    #[inline]
    pub(super) fn generate<S: MoveSink>(&self, scope: GenType, sink: &mut S) {
        match (self.side_to_move, scope == GenType::PseudoLegal) {
            (Side::First, false) => self.generate_for::<true, true, S>(scope, sink),
            (Side::Second, false) => self.generate_for::<false, true, S>(scope, sink),
            (Side::First, true) => self.generate_for::<true, false, S>(scope, sink),
            (Side::Second, true) => self.generate_for::<false, false, S>(scope, sink),
        }
    }

    fn generate_for<const WHITE: bool, const LEGAL: bool, S: MoveSink>(&self, scope: GenType, sink: &mut S) {
        let (side, enemy) = if WHITE { (Side::First, Side::Second) } else { (Side::Second, Side::First) };
        let king = self.king_index(side);
        let wanted = if scope == GenType::Captures { self.by_side(enemy) } else { u64::MAX };
        let mut goal = wanted & !self.by_side(side) & !self.pieces_of(enemy, PieceKind::King);

        let mut steps = KING_ATTACKS[king] & goal;
        if LEGAL && steps != 0 {
            steps &= !self.attacked_by(enemy, self.occupancy() ^ 1 << king);
        }
        sink.push_piece_moves(king, steps);
        let checkers = if LEGAL { self.checkers } else { 0 };
        if checkers & checkers.wrapping_sub(1) != 0 {
            // Two checks at once: the king must move.
            return;
        }
        if checkers != 0 {
            goal &= BETWEEN[king][checkers.trailing_zeros() as usize] | checkers;
        }
        let pinned = if LEGAL { self.pinned } else { 0 };
        self.generate_non_pawns(side, king, goal, pinned, sink);

        let pawns = self.pieces_of(side, PieceKind::Pawn);
        self.generate_pawns::<WHITE, S>(pawns & !pinned, goal, sink);
        for_each_square(pawns & pinned, |pawn| {
            self.generate_pawns::<WHITE, S>(1 << pawn, goal & LINE_THROUGH[king][pawn], sink)
        });
        if self.en_passant != NO_SQUARE {
            let target = usize::from(self.en_passant & 63);
            for_each_square(PAWN_ATTACKS[enemy.index()][target] & pawns, |origin| {
                if !LEGAL || self.is_safe_en_passant(origin, target) {
                    sink.push_piece_moves(origin, 1 << target);
                }
            });
        }
        if scope != GenType::Captures {
            for_each_square(self.castling_rooks & geometry::rank_mask(if WHITE { 0 } else { 7 }), |rook| {
                if self.is_castling_path_clear(king, rook) && (!LEGAL || self.is_castling_safe(king, rook)) {
                    sink.push_piece_moves(king, 1 << rook);
                }
            });
        }
    }

    /// Knights, bishops, rooks and queens. A pinned man stays on the line between its king and the pinner; a pinned
    /// knight cannot.
    #[inline(always)]
    fn generate_non_pawns<S: MoveSink>(&self, side: Side, king: usize, goal: u64, pinned: u64, sink: &mut S) {
        let all = self.occupancy();
        for_each_square(self.pieces_of(side, PieceKind::Knight) & !pinned, |origin| {
            sink.push_piece_moves(origin, KNIGHT_ATTACKS[origin] & goal)
        });
        let line =
            |origin: usize| if pinned >> origin & 1 == 0 { goal } else { goal & LINE_THROUGH[king][origin] };
        for_each_square(self.pieces_of(side, PieceKind::Bishop), |origin| {
            sink.push_piece_moves(origin, bishop_attacks(origin, all) & line(origin));
        });
        for_each_square(self.pieces_of(side, PieceKind::Rook), |origin| {
            sink.push_piece_moves(origin, rook_attacks(origin, all) & line(origin))
        });
        for_each_square(self.pieces_of(side, PieceKind::Queen), |origin| {
            sink.push_piece_moves(
                origin,
                (bishop_attacks(origin, all) | rook_attacks(origin, all)) & line(origin),
            );
        });
    }

    /// All moves of these pawns to `goal`, en passant aside: the whole set is shifted at once.
    #[inline(always)]
    fn generate_pawns<const WHITE: bool, S: MoveSink>(&self, pawns: u64, goal: u64, sink: &mut S) {
        const A: u64 = geometry::file_mask(0);
        const H: u64 = geometry::file_mask(7);
        let (third, last) = if WHITE {
            (geometry::rank_mask(2), geometry::rank_mask(7))
        } else {
            (geometry::rank_mask(5), geometry::rank_mask(0))
        };
        let (ward, left, right) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let empty = !self.occupancy();
        let prey = self.by_side(if WHITE { Side::Second } else { Side::First }) & goal;

        let one = forward::<WHITE>(pawns) & empty;
        let two = forward::<WHITE>(one & third) & empty & goal;
        let one = one & goal;
        let to_left = forward::<WHITE>(pawns & !A) >> 1 & prey;
        let to_right = forward::<WHITE>(pawns & !H) << 1 & prey;
        sink.push_pawn_moves(one & !last, ward);
        sink.push_pawn_moves(two, 2 * ward);
        sink.push_pawn_moves(to_left & !last, left);
        sink.push_pawn_moves(to_right & !last, right);
        if (one | to_left | to_right) & last != 0 {
            sink.push_promotions(one & last, ward);
            sink.push_promotions(to_left & last, left);
            sink.push_promotions(to_right & last, right);
        }
    }

    /// Every square that a side attacks among these obstacles.
    fn attacked_by(&self, by: Side, occupied: u64) -> u64 {
        let pawns = self.pieces_of(by, PieceKind::Pawn);
        let front = if by == Side::First { pawns << 8 } else { pawns >> 8 };
        let mut attacked = (front & !geometry::file_mask(0)) >> 1 | (front & !geometry::file_mask(7)) << 1;
        attacked |= KING_ATTACKS[self.king_index(by)];
        let queens = self.pieces_of(by, PieceKind::Queen);
        for_each_square(self.pieces_of(by, PieceKind::Knight), |origin| attacked |= KNIGHT_ATTACKS[origin]);
        for_each_square(self.pieces_of(by, PieceKind::Bishop) | queens, |origin| {
            attacked |= bishop_attacks(origin, occupied)
        });
        for_each_square(self.pieces_of(by, PieceKind::Rook) | queens, |origin| {
            attacked |= rook_attacks(origin, occupied)
        });
        attacked
    }

    /// The pseudo-legal pawn moves of the side to move, en passant aside, from shifts of the whole set.
    pub fn generate_pawns_set_wise(&self, list: &mut MoveList<Move>) {
        let goal = !self.pieces_of(self.side_to_move.other(), PieceKind::King);
        let pawns = self.pieces_of(self.side_to_move, PieceKind::Pawn);
        match self.side_to_move {
            Side::First => self.generate_pawns::<true, _>(pawns, goal, list),
            Side::Second => self.generate_pawns::<false, _>(pawns, goal, list),
        }
    }

    /// The same moves, one pawn after the other: the reference that the shifts are tested and measured against.
    pub fn generate_pawns_one_by_one(&self, list: &mut MoveList<Move>) {
        for_each_square(self.pieces_of(self.side_to_move, PieceKind::Pawn), |origin| {
            let origin = Square::from_low_bits(origin);
            let mut targets = self.targets(origin, PieceKind::Pawn);
            if let Some(square) = self.en_passant() {
                targets &= !geometry::bit(square);
            }
            if origin.relative_rank(self.side_to_move) == 6 {
                for_each_square(targets, |target| {
                    list.push_promotions(1 << target, target as i32 - origin.index() as i32)
                });
            } else {
                list.push_piece_moves(origin.index(), targets);
            }
        });
    }
}
