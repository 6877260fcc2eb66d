//! The transposition table: search results by hash key, shared by all threads without a lock.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use alfil_kernel::{Bound, Move, MoveBits as _, Score};
use alfil_memory::CacheLines;

use crate::params::{TT_GENERATION_PENALTY, TT_KEEP_DEPTH_MARGIN};

/// An entry of 16 bytes: the hash key XORed with the data, and the data. If two threads write an entry at once, the
/// halves of two different entries match no key (lockless hashing; Hyatt and Mann, 2002).
type RawEntry = [AtomicU64; 2];

/// The number of entries of a cluster, which fills a cache line. A key can be in any of them.
const CLUSTER: usize = 4;

/// What the table stores for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtEntry<M> {
    /// The best move, or the move that caused a cutoff.
    pub(crate) mv: Option<M>,
    /// The score from the view of the side to move; after a probe, mate scores count from the root.
    pub(crate) score: Score,
    /// The static evaluation before correction; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// The depth of the search, in plies.
    pub(crate) depth: i32,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
}

impl<M> TtEntry<M> {
    /// Creates an entry with a move and no usable score.
    pub(crate) fn from_move(mv: Option<M>, static_eval: Option<Score>) -> Self {
        TtEntry { mv, score: -Score::INFINITE, static_eval, depth: 0, bound: Bound::Lower }
    }

    /// Returns whether the depth and the bound of the entry suffice to return its score without a search.
    pub(crate) fn causes_cutoff(&self, depth: i32, alpha: Score, beta: Score) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            }
    }
}

/// A transposition table that any number of threads read and write at once.
///
/// ```
/// use alfil_search::TranspositionTable;
///
/// let table = TranspositionTable::new(1);
/// // The share that is in use, in permille.
/// assert_eq!(table.hashfull(), 0);
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    /// One cluster in each cache line.
    clusters: CacheLines,
    generation: AtomicU8,
}

/// The number of generations before the counter wraps.
const GENERATIONS: u8 = 64;
/// Stands for "no static evaluation": lower than any score.
const NO_STATIC_EVAL: i16 = i16::MIN;

