//! What a side threatens to win under the book of the Chinese association: captures that pay when they are played out, and
//! captures at the end of a series of checks.

use super::trial::{MATE, Terms, Trial, worth};
use crate::board::Points;
use crate::geometry::{BOARD, at};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// So many checks may be put in by the side that is taken from.
const COUNTERCHECKS: u32 = 3;
/// And so many at the end of a series of checks, where there are many such questions.
const LATE_COUNTERCHECKS: u32 = 1;

/// What the side that is taken from may take elsewhere in return (article 26.5, each takes its own).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// Nothing.
    Nothing,
    /// What it attacked with profit before.
    Attacked,
    /// Anything.
    Anything,
}

/// A capture to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prize {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// What the capture is worth in the end.
    pub(super) gain: i32,
    /// It is a chase; otherwise an offer to exchange.
    pub(super) chase: bool,
    /// The victim is protected, if not well enough.
    pub(super) rooted: bool,
    /// Article 26.9: a chariot, or a man without a root, and not a mere joint chase.
    pub(super) grave: bool,
    /// Not the capture itself pays, but what follows it.
    pub(super) follows: bool,
}

impl Trial {
    /// The asker's captures that pay, and its offers to exchange. First those that pay on the spot; then those that pay only by
    /// what is taken elsewhere afterwards, and more than anything did on the spot.
    pub(super) fn prizes(&mut self, returns: Returns, checks: u32) -> Vec<Prize> {
        let captures = self.captures(self.asker);
        let offers = self.offers();
        let all = self.field.men_of(self.asker);
        let exposed = match returns {
            Returns::Nothing => Points::EMPTY,
            Returns::Attacked => self.attacked(),
            Returns::Anything => all,
        };
        let mut found: Vec<Prize> = Vec::new();
        let mut standing = 0;
        for wide in [false, true] {
            for &(from, to) in &captures {
                let barred = Points::from_squares(
                    offers.iter().filter(|offer| offer.1 == to).map(|offer| offer.0.index()),
                );
                let exposed = exposed.minus(Points::of(from.index()));
                let terms = Terms { barred, exposed, wide, checks };
                if found.iter().any(|prize| (prize.attacker, prize.victim) == (from, to)) {
                    continue;
                }
                let may_chase = self.may_chase(from, to);
                if wide && !may_chase {
                    continue;
                }
                let prize = self.prize(from, to, terms);
                if wide && prize.gain <= standing {
                    continue;
                }
                if !wide {
                    standing = standing.max(prize.gain);
                }
                let exchange = prize.gain > -MATE / 2 && (barred.contains(from.index()) || prize.gain == 0);
                if may_chase && (prize.chase || exchange) {
                    found.push(prize);
                }
            }
        }
        found
    }

    /// Generals and soldiers may chase for ever (26.1), and a soldier that has not crossed the river may be chased.
    fn may_chase(&self, from: Square, to: Square) -> bool {
        let (Some(hunter), Some(hunted)) = (self.field.man(from), self.field.man(to)) else { return false };
        let free = matches!(hunter.kind(), Kind::King | Kind::Soldier);
        !free && (hunted.kind() != Kind::Soldier || to.half() == self.asker)
    }

    /// A capture played out. A chariot attacked by lesser men is always chased. Where the sequence comes out even it is a chase
    /// too (26.5), but for one man against another of like worth.
    fn prize(&mut self, from: Square, to: Square, terms: Terms) -> Prize {
        let (asker, offer) = (self.asker, terms.barred.contains(from.index()));
        let kind = |trial: &Trial, square| trial.field.man(square).map(Piece::kind);
        let (hunter, hunted) = (kind(self, from), kind(self, to));
        let own = self.field.man(from).map_or(0, |man| worth(man, from));
        let won = self.taken((from, to));
        let firm = Terms { exposed: self.field.men_of(asker), ..terms };
        let (gain, firm, rooted, taken_back, backed) = self.after((from, to), |trial| {
            (
                won - trial.exchange(!asker, to, terms, -MATE, MATE),
                won - trial.exchange(!asker, to, firm, -MATE, MATE),
                !trial.field.takers(to, !asker).is_empty(),
                !trial.moves(!asker, Points::of(to.index())).is_empty(),
                !trial.field.takers(to, asker).is_empty(),
            )
        });
        let rook = hunted == Some(Kind::Rook);
        let greater = rook && hunter != hunted;
        let man_for_man = own == won && hunter != hunted && taken_back && !backed;
        let even = gain == 0 && !man_for_man && !terms.wide;
        // A capture after which one is mated is none.
        let chase = gain > -MATE / 2 && !offer && (gain > 0 || even || greater);
        let loose = !rooted && firm >= 0 && hunted != Some(Kind::Soldier);
        // Lesser are joint chases and attacks on men that are protected too weakly (26.9.1 and 26.9.2): not an even one by a
        // single man on its like, which could not take first.
        let joint = rook && !greater && rooted && backed;
        let alone = even && hunter == hunted && !backed;
        Prize {
            attacker: from,
            victim: to,
            gain,
            chase,
            rooted,
            grave: chase && ((rook && !joint) || terms.wide || loose || alone),
            follows: terms.wide,
        }
    }

