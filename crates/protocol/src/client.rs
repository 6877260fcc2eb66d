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

mod gtp;
mod nboard;
mod ucci;
mod uci;
mod xboard;

use std::time::Duration;

/// A language of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The universal chess interface (text of April 2006), also for xiangqi and Othello.
    Uci,
    /// The universal Chinese chess protocol 3.0, for xiangqi.
    Ucci,
    /// The Chess Engine Communication Protocol of XBoard.
    Xboard,
    /// The protocol of NBoard, for Othello.
    Nboard,
    /// The Go Text Protocol, for Othello.
    Gtp,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 5] =
        [Protocol::Uci, Protocol::Ucci, Protocol::Xboard, Protocol::Nboard, Protocol::Gtp];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
            Protocol::Xboard => "xboard",
            Protocol::Nboard => "nboard",
            Protocol::Gtp => "gtp",
        }
    }

    /// The protocol of that name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// Whether there are engines for this game that speak it.
    pub fn can_play(self, game: &str) -> bool {
        match self {
            Protocol::Uci => true,
            // Its variants of Othello are written by each program in its own way.
            Protocol::Xboard => game != "othello",
            Protocol::Ucci => game == "xiangqi",
            Protocol::Nboard | Protocol::Gtp => game == "othello",
        }
    }

    /// Whether it can be told a position other than by moves from the start of the game.
    pub fn supports_setup(self) -> bool {
        self != Protocol::Gtp
    }

    /// Why an engine cannot be held to these limits by this protocol; none if it can.
    pub fn unsupported_limit(self, budget: &MoveLimits) -> Option<&'static str> {
        let MoveLimits { clocks, move_time: time, nodes, depth } = budget;
        let own = clocks.map(|[own, _]| own);
        let whole = |time: Duration| time.subsec_nanos() == 0 && !time.is_zero();
        match self {
            Protocol::Uci => None,
            Protocol::Ucci
                if [own.is_some(), time.is_some(), nodes.is_some(), depth.is_some()]
                    .iter()
                    .filter(|&&set| set)
                    .count()
                    > 1 =>
            {
                Some("knows one limit at a time: a clock, a time for the move, nodes or depth")
            }
            Protocol::Ucci => None,
            Protocol::Xboard | Protocol::Gtp if nodes.is_some() => Some("knows no limit of nodes"),
            Protocol::Xboard | Protocol::Gtp if !time.is_none_or(whole) => {
                Some("counts the time of a move in whole seconds")
            }
            Protocol::Xboard | Protocol::Gtp if !own.is_none_or(|clock| whole(clock.remaining)) => {
                Some("counts clocks in whole seconds")
            }
            Protocol::Gtp if depth.is_some() => Some("knows no limit of depth"),
            Protocol::Gtp if own.is_some_and(|clock| !clock.increment.is_zero()) => {
                Some("knows no increments")
            }
            Protocol::Nboard if own.is_some() || time.is_some() || nodes.is_some() => {
                Some("knows no limit but depth")
            }
            Protocol::Xboard | Protocol::Gtp | Protocol::Nboard => None,
        }
    }

    /// Somebody who speaks it with an engine that has just been started.
    pub fn new_client(self, profile: EngineConfig) -> Box<dyn EngineClient> {
        match self {
            Protocol::Uci => Box::new(uci::UciClient::new(profile)),
            Protocol::Ucci => Box::new(ucci::UcciClient::new(profile)),
            Protocol::Xboard => Box::new(xboard::XboardClient::new(profile)),
            Protocol::Nboard => Box::new(nboard::NboardClient::new(profile)),
            Protocol::Gtp => Box::new(gtp::GtpClient::new(profile)),
        }
    }
}

/// What an engine is told when it is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineConfig {
    /// The game: `xiangqi`, `chess` or `othello`.
    pub game: String,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// Lines to send as they stand before the first game.
    pub lines: Vec<String>,
}

/// Time on a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until time is added again; none if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// How long an engine may think; whatever is reached first ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// The mover's clock and the opponent's.
    pub clocks: Option<[ClockState; 2]>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

/// What an engine is asked to think about.
#[derive(Clone, Copy, Debug)]
pub struct GoRequest<'a> {
    /// The position in which the game began; none for the start position of the game.
    pub start: Option<&'a str>,
    /// Whether the second side moved first there.
    pub second_moves_first: bool,
    /// The moves since then.
    pub moves: &'a [String],
    /// How long it may think.
    pub limits: &'a MoveLimits,
}

