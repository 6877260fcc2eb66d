//! The algebraic notation of WinBoard and XBoard for xiangqi: `Che2`, `Rxc7+`, `g5`, `axa3`; ranks count from
//! 0.

use alfil_kernel::{MoveList, Position as _};
use alfil_xiangqi::{Bitboard, Move, PieceKind};

/// Parses a move; returns `None` if the text names no legal move or more than one.
pub(super) fn parse_move(position: &Bitboard, text: &str) -> Option<Move> {
    let bytes = text.trim_end_matches(['+', '#', '!', '?']).as_bytes();
    let (kind, bytes) = match bytes {
        [letter, rest @ ..] if letter.is_ascii_uppercase() => (piece_kind_from_letter(*letter)?, rest),
        _ => (PieceKind::Soldier, bytes),
    };
    let [origin @ .., file @ b'a'..=b'i', rank @ b'0'..=b'9'] = bytes else { return None };
    let target = (usize::from(file - b'a'), usize::from(rank - b'0'));
    let origin = origin.strip_suffix(b"x").unwrap_or(origin);
    let (file, rank) = match *origin {
        // A soldier move without an origin file is straight ahead.
        [] if kind == PieceKind::Soldier => (Some(target.0), None),
        [] => (None, None),
        [file @ b'a'..=b'i'] => (Some(usize::from(file - b'a')), None),
        [rank @ b'0'..=b'9'] => (None, Some(usize::from(rank - b'0'))),
        [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
            (Some(usize::from(file - b'a')), Some(usize::from(rank - b'0')))
        }
        _ => return None,
    };
    let mut legal = MoveList::new();
    position.generate_legal(&mut legal);
    let mut found = legal.iter().copied().filter(|mv| {
        let (from, to) = (mv.origin(), mv.target());
        (to.file(), to.rank()) == target
            && position.piece_on(from).is_some_and(|piece| piece.kind() == kind)
            && file.is_none_or(|file| file == from.file())
            && rank.is_none_or(|rank| rank == from.rank())
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn piece_kind_from_letter(letter: u8) -> Option<PieceKind> {
    Some(match letter {
        b'K' => PieceKind::King,
        b'A' => PieceKind::Advisor,
        b'E' | b'B' => PieceKind::Elephant,
        b'H' | b'N' => PieceKind::Horse,
        b'R' => PieceKind::Rook,
        b'C' => PieceKind::Cannon,
        b'P' => PieceKind::Soldier,
        _ => return None,
    })
}
