//! Move generation on bitboards: sets of targets, passed to a sink that lists the moves, counts them or stops at the
//! first.

use core::ops::ControlFlow;

use alfil_kernel::{MoveList, Side};

use super::{Bitboard, NO_SQUARE};
use crate::board::{Board, GenType};
use crate::geometry::{
    self, BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, LINE_THROUGH, PAWN_ATTACKS, bishop_attacks, rook_attacks,
};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

/// Returns the side to move and its enemy.
#[inline(always)]
const fn sides<const WHITE: bool>() -> (Side, Side) {
    if WHITE { (Side::First, Side::Second) } else { (Side::Second, Side::First) }
}

/// A receiver of sets of moves. The generation ends when it breaks.
pub(super) trait MoveSink {
    /// Receives the moves of the piece on `origin` to these targets.
    fn push_piece_moves(&mut self, origin: usize, targets: u64) -> ControlFlow<()>;
    /// Receives pawn moves to these targets, each from the square whose number is lower by `step`.
    fn push_pawn_moves(&mut self, targets: u64, step: i32) -> ControlFlow<()>;
    /// Receives the four promotions on each of these targets, with the same origins.
    fn push_promotions(&mut self, targets: u64, step: i32) -> ControlFlow<()>;
}

/// A sink that counts moves: their number is the number of set bits.
pub(super) struct CountSink(pub(super) usize);

impl MoveSink for CountSink {
    #[inline(always)]
    fn push_piece_moves(&mut self, _: usize, targets: u64) -> ControlFlow<()> {
        self.0 += targets.count_ones() as usize;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_pawn_moves(&mut self, targets: u64, _: i32) -> ControlFlow<()> {
        self.0 += targets.count_ones() as usize;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_promotions(&mut self, targets: u64, _: i32) -> ControlFlow<()> {
        self.0 += 4 * targets.count_ones() as usize;
        ControlFlow::Continue(())
    }
}

/// A sink that breaks at the first move.
struct FirstMoveSink;

impl MoveSink for FirstMoveSink {
    #[inline(always)]
    fn push_piece_moves(&mut self, _: usize, targets: u64) -> ControlFlow<()> {
        if targets == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    #[inline(always)]
    fn push_pawn_moves(&mut self, targets: u64, _: i32) -> ControlFlow<()> {
        self.push_piece_moves(0, targets)
    }

    #[inline(always)]
    fn push_promotions(&mut self, targets: u64, _: i32) -> ControlFlow<()> {
        self.push_piece_moves(0, targets)
    }
}

/// Iterates over the squares of a set in ascending order.
#[inline(always)]
fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize & 63;
        let is_some = set != 0;
        set &= set.wrapping_sub(1);
        is_some.then_some(square)
    })
}

#[inline(always)]
fn pawn_origin(target: usize, step: i32) -> Square {
    Square::from_low_bits((target as i32 - step) as usize)
}

