//! The figures of the folded board, and that folding and unfolding are inverse.

use alfil_xiangqi::Square;
use alfil_xiangqi::folded::{ELEPHANT_EYES, HORSE_LEGS, fold, folded_index, unfold};

const LEGS: [(isize, isize); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const EYES: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// On how many points two of the four neighbours have numbers that are equal modulo `bits`.
fn collisions(steps: &[(isize, isize); 4], number: impl Fn(Square) -> usize, bits: usize) -> usize {
    let collides = |square: &Square| {
        let mut places: Vec<_> =
            steps.iter().filter_map(|&(x, y)| square.step(x, y)).map(|at| number(at) % bits).collect();
        places.sort_unstable();
        places.windows(2).any(|pair| pair[0] == pair[1])
    };
    Square::all().filter(collides).count()
}

#[test]
fn numbered_by_file_no_two_blockers_fold_together() {
    let by_rank = |square: Square| 9 * square.rank() + square.file();
    assert_eq!((collisions(&LEGS, folded_index, 8), collisions(&EYES, folded_index, 8)), (0, 0));
    assert_eq!((collisions(&LEGS, by_rank, 8), collisions(&EYES, by_rank, 8)), (88, 56));
    assert_eq!((collisions(&LEGS, folded_index, 4), collisions(&EYES, folded_index, 4)), (70, 70));
}

#[test]
fn the_legs_of_the_text() {
    let set = |numbers: &[usize]| numbers.iter().fold(0u128, |set, number| set | 1 << number);
    for (square, legs) in [("a0", &[1, 10][..]), ("a1", &[0, 2, 11]), ("b0", &[0, 11, 20])] {
        let index = square.parse::<Square>().unwrap().index();
        // The text leaves out the leg towards the edge, over which no horse can go.
        assert_eq!(HORSE_LEGS[index], set(legs), "{square}");
    }
}

#[test]
fn fold_and_unfold_are_inverse_on_every_subset() {
    let mut subsets = 0;
    for points in HORSE_LEGS.iter().chain(&ELEPHANT_EYES) {
        // Every subset, by subtracting the whole from itself until it comes round.
        let mut subset = 0u128;
        loop {
            assert_eq!(unfold(fold(subset), *points), subset, "{subset:x} of {points:x}");
            assert_eq!(fold(subset).count_ones(), subset.count_ones());
            subsets += 1;
            subset = subset.wrapping_sub(*points) & points;
            if subset == 0 {
                break;
            }
        }
    }
    // Legs: 56 points with four neighbours, 30 with three, 4 with two. Eyes: 56 with four, 30 with two, 4 with one.
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
