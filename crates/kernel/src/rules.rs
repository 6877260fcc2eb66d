//! What the road to a position means.

use crate::control::Bound;
use crate::game::Game;
use crate::game_history::GameHistory;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::Position;

/// The cause type of a position's game.
pub type CauseOf<P> = <<P as Position>::Game as Game>::Cause;

/// What a search may conclude from the road without asking further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleProbe {
    /// Nothing: go on.
    Undecided,
    /// The game is over here, with this outcome, or may be taken so.
    Decided(Outcome),
    /// The score of this outcome is a bound on the value.
    Bound(Outcome, Bound),
}

/// A rule book, chosen: a value. It judges a game at the board, and gives search a hint on the way.
pub trait Rules<P: Position>: Clone + Send + Sync + 'static {
    /// The verdict on the position at the end of the line, if the game is over there: no legal move, repetition,
    /// limits, material.
    fn judge(&self, line: &GameHistory<P>) -> Option<Verdict<CauseOf<P>>>;

    /// The same question in the middle of a search whose root stood at ply `root` of the line: cheap, and silent
    /// where it is not sure. It does not ask for legal moves.
    fn probe(&self, line: &GameHistory<P>, root: usize) -> RuleProbe;

    /// What it means that the side to move has no legal move.
    fn no_legal_move_verdict(&self, position: &P) -> Verdict<CauseOf<P>>;

    /// Whether a side still has what it takes to win: if not, the fall of the other's flag is a draw.
    fn can_win(&self, _position: &P, _side: Side) -> bool {
        true
    }
}
