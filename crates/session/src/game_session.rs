//! A game on a desk: the one object that every door talks to, in strings and plain data.
//!
//! [`Desk`] is object-safe, and the only dynamic dispatch in the house: once a click, or once a command.

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};

use alfil_kernel::{NotationError, Outcome, Side, Waivers};

use crate::appearance::Appearance;
use crate::rulings::{Ruling, RulingRequest};
use crate::search_task::{SearchLimits, SearchMonitor, SearchResources, SearchTask};
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// A change on the board, as a hand would make it. A page plays these; it never guesses and never compares boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardChange {
    /// A piece (by its letter) is put on an empty square.
    Put(String, char),
    /// A piece is lifted from a square.
    Remove(String, char),
    /// What stands on a square is turned over and is now this piece.
    Flip(String, char),
}

/// A place a man can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where the man stands; none where a new man is put.
    pub from: Option<String>,
    /// Where it goes; none for a pass.
    pub to: Option<String>,
    /// The move in the default dialect: what [`Desk::play`] takes.
    pub text: String,
    /// What will happen on the board.
    pub board_changes: Vec<BoardChange>,
    /// What tells this move from others between the same squares: the letter of the piece promoted to.
    pub promotion: Option<char>,
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// By how many men, as the rule book counts them; nothing in games that are not won by counting.
    pub margin: i32,
    /// The cause in one word of the command line: `perpetual_check`.
    pub cause: String,
    /// The verdict in a sentence for people.
    pub message: String,
    /// The same in Chinese.
    pub message_zh: String,
}

/// Everything a door shows of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionView {
    /// The position's text, counters included.
    pub fen: String,
    /// The side to move.
    pub side_to_move: Side,
    /// Who stands where: squares and letters.
    pub pieces: Vec<(String, char)>,
    /// The squares of the last move.
    pub last_move: Vec<String>,
    /// Where the king stands that is in check.
    pub checked_king: Option<String>,
    /// How many men each side has on the board, in games that are won by counting them.
    pub piece_counts: Option<[usize; 2]>,
    /// The hash key.
    pub hash_key: u64,
    /// How often the position has stood, this time included.
    pub occurrences: usize,
    /// How many plies have been played.
    pub ply: usize,
    /// The number of the next move, counted in pairs of plies from the number of the start's text.
    pub fullmove_number: u32,
    /// The verdict, if the game is over.
    pub game_end: Option<GameEnd>,
    /// How it stands, in a sentence: `Red to move, in check`.
    pub status: String,
}

/// A move that was played or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    /// What changed on the board.
    pub board_changes: Vec<BoardChange>,
    /// The move in the default dialect.
    pub text: String,
    /// What it was for the ear: `move`, `capture`, `check`, `end`.
    pub sound: &'static str,
    /// The verdict, if the game is over now.
    pub game_end: Option<GameEnd>,
}

/// What cannot be done, in one sentence that says what and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SessionError {
    /// The sentence.
    pub message: String,
    /// The same in Chinese, where people meet it: a text that cannot be read, a position or a move that cannot be played.
    pub message_zh: Option<String>,
    /// The dialect in which the move that was refused would be legal.
    pub other_dialect: Option<&'static str>,
}

impl SessionError {
    /// What cannot be done, in English.
    pub fn new(words: impl Into<String>) -> Self {
        SessionError { message: words.into(), message_zh: None, other_dialect: None }
    }

    /// A move that cannot be read or played, and the same in Chinese.
    pub(crate) fn from_notation_error<R: Display>(error: &NotationError<R>, words_zh: String) -> Self {
        let other = match error {
            NotationError::OtherDialect { other, .. } => Some(*other),
            _ => None,
        };
        SessionError { other_dialect: other, ..SessionError::new(error.to_string()).with_chinese(words_zh) }
    }

    /// The same error of one of many moves, numbered from 1.
    #[must_use]
    pub fn at_move(self, number: usize) -> Self {
        let words = format!("move {number}: {}", self.message);
        let words_zh = self.message_zh.map(|words| format!("第 {number} 着：{words}"));
        SessionError { message: words, message_zh: words_zh, ..self }
    }

