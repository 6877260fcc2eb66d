//! A position as written, and the complaints about it.

use core::fmt;

use alfil_kernel::{Counters, Side};

use crate::fen::{self, Expected, FenError};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// Who stands where, whose move it is, and the counters. Anything can be written down: [`Setup::complaints`] says what
/// is wrong with it, once and for every board.
///
/// [`Setup::complaints`]: alfil_kernel::Setup::complaints
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each point, by its number.
    pub men: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Side,
    /// Plies without a capture, and the number of the next move.
    pub counters: Counters,
}

impl Setup {
    /// An empty board, Red to move.
    pub const EMPTY: Setup =
        Setup { men: [None; Square::COUNT], side: Side::First, counters: Counters { quiet: 0, number: 1 } };

    /// The points on which a man of this side and kind stands.
    pub fn places(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.men[square.index()] == Some(piece))
    }

    /// The position in a mirror: left and right exchanged. The rules do not tell them apart.
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.mirrored().index()] = self.men[square.index()];
        }
        Setup { men, ..self.clone() }
    }

    /// The position with the colours exchanged, each side at its own end. The rules do not tell them apart.
    #[must_use]
    pub fn swapped(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.flipped().index()] = self.men[square.index()].map(Piece::swapped);
        }
        Setup { men, side: !self.side, ..self.clone() }
    }

    /// The general of a side, if it has one.
    fn general(&self, side: Side) -> Option<Square> {
        self.places(Piece::new(side, Kind::King)).next()
    }

    fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    /// The first men from `square` in a direction, nearest first.
    fn men_along(
        &self,
        square: Square,
        (files, ranks): (isize, isize),
    ) -> impl Iterator<Item = (Square, Piece)> {
        let ray = core::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
        ray.filter_map(|at| self.man(at).map(|piece| (at, piece)))
    }

    /// The men of the other side that attack a side's general, the other general aside.
    fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.general(side) else { return Vec::new() };
        let enemy = |kind| Piece::new(!side, kind);
        let mut checkers = Vec::new();
        for direction in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let mut men = self.men_along(king, direction);
            checkers.extend(men.next().filter(|&(_, man)| man == enemy(Kind::Rook)));
            checkers.extend(men.next().filter(|&(_, man)| man == enemy(Kind::Cannon)));
            // A horse that attacks the general stands one step beyond a diagonal neighbour of it, its leg.
            for turn in [1, -1] {
                let (files, ranks) = if direction.0 == 0 { (turn, direction.1) } else { (direction.0, turn) };
                let leg = king.step(files, ranks).filter(|&leg| self.man(leg).is_none());
                let horse = leg.and_then(|leg| leg.step(direction.0, direction.1));
                let horse = horse.filter(|&horse| self.man(horse) == Some(enemy(Kind::Horse)));
                checkers.extend(horse.map(|horse| (horse, enemy(Kind::Horse))));
            }
        }
        // A soldier comes towards the general, or from either side once it has crossed the river, as it has near a palace.
        let ahead = if side == Side::First { 1 } else { -1 };
        for (files, ranks) in [(0, ahead), (1, 0), (-1, 0)] {
            if let Some(from) = king.step(files, ranks)
                && self.man(from) == Some(enemy(Kind::Soldier))
            {
                checkers.push((from, enemy(Kind::Soldier)));
            }
        }
        let mut squares: Vec<_> = checkers.into_iter().map(|(square, _)| square).collect();
        squares.sort_unstable();
        squares
    }

    /// Whether the generals look at each other along an empty file.
    fn facing(&self) -> Option<(Square, Square)> {
        let (red, black) = (self.general(Side::First)?, self.general(Side::Second)?);
        let ahead = self.men_along(red, (0, 1)).next();
        (ahead == Some((black, Piece::new(Side::Second, Kind::King)))).then_some((red, black))
    }
}

