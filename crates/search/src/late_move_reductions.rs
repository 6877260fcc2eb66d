//! Late move reductions: late moves are searched with less depth first, and again with full depth if they raise alpha.

use alfil_kernel::Score;

use crate::params::SearchParams;

/// Returns the binary logarithm in 256ths, linear between powers of two. Integers give the same result on every
/// machine.
fn log2_256ths(x: u32) -> i32 {
    let exponent = x.ilog2();
    ((exponent << 8) + ((x - (1 << exponent)) << 8 >> exponent)) as i32
}

/// The properties of a move on which its reduction depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReductionInput {
    /// The remaining depth of the node, in plies.
    pub(crate) depth: i32,
    /// The number of moves searched before it.
    pub(crate) move_count: usize,
    /// The history score; `None` for noisy moves.
    pub(crate) history: Option<i32>,
    /// The move gives check or evades one.
    pub(crate) is_check: bool,
    /// The node is a PV node.
    pub(crate) is_pv: bool,
    /// The static evaluation is better than two plies before.
    pub(crate) improving: bool,
    /// The node is an expected cut node.
    pub(crate) is_cut_node: bool,
}

impl ReductionInput {
    /// Returns the reduction in plies.
    pub(crate) fn reduction(&self, params: &SearchParams) -> i32 {
        if self.depth < params.lmr_min_depth
            || self.move_count < params.lmr_full_depth_moves as usize + usize::from(self.is_pv)
        {
            return 0;
        }
        let Some(history) = self.history else {
            // Noisy moves are ordered early; only losing captures come this late.
            return i32::from(!self.is_check && !self.is_pv);
        };
        // In 1024ths of a ply.
        let product = log2_256ths(self.depth as u32) * log2_256ths(self.move_count as u32 + 1) / 64;
        let mut reduction = params.lmr_base + product * params.lmr_log_factor / 1024;
        reduction += 1024 * (i32::from(!self.improving) + i32::from(self.is_cut_node));
        reduction -= 1024 * (i32::from(self.is_check) + i32::from(self.is_pv));
        reduction -= history * 1024 / params.lmr_history_divisor;
        (reduction / 1024).clamp(0, self.depth - 2)
    }
}

/// Returns the change in plies of the depth of the search that follows a reduced one with this score: deeper if it is
/// far above the best score so far, less deep if it is hardly above it.
pub(crate) fn depth_change(reduction: i32, score: Score, best: Score, params: &SearchParams) -> i32 {
    let is_deeper = params.lmr_deeper_margin > 0 && reduction > 1 && score > best + params.lmr_deeper_margin;
    let is_shallower = params.lmr_shallower_margin > 0 && score < best + params.lmr_shallower_margin;
    i32::from(is_deeper) - i32::from(is_shallower)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: ReductionInput = ReductionInput {
        depth: 8,
        move_count: 12,
        history: Some(0),
        is_check: false,
        is_pv: false,
        improving: true,
        is_cut_node: false,
    };

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more_but_keep_a_ply_of_depth() {
        let reduction = |depth, move_count| {
            ReductionInput { depth, move_count, ..INPUT }.reduction(&SearchParams::DEFAULT)
        };
        for depth in 1..60 {
            for move_count in 0..120 {
                assert!(reduction(depth, move_count) <= reduction(depth, move_count + 1));
                assert!(reduction(depth, move_count) <= reduction(depth + 1, move_count));
                assert!(reduction(depth, move_count) <= (depth - 2).max(0));
            }
        }
        assert_eq!(reduction(8, 1), 0, "the first moves are not reduced");
        assert!(reduction(8, 12) >= 2);
    }

    #[test]
    fn promising_moves_are_reduced_less() {
        let plain = INPUT.reduction(&SearchParams::DEFAULT);
        assert!(ReductionInput { is_check: true, ..INPUT }.reduction(&SearchParams::DEFAULT) < plain);
        assert!(ReductionInput { is_pv: true, ..INPUT }.reduction(&SearchParams::DEFAULT) < plain);
        assert!(
            ReductionInput { history: Some(SearchParams::DEFAULT.lmr_history_divisor), ..INPUT }
                .reduction(&SearchParams::DEFAULT)
                < plain
        );
        assert!(
            ReductionInput { history: Some(-SearchParams::DEFAULT.lmr_history_divisor), ..INPUT }
                .reduction(&SearchParams::DEFAULT)
                > plain
        );
        assert!(ReductionInput { is_cut_node: true, ..INPUT }.reduction(&SearchParams::DEFAULT) > plain);
    }

    #[test]
    fn the_score_of_a_reduced_search_changes_the_depth_of_the_next_one() {
        let params = SearchParams { lmr_deeper_margin: 40, lmr_shallower_margin: 8, ..SearchParams::DEFAULT };
        let change = |reduction, score: i32, params| {
            depth_change(reduction, Score::from_cp(score), Score::from_cp(100), params)
        };
        assert_eq!([101, 107, 108, 140, 141].map(|score| change(2, score, &params)), [-1, -1, 0, 0, 1]);
        assert_eq!(change(1, 200, &params), 0, "a reduction of a ply is no reason for a deeper search");
        let off = SearchParams { lmr_deeper_margin: 0, lmr_shallower_margin: 0, ..params };
        assert_eq!([101, 400].map(|score| change(3, score, &off)), [0, 0]);
    }

    #[test]
    fn log2_is_exact_at_powers_of_two() {
        assert_eq!([1, 2, 3, 4, 64].map(log2_256ths), [0, 256, 384, 512, 1536]);
    }
}
