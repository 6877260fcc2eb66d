//! Repetition detection by homing, after ElephantEye.

use alloc::vec::Vec;

use alfil_kernel::GameHistory;

use crate::board::Board;
use crate::square::Square;

/// Returns the plies before which the current position occurred, the latest first, by homing: the moves are walked
/// back, and each moved piece is followed from its present square to its earlier one. When all are home the position is
/// the same, provided the same side was to move. Equal pieces that changed places count as home; a capture ends the
/// walk, because a captured piece cannot return.
///
/// ElephantEye's repetition test follows each piece on its own, and so misses equal pieces that changed places.
pub fn homings<P: Board>(game: &GameHistory<P>) -> impl Iterator<Item = usize> + '_ {
    let mut displacements = Displacements::default();
    let end = game.ply();
    // The plies are looked at one by one, so that a recent occurrence does not cost a walk through a long game.
    let plies = if game.may_repeat() { 0..end } else { end..end };
    let records = plies.rev().map(|ply| (ply, &game.records()[ply]));
    records.take_while(|(_, record)| !record.is_irreversible()).filter_map(move |(ply, record)| {
        let mv = record.mv()?;
        displacements.take_back(mv.origin(), mv.target());
        ((end - ply).is_multiple_of(2) && displacements.are_all_home(game.position())).then_some(ply)
    })
}

/// The present and the earlier squares of the pieces that moved.
#[derive(Clone, Debug, Default)]
struct Displacements(Vec<Displacement>);

#[derive(Clone, Copy, Debug)]
struct Displacement {
    now: Square,
    then: Square,
}

impl Displacements {
    fn take_back(&mut self, origin: Square, target: Square) {
        match self.0.iter_mut().find(|displacement| displacement.then == target) {
            Some(displacement) => displacement.then = origin,
            None => self.0.push(Displacement { now: target, then: origin }),
        }
    }

    /// Returns whether every moved piece was on a square where an equal piece is now. No two pieces share a square, so
    /// this covers all of them.
    fn are_all_home(&self, position: &impl Board) -> bool {
        self.0.iter().all(|displacement| {
            displacement.now == displacement.then
                || position.piece_on(displacement.then) == position.piece_on(displacement.now)
        })
    }
}
