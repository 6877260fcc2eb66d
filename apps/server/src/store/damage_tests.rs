//! Stores with flipped bits, lost pages and cut ends: nothing wrong is believed, and what is readable is salvaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use alfil_page::ImportOptions;
use alfil_page::wire::{LibraryQuery, LibraryRow, NewGame};
use rusqlite::Connection;

use super::open_file::FILE_NAME;
use super::*;

/// A game as it is shown when it is opened.
fn shown(game: &OpenGame) -> String {
    let nodes = game.tree().iter().map(|(number, node)| (number, StoredNode::from(node)));
    serde_json::to_string(&(StoredGame::from(game.record()), nodes.collect::<Vec<_>>())).unwrap()
}

fn rows(store: &Store) -> Vec<LibraryRow> {
    store.list_games(&LibraryQuery::default(), None, 0, 500).unwrap().rows
}

/// What a store has, and its file.
struct Original {
    bytes: Vec<u8>,
    games: BTreeMap<String, String>,
    rows: BTreeMap<String, LibraryRow>,
}

const IMPORTED: usize = 40;

impl Original {
    fn new() -> Original {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (index, game) in ["xiangqi", "chess", "othello"].into_iter().cycle().take(24).enumerate() {
            let new = NewGame { game: game.into(), two_people: index % 2 == 0, ..NewGame::default() };
            let mut open = OpenGame::new(HOST.new_id(), new).unwrap();
            for ply in 0..6 + index {
                let moves = open.played.session().legal_moves(None).unwrap();
                open.played.play(&moves[(7 * ply + index) % moves.len()], None, HOST.now()).unwrap();
            }
            open.played.set_comment(1, "a comment 评注 ".repeat(if index == 3 { 2000 } else { 1 })).unwrap();
            open.played.set_tags(vec![("Event".into(), format!("Event {index}"))]);
            store.save(&mut open, 1, SavedDate::Now).unwrap();
        }
        let game = |number: usize| {
            format!(
                "[White \"Player {number}\"]\n[Black \"棋手\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n"
            )
        };
        let file: String = (0..IMPORTED).map(game).collect();
        let options =
            ImportOptions { name: "imported".into(), game: Some("chess".into()), ..ImportOptions::default() };
        let mut import = store.begin_import(options).unwrap();
        import.push(file.into_bytes()).unwrap();
        while !import.finish().unwrap().done {}
        let rows: BTreeMap<_, _> = rows(&store).into_iter().map(|row| (row.id.clone(), row)).collect();
        let load = |id: &String| (id.clone(), shown(&store.load(id).unwrap()));
        let games: BTreeMap<_, _> = rows.keys().map(load).collect();
        assert_eq!(games.len(), 24 + IMPORTED);
        store.lock_connection().unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        drop(store);
        Original { bytes: fs::read(folder.path().join(FILE_NAME)).unwrap(), games, rows }
    }

    /// Checks that a damaged file is refused, or shows nothing wrong; returns whether it is refused.
    fn check_opened(&self, folder: &Path, context: &str) -> bool {
        let store = match Store::open(folder) {
            Ok(store) => store,
            Err(error) => {
                let has_way_out = error.message.contains("alfil store salvage") && error.message_zh.is_some();
                assert!(has_way_out, "{context}: {error}");
                return true;
            }
        };
        let listed = match store.list_games(&LibraryQuery::default(), None, 0, 500) {
            Ok(list) => list.rows,
            Err(error) => {
                assert!(error.message.contains("malformed"), "{context}: {error:?}");
                return true;
            }
        };
        let mut missing: std::collections::BTreeSet<_> = self.rows.keys().collect();
        let mut damaged = 0;
        for row in &listed {
            missing.remove(&row.id);
            damaged += usize::from(row.damaged);
            assert!(row.damaged || self.rows.get(&row.id) == Some(row), "{context}: {row:?}");
            if let Ok(game) = store.load(&row.id) {
                assert_eq!(self.games.get(&row.id), Some(&shown(&game)), "{context}");
            }
        }
        assert!(
            missing.len() <= damaged,
            "{context}: {} of {} games are listed",
            listed.len(),
            self.rows.len()
        );
        let saved = store.list(0).unwrap().0.into_iter().filter(|game| !game.damaged);
        for game in saved {
            let row = &self.rows[&game.id];
            assert_eq!(
                (&game.players, game.plies, &game.event),
                (&row.players, row.plies, &row.event),
                "{context}"
            );
        }
        false
    }

    /// Salvages a damaged file, and checks what was salvaged; returns the number of games that are not whole.
    fn check_salvaged(&self, folder: &Path, context: &str) -> usize {
        let target = tempfile::tempdir().unwrap();
        let salvage = salvage_store(&folder.join(FILE_NAME), &target.path().join(FILE_NAME)).expect(context);
        let store = Store::open(target.path()).expect(context);
        let partial: Vec<_> = salvage.partial.iter().map(|(id, _)| id).collect();
        let mut whole = 0;
        for row in rows(&store) {
            let game = store.load(&row.id).map_err(|error| error.message).expect(context);
            if !partial.contains(&&row.id) {
                assert_eq!(self.games.get(&row.id), Some(&shown(&game)), "{context}: a whole game");
                let same = &self.rows[&row.id];
                assert_eq!(
                    (&row.players, row.plies, &row.opening),
                    (&same.players, same.plies, &same.opening)
                );
                whole += 1;
            }
        }
        assert_eq!(whole, salvage.whole, "{context}");
        self.games.len() - whole
    }

