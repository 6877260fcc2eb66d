//! Many threads on one line, a table far too small for them, and stops at random: no move is illegal, and nobody hangs.

use std::sync::Arc;

use alfil_chess as chess;
use alfil_kernel::conformance::legal;
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Control, Evaluate, Info, Laws, Line, Position};
use alfil_othello as othello;
use alfil_search::{Ask, Table, Worker};
use alfil_xiangqi as xiangqi;

/// How many think about one position.
const THREADS: u64 = 8;

/// Stops after so many nodes.
struct Nodes(u64);

impl<M> Control<M> for Nodes {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &Info<'_, M>) {}
}

/// A position of a random game, with its road.
fn stray<P: Position, L: Laws<P>>(random: &mut SplitMix64, laws: &L) -> Line<P> {
    let mut line = Line::start_of_game();
    for _ in 0..random.below(120) {
        let moves = legal(line.position());
        line.play(moves[random.below(moves.len())]);
        if laws.judge(&line).is_some() {
            line = Line::start_of_game();
        }
    }
    line
}

/// Every thread stops at a moment of its own, after at most so many nodes, having thought of one line or several, from the first
/// depth or a later one.
fn crowd<P: Position, L: Laws<P>, E: Evaluate<P> + Default>(
    laws: &L,
    positions: usize,
    most: usize,
    seed: u64,
) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..positions {
        let line: Line<P> = stray(&mut random, laws);
        let moves = legal(line.position());
        // A single cache line, or as many as a search of this size fills several times.
        let table = Arc::new(Table::new(random.below(2)));
        let wishes = random.next_word();
        let think = |number: u64| {
            let mut random = SplitMix64::new(wishes ^ number);
            let ask = Ask { first: 1 + random.below(4) as u32, lines: random.below(3), ..Ask::default() };
            let limit = 1 + random.below(most) as u64;
            let mut worker = Worker::sharing(line.clone(), laws.clone(), E::default(), table.clone());
            worker.think_about(&ask, &mut Nodes(limit)).mv
        };
        let best: Vec<_> = std::thread::scope(|scope| {
            let think = &think;
            let crew: Vec<_> = (0..THREADS).map(|number| scope.spawn(move || think(number))).collect();
            crew.into_iter().map(|thinker| thinker.join().expect("nobody panics")).collect()
        });
        for mv in best {
            let mv = mv.expect("the game is not over");
            assert!(moves.contains(&mv), "{mv:?} in {}", alfil_kernel::Setup::write(&line.setup()));
        }
    }
}

/// On so many positions of the three games, at most so many nodes each.
fn crowds(positions: usize, most: usize, seed: u64) {
    let third = positions / 3;
    crowd::<chess::Bitboard, _, alfil_evaluation::chess::Values>(&chess::Ruleset::default(), third, most, seed);
    crowd::<othello::Bitboard, _, alfil_evaluation::othello::Values>(&othello::Ruleset::STANDARD, third, most, seed + 1);
    let rest = positions - 2 * third;
    crowd::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::Values>(&xiangqi::Ruleset::default(), rest, most, seed + 2);
}

#[test]
fn eight_threads_and_a_tiny_table_on_a_thousand_positions() {
    crowds(1_000, 500, 80);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn eight_threads_and_a_tiny_table_on_ten_thousand_positions() {
    crowds(10_000, 3_000, 81);
}
