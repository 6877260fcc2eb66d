//! Attack tables and masks by square number, all built at compile time.
//!
//! A set is a `u64` here, with bit 0 for a1 and bit 63 for h8; the public functions wrap it as [`SquareSet`].

use alfil_kernel::Side;

use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};

pub mod kindergarten;
pub mod magic;
pub mod pext;

/// A module for browsers is downloaded, and the tables of magic bitboards would be four fifths of it.
#[cfg(target_family = "wasm")]
pub use kindergarten::{bishop_attacks, rook_attacks};
#[cfg(not(target_family = "wasm"))]
pub use magic::{bishop_attacks, rook_attacks};

/// Returns the squares of a file, 0 for the a-file.
pub const fn file_mask(file: usize) -> u64 {
    0x0101_0101_0101_0101 << file
}

/// Returns the squares of a rank, 0 for White's back rank.
pub const fn rank_mask(rank: usize) -> u64 {
    0xFF << (8 * rank)
}

/// The dark squares; a1 is dark.
pub const DARK_SQUARES: u64 = 0xAA55_AA55_AA55_AA55;

/// Returns the set of one square.
#[inline(always)]
pub(crate) const fn bit(square: Square) -> u64 {
    1 << square.index()
}

const ROOK_STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Returns, for each square, the squares at these steps from it.
const fn leaper_attacks<const N: usize>(steps: [(isize, isize); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = Square::from_low_bits(index).step(steps[i].0, steps[i].1) {
                table[index] |= bit(to);
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The attacks of a knight by square.
pub static KNIGHT_ATTACKS: [u64; 64] =
    leaper_attacks([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

/// The attacks of a king by square.
pub static KING_ATTACKS: [u64; 64] =
    leaper_attacks([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

/// The attacks of a pawn by side and square.
pub static PAWN_ATTACKS: [[u64; 64]; 2] =
    [leaper_attacks([(-1, 1), (1, 1)]), leaper_attacks([(-1, -1), (1, -1)])];

/// Returns the attacks of a slider with these steps on the empty board.
const fn rays(square: Square, steps: [(isize, isize); 4]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < 4 {
        let mut at = square;
        while let Some(next) = at.step(steps[i].0, steps[i].1) {
            set |= bit(next);
            at = next;
        }
        i += 1;
    }
    set
}

const fn all_rays(steps: [(isize, isize); 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = rays(Square::from_low_bits(index), steps);
        index += 1;
    }
    table
}

/// The attacks of a rook on the empty board by square.
pub(crate) static ROOK_RAYS: [u64; 64] = all_rays(ROOK_STEPS);

/// The attacks of a bishop on the empty board by square.
pub(crate) static BISHOP_RAYS: [u64; 64] = all_rays(BISHOP_STEPS);

/// The squares strictly between two squares on one line; empty if they share no line.
pub(crate) static BETWEEN: [[u64; 64]; 64] = between_and_line_tables().0;

/// The whole line through two squares, edge to edge; empty if they share no line.
pub(crate) static LINE_THROUGH: [[u64; 64]; 64] = between_and_line_tables().1;

const fn between_and_line_tables() -> ([[u64; 64]; 64], [[u64; 64]; 64]) {
    let (mut between, mut line) = ([[0; 64]; 64], [[0; 64]; 64]);
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = if i < 4 { ROOK_STEPS[i] } else { BISHOP_STEPS[i - 4] };
            let mut whole_line = bit(Square::from_low_bits(index));
            let mut behind = Square::from_low_bits(index).step(-files, -ranks);
            while let Some(at) = behind {
                whole_line |= bit(at);
                behind = at.step(-files, -ranks);
            }
            let mut ahead = Square::from_low_bits(index).step(files, ranks);
            while let Some(at) = ahead {
                whole_line |= bit(at);
                ahead = at.step(files, ranks);
            }
            let mut passed = 0;
            let mut ahead = Square::from_low_bits(index).step(files, ranks);
            while let Some(at) = ahead {
                between[index][at.index()] = passed;
                line[index][at.index()] = whole_line;
                passed |= bit(at);
                ahead = at.step(files, ranks);
            }
            i += 1;
        }
        index += 1;
    }
    (between, line)
}

/// Returns the attacks of a piece other than a pawn, given the occupancy.
///
/// # Panics
/// If `kind` is a pawn, whose attacks depend on its side: see [`pawn_attacks`].
pub fn attacks(kind: PieceKind, square: Square, occupied: SquareSet) -> SquareSet {
    SquareSet::new(match kind {
        PieceKind::Pawn => panic!("the attacks of a pawn depend on its side"),
        PieceKind::Knight => KNIGHT_ATTACKS[square.index()],
        PieceKind::Bishop => bishop_attacks(square.index(), occupied.0),
        PieceKind::Rook => rook_attacks(square.index(), occupied.0),
        PieceKind::Queen => {
            bishop_attacks(square.index(), occupied.0) | rook_attacks(square.index(), occupied.0)
        }
        PieceKind::King => KING_ATTACKS[square.index()],
    })
}

/// Returns the squares that a pawn of `side` on `square` attacks.
pub fn pawn_attacks(side: Side, square: Square) -> SquareSet {
    SquareSet::new(PAWN_ATTACKS[side.index()][square.index()])
}

/// Returns the squares of king and rook after castling: on the c-file and d-file, or on the g-file and f-file, as in
/// Chess960.
#[inline]
pub fn castling_destinations(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
    (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    /// Computes slider attacks square by square.
    fn slider_attacks(square: usize, occupied: u64, steps: [(isize, isize); 4]) -> u64 {
        let mut set = 0;
        for (files, ranks) in steps {
            let mut at = Square::from_low_bits(square);
            while let Some(next) = at.step(files, ranks) {
                set |= bit(next);
                if occupied & bit(next) != 0 {
                    break;
                }
                at = next;
            }
        }
        set
    }

    #[test]
    fn slider_look_ups_equal_square_by_square_attacks() {
        let mut random = SplitMix64::new(5);
        for square in 0..64 {
            for density in 0..400 {
                let occupied = match density % 3 {
                    0 => random.next_u64(),
                    1 => random.next_u64() & random.next_u64(),
                    _ => random.next_u64() & random.next_u64() & random.next_u64(),
                };
                let expected =
                    [ROOK_STEPS, BISHOP_STEPS].map(|steps| slider_attacks(square, occupied, steps));
                assert_eq!(
                    [
                        kindergarten::rook_attacks(square, occupied),
                        kindergarten::bishop_attacks(square, occupied)
                    ],
                    expected
                );
                assert_eq!(
                    [magic::rook_attacks(square, occupied), magic::bishop_attacks(square, occupied)],
                    expected
                );
                let extract = |mask| pext::software_pext(occupied, mask);
                assert_eq!(
                    [pext::rook_attacks(square, extract), pext::bishop_attacks(square, extract)],
                    expected
                );
            }
        }
    }

    #[test]
    fn between_and_line_tables_equal_intersections_of_slider_attacks() {
        for a in 0..64 {
            for b in 0..64 {
                let ends = 1 << a | 1 << b;
                let expected = if ROOK_RAYS[a] >> b & 1 != 0 {
                    (
                        rook_attacks(a, ends) & rook_attacks(b, ends),
                        (rook_attacks(a, 0) & rook_attacks(b, 0)) | ends,
                    )
                } else if BISHOP_RAYS[a] >> b & 1 != 0 {
                    (
                        bishop_attacks(a, ends) & bishop_attacks(b, ends),
                        (bishop_attacks(a, 0) & bishop_attacks(b, 0)) | ends,
                    )
                } else {
                    (0, 0)
                };
                assert_eq!((BETWEEN[a][b], LINE_THROUGH[a][b]), expected, "{a} {b}");
            }
        }
    }
}
