//! A small network, trained from nothing within a test, plays better than material and places alone.

use std::sync::Arc;

use alfil_evaluation::NetworkEval;
use alfil_evaluation::xiangqi::HandcraftedEval;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    BoardObserver, Evaluator, GameHistory, NeverStop, Outcome, Position as _, Rules as _, Score,
    SearchPolicy, SearchTechniques, Side, Tactics, conformance,
};
use alfil_search::{SearchEvaluator, SearchRequest, Worker};
use alfil_training::{NetworkOptions, NetworkTrainer, SelfPlayOptions, game_generator};
use alfil_xiangqi::{Bitboard, Move, Piece, PieceKind, Ruleset, Square, Xiangqi};

/// Material, and places: pieces gain by advancing and towards the middle files.
#[derive(Clone, Debug, Default)]
struct MaterialAndPlaces {
    /// Exchanges and techniques.
    terms: HandcraftedEval,
    /// The sum for Red.
    sum: i32,
}

fn value(piece: Piece, square: Square) -> i32 {
    let own = if piece.side() == Side::First { square } else { square.flipped() };
    let centre = 4 - own.file().abs_diff(4) as i32;
    let rank = own.rank() as i32;
    let value = match piece.kind() {
        PieceKind::King => 0,
        PieceKind::Advisor => 120,
        PieceKind::Elephant => 120,
        PieceKind::Horse => 400 + 5 * centre + 5 * rank.min(7),
        PieceKind::Rook => 900 + 3 * centre + 2 * rank,
        PieceKind::Cannon => 450 + 4 * centre,
        PieceKind::Soldier if rank >= 5 => 130 + 10 * centre - 60 * i32::from(rank == 9),
        PieceKind::Soldier => 60 + 5 * centre,
    };
    if piece.side() == Side::First { value } else { -value }
}

impl BoardObserver<Xiangqi> for MaterialAndPlaces {
    fn put(&mut self, square: Square, piece: Piece) {
        self.sum += value(piece, square);
        self.terms.put(square, piece);
    }

    fn remove(&mut self, square: Square, piece: Piece) {
        self.sum -= value(piece, square);
        self.terms.remove(square, piece);
    }

    fn flip(&mut self, _: Square, _: Piece) {
        unreachable!("xiangqi has no flips");
    }
}

impl Evaluator<Bitboard> for MaterialAndPlaces {
    fn reset(&mut self, position: &Bitboard) {
        Evaluator::<Bitboard>::reset(&mut self.terms, position);
        let placed = Square::all().filter_map(|square| Some(value(position.piece_on(square)?, square)));
        self.sum = placed.sum();
    }

    fn score(&mut self, position: &Bitboard) -> Score {
        Score::from_cp(if position.side_to_move() == Side::First { self.sum } else { -self.sum })
    }
}

impl Tactics<Bitboard> for MaterialAndPlaces {
    fn is_noisy(&self, position: &Bitboard, mv: Move) -> bool {
        self.terms.is_noisy(position, mv)
    }

    fn mvv_lva(&self, position: &Bitboard, mv: Move) -> i32 {
        self.terms.mvv_lva(position, mv)
    }

    fn see_ge(&self, position: &Bitboard, mv: Move, at_least: i32) -> bool {
        self.terms.see_ge(position, mv, at_least)
    }
}

impl SearchPolicy<Bitboard> for MaterialAndPlaces {
    fn techniques(&self, position: &Bitboard) -> SearchTechniques {
        self.terms.techniques(position)
    }
}

/// Returns the points of `red`: 2 for a win, 1 for a draw.
fn play<A: SearchEvaluator<Bitboard>, B: SearchEvaluator<Bitboard>>(
    game: &GameHistory<Bitboard>,
    (red, black): (A, B),
) -> u32 {
    let rules = Ruleset::default();
    let mut red = Worker::new(game.clone(), rules, red, 1);
    let mut black = Worker::new(game.clone(), rules, black, 1);
    let request = SearchRequest { soft_nodes: 600, ..SearchRequest::default() };
    while red.game().ply() < 240 {
        if let Some(verdict) = rules.judge(red.game()) {
            return match verdict.outcome {
                Outcome::Win(Side::First) => 2,
                Outcome::Draw => 1,
                Outcome::Win(Side::Second) => 0,
            };
        }
        let mv = match red.game().side_to_move() {
            Side::First => red.search_with(&request, &mut NeverStop).mv,
            Side::Second => black.search_with(&request, &mut NeverStop).mv,
        };
        let mv = mv.expect("a game that is not over has a legal move");
        red.play(mv).unwrap();
        black.play(mv).unwrap();
    }
    1
}

#[test]
#[ignore = "long: plays 4,000 games, trains a network, and plays 80 games with it"]
fn a_small_network_from_nothing_beats_material_and_places() {
    let options = SelfPlayOptions {
        nodes: 200,
        seed: 77,
        hash_mib: 1,
        evaluation: alfil_session::EvaluationChoice::Terms,
    };
    let mut generator = game_generator("xiangqi", &options).unwrap();
    let games: Vec<_> = (0..4_000).map(|number| generator.play_game(number).unwrap()).collect();
    let options = NetworkOptions {
        width: 32,
        buckets: 1,
        epochs: 15,
        batch: 4_096,
        rates: (3e-3, 1e-5),
        lambda: 0.6,
        result_fraction: 0.05,
        seed: 1,
        threads: 1,
        licence: "MIT OR Apache-2.0".into(),
        command: "a test".into(),
    };
    let mut trainer = NetworkTrainer::new("xiangqi", &games, &options).unwrap();
    while trainer.epochs_done() < options.epochs {
        trainer.train_epoch(|_| ());
    }
    let network = Arc::new(trainer.network());
    let by_network = || NetworkEval::<Xiangqi, HandcraftedEval>::with_network(network.clone());
    let mut random = SplitMix64::new(78);
    let mut points = 0;
    for _ in 0..40 {
        let mut game = GameHistory::<Bitboard>::from_start_position();
        for _ in 0..6 {
            let moves = conformance::sorted_legal_moves(game.position());
            game.play(moves[random.below(moves.len())]);
        }
        points += play(&game, (by_network(), MaterialAndPlaces::default()));
        points += 2 - play(&game, (MaterialAndPlaces::default(), by_network()));
    }
    // Of 160 points. Equal players would differ from 80 by about 16 (two standard deviations).
    assert!(points > 100, "{points} of 160 points");
}
