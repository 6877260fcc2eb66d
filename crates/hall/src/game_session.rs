//! A game being played or analysed: the object-safe interface that the command line and the server use, in strings and
//! plain data.
//!
//! [`GameSession`] is the only dynamic dispatch of the library crates: it happens once a click or command.

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use alfil_kernel::{NotationError, Outcome, Side, Waivers};

use crate::appearance::Appearance;
use crate::rulings::{Ruling, RulingRequest};
use crate::searcher::SearchResources;
use crate::tactical_marks::TacticalMark;
use crate::time_manager::{StopSignal, TimeBudget};

/// A change on the board. A user interface applies the changes of a move in order, and needs no rules and no comparison
/// of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardChange {
    /// A piece (by its letter) appears on an empty square.
    Put(String, char),
    /// A piece is removed from a square.
    Remove(String, char),
    /// The disc on a square is flipped and is now this piece.
    Flip(String, char),
}

/// A destination of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The square of the piece; `None` where a new piece is placed.
    pub from: Option<String>,
    /// The square it goes to; `None` for a pass.
    pub to: Option<String>,
    /// The move in the default dialect, as [`GameSession::play`] takes it.
    pub text: String,
    /// What the move changes on the board, in order.
    pub board_changes: Vec<BoardChange>,
    /// The letter of the piece promoted to; it distinguishes the moves between the same two squares.
    pub promotion: Option<char>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The number of pieces by which the winner is ahead, as the ruleset counts them; 0 in games that are not won by
    /// counting.
    pub margin: i32,
    /// The cause as one word, as JSON and the command line write it: `perpetual_check`.
    pub cause: String,
    /// The verdict as an English sentence.
    pub message: String,
    /// The verdict as a Chinese sentence.
    pub message_zh: String,
}

/// A position with everything that a user interface shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionView {
    /// The position text, move counters included.
    pub fen: String,
    /// The side to move.
    pub side_to_move: Side,
    /// The occupied squares with the letters of their pieces.
    pub pieces: Vec<(String, char)>,
    /// The squares of the last move.
    pub last_move: Vec<String>,
    /// The square of the king that is in check.
    pub checked_king: Option<String>,
    /// The number of pieces of each side on the board, in games that are won by counting them.
    pub piece_counts: Option<[usize; 2]>,
    /// The hash key.
    pub hash_key: u64,
    /// How often the position has occurred in the game, this time included.
    pub occurrences: usize,
    /// The number of plies played.
    pub ply: usize,
    /// The number of the next move, counted in pairs of plies from the number in the text of the start position.
    pub fullmove_number: u32,
    /// The verdict, if the game is over.
    pub game_end: Option<GameEnd>,
    /// The state of the game as a sentence: `Red to move, in check`.
    pub status: String,
}

/// The result of playing a move or taking it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    /// What changed on the board, in order.
    pub board_changes: Vec<BoardChange>,
    /// The move in the default dialect.
    pub text: String,
    /// The sound of the move: `move`, `capture`, `check` or `end`.
    pub sound: &'static str,
    /// The verdict, if the game is over now.
    pub game_end: Option<GameEnd>,
}

/// The reason why a request failed, as one sentence that names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SessionError {
    /// The English sentence.
    pub message: String,
    /// The Chinese sentence, for texts, positions and moves that users enter.
    pub message_zh: Option<String>,
    /// The dialect in which the rejected move would be legal.
    pub other_dialect: Option<&'static str>,
}

impl SessionError {
    /// Creates an error with an English message only.
    pub fn new(message: impl Into<String>) -> Self {
        SessionError { message: message.into(), message_zh: None, other_dialect: None }
    }

    /// Converts an error of the notation; `message_zh` is its Chinese message.
    pub(crate) fn from_notation_error<R: Display>(error: &NotationError<R>, message_zh: String) -> Self {
        let other = match error {
            NotationError::OtherDialect { other, .. } => Some(*other),
            _ => None,
        };
        SessionError { other_dialect: other, ..SessionError::new(error.to_string()).with_chinese(message_zh) }
    }

