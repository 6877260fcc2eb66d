//! What is wrong with a record, and where.

use core::fmt;

use alfil_chess::Chess;
use alfil_kernel::{FenError, NotationError, SetupError, Side};
use alfil_othello::Othello;
use alfil_xiangqi::Xiangqi;

use crate::charset::Charset;
use crate::recorded::{ComplaintOf, ExpectedOf, ReasonOf, Recorded};

/// One thing in a file that cannot be read as it stands. Whatever stood before it in the same game is kept, and so are the
/// other games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The byte in the file, from 0.
    pub offset: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The move it concerns, with its number as records write it: `14... Nf9`; empty where it concerns no move.
    pub mv: String,
    /// What is wrong: a value and no sentence, so that a door can say it in another language.
    pub reason: Reason,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, byte {}", self.game, self.line, self.offset)?;
        if !self.mv.is_empty() {
            write!(f, ", move {}", self.mv)?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// What can be wrong with a record. `Display` says it in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The file is in UTF-16.
    Utf16,
    /// A transcript holds something that is not ASCII.
    NotAscii,
    /// The game is longer than so many bytes.
    TooLong(usize),
    /// A tag says that it is a record of another game or variant.
    Stranger {
        /// The tag.
        tag: &'static str,
        /// What it says.
        value: String,
        /// The game it was read as.
        game: &'static str,
    },
    /// A record of Chess960 does not say where it starts.
    NoStart,
    /// The tag `Format` names no dialect.
    Format(String),
    /// The tag `FEN` cannot be read.
    Fen(Box<AnyRefusal>),
    /// No game can be played from the start position.
    Start(Box<AnyRefusal>),
    /// The board of a GGF record cannot be read, or no game played on it.
    Board(Box<AnyRefusal>),
    /// The board of a GGF record is of another size.
    BoardSize,
    /// The board of a GGF record is set up after moves have been made.
    BoardLate,
    /// The type of a GGF record is of another size.
    Type(String),
    /// A tag has no name.
    TagUnnamed,
    /// The tag of this name has no value in quotes.
    TagUnquoted(String),
    /// The value of the tag of this name has no end.
    TagUnended(String),
    /// Tags stand there twice.
    TagTwice,
    /// Something else stands where a tag of GGF belongs.
    NoTag,
    /// A tag of GGF has no end.
    TagUnclosed,
    /// A game of GGF has no end.
    Unclosed,
    /// The tag `Result` and the moves disagree.
    ResultOther,
    /// The tag `Result` is no result.
    ResultUnknown,
    /// A move cannot be read or played.
    Move(Box<AnyRefusal>),
    /// A word of so many bytes is no move.
    LongWord(usize),
    /// Neither a square nor a pass stands where a move of Othello belongs.
    NoSquare,
    /// It is this side's turn, not the other's.
    Turn(Side),
    /// A side passes while it is in check.
    PassInCheck,
    /// A glyph stands where there is no move yet.
    GlyphEarly,
    /// A glyph has no number, or one beyond 255.
    GlyphNumber,
    /// A brace closes no comment.
    StrayBrace,
    /// A comment has no end.
    CommentUnclosed,
    /// A variation has no move.
    VariationEmpty,
    /// A variation stands where there is no move to be replaced.
    VariationOfNothing,
    /// A variation lies too deep in others.
    VariationDeep,
    /// The game ends within a variation.
    VariationUnclosed,
    /// A parenthesis closes no variation.
    StrayParenthesis,
    /// Something stands behind the result.
    BehindResult,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Utf16 => "the file is UTF-16: save it as UTF-8",
            Reason::NotAscii => "a transcript is plain ASCII",
            Reason::TooLong(most) => return write!(f, "the game is longer than {most} bytes"),
            Reason::Stranger { tag, value, game } => {
                return write!(f, "the tag {tag} says {value:?}, which does not name {game}");
            }
            Reason::NoStart => "a record of Chess960 needs its start in the tag FEN",
            Reason::Format(found) => {
                return write!(f, "the tag Format: expected Chinese, WXF or ICCS, found {found:?}");
            }
            Reason::Fen(refusal) => return write!(f, "the tag FEN: {refusal}"),
            Reason::Start(refusal) => return write!(f, "the start position: {refusal}"),
            Reason::Board(refusal) => return write!(f, "the board: {refusal}"),
            Reason::BoardSize => "the board is not one of 8 by 8",
            Reason::BoardLate => "the board is set up after moves have been made",
            Reason::Type(found) => return write!(f, "the type {found:?} is no board of 8 by 8"),
            Reason::TagUnnamed => "a tag without a name",
            Reason::TagUnquoted(name) => return write!(f, "the tag {name} has no value in quotes"),
            Reason::TagUnended(name) => return write!(f, "the value of the tag {name} has no end"),
            Reason::TagTwice => "a tag stands there twice: the first counts",
            Reason::NoTag => "expected a tag, such as B[f5]",
            Reason::TagUnclosed => "nothing closes this tag",
            Reason::Unclosed => "nothing closes the game",
            Reason::ResultOther => "the tag Result says another result than the moves: theirs counts",
            Reason::ResultUnknown => "the tag Result is none of 1-0, 0-1, 1/2-1/2 and *",
            Reason::Move(refusal) => return refusal.fmt(f),
            Reason::LongWord(bytes) => return write!(f, "no move is written in {bytes} bytes"),
            Reason::NoSquare => "expected a square, such as f5, or PASS (in GGF, PA)",
            Reason::Turn(Side::First) => "it is Black's turn",
            Reason::Turn(Side::Second) => "it is White's turn",
            Reason::PassInCheck => "nobody passes while in check",
            Reason::GlyphEarly => "a glyph stands before the move it belongs to",
            Reason::GlyphNumber => "after $ comes a number from 0 to 255",
            Reason::StrayBrace => "this brace closes no comment",
            Reason::CommentUnclosed => "the comment that begins here has no closing brace",
            Reason::VariationEmpty => "this variation has no move",
            Reason::VariationOfNothing => "this variation has no move that it could replace",
            Reason::VariationDeep => "this variation lies too deep in others",
            Reason::VariationUnclosed => "the game ends within a variation",
            Reason::StrayParenthesis => "this parenthesis closes no variation",
            Reason::BehindResult => "this stands behind the result",
        })
    }
}

