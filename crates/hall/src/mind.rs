//! Thinking for a desk: what is kept from move to move, and the threads that share it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use alfil_kernel::evaluate::{MATE, MATE_BOUND};
use alfil_kernel::{Control, Info, Line, MoveList, MoveOf, Position, Score};
use alfil_search::{Ask, Best, Level, Memory, Table, Worker};

use crate::clock::{Signal, Watch};
use crate::desk::{DeskError, Limits, Sink, Thought};
use crate::pool;
use crate::room::Room;
use crate::session::{EvaluateOf, LawsOf, Session};

/// What whoever thinks may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Means {
    /// Size of the table, in MiB.
    pub hash: usize,
    /// How many threads think about one position; 0 is taken as 1.
    pub threads: usize,
}

impl Default for Means {
    fn default() -> Self {
        Means { hash: 32, threads: 1 }
    }
}

/// Whether the system would give a table of so many MiB: one that it refuses would be the end of the program.
///
/// # Errors
/// If it would not.
pub fn fits(mebibytes: usize) -> Result<(), DeskError> {
    let bytes = mebibytes.checked_mul(1 << 20);
    match bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok()) {
        true => Ok(()),
        false => Err(DeskError::new(format!("this machine has no {mebibytes} MiB to give"))),
    }
}

/// The largest table whose memory is taken beforehand, in MiB: more would keep whoever asks waiting for seconds.
const MOST_CLAIMED: usize = 1024;

/// Size of the table of a weakened player, in MiB. It is a new one for every move, so that a level plays the same move in the
/// same position whatever was thought about before.
const LEVEL_TABLE: usize = 1;

/// Whoever thinks for a desk. Copies share the table and the memories.
#[derive(Clone, Debug)]
pub(crate) struct Mind<P: Position> {
    means: Means,
    /// Made when it is first needed: most desks never think.
    table: Arc<OnceLock<Arc<Table>>>,
    /// What those learnt who thought before and do not think now.
    memories: Arc<Mutex<Vec<Memory<MoveOf<P>>>>>,
}

/// What is thought about.
pub(crate) struct Thinking<P: Position>
where
    P::Game: Room<P>,
{
    pub(crate) line: Line<P>,
    pub(crate) laws: LawsOf<P>,
    pub(crate) limits: Limits,
    pub(crate) only: Vec<MoveOf<P>>,
    pub(crate) without: Vec<MoveOf<P>>,
}

impl<P: Position> Thinking<P>
where
    P::Game: Room<P>,
{
    fn ask(&self) -> Ask<MoveOf<P>> {
        Ask {
            depth: self.limits.depth.unwrap_or(u32::MAX),
            lines: self.limits.lines,
            only: self.only.clone(),
            without: self.without.clone(),
            ..Ask::default()
        }
    }

    /// The first legal move that may be thought about.
    fn first(&self) -> Option<MoveOf<P>> {
        let mut moves = MoveList::new();
        self.line.position().moves(&mut moves);
        let ask = self.ask();
        moves.iter().copied().find(|&mv| ask.allows(mv))
    }
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nobody says why")
}

