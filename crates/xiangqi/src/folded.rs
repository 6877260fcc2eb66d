//! The folded board: the bitboard with horses and elephants looked up by a checksum.
//!
//! After 章光华, described in ElephantEye's notes on its board structure (2.8). Squares are numbered file by file, ten to
//! a file, in 96 bits; to *fold* a set is to XOR its twelve bytes, so that square `i` falls on bit `i mod 8`. The four
//! legs of a horse on `i` are `i ± 1` and `i ± 10` and fall on `±1` and `±2`; the four eyes of an elephant are `i ± 9`
//! and `i ± 11` and fall on `±1` and `±3`: always four different bits. So the folded byte of the occupied legs
//! identifies them, and is the index of a table. Numbered rank by rank the method fails, as 9 is 1 modulo 8.

use alloc::format;
use alloc::string::String;

use crate::bitboard::{LeaperLookup, LookupBitboard};
use crate::geometry::{
    EYES, LEGS, LineOccupancy, elephant_targets_by_eye, horse_targets_by_leg, unblocked_targets,
};
use crate::square::{Square, SquareSet, square_at};

/// The bitboard with its leapers looked up by folding.
pub type Folded = LookupBitboard<FoldedLookup>;

/// Returns the index of a square in the folded board: file by file from Red's left, each from Red's back rank.
///
/// ```
/// use alfil_xiangqi::folded::folded_index;
///
/// assert_eq!(folded_index("b0".parse().unwrap()), 10); // Red's left horse at the start
/// assert_eq!(folded_index("i9".parse().unwrap()), 89);
/// ```
#[inline(always)]
pub const fn folded_index(square: Square) -> usize {
    square.file() * Square::RANKS + square.rank()
}

/// Returns the XOR of the twelve bytes of a set of 96 squares.
#[inline(always)]
pub const fn fold(set: u128) -> u8 {
    let words = set as u64 ^ (set >> 64) as u64;
    let half = words as u32 ^ (words >> 32) as u32;
    let quarter = half as u16 ^ (half >> 16) as u16;
    quarter as u8 ^ (quarter >> 8) as u8
}

/// Returns the subset of `squares` that folds to `byte`, if no two of the squares fold to the same bit.
#[inline(always)]
pub const fn unfold(byte: u8, squares: u128) -> u128 {
    /// Multiplying by this copies a byte into all twelve.
    const TWELVE: u128 = 0x0101_0101_0101_0101_0101_0101;
    (byte as u128 * TWELVE) & squares
}

/// The legs of a horse on each square, as sets of folded indices; indexed by square.
pub static HORSE_LEGS: [u128; Square::COUNT] = neighbour_sets(&LEGS);
/// The eyes of an elephant on each square, as sets of folded indices; indexed by square.
pub static ELEPHANT_EYES: [u128; Square::COUNT] = neighbour_sets(&EYES);

const fn neighbour_sets(steps: &[(isize, isize); 4]) -> [u128; Square::COUNT] {
    let mut table = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let neighbours = neighbour_bits(square_at(index), steps);
        table[index] = neighbours[0] | neighbours[1] | neighbours[2] | neighbours[3];
        index += 1;
    }
    table
}

/// Returns the folded bit of each of the four neighbours; 0 for those beyond the edge.
const fn neighbour_bits(square: Square, steps: &[(isize, isize); 4]) -> [u128; 4] {
    let (mut bits, mut i) = ([0; 4], 0);
    while i < 4 {
        if let Some(square) = square.step(steps[i].0, steps[i].1) {
            bits[i] = 1 << folded_index(square);
        }
        i += 1;
    }
    bits
}

/// The targets of a leaper, by its square and the folded byte of its blockers: 368,640 bytes a table, of which at most
/// sixteen entries a square are ever used.
type FoldedTable = [[SquareSet; 256]; Square::COUNT];

static HORSE_TARGETS: FoldedTable = targets_by_checksum(true);
static ELEPHANT_TARGETS: FoldedTable = targets_by_checksum(false);

const fn targets_by_checksum(horse: bool) -> FoldedTable {
    let mut table = [[SquareSet::new(0); 256]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = square_at(index);
        let (targets, bits) = if horse {
            (horse_targets_by_leg(square), neighbour_bits(square, &LEGS))
        } else {
            (elephant_targets_by_eye(square), neighbour_bits(square, &EYES))
        };
        let all = bits[0] | bits[1] | bits[2] | bits[3];
        let mut byte = 0;
        while byte < 256 {
            let blockers = unfold(byte as u8, all);
            let (mut blocked, mut i) = (0, 0);
            while i < 4 {
                blocked |= ((blockers & bits[i] != 0) as usize) << i;
                i += 1;
            }
            table[index][byte] = SquareSet::new(unblocked_targets(targets, blocked));
            byte += 1;
        }
        index += 1;
    }
    table
}

/// The lookup by folding: the occupied squares as a set of folded indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldedLookup {
    occupied: u128,
}

impl LeaperLookup for FoldedLookup {
    const BOARD: &'static str = "folded";

    #[inline(always)]
    fn toggle(&mut self, square: Square) {
        self.occupied ^= 1 << folded_index(square);
    }

    #[inline(always)]
    fn horse_targets(&self, _: &LineOccupancy, square: Square) -> SquareSet {
        let index = square.index();
        HORSE_TARGETS[index][usize::from(fold(self.occupied & HORSE_LEGS[index]))]
    }

    #[inline(always)]
    fn elephant_targets(&self, _: &LineOccupancy, square: Square) -> SquareSet {
        let index = square.index();
        ELEPHANT_TARGETS[index][usize::from(fold(self.occupied & ELEPHANT_EYES[index]))]
    }

    fn dump(&self) -> String {
        format!("folded   {:024x}\n", self.occupied)
    }
}
