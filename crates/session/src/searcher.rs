//! The search memory of a session, and the tasks that search with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use alfil_kernel::{
    Bound, Game as _, GameHistory, MoveList, MoveOf, Oracle as _, Position, SearchControl, SearchInfo,
};
use alfil_search::{SKILL_LEVELS, SearchRequest, SearchResult, SkillLevel, TranspositionTable, Worker};

use crate::game_profile::{EvaluatorOf, GameProfile, MoveMap, OracleOf, RulesOf, WeightsOf, format_default};
use crate::search_task::{
    EvaluationChoice, SearchLimits, SearchMonitor, SearchOutcome, SearchReport, SearchResources, SearchTask,
};
use crate::session_error::SessionError;
use crate::workers::{Workers, panic_message};

/// Checks that the system can give a table of this size: a failed allocation would end the program.
///
/// # Errors
/// Returns an error if it cannot.
pub fn check_memory(mebibytes: usize) -> Result<(), SessionError> {
    let bytes = mebibytes.checked_mul(1 << 20);
    match bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok()) {
        true => Ok(()),
        false => Err(SessionError::new(format!(
            "not enough memory: {mebibytes} MiB requested; choose a smaller hash size"
        ))),
    }
}

/// The largest table whose memory is written before the first search, in MiB: more would take seconds.
const MAX_PREFAULT_MIB: usize = 1024;

/// Size of the table of a skill level, in MiB. Each move gets a new one, so that a level plays the same move in the
/// same position whatever was searched before.
const LEVEL_HASH_MIB: usize = 1;

/// Returns the network of a choice; `None` for the hand-made terms.
///
/// # Errors
/// If the bytes are no network of the game.
pub fn network_of<P: Position>(choice: &EvaluationChoice) -> Result<Option<WeightsOf<P>>, SessionError>
where
    P::Game: GameProfile<P>,
{
    let networks = <P::Game as GameProfile<P>>::NETWORKS;
    let read = |bytes: &[u8]| match &networks {
        Some(networks) => (networks.read)(bytes),
        None => Err(SessionError::new(format!("{} has no evaluation networks", P::Game::NAME))),
    };
    let bytes: Option<&[u8]> = match choice {
        EvaluationChoice::BuiltIn => <P::Game as GameProfile<P>>::info().built_in_network,
        EvaluationChoice::Terms => None,
        EvaluationChoice::Network(bytes) => Some(bytes),
    };
    bytes.map(read).transpose()
}

/// Returns the evaluator by a network, or by the hand-made terms without one.
pub fn evaluator<P: Position>(network: Option<WeightsOf<P>>) -> EvaluatorOf<P>
where
    P::Game: GameProfile<P>,
{
    let by_network = <P::Game as GameProfile<P>>::NETWORKS.zip(network);
    by_network.map_or_else(Default::default, |(networks, network)| (networks.evaluator)(network))
}

/// The resources and the network of a session's searches, with the transposition table, the oracle and the workers,
/// which clones share.
#[derive(Clone, Debug)]
pub(crate) struct Searcher<P: Position>
where
    P::Game: GameProfile<P>,
{
    resources: SearchResources,
    /// The evaluation network, `None` for the hand-made terms. The built-in one is read when it is first needed.
    network: Arc<OnceLock<Option<WeightsOf<P>>>>,
    /// Made at the first search: most sessions never search.
    table: Arc<OnceLock<Arc<TranspositionTable>>>,
    /// Made at the first search: it keeps what it has solved for the next one.
    oracle: Arc<OnceLock<OracleOf<P>>>,
    /// The workers of earlier searches that no running search uses, with their histories.
    workers: Arc<Mutex<Vec<WorkerOf<P>>>>,
}

/// A search of one game position.
pub(crate) struct TypedSearchTask<P: Position>
where
    P::Game: GameProfile<P>,
{
    pub(crate) searcher: Searcher<P>,
    pub(crate) game: GameHistory<P>,
    pub(crate) rules: RulesOf<P>,
    pub(crate) limits: SearchLimits,
    pub(crate) search_moves: Vec<MoveOf<P>>,
    pub(crate) excluded_moves: Vec<MoveOf<P>>,
}

