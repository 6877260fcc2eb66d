//! Published perft numbers by pass convention, on both boards and by the fast perft.

use std::fs;

use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::{Bitboard, Mailbox, PassConvention, Setup, fast_perft};

struct Row {
    board: String,
    depth: u32,
    nodes: u64,
    convention: PassConvention,
}

/// Returns the value of a field in a row of the file, without its quotation marks.
fn field<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    let rest = row.split_once(&format!("\"{name}\": "))?.1;
    Some(rest[..rest.find([',', '}'])?].trim_matches('"'))
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/perft.jsonl");
    let text = fs::read_to_string(path).expect("testdata/perft.jsonl is readable");
    let rows = text.lines().map(|row| Row {
        board: field(row, "board").unwrap().into(),
        depth: field(row, "depth").unwrap().parse().unwrap(),
        nodes: field(row, "nodes").unwrap().parse().unwrap(),
        convention: field(row, "convention").and_then(PassConvention::from_description).unwrap(),
    });
    rows.collect()
}

/// Returns the number of rows up to a depth: `ply` and `free` have rows from depth 1 on, `full` from 11 on.
fn expected_rows(max_depth: u32) -> u32 {
    2 * max_depth + max_depth.saturating_sub(10)
}

fn board<P: Position<Game = alfil_othello::Othello>>(text: &str) -> P {
    P::from_setup(&Setup::parse(text).unwrap(), &Waivers::All).unwrap()
}

fn check_perft<P: Position<Game = alfil_othello::Othello>>(max_depth: u32) {
    let mut tested = 0;
    for row in rows().iter().filter(|row| row.depth <= max_depth) {
        let nodes = fast_perft::perft(&mut board::<P>(&row.board), row.depth, row.convention);
        assert_eq!(nodes, row.nodes, "{} {} depth {}", P::BOARD, row.convention, row.depth);
        tested += 1;
    }
    assert_eq!(tested, expected_rows(max_depth));
}

#[test]
fn bitboard_perft_to_depth_10() {
    check_perft::<Bitboard>(10);
}

#[test]
fn mailbox_perft_to_depth_10() {
    check_perft::<Mailbox>(10);
}

fn check_fast_perft(max_depth: u32) {
    let mut tested = 0;
    for row in rows().iter().filter(|row| row.depth <= max_depth) {
        for isa in Isa::all() {
            let nodes = fast_perft::fast_perft_with_isa(isa, &board(&row.board), row.depth, row.convention);
            assert_eq!(nodes, row.nodes, "{} {} depth {}", isa.name(), row.convention, row.depth);
        }
        tested += 1;
    }
    assert_eq!(tested, expected_rows(max_depth));
}

#[test]
fn fast_perft_to_depth_11() {
    check_fast_perft(11);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn fast_perft_to_depth_12() {
    check_fast_perft(12);
}

/// The perft of the kernel differs from the convention `full` by the games that are finished one ply above the horizon:
/// 228 games from the start position end at ply 9.
#[test]
fn kernel_perft_differs_from_full_by_finished_games() {
    let mut start: Bitboard = board(&Setup::start().to_text());
    for (depth, finished_games) in (0..10).map(|depth| (depth, 0)).chain([(10, 228)]) {
        let nodes = alfil_kernel::perft::perft(&mut start, depth);
        assert_eq!(
            nodes + finished_games,
            fast_perft::fast_perft(&start, depth, PassConvention::Full),
            "depth {depth}"
        );
    }
}

/// Compares all perft functions near the end of games, where passes and early ends are common.
#[test]
fn perft_functions_agree_where_passes_are_common() {
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
            let counts =
                PassConvention::ALL.map(|convention| fast_perft::fast_perft(&position, depth, convention));
            for (convention, nodes) in PassConvention::ALL.into_iter().zip(counts) {
                assert_eq!(
                    fast_perft::perft(&mut position, depth, convention),
                    nodes,
                    "{position:?} {convention} {depth}"
                );
                assert_eq!(
                    fast_perft::perft(&mut mailbox, depth, convention),
                    nodes,
                    "{position:?} {convention} {depth}"
                );
                for isa in Isa::all() {
                    let found = fast_perft::fast_perft_with_isa(isa, &position, depth, convention);
                    assert_eq!(found, nodes, "{} {position:?} {convention} {depth}", isa.name());
                }
            }
            free += usize::from(counts[0] != counts[1]);
            full += usize::from(counts[0] != counts[2]);
            assert!(alfil_kernel::perft::perft(&mut position, depth) <= counts[2]);
        }
    }
    assert!(
        free > 20 && full > 20,
        "expected more than 20 differences of the conventions, found {free} and {full}"
    );
}

/// Compares every instruction set with the perft of both boards on random discs, where passes and finished games are
/// common.
fn check_random_discs(seed: u64, boards: u32) {
    let mut random = alfil_kernel::zobrist::SplitMix64::new(seed);
    let (mut passes, mut finished) = (0, 0);
    for number in 0..boards {
        let occupied = (0..number % 7).fold(random.next_u64(), |set, _| set | random.next_u64());
        let mask = (0..number % 5).fold(random.next_u64(), |set, _| set & random.next_u64());
        let mut bitboard = Bitboard::new(occupied & mask, occupied & !mask, alfil_kernel::Side::First);
        let mut mailbox = Mailbox::from_setup(&bitboard.to_setup(), &Waivers::All).unwrap();
        let moves = bitboard.legal_moves();
        passes += u32::from(moves.iter().any(|mv| mv.is_pass()));
        finished += u32::from(moves.is_empty());
        for (depth, convention) in (0..4).flat_map(|depth| PassConvention::ALL.map(|pass| (depth, pass))) {
            let expected = fast_perft::perft(&mut bitboard, depth, convention);
            if depth < 3 {
                assert_eq!(fast_perft::perft(&mut mailbox, depth, convention), expected, "{bitboard:?}");
            }
            for isa in Isa::all() {
                let found = fast_perft::fast_perft_with_isa(isa, &bitboard, depth, convention);
                assert_eq!(found, expected, "{} {bitboard:?} {convention} {depth}", isa.name());
            }
        }
    }
    assert!(passes > boards / 100 && finished > boards / 100, "{passes} passes, {finished} finished games");
}

#[test]
fn instruction_sets_agree_on_random_discs() {
    check_random_discs(75, 3_000);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn instruction_sets_agree_on_random_discs_long() {
    check_random_discs(76, 100_000);
}
