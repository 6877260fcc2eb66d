//! Check detection from the piece list: does one of the twelve enemy pieces that can attack the king do so, now or
//! after a move that is not made?
//!
//! ElephantEye's notes walk outward from the king in all directions instead; the piece list needs fewer tests, see
//! `reference::in_check_from_king`.

use alfil_kernel::Side;

use super::tables::{
    FILE_ENDS, FILE_MASKS, HORSE_LEGS, HORSE_MOVES, IS_IN_PALACE, RANK_ENDS, RANK_MASKS, STEP_KINDS, StepKind,
};
use super::{FIRST_NUMBER, KIND_SLOTS, Mailbox, cell_of_square, column, row};
use crate::moves::Move;
use crate::piece::PieceKind;

/// The state of the king that move generation needs: which moves need a legality test.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckInfo {
    /// Whether the king is in check: every move needs a legality test.
    pub(super) in_check: bool,
    /// Whether an enemy cannon faces the king with nothing between (hollow cannon): a piece that moves between becomes
    /// its screen.
    pub(super) hollow_cannon: bool,
    /// The own pieces, by slot, that may expose the king by moving from a line or leg.
    pub(super) pinned: u32,
}

/// The slots of the pieces that attack along lines, and the number of pieces between at which each gives check: king,
/// rooks, cannons.
const LINE_ATTACKERS: [(usize, u32); 5] = [(0, 0), (7, 0), (8, 0), (9, 1), (10, 1)];

impl Mailbox {
    /// Returns whether the side to move is in check. The kings facing each other is a check by the enemy king.
    #[inline]
    pub(super) fn is_king_attacked(&self) -> bool {
        // A move from cell 0 to cell 0 changes no line of the board.
        self.is_king_attacked_after(0, 0)
    }

    /// Returns whether a pseudo-legal move leaves the own king attacked.
    pub fn leaves_king_attacked(&self, mv: Move) -> bool {
        self.is_king_attacked_after(cell_of_square(mv.origin()), cell_of_square(mv.target()))
    }

    /// Returns whether the own king is attacked after a pseudo-legal move. The move is not made: the king's file and
    /// rank are tested with the words that they would have.
    #[inline]
    pub(super) fn is_king_attacked_after(&self, origin: u8, target: u8) -> bool {
        let mover = self.side_to_move;
        let king_cell = self.king_cell(mover);
        let king = if origin == king_cell { target } else { king_cell };
        self.is_attacked_along_lines(king, origin, target)
            || self.is_attacked_by_horse(king, origin, target)
            || self.is_attacked_by_soldier(king, target)
    }

    fn is_attacked_along_lines(&self, king: u8, origin: u8, target: u8) -> bool {
        let mut file = self.file_words[column(king)];
        let mut rank = self.rank_words[row(king)];
        if origin != 0 {
            // The target's bit is set whether or not the move captures.
            if column(origin) == column(king) {
                file &= !(1 << (row(origin) - 3));
            }
            if row(origin) == row(king) {
                rank &= !(1 << (column(origin) - 3));
            }
            if column(target) == column(king) {
                file |= 1 << (row(target) - 3);
            }
            if row(target) == row(king) {
                rank |= 1 << (column(target) - 3);
            }
        }
        let enemy = FIRST_NUMBER[(!self.side_to_move).index()] as usize;
        LINE_ATTACKERS.into_iter().any(|(slot, screen_count)| {
            let cell = self.cell_of[enemy + slot];
            // The piece on the target was captured.
            cell != target
                && pieces_between(king, cell, file, rank)
                    .is_some_and(|pieces| pieces.count_ones() == screen_count)
        })
    }

    /// Returns the numbers of the enemy's pieces of a kind.
    #[inline]
    fn enemy_numbers(&self, kind: PieceKind) -> core::ops::Range<u8> {
        let (slot, count) = KIND_SLOTS[kind as usize];
        let first = FIRST_NUMBER[(!self.side_to_move).index()] + slot;
        first..first + count
    }

    fn is_attacked_by_horse(&self, king: u8, origin: u8, target: u8) -> bool {
        self.enemy_numbers(PieceKind::Horse).any(|number| {
            let cell = self.cell_of[number as usize];
            if cell == 0 || cell == target {
                return false;
            }
            let leg = self.horse_leg(cell, king);
            leg != cell && leg != target && (leg == origin || self.number_on[leg as usize] == 0)
        })
    }