impl std::error::Error for Reason {}

/// A refusal by one of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyRefusal {
    /// By chess.
    Chess(Refusal<Chess>),
    /// By Othello.
    Othello(Refusal<Othello>),
    /// By xiangqi.
    Xiangqi(Refusal<Xiangqi>),
}

impl fmt::Display for AnyRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyRefusal::Chess(refusal) => refusal.fmt(f),
            AnyRefusal::Othello(refusal) => refusal.fmt(f),
            AnyRefusal::Xiangqi(refusal) => refusal.fmt(f),
        }
    }
}

/// Why a game refuses a text of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<G: Recorded> {
    /// A position text cannot be read.
    Text(FenError<ExpectedOf<G>>),
    /// No game can be played from a position.
    Setup(SetupError<ComplaintOf<G>>),
    /// A word names no legal move.
    Word(NotationError<ReasonOf<G>>),
    /// A move may not be played.
    Move(ReasonOf<G>),
}

impl<G: Recorded> fmt::Display for Refusal<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Text(error) => error.fmt(f),
            Refusal::Setup(error) => error.fmt(f),
            Refusal::Word(error) => error.fmt(f),
            Refusal::Move(reason) => reason.fmt(f),
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
    pub(crate) fn fault(&self, at: usize, mv: String, reason: Reason) -> Fault {
        let at = self.charset.bytes_before(self.bytes, at);
        let lines = memchr::memchr_iter(self.newline, &self.bytes[..at]).count() as u64;
        let (game, offset, line) = (self.number, self.offset + at as u64, self.line + lines);
        Fault { game, offset, line, mv, reason }
    }
}

/// At most this many bytes of a move that cannot be read are repeated in its fault.
const SHOWN: usize = 40;

/// A move's number and text as faults show it.
pub(crate) fn numbered(ply: usize, number: u32, second: bool, text: &str) -> String {
    let plies = ply + usize::from(second);
    let number = u64::from(number) + plies as u64 / 2;
    let dots = if plies.is_multiple_of(2) { "." } else { "..." };
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{number}{dots} {shown}")
}
