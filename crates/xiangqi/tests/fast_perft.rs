//! Fast perft against the perft of every board.

use alfil_kernel::Position as _;
use alfil_kernel::Setup as _;
use alfil_kernel::zobrist::SplitMix64;
use alfil_xiangqi::bitboard::LegalityMasks;
use alfil_xiangqi::{Bitboard, Mailbox, fast_perft};

use crate::common::{board, played, scattered};

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

/// What makes a position hard to count, each with the number of positions that had it.
#[derive(Debug, Default)]
struct Features {
    checks: u32,
    /// A piece between the king and an attacker: pins and screens.
    blockers: u32,
    hollow_cannons: u32,
    checking_moves: u32,
}

impl Features {
    /// Counts the features of a position; returns whether it has one.
    fn add(&mut self, position: &Bitboard) -> bool {
        let masks = position.legality_masks();
        let is_hollow = !masks.in_check && masks.free_targets != LegalityMasks::UNRESTRICTED.free_targets;
        let gives_check = position.legal_moves().iter().any(|&mv| {
            let mut after = *position;
            after.make_without_undo(mv);
            after.in_check()
        });
        let has = [
            (masks.in_check, &mut self.checks),
            (!masks.blockers.is_empty(), &mut self.blockers),
            (is_hollow, &mut self.hollow_cannons),
            (gives_check, &mut self.checking_moves),
        ];
        has.into_iter().fold(false, |any, (has, count)| {
            *count += u32::from(has);
            any | has
        })
    }
}

/// Compares `positions` positions, three of four with a feature: two plies on both boards, three on the bitboard in one
/// of `deep_every`.
fn check(seed: u64, positions: u32, deep_every: u32) {
    let mut random = SplitMix64::new(seed);
    let mut features = Features::default();
    let mut compared = 0;
    while compared < positions {
        let setup = match random.below(5) {
            0 => scattered(&mut random, false),
            1 => scattered(&mut random, true),
            _ => {
                let plies = random.below(160);
                played(&mut random, plies)
            }
        };
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        if !features.add(&bitboard) && random.below(4) > 0 {
            continue;
        }
        compared += 1;
        for depth in 2..=if compared % deep_every == 0 { 3 } else { 2 } {
            let expected = alfil_kernel::perft::perft(&mut bitboard, depth);
            if depth < 3 {
                let on_mailbox = alfil_kernel::perft::perft(&mut mailbox, depth);
                assert_eq!(on_mailbox, expected, "{} depth {depth}", setup.to_text());
            }
            assert_eq!(fast_perft::perft(&bitboard, depth), expected, "{} depth {depth}", setup.to_text());
        }
    }
    let Features { checks, blockers, hollow_cannons, checking_moves } = features;
    let least = [checks, blockers, hollow_cannons, checking_moves].into_iter().min().unwrap_or(0);
    assert!(least > positions / 100, "{features:?}");
}

#[test]
fn fast_perft_equals_perft_near_checks_and_pins() {
    check(73, 2_000, 40);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn fast_perft_equals_perft_near_checks_and_pins_long() {
    check(74, 100_000, 1);
}
