//! A position as written, and the complaints about it.

use core::fmt;

use alfil_kernel::{MoveCounters, Side};

use crate::board::SquareSet;
use crate::fen::{self, Expected, FenError};
use crate::piece::{Piece, PieceKind, side_name};
use crate::square::Square;

/// Who stands where, whose move it is, what may still be castled or taken en passant, and the counters. Anything can be
/// written down: [`Setup::complaints`] says what is wrong with it, once and for every board.
///
/// [`Setup::complaints`]: alfil_kernel::Setup::complaints
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each square, by its number.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
    /// For each side the files, bit 0 for the a-file, of the rooks on its back rank that may still castle.
    pub castling: [u8; 2],
    /// The square a pawn has just stepped over, if it is written down; a board keeps it only where an enemy pawn attacks
    /// it.
    pub en_passant: Option<Square>,
    /// Plies without a capture or a pawn move, and the number of the next move.
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
    pub fn chess960(number: usize) -> Option<Setup> {
        Self::double_chess960(number, number)
    }

    /// A start position of double Fischer Random: each side has its own of the 960. None from 960 on.
    pub fn double_chess960(white: usize, black: usize) -> Option<Setup> {
        let mut setup = Setup::EMPTY;
        for (side, number) in [(Side::First, white), (Side::Second, black)] {
            let (back, pawns) = if side == Side::First { (0, 1) } else { (7, 6) };
            for (file, kind) in chess960_back_rank(number)?.into_iter().enumerate() {
                setup.board[Square::new(file, back).index()] = Some(Piece::new(side, kind));
                setup.board[Square::new(file, pawns).index()] = Some(Piece::new(side, PieceKind::Pawn));
                setup.castling[side.index()] |= u8::from(kind == PieceKind::Rook) << file;
            }
        }
        Some(setup)
    }

    /// The squares on which this piece stands.
    pub fn squares_of(&self, piece: Piece) -> impl DoubleEndedIterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.piece_on(*square) == Some(piece))
    }

    /// The position in a mirror, the a-file and the h-file exchanged. The rules do not tell them apart except in
    /// castling, so the rights are left out.
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.mirrored().index()] = self.piece_on(square);
        }
        Setup {
            board: men,
            castling: [0; 2],
            en_passant: self.en_passant.map(Square::mirrored),
            ..self.clone()
        }
    }

    /// The position with the colours exchanged, each side at its own end. The rules do not tell them apart.
    #[must_use]
    pub fn swapped(&self) -> Setup {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.flipped().index()] = self.piece_on(square).map(Piece::swapped);
        }
        let [white, black] = self.castling;
        let en_passant = self.en_passant.map(Square::flipped);
        Setup {
            board: men,
            side_to_move: !self.side_to_move,
            castling: [black, white],
            en_passant,
            ..self.clone()
        }
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// A side's king, if it has one.
    pub(crate) fn king_square(&self, side: Side) -> Option<Square> {
        self.squares_of(Piece::new(side, PieceKind::King)).next()
    }

    /// The rooks of both sides that may still castle: those written down that stand where they can, and on each side of
    /// the king the outermost only.
    pub(crate) fn castling_rooks(&self) -> SquareSet {
        Side::BOTH.iter().fold(SquareSet::EMPTY, |rooks, &side| {
            let [left, right] = self.castling_rooks_of(side);
            left.into_iter()
                .chain(right)
                .fold(rooks, |rooks, rook| rooks | SquareSet::from_square(rook.index()))
        })
    }

    /// The rooks of one side that may still castle, towards the a-file and towards the h-file.
    fn castling_rooks_of(&self, side: Side) -> [Option<Square>; 2] {
        let back = back_rank_of(side);
        let Some(king) = self.king_square(side).filter(|king| king.rank() == back) else { return [None; 2] };
        let rook = |file: &usize| {
            let square = Square::new(*file, back);
            let written = self.castling[side.index()] >> file & 1 != 0;
            written && self.piece_on(square) == Some(Piece::new(side, PieceKind::Rook))
        };
        let square = |file| Square::new(file, back);
        [(0..king.file()).find(rook).map(square), (king.file() + 1..8).rev().find(rook).map(square)]
    }

    /// The en passant square, if it is one: the pawn that stepped over it stands before it, what it stepped over is empty.
    fn valid_en_passant(&self) -> Option<Square> {
        let square = self.en_passant?;
        let mover = !self.side_to_move;
        let ahead = if mover == Side::First { 1 } else { -1 };
        let (from, pawn) = (square.step(0, -ahead)?, square.step(0, ahead)?);
        let sound = square.relative_rank(mover) == 2
            && self.piece_on(square).is_none()
            && self.piece_on(from).is_none()
            && self.piece_on(pawn) == Some(Piece::new(mover, PieceKind::Pawn));
        sound.then_some(square)
    }

    /// The en passant square, if a pawn of the side to move attacks it.
    pub(crate) fn capturable_en_passant(&self) -> Option<Square> {
        let square = self.valid_en_passant()?;
        let behind = if self.side_to_move == Side::First { -1 } else { 1 };
        let pawn = Some(Piece::new(self.side_to_move, PieceKind::Pawn));
        let attacked = [-1, 1]
            .into_iter()
            .filter_map(|files| square.step(files, behind))
            .any(|from| self.piece_on(from) == pawn);
        attacked.then_some(square)
    }

    /// The men of the other side that attack a side's king.
    fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.king_square(side) else { return Vec::new() };
        let enemy = |kind| Some(Piece::new(!side, kind));
        let mut checkers = Vec::new();
        for (files, ranks) in (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks))) {
            let line = if files == 0 || ranks == 0 { PieceKind::Rook } else { PieceKind::Bishop };
            let ray = core::iter::successors(king.step(files, ranks), |at| at.step(files, ranks));
            if (files, ranks) != (0, 0)
                && let Some(first) = ray.into_iter().find(|&at| self.piece_on(at).is_some())
            {
                let near = king.step(files, ranks) == Some(first);
                let toward = if side == Side::First { 1 } else { -1 };
                let man = self.piece_on(first);
                if man == enemy(line)
                    || man == enemy(PieceKind::Queen)
                    || near && man == enemy(PieceKind::King)
                    || near && man == enemy(PieceKind::Pawn) && files != 0 && ranks == toward
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

    /// The complaints about the number of men of one side.
    fn push_piece_count_issues(&self, side: Side, complaints: &mut Vec<SetupIssue>) {
        let kings: Vec<_> = self.squares_of(Piece::new(side, PieceKind::King)).collect();
        match kings[..] {
            [] => complaints.push(SetupIssue::KingMissing(side)),
            [_] => {}
            _ => complaints.push(SetupIssue::KingDoubled(side, kings)),
        }
        let men: Vec<_> = Square::all()
            .filter(|&square| self.piece_on(square).is_some_and(|man| man.side() == side))
            .collect();
        if men.len() > 16 {
            complaints.push(SetupIssue::TooManyPieces(side, men));
        }
        // Whatever there is beyond the first set was a pawn once.
        let pawns = PieceKind::ALL.iter().filter(|&&kind| kind != PieceKind::King).map(|&kind| {
            let first = if kind == PieceKind::Pawn { 0 } else { kind.initial_count() };
            self.squares_of(Piece::new(side, kind)).count().saturating_sub(first)
        });
        let pawns = pawns.sum::<usize>();
        if pawns > 8 {
            complaints.push(SetupIssue::TooManyPawns(side, pawns));
        }
    }
}

/// The back rank of a side.
pub(crate) const fn back_rank_of(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 7,
    }
}

