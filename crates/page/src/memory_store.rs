//! A store of games in memory.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use alfil_session::SessionError;
use alfil_session::played_game::ROOT;

use crate::game_store::{GameStore, SaveError, SavedDate};
use crate::host::PageHost;
use crate::library::TagSummary;
use crate::open_game::OpenGame;
use crate::request_error::{ErrorCode, RequestError};
use crate::stored::{StoredGame, StoredNode};
use crate::wire::SavedGame;

/// The maximal number of games in a list.
const MAX_LISTED_GAMES: usize = 100;

/// A saved game.
#[derive(Debug)]
struct Row {
    game: String,
    plies: i64,
    revision: i64,
    changed: i64,
    is_deleted: bool,
    tags: TagSummary,
    record: StoredGame,
    nodes: Vec<Option<StoredNode>>,
}

/// A store of games in memory, for tests and for programs that keep no games.
#[derive(Debug)]
pub struct MemoryStore {
    host: PageHost,
    games: Mutex<HashMap<String, Row>>,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new(host: PageHost) -> MemoryStore {
        MemoryStore { host, games: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Row>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameStore for MemoryStore {
    fn save(&self, game: &mut OpenGame, _saved_by: u64, date: SavedDate) -> Result<(), SaveError> {
        let changed_nodes = game.nodes_to_save();
        let mut games = self.lock();
        let known = games.get_mut(&game.id).filter(|row| !row.is_deleted);
        let (mut row, changed) = match (known, game.revision) {
            (None, 0) => {
                let row = Row {
                    game: game.record().game.clone(),
                    plies: 0,
                    revision: 0,
                    changed: 0,
                    is_deleted: false,
                    tags: TagSummary::default(),
                    record: game.record().into(),
                    nodes: Vec::new(),
                };
                (row, true)
            }
            (None, _) => return Err(SaveError::Deleted),
            (Some(row), revision) if row.revision != revision => return Err(SaveError::Conflict),
            (Some(_), _) => match games.remove(&game.id) {
                Some(row) => (row, date == SavedDate::Now),
                None => return Err(SaveError::Deleted),
            },
        };
        let tree = game.tree();
        row.revision += 1;
        row.plies = i64::try_from(tree.path(tree.line_end(ROOT)).len()).unwrap_or(i64::MAX);
        row.record = game.record().into();
        row.tags = TagSummary::new(&row.game, &game.record().tags);
        if changed {
            row.changed = (self.host.unix_seconds)();
        }
        for number in changed_nodes {
            if row.nodes.len() <= number {
                row.nodes.resize(number + 1, None);
            }
            row.nodes[number] = tree.node(number).map(StoredNode::from);
        }
        games.insert(game.id.clone(), row);
        game.on_saved();
        Ok(())
    }

    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        if let Some(row) = self.lock().get_mut(&game.id)
            && row.revision == game.revision
        {
            row.record = game.record().into();
        }
        Ok(())
    }

    fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let games = self.lock();
        let row = games
            .get(id)
            .filter(|row| !row.is_deleted)
            .ok_or_else(|| RequestError::new(ErrorCode::Gone, format!("there is no saved game {id:?}")))?;
        let record = row.record.clone().into_record(row.nodes.clone())?;
        Ok(OpenGame::from_saved(id.to_owned(), row.revision, record, self.host.now())?)
    }

    fn delete(&self, id: &str) -> Result<(), SessionError> {
        if let Some(row) = self.lock().get_mut(id) {
            row.is_deleted = true;
        }
        Ok(())
    }

    fn restore(&self, id: &str) -> Result<(), RequestError> {
        let mut games = self.lock();
        let row = games
            .get_mut(id)
            .ok_or_else(|| RequestError::new(ErrorCode::Gone, format!("there is no deleted game {id:?}")))?;
        row.is_deleted = false;
        Ok(())
    }

    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let games = self.lock();
        let mut saved: Vec<_> = games
            .iter()
            .filter(|(_, row)| !row.is_deleted)
            .map(|(id, row)| SavedGame {
                id: id.clone(),
                game: row.game.clone(),
                plies: row.plies,
                changed: row.changed,
                players: row.tags.players.clone(),
                result: row.tags.result.clone(),
                event: row.tags.event.clone(),
            })
            .collect();
        saved.sort_by(|one, other| (other.changed, &other.id).cmp(&(one.changed, &one.id)));
        let mut rest = saved.split_off(saved.len().min(skip as usize));
        let more = rest.len() > MAX_LISTED_GAMES;
        rest.truncate(MAX_LISTED_GAMES);
        Ok((rest, more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::tests::HOST;
    use crate::wire::NewGame;

    fn game() -> OpenGame {
        let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
        OpenGame::new(HOST.new_id(), new).unwrap()
    }

    fn stored(game: &OpenGame) -> StoredGame {
        game.record().into()
    }

    #[test]
    fn saved_games_are_loaded_listed_deleted_and_restored() {
        let store = MemoryStore::new(HOST);
        let (mut one, mut two) = (game(), game());
        store.save(&mut one, 1, SavedDate::Now).unwrap();
        store.save(&mut two, 1, SavedDate::Now).unwrap();
        one.played.play("h9g7", None, HOST.now()).unwrap();
        store.save(&mut one, 1, SavedDate::Kept).unwrap();
        let loaded = store.load(&one.id).unwrap();
        assert_eq!((stored(&loaded), loaded.revision), (stored(&one), 2));
        assert_eq!(loaded.tree().move_count(), 2);
        let listed: Vec<_> = store.list(0).unwrap().0.into_iter().map(|game| (game.id, game.plies)).collect();
        assert_eq!(listed, [(two.id.clone(), 1), (one.id.clone(), 2)]);
        store.delete(&one.id).unwrap();
        assert!(store.load(&one.id).is_err() && store.list(0).unwrap().0.len() == 1);
        store.restore(&one.id).unwrap();
        assert_eq!(stored(&store.load(&one.id).unwrap()), stored(&one));
        assert_eq!(store.restore("nowhere").unwrap_err().code, Some(ErrorCode::Gone));
    }

    #[test]
    fn stale_and_deleted_games_are_not_saved() {
        let store = MemoryStore::new(HOST);
        let mut one = game();
        store.save(&mut one, 1, SavedDate::Now).unwrap();
        let mut other = store.load(&one.id).unwrap();
        one.played.play("h9g7", None, HOST.now()).unwrap();
        store.save(&mut one, 1, SavedDate::Now).unwrap();
        assert!(matches!(store.save(&mut other, 2, SavedDate::Now), Err(SaveError::Conflict)));
        store.delete(&one.id).unwrap();
        assert!(matches!(store.save(&mut one, 1, SavedDate::Now), Err(SaveError::Deleted)));
    }
}
