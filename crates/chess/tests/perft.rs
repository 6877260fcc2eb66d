//! Published perft counts, tested on every board.

use alfil_chess::{Bitboard, Board, Mailbox, Setup, epd};
use alfil_kernel::{Position, Setup as _, Waivers};

use crate::common::{board_from_fen, perft_rows, sample};

/// The largest count of the quick tests.
const MAX_QUICK_NODES: u128 = 5_000_000;
/// The largest count of the long tests of a board without fast perft.
const MAX_PLAIN_NODES: u128 = 1_000_000_000;
/// The largest count of the long tests of fast perft. Larger ones take hours: use `alfil perft --suite`.
const MAX_FAST_NODES: u128 = 10_000_000_000;

/// Checks the published counts for which `is_selected` is true with the function `perft`.
fn check_published_counts<P: Board>(is_selected: impl Fn(u128) -> bool, perft: impl Fn(&P, u32) -> u64) {
    let mut counted = 0;
    for row in perft_rows() {
        if is_selected(row.nodes) {
            assert_eq!(
                u128::from(perft(&board_from_fen(&row.fen), row.depth)),
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

/// Runs the perft of the kernel, which makes and unmakes every move, even if the board has a faster one.
fn plain_perft<P: Board>(position: &P, depth: u32) -> u64 {
    alfil_kernel::perft::perft(&mut position.clone(), depth)
}

#[test]
fn mailbox_perft_equals_published_counts() {
    check_published_counts::<Mailbox>(|nodes| nodes <= MAX_QUICK_NODES, plain_perft);
}

#[test]
fn bitboard_perft_equals_published_counts() {
    check_published_counts::<Bitboard>(|nodes| nodes <= MAX_QUICK_NODES, plain_perft);
}

#[test]
fn fast_perft_equals_published_counts() {
    check_published_counts::<Bitboard>(|nodes| nodes <= MAX_QUICK_NODES, Bitboard::perft);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn mailbox_perft_equals_published_counts_deep() {
    check_published_counts::<Mailbox>(
        |nodes| nodes > MAX_QUICK_NODES && nodes <= MAX_PLAIN_NODES,
        plain_perft,
    );
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn bitboard_perft_equals_published_counts_deep() {
    check_published_counts::<Bitboard>(
        |nodes| nodes > MAX_QUICK_NODES && nodes <= MAX_PLAIN_NODES,
        plain_perft,
    );
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn fast_perft_equals_published_counts_deep() {
    check_published_counts::<Bitboard>(
        |nodes| nodes > MAX_QUICK_NODES && nodes <= MAX_FAST_NODES,
        Bitboard::perft,
    );
}

/// Checks the counts `;D1 20 ;D2 400` of a suite in the sample folder.
fn check_suite<P: Board>(path: &str, is_selected: impl Fn(u128) -> bool) {
    let Some(text) = sample(path) else { return };
    let mut counted = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (fen, rest) = line.split_once(';').expect("counts after the position");
        let setup = Setup::parse(fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        let board = P::from_setup(&setup, &Waivers::None).unwrap_or_else(|error| panic!("{line}: {error}"));
        for row in rest.split(';') {
            let (depth, nodes) = row.trim().split_once(' ').expect("a depth and a count");
            let depth = depth.trim_start_matches('D').parse().expect("a depth");
            let nodes: u64 = nodes.trim().parse().expect("a count");
            if is_selected(nodes.into()) {
                assert_eq!(board.perft(depth), nodes, "{line} depth {depth}");
                counted += 1;
            }
        }
    }
    assert!(counted > 30, "{path}: {counted}");
}

const CHESS960_SUITE: &str = "gpl-3/chess/fischer-first60.epd";
const ROCE_SUITE: &str = "gpl-3/chess/perftsuite-roce.epd";

#[test]
fn perft_equals_the_counts_of_sample_suites() {
    check_suite::<Bitboard>(CHESS960_SUITE, |nodes| nodes <= MAX_QUICK_NODES);
    check_suite::<Mailbox>(CHESS960_SUITE, |nodes| nodes <= MAX_QUICK_NODES);
    check_suite::<Bitboard>(ROCE_SUITE, |nodes| nodes <= MAX_QUICK_NODES);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn perft_equals_the_counts_of_sample_suites_deep() {
    check_suite::<Bitboard>(CHESS960_SUITE, |nodes| nodes > MAX_QUICK_NODES);
    check_suite::<Bitboard>(ROCE_SUITE, |nodes| nodes > MAX_QUICK_NODES);
}

/// Returns the counts of 7 plies from the start positions of Chess960, by their number.
fn chess960_counts() -> Vec<u128> {
    let lines =
        include_str!("../testdata/chess960-perft-7.tsv").lines().filter(|line| !line.starts_with('#'));
    let parse = |(number, line): (usize, &str)| {
        let cells: Vec<_> = line.split('\t').collect();
        let text = Setup::chess960(number).expect("960 lines").to_text();
        assert_eq!(cells[0], number.to_string(), "{line}");
        assert!(text.contains(&format!("/{} w ", cells[1])), "{line}: {text}");
        cells[2].parse().expect("a count")
    };
    lines.enumerate().map(parse).collect()
}

#[test]
fn the_counts_of_chess960_are_complete() {
    let counts = chess960_counts();
    assert_eq!((counts.len(), counts.iter().sum()), (960, 2_854_198_413_886_u128));
    let start = Setup::start().to_text();
    let published = perft_rows().into_iter().find(|row| row.depth == 7 && row.fen == start);
    assert_eq!(published.map(|row| row.nodes), Some(counts[518]));
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn fast_perft_equals_the_counts_of_chess960() {
    for (number, count) in chess960_counts().into_iter().enumerate().step_by(48) {
        let setup = Setup::chess960(number).expect("960 counts");
        let board = Bitboard::from_setup(&setup, &Waivers::None).expect("a start position");
        assert_eq!(u128::from(board.perft(7)), count, "start position {number}");
    }
}

#[test]
fn perft_equals_the_counts_in_epd_operations() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 400; D3 8902;";
    let row = epd::parse(text).unwrap();
    let board = Bitboard::from_setup(&row.setup, &Waivers::None).unwrap();
    for depth in 1..=3 {
        let nodes = row.operand(&format!("D{depth}")).unwrap();
        assert_eq!(board.perft(depth).to_string(), nodes);
    }
}
