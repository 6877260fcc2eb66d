//! The tables of the 16x16 board, all constant.
//!
//! A place is a number of two hexadecimal digits, row and column. The board is columns 3 to 11 and rows 3 to 12, Black
//! on top, with a margin wide enough that no step of a man leaves the 256 numbers. Bit 0x80 is set in Red's half. Zero is
//! never a place of the board, so it ends lists and stands for "none".

use crate::square::Square;

/// The number of the 16x16 board for each dense point.
pub(crate) static CELL_OF_SQUARE: [u8; Square::COUNT] = {
    let mut wide = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let Some(square) = Square::from_index(index) else { unreachable!() };
        wide[index] = ((12 - square.rank()) * 16 + 3 + square.file()) as u8;
        index += 1;
    }
    wide
};

/// The dense point of each place of the board; [`OFF_BOARD`] for the margin.
pub(crate) static SQUARE_OF_CELL: [u8; 256] = {
    let mut dense = [OFF_BOARD; 256];
    let mut index = 0;
    while index < Square::COUNT {
        let Some(square) = Square::from_index(index) else { unreachable!() };
        dense[(12 - square.rank()) * 16 + 3 + square.file()] = index as u8;
        index += 1;
    }
    dense
};

/// What [`DENSE`] holds for the margin.
pub(crate) const OFF_BOARD: u8 = u8::MAX;

/// Whether a number is a place of the board.
pub(crate) static IS_ON_BOARD: [bool; 256] = {
    let mut table = [false; 256];
    let mut place = 0;
    while place < 256 {
        table[place] = place >> 4 >= 3 && place >> 4 <= 12 && place & 15 >= 3 && place & 15 <= 11;
        place += 1;
    }
    table
};

/// Whether a place lies in one of the two palaces.
pub(crate) static IS_IN_PALACE: [bool; 256] = {
    let mut table = [false; 256];
    let mut place = 0;
    while place < 256 {
        let (row, column) = (place >> 4, place & 15);
        table[place] = column >= 6 && column <= 8 && ((row >= 3 && row <= 5) || (row >= 10 && row <= 12));
        place += 1;
    }
    table
};

/// The steps of the general, which are also the legs of the horse.
pub(crate) const KING_STEPS: [i16; 4] = [-0x10, -1, 1, 0x10];
/// The steps of the advisor, which are also the eyes of the elephant, at half its way.
pub(crate) const ADVISOR_STEPS: [i16; 4] = [-0x11, -0x0F, 0x0F, 0x11];
/// The jumps of the horse, and under the same index its leg.
pub(crate) const HORSE_STEPS: [(i16, i16); 8] = [
    (-0x21, -0x10),
    (-0x1F, -0x10),
    (-0x12, -1),
    (-0x0E, 1),
    (0x0E, -1),
    (0x12, 1),
    (0x1F, 0x10),
    (0x21, 0x10),
];

/// Whether a place lies in Red's half.
pub(crate) const fn is_in_red_half(place: u8) -> bool {
    place & 0x80 != 0
}

/// A list of places for each place, closed by 0.
pub(crate) type CellLists<const N: usize> = [[u8; N]; 256];

const fn cell_after_step(place: usize, step: i16) -> usize {
    (place as i16 + step) as usize & 0xFF
}

const fn palace_targets(steps: [i16; 4]) -> CellLists<5> {
    let mut lists = [[0; 5]; 256];
    let mut place = 0;
    while place < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 4 && IS_ON_BOARD[place] {
            let target = cell_after_step(place, steps[i]);
            if IS_IN_PALACE[target] {
                lists[place][len] = target as u8;
                len += 1;
            }
            i += 1;
        }
        place += 1;
    }
    lists
}

/// Where a general can go.
pub(crate) static KING_TARGETS: CellLists<5> = palace_targets(KING_STEPS);
/// Where an advisor can go.
pub(crate) static ADVISOR_TARGETS: CellLists<5> = palace_targets(ADVISOR_STEPS);

