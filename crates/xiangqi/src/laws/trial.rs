//! A board on which a side tries things out: legal moves, checks, mates by checks, exchanges on one point. What the book of the
//! Chinese association needs, because there a threat is whatever wins something.
//!
//! Every search is bounded twice: by a number of checks, and by a number of moves tried for one question, after which nothing
//! more is found.

use alfil_kernel::Side;

use super::field::Field;
use crate::board::Points;
use crate::geometry::{BOARD, at};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// More than all men together.
pub(super) const MATE: i32 = 10_000;

/// So many moves may be tried for one question about one position. The figures and the random loops need 40,000.
pub(super) const TRIES: u32 = 100_000;

/// From where to where.
pub(super) type Step = (Square, Square);

/// What a man is worth to whoever takes it: a chariot is two horses or two cannons, an advisor an elephant, and a soldier little
/// until it has crossed the river (articles on the worth of men).
pub(super) fn worth(man: Piece, square: Square) -> i32 {
    match man.kind() {
        Kind::Rook => 20,
        Kind::Horse | Kind::Cannon => 10,
        Kind::Advisor | Kind::Elephant => 5,
        Kind::Soldier if square.half() != man.side() => 4,
        Kind::Soldier => 1,
        Kind::King => MATE,
    }
}

/// What may be used when a capture is played out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    /// Men of the asker that may not take again: they offer themselves to their like.
    pub(super) barred: Points,
    /// Men of the asker that the other side may take in return, elsewhere.
    pub(super) exposed: Points,
    /// The asker may go on taking elsewhere.
    pub(super) wide: bool,
    /// So many checks the other side may put in.
    pub(super) checks: u32,
}

/// A question of one side: what it could do if it were on move.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) field: Field,
    pub(super) asker: Side,
    /// Men whose check against the asker stands already, and is left aside.
    aside: Points,
    tries: u32,
}

impl Trial {
    /// The asker's standing checks are left aside: before a move that answers one, its side is asked as if it were free.
    pub(super) fn new(field: &Field, asker: Side, tries: u32) -> Trial {
        Trial { field: field.clone(), asker, aside: field.checkers(asker), tries }
    }

    pub(super) fn in_check(&self, side: Side) -> bool {
        let checkers = self.field.checkers(side);
        !(if side == self.asker { checkers.minus(self.aside) } else { checkers }).is_empty()
    }

    /// Makes a step, asks, and takes it back.
    pub(super) fn after<T>(&mut self, (origin, target): Step, ask: impl FnOnce(&mut Trial) -> T) -> T {
        self.tries = self.tries.saturating_sub(1);
        let taken = self.field.go(origin, target);
        let answer = ask(self);
        self.field.back(origin, target, taken);
        answer
    }

    /// What a step takes, in worth.
    pub(super) fn taken(&self, (_, target): Step) -> i32 {
        self.field.man(target).map_or(0, |man| worth(man, target))
    }

    /// The legal moves of a side onto the given points; none once the tries are used up.
    pub(super) fn moves(&mut self, side: Side, onto: Points) -> Vec<Step> {
        let mut found = Vec::new();
        if self.tries == 0 {
            return found;
        }
        let onto = onto.minus(self.field.men_of(side)).minus(self.field.set(!side, Kind::King));
        for kind in Kind::ALL {
            for origin in self.field.set(side, kind) {
                for target in self.field.reach(side, kind, at(origin)) & onto {
                    let step = (at(origin), at(target));
                    if self.is_safe(side, step) {
                        found.push(step);
                    }
                }
            }
        }
        found
    }

    /// The legal captures of a side.
    pub(super) fn captures(&mut self, side: Side) -> Vec<Step> {
        self.moves(side, self.field.men_of(!side))
    }

    fn is_safe(&mut self, side: Side, step: Step) -> bool {
        let taken = self.field.go(step.0, step.1);
        let safe = !self.in_check(side);
        self.field.back(step.0, step.1, taken);
        safe
    }

    /// The moves that give check.
    pub(super) fn checks(&mut self, side: Side) -> Vec<Step> {
        let mut moves = self.moves(side, BOARD);
        moves.retain(|&step| self.after(step, |trial| trial.in_check(!side)));
        moves
    }

    /// Whether a man could legally take another.
    pub(super) fn could_take(&mut self, hunter: Square, hunted: Square) -> bool {
        let Some(man) = self.field.man(hunter) else { return false };
        self.field.reach(man.side(), man.kind(), hunter).contains(hunted.index())
            && self.is_safe(man.side(), (hunter, hunted))
    }

    /// The captures of like by like in which either could take the other: offers to exchange.
    pub(super) fn offers(&mut self) -> Vec<Step> {
        let mut captures = self.captures(self.asker);
        captures.retain(|&(from, to)| {
            let kind = |square| self.field.man(square).map(Piece::kind);
            kind(from) == kind(to) && self.could_take(to, from)
        });
        captures
    }

    /// Whether the asker mates with so many checks, one after another, whatever is answered. An offer to exchange does not count
    /// as a part of it.
    pub(super) fn mates(&mut self, turns: u32, offers: &[Step]) -> bool {
        let side = self.asker;
        if turns == 0 || self.tries == 0 {
            return false;
        }
        self.checks(side).into_iter().filter(|step| !offers.contains(step)).any(|step| {
            self.after(step, |trial| {
                let replies = trial.moves(!side, BOARD);
                trial.tries > 0
                    && replies
                        .into_iter()
                        .all(|reply| trial.after(reply, |trial| trial.mates(turns - 1, offers)))
            })
        })
    }

    /// What the side on move gets out of what is going on around `square`, between `alpha` and `beta`: by taking there; the
    /// asker, under wide terms, by taking anywhere; the other side also by taking what is exposed, and by checks. Nobody has to
    /// take, but a check must be answered.
    pub(super) fn exchange(
        &mut self,
        side: Side,
        square: Square,
        terms: Terms,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let check = self.in_check(side);
        let mut best = if check { -MATE } else { 0 };
        if best >= beta || self.tries == 0 {
            return best.max(0);
        }
        alpha = alpha.max(best);
        for step in self.continuations(side, square, check, &terms) {
            let (won, asks) = (self.taken(step), side == self.asker);
            let spends = !asks && terms.checks > 0 && step.1 != square;
            let terms = Terms { checks: terms.checks - u32::from(spends), ..terms };
            let next = if asks && terms.wide && won > 0 { step.1 } else { square };
            let score =
                won - self.after(step, |trial| trial.exchange(!side, next, terms, won - beta, won - alpha));
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn continuations(&mut self, side: Side, square: Square, check: bool, terms: &Terms) -> Vec<Step> {
        let asks = side == self.asker;
        let there = Points::of(square.index());
        let onto = match (check, asks) {
            (true, _) => BOARD,
            (false, true) if terms.wide => self.field.men_of(!side),
            (false, true) => there,
            (false, false) => (there | terms.exposed) & self.field.men_of(!side),
        };
        let mut moves = self.moves(side, onto);
        moves.retain(|&(from, to)| to != square || !terms.barred.contains(from.index()));
        if !check && !asks && terms.checks > 0 {
            for step in self.checks(side) {
                if !moves.contains(&step) {
                    moves.push(step);
                }
            }
        }
        moves
    }
}
