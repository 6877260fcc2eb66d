//! The client side of the engine protocols: writes the commands for an engine and parses its replies.
//!
//! An [`EngineClient`] is a state machine without I/O and clock: it consumes lines and produces lines. The
//! caller transports them and handles timeouts, and writes moves and positions in the engine's own notation.
//!
//! ```
//! use alfil_protocol::client::{ClientEvent, EngineConfig, GoRequest, MoveLimits, Protocol};
//!
//! let mut client = Protocol::Uci.new_client(EngineConfig::default());
//! let mut out = Vec::new();
//! client.handshake(&mut out);
//! assert_eq!(out, ["uci"]);
//! out.clear();
//! client.on_line("uciok", &mut out);
//! assert_eq!(out, ["isready"]);
//! assert_eq!(client.on_line("readyok", &mut out), ClientEvent::Ready);
//! out.clear();
//! let limits = MoveLimits { nodes: Some(500), ..MoveLimits::default() };
//! let request = GoRequest { start: None, second_moves_first: false, moves: &["e2e4".into()], limits: &limits };
//! client.go(&request, &mut out);
//! assert_eq!(out, ["position startpos moves e2e4", "go nodes 500"]);
//! assert_eq!(client.on_line("bestmove e7e5 ponder g1f3", &mut out), ClientEvent::BestMove("e7e5".into()));
//! ```

mod gtp;
mod nboard;
mod ucci;
mod uci;
mod xboard;

use std::time::Duration;

use crate::uci::ScoreBound;

/// An engine protocol.
///
/// ```
/// use alfil_protocol::client::{MoveLimits, Protocol};
///
/// let gtp = Protocol::from_name("gtp").unwrap();
/// let limits = MoveLimits { depth: Some(8), ..MoveLimits::default() };
/// assert_eq!(gtp.unsupported_limit(&limits), Some("does not support a depth limit"));
/// assert_eq!(Protocol::Uci.unsupported_limit(&limits), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface (April 2006), for all games.
    Uci,
    /// The Universal Chinese Chess Protocol 3.0, for xiangqi.
    Ucci,
    /// The Chess Engine Communication Protocol of XBoard, for chess and xiangqi.
    Xboard,
    /// The NBoard protocol, for Othello.
    Nboard,
    /// The Go Text Protocol, for Othello.
    Gtp,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 5] =
        [Protocol::Uci, Protocol::Ucci, Protocol::Xboard, Protocol::Nboard, Protocol::Gtp];

    /// Returns the name of the protocol on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
            Protocol::Xboard => "xboard",
            Protocol::Nboard => "nboard",
            Protocol::Gtp => "gtp",
        }
    }

    /// Returns the protocol with this command line name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// Returns whether the protocol can set up any position, not only play moves from the start position.
    pub fn supports_setup(self) -> bool {
        self != Protocol::Gtp
    }

    /// Returns whether a client of the protocol can set the options of an engine. GTP and NBoard have no command for
    /// it.
    pub fn supports_options(self) -> bool {
        !matches!(self, Protocol::Gtp | Protocol::Nboard)
    }

    /// Returns whether an engine plays on from the moves that it has been sent, so that any other position needs a new
    /// game. The other protocols send the whole position before each search.
    pub fn keeps_position(self) -> bool {
        matches!(self, Protocol::Xboard | Protocol::Gtp)
    }

    /// Returns whether the protocol can make an engine move at once. NBoard only ends a search without a move.
    pub fn supports_stop(self) -> bool {
        !matches!(self, Protocol::Gtp | Protocol::Nboard)
    }

    /// Returns why the protocol cannot express these limits, to follow its name in a message, or `None` if it
    /// can.
    pub fn unsupported_limit(self, limits: &MoveLimits) -> Option<&'static str> {
        let MoveLimits { clocks, move_time, nodes, soft_nodes, depth, multipv: _ } = limits;
        let own = clocks.map(|[own, _]| own);
        let whole = |time: Duration| time.subsec_nanos() == 0 && !time.is_zero();
        match self {
            _ if soft_nodes.is_some() => Some("does not support a soft node limit"),
            Protocol::Uci => None,
            Protocol::Ucci
                if [own.is_some(), move_time.is_some(), nodes.is_some(), depth.is_some()]
                    .iter()
                    .filter(|&&set| set)
                    .count()
                    > 1 =>
            {
                Some("supports one limit at a time: a clock, a time per move, nodes or depth")
            }
            Protocol::Ucci
                if own.is_some_and(|clock| clock.moves_to_go.is_some() && !clock.increment.is_zero()) =>
            {
                Some("supports either moves to the next time control or an increment")
            }
            Protocol::Ucci => None,
            Protocol::Xboard | Protocol::Gtp if own.is_some() && move_time.is_some() => {
                Some("supports either a clock or a time per move")
            }
            Protocol::Xboard | Protocol::Gtp if nodes.is_some() => Some("does not support a node limit"),
            Protocol::Xboard | Protocol::Gtp if !move_time.is_none_or(whole) => {
                Some("supports only whole seconds as the time per move")
            }
            Protocol::Xboard | Protocol::Gtp if !own.is_none_or(|clock| whole(clock.remaining)) => {
                Some("supports only whole seconds on clocks")
            }
            Protocol::Gtp if depth.is_some() => Some("does not support a depth limit"),
            Protocol::Gtp if own.is_some_and(|clock| !clock.increment.is_zero()) => {
                Some("does not support increments")
            }
            Protocol::Nboard if own.is_some() || move_time.is_some() || nodes.is_some() => {
                Some("supports only a depth limit")
            }
            Protocol::Xboard | Protocol::Gtp | Protocol::Nboard => None,
        }
    }

    /// Creates the client for an engine that has just been started.
    pub fn new_client(self, config: EngineConfig) -> Box<dyn EngineClient> {
        match self {
            Protocol::Uci => Box::new(uci::UciClient::new(config)),
            Protocol::Ucci => Box::new(ucci::UcciClient::new(config)),
            Protocol::Xboard => Box::new(xboard::XboardClient::new(config)),
            Protocol::Nboard => Box::new(nboard::NboardClient::new(config)),
            Protocol::Gtp => Box::new(gtp::GtpClient::new(config)),
        }
    }
}

