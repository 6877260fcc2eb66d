//! A move text never panics the reader, in any dialect, on either board: both find the same legal move or give the same
//! reason, and what is found is written and read again.
#![no_main]

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Mailbox, Setup, Words};
use alfil_kernel::{Dialect as _, Notation, Position, Setup as _, Waivers};
use libfuzzer_sys::fuzz_target;

/// Castling of both kinds, promotions, en passant, men of a kind that reach one square, pins and checks.
const PLACES: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1r2k2r/P1p2pPp/8/2PpP3/1b1p4/2N2N2/P2PK2P/R6R w k d6 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "7k/8/8/8/2Q3Q1/8/8/2K3Q1 w - - 0 1",
    "4r1k1/8/8/3pP3/8/4N3/8/N3K3 w - d6 0 1",
];

fuzz_target!(|given: (u8, &str)| {
    let (place, text) = given;
    let setup = Setup::read(PLACES[usize::from(place) % PLACES.len()]).unwrap();
    let mailbox = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
    let bitboard = Bitboard::from_setup(&setup, &Waivers::None).unwrap();
    for &dialect in Dialect::ALL {
        let found = Words::read(&bitboard, text, dialect);
        assert_eq!(Words::read(&mailbox, text, dialect), found);
        if let Ok(mv) = found {
            assert!(bitboard.is_legal(mv));
            let written = Words::write(&bitboard, mv, dialect);
            assert_eq!(Words::read(&bitboard, &written, dialect), Ok(mv), "{written}");
        }
    }
});
