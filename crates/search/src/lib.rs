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

mod correct;
mod extend;
mod history;
mod node;
mod order;
mod params;
mod prune;
mod quiesce;
mod reduce;
mod table;
mod weaken;
mod window;
mod worker;

pub use table::Table;
pub use weaken::{LEVELS, Level};
pub use worker::{Ask, Best, Memory, Worker};
