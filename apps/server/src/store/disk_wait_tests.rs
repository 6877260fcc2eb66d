//! Saves that share one write to the disk.

use std::path::Path;
use std::thread;

use alfil_page::wire::NewGame;
use alfil_page::{GameStore, OpenGame, SaveError, SavedDate};

use super::{GroupSync, HOST, Store};

fn game_with(moves: &[&str]) -> OpenGame {
    let moves = moves.iter().map(|text| (*text).to_owned()).collect();
    OpenGame::new(HOST.new_id(), NewGame { game: "chess".into(), moves, ..NewGame::default() }).unwrap()
}

#[test]
fn a_game_whose_log_is_not_on_the_disk_is_not_saved_and_is_saved_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let sync = store.group_sync.replace(GroupSync::of_database(Path::new("/no folder/games.sqlite")));
    let mut game = game_with(&["e2e4"]);
    assert!(matches!(store.save(&mut game, 1, SavedDate::Now), Err(SaveError::Storage(_))));
    store.group_sync = sync;
    game.played.play("e7e5", None, std::time::Duration::ZERO).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let saved = store.load(&game.id).unwrap();
    assert_eq!((saved.tree().move_count(), saved.revision), (2, game.revision));
    assert_eq!(store.list(0).unwrap().0.len(), 1);
}

#[test]
fn games_that_are_saved_at_the_same_time_are_all_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    thread::scope(|scope| {
        for client in 0..20 {
            let store = &store;
            scope.spawn(move || {
                let mut game = game_with(&["d2d4"]);
                for text in ["d7d5", "c2c4", "e7e6"] {
                    game.played.play(text, None, std::time::Duration::ZERO).unwrap();
                    store.save(&mut game, client, SavedDate::Now).unwrap();
                }
            });
        }
    });
    // As after a kill: the log is read again.
    std::mem::forget(store.clone());
    let (saved, _) = Store::open(folder.path()).unwrap().list(0).unwrap();
    assert_eq!((saved.len(), saved.iter().all(|game| game.plies == 4)), (20, true));
}

#[test]
fn windows_read_while_a_change_waits_for_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut game = game_with(&["e2e4"]);
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    let other = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| store.begin().map(drop));
        // It has begun to wait.
        thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(store.load(&game.id).unwrap().revision, game.revision);
        assert!(!waiting.is_finished(), "the window has waited as long as the change");
        other.execute_batch("ROLLBACK").unwrap();
        waiting.join().unwrap().unwrap();
    });
}

/// The file is deleted after the commit of a game, and before its log is on the disk.
#[cfg(unix)]
#[test]
fn a_game_whose_file_is_deleted_while_it_waits_for_the_disk_is_saved_in_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, logs) = (folder.path().join("games.sqlite"), tempfile::tempdir().unwrap());
    let [log, pipe] = ["games.sqlite-wal", "pipe"].map(|name| logs.path().join(name));
    let mut store = Store::open(folder.path()).unwrap();
    store.group_sync = Some(GroupSync::new(&path, log.clone()));
    // The first game is new, and then it has been saved before.
    let mut game = game_with(&["e2e4"]);
    for (revision, text) in [(2, "e7e5"), (4, "g1f3")] {
        game.played.play(text, None, std::time::Duration::ZERO).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // The opening of a pipe for writing waits for a reader.
        std::fs::rename(&pipe, &log).unwrap();
        std::fs::hard_link(&log, &pipe).unwrap();
        let reader = rusqlite::Connection::open(&path).unwrap();
        let has_commit = || {
            let text = "SELECT EXISTS (SELECT 1 FROM games WHERE revision = ?1)";
            reader.query_row::<bool, _, _>(text, [revision - 1], |row| row.get(0)).unwrap()
        };
        thread::scope(|scope| {
            let saving = scope.spawn(|| store.save(&mut game, 1, SavedDate::Now));
            while !has_commit() {
                thread::yield_now();
            }
            std::fs::remove_file(&path).unwrap();
            std::fs::write(logs.path().join("file"), "").unwrap();
            std::fs::rename(logs.path().join("file"), &log).unwrap();
            drop(std::fs::File::open(&pipe).unwrap());
            saving.join().unwrap().unwrap();
        });
        std::fs::remove_file(&pipe).unwrap();
        let saved = store.load(&game.id).unwrap();
        assert_eq!((saved.revision, game.revision), (revision, revision));
        assert_eq!(saved.tree().move_count(), game.tree().move_count());
    }
    assert_eq!(store.list(0).unwrap().0.len(), 1);
}
