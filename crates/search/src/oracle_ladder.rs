//! The oracle at the root: from selective searches to the end of the game, which may be wrong, to the exact one.
//!
//! An oracle that begins with the exact search is tried once. Another one is tried before every iteration from its
//! first depth on, with a limit of nodes, until its least sure search ends within it. Every search to the end of the
//! game is better than a deeper iteration, so from then on the oracle alone goes on, each time with more confidence.

use std::cmp::Reverse;

use alfil_kernel::{
    Bound, Confidence, MoveOf, Oracle, OracleResult, Position, Rules, SearchControl, SearchInfo,
};

use crate::root::RootLine;
use crate::search_evaluator::SearchEvaluator;
use crate::worker::{SearchRequest, SearchResult, Worker};

/// The number of plies that a search of several lines goes on before it tries the oracle, which then has to solve every
/// root move.
const MULTIPV_DELAY: u32 = 4;

/// The limit of a try, in nodes of the oracle for each node of the search before it: a node of a solver takes a tenth
/// of the time of one of the search, or less.
const ORACLE_NODES_PER_NODE: u64 = 4;

/// The limit of a try is at most the remaining nodes of the search by this divisor.
const REMAINING_NODES_DIVISOR: u64 = 4;

/// The requests of a search to its oracle.
#[derive(Debug)]
pub(crate) struct OracleLadder {
    confidences: &'static [Confidence],
    /// The depth of the iteration before which it is tried first.
    start_depth: u32,
    /// The number of lines to report.
    multipv: usize,
    /// The number of nodes at which the search is stopped, or after which it begins nothing new: the lower one.
    max_nodes: u64,
    /// The nodes that the oracle has visited.
    oracle_nodes: u64,
}

impl OracleLadder {
    /// Returns whether the oracle is tried before the iteration of this depth.
    pub(crate) fn is_due(&self, depth: u32) -> bool {
        match self.confidences.first() {
            Some(Confidence::Exact) => depth == self.start_depth,
            Some(Confidence::Selective(_)) => depth >= self.start_depth,
            None => false,
        }
    }

    /// Returns whether the oracle begins with the exact search.
    fn begins_exact(&self) -> bool {
        self.confidences.first() == Some(&Confidence::Exact)
    }

    /// Returns the number of nodes with which a try must end after this number of nodes of search and oracle.
    fn node_limit(&self, visited: u64) -> u64 {
        if self.begins_exact() {
            return u64::MAX;
        }
        let by_search = ORACLE_NODES_PER_NODE * (visited - self.oracle_nodes);
        visited + by_search.min(self.max_nodes.saturating_sub(visited) / REMAINING_NODES_DIVISOR)
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns what a search requests of its oracle. In a search of limited depth these are selective searches only if
    /// its depth reaches the end of the game: such a request without another limit goes on to the exact search, however
    /// long it takes.
    pub(crate) fn oracle_ladder(
        &self,
        request: &SearchRequest<MoveOf<P>>,
        has_all_moves: bool,
        multipv: usize,
    ) -> OracleLadder {
        let position = self.game.position();
        let is_allowed = |confidence: Confidence| {
            confidence == Confidence::Exact || request.max_depth >= self.oracle.max_plies(position)
        };
        let mut confidences = self.oracle.confidences(position);
        if !request.use_solver
            || !has_all_moves
            || !confidences.first().is_some_and(|&first| is_allowed(first))
        {
            confidences = &[];
        }
        OracleLadder {
            confidences,
            start_depth: self.oracle.start_depth(position) + if multipv > 1 { MULTIPV_DELAY } else { 0 },
            multipv,
            max_nodes: request.max_nodes.min(request.soft_nodes),
            oracle_nodes: 0,
        }
    }

    /// Tries the oracle and returns the surest result that it has found; `None` if it was stopped before the first. Its
    /// positions count as visited in any case.
    pub(crate) fn climb<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ladder: &mut OracleLadder,
        root_moves: &[MoveOf<P>],
        lines: &[RootLine<MoveOf<P>>],
        control: &mut C,
    ) -> Option<SearchResult<MoveOf<P>>> {
        let nodes_before = self.visited_nodes();
        let mut node_limit = ladder.node_limit(nodes_before);
        let mut best: Option<Vec<RootLine<MoveOf<P>>>> = None;
        for &confidence in ladder.confidences {
            if best.is_some() && self.visited_nodes() >= ladder.max_nodes {
                break;
            }
            let mut control = OracleControl {
                node_limit,
                // A selective search ends soon, often for the next iteration, and its bounds may be odd numbers of
                // discs, which no score of a finished game is.
                passes_bounds: ladder.multipv == 1 && ladder.begins_exact(),
                ..OracleControl::new(self.visited_nodes(), control)
            };
            let solved = match ladder.multipv {
                1 => self.solve_root(confidence, lines, &mut control),
                _ => self.solve_root_moves(confidence, root_moves, &mut control),
            };
            let (nodes, has_reported) = (control.nodes, control.has_reported);
            self.set_visited_nodes(nodes);
            let Some(mut solved) = solved else {
                // The lines before the bounds of the oracle are the last ones again.
                if has_reported {
                    self.report_lines(lines, control.control);
                }
                break;
            };
            solved.truncate(ladder.multipv);
            self.report_lines(&solved, control.control);
            let is_exact = solved.iter().all(|line| line.confidence == Some(Confidence::Exact));
            best = Some(solved);
            if is_exact {
                break;
            }
            node_limit = u64::MAX;
        }
        ladder.oracle_nodes += self.visited_nodes() - nodes_before;
        let best = best?;
        let RootLine { score, depth, .. } = best[0];
        Some(SearchResult { mv: best[0].first_move(), score, depth, nodes: self.visited_nodes() })
    }