/// Scharnagl's numbering: the number is taken apart by 4, 4 and 6 for the light bishop, the dark bishop and the queen; what
/// is left says where the two knights stand among the five squares that remain; rook, king, rook fill the rest.
fn chess960_back_rank(number: usize) -> Option<[PieceKind; 8]> {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= 960 {
        return None;
    }
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    let free = |rank: &[Option<PieceKind>; 8], nth| {
        (0..8).filter(|&file| rank[file].is_none()).nth(nth).expect("a free file")
    };
    let queen = free(&rank, number / 16 % 6);
    rank[queen] = Some(PieceKind::Queen);
    let knights = KNIGHTS[number / 96];
    let knights = [free(&rank, knights.0), free(&rank, knights.1)];
    for file in knights {
        rank[file] = Some(PieceKind::Knight);
    }
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        let file = free(&rank, 0);
        rank[file] = Some(kind);
    }
    Some(rank.map(|kind| kind.expect("every file is filled")))
}

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {
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
    TooManyPieces(Side, Vec<Square>),
}

fn join_square_names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for SetupIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupIssue::ImpossibleSquare(piece, square) => write!(f, "a {piece} can never stand on {square}"),
            SetupIssue::OpponentInCheck(side, from) => {
                write!(
                    f,
                    "{} is in check from {} but is not to move",
                    side_name(*side),
                    join_square_names(from)
                )
            }
            SetupIssue::Castling(side, rook) => {
                write!(f, "{} cannot castle with a rook on {rook}", side_name(*side))
            }
            SetupIssue::EnPassant(square) => write!(f, "no pawn has just stepped over {square}"),
            SetupIssue::TooManyPawns(side, pawns) => {
                write!(
                    f,
                    "{} has {pawns} pawns and promoted men together: a set has 8 pawns",
                    side_name(*side)
                )
            }
            SetupIssue::KingMissing(side) => write!(f, "{} has no king", side_name(*side)),
            SetupIssue::KingDoubled(side, at) => {
                write!(f, "{} has {} kings, on {}", side_name(*side), at.len(), join_square_names(at))
            }
            SetupIssue::TooManyPieces(side, at) => {
                write!(f, "{} has {} men: a set has 16", side_name(*side), at.len())
            }
        }
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    fn name(&self) -> &'static str {
        match self {
            SetupIssue::ImpossibleSquare(..) => "impossible_square",
            SetupIssue::OpponentInCheck(..) => "opponent_in_check",
            SetupIssue::Castling(..) => "castling",
            SetupIssue::EnPassant(..) => "en_passant",
            SetupIssue::TooManyPawns(..) => "too_many_pawns",
            SetupIssue::KingMissing(..) => "king_missing",
            SetupIssue::KingDoubled(..) => "king_doubled",
            SetupIssue::TooManyPieces(..) => "too_many",
        }
    }

    fn is_waivable(&self) -> bool {
        <Setup as alfil_kernel::Setup>::WAIVABLE.contains(&self.name())
    }

    fn squares(&self) -> Vec<String> {
        let squares = match self {
            SetupIssue::ImpossibleSquare(_, at) | SetupIssue::Castling(_, at) | SetupIssue::EnPassant(at) => {
                vec![*at]
            }
            SetupIssue::OpponentInCheck(_, at)
            | SetupIssue::KingDoubled(_, at)
            | SetupIssue::TooManyPieces(_, at) => at.clone(),
            SetupIssue::TooManyPawns(..) | SetupIssue::KingMissing(_) => Vec::new(),
        };
        squares.iter().map(Square::to_string).collect()
    }
}

