//! The tactical marks of xiangqi: blocked horse legs and elephant eyes, cannon screens, attacks, protections and pins.

use alfil_kernel::Side;
use alfil_kernel::position::SetupOf;
use alfil_xiangqi::{Board, PieceKind, Square};

use crate::tactical_marks::{MarkKind, TacticalMark, contact_and_pin_marks, pieces_on_board};

/// The steps along files and ranks, and the diagonal ones.
const ORTHOGONAL: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Returns all marks of a position.
pub(super) fn tactical_marks<P: Board>(position: &P) -> Vec<TacticalMark> {
    let attackers = |board: &P, square, by| board.attackers_to(square, by).iter().collect();
    let clear = |setup: &mut SetupOf<P>, square: Square| setup.board[square.index()] = None;
    let mut marks = contact_and_pin_marks(position, attackers, P::king_square, clear);
    for (square, piece) in pieces_on_board(position) {
        match piece.kind() {
            PieceKind::Horse => marks.extend(blocked_leg_marks(position, square, piece.side())),
            PieceKind::Elephant => marks.extend(blocked_eye_marks(position, square, piece.side())),
            PieceKind::Cannon => marks.extend(screen_marks(position, square, piece.side())),
            _ => {}
        }
    }
    marks
}

/// Returns the blocked legs of a horse, where the board has a square beyond.
fn blocked_leg_marks<P: Board>(
    position: &P,
    square: Square,
    side: Side,
) -> impl Iterator<Item = TacticalMark> {
    ORTHOGONAL.into_iter().filter_map(move |(files, ranks)| {
        let leg = square.step(files, ranks).filter(|&leg| position.piece_on(leg).is_some())?;
        let beyond = [1, -1].map(|sideways| if files == 0 { (sideways, ranks) } else { (files, sideways) });
        beyond.iter().find_map(|&(files, ranks)| leg.step(files, ranks))?;
        Some(TacticalMark::new(MarkKind::Blocked, side, [square, leg]))
    })
}

/// Returns the blocked eyes of an elephant, where the square beyond is on its own half.
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

/// Returns the screens of a cannon, each with the piece attacked over it.
fn screen_marks<P: Board>(position: &P, square: Square, side: Side) -> impl Iterator<Item = TacticalMark> {
    ORTHOGONAL.into_iter().filter_map(move |(files, ranks)| {
        let ray = std::iter::successors(square.step(files, ranks), move |at| at.step(files, ranks));
        let mut pieces = ray.filter_map(|at| position.piece_on(at).map(|piece| (at, piece)));
        let (screen, _) = pieces.next()?;
        let (victim, _) = pieces.next().filter(|(_, piece)| piece.side() != side)?;
        Some(TacticalMark::new(MarkKind::Screen, side, [square, screen, victim]))
    })
}

#[cfg(test)]
mod tests {
    use crate::tactical_marks::{MarkKind, marks_of};

    #[test]
    fn the_start_position_has_four_blocked_legs_and_four_screens() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        // The rook and the elephant next to a horse stand on its legs; on the rook's side the board has no square
        // beyond.
        assert_eq!(marks_of("xiangqi", start, MarkKind::Blocked), ["b0 c0", "h0 g0", "b9 c9", "h9 g9"]);
        assert_eq!(
            marks_of("xiangqi", start, MarkKind::Screen),
            ["b2 b7 b9", "h2 h7 h9", "b7 b2 b0", "h7 h2 h0"]
        );
        assert_eq!(marks_of("xiangqi", start, MarkKind::Pin), Vec::<String>::new());
        assert!(marks_of("xiangqi", start, MarkKind::Protection).contains(&"a0 b0".to_owned()));
    }

    #[test]
    fn a_piece_between_a_rook_and_its_king_is_pinned() {
        let fen = "3k5/9/9/4r4/9/9/4N4/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of("xiangqi", fen, MarkKind::Pin), ["e6 e3 e0"]);
    }

    #[test]
    fn elephant_eyes_beyond_the_river_are_not_marked() {
        let fen = "3k5/9/9/9/1n1n5/2B6/9/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of("xiangqi", fen, MarkKind::Blocked), Vec::<String>::new());
        let fen = "3k5/9/9/9/9/2B6/1N1N5/9/9/4K4 w - - 0 1";
        assert_eq!(marks_of("xiangqi", fen, MarkKind::Blocked), ["c4 d3", "c4 b3"]);
    }
}
