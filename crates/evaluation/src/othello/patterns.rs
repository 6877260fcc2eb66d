//! The patterns of the hand-made evaluation: those of rows, diagonals and corners, with a weight for each of their
//! states (M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997).
//!
//! The state of a pattern is a number in base 3 with a digit for each square: 0 empty, 1 a disc of the mover, 2 a disc
//! of the opponent. A state and its mirror image share a weight; with the colours exchanged, it counts negative.

use crate::TaperedScore;

use alfil_othello::stability::{file_to_row, ternary_index};

/// The weights of a row of eight squares.
pub(super) type RowWeights = [TaperedScore; 1_640];
/// The weights of the six squares of a corner.
pub(super) type CornerWeights = [TaperedScore; 200];

static ROW_CLASSES: [i16; 6_561] = weight_classes([7, 6, 5, 4, 3, 2, 1, 0], 1_640);
static CORNER_CLASSES: [i16; 729] = weight_classes([0, 3, 5, 1, 4, 2], 200);

/// Returns the class of each state: the index of its weight plus 1, negated if the weight counts negative, or 0 if the
/// state equals its colour exchange, mirrored or not. `mirror` is the image of each square, `count` the number of
/// weights.
const fn weight_classes<const STATES: usize, const SQUARES: usize>(
    mirror: [usize; SQUARES],
    count: i16,
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
            let digit = state / powers[square] % 3;
            let mirrored_digit = state / powers[mirror[square]] % 3;
            mirrored += mirrored_digit * powers[square];
            swapped += (3 - digit) % 3 * powers[square];
            both += (3 - mirrored_digit) % 3 * powers[square];
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
    assert!(next == count + 1);
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

/// Returns the value of a row whose squares are the lowest eight bits.
#[inline(always)]
fn row_value(weights: &RowWeights, mover: u64, opponent: u64) -> TaperedScore {
    class_value(weights, ROW_CLASSES[ternary_index(mover as usize & 0xFF, opponent as usize & 0xFF)])
}

/// Returns the value of the two rows and two columns that are `distance` squares from the edges.
#[inline(always)]
pub(super) fn rows(weights: &RowWeights, mover: u64, opponent: u64, distance: usize) -> TaperedScore {
    let (near, far) = (8 * distance, 56 - 8 * distance);
    row_value(weights, mover >> near, opponent >> near)
        + row_value(weights, mover >> far, opponent >> far)
        + row_value(weights, file_to_row(mover >> distance), file_to_row(opponent >> distance))
        + row_value(weights, file_to_row(mover >> (7 - distance)), file_to_row(opponent >> (7 - distance)))
}

/// Returns the value of both long diagonals.
#[inline(always)]
pub(super) fn diagonals(weights: &RowWeights, mover: u64, opponent: u64) -> TaperedScore {
    const RISING: u64 = 0x8040_2010_0804_0201;
    const FALLING: u64 = 0x0102_0408_1020_4080;
    // A diagonal has one square in each column, so a product collects it in a row.
    let row_of = |set: u64, diagonal: u64| (set & diagonal).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let [rising, falling] = [RISING, FALLING]
        .map(|diagonal| row_value(weights, row_of(mover, diagonal), row_of(opponent, diagonal)));
    rising + falling
}

/// Returns the value of the four corners.
#[inline(always)]
pub(super) fn corners(weights: &CornerWeights, mover: u64, opponent: u64) -> TaperedScore {
    let corner = |mover: u64, opponent: u64| {
        let corner_squares = |set: u64| (set & 7 | set >> 5 & 0x18 | set >> 11 & 0x20) as usize;
        class_value(weights, CORNER_CLASSES[ternary_index(corner_squares(mover), corner_squares(opponent))])
    };
    let (flipped_mover, flipped_opponent) = (mover.swap_bytes(), opponent.swap_bytes());
    corner(mover, opponent)
        + corner(flipped_mover, flipped_opponent)
        + corner(mover.reverse_bits(), opponent.reverse_bits())
        + corner(flipped_mover.reverse_bits(), flipped_opponent.reverse_bits())
}
