//! The worker of a search: a game, its rules, an evaluation, a transposition table and the histories.

use std::sync::Arc;

use alfil_kernel::{
    GameHistory, IllegalMoveError, MoveList, MoveOf, Oracle, Position, Rules, Score, SearchControl,
};

use crate::correction_history::CorrectionHistory;
use crate::move_history::MoveHistories;
use crate::move_picker::MovePicker;
use crate::node::StackEntry;
use crate::params::{MAX_PLY, MAX_SCORE_FALL_CP, MAX_STOP_CHECK_INTERVAL, STOP_CHECK_DIVISOR, SearchParams};
use crate::root::RootLine;
use crate::search_evaluator::SearchEvaluator;
use crate::transposition_table::TranspositionTable;

/// The result of a search.
///
/// ```
/// use alfil_evaluation::othello::HandcraftedEval;
/// use alfil_kernel::NeverStop;
/// use alfil_othello::{Othello, Ruleset};
/// use alfil_search::Worker;
///
/// let game = Othello::new();
/// let mut worker = Worker::new(game.history().clone(), Ruleset::default(), HandcraftedEval::default(), 1);
/// let result = worker.search(3, &mut NeverStop);
/// assert!(result.mv.is_some() && result.depth == 3 && result.nodes > 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The move to play; `None` if no legal move is allowed.
    pub mv: Option<M>,
    /// The score from the view of the side to move.
    pub score: Score,
    /// The depth of the last completed iteration, in plies.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
}

/// The parameters of a search.
///
/// ```
/// use alfil_chess::{Chess, Ruleset};
/// use alfil_evaluation::chess::HandcraftedEval;
/// use alfil_kernel::NeverStop;
/// use alfil_search::{SearchRequest, Worker};
///
/// // The rook mates; without that move something else is found.
/// let game = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
/// let mut worker = Worker::new(game.history().clone(), Ruleset::default(), HandcraftedEval::default(), 1);
/// let mate = worker.search(3, &mut NeverStop).mv.unwrap();
/// let request = SearchRequest { excluded_moves: vec![mate], max_depth: 3, ..SearchRequest::default() };
/// assert!(!request.is_allowed(mate));
/// assert_ne!(worker.search_with(&request, &mut NeverStop).mv, Some(mate));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest<M> {
    /// The depth of the first iteration, in plies; 0 means 1.
    pub start_depth: u32,
    /// The depth of the last iteration, in plies; 0 means 1.
    pub max_depth: u32,
    /// The number of variations with different first moves (MultiPV); 0 means 1.
    pub multipv: usize,
    /// The only root moves to search; empty means all.
    pub search_moves: Vec<M>,
    /// The root moves that are not searched.
    pub excluded_moves: Vec<M>,
    /// Whether the oracle may be used. It is used only if all root moves are searched.
    pub use_solver: bool,
    /// A mate in at most this number of moves ends the search, and so does the proof that there is none; 0 if any
    /// mate will do, however long.
    pub mate_in_moves: u32,
    /// The number of nodes after which no further iteration begins.
    pub soft_nodes: u64,
    /// The number of nodes at which the control stops the search. The search itself does not stop there; it limits what
    /// its oracle may visit by them.
    pub max_nodes: u64,
}

impl<M> Default for SearchRequest<M> {
    /// Returns a request for one variation over all moves, until the control stops the search.
    fn default() -> Self {
        SearchRequest {
            start_depth: 1,
            max_depth: u32::MAX,
            multipv: 1,
            search_moves: Vec::new(),
            excluded_moves: Vec::new(),
            use_solver: true,
            mate_in_moves: 0,
            soft_nodes: u64::MAX,
            max_nodes: u64::MAX,
        }
    }
}

impl<M: PartialEq> SearchRequest<M> {
    /// Returns whether the request allows this root move.
    pub fn is_allowed(&self, mv: M) -> bool {
        (self.search_moves.is_empty() || self.search_moves.contains(&mv))
            && !self.excluded_moves.contains(&mv)
    }
}