    /// The asker's men that the other side could take with profit as things stand.
    fn attacked(&mut self) -> Points {
        let asker = self.asker;
        let captures = self.captures(!asker);
        let pays = |step: &_, trial: &mut Trial| {
            let won = trial.taken(*step);
            won > trial.after(*step, |trial| trial.exchange(asker, step.1, Terms::default(), -MATE, MATE))
        };
        Points::from_squares(captures.into_iter().filter(|step| pays(step, self)).map(|(_, to)| to.index()))
    }

    /// What the asker wins by checks, one after another, and a capture at last, whatever is answered: the least of it. A
    /// soldier is not worth a series. It is enough if the last capture comes out even, unless anything may be taken in return.
    pub(super) fn series(&mut self, turns: u32, returns: Returns) -> Vec<Prize> {
        let mut found: Vec<Prize> = Vec::new();
        if turns == 0 {
            return found;
        }
        let side = self.asker;
        for step in self.checks(side) {
            if self.field.man(step.1).is_some() {
                continue;
            }
            for prize in self.after(step, |trial| trial.least(turns, returns)) {
                let attacker = if prize.attacker == step.1 { step.0 } else { prize.attacker };
                if !found.iter().any(|old| (old.attacker, old.victim) == (attacker, prize.victim)) {
                    found.push(Prize { attacker, grave: true, follows: true, ..prize });
                }
            }
        }
        found
    }

    /// What a check given wins at least, by the points where the men stood before it was answered: every capture that wins just
    /// that, so that no order of search chooses among them. Nothing if an answer leaves nothing to win.
    fn least(&mut self, turns: u32, returns: Returns) -> Vec<Prize> {
        let even = i32::from(returns != Returns::Anything);
        let mut least: Vec<Prize> = Vec::new();
        for reply in self.moves(!self.asker, BOARD) {
            let spent = self.taken(reply);
            let mut prizes = self.after(reply, |trial| {
                let mut prizes = trial.prizes(returns, LATE_COUNTERCHECKS);
                prizes.retain(|prize| {
                    let soldier = trial.field.man(prize.victim).is_none_or(|man| man.kind() == Kind::Soldier);
                    prize.gain + even > spent && !prize.follows && !soldier
                });
                if prizes.is_empty() && spent == 0 {
                    prizes = trial.series(turns - 1, returns);
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
    pub(super) fn all_prizes(&mut self, returns: Returns) -> Vec<Prize> {
        self.prizes(returns, COUNTERCHECKS)
    }

    /// The points that a man attacks, whatever it would bring.
    pub(super) fn attacks(&self, from: Square) -> Points {
        self.field.man(from).map_or(Points::EMPTY, |man| {
            self.field.reach(man.side(), man.kind(), from) & self.field.men_of(!man.side())
        })
    }

    /// How many men of a side can attack at all: its force.
    pub(super) fn force(&self, side: alfil_kernel::Side) -> usize {
        [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Soldier]
            .map(|kind| self.field.set(side, kind).len())
            .iter()
            .sum()
    }

    /// The man of the other side, of those that attack far, that attacked one of one's own men and does so no longer, because
    /// something stands between.
    pub(super) fn blocks(&self, after: &Trial, moved: Square) -> bool {
        let foe = !self.asker;
        [Kind::Rook, Kind::Cannon, Kind::Horse].into_iter().any(|kind| {
            self.field.set(foe, kind).iter().any(|hunter| {
                let own = self.field.men_of(self.asker).minus(Points::of(moved.index()));
                let before = self.field.reach(foe, kind, at(hunter)) & own;
                !before.minus(after.field.reach(foe, kind, at(hunter))).is_empty()
            })
        })
    }
}
