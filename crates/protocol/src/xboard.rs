//! The Chess Engine Communication Protocol (CECP), version 2, of XBoard and WinBoard (T. Mann, H. G. Muller),
//! as an engine needs it that announces `setboard=1 usermove=1 ping=1 time=1 draw=1 colors=0 sigint=0 sigterm=0
//! san=0 reuse=1 analyze=1 memory=1 smp=1`.

use std::fmt;

use crate::engine_option::{EngineOption, OptionKind};
use crate::tokens::{ParseError, TokenReader};

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// `xboard`: the GUI speaks CECP.
    XBoard,
    /// `protover N`: requests the features.
    Protover(u32),
    /// `new`: starts a new game, in which the engine plays the second side.
    New,
    /// `variant V`.
    Variant(&'a str),
    /// `force`: accept moves, play none.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level(LevelCommand),
    /// `st N`: the time for every move in milliseconds.
    MoveTime(u64),
    /// `sd N`: the depth limit in plies.
    Depth(u32),
    /// `time N`: the remaining time of the engine in milliseconds.
    Time(u64),
    /// `otim N`: the remaining time of the opponent in milliseconds.
    OpponentTime(u64),
    /// `usermove M`, or a move without `usermove`.
    UserMove(&'a str),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(&'a str),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result R {reason}`: the game is over.
    Result,
    /// `setboard F`.
    SetBoard(&'a str),
    /// `edit`: puts single pieces on the board, in the lines up to `.`.
    Edit,
    /// `hint`: requests a move for the opponent.
    Hint,
    /// `bk`: requests the opening book moves.
    Book,
    /// `undo`: takes back the last move.
    Undo,
    /// `remove`: takes back the last two moves.
    Remove,
    /// `hard`: turns pondering on.
    Hard,
    /// `easy`: turns pondering off.
    Easy,
    /// `post`: turns thinking output on.
    Post,
    /// `nopost`: turns thinking output off.
    NoPost,
    /// `analyze`: search without playing.
    Analyze,
    /// `.`: requests the progress of the analysis.
    Progress,
    /// `exit`: leaves the analysis mode.
    Exit,
    /// `memory N`: the total memory in MiB.
    Memory(u64),
    /// `cores N`: the number of threads.
    Cores(u64),
    /// `option N=V` or `option N`.
    Option(&'a str, Option<&'a str>),
    /// Names, ratings, accepted features and the like: accepted without effect.
    Ignored,
    /// `quit`.
    Quit,
}

/// The arguments of `level`: a time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCommand {
    /// The moves per time control; 0 if the time is for the whole game.
    pub moves: u32,
    /// The time per control, in milliseconds.
    pub base: u64,
    /// The increment per move, in milliseconds.
    pub increment: u64,
}

/// The first tokens of all commands.
pub const COMMANDS: [&str; 43] = [
    "xboard",
    "protover",
    "egtpath",
    "accepted",
    "rejected",
    "new",
    "variant",
    "quit",
    "random",
    "force",
    "go",
    "playother",
    "level",
    "st",
    "sd",
    "nps",
    "time",
    "otim",
    "usermove",
    "?",
    "ping",
    "draw",
    "result",
    "setboard",
    "edit",
    "hint",
    "bk",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    ".",
    "exit",
    "name",
    "rating",
    "ics",
    "computer",
    "memory",
    "cores",
    "option",
];

/// Parses a line; an empty line is [`Command::Ignored`].
///
/// # Errors
/// Returns an error if the first token is neither a command nor a move, or if a required argument is missing.
///
/// ```
/// use alfil_protocol::xboard::{Command, LevelCommand, parse_command};
///
/// let level = LevelCommand { moves: 40, base: 300_000, increment: 2_000 };
/// assert_eq!(parse_command("level 40 5 2"), Ok(Command::Level(level)));
/// ```
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut tokens = TokenReader::new(line);
    let Some(first) = tokens.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "xboard" => Command::XBoard,
        "protover" => Command::Protover(tokens.next_number(first)?),
        "new" => Command::New,
        "variant" => Command::Variant(expect_token(&mut tokens, "the name of a variant")?),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => Command::Level(parse_level(tokens)?),
        "st" => Command::MoveTime(parse_seconds(tokens.next(), first)?),
        "sd" => Command::Depth(tokens.next_number(first)?),
        "time" => Command::Time(parse_centiseconds(&mut tokens, first)?),
        "otim" => Command::OpponentTime(parse_centiseconds(&mut tokens, first)?),
        "usermove" => Command::UserMove(expect_token(&mut tokens, "a move")?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(expect_token(&mut tokens, "a number after ping")?),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "setboard" => match tokens.rest() {
            "" => return Err(ParseError::expected("a position after setboard", None)),
            fen => Command::SetBoard(fen),
        },
        "edit" => Command::Edit,
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Hard,
        "easy" => Command::Easy,
        "post" => Command::Post,
        "nopost" => Command::NoPost,
        "analyze" => Command::Analyze,
        "." => Command::Progress,
        "exit" => Command::Exit,
        "memory" => Command::Memory(tokens.next_number(first)?),
        "cores" => Command::Cores(tokens.next_number(first)?),
        "option" => match tokens.rest().split_once('=') {
            Some((name, value)) => Command::Option(name.trim(), Some(value.trim())),
            None => Command::Option(tokens.rest(), None),
        },
        "accepted" | "rejected" | "random" | "nps" | "name" | "rating" | "ics" | "computer" | "egtpath" => {
            Command::Ignored
        }
        "quit" => Command::Quit,
        _ if tokens.rest().is_empty() && is_move(first) => Command::UserMove(first),
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn expect_token<'a>(tokens: &mut TokenReader<'a>, expected: &str) -> Result<&'a str, ParseError> {
    tokens.next().ok_or_else(|| ParseError::expected(expected, None))
}

