//! Counting the tree of legal moves: the number every board must agree on.

use alloc::vec::Vec;

use crate::moves::MoveList;
use crate::position::{MoveOf, Position};

/// The number of legal move paths of `depth` plies. Depth 0 counts 1; a position without moves counts 0 above depth 0.
/// The last ply is counted, not made ("bulk"). Repetition and limits are not considered: they belong to the laws.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let mut list = MoveList::new();
            position.generate_legal(&mut list);
            let mut nodes = 0;
            for &mv in &list {
                let undo = position.make(mv, &mut ());
                nodes += perft(position, depth - 1);
                position.unmake(mv, &undo, &mut ());
            }
            nodes
        }
    }
}

/// [`perft`] split by first moves, in the order of generation; empty at depth 0.
pub fn divide<P: Position>(position: &mut P, depth: u32) -> Vec<(MoveOf<P>, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut list = MoveList::new();
    position.generate_legal(&mut list);
    let mut rows = Vec::with_capacity(list.len());
    for &mv in &list {
        let undo = position.make(mv, &mut ());
        rows.push((mv, perft(position, depth - 1)));
        position.unmake(mv, &undo, &mut ());
    }
    rows
}

/// Remembers subtree counts by key and depth, so that transpositions are counted once.
///
/// An entry holds a 64-bit key of position and depth beside its count. Counts found with a table are therefore right
/// with overwhelming probability and not by proof; the plain [`perft`] is the proof.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<(u64, u128)>,
}

impl PerftTable {
    /// A table of at most `mebibytes` MiB, at least one entry.
    pub fn new(mebibytes: usize) -> Self {
        let wanted = mebibytes.saturating_mul(1 << 20) / size_of::<(u64, u128)>();
        let entries = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        PerftTable { entries: alloc::vec![(0, 0); entries.max(1)] }
    }

    /// [`perft`] through the table. What is counted once can be meant so often that 64 bits do not hold it.
    pub fn perft<P: Position>(&mut self, position: &mut P, depth: u32) -> u128 {
        if depth < 3 {
            return u128::from(perft(position, depth));
        }
        let key = position.hash_key() ^ (u64::from(depth)).wrapping_mul(crate::zobrist::GOLDEN);
        let slot = key as usize & (self.entries.len() - 1);
        if self.entries[slot].0 == key {
            return self.entries[slot].1;
        }
        let mut list = MoveList::new();
        position.generate_legal(&mut list);
        let mut nodes = 0;
        for &mv in &list {
            let undo = position.make(mv, &mut ());
            nodes += self.perft(position, depth - 1);
            position.unmake(mv, &undo, &mut ());
        }
        self.entries[slot] = (key, nodes);
        nodes
    }
}
