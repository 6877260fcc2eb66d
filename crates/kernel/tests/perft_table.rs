//! The table of perft, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering};

use alfil_kernel::perft::{PerftKey, PerftTable};
use alfil_kernel::zobrist::GOLDEN_GAMMA;

/// Each thread writes counts that are a function of the key, into one bucket; a torn entry would break it.
#[test]
fn threads_that_share_a_bucket_read_whole_entries() {
    let table = PerftTable::new(0, 1, 0);
    let count_of = |n: u64| n.wrapping_mul(GOLDEN_GAMMA);
    let key_of = |n: u64| PerftKey([n, !n, n << 7, n ^ 99]);
    let found = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let (table, found) = (&table, &found);
            scope.spawn(move || {
                for i in 0..200_000_u64 {
                    let n = (i / 3 + thread) % 5;
                    if i % 3 == 0 {
                        table.set(&key_of(n), 1, count_of(n));
                    } else if let Some(count) = table.get(&key_of(n), 1) {
                        assert_eq!(count, count_of(n));
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(found.into_inner() > 1000);
}
