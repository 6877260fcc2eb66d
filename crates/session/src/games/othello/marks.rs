//! The tactical marks of Othello: stable discs, and the legal moves of both sides.

use alfil_kernel::Side;
use alfil_othello::{Board, Square};

use crate::tactical_marks::{MarkKind, TacticalMark};

/// One direction of each of the four lines through a square.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Returns all marks of a position.
pub(super) fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let mut marks = Vec::new();
    for side in Side::BOTH {
        marks.extend(
            stable_discs(position, side)
                .into_iter()
                .map(|at| TacticalMark::new(MarkKind::Stable, side, [at])),
        );
        let free = position.mobility(side).iter();
        marks.extend(free.map(|at| TacticalMark::new(MarkKind::Mobility, side, [at])));
    }
    marks
}

/// Returns discs that can never be flipped: along each of its lines, such a disc is protected by the border, by a full
/// line or by a stable neighbour of its own side. All returned discs are stable, but there may be more.
fn stable_discs<P: Board>(position: &P, side: Side) -> Vec<Square> {
    let empty = position.empty_squares();
    let is_full = |square: Square, (files, ranks): (isize, isize)| {
        let ray = |sign: isize| {
            std::iter::successors(Some(square), move |at| at.step(sign * files, sign * ranks))
                .all(|at| !empty.contains(at))
        };
        ray(1) && ray(-1)
    };
    let own: Vec<_> = position.discs(side).iter().collect();
    let mut stable: Vec<Square> = Vec::new();
    loop {
        let is_stable = |square: Square| {
            DIRECTIONS.iter().all(|&(files, ranks)| {
                let is_protected = |sign: isize| {
                    let neighbour = square.step(sign * files, sign * ranks);
                    neighbour.is_none_or(|at| stable.contains(&at))
                };
                is_full(square, (files, ranks)) || is_protected(1) || is_protected(-1)
            })
        };
        let new: Vec<_> = own.iter().copied().filter(|&at| !stable.contains(&at) && is_stable(at)).collect();
        if new.is_empty() {
            stable.sort_unstable();
            return stable;
        }
        stable.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use crate::tactical_marks::{MarkKind, marks_of};

    #[test]
    fn discs_connected_to_a_corner_are_stable() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(marks_of("othello", start, MarkKind::Stable), Vec::<String>::new());
        assert_eq!(marks_of("othello", start, MarkKind::Mobility).len(), 8);
        let corner = "XXX-----OO-----------------OX------XO--------------------------- X";
        assert_eq!(marks_of("othello", corner, MarkKind::Stable), ["a1", "b1", "c1"]);
    }
}
