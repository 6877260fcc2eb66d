//! A store of games in memory, for tests and for programs that keep the games elsewhere: it says what has changed, and
//! is given the moves of a game when they are needed. Its library has the games of one browser.

mod comparison;
mod damage;
mod import;
mod library;
mod rows;
mod summaries;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_session::game_length::final_score;
use alfil_session::played_game::{EditHistory, GameRecord};
use alfil_session::{OpeningNamesCache, SessionError};

use crate::game_store::{
    GameStore, KEPT_SECONDS, MAX_IMPORT_SECONDS, MAX_LISTED_GAMES, SaveError, SavedDate,
};
use crate::host::PageHost;
use crate::library::GameLibrary;
use crate::open_game::OpenGame;
use crate::request_error::{ErrorCode, RequestError};
use crate::stored::{StoredEdits, StoredNode, unpack_tree};
use crate::tag_summary::TagSummary;
use crate::wire::{LibraryQuery, SavedGame};

pub use self::damage::DamagedPart;
use self::library::{LastList, ListedGame};
pub use self::rows::{
    ChangedGame, MoveBlock, SavedCollection, SavedPositionKeys, SavedRow, SavedSummary, StoreChanges,
};
pub use self::summaries::StaleGames;

/// The number of moves that are kept together.
pub const BLOCK_NODES: usize = 64;

/// The moves of a game.
#[derive(Debug)]
enum Moves {
    /// The caller has saved them, and they were not needed yet.
    Elsewhere,
    /// They are those of an imported game.
    Packed(String),
    /// The nodes by their numbers.
    Nodes(Vec<Option<StoredNode>>),
}

/// A game in memory.
#[derive(Debug)]
struct MemoryGame {
    row: SavedRow,
    moves: Moves,
    /// The keys of its positions in ascending order; `None` if they are not known.
    keys: Option<Vec<u64>>,
    /// What lists show and search; made when it is needed.
    listed: Option<ListedGame>,
}

impl MemoryGame {
    fn new(row: SavedRow, moves: Moves) -> MemoryGame {
        MemoryGame { row, moves, keys: None, listed: None }
    }

    /// Returns the game with its moves; `None` if they have to be put before.
    fn record(&self) -> Result<Option<GameRecord>, SessionError> {
        let nodes = match &self.moves {
            Moves::Elsewhere => return Ok(None),
            Moves::Packed(text) => unpack_tree(text).map_err(SessionError::from_error)?,
            Moves::Nodes(nodes) => nodes.clone(),
        };
        self.row.record.clone().into_record(nodes).map(Some)
    }
}

#[derive(Debug, Default)]
struct Games {
    by_id: HashMap<String, MemoryGame>,
    collections: BTreeMap<String, SavedCollection>,
    /// The games that have changed since the changes were taken, with the numbers of their changed blocks.
    changed: BTreeMap<String, BTreeSet<usize>>,
    /// The games whose positions were found since then.
    indexed: BTreeSet<String>,
    changed_collections: BTreeSet<String>,
    removed: BTreeSet<String>,
    removed_collections: BTreeSet<String>,
    /// The games whose moves are in memory.
    with_moves: BTreeSet<String>,
    /// The greatest number of a game or a collection.
    last_number: i64,
    /// Counts what lists may show.
    version: u64,
    last_list: LastList,
}