impl<P: Position> TypedSearchTask<P>
where
    P::Game: GameProfile<P>,
{
    fn request(&self) -> SearchRequest<MoveOf<P>> {
        SearchRequest {
            max_depth: self.limits.depth.unwrap_or(u32::MAX),
            soft_nodes: self.limits.soft_nodes.unwrap_or(u64::MAX),
            max_nodes: self.limits.nodes.unwrap_or(u64::MAX),
            multipv: self.limits.multipv,
            mate_in_moves: self.limits.mate_in_moves.unwrap_or(0),
            search_moves: self.search_moves.clone(),
            excluded_moves: self.excluded_moves.clone(),
            ..SearchRequest::default()
        }
    }

    /// Prepares a search of several lines in a position with symmetries: of moves that are images of each other only
    /// the first one is searched, and the reports have its score for all.
    fn leave_out_images(&mut self) -> ImageLines<P> {
        let position = self.game.position();
        let symmetries = match <P::Game as GameProfile<P>>::SYMMETRIES.filter(|_| self.limits.multipv > 1) {
            Some(symmetries) => symmetries(position),
            None => Vec::new(),
        };
        let request = self.request();
        let (mut moves, mut images) = (MoveList::new(), Vec::new());
        position.generate_legal(&mut moves);
        for &mv in moves.iter().filter(|&&mv| request.is_allowed(mv)) {
            if !images.contains(&mv) {
                let is_new = |image: &MoveOf<P>| *image != mv && request.is_allowed(*image);
                images.extend(symmetries.iter().map(|map| map(mv)).filter(is_new));
            }
        }
        self.excluded_moves.extend(&images);
        ImageLines { symmetries, images, max_lines: self.limits.multipv, lines: 0 }
    }

    /// Returns the first legal move that the request allows.
    fn first_allowed_move(&self) -> Option<MoveOf<P>> {
        let mut moves = MoveList::new();
        self.game.position().generate_legal(&mut moves);
        let request = self.request();
        moves.iter().copied().find(|&mv| request.is_allowed(mv))
    }

    /// Returns the move of the opening book that this search plays, with its report; `None` if it must search.
    fn book_move(&self) -> Option<(SearchReport, SearchResult<MoveOf<P>>)> {
        let book = <P::Game as GameProfile<P>>::OPENING_BOOK.filter(|_| self.limits.uses_book)?;
        let request = self.request();
        let mut moves = book(self.game.position());
        moves.retain(|&(mv, _)| request.is_allowed(mv));
        let level = SkillLevel::from_number(self.limits.level.unwrap_or(SKILL_LEVELS));
        let params = &<P::Game as GameProfile<P>>::info().search_params;
        let seed = self.limits.seed ^ self.game.position().hash_key();
        let ply = <P::Game as GameProfile<P>>::game_ply(&self.game);
        let (mv, score) = level.pick(&moves, ply, params, seed)?;
        let mut position = self.game.position().clone();
        let mut pv = vec![mv];
        position.make(mv, &mut ());
        while let Some(&(next, _)) = book(&position).first() {
            pv.push(next);
            position.make(next, &mut ());
        }
        let report = SearchReport {
            multipv: 1,
            depth: 0,
            seldepth: 0,
            score: score.value(),
            bound: Bound::Exact,
            mate_plies: None,
            nodes: 0,
            hashfull: 0,
            pv: format_pv(self.game.position(), &pv),
            best_move_effort_permille: 0,
            best_move_stability: 0,
            score_fall_cp: None,
            root_moves_done: None,
            confidence: None,
            is_book: true,
        };
        Some((report, SearchResult { mv: Some(mv), score, depth: 0, nodes: 0 }))
    }

    /// Runs the search. `best` keeps the best move reported so far.
    fn search(
        &self,
        images: ImageLines<P>,
        workers: &dyn Workers,
        monitor: &mut dyn SearchMonitor,
        best: &mut Option<MoveOf<P>>,
    ) -> SearchResult<MoveOf<P>> {
        if let Some((report, result)) = self.book_move() {
            monitor.on_report(report);
            return result;
        }
        let mut control = MonitorControl { root: self.game.position(), monitor, best, images };
        let ply = <P::Game as GameProfile<P>>::game_ply(&self.game);
        let params = &<P::Game as GameProfile<P>>::info().search_params;
        match self.limits.level.map(SkillLevel::from_number) {
            Some(level) if level.is_random(ply, params) => {
                let table = Arc::new(TranspositionTable::new(LEVEL_HASH_MIB));
                let mut worker =
                    self.searcher.new_worker(&self.game, &self.rules, &table, &self.searcher.oracle());
                worker.search_at_level_with(level, self.limits.seed, ply, &self.request(), &mut control)
            }
            _ => self.searcher.search_parallel(self, workers, &mut control),
        }
    }
}

