//! Thinking for a desk: what is kept from move to move, and the threads that share it.

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

/// What whoever thinks may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResources {
    /// Size of the table, in MiB.
    pub hash_mib: usize,
    /// How many threads think about one position; 0 is taken as 1.
    pub threads: usize,
}

impl Default for SearchResources {
    fn default() -> Self {
        SearchResources { hash_mib: 32, threads: 1 }
    }
}

/// Whether the system would give a table of so many MiB: one that it refuses would be the end of the program.
///
/// # Errors
/// If it would not.
pub fn check_memory(mebibytes: usize) -> Result<(), SessionError> {
    let bytes = mebibytes.checked_mul(1 << 20);
    match bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok()) {
        true => Ok(()),
        false => Err(SessionError::new(format!("this machine has no {mebibytes} MiB to give"))),
    }
}

/// The largest table whose memory is taken beforehand, in MiB: more would keep whoever asks waiting for seconds.
const MAX_PREFAULT_MIB: usize = 1024;

/// Size of the table of a weakened player, in MiB. It is a new one for every move, so that a level plays the same move in the
/// same position whatever was thought about before.
const LEVEL_HASH_MIB: usize = 1;

/// Whoever thinks for a desk. Copies share the table and the memories.
#[derive(Clone, Debug)]
pub(crate) struct Searcher<P: Position> {
    resources: SearchResources,
    /// Made when it is first needed: most desks never think.
    table: Arc<OnceLock<Arc<TranspositionTable>>>,
    /// What those learnt who thought before and do not think now.
    histories: Arc<Mutex<Vec<SearchHistories<MoveOf<P>>>>>,
}

/// What is thought about.
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

    /// The first legal move that may be thought about.
    fn first_allowed_move(&self) -> Option<MoveOf<P>> {
        let mut moves = MoveList::new();
        self.game.position().generate_legal(&mut moves);
        let ask = self.request();
        moves.iter().copied().find(|&mv| ask.is_allowed(mv))
    }
}

/// What a panic said.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nobody says why")
}

