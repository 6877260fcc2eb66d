//! Tests of the store.

use super::checks::tests::change_unnoticed;
use super::schema::SCHEMA_VERSION;
use super::*;
use crate::host::{HOST, seconds_since_epoch};
use alfil_kernel::Side;
use alfil_page::conformance::{
    TestedStore, check_game_import, check_game_library, check_game_store, check_requests,
};
use alfil_page::wire::{LibraryQuery, NewGame};
use alfil_page::{ClientSession, KEPT_SECONDS, PageEnvironment, SearchRequest, SearchSlot};
use alfil_session::played_game::AnnotatedMove;

impl TestedStore for Store {
    fn empty(host: PageHost) -> Store {
        Store::from_file(OpenFile::in_memory().unwrap(), host).unwrap()
    }

    fn purge_at(&self, unix_seconds: i64) {
        Store::purge_at(self, unix_seconds).unwrap();
    }
}

#[test]
fn a_store_in_sqlite_conforms() {
    check_game_store::<Store>();
    check_game_library::<Store>();
    check_game_import::<Store>();
}

/// A slot of a page that searches nothing.
struct IdleSlot;

impl SearchSlot for IdleSlot {
    fn queue(&mut self) -> bool {
        false
    }

    fn start(&mut self, _request: &SearchRequest<'_>) -> Result<(), SessionError> {
        Ok(())
    }

    fn stop(&mut self) {}
}

#[test]
fn the_requests_of_a_page_with_a_store_in_sqlite_get_their_answers() {
    let environment = PageEnvironment::new(HOST, Arc::new(Store::in_memory().unwrap()));
    let mut session = ClientSession::new(1, environment, IdleSlot);
    check_requests(|request| {
        let messages = session.on_text(&request.to_string()).into_iter();
        let mut answers = messages.map(|message| serde_json::to_value(message).unwrap());
        answers.rfind(|answer| answer["event"].is_null()).unwrap()
    });
}

fn game() -> OpenGame {
    let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
    OpenGame::new(HOST.new_id(), new).unwrap()
}

fn set_newer_version(file: &Connection) {
    file.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
    let text = "UPDATE index_state SET value = ?1 WHERE name = 'schema'";
    file.execute(text, [(SCHEMA_VERSION + 1).to_string()]).unwrap();
}

/// Saves a game in a store.
pub(super) fn saved_game(store: &Store) -> OpenGame {
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    game
}

fn stored(game: &OpenGame) -> StoredGame {
    StoredGame::from(game.record())
}

#[test]
fn saved_games_can_be_loaded_after_reopening_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = game();
    Store::open(&folder.path().join("deep/er")).unwrap().save(&mut game, 0, SavedDate::Now).unwrap();
    let store = Store::open(&folder.path().join("deep/er")).unwrap();
    assert_eq!(stored(&store.load(&game.id).unwrap()), stored(&game));
    assert_eq!(store.list(0).unwrap().0[0].plies, 1);
    store.delete(&game.id).unwrap();
    assert!(store.load(&game.id).is_err() && store.list(0).unwrap().0.is_empty());
}

#[test]
fn a_database_of_a_newer_version_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    Store::open(folder.path()).unwrap();
    let file = Connection::open(folder.path().join("games.sqlite")).unwrap();
    set_newer_version(&file);
    assert!(Store::open(folder.path()).unwrap_err().message.contains("a newer version"));
}

#[test]
fn an_invalid_store_is_rejected_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("games.sqlite"),
        "not a database, but long enough to be read".repeat(50),
    )
    .unwrap();
    assert!(Store::open(folder.path()).unwrap_err().message.contains("alfil store salvage"));
    assert!(Store::open(Path::new("/dev/null/x")).unwrap_err().message.contains("cannot create"));
}

