//! Captures played out to their end (article 26.5 of the Chinese association): the capture, what is taken back, what
//! the other side takes elsewhere in return, and the checks that it interposes.

use alloc::vec::Vec;

use alfil_kernel::Side;
use alfil_kernel::short_sort::sort_short;

use super::tactics::{FromTo, MATE_VALUE, TacticalSearch};
use crate::geometry::ALL_SQUARES;
use crate::piece::PieceKind;
use crate::square::SquareSet;

/// The most plies of one line. Lines of captures and checks end sooner; this bounds the stack.
const MAX_PLIES: u32 = 12;

/// What either side may do while a capture is played out.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayOut<'a> {
    /// The squares on which either side may take back: that of the first capture, and those of the captures since.
    pub(super) squares: SquareSet,
    /// Whether the attacking side may capture anywhere, but not with a king or a soldier, whose attacks elsewhere are
    /// always allowed (26.1).
    pub(super) captures_anywhere: bool,
    /// The pieces of the attacking side that the other side may take in return.
    pub(super) exposed: SquareSet,
    /// The captures that offer to exchange like for like, in which the attacking side takes no part.
    pub(super) offers: &'a [FromTo],
    /// The most checks that the other side may interpose.
    pub(super) max_checks: u32,
    pub(super) plies_left: u32,
}

impl PlayOut<'_> {
    /// The capture and what is taken back on its square, without counterplay.
    pub(super) const ON_ONE_SQUARE: PlayOut<'static> = PlayOut {
        squares: SquareSet::EMPTY,
        captures_anywhere: false,
        exposed: SquareSet::EMPTY,
        offers: &[],
        max_checks: 0,
        plies_left: MAX_PLIES,
    };
}

impl TacticalSearch<'_> {
    /// Returns the material that a capture by either side wins in the end.
    pub(super) fn capture_gain(&mut self, mv: FromTo, limits: PlayOut<'_>) -> i32 {
        let captured = self.captured_value(mv);
        let Some(side) = self.board.piece_on(mv.0).map(|piece| piece.side()) else { return 0 };
        let mut offers = if side == self.attacking_side { self.exchange_offers() } else { Vec::new() };
        let takes_no_part = |offer: &FromTo| self.reading.offers_take_no_part || offer.1 == mv.1;
        offers.retain(|offer| *offer != mv && takes_no_part(offer));
        let limits = PlayOut { squares: SquareSet::from_square(mv.1), offers: &offers, ..limits };
        captured - self.with_move(mv, |search| search.play_out(!side, limits, -MATE_VALUE, MATE_VALUE))
    }

    /// Returns the pieces of the attacking side that the other side may take in return for a capture: those that it
    /// attacks with profit already, and those that it does not attack yet, which the capture may leave open. That the
    /// capturing piece gives up a protection is no compensation.
    pub(super) fn exposed_pieces(&mut self) -> SquareSet {
        let own = self.board.occupied_by(self.attacking_side);
        let captures = self.legal_captures(!self.attacking_side);
        let attacked = SquareSet::from_squares(captures.iter().map(|mv| mv.1));
        self.lost_by(captures) | own.difference(attacked)
    }

    /// Returns the pieces of the attacking side that the other side attacks with profit.
    pub(super) fn endangered_pieces(&mut self) -> SquareSet {
        let captures = self.legal_captures(!self.attacking_side);
        self.lost_by(captures)
    }

    fn lost_by(&mut self, mut captures: Vec<FromTo>) -> SquareSet {
        captures.retain(|&mv| self.capture_gain(mv, PlayOut::ON_ONE_SQUARE) > 0);
        SquareSet::from_squares(captures.into_iter().map(|mv| mv.1))
    }

    /// Returns the material that the side to move wins, between `alpha` and `beta`. No side has to capture, but a check
    /// must be answered.
    fn play_out(&mut self, side: Side, limits: PlayOut<'_>, mut alpha: i32, beta: i32) -> i32 {
        let in_check = self.in_check(side);
        let mut best = if in_check { -MATE_VALUE } else { 0 };
        if best >= beta || limits.plies_left == 0 || self.is_exhausted() {
            return best.max(0);
        }
        alpha = alpha.max(best);
        let is_attacking = side == self.attacking_side;
        for mv in self.continuations(side, in_check, &limits) {
            let captured = self.captured_value(mv);
            let mut next = PlayOut { plies_left: limits.plies_left - 1, ..limits };
            if self.board.piece_on(mv.1).is_some() {
                next.squares = next.squares | SquareSet::from_square(mv.1);
            } else if !is_attacking && !in_check {
                next.max_checks -= 1;
            }
            let score = captured
                - self
                    .with_move(mv, |search| search.play_out(!side, next, captured - beta, captured - alpha));
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Returns the moves by which a line may go on, the most valuable captures first.
    fn continuations(&mut self, side: Side, in_check: bool, limits: &PlayOut<'_>) -> Vec<FromTo> {
        let is_attacking = side == self.attacking_side;
        let onto = match (in_check, is_attacking) {
            (true, _) => ALL_SQUARES,
            (false, true) if limits.captures_anywhere => self.board.occupied_by(!side),
            (false, true) => limits.squares & self.board.occupied_by(!side),
            (false, false) => (limits.squares | limits.exposed) & self.board.occupied_by(!side),
        };
        let mut moves = self.legal_moves(side, onto);
        if is_attacking {
            let allowed_for_ever = match self.reading.kings_win_nothing_elsewhere {
                true => {
                    self.board.pieces(side, PieceKind::King) | self.board.pieces(side, PieceKind::Soldier)
                }
                false => SquareSet::EMPTY,
            };
            moves.retain(|mv| {
                let takes_back = in_check || limits.squares.contains(mv.1);
                !limits.offers.contains(mv) && (takes_back || !allowed_for_ever.contains(mv.0))
            });
        } else if !in_check && limits.max_checks > 0 {
            for mv in self.checking_moves(side) {
                // A capture that gives check is one of the captures above or takes a piece that is not exposed.
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
        sort_short(&mut moves, |&a, &b| self.captured_value(a) > self.captured_value(b));
        moves
    }
}
