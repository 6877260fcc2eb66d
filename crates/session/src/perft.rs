//! Perft in parts: the tree is cut after some plies. The positions there with the same [`PerftKey`] and the same
//! remaining depth are one part: one of them is counted, for all paths that lead to them. The parts and their order
//! follow from the request alone, so that several processes, or one that is started again, can divide them by their
//! numbers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use alfil_kernel::perft::{PathCounter, PerftKey, PerftTable};
use alfil_kernel::{GameHistory, MoveList, MoveOf, Notation as _, Position};

use crate::game_profile::{DialectOf, GameProfile, NotationOf, PassConventions};
use crate::requests::{AUTOMATIC_PARTS, LAST_PLIES, PerftRequest, PerftSplit};
use crate::searcher::check_memory;
use crate::session_error::SessionError;
use crate::workers::{Workers, parallel_map};

/// The maximum depth of a perft, in plies: more than any count reaches, and few enough for the stack of a thread.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Checks the depth of a perft.
///
/// # Errors
/// Returns an error if it is larger than [`MAX_PERFT_DEPTH`].
pub fn check_perft_depth(depth: u32) -> Result<(), SessionError> {
    match depth {
        0..=MAX_PERFT_DEPTH => Ok(()),
        _ => Err(SessionError::new(format!("depth {depth}: choose 0 to {MAX_PERFT_DEPTH}"))),
    }
}

/// The maximum number of parts, each of which takes some hundred bytes.
pub const MAX_PARTS: usize = 4_000_000;

/// A count below this many leaves is faster than a look into a table: the table has no counts of so few plies.
const MIN_STORED_LEAVES: u64 = 1000;

/// A perft in parts.
pub trait PerftPlan: Send + Sync {
    /// Returns the root moves in the requested dialect.
    fn root_moves(&self) -> &[String];

    /// Returns the number of plies after which the tree is cut.
    fn split_plies(&self) -> u32;

    /// Returns the number of parts.
    fn part_count(&self) -> usize;

    /// Returns the root moves that lead to a part, by index, each with the number of its paths to it.
    ///
    /// # Panics
    /// If there is no such part.
    fn paths_to(&self, part: usize) -> &[(usize, u64)];

    /// Counts the paths from one of the positions of a part: the count of the part is this number for each path to it.
    ///
    /// # Panics
    /// If there is no such part.
    fn count(&self, part: usize) -> u128;

    /// Returns a number that two plans share if they have the same parts in the same order.
    fn fingerprint(&self) -> u64;
}

