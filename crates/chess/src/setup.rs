//! A position as written, and the complaints about it.

use core::fmt;

use alfil_kernel::{Counters, Side};

use crate::board::Squares;
use crate::fen::{self, Expected, FenError};
use crate::piece::{Kind, Piece, name};
use crate::square::Square;

/// Who stands where, whose move it is, what may still be castled or taken en passant, and the counters. Anything can be
/// written down: [`Setup::complaints`] says what is wrong with it, once and for every board.
///
/// [`Setup::complaints`]: alfil_kernel::Setup::complaints
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each square, by its number.
    pub men: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Side,
    /// For each side the files, bit 0 for the a-file, of the rooks on its back rank that may still castle.
    pub castling: [u8; 2],
    /// The square a pawn has just stepped over, if it is written down; a board keeps it only where an enemy pawn attacks
    /// it.
    pub en_passant: Option<Square>,
    /// Plies without a capture or a pawn move, and the number of the next move.
    pub counters: Counters,
}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Setup = Setup {
        men: [None; Square::COUNT],
        side: Side::First,
        castling: [0; 2],
        en_passant: None,
        counters: Counters { quiet: 0, number: 1 },
    };

    /// One of the 960 start positions of Chess960, by its number in Reinhard Scharnagl's table; 518 is the usual one.
    /// None from 960 on.
    ///
    /// ```
    /// use alfil_chess::Setup;
    /// use alfil_kernel::Setup as _;
    ///
    /// assert_eq!(Setup::fischer(518), Some(Setup::start()));
    /// assert_eq!(Setup::fischer(0).unwrap().write(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub fn fischer(number: usize) -> Option<Setup> {
        Self::double_fischer(number, number)
    }

    /// A start position of double Fischer Random: each side has its own of the 960. None from 960 on.
    pub fn double_fischer(white: usize, black: usize) -> Option<Setup> {
        let mut setup = Setup::EMPTY;
        for (side, number) in [(Side::First, white), (Side::Second, black)] {
            let (back, pawns) = if side == Side::First { (0, 1) } else { (7, 6) };
            for (file, kind) in back_rank(number)?.into_iter().enumerate() {
                setup.men[Square::new(file, back).index()] = Some(Piece::new(side, kind));
                setup.men[Square::new(file, pawns).index()] = Some(Piece::new(side, Kind::Pawn));
                setup.castling[side.index()] |= u8::from(kind == Kind::Rook) << file;
            }
        }
        Some(setup)
    }

    /// The squares on which this piece stands.
    pub fn places(&self, piece: Piece) -> impl DoubleEndedIterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.man(*square) == Some(piece))
    }

    /// The position in a mirror, the a-file and the h-file exchanged. The rules do not tell them apart except in
    /// castling, so the rights are left out.
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.mirrored().index()] = self.man(square);
        }
        Setup { men, castling: [0; 2], en_passant: self.en_passant.map(Square::mirrored), ..self.clone() }
    }

    /// The position with the colours exchanged, each side at its own end. The rules do not tell them apart.
    #[must_use]
    pub fn swapped(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.flipped().index()] = self.man(square).map(Piece::swapped);
        }
        let [white, black] = self.castling;
        let en_passant = self.en_passant.map(Square::flipped);
        Setup { men, side: !self.side, castling: [black, white], en_passant, ..self.clone() }
    }

    pub(crate) fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    /// A side's king, if it has one.
    pub(crate) fn king(&self, side: Side) -> Option<Square> {
        self.places(Piece::new(side, Kind::King)).next()
    }

    /// The rooks of both sides that may still castle: those written down that stand where they can, and on each side of
    /// the king the outermost only.
    pub(crate) fn rooks(&self) -> Squares {
        Side::BOTH.iter().fold(Squares::EMPTY, |rooks, &side| {
            let [left, right] = self.castlers(side);
            left.into_iter().chain(right).fold(rooks, |rooks, rook| rooks | Squares::of(rook.index()))
        })
    }

    /// The rooks of one side that may still castle, towards the a-file and towards the h-file.
    fn castlers(&self, side: Side) -> [Option<Square>; 2] {
        let back = back(side);
        let Some(king) = self.king(side).filter(|king| king.rank() == back) else { return [None; 2] };
        let rook = |file: &usize| {
            let square = Square::new(*file, back);
            let written = self.castling[side.index()] >> file & 1 != 0;
            written && self.man(square) == Some(Piece::new(side, Kind::Rook))
        };
        let square = |file| Square::new(file, back);
        [(0..king.file()).find(rook).map(square), (king.file() + 1..8).rev().find(rook).map(square)]
    }

    /// The en passant square, if it is one: the pawn that stepped over it stands before it, what it stepped over is empty.
    fn stepped_over(&self) -> Option<Square> {
        let square = self.en_passant?;
        let mover = !self.side;
        let ahead = if mover == Side::First { 1 } else { -1 };
        let (from, pawn) = (square.step(0, -ahead)?, square.step(0, ahead)?);
        let sound = square.rank_of(mover) == 2
            && self.man(square).is_none()
            && self.man(from).is_none()
            && self.man(pawn) == Some(Piece::new(mover, Kind::Pawn));
        sound.then_some(square)
    }

    /// The en passant square, if a pawn of the side to move attacks it.
    pub(crate) fn capturable(&self) -> Option<Square> {
        let square = self.stepped_over()?;
        let behind = if self.side == Side::First { -1 } else { 1 };
        let pawn = Some(Piece::new(self.side, Kind::Pawn));
        let attacked = [-1, 1]
            .into_iter()
            .filter_map(|files| square.step(files, behind))
            .any(|from| self.man(from) == pawn);
        attacked.then_some(square)
    }

    /// The men of the other side that attack a side's king.
    fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.king(side) else { return Vec::new() };
        let enemy = |kind| Some(Piece::new(!side, kind));
        let mut checkers = Vec::new();
        for (files, ranks) in (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks))) {
            let line = if files == 0 || ranks == 0 { Kind::Rook } else { Kind::Bishop };
            let ray = core::iter::successors(king.step(files, ranks), |at| at.step(files, ranks));
            if (files, ranks) != (0, 0)
                && let Some(first) = ray.into_iter().find(|&at| self.man(at).is_some())
            {
                let near = king.step(files, ranks) == Some(first);
                let toward = if side == Side::First { 1 } else { -1 };
                let man = self.man(first);
                if man == enemy(line)
                    || man == enemy(Kind::Queen)
                    || near && man == enemy(Kind::King)
                    || near && man == enemy(Kind::Pawn) && files != 0 && ranks == toward
                {
                    checkers.push(first);
                }
            }
        }
        for (files, ranks) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
            checkers.extend(king.step(files, ranks).filter(|&from| self.man(from) == enemy(Kind::Knight)));
        }
        checkers.sort_unstable();
        checkers
    }

    /// The complaints about the number of men of one side.
    fn complaints_of_number(&self, side: Side, complaints: &mut Vec<Complaint>) {
        let kings: Vec<_> = self.places(Piece::new(side, Kind::King)).collect();
        match kings[..] {
            [] => complaints.push(Complaint::KingMissing(side)),
            [_] => {}
            _ => complaints.push(Complaint::KingDoubled(side, kings)),
        }
        let men: Vec<_> =
            Square::all().filter(|&square| self.man(square).is_some_and(|man| man.side() == side)).collect();
        if men.len() > 16 {
            complaints.push(Complaint::TooMany(side, men));
        }
        // Whatever there is beyond the first set was a pawn once.
        let pawns = Kind::ALL.iter().filter(|&&kind| kind != Kind::King).map(|&kind| {
            let first = if kind == Kind::Pawn { 0 } else { kind.first() };
            self.places(Piece::new(side, kind)).count().saturating_sub(first)
        });
        let pawns = pawns.sum::<usize>();
        if pawns > 8 {
            complaints.push(Complaint::TooManyPawns(side, pawns));
        }
    }
}

