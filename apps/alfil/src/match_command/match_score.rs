//! The score of a match, as text and as JSON.

use std::time::SystemTime;

use alfil_kernel::{Outcome, Side};
use alfil_matches::game::{PlayedGame, Termination};
use alfil_matches::sprt::{Sprt, SprtResult};
use alfil_matches::stats::MatchTally;
use alfil_matches::{ChosenMove, FailureKind};
use serde_json::{Map, Value, json};

/// The causes of losses that are counted separately.
const LOSS_CAUSES: [Termination; 9] = [
    Termination::Board,
    Termination::RuleViolation,
    Termination::Resignation,
    Termination::Score,
    Termination::Solver,
    Termination::Failure(FailureKind::Time),
    Termination::Failure(FailureKind::Illegal),
    Termination::Failure(FailureKind::Dispute),
    Termination::Failure(FailureKind::Crash),
];

/// Formats the UTC date in PGN style: `2026.11.21`. The algorithm is `civil_from_days` of H. Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that a leap day is the last of its year.
fn pgn_date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    // Days since 1 March of year 0, in eras of 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The results of the games so far.
#[derive(Clone, Debug)]
pub(crate) struct MatchScore {
    names: [String; 2],
    tally: MatchTally,
    sprt: Option<Sprt>,
    /// The losses, draws and wins of the first engine, by the side it played.
    sides: [[u64; 3]; 2],
    /// The losses of each engine, in the order of `loss_causes`.
    losses: [Vec<u64>; 2],
}

fn loss_causes() -> impl Iterator<Item = Termination> {
    LOSS_CAUSES.into_iter().chain([Termination::Failure(FailureKind::Hang)])
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
        }
    }

    /// Adds a game by the half points of the first side and the termination.
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

    /// Adds a game from its row.
    pub(crate) fn add_row(&mut self, number: usize, row: &Value) -> Option<()> {
        let termination = Termination::from_name(row.get("how")?.as_str()?)?;
        let first = match row.get("result")?.as_str()? {
            "1-0" => 2,
            "0-1" => 0,
            "1/2-1/2" => 1,
            _ => return None,
        };
        self.add(number, if number.is_multiple_of(2) { first } else { 2 - first }, termination);
        Some(())
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
            let result = sprt.result(&self.tally.pairs);
            let result = result.map_or(String::new(), |result| format!(", {} accepted", result.name()));
            format!("  LLR {ratio:+.2} [{low:+.2}, {high:+.2}]{result}")
        })
    }

    /// Returns wins, draws, losses, the Elo estimate and the sequential test in one line.
    pub(crate) fn summary_line(&self) -> String {
        let [losses, draws, wins] = self.tally.games;
        let estimate_text = self.tally.estimate().map_or_else(String::new, |estimate| {
            let [elo, low, high] = estimate.elo();
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
        let mut lines = vec![
            format!("{one} against {two}: {game}, {} games in {seconds:.0} s", self.tally.game_count()),
            format!("game pairs by points of {one}, 0 to 2: {pairs}"),
            format!(
                "{one} as first side +{first_wins} ={first_draws} -{first_losses}, as second +{second_wins} ={second_draws} -{second_losses}"
            ),
        ];
        for (name, losses) in self.names.iter().zip(&self.losses) {
            let cause_counts: Vec<_> = loss_causes().zip(losses).filter(|(_, count)| **count > 0).collect();
            if !cause_counts.is_empty() {
                let cause_counts: Vec<_> =
                    cause_counts.iter().map(|(cause, count)| format!("{} {count}", cause.name())).collect();
                lines.push(format!("{name} lost by {}", cause_counts.join(", ")));
            }
        }
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

    /// Returns a game as JSON: its moves, its result and what the engines reported for each move.
    pub(crate) fn game_row(&self, game: &str, played: &PlayedGame) -> Value {
        let name = |side| &self.names[played.engine_of_side(side)];
        let (result, winner) = match played.outcome {
            Outcome::Win(Side::First) => ("1-0", Some(name(Side::First))),
            Outcome::Win(Side::Second) => ("0-1", Some(name(Side::Second))),
            Outcome::Draw => ("1/2-1/2", None),
        };
        let column = |of: fn(&ChosenMove) -> Value| played.moves.iter().map(of).collect::<Vec<_>>();
        let mut row = json!({
            "number": played.number + 1, "pair": played.number / 2 + 1, "game": game, "date": pgn_date(SystemTime::now()),
            "first": name(Side::First), "second": name(Side::Second), "result": result, "winner": winner,
            "how": played.termination.name(), "cause": played.cause, "words": played.message,
            "start": played.opening.start.as_deref().unwrap_or("startpos"), "opening": played.opening.moves,
            "moves": column(|mv| json!(mv.text)), "scores": column(|mv| json!(mv.score)),
            "depths": column(|mv| json!(mv.depth)), "nodes": column(|mv| json!(mv.nodes)),
            "millis": column(|mv| json!(mv.elapsed.as_millis() as u64)),
        });
        if played.moves.iter().any(|mv| mv.remaining.is_some()) {
            row["left"] = json!(column(|mv| json!(mv.remaining.map(|left| left.as_millis() as u64))));
        }
        if !played.log.is_empty() {
            row["log"] = json!(played.log);
        }
        row
    }

    /// Returns a game in one line, followed by the last log lines of an engine that failed.
    pub(crate) fn game_line(&self, played: &PlayedGame, row: &Value) -> String {
        let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let plies = played.opening.moves.len() + played.moves.len();
        let mut line = format!(
            "game {}: {} - {} {} in {plies} plies, {}: {}",
            played.number + 1,
            text("first"),
            text("second"),
            text("result"),
            played.termination.name(),
            played.message
        );
        for log_line in played.log.iter().rev().take(8).rev() {
            line += &format!("\n    {log_line}");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_summary_says_which_games_are_in_the_score() {
        let mut score = MatchScore::new(["a".into(), "b".into()], None);
        score.add(0, 2, Termination::Board);
        assert!(score.summary_line().starts_with("+1 =0 -0  score 100.0 %"), "{}", score.summary_line());
        assert!(score.unpaired_note().is_empty(), "without a finished pair, the score is that of the games");
        score.add(1, 0, Termination::Board);
        assert!(score.unpaired_note().is_empty());
        score.add(2, 0, Termination::Board);
        let line = score.summary_line();
        assert!(
            line.starts_with("+1 =0 -2  score 50.0 %")
                && line.ends_with("  (of 1 finished pair, without 1 game)"),
            "{line}"
        );
        assert_eq!(score.to_json("chess", 1.0, true)["unpaired_games"], 1);
    }

    #[test]
    fn dates_are_correct_around_leap_days() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_798_761_599, "2026.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(pgn_date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), day);
        }
    }
}
