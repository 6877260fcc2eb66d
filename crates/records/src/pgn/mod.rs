//! Portable Game Notation: S. J. Edwards's standard of 1994 and the deviations found in files. A file has
//! many games, each with tags, moves, comments, NAGs and variations. Xiangqi and Othello use it too.
//!
//! [`Reader`] splits a file into games without parsing them; [`RawGame::tags`] parses the tags,
//! [`RawGame::parse`] the whole game. An error is reported with its line and byte and does not affect other
//! games. [`format_game`] writes a text that parses to the same tree.

mod parser;
mod piece_letters;
mod reader;
mod tags;
mod token;
mod visitor;
mod writer;

pub use parser::MAX_VARIATION_DEPTH;
pub(crate) use parser::{OutlineVisitor, normalise_tags};
pub use piece_letters::PieceLetters;
pub(crate) use reader::RawGames;
pub use reader::{MAX_GAME_BYTES, RawGame, Reader};
pub(crate) use tags::{parse_tag_section, write_tag_pair};
pub use token::{Token, Tokens, format_result};
pub use visitor::{GameChoice, GameHead, GameSummary, GameVisitor, read_games};
pub use writer::format_game;
pub(crate) use writer::{Movetext, format_legal_game};

pub use crate::write_error::WriteError;

use crate::record_format::{DialectOf, RecordFormat};

/// Returns the default dialect of a game's PGN.
pub fn default_dialect<G: RecordFormat>() -> DialectOf<G> {
    G::default_dialect()
}
