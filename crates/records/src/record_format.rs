//! What the record formats need from a game.

use std::borrow::Cow;

use alfil_kernel::{Game, Notation, NotationError, Outcome, Position, Setup, SetupError, Waivers};

use crate::charset::LegacyEncoding;
use crate::error::RecordErrorKind;
use crate::game_error::{AnyGameError, ExpectedOf, GameError, SetupIssueOf};
use crate::pgn::PieceLetters;
use crate::tags::{Tags, is_known};

use game_file::GameFileFormat;

#[cfg(feature = "chess")]
mod chess;
pub mod game_file;
#[cfg(feature = "othello")]
mod othello;
#[cfg(feature = "xiangqi")]
mod xiangqi;

/// The dialects of a game's move notation.
pub type DialectOf<G> = <<G as RecordFormat>::MoveNotation as Notation<<G as RecordFormat>::Board>>::Dialect;

/// The reasons for which a move of the game is illegal.
pub type IllegalReasonOf<G> =
    <<G as RecordFormat>::MoveNotation as Notation<<G as RecordFormat>::Board>>::IllegalReason;

/// An error of the game.
pub type GameErrorOf<G> = GameError<ExpectedOf<G>, SetupIssueOf<G>, IllegalReasonOf<G>>;

/// A parsed move; `None` is a null move.
pub type ParsedMove<G> = Result<Option<<G as Game>::Move>, NotationError<IllegalReasonOf<G>>>;

/// A game whose records can be read and written.
pub trait RecordFormat: Game {
    /// The board on which the moves of records are played.
    type Board: Position<Game = Self>;
    /// The move notation of the game.
    type MoveNotation: Notation<Self::Board>;

    /// The tags with which a PGN record begins, even if their values are unknown.
    const TAG_ROSTER: &'static [&'static str];

    /// Whether only comments and NAGs may follow the result; otherwise any text may follow.
    const STRICT_END: bool;

    /// Whether files nest comments in braces and put prose in parentheses.
    const NESTED_COMMENTS: bool;

    /// Whether PGN that names no game is this game, as in the PGN standard.
    const IS_PGN_STANDARD: bool;

    /// The encoding of records that are not UTF-8.
    const LEGACY_ENCODING: LegacyEncoding;

    /// The file formats of this game other than PGN.
    const FILES: &'static [GameFileFormat<Self>] = &[];

    /// The table of named openings; empty if there is none.
    const OPENINGS: &'static str = "";

    /// Returns the images of a move under the symmetries of the start position, each always in the same place.
    fn mirrored_moves(_mv: Self::Move) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Returns the default dialect of PGN.
    fn default_dialect() -> DialectOf<Self>;

    /// Returns the record dialect nearest to `dialect`.
    fn nearest_dialect(_dialect: DialectOf<Self>) -> DialectOf<Self> {
        Self::default_dialect()
    }

    /// Returns whether the tags name this game.
    fn matches_tags(tags: &Tags) -> bool;

    /// Returns whether these tags cannot belong to a record of this game.
    fn excludes_tags(_tags: &Tags) -> bool {
        false
    }

    /// Returns whether the bytes of a PGN file name this game, before its encoding is known.
    fn matches_pgn_file(_bytes: &[u8]) -> bool {
        false
    }

    /// Returns an error if the tags name another game or an unsupported variant.
    fn other_game(tags: &Tags) -> Option<RecordErrorKind>;

    /// Wraps an error of this game.
    fn into_any_error(error: GameErrorOf<Self>) -> Box<AnyGameError>;

    /// Returns the dialect of the moves that the tags name, if any.
    fn dialect_from_tags(_tags: &Tags) -> Option<DialectOf<Self>> {
        None
    }

    /// Returns the dialect in which a whole game is tried again that has an error in the dialects of
    /// [`Self::parse_move`].
    fn second_dialect() -> Option<DialectOf<Self>> {
        None
    }

    /// Returns a move with the letters of the pieces in English, as [`Self::parse_move`] expects them.
    fn with_english_letters(text: &str, _letters: PieceLetters) -> Cow<'_, str> {
        Cow::Borrowed(text)
    }

    /// Removes the tags that [`RecordFormat::complete_tags`] adds, and renames the tags of other conventions.
    fn strip_tags(_tags: &mut Tags, _start: &Self::Setup) {}

    /// Adds the tags that this start and dialect require, except `SetUp` and `FEN`.
    fn complete_tags(_tags: &mut Tags, _start: &Self::Setup, _dialect: DialectOf<Self>) {}

    /// Returns the start position of the game and a board with it. A game keeps them, because most records need them.
    fn start_position() -> (Self::Setup, Self::Board) {
        new_start_position::<Self>()
    }

    /// Returns the initial position that the tags give; none if it is that of the game.
    ///
    /// # Errors
    /// Returns an error if the position text is invalid or missing.
    fn start_from_tags(tags: &Tags) -> Result<Option<Self::Setup>, RecordErrorKind> {
        let parse = |text| {
            Self::Setup::parse(text).map_err(|error| {
                RecordErrorKind::InvalidFen(Self::into_any_error(GameError::InvalidPositionText(error)))
            })
        };
        tags.value("FEN").filter(|text| is_known(text)).map(parse).transpose()
    }

    /// Parses a move in this dialect, or in the dialects found in such records.
    ///
    /// # Errors
    /// Returns an error if the text names no legal move.
    fn parse_move(position: &Self::Board, text: &str, dialect: Option<DialectOf<Self>>) -> ParsedMove<Self>;

    /// Returns the forced pass of this position, which records may omit.
    fn forced_pass(_position: &Self::Board) -> Option<Self::Move> {
        None
    }

    /// Parses a result other than `1-0` and the like: `37-27` in Othello.
    fn parse_outcome(_word: &str) -> Option<Outcome> {
        None
    }
}

