//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard (T. Mann, H.G. Muller), as far as an engine needs it
//! that announces `setboard=1 usermove=1 ping=1 time=1 colors=0 sigint=0 sigterm=0 san=0 analyze=1 memory=1 smp=1`.

use std::fmt;

use crate::tokens::{EngineOption, OptionKind, ParseError, TokenReader};

/// What a GUI says.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// `xboard`: this protocol.
    XBoard,
    /// `protover N`: tell your features.
    Protover(u32),
    /// `new`: another game, the engine plays the second side.
    New,
    /// `variant V`.
    Variant(&'a str),
    /// `force`: take moves and play none.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level(LevelCommand),
    /// `st N`: so long for every move, in milliseconds.
    MoveTime(u64),
    /// `sd N`: no deeper than so many plies.
    Depth(u32),
    /// `time N`: what is left on the engine's clock, in milliseconds.
    Time(u64),
    /// `otim N`: what is left on the opponent's, in milliseconds.
    OpponentTime(u64),
    /// `usermove M`, or a bare move.
    UserMove(&'a str),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(&'a str),
    /// `draw`: a draw is offered.
    Draw,
    /// `result R {why}`: the game is over.
    Result,
    /// `setboard F`.
    SetBoard(&'a str),
    /// `hint`: what should the opponent play?
    Hint,
    /// `bk`: what does the book say?
    Book,
    /// `undo`: the last move is taken back.
    Undo,
    /// `remove`: the last two are.
    Remove,
    /// `hard`: think in the opponent's time.
    Hard,
    /// `easy`: don't.
    Easy,
    /// `post`: show what you think.
    Post,
    /// `nopost`: don't.
    NoPost,
    /// `analyze`: think without playing.
    Analyze,
    /// `.`: how far is the analysis?
    Progress,
    /// `exit`: no analysis any more.
    Exit,
    /// `memory N`: MiB for everything.
    Memory(u64),
    /// `cores N`.
    Cores(u64),
    /// `option N=V` or `option N`.
    Option(&'a str, Option<&'a str>),
    /// What is told and changes nothing: names, ratings, accepted features.
    Ignored,
    /// `quit`.
    Quit,
}

/// A time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCommand {
    /// Moves until there is new time; 0 where the time must do for the game.
    pub moves: u32,
    /// The time, in milliseconds.
    pub base: u64,
    /// Won by each move, in milliseconds.
    pub increment: u64,
}

/// The words that begin a command.
pub const COMMANDS: [&str; 41] = [
    "xboard",
    "protover",
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

/// Reads a line; an empty one means nothing.
///
/// # Errors
/// If the first word is no command and no move, or something is missing that the command cannot do without.
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut words = TokenReader::new(line);
    let Some(first) = words.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "xboard" => Command::XBoard,
        "protover" => Command::Protover(words.next_number(first)?),
        "new" => Command::New,
        "variant" => Command::Variant(expect_token(&mut words, "the name of a variant")?),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => Command::Level(parse_level(words)?),
        "st" => Command::MoveTime(parse_seconds(words.next(), first)?),
        "sd" => Command::Depth(words.next_number(first)?),
        "time" => Command::Time(parse_centiseconds(&mut words, first)?),
        "otim" => Command::OpponentTime(parse_centiseconds(&mut words, first)?),
        "usermove" => Command::UserMove(expect_token(&mut words, "a move")?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(expect_token(&mut words, "a number after ping")?),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "setboard" => match words.rest() {
            "" => return Err(ParseError::expected("a position after setboard", None)),
            fen => Command::SetBoard(fen),
        },
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
        "memory" => Command::Memory(words.next_number(first)?),
        "cores" => Command::Cores(words.next_number(first)?),
        "option" => match words.rest().split_once('=') {
            Some((name, value)) => Command::Option(name.trim(), Some(value.trim())),
            None => Command::Option(words.rest(), None),
        },
        "accepted" | "rejected" | "random" | "nps" | "name" | "rating" | "ics" | "computer" | "egtpath" => {
            Command::Ignored
        }
        "quit" => Command::Quit,
        _ if words.rest().is_empty() && is_move(first) => Command::UserMove(first),
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn expect_token<'a>(words: &mut TokenReader<'a>, expected: &str) -> Result<&'a str, ParseError> {
    words.next().ok_or_else(|| ParseError::expected(expected, None))
}

/// Whether a word looks like a move in coordinates, as it is said without `usermove`.
fn is_move(word: &str) -> bool {
    let letters: Vec<_> = word.chars().filter(|letter| letter.is_ascii_lowercase()).collect();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let coordinates = (2..=3).contains(&letters.len()) && (2..=4).contains(&digits);
    (word.len() <= 7 && word.starts_with(|letter: char| letter.is_ascii_lowercase()) && coordinates)
        || word.starts_with("O-O")
        || word == "@@@@"
        || word.get(1..2) == Some("@")
}

/// Seconds, with a fraction or not, in milliseconds.
fn parse_seconds(word: Option<&str>, after: &str) -> Result<u64, ParseError> {
    let seconds = word
        .and_then(|word| word.parse::<f64>().ok())
        .filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    let seconds = seconds.ok_or_else(|| ParseError::expected(format!("seconds after {after}"), word))?;
    Ok((seconds * 1000.0) as u64)
}

/// Hundredths of a second in milliseconds. A time below 0 is none left.
fn parse_centiseconds(words: &mut TokenReader<'_>, after: &str) -> Result<u64, ParseError> {
    let hundredths: i64 = words.next_number(after)?;
    Ok((hundredths.max(0) as u64).saturating_mul(10))
}

