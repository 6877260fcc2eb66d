//! Lazy SMP with many threads, a table far too small for them, and stops at random: every result is a legal move, and
//! every thread ends.

use std::sync::Arc;

use alfil_chess as chess;
use alfil_evaluation::chess::HandcraftedEval as ChessEval;
use alfil_evaluation::othello::HandcraftedEval as OthelloEval;
use alfil_evaluation::xiangqi::HandcraftedEval as XiangqiEval;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Position, Rules};
use alfil_othello as othello;
use alfil_search::{SearchEvaluator, SearchRequest, TranspositionTable, Worker};
use alfil_xiangqi as xiangqi;

use crate::NodeLimit;

/// The number of threads that search one position.
const THREADS: u64 = 8;

/// Returns a random game.
fn random_game<P: Position, R: Rules<P>>(random: &mut SplitMix64, rules: &R) -> GameHistory<P> {
    let mut game = GameHistory::from_start_position();
    for _ in 0..random.below(120) {
        let moves = sorted_legal_moves(game.position());
        game.play(moves[random.below(moves.len())]);
        if rules.judge(&game).is_some() {
            game = GameHistory::from_start_position();
        }
    }
    game
}

/// Searches random games with all threads. Each thread has its own random limit of at most `max_nodes` nodes,
/// number of variations and start depth.
fn check_positions<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(
    rules: &R,
    positions: usize,
    max_nodes: usize,
    seed: u64,
) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..positions {
        let game: GameHistory<P> = random_game(&mut random, rules);
        let moves = sorted_legal_moves(game.position());
        // A single cluster, or a table that a search of this size fills several times.
        let table = Arc::new(TranspositionTable::new(random.below(2)));
        let seed = random.next_u64();
        let search = |thread: u64| {
            let mut random = SplitMix64::new(seed ^ thread);
            let request = SearchRequest {
                start_depth: 1 + random.below(4) as u32,
                multipv: random.below(3),
                ..SearchRequest::default()
            };
            let limit = 1 + random.below(max_nodes) as u64;
            let mut worker = Worker::with_table(game.clone(), rules.clone(), E::default(), table.clone());
            worker.search_with(&request, &mut NodeLimit(limit)).mv
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let search = &search;
            let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || search(thread))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no search thread panics")).collect()
        });
        for mv in results {
            let mv = mv.expect("the game is not over");
            assert!(moves.contains(&mv), "{mv:?} in {}", alfil_kernel::Setup::to_text(&game.to_setup()));
        }
    }
}

/// Checks positions of the three games, each search with at most `max_nodes` nodes.
fn check_games(positions: usize, max_nodes: usize, seed: u64) {
    let third = positions / 3;
    check_positions::<chess::Bitboard, _, ChessEval>(&chess::Ruleset::default(), third, max_nodes, seed);
    check_positions::<othello::Bitboard, _, OthelloEval>(
        &othello::Ruleset::STANDARD,
        third,
        max_nodes,
        seed + 1,
    );
    let rest = positions - 2 * third;
    check_positions::<xiangqi::Bitboard, _, XiangqiEval>(
        &xiangqi::Ruleset::default(),
        rest,
        max_nodes,
        seed + 2,
    );
}

#[test]
fn eight_threads_with_a_tiny_table_return_legal_moves_in_1_000_positions() {
    check_games(1_000, 500, 80);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn eight_threads_with_a_tiny_table_return_legal_moves_in_10_000_positions() {
    check_games(10_000, 3_000, 81);
}
