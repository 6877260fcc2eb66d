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