/// Targets, and under the same index the point that must be empty: the horse's leg, the elephant's eye.
pub(crate) struct LeaperMoves<const N: usize> {
    /// Where it can go.
    pub(crate) targets: CellLists<N>,
    /// What must be empty for it.
    pub(crate) blockers: CellLists<N>,
}

/// Where an elephant can go without crossing the river, and its eyes.
pub(crate) static ELEPHANT_MOVES: LeaperMoves<5> = {
    let mut leaps = LeaperMoves { targets: [[0; 5]; 256], blockers: [[0; 5]; 256] };
    let mut place = 0;
    while place < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 4 && IS_ON_BOARD[place] {
            let (eye, target) =
                (cell_after_step(place, ADVISOR_STEPS[i]), cell_after_step(place, 2 * ADVISOR_STEPS[i]));
            if IS_ON_BOARD[target] && is_in_red_half(place as u8) == is_in_red_half(target as u8) {
                leaps.targets[place][len] = target as u8;
                leaps.blockers[place][len] = eye as u8;
                len += 1;
            }
            i += 1;
        }
        place += 1;
    }
    leaps
};

/// Where a horse can go, and its legs; padded to twelve so that a row keeps to its cache lines.
pub(crate) static HORSE_MOVES: LeaperMoves<12> = {
    let mut leaps = LeaperMoves { targets: [[0; 12]; 256], blockers: [[0; 12]; 256] };
    let mut place = 0;
    while place < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 8 && IS_ON_BOARD[place] {
            let (step, leg) = HORSE_STEPS[i];
            let target = cell_after_step(place, step);
            if IS_ON_BOARD[target] {
                leaps.targets[place][len] = target as u8;
                leaps.blockers[place][len] = cell_after_step(place, leg) as u8;
                len += 1;
            }
            i += 1;
        }
        place += 1;
    }
    leaps
};

/// Where a soldier of each side can go: forward, and sideways once it has crossed the river.
pub(crate) static SOLDIER_TARGETS: [CellLists<4>; 2] = {
    let mut lists = [[[0; 4]; 256]; 2];
    let mut place = 0;
    while place < 256 {
        let mut side = 0;
        while side < 2 && IS_ON_BOARD[place] {
            let steps = [if side == 0 { -0x10 } else { 0x10 }, -1, 1];
            let crossed = is_in_red_half(place as u8) != (side == 0);
            let (mut len, mut i) = (0, 0);
            while i < if crossed { 3 } else { 1 } {
                let target = cell_after_step(place, steps[i]);
                if IS_ON_BOARD[target] {
                    lists[side][place][len] = target as u8;
                    len += 1;
                }
                i += 1;
            }
            side += 1;
        }
        place += 1;
    }
    lists
};

/// The leg of a horse's jump by `target - origin + 256`; 0 where that is no horse's jump.
pub(crate) static HORSE_LEGS: [i8; 512] = {
    let mut legs = [0; 512];
    let mut i = 0;
    while i < 8 {
        let (step, leg) = HORSE_STEPS[i];
        legs[(step + 256) as usize] = leg as i8;
        i += 1;
    }
    legs
};

/// What span a general's, advisor's or elephant's step is, by `target - origin + 256`: see [`Span`].
pub(crate) static STEP_KINDS: [StepKind; 512] = {
    let mut spans = [StepKind::None; 512];
    let mut i = 0;
    while i < 4 {
        spans[(KING_STEPS[i] + 256) as usize] = StepKind::King;
        spans[(ADVISOR_STEPS[i] + 256) as usize] = StepKind::Advisor;
        spans[(2 * ADVISOR_STEPS[i] + 256) as usize] = StepKind::Elephant;
        i += 1;
    }
    spans
};

/// The men that leap by a fixed span without turning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// No such man goes so far.
    None,
    /// One point along a line.
    King,
    /// One point along a diagonal.
    Advisor,
    /// Two points along a diagonal.
    Elephant,
}

/// Where rook and cannon on one place of a line come to, in both directions: 0 = towards lower numbers (up, left), 1 =
/// towards higher. In a file the values are 16 times the row, in a rank the column; 0 where there is nothing to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineEnds {
    /// The furthest empty place; its own where there is none.
    pub(crate) quiet: [u8; 2],
    /// The first man.
    pub(crate) rook: [u8; 2],
    /// The second man.
    pub(crate) cannon: [u8; 2],
}