/// The protocols that engines for a game speak, and its names in them. The caller supplies them: the clients know no
/// game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VariantNames {
    /// The command line names of the protocols that engines for the game speak.
    pub protocols: &'static [&'static str],
    /// The names in `UCI_Variant`, the most common first.
    pub uci: &'static [&'static str],
    /// The names in CECP's `variant`, the most common first; empty for the default variant.
    pub cecp: &'static [&'static str],
}

impl VariantNames {
    /// Returns whether engines for the game speak `protocol`.
    pub fn has_protocol(&self, protocol: Protocol) -> bool {
        self.protocols.contains(&protocol.name())
    }
}

/// The configuration of an engine at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineConfig {
    /// The names of the game.
    pub variants: VariantNames,
    /// The options to set: names and values.
    pub options: Vec<(String, String)>,
    /// UCI: options to set if the engine offers them and `options` has not the same name.
    pub offered_options: Vec<(&'static str, &'static str)>,
    /// Raw lines to send before the first game.
    pub lines: Vec<String>,
}

/// The state of a chess clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    /// The remaining time.
    pub remaining: Duration,
    /// The increment per move.
    pub increment: Duration,
    /// The moves until the next time control; none if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// The clocks of the side to move and of its opponent.
    pub clocks: Option<[ClockState; 2]>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The number of nodes after which no further iteration begins. No protocol has it.
    pub soft_nodes: Option<u64>,
    /// The depth limit in plies.
    pub depth: Option<u32>,
    /// The number of best lines to search for, with UCI engines that have the option `MultiPV`; `None` leaves the
    /// option as it is. It limits nothing.
    pub multipv: Option<u32>,
}

