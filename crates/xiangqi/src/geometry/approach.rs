//! From where men come to a point.

use alfil_kernel::Bits;

use super::{EYES, at, bit, unblocked};
use crate::board::Points;
use crate::square::Square;

/// From where horses reach a point, by its diagonal neighbours that are occupied: each is the leg of two horses.
pub static HORSE_FROM: [[Points; 16]; Square::COUNT] = {
    let mut table = [[Bits(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (mut over, mut i) = ([0; 4], 0);
        while i < 4 {
            let (dx, dy) = EYES[i];
            if let Some(leg) = at(index).step(dx, dy) {
                over[i] = bit(leg.step(dx, 0)) | bit(leg.step(0, dy));
            }
            i += 1;
        }
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = Bits(unblocked(over, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{HORSE, Lines};
    use alfil_kernel::keys::SplitMix64;

    #[test]
    fn horses_come_from_where_they_go() {
        let mut random = SplitMix64::new(21);
        for _ in 0..200 {
            let men = Points::from_squares((0..Square::COUNT).filter(|_| random.below(3) == 0));
            let lines = Lines::of(men);
            for target in Square::all() {
                let from = HORSE_FROM[target.index()][lines.eyes(target)];
                let goes =
                    |origin: &Square| HORSE[origin.index()][lines.legs(*origin)].contains(target.index());
                let expected = Points::from_squares(Square::all().filter(goes).map(Square::index));
                assert_eq!(from, expected, "{target}");
            }
        }
    }
}
