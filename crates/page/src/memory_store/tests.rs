//! Tests of the store in memory.

use super::*;
use alfil_session::played_game::ROOT;

use crate::conformance::{
    GROWING_HOST as HOST, TestedStore, check_game_import, check_game_library, check_game_store,
};
use crate::library::ImportOptions;
use crate::stored::StoredGame;
use crate::wire::{ImportProgress, LibraryQuery, NewGame};

impl TestedStore for MemoryStore {
    fn empty(host: PageHost) -> MemoryStore {
        MemoryStore::new(host)
    }

    fn purge_at(&self, unix_seconds: i64) {
        MemoryStore::purge_at(self, unix_seconds);
    }
}

#[test]
fn a_store_in_memory_conforms() {
    check_game_store::<MemoryStore>();
    check_game_library::<MemoryStore>();
    check_game_import::<MemoryStore>();
}

fn game() -> OpenGame {
    let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
    OpenGame::new(HOST.new_id(), new).unwrap()
}

fn stored(game: &OpenGame) -> StoredGame {
    game.record().into()
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
    let first = store.take_changes(Some(&game.id)).games.remove(0);
    assert_eq!(first.blocks.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert!(store.take_changes(Some(&game.id)).is_empty());
    // The last first move gets a reply.
    game.played.play("h9g7", None, HOST.now()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let second = store.take_changes(None).games.remove(0);
    assert_eq!((second.blocks.keys().copied().collect::<Vec<_>>(), second.row.revision), (vec![1], 2));
    assert!(store.revision(&game.id) == Some((2, true)) && store.load(&game.id).is_err());
    let mut blocks = first.blocks;
    blocks.extend(second.blocks);
    let row = serde_json::from_str(&serde_json::to_string(&second.row).unwrap()).unwrap();
    elsewhere.put(row, Some(blocks.into_values().collect()));
    let loaded = elsewhere.load(&game.id).unwrap();
    assert_eq!((stored(&loaded), loaded.revision), (stored(&game), 2));
    assert!(
        loaded.tree().iter().map(|(_, node)| &node.text).eq(game.tree().iter().map(|(_, node)| &node.text))
    );
    elsewhere.remove(&game.id);
    assert!(elsewhere.load(&game.id).is_err() && elsewhere.take_changes(None).is_empty());
}

#[test]
fn a_game_with_damaged_moves_is_listed_and_found_by_nothing() {
    let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let ChangedGame { row, blocks, .. } = store.take_changes(None).games.remove(0);
    for children in [vec![7], vec![1, 1], vec![0]] {
        let mut blocks: Vec<_> = blocks.values().cloned().collect();
        let mut nodes = serde_json::to_value(&blocks[0]).unwrap();
        nodes[0]["children"] = serde_json::json!(children);
        blocks[0] = serde_json::from_value(nodes).unwrap();
        let mut row = through_json(&row);
        row.summary = None;
        elsewhere.put(row, Some(blocks));
        elsewhere.refresh(std::slice::from_ref(&game.id));
        assert_eq!(elsewhere.list(0).unwrap().0.len(), 1);
        let error = elsewhere.load(&game.id).err().unwrap();
        assert!(error.message.contains("damaged"), "{children:?}: {}", error.message);
    }
}

/// Two games in Chinese and English, one that cannot be read after its first move, and one without moves.
const FILE: &str = r#"[Event "Wijk aan Zee"]
[White "Dvořák, Dana"]
[Black "胡荣华"]
[Date "1999.01.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {the Spanish game} 1-0

[Event "Round 2"]
[White "Adams, Anna"]
[Black "Botha, Bert"]
[Date "1950"]
[Result "0-1"]

1. d4 Nf6 (1... d5 2. c4) 2. c4 g6 0-1

[White "Zukertort, Zoe"]

1. e4 Ke4 *
"#;

/// Imports a file; `after_step` is called between the steps.
fn import(
    store: &MemoryStore,
    text: &str,
    mut after_step: impl FnMut(),
) -> Result<ImportProgress, SessionError> {
    let options =
        ImportOptions { name: "club".into(), game: Some("chess".into()), ..ImportOptions::default() };
    let mut import = store.begin_import(options)?;
    for part in text.as_bytes().chunks(100) {
        import.push(part.to_vec())?;
        after_step();
    }
    loop {
        let progress = import.finish()?;
        after_step();
        if progress.done {
            return Ok(progress);
        }
    }
}

/// Returns the first players of the games of a query, each up to the comma, after the stale games were refreshed.
fn found(store: &MemoryStore, query: &LibraryQuery) -> String {
    let position = query.position.as_deref().map(|fen| {
        let mut session = alfil_session::registry::open("chess", None).unwrap();
        session.open(fen, &alfil_kernel::Waivers::All).unwrap();
        session.view().hash_key
    });
    let list = store.list_games(query, position, 0, 100).unwrap();
    let ids: Vec<_> = list.rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!(store.ids(query, position).unwrap(), ids);
    let names = list.rows.iter().map(|row| row.players[0].split(',').next().unwrap_or_default());
    names.collect::<Vec<_>>().join(" ")
}

fn query(search: &str) -> LibraryQuery {
    LibraryQuery { search: search.into(), ..LibraryQuery::default() }
}

/// Moves what has changed to another store, as a browser does by its database.
fn keep(
    from: &MemoryStore,
    kept: &mut BTreeMap<String, ChangedGame>,
    collections: &mut Vec<SavedCollection>,
) {
    let changes = from.take_changes(None);
    for mut game in changes.games {
        if let Some(former) = kept.remove(&game.row.id) {
            game.blocks = former.blocks.into_iter().chain(game.blocks).collect();
            game.positions = game.positions.or(former.positions);
        }
        kept.insert(game.row.id.clone(), game);
    }
    for id in changes.removed {
        kept.remove(&id);
    }
    for collection in changes.collections {
        collections.retain(|known| known.id != collection.id);
        collections.push(collection);
    }
    collections.retain(|known| !changes.removed_collections.contains(&known.id));
}

fn put_all(into: &MemoryStore, kept: &BTreeMap<String, ChangedGame>, collections: &[SavedCollection]) {
    collections.iter().for_each(|each| into.put_collection(each.clone()));
    kept.values().for_each(|game| into.put(through_json(&game.row), None));
}

fn through_json<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn a_library_that_is_kept_elsewhere_comes_back_whole() {
    let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
    let (mut kept, mut collections) = (BTreeMap::new(), Vec::new());
    let progress = import(&store, FILE, || keep(&store, &mut kept, &mut collections)).unwrap();
    let mut own = game();
    store.save(&mut own, 1, SavedDate::Now).unwrap();
    keep(&store, &mut kept, &mut collections);
    assert!(kept.values().filter(|game| game.positions.is_some()).count() == 3 && collections[0].is_complete);
    put_all(&elsewhere, &kept, &collections);
    // The game that was played has no summary, and no game has its positions in memory.
    assert_eq!(elsewhere.stale_games(&query(""), false).moves, [own.id.clone()]);
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
    let position = LibraryQuery { position: Some(fen.into()), game: Some("chess".into()), ..query("") };
    assert!(elsewhere.stale_games(&position, false).positions);
    let positions: Vec<_> =
        kept.values().filter_map(|game| game.positions.as_ref().map(through_json)).collect();
    elsewhere.put_position_keys(&positions);
    assert_eq!(elsewhere.stale_games(&position, true).moves, [own.id.clone()]);
    let game = &kept[&own.id];
    elsewhere.put(game.row.clone(), Some(game.blocks.values().cloned().collect()));
    elsewhere.refresh(std::slice::from_ref(&own.id));
    assert_eq!(elsewhere.stale_games(&position, true), StaleGames::default());
    assert_eq!(found(&elsewhere, &position), "Adams");
    assert_eq!(found(&elsewhere, &query("cannon")), "");
    let refreshed = elsewhere.take_changes(None);
    assert!(refreshed.games[0].positions.is_some() && refreshed.games[0].blocks.is_empty());
    // An imported game is packed until it is changed, then its blocks are written whole.
    let first = progress.first.unwrap();
    let blocks: Vec<_> = kept[&first].blocks.values().map(through_json).collect();
    assert!(matches!(&*blocks, [MoveBlock::Packed(_)]));
    elsewhere.put(kept[&first].row.clone(), Some(blocks));
    let mut game = elsewhere.load(&first).unwrap();
    assert_eq!(game.tree().move_count(), 5);
    game.played.play("a7a6", None, HOST.now()).unwrap();
    elsewhere.save(&mut game, 1, SavedDate::Now).unwrap();
    assert_eq!(elsewhere.stale_games(&query(""), false).moves, std::slice::from_ref(&first));
    let changed = elsewhere.take_changes(None).games.remove(0);
    assert!(matches!(&changed.blocks[&0], MoveBlock::Nodes(nodes) if nodes.len() == 7));
    assert_eq!(changed.row.collection, progress.collection);
}

#[test]
fn what_a_cancelled_import_has_saved_is_removed_elsewhere() {
    let store = MemoryStore::new(HOST);
    let options =
        ImportOptions { name: "club".into(), game: Some("chess".into()), ..ImportOptions::default() };
    let mut import = store.begin_import(options).unwrap();
    import.push(FILE.repeat(GAMES_PER_IMPORT).into_bytes()).unwrap();
    assert!(!import.finish().unwrap().done);
    let saved = store.take_changes(None);
    assert!(!saved.games.is_empty() && saved.collections.len() == 1);
    drop(import);
    let removed = store.take_changes(None);
    assert_eq!((removed.removed.len(), removed.removed_collections.len()), (saved.games.len(), 1));
    assert!(removed.games.is_empty() && removed.collections.is_empty());
    assert!(store.lock().by_id.is_empty());
}

/// More games than are saved at once.
const GAMES_PER_IMPORT: usize = 400;

#[test]
fn what_is_purged_is_removed_elsewhere() {
    let store = MemoryStore::new(HOST);
    let progress = import(&store, FILE, || ()).unwrap();
    let (id, first) = (progress.collection.unwrap(), progress.first.unwrap());
    store.take_changes(None);
    store.set_collection_deleted(&id, true).unwrap();
    let changed = store.take_changes(None);
    assert!(changed.games.is_empty() && changed.collections[0].deleted.is_some());
    store.set_collection_deleted(&id, false).unwrap();
    // Nothing is old, until the row says so.
    store.purge();
    assert_eq!(store.lock().by_id.len(), 3);
    let mut row = store.lock().by_id[&first].row.clone();
    row.deleted = Some(-KEPT_SECONDS);
    store.put(row, None);
    store.take_changes(None);
    store.purge();
    assert_eq!(store.take_changes(None).removed, [first]);
    let collection = store.lock().collections[&id].clone();
    let unfinished = SavedCollection {
        id: "u".into(),
        created: -2 * MAX_IMPORT_SECONDS,
        is_complete: false,
        ..collection.clone()
    };
    store.put_collection(unfinished);
    store.put_collection(SavedCollection { deleted: Some(-KEPT_SECONDS), ..collection });
    store.purge();
    assert_eq!(store.take_changes(None).removed_collections.len(), 2);
    assert!(store.lock().by_id.is_empty());
}

#[test]
fn the_games_of_a_collection_change_when_one_is_restored() {
    let store = MemoryStore::new(HOST);
    let collection = import(&store, FILE, || ()).unwrap().collection.unwrap();
    let all = store.ids(&query(""), None).unwrap();
    store.set_collection_deleted(&collection, true).unwrap();
    assert_eq!(store.games_to_restore(&all[1..2]).len(), 3);
    store.restore_games(&all[1..2]).unwrap();
    assert_eq!(store.games_to_restore(&all[1..2]), all[1..2]);
    store.take_changes(None);
    store.remove_games(&all).unwrap();
    let mut expected = vec![all[0].clone(), all[2].clone()];
    expected.sort();
    assert_eq!(store.take_changes(None).removed, expected);
}

#[test]
fn a_file_of_all_games_is_checked_before_it_is_written() {
    use serde_json::{Value, json};
    let store = MemoryStore::new(HOST);
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let ChangedGame { row, blocks, .. } = store.take_changes(None).games.remove(0);
    let sound = json!({"row": row, "blocks": blocks.into_values().collect::<Vec<_>>()});
    let collection = json!({"id": "c", "name": "Cup", "created": 1, "is_complete": true});
    let damage = |games: &[Value], collections: &[Value]| {
        let file = json!({"games": games, "collections": collections});
        store.damaged_part(file.to_string().as_bytes()).unwrap()
    };
    assert_eq!(damage(&[sound.clone(), sound.clone()], std::slice::from_ref(&collection)), None);
    let changes: [fn(&mut Value); 6] = [
        |game| drop(game["row"].as_object_mut().unwrap().remove("record")),
        |game| drop(game["row"].as_object_mut().unwrap().remove("changed")),
        |game| game["row"]["record"]["game"] = json!("nowhere"),
        |game| game["blocks"][0][1]["text"] = json!("no move"),
        |game| game["blocks"][0][0]["children"] = json!([7]),
        |game| game["positions"] = json!({"id": "other", "revision": 1, "version": "", "keys": ""}),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut damaged = sound.clone();
        change(&mut damaged);
        assert_eq!(damage(&[sound.clone(), damaged], &[]), Some(DamagedPart::Game(1)), "change {number}");
    }
    assert_eq!(damage(&[sound], &[collection, json!({"id": "d"})]), Some(DamagedPart::Collection(1)));
    assert!(store.damaged_part(b"[]").is_err());
}

#[test]
fn a_game_whose_edits_cannot_be_read_has_none() {
    let store = MemoryStore::new(HOST);
    let mut game = game();
    game.played.set_comment(1, "good".into()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let row = store.take_changes(None).games.remove(0).row;
    assert!(row.edits.is_some() && through_json(&row) == row);
    assert_eq!(store.edits(&game.id, 1).unwrap().last_done(), game.played.edits().last_done());
    let mut damaged = serde_json::to_value(&row).unwrap();
    damaged["edits"]["done"] = serde_json::json!([{"kind": 7}]);
    let read: SavedRow = serde_json::from_value(damaged).unwrap();
    assert_eq!(read, SavedRow { edits: None, ..row });
}

#[test]
fn of_two_games_of_files_one_may_have_all_of_the_other() {
    use serde_json::{Value, json};
    let file_game = |change: fn(&mut OpenGame)| {
        let (store, mut game) = (MemoryStore::new(HOST), game());
        change(&mut game);
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        let ChangedGame { row, blocks, .. } = store.take_changes(None).games.remove(0);
        json!({"row": row, "blocks": blocks.into_values().collect::<Vec<_>>()})
    };
    let has_all = |whole: &Value, part: &Value| {
        MemoryStore::has_all_of(json!([whole, part]).to_string().as_bytes()).unwrap()
    };
    let start = file_game(|_| ());
    let longer = file_game(|game| drop(game.played.play("h9g7", None, HOST.now()).unwrap()));
    let other = file_game(|game| drop(game.played.play("b9c7", None, HOST.now()).unwrap()));
    let commented = file_game(|game| game.played.set_comment(1, "good".into()).unwrap());
    let tagged = file_game(|game| game.played.set_tags(vec![("Red".into(), "Anna".into())]));
    let both = file_game(|game| {
        for text in ["b9c7", "h9g7"] {
            game.played.go_to(1).unwrap();
            game.played.play(text, None, HOST.now()).unwrap();
        }
    });
    for whole in [&longer, &other, &commented, &tagged, &both] {
        assert!(has_all(whole, &start) && has_all(whole, whole) && !has_all(&start, whole));
    }
    assert!(!has_all(&longer, &other) && !has_all(&longer, &commented) && !has_all(&tagged, &commented));
    assert!(has_all(&both, &longer) && has_all(&both, &other));
    let mut promoted = both.clone();
    promoted["blocks"][0][1]["children"].as_array_mut().unwrap().reverse();
    assert!(!has_all(&both, &promoted) && !has_all(&promoted, &both));
    // What was not entered as text is not lost either.
    let score = json!({"value": 12, "mate": null});
    let review = json!({"score": score, "wdl": [400, 300, 300], "phase": "opening", "nodes": 1000});
    let clock =
        json!({"pace": {"base": 9000, "increment": 0}, "left": [0, 9000], "running": null, "flagged": 0});
    for (pointer, name, value) in [
        ("/blocks/0/1", "score", score),
        ("/blocks/0/1", "best", json!("h9g7")),
        ("/blocks/0/1", "review", review),
        ("/blocks/0/1", "clocks", json!("[%clk 0:03:00]")),
        ("/row/record", "clock", clock),
        ("/row/record", "person", json!(0)),
        ("/row/record", "level", json!(5)),
    ] {
        let mut changed = start.clone();
        changed.pointer_mut(pointer).unwrap()[name] = value;
        assert!(has_all(&changed, &changed) && !has_all(&commented, &changed), "{name}");
    }
    let mut damaged = start.clone();
    damaged["row"]["record"]["game"] = json!(1);
    assert!(!has_all(&damaged, &start) && !has_all(&start, &damaged));
    assert!(MemoryStore::has_all_of(b"[]").is_err());
}

#[test]
fn the_moves_of_games_that_are_not_open_any_more_are_forgotten() {
    let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
    let mut game = game();
    elsewhere.save(&mut game, 1, SavedDate::Now).unwrap();
    let ChangedGame { row, blocks, .. } = elsewhere.take_changes(None).games.remove(0);
    store.put(row, Some(blocks.into_values().collect()));
    assert!(store.load(&game.id).is_ok());
    assert!(store.take_changes(Some(&game.id)).is_empty());
    assert_eq!(store.revision(&game.id), Some((1, false)));
    // The game was not changed, only read.
    assert!(store.take_changes(Some("other")).is_empty());
    assert_eq!(store.revision(&game.id), Some((1, true)));
}

#[test]
fn a_game_whose_moves_are_read_again_stays_in_the_list() {
    let (store, elsewhere) = (MemoryStore::new(HOST), MemoryStore::new(HOST));
    let mut game = game();
    elsewhere.save(&mut game, 1, SavedDate::Now).unwrap();
    let ChangedGame { row, blocks, .. } = elsewhere.take_changes(None).games.remove(0);
    let blocks: Vec<_> = blocks.into_values().collect();
    for _ in 0..2 {
        store.put(row.clone(), Some(blocks.clone()));
        assert_eq!(store.list_games(&query(""), None, 0, 10).unwrap().rows.len(), 1);
    }
}

#[test]
fn games_of_a_base_without_names_have_numbers_and_old_summaries_are_found_again() {
    let file =
        "(;GM[Othello]BlackId[12]WhiteId[45]EventId[5]DT[1997.??.??]B[f5]W[d6];)\n(;GM[Othello]B[f5];)";
    let store = MemoryStore::new(HOST);
    import(&store, file, || ()).unwrap();
    let query = LibraryQuery::default();
    let list = store.list_games(&query, None, 0, 10).unwrap();
    let row = list.rows.iter().find(|row| row.plies == 2).unwrap();
    assert_eq!((row.players.clone(), &*row.event, row.score), (["#12".into(), "#45".into()], "#5", None));
    assert!(store.stale_games(&query, true).moves.is_empty());
    // A summary of an older program has no version, and a pass was counted as a ply.
    let mut games = store.lock();
    let game = games.by_id.get_mut(&row.id).unwrap();
    (game.row.plies, game.listed) = (3, None);
    game.row.summary.as_mut().unwrap().version.clear();
    drop(games);
    assert_eq!(store.stale_games(&query, true).moves, std::slice::from_ref(&row.id));
    store.refresh(std::slice::from_ref(&row.id));
    let again = store.list_games(&query, None, 0, 10).unwrap();
    assert!(again.rows.contains(row) && store.stale_games(&query, true).moves.is_empty());
}
