//! Move notation in one dialect, the square (`f5`) or `pass`, and transcripts of games (`f5d6c3d3c4`).

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use alfil_kernel::{Dialect as _, Notation, Side};

use crate::board::Board;
use crate::moves::Move;
use crate::square::Square;

/// A dialect of move notation.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// assert_eq!(Dialect::ALL, [Dialect::Transcript]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `f5`: column, then row from the top, in either case. A pass is `pass`; `ps`, `pa` and `--` are accepted too.
    Transcript,
}

impl alfil_kernel::Dialect for Dialect {
    const ALL: &'static [Self] = &[Dialect::Transcript];
    const WRITTEN: Self = Dialect::Transcript;

    fn name(self) -> &'static str {
        match self {
            Dialect::Transcript => "transcript",
        }
    }

    fn expected_form(self) -> &'static str {
        match self {
            Dialect::Transcript => "a column a to h and a row 1 to 8, such as f5, or pass",
        }
    }
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// Neither side can move.
    GameOver,
    /// This side has a move and must not pass.
    MustNotPass(Side),
    /// This side has no move and must pass.
    MustPass(Side),
    /// The square has a disc.
    Occupied(Square),
    /// A disc of this side on the square would not flip any disc.
    FlipsNothing(Side, Square),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side| if side == Side::First { "Black" } else { "White" };
        match *self {
            IllegalReason::GameOver => f.write_str("the game is over"),
            IllegalReason::MustNotPass(side) => write!(f, "{} has a move and must not pass", name(side)),
            IllegalReason::MustPass(side) => write!(f, "{} has no move and must pass", name(side)),
            IllegalReason::Occupied(square) => write!(f, "{square} is occupied"),
            IllegalReason::FlipsNothing(side, square) => {
                write!(f, "a {} disc on {square} would not flip any disc", name(side))
            }
        }
    }
}

/// The error of a text that is not a legal move of Othello.
pub type NotationError = alfil_kernel::NotationError<IllegalReason>;

/// The move notation of Othello.
#[derive(Clone, Copy, Debug)]
pub enum MoveNotation {}

impl<P: Board> Notation<P> for MoveNotation {
    type Dialect = Dialect;
    type IllegalReason = IllegalReason;

    fn format_move(_: &P, mv: Move, _: Dialect) -> String {
        mv.to_string()
    }

    fn normalise(text: &str, _: Dialect) -> Option<String> {
        match parse_prefix(text.trim()) {
            Some((mv, "")) => Some(mv.to_string()),
            _ => None,
        }
    }

    fn rejection_reason(position: &P, text: &str, _: Dialect) -> Option<IllegalReason> {
        match parse_prefix(text.trim()) {
            Some((mv, "")) => Some(illegal_reason(position, mv)),
            _ => None,
        }
    }
}

/// The names of a pass, the longest first.
pub(crate) const PASS_NAMES: [&str; 4] = ["pass", "ps", "pa", "--"];

/// Parses the move at the beginning of a text, legal or not, and returns it with the rest of the text.
fn parse_prefix(text: &str) -> Option<(Move, &str)> {
    for name in PASS_NAMES {
        if text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            return Some((Move::PASS, &text[name.len()..]));
        }
    }
    let name = text.get(..2)?.to_ascii_lowercase();
    name.parse::<Square>().ok().map(|square| (Move::from_square(square), &text[2..]))
}

/// Returns the reason why a move that is not legal in `position` is illegal.
pub fn illegal_reason(position: &impl Board, mv: Move) -> IllegalReason {
    let mover = position.side_to_move();
    match mv.square() {
        _ if position.has_no_legal_move() => IllegalReason::GameOver,
        None => IllegalReason::MustNotPass(mover),
        Some(square) if position.piece_on(square).is_some() => IllegalReason::Occupied(square),
        Some(_) if position.mobility(mover).is_empty() => IllegalReason::MustPass(mover),
        Some(square) => IllegalReason::FlipsNothing(mover, square),
    }
}

/// The error of a transcript that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptError {
    /// The byte offset in the text.
    pub offset: usize,
    /// The number of the move, counted from 1, passes included.
    pub move_number: usize,
    /// Why the move is illegal, or `None` if the text is not a move.
    pub reason: Option<IllegalReason>,
    /// The text found there, quoted.
    pub found: String,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TranscriptError { offset, move_number, found, .. } = self;
        write!(f, "transcript, byte {offset} (move {move_number}): {}, found {found}", self.problem())
    }
}

impl core::error::Error for TranscriptError {}

impl TranscriptError {
    /// Returns the error without its place.
    fn problem(&self) -> String {
        match self.reason {
            Some(reason) => reason.to_string(),
            None => format!("expected {}", Dialect::Transcript.expected_form()),
        }
    }
}

