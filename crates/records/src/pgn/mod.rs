//! Portable game notation, after S. J. Edwards's standard of 1994 and what people made of it: many games in a file, each
//! with tags, moves, comments, glyphs and variations. Chess is its home; xiangqi and Othello use it too.
//!
//! [`Reader`] cuts a file into games without looking into them; [`Game::tags`] reads a head, [`Game::read`] the whole.
//! What cannot be read is said with its line and byte and costs no other game. [`write()`] gives back a text of which the
//! same tree is read.

mod parse;
mod reader;
mod tags;
mod token;
mod write;

pub use parse::DEEPEST;
pub use reader::{Game, LONGEST, Reader};
pub(crate) use tags::is_pair;
pub use token::{Token, Tokens};
pub use write::{WriteError, write};

use crate::recorded::{DialectOf, Recorded};

/// The dialect in which PGN writes a game's moves if nobody asks for another.
pub fn usual<G: Recorded>() -> DialectOf<G> {
    G::usual()
}
