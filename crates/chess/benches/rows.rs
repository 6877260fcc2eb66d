//! Benchmarks of the design choices: slider attacks, unmake, pawn moves, hash keys.
//!
//! Run `cargo bench -p alfil-chess --bench rows`.

use alfil_chess::geometry::{kindergarten, magic, pext};
use alfil_chess::{Bitboard, Board, Chess, Mailbox, Move, Piece, Square};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::{AdditiveKey, SplitMix64, piece_square_keys};
use alfil_kernel::{BoardObserver, GameHistory, MoveList, Position};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Returns positions of random games, the same in every run.
fn positions<P: Board>() -> Vec<P> {
    let mut random = SplitMix64::new(77);
    let mut positions = Vec::new();
    for _ in 0..64 {
        let mut game = GameHistory::<P>::from_start_position();
        for _ in 0..10 + random.below(60) {
            let moves = sorted_legal_moves(game.position());
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            game.push(mv, &mut ());
        }
        positions.push(game.position().clone());
    }
    positions
}

/// Computes the rook and bishop attacks of every square in 64 positions.
fn bench_sliders(
    bencher: Bencher<'_, '_>,
    rook: impl Fn(usize, u64) -> u64 + Sync,
    bishop: impl Fn(usize, u64) -> u64 + Sync,
) {
    let occupied: Vec<u64> = positions::<Bitboard>().iter().map(|position| position.occupied().0).collect();
    bencher.bench(|| {
        let mut sum = 0_u64;
        for &occupied in black_box(&occupied) {
            for square in 0..64 {
                sum = sum.wrapping_add(rook(square, occupied) ^ bishop(square, occupied));
            }
        }
        sum
    });
}

#[divan::bench]
fn sliders_kindergarten(bencher: Bencher<'_, '_>) {
    bench_sliders(bencher, kindergarten::rook_attacks, kindergarten::bishop_attacks);
}

#[divan::bench]
fn sliders_magic(bencher: Bencher<'_, '_>) {
    bench_sliders(bencher, magic::rook_attacks, magic::bishop_attacks);
}

#[divan::bench]
fn sliders_software_pext(bencher: Bencher<'_, '_>) {
    bench_sliders(
        bencher,
        |square, occupied| pext::rook_attacks(square, |mask| pext::software_pext(occupied, mask)),
        |square, occupied| pext::bishop_attacks(square, |mask| pext::software_pext(occupied, mask)),
    );
}

