//! The Go Text Protocol, version 2, as far as Othello needs it: the commands that Edax and Egaroucid answer, and the GoGui
//! extension for other games than go.
//!
//! One request is answered before the next is read: `= [id] text` and an empty line, or `? [id] text` where it failed.

use std::fmt;

use crate::tokens::{ParseError, TokenReader};

/// A request: its number, if it has one, and what is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<'a> {
    /// The number, given back with the answer.
    pub id: Option<u64>,
    /// What is asked; a request with a number is answered even where it cannot be read.
    pub command: Result<Command<'a>, ParseError>,
}

/// Who places a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// `b`, `black`: begins.
    Black,
    /// `w`, `white`.
    White,
}

/// What is asked.
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
    /// `komi K`: read, and nothing is done about it.
    Komi,
    /// `level N`: how strong it plays, as GNU Go has it.
    Level(u32),
    /// `play C V`.
    Play(Colour, &'a str),
    /// `genmove C`: think and play.
    GenMove(Colour),
    /// `reg_genmove C`: think and do not play.
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

/// The commands, sorted.
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

/// Whether a line is a request, with a number or without.
pub fn is_request(line: &str) -> bool {
    parse_request(line).is_some_and(|request| request.command.is_ok())
}

/// Reads a line; nothing where there is nothing but white space or a comment.
pub fn parse_request(line: &str) -> Option<Request<'_>> {
    let line = line.split('#').next().unwrap_or_default();
    let mut words = TokenReader::new(line);
    let id = words.peek()?.parse().ok();
    if id.is_some() {
        words.next();
    }
    Some(Request { id, command: parse_command(words) })
}

fn parse_command(mut words: TokenReader<'_>) -> Result<Command<'_>, ParseError> {
    let Some(first) = words.next() else { return Err(ParseError::expected("a command", None)) };
    Ok(match first {
        "protocol_version" => Command::ProtocolVersion,
        "name" => Command::Name,
        "version" => Command::Version,
        "known_command" => Command::KnownCommand(words.next().unwrap_or_default()),
        "list_commands" => Command::ListCommands,
        "quit" => Command::Quit,
        "boardsize" => Command::BoardSize(words.next_number(first)?),
        "clear_board" => Command::ClearBoard,
        "komi" => Command::Komi,
        "level" => Command::Level(words.next_number(first)?),
        "play" => {
            let colour = parse_colour(&mut words)?;
            let vertex = words.next().ok_or_else(|| ParseError::expected("a square or pass", None))?;
            Command::Play(colour, vertex)
        }
        "genmove" => Command::GenMove(parse_colour(&mut words)?),
        "reg_genmove" => Command::RegGenMove(parse_colour(&mut words)?),
        "undo" => Command::Undo,
        "showboard" => Command::ShowBoard,
        "list_games" => Command::ListGames,
        "set_game" => Command::SetGame(words.rest()),
        "time_settings" => Command::TimeSettings(
            words.next_number(first)?,
            words.next_number("main time")?,
            words.next_number("extra time")?,
        ),
        "time_left" => Command::TimeLeft(
            parse_colour(&mut words)?,
            words.next_number("the colour")?,
            words.next_number("the time")?,
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

fn parse_colour(words: &mut TokenReader<'_>) -> Result<Colour, ParseError> {
    let word = words.next();
    match word.map(str::to_ascii_lowercase).as_deref() {
        Some("b" | "black") => Ok(Colour::Black),
        Some("w" | "white") => Ok(Colour::White),
        _ => Err(ParseError::expected("a colour, b or w", word)),
    }
}

/// An answer: the number of the request, and what there is to say, or why it failed.
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
        // An empty line inside an answer would end it.
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        writeln!(f, " {}", lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_command_is_read() {
        for word in COMMANDS {
            let line = format!("12 {word} b 8 1 2\n");
            let request = parse_request(&line).unwrap();
            assert_eq!(request.id, Some(12));
            assert!(!matches!(request.command, Err(ParseError::UnknownCommand(_))), "{word}");
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
    fn faults_say_what_was_expected() {
        for (line, fault) in [
            ("wave", "unknown command \"wave\""),
            ("7", "expected a command, found the end"),
            ("play red f5", "expected a colour, b or w, found \"red\""),
            ("play b", "expected a square or pass, found the end"),
            ("boardsize x", "expected a whole number after boardsize, found \"x\""),
        ] {
            let found = parse_request(line).unwrap().command.unwrap_err();
            assert_eq!(found.to_string(), fault, "{line}");
        }
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
        fn no_line_is_too_much(line in "\\PC{0,200}", word in prop::sample::select(&COMMANDS[..])) {
            let _ = parse_request(&line);
            let _ = parse_request(&format!("{word} {line}"));
        }

        #[test]
        fn numbers_come_back(id: u64) {
            let line = format!("{id} name");
            prop_assert_eq!(parse_request(&line), Some(Request { id: Some(id), command: Ok(Command::Name) }));
            prop_assert_eq!(Reply(Some(id), Ok("A".into())).to_string(), format!("={id} A\n"));
        }
    }
}
