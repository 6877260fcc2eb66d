//! Errors of records and their places in a file.

use core::fmt;

use alfil_kernel::Side;

use crate::charset::Charset;
use crate::file_format::{FileFormat, FormatUse};
use crate::game_error::AnyGameError;

/// An error in a record. The moves before it and the other games of the file are kept.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::pgn;
///
/// let game = pgn::Reader::new(&b"1. e4 e5 2. Ke3 *"[..]).next_game()?.unwrap().parse::<Chess>();
/// let error = game.error.unwrap();
/// assert_eq!((error.game, error.line, error.mv.as_str()), (1, 1, "2. Ke3"));
/// // The moves before it are kept.
/// assert_eq!(game.tree.moves.move_count(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecordError {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The byte offset in the file, from 0.
    pub offset: u64,
    /// The line in the file, from 1; 0 in a file that has no lines.
    pub line: u64,
    /// The move concerned with its number, such as `14... Nf9`; empty if no move is concerned.
    pub mv: String,
    /// The kind of the error, from which messages in other languages are made.
    pub kind: RecordErrorKind,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // This error concerns the whole file and no place in it.
        if let RecordErrorKind::UnsupportedFile(_) = self.kind {
            return self.kind.fmt(f);
        }
        write!(f, "game {}, ", self.game)?;
        if self.line > 0 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "byte {}", self.offset)?;
        if !self.mv.is_empty() {
            write!(f, ", move {}", self.mv)?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// The kind of a record error. `Display` formats it in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordErrorKind {
    /// The file has a format without games, or one that is not read. The error concerns the whole file.
    UnsupportedFile(FileFormat),
    /// The text has neither tags nor, as its first word, a move of any of these games.
    NoRecord(Vec<&'static str>),
    /// A row of a table of openings has no moves.
    MissingMoves,
    /// The file is in UTF-16.
    Utf16,
    /// A transcript has a character outside ASCII.
    NotAscii,
    /// The game is longer than this number of bytes.
    GameTooLong(usize),
    /// A tag names another game or variant.
    OtherGame {
        /// The name of the tag.
        tag: &'static str,
        /// The value of the tag.
        value: String,
        /// The game as which the record was read.
        game: &'static str,
    },
    /// A Chess960 record has no start position.
    MissingStart,
    /// The tag `FEN` is invalid.
    InvalidFen(Box<AnyGameError>),
    /// The start position is illegal.
    InvalidStart(Box<AnyGameError>),
    /// The start position cannot have these rights of castling or en passant, which are dropped.
    DroppedRights(Box<AnyGameError>),
    /// The board of a GGF record is invalid or illegal.
    InvalidBoard(Box<AnyGameError>),
    /// The board of a GGF record is not 8 by 8.
    UnsupportedBoardSize,
    /// The board of a GGF record follows a move.
    BoardAfterMoves,
    /// The type of a GGF record is not an 8 by 8 board.
    UnsupportedType(String),
    /// A tag has no name.
    TagWithoutName,
    /// The value of the tag of this name is not in quotes.
    TagWithoutQuotes(String),
    /// The value of the tag of this name has no closing quote.
    UnclosedTagValue(String),
    /// A tag occurs twice.
    DuplicateTag,
    /// A GGF tag was expected.
    ExpectedTag,
    /// A GGF tag has no closing bracket.
    UnclosedTag,
    /// A game has no end: "closing parenthesis" in GGF and SGF, `}END` in WXF.
    UnclosedGame(&'static str),
    /// The tag `Result` contradicts the movetext.
    ConflictingResult,
    /// The value of the tag `Result` of PGN is invalid.
    InvalidResultTag,
    /// The result, or its first characters, is none of those of a format that has other words or numbers than PGN.
    UnknownResult(String),
    /// A move is invalid or illegal.
    InvalidMove(Box<AnyGameError>),
    /// A sign among the moves is left out.
    UnknownSign(String),
    /// A line of a file of keywords begins with a keyword that has no meaning here, and is left out.
    UnknownKeyword(String),
    /// A word of this number of bytes is too long for a move.
    MoveTooLong(usize),
    /// A square or pass was expected (Othello).
    ExpectedSquare,
    /// A move is that of the other side: it is the turn of this side (Othello, where Black is the first).
    WrongSide(Side),
    /// A null move in check.
    NullMoveInCheck,
    /// A NAG precedes the first move of its variation.
    NagBeforeMove,
    /// A NAG has no number from 0 to 255.
    InvalidNag,
    /// A closing brace without a comment.
    UnmatchedBrace,
    /// A comment has no closing brace.
    UnclosedComment,
    /// A variation has no move.
    EmptyVariation,
    /// A variation before the first move.
    VariationBeforeMove,
    /// Variations are nested too deeply.
    VariationTooDeep,
    /// A variation has no closing parenthesis.
    UnclosedVariation,
    /// A closing parenthesis without a variation.
    UnmatchedParenthesis,
    /// A token follows the result.
    TextAfterResult,
    /// The file ends within the game.
    UnexpectedEnd,
    /// The version of the format is unknown.
    UnknownVersion(u32),
    /// The game has more than this number of moves.
    TooManyMoves(usize),
    /// A move of a xiangqi file does not name two squares of the board.
    NoMove,
    /// A move is illegal.
    IllegalMove,
    /// The record has no board.
    MissingBoard,
    /// A checksum in the header of an XQF file is wrong.
    WrongChecksum,
    /// This number of moves after the game is skipped.
    RestSkipped(usize),
    /// A library or base has fewer or more games than its header says.
    WrongGameCount {
        /// The number in the header.
        expected: u64,
        /// The number of games in the file.
        found: u64,
    },
    /// A branch of DhtmlXQ, by the digits of its tag, replaces no move of the game, or has the number 0 or that of an
    /// earlier branch.
    OrphanBranch(String),
    /// A branch of DhtmlXQ, by the digits of its tag, is left out: too many moves lead to the branches of the game.
    TooManyBranches(String),
    /// The XML is malformed; the message of the XML parser.
    InvalidXml(String),
    /// The base is of boards of another size.
    OtherBoardSize(u8),
    /// The final position has another number of black discs than the record.
    WrongScore {
        /// The number in the record.
        expected: i32,
        /// The number on the board.
        found: i32,
    },
}

impl fmt::Display for RecordErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RecordErrorKind::*;
        f.write_str(match self {
            UnsupportedFile(format) => return write!(f, "this is {}{}", format.name(), consequence(*format)),
            NoRecord(games) => {
                let games = games.join(", ");
                return write!(
                    f,
                    "this is no record: expected tags, such as [White \"A\"], or a move of {games}"
                );
            }
            MissingMoves => "the row has no moves",
            Utf16 => "the file is in UTF-16: convert it to UTF-8",
            NotAscii => "a transcript must be in ASCII",
            GameTooLong(max) => return write!(f, "the game is longer than {max} bytes"),
            OtherGame { tag, value, game } => {
                return write!(f, "expected a record of {game}, but the tag {tag} is {value:?}");
            }
            MissingStart => "a Chess960 record needs its start position in the tag FEN",
            InvalidFen(error) => return write!(f, "the tag FEN: {error}"),
            InvalidStart(error) => return write!(f, "the start position: {error}"),
            DroppedRights(error) => return write!(f, "left out of the start position: {error:#}"),
            InvalidBoard(error) => return write!(f, "the board: {error}"),
            UnsupportedBoardSize => "the board is not 8 by 8",
            BoardAfterMoves => "the board is set up after a move: it must precede the moves",
            UnsupportedType(found) => return write!(f, "the type {found:?} is not an 8 by 8 board"),
            TagWithoutName => "the tag has no name",
            TagWithoutQuotes(name) => return write!(f, "the value of the tag {name} is not in quotes"),
            UnclosedTagValue(name) => return write!(f, "the value of the tag {name} has no closing quote"),
            DuplicateTag => "a tag occurs twice: the first one is used",
            ExpectedTag => "expected a tag, such as B[f5]",
            UnclosedTag => "the tag has no closing bracket",
            UnclosedGame(end) => return write!(f, "the game has no {end}"),
            ConflictingResult => "the header has another result than the end of the moves, which is used",
            InvalidResultTag => "the tag Result must be 1-0, 0-1, 1/2-1/2 or *",
            UnknownResult(found) => return write!(f, "the result {found:?} is unknown and left out"),
            InvalidMove(error) => return error.fmt(f),
            UnknownSign(sign) => return write!(f, "the sign {sign:?} is unknown and left out"),
            UnknownKeyword(word) => {
                return write!(f, "the keyword {word:?} is unknown, and its line is left out");
            }
            MoveTooLong(bytes) => return write!(f, "a word of {bytes} bytes is too long for a move"),
            ExpectedSquare => "expected a square, such as f5, or PASS (in GGF, PA)",
            WrongSide(Side::First) => "it is Black's turn",
            WrongSide(Side::Second) => "it is White's turn",
            NullMoveInCheck => "a null move is illegal in check",
            NagBeforeMove => "the NAG precedes the first move of its variation",
            InvalidNag => "expected a number from 0 to 255 after $",
            UnmatchedBrace => "the closing brace has no opening brace",
            UnclosedComment => "the comment has no closing brace",
            EmptyVariation => "the variation has no move",
            VariationBeforeMove => "the variation has no move to replace",
            VariationTooDeep => "the variations are nested too deeply",
            UnclosedVariation => "the variation has no closing parenthesis",
            UnmatchedParenthesis => "the closing parenthesis has no opening parenthesis",
            TextAfterResult => "unexpected text after the result",
            UnexpectedEnd => "the file ends within the game",
            UnknownVersion(version) => return write!(f, "the version {version} of this format is unknown"),
            TooManyMoves(max) => return write!(f, "the game has more than {max} moves"),
            NoMove => "expected two squares of the board",
            IllegalMove => "the move is illegal",
            MissingBoard => "the record has no board",
            WrongChecksum => "the checksum of the header is wrong",
            RestSkipped(1) => "one move after the end of the game is skipped",
            RestSkipped(count) => return write!(f, "{count} moves after the end of the game are skipped"),
            WrongGameCount { expected, found } => {
                let expected = counted(*expected, "game", "games");
                return write!(f, "the header announces {expected}, and the file has {found}");
            }
            OrphanBranch(tag) => {
                return write!(f, "branch {tag} replaces no move, or has another line's number");
            }
            TooManyBranches(tag) => return write!(f, "branch {tag} is left out: too many moves lead there"),
            InvalidXml(message) => return write!(f, "the XML is malformed: {message}"),
            OtherBoardSize(size) => return write!(f, "the board is {size} by {size}, not 8 by 8"),
            WrongScore { expected, found } => {
                let expected = counted(*expected, "disc", "discs");
                return write!(f, "the record has {expected} for Black, and the board {found}");
            }
        })
    }
}

