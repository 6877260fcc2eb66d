//! Setups: positions as written.

use alloc::string::String;
use alloc::vec::Vec;

use alfil_kernel::short_sort::sort_short;
use alfil_kernel::{MoveCounters, Side};

use crate::fen::{self, Expected, FenError};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

mod issue;

pub use issue::{SetupIssue, Waiver};

/// A position as written: pieces, side to move and counters. Any arrangement can be written; [`Setup::issues`] lists
/// what is wrong with it, once for every board.
///
/// [`Setup::issues`]: alfil_kernel::Setup::issues
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let setup: Setup = "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1".parse()?;
/// assert!(setup.issues().is_empty());
/// assert_eq!(setup.to_string(), "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, by square index.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
    /// The plies without a capture and the number of the next move.
    pub counters: MoveCounters,
}

impl Setup {
    /// An empty board, Red to move.
    pub const EMPTY: Setup = Setup {
        board: [None; Square::COUNT],
        side_to_move: Side::First,
        counters: MoveCounters { halfmove_clock: 0, fullmove_number: 1 },
    };

    /// Returns the squares of all pieces equal to `piece`.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let cannons = Setup::start();
    /// let cannons: Vec<_> = cannons.squares_of(Piece::new(Side::First, PieceKind::Cannon)).collect();
    /// assert_eq!(format!("{cannons:?}"), "[b2, h2]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.board[square.index()] == Some(piece))
    }

    /// Returns the mirror image: left and right exchanged. The rules are symmetric.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let setup: Setup = "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1".parse()?;
    /// assert_eq!(setup.mirrored().to_string(), "5k3/R8/9/9/9/9/9/9/9/4K4 w - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for square in Square::all() {
            board[square.mirrored().index()] = self.board[square.index()];
        }
        Setup { board, ..self.clone() }
    }

    /// Returns the position with the sides exchanged, each at its own end. The rules are symmetric.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let setup: Setup = "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1".parse()?;
    /// assert_eq!(setup.swapped().to_string(), "4k4/9/9/9/9/9/9/9/8r/3K5 b - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swapped(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for square in Square::all() {
            board[square.flipped().index()] = self.board[square.index()].map(Piece::swapped);
        }
        Setup { board, side_to_move: !self.side_to_move, ..self.clone() }
    }

    /// Returns the square of the king of `side`, if it has one.
    fn king_square(&self, side: Side) -> Option<Square> {
        self.squares_of(Piece::new(side, PieceKind::King)).next()
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Returns the pieces from `square` in a direction, nearest first.
    fn pieces_along(
        &self,
        square: Square,
        (files, ranks): (isize, isize),
    ) -> impl Iterator<Item = (Square, Piece)> {
        let ray = core::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
        ray.filter_map(|at| self.piece_on(at).map(|piece| (at, piece)))
    }

    /// Returns the squares of the pieces that give check to `side`, apart from the other king.
    fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.king_square(side) else { return Vec::new() };
        let enemy = |kind| Piece::new(!side, kind);
        let mut checkers = Vec::new();
        for direction in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let mut pieces = self.pieces_along(king, direction);
            checkers.extend(pieces.next().filter(|&(_, piece)| piece == enemy(PieceKind::Rook)));
            checkers.extend(pieces.next().filter(|&(_, piece)| piece == enemy(PieceKind::Cannon)));
            // A horse attacks the king from one step beyond a diagonal neighbour of the king; that neighbour is its
            // leg.
            for side_step in [1, -1] {
                let (files, ranks) =
                    if direction.0 == 0 { (side_step, direction.1) } else { (direction.0, side_step) };
                let leg = king.step(files, ranks).filter(|&leg| self.piece_on(leg).is_none());
                let horse = leg.and_then(|leg| leg.step(direction.0, direction.1));
                let horse = horse.filter(|&horse| self.piece_on(horse) == Some(enemy(PieceKind::Horse)));
                checkers.extend(horse.map(|horse| (horse, enemy(PieceKind::Horse))));
            }
        }
        // A soldier attacks forward and, across the river, sideways; near the enemy palace it is across.
        let ahead = if side == Side::First { 1 } else { -1 };
        for (files, ranks) in [(0, ahead), (1, 0), (-1, 0)] {
            if let Some(from) = king.step(files, ranks)
                && self.piece_on(from) == Some(enemy(PieceKind::Soldier))
            {
                checkers.push((from, enemy(PieceKind::Soldier)));
            }
        }
        let mut squares: Vec<_> = checkers.into_iter().map(|(square, _)| square).collect();
        sort_short(&mut squares, |a, b| a < b);
        squares
    }

    /// Returns the squares of the two kings if they face each other along an empty file.
    fn facing_kings(&self) -> Option<(Square, Square)> {
        let (red, black) = (self.king_square(Side::First)?, self.king_square(Side::Second)?);
        let ahead = self.pieces_along(red, (0, 1)).next();
        (ahead == Some((black, Piece::new(Side::Second, PieceKind::King)))).then_some((red, black))
    }
}

