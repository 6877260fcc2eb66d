//! What was found out about positions, by key.

use alfil_kernel::evaluate::MATE_BOUND;
use alfil_kernel::{Bound, Move, Score};

/// One position's findings in 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// Two bytes of move, two of score, one of depth, one of bound and age.
    data: u64,
}

/// What a probe gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found<M> {
    /// The best move, or the one that cut off.
    pub(crate) mv: Option<M>,
    /// From the view of the side to move, mates counted from here.
    pub(crate) score: Score,
    /// The depth it was searched to, in plies.
    pub(crate) depth: i32,
    /// What the score is.
    pub(crate) bound: Bound,
}

/// A hash table of findings. A newer search's finding or a deeper one takes the place of an older or shallower one.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
    age: u8,
}

const AGES: u8 = 64;

impl Table {
    /// A table of at most `mebibytes` MiB, at least one entry.
    pub fn new(mebibytes: usize) -> Self {
        let wanted = (mebibytes << 20) / size_of::<Entry>();
        let entries = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Table { entries: vec![Entry::default(); entries.max(1)], age: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
        self.age = 0;
    }

    /// A new search begins: what is in the table may be overwritten by anything.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// What is known of a position `ply` plies below the root.
    #[inline]
    pub(crate) fn probe<M: Move>(&self, key: u64, ply: usize) -> Option<Found<M>> {
        let entry = self.entries[self.slot(key)];
        if entry.key != key || entry.data == 0 {
            return None;
        }
        let bound = match entry.data >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let score = Score::from((entry.data >> 16) as u16 as i16);
        Some(Found {
            mv: M::from_bits(entry.data as u16),
            score: from_here(score, ply),
            depth: i32::from((entry.data >> 32) as u8),
            bound,
        })
    }

    /// Remembers a finding.
    #[inline]
    pub(crate) fn store<M: Move>(&mut self, key: u64, ply: usize, found: &Found<M>) {
        let slot = self.slot(key);
        let old = self.entries[slot];
        let old_age = (old.data >> 42) as u8 % AGES;
        let old_depth = (old.data >> 32) as u8;
        if old.data != 0 && old.key != key && old_age == self.age && i32::from(old_depth) > found.depth {
            return;
        }
        let kept = if old.key == key { old.data as u16 } else { 0 };
        let mv = found.mv.map_or(kept, Move::bits);
        let score = to_there(found.score, ply) as i16 as u16;
        let data = u64::from(mv)
            | u64::from(score) << 16
            | (found.depth.clamp(0, 255) as u64) << 32
            | (found.bound as u64) << 40
            | u64::from(self.age) << 42
            // So that a stored entry is never all zero.
            | 1 << 63;
        self.entries[slot] = Entry { key, data };
    }

    /// How full the table is with findings of this search, in thousandths, sampled.
    pub fn full(&self) -> u32 {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let used =
            sample.iter().filter(|entry| entry.data != 0 && (entry.data >> 42) as u8 % AGES == self.age);
        (used.count() * 1000 / sample.len()) as u32
    }
}

/// A win is stored by its distance from the position itself, which does not depend on the road to it.
fn to_there(score: Score, ply: usize) -> Score {
    match score {
        MATE_BOUND.. => score + ply as Score,
        _ if score <= -MATE_BOUND => score - ply as Score,
        _ => score,
    }
}

/// And read by its distance from the root.
fn from_here(score: Score, ply: usize) -> Score {
    match score {
        MATE_BOUND.. => score - ply as Score,
        _ if score <= -MATE_BOUND => score + ply as Score,
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Move as _;
    use alfil_kernel::evaluate::MATE;
    use alfil_xiangqi::Move;

    #[test]
    fn what_is_stored_is_found_with_mates_counted_from_the_root() {
        let mut table = Table::new(1);
        let mv = Move::from_bits(300).unwrap();
        for score in [0, -31, 450, MATE - 9, 9 - MATE] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let found = Found { mv: Some(mv), score, depth: 7, bound };
                table.store(99, 5, &found);
                assert_eq!(table.probe(99, 5), Some(found));
            }
        }
        let mate = Found { mv: Some(mv), score: MATE - 9, depth: 7, bound: Bound::Exact };
        table.store(99, 5, &mate);
        assert_eq!(
            table.probe::<Move>(99, 3).unwrap().score,
            MATE - 7,
            "four plies further on, seen from ply 3"
        );
        assert_eq!(table.probe::<Move>(98, 5), None);
    }
}
