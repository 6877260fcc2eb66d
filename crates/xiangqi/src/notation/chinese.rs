//! Chinese notation: piece, file, direction, figure.
//!
//! Files are counted from the mover's own right; Red's figures are Chinese, Black's full-width. Of two equal pieces on
//! a file the front one is 前 and the rear one 后. Soldiers follow the xqbase convention: those of all files that hold
//! two or more form one row, from the right to the left and from the front to the back; two of them are 前 and 后, three
//! 前, 中 and 后, four or five 一 to 五.
//!
//! Also accepted: either script, either side's characters and figures, ASCII digits, 上 and 下; the position with the
//! piece and its file, `前兵四平五`; with the file and no piece, `前九平八`; 前 and 后 for the ends of a longer row, numbers in a
//! shorter one; and the plain name of one of two pieces if the other cannot make the move.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::move_parts::{Direction, MatchQuality, MoveParts, PieceQuery, TandemIndex};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use alfil_kernel::Side;

/// The characters in which moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// `后马进六`.
    Simplified,
    /// `後馬進六`.
    Traditional,
}

/// The characters of a script: Red's pieces, Black's pieces, the three directions, the three positions in a tandem.
struct Characters {
    pieces: [[char; 7]; 2],
    directions: [char; 3],
    tandem_positions: [char; 3],
}

const SIMPLIFIED: Characters = Characters {
    pieces: [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']],
    directions: ['进', '退', '平'],
    tandem_positions: ['前', '中', '后'],
};

const TRADITIONAL: Characters = Characters {
    pieces: [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '炮', '卒']],
    directions: ['進', '退', '平'],
    tandem_positions: ['前', '中', '後'],
};

const CHINESE_FIGURES: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Formats a legal move.
///
/// # Panics
/// If the origin is empty.
pub fn format_move(position: &impl Board, mv: Move, script: Script) -> String {
    let parts = MoveParts::from_move(position, mv);
    let characters = match script {
        Script::Simplified => &SIMPLIFIED,
        Script::Traditional => &TRADITIONAL,
    };
    let figure = |number: usize| match parts.side {
        Side::First => CHINESE_FIGURES[number - 1],
        Side::Second => char::from_u32('０' as u32 + number as u32).expect("a full-width digit"),
    };
    let piece = characters.pieces[parts.side.index()][parts.kind as usize];
    let [first, second] = if parts.is_named_by_position() {
        let tandem = if parts.kind == PieceKind::Soldier { parts.on_shared_files } else { parts.on_file };
        let position = match (tandem.len, tandem.index) {
            (2 | 3, 0) => characters.tandem_positions[0],
            (3, 1) => characters.tandem_positions[1],
            (2 | 3, _) => characters.tandem_positions[2],
            (_, index) => CHINESE_FIGURES[index],
        };
        [position, piece]
    } else {
        [piece, figure(parts.file)]
    };
    String::from_iter([first, second, characters.directions[parts.direction as usize], figure(parts.figure)])
}

/// Returns the text with one letter for each meaning: `KAEHRCP` for pieces, `fmr` for positions, `+-.` for directions,
/// digits; or `None` if it does not have the form of a move.
pub(super) fn normalise(text: &str) -> Option<String> {
    let letters: String = text.trim().chars().map(normal_letter).collect::<Option<_>>()?;
    let (name, [direction, figure]) = letters.as_bytes().split_last_chunk()?;
    let is_move = match *name {
        [piece, file] if is_piece_letter(piece) => is_digit(file),
        [position, piece] if is_tandem_letter(position) => is_piece_letter(piece) || is_digit(piece),
        [position, piece, file] => is_tandem_letter(position) && is_piece_letter(piece) && is_digit(file),
        _ => false,
    };
    (is_move && b"+-.".contains(direction) && is_digit(*figure)).then_some(letters)
}

fn is_digit(letter: u8) -> bool {
    matches!(letter, b'1'..=b'9')
}

fn is_piece_letter(letter: u8) -> bool {
    b"KAEHRCP".contains(&letter)
}

