//! A table of subtree counts that threads share, in which every position is stored whole.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering, fence};

use super::{PathCounter, PerftKey};
use crate::moves::MoveList;
use crate::position::Position;

/// The bit of a state word that a writer holds while it changes the entry.
const LOCKED: u64 = 1;

/// The bits of the depth in a state word; the number of changes of the entry follows.
const DEPTH_BITS: u32 = 7;

/// The place of the depth in a state word.
const DEPTH_SHIFT: u32 = 1;

/// The place of the number of changes in a state word.
const CHANGES_SHIFT: u32 = DEPTH_SHIFT + DEPTH_BITS;

/// The number of entries in which a position can be.
const WAYS: usize = 2;

/// A position, a depth and the count. The state word is 0 while the entry is empty, as no count has depth 0.
#[derive(Debug, Default)]
struct Entry {
    state: AtomicU64,
    key: [AtomicU64; 4],
    count: AtomicU64,
}

const fn depth_of(state: u64) -> u32 {
    (state >> DEPTH_SHIFT) as u32 & ((1 << DEPTH_BITS) - 1)
}

impl Entry {
    /// Returns the count of the position at the depth. An entry that changes meanwhile has none.
    fn get(&self, key: &PerftKey, depth: u32) -> Option<u64> {
        let state = self.state.load(Ordering::Acquire);
        if state & LOCKED != 0 || depth_of(state) != depth {
            return None;
        }
        let is_equal = self.key.iter().zip(key.0).all(|(word, own)| word.load(Ordering::Relaxed) == own);
        let count = self.count.load(Ordering::Relaxed);
        // The fence orders the loads above before the second look at the state (a sequence lock).
        fence(Ordering::Acquire);
        (is_equal && self.state.load(Ordering::Relaxed) == state).then_some(count)
    }

    /// Stores a count, unless another thread changes the entry at this moment.
    fn set(&self, key: &PerftKey, depth: u32, count: u64) {
        let state = self.state.load(Ordering::Relaxed);
        let locked = state | LOCKED;
        if state & LOCKED != 0
            || self.state.compare_exchange(state, locked, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (word, own) in self.key.iter().zip(key.0) {
            word.store(own, Ordering::Relaxed);
        }
        self.count.store(count, Ordering::Relaxed);
        let changes = (state >> CHANGES_SHIFT).wrapping_add(1);
        self.state.store(changes << CHANGES_SHIFT | u64::from(depth) << DEPTH_SHIFT, Ordering::Release);
    }
}

/// A table of subtree counts by position and depth, so that transpositions are counted once.
///
/// An entry holds the whole position, which is compared, so that a count with the table is as exact as one without it.
/// Threads share the table without waiting: a sequence lock detects an entry that changes while it is read, and a
/// thread that finds an entry locked goes on without it. Positions without a key are counted without the table.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<Entry>,
    seed: u64,
    min_depth: u32,
}

impl PerftTable {
    /// Creates a table of at most `mebibytes` MiB, with at least one bucket, for counts of `min_depth` plies and more.
    /// The seed decides only in which bucket a position is stored.
    ///
    /// # Panics
    /// If `min_depth` is 0, or there is not enough memory.
    pub fn new(mebibytes: usize, min_depth: u32, seed: u64) -> Self {
        assert!(min_depth > 0, "a path of 0 plies needs no table");
        let buckets = (mebibytes.saturating_mul(1 << 20) / (size_of::<Entry>() * WAYS)).max(1);
        PerftTable { entries: (0..buckets * WAYS).map(|_| Entry::default()).collect(), seed, min_depth }
    }

    /// Returns the entries in which a position can be at a depth.
    fn bucket(&self, key: &PerftKey, depth: u32) -> &[Entry] {
        let mixed = key.mix(self.seed.wrapping_add(u64::from(depth)));
        let buckets = self.entries.len() / WAYS;
        // The high half of the product: a number below that of the buckets, which need not be a power of two.
        let index = ((u128::from(mixed) * buckets as u128) >> 64) as usize;
        &self.entries[index * WAYS..][..WAYS]
    }

    /// Returns the count of a position at a depth, if it is stored.
    pub fn get(&self, key: &PerftKey, depth: u32) -> Option<u64> {
        self.bucket(key, depth).iter().find_map(|entry| entry.get(key, depth))
    }

    /// Stores a count: in the first entry of the bucket if that is no deeper, else in the last. Depths above 127 are
    /// not stored.
    pub fn set(&self, key: &PerftKey, depth: u32, count: u64) {
        if depth >= 1 << DEPTH_BITS {
            return;
        }
        let bucket = self.bucket(key, depth);
        let is_deeper = depth_of(bucket[0].state.load(Ordering::Relaxed)) > depth;
        bucket[if is_deeper { WAYS - 1 } else { 0 }].set(key, depth, count);
    }

    /// Returns the number of legal move paths of `depth` plies. Many threads may count with one table.
    pub fn perft<P: Position>(&self, position: &mut P, depth: u32, counter: &impl PathCounter<P>) -> u128 {
        if depth < self.min_depth {
            return u128::from(counter.count(position, depth));
        }
        let key = counter.key(position);
        if let Some(count) = key.and_then(|key| self.get(&key, depth)) {
            return u128::from(count);
        }
        let mut list = MoveList::new();
        position.generate_legal(&mut list);
        if list.is_empty() {
            return u128::from(counter.count(position, depth));
        }
        let mut nodes = 0;
        for &mv in &list {
            let undo = position.make(mv, &mut ());
            nodes += self.perft(position, counter.depth_after(mv, depth), counter);
            position.unmake(mv, &undo, &mut ());
        }
        // A count above 64 bits is not stored.
        if let (Some(key), Ok(count)) = (key, u64::try_from(nodes)) {
            self.set(&key, depth, count);
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_returns_only_what_was_stored_for_the_position_and_depth() {
        // One bucket: every key shares it.
        let table = PerftTable::new(0, 1, 7);
        assert_eq!(table.entries.len(), WAYS);
        let keys = [0, 1, u64::MAX].map(|word| PerftKey([5, 6, 7, word]));
        for key in &keys {
            assert_eq!(table.get(key, 3), None);
        }
        table.set(&keys[0], 3, 10);
        assert_eq!((table.get(&keys[0], 3), table.get(&keys[0], 4)), (Some(10), None));
        // A shallower count leaves the deeper one, and two shallower ones share the last entry.
        table.set(&keys[1], 2, 11);
        table.set(&keys[2], 2, 12);
        assert_eq!(
            (table.get(&keys[0], 3), table.get(&keys[1], 2), table.get(&keys[2], 2)),
            (Some(10), None, Some(12))
        );
        table.set(&keys[1], 9, 13);
        assert_eq!((table.get(&keys[0], 3), table.get(&keys[1], 9)), (None, Some(13)));
        table.set(&keys[1], 128, 14);
        assert_eq!(table.get(&keys[1], 128), None);
    }
}
