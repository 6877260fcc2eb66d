//! The Universal Chess Interface, April 2006, with two extensions of xiangqi engines: `banmoves` and
//! Cyclone's start-up.
//!
//! Unknown tokens inside a command are skipped, option names are compared without regard to case (by the
//! caller), and each `go` that searches is answered by exactly one `bestmove`.

use std::fmt;

use crate::engine_option::EngineOption;
use crate::go_limits::{LimitIssue, LimitReader};
use crate::tokens::{ParseError, TokenReader};

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci` or `ucicyclone`: identify yourself.
    Uci,
    /// `isready`: reply when ready.
    IsReady,
    /// `ucinewgame`: the next search belongs to another game.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, with inner spaces as written.
        name: &'a str,
        /// The value, if one is given.
        value: Option<&'a str>,
    },
    /// `position ...`, or Cyclone's `fen ...` and `startpos ...` without `position`.
    Position(PositionCommand<'a>),
    /// `banmoves m1 m2 ...`: excludes these root moves until the next position.
    BanMoves(Vec<&'a str>),
    /// `go ...`.
    Go(Go<'a>),
    /// `d`: shows the position.
    Display,
    /// `eval`: shows the static evaluation.
    Eval,
    /// `stop`.
    Stop,
    /// `ponderhit`: the opponent played the expected move.
    PonderHit,
    /// `debug`, `register` or an empty line: accepted without effect.
    Ignored,
    /// `quit`.
    Quit,
}

/// The arguments of `position`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// The position text; none for the start position.
    pub fen: Option<&'a str>,
    /// The moves played from there.
    pub moves: Vec<&'a str>,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// The root moves to search; empty for all.
    pub searchmoves: Vec<&'a str>,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// The depth limit in plies, at least 1.
    pub depth: Option<u32>,
    /// The node limit, at least 1.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of moves, at least 1.
    pub mate: Option<u32>,
    /// The time for this move in milliseconds, at least 1.
    pub movetime: Option<u64>,
    /// The remaining time of `w` and `b` in milliseconds; some GUIs send negative values.
    pub time: [Option<i64>; 2],
    /// The increment per move of `w` and `b` in milliseconds.
    pub increment: [u64; 2],
    /// The moves until the next time control, at least 1; 0 is read as none.
    pub movestogo: Option<u32>,
    /// `go perft N`: count the move paths of N plies instead of searching.
    pub perft: Option<u32>,
    /// The numbers that were replaced or ignored, and the words that `go` does not have.
    pub issues: Vec<LimitIssue>,
}

/// The keywords of `go`.
const GO_KEYWORDS: [&str; 13] = [
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
    "perft",
];

/// The first tokens of all commands.
pub const COMMANDS: [&str; 17] = [
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
    "d",
    "eval",
    "stop",
    "ponderhit",
    "debug",
    "register",
    "quit",
];

/// Parses a line; an empty line is [`Command::Ignored`].
///
/// # Errors
/// Returns an error if the first token is not a command, or if a required number or keyword is missing.
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut tokens = TokenReader::new(line);
    let whole_line = tokens.clone();
    let Some(first) = tokens.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "uci" | "ucicyclone" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => parse_set_option(tokens)?,
        "position" => Command::Position(parse_position(tokens)?),
        "fen" | "startpos" => Command::Position(parse_position(whole_line)?),
        "banmoves" => Command::BanMoves(tokens.collect()),
        "go" => Command::Go(parse_go(tokens)),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "debug" | "register" => Command::Ignored,
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn parse_set_option(mut tokens: TokenReader<'_>) -> Result<Command<'_>, ParseError> {
    match tokens.next() {
        Some("name") => {}
        found => return Err(ParseError::expected("name after setoption", found)),
    }
    let name = tokens.take_until(&["value"]);
    if name.is_empty() {
        return Err(ParseError::expected("the name of an option", tokens.next()));
    }
    let value = tokens.next().map(|_| tokens.rest());
    Ok(Command::SetOption { name, value })
}

/// Parses the arguments of `position`, which UCCI shares.
pub(crate) fn parse_position(mut tokens: TokenReader<'_>) -> Result<PositionCommand<'_>, ParseError> {
    let fen = match tokens.next() {
        Some("startpos") => None,
        Some("fen") => match tokens.take_until(&["moves"]) {
            "" => return Err(ParseError::expected("a position after fen", tokens.next())),
            fen => Some(fen),
        },
        found => return Err(ParseError::expected("startpos or fen", found)),
    };
    let moves = match tokens.next() {
        None => Vec::new(),
        Some("moves") => tokens.collect(),
        found => return Err(ParseError::expected("moves or the end of the line", found)),
    };
    Ok(PositionCommand { fen, moves })
}

fn parse_go(mut tokens: TokenReader<'_>) -> Go<'_> {
    let mut go = Go::default();
    let mut limits = LimitReader::new(&GO_KEYWORDS);
    while let Some(keyword) = tokens.next() {
        match keyword {
            "searchmoves" => {
                while let Some(mv) = tokens.peek().filter(|token| !GO_KEYWORDS.contains(token)) {
                    go.searchmoves.push(mv);
                    tokens.next();
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "depth" => go.depth = limits.read(&mut tokens, keyword, 1),
            "nodes" => go.nodes = limits.read(&mut tokens, keyword, 1),
            "mate" => go.mate = limits.read(&mut tokens, keyword, 1),
            "movetime" => go.movetime = limits.read(&mut tokens, keyword, 1),
            "wtime" => go.time[0] = limits.read(&mut tokens, keyword, i64::MIN),
            "btime" => go.time[1] = limits.read(&mut tokens, keyword, i64::MIN),
            "winc" => go.increment[0] = limits.read(&mut tokens, keyword, 0).unwrap_or(0),
            "binc" => go.increment[1] = limits.read(&mut tokens, keyword, 0).unwrap_or(0),
            "movestogo" => go.movestogo = limits.read_moves_to_go(&mut tokens, keyword),
            "perft" => go.perft = limits.read(&mut tokens, keyword, 0),
            unknown => limits.skip_unknown(unknown),
        }
    }
    go.issues = limits.issues;
    go
}

/// A reply of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// The name and the author of the engine.
    Id(&'a str, &'a str),
    /// An option that can be set.
    Option(&'a EngineOption),
    /// The end of the identification.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The progress of a search.
    Info(InfoLine<'a>),
    /// `info string`: a text for the user.
    InfoString(&'a str),
    /// The best move and the expected reply to it (the ponder move); no best move if there is no legal move.
    BestMove(Option<&'a str>, Option<&'a str>),
}

/// A line `info` about one principal variation.
#[derive(Clone, Debug, PartialEq)]
pub struct InfoLine<'a> {
    /// The depth in plies.
    pub depth: u32,
    /// The maximal depth reached, in plies.
    pub seldepth: u32,
    /// The rank of the variation, from 1.
    pub multipv: u32,
    /// The score for the side to move.
    pub score: UciScore,
    /// What the score bounds; `None` if it is exact.
    pub bound: Option<ScoreBound>,
    /// The win, draw and loss probabilities in permille, if requested.
    pub wdl: Option<[u32; 3]>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time in milliseconds.
    pub time: u64,
    /// The use of the hash table in permille.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: &'a [String],
}

/// The side on which the true score may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score is this one or more.
    Lower,
    /// The score is this one or less.
    Upper,
}

/// A score from the view of the side to move.
///
/// ```
/// use alfil_protocol::uci::UciScore;
///
/// assert_eq!(UciScore::new(35, None).to_string(), "cp 35");
/// // The side to move wins with its third move, after five plies; or loses after four.
/// assert_eq!(UciScore::new(0, Some(5)).to_string(), "mate 3");
/// assert_eq!(UciScore::new(0, Some(-4)).to_string(), "mate -2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Centipawns; centipawns of a disc in Othello.
    Centipawns(i32),
    /// Mate in this number of moves, negative if the side to move is mated.
    Mate(i32),
}