fn is_tandem_letter(letter: u8) -> bool {
    matches!(letter, b'f' | b'm' | b'r' | b'1'..=b'5')
}

/// Returns the letter for the meaning of a character.
fn normal_letter(character: char) -> Option<char> {
    Some(match character {
        '帅' | '帥' | '将' | '將' => 'K',
        '仕' | '士' => 'A',
        '相' | '象' => 'E',
        '马' | '馬' | '傌' => 'H',
        '车' | '車' | '俥' | '硨' | '砗' => 'R',
        '炮' | '砲' | '包' => 'C',
        '兵' | '卒' => 'P',
        '进' | '進' | '上' => '+',
        '退' | '下' => '-',
        '平' => '.',
        '前' => 'f',
        '中' => 'm',
        '后' | '後' => 'r',
        '1'..='9' => character,
        '１'..='９' => char::from_digit(character as u32 - '０' as u32, 10)?,
        _ => {
            let position = CHINESE_FIGURES.iter().position(|&figure| figure == character)?;
            char::from_digit(position as u32 + 1, 10)?
        }
    })
}

/// Returns the letter that [`normalise`] uses for a kind.
fn piece_letter(kind: PieceKind) -> char {
    ['K', 'A', 'E', 'H', 'R', 'C', 'P'][kind as usize]
}

/// Returns the letters for a position in a tandem, our own spelling first.
fn tandem_letters(tandem: TandemIndex, is_soldier: bool) -> Vec<char> {
    let number = char::from_digit(tandem.index as u32 + 1, 10).filter(|_| is_soldier);
    let end = match tandem.index {
        0 => Some('f'),
        1 if tandem.len == 3 => Some('m'),
        last if last + 1 == tandem.len => Some('r'),
        _ => None,
    };
    let letters = if tandem.len > 3 { [number, end] } else { [end, number] };
    letters.into_iter().flatten().collect()
}

/// Returns how well a normalised text fits a move.
pub(super) fn match_quality(parts: &MoveParts, text: &str) -> Option<MatchQuality> {
    let (name, tail) = text.split_at(text.len() - 2);
    let direction = match parts.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '.',
    };
    if tail != format!("{direction}{}", parts.figure) {
        return None;
    }
    let (piece, file) = (piece_letter(parts.kind), parts.file);
    let is_plain = name == format!("{piece}{file}");
    if parts.on_file.len < 2 {
        return is_plain.then_some(MatchQuality::Canonical);
    }
    let is_soldier = parts.kind == PieceKind::Soldier;
    let tandem = if is_soldier { parts.on_shared_files } else { parts.on_file };
    let in_tandem =
        tandem_letters(tandem, is_soldier).iter().position(|position| name == format!("{position}{piece}"));
    if let Some(choice) = in_tandem {
        return Some(if choice == 0 && parts.is_named_by_position() {
            MatchQuality::Canonical
        } else {
            MatchQuality::OtherStyle
        });
    }
    if is_plain {
        return Some(if parts.is_named_by_position() {
            MatchQuality::Lenient
        } else {
            MatchQuality::Canonical
        });
    }
    let on_file = tandem_letters(parts.on_file, is_soldier).into_iter();
    let mut on_file =
        on_file.flat_map(|position| [format!("{position}{piece}{file}"), format!("{position}{file}")]);
    on_file.any(|spelling| spelling == name).then_some(MatchQuality::OtherStyle)
}

/// Returns the pieces that a normalised text can mean.
pub(super) fn piece_query(text: &str) -> PieceQuery {
    let name = &text[..text.len() - 2];
    // Capitals are pieces; the `r` of a rear piece is no rook.
    let kind = name.chars().filter(char::is_ascii_uppercase).find_map(Piece::from_letter).map(Piece::kind);
    // A digit in first place is a position, not a file.
    let file = name.chars().skip(1).find_map(|letter| letter.to_digit(10));
    PieceQuery { kind, file: file.map(|file| file as usize) }
}
