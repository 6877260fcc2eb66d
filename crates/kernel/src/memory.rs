//! Memory for tables that threads share: zeroed numbers in whole cache lines, in large pages where the system has them.
//!
//! A probe of a large table hits a random page, and of small pages there are more than the processor can keep the addresses of
//! (its translation look-aside buffers). The room's one file with `unsafe`: one block, a system call that changes no content.
#![allow(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The numbers in a cache line.
pub const WORDS: usize = 8;

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
    words: Vec<AtomicU64>,
    /// The first of them that begins a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// So many lines. The system gives memory that is zero already, page by page as it is first used: so any number of them is
    /// made at once.
    pub fn zeroed(count: usize) -> Self {
        let zeros = vec![0_u64; WORDS * (count + 1)];
        // Done in place, and to nothing: the numbers are not touched.
        let words: Vec<_> = zeros.into_iter().map(AtomicU64::new).collect();
        ask_for_large_pages(&words);
        let first = words.as_ptr().align_offset(size_of::<[u64; WORDS]>()).min(WORDS);
        CacheLines { words, first, count }
    }

    /// Uses every page once, so that nobody has to wait for the system later.
    pub fn claim(&self) {
        /// The numbers in the smallest page of any machine.
        const PAGE: usize = 4096 / size_of::<u64>();
        for word in self.words.iter().step_by(PAGE) {
            // Reading would not do: until they are written to, all pages may be one and the same page of zeros.
            word.fetch_or(0, Relaxed);
        }
    }

    /// All lines, in order.
    #[inline(always)]
    pub fn all(&self) -> &[[AtomicU64; WORDS]] {
        let (lines, _) = self.words[self.first..][..WORDS * self.count].as_chunks();
        lines
    }
}

/// Asks the system to lay memory that nobody has touched into large pages (`madvise(2)`, `MADV_HUGEPAGE`). Where it refuses, all
/// goes on in small ones. Gained to depth 14 and 18 from four positions of xiangqi, with 64 MiB: 24 to 48 % more nodes a second.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(words: &[AtomicU64]) {
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
    use super::*;

    #[test]
    fn lines_of_any_number_are_whole_zero_and_apart() {
        // From none to more than a large page.
        for count in [0, 1, 2, 1023, 1024, 1 << 17] {
            let lines = CacheLines::zeroed(count);
            lines.claim();
            assert_eq!(lines.all().len(), count);
            for (number, line) in lines.all().iter().enumerate() {
                assert_eq!(line.as_ptr().addr() % 64, 0);
                for word in line {
                    assert_eq!(word.swap(number as u64 + 1, Relaxed), 0);
                }
            }
            for (number, line) in lines.all().iter().enumerate() {
                assert!(line.iter().all(|word| word.load(Relaxed) == number as u64 + 1));
            }
        }
    }
}
