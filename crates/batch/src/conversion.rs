//! Conversion of games to a format: filtered, without repeated games, sorted, split to several files.
//!
//! Games are written as they come; only what sorting and the search for repeated games need stays in memory, and the
//! games of a WTHOR base, which is written as a whole. No file under its final name is incomplete: see [`output`].

mod dedupe;
mod losses;
pub mod output;
mod preparation;
mod settings;
mod sort_key;
mod sorter;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_session::registry;

use crate::fault::{Fault, FaultList};
use crate::source::{Place, SourceItem};
use dedupe::SeenGames;
use output::{GroupName, Output};
pub use output::{OutputError, UnfinishedFiles};
pub use preparation::{Preparation, PreparedGames};
use preparation::{PreparedGame, PreparedItem};
pub use settings::{
    ConversionSettings, SettingsError, Split, charset_names, record_dialects, target_formats,
};
pub use sort_key::{SortKey, SortKeyError};
use sorter::Sorter;
use writer::Written;

/// The counts of a conversion.
///
/// ```
/// use alfil_batch::conversion::ConversionTotals;
///
/// let totals = ConversionTotals { games: 9, written: 5, filtered: 3, duplicates: 1, ..ConversionTotals::default() };
/// assert_eq!(totals.skipped(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionTotals {
    /// The games read.
    pub games: u64,
    /// The games written.
    pub written: u64,
    /// The games that the filter left out.
    pub filtered: u64,
    /// The games left out because one with the same start and moves was written before.
    pub duplicates: u64,
    /// The games that could not be written, each of which is a fault.
    pub failed: u64,
    /// What could not be read or written.
    pub faults: FaultList,
}

impl ConversionTotals {
    /// Returns the number of games read and not written.
    pub fn skipped(&self) -> u64 {
        self.filtered + self.duplicates + self.failed
    }
}

/// The counts of a conversion, which another thread may read.
///
/// ```
/// use alfil_batch::conversion::SharedTotals;
///
/// let totals = SharedTotals::default();
/// let seen_by_progress_bar = totals.clone();
/// totals.lock().games += 1;
/// assert_eq!(seen_by_progress_bar.lock().games, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SharedTotals(Arc<Mutex<ConversionTotals>>);

impl SharedTotals {
    /// Locks the counts. The conversion waits while they are locked.
    pub fn lock(&self) -> MutexGuard<'_, ConversionTotals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A conversion: it receives games and faults and writes the games.
///
/// ```
/// use std::path::Path;
///
/// use alfil_batch::conversion::{Conversion, ConversionSettings};
/// use alfil_batch::source::{Source, SourceOptions};
/// use alfil_session::FileFormat;
///
/// let folder = tempfile::tempdir()?;
/// let (input, output) = (folder.path().join("in.pgn"), folder.path().join("out.pgn"));
/// std::fs::write(&input, "1. e4 {best} e5 *\n")?;
/// let source = Source::open(&[input], &SourceOptions::default())?;
/// let settings = ConversionSettings { keep_comments: false, ..ConversionSettings::new(FileFormat::Pgn) };
/// let mut conversion = Conversion::new(settings, Some(Path::new(&output)), source.files())?;
/// for item in source {
///     conversion.add(item)?;
/// }
/// let totals = conversion.finish()?;
/// assert_eq!((totals.games, totals.written), (1, 1));
/// assert!(std::fs::read_to_string(output)?.ends_with("\n\n1. e4 e5 *\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Conversion {
    preparation: Preparation,
    seen: Option<SeenGames>,
    sorter: Option<Sorter>,
    output: Output,
    totals: SharedTotals,
}

impl Conversion {
    /// Prepares a conversion to `out`: a file, a directory, or a path with `{}` for the name of each part; `None`
    /// stands for standard output. See [`output`].
    ///
    /// # Errors
    /// If the settings contradict each other, or the output is an input or cannot be written.
    pub fn new(
        settings: ConversionSettings,
        out: Option<&std::path::Path>,
        inputs: &crate::source::InputFiles,
    ) -> Result<Conversion, ConversionError> {
        settings.check()?;
        let output = Output::new(&settings, out, inputs)?;
        let sorter = match settings.sort.is_empty() {
            true => None,
            false => Some(Sorter::new(output.folder())?),
        };
        Ok(Conversion {
            seen: settings.dedupe.then(SeenGames::default),
            preparation: Preparation::new(settings),
            sorter,
            output,
            totals: SharedTotals::default(),
        })
    }

