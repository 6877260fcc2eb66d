//! One mind for every board.
//!
//! [`Worker`] searches a [`Line`](alfil_kernel::Line) with the game's [`Laws`](alfil_kernel::Laws) and
//! [`Evaluate`](alfil_kernel::Evaluate), and asks a [`Control`](alfil_kernel::Control) when to stop. It knows no game by
//! name, no clock, no thread, no protocol and no printer.
//!
//! Moves are tried in a total order (promise, then the move's own bits), so the tree does not depend on the order in
//! which a board generates them: every board of a game visits exactly the same nodes.
//!
//! ```
//! use alfil_kernel::{Control, Info, Line};
//! use alfil_search::Worker;
//! use alfil_evaluation::xiangqi::Values;
//! use alfil_xiangqi::{Mailbox, Move, Ruleset};
//!
//! /// Stops after so many nodes, and hears nothing.
//! struct Nodes(u64);
//! impl Control<Move> for Nodes {
//!     fn stop(&mut self, nodes: u64) -> bool { nodes >= self.0 }
//!     fn report(&mut self, _: &Info<'_, Move>) {}
//! }
//!
//! let line = Line::<Mailbox>::start_of_game();
//! let mut worker = Worker::new(line, Ruleset::default(), Values::default(), 1);
//! let best = worker.think(4, &mut Nodes(1_000_000));
//! assert!(best.mv.is_some());
//! ```

mod aspiration;
mod correction_history;
mod late_move_reductions;
mod move_history;
mod move_picker;
mod node;
mod params;
mod prune;
mod quiescence;
mod singular;
mod skill;
mod transposition_table;
mod worker;

pub use skill::{SKILL_LEVELS, SkillLevel};
pub use transposition_table::TranspositionTable;
pub use worker::{SearchHistories, SearchRequest, SearchResult, Worker};
