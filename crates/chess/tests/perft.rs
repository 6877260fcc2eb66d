//! Published counts through every board.

mod common;

use alfil_chess::{Bitboard, Board, Mailbox, Setup, epd};
use alfil_kernel::{Position, Setup as _, Waivers};
use common::{read, rows, sample};

/// Counts above this are left to the long tests.
const QUICK: u128 = 5_000_000;
/// Counts above this are for `alfil perft --suite` on a long night.
const DEEP: u128 = 10_000_000_000;

/// Counts every row of the corpus whose count is wanted; `by` is how.
fn count<P: Board>(wanted: impl Fn(u128) -> bool, by: impl Fn(&P, u32) -> u64) {
    let mut counted = 0;
    for row in rows() {
        if wanted(row.nodes) {
            assert_eq!(
                u128::from(by(&read(&row.fen), row.depth)),
                row.nodes,
                "{} {} depth {}",
                P::BOARD,
                row.fen,
                row.depth
            );
            counted += 1;
        }
    }
    assert!(counted > 10);
}

/// The kernel's own count, by lists and make and unmake, whatever faster way a board has.
fn plainly<P: Board>(position: &P, depth: u32) -> u64 {
    alfil_kernel::perft::perft(&mut position.clone(), depth)
}

#[test]
fn mailbox_counts_what_was_published() {
    count::<Mailbox>(|nodes| nodes <= QUICK, plainly);
}

#[test]
fn bitboard_counts_what_was_published() {
    count::<Bitboard>(|nodes| nodes <= QUICK, plainly);
}

#[test]
fn counter_counts_what_was_published() {
    count::<Bitboard>(|nodes| nodes <= QUICK, Bitboard::perft);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn mailbox_counts_what_was_published_deeply() {
    count::<Mailbox>(|nodes| nodes > QUICK && nodes < 1_000_000_000, plainly);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn bitboard_counts_what_was_published_deeply() {
    count::<Bitboard>(|nodes| nodes > QUICK && nodes < 1_000_000_000, plainly);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn counter_counts_what_was_published_deeply() {
    count::<Bitboard>(|nodes| nodes > QUICK && nodes <= DEEP, Bitboard::perft);
}

/// The `;D1 20 ;D2 400` rows of a suite that is present only where the samples are.
fn suite<P: Board>(path: &str, wanted: impl Fn(u128) -> bool) {
    let Some(text) = sample(path) else { return };
    let mut counted = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (fen, rest) = line.split_once(';').expect("counts behind the position");
        let setup = Setup::parse(fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        let board = P::from_setup(&setup, &Waivers::None).unwrap_or_else(|error| panic!("{line}: {error}"));
        for row in rest.split(';') {
            let (depth, nodes) = row.trim().split_once(' ').expect("a depth and a count");
            let depth = depth.trim_start_matches('D').parse().expect("a depth");
            let nodes: u64 = nodes.trim().parse().expect("a count");
            if wanted(nodes.into()) {
                assert_eq!(board.perft(depth), nodes, "{line} depth {depth}");
                counted += 1;
            }
        }
    }
    assert!(counted > 30, "{path}: {counted}");
}

const FISCHER: &str = "gpl-3/chess/fischer-first60.epd";
const ROCE: &str = "gpl-3/chess/perftsuite-roce.epd";

#[test]
fn suites_of_others_are_counted() {
    suite::<Bitboard>(FISCHER, |nodes| nodes <= QUICK);
    suite::<Mailbox>(FISCHER, |nodes| nodes <= QUICK);
    suite::<Bitboard>(ROCE, |nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn suites_of_others_are_counted_deeply() {
    suite::<Bitboard>(FISCHER, |nodes| nodes > QUICK);
    suite::<Bitboard>(ROCE, |nodes| nodes > QUICK);
}

#[test]
fn the_counts_of_an_epd_are_operations_like_others() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 400; D3 8902;";
    let row = epd::parse(text).unwrap();
    let board = Bitboard::from_setup(&row.setup, &Waivers::None).unwrap();
    for depth in 1..=3 {
        let nodes = row.operand(&format!("D{depth}")).unwrap();
        assert_eq!(board.perft(depth).to_string(), nodes);
    }
}
