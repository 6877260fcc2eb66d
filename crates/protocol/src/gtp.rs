//! The Go Text Protocol, version 2, for Othello: the commands that Edax and Egaroucid answer, and the GoGui
//! extension for games other than go.
//!
//! Each request has one response, before the next request is read: `=[id] text` and an empty line, or `?[id] text` if
//! it failed.

use std::fmt;

use crate::tokens::{ParseError, TokenReader};

/// A request: an optional number and a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<'a> {
    /// The number, repeated in the response.
    pub id: Option<u64>,
    /// The command. A request gets a response even if its command cannot be parsed.
    pub command: Result<Command<'a>, ParseError>,
}

/// The colour of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// `b`, `black`: the first side.
    Black,
    /// `w`, `white`: the second side.
    White,
}

/// A command of the controller.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// `protocol_version`.
    ProtocolVersion,
    /// `name`.
    Name,
    /// `version`.
    Version,
    /// `known_command C`.
    KnownCommand(&'a str),
    /// `list_commands`.
    ListCommands,
    /// `quit`.
    Quit,
    /// `boardsize N`.
    BoardSize(u32),
    /// `clear_board`.
    ClearBoard,
    /// `komi K`: accepted without effect.
    Komi,
    /// `level N`: the playing strength, as in GNU Go.
    Level(u32),
    /// `play C V`.
    Play(Colour, &'a str),
    /// `genmove C`: search and play.
    GenMove(Colour),
    /// `reg_genmove C`: search without playing.
    RegGenMove(Colour),
    /// `undo`.
    Undo,
    /// `showboard`.
    ShowBoard,
    /// `list_games`.
    ListGames,
    /// `set_game G`.
    SetGame(&'a str),
    /// `time_settings MAIN EXTRA STONES`, in seconds.
    TimeSettings(u64, u64, u32),
    /// `time_left C SECONDS STONES`.
    TimeLeft(Colour, u64, u32),
    /// `final_score`, `gogui-rules_final_result`.
    FinalScore,
    /// `gogui-rules_game_id`.
    GameId,
    /// `gogui-rules_board`.
    Board,
    /// `gogui-rules_board_size`.
    RulesBoardSize,
    /// `gogui-rules_legal_moves`.
    LegalMoves,
    /// `gogui-rules_side_to_move`.
    SideToMove,
}

/// The names of all commands, sorted.
pub const COMMANDS: [&str; 26] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "level",
    "list_commands",
    "list_games",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Returns whether `line` is a request, with or without a number.
pub fn is_request(line: &str) -> bool {
    parse_request(line).is_some_and(|request| request.command.is_ok())
}

/// Parses a line; returns `None` for an empty line or a comment.
///
/// ```
/// use alfil_protocol::gtp::{Colour, Command, parse_request};
///
/// let request = parse_request("17 play b F5 # the first move").unwrap();
/// assert_eq!((request.id, request.command), (Some(17), Ok(Command::Play(Colour::Black, "F5"))));
/// assert_eq!(parse_request("# nothing but a comment"), None);
/// ```
pub fn parse_request(line: &str) -> Option<Request<'_>> {
    let line = line.split('#').next().unwrap_or_default();
    let mut tokens = TokenReader::new(line);
    let id = tokens.peek()?.parse().ok();
    if id.is_some() {
        tokens.next();
    }
    Some(Request { id, command: parse_command(tokens) })
}

fn parse_command(mut tokens: TokenReader<'_>) -> Result<Command<'_>, ParseError> {
    let Some(first) = tokens.next() else { return Err(ParseError::expected("a command", None)) };
    Ok(match first {
        "protocol_version" => Command::ProtocolVersion,
        "name" => Command::Name,
        "version" => Command::Version,
        "known_command" => Command::KnownCommand(tokens.next().unwrap_or_default()),
        "list_commands" => Command::ListCommands,
        "quit" => Command::Quit,
        "boardsize" => Command::BoardSize(tokens.next_number(first)?),
        "clear_board" => Command::ClearBoard,
        "komi" => match tokens.next() {
            Some(komi) if komi.parse::<f64>().is_ok_and(f64::is_finite) => Command::Komi,
            found => return Err(ParseError::expected("a number after komi", found)),
        },
        "level" => Command::Level(tokens.next_number(first)?),
        "play" => {
            let colour = parse_colour(&mut tokens)?;
            let vertex = tokens.next().ok_or_else(|| ParseError::expected("a square or pass", None))?;
            Command::Play(colour, vertex)
        }
        "genmove" => Command::GenMove(parse_colour(&mut tokens)?),
        "reg_genmove" => Command::RegGenMove(parse_colour(&mut tokens)?),
        "undo" => Command::Undo,
        "showboard" => Command::ShowBoard,
        "list_games" => Command::ListGames,
        "set_game" => Command::SetGame(tokens.rest()),
        "time_settings" => Command::TimeSettings(
            tokens.next_number(first)?,
            tokens.next_number("main time")?,
            tokens.next_number("extra time")?,
        ),
        "time_left" => Command::TimeLeft(
            parse_colour(&mut tokens)?,
            tokens.next_number("the colour")?,
            tokens.next_number("the time")?,
        ),
        "final_score" | "gogui-rules_final_result" => Command::FinalScore,
        "gogui-rules_game_id" => Command::GameId,
        "gogui-rules_board" => Command::Board,
        "gogui-rules_board_size" => Command::RulesBoardSize,
        "gogui-rules_legal_moves" => Command::LegalMoves,
        "gogui-rules_side_to_move" => Command::SideToMove,
        _ => return Err(ParseError::unknown_command(first)),
    })
}

fn parse_colour(tokens: &mut TokenReader<'_>) -> Result<Colour, ParseError> {
    let token = tokens.next();
    match token.map(str::to_ascii_lowercase).as_deref() {
        Some("b" | "black") => Ok(Colour::Black),
        Some("w" | "white") => Ok(Colour::White),
        _ => Err(ParseError::expected("a colour, b or w", token)),
    }
}

/// A response: the number of the request, and a text or the error message.
///
/// ```
/// use alfil_protocol::gtp::Reply;
///
/// assert_eq!(Reply(Some(17), Ok("d6".into())).to_string(), "=17 d6\n");
/// assert_eq!(Reply(None, Err("illegal move".into())).to_string(), "? illegal move\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply(pub Option<u64>, pub Result<String, String>);

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.1 {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{sign}")?;
        self.0.iter().try_for_each(|id| write!(f, "{id}"))?;
        // An empty line would end the response.
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        writeln!(f, " {}", lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_line, assert_errors};
    use proptest::prelude::*;

    #[test]
    fn every_command_is_parsed() {
        for token in COMMANDS {
            let line = format!("12 {token} b 8 1 2\n");
            let request = parse_request(&line).unwrap();
            assert_eq!(request.id, Some(12));
            assert!(!matches!(request.command, Err(ParseError::UnknownCommand(_))), "{token}");
        }
        assert!(COMMANDS.is_sorted());
        for (line, command) in [
            ("play B f5", Command::Play(Colour::Black, "f5")),
            ("genmove White # please", Command::GenMove(Colour::White)),
            ("time_settings 60 5 1", Command::TimeSettings(60, 5, 1)),
            ("time_left w 30 0", Command::TimeLeft(Colour::White, 30, 0)),
            ("boardsize 8", Command::BoardSize(8)),
            ("set_game Othello", Command::SetGame("Othello")),
            ("known_command", Command::KnownCommand("")),
        ] {
            assert_eq!(parse_request(line), Some(Request { id: None, command: Ok(command) }), "{line}");
        }
        assert_eq!(parse_request("  # nothing"), None);
        assert_eq!(parse_request(""), None);
    }

    #[test]
    fn errors_name_what_was_expected() {
        let cases = [
            ("wave", "unknown command \"wave\""),
            ("7", "expected a command, found the end of the line"),
            ("play red f5", "expected a colour, b or w, found \"red\""),
            ("play b", "expected a square or pass, found the end of the line"),
            ("komi", "expected a number after komi, found the end of the line"),
            ("komi x", "expected a number after komi, found \"x\""),
            ("boardsize x", "expected a whole number after boardsize, found \"x\""),
        ];
        assert_errors(|line| parse_request(line).and_then(|request| request.command.err()), &cases);
    }

    #[test]
    fn replies_end_with_an_empty_line() {
        assert_eq!(Reply(Some(3), Ok("f5".into())).to_string(), "=3 f5\n");
        assert_eq!(Reply(None, Ok(String::new())).to_string(), "= \n");
        assert_eq!(Reply(None, Err("no".into())).to_string(), "? no\n");
        assert_eq!(Reply(None, Ok("\na\n\nb".into())).to_string(), "= a\nb\n");
    }

    proptest! {
        #[test]
        fn no_line_panics(line in any_line(&COMMANDS)) {
            let _ = parse_request(&line);
        }

        #[test]
        fn responses_repeat_the_request_number(id: u64) {
            let line = format!("{id} name");
            prop_assert_eq!(parse_request(&line), Some(Request { id: Some(id), command: Ok(Command::Name) }));
            prop_assert_eq!(Reply(Some(id), Ok("A".into())).to_string(), format!("={id} A\n"));
        }
    }
}
