//! Oracles: exact values from outside the search.

use crate::control::SearchControl;
use crate::position::{MoveOf, Position};
use crate::score::Score;

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

/// An exact value from outside the search, such as an endgame solver.
pub trait Oracle<P: Position>: Clone + Send {
    /// Returns the depth of the iteration before which a search tries the oracle, in plies: if it is stopped, the
    /// iterations before it have found a reasonable move. An oracle that takes more time is tried later.
    fn start_depth(&self, _position: &P) -> u32 {
        6
    }

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