impl<P: Position> Mind<P>
where
    P::Game: Room<P>,
{
    pub(crate) fn new(means: &Means) -> Self {
        Mind { means: means.clone(), table: Arc::default(), memories: Arc::default() }
    }

    /// Forgets what was found out and learnt. A thought that still runs keeps the old.
    pub(crate) fn forget(&mut self) {
        self.table = Arc::default();
        self.memories = Arc::default();
    }

    /// Lets somebody think who goes on from what was learnt before, and keeps what is learnt now.
    fn remembering<R>(
        &self,
        thinking: &Thinking<P>,
        table: &Arc<Table>,
        think: impl FnOnce(&mut WorkerOf<P>) -> R,
    ) -> R {
        // A memory that somebody loses by a panic is not in the list.
        let memories = || self.memories.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = memories().pop().unwrap_or_else(Memory::new::<P::Game>);
        let mut thinker = worker(thinking, table, memory);
        let thought = think(&mut thinker);
        let mut memories = memories();
        if memories.len() < self.means.threads.max(1) {
            memories.push(thinker.into_memory());
        }
        thought
    }

    fn table(&self) -> Arc<Table> {
        self.table.get_or_init(|| Arc::new(Table::new(self.means.hash))).clone()
    }

    /// Makes the table and takes its memory, unless there is one.
    pub(crate) fn ready(&self) {
        self.table.get_or_init(|| {
            let mut table = Table::new(self.means.hash);
            if self.means.hash <= MOST_CLAIMED {
                table.claim();
            }
            Arc::new(table)
        });
    }

    /// Thinks on the thread it is called on, with what helpers the means allow, and tells the sink. Whoever waits for a move gets
    /// one, even where the search breaks off: what it had found out by then, or any legal move.
    pub(crate) fn think(&self, thinking: Thinking<P>, signal: Arc<Signal>, mut sink: Sink) {
        let root = thinking.line.position().clone();
        let mut told = None;
        // Nothing that a search leaves behind half done is used afterwards but the table, and that is sound at every moment;
        // what it had learnt is lost with it.
        let search = AssertUnwindSafe(|| self.search(&thinking, signal, &mut sink, &mut told));
        let mv = match catch_unwind(search) {
            Ok(best) => best.mv,
            Err(panic) => {
                sink(Thought::Failed(format!("the search broke off: {}", reason(&*panic))));
                told.or_else(|| thinking.first())
            }
        };
        sink(Thought::Best(mv.map(|mv| Session::<P>::default_text(&root, mv))));
    }

    /// The search itself. The best move told so far is kept in `best`.
    fn search(
        &self,
        thinking: &Thinking<P>,
        signal: Arc<Signal>,
        sink: &mut Sink,
        best: &mut Option<MoveOf<P>>,
    ) -> Best<MoveOf<P>> {
        let root = thinking.line.position();
        let limits = &thinking.limits;
        let enough =
            limits.mate.map_or(Score::MAX, |moves| MATE - 2 * moves.min(MATE as u32 / 4) as Score + 1);
        let found = signal.clone();
        let mut watch = Watch::new(limits, signal, |info: &Info<'_, MoveOf<P>>, seconds| {
            if info.rank == 1 {
                *best = info.line.first().copied();
            }
            sink(told(root, info, seconds));
            if info.score >= enough {
                found.stop();
            }
        });
        match limits.level.map(Level::of) {
            Some(level) if level.draws(thinking.line.ply()) => {
                let table = Arc::new(Table::new(LEVEL_TABLE));
                let mut player = worker(thinking, &table, Memory::new::<P::Game>());
                player.think_about_at(level, limits.seed, &thinking.ask(), &mut watch)
            }
            _ => self.together(thinking, &mut watch),
        }
    }

    /// The main thinker's search, while helpers search the same line and fill the same table (Lazy SMP; Hyatt's and
    /// Östensen's "shared hash table" parallel search): what one has found out, the others need not.
    fn together<C: Control<MoveOf<P>>>(&self, thinking: &Thinking<P>, control: &mut C) -> Best<MoveOf<P>> {
        let table = self.table();
        table.grow_older();
        let ask = thinking.ask();
        let (over, helped) = (AtomicBool::new(false), AtomicU64::new(0));
        let lead = || {
            let _over = Raise(&over);
            let mut leader = Leader { control, helped: &helped };
            let best = self.remembering(thinking, &table, |worker| worker.think_about(&ask, &mut leader));
            Best { nodes: best.nodes + helped.load(Ordering::Relaxed), ..best }
        };
        // Every other helper begins a ply deeper, so that they do not all look at the same at the same time.
        let help = |number| {
            let ask = Ask { first: 1 + number as u32 % 2, lines: 1, solve: false, ..ask.clone() };
            let mut helper = Helper { over: &over, helped: &helped, counted: 0 };
            // The main thinker does without a helper that breaks off; the standard error has the reason.
            let think = || self.remembering(thinking, &table, |worker| worker.think_about(&ask, &mut helper));
            let _ = catch_unwind(AssertUnwindSafe(think));
        };
        pool::crew(self.means.threads.max(1), lead, help)
    }
}

pub(crate) type OracleOf<P> = <<P as Position>::Game as Room<P>>::Oracle;
type WorkerOf<P> = Worker<P, LawsOf<P>, EvaluateOf<P>, OracleOf<P>>;

fn worker<P: Position>(thinking: &Thinking<P>, table: &Arc<Table>, memory: Memory<MoveOf<P>>) -> WorkerOf<P>
where
    P::Game: Room<P>,
{
    let (line, laws) = (thinking.line.clone(), thinking.laws.clone());
    Worker::remembering(line, laws, EvaluateOf::<P>::default(), table.clone(), memory).with_oracle(<P::Game as Room<P>>::oracle())
}

/// Raises a flag at the end, however it comes: helpers must not think on when the leader is gone.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The control of the main thinker, with the helpers' positions added.
struct Leader<'a, C> {
    control: &'a mut C,
    helped: &'a AtomicU64,
}

impl<M, C: Control<M>> Control<M> for Leader<'_, C> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.control.stop(nodes + self.helped.load(Ordering::Relaxed))
    }

    fn report(&mut self, info: &Info<'_, M>) {
        let nodes = info.nodes + self.helped.load(Ordering::Relaxed);
        self.control.report(&Info { nodes, ..*info });
    }
}

/// The control of a helper: it ends with the main thinker, and nobody hears it.
struct Helper<'a> {
    over: &'a AtomicBool,
    helped: &'a AtomicU64,
    /// How many of its positions were added already.
    counted: u64,
}

impl<M> Control<M> for Helper<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.helped.fetch_add(nodes.saturating_sub(self.counted), Ordering::Relaxed);
        self.counted = nodes;
        self.over.load(Ordering::Relaxed)
    }

    fn report(&mut self, _info: &Info<'_, M>) {}
}

/// A report of a search from this position, in plain data.
pub(crate) fn told<P: Position>(root: &P, info: &Info<'_, MoveOf<P>>, seconds: f64) -> Thought
where
    P::Game: Room<P>,
{
    Thought::Info {
        rank: info.rank,
        depth: info.depth,
        seldepth: info.seldepth,
        score: info.score,
        mate: mate(info.score),
        nodes: info.nodes,
        full: info.full,
        seconds,
        line: in_words(root, info.line),
    }
}

/// In how many plies the game ends, if the score says so.
fn mate(score: Score) -> Option<i32> {
    match score.abs() {
        MATE_BOUND.. => Some((MATE - score.abs()) * score.signum()),
        _ => None,
    }
}

/// A line of moves in the default dialect.
pub(crate) fn in_words<P: Position>(root: &P, moves: &[MoveOf<P>]) -> Vec<String>
where
    P::Game: Room<P>,
{
    let mut position = root.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        words.push(Session::<P>::default_text(&position, mv));
        position.make(mv, &mut ());
    }
    words
}
