//! A store of games in memory, for tests and for programs that keep the games elsewhere: it says what has changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alfil_session::SessionError;
use alfil_session::played_game::ROOT;
use serde::{Deserialize, Serialize};

use crate::game_store::{GameStore, SaveError, SavedDate};
use crate::host::PageHost;
use crate::library::TagSummary;
use crate::open_game::OpenGame;
use crate::request_error::{ErrorCode, RequestError};
use crate::stored::{StoredGame, StoredNode};
use crate::wire::SavedGame;

/// The maximal number of games in a list.
const MAX_LISTED_GAMES: usize = 100;
/// The number of moves that are kept together.
pub const BLOCK_NODES: usize = 64;

/// The row of a saved game, without its moves. Field names must not change, because browsers keep rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRow {
    /// The id of the game.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The number of plies of the main line.
    pub plies: i64,
    /// The number of times the game was saved.
    pub revision: i64,
    /// The time of the last change, in seconds since 1970.
    pub changed: i64,
    /// The time of the deletion, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<i64>,
    /// What is kept of the game.
    pub record: StoredGame,
}

/// The moves of a game from a multiple of [`BLOCK_NODES`] on: `null` for a removed one.
pub type NodeBlock = Vec<Option<StoredNode>>;

/// What has changed of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedGame {
    /// The row of the game.
    pub row: SavedRow,
    /// The changed blocks by their numbers.
    pub blocks: BTreeMap<usize, NodeBlock>,
}

/// A game in memory.
#[derive(Debug)]
struct KeptGame {
    row: SavedRow,
    /// The moves; `None` if they are kept elsewhere and were not needed yet.
    nodes: Option<Vec<Option<StoredNode>>>,
}

#[derive(Debug, Default)]
struct Games {
    by_id: HashMap<String, KeptGame>,
    /// The games that have changed since the changes were taken, with the numbers of their changed blocks.
    changed: BTreeMap<String, BTreeSet<usize>>,
}

/// A store of games in memory.
#[derive(Debug)]
pub struct MemoryStore {
    host: PageHost,
    games: Mutex<Games>,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new(host: PageHost) -> MemoryStore {
        MemoryStore { host, games: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over a game that is kept elsewhere, with the blocks of its moves in order. Without them, the known moves
    /// stay if they are of the same revision.
    pub fn put(&self, row: SavedRow, blocks: Option<Vec<NodeBlock>>) {
        let nodes = blocks.map(|blocks| {
            let mut nodes = Vec::with_capacity(blocks.len() * BLOCK_NODES);
            for (number, block) in blocks.into_iter().enumerate() {
                nodes.resize(number * BLOCK_NODES, None);
                nodes.extend(block.into_iter().take(BLOCK_NODES));
            }
            nodes
        });
        let mut games = self.lock();
        games.changed.remove(&row.id);
        let known = games.by_id.remove(&row.id).filter(|known| known.row.revision == row.revision);
        let nodes = nodes.or_else(|| known?.nodes);
        games.by_id.insert(row.id.clone(), KeptGame { row, nodes });
    }

    /// Forgets a game that is not kept elsewhere any more.
    pub fn remove(&self, id: &str) {
        let mut games = self.lock();
        games.changed.remove(id);
        games.by_id.remove(id);
    }

    /// Returns the revision of a game, deleted or not, and whether its moves have to be put before it can be loaded.
    pub fn revision(&self, id: &str) -> Option<(i64, bool)> {
        self.lock().by_id.get(id).map(|game| (game.row.revision, game.nodes.is_none()))
    }

    /// Takes what has changed since the last call, to keep it elsewhere. The moves of games other than `open` are
    /// forgotten.
    pub fn take_changes(&self, open: Option<&str>) -> Vec<ChangedGame> {
        let mut games = self.lock();
        let changed = std::mem::take(&mut games.changed);
        let mut taken = Vec::with_capacity(changed.len());
        for (id, blocks) in changed {
            let Some(game) = games.by_id.get_mut(&id) else { continue };
            let nodes = game.nodes.as_deref().unwrap_or_default();
            let block = |number: usize| {
                let start = (number * BLOCK_NODES).min(nodes.len());
                (number, nodes[start..nodes.len().min(start + BLOCK_NODES)].to_vec())
            };
            let blocks = blocks.into_iter().map(block).collect();
            taken.push(ChangedGame { row: game.row.clone(), blocks });
            if open != Some(&*id) {
                game.nodes = None;
            }
        }
        taken
    }
}

impl Games {
    /// Returns the game that is to be saved: a new one, or the one that was read.
    fn writable(&mut self, game: &OpenGame) -> Result<&mut KeptGame, SaveError> {
        let known = self.by_id.get(&game.id).filter(|known| known.row.deleted.is_none());
        match (known, game.revision) {
            (None, 0) => {
                let row = SavedRow {
                    id: game.id.clone(),
                    game: game.record().game.clone(),
                    plies: 0,
                    revision: 0,
                    changed: 0,
                    deleted: None,
                    record: game.record().into(),
                };
                self.by_id.insert(game.id.clone(), KeptGame { row, nodes: Some(Vec::new()) });
            }
            (None, _) => return Err(SaveError::Deleted),
            (Some(known), revision) if known.row.revision != revision => return Err(SaveError::Conflict),
            (Some(_), _) => {}
        }
        self.by_id.get_mut(&game.id).ok_or(SaveError::Deleted)
    }

    fn existing(&mut self, id: &str) -> Option<&mut KeptGame> {
        self.by_id.get_mut(id).filter(|game| game.row.deleted.is_none())
    }
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
        kept.row.revision += 1;
        kept.row.plies = i64::try_from(tree.path(tree.line_end(ROOT)).len()).unwrap_or(i64::MAX);
        kept.row.record = game.record().into();
        if kept.nodes.is_none() {
            // The blocks are written whole.
            changed_nodes.extend(tree.iter().map(|(number, _)| number));
        }
        let nodes = kept.nodes.get_or_insert_default();
        for &number in &changed_nodes {
            if nodes.len() <= number {
                nodes.resize(number + 1, None);
            }
            nodes[number] = tree.node(number).map(StoredNode::from);
        }
        let blocks = games.changed.entry(game.id.clone()).or_default();
        blocks.extend(changed_nodes.into_iter().map(|number| number / BLOCK_NODES));
        game.on_saved();
        Ok(())
    }

    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        let mut games = self.lock();
        let known = games.existing(&game.id).filter(|known| known.row.revision == game.revision);
        if let Some(known) = known {
            known.row.record = game.record().into();
            games.changed.entry(game.id.clone()).or_default();
        }
        Ok(())
    }

    fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let mut games = self.lock();
        let Some(KeptGame { row, nodes: Some(nodes) }) = games.existing(id) else {
            return Err(RequestError::new(ErrorCode::Gone, format!("there is no saved game {id:?}")));
        };
        let record = row.record.clone().into_record(nodes.clone())?;
        Ok(OpenGame::from_saved(id.to_owned(), row.revision, record, self.host.now())?)
    }

    fn delete(&self, id: &str) -> Result<(), SessionError> {
        let mut games = self.lock();
        if let Some(game) = games.existing(id) {
            game.row.deleted = Some((self.host.unix_seconds)());
            games.changed.entry(id.to_owned()).or_default();
        }
        Ok(())
    }

    fn restore(&self, id: &str) -> Result<(), RequestError> {
        let mut games = self.lock();
        let Some(game) = games.by_id.get_mut(id) else {
            return Err(RequestError::new(ErrorCode::Gone, format!("there is no deleted game {id:?}")));
        };
        game.row.deleted = None;
        games.changed.entry(id.to_owned()).or_default();
        Ok(())
    }

    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let games = self.lock();
        let mut rows: Vec<_> =
            games.by_id.values().map(|game| &game.row).filter(|row| row.deleted.is_none()).collect();
        rows.sort_by(|one, other| (other.changed, &other.id).cmp(&(one.changed, &one.id)));
        let shown = rows.iter().skip(skip as usize).take(MAX_LISTED_GAMES).map(|row| {
            let TagSummary { players, result, event, .. } = TagSummary::new(&row.game, row.record.tags());
            SavedGame {
                id: row.id.clone(),
                game: row.game.clone(),
                plies: row.plies,
                changed: row.changed,
                players,
                result,
                event,
            }
        });
        Ok((shown.collect(), rows.len() > skip as usize + MAX_LISTED_GAMES))
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

    #[test]
    fn games_that_are_kept_elsewhere_come_back_whole() {
        let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
        let mut game = game();
        // All replies to the first move, and all other first moves: two blocks.
        for node in [1, ROOT] {
            game.played.go_to(node).unwrap();
            for text in game.session().legal_moves(None).unwrap() {
                game.played.go_to(node).unwrap();
                game.played.play(&text, None, HOST.now()).unwrap();
            }
        }
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        let first = store.take_changes(Some(&game.id)).remove(0);
        assert_eq!(first.blocks.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert!(store.take_changes(None).is_empty());
        // The last first move gets a reply.
        game.played.play("h9g7", None, HOST.now()).unwrap();
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        let second = store.take_changes(None).remove(0);
        assert_eq!((second.blocks.keys().copied().collect::<Vec<_>>(), second.row.revision), (vec![1], 2));
        assert!(store.revision(&game.id) == Some((2, true)) && store.load(&game.id).is_err());
        let mut blocks = first.blocks;
        blocks.extend(second.blocks);
        let row = serde_json::from_str(&serde_json::to_string(&second.row).unwrap()).unwrap();
        elsewhere.put(row, Some(blocks.into_values().collect()));
        let loaded = elsewhere.load(&game.id).unwrap();
        assert_eq!((stored(&loaded), loaded.revision), (stored(&game), 2));
        assert!(
            loaded
                .tree()
                .iter()
                .map(|(_, node)| &node.text)
                .eq(game.tree().iter().map(|(_, node)| &node.text))
        );
        elsewhere.remove(&game.id);
        assert!(elsewhere.load(&game.id).is_err() && elsewhere.take_changes(None).is_empty());
    }
}
