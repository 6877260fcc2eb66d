//! Search for a session: the transposition table and histories that last from move to move, and the threads that share
//! them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use alfil_kernel::evaluate::{MATE, MATE_BOUND};
use alfil_kernel::{GameHistory, MoveList, MoveOf, Position, Score, SearchControl, SearchInfo};
use alfil_search::{SearchHistories, SearchRequest, SearchResult, SkillLevel, TranspositionTable, Worker};

use crate::game_profile::GameProfile;
use crate::game_session::{EventSink, SearchEvent, SearchLimits, SessionError};
use crate::pool;
use crate::time_manager::{LimitControl, StopSignal};
use crate::typed_session::{EvaluatorOf, RulesOf, TypedSession};

/// The memory and threads that a search may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResources {
    /// The size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// The number of search threads; 0 means 1.
    pub threads: usize,
}

impl Default for SearchResources {
    fn default() -> Self {
        SearchResources { hash_mib: 32, threads: 1 }
    }
}

/// Checks that the system can provide a table of this size. An allocation that fails later would abort the program.
///
/// Returns an error if there is not enough memory.
pub fn check_memory(mebibytes: usize) -> Result<(), SessionError> {
    let bytes = mebibytes.checked_mul(1 << 20);
    match bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok()) {
        true => Ok(()),
        false => Err(SessionError::new(format!(
            "not enough memory: {mebibytes} MiB requested; choose a smaller hash size"
        ))),
    }
}

/// The largest table that [`Searcher::prepare`] touches in advance, in MiB: a larger one would block the caller for
/// seconds.
const MAX_PREFAULT_MIB: usize = 1024;

/// The size of the table for a search at a skill level, in MiB. Each move gets a new table, so that a level plays the
/// same move in the same position whatever was searched before.
const LEVEL_HASH_MIB: usize = 1;

/// Runs the searches of a session. Clones share the table and the histories.
#[derive(Clone, Debug)]
pub(crate) struct Searcher<P: Position> {
    resources: SearchResources,
    /// Created on first use: most sessions never search.
    table: Arc<OnceLock<Arc<TranspositionTable>>>,
    /// The histories of the workers that are not searching now.
    histories: Arc<Mutex<Vec<SearchHistories<MoveOf<P>>>>>,
}

/// A position to search, with its history, rules and limits.
pub(crate) struct SearchTask<P: Position>
where
    P::Game: GameProfile<P>,
{
    pub(crate) game: GameHistory<P>,
    pub(crate) rules: RulesOf<P>,
    pub(crate) limits: SearchLimits,
    pub(crate) search_moves: Vec<MoveOf<P>>,
    pub(crate) excluded_moves: Vec<MoveOf<P>>,
}

