//! Static evaluation: what a position is worth without search.

use crate::board_observer::BoardObserver;
use crate::control::SearchControl;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::{MoveOf, Position};

/// A score in centipawns (hundredths of a disc in Othello), from the view of the side to move.
pub type Score = i32;

/// A bound above any score that a search can return.
pub const INFINITE: Score = 32_000;
/// The score of a win at the root; a win in `n` plies is `MATE - n`.
pub const MATE: Score = 31_000;
/// The lowest score of a win in a known number of plies; its negation is the highest such loss.
pub const MATE_BOUND: Score = MATE - 1_000;

/// The search techniques that are sound in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPolicy {
    /// Null move pruning: passing is worse than the best move (no zugzwang).
    pub null_move: bool,
    /// Quiescence search: noisy moves must be resolved before the static evaluation counts.
    pub quiescence: bool,
    /// Futility pruning: near the leaves, a static evaluation far outside the window stays outside.
    pub futility: bool,
}

/// The exact value of a position, as an [`Oracle`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactResult<M> {
    /// The score from the view of the side to move.
    pub score: Score,
    /// A best move; `None` if there is no legal move.
    pub mv: Option<M>,
    /// An upper limit of the distance to the end of the game, in plies.
    pub depth: u32,
}

/// A static evaluation. It observes the board and so can keep its sums incrementally.
pub trait Evaluate<P: Position>: BoardObserver<P::Game> + Clone + Send {
    /// Resets the evaluation to this position.
    fn reset(&mut self, position: &P);

    /// Returns the static evaluation from the view of the side to move.
    fn score(&self, position: &P) -> Score;

    /// Returns whether a pseudo-legal move is noisy: quiescence search must resolve it.
    fn is_noisy(&self, position: &P, mv: MoveOf<P>) -> bool;

    /// Returns the ordering score of a noisy move: most valuable victim, then least valuable attacker (MVV-LVA).
    fn mvv_lva(&self, position: &P, mv: MoveOf<P>) -> Score;

    /// Returns whether the static exchange evaluation (SEE) of a move is at least `at_least`.
    fn see_ge(&self, position: &P, mv: MoveOf<P>, at_least: Score) -> bool;

    /// Returns the search techniques that are sound in a position.
    fn search_policy(&self, position: &P) -> SearchPolicy;

    /// Returns the score of a finished game, `ply` plies below the root, from the view of `mover`.
    fn outcome_score<C>(&self, verdict: &Verdict<C>, mover: Side, ply: u32) -> Score {
        match verdict.outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == mover => MATE - ply as Score,
            Outcome::Win(_) => ply as Score - MATE,
        }
    }
}

/// An exact value from outside the search, such as an endgame solver.
pub trait Oracle<P: Position>: Clone + Send {
    /// Returns the exact value of a position, or `None` if the oracle cannot solve it or `control` stopped it.
    fn solve<C: SearchControl<MoveOf<P>>>(
        &mut self,
        position: &P,
        control: &mut C,
    ) -> Option<ExactResult<MoveOf<P>>>;
}

/// No oracle: it solves nothing.
impl<P: Position> Oracle<P> for () {
    fn solve<C: SearchControl<MoveOf<P>>>(&mut self, _: &P, _: &mut C) -> Option<ExactResult<MoveOf<P>>> {
        None
    }
}
