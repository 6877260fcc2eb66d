//! A board on which men are lifted and put without rules, for the questions of a judge: who could take what, if it were his turn,
//! and who could take back.

use alfil_kernel::Side;

use crate::board::{Board, SquareSet};
use crate::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, HORSE_ORIGINS, HORSE_TARGETS, LineOccupancy, SOLDIER_ORIGINS,
    is_in_any_palace, king_attack_table, square_at,
};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// Who stands where: sets, line words, and the man on each point.
#[derive(Clone, Debug)]
pub(super) struct ScratchBoard {
    sets: [[SquareSet; 7]; 2],
    lines: LineOccupancy,
    board: [Option<Piece>; Square::COUNT],
}

impl ScratchBoard {
    pub(super) fn from_position(position: &impl Board) -> ScratchBoard {
        let mut field = ScratchBoard {
            sets: [[SquareSet::EMPTY; 7]; 2],
            lines: LineOccupancy::default(),
            board: [None; Square::COUNT],
        };
        for piece in Piece::all() {
            for index in position.pieces(piece) {
                field.put(square_at(index), piece);
            }
        }
        field
    }

    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    pub(super) fn pieces(&self, side: Side, kind: PieceKind) -> SquareSet {
        self.sets[side.index()][kind as usize]
    }

    pub(super) fn occupied_by(&self, side: Side) -> SquareSet {
        self.sets[side.index()].iter().fold(SquareSet::EMPTY, |men, &set| men | set)
    }

    /// Puts a man on an empty point.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    /// Lifts whatever stands on a point.
    pub(super) fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    fn toggle(&mut self, square: Square, piece: Piece) {
        let set = &mut self.sets[piece.side().index()][piece.kind() as usize];
        *set = *set ^ SquareSet::from_square(square.index());
        self.lines.toggle(square);
    }

    /// Moves a man, taking what stands there.
    pub(super) fn make(&mut self, origin: Square, target: Square) -> Option<Piece> {
        let taken = self.remove(target);
        if let Some(piece) = self.remove(origin) {
            self.put(target, piece);
        }
        taken
    }

    /// Moves it back.
    pub(super) fn unmake(&mut self, origin: Square, target: Square, taken: Option<Piece>) {
        if let Some(piece) = self.remove(target) {
            self.put(origin, piece);
        }
        if let Some(piece) = taken {
            self.put(target, piece);
        }
    }

    /// Where a man of a kind goes from a point, own men not considered.
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

    /// The men of a side that could take on a point.
    pub(super) fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let of = |kind| self.pieces(by, kind);
        let index = square.index();
        let mut found = self.checking_attackers_to(square, by)
            | (ELEPHANT_TARGETS[index][self.lines.eye_index(square)] & of(PieceKind::Elephant));
        if is_in_any_palace(square) {
            found = found
                | (ADVISOR_TARGETS[index] & of(PieceKind::Advisor))
                | (king_attack_table(square).steps & of(PieceKind::King));
        }
        found
    }

    /// Those of them that can cross the river, and so give check.
    fn checking_attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let of = |kind| self.pieces(by, kind);
        let index = square.index();
        (self.lines.rook_targets(square) & of(PieceKind::Rook))
            | (self.lines.cannon_targets(square) & of(PieceKind::Cannon))
            | (HORSE_ORIGINS[index][self.lines.eye_index(square)] & of(PieceKind::Horse))
            | (SOLDIER_ORIGINS[by.index()][index] & of(PieceKind::Soldier))
    }

    /// The men that attack a side's general, the other general among them where they face each other.
    pub(super) fn checkers(&self, of: Side) -> SquareSet {
        let Some(king) = self.pieces(of, PieceKind::King).first() else { return SquareSet::EMPTY };
        let king = square_at(king);
        let facing =
            self.lines.rook_targets(king) & king_attack_table(king).file & self.pieces(!of, PieceKind::King);
        self.checking_attackers_to(king, !of) | facing
    }
}
