//! WXF notation: the Chinese notation in Latin letters. Its four characters are man, file, sign and figure: `C2.5`, `H8+7`.
//!
//! Three customs go by this name and differ where like men share a file ([`Custom`]). Ours is the first; all three are read.
//! Where the same text means one move in one custom and another in the other (`33+1`: the third soldier of file 3 to
//! Fairy-Stockfish, the middle one to the federation), the sign for sideways decides, and without one the text is refused. That is so on files 1
//! and 3 only, where two files hold soldiers.
//!
//! Read besides: either letter for horse (H, N) and elephant (E, B), either case, full-width characters, `.` or `=` or
//! nothing for sideways (`C25`), the place before the man (`+C-1`), and the plain name of one of two men where the other
//! cannot go so.

use super::move_parts::{Direction, MatchQuality, MoveParts, PieceQuery};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};

/// Whose custom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WxfStyle {
    /// xqbase's and ElephantEye's: N and B, `.` for sideways; two men are `R+` and `R-`; soldiers that share files make one row,
    /// `P+` `P-`, `P+` `P.` `P-`, or `Pa` to `Pe`.
    Xqbase,
    /// The World Xiangqi Federation's text of 1997: H and E, `.`; soldiers on one file are `P+` `P-`, with the file's number
    /// for the middle one of three, `++` `P+` `P-` `--` for four; on two files they take the file's number for the man's
    /// letter, `4+` `4-`.
    Federation,
    /// Fairy-Stockfish's: H and E, `=`; the plain name wherever the other man could not make the same step; soldiers that are
    /// more than two on a file, or on several files, are told by their number on the file and the file, `13` `23`.
    Fairy,
}

/// The text of a legal move.
///
/// # Panics
/// If no man stands where the move begins.
pub fn format_move(position: &impl Board, mv: Move, custom: WxfStyle) -> String {
    render(&MoveParts::from_move(position, mv), custom)
}

fn render(told: &MoveParts, custom: WxfStyle) -> String {
    let man = match (custom, told.kind) {
        (WxfStyle::Xqbase, kind) => kind.letter().to_ascii_uppercase(),
        (_, PieceKind::Horse) => 'H',
        (_, PieceKind::Elephant) => 'E',
        (_, kind) => kind.letter().to_ascii_uppercase(),
    };
    let way = match (told.direction, custom) {
        (Direction::Forward, _) => '+',
        (Direction::Back, _) => '-',
        (Direction::Sideways, WxfStyle::Fairy) => '=',
        (Direction::Sideways, _) => '.',
    };
    let file = told.file;
    let ends = if told.on_file.index == 0 { '+' } else { '-' };
    let name = match custom {
        _ if told.on_file.len < 2 => format!("{man}{file}"),
        WxfStyle::Xqbase if told.kind == PieceKind::Soldier => xqbase_soldier(told),
        WxfStyle::Federation if told.kind == PieceKind::Soldier => federation_soldier(told),
        WxfStyle::Fairy
            if told.kind == PieceKind::Soldier && (told.on_file.len > 2 || told.shared_files > 1) =>
        {
            format!("{}{file}", told.on_file.index + 1)
        }
        WxfStyle::Fairy if !told.has_twin => format!("{man}{file}"),
        _ if told.is_named_by_position() => format!("{man}{ends}"),
        _ => format!("{man}{file}"),
    };
    format!("{name}{way}{}", told.figure)
}

fn xqbase_soldier(told: &MoveParts) -> String {
    let place = match (told.on_shared_files.len, told.on_shared_files.index) {
        (2 | 3, 0) => '+',
        (3, 1) => '.',
        (2 | 3, _) => '-',
        (_, index) => char::from(b'a' + index as u8),
    };
    format!("P{place}")
}

fn federation_soldier(told: &MoveParts) -> String {
    let (place, file) = (told.on_file, told.file);
    if told.shared_files > 1 {
        return match (place.len, place.index) {
            (_, 0) => format!("{file}+"),
            (3, 1) => format!("{file}{file}"),
            _ => format!("{file}-"),
        };
    }
    match (place.len, place.index) {
        (4 | 5, 0) => "++".to_owned(),
        (4 | 5, 1) | (2 | 3, 0) => "P+".to_owned(),
        (5, 2) | (3, 1) => format!("P{file}"),
        (5, 4) | (4, 3) => "--".to_owned(),
        _ => "P-".to_owned(),
    }
}

