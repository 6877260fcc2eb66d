//! The classes of a move under the rules of the Chinese association, a function each (article 24): kill,
//! chase, exchange, offer, follow, block and idle. Check is known from the game history.

use alloc::vec::Vec;

use super::cxa_threats::{CaptureThreat, TextReading, ThreatKind};
use super::repetition_ply::{Attack, CaptureReason, MoveClass};
use super::scratch_board::ScratchBoard;
use super::tactics::{MAX_KILL_CHECKS, SearchDepth, TacticalSearch};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};
use alfil_kernel::Side;

/// A position of the repetition. The id of a piece is its square at the end of the repetition.
pub(super) struct Snapshot {
    pub(super) board: ScratchBoard,
    pub(super) piece_ids: [u8; Square::COUNT],
    pub(super) hash_key: u64,
}

impl Snapshot {
    fn piece_id(&self, square: Square) -> u8 {
        self.piece_ids[square.index()]
    }
}

/// The class of a move with what it attacks.
#[derive(Clone, Debug)]
pub(super) struct ClassifiedMove {
    pub(super) class: MoveClass,
    pub(super) attacks: Vec<Attack>,
    /// Whether it counts in full under article 26.9.
    pub(super) counts_under_26_9: bool,
}

impl ClassifiedMove {
    pub(super) const CHECK: ClassifiedMove =
        ClassifiedMove { class: MoveClass::Check, attacks: Vec::new(), counts_under_26_9: true };
}

/// A move without check, and the positions before and after it.
pub(super) struct MoveContext<'a> {
    pub(super) side: Side,
    pub(super) mv: Move,
    /// The last move of the other side.
    pub(super) previous_move: Move,
    /// The position before that move.
    pub(super) before_previous: &'a Snapshot,
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    pub(super) reading: TextReading,
    /// The most moves tried in one search.
    pub(super) max_tries: u32,
    pub(super) depth: SearchDepth,
}