/// Packs an entry: 16 bits each of move, score and static evaluation, 8 of depth, 2 of bound, 6 of generation.
fn pack_entry(mv: u16, score: i16, static_eval: i16, depth: u8, bound: Bound, generation: u8) -> u64 {
    u64::from(mv)
        | u64::from(score as u16) << 16
        | u64::from(static_eval as u16) << 32
        | u64::from(depth) << 48
        | (bound as u64) << 56
        | u64::from(generation) << 58
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

/// The layout of moves in the table. The data hold the lowest 16 bits of a move. Higher bits, if there are any, replace
/// the highest bits of the key. These are still checked in part, because the index of the cluster depends on them.
struct Layout<M>(PhantomData<M>);

impl<M: Move> Layout<M> {
    const HIGH_BITS: u32 = M::Bits::WIDTH - 16;
    const KEY_MASK: u64 = u64::MAX >> Self::HIGH_BITS;

    /// Returns the key part of an entry, if it matches a key, and its data.
    #[inline(always)]
    fn matching([check, data]: &RawEntry, key: u64) -> Option<(u64, u64)> {
        let data = data.load(Relaxed);
        let key_part = check.load(Relaxed) ^ data;
        ((key_part ^ key) & Self::KEY_MASK == 0 && data != 0).then_some((key_part, data))
    }

    /// Returns the bits of the move in an entry.
    #[inline(always)]
    fn move_bits(key_part: u64, data: u64) -> u64 {
        let high = if Self::HIGH_BITS == 0 { 0 } else { key_part >> (64 - Self::HIGH_BITS) };
        u64::from(data as u16) | high << 16
    }

    /// Returns the key part of an entry for a key and a move.
    #[inline(always)]
    fn key_part(key: u64, move_bits: u64) -> u64 {
        if Self::HIGH_BITS == 0 {
            key
        } else {
            key & Self::KEY_MASK | move_bits >> 16 << (64 - Self::HIGH_BITS)
        }
    }
}

impl TranspositionTable {
    /// Creates a table of `mebibytes` MiB, with at least one cluster. The system provides the memory when it is first
    /// used.
    pub fn new(mebibytes: usize) -> Self {
        let count = ((mebibytes << 20) / size_of::<[RawEntry; CLUSTER]>()).max(1);
        TranspositionTable { clusters: CacheLines::zeroed(count), generation: AtomicU8::new(0) }
    }

    /// Writes the whole memory now, so that no search causes page faults. All entries are deleted.
    pub fn prefault(&mut self) {
        self.clusters.prefault();
    }

    /// Deletes all entries.
    pub fn clear(&self) {
        self.clusters.as_slice().as_flattened().iter().for_each(|word| word.store(0, Relaxed));
        self.generation.store(0, Relaxed);
    }

    /// Starts the generation of a new search: entries of older ones are replaced first.
    pub fn new_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn cluster_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.as_slice().len() as u128) >> 64) as usize
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[RawEntry] {
        self.clusters.as_slice()[self.cluster_index(key)].as_chunks().0
    }

    /// Loads the cluster of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.clusters.prefetch(self.cluster_index(key));
    }

    /// Returns the entry of a position `ply` plies below the root.
    #[inline]
    pub(crate) fn probe<M: Move>(&self, key: u64, ply: usize) -> Option<TtEntry<M>> {
        let (key_part, data) =
            self.cluster(key).iter().find_map(|entry| Layout::<M>::matching(entry, key))?;
        let static_eval = (data >> 32) as u16 as i16;
        Some(TtEntry {
            mv: M::from_bits(M::Bits::from_u64(Layout::<M>::move_bits(key_part, data))),
            score: score_from_tt((data >> 16) as u16 as i16, ply),
            static_eval: (static_eval != NO_STATIC_EVAL).then_some(Score::from_value(i32::from(static_eval))),
            depth: depth_of(data),
            bound: match data >> 56 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        })
    }

    /// Stores an entry: over that of the same position, else over the least valuable entry of the cluster.
    #[inline]
    pub(crate) fn store<M: Move>(&self, key: u64, ply: usize, new: &TtEntry<M>) {
        let generation = self.generation.load(Relaxed);
        let value = |data: u64| {
            let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
            depth_of(data) - TT_GENERATION_PENALTY * i32::from(age)
        };
        let mut target = None;
        let mut min_value = i32::MAX;
        for entry in self.cluster(key) {
            let data = entry[1].load(Relaxed);
            if data == 0 {
                target = Some((entry, 0, 0));
                break;
            }
            if let Some((key_part, data)) = Layout::<M>::matching(entry, key) {
                target = Some((entry, data, Layout::<M>::move_bits(key_part, data)));
                break;
            }
            if value(data) < min_value {
                min_value = value(data);
                target = Some((entry, 0, 0));
            }
        }
        let Some((entry, old, old_move)) = target else { return };
        // A much deeper entry of this search for the same position stays, unless the new score is exact.
        let is_deeper =
            old != 0 && generation_of(old) == generation && depth_of(old) > new.depth + TT_KEEP_DEPTH_MARGIN;
        if is_deeper && new.bound != Bound::Exact {
            return;
        }
        let move_bits = new.mv.map_or(old_move, |mv| mv.bits().to_u64());
        let data = pack_entry(
            move_bits as u16,
            score_to_tt(new.score, ply),
            new.static_eval.map_or(NO_STATIC_EVAL, |static_eval| static_eval.value() as i16),
            new.depth.clamp(0, 255) as u8,
            new.bound,
            generation,
        );
        entry[0].store(Layout::<M>::key_part(key, move_bits) ^ data, Relaxed);
        entry[1].store(data, Relaxed);
    }

    /// Returns how full the table is with entries of this search, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let clusters = self.clusters.as_slice();
        let sample = 250.min(clusters.len());
        let entries =
            clusters[..sample].as_flattened().iter().skip(1).step_by(2).map(|data| data.load(Relaxed));
        let used = entries.filter(|&data| data != 0 && generation_of(data) == generation).count();
        (used * 1000 / (CLUSTER * sample)) as u32
    }
}

/// Converts a score for the table: a win or loss counts its plies from the root, and in the table from the stored
/// position, which does not depend on the path.
fn score_to_tt(score: Score, ply: usize) -> i16 {
    shifted(score, ply as i32).value() as i16
}

/// Converts a score from the table back to plies from the root.
fn score_from_tt(stored: i16, ply: usize) -> Score {
    shifted(Score::from_value(i32::from(stored)), -(ply as i32))
}

