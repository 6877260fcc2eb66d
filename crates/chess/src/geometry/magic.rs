//! Magic bitboards: slider attacks by one multiplication and one look-up. The tables take 841 KB.
//!
//! The multiplication maps the relevant occupancy of a square to an index (L. Kannan, "Magic move-bitboard generation
//! in computer chess", 2007). The multipliers below were found for this project by testing sparse random numbers until
//! no two occupancies with different attacks had the same index.

use super::{BISHOP_STEPS, ROOK_STEPS};
use crate::square::Square;

/// The parameters of the index of one square.
#[derive(Clone, Copy)]
pub(crate) struct Magic {
    /// The relevant occupancy: the squares of each ray without its last one.
    pub(crate) mask: u64,
    multiplier: u64,
    shift: u32,
    /// The first index of the square in the table.
    pub(crate) offset: u32,
}

impl Magic {
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        let index = (occupied & self.mask).wrapping_mul(self.multiplier) >> self.shift;
        self.offset as usize + index as usize
    }
}

/// The size of the rook table: the sum over all squares of 2 to the power of the number of relevant squares.
pub(crate) const ROOK_ENTRIES: usize = 102_400;
/// The size of the bishop table.
pub(crate) const BISHOP_ENTRIES: usize = 5_248;

pub(crate) static ROOK_MAGICS: [Magic; 64] = magic_table(&ROOK_MULTIPLIERS, ROOK_STEPS);
pub(crate) static BISHOP_MAGICS: [Magic; 64] = magic_table(&BISHOP_MULTIPLIERS, BISHOP_STEPS);

static ROOKS: [u64; ROOK_ENTRIES] =
    fill_table(&magic_table(&ROOK_MULTIPLIERS, ROOK_STEPS), ROOK_STEPS, IndexMethod::Magic);
static BISHOPS: [u64; BISHOP_ENTRIES] =
    fill_table(&magic_table(&BISHOP_MULTIPLIERS, BISHOP_STEPS), BISHOP_STEPS, IndexMethod::Magic);

/// Returns the attacks of a rook, given the occupancy.
#[inline(always)]
pub fn rook_attacks(square: usize, occupied: u64) -> u64 {
    ROOKS[ROOK_MAGICS[square & 63].index(occupied)]
}

/// Returns the attacks of a bishop, given the occupancy.
#[inline(always)]
pub fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    BISHOPS[BISHOP_MAGICS[square & 63].index(occupied)]
}

pub(crate) const fn magic_table(multipliers: &[u64; 64], steps: [(isize, isize); 4]) -> [Magic; 64] {
    let mut table = [Magic { mask: 0, multiplier: 0, shift: 0, offset: 0 }; 64];
    let (mut index, mut offset) = (0, 0);
    while index < 64 {
        let mask = relevant_occupancy(Square::from_low_bits(index), steps);
        let bits = mask.count_ones();
        table[index] = Magic { mask, multiplier: multipliers[index], shift: 64 - bits, offset };
        offset += 1 << bits;
        index += 1;
    }
    table
}

/// Returns the squares of all rays from a square without the last square of each ray.
const fn relevant_occupancy(square: Square, steps: [(isize, isize); 4]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < 4 {
        let mut at = square;
        while let Some(next) = at.step(steps[i].0, steps[i].1) {
            if next.step(steps[i].0, steps[i].1).is_some() {
                set |= 1 << next.index();
            }
            at = next;
        }
        i += 1;
    }
    set
}

/// How the index into a table is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexMethod {
    /// The high bits of the product with a magic multiplier.
    Magic,
    /// The occupancy bits of the mask, extracted by PEXT.
    Pext,
}

/// One ray from a square: the attacks and the summand of the index for each occupancy of its inner squares.
#[derive(Clone, Copy)]
struct Ray {
    subset_count: usize,
    attacks: [u64; 64],
    index_terms: [u128; 64],
}

