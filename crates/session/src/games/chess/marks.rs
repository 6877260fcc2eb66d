//! The tactical marks of chess: attacks, protections and pins.

use alfil_chess::{Board, Square};
use alfil_kernel::position::SetupOf;

use crate::tactical_marks::{TacticalMark, contact_and_pin_marks};

/// Returns all marks of a position.
pub(super) fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let attackers = |board: &P, square, by| board.attackers_to(square, by).iter().collect();
    let clear = |setup: &mut SetupOf<P>, square: Square| setup.board[square.index()] = None;
    contact_and_pin_marks(position, attackers, P::king_square, clear)
}

#[cfg(test)]
mod tests {
    use crate::tactical_marks::{MarkKind, marks_of};

    #[test]
    fn a_piece_before_its_king_is_pinned() {
        let fen = "4r1k1/8/8/1b6/8/3N4/4B3/4K3 w - - 0 1";
        assert_eq!(marks_of("chess", fen, MarkKind::Pin), ["e8 e2 e1"]);
        assert_eq!(marks_of("chess", fen, MarkKind::Attack), ["e8 e2", "b5 d3"]);
        assert_eq!(
            marks_of("chess", fen, MarkKind::Protection),
            ["d3 e1", "e1 e2", "e2 d3", "b5 e8", "e8 g8"]
        );
    }
}