    /// Solves the root; `None` if the oracle was stopped.
    fn solve_root<C: SearchControl<MoveOf<P>>>(
        &mut self,
        confidence: Confidence,
        lines: &[RootLine<MoveOf<P>>],
        control: &mut OracleControl<'_, MoveOf<P>, C>,
    ) -> Option<Vec<RootLine<MoveOf<P>>>> {
        let result = self.oracle.solve(self.game.position(), confidence, control)?;
        let mut line = control.take_line(result);
        if line.pv.is_empty() {
            line.pv.extend(lines.first().and_then(RootLine::first_move));
        }
        Some(vec![line])
    }

    /// Solves the position after every root move; `None` if the oracle was stopped. The lines stand in the order of
    /// their scores.
    fn solve_root_moves<C: SearchControl<MoveOf<P>>>(
        &mut self,
        confidence: Confidence,
        root_moves: &[MoveOf<P>],
        control: &mut OracleControl<'_, MoveOf<P>, C>,
    ) -> Option<Vec<RootLine<MoveOf<P>>>> {
        let mut lines = Vec::with_capacity(root_moves.len());
        for &mv in root_moves {
            let mut position = self.game.position().clone();
            position.make_without_undo(mv);
            control.nodes_before = control.nodes;
            let result = self.oracle.solve(&position, confidence, control)?;
            let mut line = control.take_line(result);
            line.pv.insert(0, mv);
            let depth = line.depth + 1;
            lines.push(RootLine { score: -line.score, depth, seldepth: depth, ..line });
        }
        // The sort is stable: of equal moves the first one stays first.
        lines.sort_by_key(|line| Reverse(line.score));
        Some(lines)
    }
}

/// The control of an oracle: it adds the nodes of the search, and keeps the line of the solution.
struct OracleControl<'a, M, C> {
    control: &'a mut C,
    nodes_before: u64,
    nodes: u64,
    node_limit: u64,
    /// Whether bounds of the score are reported.
    passes_bounds: bool,
    has_reported: bool,
    /// The moves of the last line with a score that is no bound.
    pv: Vec<M>,
}

impl<'a, M: Copy, C> OracleControl<'a, M, C> {
    fn new(nodes: u64, control: &'a mut C) -> Self {
        let (pv, node_limit) = (Vec::new(), u64::MAX);
        let (passes_bounds, has_reported) = (false, false);
        OracleControl { control, nodes_before: nodes, nodes, node_limit, passes_bounds, has_reported, pv }
    }

    /// Returns the line of a result.
    fn take_line(&mut self, result: OracleResult<M>) -> RootLine<M> {
        let OracleResult { score, mv, depth, confidence } = result;
        let mut pv = std::mem::take(&mut self.pv);
        if pv.is_empty() {
            pv.extend(mv);
        }
        RootLine { score, bound: Bound::Exact, depth, seldepth: depth, pv, confidence: Some(confidence) }
    }
}

impl<M: Copy, C: SearchControl<M>> SearchControl<M> for OracleControl<'_, M, C> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.nodes = self.nodes_before + nodes;
        self.nodes >= self.node_limit || self.control.is_stopped(self.nodes)
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        self.nodes = self.nodes.max(self.nodes_before + info.nodes);
        match (info.bound, info.pv) {
            // A finished move that improves nothing is no line of the search.
            (_, []) => {}
            (Bound::Exact, pv) => self.pv = pv.to_vec(),
            (_, _) if self.passes_bounds => {
                self.has_reported = true;
                self.control.report(&SearchInfo { nodes: self.nodes_before + info.nodes, ..*info });
            }
            _ => {}
        }
    }
}