/// A worker: the search of one thread. It owns a copy of the game, which every search leaves unchanged.
#[derive(Debug)]
pub struct Worker<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P> = ()> {
    pub(crate) game: GameHistory<P>,
    pub(crate) rules: R,
    pub(crate) eval: E,
    pub(crate) oracle: O,
    pub(crate) params: SearchParams,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) move_histories: MoveHistories<MoveOf<P>>,
    pub(crate) correction_history: CorrectionHistory,
    /// The search stack; it, `pickers` and `tried_moves` have one element for each ply below the root.
    pub(crate) stack: Vec<StackEntry<MoveOf<P>>>,
    pub(crate) pickers: Vec<MovePicker<MoveOf<P>>>,
    pub(crate) tried_moves: Vec<Vec<MoveOf<P>>>,
    /// The principal variation from each ply on.
    pub(crate) pv_table: Vec<Vec<MoveOf<P>>>,
    /// The ply of the game at which the search began.
    pub(crate) root_ply: usize,
    /// The root moves of this iteration.
    pub(crate) root_moves: Vec<MoveOf<P>>,
    /// The nodes searched below each root move since the search began.
    pub(crate) root_nodes: Vec<(MoveOf<P>, u64)>,
    /// The best line of the running root search so far.
    pub(crate) root_line: Option<RootLine<MoveOf<P>>>,
    /// Whether the search has scored a root move.
    pub(crate) has_scored_root_move: bool,
    /// The best move, and the number of successive iterations in which it has been the best.
    best_move_stability: (Option<MoveOf<P>>, u32),
    /// The ply of the game at which the last search began, and its score.
    last_search: Option<(usize, Score)>,
    /// The score of the iteration that came four before this one.
    pub(crate) score_four_before: Option<Score>,
    /// Whether `root_moves` are all legal moves.
    pub(crate) all_root_moves: bool,
    /// The depth of this iteration, in plies.
    pub(crate) root_depth: usize,
    /// The number of scores that a rule probe decided.
    pub(crate) rule_hits: u64,
    nodes: u64,
    /// The node count at which the control is polled next.
    next_stop_check: u64,
    seldepth: usize,
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>> Worker<P, R, E> {
    /// Creates a worker with its own transposition table of `mebibytes` MiB.
    pub fn new(game: GameHistory<P>, rules: R, eval: E, mebibytes: usize) -> Self {
        Self::with_table(game, rules, eval, Arc::new(TranspositionTable::new(mebibytes)))
    }

    /// Creates a worker that shares a table with other workers: of the same game at the same time (Lazy SMP), or of
    /// an earlier search.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_evaluation::xiangqi::HandcraftedEval;
    /// use alfil_kernel::{GameHistory, NeverStop};
    /// use alfil_search::{TranspositionTable, Worker};
    /// use alfil_xiangqi::{Mailbox, Ruleset};
    ///
    /// // A worker that comes later has less to search.
    /// let table = Arc::new(TranspositionTable::new(1));
    /// let nodes = [(); 2].map(|()| {
    ///     let game = GameHistory::<Mailbox>::from_start_position();
    ///     let eval = HandcraftedEval::default();
    ///     Worker::with_table(game, Ruleset::default(), eval, Arc::clone(&table)).search(4, &mut NeverStop).nodes
    /// });
    /// assert!(nodes[1] < nodes[0]);
    /// ```
    pub fn with_table(
        mut game: GameHistory<P>,
        rules: R,
        mut eval: E,
        table: Arc<TranspositionTable>,
    ) -> Self {
        game.reserve(MAX_PLY + 1);
        eval.reset(game.position());
        let move_histories = MoveHistories::new::<P::Game>();
        let correction_history = CorrectionHistory::new(move_histories.no_piece_to());
        let entry =
            StackEntry { static_eval: None, piece_to: move_histories.no_piece_to(), excluded_move: None };
        let lists = || (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect();
        let root_ply = game.ply();
        Worker {
            game,
            rules,
            eval,
            oracle: (),
            params: SearchParams::DEFAULT,
            table,
            move_histories,
            correction_history,
            stack: vec![entry; MAX_PLY + 1],
            pickers: (0..=MAX_PLY).map(|_| MovePicker::new()).collect(),
            tried_moves: lists(),
            pv_table: lists(),
            root_ply,
            root_moves: Vec::new(),
            root_nodes: Vec::new(),
            root_line: None,
            has_scored_root_move: false,
            best_move_stability: (None, 0),
            last_search: None,
            score_four_before: None,
            all_root_moves: true,
            root_depth: 0,
            rule_hits: 0,
            nodes: 0,
            next_stop_check: 0,
            seldepth: 0,
        }
    }

    /// Sets the parameters of the search. They are [`SearchParams::DEFAULT`] before.
    ///
    /// ```
    /// use alfil_evaluation::xiangqi::HandcraftedEval;
    /// use alfil_kernel::{GameHistory, NeverStop};
    /// use alfil_search::{SearchParams, Worker};
    /// use alfil_xiangqi::{Mailbox, Ruleset};
    ///
    /// let params = SearchParams { rfp_margin: 120, ..SearchParams::DEFAULT };
    /// let game = GameHistory::<Mailbox>::from_start_position();
    /// let worker = Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 1);
    /// assert_eq!(worker.with_params(params).search(2, &mut NeverStop).depth, 2);
    /// ```
    #[must_use]
    pub fn with_params(mut self, params: SearchParams) -> Self {
        self.move_histories.set_pawn_history(params.pawn_history > 0);
        Worker { params, ..self }
    }

    /// Sets the oracle that can solve the root position.
    pub fn with_oracle<O: Oracle<P>>(self, oracle: O) -> Worker<P, R, E, O> {
        Worker {
            game: self.game,
            rules: self.rules,
            eval: self.eval,
            oracle,
            params: self.params,
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
            root_line: self.root_line,
            has_scored_root_move: self.has_scored_root_move,
            best_move_stability: self.best_move_stability,
            last_search: self.last_search,
            score_four_before: self.score_four_before,
            all_root_moves: self.all_root_moves,
            root_depth: self.root_depth,
            rule_hits: self.rule_hits,
            nodes: self.nodes,
            next_stop_check: self.next_stop_check,
            seldepth: self.seldepth,
        }
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the game that is searched.
    pub fn game(&self) -> &GameHistory<P> {
        &self.game
    }

    /// Sets the game and the rules of the next search, and keeps the histories, which are best for a later position of
    /// the same game.
    pub fn set_game(&mut self, game: GameHistory<P>, rules: R) {
        (self.game, self.rules) = (game, rules);
        self.set_root();
    }

    /// Makes the last position of the game the root of the next search.
    fn set_root(&mut self) {
        self.game.reserve(MAX_PLY + 1);
        self.eval.reset(self.game.position());
        self.root_ply = self.game.ply();
    }

    /// Sets the oracle of the next search.
    pub fn set_oracle(&mut self, oracle: O) {
        self.oracle = oracle;
    }

    /// Starts another game: histories and table are empty again, so that its searches do not depend on earlier games.
    pub fn start_game(&mut self, game: GameHistory<P>) {
        self.game = game;
        self.set_root();
        self.move_histories.clear();
        self.correction_history.clear();
        self.last_search = None;
        self.table.clear();
    }

    /// Plays a move in the game and keeps histories and table for the next search.
    ///
    /// # Errors
    /// If the move is illegal, with the reason; the game is unchanged.
    ///
    /// ```
    /// use alfil_chess::{Chess, Ruleset};
    /// use alfil_evaluation::chess::HandcraftedEval;
    /// use alfil_kernel::NeverStop;
    /// use alfil_search::Worker;
    ///
    /// let game = Chess::new().history().clone();
    /// let mut worker = Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 1);
    /// for _ in 0..4 {
    ///     let mv = worker.search(2, &mut NeverStop).mv.unwrap();
    ///     worker.play(mv).unwrap();
    /// }
    /// assert_eq!(worker.game().ply(), 4);
    /// ```
    pub fn play(&mut self, mv: MoveOf<P>) -> Result<(), IllegalMoveError<MoveOf<P>>> {
        self.game.try_play(mv)?;
        self.set_root();
        self.table.new_generation();
        Ok(())
    }

    /// Resets the counters for a new search.
    pub(crate) fn start_search(&mut self) {
        (self.nodes, self.next_stop_check) = (0, MAX_STOP_CHECK_INTERVAL);
        self.root_nodes.clear();
        self.best_move_stability = (None, 0);
        self.score_four_before = None;
        (self.root_line, self.has_scored_root_move) = (None, false);
        self.move_histories.clear_killers();
    }

    /// Returns the number of positions visited since the search began.
    pub(crate) fn visited_nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets the number of positions visited, after an oracle has visited some.
    pub(crate) fn set_visited_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// Returns the legal moves in the order of their bits, which is the same on every board.
    pub(crate) fn sorted_legal_moves(&self) -> MoveList<MoveOf<P>> {
        let mut list = MoveList::new();
        self.game.position().generate_legal(&mut list);
        list.sort_unstable();
        list
    }

    /// Adds nodes to the count of a root move.
    pub(crate) fn add_root_nodes(&mut self, mv: MoveOf<P>, nodes: u64) {
        match self.root_nodes.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, count)) => *count += nodes,
            None => self.root_nodes.push((mv, nodes)),
        }
    }

    /// Returns the fraction of the nodes below a root move, in permille.
    pub(crate) fn effort_permille(&self, root_move: Option<MoveOf<P>>) -> u32 {
        let is_first = |&&(mv, _): &&(MoveOf<P>, u64)| Some(mv) == root_move;
        let all: u64 = self.root_nodes.iter().map(|&(_, nodes)| nodes).sum();
        let below_first = self.root_nodes.iter().find(is_first).map_or(all, |&(_, nodes)| nodes);
        (below_first * 1000).checked_div(all).unwrap_or(1000) as u32
    }

    /// Counts the iterations in a row that have found this best move.
    pub(crate) fn note_best_move(&mut self, best: Option<MoveOf<P>>) {
        let (mv, iterations) = self.best_move_stability;
        self.best_move_stability = (best, if mv == best { iterations + 1 } else { 1 });
    }

    /// Returns the number of successive iterations with the present best move.
    pub(crate) fn best_move_stability(&self) -> u32 {
        self.best_move_stability.1
    }

    /// Keeps the score of a search for the next one.
    pub(crate) fn note_score(&mut self, score: Score) {
        self.last_search = Some((self.root_ply, score));
    }

    /// Returns how far a score of the root has fallen: see [`SearchInfo::score_fall_cp`](alfil_kernel::SearchInfo).
    pub(crate) fn score_fall_cp(&self, score: Score) -> Option<i32> {
        if self.params.measures_score_fall == 0 {
            return None;
        }
        // The search before has the view of the same side only if each side has made one move since.
        let last = self.last_search.filter(|&(ply, _)| ply + 2 == self.root_ply).map(|(_, score)| score);
        let fall = |earlier: Option<Score>| {
            earlier.map_or(0, |earlier| (earlier - score).clamp(-MAX_SCORE_FALL_CP, MAX_SCORE_FALL_CP))
        };
        Some((fall(last) + fall(self.score_four_before)) / 2)
    }

    /// Returns the deepest ply visited since the last reset.
    pub(crate) fn seldepth(&self) -> u32 {
        self.seldepth as u32
    }

    /// Resets the selective depth before another line.
    pub(crate) fn reset_seldepth(&mut self) {
        self.seldepth = 0;
    }

    /// Counts a visited position. `None` means that the search must stop.
    #[inline]
    pub(crate) fn visit<C: SearchControl<MoveOf<P>>>(&mut self, ply: usize, control: &mut C) -> Option<()> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes < self.next_stop_check {
            return Some(());
        }
        self.next_stop_check =
            self.nodes + (self.nodes / STOP_CHECK_DIVISOR).clamp(1, MAX_STOP_CHECK_INTERVAL);
        // A search without any score has no answer, so the first root move is always searched.
        if control.is_stopped(self.nodes) && self.has_scored_root_move { None } else { Some(()) }
    }

    /// Sets the principal variation from `ply` on to `mv` and the variation of the next ply.
    pub(crate) fn update_pv(&mut self, ply: usize, mv: MoveOf<P>) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// Returns the score for the side to move if it has no legal move.
    pub(crate) fn no_legal_move_score(&self, ply: usize) -> Score {
        let position = self.game.position();
        self.eval.outcome_score(
            &self.rules.no_legal_move_verdict(position),
            position.side_to_move(),
            ply as u32,
        )
    }
}

