//! What the tests of this crate share: the reference implementation and random positions.

pub(crate) mod games;
pub(crate) mod reference;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Side, Waivers};
use alfil_xiangqi::{Board, Mailbox, Piece, PieceKind, Setup, SetupIssue, Square};

/// Returns a position some random plies into a game.
pub(crate) fn played(random: &mut SplitMix64, plies: usize) -> Setup {
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

/// Returns a position with randomly scattered pieces: on squares that they can reach, or anywhere.
pub(crate) fn scattered(random: &mut SplitMix64, anywhere: bool) -> Setup {
    loop {
        let mut setup = Setup::EMPTY;
        setup.side_to_move = Side::BOTH[random.below(2)];
        for side in Side::BOTH {
            for kind in PieceKind::ALL {
                let count = if kind == PieceKind::King { 1 } else { random.below(kind.initial_count() + 1) };
                for _ in 0..count {
                    place_randomly(&mut setup, Piece::new(side, kind), random);
                }
            }
        }
        if !anywhere {
            for issue in setup.issues() {
                if let SetupIssue::ImpossibleSquare(_, square) = issue {
                    setup.board[square.index()] = None;
                }
            }
        }
        // Kings can face each other, and the side not to move can be in check, only if pieces may be anywhere.
        let waivers = if anywhere { Waivers::All } else { Waivers::None };
        if setup.validate(&waivers).is_ok() {
            return setup;
        }
    }
}

fn place_randomly(setup: &mut Setup, piece: Piece, random: &mut SplitMix64) {
    loop {
        let square = Square::from_index(random.below(Square::COUNT)).unwrap();
        let is_valid = piece.kind() != PieceKind::King || square.is_in_palace(piece.side());
        if is_valid && setup.board[square.index()].is_none() {
            setup.board[square.index()] = Some(piece);
            return;
        }
    }
}

/// Returns a board of a setup with every waivable issue waived.
pub(crate) fn board<P: Board>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).expect("a setup with two kings")
}
