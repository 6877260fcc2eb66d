//! What is easily overlooked in chess: who attacks and protects whom, and who must stay.

use alfil_chess::{Board, Square};
use alfil_kernel::position::SetupOf;
use alfil_kernel::{Side, Waivers};

use super::{Sight, contacts, pins};

/// Everything to see of a position.
pub fn sights<P: Board>(position: &P) -> Vec<Sight> {
    let reach = |square, by| position.attackers(square, by).iter().filter_map(Square::from_index).collect();
    let mut sights = contacts(position, reach);
    let checkers = |board: &P, side: Side| {
        board.attackers(board.king(side), !side).iter().filter_map(Square::from_index).collect()
    };
    let without = |square: Square| {
        let mut setup: SetupOf<P> = position.setup();
        setup.men[square.index()] = None;
        P::from_setup(&setup, &Waivers::All).ok()
    };
    sights.extend(pins(position, |side| position.king(side), checkers, without));
    sights
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use crate::sight::Kind;
    use alfil_kernel::Waivers;

    fn seen(fen: &str, kind: Kind) -> Vec<String> {
        let mut desk = registry::open("chess", None).unwrap();
        desk.open(fen, &Waivers::None).unwrap();
        let sights = desk.sights().into_iter().filter(|sight| sight.kind == kind);
        sights.map(|sight| sight.squares.join(" ")).collect()
    }

    #[test]
    fn who_stands_before_a_king_must_stay() {
        let fen = "4r1k1/8/8/1b6/8/3N4/4B3/4K3 w - - 0 1";
        assert_eq!(seen(fen, Kind::Pin), ["e8 e2 e1"]);
        assert_eq!(seen(fen, Kind::Attack), ["e8 e2", "b5 d3"]);
        assert_eq!(seen(fen, Kind::Guard), ["d3 e1", "e1 e2", "e2 d3", "b5 e8", "e8 g8"]);
    }
}
