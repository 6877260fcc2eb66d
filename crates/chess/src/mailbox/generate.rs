//! Move generation on the mailbox, from the piece lists.
//!
//! Checkers and pins are found once, by the tables of 0x88 differences. When all legal moves are generated, unpinned
//! pieces then move freely unless the king is in check; only the other moves are tested one by one. Captures are all
//! tested.

use core::ops::ControlFlow;

use alfil_kernel::{MoveList, Side};

use super::x88::{DUMMY, OFF_BOARD_MASK, STEPS, attacker_codes, from_x88, unit_step};
use super::{KIND_MASK, KING, Mailbox, PAWN, PIECE_MASK, forward};
use crate::board::GenType;
use crate::moves::Move;
use crate::piece::PieceKind;

/// A receiver of moves. The generation ends when it breaks.
pub(super) trait MoveSink {
    /// Receives a move that is not a promotion.
    fn push(&mut self, from: u8, to: u8) -> ControlFlow<()>;
    /// Receives the four promotions of a pawn move to the last rank.
    fn push_promotions(&mut self, from: u8, to: u8) -> ControlFlow<()>;
}

/// A sink that counts moves.
pub(super) struct CountSink(pub(super) usize);

impl MoveSink for CountSink {
    #[inline(always)]
    fn push(&mut self, _: u8, _: u8) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_promotions(&mut self, _: u8, _: u8) -> ControlFlow<()> {
        self.0 += 4;
        ControlFlow::Continue(())
    }
}

/// A sink that breaks at the first move.
struct FirstMoveSink;

impl MoveSink for FirstMoveSink {
    fn push(&mut self, _: u8, _: u8) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn push_promotions(&mut self, _: u8, _: u8) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

impl MoveSink for MoveList<Move> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) -> ControlFlow<()> {
        self.push(Move::from_squares(from_x88(from), from_x88(to)));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_promotions(&mut self, from: u8, to: u8) -> ControlFlow<()> {
        for kind in PieceKind::PROMOTIONS {
            self.push(Move::with_promotion(from_x88(from), from_x88(to), kind));
        }
        ControlFlow::Continue(())
    }
}

/// The checkers of the king of the side to move, and the pinned pieces.
pub(super) struct CheckInfo {
    king: u8,
    checker_count: u8,
    /// The square of the last checker found; the dummy square if there is none.
    checker: u8,
    /// The squares of the pinned pieces.
    pinned: [u8; 8],
    pin_count: usize,
}

impl CheckInfo {
    /// Returns whether all pseudo-legal moves of the piece on this square, which is not the king, are legal.
    #[inline(always)]
    fn is_unrestricted(&self, from: u8) -> bool {
        self.checker_count == 0 && !self.is_pinned(from)
    }

    #[inline(always)]
    fn is_pinned(&self, from: u8) -> bool {
        self.pinned[..self.pin_count.min(8)].contains(&from)
    }

    /// Returns whether a pseudo-legal move that is not castling is legal.
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

    /// Returns whether a piece that moves to this square captures the checker or blocks the check.
    fn is_evasion(&self, to: u8) -> bool {
        let step = unit_step(self.king, self.checker);
        let is_between = step != 0
            && unit_step(self.king, to) == step
            && to.abs_diff(self.king) < self.checker.abs_diff(self.king);
        to == self.checker || is_between
    }
}

/// A sink that passes the legal moves on to another sink.
struct LegalFilter<'a, S> {
    board: &'a Mailbox,
    check_info: &'a CheckInfo,
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for LegalFilter<'_, S> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) -> ControlFlow<()> {
        if self.check_info.is_legal(self.board, from, to) {
            self.sink.push(from, to)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn push_promotions(&mut self, from: u8, to: u8) -> ControlFlow<()> {
        if self.check_info.is_legal(self.board, from, to) {
            self.sink.push_promotions(from, to)?;
        }
        ControlFlow::Continue(())
    }
}

impl Mailbox {
    /// Computes the checkers and pins from the squares between each enemy piece and the king of the side to move.
    #[inline]
    pub(super) fn check_info(&self) -> CheckInfo {
        let king = self.king_x88(self.side_to_move);
        let mut info = CheckInfo { king, checker_count: 0, checker: DUMMY, pinned: [DUMMY; 8], pin_count: 0 };
        for from in self.pieces_x88(!self.side_to_move) {
            if attacker_codes(from, king) >> (self.cells[usize::from(from & 0x7F)] & PIECE_MASK) & 1 == 0 {
                continue;
            }
            let step = unit_step(from, king);
            let (mut blocker_count, mut blocker) = (0, DUMMY);
            let mut at = from.wrapping_add(step);
            while step != 0 && at != king {
                if self.cells[usize::from(at & 0x7F)] != 0 {
                    blocker_count += 1;
                    blocker = at;
                }
                at = at.wrapping_add(step);
            }
            if blocker_count == 0 {
                info.checker_count += 1;
                info.checker = from;
            } else if blocker_count == 1 && self.is_of_side(self.cell(blocker), self.side_to_move) {
                // There are at most eight pins, one in each direction from the king; the mask avoids a bounds check.
                info.pinned[info.pin_count & 7] = blocker;
                info.pin_count += 1;
            }
        }
        info
    }

    /// Passes the moves of the side to move to the sink.
    #[inline]
    pub(super) fn generate<S: MoveSink>(&self, gen_type: GenType, sink: &mut S) {
        // Neither a list nor a counter breaks.
        let _ = self.try_generate(gen_type, sink);
    }

