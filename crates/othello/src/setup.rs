//! Setups: positions as written.

use alloc::string::String;
use alloc::vec::Vec;

use alfil_kernel::{MoveCounters, Side};

use crate::fen::{self, Expected, FenError};
use crate::geometry::{CENTRE, Symmetry, adjacent_squares};
use crate::piece::Piece;
use crate::square::Square;

mod issue;

pub use issue::{SetupIssue, Waiver};

/// The discs on the board and the side to move. Any setup can be played from; [`Setup::issues`] lists what cannot occur
/// in a game.
///
/// [`Setup::issues`]: alfil_kernel::Setup::issues
///
/// ```
/// use alfil_othello::prelude::*;
///
/// let setup: Setup = "---------------------------OX------XO--------------------------- X".parse()?;
/// assert_eq!(setup, Setup::start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The disc on each square, by its index.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
}

impl Setup {
    /// The empty board with Black to move.
    pub const EMPTY: Setup = Setup { board: [None; Square::COUNT], side_to_move: Side::First };

    /// Returns the squares with a disc of `side`, one bit each.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Setup::start().squares_of(Side::First), 1 << 28 | 1 << 35);
    /// ```
    pub fn squares_of(&self, side: Side) -> u64 {
        let has_disc = |square: &Square| self.board[square.index()] == Some(Piece::new(side));
        Square::all().filter(has_disc).fold(0, |set, square| set | 1 << square.index())
    }

    /// Creates a setup from the sets of black and of white discs.
    ///
    /// # Panics
    /// If a square is in both sets.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Setup::from_bitboards(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::First), Setup::start());
    /// ```
    pub fn from_bitboards(black: u64, white: u64, side: Side) -> Setup {
        assert_eq!(black & white, 0, "a disc has one side up");
        let disc = |index: usize| {
            let is_in = |set: u64| set >> index & 1 != 0;
            is_in(black).then_some(Piece::BLACK).or(is_in(white).then_some(Piece::WHITE))
        };
        Setup { board: core::array::from_fn(disc), side_to_move: side }
    }

    /// Returns the position transformed by a symmetry of the board, under which the rules are invariant.
    ///
    /// ```
    /// use alfil_othello::geometry::Symmetry;
    /// use alfil_othello::prelude::*;
    ///
    /// let start = Setup::start();
    /// assert!(Symmetry::all().any(|symmetry| start.transformed(symmetry) == start));
    /// ```
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Setup {
        let mut board = [None; Square::COUNT];
        for square in Square::all() {
            board[symmetry.map_square(square).index()] = self.board[square.index()];
        }
        Setup { board, side_to_move: self.side_to_move }
    }

    /// Returns the position with the colours exchanged: every disc flipped, and the other side to move.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Setup::start().swapped().side_to_move, Side::Second);
    /// ```
    #[must_use]
    pub fn swapped(&self) -> Setup {
        Setup { board: self.board.map(|disc| disc.map(Piece::swapped)), side_to_move: !self.side_to_move }
    }
}

fn squares_in(set: u64) -> Vec<Square> {
    Square::all().filter(|square| set >> square.index() & 1 != 0).collect()
}

alfil_kernel::impl_setup_text!(Setup);

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;

    /// Returns the start position: White on d4 and e5, Black on e4 and d5, Black to move.
    fn start() -> Self {
        Setup::from_bitboards(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::First)
    }

    fn parse(text: &str) -> Result<Self, FenError> {
        fen::parse(text)
    }

    fn to_text(&self) -> String {
        fen::format(self)
    }

    /// Returns the default: a board string has no counters, and no position of Othello occurs twice in a game.
    fn counters(&self) -> MoveCounters {
        MoveCounters::default()
    }

    /// Returns the setup unchanged: see [`Setup::counters`](alfil_kernel::Setup::counters).
    fn with_counters(self, _: MoveCounters) -> Self {
        self
    }

    fn issues(&self) -> Vec<SetupIssue> {
        let occupied = self.squares_of(Side::First) | self.squares_of(Side::Second);
        let mut issues = Vec::new();
        if CENTRE & !occupied != 0 {
            issues.push(SetupIssue::CentreEmpty(squares_in(CENTRE & !occupied)));
        }
        let mut connected = CENTRE & occupied;
        loop {
            let wider = connected | adjacent_squares(connected) & occupied;
            if wider == connected {
                break;
            }
            connected = wider;
        }
        if occupied & !connected != 0 {
            issues.push(SetupIssue::Island(squares_in(occupied & !connected)));
        }
        issues
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;
    use alfil_kernel::{Setup as _, Waivers};

    #[test]
    fn start_position_has_no_issues_under_any_symmetry() {
        for symmetry in Symmetry::all() {
            assert!(Setup::start().transformed(symmetry).issues().is_empty());
        }
        assert_eq!(Setup::start().swapped().swapped(), Setup::start());
    }

    #[test]
    fn issues_name_their_squares_and_can_be_waived() {
        let mut setup = Setup::start();
        setup.board[0] = Some(Piece::WHITE);
        setup.board[1] = Some(Piece::BLACK);
        let error = setup.validate(&Waivers::None).unwrap_err();
        let message =
            "the discs on a1, b1 are not connected to the centre of the board (can be waived as island)";
        assert_eq!(error.to_string(), message);
        assert!(setup.validate(&[Waiver::Island].into()).is_ok());
        setup = Setup::start();
        setup.board[27] = None;
        let error = setup.validate(&[Waiver::Island].into()).unwrap_err();
        let message =
            "the central square d4 is empty, which cannot occur in a game (can be waived as centre_empty)";
        assert_eq!(error.to_string(), message);
        assert!(Setup::EMPTY.validate(&Waivers::All).is_ok());
    }
}