/// Returns whether `piece` can reach `square` in a game.
fn is_possible_square(piece: Piece, square: Square) -> bool {
    // Every piece is seen from its own side of the board.
    let own = if piece.side() == Side::First { square } else { square.flipped() };
    let (file, rank) = (own.file(), own.rank());
    match piece.kind() {
        PieceKind::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        PieceKind::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        PieceKind::Soldier => rank > 4 || (rank > 2 && file.is_multiple_of(2)),
        PieceKind::King | PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => true,
    }
}

alfil_kernel::impl_setup_text!(Setup);

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;

    fn start() -> Self {
        fen::parse("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")
            .expect("the start position is a valid FEN")
    }

    fn parse(text: &str) -> Result<Self, FenError> {
        fen::parse(text)
    }

    fn to_text(&self) -> String {
        fen::format(self)
    }

    fn counters(&self) -> MoveCounters {
        self.counters
    }

    fn with_counters(self, counters: MoveCounters) -> Self {
        Setup { counters, ..self }
    }

    fn issues(&self) -> Vec<SetupIssue> {
        let mut issues = Vec::new();
        for side in Side::BOTH {
            let kings: Vec<_> = self.squares_of(Piece::new(side, PieceKind::King)).collect();
            match kings[..] {
                [] => issues.push(SetupIssue::KingMissing(side)),
                [at] if !at.is_in_palace(side) => issues.push(SetupIssue::KingOutsidePalace(side, at)),
                [_] => {}
                _ => issues.push(SetupIssue::SeveralKings(side, kings)),
            }
        }
        for piece in Piece::all().filter(|piece| piece.kind() != PieceKind::King) {
            let squares: Vec<_> = self.squares_of(piece).collect();
            if squares.len() > piece.kind().initial_count() {
                issues.push(SetupIssue::TooManyPieces(piece, squares));
            }
        }
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square).filter(|&piece| !is_possible_square(piece, square)) {
                issues.push(SetupIssue::ImpossibleSquare(piece, square));
            }
        }
        issues.extend(self.facing_kings().map(|(red, black)| SetupIssue::KingsFacing(red, black)));
        let checkers = self.checkers(!self.side_to_move);
        if !checkers.is_empty() {
            issues.push(SetupIssue::OpponentInCheck(!self.side_to_move, checkers));
        }
        issues
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use alfil_kernel::{Setup as _, SetupIssue as _, Waivers};

    fn issues(text: &str) -> Vec<String> {
        fen::parse(text).unwrap().issues().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_valid_position_has_no_issues() {
        assert!(Setup::start().issues().is_empty());
        assert!(Setup::start().mirrored().swapped().issues().is_empty());
    }

    #[test]
    fn advisors_have_five_squares_and_elephants_seven() {
        for (kind, squares) in [
            (PieceKind::Advisor, 5),
            (PieceKind::Elephant, 7),
            (PieceKind::Soldier, 55),
            (PieceKind::Rook, 90),
        ] {
            for side in Side::BOTH {
                let count = Square::all()
                    .filter(|&square| is_possible_square(Piece::new(side, kind), square))
                    .count();
                assert_eq!(count, squares, "{kind:?}");
            }
        }
    }

    #[test]
    fn each_issue_names_the_fault_and_the_squares() {
        for (text, expected) in [
            ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no king"),
            ("4k4/4k4/9/9/9/9/9/9/9/3K5 w", "Black has 2 kings, on e8, e9"),
            ("4k4/9/9/9/9/9/9/9/9/K8 w", "the Red king on a0 is outside its palace"),
            ("4k4/9/9/9/9/9/RRR6/9/9/3K5 b", "Red has 3 rooks, on a3, b3, c3: at most 2 are possible"),
            ("4k4/9/9/9/9/9/9/9/1P7/3K5 w", "a Red soldier can never reach b1"),
            ("3k5/9/9/9/9/9/9/9/9/3K5 w", "the kings on d0 and d9 face each other along an empty file"),
            ("4k4/9/9/4R4/9/9/9/9/9/3K5 w", "Black is in check from e6 but is not to move"),
            ("4k4/9/3N5/9/9/9/9/9/9/3K5 w", "Black is in check from d7 but is not to move"),
            ("4k4/4P4/9/9/9/9/9/9/9/3K5 w", "Black is in check from e8 but is not to move"),
        ] {
            assert_eq!(issues(text), [expected], "{text}");
        }
        // The horse's leg is occupied, the cannon has no screen: no check.
        assert!(issues("4k4/3a5/3N5/9/9/9/9/9/9/3K5 w").iter().all(|issue| !issue.contains("check")));
        assert!(issues("4k4/9/9/4C4/9/9/9/9/9/3K5 w").is_empty());
    }

    #[test]
    fn waivers_go_by_name_and_exclude_king_issues() {
        let facing = fen::parse("3k5/9/9/9/9/9/9/9/9/3K5 w").unwrap();
        assert!(facing.validate(&Waivers::None).is_err());
        assert!(facing.validate(&[Waiver::ImpossibleSquare].into()).is_err());
        assert!(facing.validate(&[Waiver::KingsFacing].into()).is_ok());
        let bare = Setup::EMPTY.validate(&Waivers::All).unwrap_err();
        assert!(bare.issues.iter().all(|issue| !issue.is_waivable()));
        assert_eq!(bare.issues.len(), 2);
    }
}