/// A search request.
///
/// ```
/// use alfil_protocol::client::{GoRequest, MoveLimits};
///
/// let (moves, limits) = (["h2e2".to_owned()], MoveLimits::default());
/// let request = GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &limits };
/// assert!(request.is_second_to_move());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GoRequest<'a> {
    /// The initial position of the game; none for the start position.
    pub start: Option<&'a str>,
    /// Whether the second side makes the first move.
    pub second_moves_first: bool,
    /// The moves played from there.
    pub moves: &'a [String],
    /// The limits of the search.
    pub limits: &'a MoveLimits,
}

impl GoRequest<'_> {
    /// Returns whether the second side is to move after the moves.
    pub fn is_second_to_move(&self) -> bool {
        self.second_moves_first ^ (self.moves.len() % 2 == 1)
    }
}

/// The progress that an engine reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// The number of the line among several, from 1; `None` if the engine does not say.
    pub multipv: Option<u32>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The score in centipawns for the side to move.
    pub score: Option<i32>,
    /// Mate in this number of moves, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// Whether the score is a lower or an upper bound; `None` if it is exact or the engine does not say.
    pub bound: Option<ScoreBound>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
    /// The best line as the engine writes it. With protocols whose lines end in free text, words may follow the moves.
    pub pv: Vec<String>,
}

/// The meaning of a line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEvent {
    /// The line changes nothing.
    NoEvent,
    /// The engine is ready for the first or the next game.
    Ready,
    /// The engine reports the progress of its search.
    Info(EngineInfo),
    /// The engine plays this move.
    BestMove(String),
    /// The engine resigns.
    Resign,
    /// The engine has no move, rejects a move or claims the end of the game; its own text.
    Rejection(String),
}

/// The client side of a connection to an engine. Lines to send are appended to `out`.
pub trait EngineClient: Send {
    /// Starts the connection; [`ClientEvent::Ready`] follows in reply to a line of the engine.
    fn handshake(&mut self, out: &mut Vec<String>);

    /// Handles a line from the engine, and answers it where the protocol requires that.
    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent;

    /// Handles two seconds of silence outside a search. Protocols with optional answers take it as an answer.
    fn on_idle(&mut self, _out: &mut Vec<String>) -> ClientEvent {
        ClientEvent::NoEvent
    }

    /// Starts a new game. `request` is the request for the first move. Returns [`ClientEvent::Ready`] if there is no
    /// reply to wait for, and [`ClientEvent::Rejection`] if the engine cannot set up the start position.
    fn new_game(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent;

    /// Selects whether the next games are Chess960. Returns [`ClientEvent::Rejection`] if the engine does not offer it.
    fn set_chess960(&mut self, _on: bool, _out: &mut Vec<String>) -> ClientEvent {
        ClientEvent::NoEvent
    }

    /// Excludes moves from the next search, where the protocol can do that: the game may not go on with the `refused`
    /// ones, but with the `allowed` ones. GTP and NBoard have no command for it.
    fn exclude_moves(&mut self, _refused: &[String], _allowed: &[String]) {}

    /// Starts a search for a move.
    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>);

    /// Makes the engine move at once.
    fn stop(&mut self, out: &mut Vec<String>);

    /// Ends the game.
    fn finish(&mut self, _out: &mut Vec<String>) {}

    /// Makes the engine exit.
    fn quit(&mut self, out: &mut Vec<String>) {
        out.push("quit".into());
    }

    /// Returns the name that the engine has reported.
    fn name(&self) -> Option<&str>;

    /// Returns the engine's name for the game, if the engine knows several games.
    fn variant(&self) -> Option<&str> {
        None
    }

    /// Returns whether the engine has to be started again for another game.
    fn plays_one_game(&self) -> bool {
        false
    }
}

