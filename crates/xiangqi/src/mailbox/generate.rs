//! The mailbox's generator: the sixteen entries of the mover's list, pre-generated targets for leapers, line look-ups for
//! rooks and cannons. Captures are apart from quiet moves.

use alfil_kernel::Position as _;

use super::tables::{ADVISOR_TARGETS, ELEPHANT_MOVES, KING_TARGETS, SOLDIER_TARGETS};
use super::{FIRST_NUMBER, Mailbox, PIECES_PER_SIDE, SLOT_KINDS, cell_of_square, column, move_between, row};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

impl Mailbox {
    /// The pseudo-legal moves: captures, quiet ones, or both.
    pub(super) fn for_each_pseudo_legal<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        mut sink: impl FnMut(u8, u8),
    ) {
        let first = FIRST_NUMBER[self.side_to_move.index()];
        for slot in 0..PIECES_PER_SIDE {
            let place = self.cell_of[(first + slot) as usize];
            if place != 0 {
                self.for_each_move_of::<CAPTURES, QUIETS>(SLOT_KINDS[slot as usize], place, &mut sink);
            }
        }
    }

    /// The pseudo-legal moves of one man.
    #[inline]
    pub(super) fn for_each_move_of<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: PieceKind,
        place: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        let at = place as usize;
        match kind {
            PieceKind::King => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(place, entries(&KING_TARGETS[at]), sink)
            }
            PieceKind::Advisor => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(place, entries(&ADVISOR_TARGETS[at]), sink)
            }
            PieceKind::Elephant => {
                let leaps = entries(&ELEPHANT_MOVES.targets[at]).zip(&ELEPHANT_MOVES.blockers[at]);
                let free =
                    leaps.filter(|&(_, &eye)| self.number_on[eye as usize] == 0).map(|(target, _)| target);
                self.for_each_leaper_move::<CAPTURES, QUIETS>(place, free, sink);
            }
            PieceKind::Horse => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(place, self.horse_targets(place), sink)
            }
            PieceKind::Soldier => {
                self.for_each_leaper_move::<CAPTURES, QUIETS>(
                    place,
                    entries(&SOLDIER_TARGETS[self.side_to_move.index()][at]),
                    sink,
                );
            }
            PieceKind::Rook | PieceKind::Cannon => {
                self.for_each_slider_move::<CAPTURES, QUIETS>(kind, place, sink)
            }
        }
    }

    #[inline]
    fn for_each_leaper_move<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        place: u8,
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
                sink(place, target);
            }
        }
    }

    /// Captures by four look-ups without a loop; quiet moves along four rays whose ends are looked up.
    #[inline]
    fn for_each_slider_move<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: PieceKind,
        place: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        if CAPTURES {
            for target in self.line_victims(place, kind == PieceKind::Cannon) {
                if self.is_victim(target, self.side_to_move) {
                    sink(place, target);
                }
            }
        }
        if QUIETS {
            for (end, step) in self.quiet_line_ends(place).into_iter().zip([-0x10_i8, 0x10, -1, 1]) {
                let mut target = place;
                while target != end {
                    target = target.wrapping_add_signed(step);
                    sink(place, target);
                }
            }
        }
    }

    /// The pseudo-legal captures by rooks and cannons alone: four look-ups a man, no loop.
    pub fn generate_line_captures(&self, mut sink: impl FnMut(Move)) {
        self.generate_kinds::<true, false>(
            |kind| matches!(kind, PieceKind::Rook | PieceKind::Cannon),
            &mut sink,
        );
    }

    /// The pseudo-legal moves of all men but rooks and cannons, by their lists.
    pub fn generate_leaper_moves(&self, mut sink: impl FnMut(Move)) {
        self.generate_kinds::<true, true>(
            |kind| !matches!(kind, PieceKind::Rook | PieceKind::Cannon),
            &mut sink,
        );
    }

    /// The pseudo-legal moves of the man on one point; none if no man of the side to move stands there.
    pub fn generate_pseudo_legal_from(&self, origin: Square, mut sink: impl FnMut(Move)) {
        let place = cell_of_square(origin);
        if let Some(piece) = self.piece_on(origin).filter(|piece| piece.side() == self.side_to_move) {
            self.for_each_move_of::<true, true>(piece.kind(), place, &mut |origin, target| {
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
            let place = self.cell_of[(FIRST_NUMBER[self.side_to_move.index()] + slot) as usize];
            if place != 0 {
                let sink = &mut |origin, target| sink(move_between(origin, target));
                self.for_each_move_of::<CAPTURES, QUIETS>(SLOT_KINDS[slot as usize], place, sink);
            }
        }
    }

    /// The legal moves. Most need no look at the general: see [`Mailbox::danger`].
    pub(super) fn for_each_legal<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        mut sink: impl FnMut(u8, u8),
    ) {
        let danger = self.check_info();
        let first = FIRST_NUMBER[self.side_to_move.index()];
        let king = self.king_cell(self.side_to_move);
        for slot in 0..PIECES_PER_SIDE {
            let place = self.cell_of[(first + slot) as usize];
            if place == 0 {
                continue;
            }
            let kind = SLOT_KINDS[slot as usize];
            if danger.in_check || slot == 0 || danger.pinned >> slot & 1 != 0 {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, place, &mut |origin, target| {
                    if !self.is_king_attacked_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else if danger.hollow_cannon {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, place, &mut |origin, target| {
                    let before_king = column(target) == column(king) || row(target) == row(king);
                    if !before_king || !self.is_king_attacked_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else {
                self.for_each_move_of::<CAPTURES, QUIETS>(kind, place, &mut sink);
            }
        }
    }

    /// How many legal moves there are. A rook's and a cannon's quiet moves are counted by their masks where none of them needs
    /// a look at the general.
    pub(super) fn count_legal_moves(&self) -> usize {
        let danger = self.check_info();
        let mut count = 0;
        if danger.in_check || danger.hollow_cannon {
            self.for_each_legal::<true, true>(|_, _| count += 1);
            return count;
        }
        let first = FIRST_NUMBER[self.side_to_move.index()];
        for slot in 0..PIECES_PER_SIDE {
            let place = self.cell_of[(first + slot) as usize];
            if place == 0 {
                continue;
            }
            let kind = SLOT_KINDS[slot as usize];
            if slot == 0 || danger.pinned >> slot & 1 != 0 {
                self.for_each_move_of::<true, true>(kind, place, &mut |origin, target| {
                    count += usize::from(!self.is_king_attacked_after(origin, target));
                });
            } else if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
                count += self.count_quiet_line_moves(place);
                let prey = self.line_victims(place, kind == PieceKind::Cannon);
                count += prey.into_iter().filter(|&target| self.is_victim(target, self.side_to_move)).count();
            } else {
                self.for_each_move_of::<true, true>(kind, place, &mut |_, _| count += 1);
            }
        }
        count
    }

    /// Whether there is a legal move: looked for man by man, and done at the first.
    pub(super) fn has_legal_move(&self) -> bool {
        let first = FIRST_NUMBER[self.side_to_move.index()];
        (0..PIECES_PER_SIDE).any(|slot| {
            let place = self.cell_of[(first + slot) as usize];
            let mut found = false;
            if place != 0 {
                self.for_each_move_of::<true, true>(
                    SLOT_KINDS[slot as usize],
                    place,
                    &mut |origin, target| {
                        found = found || !self.is_king_attacked_after(origin, target);
                    },
                );
            }
            found
        })
    }
}

/// The entries of a list before its closing zero.
#[inline]
fn entries<const N: usize>(list: &[u8; N]) -> impl Iterator<Item = u8> + '_ {
    list.iter().copied().take_while(|&place| place != 0)
}
