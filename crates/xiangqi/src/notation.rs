//! Moves in words: three coordinate dialects.
//!
//! `h2e2` means one move where ranks run from 0 and another where they run from 1, so a dialect is always named.

use alfil_kernel::{Notation, Side};

use crate::board::Board;
use crate::moves::Move;
use crate::square::Square;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `h2e2`: ranks 0 to 9, as UCCI engines and Pikafish write.
    Ucci,
    /// `h3e3`: ranks 1 to 10, as Fairy-Stockfish's plain UCI writes.
    Uci10,
    /// `H2-E2`: ranks 0 to 9, as the Internet Chinese Chess Server wrote.
    Iccs,
}

impl alfil_kernel::Dialect for Dialect {
    const ALL: &'static [Self] = &[Dialect::Ucci, Dialect::Uci10, Dialect::Iccs];

    fn name(self) -> &'static str {
        match self {
            Dialect::Ucci => "ucci",
            Dialect::Uci10 => "uci10",
            Dialect::Iccs => "iccs",
        }
    }

    fn shape(self) -> &'static str {
        match self {
            Dialect::Ucci => "two points, files a to i and ranks 0 to 9, such as h2e2",
            Dialect::Uci10 => "two points, files a to i and ranks 1 to 10, such as h3e3",
            Dialect::Iccs => "two points, files A to I and ranks 0 to 9, parted by a hyphen, such as H2-E2",
        }
    }
}

/// How xiangqi is written.
#[derive(Clone, Copy, Debug)]
pub enum Words {}

impl<P: Board> Notation<P> for Words {
    type Dialect = Dialect;

    fn write(_: &P, mv: Move, dialect: Dialect) -> String {
        coordinates(mv, dialect)
    }

    fn normalise(text: &str, dialect: Dialect) -> Option<String> {
        parse(text, dialect).map(|mv| coordinates(mv, dialect))
    }

    fn explain(position: &P, text: &str, dialect: Dialect) -> String {
        match parse(text, dialect) {
            Some(mv) => why_not(position, mv),
            None => format!("it is not {}", alfil_kernel::Dialect::shape(dialect)),
        }
    }
}

/// The move in coordinates.
fn coordinates(mv: Move, dialect: Dialect) -> String {
    let (origin, target) = (mv.origin(), mv.target());
    match dialect {
        Dialect::Ucci => mv.to_string(),
        Dialect::Uci10 => [origin, target].map(|at| format!("{}{}", file_letter(at), at.rank() + 1)).concat(),
        Dialect::Iccs => format!("{origin}-{target}").to_ascii_uppercase(),
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file() as u8)
}

/// The move that a text names, legal or not.
fn parse(text: &str, dialect: Dialect) -> Option<Move> {
    // Coordinates are ASCII; what is not could be cut in the middle of a character below.
    let text = Some(text.trim()).filter(|text| text.is_ascii())?.to_ascii_lowercase();
    let (origin, rest) = parse_point(&text, dialect)?;
    let rest = if dialect == Dialect::Iccs { rest.strip_prefix('-')? } else { rest };
    let (target, rest) = parse_point(rest, dialect)?;
    (rest.is_empty() && origin != target).then(|| Move::new(origin, target))
}

fn parse_point(text: &str, dialect: Dialect) -> Option<(Square, &str)> {
    let file = text.bytes().next()?.checked_sub(b'a')?;
    let digits = &text[1..];
    let (rank, rest) = match dialect {
        Dialect::Uci10 if digits.starts_with("10") => (9, &digits[2..]),
        Dialect::Uci10 => (digits.chars().next()?.to_digit(10)?.checked_sub(1)?, &digits[1..]),
        Dialect::Ucci | Dialect::Iccs => (digits.chars().next()?.to_digit(10)?, &digits[1..]),
    };
    Some((Square::on_board(file as isize, rank as isize)?, rest))
}

/// Why a move between two points is not legal here, in a sentence.
fn why_not(position: &impl Board, mv: Move) -> String {
    let name = |side| if side == Side::First { "Red" } else { "Black" };
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side());
    let Some(piece) = position.piece_on(origin) else {
        return format!("no man stands on {origin}");
    };
    if piece.side() != mover {
        return format!("the {piece} on {origin} is not {}'s to move", name(mover));
    }
    if position.piece_on(target).is_some_and(|man| man.side() == mover) {
        return format!("{} itself stands on {target}", name(mover));
    }
    if !position.is_pseudo_legal(mv) {
        return format!("the {piece} on {origin} cannot go to {target}");
    }
    if position.in_check() {
        return format!("it leaves {}'s general in check", name(mover));
    }
    format!("it exposes {}'s general", name(mover))
}
