//! What is easily overlooked in xiangqi: the horse's leg, the elephant's eye, the cannon's screen, and who must stay.

use alfil_kernel::position::SetupOf;
use alfil_kernel::{Side, Waivers};
use alfil_xiangqi::{Board, PieceKind as Man, Square};

use super::{MarkKind, TacticalMark, contact_marks, pieces_on_board, pin_marks};

/// The four ways along lines, and the four across.
const ORTHOGONAL: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

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
    for (square, piece) in pieces_on_board(position) {
        match piece.kind() {
            Man::Horse => sights.extend(blocked_leg_marks(position, square, piece.side())),
            Man::Elephant => sights.extend(blocked_eye_marks(position, square, piece.side())),
            Man::Cannon => sights.extend(screen_marks(position, square, piece.side())),
            _ => {}
        }
    }
    sights
}

/// The legs of a horse on which a man stands, where there is a point beyond.
fn blocked_leg_marks<P: Board>(
    position: &P,
    square: Square,
    side: Side,
) -> impl Iterator<Item = TacticalMark> {
    ORTHOGONAL.into_iter().filter_map(move |(files, ranks)| {
        let leg = square.step(files, ranks).filter(|&leg| position.piece_on(leg).is_some())?;
        let beyond = [1, -1].map(|turn| if files == 0 { (turn, ranks) } else { (files, turn) });
        beyond.iter().find_map(|&(files, ranks)| leg.step(files, ranks))?;
        Some(TacticalMark::new(MarkKind::Blocked, side, [square, leg]))
    })
}

/// The eyes of an elephant on which a man stands, where the point beyond is on its own half.
fn blocked_eye_marks<P: Board>(
    position: &P,
    square: Square,
    side: Side,
) -> impl Iterator<Item = TacticalMark> {
    DIAGONAL.into_iter().filter_map(move |(files, ranks)| {
        let eye = square.step(files, ranks).filter(|&eye| position.piece_on(eye).is_some())?;
        eye.step(files, ranks).filter(|beyond| beyond.half() == square.half())?;
        Some(TacticalMark::new(MarkKind::Blocked, side, [square, eye]))
    })
}

/// The men over which a cannon attacks, and whom.
fn screen_marks<P: Board>(position: &P, square: Square, side: Side) -> impl Iterator<Item = TacticalMark> {
    ORTHOGONAL.into_iter().filter_map(move |(files, ranks)| {
        let ray = std::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
        let mut men = ray.filter_map(|at| position.piece_on(at).map(|piece| (at, piece)));
        let (screen, _) = men.next()?;
        let (prey, _) = men.next().filter(|(_, piece)| piece.side() != side)?;
        Some(TacticalMark::new(MarkKind::Screen, side, [square, screen, prey]))
    })
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use crate::tactical_marks::MarkKind;
    use alfil_kernel::Waivers;

    fn marks_of(fen: &str, kind: MarkKind) -> Vec<String> {
        let mut desk = registry::open("xiangqi", None).unwrap();
        desk.open(fen, &Waivers::None).unwrap();
        let sights = desk.tactical_marks().into_iter().filter(|sight| sight.kind == kind);
        sights.map(|sight| sight.squares.join(" ")).collect()
    }

    #[test]
    fn the_start_shows_its_legs_and_its_cannons() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        // A horse at home is shut in by chariot and elephant beside it; the chariot's side has no point beyond it.
        assert_eq!(marks_of(start, MarkKind::Blocked), ["b0 c0", "h0 g0", "b9 c9", "h9 g9"]);
        assert_eq!(marks_of(start, MarkKind::Screen), ["b2 b7 b9", "h2 h7 h9", "b7 b2 b0", "h7 h2 h0"]);
        assert_eq!(marks_of(start, MarkKind::Pin), Vec::<String>::new());
        assert!(marks_of(start, MarkKind::Protection).contains(&"a0 b0".to_owned()));
    }

    #[test]
    fn who_stands_between_a_chariot_and_the_general_must_stay() {
        let fen = "3k5/9/9/4r4/9/9/4N4/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of(fen, MarkKind::Pin), ["e6 e3 e0"]);
    }

    #[test]
    fn elephants_see_no_point_beyond_the_river() {
        let fen = "3k5/9/9/9/1n1n5/2B6/9/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of(fen, MarkKind::Blocked), Vec::<String>::new());
        let fen = "3k5/9/9/9/9/2B6/1N1N5/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of(fen, MarkKind::Blocked), ["c4 d3", "c4 b3"]);
    }
}
