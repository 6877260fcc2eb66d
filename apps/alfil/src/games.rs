//! `alfil games`: a line a game, or the counts of many games.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_batch::filter::Filter;
use alfil_batch::game_table::{GameStats, LENGTH_CLASS_PLIES, ListedGame, Score};
use alfil_batch::source::{Place, SourceBatch, SourceGame, SourceItem};
use alfil_batch::{Fault, FaultList, game_table};
use alfil_session::GameOutline;
use clap::Args;
use serde_json::{Value, json};

use crate::errors::{CommandResult, Failure};
use crate::output::print_summary;
use crate::source_args::{
    FaultPrinter, ReadingThreadsArg, SourceArgs, SourceProgress, faults_to_json, plural,
};

/// List the games of files, or count them.
///
/// A line has the number of the game, the players, the result, the plies and the opening, separated by tabs. An
/// opening that the tags do not name is found by the moves. What cannot be read is a fault, printed on stderr with
/// file, game and byte; then the exit status is 1.
#[derive(Debug, Args)]
pub(crate) struct Games {
    #[command(flatten)]
    source_args: SourceArgs,
    /// Count the games instead: by result, length, player, opening and year.
    #[arg(long)]
    stats: bool,
    /// The number of players and openings that --stats lists, those with the most games first.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "stats")]
    top: usize,
    /// Print JSON: one object a game, or one object of counts.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads_arg: ReadingThreadsArg,
}

/// What is printed or counted of some games, in their order.
struct Rows {
    rows: Vec<Row>,
    /// The number of games and faults, those left out by the filter included.
    items: u64,
}

enum Row {
    Fault(Fault),
    /// The lines of games that follow each other, without the last line break.
    Lines(String),
    Counted(GameOutline),
}

