//! The folded board: its documented numbers, and folding and unfolding as inverse operations.

use alfil_xiangqi::Square;
use alfil_xiangqi::folded::{ELEPHANT_EYES, HORSE_LEGS, fold, folded_index, unfold};

const LEGS: [(isize, isize); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const EYES: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Returns on how many squares two of the four neighbours have indices that are equal modulo `bits`.
fn collisions(steps: &[(isize, isize); 4], number: impl Fn(Square) -> usize, bits: usize) -> usize {
    let collides = |square: &Square| {
        let mut residues: Vec<_> = steps
            .iter()
            .filter_map(|&(files, ranks)| square.step(files, ranks))
            .map(|at| number(at) % bits)
            .collect();
        residues.sort_unstable();
        residues.windows(2).any(|pair| pair[0] == pair[1])
    };
    Square::all().filter(collides).count()
}

#[test]
fn file_by_file_numbering_has_no_colliding_blockers() {
    let by_rank = |square: Square| 9 * square.rank() + square.file();
    assert_eq!((collisions(&LEGS, folded_index, 8), collisions(&EYES, folded_index, 8)), (0, 0));
    assert_eq!((collisions(&LEGS, by_rank, 8), collisions(&EYES, by_rank, 8)), (88, 56));
    assert_eq!((collisions(&LEGS, folded_index, 4), collisions(&EYES, folded_index, 4)), (70, 70));
}

#[test]
fn horse_legs_equal_those_of_the_source() {
    let set = |numbers: &[usize]| numbers.iter().fold(0u128, |set, number| set | 1 << number);
    for (square, legs) in [("a0", &[1, 10][..]), ("a1", &[0, 2, 11]), ("b0", &[0, 11, 20])] {
        let index = square.parse::<Square>().unwrap().index();
        // The source leaves out the leg towards the edge, over which no horse can move.
        assert_eq!(HORSE_LEGS[index], set(legs), "{square}");
    }
}

#[test]
fn fold_and_unfold_are_inverse_on_every_subset() {
    let mut subsets = 0;
    for squares in HORSE_LEGS.iter().chain(&ELEPHANT_EYES) {
        // Enumerates every subset by subtracting the whole set until it returns to zero (Carry-Rippler).
        let mut subset = 0u128;
        loop {
            assert_eq!(unfold(fold(subset), *squares), subset, "{subset:x} of {squares:x}");
            assert_eq!(fold(subset).count_ones(), subset.count_ones());
            subsets += 1;
            subset = subset.wrapping_sub(*squares) & squares;
            if subset == 0 {
                break;
            }
        }
    }
    // Legs: 56 squares with four neighbours, 30 with three, 4 with two. Eyes: 56 with four, 30 with two, 4 with one.
    assert_eq!(subsets, 56 * 16 + 30 * 8 + 4 * 4 + 56 * 16 + 30 * 4 + 4 * 2);
}

#[test]
fn folding_is_the_xor_of_the_bytes() {
    let mut random = alfil_kernel::zobrist::SplitMix64::new(96);
    for _ in 0..1_000 {
        let set = (u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())) & ((1 << 96) - 1);
        assert_eq!(fold(set), set.to_le_bytes().iter().fold(0, |sum, byte| sum ^ byte));
    }
}
