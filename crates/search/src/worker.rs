//! Whoever searches: a line, a rule book, an evaluation, a table, and what was learnt on the way.

use std::sync::Arc;

use alfil_kernel::{
    Bound, Evaluate, ExactResult, Game, GameHistory, Move, MoveList, MoveOf, Oracle, Outcome, Position,
    Rules, Score, SearchControl, SearchInfo, Verdict,
};

use crate::correction_history::CorrectionHistory;
use crate::move_history::MoveHistories;
use crate::move_picker::MovePicker;
use crate::node::StackEntry;
use crate::params::{MAX_PLY, MAX_STOP_CHECK_INTERVAL, SOLVER_START_DEPTH, STOP_CHECK_DIVISOR};
use crate::transposition_table::TranspositionTable;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The move to play; none where there is no legal move.
    pub mv: Option<M>,
    /// From the view of the side to move.
    pub score: Score,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// What is asked of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest<M> {
    /// The first iteration, in plies; 0 is taken as 1.
    pub start_depth: u32,
    /// The deepest iteration, in plies.
    pub max_depth: u32,
    /// How many best lines are wanted, each with another first move; 0 is taken as 1.
    pub multipv: usize,
    /// The only first moves to think about; none given means all.
    pub search_moves: Vec<M>,
    /// First moves not to think about.
    pub excluded_moves: Vec<M>,
    /// A solver may be asked, if the game has one: where one line from all moves is wanted.
    pub use_solver: bool,
}

impl<M> Default for SearchRequest<M> {
    /// One line, from all moves, until somebody says stop.
    fn default() -> Self {
        SearchRequest {
            start_depth: 1,
            max_depth: u32::MAX,
            multipv: 1,
            search_moves: Vec::new(),
            excluded_moves: Vec::new(),
            use_solver: true,
        }
    }
}

/// What a searcher learnt of moves and of its evaluation's errors: worth having in the next search, on the same game most of all.
#[derive(Clone, Debug)]
pub struct SearchHistories<M> {
    move_histories: MoveHistories<M>,
    correction_history: CorrectionHistory,
}

impl<M: Move> SearchHistories<M> {
    /// Nothing learnt yet of this game.
    pub fn new<G: Game<Move = M>>() -> Self {
        let histories = MoveHistories::new::<G>();
        let corrections = CorrectionHistory::new(histories.no_piece_to());
        SearchHistories { move_histories: histories, correction_history: corrections }
    }
}

impl<M: PartialEq> SearchRequest<M> {
    /// Whether it is asked about this first move.
    pub fn is_allowed(&self, mv: M) -> bool {
        (self.search_moves.is_empty() || self.search_moves.contains(&mv))
            && !self.excluded_moves.contains(&mv)
    }
}

