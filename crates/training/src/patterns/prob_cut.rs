//! The errors of shallow searches of Othello, which Multi-ProbCut needs: how far their scores are from those of deeper
//! searches of the same positions.

use alfil_evaluation::nets;
use alfil_evaluation::othello::{PatternEval, PatternWeights, regressed_deviation, shallow_depth};
use alfil_kernel::{GameHistory, Position as _, SearchControl, SearchInfo, Side, Waivers};
use alfil_othello::Bitboard;
use alfil_othello::moves::Move;
use alfil_othello::rules::Ruleset;
use alfil_search::{SearchParams, SearchRequest, Worker};
use std::sync::Arc;

use super::{Sample, TestSet};
use crate::TrainingError;
use alfil_engine::threads;

/// The least number of empty squares of a position beyond the depth of its search.
const MIN_EMPTIES_LEFT: u32 = 2;

/// The size of the transposition table of a search, in MiB.
const TABLE_MIB: usize = 16;

/// The number of empty squares that a group of positions spans.
const GROUP_EMPTIES: u32 = 6;

/// The least number of positions of a group.
const MIN_GROUP: usize = 20;

/// The differences between deep and shallow searches of similar positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutGroup {
    /// The depth of the deep search, in plies.
    pub deep: u32,
    /// The depth of the shallow search, in plies.
    pub shallow: u32,
    /// The mean number of empty squares.
    pub empties: f64,
    /// The number of positions.
    pub positions: usize,
    /// The mean of the difference: the score of the deep search minus that of the shallow one, in discs.
    pub mean: f64,
    /// The deviation from the shallow score: the root mean square of the same difference, in discs. The mean is not
    /// subtracted, so that it counts as an error, too.
    pub deviation: f64,
}

/// The measured errors of shallow searches.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbCutErrors {
    /// The groups of positions.
    pub groups: Vec<ProbCutGroup>,
    /// The regression of [`ProbCutGroup::deviation`]: a constant, and the change for a ply of the deep search, for a
    /// ply of the shallow one and for an empty square.
    pub regression: [f64; 4],
}

impl ProbCutErrors {
    /// Returns the root mean square of the difference by the regression, in discs.
    pub fn regressed_deviation(&self, group: &ProbCutGroup) -> f64 {
        let &ProbCutGroup { deep, shallow, empties, .. } = group;
        regressed_deviation(self.regression, [deep.into(), shallow.into(), empties])
    }
}

/// Searches up to `count` positions of a test set to each depth up to `max_depth` by the built-in weights, without
/// reductions of late moves and of nodes without a hash move, and without Multi-ProbCut, and compares the scores. From
/// depth 7 on, singular extensions remain. `report` is called with the number of positions that are done and of all.
///
/// # Errors
/// If the positions are too few for a regression.
pub fn prob_cut_errors(
    test_set: &TestSet,
    (count, max_depth): (usize, u32),
    thread_count: usize,
    mut report: impl FnMut(usize, usize),
) -> Result<ProbCutErrors, TrainingError> {
    let weights = &nets::othello();
    let min_empties = max_depth + MIN_EMPTIES_LEFT;
    let is_usable = |sample: &&Sample| sample.empties() >= min_empties;
    let samples: Vec<_> = test_set.samples.iter().filter(is_usable).take(count).copied().collect();
    let mut searched = Vec::with_capacity(samples.len());
    for part in samples.chunks(16) {
        let scores = threads::parallel_map(part, thread_count, |sample| scores(sample, weights, max_depth));
        searched.extend(part.iter().map(Sample::empties).zip(scores));
        report(searched.len(), samples.len());
    }
    let groups = groups(&searched, max_depth);
    match regression(&groups) {
        Some(regression) => Ok(ProbCutErrors { groups, regression }),
        None => Err(TrainingError::TooFewPositions {
            found: searched.len(),
            min_empties,
            min_group: MIN_GROUP,
            range: GROUP_EMPTIES,
        }),
    }
}

/// Returns the groups of positions, each of which has its number of empty squares and its scores by depth.
fn groups(searched: &[(u32, Vec<Option<f64>>)], max_depth: u32) -> Vec<ProbCutGroup> {
    let mut groups = Vec::new();
    for deep in 3..=max_depth {
        let shallow = shallow_depth(deep as i32) as u32;
        for first in (0..64).step_by(GROUP_EMPTIES as usize) {
            let differences: Vec<_> = searched
                .iter()
                .filter(|(empties, _)| (first..first + GROUP_EMPTIES).contains(empties))
                .filter_map(|(empties, scores)| {
                    let score = |depth: u32| scores.get(depth as usize).copied().flatten();
                    Some((f64::from(*empties), score(deep)? - score(shallow)?))
                })
                .collect();
            if differences.len() >= MIN_GROUP {
                groups.push(group(deep, shallow, &differences));
            }
        }
    }
    groups
}

