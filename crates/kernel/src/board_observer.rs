//! Observers of the changes on a board.

use crate::game::Game;

/// Receives the changes of a board while it makes and unmakes moves.
///
/// The changes of a move arrive in this order: the captured piece is removed, the moving piece is removed and put on
/// its target, discs are flipped. Unmaking a move reports the opposite changes in reverse order.
///
/// [`GameHistory`](crate::GameHistory) also reports the boundaries of plies, so that an incremental evaluator may
/// save its state when a ply begins and restore it when the ply is taken back, instead of following every change back.
///
/// Evaluators keep their sums by it, and the animation of the page records its steps. `()` ignores all changes and
/// costs nothing.
pub trait BoardObserver<G: Game> {
    /// Handles that `piece` was put on the empty `square`.
    fn put(&mut self, square: G::Square, piece: G::Piece);
    /// Handles that `piece` was removed from `square`, which is now empty.
    fn remove(&mut self, square: G::Square, piece: G::Piece);
    /// Handles that the disc on `square` was flipped and is now `piece`.
    fn flip(&mut self, square: G::Square, piece: G::Piece);
    /// Handles the start of a ply or null move: its changes follow.
    fn push(&mut self) {}
    /// Handles that a ply or null move is taken back: its changes follow in reverse order.
    fn pop(&mut self) {}
}

impl<G: Game> BoardObserver<G> for () {
    #[inline(always)]
    fn put(&mut self, _: G::Square, _: G::Piece) {}
    #[inline(always)]
    fn remove(&mut self, _: G::Square, _: G::Piece) {}
    #[inline(always)]
    fn flip(&mut self, _: G::Square, _: G::Piece) {}
}
