//! The quiescence search is bounded: a search of depth 1 visits few positions, whatever the position is.

use std::sync::Arc;

use alfil_evaluation::network_inputs::NetworkInputs as _;
use alfil_evaluation::{NetworkEval, chess, nets, othello, xiangqi};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, NeverStop, Position, Rules, Setup as _, Waivers};
use alfil_search::{SearchEvaluator, TranspositionTable, Worker};

/// The number of random positions of each game.
const POSITIONS: usize = 10_000;
/// The maximum length of a random game, in plies.
const MAX_PLIES: usize = 150;
/// The maximum number of positions that a search of depth 1 visits.
const MAX_NODES: u64 = 2_000;
/// The maximum in 99 of 100 positions.
const MAX_USUAL_NODES: u64 = 500;

/// Searches the positions of random games, and returns the node counts with the positions, the smallest first.
fn random_node_counts<B: Position, R: Rules<B> + Default, E: SearchEvaluator<B> + Clone>(
    eval: &E,
) -> Vec<(u64, String)> {
    let mut random = SplitMix64::new(17);
    let mut counts = Vec::with_capacity(POSITIONS);
    // The worker is kept: a new one would take longer than the search.
    let table = Arc::new(TranspositionTable::new(1));
    let start = GameHistory::<B>::from_start_position();
    let mut worker = Worker::with_table(start, R::default(), eval.clone(), table.clone());
    while counts.len() < POSITIONS {
        let mut game = GameHistory::<B>::from_start_position();
        for _ in 0..MAX_PLIES {
            let moves = sorted_legal_moves(game.position());
            if moves.is_empty() || counts.len() == POSITIONS {
                break;
            }
            table.clear();
            worker.set_game(game.clone(), R::default());
            let nodes = worker.search(1, &mut NeverStop).nodes;
            counts.push((nodes, game.position().to_setup().to_text()));
            game.play(moves[random.below(moves.len())]);
        }
    }
    counts.sort();
    counts
}

#[track_caller]
fn assert_bounded(game: &str, counts: &[(u64, String)]) {
    let usual = counts[counts.len() * 99 / 100].0;
    let (worst, position) = counts.last().unwrap();
    println!("{game}: {usual} nodes in 99 of 100 positions, at most {worst}: {position}");
    assert!(*worst <= MAX_NODES && usual <= MAX_USUAL_NODES, "{game}: {usual}, {worst}: {position}");
}

#[test]
fn depth_one_of_xiangqi_is_bounded() {
    use alfil_xiangqi::{Bitboard, Ruleset};
    let counts = random_node_counts::<Bitboard, Ruleset, _>(&xiangqi::HandcraftedEval::default());
    assert_bounded("xiangqi", &counts);
}

#[test]
fn depth_one_of_xiangqi_by_the_network_is_bounded() {
    use alfil_xiangqi::{Bitboard, Ruleset, Xiangqi};
    let network = Arc::new(Xiangqi::read_network(nets::XIANGQI).unwrap());
    let eval = NetworkEval::<Xiangqi, xiangqi::HandcraftedEval>::with_network(network);
    assert_bounded("xiangqi by the network", &random_node_counts::<Bitboard, Ruleset, _>(&eval));
}

#[test]
fn depth_one_of_chess_is_bounded() {
    use alfil_chess::{Bitboard, Ruleset};
    let counts = random_node_counts::<Bitboard, Ruleset, _>(&chess::HandcraftedEval::default());
    assert_bounded("chess", &counts);
}

#[test]
fn depth_one_of_othello_is_bounded() {
    use alfil_othello::{Bitboard, Ruleset};
    let counts = random_node_counts::<Bitboard, Ruleset, _>(&othello::HandcraftedEval::default());
    assert_bounded("othello", &counts);
}

/// Both sides can capture with almost every piece. The search of depth 1 once visited 6,643 positions here.
#[test]
fn many_hanging_pieces_do_not_explode() {
    let fen = "b3Qr2/2p3kp/6pb/P3pp2/prPBqN2/RB2PnPP/3N1P2/3Kn1R1 w - - 5 29";
    let setup = alfil_chess::Setup::parse(fen).unwrap();
    let game = GameHistory::<alfil_chess::Bitboard>::new(&setup, &Waivers::None).unwrap();
    let rules = alfil_chess::Ruleset::default();
    let mut worker = Worker::new(game, rules, chess::HandcraftedEval::default(), 1);
    let nodes = worker.search(1, &mut NeverStop).nodes;
    println!("{nodes} nodes: {fen}");
    assert!(nodes <= MAX_USUAL_NODES, "{nodes} nodes");
}
