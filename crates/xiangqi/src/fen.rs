//! FEN: parses and formats the text of a position.
//!
//! Ten ranks from Black's back rank down, files a to i, digits for empty squares; the side to move; two unused fields;
//! plies without a capture; the number of the next move. Both letter sets are accepted (`n` or `h`, `b` or `e`), and
//! both letters for Red (`w`, `r`). Fields missing at the end take their default values. [`format()`] writes `n`, `b`,
//! `w` and all six fields.

use core::fmt;

use alfil_kernel::{MoveCounters, Side};

use crate::piece::Piece;
use crate::setup::Setup;
use crate::square::Square;

/// What a FEN should contain at the offset of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A placement.
    Placement,
    /// More squares on a rank.
    MoreSquares,
    /// Fewer squares on a rank.
    FewerSquares,
    /// No more ranks.
    NoMoreRanks,
    /// More ranks.
    MoreRanks,
    /// The end of a rank.
    EndOfRank,
    /// A piece, a number of empty squares or the end of a rank.
    Piece,
    /// The side to move.
    Side,
    /// A number.
    Number,
    /// The end of the text.
    EndOfText,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Placement => "ten ranks of pieces and digits",
            Expected::MoreSquares => "more squares: a rank has nine",
            Expected::FewerSquares => "fewer squares: a rank has nine",
            Expected::NoMoreRanks => "the end of the placement: there are ten ranks",
            Expected::MoreRanks => "/ and more ranks: there are ten",
            Expected::EndOfRank => "/ or the side to move: a rank has nine squares",
            Expected::Piece => "a piece (k a b n r c p, or e, h), a digit 1 to 9 or /",
            Expected::Side => "w or r for Red, b for Black",
            Expected::Number => "a whole number below 4294967296",
            Expected::EndOfText => "nothing after the move number",
        })
    }
}

/// The error of a text that is not a FEN of xiangqi.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Parses a FEN. Only the form is tested: the issues of a position are those of [`Setup`].
///
/// # Errors
/// A [`FenError`] with the byte offset, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    let mut fields = Fields { text, offset: 0 };
    let Some((offset, placement)) = fields.next() else {
        return Err(FenError::new(text, text.len(), "placement", Expected::Placement));
    };
    let mut setup = Setup { board: parse_placement(text, offset, placement)?, ..Setup::EMPTY };
    let Some((offset, side)) = fields.next() else { return Ok(setup) };
    setup.side_to_move = match side {
        "w" | "r" => Side::First,
        "b" => Side::Second,
        _ => return Err(FenError::new(text, offset, "side", Expected::Side)),
    };
    // Castling and en passant in chess, unused in xiangqi; some programs leave them out.
    let mut next = fields.next();
    for _ in 0..2 {
        if let Some((_, "-")) = next {
            next = fields.next();
        }
    }
    setup.counters = parse_counters(text, next, &mut fields)?;
    match fields.next() {
        None => Ok(setup),
        Some((offset, _)) => Err(FenError::new(text, offset, "end", Expected::EndOfText)),
    }
}

fn parse_counters(
    text: &str,
    first: Option<(usize, &str)>,
    fields: &mut Fields<'_>,
) -> Result<MoveCounters, FenError> {
    let parse_number = |field: Option<(usize, &str)>, name, default: u32| match field {
        None => Ok(default),
        Some((offset, digits)) => {
            let is_valid = digits.bytes().all(|byte| byte.is_ascii_digit());
            match digits.parse() {
                Ok(number) if is_valid => Ok(number),
                _ => Err(FenError::new(text, offset, name, Expected::Number)),
            }
        }
    };
    let halfmove_clock =
        parse_number(first, "plies without capture", MoveCounters::default().halfmove_clock)?;
    let fullmove_number =
        parse_number(fields.next(), "move number", MoveCounters::default().fullmove_number)?;
    Ok(MoveCounters { halfmove_clock, fullmove_number })
}