/// Whether a man of this kind can come to stand there in a game.
fn is_possible(piece: Piece, square: Square) -> bool {
    // Judge every man from its own side of the board.
    let own = if piece.side() == Side::First { square } else { square.flipped() };
    let (file, rank) = (own.file(), own.rank());
    match piece.kind() {
        Kind::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        Kind::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Kind::Soldier => rank > 4 || (rank > 2 && file.is_multiple_of(2)),
        Kind::King | Kind::Horse | Kind::Rook | Kind::Cannon => true,
    }
}

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// A man stands where none of its kind can ever come to stand. Waivable.
    ImpossiblePoint(Piece, Square),
    /// The generals look at each other along an empty file. Waivable.
    GeneralsFacing(Square, Square),
    /// The side that is not to move is in check, from these points. Waivable.
    OpponentInCheck(Side, Vec<Square>),
    /// A side has no general.
    GeneralMissing(Side),
    /// A side has several generals.
    GeneralDoubled(Side, Vec<Square>),
    /// A general stands outside its palace.
    GeneralOutside(Side, Square),
    /// A side has more men of a kind than a set holds.
    TooMany(Piece, Vec<Square>),
}

fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: &Side| if *side == Side::First { "Red" } else { "Black" };
        match self {
            Complaint::ImpossiblePoint(piece, square) => write!(f, "a {piece} can never stand on {square}"),
            Complaint::GeneralsFacing(red, black) => {
                write!(f, "the generals on {red} and {black} face each other along an empty file")
            }
            Complaint::OpponentInCheck(side, from) => {
                write!(f, "{} is in check from {} but is not to move", name(side), names(from))
            }
            Complaint::GeneralMissing(side) => write!(f, "{} has no general", name(side)),
            Complaint::GeneralDoubled(side, at) => {
                write!(f, "{} has {} generals, on {}", name(side), at.len(), names(at))
            }
            Complaint::GeneralOutside(side, at) => {
                write!(f, "the {} general on {at} is outside its palace", name(side))
            }
            Complaint::TooMany(piece, at) => {
                let (side, kind) = (name(&piece.side()), piece.kind());
                let (most, number) = (kind.most(), at.len());
                write!(f, "{side} has {number} {}s, on {}: a set has {most}", kind.name(), names(at))
            }
        }
    }
}

impl alfil_kernel::Complaint for Complaint {
    fn name(&self) -> &'static str {
        match self {
            Complaint::ImpossiblePoint(..) => "impossible_point",
            Complaint::GeneralsFacing(..) => "generals_facing",
            Complaint::OpponentInCheck(..) => "opponent_in_check",
            Complaint::GeneralMissing(..) => "general_missing",
            Complaint::GeneralDoubled(..) => "general_doubled",
            Complaint::GeneralOutside(..) => "general_outside",
            Complaint::TooMany(..) => "too_many",
        }
    }

    fn waivable(&self) -> bool {
        <Setup as alfil_kernel::Setup>::WAIVABLE.contains(&self.name())
    }

    fn squares(&self) -> Vec<String> {
        let squares = match self {
            Complaint::ImpossiblePoint(_, at) | Complaint::GeneralOutside(_, at) => vec![*at],
            Complaint::GeneralsFacing(red, black) => vec![*red, *black],
            Complaint::OpponentInCheck(_, at)
            | Complaint::GeneralDoubled(_, at)
            | Complaint::TooMany(_, at) => at.clone(),
            Complaint::GeneralMissing(_) => Vec::new(),
        };
        squares.iter().map(Square::to_string).collect()
    }
}

