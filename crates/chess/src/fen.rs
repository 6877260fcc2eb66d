//! Position texts: FEN, X-FEN and Shredder-FEN.
//!
//! A text has six fields: piece placement (eight ranks from Black's back rank down, files a to h, digits for empty
//! squares), side to move, castling rights, en passant square, halfmove clock and fullmove number. Missing fields at
//! the end take their default values, so the four fields of an EPD are accepted too.
//!
//! Castling rights are accepted in every form and order: `K` and `Q` mean the outermost rook on that side of the king
//! (FEN and X-FEN), a file letter means the rook on that file (X-FEN where needed, Shredder-FEN always). [`format()`]
//! writes X-FEN, which equals FEN wherever FEN is unambiguous; [`format_shredder`] writes file letters. Source:
//! R. Scharnagl's X-FEN.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use core::fmt;

use alfil_kernel::fen::{Fields, PlacementExpected, format_placement, parse_counter, parse_placement};
use alfil_kernel::{MoveCounters, Side};

use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, back_rank_of};
use crate::square::Square;

/// What a position text must contain at the place where parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The piece placement field.
    Placement,
    /// Something else within the placement.
    InPlacement(PlacementExpected),
    /// The side to move.
    Side,
    /// A castling right.
    CastlingRight,
    /// A castling right that has not been given yet.
    NoRepeatedRight,
    /// The en passant square.
    EnPassant,
    /// A counter value.
    Number,
    /// The end of the text.
    EndOfText,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Placement => "eight ranks of pieces and digits",
            Expected::InPlacement(PlacementExpected::MoreSquares) => "more squares: a rank has eight",
            Expected::InPlacement(PlacementExpected::FewerSquares) => "fewer squares: a rank has eight",
            Expected::InPlacement(PlacementExpected::NoMoreRanks) => {
                "the end of the placement: there are eight ranks"
            }
            Expected::InPlacement(PlacementExpected::MoreRanks) => "/ and more ranks: there are eight",
            Expected::InPlacement(PlacementExpected::EndOfRank) => {
                "/ or the side to move: a rank has eight squares"
            }
            Expected::InPlacement(PlacementExpected::Piece) => "a piece (k q r b n p), a digit 1 to 8 or /",
            Expected::Side => "w for White, b for Black",
            Expected::CastlingRight => "K, Q, a file letter A to H, the same in lower case, or -",
            Expected::NoRepeatedRight => "each castling right once",
            Expected::EnPassant => "a square such as e3, or -",
            Expected::Number => "a whole number below 4294967296",
            Expected::EndOfText => "nothing after the fullmove number",
        })
    }
}

impl From<PlacementExpected> for Expected {
    fn from(expected: PlacementExpected) -> Self {
        Expected::InPlacement(expected)
    }
}

/// The error for a text that is not a position of chess.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Parses a position text. The position itself is not validated: see [`Setup`].
///
/// # Errors
/// Returns the byte offset of the error, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    let mut fields = Fields::new(text);
    let mut setup = parse_shared_fields(text, &mut fields)?;
    setup.counters = parse_counters(text, &mut fields)?;
    match fields.next() {
        None => Ok(setup),
        Some((offset, _)) => Err(FenError::new(text, offset, "end", Expected::EndOfText)),
    }
}

/// Parses the fields that a FEN and an EPD share: placement, side to move, castling rights, en passant square.
pub(crate) fn parse_shared_fields(text: &str, fields: &mut Fields<'_>) -> Result<Setup, FenError> {
    let Some((offset, placement)) = fields.next() else {
        return Err(FenError::new(text, text.len(), "placement", Expected::Placement));
    };
    let board = parse_placement(text, offset, placement, Square::FILES, Piece::from_letter)?;
    let mut setup = Setup { board, ..Setup::EMPTY };
    let Some((offset, side)) = fields.next() else { return Ok(setup) };
    setup.side_to_move = match side {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return Err(FenError::new(text, offset, "side", Expected::Side)),
    };
    let Some((offset, castling)) = fields.next() else { return Ok(setup) };
    parse_castling(text, offset, castling, &mut setup)?;
    let Some((offset, square)) = fields.next() else { return Ok(setup) };
    if square != "-" {
        match square.parse() {
            Ok(square) => setup.en_passant = Some(square),
            Err(_) => return Err(FenError::new(text, offset, "en passant", Expected::EnPassant)),
        }
    }
    Ok(setup)
}