/// The counters of a game on one board.
struct GameCounter<P: Position> {
    passes: Option<(PassConventions<P>, &'static str)>,
}

impl<P: Position> PathCounter<P> for GameCounter<P>
where
    P::Game: GameProfile<P>,
{
    fn count(&self, position: &P, depth: u32) -> u64 {
        match &self.passes {
            Some((passes, name)) => (passes.perft)(position, depth, name),
            None => position.perft(depth),
        }
    }

    fn key(&self, position: &P) -> Option<PerftKey> {
        <P::Game as GameProfile<P>>::perft_key(position)
    }

    fn depth_after(&self, mv: MoveOf<P>, depth: u32) -> u32 {
        match &self.passes {
            Some((passes, name)) => (passes.depth_after)(mv, depth, name),
            None => depth - 1,
        }
    }
}

/// A position that is counted alone.
struct Part<P> {
    position: P,
    depth: u32,
    /// The root moves that lead here, by index, each with the number of its paths.
    paths: Vec<(usize, u64)>,
}

/// The implementation of [`PerftPlan`] on one kind of board.
pub(crate) struct TypedPerftPlan<P: Position> {
    counter: GameCounter<P>,
    root_moves: Vec<String>,
    parts: Vec<Part<P>>,
    split_plies: u32,
    table: Option<PerftTable>,
}

impl<P: Position> TypedPerftPlan<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates the plan of a request. A depth of 0 and a finished game have one part, to which no root move
    /// leads.
    ///
    /// # Errors
    /// If there is not enough memory, or there are too many parts.
    pub(crate) fn new(
        game: &GameHistory<P>,
        request: &PerftRequest,
        dialect: DialectOf<P>,
        passes: Option<(PassConventions<P>, &'static str)>,
    ) -> Result<Self, SessionError> {
        let (root, counter) = (game.position(), GameCounter { passes });
        let mut plan = TypedPerftPlan {
            counter,
            root_moves: Vec::new(),
            parts: Vec::new(),
            split_plies: 0,
            table: None,
        };
        if let Some(mebibytes) = request.hash_mib {
            check_memory(mebibytes)?;
            let is_stored = |&depth: &u32| plan.counter.count(root, depth) >= MIN_STORED_LEAVES;
            // Below 8 plies every position of interest has a thousand leaves.
            let min_depth = (3..8).find(is_stored).unwrap_or(8);
            plan.table = Some(PerftTable::new(mebibytes, min_depth, request.hash_seed));
        }
        if request.depth == 0 || root.has_no_legal_move() {
            plan.parts.push(Part { position: root.clone(), depth: request.depth, paths: vec![] });
            return Ok(plan);
        }
        let mut moves = MoveList::new();
        root.generate_legal(&mut moves);
        for (index, &mv) in moves.iter().enumerate() {
            plan.root_moves.push(NotationOf::<P>::format_move(root, mv, dialect));
            let depth = plan.counter.depth_after(mv, request.depth);
            plan.parts.push(Part { position: after(root, mv), depth, paths: vec![(index, 1)] });
        }
        plan.split_plies = 1;
        let is_enough = |plan: &Self| match request.split {
            PerftSplit::RootMoves => true,
            PerftSplit::Plies(plies) => plan.split_plies >= plies.min(request.depth),
            PerftSplit::Automatic => {
                plan.parts.len() >= AUTOMATIC_PARTS || plan.split_plies + LAST_PLIES >= request.depth
            }
        };
        if request.split != PerftSplit::RootMoves {
            let mut merged = MergedParts::default();
            for part in std::mem::take(&mut plan.parts) {
                merged.add(part, &plan.counter)?;
            }
            plan.parts = merged.parts;
        }
        while !is_enough(&plan) {
            plan.parts = plan.next_ply()?;
            plan.split_plies += 1;
        }
        Ok(plan)
    }

    /// Returns the parts one ply later. A finished game stays a part.
    ///
    /// # Errors
    /// If there are too many.
    fn next_ply(&self) -> Result<Vec<Part<P>>, SessionError> {
        let mut parts = MergedParts::default();
        let mut moves = MoveList::new();
        for part in &self.parts {
            moves.clear();
            if part.depth > 0 {
                part.position.generate_legal(&mut moves);
            }
            if moves.is_empty() {
                let (position, paths) = (part.position.clone(), part.paths.clone());
                parts.add(Part { position, depth: part.depth, paths }, &self.counter)?;
            }
            for &mv in &moves {
                let (depth, paths) = (self.counter.depth_after(mv, part.depth), part.paths.clone());
                parts.add(Part { position: after(&part.position, mv), depth, paths }, &self.counter)?;
            }
        }
        Ok(parts.parts)
    }
}

/// Parts of which no two have the same key and depth.
struct MergedParts<P> {
    parts: Vec<Part<P>>,
    index_of: HashMap<(PerftKey, u32), usize>,
}

impl<P> Default for MergedParts<P> {
    fn default() -> Self {
        MergedParts { parts: Vec::new(), index_of: HashMap::new() }
    }
}

impl<P: Position> MergedParts<P>
where
    P::Game: GameProfile<P>,
{
    /// Adds a part, or its paths to the part with the same key and depth.
    ///
    /// # Errors
    /// If there are too many parts.
    fn add(&mut self, part: Part<P>, counter: &GameCounter<P>) -> Result<(), SessionError> {
        let index = match counter.key(&part.position) {
            Some(key) => *self.index_of.entry((key, part.depth)).or_insert(self.parts.len()),
            None => self.parts.len(),
        };
        match self.parts.get_mut(index) {
            Some(first) => first.add_paths(&part.paths),
            None if index >= MAX_PARTS => {
                return Err(SessionError::new(format!(
                    "there are more than {MAX_PARTS} parts: cut the tree after fewer plies"
                )));
            }
            None => self.parts.push(part),
        }
        Ok(())
    }
}

impl<P> Part<P> {
    fn add_paths(&mut self, paths: &[(usize, u64)]) {
        for &(root_move, count) in paths {
            match self.paths.iter_mut().find(|(known, _)| *known == root_move) {
                Some((_, known_count)) => *known_count += count,
                None => self.paths.push((root_move, count)),
            }
        }
    }
}

/// Returns the position after a legal move.
fn after<P: Position>(position: &P, mv: MoveOf<P>) -> P {
    let mut child = position.clone();
    child.make_without_undo(mv);
    child
}

impl<P: Position> PerftPlan for TypedPerftPlan<P>
where
    P::Game: GameProfile<P>,
{
    fn root_moves(&self) -> &[String] {
        &self.root_moves
    }

    fn split_plies(&self) -> u32 {
        self.split_plies
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn paths_to(&self, part: usize) -> &[(usize, u64)] {
        &self.parts[part].paths
    }

    fn count(&self, part: usize) -> u128 {
        let Part { position, depth, .. } = &self.parts[part];
        match &self.table {
            Some(table) => table.perft(&mut position.clone(), *depth, &self.counter),
            None => u128::from(self.counter.count(position, *depth)),
        }
    }

    fn fingerprint(&self) -> u64 {
        let mut mixed = 0;
        for part in &self.parts {
            let key = self.counter.key(&part.position);
            let key = key.unwrap_or(PerftKey([part.position.compute_hash_key(), 0, 0, 0]));
            mixed = key.mix(mixed);
            for &(root_move, paths) in &part.paths {
                mixed = PerftKey([part.depth.into(), root_move as u64, paths, 1]).mix(mixed);
            }
        }
        mixed
    }
}

/// Counts all parts of a plan. `on_root_move` receives each root move with its count when all of its parts are
/// counted, on the thread that counted the last.
pub(crate) fn count_all(
    plan: &Arc<dyn PerftPlan>,
    threads: usize,
    workers: &dyn Workers,
    on_root_move: &(dyn Fn(&str, u128) + Sync),
) -> u128 {
    let mut tally = RootMoveTally::new(plan.clone());
    if plan.root_moves().is_empty() {
        return (0..plan.part_count()).map(|part| plan.count(part)).sum();
    }
    let parts: Vec<usize> = (0..plan.part_count()).collect();
    let shared_tally = Mutex::new(&mut tally);
    parallel_map(&parts, threads, workers, |&part| {
        let count = plan.count(part);
        let finished =
            shared_tally.lock().expect("no worker panics while it holds the lock").add(part, count);
        for (root_move, count) in finished {
            on_root_move(&plan.root_moves()[root_move], count);
        }
    });
    tally.total()
}

/// The counts of the root moves, as the counts of the parts come in.
///
/// ```
/// use alfil_session::{PerftRequest, RootMoveTally, registry};
///
/// let session = registry::open("chess", None)?;
/// let plan = session.perft_plan(&PerftRequest { depth: 3, ..PerftRequest::default() })?;
/// let mut tally = RootMoveTally::new(plan.clone());
/// for part in 0..plan.part_count() {
///     tally.add(part, plan.count(part));
/// }
/// assert_eq!((tally.finished().count(), tally.total()), (20, 8902));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub struct RootMoveTally {
    plan: Arc<dyn PerftPlan>,
    /// For each root move, the number of parts to come, and the sum of the others.
    rows: Vec<(usize, u128)>,
}

impl RootMoveTally {
    /// Creates the tally of a plan, of which no part is counted yet.
    pub fn new(plan: Arc<dyn PerftPlan>) -> Self {
        let mut rows = vec![(0, 0); plan.root_moves().len()];
        for part in 0..plan.part_count() {
            for &(root_move, _) in plan.paths_to(part) {
                rows[root_move].0 += 1;
            }
        }
        RootMoveTally { plan, rows }
    }