fn parse_placement(
    text: &str,
    start: usize,
    field: &str,
) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let error = |offset, expected| Err(FenError::new(text, start + offset, "placement", expected));
    let mut board = [None; Square::COUNT];
    let (mut rank, mut file) = (Square::RANKS - 1, 0);
    for (offset, letter) in field.char_indices() {
        match letter {
            '/' if file < Square::FILES => return error(offset, Expected::MoreSquares),
            '/' if rank == 0 => return error(offset, Expected::NoMoreRanks),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='9' => {
                file += letter as usize - '0' as usize;
                if file > Square::FILES {
                    return error(offset, Expected::FewerSquares);
                }
            }
            _ => {
                let Some(piece) = Piece::from_letter(letter) else {
                    return error(offset, Expected::Piece);
                };
                if file == Square::FILES {
                    return error(offset, Expected::EndOfRank);
                }
                board[Square::new(file, rank).index()] = Some(piece);
                file += 1;
            }
        }
    }
    if file < Square::FILES {
        return error(field.len(), Expected::MoreSquares);
    }
    if rank > 0 {
        return error(field.len(), Expected::MoreRanks);
    }
    Ok(board)
}

/// Formats the FEN of a setup.
pub fn format(setup: &Setup) -> String {
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev() {
        let mut empty = 0;
        for file in 0..Square::FILES {
            match setup.board[Square::new(file, rank).index()] {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = if setup.side_to_move == Side::First { 'w' } else { 'b' };
    format!("{text}{side} - - {} {}", setup.counters.halfmove_clock, setup.counters.fullmove_number)
}

/// The fields of a text with their byte offsets, separated by white space of any length.
struct Fields<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.offset..];
        let start = self.offset + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let rest = &self.text[start..];
        let field = &rest[..rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())];
        self.offset = start + field.len();
        Some((start, field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;

    #[test]
    fn the_start_position_has_its_standard_text() {
        let text = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        assert_eq!(format(&Setup::start()), text);
        assert_eq!(parse(text), Ok(Setup::start()));
    }

    #[test]
    fn both_letter_sets_and_short_texts_are_read() {
        for text in [
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  ",
        ] {
            assert_eq!(parse(text), Ok(Setup::start()), "{text}");
        }
        let later = parse("4k4/9/9/9/9/9/9/9/9/3K5 b - - 17 40").unwrap();
        assert_eq!(
            (later.side_to_move, later.counters.halfmove_clock, later.counters.fullmove_number),
            (Side::Second, 17, 40)
        );
    }

    #[test]
    fn errors_name_offset_field_and_found_character() {
        for (text, offset, field, found) in [
            ("", 0, "placement", "the end"),
            ("rnbakabnx/9", 8, "placement", "'x'"),
            ("rnbakabnrr/9", 9, "placement", "'r'"),
            ("rnbakabn/9", 8, "placement", "'/'"),
            ("rnb99", 3, "placement", "'9'"),
            ("9/9/9 w", 5, "placement", "' '"),
            ("9/9/9/9/9/9/9/9/9/9/9 w", 19, "placement", "'/'"),
            ("9/9/9/9/9/9/9/9/9/9 x", 20, "side", "'x'"),
            ("9/9/9/9/9/9/9/9/9/9 W", 20, "side", "'W'"),
            ("9/9/9/9/9/9/9/9/9/9 w - - x 1", 26, "plies without capture", "'x'"),
            ("9/9/9/9/9/9/9/9/9/9 w - - 0 +1", 28, "move number", "'+'"),
            ("9/9/9/9/9/9/9/9/9/9 w - - 99999999999 1", 26, "plies without capture", "'9'"),
            ("9/9/9/9/9/9/9/9/9/9 w - - 0 1 x", 30, "end", "'x'"),
            ("帥8/9", 0, "placement", "'帥'"),
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
