//! The score of two engines, as text and as JSON.

use alfil_matches::FailureKind;
use alfil_matches::game::Termination;
use alfil_matches::sprt::{Sprt, SprtResult};
use alfil_matches::stats::{Counts, MatchTally};
use serde_json::{Map, Value, json};

/// The results of the games between two engines so far.
#[derive(Clone, Debug)]
pub(crate) struct MatchScore {
    names: [String; 2],
    tally: MatchTally,
    sprt: Option<Sprt>,
    /// The losses, draws and wins of the first engine, by the side it played.
    sides: [[u64; 3]; 2],
    /// The losses of each engine, in the order of `loss_causes`.
    losses: [Vec<u64>; 2],
    /// The number of games that an earlier run has played.
    earlier_games: u64,
}

/// Returns the causes of losses that are counted separately.
fn loss_causes() -> impl Iterator<Item = Termination> {
    use Termination::{Resignation, RuleViolation, Rules, Score, Solver};
    let failures = FailureKind::ALL.map(Termination::Failure);
    [Rules, RuleViolation, Resignation, Score, Solver].into_iter().chain(failures)
}

/// Returns the number of games, and the time of this run, which has not played the earlier ones.
pub(crate) fn games_and_time(games: u64, earlier_games: u64, seconds: f64) -> String {
    let noun = if games == 1 { "game" } else { "games" };
    match earlier_games {
        0 => format!("{games} {noun} in {seconds:.0} s"),
        _ => format!("{games} {noun} (this run: {} in {seconds:.0} s)", games - earlier_games),
    }
}

/// Returns the line with the causes of an engine's losses, in the order of `loss_causes`; `None` without losses.
pub(crate) fn loss_line(name: &str, losses: &[u64]) -> Option<String> {
    let counts = loss_causes().zip(losses).filter(|(_, count)| **count > 0);
    let counts: Vec<_> = counts.map(|(cause, count)| format!("{} {count}", cause.name())).collect();
    (!counts.is_empty()).then(|| format!("{name} lost by {}", counts.join(", ")))
}

/// Rounds to a whole number, so that a small negative one is not shown as -0.
pub(super) fn to_whole(number: f64) -> f64 {
    number.round() + 0.0
}

/// Rounds to two decimals, so that a small negative number is not shown as -0.00.
fn without_negative_zero(number: f64) -> f64 {
    to_whole(number * 100.0) / 100.0
}

impl MatchScore {
    /// Creates the score of a match without games, with the sequential test that ends it.
    pub(crate) fn new(names: [String; 2], sprt: Option<Sprt>) -> MatchScore {
        let no_losses = || vec![0; loss_causes().count()];
        MatchScore {
            names,
            tally: MatchTally::default(),
            sprt,
            sides: [[0; 3]; 2],
            losses: [no_losses(), no_losses()],
            earlier_games: 0,
        }
    }

    /// Adds a game by the half points of the first engine and the termination.
    pub(crate) fn add(&mut self, number: usize, half_points: usize, termination: Termination) {
        self.tally.add_game(number, half_points);
        self.sides[number % 2][half_points] += 1;
        let loser = match half_points {
            0 => 0,
            1 => return,
            _ => 1,
        };
        if let Some(cause) = loss_causes().position(|cause| cause == termination) {
            self.losses[loser][cause] += 1;
        }
    }

    /// Adds a game of an earlier run from its row.
    pub(crate) fn add_row(&mut self, number: usize, row: &Value) -> Option<()> {
        let termination = Termination::from_name(row.get("how")?.as_str()?)?;
        let first = match row.get("result")?.as_str()? {
            "1-0" => 2,
            "0-1" => 0,
            "1/2-1/2" => 1,
            _ => return None,
        };
        self.add(number, if number.is_multiple_of(2) { first } else { 2 - first }, termination);
        self.earlier_games += 1;
        Some(())
    }

    /// Returns the number of games.
    pub(crate) fn game_count(&self) -> u64 {
        self.tally.game_count()
    }

    /// Returns the number of games that an earlier run has played.
    pub(crate) fn earlier_game_count(&self) -> u64 {
        self.earlier_games
    }

    /// Returns the numbers of finished pairs by the points of the first engine.
    pub(crate) fn pairs(&self) -> Counts<5> {
        self.tally.pairs
    }

    /// Returns the half points of both engines.
    pub(crate) fn half_points(&self) -> [u64; 2] {
        let [losses, draws, wins] = self.tally.games;
        [2 * wins + draws, 2 * losses + draws]
    }

    /// Returns the losses of an engine, in the order of `loss_causes`.
    pub(crate) fn losses(&self, engine: usize) -> &[u64] {
        &self.losses[engine]
    }

    /// Returns the number of games of unfinished pairs. They are not in the score, unless there are no other games.
    fn unpaired_game_count(&self) -> u64 {
        self.tally.game_count() - 2 * self.tally.pairs.iter().sum::<u64>()
    }

    /// Returns which games are in the score, if not all of them are.
    fn unpaired_note(&self) -> String {
        let (unpaired, pairs) = (self.unpaired_game_count(), self.tally.pairs.iter().sum::<u64>());
        if unpaired == 0 || pairs == 0 {
            return String::new();
        }
        let [pairs_noun, games_noun] = [("pair", pairs), ("game", unpaired)]
            .map(|(noun, count)| format!("{noun}{}", if count == 1 { "" } else { "s" }));
        format!("  (of {pairs} finished {pairs_noun}, without {unpaired} {games_noun})")
    }

