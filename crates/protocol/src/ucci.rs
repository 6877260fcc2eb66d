//! The Universal Chinese Chess Protocol 3.0 for xiangqi (xqbase.com).
//!
//! Unlike UCI, `setoption` has no token `name`, times belong to the side to move and its opponent, scores are
//! bare numbers, and there are draw offers, banned moves and hash table probes.

use std::fmt;

use crate::engine_option::EngineOption;
use crate::go_limits::{LimitIssue, LimitReader};
use crate::tokens::{ParseError, TokenReader};
use crate::uci::{PositionCommand, parse_position};

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `ucci`: identify yourself.
    Ucci,
    /// `isready`: reply when ready.
    IsReady,
    /// `setoption N [V]`.
    SetOption {
        /// The name, one token.
        name: &'a str,
        /// The rest of the line, if not empty.
        value: Option<&'a str>,
    },
    /// `position {fen F | startpos} [moves ...]`.
    Position(PositionCommand<'a>),
    /// `banmoves m1 m2 ...`: excludes these root moves until the next position.
    BanMoves(Vec<&'a str>),
    /// `go ...`.
    Go(Go),
    /// `ponderhit [draw]`: the opponent played the expected move.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe {fen F | startpos} [moves ...]`: requests the hash table entry of a position.
    Probe(PositionCommand<'a>),
    /// An empty line.
    Ignored,
    /// `quit`.
    Quit,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// The depth limit in plies; 0 requests the static evaluation only.
    pub depth: Option<u32>,
    /// The node limit, at least 1.
    pub nodes: Option<u64>,
    /// The remaining time of the side to move, in the unit chosen by `usemillisec`; some GUIs send negative
    /// values.
    pub time: Option<i64>,
    /// The moves until the next time control, at least 1; 0 is read as none.
    pub movestogo: Option<u32>,
    /// The increment per move, in the same unit.
    pub increment: u64,
    /// The remaining time of the opponent, in the same unit.
    pub opptime: Option<i64>,
    /// The numbers that were replaced or ignored, and the words that `go` does not have.
    pub issues: Vec<LimitIssue>,
}

/// The keywords of `go`.
const GO_KEYWORDS: [&str; 11] = [
    "ponder",
    "draw",
    "infinite",
    "depth",
    "nodes",
    "time",
    "movestogo",
    "increment",
    "opptime",
    "oppmovestogo",
    "oppincrement",
];

/// Parses a line; an empty line is [`Command::Ignored`].
///
/// # Errors
/// Returns an error if the first token is not a command, or if the name of an option or a position is missing.
///
/// ```
/// use alfil_protocol::ucci::{Command, parse_command};
///
/// let Ok(Command::Go(go)) = parse_command("go time 60000 increment 500") else { panic!() };
/// assert_eq!((go.time, go.increment), (Some(60_000), 500));
/// assert_eq!(parse_command("banmoves h2e2"), Ok(Command::BanMoves(vec!["h2e2"])));
/// ```
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut tokens = TokenReader::new(line);
    let Some(first) = tokens.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "ucci" => Command::Ucci,
        "isready" => Command::IsReady,
        "setoption" => {
            let name = tokens.next().ok_or_else(|| ParseError::expected("the name of an option", None))?;
            let value = Some(tokens.rest()).filter(|value| !value.is_empty());
            Command::SetOption { name, value }
        }
        "position" => Command::Position(parse_position(tokens)?),
        "banmoves" => Command::BanMoves(tokens.collect()),
        "go" => Command::Go(parse_go(tokens)),
        "ponderhit" => Command::PonderHit { draw: tokens.next() == Some("draw") },
        "stop" => Command::Stop,
        "probe" => Command::Probe(parse_position(tokens)?),
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn parse_go(mut tokens: TokenReader<'_>) -> Go {
    let mut go = Go::default();
    let mut limits = LimitReader::new(&GO_KEYWORDS);
    while let Some(keyword) = tokens.next() {
        match keyword {
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            // Version 2 has `depth infinite`.
            "depth" if tokens.peek() == Some("infinite") => {}
            "depth" => go.depth = limits.read(&mut tokens, keyword, 0),
            "nodes" => go.nodes = limits.read(&mut tokens, keyword, 1),
            "time" => go.time = limits.read(&mut tokens, keyword, i64::MIN),
            "movestogo" => go.movestogo = limits.read_moves_to_go(&mut tokens, keyword),
            "increment" => go.increment = limits.read(&mut tokens, keyword, 0).unwrap_or(0),
            "opptime" => go.opptime = limits.read(&mut tokens, keyword, i64::MIN),
            "infinite" => go.infinite = true,
            // The opponent's moves to go and increment are not used.
            unused => limits.skip_unknown(unused),
        }
    }
    go.issues = limits.issues;
    go
}

/// A reply of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// One fact about the engine: `name`, `version`, `copyright`, `author` or `user`, and its value.
    Id(&'a str, &'a str),
    /// An option that can be set. Its name must be one token.
    Option(&'a EngineOption),
    /// The end of the identification.
    UcciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// `info time ... nodes ...`: the time in milliseconds and the number of nodes.
    InfoTime(u64, u64),
    /// `info depth ...`: the depth in plies, the rank of the variation with MultiPV, the score in centipawns,
    /// the variation.
    InfoDepth(u32, Option<u32>, i32, &'a [String]),
    /// `info message`: a text for the user.
    InfoMessage(&'a str),
    /// The best move, the expected reply to it (the ponder move), and `draw` (offered or accepted) or `resign`.
    BestMove(&'a str, Option<&'a str>, Option<&'a str>),
    /// There is no legal move.
    NoBestMove,
    /// The answer to `probe`: move, score in centipawns and depth in plies, if the hash table has an entry.
    PopHash(Option<(&'a str, i32, u32)>),
    /// The last reply, to `quit`.
    Bye,
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(key, text) => write!(f, "id {key} {text}"),
            Reply::Option(option) => write!(f, "option {} {}", option.name, option.kind),
            Reply::UcciOk => write!(f, "ucciok"),
            Reply::ReadyOk => write!(f, "readyok"),
            Reply::InfoTime(time, nodes) => write!(f, "info time {time} nodes {nodes}"),
            Reply::InfoDepth(depth, multipv, score, pv) => {
                write!(f, "info depth {depth}")?;
                multipv.iter().try_for_each(|multipv| write!(f, " multipv {multipv}"))?;
                write!(f, " score {score}")?;
                if pv.is_empty() { Ok(()) } else { write!(f, " pv {}", pv.join(" ")) }
            }
            Reply::InfoMessage(text) => write!(f, "info message {text}"),
            Reply::BestMove(mv, ponder, remark) => {
                write!(f, "bestmove {mv}")?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))?;
                remark.iter().try_for_each(|remark| write!(f, " {remark}"))
            }
            Reply::NoBestMove => write!(f, "nobestmove"),
            Reply::PopHash(None) => write!(f, "pophash"),
            Reply::PopHash(Some((mv, score, depth))) => {
                write!(
                    f,
                    "pophash bestmove {mv} lowerbound {score} depth {depth} upperbound {score} depth {depth}"
                )
            }
            Reply::Bye => write!(f, "bye"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_line, assert_errors};
    use proptest::prelude::*;

    #[test]
    fn every_command_is_parsed() {
        let from_start = |moves| PositionCommand { fen: None, moves };
        for (line, command) in [
            ("ucci", Command::Ucci),
            ("isready", Command::IsReady),
            ("setoption usemillisec true", Command::SetOption { name: "usemillisec", value: Some("true") }),
            ("setoption newgame", Command::SetOption { name: "newgame", value: None }),
            ("setoption bookfiles a b;c", Command::SetOption { name: "bookfiles", value: Some("a b;c") }),
            ("position startpos moves h2e2", Command::Position(from_start(vec!["h2e2"]))),
            ("banmoves h2e2 b2e2", Command::BanMoves(vec!["h2e2", "b2e2"])),
            ("ponderhit", Command::PonderHit { draw: false }),
            ("ponderhit draw", Command::PonderHit { draw: true }),
            ("stop", Command::Stop),
            ("probe startpos", Command::Probe(from_start(Vec::new()))),
            ("", Command::Ignored),
            ("quit\r", Command::Quit),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn go_is_parsed() {
        let go = |line| match parse_command(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(go("go depth 0"), Go { depth: Some(0), ..Go::default() });
        assert_eq!(go("go"), Go::default());
        for line in ["go infinite", "go depth infinite"] {
            assert_eq!(go(line), Go { infinite: true, ..Go::default() }, "{line}");
        }
        let wrong = go("go time soon nodes -3 depth movestogo 0");
        assert_eq!((wrong.time, wrong.nodes, wrong.depth, wrong.movestogo), (None, Some(1), None, None));
        assert_eq!(wrong.issues.len(), 3, "{wrong:?}");
        let words: String = (0..100).map(|number| format!(" word{number} depth")).collect();
        let many_issues = format!("go{words}");
        assert_eq!(go(&many_issues).issues.len(), 20);
        let timed = Go { draw: true, time: Some(300), increment: 2, opptime: Some(-1), ..Go::default() };
        assert_eq!(go("go draw time 300 increment 2 opptime -1 oppincrement 2"), timed);
        let timed = Go { ponder: true, time: Some(9), movestogo: Some(3), nodes: Some(7), ..Go::default() };
        assert_eq!(go("go ponder time 9 movestogo 3 nodes 7"), timed);
    }

    #[test]
    fn errors_name_what_was_expected() {
        let cases = [
            ("wave", "unknown command \"wave\""),
            ("setoption", "expected the name of an option, found the end of the line"),
            ("probe", "expected startpos or fen, found the end of the line"),
        ];
        assert_errors(|line| parse_command(line).err(), &cases);
    }

    #[test]
    fn replies_are_formatted() {
        let line = ["h2e2".to_string(), "h9g7".to_string()];
        for (reply, text) in [
            (Reply::Id("name", "A"), "id name A"),
            (Reply::Option(&EngineOption::button("newgame")), "option newgame type button"),
            (Reply::InfoTime(12, 345), "info time 12 nodes 345"),
            (Reply::InfoDepth(3, None, -7, &line), "info depth 3 score -7 pv h2e2 h9g7"),
            (Reply::InfoDepth(3, Some(2), -7, &line[..1]), "info depth 3 multipv 2 score -7 pv h2e2"),
            (Reply::InfoDepth(0, None, 4, &[]), "info depth 0 score 4"),
            (Reply::BestMove("h2e2", None, Some("draw")), "bestmove h2e2 draw"),
            (Reply::BestMove("h2e2", Some("h9g7"), None), "bestmove h2e2 ponder h9g7"),
            (Reply::BestMove("h2e2", Some("h9g7"), Some("resign")), "bestmove h2e2 ponder h9g7 resign"),
            (Reply::NoBestMove, "nobestmove"),
            (Reply::PopHash(None), "pophash"),
            (
                Reply::PopHash(Some(("h2e2", 5, 9))),
                "pophash bestmove h2e2 lowerbound 5 depth 9 upperbound 5 depth 9",
            ),
            (Reply::InfoMessage("x"), "info message x"),
            (Reply::Bye, "bye"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in any_line(&["go", "setoption", "position", "banmoves", "probe", "ponderhit"])) {
            let _ = parse_command(&line);
        }

        #[test]
        fn numbers_are_parsed_exactly(depth: u32, time: i64, increment: u64, movestogo in 1u32..) {
            let line = format!("go depth {depth} time {time} increment {increment} movestogo {movestogo}");
            let go = Go { depth: Some(depth), time: Some(time), increment, movestogo: Some(movestogo), ..Go::default() };
            prop_assert_eq!(parse_command(&line), Ok(Command::Go(go)));
        }
    }
}
