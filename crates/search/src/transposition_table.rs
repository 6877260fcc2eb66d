//! What was found out about positions, by key: one table for all threads, without a lock.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use alfil_kernel::cache_lines::CacheLines;
use alfil_kernel::evaluate::{INFINITE, MATE_BOUND};
use alfil_kernel::{Bound, Move, Score};

use crate::params::{TT_GENERATION_PENALTY, TT_KEEP_DEPTH_MARGIN};

/// One position's findings in 16 bytes: a seal and data. The key is kept XORed with the data, so that halves written by two threads
/// do not match any key (the lockless hash table; Hyatt and Mann, 2002).
type RawEntry = [AtomicU64; 2];

/// Entries that share a cache line: any of them may hold a key.
const CLUSTER: usize = 4;

/// What a probe gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtEntry<M> {
    /// The best move, or the one that cut off.
    pub(crate) mv: Option<M>,
    /// From the view of the side to move, mates counted from here.
    pub(crate) score: Score,
    /// What the evaluation alone said; nothing in check.
    pub(crate) static_eval: Option<Score>,
    /// The depth it was searched to, in plies.
    pub(crate) depth: i32,
    /// What the score is.
    pub(crate) bound: Bound,
}

impl<M> TtEntry<M> {
    /// A finding that tells a move, and nothing about the score.
    pub(crate) fn from_move(mv: Option<M>, still: Option<Score>) -> Self {
        TtEntry { mv, score: -INFINITE, static_eval: still, depth: 0, bound: Bound::Lower }
    }

    /// Whether it decides this window at this depth.
    pub(crate) fn causes_cutoff(&self, depth: i32, alpha: Score, beta: Score) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            }
    }
}

/// A hash table of findings that any number of threads read and write at once.
#[derive(Debug)]
pub struct TranspositionTable {
    /// A cluster in each line.
    clusters: CacheLines,
    generation: AtomicU8,
}

const GENERATIONS: u8 = 64;
/// Stands for "no static score": no score is so low.
const NO_STATIC_EVAL: i16 = i16::MIN;

