//! Times of incremental hash keys, of the instruction sets and of the boards.
//!
//! Run `cargo bench -p alfil-othello`; a name after `--` selects benchmarks.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::{Bitboard, Board, Mailbox, Move, Othello, PassConvention, Setup, fast_perft};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn start<P: Position<Game = Othello>>() -> P {
    P::from_setup(&Setup::start(), &Waivers::None).expect("the start position has no issues")
}

/// Returns positions of random games, each with the move that was played.
fn random_game_positions() -> Vec<(Bitboard, Move)> {
    let mut random = SplitMix64::new(1);
    let mut positions = Vec::new();
    for _ in 0..50 {
        let mut board: Bitboard = start();
        while !board.has_no_legal_move() {
            let moves = sorted_legal_moves(&board);
            let mv = moves[random.below(moves.len())];
            positions.push((board, mv));
            board.make(mv, &mut ());
        }
    }
    positions
}

/// Makes a move with the incremental hash key.
#[divan::bench]
fn key_incremental(bencher: Bencher<'_, '_>) {
    let positions = random_game_positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().fold(0, |keys, (board, mv)| {
            let mut next = *black_box(board);
            next.make(*mv, &mut ());
            keys ^ next.hash_key()
        })
    });
}

/// Makes a move and computes the hash key from all discs.
#[divan::bench]
fn key_computed(bencher: Bencher<'_, '_>) {
    let positions = random_game_positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().fold(0, |keys, (board, mv)| {
            let mut next = *black_box(board);
            next.make(*mv, &mut ());
            keys ^ next.compute_hash_key()
        })
    });
}

/// Returns the names of the instruction sets of this machine.
fn isa_names() -> Vec<&'static str> {
    Isa::all().map(Isa::name).collect()
}

fn isa_by_name(name: &str) -> Isa {
    Isa::all().find(|isa| isa.name() == name).expect("a name from `isa_names`")
}

/// Counts the leaves at depth 10 by the fast perft.
#[divan::bench(args = isa_names(), sample_count = 5)]
fn fast_perft_10(bencher: Bencher<'_, '_>, isa: &str) {
    let isa = isa_by_name(isa);
    let board = start();
    bencher
        .counter(ItemsCount::new(24_571_284u64))
        .bench_local(|| fast_perft::fast_perft_with_isa(isa, black_box(&board), 10, PassConvention::Ply));
}

/// Counts the leaves at depth 8 by the generic perft.
#[divan::bench(types = [Bitboard, Mailbox], sample_count = 5)]
fn perft_8<P: Board>(bencher: Bencher<'_, '_>) {
    let mut board: P = start();
    bencher
        .counter(ItemsCount::new(390_216u64))
        .bench_local(|| fast_perft::perft(black_box(&mut board), 8, PassConvention::Ply));
}
