//! The kernel's examination for every board, the boards in step with each other and with the slow oracle.

mod common;

use alfil_chess::{Bitboard, Board, Mailbox, Setup, Square};
use alfil_kernel::conformance::{examine, exhaustive, legal, lockstep, wander};
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Side};
use common::oracle::Oracle;
use common::{board, played, scattered, start};

/// Setups of every kind: out of games, and men thrown on the board.
fn every_kind_of_position(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |i| match i % 3 {
        0 => {
            let plies = random.below(120);
            played::<Mailbox>(&mut random, plies).setup()
        }
        _ => scattered(&mut random),
    })
}

/// A board against the oracle.
fn agrees<P: Board>(board: &P, oracle: &Oracle) {
    let here = board.setup().write();
    let mut pseudo = MoveList::new();
    board.pseudo(&mut pseudo);
    pseudo.sort_unstable();
    assert_eq!(pseudo[..], oracle.pseudo()[..], "{} {here}: pseudo-legal moves", P::BOARD);
    let moves = oracle.moves();
    assert_eq!(legal(board), moves, "{} {here}: moves", P::BOARD);
    let mut captures = MoveList::new();
    board.captures(&mut captures);
    captures.sort_unstable();
    assert_eq!(captures[..], oracle.captures()[..], "{} {here}: captures", P::BOARD);
    assert_eq!(board.count(), moves.len(), "{} {here}: count", P::BOARD);
    assert_eq!(board.in_check(), oracle.in_check(), "{} {here}: check", P::BOARD);
    assert_eq!(board.setup(), oracle.setup(), "{here}: setup");
}

/// Random plies in step with the oracle, the colour-swapped twin and, without castling, the mirrored one beside it.
fn in_step<P: Board>(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut total = 0;
    for setup in every_kind_of_position(seed, positions) {
        let mut here: P = board(&setup);
        let mut oracle = Oracle::new(&setup);
        let mut swapped: P = board(&setup.swapped());
        let mut mirrored: P = board(&setup.mirrored());
        for _ in 0..plies {
            agrees(&here, &oracle);
            let moves = legal(&here);
            let mut twin: Vec<_> = legal(&swapped).iter().map(|mv| mv.flipped()).collect();
            twin.sort_unstable();
            assert_eq!(moves, twin, "{:?} swapped", here.setup());
            if here.rooks().is_empty() {
                let mut twin: Vec<_> = legal(&mirrored).iter().map(|mv| mv.mirrored()).collect();
                twin.sort_unstable();
                assert_eq!(moves, twin, "{:?} mirrored", here.setup());
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            here.make(mv, &mut ());
            oracle.play(mv);
            swapped.make(mv.flipped(), &mut ());
            mirrored = board(&here.setup().mirrored());
            total += 1;
        }
    }
    total
}

/// The examination, the exhaustive trial of every move, and the attackers of every square, in all kinds of positions.
fn passes<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in every_kind_of_position(seed, 400) {
        let mut position: P = board(&setup);
        exhaustive(&position);
        examine(&mut position);
        wander(&mut position, &mut random, 12);
    }
    for setup in every_kind_of_position(seed + 1, 60) {
        let (position, oracle): (P, _) = (board(&setup), Oracle::new(&setup));
        for square in Square::all() {
            for side in Side::BOTH {
                let expected = oracle.attackers(square, side);
                let found: Vec<_> =
                    position.attackers(square, side).iter().filter_map(Square::from_index).collect();
                assert_eq!(found, expected, "{setup:?}: {side:?} attacks {square}");
            }
        }
    }
}

#[test]
fn mailbox_passes_the_examination() {
    passes::<Mailbox>(21);
}

#[test]
fn bitboard_passes_the_examination() {
    passes::<Bitboard>(22);
}

#[test]
fn mailbox_is_in_step_with_the_oracle() {
    assert!(in_step::<Mailbox>(31, 600, 40) > 10_000);
}

#[test]
fn bitboard_is_in_step_with_the_oracle() {
    assert!(in_step::<Bitboard>(32, 600, 40) > 10_000);
}

#[test]
fn the_boards_are_in_step_with_each_other() {
    let mut random = SplitMix64::new(33);
    let mut plies = 0;
    for game in 0..2_400 {
        let setup = if game % 3 == 0 { scattered(&mut random) } else { start(&mut random) };
        let (mut mailbox, mut bitboard): (Mailbox, Bitboard) = (board(&setup), board(&setup));
        for _ in 0..100 {
            lockstep(&mailbox, &bitboard);
            let moves = legal(&mailbox);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            mailbox.make(mv, &mut ());
            bitboard.make(mv, &mut ());
            plies += 1;
        }
    }
    assert!(plies > 100_000, "{plies}");
}
