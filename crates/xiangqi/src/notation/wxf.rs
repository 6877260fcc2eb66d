//! WXF notation: Chinese notation in Latin letters. Its four characters are piece, file, sign and figure: `C2.5`,
//! `H8+7`.
//!
//! Three styles go by this name and differ where equal pieces share a file ([`WxfStyle`]). Ours is the first; all three
//! are accepted. Where the same text means one move in one style and another in the other (`33+1`: the third soldier of
//! file 3 to Fairy-Stockfish, the middle one to the federation), the sign for sideways decides, and without one the
//! text is rejected. That happens on files 1 and 3 only, where two files hold soldiers.
//!
//! Also accepted: either letter for horse (H, N) and elephant (E, B), either case, full-width characters, `.` or `=` or
//! nothing for sideways (`C25`), the position before the piece (`+C-1`), and the plain name of one of two pieces if the
//! other cannot make the move.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::move_parts::{Direction, MatchQuality, MoveParts, PieceQuery};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};

/// The style in which equal pieces on a file are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WxfStyle {
    /// The style of xqbase and ElephantEye: N and B, `.` for sideways; two pieces are `R+` and `R-`; soldiers that
    /// share files form one row, `P+` `P-`, `P+` `P.` `P-`, or `Pa` to `Pe`.
    Xqbase,
    /// The style of the World Xiangqi Federation's text of 1997: H and E, `.`; soldiers on one file are `P+` `P-`, with
    /// the file's number for the middle one of three, `++` `P+` `P-` `--` for four; on two files the file's number
    /// replaces the letter, `4+` `4-`.
    Federation,
    /// The style of Fairy-Stockfish: H and E, `=`; the plain name if the other piece could not make the same step;
    /// soldiers that are more than two on a file, or on several files, are named by their number on the file and the
    /// file, `13` `23`.
    Fairy,
}

/// Formats a legal move.
///
/// # Panics
/// If the origin is empty.
pub fn format_move(position: &impl Board, mv: Move, style: WxfStyle) -> String {
    render(&MoveParts::from_move(position, mv), style)
}

fn render(parts: &MoveParts, style: WxfStyle) -> String {
    let piece = match (style, parts.kind) {
        (WxfStyle::Xqbase, kind) => kind.letter().to_ascii_uppercase(),
        (_, PieceKind::Horse) => 'H',
        (_, PieceKind::Elephant) => 'E',
        (_, kind) => kind.letter().to_ascii_uppercase(),
    };
    let sign = match (parts.direction, style) {
        (Direction::Forward, _) => '+',
        (Direction::Back, _) => '-',
        (Direction::Sideways, WxfStyle::Fairy) => '=',
        (Direction::Sideways, _) => '.',
    };
    let file = parts.file;
    let position = if parts.on_file.index == 0 { '+' } else { '-' };
    let name = match style {
        _ if parts.on_file.len < 2 => format!("{piece}{file}"),
        WxfStyle::Xqbase if parts.kind == PieceKind::Soldier => xqbase_soldier(parts),
        WxfStyle::Federation if parts.kind == PieceKind::Soldier => federation_soldier(parts),
        WxfStyle::Fairy
            if parts.kind == PieceKind::Soldier && (parts.on_file.len > 2 || parts.shared_files > 1) =>
        {
            format!("{}{file}", parts.on_file.index + 1)
        }
        WxfStyle::Fairy if !parts.has_twin => format!("{piece}{file}"),
        _ if parts.is_named_by_position() => format!("{piece}{position}"),
        _ => format!("{piece}{file}"),
    };
    format!("{name}{sign}{}", parts.figure)
}

fn xqbase_soldier(parts: &MoveParts) -> String {
    let position = match (parts.on_shared_files.len, parts.on_shared_files.index) {
        (2 | 3, 0) => '+',
        (3, 1) => '.',
        (2 | 3, _) => '-',
        (_, index) => char::from(b'a' + index as u8),
    };
    format!("P{position}")
}

