//! Moves as two squares, in three dialects.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;

use super::Dialect;
use crate::moves::Move;
use crate::square::Square;

/// Formats a move in coordinates; dialects without coordinates get those of UCCI.
pub(super) fn format_move(mv: Move, dialect: Dialect) -> String {
    let (origin, target) = (mv.origin(), mv.target());
    match dialect {
        Dialect::Uci10 => [origin, target].map(|at| format!("{}{}", file_letter(at), at.rank() + 1)).concat(),
        Dialect::Iccs => format!("{origin}-{target}").to_ascii_uppercase(),
        _ => mv.to_string(),
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file() as u8)
}

/// Parses a move, legal or not.
pub(super) fn parse_move(text: &str, dialect: Dialect) -> Option<Move> {
    // Coordinates are ASCII; other text could be cut inside a character below.
    let text = Some(text.trim()).filter(|text| text.is_ascii())?.to_ascii_lowercase();
    let (origin, rest) = parse_square(&text, dialect)?;
    let rest = if dialect == Dialect::Iccs { rest.strip_prefix('-')? } else { rest };
    let (target, rest) = parse_square(rest, dialect)?;
    (rest.is_empty() && origin != target).then(|| Move::new(origin, target))
}

fn parse_square(text: &str, dialect: Dialect) -> Option<(Square, &str)> {
    let file = text.bytes().next()?.checked_sub(b'a')?;
    let digits = &text[1..];
    let (rank, rest) = match dialect {
        Dialect::Uci10 if digits.starts_with("10") => (9, &digits[2..]),
        Dialect::Uci10 => (digits.chars().next()?.to_digit(10)?.checked_sub(1)?, &digits[1..]),
        _ => (digits.chars().next()?.to_digit(10)?, &digits[1..]),
    };
    Some((Square::from_coordinates(file as isize, rank as isize)?, rest))
}
