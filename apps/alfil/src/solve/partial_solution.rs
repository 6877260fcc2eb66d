//! What is known of a position while it is being solved.

use std::fmt;

use alfil_engine::SearchEvent;
use alfil_kernel::Bound;
use alfil_session::SearchReport;
use serde_json::{Value, json};

/// What is known of a position that is not solved yet.
#[derive(Clone, Debug, Default)]
pub(super) struct PartialSolution {
    pub(super) empty_squares: usize,
    /// The number of legal moves.
    pub(super) moves: usize,
    /// The number of moves that the current iteration has finished.
    pub(super) moves_done: usize,
    at_least: Option<i32>,
    at_most: Option<i32>,
    best: Option<String>,
    /// The moves whose scores are known so far, the best first; empty unless the score of every move is wanted.
    move_scores: Vec<(String, i32)>,
    nodes: u64,
    seconds: f64,
}

impl PartialSolution {
    pub(super) fn new(empty_squares: usize, moves: usize) -> PartialSolution {
        PartialSolution { empty_squares, moves, ..PartialSolution::default() }
    }

    /// Takes over a report of the solver.
    pub(super) fn update(&mut self, event: &SearchEvent, scores_all_moves: bool) {
        let SearchEvent::Info {
            report: SearchReport { score, bound, nodes, pv, root_moves_done, multipv, .. },
            seconds,
        } = event
        else {
            return;
        };
        // Scores of a search are hundredths of a disc.
        let score = score / 100;
        (self.nodes, self.seconds) = (*nodes, *seconds);
        self.moves_done = root_moves_done.map_or(self.moves_done, |done| done as usize);
        match (bound, pv.first()) {
            (Bound::Upper, _) => self.at_most = Some(self.at_most.map_or(score, |most| most.min(score))),
            // A finished move that improves nothing.
            (_, None) => {}
            (Bound::Lower, Some(mv)) => {
                if self.at_least.is_none_or(|least| least < score) {
                    (self.at_least, self.best) = (Some(score), Some(mv.clone()));
                }
            }
            (Bound::Exact, Some(mv)) if scores_all_moves => {
                let rank = (*multipv as usize - 1).min(self.move_scores.len());
                self.move_scores.insert(rank, (mv.clone(), score));
                self.moves_done = self.move_scores.len();
            }
            (Bound::Exact, Some(mv)) => {
                (self.at_least, self.at_most, self.best) = (Some(score), Some(score), Some(mv.clone()));
            }
        }
    }

    /// Formats what is known for people, beside a progress bar.
    pub(super) fn progress_message(&self) -> String {
        let speed = match self.nodes {
            0 => String::new(),
            nodes => format!(", {:.1} million nodes/s", nodes as f64 / self.seconds.max(1e-3) / 1e6),
        };
        format!("{} empty squares: {self}{speed}", self.empty_squares)
    }

    /// Formats what is known when the solver is interrupted after so many seconds.
    pub(super) fn partial_result(&self, json: bool, seconds: f64) -> String {
        if json {
            let mut object = json!({
                "score": null, "at_least": self.at_least, "at_most": self.at_most, "best": self.best,
                "nodes": (self.nodes > 0).then_some(self.nodes), "moves_done": self.moves_done,
                "moves": self.moves, "seconds": seconds, "interrupted": true,
            });
            if !self.move_scores.is_empty() {
                object["move_scores"] = json_of_move_scores(&self.move_scores);
            }
            return object.to_string();
        }
        if self.at_least.is_none() && self.at_most.is_none() && self.move_scores.is_empty() {
            let empty_squares = self.empty_squares;
            return format!("not solved: {empty_squares} empty squares, no bound after {seconds:.1} s");
        }
        format!("{self}, {} nodes, {seconds:.1} s", self.nodes)
    }
}

impl fmt::Display for PartialSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.move_scores.is_empty() {
            for (mv, score) in &self.move_scores {
                write!(f, "{mv} {score:+}, ")?;
            }
        } else {
            match (self.at_least, self.at_most) {
                (Some(least), Some(most)) => write!(f, "at least {least:+}, at most {most:+}, ")?,
                (Some(least), None) => write!(f, "at least {least:+}, ")?,
                (None, Some(most)) => write!(f, "at most {most:+}, ")?,
                (None, None) => write!(f, "no bound, ")?,
            }
            if let Some(best) = &self.best {
                write!(f, "best {best}, ")?;
            }
        }
        write!(f, "{} of {} moves done", self.moves_done, self.moves)
    }
}

/// Returns the scores of moves as JSON.
pub(super) fn json_of_move_scores(scores: &[(String, i32)]) -> Value {
    scores.iter().map(|(mv, score)| json!({ "move": mv, "score": score })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(bound: Bound, discs: i32, pv: &[&str], done: u32, rank: u32) -> SearchEvent {
        SearchEvent::Info {
            report: SearchReport {
                multipv: rank,
                depth: 20,
                seldepth: 20,
                score: 100 * discs,
                bound,
                nodes: 4_000_000,
                pv: pv.iter().map(|&mv| mv.to_owned()).collect(),
                root_moves_done: Some(done),
                ..SearchReport::default()
            },
            seconds: 2.0,
        }
    }

    #[test]
    fn bounds_only_become_narrower() {
        let mut known = PartialSolution::new(20, 9);
        assert_eq!(known.partial_result(false, 0.3), "not solved: 20 empty squares, no bound after 0.3 s");
        known.update(&report(Bound::Upper, 6, &[], 9, 1), false);
        known.update(&report(Bound::Lower, -64, &[], 1, 1), false);
        assert_eq!(known.to_string(), "at most +6, 1 of 9 moves done");
        known.update(&report(Bound::Lower, 2, &["f5"], 2, 1), false);
        known.update(&report(Bound::Lower, 0, &["c3"], 3, 1), false);
        assert_eq!(
            known.progress_message(),
            "20 empty squares: at least +2, at most +6, best f5, 3 of 9 moves done, 2.0 million nodes/s"
        );
        let object: Value = serde_json::from_str(&known.partial_result(true, 2.5)).unwrap();
        assert_eq!((&object["at_least"], &object["at_most"]), (&json!(2), &json!(6)));
        assert_eq!((&object["best"], &object["moves_done"]), (&json!("f5"), &json!(3)));
    }

    #[test]
    fn scored_moves_stand_in_order() {
        let mut known = PartialSolution::new(20, 3);
        known.update(&report(Bound::Lower, 2, &["f5"], 3, 1), true);
        known.update(&report(Bound::Exact, 2, &["f5", "d6"], 1, 1), true);
        known.update(&report(Bound::Exact, -4, &["c3"], 2, 2), true);
        known.update(&report(Bound::Exact, 0, &["e2"], 3, 2), true);
        assert_eq!(known.to_string(), "f5 +2, e2 +0, c3 -4, 3 of 3 moves done");
        let object: Value = serde_json::from_str(&known.partial_result(true, 2.5)).unwrap();
        assert_eq!(object["move_scores"][1], json!({ "move": "e2", "score": 0 }));
    }
}