/// The same as sets of places: bit 0 is the first place of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineMasks {
    /// Every empty place up to the first man, both ways.
    pub(crate) quiet: u16,
    /// The first man each way.
    pub(crate) rook: u16,
    /// The second man each way.
    pub(crate) cannon: u16,
}

/// The lowest and the highest set bit as masks, 0 for 0.
const fn lowest(word: u16) -> u16 {
    word & word.wrapping_neg()
}

const fn highest(word: u16) -> u16 {
    if word == 0 { 0 } else { 0x8000 >> word.leading_zeros() }
}

/// What a line of `len` places with these men looks like from one of its places.
pub(crate) const fn line_masks(len: u32, place: u32, men: u16) -> LineMasks {
    let own = 1_u16 << place;
    let below = men & (own - 1);
    let above = men & !(own | (own - 1));
    let (down, up) = (highest(below), lowest(above));
    // From just above the first man below, to just below the first man above.
    let floor = if down == 0 { 0 } else { down | (down - 1) };
    let ceiling = if up == 0 { (1_u32 << len) as u16 - 1 } else { up - 1 };
    LineMasks {
        quiet: ceiling & !floor & !own,
        rook: down | up,
        cannon: highest(below & !down) | lowest(above & !up),
    }
}

const fn line_ends(len: u32, place: u32, men: u16, unit: u8) -> LineEnds {
    let own = 1_u16 << place;
    let masks = line_masks(len, place, men);
    let (below, above) = (own - 1, !(own | (own - 1)));
    LineEnds {
        quiet: [
            outermost_or_own(masks.quiet & below, place, true, unit),
            outermost_or_own(masks.quiet & above, place, false, unit),
        ],
        rook: [coordinate_of(masks.rook & below, unit), coordinate_of(masks.rook & above, unit)],
        cannon: [coordinate_of(masks.cannon & below, unit), coordinate_of(masks.cannon & above, unit)],
    }
}

/// The coordinate of the one bit of a set, 0 for none. Lines start at row or column 3.
const fn coordinate_of(bit: u16, unit: u8) -> u8 {
    if bit == 0 { 0 } else { (bit.trailing_zeros() as u8 + 3) * unit }
}

const fn outermost_or_own(empty: u16, place: u32, lower: bool, unit: u8) -> u8 {
    let bit = if lower { lowest(empty) } else { highest(empty) };
    coordinate_of(if bit == 0 { 1 << place } else { bit }, unit)
}

macro_rules! line_table {
    ($name:ident, $kind:ty, $places:literal, $words:literal, $of:expr, $doc:literal) => {
        #[doc = $doc]
        pub(crate) static $name: [[$kind; $words]; $places] = {
            let mut table = [[$of(0, 0); $words]; $places];
            let mut place = 0;
            while place < $places {
                let mut men = 0;
                while men < $words {
                    table[place][men] = $of(place as u32, men as u16);
                    men += 1;
                }
                place += 1;
            }
            table
        };
    };
}

const fn file_ends(place: u32, men: u16) -> LineEnds {
    line_ends(10, place, men, 16)
}

const fn rank_ends(place: u32, men: u16) -> LineEnds {
    line_ends(9, place, men, 1)
}

const fn file_masks(place: u32, men: u16) -> LineMasks {
    line_masks(10, place, men)
}

const fn rank_masks(place: u32, men: u16) -> LineMasks {
    line_masks(9, place, men)
}

line_table!(FILE_ENDS, LineEnds, 10, 1024, file_ends, "Ends in a file, by place in it and its men.");
line_table!(RANK_ENDS, LineEnds, 9, 512, rank_ends, "Ends in a rank, by place in it and its men.");
line_table!(FILE_MASKS, LineMasks, 10, 1024, file_masks, "Sets in a file, by place in it and its men.");
line_table!(RANK_MASKS, LineMasks, 9, 512, rank_masks, "Sets in a rank, by place in it and its men.");
