//! The generator in parts, for those who want less than all moves: the moves of one man that was clicked, those of one kind that
//! a benchmark compares, and the king's safety apart from the rest.

use super::{FIRST, KINDS, Mailbox, SLOTS, square, wide};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

impl Mailbox {
    /// The pseudo-legal moves of the man of the side to move that stands on this point; none if no such man does.
    pub fn pseudo_from(&self, at: Square, mut sink: impl FnMut(Move)) {
        let first = FIRST[self.side.index()];
        let man = self.cells[wide(at) as usize];
        if man & first != 0 {
            let kind = KINDS[(man - first) as usize];
            self.generate_man::<true, true>(kind, wide(at), &mut |_, target| {
                sink(Move::new(at, square(target)));
            });
        }
    }

    /// The pseudo-legal moves of the mover's men of one kind.
    pub fn moves_of(&self, kind: Kind, sink: impl FnMut(Move)) {
        self.generate_kind::<true>(kind, sink);
    }

    /// The pseudo-legal captures of the mover's men of one kind.
    pub fn captures_of(&self, kind: Kind, sink: impl FnMut(Move)) {
        self.generate_kind::<false>(kind, sink);
    }

    /// Whether the mover's own general would be attacked after this pseudo-legal move, found from the general outward
    /// without making the move.
    pub fn exposes(&self, mv: Move) -> bool {
        self.is_exposed_after(wide(mv.origin()), wide(mv.target()))
    }

    fn generate_kind<const QUIETS: bool>(&self, kind: Kind, mut sink: impl FnMut(Move)) {
        let (slot, room) = SLOTS[kind as usize];
        let first = (FIRST[self.side.index()] + slot) as usize;
        for &place in &self.places[first..first + room as usize] {
            if place != 0 {
                self.generate_man::<true, QUIETS>(kind, place, &mut |origin, target| {
                    sink(Move::new(square(origin), square(target)));
                });
            }
        }
    }
}
