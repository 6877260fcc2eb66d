//! The hall: where games, mind and words meet.
//!
//! Doors (the command line, the server) open a [`Desk`] by the name of its game and talk to it in strings and plain data. The
//! hall alone owns clocks and threads; it knows no terminal, no network and no serialisation format.
//!
//! ```
//! use alfil_session::registry;
//!
//! let mut desk = registry::open("xiangqi", None).unwrap();
//! assert_eq!(desk.targets(Some("h2")).len(), 12);
//! let step = desk.play("h2e2", None).unwrap();
//! assert_eq!(step.sound, "move");
//! assert!(desk.play("h3e3", None).unwrap_err().to_string().contains("no man stands on h3"));
//! ```

pub mod appearance;
pub mod chinese;
pub mod game_clock;
pub mod game_profile;
pub mod game_session;
pub mod registry;
pub mod render;
pub mod review;
pub mod rulings;
pub mod search_task;
pub mod searcher;
mod solve;
pub mod tactical_marks;
pub mod time_budget;
pub mod typed_session;
pub mod workers;

pub use alfil_search::SKILL_LEVELS;
pub use appearance::{Appearance, Layout, PieceAppearance};
pub use game_session::{
    BoardChange, GameEnd, GameSession, IssueDescription, MoveResult, PerftRequest, PositionView, Problem,
    SessionError, Solution, SolveRequest, Target, random_seed,
};
pub use rulings::{Ruling, RulingPly, RulingRequest};
pub use search_task::{
    SearchLimits, SearchMonitor, SearchOutcome, SearchReport, SearchResources, SearchTask,
};
pub use tactical_marks::TacticalMark;
pub use time_budget::{ClockInput, TimeBudget};
pub use workers::{CurrentThread, Workers};

/// Games in words, as files keep them: what [`registry::read_games`] gives and [`registry::write_game`] takes.
pub use alfil_records::{
    AnnotatedScore, EvalAnnotation, MoveAnnotation, RecordError, Tags, TextGame, TextMove,
    text_game::NULL_MOVE,
};

/// The examples of the front page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
