//! A board on which a side tries things out: legal moves, checks, mates by checks, exchanges on one point. What the book of the
//! Chinese association needs, because there a threat is whatever wins something.
//!
//! Every search is bounded twice: by a number of checks, and by a number of moves tried for one question, after which nothing
//! more is found.

use alfil_kernel::Side;

use super::scratch_board::ScratchBoard;
use crate::board::SquareSet;
use crate::geometry::{ALL_SQUARES, square_at};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// More than all men together.
pub(super) const MATE_VALUE: i32 = 10_000;

/// So many moves may be tried for one question about one position. The figures and the random loops need 40,000.
pub(super) const MAX_TRIES: u32 = 100_000;

/// From where to where.
pub(super) type FromTo = (Square, Square);

/// What a man is worth to whoever takes it: a chariot is two horses or two cannons, an advisor an elephant, and a soldier little
/// until it has crossed the river (articles on the worth of men).
pub(super) fn piece_value(man: Piece, square: Square) -> i32 {
    match man.kind() {
        PieceKind::Rook => 20,
        PieceKind::Horse | PieceKind::Cannon => 10,
        PieceKind::Advisor | PieceKind::Elephant => 5,
        PieceKind::Soldier if square.half() != man.side() => 4,
        PieceKind::Soldier => 1,
        PieceKind::King => MATE_VALUE,
    }
}

/// What may be used when a capture is played out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExchangeLimits {
    /// Men of the asker that may not take again: they offer themselves to their like.
    pub(super) barred: SquareSet,
    /// Men of the asker that the other side may take in return, elsewhere.
    pub(super) exposed: SquareSet,
    /// The asker may go on taking elsewhere.
    pub(super) captures_elsewhere: bool,
    /// So many checks the other side may put in.
    pub(super) max_checks: u32,
}

/// A question of one side: what it could do if it were on move.
#[derive(Clone, Debug)]
pub(super) struct TacticalSearch {
    pub(super) board: ScratchBoard,
    pub(super) attacking_side: Side,
    /// Men whose check against the asker stands already, and is left aside.
    ignored_checkers: SquareSet,
    tries_left: u32,
}

impl TacticalSearch {
    /// The asker's standing checks are left aside: before a move that answers one, its side is asked as if it were free.
    pub(super) fn new(field: &ScratchBoard, asker: Side, tries: u32) -> TacticalSearch {
        TacticalSearch {
            board: field.clone(),
            attacking_side: asker,
            ignored_checkers: field.checkers(asker),
            tries_left: tries,
        }
    }

    pub(super) fn in_check(&self, side: Side) -> bool {
        let checkers = self.board.checkers(side);
        !(if side == self.attacking_side { checkers.difference(self.ignored_checkers) } else { checkers })
            .is_empty()
    }

    /// Makes a step, asks, and takes it back.
    pub(super) fn with_move<T>(
        &mut self,
        (origin, target): FromTo,
        ask: impl FnOnce(&mut TacticalSearch) -> T,
    ) -> T {
        self.tries_left = self.tries_left.saturating_sub(1);
        let taken = self.board.make(origin, target);
        let answer = ask(self);
        self.board.unmake(origin, target, taken);
        answer
    }

    /// What a step takes, in worth.
    pub(super) fn captured_value(&self, (_, target): FromTo) -> i32 {
        self.board.piece_on(target).map_or(0, |man| piece_value(man, target))
    }

    /// The legal moves of a side onto the given points; none once the tries are used up.
    pub(super) fn legal_moves(&mut self, side: Side, onto: SquareSet) -> Vec<FromTo> {
        let mut found = Vec::new();
        if self.tries_left == 0 {
            return found;
        }
        let onto = onto
            .difference(self.board.occupied_by(side))
            .difference(self.board.pieces(!side, PieceKind::King));
        for kind in PieceKind::ALL {
            for origin in self.board.pieces(side, kind) {
                for target in self.board.targets(side, kind, square_at(origin)) & onto {
                    let step = (square_at(origin), square_at(target));
                    if self.is_legal(side, step) {
                        found.push(step);
                    }
                }
            }
        }
        found
    }

