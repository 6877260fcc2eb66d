//! A game on a desk: the one object that every door talks to, in strings and plain data.
//!
//! [`Desk`] is object-safe, and the only dynamic dispatch in the house: once a click, or once a command.

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use alfil_kernel::{NotationError, Outcome, Side, Waivers};

use crate::clock::{Bounds, Signal};
use crate::judge::{JudgeAsk, Ruling};
use crate::look::Look;
use crate::mind::Means;
use crate::sight::Sight;

/// A change on the board, as a hand would make it. A page plays these; it never guesses and never compares boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A piece (by its letter) is put on an empty square.
    Put(String, char),
    /// A piece is lifted from a square.
    Lift(String, char),
    /// What stands on a square is turned over and is now this piece.
    Turn(String, char),
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
    pub script: Vec<Change>,
    /// What tells this move from others between the same squares: the letter of the piece promoted to.
    pub choice: Option<char>,
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// By how many men, as the rule book counts them; nothing in games that are not won by counting.
    pub margin: i32,
    /// The cause in one word of the command line: `perpetual_check`.
    pub cause: String,
    /// The verdict in a sentence for people.
    pub words: String,
    /// The same in Chinese.
    pub words_zh: String,
}

/// Everything a door shows of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The position's text, counters included.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// Who stands where: squares and letters.
    pub men: Vec<(String, char)>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// Where the king stands that is in check.
    pub check: Option<String>,
    /// How many men each side has on the board, in games that are won by counting them.
    pub tally: Option<[usize; 2]>,
    /// The hash key.
    pub key: u64,
    /// How often the position has stood, this time included.
    pub occurrences: usize,
    /// How many plies have been played.
    pub ply: usize,
    /// The number of the next move, counted in pairs of plies from the number of the start's text.
    pub number: u32,
    /// The verdict, if the game is over.
    pub ending: Option<Ending>,
    /// How it stands, in a sentence: `Red to move, in check`.
    pub words: String,
}

/// A move that was played or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What changed on the board.
    pub script: Vec<Change>,
    /// The move in the default dialect.
    pub text: String,
    /// What it was for the ear: `move`, `capture`, `check`, `end`.
    pub sound: &'static str,
    /// The verdict, if the game is over now.
    pub ending: Option<Ending>,
}

/// What cannot be done, in one sentence that says what and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct DeskError {
    /// The sentence.
    pub words: String,
    /// The same in Chinese, where people meet it: a text that cannot be read, a position or a move that cannot be played.
    pub words_zh: Option<String>,
    /// The dialect in which the move that was refused would be legal.
    pub other: Option<&'static str>,
}

impl DeskError {
    /// What cannot be done, in English.
    pub fn new(words: impl Into<String>) -> Self {
        DeskError { words: words.into(), words_zh: None, other: None }
    }

    /// A move that cannot be read or played, and the same in Chinese.
    pub(crate) fn refused<R: Display>(error: &NotationError<R>, words_zh: String) -> Self {
        let other = match error {
            NotationError::OtherDialect { other, .. } => Some(*other),
            _ => None,
        };
        DeskError { other, ..DeskError::new(error.to_string()).chinese(words_zh) }
    }

    /// The same error of one of many moves, numbered from 1.
    #[must_use]
    pub fn of_move(self, number: usize) -> Self {
        let words = format!("move {number}: {}", self.words);
        let words_zh = self.words_zh.map(|words| format!("第 {number} 着：{words}"));
        DeskError { words, words_zh, ..self }
    }

    /// The same error in Chinese too.
    #[must_use]
    pub fn chinese(self, words: impl Into<String>) -> Self {
        DeskError { words_zh: Some(words.into()), ..self }
    }

    /// Any error, as its sentence.
    pub fn from(error: impl std::error::Error) -> Self {
        DeskError::new(error.to_string())
    }
}

/// One thing that is wrong with a set-up position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grievance {
    /// The name by which it is waived.
    pub name: &'static str,
    /// In a sentence with its squares.
    pub words: String,
    /// The same in Chinese.
    pub words_zh: String,
    /// The squares concerned.
    pub squares: Vec<String>,
    /// Whether it can be waived at all.
    pub waivable: bool,
}