    fn is_attacked_by_soldier(&self, king: u8, target: u8) -> bool {
        let soldier_numbers = self.enemy_numbers(PieceKind::Soldier);
        // A soldier attacks the king from the cell ahead of the king and from both sides.
        let ahead = if self.side_to_move == Side::First { king - 0x10 } else { king + 0x10 };
        [ahead, king - 1, king + 1]
            .into_iter()
            .any(|cell| cell != target && soldier_numbers.contains(&self.number_on[cell as usize]))
    }

    /// Returns the leg cell of a horse's jump, or `origin` if it is not a horse's jump.
    #[inline]
    fn horse_leg(&self, origin: u8, target: u8) -> u8 {
        let leg = HORSE_LEGS[(i16::from(target) - i16::from(origin) + 256) as usize];
        origin.wrapping_add_signed(leg)
    }

    /// Returns whether the move between two cells is pseudo-legal. Nothing is generated.
    pub(super) fn can_reach(&self, origin: u8, target: u8) -> bool {
        let number = self.number_on[origin as usize];
        if number & FIRST_NUMBER[self.side_to_move.index()] == 0
            || !self.is_valid_target(target, self.side_to_move)
        {
            return false;
        }
        let step_kind = STEP_KINDS[(i16::from(target) - i16::from(origin) + 256) as usize];
        match super::PIECE_OF_NUMBER[number as usize].kind() {
            PieceKind::King => step_kind == StepKind::King && IS_IN_PALACE[target as usize],
            PieceKind::Advisor => step_kind == StepKind::Advisor && IS_IN_PALACE[target as usize],
            PieceKind::Elephant => {
                let eye = ((u16::from(origin) + u16::from(target)) / 2) as usize;
                step_kind == StepKind::Elephant && (origin ^ target) & 0x80 == 0 && self.number_on[eye] == 0
            }
            PieceKind::Horse => {
                let leg = self.horse_leg(origin, target);
                leg != origin && self.number_on[leg as usize] == 0
            }
            PieceKind::Rook => self.can_reach_along_line(origin, target, false),
            PieceKind::Cannon => self.can_reach_along_line(origin, target, true),
            PieceKind::Soldier => {
                let ahead = if self.side_to_move == Side::First { -0x10 } else { 0x10 };
                let step = i16::from(target) - i16::from(origin);
                let crossed = super::tables::is_in_red_half(origin) != (self.side_to_move == Side::First);
                step == ahead || (crossed && step.abs() == 1)
            }
        }
    }

    /// Returns whether a rook or cannon reaches `target` along a line: an empty cell by the mask of empty cells, an
    /// enemy piece by the mask of captures.
    fn can_reach_along_line(&self, origin: u8, target: u8, is_cannon: bool) -> bool {
        let (masks, bit) = if column(origin) == column(target) {
            (&FILE_MASKS[row(origin) - 3][self.file_words[column(origin)] as usize], row(target) - 3)
        } else if row(origin) == row(target) {
            (&RANK_MASKS[column(origin) - 3][self.rank_words[row(origin)] as usize], column(target) - 3)
        } else {
            return false;
        };
        let mask = match (self.number_on[target as usize], is_cannon) {
            (0, _) => masks.quiet,
            (_, false) => masks.rook,
            (_, true) => masks.cannon,
        };
        mask >> bit & 1 != 0
    }

    /// Returns which moves need a legality test. Without check and hollow cannon, only these pieces can expose the king
    /// by moving: the only piece between the king and an enemy rook or king, either of two before an enemy cannon, the
    /// leg of an enemy horse.
    ///
    /// Only the few enemy pieces that can attack the king are tested. Two comparisons exclude those on no line of the
    /// king; for the others the line word counts the pieces between.
    #[inline]
    pub(super) fn check_info(&self) -> CheckInfo {
        let king = self.king_cell(self.side_to_move);
        let enemy = FIRST_NUMBER[(!self.side_to_move).index()] as usize;
        let check = self.is_attacked_by_soldier(king, 0);
        let mut info = CheckInfo { in_check: check, hollow_cannon: false, pinned: 0 };
        for (slot, screen_count) in LINE_ATTACKERS {
            let cell = self.cell_of[enemy + slot];
            if let Some(pieces) =
                pieces_between(king, cell, self.file_words[column(king)], self.rank_words[row(king)])
            {
                info.in_check |= pieces.count_ones() == screen_count;
                info.hollow_cannon |= pieces.count_ones() < screen_count;
                if pieces.count_ones() == screen_count + 1 {
                    // One piece before a rook, two before a cannon: the lowest and the highest bit are all of them.
                    let along_file = column(cell) == column(king);
                    for bit in [pieces.trailing_zeros() as u8, 15 - pieces.leading_zeros() as u8] {
                        let cell =
                            if along_file { (bit + 3) << 4 | (king & 0x0F) } else { king & 0xF0 | (bit + 3) };
                        self.mark_pinned(cell, &mut info);
                    }
                }
            }
        }
        for number in self.enemy_numbers(PieceKind::Horse) {
            let cell = self.cell_of[number as usize];
            let leg = if cell == 0 { cell } else { self.horse_leg(cell, king) };
            if leg != cell {
                info.in_check |= self.number_on[leg as usize] == 0;
                self.mark_pinned(leg, &mut info);
            }
        }
        info
    }

