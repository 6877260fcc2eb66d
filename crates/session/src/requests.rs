//! Requests to count or to solve, and exact solutions.

/// Where a count is cut into parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerftSplit {
    /// After the first move. Every root move is a part, even if two of them lead to images of one position.
    #[default]
    RootMoves,
    /// After as few plies as give [`AUTOMATIC_PARTS`] parts, but [`LAST_PLIES`] before the last.
    Automatic,
    /// After this many plies.
    Plies(u32),
}

/// The number of parts at which [`PerftSplit::Automatic`] stops.
pub const AUTOMATIC_PARTS: usize = 500;

/// The plies that [`PerftSplit::Automatic`] leaves to each part: more if there are enough parts before, fewer if the
/// depth is not greater.
pub const LAST_PLIES: u32 = 4;

/// The options of a perft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftRequest {
    /// The depth in plies.
    pub depth: u32,
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// The size of the table of subtree counts in MiB, which the threads share; `None` to count without one.
    pub hash_mib: Option<usize>,
    /// A number that decides where a position is in the table, and nothing else.
    pub hash_seed: u64,
    /// Where the count is cut into parts.
    pub split: PerftSplit,
    /// The convention for counting passes, in games that have several; `None` for the default.
    pub convention: Option<String>,
    /// The dialect of the root moves; `None` for the default.
    pub dialect: Option<String>,
}

/// The options of an exact solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveRequest {
    /// Whether to find only the winner, which is many times faster than the exact score.
    pub outcome_only: bool,
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// Whether to find the score of every move, not only of a best one.
    pub scores_all_moves: bool,
    /// The size of the solver's table in MiB; `None` for one that suits the position. The session keeps the table for
    /// its next solution.
    pub hash_mib: Option<usize>,
}

/// The exact solution of a position, with moves of a game or as text in the default dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M = String> {
    /// The final score for the side to move, in the unit of the game (discs); 1, 0 or -1 if only the outcome was
    /// requested.
    pub score: i32,
    /// The best line to the end of the game.
    pub pv: Vec<M>,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The score of every legal move, the best first; empty unless they were requested.
    pub move_scores: Vec<(M, i32)>,
}

impl<M> Solution<M> {
    /// Returns a move that reaches the score; `None` if the game is over.
    pub fn best_move(&self) -> Option<&M> {
        self.pv.first()
    }
}

/// A position of a problem file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of its line in the file, from 1.
    pub line: usize,
    /// The position text.
    pub fen: String,
    /// The score for the side to move that the file states, if it does.
    pub score: Option<i32>,
}