impl Games {
    pub(crate) fn run(&self) -> CommandResult {
        let filter = self.source_args.filter()?;
        let source = self.source_args.open(true)?;
        let mut progress = SourceProgress::new(&source);
        let has_one_file = source.files().files().len() == 1;
        let left_out = source.files().left_out().len();
        let counts = Arc::new(Mutex::new(Counts::default()));
        if self.stats {
            let (json, top, counts) = (self.json, self.top, counts.clone());
            progress.progress.set_partial_result(move || Some(lock(&counts).text(json, top, true)));
        }
        let (mut printer, mut is_empty) = (FaultPrinter::default(), true);
        source.map_in_order(
            self.threads_arg.count(),
            |batch| self.read(batch, filter.as_ref(), has_one_file),
            |Rows { rows, items }| {
                is_empty &= items == 0;
                for row in rows {
                    match row {
                        Row::Fault(fault) => {
                            lock(&counts).faults.push(fault);
                            printer.print_new(&progress.progress, &lock(&counts).faults);
                        }
                        Row::Lines(lines) => progress.progress.print_line(lines)?,
                        Row::Counted(game) => lock(&counts).stats.add_outline(&game),
                    }
                }
                progress.count_items(items);
                Ok::<(), Failure>(())
            },
        )?;
        progress.progress.finish();
        let counts = lock(&counts);
        printer.print_counts(&counts.faults);
        if is_empty {
            let left_out = match left_out {
                0 => String::new(),
                count => format!("; {} left out by the name", plural(count as u64, "file")),
            };
            return Err(Failure::Input(format!("there is no game{left_out}")));
        }
        if self.stats {
            print_summary(counts.text(self.json, self.top, false))?;
        }
        if counts.faults.count() > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    /// Reads some games and formats the lines of those for which the filter is true.
    fn read(&self, batch: SourceBatch, filter: Option<&Filter>, has_one_file: bool) -> Rows {
        let mut read = Rows { rows: Vec::new(), items: batch.skipped() };
        for item in batch.into_outlines() {
            read.items += 1;
            let game = match item {
                SourceItem::Fault(fault) => {
                    read.rows.push(Row::Fault(fault));
                    continue;
                }
                SourceItem::Game(game) => game,
            };
            if filter.is_some_and(|filter| !filter.matches_outline(&game.game)) {
                continue;
            }
            if self.stats {
                read.rows.push(Row::Counted(game.game));
                continue;
            }
            let line = match self.json {
                true => row_to_json(&game).to_string(),
                false => row_text(&game, has_one_file),
            };
            match read.rows.last_mut() {
                Some(Row::Lines(lines)) => {
                    lines.push('\n');
                    lines.push_str(&line);
                }
                _ => read.rows.push(Row::Lines(line)),
            }
        }
        read
    }
}

/// What is known of the games so far.
#[derive(Default)]
struct Counts {
    stats: GameStats,
    faults: FaultList,
}

impl Counts {
    fn text(&self, json: bool, top: usize, interrupted: bool) -> String {
        match json {
            true => stats_to_json(&self.stats, &self.faults, top, interrupted).to_string(),
            false => stats_to_text(&self.stats, top, interrupted),
        }
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the line of a game. With several files the number follows the name of the file.
fn row_text(game: &SourceGame<GameOutline>, has_one_file: bool) -> String {
    let SourceGame { place: Place { file, number, .. }, game, .. } = game;
    let row = ListedGame::of_outline(game);
    let number = if has_one_file { number.to_string() } else { format!("{file}:{number}") };
    let [first, second] = row.players.each_ref().map(|name| name.as_deref().unwrap_or("?"));
    let opening = row.opening.as_deref().unwrap_or("-");
    // A tab in a name would begin another column.
    let columns: [&str; 5] =
        [&number, &format!("{first} - {second}"), row.result, &row.plies.to_string(), opening];
    columns.map(|text| text.replace(['\t', '\n', '\r'], " ")).join("\t")
}

fn row_to_json(game: &SourceGame<GameOutline>) -> Value {
    let SourceGame { place: Place { file, number, byte }, game, .. } = game;
    let ListedGame { game, players, result, plies, opening, event, date } = ListedGame::of_outline(game);
    json!({
        "file": &**file,
        "number": number,
        "byte": byte,
        "game": game,
        "players": players,
        "result": result,
        "plies": plies,
        "opening": opening,
        "event": event,
        "date": date,
    })
}

fn score_to_json(name: &str, key: &str, score: Score) -> Value {
    let Score { games, wins, draws, losses } = score;
    json!({key: name, "games": games, "wins": wins, "draws": draws, "losses": losses, "score": score.rate()})
}

fn stats_to_json(stats: &GameStats, faults: &FaultList, top: usize, interrupted: bool) -> Value {
    let Score { games, wins, draws, losses } = stats.first_side;
    let lengths = stats.lengths.iter().map(|(&class, games)| {
        let [from, to] = length_class(class);
        json!({"from": from, "to": to, "games": games})
    });
    let years =
        stats.years.iter().map(|(&year, games)| json!({"year": (year > 0).then_some(year), "games": games}));
    let players = stats.top_players(top).into_iter().map(|(name, score)| score_to_json(name, "name", score));
    let openings =
        stats.top_openings(top).into_iter().map(|(name, score)| score_to_json(name, "opening", score));
    let mut value = json!({
        "games": games,
        "by_game": stats.games,
        "results": {"1-0": wins, "0-1": losses, "1/2-1/2": draws, "*": stats.unfinished()},
        "plies": {"total": stats.plies, "min": stats.min_plies, "mean": stats.mean_plies(), "max": stats.max_plies},
        "lengths": lengths.collect::<Value>(),
        "years": years.collect::<Value>(),
        "player_count": stats.player_count(),
        "players": players.collect::<Value>(),
        "opening_count": stats.opening_count(),
        "openings": openings.collect::<Value>(),
        "faults": faults_to_json(faults),
        "fault_count": faults.count(),
    });
    if interrupted {
        value["interrupted"] = true.into();
    }
    value
}

fn length_class(class: usize) -> [usize; 2] {
    [class * LENGTH_CLASS_PLIES, (class + 1) * game_table::LENGTH_CLASS_PLIES - 1]
}

fn stats_to_text(stats: &GameStats, top: usize, interrupted: bool) -> String {
    let Score { games, wins, draws, losses } = stats.first_side;
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    let percent = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
    let state = if interrupted { " (interrupted)" } else { "" };
    let by_game: Vec<_> = stats.games.iter().map(|(game, count)| format!("{count} {game}")).collect();
    let by_game = if by_game.is_empty() { String::new() } else { format!(": {}", by_game.join(", ")) };
    line(format_args!("{}{by_game}{state}", plural(games, "game")));
    if let (Some(min), Some(mean), Some(max)) = (stats.min_plies, stats.mean_plies(), stats.max_plies) {
        line(format_args!("{} plies, {min} to {max} a game, {mean:.1} on average", stats.plies));
    }
    line(format_args!("\nresult"));
    for (result, count) in [("1-0", wins), ("1/2-1/2", draws), ("0-1", losses), ("*", stats.unfinished())] {
        line(format_args!("{count:>9} {:5.1} %  {result}", percent(count)));
    }
    line(format_args!("\nplies"));
    for (&class, &count) in &stats.lengths {
        let [from, to] = length_class(class);
        line(format_args!("{count:>9} {:5.1} %  {from}-{to}", percent(count)));
    }
    line(format_args!("\nyear"));
    for (&year, &count) in &stats.years {
        let year = if year > 0 { year.to_string() } else { "unknown".into() };
        line(format_args!("{count:>9} {:5.1} %  {year}", percent(count)));
    }
    let tables = [
        ("player", stats.player_count(), stats.top_players(top)),
        ("opening", stats.opening_count(), stats.top_openings(top)),
    ];
    for (heading, count, scores) in tables.into_iter().filter(|(_, count, _)| *count > 0) {
        line(format_args!("\n{heading}: games, score, the first {} of {count}", scores.len()));
        for (name, score) in scores {
            let rate = score.rate().map_or("      -".into(), |rate| format!("{:5.1} %", 100.0 * rate));
            line(format_args!("{:>9} {rate}  {name}", score.games));
        }
    }
    text.truncate(text.trim_end().len());
    text
}
