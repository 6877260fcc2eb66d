//! The parts of a position text in the style of FEN that games share: fields, piece placement and counters.

use alloc::string::{String, ToString};
use core::fmt::Display;

use crate::errors::FenError;

/// The fields of a text, separated by white space, with their byte offsets.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Fields<'a> {
    /// Creates an iterator over the fields of a text.
    pub const fn new(text: &'a str) -> Self {
        Fields { text, offset: 0 }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.offset..];
        let start = self.offset + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let rest = &self.text[start..];
        let field = &rest[..rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())];
        self.offset = start + field.len();
        Some((start, field))
    }
}

/// What a piece placement must contain at the place where parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementExpected {
    /// More squares in a rank.
    MoreSquares,
    /// Fewer squares in a rank.
    FewerSquares,
    /// No further rank: all are given.
    NoMoreRanks,
    /// Further ranks.
    MoreRanks,
    /// The end of a rank.
    EndOfRank,
    /// A piece letter, a number of empty squares or the end of a rank.
    Piece,
}

/// Parses the placement field at byte `start` of `text`: ranks from the last one down, separated by `/`, pieces as
/// letters and runs of empty squares as a digit. The square of a file and a rank has the index `rank * files + file`.
///
/// # Errors
/// Returns the byte offset of the error, what was expected there and what was found.
pub fn parse_placement<P: Copy, E: Display + From<PlacementExpected>, const SQUARES: usize>(
    text: &str,
    start: usize,
    field: &str,
    files: usize,
    parse_piece: impl Fn(char) -> Option<P>,
) -> Result<[Option<P>; SQUARES], FenError<E>> {
    let error = |offset, expected: PlacementExpected| {
        Err(FenError::new(text, start + offset, "placement", expected.into()))
    };
    let mut board = [None; SQUARES];
    let (mut rank, mut file) = (SQUARES / files - 1, 0);
    for (offset, letter) in field.char_indices() {
        match (letter, letter.to_digit(10)) {
            ('/', _) if file < files => return error(offset, PlacementExpected::MoreSquares),
            ('/', _) if rank == 0 => return error(offset, PlacementExpected::NoMoreRanks),
            ('/', _) => (rank, file) = (rank - 1, 0),
            (_, Some(empty)) if (1..=files).contains(&(empty as usize)) => {
                file += empty as usize;
                if file > files {
                    return error(offset, PlacementExpected::FewerSquares);
                }
            }
            _ => {
                let Some(piece) = parse_piece(letter) else { return error(offset, PlacementExpected::Piece) };
                if file == files {
                    return error(offset, PlacementExpected::EndOfRank);
                }
                board[rank * files + file] = Some(piece);
                file += 1;
            }
        }
    }
    if file < files {
        return error(field.len(), PlacementExpected::MoreSquares);
    }
    if rank > 0 {
        return error(field.len(), PlacementExpected::MoreRanks);
    }
    Ok(board)
}

/// Formats a board as a placement field. The index of a square is `rank * files + file`.
pub fn format_placement<P: Copy>(board: &[Option<P>], files: usize, letter: impl Fn(P) -> char) -> String {
    let mut text = String::with_capacity(board.len());
    for rank in board.chunks(files).rev() {
        if !text.is_empty() {
            text.push('/');
        }
        text += &format_rank(rank.iter().map(|piece| piece.map(&letter)));
    }
    text
}

/// Formats one rank of a board, with a number for each run of empty squares.
pub fn format_rank(squares: impl IntoIterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in squares {
        match square {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter);
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// Parses a counter from a field; returns `default` if the field is missing.
///
/// # Errors
/// Returns an error with `name` and `expected` if the field is not a number of decimal digits below 2^32.
pub fn parse_counter<E: Display>(
    text: &str,
    field: Option<(usize, &str)>,
    name: &'static str,
    default: u32,
    expected: E,
) -> Result<u32, FenError<E>> {
    let Some((offset, digits)) = field else { return Ok(default) };
    // `u32::from_str` would accept a leading `+`.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number).ok_or_else(|| FenError::new(text, offset, name, expected))
}
