//! The files of self-play: which games each holds, and how they are written and read.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
use alfil_batch::run_identity::{RunTerms, check_identity};
use alfil_training::game_data::{GameData, read_shard};
use anyhow::Context as _;
use serde_json::{Value, json};

use crate::errors::{CommandResult, Failure};
use crate::output::write_file;
use crate::source_args::plural;

/// The extension of shards.
const EXTENSION: &str = "games";

/// The files of the options of runs, which have no rows: the games are in shards. Shards of another format of games
/// would be a field more of the options.
const KIND: RunKind = RunKind {
    name: "selfplay",
    is_synced: true,
    earlier: EarlierFormat::Identity,
    advice: "remove it, and the same command writes it again",
};

/// How a run with other options is refused.
const TERMS: RunTerms = RunTerms {
    what: "a run",
    labels: &[("game", "game"), ("network", "--eval-file (CRC-32)")],
    advice: "use its options, or another seed or folder",
};

/// The shards of a run.
#[derive(Debug)]
pub(crate) struct ShardPlan<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) game: &'a str,
    pub(crate) seed: u32,
    pub(crate) nodes: u32,
    pub(crate) games: u32,
    pub(crate) shard_games: u32,
    /// The size of the transposition table, in MiB.
    pub(crate) hash: u16,
    /// The CRC-32 of the network's file; `None` for hand-made terms.
    pub(crate) network: Option<u32>,
}

/// A shard: the numbers of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shard(Range<u32>);

impl Shard {
    pub(crate) fn numbers(&self) -> Range<u32> {
        self.0.clone()
    }
}

impl ShardPlan<'_> {
    /// Returns all shards of the run, in order.
    pub(crate) fn shards(&self) -> impl Iterator<Item = Shard> {
        let (games, step) = (self.games, self.shard_games);
        (0..games)
            .step_by(step as usize)
            .map(move |first| Shard(first..first.saturating_add(step).min(games)))
    }

    /// Returns the file of a shard. Runs with other seeds have other files, so they can share a folder.
    fn path(&self, shard: &Shard) -> PathBuf {
        self.folder.join(format!("{}-s{}-{:08}.{EXTENSION}", self.game, self.seed, shard.0.start))
    }

    /// Returns the file of the options on which the games depend.
    fn options_path(&self) -> PathBuf {
        self.folder.join(format!("{}-s{}.run.json", self.game, self.seed))
    }

    /// Returns the options on which the games depend.
    fn options(&self) -> Value {
        json!({
            "game": self.game, "seed": self.seed, "nodes": self.nodes, "hash": self.hash,
            "network": self.network.map(|checksum| format!("{checksum:08x}")),
        })
    }

    /// Locks the run for this process, as long as the returned file is open, and compares the options with those in the
    /// file. If they are not there, [`RunFile::begin`] writes them.
    ///
    /// # Errors
    /// If another process plays this run, the games of the run depend on other options, or the file cannot be opened.
    pub(crate) fn lock(&self) -> Result<RunFile, Failure> {
        let (path, options) = (self.options_path(), self.options());
        let (run_file, contents) = RunFile::open(&path, &KIND, &options)?;
        if let Some(contents) = contents {
            contents.check_rows(&path, &KIND)?;
            check_identity(&path, &contents.header, &options, &TERMS)?;
        }
        Ok(run_file)
    }

    /// Returns the games of a shard that was written earlier; `None` if it was not.
    ///
    /// # Errors
    /// If the file is damaged, or holds games of another run.
    pub(crate) fn read(&self, shard: &Shard) -> Result<Option<Vec<GameData>>, Failure> {
        let path = self.path(shard);
        if !path.exists() {
            return Ok(None);
        }
        let games = read_games_of(&path, &path, self.game)?;
        let is_of_run = |(game, number): (&GameData, u32)| {
            (game.seed, game.nodes, game.number) == (self.seed, self.nodes, number)
        };
        if games.len() == shard.0.len() && games.iter().zip(shard.numbers()).all(is_of_run) {
            return Ok(Some(games));
        }
        if games.len() < shard.0.len() && games.iter().zip(shard.numbers()).all(is_of_run) {
            return Err(Failure::Input(format!(
                "{} has {} of its {} games: it was cut off, or is of a run with other --games or --shard-games; delete \
                 it, and the same command plays them",
                path.display(),
                games.len(),
                shard.0.len()
            )));
        }
        Err(Failure::Input(format!(
            "{} holds games of a run with other --nodes, --games or --shard-games; use another seed or folder, or delete it",
            path.display()
        )))
    }
}

/// Collects games in any order and writes each shard when it is complete.
#[derive(Debug)]
pub(crate) struct ShardWriter<'a> {
    plan: &'a ShardPlan<'a>,
    missing: &'a [Shard],
    /// The games of incomplete shards, by the first number of the shard, then by their own.
    collected: BTreeMap<u32, BTreeMap<u32, Vec<u8>>>,
    /// The first numbers of the written shards.
    written: BTreeSet<u32>,
}

impl<'a> ShardWriter<'a> {
    pub(crate) fn new(plan: &'a ShardPlan<'a>, missing: &'a [Shard]) -> Self {
        ShardWriter { plan, missing, collected: BTreeMap::new(), written: BTreeSet::new() }
    }

    /// Adds a game. Returns the name of the file if it completed a shard.
    pub(crate) fn add(&mut self, game: GameData) -> Result<Option<String>, Failure> {
        let index = self.missing.partition_point(|shard| shard.0.end <= game.number);
        let shard = self.missing.get(index).filter(|shard| shard.0.contains(&game.number));
        let shard = shard.expect("the games of missing shards are played");
        let games = self.collected.entry(shard.0.start).or_default();
        games.insert(game.number, game.to_bytes());
        if games.len() < shard.0.len() {
            return Ok(None);
        }
        let bytes = games.values().flatten().copied().collect::<Vec<_>>();
        self.collected.remove(&shard.0.start);
        let path = self.plan.path(shard);
        write_file(&path, &bytes)?;
        self.written.insert(shard.0.start);
        Ok(path.file_name().map(|name| name.to_string_lossy().into_owned()))
    }