/// Fills the table of all squares and relevant occupancies.
///
/// Evaluation at compile time is slow and there are 102,400 entries. The costly part is therefore done once for each
/// ray, and an entry takes four look-ups, an OR and a sum. Both indices are sums over the rays, because a product
/// distributes over a sum and disjoint bits add up. This takes a twentieth of the time of computing each entry from
/// scratch.
pub(crate) const fn fill_table<const N: usize>(
    magics: &[Magic; 64],
    steps: [(isize, isize); 4],
    method: IndexMethod,
) -> [u64; N] {
    let mut table = [0; N];
    let mut index = 0;
    while index < 64 {
        let magic = magics[index];
        let square = Square::from_low_bits(index);
        let rays = [
            ray(square, steps[0], &magic, method),
            ray(square, steps[1], &magic, method),
            ray(square, steps[2], &magic, method),
            ray(square, steps[3], &magic, method),
        ];
        let (offset, shift) =
            (magic.offset as usize, if method as u8 == IndexMethod::Magic as u8 { magic.shift } else { 0 });
        let (mut a, mut b, mut c, mut d) = (0, 0, 0, 0);
        let Ray { subset_count: last_count, attacks: last_attacks, index_terms: last_terms } = rays[3];
        while a < rays[0].subset_count {
            while b < rays[1].subset_count {
                let attacks_ab = rays[0].attacks[a] | rays[1].attacks[b];
                let sum_ab = rays[0].index_terms[a] + rays[1].index_terms[b];
                while c < rays[2].subset_count {
                    let attacks_abc = attacks_ab | rays[2].attacks[c];
                    let sum_abc = sum_ab + rays[2].index_terms[c];
                    while d < last_count {
                        let entry = (sum_abc + last_terms[d]) as u64 >> shift;
                        table[offset + entry as usize] = attacks_abc | last_attacks[d];
                        d += 1;
                    }
                    (c, d) = (c + 1, 0);
                }
                (b, c) = (b + 1, 0);
            }
            (a, b) = (a + 1, 0);
        }
        index += 1;
    }
    table
}

const fn ray(square: Square, (files, ranks): (isize, isize), magic: &Magic, method: IndexMethod) -> Ray {
    // The squares of the ray, and the summand of the index for each occupied one.
    let (mut squares, mut terms, mut length) = ([0; 8], [0_u128; 8], 0);
    let mut at = square.step(files, ranks);
    while let Some(next) = at {
        squares[length] = next.index();
        terms[length] = match method {
            IndexMethod::Magic => (magic.multiplier << next.index()) as u128,
            IndexMethod::Pext => 1 << (magic.mask & ((1 << next.index()) - 1)).count_ones(),
        };
        at = next.step(files, ranks);
        length += 1;
    }
    let inner_length = if length == 0 { 0 } else { length - 1 };
    let mut ray = Ray { subset_count: 1 << inner_length, attacks: [0; 64], index_terms: [0; 64] };
    let mut subset = 0;
    while subset < ray.subset_count {
        let (mut i, mut attacks, mut sum, mut is_blocked) = (0, 0, 0, false);
        while i < length {
            if !is_blocked {
                attacks |= 1 << squares[i];
            }
            if subset >> i & 1 != 0 {
                is_blocked = true;
                sum += terms[i];
            }
            i += 1;
        }
        ray.attacks[subset] = attacks;
        ray.index_terms[subset] = sum;
        subset += 1;
    }
    ray
}

