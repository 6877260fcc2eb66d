//! Sliding by lines: the table-light way, 8 KB in all.
//!
//! The occupancy of a line is gathered into six bits (its two ends stop a slider anyway) by one multiplication, and one
//! look-up gives what is reached on it: Gerd Isenberg's "kindergarten bitboards". A rook and a bishop need two
//! look-ups each.

use super::{file_mask, rank_mask};

/// For a place on a line and the six inner squares of the line: what is reached, written on every rank.
static RANK_ATTACKS: [[u64; 64]; 8] = line_attack_table(false);

/// The same on the a-file; the index is gathered from the top down.
static FILE_ATTACKS: [[u64; 64]; 8] = line_attack_table(true);

const fn line_attack_table(on_file: bool) -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            let line = line_attacks(place, inner << 1);
            // A file's inner squares arrive in the order in which the multiplication leaves them: rank 2 highest.
            let reversed = (inner as u8).reverse_bits() as usize >> 2;
            let mut i = 0;
            while i < 8 {
                if on_file {
                    table[place][reversed] |= (line >> i & 1) << (8 * i);
                } else {
                    table[place][inner] |= line << (8 * i);
                }
                i += 1;
            }
            inner += 1;
        }
        place += 1;
    }
    table
}

/// The places of a line of eight that are reached from `place`.
const fn line_attacks(place: usize, occupied: usize) -> u64 {
    let mut set = 0;
    let mut at = place;
    while at < 7 {
        at += 1;
        set |= 1 << at;
        if occupied >> at & 1 != 0 {
            break;
        }
    }
    at = place;
    while at > 0 {
        at -= 1;
        set |= 1 << at;
        if occupied >> at & 1 != 0 {
            break;
        }
    }
    set
}

/// The diagonal and the antidiagonal through each square, the square left out.
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

/// What a rook reaches.
#[inline(always)]
pub fn rook_attacks(square: usize, occupied: u64) -> u64 {
    let (on_file, on_rank) = (square & 7, square >> 3 & 7);
    let inner = (occupied >> (8 * on_rank + 1)) as usize & 63;
    let along_rank = RANK_ATTACKS[on_file][inner] & rank_mask(on_rank);
    // From c2 to h7: this diagonal brings rank 2 of the a-file to bit 63, rank 7 to bit 58, and nothing else between.
    let inner = (occupied >> on_file & file_mask(0)).wrapping_mul(0x0080_4020_1008_0400) >> 58;
    along_rank | FILE_ATTACKS[on_rank][inner as usize] << on_file
}

/// What a bishop reaches.
#[inline(always)]
pub fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    let table = &RANK_ATTACKS[square & 7];
    DIAGONAL_MASKS[square & 63].iter().fold(0, |set, &diagonal| {
        // A diagonal has one square a file, so the sum over all ranks is a rank.
        let inner = (occupied & diagonal).wrapping_mul(file_mask(1)) >> 58;
        set | table[inner as usize] & diagonal
    })
}
