//! Parsing and formatting of position texts.
//!
//! The usual text of a position is the board string: 64 characters from a1 by rows to h8, then the side to move. The
//! parser accepts the characters of all common programs: Black `X x * B b`, White `O o W w`, empty `- .`; it skips
//! white space. It reads a text whose first word has a `/` as a FEN: rows from 8 down, `p` for Black and `P` for White,
//! digits for empty squares, then `b` or `w`. The formatter writes `X`, `O` and `-`, then a space and the side to move.

use alloc::string::String;
use core::fmt;

use alfil_kernel::Side;

use crate::piece::Piece;
use crate::setup::Setup;
use crate::square::Square;

/// What a parser expected where it stopped in a position text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The content of this square.
    Disc(Square),
    /// The side to move after a board string.
    Side,
    /// The end of the text after a board string.
    EndOfText,
    /// More squares in a row.
    MoreSquares,
    /// Fewer squares in a row.
    FewerSquares,
    /// The end of the placement after eight rows.
    NoMoreRows,
    /// Eight rows.
    AllRows,
    /// A disc, a number of empty squares or the end of a row.
    RowItem,
    /// The side to move after the rows of a FEN.
    SideAfterRows,
    /// Only numbers after the side to move of a FEN.
    EndAfterRows,
    /// The end of the discs in hand (`[PPpp]`).
    Hand,
    /// A move of a problem.
    Move,
    /// The score of a move or a problem.
    Score,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Disc(square) => {
                return write!(f, "a disc (X or O) or an empty square (-) for {square}");
            }
            Expected::Side => "the side to move, X or O",
            Expected::EndOfText => "nothing after the side to move",
            Expected::MoreSquares => "more squares: a row has eight",
            Expected::FewerSquares => "fewer squares: a row has eight",
            Expected::NoMoreRows => "the end of the placement: there are eight rows",
            Expected::AllRows => "eight rows of eight squares",
            Expected::RowItem => "a disc (p for Black, P for White), a digit 1 to 8 or /",
            Expected::SideAfterRows => "b for Black or w for White",
            Expected::EndAfterRows => "numbers, - or nothing after the side",
            Expected::Hand => "p, P or the closing ]",
            Expected::Move => "a square such as f5, or pass",
            Expected::Score => "a score from -64 to +64, such as +18",
        })
    }
}

/// The error of a text that is not a position of Othello.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Parses a board string or a FEN. It does not validate that the position can occur in a game: see [`Setup`].
///
/// # Errors
/// Returns the byte offset of the first mistake, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    // An EPD may have a `/` in an operand.
    let is_fen = text.split_whitespace().next().is_some_and(|word| word.contains('/'));
    if is_fen { parse_rows(text) } else { parse_board(text) }
}

fn parse_board(text: &str) -> Result<Setup, FenError> {
    let mut characters = text.char_indices().filter(|(_, character)| !character.is_whitespace());
    let mut setup = Setup::EMPTY;
    for square in Square::all() {
        let expected = Expected::Disc(square);
        let Some((offset, character)) = characters.next() else {
            return Err(FenError::new(text, text.len(), "placement", expected));
        };
        setup.board[square.index()] = match character {
            '-' | '.' => None,
            _ => match Piece::from_letter(character) {
                Some(disc) => Some(disc),
                None => return Err(FenError::new(text, offset, "placement", expected)),
            },
        };
    }
    let side = characters.next();
    setup.side_to_move = match side.map(|(_, character)| Piece::from_letter(character)) {
        Some(Some(disc)) => disc.side(),
        _ => {
            let offset = side.map_or(text.len(), |(offset, _)| offset);
            return Err(FenError::new(text, offset, "side", Expected::Side));
        }
    };
    match characters.next() {
        None => Ok(setup),
        Some((offset, _)) => Err(FenError::new(text, offset, "end", Expected::EndOfText)),
    }
}

