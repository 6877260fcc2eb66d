//! What the writers of records need to know of a game.

use alfil_kernel::{Game, MoveOf, Notation, NotationError, Outcome, Setup};

use crate::fault::{AnyRefusal, Reason, Refusal};
use crate::tree::Tags;

mod chess;
mod othello;
mod xiangqi;

/// The dialects in which a game's moves are written.
pub type DialectOf<G> = <<G as Recorded>::Words as Notation<<G as Game>::Bitboard>>::Dialect;

/// The reasons for which a game's moves may not be played.
pub type ReasonOf<G> = <<G as Recorded>::Words as Notation<<G as Game>::Bitboard>>::Reason;

/// What a reader of a game's position text can have expected.
pub type ExpectedOf<G> = <<G as Game>::Setup as Setup>::Expected;

/// What can be wrong with a game's positions.
pub type ComplaintOf<G> = <<G as Game>::Setup as Setup>::Complaint;

/// A move as it was read; nothing for a null move.
pub type ReadMove<G> = Result<Option<MoveOf<<G as Game>::Bitboard>>, NotationError<ReasonOf<G>>>;

/// A game whose records can be read and written.
pub trait Recorded: Game {
    /// How its moves are written.
    type Words: Notation<Self::Bitboard>;

    /// The tags with which a PGN record begins, whether anything is known or not.
    const ROSTER: &'static [&'static str];

    /// Whether only a comment may follow the result; else whatever follows is passed over.
    const STRICT_END: bool;

    /// Whether comments in braces lie in one another in some files, and whether parentheses hold prose in some.
    const NESTED: bool;

    /// The dialect in which its PGN is written if nobody asks for another.
    fn usual() -> DialectOf<Self>;

    /// The dialect of records that is nearest to this one.
    fn nearest(_dialect: DialectOf<Self>) -> DialectOf<Self> {
        Self::usual()
    }

    /// Whether the tags say that this is a record of this game.
    fn claims(tags: &Tags) -> bool;

    /// Whether the tags say that this is the record of another game, or of a variant that nobody here can play: which.
    fn stranger(tags: &Tags) -> Option<Reason>;

    /// What the game says of a text, as one of several games.
    fn refusal(refusal: Refusal<Self>) -> Box<AnyRefusal>;

    /// The dialect that the tags name for the moves, if they name one.
    ///
    /// # Errors
    /// If it is not known.
    fn dialect(_tags: &Tags) -> Result<Option<DialectOf<Self>>, Reason> {
        Ok(None)
    }

    /// Leaves out the tags that [`Recorded::complete`] adds again, and gives those of other customs their usual names.
    fn strip(_tags: &mut Tags, _start: &Self::Setup) {}

    /// Adds the tags that this start and this dialect need, `SetUp` and `FEN` aside.
    fn complete(_tags: &mut Tags, _start: &Self::Setup, _dialect: DialectOf<Self>) {}

    /// The start position that the tags name.
    ///
    /// # Errors
    /// If the position text cannot be read, or is missing where it is needed.
    fn start(tags: &Tags) -> Result<Self::Setup, Reason> {
        match tags.value("FEN") {
            Some(text) => {
                Self::Setup::read(text).map_err(|error| Reason::Fen(Self::refusal(Refusal::Text(error))))
            }
            None => Ok(Self::Setup::start()),
        }
    }

    /// The move that a word of a record names: in this dialect, or in those that such records are known to be written in.
    ///
    /// # Errors
    /// If no legal move is written like that.
    fn read_move(position: &Self::Bitboard, text: &str, dialect: Option<DialectOf<Self>>) -> ReadMove<Self>;

    /// The move that has to be made here and that records leave out: a forced pass.
    fn implied(_position: &Self::Bitboard) -> Option<Self::Move> {
        None
    }

    /// The result that a word stands for besides `1-0` and the like: `37-27` in Othello.
    fn outcome(_word: &str) -> Option<Outcome> {
        None
    }
}

/// Whether a word stands for a null move.
pub(crate) fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "<>")
}

/// A name without blanks, signs and capitals.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