impl MoveSink for MoveList<Move> {
    #[inline(always)]
    fn push_piece_moves(&mut self, origin: usize, targets: u64) -> ControlFlow<()> {
        for target in squares_of(targets) {
            self.push(Move::from_squares(Square::from_low_bits(origin), Square::from_low_bits(target)));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_pawn_moves(&mut self, targets: u64, step: i32) -> ControlFlow<()> {
        for target in squares_of(targets) {
            self.push(Move::from_squares(pawn_origin(target, step), Square::from_low_bits(target)));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_promotions(&mut self, targets: u64, step: i32) -> ControlFlow<()> {
        for target in squares_of(targets) {
            for kind in PieceKind::PROMOTIONS {
                self.push(Move::with_promotion(
                    pawn_origin(target, step),
                    Square::from_low_bits(target),
                    kind,
                ));
            }
        }
        ControlFlow::Continue(())
    }
}

/// Shifts a set one rank forward. The side is a constant, so that each side has branch-free code of its own.
#[inline(always)]
const fn forward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set << 8 } else { set >> 8 }
}

impl Bitboard {
    /// Passes the moves of the side to move to the sink.
    #[inline]
    pub(super) fn generate<S: MoveSink>(&self, gen_type: GenType, sink: &mut S) {
        // Neither a list nor a counter breaks.
        let _ = match (self.side_to_move, gen_type == GenType::PseudoLegal) {
            (Side::First, false) => self.generate_for::<true, true, S>(gen_type, sink),
            (Side::Second, false) => self.generate_for::<false, true, S>(gen_type, sink),
            (Side::First, true) => self.generate_for::<true, false, S>(gen_type, sink),
            (Side::Second, true) => self.generate_for::<false, false, S>(gen_type, sink),
        };
    }

    /// Returns whether there is a legal move. Stops at the first; the king comes last, because the squares that the
    /// enemy attacks take longest.
    pub(super) fn has_legal_move(&self) -> bool {
        let found = match self.side_to_move {
            Side::First => self.find_legal_move::<true>(),
            Side::Second => self.find_legal_move::<false>(),
        };
        found.is_break()
    }

    fn find_legal_move<const WHITE: bool>(&self) -> ControlFlow<()> {
        self.generate_others::<WHITE, true, _>(GenType::Legal, &mut FirstMoveSink)?;
        self.generate_king_steps::<WHITE, true, _>(GenType::Legal, &mut FirstMoveSink)
    }

    fn generate_for<const WHITE: bool, const LEGAL: bool, S: MoveSink>(
        &self,
        gen_type: GenType,
        sink: &mut S,
    ) -> ControlFlow<()> {
        self.generate_king_steps::<WHITE, LEGAL, S>(gen_type, sink)?;
        self.generate_others::<WHITE, LEGAL, S>(gen_type, sink)
    }

    /// Returns the squares to which a move of the side can go.
    #[inline(always)]
    fn allowed_targets<const WHITE: bool>(&self, gen_type: GenType) -> u64 {
        let (side, enemy) = sides::<WHITE>();
        let candidates = if gen_type == GenType::Captures { self.by_side(enemy) } else { u64::MAX };
        candidates & !self.by_side(side) & !self.pieces_of(enemy, PieceKind::King)
    }

    /// Generates the moves of the king except castling.
    #[inline(always)]
    fn generate_king_steps<const WHITE: bool, const LEGAL: bool, S: MoveSink>(
        &self,
        gen_type: GenType,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let (side, enemy) = sides::<WHITE>();
        let king = self.king_index(side);
        let mut targets = KING_ATTACKS[king] & self.allowed_targets::<WHITE>(gen_type);
        if LEGAL && targets != 0 {
            targets &= !self.attacked_by(enemy, self.occupancy() ^ 1 << king);
        }
        sink.push_piece_moves(king, targets)
    }

    /// Generates castling and the moves of all pieces but the king.
    #[inline(always)]
    fn generate_others<const WHITE: bool, const LEGAL: bool, S: MoveSink>(
        &self,
        gen_type: GenType,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let (side, enemy) = sides::<WHITE>();
        let king = self.king_index(side);
        let mut allowed = self.allowed_targets::<WHITE>(gen_type);
        let checkers = if LEGAL { self.checkers } else { 0 };
        if checkers & checkers.wrapping_sub(1) != 0 {
            // In double check only king moves are legal.
            return ControlFlow::Continue(());
        }
        if checkers != 0 {
            allowed &= BETWEEN[king][checkers.trailing_zeros() as usize] | checkers;
        }
        let pinned = if LEGAL { self.pinned } else { 0 };
        self.generate_non_pawns(side, king, allowed, pinned, sink)?;

        let pawns = self.pieces_of(side, PieceKind::Pawn);
        self.generate_pawns::<WHITE, S>(pawns & !pinned, allowed, sink)?;
        for pawn in squares_of(pawns & pinned) {
            self.generate_pawns::<WHITE, S>(1 << pawn, allowed & LINE_THROUGH[king][pawn], sink)?;
        }
        if self.en_passant != NO_SQUARE {
            let target = usize::from(self.en_passant & 63);
            for origin in squares_of(PAWN_ATTACKS[enemy.index()][target] & pawns) {
                if !LEGAL || self.is_safe_en_passant(origin, target) {
                    sink.push_piece_moves(origin, 1 << target)?;
                }
            }
        }
        if gen_type != GenType::Captures {
            for rook in squares_of(self.castling_rooks & geometry::rank_mask(if WHITE { 0 } else { 7 })) {
                if self.is_castling_path_clear(king, rook) && (!LEGAL || self.is_castling_safe(king, rook)) {
                    sink.push_piece_moves(king, 1 << rook)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the moves of knights, bishops, rooks and queens. A pinned slider stays on the line between its king
    /// and the pinning piece; a pinned knight cannot move.
    #[inline(always)]
    fn generate_non_pawns<S: MoveSink>(
        &self,
        side: Side,
        king: usize,
        allowed: u64,
        pinned: u64,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let occupied = self.occupancy();
        for origin in squares_of(self.pieces_of(side, PieceKind::Knight) & !pinned) {
            sink.push_piece_moves(origin, KNIGHT_ATTACKS[origin] & allowed)?;
        }
        let allowed_from = |origin: usize| {
            if pinned >> origin & 1 == 0 { allowed } else { allowed & LINE_THROUGH[king][origin] }
        };
        for origin in squares_of(self.pieces_of(side, PieceKind::Bishop)) {
            sink.push_piece_moves(origin, bishop_attacks(origin, occupied) & allowed_from(origin))?;
        }
        for origin in squares_of(self.pieces_of(side, PieceKind::Rook)) {
            sink.push_piece_moves(origin, rook_attacks(origin, occupied) & allowed_from(origin))?;
        }
        for origin in squares_of(self.pieces_of(side, PieceKind::Queen)) {
            let attacks = bishop_attacks(origin, occupied) | rook_attacks(origin, occupied);
            sink.push_piece_moves(origin, attacks & allowed_from(origin))?;
        }
        ControlFlow::Continue(())
    }

    /// Generates the moves of these pawns to allowed targets, except en passant, by shifting the whole set.
    #[inline(always)]
    fn generate_pawns<const WHITE: bool, S: MoveSink>(
        &self,
        pawns: u64,
        allowed: u64,
        sink: &mut S,
    ) -> ControlFlow<()> {
        const A_FILE: u64 = geometry::file_mask(0);
        const H_FILE: u64 = geometry::file_mask(7);
        let (third_rank, last_rank) = if WHITE {
            (geometry::rank_mask(2), geometry::rank_mask(7))
        } else {
            (geometry::rank_mask(5), geometry::rank_mask(0))
        };
        let (forward_step, left_step, right_step) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let empty = !self.occupancy();
        let victims = self.by_side(if WHITE { Side::Second } else { Side::First }) & allowed;

        let single = forward::<WHITE>(pawns) & empty;
        let double = forward::<WHITE>(single & third_rank) & empty & allowed;
        let single = single & allowed;
        let to_left = forward::<WHITE>(pawns & !A_FILE) >> 1 & victims;
        let to_right = forward::<WHITE>(pawns & !H_FILE) << 1 & victims;
        sink.push_pawn_moves(single & !last_rank, forward_step)?;
        sink.push_pawn_moves(double, 2 * forward_step)?;
        sink.push_pawn_moves(to_left & !last_rank, left_step)?;
        sink.push_pawn_moves(to_right & !last_rank, right_step)?;
        if (single | to_left | to_right) & last_rank != 0 {
            sink.push_promotions(single & last_rank, forward_step)?;
            sink.push_promotions(to_left & last_rank, left_step)?;
            sink.push_promotions(to_right & last_rank, right_step)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the squares that a side attacks, given the occupancy.
    fn attacked_by(&self, by: Side, occupied: u64) -> u64 {
        let pawns = self.pieces_of(by, PieceKind::Pawn);
        let ahead = if by == Side::First { pawns << 8 } else { pawns >> 8 };
        let mut attacked = (ahead & !geometry::file_mask(0)) >> 1 | (ahead & !geometry::file_mask(7)) << 1;
        attacked |= KING_ATTACKS[self.king_index(by)];
        let queens = self.pieces_of(by, PieceKind::Queen);
        for origin in squares_of(self.pieces_of(by, PieceKind::Knight)) {
            attacked |= KNIGHT_ATTACKS[origin];
        }
        for origin in squares_of(self.pieces_of(by, PieceKind::Bishop) | queens) {
            attacked |= bishop_attacks(origin, occupied);
        }
        for origin in squares_of(self.pieces_of(by, PieceKind::Rook) | queens) {
            attacked |= rook_attacks(origin, occupied);
        }
        attacked
    }

    /// Generates the pseudo-legal pawn moves of the side to move, except en passant, set-wise.
    pub fn generate_pawns_set_wise(&self, list: &mut MoveList<Move>) {
        let allowed = !self.pieces_of(self.side_to_move.other(), PieceKind::King);
        let pawns = self.pieces_of(self.side_to_move, PieceKind::Pawn);
        let _ = match self.side_to_move {
            Side::First => self.generate_pawns::<true, _>(pawns, allowed, list),
            Side::Second => self.generate_pawns::<false, _>(pawns, allowed, list),
        };
    }

    /// Generates the same moves pawn by pawn: the reference for tests and benchmarks of the set-wise generation.
    pub fn generate_pawns_one_by_one(&self, list: &mut MoveList<Move>) {
        for origin in squares_of(self.pieces_of(self.side_to_move, PieceKind::Pawn)) {
            let origin = Square::from_low_bits(origin);
            let mut targets = self.targets(origin, PieceKind::Pawn);
            if let Some(square) = self.en_passant() {
                targets &= !geometry::bit(square);
            }
            if origin.relative_rank(self.side_to_move) == 6 {
                for target in squares_of(targets) {
                    let _ = list.push_promotions(1 << target, target as i32 - origin.index() as i32);
                }
            } else {
                let _ = list.push_piece_moves(origin.index(), targets);
            }
        }
    }
}
