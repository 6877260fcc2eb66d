//! Published perft counts on every board.

use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Setup};

/// Larger counts are left to the long tests.
const QUICK: u64 = 5_000_000;
/// The largest count of the long tests. Larger ones take hours on some boards: use `alfil perft --suite`.
const LONG: u64 = 10_000_000_000;

fn rows() -> Vec<(String, u32, u64)> {
    let text = include_str!("../testdata/perft.jsonl");
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

fn assert_counts<P: Position<Game = alfil_xiangqi::Xiangqi>>(is_included: impl Fn(u64) -> bool) {
    let mut counted = 0;
    for (fen, depth, nodes) in rows() {
        if is_included(nodes) {
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
fn mailbox_perft_equals_published_counts() {
    assert_counts::<Mailbox>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn mailbox_perft_equals_published_deep_counts() {
    assert_counts::<Mailbox>(|nodes| nodes > QUICK && nodes <= LONG);
}

#[test]
fn bitboard_perft_equals_published_counts() {
    assert_counts::<Bitboard>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn bitboard_perft_equals_published_deep_counts() {
    assert_counts::<Bitboard>(|nodes| nodes > QUICK && nodes <= LONG);
}

#[test]
fn folded_perft_equals_published_counts() {
    assert_counts::<Folded>(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn folded_perft_equals_published_deep_counts() {
    assert_counts::<Folded>(|nodes| nodes > QUICK && nodes <= LONG);
}