    /// Checks that all shards are written.
    pub(crate) fn finish(self) -> CommandResult {
        match self.missing.iter().map(|shard| shard.0.start).find(|first| !self.written.contains(first)) {
            None => Ok(()),
            Some(first) => Err(Failure::Input(format!(
                "a search thread stopped because of an internal error, so the shard of game {first} is not written; run the same command again, \
                 which plays only the missing shards"
            ))),
        }
    }
}

/// Returns a shard itself, or the shards of a folder by name.
///
/// # Errors
/// If the folder cannot be read or has no shards.
pub(crate) fn shard_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    let name = path.display();
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {name}"))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.with_context(|| format!("cannot read {name}"))?.path();
        if file.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::Input(format!("{name} has no files that end in .{EXTENSION}")));
    }
    Ok(files)
}

/// Returns which shards of a folder with several games are of which, and what to do about those of another game than
/// this one. `None` for a folder with one game.
fn describe_mixed_folder(folder: &Path, game: &str) -> Option<String> {
    let mut names = BTreeMap::<String, Vec<String>>::new();
    for file in shard_files(folder).unwrap_or_default() {
        // A damaged shard is found when it is read.
        let Some(games) = fs::read(&file).ok().and_then(|bytes| read_shard(&bytes).ok()) else { continue };
        let Some(first) = games.first() else { continue };
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        names.entry(first.game.to_string()).or_default().push(name);
    }
    if names.len() < 2 {
        return None;
    }
    let describe = |(game, files): (&String, &Vec<String>)| match &files[..] {
        [first, .., last] => format!("{game} ({} files, {first} to {last})", files.len()),
        files => format!("{game} ({})", files.concat()),
    };
    let found: Vec<_> = names.iter().map(describe).collect();
    let advice = match names.contains_key(game) {
        true => format!("name the files of {game} one by one, or move each game into a folder of its own"),
        false => format!("there are none of {game}: name the game of the shards, or another folder"),
    };
    Some(format!("{} has shards of {}; {advice}", folder.display(), found.join(" and ")))
}

/// Reads the games of a shard, at least one, which must be of this game. `path` is the shard itself or its folder.
///
/// # Errors
/// With file, game and byte; with the games of all shards if the folder has some of another game.
pub(crate) fn read_games_of(path: &Path, file: &Path, game: &str) -> Result<Vec<GameData>, Failure> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let located = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", file.display()));
    let games = read_shard(&bytes).map_err(|error| located(&error))?;
    if games.is_empty() {
        return Err(located(&"the file is empty, but a shard has games; delete it"));
    }
    match games.iter().find(|other| other.game != game) {
        None => Ok(games),
        Some(other) => Err(match describe_mixed_folder(path, game) {
            Some(description) => Failure::Input(description),
            None => located(&format_args!("the games are of {}, not of {game}", other.game)),
        }),
    }
}

/// Reads all games of shards and of folders with shards.
///
/// # Errors
/// With file, game and byte; or if a file is there twice, as its games would be both trained on and held out.
pub(crate) fn read_games(paths: &[PathBuf], game: &str) -> Result<Vec<GameData>, Failure> {
    let (mut games, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        let mut lengths = ShardLengths::default();
        for file in shard_files(path)? {
            // A file that cannot be found is reported when it is read, and a pipe has no such path.
            if !seen.insert(fs::canonicalize(&file).unwrap_or_else(|_| file.clone())) {
                let file = file.display();
                return Err(Failure::Input(format!("{file} is given twice: name it or its folder once")));
            }
            let found = read_games_of(path, &file, game)?;
            lengths.add(&file, &found);
            games.extend(found);
        }
        lengths.check()?;
    }
    Ok(games)
}

/// The number of games of each shard of a folder, by seed and number of the first game. A shard that was cut off after
/// a whole game is known by it: all shards of a run but the last have the same number.
#[derive(Debug, Default)]
struct ShardLengths(BTreeMap<u32, BTreeMap<u32, (PathBuf, usize)>>);

impl ShardLengths {
    fn add(&mut self, file: &Path, games: &[GameData]) {
        if let Some(GameData { seed, number, .. }) = games.first() {
            self.0.entry(*seed).or_default().insert(*number, (file.to_owned(), games.len()));
        }
    }

    fn check(&self) -> CommandResult {
        for shards in self.0.values() {
            let whole = shards.values().map(|(_, length)| *length).max().unwrap_or_default();
            let mut before_last = shards.values().rev().skip(1);
            if let Some((file, length)) = before_last.find(|(_, length)| *length < whole) {
                return Err(Failure::Input(format!(
                    "{} has {}, and other shards of its run have {whole}: it was cut off; delete it, and \
                     the same `alfil selfplay` plays them again",
                    file.display(),
                    plural(*length as u64, "game")
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_of_which_no_game_came_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let plan = ShardPlan {
            folder: folder.path(),
            game: "chess",
            seed: 1,
            nodes: 100,
            games: 6,
            shard_games: 3,
            hash: 1,
            network: None,
        };
        let missing: Vec<_> = plan.shards().skip(1).collect();
        let error = ShardWriter::new(&plan, &missing).finish();
        let Err(Failure::Input(text)) = error else { panic!("{error:?}") };
        assert!(text.contains("the shard of game 3 is not written"), "{text}");
        assert!(ShardWriter::new(&plan, &[]).finish().is_ok());
    }
}