    /// Returns the same error, as an error of the move with this number in a list; the first move is number 1.
    #[must_use]
    pub fn at_move(self, number: usize) -> Self {
        let message = format!("move {number}: {}", self.message);
        let message_zh = self.message_zh.map(|message| format!("第 {number} 着：{message}"));
        SessionError { message, message_zh, ..self }
    }

    /// Adds the Chinese message.
    #[must_use]
    pub fn with_chinese(self, message_zh: impl Into<String>) -> Self {
        SessionError { message_zh: Some(message_zh.into()), ..self }
    }

    /// Converts any error into a session error with the same message.
    pub fn from_error(error: impl std::error::Error) -> Self {
        SessionError::new(error.to_string())
    }
}

/// An issue of a position that was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssueDescription {
    /// The name by which it is waived.
    pub name: &'static str,
    /// The issue as an English sentence with its squares.
    pub message: String,
    /// The issue as a Chinese sentence with its squares.
    pub message_zh: String,
    /// The squares concerned.
    pub squares: Vec<String>,
    /// Whether the issue can be waived at all.
    pub is_waivable: bool,
}

/// Returns a new random seed for [`SearchLimits::seed`] on every call; a game needs one.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The limits of a search. It ends at the first limit that it reaches; without limits it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// The maximum depth in plies; a skill level may lower it.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time since the start of the search.
    pub time: Option<Duration>,
    /// The minimum number of nodes, searched even after `time` has run out: on a busy machine a time limit alone may
    /// allow almost no search.
    pub min_nodes: u64,
    /// The skill level from 1 to 10; `None` for full strength.
    pub level: Option<u32>,
    /// The random seed of a skill level: each seed gives another game.
    pub seed: u64,
    /// The number of best lines to report, at full strength; 0 means 1.
    pub multipv: usize,
    /// The search stops when it has found a forced win in at most this number of moves of the winner.
    pub mate_in_moves: Option<u32>,
    /// The only root moves to search, in the default dialect; empty means all.
    pub search_moves: Vec<String>,
    /// The root moves not to search, in the default dialect.
    pub excluded_moves: Vec<String>,
    /// The time budget from the clock.
    pub time_budget: Option<TimeBudget>,
    /// Whether the search ponders: its own time starts with [`SearchHandle::ponder_hit`], and until then it uses the
    /// opponent's.
    pub ponder: bool,
}

/// A report of a running search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// A finished iteration or a new best line.
    Info {
        /// The rank of this line under MultiPV, from 1.
        multipv: u32,
        /// The depth in plies.
        depth: u32,
        /// The depth of the longest line searched, in plies.
        seldepth: u32,
        /// The score from the view of the side to move: centipawns, in Othello hundredths of a disc.
        score: i32,
        /// The distance to the end of a decided game in plies, positive if the side to move wins.
        mate_plies: Option<i32>,
        /// The number of nodes searched.
        nodes: u64,
        /// The fill level of the transposition table, in permille.
        hashfull: u32,
        /// The time since the start, in seconds.
        seconds: f64,
        /// The best line, in the default dialect.
        pv: Vec<String>,
    },
    /// The search failed with an internal error, described here. A legal best move follows nevertheless.
    Failed(String),
    /// The search has ended. Holds the best move in the default dialect, if there is a legal move.
    BestMove(Option<String>),
}

/// The receiver of search events; it is called on the search thread.
pub type EventSink = Box<dyn FnMut(SearchEvent) + Send>;

/// A handle to a running search: any thread can stop the search or wait for its end.
#[derive(Clone, Debug)]
pub struct SearchHandle {
    signal: Arc<StopSignal>,
    done: Arc<std::sync::Mutex<mpsc::Receiver<()>>>,
}

