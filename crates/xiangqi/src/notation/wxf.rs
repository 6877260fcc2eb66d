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

use super::told::{Fit, Subject, Told, Way};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Kind, Piece};

/// Whose custom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Custom {
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
pub fn write(position: &impl Board, mv: Move, custom: Custom) -> String {
    render(&Told::of(position, mv), custom)
}

fn render(told: &Told, custom: Custom) -> String {
    let man = match (custom, told.kind) {
        (Custom::Xqbase, kind) => kind.letter().to_ascii_uppercase(),
        (_, Kind::Horse) => 'H',
        (_, Kind::Elephant) => 'E',
        (_, kind) => kind.letter().to_ascii_uppercase(),
    };
    let way = match (told.way, custom) {
        (Way::Forward, _) => '+',
        (Way::Back, _) => '-',
        (Way::Sideways, Custom::Fairy) => '=',
        (Way::Sideways, _) => '.',
    };
    let file = told.file;
    let ends = if told.place.index == 0 { '+' } else { '-' };
    let name = match custom {
        _ if told.place.of < 2 => format!("{man}{file}"),
        Custom::Xqbase if told.kind == Kind::Soldier => xqbase_soldier(told),
        Custom::Federation if told.kind == Kind::Soldier => federation_soldier(told),
        Custom::Fairy if told.kind == Kind::Soldier && (told.place.of > 2 || told.files > 1) => {
            format!("{}{file}", told.place.index + 1)
        }
        Custom::Fairy if !told.twin => format!("{man}{file}"),
        _ if told.by_place() => format!("{man}{ends}"),
        _ => format!("{man}{file}"),
    };
    format!("{name}{way}{}", told.figure)
}

fn xqbase_soldier(told: &Told) -> String {
    let place = match (told.pool.of, told.pool.index) {
        (2 | 3, 0) => '+',
        (3, 1) => '.',
        (2 | 3, _) => '-',
        (_, index) => char::from(b'a' + index as u8),
    };
    format!("P{place}")
}

fn federation_soldier(told: &Told) -> String {
    let (place, file) = (told.place, told.file);
    if told.files > 1 {
        return match (place.of, place.index) {
            (_, 0) => format!("{file}+"),
            (3, 1) => format!("{file}{file}"),
            _ => format!("{file}-"),
        };
    }
    match (place.of, place.index) {
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
    let mut letters: Vec<u8> = text.trim().chars().map(ascii).collect::<Option<_>>()?;
    if let [man, file, figure] = letters[..]
        && is_man(man)
        && file.is_ascii_digit()
    {
        letters = vec![man, file, b'.', figure];
    }
    let &[first, second, way, figure] = &letters[..] else { return None };
    let (first, second) =
        if b"+-".contains(&first) && is_man(second) { (second, first) } else { (first, second) };
    let first = match first {
        b'N' => b'H',
        b'B' => b'E',
        other => other,
    };
    let named = match (first, second) {
        (man, b'1'..=b'9' | b'+' | b'-') if is_man(man) => true,
        (b'P', b'.' | b'=' | b'A'..=b'E') => true,
        (b'1'..=b'9', b'1'..=b'9' | b'+' | b'-') | (b'+', b'+') | (b'-', b'-') => true,
        _ => false,
    };
    let shaped = named && b"+-.=".contains(&way) && matches!(figure, b'1'..=b'9');
    shaped.then(|| [first, second, way, figure].map(char::from).iter().collect())
}

/// A character as an ASCII capital; full-width characters stand 0xFEE0 above their narrow twins.
fn ascii(character: char) -> Option<u8> {
    let narrow = match character {
        '！'..='～' => character as u32 - 0xFEE0,
        _ => character as u32,
    };
    u8::try_from(narrow).ok().filter(u8::is_ascii).map(|letter| letter.to_ascii_uppercase())
}

fn is_man(letter: u8) -> bool {
    b"KABENHRCP".contains(&letter)
}

/// The text as those write it who have but one sign for sideways.
fn one_sign(text: &str) -> String {
    text.replace('=', ".")
}

/// How well a normalised text fits a move.
pub(super) fn fit(told: &Told, text: &str) -> Option<Fit> {
    let written = |custom| normalise(&render(told, custom)).expect("what is written has the shape of a move");
    let folded = one_sign(text);
    if folded == one_sign(&written(Custom::Xqbase)) {
        return Some(Fit::Own);
    }
    let customs = [Custom::Federation, Custom::Fairy].map(written);
    if customs.iter().any(|custom| custom == text) {
        return Some(Fit::Custom);
    }
    let plain = render(&Told { place: ALONE, ..*told }, Custom::Federation);
    (folded == plain || customs.iter().any(|custom| folded == one_sign(custom))).then_some(Fit::Loose)
}

/// The place of a man that shares its file with none of its like.
const ALONE: super::told::Place = super::told::Place { index: 0, of: 1 };

/// Whom a normalised text speaks of.
pub(super) fn subject(text: &str) -> Subject {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    let kind = first.filter(char::is_ascii_alphabetic).and_then(Piece::from_letter).map(Piece::kind);
    let (kind, file) = match (kind, first, second) {
        (Some(kind), _, Some(file)) => (kind, file.to_digit(10)),
        // Soldiers without a letter: the federation puts the file first, Fairy-Stockfish second.
        (_, Some(file), Some('+' | '-')) => (Kind::Soldier, file.to_digit(10)),
        (_, _, file) => (Kind::Soldier, file.and_then(|file| file.to_digit(10))),
    };
    Subject { kind: Some(kind), file: file.map(|file| file as usize) }
}