/// The fields of an entry's data: two bytes of move, of score and of static score, one of depth, two bits of bound, six of age.
fn pack_entry(mv: u16, found_score: i16, still: i16, depth: u8, bound: Bound, age: u8) -> u64 {
    u64::from(mv)
        | u64::from(found_score as u16) << 16
        | u64::from(still as u16) << 32
        | u64::from(depth) << 48
        | (bound as u64) << 56
        | u64::from(age) << 58
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

impl TranspositionTable {
    /// A table of `mebibytes` MiB, at least one cache line; it is made at once and takes memory as it is used.
    pub fn new(mebibytes: usize) -> Self {
        let clusters = ((mebibytes << 20) / size_of::<[RawEntry; CLUSTER]>()).max(1);
        TranspositionTable { clusters: CacheLines::zeroed(clusters), generation: AtomicU8::new(0) }
    }

    /// Takes the memory of a new table now, so that no search has to wait for it. A table in use would be emptied.
    pub fn prefault(&mut self) {
        self.clusters.prefault();
    }

    /// A new search begins: findings of older ones give way first.
    pub fn new_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[RawEntry] {
        let clusters = self.clusters.as_slice();
        let number = ((u128::from(key) * clusters.len() as u128) >> 64) as usize;
        clusters[number].as_chunks().0
    }

    /// What is known of a position `ply` plies below the root.
    #[inline]
    pub(crate) fn probe<M: Move>(&self, key: u64, ply: usize) -> Option<TtEntry<M>> {
        let data = self.cluster(key).iter().find_map(|[seal, data]| {
            let data = data.load(Relaxed);
            (seal.load(Relaxed) ^ data == key && data != 0).then_some(data)
        })?;
        let still = (data >> 32) as u16 as i16;
        Some(TtEntry {
            mv: M::from_bits(data as u16),
            score: score_from_tt(Score::from((data >> 16) as u16 as i16), ply),
            static_eval: (still != NO_STATIC_EVAL).then_some(Score::from(still)),
            depth: depth_of(data),
            bound: match data >> 56 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        })
    }

    /// Remembers a finding, in the place of the same position's or else of the least worth keeping.
    #[inline]
    pub(crate) fn store<M: Move>(&self, key: u64, ply: usize, found: &TtEntry<M>) {
        let age = self.generation.load(Relaxed);
        let worth = |data: u64| {
            depth_of(data)
                - TT_GENERATION_PENALTY * i32::from(age.wrapping_sub(generation_of(data)) % GENERATIONS)
        };
        let mut place = None;
        let mut least = i32::MAX;
        for entry in self.cluster(key) {
            let data = entry[1].load(Relaxed);
            if data == 0 || entry[0].load(Relaxed) ^ data == key {
                place = Some((entry, data));
                break;
            }
            if worth(data) < least {
                least = worth(data);
                place = Some((entry, 0));
            }
        }
        let Some((entry, old)) = place else { return };
        // A much deeper finding of this search about this position stays, unless the value itself is known now.
        let keeps =
            old != 0 && generation_of(old) == age && depth_of(old) > found.depth + TT_KEEP_DEPTH_MARGIN;
        if keeps && found.bound != Bound::Exact {
            return;
        }
        let data = pack_entry(
            found.mv.map_or(old as u16, Move::bits),
            score_to_tt(found.score, ply) as i16,
            found.static_eval.map_or(NO_STATIC_EVAL, |still| still as i16),
            found.depth.clamp(0, 255) as u8,
            found.bound,
            age,
        );
        entry[0].store(key ^ data, Relaxed);
        entry[1].store(data, Relaxed);
    }

    /// How full the table is with findings of this search, in thousandths, sampled.
    pub fn hashfull(&self) -> u32 {
        let age = self.generation.load(Relaxed);
        let clusters = self.clusters.as_slice();
        let sample = 250.min(clusters.len());
        let entries =
            clusters[..sample].as_flattened().iter().skip(1).step_by(2).map(|data| data.load(Relaxed));
        let used = entries.filter(|&data| data != 0 && generation_of(data) == age).count();
        (used * 1000 / (CLUSTER * sample)) as u32
    }
}

/// A win is stored by its distance from the position itself, which does not depend on the road to it.
fn score_to_tt(score: Score, ply: usize) -> Score {
    match score {
        MATE_BOUND.. => score + ply as Score,
        ..=MATED_BOUND if score > -INFINITE => score - ply as Score,
        _ => score,
    }
}

/// And read by its distance from the root.
fn score_from_tt(score: Score, ply: usize) -> Score {
    match score {
        MATE_BOUND.. => score - ply as Score,
        ..=MATED_BOUND if score > -INFINITE => score + ply as Score,
        _ => score,
    }
}

const MATED_BOUND: Score = -MATE_BOUND;

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Move as _;
    use alfil_kernel::evaluate::MATE;
    use alfil_xiangqi::Move;

    #[test]
    fn what_is_stored_is_found_with_mates_counted_from_the_root() {
        let table = TranspositionTable::new(1);
        let mv = Move::from_bits(300).unwrap();
        for score in [0, -31, 450, MATE - 9, 9 - MATE, -INFINITE] {
            for (bound, still) in [(Bound::Exact, None), (Bound::Lower, Some(-12)), (Bound::Upper, Some(7))] {
                let found = TtEntry { mv: Some(mv), score, static_eval: still, depth: 7, bound };
                table.store(99, 5, &found);
                assert_eq!(table.probe(99, 5), Some(found));
            }
        }
        let mate =
            TtEntry { mv: Some(mv), score: MATE - 9, static_eval: None, depth: 7, bound: Bound::Exact };
        table.store(99, 5, &mate);
        assert_eq!(
            table.probe::<Move>(99, 3).unwrap().score,
            MATE - 7,
            "four plies further on, seen from ply 3"
        );
        assert_eq!(table.probe::<Move>(98, 5), None);
    }

    #[test]
    fn a_full_cluster_gives_up_what_is_old_and_shallow() {
        let table = TranspositionTable::new(0);
        let found =
            |depth| TtEntry::<Move> { mv: None, score: 1, static_eval: None, depth, bound: Bound::Lower };
        for (key, depth) in [(1, 9), (2, 3), (3, 12), (4, 7)] {
            table.store(key, 0, &found(depth));
        }
        table.store(5, 0, &found(1));
        assert_eq!(table.probe::<Move>(2, 0), None);
        assert_eq!(table.probe::<Move>(3, 0), Some(found(12)));
        table.new_generation();
        table.store(1, 0, &found(6));
        table.store(3, 0, &found(6));
        table.store(5, 0, &found(6));
        table.store(6, 0, &found(1));
        assert_eq!(table.probe::<Move>(4, 0), None, "the only one left of the older search");
    }

    #[test]
    fn a_shallow_bound_does_not_displace_a_deep_one_but_its_move_is_kept() {
        let table = TranspositionTable::new(1);
        let mv = Move::from_bits(300);
        let deep = TtEntry { mv, score: 20, static_eval: None, depth: 14, bound: Bound::Lower };
        table.store(9, 0, &deep);
        table.store(9, 0, &TtEntry::<Move> { mv: None, depth: 2, ..deep });
        assert_eq!(table.probe(9, 0), Some(deep));
        table.store(9, 0, &TtEntry::<Move> { mv: None, depth: 12, ..deep });
        assert_eq!(table.probe(9, 0), Some(TtEntry { depth: 12, ..deep }));
    }
}