#[cfg(test)]
mod tests {
    use alfil_evaluation::xiangqi::HandcraftedEval;
    use alfil_kernel::{Bound, GameHistory, MoveOf, NeverStop, Position};
    use alfil_xiangqi::{Bitboard, Ruleset};

    use super::*;
    use crate::transposition_table::TtEntry;

    #[test]
    fn the_histories_of_an_earlier_search_change_the_next_one() {
        let game = GameHistory::<Bitboard>::from_start_position();
        let search_twice = || {
            let mut worker = Worker::new(game.clone(), Ruleset::COMPUTER, HandcraftedEval::default(), 1);
            let mut search = || {
                worker.table.clear();
                worker.set_game(game.clone(), Ruleset::COMPUTER);
                worker.search(6, &mut NeverStop).nodes
            };
            [search(), search()]
        };
        let [first, second] = search_twice();
        assert_ne!(first, second);
        assert_eq!(search_twice(), [first, second], "a search is deterministic");
    }

    #[test]
    fn a_new_game_is_searched_as_by_a_new_worker_and_a_soft_limit_ends_iterations() {
        let game = GameHistory::<Bitboard>::from_start_position();
        let new_worker = || Worker::new(game.clone(), Ruleset::COMPUTER, HandcraftedEval::default(), 1);
        let request = SearchRequest { soft_nodes: 2_000, ..SearchRequest::default() };
        let play_plies = |worker: &mut Worker<_, _, _>| {
            let search = |_| {
                let result = worker.search_with(&request, &mut NeverStop);
                worker.play(result.mv.unwrap()).unwrap();
                result
            };
            (0..6).map(search).collect::<Vec<_>>()
        };
        let (mut worker, mut other) = (new_worker(), new_worker());
        let results = play_plies(&mut worker);
        assert!(results.iter().all(|result| (2_000..100_000).contains(&result.nodes)), "{results:?}");
        assert!(worker.play(results[0].mv.unwrap()).is_err(), "the piece is not there any more");
        worker.start_game(game.clone());
        assert_eq!(play_plies(&mut worker), results);
        assert_eq!(play_plies(&mut other), results);
    }

