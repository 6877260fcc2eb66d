//! Chinese notation: man, file, direction, figure.
//!
//! Files are counted from the mover's own right; Red's figures are Chinese, Black's full-width. Of two like men on a file
//! the front one is 前 and the rear one 后. Soldiers follow the xqbase convention: those of all files that hold two or
//! more make one row, from the right to the left and from the front to the back; two of them are 前 and 后, three 前, 中
//! and 后, four or five 一 to 五.
//!
//! Read besides: either script, either side's characters and figures, ASCII digits, 上 and 下; the place with the man and its
//! file, `前兵四平五`; with the file and no man, `前九平八`; 前 and 后 for the ends of a longer row, numbers in a shorter one;
//! and the plain name of one of two men where the other cannot go so.

use super::move_parts::{Direction, MatchQuality, MoveParts, PieceQuery, TandemIndex};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use alfil_kernel::Side;

/// Which characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// `后马进六`.
    Simplified,
    /// `後馬進六`.
    Traditional,
}

/// The characters of a script: Red's men, Black's men, the three ways, the three places.
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

/// The text of a legal move.
///
/// # Panics
/// If no man stands where the move begins.
pub fn format_move(position: &impl Board, mv: Move, script: Script) -> String {
    let told = MoveParts::from_move(position, mv);
    let characters = match script {
        Script::Simplified => &SIMPLIFIED,
        Script::Traditional => &TRADITIONAL,
    };
    let figure = |number: usize| match told.side {
        Side::First => CHINESE_FIGURES[number - 1],
        Side::Second => char::from_u32('０' as u32 + number as u32).expect("a full-width digit"),
    };
    let man = characters.pieces[told.side.index()][told.kind as usize];
    let [first, second] = if told.is_named_by_position() {
        let row = if told.kind == PieceKind::Soldier { told.on_shared_files } else { told.on_file };
        let place = match (row.len, row.index) {
            (2 | 3, 0) => characters.tandem_positions[0],
            (3, 1) => characters.tandem_positions[1],
            (2 | 3, _) => characters.tandem_positions[2],
            (_, index) => CHINESE_FIGURES[index],
        };
        [place, man]
    } else {
        [man, figure(told.file)]
    };
    String::from_iter([first, second, characters.directions[told.direction as usize], figure(told.figure)])
}

/// The text with one letter for each meaning: the men's `KAEHRCP`, `fmr` for the places, `+-.` for the ways, digits.
/// Nothing if it has not the shape of a move.
pub(super) fn normalise(text: &str) -> Option<String> {
    let letters: String = text.trim().chars().map(normal_letter).collect::<Option<_>>()?;
    let (name, [way, figure]) = letters.as_bytes().split_last_chunk()?;
    let shaped = match *name {
        [man, file] if is_piece_letter(man) => is_digit(file),
        [place, man] if is_tandem_letter(place) => is_piece_letter(man) || is_digit(man),
        [place, man, file] => is_tandem_letter(place) && is_piece_letter(man) && is_digit(file),
        _ => false,
    };
    (shaped && b"+-.".contains(way) && is_digit(*figure)).then_some(letters)
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

/// What a character means.
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
            let place = CHINESE_FIGURES.iter().position(|&figure| figure == character)?;
            char::from_digit(place as u32 + 1, 10)?
        }
    })
}

/// The letter that [`normalise`] gives a kind.
fn piece_letter(kind: PieceKind) -> char {
    ['K', 'A', 'E', 'H', 'R', 'C', 'P'][kind as usize]
}

/// The letters that say a place, the one we write first.
fn tandem_letters(row: TandemIndex, soldiers: bool) -> Vec<char> {
    let number = char::from_digit(row.index as u32 + 1, 10).filter(|_| soldiers);
    let end = match row.index {
        0 => Some('f'),
        1 if row.len == 3 => Some('m'),
        last if last + 1 == row.len => Some('r'),
        _ => None,
    };
    let ways = if row.len > 3 { [number, end] } else { [end, number] };
    ways.into_iter().flatten().collect()
}

/// How well a normalised text fits a move.
pub(super) fn match_quality(told: &MoveParts, text: &str) -> Option<MatchQuality> {
    let (name, tail) = text.split_at(text.len() - 2);
    let way = match told.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '.',
    };
    if tail != format!("{way}{}", told.figure) {
        return None;
    }
    let (man, file) = (piece_letter(told.kind), told.file);
    let plain = name == format!("{man}{file}");
    if told.on_file.len < 2 {
        return plain.then_some(MatchQuality::Canonical);
    }
    let soldiers = told.kind == PieceKind::Soldier;
    let row = if soldiers { told.on_shared_files } else { told.on_file };
    let in_row = tandem_letters(row, soldiers).iter().position(|place| name == format!("{place}{man}"));
    if let Some(choice) = in_row {
        return Some(if choice == 0 && told.is_named_by_position() {
            MatchQuality::Canonical
        } else {
            MatchQuality::OtherStyle
        });
    }
    if plain {
        return Some(if told.is_named_by_position() {
            MatchQuality::Lenient
        } else {
            MatchQuality::Canonical
        });
    }
    let on_file = tandem_letters(told.on_file, soldiers).into_iter();
    let mut on_file = on_file.flat_map(|place| [format!("{place}{man}{file}"), format!("{place}{file}")]);
    on_file.any(|spelling| spelling == name).then_some(MatchQuality::OtherStyle)
}

/// Whom a normalised text speaks of.
pub(super) fn piece_query(text: &str) -> PieceQuery {
    let name = &text[..text.len() - 2];
    let kind = name.chars().find_map(Piece::from_letter).map(Piece::kind);
    // The first letter is a file only behind a man: before one it is a place.
    let file = name.chars().skip(1).find_map(|letter| letter.to_digit(10));
    PieceQuery { kind, file: file.map(|file| file as usize) }
}