/// The text in ASCII capitals, H for the horse and E for the elephant, the man before its place, with a sign for sideways.
/// Nothing if it has not the shape of a move.
pub(super) fn normalise(text: &str) -> Option<String> {
    let mut letters: Vec<u8> = text.trim().chars().map(to_ascii_capital).collect::<Option<_>>()?;
    if let [man, file, figure] = letters[..]
        && is_piece_letter(man)
        && file.is_ascii_digit()
    {
        letters = vec![man, file, b'.', figure];
    }
    let &[first, second, way, figure] = &letters[..] else { return None };
    let (first, second) =
        if b"+-".contains(&first) && is_piece_letter(second) { (second, first) } else { (first, second) };
    let first = match first {
        b'N' => b'H',
        b'B' => b'E',
        other => other,
    };
    let named = match (first, second) {
        (man, b'1'..=b'9' | b'+' | b'-') if is_piece_letter(man) => true,
        (b'P', b'.' | b'=' | b'A'..=b'E') => true,
        (b'1'..=b'9', b'1'..=b'9' | b'+' | b'-') | (b'+', b'+') | (b'-', b'-') => true,
        _ => false,
    };
    let shaped = named && b"+-.=".contains(&way) && matches!(figure, b'1'..=b'9');
    shaped.then(|| [first, second, way, figure].map(char::from).iter().collect())
}

/// A character as an ASCII capital; full-width characters stand 0xFEE0 above their narrow twins.
fn to_ascii_capital(character: char) -> Option<u8> {
    let narrow = match character {
        '！'..='～' => character as u32 - 0xFEE0,
        _ => character as u32,
    };
    u8::try_from(narrow).ok().filter(u8::is_ascii).map(|letter| letter.to_ascii_uppercase())
}

fn is_piece_letter(letter: u8) -> bool {
    b"KABENHRCP".contains(&letter)
}

/// The text as those write it who have but one sign for sideways.
fn unify_sideways_sign(text: &str) -> String {
    text.replace('=', ".")
}

/// How well a normalised text fits a move.
pub(super) fn match_quality(told: &MoveParts, text: &str) -> Option<MatchQuality> {
    let written = |custom| normalise(&render(told, custom)).expect("what is written has the shape of a move");
    let folded = unify_sideways_sign(text);
    if folded == unify_sideways_sign(&written(WxfStyle::Xqbase)) {
        return Some(MatchQuality::Canonical);
    }
    let customs = [WxfStyle::Federation, WxfStyle::Fairy].map(written);
    if customs.iter().any(|custom| custom == text) {
        return Some(MatchQuality::OtherStyle);
    }
    let plain = render(&MoveParts { on_file: ALONE, ..*told }, WxfStyle::Federation);
    (folded == plain || customs.iter().any(|custom| folded == unify_sideways_sign(custom)))
        .then_some(MatchQuality::Lenient)
}

/// The place of a man that shares its file with none of its like.
const ALONE: super::move_parts::TandemIndex = super::move_parts::TandemIndex { index: 0, len: 1 };

/// Whom a normalised text speaks of.
pub(super) fn piece_query(text: &str) -> PieceQuery {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    let kind = first.filter(char::is_ascii_alphabetic).and_then(Piece::from_letter).map(Piece::kind);
    let (kind, file) = match (kind, first, second) {
        (Some(kind), _, Some(file)) => (kind, file.to_digit(10)),
        // Soldiers without a letter: the federation puts the file first, Fairy-Stockfish second.
        (_, Some(file), Some('+' | '-')) => (PieceKind::Soldier, file.to_digit(10)),
        (_, _, file) => (PieceKind::Soldier, file.and_then(|file| file.to_digit(10))),
    };
    PieceQuery { kind: Some(kind), file: file.map(|file| file as usize) }
}
