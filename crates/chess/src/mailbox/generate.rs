//! Which moves there are: the men's list is walked, never the board.
//!
//! What threatens the own king is found once, by difference; then a man that is not pinned moves freely unless there is
//! check, and only the rest is asked move by move.

use alfil_kernel::{MoveList, Side};

use super::numbers::{DUMMY, OFF, STEPS, attacks, dense, step};
use super::{KIND, KING, MAN, Mailbox, PAWN, forward};
use crate::moves::Move;
use crate::piece::Kind;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Legal,
    Captures,
    Pseudo,
}

/// Takes moves one by one.
pub(super) trait Sink {
    fn push(&mut self, from: u8, to: u8);
    /// A pawn reaches its last rank.
    fn promote(&mut self, from: u8, to: u8);
}

pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline(always)]
    fn push(&mut self, _: u8, _: u8) {
        self.0 += 1;
    }

    #[inline(always)]
    fn promote(&mut self, _: u8, _: u8) {
        self.0 += 4;
    }
}

/// Whether there is a move at all.
pub(super) struct Any(pub(super) bool);

impl Sink for Any {
    fn push(&mut self, _: u8, _: u8) {
        self.0 = true;
    }

    fn promote(&mut self, _: u8, _: u8) {
        self.0 = true;
    }
}

impl Sink for MoveList<Move> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) {
        self.push(Move::of(dense(from), dense(to)));
    }

    #[inline(always)]
    fn promote(&mut self, from: u8, to: u8) {
        for kind in Kind::PROMOTIONS {
            self.push(Move::promotion(dense(from), dense(to), kind));
        }
    }
}

/// What threatens the king of the side to move.
pub(super) struct Danger {
    king: u8,
    /// How many enemies give check, and where the last of them stands.
    checks: u8,
    checker: u8,
    /// The squares of pinned men.
    pinned: [u8; 8],
    pins: usize,
}

impl Danger {
    /// Whether a man that is not the king, on this square, may go wherever it can.
    #[inline(always)]
    fn is_free(&self, from: u8) -> bool {
        self.checks == 0 && !self.is_pinned(from)
    }

    #[inline(always)]
    fn is_pinned(&self, from: u8) -> bool {
        self.pinned[..self.pins.min(8)].contains(&from)
    }

    /// Whether a pseudo-legal move leaves the king safe, castling aside.
    #[inline]
    pub(super) fn allows(&self, board: &Mailbox, from: u8, to: u8) -> bool {
        if from == self.king {
            return !board.is_attacked(to, !board.side, from);
        }
        if to == board.en_passant && board.cell(from) & KIND == PAWN {
            return board.is_safe_en_passant(from);
        }
        self.checks <= 1
            && (self.checks == 0 || self.answers(to))
            && (!self.is_pinned(from) || step(self.king, to) == step(self.king, from))
    }

    /// Whether a man on this square takes the checker or stands in its way.
    fn answers(&self, to: u8) -> bool {
        let line = step(self.king, self.checker);
        let between = line != 0
            && step(self.king, to) == line
            && to.abs_diff(self.king) < self.checker.abs_diff(self.king);
        to == self.checker || between
    }
}

/// Passes on what the danger allows, and, where only captures are wanted, what takes something.
struct Filter<'a, S> {
    board: &'a Mailbox,
    danger: &'a Danger,
    sink: &'a mut S,
}

impl<S: Sink> Sink for Filter<'_, S> {
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) {
        if self.danger.allows(self.board, from, to) {
            self.sink.push(from, to);
        }
    }

    #[inline(always)]
    fn promote(&mut self, from: u8, to: u8) {
        if self.danger.allows(self.board, from, to) {
            self.sink.promote(from, to);
        }
    }
}

