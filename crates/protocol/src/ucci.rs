//! The Universal Chinese Chess Protocol, version 3.0, of the xiangqi world (xqbase.com).
//!
//! It is UCI's elder cousin: options have no word `name`, times belong to the side to move and its opponent, scores are bare numbers,
//! there are draw offers, forbidden moves and a look into the table.

use std::fmt;

use crate::tokens::{EngineOption, ParseError, TokenReader};
use crate::uci::{PositionCommand, parse_position};

/// What a GUI says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `ucci`: who are you?
    Ucci,
    /// `isready`: are you there?
    IsReady,
    /// `setoption N [V]`.
    SetOption {
        /// The name, one word.
        name: &'a str,
        /// The rest of the line.
        value: Option<&'a str>,
    },
    /// `position {fen F | startpos} [moves ...]`.
    Position(PositionCommand<'a>),
    /// `banmoves m1 m2 ...`: not these first moves, until the next position.
    BanMoves(Vec<&'a str>),
    /// `go ...`.
    Go(Go),
    /// `ponderhit [draw]`: the expected move was played, perhaps with the offer of a draw.
    PonderHit {
        /// A draw is offered.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe {fen F | startpos} [moves ...]`: what is known of this position?
    Probe(PositionCommand<'a>),
    /// An empty line.
    Ignored,
    /// `quit`.
    Quit,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// On the other side's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// A draw is offered.
    pub draw: bool,
    /// Plies; 0 asks for the static score only.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// What is left for the side to move, in the unit that `usemillisec` chose, below 0 where a GUI says so.
    pub time: Option<i64>,
    /// Moves until there is new time.
    pub movestogo: Option<u32>,
    /// Won by each move, in the same unit.
    pub increment: u64,
    /// What is left for the opponent.
    pub opptime: Option<i64>,
}

/// Reads a line; an empty one means nothing.
///
/// # Errors
/// If the first word is no command, or a number or a word is missing that the command cannot do without.
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut words = TokenReader::new(line);
    let Some(first) = words.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "ucci" => Command::Ucci,
        "isready" => Command::IsReady,
        "setoption" => {
            let name = words.next().ok_or_else(|| ParseError::expected("the name of an option", None))?;
            let value = Some(words.rest()).filter(|value| !value.is_empty());
            Command::SetOption { name, value }
        }
        "position" => Command::Position(parse_position(words)?),
        "banmoves" => Command::BanMoves(words.collect()),
        "go" => Command::Go(parse_go(words)?),
        "ponderhit" => Command::PonderHit { draw: words.next() == Some("draw") },
        "stop" => Command::Stop,
        "probe" => Command::Probe(parse_position(words)?),
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn parse_go(mut words: TokenReader<'_>) -> Result<Go, ParseError> {
    let mut go = Go::default();
    while let Some(part) = words.next() {
        match part {
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            // Version 2 wrote `depth infinite`.
            "depth" if words.peek() == Some("infinite") => {}
            "depth" => go.depth = Some(words.next_number(part)?),
            "nodes" => go.nodes = Some(words.next_number(part)?),
            "time" => go.time = Some(words.next_number(part)?),
            "movestogo" => go.movestogo = Some(words.next_number(part)?),
            "increment" => go.increment = words.next_number(part)?,
            "opptime" => go.opptime = Some(words.next_number(part)?),
            // The opponent's moves to go and increment, `infinite`, and what is not known.
            _ => {}
        }
    }
    Ok(go)
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// Something about it: `name`, `version`, `copyright`, `author`, `user`.
    Id(&'a str, &'a str),
    /// Something that can be set. Its name must be one word.
    Option(&'a EngineOption),
    /// That was all about it.
    UcciOk,
    /// It is there.
    ReadyOk,
    /// Milliseconds and positions so far.
    InfoTime(u64, u64),
    /// What it found out: the depth in plies, the score in hundredths and the line; and which of several lines, if there are several.
    InfoDepth(u32, Option<u32>, i32, &'a [String]),
    /// A remark for people.
    InfoMessage(&'a str),
    /// The move it plays, the answer it expects, and `draw` where it offers or accepts one, or `resign`.
    BestMove(&'a str, Option<&'a str>, Option<&'a str>),
    /// There is no move.
    NoBestMove,
    /// What it knows of a position: a move, a score and a depth, if it knows any.
    PopHash(Option<(&'a str, i32, u32)>),
    /// The last word.
    Bye,
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(what, text) => write!(f, "id {what} {text}"),
            Reply::Option(setting) => write!(f, "option {} {}", setting.name, setting.kind),
            Reply::UcciOk => write!(f, "ucciok"),
            Reply::ReadyOk => write!(f, "readyok"),
            Reply::InfoTime(time, nodes) => write!(f, "info time {time} nodes {nodes}"),
            Reply::InfoDepth(depth, rank, score, line) => {
                write!(f, "info depth {depth}")?;
                rank.iter().try_for_each(|rank| write!(f, " multipv {rank}"))?;
                write!(f, " score {score}")?;
                if line.is_empty() { Ok(()) } else { write!(f, " pv {}", line.join(" ")) }
            }
            Reply::InfoMessage(text) => write!(f, "info message {text}"),
            Reply::BestMove(mv, ponder, word) => {
                write!(f, "bestmove {mv}")?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))?;
                word.iter().try_for_each(|word| write!(f, " {word}"))
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
    use proptest::prelude::*;

    #[test]
    fn every_command_is_read() {
        let placed = |moves| PositionCommand { fen: None, moves };
        for (line, command) in [
            ("ucci", Command::Ucci),
            ("isready", Command::IsReady),
            ("setoption usemillisec true", Command::SetOption { name: "usemillisec", value: Some("true") }),
            ("setoption newgame", Command::SetOption { name: "newgame", value: None }),
            ("setoption bookfiles a b;c", Command::SetOption { name: "bookfiles", value: Some("a b;c") }),
            ("position startpos moves h2e2", Command::Position(placed(vec!["h2e2"]))),
            ("banmoves h2e2 b2e2", Command::BanMoves(vec!["h2e2", "b2e2"])),
            ("ponderhit", Command::PonderHit { draw: false }),
            ("ponderhit draw", Command::PonderHit { draw: true }),
            ("stop", Command::Stop),
            ("probe startpos", Command::Probe(placed(Vec::new()))),
            ("", Command::Ignored),
            ("quit\r", Command::Quit),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn go_is_read() {
        let go = |line| match parse_command(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(go("go depth 0"), Go { depth: Some(0), ..Go::default() });
        for line in ["go infinite", "go depth infinite", "go"] {
            assert_eq!(go(line), Go::default(), "{line}");
        }
        let timed = Go { draw: true, time: Some(300), increment: 2, opptime: Some(-1), ..Go::default() };
        assert_eq!(go("go draw time 300 increment 2 opptime -1 oppincrement 2"), timed);
        let timed = Go { ponder: true, time: Some(9), movestogo: Some(3), nodes: Some(7), ..Go::default() };
        assert_eq!(go("go ponder time 9 movestogo 3 nodes 7"), timed);
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (line, fault) in [
            ("wave", "unknown command \"wave\""),
            ("setoption", "expected the name of an option, found the end"),
            ("go time", "expected a whole number after time, found the end"),
            ("probe", "expected startpos or fen, found the end"),
        ] {
            assert_eq!(parse_command(line).unwrap_err().to_string(), fault, "{line}");
        }
    }

    #[test]
    fn replies_are_written() {
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
        fn no_line_is_too_much(
            line in "\\PC{0,200}",
            word in prop::sample::select(&["go", "setoption", "position", "banmoves", "probe", "ponderhit"][..]),
        ) {
            let _ = parse_command(&line);
            let _ = parse_command(&format!("{word} {line}"));
        }

        #[test]
        fn numbers_come_through(depth: u32, time: i64, increment: u64, movestogo: u32) {
            let line = format!("go depth {depth} time {time} increment {increment} movestogo {movestogo}");
            let go = Go { depth: Some(depth), time: Some(time), increment, movestogo: Some(movestogo), ..Go::default() };
            prop_assert_eq!(parse_command(&line), Ok(Command::Go(go)));
        }
    }
}
