//! The choices of this room, row beside row: sliding, undoing, pawns, keys. `cargo bench -p alfil-chess --bench rows`.

use alfil_chess::geometry::{kindergarten, magic, pext};
use alfil_chess::{Bitboard, Board, Chess, Mailbox, Move, Piece, Square};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::{AdditiveKey, SplitMix64, piece_square_keys};
use alfil_kernel::{BoardObserver, GameHistory, MoveList, Position};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Positions out of random games from the start, the same in every run.
fn positions<P: Board>() -> Vec<P> {
    let mut random = SplitMix64::new(77);
    let mut positions = Vec::new();
    for _ in 0..64 {
        let mut line = GameHistory::<P>::from_start_position();
        for _ in 0..10 + random.below(60) {
            let moves = sorted_legal_moves(line.position());
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            line.push(mv, &mut ());
        }
        positions.push(line.position().clone());
    }
    positions
}

/// Both attack sets of every square among the men of 64 positions: 4,096 rooks and 4,096 bishops.
fn slide(
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
fn slide_by_lines(bencher: Bencher<'_, '_>) {
    slide(bencher, kindergarten::rook_attacks, kindergarten::bishop_attacks);
}

#[divan::bench]
fn slide_by_magic(bencher: Bencher<'_, '_>) {
    slide(bencher, magic::rook_attacks, magic::bishop_attacks);
}

#[divan::bench]
fn slide_by_gathering_without_the_instruction(bencher: Bencher<'_, '_>) {
    slide(
        bencher,
        |square, occupied| pext::rook_attacks(square, |mask| pext::software_pext(occupied, mask)),
        |square, occupied| pext::bishop_attacks(square, |mask| pext::software_pext(occupied, mask)),
    );
}

/// With the instruction.
#[cfg(target_arch = "x86_64")]
#[divan::bench]
fn slide_by_gathering(bencher: Bencher<'_, '_>) {
    if !std::arch::is_x86_feature_detected!("bmi2") {
        return;
    }
    let occupied: Vec<u64> = positions::<Bitboard>().iter().map(|position| position.occupied().0).collect();
    #[allow(unsafe_code, reason = "the instruction is what is measured")]
    // SAFETY: the machine was just found to have it.
    bencher.bench(|| unsafe { gathered_all(black_box(&occupied)) });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn gathered_all(occupied: &[u64]) -> u64 {
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

/// Every move of 64 positions made and unmade.
fn there_and_back<P: Board>(bencher: Bencher<'_, '_>, go: impl Fn(&mut P, Move) + Sync) {
    let moves: Vec<_> =
        positions::<P>().into_iter().map(|position| (sorted_legal_moves(&position), position)).collect();
    bencher.with_inputs(|| moves.clone()).bench_local_refs(|moves| {
        for (moves, position) in moves {
            for &mv in moves.iter() {
                go(position, mv);
            }
        }
    });
}

#[divan::bench]
fn undo_is_the_old_board(bencher: Bencher<'_, '_>) {
    there_and_back::<Bitboard>(bencher, |position, mv| {
        let undo = position.make(mv, &mut ());
        position.unmake(mv, black_box(&undo), &mut ());
    });
}

#[divan::bench]
fn undo_is_a_delta(bencher: Bencher<'_, '_>) {
    there_and_back::<Bitboard>(bencher, |position, mv| {
        let delta = position.make_with_record(mv).expect("a man to move");
        position.unmake_with_record(mv, black_box(&delta));
    });
}

#[divan::bench]
fn undo_on_the_mailbox(bencher: Bencher<'_, '_>) {
    there_and_back::<Mailbox>(bencher, |position, mv| {
        let undo = position.make(mv, &mut ());
        position.unmake(mv, black_box(&undo), &mut ());
    });
}

fn list_pawns(bencher: Bencher<'_, '_>, fill: fn(&Bitboard, &mut MoveList<Move>)) {
    let positions = positions::<Bitboard>();
    bencher.bench_local(|| {
        let mut list = MoveList::new();
        for position in &positions {
            list.clear();
            fill(black_box(position), &mut list);
            black_box(&list);
        }
    });
}

#[divan::bench]
fn pawns_set_wise(bencher: Bencher<'_, '_>) {
    list_pawns(bencher, Bitboard::generate_pawns_set_wise);
}

#[divan::bench]
fn pawns_one_by_one(bencher: Bencher<'_, '_>) {
    list_pawns(bencher, Bitboard::generate_pawns_one_by_one);
}

/// Keys that listen: the words by XOR, or added and subtracted.
struct Xor(u64, Box<[[u64; 64]; 12]>);
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

/// Every move of 64 positions, made with a key that listens.
fn listen<W: BoardObserver<Chess>>(bencher: Bencher<'_, '_>, mut key: W) {
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
fn key_by_xor(bencher: Bencher<'_, '_>) {
    listen(bencher, Xor(0, Box::new(piece_square_keys(1))));
}

#[divan::bench]
fn key_by_addition(bencher: Bencher<'_, '_>) {
    listen(bencher, Sum(AdditiveKey::default(), Box::new(piece_square_keys(1))));
}

#[divan::bench]
fn key_not_kept(bencher: Bencher<'_, '_>) {
    listen(bencher, ());
}

#[divan::bench]
fn key_afresh(bencher: Bencher<'_, '_>) {
    let positions = positions::<Bitboard>();
    bencher.bench(|| positions.iter().fold(0, |sum, position| sum ^ black_box(position).compute_hash_key()));
}
