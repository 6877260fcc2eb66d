//! Whether a general is attacked, asked at the general, now or after a move that is not made: of the twelve enemy men that
//! can attack it, which look at it along its file, its rank, over a leg, or from beside it?
//!
//! The text looks outward in all directions and asks who stands there; a piece list answers sooner from the other end,
//! see `reference::in_check_outward`.

use alfil_kernel::Side;

use super::tables::{
    FILE_ENDS, FILE_MASKS, HORSE_LEGS, HORSE_MOVES, IS_IN_PALACE, RANK_ENDS, RANK_MASKS, STEP_KINDS, StepKind,
};
use super::{FIRST_NUMBER, KIND_SLOTS, Mailbox, cell_of_square, column, row};
use crate::moves::Move;
use crate::piece::PieceKind;

/// Men that may not move without a second look, and whether landing before the general needs one.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckInfo {
    /// The general is attacked: every move needs a second look.
    pub(super) in_check: bool,
    /// An enemy cannon looks at the general with nothing between: whatever lands between becomes its screen.
    pub(super) hollow_cannon: bool,
    /// Own men, by their place in the list, whose leaving may open a line or a leg.
    pub(super) pinned: u32,
}

/// The places in a side's list of those who attack along lines, and over how many men each does: general, rooks, cannons.
const LINE_ATTACKERS: [(usize, u32); 5] = [(0, 0), (7, 0), (8, 0), (9, 1), (10, 1)];

impl Mailbox {
    /// Whether the side to move is in check; the generals facing each other is a check by the enemy's general.
    #[inline]
    pub(super) fn is_king_attacked(&self) -> bool {
        // A move from nowhere to nowhere: place 0 is in no line of the board.
        self.is_king_attacked_after(0, 0)
    }

    /// Whether this pseudo-legal move would leave its own general attacked: the second half of a move's judgement.
    pub fn leaves_king_attacked(&self, mv: Move) -> bool {
        self.is_king_attacked_after(cell_of_square(mv.origin()), cell_of_square(mv.target()))
    }

    /// Whether the mover's general would be attacked after this pseudo-legal move. The move is not made: the two lines
    /// through the general are looked at as they would be.
    #[inline]
    pub(super) fn is_king_attacked_after(&self, origin: u8, target: u8) -> bool {
        let mover = self.side_to_move;
        let general = self.king_cell(mover);
        let king = if origin == general { target } else { general };
        self.is_attacked_along_lines(king, origin, target)
            || self.is_attacked_by_horse(king, origin, target)
            || self.is_attacked_by_soldier(king, target)
    }

