//! Tests of self-play, check and fit over all games.

use super::*;
use crate::game_data::{Ending, NO_SCORE};
use alfil_evaluation::othello::{PHASES, PatternFeatures, PatternWeights};

fn play(game: &str, options: &SelfPlayOptions, numbers: impl IntoIterator<Item = u32>) -> Vec<GameData> {
    let mut generator = game_generator(game, options).unwrap();
    numbers.into_iter().map(|number| generator.play_game(number).unwrap()).collect()
}

#[test]
fn a_game_depends_on_seed_and_number_but_not_on_the_games_before_it() {
    for game in game_data::GAME_NAMES {
        let options =
            SelfPlayOptions { nodes: 60, seed: 3, hash_mib: 1, evaluation: EvaluationChoice::Terms };
        let games = play(game, &options, 0..4);
        let mut reversed = play(game, &options, (0..4).rev());
        reversed.reverse();
        assert_eq!(games, reversed, "{game}");
        assert_ne!(games[0].plies, games[1].plies, "{game}");
        assert_ne!(play(game, &SelfPlayOptions { seed: 4, ..options }, 0..1)[0].plies, games[0].plies);
    }
}

#[test]
fn played_games_pass_the_check_and_changed_ones_do_not() {
    for game in game_data::GAME_NAMES {
        let games = play(
            game,
            &SelfPlayOptions { nodes: 100, seed: 5, hash_mib: 1, evaluation: EvaluationChoice::Terms },
            0..6,
        );
        for game in &games {
            assert_eq!(check_game(game), Ok(()), "{game:?}");
            let random = usize::from(game.random_plies);
            assert!(game.plies.len() > random && game.plies[random - 1].score == NO_SCORE);
            let other_result =
                GameData { result: (game.result + 1) % 3, ending: Ending::Rules, ..game.clone() };
            assert!(matches!(check_game(&other_result), Err(ReplayError::Result { .. })));
            let mut illegal = game.clone();
            illegal.plies[random].move_bits = illegal.plies[random + 1].move_bits;
            assert!(check_game(&illegal).is_err());
            let mut unscored = game.clone();
            unscored.plies[random].score = NO_SCORE;
            assert_eq!(check_game(&unscored), Err(ReplayError::Score(random)));
            let mut no_move = game.clone();
            no_move.plies[0].move_bits = 0;
            assert_eq!(check_game(&no_move), Err(ReplayError::NotAMove { ply: 0, bits: 0 }));
        }
    }
}

#[test]
fn games_of_othello_end_with_exact_scores_that_their_margin_confirms() {
    for game in play(
        "othello",
        &SelfPlayOptions { nodes: 60, seed: 6, hash_mib: 1, evaluation: EvaluationChoice::Terms },
        0..3,
    ) {
        let exact = usize::from(game.exact_from);
        assert!(game.plies.len() - exact >= 12, "{game:?}");
        let scores: Vec<_> = game.plies[exact..].iter().map(|ply| ply.score.abs()).collect();
        assert!(scores.iter().all(|&score| score == 100 * game.margin.abs()), "{game:?}");
    }
}

/// With such weights self-play once tried openings forever.
#[test]
fn scores_that_are_far_from_0_in_every_opening_are_an_error() {
    let rows = vec![vec![100; PatternFeatures::new().weight_count()]; PHASES];
    let bytes = PatternWeights::new(&rows, "", "").to_bytes();
    let options = SelfPlayOptions {
        nodes: 40,
        seed: 3,
        hash_mib: 1,
        evaluation: EvaluationChoice::Network(bytes.into()),
    };
    let error = game_generator("othello", &options).unwrap().play_game(4).unwrap_err();
    assert_eq!(error, TrainingError::NoOpening { number: 4, openings: 1_000, max_score: 2_000 });
}

#[test]
fn weights_depend_on_the_seed_but_not_on_threads() {
    for game in game_data::GAME_NAMES {
        let games = play(
            game,
            &SelfPlayOptions { nodes: 60, seed: 3, hash_mib: 1, evaluation: EvaluationChoice::Terms },
            0..12,
        );
        let [one, three] =
            [1, 3].map(|threads| fit(game, &games, &FitOptions { epochs: 2, seed: 3, threads }).unwrap());
        assert_eq!(one, three, "{game}");
        assert!(one.changed_count > 20 && one.changed_count <= one.parameter_count, "{game}: {one:?}");
        assert!(one.source.contains("static WEIGHTS: Weights = Weights {"));
    }
    let options = FitOptions { epochs: 1, seed: 1, threads: 1 };
    assert_eq!(fit("chess", &[], &options), Err(TrainingError::TooFewGames { games: 0 }));
    let games = play(
        "othello",
        &SelfPlayOptions { nodes: 1, seed: 3, hash_mib: 1, evaluation: EvaluationChoice::Terms },
        0..1,
    );
    let error = fit("chess", &games, &options).unwrap_err();
    assert_eq!(error.to_string(), "game 0 is a game of othello, not of chess");
    assert!(
        game_generator(
            "go",
            &SelfPlayOptions { nodes: 1, seed: 1, hash_mib: 1, evaluation: EvaluationChoice::Terms }
        )
        .is_err()
    );
}