impl<P: Position> Searcher<P>
where
    P::Game: GameProfile<P>,
{
    pub(crate) fn new(means: &SearchResources) -> Self {
        Searcher { resources: means.clone(), table: Arc::default(), histories: Arc::default() }
    }

    /// Forgets what was found out and learnt. A thought that still runs keeps the old.
    pub(crate) fn clear(&mut self) {
        self.table = Arc::default();
        self.histories = Arc::default();
    }

    /// Lets somebody think who goes on from what was learnt before, and keeps what is learnt now.
    fn with_worker<R>(
        &self,
        thinking: &SearchTask<P>,
        table: &Arc<TranspositionTable>,
        think: impl FnOnce(&mut WorkerOf<P>) -> R,
    ) -> R {
        // A memory that somebody loses by a panic is not in the list.
        let memories = || self.histories.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = memories().pop().unwrap_or_else(SearchHistories::new::<P::Game>);
        let mut thinker = new_worker(thinking, table, memory);
        let thought = think(&mut thinker);
        let mut memories = memories();
        if memories.len() < self.resources.threads.max(1) {
            memories.push(thinker.into_histories());
        }
        thought
    }

    fn table(&self) -> Arc<TranspositionTable> {
        self.table.get_or_init(|| Arc::new(TranspositionTable::new(self.resources.hash_mib))).clone()
    }

    /// Makes the table and takes its memory, unless there is one.
    pub(crate) fn prepare(&self) {
        self.table.get_or_init(|| {
            let mut table = TranspositionTable::new(self.resources.hash_mib);
            if self.resources.hash_mib <= MAX_PREFAULT_MIB {
                table.prefault();
            }
            Arc::new(table)
        });
    }

    /// Thinks on the thread it is called on, with what helpers the means allow, and tells the sink. Whoever waits for a move gets
    /// one, even where the search breaks off: what it had found out by then, or any legal move.
    pub(crate) fn run(&self, thinking: SearchTask<P>, signal: Arc<StopSignal>, mut sink: EventSink) {
        let root = thinking.game.position().clone();
        let mut told = None;
        // Nothing that a search leaves behind half done is used afterwards but the table, and that is sound at every moment;
        // what it had learnt is lost with it.
        let search = AssertUnwindSafe(|| self.search(&thinking, signal, &mut sink, &mut told));
        let mv = match catch_unwind(search) {
            Ok(best) => best.mv,
            Err(panic) => {
                sink(SearchEvent::Failed(format!("the search broke off: {}", panic_message(&*panic))));
                told.or_else(|| thinking.first_allowed_move())
            }
        };
        sink(SearchEvent::BestMove(mv.map(|mv| TypedSession::<P>::format_default(&root, mv))));
    }

    /// The search itself. The best move told so far is kept in `best`.
    fn search(
        &self,
        thinking: &SearchTask<P>,
        signal: Arc<StopSignal>,
        sink: &mut EventSink,
        best: &mut Option<MoveOf<P>>,
    ) -> SearchResult<MoveOf<P>> {
        let root = thinking.game.position();
        let limits = &thinking.limits;
        let enough = limits
            .mate_in_moves
            .map_or(Score::MAX, |moves| MATE - 2 * moves.min(MATE as u32 / 4) as Score + 1);
        let found = signal.clone();
        let mut watch = LimitControl::new(limits, signal, |info: &SearchInfo<'_, MoveOf<P>>, seconds| {
            if info.multipv == 1 {
                *best = info.pv.first().copied();
            }
            sink(info_event(root, info, seconds));
            if info.score >= enough {
                found.stop();
            }
        });
        match limits.level.map(SkillLevel::from_number) {
            Some(level) if level.is_random(thinking.game.ply()) => {
                let table = Arc::new(TranspositionTable::new(LEVEL_HASH_MIB));
                let mut player = new_worker(thinking, &table, SearchHistories::new::<P::Game>());
                player.search_at_level_with(level, limits.seed, &thinking.request(), &mut watch)
            }
            _ => self.search_parallel(thinking, &mut watch),
        }
    }

    /// The main thinker's search, while helpers search the same line and fill the same table (Lazy SMP; Hyatt's and
    /// Östensen's "shared hash table" parallel search): what one has found out, the others need not.
    fn search_parallel<C: SearchControl<MoveOf<P>>>(
        &self,
        thinking: &SearchTask<P>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let table = self.table();
        table.new_generation();
        let ask = thinking.request();
        let (over, helped) = (AtomicBool::new(false), AtomicU64::new(0));
        let lead = || {
            let _over = StopOnDrop(&over);
            let mut leader = MainControl { control, helper_nodes: &helped };
            let best = self.with_worker(thinking, &table, |worker| worker.search_with(&ask, &mut leader));
            SearchResult { nodes: best.nodes + helped.load(Ordering::Relaxed), ..best }
        };
        // Every other helper begins a ply deeper, so that they do not all look at the same at the same time.
        let help = |number| {
            let ask = SearchRequest {
                start_depth: 1 + number as u32 % 2,
                multipv: 1,
                use_solver: false,
                ..ask.clone()
            };
            let mut helper = HelperControl { stopped: &over, helper_nodes: &helped, reported_nodes: 0 };
            // The main thinker does without a helper that breaks off; the standard error has the reason.
            let think = || self.with_worker(thinking, &table, |worker| worker.search_with(&ask, &mut helper));
            let _ = catch_unwind(AssertUnwindSafe(think));
        };
        pool::run_with_helpers(self.resources.threads.max(1), lead, help)
    }
}

pub(crate) type OracleOf<P> = <<P as Position>::Game as GameProfile<P>>::Oracle;
type WorkerOf<P> = Worker<P, RulesOf<P>, EvaluatorOf<P>, OracleOf<P>>;

fn new_worker<P: Position>(
    thinking: &SearchTask<P>,
    table: &Arc<TranspositionTable>,
    memory: SearchHistories<MoveOf<P>>,
) -> WorkerOf<P>
where
    P::Game: GameProfile<P>,
{
    let (line, laws) = (thinking.game.clone(), thinking.rules.clone());
    Worker::with_histories(line, laws, EvaluatorOf::<P>::default(), table.clone(), memory)
        .with_oracle(<P::Game as GameProfile<P>>::oracle())
}

/// Raises a flag at the end, however it comes: helpers must not think on when the leader is gone.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The control of the main thinker, with the helpers' positions added.
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

/// The control of a helper: it ends with the main thinker, and nobody hears it.
struct HelperControl<'a> {
    stopped: &'a AtomicBool,
    helper_nodes: &'a AtomicU64,
    /// How many of its positions were added already.
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

/// A report of a search from this position, in plain data.
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

/// In how many plies the game ends, if the score says so.
fn mate_plies(score: Score) -> Option<i32> {
    match score.abs() {
        MATE_BOUND.. => Some((MATE - score.abs()) * score.signum()),
        _ => None,
    }
}

/// A line of moves in the default dialect.
pub(crate) fn format_pv<P: Position>(root: &P, moves: &[MoveOf<P>]) -> Vec<String>
where
    P::Game: GameProfile<P>,
{
    let mut position = root.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        words.push(TypedSession::<P>::format_default(&position, mv));
        position.make(mv, &mut ());
    }
    words
}
