//! The summaries of games (result, opening, last position) and the hash keys of their positions, by which lists are
//! made and searched. Those of an imported game are found with the import, those of a played game before the next list.

use alfil_session::OpeningNamesCache;
use serde::Serialize;

use super::{Games, MemoryGame, MemoryStore, Moves, SavedPositionKeys, SavedSummary};
use crate::library::GameSummary;
use crate::library_search::{SEARCHED_TEXTS_VERSION, key_version};
use crate::wire::LibraryQuery;

/// The greatest number of games whose moves [`StaleGames`] names at once.
const MAX_STALE: usize = 200;
/// The number of low bits of a key that are not kept. 48 are left: among a million positions, a wrong one is found with
/// a probability of 1 in 280 million.
const DROPPED_BITS: u32 = 16;
/// The number of bits of a character of a key.
const CHARACTER_BITS: usize = 6;
/// The number of characters of a key.
const KEY_CHARACTERS: usize = (64 - DROPPED_BITS as usize) / CHARACTER_BITS;
/// The characters of keys, in ascending order.
const DIGITS: &[u8; 64] = b"+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The data that a query needs and the store does not have. The caller, who keeps it, puts it into the store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StaleGames {
    /// The ids of games whose moves are needed ([`MemoryStore::put`]), and which are refreshed then
    /// ([`MemoryStore::refresh`]).
    pub moves: Vec<String>,
    /// Whether the positions of all games are needed first ([`MemoryStore::put_position_keys`]).
    pub positions: bool,
}

/// Returns the bits of a hash key that are stored and compared.
pub(super) fn truncated_key(key: u64) -> u64 {
    key >> DROPPED_BITS
}

/// Returns keys as a text: [`KEY_CHARACTERS`] of [`DIGITS`] each.
fn text_of_keys(keys: &[u64]) -> String {
    let digits = |&key: &u64| {
        (0..KEY_CHARACTERS).rev().map(move |at| {
            let digit = (key >> (at * CHARACTER_BITS)) & 63;
            char::from(DIGITS[digit as usize])
        })
    };
    keys.iter().flat_map(digits).collect()
}

/// Returns the keys of a text; `None` if it has other characters, ends within a key, or its keys do not ascend.
fn keys_of_text(text: &str) -> Option<Vec<u64>> {
    if !text.len().is_multiple_of(KEY_CHARACTERS) {
        return None;
    }
    let chunks = text.as_bytes().chunks(KEY_CHARACTERS);
    let key = |chunk: &[u8]| {
        chunk.iter().try_fold(0, |key, digit| {
            Some((key << CHARACTER_BITS) | DIGITS.binary_search(digit).ok()? as u64)
        })
    };
    chunks.map(key).collect::<Option<Vec<_>>>().filter(|keys| keys.is_sorted())
}

impl MemoryGame {
    /// Returns whether the summary is that of the current moves, with the texts of this version.
    fn has_summary(&self) -> bool {
        let is_current = |summary: &SavedSummary| {
            summary.revision == self.row.revision && summary.version == SEARCHED_TEXTS_VERSION
        };
        self.row.summary.as_ref().is_some_and(is_current)
    }

    /// Sets what was found about the moves, for the current revision of the game; `None` for a damaged game.
    pub(super) fn set_summary(&mut self, summary: Option<&GameSummary>) {
        let (revision, version) = (self.row.revision, SEARCHED_TEXTS_VERSION.to_owned());
        if let Some(summary) = summary {
            self.row.plies = i64::try_from(summary.index.plies).unwrap_or(i64::MAX);
        }
        self.row.summary = Some(match summary {
            Some(summary) => SavedSummary {
                revision,
                version,
                result: summary.tags.result.clone(),
                opening: summary.opening().map(str::to_owned),
                placement: summary.placement().to_owned(),
            },
            None => SavedSummary { revision, version, ..SavedSummary::default() },
        });
        let keys = summary.map(|summary| summary.index.position_keys.as_slice()).unwrap_or_default();
        let mut keys: Vec<_> = keys.iter().copied().map(truncated_key).collect();
        keys.dedup();
        self.keys = Some(keys);
        self.listed = None;
    }

    /// Returns the positions as the caller saves them; `None` if they are not known.
    pub(super) fn saved_position_keys(&self) -> Option<SavedPositionKeys> {
        Some(SavedPositionKeys {
            id: self.row.id.clone(),
            revision: self.row.revision,
            version: key_version().to_owned(),
            keys: text_of_keys(self.keys.as_ref()?),
        })
    }
}

