//! `alfil judge --report`: which games of files had a repetition or rounds of attacks, what each ruleset says, and
//! where the recorded result differs.

use std::fmt::Write;
use std::path::PathBuf;

use alfil_batch::source::{Source, SourceItem, SourceOptions};
use alfil_kernel::{Outcome, Waivers};
use alfil_session::{GameSession, NULL_MOVE, RulingRequest, TextGame};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::report_counts::ReportCounts;
use super::verdict_name;
use crate::errors::Failure;
use crate::game_file::check_game;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Counts of the games in which rulesets differ among themselves, and from the recorded result.
    Text,
    /// A page with a table.
    Html,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// A JSON object a game, then one of counts.
    Json,
}

/// Divides the values of `--report` into the format, which comes first, and the files.
pub(super) fn format_and_files(values: &[String]) -> (ReportFormat, Vec<PathBuf>) {
    let format = values.first().and_then(|value| ReportFormat::from_str(value, false).ok());
    let files = values.iter().skip(usize::from(format.is_some())).map(PathBuf::from).collect();
    (format.unwrap_or(ReportFormat::Text), files)
}

/// A game that had a repetition or rounds of attacks, or could not be read to its end.
pub(super) struct ReportRow {
    /// The file, if the report names files.
    file: Option<String>,
    /// The number of the game; none if the whole file is concerned.
    number: Option<u64>,
    players: [String; 2],
    /// The recorded result.
    result: Option<Outcome>,
    /// The first verdict of each ruleset on a repetition or rounds of attacks, with its ply and cause.
    verdicts: Vec<Option<(usize, Outcome, String)>>,
    error: Option<String>,
}

/// The rows of a report.
#[derive(Default)]
pub(super) struct Report {
    pub(super) rows: Vec<ReportRow>,
    /// The number of games that were read, at least in part.
    pub(super) judged_games: usize,
    /// The number of games, those that could not be read included.
    pub(super) games: usize,
}

/// Judges the games of files and of the files in folders.
///
/// # Errors
/// If a path does not exist or cannot be read.
pub(super) fn judge_files(
    session: &mut dyn GameSession,
    files: &[PathBuf],
    waivers: &Waivers,
) -> Result<Report, Failure> {
    let options = SourceOptions { game: Some(session.game().to_owned()), ..SourceOptions::default() };
    let source = Source::open(files, &options).map_err(|error| Failure::Input(error.to_string()))?;
    let mut report = Report::default();
    for item in source {
        match item {
            SourceItem::Fault(fault) => {
                report.games += usize::from(fault.game.is_some());
                report.rows.push(ReportRow {
                    file: Some(fault.file.to_string()),
                    number: fault.game,
                    ..ReportRow::unread(session, fault.what)
                });
            }
            SourceItem::Game(found) => {
                let (file, number) = (Some(found.place.file.to_string()), Some(found.place.number));
                // What is wrong in the game was yielded before, and is an error of its row.
                let is_of_game = |row: &ReportRow| row.number == number && row.file == file;
                while report.rows.last().is_some_and(is_of_game) {
                    report.rows.pop();
                    report.games -= 1;
                }
                report.games += 1;
                let game = check_game(session.game(), found.game);
                report.judged_games += usize::from(game.is_ok());
                let row = judge_game(session, &game, waivers);
                report.rows.extend(row.map(|row| ReportRow { file, number, ..row }));
            }
        }
    }
    Ok(report)
}

/// Judges the games of the file of `--pgn`.
pub(super) fn judge_games(
    session: &mut dyn GameSession,
    games: &[Result<TextGame, String>],
    waivers: &Waivers,
) -> Report {
    let mut rows = Vec::new();
    for (number, game) in (1..).zip(games) {
        rows.extend(judge_game(session, game, waivers).map(|row| ReportRow { number: Some(number), ..row }));
    }
    Report { rows, judged_games: games.iter().filter(|game| game.is_ok()).count(), games: games.len() }
}

