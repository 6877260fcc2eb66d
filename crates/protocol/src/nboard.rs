//! The NBoard protocol, version 2 (C. Welty), for Othello.
//!
//! An unknown line is an error, which the engine reports. The engine replies to `go` with a move but does not play it:
//! the GUI sends it back by `move`. Scores are in discs from the view of the side to move.

use std::fmt;

use crate::tokens::{ParseError, TokenReader};

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// `nboard N`: the version of the protocol.
    NBoard(u32),
    /// `set depth N`: the search depth in plies.
    Depth(u32),
    /// `set game G`: the game as GGF.
    Game(GgfGame<'a>),
    /// `set contempt N`, other settings and empty lines: accepted without effect.
    Ignored,
    /// `move M[/eval/time]`: a move was played.
    Move(&'a str),
    /// `hint N`: evaluate the N best moves.
    Hint(u32),
    /// `go`: search for a move.
    Go,
    /// `ping N`: stop the search and reply.
    Ping(&'a str),
    /// `learn`: add the game to the opening book.
    Learn,
    /// `analyze`: evaluate each position of the game.
    Analyze,
    /// `quit`.
    Quit,
}

/// The board and the moves of a GGF game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GgfGame<'a> {
    /// The initial board (`*`, `O` and `-`) and the side to move; none if the game has no `BO`.
    pub board: Option<&'a str>,
    /// The moves without evaluations and times; `true` is Black.
    pub moves: Vec<(bool, &'a str)>,
}

/// The first tokens of all commands.
pub const COMMANDS: [&str; 10] =
    ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "analyse", "quit"];

/// Parses a line; an empty line is [`Command::Ignored`].
///
/// # Errors
/// Returns an error if the first token is not a command, or if a required argument is missing.
///
/// ```
/// use alfil_protocol::nboard::{Command, parse_command};
///
/// assert_eq!(parse_command("set depth 12"), Ok(Command::Depth(12)));
/// // The evaluation and the time after a move are left out.
/// assert_eq!(parse_command("move F5/1.20/3"), Ok(Command::Move("F5")));
/// ```
pub fn parse_command(line: &str) -> Result<Command<'_>, ParseError> {
    let mut tokens = TokenReader::new(line);
    let Some(first) = tokens.next() else { return Ok(Command::Ignored) };
    Ok(match first {
        "nboard" => Command::NBoard(tokens.next_number(first)?),
        "set" => match tokens.next() {
            Some("depth") => Command::Depth(tokens.next_number("depth")?),
            Some("game") => Command::Game(parse_game(tokens.rest())?),
            Some(_) => Command::Ignored,
            None => return Err(ParseError::expected("depth, game or contempt after set", None)),
        },
        "move" => {
            let mv = tokens.next().ok_or_else(|| ParseError::expected("a move", None))?;
            Command::Move(strip_move_suffix(mv))
        }
        "hint" => Command::Hint(tokens.next_number(first)?),
        "go" => Command::Go,
        "ping" => {
            Command::Ping(tokens.next().ok_or_else(|| ParseError::expected("a number after ping", None))?)
        }
        "learn" => Command::Learn,
        "analyze" | "analyse" => Command::Analyze,
        "quit" => Command::Quit,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

/// Returns the move of `d3/1.50/12`.
fn strip_move_suffix(text: &str) -> &str {
    text.split('/').next().unwrap_or_default().trim()
}

/// Parses the board `BO[8 board side]` and the moves `B[..]` and `W[..]` of a GGF game.
fn parse_game(text: &str) -> Result<GgfGame<'_>, ParseError> {
    let mut game = GgfGame::default();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let tag = rest[..open]
            .rsplit(|character: char| !character.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let value = &rest[open + 1..];
        let Some(close) = value.find(']') else { return Err(ParseError::expected("] in a game", None)) };
        let value_text = value[..close].trim();
        rest = &value[close + 1..];
        match tag {
            "GM" if !value_text.eq_ignore_ascii_case("othello") => {
                return Err(ParseError::expected("a game of Othello", Some(value_text)));
            }
            "BO" => {
                let mut tokens = TokenReader::new(value_text);
                match tokens.next() {
                    Some("8") => game.board = Some(tokens.rest()),
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

/// The depth of a search result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A search to this depth in plies.
    Plies(u32),
    /// A selective search to the end of the game, to this depth in plies and with this percentage of confidence.
    Selective(u32, u8),
    /// An exact score: solved to the end of the game.
    Exact,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Plies(plies) => write!(f, "{plies}"),
            Depth::Selective(plies, percent) => write!(f, "{plies}@{percent}%"),
            Depth::Exact => write!(f, "100%"),
        }
    }
}

/// A reply of the engine.
///
/// ```
/// use alfil_protocol::nboard::{Depth, Reply};
///
/// let line = ["f5".to_owned(), "pass".to_owned()];
/// assert_eq!(Reply::Search(&line, 250, Depth::Selective(24, 73)).to_string(), "search F5PA 2.50 0 24@73%");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// The name of the engine.
    MyName(&'a str),
    /// The current activity; empty for none.
    Status(&'a str),
    /// The number of nodes and the time in seconds.
    NodeStats(u64, f64),
    /// A principal variation, its score in hundredths of a disc, and its depth.
    Search(&'a [String], i32, Depth),
    /// The chosen move, its score in hundredths of a disc, and the time in seconds.
    Move(&'a str, i32, f64),
    /// The answer to `ping`, after the search has stopped.
    Pong(&'a str),
    /// The answer to `learn`.
    Learned,
    /// The score in hundredths of a disc after this number of moves of the game.
    Analysis(usize, i32),
}

/// Converts hundredths of a disc to discs.
fn to_discs(score: i32) -> f64 {
    f64::from(score) / 100.0
}

/// Formats a move as GUIs write it: upper case, and `PA` for a pass.
fn format_move(mv: &str) -> String {
    if mv == "pass" { "PA".into() } else { mv.to_ascii_uppercase() }
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::MyName(name) => write!(f, "set myname {name}"),
            Reply::Status(text) => write!(f, "{}", format!("status {text}").trim_end()),
            Reply::NodeStats(nodes, seconds) => write!(f, "nodestats {nodes} {seconds:.3}"),
            Reply::Search(pv, score, depth) => {
                let pv: String = pv.iter().map(|mv| format_move(mv)).collect();
                write!(f, "search {pv} {:.2} 0 {depth}", to_discs(*score))
            }
            Reply::Move(mv, score, seconds) => {
                write!(f, "=== {}/{:.2}/{seconds:.2}", format_move(mv), to_discs(*score))
            }
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Learned => write!(f, "learned"),
            Reply::Analysis(moves, score) => write!(f, "analysis {moves} {:.2}", to_discs(*score)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_line, assert_errors, assert_known};
    use proptest::prelude::*;

    const GAME: &str = "(;GM[Othello]PC[NBoard]PB[a[b]PW[c]TI[5:00]TY[8]BO[8 ---------------------------O*------*O\
                        --------------------------- *]B[F5//1.2]W[d6/-1.00]B[PA];)";

    #[test]
    fn every_command_is_parsed() {
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
        assert_known(|line| parse_command(line).err(), &COMMANDS);
    }

    #[test]
    fn the_board_and_the_moves_of_a_game_are_parsed() {
        let line = format!("set game {GAME}");
        let Ok(Command::Game(game)) = parse_command(&line) else { panic!("{:?}", parse_command(&line)) };
        let board = game.board.unwrap();
        assert!(board.starts_with("---") && board.ends_with("- *"), "{board}");
        assert_eq!(game.moves, [(true, "F5"), (false, "d6"), (true, "PA")]);
        assert_eq!(parse_command("set game (;GM[Othello];)"), Ok(Command::Game(GgfGame::default())));
    }

    #[test]
    fn errors_name_what_was_expected() {
        let cases = [
            ("wave", "unknown command \"wave\""),
            ("set", "expected depth, game or contempt after set, found the end of the line"),
            ("set depth far", "expected a whole number after depth, found \"far\""),
            ("set game x", "expected a game, (;...;), found \"x\""),
            ("set game (;GM[Chess];)", "expected a game of Othello, found \"Chess\""),
            ("set game (;BO[10 -]", "expected a board of size 8, found \"10\""),
            ("set game (;B[", "expected ] in a game, found the end of the line"),
            ("move", "expected a move, found the end of the line"),
        ];
        assert_errors(|line| parse_command(line).err(), &cases);
    }

    #[test]
    fn replies_are_formatted() {
        let line = ["f5".to_string(), "pass".to_string()];
        for (reply, text) in [
            (Reply::Search(&line, -150, Depth::Plies(9)), "search F5PA -1.50 0 9"),
            (Reply::Search(&line[..1], 400, Depth::Exact), "search F5 4.00 0 100%"),
            (Reply::Search(&line[..1], 400, Depth::Selective(22, 95)), "search F5 4.00 0 22@95%"),
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
        fn no_line_panics(line in any_line(&COMMANDS)) {
            let _ = parse_command(&line);
            let _ = parse_command(&format!("set game (;{line}"));
            let _ = parse_command(&format!("set game (;B[{line}]BO[8 {line}]"));
        }

        #[test]
        fn moves_are_parsed_exactly(moves in prop::collection::vec((any::<bool>(), "[a-h][1-8]"), 0..60)) {
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
