//! The numbers of the 0x88 board, and what their differences say.

use crate::square::Square;

/// The bits that no square of the board has: a step over any edge sets one of them.
pub(super) const OFF_BOARD_MASK: u8 = 0x88;

/// No square. It has a cell of its own, so that stores need no test; nothing is ever added to it, for 0x80 - 16 is a
/// square.
pub(super) const DUMMY: u8 = 0x80;

/// The 0x88 number of a square: the rank moves one bit up.
#[inline(always)]
pub(super) const fn to_x88(square: Square) -> u8 {
    let index = square.index() as u8;
    index + (index & 0x38)
}

/// The square of a 0x88 number.
#[inline(always)]
pub(super) const fn from_x88(number: u8) -> Square {
    Square::from_low_bits(((number & 7) | (number & 0x70) >> 1) as usize)
}

/// The next square of the board: 9 more, without the bit of value 8. From h8 that is 0x80, the end of the scan.
#[inline(always)]
pub(super) const fn next_number(number: u8) -> u8 {
    (number + 9) & !8
}

const KNIGHT_STEPS: [i16; 8] = [0x21, 0x12, -0x0E, -0x1F, -0x21, -0x12, 0x0E, 0x1F];
const ROOK_STEPS: [i16; 4] = [0x10, 0x01, -0x10, -0x01];
const BISHOP_STEPS: [i16; 4] = [0x11, -0x0F, -0x11, 0x0F];

/// The steps of each kind, by the low bits of a cell.
pub(super) const STEPS: [&[u8]; 7] = [
    &[],
    &[],
    &[0x21, 0x12, 0xF2, 0xE1, 0xDF, 0xEE, 0x0E, 0x1F],
    &[0x11, 0xF1, 0xEF, 0x0F],
    &[0x10, 0x01, 0xF0, 0xFF],
    &[0x10, 0x01, 0xF0, 0xFF, 0x11, 0xF1, 0xEF, 0x0F],
    &[0x10, 0x01, 0xF0, 0xFF, 0x11, 0xF1, 0xEF, 0x0F],
];

/// What each difference of two squares means, 0x77 added: the men (by the low four bits of their cells) that attack so
/// far in that direction on an empty board, and the unit step there, 0 for a knight's.
static DIFFERENCE_TABLES: ([u16; 256], [u8; 256]) = difference_tables();

const fn difference_tables() -> ([u16; 256], [u8; 256]) {
    let (mut men, mut steps) = ([0; 256], [0; 256]);
    let mut i = 0;
    while i < 8 {
        men[(KNIGHT_STEPS[i] + 0x77) as usize] |= 1 << 2 | 1 << 10;
        let (unit, sliders) = if i < 4 {
            (ROOK_STEPS[i], 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13)
        } else {
            (BISHOP_STEPS[i - 4], 1 << 3 | 1 << 5 | 1 << 11 | 1 << 13)
        };
        let mut distance = 1;
        while distance < 8 {
            let difference = (unit * distance + 0x77) as usize;
            men[difference] |= sliders;
            if distance == 1 {
                men[difference] |= 1 << 6 | 1 << 14;
            }
            steps[difference] = unit as u8;
            distance += 1;
        }
        i += 1;
    }
    men[0x77 + 0x11] |= 1 << 1;
    men[0x77 + 0x0F] |= 1 << 1;
    men[0x77 - 0x11] |= 1 << 9;
    men[0x77 - 0x0F] |= 1 << 9;
    (men, steps)
}

#[inline(always)]
fn difference_index(from: u8, to: u8) -> usize {
    usize::from(to.wrapping_sub(from).wrapping_add(0x77))
}

/// The men that attack `to` from `from` on an empty board, one bit for each value of a cell's low four bits.
#[inline(always)]
pub(super) fn attacker_codes(from: u8, to: u8) -> u16 {
    DIFFERENCE_TABLES.0[difference_index(from, to)]
}

/// The unit step from one square towards another on one line with it; 0 where they share none.
#[inline(always)]
pub(super) fn unit_step(from: u8, to: u8) -> u8 {
    DIFFERENCE_TABLES.1[difference_index(from, to)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_visits_every_square_once_and_ends_at_the_dummy() {
        let mut visited = Vec::new();
        let mut at = 0;
        while at != DUMMY {
            visited.push(at);
            at = next_number(at);
        }
        let expected: Vec<_> = (0..=0x77_u8).filter(|number| number & OFF_BOARD_MASK == 0).collect();
        assert_eq!((visited, expected.len()), (expected, 64));
        // With both bits cleared it wraps to a1 instead.
        assert_eq!((0x77_u8 + 9) & !OFF_BOARD_MASK, 0);
    }

    #[test]
    fn the_two_numberings_are_each_others_inverse() {
        for square in Square::all() {
            assert_eq!(to_x88(square), (square.rank() * 16 + square.file()) as u8);
            assert_eq!((to_x88(square) & OFF_BOARD_MASK, from_x88(to_x88(square))), (0, square));
        }
    }

    #[test]
    fn every_step_off_the_board_is_caught_and_no_other() {
        let pawns = [
            (0x0F, (-1, 1)),
            (0x11, (1, 1)),
            (0xF1, (1, -1)),
            (0xEF, (-1, -1)),
            (0x10, (0, 1)),
            (0xF0, (0, -1)),
        ];
        let knights = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let knights = STEPS[2].iter().copied().zip(knights);
        let kings = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
        let kings = STEPS[6].iter().copied().zip(kings);
        for (step, (files, ranks)) in pawns.into_iter().chain(knights).chain(kings) {
            for square in Square::all() {
                let to = to_x88(square).wrapping_add(step);
                let expected = square.step(files, ranks);
                assert_eq!(
                    (to & OFF_BOARD_MASK == 0).then(|| from_x88(to)),
                    expected,
                    "{square} by {step:#x}"
                );
            }
        }
    }

    #[test]
    fn a_difference_means_one_thing() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let (files, ranks) =
                    (b.file() as isize - a.file() as isize, b.rank() as isize - a.rank() as isize);
                let aligned = files == 0 || ranks == 0 || files.abs() == ranks.abs();
                let unit = (ranks.signum() * 16 + files.signum()) as u8;
                let (from, to) = (to_x88(a), to_x88(b));
                assert_eq!(unit_step(from, to), if aligned { unit } else { 0 }, "{a} {b}");
                let knight = files.abs() + ranks.abs() == 3 && files != 0 && ranks != 0;
                assert_eq!(attacker_codes(from, to) >> 2 & 1 != 0, knight, "{a} {b}");
                assert_eq!(attacker_codes(from, to) >> 5 & 1 != 0, aligned, "{a} {b}");
                assert_eq!(attacker_codes(from, to) >> 1 & 1 != 0, files.abs() == 1 && ranks == 1, "{a} {b}");
                assert_eq!(
                    attacker_codes(from, to) >> 9 & 1 != 0,
                    files.abs() == 1 && ranks == -1,
                    "{a} {b}"
                );
            }
        }
    }
}