/// Returns whether `token` has the form of a move in coordinates, as GUIs send it without `usermove`.
fn is_move(token: &str) -> bool {
    let letters: Vec<_> = token.chars().filter(|letter| letter.is_ascii_lowercase()).collect();
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let coordinates = (2..=3).contains(&letters.len()) && (2..=4).contains(&digits);
    (token.len() <= 7 && token.starts_with(|letter: char| letter.is_ascii_lowercase()) && coordinates)
        || token.starts_with("O-O")
        || token == "@@@@"
        || token.get(1..2) == Some("@")
}

/// Parses seconds, possibly with a fraction, to milliseconds.
fn parse_seconds(token: Option<&str>, after: &str) -> Result<u64, ParseError> {
    let seconds = token
        .and_then(|token| token.parse::<f64>().ok())
        .filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    let seconds = seconds.ok_or_else(|| ParseError::expected(format!("seconds after {after}"), token))?;
    Ok((seconds * 1000.0) as u64)
}

/// Parses centiseconds to milliseconds. A negative time is zero.
fn parse_centiseconds(tokens: &mut TokenReader<'_>, after: &str) -> Result<u64, ParseError> {
    let centiseconds: i64 = tokens.next_number(after)?;
    Ok((centiseconds.max(0) as u64).saturating_mul(10))
}

fn parse_level(mut tokens: TokenReader<'_>) -> Result<LevelCommand, ParseError> {
    let moves = tokens.next_number("level")?;
    let base = tokens.next();
    let (minutes, seconds) = base.map_or(("", None), |base| match base.split_once(':') {
        Some((minutes, seconds)) => (minutes, Some(seconds)),
        None => (base, None),
    });
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|&number| number < 1 << 32);
    let minutes = number(minutes);
    let seconds = seconds.map_or(Some(0), number);
    let (Some(minutes), Some(seconds)) = (minutes, seconds) else {
        return Err(ParseError::expected("minutes, or minutes:seconds", base));
    };
    let increment = parse_seconds(tokens.next(), "the minutes")?;
    Ok(LevelCommand { moves, base: (minutes * 60 + seconds) * 1000, increment })
}