/// Judges the main line of a game by every ruleset. Returns `None` if no ruleset judged a repetition, or rounds of
/// attacks that offend without one, and the game was read to its end.
fn judge_game(
    session: &mut dyn GameSession,
    game: &Result<TextGame, String>,
    waivers: &Waivers,
) -> Option<ReportRow> {
    let rulesets = session.rulesets();
    let game = match game {
        Ok(game) => game,
        Err(error) => return Some(ReportRow::unread(session, error.clone())),
    };
    let player = |names: &[&str]| game.tags.first_value(names).unwrap_or("?").to_owned();
    let mut row = ReportRow {
        file: None,
        number: None,
        players: [player(&["Red", "White"]), player(&["Black"])],
        result: game.result,
        verdicts: vec![None; rulesets.len()],
        error: game.error.as_ref().map(ToString::to_string),
    };
    if let Err(error) = session.open(game.start.as_deref().unwrap_or("startpos"), waivers) {
        row.error = Some(error.message);
        return Some(row);
    }
    for (ply, text) in (1..).zip(game.main_line()) {
        if text == NULL_MOVE {
            row.error = Some(format!("ply {ply} is a null move"));
            break;
        }
        if let Err(error) = session.replay(text, None) {
            row.error = Some(error.at_move(ply).message);
            break;
        }
        // Every ply is judged, because rounds of attacks can offend without a repetition.
        for (ruleset, verdict) in
            rulesets.iter().zip(&mut row.verdicts).filter(|(_, verdict)| verdict.is_none())
        {
            let request = RulingRequest { ruleset: Some((*ruleset).to_owned()), ..RulingRequest::default() };
            let ruling = session.ruling(&request).ok().filter(|ruling| ruling.repetition_plies.is_some());
            *verdict = ruling.and_then(|ruling| Some((ply, ruling.outcome?, ruling.cause)));
        }
    }
    (row.error.is_some() || row.verdicts.iter().any(Option::is_some)).then_some(row)
}

impl ReportRow {
    /// Returns the row of what could not be read.
    fn unread(session: &dyn GameSession, error: String) -> ReportRow {
        let verdicts = vec![None; session.rulesets().len()];
        let players = ["?", "?"].map(str::to_owned);
        ReportRow { file: None, number: None, players, result: None, verdicts, error: Some(error) }
    }

    /// Returns the name of the game in a list: `games.pgn:3 Anna - Berta`.
    pub(super) fn name(&self) -> String {
        let number = self.number.map(|number| number.to_string());
        let place = [self.file.clone(), number].into_iter().flatten().collect::<Vec<_>>().join(":");
        let [first, second] = &self.players;
        format!("{place} {first} - {second}").replace(['\n', '\r', '\t'], " ")
    }

    /// Returns the verdict of each ruleset, if it judged the game.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = Option<Outcome>> {
        self.verdicts.iter().map(|verdict| verdict.as_ref().map(|(_, outcome, _)| *outcome))
    }

    /// Returns the recorded result, if it is known.
    pub(super) fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// Returns why the game was not read to its end.
    pub(super) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    fn to_json(&self, session: &dyn GameSession) -> Value {
        let rulesets = session.rulesets();
        let verdict = |verdict: &Option<(usize, Outcome, String)>| match verdict {
            None => Value::Null,
            Some((ply, outcome, cause)) => {
                json!({"verdict": verdict_name(session, Some(*outcome)), "cause": cause, "ply": ply})
            }
        };
        let verdicts = rulesets.iter().map(|name| (*name).to_owned()).zip(self.verdicts.iter().map(verdict));
        json!({
            "file": self.file, "game": self.number, "players": self.players,
            "result": self.result.map(|result| verdict_name(session, Some(result))),
            "verdicts": verdicts.collect::<serde_json::Map<_, _>>(), "differs": self.differing(&rulesets),
            "error": self.error,
        })
    }

    /// Returns the rulesets whose verdict is not the recorded result.
    fn differing<'a>(&self, rulesets: &[&'a str]) -> Vec<&'a str> {
        let differs = |verdict: &Option<(usize, Outcome, String)>| {
            verdict.as_ref().zip(self.result).is_some_and(|((_, outcome, _), result)| *outcome != result)
        };
        let pairs = rulesets.iter().zip(&self.verdicts);
        pairs.filter(|(_, verdict)| differs(verdict)).map(|(ruleset, _)| *ruleset).collect()
    }

    /// Returns the cells of the row: the file, if the report names files, number, players, result, a cell for each
    /// ruleset, the rulesets that differ, error.
    fn cells(&self, session: &dyn GameSession) -> Vec<String> {
        let rulesets = session.rulesets();
        let mut cells: Vec<_> = self.file.iter().cloned().collect();
        cells.push(self.number.map_or_else(String::new, |number| number.to_string()));
        cells.extend(self.players.iter().cloned());
        cells.push(self.result.map_or("unknown".into(), |result| verdict_name(session, Some(result))));
        cells.extend(self.verdicts.iter().map(|verdict| match verdict {
            None => "none".to_owned(),
            Some((ply, outcome, cause)) => {
                format!("{} ({cause}, ply {ply})", verdict_name(session, Some(*outcome)))
            }
        }));
        cells.push(self.differing(&rulesets).join(" "));
        cells.push(self.error.clone().unwrap_or_default());
        cells
    }
}