impl SearchHandle {
    /// Creates a handle, the signal that the search thread reads and the sender that it drops at its end.
    pub(crate) fn new(ponder: bool) -> (SearchHandle, Arc<StopSignal>, mpsc::Sender<()>) {
        let signal = Arc::new(StopSignal::new(ponder));
        let (sender, done) = mpsc::channel();
        (SearchHandle { signal: signal.clone(), done: Arc::new(std::sync::Mutex::new(done)) }, signal, sender)
    }

    /// Tells the search to stop at once; its best move still follows.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// The opponent played the expected move of a pondering search: the search continues on its own time.
    pub fn ponder_hit(&self) {
        self.signal.ponder_hit();
    }

    /// Waits until the last event was sent.
    pub fn join(&self) {
        // The search thread drops its sender when it ends in any way; a second wait returns at once.
        if let Ok(done) = self.done.lock() {
            let _ = done.recv();
        }
    }
}

/// The options of a perft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftRequest {
    /// The depth in plies.
    pub depth: u32,
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// The size of the hash table in MiB, filled by one thread; `None` to count without one.
    pub hash_mib: Option<usize>,
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
}

/// The exact solution of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final score for the side to move, in the unit of the game (discs); 1, 0 or -1 if only the outcome was
    /// requested.
    pub score: i32,
    /// A move that reaches the score, in the default dialect; `None` if the game is over.
    pub best_move: Option<String>,
    /// The best line to the end of the game.
    pub pv: Vec<String>,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
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

