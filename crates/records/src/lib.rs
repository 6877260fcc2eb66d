//! Game trees and the file formats of game records.
//!
//! A [`GameTree`] holds the moves, variations and annotations of a game. [`pgn`] reads and writes it for
//! every game, [`ggf`] and [`transcript`] for Othello. This crate contains no search, no protocol and no
//! network, and prints nothing.
//!
//! ```
//! use alfil_chess::Chess;
//! use alfil_records::pgn;
//!
//! let file = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n";
//! let mut reader = pgn::Reader::new(&file[..]);
//! let game = reader.next_game()?.unwrap().parse::<Chess>();
//! assert_eq!((game.error, game.tree.len()), (None, 7));
//! let text = pgn::format_game(&game.tree, pgn::default_dialect::<Chess>())?;
//! assert!(text.ends_with("1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotation;
pub mod cbf;
pub mod ccbridge;
pub mod charset;
pub mod dhtmlxq;
pub mod error;
pub mod file_format;
pub mod game_error;
pub mod game_file;
pub mod game_tree;
pub mod ggf;
mod input;
pub mod obf;
mod opening_table;
pub mod parsed_game;
pub mod pgn;
mod plain_comment;
pub mod record_format;
pub mod sgf;
pub mod tags;
pub mod text_game;
pub mod transcript;
mod tree_builder;
pub mod write_error;
pub mod wthor;
pub mod wxf_file;
pub mod xqf;

pub use annotation::{AnnotatedScore, EvalAnnotation, MoveAnnotation};
pub use charset::{Charset, LegacyEncoding};
pub use error::{RecordError, RecordErrorKind};
pub use file_format::{FileFormat, FormatUse};
pub use game_error::{AnyGameError, ExpectedOf, GameError, SetupIssueOf};
pub use game_file::GameFile;
pub use game_tree::{GameTree, NodeId, Visit};
pub use parsed_game::ParsedGame;
pub use record_format::{DialectOf, GameErrorOf, IllegalReasonOf, RecordFormat};
pub use tags::Tags;
pub use text_game::{TextFormat, TextGame, TextGameError, TextMove};
pub use write_error::WriteError;
