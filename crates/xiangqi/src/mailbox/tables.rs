//! The tables of the 16x16 board, all constant.
//!
//! A cell is a number of two hexadecimal digits, row and column. The board is columns 3 to 11 and rows 3 to 12, Black
//! on top, with a margin wide enough that no step of a piece leaves the 256 numbers. Bit 0x80 is set in Red's half.
//! Zero is never a cell of the board, so it ends lists and stands for "none".

use crate::square::Square;

/// The cell of each square.
pub(crate) static CELL_OF_SQUARE: [u8; Square::COUNT] = {
    let mut cells = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let Some(square) = Square::from_index(index) else { unreachable!() };
        cells[index] = ((12 - square.rank()) * 16 + 3 + square.file()) as u8;
        index += 1;
    }
    cells
};

/// The square of each cell; [`OFF_BOARD`] for the margin.
pub(crate) static SQUARE_OF_CELL: [u8; 256] = {
    let mut squares = [OFF_BOARD; 256];
    let mut index = 0;
    while index < Square::COUNT {
        let Some(square) = Square::from_index(index) else { unreachable!() };
        squares[(12 - square.rank()) * 16 + 3 + square.file()] = index as u8;
        index += 1;
    }
    squares
};

/// The value of [`SQUARE_OF_CELL`] for the margin.
pub(crate) const OFF_BOARD: u8 = u8::MAX;

/// Whether a cell is on the board.
pub(crate) static IS_ON_BOARD: [bool; 256] = {
    let mut table = [false; 256];
    let mut cell = 0;
    while cell < 256 {
        table[cell] = cell >> 4 >= 3 && cell >> 4 <= 12 && cell & 15 >= 3 && cell & 15 <= 11;
        cell += 1;
    }
    table
};

/// Whether a cell is in one of the two palaces.
pub(crate) static IS_IN_PALACE: [bool; 256] = {
    let mut table = [false; 256];
    let mut cell = 0;
    while cell < 256 {
        let (row, column) = (cell >> 4, cell & 15);
        table[cell] = column >= 6 && column <= 8 && ((row >= 3 && row <= 5) || (row >= 10 && row <= 12));
        cell += 1;
    }
    table
};

/// The steps of the king, which are also those to the legs of a horse.
pub(crate) const KING_STEPS: [i16; 4] = [-0x10, -1, 1, 0x10];
/// The steps of the advisor, which are also those to the eyes of an elephant, at half its move.
pub(crate) const ADVISOR_STEPS: [i16; 4] = [-0x11, -0x0F, 0x0F, 0x11];
/// The jumps of the horse, each with the step to its leg.
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

/// Returns whether a cell is in Red's half.
pub(crate) const fn is_in_red_half(cell: u8) -> bool {
    cell & 0x80 != 0
}

/// A list of cells for each cell, closed by 0.
pub(crate) type CellLists<const N: usize> = [[u8; N]; 256];

const fn cell_after_step(cell: usize, step: i16) -> usize {
    (cell as i16 + step) as usize & 0xFF
}

const fn palace_targets(steps: [i16; 4]) -> CellLists<5> {
    let mut lists = [[0; 5]; 256];
    let mut cell = 0;
    while cell < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 4 && IS_ON_BOARD[cell] {
            let target = cell_after_step(cell, steps[i]);
            if IS_IN_PALACE[target] {
                lists[cell][len] = target as u8;
                len += 1;
            }
            i += 1;
        }
        cell += 1;
    }
    lists
}

/// The targets of a king.
pub(crate) static KING_TARGETS: CellLists<5> = palace_targets(KING_STEPS);
/// The targets of an advisor.
pub(crate) static ADVISOR_TARGETS: CellLists<5> = palace_targets(ADVISOR_STEPS);

/// The moves of a leaper: targets, and under the same index the cell that must be empty: the horse's leg, the
/// elephant's eye.
pub(crate) struct LeaperMoves<const N: usize> {
    /// The targets.
    pub(crate) targets: CellLists<N>,
    /// The cell that must be empty for each target.
    pub(crate) blockers: CellLists<N>,
}

