//! What a solver computes, and its result.

use alfil_kernel::Confidence;
use alfil_othello::moves::Move;

/// What the solver computes for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolveMode {
    /// The exact final score in discs.
    Exact,
    /// The winner or a draw; many times faster.
    Outcome,
}

impl SolveMode {
    /// Returns a score in discs as this mode reports it.
    pub(crate) const fn report_score(self, score: i32) -> i32 {
        match self {
            SolveMode::Exact => score,
            SolveMode::Outcome => score.signum(),
        }
    }
}

/// The result of a solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The mode in which the position was solved.
    pub mode: SolveMode,
    /// The score from the view of the side to move. [`SolveMode::Exact`]: the final score in discs, with the empty
    /// squares given to the winner. [`SolveMode::Outcome`]: 1 for a win, 0 for a draw, -1 for a loss.
    pub score: i32,
    /// How sure the score is; exact unless [`SolveTask::with_confidence`](crate::SolveTask::with_confidence) said
    /// less.
    pub confidence: Confidence,
    /// A move that achieves the score, or `None` if the game is over.
    pub best_move: Option<Move>,
    /// Best play to the end of the game, passes included, from `best_move` on.
    pub pv: Vec<Move>,
    /// The number of positions visited by all workers.
    pub nodes: u64,
}
