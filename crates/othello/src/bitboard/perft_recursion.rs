//! The recursion of the fast perft, as a macro that is expanded once for each instruction set.

/// Defines `fast_perft` over the functions `mobility` and `flips` of the enclosing module, for its instruction set.
macro_rules! define_fast_perft {
    ($(#[$feature:meta])*) => {
        $(#[$feature])*
        pub(crate) fn fast_perft(mover: u64, opponent: u64, depth: u32, convention: PassConvention) -> u64 {
            if depth == 0 {
                return 1;
            }
            let mut moves = mobility(mover, opponent);
            if moves == 0 {
                return fast_perft_without_disc(mover, opponent, depth, convention);
            }
            if depth == 1 {
                return u64::from(moves.count_ones());
            }
            let mut nodes = 0;
            while moves != 0 {
                let square = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let flipped = flips(mover, opponent, square);
                let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                nodes += fast_perft(next, other, depth - 1, convention);
            }
            nodes
        }

        /// Counts the leaves of a position in which the mover cannot place a disc.
        #[cold]
        $(#[$feature])*
        fn fast_perft_without_disc(
            mover: u64,
            opponent: u64,
            depth: u32,
            convention: PassConvention,
        ) -> u64 {
            if mobility(opponent, mover) == 0 {
                return convention.leaves_if_finished(depth);
            }
            fast_perft(opponent, mover, convention.depth_after_pass(depth), convention)
        }
    };
}
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use define_fast_perft;

/// The functions for the baseline of the build.
pub(crate) mod scalar {
    use crate::bitboard::scalar::{flips, mobility};
    use crate::pass_convention::PassConvention;

    define_fast_perft!();
}
