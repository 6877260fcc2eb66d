//! Published counts through every board.

use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Setup};

/// Counts above this are left to the long tests.
const QUICK: u64 = 5_000_000;

fn rows() -> Vec<(String, u32, u64)> {
    let text = include_str!("../../../testdata/xiangqi/perft.jsonl");
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\": ")).expect(name) + name.len() + 4;
        line[start..].trim_start_matches('"').split(['"', ',', '}']).next().unwrap().to_owned()
    };
    let row = |line: &str| {
        let number = |name| field(line, name).parse::<u64>().unwrap();
        (field(line, "fen"), number("depth") as u32, number("nodes"))
    };
    text.lines().map(row).collect()
}

fn count<P: Position<Game = alfil_xiangqi::Xiangqi>>(wanted: impl Fn(u64) -> bool) {
    let mut counted = 0;
    for (fen, depth, nodes) in rows() {
        if wanted(nodes) {
            let setup = Setup::parse(&fen).unwrap();
            let board =
                P::from_setup(&setup, &Waivers::None).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(board.perft(depth), nodes, "{} {fen} depth {depth}", P::BOARD);
            counted += 1;
        }
    }
    assert!(counted > 10);
}

#[test]
fn mailbox_counts_what_was_published() {
    count::<Mailbox>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn mailbox_counts_what_was_published_deeply() {
    count::<Mailbox>(|nodes| nodes > QUICK);
}

#[test]
fn bitboard_counts_what_was_published() {
    count::<Bitboard>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn bitboard_counts_what_was_published_deeply() {
    count::<Bitboard>(|nodes| nodes > QUICK);
}

#[test]
fn folded_counts_what_was_published() {
    count::<Folded>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn folded_counts_what_was_published_deeply() {
    count::<Folded>(|nodes| nodes > QUICK);
}
