//! What the writers of records need to know of a game.

use alfil_kernel::{Game, MoveOf, Notation, NotationError, Setup};

use crate::tree::Tags;

mod chess;

/// The dialects in which a game's moves are written.
pub type DialectOf<G> = <<G as Recorded>::Words as Notation<<G as Game>::Bitboard>>::Dialect;

/// A move as it was read; nothing for a null move.
pub type ReadMove<G> = Result<Option<MoveOf<<G as Game>::Bitboard>>, NotationError>;

/// A game whose records can be read and written.
pub trait Recorded: Game {
    /// How its moves are written.
    type Words: Notation<Self::Bitboard>;

    /// The tags with which a PGN record begins, whether anything is known or not.
    const ROSTER: &'static [&'static str];

    /// Whether only a comment may follow the result, or anything, which is then passed over.
    const STRICT_END: bool;

    /// Whether the tags say that this is the record of another game, or of a variant that nobody here can play: which.
    fn stranger(tags: &Tags) -> Option<String>;

    /// The dialect in which PGN writes the moves under these tags.
    ///
    /// # Errors
    /// If the tags name one that is not known.
    fn dialect(tags: &Tags) -> Result<DialectOf<Self>, String>;

    /// The tags that this start and these moves need besides those that are there, `SetUp` and `FEN` aside.
    fn complete(tags: &mut Tags, start: &Self::Setup, dialect: DialectOf<Self>);

    /// Takes out the tags that [`Recorded::complete`] writes again.
    fn strip(_tags: &mut Tags) {}

    /// The start position that the tags name.
    ///
    /// # Errors
    /// If the position text cannot be read, or is missing where it is needed.
    fn start(tags: &Tags) -> Result<Self::Setup, String> {
        match tags.value("FEN") {
            Some(text) => Self::Setup::read(text).map_err(|error| format!("the tag FEN: {error}")),
            None => Ok(Self::Setup::start()),
        }
    }

    /// The move that a word of a record names, in this dialect or in others that records are known to be written in.
    ///
    /// # Errors
    /// If no legal move is written like that.
    fn read_move(position: &Self::Bitboard, text: &str, dialect: DialectOf<Self>) -> ReadMove<Self>;
}

/// Whether a word stands for a null move.
pub(crate) fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "<>")
}

/// A name without blanks, signs and capitals.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
