//! The move parsers of all dialects accept any text; both boards give the same legal move or the same error, and a
//! parsed move is written and parses back.
#![no_main]

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Mailbox, MoveNotation, Setup};
use alfil_kernel::{Dialect as _, Notation, Position, Setup as _, Waivers};
use libfuzzer_sys::fuzz_target;

/// Castling to both sides, promotions, en passant, pieces of a kind that reach the same square, pins and checks.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1r2k2r/P1p2pPp/8/2PpP3/1b1p4/2N2N2/P2PK2P/R6R w k d6 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "7k/8/8/8/2Q3Q1/8/8/2K3Q1 w - - 0 1",
    "4r1k1/8/8/3pP3/8/4N3/8/N3K3 w - d6 0 1",
];

fuzz_target!(|input: (u8, &str)| {
    let (index, text) = input;
    let setup = Setup::parse(POSITIONS[usize::from(index) % POSITIONS.len()]).unwrap();
    let mailbox = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
    let bitboard = Bitboard::from_setup(&setup, &Waivers::None).unwrap();
    for &dialect in Dialect::ALL {
        let parsed = MoveNotation::parse_move(&bitboard, text, dialect);
        assert_eq!(MoveNotation::parse_move(&mailbox, text, dialect), parsed);
        if let Ok(mv) = parsed {
            assert!(bitboard.is_legal(mv));
            let written = MoveNotation::format_move(&bitboard, mv, dialect);
            assert_eq!(MoveNotation::parse_move(&bitboard, &written, dialect), Ok(mv), "{written}");
        }
    }
});
