//! All tables over dense points, all of them constant.
//!
//! A line of the board is a small word, bit by point. What a rook or a cannon can do along it depends on the *inner*
//! points only: whether the last point of a line is occupied decides what may be taken there, never how far a man
//! sees. So the tables are indexed without the two ends, 128 words for a rank and 256 for a file, and rook and cannon
//! together take 14,848 bytes, which stay in the nearest cache. Horses and elephants are looked up by the four points
//! that can block them, a number of four bits, in tables of 23,040 bytes each.

use alfil_kernel::{BitSet, Side};

use crate::board::SquareSet;
use crate::piece::PieceKind;
use crate::square::Square;

mod reverse_attacks;

pub use reverse_attacks::HORSE_ORIGINS;

/// Every point of the board.
pub const ALL_SQUARES: SquareSet = BitSet((1 << Square::COUNT) - 1);

/// The points of the a-file; shifted left by the number of a file, the points of that file.
pub const FILE_A: SquareSet = BitSet(file_a());

/// The nine points of Red's rank; shifted left by nine times the number of a rank, the points of that rank.
pub const RANK_0: SquareSet = BitSet((1 << Square::FILES) - 1);

/// The four neighbours that can be a horse's leg, in the order of the bits of a leg index: those along the rank have
/// bits 0 and 2, those along the file 1 and 3.
pub(crate) const LEGS: [(isize, isize); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];

/// The four neighbours that can be an elephant's eye, in the order of the bits of an eye index: those in the rank
/// below have bits 0 and 2, those in the rank above 1 and 3.
pub(crate) const EYES: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

const fn file_a() -> u128 {
    let (mut set, mut rank) = (0, 0);
    while rank < Square::RANKS {
        set |= 1 << (rank * Square::FILES);
        rank += 1;
    }
    set
}

/// The set of one point, or of none.
pub(crate) const fn square_bit(square: Option<Square>) -> u128 {
    match square {
        Some(square) => 1 << square.index(),
        None => 0,
    }
}

pub(crate) const fn square_at(index: usize) -> Square {
    Square::from_index(index).expect("a dense number")
}

// ---- lines -----------------------------------------------------------------------------------------------------

/// What a rook and a cannon can do along one line, bit by point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMoves {
    /// The empty points each way and the first man, as far as the line goes.
    pub rook: u16,
    /// Where the second man each way stands, or the end of the line if only that point is left: what a cannon
    /// takes, if an enemy stands there.
    pub cannon: u16,
}

impl LineMoves {
    /// Where a cannon goes: the empty points, and the second man each way if there is one.
    #[inline(always)]
    pub(crate) fn cannon_targets(self, word: u16) -> u16 {
        (self.rook & !word) | (self.cannon & word)
    }
}

/// A rank by the place in it and the occupancy of its seven inner points.
pub(crate) static RANK_LINES: [[LineMoves; 128]; Square::FILES] = line_moves_table();
/// A file by the place in it and the occupancy of its eight inner points.
pub(crate) static FILE_LINES: [[LineMoves; 256]; Square::RANKS] = line_moves_table();

const fn line_moves_table<const INNER: usize, const LENGTH: usize>() -> [[LineMoves; INNER]; LENGTH] {
    let mut table = [[LineMoves { rook: 0, cannon: 0 }; INNER]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut inner = 0;
        while inner < INNER {
            let (below, above) = (ray_moves(LENGTH, place, inner, -1), ray_moves(LENGTH, place, inner, 1));
            table[place][inner] =
                LineMoves { rook: below.rook | above.rook, cannon: below.cannon | above.cannon };
            inner += 1;
        }
        place += 1;
    }
    table
}

/// One way along a line of that length, seen from `place`.
const fn ray_moves(length: usize, place: usize, inner: usize, step: isize) -> LineMoves {
    let mut line = LineMoves { rook: 0, cannon: 0 };
    let (mut men, mut p) = (0, place as isize + step);
    while p >= 0 && p < length as isize {
        let end = p == 0 || p + 1 == length as isize;
        let occupied = !end && inner >> (p - 1) & 1 == 1;
        if men == 0 {
            line.rook |= 1 << p;
        } else if occupied || end {
            line.cannon |= 1 << p;
            return line;
        }
        men += occupied as usize;
        p += step;
    }
    line
}

