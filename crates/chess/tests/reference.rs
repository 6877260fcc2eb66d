//! Comparisons with independent implementations: the crate cozy-chess on 100,000 positions, the reference
//! implementation on chosen ones.

use crate::common::reference::ReferencePosition;
use crate::common::{self, board, board_from_fen, random_start};
use alfil_chess::{Bitboard, Board, Mailbox, Move, Setup, fen};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Move as _, Position, Setup as _};

/// Returns the legal moves of cozy-chess in the encoding of this crate.
fn cozy_legal_moves(position: &cozy_chess::Board) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|set| {
        moves.extend(set.into_iter().map(from_cozy));
        false
    });
    moves.sort_unstable();
    moves
}

/// Converts a move of cozy-chess, which also encodes castling as the king capturing its rook.
fn from_cozy(mv: cozy_chess::Move) -> Move {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    Move::from_bits(promotion << 12 | (mv.from as u16) << 6 | mv.to as u16).expect("origin and target differ")
}

#[test]
fn legal_moves_equal_those_of_cozy_chess_in_100_000_positions() {
    let mut random = SplitMix64::new(2);
    let mut positions = 0;
    while positions < 100_000 {
        let setup = random_start(&mut random);
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        let mut cozy =
            cozy_chess::Board::from_fen(&fen::format_shredder(&setup), true).expect("a start position");
        for _ in 0..160 {
            let moves = cozy_legal_moves(&cozy);
            assert_eq!(sorted_legal_moves(&bitboard), moves, "{:?}", bitboard.to_setup());
            assert_eq!(sorted_legal_moves(&mailbox), moves, "{:?}", mailbox.to_setup());
            assert_eq!(bitboard.in_check(), !cozy.checkers().is_empty(), "{:?}", bitboard.to_setup());
            positions += 1;
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            mailbox.make(mv, &mut ());
            bitboard.make(mv, &mut ());
            let mut played = None;
            cozy.generate_moves(|set| {
                played = set.into_iter().find(|&cozy_move| from_cozy(cozy_move) == mv);
                played.is_some()
            });
            cozy.play(played.expect("cozy-chess has the move"));
        }
    }
}

/// Compares the legal moves and the perft of both boards with the reference implementation, and returns the moves.
#[track_caller]
fn assert_equals_reference(fen: &str, depth: u32) -> Vec<String> {
    let reference = ReferencePosition::new(&Setup::parse(fen).unwrap());
    let (mailbox, bitboard): (Mailbox, Bitboard) = (board_from_fen(fen), board_from_fen(fen));
    assert_eq!(sorted_legal_moves(&mailbox), reference.legal_moves(), "{fen}");
    assert_eq!(sorted_legal_moves(&bitboard), reference.legal_moves(), "{fen}");
    let nodes = reference.perft(depth);
    assert_eq!((mailbox.perft(depth), bitboard.perft(depth)), (nodes, nodes), "{fen}");
    reference.legal_moves().iter().map(ToString::to_string).collect()
}