/// The back rank of a side.
pub(crate) const fn back(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 7,
    }
}

/// Scharnagl's numbering: the number is taken apart by 4, 4 and 6 for the light bishop, the dark bishop and the queen; what
/// is left says where the two knights stand among the five squares that remain; rook, king, rook fill the rest.
fn back_rank(number: usize) -> Option<[Kind; 8]> {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= 960 {
        return None;
    }
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Kind::Bishop);
    rank[number / 4 % 4 * 2] = Some(Kind::Bishop);
    let free = |rank: &[Option<Kind>; 8], nth| {
        (0..8).filter(|&file| rank[file].is_none()).nth(nth).expect("a free file")
    };
    let queen = free(&rank, number / 16 % 6);
    rank[queen] = Some(Kind::Queen);
    let knights = KNIGHTS[number / 96];
    let knights = [free(&rank, knights.0), free(&rank, knights.1)];
    for file in knights {
        rank[file] = Some(Kind::Knight);
    }
    for kind in [Kind::Rook, Kind::King, Kind::Rook] {
        let file = free(&rank, 0);
        rank[file] = Some(kind);
    }
    Some(rank.map(|kind| kind.expect("every file is filled")))
}

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// A pawn stands on a first or last rank. Waivable: it stays there, or goes on from there.
    ImpossibleSquare(Piece, Square),
    /// The side that is not to move is in check, from these squares. Waivable: a king is never taken.
    OpponentInCheck(Side, Vec<Square>),
    /// A side may castle with a rook that is not there, or whose king is not on its back rank, or with two on one wing.
    /// Waivable: the right is dropped.
    Castling(Side, Square),
    /// No pawn has just stepped over the en passant square. Waivable: it is dropped.
    EnPassant(Square),
    /// A side's pawns and what it has beyond its first set come to more than eight. Waivable.
    TooManyPawns(Side, usize),
    /// A side has no king.
    KingMissing(Side),
    /// A side has several kings.
    KingDoubled(Side, Vec<Square>),
    /// A side has more than sixteen men.
    TooMany(Side, Vec<Square>),
}

fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::ImpossibleSquare(piece, square) => write!(f, "a {piece} can never stand on {square}"),
            Complaint::OpponentInCheck(side, from) => {
                write!(f, "{} is in check from {} but is not to move", name(*side), names(from))
            }
            Complaint::Castling(side, rook) => {
                write!(f, "{} cannot castle with a rook on {rook}", name(*side))
            }
            Complaint::EnPassant(square) => write!(f, "no pawn has just stepped over {square}"),
            Complaint::TooManyPawns(side, pawns) => {
                write!(f, "{} has {pawns} pawns and promoted men together: a set has 8 pawns", name(*side))
            }
            Complaint::KingMissing(side) => write!(f, "{} has no king", name(*side)),
            Complaint::KingDoubled(side, at) => {
                write!(f, "{} has {} kings, on {}", name(*side), at.len(), names(at))
            }
            Complaint::TooMany(side, at) => {
                write!(f, "{} has {} men: a set has 16", name(*side), at.len())
            }
        }
    }
}

impl alfil_kernel::Complaint for Complaint {
    fn name(&self) -> &'static str {
        match self {
            Complaint::ImpossibleSquare(..) => "impossible_square",
            Complaint::OpponentInCheck(..) => "opponent_in_check",
            Complaint::Castling(..) => "castling",
            Complaint::EnPassant(..) => "en_passant",
            Complaint::TooManyPawns(..) => "too_many_pawns",
            Complaint::KingMissing(..) => "king_missing",
            Complaint::KingDoubled(..) => "king_doubled",
            Complaint::TooMany(..) => "too_many",
        }
    }

    fn waivable(&self) -> bool {
        <Setup as alfil_kernel::Setup>::WAIVABLE.contains(&self.name())
    }

    fn squares(&self) -> Vec<String> {
        let squares = match self {
            Complaint::ImpossibleSquare(_, at) | Complaint::Castling(_, at) | Complaint::EnPassant(at) => {
                vec![*at]
            }
            Complaint::OpponentInCheck(_, at) | Complaint::KingDoubled(_, at) | Complaint::TooMany(_, at) => {
                at.clone()
            }
            Complaint::TooManyPawns(..) | Complaint::KingMissing(_) => Vec::new(),
        };
        squares.iter().map(Square::to_string).collect()
    }
}

