//! The shallow searches of Multi-ProbCut (M. Buro, "ProbCut: an effective selective extension of the alpha-beta
//! algorithm", 1995, and "Experiments with Multi-ProbCut", 1997). `alfil train othello --kind prob-cut` measures the
//! errors of shallow searches.

use alfil_kernel::ProbCut;

/// The least depth of a node that is cut, in plies.
const MIN_DEPTH: i32 = 3;

/// The margin, as a multiple of the regressed root mean square.
const MARGIN_DEVIATIONS: f64 = 1.1;

/// The coefficients of the regression of the root mean square difference between a deep and a shallow search, in discs
/// (see [`regressed_deviation`]), over 1,500 positions of games that no weight was fitted to, with 11 to 50 empty
/// squares and searches to depth 9.
const REGRESSION: [f64; 4] = [5.075, 0.4573, -0.7692, -0.0859];

/// Returns the depth of the shallow search for a deep one: about half of it, and of the same parity, as scores of even
/// and odd depths differ by the move that a side has more.
pub const fn shallow_depth(deep: i32) -> i32 {
    let half = deep / 2;
    let shallow = if half % 2 == deep % 2 { half } else { half - 1 };
    if shallow < 1 { deep % 2 } else { shallow }
}

/// Returns the deviation in discs by a regression: a constant, and the change for a ply of the deep search, for a ply
/// of the shallow one and for an empty square. `values` are the depths of both searches and the number of empty
/// squares.
pub fn regressed_deviation(regression: [f64; 4], values: [f64; 3]) -> f64 {
    let [constant, changes @ ..] = regression;
    changes.iter().zip(values).fold(constant, |sum, (change, value)| sum + change * value)
}

/// Returns the shallow search for a node of this depth; `None` below `MIN_DEPTH`. The deviation counts as at least half
/// a disc.
pub(super) fn prob_cut(depth: i32, empties: i32) -> Option<ProbCut> {
    if depth < MIN_DEPTH {
        return None;
    }
    let shallow = shallow_depth(depth);
    let deviation = regressed_deviation(REGRESSION, [depth, shallow, empties].map(f64::from));
    Some(ProbCut { depth: shallow, margin: (100.0 * MARGIN_DEVIATIONS * deviation.max(0.5)) as i32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_searches_have_the_parity_of_the_deep_ones_and_positive_margins() {
        for depth in MIN_DEPTH..60 {
            let probe = prob_cut(depth, 60 - depth).unwrap();
            assert!(
                probe.depth % 2 == depth % 2 && probe.depth >= 1 && 2 * probe.depth <= depth,
                "{probe:?}"
            );
            assert!(probe.margin >= 50, "{probe:?}");
        }
        assert_eq!(prob_cut(MIN_DEPTH - 1, 40), None);
    }
}
