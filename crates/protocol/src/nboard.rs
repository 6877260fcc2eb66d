//! The NBoard protocol, version 2 (C. Welty), of Othello boards.
//!
//! A line each way, and unknown lines are ignored. The engine says which move it would play and does not play it: the board does.
//! Scores are discs from the mover's view.

use std::fmt;

use crate::tokens::{ParseError, TokenReader};

/// What a board says.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// `nboard N`: this protocol, in this version.
    NBoard(u32),
    /// `set depth N`: think so many plies deep.
    Depth(u32),
    /// `set game G`: a game in GGF.
    Game(GgfGame<'a>),
    /// `set contempt N`, and whatever else is set: read, and nothing is done about it.
    Ignored,
    /// `move M[/eval/time]`: it was played on the board.
    Move(&'a str),
    /// `hint N`: what are the best N moves?
    Hint(u32),
    /// `go`: which move would you play?
    Go,
    /// `ping N`: stop thinking and say so.
    Ping(&'a str),
    /// `learn`: put the game into your book.
    Learn,
    /// `analyze`: what is each position of the game worth?
    Analyze,
    /// `quit`.
    Quit,
}

/// A game as GGF tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GgfGame<'a> {
    /// The board it began from, `*` and `O` and `-`, and the side to move; none where it is not told.
    pub board: Option<&'a str>,
    /// The moves, without evaluations and times; Black's are true.
    pub moves: Vec<(bool, &'a str)>,
}

/// The words that begin a command.
pub const COMMANDS: [&str; 10] =
    ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "analyse", "quit"];

/// Reads a line; an empty one means nothing.
///
/// # Errors
/// If the first word is no command, or something is missing that the command cannot do without.
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut words = TokenReader::new(line);
    let Some(first) = words.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "nboard" => Command::NBoard(words.next_number(first)?),
        "set" => match words.next() {
            Some("depth") => Command::Depth(words.next_number("depth")?),
            Some("game") => Command::Game(parse_game(words.rest())?),
            Some(_) => Command::Ignored,
            None => return Err(ParseError::expected("depth, game or contempt after set", None)),
        },
        "move" => {
            let mv = words.next().ok_or_else(|| ParseError::expected("a move", None))?;
            Command::Move(strip_move_suffix(mv))
        }
        "hint" => Command::Hint(words.next_number(first)?),
        "go" => Command::Go,
        "ping" => {
            Command::Ping(words.next().ok_or_else(|| ParseError::expected("a number after ping", None))?)
        }
        "learn" => Command::Learn,
        "analyze" | "analyse" => Command::Analyze,
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

/// The move of `d3/1.50/12`.
fn strip_move_suffix(text: &str) -> &str {
    text.split('/').next().unwrap_or_default().trim()
}

/// The parts of GGF that place a game: `BO[8 board side]` and the moves, `B[..]` and `W[..]`.
fn parse_game(text: &str) -> Result<GgfGame<'_>, ParseError> {
    let mut game = GgfGame::default();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let tag =
            rest[..open].rsplit(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        let value = &rest[open + 1..];
        let Some(close) = value.find(']') else { return Err(ParseError::expected("] in a game", None)) };
        let value_text = value[..close].trim();
        rest = &value[close + 1..];
        match tag {
            "BO" => {
                let mut words = TokenReader::new(value_text);
                match words.next() {
                    Some("8") => game.board = Some(words.rest()),
                    size => return Err(ParseError::expected("a board of size 8", size)),
                }
            }
            "B" | "W" => game.moves.push((tag == "B", strip_move_suffix(value_text))),
            _ => {}
        }
    }
    if text.starts_with("(;") {
        Ok(game)
    } else {
        Err(ParseError::expected("a game, (;...;)", TokenReader::new(text).next()))
    }
}