impl MoveContext<'_> {
    fn search(&self, board: &ScratchBoard, side: Side) -> TacticalSearch<'_> {
        TacticalSearch::new(board, side, self.max_tries, &self.depth, self.reading)
    }

    fn moved_kind(&self) -> Option<PieceKind> {
        self.after.board.piece_on(self.mv.target()).map(|piece| piece.kind())
    }

    /// Classifies the move: the most serious class that applies (24.13).
    pub(super) fn classify(&self) -> ClassifiedMove {
        let harmless = |class| ClassifiedMove { class, attacks: Vec::new(), counts_under_26_9: false };
        if self.is_kings_reply_to_check() {
            return harmless(self.harmless_class(&[]));
        }
        if self.is_kill() {
            return ClassifiedMove { class: MoveClass::Kill, attacks: Vec::new(), counts_under_26_9: true };
        }
        let threats = self.made_threats();
        let is_chase = |threat: &&CaptureThreat| threat.kind == ThreatKind::Chase;
        if !threats.iter().any(|threat| is_chase(&threat)) {
            return harmless(self.harmless_class(&threats));
        }
        ClassifiedMove {
            class: MoveClass::Chase,
            attacks: threats.iter().filter(is_chase).map(|threat| self.to_attack(threat)).collect(),
            counts_under_26_9: threats.iter().any(|threat| threat.counts_under_26_9),
        }
    }

    /// Returns whether the move is a king's reply to a check, which is idle, whatever it attacks or uncovers (articles
    /// 26.1.2 and 26.1.3).
    fn is_kings_reply_to_check(&self) -> bool {
        self.moved_kind() == Some(PieceKind::King) && !self.before.board.checkers(self.side).is_empty()
    }

    /// Returns whether the move threatens mate (a kill, article 24): the side would mate by checks if the other side
    /// passed, and the move makes this threat. A mate by as few checks that existed before is not made by it, unless
    /// the moved piece takes part; the reply to a check makes what did not exist before the check (26.1.4).
    fn is_kill(&self) -> bool {
        let Some(checks) = self.checks_to_mate(&self.after.board, MAX_KILL_CHECKS) else { return false };
        let mut without_piece = self.after.board.clone();
        without_piece.remove(self.mv.target());
        let is_reply = !self.before.board.checkers(self.side).is_empty();
        let before_check = if is_reply { &self.before_previous.board } else { &self.before.board };
        let earlier = [&self.before.board, before_check, &without_piece];
        !earlier.into_iter().all(|board| self.checks_to_mate(board, checks).is_some())
    }

    /// Returns how many checks in a row the side needs to mate, at most `max_checks`.
    fn checks_to_mate(&self, board: &ScratchBoard, max_checks: u32) -> Option<u32> {
        let mut search = self.search(board, self.side);
        let excluded = if self.reading.trades_can_kill { Vec::new() } else { search.exchange_offers() };
        (1..=max_checks).find(|&checks| search.has_mate_by_checks(self.side, checks, &excluded))
    }

    /// Article 24: returns the threats that the move makes, chases and exchanges: first by captures, and if none of
    /// these counts in full, by checks with a capture at their end.
    fn made_threats(&self) -> Vec<CaptureThreat> {
        let mut search = self.search(&self.after.board, self.side);
        let mut search_before = self.search(&self.before.board, self.side);
        let mut threats = search.threats();
        threats.retain(|threat| !self.is_lone_defence(threat));
        if !threats.is_empty() {
            self.retain_made(&mut threats, &mut search, &mut search_before);
        }
        if threats.iter().any(|threat| threat.counts_under_26_9) {
            return threats;
        }
        // The series are searched only if they can still change the class of the move or its weight.
        let mut series = search.threats_after_checks();
        // An offer to exchange remains one although checks could be played first.
        series.retain(|threat| {
            !self.is_lone_defence(threat) && !search.is_offer((threat.attacker, threat.victim))
        });
        if !series.is_empty() {
            let mut earlier = search_before.threats_after_checks();
            earlier.extend(search_before.threats());
            earlier.retain(|threat| threat.kind == ThreatKind::Chase);
            threats.extend(series.into_iter().filter(|new| {
                !earlier.iter().any(|old| old.gain >= new.gain && self.is_same_pair(old, new))
            }));
        }
        threats
    }

    /// Keeps the threats that the move itself makes: those that did not exist before it; those of other pieces in which
    /// the moved piece takes part as a screen, by a pin, by cutting off a protector or by opening a line, so that there
    /// would be none without it; and those whose capture would have cost too much until the move.
    ///
    /// Checks to the own king are ignored before the move, so that a threat which existed before a check is not made by
    /// the reply to it (26.1.4).
    fn retain_made(
        &self,
        threats: &mut Vec<CaptureThreat>,
        after: &mut TacticalSearch<'_>,
        before: &mut TacticalSearch<'_>,
    ) {
        let existing = before.threats_without_counterplay();
        let mut without_piece = self.after.board.clone();
        without_piece.remove(self.mv.target());
        let remaining = self.search(&without_piece, self.side).threats_without_counterplay();
        let takes_part = |new: &CaptureThreat| {
            let is_same = |other: &CaptureThreat| {
                (other.kind, other.attacker, other.victim) == (new.kind, new.attacker, new.victim)
            };
            !remaining.iter().any(is_same)
        };
        // What is offered is an exchange again if it could not be made before.
        let is_exchange = |threat: &CaptureThreat| threat.kind == ThreatKind::Exchange;
        let offered = if threats.iter().any(is_exchange) { before.threats() } else { Vec::new() };
        let existed = |new: &CaptureThreat| {
            let earlier = if is_exchange(new) { &offered } else { &existing };
            earlier.iter().any(|old| old.kind == new.kind && self.is_same_pair(old, new))
        };
        let is_own = |new: &CaptureThreat| new.attacker == self.mv.target();
        let mut undecided = Vec::new();
        threats.retain(|&new| {
            let is_made = !existed(&new) || (!is_own(&new) && takes_part(&new));
            if !is_made && !is_own(&new) {
                undecided.push(new);
            }
            is_made
        });
        if !undecided.is_empty() {
            undecided.retain(self.became_profitable_test(after, before));
            threats.extend(undecided);
        }
    }

    /// Returns a test of a threat: whether the move makes it (article 24), because a mate or a loss elsewhere had
    /// prevented the capture before. The loss of the moved piece does not count if it was in danger: a piece that
    /// escapes makes no threats of other pieces, nor does a king.
    fn became_profitable_test(
        &self,
        after: &mut TacticalSearch<'_>,
        before: &mut TacticalSearch<'_>,
    ) -> impl Fn(&CaptureThreat) -> bool {
        let mover = SquareSet::from_square(self.mv.origin());
        let escapes = self.reading.escapes_make_nothing
            && (self.moved_kind() == Some(PieceKind::King)
                || !(before.endangered_pieces() & mover).is_empty());
        let excluded = if escapes { mover } else { SquareSet::EMPTY };
        let earlier = before.threats_with_full_counterplay(excluded);
        let now = after.threats_with_full_counterplay(SquareSet::EMPTY);
        move |new| {
            let is_direct_chase =
                |threat: &&CaptureThreat| threat.kind == ThreatKind::Chase && !threat.is_indirect;
            let is_same =
                |threat: &&CaptureThreat| (threat.attacker, threat.victim) == (new.attacker, new.victim);
            let Some(now) = now.iter().filter(is_direct_chase).find(is_same) else { return false };
            !earlier
                .iter()
                .filter(is_direct_chase)
                .any(|old| self.is_same_pair(old, new) && (old.gain > 0 || old.gain >= now.gain))
        }
    }

    /// Returns whether two threats concern the same two pieces, before the move and after it.
    fn is_same_pair(&self, before: &CaptureThreat, after: &CaptureThreat) -> bool {
        let is_same = |then: Square, now: Square| self.before.piece_id(then) == self.after.piece_id(now);
        is_same(before.attacker, after.attacker) && is_same(before.victim, after.victim)
    }

    /// Returns whether the victim is an advisor or an elephant, which a side that defends a draw with a single
    /// attacking piece against more may attack (article 26.2).
    fn is_lone_defence(&self, threat: &CaptureThreat) -> bool {
        let board = &self.after.board;
        let victim = board.piece_on(threat.victim).map(|piece| piece.kind());
        matches!(victim, Some(PieceKind::Advisor | PieceKind::Elephant))
            && board.attacking_piece_count(self.side) == 1
            && board.attacking_piece_count(!self.side) > 1
    }

    fn to_attack(&self, threat: &CaptureThreat) -> Attack {
        let piece = |square: Square| {
            (self.after.board.piece_on(square).expect("a capture is between pieces"), square)
        };
        let (attacker, victim) = (piece(threat.attacker), piece(threat.victim));
        let takes_rook = victim.0.kind() == PieceKind::Rook && attacker.0.kind() != PieceKind::Rook;
        let reason = match (threat.is_indirect, takes_rook, threat.is_protected) {
            (true, ..) => CaptureReason::Indirect,
            (_, true, _) => CaptureReason::HigherValue,
            (_, _, true) => CaptureReason::Underprotected,
            (_, _, false) => CaptureReason::Unprotected,
        };
        Attack { attacker, victim, reason }
    }

    /// Returns the class of a move that attacks nothing. All of these are always allowed (24.8); they are distinguished
    /// only for explanations.
    fn harmless_class(&self, threats: &[CaptureThreat]) -> MoveClass {
        if threats.iter().any(|threat| threat.kind == ThreatKind::Exchange) {
            MoveClass::Exchange
        } else if self.is_offer() {
            MoveClass::Offer
        } else if self.is_following() {
            MoveClass::Follow
        } else if self.is_block() {
            MoveClass::Block
        } else {
            MoveClass::Idle
        }
    }

    /// Returns whether the other side could capture the moved piece with profit (article 24).
    fn is_offer(&self) -> bool {
        let threats = self.search(&self.after.board, !self.side).threats_without_counterplay();
        threats.iter().any(|threat| threat.victim == self.mv.target() && threat.gain > 0)
    }

    /// Returns whether the moved piece attacks the piece that moved last (article 24).
    fn is_following(&self) -> bool {
        let last_moved = self.previous_move.target();
        self.after.board.attacked_by(self.mv.target()).contains(last_moved)
    }

    /// Returns whether a rook, cannon or horse of the other side attacked an own piece and no longer does (article 24).
    fn is_block(&self) -> bool {
        let (enemy, mover) = (!self.side, SquareSet::from_square(self.mv.origin()));
        let own_pieces = self.before.board.occupied_by(self.side).difference(mover);
        [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse].into_iter().any(|kind| {
            self.before.board.pieces(enemy, kind).iter().any(|attacker| {
                let before = self.before.board.targets(enemy, kind, attacker) & own_pieces;
                !before.difference(self.after.board.targets(enemy, kind, attacker)).is_empty()
            })
        })
    }
}