/// Returns the group of some positions, each with its empty squares and the difference of its scores.
fn group(deep: u32, shallow: u32, differences: &[(f64, f64)]) -> ProbCutGroup {
    let count = differences.len() as f64;
    let mean_of = |value: &dyn Fn(&(f64, f64)) -> f64| differences.iter().map(value).sum::<f64>() / count;
    ProbCutGroup {
        deep,
        shallow,
        empties: mean_of(&|(empties, _)| *empties),
        positions: differences.len(),
        mean: mean_of(&|(_, difference)| *difference),
        deviation: mean_of(&|(_, difference)| difference * difference).sqrt(),
    }
}

/// Records the score of each iteration, in discs.
struct ScoresByDepth(Vec<Option<f64>>);

impl SearchControl<Move> for ScoresByDepth {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.resize(self.0.len().max(info.depth as usize + 1), None);
        self.0[info.depth as usize] = Some(f64::from(info.score.value()) / 100.0);
    }
}

/// Returns the score of a position by depth.
fn scores(sample: &Sample, weights: &Arc<PatternWeights>, max_depth: u32) -> Vec<Option<f64>> {
    let board = Bitboard::new(sample.own, sample.other, Side::First);
    let game = GameHistory::<Bitboard>::new(&board.to_setup(), &Waivers::All).expect("all issues are waived");
    let eval = PatternEval::new(Arc::clone(weights)).without_prob_cut();
    let params = SearchParams { lmr_min_depth: i32::MAX, iir_min_depth: i32::MAX, ..SearchParams::DEFAULT };
    let mut worker = Worker::new(game, Ruleset::STANDARD, eval, TABLE_MIB).with_params(params);
    let mut control = ScoresByDepth(Vec::new());
    worker.search_with(&SearchRequest { max_depth, ..SearchRequest::default() }, &mut control);
    control.0
}

/// Returns the linear regression of the deviations, weighted by the positions of the groups, by the normal equations
/// and Gaussian elimination; `None` if the groups do not determine it.
fn regression(groups: &[ProbCutGroup]) -> Option<[f64; 4]> {
    let mut rows = [[0.0; 5]; 4];
    for group in groups {
        let inputs = [1.0, f64::from(group.deep), f64::from(group.shallow), group.empties];
        for (row, input) in rows.iter_mut().zip(inputs) {
            for (cell, factor) in row.iter_mut().zip(inputs.into_iter().chain([group.deviation])) {
                *cell += group.positions as f64 * input * factor;
            }
        }
    }
    let diagonal: [f64; 4] = core::array::from_fn(|index| rows[index][index]);
    for pivot in 0..4 {
        let pivot_row = rows[pivot];
        // Of an input that hardly varies apart from the ones before it, little is left on the diagonal.
        if pivot_row[pivot] <= 1e-4 * diagonal[pivot] {
            return None;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            if index != pivot {
                let factor = row[pivot] / pivot_row[pivot];
                row.iter_mut().zip(pivot_row).for_each(|(cell, other)| *cell -= factor * other);
            }
        }
    }
    Some(core::array::from_fn(|index| rows[index][4] / rows[index][index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regression_finds_a_linear_deviation() {
        let mut groups = Vec::new();
        for deep in 3..10 {
            for shallow in 1..deep {
                for empties in [20.0, 31.0, 44.0] {
                    let deviation = 2.0 + 0.3 * f64::from(deep) - 0.4 * f64::from(shallow) - 0.01 * empties;
                    groups.push(ProbCutGroup { deep, shallow, empties, positions: 5, mean: 0.0, deviation });
                }
            }
        }
        for (found, expected) in regression(&groups).unwrap().into_iter().zip([2.0, 0.3, -0.4, -0.01]) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        groups.retain(|group| group.empties == 20.0);
        assert_eq!(regression(&groups), None);
        assert_eq!(regression(&[]), None);
    }

    #[test]
    fn equal_positions_make_a_group_for_each_depth_whose_deviation_is_the_mean() {
        let start = "---------------------------OX------XO---------------------------".replace('O', "o");
        let start = start.replace('X', "O").replace('o', "X");
        let text = format!("{start} 0\n").repeat(MIN_GROUP);
        let set = TestSet::parse(&text).unwrap();
        let searched = vec![(60, scores(&set.samples[0], &nets::othello(), 4)); MIN_GROUP];
        let groups = groups(&searched, 4);
        assert_eq!(
            groups.iter().map(|group| (group.deep, group.shallow)).collect::<Vec<_>>(),
            [(3, 1), (4, 2)]
        );
        for group in &groups {
            assert_eq!(group.positions, MIN_GROUP);
            assert!((group.mean.abs() - group.deviation).abs() < 1e-9, "the positions are equal: {group:?}");
        }
        // They determine no regression.
        let error = prob_cut_errors(&set, (MIN_GROUP, 4), 2, |_, _| {}).unwrap_err();
        let (found, min_empties) = (MIN_GROUP, 6);
        let expected =
            TrainingError::TooFewPositions { found, min_empties, min_group: MIN_GROUP, range: GROUP_EMPTIES };
        assert_eq!(error, expected);
    }
}
