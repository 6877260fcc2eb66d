//! Published numbers of paths, in the three conventions, on both boards.

use std::fs;

use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::{Bitboard, Mailbox, PassConvention, Setup, fast_perft};

struct Row {
    board: String,
    depth: u32,
    nodes: u64,
    passes: PassConvention,
    verified: bool,
}

/// The value of a field in a row of our own file, without its quotation marks.
fn field<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    let rest = row.split_once(&format!("\"{name}\": "))?.1;
    Some(rest[..rest.find([',', '}'])?].trim_matches('"'))
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/othello/perft.jsonl");
    let text = fs::read_to_string(path).expect("the corpus is in the tree");
    let rows = text.lines().map(|row| Row {
        board: field(row, "board").unwrap().into(),
        depth: field(row, "depth").unwrap().parse().unwrap(),
        nodes: field(row, "nodes").unwrap().parse().unwrap(),
        passes: field(row, "convention").and_then(PassConvention::from_description).unwrap(),
        verified: field(row, "verified") != Some("false"),
    });
    rows.collect()
}

fn board<P: Position<Game = alfil_othello::Othello>>(text: &str) -> P {
    P::from_setup(&Setup::parse(text).unwrap(), &Waivers::All).unwrap()
}

fn check_perft<P: Position<Game = alfil_othello::Othello>>(deepest: u32) {
    let mut tried = 0;
    for row in rows().iter().filter(|row| row.verified && row.depth <= deepest) {
        let nodes = fast_perft::perft(&mut board::<P>(&row.board), row.depth, row.passes);
        assert_eq!(nodes, row.nodes, "{} {} depth {}", P::BOARD, row.passes, row.depth);
        tried += 1;
    }
    assert_eq!(tried, 2 * deepest, "two conventions have rows from depth 1 on");
}

#[test]
fn the_bitboard_counts_to_depth_10() {
    check_perft::<Bitboard>(10);
}

#[test]
fn the_mailbox_counts_to_depth_10() {
    check_perft::<Mailbox>(10);
}

fn check_fast_perft(deepest: u32) {
    for row in rows().iter().filter(|row| row.verified && row.depth <= deepest) {
        for isa in Isa::all() {
            let nodes = fast_perft::fast_perft_with_isa(isa, &board(&row.board), row.depth, row.passes);
            assert_eq!(nodes, row.nodes, "{} {} depth {}", isa.name(), row.passes, row.depth);
        }
    }
}

#[test]
fn the_counter_counts_to_depth_11() {
    check_fast_perft(11);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn the_counter_counts_to_depth_12() {
    check_fast_perft(12);
}

/// The kernel's perft is the convention `full` but for games that are finished one ply above the horizon: 228 games
/// from the start end at ply 9.
#[test]
fn the_kernel_counts_full_lines() {
    let mut start: Bitboard = board(&Setup::start().to_text());
    for (depth, finished) in (0..10).map(|depth| (depth, 0)).chain([(10, 228)]) {
        let nodes = alfil_kernel::perft::perft(&mut start, depth);
        assert_eq!(
            nodes + finished,
            fast_perft::fast_perft(&start, depth, PassConvention::Full),
            "depth {depth}"
        );
    }
}

/// Near the end of a game, where passes and early ends are common, every way of counting agrees on every board.
#[test]
fn counters_agree_where_passes_are_common() {
    let mut random = alfil_kernel::zobrist::SplitMix64::new(31);
    let (mut free, mut full) = (0, 0);
    for _ in 0..60 {
        let mut position: Bitboard = board(&Setup::start().to_text());
        for _ in 0..55 {
            let moves = alfil_kernel::conformance::sorted_legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())], &mut ());
        }
        let mut mailbox = Mailbox::from_setup(&position.to_setup(), &Waivers::None).unwrap();
        for depth in 0..10 {
            let counts = PassConvention::ALL.map(|passes| fast_perft::fast_perft(&position, depth, passes));
            for (passes, nodes) in PassConvention::ALL.into_iter().zip(counts) {
                assert_eq!(
                    fast_perft::perft(&mut position, depth, passes),
                    nodes,
                    "{position:?} {passes} {depth}"
                );
                assert_eq!(
                    fast_perft::perft(&mut mailbox, depth, passes),
                    nodes,
                    "{position:?} {passes} {depth}"
                );
                let split: u64 =
                    fast_perft::divide(&mut mailbox, depth, passes).iter().map(|(_, nodes)| nodes).sum();
                assert!(
                    depth == 0 || split == nodes || split == 0 && nodes == 1,
                    "{position:?} {passes} {depth}"
                );
            }
            free += usize::from(counts[0] != counts[1]);
            full += usize::from(counts[0] != counts[2]);
            assert!(alfil_kernel::perft::perft(&mut position, depth) <= counts[2]);
        }
    }
    assert!(free > 20 && full > 20, "the conventions differ there: {free}, {full}");
}
