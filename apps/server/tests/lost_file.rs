//! The file of games is deleted, replaced or damaged while the server runs: no acknowledged move is lost, and what is
//! on the screen is saved as soon as that is possible.

use std::fs;
use std::path::Path;
use std::time::Duration;

use alfil_server::Store;
use serde_json::{Value, json};

use crate::common::{TestClient, expect_ok, moves_to_position, start_server_with};

const FILES: [&str; 3] = ["games.sqlite", "games.sqlite-wal", "games.sqlite-shm"];
const MOVES: [&str; 6] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];

/// The loss that a backup at the same time prolongs.
const TRUNCATED_LOG: &str = "truncated log";

/// Returns what a server that is started after the loss of this one has of a game: its moves, or nothing.
async fn moves_after_restart(folder: &Path, id: &Value) -> Value {
    let copy = tempfile::tempdir().unwrap();
    for name in FILES.iter().filter(|name| folder.join(name).exists()) {
        fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    let mut client = TestClient::open(start_server_with(Store::open(copy.path()).unwrap()).await).await;
    let opened = client.request(json!({"do": "open", "game": id})).await;
    if opened["error"].is_null() { moves_to_position(&opened) } else { Value::Null }
}

/// A server with three games: one is being played, one is open in another window that does nothing, one is not open.
struct Playing {
    folder: tempfile::TempDir,
    port: u16,
    client: TestClient,
    idle: TestClient,
    ids: [Value; 3],
}

impl Playing {
    async fn start() -> Playing {
        let folder = tempfile::tempdir().unwrap();
        let port = start_server_with(Store::open(folder.path()).unwrap()).await;
        let mut clients = Vec::new();
        let mut ids = Vec::new();
        for first in [&MOVES[..2], &["d2d4"], &["c2c4"]] {
            let mut client = TestClient::open(port).await;
            let new = json!({"do": "new", "game": "chess", "moves": first});
            ids.push(expect_ok(client.request(new).await)["game"]["id"].clone());
            clients.push(client);
        }
        clients.pop().unwrap().close().await;
        let (idle, client) = (clients.pop().unwrap(), clients.pop().unwrap());
        Playing { folder, port, client, idle, ids: ids.try_into().unwrap() }
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Plays on; returns whether each move was acknowledged. The move is shown in any case.
    async fn play_on(&mut self, moves: &[&str]) -> Vec<bool> {
        let mut acknowledged = Vec::new();
        for text in moves {
            let response = self.client.play(text).await;
            acknowledged.push(response["error"].is_null());
            if !response["error"].is_null() {
                assert_eq!(response["cause"], "not_saved", "{response}");
                let shown = self.client.receive().await;
                assert_eq!(moves_to_position(&shown).as_array().unwrap().last().unwrap(), text);
            }
        }
        acknowledged
    }

    /// Returns the next event about the saved games.
    async fn storage_event(client: &mut TestClient) -> Value {
        loop {
            let message = client.receive().await;
            if message["event"] == "storage" {
                return message;
            }
        }
    }
}

/// Loses the file, plays on, and expects the moves of the games that are open. Returns whether the third one is there.
async fn check(context: &str, lose: impl FnOnce(&Playing)) -> bool {
    let mut playing = Playing::start().await;
    lose(&playing);
    let acknowledged = playing.play_on(&MOVES[2..4]).await;
    if context == TRUNCATED_LOG && acknowledged.contains(&false) {
        // The backup of the day still reads with the index of the whole log, and may carry the loss into the file: the
        // moves are saved after it.
        while Playing::storage_event(&mut playing.client).await["unsaved"] == true {}
    } else {
        assert_eq!(acknowledged, [true, true], "{context}");
    }
    let event = Playing::storage_event(&mut playing.idle).await;
    let (text, chinese) = (event["text"].as_str().unwrap(), event["text_zh"].as_str().unwrap());
    assert!(event["unsaved"] == false && text.contains("while the program ran"), "{context}: {event}");
    assert!(chinese.contains("程序运行时"), "{context}: {event}");
    playing.play_on(&MOVES[4..]).await;
    let folder = playing.folder.path();
    assert_eq!(moves_after_restart(folder, &playing.ids[0]).await, json!(MOVES), "{context}");
    assert_eq!(moves_after_restart(folder, &playing.ids[1]).await, json!(["d2d4"]), "{context}: idle window");
    // The game of the other window is not taken for a changed one.
    expect_ok(playing.idle.play("d7d5").await);
    moves_after_restart(folder, &playing.ids[2]).await == json!(["c2c4"])
}

#[tokio::test]
async fn a_deleted_file_is_written_again_with_all_games() {
    let is_kept = check("database", |playing| fs::remove_file(playing.file(FILES[0])).unwrap()).await;
    assert!(is_kept);
    let all = |playing: &Playing| FILES.iter().for_each(|name| fs::remove_file(playing.file(name)).unwrap());
    assert!(check("database and logs", all).await);
    assert!(check("folder", |playing| fs::remove_dir_all(playing.folder.path()).unwrap()).await);
    for log in &FILES[1..] {
        assert!(check(log, |playing| fs::remove_file(playing.file(log)).unwrap()).await, "{log}");
    }
}

#[tokio::test]
async fn a_damaged_file_is_kept_beside_a_new_one() {
    for length in [0, 4096, 30_000] {
        check("truncated database", |playing| {
            let file = fs::OpenOptions::new().write(true).open(playing.file(FILES[0])).unwrap();
            // The process of the server drops its locks with this file, as another one would not do.
            file.set_len(length).unwrap();
            std::mem::forget(file);
        })
        .await;
    }
    check(TRUNCATED_LOG, |playing| {
        let file = fs::OpenOptions::new().write(true).open(playing.file(FILES[1])).unwrap();
        file.set_len(0).unwrap();
        std::mem::forget(file);
    })
    .await;
    let mut playing = Playing::start().await;
    let length = playing.file(FILES[0]).metadata().unwrap().len() as usize;
    let file = fs::OpenOptions::new().write(true).open(playing.file(FILES[0])).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    std::io::Write::write_all(&mut &file, &vec![7; length]).unwrap();
    std::mem::forget(file);
    assert_eq!(playing.play_on(&MOVES[2..3]).await, [true]);
    let event = Playing::storage_event(&mut playing.client).await;
    assert!(event["text"].as_str().unwrap().contains("games-damaged-1.sqlite"), "{event}");
    assert!(playing.file("games-damaged-1.sqlite").exists());
    assert_eq!(moves_after_restart(playing.folder.path(), &playing.ids[0]).await, json!(MOVES[..3]));
}

#[tokio::test]
async fn another_store_in_the_place_of_the_file_gets_the_open_games() {
    let other = Playing::start().await;
    let backup = tempfile::tempdir().unwrap();
    let copy = backup.path().join("other.sqlite");
    let file = rusqlite::Connection::open(other.file(FILES[0])).unwrap();
    file.execute("VACUUM INTO ?1", [copy.to_string_lossy()]).unwrap();
    let is_kept = check("replaced", |playing| fs::rename(&copy, playing.file(FILES[0])).unwrap()).await;
    assert!(!is_kept, "a game of the former file is in the new one");
    let mut playing = Playing::start().await;
    file.execute("VACUUM INTO ?1", [copy.to_string_lossy()]).unwrap();
    fs::rename(&copy, playing.file(FILES[0])).unwrap();
    playing.play_on(&MOVES[2..3]).await;
    let folder = playing.folder.path();
    assert_eq!(moves_after_restart(folder, &other.ids[2]).await, json!(["c2c4"]));
    // The games of before are beside it.
    fs::remove_file(playing.file(FILES[1])).unwrap();
    fs::remove_file(playing.file(FILES[2])).unwrap();
    fs::rename(playing.file("games-former-1.sqlite"), playing.file(FILES[0])).unwrap();
    assert_eq!(moves_after_restart(folder, &playing.ids[2]).await, json!(["c2c4"]));
}

#[tokio::test]
async fn moves_that_cannot_be_saved_stay_on_the_screen_and_are_saved_later() {
    let mut playing = Playing::start().await;
    let garbage = playing.file("garbage");
    fs::write(&garbage, "no store of games").unwrap();
    fs::rename(&garbage, playing.file(FILES[0])).unwrap();
    let acknowledged = playing.play_on(&MOVES[2..3]).await;
    assert_eq!(acknowledged, [false]);
    let event = Playing::storage_event(&mut playing.client).await;
    let (text, chinese) = (event["text"].as_str().unwrap(), event["text_zh"].as_str().unwrap());
    assert!(
        event["unsaved"] == true && text.contains("remove that file") && chinese.contains("请移走"),
        "{event}"
    );
    assert_eq!(playing.play_on(&MOVES[3..4]).await, [false]);
    // The page is loaded again: the moves are there, though the file is not.
    let mut client = TestClient::open(playing.port).await;
    drop(std::mem::replace(&mut playing.client, TestClient::open(playing.port).await));
    let open = json!({"do": "open", "game": playing.ids[0]});
    let opened = loop {
        let opened = client.request(open.clone()).await;
        if opened["error"].is_null() {
            break opened;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(moves_to_position(&opened), json!(MOVES[..4]));
    assert_eq!(Playing::storage_event(&mut client).await["unsaved"], true);
    fs::remove_file(playing.file(FILES[0])).unwrap();
    // Nothing has to be done for the moves to be saved.
    assert_eq!(Playing::storage_event(&mut client).await["unsaved"], false);
    for (id, moves) in playing.ids.iter().zip([&MOVES[..4], &["d2d4"], &["c2c4"]]) {
        assert_eq!(moves_after_restart(playing.folder.path(), id).await, json!(moves));
    }
}

#[tokio::test]
async fn another_process_that_writes_for_long_stalls_no_window() {
    let mut playing = Playing::start().await;
    let other = rusqlite::Connection::open(playing.file(FILES[0])).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The lock is held until all windows have their answers.
    let (port, ids) = (playing.port, playing.ids.clone());
    let reader = tokio::spawn(async move {
        let mut client = TestClient::open(port).await;
        for round in 0..20 {
            expect_ok(client.request(json!({"do": "open", "game": ids[round % 3]})).await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    assert_eq!(playing.play_on(&MOVES[2..3]).await, [false]);
    let event = Playing::storage_event(&mut playing.client).await;
    assert!(event["text"].as_str().unwrap().contains("another program writes"), "{event}");
    reader.await.unwrap();
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(Playing::storage_event(&mut playing.client).await["unsaved"], false);
    assert_eq!(moves_after_restart(playing.folder.path(), &playing.ids[0]).await, json!(MOVES[..3]));
}

#[tokio::test]
async fn the_files_of_a_store_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let playing = Playing::start().await;
    let backups = playing.file("backups");
    let mut paths = FILES.map(|name| playing.file(name)).to_vec();
    for _ in 0..500 {
        if fs::read_dir(&backups).is_ok_and(|entries| {
            entries.flatten().any(|one| one.path().to_string_lossy().ends_with(".sqlite"))
        }) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    paths.extend(fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path()));
    assert_eq!(paths.len(), 4, "no backup was made: {paths:?}");
    for path in paths {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
    }
}
