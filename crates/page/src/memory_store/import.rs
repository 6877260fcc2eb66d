//! A running import: the file is collected, and its games are read and saved some at a time.

use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use alfil_session::SessionError;

use super::{Games, MemoryGame, MemoryStore, Moves, SavedCollection, SavedRow};
use crate::library::{FileGames, GameImport, ImportOptions, ImportedGame, free_name};
use crate::tag_summary::TagSummary;
use crate::wire::{CollectionName, ImportProgress};

/// The largest file, in bytes: it is in the memory of the browser as a whole.
const MAX_FILE_BYTES: usize = 128 << 20;
/// The number of games that are saved in a transaction.
const GAMES_AT_ONCE: usize = 500;
/// The time after which those that were read are saved, so that the progress is seen and the import can be cancelled.
const MAX_TIME: Duration = Duration::from_millis(200);

/// The bytes of a file, which are counted as they are read.
struct CountedFile {
    bytes: Cursor<Vec<u8>>,
    count: Arc<AtomicU64>,
}

impl Read for CountedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A running import. Dropped before its end, it is cancelled.
pub(super) struct MemoryImport {
    store: MemoryStore,
    options: ImportOptions,
    /// The id of the collection, which is hidden until it is complete.
    collection: String,
    bytes: Vec<u8>,
    count: Arc<AtomicU64>,
    games: Option<FileGames<CountedFile>>,
    /// The ids of the games that were saved.
    ids: Vec<String>,
    /// The report of the import, when it is complete.
    report: Option<ImportProgress>,
}

impl MemoryImport {
    /// Creates the collection.
    pub(super) fn begin(store: MemoryStore, options: ImportOptions) -> MemoryImport {
        let mut games = store.lock();
        let collection = SavedCollection {
            id: store.host.new_id(),
            number: games.next_number(),
            name: options.name.clone(),
            created: (store.host.unix_seconds)(),
            is_complete: false,
            deleted: None,
        };
        let id = collection.id.clone();
        games.collections.insert(id.clone(), collection);
        games.note_collection_change(&id);
        drop(games);
        MemoryImport {
            store,
            options,
            collection: id,
            bytes: Vec::new(),
            count: Arc::default(),
            games: None,
            ids: Vec::new(),
            report: None,
        }
    }

    fn progress(&self) -> ImportProgress {
        let progress = self.games.as_ref().map(|games| games.progress().clone()).unwrap_or_default();
        ImportProgress { bytes: self.count.load(Ordering::Relaxed), ..progress }
    }

    /// Reads and saves the next games. Returns whether there are no more.
    fn save_next_games(&mut self) -> Result<bool, SessionError> {
        let MemoryImport { store, options, games, .. } = self;
        let games = match games {
            Some(games) => games,
            None => {
                let file = CountedFile {
                    bytes: Cursor::new(std::mem::take(&mut self.bytes)),
                    count: Arc::clone(&self.count),
                };
                let opened = FileGames::new(file, options).map_err(SessionError::from_error)?;
                games.insert(opened)
            }
        };
        let start = store.host.now();
        let mut read = Vec::new();
        let mut is_at_end = false;
        while !is_at_end && read.len() < GAMES_AT_ONCE && store.host.now() < start + MAX_TIME {
            match games.next_game(&store.openings).map_err(SessionError::from_error)? {
                Some(game) => read.push(game),
                None => is_at_end = true,
            }
        }
        let ids = store.insert_imported(&self.collection, read);
        self.ids.extend(ids);
        Ok(is_at_end)
    }

    /// Shows the collection. A single game is taken out of it, and the collection removed.
    fn complete(&mut self) -> ImportProgress {
        let first = self.ids.first().cloned();
        let mut games = self.store.lock();
        let is_collection = self.ids.len() > 1;
        let collection_name =
            is_collection.then(|| games.name_collection(&self.collection, &self.options.name));
        if let Some(CollectionName { name, .. }) = &collection_name {
            if let Some(collection) = games.collections.get_mut(&self.collection) {
                (collection.is_complete, collection.name) = (true, name.clone());
            }
            games.note_collection_change(&self.collection);
        } else {
            for id in &self.ids {
                if let Some(game) = games.by_id.get_mut(id) {
                    (game.row.collection, game.listed) = (None, None);
                }
                games.note_change(id);
            }
            games.remove_for_ever(&[], [self.collection.clone()]);
        }
        drop(games);
        let collection = is_collection.then(|| self.collection.clone());
        let report = ImportProgress { done: true, collection, collection_name, first, ..self.progress() };
        self.report.insert(report).clone()
    }
}