impl UciScore {
    /// Converts a score in centipawns. With `plies` it is the distance to the end, positive if the side to
    /// move wins.
    pub fn new(centipawns: i32, plies: Option<i32>) -> UciScore {
        match plies {
            None => UciScore::Centipawns(centipawns),
            // The winner makes the first and the last move of an odd number of plies.
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

/// Returns the search speed in nodes per second.
pub(crate) fn nodes_per_second(nodes: u64, milliseconds: u64) -> u64 {
    nodes.saturating_mul(1000) / milliseconds.max(1)
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(name, author) => write!(f, "id name {name}\nid author {author}"),
            Reply::Option(option) => write!(f, "option name {} {}", option.name, option.kind),
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
        match self.bound {
            Some(ScoreBound::Lower) => write!(f, " lowerbound")?,
            Some(ScoreBound::Upper) => write!(f, " upperbound")?,
            None => {}
        }
        let nps = nodes_per_second(self.nodes, self.time);
        write!(f, " nodes {} nps {nps} hashfull {} time {}", self.nodes, self.hashfull, self.time)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_line, assert_errors, assert_known};
    use proptest::prelude::*;

    #[test]
    fn every_command_is_parsed() {
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
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("debug on", Command::Ignored),
            ("register later", Command::Ignored),
            ("", Command::Ignored),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
        assert_known(|line| parse_command(line).err(), &COMMANDS);
    }

    #[test]
    fn go_accepts_its_keywords_in_any_order() {
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
        let line = "go infinite nodes 5 mate 3 movetime 100";
        let expected =
            Go { infinite: true, nodes: Some(5), mate: Some(3), movetime: Some(100), ..Go::default() };
        assert_eq!(parse_command(line), Ok(Command::Go(expected)));
    }

    #[test]
    fn a_go_with_wrong_numbers_is_executed_with_others() {
        let go = |line| match parse_command(line) {
            Ok(Command::Go(go)) => {
                (go.clone(), go.issues.iter().map(ToString::to_string).collect::<Vec<_>>())
            }
            other => panic!("{line}: {other:?}"),
        };
        for (line, depth, issue) in [
            ("go depth -1", Some(1), "depth is at least 1, found -1: it is replaced by 1"),
            ("go depth 0", Some(1), "depth is at least 1, found 0: it is replaced by 1"),
            (
                "go depth 2.7",
                Some(2),
                "expected a whole number after depth, found \"2.7\": it is replaced by 2",
            ),
            (
                "go depth 9999999999",
                Some(u32::MAX),
                "depth is at most 4294967295, found 9999999999: it is replaced by 4294967295",
            ),
            ("go dpeth 5", None, "go has no such word, found \"dpeth\": it is ignored"),
            ("go softly depth 5", Some(5), "go has no such word, found \"softly\": it is ignored"),
            ("go depth soon", None, "expected a whole number after depth, found \"soon\": it is ignored"),
            ("go depth NaN", None, "expected a whole number after depth, found \"NaN\": it is ignored"),
            (
                "go depth",
                None,
                "expected a whole number after depth, found the end of the line: it is ignored",
            ),
        ] {
            let (go, issues) = go(line);
            assert_eq!((go.depth, issues), (depth, vec![issue.to_owned()]), "{line}");
        }
        let (missing, issues) = go("go depth wtime 7 movetime 99999999999999999999 winc -5");
        assert_eq!((missing.time[0], missing.movetime, missing.increment[0]), (Some(7), Some(u64::MAX), 0));
        assert!(issues.len() == 3 && issues[0].contains("found \"wtime\""), "{issues:?}");
        assert_eq!(go("go perft 3").0.perft, Some(3));
    }

    #[test]
    fn errors_name_what_was_expected() {
        let cases = [
            ("wave", "unknown command \"wave\""),
            ("setoption Hash 3", "expected name after setoption, found \"Hash\""),
            ("setoption name value 3", "expected the name of an option, found \"value\""),
            ("position", "expected startpos or fen, found the end of the line"),
            ("position fen moves a", "expected a position after fen, found \"moves\""),
            ("position startpos h2e2", "expected moves or the end of the line, found \"h2e2\""),
        ];
        assert_errors(|line| parse_command(line).err(), &cases);
    }

    #[test]
    fn replies_are_formatted() {
        let pv = ["h2e2".to_string(), "h9g7".to_string()];
        let info = |score, bound, wdl| {
            Reply::Info(InfoLine {
                depth: 7,
                seldepth: 9,
                multipv: 2,
                score,
                bound,
                wdl,
                nodes: 500,
                time: 250,
                hashfull: 3,
                pv: &pv,
            })
            .to_string()
        };
        assert_eq!(
            info(UciScore::new(-31, None), None, Some([300, 400, 300])),
            "info depth 7 seldepth 9 multipv 2 score cp -31 wdl 300 400 300 nodes 500 nps 2000 hashfull 3 time 250 \
             pv h2e2 h9g7"
        );
        assert!(info(UciScore::new(30_995, Some(5)), None, None).contains(" score mate 3 nodes"));
        let bound = info(UciScore::new(200, None), Some(ScoreBound::Lower), None);
        assert!(bound.contains(" score cp 200 lowerbound nodes"), "{bound}");
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
        fn no_line_panics(line in any_line(&COMMANDS)) {
            let _ = parse_command(&line);
        }

        #[test]
        fn numbers_are_parsed_exactly(depth in 1u32.., nodes in 1u64.., wtime: i64, binc: u64) {
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
        fn moves_are_parsed_exactly(moves in prop::collection::vec("[a-i][0-9][a-i][0-9]", 0..50)) {
            let line = format!("position startpos moves {}", moves.join("  "));
            let Ok(Command::Position(position)) = parse_command(&line) else { panic!("{line}") };
            prop_assert_eq!(position.moves, moves);
        }
    }
}
