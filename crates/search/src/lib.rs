//! Alpha-beta search, written once for every game and every board representation.
//!
//! [`Worker`] searches a [`GameHistory`](alfil_kernel::GameHistory) with the game's [`Rules`](alfil_kernel::Rules) and
//! [`SearchEvaluator`], and polls a [`SearchControl`](alfil_kernel::SearchControl) that can stop it.
//! This crate depends on no game, clock, thread, protocol or output.
//!
//! Moves are searched in a total order (ordering score, then the bits of the move), so the tree does not depend on the
//! order in which a board generates moves: every board of a game visits exactly the same nodes.
//!
//! ```
//! use alfil_evaluation::xiangqi::HandcraftedEval;
//! use alfil_kernel::{GameHistory, SearchControl, SearchInfo};
//! use alfil_search::Worker;
//! use alfil_xiangqi::{Mailbox, Move, Ruleset};
//!
//! /// Stops after a number of nodes and ignores the reports.
//! struct NodeLimit(u64);
//! impl SearchControl<Move> for NodeLimit {
//!     fn is_stopped(&mut self, nodes: u64) -> bool { nodes >= self.0 }
//!     fn report(&mut self, _: &SearchInfo<'_, Move>) {}
//! }
//!
//! let game = GameHistory::<Mailbox>::from_start_position();
//! let mut worker = Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 1);
//! let result = worker.search(4, &mut NodeLimit(1_000_000));
//! assert!(result.mv.is_some());
//! ```

mod aspiration;
mod correction_history;
mod late_move_reductions;
mod mate;
mod move_history;
mod move_picker;
mod node;
mod oracle_ladder;
mod params;
mod prune;
mod quiescence;
mod root;
mod search_evaluator;
mod singular;
mod skill;
mod transposition_table;
mod worker;

pub use params::{ParamValue, SearchParam, SearchParamError, SearchParams};
pub use search_evaluator::SearchEvaluator;
pub use skill::{SKILL_LEVELS, SkillLevel};
pub use transposition_table::TranspositionTable;
pub use worker::{SearchRequest, SearchResult, Worker};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