/// A searcher. It owns a copy of the line, and gives it back as it was after every search.
#[derive(Debug)]
pub struct Worker<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P> = ()> {
    pub(crate) game: GameHistory<P>,
    pub(crate) rules: L,
    pub(crate) eval: E,
    oracle: O,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) move_histories: MoveHistories<MoveOf<P>>,
    pub(crate) correction_history: CorrectionHistory,
    /// One for each ply below the root, as are pickers and the moves tried in vain.
    pub(crate) stack: Vec<StackEntry<MoveOf<P>>>,
    pub(crate) pickers: Vec<MovePicker<MoveOf<P>>>,
    pub(crate) tried_moves: Vec<Vec<MoveOf<P>>>,
    /// The best line found from each ply on.
    pub(crate) pv_table: Vec<Vec<MoveOf<P>>>,
    /// The ply of the line at which the search began.
    pub(crate) root_ply: usize,
    /// The first moves that this iteration may try.
    pub(crate) root_moves: Vec<MoveOf<P>>,
    /// What was visited under each first move since the search began.
    pub(crate) root_nodes: Vec<(MoveOf<P>, u64)>,
    /// The first move of the best line, and for how many depths it has been that.
    best_move_stability: (Option<MoveOf<P>>, u32),
    /// These are all the first moves there are.
    pub(crate) all_root_moves: bool,
    /// The depth of this iteration, in plies.
    pub(crate) root_depth: usize,
    /// How often the road decided a score.
    pub(crate) rule_hits: u64,
    nodes: u64,
    /// At so many nodes `Control` is asked next.
    next_stop_check: u64,
    seldepth: usize,
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// A worker with a table of its own, of so many MiB.
    pub fn new(line: GameHistory<P>, laws: L, eval: E, mebibytes: usize) -> Self {
        Self::with_table(line, laws, eval, Arc::new(TranspositionTable::new(mebibytes)))
    }

    /// A worker that shares a table: with others that think about the same line at the same time (Lazy SMP), or with those that
    /// thought before it.
    pub fn with_table(line: GameHistory<P>, laws: L, eval: E, table: Arc<TranspositionTable>) -> Self {
        Self::with_histories(line, laws, eval, table, SearchHistories::new::<P::Game>())
    }

    /// A worker that shares a table and goes on from what another learnt before it: see [`Worker::into_memory`].
    pub fn with_histories(
        mut line: GameHistory<P>,
        laws: L,
        mut eval: E,
        table: Arc<TranspositionTable>,
        memory: SearchHistories<MoveOf<P>>,
    ) -> Self {
        line.reserve(MAX_PLY + 1);
        eval.reset(line.position());
        let SearchHistories { move_histories: histories, correction_history: corrections } = memory;
        let frame = StackEntry { static_eval: None, piece_to: histories.no_piece_to(), excluded_move: None };
        let lists = || (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect();
        let root = line.ply();
        Worker {
            game: line,
            rules: laws,
            eval,
            oracle: (),
            table,
            move_histories: histories,
            correction_history: corrections,
            stack: vec![frame; MAX_PLY + 1],
            pickers: (0..=MAX_PLY).map(|_| MovePicker::new()).collect(),
            tried_moves: lists(),
            pv_table: lists(),
            root_ply: root,
            root_moves: Vec::new(),
            root_nodes: Vec::new(),
            best_move_stability: (None, 0),
            all_root_moves: true,
            root_depth: 0,
            rule_hits: 0,
            nodes: 0,
            next_stop_check: 0,
            seldepth: 0,
        }
    }

    /// Sets the oracle that is asked for an exact value of the root.
    pub fn with_oracle<O: Oracle<P>>(self, oracle: O) -> Worker<P, L, E, O> {
        Worker {
            game: self.game,
            rules: self.rules,
            eval: self.eval,
            oracle,
            table: self.table,
            move_histories: self.move_histories,
            correction_history: self.correction_history,
            stack: self.stack,
            pickers: self.pickers,
            tried_moves: self.tried_moves,
            pv_table: self.pv_table,
            root_ply: self.root_ply,
            root_moves: self.root_moves,
            root_nodes: self.root_nodes,
            best_move_stability: self.best_move_stability,
            all_root_moves: self.all_root_moves,
            root_depth: self.root_depth,
            rule_hits: self.rule_hits,
            nodes: self.nodes,
            next_stop_check: self.next_stop_check,
            seldepth: self.seldepth,
        }
    }
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// What it learnt, for whoever searches next.
    pub fn into_histories(self) -> SearchHistories<MoveOf<P>> {
        SearchHistories { move_histories: self.move_histories, correction_history: self.correction_history }
    }

    /// The line it searches from.
    pub fn game(&self) -> &GameHistory<P> {
        &self.game
    }

    /// Searches depth after depth up to `depth` plies, until `control` says stop or the outcome is known. Each finished
    /// depth is reported. However soon it is stopped, a legal move is given if there is one.
    pub fn search<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: u32,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.search_with(&SearchRequest { max_depth: depth, ..SearchRequest::default() }, control)
    }

    /// Searches as asked: see [`Worker::think`]. Of several lines each is reported with its rank. A move is given unless there is no
    /// legal one among those asked for.
    pub fn search_with<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ask: &SearchRequest<MoveOf<P>>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.start_search();
        let list = self.sorted_legal_moves();
        let roots: Vec<_> = list.iter().copied().filter(|&mv| ask.is_allowed(mv)).collect();
        let mut best = SearchResult { mv: roots.first().copied(), score: 0, depth: 0, nodes: 0 };
        if list.is_empty() {
            best.score = self.no_legal_move_score(0);
            return best;
        }
        let lines = ask.multipv.clamp(1, roots.len().max(1));
        let mut scores = vec![0; lines];
        let may_solve = ask.use_solver && lines == 1 && roots.len() == list.len();
        for depth in ask.start_depth.max(1)..=ask.max_depth.min(MAX_PLY as u32 - 1) {
            if may_solve && depth == SOLVER_START_DEPTH && self.try_solver(&mut best, control) {
                break;
            }
            if roots.is_empty()
                || self.search_iteration(depth, &roots, &mut scores, &mut best, control).is_none()
            {
                break;
            }
            // A forced end: what was pruned on the way may hide a sooner one, but hardly from twice the depth.
            if scores.iter().all(|&score| is_mate_within(score, depth / 2)) {
                break;
            }
        }
        best.nodes = self.nodes;
        best
    }

    /// A new search starts to count.
    pub(crate) fn start_search(&mut self) {
        (self.nodes, self.next_stop_check) = (0, MAX_STOP_CHECK_INTERVAL);
        self.root_nodes.clear();
        self.best_move_stability = (None, 0);
        self.move_histories.clear_killers();
    }

    /// Positions visited since the search began.
    pub(crate) fn visited_nodes(&self) -> u64 {
        self.nodes
    }

    /// Lets a solver have its say; whether it settled the matter. Its positions count as searched, also where it was stopped.
    fn try_solver<C: SearchControl<MoveOf<P>>>(
        &mut self,
        best: &mut SearchResult<MoveOf<P>>,
        control: &mut C,
    ) -> bool {
        let mut counted = CountingControl { control, nodes_before: self.nodes, nodes: self.nodes };
        let exact = self.oracle.solve(self.game.position(), &mut counted);
        self.nodes = counted.nodes;
        let Some(ExactResult { score, mv, depth }) = exact else { return false };
        *best = SearchResult { mv: mv.or(best.mv), score, depth, nodes: self.nodes };
        self.pv_table[0].clear();
        self.pv_table[0].extend(best.mv);
        self.seldepth = depth as usize;
        self.report(1, depth, score, control);
        true
    }

    /// One depth: the best lines in turn, each without the first moves of those before it. `None` when it was stopped.
    fn search_iteration<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: u32,
        roots: &[MoveOf<P>],
        scores: &mut [Score],
        best: &mut SearchResult<MoveOf<P>>,
        control: &mut C,
    ) -> Option<()> {
        self.root_depth = depth as usize;
        self.root_moves.clear();
        self.root_moves.extend_from_slice(roots);
        for (rank, last) in (1..).zip(scores) {
            self.seldepth = 0;
            self.all_root_moves = rank == 1 && roots.len() == self.sorted_legal_moves().len();
            let Some(score) = self.aspiration_search(depth as i32, *last, control) else {
                // The last iteration's move was tried first: whatever has raised alpha since is better.
                best.mv = self.pv_table[0].first().copied().filter(|_| rank == 1).or(best.mv);
                return None;
            };
            *last = score;
            let first = self.pv_table[0].first().copied();
            if rank == 1 {
                *best = SearchResult { mv: first.or(best.mv), score, depth, nodes: self.nodes };
                let (mv, depths) = self.best_move_stability;
                self.best_move_stability = (first, if mv == first { depths + 1 } else { 1 });
            }
            self.report(rank, depth, score, control);
            self.root_moves.retain(|&mv| Some(mv) != first);
        }
        Some(())
    }

    /// The legal moves at the end of the line, in their own order, which is the same on every board.
    pub(crate) fn sorted_legal_moves(&self) -> MoveList<MoveOf<P>> {
        let mut list = MoveList::new();
        self.game.position().generate_legal(&mut list);
        list.sort_unstable();
        list
    }

    pub(crate) fn report<C: SearchControl<MoveOf<P>>>(
        &self,
        rank: u32,
        depth: u32,
        score: Score,
        control: &mut C,
    ) {
        control.report(&SearchInfo {
            depth,
            seldepth: self.seldepth as u32,
            score,
            bound: Bound::Exact,
            nodes: self.nodes,
            pv: &self.pv_table[0],
            multipv: rank,
            hashfull: self.table.hashfull(),
            best_move_effort_permille: self.best_move_effort_permille(),
            best_move_stability: self.best_move_stability.1,
        });
    }

    /// So many positions more were visited under a first move.
    pub(crate) fn add_root_nodes(&mut self, mv: MoveOf<P>, nodes: u64) {
        match self.root_nodes.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, spent)) => *spent += nodes,
            None => self.root_nodes.push((mv, nodes)),
        }
    }

    /// How much of what was visited lies under the first move of the line, in thousandths.
    fn best_move_effort_permille(&self) -> u32 {
        let first = self.pv_table[0].first();
        let under = |&&(mv, _): &&(MoveOf<P>, u64)| Some(&mv) == first;
        let all: u64 = self.root_nodes.iter().map(|&(_, nodes)| nodes).sum();
        let spent = self.root_nodes.iter().find(under).map_or(all, |&(_, nodes)| nodes);
        (spent * 1000).checked_div(all).unwrap_or(1000) as u32
    }

    /// Counts a position; `None` when the search must stop.
    #[inline]
    pub(crate) fn visit<C: SearchControl<MoveOf<P>>>(&mut self, ply: usize, control: &mut C) -> Option<()> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes < self.next_stop_check {
            return Some(());
        }
        self.next_stop_check =
            self.nodes + (self.nodes / STOP_CHECK_DIVISOR).clamp(1, MAX_STOP_CHECK_INTERVAL);
        if control.is_stopped(self.nodes) { None } else { Some(()) }
    }

    /// The best line from `ply` on begins with this move.
    pub(crate) fn update_pv(&mut self, ply: usize, mv: MoveOf<P>) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// What it is worth that the side to move has no legal move.
    pub(crate) fn no_legal_move_score(&self, ply: usize) -> Score {
        let position = self.game.position();
        self.eval.outcome_score(
            &self.rules.no_legal_move_verdict(position),
            position.side_to_move(),
            ply as u32,
        )
    }

    /// What an outcome is worth to the side to move.
    pub(crate) fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        self.eval.outcome_score(&Verdict::new(outcome, ()), self.game.side_to_move(), ply as u32)
    }
}