impl alfil_kernel::Setup for Setup {
    type Complaint = Complaint;
    type Expected = Expected;
    const WAIVABLE: &'static [&'static str] =
        &["impossible_square", "opponent_in_check", "castling", "en_passant", "too_many_pawns"];

    fn start() -> Self {
        Setup::fischer(518).expect("one of the 960")
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
            self.complaints_of_number(side, &mut complaints);
        }
        for square in Square::all().filter(|square| matches!(square.rank(), 0 | 7)) {
            if let Some(pawn) = self.man(square).filter(|man| man.kind() == Kind::Pawn) {
                complaints.push(Complaint::ImpossibleSquare(pawn, square));
            }
        }
        for side in Side::BOTH {
            let castlers = self.castlers(side);
            let written = (0..8).filter(|file| self.castling[side.index()] >> file & 1 != 0);
            let rooks = written.map(|file| Square::new(file, back(side)));
            let lost = rooks.filter(|rook| !castlers.contains(&Some(*rook)));
            complaints.extend(lost.map(|rook| Complaint::Castling(side, rook)));
        }
        if let Some(square) = self.en_passant.filter(|_| self.stepped_over().is_none()) {
            complaints.push(Complaint::EnPassant(square));
        }
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
        assert_eq!(complaints("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").len(), 0);
    }

    #[test]
    fn the_960_are_all_different_and_sound() {
        let mut starts: Vec<_> = (0..960).map(|number| Setup::fischer(number).unwrap().write()).collect();
        assert!(
            (0..960)
                .all(|number| Setup::double_fischer(number, 959 - number).unwrap().complaints().is_empty())
        );
        starts.sort();
        starts.dedup();
        assert_eq!((starts.len(), Setup::fischer(960)), (960, None));
    }

    #[test]
    fn each_complaint_says_what_and_where() {
        for (text, expected) in [
            ("8/8/8/8/8/8/8/4K3 w", "Black has no king"),
            ("4k3/4k3/8/8/8/8/8/3K4 w", "Black has 2 kings, on e7, e8"),
            ("4k3/8/8/8/8/8/PPPPPPP1/PNBQKBNR w", "a White pawn can never stand on a1"),
            ("4k3/8/8/8/8/8/8/4K2R w Q", "White cannot castle with a rook on a1"),
            ("4k3/8/8/8/8/8/4K3/7R w K", "White cannot castle with a rook on h1"),
            ("4k3/8/8/8/8/8/8/4K1RR w KG", "White cannot castle with a rook on g1"),
            ("4k3/8/8/8/8/8/8/4K3 b - e3", "no pawn has just stepped over e3"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3", "no pawn has just stepped over e3"),
            ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", "no pawn has just stepped over e3"),
            (
                "4k3/8/8/8/P7/PPPPPPPP/8/4K3 w",
                "White has 9 pawns and promoted men together: a set has 8 pawns",
            ),
            ("4k3/8/8/4R3/8/8/8/3K4 w", "Black is in check from e5 but is not to move"),
            ("4k3/8/3N4/8/8/8/8/3K4 w", "Black is in check from d6 but is not to move"),
            ("4k3/3P4/8/8/8/8/8/3K4 w", "Black is in check from d7 but is not to move"),
            ("8/8/8/8/8/3p4/4K3/7k b", "White is in check from d3 but is not to move"),
            ("8/8/8/8/8/4k3/4K3/8 b", "White is in check from e3 but is not to move"),
        ] {
            assert_eq!(complaints(text), [expected], "{text}");
        }
        let crowd = complaints("4k3/8/8/PPPPPPPP/8/8/RNNBBNNR/R3K2R w KQ");
        assert!(crowd.contains(&"White has 19 men: a set has 16".to_owned()), "{crowd:?}");
        assert!(complaints("4k3/4p3/8/4R3/8/8/8/3K4 w").is_empty());
        assert!(complaints("4k3/4P3/8/8/8/8/8/3K4 w").is_empty());
    }

    #[test]
    fn waivers_are_by_name_and_not_for_kings() {
        let checked = fen::read("4k3/8/8/4R3/8/8/8/3K4 w").unwrap();
        assert!(checked.accept(&Waivers::None).is_err());
        assert!(checked.accept(&Waivers::Named(vec!["castling".into()])).is_err());
        assert!(checked.accept(&Waivers::Named(vec!["opponent_in_check".into()])).is_ok());
        let bare = Setup::EMPTY.accept(&Waivers::All).unwrap_err();
        assert!(bare.complaints.iter().all(|complaint| !complaint.waivable()));
        assert_eq!(bare.complaints.len(), 2);
    }
}