impl<P: Position> SearchTask for TypedSearchTask<P>
where
    P::Game: GameProfile<P>,
{
    fn run(mut self: Box<Self>, workers: &dyn Workers, monitor: &mut dyn SearchMonitor) -> SearchOutcome {
        let mut reported = None;
        let images = self.leave_out_images();
        // After a panic the worker is lost. Table and oracle are used again; their entries are valid at every moment.
        let search = AssertUnwindSafe(|| self.search(images, workers, monitor, &mut reported));
        let (mv, failure) = match catch_unwind(search) {
            Ok(result) => (result.mv, None),
            Err(panic) => {
                let failure =
                    format!("the search stopped because of an internal error: {}", panic_message(&*panic));
                (reported.or_else(|| self.first_allowed_move()), Some(failure))
            }
        };
        let root = self.game.position();
        SearchOutcome { best_move: mv.map(|mv| format_default(root, mv)), failure }
    }
}

impl<P: Position> Searcher<P>
where
    P::Game: GameProfile<P>,
{
    pub(crate) fn new(resources: &SearchResources) -> Self {
        Searcher {
            resources: resources.clone(),
            network: Arc::default(),
            table: Arc::default(),
            oracle: Arc::default(),
            workers: Arc::default(),
        }
    }

    /// Changes the resources. Table, oracle and workers are dropped.
    pub(crate) fn set_resources(&mut self, resources: &SearchResources) {
        self.resources = resources.clone();
        self.clear();
    }

    /// Changes the evaluation. Table and workers are dropped, because they have scores of the old one, and the oracle
    /// with them.
    pub(crate) fn set_network(&mut self, network: Option<WeightsOf<P>>) {
        self.network = Arc::new(OnceLock::from(network));
        self.clear();
    }

    fn network(&self) -> Option<WeightsOf<P>> {
        let read = || network_of::<P>(&EvaluationChoice::BuiltIn).expect("a built-in network is of its game");
        self.network.get_or_init(read).clone()
    }

    /// Returns the description of the evaluation network; `None` for the hand-made terms.
    pub(crate) fn network_description(&self) -> Option<String> {
        let networks = <P::Game as GameProfile<P>>::NETWORKS?;
        self.network().as_ref().map(networks.description)
    }

    /// Returns a new evaluator.
    pub(crate) fn evaluator(&self) -> EvaluatorOf<P> {
        evaluator::<P>(self.network())
    }

    /// Drops table, oracle and workers. A search that still runs keeps the old ones.
    pub(crate) fn clear(&mut self) {
        self.table = Arc::default();
        self.oracle = Arc::default();
        self.workers = Arc::default();
    }

    fn new_worker(
        &self,
        game: &GameHistory<P>,
        rules: &RulesOf<P>,
        table: &Arc<TranspositionTable>,
        oracle: &OracleOf<P>,
    ) -> WorkerOf<P> {
        let mut params = <P::Game as GameProfile<P>>::info().search_params;
        self.resources.params.iter().for_each(|&value| params.set(value));
        Worker::with_table(game.clone(), rules.clone(), self.evaluator(), table.clone())
            .with_params(params)
            .with_oracle(oracle.clone())
    }

    /// Runs a search with a worker of an earlier search, and keeps the worker for the next one.
    fn with_worker<R>(
        &self,
        task: &TypedSearchTask<P>,
        table: &Arc<TranspositionTable>,
        oracle: &OracleOf<P>,
        search: impl FnOnce(&mut WorkerOf<P>) -> R,
    ) -> R {
        // A worker in use is not in the list, so one that panics is dropped, and the others stay.
        let lock = || self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().pop();
        let mut worker = match kept {
            Some(mut worker) => {
                worker.set_game(task.game.clone(), task.rules.clone());
                worker.set_oracle(oracle.clone());
                worker
            }
            None => self.new_worker(&task.game, &task.rules, table, oracle),
        };
        let result = search(&mut worker);
        let mut workers = lock();
        if workers.len() < self.resources.threads.max(1) {
            workers.push(worker);
        }
        result
    }

    fn table(&self) -> Arc<TranspositionTable> {
        self.table.get_or_init(|| Arc::new(TranspositionTable::new(self.resources.hash_mib))).clone()
    }

    fn oracle(&self) -> OracleOf<P> {
        self.oracle.get_or_init(|| <P::Game as GameProfile<P>>::oracle(self.resources.hash_mib)).clone()
    }

    /// Makes the table, writes to its memory, and makes a worker, unless they are there.
    pub(crate) fn prepare(&self, game: &GameHistory<P>, rules: &RulesOf<P>) {
        self.table.get_or_init(|| {
            let mut table = TranspositionTable::new(self.resources.hash_mib);
            if self.resources.hash_mib <= MAX_PREFAULT_MIB {
                table.prefault();
            }
            Arc::new(table)
        });
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        if workers.is_empty() {
            workers.push(self.new_worker(game, rules, &self.table(), &self.oracle()));
        }
    }

    /// Runs the main search, while helpers search the same position and fill the same table (Lazy SMP; Hyatt's and
    /// Östensen's "shared hash table" parallel search). While the oracle of the main search solves, they help it.
    fn search_parallel<C: SearchControl<MoveOf<P>> + Send>(
        &self,
        task: &TypedSearchTask<P>,
        workers: &dyn Workers,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let (table, threads) = (self.table(), self.resources.threads.max(1));
        let oracle = self.oracle().shared();
        table.new_generation();
        let request = task.request();
        let (stop, helper_nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut result = None;
        let mut lead = || {
            let _stop = StopOnDrop(&stop);
            let mut control = MainControl { control: &mut *control, helper_nodes: &helper_nodes };
            let search = |worker: &mut WorkerOf<P>| worker.search_with(&request, &mut control);
            let main = self.with_worker(task, &table, &oracle, search);
            result = Some(SearchResult { nodes: main.nodes + helper_nodes.load(Ordering::Relaxed), ..main });
        };
        // Every other helper starts a ply deeper, so that not all search the same nodes at the same time.
        let help = |number: usize| {
            let request = SearchRequest {
                start_depth: 1 + number as u32 % 2,
                multipv: 1,
                use_solver: false,
                mate_in_moves: 0,
                ..request.clone()
            };
            loop {
                let mut control = HelperControl::<P> {
                    stop: &stop,
                    oracle: &oracle,
                    is_stopped_for_oracle: false,
                    helper_nodes: &helper_nodes,
                    counted: 0,
                };
                let search = |worker: &mut WorkerOf<P>| worker.search_with(&request, &mut control);
                self.with_worker(task, &table, &oracle, search);
                if !control.is_stopped_for_oracle || stop.load(Ordering::Relaxed) {
                    break;
                }
                oracle.help(number, &mut OracleHelperControl { stop: &stop });
            }
        };
        workers.run(threads - 1, &mut lead, &help);
        result.expect("`Workers::run` calls `lead`")
    }
}

type WorkerOf<P> = Worker<P, RulesOf<P>, EvaluatorOf<P>, OracleOf<P>>;

/// Sets a flag when it is dropped: helpers must stop when the main search ends, also by a panic.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The lines of root moves that are images of searched ones under symmetries of the position.
pub(crate) struct ImageLines<P: Position> {
    symmetries: Vec<MoveMap<P>>,
    /// The moves that are not searched.
    images: Vec<MoveOf<P>>,
    /// The number of lines that the caller wants.
    max_lines: usize,
    /// The number of lines of the iteration that are reported.
    lines: u32,
}

impl<P: Position> Default for ImageLines<P> {
    fn default() -> Self {
        ImageLines { symmetries: Vec::new(), images: Vec::new(), max_lines: 1, lines: 0 }
    }
}

impl<P: Position> ImageLines<P> {
    /// Returns the lines to report for a line of the search with its rank, each with its rank among all.
    fn lines(&mut self, rank: u32, pv: &[MoveOf<P>]) -> Vec<(u32, Vec<MoveOf<P>>)> {
        if self.images.is_empty() {
            return vec![(rank, pv.to_vec())];
        }
        // The lines of an iteration are reported together, the best first.
        if rank == 1 {
            self.lines = 0;
        }
        let mut lines = vec![pv.to_vec()];
        for map in &self.symmetries {
            let image: Vec<_> = pv.iter().map(|&mv| map(mv)).collect();
            let is_known = lines.iter().any(|line| line.first() == image.first());
            if !is_known && image.first().is_some_and(|first| self.images.contains(first)) {
                lines.push(image);
            }
        }
        let ranked = (self.lines + 1..=self.max_lines as u32).zip(lines).collect::<Vec<_>>();
        self.lines += ranked.len() as u32;
        ranked
    }
}

/// The control of a search as its monitor sees it: in plain data.
pub struct MonitorControl<'a, P: Position> {
    pub(crate) images: ImageLines<P>,
    pub(crate) root: &'a P,
    pub(crate) monitor: &'a mut dyn SearchMonitor,
    /// The best move reported so far.
    pub(crate) best: &'a mut Option<MoveOf<P>>,
}

