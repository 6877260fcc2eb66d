//! The integration tests of the search, in one program, because each would compile the search of every game anew.

mod forced_results;
mod lazy_smp;
mod oracle_ladder;
mod quiescence;
mod root_lines;
mod search_results;
mod skill_levels;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Outcome, Position, Rules, SearchControl, SearchInfo};

/// Stops after a number of nodes.
struct NodeLimit(u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

/// Returns whether the side to move can force a position without a legal move that it wins, within this number of
/// plies, by exhaustive search.
fn is_forced_win<P: Position, R: Rules<P>>(board: &mut P, rules: &R, plies: u32) -> bool {
    let mover = board.side_to_move();
    sorted_legal_moves(board).into_iter().any(|mv| {
        let undo = board.make(mv, &mut ());
        let replies = sorted_legal_moves(board);
        let won = if replies.is_empty() {
            rules.no_legal_move_verdict(board).outcome == Outcome::Win(mover)
        } else {
            plies > 2
                && replies.into_iter().all(|reply| {
                    let undo = board.make(reply, &mut ());
                    let won = is_forced_win(board, rules, plies - 2);
                    board.unmake(reply, &undo, &mut ());
                    won
                })
        };
        board.unmake(mv, &undo, &mut ());
        won
    })
}
