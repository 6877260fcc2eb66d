//! A board on which men are lifted and put without rules, for the questions of a judge: who could take what, if it were his turn,
//! and who could take back.

use alfil_kernel::Side;

use crate::board::{Board, Points};
use crate::geometry::{ADVISOR, ELEPHANT, HORSE, HORSE_FROM, Lines, SOLDIER_FROM, at, in_palaces, seat_of};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// Who stands where: sets, line words, and the man on each point.
#[derive(Clone, Debug)]
pub(super) struct Field {
    sets: [[Points; 7]; 2],
    lines: Lines,
    men: [Option<Piece>; Square::COUNT],
}

impl Field {
    pub(super) fn of(position: &impl Board) -> Field {
        let mut field =
            Field { sets: [[Points::EMPTY; 7]; 2], lines: Lines::default(), men: [None; Square::COUNT] };
        for piece in Piece::all() {
            for index in position.pieces(piece) {
                field.put(at(index), piece);
            }
        }
        field
    }

    pub(super) fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    pub(super) fn set(&self, side: Side, kind: Kind) -> Points {
        self.sets[side.index()][kind as usize]
    }

    pub(super) fn men_of(&self, side: Side) -> Points {
        self.sets[side.index()].iter().fold(Points::EMPTY, |men, &set| men | set)
    }

    /// Puts a man on an empty point.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.men[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    /// Lifts whatever stands on a point.
    pub(super) fn lift(&mut self, square: Square) -> Option<Piece> {
        let piece = self.men[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    fn toggle(&mut self, square: Square, piece: Piece) {
        let set = &mut self.sets[piece.side().index()][piece.kind() as usize];
        *set = *set ^ Points::of(square.index());
        self.lines.toggle(square);
    }

    /// Moves a man, taking what stands there.
    pub(super) fn go(&mut self, origin: Square, target: Square) -> Option<Piece> {
        let taken = self.lift(target);
        if let Some(piece) = self.lift(origin) {
            self.put(target, piece);
        }
        taken
    }

    /// Moves it back.
    pub(super) fn back(&mut self, origin: Square, target: Square, taken: Option<Piece>) {
        if let Some(piece) = self.lift(target) {
            self.put(origin, piece);
        }
        if let Some(piece) = taken {
            self.put(target, piece);
        }
    }

    /// Where a man of a kind goes from a point, own men not considered.
    pub(super) fn reach(&self, side: Side, kind: Kind, square: Square) -> Points {
        let index = square.index();
        match kind {
            Kind::Rook => self.lines.rook(square),
            Kind::Cannon => self.lines.cannon(square),
            Kind::Horse => HORSE[index][self.lines.legs(square)],
            Kind::Elephant => ELEPHANT[index][self.lines.eyes(square)],
            Kind::Advisor => ADVISOR[index],
            Kind::King if in_palaces(square) => seat_of(square).steps,
            Kind::King => Points::EMPTY,
            Kind::Soldier => crate::geometry::SOLDIER[side.index()][index],
        }
    }

    /// The men of a side that could take on a point.
    pub(super) fn takers(&self, square: Square, by: Side) -> Points {
        let of = |kind| self.set(by, kind);
        let index = square.index();
        let mut found =
            self.hitters(square, by) | (ELEPHANT[index][self.lines.eyes(square)] & of(Kind::Elephant));
        if in_palaces(square) {
            found = found | (ADVISOR[index] & of(Kind::Advisor)) | (seat_of(square).steps & of(Kind::King));
        }
        found
    }

    /// Those of them that can cross the river, and so give check.
    fn hitters(&self, square: Square, by: Side) -> Points {
        let of = |kind| self.set(by, kind);
        let index = square.index();
        (self.lines.rook(square) & of(Kind::Rook))
            | (self.lines.cannon(square) & of(Kind::Cannon))
            | (HORSE_FROM[index][self.lines.eyes(square)] & of(Kind::Horse))
            | (SOLDIER_FROM[by.index()][index] & of(Kind::Soldier))
    }

    /// The men that attack a side's general, the other general among them where they face each other.
    pub(super) fn checkers(&self, of: Side) -> Points {
        let Some(king) = self.set(of, Kind::King).first() else { return Points::EMPTY };
        let king = at(king);
        let facing = self.lines.rook(king) & seat_of(king).file & self.set(!of, Kind::King);
        self.hitters(king, !of) | facing
    }
}
