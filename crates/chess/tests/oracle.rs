//! The boards beside strangers: the cozy-chess crate on 100,000 positions, the slow oracle on chosen ones.

mod common;

use alfil_chess::{Bitboard, Board, Mailbox, Move, Setup, fen};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Move as _, Position, Setup as _};
use common::oracle::Oracle;
use common::{board, read, start};

/// The stranger's legal moves in our bits: it, too, lets the king take its own rook.
fn theirs(position: &cozy_chess::Board) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|set| {
        moves.extend(set.into_iter().map(ours));
        false
    });
    moves.sort_unstable();
    moves
}

fn ours(mv: cozy_chess::Move) -> Move {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    Move::from_bits(promotion << 12 | (mv.from as u16) << 6 | mv.to as u16).expect("two different squares")
}

#[test]
fn cozy_chess_finds_the_same_moves_in_100_000_positions() {
    let mut random = SplitMix64::new(2);
    let mut positions = 0;
    while positions < 100_000 {
        let setup = start(&mut random);
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        let mut other =
            cozy_chess::Board::from_fen(&fen::format_shredder(&setup), true).expect("a start position");
        for _ in 0..160 {
            let moves = theirs(&other);
            assert_eq!(sorted_legal_moves(&bitboard), moves, "{:?}", bitboard.to_setup());
            assert_eq!(sorted_legal_moves(&mailbox), moves, "{:?}", mailbox.to_setup());
            assert_eq!(bitboard.in_check(), !other.checkers().is_empty(), "{:?}", bitboard.to_setup());
            positions += 1;
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            mailbox.make(mv, &mut ());
            bitboard.make(mv, &mut ());
            let mut played = None;
            other.generate_moves(|set| {
                played = set.into_iter().find(|&theirs| ours(theirs) == mv);
                played.is_some()
            });
            other.play(played.expect("a move of theirs"));
        }
    }
}

/// Both boards against the oracle, at depth 1 by the moves themselves and deeper by their number.
#[track_caller]
fn like_the_oracle(fen: &str, depth: u32) -> Vec<String> {
    let oracle = Oracle::new(&Setup::parse(fen).unwrap());
    let (mailbox, bitboard): (Mailbox, Bitboard) = (read(fen), read(fen));
    assert_eq!(sorted_legal_moves(&mailbox), oracle.moves(), "{fen}");
    assert_eq!(sorted_legal_moves(&bitboard), oracle.moves(), "{fen}");
    let nodes = oracle.perft(depth);
    assert_eq!((mailbox.perft(depth), bitboard.perft(depth)), (nodes, nodes), "{fen}");
    oracle.moves().iter().map(ToString::to_string).collect()
}

#[test]
fn en_passant_pins_of_all_kinds() {
    for (fen, mv, legal) in [
        // Nothing pins.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        // Both pawns leave the rank at once.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", false),
        ("8/8/8/r2pP2K/8/8/8/4k3 w - d6 0 1", "e5d6", false),
        // A second man on the rank shields.
        ("8/8/8/K1NpP2r/8/8/8/4k3 w - d6 0 1", "e5d6", true),
        // The taker is pinned on its file, or on a diagonal across its way, or along it.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", false),
        ("k7/8/8/8/3pP3/8/5B2/2K5 b - e3 0 1", "d4e3", true),
        ("7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1", "e5d6", false),
        ("1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1", "e5d6", true),
        // The pawn taken shielded its own king's enemy on a diagonal.
        ("b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 1", "e5d6", false),
        // It gave check itself, and taking it is an answer.
        ("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "e5d6", true),
        // The pawn lands between its king and a checker that the double step uncovered.
        ("3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 1", "e5d6", true),
    ] {
        assert_eq!(like_the_oracle(fen, 3).contains(&mv.to_owned()), legal, "{fen}");
    }
}

#[test]
fn a_rook_that_was_captured_and_replaced_cannot_castle() {
    // White takes on a8 and leaves; the other rook goes to a8; the black king never moved.
    let mut line: Bitboard = read("r3k2r/8/8/8/8/8/6B1/4K2R w Kkq - 0 1");
    let mut boxed: Mailbox = read("r3k2r/8/8/8/8/8/6B1/4K2R w Kkq - 0 1");
    for text in ["g2a8", "h8h6", "a8g2", "h6a6", "g2f1", "a6a8", "f1g2"] {
        let mv = *sorted_legal_moves(&line).iter().find(|mv| mv.to_string() == text).unwrap();
        line.make(mv, &mut ());
        boxed.make(mv, &mut ());
    }
    assert_eq!(line.to_setup().to_text(), "r3k3/8/8/8/8/8/6B1/4K2R b K - 0 1");
    assert_eq!(sorted_legal_moves(&line), sorted_legal_moves(&boxed));
    assert!(sorted_legal_moves(&line).iter().all(|mv| mv.to_string() != "e8a8"));
    like_the_oracle("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1", 3);
}

#[test]
fn castling_in_chess960() {
    for (fen, mv, legal) in [
        // King and rook change places, or one of them stays.
        ("4k3/8/8/8/8/8/8/5RK1 w - - 0 1", "g1f1", false),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", true),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", true),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", true),
        // The rook shielded its king from the corner.
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", false),
        ("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "e1b1", false),
        // The king's way is attacked, or its goal; the rook's alone may be.
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", true),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", true),
        // Something stands where king or rook must pass.
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1a1", false),
        ("4k3/8/8/8/8/8/8/1R2K1N1 w B - 0 1", "e1b1", true),
        ("4k3/8/8/8/8/8/8/1RN1K3 w B - 0 1", "e1b1", false),
    ] {
        assert_eq!(like_the_oracle(fen, 3).contains(&mv.to_owned()), legal, "{fen}");
    }
}

/// Undoing by a record of the change leaves the same board as keeping the old one.
#[test]
fn both_ways_of_undoing_agree() {
    let mut random = SplitMix64::new(6);
    for _ in 0..400 {
        let mut here: Bitboard = board(&start(&mut random));
        for _ in 0..80 {
            let moves = sorted_legal_moves(&here);
            let before = format!("{here:?}");
            for &mv in &moves {
                let delta = here.make_with_record(mv).expect("a man to move");
                here.unmake_with_record(mv, &delta);
                assert_eq!(format!("{here:?}"), before);
            }
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            here.make(mv, &mut ());
        }
    }
}

#[test]
fn set_wise_pawns_equal_one_by_one_pawns() {
    let mut random = SplitMix64::new(7);
    for _ in 0..4_000 {
        let here: Bitboard = board(&common::scattered(&mut random));
        let sorted = |fill: &dyn Fn(&mut alfil_kernel::MoveList<Move>)| {
            let mut list = alfil_kernel::MoveList::new();
            fill(&mut list);
            list.sort_unstable();
            list.to_vec()
        };
        assert_eq!(
            sorted(&|list| here.generate_pawns_set_wise(list)),
            sorted(&|list| here.generate_pawns_one_by_one(list)),
            "{:?}",
            here.to_setup()
        );
    }
}

/// The additive key of the text, subtracting what is captured too, tells the same positions apart as the XOR key.
#[test]
fn additive_keys_follow_the_board() {
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
            unreachable!("no man is turned over in chess");
        }
    }
    fn full<P: Board>(position: &P) -> Sum {
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
        let mut here: Bitboard = board(&start(&mut random));
        let mut sum = full(&here);
        for _ in 0..120 {
            let moves = sorted_legal_moves(&here);
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            here.make(mv, &mut sum);
            assert_eq!(sum.0, full(&here).0, "{:?}", here.to_setup());
        }
    }
}
