//! The hall: where games, mind and words meet.
//!
//! Doors (the command line, the server) open a [`Desk`] by the name of its game and talk to it in strings and plain data. The
//! hall alone owns clocks and threads; it knows no terminal, no network and no serialisation format.
//!
//! ```
//! use alfil_hall::registry;
//!
//! let mut desk = registry::open("xiangqi", None).unwrap();
//! assert_eq!(desk.targets(Some("h2")).len(), 12);
//! let step = desk.play("h2e2", None).unwrap();
//! assert_eq!(step.sound, "move");
//! assert!(desk.play("h3e3", None).unwrap_err().to_string().contains("no man stands on h3"));
//! ```

pub mod bout;
pub mod chinese;
pub mod clock;
pub mod desk;
pub mod dialogue;
pub mod draw;
pub mod judge;
pub mod look;
pub mod mind;
pub mod pool;
pub mod registry;
pub mod review;
pub mod room;
pub mod session;
pub mod sight;
pub mod solve;
pub mod tune;

pub use alfil_search::LEVELS;
pub use desk::{
    Change, Desk, DeskError, Ending, Grievance, Job, Limits, PerftAsk, Problem, Sink, SolveAsk, Solved, Step,
    Target, Thought, View, lot,
};
pub use judge::{JudgeAsk, RuledPly, Ruling};
pub use look::{Layout, Look, Man};
pub use mind::Means;
pub use sight::Sight;

/// Games in words, as files keep them: what [`registry::read_games`] gives and [`registry::write_game`] takes.
pub use alfil_records::{Eval, Fault, Notes, PlainGame, PlainMove, Score, Tags, plain::NULL};

/// The examples of the front page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
