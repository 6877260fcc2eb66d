//! The speed of reading PGN: games skipped, tags parsed, moves played. `cargo bench -p alfil-records`.
//!
//! The file consists of random games with tags and some comments; rates are in bytes or in moves.

use alfil_chess::{Bitboard, Chess};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Position as _};
use alfil_records::pgn::{self, Reader};
use alfil_records::{GameTree, ROOT};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Creates a file of random games of up to 80 plies, and the number of its moves.
fn bench_file(games: usize) -> (Vec<u8>, usize) {
    let mut random = SplitMix64::new(1994);
    let (mut text, mut moves) = (String::new(), 0);
    for number in 0..games {
        let mut tree = GameTree::<Chess>::default();
        for (name, value) in [("Event", "Bench"), ("Site", "Here"), ("Date", "2026.11.21")] {
            tree.tags.push(name, value);
        }
        tree.tags.push("Round", number.to_string());
        let mut game = GameHistory::<Bitboard>::from_start_position();
        let mut node = ROOT;
        for ply in 0..80 {
            let choices = sorted_legal_moves(game.position());
            let Some(&mv) = choices.get(random.below(choices.len().max(1))) else { break };
            node = tree.add(node, Some(mv));
            if ply % 16 == 9 {
                tree.annotation_mut(node).comment_after = "a comment".into();
            }
            game.push(mv, &mut ());
            if game.position().has_no_legal_move() {
                break;
            }
        }
        moves += tree.moves.move_count();
        text += &pgn::format_game(&tree, pgn::default_dialect::<Chess>()).unwrap();
        text.push('\n');
    }
    (text.into_bytes(), moves)
}

#[divan::bench]
fn skip_games(bencher: Bencher<'_, '_>) {
    let (file, _) = bench_file(2_000);
    bencher.counter(BytesCount::new(file.len())).bench(|| {
        let mut reader = Reader::new(black_box(&file[..]));
        let mut games = 0;
        while reader.next_game().unwrap().is_some() {
            games += 1;
        }
        games
    });
}

#[divan::bench]
fn read_tags(bencher: Bencher<'_, '_>) {
    let (file, _) = bench_file(2_000);
    bencher.counter(BytesCount::new(file.len())).bench(|| {
        let mut reader = Reader::new(black_box(&file[..]));
        let mut tags = 0;
        while let Some(game) = reader.next_game().unwrap() {
            tags += game.tags().len();
        }
        tags
    });
}

#[divan::bench]
fn read_moves(bencher: Bencher<'_, '_>) {
    let (file, moves) = bench_file(500);
    bencher.counter(ItemsCount::new(moves)).bench(|| {
        let mut reader = Reader::new(black_box(&file[..]));
        let mut read = 0;
        while let Some(game) = reader.next_game().unwrap() {
            read += game.parse::<Chess>().tree.moves.move_count();
        }
        assert_eq!(read, moves);
        read
    });
}

#[divan::bench]
fn visit_positions(bencher: Bencher<'_, '_>) {
    /// Counts positions by a bit of their hash keys.
    #[derive(Default)]
    struct Positions(u64);

    impl pgn::GameVisitor<Chess> for Positions {
        fn reach(&mut self, position: &Bitboard, _: usize) {
            self.0 += position.hash_key() & 1;
        }
    }

    let (file, moves) = bench_file(500);
    bencher.counter(ItemsCount::new(moves)).counter(BytesCount::new(file.len())).bench(|| {
        let mut positions = Positions::default();
        pgn::read_games(&mut Reader::new(black_box(&file[..])), &mut positions).unwrap();
        positions.0
    });
}
