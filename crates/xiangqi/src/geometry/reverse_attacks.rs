//! From where men come to a point.

use alfil_kernel::BitSet;

use super::{EYES, square_at, square_bit, unblocked_targets};
use crate::board::SquareSet;
use crate::square::Square;

/// From where horses reach a point, by its diagonal neighbours that are occupied: each is the leg of two horses.
pub static HORSE_ORIGINS: [[SquareSet; 16]; Square::COUNT] = {
    let mut table = [[BitSet(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (mut over, mut i) = ([0; 4], 0);
        while i < 4 {
            let (dx, dy) = EYES[i];
            if let Some(leg) = square_at(index).step(dx, dy) {
                over[i] = square_bit(leg.step(dx, 0)) | square_bit(leg.step(0, dy));
            }
            i += 1;
        }
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = BitSet(unblocked_targets(over, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{HORSE_TARGETS, LineOccupancy};
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn horses_come_from_where_they_go() {
        let mut random = SplitMix64::new(21);
        for _ in 0..200 {
            let men = SquareSet::from_squares((0..Square::COUNT).filter(|_| random.below(3) == 0));
            let lines = LineOccupancy::from_set(men);
            for target in Square::all() {
                let from = HORSE_ORIGINS[target.index()][lines.eye_index(target)];
                let goes = |origin: &Square| {
                    HORSE_TARGETS[origin.index()][lines.leg_index(*origin)].contains(target.index())
                };
                let expected = SquareSet::from_squares(Square::all().filter(goes).map(Square::index));
                assert_eq!(from, expected, "{target}");
            }
        }
    }
}