#[cfg(target_arch = "x86_64")]
#[divan::bench]
fn sliders_pext(bencher: Bencher<'_, '_>) {
    if !std::arch::is_x86_feature_detected!("bmi2") {
        return;
    }
    let occupied: Vec<u64> = positions::<Bitboard>().iter().map(|position| position.occupied().0).collect();
    #[allow(unsafe_code, reason = "the PEXT instruction is measured")]
    // SAFETY: the function requires BMI2, which was detected above.
    bencher.bench(|| unsafe { pext_attack_sum(black_box(&occupied)) });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn pext_attack_sum(occupied: &[u64]) -> u64 {
    use core::arch::x86_64::_pext_u64;
    let mut sum = 0_u64;
    for &occupied in occupied {
        for square in 0..64 {
            let rook = pext::rook_attacks(square, |mask| _pext_u64(occupied, mask));
            sum = sum.wrapping_add(rook ^ pext::bishop_attacks(square, |mask| _pext_u64(occupied, mask)));
        }
    }
    sum
}

/// Makes and unmakes every legal move of 64 positions.
fn bench_make_unmake<P: Board>(bencher: Bencher<'_, '_>, make_unmake: impl Fn(&mut P, Move) + Sync) {
    let moves: Vec<_> =
        positions::<P>().into_iter().map(|position| (sorted_legal_moves(&position), position)).collect();
    bencher.with_inputs(|| moves.clone()).bench_local_refs(|moves| {
        for (moves, position) in moves {
            for &mv in moves.iter() {
                make_unmake(position, mv);
            }
        }
    });
}

#[divan::bench]
fn unmake_bitboard_by_copy(bencher: Bencher<'_, '_>) {
    bench_make_unmake::<Bitboard>(bencher, |position, mv| {
        let undo = position.make(mv, &mut ());
        position.unmake(mv, black_box(&undo), &mut ());
    });
}

#[divan::bench]
fn unmake_bitboard_by_record(bencher: Bencher<'_, '_>) {
    bench_make_unmake::<Bitboard>(bencher, |position, mv| {
        let record = position.make_with_record(mv).expect("a piece on the origin");
        position.unmake_with_record(mv, black_box(&record));
    });
}

#[divan::bench]
fn unmake_mailbox(bencher: Bencher<'_, '_>) {
    bench_make_unmake::<Mailbox>(bencher, |position, mv| {
        let undo = position.make(mv, &mut ());
        position.unmake(mv, black_box(&undo), &mut ());
    });
}

/// Generates the pawn moves of 64 positions.
fn bench_pawn_moves(bencher: Bencher<'_, '_>, generate: fn(&Bitboard, &mut MoveList<Move>)) {
    let positions = positions::<Bitboard>();
    bencher.bench_local(|| {
        let mut list = MoveList::new();
        for position in &positions {
            list.clear();
            generate(black_box(position), &mut list);
            black_box(&list);
        }
    });
}

#[divan::bench]
fn pawn_moves_set_wise(bencher: Bencher<'_, '_>) {
    bench_pawn_moves(bencher, Bitboard::generate_pawns_set_wise);
}

#[divan::bench]
fn pawn_moves_one_by_one(bencher: Bencher<'_, '_>) {
    bench_pawn_moves(bencher, Bitboard::generate_pawns_one_by_one);
}

/// A hash key that is updated incrementally by XOR.
struct Xor(u64, Box<[[u64; 64]; 12]>);

/// A hash key that is updated incrementally by addition and subtraction.
struct Sum(AdditiveKey, Box<[[u64; 64]; 12]>);

impl BoardObserver<Chess> for Xor {
    fn put(&mut self, square: Square, piece: Piece) {
        self.0 ^= self.1[piece.index()][square.index()];
    }

    fn remove(&mut self, square: Square, piece: Piece) {
        self.put(square, piece);
    }

    fn flip(&mut self, _: Square, _: Piece) {}
}

impl BoardObserver<Chess> for Sum {
    fn put(&mut self, square: Square, piece: Piece) {
        self.0.put(self.1[piece.index()][square.index()]);
    }

    fn remove(&mut self, square: Square, piece: Piece) {
        self.0.remove(self.1[piece.index()][square.index()]);
    }

    fn flip(&mut self, _: Square, _: Piece) {}
}

/// Makes every legal move of 64 positions with an observer that updates a key.
fn bench_incremental_key<W: BoardObserver<Chess>>(bencher: Bencher<'_, '_>, mut key: W) {
    let moves: Vec<_> =
        positions::<Bitboard>().into_iter().map(|board| (sorted_legal_moves(&board), board)).collect();
    bencher.bench_local(|| {
        for (moves, position) in &moves {
            for &mv in moves {
                let mut after = position.clone();
                after.play_unchecked(mv, &mut key);
                black_box(&after);
            }
        }
    });
}

#[divan::bench]
fn key_incremental_xor(bencher: Bencher<'_, '_>) {
    bench_incremental_key(bencher, Xor(0, Box::new(piece_square_keys(1))));
}

#[divan::bench]
fn key_incremental_addition(bencher: Bencher<'_, '_>) {
    bench_incremental_key(bencher, Sum(AdditiveKey::default(), Box::new(piece_square_keys(1))));
}

#[divan::bench]
fn key_none(bencher: Bencher<'_, '_>) {
    bench_incremental_key(bencher, ());
}

#[divan::bench]
fn key_computed(bencher: Bencher<'_, '_>) {
    let positions = positions::<Bitboard>();
    bencher.bench(|| positions.iter().fold(0, |sum, position| sum ^ black_box(position).compute_hash_key()));
}