    fn is_attacked_along_lines(&self, king: u8, origin: u8, target: u8) -> bool {
        let mut file = self.file_words[column(king)];
        let mut rank = self.rank_words[row(king)];
        if origin != 0 {
            // What is taken was there before and the taker is there after, so setting the target's bit is right either way.
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
        LINE_ATTACKERS.into_iter().any(|(slot, screens)| {
            let place = self.cell_of[enemy + slot];
            // Who stands on the target was taken.
            place != target
                && pieces_between(king, place, file, rank).is_some_and(|men| men.count_ones() == screens)
        })
    }

    /// The numbers of the enemy's men of a kind.
    #[inline]
    fn enemy_numbers(&self, kind: PieceKind) -> core::ops::Range<u8> {
        let (slot, room) = KIND_SLOTS[kind as usize];
        let first = FIRST_NUMBER[(!self.side_to_move).index()] + slot;
        first..first + room
    }

    fn is_attacked_by_horse(&self, king: u8, origin: u8, target: u8) -> bool {
        self.enemy_numbers(PieceKind::Horse).any(|horse| {
            let place = self.cell_of[horse as usize];
            if place == 0 || place == target {
                return false;
            }
            let leg = self.horse_leg(place, king);
            leg != place && leg != target && (leg == origin || self.number_on[leg as usize] == 0)
        })
    }

    fn is_attacked_by_soldier(&self, king: u8, target: u8) -> bool {
        let soldiers = self.enemy_numbers(PieceKind::Soldier);
        // It comes from where an own soldier on the general's place would go forward, and from both sides.
        let ahead = if self.side_to_move == Side::First { king - 0x10 } else { king + 0x10 };
        [ahead, king - 1, king + 1]
            .into_iter()
            .any(|place| place != target && soldiers.contains(&self.number_on[place as usize]))
    }

    /// The leg of a horse's jump, or the origin itself where it is none.
    #[inline]
    fn horse_leg(&self, origin: u8, target: u8) -> u8 {
        let leg = HORSE_LEGS[(i16::from(target) - i16::from(origin) + 256) as usize];
        origin.wrapping_add_signed(leg)
    }

    /// Whether a man of the side to move stands on `origin` and may go to `target` as such men move: found from the
    /// two places alone, nothing is generated.
    pub(super) fn can_reach(&self, origin: u8, target: u8) -> bool {
        let man = self.number_on[origin as usize];
        if man & FIRST_NUMBER[self.side_to_move.index()] == 0
            || !self.is_valid_target(target, self.side_to_move)
        {
            return false;
        }
        let span = STEP_KINDS[(i16::from(target) - i16::from(origin) + 256) as usize];
        match super::PIECE_OF_NUMBER[man as usize].kind() {
            PieceKind::King => span == StepKind::King && IS_IN_PALACE[target as usize],
            PieceKind::Advisor => span == StepKind::Advisor && IS_IN_PALACE[target as usize],
            PieceKind::Elephant => {
                let eye = ((u16::from(origin) + u16::from(target)) / 2) as usize;
                span == StepKind::Elephant && (origin ^ target) & 0x80 == 0 && self.number_on[eye] == 0
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

    /// Whether a rook or cannon comes from one place to another along a line: to an empty one by the mask of empty places, to
    /// an enemy by the mask of what it takes.
    fn can_reach_along_line(&self, origin: u8, target: u8, cannon: bool) -> bool {
        let (masks, bit) = if column(origin) == column(target) {
            (&FILE_MASKS[row(origin) - 3][self.file_words[column(origin)] as usize], row(target) - 3)
        } else if row(origin) == row(target) {
            (&RANK_MASKS[column(origin) - 3][self.rank_words[row(origin)] as usize], column(target) - 3)
        } else {
            return false;
        };
        let mask = match (self.number_on[target as usize], cannon) {
            (0, _) => masks.quiet,
            (_, false) => masks.rook,
            (_, true) => masks.cannon,
        };
        mask >> bit & 1 != 0
    }

    /// What a generator must look at twice. With no check and no hollow cannon, only an own man that is the first before an
    /// enemy rook or general, the first or second of two before an enemy cannon, or the leg of an enemy horse can expose
    /// the general by moving.
    ///
    /// Asked of the few enemy men that could do harm, by the list: most stand on no line of the general, which two
    /// comparisons tell; of the others the bit-line counts the men between.
    #[inline]
    pub(super) fn check_info(&self) -> CheckInfo {
        let king = self.king_cell(self.side_to_move);
        let enemy = FIRST_NUMBER[(!self.side_to_move).index()] as usize;
        let check = self.is_attacked_by_soldier(king, 0);
        let mut danger = CheckInfo { in_check: check, hollow_cannon: false, pinned: 0 };
        for (slot, screens) in LINE_ATTACKERS {
            let place = self.cell_of[enemy + slot];
            if let Some(men) =
                pieces_between(king, place, self.file_words[column(king)], self.rank_words[row(king)])
            {
                danger.in_check |= men.count_ones() == screens;
                danger.hollow_cannon |= men.count_ones() < screens;
                if men.count_ones() == screens + 1 {
                    // One man before a rook, two before a cannon: the lowest and the highest are all of them.
                    let along_file = column(place) == column(king);
                    for bit in [men.trailing_zeros() as u8, 15 - men.leading_zeros() as u8] {
                        let place =
                            if along_file { (bit + 3) << 4 | (king & 0x0F) } else { king & 0xF0 | (bit + 3) };
                        self.mark_pinned(place, &mut danger);
                    }
                }
            }
        }
        for horse in self.enemy_numbers(PieceKind::Horse) {
            let place = self.cell_of[horse as usize];
            let leg = if place == 0 { place } else { self.horse_leg(place, king) };
            if leg != place {
                danger.in_check |= self.number_on[leg as usize] == 0;
                self.mark_pinned(leg, &mut danger);
            }
        }
        danger
    }

    #[inline]
    fn mark_pinned(&self, place: u8, danger: &mut CheckInfo) {
        let man = self.number_on[place as usize];
        let first = FIRST_NUMBER[self.side_to_move.index()];
        if man & first != 0 {
            danger.pinned |= 1 << (man - first);
        }
    }

    /// How many places on a line a rook or cannon may go to without taking.
    #[inline]
    pub(super) fn count_quiet_line_moves(&self, place: u8) -> usize {
        let file = FILE_MASKS[row(place) - 3][self.file_words[column(place)] as usize].quiet;
        let rank = RANK_MASKS[column(place) - 3][self.rank_words[row(place)] as usize].quiet;
        (u32::from(file) << 16 | u32::from(rank)).count_ones() as usize
    }

    /// The four places a rook or cannon could take on, 0 or empty ones among them.
    #[inline(always)]
    pub(super) fn line_victims(&self, place: u8, cannon: bool) -> [u8; 4] {
        let file = &FILE_ENDS[row(place) - 3][self.file_words[column(place)] as usize];
        let rank = &RANK_ENDS[column(place) - 3][self.rank_words[row(place)] as usize];
        let (file, rank) = if cannon { (file.cannon, rank.cannon) } else { (file.rook, rank.rook) };
        // A column or row alone is a place of the margin, where no man stands.
        let (x, y) = (place & 0x0F, place & 0xF0);
        [x + file[0], x + file[1], y + rank[0], y + rank[1]]
    }

    /// The furthest empty places along both lines: up, down, left, right.
    #[inline]
    pub(super) fn quiet_line_ends(&self, place: u8) -> [u8; 4] {
        let file = &FILE_ENDS[row(place) - 3][self.file_words[column(place)] as usize].quiet;
        let rank = &RANK_ENDS[column(place) - 3][self.rank_words[row(place)] as usize].quiet;
        let (x, y) = (place & 0x0F, place & 0xF0);
        [x + file[0], x + file[1], y + rank[0], y + rank[1]]
    }

    /// The horse's targets from a place whose legs are free.
    #[inline]
    pub(super) fn horse_targets(&self, place: u8) -> impl Iterator<Item = u8> + '_ {
        let (targets, legs) = (&HORSE_MOVES.targets[place as usize], &HORSE_MOVES.blockers[place as usize]);
        targets
            .iter()
            .zip(legs)
            .take_while(|&(&target, _)| target != 0)
            .filter(|&(_, &leg)| self.number_on[leg as usize] == 0)
            .map(|(&target, _)| target)
    }
}

/// The men between a general and another man on its file or rank, given the words of both; nothing for one on neither. A
/// man off the board has column 0 and row 0, which no general has.
#[inline]
fn pieces_between(king: u8, place: u8, file: u16, rank: u16) -> Option<u16> {
    if column(place) == column(king) {
        Some(file & squares_between(row(king) - 3, row(place) - 3))
    } else if row(place) == row(king) {
        Some(rank & squares_between(column(king) - 3, column(place) - 3))
    } else {
        None
    }
}

/// The places of a line strictly between two others.
#[inline]
fn squares_between(a: usize, b: usize) -> u16 {
    let (low, high) = (a.min(b), a.max(b));
    (1 << high) - (2 << low)
}
