//! What a side threatens to win under the book of the Chinese association: captures that pay when they are played out, and
//! captures at the end of a series of checks.

use super::tactics::{ExchangeLimits, MATE_VALUE, TacticalSearch, piece_value};
use crate::board::SquareSet;
use crate::geometry::{ALL_SQUARES, square_at};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// So many checks may be put in by the side that is taken from.
const MAX_COUNTERCHECKS: u32 = 3;
/// And so many at the end of a series of checks, where there are many such questions.
const MAX_LATE_COUNTERCHECKS: u32 = 1;

/// What the side that is taken from may take elsewhere in return (article 26.5, each takes its own).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compensation {
    /// Nothing.
    Nothing,
    /// What it attacked with profit before.
    Attacked,
    /// Anything.
    Anything,
}

/// A capture to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProfitableCapture {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// What the capture is worth in the end.
    pub(super) gain: i32,
    /// It is a chase; otherwise an offer to exchange.
    pub(super) is_chase: bool,
    /// The victim is protected, if not well enough.
    pub(super) is_protected: bool,
    /// Article 26.9: a chariot, or a man without a root, and not a mere joint chase.
    pub(super) counts_under_26_9: bool,
    /// Not the capture itself pays, but what follows it.
    pub(super) is_indirect: bool,
}

impl TacticalSearch {
    /// The asker's captures that pay, and its offers to exchange. First those that pay on the spot; then those that pay only by
    /// what is taken elsewhere afterwards, and more than anything did on the spot.
    pub(super) fn profitable_captures(
        &mut self,
        returns: Compensation,
        checks: u32,
    ) -> Vec<ProfitableCapture> {
        let captures = self.legal_captures(self.attacking_side);
        let offers = self.exchange_offers();
        let all = self.board.occupied_by(self.attacking_side);
        let exposed = match returns {
            Compensation::Nothing => SquareSet::EMPTY,
            Compensation::Attacked => self.attacked_pieces(),
            Compensation::Anything => all,
        };
        let mut found: Vec<ProfitableCapture> = Vec::new();
        let mut standing = 0;
        for wide in [false, true] {
            for &(from, to) in &captures {
                let barred = SquareSet::from_squares(
                    offers.iter().filter(|offer| offer.1 == to).map(|offer| offer.0.index()),
                );
                let exposed = exposed.difference(SquareSet::from_square(from.index()));
                let terms = ExchangeLimits { barred, exposed, captures_elsewhere: wide, max_checks: checks };
                if found.iter().any(|prize| (prize.attacker, prize.victim) == (from, to)) {
                    continue;
                }
                let may_chase = self.may_chase(from, to);
                if wide && !may_chase {
                    continue;
                }
                let prize = self.assess_capture(from, to, terms);
                if wide && prize.gain <= standing {
                    continue;
                }
                if !wide {
                    standing = standing.max(prize.gain);
                }
                let exchange =
                    prize.gain > -MATE_VALUE / 2 && (barred.contains(from.index()) || prize.gain == 0);
                if may_chase && (prize.is_chase || exchange) {
                    found.push(prize);
                }
            }
        }
        found
    }

    /// Generals and soldiers may chase for ever (26.1), and a soldier that has not crossed the river may be chased.
    fn may_chase(&self, from: Square, to: Square) -> bool {
        let (Some(hunter), Some(hunted)) = (self.board.piece_on(from), self.board.piece_on(to)) else {
            return false;
        };
        let free = matches!(hunter.kind(), PieceKind::King | PieceKind::Soldier);
        !free && (hunted.kind() != PieceKind::Soldier || to.half() == self.attacking_side)
    }

    /// A capture played out. A chariot attacked by lesser men is always chased. Where the sequence comes out even it is a chase
    /// too (26.5), but for one man against another of like worth.
    fn assess_capture(&mut self, from: Square, to: Square, terms: ExchangeLimits) -> ProfitableCapture {
        let (asker, offer) = (self.attacking_side, terms.barred.contains(from.index()));
        let kind = |trial: &TacticalSearch, square| trial.board.piece_on(square).map(Piece::kind);
        let (hunter, hunted) = (kind(self, from), kind(self, to));
        let own = self.board.piece_on(from).map_or(0, |man| piece_value(man, from));
        let won = self.captured_value((from, to));
        let firm = ExchangeLimits { exposed: self.board.occupied_by(asker), ..terms };
        let (gain, firm, rooted, taken_back, backed) = self.with_move((from, to), |trial| {
            (
                won - trial.exchange_value(!asker, to, terms, -MATE_VALUE, MATE_VALUE),
                won - trial.exchange_value(!asker, to, firm, -MATE_VALUE, MATE_VALUE),
                !trial.board.attackers_to(to, !asker).is_empty(),
                !trial.legal_moves(!asker, SquareSet::from_square(to.index())).is_empty(),
                !trial.board.attackers_to(to, asker).is_empty(),
            )
        });
        let rook = hunted == Some(PieceKind::Rook);
        let greater = rook && hunter != hunted;
        let man_for_man = own == won && hunter != hunted && taken_back && !backed;
        let even = gain == 0 && !man_for_man && !terms.captures_elsewhere;
        // A capture after which one is mated is none.
        let chase = gain > -MATE_VALUE / 2 && !offer && (gain > 0 || even || greater);
        let loose = !rooted && firm >= 0 && hunted != Some(PieceKind::Soldier);
        // Lesser are joint chases and attacks on men that are protected too weakly (26.9.1 and 26.9.2): not an even one by a
        // single man on its like, which could not take first.
        let joint = rook && !greater && rooted && backed;
        let alone = even && hunter == hunted && !backed;
        ProfitableCapture {
            attacker: from,
            victim: to,
            gain,
            is_chase: chase,
            is_protected: rooted,
            counts_under_26_9: chase && ((rook && !joint) || terms.captures_elsewhere || loose || alone),
            is_indirect: terms.captures_elsewhere,
        }
    }