impl alfil_kernel::Setup for Setup {
    type Complaint = Complaint;
    type Expected = Expected;
    const WAIVABLE: &'static [&'static str] = &["impossible_point", "generals_facing", "opponent_in_check"];

    fn start() -> Self {
        fen::read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")
            .expect("a sound text")
    }

    fn read(text: &str) -> Result<Self, FenError> {
        fen::read(text)
    }

    fn write(&self) -> String {
        fen::write(self)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn with_counters(self, counters: Counters) -> Self {
        Setup { counters, ..self }
    }

    fn complaints(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        for side in Side::BOTH {
            let generals: Vec<_> = self.places(Piece::new(side, Kind::King)).collect();
            match generals[..] {
                [] => complaints.push(Complaint::GeneralMissing(side)),
                [at] if !at.in_palace(side) => complaints.push(Complaint::GeneralOutside(side, at)),
                [_] => {}
                _ => complaints.push(Complaint::GeneralDoubled(side, generals)),
            }
        }
        for piece in Piece::all().filter(|piece| piece.kind() != Kind::King) {
            let places: Vec<_> = self.places(piece).collect();
            if places.len() > piece.kind().most() {
                complaints.push(Complaint::TooMany(piece, places));
            }
        }
        for square in Square::all() {
            if let Some(piece) = self.man(square).filter(|&piece| !is_possible(piece, square)) {
                complaints.push(Complaint::ImpossiblePoint(piece, square));
            }
        }
        complaints.extend(self.facing().map(|(red, black)| Complaint::GeneralsFacing(red, black)));
        let checkers = self.checkers(!self.side);
        if !checkers.is_empty() {
            complaints.push(Complaint::OpponentInCheck(!self.side, checkers));
        }
        complaints
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fen::write(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::{Complaint as _, Setup as _, Waivers};

    fn complaints(text: &str) -> Vec<String> {
        fen::read(text).unwrap().complaints().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_sound_position_has_no_complaints() {
        assert!(Setup::start().complaints().is_empty());
        assert!(Setup::start().mirrored().swapped().complaints().is_empty());
    }

    #[test]
    fn the_points_of_advisors_and_elephants_are_five_and_seven() {
        for (kind, points) in [(Kind::Advisor, 5), (Kind::Elephant, 7), (Kind::Soldier, 55), (Kind::Rook, 90)]
        {
            for side in Side::BOTH {
                let count =
                    Square::all().filter(|&square| is_possible(Piece::new(side, kind), square)).count();
                assert_eq!(count, points, "{kind:?}");
            }
        }
    }

    #[test]
    fn each_complaint_says_what_and_where() {
        for (text, expected) in [
            ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no general"),
            ("4k4/4k4/9/9/9/9/9/9/9/3K5 w", "Black has 2 generals, on e8, e9"),
            ("4k4/9/9/9/9/9/9/9/9/K8 w", "the Red general on a0 is outside its palace"),
            ("4k4/9/9/9/9/9/RRR6/9/9/3K5 b", "Red has 3 chariots, on a3, b3, c3: a set has 2"),
            ("4k4/9/9/9/9/9/9/9/1P7/3K5 w", "a Red soldier can never stand on b1"),
            ("3k5/9/9/9/9/9/9/9/9/3K5 w", "the generals on d0 and d9 face each other along an empty file"),
            ("4k4/9/9/4R4/9/9/9/9/9/3K5 w", "Black is in check from e6 but is not to move"),
            ("4k4/9/3N5/9/9/9/9/9/9/3K5 w", "Black is in check from d7 but is not to move"),
            ("4k4/4P4/9/9/9/9/9/9/9/3K5 w", "Black is in check from e8 but is not to move"),
        ] {
            assert_eq!(complaints(text), [expected], "{text}");
        }
        // The leg is occupied, the screen is missing: no check.
        assert!(
            complaints("4k4/3a5/3N5/9/9/9/9/9/9/3K5 w").iter().all(|complaint| !complaint.contains("check"))
        );
        assert!(complaints("4k4/9/9/4C4/9/9/9/9/9/3K5 w").is_empty());
    }

    #[test]
    fn waivers_are_by_name_and_not_for_generals() {
        let facing = fen::read("3k5/9/9/9/9/9/9/9/9/3K5 w").unwrap();
        assert!(facing.accept(&Waivers::None).is_err());
        assert!(facing.accept(&Waivers::Named(vec!["impossible_point".into()])).is_err());
        assert!(facing.accept(&Waivers::Named(vec!["generals_facing".into()])).is_ok());
        let bare = Setup::EMPTY.accept(&Waivers::All).unwrap_err();
        assert!(bare.complaints.iter().all(|complaint| !complaint.waivable()));
        assert_eq!(bare.complaints.len(), 2);
    }
}
