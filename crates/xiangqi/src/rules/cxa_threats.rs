//! The threats of the Chinese association: the captures that a side would win something by if the other side passed
//! (articles 24 and 26.5), captures after checks, and how serious they are under article 26.9.

use alloc::vec::Vec;

use super::dispute::Dispute;
use super::play_out::PlayOut;
use super::tactics::{FromTo, MATE_VALUE, MAX_KILL_CHECKS, TacticalSearch, piece_value};
use crate::geometry::ALL_SQUARES;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// The most checks before the capture that a chase threatens.
const MAX_CHASE_CHECKS: u32 = 2;
/// The most checks that the other side may interpose against a capture.
const MAX_COUNTERCHECKS: u32 = 2;
/// The most checks in a row of the mate that a capture after checks may not allow.
const MAX_MATE_CHECKS_AFTER_SERIES: u32 = 3;

/// The points on which the text of the rules leaves two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextReading {
    /// A capture with an even result is a chase (26.5), but for a plain trade; otherwise it is an exchange (24).
    pub(super) even_captures_chase: bool,
    /// Checks that the other side interposes belong to the sequence that is played out (26.5).
    pub(super) counts_counterchecks: bool,
    /// A check that captures a piece which could capture its attacker, like for like, is part of a kill (24);
    /// otherwise it is an offer to exchange.
    pub(super) trades_can_kill: bool,
    /// A piece is protected under 26.9 even if its protectors are pinned; otherwise it is unprotected.
    pub(super) pinned_protectors_count: bool,
    /// The escape of a piece does not make an attack of another piece that the other side had answered by attacking it
    /// (24); otherwise it makes it again.
    pub(super) escapes_make_nothing: bool,
    /// An exchange after which something else can be captured is a chase (26.5); otherwise it is an exchange (24).
    pub(super) exchanges_can_win: bool,
    /// What a king or a soldier could capture elsewhere after an exchange is its own attack, which is allowed (26.1);
    /// otherwise it belongs to the sequence (26.5).
    pub(super) kings_win_nothing_elsewhere: bool,
    /// A piece that offers to exchange itself takes no part in the captures of other pieces (24); otherwise it does,
    /// but on the square of its offer.
    pub(super) offers_take_no_part: bool,
}

impl TextReading {
    /// The reading of the ruleset.
    pub(super) const RULESET: TextReading = TextReading {
        even_captures_chase: true,
        counts_counterchecks: true,
        trades_can_kill: true,
        pinned_protectors_count: true,
        escapes_make_nothing: true,
        exchanges_can_win: true,
        kings_win_nothing_elsewhere: true,
        offers_take_no_part: true,
    };

    /// The other readings, each with one point changed.
    pub(super) const OTHERS: [(TextReading, Dispute); 8] = [
        (TextReading { even_captures_chase: false, ..TextReading::RULESET }, Dispute::EvenCaptures),
        (TextReading { counts_counterchecks: false, ..TextReading::RULESET }, Dispute::InterposedChecks),
        (TextReading { trades_can_kill: false, ..TextReading::RULESET }, Dispute::TradingKill),
        (TextReading { pinned_protectors_count: false, ..TextReading::RULESET }, Dispute::PinnedProtectors),
        (TextReading { escapes_make_nothing: false, ..TextReading::RULESET }, Dispute::EscapesRenewAttacks),
        (TextReading { exchanges_can_win: false, ..TextReading::RULESET }, Dispute::WinningExchange),
        (
            TextReading { kings_win_nothing_elsewhere: false, ..TextReading::RULESET },
            Dispute::KingsCaptureElsewhere,
        ),
        (TextReading { offers_take_no_part: false, ..TextReading::RULESET }, Dispute::OffersTakePart),
    ];
}

/// What a capture would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreatKind {
    /// It wins something, or takes a rook for a piece of less value.
    Chase,
    /// It offers to exchange.
    Exchange,
}

/// A capture that a side threatens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CaptureThreat {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    pub(super) kind: ThreatKind,
    /// The material that the capture wins in the end.
    pub(super) gain: i32,
    /// Whether the victim can be taken back.
    pub(super) is_protected: bool,
    /// Whether it counts in full under article 26.9.
    pub(super) counts_under_26_9: bool,
    /// Whether not the capture itself wins something, but what follows it or precedes it.
    pub(super) is_indirect: bool,
}

