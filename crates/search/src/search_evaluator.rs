//! The evaluator that a search uses.

use alfil_kernel::{Evaluator, Position, SearchPolicy, Tactics};

/// An evaluator with everything that a search needs of a game: static evaluation, tactics and search policy. Every type
/// with these traits implements it.
pub trait SearchEvaluator<P: Position>: Evaluator<P> + Tactics<P> + SearchPolicy<P> + Clone + Send {}

impl<P: Position, E: Evaluator<P> + Tactics<P> + SearchPolicy<P> + Clone + Send> SearchEvaluator<P> for E {}
