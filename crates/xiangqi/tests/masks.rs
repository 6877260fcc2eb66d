//! Positions constructed for the legality masks, each on every board against the reference implementation, mirrored and
//! with sides exchanged.

use crate::common::board;
use crate::common::reference::ReferencePosition;
use alfil_kernel::conformance::{check_position, sorted_legal_moves};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position as _, Setup as _, Side, Waivers};
use alfil_xiangqi::{Bitboard, Board, Folded, Mailbox, Piece, PieceKind, Setup, Square, SquareSet};

/// The theme, the position, the checkers of the side to move, and its blockers.
const CONSTRUCTED: [(&str, &str, &str, &str); 31] = [
    ("double check by rook and horse", "3k5/9/9/9/4r4/9/9/3n5/9/4K3R w", "e5 d2", ""),
    ("double check by rook and soldier", "3k5/9/9/9/9/8R/9/9/4p4/r3K4 w", "e1 a0", ""),
    ("double check uncovered by a cannon's screen", "3k5/4c4/9/9/4N4/9/9/3n5/9/R3K4 w", "e8 d2", "e5"),
    ("two cannons over one own screen", "3k5/9/4c4/9/4c4/9/4N4/9/9/4K4 w", "e5", "e3"),
    ("two cannons over one enemy screen", "3k5/9/4c4/9/4c4/R8/4p4/9/9/4K4 w", "e5", ""),
    ("two cannons, the near one hollow", "3k5/9/4c4/9/4c3R/9/8R/9/9/4K4 w", "e7", ""),
    ("two cannons with a piece between them", "3k5/4c4/9/4R4/9/4c4/8R/9/9/4K4 w", "", "e6"),
    ("two cannons over two screens", "3k5/4c4/4c4/9/4N4/9/4R4/9/9/4K4 w", "", "e3 e5"),
    ("a rook before a cannon", "3k5/9/9/4c4/9/4r3R/9/R8/9/4K4 w", "e4 e6", ""),
    ("a cannon before a rook", "3k5/9/9/4r4/9/4c3R/9/R8/9/4K4 w", "", ""),
    ("a rook behind an own piece behind a cannon", "3k5/9/4r4/4N4/9/4c3R/9/R8/9/4K4 w", "", ""),
    ("a cannon behind an own piece and a rook", "3k5/9/4c4/4r4/9/4N4/9/R8/9/4K4 w", "", "e4"),
    ("an own screen that leaves", "3k5/9/9/4c4/9/9/4R4/9/9/4K4 w", "e6", "e3"),
    ("screens that may not arrive: a hollow cannon", "3k5/9/9/4c3R/9/N8/8C/R8/9/4K4 w", "", ""),
    ("a screen that may not leave: two own screens", "3k5/9/9/4c4/9/4R4/9/4N4/9/4K4 w", "", "e2 e4"),
    ("a screen that may not capture the other screen", "3k5/9/9/4c4/9/4R4/9/4n4/9/4K4 w", "", "e4"),
    ("with a third screen none is a blocker", "3k5/9/9/4c4/4R4/9/4N4/9/4A4/4K4 w", "", ""),
    ("capturing the screen does not answer the check", "3k5/9/9/4c4/9/R3p4/9/9/9/4K4 w", "e6", ""),
    ("capturing the blocker before a rook is safe", "3k5/9/9/4r4/9/R3p4/9/9/9/4K4 w", "", ""),
    ("the leg of a horse is a blocker", "3k5/9/9/9/9/9/9/3n5/3A5/4K4 w", "", "d1"),
    ("one leg under two horses", "3k5/9/9/9/9/9/9/3n5/2nA5/4K4 w", "", "d1"),
    ("the leg is an enemy piece", "3k5/9/9/9/9/9/9/3n5/R2p5/4K4 w", "", ""),
    ("a horse's check may be blocked on its leg", "3k5/9/9/9/9/9/9/3n5/R8/4K4 w", "d2", ""),
    ("the king hides the square behind it from a rook", "3k5/9/9/9/9/9/9/9/9/r3K4 w", "a0", ""),
    ("the king is no screen after its step", "3k5/9/9/9/4c4/9/9/9/4K4/9 w", "", ""),
    ("the king steps behind a screen", "5k3/9/9/9/4c4/9/4P4/3K5/9/9 w", "", ""),
    ("the king captures the screen beside it", "3k5/9/9/9/9/9/9/9/9/c3pK3 w", "e0 a0", ""),
    ("the kings face each other through one piece", "4k4/9/9/9/4R4/9/9/9/9/4K4 w", "", "e5"),
    ("the kings face each other through two pieces", "4k4/9/9/4n4/4R4/9/9/9/9/4K4 w", "", ""),
    ("the kings face each other in the setup", "4k4/9/9/9/8R/9/9/9/9/4K4 w", "e9", ""),
    ("along a rank and a file at once", "4k4/9/9/4c4/9/4N4/9/9/9/r2RK1N1c w", "e6 i0", "d0 e4 g0"),
];

