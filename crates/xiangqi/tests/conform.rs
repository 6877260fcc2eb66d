//! The kernel's examination for every board, and every board in step with the oracle.

mod common;

use alfil_kernel::conformance::{examine, exhaustive, legal, lockstep, wander};
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _};
use alfil_xiangqi::{Board, Mailbox, Setup, Square};
use common::oracle::Oracle;
use common::{board, played, scattered};

fn every_kind_of_position(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |i| match i % 4 {
        0 => {
            let plies = random.below(120);
            played(&mut random, plies)
        }
        1 | 2 => scattered(&mut random, false),
        _ => scattered(&mut random, true),
    })
}

/// A board against the oracle.
fn agrees<P: Board>(board: &P, oracle: &Oracle) {
    let here = board.setup().write();
    let mut pseudo = MoveList::new();
    board.pseudo(&mut pseudo);
    pseudo.sort_unstable();
    assert_eq!(pseudo[..], oracle.pseudo()[..], "{} {here}: pseudo-legal moves", P::BOARD);
    assert_eq!(legal(board), oracle.moves(), "{} {here}: moves", P::BOARD);
    let mut captures = MoveList::new();
    board.captures(&mut captures);
    captures.sort_unstable();
    assert_eq!(captures[..], oracle.captures()[..], "{} {here}: captures", P::BOARD);
    assert_eq!(board.count(), oracle.moves().len(), "{} {here}: count", P::BOARD);
    assert_eq!(board.in_check(), oracle.in_check(), "{} {here}: check", P::BOARD);
    assert_eq!(board.setup(), oracle.setup(), "{here}: setup");
}

/// Random plies in step with the oracle, the mirrored and the colour-swapped twin beside it.
fn in_step<P: Board>(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut total = 0;
    for setup in every_kind_of_position(seed, positions) {
        let mut here: P = board(&setup);
        let mut oracle = Oracle::new(&setup);
        let mut mirrored: P = board(&setup.mirrored());
        let mut swapped: P = board(&setup.swapped());
        for _ in 0..plies {
            agrees(&here, &oracle);
            let moves = legal(&here);
            let mut twin: Vec<_> = legal(&mirrored).iter().map(|mv| mv.mirrored()).collect();
            twin.sort_unstable();
            assert_eq!(moves, twin, "{:?} mirrored", here.setup());
            let mut twin: Vec<_> = legal(&swapped).iter().map(|mv| mv.flipped()).collect();
            twin.sort_unstable();
            assert_eq!(moves, twin, "{:?} swapped", here.setup());
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            here.make(mv, &mut ());
            oracle.play(mv);
            mirrored.make(mv.mirrored(), &mut ());
            swapped.make(mv.flipped(), &mut ());
            total += 1;
        }
    }
    total
}

/// The examination, the exhaustive trial of every move, and the attackers of every point, in all kinds of positions.
fn passes<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in every_kind_of_position(seed, 500) {
        let mut position: P = board(&setup);
        exhaustive(&position);
        examine(&mut position);
        wander(&mut position, &mut random, 12);
    }
    for setup in every_kind_of_position(seed + 1, 60) {
        let (position, oracle): (P, _) = (board(&setup), Oracle::new(&setup));
        for square in Square::all() {
            for side in alfil_kernel::Side::BOTH {
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

/// The 200,000 plies that the house asks for, from 2,600 positions of all kinds.
#[test]
fn mailbox_is_in_step_with_the_oracle() {
    assert!(in_step::<Mailbox>(31, 2_600, 100) > 200_000);
}

#[test]
fn a_board_is_in_step_with_itself() {
    let setup = Setup::start();
    lockstep::<Mailbox, Mailbox>(&board(&setup), &board(&setup));
}