    /// The asker's men that the other side could take with profit as things stand.
    fn attacked_pieces(&mut self) -> SquareSet {
        let asker = self.attacking_side;
        let captures = self.legal_captures(!asker);
        let pays = |step: &_, trial: &mut TacticalSearch| {
            let won = trial.captured_value(*step);
            won > trial.with_move(*step, |trial| {
                trial.exchange_value(asker, step.1, ExchangeLimits::default(), -MATE_VALUE, MATE_VALUE)
            })
        };
        SquareSet::from_squares(
            captures.into_iter().filter(|step| pays(step, self)).map(|(_, to)| to.index()),
        )
    }

    /// What the asker wins by checks, one after another, and a capture at last, whatever is answered: the least of it. A
    /// soldier is not worth a series. It is enough if the last capture comes out even, unless anything may be taken in return.
    pub(super) fn check_series(&mut self, turns: u32, returns: Compensation) -> Vec<ProfitableCapture> {
        let mut found: Vec<ProfitableCapture> = Vec::new();
        if turns == 0 {
            return found;
        }
        let side = self.attacking_side;
        for step in self.checking_moves(side) {
            if self.board.piece_on(step.1).is_some() {
                continue;
            }
            for prize in self.with_move(step, |trial| trial.guaranteed_gains(turns, returns)) {
                let attacker = if prize.attacker == step.1 { step.0 } else { prize.attacker };
                if !found.iter().any(|old| (old.attacker, old.victim) == (attacker, prize.victim)) {
                    found.push(ProfitableCapture {
                        attacker,
                        counts_under_26_9: true,
                        is_indirect: true,
                        ..prize
                    });
                }
            }
        }
        found
    }

    /// What a check given wins at least, by the points where the men stood before it was answered: every capture that wins just
    /// that, so that no order of search chooses among them. Nothing if an answer leaves nothing to win.
    fn guaranteed_gains(&mut self, turns: u32, returns: Compensation) -> Vec<ProfitableCapture> {
        let even = i32::from(returns != Compensation::Anything);
        let mut least: Vec<ProfitableCapture> = Vec::new();
        for reply in self.legal_moves(!self.attacking_side, ALL_SQUARES) {
            let spent = self.captured_value(reply);
            let mut prizes = self.with_move(reply, |trial| {
                let mut prizes = trial.profitable_captures(returns, MAX_LATE_COUNTERCHECKS);
                prizes.retain(|prize| {
                    let soldier =
                        trial.board.piece_on(prize.victim).is_none_or(|man| man.kind() == PieceKind::Soldier);
                    prize.gain + even > spent && !prize.is_indirect && !soldier
                });
                if prizes.is_empty() && spent == 0 {
                    prizes = trial.check_series(turns - 1, returns);
                }
                prizes
            });
            let Some(best) = prizes.iter().map(|prize| prize.gain).max() else { return Vec::new() };
            prizes.retain(|prize| prize.gain == best);
            for prize in &mut prizes {
                if prize.victim == reply.1 {
                    prize.victim = reply.0;
                }
            }
            match least.first().map(|prize| prize.gain) {
                Some(gain) if gain < best => {}
                Some(gain) if gain == best => least.extend(prizes),
                _ => least = prizes,
            }
        }
        least
    }

    /// The asker's prizes with all checks the other side may put in.
    pub(super) fn all_profitable_captures(&mut self, returns: Compensation) -> Vec<ProfitableCapture> {
        self.profitable_captures(returns, MAX_COUNTERCHECKS)
    }

    /// The points that a man attacks, whatever it would bring.
    pub(super) fn attacked_by(&self, from: Square) -> SquareSet {
        self.board.piece_on(from).map_or(SquareSet::EMPTY, |man| {
            self.board.targets(man.side(), man.kind(), from) & self.board.occupied_by(!man.side())
        })
    }

    /// How many men of a side can attack at all: its force.
    pub(super) fn attacking_piece_count(&self, side: alfil_kernel::Side) -> usize {
        [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier]
            .map(|kind| self.board.pieces(side, kind).len())
            .iter()
            .sum()
    }

    /// The man of the other side, of those that attack far, that attacked one of one's own men and does so no longer, because
    /// something stands between.
    pub(super) fn has_blocked_attack(&self, after: &TacticalSearch, moved: Square) -> bool {
        let foe = !self.attacking_side;
        [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse].into_iter().any(|kind| {
            self.board.pieces(foe, kind).iter().any(|hunter| {
                let own = self
                    .board
                    .occupied_by(self.attacking_side)
                    .difference(SquareSet::from_square(moved.index()));
                let before = self.board.targets(foe, kind, square_at(hunter)) & own;
                !before.difference(after.board.targets(foe, kind, square_at(hunter))).is_empty()
            })
        })
    }
}
