//! What is known of positions, shared by all workers.
//!
//! A slot keeps the whole position, 64 bits for each side, so that what is found is proved and not merely probable.
//! Each of its two position words is stored XOR the data word: a slot that two workers wrote at once matches no
//! position. After R. Hyatt and T. Mann, "A lockless transposition table implementation for parallel search" (2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use alfil_kernel::cache_lines::{CacheLines, WORDS_PER_LINE};

/// No move is known.
pub(crate) const NO_SQUARE: u8 = 64;

/// What is known of a position, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolverEntry {
    /// The score is this or more, in discs.
    pub(crate) lower: i32,
    /// The score is this or less, in discs.
    pub(crate) upper: i32,
    /// The best move found and the one before it; [`NO_SQUARE`] for none.
    pub(crate) best: [u8; 2],
    /// How much work it took, as a power of two of nodes.
    cost: u8,
    /// The problem it was found for, so that old ones give way.
    generation: u8,
}

impl SolverEntry {
    fn pack(self) -> u64 {
        let bytes = [
            (self.lower + 64) as u8,
            (self.upper + 64) as u8,
            self.best[0],
            self.best[1],
            self.cost,
            self.generation,
            // Never all zero, so that an empty slot is told from a stored one.
            1,
            0,
        ];
        u64::from_le_bytes(bytes)
    }

    fn unpack(data: u64) -> SolverEntry {
        let [lower, upper, first, second, cost, age, ..] = data.to_le_bytes();
        SolverEntry {
            lower: i32::from(lower) - 64,
            upper: i32::from(upper) - 64,
            best: [first, second],
            cost,
            generation: age,
        }
    }
}

/// A mover's discs, an opponent's, and what is known of them.
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

    fn write(&self, mover: u64, opponent: u64, known: SolverEntry) {
        let data = known.pack();
        self.mover.store(mover ^ data, Relaxed);
        self.opponent.store(opponent ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct SolverTable {
    /// Each is a bucket, which holds two slots of three numbers: one fetch for both.
    buckets: CacheLines,
    shift: u32,
}

impl SolverTable {
    /// A table of at most so many MiB, at least 64 KiB; it is made at once and takes memory as it is used.
    pub(crate) fn new(mebibytes: usize) -> SolverTable {
        let wanted = (mebibytes << 20) / size_of::<[u64; WORDS_PER_LINE]>();
        let bits = wanted.checked_ilog2().unwrap_or(0).max(10);
        SolverTable { buckets: CacheLines::zeroed(1 << bits), shift: 64 - bits }
    }

    #[inline(always)]
    fn bucket(&self, mover: u64, opponent: u64) -> [Slot<'_>; 2] {
        // Odd multipliers spread both words over the high bits; the rotation keeps (a, b) and (b, a) apart.
        let mixed = mover.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        slots(&self.buckets.as_slice()[(mixed >> self.shift) as usize])
    }

    #[inline]
    pub(crate) fn probe(&self, mover: u64, opponent: u64) -> Option<SolverEntry> {
        let [first, second] = self.bucket(mover, opponent);
        first.read(mover, opponent).or_else(|| second.read(mover, opponent))
    }

    /// Adds what a search of this position within `(alpha, beta)` found. `cost` is a power of two of nodes.
    pub(crate) fn store(&self, position: (u64, u64), found: WindowResult, age: u8) {
        let (mover, opponent) = position;
        let bucket = self.bucket(mover, opponent);
        for slot in bucket {
            if let Some(old) = slot.read(mover, opponent) {
                return slot.write(mover, opponent, found.merged_into(old, age));
            }
        }
        // The first slot keeps the costliest of this problem, the second the latest of what is not there.
        let [first, second] = bucket;
        let kept = SolverEntry::unpack(first.data.load(Relaxed));
        let known = found.merged_into(WindowResult::UNKNOWN, age);
        if kept.generation == age && kept.cost > found.cost {
            return second.write(mover, opponent, known);
        }
        for (to, from) in
            [(second.mover, first.mover), (second.opponent, first.opponent), (second.data, first.data)]
        {
            to.store(from.load(Relaxed), Relaxed);
        }
        first.write(mover, opponent, known);
    }

    /// How many of a thousand slots hold something of this problem.
    pub(crate) fn hashfull(&self, age: u8) -> u32 {
        let sample = &self.buckets.as_slice()[..512];
        let known = sample.iter().flat_map(slots).map(|slot| slot.data.load(Relaxed));
        let used = known.filter(|&data| data != 0 && SolverEntry::unpack(data).generation == age).count();
        (used * 1000 / (sample.len() * 2)) as u32
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.as_slice().iter().flat_map(slots) {
            slot.data.store(0, Relaxed);
        }
    }
}

/// The slots of a bucket.
#[inline(always)]
fn slots(bucket: &[AtomicU64; WORDS_PER_LINE]) -> [Slot<'_>; 2] {
    let [mover, opponent, data, second @ .., _, _] = bucket;
    [Slot { mover, opponent, data }, Slot { mover: &second[0], opponent: &second[1], data: &second[2] }]
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowResult {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) score: i32,
    pub(crate) best: u8,
    pub(crate) cost: u8,
}

impl WindowResult {
    const UNKNOWN: SolverEntry =
        SolverEntry { lower: -64, upper: 64, best: [NO_SQUARE; 2], cost: 0, generation: 0 };

    fn merged_into(self, mut known: SolverEntry, age: u8) -> SolverEntry {
        if self.score > self.alpha {
            known.lower = known.lower.max(self.score);
        }
        if self.score < self.beta {
            known.upper = known.upper.min(self.score);
        }
        // A move that only failed least says nothing certain, and must not take the place of one that reached `lower`.
        if self.best != NO_SQUARE && self.best != known.best[0] {
            let proven = self.score > self.alpha || known.best[0] == NO_SQUARE;
            known.best = if proven { [self.best, known.best[0]] } else { [known.best[0], self.best] };
        }
        known.cost = known.cost.max(self.cost);
        known.generation = age;
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(alpha: i32, score: i32, best: u8) -> WindowResult {
        WindowResult { alpha, beta: alpha + 1, score, best, cost: 3 }
    }

    #[test]
    fn bounds_meet_and_moves_are_remembered() {
        let table = SolverTable::new(1);
        assert_eq!(table.probe(1, 2), None);
        table.store((1, 2), found(3, 8, 10), 1);
        table.store((1, 2), found(9, 8, 11), 1);
        let known = table.probe(1, 2).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (8, 8, [10, 11]));
        table.store((1, 2), found(7, 8, 12), 1);
        assert_eq!(table.probe(1, 2).unwrap().best, [12, 10]);
        assert_eq!(table.probe(2, 1), None, "the other side to move is another position");
        table.clear();
        assert_eq!(table.probe(1, 2), None);
    }

    #[test]
    fn a_full_table_keeps_the_costly_and_the_latest() {
        let table = SolverTable::new(0);
        table.store((1, 0), WindowResult { cost: 40, ..found(0, 2, 5) }, 1);
        for word in 2..200_000 {
            table.store((word, 0), found(0, 2, 5), 1);
            assert!(table.probe(word, 0).is_some());
        }
        assert!(table.probe(1, 0).is_some());
        assert_eq!((table.hashfull(1), table.hashfull(2)), (1000, 0));
    }

    #[test]
    fn every_score_fits() {
        for lower in -64..=64 {
            let known =
                SolverEntry { lower, upper: -lower, best: [63, NO_SQUARE], cost: 255, generation: 255 };
            assert_eq!(SolverEntry::unpack(known.pack()), known);
        }
    }
}