impl Mailbox {
    /// Looks from every enemy to the king of the side to move.
    #[inline]
    pub(super) fn danger(&self) -> Danger {
        let king = self.king_of(self.side);
        let mut danger = Danger { king, checks: 0, checker: DUMMY, pinned: [DUMMY; 8], pins: 0 };
        for from in self.men_of(!self.side) {
            if attacks(from, king) >> (self.cells[usize::from(from & 0x7F)] & MAN) & 1 == 0 {
                continue;
            }
            let step = step(from, king);
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
                danger.checks += 1;
                danger.checker = from;
            } else if between == 1 && self.is_own(self.cell(blocker), self.side) {
                // At most one man on each of eight lines: a ninth cannot be.
                danger.pinned[danger.pins & 7] = blocker;
                danger.pins += 1;
            }
        }
        danger
    }

    /// Hands out the moves of the side to move.
    #[inline]
    pub(super) fn generate<S: Sink>(&self, scope: Scope, sink: &mut S) {
        match self.side {
            Side::First => self.generate_for::<true, S>(scope, sink),
            Side::Second => self.generate_for::<false, S>(scope, sink),
        }
    }

    fn generate_for<const WHITE: bool, S: Sink>(&self, scope: Scope, sink: &mut S) {
        let king = self.king_of(self.side);
        if scope == Scope::Pseudo {
            for from in self.men_of(self.side) {
                self.man::<WHITE, false, S>(from, sink);
            }
            self.passing(sink);
            return self.castlings(|_| true, sink);
        }
        let danger = self.danger();
        let mut filter = Filter { board: self, danger: &danger, sink };
        if scope == Scope::Captures {
            for from in self.men_of(self.side) {
                self.man::<WHITE, true, _>(from, &mut filter);
            }
            return self.passing(&mut filter);
        }
        self.man::<WHITE, false, _>(king, &mut filter);
        if danger.checks > 1 {
            return;
        }
        let others = usize::from(self.lengths[self.side.index()]).clamp(1, 16);
        for &from in &self.lists[self.side.index()][1..others] {
            if from == DUMMY {
                continue;
            }
            if danger.is_free(from) {
                self.man::<WHITE, false, S>(from, filter.sink);
            } else {
                self.man::<WHITE, false, _>(from, &mut filter);
            }
        }
        self.passing(&mut filter);
        if danger.checks == 0 {
            self.castlings(|rook| self.is_safe_to_castle(king, rook), sink);
        }
    }

    /// The moves of one man, castling and en passant aside; with `TAKES`, those that take something.
    #[inline(always)]
    fn man<const WHITE: bool, const TAKES: bool, S: Sink>(&self, from: u8, sink: &mut S) {
        let cell = self.cells[usize::from(from & 0x7F)];
        let side = if WHITE { Side::First } else { Side::Second };
        let kind = cell & KIND;
        let is_prey = |cell: u8| self.is_own(cell, side.other()) && cell & KIND != KING;
        match kind {
            PAWN => self.pawn::<WHITE, TAKES, S>(from, sink),
            2 | KING => {
                for &step in STEPS[usize::from(kind)] {
                    let to = from.wrapping_add(step);
                    if to & OFF != 0 {
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
                    while to & OFF == 0 {
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
    fn pawn<const WHITE: bool, const TAKES: bool, S: Sink>(&self, from: u8, sink: &mut S) {
        let side = if WHITE { Side::First } else { Side::Second };
        let ahead = from.wrapping_add(forward(side));
        if ahead & OFF != 0 {
            return;
        }
        let (second, last) = if WHITE { (0x10, 0x70) } else { (0x60, 0x00) };
        let mut go = |to: u8| {
            if to & 0x70 == last { sink.promote(from, to) } else { sink.push(from, to) }
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
            if self.is_own(target, side.other()) && target & KIND != KING {
                go(to);
            }
        }
    }

    /// The captures en passant.
    fn passing<S: Sink>(&self, sink: &mut S) {
        if self.en_passant == DUMMY {
            return;
        }
        let pawn = self.en_passant ^ 0x10;
        for from in [pawn.wrapping_sub(1), pawn.wrapping_add(1)] {
            let cell = self.cell(from);
            if cell & KIND == PAWN && self.is_own(cell, self.side) {
                sink.push(from, self.en_passant);
            }
        }
    }

    /// The castlings whose squares are free and which `safe` lets pass.
    fn castlings<S: Sink>(&self, safe: impl Fn(u8) -> bool, sink: &mut S) {
        let king = self.king_of(self.side);
        for rook in self.rooks[self.side.index()].into_iter().filter(|&rook| rook != DUMMY) {
            if self.is_free_to_castle(king, rook) && safe(rook) {
                sink.push(king, rook);
            }
        }
    }
}
