//! The transposition table of the solver, which all workers share.
//!
//! A slot stores the whole position, 64 bits for each side, so that no result can come from another position with the
//! same hash. Both words of the position are stored XOR the data word: a slot that two workers wrote at once matches no
//! position. Source: R. Hyatt and T. Mann, "A lockless transposition table implementation for parallel search" (2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use alfil_memory::{CacheLines, WORDS_PER_LINE};

use crate::selectivity::Level;

/// The square index that means no move.
pub(crate) const NO_SQUARE: u8 = 64;

/// The bounds of a position from the view of the side to move, and its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolverEntry {
    /// The lower bound of the score in discs.
    pub(crate) lower: i32,
    /// The upper bound of the score in discs.
    pub(crate) upper: i32,
    /// The best move and the previous best move; [`NO_SQUARE`] for none.
    pub(crate) best_moves: [u8; 2],
    /// The base-2 logarithm of the searched nodes.
    cost: u8,
    /// The generation of the task that stored the entry; entries of older generations are replaced first.
    generation: u8,
    /// How reliable the bounds are.
    pub(crate) level: Level,
}

impl SolverEntry {
    fn pack(self) -> u64 {
        let bytes = [
            (self.lower + 64) as u8,
            (self.upper + 64) as u8,
            self.best_moves[0],
            self.best_moves[1],
            self.cost,
            self.generation,
            // The data of an entry is never zero, which marks an empty slot.
            1,
            self.level.0,
        ];
        u64::from_le_bytes(bytes)
    }

    fn unpack(data: u64) -> SolverEntry {
        let [lower, upper, first, second, cost, generation, _, level] = data.to_le_bytes();
        SolverEntry {
            lower: i32::from(lower) - 64,
            upper: i32::from(upper) - 64,
            best_moves: [first, second],
            cost,
            generation,
            level: Level(level),
        }
    }
}

/// A slot of the table: the discs of the side to move, those of the opponent, and the packed entry.
#[derive(Clone, Copy)]
struct Slot<'a> {
    mover: &'a AtomicU64,
    opponent: &'a AtomicU64,
    data: &'a AtomicU64,
}

impl Slot<'_> {
    fn read(&self, mover: u64, opponent: u64) -> Option<SolverEntry> {
        let data = self.data.load(Relaxed);
        let same = self.mover.load(Relaxed) ^ data == mover && self.opponent.load(Relaxed) ^ data == opponent;
        (same && data != 0).then(|| SolverEntry::unpack(data))
    }

    fn write(&self, mover: u64, opponent: u64, entry: SolverEntry) {
        let data = entry.pack();
        self.mover.store(mover ^ data, Relaxed);
        self.opponent.store(opponent ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The table, shared by all workers of a solver.
#[derive(Debug)]
pub(crate) struct SolverTable {
    /// A bucket is a cache line with two slots of three words.
    buckets: CacheLines,
    shift: u32,
}

impl SolverTable {
    /// Creates a table of at most `mebibytes` MiB, but at least 64 KiB. The system provides its memory on first use.
    pub(crate) fn new(mebibytes: usize) -> SolverTable {
        let max_buckets = (mebibytes << 20) / size_of::<[u64; WORDS_PER_LINE]>();
        let bits = max_buckets.checked_ilog2().unwrap_or(0).max(10);
        SolverTable { buckets: CacheLines::zeroed(1 << bits), shift: 64 - bits }
    }

    #[inline(always)]
    fn bucket_index(&self, mover: u64, opponent: u64) -> usize {
        // Odd multipliers spread both words over the high bits; the rotation separates (a, b) from (b, a).
        let mixed = mover.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> self.shift) as usize
    }

    #[inline(always)]
    fn bucket(&self, mover: u64, opponent: u64) -> [Slot<'_>; 2] {
        slots(&self.buckets.as_slice()[self.bucket_index(mover, opponent)])
    }

    /// Requests the bucket of a position, which is probed soon, for the caches of the processor.
    #[inline(always)]
    pub(crate) fn prefetch(&self, mover: u64, opponent: u64) {
        self.buckets.prefetch(self.bucket_index(mover, opponent));
    }

    #[inline]
    pub(crate) fn probe(&self, mover: u64, opponent: u64) -> Option<SolverEntry> {
        let [first, second] = self.bucket(mover, opponent);
        first.read(mover, opponent).or_else(|| second.read(mover, opponent))
    }

    /// Merges the result of a search into the entry of its position.
    pub(crate) fn store(&self, position: (u64, u64), result: WindowResult, generation: u8) {
        let (mover, opponent) = position;
        let bucket = self.bucket(mover, opponent);
        for slot in bucket {
            if let Some(old) = slot.read(mover, opponent) {
                return slot.write(mover, opponent, result.merged_into(old, generation));
            }
        }
        // The first slot has the entry with the highest cost of this generation, the second the latest other entry.
        let [first, second] = bucket;
        let resident = SolverEntry::unpack(first.data.load(Relaxed));
        let entry = result.merged_into(WindowResult::UNKNOWN, generation);
        if resident.generation == generation && resident.cost > result.cost {
            return second.write(mover, opponent, entry);
        }
        for (to, from) in
            [(second.mover, first.mover), (second.opponent, first.opponent), (second.data, first.data)]
        {
            to.store(from.load(Relaxed), Relaxed);
        }
        first.write(mover, opponent, entry);
    }

    /// Returns how full the table is with entries of this generation, in permille.
    pub(crate) fn hashfull(&self, generation: u8) -> u32 {
        let sample = &self.buckets.as_slice()[..512];
        let data = sample.iter().flat_map(slots).map(|slot| slot.data.load(Relaxed));
        let used =
            data.filter(|&data| data != 0 && SolverEntry::unpack(data).generation == generation).count();
        (used * 1000 / (sample.len() * 2)) as u32
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.as_slice().iter().flat_map(slots) {
            slot.data.store(0, Relaxed);
        }
    }
}

/// Returns the slots of a bucket.
#[inline(always)]
fn slots(bucket: &[AtomicU64; WORDS_PER_LINE]) -> [Slot<'_>; 2] {
    let [mover, opponent, data, second @ .., _, _] = bucket;
    [Slot { mover, opponent, data }, Slot { mover: &second[0], opponent: &second[1], data: &second[2] }]
}

/// The result of a search with the window (`alpha`, `beta`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowResult {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) score: i32,
    /// A square, or [`NO_SQUARE`].
    pub(crate) best_move: u8,
    /// The base-2 logarithm of the searched nodes.
    pub(crate) cost: u8,
    /// How reliable the score is.
    pub(crate) level: Level,
}