/// Parses a whole game from the position `start`: squares in either case, with or without white space between them.
/// Forced passes may be omitted; the returned moves include them.
///
/// ```
/// use alfil_kernel::GameHistory;
/// use alfil_othello::{Bitboard, notation};
///
/// let start = GameHistory::<Bitboard>::from_start_position().position().clone();
/// let moves = notation::parse_transcript(&start, "F5d6 C3 d3c4").unwrap();
/// assert_eq!(notation::format_transcript(&moves), "f5d6c3d3c4");
/// let error = notation::parse_transcript(&start, "f5f5").unwrap_err();
/// assert_eq!(error.to_string(), "transcript, byte 2 (move 2): f5 is occupied, found \"f5\"");
/// ```
///
/// # Errors
/// Returns the byte offset and the number of the first move that cannot be parsed or is illegal.
pub fn parse_transcript<P: Board>(start: &P, text: &str) -> Result<Vec<Move>, TranscriptError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let fail = |found: &str, reason, move_number| {
            let offset = text.len() - rest.len();
            Err(TranscriptError { offset, move_number, reason, found: format!("{found:?}") })
        };
        let Some((mv, remainder)) = parse_prefix(rest) else {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
            return fail(&rest[..end], None, moves.len() + 1);
        };
        if mv != Move::PASS && position.is_legal(Move::PASS) {
            position.make(Move::PASS, &mut ());
            moves.push(Move::PASS);
        }
        if !position.is_legal(mv) {
            let found = &rest[..rest.len() - remainder.len()];
            return fail(found, Some(illegal_reason(&position, mv)), moves.len() + 1);
        }
        position.make(mv, &mut ());
        moves.push(mv);
        rest = remainder.trim_start();
    }
    Ok(moves)
}

/// Formats a game as a transcript: squares in lower case without separators, passes omitted.
pub fn format_transcript(moves: &[Move]) -> String {
    moves.iter().filter(|mv| !mv.is_pass()).map(Move::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Setup as _, Waivers};

    fn board<P: Board>(text: &str) -> P {
        P::from_setup(&Setup::parse(text).unwrap(), &Waivers::All).unwrap()
    }

    fn parse<P: Board>(position: &P, text: &str) -> Result<Move, NotationError> {
        <MoveNotation as Notation<P>>::parse_move(position, text, Dialect::Transcript)
    }

    #[test]
    fn moves_parse_in_either_case_and_errors_give_the_reason() {
        let start: Mailbox = board(&Setup::start().to_text());
        assert_eq!(parse(&start, " F5 "), Ok(Move::from_square("f5".parse().unwrap())));
        for (text, reason) in [
            ("e4", "\"e4\" is illegal here: e4 is occupied"),
            ("a1", "\"a1\" is illegal here: a Black disc on a1 would not flip any disc"),
            ("pass", "\"pass\" is illegal here: Black has a move and must not pass"),
            (
                "i9",
                "cannot read \"i9\" as a move in transcript: expected a column a to h and a row 1 to 8, such as f5, or pass",
            ),
            (
                "f5d6",
                "cannot read \"f5d6\" as a move in transcript: expected a column a to h and a row 1 to 8, such as f5, or pass",
            ),
            (
                "",
                "cannot read \"\" as a move in transcript: expected a column a to h and a row 1 to 8, such as f5, or pass",
            ),
        ] {
            assert_eq!(parse(&start, text).unwrap_err().to_string(), reason);
        }
        let stuck: Bitboard = board(&format!("XO{} O", "-".repeat(62)));
        for text in ["pass", "PASS", "ps", "PA", "--"] {
            assert_eq!(parse(&stuck, text), Ok(Move::PASS));
        }
        let refused = parse(&stuck, "c1").unwrap_err().to_string();
        assert_eq!(refused, "\"c1\" is illegal here: White has no move and must pass");
        let over: Bitboard = board(&format!("X{} O", "-".repeat(63)));
        assert_eq!(parse(&over, "c1").unwrap_err().to_string(), "\"c1\" is illegal here: the game is over");
    }

    /// Parses the same game, in which only Black can move, from transcripts with and without its passes.
    #[test]
    fn passes_in_transcripts_are_optional() {
        let start: Bitboard = board(&format!("XOO{}XO------ O", "-".repeat(53)));
        let moves = [
            Move::PASS,
            Move::from_square("d1".parse().unwrap()),
            Move::PASS,
            Move::from_square("c8".parse().unwrap()),
        ];
        for text in ["d1c8", "psd1--c8", "D1 C8", "pass d1 pa C8\n"] {
            assert_eq!(parse_transcript(&start, text).unwrap(), moves, "{text}");
        }
        assert_eq!(format_transcript(&moves), "d1c8");
    }

    #[test]
    fn transcript_errors_give_offset_and_move_number() {
        let start: Bitboard = board(&Setup::start().to_text());
        for (text, offset, number, found) in [
            ("f5d6c9", 4, 3, "\"c9\""),
            ("f5 d6 x", 6, 3, "\"x\""),
            ("f5d", 2, 2, "\"d\""),
            ("f5ps", 2, 2, "\"ps\""),
            ("f5pass", 2, 2, "\"pass\""),
            ("黑", 0, 1, "\"黑\""),
        ] {
            let error = parse_transcript(&start, text).unwrap_err();
            assert_eq!(
                (error.offset, error.move_number, error.found.as_str()),
                (offset, number, found),
                "{text}"
            );
        }
        assert_eq!(parse_transcript(&start, " ").unwrap(), []);
    }
}
