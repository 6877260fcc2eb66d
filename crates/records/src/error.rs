//! What is wrong with a record, and where.

use core::fmt;

use alfil_chess::Chess;
use alfil_kernel::{FenError, NotationError, SetupError, Side};
use alfil_othello::Othello;
use alfil_xiangqi::Xiangqi;

use crate::charset::Charset;
use crate::record_format::{ExpectedOf, IllegalReasonOf, RecordFormat, SetupIssueOf};

/// One thing in a file that cannot be read as it stands. Whatever stood before it in the same game is kept, and so are the
/// other games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecordError {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The byte in the file, from 0.
    pub offset: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The move it concerns, with its number as records write it: `14... Nf9`; empty where it concerns no move.
    pub mv: String,
    /// What is wrong: a value and no sentence, so that a door can say it in another language.
    pub kind: RecordErrorKind,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, byte {}", self.game, self.line, self.offset)?;
        if !self.mv.is_empty() {
            write!(f, ", move {}", self.mv)?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// What can be wrong with a record. `Display` says it in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordErrorKind {
    /// The file is in UTF-16.
    Utf16,
    /// A transcript holds something that is not ASCII.
    NotAscii,
    /// The game is longer than so many bytes.
    GameTooLong(usize),
    /// A tag says that it is a record of another game or variant.
    OtherGame {
        /// The tag.
        tag: &'static str,
        /// What it says.
        value: String,
        /// The game it was read as.
        game: &'static str,
    },
    /// A record of Chess960 does not say where it starts.
    MissingStart,
    /// The tag `Format` names no dialect.
    UnknownFormat(String),
    /// The tag `FEN` cannot be read.
    InvalidFen(Box<AnyGameError>),
    /// No game can be played from the start position.
    InvalidStart(Box<AnyGameError>),
    /// The board of a GGF record cannot be read, or no game played on it.
    InvalidBoard(Box<AnyGameError>),
    /// The board of a GGF record is of another size.
    UnsupportedBoardSize,
    /// The board of a GGF record is set up after moves have been made.
    BoardAfterMoves,
    /// The type of a GGF record is of another size.
    UnsupportedType(String),
    /// A tag has no name.
    TagWithoutName,
    /// The tag of this name has no value in quotes.
    TagWithoutQuotes(String),
    /// The value of the tag of this name has no end.
    UnclosedTagValue(String),
    /// Tags stand there twice.
    DuplicateTag,
    /// Something else stands where a tag of GGF belongs.
    ExpectedTag,
    /// A tag of GGF has no end.
    UnclosedTag,
    /// A game of GGF has no end.
    UnclosedGame,
    /// The tag `Result` and the moves disagree.
    ConflictingResult,
    /// The tag `Result` is no result.
    UnknownResult,
    /// A move cannot be read or played.
    InvalidMove(Box<AnyGameError>),
    /// A word of so many bytes is no move.
    MoveTooLong(usize),
    /// Neither a square nor a pass stands where a move of Othello belongs.
    ExpectedSquare,
    /// It is this side's turn, not the other's.
    WrongSide(Side),
    /// A side passes while it is in check.
    NullMoveInCheck,
    /// A glyph stands where there is no move yet.
    NagBeforeMove,
    /// A glyph has no number, or one beyond 255.
    InvalidNag,
    /// A brace closes no comment.
    UnmatchedBrace,
    /// A comment has no end.
    UnclosedComment,
    /// A variation has no move.
    EmptyVariation,
    /// A variation stands where there is no move to be replaced.
    VariationBeforeMove,
    /// A variation lies too deep in others.
    VariationTooDeep,
    /// The game ends within a variation.
    UnclosedVariation,
    /// A parenthesis closes no variation.
    UnmatchedParenthesis,
    /// Something stands behind the result.
    TextAfterResult,
}