/// Returns the squares of names separated by blanks.
fn square_set(names: &str) -> SquareSet {
    SquareSet::from_squares(names.split_whitespace().map(|name| name.parse::<Square>().unwrap()))
}

/// Compares every board and twin of a position with the reference implementation.
fn assert_agrees_everywhere(setup: &Setup) {
    fn assert_agrees<P: Board>(setup: &Setup) {
        let mut position: P = board(setup);
        let reference = ReferencePosition::new(setup);
        assert_eq!(sorted_legal_moves(&position), reference.legal_moves(), "{} {setup:?}", P::BOARD);
        assert_eq!(position.in_check(), reference.in_check(), "{} {setup:?}: check", P::BOARD);
        // The conformance test compares is_legal, captures and count with the moves.
        check_position(&mut position);
    }
    for twin in [setup.clone(), setup.mirrored(), setup.swapped(), setup.mirrored().swapped()] {
        assert_agrees::<Mailbox>(&twin);
        assert_agrees::<Bitboard>(&twin);
        assert_agrees::<Folded>(&twin);
    }
}

#[test]
fn constructed_positions_agree_with_the_reference() {
    for (name, text, checkers, blockers) in CONSTRUCTED {
        let setup = Setup::parse(text).unwrap();
        let board: Bitboard = board(&setup);
        let attackers = board.attackers_to(board.king_square(setup.side_to_move), !setup.side_to_move);
        assert_eq!(attackers, square_set(checkers), "{name}: checkers");
        assert_eq!(board.legality_masks().blockers, square_set(blockers), "{name}: blockers");
        assert_eq!(board.in_check(), !checkers.is_empty(), "{name}");
        assert_agrees_everywhere(&setup);
    }
}

/// Returns a position with both kings and a crowd on their lines and around them: most have blockers or checks.
fn random_crowd(random: &mut SplitMix64) -> Setup {
    let mut setup = Setup::EMPTY;
    setup.side_to_move = Side::BOTH[random.below(2)];
    let palace = |side| Square::all().filter(move |square| square.is_in_palace(side));
    let kings = Side::BOTH.map(|side| palace(side).nth(random.below(9)).unwrap());
    for side in Side::BOTH {
        setup.board[kings[side.index()].index()] = Some(Piece::new(side, PieceKind::King));
    }
    let near = |square: &Square| {
        let on_line = |king: &Square| king.file() == square.file() || king.rank() == square.rank();
        let beside = |king: &Square| {
            king.file().abs_diff(square.file()) <= 2 && king.rank().abs_diff(square.rank()) <= 2
        };
        kings.iter().any(|king| on_line(king) || beside(king))
    };
    let near_squares: Vec<_> = Square::all().filter(near).collect();
    for side in Side::BOTH {
        for kind in [
            PieceKind::Rook,
            PieceKind::Cannon,
            PieceKind::Horse,
            PieceKind::Soldier,
            PieceKind::Advisor,
            PieceKind::Elephant,
        ] {
            for _ in 0..random.below(kind.initial_count() + 1) {
                let square = near_squares[random.below(near_squares.len())];
                setup.board[square.index()].get_or_insert(Piece::new(side, kind));
            }
        }
    }
    setup
}

#[test]
fn crowds_around_the_kings_agree_with_the_reference() {
    let mut random = SplitMix64::new(77);
    let (mut blockers, mut check_count) = (0, 0);
    for _ in 0..1_500 {
        let setup = random_crowd(&mut random);
        if setup.validate(&Waivers::All).is_ok() {
            let masks = board::<Bitboard>(&setup).legality_masks();
            blockers += usize::from(!masks.blockers.is_empty());
            check_count += usize::from(masks.in_check);
            assert_agrees_everywhere(&setup);
        }
    }
    assert!(
        blockers > 200 && check_count > 500,
        "expected more than 200 positions with blockers and 500 in check, found {blockers} and {check_count}"
    );
}