impl std::error::Error for RecordErrorKind {}

/// Returns the rest of the sentence on a file that is not read as games: why, and what can be done.
fn consequence(format: FileFormat) -> &'static str {
    match (format, format.usage()) {
        (FileFormat::Polyglot, _) => {
            ", which has moves of positions and no games: write its lines as PGN with another program"
        }
        (FileFormat::Syzygy, _) => {
            ", which has results of positions and no games: give it to an engine that reads such tables"
        }
        (_, FormatUse::Packed) => ": unpack it first",
        (_, FormatUse::Positions) => ", which has positions and no games",
        (_, FormatUse::Games) => ", which no game here has",
        (_, FormatUse::Other) => ", not a file of games",
    }
}

/// Formats a number with its noun, in the singular for 1.
pub(crate) fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{count} {noun}")
}

/// The place of a game in its file.
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
    /// Creates an error at byte `at` of the decoded text of the game.
    pub(crate) fn error_at(&self, at: usize, mv: String, kind: RecordErrorKind) -> RecordError {
        let at = self.charset.bytes_before(self.bytes, at);
        let lines = memchr::memchr_iter(self.newline, &self.bytes[..at]).count() as u64;
        let (game, offset, line) = (self.number, self.offset + at as u64, self.line + lines);
        RecordError { game, offset, line, mv, kind }
    }
}

