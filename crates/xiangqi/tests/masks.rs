//! Positions made for the legality masks, each on every board against the oracle, mirrored and with colours exchanged.

mod common;

use alfil_kernel::conformance::{check_position, sorted_legal_moves};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position as _, Setup as _, Side, Waivers};
use alfil_xiangqi::{Bitboard, Board, Folded, Mailbox, Piece, PieceKind, Setup, Square, SquareSet};
use common::board;
use common::oracle::Oracle;

/// What it is, the position, the attackers of the general that is to move, and the men that are bound.
const MADE: [(&str, &str, &str, &str); 31] = [
    ("double check by rook and horse", "3k5/9/9/9/4r4/9/9/3n5/9/4K3R w", "e5 d2", ""),
    ("double check by rook and soldier", "3k5/9/9/9/9/8R/9/9/4p4/r3K4 w", "e1 a0", ""),
    ("double check uncovered by a cannon's screen", "3k5/4c4/9/9/4N4/9/9/3n5/9/R3K4 w", "e8 d2", "e5"),
    ("two cannons over one own screen", "3k5/9/4c4/9/4c4/9/4N4/9/9/4K4 w", "e5", "e3"),
    ("two cannons over one enemy screen", "3k5/9/4c4/9/4c4/R8/4p4/9/9/4K4 w", "e5", ""),
    ("two cannons, the near one hollow", "3k5/9/4c4/9/4c3R/9/8R/9/9/4K4 w", "e7", ""),
    ("two cannons with a man between them", "3k5/4c4/9/4R4/9/4c4/8R/9/9/4K4 w", "", "e6"),
    ("two cannons over two screens", "3k5/4c4/4c4/9/4N4/9/4R4/9/9/4K4 w", "", "e3 e5"),
    ("a rook before a cannon", "3k5/9/9/4c4/9/4r3R/9/R8/9/4K4 w", "e4 e6", ""),
    ("a cannon before a rook", "3k5/9/9/4r4/9/4c3R/9/R8/9/4K4 w", "", ""),
    ("a rook behind an own man behind a cannon", "3k5/9/4r4/4N4/9/4c3R/9/R8/9/4K4 w", "", ""),
    ("a cannon behind an own man and a rook", "3k5/9/4c4/4r4/9/4N4/9/R8/9/4K4 w", "", "e4"),
    ("an own screen that leaves", "3k5/9/9/4c4/9/9/4R4/9/9/4K4 w", "e6", "e3"),
    ("screens that may not arrive: a hollow cannon", "3k5/9/9/4c3R/9/N8/8C/R8/9/4K4 w", "", ""),
    ("a screen that may not leave: two own screens", "3k5/9/9/4c4/9/4R4/9/4N4/9/4K4 w", "", "e2 e4"),
    ("a screen that may not take the other screen", "3k5/9/9/4c4/9/4R4/9/4n4/9/4K4 w", "", "e4"),
    ("a third screen sets the others free", "3k5/9/9/4c4/4R4/9/4N4/9/4A4/4K4 w", "", ""),
    ("taking the screen does not help", "3k5/9/9/4c4/9/R3p4/9/9/9/4K4 w", "e6", ""),
    ("taking the blocker before a rook does no harm", "3k5/9/9/4r4/9/R3p4/9/9/9/4K4 w", "", ""),
    ("a horse's leg that is bound", "3k5/9/9/9/9/9/9/3n5/3A5/4K4 w", "", "d1"),
    ("one leg under two horses", "3k5/9/9/9/9/9/9/3n5/2nA5/4K4 w", "", "d1"),
    ("a leg of the enemy's own", "3k5/9/9/9/9/9/9/3n5/R2p5/4K4 w", "", ""),
    ("a horse's check may be blocked on its leg", "3k5/9/9/9/9/9/9/3n5/R8/4K4 w", "d2", ""),
    ("the general hides the point behind it from a rook", "3k5/9/9/9/9/9/9/9/9/r3K4 w", "a0", ""),
    ("the general is no screen when it has stepped", "3k5/9/9/9/4c4/9/9/9/4K4/9 w", "", ""),
    ("the general steps behind a screen", "5k3/9/9/9/4c4/9/4P4/3K5/9/9 w", "", ""),
    ("the general takes the screen beside it", "3k5/9/9/9/9/9/9/9/9/c3pK3 w", "e0 a0", ""),
    ("the generals face each other through one man", "4k4/9/9/9/4R4/9/9/9/9/4K4 w", "", "e5"),
    ("the generals face each other through two men", "4k4/9/9/4n4/4R4/9/9/9/9/4K4 w", "", ""),
    ("the generals face each other, set up so", "4k4/9/9/9/8R/9/9/9/9/4K4 w", "e9", ""),
    ("along a rank and a file at once", "4k4/9/9/4c4/9/4N4/9/9/9/r2RK1N1c w", "e6 i0", "d0 e4 g0"),
];

/// The points of names parted by blanks.
fn points(names: &str) -> SquareSet {
    SquareSet::from_squares(names.split_whitespace().map(|name| name.parse::<Square>().unwrap().index()))
}

/// Every board and twin of a position against the oracle.
fn agrees_everywhere(setup: &Setup) {
    fn agrees<P: Board>(setup: &Setup) {
        let mut position: P = board(setup);
        let oracle = Oracle::new(setup);
        assert_eq!(sorted_legal_moves(&position), oracle.moves(), "{} {setup:?}", P::BOARD);
        assert_eq!(position.in_check(), oracle.in_check(), "{} {setup:?}: check", P::BOARD);
        // The examination holds is_legal, captures and count against the moves.
        check_position(&mut position);
    }
    for twin in [setup.clone(), setup.mirrored(), setup.swapped(), setup.mirrored().swapped()] {
        agrees::<Mailbox>(&twin);
        agrees::<Bitboard>(&twin);
        agrees::<Folded>(&twin);
    }
}

#[test]
fn made_positions_agree_with_the_oracle() {
    for (name, text, checkers, bound) in MADE {
        let setup = Setup::parse(text).unwrap();
        let board: Bitboard = board(&setup);
        let attackers = board.attackers_to(board.king_square(setup.side_to_move), !setup.side_to_move);
        assert_eq!(attackers, points(checkers), "{name}: checkers");
        assert_eq!(board.legality_masks().blockers, points(bound), "{name}: bound");
        assert_eq!(board.in_check(), !checkers.is_empty(), "{name}");
        agrees_everywhere(&setup);
    }
}

/// Both generals with a crowd on their lines and around them: most positions bind somebody or are checks.
fn besieged(random: &mut SplitMix64) -> Setup {
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
    let places: Vec<_> = Square::all().filter(near).collect();
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
                let square = places[random.below(places.len())];
                setup.board[square.index()].get_or_insert(Piece::new(side, kind));
            }
        }
    }
    setup
}

#[test]
fn crowds_around_the_generals_agree_with_the_oracle() {
    let mut random = SplitMix64::new(77);
    let (mut bound, mut checked) = (0, 0);
    for _ in 0..1_500 {
        let setup = besieged(&mut random);
        if setup.validate(&Waivers::All).is_ok() {
            let safety = board::<Bitboard>(&setup).legality_masks();
            bound += usize::from(!safety.blockers.is_empty());
            checked += usize::from(safety.in_check);
            agrees_everywhere(&setup);
        }
    }
    assert!(
        bound > 200 && checked > 500,
        "the crowds do what they are for: {bound} bound, {checked} in check"
    );
}