fn parse_level(mut words: TokenReader<'_>) -> Result<LevelCommand, ParseError> {
    let moves = words.next_number("level")?;
    let base = words.next();
    let (minutes, seconds) = base.map_or(("", None), |base| match base.split_once(':') {
        Some((minutes, seconds)) => (minutes, Some(seconds)),
        None => (base, None),
    });
    let number = |part: &str| part.parse::<u64>().ok().filter(|&number| number < 1 << 32);
    let minutes = number(minutes);
    let seconds = seconds.map_or(Some(0), number);
    let (Some(minutes), Some(seconds)) = (minutes, seconds) else {
        return Err(ParseError::expected("minutes, or minutes:seconds", base));
    };
    let increment = parse_seconds(words.next(), "the minutes")?;
    Ok(LevelCommand { moves, base: (minutes * 60 + seconds) * 1000, increment })
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// Its features; more are to come.
    Features(&'a str),
    /// Its name.
    MyName(&'a str),
    /// The variants that it plays.
    Variants(&'a [&'a str]),
    /// Something that can be set.
    Option(&'a EngineOption),
    /// No more features.
    Done,
    /// It has done all that was asked.
    Pong(&'a str),
    /// The move it plays.
    Move(&'a str),
    /// A move that it does not play: why, and which.
    IllegalMove(String, &'a str),
    /// A command that it cannot obey: why, and the line.
    Error(String, String),
    /// What it thinks.
    Thinking(ThinkingOutput<'a>),
    /// How far an analysis is: milliseconds, positions, plies.
    Progress(u64, u64, u32),
    /// The game is over: `1-0`, `0-1`, `1/2-1/2`, and why.
    Result(&'a str, &'a str),
    /// What the opponent should play.
    Hint(&'a str),
    /// Nothing is known of the opening.
    NoBook,
    /// It offers a draw, or accepts one.
    OfferDraw,
    /// It gives up.
    Resign,
    /// People must read this.
    UserError(String),
}

/// What an engine thinks of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThinkingOutput<'a> {
    /// Plies.
    pub depth: u32,
    /// Hundredths.
    pub score: i32,
    /// A known end in so many plies: positive if the side to move wins.
    pub mate_in_plies: Option<i32>,
    /// Milliseconds.
    pub time: u64,
    /// Positions.
    pub nodes: u64,
    /// The moves.
    pub pv: &'a [String],
}

impl fmt::Display for ThinkingOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A mate in so many moves is so many above a thousand pawns.
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
            Reply::Option(setting) => {
                write!(f, "feature option=\"{} {}\"", setting.name, format_option_kind(&setting.kind))
            }
            Reply::Done => write!(f, "feature done=1"),
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Move(mv) => write!(f, "move {mv}"),
            Reply::IllegalMove(why, mv) => write!(f, "Illegal move ({why}): {mv}"),
            Reply::Error(why, line) => write!(f, "Error ({why}): {line}"),
            Reply::Thinking(thinking) => thinking.fmt(f),
            // How many moves are left at the root is not known: none of none.
            Reply::Progress(time, nodes, depth) => write!(f, "stat01: {} {nodes} {depth} 0 0", time / 10),
            Reply::Result(result, why) => write!(f, "{result} {{{why}}}"),
            Reply::Hint(mv) => write!(f, "Hint: {mv}"),
            // A line that begins with a blank is shown; an empty one ends it.
            Reply::NoBook => writeln!(f, " No book"),
            Reply::OfferDraw => write!(f, "offer draw"),
            Reply::Resign => write!(f, "resign"),
            Reply::UserError(words) => write!(f, "tellusererror {words}"),
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
        OptionKind::Button => "-button".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_command_is_read() {
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
        for word in COMMANDS {
            assert!(!matches!(parse_command(word), Err(ParseError::UnknownCommand(_))), "{word}");
        }
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (line, fault) in [
            ("wave", "unknown command \"wave\""),
            ("e2e4 e7e5", "unknown command \"e2e4\""),
            ("level 40 x 0", "expected minutes, or minutes:seconds, found \"x\""),
            ("level 40 5", "expected seconds after the minutes, found the end"),
            ("st nan", "expected seconds after st, found \"nan\""),
            ("usermove", "expected a move, found the end"),
            ("setboard", "expected a position after setboard, found the end"),
        ] {
            assert_eq!(parse_command(line).unwrap_err().to_string(), fault, "{line}");
        }
    }

    #[test]
    fn replies_are_written() {
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
        let book = EngineOption::combo("Ruleset", "axf", &["axf", "xqwlight"]);
        for (reply, text) in [
            (Reply::Option(&book), "feature option=\"Ruleset -combo *axf /// xqwlight\""),
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
        fn no_line_is_too_much(line in "\\PC{0,200}", word in prop::sample::select(&COMMANDS[..])) {
            let _ = parse_command(&line);
            let _ = parse_command(&format!("{word} {line}"));
        }

        #[test]
        fn clocks_come_through(moves: u32, minutes in 0u64..100_000, seconds in 0u64..60, hundredths: i64) {
            let level = LevelCommand { moves, base: (minutes * 60 + seconds) * 1000, increment: 0 };
            let line = format!("level {moves} {minutes}:{seconds} 0");
            prop_assert_eq!(parse_command(&line), Ok(Command::Level(level)));
            let line = format!("time {hundredths}");
            prop_assert!(parse_command(&line).is_ok());
        }
    }
}
