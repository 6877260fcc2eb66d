//! Fast perft against the perft of every board.

mod common;

use alfil_kernel::Setup;
use alfil_kernel::zobrist::SplitMix64;
use alfil_xiangqi::{Bitboard, Mailbox, fast_perft};
use common::{board, played, scattered};

/// Compares two and three plies, from positions of games and from randomly scattered pieces, valid and invalid.
#[test]
fn fast_perft_equals_perft_on_every_board() {
    let mut random = SplitMix64::new(52);
    let mut nodes = 0;
    for i in 0..1_200 {
        let setup = match i % 4 {
            0 | 1 => {
                let plies = random.below(140);
                played(&mut random, plies)
            }
            2 => scattered(&mut random, false),
            _ => scattered(&mut random, true),
        };
        for setup in [setup.mirrored().swapped(), setup] {
            let (mut mailbox, bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
            let mut bitboard_copy = bitboard;
            for depth in 0..=2 {
                let expected = alfil_kernel::perft::perft(&mut mailbox, depth);
                assert_eq!(
                    fast_perft::perft(&bitboard, depth),
                    expected,
                    "{} depth {depth}",
                    setup.to_text()
                );
                assert_eq!(
                    alfil_kernel::perft::perft(&mut bitboard_copy, depth),
                    expected,
                    "{}",
                    setup.to_text()
                );
                nodes += expected;
            }
            if i % 24 < 4 {
                let expected = alfil_kernel::perft::perft(&mut bitboard_copy, 3);
                assert_eq!(fast_perft::perft(&bitboard, 3), expected, "{} depth 3", setup.to_text());
            }
        }
    }
    assert!(nodes > 1_000_000, "only {nodes} counted");
}
