//! Which moves there are: the men's list is walked, never the board.
//!
//! What threatens the own king is found once, by difference; then a man that is not pinned moves freely unless there is
//! check, and only the rest is asked move by move.

use alfil_kernel::{MoveList, Side};

use super::x88::{DUMMY, OFF_BOARD_MASK, STEPS, attacker_codes, from_x88, unit_step};
use super::{KIND_MASK, KING, Mailbox, PAWN, PIECE_MASK, forward};
use crate::moves::Move;
use crate::piece::PieceKind;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GenType {
    Legal,
    Captures,
    PseudoLegal,
}

/// Takes moves one by one.
pub(super) trait MoveSink {
    fn push(&mut self, from: u8, to: u8);
    /// A pawn reaches its last rank.
    fn push_promotions(&mut self, from: u8, to: u8);
}

pub(super) struct CountSink(pub(super) usize);

impl MoveSink for CountSink {
    #[inline(always)]
    fn push(&mut self, _: u8, _: u8) {
        self.0 += 1;
    }

    #[inline(always)]
    fn push_promotions(&mut self, _: u8, _: u8) {
        self.0 += 4;
    }
}

/// Whether there is a move at all.
pub(super) struct AnySink(pub(super) bool);

impl MoveSink for AnySink {
    fn push(&mut self, _: u8, _: u8) {
        self.0 = true;
    }

    fn push_promotions(&mut self, _: u8, _: u8) {
        self.0 = true;
    }
}

impl MoveSink for MoveList<Move> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) {
        self.push(Move::from_squares(from_x88(from), from_x88(to)));
    }

    #[inline(always)]
    fn push_promotions(&mut self, from: u8, to: u8) {
        for kind in PieceKind::PROMOTIONS {
            self.push(Move::with_promotion(from_x88(from), from_x88(to), kind));
        }
    }
}

/// What threatens the king of the side to move.
pub(super) struct CheckInfo {
    king: u8,
    /// How many enemies give check, and where the last of them stands.
    checker_count: u8,
    checker: u8,
    /// The squares of pinned men.
    pinned: [u8; 8],
    pin_count: usize,
}

impl CheckInfo {
    /// Whether a man that is not the king, on this square, may go wherever it can.
    #[inline(always)]
    fn is_unrestricted(&self, from: u8) -> bool {
        self.checker_count == 0 && !self.is_pinned(from)
    }

    #[inline(always)]
    fn is_pinned(&self, from: u8) -> bool {
        self.pinned[..self.pin_count.min(8)].contains(&from)
    }

    /// Whether a pseudo-legal move leaves the king safe, castling aside.
    #[inline]
    pub(super) fn is_legal(&self, board: &Mailbox, from: u8, to: u8) -> bool {
        if from == self.king {
            return !board.is_attacked(to, !board.side_to_move, from);
        }
        if to == board.en_passant && board.cell(from) & KIND_MASK == PAWN {
            return board.is_safe_en_passant(from);
        }
        self.checker_count <= 1
            && (self.checker_count == 0 || self.is_evasion(to))
            && (!self.is_pinned(from) || unit_step(self.king, to) == unit_step(self.king, from))
    }

    /// Whether a man on this square takes the checker or stands in its way.
    fn is_evasion(&self, to: u8) -> bool {
        let line = unit_step(self.king, self.checker);
        let between = line != 0
            && unit_step(self.king, to) == line
            && to.abs_diff(self.king) < self.checker.abs_diff(self.king);
        to == self.checker || between
    }
}

/// Passes on what the danger allows, and, where only captures are wanted, what takes something.
struct LegalFilter<'a, S> {
    board: &'a Mailbox,
    check_info: &'a CheckInfo,
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for LegalFilter<'_, S> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) {
        if self.check_info.is_legal(self.board, from, to) {
            self.sink.push(from, to);
        }
    }

    #[inline(always)]
    fn push_promotions(&mut self, from: u8, to: u8) {
        if self.check_info.is_legal(self.board, from, to) {
            self.sink.push_promotions(from, to);
        }
    }
}

impl Mailbox {
    /// Looks from every enemy to the king of the side to move.
    #[inline]
    pub(super) fn check_info(&self) -> CheckInfo {
        let king = self.king_number(self.side_to_move);
        let mut danger =
            CheckInfo { king, checker_count: 0, checker: DUMMY, pinned: [DUMMY; 8], pin_count: 0 };
        for from in self.piece_numbers(!self.side_to_move) {
            if attacker_codes(from, king) >> (self.cells[usize::from(from & 0x7F)] & PIECE_MASK) & 1 == 0 {
                continue;
            }
            let step = unit_step(from, king);
            let (mut between, mut blocker) = (0, DUMMY);
            let mut at = from.wrapping_add(step);
            while step != 0 && at != king {
                if self.cells[usize::from(at & 0x7F)] != 0 {
                    between += 1;
                    blocker = at;
                }
                at = at.wrapping_add(step);
            }
            if between == 0 {
                danger.checker_count += 1;
                danger.checker = from;
            } else if between == 1 && self.is_of_side(self.cell(blocker), self.side_to_move) {
                // At most one man on each of eight lines: a ninth cannot be.
                danger.pinned[danger.pin_count & 7] = blocker;
                danger.pin_count += 1;
            }
        }
        danger
    }

