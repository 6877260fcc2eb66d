//! Late move reductions: moves that come late in a good order are first searched less deep, and again if that surprises.

use crate::params::{LMR_BASE, LMR_FULL_DEPTH_MOVES, LMR_HISTORY_DIVISOR, LMR_LOG_FACTOR, LMR_MIN_DEPTH};

/// The binary logarithm in 256ths, by straight lines between the powers of two: the same on every machine.
fn log2_256ths(x: u32) -> i32 {
    let whole = x.ilog2();
    ((whole << 8) + ((x - (1 << whole)) << 8 >> whole)) as i32
}

/// What is known of a move that may be reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReductionInput {
    /// Depth left at the node, in plies.
    pub(crate) depth: i32,
    /// How many moves were tried before it.
    pub(crate) tried: usize,
    /// What the histories say for it; nothing for noisy moves.
    pub(crate) history: Option<i32>,
    /// It gives check or answers one.
    pub(crate) is_check: bool,
    /// The node's window is open: it may lie on the principal variation.
    pub(crate) is_pv: bool,
    /// The node's side stands better than two plies before.
    pub(crate) improving: bool,
    /// The node is expected to be cut off by one of its first moves.
    pub(crate) is_cut_node: bool,
}

impl ReductionInput {
    /// By how many plies less deep it is searched first.
    pub(crate) fn reduction(&self) -> i32 {
        if self.depth < LMR_MIN_DEPTH || self.tried < LMR_FULL_DEPTH_MOVES + usize::from(self.is_pv) {
            return 0;
        }
        let Some(history) = self.history else {
            // Noisy moves come first and are few; only those that lose material come this late.
            return i32::from(!self.is_check && !self.is_pv);
        };
        // In 1024ths of a ply.
        let product = log2_256ths(self.depth as u32) * log2_256ths(self.tried as u32 + 1) / 64;
        let mut reduction = LMR_BASE + product * LMR_LOG_FACTOR / 1024;
        reduction += 1024 * (i32::from(!self.improving) + i32::from(self.is_cut_node));
        reduction -= 1024 * (i32::from(self.is_check) + i32::from(self.is_pv));
        reduction -= history * 1024 / LMR_HISTORY_DIVISOR;
        (reduction / 1024).clamp(0, self.depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: ReductionInput = ReductionInput {
        depth: 8,
        tried: 12,
        history: Some(0),
        is_check: false,
        is_pv: false,
        improving: true,
        is_cut_node: false,
    };

    #[test]
    fn later_and_deeper_is_reduced_more_and_never_to_nothing() {
        let reduction = |depth, tried| ReductionInput { depth, tried, ..INPUT }.reduction();
        for depth in 1..60 {
            for tried in 0..120 {
                assert!(reduction(depth, tried) <= reduction(depth, tried + 1));
                assert!(reduction(depth, tried) <= reduction(depth + 1, tried));
                assert!(reduction(depth, tried) <= (depth - 2).max(0));
            }
        }
        assert_eq!(reduction(8, 1), 0, "the first moves are never reduced");
        assert!(reduction(8, 12) >= 2);
    }

    #[test]
    fn what_speaks_for_a_move_makes_it_less() {
        let plain = INPUT.reduction();
        assert!(ReductionInput { is_check: true, ..INPUT }.reduction() < plain);
        assert!(ReductionInput { is_pv: true, ..INPUT }.reduction() < plain);
        assert!(ReductionInput { history: Some(LMR_HISTORY_DIVISOR), ..INPUT }.reduction() < plain);
        assert!(ReductionInput { history: Some(-LMR_HISTORY_DIVISOR), ..INPUT }.reduction() > plain);
        assert!(ReductionInput { is_cut_node: true, ..INPUT }.reduction() > plain);
    }

    #[test]
    fn the_logarithm_meets_the_powers_of_two() {
        assert_eq!([1, 2, 3, 4, 64].map(log2_256ths), [0, 256, 384, 512, 1536]);
    }
}