/// Returns the rejection of an engine that lists its variants, none of which is the game.
fn missing_variant(names: &[&str], offered: &[String]) -> ClientEvent {
    let (names, offered) = (names.join(", "), offered.join(", "));
    ClientEvent::Rejection(format!(
        "the engine does not offer the game ({names}); its variants are {offered}"
    ))
}

/// Parses the number after the keyword `keyword`.
fn number_after<N: std::str::FromStr>(tokens: &[&str], keyword: &str) -> Option<N> {
    let index = tokens.iter().position(|&found| found == keyword)?;
    tokens.get(index + 1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_limits_are_reported() {
        let make = |time: u64, nodes, depth, clock: Option<u64>| MoveLimits {
            clocks: clock
                .map(|ms| [ClockState { remaining: Duration::from_millis(ms), ..ClockState::default() }; 2]),
            move_time: (time > 0).then(|| Duration::from_millis(time)),
            nodes,
            soft_nodes: None,
            depth,
            multipv: None,
        };
        let second = make(1000, None, None, None);
        let tenth = make(100, None, None, None);
        let nodes = make(0, Some(9), None, None);
        let depth = make(0, None, Some(9), None);
        let both = make(100, Some(9), None, None);
        let clock = make(0, None, None, Some(60_000));
        let uneven = make(0, None, None, Some(500));
        let clock_and_time = make(1000, None, None, Some(60_000));
        let mut moves_and_increment = clock.clone();
        for clock in moves_and_increment.clocks.iter_mut().flatten() {
            (clock.moves_to_go, clock.increment) = (Some(40), Duration::from_secs(1));
        }
        let can = |protocol: Protocol| {
            [&second, &tenth, &nodes, &depth, &both, &clock, &uneven, &clock_and_time, &moves_and_increment]
                .map(|limits| protocol.unsupported_limit(limits).is_none())
        };
        assert_eq!(can(Protocol::Uci), [true; 9]);
        assert_eq!(can(Protocol::Ucci), [true, true, true, true, false, true, true, false, false]);
        assert_eq!(can(Protocol::Xboard), [true, false, false, true, false, true, false, false, true]);
        assert_eq!(can(Protocol::Gtp), [true, false, false, false, false, true, false, false, false]);
        assert_eq!(can(Protocol::Nboard), [false, false, false, true, false, false, false, false, false]);
        for protocol in Protocol::ALL {
            assert_eq!(Protocol::from_name(protocol.name()), Some(protocol));
            assert_eq!(protocol.supports_options(), !["gtp", "nboard"].contains(&protocol.name()));
            let soft = MoveLimits { soft_nodes: Some(9), ..MoveLimits::default() };
            assert_eq!(protocol.unsupported_limit(&soft), Some("does not support a soft node limit"));
        }
        assert_eq!(Protocol::from_name("telnet"), None);
        let variants = VariantNames { protocols: &["uci", "gtp"], ..VariantNames::default() };
        assert!(variants.has_protocol(Protocol::Gtp) && !variants.has_protocol(Protocol::Ucci));
    }

    #[test]
    fn no_line_panics_in_any_state() {
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
            "feature done=0",
            "tellusererror",
            "tellusererror Illegal position",
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
        let limits = MoveLimits { depth: Some(1), ..MoveLimits::default() };
        for protocol in Protocol::ALL {
            let mut client = protocol.new_client(EngineConfig::default());
            let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
            for state in 0..4 {
                let mut out = Vec::new();
                match state {
                    0 => (),
                    1 => client.handshake(&mut out),
                    2 => drop(client.new_game(&request, &mut out)),
                    _ => client.go(&request, &mut out),
                }
                for line in lines {
                    client.on_line(line, &mut out);
                    client.on_idle(&mut out);
                }
                client.stop(&mut out);
                client.finish(&mut out);
                assert!(out.iter().all(|line| !line.contains(['\n', '\0'])), "{protocol:?}: {out:?}");
            }
        }
    }
}