fn parse_castling(text: &str, start: usize, field: &str, setup: &mut Setup) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    for (offset, letter) in field.char_indices() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let file = match letter.to_ascii_lowercase() {
            'k' => outermost_rook_file(setup, side, CastlingSide::King),
            'q' => outermost_rook_file(setup, side, CastlingSide::Queen),
            file @ 'a'..='h' => file as usize - 'a' as usize,
            _ => {
                let expected = Expected::CastlingRight;
                return Err(FenError::new(text, start + offset, "castling", expected));
            }
        };
        let rooks = &mut setup.castling[side.index()];
        if *rooks >> file & 1 != 0 {
            return Err(FenError::new(text, start + offset, "castling", Expected::NoRepeatedRight));
        }
        *rooks |= 1 << file;
    }
    Ok(())
}

/// The side of the board towards which a king castles.
#[derive(Clone, Copy)]
enum CastlingSide {
    King,
    Queen,
}

/// Returns the file of the outermost rook on that side of the king, or the corner file if there is none.
fn outermost_rook_file(setup: &Setup, side: Side, castling_side: CastlingSide) -> usize {
    let piece_on = |file| setup.piece_on(Square::new(file, back_rank_of(side)));
    let is_rook = |&file: &usize| piece_on(file) == Some(Piece::new(side, PieceKind::Rook));
    let king = (0..8).find(|&file| piece_on(file) == Some(Piece::new(side, PieceKind::King)));
    match castling_side {
        CastlingSide::King => king.and_then(|king| (king + 1..8).rev().find(is_rook)).unwrap_or(7),
        CastlingSide::Queen => king.and_then(|king| (0..king).find(is_rook)).unwrap_or(0),
    }
}

fn parse_counters(text: &str, fields: &mut Fields<'_>) -> Result<MoveCounters, FenError> {
    let MoveCounters { halfmove_clock, fullmove_number } = MoveCounters::default();
    let mut parse = |name, default| parse_counter(text, fields.next(), name, default, Expected::Number);
    Ok(MoveCounters {
        halfmove_clock: parse("halfmove clock", halfmove_clock)?,
        fullmove_number: parse("fullmove number", fullmove_number)?,
    })
}

/// Writes a setup as X-FEN: the right of an outermost rook as `K` or `Q`, of another rook as its file letter.
pub fn format(setup: &Setup) -> String {
    let MoveCounters { halfmove_clock, fullmove_number } = setup.counters;
    format!("{} {halfmove_clock} {fullmove_number}", format_shared_fields(setup, false))
}

/// Writes a setup as Shredder-FEN: like [`format()`], but with file letters for all castling rights.
pub fn format_shredder(setup: &Setup) -> String {
    let MoveCounters { halfmove_clock, fullmove_number } = setup.counters;
    format!("{} {halfmove_clock} {fullmove_number}", format_shared_fields(setup, true))
}

/// Writes the fields that a FEN and an EPD share, with castling rights in Shredder-FEN form if `is_shredder`.
pub(crate) fn format_shared_fields(setup: &Setup, is_shredder: bool) -> String {
    let mut text = format_placement(&setup.board, Square::FILES, Piece::letter);
    text += if setup.side_to_move == Side::First { " w " } else { " b " };
    format_castling(setup, is_shredder, &mut text);
    text.push(' ');
    match setup.en_passant {
        Some(square) => text + &square.to_string(),
        None => text + "-",
    }
}