impl WindowResult {
    const UNKNOWN: SolverEntry = SolverEntry {
        lower: -64,
        upper: 64,
        best_moves: [NO_SQUARE; 2],
        cost: 0,
        generation: 0,
        level: Level(0),
    };

    fn merged_into(self, mut entry: SolverEntry, generation: u8) -> SolverEntry {
        if self.level > entry.level {
            (entry.lower, entry.upper, entry.level) = (-64, 64, self.level);
        }
        // A less reliable search changes the moves only.
        if self.level == entry.level {
            if self.score > self.alpha {
                entry.lower = entry.lower.max(self.score);
            }
            if self.score < self.beta {
                entry.upper = entry.upper.min(self.score);
            }
        }
        // The best move of a fail-low is uncertain and must not replace one that achieved `lower`.
        if self.best_move != NO_SQUARE && self.best_move != entry.best_moves[0] {
            // Nor may that of a less reliable search.
            let is_proven =
                entry.best_moves[0] == NO_SQUARE || (self.score > self.alpha && self.level == entry.level);
            entry.best_moves = if is_proven {
                [self.best_move, entry.best_moves[0]]
            } else {
                [entry.best_moves[0], self.best_move]
            };
        }
        entry.cost = entry.cost.max(self.cost);
        entry.generation = generation;
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selectivity::PRELIMINARY_LEVELS;

    fn result(alpha: i32, score: i32, best_move: u8) -> WindowResult {
        WindowResult { alpha, beta: alpha + 1, score, best_move, cost: 3, level: Level::EXACT }
    }

    #[test]
    fn store_merges_bounds_and_best_moves() {
        let table = SolverTable::new(1);
        assert_eq!(table.probe(1, 2), None);
        table.store((1, 2), result(3, 8, 10), 1);
        table.store((1, 2), result(9, 8, 11), 1);
        let entry = table.probe(1, 2).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.best_moves), (8, 8, [10, 11]));
        table.store((1, 2), result(7, 8, 12), 1);
        assert_eq!(table.probe(1, 2).unwrap().best_moves, [12, 10]);
        assert_eq!(table.probe(2, 1), None, "the exchanged sides are another position");
        table.clear();
        assert_eq!(table.probe(1, 2), None);
    }

    #[test]
    fn bounds_are_those_of_the_most_reliable_search() {
        let table = SolverTable::new(1);
        let selective = |alpha, score, best_move, level| {
            let result = WindowResult { level: PRELIMINARY_LEVELS[level], ..result(alpha, score, best_move) };
            table.store((1, 2), result, 1);
            table.probe(1, 2).unwrap()
        };
        let entry = selective(9, 12, 10, 0);
        assert_eq!((entry.lower, entry.upper, entry.level), (12, 64, PRELIMINARY_LEVELS[0]));
        // Bounds of a more reliable search replace the others, even if they contradict them.
        let entry = selective(3, 2, 11, 1);
        assert_eq!((entry.lower, entry.upper, entry.level), (-64, 2, PRELIMINARY_LEVELS[1]));
        table.store((1, 2), result(-7, -6, 12), 1);
        // A less reliable search has no part in them, nor in the move that proved one.
        let entry = selective(20, 24, 13, 1);
        assert_eq!((entry.lower, entry.upper, entry.level), (-6, 64, Level::EXACT));
        assert_eq!(entry.best_moves, [12, 13]);
    }

    #[test]
    fn full_table_keeps_costly_and_latest_entries() {
        let table = SolverTable::new(0);
        table.store((1, 0), WindowResult { cost: 40, ..result(0, 2, 5) }, 1);
        for word in 2..200_000 {
            table.store((word, 0), result(0, 2, 5), 1);
            assert!(table.probe(word, 0).is_some());
        }
        assert!(table.probe(1, 0).is_some());
        assert_eq!((table.hashfull(1), table.hashfull(2)), (1000, 0));
    }

    #[test]
    fn entries_pack_and_unpack_for_every_score() {
        for lower in -64..=64 {
            let entry = SolverEntry {
                lower,
                upper: -lower,
                best_moves: [63, NO_SQUARE],
                cost: 255,
                generation: 255,
                level: Level::EXACT,
            };
            assert_eq!(SolverEntry::unpack(entry.pack()), entry);
        }
    }
}
