//! Lookup tables over square indices, all of them constant.
//!
//! The occupancy of a rank or file is a small word, one bit for each square. What a rook or a cannon can do along it
//! depends on the *inner* squares only: whether the last square of a line is occupied decides what may be captured
//! there, never how far a piece moves. So the tables are indexed without the two ends, 128 words for a rank and 256 for
//! a file; those of rook and cannon together take 14,848 bytes, which stay in the first-level cache. Horses and
//! elephants are looked up by the four squares that can block them, as a number of four bits, in tables of 23,040 bytes
//! each.

use alfil_kernel::Side;

use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, square_at};

/// All squares of the board.
pub const ALL_SQUARES: SquareSet = SquareSet::new((1 << Square::COUNT) - 1);

/// The squares of each side's half.
pub(crate) const HALVES: [SquareSet; 2] =
    [SquareSet::new((1 << 45) - 1), SquareSet::new(((1 << 45) - 1) << 45)];

/// The squares of the a-file; shifted left by the index of a file, the squares of that file.
pub const FILE_A: SquareSet = SquareSet::new(file_a());

/// The nine squares of rank 0; shifted left by nine times the index of a rank, the squares of that rank.
pub const RANK_0: SquareSet = SquareSet::new((1 << Square::FILES) - 1);

/// The steps to the four squares that can be a horse's leg, in the order of the bits of a leg index: those along the
/// rank have bits 0 and 2, those along the file 1 and 3.
pub(crate) const LEGS: [(isize, isize); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];

/// The steps to the four squares that can be an elephant's eye, in the order of the bits of an eye index: those in the
/// rank below have bits 0 and 2, those in the rank above 1 and 3.
pub(crate) const EYES: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

const fn file_a() -> u128 {
    let (mut set, mut rank) = (0, 0);
    while rank < Square::RANKS {
        set |= 1 << (rank * Square::FILES);
        rank += 1;
    }
    set
}

/// Returns the bit of a square, or 0 for none.
pub(crate) const fn square_bit(square: Option<Square>) -> u128 {
    match square {
        Some(square) => 1 << square.index(),
        None => 0,
    }
}

// ---- ranks and files -------------------------------------------------------------------------------------------

/// The moves of a rook and of a cannon along one line, one bit for each square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMoves {
    /// The empty squares each way up to and with the first piece.
    pub rook: u16,
    /// The squares of the second piece each way, or the end of the line if only that square is left: what a cannon
    /// captures if an enemy piece is there.
    pub cannon: u16,
}

impl LineMoves {
    /// Returns the squares to which a cannon moves: the empty squares, and the second piece each way if there is one.
    #[inline(always)]
    pub(crate) fn cannon_targets(self, word: u16) -> u16 {
        (self.rook & !word) | (self.cannon & word)
    }
}

/// The moves along a rank, by the file of the piece and the occupancy of the seven inner squares.
pub(crate) static RANK_LINES: [[LineMoves; 128]; Square::FILES] = line_moves_table();
/// The moves along a file, by the rank of the piece and the occupancy of the eight inner squares.
pub(crate) static FILE_LINES: [[LineMoves; 256]; Square::RANKS] = line_moves_table();

const fn line_moves_table<const INNER: usize, const LENGTH: usize>() -> [[LineMoves; INNER]; LENGTH] {
    let mut table = [[LineMoves { rook: 0, cannon: 0 }; INNER]; LENGTH];
    let mut index = 0;
    while index < LENGTH {
        let mut inner = 0;
        while inner < INNER {
            let (below, above) = (ray_moves(LENGTH, index, inner, -1), ray_moves(LENGTH, index, inner, 1));
            table[index][inner] =
                LineMoves { rook: below.rook | above.rook, cannon: below.cannon | above.cannon };
            inner += 1;
        }
        index += 1;
    }
    table
}

/// Returns the moves in one direction along a line of `length` squares from the square `index`.
const fn ray_moves(length: usize, index: usize, inner: usize, step: isize) -> LineMoves {
    let mut line = LineMoves { rook: 0, cannon: 0 };
    let (mut pieces, mut at) = (0, index as isize + step);
    while at >= 0 && at < length as isize {
        let end = at == 0 || at + 1 == length as isize;
        let occupied = !end && inner >> (at - 1) & 1 == 1;
        if pieces == 0 {
            line.rook |= 1 << at;
        } else if occupied || end {
            line.cannon |= 1 << at;
            return line;
        }
        pieces += occupied as usize;
        at += step;
    }
    line
}

