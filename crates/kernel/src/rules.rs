//! Rules: how the history of a game decides it.

use crate::game::Game;
use crate::game_history::GameHistory;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::Position;
use crate::score::Bound;

/// The cause type of a position's game.
pub type CauseOf<P> = <<P as Position>::Game as Game>::Cause;

/// The result of a rule probe in search: do repetition, limits or material decide the game?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleProbe {
    /// The rules do not decide the game here.
    Undecided,
    /// The game is over with this outcome, or the search may score the position as if it were.
    Decided(Outcome),
    /// The score of this outcome is a bound of the score of the position.
    Bound(Outcome, Bound),
}

/// A ruleset as a value. It judges a game, and offers the search a cheap probe.
pub trait Rules<P: Position>: Clone + Send + Sync + 'static {
    /// Returns the verdict on the current position, if the game is over: no legal move, repetition, limits, material.
    fn judge(&self, game: &GameHistory<P>) -> Option<Verdict<CauseOf<P>>>;

    /// Probes the rules in a search whose root is at ply `root` of the game. It is cheap, and returns
    /// [`RuleProbe::Undecided`] if it is not certain. It does not test for legal moves, unless a limit is reached that
    /// the lack of them precedes.
    fn probe(&self, game: &GameHistory<P>, root: usize) -> RuleProbe;

    /// Returns the verdict if the side to move has no legal move.
    fn no_legal_move_verdict(&self, position: &P) -> Verdict<CauseOf<P>>;

    /// Returns whether `side` still has enough material to win. If not, the game is drawn when the opponent's time runs
    /// out.
    fn can_win(&self, _position: &P, _side: Side) -> bool {
        true
    }
}
