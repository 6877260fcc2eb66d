//! Stable discs, which can never be flipped again, for bounds on the final score.

use crate::geometry::{COLUMN_A, COLUMN_H, ROW_1, ROW_8};

/// The squares that are not on an edge. The stability of an edge disc depends on its edge alone.
const INNER: u64 = !(COLUMN_A | COLUMN_H | ROW_1 | ROW_8);

/// Counts the discs of `own` that are provably stable, a lower bound of the number of stable discs.
///
/// A disc is stable along a line if the line is full or if the next disc on it is a stable disc of the same side. A
/// disc that is stable along all four lines is stable. A table gives those on the edges.
#[inline(always)]
pub fn count_stable(own: u64, other: u64) -> u32 {
    let lines = full_lines(own | other);
    let mut stable = stable_edges(own, other) | own & lines[0] & lines[1] & lines[2] & lines[3] & INNER;
    if stable == 0 {
        return 0;
    }
    let inner = own & INNER;
    loop {
        let row = stable << 1 | stable >> 1 | lines[0];
        let column = stable << 8 | stable >> 8 | lines[1];
        let diagonal = stable << 9 | stable >> 9 | lines[2];
        let antidiagonal = stable << 7 | stable >> 7 | lines[3];
        let extended = stable | row & column & diagonal & antidiagonal & inner;
        if extended == stable {
            return stable.count_ones();
        }
        stable = extended;
    }
}

/// Returns the squares whose row, column, diagonal (as a1 to h8) and antidiagonal are full, in this order.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let row = occupied & occupied >> 4;
    let row = row & row >> 2;
    let row = (row & row >> 1 & COLUMN_A) * 0xFF;
    let column = occupied & occupied.rotate_right(8);
    let column = column & column.rotate_right(16);
    let column = column & column.rotate_right(32);
    [row, column, full_diagonals(occupied, 9, &FROM_TOP_LEFT), full_diagonals(occupied, 7, &FROM_TOP_RIGHT)]
}

/// The squares from which one, two and four steps up and left leave the board.
const FROM_TOP_LEFT: [u64; 3] = [0x0101_0101_0101_01FF, 0x0303_0303_0303_FFFF, 0x0F0F_0F0F_FFFF_FFFF];
/// The squares from which one, two and four steps up and right leave the board.
const FROM_TOP_RIGHT: [u64; 3] = [0x8080_8080_8080_80FF, 0xC0C0_C0C0_C0C0_FFFF, 0xF0F0_F0F0_FFFF_FFFF];

/// Returns the squares whose diagonal is full. Doubled steps test up to seven squares towards each end; squares outside
/// the board count as occupied.
#[inline(always)]
fn full_diagonals(occupied: u64, shift: u32, off: &[u64; 3]) -> u64 {
    let (mut up, mut down) = (occupied, occupied);
    let mut step = shift;
    for &off in off {
        up &= up << step | off;
        // The board rotated by 180 degrees reverses the bits.
        down &= down >> step | off.reverse_bits();
        step *= 2;
    }
    up & down
}

/// Returns the stable discs of `own` on the four edges.
#[inline(always)]
pub fn stable_edges(own: u64, other: u64) -> u64 {
    let stable_row = |own: u64, other: u64| {
        u64::from(STABLE_EDGES[ternary_index(own as usize & 0xFF, other as usize & 0xFF)])
    };
    let top = stable_row(own, other);
    let bottom = stable_row(own >> 56, other >> 56) << 56;
    let left = row_to_file(stable_row(file_to_row(own), file_to_row(other)));
    let right = row_to_file(stable_row(file_to_row(own >> 7), file_to_row(other >> 7))) << 7;
    top | bottom | left | right
}