fn parse_rows(text: &str) -> Result<Setup, FenError> {
    let mut setup = Setup::EMPTY;
    let (mut rank, mut file) = (Square::RANKS - 1, 0);
    let start = text.len() - text.trim_start().len();
    let is_end = |character: char| character.is_whitespace() || character == '[';
    let end = text[start..].find(is_end).map_or(text.len(), |length| start + length);
    for (offset, character) in text[start..end].char_indices() {
        let error = |expected| Err(FenError::new(text, start + offset, "placement", expected));
        match character {
            '/' if file < Square::FILES => return error(Expected::MoreSquares),
            '/' if rank == 0 => return error(Expected::NoMoreRows),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='8' => file += character as usize - '0' as usize,
            'p' | 'P' if file < Square::FILES => {
                let disc = if character == 'p' { Piece::BLACK } else { Piece::WHITE };
                setup.board[Square::new(file, rank).index()] = Some(disc);
                file += 1;
            }
            'p' | 'P' => file += 1,
            _ => return error(Expected::RowItem),
        }
        if file > Square::FILES {
            return error(Expected::FewerSquares);
        }
    }
    if file < Square::FILES || rank > 0 {
        return Err(FenError::new(text, end, "placement", Expected::AllRows));
    }
    let side = parse_hand(text, end)?;
    setup.side_to_move = match text[side..].chars().next() {
        Some('b') => Side::First,
        Some('w') => Side::Second,
        _ => return Err(FenError::new(text, side, "side", Expected::SideAfterRows)),
    };
    // Numbers and `-` in the place of castling, en passant and counters are ignored; any other text is an error.
    match text[side + 1..].find(|character: char| {
        !(character.is_ascii_digit() || character == '-' || character.is_whitespace())
    }) {
        None => Ok(setup),
        Some(rest) => Err(FenError::new(text, side + 1 + rest, "end", Expected::EndAfterRows)),
    }
}

/// Returns the offset after the discs in hand, `[PPpp]`, which some programs write, and after white space.
fn parse_hand(text: &str, offset: usize) -> Result<usize, FenError> {
    let rest = &text[offset..];
    let after_hand = match rest.strip_prefix('[') {
        None => rest,
        Some(hand) => {
            let close = hand.find(|character| character != 'p' && character != 'P').unwrap_or(hand.len());
            match hand[close..].strip_prefix(']') {
                Some(after_hand) => after_hand,
                None => return Err(FenError::new(text, offset + 1 + close, "hand", Expected::Hand)),
            }
        }
    };
    Ok(text.len() - after_hand.trim_start().len())
}

/// Formats a setup as a board string.
pub fn format(setup: &Setup) -> String {
    let mut text: String = setup.board.iter().map(|disc| disc.map_or('-', Piece::letter)).collect();
    text.push(' ');
    text.push(Piece::new(setup.side_to_move).letter());
    text
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use alfil_kernel::Setup as _;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn start_position_formats_as_its_common_board_string() {
        assert_eq!(format(&Setup::start()), START);
        assert_eq!(parse(START), Ok(Setup::start()));
    }

    #[test]
    fn every_common_format_parses() {
        for text in [
            "...........................ox......xo...........................x",
            "---------------------------O*------*O---------------------------*",
            "---------------------------wb------bw---------------------------B",
            "--------\n--------\n--------\n---WB---\n---BW---\n--------\n--------\n--------\nb\n",
            "8/8/8/3pP3/3Pp3/8/8/8 b",
            "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1",
            " 8/8/8/3pP3/3Pp3/8/8/8[PPpp] b 0 1",
            "8/8/8/3pP3/3Pp3/8/8/8\tb\n",
        ] {
            assert_eq!(parse(text), Ok(Setup::start()), "{text}");
        }
        assert_eq!(parse(&START.replace(" X", " O")).unwrap().side_to_move, Side::Second);
    }

    #[test]
    fn errors_give_offset_field_and_found_text() {
        let dots = ".".repeat(64);
        for (text, offset, field, found) in [
            ("", 0, "placement", "the end"),
            ("--X--q", 5, "placement", "'q'"),
            ("----", 4, "placement", "the end"),
            (dots.as_str(), 64, "side", "the end"),
            (&format!("{dots} -"), 65, "side", "'-'"),
            (&format!("{dots} X 1"), 67, "end", "'1'"),
            (&format!("{dots} X id 1/2;"), 67, "end", "'i'"),
            ("--黑", 2, "placement", "'黑'"),
            ("8/8/9 b", 4, "placement", "'9'"),
            ("8/8/7/8/8/8/8/8 b", 5, "placement", "'/'"),
            ("8/8/8p/8/8/8/8/8 b", 5, "placement", "'p'"),
            ("8/8/8/8/8/8/8/8/8 b", 15, "placement", "'/'"),
            ("8/8/8/8/8/8/8 b", 13, "placement", "' '"),
            ("8/8/8/8/8/8/8/8 x", 16, "side", "'x'"),
            ("8/8/8/8/8/8/8/8", 15, "side", "the end"),
            ("8/8/8/8/8/8/8/8[pq] b", 17, "hand", "'q'"),
            ("8/8/8/8/8/8/8/8 b KQ", 18, "end", "'K'"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(
                (error.offset, error.field, error.found_text().as_str()),
                (offset, field, found),
                "{text}"
            );
        }
    }
}
