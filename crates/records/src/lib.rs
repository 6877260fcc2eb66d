//! Game trees and the file formats of game records.
//!
//! A [`GameTree`] is the record of a game, a [`TextGame`] the same without the types of the game; both have their
//! moves and variations in a [`MoveTree`]. [`pgn`] reads and writes game trees for every game; a format that one game
//! has is a module and a row of [`RecordFormat::FILES`]. [`pgn::read_games`] reads without trees. This crate contains
//! no search, no protocol and no network, and prints nothing. Each game is a feature.
//!
//! ```
//! use alfil_chess::Chess;
//! use alfil_records::pgn;
//!
//! let file = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n";
//! let mut reader = pgn::Reader::new(&file[..]);
//! let game = reader.next_game()?.unwrap().parse::<Chess>();
//! assert_eq!((game.error, game.tree.moves.move_count()), (None, 7));
//! let text = pgn::format_game(&game.tree, pgn::default_dialect::<Chess>())?;
//! assert!(text.ends_with("1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// With fewer games, what only the others use is left over.
#![cfg_attr(
    not(all(feature = "xiangqi", feature = "chess", feature = "othello")),
    allow(dead_code, unused_imports, unreachable_pub)
)]

pub mod annotation;
mod byte_reader;
#[cfg(feature = "xiangqi")]
pub mod cbf;
#[cfg(feature = "xiangqi")]
pub mod ccbridge;
pub mod charset;
#[cfg(feature = "xiangqi")]
pub mod dhtmlxq;
pub mod error;
pub mod file_format;
pub mod game_error;
pub mod game_index;
pub mod game_outline;
pub mod game_tree;
#[cfg(feature = "othello")]
pub mod ggf;
pub mod move_tree;
#[cfg(feature = "othello")]
pub mod obf;
mod opening_columns;
pub mod opening_names;
mod othello_recognition;
pub mod parsed_game;
pub mod pgn;
mod plain_comment;
pub mod record_format;
#[cfg(feature = "othello")]
pub mod sgf;
pub mod tags;
pub mod text_game;
pub mod text_stream;
#[cfg(feature = "othello")]
pub mod transcript;
mod tree_builder;
mod tree_traversal;
pub mod write_error;
#[cfg(feature = "othello")]
pub mod wthor;
#[cfg(feature = "xiangqi")]
pub mod wxf_file;
#[cfg(feature = "xiangqi")]
mod xiangqi_file;
#[cfg(feature = "xiangqi")]
pub mod xqf;

pub use annotation::{AnnotatedScore, EvalAnnotation, MoveAnnotation};
pub use charset::{Charset, LegacyEncoding};
pub use error::{RecordError, RecordErrorKind};
pub use file_format::{FileFormat, FormatUse};
pub use game_error::{AnyGameError, ExpectedOf, GameError, SetupIssueOf};
pub use game_index::GameIndex;
pub use game_outline::GameOutline;
pub use game_tree::{GameTree, RecordedMove};
pub use move_tree::{MoveTree, NodeId, ROOT, TreeNode, Visit};
pub use opening_names::{Opening, OpeningNames};
pub use parsed_game::ParsedGame;
pub use record_format::game_file::{FileWriter, GameFileFormat};
pub use record_format::{DialectOf, GameErrorOf, IllegalReasonOf, RecordFormat};
pub use tags::Tags;
pub use text_game::{Rewriting, RewrittenGame, TextFormat, TextGame, TextGameError, TextMove};
pub use text_stream::{GameBatch, PlacedGame, TextGames};
pub use write_error::WriteError;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