/// The moves of an elephant, which does not cross the river.
pub(crate) static ELEPHANT_MOVES: LeaperMoves<5> = {
    let mut moves = LeaperMoves { targets: [[0; 5]; 256], blockers: [[0; 5]; 256] };
    let mut cell = 0;
    while cell < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 4 && IS_ON_BOARD[cell] {
            let (eye, target) =
                (cell_after_step(cell, ADVISOR_STEPS[i]), cell_after_step(cell, 2 * ADVISOR_STEPS[i]));
            if IS_ON_BOARD[target] && is_in_red_half(cell as u8) == is_in_red_half(target as u8) {
                moves.targets[cell][len] = target as u8;
                moves.blockers[cell][len] = eye as u8;
                len += 1;
            }
            i += 1;
        }
        cell += 1;
    }
    moves
};

/// The moves of a horse; a list has up to eight targets and an end, padded to twelve bytes.
pub(crate) static HORSE_MOVES: LeaperMoves<12> = {
    let mut moves = LeaperMoves { targets: [[0; 12]; 256], blockers: [[0; 12]; 256] };
    let mut cell = 0;
    while cell < 256 {
        let (mut len, mut i) = (0, 0);
        while i < 8 && IS_ON_BOARD[cell] {
            let (step, leg) = HORSE_STEPS[i];
            let target = cell_after_step(cell, step);
            if IS_ON_BOARD[target] {
                moves.targets[cell][len] = target as u8;
                moves.blockers[cell][len] = cell_after_step(cell, leg) as u8;
                len += 1;
            }
            i += 1;
        }
        cell += 1;
    }
    moves
};

/// The targets of a soldier of each side: forward, and sideways once it has crossed the river.
pub(crate) static SOLDIER_TARGETS: [CellLists<4>; 2] = {
    let mut lists = [[[0; 4]; 256]; 2];
    let mut cell = 0;
    while cell < 256 {
        let mut side = 0;
        while side < 2 && IS_ON_BOARD[cell] {
            let steps = [if side == 0 { -0x10 } else { 0x10 }, -1, 1];
            let crossed = is_in_red_half(cell as u8) != (side == 0);
            let (mut len, mut i) = (0, 0);
            while i < if crossed { 3 } else { 1 } {
                let target = cell_after_step(cell, steps[i]);
                if IS_ON_BOARD[target] {
                    lists[side][cell][len] = target as u8;
                    len += 1;
                }
                i += 1;
            }
            side += 1;
        }
        cell += 1;
    }
    lists
};

/// The step to the leg of a horse's jump, by `target - origin + 256`; 0 if it is not a horse's jump.
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

/// The kind of a step, by `target - origin + 256`.
pub(crate) static STEP_KINDS: [StepKind; 512] = {
    let mut kinds = [StepKind::None; 512];
    let mut i = 0;
    while i < 4 {
        kinds[(KING_STEPS[i] + 256) as usize] = StepKind::King;
        kinds[(ADVISOR_STEPS[i] + 256) as usize] = StepKind::Advisor;
        kinds[(2 * ADVISOR_STEPS[i] + 256) as usize] = StepKind::Elephant;
        i += 1;
    }
    kinds
};

/// The kind of a king's, advisor's or elephant's step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// Not a step of these pieces.
    None,
    /// One square along a rank or file.
    King,
    /// One square along a diagonal.
    Advisor,
    /// Two squares along a diagonal.
    Elephant,
}

/// The ends of the moves of rook and cannon along a line, in both directions: 0 = towards lower numbers (up, left), 1 =
/// towards higher. In a file the values are 16 times the row, in a rank the column; 0 where there is nothing to
/// capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineEnds {
    /// The furthest empty cell; the piece's own if there is none.
    pub(crate) quiet: [u8; 2],
    /// The first piece.
    pub(crate) rook: [u8; 2],
    /// The second piece.
    pub(crate) cannon: [u8; 2],
}

/// The moves of rook and cannon along a line as words: bit 0 is the first square of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineMasks {
    /// Every empty square up to the first piece, both ways.
    pub(crate) quiet: u16,
    /// The first piece each way.
    pub(crate) rook: u16,
    /// The second piece each way.
    pub(crate) cannon: u16,
}