    /// Damages the file in many ways, of which the numbers are seeds.
    fn check_all(&self, seeds: std::ops::Range<u64>) {
        let (mut refused, mut not_whole) = (0, 0);
        let count = seeds.end - seeds.start;
        for seed in seeds {
            let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut random = |limit: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as usize % limit
            };
            let mut bytes = self.bytes.clone();
            let at = random(bytes.len());
            let (what, max_lost) = match seed % 8 {
                0 => {
                    bytes.truncate(at);
                    ("cut off", usize::MAX)
                }
                1 => {
                    bytes[at & !4095..][..4096].fill(0);
                    ("a lost page", self.games.len())
                }
                _ => {
                    bytes[at] ^= 1 << random(8);
                    ("a flipped bit", self.games.len())
                }
            };
            let context = format!("seed {seed}, {what} at byte {at} of {}", self.bytes.len());
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(FILE_NAME), &bytes).unwrap();
            let lost = self.check_salvaged(folder.path(), &context);
            assert!(lost <= max_lost, "{context}: {lost} games are lost");
            not_whole += if seed % 8 > 1 { lost } else { 0 };
            refused += usize::from(self.check_opened(folder.path(), &context));
        }
        println!("{refused} of {count} stores are refused; flipped bits cost {not_whole} games");
        // A bit costs at most the games of its page.
        assert!(not_whole as u64 <= count, "flipped bits cost {not_whole} games");
    }
}

#[test]
fn no_damage_to_a_store_is_believed() {
    Original::new().check_all(0..48);
}

#[test]
#[ignore = "long: 2,000 damaged stores"]
fn none_of_many_damages_to_a_store_is_believed() {
    Original::new().check_all(0..2_000);
}

#[test]
fn a_whole_store_is_salvaged_with_all_games_also_from_its_log() {
    let original = Original::new();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), &original.bytes).unwrap();
    assert_eq!(original.check_salvaged(folder.path(), "a whole file"), 0);
    let store = Store::open(folder.path()).unwrap();
    let mut game = store.load(original.games.keys().next().unwrap()).unwrap();
    game.played.set_comment(0, "the last change".into()).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    // The program is killed: the change is in the log alone.
    let copy = tempfile::tempdir().unwrap();
    for name in [FILE_NAME, "games.sqlite-wal"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let target = copy.path().join("salvaged.sqlite");
    let salvage = salvage_store(&copy.path().join(FILE_NAME), &target).unwrap();
    assert_eq!((salvage.whole, salvage.partial.len(), salvage.lost.len()), (original.games.len(), 0, 0));
    let file = Connection::open(&target).unwrap();
    let text = "SELECT COUNT(*) FROM nodes WHERE record LIKE '%the last change%'";
    assert_eq!(file.query_row::<i64, _, _>(text, [], |row| row.get(0)).unwrap(), 1);
    assert!(salvage_store(&copy.path().join(FILE_NAME), &target).unwrap_err().message.contains("it exists"));
}

#[test]
fn stores_of_earlier_versions_are_salvaged() {
    let versions: [(&[u8], usize); 2] = [
        (include_bytes!("../../testdata/games-user-version-0.sqlite"), 4),
        (include_bytes!("../../testdata/games-user-version-2.sqlite"), 4),
    ];
    for (bytes, games) in versions {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, bytes).unwrap();
        let salvage = salvage_store(&path, &folder.path().join("salvaged.sqlite")).unwrap();
        assert_eq!((salvage.whole, salvage.partial.len(), salvage.lost.len()), (games, 0, 0));
    }
}

#[test]
fn a_damaged_game_keeps_its_readable_moves_in_a_collection_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    let store = Store::open(folder.path()).unwrap();
    let new = NewGame { game: "chess".into(), ..NewGame::default() };
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].map(String::from).to_vec();
    let mut game = OpenGame::new(HOST.new_id(), NewGame { moves, ..new }).unwrap();
    store.save(&mut game, 1, SavedDate::Now).unwrap();
    drop(store);
    let change = "UPDATE nodes SET record = replace(record, 'b8c6', 'b8d6') WHERE node = 4";
    assert_eq!(checks::tests::change_unnoticed(&path, &[change]), 1);
    let store = Store::open(folder.path()).unwrap();
    let error = store.load(&game.id).map(|game| game.id.clone()).unwrap_err();
    assert!(error.message.contains("alfil store salvage") && error.message_zh.is_some(), "{error:?}");
    drop(store);
    let check = check_store(&path).unwrap();
    assert_eq!((check.games, check.damage, check.damaged_games.len()), (1, None, 1));
    let target = tempfile::tempdir().unwrap();
    let salvage = salvage_store(&path, &target.path().join(FILE_NAME)).unwrap();
    assert_eq!((salvage.whole, salvage.partial.len()), (0, 1));
    let store = Store::open(target.path()).unwrap();
    let read = store.load(&game.id).unwrap();
    let texts: Vec<_> = read.tree().iter().map(|(_, node)| node.text.as_str()).collect();
    assert_eq!(texts, ["", "e2e4", "e7e5", "g1f3"]);
    assert_eq!(store.collections().unwrap().rows[0].name, "Partly read / 部分读出");
}