    /// Adds the count of a part, which was not added before. Returns the root moves that are finished by it, by index,
    /// with their counts.
    ///
    /// # Panics
    /// If the plan has no such part.
    pub fn add(&mut self, part: usize, count: u128) -> Vec<(usize, u128)> {
        let mut finished = Vec::new();
        for &(root_move, paths) in self.plan.paths_to(part) {
            let row = &mut self.rows[root_move];
            row.0 -= 1;
            row.1 += count * u128::from(paths);
            if row.0 == 0 {
                finished.push((root_move, row.1));
            }
        }
        finished
    }

    /// Returns the sum of all counts so far.
    pub fn total(&self) -> u128 {
        self.rows.iter().map(|row| row.1).sum()
    }

    /// Returns the root moves all of whose parts are counted, with their counts, in the order of the plan.
    pub fn finished(&self) -> impl Iterator<Item = (&str, u128)> {
        let rows = self.plan.root_moves().iter().zip(&self.rows);
        rows.filter(|(_, row)| row.0 == 0).map(|(mv, row)| (mv.as_str(), row.1))
    }
}

#[cfg(test)]
mod tests {
    use crate::workers::CurrentThread;
    use crate::{PerftRequest, PerftSplit, registry};

    /// Positions with castling, en passant, promotions, checks, screens and passes, each with a depth.
    const POSITIONS: &[(&str, &str, u32)] = &[
        ("xiangqi", "startpos", 3),
        ("xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 3),
        ("chess", "startpos", 4),
        ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("chess", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
        ("othello", "startpos", 6),
        ("othello", "OOOOOOOO-OOOOOOOOOOXXXXOOOOXXXXOOOXXOOXOOOOOOOXO--OOO-O---OO---- X", 6),
    ];

    #[test]
    fn parts_and_tables_do_not_change_the_counts() {
        for &(game, fen, depth) in POSITIONS {
            let mut session = registry::open(game, None).unwrap();
            session.open(fen, &alfil_kernel::Waivers::None).unwrap();
            for convention in
                if game == "othello" { &[Some("ply"), Some("free"), Some("full")][..] } else { &[None] }
            {
                let request = PerftRequest {
                    depth,
                    convention: convention.map(str::to_owned),
                    ..PerftRequest::default()
                };
                let rows_of = |request: &PerftRequest| {
                    let rows = std::sync::Mutex::new(Vec::new());
                    let add = |mv: &str, count| rows.lock().unwrap().push((mv.to_owned(), count));
                    let total = session.perft(request, &CurrentThread, &add).unwrap();
                    let mut rows = rows.into_inner().unwrap();
                    rows.sort();
                    assert_eq!(rows.iter().map(|row| row.1).sum::<u128>(), total);
                    (total, rows)
                };
                let expected = rows_of(&request);
                for split in [PerftSplit::RootMoves, PerftSplit::Automatic]
                    .into_iter()
                    .chain((1..=depth + 1).map(PerftSplit::Plies))
                {
                    for hash_mib in [None, Some(1)] {
                        let request = PerftRequest { split, hash_mib, ..request.clone() };
                        assert_eq!(rows_of(&request), expected, "{game} {fen} {request:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn plans_differ_by_position_depth_and_split() {
        let fingerprint = |game: &str, moves: &[&str], request: PerftRequest| {
            let mut session = registry::open(game, None).unwrap();
            for mv in moves {
                session.play(mv, None).unwrap();
            }
            session.perft_plan(&request).unwrap().fingerprint()
        };
        let depth = |depth| PerftRequest { depth, ..PerftRequest::default() };
        let split = |plies| PerftRequest { split: PerftSplit::Plies(plies), ..depth(5) };
        let found = [
            fingerprint("chess", &[], depth(5)),
            fingerprint("chess", &[], depth(6)),
            fingerprint("chess", &["e2e4"], depth(5)),
            fingerprint("chess", &[], split(2)),
            fingerprint("chess", &[], split(3)),
            fingerprint("xiangqi", &[], split(3)),
        ];
        let distinct: std::collections::HashSet<u64> = found.into_iter().collect();
        assert_eq!(distinct.len(), found.len());
        assert_eq!(fingerprint("chess", &[], split(3)), found[4]);
    }
}
