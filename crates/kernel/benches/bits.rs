//! Benchmarks of the portable bit functions against the machine's instructions: 1,024 words per iteration.

use alfil_kernel::bit_set::portable;
use alfil_kernel::zobrist::SplitMix64;
use divan::{Bencher, black_box, counter::ItemsCount};

fn main() {
    divan::main();
}

const WORDS: usize = 1024;

/// Returns words of different densities, none of them zero.
fn random_words() -> Vec<u64> {
    let mut random = SplitMix64::new(8);
    let word = |i: usize| {
        let dense = random.next_u64();
        let sparse = dense & random.next_u64() & random.next_u64();
        (if i.is_multiple_of(2) { dense } else { sparse }).max(1)
    };
    (0..WORDS).map(word).collect()
}

/// Measures one function over all words. `black_box` hides them one by one, so that the loop is not vectorised.
fn bench_words(bencher: Bencher<'_, '_>, function: impl Fn(u64) -> u32 + Sync) {
    let words = random_words();
    bencher
        .counter(ItemsCount::new(WORDS))
        .bench(|| words.iter().map(|&word| function(black_box(word))).sum::<u32>());
}

#[divan::bench_group]
mod count {
    use super::{Bencher, bench_words, portable};

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        bench_words(bencher, u64::count_ones);
    }

    #[divan::bench]
    fn by_table(bencher: Bencher<'_, '_>) {
        bench_words(bencher, portable::count_by_table);
    }

    #[divan::bench]
    fn by_sums(bencher: Bencher<'_, '_>) {
        bench_words(bencher, portable::count_by_sums_64);
    }
}

#[divan::bench_group]
mod lowest {
    use super::{Bencher, bench_words, portable};

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        bench_words(bencher, u64::trailing_zeros);
    }

    #[divan::bench]
    fn by_halving(bencher: Bencher<'_, '_>) {
        bench_words(bencher, portable::lowest_by_halving_64);
    }

    #[divan::bench]
    fn by_modulo(bencher: Bencher<'_, '_>) {
        bench_words(bencher, portable::lowest_by_modulo_64);
    }
}

#[divan::bench_group]
mod highest {
    use super::{Bencher, bench_words, portable};

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        bench_words(bencher, |word| 63 - word.leading_zeros());
    }

    #[divan::bench]
    fn by_halving(bencher: Bencher<'_, '_>) {
        bench_words(bencher, portable::highest_by_halving_64);
    }
}