/// A file's word by its lower and upper five bits: the points of half an a-file.
static HALF_FILES: [u64; 32] = {
    let mut table = [0; 32];
    let mut word = 0;
    while word < 32 {
        let mut rank = 0;
        while rank < 5 {
            table[word] |= ((word >> rank & 1) as u64) << (rank * Square::FILES);
            rank += 1;
        }
        word += 1;
    }
    table
};

/// The points of a rank's word.
#[inline(always)]
pub fn rank_squares(word: u16, rank: usize) -> SquareSet {
    BitSet(u128::from(word) << (rank * Square::FILES))
}

/// The points of a file's word.
#[inline(always)]
pub fn file_squares(word: u16, file: usize) -> SquareSet {
    let (low, high) = (HALF_FILES[word as usize & 31], HALF_FILES[word as usize >> 5 & 31]);
    // The mask tells the compiler that no bit crosses two words.
    BitSet((u128::from(low) | u128::from(high) << 45) << (file & 15))
}

/// The word of a rank: a shift and a mask.
#[inline(always)]
pub fn rank_word(set: SquareSet, rank: usize) -> u16 {
    (set.0 >> (rank * Square::FILES)) as u16 & 0x1FF
}

/// The word of a file: its bits stand nine apart, and one multiplication moves five of them together, as bit 9i
/// times 2^(32 - 8i) is bit 32 + i.
#[inline(always)]
pub fn file_word(set: SquareSet, file: usize) -> u16 {
    const GATHER: u64 = 0x1_0101_0101;
    let column = set.0 >> (file & 15) & FILE_A.0;
    let half = |bits: u64| (bits.wrapping_mul(GATHER) >> 32) as u16 & 31;
    half(column as u64 & ((1 << 45) - 1)) | half((column >> 45) as u64) << 5
}

/// What is occupied, line by line: a word for each rank and each file, kept up to date by the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LineOccupancy {
    /// With an empty rank on both sides, so that a man on the edge has neighbours to ask.
    ranks: [u16; Square::RANKS + 2],
    files: [u16; Square::FILES],
}

impl LineOccupancy {
    /// The lines of a set.
    pub fn from_set(set: SquareSet) -> LineOccupancy {
        let mut lines = LineOccupancy::default();
        set.iter().for_each(|square| lines.toggle(square_at(square)));
        lines
    }

    /// Puts or lifts: the point changes.
    #[inline(always)]
    pub fn toggle(&mut self, square: Square) {
        self.ranks[square.rank() + 1] ^= 1 << square.file();
        self.files[square.file()] ^= 1 << square.rank();
    }

    /// A rank's word.
    #[inline(always)]
    pub fn rank(&self, rank: usize) -> u16 {
        self.ranks[rank + 1]
    }

    /// A file's word.
    #[inline(always)]
    pub fn file(&self, file: usize) -> u16 {
        self.files[file]
    }

    #[inline(always)]
    fn line_moves(&self, square: Square) -> (LineMoves, LineMoves) {
        let (file, rank) = (square.file(), square.rank());
        let along_rank = RANK_LINES[file][usize::from(self.ranks[rank + 1] >> 1 & 127)];
        let along_file = FILE_LINES[rank][usize::from(self.files[file] >> 1 & 255)];
        (along_rank, along_file)
    }

    /// What a rook sees: the empty points each way and the first man.
    #[inline(always)]
    pub fn rook_targets(&self, square: Square) -> SquareSet {
        let (along_rank, along_file) = self.line_moves(square);
        rank_squares(along_rank.rook, square.rank()) | file_squares(along_file.rook, square.file())
    }

    /// Where a cannon goes: the empty points each way, and the second man.
    #[inline(always)]
    pub fn cannon_targets(&self, square: Square) -> SquareSet {
        let (file, rank) = (square.file(), square.rank());
        let (along_rank, along_file) = self.line_moves(square);
        rank_squares(along_rank.cannon_targets(self.ranks[rank + 1]), rank)
            | file_squares(along_file.cannon_targets(self.files[file]), file)
    }

    /// Which of the four neighbours `LEGS` are occupied, as four bits.
    #[inline(always)]
    pub fn leg_index(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        let along_rank = (usize::from(self.ranks[rank + 1]) << 1) >> file & 5;
        let along_file = (usize::from(self.files[file]) << 1) >> rank & 5;
        along_rank | along_file << 1
    }

    /// Which of the four neighbours `EYES` are occupied, as four bits.
    #[inline(always)]
    pub fn eye_index(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        let below = (usize::from(self.ranks[rank]) << 1) >> file & 5;
        let above = (usize::from(self.ranks[rank + 2]) << 1) >> file & 5;
        below | above << 1
    }
}