impl GameImport for MemoryImport {
    fn push(&mut self, bytes: Vec<u8>) -> Result<ImportProgress, SessionError> {
        if self.bytes.len() + bytes.len() > MAX_FILE_BYTES {
            let limit = MAX_FILE_BYTES >> 20;
            let message = format!("a file has at most {limit} MiB here: divide it, or use the program Alfil");
            return Err(SessionError::new(message)
                .with_chinese(format!("此处的文件至多 {limit} MiB：请将其分开，或使用 Alfil 程序")));
        }
        self.bytes.extend(bytes);
        Ok(self.progress())
    }

    fn finish(&mut self) -> Result<ImportProgress, SessionError> {
        if let Some(report) = &self.report {
            return Ok(report.clone());
        } else if !self.save_next_games()? {
            return Ok(self.progress());
        }
        let progress = self.progress();
        if progress.games == 0 {
            return Err(progress.refusal());
        }
        Ok(self.complete())
    }
}

impl Drop for MemoryImport {
    fn drop(&mut self) {
        if self.report.is_none() {
            self.store.lock().remove_for_ever(&self.ids, [self.collection.clone()]);
        }
    }
}

impl MemoryStore {
    /// Saves games of an import; returns their ids.
    fn insert_imported(&self, collection: &str, imported: Vec<ImportedGame>) -> Vec<String> {
        let changed = (self.host.unix_seconds)();
        let mut games = self.lock();
        let mut ids = Vec::with_capacity(imported.len());
        for ImportedGame { record, summary } in imported {
            let row = SavedRow {
                plies: i64::try_from(summary.index.plies).unwrap_or(i64::MAX),
                revision: 1,
                changed,
                collection: Some(collection.to_owned()),
                ..SavedRow::new(self.host.new_id(), &record, games.next_number())
            };
            let id = row.id.clone();
            let mut game = MemoryGame::new(row, Moves::of_tree(&record.tree));
            game.set_summary(Some(&summary));
            let blocks = match &game.moves {
                Moves::Nodes(nodes) => nodes.len().div_ceil(super::BLOCK_NODES),
                _ => 1,
            };
            games.by_id.insert(id.clone(), game);
            games.note_change(&id).extend(0..blocks);
            games.note_refreshed(&id);
            games.with_moves.insert(id.clone());
            ids.push(id);
        }
        ids
    }
}

/// What two files of the same games have in common: kind, players, date, event, length and last position of each game.
type GameFacts = (String, [String; 2], String, String, i64, String);

impl Games {
    /// Returns a name for an imported collection that no other one has, and the newest one with the same games.
    fn name_collection(&self, id: &str, wanted: &str) -> CollectionName {
        let others = || self.collections.values().filter(|other| other.id != id && other.is_visible());
        let taken: Vec<_> = others().map(|other| other.name.clone()).collect();
        let facts = self.facts_of(id);
        let mut same: Vec<_> = others().filter(|other| self.facts_of(&other.id) == facts).collect();
        same.sort_by_key(|other| other.place());
        let name = free_name(wanted, &taken);
        let is_renamed = name != wanted;
        CollectionName { name, is_renamed, same_games: same.last().map(|other| other.name.clone()) }
    }

    /// Returns what is compared of the games of a collection.
    fn facts_of(&self, collection: &str) -> Vec<GameFacts> {
        let is_member = |game: &&MemoryGame| {
            game.row.collection.as_deref() == Some(collection) && game.row.deleted.is_none()
        };
        let facts = |MemoryGame { row, .. }: &MemoryGame| {
            let TagSummary { players, date, event, .. } = TagSummary::new(&row.game, row.record.tags());
            let placement = row.summary.as_ref().map(|summary| summary.placement.clone());
            (row.game.clone(), players, date, event, row.plies, placement.unwrap_or_default())
        };
        let mut all: Vec<_> = self.by_id.values().filter(is_member).map(facts).collect();
        all.sort_unstable();
        all
    }
}
