//! What people say of a move: which man, which way, how far. Chinese and WXF texts are made of the same facts.

use alfil_kernel::Side;

use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// Which way a man goes, seen from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Sideways,
}

/// A place in a row of men, counted from 0, and how long the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TandemIndex {
    pub(super) index: usize,
    pub(super) len: usize,
}

/// A move as people tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveParts {
    pub(super) side: Side,
    pub(super) kind: PieceKind,
    /// The file it leaves, 1 to 9 from the mover's right.
    pub(super) file: usize,
    /// Its place among its like on the file, from the front.
    pub(super) on_file: TandemIndex,
    /// Its place among its like on all files that hold two or more: from the right to the left, then from the front.
    pub(super) on_shared_files: TandemIndex,
    /// How many files hold two or more.
    pub(super) shared_files: usize,
    /// Whether it shares its file with exactly one of its like that could, by its kind, make the same step from there:
    /// only then is the plain name of the move ambiguous.
    pub(super) has_twin: bool,
    pub(super) direction: Direction,
    /// The points it goes, along a file; else the file it comes to.
    pub(super) figure: usize,
}

/// A file's number, 1 to 9 from that side's right.
fn file_of(square: Square, side: Side) -> usize {
    if side == Side::First { Square::FILES - square.file() } else { square.file() + 1 }
}

/// A rank's number, 0 to 9 from that side's back rank.
fn rank_of(square: Square, side: Side) -> usize {
    if side == Side::First { square.rank() } else { Square::RANKS - 1 - square.rank() }
}

impl MoveParts {
    /// The facts of a pseudo-legal move.
    ///
    /// # Panics
    /// If no man stands where the move begins.
    pub(super) fn from_move(position: &impl Board, mv: Move) -> MoveParts {
        let (origin, target) = (mv.origin(), mv.target());
        let piece = position.piece_on(origin).expect("a move has a mover");
        let (side, kind) = (piece.side(), piece.kind());
        let mut like: Vec<_> = position.pieces(piece).iter().filter_map(Square::from_index).collect();
        like.sort_unstable_by_key(|&at| (file_of(at, side), Square::RANKS - rank_of(at, side)));
        let on = |file: usize| like.iter().filter(|at| at.file() == file).count();
        let place_in = |row: &[Square]| TandemIndex {
            index: row.iter().position(|&at| at == origin).unwrap_or(0),
            len: row.len(),
        };
        let same_file: Vec<_> = like.iter().copied().filter(|at| at.file() == origin.file()).collect();
        let pool: Vec<_> = like.iter().copied().filter(|at| on(at.file()) > 1).collect();
        let (from, to) = (rank_of(origin, side), rank_of(target, side));
        let straight = origin.file() == target.file();
        MoveParts {
            side,
            kind,
            file: file_of(origin, side),
            on_file: place_in(&same_file),
            on_shared_files: place_in(&pool),
            shared_files: (0..Square::FILES).filter(|&file| on(file) > 1).count(),
            has_twin: has_twin(&same_file, kind, mv),
            direction: match to.cmp(&from) {
                core::cmp::Ordering::Greater => Direction::Forward,
                core::cmp::Ordering::Less => Direction::Back,
                core::cmp::Ordering::Equal => Direction::Sideways,
            },
            figure: if straight { to.abs_diff(from) } else { file_of(target, side) },
        }
    }

    /// Whether the man is told from its like by its place and not by its file alone. Of two advisors or elephants on a file
    /// only one can go forward and only one back, so they need no place, unless they stand where they never could.
    pub(super) fn is_named_by_position(&self) -> bool {
        match self.kind {
            PieceKind::Advisor | PieceKind::Elephant => self.has_twin,
            _ => self.on_file.len > 1,
        }
    }
}

/// Whether exactly one other man of the kind stands on the file and could step as far, other men aside.
fn has_twin(same_file: &[Square], kind: PieceKind, mv: Move) -> bool {
    let &[front, rear] = same_file else { return false };
    let other = if front == mv.origin() { rear } else { front };
    let files = mv.target().file() as isize - mv.origin().file() as isize;
    let ranks = mv.target().rank() as isize - mv.origin().rank() as isize;
    other.step(files, ranks).is_some_and(|to| match kind {
        PieceKind::Advisor => Side::BOTH.iter().any(|&side| to.is_in_palace(side)),
        PieceKind::Elephant => to.half() == other.half(),
        _ => true,
    })
}

/// How well a text fits a move, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// It is what we write.
    Canonical,
    /// It is what another custom writes.
    OtherStyle,
    /// It can be read so.
    Lenient,
}

/// Whom a text speaks of, as far as it says without a look at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceQuery {
    pub(super) kind: Option<PieceKind>,
    pub(super) file: Option<usize>,
}

impl PieceQuery {
    /// How many men of a side it can mean.
    pub(super) fn count_matches(self, position: &impl Board, side: Side) -> usize {
        let kinds = PieceKind::ALL.into_iter().filter(|&kind| self.kind.is_none_or(|said| said == kind));
        let men = kinds.flat_map(|kind| position.pieces(Piece::new(side, kind)).iter());
        let men = men.filter_map(Square::from_index);
        men.filter(|&at| self.file.is_none_or(|file| file == file_of(at, side))).count()
    }
}
