//! The patterns of the evaluation: sets of up to ten squares, their placements on the board and the states of their
//! squares (M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997).
//!
//! A square has the digit 1 with a disc of the mover, -1 with one of the opponent and 0 if it is empty, and a pattern
//! of n squares the signed state `sum of digit * 3^i`. The state with the sides exchanged is the negative one, so one
//! set of sums, from the view of the first side, serves both sides. With half the number of states added it is an
//! index.

use alfil_othello::geometry::Symmetry;
use alfil_othello::square::Square;

/// The number of kinds of patterns.
pub(super) const KINDS: usize = 12;

/// The number of placements of all patterns.
pub(super) const PLACEMENTS: usize = 46;

/// The placements filled up to a multiple of a vector of eight states; the others have no squares.
pub(super) const LANES: usize = 48;

/// The greatest number of squares of a pattern.
const MAX_SQUARES: usize = 10;

/// The squares of each pattern in one of its placements, as column and row.
const SHAPES: [&[[usize; 2]]; KINDS] = [
    &[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2]],
    &[[4, 0], [3, 0], [2, 0], [1, 0], [0, 0], [1, 1], [0, 1], [0, 2], [0, 3], [0, 4]],
    &[[1, 1], [0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [7, 0], [6, 1]],
    &[[0, 0], [2, 0], [3, 0], [4, 0], [5, 0], [7, 0], [2, 1], [3, 1], [4, 1], [5, 1]],
    &[[0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1], [7, 1]],
    &[[0, 2], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2], [7, 2]],
    &[[0, 3], [1, 3], [2, 3], [3, 3], [4, 3], [5, 3], [6, 3], [7, 3]],
    &[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7]],
    &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]],
    &[[0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7]],
    &[[0, 3], [1, 4], [2, 5], [3, 6], [4, 7]],
    &[[0, 4], [1, 5], [2, 6], [3, 7]],
];

/// A placement of a pattern.
#[derive(Clone, Copy)]
struct Placement {
    kind: usize,
    /// The squares in the order of the digits; the first `SHAPES[kind].len()` are used.
    squares: [u8; MAX_SQUARES],
}

/// All placements, by kind: the images of each shape under the symmetries of the board.
const PLACED: [Placement; PLACEMENTS] = {
    let mut placed = [Placement { kind: 0, squares: [0; MAX_SQUARES] }; PLACEMENTS];
    let mut count = 0;
    let mut kind = 0;
    while kind < KINDS {
        let first = count;
        let mut symmetry = 0;
        while symmetry < 8 {
            let squares = image(SHAPES[kind], symmetry);
            let set = square_set(&squares, SHAPES[kind].len());
            let mut is_new = true;
            let mut other = first;
            while other < count {
                is_new &= square_set(&placed[other].squares, SHAPES[kind].len()) != set;
                other += 1;
            }
            if is_new {
                placed[count] = Placement { kind, squares };
                count += 1;
            }
            symmetry += 1;
        }
        kind += 1;
    }
    assert!(count == PLACEMENTS);
    placed
};

/// Returns the image of the squares of a shape under the symmetry with this number.
const fn image(shape: &[[usize; 2]], symmetry: usize) -> [u8; MAX_SQUARES] {
    let symmetry = Symmetry {
        transposed: symmetry & 4 != 0,
        mirrored: symmetry & 2 != 0,
        upside_down: symmetry & 1 != 0,
    };
    let mut squares = [0; MAX_SQUARES];
    let mut i = 0;
    while i < shape.len() {
        squares[i] = symmetry.map_square(Square::new(shape[i][0], shape[i][1])).index() as u8;
        i += 1;
    }
    squares
}

const fn square_set(squares: &[u8; MAX_SQUARES], count: usize) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < count {
        set |= 1 << squares[i];
        i += 1;
    }
    set
}

const fn states_of(kind: usize) -> usize {
    3usize.pow(SHAPES[kind].len() as u32)
}

/// The number of states of all kinds of patterns.
pub(super) const STATES: usize = KIND_STARTS[KINDS];

/// The first state of each kind, if all are in one row, and their number.
pub(super) const KIND_STARTS: [usize; KINDS + 1] = {
    let mut starts = [0; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        starts[kind + 1] = starts[kind] + states_of(kind);
        kind += 1;
    }
    starts
};

/// The index of the signed state 0 of each placement: that of a pattern without discs.
pub(super) const CENTRES: [i32; PLACEMENTS] = {
    let mut centres = [0; PLACEMENTS];
    let mut placement = 0;
    while placement < PLACEMENTS {
        let kind = PLACED[placement].kind;
        centres[placement] = (KIND_STARTS[kind] + states_of(kind) / 2) as i32;
        placement += 1;
    }
    centres
};

/// What a disc of the first side on a square adds to the signed states of all placements.
static POWERS: [PatternStates; 64] = {
    let mut powers = [PatternStates::EMPTY; 64];
    let mut placement = 0;
    while placement < PLACEMENTS {
        let Placement { kind, squares } = PLACED[placement];
        let (mut power, mut i) = (1, 0);
        while i < SHAPES[kind].len() {
            powers[squares[i] as usize].0[placement] = power as i16;
            power *= 3;
            i += 1;
        }
        placement += 1;
    }
    powers
};

/// The signed states of all placements, from the view of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct PatternStates(pub(super) [i16; LANES]);

