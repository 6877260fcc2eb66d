//! A position as written, and the complaints about it.

use core::fmt;

use alfil_kernel::{MoveCounters, Side};

use crate::fen::{self, Expected, FenError};
use crate::geometry::{CENTRE, Symmetry, adjacent_squares};
use crate::piece::Piece;
use crate::square::Square;

/// Who stands where and whose move it is. Anything can be written down and played from: [`Setup::complaints`] says
/// what could not have come about in a game.
///
/// [`Setup::complaints`]: alfil_kernel::Setup::complaints
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each square, by its number.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
}

impl Setup {
    /// An empty board, Black to move.
    pub const EMPTY: Setup = Setup { board: [None; Square::COUNT], side_to_move: Side::First };

    /// The squares with a disc of this side up, a bit each.
    pub fn squares_of(&self, side: Side) -> u64 {
        let on = |square: &Square| self.board[square.index()] == Some(Piece::new(side));
        Square::all().filter(on).fold(0, |set, square| set | 1 << square.index())
    }

    /// The setup of these sets of black and of white discs.
    ///
    /// # Panics
    /// If a square is in both.
    pub fn from_bitboards(black: u64, white: u64, side: Side) -> Setup {
        assert_eq!(black & white, 0, "a disc has one side up");
        let disc = |index: usize| {
            let held = |set: u64| set >> index & 1 != 0;
            held(black).then_some(Piece::BLACK).or(held(white).then_some(Piece::WHITE))
        };
        Setup { board: core::array::from_fn(disc), side_to_move: side }
    }

    /// The same position turned or mirrored. The rules do not tell the eight twins apart.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Setup {
        let mut discs = [None; Square::COUNT];
        for square in Square::all() {
            discs[symmetry.map_square(square).index()] = self.board[square.index()];
        }
        Setup { board: discs, side_to_move: self.side_to_move }
    }

    /// The same position with every disc turned over and the other side to move.
    #[must_use]
    pub fn swapped(&self) -> Setup {
        Setup { board: self.board.map(|disc| disc.map(Piece::swapped)), side_to_move: !self.side_to_move }
    }
}

/// What cannot have come about in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {
    /// Some of the four squares in the middle are empty: a game starts with discs on them and none is ever lifted.
    CentreEmpty(Vec<Square>),
    /// Discs that no chain of neighbours links to the middle: a disc is always put next to another.
    Island(Vec<Square>),
}

impl fmt::Display for SetupIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ");
        match self {
            SetupIssue::CentreEmpty(at) => {
                let verb = if at.len() == 1 { "is" } else { "are" };
                write!(f, "{} in the middle {verb} empty, which cannot be in a game", names(at))
            }
            SetupIssue::Island(at) => {
                let (noun, verb) = if at.len() == 1 { ("disc", "is") } else { ("discs", "are") };
                write!(f, "the {noun} on {} {verb} not linked to the middle of the board", names(at))
            }
        }
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    fn name(&self) -> &'static str {
        match self {
            SetupIssue::CentreEmpty(_) => "centre_empty",
            SetupIssue::Island(_) => "island",
        }
    }

    fn is_waivable(&self) -> bool {
        <Setup as alfil_kernel::Setup>::WAIVABLE.contains(&self.name())
    }

    fn squares(&self) -> Vec<String> {
        let (SetupIssue::CentreEmpty(at) | SetupIssue::Island(at)) = self;
        at.iter().map(Square::to_string).collect()
    }
}

fn squares_in(set: u64) -> Vec<Square> {
    Square::all().filter(|square| set >> square.index() & 1 != 0).collect()
}

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;
    const WAIVABLE: &'static [&'static str] = &["centre_empty", "island"];

    /// White on d4 and e5, Black on e4 and d5, Black to move.
    fn start() -> Self {
        Setup::from_bitboards(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::First)
    }

    fn parse(text: &str) -> Result<Self, FenError> {
        fen::parse(text)
    }

    fn to_text(&self) -> String {
        fen::format(self)
    }

    /// Always the same: a board string says nothing about the road, and no position of Othello ever comes back.
    fn counters(&self) -> MoveCounters {
        MoveCounters::default()
    }

    /// The same position: see [`Setup::counters`](alfil_kernel::Setup::counters).
    fn with_counters(self, _: MoveCounters) -> Self {
        self
    }

    fn issues(&self) -> Vec<SetupIssue> {
        let occupied = self.squares_of(Side::First) | self.squares_of(Side::Second);
        let mut complaints = Vec::new();
        if CENTRE & !occupied != 0 {
            complaints.push(SetupIssue::CentreEmpty(squares_in(CENTRE & !occupied)));
        }
        let mut linked = CENTRE & occupied;
        loop {
            let wider = linked | adjacent_squares(linked) & occupied;
            if wider == linked {
                break;
            }
            linked = wider;
        }
        if occupied & !linked != 0 {
            complaints.push(SetupIssue::Island(squares_in(occupied & !linked)));
        }
        complaints
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fen::format(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::{Setup as _, Waivers};

    #[test]
    fn the_start_position_is_sound_from_every_side() {
        for symmetry in Symmetry::all() {
            assert!(Setup::start().transformed(symmetry).issues().is_empty());
        }
        assert_eq!(Setup::start().swapped().swapped(), Setup::start());
    }

    #[test]
    fn each_complaint_says_what_and_where_and_can_be_waived() {
        let mut setup = Setup::start();
        setup.board[0] = Some(Piece::WHITE);
        setup.board[1] = Some(Piece::BLACK);
        let error = setup.validate(&Waivers::None).unwrap_err();
        let words = "the discs on a1, b1 are not linked to the middle of the board (can be waived as island)";
        assert_eq!(error.to_string(), words);
        assert!(setup.validate(&Waivers::Named(vec!["island".into()])).is_ok());
        setup = Setup::start();
        setup.board[27] = None;
        let error = setup.validate(&Waivers::Named(vec!["island".into()])).unwrap_err();
        let words = "d4 in the middle is empty, which cannot be in a game (can be waived as centre_empty)";
        assert_eq!(error.to_string(), words);
        assert!(Setup::EMPTY.validate(&Waivers::All).is_ok());
    }
}
