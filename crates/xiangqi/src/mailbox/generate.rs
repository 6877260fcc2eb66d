//! The mailbox's generator: the sixteen entries of the mover's list, pre-generated targets for leapers, line look-ups for
//! rooks and cannons. Captures are apart from quiet moves.

use alfil_kernel::Position as _;

use super::tables::{ADVISOR, ELEPHANT, KING, SOLDIER};
use super::{FIRST, KINDS, MEN, Mailbox, column, moving, row, wide};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

impl Mailbox {
    /// The pseudo-legal moves: captures, quiet ones, or both.
    pub(super) fn generate<const CAPTURES: bool, const QUIETS: bool>(&self, mut sink: impl FnMut(u8, u8)) {
        let first = FIRST[self.side.index()];
        for slot in 0..MEN {
            let place = self.places[(first + slot) as usize];
            if place != 0 {
                self.generate_man::<CAPTURES, QUIETS>(KINDS[slot as usize], place, &mut sink);
            }
        }
    }

    /// The pseudo-legal moves of one man.
    #[inline]
    pub(super) fn generate_man<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: Kind,
        place: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        let at = place as usize;
        match kind {
            Kind::King => self.leap::<CAPTURES, QUIETS>(place, listed(&KING[at]), sink),
            Kind::Advisor => self.leap::<CAPTURES, QUIETS>(place, listed(&ADVISOR[at]), sink),
            Kind::Elephant => {
                let leaps = listed(&ELEPHANT.targets[at]).zip(&ELEPHANT.blocks[at]);
                let free = leaps.filter(|&(_, &eye)| self.cells[eye as usize] == 0).map(|(target, _)| target);
                self.leap::<CAPTURES, QUIETS>(place, free, sink);
            }
            Kind::Horse => self.leap::<CAPTURES, QUIETS>(place, self.horse_targets(place), sink),
            Kind::Soldier => {
                self.leap::<CAPTURES, QUIETS>(place, listed(&SOLDIER[self.side.index()][at]), sink);
            }
            Kind::Rook | Kind::Cannon => self.slide::<CAPTURES, QUIETS>(kind, place, sink),
        }
    }

    #[inline]
    fn leap<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        place: u8,
        targets: impl Iterator<Item = u8>,
        sink: &mut impl FnMut(u8, u8),
    ) {
        for target in targets {
            let wanted = match (CAPTURES, QUIETS) {
                (true, true) => self.is_open(target, self.side),
                (true, false) => self.is_prey(target, self.side),
                _ => QUIETS && self.cells[target as usize] == 0,
            };
            if wanted {
                sink(place, target);
            }
        }
    }

    /// Captures by four look-ups without a loop; quiet moves along four rays whose ends are looked up.
    #[inline]
    fn slide<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        kind: Kind,
        place: u8,
        sink: &mut impl FnMut(u8, u8),
    ) {
        if CAPTURES {
            for target in self.line_prey(place, kind == Kind::Cannon) {
                if self.is_prey(target, self.side) {
                    sink(place, target);
                }
            }
        }
        if QUIETS {
            for (end, step) in self.quiet_ends(place).into_iter().zip([-0x10_i8, 0x10, -1, 1]) {
                let mut target = place;
                while target != end {
                    target = target.wrapping_add_signed(step);
                    sink(place, target);
                }
            }
        }
    }

    /// The pseudo-legal captures by rooks and cannons alone: four look-ups a man, no loop.
    pub fn line_captures(&self, mut sink: impl FnMut(Move)) {
        self.generate_some::<true, false>(|kind| matches!(kind, Kind::Rook | Kind::Cannon), &mut sink);
    }

    /// The pseudo-legal moves of all men but rooks and cannons, by their lists.
    pub fn leaps(&self, mut sink: impl FnMut(Move)) {
        self.generate_some::<true, true>(|kind| !matches!(kind, Kind::Rook | Kind::Cannon), &mut sink);
    }

    /// The pseudo-legal moves of the man on one point; none if no man of the side to move stands there.
    pub fn pseudo_from(&self, origin: Square, mut sink: impl FnMut(Move)) {
        let place = wide(origin);
        if let Some(piece) = self.piece_on(origin).filter(|piece| piece.side() == self.side) {
            self.generate_man::<true, true>(piece.kind(), place, &mut |origin, target| {
                sink(moving(origin, target));
            });
        }
    }

    fn generate_some<const CAPTURES: bool, const QUIETS: bool>(
        &self,
        wanted: impl Fn(Kind) -> bool,
        sink: &mut impl FnMut(Move),
    ) {
        for slot in (0..MEN).filter(|&slot| wanted(KINDS[slot as usize])) {
            let place = self.places[(FIRST[self.side.index()] + slot) as usize];
            if place != 0 {
                let sink = &mut |origin, target| sink(moving(origin, target));
                self.generate_man::<CAPTURES, QUIETS>(KINDS[slot as usize], place, sink);
            }
        }
    }

    /// The legal moves. Most need no look at the general: see [`Mailbox::danger`].
    pub(super) fn legal<const CAPTURES: bool, const QUIETS: bool>(&self, mut sink: impl FnMut(u8, u8)) {
        let danger = self.danger();
        let first = FIRST[self.side.index()];
        let king = self.general(self.side);
        for slot in 0..MEN {
            let place = self.places[(first + slot) as usize];
            if place == 0 {
                continue;
            }
            let kind = KINDS[slot as usize];
            if danger.check || slot == 0 || danger.pinned >> slot & 1 != 0 {
                self.generate_man::<CAPTURES, QUIETS>(kind, place, &mut |origin, target| {
                    if !self.is_exposed_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else if danger.hollow {
                self.generate_man::<CAPTURES, QUIETS>(kind, place, &mut |origin, target| {
                    let before_king = column(target) == column(king) || row(target) == row(king);
                    if !before_king || !self.is_exposed_after(origin, target) {
                        sink(origin, target);
                    }
                });
            } else {
                self.generate_man::<CAPTURES, QUIETS>(kind, place, &mut sink);
            }
        }
    }

    /// How many legal moves there are. A rook's and a cannon's quiet moves are counted by their masks where none of them needs
    /// a look at the general.
    pub(super) fn count_legal(&self) -> usize {
        let danger = self.danger();
        let mut count = 0;
        if danger.check || danger.hollow {
            self.legal::<true, true>(|_, _| count += 1);
            return count;
        }
        let first = FIRST[self.side.index()];
        for slot in 0..MEN {
            let place = self.places[(first + slot) as usize];
            if place == 0 {
                continue;
            }
            let kind = KINDS[slot as usize];
            if slot == 0 || danger.pinned >> slot & 1 != 0 {
                self.generate_man::<true, true>(kind, place, &mut |origin, target| {
                    count += usize::from(!self.is_exposed_after(origin, target));
                });
            } else if matches!(kind, Kind::Rook | Kind::Cannon) {
                count += self.quiet_reach(place);
                let prey = self.line_prey(place, kind == Kind::Cannon);
                count += prey.into_iter().filter(|&target| self.is_prey(target, self.side)).count();
            } else {
                self.generate_man::<true, true>(kind, place, &mut |_, _| count += 1);
            }
        }
        count
    }

    /// Whether there is a legal move: looked for man by man, and done at the first.
    pub(super) fn has_legal(&self) -> bool {
        let first = FIRST[self.side.index()];
        (0..MEN).any(|slot| {
            let place = self.places[(first + slot) as usize];
            let mut found = false;
            if place != 0 {
                self.generate_man::<true, true>(KINDS[slot as usize], place, &mut |origin, target| {
                    found = found || !self.is_exposed_after(origin, target);
                });
            }
            found
        })
    }
}

/// The entries of a list before its closing zero.
#[inline]
fn listed<const N: usize>(list: &[u8; N]) -> impl Iterator<Item = u8> + '_ {
    list.iter().copied().take_while(|&place| place != 0)
}
