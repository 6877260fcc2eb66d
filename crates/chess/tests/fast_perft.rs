//! Fast perft against the perft of both boards, in positions with checks, pins, castling, en passant and promotions.

use alfil_chess::{Bitboard, Board, Mailbox, Setup, fast_perft};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position};

use crate::common::{board, random_position, random_setup};

/// What makes a position hard to count, each with the number of positions that had it.
#[derive(Debug, Default)]
struct Features {
    checks: u32,
    restricted: u32,
    castling: u32,
    en_passant: u32,
    promotions: u32,
}

impl Features {
    /// Counts the features of a position; returns whether it has one.
    fn add(&mut self, position: &Bitboard) -> bool {
        let mut pseudo_legal = MoveList::new();
        position.generate_pseudo_legal(&mut pseudo_legal);
        let has_promotion = pseudo_legal.iter().any(|mv| mv.promotion_kind().is_some());
        let has = [
            (position.in_check(), &mut self.checks),
            (pseudo_legal.len() != position.count_legal(), &mut self.restricted),
            (!position.castling_rooks().is_empty(), &mut self.castling),
            (position.en_passant().is_some(), &mut self.en_passant),
            (has_promotion, &mut self.promotions),
        ];
        has.into_iter().fold(false, |any, (has, count)| {
            *count += u32::from(has);
            any | has
        })
    }
}

/// Plays random games until a pawn can be captured en passant.
fn position_with_en_passant(random: &mut SplitMix64) -> Bitboard {
    loop {
        let plies = random.below(60);
        let mut position: Bitboard = random_position(random, plies);
        for _ in 0..40 {
            if position.en_passant().is_some() {
                return position;
            }
            let moves = sorted_legal_moves(&position);
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            position.make_without_undo(mv);
        }
    }
}

/// Compares `positions` positions, three of four with a feature: two plies on both boards, three on the bitboard in one
/// of `deep_every`.
fn check(seed: u64, positions: u32, deep_every: u32) {
    let mut random = SplitMix64::new(seed);
    let mut features = Features::default();
    let mut compared = 0;
    while compared < positions {
        let setup: Setup = match random.below(4) {
            0 => random_setup(&mut random),
            1 => position_with_en_passant(&mut random).to_setup(),
            _ => {
                let plies = random.below(160);
                random_position::<Bitboard>(&mut random, plies).to_setup()
            }
        };
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        if !features.add(&bitboard) && random.below(4) > 0 {
            continue;
        }
        compared += 1;
        for depth in 1..=if compared % deep_every == 0 { 3 } else { 2 } {
            let expected = alfil_kernel::perft::perft(&mut bitboard, depth);
            if depth < 3 {
                assert_eq!(
                    alfil_kernel::perft::perft(&mut mailbox, depth),
                    expected,
                    "{setup:?} depth {depth}"
                );
            }
            let found = [fast_perft::perft(&bitboard, depth), fast_perft::perft_scalar(&bitboard, depth)];
            assert_eq!(found, [expected; 2], "{setup:?} depth {depth}");
        }
    }
    let Features { checks, restricted, castling, en_passant, promotions } = features;
    let least = [checks, restricted, castling, en_passant, promotions].into_iter().min().unwrap_or(0);
    assert!(least > positions / 200, "{features:?}");
}

#[test]
fn fast_perft_equals_perft_of_both_boards() {
    check(71, 2_000, 20);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn fast_perft_equals_perft_of_both_boards_long() {
    check(72, 100_000, 1);
}