#[test]
fn only_the_changed_moves_are_written() {
    let store = Store::in_memory().unwrap();
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    // Rows that the next saving does not write keep this mark.
    store
        .lock_connection()
        .unwrap()
        .execute("UPDATE nodes SET record = json_set(record, '$.comment', 'old')", [])
        .unwrap();
    game.played.play("h9g7", None, alfil_engine::now()).unwrap();
    game.played.play("h0g2", None, alfil_engine::now()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let id = game.id.clone();
    let comments = |store: &Store| -> Vec<String> {
        let saved = store.load(&id).unwrap();
        saved.tree().iter().map(|(_, node)| node.comment.clone()).collect()
    };
    assert_eq!(comments(&store), ["old", "", "", ""]);
    game.played.prune(2, alfil_engine::now()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    assert_eq!(comments(&store), ["old", ""]);
    game.played.undo_edit(alfil_engine::now()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let saved = store.load(&game.id).unwrap();
    assert!(
        saved.tree().iter().map(|(_, node)| &node.text).eq(game.tree().iter().map(|(_, node)| &node.text))
    );
}

#[test]
fn nothing_is_left_of_a_purged_game() {
    let store = Store::in_memory().unwrap();
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    store.list_games(&LibraryQuery::default(), None, 0, 1).unwrap();
    store.delete(&game.id).unwrap();
    store.purge_at(seconds_since_epoch() + KEPT_SECONDS + 1).unwrap();
    for table in ["games", "summaries", "nodes", "positions", "game_texts"] {
        let query = format!("SELECT COUNT(*) FROM {table}");
        let rows: i64 = store.lock_connection().unwrap().query_row(&query, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}

/// Returns the lines of a game's tree as a text: the moves, with comments, marks and variations.
fn tree_text(game: &OpenGame) -> String {
    let tree = game.tree();
    let node_text = |(number, node): (usize, &AnnotatedNode)| {
        let AnnotatedMove { text, comment, nags, clocks, score, .. } = &node.value;
        let (parent, children) = (node.parent(), node.children());
        let score = score.map(|score| score.value);
        format!("{number} {parent} {text:?} {comment:?} {nags:?} {clocks:?} {score:?} {children:?}")
    };
    tree.iter().map(node_text).collect::<Vec<_>>().join("\n")
}

/// The database was written by version 0.1.0; see the README of the test data.
#[test]
fn a_database_of_version_0_1_0_is_migrated_with_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    std::fs::write(&path, include_bytes!("../../testdata/games-user-version-0.sqlite")).unwrap();
    // The second opening finds the migrated file.
    for _ in 0..2 {
        let store = Store::open(folder.path()).unwrap();
        let version: u32 = store
            .lock_connection()
            .unwrap()
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(version, SCHEMA_VERSION);
        let listed = store.list(0).unwrap().0;
        let found: Vec<_> = listed.iter().rev().map(|game| (game.game.as_str(), game.plies)).collect();
        assert_eq!(found, [("xiangqi", 3), ("chess", 2), ("othello", 1), ("chess", 7)]);
        let games: Vec<_> = listed.iter().rev().map(|game| store.load(&game.id).unwrap()).collect();
        let record = games[0].record();
        assert_eq!(
            (record.ruleset.as_deref(), record.dialect.as_deref()),
            (Some("cxa2020"), Some("chinese"))
        );
        let expected = [
            r#"0 0 "" "the game" [] "" None [1]"#,
            r#"1 0 "h2e2" "" [] "" None [2, 4]"#,
            r#"2 1 "h9g7" "" [] "" None [3, 6]"#,
            r#"3 2 "h0g2" "" [] "" None []"#,
            r#"4 1 "b9c7" "a variation" [] "" None []"#,
            r#"6 2 "b2d2" "" [] "" None []"#,
        ];
        assert_eq!(tree_text(&games[0]), expected.join("\n"));
        let record = games[1].record();
        let clock = record.clock.as_ref().unwrap();
        assert_eq!((record.person(), record.level, clock.node), (Some(Side::First), 1, 2));
        let remaining = clock.game_clock.snapshot().remaining.map(|time| time.as_millis());
        assert_eq!(remaining, [299_956, 302_991]);
        assert_eq!(games[2].record().resigned, Some(Side::Second));
        let tags = [("Event", "A match"), ("White", "Anna"), ("Black", "Bert"), ("Result", "1-0")];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(games[3].record().tags, tags);
        let text = tree_text(&games[3]);
        let first = r#"1 0 "e2e4" "a comment" [1] "[%clk 0:03:00]" Some(24) [2, 8]"#;
        assert!(text.contains(first) && text.contains(r#"6 5 "g8f6" "" [4]"#), "{text}");
    }
}

#[test]
fn a_damaged_game_does_not_hinder_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    std::fs::write(&path, include_bytes!("../../testdata/games-user-version-0.sqlite")).unwrap();
    let file = Connection::open(&path).unwrap();
    let chess = "game = 'chess' AND plies = 7";
    file.execute(&format!("UPDATE games SET record = '{{]' WHERE {chess}"), []).unwrap();
    let damaged: String =
        file.query_row(&format!("SELECT id FROM games WHERE {chess}"), [], |row| row.get(0)).unwrap();
    drop(file);
    let store = Store::open(folder.path()).unwrap();
    let loaded =
        store.list(0).unwrap().0.into_iter().map(|game| (game.id.clone(), store.load(&game.id).is_ok()));
    for (id, is_ok) in loaded {
        assert_eq!(is_ok, id != damaged);
    }
    let listed = store.list_games(&LibraryQuery::default(), None, 0, 10).unwrap().rows;
    assert!(listed.iter().any(|row| row.id == damaged), "{listed:?}");
}

#[test]
fn a_game_with_damaged_moves_is_listed_and_cannot_be_opened() {
    for children in ["[7]", "[1, 1]", "[0]"] {
        let folder = tempfile::tempdir().unwrap();
        let mut game = game();
        Store::open(folder.path()).unwrap().save(&mut game, 0, SavedDate::Now).unwrap();
        let change = format!(
            "UPDATE nodes SET record = json_set(record, '$.children', json('{children}')) WHERE node = 0"
        );
        let changed =
            change_unnoticed(&folder.path().join(FILE_NAME), &["UPDATE summaries SET is_stale = 1", &change]);
        let store = Store::open(folder.path()).unwrap();
        let listed = store.list_games(&LibraryQuery::default(), None, 0, 10).unwrap().rows;
        assert_eq!((changed, listed.len()), (1, 1));
        let error = store.load(&game.id).err().unwrap();
        assert!(error.message.contains("damaged"), "{children}: {}", error.message);
    }
}

/// The database was written by the version before the library; see the README of the test data.
#[test]
fn a_database_of_user_version_2_is_migrated_with_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    std::fs::write(&path, include_bytes!("../../testdata/games-user-version-2.sqlite")).unwrap();
    // Its deleted game is not purged, whenever the test runs.
    let file = Connection::open(&path).unwrap();
    file.execute("UPDATE games SET deleted = ?1 WHERE deleted IS NOT NULL", [seconds_since_epoch()]).unwrap();
    let deleted: String =
        file.query_row("SELECT id FROM games WHERE deleted IS NOT NULL", [], |row| row.get(0)).unwrap();
    drop(file);
    for _ in 0..2 {
        let store = Store::open(folder.path()).unwrap();
        let listed = store.list(0).unwrap().0;
        let found: Vec<_> = listed.iter().map(|game| (game.game.as_str(), game.plies)).collect();
        assert_eq!(found, [("othello", 1), ("chess", 6), ("xiangqi", 4)]);
        assert_eq!((&listed[1].players, listed[1].result.as_str()), (&["Anna".into(), "Bert".into()], "1-0"));
        let xiangqi = store.load(&listed[2].id).unwrap();
        let expected = [
            r#"0 0 "" "openings" [] "" None [1]"#,
            r#"1 0 "h2e2" "" [] "" None [2, 5]"#,
            r#"2 1 "h9g7" "a screen horse" [] "" None [3]"#,
            r#"3 2 "h0g2" "" [] "" None [4]"#,
            r#"4 3 "i9h9" "" [] "" None []"#,
            r#"5 1 "h7e7" "" [] "" None [6]"#,
            r#"6 5 "h0g2" "" [] "" None []"#,
        ];
        assert_eq!(tree_text(&xiangqi), expected.join("\n"));
        assert_eq!(store.load(&listed[0].id).unwrap().record().resigned, Some(Side::First));
        // The library finds openings and results of the old games.
        let query = LibraryQuery::default();
        let rows = store.list_games(&query, None, 0, 10).unwrap().rows;
        let opening = |game: &str| rows.iter().find(|row| row.game == game).unwrap().opening.as_str();
        assert_eq!(
            (opening("chess"), opening("xiangqi")),
            ("Ruy Lopez: Morphy Defense", "Central Cannon vs Left Horse, Filed Rook")
        );
        assert_eq!(rows.iter().find(|row| row.game == "othello").unwrap().result, "0-1");
        assert!(store.load(&deleted).is_err());
    }
    let store = Store::open(folder.path()).unwrap();
    store.restore(&deleted).unwrap();
    assert_eq!(store.load(&deleted).unwrap().tree().move_count(), 3);
}

#[test]
fn a_store_does_not_write_when_a_newer_version_has_changed_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let file = Connection::open(folder.path().join("games.sqlite")).unwrap();
    set_newer_version(&file);
    game.played.play("h9g7", None, alfil_engine::now()).unwrap();
    let Err(SaveError::Storage(error)) = store.save(&mut game, 1, SavedDate::Now) else {
        panic!("it is saved")
    };
    assert!(error.message.contains("newer version") && error.message_zh.is_some());
    assert!(store.delete(&game.id).is_err() && store.load(&game.id).is_err());
    let (revision, deleted): (i64, Option<i64>) = file
        .query_row("SELECT revision, deleted FROM games JOIN summaries USING (number)", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!((revision, deleted), (1, None));
}

#[test]
fn a_deletion_removes_what_was_deleted_long_ago() {
    let store = Store::in_memory().unwrap();
    let (mut one, mut two) = (game(), game());
    store.save(&mut one, 1, SavedDate::Now).unwrap();
    store.save(&mut two, 1, SavedDate::Now).unwrap();
    store.delete(&one.id).unwrap();
    let long_ago = seconds_since_epoch() - 31 * 24 * 60 * 60;
    let text = "UPDATE summaries SET deleted = ?1 WHERE deleted IS NOT NULL";
    store.lock_connection().unwrap().execute(text, [long_ago]).unwrap();
    store.delete(&two.id).unwrap();
    assert!(store.restore(&one.id).is_err());
    store.restore(&two.id).unwrap();
}

/// Calls a function while another connection writes to the file of a store, for some tenths of a second.
fn while_another_writes<T>(path: &Path, call: impl FnOnce() -> T) -> T {
    let (sender, writes) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let file = Connection::open(path).unwrap();
            file.execute_batch("BEGIN IMMEDIATE").unwrap();
            sender.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(300));
            file.execute_batch("COMMIT").unwrap();
        });
        writes.recv().unwrap();
        call()
    })
}

