//! The Universal Chess Interface, April 2006, and what xiangqi engines added to it: `banmoves` and the Cyclone start-up.
//!
//! Practical rules of the text: words that are not known inside a command are skipped, names of options are compared without
//! regard to case by whoever knows the options, every `go` is answered by exactly one `bestmove`.

use std::fmt;

use crate::tokens::{EngineOption, ParseError, TokenReader};

/// What a GUI says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`, also `ucicyclone`: who are you?
    Uci,
    /// `isready`: are you there?
    IsReady,
    /// `ucinewgame`: what follows has nothing to do with what was.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, blanks inside as they were.
        name: &'a str,
        /// The value, where one is given.
        value: Option<&'a str>,
    },
    /// `position ...`, or Cyclone's bare `fen ...` and `startpos ...`.
    Position(PositionCommand<'a>),
    /// `banmoves m1 m2 ...`: not these first moves, until the next position.
    BanMoves(Vec<&'a str>),
    /// `go ...`.
    Go(Go<'a>),
    /// `stop`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `debug`, `register`: read, and nothing is done about it.
    Ignored,
    /// `quit`.
    Quit,
}

/// A position and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// Its text; none for the start of a game.
    pub fen: Option<&'a str>,
    /// The moves played since.
    pub moves: Vec<&'a str>,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// Only these first moves; none given means all.
    pub searchmoves: Vec<&'a str>,
    /// On the other side's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Until `stop`.
    pub infinite: bool,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// A mate in so many moves.
    pub mate: Option<u32>,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Milliseconds on the clocks of `w` and `b`, below 0 where a GUI says so.
    pub time: [Option<i64>; 2],
    /// Milliseconds won by each move of `w` and `b`.
    pub increment: [u64; 2],
    /// Moves until there is new time.
    pub movestogo: Option<u32>,
}

/// The words that begin a part of `go`.
const GO_KEYWORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "infinite",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
];

/// The words that begin a command.
pub const COMMANDS: [&str; 15] = [
    "uci",
    "ucicyclone",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "fen",
    "startpos",
    "banmoves",
    "go",
    "stop",
    "ponderhit",
    "debug",
    "register",
    "quit",
];

