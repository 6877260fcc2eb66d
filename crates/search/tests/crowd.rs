//! Many threads on one line, a table far too small for them, and stops at random: no move is illegal, and nobody hangs.

use std::sync::Arc;

use alfil_chess as chess;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Evaluate, GameHistory, Position, Rules, SearchControl, SearchInfo};
use alfil_othello as othello;
use alfil_search::{SearchRequest, TranspositionTable, Worker};
use alfil_xiangqi as xiangqi;

/// How many think about one position.
const THREADS: u64 = 8;

/// Stops after so many nodes.
struct NodeLimit(u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

/// A position of a random game, with its road.
fn random_game<P: Position, L: Rules<P>>(random: &mut SplitMix64, laws: &L) -> GameHistory<P> {
    let mut line = GameHistory::from_start_position();
    for _ in 0..random.below(120) {
        let moves = sorted_legal_moves(line.position());
        line.play(moves[random.below(moves.len())]);
        if laws.judge(&line).is_some() {
            line = GameHistory::from_start_position();
        }
    }
    line
}

/// Every thread stops at a moment of its own, after at most so many nodes, having thought of one line or several, from the first
/// depth or a later one.
fn check_positions<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(
    laws: &L,
    positions: usize,
    most: usize,
    seed: u64,
) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..positions {
        let line: GameHistory<P> = random_game(&mut random, laws);
        let moves = sorted_legal_moves(line.position());
        // A single cache line, or as many as a search of this size fills several times.
        let table = Arc::new(TranspositionTable::new(random.below(2)));
        let wishes = random.next_u64();
        let think = |number: u64| {
            let mut random = SplitMix64::new(wishes ^ number);
            let ask = SearchRequest {
                start_depth: 1 + random.below(4) as u32,
                multipv: random.below(3),
                ..SearchRequest::default()
            };
            let limit = 1 + random.below(most) as u64;
            let mut worker = Worker::with_table(line.clone(), laws.clone(), E::default(), table.clone());
            worker.search_with(&ask, &mut NodeLimit(limit)).mv
        };
        let best: Vec<_> = std::thread::scope(|scope| {
            let think = &think;
            let crew: Vec<_> = (0..THREADS).map(|number| scope.spawn(move || think(number))).collect();
            crew.into_iter().map(|thinker| thinker.join().expect("nobody panics")).collect()
        });
        for mv in best {
            let mv = mv.expect("the game is not over");
            assert!(moves.contains(&mv), "{mv:?} in {}", alfil_kernel::Setup::to_text(&line.to_setup()));
        }
    }
}

/// On so many positions of the three games, at most so many nodes each.
fn check_games(positions: usize, most: usize, seed: u64) {
    let third = positions / 3;
    check_positions::<chess::Bitboard, _, alfil_evaluation::chess::HandcraftedEval>(
        &chess::Ruleset::default(),
        third,
        most,
        seed,
    );
    check_positions::<othello::Bitboard, _, alfil_evaluation::othello::HandcraftedEval>(
        &othello::Ruleset::STANDARD,
        third,
        most,
        seed + 1,
    );
    let rest = positions - 2 * third;
    check_positions::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(
        &xiangqi::Ruleset::default(),
        rest,
        most,
        seed + 2,
    );
}

#[test]
fn eight_threads_and_a_tiny_table_on_a_thousand_positions() {
    check_games(1_000, 500, 80);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn eight_threads_and_a_tiny_table_on_ten_thousand_positions() {
    check_games(10_000, 3_000, 81);
}
