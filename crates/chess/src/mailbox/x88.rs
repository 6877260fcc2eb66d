//! 0x88 square numbers and look-up tables by their differences.

use crate::square::Square;

/// The bits that are clear in every square number. A step over an edge of the board sets one of them.
pub(super) const OFF_BOARD_MASK: u8 = 0x88;

/// The dummy square, which means "no square". It has a cell of its own, so that stores need no test. No step may be
/// added to it, because the result may be a square.
pub(super) const DUMMY: u8 = 0x80;

/// Converts a square to its 0x88 number by shifting the rank up one bit.
#[inline(always)]
pub(super) const fn to_x88(square: Square) -> u8 {
    let index = square.index() as u8;
    index + (index & 0x38)
}

/// Converts a 0x88 number to its square.
#[inline(always)]
pub(super) const fn from_x88(number: u8) -> Square {
    Square::from_low_bits(((number & 7) | (number & 0x70) >> 1) as usize)
}

/// Returns the next number in a scan of the board: adding 9 and clearing bit 3 skips the unused numbers. After h8
/// follows [`DUMMY`].
#[inline(always)]
pub(super) const fn next_number(number: u8) -> u8 {
    (number + 9) & !8
}

const KNIGHT_STEPS: [i16; 8] = [0x21, 0x12, -0x0E, -0x1F, -0x21, -0x12, 0x0E, 0x1F];
const ROOK_STEPS: [i16; 4] = [0x10, 0x01, -0x10, -0x01];
const BISHOP_STEPS: [i16; 4] = [0x11, -0x0F, -0x11, 0x0F];

/// The steps of each kind, by piece code.
pub(super) const STEPS: [&[u8]; 7] = [
    &[],
    &[],
    &[0x21, 0x12, 0xF2, 0xE1, 0xDF, 0xEE, 0x0E, 0x1F],
    &[0x11, 0xF1, 0xEF, 0x0F],
    &[0x10, 0x01, 0xF0, 0xFF],
    &[0x10, 0x01, 0xF0, 0xFF, 0x11, 0xF1, 0xEF, 0x0F],
    &[0x10, 0x01, 0xF0, 0xFF, 0x11, 0xF1, 0xEF, 0x0F],
];

/// Two tables by the difference of two squares plus 0x77: the set of piece codes that attack from the first square to
/// the second one on an empty board, and the unit step of the line through both, 0 if there is none.
static DIFFERENCE_TABLES: ([u16; 256], [u8; 256]) = difference_tables();

const fn difference_tables() -> ([u16; 256], [u8; 256]) {
    let (mut codes, mut steps) = ([0; 256], [0; 256]);
    let mut i = 0;
    while i < 8 {
        codes[(KNIGHT_STEPS[i] + 0x77) as usize] |= 1 << 2 | 1 << 10;
        let (unit, sliders) = if i < 4 {
            (ROOK_STEPS[i], 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13)
        } else {
            (BISHOP_STEPS[i - 4], 1 << 3 | 1 << 5 | 1 << 11 | 1 << 13)
        };
        let mut distance = 1;
        while distance < 8 {
            let difference = (unit * distance + 0x77) as usize;
            codes[difference] |= sliders;
            if distance == 1 {
                codes[difference] |= 1 << 6 | 1 << 14;
            }
            steps[difference] = unit as u8;
            distance += 1;
        }
        i += 1;
    }
    codes[0x77 + 0x11] |= 1 << 1;
    codes[0x77 + 0x0F] |= 1 << 1;
    codes[0x77 - 0x11] |= 1 << 9;
    codes[0x77 - 0x0F] |= 1 << 9;
    (codes, steps)
}

#[inline(always)]
fn difference_index(from: u8, to: u8) -> usize {
    usize::from(to.wrapping_sub(from).wrapping_add(0x77))
}

/// Returns the set of piece codes that attack `to` from `from` on an empty board, one bit for each code.
#[inline(always)]
pub(super) fn attacker_codes(from: u8, to: u8) -> u16 {
    DIFFERENCE_TABLES.0[difference_index(from, to)]
}

/// Returns the unit step from one square towards another on the same line; 0 if they share no line.
#[inline(always)]
pub(super) fn unit_step(from: u8, to: u8) -> u8 {
    DIFFERENCE_TABLES.1[difference_index(from, to)]
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_scan_visits_every_square_once_and_ends_at_the_dummy_square() {
        let mut visited = Vec::new();
        let mut at = 0;
        while at != DUMMY {
            visited.push(at);
            at = next_number(at);
        }
        let expected: Vec<_> = (0..=0x77_u8).filter(|number| number & OFF_BOARD_MASK == 0).collect();
        assert_eq!((visited, expected.len()), (expected, 64));
        // If both bits were cleared, the scan would wrap around to a1.
        assert_eq!((0x77_u8 + 9) & !OFF_BOARD_MASK, 0);
    }

    #[test]
    fn conversions_between_numberings_are_inverse() {
        for square in Square::all() {
            assert_eq!(to_x88(square), (square.rank() * 16 + square.file()) as u8);
            assert_eq!((to_x88(square) & OFF_BOARD_MASK, from_x88(to_x88(square))), (0, square));
        }
    }

    #[test]
    fn the_mask_detects_exactly_the_steps_off_the_board() {
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
    fn difference_tables_match_coordinates() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let (files, ranks) =
                    (b.file() as isize - a.file() as isize, b.rank() as isize - a.rank() as isize);
                let is_aligned = files == 0 || ranks == 0 || files.abs() == ranks.abs();
                let expected_step = (ranks.signum() * 16 + files.signum()) as u8;
                let (from, to) = (to_x88(a), to_x88(b));
                assert_eq!(unit_step(from, to), if is_aligned { expected_step } else { 0 }, "{a} {b}");
                let is_knight_jump = files.abs() + ranks.abs() == 3 && files != 0 && ranks != 0;
                assert_eq!(attacker_codes(from, to) >> 2 & 1 != 0, is_knight_jump, "{a} {b}");
                assert_eq!(attacker_codes(from, to) >> 5 & 1 != 0, is_aligned, "{a} {b}");
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