    /// Hands out the moves of the side to move.
    #[inline]
    pub(super) fn generate<S: MoveSink>(&self, scope: GenType, sink: &mut S) {
        match self.side_to_move {
            Side::First => self.generate_for::<true, S>(scope, sink),
            Side::Second => self.generate_for::<false, S>(scope, sink),
        }
    }

    fn generate_for<const WHITE: bool, S: MoveSink>(&self, scope: GenType, sink: &mut S) {
        let king = self.king_number(self.side_to_move);
        if scope == GenType::PseudoLegal {
            for from in self.piece_numbers(self.side_to_move) {
                self.generate_piece::<WHITE, false, S>(from, sink);
            }
            self.generate_en_passant(sink);
            return self.generate_castlings(|_| true, sink);
        }
        let danger = self.check_info();
        let mut filter = LegalFilter { board: self, check_info: &danger, sink };
        if scope == GenType::Captures {
            for from in self.piece_numbers(self.side_to_move) {
                self.generate_piece::<WHITE, true, _>(from, &mut filter);
            }
            return self.generate_en_passant(&mut filter);
        }
        self.generate_piece::<WHITE, false, _>(king, &mut filter);
        if danger.checker_count > 1 {
            return;
        }
        let others = usize::from(self.list_lengths[self.side_to_move.index()]).clamp(1, 16);
        for &from in &self.piece_lists[self.side_to_move.index()][1..others] {
            if from == DUMMY {
                continue;
            }
            if danger.is_unrestricted(from) {
                self.generate_piece::<WHITE, false, S>(from, filter.sink);
            } else {
                self.generate_piece::<WHITE, false, _>(from, &mut filter);
            }
        }
        self.generate_en_passant(&mut filter);
        if danger.checker_count == 0 {
            self.generate_castlings(|rook| self.is_castling_safe(king, rook), sink);
        }
    }

    /// The moves of one man, castling and en passant aside; with `TAKES`, those that take something.
    #[inline(always)]
    fn generate_piece<const WHITE: bool, const TAKES: bool, S: MoveSink>(&self, from: u8, sink: &mut S) {
        let cell = self.cells[usize::from(from & 0x7F)];
        let side = if WHITE { Side::First } else { Side::Second };
        let kind = cell & KIND_MASK;
        let is_prey = |cell: u8| self.is_of_side(cell, side.other()) && cell & KIND_MASK != KING;
        match kind {
            PAWN => self.generate_pawn::<WHITE, TAKES, S>(from, sink),
            2 | KING => {
                for &step in STEPS[usize::from(kind)] {
                    let to = from.wrapping_add(step);
                    if to & OFF_BOARD_MASK != 0 {
                        continue;
                    }
                    let target = self.cells[usize::from(to & 0x7F)];
                    if is_prey(target) || !TAKES && target == 0 {
                        sink.push(from, to);
                    }
                }
            }
            _ => {
                for &step in STEPS[usize::from(kind % 7)] {
                    let mut to = from.wrapping_add(step);
                    while to & OFF_BOARD_MASK == 0 {
                        let target = self.cells[usize::from(to & 0x7F)];
                        if target != 0 {
                            if is_prey(target) {
                                sink.push(from, to);
                            }
                            break;
                        }
                        if !TAKES {
                            sink.push(from, to);
                        }
                        to = to.wrapping_add(step);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn generate_pawn<const WHITE: bool, const TAKES: bool, S: MoveSink>(&self, from: u8, sink: &mut S) {
        let side = if WHITE { Side::First } else { Side::Second };
        let ahead = from.wrapping_add(forward(side));
        if ahead & OFF_BOARD_MASK != 0 {
            return;
        }
        let (second, last) = if WHITE { (0x10, 0x70) } else { (0x60, 0x00) };
        let mut go = |to: u8| {
            if to & 0x70 == last { sink.push_promotions(from, to) } else { sink.push(from, to) }
        };
        if !TAKES && self.cells[usize::from(ahead & 0x7F)] == 0 {
            go(ahead);
            let twice = ahead.wrapping_add(forward(side));
            if from & 0x70 == second && self.cells[usize::from(twice & 0x7F)] == 0 {
                go(twice);
            }
        }
        for to in [ahead.wrapping_sub(1), ahead.wrapping_add(1)] {
            let target = self.cell(to);
            if self.is_of_side(target, side.other()) && target & KIND_MASK != KING {
                go(to);
            }
        }
    }

    /// The captures en passant.
    fn generate_en_passant<S: MoveSink>(&self, sink: &mut S) {
        if self.en_passant == DUMMY {
            return;
        }
        let pawn = self.en_passant ^ 0x10;
        for from in [pawn.wrapping_sub(1), pawn.wrapping_add(1)] {
            let cell = self.cell(from);
            if cell & KIND_MASK == PAWN && self.is_of_side(cell, self.side_to_move) {
                sink.push(from, self.en_passant);
            }
        }
    }

    /// The castlings whose squares are free and which `safe` lets pass.
    fn generate_castlings<S: MoveSink>(&self, safe: impl Fn(u8) -> bool, sink: &mut S) {
        let king = self.king_number(self.side_to_move);
        for rook in self.castling_rooks[self.side_to_move.index()].into_iter().filter(|&rook| rook != DUMMY) {
            if self.is_castling_path_clear(king, rook) && safe(rook) {
                sink.push(king, rook);
            }
        }
    }
}