    /// Returns whether there is a legal move. Stops at the first.
    pub(super) fn has_legal_move(&self) -> bool {
        self.try_generate(GenType::Legal, &mut FirstMoveSink).is_break()
    }

    #[inline]
    fn try_generate<S: MoveSink>(&self, gen_type: GenType, sink: &mut S) -> ControlFlow<()> {
        match self.side_to_move {
            Side::First => self.generate_for::<true, S>(gen_type, sink),
            Side::Second => self.generate_for::<false, S>(gen_type, sink),
        }
    }

    fn generate_for<const WHITE: bool, S: MoveSink>(
        &self,
        gen_type: GenType,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let king = self.king_x88(self.side_to_move);
        if gen_type == GenType::PseudoLegal {
            for from in self.pieces_x88(self.side_to_move) {
                self.generate_piece::<WHITE, false, S>(from, sink)?;
            }
            self.generate_en_passant(sink)?;
            return self.generate_castlings(|_| true, sink);
        }
        let check_info = self.check_info();
        let mut filter = LegalFilter { board: self, check_info: &check_info, sink };
        if gen_type == GenType::Captures {
            for from in self.pieces_x88(self.side_to_move) {
                self.generate_piece::<WHITE, true, _>(from, &mut filter)?;
            }
            return self.generate_en_passant(&mut filter);
        }
        self.generate_piece::<WHITE, false, _>(king, &mut filter)?;
        if check_info.checker_count > 1 {
            return ControlFlow::Continue(());
        }
        let length = usize::from(self.list_lengths[self.side_to_move.index()]).clamp(1, 16);
        for &from in &self.piece_lists[self.side_to_move.index()][1..length] {
            if from == DUMMY {
                continue;
            }
            if check_info.is_unrestricted(from) {
                self.generate_piece::<WHITE, false, S>(from, filter.sink)?;
            } else {
                self.generate_piece::<WHITE, false, _>(from, &mut filter)?;
            }
        }
        self.generate_en_passant(&mut filter)?;
        if check_info.checker_count == 0 {
            self.generate_castlings(|rook| self.is_castling_safe(king, rook), sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates the moves of one piece except castling and en passant; with `CAPTURES`, only its captures.
    #[inline(always)]
    fn generate_piece<const WHITE: bool, const CAPTURES: bool, S: MoveSink>(
        &self,
        from: u8,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let cell = self.cells[usize::from(from & 0x7F)];
        let side = if WHITE { Side::First } else { Side::Second };
        let kind = cell & KIND_MASK;
        let is_victim = |cell: u8| self.is_of_side(cell, side.other()) && cell & KIND_MASK != KING;
        match kind {
            PAWN => self.generate_pawn::<WHITE, CAPTURES, S>(from, sink)?,
            2 | KING => {
                for &step in STEPS[usize::from(kind)] {
                    let to = from.wrapping_add(step);
                    if to & OFF_BOARD_MASK != 0 {
                        continue;
                    }
                    let target = self.cells[usize::from(to & 0x7F)];
                    if is_victim(target) || !CAPTURES && target == 0 {
                        sink.push(from, to)?;
                    }
                }
            }
            _ => {
                for &step in STEPS[usize::from(kind % 7)] {
                    let mut to = from.wrapping_add(step);
                    while to & OFF_BOARD_MASK == 0 {
                        let target = self.cells[usize::from(to & 0x7F)];
                        if target != 0 {
                            if is_victim(target) {
                                sink.push(from, to)?;
                            }
                            break;
                        }
                        if !CAPTURES {
                            sink.push(from, to)?;
                        }
                        to = to.wrapping_add(step);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn generate_pawn<const WHITE: bool, const CAPTURES: bool, S: MoveSink>(
        &self,
        from: u8,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let side = if WHITE { Side::First } else { Side::Second };
        let single = from.wrapping_add(forward(side));
        if single & OFF_BOARD_MASK != 0 {
            return ControlFlow::Continue(());
        }
        let (second_rank, last_rank) = if WHITE { (0x10, 0x70) } else { (0x60, 0x00) };
        let mut push = |to: u8| {
            if to & 0x70 == last_rank { sink.push_promotions(from, to) } else { sink.push(from, to) }
        };
        if !CAPTURES && self.cells[usize::from(single & 0x7F)] == 0 {
            push(single)?;
            let double = single.wrapping_add(forward(side));
            if from & 0x70 == second_rank && self.cells[usize::from(double & 0x7F)] == 0 {
                push(double)?;
            }
        }
        for to in [single.wrapping_sub(1), single.wrapping_add(1)] {
            let target = self.cell(to);
            if self.is_of_side(target, side.other()) && target & KIND_MASK != KING {
                push(to)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the en passant captures.
    fn generate_en_passant<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        if self.en_passant == DUMMY {
            return ControlFlow::Continue(());
        }
        let pawn = self.en_passant ^ 0x10;
        for from in [pawn.wrapping_sub(1), pawn.wrapping_add(1)] {
            let cell = self.cell(from);
            if cell & KIND_MASK == PAWN && self.is_of_side(cell, self.side_to_move) {
                sink.push(from, self.en_passant)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the castling moves with a clear path whose rook `is_safe` accepts.
    fn generate_castlings<S: MoveSink>(&self, is_safe: impl Fn(u8) -> bool, sink: &mut S) -> ControlFlow<()> {
        let king = self.king_x88(self.side_to_move);
        for rook in self.castling_rooks[self.side_to_move.index()].into_iter().filter(|&rook| rook != DUMMY) {
            if self.is_castling_path_clear(king, rook) && is_safe(rook) {
                sink.push(king, rook)?;
            }
        }
        ControlFlow::Continue(())
    }
}
