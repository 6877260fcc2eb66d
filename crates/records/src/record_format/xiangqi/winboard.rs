//! The algebraic notation of WinBoard and XBoard for xiangqi: `Che2`, `Rxc7+`, `g5`, `axa3`; ranks count from
//! 0.

use alfil_kernel::{MoveList, NotationError, Position as _};
use alfil_xiangqi::notation::IllegalReason;
use alfil_xiangqi::{Bitboard, Move, PieceKind};

/// A move as its text describes it.
#[derive(Clone, Copy)]
struct Pattern {
    kind: PieceKind,
    /// The file and the rank of the origin, if given.
    origin: (Option<usize>, Option<usize>),
    /// The file and the rank of the target.
    target: (usize, usize),
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let bytes = text.trim_end_matches(['+', '#', '!', '?']).as_bytes();
        let (kind, bytes) = match bytes {
            [letter, rest @ ..] if letter.is_ascii_uppercase() => (piece_kind_from_letter(*letter)?, rest),
            _ => (PieceKind::Soldier, bytes),
        };
        let [origin @ .., file @ b'a'..=b'i', rank @ b'0'..=b'9'] = bytes else { return None };
        let (file_number, rank_number) = (|file| usize::from(file - b'a'), |rank| usize::from(rank - b'0'));
        let target = (file_number(*file), rank_number(*rank));
        let origin = match *origin.strip_suffix(b"x").unwrap_or(origin) {
            [] => (None, None),
            [file @ b'a'..=b'i'] => (Some(file_number(file)), None),
            [rank @ b'0'..=b'9'] => (None, Some(rank_number(rank))),
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => (Some(file_number(file)), Some(rank_number(rank))),
            _ => return None,
        };
        Some(Pattern { kind, origin, target })
    }

    /// Returns the only legal move of the pattern; none if there is none, or more than one.
    fn only_match(&self, position: &Bitboard) -> Option<Move> {
        let (file, rank) = self.origin;
        let mut legal = MoveList::new();
        position.generate_legal(&mut legal);
        let mut found = legal.iter().copied().filter(|mv| {
            let (from, to) = (mv.origin(), mv.target());
            (to.file(), to.rank()) == self.target
                && position.piece_on(from).is_some_and(|piece| piece.kind() == self.kind)
                && file.is_none_or(|file| file == from.file())
                && rank.is_none_or(|rank| rank == from.rank())
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// Parses a move; returns `None` if the text names no legal move or more than one. A soldier whose origin is not named
/// moves straight ahead if it can, and sideways otherwise.
pub(super) fn parse_move(position: &Bitboard, text: &str) -> Option<Move> {
    let pattern = Pattern::parse(text)?;
    let ahead = match pattern {
        Pattern { kind: PieceKind::Soldier, origin: (None, None), target } => {
            Pattern { origin: (Some(target.0), None), ..pattern }.only_match(position)
        }
        _ => None,
    };
    ahead.or_else(|| pattern.only_match(position))
}

/// Returns the error of a text in this notation that names no legal move, instead of the error of another dialect; that
/// error if the text is not in this notation.
pub(super) fn describe(text: &str, other: NotationError<IllegalReason>) -> NotationError<IllegalReason> {
    if Pattern::parse(text).is_none() || !matches!(other, NotationError::Malformed { .. }) {
        return other;
    }
    NotationError::Malformed {
        text: text.to_owned(),
        dialect: "WinBoard's notation",
        expected: "a piece and the square of one legal move, such as Che2, Rxc7 or g5",
    }
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