    /// The same error in Chinese too.
    #[must_use]
    pub fn with_chinese(self, words: impl Into<String>) -> Self {
        SessionError { message_zh: Some(words.into()), ..self }
    }

    /// Any error, as its sentence.
    pub fn from_error(error: impl std::error::Error) -> Self {
        SessionError::new(error.to_string())
    }
}

/// One thing that is wrong with a set-up position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssueDescription {
    /// The name by which it is waived.
    pub name: &'static str,
    /// In a sentence with its squares.
    pub message: String,
    /// The same in Chinese.
    pub message_zh: String,
    /// The squares concerned.
    pub squares: Vec<String>,
    /// Whether it can be waived at all.
    pub is_waivable: bool,
}

/// A number for the lots of a level ([`Limits::seed`]), another at every call: a game asks once.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// What a count of the tree can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftRequest {
    /// Plies.
    pub depth: u32,
    /// Threads; 0 and 1 are one.
    pub threads: usize,
    /// Size of the table in MiB, which one thread fills; none to count without one.
    pub hash_mib: Option<usize>,
    /// The game's own convention of counting, where it has several; none for its default.
    pub convention: Option<String>,
    /// How first moves are written; none for the default dialect.
    pub dialect: Option<String>,
}

/// What a solver is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveRequest {
    /// Only who wins, or that nobody does: many times faster than the exact score.
    pub outcome_only: bool,
    /// Threads; 0 and 1 are one.
    pub threads: usize,
}

/// A position played out to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// For the side to move, in the game's own unit (discs); 1, 0 or -1 where only the outcome was asked for.
    pub score: i32,
    /// A move that reaches it, in the default dialect; none where the game is over.
    pub best_move: Option<String>,
    /// Best play to the end.
    pub pv: Vec<String>,
    /// Positions visited by all threads.
    pub nodes: u64,
}

/// A position of a problem file, and what the file says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line it stood on, from 1.
    pub line: usize,
    /// The position's text.
    pub fen: String,
    /// Its score for the side to move, where the file tells one.
    pub score: Option<i32>,
}