impl alfil_kernel::Setup for Setup {
    type Issue = SetupIssue;
    type Expected = Expected;
    const WAIVABLE: &'static [&'static str] =
        &["impossible_square", "opponent_in_check", "castling", "en_passant", "too_many_pawns"];

    fn start() -> Self {
        Setup::chess960(518).expect("one of the 960")
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
        let mut complaints = Vec::new();
        for side in Side::BOTH {
            self.push_piece_count_issues(side, &mut complaints);
        }
        for square in Square::all().filter(|square| matches!(square.rank(), 0 | 7)) {
            if let Some(pawn) = self.piece_on(square).filter(|man| man.kind() == PieceKind::Pawn) {
                complaints.push(SetupIssue::ImpossibleSquare(pawn, square));
            }
        }
        for side in Side::BOTH {
            let castlers = self.castling_rooks_of(side);
            let written = (0..8).filter(|file| self.castling[side.index()] >> file & 1 != 0);
            let rooks = written.map(|file| Square::new(file, back_rank_of(side)));
            let lost = rooks.filter(|rook| !castlers.contains(&Some(*rook)));
            complaints.extend(lost.map(|rook| SetupIssue::Castling(side, rook)));
        }
        if let Some(square) = self.en_passant.filter(|_| self.valid_en_passant().is_none()) {
            complaints.push(SetupIssue::EnPassant(square));
        }
        let checkers = self.checkers(!self.side_to_move);
        if !checkers.is_empty() {
            complaints.push(SetupIssue::OpponentInCheck(!self.side_to_move, checkers));
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
    use alfil_kernel::{Setup as _, SetupIssue as _, Waivers};

    fn complaints(text: &str) -> Vec<String> {
        fen::parse(text).unwrap().issues().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_sound_position_has_no_complaints() {
        assert!(Setup::start().issues().is_empty());
        assert!(Setup::start().mirrored().swapped().issues().is_empty());
        assert_eq!(complaints("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").len(), 0);
    }

    #[test]
    fn the_960_are_all_different_and_sound() {
        let mut starts: Vec<_> = (0..960).map(|number| Setup::chess960(number).unwrap().to_text()).collect();
        assert!(
            (0..960).all(|number| Setup::double_chess960(number, 959 - number).unwrap().issues().is_empty())
        );
        starts.sort();
        starts.dedup();
        assert_eq!((starts.len(), Setup::chess960(960)), (960, None));
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
        let checked = fen::parse("4k3/8/8/4R3/8/8/8/3K4 w").unwrap();
        assert!(checked.validate(&Waivers::None).is_err());
        assert!(checked.validate(&Waivers::Named(vec!["castling".into()])).is_err());
        assert!(checked.validate(&Waivers::Named(vec!["opponent_in_check".into()])).is_ok());
        let bare = Setup::EMPTY.validate(&Waivers::All).unwrap_err();
        assert!(bare.issues.iter().all(|complaint| !complaint.is_waivable()));
        assert_eq!(bare.issues.len(), 2);
    }
}
