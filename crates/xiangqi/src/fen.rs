//! A position text (FEN) to a setup and back.
//!
//! Ten ranks from Black's back rank down, files a to i, digits for empty points; the side to move; two unused fields;
//! plies without a capture; the number of the next move. Both letter sets are read (`n` or `h`, `b` or `e`), and both
//! letters for Red (`w`, `r`). Fields missing at the end take their usual values. Written: `n`, `b`, `w`, all six fields.

use core::fmt;

use alfil_kernel::{MoveCounters, Side};

use crate::piece::Piece;
use crate::setup::Setup;
use crate::square::Square;

/// What should stand in a position text where reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any placement at all.
    Placement,
    /// More points on a rank.
    MoreSquares,
    /// Fewer points on a rank.
    FewerSquares,
    /// No further rank.
    NoMoreRanks,
    /// Further ranks.
    MoreRanks,
    /// The end of a rank.
    EndOfRank,
    /// A man, a number of empty points or the end of a rank.
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
            Expected::Placement => "ten ranks of men and digits",
            Expected::MoreSquares => "more points: a rank has nine",
            Expected::FewerSquares => "fewer points: a rank has nine",
            Expected::NoMoreRanks => "the end of the placement: there are ten ranks",
            Expected::MoreRanks => "/ and more ranks: there are ten",
            Expected::EndOfRank => "/ or the side to move: a rank has nine points",
            Expected::Piece => "a man (k a b n r c p, or e, h), a digit 1 to 9 or /",
            Expected::Side => "w or r for Red, b for Black",
            Expected::Number => "a whole number below 4294967296",
            Expected::EndOfText => "nothing after the move number",
        })
    }
}

/// A text that is no position of xiangqi.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Reads a FEN. What stands where is not judged here: see [`Setup`].
///
/// # Errors
/// With the byte offset, what was expected there and what stood there.
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
    // Two fields that chess needs and xiangqi does not; some programs leave them out.
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
    let number = |field: Option<(usize, &str)>, name, usual: u32| match field {
        None => Ok(usual),
        Some((offset, digits)) => {
            let sound = digits.bytes().all(|byte| byte.is_ascii_digit());
            match digits.parse() {
                Ok(number) if sound => Ok(number),
                _ => Err(FenError::new(text, offset, name, Expected::Number)),
            }
        }
    };
    let quiet = number(first, "plies without capture", MoveCounters::default().halfmove_clock)?;
    let number = number(fields.next(), "move number", MoveCounters::default().fullmove_number)?;
    Ok(MoveCounters { halfmove_clock: quiet, fullmove_number: number })
}

fn parse_placement(
    text: &str,
    start: usize,
    field: &str,
) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let complain = |offset, expected| Err(FenError::new(text, start + offset, "placement", expected));
    let mut men = [None; Square::COUNT];
    let (mut rank, mut file) = (Square::RANKS - 1, 0);
    for (offset, letter) in field.char_indices() {
        match letter {
            '/' if file < Square::FILES => return complain(offset, Expected::MoreSquares),
            '/' if rank == 0 => return complain(offset, Expected::NoMoreRanks),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='9' => {
                file += letter as usize - '0' as usize;
                if file > Square::FILES {
                    return complain(offset, Expected::FewerSquares);
                }
            }
            _ => {
                let Some(piece) = Piece::from_letter(letter) else {
                    return complain(offset, Expected::Piece);
                };
                if file == Square::FILES {
                    return complain(offset, Expected::EndOfRank);
                }
                men[Square::new(file, rank).index()] = Some(piece);
                file += 1;
            }
        }
    }
    if file < Square::FILES {
        return complain(field.len(), Expected::MoreSquares);
    }
    if rank > 0 {
        return complain(field.len(), Expected::MoreRanks);
    }
    Ok(men)
}

/// Writes the FEN of a setup.
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

/// The fields of a text with their byte offsets; white space of any length parts them.
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
    fn the_start_position_is_written_as_everybody_writes_it() {
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
    fn errors_say_where_and_what() {
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