#[test]
fn en_passant_captures_respect_pins() {
    for (fen, mv, legal) in [
        // Nothing pins.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        // Both pawns leave the rank at once.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", false),
        ("8/8/8/r2pP2K/8/8/8/4k3 w - d6 0 1", "e5d6", false),
        // A second piece on the rank shields the king.
        ("8/8/8/K1NpP2r/8/8/8/4k3 w - d6 0 1", "e5d6", true),
        // The capturing pawn is pinned on its file or on a diagonal.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", false),
        ("k7/8/8/8/3pP3/8/5B2/2K5 b - e3 0 1", "d4e3", true),
        ("7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1", "e5d6", false),
        ("1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1", "e5d6", true),
        // The captured pawn shielded the king on a diagonal.
        ("b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 1", "e5d6", false),
        // The captured pawn gave check.
        ("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "e5d6", true),
        // The capturing pawn blocks a check that the double step discovered.
        ("3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 1", "e5d6", true),
    ] {
        assert_eq!(assert_equals_reference(fen, 3).contains(&mv.to_owned()), legal, "{fen}");
    }
}

#[test]
fn a_rook_that_was_captured_and_replaced_cannot_castle() {
    // White captures the rook on a8 and leaves; the other rook moves to a8; the black king has not moved.
    let mut bitboard: Bitboard = board_from_fen("r3k2r/8/8/8/8/8/6B1/4K2R w Kkq - 0 1");
    let mut mailbox: Mailbox = board_from_fen("r3k2r/8/8/8/8/8/6B1/4K2R w Kkq - 0 1");
    for text in ["g2a8", "h8h6", "a8g2", "h6a6", "g2f1", "a6a8", "f1g2"] {
        let mv = *sorted_legal_moves(&bitboard).iter().find(|mv| mv.to_string() == text).unwrap();
        bitboard.make(mv, &mut ());
        mailbox.make(mv, &mut ());
    }
    assert_eq!(bitboard.to_setup().to_text(), "r3k3/8/8/8/8/8/6B1/4K2R b K - 0 1");
    assert_eq!(sorted_legal_moves(&bitboard), sorted_legal_moves(&mailbox));
    assert!(sorted_legal_moves(&bitboard).iter().all(|mv| mv.to_string() != "e8a8"));
    assert_equals_reference("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1", 3);
}

#[test]
fn castling_is_legal_as_in_chess960() {
    for (fen, mv, legal) in [
        // King and rook swap squares, or one of them does not move.
        ("4k3/8/8/8/8/8/8/5RK1 w - - 0 1", "g1f1", false),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", true),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", true),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", true),
        // The rook shielded its king from the corner.
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", false),
        ("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "e1b1", false),
        // The path or the destination of the king is attacked; only the path of the rook may be.
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", true),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", true),
        // A piece blocks the path of the king or the rook.
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1a1", false),
        ("4k3/8/8/8/8/8/8/1R2K1N1 w B - 0 1", "e1b1", true),
        ("4k3/8/8/8/8/8/8/1RN1K3 w B - 0 1", "e1b1", false),
    ] {
        assert_eq!(assert_equals_reference(fen, 3).contains(&mv.to_owned()), legal, "{fen}");
    }
}

#[test]
fn unmake_with_record_restores_the_board() {
    let mut random = SplitMix64::new(6);
    for _ in 0..400 {
        let mut position: Bitboard = board(&random_start(&mut random));
        for _ in 0..80 {
            let moves = sorted_legal_moves(&position);
            let before = format!("{position:?}");
            for &mv in &moves {
                let record = position.make_with_record(mv).expect("a piece on the origin");
                position.unmake_with_record(mv, &record);
                assert_eq!(format!("{position:?}"), before);
            }
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            position.make(mv, &mut ());
        }
    }
}

#[test]
fn set_wise_pawn_moves_equal_pawn_by_pawn_moves() {
    let mut random = SplitMix64::new(7);
    for _ in 0..4_000 {
        let position: Bitboard = board(&common::random_setup(&mut random));
        let sorted = |fill: &dyn Fn(&mut alfil_kernel::MoveList<Move>)| {
            let mut list = alfil_kernel::MoveList::new();
            fill(&mut list);
            list.sort_unstable();
            list.to_vec()
        };
        assert_eq!(
            sorted(&|list| position.generate_pawns_set_wise(list)),
            sorted(&|list| position.generate_pawns_one_by_one(list)),
            "{:?}",
            position.to_setup()
        );
    }
}

/// The additive key, updated incrementally, equals the key computed from the board.
#[test]
fn incremental_additive_keys_equal_computed_ones() {
    use alfil_chess::{Chess, Piece, Square};
    use alfil_kernel::BoardObserver;
    use alfil_kernel::zobrist::{AdditiveKey, piece_square_keys};

    #[derive(Clone)]
    struct Sum(AdditiveKey, Box<[[u64; 64]; 12]>);
    impl BoardObserver<Chess> for Sum {
        fn put(&mut self, square: Square, piece: Piece) {
            self.0.put(self.1[piece.index()][square.index()]);
        }
        fn remove(&mut self, square: Square, piece: Piece) {
            self.0.remove(self.1[piece.index()][square.index()]);
        }
        fn flip(&mut self, _: Square, _: Piece) {
            unreachable!("chess has no flips");
        }
    }
    fn compute_sum<P: Board>(position: &P) -> Sum {
        let mut sum = Sum(AdditiveKey::default(), Box::new(piece_square_keys(99)));
        for square in Square::all() {
            if let Some(piece) = position.piece_on(square) {
                sum.put(square, piece);
            }
        }
        sum
    }

    let mut random = SplitMix64::new(9);
    for _ in 0..100 {
        let mut position: Bitboard = board(&random_start(&mut random));
        let mut sum = compute_sum(&position);
        for _ in 0..120 {
            let moves = sorted_legal_moves(&position);
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            position.make(mv, &mut sum);
            assert_eq!(sum.0, compute_sum(&position).0, "{:?}", position.to_setup());
        }
    }
}