/// Whether the score is a forced end within so many plies.
pub(crate) fn is_mate_within(score: Score, depth: u32) -> bool {
    alfil_kernel::evaluate::MATE - score.abs() <= depth as i32
}

/// The control of a solver: what it visits is added to what was searched before.
struct CountingControl<'a, C> {
    control: &'a mut C,
    nodes_before: u64,
    nodes: u64,
}

impl<M, C: SearchControl<M>> SearchControl<M> for CountingControl<'_, C> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.nodes = self.nodes_before + nodes;
        self.control.is_stopped(self.nodes)
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        self.control.report(&SearchInfo { nodes: self.nodes_before + info.nodes, ..*info });
    }
}

#[cfg(test)]
mod tests {
    use alfil_evaluation::xiangqi::HandcraftedEval;
    use alfil_kernel::{GameHistory, MoveOf, Position, SearchInfo};
    use alfil_xiangqi::{Bitboard, Ruleset, Xiangqi};

    use super::*;

    struct NeverStop;

    impl<M> SearchControl<M> for NeverStop {
        fn is_stopped(&mut self, _nodes: u64) -> bool {
            false
        }

        fn report(&mut self, _info: &SearchInfo<'_, M>) {}
    }

    #[test]
    fn what_was_learnt_is_used_by_the_next_search() {
        let line = GameHistory::<Bitboard>::from_start_position();
        let search = |memory| {
            let table = Arc::new(TranspositionTable::new(1));
            let (laws, eval) = (Ruleset::COMPUTER, HandcraftedEval::default());
            let mut worker = Worker::with_histories(line.clone(), laws, eval, table, memory);
            (worker.search(6, &mut NeverStop).nodes, worker.into_histories())
        };
        let (fresh, memory) = search(SearchHistories::new::<Xiangqi>());
        let (again, _) = search(memory);
        assert_eq!(search(SearchHistories::new::<Xiangqi>()).0, fresh);
        assert_ne!(again, fresh);
    }

    #[test]
    fn what_some_of_the_moves_are_worth_is_not_remembered_of_the_position() {
        let line = GameHistory::<Bitboard>::from_start_position();
        let key = line.position().hash_key();
        let mut worker = Worker::new(line, Ruleset::COMPUTER, HandcraftedEval::default(), 1);
        let only = vec![worker.sorted_legal_moves()[0]];
        worker.search_with(
            &SearchRequest { max_depth: 4, search_moves: only, ..SearchRequest::default() },
            &mut NeverStop,
        );
        assert_eq!(worker.table.probe::<MoveOf<Bitboard>>(key, 0), None);
        worker.search(4, &mut NeverStop);
        assert!(worker.table.probe::<MoveOf<Bitboard>>(key, 0).is_some_and(|found| found.depth >= 3));
    }
}