impl TacticalSearch<'_> {
    /// Returns what the attacking side threatens to capture, as the other side could answer it.
    pub(super) fn threats(&mut self) -> Vec<CaptureThreat> {
        let exposed = self.exposed_pieces();
        self.threats_exposing(exposed)
    }

    /// Returns what the attacking side threatens to capture against all counterplay: a piece that the capture leaves
    /// without protection may be taken in return, unless it is one of the `excluded`.
    pub(super) fn threats_with_full_counterplay(&mut self, excluded: SquareSet) -> Vec<CaptureThreat> {
        let exposed = self.board.occupied_by(self.attacking_side).difference(excluded);
        self.threats_exposing(exposed)
    }

    fn threats_exposing(&mut self, exposed: SquareSet) -> Vec<CaptureThreat> {
        let max_checks = if self.reading.counts_counterchecks { MAX_COUNTERCHECKS } else { 0 };
        let mut found = self.threats_within(PlayOut { exposed, max_checks, ..PlayOut::ON_ONE_SQUARE });
        // A capture that allows mate is no threat.
        found.retain(|threat| !self.allows_mate((threat.attacker, threat.victim), MAX_KILL_CHECKS));
        found
    }

    /// Returns what the attacking side threatens to capture if the other side can only take back.
    pub(super) fn threats_without_counterplay(&mut self) -> Vec<CaptureThreat> {
        self.threats_within(PlayOut::ON_ONE_SQUARE)
    }

    /// Returns the threats by single captures, and then those by combinations: captures, plain trades among them, that
    /// win only by what they make possible elsewhere, and more than every single one (26.5). An offer to exchange like
    /// for like remains one.
    fn threats_within(&mut self, limits: PlayOut<'_>) -> Vec<CaptureThreat> {
        let mut found = Vec::new();
        let mut others = Vec::new();
        let mut best_gain = 0;
        for mv in self.legal_captures(self.attacking_side) {
            let gain = self.capture_gain(mv, limits);
            best_gain = best_gain.max(gain);
            if !self.may_chase(mv) {
                continue;
            }
            let threat = self.assess(mv, gain);
            found.extend(threat);
            let is_open = match threat.map(|threat| threat.kind) {
                None => true,
                Some(ThreatKind::Exchange) => self.reading.exchanges_can_win && !self.is_offer(mv),
                Some(ThreatKind::Chase) => false,
            };
            if is_open {
                others.push(mv);
            }
        }
        for mv in others {
            let gain = self.capture_gain(mv, PlayOut { captures_anywhere: true, ..limits });
            if gain > best_gain {
                found.retain(|threat| (threat.attacker, threat.victim) != mv);
                found.push(CaptureThreat {
                    attacker: mv.0,
                    victim: mv.1,
                    kind: ThreatKind::Chase,
                    gain,
                    is_protected: true,
                    counts_under_26_9: true,
                    is_indirect: true,
                });
            }
        }
        found
    }

    /// Returns whether an attack can be a chase. Kings and soldiers may attack for ever, and a soldier that has not
    /// crossed the river may be attacked (article 26.1), but a soldier chases if its capture uncovers a check by
    /// another piece (26.8).
    fn may_chase(&mut self, mv: FromTo) -> bool {
        let (Some(attacker), Some(victim)) = (self.board.piece_on(mv.0), self.board.piece_on(mv.1)) else {
            return false;
        };
        let side = self.attacking_side;
        let is_home_soldier = victim.kind() == PieceKind::Soldier && mv.1.half() != side;
        let uncovers_check = |search: &mut TacticalSearch<'_>| {
            let checkers = search.board.checkers(!side);
            !checkers.difference(SquareSet::from_square(mv.1)).is_empty()
        };
        !is_home_soldier
            && match attacker.kind() {
                PieceKind::King => false,
                PieceKind::Soldier => self.with_move(mv, uncovers_check),
                _ => true,
            }
    }

    /// Returns the threat of a single capture that wins `gain`; `None` if it is none. An attack between pieces of one
    /// kind that could capture each other is an offer to exchange; a rook is always chased by pieces of less value;
    /// everything else depends on the result (26.5). A capture that allows mate is no threat.
    fn assess(&mut self, mv: FromTo, gain: i32) -> Option<CaptureThreat> {
        let (attacker, victim) = (self.board.piece_on(mv.0)?, self.board.piece_on(mv.1)?);
        let side = self.attacking_side;
        let has_recapture = |search: &mut TacticalSearch<'_>| {
            !search.legal_moves(!side, SquareSet::from_square(mv.1)).is_empty()
        };
        let is_protected = self.with_move(mv, has_recapture);
        let is_single = !self.has_second_attacker(mv);
        let is_plain_trade = piece_value(attacker, mv.0) == piece_value(victim, mv.1)
            && attacker.kind() != victim.kind()
            && is_protected
            && is_single;
        let takes_rook = victim.kind() == PieceKind::Rook && attacker.kind() != PieceKind::Rook;
        let is_even_chase = match self.reading.even_captures_chase {
            true => !is_plain_trade,
            false => attacker.kind() == victim.kind(),
        };
        let kind = if gain <= -MATE_VALUE / 2 {
            return None;
        } else if !self.is_offer(mv) && (gain > 0 || takes_rook || (gain == 0 && is_even_chase)) {
            ThreatKind::Chase
        } else if gain >= 0 {
            ThreatKind::Exchange
        } else {
            return None;
        };
        let counts_under_26_9 = kind == ThreatKind::Chase && self.counts_under_26_9(mv, gain, is_protected);
        Some(CaptureThreat {
            attacker: mv.0,
            victim: mv.1,
            kind,
            gain,
            is_protected,
            counts_under_26_9,
            is_indirect: false,
        })
    }

    /// Returns whether another piece of the capturing side could capture on the same square then.
    fn has_second_attacker(&mut self, mv: FromTo) -> bool {
        let side = self.attacking_side;
        self.with_move(mv, |search| !search.board.attackers_to(mv.1, side).is_empty())
    }

    /// Returns whether a chase counts in full under article 26.9: a chase of a rook by one piece, or of an unprotected
    /// piece. Joint chases (26.9.2, 26.9.3), in which another piece must capture on the same square, count less, and
    /// so do chases of pieces that are protected insufficiently, captures that are paid for elsewhere, and soldiers,
    /// whose value is not fixed.
    fn counts_under_26_9(&mut self, mv: FromTo, gain: i32, is_protected: bool) -> bool {
        let kinds = [mv.0, mv.1].map(|square| self.board.piece_on(square).map(Piece::kind));
        let is_joint = is_protected && self.has_second_attacker(mv);
        match kinds[1] {
            Some(PieceKind::Rook) => !is_joint,
            Some(PieceKind::Soldier) | None => false,
            // An even capture of a like piece that could not capture first is the choice of a single attacker.
            _ if gain == 0 && kinds[0] == kinds[1] => !self.has_second_attacker(mv),
            _ => self.is_free_capture(mv, is_protected),
        }
    }

    /// Returns whether the victim is unprotected and nothing else is lost for it.
    fn is_free_capture(&mut self, mv: FromTo, is_protected: bool) -> bool {
        let side = self.attacking_side;
        let is_guarded = is_protected
            || (self.reading.pinned_protectors_count
                && self.with_move(mv, |search| !search.board.attackers_to(mv.1, !side).is_empty()));
        let exposed = self.board.occupied_by(side);
        let limits = PlayOut { exposed, max_checks: MAX_COUNTERCHECKS, ..PlayOut::ON_ONE_SQUARE };
        !is_guarded && self.capture_gain(mv, limits) >= 0
    }

    /// Returns what the attacking side wins by checks and then a capture, whatever the replies.
    pub(super) fn threats_after_checks(&mut self) -> Vec<CaptureThreat> {
        self.check_series(MAX_CHASE_CHECKS)
    }

    fn check_series(&mut self, max_checks: u32) -> Vec<CaptureThreat> {
        let mut found: Vec<CaptureThreat> = Vec::new();
        if max_checks == 0 {
            return found;
        }
        for mv in self.checking_moves(self.attacking_side) {
            if self.board.piece_on(mv.1).is_some() {
                continue;
            }
            for threat in self.with_move(mv, |search| search.gains_after_check(max_checks)) {
                let attacker = if threat.attacker == mv.1 { mv.0 } else { threat.attacker };
                if !found.iter().any(|known| (known.attacker, known.victim) == (attacker, threat.victim)) {
                    found.push(CaptureThreat { attacker, ..threat });
                }
            }
        }
        found
    }

    /// Returns the captures that a check wins at least, by the squares of the pieces before the reply. All captures
    /// with just that gain are returned, so that the result does not depend on the order of search. Empty if a reply
    /// leaves nothing to win.
    fn gains_after_check(&mut self, max_checks: u32) -> Vec<CaptureThreat> {
        let mut least_gains: Vec<CaptureThreat> = Vec::new();
        for reply in self.legal_moves(!self.attacking_side, ALL_SQUARES) {
            let lost = self.captured_value(reply);
            let mut gains = self.with_move(reply, |search| {
                let gains = search.winning_captures(lost);
                if gains.is_empty() && lost == 0 { search.check_series(max_checks - 1) } else { gains }
            });
            let Some(best) = gains.iter().map(|threat| threat.gain).max() else { return Vec::new() };
            gains.retain(|threat| threat.gain == best);
            for threat in &mut gains {
                if threat.victim == reply.1 {
                    threat.victim = reply.0;
                }
            }
            match least_gains.first().map(|threat| threat.gain) {
                Some(gain) if gain < best => {}
                Some(gain) if gain == best => least_gains.extend(gains),
                _ => least_gains = gains,
            }
        }
        least_gains
    }

    /// Returns the captures that win more than `lost`. The attacking side is to move here, so that a capture like for
    /// like is no offer. A soldier does not justify a series of checks.
    fn winning_captures(&mut self, lost: i32) -> Vec<CaptureThreat> {
        let exposed = self.exposed_pieces();
        let limits = PlayOut { exposed, ..PlayOut::ON_ONE_SQUARE };
        let mut found = Vec::new();
        for mv in self.legal_captures(self.attacking_side) {
            let kind = |square| self.board.piece_on(square).map(Piece::kind);
            let is_excluded = matches!(kind(mv.0), Some(PieceKind::King | PieceKind::Soldier))
                || kind(mv.1) == Some(PieceKind::Soldier);
            if is_excluded {
                continue;
            }
            let gain = self.capture_gain(mv, limits);
            if gain > lost && !self.allows_mate(mv, MAX_MATE_CHECKS_AFTER_SERIES) {
                found.push(CaptureThreat {
                    attacker: mv.0,
                    victim: mv.1,
                    kind: ThreatKind::Chase,
                    gain,
                    is_protected: false,
                    counts_under_26_9: true,
                    is_indirect: true,
                });
            }
        }
        found
    }
}