impl<P: Position> SearchControl<MoveOf<P>> for MonitorControl<'_, P>
where
    P::Game: GameProfile<P>,
{
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.monitor.is_stopped(nodes)
    }

    fn report(&mut self, info: &SearchInfo<'_, MoveOf<P>>) {
        if info.multipv == 1 {
            *self.best = info.pv.first().copied();
        }
        for (rank, pv) in self.images.lines(info.multipv, info.pv) {
            self.monitor.on_report(SearchReport {
                multipv: rank,
                depth: info.depth,
                seldepth: info.seldepth,
                score: info.score.value(),
                bound: info.bound,
                mate_plies: info.score.mate_plies(),
                nodes: info.nodes,
                hashfull: info.hashfull,
                pv: format_pv(self.root, &pv),
                best_move_effort_permille: info.best_move_effort_permille,
                best_move_stability: info.best_move_stability,
                score_fall_cp: info.score_fall_cp,
                root_moves_done: info.root_moves_done,
                confidence: info.confidence,
                is_book: false,
            });
        }
    }
}

/// The control of the main search: it adds the nodes of the helpers.
struct MainControl<'a, C> {
    control: &'a mut C,
    helper_nodes: &'a AtomicU64,
}

impl<M, C: SearchControl<M>> SearchControl<M> for MainControl<'_, C> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.control.is_stopped(nodes + self.helper_nodes.load(Ordering::Relaxed))
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        let nodes = info.nodes + self.helper_nodes.load(Ordering::Relaxed);
        self.control.report(&SearchInfo { nodes, ..*info });
    }
}

