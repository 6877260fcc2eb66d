//! Moves in words.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Display};

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
    fn expected_form(self) -> &'static str;
    /// The dialect of that name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }
}

/// Writes and reads the moves of a game. Reading looks for the legal moves that are written like the text, so it never
/// plays an illegal one and never guesses between two.
pub trait Notation<P: Position> {
    /// The dialects of the game.
    type Dialect: Dialect;
    /// Why a move may not be played. `Display` says it in words. As with [`Expected`](crate::Setup::Expected), each game
    /// has a list of its own, however alike two may be.
    type IllegalReason: Clone + Eq + Debug + Display + Send + Sync + 'static;

    /// The text of a legal move.
    fn format_move(position: &P, mv: MoveOf<P>, dialect: Self::Dialect) -> String;

    /// The text in the form in which `write` would give it, where a reader is lenient; `None` where it is no move
    /// text of the dialect at all.
    fn normalise(text: &str, dialect: Self::Dialect) -> Option<String>;

    /// Why a text that names no legal move here names none; `None` where it is no move text of the dialect at all.
    fn rejection_reason(position: &P, text: &str, dialect: Self::Dialect) -> Option<Self::IllegalReason>;

    /// The legal moves that the text fits best: none where it names none of them, several where it does not decide.
    fn matching_moves(position: &P, text: &str, dialect: Self::Dialect) -> Vec<MoveOf<P>> {
        let Some(wanted) = Self::normalise(text, dialect) else { return Vec::new() };
        let mut legal = MoveList::new();
        position.generate_legal(&mut legal);
        legal.iter().copied().filter(|&mv| Self::format_move(position, mv, dialect) == wanted).collect()
    }

    /// The legal move of that text.
    ///
    /// # Errors
    /// When no legal move is written like that in this dialect, or more than one; the error names the dialect in which
    /// one is.
    fn parse_move(
        position: &P,
        text: &str,
        dialect: Self::Dialect,
    ) -> Result<MoveOf<P>, NotationError<Self::IllegalReason>> {
        let found = Self::matching_moves(position, text, dialect);
        match found[..] {
            [mv] => return Ok(mv),
            [] => {}
            [..] => {
                let mut readings: Vec<_> =
                    found.iter().map(|&mv| Self::format_move(position, mv, dialect)).collect();
                // Boards list moves in orders of their own, and say the same of the same text.
                readings.sort_unstable();
                return Err(NotationError::Ambiguous { text: text.into(), readings: readings.join(", ") });
            }
        }
        for &other in Self::Dialect::ALL {
            if other != dialect && Self::matching_moves(position, text, other).len() == 1 {
                let (dialect, other) = (dialect.name(), other.name());
                return Err(NotationError::OtherDialect { text: text.into(), dialect, other });
            }
        }
        let reason = Self::rejection_reason(position, text, dialect);
        let text = text.into();
        Err(match reason {
            Some(reason) => NotationError::Illegal { text, reason },
            None => {
                NotationError::Malformed { text, dialect: dialect.name(), expected: dialect.expected_form() }
            }
        })
    }
}
