//! Moves in words.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::errors::NotationError;
use crate::moves::MoveList;
use crate::position::{MoveOf, Position};

/// A way of writing moves that has a name. Dialects are named, never guessed between.
pub trait Dialect: Copy + Eq + Debug + Send + Sync + 'static {
    /// All of them, the default first.
    const ALL: &'static [Self];
    /// The name on the command line.
    fn name(self) -> &'static str;
    /// What a move looks like, with an example.
    fn shape(self) -> &'static str;
    /// The dialect of that name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }
}

/// Writes and reads the moves of a game. Reading renders every legal move and looks for the text, so a reader can
/// never accept what the writer would not say, and never plays an illegal move.
pub trait Notation<P: Position> {
    /// The dialects of the game.
    type Dialect: Dialect;

    /// The text of a legal move.
    fn write(position: &P, mv: MoveOf<P>, dialect: Self::Dialect) -> String;

    /// The text in the form in which `write` would give it, where a reader is lenient; `None` where it is no move
    /// text of the dialect at all.
    fn normalise(text: &str, dialect: Self::Dialect) -> Option<String>;

    /// Why this well-formed text names no legal move here.
    fn explain(_position: &P, _text: &str, _dialect: Self::Dialect) -> String {
        "no legal move is written like that".to_string()
    }

    /// The legal move of that text.
    ///
    /// # Errors
    /// When no legal move is written like that in this dialect; the error names the dialect in which one is.
    fn read(position: &P, text: &str, dialect: Self::Dialect) -> Result<MoveOf<P>, NotationError> {
        let mut legal = MoveList::new();
        position.moves(&mut legal);
        let find = |dialect| {
            let wanted = Self::normalise(text, dialect)?;
            let found: Vec<_> =
                legal.iter().copied().filter(|&mv| Self::write(position, mv, dialect) == wanted).collect();
            Some(found)
        };
        let found = find(dialect);
        if let Some([mv]) = found.as_deref() {
            return Ok(*mv);
        }
        if found.as_ref().is_some_and(|found| found.len() > 1) {
            let readings = found.unwrap_or_default().into_iter().map(|mv| alloc::format!("{mv:?}"));
            let readings = readings.collect::<Vec<_>>().join(", ");
            return Err(NotationError::Ambiguous { text: text.into(), readings });
        }
        for &other in Self::Dialect::ALL {
            if other != dialect && find(other).is_some_and(|found| found.len() == 1) {
                let (dialect, other) = (dialect.name(), other.name());
                return Err(NotationError::OtherDialect { text: text.into(), dialect, other });
            }
        }
        Err(match found {
            None => {
                let (dialect, expected) = (dialect.name(), dialect.shape());
                NotationError::Malformed { text: text.into(), dialect, expected }
            }
            Some(_) => {
                let reason = Self::explain(position, text, dialect);
                NotationError::Illegal { text: text.into(), reason }
            }
        })
    }
}
