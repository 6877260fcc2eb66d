//! A position text to a setup and back: FEN, X-FEN and Shredder-FEN.
//!
//! Eight ranks from Black's back rank down, files a to h, digits for empty squares; the side to move; castling; en
//! passant; plies without a capture or pawn move; the number of the next move. Fields missing at the end take their usual
//! values, so the four fields of an EPD are read too.
//!
//! Castling is read in every form, in any order of letters: `K` and `Q` mean the outermost rook on that side of the king
//! (FEN and X-FEN), a file letter means the rook on that file (X-FEN where needed, Shredder-FEN always). [`write()`] gives
//! X-FEN, which is plain FEN wherever FEN can say it; [`write_shredder`] gives file letters. See R. Scharnagl's X-FEN.

use core::fmt;

use alfil_kernel::{Counters, Side};

use crate::piece::{Kind, Piece};
use crate::setup::{Setup, back};
use crate::square::Square;

/// What should stand in a position text where reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any placement at all.
    Placement,
    /// More squares on a rank.
    More,
    /// Fewer squares on a rank.
    Fewer,
    /// No further rank.
    NoRank,
    /// Further ranks.
    Ranks,
    /// The end of a rank.
    RankEnd,
    /// A man, a number of empty squares or the end of a rank.
    Man,
    /// The side to move.
    Side,
    /// A right to castle.
    Castling,
    /// No right to castle twice.
    Once,
    /// The en passant square.
    EnPassant,
    /// A number.
    Number,
    /// The end of the text.
    End,
    /// The name of an operation of an EPD.
    Operation,
    /// The number that belongs to `hmvc` or `fmvn`.
    Operand,
    /// The end of a quoted operand.
    Quote,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Placement => "eight ranks of men and digits",
            Expected::More => "more squares: a rank has eight",
            Expected::Fewer => "fewer squares: a rank has eight",
            Expected::NoRank => "the end of the placement: there are eight ranks",
            Expected::Ranks => "/ and more ranks: there are eight",
            Expected::RankEnd => "/ or the side to move: a rank has eight squares",
            Expected::Man => "a man (k q r b n p), a digit 1 to 8 or /",
            Expected::Side => "w for White, b for Black",
            Expected::Castling => "K, Q, a file letter A to H, the same in lower case, or -",
            Expected::Once => "each right once",
            Expected::EnPassant => "a square such as e3, or -",
            Expected::Number => "a whole number below 4294967296",
            Expected::End => "nothing after the move number",
            Expected::Operation => "a name that begins with a letter",
            Expected::Operand => "a number after hmvc or fmvn",
            Expected::Quote => "a closing quote",
        })
    }
}

/// A text that is no position of chess.
pub type FenError = alfil_kernel::FenError<Expected>;

/// Reads a position text. What stands where is not judged here: see [`Setup`].
///
/// # Errors
/// With the byte offset, what was expected there and what stood there.
pub fn read(text: &str) -> Result<Setup, FenError> {
    let mut fields = Fields { text, at: 0 };
    let mut setup = read_four(text, &mut fields)?;
    setup.counters = read_counters(text, &mut fields)?;
    match fields.next() {
        None => Ok(setup),
        Some((offset, _)) => Err(FenError::at(text, offset, "end", Expected::End)),
    }
}

/// Reads the fields that a FEN and an EPD share: men, side, castling, en passant.
pub(crate) fn read_four(text: &str, fields: &mut Fields<'_>) -> Result<Setup, FenError> {
    let Some((offset, placement)) = fields.next() else {
        return Err(FenError::at(text, text.len(), "placement", Expected::Placement));
    };
    let mut setup = Setup { men: read_placement(text, offset, placement)?, ..Setup::EMPTY };
    let Some((offset, side)) = fields.next() else { return Ok(setup) };
    setup.side = match side {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return Err(FenError::at(text, offset, "side", Expected::Side)),
    };
    let Some((offset, castling)) = fields.next() else { return Ok(setup) };
    read_castling(text, offset, castling, &mut setup)?;
    let Some((offset, square)) = fields.next() else { return Ok(setup) };
    if square != "-" {
        match square.parse() {
            Ok(square) => setup.en_passant = Some(square),
            Err(_) => return Err(FenError::at(text, offset, "en passant", Expected::EnPassant)),
        }
    }
    Ok(setup)
}