/// The length to which move texts are shortened in errors.
const MAX_SHOWN_CHARS: usize = 40;

/// Formats a move with its number for an error.
pub(crate) fn numbered_move(ply: usize, number: u32, second: bool, text: &str) -> String {
    let plies = ply + usize::from(second);
    let number = u64::from(number) + plies as u64 / 2;
    let dots = if plies.is_multiple_of(2) { "." } else { "..." };
    format!("{number}{dots} {}", shorten(text))
}

/// Returns the first characters of a text of a file, for an error.
pub(crate) fn shorten(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

impl RecordErrorKind {
    /// Returns the error that a format does not have this result.
    pub(crate) fn unknown_result(text: &str) -> RecordErrorKind {
        RecordErrorKind::UnknownResult(shorten(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_error::WriteError;

    #[test]
    fn one_of_a_thing_is_in_the_singular() {
        for (text, expected) in [
            (RecordErrorKind::WrongGameCount { expected: 1, found: 0 }.to_string(), "announces 1 game, and"),
            (RecordErrorKind::WrongGameCount { expected: 2, found: 0 }.to_string(), "announces 2 games, and"),
            (RecordErrorKind::WrongScore { expected: 1, found: 3 }.to_string(), "has 1 disc for Black"),
            (RecordErrorKind::WrongScore { expected: 0, found: 3 }.to_string(), "has 0 discs for Black"),
            (WriteError::IllegalMove { plies: 1 }.to_string(), "the move after 1 ply is illegal"),
            (WriteError::NullMove { format: FileFormat::Xqf, plies: 2 }.to_string(), "after 2 plies: "),
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }
}