pub(crate) const ROOK_MULTIPLIERS: [u64; 64] = [
    0x0980_00B0_4001_8020,
    0x0840_0420_0010_0442,
    0x0100_1408_4020_0100,
    0x8500_1000_0509_0020,
    0x1100_0500_0800_0210,
    0x0500_0100_0244_0008,
    0x4080_0100_0080_0200,
    0x0100_0080_2100_0042,
    0x4404_8000_C002_8020,
    0x0000_8020_0040_0088,
    0x00A0_8020_0880_1002,
    0x0550_8008_0480_1000,
    0x0000_8004_0008_0080,
    0x0213_0018_0400_0B00,
    0x0004_0010_0804_0102,
    0x9102_0000_8210_4104,
    0x0080_0040_2000_4000,
    0x0002_0200_2090_4101,
    0x0000_8280_1000_2000,
    0x0028_0080_1000_8008,
    0x0008_8080_0400_0800,
    0x0006_8080_0400_0201,
    0x008A_0400_0801_B012,
    0x4200_0200_0420_4081,
    0x8000_4000_8000_8021,
    0x4220_4000_8080_2000,
    0x0400_2000_8010_0088,
    0x0C01_5005_8008_0180,
    0x4064_0080_8008_0004,
    0x0122_0002_0008_0510,
    0x0800_0100_8080_0200,
    0x0000_5396_0011_004C,
    0x0026_4000_8380_0020,
    0x0810_0040_0140_2000,
    0x4042_2004_4100_1500,
    0x0008_8008_0080_1000,
    0x6000_0800_8080_0400,
    0x0A02_0010_0200_0804,
    0x2000_9201_1400_1088,
    0x0200_3044_0200_0183,
    0x8140_0020_4080_8012,
    0x2090_0020_0040_4001,
    0x0020_0180_1006_8020,
    0x9008_0080_1000_800C,
    0x0000_0801_0011_0005,
    0x00A2_0008_E422_0010,
    0x0810_0142_9804_0010,
    0x0080_0108_6082_000C,
    0x0201_6102_4080_1500,
    0x2040_4000_2000_8080,
    0x0800_1000_2000_8080,
    0x0000_0800_1000_8280,
    0x000C_0082_4800_4480,
    0x0002_0104_0810_0200,
    0x5001_0210_2821_2400,
    0x008A_040C_4500_8200,
    0x0401_0020_1040_8001,
    0x0028_8110_4001_0323,
    0x8846_2040_0880_1202,
    0x8000_2010_0100_6825,
    0x0452_0010_0804_2002,
    0x1009_0008_0400_0201,
    0x0011_0208_0090_0164,
    0x0A00_0400_4100_8022,
];

pub(crate) const BISHOP_MULTIPLIERS: [u64; 64] = [
    0x14C0_2880_8106_0020,
    0x01C8_0228_0200_2828,
    0x0C04_0414_0040_00C4,
    0x0044_4402_8400_2458,
    0x1004_0421_0000_0008,
    0x11A1_0402_410F_0000,
    0x0019_0101_2120_0201,
    0x0802_0045_0841_3000,
    0x1210_2002_1052_0080,
    0x4800_3890_4102_012B,
    0x2022_5200_8401_0801,
    0x4040_020A_0200_0023,
    0x0000_0404_2000_6008,
    0x0000_1104_2240_0800,
    0x800A_0844_0460_0800,
    0x0880_0722_0824_0400,
    0x8114_1441_1102_2600,
    0x0002_8004_0808_0120,
    0x0C10_00E0_8102_4208,
    0xA208_0104_0418_1000,
    0x4002_0104_00A2_0000,
    0x0030_200A_0090_0800,
    0x8020_5005_0802_1000,
    0x9001_1001_2118_0200,
    0x0110_4004_9004_8110,
    0x0008_A801_2002_0088,
    0x0044_0200_0408_0010,
    0x3082_0020_6800_8020,
    0x4401_0010_0100_4000,
    0x0002_0410_2200_4200,
    0x0A18_0085_0104_0110,
    0x0002_0042_5094_0080,
    0x0044_4249_12C0_1050,
    0x4848_2410_0084_8104,
    0x0480_1804_0188_0440,
    0x0000_4401_0804_0100,
    0x0621_0202_0004_0050,
    0x1024_0890_8108_0803,
    0x1102_2809_2002_0080,
    0x0202_0200_5408_2401,
    0x0120_8804_4001_1080,
    0x0104_0201_0424_1024,
    0x0082_0110_8800_1080,
    0x3000_0060_1100_0812,
    0x000C_C021_0A00_2100,
    0x0020_4802_0810_0020,
    0xB208_1021_0042_0A00,
    0x0804_0806_2C21_0042,
    0x5160_8404_0240_4004,
    0x0402_0082_0110_4020,
    0x0041_02A2_0130_0000,
    0x4201_0A08_4202_0140,
    0x0000_0012_8202_0404,
    0x4208_50E4_8808_2044,
    0x0240_0508_4091_0200,
    0x0442_2401_6401_0002,
    0xC802_0202_0082_0800,
    0x0403_802C_0606_3000,
    0x0100_1800_4864_1003,
    0x8000_4000_1104_0902,
    0x0040_0117_1002_0220,
    0x0084_080A_1001_0200,
    0x0000_4008_2200_8206,
    0x4022_0888_0800_4841,
];
