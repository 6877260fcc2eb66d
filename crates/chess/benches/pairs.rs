//! Leaf counts beside cozy-chess's own recursive bulk loop, in pairs: on a shared machine only ratios taken one after the
//! other mean anything. Prints a row for each position and board, with the median of five ratios.
//!
//! `cargo bench -p alfil-chess --bench pairs`; for the native row put `RUSTFLAGS=-Ctarget-cpu=native` before it: then
//! cozy-chess, too, is built with PEXT. `--deep` as an argument takes the depths of the bar.

use std::time::Instant;

use alfil_chess::{Bitboard, Mailbox, Setup, fast_perft};
use alfil_kernel::{Position, Setup as _, Waivers};

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

/// The loop of cozy-chess's own perft example: sets of moves, counted at the last ply, copied above it.
fn theirs(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                nodes += theirs(&board, depth - 1);
            }
        }
        false
    });
    nodes
}

fn board<P: Position<Game = alfil_chess::Chess>>(fen: &str) -> P {
    P::from_setup(&Setup::parse(fen).expect("a sound text"), &Waivers::None).expect("a sound position")
}

/// Million leaves a second.
fn speed(count: &dyn Fn(u32) -> u64, depth: u32) -> (u64, f64) {
    let start = Instant::now();
    let nodes = count(depth);
    (nodes, nodes as f64 / start.elapsed().as_secs_f64() / 1e6)
}

fn main() {
    let deep = std::env::args().any(|argument| argument == "--deep");
    println!("{:<10} {:<18} {:>8} {:>8} {:>7}", "position", "board", "M/s", "cozy", "ratio");
    for (name, fen, depth) in POSITIONS {
        let depth = if deep { depth } else { depth - 1 };
        let cozy: cozy_chess::Board = fen.parse().expect("a sound text");
        let (bitboard, mailbox): (Bitboard, Mailbox) = (board(fen), board(fen));
        let ways: [(&str, &dyn Fn(u32) -> u64); 4] = [
            ("counter", &|depth| fast_perft::perft(&bitboard, depth)),
            ("counter, scalar", &|depth| fast_perft::perft_scalar(&bitboard, depth)),
            ("bitboard, kernel", &|depth| alfil_kernel::perft::perft(&mut bitboard.clone(), depth)),
            ("mailbox", &|depth| alfil_kernel::perft::perft(&mut mailbox.clone(), depth)),
        ];
        for (way, count) in ways {
            let mut pairs: Vec<_> = (0..5)
                .map(|_| {
                    let (nodes, ours) = speed(count, depth);
                    let (same, cozy) = speed(&|depth| theirs(&cozy, depth), depth);
                    assert_eq!(nodes, same, "{name} by {way}");
                    (ours / cozy, ours, cozy)
                })
                .collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (ratio, ours, cozy) = pairs[2];
            println!("{name:<10} {way:<18} {ours:>8.1} {cozy:>8.1} {ratio:>7.2}");
        }
    }
}
