//! Kindergarten bitboards (Gerd Isenberg): slider attacks line by line, with 8 KB of tables.
//!
//! One multiplication maps the inner occupancy of a line to six bits (a slider cannot pass its two ends anyway), and
//! one look-up returns the attacks on the line. A rook and a bishop need two look-ups each.

use super::{file_mask, rank_mask};

/// The attacks on a line, by position on the line and occupancy of its six inner squares, repeated on every rank.
static RANK_ATTACKS: [[u64; 64]; 8] = line_attack_table(false);

/// The attacks on the a-file, by rank and occupancy of its six inner squares from rank 7 down.
static FILE_ATTACKS: [[u64; 64]; 8] = line_attack_table(true);

const fn line_attack_table(on_file: bool) -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut position = 0;
    while position < 8 {
        let mut inner = 0;
        while inner < 64 {
            let line = line_attacks(position, inner << 1);
            // The multiplication reverses the inner squares of a file: rank 2 becomes the highest bit.
            let reversed = (inner as u8).reverse_bits() as usize >> 2;
            let mut i = 0;
            while i < 8 {
                if on_file {
                    table[position][reversed] |= (line >> i & 1) << (8 * i);
                } else {
                    table[position][inner] |= line << (8 * i);
                }
                i += 1;
            }
            inner += 1;
        }
        position += 1;
    }
    table
}

/// Returns the attacked positions of a line of eight squares.
const fn line_attacks(position: usize, occupied: usize) -> u64 {
    let mut set = 0;
    let mut at = position;
    while at < 7 {
        at += 1;
        set |= 1 << at;
        if occupied >> at & 1 != 0 {
            break;
        }
    }
    at = position;
    while at > 0 {
        at -= 1;
        set |= 1 << at;
        if occupied >> at & 1 != 0 {
            break;
        }
    }
    set
}

/// The diagonal and the antidiagonal through each square, without the square itself.
static DIAGONAL_MASKS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (files, ranks) = ((a % 8) as isize - (b % 8) as isize, (a / 8) as isize - (b / 8) as isize);
            if a != b && files == ranks {
                table[a][0] |= 1 << b;
            }
            if a != b && files == -ranks {
                table[a][1] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// Returns the attacks of a rook, given the occupancy.
#[inline(always)]
pub fn rook_attacks(square: usize, occupied: u64) -> u64 {
    let (file, rank) = (square & 7, square >> 3 & 7);
    let inner = (occupied >> (8 * rank + 1)) as usize & 63;
    let along_rank = RANK_ATTACKS[file][inner] & rank_mask(rank);
    // The multiplier is the diagonal c2 to h7. It maps rank 2 of the a-file to bit 63 and rank 7 to bit 58.
    let inner = (occupied >> file & file_mask(0)).wrapping_mul(0x0080_4020_1008_0400) >> 58;
    along_rank | FILE_ATTACKS[rank][inner as usize] << file
}

/// Returns the attacks of a bishop, given the occupancy.
#[inline(always)]
pub fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    let table = &RANK_ATTACKS[square & 7];
    DIAGONAL_MASKS[square & 63].iter().fold(0, |set, &diagonal| {
        // A diagonal has at most one square on each file, so the multiplication projects it onto a rank.
        let inner = (occupied & diagonal).wrapping_mul(file_mask(1)) >> 58;
        set | table[inner as usize] & diagonal
    })
}
