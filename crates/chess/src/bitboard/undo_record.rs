//! Unmake with an undo record: the alternative to copying the whole board.
//!
//! The source text of this board representation expects copy-make to be too slow and proposes to save only what a move
//! destroys. The benchmark `rows` compares both.

use super::Bitboard;
use crate::board::Board;
use crate::geometry::{bit, castling_destinations};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// The state of a [`Bitboard`] that a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct UndoRecord {
    piece: Piece,
    captured: Option<(Square, Piece)>,
    is_castling: bool,
    castling_rooks: u64,
    checkers: u64,
    pinned: u64,
    hash_key: u64,
    en_passant: u8,
    en_passant_in_key: bool,
}

impl Bitboard {
    /// Plays a pseudo-legal move, like [`alfil_kernel::Position::make`], and returns the undo record. If the origin is
    /// empty, it plays nothing and returns none.
    pub fn make_with_record(&mut self, mv: Move) -> Option<UndoRecord> {
        let kind = self.kind_on(mv.origin())?;
        let is_castling = self.is_castling(mv);
        let record = UndoRecord {
            piece: Piece::new(self.side_to_move, kind),
            captured: if is_castling { None } else { self.victim(mv, kind) },
            is_castling,
            castling_rooks: self.castling_rooks,
            checkers: self.checkers,
            pinned: self.pinned,
            hash_key: self.hash_key,
            en_passant: self.en_passant,
            en_passant_in_key: self.en_passant_in_key,
        };
        self.play_unchecked(mv, &mut ());
        Some(record)
    }

    /// Unmakes the last move made by [`Bitboard::make_with_record`].
    pub fn unmake_with_record(&mut self, mv: Move, record: &UndoRecord) {
        self.side_to_move = self.side_to_move.other();
        let side = self.side_to_move;
        let (origin, target) = (mv.origin(), mv.target());
        if record.is_castling {
            let (king_to, rook_to) = castling_destinations(origin, target);
            self.toggle_without_key(king_to, Piece::new(side, PieceKind::King));
            self.toggle_without_key(rook_to, Piece::new(side, PieceKind::Rook));
            self.toggle_without_key(origin, Piece::new(side, PieceKind::King));
            self.toggle_without_key(target, Piece::new(side, PieceKind::Rook));
        } else {
            self.toggle_without_key(
                target,
                mv.promotion_kind().map_or(record.piece, |kind| Piece::new(side, kind)),
            );
            self.toggle_without_key(origin, record.piece);
            if let Some((square, piece)) = record.captured {
                self.toggle_without_key(square, piece);
            }
        }
        self.castling_rooks = record.castling_rooks;
        self.checkers = record.checkers;
        self.pinned = record.pinned;
        self.hash_key = record.hash_key;
        self.en_passant = record.en_passant;
        self.en_passant_in_key = record.en_passant_in_key;
    }

    /// Puts or removes a piece without updating the hash key, which is restored from the record.
    #[inline(always)]
    fn toggle_without_key(&mut self, square: Square, piece: Piece) {
        self.kind_sets[piece.kind() as usize] ^= bit(square);
        self.side_sets[piece.side().index()] ^= bit(square);
    }
}
