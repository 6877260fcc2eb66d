//! Setups: positions as written.

use alloc::string::String;
use alloc::vec::Vec;

use alfil_kernel::{MoveCounters, Side};

use crate::fen::{self, Expected, FenError};
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

mod issue;

pub use issue::{SetupIssue, Waiver};

/// A position as written: pieces, side to move, castling rights, en passant square and counters. It may be impossible;
/// [`Setup::issues`] lists what is wrong with it, alike for every board.
///
/// [`Setup::issues`]: alfil_kernel::Setup::issues
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let setup: Setup = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// assert_eq!((setup.side_to_move, setup.counters.fullmove_number), (Side::First, 1));
/// // A position as written may be impossible.
/// assert_eq!(Setup::EMPTY.issues().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, by the number of the square.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
    /// For each side, the files of the rooks on its back rank that may still castle: bit 0 is the a-file.
    pub castling: [u8; 2],
    /// The square that a pawn has just passed, as written. A board keeps it only if an enemy pawn attacks it.
    pub en_passant: Option<Square>,
    /// The halfmove clock and the fullmove number.
    pub counters: MoveCounters,
}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Setup = Setup {
        board: [None; Square::COUNT],
        side_to_move: Side::First,
        castling: [0; 2],
        en_passant: None,
        counters: MoveCounters { halfmove_clock: 0, fullmove_number: 1 },
    };

    /// Returns the Chess960 start position with this number in Reinhard Scharnagl's numbering; none from 960 on. Number
    /// 518 is the start position of chess.
    ///
    /// ```
    /// use alfil_chess::Setup;
    /// use alfil_kernel::Setup as _;
    ///
    /// assert_eq!(Setup::chess960(518), Some(Setup::start()));
    /// let text = Setup::chess960(0).unwrap().to_text();
    /// assert_eq!(text, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub fn chess960(number: usize) -> Option<Setup> {
        Self::double_chess960(number, number)
    }

    /// Returns a start position of double Chess960 (double Fischer Random), in which each side has its own Chess960
    /// arrangement; none if a number is 960 or more.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Setup::double_chess960(518, 518), Some(Setup::start()));
    /// ```
    pub fn double_chess960(white: usize, black: usize) -> Option<Setup> {
        let mut setup = Setup::EMPTY;
        for (side, number) in [(Side::First, white), (Side::Second, black)] {
            let (back_rank, pawn_rank) = if side == Side::First { (0, 1) } else { (7, 6) };
            for (file, kind) in chess960_back_rank(number)?.into_iter().enumerate() {
                setup.board[Square::new(file, back_rank).index()] = Some(Piece::new(side, kind));
                setup.board[Square::new(file, pawn_rank).index()] = Some(Piece::new(side, PieceKind::Pawn));
                setup.castling[side.index()] |= u8::from(kind == PieceKind::Rook) << file;
            }
        }
        Some(setup)
    }

    /// Returns whether standard chess cannot have these castling rights: a king or a rook is not on its square of the
    /// standard start position.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert!(!"4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse::<Setup>()?.is_chess960());
    /// assert!("4k3/8/8/8/8/8/8/4KR1R w F - 0 1".parse::<Setup>()?.is_chess960());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_chess960(&self) -> bool {
        const STANDARD_ROOK_FILES: u8 = 1 << 0 | 1 << 7;
        Side::BOTH.iter().any(|&side| {
            let rights = self.castling[side.index()];
            let king = self.squares_of(Piece::new(side, PieceKind::King)).next();
            rights & !STANDARD_ROOK_FILES != 0 || rights != 0 && king.is_some_and(|king| king.file() != 4)
        })
    }

    /// Iterates over the squares occupied by this piece.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let knights = Setup::start();
    /// let knights: Vec<_> = knights.squares_of(Piece::new(Side::First, PieceKind::Knight)).collect();
    /// assert_eq!(format!("{knights:?}"), "[b1, g1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares_of(&self, piece: Piece) -> impl DoubleEndedIterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.piece_on(*square) == Some(piece))
    }

    /// Returns the setup with its files mirrored (a-file to h-file) and without castling rights. Apart from castling
    /// the rules are symmetric.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let setup: Setup = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse()?;
    /// assert_eq!(setup.mirrored().to_string(), "3k4/8/8/8/8/8/8/R2K4 w - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for square in Square::all() {
            board[square.mirrored().index()] = self.piece_on(square);
        }
        Setup { board, castling: [0; 2], en_passant: self.en_passant.map(Square::mirrored), ..self.clone() }
    }

    /// Returns the setup with the colours swapped and the ranks mirrored. The rules are symmetric in this respect.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let setup: Setup = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse()?;
    /// assert_eq!(setup.swapped().to_string(), "4k2r/8/8/8/8/8/8/4K3 b - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swapped(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for square in Square::all() {
            board[square.flipped().index()] = self.piece_on(square).map(Piece::swapped);
        }
        let [white, black] = self.castling;
        let en_passant = self.en_passant.map(Square::flipped);
        Setup {
            board,
            side_to_move: !self.side_to_move,
            castling: [black, white],
            en_passant,
            ..self.clone()
        }
    }

    /// Puts a piece on a square, or removes the one on it. Castling rights and an en passant square that are impossible
    /// then are lost.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mut setup = Setup::start();
    /// setup.set_piece("h1".parse()?, None);
    /// assert_eq!(setup.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
        for side in Side::BOTH {
            let rooks = self.castling_rooks_of(side).into_iter().flatten();
            self.castling[side.index()] = rooks.map(|rook| 1 << rook.file()).sum();
        }
        self.en_passant = self.valid_en_passant();
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Returns the square of a side's king, if it has one.
    pub(crate) fn king_square(&self, side: Side) -> Option<Square> {
        self.squares_of(Piece::new(side, PieceKind::King)).next()
    }

    /// Returns the rooks of both sides that may still castle: for each valid right, only the outermost rook on that
    /// side of the king.
    pub(crate) fn castling_rooks(&self) -> SquareSet {
        Side::BOTH.iter().fold(SquareSet::EMPTY, |rooks, &side| {
            let [left, right] = self.castling_rooks_of(side);
            left.into_iter().chain(right).fold(rooks, |rooks, rook| rooks | SquareSet::from_square(rook))
        })
    }

    /// Returns the rooks of one side that may still castle: queenside, then kingside.
    fn castling_rooks_of(&self, side: Side) -> [Option<Square>; 2] {
        let back_rank = back_rank_of(side);
        let Some(king) = self.king_square(side).filter(|king| king.rank() == back_rank) else {
            return [None; 2];
        };
        let square = |file| Square::new(file, back_rank);
        let is_castling_rook = |&file: &usize| {
            let has_right = self.castling[side.index()] >> file & 1 != 0;
            has_right && self.piece_on(square(file)) == Some(Piece::new(side, PieceKind::Rook))
        };
        let queenside = (0..king.file()).find(is_castling_rook);
        let kingside = (king.file() + 1..8).rev().find(is_castling_rook);
        [queenside.map(square), kingside.map(square)]
    }

    /// Returns the en passant square, if a double step over it is possible: a pawn in front of it, the squares behind
    /// that empty.
    fn valid_en_passant(&self) -> Option<Square> {
        let square = self.en_passant?;
        let mover = !self.side_to_move;
        let forward = if mover == Side::First { 1 } else { -1 };
        let (from, pawn) = (square.step(0, -forward)?, square.step(0, forward)?);
        let is_valid = square.relative_rank(mover) == 2
            && self.piece_on(square).is_none()
            && self.piece_on(from).is_none()
            && self.piece_on(pawn) == Some(Piece::new(mover, PieceKind::Pawn));
        is_valid.then_some(square)
    }

    /// Returns the en passant square, if a pawn of the side to move attacks it.
    pub(crate) fn capturable_en_passant(&self) -> Option<Square> {
        let square = self.valid_en_passant()?;
        let behind = if self.side_to_move == Side::First { -1 } else { 1 };
        let pawn = Some(Piece::new(self.side_to_move, PieceKind::Pawn));
        let is_attacked = [-1, 1]
            .into_iter()
            .filter_map(|files| square.step(files, behind))
            .any(|from| self.piece_on(from) == pawn);
        is_attacked.then_some(square)
    }

    /// Returns the squares of the pieces that check the king of `side`.
    fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.king_square(side) else { return Vec::new() };
        let enemy = |kind| Some(Piece::new(!side, kind));
        let mut checkers = Vec::new();
        for (files, ranks) in (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks))) {
            let slider = if files == 0 || ranks == 0 { PieceKind::Rook } else { PieceKind::Bishop };
            let ray = core::iter::successors(king.step(files, ranks), |at| at.step(files, ranks));
            if (files, ranks) != (0, 0)
                && let Some(first) = ray.into_iter().find(|&at| self.piece_on(at).is_some())
            {
                let is_adjacent = king.step(files, ranks) == Some(first);
                let forward = if side == Side::First { 1 } else { -1 };
                let piece = self.piece_on(first);
                if piece == enemy(slider)
                    || piece == enemy(PieceKind::Queen)
                    || is_adjacent && piece == enemy(PieceKind::King)
                    || is_adjacent && piece == enemy(PieceKind::Pawn) && files != 0 && ranks == forward
                {
                    checkers.push(first);
                }
            }
        }
        for (files, ranks) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
            checkers.extend(
                king.step(files, ranks).filter(|&from| self.piece_on(from) == enemy(PieceKind::Knight)),
            );
        }
        checkers.sort_unstable();
        checkers
    }

    /// Appends the issues with the number of pieces of one side.
    fn push_piece_count_issues(&self, side: Side, issues: &mut Vec<SetupIssue>) {
        let kings: Vec<_> = self.squares_of(Piece::new(side, PieceKind::King)).collect();
        match kings[..] {
            [] => issues.push(SetupIssue::KingMissing(side)),
            [_] => {}
            _ => issues.push(SetupIssue::KingDoubled(side, kings)),
        }
        let squares: Vec<_> = Square::all()
            .filter(|&square| self.piece_on(square).is_some_and(|piece| piece.side() == side))
            .collect();
        if squares.len() > 16 {
            issues.push(SetupIssue::TooManyPieces(side, squares));
        }
        // A piece beyond the initial number of its kind must be a promoted pawn.
        let pawns = PieceKind::ALL.iter().filter(|&&kind| kind != PieceKind::King).map(|&kind| {
            let initial = if kind == PieceKind::Pawn { 0 } else { kind.initial_count() };
            self.squares_of(Piece::new(side, kind)).count().saturating_sub(initial)
        });
        let pawns = pawns.sum::<usize>();
        if pawns > 8 {
            issues.push(SetupIssue::TooManyPawns(side, pawns));
        }
    }
}

