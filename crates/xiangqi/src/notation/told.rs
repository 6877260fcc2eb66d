//! What people say of a move: which man, which way, how far. Chinese and WXF texts are made of the same facts.

use alfil_kernel::Side;

use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// Which way a man goes, seen from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Back,
    Sideways,
}

/// A place in a row of men, counted from 0, and how long the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) index: usize,
    pub(super) of: usize,
}

/// A move as people tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) side: Side,
    pub(super) kind: Kind,
    /// The file it leaves, 1 to 9 from the mover's right.
    pub(super) file: usize,
    /// Its place among its like on the file, from the front.
    pub(super) place: Place,
    /// Its place among its like on all files that hold two or more: from the right to the left, then from the front.
    pub(super) pool: Place,
    /// How many files hold two or more.
    pub(super) files: usize,
    /// Whether it shares its file with exactly one of its like that could, by its kind, make the same step from there:
    /// only then is the plain name of the move ambiguous.
    pub(super) twin: bool,
    pub(super) way: Way,
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

impl Told {
    /// The facts of a pseudo-legal move.
    ///
    /// # Panics
    /// If no man stands where the move begins.
    pub(super) fn of(position: &impl Board, mv: Move) -> Told {
        let (origin, target) = (mv.origin(), mv.target());
        let piece = position.piece_on(origin).expect("a move has a mover");
        let (side, kind) = (piece.side(), piece.kind());
        let mut like: Vec<_> = position.pieces(piece).iter().filter_map(Square::from_index).collect();
        like.sort_unstable_by_key(|&at| (file_of(at, side), Square::RANKS - rank_of(at, side)));
        let on = |file: usize| like.iter().filter(|at| at.file() == file).count();
        let place_in = |row: &[Square]| Place {
            index: row.iter().position(|&at| at == origin).unwrap_or(0),
            of: row.len(),
        };
        let same_file: Vec<_> = like.iter().copied().filter(|at| at.file() == origin.file()).collect();
        let pool: Vec<_> = like.iter().copied().filter(|at| on(at.file()) > 1).collect();
        let (from, to) = (rank_of(origin, side), rank_of(target, side));
        let straight = origin.file() == target.file();
        Told {
            side,
            kind,
            file: file_of(origin, side),
            place: place_in(&same_file),
            pool: place_in(&pool),
            files: (0..Square::FILES).filter(|&file| on(file) > 1).count(),
            twin: has_twin(&same_file, kind, mv),
            way: match to.cmp(&from) {
                core::cmp::Ordering::Greater => Way::Forward,
                core::cmp::Ordering::Less => Way::Back,
                core::cmp::Ordering::Equal => Way::Sideways,
            },
            figure: if straight { to.abs_diff(from) } else { file_of(target, side) },
        }
    }

    /// Whether the man is told from its like by its place and not by its file alone. Of two advisors or elephants on a file
    /// only one can go forward and only one back, so they need no place, unless they stand where they never could.
    pub(super) fn by_place(&self) -> bool {
        match self.kind {
            Kind::Advisor | Kind::Elephant => self.twin,
            _ => self.place.of > 1,
        }
    }
}

/// Whether exactly one other man of the kind stands on the file and could step as far, other men aside.
fn has_twin(same_file: &[Square], kind: Kind, mv: Move) -> bool {
    let &[front, rear] = same_file else { return false };
    let other = if front == mv.origin() { rear } else { front };
    let files = mv.target().file() as isize - mv.origin().file() as isize;
    let ranks = mv.target().rank() as isize - mv.origin().rank() as isize;
    other.step(files, ranks).is_some_and(|to| match kind {
        Kind::Advisor => Side::BOTH.iter().any(|&side| to.in_palace(side)),
        Kind::Elephant => to.half() == other.half(),
        _ => true,
    })
}

/// How well a text fits a move, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It is what we write.
    Own,
    /// It is what another custom writes.
    Custom,
    /// It can be read so.
    Loose,
}

/// Whom a text speaks of, as far as it says without a look at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) kind: Option<Kind>,
    pub(super) file: Option<usize>,
}

impl Subject {
    /// How many men of a side it can mean.
    pub(super) fn men(self, position: &impl Board, side: Side) -> usize {
        let kinds = Kind::ALL.into_iter().filter(|&kind| self.kind.is_none_or(|said| said == kind));
        let men = kinds.flat_map(|kind| position.pieces(Piece::new(side, kind)).iter());
        let men = men.filter_map(Square::from_index);
        men.filter(|&at| self.file.is_none_or(|file| file == file_of(at, side))).count()
    }
}
