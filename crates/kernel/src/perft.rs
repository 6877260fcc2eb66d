//! Perft: the number of legal move paths, on which all boards must agree.

use alloc::vec::Vec;

use crate::moves::MoveList;
use crate::position::{MoveOf, Position};

/// Returns the number of legal move paths of `depth` plies.
///
/// Depth 0 counts 1; a position without moves counts 0 above depth 0. The last ply is counted without making the moves
/// (bulk counting). Repetition and move limits are ignored, as they belong to the rules.
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

/// Returns [`perft`] for each first move, in the order of generation; empty at depth 0.
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

/// A table of subtree counts by hash key and depth, so that transpositions are counted once.
///
/// An entry holds a 64-bit key of position and depth beside its count. A key collision would give a wrong count, so
/// only [`perft`] without a table proves a number.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<(u64, u128)>,
}

impl PerftTable {
    /// Creates a table of at most `mebibytes` MiB, with at least one entry.
    pub fn new(mebibytes: usize) -> Self {
        let max_entries = mebibytes.saturating_mul(1 << 20) / size_of::<(u64, u128)>();
        let entries =
            if max_entries.is_power_of_two() { max_entries } else { max_entries.next_power_of_two() / 2 };
        PerftTable { entries: alloc::vec![(0, 0); entries.max(1)] }
    }

    /// Returns [`perft`] with the table. The count can exceed 64 bits, as one subtree may count many times.
    pub fn perft<P: Position>(&mut self, position: &mut P, depth: u32) -> u128 {
        if depth < 3 {
            return u128::from(perft(position, depth));
        }
        let key = position.hash_key() ^ (u64::from(depth)).wrapping_mul(crate::zobrist::GOLDEN);
        let index = key as usize & (self.entries.len() - 1);
        if self.entries[index].0 == key {
            return self.entries[index].1;
        }
        let mut list = MoveList::new();
        position.generate_legal(&mut list);
        let mut nodes = 0;
        for &mv in &list {
            let undo = position.make(mv, &mut ());
            nodes += self.perft(position, depth - 1);
            position.unmake(mv, &undo, &mut ());
        }
        self.entries[index] = (key, nodes);
        nodes
    }
}
