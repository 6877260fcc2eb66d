//! The tactical marks of chess: attacks, protections and pins.

use alfil_chess::{Board, Square};
use alfil_kernel::position::SetupOf;
use alfil_kernel::{Side, Waivers};

use crate::tactical_marks::{TacticalMark, contact_marks, pin_marks};

/// Returns all marks of a position.
pub(super) fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let attackers =
        |square, by| position.attackers_to(square, by).iter().filter_map(Square::from_index).collect();
    let mut marks = contact_marks(position, attackers);
    let checkers = |board: &P, side: Side| {
        board.attackers_to(board.king_square(side), !side).iter().filter_map(Square::from_index).collect()
    };
    let without = |square: Square| {
        let mut setup: SetupOf<P> = position.to_setup();
        setup.board[square.index()] = None;
        P::from_setup(&setup, &Waivers::All).ok()
    };
    marks.extend(pin_marks(position, |side| position.king_square(side), checkers, without));
    marks
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use crate::tactical_marks::MarkKind;
    use alfil_kernel::Waivers;

    fn marks_of(fen: &str, kind: MarkKind) -> Vec<String> {
        let mut session = registry::open("chess", None).unwrap();
        session.open(fen, &Waivers::None).unwrap();
        let marks = session.tactical_marks().into_iter().filter(|mark| mark.kind == kind);
        marks.map(|mark| mark.squares.join(" ")).collect()
    }

    #[test]
    fn a_piece_before_its_king_is_pinned() {
        let fen = "4r1k1/8/8/1b6/8/3N4/4B3/4K3 w - - 0 1";
        assert_eq!(marks_of(fen, MarkKind::Pin), ["e8 e2 e1"]);
        assert_eq!(marks_of(fen, MarkKind::Attack), ["e8 e2", "b5 d3"]);
        assert_eq!(marks_of(fen, MarkKind::Protection), ["d3 e1", "e1 e2", "e2 d3", "b5 e8", "e8 g8"]);
    }
}
