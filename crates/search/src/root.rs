//! The root of a search: iterative deepening and the best lines with their reports.
//!
//! The lines of an iteration are reported together, the best first. A stopped iteration is reported too if it has
//! scored a move. The move of a search is therefore always the first move of the first line in its last report.

use core::cmp::Reverse;

use alfil_kernel::{Bound, Confidence, MoveOf, Oracle, Position, Rules, Score, SearchControl, SearchInfo};

use crate::mate::{MateAnswer, MateSearch};
use crate::params::MAX_PLY;
use crate::search_evaluator::SearchEvaluator;
use crate::worker::{SearchRequest, SearchResult, Worker};

/// The least number of nodes for a mate after each iteration.
const MIN_MATE_NODES: u64 = 10_000;

/// The depth of the answer if there is no mate.
const DEPTH_WITHOUT_MATE: u32 = 8;

/// A principal variation of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootLine<M> {
    pub(crate) score: Score,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
    /// The depth of its iteration, in plies.
    pub(crate) depth: u32,
    /// The deepest ply visited.
    pub(crate) seldepth: u32,
    /// The moves; empty if there is no root move.
    pub(crate) pv: Vec<M>,
    /// How sure the score is as that of the end of the game, from the oracle; `None` from the search.
    pub(crate) confidence: Option<Confidence>,
}

impl<M: Copy> RootLine<M> {
    pub(crate) fn first_move(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Searches with iterative deepening up to `depth` plies, until the control stops it or a forced end is found. It
    /// reports each completed iteration and what a stopped one has found, and returns a legal move if there is one,
    /// however early it is stopped.
    pub fn search<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: u32,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.search_with(&SearchRequest { max_depth: depth, ..SearchRequest::default() }, control)
    }

    /// Searches a request: see [`Worker::search`]. The variations of a MultiPV search are reported in the order of
    /// their scores, and the first one begins with the move of the result. The result has a move unless the request
    /// allows no legal one. At least one root move is scored before a stop request is obeyed.
    pub fn search_with<C: SearchControl<MoveOf<P>>>(
        &mut self,
        request: &SearchRequest<MoveOf<P>>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.start_search();
        let legal = self.sorted_legal_moves();
        let root_moves = self.allowed_moves(&legal, request);
        if root_moves.is_empty() {
            return self.report_without_moves(control);
        }
        let multipv = request.multipv.clamp(1, root_moves.len());
        let has_all_moves = root_moves.len() == legal.len();
        let mut ladder = self.oracle_ladder(request, has_all_moves, multipv);
        let mut mates = (request.mate_in_moves > 0).then(|| MateSearch::new(request.mate_in_moves));
        let (mut lines, mut completed_depth) = (Vec::new(), 0);
        // The scores of the lines of the last iterations, the latest first.
        let mut scores: [Vec<Score>; 4] = Default::default();
        for depth in request.start_depth.max(1)..=request.max_depth.clamp(1, MAX_PLY as u32 - 1) {
            if ladder.is_due(depth)
                && let Some(result) = self.climb(&mut ladder, &root_moves, &lines, control)
            {
                return result;
            }
            self.score_four_before = scores[3].first().copied();
            let expected = match &scores[self.params.aspiration_iterations_back as usize - 1][..] {
                [] => &scores[0],
                earlier => earlier,
            };
            if self.search_iteration(depth, &root_moves, multipv, expected, &mut lines, control).is_none() {
                break;
            }
            scores.rotate_right(1);
            scores[0] = lines.iter().map(|line| line.score).collect();
            completed_depth = depth;
            let is_decided = match &mut mates {
                Some(mates) => {
                    let Some(is_decided) = self.look_for_mate(mates, &root_moves, &mut lines, control) else {
                        break;
                    };
                    is_decided
                }
                // A forced end. Pruning may have hidden a shorter one, but hardly if the depth is twice its length.
                None => lines.iter().all(|line| is_decided_within(line.score, depth / 2)),
            };
            if is_decided || self.visited_nodes() >= request.soft_nodes {
                break;
            }
        }
        let (mv, score) = match lines.first() {
            Some(line) => {
                self.note_score(line.score);
                (line.first_move(), line.score)
            }
            None => (root_moves.first().copied(), Score::DRAW),
        };
        SearchResult { mv, score, depth: completed_depth, nodes: self.visited_nodes() }
    }