fn read_placement(text: &str, start: usize, field: &str) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let complain = |offset, expected| Err(FenError::at(text, start + offset, "placement", expected));
    let mut men = [None; Square::COUNT];
    let (mut rank, mut file) = (Square::RANKS - 1, 0);
    for (offset, letter) in field.char_indices() {
        match letter {
            '/' if file < Square::FILES => return complain(offset, Expected::More),
            '/' if rank == 0 => return complain(offset, Expected::NoRank),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='8' => {
                file += letter as usize - '0' as usize;
                if file > Square::FILES {
                    return complain(offset, Expected::Fewer);
                }
            }
            _ => {
                let Some(piece) = Piece::from_letter(letter) else {
                    return complain(offset, Expected::Man);
                };
                if file == Square::FILES {
                    return complain(offset, Expected::RankEnd);
                }
                men[Square::new(file, rank).index()] = Some(piece);
                file += 1;
            }
        }
    }
    if file < Square::FILES {
        return complain(field.len(), Expected::More);
    }
    if rank > 0 {
        return complain(field.len(), Expected::Ranks);
    }
    Ok(men)
}

fn read_castling(text: &str, start: usize, field: &str, setup: &mut Setup) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    for (offset, letter) in field.char_indices() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let file = match letter.to_ascii_lowercase() {
            'k' => outermost(setup, side, Wing::King),
            'q' => outermost(setup, side, Wing::Queen),
            file @ 'a'..='h' => file as usize - 'a' as usize,
            _ => {
                let expected = Expected::Castling;
                return Err(FenError::at(text, start + offset, "castling", expected));
            }
        };
        let rooks = &mut setup.castling[side.index()];
        if *rooks >> file & 1 != 0 {
            return Err(FenError::at(text, start + offset, "castling", Expected::Once));
        }
        *rooks |= 1 << file;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Wing {
    King,
    Queen,
}

/// The file of the outermost rook on that side of the king; the corner where there is none.
fn outermost(setup: &Setup, side: Side, wing: Wing) -> usize {
    let back = back(side);
    let rook = |&file: &usize| setup.man(Square::new(file, back)) == Some(Piece::new(side, Kind::Rook));
    let king = (0..8).find(|&file| setup.man(Square::new(file, back)) == Some(Piece::new(side, Kind::King)));
    match wing {
        Wing::King => king.and_then(|king| (king + 1..8).rev().find(rook)).unwrap_or(7),
        Wing::Queen => king.and_then(|king| (0..king).find(rook)).unwrap_or(0),
    }
}

fn read_counters(text: &str, fields: &mut Fields<'_>) -> Result<Counters, FenError> {
    let mut number = |name, usual: u32| match fields.next() {
        None => Ok(usual),
        Some((offset, digits)) => {
            let sound = digits.bytes().all(|byte| byte.is_ascii_digit());
            match digits.parse() {
                Ok(number) if sound => Ok(number),
                _ => Err(FenError::at(text, offset, name, Expected::Number)),
            }
        }
    };
    let quiet = number("quiet plies", Counters::default().quiet)?;
    let number = number("move number", Counters::default().number)?;
    Ok(Counters { quiet, number })
}

/// Writes X-FEN: rights by `K` and `Q` where they belong to the outermost rook, by the file's letter where not.
pub fn write(setup: &Setup) -> String {
    let Counters { quiet, number } = setup.counters;
    format!("{} {quiet} {number}", write_four(setup, false))
}

/// Writes Shredder-FEN: as [`write()`], with rights always by the files of the rooks.
pub fn write_shredder(setup: &Setup) -> String {
    let Counters { quiet, number } = setup.counters;
    format!("{} {quiet} {number}", write_four(setup, true))
}

