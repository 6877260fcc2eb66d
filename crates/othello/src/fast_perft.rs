//! Perft in the three ways in which passes can be counted, on any board; and a counter of leaves for the bitboard.
//!
//! Published numbers differ from depth 9 on, because programs differ in what a forced pass and a finished game count.

use core::fmt;
use core::str::FromStr;

use alfil_kernel::{MoveList, Position};

use crate::Othello;
use crate::bitboard::Bitboard;
use crate::bitboard::simd::Isa;
use crate::moves::Move;

/// How a count of paths treats forced passes and finished games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassConvention {
    /// A pass is one ply; a game that is finished above the horizon counts as one leaf.
    Ply,
    /// A pass consumes no depth; a finished game counts as one leaf.
    Free,
    /// A pass is one ply; only lines that reach the full depth are counted. A game that is finished one ply above the
    /// horizon reaches it by a pass that nobody can answer; [`alfil_kernel::perft`], which knows no such pass, counts
    /// those lines 0 and agrees below them, to depth 9 from the start.
    ///
    /// The published numbers (A. J. C. Bik, column "full-depth") settle this: at depth 11 they leave out the 228 games
    /// that end at ply 9, and not the 356 that end at ply 10.
    Full,
}

impl PassConvention {
    /// All three, the default first.
    pub const ALL: [PassConvention; 3] = [PassConvention::Ply, PassConvention::Free, PassConvention::Full];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            PassConvention::Ply => "ply",
            PassConvention::Free => "free",
            PassConvention::Full => "full",
        }
    }

    /// The convention that a suite names, either by [`Passes::name`] or in a sentence such as "pass counts as one ply;
    /// only lines that reach full depth counted"; none where it is neither.
    pub fn from_description(text: &str) -> Option<PassConvention> {
        let says = |words: &str| text.contains(words);
        match text.parse() {
            Ok(passes) => Some(passes),
            Err(_) if says("does not consume depth") => Some(PassConvention::Free),
            Err(_) if says("pass counts as one ply") && says("full depth") => Some(PassConvention::Full),
            Err(_) if says("pass counts as one ply") => Some(PassConvention::Ply),
            Err(_) => None,
        }
    }

    /// The leaves below a position in which neither side can move, `depth` above 0.
    pub(crate) const fn leaves_if_finished(self, depth: u32) -> u64 {
        match self {
            PassConvention::Ply | PassConvention::Free => 1,
            PassConvention::Full => (depth == 1) as u64,
        }
    }

    /// The depth that is left after a pass at this depth.
    pub(crate) const fn depth_after_pass(self, depth: u32) -> u32 {
        match self {
            PassConvention::Ply | PassConvention::Full => depth - 1,
            PassConvention::Free => depth,
        }
    }

    /// The depth that is left after a move at this depth.
    fn depth_after(self, mv: Move, depth: u32) -> u32 {
        if mv.is_pass() { self.depth_after_pass(depth) } else { depth - 1 }
    }
}

/// The text names no pass convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "passes are counted as ply (a pass is a ply), free (it takes no depth) or full (only lines of full depth)"
)]
pub struct ParsePassConventionError;

impl FromStr for PassConvention {
    type Err = ParsePassConventionError;

    fn from_str(name: &str) -> Result<Self, ParsePassConventionError> {
        PassConvention::ALL.into_iter().find(|passes| passes.name() == name).ok_or(ParsePassConventionError)
    }
}

impl fmt::Display for PassConvention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number of paths of `depth` plies on any board. Depth 0 counts 1.
pub fn perft<P: Position<Game = Othello>>(position: &mut P, depth: u32, passes: PassConvention) -> u64 {
    match depth {
        0 => return 1,
        // The last ply is counted, not made. A single move may be a pass: that is looked into below.
        1 => match position.count_legal() {
            0 | 1 => {}
            moves => return moves as u64,
        },
        _ => {}
    }
    let mut list = MoveList::new();
    position.generate_legal(&mut list);
    if list.is_empty() {
        return passes.leaves_if_finished(depth);
    }
    let mut nodes = 0;
    for &mv in &list {
        let undo = position.make(mv, &mut ());
        nodes += perft(position, passes.depth_after(mv, depth), passes);
        position.unmake(mv, &undo, &mut ());
    }
    nodes
}

/// [`perft`] split by first moves, in the order of generation; empty at depth 0 and where there is no move.
pub fn divide<P: Position<Game = Othello>>(
    position: &mut P,
    depth: u32,
    passes: PassConvention,
) -> Vec<(Move, u64)> {
    let mut list = MoveList::new();
    if depth > 0 {
        position.generate_legal(&mut list);
    }
    let mut rows = Vec::with_capacity(list.len());
    for &mv in &list {
        let undo = position.make(mv, &mut ());
        rows.push((mv, perft(position, passes.depth_after(mv, depth), passes)));
        position.unmake(mv, &undo, &mut ());
    }
    rows
}

/// The same number as [`perft`], counted over bare words on the best instruction set that the machine has: no keys, no
/// lists, and the moves of the last ply are a population count.
pub fn fast_perft(board: &Bitboard, depth: u32, passes: PassConvention) -> u64 {
    fast_perft_with_isa(Isa::detect(), board, depth, passes)
}

/// [`count`] on a chosen instruction set.
pub fn fast_perft_with_isa(isa: Isa, board: &Bitboard, depth: u32, passes: PassConvention) -> u64 {
    isa.fast_perft(board.mover(), board.opponent(), depth, passes)
}

/// Writes `count` over the `mobility` and `flips` of the module in which it stands, for its instruction set.
macro_rules! define_fast_perft {
    ($(#[$feature:meta])*) => {
        $(#[$feature])*
        pub(crate) fn fast_perft(mover: u64, opponent: u64, depth: u32, passes: PassConvention) -> u64 {
            if depth == 0 {
                return 1;
            }
            let mut places = mobility(mover, opponent);
            if places == 0 {
                return fast_perft_without_placement(mover, opponent, depth, passes);
            }
            if depth == 1 {
                return u64::from(places.count_ones());
            }
            let mut nodes = 0;
            while places != 0 {
                let square = places.trailing_zeros() as usize;
                places &= places - 1;
                let turned = flips(mover, opponent, square);
                let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                nodes += fast_perft(next, other, depth - 1, passes);
            }
            nodes
        }

        /// The count where the mover has no place for a disc.
        #[cold]
        $(#[$feature])*
        fn fast_perft_without_placement(mover: u64, opponent: u64, depth: u32, passes: PassConvention) -> u64 {
            if mobility(opponent, mover) == 0 {
                return passes.leaves_if_finished(depth);
            }
            fast_perft(opponent, mover, passes.depth_after_pass(depth), passes)
        }
    };
}
pub(crate) use define_fast_perft;

/// The counter for the build's baseline.
pub(crate) mod scalar {
    use super::PassConvention;
    use crate::bitboard::scalar::{flips, mobility};

    define_fast_perft!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_are_named_or_described() {
        for passes in PassConvention::ALL {
            assert_eq!(passes.name().parse(), Ok(passes));
            assert_eq!(PassConvention::from_description(passes.name()), Some(passes));
        }
        assert_eq!("plies".parse::<PassConvention>(), Err(ParsePassConventionError));
        assert_eq!(PassConvention::from_description("counted somehow"), None);
    }
}