    /// Looks for the mate of the request, after an iteration and with as many nodes as the search has visited.
    /// Returns whether the search ends: a short enough mate is the first line, or there is none and the lines are of
    /// some depth. `None` means that the search was stopped.
    fn look_for_mate<C: SearchControl<MoveOf<P>>>(
        &mut self,
        mates: &mut MateSearch,
        root_moves: &[MoveOf<P>],
        lines: &mut Vec<RootLine<MoveOf<P>>>,
        control: &mut C,
    ) -> Option<bool> {
        if lines.first().is_some_and(|line| mates.is_satisfied_by(line.score)) {
            return Some(true);
        }
        let nodes = self.visited_nodes().max(MIN_MATE_NODES);
        let MateAnswer::Mate(pv) = self.search_mates(mates, root_moves, nodes, control)? else {
            return Some(mates.is_refuted() && self.root_depth as u32 >= DEPTH_WITHOUT_MATE);
        };
        let (plies, seldepth) = (pv.len() as u32, self.seldepth());
        let score = Score::mate_in(plies);
        let line = RootLine { score, bound: Bound::Exact, depth: plies, seldepth, pv, confidence: None };
        self.report_line(1, &line, control);
        lines.insert(0, line);
        Some(true)
    }

    /// Returns the root moves of a request: the legal moves that it allows and that the ruleset does not refuse.
    pub(crate) fn allowed_moves(
        &self,
        legal: &[MoveOf<P>],
        request: &SearchRequest<MoveOf<P>>,
    ) -> Vec<MoveOf<P>> {
        let refused = self.rules.refused_moves(&self.game);
        let is_refused = |mv| refused.iter().any(|refused| refused.mv == mv);
        legal.iter().copied().filter(|&mv| request.is_allowed(mv) && !is_refused(mv)).collect()
    }

    /// Reports the score of a position whose root moves are none: that of the finished game, or the static evaluation
    /// if the request excludes all legal moves, or the ruleset refuses the rest.
    pub(crate) fn report_without_moves<C: SearchControl<MoveOf<P>>>(
        &mut self,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let score = match self.sorted_legal_moves().is_empty() {
            true => self.no_legal_move_score(0),
            false => self.eval.score(self.game.position()),
        };
        let line =
            RootLine { score, bound: Bound::Exact, depth: 0, seldepth: 0, pv: Vec::new(), confidence: None };
        self.report_line(1, &line, control);
        SearchResult { mv: None, score, depth: 0, nodes: 0 }
    }

    /// Searches one iteration, the variations in turn, each around its expected score and without the first moves of
    /// the earlier ones; replaces `lines` by its lines and reports them. `None` means that the search was stopped: then
    /// the lines that it has found are completed by those of the last iteration.
    fn search_iteration<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: u32,
        root_moves: &[MoveOf<P>],
        multipv: usize,
        expected: &[Score],
        lines: &mut Vec<RootLine<MoveOf<P>>>,
        control: &mut C,
    ) -> Option<()> {
        self.root_depth = depth as usize;
        self.root_moves.clear();
        self.root_moves.extend_from_slice(root_moves);
        let mut found: Vec<RootLine<MoveOf<P>>> = Vec::with_capacity(multipv);
        let mut completed = Some(());
        // No move outside the completed variations has a higher score at this depth.
        let mut upper_bound = Score::INFINITE;
        for rank in 0..multipv {
            self.all_root_moves = rank == 0 && root_moves.len() == self.sorted_legal_moves().len();
            let expected = expected.get(rank).copied().unwrap_or(Score::DRAW);
            let score = self.search_root_line(depth, expected, control);
            found.extend(self.root_line.take());
            let Some(score) = score else {
                completed = None;
                break;
            };
            upper_bound = score;
            let first = found.last().and_then(RootLine::first_move);
            self.root_moves.retain(|&mv| Some(mv) != first);
        }
        if found.is_empty() {
            return completed;
        }
        if completed.is_none() {
            add_earlier_lines(&mut found, lines.drain(..), upper_bound, self.all_root_moves);
        }
        // The sort is stable: of equal lines the one that was found first stays first.
        found.sort_by_key(|line| Reverse(line.score));
        found.truncate(multipv);
        *lines = found;
        self.note_best_move(lines[0].first_move());
        self.report_lines(lines, control);
        completed
    }

    /// Searches the best line of the root moves; `root_line` is then the best line found so far. `None` means that the
    /// search was stopped.
    pub(crate) fn search_root_line<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: u32,
        expected: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.root_line = None;
        self.reset_seldepth();
        self.aspiration_search(depth as i32, expected, control)
    }

    /// Saves the principal variation of the root after a move has raised alpha.
    pub(crate) fn save_root_line(&mut self, score: Score, beta: Score) {
        self.has_scored_root_move = true;
        self.root_line = Some(RootLine {
            score,
            bound: if score >= beta { Bound::Lower } else { Bound::Exact },
            depth: self.root_depth as u32,
            seldepth: self.seldepth(),
            pv: self.pv_table[0].clone(),
            confidence: None,
        });
    }

    /// Reports the lines, the best first.
    pub(crate) fn report_lines<C: SearchControl<MoveOf<P>>>(
        &self,
        lines: &[RootLine<MoveOf<P>>],
        control: &mut C,
    ) {
        for (rank, line) in (1..).zip(lines) {
            self.report_line(rank, line, control);
        }
    }

    /// Reports a line with its rank among several, from 1.
    pub(crate) fn report_line<C: SearchControl<MoveOf<P>>>(
        &self,
        rank: u32,
        line: &RootLine<MoveOf<P>>,
        control: &mut C,
    ) {
        control.report(&SearchInfo {
            depth: line.depth,
            seldepth: line.seldepth,
            score: line.score,
            bound: line.bound,
            nodes: self.visited_nodes(),
            pv: &line.pv,
            multipv: rank,
            hashfull: self.table.hashfull(),
            best_move_effort_permille: self.effort_permille(line.first_move()),
            best_move_stability: self.best_move_stability(),
            score_fall_cp: self.score_fall_cp(line.score),
            // An oracle has finished all of them.
            root_moves_done: line.confidence.map(|_| self.sorted_legal_moves().len() as u32),
            confidence: line.confidence,
        });
    }
}

