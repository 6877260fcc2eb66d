//! What the tests of this room share: the oracle, random positions, twins.
#![allow(dead_code, unreachable_pub)]

pub mod oracle;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Side, Waivers};
use alfil_xiangqi::{Board, Mailbox, Piece, PieceKind, Setup, SetupIssue, Square};

/// A position some random plies into a game.
pub fn played(random: &mut SplitMix64, plies: usize) -> Setup {
    let mut board = board::<Mailbox>(&Setup::start());
    for _ in 0..plies {
        let moves = sorted_legal_moves(&board);
        if moves.is_empty() {
            break;
        }
        board.make(moves[random.below(moves.len())], &mut ());
    }
    board.to_setup()
}

/// A position with men scattered at random: on their own points, or anywhere at all.
pub fn scattered(random: &mut SplitMix64, anywhere: bool) -> Setup {
    loop {
        let mut setup = Setup::EMPTY;
        setup.side_to_move = Side::BOTH[random.below(2)];
        for side in Side::BOTH {
            for kind in PieceKind::ALL {
                let count = if kind == PieceKind::King { 1 } else { random.below(kind.initial_count() + 1) };
                for _ in 0..count {
                    place(&mut setup, Piece::new(side, kind), random);
                }
            }
        }
        if !anywhere {
            for complaint in setup.issues() {
                if let SetupIssue::ImpossibleSquare(_, square) = complaint {
                    setup.board[square.index()] = None;
                }
            }
        }
        // Only where men may stand anywhere can generals face each other, or the side not to move stand in check.
        let waivers = if anywhere { Waivers::All } else { Waivers::None };
        if setup.validate(&waivers).is_ok() {
            return setup;
        }
    }
}

fn place(setup: &mut Setup, piece: Piece, random: &mut SplitMix64) {
    loop {
        let square = Square::from_index(random.below(Square::COUNT)).unwrap();
        let sound = piece.kind() != PieceKind::King || square.is_in_palace(piece.side());
        if sound && setup.board[square.index()].is_none() {
            setup.board[square.index()] = Some(piece);
            return;
        }
    }
}

/// A board of a setup, every complaint that can be waived waived.
pub fn board<P: Board>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).expect("a setup with two generals")
}