fn federation_soldier(parts: &MoveParts) -> String {
    let (on_file, file) = (parts.on_file, parts.file);
    if parts.shared_files > 1 {
        return match (on_file.len, on_file.index) {
            (_, 0) => format!("{file}+"),
            (3, 1) => format!("{file}{file}"),
            _ => format!("{file}-"),
        };
    }
    match (on_file.len, on_file.index) {
        (4 | 5, 0) => "++".to_owned(),
        (4 | 5, 1) | (2 | 3, 0) => "P+".to_owned(),
        (5, 2) | (3, 1) => format!("P{file}"),
        (5, 4) | (4, 3) => "--".to_owned(),
        _ => "P-".to_owned(),
    }
}

/// Returns the text in ASCII capitals, H for the horse and E for the elephant, the piece before its position, with a
/// sign for sideways; or `None` if it does not have the form of a move.
pub(super) fn normalise(text: &str) -> Option<String> {
    let mut letters: Vec<u8> = text.trim().chars().map(to_ascii_capital).collect::<Option<_>>()?;
    if let [piece, file, figure] = letters[..]
        && is_piece_letter(piece)
        && file.is_ascii_digit()
    {
        letters = vec![piece, file, b'.', figure];
    }
    let &[first, second, sign, figure] = &letters[..] else { return None };
    let (first, second) =
        if b"+-".contains(&first) && is_piece_letter(second) { (second, first) } else { (first, second) };
    let first = match first {
        b'N' => b'H',
        b'B' => b'E',
        other => other,
    };
    let is_name = match (first, second) {
        (piece, b'1'..=b'9' | b'+' | b'-') if is_piece_letter(piece) => true,
        (b'P', b'.' | b'=' | b'A'..=b'E') => true,
        (b'1'..=b'9', b'1'..=b'9' | b'+' | b'-') | (b'+', b'+') | (b'-', b'-') => true,
        _ => false,
    };
    let is_move = is_name && b"+-.=".contains(&sign) && matches!(figure, b'1'..=b'9');
    is_move.then(|| [first, second, sign, figure].map(char::from).iter().collect())
}

/// Returns a character as an ASCII capital; full-width characters are 0xFEE0 above their narrow forms.
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

/// Returns the text with one sign for sideways.
fn unify_sideways_sign(text: &str) -> String {
    text.replace('=', ".")
}

/// Returns how well a normalised text fits a move.
pub(super) fn match_quality(parts: &MoveParts, text: &str) -> Option<MatchQuality> {
    let normal_form = |style| normalise(&render(parts, style)).expect("our own text has the form of a move");
    let unified = unify_sideways_sign(text);
    if unified == unify_sideways_sign(&normal_form(WxfStyle::Xqbase)) {
        return Some(MatchQuality::Canonical);
    }
    let others = [WxfStyle::Federation, WxfStyle::Fairy].map(normal_form);
    if others.iter().any(|style| style == text) {
        return Some(MatchQuality::OtherStyle);
    }
    let plain = render(&MoveParts { on_file: ALONE, ..*parts }, WxfStyle::Federation);
    (unified == plain || others.iter().any(|style| unified == unify_sideways_sign(style)))
        .then_some(MatchQuality::Lenient)
}

/// The index of a piece that shares its file with no equal piece.
const ALONE: super::move_parts::TandemIndex = super::move_parts::TandemIndex { index: 0, len: 1 };

/// Returns the pieces that a normalised text can mean.
pub(super) fn piece_query(text: &str) -> PieceQuery {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    let kind = first.filter(char::is_ascii_alphabetic).and_then(Piece::from_letter).map(Piece::kind);
    let (kind, file) = match (kind, first, second) {
        (Some(kind), _, Some(file)) => (kind, file.to_digit(10)),
        // Soldiers without a letter: the federation writes the file first, Fairy-Stockfish second.
        (_, Some(file), Some('+' | '-')) => (PieceKind::Soldier, file.to_digit(10)),
        (_, _, file) => (PieceKind::Soldier, file.and_then(|file| file.to_digit(10))),
    };
    PieceQuery { kind: Some(kind), file: file.map(|file| file as usize) }
}
