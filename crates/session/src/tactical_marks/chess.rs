//! What is easily overlooked in chess: who attacks and protects whom, and who must stay.

use alfil_chess::{Board, Square};
use alfil_kernel::position::SetupOf;
use alfil_kernel::{Side, Waivers};

use super::{TacticalMark, contact_marks, pin_marks};

/// Everything to see of a position.
pub fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let reach =
        |square, by| position.attackers_to(square, by).iter().filter_map(Square::from_index).collect();
    let mut sights = contact_marks(position, reach);
    let checkers = |board: &P, side: Side| {
        board.attackers_to(board.king_square(side), !side).iter().filter_map(Square::from_index).collect()
    };
    let without = |square: Square| {
        let mut setup: SetupOf<P> = position.to_setup();
        setup.board[square.index()] = None;
        P::from_setup(&setup, &Waivers::All).ok()
    };
    sights.extend(pin_marks(position, |side| position.king_square(side), checkers, without));
    sights
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use crate::tactical_marks::MarkKind;
    use alfil_kernel::Waivers;

    fn marks_of(fen: &str, kind: MarkKind) -> Vec<String> {
        let mut desk = registry::open("chess", None).unwrap();
        desk.open(fen, &Waivers::None).unwrap();
        let sights = desk.tactical_marks().into_iter().filter(|sight| sight.kind == kind);
        sights.map(|sight| sight.squares.join(" ")).collect()
    }

    #[test]
    fn who_stands_before_a_king_must_stay() {
        let fen = "4r1k1/8/8/1b6/8/3N4/4B3/4K3 w - - 0 1";
        assert_eq!(marks_of(fen, MarkKind::Pin), ["e8 e2 e1"]);
        assert_eq!(marks_of(fen, MarkKind::Attack), ["e8 e2", "b5 d3"]);
        assert_eq!(marks_of(fen, MarkKind::Protection), ["d3 e1", "e1 e2", "e2 d3", "b5 e8", "e8 g8"]);
    }
}