/// Returns a report as text.
pub(super) fn report(session: &dyn GameSession, format: ReportFormat, report: &Report) -> String {
    let Report { rows, games, .. } = report;
    let mut header = Vec::new();
    // Either all rows name a file or none does.
    header.extend(rows.first().filter(|row| row.file.is_some()).map(|_| "file".to_owned()));
    header.push("game".to_owned());
    header.extend(session.appearance().sides.iter().map(|side| side.to_lowercase()));
    header.push("result".into());
    header.extend(session.rulesets().into_iter().map(str::to_owned));
    header.extend(["differs", "error"].map(str::to_owned));
    let cells = || rows.iter().map(|row| row.cells(session)).collect::<Vec<_>>();
    match format {
        ReportFormat::Csv => csv(&header, &cells()),
        ReportFormat::Html => html(&header, &cells(), *games),
        ReportFormat::Text => ReportCounts::new(&session.rulesets(), rows).to_text(rows, *games),
        ReportFormat::Json => {
            let counts = ReportCounts::new(&session.rulesets(), rows).to_json(rows, *games);
            let lines = rows.iter().map(|row| row.to_json(session)).chain([counts]);
            lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
        }
    }
}

fn csv(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",");
    let lines: Vec<String> =
        std::iter::once(line(header)).chain(rows.iter().map(|cells| line(cells))).collect();
    // The caller prints a line feed after the last row.
    lines.join("\r\n") + "\r"
}

/// Returns a cell of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP
/// recommends ("CSV Injection"); a number is left as it is.
fn csv_cell(text: &str) -> String {
    let is_number =
        || text[1..].starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok();
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && !is_number();
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match is_formula || text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn html(header: &[String], rows: &[Vec<String>], game_count: usize) -> String {
    let escape = |text: &String| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let differs = header.len() - 2;
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Repetitions</title>\n\
         <style>body{font-family:sans-serif}table{border-collapse:collapse}\
         td,th{border:1px solid #999;padding:.25em .5em;text-align:left}.differs{background:#fde0d0}</style>\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(page, "<h1>Repetitions</h1>\n<p>{} of {game_count} games are listed.</p>", rows.len());
    let cells = |tag: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        cells.collect::<String>()
    };
    let _ = writeln!(page, "<table>\n<tr>{}</tr>", cells("th", header));
    for row in rows {
        let class = if row[differs].is_empty() { "" } else { " class=\"differs\"" };
        let _ = writeln!(page, "<tr{class}>{}</tr>", cells("td", row));
    }
    page + "</table>\n</html>"
}

#[cfg(test)]
mod tests {
    use super::csv_cell;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        for formula in ["=HYPERLINK(1)", "+1+2", "-1+2", "@SUM(1)", "\t=1", "\r=1", "\n=1", "-", "+inf", "=1"]
        {
            let cell = csv_cell(formula);
            assert_eq!(cell, format!("\"'{formula}\""), "{formula:?}");
        }
        assert_eq!(csv_cell("=\"a\""), "\"'=\"\"a\"\"\"");
        for text in ["-17", "+0.5", "-1e-3", "1-0", "Ann", "", "a=b"] {
            assert_eq!(csv_cell(text), text);
        }
        assert_eq!(csv_cell("A, B"), "\"A, B\"");
    }
}
