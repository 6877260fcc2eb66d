//! The reasons why a game cannot be written.

use crate::error::counted;
use crate::file_format::FileFormat;

/// An error that prevents a tree from being written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The initial position is illegal.
    #[error("the start position: {0}")]
    InvalidStart(String),
    /// The tree has an illegal move.
    #[error("the move after {} is illegal", counted(*plies, "ply", "plies"))]
    IllegalMove {
        /// The number of plies before it.
        plies: usize,
    },
    /// The format has no null moves, and the tree has one.
    #[error(
        "{} cannot hold the null move after {}: leave its variation out, or write PGN",
        format.name(),
        counted(*plies, "ply", "plies")
    )]
    NullMove {
        /// The format.
        format: FileFormat,
        /// The number of plies before it.
        plies: usize,
    },
    /// The format cannot hold a start position other than that of the game.
    #[error("{} cannot hold another start position than that of the game: write PGN", format.name())]
    CustomStart {
        /// The format.
        format: FileFormat,
    },
    /// The format cannot hold a game without moves.
    #[error("{} cannot hold a game without moves", format.name())]
    NoMoves {
        /// The format.
        format: FileFormat,
    },
    /// A file of the format holds exactly one game.
    #[error("{} holds exactly one game, not {games}: write a file for each game", format.name())]
    OneGameOnly {
        /// The format.
        format: FileFormat,
        /// The number of games.
        games: usize,
    },
    /// The value of a tag is not what the format can hold.
    #[error("{} cannot hold the value {value:?} of the tag {tag}: expected {expected}", format.name())]
    InvalidTag {
        /// The format.
        format: FileFormat,
        /// The name of the tag.
        tag: &'static str,
        /// The value of the tag.
        value: String,
        /// What the value must be, with an example.
        expected: &'static str,
    },
    /// The format cannot hold so many names.
    #[error("{} cannot hold more than {max} {what}", format.name())]
    TooMany {
        /// The format.
        format: FileFormat,
        /// What there is too much of, in the plural.
        what: &'static str,
        /// The maximal number.
        max: usize,
    },
}