/// A reply of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// The features of the engine, except name, variants and options, with `done=0`.
    Features(&'a str),
    /// The name of the engine.
    MyName(&'a str),
    /// The variants that the engine plays.
    Variants(&'a [&'a str]),
    /// An option that can be set.
    Option(&'a EngineOption),
    /// The end of the features.
    Done,
    /// The answer to `ping`.
    Pong(&'a str),
    /// The move that the engine plays.
    Move(&'a str),
    /// A rejected move: the reason and the move.
    IllegalMove(String, &'a str),
    /// A rejected command: the reason and the line.
    Error(String, String),
    /// The progress of a search.
    Thinking(ThinkingOutput<'a>),
    /// The progress of an analysis: milliseconds, nodes, depth in plies.
    Progress(u64, u64, u32),
    /// The game is over: `1-0`, `0-1` or `1/2-1/2`, and the reason.
    Result(&'a str, &'a str),
    /// A move for the opponent.
    Hint(&'a str),
    /// No moves of an opening book are listed.
    NoBook,
    /// The engine offers or accepts a draw.
    OfferDraw,
    /// The engine resigns.
    Resign,
    /// A message that the GUI shows to the user.
    UserError(String),
}

/// A line of thinking output about the principal variation.
///
/// ```
/// use alfil_protocol::xboard::ThinkingOutput;
///
/// let pv = ["e2e4".to_owned(), "e7e5".to_owned()];
/// let output = ThinkingOutput { depth: 9, score: 28, mate_in_plies: None, time: 1_250, nodes: 40_000, pv: &pv };
/// assert_eq!(output.to_string(), "9 28 125 40000 e2e4 e7e5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThinkingOutput<'a> {
    /// The depth in plies.
    pub depth: u32,
    /// The score in centipawns for the side to move.
    pub score: i32,
    /// The distance to the known end in plies, positive if the side to move wins.
    pub mate_in_plies: Option<i32>,
    /// The time in milliseconds.
    pub time: u64,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The principal variation.
    pub pv: &'a [String],
}

impl fmt::Display for ThinkingOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // CECP writes mate in N moves as 100000 + N.
        let score = self.mate_in_plies.map_or(self.score, |plies| match plies > 0 {
            true => 100_000 + (plies + 1) / 2,
            false => -100_000 + plies / 2,
        });
        write!(f, "{} {score} {} {} {}", self.depth, self.time / 10, self.nodes, self.pv.join(" "))
    }
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Features(features) => write!(f, "feature done=0 {features}"),
            Reply::MyName(name) => write!(f, "feature myname=\"{name}\""),
            Reply::Variants(variants) => write!(f, "feature variants=\"{}\"", variants.join(",")),
            Reply::Option(option) => {
                write!(f, "feature option=\"{} {}\"", option.name, format_option_kind(&option.kind))
            }
            Reply::Done => write!(f, "feature done=1"),
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Move(mv) => write!(f, "move {mv}"),
            Reply::IllegalMove(reason, mv) => write!(f, "Illegal move ({reason}): {mv}"),
            Reply::Error(reason, line) => write!(f, "Error ({reason}): {line}"),
            Reply::Thinking(thinking) => thinking.fmt(f),
            // The number of root moves left is unknown: 0 of 0.
            Reply::Progress(time, nodes, depth) => write!(f, "stat01: {} {nodes} {depth} 0 0", time / 10),
            Reply::Result(result, reason) => write!(f, "{result} {{{reason}}}"),
            Reply::Hint(mv) => write!(f, "Hint: {mv}"),
            // CECP shows lines that begin with a space; an empty line ends the list.
            Reply::NoBook => writeln!(f, " No book"),
            Reply::OfferDraw => write!(f, "offer draw"),
            Reply::Resign => write!(f, "resign"),
            Reply::UserError(message) => write!(f, "tellusererror {message}"),
        }
    }
}

fn format_option_kind(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check(default) => format!("-check {}", u32::from(*default)),
        OptionKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        OptionKind::Combo { default, choices } => {
            let choices = choices.iter().map(|choice| match choice == default {
                true => format!("*{choice}"),
                false => choice.clone(),
            });
            format!("-combo {}", choices.collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::String(default) => format!("-string {default}"),
        OptionKind::Button => "-button".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_line, assert_errors, assert_known};
    use proptest::prelude::*;

    #[test]
    fn every_command_is_parsed() {
        for (line, command) in [
            ("xboard", Command::XBoard),
            ("protover 2", Command::Protover(2)),
            ("new", Command::New),
            ("variant xiangqi", Command::Variant("xiangqi")),
            ("level 40 5 0", Command::Level(LevelCommand { moves: 40, base: 300_000, increment: 0 })),
            ("level 0 0:30 0.5", Command::Level(LevelCommand { moves: 0, base: 30_000, increment: 500 })),
            ("st 2", Command::MoveTime(2_000)),
            ("sd 9", Command::Depth(9)),
            ("time 1234", Command::Time(12_340)),
            ("time -5", Command::Time(0)),
            ("otim 5", Command::OpponentTime(50)),
            ("usermove h2e2", Command::UserMove("h2e2")),
            ("e7e8q", Command::UserMove("e7e8q")),
            ("P@f5", Command::UserMove("P@f5")),
            ("O-O", Command::UserMove("O-O")),
            ("?", Command::MoveNow),
            ("ping 7", Command::Ping("7")),
            ("result 1-0 {White mates}", Command::Result),
            ("setboard 4k4/9 w", Command::SetBoard("4k4/9 w")),
            ("memory 64", Command::Memory(64)),
            ("cores 2", Command::Cores(2)),
            ("option Move Overhead=30", Command::Option("Move Overhead", Some("30"))),
            ("option Clear Hash", Command::Option("Clear Hash", None)),
            ("accepted setboard", Command::Ignored),
            (".", Command::Progress),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
        assert_known(|line| parse_command(line).err(), &COMMANDS);
    }

    #[test]
    fn errors_name_what_was_expected() {
        let cases = [
            ("wave", "unknown command \"wave\""),
            ("e2e4 e7e5", "unknown command \"e2e4\""),
            ("level 40 x 0", "expected minutes, or minutes:seconds, found \"x\""),
            ("level 40 5", "expected seconds after the minutes, found the end of the line"),
            ("st nan", "expected seconds after st, found \"nan\""),
            ("usermove", "expected a move, found the end of the line"),
            ("setboard", "expected a position after setboard, found the end of the line"),
        ];
        assert_errors(|line| parse_command(line).err(), &cases);
    }

    #[test]
    fn replies_are_formatted() {
        let pv = ["h2e2".to_string(), "h9g7".to_string()];
        let thinking = |mate| {
            Reply::Thinking(ThinkingOutput {
                depth: 4,
                score: -9,
                mate_in_plies: mate,
                time: 1234,
                nodes: 55,
                pv: &pv,
            })
            .to_string()
        };
        assert_eq!(thinking(None), "4 -9 123 55 h2e2 h9g7");
        assert!(thinking(Some(3)).starts_with("4 100002 "));
        assert!(thinking(Some(-4)).starts_with("4 -100002 "));
        let ruleset = EngineOption::combo("Ruleset", "axf", &["axf", "xqwlight"]);
        for (reply, text) in [
            (Reply::Option(&ruleset), "feature option=\"Ruleset -combo *axf /// xqwlight\""),
            (Reply::Option(&EngineOption::spin("A b", 1, 0, 3)), "feature option=\"A b -spin 1 0 3\""),
            (Reply::Variants(&["normal", "xiangqi"]), "feature variants=\"normal,xiangqi\""),
            (Reply::IllegalMove("no".into(), "h2h2"), "Illegal move (no): h2h2"),
            (Reply::Result("1-0", "Red wins"), "1-0 {Red wins}"),
            (Reply::Progress(990, 12, 3), "stat01: 99 12 3 0 0"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in any_line(&COMMANDS)) {
            let _ = parse_command(&line);
        }

        #[test]
        fn clocks_are_parsed_exactly(moves: u32, minutes in 0u64..100_000, seconds in 0u64..60, centiseconds: i64) {
            let level = LevelCommand { moves, base: (minutes * 60 + seconds) * 1000, increment: 0 };
            let line = format!("level {moves} {minutes}:{seconds} 0");
            prop_assert_eq!(parse_command(&line), Ok(Command::Level(level)));
            let milliseconds = (centiseconds.max(0) as u64).saturating_mul(10);
            let line = format!("time {centiseconds}");
            prop_assert_eq!(parse_command(&line), Ok(Command::Time(milliseconds)));
        }
    }
}