/// Adds the lines of the last iteration to those that a stopped one has found. The score of no other move is above
/// `upper_bound` at the new depth; it is infinite if not even the best move is known there.
fn add_earlier_lines<M: Copy + PartialEq>(
    found: &mut Vec<RootLine<M>>,
    earlier: impl Iterator<Item = RootLine<M>>,
    upper_bound: Score,
    is_best_first: bool,
) {
    // The table has the best move of the last iteration, so it is searched first, if all root moves are searched. If
    // another one has replaced it, it is worse at the new depth, whatever its score was before.
    let best_bound = match &found[..] {
        [only] if is_best_first => only.score.min(upper_bound),
        _ => upper_bound,
    };
    for (rank, line) in earlier.enumerate() {
        if found.iter().all(|new| new.first_move() != line.first_move()) {
            found.push(line.bounded(if rank == 0 { best_bound } else { upper_bound }));
        }
    }
}

impl<M> RootLine<M> {
    /// Returns the line with a score of at most `upper_bound`.
    fn bounded(self, upper_bound: Score) -> Self {
        match self.score > upper_bound {
            true => RootLine { score: upper_bound, bound: Bound::Upper, ..self },
            false => self,
        }
    }
}

/// Returns whether the score is a forced win or loss within `depth` plies.
pub(crate) fn is_decided_within(score: Score, depth: u32) -> bool {
    score.plies_to_end().is_some_and(|plies| plies <= depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[(char, i32)]) -> Vec<RootLine<char>> {
        let line = |&(mv, centipawns): &(char, i32)| RootLine {
            score: Score::from_cp(centipawns),
            bound: Bound::Exact,
            depth: 9,
            seldepth: 9,
            pv: vec![mv],
            confidence: None,
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_move_that_has_replaced_the_best_one_comes_first_after_a_stop() {
        let merged = |found: &[(char, i32)], earlier: &[(char, i32)], bound: Option<i32>| {
            let mut found = lines(found);
            let bound = bound.map_or(Score::INFINITE, Score::from_cp);
            add_earlier_lines(&mut found, lines(earlier).into_iter(), bound, true);
            found.sort_by_key(|line| Reverse(line.score));
            found.iter().map(|line| (line.pv[0], line.score, line.bound)).collect::<Vec<_>>()
        };
        let cp = Score::from_cp;
        // The score of the best move has dropped, and another one is better than it is now.
        let expected = [('b', cp(30), Bound::Exact), ('a', cp(30), Bound::Upper)];
        assert_eq!(merged(&[('b', 30)], &[('a', 100)], None), expected);
        // Where it need not have been searched first, nothing is known of it.
        let mut found = lines(&[('b', 30)]);
        add_earlier_lines(&mut found, lines(&[('a', 100)]).into_iter(), Score::INFINITE, false);
        assert_eq!((found[1].score, found[1].bound), (cp(100), Bound::Exact));
        // A better one than before.
        assert_eq!(merged(&[('b', 130)], &[('a', 100)], None)[1], ('a', cp(100), Bound::Exact));
        // The same move.
        assert_eq!(merged(&[('a', 30)], &[('a', 100)], None), [('a', cp(30), Bound::Exact)]);
        // Of several lines, those that were not searched again keep their scores, below those that were.
        let expected =
            [('b', cp(30), Bound::Exact), ('a', cp(30), Bound::Upper), ('c', cp(20), Bound::Exact)];
        assert_eq!(merged(&[('b', 30)], &[('a', 100), ('c', 20)], Some(30)), expected);
    }
}