impl PatternStates {
    /// The states of the board without discs.
    pub const EMPTY: PatternStates = PatternStates([0; LANES]);

    /// Returns the states of a position from the view of the side with the discs `own`.
    #[inline(always)]
    pub fn of(own: u64, other: u64) -> PatternStates {
        let mut states = Self::EMPTY;
        let (mut own, mut other) = (own, other);
        while own != 0 {
            states.add(own.trailing_zeros() as usize, 1);
            own &= own - 1;
        }
        while other != 0 {
            states.add(other.trailing_zeros() as usize, -1);
            other &= other - 1;
        }
        states
    }

    /// Changes the digit of a square by `change`: 1 for a new disc of this side, -1 for one of the other side, and
    /// twice that for a flipped disc. Sums in between may leave 16 bits, and the states do not.
    #[inline(always)]
    pub fn add(&mut self, square: usize, change: i16) {
        for (state, power) in self.0.iter_mut().zip(&POWERS[square & 63].0) {
            *state = state.wrapping_add(change.wrapping_mul(*power));
        }
    }

    /// Returns the states after a move of this side, still from its view.
    #[inline(always)]
    #[must_use]
    pub fn after_move(&self, square: usize, mut flipped: u64) -> PatternStates {
        let mut sum = PatternStates::EMPTY;
        while flipped != 0 {
            sum.add(flipped.trailing_zeros() as usize, 1);
            flipped &= flipped - 1;
        }
        let mut states = *self;
        for ((state, sum), power) in states.0.iter_mut().zip(sum.0).zip(&POWERS[square & 63].0) {
            *state = state.wrapping_add(sum.wrapping_mul(2)).wrapping_add(*power);
        }
        states
    }

    /// Returns the states from the view of the other side.
    #[inline(always)]
    #[must_use]
    pub fn swapped(&self) -> PatternStates {
        PatternStates(self.0.map(|state| -state))
    }
}

/// Returns the class of each state, and the number of classes: states of a pattern that a symmetry of the board maps to
/// each other share a class, and with it a weight.
pub(super) fn state_classes() -> (Vec<u32>, usize) {
    let mut classes = vec![u32::MAX; STATES];
    let mut count = 0;
    for kind in 0..KINDS {
        let mirrors: Vec<_> = mirrors(kind).iter().map(|order| mirrored_states(order)).collect();
        for state in 0..states_of(kind) {
            if classes[KIND_STARTS[kind] + state] == u32::MAX {
                for mirror in &mirrors {
                    classes[KIND_STARTS[kind] + mirror[state]] = count;
                }
                count += 1;
            }
        }
    }
    (classes, count as usize)
}

/// Returns the orders of the squares of a shape that symmetries make which map the shape to itself.
fn mirrors(kind: usize) -> Vec<Vec<usize>> {
    let shape = SHAPES[kind];
    let squares = image(shape, 0);
    let orders = (0..8).filter_map(|symmetry| {
        let image = image(shape, symmetry);
        let place = |square: &u8| squares[..shape.len()].iter().position(|other| other == square);
        image[..shape.len()].iter().map(place).collect::<Option<Vec<_>>>()
    });
    orders.collect()
}

/// Returns the mirror image of every state, in which the digit `order[i]` of the state is the digit `i`.
fn mirrored_states(order: &[usize]) -> Vec<usize> {
    let mut images = vec![0];
    for digit in 0..order.len() {
        let place = order.iter().position(|&other| other == digit).expect("the order has every digit");
        let power = 3usize.pow(place as u32);
        images = (0..3).flat_map(|value| images.iter().map(move |image| image + value * power)).collect();
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn the_patterns_cover_the_board_and_their_placements_differ() {
        let mut sets: Vec<_> =
            PLACED.iter().map(|placed| square_set(&placed.squares, SHAPES[placed.kind].len())).collect();
        for square in 0..64 {
            let count = sets.iter().filter(|&set| set >> square & 1 == 1).count();
            assert!((4..=11).contains(&count), "square {square} is in {count} placements");
        }
        sets.sort_unstable();
        sets.dedup();
        assert_eq!(sets.len(), PLACEMENTS);
        assert_eq!(STATES, 226_314);
        let (classes, count) = state_classes();
        assert!(classes.iter().all(|&class| (class as usize) < count));
        assert_eq!(count, 114_363);
    }

    #[test]
    fn mirrored_states_have_the_digits_in_the_other_order() {
        for order in (0..KINDS).flat_map(mirrors) {
            let digit = |state: usize, square: usize| state / 3usize.pow(square as u32) % 3;
            for (state, image) in mirrored_states(&order).into_iter().enumerate() {
                assert!(order.iter().enumerate().all(|(i, &square)| digit(image, i) == digit(state, square)));
            }
        }
    }

    #[test]
    fn states_after_a_move_equal_fresh_ones() {
        let mut random = SplitMix64::new(81);
        for _ in 0..1_000 {
            let (own, other) = (random.next_u64(), random.next_u64());
            let (own, other) = (own & !other, other & !own);
            let empty = !(own | other);
            let square = empty.trailing_zeros() as usize;
            let flipped = other & random.next_u64();
            let states = PatternStates::of(own, other);
            let expected = PatternStates::of(own | flipped | 1 << square, other & !flipped);
            assert_eq!(states.after_move(square, flipped), expected);
            assert_eq!(states.swapped(), PatternStates::of(other, own));
        }
    }
}