/// A start position, the board with it, and the rights that were dropped, if any.
pub(crate) type OpenedStart<G> = (<G as Game>::Setup, <G as RecordFormat>::Board, Option<RecordErrorKind>);

/// Sets up the start position of a record. Issues that can be waived are waived, because records of problems and of
/// other programs have them; rights that the position cannot have are dropped.
///
/// # Errors
/// If no board accepts the position.
pub(crate) fn open_start<G: RecordFormat>(start: G::Setup) -> Result<OpenedStart<G>, RecordErrorKind> {
    let any_error = |error| G::into_any_error(GameError::InvalidSetup(error));
    if let Ok(board) = G::Board::from_setup(&start, &Waivers::None) {
        return Ok((start, board, None));
    }
    let board = G::Board::from_setup(&start, &Waivers::All)
        .map_err(|error| RecordErrorKind::InvalidStart(any_error(error)))?;
    let set_up = board.to_setup().with_counters(start.counters());
    let kept = set_up.issues();
    let dropped: Vec<_> = start.issues().into_iter().filter(|issue| !kept.contains(issue)).collect();
    let dropped = (!dropped.is_empty())
        .then(|| RecordErrorKind::DroppedRights(any_error(SetupError { issues: dropped })));
    Ok((set_up, board, dropped))
}

/// Creates the start position of a game and a board with it.
fn new_start_position<G: RecordFormat>() -> (G::Setup, G::Board) {
    let start = G::Setup::start();
    let board = G::Board::from_setup(&start, &Waivers::None).expect("the start position is valid");
    (start, board)
}

/// Returns whether a text is a null move, `--`, or as other programs write it. [`RecordFormat::parse_move`] reads it as
/// none, or in Othello `--` as a pass.
///
/// ```
/// use alfil_records::record_format::is_null_move;
///
/// assert!(is_null_move("--") && is_null_move("Z0") && !is_null_move("e4"));
/// ```
pub fn is_null_move(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "<>")
}

/// Returns a name in lower case without spaces and punctuation.
pub(crate) fn normalise_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
