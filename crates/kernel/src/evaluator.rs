//! What a search needs of a game besides its rules: static evaluation, move values and sound techniques.

use crate::board_observer::BoardObserver;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::{MoveOf, Position};
use crate::score::Score;

/// A static evaluation. It observes the board and so can keep its sums incrementally.
pub trait Evaluator<P: Position>: BoardObserver<P::Game> {
    /// Resets the evaluation to this position.
    fn reset(&mut self, position: &P);

    /// Returns the static evaluation from the view of the side to move. It may compute lazily and keep its results.
    fn score(&mut self, position: &P) -> Score;
}

/// The tactical values of moves, for move ordering and pruning.
pub trait Tactics<P: Position> {
    /// Returns whether a pseudo-legal move is noisy, as most captures are; the game decides. The others are quiet.
    /// Quiescence search resolves the noisy captures.
    fn is_noisy(&self, position: &P, mv: MoveOf<P>) -> bool;

    /// Returns the ordering score of a noisy move: most valuable victim, then least valuable attacker (MVV-LVA).
    fn mvv_lva(&self, position: &P, mv: MoveOf<P>) -> i32;

    /// Returns whether the static exchange evaluation (SEE) of a move is at least `at_least` centipawns.
    fn see_ge(&self, position: &P, mv: MoveOf<P>, at_least: i32) -> bool;
}

/// The search techniques that are sound in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchTechniques {
    /// Null move pruning: passing is worse than the best move (no zugzwang).
    pub null_move: bool,
    /// Quiescence search: noisy moves must be resolved before the static evaluation counts.
    pub quiescence: bool,
    /// Futility pruning: near the leaves, a static evaluation far outside the window stays outside.
    pub futility: bool,
}

/// A shallow search whose score predicts that of a deeper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    /// Its depth, in plies.
    pub depth: i32,
    /// How far its score must be outside the window for a cutoff, in centipawns.
    pub margin: i32,
}

/// How a game is searched: which techniques are sound, and how its ends are scored.
pub trait SearchPolicy<P: Position> {
    /// Returns the search techniques that are sound in a position.
    fn techniques(&self, position: &P) -> SearchTechniques;

    /// Returns the shallow search that predicts the score of a search of this depth (Multi-ProbCut); `None` if there is
    /// none.
    fn prob_cut(&self, _position: &P, _depth: i32) -> Option<ProbCut> {
        None
    }

    /// Returns a hash of the pawns for a history of quiet moves by pawns, which uses its highest bits; 0 in a game
    /// without such a history.
    fn pawn_key(&self, _position: &P) -> u64 {
        0
    }

    /// Returns whether the positions after quiet moves order them in a node of this depth, beside the histories and in
    /// place of killers: see [`SearchPolicy::quiet_move_score`].
    fn orders_quiets(&self, _depth: i32) -> bool {
        false
    }

    /// Returns what the position after a quiet move adds to its ordering score, where [`SearchPolicy::orders_quiets`].
    fn quiet_move_score(&self, _position: &P, _mv: MoveOf<P>) -> i32 {
        0
    }

    /// Returns the score of a game that is over on the board, `ply` plies below the root, from the view of `mover`.
    fn outcome_score<C>(&self, verdict: &Verdict<C>, mover: Side, ply: u32) -> Score {
        match verdict.outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == mover => Score::mate_in(ply),
            Outcome::Win(_) => Score::mated_in(ply),
        }
    }
}
