//! The measured choices of the boards: `cargo bench -p alfil-xiangqi --bench bitboards`.
//!
//! Each row uses the same positions: every tenth of some random games. The `median` of the item throughput is the
//! figure to compare.

use std::sync::LazyLock;

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};
use alfil_xiangqi::bitboard::{DenseLookup, LeaperLookup};
use alfil_xiangqi::folded::FoldedLookup;
use alfil_xiangqi::geometry::{LineMoves, LineOccupancy, file_squares, rank_squares};
use alfil_xiangqi::{Bitboard, Board, Folded, Mailbox, Move, Setup, Square, SquareSet, fast_perft};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Positions from the start of a game to its endgame.
static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(|| {
    let (mut random, mut setups) = (SplitMix64::new(90), Vec::new());
    while setups.len() < 200 {
        let mut board: Bitboard = board(&Setup::start());
        for ply in 0..150 {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            if list.is_empty() {
                break;
            }
            if ply % 10 == 0 {
                setups.push(board.to_setup());
            }
            board.make(list[random.below(list.len())], &mut ());
        }
    }
    setups
});

fn board<P: Board>(setup: &Setup) -> P {
    P::from_setup(setup, &Waivers::All).expect("a valid position")
}

fn boards<P: Board>() -> Vec<P> {
    SETUPS.iter().map(board).collect()
}

/// Returns the occupied squares of each position.
fn occupancies() -> Vec<SquareSet> {
    boards::<Bitboard>().iter().map(Board::occupied).collect()
}

/// Calls a function for every square of every position.
fn bench_squares<T>(
    bencher: Bencher<'_, '_>,
    items: Vec<T>,
    function: impl Fn(&T, Square) -> SquareSet + Sync,
) {
    bencher.counter(ItemsCount::new(items.len() * Square::COUNT)).bench_local(|| {
        for item in &items {
            for square in Square::all() {
                black_box(function(item, square));
            }
        }
    });
}

/// Rook and cannon targets of every square.
mod lines {
    use super::*;

    #[divan::bench]
    fn by_inner_occupancy(bencher: Bencher<'_, '_>) {
        let items = occupancies().into_iter().map(LineOccupancy::from_set).collect();
        bench_squares(bencher, items, |lines, square| {
            lines.rook_targets(square) | lines.cannon_targets(square)
        });
    }

    /// Tables of ElephantEye's size: 512 words a rank and 1,024 a file, 59,392 bytes for both pieces.
    struct Full {
        ranks: Vec<[LineMoves; 512]>,
        files: Vec<[LineMoves; 1024]>,
    }

    impl Full {
        fn new() -> Self {
            let line = |length: usize, index: usize, word: usize| {
                let (mut rook, mut cannon) = (0u16, 0u16);
                for step in [-1, 1] {
                    let (mut pieces, mut at) = (0, index as isize + step);
                    while at >= 0 && at < length as isize && pieces < 2 {
                        let is_occupied = word >> at & 1 == 1;
                        rook |= u16::from(pieces == 0) << at;
                        pieces += usize::from(is_occupied);
                        cannon |= u16::from(pieces == 2 && is_occupied) << at;
                        at += step;
                    }
                }
                LineMoves { rook, cannon }
            };
            let ranks = (0..9).map(|index| core::array::from_fn(|word| line(9, index, word)));
            let files = (0..10).map(|index| core::array::from_fn(|word| line(10, index, word)));
            Full { ranks: ranks.collect(), files: files.collect() }
        }
    }

    #[divan::bench]
    fn by_full_occupancy(bencher: Bencher<'_, '_>) {
        let full = Full::new();
        bench_squares(
            bencher,
            occupancies().into_iter().map(LineOccupancy::from_set).collect(),
            |lines, square| {
                let (file, rank) = (square.file(), square.rank());
                let (word, column) = (lines.rank(rank), lines.file(file));
                let along_rank = full.ranks[file][usize::from(word) & 511];
                let along_file = full.files[rank][usize::from(column) & 1023];
                let cannon = |line: LineMoves, word: u16| line.rook & !word | line.cannon;
                let rook = rank_squares(along_rank.rook, rank) | file_squares(along_file.rook, file);
                let (rank_targets, file_targets) = (cannon(along_rank, word), cannon(along_file, column));
                rook | rank_squares(rank_targets, rank) | file_squares(file_targets, file)
            },
        );
    }

    #[divan::bench]
    fn by_walking(bencher: Bencher<'_, '_>) {
        bench_squares(bencher, occupancies(), |&occupied, square| {
            let mut found = SquareSet::EMPTY;
            for (files, ranks) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let (mut pieces, mut at) = (0, square.step(files, ranks));
                while let (0..2, Some(square_here)) = (pieces, at) {
                    let is_occupied = occupied.contains(square_here);
                    if is_occupied || pieces == 0 {
                        found = found | SquareSet::from_square(square_here);
                    }
                    pieces += usize::from(is_occupied);
                    at = square_here.step(files, ranks);
                }
            }
            found
        });
    }
}

