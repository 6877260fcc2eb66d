//! `alfil store`: checks, backups and the salvage of the games that the page has saved.

use std::path::{Path, PathBuf};

use alfil_server::store;
use clap::{Args, Subcommand, ValueHint};

use crate::errors::{CommandResult, Failure};
use crate::output::{print_line, print_summary};
use crate::source_args::plural;

/// Check, back up or salvage the saved games of the page.
#[derive(Debug, Args)]
pub(crate) struct Store {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check the file, its tables and the checksum of every game; the exit status is 1 if something is damaged.
    Check(Games),
    /// Write a copy of all games to a new file, also while the server runs.
    Backup(Output),
    /// Write every game that can be read to a new file; nothing is changed or overwritten.
    Salvage(Output),
}

/// Which games.
#[derive(Debug, Args)]
struct Games {
    /// Folder with `games.sqlite`, or such a file [default: alfil in the user's data folder].
    #[arg(value_name = "DIR", value_hint = ValueHint::AnyPath)]
    folder: Option<PathBuf>,
}

/// Which games, and where they are written.
#[derive(Debug, Args)]
struct Output {
    #[command(flatten)]
    games: Games,
    /// File to write; it must not exist [default: a new name beside the games].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Games {
    fn path(&self) -> Result<PathBuf, Failure> {
        let folder = self.folder.clone().map_or_else(store::data_folder, Ok)?;
        Ok(store::store_file(&folder))
    }
}

/// Returns a game as it is named in a report.
fn named((id, players): &(String, String)) -> String {
    if players.chars().any(char::is_alphanumeric) { format!("{id} ({players})") } else { id.clone() }
}

fn check(path: &Path) -> CommandResult {
    let found = store::check_store(path)?;
    let way_out = format!("\"alfil store salvage {}\" writes what is readable to a new file", path.display());
    if let Some(damage) = found.damage {
        return Err(Failure::Input(format!("{} is damaged: {damage}; {way_out}", path.display())));
    }
    let games = plural(found.games as u64, "game");
    if found.damaged_games.is_empty() {
        return Ok(print_line(format_args!("{}: {games}, all whole", path.display()))?);
    }
    for game in &found.damaged_games {
        print_line(format_args!("damaged      {}", named(game)))?;
    }
    let count = found.damaged_games.len();
    print_line(format_args!("{}: {games}, {count} of them damaged; {way_out}", path.display()))?;
    Err(Failure::NegativeResult)
}

fn salvage(path: &Path, target: &Path) -> CommandResult {
    let found = store::salvage_store(path, target)?;
    for game in &found.partial {
        print_summary(format_args!("partly read  {}", named(game)))?;
    }
    for id in &found.lost {
        print_summary(format_args!("lost         {id}"))?;
    }
    let (partial, lost) = (found.partial.len(), found.lost.len());
    let read = plural(found.whole as u64, "game");
    print_summary(format_args!("{}: {read} read, {partial} partly read, {lost} lost", target.display()))?;
    print_summary(format_args!(
        "to use it, end the server, and give it the name {}",
        path.with_file_name("games.sqlite").display()
    ))?;
    if partial + lost == 0 { Ok(()) } else { Err(Failure::NegativeResult) }
}

impl Store {
    pub(crate) fn run(&self) -> CommandResult {
        match &self.action {
            Action::Check(games) => check(&games.path()?),
            Action::Backup(Output { games, output }) => {
                let path = games.path()?;
                let target = output.clone().unwrap_or_else(|| store::backup_target(&path));
                let count = store::back_up_store(&path, &target)?;
                Ok(print_summary(format_args!("{}: {}", target.display(), plural(count as u64, "game")))?)
            }
            Action::Salvage(Output { games, output }) => {
                let path = games.path()?;
                let target = output.clone().unwrap_or_else(|| store::salvage_target(&path));
                salvage(&path, &target)
            }
        }
    }
}
