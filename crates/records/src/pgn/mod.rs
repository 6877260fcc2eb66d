//! Portable game notation, after S. J. Edwards's standard of 1994 and what people made of it: many games in a file, each
//! with tags, moves, comments, glyphs and variations. Chess is its home; xiangqi and Othello use it too.
//!
//! [`Reader`] cuts a file into games without looking into them; [`Game::tags`] reads a head, [`Game::read`] the whole.
//! What cannot be read is said with its line and byte and costs no other game. [`write()`] gives back a text of which the
//! same tree is read.

mod parser;
mod reader;
mod tags;
mod token;
mod writer;

pub use parser::MAX_VARIATION_DEPTH;
pub use reader::{MAX_GAME_BYTES, RawGame, Reader};
pub(crate) use tags::is_tag_pair;
pub use token::{Token, Tokens};
pub use writer::{WriteError, format_game};

use crate::record_format::{DialectOf, RecordFormat};

/// The dialect in which PGN writes a game's moves if nobody asks for another.
pub fn default_dialect<G: RecordFormat>() -> DialectOf<G> {
    G::default_dialect()
}
