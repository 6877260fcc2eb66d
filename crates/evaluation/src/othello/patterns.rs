//! Patterns: whole rows and corners, looked up by what stands on each of their squares (Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello", 1997).
//!
//! A pattern's states are numbers in base 3, a digit a square: 0 empty, 1 the mover's, 2 the opponent's. A state and the same seen in a
//! mirror share a weight, and with the colours exchanged it counts against.

use alfil_kernel::TaperedScore;

use alfil_othello::stability::{edge_index, file_to_row};

/// Weights of a row of eight squares.
pub(super) type RowWeights = [TaperedScore; 1_640];
/// Weights of a corner's six squares.
pub(super) type CornerWeights = [TaperedScore; 200];

static ROW_CLASSES: [i16; 6_561] = weight_classes([7, 6, 5, 4, 3, 2, 1, 0], 1_640);
static CORNER_CLASSES: [i16; 729] = weight_classes([0, 3, 5, 1, 4, 2], 200);

/// For each state the number of its weight from 1, negative where it counts against, 0 where it is even. `mirror` says which square
/// is seen in the place of each.
const fn weight_classes<const STATES: usize, const SQUARES: usize>(
    mirror: [usize; SQUARES],
    number: i16,
) -> [i16; STATES] {
    let mut classes = [0; STATES];
    let mut next = 1;
    let mut state = 0;
    while state < STATES {
        let mut powers = [1; SQUARES];
        let mut square = 1;
        while square < SQUARES {
            powers[square] = 3 * powers[square - 1];
            square += 1;
        }
        let (mut mirrored, mut swapped, mut both) = (0, 0, 0);
        let mut square = 0;
        while square < SQUARES {
            let here = state / powers[square] % 3;
            let there = state / powers[mirror[square]] % 3;
            mirrored += there * powers[square];
            swapped += (3 - here) % 3 * powers[square];
            both += (3 - there) % 3 * powers[square];
            square += 1;
        }
        if classes[state] == 0 && state != both && state != swapped {
            classes[state] = next;
            classes[mirrored] = next;
            classes[swapped] = -next;
            classes[both] = -next;
            next += 1;
        }
        state += 1;
    }
    assert!(next == number + 1);
    classes
}

#[inline(always)]
fn class_value(weights: &[TaperedScore], class: i16) -> TaperedScore {
    match class {
        0 => TaperedScore::ZERO,
        1.. => weights[class as usize - 1],
        _ => TaperedScore::ZERO - weights[-class as usize - 1],
    }
}

/// What a row is worth whose squares are the bits of a byte.
#[inline(always)]
fn row_value(weights: &RowWeights, mover: u64, opponent: u64) -> TaperedScore {
    class_value(weights, ROW_CLASSES[edge_index(mover as usize & 0xFF, opponent as usize & 0xFF)])
}

/// The four rows `number` steps from the edges.
#[inline(always)]
pub(super) fn rows(weights: &RowWeights, mover: u64, opponent: u64, number: usize) -> TaperedScore {
    let (near, far) = (8 * number, 56 - 8 * number);
    row_value(weights, mover >> near, opponent >> near)
        + row_value(weights, mover >> far, opponent >> far)
        + row_value(weights, file_to_row(mover >> number), file_to_row(opponent >> number))
        + row_value(weights, file_to_row(mover >> (7 - number)), file_to_row(opponent >> (7 - number)))
}

/// Both long diagonals.
#[inline(always)]
pub(super) fn diagonals(weights: &RowWeights, mover: u64, opponent: u64) -> TaperedScore {
    const RISING: u64 = 0x8040_2010_0804_0201;
    const FALLING: u64 = 0x0102_0408_1020_4080;
    // A square in each column: added up they make a row.
    let row_of = |set: u64, diagonal: u64| (set & diagonal).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let [rising, falling] = [RISING, FALLING]
        .map(|diagonal| row_value(weights, row_of(mover, diagonal), row_of(opponent, diagonal)));
    rising + falling
}

/// The four corners.
#[inline(always)]
pub(super) fn corners(weights: &CornerWeights, mover: u64, opponent: u64) -> TaperedScore {
    let corner = |mover: u64, opponent: u64| {
        let six = |set: u64| (set & 7 | set >> 5 & 0x18 | set >> 11 & 0x20) as usize;
        class_value(weights, CORNER_CLASSES[edge_index(six(mover), six(opponent))])
    };
    let (low, high) = (mover.swap_bytes(), opponent.swap_bytes());
    corner(mover, opponent)
        + corner(low, high)
        + corner(mover.reverse_bits(), opponent.reverse_bits())
        + corner(low.reverse_bits(), high.reverse_bits())
}