fn format_castling(setup: &Setup, is_shredder: bool, text: &mut String) {
    if setup.castling == [0; 2] {
        text.push('-');
    }
    for side in Side::BOTH {
        let (king, queen) = (
            outermost_rook_file(setup, side, CastlingSide::King),
            outermost_rook_file(setup, side, CastlingSide::Queen),
        );
        for file in (0..8).rev().filter(|file| setup.castling[side.index()] >> file & 1 != 0) {
            let letter = match file {
                _ if is_shredder => b'a' + file as u8,
                _ if file == king => b'k',
                _ if file == queen => b'q',
                _ => b'a' + file as u8,
            };
            let letter = char::from(letter);
            text.push(if side == Side::First { letter.to_ascii_uppercase() } else { letter });
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned as _;

    use super::*;
    use alfil_kernel::Setup as _;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn the_start_position_is_formatted_as_the_standard_fen() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(format(&Setup::start()), text);
        assert_eq!(format_shredder(&Setup::start()), text.replace("KQkq", "HAha"));
        for text in
            [text, &text[..text.len() - 4], &text.replace("KQkq", "qkQK"), &text.replace("KQkq", "AHah")]
        {
            assert_eq!(parse(text), Ok(Setup::start()), "{text}");
        }
    }

    #[test]
    fn castling_rights_of_inner_rooks_are_formatted_by_file() {
        for (text, xfen, shredder) in [
            ("4k3/8/8/8/8/8/8/R1R1K2R w KQ - 0 1", "KQ", "HA"),
            ("4k3/8/8/8/8/8/8/R1R1K2R w HC - 0 1", "KC", "HC"),
            ("4k3/8/8/8/8/8/8/1RK1R2R w E - 0 1", "E", "E"),
            ("rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20", "E", "E"),
            ("1r2k1r1/8/8/8/8/8/8/4K3 w gb - 0 1", "kq", "gb"),
        ] {
            let setup = parse(text).unwrap();
            let castling = |text: String| text.split(' ').nth(2).unwrap().to_owned();
            assert_eq!(
                (castling(format(&setup)), castling(format_shredder(&setup))),
                (xfen.into(), shredder.into())
            );
            assert_eq!(
                (parse(&format(&setup)), parse(&format_shredder(&setup))),
                (Ok(setup.clone()), Ok(setup))
            );
        }
    }

    #[test]
    fn random_setups_round_trip() {
        let mut random = SplitMix64::new(41);
        for _ in 0..20_000 {
            let mut setup = Setup::EMPTY;
            for _ in 0..random.below(40) {
                setup.board[random.below(64)] = Piece::from_index(random.below(Piece::COUNT));
            }
            setup.side_to_move = Side::BOTH[random.below(2)];
            setup.castling = [0, 1].map(|_| (random.next_u64() & random.next_u64()) as u8);
            setup.en_passant = Square::from_index(random.below(128));
            setup.counters = MoveCounters {
                halfmove_clock: random.next_u64() as u32,
                fullmove_number: random.below(300) as u32,
            };
            assert_eq!(parse(&format(&setup)), Ok(setup.clone()));
            assert_eq!(parse(&format_shredder(&setup)), Ok(setup));
        }
    }

    #[test]
    fn errors_give_offset_field_and_found_text() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (text, offset, field, found) in [
            (String::new(), 0, "placement", "the end"),
            ("rnbqkbnx/8".into(), 7, "placement", "'x'"),
            ("rnbqkbnrr/8".into(), 8, "placement", "'r'"),
            ("rnbqkbn/8".into(), 7, "placement", "'/'"),
            ("rnb6".into(), 3, "placement", "'6'"),
            ("8/8/8 w".into(), 5, "placement", "' '"),
            ("8/8/8/8/8/8/8/8/8 w".into(), 15, "placement", "'/'"),
            ("♔7/8".into(), 0, "placement", "'♔'"),
            (format!("{start} W"), 44, "side", "'W'"),
            (format!("{start} w KQkx"), 49, "castling", "'x'"),
            (format!("{start} w KQH"), 48, "castling", "'H'"),
            (format!("{start} w - e9"), 48, "en passant", "'e'"),
            (format!("{start} w - - x 1"), 50, "halfmove clock", "'x'"),
            (format!("{start} w - - 0 +1"), 52, "fullmove number", "'+'"),
            (format!("{start} w - - 99999999999 1"), 50, "halfmove clock", "'9'"),
            (format!("{start} w - - 0 1 x"), 54, "end", "'x'"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert_eq!(
                (error.offset, error.field, error.found_text().as_str()),
                (offset, field, found),
                "{text}"
            );
        }
    }
}
