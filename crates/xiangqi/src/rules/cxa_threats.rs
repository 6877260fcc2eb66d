//! The threats under the ruleset of the Chinese association: captures that win material when they are played out, and
//! captures at the end of a series of checks.

use super::tactics::{ExchangeLimits, MATE_VALUE, TacticalSearch, piece_value};
use crate::geometry::ALL_SQUARES;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet, square_at};

/// The most checks that the defending side may interpose.
const MAX_COUNTERCHECKS: u32 = 3;
/// The same at the end of a series of checks, where there are many such searches.
const MAX_LATE_COUNTERCHECKS: u32 = 1;

/// What the defending side may capture elsewhere in return (article 26.5, mutual captures).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compensation {
    /// Nothing.
    Nothing,
    /// The pieces that it attacked with profit before.
    Attacked,
    /// Any piece.
    Anything,
}

/// A capture that wins material or offers an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProfitableCapture {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// The material that the capture wins in the end.
    pub(super) gain: i32,
    /// Whether it is a chase; otherwise it is an offer to exchange.
    pub(super) is_chase: bool,
    /// Whether the victim is protected, though insufficiently.
    pub(super) is_protected: bool,
    /// Whether it counts under article 26.9: the victim is a rook or an unprotected piece, and the chase is not merely
    /// joint.
    pub(super) counts_under_26_9: bool,
    /// Whether not the capture itself wins material, but what follows it.
    pub(super) is_indirect: bool,
}

impl TacticalSearch {
    /// Returns the profitable captures of the attacking side and its offers to exchange: first those that win directly;
    /// then those that win only by later captures elsewhere, and more than any direct one.
    pub(super) fn profitable_captures(
        &mut self,
        compensation: Compensation,
        max_checks: u32,
    ) -> Vec<ProfitableCapture> {
        let captures = self.legal_captures(self.attacking_side);
        let offers = self.exchange_offers();
        let own_pieces = self.board.occupied_by(self.attacking_side);
        let exposed = match compensation {
            Compensation::Nothing => SquareSet::EMPTY,
            Compensation::Attacked => self.attacked_pieces(),
            Compensation::Anything => own_pieces,
        };
        let mut found: Vec<ProfitableCapture> = Vec::new();
        let mut best_direct = 0;
        for captures_elsewhere in [false, true] {
            for &(from, to) in &captures {
                let barred = SquareSet::from_squares(
                    offers.iter().filter(|offer| offer.1 == to).map(|offer| offer.0.index()),
                );
                let exposed = exposed.difference(SquareSet::from_square(from.index()));
                let limits = ExchangeLimits { barred, exposed, captures_elsewhere, max_checks };
                if found.iter().any(|capture| (capture.attacker, capture.victim) == (from, to)) {
                    continue;
                }
                let may_chase = self.may_chase(from, to);
                if captures_elsewhere && !may_chase {
                    continue;
                }
                let capture = self.assess_capture(from, to, limits);
                if captures_elsewhere && capture.gain <= best_direct {
                    continue;
                }
                if !captures_elsewhere {
                    best_direct = best_direct.max(capture.gain);
                }
                let is_exchange =
                    capture.gain > -MATE_VALUE / 2 && (barred.contains(from.index()) || capture.gain == 0);
                if may_chase && (capture.is_chase || is_exchange) {
                    found.push(capture);
                }
            }
        }
        found
    }

    /// Returns whether an attack can be a chase: kings and soldiers may always attack (26.1), and a soldier that has
    /// not crossed the river may be attacked.
    fn may_chase(&self, from: Square, to: Square) -> bool {
        let (Some(attacker), Some(victim)) = (self.board.piece_on(from), self.board.piece_on(to)) else {
            return false;
        };
        let is_always_allowed = matches!(attacker.kind(), PieceKind::King | PieceKind::Soldier);
        !is_always_allowed && (victim.kind() != PieceKind::Soldier || to.half() == self.attacking_side)
    }

