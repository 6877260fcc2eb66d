//! Moves of chess as people write and programs typeset them, where algebraic notation has another form.

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Move, MoveNotation};
use alfil_kernel::Notation as _;

/// Parses a move with figurines, typographic dashes and crosses, a piece letter in lower case, `ep` at its end, or
/// without the file of a pawn that captures (`xd5`) or the rank of its target (`exd`, `ed`). Returns none if the text
/// names no legal move so, or more than one.
pub(super) fn parse_move(position: &Bitboard, text: &str) -> Option<Move> {
    let typed: String = text.chars().filter_map(to_typed).collect();
    let typed = typed.trim_end_matches(['+', '#', '!', '?']);
    let typed =
        ["/e.p.", "e.p.", "e.p", "ep"].iter().find_map(|suffix| typed.strip_suffix(suffix)).unwrap_or(typed);
    let san = |text: &str| MoveNotation::parse_move(position, text, Dialect::San).ok();
    let only = |moves: &mut dyn Iterator<Item = String>| {
        let mut found = moves.filter_map(|text| san(&text));
        found.next().filter(|_| found.next().is_none())
    };
    san(typed).or_else(|| match *typed.as_bytes() {
        [piece @ (b'k' | b'q' | b'r' | b'b' | b'n'), _, _, ..] => {
            san(&format!("{}{}", char::from(piece.to_ascii_uppercase()), &typed[1..]))
        }
        [b'x', b'a'..=b'h', b'1'..=b'8', ..] => only(&mut ('a'..='h').map(|file| format!("{file}{typed}"))),
        [from @ b'a'..=b'h', to @ b'a'..=b'h'] | [from @ b'a'..=b'h', b'x' | b':', to @ b'a'..=b'h'] => {
            only(&mut (1..=8).map(|rank| format!("{}x{}{rank}", char::from(from), char::from(to))))
        }
        _ => None,
    })
}

/// Returns the character of a keyboard for a figurine or a typographic sign; none for a pawn and for signs of no width.
fn to_typed(character: char) -> Option<char> {
    Some(match character {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '‐' | '‑' | '–' | '—' | '−' => '-',
        '×' => 'x',
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => return None,
        _ => character,
    })
}
