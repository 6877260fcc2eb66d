//! The counts of a report: in how many games rulesets differ among themselves, and from the recorded result.

use std::fmt::Write;

use alfil_kernel::Outcome;
use serde_json::{Value, json};

use super::report::ReportRow;
use crate::source_args::plural;

/// The maximal number of games that a line of the text names; JSON names all.
const MAX_NAMED: usize = 20;

/// The counts of one ruleset.
struct RulesetCounts {
    name: String,
    /// The number of games that it judged.
    judged: usize,
    /// The number of those with a known result.
    compared: usize,
    /// The rows of those whose result is another one.
    differing: Vec<usize>,
}

/// The counts of two rulesets.
struct PairCounts {
    names: [String; 2],
    /// The number of games that both judged.
    both: usize,
    /// The rows of those that they judged differently.
    differing: Vec<usize>,
    /// The rows of the games that only one of them judged.
    only_one: Vec<usize>,
}

/// The counts of a report.
pub(super) struct ReportCounts {
    rulesets: Vec<RulesetCounts>,
    pairs: Vec<PairCounts>,
}

impl ReportCounts {
    /// Counts the rows of a report.
    pub(super) fn new(names: &[&str], rows: &[ReportRow]) -> ReportCounts {
        let verdicts: Vec<Vec<Option<Outcome>>> = rows.iter().map(|row| row.outcomes().collect()).collect();
        let rows_with =
            |is_counted: &dyn Fn(usize) -> bool| (0..rows.len()).filter(|&row| is_counted(row)).collect();
        let count =
            |is_counted: &dyn Fn(usize) -> bool| (0..rows.len()).filter(|&row| is_counted(row)).count();
        let rulesets = names.iter().enumerate().map(|(index, name)| {
            let compared = |row: usize| verdicts[row][index].zip(rows[row].result());
            RulesetCounts {
                name: (*name).to_owned(),
                judged: count(&|row| verdicts[row][index].is_some()),
                compared: count(&|row| compared(row).is_some()),
                differing: rows_with(&|row| compared(row).is_some_and(|(verdict, result)| verdict != result)),
            }
        });
        let indices =
            (0..names.len()).flat_map(|first| (first + 1..names.len()).map(move |second| (first, second)));
        let pairs = indices.map(|(first, second)| {
            let both = |row: usize| verdicts[row][first].zip(verdicts[row][second]);
            PairCounts {
                names: [names[first], names[second]].map(str::to_owned),
                both: count(&|row| both(row).is_some()),
                differing: rows_with(&|row| both(row).is_some_and(|(one, other)| one != other)),
                only_one: rows_with(&|row| verdicts[row][first].is_some() != verdicts[row][second].is_some()),
            }
        });
        ReportCounts { rulesets: rulesets.collect(), pairs: pairs.collect() }
    }

    /// Returns the counts as tables with the names of the first games.
    pub(super) fn to_text(&self, rows: &[ReportRow], games: usize) -> String {
        let names = |found: &[usize]| {
            let mut names: Vec<_> = found.iter().take(MAX_NAMED).map(|&row| rows[row].name()).collect();
            names.extend((found.len() > MAX_NAMED).then(|| format!("{} more", found.len() - MAX_NAMED)));
            names.join("; ")
        };
        let judged = rows.iter().filter(|row| row.outcomes().any(|outcome| outcome.is_some())).count();
        let games = plural(games as u64, "game");
        let mut text = format!("{games}, {judged} with a repetition or rounds of attacks\n");
        // Writing to a string cannot fail.
        let mut line = |cells: [&str; 5]| {
            let [name, first, second, third, games] = cells;
            let row = format!("{name:<24} {first:>6} {second:>8} {third:>8}  {games}");
            let _ = writeln!(text, "{}", row.trim_end());
        };
        line(["ruleset", "judged", "compared", "differ", "whose recorded result differs"]);
        for RulesetCounts { name, judged, compared, differing } in &self.rulesets {
            let counts = [*judged, *compared, differing.len()].map(|count| count.to_string());
            line([name, &counts[0], &counts[1], &counts[2], &names(differing)]);
        }
        line(["rulesets", "both", "differ", "only one", "which differ, and which only one judged"]);
        for PairCounts { names: [first, second], both, differing, only_one } in &self.pairs {
            let counts = [*both, differing.len(), only_one.len()].map(|count| count.to_string());
            let lists = [names(differing), names(only_one)]
                .map(|list| if list.is_empty() { "-".into() } else { list });
            let lists = if differing.len() + only_one.len() == 0 { String::new() } else { lists.join(" | ") };
            line([&format!("{first}, {second}"), &counts[0], &counts[1], &counts[2], &lists]);
        }
        for row in rows {
            if let Some(error) = row.error() {
                let _ = writeln!(text, "not read to its end: {}: {error}", row.name());
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Returns the counts as JSON.
    pub(super) fn to_json(&self, rows: &[ReportRow], games: usize) -> Value {
        let names = |found: &[usize]| found.iter().map(|&row| rows[row].name()).collect::<Vec<_>>();
        let rulesets = self.rulesets.iter().map(|RulesetCounts { name, judged, compared, differing }| {
            json!({"rules": name, "judged": judged, "compared": compared, "differs": names(differing)})
        });
        let pairs = self.pairs.iter().map(|PairCounts { names: rules, both, differing, only_one }| {
            json!({"rules": rules, "both": both, "differ": names(differing), "only_one": names(only_one)})
        });
        let listed = rows.len();
        json!({
            "games": games, "listed": listed, "rulesets": rulesets.collect::<Vec<_>>(),
            "pairs": pairs.collect::<Vec<_>>(),
        })
    }
}
