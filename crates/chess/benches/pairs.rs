//! Perft speed compared with the perft example of cozy-chess. The two are measured in alternation, because on a shared
//! machine only ratios of adjacent measurements are meaningful. Prints a row for each position and implementation, with
//! the median of five ratios.
//!
//! Run `cargo bench -p alfil-chess --bench pairs`, for a native build with `RUSTFLAGS=-Ctarget-cpu=native`, which
//! builds cozy-chess with PEXT too. The argument `--deep` adds one ply.

use std::time::Instant;

use alfil_chess::{Bitboard, Mailbox, Setup, fast_perft};
use alfil_kernel::{Position, Setup as _, Waivers};

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

/// Runs the perft example of cozy-chess: copy-make, with bulk counting at the last ply.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                nodes += cozy_perft(&board, depth - 1);
            }
        }
        false
    });
    nodes
}

fn board<P: Position<Game = alfil_chess::Chess>>(fen: &str) -> P {
    P::from_setup(&Setup::parse(fen).expect("a valid FEN"), &Waivers::None).expect("a valid position")
}

/// Returns the number of leaves and the speed in million leaves per second.
fn measure(perft: &dyn Fn(u32) -> u64, depth: u32) -> (u64, f64) {
    let start = Instant::now();
    let nodes = perft(depth);
    (nodes, nodes as f64 / start.elapsed().as_secs_f64() / 1e6)
}

fn main() {
    let is_deep = std::env::args().any(|argument| argument == "--deep");
    println!("{:<10} {:<18} {:>8} {:>8} {:>7}", "position", "board", "M/s", "cozy", "ratio");
    for (name, fen, depth) in POSITIONS {
        let depth = if is_deep { depth } else { depth - 1 };
        let cozy: cozy_chess::Board = fen.parse().expect("a valid FEN");
        let (bitboard, mailbox): (Bitboard, Mailbox) = (board(fen), board(fen));
        let implementations: [(&str, &dyn Fn(u32) -> u64); 4] = [
            ("fast perft", &|depth| fast_perft::perft(&bitboard, depth)),
            ("fast perft, scalar", &|depth| fast_perft::perft_scalar(&bitboard, depth)),
            ("bitboard, kernel", &|depth| alfil_kernel::perft::perft(&mut bitboard.clone(), depth)),
            ("mailbox", &|depth| alfil_kernel::perft::perft(&mut mailbox.clone(), depth)),
        ];
        for (implementation, perft) in implementations {
            let mut pairs: Vec<_> = (0..5)
                .map(|_| {
                    let (nodes, alfil_speed) = measure(perft, depth);
                    let (cozy_nodes, cozy_speed) = measure(&|depth| cozy_perft(&cozy, depth), depth);
                    assert_eq!(nodes, cozy_nodes, "{name} by {implementation}");
                    (alfil_speed / cozy_speed, alfil_speed, cozy_speed)
                })
                .collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (ratio, alfil_speed, cozy_speed) = pairs[2];
            println!("{name:<10} {implementation:<18} {alfil_speed:>8.1} {cozy_speed:>8.1} {ratio:>7.2}");
        }
    }
}
