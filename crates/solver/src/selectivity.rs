//! The levels of selectivity: searches that skip subtrees whose bounds a shallow search makes likely (Multi-ProbCut,
//! M. Buro, "Experiments with Multi-ProbCut", 1997), and the exact search.
//!
//! The selective searches of a root leave good moves in the table and a score near the exact one, so that the exact
//! search needs fewer nodes and only a narrow window. They are results of their own, too, where the time does not allow
//! more, but never exact ones.

use alfil_kernel::Confidence;

/// How reliable a search is; the highest level is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(pub(crate) u8);

/// The selective levels: the percentage of normal errors that a margin holds, and the margin in standard deviations.
const SELECTIVE: [(u8, f64); 5] = [(73, 1.1), (87, 1.5), (95, 2.0), (98, 2.33), (99, 2.6)];

/// The levels that are searched before a higher one: 87 % and 98 %.
pub(crate) const PRELIMINARY_LEVELS: [Level; 2] = [Level(1), Level(3)];

/// The standard deviations of the differences between exact scores and pattern searches of 0 to 4 plies, in discs,
/// over 5,800 positions with 10 to 22 empty squares of games that no weight was fitted to. Measured with weights from
/// 6.5 million positions, which have errors a little greater than those built in.
const DEVIATIONS: [f64; 5] = [8.2, 7.6, 6.9, 6.5, 6.0];

/// The search that decides whether a node is cut.
pub(crate) struct ProbCutSearch {
    /// The depth of the search in plies.
    pub(crate) depth: u32,
    /// How far its score must be outside the window, in hundredths of a disc.
    pub(crate) margin: i32,
}

impl Level {
    /// The exact search.
    pub(crate) const EXACT: Level = Level(SELECTIVE.len() as u8);

    /// Returns the highest level that is not above a confidence; the lowest if all are.
    pub(crate) fn of(confidence: Confidence) -> Level {
        match confidence {
            Confidence::Exact => Level::EXACT,
            Confidence::Selective(percent) => {
                let count = SELECTIVE.iter().filter(|&&(level, _)| level <= percent).count();
                Level(count.saturating_sub(1) as u8)
            }
        }
    }

    /// Returns the confidence of a search of this level.
    pub(crate) fn confidence(self) -> Confidence {
        match SELECTIVE.get(usize::from(self.0)) {
            Some(&(percent, _)) => Confidence::Selective(percent),
            None => Confidence::Exact,
        }
    }

    /// Returns the search that may cut a node with so many empty squares; `None` if no such node is cut.
    pub(crate) fn prob_cut_search(self, empties: u32) -> Option<ProbCutSearch> {
        let (_, deviations) = SELECTIVE.get(usize::from(self.0))?;
        let depth = match empties {
            ..13 => return None,
            13..=15 => 2,
            16..=18 => 3,
            _ => 4,
        };
        Some(ProbCutSearch { depth, margin: (100.0 * deviations * DEVIATIONS[depth as usize]) as i32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_search_cuts_no_node_and_margins_grow_with_the_level() {
        assert!((0..=60).all(|empties| Level::EXACT.prob_cut_search(empties).is_none()));
        for empties in 13..=60 {
            let [low, high] = PRELIMINARY_LEVELS.map(|level| level.prob_cut_search(empties).unwrap());
            assert_eq!(low.depth, high.depth);
            assert!(0 < low.margin && low.margin < high.margin && low.depth < empties);
        }
        assert!(PRELIMINARY_LEVELS.is_sorted());
        assert!(PRELIMINARY_LEVELS.iter().all(|&level| level < Level::EXACT));
        for (percent, level) in [(1, 0), (73, 0), (94, 1), (95, 2), (99, 4), (120, 4)] {
            assert_eq!(Level::of(Confidence::Selective(percent)), Level(level));
        }
        for level in 0..=Level::EXACT.0 {
            assert_eq!(Level::of(Level(level).confidence()), Level(level));
            assert_eq!(Level(level).confidence() == Confidence::Exact, Level(level) == Level::EXACT);
        }
    }
}
