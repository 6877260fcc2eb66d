//! Rules: how the history of a game decides it.

use alloc::vec::Vec;

use crate::game::Game;
use crate::game_history::GameHistory;
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::{MoveOf, Position};
use crate::score::Bound;

/// The cause type of a position's game.
pub type CauseOf<P> = <<P as Position>::Game as Game>::Cause;

/// A legal move that a ruleset refuses in a game, because too many such moves were played in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedMove<M, C> {
    /// The move.
    pub mv: M,
    /// What the moves in a row have in common.
    pub cause: C,
    /// The number of such moves in a row that are allowed.
    pub limit: usize,
}

/// A refused move in the game of a position.
pub type RefusedMoveOf<P> = RefusedMove<MoveOf<P>, CauseOf<P>>;

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

    /// Returns the legal moves that the ruleset refuses in this game now, with the reason: they may not be played,
    /// although they are legal. Most rulesets refuse none. A search excludes them at its root; below it the moves are
    /// those of the position alone, because the table of a search does not know how a position was reached.
    fn refused_moves(&self, _game: &GameHistory<P>) -> Vec<RefusedMoveOf<P>> {
        Vec::new()
    }

    /// Returns the verdict if the side to move has no legal move.
    fn no_legal_move_verdict(&self, position: &P) -> Verdict<CauseOf<P>>;

    /// Returns whether `side` still has enough material to win. If not, the game is drawn when the opponent's time runs
    /// out.
    fn can_win(&self, _position: &P, _side: Side) -> bool {
        true
    }
}