/// Writes the fields that a FEN and an EPD share.
pub(crate) fn write_four(setup: &Setup, shredder: bool) -> String {
    let mut text = String::with_capacity(64);
    for rank in (0..Square::RANKS).rev() {
        let mut empty = 0;
        for file in 0..Square::FILES {
            match setup.man(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push(char::from(b'0' + empty));
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text.push(char::from(b'0' + empty));
        }
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text += if setup.side == Side::First { "w " } else { "b " };
    write_castling(setup, shredder, &mut text);
    text.push(' ');
    match setup.en_passant {
        Some(square) => text + &square.to_string(),
        None => text + "-",
    }
}

fn write_castling(setup: &Setup, shredder: bool, text: &mut String) {
    if setup.castling == [0; 2] {
        text.push('-');
    }
    for side in Side::BOTH {
        let (king, queen) = (outermost(setup, side, Wing::King), outermost(setup, side, Wing::Queen));
        for file in (0..8).rev().filter(|file| setup.castling[side.index()] >> file & 1 != 0) {
            let letter = match file {
                _ if shredder => b'a' + file as u8,
                _ if file == king => b'k',
                _ if file == queen => b'q',
                _ => b'a' + file as u8,
            };
            let letter = char::from(letter);
            text.push(if side == Side::First { letter.to_ascii_uppercase() } else { letter });
        }
    }
}

/// The fields of a text with their byte offsets; white space of any length parts them.
pub(crate) struct Fields<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let rest = &self.text[start..];
        let field = &rest[..rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())];
        self.at = start + field.len();
        Some((start, field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;
    use alfil_kernel::keys::SplitMix64;

    #[test]
    fn the_start_position_is_written_as_everybody_writes_it() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(write(&Setup::start()), text);
        assert_eq!(write_shredder(&Setup::start()), text.replace("KQkq", "HAha"));
        for text in
            [text, &text[..text.len() - 4], &text.replace("KQkq", "qkQK"), &text.replace("KQkq", "AHah")]
        {
            assert_eq!(read(text), Ok(Setup::start()), "{text}");
        }
    }

    #[test]
    fn rights_of_inner_rooks_are_written_by_file() {
        for (text, xfen, shredder) in [
            ("4k3/8/8/8/8/8/8/R1R1K2R w KQ - 0 1", "KQ", "HA"),
            ("4k3/8/8/8/8/8/8/R1R1K2R w HC - 0 1", "KC", "HC"),
            ("4k3/8/8/8/8/8/8/1RK1R2R w E - 0 1", "E", "E"),
            ("rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20", "E", "E"),
            ("1r2k1r1/8/8/8/8/8/8/4K3 w gb - 0 1", "kq", "gb"),
        ] {
            let setup = read(text).unwrap();
            let castling = |text: String| text.split(' ').nth(2).unwrap().to_owned();
            assert_eq!(
                (castling(write(&setup)), castling(write_shredder(&setup))),
                (xfen.into(), shredder.into())
            );
            assert_eq!((read(&write(&setup)), read(&write_shredder(&setup))), (Ok(setup.clone()), Ok(setup)));
        }
    }

    #[test]
    fn any_setup_survives_being_written() {
        let mut random = SplitMix64::new(41);
        for _ in 0..20_000 {
            let mut setup = Setup::EMPTY;
            for _ in 0..random.below(40) {
                setup.men[random.below(64)] = Piece::from_index(random.below(Piece::COUNT));
            }
            setup.side = Side::BOTH[random.below(2)];
            setup.castling = [0, 1].map(|_| (random.next_word() & random.next_word()) as u8);
            setup.en_passant = Square::from_index(random.below(128));
            setup.counters = Counters { quiet: random.next_word() as u32, number: random.below(300) as u32 };
            assert_eq!(read(&write(&setup)), Ok(setup.clone()));
            assert_eq!(read(&write_shredder(&setup)), Ok(setup));
        }
    }

    #[test]
    fn errors_say_where_and_what() {
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
            (format!("{start} w - - x 1"), 50, "quiet plies", "'x'"),
            (format!("{start} w - - 0 +1"), 52, "move number", "'+'"),
            (format!("{start} w - - 99999999999 1"), 50, "quiet plies", "'9'"),
            (format!("{start} w - - 0 1 x"), 54, "end", "'x'"),
        ] {
            let error = read(&text).expect_err(&text);
            assert_eq!((error.offset, error.field, error.stood().as_str()), (offset, field, found), "{text}");
        }
    }
}
