//! What a position is worth.

use crate::board_observer::BoardObserver;
use crate::control::SearchControl;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::{MoveOf, Position};

/// Centipawns (hundredths of a disc in Othello), from the view of the side to move.
pub type Score = i32;

/// Greater than any score a search can return.
pub const INFINITE: Score = 32_000;
/// A win at the root; a win in `n` plies is `MATE - n`.
pub const MATE: Score = 31_000;
/// Scores at or beyond this are wins or losses in a known number of plies.
pub const MATE_BOUND: Score = MATE - 1_000;

/// What a game's nature allows a search to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPolicy {
    /// Passing may be taken as worse than the best move: the null move may be tried.
    pub null_move: bool,
    /// Noisy moves must be resolved before a position is valued.
    pub quiescence: bool,
    /// A static score far outside the window stays there for a few quiet plies: hopeless and safe lines may be cut by it.
    pub futility: bool,
}

/// What a solver found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactResult<M> {
    /// From the view of the side to move.
    pub score: Score,
    /// A best move; none where there is no legal one.
    pub mv: Option<M>,
    /// How far away the end of the game is at most, in plies.
    pub depth: u32,
}

/// Values positions of a game. It listens to the board ([`Watcher`]) and so need not look at it again.
pub trait Evaluate<P: Position>: BoardObserver<P::Game> + Clone + Send {
    /// Starts afresh from this position.
    fn reset(&mut self, position: &P);

    /// What the position is worth to the side to move.
    fn score(&self, position: &P) -> Score;

    /// Whether this pseudo-legal move must be looked at before a position can be valued.
    fn is_noisy(&self, position: &P, mv: MoveOf<P>) -> bool;

    /// How promising a noisy move looks: most valuable victim first, least valuable attacker first.
    fn mvv_lva(&self, position: &P, mv: MoveOf<P>) -> Score;

    /// Whether the exchange that this move opens wins at least so much.
    fn see_ge(&self, position: &P, mv: MoveOf<P>, at_least: Score) -> bool;

    /// What the nature of the game allows here.
    fn search_policy(&self, position: &P) -> SearchPolicy;

    /// The score of an ended game, `ply` plies below the root, for the side `mover`.
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
    /// Returns the exact value of a position. `None` where the oracle does not know it, or `control` stopped it.
    fn solve<C: SearchControl<MoveOf<P>>>(
        &mut self,
        position: &P,
        control: &mut C,
    ) -> Option<ExactResult<MoveOf<P>>>;
}

/// No oracle.
impl<P: Position> Oracle<P> for () {
    fn solve<C: SearchControl<MoveOf<P>>>(&mut self, _: &P, _: &mut C) -> Option<ExactResult<MoveOf<P>>> {
        None
    }
}