// ---- leapers ---------------------------------------------------------------------------------------------------

/// Where a horse goes, by its point and the legs that are occupied.
pub static HORSE_TARGETS: [[SquareSet; 16]; Square::COUNT] = targets_by_blockers(true);
/// Where an elephant goes, by its point and the eyes that are occupied.
pub static ELEPHANT_TARGETS: [[SquareSet; 16]; Square::COUNT] = targets_by_blockers(false);

const fn targets_by_blockers(horse: bool) -> [[SquareSet; 16]; Square::COUNT] {
    let mut table = [[BitSet(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let over = if horse {
            horse_targets_by_leg(square_at(index))
        } else {
            elephant_targets_by_eye(square_at(index))
        };
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = BitSet(unblocked_targets(over, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
}

/// The point of each leg of a horse; where it is beyond the edge, the horse's own.
pub(crate) static LEG_SQUARES: [[u8; 4]; Square::COUNT] = blocker_squares(&LEGS);
/// The point of each eye of an elephant; where it is beyond the edge, the elephant's own.
pub(crate) static EYE_SQUARES: [[u8; 4]; Square::COUNT] = blocker_squares(&EYES);

const fn blocker_squares(steps: &[(isize, isize); 4]) -> [[u8; 4]; Square::COUNT] {
    let mut table = [[0; 4]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut i = 0;
        while i < 4 {
            table[index][i] = match square_at(index).step(steps[i].0, steps[i].1) {
                Some(blocker) => blocker.index() as u8,
                None => index as u8,
            };
            i += 1;
        }
        index += 1;
    }
    table
}

/// What is reached over those of four neighbours whose bit is not in `blocked`.
pub(crate) const fn unblocked_targets(over: [u128; 4], blocked: usize) -> u128 {
    let (mut set, mut i) = (0, 0);
    while i < 4 {
        if blocked >> i & 1 == 0 {
            set |= over[i];
        }
        i += 1;
    }
    set
}

/// The points to which a horse goes over each of its four legs.
pub(crate) const fn horse_targets_by_leg(square: Square) -> [u128; 4] {
    let (mut over, mut i) = ([0; 4], 0);
    while i < 4 {
        let (dx, dy) = LEGS[i];
        // One step along the line and then one diagonally outward: two along it and one to either side.
        over[i] = square_bit(square.step(2 * dx + dy, 2 * dy + dx))
            | square_bit(square.step(2 * dx - dy, 2 * dy - dx));
        i += 1;
    }
    over
}

/// The point to which an elephant goes over each of its four eyes: it stays in the half it stands in.
pub(crate) const fn elephant_targets_by_eye(square: Square) -> [u128; 4] {
    let (mut over, mut i) = ([0; 4], 0);
    while i < 4 {
        let (dx, dy) = EYES[i];
        over[i] = match square.step(2 * dx, 2 * dy) {
            Some(target) if target.half() as u8 == square.half() as u8 => 1 << target.index(),
            _ => 0,
        };
        i += 1;
    }
    over
}

/// Returns whether the square lies in either palace.
pub const fn is_in_any_palace(square: Square) -> bool {
    square.is_in_palace(Side::First) || square.is_in_palace(Side::Second)
}

/// Where an advisor goes: to palace points only, of either palace.
pub static ADVISOR_TARGETS: [SquareSet; Square::COUNT] = {
    let mut table = [BitSet(0); Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut i = 0;
        while i < 4 {
            if let Some(target) = square_at(index).step(EYES[i].0, EYES[i].1)
                && is_in_any_palace(target)
            {
                table[index].0 |= 1 << target.index();
            }
            i += 1;
        }
        index += 1;
    }
    table
};

/// Where a side's soldier goes: forward, and sideways across the river.
pub static SOLDIER_TARGETS: [[SquareSet; Square::COUNT]; 2] = {
    let mut table = [[BitSet(0); Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = square_at(index);
        let mut i = 0;
        while i < 2 {
            table[i][index].0 |= square_bit(square.step(0, if i == 0 { 1 } else { -1 }));
            if square.half() as usize != i {
                table[i][index].0 |= square_bit(square.step(-1, 0)) | square_bit(square.step(1, 0));
            }
            i += 1;
        }
        index += 1;
    }
    table
};

/// From where a side's soldier comes to a point; a soldier beside it stands across the river if the point does.
pub static SOLDIER_ORIGINS: [[SquareSet; Square::COUNT]; 2] = {
    let mut table = [[BitSet(0); Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = square_at(index);
        let mut i = 0;
        while i < 2 {
            table[i][index].0 |= square_bit(square.step(0, if i == 0 { -1 } else { 1 }));
            if square.half() as usize != i {
                table[i][index].0 |= square_bit(square.step(-1, 0)) | square_bit(square.step(1, 0));
            }
            i += 1;
        }
        index += 1;
    }
    table
};

// ---- palaces ---------------------------------------------------------------------------------------------------

/// What a general sees from its point. The numbers of men that may be between it and an attacker, when the attack is to
/// be one, are the rule: none for a rook, a horse, a soldier and the other general, exactly one for a cannon.
#[derive(Debug)]
pub struct KingAttackTable {
    /// Where it can step.
    pub steps: SquareSet,
    /// The points of its rank and file: here rooks and cannons can attack it.
    pub cross: SquareSet,
    /// The points of its file: here the other general can face it.
    pub file: SquareSet,
    /// Where a horse can attack it.
    pub horses: SquareSet,
    /// Where an enemy soldier attacks it.
    pub soldiers: SquareSet,
    /// What lies between it and a man: on a line the points between, for a horse its leg, else nothing.
    pub between: [SquareSet; Square::COUNT],
}

/// The eighteen points of the palaces, numbered by [`SEAT_OF`].
pub(crate) static KING_ATTACK_TABLES: [KingAttackTable; 18] = {
    let mut seats = [const { build_king_attack_table(square_at(3)) }; 18];
    let mut index = 0;
    while index < Square::COUNT {
        if is_in_any_palace(square_at(index)) {
            seats[KING_ATTACK_TABLE_INDEX[index] as usize] = build_king_attack_table(square_at(index));
        }
        index += 1;
    }
    seats
};

/// The number of each palace point in [`SEATS`]; 0 elsewhere.
pub(crate) static KING_ATTACK_TABLE_INDEX: [u8; Square::COUNT] = {
    let (mut table, mut index, mut next) = ([0; Square::COUNT], 0, 0);
    while index < Square::COUNT {
        if is_in_any_palace(square_at(index)) {
            table[index] = next;
            next += 1;
        }
        index += 1;
    }
    table
};

/// The seat of a general.
#[inline(always)]
pub fn king_attack_table(king: Square) -> &'static KingAttackTable {
    &KING_ATTACK_TABLES[usize::from(KING_ATTACK_TABLE_INDEX[king.index()])]
}

const fn build_king_attack_table(king: Square) -> KingAttackTable {
    let enemy = king.half().other() as usize;
    let file = FILE_A.0 << king.file();
    let rank = RANK_0.0 << (king.rank() * Square::FILES);
    let mut seat = KingAttackTable {
        steps: BitSet(0),
        cross: BitSet((file | rank) & !(1 << king.index())),
        file: BitSet(file & !(1 << king.index())),
        horses: BitSet(0),
        soldiers: SOLDIER_ORIGINS[enemy][king.index()],
        between: [BitSet(0); Square::COUNT],
    };
    let mut i = 0;
    while i < 4 {
        let (dx, dy) = LEGS[i];
        if let Some(target) = king.step(dx, dy)
            && is_in_any_palace(target)
        {
            seat.steps.0 |= 1 << target.index();
        }
        // Along the line: what lies between grows as the walk goes on.
        let (mut walked, mut reached) = (0, king.step(dx, dy));
        while let Some(square) = reached {
            seat.between[square.index()] = BitSet(walked);
            walked |= 1 << square.index();
            reached = square.step(dx, dy);
        }
        // A horse attacks over the point diagonal to the general, from one step beyond it, along either line.
        let (dx, dy) = EYES[i];
        if let Some(leg) = king.step(dx, dy) {
            let (horses, mut k) = ([king.step(2 * dx, dy), king.step(dx, 2 * dy)], 0);
            while k < 2 {
                if let Some(horse) = horses[k] {
                    seat.horses.0 |= 1 << horse.index();
                    seat.between[horse.index()] = BitSet(1 << leg.index());
                }
                k += 1;
            }
        }
        i += 1;
    }
    seat
}

// ---- attackers -------------------------------------------------------------------------------------------------

fn to_set(square: Option<Square>) -> SquareSet {
    square.map_or(SquareSet::EMPTY, |square| SquareSet::from_square(square.index()))
}

/// The first and the second man from `square` along a direction.
fn first_two_pieces(
    square: Square,
    (files, ranks): (isize, isize),
    occupied: SquareSet,
) -> [Option<Square>; 2] {
    let ray = core::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
    let mut men = ray.filter(|at| occupied.contains(at.index()));
    [men.next(), men.next()]
}

/// The men of a side that could go to `square` if an enemy stood there, or the enemy's general if `flying`; `of` gives
/// the side's men of a kind.
pub fn attackers_to(
    square: Square,
    by: Side,
    occupied: SquareSet,
    flying: bool,
    of: impl Fn(PieceKind) -> SquareSet,
) -> SquareSet {
    let mut found = SquareSet::EMPTY;
    for direction in LEGS {
        let [first, second] = first_two_pieces(square, direction, occupied);
        found = found | (to_set(first) & of(PieceKind::Rook)) | (to_set(second) & of(PieceKind::Cannon));
        if flying && direction.0 == 0 {
            // The generals may not face each other, so each attacks the other along an empty file.
            found = found | (to_set(first) & of(PieceKind::King));
        }
        if square.is_in_palace(Side::First) || square.is_in_palace(Side::Second) {
            found = found | (to_set(square.step(direction.0, direction.1)) & of(PieceKind::King));
        }
    }
    for (files, ranks) in EYES {
        let near = square.step(files, ranks);
        if square.is_in_palace(Side::First) || square.is_in_palace(Side::Second) {
            found = found | (to_set(near) & of(PieceKind::Advisor));
        }
        let Some(block) = near.filter(|near| !occupied.contains(near.index())) else { continue };
        let elephant = square.step(2 * files, 2 * ranks).filter(|from| from.half() == square.half());
        found = found | (to_set(elephant) & of(PieceKind::Elephant));
        // The diagonal neighbour is the leg of two horses.
        found =
            found | ((to_set(block.step(files, 0)) | to_set(block.step(0, ranks))) & of(PieceKind::Horse));
    }
    let back = if by == Side::First { -1 } else { 1 };
    found = found | (to_set(square.step(0, back)) & of(PieceKind::Soldier));
    if square.half() != by {
        let beside = to_set(square.step(1, 0)) | to_set(square.step(-1, 0));
        found = found | (beside & of(PieceKind::Soldier));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    /// A third of the points, at random.
    fn random_squares(random: &mut SplitMix64) -> SquareSet {
        SquareSet::from_squares((0..Square::COUNT).filter(|_| random.below(3) == 0))
    }

    #[test]
    fn rook_and_cannon_together_take_what_the_note_says() {
        assert_eq!(size_of_val(&RANK_LINES) + size_of_val(&FILE_LINES), 14_848);
    }

    #[test]
    fn words_and_points_are_inverse() {
        let mut random = SplitMix64::new(9);
        for _ in 0..200 {
            let set = random_squares(&mut random);
            let ranks = (0..Square::RANKS).map(|rank| rank_squares(rank_word(set, rank), rank));
            let files = (0..Square::FILES).map(|file| file_squares(file_word(set, file), file));
            assert_eq!(ranks.fold(SquareSet::EMPTY, |all, rank| all | rank), set);
            assert_eq!(files.fold(SquareSet::EMPTY, |all, file| all | file), set);
            let lines = LineOccupancy::from_set(set);
            assert!((0..Square::RANKS).all(|rank| lines.rank(rank) == rank_word(set, rank)));
            assert!((0..Square::FILES).all(|file| lines.file(file) == file_word(set, file)));
        }
    }

    #[test]
    fn lines_see_what_a_walk_sees() {
        let mut random = SplitMix64::new(10);
        for _ in 0..50 {
            let set = random_squares(&mut random);
            let lines = LineOccupancy::from_set(set);
            for square in Square::all() {
                let (mut rook, mut cannon) = (SquareSet::EMPTY, SquareSet::EMPTY);
                for (files, ranks) in LEGS {
                    let mut men = 0;
                    let way = core::iter::successors(square.step(files, ranks), |at| at.step(files, ranks));
                    for at in way {
                        let here = SquareSet::from_square(at.index());
                        let man = set.intersects(here);
                        rook = rook | if men == 0 { here } else { SquareSet::EMPTY };
                        let goes = (men == 0 && !man) || (men == 1 && man);
                        cannon = cannon | if goes { here } else { SquareSet::EMPTY };
                        men += usize::from(man);
                    }
                }
                assert_eq!(lines.rook_targets(square), rook, "{square} among {set:?}");
                assert_eq!(lines.cannon_targets(square), cannon, "{square} among {set:?}");
            }
        }
    }
}