/// A number for the lots of a level ([`Limits::seed`]), another at every call: a game asks once.
pub fn lot() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// How long to think. Whatever is reached first ends it; with nothing set, only a stop does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies; a level looks no deeper than it is used to.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time from the start of thinking.
    pub time: Option<Duration>,
    /// So many positions are looked at however late it is: on a machine that has much to do, time alone buys no thought.
    pub least: u64,
    /// Strength from 1 to 10; none for full strength.
    pub level: Option<u32>,
    /// What a level draws its moves by: of another number comes another game.
    pub seed: u64,
    /// How many best lines are wanted, at full strength; 0 is taken as 1.
    pub lines: usize,
    /// A forced win in so many moves of the winner is enough.
    pub mate: Option<u32>,
    /// The only first moves to think about, in the default dialect; none given means all.
    pub only: Vec<String>,
    /// First moves not to think about, in the default dialect.
    pub without: Vec<String>,
    /// What the clock allows.
    pub clock: Option<Bounds>,
    /// Its time on the clock begins only with [`Job::hit`]: until then it thinks in the opponent's.
    pub ponder: bool,
}

/// What a thinking desk says.
#[derive(Clone, Debug, PartialEq)]
pub enum Thought {
    /// An iteration is finished.
    Info {
        /// Which of several lines this is, from 1.
        rank: u32,
        /// Plies.
        depth: u32,
        /// The deepest line looked at, in plies.
        seldepth: u32,
        /// Hundredths, from the view of the side to move.
        score: i32,
        /// A known end in so many plies: positive if the side to move wins.
        mate: Option<i32>,
        /// Positions visited.
        nodes: u64,
        /// How full the table is, in thousandths.
        full: u32,
        /// Seconds since the start.
        seconds: f64,
        /// The best line in the default dialect.
        line: Vec<String>,
    },
    /// The search broke off through no fault of its asker, for this reason. A legal move follows all the same.
    Failed(String),
    /// Thinking is over; the move to play in the default dialect, if there is one.
    Best(Option<String>),
}

/// Where thoughts go. It is called on the thinking thread.
pub type Sink = Box<dyn FnMut(Thought) + Send>;

/// A running thought: it can be stopped from anywhere and waited for.
#[derive(Clone, Debug)]
pub struct Job {
    signal: Arc<Signal>,
    done: Arc<std::sync::Mutex<mpsc::Receiver<()>>>,
}

impl Job {
    /// A job, the signal its thread reads and the sender it drops at the end.
    pub(crate) fn new(ponder: bool) -> (Job, Arc<Signal>, mpsc::Sender<()>) {
        let signal = Arc::new(Signal::new(ponder));
        let (sender, done) = mpsc::channel();
        (Job { signal: signal.clone(), done: Arc::new(std::sync::Mutex::new(done)) }, signal, sender)
    }

    /// Asks it to end at once; its last thought still comes.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// The move was played that it thinks about in the opponent's time: its own time begins.
    pub fn hit(&self) {
        self.signal.hit();
    }

    /// Waits until its last thought was told.
    pub fn join(&self) {
        // The thread drops its sender when it is done, however it ends; a second wait finds it dropped already.
        if let Ok(done) = self.done.lock() {
            let _ = done.recv();
        }
    }
}

/// What a count of the tree can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftAsk {
    /// Plies.
    pub depth: u32,
    /// Threads; 0 and 1 are one.
    pub threads: usize,
    /// Size of the table in MiB, which one thread fills; none to count without one.
    pub hash: Option<usize>,
    /// The game's own convention of counting, where it has several; none for its default.
    pub convention: Option<String>,
    /// How first moves are written; none for the default dialect.
    pub dialect: Option<String>,
}

/// What a solver is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveAsk {
    /// Only who wins, or that nobody does: many times faster than the exact score.
    pub outcome: bool,
    /// Threads; 0 and 1 are one.
    pub threads: usize,
}

