//! What the writers of records need to know of a game.

use alfil_kernel::{Game, MoveOf, Notation, NotationError, Outcome, Setup};

use crate::error::{AnyGameError, GameError, RecordErrorKind};
use crate::game_tree::Tags;

mod chess;
mod othello;
mod xiangqi;

/// The dialects in which a game's moves are written.
pub type DialectOf<G> = <<G as RecordFormat>::MoveNotation as Notation<<G as Game>::Bitboard>>::Dialect;

/// The reasons for which a game's moves may not be played.
pub type IllegalReasonOf<G> =
    <<G as RecordFormat>::MoveNotation as Notation<<G as Game>::Bitboard>>::IllegalReason;

/// What a reader of a game's position text can have expected.
pub type ExpectedOf<G> = <<G as Game>::Setup as Setup>::Expected;

/// What can be wrong with a game's positions.
pub type SetupIssueOf<G> = <<G as Game>::Setup as Setup>::Issue;

/// A move as it was read; nothing for a null move.
pub type ParsedMove<G> = Result<Option<MoveOf<<G as Game>::Bitboard>>, NotationError<IllegalReasonOf<G>>>;

/// A game whose records can be read and written.
pub trait RecordFormat: Game {
    /// How its moves are written.
    type MoveNotation: Notation<Self::Bitboard>;

    /// The tags with which a PGN record begins, whether anything is known or not.
    const TAG_ROSTER: &'static [&'static str];

    /// Whether only a comment may follow the result; else whatever follows is passed over.
    const STRICT_END: bool;

    /// Whether comments in braces lie in one another in some files, and whether parentheses hold prose in some.
    const NESTED_COMMENTS: bool;

    /// The dialect in which its PGN is written if nobody asks for another.
    fn default_dialect() -> DialectOf<Self>;

    /// The dialect of records that is nearest to this one.
    fn nearest_dialect(_dialect: DialectOf<Self>) -> DialectOf<Self> {
        Self::default_dialect()
    }

    /// Whether the tags say that this is a record of this game.
    fn matches_tags(tags: &Tags) -> bool;

    /// Whether the tags say that this is the record of another game, or of a variant that nobody here can play: which.
    fn other_game(tags: &Tags) -> Option<RecordErrorKind>;

    /// What the game says of a text, as one of several games.
    fn into_any_error(refusal: GameError<Self>) -> Box<AnyGameError>;

    /// The dialect that the tags name for the moves, if they name one.
    ///
    /// # Errors
    /// If it is not known.
    fn dialect_from_tags(_tags: &Tags) -> Result<Option<DialectOf<Self>>, RecordErrorKind> {
        Ok(None)
    }

    /// Leaves out the tags that [`Recorded::complete`] adds again, and gives those of other customs their usual names.
    fn strip_tags(_tags: &mut Tags, _start: &Self::Setup) {}

    /// Adds the tags that this start and this dialect need, `SetUp` and `FEN` aside.
    fn complete_tags(_tags: &mut Tags, _start: &Self::Setup, _dialect: DialectOf<Self>) {}

    /// The start position that the tags name.
    ///
    /// # Errors
    /// If the position text cannot be read, or is missing where it is needed.
    fn start_from_tags(tags: &Tags) -> Result<Self::Setup, RecordErrorKind> {
        match tags.value("FEN") {
            Some(text) => Self::Setup::parse(text).map_err(|error| {
                RecordErrorKind::InvalidFen(Self::into_any_error(GameError::InvalidPositionText(error)))
            }),
            None => Ok(Self::Setup::start()),
        }
    }

    /// The move that a word of a record names: in this dialect, or in those that such records are known to be written in.
    ///
    /// # Errors
    /// If no legal move is written like that.
    fn parse_move(
        position: &Self::Bitboard,
        text: &str,
        dialect: Option<DialectOf<Self>>,
    ) -> ParsedMove<Self>;

    /// The move that has to be made here and that records leave out: a forced pass.
    fn forced_pass(_position: &Self::Bitboard) -> Option<Self::Move> {
        None
    }

    /// The result that a word stands for besides `1-0` and the like: `37-27` in Othello.
    fn parse_outcome(_word: &str) -> Option<Outcome> {
        None
    }
}

/// Whether a word stands for a null move.
pub(crate) fn is_null_move(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "<>")
}

/// A name without blanks, signs and capitals.
pub(crate) fn normalise_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
