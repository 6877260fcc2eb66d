//! Tactical search for the ruleset of the Chinese association, in which a threat is whatever wins material: legal
//! moves, checks, mates by checks, exchanges on one square.
//!
//! Every search is bounded twice: by a number of checks, and by a number of moves tried, after which nothing more is
//! found.

use alfil_kernel::Side;

use super::scratch_board::ScratchBoard;
use crate::geometry::ALL_SQUARES;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet, square_at};

/// A value above that of all pieces together.
pub(super) const MATE_VALUE: i32 = 10_000;

/// The most moves tried in one search about one position. The figures and the random loops need 40,000.
pub(super) const MAX_TRIES: u32 = 100_000;

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
        PieceKind::Soldier => 1,
        PieceKind::King => MATE_VALUE,
    }
}

/// The limits of an exchange that is played out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExchangeLimits {
    /// The pieces of the attacking side that may not recapture: their captures are offers to exchange.
    pub(super) barred: SquareSet,
    /// The pieces of the attacking side that the other side may capture in return, elsewhere.
    pub(super) exposed: SquareSet,
    /// Whether the attacking side may go on to capture elsewhere.
    pub(super) captures_elsewhere: bool,
    /// The most checks that the other side may interpose.
    pub(super) max_checks: u32,
}

/// A search from the view of one side, as if it were to move.
#[derive(Clone, Debug)]
pub(super) struct TacticalSearch {
    pub(super) board: ScratchBoard,
    pub(super) attacking_side: Side,
    /// Pieces that already give check to the attacking side; their checks are ignored.
    ignored_checkers: SquareSet,
    tries_left: u32,
}

impl TacticalSearch {
    /// Creates a search. Existing checks to the attacking side are ignored: before a move that answers a check, its
    /// side is treated as free to move.
    pub(super) fn new(board: &ScratchBoard, attacking_side: Side, max_tries: u32) -> TacticalSearch {
        TacticalSearch {
            board: board.clone(),
            attacking_side,
            ignored_checkers: board.checkers(attacking_side),
            tries_left: max_tries,
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
        visit: impl FnOnce(&mut TacticalSearch) -> T,
    ) -> T {
        self.tries_left = self.tries_left.saturating_sub(1);
        let captured = self.board.make(origin, target);
        let result = visit(self);
        self.board.unmake(origin, target, captured);
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
                for target in self.board.targets(side, kind, square_at(origin)) & onto {
                    let mv = (square_at(origin), square_at(target));
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
        self.board.targets(piece.side(), piece.kind(), attacker).contains(victim.index())
            && self.is_legal(piece.side(), (attacker, victim))
    }

    /// Returns the captures between pieces of the same kind in which either could capture the other: offers to
    /// exchange.
    pub(super) fn exchange_offers(&mut self) -> Vec<FromTo> {
        let mut captures = self.legal_captures(self.attacking_side);
        captures.retain(|&(from, to)| {
            let kind = |square| self.board.piece_on(square).map(Piece::kind);
            kind(from) == kind(to) && self.can_capture(to, from)
        });
        captures
    }

    /// Returns whether the attacking side mates with at most this many checks in a row, whatever the replies. An offer
    /// to exchange is not part of a mate threat.
    pub(super) fn has_mate_by_checks(&mut self, max_checks: u32, offers: &[FromTo]) -> bool {
        let side = self.attacking_side;
        if max_checks == 0 || self.tries_left == 0 {
            return false;
        }
        self.checking_moves(side).into_iter().filter(|mv| !offers.contains(mv)).any(|mv| {
            self.with_move(mv, |search| {
                let replies = search.legal_moves(!side, ALL_SQUARES);
                search.tries_left > 0
                    && replies.into_iter().all(|reply| {
                        search.with_move(reply, |search| search.has_mate_by_checks(max_checks - 1, offers))
                    })
            })
        })
    }

    /// Returns the material that the side to move wins around `square`, between `alpha` and `beta`: by captures there;
    /// for the attacking side, if `limits` allow it, by captures anywhere; for the other side also by capturing exposed
    /// pieces, and by checks. No side has to capture, but a check must be answered.
    pub(super) fn exchange_value(
        &mut self,
        side: Side,
        square: Square,
        limits: ExchangeLimits,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let in_check = self.in_check(side);
        let mut best = if in_check { -MATE_VALUE } else { 0 };
        if best >= beta || self.tries_left == 0 {
            return best.max(0);
        }
        alpha = alpha.max(best);
        for mv in self.continuations(side, square, in_check, &limits) {
            let (captured_value, is_attacking) = (self.captured_value(mv), side == self.attacking_side);
            let is_countercheck = !is_attacking && limits.max_checks > 0 && mv.1 != square;
            let limits =
                ExchangeLimits { max_checks: limits.max_checks - u32::from(is_countercheck), ..limits };
            let next_square =
                if is_attacking && limits.captures_elsewhere && captured_value > 0 { mv.1 } else { square };
            let score = captured_value
                - self.with_move(mv, |search| {
                    search.exchange_value(
                        !side,
                        next_square,
                        limits,
                        captured_value - beta,
                        captured_value - alpha,
                    )
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
        in_check: bool,
        limits: &ExchangeLimits,
    ) -> Vec<FromTo> {
        let is_attacking = side == self.attacking_side;
        let on_square = SquareSet::from_square(square.index());
        let onto = match (in_check, is_attacking) {
            (true, _) => ALL_SQUARES,
            (false, true) if limits.captures_elsewhere => self.board.occupied_by(!side),
            (false, true) => on_square,
            (false, false) => (on_square | limits.exposed) & self.board.occupied_by(!side),
        };
        let mut moves = self.legal_moves(side, onto);
        moves.retain(|&(from, to)| to != square || !limits.barred.contains(from.index()));
        if !in_check && !is_attacking && limits.max_checks > 0 {
            for mv in self.checking_moves(side) {
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
        moves
    }
}