impl GoRequest<'_> {
    /// Whether the second side is to move now.
    pub fn is_second_to_move(&self) -> bool {
        self.second_moves_first ^ (self.moves.len() % 2 == 1)
    }
}

/// What an engine tells of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
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
pub enum ClientEvent {
    /// Nothing that matters here.
    NoEvent,
    /// The engine is ready for what was begun: the first game, or the next.
    Ready,
    /// It is thinking.
    Info(EngineInfo),
    /// Its move.
    BestMove(String),
    /// It has lost, it says.
    Resign,
    /// It has no move, takes no move, or says that the game has ended otherwise; its words.
    Dispute(String),
}

/// One end of a conversation with an engine. Lines to send are appended to `out`.
pub trait EngineClient: Send {
    /// The first words; [`Heard::Ready`] follows from something heard.
    fn handshake(&mut self, out: &mut Vec<String>);

    /// What a line of the engine means. It may have to be answered.
    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent;

    /// The engine has said nothing for two seconds although it was not thinking; protocols whose engines need not answer take
    /// that for an answer.
    fn on_idle(&mut self, _out: &mut Vec<String>) -> ClientEvent {
        ClientEvent::NoEvent
    }

    /// A new game begins. The task is that of its first move.
    fn new_game(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent;

    /// The engine shall move.
    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_say_what_they_cannot_do() {
        let limits = |time: u64, nodes, depth, clock: Option<u64>| MoveLimits {
            clocks: clock.map(|left| {
                [ClockState { remaining: Duration::from_millis(left), ..ClockState::default() }; 2]
            }),
            move_time: (time > 0).then(|| Duration::from_millis(time)),
            nodes,
            depth,
        };
        let second = limits(1000, None, None, None);
        let tenth = limits(100, None, None, None);
        let nodes = limits(0, Some(9), None, None);
        let depth = limits(0, None, Some(9), None);
        let both = limits(100, Some(9), None, None);
        let clock = limits(0, None, None, Some(60_000));
        let uneven = limits(0, None, None, Some(500));
        let can = |protocol: Protocol| {
            [&second, &tenth, &nodes, &depth, &both, &clock, &uneven]
                .map(|budget| protocol.unsupported_limit(budget).is_none())
        };
        assert_eq!(can(Protocol::Uci), [true; 7]);
        assert_eq!(can(Protocol::Ucci), [true, true, true, true, false, true, true]);
        assert_eq!(can(Protocol::Xboard), [true, false, false, true, false, true, false]);
        assert_eq!(can(Protocol::Gtp), [true, false, false, false, false, true, false]);
        assert_eq!(can(Protocol::Nboard), [false, false, false, true, false, false, false]);
        for protocol in Protocol::ALL {
            assert_eq!(Protocol::from_name(protocol.name()), Some(protocol));
        }
        assert!(Protocol::from_name("telnet").is_none() && !Protocol::Gtp.can_play("chess"));
    }

    /// Whatever an engine says, nobody panics, and nothing but its own lines is ever sent back.
    #[test]
    fn noise_is_survived_in_every_state() {
        let lines = [
            "",
            " ",
            "=",
            "= ",
            "?",
            "===",
            "=== /",
            "bestmove",
            "info",
            "info score",
            "feature",
            "feature =",
            "feature a=\"",
            "pong",
            "pong x",
            "move",
            "My move is",
            "search",
            "search a b c d e",
            "search f5 1e99 0 99999999999",
            "1 2 3 4",
            "9 -2147483648 1 1",
            "1. ... x",
            "1-0",
            "info depth 1 score mate -2147483648",
            "option",
            "id",
            "uciok",
            "ucciok",
            "\u{0}\u{fffd}",
            "feature done=1",
        ];
        let budget = MoveLimits { depth: Some(1), ..MoveLimits::default() };
        for protocol in Protocol::ALL {
            let mut driver =
                protocol.new_client(EngineConfig { game: "othello".into(), ..EngineConfig::default() });
            let task = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &budget };
            for state in 0..4 {
                let mut out = Vec::new();
                match state {
                    0 => (),
                    1 => driver.handshake(&mut out),
                    2 => drop(driver.new_game(&task, &mut out)),
                    _ => driver.go(&task, &mut out),
                }
                for line in lines {
                    driver.on_line(line, &mut out);
                    driver.on_idle(&mut out);
                }
                driver.stop(&mut out);
                driver.finish(&mut out);
                assert!(out.iter().all(|line| !line.contains(['\n', '\0'])), "{protocol:?}: {out:?}");
            }
        }
    }
}