#[test]
fn the_removal_of_games_waits_for_another_process_that_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let store = Store::open(folder.path()).unwrap();
    let mut game = game();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    store.delete(&game.id).unwrap();
    while_another_writes(&path, || store.purge()).unwrap();
    while_another_writes(&path, || store.remove_games(&[game.id.clone()])).unwrap();
    assert!(store.restore(&game.id).is_err());
}

#[test]
fn an_imported_game_gets_an_id_that_no_game_has() {
    let store = Store::in_memory().unwrap();
    let (file, game) = (store.lock_connection().unwrap(), game());
    let mut ids = ["one", "one", "two"].map(String::from).into_iter();
    let mut insert = || summaries::insert_game(&file, game.record(), || ids.next().unwrap()).unwrap().0;
    assert_eq!([insert(), insert()], ["one", "two"]);
}

#[test]
fn a_clock_that_jumps_removes_no_deleted_game() {
    const DAY: i64 = 24 * 60 * 60;
    static NOW: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(1_800_000_000);
    let set = |now| NOW.store(now, Ordering::Relaxed);
    let host = PageHost { unix_seconds: || NOW.load(Ordering::Relaxed), ..HOST };
    let start = NOW.load(Ordering::Relaxed);
    let store = Store::from_file(OpenFile::in_memory().unwrap(), host).unwrap();
    let game = saved_game(&store);
    store.delete(&game.id).unwrap();
    // The clock is 31 days, and then 31 years, too late for a while.
    for jump in [31, 31 * 365] {
        set(start + jump * DAY);
        store.purge().unwrap();
        set(start + jump * DAY + DAY / 2);
        store.purge().unwrap();
        set(start + DAY / 2);
        store.purge().unwrap();
    }
    set(start + 29 * DAY);
    store.purge().unwrap();
    set(start + 31 * DAY);
    store.purge().unwrap();
    store.restore(&game.id).unwrap();
    store.delete(&game.id).unwrap();
    // A time that was seen a day before is believed.
    for day in [62, 63] {
        set(start + day * DAY);
        store.purge().unwrap();
    }
    assert!(store.restore(&game.id).is_err());
}

#[test]
fn an_import_into_a_file_that_was_replaced_touches_no_other_collection() {
    let store = Store::in_memory().unwrap();
    let number = store.create_collection("mine").unwrap();
    let set = "UPDATE collections SET is_complete = 1, name = 'other'";
    store.lock_connection().unwrap().execute(set, []).unwrap();
    assert!(store.insert_imported(number, Vec::new()).is_err());
    assert!(store.complete_collection(number).is_err());
    store.discard_collection(number).unwrap();
    assert_eq!(store.collections().unwrap().rows[0].name, "other");
}

#[test]
fn a_backup_in_the_place_of_a_killed_store_does_not_get_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let [path, backup] = [FILE_NAME, "backup"].map(|name| folder.path().join(name));
    let store = Store::open(folder.path()).unwrap();
    let mut game = saved_game(&store);
    back_up_store(&path, &backup).unwrap();
    game.played.play("h9g7", None, alfil_engine::now()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    // As after a kill: the log stays.
    std::mem::forget(store);
    std::fs::rename(&backup, &path).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let restored = store.load(&game.id).unwrap();
    assert_eq!(restored.tree().move_count() + 1, game.tree().move_count());
    drop(store);
    assert_eq!(check_store(&path).unwrap().damage, None);
}
