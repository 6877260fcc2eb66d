//! The library of the store in memory: collections, and lists of games that are searched and sorted.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use alfil_session::game_length::final_score;
use alfil_session::{OpeningNamesCache, SessionError};

use super::import::MemoryImport;
use super::summaries::truncated_key;
use super::{Games, MemoryGame, MemoryStore, SavedCollection};
use crate::library::{GameImport, GameLibrary, ImportOptions};
use crate::library_search::{SearchWords, searched_texts};
use crate::name_order::name_sort_key;
use crate::request_error::RequestError;
use crate::tag_summary::TagSummary;
use crate::wire::{
    CollectionList, CollectionRow, LibraryList, LibraryQuery, LibraryRow, LibrarySort, SearchField,
};

/// The games of the last query, so that its other parts need no search.
#[derive(Clone, Debug, Default)]
pub(super) struct LastList {
    query: LibraryQuery,
    key: Option<u64>,
    version: u64,
    ids: Vec<String>,
}

/// What lists show of a game, and by what they sort and search it.
#[derive(Clone, Debug)]
pub(super) struct ListedGame {
    row: LibraryRow,
    /// The sort keys of the players and of the event.
    players: [String; 2],
    event: String,
    /// The words by which the game is found: players, event and place, opening.
    words: [String; 3],
    /// The place among games that are equal otherwise: that in the file, or the newest first.
    place: i64,
}

impl ListedGame {
    fn new(game: &MemoryGame) -> ListedGame {
        let row = &game.row;
        let tags = TagSummary::new(&row.game, row.record.tags());
        let summary = row.summary.clone().unwrap_or_default();
        let [eco, opening, opening_zh] = summary.opening;
        let opponents = row.record.opponents();
        let words = searched_texts(&tags, opponents, [&eco, &opening, &opening_zh]);
        ListedGame {
            players: tags.players.each_ref().map(|name| name_sort_key(name)),
            event: name_sort_key(&tags.event),
            words,
            place: if row.collection.is_some() { row.number } else { -row.number },
            row: LibraryRow {
                id: row.id.clone(),
                game: row.game.clone(),
                collection: row.collection.clone(),
                players: tags.players,
                ratings: tags.ratings,
                person: opponents.person,
                two_people: opponents.two_people,
                level: opponents.level,
                result: if tags.result.is_empty() { summary.result } else { tags.result },
                score: final_score(&row.game, &summary.placement),
                date: tags.date,
                event: tags.event,
                eco,
                opening,
                opening_zh,
                plies: row.plies,
                changed: row.changed,
                placement: summary.placement,
                damaged: false,
            },
        }
    }

    /// Returns whether a query finds the game; `keys` are those of its positions.
    fn matches(&self, query: &LibraryQuery, words: &SearchWords) -> bool {
        let LibraryRow { collection, game, result, .. } = &self.row;
        let [players, event, opening] = self.words.each_ref().map(String::as_str);
        let texts: &[&str] = match query.field {
            None => &[players, event, opening],
            Some(SearchField::Player) => &[players],
            Some(SearchField::Event) => &[event],
            Some(SearchField::Opening) => &[opening],
        };
        let is_in_collection = match &query.collection {
            Some(id) => collection.as_ref() == Some(id),
            None => !query.single || collection.is_none(),
        };
        (query.deleted || is_in_collection)
            && query.game.as_ref().is_none_or(|wanted| wanted == game)
            && query.result.as_ref().is_none_or(|wanted| wanted == result)
            && words.are_in(texts)
    }

    /// Compares two games in the order of a query. Games of which nothing is known come last.
    fn compare(&self, other: &ListedGame, query: &LibraryQuery) -> Ordering {
        let (one, two) = (&self.row, &other.row);
        let unknown = |is_unknown: fn(&LibraryRow) -> bool| is_unknown(one).cmp(&is_unknown(two));
        let (known_first, order) = match query.sort {
            LibrarySort::Changed => (Ordering::Equal, one.changed.cmp(&two.changed)),
            LibrarySort::Date => (unknown(|row| row.date.is_empty()), one.date.cmp(&two.date)),
            LibrarySort::Players => {
                (unknown(|row| row.players.concat().is_empty()), self.players.cmp(&other.players))
            }
            LibrarySort::Event => (unknown(|row| row.event.is_empty()), self.event.cmp(&other.event)),
            LibrarySort::Opening => (
                unknown(|row| row.opening.is_empty()),
                (&one.eco, &one.opening).cmp(&(&two.eco, &two.opening)),
            ),
            LibrarySort::Length => (Ordering::Equal, one.plies.cmp(&two.plies)),
            LibrarySort::Result => (unknown(|row| row.result.is_empty()), one.result.cmp(&two.result)),
        };
        let order = if query.descending { order.reverse() } else { order };
        known_first.then(order).then(self.place.cmp(&other.place)).then_with(|| one.id.cmp(&two.id))
    }
}