/// The control of a helper's search: it stops with the main search, and when the oracle of that begins to solve. Its
/// reports are dropped.
struct HelperControl<'a, P: Position>
where
    P::Game: GameProfile<P>,
{
    stop: &'a AtomicBool,
    oracle: &'a OracleOf<P>,
    /// Whether the search was stopped for the oracle.
    is_stopped_for_oracle: bool,
    helper_nodes: &'a AtomicU64,
    /// The number of its nodes that are already in `helper_nodes`.
    counted: u64,
}

impl<P: Position> SearchControl<MoveOf<P>> for HelperControl<'_, P>
where
    P::Game: GameProfile<P>,
{
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.helper_nodes.fetch_add(nodes.saturating_sub(self.counted), Ordering::Relaxed);
        self.counted = nodes;
        self.is_stopped_for_oracle = self.oracle.is_solving();
        self.is_stopped_for_oracle || self.stop.load(Ordering::Relaxed)
    }

    fn report(&mut self, _info: &SearchInfo<'_, MoveOf<P>>) {}
}

/// The control of a helper of the oracle: it stops with the main search, which counts all nodes of the oracle.
struct OracleHelperControl<'a> {
    stop: &'a AtomicBool,
}

impl<M> SearchControl<M> for OracleHelperControl<'_> {
    fn is_stopped(&mut self, _nodes: u64) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn report(&mut self, _info: &SearchInfo<'_, M>) {}
}

/// Returns a line of moves in the default dialect, up to the first that is not legal.
pub(crate) fn format_pv<P: Position>(root: &P, moves: &[MoveOf<P>]) -> Vec<String>
where
    P::Game: GameProfile<P>,
{
    let mut position = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        texts.push(format_default(&position, mv));
        position.make(mv, &mut ());
    }
    texts
}
