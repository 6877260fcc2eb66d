//! Move notation: how moves are written and read.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Display};

use crate::errors::NotationError;
use crate::moves::MoveList;
use crate::position::{MoveOf, Position};

/// A named way of writing moves. Only [`Notation::parse_any`] guesses it.
pub trait Dialect: Copy + Eq + Debug + Send + Sync + 'static {
    /// All dialects of the game, the default first.
    const ALL: &'static [Self];
    /// The dialect that people write: SAN in chess, WXF in xiangqi, the square in Othello.
    const WRITTEN: Self;
    /// Returns the name on the command line.
    fn name(self) -> &'static str;
    /// Returns the form of a move in this dialect, with an example.
    fn expected_form(self) -> &'static str;
    /// Returns the dialect with this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }
}

/// The error of a text that names no legal move in the notation `N` of a board `P`.
pub type NotationErrorOf<P, N> = NotationError<<N as Notation<P>>::IllegalReason>;

/// Reads and writes the moves of a game. A text is compared with the texts of the legal moves, so the reader never
/// returns an illegal move and never guesses between two.
pub trait Notation<P: Position> {
    /// The dialects of the game.
    type Dialect: Dialect;
    /// The reasons why a move can be illegal; `Display` writes them in English. As with
    /// [`Expected`](crate::Setup::Expected), each game has its own list.
    type IllegalReason: Clone + Eq + Debug + Display + Send + Sync + 'static;

    /// Returns the text of a legal move.
    fn format_move(position: &P, mv: MoveOf<P>, dialect: Self::Dialect) -> String;

    /// Appends the text of a legal move, less what depends on the position after it: for those who play the move, too.
    /// [`Notation::push_check_sign`] appends the rest.
    fn push_move(position: &P, mv: MoveOf<P>, dialect: Self::Dialect, text: &mut String) {
        text.push_str(&Self::format_move(position, mv, dialect));
    }

    /// Appends the sign of a move that led to this position, if the dialect has signs for check and mate.
    fn push_check_sign(_after: &P, _dialect: Self::Dialect, _text: &mut String) {}

    /// Returns the text in the form in which [`Notation::format_move`] writes it, or `None` if it is not a move of the
    /// dialect.
    fn normalise(text: &str, dialect: Self::Dialect) -> Option<String>;

    /// Returns why a text names no legal move, or `None` if it is not a move of the dialect.
    fn rejection_reason(position: &P, text: &str, dialect: Self::Dialect) -> Option<Self::IllegalReason>;

    /// Returns the legal moves that fit the text best: more than one if the text is ambiguous.
    fn matching_moves(position: &P, text: &str, dialect: Self::Dialect) -> Vec<MoveOf<P>> {
        let Some(normalised) = Self::normalise(text, dialect) else { return Vec::new() };
        let mut legal = MoveList::new();
        position.generate_legal(&mut legal);
        legal.iter().copied().filter(|&mv| Self::format_move(position, mv, dialect) == normalised).collect()
    }

    /// Returns the legal move that the text fits best; none if it fits no legal move, or several. A game can build it
    /// from the text instead of listing the moves.
    fn only_match(position: &P, text: &str, dialect: Self::Dialect) -> Option<MoveOf<P>> {
        match Self::matching_moves(position, text, dialect)[..] {
            [mv] => Some(mv),
            _ => None,
        }
    }

    /// Parses the text of a legal move.
    ///
    /// # Errors
    /// If the text fits no legal move in this dialect, or more than one. The error names another dialect in which it
    /// fits exactly one.
    fn parse_move(
        position: &P,
        text: &str,
        dialect: Self::Dialect,
    ) -> Result<MoveOf<P>, NotationError<Self::IllegalReason>> {
        match Self::only_match(position, text, dialect) {
            Some(mv) => Ok(mv),
            None => Err(Self::parse_error(position, text, dialect)),
        }
    }

    /// Returns the dialect in which [`Notation::parse_any`] reads a text: the first that can read it, the preferred one
    /// before the others in their order; [`Notation::closest_dialect`] if none can.
    fn dialect_of(text: &str, preferred: Self::Dialect) -> Self::Dialect {
        let others = Self::Dialect::ALL.iter().copied();
        let can_read = |dialect: &Self::Dialect| Self::normalise(text, *dialect).is_some();
        [preferred]
            .into_iter()
            .chain(others)
            .find(can_read)
            .unwrap_or_else(|| Self::closest_dialect(text, preferred))
    }

    /// Returns the dialect that the error names if no dialect can read a text: by default the preferred one.
    #[doc(hidden)]
    fn closest_dialect(_text: &str, preferred: Self::Dialect) -> Self::Dialect {
        preferred
    }

    /// Parses the text of a legal move in the first dialect that can read it, [`Dialect::WRITTEN`] before the others.
    ///
    /// # Errors
    /// As [`Notation::parse_move`].
    fn parse_any(position: &P, text: &str) -> Result<MoveOf<P>, NotationError<Self::IllegalReason>> {
        Self::parse_move(position, text, Self::dialect_of(text, Self::Dialect::WRITTEN))
    }

    /// Returns the error of a text that does not fit exactly one legal move.
    #[doc(hidden)]
    #[cold]
    fn parse_error(position: &P, text: &str, dialect: Self::Dialect) -> NotationError<Self::IllegalReason> {
        let found = Self::matching_moves(position, text, dialect);
        if !found.is_empty() {
            let mut readings: Vec<_> =
                found.iter().map(|&mv| Self::format_move(position, mv, dialect)).collect();
            // Boards generate moves in different orders; the message must not depend on the board.
            readings.sort_unstable();
            return NotationError::Ambiguous { text: text.into(), readings: readings.join(", ") };
        }
        for &other in Self::Dialect::ALL {
            if other != dialect && Self::only_match(position, text, other).is_some() {
                let (dialect, other) = (dialect.name(), other.name());
                return NotationError::OtherDialect { text: text.into(), dialect, other };
            }
        }
        let reason = Self::rejection_reason(position, text, dialect);
        let text = text.into();
        match reason {
            Some(reason) => NotationError::Illegal { text, reason },
            None => {
                NotationError::Malformed { text, dialect: dialect.name(), expected: dialect.expected_form() }
            }
        }
    }
}