/// How sure a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many plies were looked at.
    Plies(u32),
    /// It is the score of best play to the end.
    Exact,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Plies(plies) => write!(f, "{plies}"),
            Depth::Exact => write!(f, "100%"),
        }
    }
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// Its name.
    MyName(&'a str),
    /// What it is doing; empty for nothing.
    Status(&'a str),
    /// Positions, and seconds.
    NodeStats(u64, f64),
    /// A line, its score in hundredths, and how deep.
    Search(&'a [String], i32, Depth),
    /// The move it would play, its score in hundredths, and the seconds it took.
    Move(&'a str, i32, f64),
    /// It has stopped thinking.
    Pong(&'a str),
    /// The game is in the book, if there is one.
    Learned,
    /// After so many moves of the game the position is worth so many hundredths.
    Analysis(usize, i32),
    /// Something for people; boards ignore it.
    Message(&'a str),
}

/// Hundredths as discs.
fn to_discs(score: i32) -> f64 {
    f64::from(score) / 100.0
}

/// A move as boards write it: upper case, and `PA` for a pass.
fn format_move(mv: &str) -> String {
    if mv == "pass" { "PA".into() } else { mv.to_ascii_uppercase() }
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::MyName(name) => write!(f, "set myname {name}"),
            Reply::Status(text) => write!(f, "{}", format!("status {text}").trim_end()),
            Reply::NodeStats(nodes, seconds) => write!(f, "nodestats {nodes} {seconds:.3}"),
            Reply::Search(line, score, depth) => {
                let line: String = line.iter().map(|mv| format_move(mv)).collect();
                write!(f, "search {line} {:.2} 0 {depth}", to_discs(*score))
            }
            Reply::Move(mv, score, seconds) => {
                write!(f, "=== {}/{:.2}/{seconds:.2}", format_move(mv), to_discs(*score))
            }
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Learned => write!(f, "learned"),
            Reply::Analysis(moves, score) => write!(f, "analysis {moves} {:.2}", to_discs(*score)),
            Reply::Message(text) => write!(f, "status {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAME: &str = "(;GM[Othello]PC[NBoard]PB[a[b]PW[c]TI[5:00]TY[8]BO[8 ---------------------------O*------*O\
                        --------------------------- *]B[F5//1.2]W[d6/-1.00]B[PA];)";

    #[test]
    fn every_command_is_read() {
        for (line, command) in [
            ("nboard 2", Command::NBoard(2)),
            ("set depth 12", Command::Depth(12)),
            ("set contempt 3", Command::Ignored),
            ("move F5/1.00/2.0", Command::Move("F5")),
            ("move pa", Command::Move("pa")),
            ("hint 3", Command::Hint(3)),
            ("go", Command::Go),
            ("ping 9", Command::Ping("9")),
            ("learn", Command::Learn),
            ("analyze", Command::Analyze),
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
    fn a_game_gives_its_board_and_its_moves() {
        let line = format!("set game {GAME}");
        let Ok(Command::Game(game)) = parse_command(&line) else { panic!("{:?}", parse_command(&line)) };
        let board = game.board.unwrap();
        assert!(board.starts_with("---") && board.ends_with("- *"), "{board}");
        assert_eq!(game.moves, [(true, "F5"), (false, "d6"), (true, "PA")]);
        assert_eq!(parse_command("set game (;GM[Othello];)"), Ok(Command::Game(GgfGame::default())));
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (line, fault) in [
            ("wave", "unknown command \"wave\""),
            ("set", "expected depth, game or contempt after set, found the end"),
            ("set depth far", "expected a whole number after depth, found \"far\""),
            ("set game x", "expected a game, (;...;), found \"x\""),
            ("set game (;BO[10 -]", "expected a board of size 8, found \"10\""),
            ("set game (;B[", "expected ] in a game, found the end"),
            ("move", "expected a move, found the end"),
        ] {
            assert_eq!(parse_command(line).unwrap_err().to_string(), fault, "{line}");
        }
    }

    #[test]
    fn replies_are_written() {
        let line = ["f5".to_string(), "pass".to_string()];
        for (reply, text) in [
            (Reply::Search(&line, -150, Depth::Plies(9)), "search F5PA -1.50 0 9"),
            (Reply::Search(&line[..1], 400, Depth::Exact), "search F5 4.00 0 100%"),
            (Reply::Move("pass", 25, 1.5), "=== PA/0.25/1.50"),
            (Reply::NodeStats(12, 0.25), "nodestats 12 0.250"),
            (Reply::Status(""), "status"),
            (Reply::Analysis(3, -100), "analysis 3 -1.00"),
            (Reply::MyName("A"), "set myname A"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_much(line in "\\PC{0,200}", word in prop::sample::select(&COMMANDS[..])) {
            let _ = parse_command(&line);
            let _ = parse_command(&format!("{word} {line}"));
            let _ = parse_command(&format!("set game (;{line}"));
            let _ = parse_command(&format!("set game (;B[{line}]BO[8 {line}]"));
        }

        #[test]
        fn moves_come_through(moves in prop::collection::vec((any::<bool>(), "[a-h][1-8]"), 0..60)) {
            let tags: String = moves
                .iter()
                .map(|(black, mv)| format!("{}[{mv}/0.5/1]", if *black { 'B' } else { 'W' }))
                .collect();
            let line = format!("set game (;GM[Othello]{tags};)");
            let Ok(Command::Game(game)) = parse_command(&line) else { panic!("{line}") };
            prop_assert!(game.moves.iter().map(|&(black, mv)| (black, mv.to_owned())).eq(moves));
        }
    }
}