    /// Returns whether the sequential test has decided the match.
    pub(crate) fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.result(&self.tally.pairs).is_some())
    }

    /// Returns the state of the sequential test: the log-likelihood ratio between its bounds, and the result.
    fn sprt_text(&self) -> String {
        self.sprt.map_or_else(String::new, |sprt| {
            let ([low, high], ratio) = (sprt.bounds(), sprt.log_likelihood_ratio(&self.tally.pairs));
            let ratio = without_negative_zero(ratio);
            let result = sprt.result(&self.tally.pairs);
            let result = result.map_or(String::new(), |result| format!(", {} accepted", result.name()));
            format!("  LLR {ratio:+.2} [{low:+.2}, {high:+.2}]{result}")
        })
    }

    /// Returns wins, draws, losses, the Elo estimate and the sequential test in one line.
    pub(crate) fn summary_line(&self) -> String {
        let [losses, draws, wins] = self.tally.games;
        let estimate_text = self.tally.estimate().map_or_else(String::new, |estimate| {
            let [elo, low, high] = estimate.elo().map(to_whole);
            let percent = estimate.score * 100.0;
            let note = self.unpaired_note();
            format!("  score {percent:.1} %  Elo {elo:+.0} [{low:+.0}, {high:+.0}]{note}")
        });
        format!("+{wins} ={draws} -{losses}{estimate_text}{}", self.sprt_text())
    }

    /// Returns the score in several lines.
    pub(crate) fn summary(&self, game: &str, seconds: f64) -> String {
        let [one, two] = &self.names;
        let [[first_losses, first_draws, first_wins], [second_losses, second_draws, second_wins]] =
            self.sides;
        let pairs = self.tally.pairs.map(|count| count.to_string()).join(" ");
        let games = games_and_time(self.game_count(), self.earlier_games, seconds);
        let mut lines = vec![
            format!("{one} against {two}: {game}, {games}"),
            format!("game pairs by points of {one}, 0 to 2: {pairs}"),
            format!(
                "{one} as first side +{first_wins} ={first_draws} -{first_losses}, as second +{second_wins} ={second_draws} -{second_losses}"
            ),
        ];
        lines
            .extend(self.names.iter().zip(&self.losses).filter_map(|(name, losses)| loss_line(name, losses)));
        // The progress bar shows the last line.
        lines.push(self.summary_line());
        lines.join("\n")
    }

    /// Returns the score as JSON. An unbounded Elo value is null.
    pub(crate) fn to_json(&self, game: &str, seconds: f64, is_interrupted: bool) -> Value {
        let round_finite =
            |value: f64| if value.is_finite() { json!((value * 10.0).round() / 10.0) } else { Value::Null };
        let estimate = self.tally.estimate();
        let elo = estimate.map_or([f64::NAN; 3], |estimate| estimate.elo());
        let losses = self.losses.each_ref().map(|losses| {
            loss_causes()
                .zip(losses)
                .map(|(cause, &count)| (cause.name().to_owned(), json!(count)))
                .collect::<Map<_, _>>()
        });
        let [lost, drawn, won] = self.tally.games;
        let side = |[losses, draws, wins]: [u64; 3]| json!({"wins": wins, "draws": draws, "losses": losses});
        let mut object = json!({
            "game": game, "engines": self.names, "games": self.tally.game_count(), "wins": won, "draws": drawn,
            "losses": lost, "as_first": side(self.sides[0]), "as_second": side(self.sides[1]),
            "pentanomial": self.tally.pairs, "unpaired_games": self.unpaired_game_count(), "score": estimate.map(|estimate| estimate.score),
            "elo": round_finite(elo[0]), "elo_low": round_finite(elo[1]), "elo_high": round_finite(elo[2]),
            "lost_by": losses, "seconds": seconds, "sprt": self.sprt_json(),
        });
        if is_interrupted {
            object["interrupted"] = json!(true);
        }
        object
    }

    /// Returns the sequential test as JSON; null if there is none.
    fn sprt_json(&self) -> Value {
        self.sprt.map_or(Value::Null, |sprt| {
            let [low, high] = sprt.bounds();
            json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                "llr": sprt.log_likelihood_ratio(&self.tally.pairs), "low": low, "high": high,
                "accepted": sprt.result(&self.tally.pairs).map(SprtResult::name),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_negative_sign() {
        let shown = [-0.001, 0.001, -0.006].map(|number| format!("{:+.2}", without_negative_zero(number)));
        assert_eq!(shown, ["+0.00", "+0.00", "-0.01"]);
        assert_eq!([-0.35, 0.5, -0.6].map(|number| format!("{:+.0}", to_whole(number))), ["+0", "+1", "-1"]);
    }

    #[test]
    fn the_summary_says_which_games_are_in_the_score() {
        let mut score = MatchScore::new(["a".into(), "b".into()], None);
        score.add(0, 2, Termination::Rules);
        assert!(score.summary_line().starts_with("+1 =0 -0  score 100.0 %"), "{}", score.summary_line());
        assert!(score.unpaired_note().is_empty(), "without a finished pair, the score is that of the games");
        score.add(1, 0, Termination::Rules);
        assert!(score.unpaired_note().is_empty());
        score.add(2, 0, Termination::Rules);
        let line = score.summary_line();
        assert!(
            line.starts_with("+1 =0 -2  score 50.0 %")
                && line.ends_with("  (of 1 finished pair, without 1 game)"),
            "{line}"
        );
        assert_eq!(score.to_json("chess", 1.0, true)["unpaired_games"], 1);
    }
}
