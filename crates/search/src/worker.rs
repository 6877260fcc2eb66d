//! Whoever searches: a line, a rule book, an evaluation, a table, and what was learnt on the way.

use std::sync::Arc;

use alfil_kernel::{
    Bound, Control, Evaluate, Exact, Game, Info, Laws, Line, Move, MoveList, MoveOf, Outcome, Oracle, Position,
    Score, Verdict,
};

use crate::correct::Corrections;
use crate::history::Histories;
use crate::node::Frame;
use crate::order::Picker;
use crate::params::{ASK_EVERY, ASK_SHARE, MAX_PLY, SOLVE_DEPTH};
use crate::table::Table;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best<M> {
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
pub struct Ask<M> {
    /// The first iteration, in plies; 0 is taken as 1.
    pub first: u32,
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// How many best lines are wanted, each with another first move; 0 is taken as 1.
    pub lines: usize,
    /// The only first moves to think about; none given means all.
    pub only: Vec<M>,
    /// First moves not to think about.
    pub without: Vec<M>,
    /// A solver may be asked, if the game has one: where one line from all moves is wanted.
    pub solve: bool,
}

impl<M> Default for Ask<M> {
    /// One line, from all moves, until somebody says stop.
    fn default() -> Self {
        Ask { first: 1, depth: u32::MAX, lines: 1, only: Vec::new(), without: Vec::new(), solve: true }
    }
}

/// What a searcher learnt of moves and of its evaluation's errors: worth having in the next search, on the same game most of all.
#[derive(Clone, Debug)]
pub struct Memory<M> {
    histories: Histories<M>,
    corrections: Corrections,
}

impl<M: Move> Memory<M> {
    /// Nothing learnt yet of this game.
    pub fn new<G: Game<Move = M>>() -> Self {
        let histories = Histories::new::<G>();
        let corrections = Corrections::new(histories.no_slot());
        Memory { histories, corrections }
    }
}

impl<M: PartialEq> Ask<M> {
    /// Whether it is asked about this first move.
    pub fn allows(&self, mv: M) -> bool {
        (self.only.is_empty() || self.only.contains(&mv)) && !self.without.contains(&mv)
    }
}

/// A searcher. It owns a copy of the line, and gives it back as it was after every search.
#[derive(Debug)]
pub struct Worker<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P> = ()> {
    pub(crate) line: Line<P>,
    pub(crate) laws: L,
    pub(crate) eval: E,
    oracle: O,
    pub(crate) table: Arc<Table>,
    pub(crate) histories: Histories<MoveOf<P>>,
    pub(crate) corrections: Corrections,
    /// One for each ply below the root, as are pickers and the moves tried in vain.
    pub(crate) frames: Vec<Frame<MoveOf<P>>>,
    pub(crate) pickers: Vec<Picker<MoveOf<P>>>,
    pub(crate) tried: Vec<Vec<MoveOf<P>>>,
    /// The best line found from each ply on.
    pub(crate) variations: Vec<Vec<MoveOf<P>>>,
    /// The ply of the line at which the search began.
    pub(crate) root: usize,
    /// The first moves that this iteration may try.
    pub(crate) roots: Vec<MoveOf<P>>,
    /// What was visited under each first move since the search began.
    pub(crate) efforts: Vec<(MoveOf<P>, u64)>,
    /// The first move of the best line, and for how many depths it has been that.
    settled: (Option<MoveOf<P>>, u32),
    /// These are all the first moves there are.
    pub(crate) all_roots: bool,
    /// The depth of this iteration, in plies.
    pub(crate) iteration: usize,
    /// How often the road decided a score.
    pub(crate) roads: u64,
    nodes: u64,
    /// At so many nodes `Control` is asked next.
    ask_at: u64,
    deepest: usize,
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// A worker with a table of its own, of so many MiB.
    pub fn new(line: Line<P>, laws: L, eval: E, mebibytes: usize) -> Self {
        Self::sharing(line, laws, eval, Arc::new(Table::new(mebibytes)))
    }

    /// A worker that shares a table: with others that think about the same line at the same time (Lazy SMP), or with those that
    /// thought before it.
    pub fn sharing(line: Line<P>, laws: L, eval: E, table: Arc<Table>) -> Self {
        Self::remembering(line, laws, eval, table, Memory::new::<P::Game>())
    }

    /// A worker that shares a table and goes on from what another learnt before it: see [`Worker::into_memory`].
    pub fn remembering(
        mut line: Line<P>,
        laws: L,
        mut eval: E,
        table: Arc<Table>,
        memory: Memory<MoveOf<P>>,
    ) -> Self {
        line.reserve(MAX_PLY + 1);
        eval.reset(line.position());
        let Memory { histories, corrections } = memory;
        let frame = Frame { still: None, slot: histories.no_slot(), excluded: None };
        let lists = || (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect();
        let root = line.ply();
        Worker {
            line,
            laws,
            eval,
            oracle: (),
            table,
            histories,
            corrections,
            frames: vec![frame; MAX_PLY + 1],
            pickers: (0..=MAX_PLY).map(|_| Picker::new()).collect(),
            tried: lists(),
            variations: lists(),
            root,
            roots: Vec::new(),
            efforts: Vec::new(),
            settled: (None, 0),
            all_roots: true,
            iteration: 0,
            roads: 0,
            nodes: 0,
            ask_at: 0,
            deepest: 0,
        }
    }

    /// Sets the oracle that is asked for an exact value of the root.
    pub fn with_oracle<O: Oracle<P>>(self, oracle: O) -> Worker<P, L, E, O> {
        Worker {
            line: self.line,
            laws: self.laws,
            eval: self.eval,
            oracle,
            table: self.table,
            histories: self.histories,
            corrections: self.corrections,
            frames: self.frames,
            pickers: self.pickers,
            tried: self.tried,
            variations: self.variations,
            root: self.root,
            roots: self.roots,
            efforts: self.efforts,
            settled: self.settled,
            all_roots: self.all_roots,
            iteration: self.iteration,
            roads: self.roads,
            nodes: self.nodes,
            ask_at: self.ask_at,
            deepest: self.deepest,
        }
    }
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// What it learnt, for whoever searches next.
    pub fn into_memory(self) -> Memory<MoveOf<P>> {
        Memory { histories: self.histories, corrections: self.corrections }
    }

    /// The line it searches from.
    pub fn line(&self) -> &Line<P> {
        &self.line
    }

    /// Searches depth after depth up to `depth` plies, until `control` says stop or the outcome is known. Each finished
    /// depth is reported. However soon it is stopped, a legal move is given if there is one.
    pub fn think<C: Control<MoveOf<P>>>(&mut self, depth: u32, control: &mut C) -> Best<MoveOf<P>> {
        self.think_about(&Ask { depth, ..Ask::default() }, control)
    }

    /// Searches as asked: see [`Worker::think`]. Of several lines each is reported with its rank. A move is given unless there is no
    /// legal one among those asked for.
    pub fn think_about<C: Control<MoveOf<P>>>(
        &mut self,
        ask: &Ask<MoveOf<P>>,
        control: &mut C,
    ) -> Best<MoveOf<P>> {
        self.begin();
        let list = self.legal();
        let roots: Vec<_> = list.iter().copied().filter(|&mv| ask.allows(mv)).collect();
        let mut best = Best { mv: roots.first().copied(), score: 0, depth: 0, nodes: 0 };
        if list.is_empty() {
            best.score = self.no_move(0);
            return best;
        }
        let lines = ask.lines.clamp(1, roots.len().max(1));
        let mut scores = vec![0; lines];
        let may_solve = ask.solve && lines == 1 && roots.len() == list.len();
        for depth in ask.first.max(1)..=ask.depth.min(MAX_PLY as u32 - 1) {
            if may_solve && depth == SOLVE_DEPTH && self.solve(&mut best, control) {
                break;
            }
            if roots.is_empty() || self.iterate(depth, &roots, &mut scores, &mut best, control).is_none() {
                break;
            }
            // A forced end: what was pruned on the way may hide a sooner one, but hardly from twice the depth.
            if scores.iter().all(|&score| ends_within(score, depth / 2)) {
                break;
            }
        }
        best.nodes = self.nodes;
        best
    }

    /// A new search starts to count.
    pub(crate) fn begin(&mut self) {
        (self.nodes, self.ask_at) = (0, ASK_EVERY);
        self.efforts.clear();
        self.settled = (None, 0);
        self.histories.forget_killers();
    }

    /// Positions visited since the search began.
    pub(crate) fn visited(&self) -> u64 {
        self.nodes
    }

    /// Lets a solver have its say; whether it settled the matter. Its positions count as searched, also where it was stopped.
    fn solve<C: Control<MoveOf<P>>>(&mut self, best: &mut Best<MoveOf<P>>, control: &mut C) -> bool {
        let mut counted = Counted { control, before: self.nodes, nodes: self.nodes };
        let exact = self.oracle.solve(self.line.position(), &mut counted);
        self.nodes = counted.nodes;
        let Some(Exact { score, mv, depth }) = exact else { return false };
        *best = Best { mv: mv.or(best.mv), score, depth, nodes: self.nodes };
        self.variations[0].clear();
        self.variations[0].extend(best.mv);
        self.deepest = depth as usize;
        self.report(1, depth, score, control);
        true
    }

    /// One depth: the best lines in turn, each without the first moves of those before it. `None` when it was stopped.
    fn iterate<C: Control<MoveOf<P>>>(
        &mut self,
        depth: u32,
        roots: &[MoveOf<P>],
        scores: &mut [Score],
        best: &mut Best<MoveOf<P>>,
        control: &mut C,
    ) -> Option<()> {
        self.iteration = depth as usize;
        self.roots.clear();
        self.roots.extend_from_slice(roots);
        for (rank, last) in (1..).zip(scores) {
            self.deepest = 0;
            self.all_roots = rank == 1 && roots.len() == self.legal().len();
            let Some(score) = self.deepen(depth as i32, *last, control) else {
                // The last iteration's move was tried first: whatever has raised alpha since is better.
                best.mv = self.variations[0].first().copied().filter(|_| rank == 1).or(best.mv);
                return None;
            };
            *last = score;
            let first = self.variations[0].first().copied();
            if rank == 1 {
                *best = Best { mv: first.or(best.mv), score, depth, nodes: self.nodes };
                let (mv, depths) = self.settled;
                self.settled = (first, if mv == first { depths + 1 } else { 1 });
            }
            self.report(rank, depth, score, control);
            self.roots.retain(|&mv| Some(mv) != first);
        }
        Some(())
    }

    /// The legal moves at the end of the line, in their own order, which is the same on every board.
    pub(crate) fn legal(&self) -> MoveList<MoveOf<P>> {
        let mut list = MoveList::new();
        self.line.position().moves(&mut list);
        list.sort_unstable();
        list
    }

    pub(crate) fn report<C: Control<MoveOf<P>>>(&self, rank: u32, depth: u32, score: Score, control: &mut C) {
        control.report(&Info {
            depth,
            seldepth: self.deepest as u32,
            score,
            bound: Bound::Exact,
            nodes: self.nodes,
            line: &self.variations[0],
            rank,
            full: self.table.full(),
            effort: self.effort(),
            stable: self.settled.1,
        });
    }

    /// So many positions more were visited under a first move.
    pub(crate) fn spend(&mut self, mv: MoveOf<P>, nodes: u64) {
        match self.efforts.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, spent)) => *spent += nodes,
            None => self.efforts.push((mv, nodes)),
        }
    }

    /// How much of what was visited lies under the first move of the line, in thousandths.
    fn effort(&self) -> u32 {
        let first = self.variations[0].first();
        let under = |&&(mv, _): &&(MoveOf<P>, u64)| Some(&mv) == first;
        let all: u64 = self.efforts.iter().map(|&(_, nodes)| nodes).sum();
        let spent = self.efforts.iter().find(under).map_or(all, |&(_, nodes)| nodes);
        (spent * 1000).checked_div(all).unwrap_or(1000) as u32
    }

    /// Counts a position; `None` when the search must stop.
    #[inline]
    pub(crate) fn visit<C: Control<MoveOf<P>>>(&mut self, ply: usize, control: &mut C) -> Option<()> {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes < self.ask_at {
            return Some(());
        }
        self.ask_at = self.nodes + (self.nodes / ASK_SHARE).clamp(1, ASK_EVERY);
        if control.stop(self.nodes) { None } else { Some(()) }
    }

    /// The best line from `ply` on begins with this move.
    pub(crate) fn extend_variation(&mut self, ply: usize, mv: MoveOf<P>) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// What it is worth that the side to move has no legal move.
    pub(crate) fn no_move(&self, ply: usize) -> Score {
        let position = self.line.position();
        self.eval.settle(&self.laws.no_move(position), position.side(), ply as u32)
    }

    /// What an outcome is worth to the side to move.
    pub(crate) fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        self.eval.settle(&Verdict::new(outcome, ()), self.line.side(), ply as u32)
    }
}

