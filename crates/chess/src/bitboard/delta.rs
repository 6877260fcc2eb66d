//! The other way to undo: a record of what a move destroyed.
//!
//! The text that this board goes back to expects a stack of boards to be too slow and proposes a stack of moves with what
//! they destroyed. Both stand here under one contract; the bench says which is cheaper.

use super::Bitboard;
use crate::board::Board;
use crate::geometry::{bit, castled};
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// What a move destroys on a [`Bitboard`].
#[derive(Clone, Copy, Debug)]
pub struct Delta {
    man: Piece,
    taken: Option<(Square, Piece)>,
    castling: bool,
    rooks: u64,
    checkers: u64,
    pinned: u64,
    key: u64,
    en_passant: u8,
    keyed: bool,
}

impl Bitboard {
    /// Plays a pseudo-legal move, as [`alfil_kernel::Position::make`] does, and records what it destroyed. Nothing where
    /// no man stands on the move's origin; then nothing is played.
    pub fn make_delta(&mut self, mv: Move) -> Option<Delta> {
        let kind = self.kind_on(mv.origin())?;
        let castling = self.is_castling(mv);
        let delta = Delta {
            man: Piece::new(self.side, kind),
            taken: if castling { None } else { self.prey(mv, kind) },
            castling,
            rooks: self.rooks,
            checkers: self.checkers,
            pinned: self.pinned,
            key: self.key,
            en_passant: self.en_passant,
            keyed: self.keyed,
        };
        self.play(mv, &mut ());
        Some(delta)
    }

    /// Takes back the last move made by [`Bitboard::make_delta`].
    pub fn unmake_delta(&mut self, mv: Move, delta: &Delta) {
        self.side = self.side.other();
        let side = self.side;
        let (origin, target) = (mv.origin(), mv.target());
        if delta.castling {
            let (king_to, rook_to) = castled(origin, target);
            self.flip(king_to, Piece::new(side, Kind::King));
            self.flip(rook_to, Piece::new(side, Kind::Rook));
            self.flip(origin, Piece::new(side, Kind::King));
            self.flip(target, Piece::new(side, Kind::Rook));
        } else {
            self.flip(target, mv.promoted().map_or(delta.man, |kind| Piece::new(side, kind)));
            self.flip(origin, delta.man);
            if let Some((square, piece)) = delta.taken {
                self.flip(square, piece);
            }
        }
        self.rooks = delta.rooks;
        self.checkers = delta.checkers;
        self.pinned = delta.pinned;
        self.key = delta.key;
        self.en_passant = delta.en_passant;
        self.keyed = delta.keyed;
    }

    /// Puts or lifts a man; the key comes from the record.
    #[inline(always)]
    fn flip(&mut self, square: Square, piece: Piece) {
        self.kinds[piece.kind() as usize] ^= bit(square);
        self.sides[piece.side().index()] ^= bit(square);
    }
}
