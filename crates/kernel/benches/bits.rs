//! The five portable bit references against the machine's instructions. Each row runs over the same 1,024 words, so rows
//! compare within their group: a 64-bit word, or a byte for the look-up by modulo.
#![allow(missing_docs)]

use alfil_kernel::Word;
use alfil_kernel::bits::portable;
use alfil_kernel::keys::SplitMix64;
use divan::{Bencher, black_box, counter::ItemsCount};

fn main() {
    divan::main();
}

const WORDS: usize = 1_024;

/// Words with a bit in eight set, as sets of squares are; never zero.
fn words() -> Vec<u64> {
    let mut random = SplitMix64::new(5);
    let mut sparse = || random.next_word() & random.next_word() & random.next_word();
    (0..WORDS).map(|_| sparse() | 1 << 40).collect()
}

fn over<W: Copy + Sync>(bencher: Bencher<'_, '_>, words: Vec<W>, of: impl Fn(W) -> u32 + Sync) {
    bencher
        .counter(ItemsCount::new(words.len()))
        .bench(|| words.iter().fold(0, |sum: u32, &word| sum.wrapping_add(of(black_box(word)))));
}

mod count {
    use super::*;

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        over(bencher, words(), Word::ones);
    }

    #[divan::bench]
    fn table_of_bytes(bencher: Bencher<'_, '_>) {
        over(bencher, words(), portable::count_by_table);
    }

    #[divan::bench]
    fn pairwise_sums(bencher: Bencher<'_, '_>) {
        over(bencher, words(), portable::count_by_sums_64);
    }
}

mod lowest {
    use super::*;

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        over(bencher, words(), Word::first);
    }

    #[divan::bench]
    fn halving(bencher: Bencher<'_, '_>) {
        over(bencher, words(), portable::lowest_by_halving_64);
    }

    #[divan::bench]
    fn modulo_11(bencher: Bencher<'_, '_>) {
        over(bencher, words(), portable::lowest_by_modulo_64);
    }
}

mod lowest_of_a_byte {
    use super::*;

    fn bytes() -> Vec<u8> {
        words().iter().map(|&word| (word >> 8) as u8 | 1 << (word % 8)).collect()
    }

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        over(bencher, bytes(), u8::trailing_zeros);
    }

    #[divan::bench]
    fn modulo_11(bencher: Bencher<'_, '_>) {
        over(bencher, bytes(), portable::lowest_by_modulo);
    }
}

mod highest {
    use super::*;

    #[divan::bench]
    fn instruction(bencher: Bencher<'_, '_>) {
        over(bencher, words(), |word| 63 - Word::leading(word));
    }

    #[divan::bench]
    fn halving(bencher: Bencher<'_, '_>) {
        over(bencher, words(), portable::highest_by_halving_64);
    }
}
