//! The other way to undo: a record of what a move destroyed.
//!
//! The text that this board goes back to expects a stack of boards to be too slow and proposes a stack of moves with what
//! they destroyed. Both stand here under one contract; the bench says which is cheaper.

use super::Bitboard;
use crate::board::Board;
use crate::geometry::{bit, castling_destinations};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// What a move destroys on a [`Bitboard`].
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
    /// Plays a pseudo-legal move, as [`alfil_kernel::Position::make`] does, and records what it destroyed. Nothing where
    /// no man stands on the move's origin; then nothing is played.
    pub fn make_with_record(&mut self, mv: Move) -> Option<UndoRecord> {
        let kind = self.kind_on(mv.origin())?;
        let castling = self.is_castling(mv);
        let delta = UndoRecord {
            piece: Piece::new(self.side_to_move, kind),
            captured: if castling { None } else { self.victim(mv, kind) },
            is_castling: castling,
            castling_rooks: self.castling_rooks,
            checkers: self.checkers,
            pinned: self.pinned,
            hash_key: self.hash_key,
            en_passant: self.en_passant,
            en_passant_in_key: self.en_passant_in_key,
        };
        self.play_unchecked(mv, &mut ());
        Some(delta)
    }

    /// Takes back the last move made by [`Bitboard::make_delta`].
    pub fn unmake_with_record(&mut self, mv: Move, delta: &UndoRecord) {
        self.side_to_move = self.side_to_move.other();
        let side = self.side_to_move;
        let (origin, target) = (mv.origin(), mv.target());
        if delta.is_castling {
            let (king_to, rook_to) = castling_destinations(origin, target);
            self.toggle_without_key(king_to, Piece::new(side, PieceKind::King));
            self.toggle_without_key(rook_to, Piece::new(side, PieceKind::Rook));
            self.toggle_without_key(origin, Piece::new(side, PieceKind::King));
            self.toggle_without_key(target, Piece::new(side, PieceKind::Rook));
        } else {
            self.toggle_without_key(
                target,
                mv.promotion_kind().map_or(delta.piece, |kind| Piece::new(side, kind)),
            );
            self.toggle_without_key(origin, delta.piece);
            if let Some((square, piece)) = delta.captured {
                self.toggle_without_key(square, piece);
            }
        }
        self.castling_rooks = delta.castling_rooks;
        self.checkers = delta.checkers;
        self.pinned = delta.pinned;
        self.hash_key = delta.hash_key;
        self.en_passant = delta.en_passant;
        self.en_passant_in_key = delta.en_passant_in_key;
    }

    /// Puts or lifts a man; the key comes from the record.
    #[inline(always)]
    fn toggle_without_key(&mut self, square: Square, piece: Piece) {
        self.kind_sets[piece.kind() as usize] ^= bit(square);
        self.side_sets[piece.side().index()] ^= bit(square);
    }
}