impl fmt::Display for RecordErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordErrorKind::Utf16 => "the file is UTF-16: save it as UTF-8",
            RecordErrorKind::NotAscii => "a transcript is plain ASCII",
            RecordErrorKind::GameTooLong(most) => return write!(f, "the game is longer than {most} bytes"),
            RecordErrorKind::OtherGame { tag, value, game } => {
                return write!(f, "the tag {tag} says {value:?}, which does not name {game}");
            }
            RecordErrorKind::MissingStart => "a record of Chess960 needs its start in the tag FEN",
            RecordErrorKind::UnknownFormat(found) => {
                return write!(f, "the tag Format: expected Chinese, WXF or ICCS, found {found:?}");
            }
            RecordErrorKind::InvalidFen(refusal) => return write!(f, "the tag FEN: {refusal}"),
            RecordErrorKind::InvalidStart(refusal) => return write!(f, "the start position: {refusal}"),
            RecordErrorKind::InvalidBoard(refusal) => return write!(f, "the board: {refusal}"),
            RecordErrorKind::UnsupportedBoardSize => "the board is not one of 8 by 8",
            RecordErrorKind::BoardAfterMoves => "the board is set up after moves have been made",
            RecordErrorKind::UnsupportedType(found) => {
                return write!(f, "the type {found:?} is no board of 8 by 8");
            }
            RecordErrorKind::TagWithoutName => "a tag without a name",
            RecordErrorKind::TagWithoutQuotes(name) => {
                return write!(f, "the tag {name} has no value in quotes");
            }
            RecordErrorKind::UnclosedTagValue(name) => {
                return write!(f, "the value of the tag {name} has no end");
            }
            RecordErrorKind::DuplicateTag => "a tag stands there twice: the first counts",
            RecordErrorKind::ExpectedTag => "expected a tag, such as B[f5]",
            RecordErrorKind::UnclosedTag => "nothing closes this tag",
            RecordErrorKind::UnclosedGame => "nothing closes the game",
            RecordErrorKind::ConflictingResult => {
                "the tag Result says another result than the moves: theirs counts"
            }
            RecordErrorKind::UnknownResult => "the tag Result is none of 1-0, 0-1, 1/2-1/2 and *",
            RecordErrorKind::InvalidMove(refusal) => return refusal.fmt(f),
            RecordErrorKind::MoveTooLong(bytes) => return write!(f, "no move is written in {bytes} bytes"),
            RecordErrorKind::ExpectedSquare => "expected a square, such as f5, or PASS (in GGF, PA)",
            RecordErrorKind::WrongSide(Side::First) => "it is Black's turn",
            RecordErrorKind::WrongSide(Side::Second) => "it is White's turn",
            RecordErrorKind::NullMoveInCheck => "nobody passes while in check",
            RecordErrorKind::NagBeforeMove => "a glyph stands before the move it belongs to",
            RecordErrorKind::InvalidNag => "after $ comes a number from 0 to 255",
            RecordErrorKind::UnmatchedBrace => "this brace closes no comment",
            RecordErrorKind::UnclosedComment => "the comment that begins here has no closing brace",
            RecordErrorKind::EmptyVariation => "this variation has no move",
            RecordErrorKind::VariationBeforeMove => "this variation has no move that it could replace",
            RecordErrorKind::VariationTooDeep => "this variation lies too deep in others",
            RecordErrorKind::UnclosedVariation => "the game ends within a variation",
            RecordErrorKind::UnmatchedParenthesis => "this parenthesis closes no variation",
            RecordErrorKind::TextAfterResult => "this stands behind the result",
        })
    }
}

impl std::error::Error for RecordErrorKind {}

/// A refusal by one of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyGameError {
    /// By chess.
    Chess(GameError<Chess>),
    /// By Othello.
    Othello(GameError<Othello>),
    /// By xiangqi.
    Xiangqi(GameError<Xiangqi>),
}

impl fmt::Display for AnyGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyGameError::Chess(refusal) => refusal.fmt(f),
            AnyGameError::Othello(refusal) => refusal.fmt(f),
            AnyGameError::Xiangqi(refusal) => refusal.fmt(f),
        }
    }
}

/// Why a game refuses a text of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError<G: RecordFormat> {
    /// A position text cannot be read.
    InvalidPositionText(FenError<ExpectedOf<G>>),
    /// No game can be played from a position.
    InvalidSetup(SetupError<SetupIssueOf<G>>),
    /// A word names no legal move.
    InvalidMoveText(NotationError<IllegalReasonOf<G>>),
    /// A move may not be played.
    IllegalMove(IllegalReasonOf<G>),
}

impl<G: RecordFormat> fmt::Display for GameError<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::InvalidPositionText(error) => error.fmt(f),
            GameError::InvalidSetup(error) => error.fmt(f),
            GameError::InvalidMoveText(error) => error.fmt(f),
            GameError::IllegalMove(reason) => reason.fmt(f),
        }
    }
}

/// Where a game stands in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) charset: Charset,
    pub(crate) newline: u8,
}

impl Origin<'_> {
    /// What is wrong at this byte of the game's text.
    pub(crate) fn error_at(&self, at: usize, mv: String, reason: RecordErrorKind) -> RecordError {
        let at = self.charset.bytes_before(self.bytes, at);
        let lines = memchr::memchr_iter(self.newline, &self.bytes[..at]).count() as u64;
        let (game, offset, line) = (self.number, self.offset + at as u64, self.line + lines);
        RecordError { game, offset, line, mv, kind: reason }
    }
}

/// At most this many bytes of a move that cannot be read are repeated in its fault.
const MAX_SHOWN_CHARS: usize = 40;

/// A move's number and text as faults show it.
pub(crate) fn numbered_move(ply: usize, number: u32, second: bool, text: &str) -> String {
    let plies = ply + usize::from(second);
    let number = u64::from(number) + plies as u64 / 2;
    let dots = if plies.is_multiple_of(2) { "." } else { "..." };
    let mut shown: String = text.chars().take(MAX_SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{number}{dots} {shown}")
}
