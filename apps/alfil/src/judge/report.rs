//! `alfil judge --report`: which games of a file had a repetition or rounds of attacks, what each ruleset says, and
//! where the recorded result differs.

use std::fmt::Write;

use alfil_kernel::{Outcome, Waivers};
use alfil_session::{GameSession, NULL_MOVE, RulingRequest, TextGame};
use clap::ValueEnum;

use super::verdict_name;

/// The format of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A page with a table.
    Html,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
}

/// A game that had a repetition or rounds of attacks, or could not be read to its end.
pub(super) struct ReportRow {
    number: usize,
    players: [String; 2],
    /// The recorded result.
    result: Option<Outcome>,
    /// The first verdict of each ruleset on a repetition or rounds of attacks, with its ply and cause.
    verdicts: Vec<Option<(usize, Outcome, String)>>,
    error: Option<String>,
}

/// Judges the main line of a game by every ruleset. Returns `None` if no ruleset judged a repetition, or rounds of
/// attacks that offend without one, and the game was read to its end.
pub(super) fn judge_game(
    session: &mut dyn GameSession,
    number: usize,
    game: &Result<TextGame, String>,
    waivers: &Waivers,
) -> Option<ReportRow> {
    let rulesets = session.rulesets();
    let verdicts = vec![None; rulesets.len()];
    let game = match game {
        Ok(game) => game,
        Err(error) => {
            let (players, error) = (["?", "?"].map(str::to_owned), Some(error.clone()));
            return Some(ReportRow { number, players, result: None, verdicts, error });
        }
    };
    let player = |names: &[&str]| game.tags.first_value(names).unwrap_or("?").to_owned();
    let mut row = ReportRow {
        number,
        players: [player(&["Red", "White"]), player(&["Black"])],
        result: game.result,
        verdicts,
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
    /// Returns the rulesets whose verdict is not the recorded result.
    fn differing<'a>(&self, rulesets: &[&'a str]) -> Vec<&'a str> {
        let differs = |verdict: &Option<(usize, Outcome, String)>| {
            verdict.as_ref().zip(self.result).is_some_and(|((_, outcome, _), result)| *outcome != result)
        };
        let pairs = rulesets.iter().zip(&self.verdicts);
        pairs.filter(|(_, verdict)| differs(verdict)).map(|(ruleset, _)| *ruleset).collect()
    }

    /// Returns the cells of the row: number, players, result, a cell for each ruleset, the rulesets that differ, error.
    fn cells(&self, session: &dyn GameSession) -> Vec<String> {
        let rulesets = session.rulesets();
        let mut cells = vec![self.number.to_string()];
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

/// Returns the report on the rows of so many games.
pub(super) fn report(
    session: &dyn GameSession,
    format: ReportFormat,
    rows: &[ReportRow],
    game_count: usize,
) -> String {
    let mut header = vec!["game".to_owned()];
    header.extend(session.appearance().sides.iter().map(|side| side.to_lowercase()));
    header.push("result".into());
    header.extend(session.rulesets().into_iter().map(str::to_owned));
    header.extend(["differs", "error"].map(str::to_owned));
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.cells(session)).collect();
    match format {
        ReportFormat::Csv => csv(&header, &rows),
        ReportFormat::Html => html(&header, &rows, game_count),
    }
}

fn csv(header: &[String], rows: &[Vec<String>]) -> String {
    let quote = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    let line = |cells: &[String]| cells.iter().map(quote).collect::<Vec<_>>().join(",");
    let lines: Vec<String> =
        std::iter::once(line(header)).chain(rows.iter().map(|cells| line(cells))).collect();
    // The caller prints a line feed after the last row.
    lines.join("\r\n") + "\r"
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
