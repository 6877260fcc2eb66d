//! Bit counts and bit scans in plain arithmetic, without special instructions.
//!
//! They are portable references for the POPCNT, TZCNT and LZCNT instructions that [`super::BitWord`] compiles to: tests
//! hold them equal, a benchmark compares them. Wider words are composed of 32-bit ones. The bit scans do not accept
//! zero.

/// The number of set bits of every byte.
static BYTE_COUNTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = table[byte >> 1] + (byte & 1) as u8;
        byte += 1;
    }
    table
};

/// Returns the number of set bits, looked up byte by byte.
pub fn count_by_table(word: u64) -> u32 {
    word.to_le_bytes().iter().map(|&byte| u32::from(BYTE_COUNTS[byte as usize])).sum()
}

/// Returns the index of the lowest set bit of a byte.
///
/// `x ^ (x - 1)` has ones up to and including that bit, and the eight possible values differ modulo 11.
///
/// # Panics
/// If `byte` is zero.
pub fn lowest_by_modulo(byte: u8) -> u32 {
    // 1, 3, 7, 15, 31, 63, 127 and 255 modulo 11 are 1, 3, 7, 4, 9, 8, 6 and 2.
    const BIT: [u8; 11] = [NONE, 0, 7, 1, 3, NONE, 6, 2, 5, 4, NONE];
    const NONE: u8 = u8::MAX;
    assert!(byte != 0, "zero has no lowest bit");
    u32::from(BIT[(byte ^ (byte - 1)) as usize % 11])
}

/// Returns the number of set bits by sums of neighbours: pairs, nibbles, bytes, halves.
pub const fn count_by_sums(word: u32) -> u32 {
    let word = (word & 0x5555_5555) + (word >> 1 & 0x5555_5555);
    let word = (word & 0x3333_3333) + (word >> 2 & 0x3333_3333);
    let word = (word & 0x0F0F_0F0F) + (word >> 4 & 0x0F0F_0F0F);
    let word = (word & 0x00FF_00FF) + (word >> 8 & 0x00FF_00FF);
    (word & 0x0000_FFFF) + (word >> 16)
}

/// For each halving step: half the width of the remaining part, and a mask of the lower halves.
const HALVING_MASKS: [(u32, u32); 5] =
    [(16, 0x0000_FFFF), (8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)];

/// Returns the index of the lowest set bit by halving: it starts at 31 and subtracts a width where the lower half is
/// set.
///
/// # Panics
/// If `word` is zero.
pub fn lowest_by_halving(mut word: u32) -> u32 {
    assert!(word != 0, "zero has no lowest bit");
    let mut bit = 31;
    for (width, lower) in HALVING_MASKS {
        if word & lower != 0 {
            bit -= width;
            word &= lower;
        }
    }
    bit
}

/// Returns the index of the highest set bit by halving: it starts at 0 and adds a width where the upper half is set.
///
/// # Panics
/// If `word` is zero.
pub fn highest_by_halving(mut word: u32) -> u32 {
    assert!(word != 0, "zero has no highest bit");
    let mut bit = 0;
    for (width, lower) in HALVING_MASKS {
        if word & !lower != 0 {
            bit += width;
            word &= !lower;
        }
    }
    bit
}

/// Returns [`count_by_sums`] of a 64-bit word.
pub const fn count_by_sums_64(word: u64) -> u32 {
    count_by_sums(word as u32) + count_by_sums((word >> 32) as u32)
}

/// Returns [`lowest_by_halving`] of a 64-bit word.
///
/// # Panics
/// If `word` is zero.
pub fn lowest_by_halving_64(word: u64) -> u32 {
    match word as u32 {
        0 => 32 + lowest_by_halving((word >> 32) as u32),
        low => lowest_by_halving(low),
    }
}

/// Returns [`highest_by_halving`] of a 64-bit word.
///
/// # Panics
/// If `word` is zero.
pub fn highest_by_halving_64(word: u64) -> u32 {
    match (word >> 32) as u32 {
        0 => highest_by_halving(word as u32),
        high => 32 + highest_by_halving(high),
    }
}

/// Returns [`lowest_by_modulo`] of a 64-bit word, from its first byte that is not zero.
///
/// # Panics
/// If `word` is zero.
pub fn lowest_by_modulo_64(word: u64) -> u32 {
    let bytes = word.to_le_bytes();
    let index = bytes.iter().position(|&byte| byte != 0).expect("zero has no lowest bit");
    8 * index as u32 + lowest_by_modulo(bytes[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_word(word: u64) {
        assert_eq!(count_by_table(word), word.count_ones());
        assert_eq!(count_by_sums_64(word), word.count_ones());
        if word != 0 {
            assert_eq!(lowest_by_halving_64(word), word.trailing_zeros());
            assert_eq!(lowest_by_modulo_64(word), word.trailing_zeros());
            assert_eq!(highest_by_halving_64(word), 63 - word.leading_zeros());
        }
    }

    #[test]
    fn references_agree_with_the_instructions() {
        for byte in 1..=255_u8 {
            assert_eq!(lowest_by_modulo(byte), byte.trailing_zeros());
        }
        for word in 0..=u64::from(u16::MAX) {
            for shift in [0, 16, 32, 48] {
                check_word(word << shift);
            }
        }
        let mut random = crate::zobrist::SplitMix64::new(4);
        for _ in 0..200_000 {
            let word = random.next_u64();
            check_word(word);
            check_word(word & random.next_u64() & random.next_u64());
        }
    }

    #[test]
    #[should_panic(expected = "zero has no lowest bit")]
    fn a_bit_scan_of_zero_panics() {
        lowest_by_halving_64(0);
    }
}
