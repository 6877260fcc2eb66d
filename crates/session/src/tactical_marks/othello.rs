//! What is easily overlooked in Othello: discs that can never turn, and where the other side could go.

use alfil_kernel::Side;
use alfil_othello::{Board, Square};

use super::{MarkKind, TacticalMark};

/// The four lines through a square, by one of their two ways.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Everything to see of a position.
pub fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let mut sights = Vec::new();
    for side in Side::BOTH {
        sights.extend(
            stable_discs(position, side)
                .into_iter()
                .map(|at| TacticalMark::new(MarkKind::Stable, side, [at])),
        );
        let free = position.mobility(side).iter().filter_map(Square::from_index);
        sights.extend(free.map(|at| TacticalMark::new(MarkKind::Mobility, side, [at])));
    }
    sights
}

/// Discs that nobody can turn: along each of its lines a disc is held by the border, by a full line, or by a neighbour of its
/// own side that is held itself. What is found is certain; there may be more.
fn stable_discs<P: Board>(position: &P, side: Side) -> Vec<Square> {
    let empty = position.empty_squares();
    let full = |square: Square, (files, ranks): (isize, isize)| {
        let ray = |sign: isize| {
            std::iter::successors(Some(square), move |at| at.step(sign * files, sign * ranks))
                .all(|at| !empty.contains(at.index()))
        };
        ray(1) && ray(-1)
    };
    let own: Vec<_> = position.discs(side).iter().filter_map(Square::from_index).collect();
    let mut stable: Vec<Square> = Vec::new();
    loop {
        let held = |square: Square| {
            DIRECTIONS.iter().all(|&(files, ranks)| {
                let firm = |sign: isize| {
                    let beside = square.step(sign * files, sign * ranks);
                    beside.is_none_or(|at| stable.contains(&at))
                };
                full(square, (files, ranks)) || firm(1) || firm(-1)
            })
        };
        let new: Vec<_> = own.iter().copied().filter(|&at| !stable.contains(&at) && held(at)).collect();
        if new.is_empty() {
            stable.sort_unstable();
            return stable;
        }
        stable.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use crate::tactical_marks::MarkKind;
    use alfil_kernel::Waivers;

    fn marks_of(text: &str, kind: MarkKind) -> Vec<String> {
        let mut desk = registry::open("othello", None).unwrap();
        desk.open(text, &Waivers::All).unwrap();
        let sights = desk.tactical_marks().into_iter().filter(|sight| sight.kind == kind);
        sights.map(|sight| sight.squares.join(" ")).collect()
    }

    #[test]
    fn a_corner_holds_its_edge() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(marks_of(start, MarkKind::Stable), Vec::<String>::new());
        assert_eq!(marks_of(start, MarkKind::Mobility).len(), 8);
        let corner = "XXX-----OO-----------------OX------XO--------------------------- X";
        assert_eq!(marks_of(corner, MarkKind::Stable), ["a1", "b1", "c1"]);
    }
}