impl<P: Position> SearchTask<P>
where
    P::Game: GameProfile<P>,
{
    fn request(&self) -> SearchRequest<MoveOf<P>> {
        SearchRequest {
            max_depth: self.limits.depth.unwrap_or(u32::MAX),
            multipv: self.limits.multipv,
            search_moves: self.search_moves.clone(),
            excluded_moves: self.excluded_moves.clone(),
            ..SearchRequest::default()
        }
    }

    /// Returns the first legal move that the request allows.
    fn first_allowed_move(&self) -> Option<MoveOf<P>> {
        let mut moves = MoveList::new();
        self.game.position().generate_legal(&mut moves);
        let request = self.request();
        moves.iter().copied().find(|&mv| request.is_allowed(mv))
    }
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<&str>().copied();
    message.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

impl<P: Position> Searcher<P>
where
    P::Game: GameProfile<P>,
{
    pub(crate) fn new(resources: &SearchResources) -> Self {
        Searcher { resources: resources.clone(), table: Arc::default(), histories: Arc::default() }
    }

    /// Replaces the table and the histories by empty ones. A search that still runs keeps the old ones.
    pub(crate) fn clear(&mut self) {
        self.table = Arc::default();
        self.histories = Arc::default();
    }

    /// Runs a search with the histories of an earlier search, and keeps its histories for the next one.
    fn with_worker<R>(
        &self,
        task: &SearchTask<P>,
        table: &Arc<TranspositionTable>,
        search: impl FnOnce(&mut WorkerOf<P>) -> R,
    ) -> R {
        // A panic loses the histories in use; they are not in the pool then.
        let idle = || self.histories.lock().unwrap_or_else(PoisonError::into_inner);
        let histories = idle().pop().unwrap_or_else(SearchHistories::new::<P::Game>);
        let mut worker = new_worker(task, table, histories);
        let result = search(&mut worker);
        let mut idle = idle();
        if idle.len() < self.resources.threads.max(1) {
            idle.push(worker.into_histories());
        }
        result
    }

    fn table(&self) -> Arc<TranspositionTable> {
        self.table.get_or_init(|| Arc::new(TranspositionTable::new(self.resources.hash_mib))).clone()
    }

    /// Creates the table and touches its memory, unless it exists already.
    pub(crate) fn prepare(&self) {
        self.table.get_or_init(|| {
            let mut table = TranspositionTable::new(self.resources.hash_mib);
            if self.resources.hash_mib <= MAX_PREFAULT_MIB {
                table.prefault();
            }
            Arc::new(table)
        });
    }

    /// Searches on the calling thread, with as many helpers as the resources allow, and passes events to the sink. The
    /// last event is always a best move: if the search panics, the best move so far or any legal move.
    pub(crate) fn run(&self, task: SearchTask<P>, signal: Arc<StopSignal>, mut sink: EventSink) {
        let root = task.game.position().clone();
        let mut last_best = None;
        // Unwind safety: of the state that a panic leaves behind, only the table is used again, and its entries are
        // valid at every moment. The histories of the search are lost.
        let search = AssertUnwindSafe(|| self.search(&task, signal, &mut sink, &mut last_best));
        let mv = match catch_unwind(search) {
            Ok(best) => best.mv,
            Err(panic) => {
                sink(SearchEvent::Failed(format!("the search failed: {}", panic_message(&*panic))));
                last_best.or_else(|| task.first_allowed_move())
            }
        };
        sink(SearchEvent::BestMove(mv.map(|mv| TypedSession::<P>::format_default(&root, mv))));
    }

    /// Runs the search itself and stores the best move reported so far in `best`.
    fn search(
        &self,
        task: &SearchTask<P>,
        signal: Arc<StopSignal>,
        sink: &mut EventSink,
        best: &mut Option<MoveOf<P>>,
    ) -> SearchResult<MoveOf<P>> {
        let root = task.game.position();
        let limits = &task.limits;
        let target_score = limits
            .mate_in_moves
            .map_or(Score::MAX, |moves| MATE - 2 * moves.min(MATE as u32 / 4) as Score + 1);
        let target_signal = signal.clone();
        let mut control = LimitControl::new(limits, signal, |info: &SearchInfo<'_, MoveOf<P>>, seconds| {
            if info.multipv == 1 {
                *best = info.pv.first().copied();
            }
            sink(info_event(root, info, seconds));
            if info.score >= target_score {
                target_signal.stop();
            }
        });
        match limits.level.map(SkillLevel::from_number) {
            Some(level) if level.is_random(task.game.ply()) => {
                let table = Arc::new(TranspositionTable::new(LEVEL_HASH_MIB));
                let mut player = new_worker(task, &table, SearchHistories::new::<P::Game>());
                player.search_at_level_with(level, limits.seed, &task.request(), &mut control)
            }
            _ => self.search_parallel(task, &mut control),
        }
    }

    /// Runs the main search while helper threads search the same position and share its table (Lazy SMP; "shared hash
    /// table" search of Hyatt and Östensen).
    fn search_parallel<C: SearchControl<MoveOf<P>>>(
        &self,
        task: &SearchTask<P>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let table = self.table();
        table.new_generation();
        let request = task.request();
        let (stopped, helper_nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let main = || {
            let _stop = StopOnDrop(&stopped);
            let mut main_control = MainControl { control, helper_nodes: &helper_nodes };
            let best =
                self.with_worker(task, &table, |worker| worker.search_with(&request, &mut main_control));
            SearchResult { nodes: best.nodes + helper_nodes.load(Ordering::Relaxed), ..best }
        };
        // Every second helper starts one ply deeper, so that the threads do not all search the same depth.
        let helper = |number| {
            let request = SearchRequest {
                start_depth: 1 + number as u32 % 2,
                multipv: 1,
                use_solver: false,
                ..request.clone()
            };
            let mut helper_control =
                HelperControl { stopped: &stopped, helper_nodes: &helper_nodes, reported_nodes: 0 };
            // A helper that panics is lost, and the main search continues; stderr has the message.
            let search =
                || self.with_worker(task, &table, |worker| worker.search_with(&request, &mut helper_control));
            let _ = catch_unwind(AssertUnwindSafe(search));
        };
        pool::run_with_helpers(self.resources.threads.max(1), main, helper)
    }
}

pub(crate) type OracleOf<P> = <<P as Position>::Game as GameProfile<P>>::Oracle;
type WorkerOf<P> = Worker<P, RulesOf<P>, EvaluatorOf<P>, OracleOf<P>>;

fn new_worker<P: Position>(
    task: &SearchTask<P>,
    table: &Arc<TranspositionTable>,
    histories: SearchHistories<MoveOf<P>>,
) -> WorkerOf<P>
where
    P::Game: GameProfile<P>,
{
    let (game, rules) = (task.game.clone(), task.rules.clone());
    Worker::with_histories(game, rules, EvaluatorOf::<P>::default(), table.clone(), histories)
        .with_oracle(<P::Game as GameProfile<P>>::oracle())
}

/// Sets the flag when dropped, also during unwinding, so that the helpers stop with the main search.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The search control of the main thread: adds the nodes of the helpers.
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

/// The search control of a helper: stops with the main search and reports nothing.
struct HelperControl<'a> {
    stopped: &'a AtomicBool,
    helper_nodes: &'a AtomicU64,
    /// The number of its nodes that `helper_nodes` includes already.
    reported_nodes: u64,
}

impl<M> SearchControl<M> for HelperControl<'_> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.helper_nodes.fetch_add(nodes.saturating_sub(self.reported_nodes), Ordering::Relaxed);
        self.reported_nodes = nodes;
        self.stopped.load(Ordering::Relaxed)
    }

    fn report(&mut self, _info: &SearchInfo<'_, M>) {}
}

/// Converts a report of a search from this position into plain data.
pub(crate) fn info_event<P: Position>(root: &P, info: &SearchInfo<'_, MoveOf<P>>, seconds: f64) -> SearchEvent
where
    P::Game: GameProfile<P>,
{
    SearchEvent::Info {
        multipv: info.multipv,
        depth: info.depth,
        seldepth: info.seldepth,
        score: info.score,
        mate_plies: mate_plies(info.score),
        nodes: info.nodes,
        hashfull: info.hashfull,
        seconds,
        pv: format_pv(root, info.pv),
    }
}

/// Returns the distance to mate in plies if the score announces one, positive if the side to move wins.
fn mate_plies(score: Score) -> Option<i32> {
    match score.abs() {
        MATE_BOUND.. => Some((MATE - score.abs()) * score.signum()),
        _ => None,
    }
}

/// Formats a line of moves in the default dialect, up to the first illegal move.
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
        texts.push(TypedSession::<P>::format_default(&position, mv));
        position.make(mv, &mut ());
    }
    texts
}