/// A store of games in memory. Its clones have the same games.
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::wire::NewGame;
/// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
///
/// let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
/// let new = NewGame { game: "othello".into(), moves: vec!["f5".into()], ..NewGame::default() };
/// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
/// store.save(&mut game, 1, SavedDate::Now).unwrap();
/// // What has changed is kept elsewhere, and put back when it is needed.
/// for changed in store.take_changes(None).games {
///     elsewhere.put(changed.row, Some(changed.blocks.into_values().collect()));
/// }
/// assert_eq!(elsewhere.load(&game.id).unwrap().tree().move_count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct MemoryStore {
    host: PageHost,
    games: Arc<Mutex<Games>>,
    openings: OpeningNamesCache,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new(host: PageHost) -> MemoryStore {
        MemoryStore { host, games: Arc::default(), openings: OpeningNamesCache::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over a game that the caller has saved, with the blocks of its moves in order. Without them, the known
    /// moves stay if they are of the same revision.
    pub fn put(&self, row: SavedRow, blocks: Option<Vec<MoveBlock>>) {
        let mut games = self.lock();
        games.changed.remove(&row.id);
        games.last_number = games.last_number.max(row.number);
        let mut known = games.by_id.remove(&row.id);
        // What lists show of a game stays as long as its row is the same, as their order does.
        let listed = known.as_mut().filter(|known| known.row == row).map(|known| known.listed.take());
        if listed.is_none() {
            games.version += 1;
        }
        let known = known.filter(|known| known.row.revision == row.revision);
        let moves = blocks.map(moves_of_blocks);
        let (known_moves, keys) = known.map_or((Moves::Elsewhere, None), |known| (known.moves, known.keys));
        let moves = moves.unwrap_or(known_moves);
        if !matches!(moves, Moves::Elsewhere) {
            games.with_moves.insert(row.id.clone());
        }
        games.by_id.insert(
            row.id.clone(),
            MemoryGame { keys, listed: listed.flatten(), ..MemoryGame::new(row, moves) },
        );
    }

    /// Takes over a collection that the caller has saved.
    pub fn put_collection(&self, collection: SavedCollection) {
        let mut games = self.lock();
        games.changed_collections.remove(&collection.id);
        games.last_number = games.last_number.max(collection.number);
        if games.collections.get(&collection.id) != Some(&collection) {
            games.version += 1;
            games.collections.insert(collection.id.clone(), collection);
        }
    }

    /// Forgets a game that the caller does not keep any more.
    pub fn remove(&self, id: &str) {
        let mut games = self.lock();
        games.changed.remove(id);
        if games.by_id.remove(id).is_some() {
            games.version += 1;
        }
    }

    /// Forgets a collection that the caller does not keep any more.
    pub fn remove_collection(&self, id: &str) {
        let mut games = self.lock();
        games.changed_collections.remove(id);
        if games.collections.remove(id).is_some() {
            games.version += 1;
        }
    }

    /// Removes games and collections that were deleted long ago, and imports that did not end.
    pub fn purge(&self) {
        self.purge_at((self.host.unix_seconds)());
    }

    /// Removes what is removed at a time, in seconds since 1970.
    fn purge_at(&self, now: i64) {
        let mut games = self.lock();
        let is_old = |deleted: Option<i64>| deleted.is_some_and(|deleted| deleted < now - KEPT_SECONDS);
        let collections: BTreeSet<_> = games
            .collections
            .values()
            .filter(|each| {
                is_old(each.deleted) || (!each.is_complete && each.created < now - MAX_IMPORT_SECONDS)
            })
            .map(|each| each.id.clone())
            .collect();
        let is_purged = |row: &SavedRow| {
            is_old(row.deleted) || row.collection.as_ref().is_some_and(|id| collections.contains(id))
        };
        let purged: Vec<_> = games
            .by_id
            .values()
            .filter(|game| is_purged(&game.row))
            .map(|game| game.row.id.clone())
            .collect();
        games.remove_for_ever(&purged, collections);
    }

    /// Returns the revision of a game, deleted or not, and whether its moves have to be put before it can be loaded.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::NewGame;
    /// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
    ///
    /// let store = MemoryStore::new(HOST);
    /// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into()], ..NewGame::default() };
    /// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
    /// store.save(&mut game, 1, SavedDate::Now).unwrap();
    /// assert_eq!(store.revision(&game.id), Some((1, false)));
    /// // Once the changes are kept elsewhere, the moves have to be put before the game is loaded again.
    /// store.take_changes(None);
    /// assert_eq!(store.revision(&game.id), Some((1, true)));
    /// ```
    pub fn revision(&self, id: &str) -> Option<(i64, bool)> {
        let games = self.lock();
        games.by_id.get(id).map(|game| (game.row.revision, matches!(game.moves, Moves::Elsewhere)))
    }

    /// Takes what has changed since the last call, to keep it elsewhere. The moves of games other than `open` are
    /// forgotten.
    pub fn take_changes(&self, open: Option<&str>) -> StoreChanges {
        let mut games = self.lock();
        let mut changed = std::mem::take(&mut games.changed);
        let indexed = std::mem::take(&mut games.indexed);
        for id in &indexed {
            changed.entry(id.clone()).or_default();
        }
        let of_game = |(id, blocks): (String, BTreeSet<usize>)| {
            let game = games.by_id.get(&id)?;
            let blocks =
                blocks.into_iter().filter_map(|number| Some((number, game.block(number)?))).collect();
            let positions = indexed.contains(&id).then(|| game.saved_position_keys()).flatten();
            Some(ChangedGame { row: game.row.clone(), blocks, positions })
        };
        let changed_games = changed.into_iter().filter_map(of_game).collect();
        for id in std::mem::take(&mut games.with_moves) {
            if open == Some(&*id) {
                games.with_moves.insert(id);
            } else if let Some(game) = games.by_id.get_mut(&id) {
                game.moves = Moves::Elsewhere;
            }
        }
        let collections = std::mem::take(&mut games.changed_collections);
        StoreChanges {
            games: changed_games,
            collections: collections.iter().filter_map(|id| games.collections.get(id).cloned()).collect(),
            removed: std::mem::take(&mut games.removed).into_iter().collect(),
            removed_collections: std::mem::take(&mut games.removed_collections).into_iter().collect(),
        }
    }
}

/// Returns the moves of blocks in order.
fn moves_of_blocks(blocks: Vec<MoveBlock>) -> Moves {
    let mut nodes = Vec::with_capacity(blocks.len() * BLOCK_NODES);
    for (number, block) in blocks.into_iter().enumerate() {
        match block {
            MoveBlock::Packed(text) => return Moves::Packed(text),
            MoveBlock::Nodes(block) => {
                nodes.resize(number * BLOCK_NODES, None);
                nodes.extend(block.into_iter().take(BLOCK_NODES));
            }
        }
    }
    Moves::Nodes(nodes)
}

impl MemoryGame {
    fn block(&self, number: usize) -> Option<MoveBlock> {
        match &self.moves {
            Moves::Elsewhere => None,
            Moves::Packed(text) => Some(MoveBlock::Packed(text.clone())),
            Moves::Nodes(nodes) => {
                let start = (number * BLOCK_NODES).min(nodes.len());
                Some(MoveBlock::Nodes(nodes[start..nodes.len().min(start + BLOCK_NODES)].to_vec()))
            }
        }
    }
}

impl Games {
    /// Returns whether a game is neither deleted, itself or with its collection, nor being imported. A collection that
    /// is not known yet hides nothing.
    fn is_visible(&self, row: &SavedRow) -> bool {
        let collection = row.collection.as_ref().and_then(|id| self.collections.get(id));
        row.deleted.is_none() && collection.is_none_or(SavedCollection::is_visible)
    }

    /// Returns whether a game is deleted, itself or with its collection, and can be restored.
    fn is_deleted(&self, row: &SavedRow) -> bool {
        let collection = row.collection.as_ref().and_then(|id| self.collections.get(id));
        let is_with_collection = collection.is_some_and(|each| each.deleted.is_some());
        (row.deleted.is_some() || is_with_collection) && collection.is_none_or(|each| each.is_complete)
    }

    /// Returns whether a game is one of those that a query is about: the deleted ones, or the others.
    fn is_wanted(&self, row: &SavedRow, query: &LibraryQuery) -> bool {
        if query.deleted { self.is_deleted(row) } else { self.is_visible(row) }
    }

    fn is_visible_id(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|game| self.is_visible(&game.row))
    }

    /// Returns the game that is to be saved: a new one, or the one that was read.
    fn writable(&mut self, game: &OpenGame) -> Result<&mut MemoryGame, SaveError> {
        match (self.by_id.get(&game.id), game.revision) {
            (None, 0) => {
                let row = SavedRow::new(game.id.clone(), game.record(), self.next_number());
                self.by_id.insert(game.id.clone(), MemoryGame::new(row, Moves::Nodes(Vec::new())));
            }
            (None, _) => return Err(SaveError::Deleted),
            (Some(known), _) if !self.is_visible(&known.row) => return Err(SaveError::Deleted),
            (Some(known), revision) if known.row.revision != revision => return Err(SaveError::Conflict),
            (Some(_), _) => {}
        }
        self.by_id.get_mut(&game.id).ok_or(SaveError::Deleted)
    }

    /// Returns the number of the next game or collection.
    fn next_number(&mut self) -> i64 {
        self.last_number += 1;
        self.last_number
    }

    /// Notes that the row of a game has changed.
    fn note_change(&mut self, id: &str) -> &mut BTreeSet<usize> {
        self.version += 1;
        self.changed.entry(id.to_owned()).or_default()
    }

    fn note_collection_change(&mut self, id: &str) {
        self.version += 1;
        self.changed_collections.insert(id.to_owned());
    }

    /// Removes games and collections, and has them removed where they are kept.
    fn remove_for_ever(&mut self, ids: &[String], collections: impl IntoIterator<Item = String>) {
        for id in ids {
            self.changed.remove(id);
            self.indexed.remove(id);
            self.by_id.remove(id);
            self.removed.insert(id.clone());
        }
        for id in collections {
            self.changed_collections.remove(&id);
            self.collections.remove(&id);
            self.removed_collections.insert(id);
        }
        self.version += 1;
    }

    /// Deletes or restores a game.
    fn set_deleted(&mut self, id: &str, deleted: Option<i64>) {
        if let Some(game) =
            self.by_id.get_mut(id).filter(|game| game.row.deleted.is_some() != deleted.is_some())
        {
            game.row.deleted = deleted;
            self.note_change(id);
        }
    }
}

