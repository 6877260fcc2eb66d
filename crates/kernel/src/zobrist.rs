//! Hash keys: constants from one seed, so that a file made on one machine reads on another.
//!
//! After A. L. Zobrist, "A New Hashing Method with Application for Game Playing" (1970): a random word for every
//! piece on every square, combined by XOR; whatever else counts (the side to move, castling rights) has words too.

/// The seed of all keys. Changing it changes every key ever written down.
pub const SEED: u64 = 0x0A1F_11E1_E9A4_7000;

/// 2^64 divided by the golden ratio, made odd: the step of SplitMix64.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sebastiano Vigna's SplitMix64: a small generator that can run at compile time. It also deals the random plies of
/// tests, so that a failure can be played again from its seed.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that gives the same numbers for the same seed, everywhere.
    pub const fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A random number below `limit`, which must not be 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        ((self.next_u64() as u128 * limit as u128) >> 64) as usize
    }
}

/// `N` random words; each `stream` gives others.
pub const fn random_keys<const N: usize>(stream: u64) -> [u64; N] {
    let mut random = SplitMix64::new(SEED ^ stream.wrapping_mul(GOLDEN));
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        words[i] = random.next_u64();
        i += 1;
    }
    words
}

/// A table of random words, one for each of `PIECES` on each of `SQUARES`.
pub const fn piece_square_keys<const SQUARES: usize, const PIECES: usize>(
    stream: u64,
) -> [[u64; SQUARES]; PIECES] {
    let mut random = SplitMix64::new(SEED ^ stream.wrapping_mul(GOLDEN));
    let mut table = [[0; SQUARES]; PIECES];
    let mut piece = 0;
    while piece < PIECES {
        let mut square = 0;
        while square < SQUARES {
            table[piece][square] = random.next_u64();
            square += 1;
        }
        piece += 1;
    }
    table
}

/// The additive relative of the XOR key: words are added when a man is put and subtracted when it is lifted,
/// wrapping. It is a reference beside the XOR keys that the boards use: the two must tell the same positions apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AdditiveKey(pub u64);

impl AdditiveKey {
    /// A man with this word was put.
    pub fn put(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word);
    }

    /// A man with this word was lifted: moved away, or captured.
    pub fn remove(&mut self, word: u64) {
        self.0 = self.0.wrapping_sub(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_distinct_and_fixed() {
        let words = random_keys::<1000>(1);
        let mut sorted = words;
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]));
        assert_ne!(words, random_keys::<1000>(2));
        // Vigna's published first output for seed 1234567.
        assert_eq!(SplitMix64::new(1_234_567).next_u64(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn adding_and_subtracting_in_any_order_ends_alike() {
        const WORDS: [[u64; 64]; 12] = piece_square_keys::<64, 12>(3);
        let mut random = SplitMix64::new(7);
        for _ in 0..1000 {
            let mut key = AdditiveKey::default();
            let mut men = [(0, 0); 8];
            for man in &mut men {
                *man = (random.below(12), random.below(64));
                key.put(WORDS[man.0][man.1]);
            }
            let home = key;
            // A man goes out and comes back; another is captured and put again.
            let (piece, square) = men[random.below(8)];
            let away = random.below(64);
            key.remove(WORDS[piece][square]);
            key.put(WORDS[piece][away]);
            assert_eq!(key == home, away == square);
            key.remove(WORDS[piece][away]);
            key.put(WORDS[piece][square]);
            assert_eq!(key, home);
        }
    }
}
