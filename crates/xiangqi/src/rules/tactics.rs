//! Tactical search for the ruleset of the Chinese association, in which a threat is proved by playing it out: legal
//! moves, checks, mates by checks. Captures are played out in `play_out`.
//!
//! Every search is bounded twice: by a number of checks, and by a number of moves tried, after which nothing more is
//! found.

use alloc::vec::Vec;
use core::cell::Cell;

use alfil_kernel::Side;

use super::cxa_threats::TextReading;
use super::scratch_board::ScratchBoard;
use crate::geometry::ALL_SQUARES;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// A value above that of all pieces together.
pub(super) const MATE_VALUE: i32 = 10_000;

/// The most moves tried in one search about one position. No figure is judged otherwise with half as many.
pub(super) const MAX_TRIES: u32 = 100_000;

/// The most checks in a row that may lead to the mate that a kill threatens, or that a capture allows.
pub(super) const MAX_KILL_CHECKS: u32 = 6;

/// Origin and target of a move.
pub(super) type FromTo = (Square, Square);

/// Returns the value of a piece to the side that captures it: a rook equals two horses or two cannons, an advisor an
/// elephant, and a soldier little until it has crossed the river (articles on the value of pieces).
pub(super) fn piece_value(piece: Piece, square: Square) -> i32 {
    match piece.kind() {
        PieceKind::Rook => 20,
        PieceKind::Horse | PieceKind::Cannon => 10,
        PieceKind::Advisor | PieceKind::Elephant => 5,
        PieceKind::Soldier if square.half() != piece.side() => 4,
        PieceKind::Soldier => 0,
        PieceKind::King => MATE_VALUE,
    }
}

/// How deep the searches about one move looked.
#[derive(Debug, Default)]
pub(super) struct SearchDepth {
    plies: Cell<u32>,
    was_cut_short: Cell<bool>,
}

impl SearchDepth {
    /// Returns the plies of the longest line that was tried.
    pub(super) fn plies(&self) -> u32 {
        self.plies.get()
    }

    /// Returns whether a search had used up its tries before it was complete.
    pub(super) fn was_cut_short(&self) -> bool {
        self.was_cut_short.get()
    }
}

/// A search from the view of one side, as if it were to move.
#[derive(Clone, Debug)]
pub(super) struct TacticalSearch<'a> {
    pub(super) board: ScratchBoard,
    pub(super) attacking_side: Side,
    /// Pieces that already give check to the attacking side; their checks are ignored.
    ignored_checkers: SquareSet,
    tries_left: u32,
    /// The moves made since the position of the search.
    plies: u32,
    depth: &'a SearchDepth,
    pub(super) reading: TextReading,
}