    #[test]
    fn the_score_of_some_root_moves_is_not_stored_for_the_position_but_has_its_full_depth() {
        let game = GameHistory::<Bitboard>::from_start_position();
        let key = game.position().hash_key();
        let mut worker = Worker::new(game, Ruleset::COMPUTER, HandcraftedEval::default(), 1);
        let mv = worker.sorted_legal_moves()[0];
        worker.search_with(
            &SearchRequest { max_depth: 4, search_moves: vec![mv], ..SearchRequest::default() },
            &mut NeverStop,
        );
        assert_eq!(worker.table.probe::<MoveOf<Bitboard>>(key, 0), None);
        let mut after = *worker.game.position();
        after.make(mv, &mut ());
        let entry = worker.table.probe::<MoveOf<Bitboard>>(after.hash_key(), 1);
        assert_eq!(entry.map(|entry| entry.depth), Some(3));
        worker.search(4, &mut NeverStop);
        assert!(worker.table.probe::<MoveOf<Bitboard>>(key, 0).is_some_and(|entry| entry.depth >= 3));
    }

    #[test]
    fn a_node_that_fails_low_does_not_keep_the_line_of_its_singular_search() {
        let game = GameHistory::<Bitboard>::from_start_position();
        let mut worker = Worker::new(game, Ruleset::COMPUTER, HandcraftedEval::default(), 1);
        // Other moves are as good as the hash move, so the singular search fails high and has a line.
        let (mv, score) = (Some(worker.sorted_legal_moves()[0]), Score::from_cp(-100));
        let entry = TtEntry { mv, score, static_eval: None, depth: 8, bound: Bound::Lower };
        worker.table.store(worker.game.position().hash_key(), 1, &entry);
        worker.root_depth = 8;
        let alpha = Score::from_cp(500);
        let score = worker.search_node(1, 8, alpha, alpha + 100, false, &mut NeverStop).unwrap();
        assert!(score <= alpha && worker.pv_table[1].is_empty(), "{score:?} {:?}", worker.pv_table[1]);
    }
}
