//! The built-in networks and weights of patterns. `docs/training.md` has the commands that made them.

use std::sync::{Arc, OnceLock};

use crate::othello::PatternWeights;

/// The network of xiangqi.
pub const XIANGQI: &[u8] = include_bytes!("../nets/xiangqi.net");

/// The weights of the patterns of Othello.
pub const OTHELLO: &[u8] = include_bytes!("../nets/othello.net");

/// Returns the weights of [`OTHELLO`], which are unpacked once.
pub fn othello() -> Arc<PatternWeights> {
    static WEIGHTS: OnceLock<Arc<PatternWeights>> = OnceLock::new();
    let unpack = || PatternWeights::read(OTHELLO).expect("a test reads the built-in weights");
    Arc::clone(WEIGHTS.get_or_init(unpack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_read_and_written_unchanged() {
        assert!(othello().to_bytes() == OTHELLO);
        assert!(OTHELLO.len() < 4 << 20);
    }
}