impl Games {
    /// Returns the games of a query: those of the last query again, if nothing has changed.
    fn find(
        &mut self,
        query: &LibraryQuery,
        key: Option<u64>,
        openings: &OpeningNamesCache,
    ) -> Result<&LastList, RequestError> {
        self.refresh_held(query, openings);
        let last = &self.last_list;
        if (&last.query, last.key, last.version) != (query, key, self.version) || self.version == 0 {
            if let Some(id) = query.collection.as_ref().filter(|_| !query.deleted) {
                self.visible_collection(id)?;
            }
            let ids = self.search(query, key);
            self.last_list = LastList { query: query.clone(), key, version: self.version, ids };
        }
        Ok(&self.last_list)
    }

    fn search(&mut self, query: &LibraryQuery, key: Option<u64>) -> Vec<String> {
        for game in self.by_id.values_mut().filter(|game| game.listed.is_none()) {
            game.listed = Some(ListedGame::new(game));
        }
        let words = SearchWords::new(&query.search);
        let key = key.map(truncated_key);
        let has_position = |game: &MemoryGame| {
            key.is_none_or(|key| game.keys.as_ref().is_some_and(|keys| keys.binary_search(&key).is_ok()))
        };
        let games = self.by_id.values().filter(|game| self.is_wanted(&game.row, query) && has_position(game));
        let listed = games.filter_map(|game| game.listed.as_ref());
        let mut found: Vec<_> = listed.filter(|game| game.matches(query, &words)).collect();
        found.sort_unstable_by(|one, other| one.compare(other, query));
        found.into_iter().map(|game| game.row.id.clone()).collect()
    }

    /// Returns the ids of the deleted collections of some games, in the order of these.
    fn deleted_collections_of(&self, ids: &[String]) -> Vec<String> {
        let collections = ids.iter().filter_map(|id| self.by_id.get(id)?.row.collection.as_ref());
        let is_deleted = |id: &&String| self.collections.get(*id).is_some_and(|each| each.deleted.is_some());
        let mut found = Vec::new();
        for id in collections.filter(is_deleted) {
            if !found.contains(id) {
                found.push(id.clone());
            }
        }
        found
    }

    /// Returns the ids of the games of a collection.
    fn games_of_collection(&self, id: &str) -> impl Iterator<Item = &String> {
        let rows = self.by_id.values().map(|game| &game.row);
        rows.filter(move |row| row.collection.as_deref() == Some(id)).map(|row| &row.id)
    }

    /// Restores games. Their deleted collections come back with these games only: the others stay deleted, each by
    /// itself. Returns the ids of the collections that came back.
    pub(super) fn restore(&mut self, ids: &[String]) -> Result<Vec<String>, RequestError> {
        if let Some(id) = ids.iter().find(|id| !self.by_id.contains_key(*id)) {
            return Err(super::no_game(id, "deleted"));
        }
        let collections = self.deleted_collections_of(ids);
        for id in &collections {
            let deleted = self.collections.get_mut(id).and_then(|collection| collection.deleted.take());
            self.note_collection_change(id);
            let is_other = |id: &&String| self.by_id.get(*id).is_some_and(|game| game.row.deleted.is_none());
            let others: Vec<_> = self.games_of_collection(id).filter(is_other).cloned().collect();
            others.iter().for_each(|id| self.set_deleted(id, deleted));
        }
        ids.iter().for_each(|id| self.set_deleted(id, None));
        Ok(collections)
    }

    fn visible_collection(&mut self, id: &str) -> Result<&mut SavedCollection, RequestError> {
        let collection = self.collections.get_mut(id).filter(|each| each.is_visible());
        collection.ok_or_else(|| RequestError::no_collection(id))
    }
}

