//! The score of a match with any number of engines: of two, their score; of more, a table of ratings and a crosstable.

use alfil_matches::game::MatchGame;
use alfil_matches::ratings::{PairingResult, Rating, ratings};
use alfil_matches::sprt::Sprt;
use ratatui::text::Span;
use serde_json::{Value, json};

use super::match_score::{MatchScore, games_and_time, loss_line, to_whole};
use crate::output::pad_to_columns;

/// The results of the games so far, by pairing.
#[derive(Clone, Debug)]
pub(crate) struct TournamentScore {
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    scores: Vec<MatchScore>,
}

/// An engine in the table.
struct Standing {
    engine: usize,
    /// The rating; `None` without a finished pair.
    rating: Option<Rating>,
    games: u64,
    half_points: u64,
}

impl TournamentScore {
    /// Creates the score of engines that meet in these pairings. The sequential test is for a single pairing.
    pub(crate) fn new(names: Vec<String>, pairings: Vec<[usize; 2]>, sprt: Option<Sprt>) -> TournamentScore {
        let new_score =
            |pairing: &[usize; 2]| MatchScore::new(pairing.map(|engine| names[engine].clone()), sprt);
        let scores = pairings.iter().map(new_score).collect();
        TournamentScore { names, pairings, scores }
    }

    /// Returns the names of the engines.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the score of the pairing of a game.
    fn score_mut(&mut self, number: usize) -> &mut MatchScore {
        let pairing = number / 2 % self.scores.len();
        &mut self.scores[pairing]
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, played: &MatchGame) {
        self.score_mut(played.number).add(played.number, played.half_points(), played.termination);
    }

    /// Adds a game of an earlier run from its row. Returns `None` if it is not a row of this match.
    pub(crate) fn add_row(&mut self, number: usize, row: &Value) -> Option<()> {
        self.score_mut(number).add_row(number, row)
    }

    /// Returns whether the sequential test has decided the match.
    pub(crate) fn is_decided(&self) -> bool {
        self.scores.iter().any(MatchScore::is_decided)
    }

    fn game_count(&self) -> u64 {
        self.scores.iter().map(MatchScore::game_count).sum()
    }

    /// Returns the engines by rating, the best first.
    fn standings(&self) -> Vec<Standing> {
        let results = self.pairings.iter().zip(&self.scores);
        let results: Vec<_> =
            results.map(|(&engines, score)| PairingResult { engines, pairs: score.pairs() }).collect();
        let rated = ratings(self.names.len(), &results);
        let mut standings: Vec<_> = rated
            .into_iter()
            .enumerate()
            .map(|(engine, rating)| Standing { engine, rating: Some(rating), games: 0, half_points: 0 })
            .collect();
        let mut pairs = vec![0; self.names.len()];
        for (engines, score) in self.pairings.iter().zip(&self.scores) {
            for (engine, half_points) in engines.iter().zip(score.half_points()) {
                standings[*engine].games += score.game_count();
                standings[*engine].half_points += half_points;
                pairs[*engine] += score.pairs().iter().sum::<u64>();
            }
        }
        for standing in &mut standings {
            standing.rating = standing.rating.filter(|_| pairs[standing.engine] > 0);
        }
        let elo = |standing: &Standing| standing.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
        standings.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        standings
    }

    /// Returns the half points of an engine against another one, and their games; `None` if they do not meet.
    fn result_against(&self, engine: usize, other: usize) -> Option<(u64, u64)> {
        let at = self
            .pairings
            .iter()
            .position(|pairing| *pairing == [engine, other] || *pairing == [other, engine])?;
        let score = &self.scores[at];
        Some((score.half_points()[usize::from(self.pairings[at][0] != engine)], score.game_count()))
    }

    /// Returns the score in one line.
    pub(crate) fn summary_line(&self) -> String {
        if let [score] = &self.scores[..] {
            return score.summary_line();
        }
        let ranked = self.standings().into_iter().map(|standing| {
            let elo = standing.rating.map_or_else(String::new, |rating| format!(" {:+.0}", rating.elo));
            self.names[standing.engine].clone() + &elo
        });
        ranked.collect::<Vec<_>>().join(", ")
    }

