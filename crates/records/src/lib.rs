//! Records: the tree of a game, and the files that keep games.
//!
//! A [`Tree`] holds moves, what was said about them and the moves that were not played, for any game. [`pgn`] reads and
//! writes it in every game, [`ggf`] and [`transcript`] in Othello. This room knows no search, no protocol and no network,
//! and prints nothing.
//!
//! ```
//! use alfil_chess::Chess;
//! use alfil_records::pgn;
//!
//! let file = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n";
//! let mut reader = pgn::Reader::new(&file[..]);
//! let game = reader.next_game()?.unwrap().read::<Chess>();
//! assert_eq!((game.broken, game.tree.len()), (None, 7));
//! let text = pgn::write(&game.tree, pgn::usual::<Chess>())?;
//! assert!(text.ends_with("1. e4 e5 2. f4 exf4 3. Bc4 (3. Nf3 {safer}) 3... Qh4+ *\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotation;
pub mod charset;
pub mod error;
pub mod game_tree;
pub mod ggf;
pub mod parsed_game;
pub mod pgn;
pub mod record_format;
pub mod text_game;
pub mod transcript;

pub use annotation::{AnnotatedScore, EvalAnnotation, MoveAnnotation};
pub use charset::{Charset, LegacyEncoding};
pub use error::{AnyGameError, GameError, RecordError, RecordErrorKind};
pub use game_tree::{GameTree, NodeId, Tags, Visit};
pub use parsed_game::ParsedGame;
pub use record_format::{DialectOf, ExpectedOf, IllegalReasonOf, RecordFormat, SetupIssueOf};
pub use text_game::{TextGame, TextMove};
