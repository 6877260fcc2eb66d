//! What is wrong with a record, and where.

use core::fmt;

use crate::charset::Charset;

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
    /// What is wrong.
    pub reason: String,
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
    pub(crate) fn fault(&self, at: usize, mv: String, reason: impl Into<String>) -> Fault {
        let at = self.charset.bytes_before(self.bytes, at);
        let lines = memchr::memchr_iter(self.newline, &self.bytes[..at]).count() as u64;
        let (game, offset, line) = (self.number, self.offset + at as u64, self.line + lines);
        Fault { game, offset, line, mv, reason: reason.into() }
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
