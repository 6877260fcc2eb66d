//! The end of whoever uses an engine: what to say to it, and what its answers mean.
//!
//! A [`Driver`] is a state machine without a clock. It is given lines and gives lines; who carries them, and how long to wait,
//! is not its business. Moves and positions are already written as the engine writes them.
//!
//! ```
//! use alfil_protocol::driver::{Budget, Heard, Profile, Protocol, Task};
//!
//! let mut driver = Protocol::Uci.driver(Profile { game: "chess".into(), ..Profile::default() });
//! let mut out = Vec::new();
//! driver.greet(&mut out);
//! assert_eq!(out, ["uci"]);
//! out.clear();
//! driver.hear("uciok", &mut out);
//! assert_eq!(out, ["isready"]);
//! assert_eq!(driver.hear("readyok", &mut out), Heard::Ready);
//! out.clear();
//! let budget = Budget { nodes: Some(500), ..Budget::default() };
//! driver.go(&Task { start: None, second: false, moves: &["e2e4".into()], budget: &budget }, &mut out);
//! assert_eq!(out, ["position startpos moves e2e4", "go nodes 500"]);
//! assert_eq!(driver.hear("bestmove e7e5 ponder g1f3", &mut out), Heard::Move("e7e5".into()));
//! ```

mod uci;

use std::time::Duration;

/// A language of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The universal chess interface (text of April 2006), also for xiangqi and Othello.
    Uci,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 1] = [Protocol::Uci];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
        }
    }

    /// The protocol of that name.
    pub fn named(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// Whether there are engines for this game that speak it.
    pub fn plays(self, _game: &str) -> bool {
        match self {
            Protocol::Uci => true,
        }
    }

    /// Whether it can be told a position other than by moves from the start of the game.
    pub fn sets_up(self) -> bool {
        match self {
            Protocol::Uci => true,
        }
    }

    /// Why an engine cannot be held to these limits by this protocol; none if it can.
    pub fn objection(self, _budget: &Budget) -> Option<&'static str> {
        match self {
            Protocol::Uci => None,
        }
    }

    /// Somebody who speaks it with an engine that has just been started.
    pub fn driver(self, profile: Profile) -> Box<dyn Driver> {
        match self {
            Protocol::Uci => Box::new(uci::Uci::new(profile)),
        }
    }
}

/// What an engine is told when it is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The game: `xiangqi`, `chess` or `othello`.
    pub game: String,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// Lines to send as they stand before the first game.
    pub lines: Vec<String>,
}

/// Time on a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until time is added again; none if the time is for the whole game.
    pub moves: Option<u32>,
}

/// How long an engine may think; whatever is reached first ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The mover's clock and the opponent's.
    pub clocks: Option<[Clock; 2]>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

/// What an engine is asked to think about.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The position in which the game began; none for the start position of the game.
    pub start: Option<&'a str>,
    /// Whether the second side moved first there.
    pub second: bool,
    /// The moves since then.
    pub moves: &'a [String],
    /// How long it may think.
    pub budget: &'a Budget,
}

impl Task<'_> {
    /// Whether the second side is to move now.
    pub fn second_to_move(&self) -> bool {
        self.second ^ (self.moves.len() % 2 == 1)
    }
}

/// What an engine tells of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Plies.
    pub depth: Option<u32>,
    /// Hundredths, from the view of the side to move.
    pub score: Option<i32>,
    /// An end of the game in so many moves, negative if the side to move is the one that loses.
    pub mate: Option<i32>,
    /// Positions visited.
    pub nodes: Option<u64>,
}

/// What a line of an engine means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing that matters here.
    Nothing,
    /// The engine is ready for what was begun: the first game, or the next.
    Ready,
    /// It is thinking.
    Report(Report),
    /// Its move.
    Move(String),
    /// It has lost, it says.
    Resign,
    /// It has no move, takes no move, or says that the game has ended otherwise; its words.
    Dispute(String),
}

/// One end of a conversation with an engine. Lines to send are appended to `out`.
pub trait Driver: Send {
    /// The first words; [`Heard::Ready`] follows from something heard.
    fn greet(&mut self, out: &mut Vec<String>);

    /// What a line of the engine means. It may have to be answered.
    fn hear(&mut self, line: &str, out: &mut Vec<String>) -> Heard;

    /// The engine has said nothing for two seconds although it was not thinking; protocols whose engines need not answer take
    /// that for an answer.
    fn silence(&mut self, _out: &mut Vec<String>) -> Heard {
        Heard::Nothing
    }

    /// A new game begins. The task is that of its first move.
    fn begin(&mut self, task: &Task<'_>, out: &mut Vec<String>) -> Heard;

    /// The engine shall move.
    fn go(&mut self, task: &Task<'_>, out: &mut Vec<String>);

    /// The engine shall move at once.
    fn stop(&mut self, out: &mut Vec<String>);

    /// The game is over.
    fn finish(&mut self, _out: &mut Vec<String>) {}

    /// The engine shall end.
    fn quit(&mut self, out: &mut Vec<String>) {
        out.push("quit".into());
    }

    /// What the engine calls itself, once it has said so.
    fn name(&self) -> Option<&str>;

    /// What the engine calls the game, where it knows several.
    fn variant(&self) -> Option<&str> {
        None
    }
}

/// The number that follows a word.
fn number_after<N: std::str::FromStr>(words: &[&str], word: &str) -> Option<N> {
    let at = words.iter().position(|&found| found == word)?;
    words.get(at + 1)?.parse().ok()
}