/// A game in play, of any kind, on any board.
pub trait GameSession: Send {
    /// The game's name on the command line.
    fn game(&self) -> &'static str;
    /// The board's name on the command line.
    fn board(&self) -> &'static str;
    /// What to draw.
    fn appearance(&self) -> &'static Appearance;
    /// The names of the dialects, the default first.
    fn dialects(&self) -> Vec<&'static str>;
    /// The names of the complaints that can be waived.
    fn waivable_issues(&self) -> &'static [&'static str];

    /// Starts again from this position text; `startpos` is the start of a game.
    ///
    /// # Errors
    /// If the text cannot be read, or the position cannot be played; the desk is then unchanged.
    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), SessionError>;

    /// The position text of men set up by hand.
    fn text_from_pieces(&self, men: &[(String, char)], side: Side) -> String;
    /// Everything that is wrong with the position of a text.
    ///
    /// # Errors
    /// If the text cannot be read.
    fn issues(&self, text: &str) -> Result<Vec<IssueDescription>, SessionError>;
    /// The men of a position text and the side to move, whatever is wrong with it.
    ///
    /// # Errors
    /// If the text cannot be read.
    fn pieces_of_text(&self, text: &str) -> Result<(Vec<(String, char)>, Side), SessionError>;

    /// How it stands.
    fn view(&self) -> PositionView;
    /// What is easily overlooked in the position.
    fn tactical_marks(&self) -> Vec<TacticalMark>;
    /// The legal moves of the man on a square, or all of them. A move that can be shown by several gestures (castling: the
    /// king goes two squares, or onto its rook) is there once for each, with the same text.
    fn targets(&self, square: Option<&str>) -> Vec<Target>;
    /// All legal moves in a dialect, sorted by their bytes.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn legal_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// A legal move given in the default dialect, as another dialect writes it.
    ///
    /// # Errors
    /// If it is no legal move here, or the game has no such dialect.
    fn format_move(&self, text: &str, dialect: Option<&str>) -> Result<String, SessionError>;

    /// A line of moves from here given in the default dialect, as another dialect writes it, up to the first that is no legal
    /// move.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn format_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// The dialect in which a text that somebody typed is to be read: the preferred one if the text is a move there,
    /// legal or not, else the first of the game's in which it is one; the preferred one if there is none. So `炮二平五` and
    /// `C2.5` need no name, and whatever the preferred dialect can say is still never guessed about.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn detect_dialect(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, SessionError>;

    /// Plays a move given in a dialect.
    ///
    /// # Errors
    /// If it is no legal move here, with the reason; the desk is then unchanged.
    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError>;
    /// Takes back the last move, if there is one.
    fn undo(&mut self) -> Option<MoveResult>;
    /// The moves played so far in a dialect.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn played_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;
    /// The names of the rule books that can rule on a game, the one between people first; none if there is only one.
    fn rulesets(&self) -> &'static [&'static str];
    /// A ruling on the game as it stands, under a named book, with its reasons.
    ///
    /// # Errors
    /// If the game has no named books, or none of that name.
    fn ruling(&self, ask: &RulingRequest) -> Result<Ruling, SessionError>;
    /// The verdict on the game as it stands.
    fn game_end(&self) -> Option<GameEnd>;
    /// The legal moves by which the game would end although it could go on, without a win for who plays them: a repetition
    /// that is judged, a limit. In the default dialect, each with its verdict.
    fn rule_ending_moves(&self) -> Vec<(String, GameEnd)>;
    /// What the fall of a side's flag means here: it loses, unless the other side could not win any more.
    fn flag_outcome(&self, side: Side) -> Outcome;

    /// The representation itself, in text.
    fn dump(&self) -> String;
    /// Counts the legal move paths to a depth. `on_root_move` receives each root move, in the requested dialect, with its count, from the
    /// thread that counted it.
    ///
    /// # Errors
    /// If the game has no such pass convention or dialect.
    fn perft(
        &self,
        request: &PerftRequest,
        workers: &dyn Workers,
        on_root_move: &(dyn Fn(&str, u128) + Sync),
    ) -> Result<u128, SessionError>;

    /// Solves the position exactly and returns when that is done. `monitor` receives each improvement and can not stop it.
    ///
    /// # Errors
    /// If the game has no solver.
    fn solve(
        &self,
        request: &SolveRequest,
        workers: &dyn Workers,
        monitor: &mut dyn SearchMonitor,
    ) -> Result<Solution, SessionError>;
    /// Reads a file of problems for the solver (Othello: OBF).
    ///
    /// # Errors
    /// If the game has none, or a line cannot be read, with its number.
    fn parse_problems(&self, text: &str) -> Result<Vec<Problem>, SessionError>;

    /// The positions visited by a fixed search with one thread: the same number on every board of a game, and another
    /// only when search or evaluation change.
    fn bench(&self) -> u64;

    /// What the position is worth at a glance, without thinking: hundredths, from the view of the side to move.
    fn static_eval(&self) -> i32;

    /// Chooses the rule book by which the game is played and thought about.
    ///
    /// # Errors
    /// If the game has no rule book of that name.
    fn set_ruleset(&mut self, book: &str) -> Result<(), SessionError>;

    /// Replaces the transposition table and sets the number of search threads.
    fn set_resources(&mut self, resources: &SearchResources);
    /// Clears transposition table and histories, for a new game.
    fn clear_search(&mut self);
    /// Takes the memory of the transposition table now, so that the first search does not wait for it. A table of 1 GiB may take seconds.
    fn prepare(&self);
    /// Returns a task that searches a copy of the position. The task leaves its table and histories to the session's next search.
    ///
    /// # Errors
    /// If a move that the limits name is not legal.
    fn search_task(&self, limits: &SearchLimits) -> Result<Box<dyn SearchTask>, SessionError>;
}
