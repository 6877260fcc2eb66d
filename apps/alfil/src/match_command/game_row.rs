//! A game of a match as a row of JSON and as a line of text.

use std::time::SystemTime;

use alfil_kernel::{Outcome, Side};
use alfil_matches::ChosenMove;
use alfil_matches::game::{MatchGame, Termination};
use alfil_session::format_result;
use serde_json::{Value, json};

/// Formats the UTC date in PGN style: `2026.11.21`. The algorithm is `civil_from_days` of H. Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that a leap day is the last of its year.
pub(crate) fn pgn_date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    // Days since 1 March of year 0, in eras of 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns a game as JSON: its moves, its result and what the engines reported for each move.
pub(crate) fn game_row(game: &str, names: &[String], played: &MatchGame) -> Value {
    let name = |side: Side| &names[played.engines[side.index()]];
    let result = format_result(Some(played.outcome));
    let winner = match played.outcome {
        Outcome::Win(side) => Some(name(side)),
        Outcome::Draw => None,
    };
    let column = |value: fn(&ChosenMove) -> Value| played.moves.iter().map(value).collect::<Vec<_>>();
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
    if !played.evidence.is_empty() {
        row["log"] = json!(played.evidence);
    }
    row
}

/// Returns a game in one line, followed by the reasons of a ruling, or by the last log lines of an engine that failed.
pub(crate) fn game_line(played: &MatchGame, row: &Value) -> String {
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
    let shown = match played.termination {
        Termination::Failure(_) => 8,
        _ => played.evidence.len(),
    };
    for evidence in played.evidence.iter().rev().take(shown).rev() {
        line += &format!("\n    {evidence}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