    /// Plays a capture out. An attack on a rook by a piece of less value is always a chase. An even exchange is a chase
    /// too (26.5), except of pieces of different kinds and equal value.
    fn assess_capture(&mut self, from: Square, to: Square, limits: ExchangeLimits) -> ProfitableCapture {
        let (attacking_side, is_offer) = (self.attacking_side, limits.barred.contains(from.index()));
        let kind = |search: &TacticalSearch, square| search.board.piece_on(square).map(Piece::kind);
        let (attacker_kind, victim_kind) = (kind(self, from), kind(self, to));
        let attacker_value = self.board.piece_on(from).map_or(0, |piece| piece_value(piece, from));
        let captured_value = self.captured_value((from, to));
        let strict = ExchangeLimits { exposed: self.board.occupied_by(attacking_side), ..limits };
        let (gain, strict, is_protected, has_recapture, has_second_attacker) =
            self.with_move((from, to), |search| {
                (
                    captured_value
                        - search.exchange_value(!attacking_side, to, limits, -MATE_VALUE, MATE_VALUE),
                    captured_value
                        - search.exchange_value(!attacking_side, to, strict, -MATE_VALUE, MATE_VALUE),
                    !search.board.attackers_to(to, !attacking_side).is_empty(),
                    !search.legal_moves(!attacking_side, SquareSet::from_square(to.index())).is_empty(),
                    !search.board.attackers_to(to, attacking_side).is_empty(),
                )
            });
        let is_rook = victim_kind == Some(PieceKind::Rook);
        let is_higher_value = is_rook && attacker_kind != victim_kind;
        let is_equal_trade = attacker_value == captured_value
            && attacker_kind != victim_kind
            && has_recapture
            && !has_second_attacker;
        let is_even = gain == 0 && !is_equal_trade && !limits.captures_elsewhere;
        // A capture that allows mate does not count.
        let is_chase = gain > -MATE_VALUE / 2 && !is_offer && (gain > 0 || is_even || is_higher_value);
        let is_unprotected = !is_protected && strict >= 0 && victim_kind != Some(PieceKind::Soldier);
        // Under 26.9.1 and 26.9.2 joint chases and attacks on insufficiently protected pieces do not count; an even one
        // by a single piece on its own kind, which could not capture first, does.
        let is_joint_chase = is_rook && !is_higher_value && is_protected && has_second_attacker;
        let is_single_even = is_even && attacker_kind == victim_kind && !has_second_attacker;
        ProfitableCapture {
            attacker: from,
            victim: to,
            gain,
            is_chase,
            is_protected,
            counts_under_26_9: is_chase
                && ((is_rook && !is_joint_chase)
                    || limits.captures_elsewhere
                    || is_unprotected
                    || is_single_even),
            is_indirect: limits.captures_elsewhere,
        }
    }

    /// Returns the pieces of the attacking side that the other side could capture with profit as things are.
    fn attacked_pieces(&mut self) -> SquareSet {
        let attacking_side = self.attacking_side;
        let captures = self.legal_captures(!attacking_side);
        let is_profitable = |mv: &_, search: &mut TacticalSearch| {
            let captured_value = search.captured_value(*mv);
            captured_value
                > search.with_move(*mv, |search| {
                    search.exchange_value(
                        attacking_side,
                        mv.1,
                        ExchangeLimits::default(),
                        -MATE_VALUE,
                        MATE_VALUE,
                    )
                })
        };
        SquareSet::from_squares(
            captures.into_iter().filter(|mv| is_profitable(mv, self)).map(|(_, to)| to.index()),
        )
    }