    /// The legal captures of a side.
    pub(super) fn legal_captures(&mut self, side: Side) -> Vec<FromTo> {
        self.legal_moves(side, self.board.occupied_by(!side))
    }

    fn is_legal(&mut self, side: Side, step: FromTo) -> bool {
        let taken = self.board.make(step.0, step.1);
        let safe = !self.in_check(side);
        self.board.unmake(step.0, step.1, taken);
        safe
    }

    /// The moves that give check.
    pub(super) fn checking_moves(&mut self, side: Side) -> Vec<FromTo> {
        let mut moves = self.legal_moves(side, ALL_SQUARES);
        moves.retain(|&step| self.with_move(step, |trial| trial.in_check(!side)));
        moves
    }

    /// Whether a man could legally take another.
    pub(super) fn can_capture(&mut self, hunter: Square, hunted: Square) -> bool {
        let Some(man) = self.board.piece_on(hunter) else { return false };
        self.board.targets(man.side(), man.kind(), hunter).contains(hunted.index())
            && self.is_legal(man.side(), (hunter, hunted))
    }

    /// The captures of like by like in which either could take the other: offers to exchange.
    pub(super) fn exchange_offers(&mut self) -> Vec<FromTo> {
        let mut captures = self.legal_captures(self.attacking_side);
        captures.retain(|&(from, to)| {
            let kind = |square| self.board.piece_on(square).map(Piece::kind);
            kind(from) == kind(to) && self.can_capture(to, from)
        });
        captures
    }

    /// Whether the asker mates with so many checks, one after another, whatever is answered. An offer to exchange does not count
    /// as a part of it.
    pub(super) fn has_mate_by_checks(&mut self, turns: u32, offers: &[FromTo]) -> bool {
        let side = self.attacking_side;
        if turns == 0 || self.tries_left == 0 {
            return false;
        }
        self.checking_moves(side).into_iter().filter(|step| !offers.contains(step)).any(|step| {
            self.with_move(step, |trial| {
                let replies = trial.legal_moves(!side, ALL_SQUARES);
                trial.tries_left > 0
                    && replies.into_iter().all(|reply| {
                        trial.with_move(reply, |trial| trial.has_mate_by_checks(turns - 1, offers))
                    })
            })
        })
    }

    /// What the side on move gets out of what is going on around `square`, between `alpha` and `beta`: by taking there; the
    /// asker, under wide terms, by taking anywhere; the other side also by taking what is exposed, and by checks. Nobody has to
    /// take, but a check must be answered.
    pub(super) fn exchange_value(
        &mut self,
        side: Side,
        square: Square,
        terms: ExchangeLimits,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let check = self.in_check(side);
        let mut best = if check { -MATE_VALUE } else { 0 };
        if best >= beta || self.tries_left == 0 {
            return best.max(0);
        }
        alpha = alpha.max(best);
        for step in self.continuations(side, square, check, &terms) {
            let (won, asks) = (self.captured_value(step), side == self.attacking_side);
            let spends = !asks && terms.max_checks > 0 && step.1 != square;
            let terms = ExchangeLimits { max_checks: terms.max_checks - u32::from(spends), ..terms };
            let next = if asks && terms.captures_elsewhere && won > 0 { step.1 } else { square };
            let score = won
                - self.with_move(step, |trial| {
                    trial.exchange_value(!side, next, terms, won - beta, won - alpha)
                });
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn continuations(
        &mut self,
        side: Side,
        square: Square,
        check: bool,
        terms: &ExchangeLimits,
    ) -> Vec<FromTo> {
        let asks = side == self.attacking_side;
        let there = SquareSet::from_square(square.index());
        let onto = match (check, asks) {
            (true, _) => ALL_SQUARES,
            (false, true) if terms.captures_elsewhere => self.board.occupied_by(!side),
            (false, true) => there,
            (false, false) => (there | terms.exposed) & self.board.occupied_by(!side),
        };
        let mut moves = self.legal_moves(side, onto);
        moves.retain(|&(from, to)| to != square || !terms.barred.contains(from.index()));
        if !check && !asks && terms.max_checks > 0 {
            for step in self.checking_moves(side) {
                if !moves.contains(&step) {
                    moves.push(step);
                }
            }
        }
        moves
    }
}