fn no_game(id: &str, kind: &str) -> RequestError {
    RequestError::new(ErrorCode::NotFound, format!("there is no {kind} game {id:?}"))
}

impl GameStore for MemoryStore {
    fn save(&self, game: &mut OpenGame, _saved_by: u64, date: SavedDate) -> Result<(), SaveError> {
        let mut changed_nodes = game.nodes_to_save();
        let mut games = self.lock();
        let kept = games.writable(game)?;
        let tree = game.tree();
        if date == SavedDate::Now || kept.row.revision == 0 {
            kept.row.changed = (self.host.unix_seconds)();
        }
        let edits = game.played.edits();
        let former_edits = kept.row.edits.take();
        kept.row.edits = if date == SavedDate::Kept && edits.is_empty() {
            // Nothing was edited: the edits of another window can still be undone.
            former_edits.and_then(|edits| edits.for_next_revision(kept.row.revision))
        } else {
            StoredEdits::new(edits, kept.row.revision + 1)
        };
        kept.row.revision += 1;
        kept.row.plies = i64::try_from(game.record().main_line_plies()).unwrap_or(i64::MAX);
        kept.row.record = game.record().into();
        kept.listed = None;
        match &mut kept.row.summary {
            // The moves are the same.
            Some(summary) if date == SavedDate::Kept && summary.revision + 1 == kept.row.revision => {
                summary.revision += 1;
            }
            _ => kept.keys = None,
        }
        if !matches!(kept.moves, Moves::Nodes(_)) {
            // The blocks are written whole.
            changed_nodes.extend(tree.iter().map(|(number, _)| number));
            kept.moves = Moves::Nodes(Vec::new());
        }
        if let Moves::Nodes(nodes) = &mut kept.moves {
            for &number in &changed_nodes {
                if nodes.len() <= number {
                    nodes.resize(number + 1, None);
                }
                nodes[number] = tree.node(number).map(StoredNode::from);
            }
        }
        games.with_moves.insert(game.id.clone());
        let blocks = games.note_change(&game.id);
        blocks.extend(changed_nodes.into_iter().map(|number| number / BLOCK_NODES));
        game.on_saved();
        Ok(())
    }

    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        let mut games = self.lock();
        if games.is_visible_id(&game.id)
            && let Some(known) = games.by_id.get_mut(&game.id)
            && known.row.revision == game.revision
        {
            known.row.record = game.record().into();
            games.changed.entry(game.id.clone()).or_default();
        }
        Ok(())
    }

    fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let games = self.lock();
        let kept = games.by_id.get(id).filter(|game| games.is_visible(&game.row));
        let loaded = kept.and_then(|kept| Some((kept.row.revision, kept.record().transpose()?)));
        let (revision, record) = loaded.ok_or_else(|| no_game(id, "saved"))?;
        drop(games);
        Ok(OpenGame::from_saved(id.to_owned(), revision, record?, self.host.now())?)
    }

    fn edits(&self, id: &str, revision: i64) -> Option<EditHistory> {
        let edits = self.lock().by_id.get(id)?.row.edits.clone();
        edits?.into_history(revision)
    }

    fn delete(&self, id: &str) -> Result<(), SessionError> {
        self.lock().set_deleted(id, Some((self.host.unix_seconds)()));
        Ok(())
    }

    fn restore(&self, id: &str) -> Result<(), RequestError> {
        self.lock().restore(&[id.to_owned()]).map(drop)
    }

    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let games = self.lock();
        let is_shown = |row: &&SavedRow| row.collection.is_none() && games.is_visible(row);
        let mut rows: Vec<_> = games.by_id.values().map(|game| &game.row).filter(is_shown).collect();
        rows.sort_by(|one, other| {
            (other.changed, other.number, &other.id).cmp(&(one.changed, one.number, &one.id))
        });
        let shown = rows.iter().skip(skip as usize).take(MAX_LISTED_GAMES).map(|row| {
            let summary = row.summary.as_ref().filter(|summary| summary.revision == row.revision);
            let TagSummary { players, mut result, event, .. } = TagSummary::new(&row.game, row.record.tags());
            if let Some(summary) = summary.filter(|_| result.is_empty()) {
                result.clone_from(&summary.result);
            }
            SavedGame {
                id: row.id.clone(),
                game: row.game.clone(),
                plies: row.plies,
                changed: row.changed,
                players,
                result,
                score: summary.and_then(|summary| final_score(&row.game, &summary.placement)),
                event,
                damaged: false,
            }
        });
        Ok((shown.collect(), rows.len() > skip as usize + MAX_LISTED_GAMES))
    }

    fn library(&self) -> Option<&dyn GameLibrary> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