/// Returns the back rank of a side, 0 or 7.
pub(crate) const fn back_rank_of(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 7,
    }
}

/// Returns the back rank of a Chess960 start position by Scharnagl's number. Successive remainders by 4, 4 and 6 place
/// the light-squared bishop, the dark-squared bishop and the queen; the quotient places the two knights on the five
/// free files; rook, king, rook fill the rest.
fn chess960_back_rank(number: usize) -> Option<[PieceKind; 8]> {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= 960 {
        return None;
    }
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    let free_file = |rank: &[Option<PieceKind>; 8], nth| {
        (0..8).filter(|&file| rank[file].is_none()).nth(nth).expect("the rank has enough free files")
    };
    let queen = free_file(&rank, number / 16 % 6);
    rank[queen] = Some(PieceKind::Queen);
    let knights = KNIGHTS[number / 96];
    let knights = [free_file(&rank, knights.0), free_file(&rank, knights.1)];
    for file in knights {
        rank[file] = Some(PieceKind::Knight);
    }
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        let file = free_file(&rank, 0);
        rank[file] = Some(kind);
    }
    Some(rank.map(|kind| kind.expect("all files are filled")))
}

alfil_kernel::impl_setup_text!(Setup);

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;

    fn start() -> Self {
        Setup::chess960(518).expect("518 is below 960")
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
            self.push_piece_count_issues(side, &mut issues);
        }
        for square in Square::all().filter(|square| matches!(square.rank(), 0 | 7)) {
            if let Some(pawn) = self.piece_on(square).filter(|piece| piece.kind() == PieceKind::Pawn) {
                issues.push(SetupIssue::ImpossibleSquare(pawn, square));
            }
        }
        for side in Side::BOTH {
            let valid = self.castling_rooks_of(side);
            let files = (0..8).filter(|file| self.castling[side.index()] >> file & 1 != 0);
            let rooks = files.map(|file| Square::new(file, back_rank_of(side)));
            let invalid = rooks.filter(|rook| !valid.contains(&Some(*rook)));
            issues.extend(invalid.map(|rook| SetupIssue::Castling(side, rook)));
        }
        if let Some(square) = self.en_passant.filter(|_| self.valid_en_passant().is_none()) {
            issues.push(SetupIssue::EnPassant(square));
        }
        let checkers = self.checkers(!self.side_to_move);
        if !checkers.is_empty() {
            issues.push(SetupIssue::OpponentInCheck(!self.side_to_move, checkers));
        }
        issues
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned as _;
    use alloc::string::ToString;

    use super::*;
    use alfil_kernel::{Setup as _, SetupIssue as _, Waivers};

    fn issue_texts(text: &str) -> Vec<String> {
        fen::parse(text).unwrap().issues().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_castling_right_off_the_standard_squares_is_chess960() {
        for (text, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", false),
            ("1k6/8/8/8/8/8/8/1K5R w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/1K5R w K - 0 1", true),
            ("4k1r1/8/8/8/8/8/8/4K3 b k - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", true),
        ] {
            assert_eq!(fen::parse(text).unwrap().is_chess960(), expected, "{text}");
        }
    }

    #[test]
    fn a_valid_position_has_no_issues() {
        assert!(Setup::start().issues().is_empty());
        assert!(Setup::start().mirrored().swapped().issues().is_empty());
        assert_eq!(issue_texts("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").len(), 0);
    }

    #[test]
    fn chess960_start_positions_are_distinct_and_valid() {
        let mut starts: Vec<_> = (0..960).map(|number| Setup::chess960(number).unwrap().to_text()).collect();
        assert!(
            (0..960).all(|number| Setup::double_chess960(number, 959 - number).unwrap().issues().is_empty())
        );
        starts.sort();
        starts.dedup();
        assert_eq!((starts.len(), Setup::chess960(960)), (960, None));
    }

    #[test]
    fn issue_texts_name_the_problem_and_its_squares() {
        for (text, expected) in [
            ("8/8/8/8/8/8/8/4K3 w", "Black has no king"),
            ("4k3/4k3/8/8/8/8/8/3K4 w", "Black has 2 kings, on e7, e8"),
            ("4k3/8/8/8/8/8/PPPPPPP1/PNBQKBNR w", "a White pawn cannot be on a1"),
            ("4k3/8/8/8/8/8/8/4K2R w Q", "White cannot castle with a rook on a1"),
            ("4k3/8/8/8/8/8/4K3/7R w K", "White cannot castle with a rook on h1"),
            ("4k3/8/8/8/8/8/8/4K1RR w KG", "White cannot castle with a rook on g1"),
            ("4k3/8/8/8/8/8/8/4K3 b - e3", "no pawn can have just passed e3"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3", "no pawn can have just passed e3"),
            ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", "no pawn can have just passed e3"),
            (
                "4k3/8/8/8/P7/PPPPPPPP/8/4K3 w",
                "White has 9 pawns and promoted pieces together: the maximum is 8",
            ),
            ("4k3/8/8/4R3/8/8/8/3K4 w", "Black is in check from e5 but is not to move"),
            ("4k3/8/3N4/8/8/8/8/3K4 w", "Black is in check from d6 but is not to move"),
            ("4k3/3P4/8/8/8/8/8/3K4 w", "Black is in check from d7 but is not to move"),
            ("8/8/8/8/8/3p4/4K3/7k b", "White is in check from d3 but is not to move"),
            ("8/8/8/8/8/4k3/4K3/8 b", "White is in check from e3 but is not to move"),
        ] {
            assert_eq!(issue_texts(text), [expected], "{text}");
        }
        let texts = issue_texts("4k3/8/8/PPPPPPPP/8/8/RNNBBNNR/R3K2R w KQ");
        assert!(texts.contains(&"White has 19 pieces: the maximum is 16".to_owned()), "{texts:?}");
        assert!(issue_texts("4k3/4p3/8/4R3/8/8/8/3K4 w").is_empty());
        assert!(issue_texts("4k3/4P3/8/8/8/8/8/3K4 w").is_empty());
    }

    #[test]
    fn issues_are_waived_by_name_and_a_missing_king_never() {
        let in_check = fen::parse("4k3/8/8/4R3/8/8/8/3K4 w").unwrap();
        assert!(in_check.validate(&Waivers::None).is_err());
        assert!(in_check.validate(&[Waiver::Castling].into()).is_err());
        assert!(in_check.validate(&[Waiver::OpponentInCheck].into()).is_ok());
        assert_eq!(SetupIssue::parse_waivers(&["castling", "all"]), Ok(Waivers::All));
        assert_eq!(SetupIssue::parse_waivers(&[""; 0]), Ok(Waivers::None));
        // An issue that cannot be waived is no name of a waiver.
        let error = SetupIssue::parse_waivers(&["castling", "king_missing"]).unwrap_err().to_string();
        assert!(error.starts_with("no issue \"king_missing\" can be waived; use all or some of "), "{error}");
        assert!(error.ends_with("castling, en_passant, too_many_pawns"), "{error}");
        let error = Setup::EMPTY.validate(&Waivers::All).unwrap_err();
        assert!(error.issues.iter().all(|issue| !issue.is_waivable()));
        assert_eq!(error.issues.len(), 2);
    }
}
