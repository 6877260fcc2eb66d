//! Distances and lines over dense points, written once for every board.

use alfil_kernel::Side;

use crate::board::Points;
use crate::piece::Kind;
use crate::square::Square;

/// The four directions along lines.
pub(crate) const LINES: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The four directions along diagonals.
pub(crate) const DIAGONALS: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

fn one(square: Option<Square>) -> Points {
    square.map_or(Points::EMPTY, |square| Points::of(square.index()))
}

/// The first and the second man from `square` along a direction.
fn first_two(square: Square, (files, ranks): (isize, isize), occupied: Points) -> [Option<Square>; 2] {
    let ray = core::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
    let mut men = ray.filter(|at| occupied.contains(at.index()));
    [men.next(), men.next()]
}

/// The men of a side that could go to `square` if an enemy stood there, or the enemy's general if `flying`; `of` gives
/// the side's men of a kind.
pub(crate) fn attackers(
    square: Square,
    by: Side,
    occupied: Points,
    flying: bool,
    of: impl Fn(Kind) -> Points,
) -> Points {
    let mut found = Points::EMPTY;
    for direction in LINES {
        let [first, second] = first_two(square, direction, occupied);
        found = found | (one(first) & of(Kind::Rook)) | (one(second) & of(Kind::Cannon));
        if flying && direction.0 == 0 {
            // The generals may not face each other, so each attacks the other along an empty file.
            found = found | (one(first) & of(Kind::King));
        }
        if square.in_palace(Side::First) || square.in_palace(Side::Second) {
            found = found | (one(square.step(direction.0, direction.1)) & of(Kind::King));
        }
    }
    for (files, ranks) in DIAGONALS {
        let near = square.step(files, ranks);
        if square.in_palace(Side::First) || square.in_palace(Side::Second) {
            found = found | (one(near) & of(Kind::Advisor));
        }
        let Some(block) = near.filter(|near| !occupied.contains(near.index())) else { continue };
        let elephant = square.step(2 * files, 2 * ranks).filter(|from| from.half() == square.half());
        found = found | (one(elephant) & of(Kind::Elephant));
        // The diagonal neighbour is the leg of two horses.
        found = found | ((one(block.step(files, 0)) | one(block.step(0, ranks))) & of(Kind::Horse));
    }
    let back = if by == Side::First { -1 } else { 1 };
    found = found | (one(square.step(0, back)) & of(Kind::Soldier));
    if square.half() != by {
        let beside = one(square.step(1, 0)) | one(square.step(-1, 0));
        found = found | (beside & of(Kind::Soldier));
    }
    found
}