impl MemoryStore {
    /// Returns the ids of the games that change when some games are restored: all games of their deleted collections.
    pub fn games_to_restore(&self, ids: &[String]) -> Vec<String> {
        let games = self.lock();
        let collections = games.deleted_collections_of(ids);
        let others = collections.iter().flat_map(|id| games.games_of_collection(id));
        let all: BTreeSet<_> = ids.iter().chain(others).collect();
        all.into_iter().cloned().collect()
    }
}

impl GameLibrary for MemoryStore {
    fn list_games(
        &self,
        query: &LibraryQuery,
        key: Option<u64>,
        offset: usize,
        limit: usize,
    ) -> Result<LibraryList, RequestError> {
        let mut games = self.lock();
        let LastList { version, ids, .. } = games.find(query, key, &self.openings)?;
        let (total, version) = (ids.len(), version.to_string());
        let part = ids.iter().skip(offset).take(limit).cloned().collect::<Vec<_>>();
        let row = |id: &String| Some(games.by_id.get(id)?.listed.as_ref()?.row.clone());
        Ok(LibraryList { total, version, rows: part.iter().filter_map(row).collect() })
    }

    fn ids(&self, query: &LibraryQuery, key: Option<u64>) -> Result<Vec<String>, RequestError> {
        Ok(self.lock().find(query, key, &self.openings)?.ids.clone())
    }

    fn collections(&self) -> Result<CollectionList, SessionError> {
        let games = self.lock();
        let visible = games.by_id.values().filter(|game| games.is_visible(&game.row));
        let mut counts = std::collections::BTreeMap::<Option<&str>, usize>::new();
        for game in visible {
            *counts.entry(game.row.collection.as_deref()).or_default() += 1;
        }
        let mut collections: Vec<_> = games.collections.values().filter(|each| each.is_visible()).collect();
        collections.sort_by(|one, other| other.place().cmp(&one.place()));
        let count = |id: Option<&str>| counts.get(&id).copied().unwrap_or_default();
        let rows = collections.into_iter().map(|SavedCollection { id, name, .. }| CollectionRow {
            id: id.clone(),
            name: name.clone(),
            games: count(Some(id)),
        });
        let deleted = games.by_id.values().filter(|game| games.is_deleted(&game.row)).count();
        let rows = rows.collect();
        Ok(CollectionList { all: counts.values().sum(), single: count(None), deleted, rows })
    }

    fn rename_collection(&self, id: &str, name: &str) -> Result<(), RequestError> {
        let mut games = self.lock();
        name.clone_into(&mut games.visible_collection(id)?.name);
        games.note_collection_change(id);
        Ok(())
    }

    fn set_collection_deleted(&self, id: &str, is_deleted: bool) -> Result<(), RequestError> {
        let now = (self.host.unix_seconds)();
        let mut games = self.lock();
        let collection = games.collections.get_mut(id);
        let collection = collection.filter(|each| each.is_complete && each.deleted.is_none() == is_deleted);
        collection.ok_or_else(|| RequestError::no_collection(id))?.deleted = is_deleted.then_some(now);
        games.note_collection_change(id);
        Ok(())
    }

    fn delete_games(&self, ids: &[String]) -> Result<(), SessionError> {
        let now = (self.host.unix_seconds)();
        let mut games = self.lock();
        ids.iter().for_each(|id| games.set_deleted(id, Some(now)));
        Ok(())
    }

    fn restore_games(&self, ids: &[String]) -> Result<Vec<String>, RequestError> {
        self.lock().restore(ids)
    }

    fn remove_games(&self, ids: &[String]) -> Result<(), SessionError> {
        let mut games = self.lock();
        let is_deleted = |id: &&String| games.by_id.get(*id).is_some_and(|game| games.is_deleted(&game.row));
        let deleted: Vec<_> = ids.iter().filter(is_deleted).cloned().collect();
        games.remove_for_ever(&deleted, []);
        Ok(())
    }

    fn begin_import(&self, options: ImportOptions) -> Result<Box<dyn GameImport>, SessionError> {
        Ok(Box::new(MemoryImport::begin(self.clone(), options)))
    }
}