    /// Returns the part of the work that threads can share.
    pub fn preparation(&self) -> Preparation {
        self.preparation.clone()
    }

    /// Returns the unfinished files, for an interruption from another thread.
    pub fn unfinished_files(&self) -> UnfinishedFiles {
        self.output.unfinished_files()
    }

    /// Returns the counts so far.
    pub fn totals(&self) -> SharedTotals {
        self.totals.clone()
    }

    /// Adds what a source yields.
    ///
    /// # Errors
    /// If the output cannot be written. A game that cannot be written is a fault.
    pub fn add(&mut self, item: SourceItem) -> Result<(), OutputError> {
        let item = self.preparation.prepare_item(item);
        self.add_item(item)
    }

    /// Adds the games of a batch that were prepared by [`Conversion::preparation`].
    ///
    /// # Errors
    /// If the output cannot be written. A game that cannot be written is a fault.
    pub fn add_prepared(&mut self, games: PreparedGames) -> Result<(), OutputError> {
        let PreparedGames { items, skipped } = games;
        {
            let mut totals = self.totals.lock();
            totals.games += skipped;
            totals.filtered += skipped;
        }
        items.into_iter().try_for_each(|item| self.add_item(item))
    }

    fn add_item(&mut self, item: PreparedItem) -> Result<(), OutputError> {
        match item {
            PreparedItem::Fault(fault) => self.totals.lock().faults.push(fault),
            PreparedItem::Filtered => {
                let mut totals = self.totals.lock();
                totals.games += 1;
                totals.filtered += 1;
            }
            PreparedItem::Game(game) => return self.add_game(*game),
        }
        Ok(())
    }

    fn add_game(&mut self, game: PreparedGame) -> Result<(), OutputError> {
        let PreparedGame { place, key, sort_key, group, written } = game;
        self.totals.lock().games += 1;
        if let (Some(seen), Some(key)) = (&self.seen, &key)
            && seen.contains(key)
        {
            self.totals.lock().duplicates += 1;
            return Ok(());
        }
        let written = match written {
            Ok((written, losses)) => {
                self.totals.lock().faults.extend(losses.into_iter().map(|what| fault_at(&place, what)));
                written
            }
            Err(what) => {
                self.totals.lock().failed += 1;
                self.totals.lock().faults.push(fault_at(&place, what));
                return Ok(());
            }
        };
        let is_kept = match &mut self.sorter {
            Some(sorter) => sorter.push(&sort_key, group, written).map(|()| true)?,
            None => write_to(&mut self.output, &self.totals, &group, written)?,
        };
        // A later game may take the place of one that cannot be written.
        if let (Some(seen), Some(key), true) = (&mut self.seen, key, is_kept) {
            seen.add(key);
        }
        Ok(())
    }

    /// Writes what is left and gives the files their names.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> Result<ConversionTotals, OutputError> {
        if let Some(sorter) = self.sorter.take() {
            let (output, totals) = (&mut self.output, &self.totals);
            sorter.drain(|group, written| write_to(output, totals, &group, written).map(drop))?;
        }
        self.output.finish()?;
        Ok(self.totals.lock().clone())
    }
}

/// Writes a game and counts it. One that its file cannot hold with the games before it is a fault. Returns whether it
/// is written.
fn write_to(
    output: &mut Output,
    totals: &SharedTotals,
    group: &GroupName,
    written: Written,
) -> Result<bool, OutputError> {
    let fault = output.write(group, written)?;
    let mut totals = totals.lock();
    let is_written = fault.is_none();
    match fault {
        None => totals.written += 1,
        Some(fault) => {
            totals.failed += 1;
            totals.faults.push(fault);
        }
    }
    Ok(is_written)
}

fn fault_at(place: &Place, what: String) -> Fault {
    Fault { file: place.file.clone(), game: Some(place.number), byte: place.byte, what }
}

/// An error that prevents a conversion.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// The settings contradict each other.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Returns the registry entry of a kind of game.
fn entry_of(game: &str) -> Result<&'static alfil_session::GameEntry, String> {
    registry::Registry::default().entry(game).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