/// A game being played or analysed, of any kind, on any board.
pub trait GameSession: Send {
    /// Returns the name of the game on the command line.
    fn game(&self) -> &'static str;
    /// Returns the name of the board on the command line.
    fn board(&self) -> &'static str;
    /// Returns the appearance of board and pieces.
    fn appearance(&self) -> &'static Appearance;
    /// Returns the names of the dialects, the default first.
    fn dialects(&self) -> Vec<&'static str>;
    /// Returns the names of the issues that can be waived.
    fn waivable_issues(&self) -> &'static [&'static str];

    /// Starts again from a position text; `startpos` is the start position of the game.
    ///
    /// Returns an error if the text cannot be read or the position cannot be played; the session is then unchanged.
    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), SessionError>;

    /// Returns the position text of pieces that were set up by hand.
    fn text_from_pieces(&self, pieces: &[(String, char)], side: Side) -> String;
    /// Returns all issues of the position of a text.
    ///
    /// Returns an error if the text cannot be read.
    fn issues(&self, text: &str) -> Result<Vec<IssueDescription>, SessionError>;
    /// Returns the pieces of a position text and the side to move, whatever issues the position has.
    ///
    /// Returns an error if the text cannot be read.
    fn pieces_of_text(&self, text: &str) -> Result<(Vec<(String, char)>, Side), SessionError>;

    /// Returns the current position and state of the game.
    fn view(&self) -> PositionView;
    /// Returns the tactical marks of the position: blocked legs, screens, pins, attacks or stable discs.
    fn tactical_marks(&self) -> Vec<TacticalMark>;
    /// Returns the legal moves of the piece on a square, or all legal moves. A move that can be entered by several
    /// gestures (castling: the king moves two squares or onto its rook) occurs once for each, with the same text.
    fn targets(&self, square: Option<&str>) -> Vec<Target>;
    /// Returns all legal moves in a dialect, in byte order.
    ///
    /// Returns an error if the game has no such dialect.
    fn legal_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// Formats a legal move, given in the default dialect, in another dialect.
    ///
    /// Returns an error if the move is not legal here, or the game has no such dialect.
    fn format_move(&self, text: &str, dialect: Option<&str>) -> Result<String, SessionError>;

    /// Formats a line of moves from the current position, given in the default dialect, in another dialect, up to the
    /// first illegal move.
    ///
    /// Returns an error if the game has no such dialect.
    fn format_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// Returns the dialect in which to read a text that a user typed: the preferred one if the text is a move there,
    /// legal or not; otherwise the first dialect of the game in which it is one; otherwise the preferred one. So
    /// `炮二平五` and `C2.5` are read without naming a dialect, and a text that the preferred dialect can read is never
    /// guessed.
    ///
    /// Returns an error if the game has no such dialect.
    fn detect_dialect(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, SessionError>;

    /// Plays a move, given in a dialect.
    ///
    /// Returns an error with the reason if the move is not legal here; the session is then unchanged.
    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError>;
    /// Takes back the last move and returns what changed, or `None` at the start of the game.
    fn undo(&mut self) -> Option<MoveResult>;
    /// Returns the moves played so far in a dialect.
    ///
    /// Returns an error if the game has no such dialect.
    fn played_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;
    /// Returns the names of the rulesets of the game, the one for play between people first; empty if there is only
    /// one.
    fn rulesets(&self) -> &'static [&'static str];
    /// Rules on the current state of the game under a named ruleset, with the reasons.
    ///
    /// Returns an error if the game has no named rulesets, or none of that name.
    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, SessionError>;
    /// Returns the verdict on the current state of the game, or `None` if the game is not over.
    fn game_end(&self) -> Option<GameEnd>;
    /// Returns the legal moves that end the game by rule without a win for their side (a judged repetition, a move
    /// limit), although the opponent could still move. The moves are in the default dialect, each with its verdict.
    fn rule_ending_moves(&self) -> Vec<(String, GameEnd)>;
    /// Returns the outcome when a side runs out of time: a loss, or a draw if the opponent could not win any more.
    fn flag_outcome(&self, side: Side) -> Outcome;

    /// Returns the internal representation of the board as text.
    fn dump(&self) -> String;
    /// Counts the legal move paths. `on_count` receives each root move in the requested dialect with its count, on the
    /// thread that counted it.
    ///
    /// Returns an error if the game has no such convention or dialect, or there is not enough memory.
    fn perft(
        &self,
        request: &PerftRequest,
        on_count: &(dyn Fn(&str, u128) + Sync),
    ) -> Result<u128, SessionError>;

    /// Solves the position exactly, and returns when that is done. `on_event` receives the intermediate results.
    ///
    /// Returns an error if the game has no solver.
    fn solve(
        &self,
        request: &SolveRequest,
        on_event: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> Result<Solution, SessionError>;
    /// Reads a file of problems for the solver (Othello: OBF).
    ///
    /// Returns an error if the game has no problem files, or with the number of a line that cannot be read.
    fn parse_problems(&self, text: &str) -> Result<Vec<Problem>, SessionError>;

    /// Returns the node count of a fixed search with one thread. It is the same on every board of a game, and changes
    /// only with search or evaluation.
    fn bench(&self) -> u64;

    /// Returns the static evaluation from the view of the side to move: centipawns, in Othello hundredths of a disc.
    fn static_eval(&self) -> i32;

    /// Sets the ruleset by which the game is judged and searched.
    ///
    /// Returns an error if the game has no ruleset of that name.
    fn set_ruleset(&mut self, name: &str) -> Result<(), SessionError>;

    /// Replaces the transposition table and sets the number of threads.
    fn set_resources(&mut self, resources: &SearchResources);
    /// Clears the transposition table and the histories, for a new game.
    fn clear_search(&mut self);
    /// Allocates the transposition table, which the first search would otherwise do; this may take seconds for a GiB.
    fn prepare(&self);
    /// Starts a search of the position, on a copy of it and in a thread of its own, and returns at once. The table and
    /// histories are kept for the next search.
    ///
    /// Returns an error if a move in the limits is not legal, or the system cannot start a thread.
    fn start_search(&self, limits: &SearchLimits, sink: EventSink) -> Result<SearchHandle, SessionError>;
}