/// Reads a line; an empty one means nothing.
///
/// # Errors
/// If the first word is no command, or a number or a word is missing that the command cannot do without.
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut words = TokenReader::new(line);
    let all = words.clone();
    let Some(first) = words.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "uci" | "ucicyclone" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => parse_set_option(words)?,
        "position" => Command::Position(parse_position(words)?),
        "fen" | "startpos" => Command::Position(parse_position(all)?),
        "banmoves" => Command::BanMoves(words.collect()),
        "go" => Command::Go(parse_go(words)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "debug" | "register" => Command::Ignored,
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn parse_set_option(mut words: TokenReader<'_>) -> Result<Command<'_>, ParseError> {
    match words.next() {
        Some("name") => {}
        found => return Err(ParseError::expected("name after setoption", found)),
    }
    let name = words.take_until(&["value"]);
    if name.is_empty() {
        return Err(ParseError::expected("the name of an option", words.next()));
    }
    let value = words.next().map(|_| words.rest());
    Ok(Command::SetOption { name, value })
}

/// What follows `position`: UCCI says it in the same words.
pub(crate) fn parse_position(mut words: TokenReader<'_>) -> Result<PositionCommand<'_>, ParseError> {
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => match words.take_until(&["moves"]) {
            "" => return Err(ParseError::expected("a position after fen", words.next())),
            fen => Some(fen),
        },
        found => return Err(ParseError::expected("startpos or fen", found)),
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some("moves") => words.collect(),
        found => return Err(ParseError::expected("moves or the end of the line", found)),
    };
    Ok(PositionCommand { fen, moves })
}

fn parse_go(mut words: TokenReader<'_>) -> Result<Go<'_>, ParseError> {
    let mut go = Go::default();
    while let Some(part) = words.next() {
        match part {
            "searchmoves" => {
                while let Some(mv) = words.peek().filter(|word| !GO_KEYWORDS.contains(word)) {
                    go.searchmoves.push(mv);
                    words.next();
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "depth" => go.depth = Some(words.next_number(part)?),
            "nodes" => go.nodes = Some(words.next_number(part)?),
            "mate" => go.mate = Some(words.next_number(part)?),
            "movetime" => go.movetime = Some(words.next_number(part)?),
            "wtime" => go.time[0] = Some(words.next_number(part)?),
            "btime" => go.time[1] = Some(words.next_number(part)?),
            "winc" => go.increment[0] = words.next_number(part)?,
            "binc" => go.increment[1] = words.next_number(part)?,
            "movestogo" => go.movestogo = Some(words.next_number(part)?),
            // The text has an engine skip what it does not know.
            _ => {}
        }
    }
    Ok(go)
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// Its name and its author.
    Id(&'a str, &'a str),
    /// Something that can be set.
    Option(&'a EngineOption),
    /// That was all about it.
    UciOk,
    /// It is there.
    ReadyOk,
    /// What it found out.
    Info(InfoLine<'a>),
    /// A remark for people.
    InfoString(&'a str),
    /// The move it plays, and the answer it expects; none where there is no move.
    BestMove(Option<&'a str>, Option<&'a str>),
}

/// What an engine found out about a line.
#[derive(Clone, Debug, PartialEq)]
pub struct InfoLine<'a> {
    /// Plies.
    pub depth: u32,
    /// The deepest line looked at, in plies.
    pub seldepth: u32,
    /// Which of several lines, from 1.
    pub multipv: u32,
    /// What it is worth.
    pub score: UciScore,
    /// Thousandths of wins, draws and losses, where they were asked for.
    pub wdl: Option<[u32; 3]>,
    /// Positions.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The moves.
    pub pv: &'a [String],
}

/// What a line is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Hundredths.
    Centipawns(i32),
    /// Mate in so many moves of the winner, negative where the side to move is mated.
    Mate(i32),
}

impl UciScore {
    /// From hundredths, and plies until the end where it is known: positive if the side to move wins.
    pub fn new(hundredths: i32, plies: Option<i32>) -> UciScore {
        match plies {
            None => UciScore::Centipawns(hundredths),
            // The winner's move in the middle of an odd number of plies counts in full.
            Some(plies) if plies > 0 => UciScore::Mate((plies + 1) / 2),
            Some(plies) => UciScore::Mate(plies / 2),
        }
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Centipawns(score) => write!(f, "cp {score}"),
            UciScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// Positions a second.
pub(crate) fn nodes_per_second(nodes: u64, milliseconds: u64) -> u64 {
    nodes.saturating_mul(1000) / milliseconds.max(1)
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(name, author) => write!(f, "id name {name}\nid author {author}"),
            Reply::Option(setting) => write!(f, "option name {} {}", setting.name, setting.kind),
            Reply::UciOk => write!(f, "uciok"),
            Reply::ReadyOk => write!(f, "readyok"),
            Reply::InfoString(text) => write!(f, "info string {text}"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove(mv, ponder) => {
                write!(f, "bestmove {}", mv.unwrap_or("(none)"))?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))
            }
        }
    }
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {} seldepth {}", self.depth, self.seldepth)?;
        write!(f, " multipv {} score {}", self.multipv, self.score)?;
        if let Some([wins, draws, losses]) = self.wdl {
            write!(f, " wdl {wins} {draws} {losses}")?;
        }
        let speed = nodes_per_second(self.nodes, self.time);
        write!(f, " nodes {} nps {speed} hashfull {} time {}", self.nodes, self.hashfull, self.time)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_command_is_read() {
        let fen = "4k4/9/9 w - - 0 1";
        let set = |name, value| Command::SetOption { name, value };
        for (line, command) in [
            ("uci", Command::Uci),
            ("ucicyclone", Command::Uci),
            (" isready\r", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("setoption name Clear Hash", set("Clear Hash", None)),
            ("setoption name Move Overhead value 30", set("Move Overhead", Some("30"))),
            ("setoption name Book File value a b ", set("Book File", Some("a b"))),
            ("setoption name X value", set("X", Some(""))),
            ("position startpos", Command::Position(PositionCommand::default())),
            ("startpos", Command::Position(PositionCommand::default())),
            (
                "fen 4k4/9/9 w - - 0 1 moves a b",
                Command::Position(PositionCommand { fen: Some(fen), moves: vec!["a", "b"] }),
            ),
            (
                "position fen 4k4/9/9 w - - 0 1",
                Command::Position(PositionCommand { fen: Some(fen), moves: Vec::new() }),
            ),
            ("banmoves h2e2", Command::BanMoves(vec!["h2e2"])),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("debug on", Command::Ignored),
            ("register later", Command::Ignored),
            ("", Command::Ignored),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
        for word in COMMANDS {
            assert!(!matches!(parse_command(word), Err(ParseError::UnknownCommand(_))), "{word}");
        }
    }

    #[test]
    fn go_takes_its_parts_in_any_order() {
        let line =
            "go ponder wtime -5 btime 60000 winc 1000 binc 2000 movestogo 40 searchmoves h2e2 b2e2 depth 9";
        let expected = Go {
            searchmoves: vec!["h2e2", "b2e2"],
            ponder: true,
            depth: Some(9),
            time: [Some(-5), Some(60_000)],
            increment: [1000, 2000],
            movestogo: Some(40),
            ..Go::default()
        };
        assert_eq!(parse_command(line), Ok(Command::Go(expected)));
        let line = "go softly infinite nodes 5 mate 3 movetime 100";
        let expected =
            Go { infinite: true, nodes: Some(5), mate: Some(3), movetime: Some(100), ..Go::default() };
        assert_eq!(parse_command(line), Ok(Command::Go(expected)));
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (line, fault) in [
            ("wave", "unknown command \"wave\""),
            ("go depth", "expected a whole number after depth, found the end"),
            ("go nodes -1", "expected a whole number after nodes, found \"-1\""),
            ("go movetime 99999999999999999999", "expected a whole number after movetime, found"),
            ("setoption Hash 3", "expected name after setoption, found \"Hash\""),
            ("setoption name value 3", "expected the name of an option, found \"value\""),
            ("position", "expected startpos or fen, found the end"),
            ("position fen moves a", "expected a position after fen, found \"moves\""),
            ("position startpos h2e2", "expected moves or the end of the line, found \"h2e2\""),
        ] {
            let found = parse_command(line).unwrap_err().to_string();
            assert!(found.starts_with(fault), "{line}: {found}");
        }
    }

    #[test]
    fn replies_are_written() {
        let pv = ["h2e2".to_string(), "h9g7".to_string()];
        let info = |score, wdl| {
            Reply::Info(InfoLine {
                depth: 7,
                seldepth: 9,
                multipv: 2,
                score,
                wdl,
                nodes: 500,
                time: 250,
                hashfull: 3,
                pv: &pv,
            })
            .to_string()
        };
        assert_eq!(
            info(UciScore::new(-31, None), Some([300, 400, 300])),
            "info depth 7 seldepth 9 multipv 2 score cp -31 wdl 300 400 300 nodes 500 nps 2000 hashfull 3 time 250 \
             pv h2e2 h9g7"
        );
        assert!(info(UciScore::new(30_995, Some(5)), None).contains(" score mate 3 nodes"));
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (0, 0), (-1, 0), (-2, -1), (-4, -2)] {
            assert_eq!(UciScore::new(0, Some(plies)), UciScore::Mate(moves), "{plies}");
        }
        assert_eq!(Reply::BestMove(Some("a"), Some("b")).to_string(), "bestmove a ponder b");
        assert_eq!(Reply::BestMove(None, None).to_string(), "bestmove (none)");
        let hash = EngineOption::spin("Hash", 32, 1, 64);
        assert_eq!(Reply::Option(&hash).to_string(), "option name Hash type spin default 32 min 1 max 64");
        assert_eq!(Reply::Id("A 1", "B").to_string(), "id name A 1\nid author B");
    }

    proptest! {
        #[test]
        fn no_line_is_too_much(line in "\\PC{0,200}", word in prop::sample::select(&COMMANDS[..])) {
            let _ = parse_command(&line);
            let _ = parse_command(&format!("{word} {line}"));
        }

        #[test]
        fn numbers_come_through(depth: u32, nodes: u64, wtime: i64, binc: u64) {
            let line = format!("go depth {depth} nodes {nodes} wtime {wtime} binc {binc}");
            let expected = Go {
                depth: Some(depth),
                nodes: Some(nodes),
                time: [Some(wtime), None],
                increment: [0, binc],
                ..Go::default()
            };
            prop_assert_eq!(parse_command(&line), Ok(Command::Go(expected)));
        }

        #[test]
        fn moves_come_through(moves in prop::collection::vec("[a-i][0-9][a-i][0-9]", 0..50)) {
            let line = format!("position startpos moves {}", moves.join("  "));
            let Ok(Command::Position(position)) = parse_command(&line) else { panic!("{line}") };
            prop_assert_eq!(position.moves, moves);
        }
    }
}