    #[inline]
    fn mark_pinned(&self, cell: u8, info: &mut CheckInfo) {
        let number = self.number_on[cell as usize];
        let first = FIRST_NUMBER[self.side_to_move.index()];
        if number & first != 0 {
            info.pinned |= 1 << (number - first);
        }
    }

    /// Returns the number of quiet moves of a rook or cannon.
    #[inline]
    pub(super) fn count_quiet_line_moves(&self, cell: u8) -> usize {
        let file = FILE_MASKS[row(cell) - 3][self.file_words[column(cell)] as usize].quiet;
        let rank = RANK_MASKS[column(cell) - 3][self.rank_words[row(cell)] as usize].quiet;
        (u32::from(file) << 16 | u32::from(rank)).count_ones() as usize
    }

    /// Returns the four cells on which a rook or cannon could capture, empty cells and 0 among them.
    #[inline(always)]
    pub(super) fn line_victims(&self, cell: u8, is_cannon: bool) -> [u8; 4] {
        let file = &FILE_ENDS[row(cell) - 3][self.file_words[column(cell)] as usize];
        let rank = &RANK_ENDS[column(cell) - 3][self.rank_words[row(cell)] as usize];
        let (file, rank) = if is_cannon { (file.cannon, rank.cannon) } else { (file.rook, rank.rook) };
        // A bare column or row number is a cell of the margin, which is always empty.
        let (x, y) = (cell & 0x0F, cell & 0xF0);
        [x + file[0], x + file[1], y + rank[0], y + rank[1]]
    }

    /// Returns the furthest empty cells along both lines: up, down, left, right.
    #[inline]
    pub(super) fn quiet_line_ends(&self, cell: u8) -> [u8; 4] {
        let file = &FILE_ENDS[row(cell) - 3][self.file_words[column(cell)] as usize].quiet;
        let rank = &RANK_ENDS[column(cell) - 3][self.rank_words[row(cell)] as usize].quiet;
        let (x, y) = (cell & 0x0F, cell & 0xF0);
        [x + file[0], x + file[1], y + rank[0], y + rank[1]]
    }

    /// Returns the targets of a horse whose legs are empty.
    #[inline]
    pub(super) fn horse_targets(&self, cell: u8) -> impl Iterator<Item = u8> + '_ {
        let (targets, legs) = (&HORSE_MOVES.targets[cell as usize], &HORSE_MOVES.blockers[cell as usize]);
        targets
            .iter()
            .zip(legs)
            .take_while(|&(&target, _)| target != 0)
            .filter(|&(_, &leg)| self.number_on[leg as usize] == 0)
            .map(|(&target, _)| target)
    }
}

/// Returns the pieces between a king and another cell on its file or rank, given the words of both; `None` for a cell
/// on neither. A piece off the board has column 0 and row 0, where no king is.
#[inline]
fn pieces_between(king: u8, cell: u8, file: u16, rank: u16) -> Option<u16> {
    if column(cell) == column(king) {
        Some(file & squares_between(row(king) - 3, row(cell) - 3))
    } else if row(cell) == row(king) {
        Some(rank & squares_between(column(king) - 3, column(cell) - 3))
    } else {
        None
    }
}

/// Returns the squares of a line strictly between two others, as a word.
#[inline]
fn squares_between(a: usize, b: usize) -> u16 {
    let (low, high) = (a.min(b), a.max(b));
    (1 << high) - (2 << low)
}
