//! Constant tables of the board: edges, corners, lines and symmetries.

use crate::square::Square;

/// Column a.
pub const COLUMN_A: u64 = 0x0101_0101_0101_0101;
/// Column h.
pub const COLUMN_H: u64 = 0x8080_8080_8080_8080;
/// Row 1, at the top.
pub const ROW_1: u64 = 0xFF;
/// Row 8, at the bottom.
pub const ROW_8: u64 = 0xFF << 56;
/// The four corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The X-squares: the diagonal neighbours of the corners.
pub const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The C-squares: the neighbours of the corners along the edges.
pub const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// The four central squares, which have discs from the start of every game.
pub const CENTRE: u64 = 0x0000_0018_1800_0000;
/// Columns b to g. A disc on another column is never between two others in its row or on a diagonal.
pub const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
/// Rows 2 to 7. A disc on another row is never between two others in its column or on a diagonal.
pub const INNER_ROWS: u64 = 0x00FF_FFFF_FFFF_FF00;

/// The four quadrants of 4x4 squares.
pub const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The index of the quadrant of each square.
pub const QUADRANT_OF: [u8; 64] = {
    let mut quadrant_of = [0; 64];
    let mut square = 0;
    while square < 64 {
        quadrant_of[square] = (square % 8 / 4 + square / 32 * 2) as u8;
        square += 1;
    }
    quadrant_of
};

/// The steps of the eight directions as columns and rows: the four towards higher indices, then their opposites.
pub const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];

/// The squares from each square, which is excluded, to the edge in each of the [`DIRECTIONS`].
pub const RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (columns, rows) = DIRECTIONS[direction];
            let mut next = Square::new(square % 8, square / 8).step(columns, rows);
            while let Some(target) = next {
                rays[square][direction] |= 1 << target.index();
                next = target.step(columns, rows);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The adjacent squares of each square, at most eight.
pub const NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut square = 0;
    while square < 64 {
        neighbours[square] = adjacent_squares(1 << square);
        square += 1;
    }
    neighbours
};

/// Returns the squares adjacent to any square of the set, including squares of the set that are adjacent to another.
pub const fn adjacent_squares(set: u64) -> u64 {
    let sideways = (set << 1 & !COLUMN_A) | (set >> 1 & !COLUMN_H);
    let row = set | sideways;
    sideways | row << 8 | row >> 8
}

/// One of the eight symmetries of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Whether rows and columns are exchanged, before the other two.
    pub transposed: bool,
    /// Whether left and right are exchanged.
    pub mirrored: bool,
    /// Whether top and bottom are exchanged.
    pub upside_down: bool,
}

impl Symmetry {
    /// Returns all eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry {
            transposed: bits & 4 != 0,
            mirrored: bits & 2 != 0,
            upside_down: bits & 1 != 0,
        })
    }

    /// Returns the image of a square.
    #[must_use]
    pub const fn map_square(self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.transposed {
            (file, rank) = (rank, file);
        }
        if self.mirrored {
            file = Square::FILES - 1 - file;
        }
        if self.upside_down {
            rank = Square::RANKS - 1 - rank;
        }
        Square::new(file, rank)
    }

    /// Returns the image of a set of squares.
    #[must_use]
    pub const fn map_set(self, mut set: u64) -> u64 {
        if self.transposed {
            set = transpose(set);
        }
        if self.mirrored {
            set = mirror(set);
        }
        if self.upside_down { set.swap_bytes() } else { set }
    }

    /// Returns the symmetry that maps the images back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transposed {
            Symmetry { transposed: true, mirrored: self.upside_down, upside_down: self.mirrored }
        } else {
            self
        }
    }
}

/// Exchanges left and right.
pub(crate) const fn mirror(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// Exchanges rows and columns, by exchanging blocks of four, two and one squares across the diagonal.
pub(crate) const fn transpose(mut set: u64) -> u64 {
    let exchanged = (set ^ set << 28) & 0x0f0f_0f0f_0000_0000;
    set ^= exchanged ^ exchanged >> 28;
    let exchanged = (set ^ set << 14) & 0x3333_0000_3333_0000;
    set ^= exchanged ^ exchanged >> 14;
    let exchanged = (set ^ set << 7) & 0x5500_5500_5500_5500;
    set ^ exchanged ^ exchanged >> 7
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use alfil_kernel::zobrist::SplitMix64;

    use super::*;

    #[test]
    fn rays_and_neighbours_agree_with_steps() {
        for square in Square::all() {
            let neighbours = DIRECTIONS.iter().filter_map(|&(columns, rows)| square.step(columns, rows));
            assert_eq!(
                NEIGHBOURS[square.index()],
                neighbours.fold(0, |set, next| set | 1 << next.index()),
                "{square}"
            );
            // The row and the column have 7 other squares each, the diagonals at most 13 together.
            let lines: u32 = RAYS[square.index()].iter().map(|ray| ray.count_ones()).sum();
            assert!((21..=27).contains(&lines), "{square}");
            assert!(RAYS[square.index()][..4].iter().all(|&ray| ray & ((1 << square.index()) - 1) == 0));
        }
    }

    #[test]
    fn square_sets_contain_the_named_squares() {
        let set = |names: &str| {
            names.split(' ').fold(0u64, |set, name| set | 1 << name.parse::<Square>().unwrap().index())
        };
        assert_eq!(CORNERS, set("a1 h1 a8 h8"));
        assert_eq!(X_SQUARES, set("b2 g2 b7 g7"));
        assert_eq!(C_SQUARES, set("b1 g1 a2 h2 a7 h7 b8 g8"));
        assert_eq!(CENTRE, set("d4 e4 d5 e5"));
        assert_eq!(QUADRANTS.iter().fold(0, |all, quadrant| all ^ quadrant), !0);
        for square in Square::all() {
            assert!(QUADRANTS[QUADRANT_OF[square.index()] as usize] & 1 << square.index() != 0, "{square}");
        }
    }

    #[test]
    fn eight_different_symmetries_map_corners_to_corners() {
        let mut images: Vec<Vec<Square>> = Symmetry::all()
            .map(|symmetry| Square::all().map(|square| symmetry.map_square(square)).collect())
            .collect();
        for image in &images {
            assert!(image.iter().all(|square| image.iter().filter(|other| *other == square).count() == 1));
            assert!([0, 7, 56, 63].iter().all(|&corner: &usize| CORNERS & 1 << image[corner].index() != 0));
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn sets_are_mapped_as_their_squares_and_back() {
        let mut random = SplitMix64::new(3);
        for symmetry in (0..100).flat_map(|_| Symmetry::all()) {
            let set = random.next_u64();
            let squares = Square::all().filter(|square| set >> square.index() & 1 != 0);
            let image = squares.fold(0, |set, square| set | 1_u64 << symmetry.map_square(square).index());
            assert_eq!(symmetry.map_set(set), image, "{symmetry:?}");
            assert_eq!(symmetry.inverse().map_set(image), set, "{symmetry:?}");
        }
    }
}
