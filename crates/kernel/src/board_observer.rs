//! Who is told what changed on a board.

use crate::game::Game;

/// Listens to a board while it makes and unmakes moves. A move is announced in the order in which a hand would play
/// it: what is captured is lifted, the mover is lifted, the mover is put down, men are turned over. Unmaking a move
/// announces the opposite, backwards.
///
/// Evaluators listen to keep their sums; the page's animation listens to write its script. `()` listens to nothing
/// and costs nothing.
pub trait BoardObserver<G: Game> {
    /// `piece` was put on the empty `square`.
    fn put(&mut self, square: G::Square, piece: G::Piece);
    /// `piece` was lifted from `square`, which is now empty.
    fn remove(&mut self, square: G::Square, piece: G::Piece);
    /// What stood on `square` was turned over and is now `piece`.
    fn flip(&mut self, square: G::Square, piece: G::Piece);
}

impl<G: Game> BoardObserver<G> for () {
    #[inline(always)]
    fn put(&mut self, _: G::Square, _: G::Piece) {}
    #[inline(always)]
    fn remove(&mut self, _: G::Square, _: G::Piece) {}
    #[inline(always)]
    fn flip(&mut self, _: G::Square, _: G::Piece) {}
}