/// The squares of the lower or upper half of the a-file, by five bits of a file's word.
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

/// Returns the squares of a rank's word.
#[inline(always)]
pub fn rank_squares(word: u16, rank: usize) -> SquareSet {
    SquareSet::new(u128::from(word) << (rank * Square::FILES))
}

/// Returns the squares of a file's word.
#[inline(always)]
pub fn file_squares(word: u16, file: usize) -> SquareSet {
    // Each half is shifted alone, because a shift across two words is slower.
    let half = |bits: u16| HALF_FILES[usize::from(bits) & 31] << (file & 15);
    SquareSet::new(u128::from(half(word)) | u128::from(half(word >> 5)) << 45)
}

/// Returns the word of a rank: a shift and a mask.
#[inline(always)]
pub fn rank_word(set: SquareSet, rank: usize) -> u16 {
    (set.0 >> (rank * Square::FILES)) as u16 & 0x1FF
}

/// Returns the word of a file. Its bits are nine apart, and one multiplication gathers five of them, because bit 9i
/// times 2^(32 - 8i) is bit 32 + i.
#[inline(always)]
pub fn file_word(set: SquareSet, file: usize) -> u16 {
    const GATHER: u64 = 0x1_0101_0101;
    const HALF_FILE_A: u64 = FILE_A.0 as u64 & ((1 << 45) - 1);
    let half = |bits: u64| ((bits >> (file & 15) & HALF_FILE_A).wrapping_mul(GATHER) >> 32) as u16 & 31;
    half(set.0 as u64) | half((set.0 >> 45) as u64) << 5
}

/// The occupancy of every rank and file as words, updated by the boards with every change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LineOccupancy {
    /// With an empty rank on both sides, so that [`LineOccupancy::eye_index`] needs no test for the edge.
    ranks: [u16; Square::RANKS + 2],
    files: [u16; Square::FILES],
}

impl LineOccupancy {
    /// Returns the occupancy of a set of squares.
    pub fn from_set(set: SquareSet) -> LineOccupancy {
        let mut lines = LineOccupancy::default();
        set.iter().for_each(|square| lines.toggle(square));
        lines
    }

    /// Changes a square from empty to occupied or back.
    #[inline(always)]
    pub fn toggle(&mut self, square: Square) {
        self.ranks[square.rank() + 1] ^= 1 << square.file();
        self.files[square.file()] ^= 1 << square.rank();
    }

    /// Returns the word of a rank.
    #[inline(always)]
    pub fn rank(&self, rank: usize) -> u16 {
        self.ranks[rank + 1]
    }

    /// Returns the word of a file.
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

    /// Returns the squares that a rook on `square` attacks: the empty squares each way and the first piece.
    #[inline(always)]
    pub fn rook_targets(&self, square: Square) -> SquareSet {
        let (along_rank, along_file) = self.line_moves(square);
        rank_squares(along_rank.rook, square.rank()) | file_squares(along_file.rook, square.file())
    }

    /// Returns the squares to which a cannon on `square` moves: the empty squares each way, and the second piece.
    #[inline(always)]
    pub fn cannon_targets(&self, square: Square) -> SquareSet {
        let (file, rank) = (square.file(), square.rank());
        let (along_rank, along_file) = self.line_moves(square);
        rank_squares(along_rank.cannon_targets(self.ranks[rank + 1]), rank)
            | file_squares(along_file.cannon_targets(self.files[file]), file)
    }

    /// Returns which of the four squares of `LEGS` are occupied, as four bits.
    #[inline(always)]
    pub fn leg_index(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        let along_rank = (usize::from(self.ranks[rank + 1]) << 1) >> file & 5;
        let along_file = (usize::from(self.files[file]) << 1) >> rank & 5;
        along_rank | along_file << 1
    }

    /// Returns which of the four squares of `EYES` are occupied, as four bits.
    #[inline(always)]
    pub fn eye_index(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        let below = (usize::from(self.ranks[rank]) << 1) >> file & 5;
        let above = (usize::from(self.ranks[rank + 2]) << 1) >> file & 5;
        below | above << 1
    }
}

// ---- leapers ---------------------------------------------------------------------------------------------------

