//! FEN: parses and formats the text of a position.
//!
//! Ten ranks from Black's back rank down, files a to i, digits for empty squares; the side to move; two unused fields;
//! plies without a capture; the number of the next move. Both letter sets are accepted (`n` or `h`, `b` or `e`), and
//! both letters for Red (`w`, `r`). Fields missing at the end take their default values. [`format()`] writes `n`, `b`,
//! `w` and all six fields.

use alloc::format;
use alloc::string::String;
use core::fmt;

use alfil_kernel::fen::{Fields, PlacementExpected, format_placement, parse_counter, parse_placement};
use alfil_kernel::{MoveCounters, Side};

use crate::piece::Piece;
use crate::setup::Setup;
use crate::square::Square;

/// What a FEN should contain at the offset of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A placement.
    Placement,
    /// Something else within the placement.
    InPlacement(PlacementExpected),
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
            Expected::InPlacement(PlacementExpected::MoreSquares) => "more squares: a rank has nine",
            Expected::InPlacement(PlacementExpected::FewerSquares) => "fewer squares: a rank has nine",
            Expected::InPlacement(PlacementExpected::NoMoreRanks) => {
                "the end of the placement: there are ten ranks"
            }
            Expected::InPlacement(PlacementExpected::MoreRanks) => "/ and more ranks: there are ten",
            Expected::InPlacement(PlacementExpected::EndOfRank) => {
                "/ or the side to move: a rank has nine squares"
            }
            Expected::InPlacement(PlacementExpected::Piece) => {
                "a piece (k a b n r c p, or e, h), a digit 1 to 9 or /"
            }
            Expected::Side => "w or r for Red, b for Black",
            Expected::Number => "a whole number below 4294967296",
            Expected::EndOfText => "nothing after the move number",
        })
    }
}

impl From<PlacementExpected> for Expected {
    fn from(expected: PlacementExpected) -> Self {
        Expected::InPlacement(expected)
    }
}

/// The error of a text that is not a FEN of xiangqi.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Parses a FEN. Only the form is tested: the issues of a position are those of [`Setup`].
///
/// # Errors
/// A [`FenError`] with the byte offset, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    let mut fields = Fields::new(text);
    let Some((offset, placement)) = fields.next() else {
        return Err(FenError::new(text, text.len(), "placement", Expected::Placement));
    };
    let board = parse_placement(text, offset, placement, Square::FILES, Piece::from_letter)?;
    let mut setup = Setup { board, ..Setup::EMPTY };
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
    let MoveCounters { halfmove_clock, fullmove_number } = MoveCounters::default();
    let parse = |field, name, default| parse_counter(text, field, name, default, Expected::Number);
    Ok(MoveCounters {
        halfmove_clock: parse(first, "plies without capture", halfmove_clock)?,
        fullmove_number: parse(fields.next(), "move number", fullmove_number)?,
    })
}

/// Formats the FEN of a setup.
pub fn format(setup: &Setup) -> String {
    let placement = format_placement(&setup.board, Square::FILES, Piece::letter);
    let side = if setup.side_to_move == Side::First { 'w' } else { 'b' };
    format!("{placement} {side} - - {} {}", setup.counters.halfmove_clock, setup.counters.fullmove_number)
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
