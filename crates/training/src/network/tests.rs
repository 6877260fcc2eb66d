//! Tests of training on real games.

use super::*;
use crate::EvaluationChoice;
use crate::{SelfPlayOptions, game_generator};

fn games(game: &str, count: u32) -> Vec<GameData> {
    let options = SelfPlayOptions { nodes: 40, seed: 9, hash_mib: 1, evaluation: EvaluationChoice::Terms };
    let mut generator = game_generator(game, &options).unwrap();
    (0..count).map(|number| generator.play_game(number).unwrap()).collect()
}

fn options(threads: usize) -> NetworkOptions {
    NetworkOptions {
        width: 16,
        buckets: 4,
        epochs: 4,
        batch: 512,
        rates: (5e-3, 1e-4),
        lambda: 0.6,
        result_fraction: 0.05,
        seed: 2,
        threads,
        licence: "MIT OR Apache-2.0".into(),
        command: "train".into(),
    }
}

fn train_epochs(trainer: &mut NetworkTrainer, count: usize) {
    for _ in 0..count {
        trainer.train_epoch(|_| ());
    }
}

#[test]
fn a_network_depends_on_the_seed_but_not_on_threads_and_training_lowers_the_loss() {
    for game in ["chess", "xiangqi"] {
        let games = games(game, 40);
        let train = |options: &NetworkOptions| {
            let mut trainer = NetworkTrainer::new(game, &games, options).unwrap();
            let reports: Vec<_> = (0..options.epochs).map(|_| trainer.train_epoch(|_| ())).collect();
            (trainer.network().to_bytes(), reports)
        };
        let (bytes, reports) = train(&options(1));
        assert_eq!((&bytes, &reports), (&train(&options(3)).0, &train(&options(3)).1), "{game}");
        assert_ne!(bytes, train(&NetworkOptions { seed: 3, ..options(1) }).0, "{game}");
        let (first, last) = (reports[0], reports[3]);
        assert!(last.training_loss < 0.8 * first.training_loss, "{game}: {reports:?}");
        assert!((0.0..0.3).contains(&last.held_out_loss), "{game}: {reports:?}");
    }
}

#[test]
fn an_interrupted_training_gives_the_same_network() {
    let games = games("chess", 20);
    let new = || NetworkTrainer::new("chess", &games, &options(1)).unwrap();
    let mut whole = new();
    train_epochs(&mut whole, 4);
    let mut part = new();
    train_epochs(&mut part, 2);
    let state = part.state();
    let mut rest = new();
    rest.restore(&state).unwrap();
    assert_eq!(rest.epochs_done(), 2);
    train_epochs(&mut rest, 2);
    assert_eq!(rest.network(), whole.network());
    for length in [0, 10, state.len() - 1] {
        assert!(new().restore(&state[..length]).is_err());
    }
    let mut damaged = state.clone();
    damaged[100] ^= 1;
    assert!(new().restore(&damaged).is_err());
    let mut other = NetworkTrainer::new("chess", &games, &NetworkOptions { seed: 8, ..options(1) }).unwrap();
    assert!(other.restore(&state).unwrap_err().to_string().contains("other options"));
    // The command holds the checksum of the games.
    let other_games = NetworkOptions { command: "train on other games".into(), ..options(1) };
    let mut other = NetworkTrainer::new("chess", &games, &other_games).unwrap();
    assert!(other.restore(&state).unwrap_err().to_string().contains("other options or data"));
}

/// The training uses the weights that the network has, so only the rounding to whole centipawns is left.
#[test]
fn the_scores_of_the_network_are_those_of_the_training() {
    let mut trainer = NetworkTrainer::new("xiangqi", &games("xiangqi", 20), &options(1)).unwrap();
    train_epochs(&mut trainer, 4);
    let error = trainer.quantisation_error(&trainer.network());
    assert!(error.positions > 20 && error.mean > 0.0 && error.mean < 1.0 && error.max < 2.5, "{error:?}");
}

/// Searches with the same weights must see the same scores as training did.
#[test]
fn games_are_played_by_a_network_and_its_evaluation_is_that_of_training() {
    use alfil_evaluation::NetworkEval;
    use alfil_kernel::{Evaluator as _, GameHistory};
    type Board = alfil_chess::Bitboard;
    let games = games("chess", 20);
    let mut trainer = NetworkTrainer::new("chess", &games, &options(1)).unwrap();
    train_epochs(&mut trainer, 2);
    let network = trainer.network();
    let mut eval = NetworkEval::<alfil_chess::Chess, alfil_evaluation::chess::HandcraftedEval>::with_network(
        std::sync::Arc::new(network.clone()),
    );
    let mut scores = Vec::new();
    crate::replay::replay::<Board>(&games[0], |history: &GameHistory<Board>, _, _| {
        eval.reset(history.position());
        scores.push(eval.score(history.position()).value());
    })
    .unwrap();
    let data = Dataset::from_games::<Board>(&games[..1], ScoreLabels { lambda: 0.6, score_scale: 250.0 }, 1)
        .unwrap();
    let terms = dataset::terms_scores::<Board>(&games[..1], 1).unwrap();
    assert_eq!(terms.len(), data.records.len());
    // Labels by searches with the terms fit their static scores better than those of a network of two epochs.
    let terms_loss = trainer.terms_loss();
    assert!(0.0 < terms_loss && terms_loss < trainer.held_out_loss(), "{terms_loss}");
    assert!(data.records.len() > 10 && data.records.iter().any(|record| record.views[0] & 1 == 1));
    // The positions for training are some of the game, in its order.
    let (mut scores, mut accumulators) = (scores.into_iter(), Accumulators::new(&network));
    for record in &data.records {
        accumulators.reset(&network);
        let (views, placements) = (record.views.map(usize::from), data.placements(record));
        let score = accumulators
            .evaluate(&network, trainer.features, views, placements.len(), || placements.iter().copied());
        assert!(scores.any(|other| other == score), "{score} is not the score of a later position");
    }
    let by_network = SelfPlayOptions {
        nodes: 40,
        seed: 9,
        hash_mib: 1,
        evaluation: EvaluationChoice::Network(network.to_bytes().into()),
    };
    let game = game_generator("chess", &by_network).unwrap().play_game(0).unwrap();
    assert_eq!(crate::check_game(&game), Ok(()));
    assert_ne!(game.plies, games[0].plies);
    assert!(
        game_generator("xiangqi", &by_network).is_err() && game_generator("othello", &by_network).is_err()
    );
}

#[test]
fn training_without_games_or_networks_is_refused() {
    assert_eq!(
        NetworkTrainer::new("chess", &[], &options(1)).unwrap_err(),
        TrainingError::TooFewGames { games: 0 }
    );
    let error = NetworkTrainer::new("othello", &[], &options(1)).unwrap_err();
    assert_eq!(error.to_string(), "othello has no evaluation networks");
    let error = NetworkTrainer::new("chess", &[], &NetworkOptions { width: 48, ..options(1) }).unwrap_err();
    assert_eq!(error, TrainingError::Width(48));
    let error = NetworkTrainer::new("chess", &[], &NetworkOptions { batch: 0, ..options(1) }).unwrap_err();
    assert_eq!(error.to_string(), "a batch of 0 positions: expected at least 1");
    let licence = "a licence of more than 24 bytes".to_owned();
    let error = NetworkTrainer::new("chess", &[], &NetworkOptions { licence, ..options(1) }).unwrap_err();
    assert!(error.to_string().starts_with("the network: the licence"), "{error}");
}
