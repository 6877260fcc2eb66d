//! What is easily overlooked in Othello: discs that can never turn, and where the other side could go.

use alfil_kernel::Side;
use alfil_othello::{Board, Square};

use super::{Kind, Sight};

/// The four lines through a square, by one of their two ways.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Everything to see of a position.
pub fn sights<P: Board>(position: &P) -> Vec<Sight> {
    let mut sights = Vec::new();
    for side in Side::BOTH {
        sights.extend(stable(position, side).into_iter().map(|at| Sight::new(Kind::Stable, side, [at])));
        let free = position.mobility(side).iter().filter_map(Square::from_index);
        sights.extend(free.map(|at| Sight::new(Kind::Free, side, [at])));
    }
    sights
}

/// Discs that nobody can turn: along each of its lines a disc is held by the border, by a full line, or by a neighbour of its
/// own side that is held itself. What is found is certain; there may be more.
fn stable<P: Board>(position: &P, side: Side) -> Vec<Square> {
    let empty = position.empty();
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
            LINES.iter().all(|&(files, ranks)| {
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
    use crate::sight::Kind;
    use alfil_kernel::Waivers;

    fn seen(text: &str, kind: Kind) -> Vec<String> {
        let mut desk = registry::open("othello", None).unwrap();
        desk.open(text, &Waivers::All).unwrap();
        let sights = desk.sights().into_iter().filter(|sight| sight.kind == kind);
        sights.map(|sight| sight.squares.join(" ")).collect()
    }

    #[test]
    fn a_corner_holds_its_edge() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(seen(start, Kind::Stable), Vec::<String>::new());
        assert_eq!(seen(start, Kind::Free).len(), 8);
        let corner = "XXX-----OO-----------------OX------XO--------------------------- X";
        assert_eq!(seen(corner, Kind::Stable), ["a1", "b1", "c1"]);
    }
}