    /// Returns the score in several lines.
    pub(crate) fn summary(&self, game: &str, seconds: f64) -> String {
        if let [score] = &self.scores[..] {
            return score.summary(game, seconds);
        }
        let standings = self.standings();
        let width = self.names.iter().map(|name| Span::raw(name).width()).max().unwrap_or(0).max(6);
        let engines = self.names.len();
        let earlier_games = self.scores.iter().map(MatchScore::earlier_game_count).sum();
        let games = games_and_time(self.game_count(), earlier_games, seconds);
        let mut lines = vec![
            format!("{game}: {engines} engines, {games}"),
            format!("rank {:width$}    Elo   +/-  games  points    score", "engine"),
        ];
        for (rank, Standing { engine, rating, games, half_points }) in (1..).zip(&standings) {
            let rating = match rating {
                Some(Rating { elo, error }) => format!("{:+6.0} {error:5.0}", to_whole(*elo)),
                None => format!("{:>6} {:>5}", "-", "-"),
            };
            let points = *half_points as f64 / 2.0;
            let percent = 100.0 * points / (*games).max(1) as f64;
            let name = pad_to_columns(&self.names[*engine], width);
            lines.push(format!("{rank:4} {name} {rating} {games:6} {points:7.1}  {percent:5.1} %"));
        }
        lines.push("points of the engine of the row against the engine of the column:".into());
        let ranks: String = (1..=engines).map(|rank| format!("{rank:>14}")).collect();
        lines.push(format!("     {:width$}{ranks}", ""));
        for (rank, row) in (1..).zip(&standings) {
            let cell = |column: &Standing| match self.result_against(row.engine, column.engine) {
                Some((half_points, games)) => format!("{:.1} of {games}", half_points as f64 / 2.0),
                None => "-".into(),
            };
            let cells: String = standings.iter().map(|column| format!("{:>14}", cell(column))).collect();
            lines.push(format!("{rank:4} {}{cells}", pad_to_columns(&self.names[row.engine], width)));
        }
        for (engine, name) in self.names.iter().enumerate() {
            let results = self.pairings.iter().zip(&self.scores);
            let mut sum = Vec::new();
            for (pairing, score) in results {
                let Some(member) = pairing.iter().position(|&member| member == engine) else { continue };
                let losses = score.losses(member);
                sum.resize(losses.len(), 0);
                sum.iter_mut().zip(losses).for_each(|(sum, count)| *sum += count);
            }
            lines.extend(loss_line(name, &sum));
        }
        lines.push(self.summary_line());
        lines.join("\n")
    }

    /// Returns the score as JSON: of two engines their score, of more the table and the score of each pairing.
    pub(crate) fn to_json(&self, game: &str, seconds: f64, is_interrupted: bool) -> Value {
        if let [score] = &self.scores[..] {
            return score.to_json(game, seconds, is_interrupted);
        }
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        let standings =
            self.standings().into_iter().map(|Standing { engine, rating, games, half_points }| {
                json!({
                    "engine": self.names[engine], "elo": rating.map(|rating| rounded(rating.elo)),
                    "error": rating.map(|rating| rounded(rating.error)), "games": games,
                    "points": half_points as f64 / 2.0,
                })
            });
        let pairings = self.scores.iter().map(|score| score.to_json(game, seconds, is_interrupted));
        let mut object = json!({
            "game": game, "engines": self.names, "games": self.game_count(),
            "ratings": standings.collect::<Vec<_>>(), "pairings": pairings.collect::<Vec<_>>(), "seconds": seconds,
        });
        if is_interrupted {
            object["interrupted"] = json!(true);
        }
        object
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a round robin of three engines, in which the first wins all, the second beats the third once and draws
    /// once.
    fn score() -> TournamentScore {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut score = TournamentScore::new(names, alfil_matches::round_robin(3), None);
        let rows = ["1-0", "0-1", "1-0", "0-1", "1-0", "1/2-1/2", "1-0"];
        for (number, result) in rows.into_iter().enumerate() {
            score.add_row(number, &json!({"how": "board", "result": result})).unwrap();
        }
        score
    }

    #[test]
    fn a_tournament_has_a_table_and_a_crosstable() {
        let text = score().summary("chess", 3.2);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "chess: 3 engines, 7 games (this run: 0 in 3 s)");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let row = words(lines[2]);
        assert_eq!((&row[..2], &row[4..]), (&words("1 a")[..], &words("5 5.0 100.0 %")[..]), "{text}");
        assert_eq!(words(lines[7]), words("1 a - 3.0 of 3 2.0 of 2"), "{text}");
        assert_eq!(words(lines[8]), words("2 b 0.0 of 3 - 1.5 of 2"), "{text}");
        assert_eq!(words(lines[9]), words("3 c 0.0 of 2 0.5 of 2 -"), "{text}");
        assert!(text.contains("\nb lost by board 3\nc lost by board 3\n"), "{text}");
        assert!(lines.last().unwrap().starts_with("a +"), "{text}");
    }

    #[test]
    fn the_table_as_json_has_the_score_of_each_pairing() {
        let json = score().to_json("chess", 1.0, true);
        assert_eq!(json["ratings"][0]["engine"], "a");
        assert_eq!(json["pairings"][0]["pentanomial"], json!([0, 0, 0, 0, 1]));
        assert_eq!(json["pairings"][0]["unpaired_games"], 1);
        assert_eq!(json["pairings"][2]["wins"], 1);
        assert_eq!(json["interrupted"], true);
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let empty = TournamentScore::new(names, alfil_matches::gauntlet(3), None);
        assert_eq!(empty.to_json("chess", 1.0, false)["ratings"][0]["elo"], Value::Null);
        let text = empty.summary("chess", 1.0);
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0].join(" "), "chess: 3 engines, 0 games in 1 s");
        assert_eq!(lines[2], ["1", "a", "-", "-", "0", "0.0", "0.0", "%"]);
    }
}