/// Reduces the distance of a win or loss by this number of plies. `-Score::INFINITE` means no score and is unchanged.
fn shifted(score: Score, plies: i32) -> Score {
    if score.is_win() {
        score + plies
    } else if score.is_loss() && score > -Score::INFINITE {
        score - plies
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Move as _;
    use alfil_xiangqi::Move;

    #[test]
    fn a_stored_entry_is_found_with_mates_counted_from_the_root() {
        let table = TranspositionTable::new(1);
        let mv = Move::from_bits(300).unwrap();
        let evals = [0, -31, 450].map(Score::from_cp);
        let decided = [Score::mate_in(9), Score::mated_in(9), Score::rule_win(9), Score::rule_loss(9)];
        for score in evals.into_iter().chain(decided).chain([-Score::INFINITE]) {
            for (bound, static_eval) in [
                (Bound::Exact, None),
                (Bound::Lower, Some(Score::from_cp(-12))),
                (Bound::Upper, Some(Score::from_cp(7))),
            ] {
                let entry = TtEntry { mv: Some(mv), score, static_eval, depth: 7, bound };
                table.store(99, 5, &entry);
                assert_eq!(table.probe(99, 5), Some(entry));
            }
        }
        let mate = TtEntry {
            mv: Some(mv),
            score: Score::mate_in(9),
            static_eval: None,
            depth: 7,
            bound: Bound::Exact,
        };
        table.store(99, 5, &mate);
        assert_eq!(
            table.probe::<Move>(99, 3).unwrap().score,
            Score::mate_in(7),
            "the mate is four plies below the stored position, seen from ply 3"
        );
        assert_eq!(table.probe::<Move>(98, 5), None);
    }

    /// A move of 32 bits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct WideMove(u32);

    impl core::fmt::Display for WideMove {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "{}", self.0)
        }
    }

    impl core::str::FromStr for WideMove {
        type Err = core::num::ParseIntError;

        fn from_str(text: &str) -> Result<Self, Self::Err> {
            text.parse().map(WideMove)
        }
    }

    impl alfil_kernel::Move for WideMove {
        type Square = alfil_xiangqi::Square;
        type Bits = u32;
        type Array = [WideMove; 8];
        const FILLER: [WideMove; 8] = [WideMove(1); 8];

        fn bits(self) -> u32 {
            self.0
        }
        fn from_bits(bits: u32) -> Option<Self> {
            (bits != 0).then_some(WideMove(bits))
        }
        fn origin(self) -> Option<Self::Square> {
            None
        }
        fn target(self) -> Option<Self::Square> {
            None
        }
    }

    #[test]
    fn a_wide_move_is_stored_in_full_and_kept_by_a_store_without_a_move() {
        let table = TranspositionTable::new(1);
        let key = 0x1234_5678_9ABC_DEF0;
        let entry = |mv| TtEntry { mv, score: Score::DRAW, static_eval: None, depth: 3, bound: Bound::Exact };
        table.store(key, 0, &entry(Some(WideMove(0xFEDC_BA98))));
        assert_eq!(table.probe(key, 0), Some(entry(Some(WideMove(0xFEDC_BA98)))));
        table.store(key, 0, &entry(None::<WideMove>));
        assert_eq!(table.probe(key, 0), Some(entry(Some(WideMove(0xFEDC_BA98)))));
        assert_eq!(table.probe::<WideMove>(key ^ 1, 0), None);
    }

    #[test]
    fn a_full_cluster_replaces_old_and_shallow_entries_first() {
        let table = TranspositionTable::new(0);
        let entry = |depth| TtEntry::<Move> {
            mv: None,
            score: Score::from_cp(1),
            static_eval: None,
            depth,
            bound: Bound::Lower,
        };
        for (key, depth) in [(1, 9), (2, 3), (3, 12), (4, 7)] {
            table.store(key, 0, &entry(depth));
        }
        table.store(5, 0, &entry(1));
        assert_eq!(table.probe::<Move>(2, 0), None);
        assert_eq!(table.probe::<Move>(3, 0), Some(entry(12)));
        table.new_generation();
        table.store(1, 0, &entry(6));
        table.store(3, 0, &entry(6));
        table.store(5, 0, &entry(6));
        table.store(6, 0, &entry(1));
        assert_eq!(
            table.probe::<Move>(4, 0),
            None,
            "the last entry of the older generation is replaced first"
        );
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_one_but_the_hash_move_is_kept() {
        let table = TranspositionTable::new(1);
        let mv = Move::from_bits(300);
        let deep =
            TtEntry { mv, score: Score::from_cp(20), static_eval: None, depth: 14, bound: Bound::Lower };
        table.store(9, 0, &deep);
        table.store(9, 0, &TtEntry::<Move> { mv: None, depth: 2, ..deep });
        assert_eq!(table.probe(9, 0), Some(deep));
        table.store(9, 0, &TtEntry::<Move> { mv: None, depth: 12, ..deep });
        assert_eq!(table.probe(9, 0), Some(TtEntry { depth: 12, ..deep }));
    }
}