/// Returns the lowest set bit as a mask, 0 for 0.
const fn lowest(word: u16) -> u16 {
    word & word.wrapping_neg()
}

const fn highest(word: u16) -> u16 {
    if word == 0 { 0 } else { 0x8000 >> word.leading_zeros() }
}

/// Returns the moves from the square at an index of a line of `len` squares, given its occupied squares.
pub(crate) const fn line_masks(len: u32, index: u32, pieces: u16) -> LineMasks {
    let own_bit = 1_u16 << index;
    let below = pieces & (own_bit - 1);
    let above = pieces & !(own_bit | (own_bit - 1));
    let (down, up) = (highest(below), lowest(above));
    // From just above the first piece below, to just below the first piece above.
    let floor = if down == 0 { 0 } else { down | (down - 1) };
    let ceiling = if up == 0 { (1_u32 << len) as u16 - 1 } else { up - 1 };
    LineMasks {
        quiet: ceiling & !floor & !own_bit,
        rook: down | up,
        cannon: highest(below & !down) | lowest(above & !up),
    }
}

/// Returns the ends of the moves from the square at an index of a line. `cell_step` is the difference between
/// neighbouring cells of the line.
const fn line_ends(len: u32, index: u32, pieces: u16, cell_step: u8) -> LineEnds {
    let own_bit = 1_u16 << index;
    let masks = line_masks(len, index, pieces);
    let (below, above) = (own_bit - 1, !(own_bit | (own_bit - 1)));
    LineEnds {
        quiet: [
            outermost_or_own(masks.quiet & below, index, true, cell_step),
            outermost_or_own(masks.quiet & above, index, false, cell_step),
        ],
        rook: [coordinate_of(masks.rook & below, cell_step), coordinate_of(masks.rook & above, cell_step)],
        cannon: [
            coordinate_of(masks.cannon & below, cell_step),
            coordinate_of(masks.cannon & above, cell_step),
        ],
    }
}

/// Returns the coordinate of the one bit of a word, 0 for none. Lines start at row or column 3.
const fn coordinate_of(bit: u16, cell_step: u8) -> u8 {
    if bit == 0 { 0 } else { (bit.trailing_zeros() as u8 + 3) * cell_step }
}

const fn outermost_or_own(empty: u16, index: u32, lower: bool, cell_step: u8) -> u8 {
    let bit = if lower { lowest(empty) } else { highest(empty) };
    coordinate_of(if bit == 0 { 1 << index } else { bit }, cell_step)
}

macro_rules! line_table {
    ($name:ident, $kind:ty, $len:literal, $words:literal, $entry:expr, $doc:literal) => {
        #[doc = $doc]
        pub(crate) static $name: [[$kind; $words]; $len] = {
            let mut table = [[$entry(0, 0); $words]; $len];
            let mut index = 0;
            while index < $len {
                let mut pieces = 0;
                while pieces < $words {
                    table[index][pieces] = $entry(index as u32, pieces as u16);
                    pieces += 1;
                }
                index += 1;
            }
            table
        };
    };
}

const fn file_ends(index: u32, pieces: u16) -> LineEnds {
    line_ends(10, index, pieces, 16)
}

const fn rank_ends(index: u32, pieces: u16) -> LineEnds {
    line_ends(9, index, pieces, 1)
}

const fn file_masks(index: u32, pieces: u16) -> LineMasks {
    line_masks(10, index, pieces)
}

const fn rank_masks(index: u32, pieces: u16) -> LineMasks {
    line_masks(9, index, pieces)
}

line_table!(
    FILE_ENDS,
    LineEnds,
    10,
    1024,
    file_ends,
    "The ends of moves in a file, by row from the top and the occupied squares."
);
line_table!(
    RANK_ENDS,
    LineEnds,
    9,
    512,
    rank_ends,
    "The ends of moves in a rank, by file and the occupied squares."
);
line_table!(
    FILE_MASKS,
    LineMasks,
    10,
    1024,
    file_masks,
    "The moves in a file as words, by row from the top and the occupied squares."
);
line_table!(
    RANK_MASKS,
    LineMasks,
    9,
    512,
    rank_masks,
    "The moves in a rank as words, by file and the occupied squares."
);
