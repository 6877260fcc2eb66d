//! The scores of positions by a search of a few plies with the weights of the later phases.

use alfil_evaluation::othello::{PatternStates, PatternWeights};
use alfil_kernel::Side;
use alfil_othello::bitboard::scalar::{flips, mobility};
use alfil_othello::{Bitboard, Board as _};

use super::counts;

/// A score beyond those of all games, in hundredths of a disc.
const INFINITE: i32 = 10_000;

/// No position has more moves than empty squares.
const MAX_MOVES: usize = 60;

/// Returns the score of a position in hundredths of a disc from the view of the side to move: by alpha-beta to the
/// given depth, where a pass takes no depth, and the patterns at the leaves.
pub(super) fn lookahead(weights: &PatternWeights, own: u64, other: u64, depth: u32) -> i32 {
    let node = Node { own, other, states: PatternStates::of(own, other) };
    search(weights, &node, depth, -INFINITE, INFINITE)
}

/// A position with the states of its patterns from the view of the side to move.
#[derive(Clone, Copy)]
struct Node {
    own: u64,
    other: u64,
    states: PatternStates,
}

impl Node {
    fn after_move(&self, square: usize, flipped: u64) -> Node {
        Node {
            own: self.other ^ flipped,
            other: self.own | flipped | 1 << square,
            states: self.states.after_move(square, flipped).swapped(),
        }
    }

    fn passed(&self) -> Node {
        Node { own: self.other, other: self.own, states: self.states.swapped() }
    }
}

fn search(weights: &PatternWeights, node: &Node, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return weights.score(&node.states, counts(node.own, node.other));
    }
    let mut moves = mobility(node.own, node.other);
    if moves == 0 {
        if mobility(node.other, node.own) == 0 {
            return 100 * Bitboard::new(node.own, node.other, Side::First).final_score(Side::First);
        }
        return -search(weights, &node.passed(), depth, -beta, -alpha);
    }
    // Moves that leave few replies first.
    let mut order = [(0, 0, 0); MAX_MOVES];
    let mut count = 0;
    while moves != 0 {
        let square = moves.trailing_zeros() as usize;
        moves &= moves - 1;
        let flipped = flips(node.own, node.other, square);
        let replies = mobility(node.other ^ flipped, node.own | flipped | 1 << square);
        order[count] = (replies.count_ones(), square, flipped);
        count += 1;
    }
    if depth > 1 {
        order[..count].sort_unstable();
    }
    let mut best = -INFINITE;
    for &(_, square, flipped) in &order[..count] {
        best = best.max(-search(weights, &node.after_move(square, flipped), depth - 1, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_evaluation::othello::{PHASES, PatternFeatures};
    use alfil_kernel::NeverStop;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_solver::{SolveMode, Solver};

    /// Returns a position with few empty squares.
    fn random_ending(random: &mut SplitMix64) -> (u64, u64) {
        let mut occupied = u64::MAX;
        while occupied.count_zeros() < 6 {
            occupied &= !(1 << random.below(64));
        }
        let own = random.next_u64();
        (occupied & own, occupied & !own)
    }

    #[test]
    fn a_search_to_the_end_gives_the_exact_score() {
        let zero = vec![vec![0; PatternFeatures::new().weight_count()]; PHASES];
        let weights = PatternWeights::new(&zero, "", "");
        let (mut random, solver) = (SplitMix64::new(92), Solver::new(1));
        for _ in 0..200 {
            let (own, other) = random_ending(&mut random);
            let board = Bitboard::new(own, other, Side::First);
            let exact = solver.solve(&board, SolveMode::Exact, &mut NeverStop).unwrap().score;
            // Below the last empty square there are no moves, and the leaf is a finished game.
            assert_eq!(lookahead(&weights, own, other, 7), 100 * exact);
        }
    }
}
