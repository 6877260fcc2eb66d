//! The mailbox's move generator: the sixteen entries of the piece list, precomputed targets for leapers, line lookups
//! for rooks and cannons. Captures are generated apart from quiet moves.

use alfil_kernel::Position as _;

use super::tables::{ADVISOR_TARGETS, ELEPHANT_MOVES, KING_TARGETS, SOLDIER_TARGETS};
use super::{FIRST_NUMBER, Mailbox, PIECES_PER_SIDE, SLOT_KINDS, cell_of_square, column, move_between, row};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

impl Mailbox {
    /// Calls `sink` with the pseudo-legal moves: captures, quiet moves, or both.
    pub(super) fn for_each_pseudo_legal<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        mut sink: impl FnMut(u8, u8),
    ) {
        let first = FIRST_NUMBER[self.side_to_move.index()];
        for slot in 0..PIECES_PER_SIDE {
            let cell = self.cell_of[(first + slot) as usize];
            if cell != 0 {
                self.for_each_move_of::<CAPTURES, QUIETS>(SLOT_KINDS[slot as usize], cell, &mut sink);
            }
        }
    }

    /// Calls `sink` with the pseudo-legal moves of one piece.
    #[inline]
    pub(super) fn for_each_move_of<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: PieceKind,
        cell: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        let at = cell as usize;
        match kind {
            PieceKind::King => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(cell, entries(&KING_TARGETS[at]), sink)
            }
            PieceKind::Advisor => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(cell, entries(&ADVISOR_TARGETS[at]), sink)
            }
            PieceKind::Elephant => {
                let moves = entries(&ELEPHANT_MOVES.targets[at]).zip(&ELEPHANT_MOVES.blockers[at]);
                let unblocked =
                    moves.filter(|&(_, &eye)| self.number_on[eye as usize] == 0).map(|(target, _)| target);
                self.for_each_leaper_move::<CAPTURES, QUIETS>(cell, unblocked, sink);
            }
            PieceKind::Horse => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(cell, self.horse_targets(cell), sink)
            }
            PieceKind::Soldier => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(
                    cell,
                    entries(&SOLDIER_TARGETS[self.side_to_move.index()][at]),
                    sink,
                );
            }
            PieceKind::Rook | PieceKind::Cannon => {
                self.for_each_slider_move::<CAPTURES, QUIETS>(kind, cell, sink)
            }
        }
    }

    #[inline]
    fn for_each_leaper_move<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        cell: u8,
        targets: impl Iterator<Item = u8>,
        sink: &mut impl FnMut(u8, u8),
    ) {
        for target in targets {
            let wanted = match (CAPTURES, QUIETS) {
                (true, true) => self.is_valid_target(target, self.side_to_move),
                (true, false) => self.is_victim(target, self.side_to_move),
                _ => QUIETS && self.number_on[target as usize] == 0,
            };
            if wanted {
                sink(cell, target);
            }
        }
    }

    /// Calls `sink` with the moves of a rook or cannon: captures by four lookups, quiet moves along four rays whose
    /// ends are looked up.
    #[inline]
    fn for_each_slider_move<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: PieceKind,
        cell: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        if CAPTURES {
            for target in self.line_victims(cell, kind == PieceKind::Cannon) {
                if self.is_victim(target, self.side_to_move) {
                    sink(cell, target);
                }
            }
        }
        if QUIETS {
            for (end, step) in self.quiet_line_ends(cell).into_iter().zip([-0x10_i8, 0x10, -1, 1]) {
                let mut target = cell;
                while target != end {
                    target = target.wrapping_add_signed(step);
                    sink(cell, target);
                }
            }
        }
    }

    /// Generates the pseudo-legal captures by rooks and cannons only: four lookups a piece.
    pub fn generate_line_captures(&self, mut sink: impl FnMut(Move)) {
        self.generate_kinds::<true, false>(
            |kind| matches!(kind, PieceKind::Rook | PieceKind::Cannon),
            &mut sink,
        );
    }

    /// Generates the pseudo-legal moves of all pieces but rooks and cannons, by their target lists.
    pub fn generate_leaper_moves(&self, mut sink: impl FnMut(Move)) {
        self.generate_kinds::<true, true>(
            |kind| !matches!(kind, PieceKind::Rook | PieceKind::Cannon),
            &mut sink,
        );
    }

    /// Generates the pseudo-legal moves of the piece on `origin`; none if no piece of the side to move is there.
    pub fn generate_pseudo_legal_from(&self, origin: Square, mut sink: impl FnMut(Move)) {
        let cell = cell_of_square(origin);
        if let Some(piece) = self.piece_on(origin).filter(|piece| piece.side() == self.side_to_move) {
            self.for_each_move_of::<true, true>(piece.kind(), cell, &mut |origin, target| {
                sink(move_between(origin, target));
            });
        }
    }

    fn generate_kinds<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        wanted: impl Fn(PieceKind) -> bool,
        sink: &mut impl FnMut(Move),
    ) {
        for slot in (0..PIECES_PER_SIDE).filter(|&slot| wanted(SLOT_KINDS[slot as usize])) {
            let cell = self.cell_of[(FIRST_NUMBER[self.side_to_move.index()] + slot) as usize];
            if cell != 0 {
                let sink = &mut |origin, target| sink(move_between(origin, target));
                self.for_each_move_of::<CAPTURES, QUIETS>(SLOT_KINDS[slot as usize], cell, sink);
            }
        }
    }

    /// Calls `sink` with the legal moves. Most need no legality test: see [`Mailbox::check_info`].
    pub(super) fn for_each_legal<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        mut sink: impl FnMut(u8, u8),
    ) {
        let info = self.check_info();
        let first = FIRST_NUMBER[self.side_to_move.index()];
        let king_cell = self.king_cell(self.side_to_move);
        for slot in 0..PIECES_PER_SIDE {
            let cell = self.cell_of[(first + slot) as usize];
            if cell == 0 {
                continue;
            }
            let kind = SLOT_KINDS[slot as usize];
            if info.in_check || slot == 0 || info.pinned >> slot & 1 != 0 {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, cell, &mut |origin, target| {
                    if !self.is_king_attacked_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else if info.hollow_cannon {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, cell, &mut |origin, target| {
                    let is_on_king_line =
                        column(target) == column(king_cell) || row(target) == row(king_cell);
                    if !is_on_king_line || !self.is_king_attacked_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, cell, &mut sink);
            }
        }
    }

    /// Returns the number of legal moves. Quiet moves of rooks and cannons are counted by their masks where none needs
    /// a legality test.
    pub(super) fn count_legal_moves(&self) -> usize {
        let info = self.check_info();
        let mut count = 0;
        if info.in_check || info.hollow_cannon {
            self.for_each_legal::<true, true>(|_, _| count += 1);
            return count;
        }
        let first = FIRST_NUMBER[self.side_to_move.index()];
        for slot in 0..PIECES_PER_SIDE {
            let cell = self.cell_of[(first + slot) as usize];
            if cell == 0 {
                continue;
            }
            let kind = SLOT_KINDS[slot as usize];
            if slot == 0 || info.pinned >> slot & 1 != 0 {
                self.for_each_move_of::<true, true>(kind, cell, &mut |origin, target| {
                    count += usize::from(!self.is_king_attacked_after(origin, target));
                });
            } else if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
                count += self.count_quiet_line_moves(cell);
                let victims = self.line_victims(cell, kind == PieceKind::Cannon);
                count +=
                    victims.into_iter().filter(|&target| self.is_victim(target, self.side_to_move)).count();
            } else {
                self.for_each_move_of::<true, true>(kind, cell, &mut |_, _| count += 1);
            }
        }
        count
    }

    /// Returns whether there is a legal move; stops at the first piece that has one.
    pub(super) fn has_legal_move(&self) -> bool {
        let first = FIRST_NUMBER[self.side_to_move.index()];
        (0..PIECES_PER_SIDE).any(|slot| {
            let cell = self.cell_of[(first + slot) as usize];
            let mut found = false;
            if cell != 0 {
                self.for_each_move_of::<true, true>(
                    SLOT_KINDS[slot as usize],
                    cell,
                    &mut |origin, target| {
                        found = found || !self.is_king_attacked_after(origin, target);
                    },
                );
            }
            found
        })
    }
}

/// Returns the entries of a list before its closing zero.
#[inline]
fn entries<const N: usize>(list: &[u8; N]) -> impl Iterator<Item = u8> + '_ {
    list.iter().copied().take_while(|&cell| cell != 0)
}
