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
