//! A scratch board for chase detection: pieces are placed and removed freely to test which captures and recaptures a
//! given side could legally make.

use alfil_kernel::Side;

use crate::board::Board;
use crate::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, HORSE_ORIGINS, HORSE_TARGETS, LineOccupancy, SOLDIER_ORIGINS,
    is_in_any_palace, king_attack_table,
};
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// The pieces as sets, as words of lines, and by square.
#[derive(Clone, Debug)]
pub(super) struct ScratchBoard {
    sets: [[SquareSet; 7]; 2],
    lines: LineOccupancy,
    board: [Option<Piece>; Square::COUNT],
}

impl ScratchBoard {
    pub(super) fn from_position(position: &impl Board) -> ScratchBoard {
        let mut board = ScratchBoard {
            sets: [[SquareSet::EMPTY; 7]; 2],
            lines: LineOccupancy::default(),
            board: [None; Square::COUNT],
        };
        for piece in Piece::all() {
            for index in position.pieces(piece) {
                board.put(index, piece);
            }
        }
        board
    }

    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    pub(super) fn pieces(&self, side: Side, kind: PieceKind) -> SquareSet {
        self.sets[side.index()][kind as usize]
    }

    pub(super) fn occupied_by(&self, side: Side) -> SquareSet {
        self.sets[side.index()].iter().fold(SquareSet::EMPTY, |pieces, &set| pieces | set)
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    /// Removes the piece on a square, if there is one.
    pub(super) fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    fn toggle(&mut self, square: Square, piece: Piece) {
        let set = &mut self.sets[piece.side().index()][piece.kind() as usize];
        *set = *set ^ SquareSet::from_square(square);
        self.lines.toggle(square);
    }

    /// Moves a piece and returns the captured piece.
    pub(super) fn make(&mut self, origin: Square, target: Square) -> Option<Piece> {
        let captured = self.remove(target);
        if let Some(piece) = self.remove(origin) {
            self.put(target, piece);
        }
        captured
    }

    /// Moves a piece back and restores the captured piece.
    pub(super) fn unmake(&mut self, origin: Square, target: Square, captured: Option<Piece>) {
        if let Some(piece) = self.remove(target) {
            self.put(origin, piece);
        }
        if let Some(piece) = captured {
            self.put(target, piece);
        }
    }

    /// Returns the targets of a piece, own pieces included.
    pub(super) fn targets(&self, side: Side, kind: PieceKind, square: Square) -> SquareSet {
        let index = square.index();
        match kind {
            PieceKind::Rook => self.lines.rook_targets(square),
            PieceKind::Cannon => self.lines.cannon_targets(square),
            PieceKind::Horse => HORSE_TARGETS[index][self.lines.leg_index(square)],
            PieceKind::Elephant => ELEPHANT_TARGETS[index][self.lines.eye_index(square)],
            PieceKind::Advisor => ADVISOR_TARGETS[index],
            PieceKind::King if is_in_any_palace(square) => king_attack_table(square).steps,
            PieceKind::King => SquareSet::EMPTY,
            PieceKind::Soldier => crate::geometry::SOLDIER_TARGETS[side.index()][index],
        }
    }

    /// Returns the squares of the enemy pieces that a piece attacks, profitable or not.
    pub(super) fn attacked_by(&self, from: Square) -> SquareSet {
        self.piece_on(from).map_or(SquareSet::EMPTY, |piece| {
            self.targets(piece.side(), piece.kind(), from) & self.occupied_by(!piece.side())
        })
    }

    /// Returns the number of a side's attacking pieces: rooks, horses, cannons, and soldiers across the river. A
    /// soldier that has not crossed it is no force yet.
    pub(super) fn attacking_piece_count(&self, side: Side) -> usize {
        let crossed = self.pieces(side, PieceKind::Soldier).iter().filter(|&at| at.half() != side);
        let others = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon];
        others.map(|kind| self.pieces(side, kind).len()).iter().sum::<usize>() + crossed.count()
    }

    /// Returns the pieces of side `by` that could capture on `square`.
    pub(super) fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let pieces = |kind| self.pieces(by, kind);
        let index = square.index();
        let mut found = self.checking_attackers_to(square, by)
            | (ELEPHANT_TARGETS[index][self.lines.eye_index(square)] & pieces(PieceKind::Elephant));
        if is_in_any_palace(square) {
            found = found
                | (ADVISOR_TARGETS[index] & pieces(PieceKind::Advisor))
                | (king_attack_table(square).steps & pieces(PieceKind::King));
        }
        found
    }

    /// Returns those attackers that can cross the river, and so give check.
    fn checking_attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let pieces = |kind| self.pieces(by, kind);
        let index = square.index();
        (self.lines.rook_targets(square) & pieces(PieceKind::Rook))
            | (self.lines.cannon_targets(square) & pieces(PieceKind::Cannon))
            | (HORSE_ORIGINS[index][self.lines.eye_index(square)] & pieces(PieceKind::Horse))
            | (SOLDIER_ORIGINS[by.index()][index] & pieces(PieceKind::Soldier))
    }

    /// Returns the pieces that give check to a side, the other king among them if the kings face each other.
    pub(super) fn checkers(&self, side: Side) -> SquareSet {
        let Some(king) = self.pieces(side, PieceKind::King).first() else { return SquareSet::EMPTY };
        let facing = self.lines.rook_targets(king)
            & king_attack_table(king).file
            & self.pieces(!side, PieceKind::King);
        self.checking_attackers_to(king, !side) | facing
    }
}
