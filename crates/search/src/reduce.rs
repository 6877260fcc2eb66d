//! Late move reductions: moves that come late in a good order are first searched less deep, and again if that surprises.

use crate::params::{REDUCE_BASE, REDUCE_FIRST, REDUCE_HISTORY, REDUCE_MIN_DEPTH, REDUCE_SHARE};

/// The binary logarithm in 256ths, by straight lines between the powers of two: the same on every machine.
fn logarithm(x: u32) -> i32 {
    let whole = x.ilog2();
    ((whole << 8) + ((x - (1 << whole)) << 8 >> whole)) as i32
}

/// What is known of a move that may be reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    /// Depth left at the node, in plies.
    pub(crate) depth: i32,
    /// How many moves were tried before it.
    pub(crate) tried: usize,
    /// What the histories say for it; nothing for noisy moves.
    pub(crate) history: Option<i32>,
    /// It gives check or answers one.
    pub(crate) check: bool,
    /// The node's window is open: it may lie on the principal variation.
    pub(crate) open: bool,
    /// The node's side stands better than two plies before.
    pub(crate) improving: bool,
    /// The node is expected to be cut off by one of its first moves.
    pub(crate) cut: bool,
}

impl Late {
    /// By how many plies less deep it is searched first.
    pub(crate) fn reduction(&self) -> i32 {
        if self.depth < REDUCE_MIN_DEPTH || self.tried < REDUCE_FIRST + usize::from(self.open) {
            return 0;
        }
        let Some(history) = self.history else {
            // Noisy moves come first and are few; only those that lose material come this late.
            return i32::from(!self.check && !self.open);
        };
        // In 1024ths of a ply.
        let product = logarithm(self.depth as u32) * logarithm(self.tried as u32 + 1) / 64;
        let mut reduction = REDUCE_BASE + product * REDUCE_SHARE / 1024;
        reduction += 1024 * (i32::from(!self.improving) + i32::from(self.cut));
        reduction -= 1024 * (i32::from(self.check) + i32::from(self.open));
        reduction -= history * 1024 / REDUCE_HISTORY;
        (reduction / 1024).clamp(0, self.depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Late = Late {
        depth: 8,
        tried: 12,
        history: Some(0),
        check: false,
        open: false,
        improving: true,
        cut: false,
    };

    #[test]
    fn later_and_deeper_is_reduced_more_and_never_to_nothing() {
        let reduction = |depth, tried| Late { depth, tried, ..LATE }.reduction();
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
        let plain = LATE.reduction();
        assert!(Late { check: true, ..LATE }.reduction() < plain);
        assert!(Late { open: true, ..LATE }.reduction() < plain);
        assert!(Late { history: Some(REDUCE_HISTORY), ..LATE }.reduction() < plain);
        assert!(Late { history: Some(-REDUCE_HISTORY), ..LATE }.reduction() > plain);
        assert!(Late { cut: true, ..LATE }.reduction() > plain);
    }

    #[test]
    fn the_logarithm_meets_the_powers_of_two() {
        assert_eq!([1, 2, 3, 4, 64].map(logarithm), [0, 256, 384, 512, 1536]);
    }
}