/// The targets of a horse, by its square and the leg index.
pub static HORSE_TARGETS: [[SquareSet; 16]; Square::COUNT] = targets_by_blockers(true);
/// The targets of an elephant, by its square and the eye index.
pub static ELEPHANT_TARGETS: [[SquareSet; 16]; Square::COUNT] = targets_by_blockers(false);

const fn targets_by_blockers(horse: bool) -> [[SquareSet; 16]; Square::COUNT] {
    let mut table = [[SquareSet::new(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let targets = if horse {
            horse_targets_by_leg(square_at(index))
        } else {
            elephant_targets_by_eye(square_at(index))
        };
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = SquareSet::new(unblocked_targets(targets, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
}

/// The squares of the legs of a horse; for a leg beyond the edge, the horse's own square.
pub(crate) static LEG_SQUARES: [[u8; 4]; Square::COUNT] = blocker_squares(&LEGS);
/// The squares of the eyes of an elephant; for an eye beyond the edge, the elephant's own square.
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

/// Returns the targets over those of four blocker squares whose bit is not set in `blocked`.
pub(crate) const fn unblocked_targets(targets: [u128; 4], blocked: usize) -> u128 {
    let (mut set, mut i) = (0, 0);
    while i < 4 {
        if blocked >> i & 1 == 0 {
            set |= targets[i];
        }
        i += 1;
    }
    set
}

/// Returns the targets of a horse over each of its four legs.
pub(crate) const fn horse_targets_by_leg(square: Square) -> [u128; 4] {
    let (mut targets, mut i) = ([0; 4], 0);
    while i < 4 {
        let (dx, dy) = LEGS[i];
        // One step along the line and then one diagonally outward: two along it and one to either side.
        targets[i] = square_bit(square.step(2 * dx + dy, 2 * dy + dx))
            | square_bit(square.step(2 * dx - dy, 2 * dy - dx));
        i += 1;
    }
    targets
}

/// Returns the target of an elephant over each of its four eyes: an elephant stays in its half.
pub(crate) const fn elephant_targets_by_eye(square: Square) -> [u128; 4] {
    let (mut targets, mut i) = ([0; 4], 0);
    while i < 4 {
        let (dx, dy) = EYES[i];
        targets[i] = match square.step(2 * dx, 2 * dy) {
            Some(target) if target.half() as u8 == square.half() as u8 => 1 << target.index(),
            _ => 0,
        };
        i += 1;
    }
    targets
}

/// Returns whether the square lies in either palace.
pub const fn is_in_any_palace(square: Square) -> bool {
    square.is_in_palace(Side::First) || square.is_in_palace(Side::Second)
}

/// The targets of an advisor: palace squares only, of either palace.
pub static ADVISOR_TARGETS: [SquareSet; Square::COUNT] = {
    let mut table = [SquareSet::new(0); Square::COUNT];
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

/// The targets of a side's soldier: forward, and sideways across the river.
pub static SOLDIER_TARGETS: [[SquareSet; Square::COUNT]; 2] = soldier_steps([1, -1]);

/// Returns the squares next to each square by a step of ranks for each side, and sideways where it is across the side's
/// river.
const fn soldier_steps(rank_steps: [isize; 2]) -> [[SquareSet; Square::COUNT]; 2] {
    let mut table = [[SquareSet::new(0); Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = square_at(index);
        let mut i = 0;
        while i < 2 {
            table[i][index].0 |= square_bit(square.step(0, rank_steps[i]));
            if square.half() as usize != i {
                table[i][index].0 |= square_bit(square.step(-1, 0)) | square_bit(square.step(1, 0));
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The squares from which a horse reaches a square, by the occupied diagonal neighbours of that square: each is the leg
/// of two horses.
pub static HORSE_ORIGINS: [[SquareSet; 16]; Square::COUNT] = {
    let mut table = [[SquareSet::new(0); 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (mut origins, mut i) = ([0; 4], 0);
        while i < 4 {
            let (dx, dy) = EYES[i];
            if let Some(leg) = square_at(index).step(dx, dy) {
                origins[i] = square_bit(leg.step(dx, 0)) | square_bit(leg.step(0, dy));
            }
            i += 1;
        }
        let mut blocked = 0;
        while blocked < 16 {
            table[index][blocked] = SquareSet::new(unblocked_targets(origins, blocked));
            blocked += 1;
        }
        index += 1;
    }
    table
};

/// The squares from which a side's soldier attacks a square: from behind, and sideways if the square is across the
/// river.
pub static SOLDIER_ORIGINS: [[SquareSet; Square::COUNT]; 2] = soldier_steps([-1, 1]);

// ---- palaces ---------------------------------------------------------------------------------------------------

/// The squares from which a king on one palace square can be attacked, and the squares between. Whether an attack is a
/// check depends on the number of pieces between: none for a rook, horse, soldier and the other king, exactly one for a
/// cannon.
#[derive(Debug)]
pub struct KingAttackTable {
    /// The squares to which the king can step.
    pub steps: SquareSet,
    /// The squares of the king's rank and file: from here rooks and cannons can attack it.
    pub cross: SquareSet,
    /// The squares of the king's file: from here the other king can face it.
    pub file: SquareSet,
    /// The squares from which a horse can attack the king.
    pub horses: SquareSet,
    /// The squares from which an enemy soldier attacks the king.
    pub soldiers: SquareSet,
    /// The squares between the king and an attacker, by its square: on a line the squares between, for a horse its leg,
    /// else none.
    pub between: [SquareSet; Square::COUNT],
    /// Every square on which an attack can depend: those of attackers, and those between.
    pub(crate) all: SquareSet,
}

/// The tables of the eighteen palace squares, indexed by [`KING_ATTACK_TABLE_INDEX`].
pub(crate) static KING_ATTACK_TABLES: [KingAttackTable; 18] = {
    let mut tables = [const { build_king_attack_table(square_at(3)) }; 18];
    let mut index = 0;
    while index < Square::COUNT {
        if is_in_any_palace(square_at(index)) {
            tables[KING_ATTACK_TABLE_INDEX[index] as usize] = build_king_attack_table(square_at(index));
        }
        index += 1;
    }
    tables
};

/// The index of each palace square in [`KING_ATTACK_TABLES`]; 0 elsewhere.
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

/// Returns the attack table of a king on `king`, which is a palace square.
#[inline(always)]
pub fn king_attack_table(king: Square) -> &'static KingAttackTable {
    &KING_ATTACK_TABLES[usize::from(KING_ATTACK_TABLE_INDEX[king.index()])]
}

const fn build_king_attack_table(king: Square) -> KingAttackTable {
    let enemy = king.half().other() as usize;
    let file = FILE_A.0 << king.file();
    let rank = RANK_0.0 << (king.rank() * Square::FILES);
    let mut table = KingAttackTable {
        steps: SquareSet::new(0),
        cross: SquareSet::new((file | rank) & !(1 << king.index())),
        file: SquareSet::new(file & !(1 << king.index())),
        horses: SquareSet::new(0),
        soldiers: SOLDIER_ORIGINS[enemy][king.index()],
        between: [SquareSet::new(0); Square::COUNT],
        all: SquareSet::new(0),
    };
    let mut i = 0;
    while i < 4 {
        let (dx, dy) = LEGS[i];
        if let Some(target) = king.step(dx, dy)
            && is_in_any_palace(target)
        {
            table.steps.0 |= 1 << target.index();
        }
        // The squares between king and attacker, collected outward along the ray.
        let (mut passed, mut reached) = (0, king.step(dx, dy));
        while let Some(square) = reached {
            table.between[square.index()] = SquareSet::new(passed);
            passed |= 1 << square.index();
            reached = square.step(dx, dy);
        }
        // The leg of a horse that attacks the king is a diagonal neighbour of the king; the horse is one step beyond it
        // along either line.
        let (dx, dy) = EYES[i];
        if let Some(leg) = king.step(dx, dy) {
            table.all.0 |= 1 << leg.index();
            let (horses, mut k) = ([king.step(2 * dx, dy), king.step(dx, 2 * dy)], 0);
            while k < 2 {
                if let Some(horse) = horses[k] {
                    table.horses.0 |= 1 << horse.index();
                    table.between[horse.index()] = SquareSet::new(1 << leg.index());
                }
                k += 1;
            }
        }
        i += 1;
    }
    table.all.0 |= table.cross.0 | table.horses.0 | table.soldiers.0;
    table
}

// ---- attackers -------------------------------------------------------------------------------------------------

fn to_set(square: Option<Square>) -> SquareSet {
    square.map_or(SquareSet::EMPTY, SquareSet::from_square)
}

/// Returns the first and the second piece from `square` in a direction.
fn first_two_pieces(
    square: Square,
    (files, ranks): (isize, isize),
    occupied: SquareSet,
) -> [Option<Square>; 2] {
    let ray = core::iter::successors(square.step(files, ranks), move |here| here.step(files, ranks));
    let mut pieces = ray.filter(|&here| occupied.contains(here));
    [pieces.next(), pieces.next()]
}

/// Returns the pieces of side `by` that could move to `square` if an enemy piece were there, or if the enemy king is
/// (`attacks_king`); `of` returns the side's pieces of a kind. Written by walking along rays, as a check on the boards'
/// own lookups.
pub fn attackers_to(
    square: Square,
    by: Side,
    occupied: SquareSet,
    attacks_king: bool,
    of: impl Fn(PieceKind) -> SquareSet,
) -> SquareSet {
    let mut found = SquareSet::EMPTY;
    for direction in LEGS {
        let [first, second] = first_two_pieces(square, direction, occupied);
        found = found | (to_set(first) & of(PieceKind::Rook)) | (to_set(second) & of(PieceKind::Cannon));
        if attacks_king && direction.0 == 0 {
            // Kings may not face each other, so each attacks the other along an empty file.
            found = found | (to_set(first) & of(PieceKind::King));
        }
        if is_in_any_palace(square) {
            found = found | (to_set(square.step(direction.0, direction.1)) & of(PieceKind::King));
        }
    }
    for (files, ranks) in EYES {
        let diagonal = square.step(files, ranks);
        if is_in_any_palace(square) {
            found = found | (to_set(diagonal) & of(PieceKind::Advisor));
        }
        let Some(leg) = diagonal.filter(|&diagonal| !occupied.contains(diagonal)) else { continue };
        let elephant = square.step(2 * files, 2 * ranks).filter(|from| from.half() == square.half());
        found = found | (to_set(elephant) & of(PieceKind::Elephant));
        // A diagonal neighbour is the leg of two horses.
        found = found | ((to_set(leg.step(files, 0)) | to_set(leg.step(0, ranks))) & of(PieceKind::Horse));
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

    /// Returns about a third of the squares, at random.
    fn random_squares(random: &mut SplitMix64) -> SquareSet {
        SquareSet::from_squares(Square::all().filter(|_| random.below(3) == 0))
    }

    #[test]
    fn rook_and_cannon_tables_have_the_documented_size() {
        assert_eq!(size_of_val(&RANK_LINES) + size_of_val(&FILE_LINES), 14_848);
    }

    #[test]
    fn words_and_squares_are_inverse() {
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
    fn line_tables_equal_walking_along_rays() {
        let mut random = SplitMix64::new(10);
        for _ in 0..50 {
            let set = random_squares(&mut random);
            let lines = LineOccupancy::from_set(set);
            for square in Square::all() {
                let (mut rook, mut cannon) = (SquareSet::EMPTY, SquareSet::EMPTY);
                for (files, ranks) in LEGS {
                    let mut pieces = 0;
                    let ray =
                        core::iter::successors(square.step(files, ranks), |here| here.step(files, ranks));
                    for here in ray {
                        let here = SquareSet::from_square(here);
                        let is_occupied = set.intersects(here);
                        rook = rook | if pieces == 0 { here } else { SquareSet::EMPTY };
                        let is_target = (pieces == 0 && !is_occupied) || (pieces == 1 && is_occupied);
                        cannon = cannon | if is_target { here } else { SquareSet::EMPTY };
                        pieces += usize::from(is_occupied);
                    }
                }
                assert_eq!(lines.rook_targets(square), rook, "{square} among {set:?}");
                assert_eq!(lines.cannon_targets(square), cannon, "{square} among {set:?}");
            }
        }
    }

    #[test]
    fn horse_origins_are_the_inverse_of_horse_targets() {
        let mut random = SplitMix64::new(21);
        for _ in 0..200 {
            let occupied = SquareSet::from_squares(Square::all().filter(|_| random.below(3) == 0));
            let lines = LineOccupancy::from_set(occupied);
            for target in Square::all() {
                let found = HORSE_ORIGINS[target.index()][lines.eye_index(target)];
                let can_reach = |origin: &Square| {
                    HORSE_TARGETS[origin.index()][lines.leg_index(*origin)].contains(target)
                };
                let expected = SquareSet::from_squares(Square::all().filter(can_reach));
                assert_eq!(found, expected, "{target}");
            }
        }
    }
}
