//! The blind trial of the accuracy: 60 games of each game, by players of twelve strengths, are ordered by the accuracy
//! alone. docs/inside/review.md has the table that it prints.

use std::fs;
use std::path::Path;

use super::analyse::{json, path_in};
use super::expect_ok;

/// The number of games of each strength.
const GAMES: usize = 5;
/// The strengths: random moves, the levels 1 to 10, and full strength.
const STRENGTHS: usize = 12;

/// The trial of a game.
struct Trial {
    game: &'static str,
    /// The nodes with which each position is analysed.
    nodes: &'static str,
    /// The plies of random games; the players only play what is left.
    random_plies: &'static str,
    /// The median of the random games is below this accuracy.
    max_random: f64,
}

/// Plays games of two equal players; returns different ones as PGN.
fn play(folder: &Path, trial: &Trial, strength: usize) -> String {
    let pgn = path_in(folder, &format!("{strength}.pgn"));
    let engine = match strength {
        0 => "nodes=1".to_owned(),
        11 => "nodes=100000".to_owned(),
        10 => "level=10 nodes=20000".to_owned(),
        level => format!("level={level} nodes=20000"),
    };
    let [first, second] = ["a", "b"].map(|name| format!("name={name} hash=4 {engine}"));
    let (plies, balance) = if strength == 0 { (trial.random_plies, "0..100000") } else { ("4", "0..80") };
    let (seed, games) = ((77 + strength).to_string(), (2 * GAMES).to_string());
    expect_ok(&[
        "match",
        trial.game,
        "--games",
        &games,
        "--engine",
        &first,
        "--engine",
        &second,
        "--plies",
        plies,
        "--balance",
        balance,
        "--max-plies",
        "100",
        "--seed",
        &seed,
        "--no-comments",
        "--pgn",
        &pgn,
        "--force",
    ]);
    // Both games from an opening may be the same.
    let text = fs::read_to_string(pgn).unwrap();
    let mut games: Vec<(&str, &str)> = Vec::new();
    for game in text.split("[Event ").filter_map(|game| game.split_once("\n\n")) {
        // The next game may begin with another tag.
        let game = (game.0, game.1.split("\n\n").next().unwrap());
        if games.iter().all(|(_, moves)| *moves != game.1) && games.len() < GAMES {
            games.push(game);
        }
    }
    games.iter().map(|(tags, moves)| format!("[Event {tags}\n\n{moves}")).collect()
}

/// Returns the accuracies of the games of a strength: the means of both sides.
fn accuracies(folder: &Path, trial: &Trial, strength: usize) -> Vec<f64> {
    let games = path_in(folder, &format!("games-{strength}.pgn"));
    fs::write(&games, play(folder, trial, strength)).unwrap();
    let out = path_in(folder, &format!("analysis-{strength}"));
    expect_ok(&[
        "analyse",
        &games,
        "--game",
        trial.game,
        "-o",
        &out,
        "--nodes",
        trial.nodes,
        "--threads",
        "2",
        "--format",
        "jsonl",
    ]);
    let rows = fs::read_to_string(Path::new(&out).join(format!("{}-games.jsonl", trial.game))).unwrap();
    let accuracy = |row: &str| {
        let row = json(row);
        assert_eq!(row["accuracy_version"], 2);
        ["first_accuracy", "second_accuracy"].map(|side| row[side].as_f64().unwrap()).iter().sum::<f64>()
            / 2.0
    };
    rows.lines().map(accuracy).collect()
}

/// Returns the ranks of values; equal ones share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let count =
        |is_before: &dyn Fn(f64) -> bool| values.iter().filter(|&&other| is_before(other)).count() as f64;
    let rank = |&value: &f64| count(&|other| other < value) + (count(&|other| other == value) - 1.0) / 2.0;
    values.iter().map(rank).collect()
}

/// Returns Spearman's rank correlation.
fn spearman(first: &[f64], second: &[f64]) -> f64 {
    let [first, second] = [first, second].map(|values| {
        let ranks = ranks(values);
        let mean = ranks.iter().sum::<f64>() / ranks.len() as f64;
        ranks.into_iter().map(|rank| rank - mean).collect::<Vec<_>>()
    });
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(&first, &second) / (product(&first, &first) * product(&second, &second)).sqrt()
}

/// Returns the medians of the games of random moves, of the levels 1 and 2, 3 and 4 and so on, and of full strength.
fn pair_medians(figures: &[f64]) -> Vec<f64> {
    let (random, others) = figures.split_at(GAMES);
    let (levels, full) = others.split_at(10 * GAMES);
    let median = |figures: &[f64]| {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
    };
    std::iter::once(random).chain(levels.chunks(2 * GAMES)).chain([full]).map(median).collect()
}

fn check(trial: &Trial) {
    let folder = tempfile::tempdir().unwrap();
    let (mut strengths, mut figures, mut medians) = (Vec::new(), Vec::new(), Vec::new());
    for strength in 0..STRENGTHS {
        let mut found = accuracies(folder.path(), trial, strength);
        assert_eq!(found.len(), GAMES);
        found.sort_by(f64::total_cmp);
        medians.push(found[GAMES / 2]);
        strengths.extend([strength as f64; GAMES]);
        figures.extend(found);
    }
    let correlation = spearman(&strengths, &figures);
    let cells: Vec<String> = medians.iter().map(|median| format!("{median:.1}")).collect();
    println!("| {} | {} | {correlation:.2} |", trial.game, cells.join(" | "));
    assert!(correlation >= 0.85, "{correlation}");
    assert!(medians[0] < trial.max_random, "{medians:?}");
    // Of five games the medians of neighbouring levels are not always in order; those of pairs of levels are.
    assert!(pair_medians(&figures).is_sorted(), "{figures:?}");
}

#[test]
#[ignore = "long: plays and analyses 60 games"]
fn the_accuracy_of_chess_orders_players_by_strength() {
    check(&Trial { game: "chess", nodes: "20000", random_plies: "99", max_random: 45.0 });
}

#[test]
#[ignore = "long: plays and analyses 60 games"]
fn the_accuracy_of_xiangqi_orders_players_by_strength() {
    check(&Trial { game: "xiangqi", nodes: "20000", random_plies: "99", max_random: 50.0 });
}

#[test]
#[ignore = "long: plays and analyses 60 games"]
fn the_accuracy_of_othello_orders_players_by_strength() {
    check(&Trial { game: "othello", nodes: "60000", random_plies: "57", max_random: 50.0 });
}