impl MemoryStore {
    /// Returns what the caller has to put before a query can be answered; nothing if it can be. After the moves were
    /// put and refreshed, it has to be called again, because it names at most `MAX_STALE` games. `has_positions` says
    /// that the positions of all games, as far as the caller keeps them, were put.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::{LibraryQuery, NewGame};
    /// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
    ///
    /// let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
    /// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into()], ..NewGame::default() };
    /// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
    /// store.save(&mut game, 1, SavedDate::Now).unwrap();
    /// let changed = store.take_changes(None).games.remove(0);
    /// // A row without moves is not enough for a list.
    /// elsewhere.put(changed.row.clone(), None);
    /// assert_eq!(elsewhere.stale_games(&LibraryQuery::default(), false).moves, [game.id.clone()]);
    /// elsewhere.put(changed.row, Some(changed.blocks.into_values().collect()));
    /// elsewhere.refresh(&[game.id]);
    /// assert!(elsewhere.stale_games(&LibraryQuery::default(), false).moves.is_empty());
    /// ```
    pub fn stale_games(&self, query: &LibraryQuery, has_positions: bool) -> StaleGames {
        let games = self.lock();
        let needs_keys = query.position.is_some();
        let mut stale = games.by_id.values().filter(|game| games.is_stale(game, query)).peekable();
        if needs_keys && !has_positions && stale.peek().is_some() {
            return StaleGames { positions: true, ..StaleGames::default() };
        }
        let moves = stale.take(MAX_STALE).map(|game| game.row.id.clone()).collect();
        StaleGames { moves, positions: false }
    }

    /// Puts positions that the caller has saved. Those of another revision of a game, or with keys of another version,
    /// are ignored.
    pub fn put_position_keys(&self, all: &[SavedPositionKeys]) {
        let mut games = self.lock();
        for positions in all.iter().filter(|positions| positions.version == key_version()) {
            if let Some(game) = games.by_id.get_mut(&positions.id)
                && game.row.revision == positions.revision
            {
                game.keys = game.keys.take().or_else(|| keys_of_text(&positions.keys));
            }
        }
    }

    /// Finds the summaries and position keys of games whose moves were put; a list does so itself for games whose moves
    /// it still has. A damaged game, or one without its moves, gets an empty summary and no keys.
    pub fn refresh(&self, ids: &[String]) {
        self.lock().refresh(ids, &self.openings);
    }
}

impl Games {
    /// Returns whether a game is of a query, and something of it that the query needs is not known.
    fn is_stale(&self, game: &MemoryGame, query: &LibraryQuery) -> bool {
        let lacks_keys = query.position.is_some() && game.keys.is_none();
        self.is_wanted(&game.row, query) && (!game.has_summary() || lacks_keys)
    }

    /// Finds what a query needs of the games whose moves are in memory.
    pub(super) fn refresh_held(&mut self, query: &LibraryQuery, openings: &OpeningNamesCache) {
        let is_stale = |id: &&String| self.by_id.get(*id).is_some_and(|game| self.is_stale(game, query));
        let stale: Vec<_> = self.with_moves.iter().filter(is_stale).cloned().collect();
        self.refresh(&stale, openings);
    }

    fn refresh(&mut self, ids: &[String], openings: &OpeningNamesCache) {
        for id in ids {
            let Some(game) = self.by_id.get_mut(id) else { continue };
            // A damaged game is listed without an opening, and no search for a position finds it.
            let record = game.record().ok().flatten();
            let summary = record.and_then(|record| GameSummary::of(record, openings));
            game.set_summary(summary.as_ref());
            self.note_refreshed(id);
        }
    }

    /// Notes that the summary and the positions of a game have changed, so that
    /// [`take_changes`](MemoryStore::take_changes) returns them.
    pub(super) fn note_refreshed(&mut self, id: &str) {
        self.version += 1;
        self.indexed.insert(id.to_owned());
    }
}

impl Moves {
    /// Returns the moves of an imported game.
    pub(super) fn of_tree(tree: &alfil_session::played_game::EditedTree) -> Moves {
        let packed = crate::stored::pack_tree(tree).map(Moves::Packed);
        packed.unwrap_or_else(|| {
            let mut nodes = Vec::new();
            for (number, node) in tree.iter() {
                nodes.resize(number, None);
                nodes.push(Some(node.into()));
            }
            Moves::Nodes(nodes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_and_read_unchanged() {
        let keys = [0, 1, 63, 0x1234_5678_9abc, (1 << 48) - 1];
        let text = text_of_keys(&keys);
        assert_eq!((text.len(), keys_of_text(&text).unwrap()), (keys.len() * KEY_CHARACTERS, keys.to_vec()));
        assert!(DIGITS.is_sorted() && keys_of_text("+++++++ ").is_none());
        let descending = text_of_keys(&[2, 1]);
        assert!(keys_of_text("+++").is_none() && keys_of_text(&descending).is_none());
    }
}
