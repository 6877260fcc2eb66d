//! Static evaluation and the tactical values of moves.

use alfil_kernel::evaluator::SearchTechniques;
use alfil_kernel::{BoardObserver, Evaluator, Piece as _, Position, Score, SearchPolicy, Side, Tactics};

use crate::board::Board;
use crate::game::{Breakthrough, Move, Pawn, Square};

/// Material and advancement from White's view, in centipawns.
#[derive(Clone, Debug, Default)]
pub struct HandcraftedEval(i32);

fn value(square: Square, pawn: Pawn) -> i32 {
    let rank = square.rank() as i32;
    match pawn.side() {
        Side::First => 100 + 10 * rank * rank,
        Side::Second => -100 - 10 * (4 - rank) * (4 - rank),
    }
}

impl BoardObserver<Breakthrough> for HandcraftedEval {
    fn put(&mut self, square: Square, pawn: Pawn) {
        self.0 += value(square, pawn);
    }

    fn remove(&mut self, square: Square, pawn: Pawn) {
        self.0 -= value(square, pawn);
    }

    fn flip(&mut self, _: Square, _: Pawn) {
        unreachable!("the game has no flips");
    }
}

impl Evaluator<Board> for HandcraftedEval {
    fn reset(&mut self, board: &Board) {
        self.0 = 0;
        for side in Side::BOTH {
            board.pawns(side).for_each(|square| self.put(square, Pawn(side)));
        }
    }

    fn score(&mut self, board: &Board) -> Score {
        Score::from_cp(if board.side_to_move() == Side::First { self.0 } else { -self.0 })
    }
}

impl Tactics<Board> for HandcraftedEval {
    fn is_noisy(&self, board: &Board, mv: Move) -> bool {
        board.captured_piece(mv).is_some()
    }

    fn mvv_lva(&self, _: &Board, _: Move) -> i32 {
        0
    }

    fn see_ge(&self, board: &Board, mv: Move, threshold: i32) -> bool {
        threshold <= if self.is_noisy(board, mv) { 100 } else { 0 }
    }
}

impl SearchPolicy<Board> for HandcraftedEval {
    /// A pawn on its last rank but one decides a game whatever the static evaluation is, and passing may be best.
    fn techniques(&self, _: &Board) -> SearchTechniques {
        SearchTechniques { null_move: false, quiescence: true, futility: false }
    }
}
