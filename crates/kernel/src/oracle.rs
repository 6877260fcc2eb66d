//! Oracles: values of the end of the game from outside the search.

use crate::control::SearchControl;
use crate::position::{MoveOf, Position};
use crate::score::{Confidence, Score};

/// The value of a position, as an [`Oracle`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OracleResult<M> {
    /// The score from the view of the side to move.
    pub score: Score,
    /// A best move; `None` if there is no legal move.
    pub mv: Option<M>,
    /// An upper limit of the distance to the end of the game, in plies.
    pub depth: u32,
    /// How sure the score is.
    pub confidence: Confidence,
}

/// A value of the end of the game from outside the search, such as that of an endgame solver.
pub trait Oracle<P: Position>: Clone + Send + Sync {
    /// Returns the depth of the iteration before which a search tries the oracle, in plies: if it is stopped, the
    /// iterations before it have found a reasonable move. An oracle that takes more time is tried later.
    fn start_depth(&self, _position: &P) -> u32 {
        6
    }

    /// Returns the depth of a search to the end of the game, in plies without forced passes.
    fn max_plies(&self, position: &P) -> u32;

    /// Returns the confidences that a search requests in turn, each above the one before; empty if the oracle cannot
    /// solve the position. Where the first is not exact, a search gives the oracle a part of its nodes for it and tries
    /// it again later.
    fn confidences(&self, position: &P) -> &'static [Confidence];

    /// Returns the value of a position of this confidence or a higher one, or `None` if the oracle cannot solve it or
    /// `control` stopped it.
    fn solve<C: SearchControl<MoveOf<P>>>(
        &mut self,
        position: &P,
        confidence: Confidence,
        control: &mut C,
    ) -> Option<OracleResult<MoveOf<P>>>;

    /// Returns this oracle for one search on several threads, each of which has a clone of the returned one: while one
    /// clone solves, the others can help it.
    #[must_use]
    fn shared(&self) -> Self {
        self.clone()
    }

    /// Returns whether a clone of this oracle solves a position and the others can help it.
    fn is_solving(&self) -> bool {
        false
    }

    /// Helps the clone that solves a position, until it has finished or `control` stops it. `thread` is the number of
    /// the calling thread in the search, from 1; that of the solving thread is 0.
    fn help<C: SearchControl<MoveOf<P>>>(&self, _thread: usize, _control: &mut C) {}
}

/// No oracle: it solves nothing.
impl<P: Position> Oracle<P> for () {
    fn max_plies(&self, _: &P) -> u32 {
        u32::MAX
    }

    fn confidences(&self, _: &P) -> &'static [Confidence] {
        &[]
    }

    fn solve<C: SearchControl<MoveOf<P>>>(
        &mut self,
        _: &P,
        _: Confidence,
        _: &mut C,
    ) -> Option<OracleResult<MoveOf<P>>> {
        None
    }
}
