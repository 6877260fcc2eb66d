//! The types of the game: squares, pieces, moves, setups.

use std::fmt;
use std::str::FromStr;

use alfil_kernel::fen::{Fields, PlacementExpected, format_placement, parse_counter, parse_placement};
use alfil_kernel::{FenError, MoveCounters, ParseMoveError, Side, define_square};

use crate::rules::Cause;

define_square! {
    /// A square, numbered from `a1` (0) to `e5` (24).
    pub struct Square { files: 5, ranks: 5, first_rank: 1, expected: "a file a to e and a rank 1 to 5, such as b3" }
}

/// A pawn of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pawn(pub Side);

impl Pawn {
    fn from_letter(letter: char) -> Option<Pawn> {
        Side::BOTH.map(Pawn).into_iter().find(|&pawn| alfil_kernel::Piece::letter(pawn) == letter)
    }
}

impl alfil_kernel::Piece for Pawn {
    fn index(self) -> usize {
        self.0.index()
    }

    fn from_index(index: usize) -> Option<Self> {
        Side::BOTH.get(index).copied().map(Pawn)
    }

    fn side(self) -> Side {
        self.0
    }

    fn letter(self) -> char {
        ['P', 'p'][self.0.index()]
    }
}

/// A move of a pawn from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub origin: Square,
    pub target: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.target)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let squares = text.split_at_checked(2);
        let squares = squares.and_then(|(origin, target)| Some((origin.parse().ok()?, target.parse().ok()?)));
        let (origin, target) = squares.ok_or(ParseMoveError { expected: "two squares, such as b2b3" })?;
        Ok(Move { origin, target })
    }
}

impl alfil_kernel::Move for Move {
    type Square = Square;
    type Bits = u16;
    type Array = [Move; 64];
    const FILLER: [Move; 64] = [Move { origin: Square::new(0, 0), target: Square::new(0, 1) }; 64];

    fn bits(self) -> u16 {
        (self.origin.index() << 8 | self.target.index()) as u16
    }

    fn from_bits(bits: u16) -> Option<Self> {
        let origin = Square::from_index(usize::from(bits >> 8))?;
        let target = Square::from_index(usize::from(bits & 0xFF))?;
        (origin != target).then_some(Move { origin, target })
    }

    fn origin(self) -> Option<Square> {
        Some(self.origin)
    }

    fn target(self) -> Option<Square> {
        Some(self.target)
    }
}

/// A position as written, such as `ppppp/ppppp/5/PPPPP/PPPPP w 0 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub board: [Option<Pawn>; Square::COUNT],
    pub side_to_move: Side,
    pub counters: MoveCounters,
}

alfil_kernel::define_waivers! {
    /// There is no issue to waive.
    pub enum Waiver {}
}

/// Every setup is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {}

impl fmt::Display for SetupIssue {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    type Waiver = Waiver;

    fn waiver_or_name(&self) -> Result<Waiver, &'static str> {
        match *self {}
    }

    fn squares(&self) -> Vec<String> {
        match *self {}
    }
}

/// What a position text must contain where parsing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected(&'static str);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl From<PlacementExpected> for Expected {
    fn from(expected: PlacementExpected) -> Self {
        Expected(match expected {
            PlacementExpected::MoreSquares => "more squares: a rank has five",
            PlacementExpected::FewerSquares => "fewer squares: a rank has five",
            PlacementExpected::NoMoreRanks => "the end of the placement: there are five ranks",
            PlacementExpected::MoreRanks => "/ and more ranks: there are five",
            PlacementExpected::EndOfRank => "/ or the side to move: a rank has five squares",
            PlacementExpected::Piece => "P, p, a digit 1 to 5 or /",
        })
    }
}

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;

    fn start() -> Self {
        Self::parse("ppppp/ppppp/5/PPPPP/PPPPP w 0 1").expect("the text is a setup")
    }

    fn parse(text: &str) -> Result<Self, FenError<Expected>> {
        let mut fields = Fields::new(text);
        let (start, placement) = fields.next().unwrap_or((0, ""));
        let board = parse_placement(text, start, placement, Square::FILES, Pawn::from_letter)?;
        let side_to_move = match fields.next() {
            None | Some((_, "w")) => Side::First,
            Some((_, "b")) => Side::Second,
            Some((offset, _)) => return Err(FenError::new(text, offset, "side", Expected("w or b"))),
        };
        let MoveCounters { halfmove_clock, fullmove_number } = MoveCounters::default();
        let mut parse =
            |name, default| parse_counter(text, fields.next(), name, default, Expected("a number"));
        let halfmove_clock = parse("halfmove clock", halfmove_clock)?;
        let fullmove_number = parse("fullmove number", fullmove_number)?;
        Ok(Setup { board, side_to_move, counters: MoveCounters { halfmove_clock, fullmove_number } })
    }

    fn to_text(&self) -> String {
        let placement = format_placement(&self.board, Square::FILES, alfil_kernel::Piece::letter);
        let MoveCounters { halfmove_clock, fullmove_number } = self.counters;
        format!("{placement} {} {halfmove_clock} {fullmove_number}", ["w", "b"][self.side_to_move.index()])
    }

    fn counters(&self) -> MoveCounters {
        self.counters
    }

    fn with_counters(self, counters: MoveCounters) -> Self {
        Setup { counters, ..self }
    }

    fn issues(&self) -> Vec<SetupIssue> {
        Vec::new()
    }
}

/// The type that names the game and its family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakthrough {}

impl alfil_kernel::Game for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const SQUARES: usize = Square::COUNT;
    const PIECES: usize = 2;

    type Square = Square;
    type Piece = Pawn;
    type Move = Move;
    type Setup = Setup;
    type Cause = Cause;
}
