//! What lists and searches need of the moves of the games: known of imported games at once, of others before the next
//! list.

use serde::Serialize;

use super::{Games, KeptGame, MemoryStore, Moves, SavedPositions, SavedSummary};
use crate::library::GameSummary;
use crate::library_search::{SEARCHED_TEXTS_VERSION, key_version};
use crate::wire::LibraryQuery;

/// The number of games that are brought up to date at once.
const MAX_STALE: usize = 200;
/// The number of bits of a key that are left out: among a million positions, a wrong one is found with a probability of
/// 1 to 280 million.
const DROPPED_BITS: u32 = 16;
/// The number of bits of a character of a key.
const CHARACTER_BITS: usize = 6;
/// The number of characters of a key.
const KEY_CHARACTERS: usize = (64 - DROPPED_BITS as usize) / CHARACTER_BITS;
/// The characters of keys, in ascending order.
const DIGITS: &[u8; 64] = b"+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What has to be put before a query can be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StaleGames {
    /// The games whose moves are needed.
    pub moves: Vec<String>,
    /// Whether the positions of all games are needed.
    pub positions: bool,
}

/// Returns a key as it is kept.
pub(super) fn kept_key(key: u64) -> u64 {
    key >> DROPPED_BITS
}

/// Returns keys as a text.
fn text_of_keys(keys: &[u64]) -> String {
    let digits = |&key: &u64| {
        (0..KEY_CHARACTERS).rev().map(move |at| {
            let digit = (key >> (at * CHARACTER_BITS)) & 63;
            char::from(DIGITS[digit as usize])
        })
    };
    keys.iter().flat_map(digits).collect()
}

/// Returns the keys of a text; `None` if it has other characters.
fn keys_of_text(text: &str) -> Option<Vec<u64>> {
    let chunks = text.as_bytes().chunks(KEY_CHARACTERS);
    let key = |chunk: &[u8]| {
        chunk.iter().try_fold(0, |key, digit| {
            Some((key << CHARACTER_BITS) | DIGITS.binary_search(digit).ok()? as u64)
        })
    };
    chunks.map(key).collect()
}

impl KeptGame {
    /// Returns whether the summary is that of the current moves, with the texts of this version.
    fn has_summary(&self) -> bool {
        let is_current = |summary: &SavedSummary| {
            summary.revision == self.row.revision && summary.version == SEARCHED_TEXTS_VERSION
        };
        self.row.summary.as_ref().is_some_and(is_current)
    }

    /// Takes over what was found about the moves; `None` of a damaged game.
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
        let mut keys: Vec<_> = keys.iter().copied().map(kept_key).collect();
        keys.dedup();
        self.keys = Some(keys);
        self.listed = None;
    }

    pub(super) fn saved_positions(&self) -> Option<SavedPositions> {
        Some(SavedPositions {
            id: self.row.id.clone(),
            revision: self.row.revision,
            version: key_version().to_owned(),
            keys: text_of_keys(self.keys.as_ref()?),
        })
    }
}

impl MemoryStore {
    /// Returns what has to be put before a query can be answered, and refreshed by [`MemoryStore::refresh`]. It has to
    /// be called again then, because it names only some of the games. `has_positions` says that all known positions
    /// were put.
    pub fn stale_games(&self, query: &LibraryQuery, has_positions: bool) -> StaleGames {
        let games = self.lock();
        let needs_keys = query.position.is_some();
        let is_stale = |game: &&KeptGame| {
            games.is_wanted(&game.row, query) && (!game.has_summary() || (needs_keys && game.keys.is_none()))
        };
        let mut stale = games.by_id.values().filter(is_stale).peekable();
        if needs_keys && !has_positions && stale.peek().is_some() {
            return StaleGames { positions: true, ..StaleGames::default() };
        }
        let moves = stale.take(MAX_STALE).map(|game| game.row.id.clone()).collect();
        StaleGames { moves, positions: false }
    }

    /// Takes over positions that are kept elsewhere. Those of another version of a game are ignored.
    pub fn put_positions(&self, all: &[SavedPositions]) {
        let mut games = self.lock();
        for positions in all.iter().filter(|positions| positions.version == key_version()) {
            if let Some(game) = games.by_id.get_mut(&positions.id)
                && game.row.revision == positions.revision
            {
                game.keys = game.keys.take().or_else(|| keys_of_text(&positions.keys));
            }
        }
    }

    /// Finds openings, last positions and position keys of games whose moves were put.
    pub fn refresh(&self, ids: &[String]) {
        let mut games = self.lock();
        for id in ids {
            let Some(game) = games.by_id.get_mut(id) else { continue };
            // A damaged game is listed without an opening, and no search for a position finds it.
            let record = game.record().ok().flatten();
            let summary = record.and_then(|record| GameSummary::of(record, &self.openings));
            game.set_summary(summary.as_ref());
            games.note_refreshed(id);
        }
    }
}

impl Games {
    /// Notes that the summary and the positions of a game have to be kept.
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
    }
}