/// Returns column a as a row: a1 becomes bit 0.
#[inline(always)]
pub const fn file_to_row(set: u64) -> u64 {
    (set & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Returns a row as column a.
#[inline(always)]
const fn row_to_file(row: u64) -> u64 {
    // The product has copies of the row at distances of seven bits; bit n of copy n is on square 8n.
    let copies = (row & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A;
    copies | (row & 0x80) << 49
}

const EDGE_STATES: usize = 6561;

/// Returns the index of an edge, or of other squares in a byte: a number in base 3 with the digit 1 for discs of `own`
/// and 2 for discs of `other`.
#[inline(always)]
pub const fn ternary_index(own: usize, other: usize) -> usize {
    TERNARY[own] as usize + 2 * TERNARY[other] as usize
}

/// The bits of a byte as digits in base 3.
static TERNARY: [u16; 256] = TERNARY_CONST;
const TERNARY_CONST: [u16; 256] = {
    let mut ternary = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        ternary[bits] = 3 * ternary[bits >> 1] + (bits & 1) as u16;
        bits += 1;
    }
    ternary
};

/// The stable discs of `own` for each edge: those that no sequence of discs of either side on its empty squares flips.
/// A disc that flips nothing along the edge is included, as it may flip discs on other lines.
static STABLE_EDGES: [u8; EDGE_STATES] = {
    let mut edges = [0; EDGE_STATES];
    // From full edges to the empty edge, as each depends on those with one disc more.
    let mut empties = 0;
    while empties <= 8 {
        let mut own = 0;
        while own < 256usize {
            let mut other = 0;
            while other < 256usize {
                if own & other == 0 && (own | other).count_ones() + empties == 8 {
                    let index = TERNARY_CONST[own] as usize + 2 * TERNARY_CONST[other] as usize;
                    edges[index] = stable_edge(own, other, &edges);
                }
                other += 1;
            }
            own += 1;
        }
        empties += 1;
    }
    edges
};

const fn stable_edge(own: usize, other: usize, edges: &[u8; EDGE_STATES]) -> u8 {
    let mut stable = own as u8;
    let mut at = 0;
    while at < 8 && stable != 0 {
        if (own | other) >> at & 1 == 0 {
            let flipped = edge_flips(own, other, at);
            let index = TERNARY_CONST[own | flipped | 1 << at] as usize
                + 2 * TERNARY_CONST[other & !flipped] as usize;
            stable &= edges[index];
            let flipped = edge_flips(other, own, at);
            let index = TERNARY_CONST[own & !flipped] as usize
                + 2 * TERNARY_CONST[other | flipped | 1 << at] as usize;
            stable &= edges[index];
        }
        at += 1;
    }
    stable
}

/// Returns the discs that a disc placed at bit `at` flips along the edge.
const fn edge_flips(mover: usize, opponent: usize, at: usize) -> usize {
    let (mut up, mut bit) = (0, 2 << at);
    while opponent & bit != 0 {
        up |= bit;
        bit <<= 1;
    }
    if mover & bit == 0 {
        up = 0;
    }
    let (mut down, mut bit) = (0, (1 << at) >> 1);
    while opponent & bit != 0 {
        down |= bit;
        bit >>= 1;
    }
    if mover & bit == 0 {
        down = 0;
    }
    up | down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::scalar::{flips, mobility};
    use crate::geometry::RAYS;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn full_lines_have_all_squares_occupied() {
        let mut random = SplitMix64::new(41);
        for _ in 0..20_000 {
            let occupied = random.next_u64() | random.next_u64() | random.next_u64() | random.next_u64();
            for (line_kind, full) in full_lines(occupied).into_iter().enumerate() {
                // The order of the rays: row, antidiagonal, column, diagonal, then the opposite directions.
                let direction = [0, 2, 3, 1][line_kind];
                for (square, rays) in RAYS.iter().enumerate() {
                    let line = rays[direction] | rays[direction + 4] | 1 << square;
                    assert_eq!(
                        full >> square & 1 != 0,
                        occupied & line == line,
                        "{occupied:#x} {line_kind} {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn file_and_row_conversions_are_inverse() {
        for row in 0..256u64 {
            assert_eq!(file_to_row(row_to_file(row)), row);
            assert_eq!(row_to_file(row) & !COLUMN_A, 0);
        }
    }

    #[test]
    fn stable_discs_of_known_edges() {
        let stable = |own: &str, other: &str| {
            let set = |files: &str| files.bytes().fold(0, |set, letter| set | 1 << (letter - b'a'));
            STABLE_EDGES[ternary_index(set(own), set(other))]
        };
        assert_eq!(stable("a", ""), 1);
        assert_eq!(stable("b", ""), 0);
        assert_eq!(stable("abc", ""), 7);
        assert_eq!(stable("bcdefg", "ah"), 0b0111_1110, "a full edge");
        assert_eq!(stable("bcd", "a"), 0, "the opponent can enclose the discs at e");
        assert_eq!(stable("ac", "b"), 1, "the opponent can flip c");
    }

    /// Plays random moves of both sides, in turn or not.
    #[test]
    fn number_of_stable_discs_never_decreases() {
        let mut random = SplitMix64::new(42);
        let mut total = 0;
        for _ in 0..4_000 {
            let occupied = random.next_u64() | random.next_u64() | random.next_u64();
            let own = occupied & (random.next_u64() | random.next_u64());
            let (mut own, mut other) = (own, occupied & !own);
            let mut stable = count_stable(own, other);
            total += stable;
            loop {
                let (mover, opponent) = if random.below(2) == 0 { (own, other) } else { (other, own) };
                let mut moves = mobility(mover, opponent);
                if moves == 0 {
                    break;
                }
                for _ in 0..random.below(moves.count_ones() as usize) {
                    moves &= moves - 1;
                }
                let square = moves.trailing_zeros() as usize;
                let flipped = flips(mover, opponent, square);
                if mover == own {
                    (own, other) = (own | flipped | 1 << square, other & !flipped);
                } else {
                    (own, other) = (own & !flipped, other | flipped | 1 << square);
                }
                let now = count_stable(own, other);
                assert!(now >= stable, "{own:#x} {other:#x}: {now} after {stable}");
                stable = now;
            }
            assert!(own.count_ones() >= stable);
        }
        assert!(total > 10_000, "expected many stable discs, found {total}");
    }
}
