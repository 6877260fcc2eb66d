//! Tables of the squares from which a horse or a soldier attacks a square.

use super::{EYES, soldier_steps, square_bit, unblocked_targets};
use crate::square::{Square, SquareSet, square_at};

/// The squares from which a horse reaches a square, by the occupied diagonal neighbours of that square: each is the leg
/// of two horses.
pub static HORSE_ORIGINS: [[SquareSet; 16]; Square::COUNT] = {
    let mut table = [[SquareSet::new(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (mut origins, mut i) = ([0; 4], 0);
        while i < 4 {
            let (dx, dy) = EYES[i];
            if let Some(leg) = square_at(index).step(dx, dy) {
                origins[i] = square_bit(leg.step(dx, 0)) | square_bit(leg.step(0, dy));
            }
            i += 1;
        }
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = SquareSet::new(unblocked_targets(origins, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
};

/// The squares from which a side's soldier attacks a square: from behind, and sideways if the square is across the
/// river.
pub static SOLDIER_ORIGINS: [[SquareSet; Square::COUNT]; 2] = soldier_steps([-1, 1]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{HORSE_TARGETS, LineOccupancy};
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn horse_origins_are_the_inverse_of_horse_targets() {
        let mut random = SplitMix64::new(21);
        for _ in 0..200 {
            let occupied = SquareSet::from_squares(Square::all().filter(|_| random.below(3) == 0));
            let lines = LineOccupancy::from_set(occupied);
            for target in Square::all() {
                let found = HORSE_ORIGINS[target.index()][lines.eye_index(target)];
                let can_reach = |origin: &Square| {
                    HORSE_TARGETS[origin.index()][lines.leg_index(*origin)].contains(target)
                };
                let expected = SquareSet::from_squares(Square::all().filter(can_reach));
                assert_eq!(found, expected, "{target}");
            }
        }
    }
}