/// Horse targets of every square.
mod horse {
    use super::*;

    #[divan::bench]
    fn dense(bencher: Bencher<'_, '_>) {
        let items = occupancies().into_iter().map(LineOccupancy::from_set).collect();
        bench_squares(bencher, items, |lines, square| DenseLookup.horse_targets(lines, square));
    }

    #[divan::bench]
    fn folded(bencher: Bencher<'_, '_>) {
        let fold = |occupied: SquareSet| {
            let mut fold = FoldedLookup::default();
            occupied.iter().for_each(|square| fold.toggle(square));
            (fold, LineOccupancy::from_set(occupied))
        };
        let items = occupancies().into_iter().map(fold).collect();
        bench_squares(bencher, items, |(fold, lines), square| fold.horse_targets(lines, square));
    }

    #[divan::bench]
    fn offsets(bencher: Bencher<'_, '_>) {
        bench_squares(bencher, occupancies(), |&occupied, square| {
            let mut found = SquareSet::EMPTY;
            for (files, ranks) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let leg = square.step(files, ranks);
                if leg.is_some_and(|leg| !occupied.contains(leg)) {
                    for side_step in [1, -1] {
                        let target =
                            square.step(2 * files + side_step * ranks, 2 * ranks + side_step * files);
                        found = target.map_or(found, |target| found | SquareSet::from_square(target));
                    }
                }
            }
            found
        });
    }
}

/// Calls a function for every position of a board.
fn bench_positions<P: Board>(bencher: Bencher<'_, '_>, function: impl Fn(&P) -> usize + Sync) {
    let boards = boards::<P>();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            black_box(function(black_box(board)));
        }
    });
}

/// Legal moves of a position.
mod moves {
    use super::*;

    #[divan::bench(types = [Mailbox, Bitboard, Folded])]
    fn listed<P: Board>(bencher: Bencher<'_, '_>) {
        bench_positions::<P>(bencher, |board| {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            list.len()
        });
    }

    #[divan::bench(types = [Mailbox, Bitboard, Folded])]
    fn counted<P: Board>(bencher: Bencher<'_, '_>) {
        bench_positions::<P>(bencher, Position::count_legal);
    }

    #[divan::bench(types = [Mailbox, Bitboard, Folded])]
    fn captures<P: Board>(bencher: Bencher<'_, '_>) {
        bench_positions::<P>(bencher, |board| {
            let mut list = MoveList::new();
            board.generate_captures(&mut list);
            list.len()
        });
    }

    /// The cost of computing checkers, as a board without stored checkers does.
    #[divan::bench(types = [Mailbox, Bitboard])]
    fn in_check<P: Board>(bencher: Bencher<'_, '_>) {
        bench_positions::<P>(bencher, |board| usize::from(board.in_check()));
    }
}

/// Make and unmake of every legal move of every position.
mod undo {
    use super::*;

    fn bench_moves<P: Board>(bencher: Bencher<'_, '_>, make_and_unmake: impl Fn(&mut P, Move) + Sync) {
        let mut boards: Vec<(P, MoveList<Move>)> = boards::<P>()
            .into_iter()
            .map(|board| {
                let mut list = MoveList::new();
                board.generate_legal(&mut list);
                (board, list)
            })
            .collect();
        let moves: usize = boards.iter().map(|(_, list)| list.len()).sum();
        bencher.counter(ItemsCount::new(moves)).bench_local(|| {
            for (board, list) in &mut boards {
                for &mv in &*list {
                    make_and_unmake(board, mv);
                }
            }
        });
    }

    #[divan::bench]
    fn undo_record(bencher: Bencher<'_, '_>) {
        bench_moves::<Bitboard>(bencher, |board, mv| {
            let undo = board.make(mv, &mut ());
            black_box(board.hash_key());
            board.unmake(mv, &undo, &mut ());
        });
    }

    #[divan::bench]
    fn copied_board(bencher: Bencher<'_, '_>) {
        bench_moves::<Bitboard>(bencher, |board, mv| {
            let copy = black_box(*board);
            board.make(mv, &mut ());
            black_box(board.hash_key());
            *board = copy;
        });
    }
}

/// Three plies from the start position: 79,666 leaves.
mod perft {
    use super::*;

    #[divan::bench(types = [Mailbox, Bitboard, Folded])]
    fn visiting<P: Board>(bencher: Bencher<'_, '_>) {
        let mut board: P = board(&Setup::start());
        bencher
            .counter(ItemsCount::new(79_666_usize))
            .bench_local(|| alfil_kernel::perft::perft(&mut board, black_box(3)));
    }

    #[divan::bench]
    fn counting(bencher: Bencher<'_, '_>) {
        let board: Bitboard = board(&Setup::start());
        bencher
            .counter(ItemsCount::new(79_666_usize))
            .bench_local(|| fast_perft::perft(&board, black_box(3)));
    }
}
