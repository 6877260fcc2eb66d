//! Discs that can never be turned again: a bound on how the game can end.

use crate::geometry::{A_FILE, BOTTOM, H_FILE, TOP};

/// Squares that are not on the rim: a disc on the rim is judged by its edge alone.
const INNER: u64 = !(A_FILE | H_FILE | TOP | BOTTOM);

/// The number of discs of `own` that are certainly stable. There may be more.
///
/// A disc is stable along a line when the line is full, or when the next disc on it is a stable one of its own side; a
/// disc that is so along all four lines is stable. On the edges [`EDGES`] knows more.
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
        let other_diagonal = stable << 7 | stable >> 7 | lines[3];
        let wider = stable | row & column & diagonal & other_diagonal & inner;
        if wider == stable {
            return stable.count_ones();
        }
        stable = wider;
    }
}

/// The squares whose row, column, diagonal (as a1 to h8) and other diagonal have no empty square, in this order.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let row = occupied & occupied >> 4;
    let row = row & row >> 2;
    let row = (row & row >> 1 & A_FILE) * 0xFF;
    let column = occupied & occupied.rotate_right(8);
    let column = column & column.rotate_right(16);
    let column = column & column.rotate_right(32);
    [row, column, full_diagonals(occupied, 9, &FROM_TOP_LEFT), full_diagonals(occupied, 7, &FROM_TOP_RIGHT)]
}

/// The squares from which one, two and four steps up to the left lead off the board.
const FROM_TOP_LEFT: [u64; 3] = [0x0101_0101_0101_01FF, 0x0303_0303_0303_FFFF, 0x0F0F_0F0F_FFFF_FFFF];
/// The squares from which one, two and four steps up to the right lead off the board.
const FROM_TOP_RIGHT: [u64; 3] = [0x8080_8080_8080_80FF, 0xC0C0_C0C0_C0C0_FFFF, 0xF0F0_F0F0_FFFF_FFFF];

/// Off the board counts as full: doubled steps look at up to seven neighbours towards either end.
#[inline(always)]
fn full_diagonals(occupied: u64, shift: u32, off: &[u64; 3]) -> u64 {
    let (mut up, mut down) = (occupied, occupied);
    let mut step = shift;
    for &off in off {
        up &= up << step | off;
        // The same squares seen from the other end of the board.
        down &= down >> step | off.reverse_bits();
        step *= 2;
    }
    up & down
}

/// The stable discs of `own` on the four edges.
#[inline(always)]
pub fn stable_edges(own: u64, other: u64) -> u64 {
    let look = |own: u64, other: u64| {
        u64::from(STABLE_EDGES[edge_index(own as usize & 0xFF, other as usize & 0xFF)])
    };
    let top = look(own, other);
    let bottom = look(own >> 56, other >> 56) << 56;
    let left = row_to_file(look(file_to_row(own), file_to_row(other)));
    let right = row_to_file(look(file_to_row(own >> 7), file_to_row(other >> 7))) << 7;
    top | bottom | left | right
}

/// Column a as a row: a1 becomes bit 0.
#[inline(always)]
pub const fn file_to_row(set: u64) -> u64 {
    (set & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A row as column a.
#[inline(always)]
const fn row_to_file(row: u64) -> u64 {
    // Eight copies of the row, seven apart; bit n of copy n lands on square 8n.
    let copies = (row & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & A_FILE;
    copies | (row & 0x80) << 49
}

const EDGE_STATES: usize = 6561;

/// The number of an edge in base 3: 1 for a disc of one's own, 2 for the other's.
#[inline(always)]
pub const fn edge_index(own: usize, other: usize) -> usize {
    TERNARY[own] as usize + 2 * TERNARY[other] as usize
}

/// A byte's bits as digits in base 3.
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

/// Of each edge, one's own discs that stay whatever is put on its empty squares, by whichever side, in any order; even
/// a disc that turns nothing along the edge may be put there for what it turns elsewhere.
static STABLE_EDGES: [u8; EDGE_STATES] = {
    let mut edges = [0; EDGE_STATES];
    // From full edges to the empty one: each needs those with one disc more.
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
            let turned = edge_flips(own, other, at);
            let index =
                TERNARY_CONST[own | turned | 1 << at] as usize + 2 * TERNARY_CONST[other & !turned] as usize;
            stable &= edges[index];
            let turned = edge_flips(other, own, at);
            let index =
                TERNARY_CONST[own & !turned] as usize + 2 * TERNARY_CONST[other | turned | 1 << at] as usize;
            stable &= edges[index];
        }
        at += 1;
    }
    stable
}

/// The discs on an edge that a disc put at bit `at` turns over along it.
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
    fn lines_are_full_where_every_square_of_them_is() {
        let mut random = SplitMix64::new(41);
        for _ in 0..20_000 {
            let occupied = random.next_u64() | random.next_u64() | random.next_u64() | random.next_u64();
            for (kind, full) in full_lines(occupied).into_iter().enumerate() {
                // Directions of the rays: row, other diagonal, column, diagonal, then their opposites.
                let direction = [0, 2, 3, 1][kind];
                for (square, rays) in RAYS.iter().enumerate() {
                    let line = rays[direction] | rays[direction + 4] | 1 << square;
                    assert_eq!(
                        full >> square & 1 != 0,
                        occupied & line == line,
                        "{occupied:#x} {kind} {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn edges_turn_to_rows_and_back() {
        for row in 0..256u64 {
            assert_eq!(file_to_row(row_to_file(row)), row);
            assert_eq!(row_to_file(row) & !A_FILE, 0);
        }
    }

    #[test]
    fn known_edges() {
        let names = |own: &str, other: &str| {
            let set = |word: &str| word.bytes().fold(0, |set, letter| set | 1 << (letter - b'a'));
            STABLE_EDGES[edge_index(set(own), set(other))]
        };
        assert_eq!(names("a", ""), 1);
        assert_eq!(names("b", ""), 0);
        assert_eq!(names("abc", ""), 7);
        assert_eq!(names("bcdefg", "ah"), 0b0111_1110, "a full edge");
        assert_eq!(names("bcd", "a"), 0, "the other side can close the row at e");
        assert_eq!(names("ac", "b"), 1, "the other side can turn c back over d");
    }

    /// Whatever both sides play, in turn or out of turn, stable discs stay.
    #[test]
    fn stable_discs_are_never_turned() {
        let mut random = SplitMix64::new(42);
        let mut seen = 0;
        for _ in 0..4_000 {
            let occupied = random.next_u64() | random.next_u64() | random.next_u64();
            let own = occupied & (random.next_u64() | random.next_u64());
            let (mut own, mut other) = (own, occupied & !own);
            let mut least = count_stable(own, other);
            seen += least;
            loop {
                let (mover, opponent) = if random.below(2) == 0 { (own, other) } else { (other, own) };
                let mut places = mobility(mover, opponent);
                if places == 0 {
                    break;
                }
                for _ in 0..random.below(places.count_ones() as usize) {
                    places &= places - 1;
                }
                let square = places.trailing_zeros() as usize;
                let turned = flips(mover, opponent, square);
                if mover == own {
                    (own, other) = (own | turned | 1 << square, other & !turned);
                } else {
                    (own, other) = (own & !turned, other | turned | 1 << square);
                }
                let now = count_stable(own, other);
                assert!(now >= least, "{own:#x} {other:#x}: {now} after {least}");
                least = now;
            }
            assert!(own.count_ones() >= least);
        }
        assert!(seen > 10_000, "there were stable discs: {seen}");
    }
}
