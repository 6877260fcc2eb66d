//! Game sessions: a game being played or analysed, with its rulings, marks, clock and appearance, in plain data.
//!
//! The command line and the server open a [`GameSession`] by the name of its game and exchange strings and plain data
//! with it. A session describes searches as [`SearchTask`]s; its caller runs them. This crate starts no thread and uses
//! no terminal, no network and no serialisation format.
//!
//! ```
//! use alfil_session::registry;
//!
//! let mut session = registry::open("xiangqi", None).unwrap();
//! assert_eq!(session.targets(Some("h2")).len(), 12);
//! let result = session.play("h2e2", None).unwrap();
//! assert_eq!(result.sound, "move");
//! assert!(session.play("h3e3", None).unwrap_err().to_string().contains("h3"));
//! ```

pub mod accuracy;
pub mod after_pass;
pub mod any_board;
pub mod appearance;
pub mod board_setup;
pub mod chinese;
pub mod evaluation_report;
pub mod game_board;
pub mod game_clock;
pub mod game_entry;
pub mod game_info;
pub mod game_length;
pub mod game_phase;
pub mod game_profile;
pub mod game_session;
pub mod games;
pub mod lessons;
pub mod material;
pub mod nags;
pub mod opening_names_cache;
pub mod pasted_position;
pub mod perft;
pub mod played_game;
pub mod position_view;
pub mod record_errors;
pub mod recorded_game;
pub mod registry;
pub mod render;
pub mod requests;
pub mod review;
pub mod ruling_picture;
pub mod rulings;
pub mod search_task;
pub mod searcher;
pub mod session_error;
pub mod tactical_marks;
pub mod time_budget;
pub mod typed_session;
pub mod wdl;
pub mod workers;

pub use alfil_search::{ParamValue, SKILL_LEVELS, SearchParam, SearchParamError, SearchParams};
pub use any_board::{AnyBoard, BoardGame, RefusedBoardMove, board_game};
pub use appearance::{Appearance, Layout, PieceAppearance};
pub use board_setup::{AnySetup, BoardSetup, CastlingRight};
pub use evaluation_report::{EvaluationReport, PieceValue};
pub use game_entry::{BoardEntry, GameEntry};
pub use game_info::{GameInfo, Handicap, NumberedStarts, RulesetInfo};
pub use game_session::{
    BoardChange, GameSession, IssueDescription, MoveResult, RefusedTarget, RuleWarning, Target, random_seed,
};
pub use opening_names_cache::OpeningNamesCache;
pub use pasted_position::pasted_position;
pub use perft::{MAX_PERFT_DEPTH, PerftPlan, RootMoveTally, check_perft_depth};
pub use position_view::{GameEnd, PositionView};
pub use registry::Registry;
pub use requests::{AUTOMATIC_PARTS, LAST_PLIES, PerftRequest, PerftSplit, Problem, Solution, SolveRequest};
pub use rulings::{Ruling, RulingAttack, RulingPly, RulingRequest};
pub use search_task::{
    EvaluationChoice, SearchLimits, SearchMonitor, SearchOutcome, SearchReport, SearchResources, SearchTask,
};
pub use session_error::{ErrorKind, SessionError};
pub use tactical_marks::TacticalMark;
pub use time_budget::{ClockInput, TimeBudget};
pub use workers::{CurrentThread, Workers};

/// Records as plain text: [`registry::read_games`] returns them and [`registry::write_game`] writes them.
pub use alfil_records::wthor::Names;
pub use alfil_records::{
    AnnotatedScore, Charset, EvalAnnotation, FileFormat, FormatUse, GameIndex, GameOutline, MoveAnnotation,
    MoveTree, NodeId, Opening, OpeningNames, PlacedGame, ROOT, RecordError, RecordErrorKind, Tags, TextGame,
    TextGames, TextMove, TreeNode, pgn::format_result, text_game::NULL_MOVE,
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
