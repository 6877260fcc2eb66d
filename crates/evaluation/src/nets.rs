//! The built-in networks, weights of patterns and opening book. `docs/inside/training.md` has the commands that made
//! them.

use std::sync::{Arc, OnceLock};

use crate::othello::{OpeningBook, PatternWeights};

/// The network of xiangqi.
pub const XIANGQI: &[u8] = include_bytes!("../nets/xiangqi.net");

/// The network of chess.
pub const CHESS: &[u8] = include_bytes!("../nets/chess.net");

/// The weights of the patterns of Othello.
pub const OTHELLO: &[u8] = include_bytes!("../nets/othello.net");

/// Returns the weights of [`OTHELLO`], which are unpacked once.
pub fn othello() -> Arc<PatternWeights> {
    static WEIGHTS: OnceLock<Arc<PatternWeights>> = OnceLock::new();
    let unpack = || PatternWeights::read(OTHELLO).expect("a test reads the built-in weights");
    Arc::clone(WEIGHTS.get_or_init(unpack))
}

/// The opening book of Othello.
pub const OTHELLO_BOOK: &[u8] = include_bytes!("../nets/othello.book");

/// Returns the book of [`OTHELLO_BOOK`], which is read once.
pub fn othello_book() -> &'static OpeningBook {
    static BOOK: OnceLock<OpeningBook> = OnceLock::new();
    BOOK.get_or_init(|| OpeningBook::read(OTHELLO_BOOK).expect("a test reads the built-in book"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_nnue::Network;

    /// Returns damaged bytes: some bits changed, the end cut off, bytes added, or two pieces exchanged.
    fn damage(bytes: &[u8], random: &mut SplitMix64) -> Vec<u8> {
        let mut damaged = bytes.to_vec();
        match random.below(5) {
            0 | 1 => {
                for _ in 0..=random.below(3) {
                    damaged[random.below(bytes.len())] ^= 1 << random.below(8);
                }
            }
            2 => damaged.truncate(random.below(bytes.len())),
            3 => damaged.extend(vec![random.next_u64() as u8; 1 + random.below(8)]),
            _ => {
                let half = bytes.len() / 2;
                let (first, second) = (random.below(half - 64), half + random.below(half - 64));
                for offset in 0..64 {
                    damaged.swap(first + offset, second + offset);
                }
            }
        }
        damaged
    }

    #[test]
    fn damaged_networks_patterns_and_books_are_refused() {
        let mut random = SplitMix64::new(55);
        type IsRead = fn(&[u8]) -> bool;
        let is_network: IsRead = |bytes| Network::from_bytes(bytes).is_ok();
        let files: [(&[u8], u32, IsRead); 4] = [
            (XIANGQI, 400, is_network),
            (CHESS, 400, is_network),
            (OTHELLO, 60, |bytes| PatternWeights::read(bytes).is_ok()),
            (OTHELLO_BOOK, 400, |bytes| OpeningBook::read(bytes).is_ok()),
        ];
        for (bytes, rounds, is_read) in files {
            assert!(is_read(bytes));
            for round in 0..rounds {
                let damaged = damage(bytes, &mut random);
                assert!(damaged == bytes || !is_read(&damaged), "round {round} of {} bytes", bytes.len());
            }
        }
    }

    #[test]
    fn the_built_in_weights_are_read_and_written_unchanged() {
        assert!(othello().to_bytes() == OTHELLO);
        assert!(OTHELLO.len() < 4 << 20);
    }

    #[test]
    fn the_built_in_book_is_read_and_written_unchanged() {
        assert!(othello_book().to_bytes() == OTHELLO_BOOK);
        assert!(OTHELLO_BOOK.len() <= 1 << 20);
    }
}