impl<'a> TacticalSearch<'a> {
    /// Creates a search. Existing checks to the attacking side are ignored: before a move that answers a check, its
    /// side is treated as free to move.
    pub(super) fn new(
        board: &ScratchBoard,
        attacking_side: Side,
        max_tries: u32,
        depth: &'a SearchDepth,
        reading: TextReading,
    ) -> TacticalSearch<'a> {
        TacticalSearch {
            board: board.clone(),
            attacking_side,
            ignored_checkers: board.checkers(attacking_side),
            tries_left: max_tries,
            plies: 0,
            depth,
            reading,
        }
    }

    pub(super) fn in_check(&self, side: Side) -> bool {
        let checkers = self.board.checkers(side);
        !(if side == self.attacking_side { checkers.difference(self.ignored_checkers) } else { checkers })
            .is_empty()
    }

    /// Makes a move, calls `visit` and unmakes the move.
    pub(super) fn with_move<T>(
        &mut self,
        (origin, target): FromTo,
        visit: impl FnOnce(&mut TacticalSearch<'a>) -> T,
    ) -> T {
        self.tries_left = self.tries_left.saturating_sub(1);
        self.plies += 1;
        self.depth.plies.set(self.depth.plies.get().max(self.plies));
        if self.tries_left == 0 {
            self.depth.was_cut_short.set(true);
        }
        let captured = self.board.make(origin, target);
        let result = visit(self);
        self.board.unmake(origin, target, captured);
        self.plies -= 1;
        result
    }

    /// Returns the value of the piece that a move captures.
    pub(super) fn captured_value(&self, (_, target): FromTo) -> i32 {
        self.board.piece_on(target).map_or(0, |piece| piece_value(piece, target))
    }

    /// Returns the legal moves of a side to the given squares; none once all tries are used up.
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
                for target in self.board.targets(side, kind, origin) & onto {
                    let mv = (origin, target);
                    if self.is_legal(side, mv) {
                        found.push(mv);
                    }
                }
            }
        }
        found
    }

    /// Returns the legal captures of a side.
    pub(super) fn legal_captures(&mut self, side: Side) -> Vec<FromTo> {
        self.legal_moves(side, self.board.occupied_by(!side))
    }

    fn is_legal(&mut self, side: Side, mv: FromTo) -> bool {
        let captured = self.board.make(mv.0, mv.1);
        let is_legal = !self.in_check(side);
        self.board.unmake(mv.0, mv.1, captured);
        is_legal
    }

    /// Returns the moves that give check.
    pub(super) fn checking_moves(&mut self, side: Side) -> Vec<FromTo> {
        let mut moves = self.legal_moves(side, ALL_SQUARES);
        moves.retain(|&mv| self.with_move(mv, |search| search.in_check(!side)));
        moves
    }

    /// Returns whether a piece could legally capture another.
    pub(super) fn can_capture(&mut self, attacker: Square, victim: Square) -> bool {
        let Some(piece) = self.board.piece_on(attacker) else { return false };
        self.board.targets(piece.side(), piece.kind(), attacker).contains(victim)
            && self.is_legal(piece.side(), (attacker, victim))
    }

    /// Returns whether a capture is between pieces of one kind of which either could capture the other: an offer to
    /// exchange.
    pub(super) fn is_offer(&mut self, (attacker, victim): FromTo) -> bool {
        let kind = |square| self.board.piece_on(square).map(Piece::kind);
        kind(attacker) == kind(victim) && self.can_capture(victim, attacker)
    }

    /// Returns whether a search has used up its tries, so that nothing more is found.
    pub(super) fn is_exhausted(&self) -> bool {
        self.tries_left == 0
    }

    /// Returns the captures of the attacking side that are offers to exchange.
    pub(super) fn exchange_offers(&mut self) -> Vec<FromTo> {
        let side = self.attacking_side;
        let mut found = Vec::new();
        for kind in PieceKind::ALL {
            for attacker in self.board.pieces(side, kind) {
                let victims = self.board.targets(side, kind, attacker) & self.board.pieces(!side, kind);
                let offers = victims.iter().map(|victim| (attacker, victim));
                found.extend(offers.filter(|&(attacker, victim)| {
                    self.can_capture(attacker, victim) && self.can_capture(victim, attacker)
                }));
            }
        }
        found
    }

    /// Returns whether the other side mates with at most this many checks after a capture by the attacking side.
    pub(super) fn allows_mate(&mut self, mv: FromTo, max_checks: u32) -> bool {
        let side = !self.attacking_side;
        self.with_move(mv, |search| {
            (1..=max_checks).any(|checks| search.has_mate_by_checks(side, checks, &[]))
        })
    }

    /// Returns whether a side mates with at most this many checks in a row, whatever the replies, without the
    /// `excluded` moves.
    pub(super) fn has_mate_by_checks(&mut self, side: Side, max_checks: u32, excluded: &[FromTo]) -> bool {
        if max_checks == 0 || self.tries_left == 0 {
            return false;
        }
        self.checking_moves(side).into_iter().filter(|mv| !excluded.contains(mv)).any(|mv| {
            self.with_move(mv, |search| {
                let replies = search.legal_moves(!side, ALL_SQUARES);
                search.tries_left > 0
                    && replies.into_iter().all(|reply| {
                        search.with_move(reply, |search| {
                            search.has_mate_by_checks(side, max_checks - 1, excluded)
                        })
                    })
            })
        })
    }
}