    /// Returns what the attacking side wins at least by a series of checks and a capture at the end, whatever the
    /// replies. A soldier does not justify a series. It is enough if the last capture is even, unless any piece may be
    /// captured in return.
    pub(super) fn check_series(
        &mut self,
        max_checks: u32,
        compensation: Compensation,
    ) -> Vec<ProfitableCapture> {
        let mut found: Vec<ProfitableCapture> = Vec::new();
        if max_checks == 0 {
            return found;
        }
        let side = self.attacking_side;
        for mv in self.checking_moves(side) {
            if self.board.piece_on(mv.1).is_some() {
                continue;
            }
            for capture in self.with_move(mv, |search| search.guaranteed_gains(max_checks, compensation)) {
                let attacker = if capture.attacker == mv.1 { mv.0 } else { capture.attacker };
                if !found.iter().any(|known| (known.attacker, known.victim) == (attacker, capture.victim)) {
                    found.push(ProfitableCapture {
                        attacker,
                        counts_under_26_9: true,
                        is_indirect: true,
                        ..capture
                    });
                }
            }
        }
        found
    }

    /// Returns the captures that a check wins at least, by the squares of the pieces before the reply. All captures
    /// with just that gain are returned, so that the result does not depend on the order of search. Empty if a reply
    /// leaves nothing to win.
    fn guaranteed_gains(&mut self, max_checks: u32, compensation: Compensation) -> Vec<ProfitableCapture> {
        let margin = i32::from(compensation != Compensation::Anything);
        let mut least_gains: Vec<ProfitableCapture> = Vec::new();
        for reply in self.legal_moves(!self.attacking_side, ALL_SQUARES) {
            let lost = self.captured_value(reply);
            let mut captures = self.with_move(reply, |search| {
                let mut captures = search.profitable_captures(compensation, MAX_LATE_COUNTERCHECKS);
                captures.retain(|capture| {
                    let is_soldier = search
                        .board
                        .piece_on(capture.victim)
                        .is_none_or(|piece| piece.kind() == PieceKind::Soldier);
                    capture.gain + margin > lost && !capture.is_indirect && !is_soldier
                });
                if captures.is_empty() && lost == 0 {
                    captures = search.check_series(max_checks - 1, compensation);
                }
                captures
            });
            let Some(best) = captures.iter().map(|capture| capture.gain).max() else { return Vec::new() };
            captures.retain(|capture| capture.gain == best);
            for capture in &mut captures {
                if capture.victim == reply.1 {
                    capture.victim = reply.0;
                }
            }
            match least_gains.first().map(|capture| capture.gain) {
                Some(gain) if gain < best => {}
                Some(gain) if gain == best => least_gains.extend(captures),
                _ => least_gains = captures,
            }
        }
        least_gains
    }

    /// Returns the profitable captures with all checks that the other side may interpose.
    pub(super) fn all_profitable_captures(&mut self, compensation: Compensation) -> Vec<ProfitableCapture> {
        self.profitable_captures(compensation, MAX_COUNTERCHECKS)
    }

    /// Returns the squares of the enemy pieces that a piece attacks, profitable or not.
    pub(super) fn attacked_by(&self, from: Square) -> SquareSet {
        self.board.piece_on(from).map_or(SquareSet::EMPTY, |piece| {
            self.board.targets(piece.side(), piece.kind(), from) & self.board.occupied_by(!piece.side())
        })
    }

    /// Returns the number of a side's pieces that can cross the river.
    pub(super) fn attacking_piece_count(&self, side: alfil_kernel::Side) -> usize {
        [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier]
            .map(|kind| self.board.pieces(side, kind).len())
            .iter()
            .sum()
    }

    /// Returns whether a rook, cannon or horse of the other side attacked an own piece and no longer does, because a
    /// piece moved between.
    pub(super) fn has_blocked_attack(&self, after: &TacticalSearch, moved: Square) -> bool {
        let enemy = !self.attacking_side;
        [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse].into_iter().any(|kind| {
            self.board.pieces(enemy, kind).iter().any(|attacker| {
                let own_pieces = self
                    .board
                    .occupied_by(self.attacking_side)
                    .difference(SquareSet::from_square(moved.index()));
                let before = self.board.targets(enemy, kind, square_at(attacker)) & own_pieces;
                !before.difference(after.board.targets(enemy, kind, square_at(attacker))).is_empty()
            })
        })
    }
}
