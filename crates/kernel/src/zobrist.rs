//! Zobrist hash keys, made from one fixed seed so that files with keys are portable between machines.
//!
//! After A. L. Zobrist, "A New Hashing Method with Application for Game Playing" (1970): a random key for every piece
//! on every square, combined by XOR. The side to move, castling rights and en passant files have keys too.

/// The seed of all keys. Changing it invalidates every stored key.
pub const SEED: u64 = 0x0A1F_11E1_E9A4_7000;

/// 2^64 divided by the golden ratio, rounded to an odd number: the increment of SplitMix64.
pub const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sebastiano Vigna's SplitMix64: a small pseudo-random generator that can run at compile time. The same seed gives
/// the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates a generator; the same seed gives the same numbers on every machine.
    pub const fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// Returns the next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a random number below `limit`, which must not be 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        self.below_u64(limit as u64) as usize
    }

    /// Returns a random number below `limit`, which must not be 0, with 64 bits on every machine.
    pub const fn below_u64(&mut self, limit: u64) -> u64 {
        ((self.next_u64() as u128 * limit as u128) >> 64) as u64
    }
}

/// Returns the generator of the keys of a stream.
const fn generator(stream: u64) -> SplitMix64 {
    SplitMix64::new(SEED ^ stream.wrapping_mul(GOLDEN_GAMMA))
}

/// Returns `N` random keys; each `stream`, a number that the caller chooses, gives different ones.
pub const fn random_keys<const N: usize>(stream: u64) -> [u64; N] {
    let mut random = generator(stream);
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = random.next_u64();
        i += 1;
    }
    keys
}

/// Returns a table of random keys, one for each of `PIECES` on each of `SQUARES`.
pub const fn piece_square_keys<const SQUARES: usize, const PIECES: usize>(
    stream: u64,
) -> [[u64; SQUARES]; PIECES] {
    let mut random = generator(stream);
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

/// An additive hash key: piece-square keys are added for a piece that is put and subtracted for one that is removed,
/// wrapping. It is a reference for the XOR keys of the boards: both must distinguish the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AdditiveKey(pub u64);

impl AdditiveKey {
    /// Adds the key of a piece that is put on the board.
    pub fn put(&mut self, key: u64) {
        self.0 = self.0.wrapping_add(key);
    }

    /// Subtracts the key of a piece that is removed from the board.
    pub fn remove(&mut self, key: u64) {
        self.0 = self.0.wrapping_sub(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_fixed() {
        let keys = random_keys::<1000>(1);
        let mut sorted = keys;
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]));
        assert_ne!(keys, random_keys::<1000>(2));
        // Vigna's published first output for seed 1234567.
        assert_eq!(SplitMix64::new(1_234_567).next_u64(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn an_additive_key_does_not_depend_on_the_order_of_changes() {
        const KEYS: [[u64; 64]; 12] = piece_square_keys::<64, 12>(3);
        let mut random = SplitMix64::new(7);
        for _ in 0..1000 {
            let mut key = AdditiveKey::default();
            let mut pieces = [(0, 0); 8];
            for (piece, square) in &mut pieces {
                (*piece, *square) = (random.below(12), random.below(64));
                key.put(KEYS[*piece][*square]);
            }
            let start = key;
            // One piece moves away and back.
            let (piece, square) = pieces[random.below(8)];
            let away = random.below(64);
            key.remove(KEYS[piece][square]);
            key.put(KEYS[piece][away]);
            assert_eq!(key == start, away == square);
            key.remove(KEYS[piece][away]);
            key.put(KEYS[piece][square]);
            assert_eq!(key, start);
        }
    }
}
