//! The parts of a move in Chinese and WXF notation: which piece, which direction, how far.

use alloc::vec::Vec;

use alfil_kernel::Side;
use alfil_kernel::short_sort::sort_short;

use crate::board::Board;
use crate::geometry::is_in_any_palace;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// The direction of a move from its own side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Sideways,
}

/// The index of a piece in a tandem, a row of equal pieces, and the length of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TandemIndex {
    pub(super) index: usize,
    pub(super) len: usize,
}

/// The parts of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveParts {
    pub(super) side: Side,
    pub(super) kind: PieceKind,
    /// The file of the origin, 1 to 9 from the mover's right.
    pub(super) file: usize,
    /// The index among equal pieces on the file, from the front.
    pub(super) on_file: TandemIndex,
    /// The index among equal pieces on all files that hold two or more: from the right to the left, then from the
    /// front.
    pub(super) on_shared_files: TandemIndex,
    /// The number of files that hold two or more equal pieces.
    pub(super) shared_files: usize,
    /// Whether exactly one other equal piece is on the file and could make the same step by its kind: only then is the
    /// plain name of the move ambiguous.
    pub(super) has_twin: bool,
    pub(super) direction: Direction,
    /// The number of squares moved along a file; otherwise the file of the target.
    pub(super) figure: usize,
}

/// Returns a file's number, 1 to 9 from that side's right.
fn file_of(square: Square, side: Side) -> usize {
    if side == Side::First { Square::FILES - square.file() } else { square.file() + 1 }
}

/// Returns a rank's number, 0 to 9 from that side's back rank.
fn rank_of(square: Square, side: Side) -> usize {
    if side == Side::First { square.rank() } else { Square::RANKS - 1 - square.rank() }
}

impl MoveParts {
    /// Returns the parts of a pseudo-legal move.
    ///
    /// # Panics
    /// If the origin is empty.
    pub(super) fn from_move(position: &impl Board, mv: Move) -> MoveParts {
        let (origin, target) = (mv.origin(), mv.target());
        let piece = position.piece_on(origin).expect("the origin of a move holds a piece");
        let (side, kind) = (piece.side(), piece.kind());
        let mut equal_pieces: Vec<_> = position.pieces(piece).iter().collect();
        let order = |&at: &Square| (file_of(at, side), Square::RANKS - rank_of(at, side));
        sort_short(&mut equal_pieces, |a, b| order(a) < order(b));
        let count_on = |file: usize| equal_pieces.iter().filter(|at| at.file() == file).count();
        let tandem_index = |tandem: &[Square]| TandemIndex {
            index: tandem.iter().position(|&at| at == origin).unwrap_or(0),
            len: tandem.len(),
        };
        let same_file: Vec<_> =
            equal_pieces.iter().copied().filter(|at| at.file() == origin.file()).collect();
        let on_shared_files: Vec<_> =
            equal_pieces.iter().copied().filter(|at| count_on(at.file()) > 1).collect();
        let (from, to) = (rank_of(origin, side), rank_of(target, side));
        let is_along_file = origin.file() == target.file();
        MoveParts {
            side,
            kind,
            file: file_of(origin, side),
            on_file: tandem_index(&same_file),
            on_shared_files: tandem_index(&on_shared_files),
            shared_files: (0..Square::FILES).filter(|&file| count_on(file) > 1).count(),
            has_twin: has_twin(&same_file, kind, mv),
            direction: match to.cmp(&from) {
                core::cmp::Ordering::Greater => Direction::Forward,
                core::cmp::Ordering::Less => Direction::Back,
                core::cmp::Ordering::Equal => Direction::Sideways,
            },
            figure: if is_along_file { to.abs_diff(from) } else { file_of(target, side) },
        }
    }

    /// Returns whether the piece is named by its position in the tandem and not by its file alone. Of two advisors or
    /// elephants on a file only one can move forward and only one back, so the file is enough, unless they are on
    /// squares that they can never reach.
    pub(super) fn is_named_by_position(&self) -> bool {
        match self.kind {
            PieceKind::Advisor | PieceKind::Elephant => self.has_twin,
            _ => self.on_file.len > 1,
        }
    }
}

/// Returns whether exactly one other equal piece is on the file and could make the same step, other pieces aside.
fn has_twin(same_file: &[Square], kind: PieceKind, mv: Move) -> bool {
    let &[front, rear] = same_file else { return false };
    let other = if front == mv.origin() { rear } else { front };
    let files = mv.target().file() as isize - mv.origin().file() as isize;
    let ranks = mv.target().rank() as isize - mv.origin().rank() as isize;
    other.step(files, ranks).is_some_and(|to| match kind {
        PieceKind::Advisor => is_in_any_palace(to),
        PieceKind::Elephant => to.half() == other.half(),
        _ => true,
    })
}

/// How well a text fits a move, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// The text is our own spelling.
    Canonical,
    /// The text is the spelling of another style.
    OtherStyle,
    /// The text is a lenient reading.
    Lenient,
}

/// The pieces that a text can mean, as far as it says without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceQuery {
    pub(super) kind: Option<PieceKind>,
    pub(super) file: Option<usize>,
}

impl PieceQuery {
    /// Returns how many pieces of a side the text can mean.
    pub(super) fn count_matches(self, position: &impl Board, side: Side) -> usize {
        let kinds = PieceKind::ALL.into_iter().filter(|&kind| self.kind.is_none_or(|wanted| wanted == kind));
        let pieces = kinds.flat_map(|kind| position.pieces(Piece::new(side, kind)).iter());
        pieces.filter(|&at| self.file.is_none_or(|file| file == file_of(at, side))).count()
    }
}