/// Whether the score is a forced end within so many plies.
pub(crate) fn ends_within(score: Score, depth: u32) -> bool {
    alfil_kernel::evaluate::MATE - score.abs() <= depth as i32
}

/// The control of a solver: what it visits is added to what was searched before.
struct Counted<'a, C> {
    control: &'a mut C,
    before: u64,
    nodes: u64,
}

impl<M, C: Control<M>> Control<M> for Counted<'_, C> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.nodes = self.before + nodes;
        self.control.stop(self.nodes)
    }

    fn report(&mut self, info: &Info<'_, M>) {
        self.control.report(&Info { nodes: self.before + info.nodes, ..*info });
    }
}

#[cfg(test)]
mod tests {
    use alfil_kernel::{Info, Line, MoveOf, Position};
    use alfil_evaluation::xiangqi::Values;
    use alfil_xiangqi::{Bitboard, Ruleset, Xiangqi};

    use super::*;

    struct Patience;

    impl<M> Control<M> for Patience {
        fn stop(&mut self, _nodes: u64) -> bool {
            false
        }

        fn report(&mut self, _info: &Info<'_, M>) {}
    }

    #[test]
    fn what_was_learnt_is_used_by_the_next_search() {
        let line = Line::<Bitboard>::start_of_game();
        let search = |memory| {
            let table = Arc::new(Table::new(1));
            let (laws, eval) = (Ruleset::COMPUTER, Values::default());
            let mut worker = Worker::remembering(line.clone(), laws, eval, table, memory);
            (worker.think(6, &mut Patience).nodes, worker.into_memory())
        };
        let (fresh, memory) = search(Memory::new::<Xiangqi>());
        let (again, _) = search(memory);
        assert_eq!(search(Memory::new::<Xiangqi>()).0, fresh);
        assert_ne!(again, fresh);
    }

    #[test]
    fn what_some_of_the_moves_are_worth_is_not_remembered_of_the_position() {
        let line = Line::<Bitboard>::start_of_game();
        let key = line.position().key();
        let mut worker = Worker::new(line, Ruleset::COMPUTER, Values::default(), 1);
        let only = vec![worker.legal()[0]];
        worker.think_about(&Ask { depth: 4, only, ..Ask::default() }, &mut Patience);
        assert_eq!(worker.table.probe::<MoveOf<Bitboard>>(key, 0), None);
        worker.think(4, &mut Patience);
        assert!(worker.table.probe::<MoveOf<Bitboard>>(key, 0).is_some_and(|found| found.depth >= 3));
    }
}