/// A position played out to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move, in the game's own unit (discs); 1, 0 or -1 where only the outcome was asked for.
    pub score: i32,
    /// A move that reaches it, in the default dialect; none where the game is over.
    pub best: Option<String>,
    /// Best play to the end.
    pub line: Vec<String>,
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
pub trait Desk: Send {
    /// The game's name on the command line.
    fn game(&self) -> &'static str;
    /// The board's name on the command line.
    fn board(&self) -> &'static str;
    /// What to draw.
    fn look(&self) -> &'static Look;
    /// The names of the dialects, the default first.
    fn dialects(&self) -> Vec<&'static str>;
    /// The names of the complaints that can be waived.
    fn waivable(&self) -> &'static [&'static str];

    /// Starts again from this position text; `startpos` is the start of a game.
    ///
    /// # Errors
    /// If the text cannot be read, or the position cannot be played; the desk is then unchanged.
    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), DeskError>;

    /// The position text of men set up by hand.
    fn compose(&self, men: &[(String, char)], side: Side) -> String;
    /// Everything that is wrong with the position of a text.
    ///
    /// # Errors
    /// If the text cannot be read.
    fn grievances(&self, text: &str) -> Result<Vec<Grievance>, DeskError>;
    /// The men of a position text and the side to move, whatever is wrong with it.
    ///
    /// # Errors
    /// If the text cannot be read.
    fn laid(&self, text: &str) -> Result<(Vec<(String, char)>, Side), DeskError>;

    /// How it stands.
    fn view(&self) -> View;
    /// What is easily overlooked in the position.
    fn sights(&self) -> Vec<Sight>;
    /// The legal moves of the man on a square, or all of them. A move that can be shown by several gestures (castling: the
    /// king goes two squares, or onto its rook) is there once for each, with the same text.
    fn targets(&self, square: Option<&str>) -> Vec<Target>;
    /// All legal moves in a dialect, sorted by their bytes.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn moves(&self, dialect: Option<&str>) -> Result<Vec<String>, DeskError>;

    /// A legal move given in the default dialect, as another dialect writes it.
    ///
    /// # Errors
    /// If it is no legal move here, or the game has no such dialect.
    fn written(&self, text: &str, dialect: Option<&str>) -> Result<String, DeskError>;

    /// A line of moves from here given in the default dialect, as another dialect writes it, up to the first that is no legal
    /// move.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn line_written(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, DeskError>;

    /// The dialect in which a text that somebody typed is to be read: the preferred one if the text is a move there,
    /// legal or not, else the first of the game's in which it is one; the preferred one if there is none. So `炮二平五` and
    /// `C2.5` need no name, and whatever the preferred dialect can say is still never guessed about.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn dialect_of(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, DeskError>;

    /// Plays a move given in a dialect.
    ///
    /// # Errors
    /// If it is no legal move here, with the reason; the desk is then unchanged.
    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<Step, DeskError>;
    /// Takes back the last move, if there is one.
    fn undo(&mut self) -> Option<Step>;
    /// The moves played so far in a dialect.
    ///
    /// # Errors
    /// If the game has no such dialect.
    fn record(&self, dialect: Option<&str>) -> Result<Vec<String>, DeskError>;
    /// The names of the rule books that can rule on a game, the one between people first; none if there is only one.
    fn books(&self) -> &'static [&'static str];
    /// A ruling on the game as it stands, under a named book, with its reasons.
    ///
    /// # Errors
    /// If the game has no named books, or none of that name.
    fn rule(&self, ask: &JudgeAsk) -> Result<Ruling, DeskError>;
    /// The verdict on the game as it stands.
    fn judge(&self) -> Option<Ending>;
    /// The legal moves by which the game would end although it could go on, without a win for who plays them: a repetition
    /// that is judged, a limit. In the default dialect, each with its verdict.
    fn warnings(&self) -> Vec<(String, Ending)>;
    /// What the fall of a side's flag means here: it loses, unless the other side could not win any more.
    fn flag(&self, side: Side) -> Outcome;

    /// The representation itself, in text.
    fn raw(&self) -> String;
    /// Counts the tree of legal moves. `heard` is told each first move, in the dialect asked for, when its share is counted,
    /// from whatever thread counted it.
    ///
    /// # Errors
    /// If the game has no such convention or dialect.
    fn perft(&self, ask: &PerftAsk, heard: &(dyn Fn(&str, u128) + Sync)) -> Result<u128, DeskError>;

    /// Plays the position out to the end, exactly, and returns when that is done. `heard` is told what is known on the way.
    ///
    /// # Errors
    /// If the game has no solver.
    fn solve(&self, ask: &SolveAsk, heard: &mut (dyn FnMut(Thought) + Send)) -> Result<Solved, DeskError>;
    /// Reads a file of problems for the solver (Othello: OBF).
    ///
    /// # Errors
    /// If the game has none, or a line cannot be read, with its number.
    fn problems(&self, text: &str) -> Result<Vec<Problem>, DeskError>;

    /// The positions visited by a fixed search with one thread: the same number on every board of a game, and another
    /// only when search or evaluation change.
    fn bench(&self) -> u64;

    /// What the position is worth at a glance, without thinking: hundredths, from the view of the side to move.
    fn value(&self) -> i32;

    /// Chooses the rule book by which the game is played and thought about.
    ///
    /// # Errors
    /// If the game has no rule book of that name.
    fn choose(&mut self, book: &str) -> Result<(), DeskError>;

    /// Gives whoever thinks a new table and so many threads.
    fn furnish(&mut self, means: &Means);
    /// Lets whoever thinks forget what it found out: another game begins.
    fn forget(&mut self);
    /// Does beforehand what the first thought would lose time with; for a table of a GiB it may take seconds.
    fn ready(&self);
    /// Starts to think about the position, on a copy of it and a thread of its own, and returns at once. What is found out is
    /// kept for the next time.
    ///
    /// # Errors
    /// If a move that the limits name is not legal, or the system gives no thread.
    fn think(&self, limits: &Limits, sink: Sink) -> Result<Job, DeskError>;
}
