//! `alfil store` with whole and damaged games.

use std::fs;

use super::analyse::path_in;
use super::{expect_error, expect_ok, run};

/// Games as an earlier version has written them; see the README of the test data.
const GAMES: &[u8] = include_bytes!("../../../server/testdata/games-user-version-2.sqlite");

#[test]
fn saved_games_are_checked_backed_up_and_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (games, name) = (folder.join("games.sqlite"), path_in(folder, "games.sqlite"));
    let folder_name = folder.to_str().unwrap();
    expect_error(&["store", "check", folder_name], 1, "there are no saved games");
    fs::write(&games, GAMES).unwrap();
    assert_eq!(expect_ok(&["store", "check", folder_name]), format!("{name}: 4 games, all whole\n"));
    assert_eq!(expect_ok(&["store", "check", &name]), format!("{name}: 4 games, all whole\n"));
    let backup = path_in(folder, "games-backup-1.sqlite");
    assert_eq!(expect_ok(&["store", "backup", folder_name]), format!("{backup}: 4 games\n"));
    assert_eq!(expect_ok(&["store", "check", &backup]), format!("{backup}: 4 games, all whole\n"));
    expect_error(&["store", "backup", folder_name, "-o", &backup], 1, "exists");

    // The first page has the tables: without it, nothing but a salvage reads the games.
    let mut bytes = GAMES.to_vec();
    bytes[100..200].fill(0xff);
    fs::write(&games, &bytes).unwrap();
    expect_error(&["store", "check", folder_name], 1, "alfil store salvage");
    expect_error(&["store", "backup", folder_name], 1, "alfil store salvage");
    expect_error(&["serve", "--port", "0", "--data", folder_name], 1, "alfil store salvage");
    let salvaged = path_in(folder, "games-salvaged-1.sqlite");
    let expected = format!(
        "{salvaged}: 4 games read, 0 partly read, 0 lost\nto use it, end the server, and give it the name {name}\n"
    );
    assert_eq!(expect_ok(&["store", "salvage", folder_name]), expected);
    assert_eq!(expect_ok(&["store", "check", &salvaged]), format!("{salvaged}: 4 games, all whole\n"));
    assert_eq!(fs::read(&games).unwrap(), bytes, "the damaged file is as it was");
    expect_error(&["store", "salvage", folder_name, "-o", &salvaged], 1, "choose another file with -o");
    let (status, out, error) = run(&["store", "salvage", folder_name]);
    assert!((status, error.as_str()) == (0, "") && out.contains("games-salvaged-2.sqlite"), "{out}{error}");
    fs::write(&games, "").unwrap();
    expect_error(&["store", "check", folder_name], 1, "it has no table of games");
    // A file without a game.
    fs::write(&games, vec![0; 8192]).unwrap();
    let empty = path_in(folder, "empty.sqlite");
    let out = expect_ok(&["store", "salvage", folder_name, "-o", &empty]);
    assert!(out.starts_with(&format!("{empty}: 0 games read")), "{out}");
}
