//! Tests of the library: import, search, order, deletion, export.

use std::time::Instant;

use crate::common::games::pgn_file;
use crate::common::{TestClient, expect_ok, start_server, start_server_with};
use alfil_server::Store;
use serde_json::{Value, json};

/// Sends a request of the library and returns what it answers.
async fn library(client: &mut TestClient, action: &str, mut fields: Value) -> Value {
    fields["do"] = json!("library");
    fields["action"] = json!(action);
    expect_ok(client.request(fields).await)["library"].clone()
}

async fn list(client: &mut TestClient, query: Value) -> Value {
    library(client, "list", json!({"query": query, "limit": 100})).await["list"].clone()
}

/// Returns a text with a character for each byte.
fn text_of_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Imports a file in parts; returns the report.
async fn import(client: &mut TestClient, name: &str, file: &[u8], part: usize) -> Value {
    library(client, "import_begin", json!({"name": name})).await;
    for part in file.chunks(part) {
        library(client, "import_chunk", json!({"data": text_of_bytes(part)})).await;
    }
    loop {
        let progress = library(client, "import_end", json!({})).await["import"].clone();
        if progress["done"] == true {
            return progress;
        }
    }
}

#[tokio::test]
async fn a_file_becomes_a_collection_that_is_searched_and_sorted() {
    let mut client = TestClient::with_game(start_server().await, "chess").await;
    let file = pgn_file(300, 300, 24);
    // The parts end within characters and moves.
    let report = import(&mut client, "three hundred", file.as_bytes(), 997).await;
    assert_eq!((&report["games"], &report["bad"], &report["cut"]), (&json!(300), &json!(0), &json!(0)));
    assert_eq!(report["bytes"], json!(file.len()));
    let collections = library(&mut client, "collections", json!({})).await["collections"].clone();
    assert_eq!((&collections["all"], &collections["single"]), (&json!(300), &json!(0)));
    assert_eq!(collections["rows"][0]["name"], "three hundred");
    let collection = collections["rows"][0]["id"].clone();
    assert_eq!(report["collection"], collection);

    // In the order of the file, in parts.
    let all = list(&mut client, json!({"collection": collection})).await;
    assert_eq!((all["total"].as_u64(), all["rows"].as_array().unwrap().len()), (Some(300), 100));
    assert_eq!(all["rows"][0]["id"], report["first"]);
    assert!(all["rows"][0]["placement"].as_str().unwrap().contains('/'));
    let query = json!({"collection": collection});
    let rest = library(&mut client, "list", json!({"query": query, "offset": 200, "limit": 200})).await;
    assert_eq!(rest["list"]["rows"].as_array().unwrap().len(), 100);
    assert_eq!(rest["list"]["version"], all["version"]);

    for (query, expected) in [
        (json!({"search": "castan"}), file.matches("[White \"Castañeda").count()),
        (json!({"search": "荣华"}), file.matches("[White \"胡荣华").count()),
        (json!({"search": "zee", "field": "event"}), file.matches("[Event \"Wijk aan Zee").count()),
        (json!({"search": "zee", "field": "player"}), 0),
        (json!({"search": "king's indian", "field": "opening"}), 1),
        (json!({"search": "C", "field": "opening"}), 1),
        (json!({"result": "1-0"}), file.matches("[Result \"1-0\"]").count()),
        (json!({"game": "xiangqi"}), 0),
        (json!({"search": "no such name"}), 0),
    ] {
        let found = list(&mut client, query.clone()).await["total"].as_u64().unwrap() as usize;
        // A player may have the black pieces, and not every random game stays in its opening.
        let is_right = if query["field"].is_null() && query["search"] != "" && expected > 0 {
            found >= expected
        } else {
            (found > 0) == (expected > 0)
        };
        assert!(is_right, "{query}: {found} {expected}");
    }
    let by_date = list(&mut client, json!({"sort": "date", "descending": true})).await;
    let dates: Vec<_> =
        by_date["rows"].as_array().unwrap().iter().map(|row| row["date"].to_string()).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b) && dates[0] > dates[99], "{dates:?}");
    let by_length = list(&mut client, json!({"sort": "length"})).await;
    let plies: Vec<_> =
        by_length["rows"].as_array().unwrap().iter().map(|row| row["plies"].as_u64()).collect();
    assert!(plies.is_sorted(), "{plies:?}");
}

#[tokio::test]
async fn games_are_found_by_position() {
    let mut client = TestClient::with_game(start_server().await, "chess").await;
    import(&mut client, "games", pgn_file(600, 8, 12).as_bytes(), 1 << 16).await;
    // The Ruy Lopez by another order of moves, in a variation of a game that was played here.
    for mv in ["g1f3", "b8c6", "e2e4", "e7e5", "f1b5"] {
        expect_ok(client.play(mv).await);
    }
    let position = client.request(json!({"do": "go", "node": 5})).await["position"]["fen"].clone();
    let query = json!({"game": "chess", "position": position});
    let found = list(&mut client, query.clone()).await;
    // Every fourth game of the file, and the open one, which has changed last.
    assert_eq!(found["total"], json!(151));
    client.request(json!({"do": "go", "node": 0})).await;
    client.play("d2d4").await;
    // It is in a variation now, and still found.
    assert_eq!(list(&mut client, query.clone()).await["total"], json!(151));
    client.request(json!({"do": "prune", "node": 1})).await;
    assert_eq!(list(&mut client, query.clone()).await["total"], json!(150));
    let error = client
        .request(json!({"do": "library", "action": "list", "limit": 1, "query": {"position": "x"}}))
        .await;
    assert!(error["error"].as_str().unwrap().contains("name of its game"), "{error}");
}

#[tokio::test]
async fn collections_and_games_are_renamed_deleted_and_restored() {
    let mut client = TestClient::with_game(start_server().await, "chess").await;
    let report = import(&mut client, "old", pgn_file(20, 20, 10).as_bytes(), 1 << 16).await;
    let collection = report["collection"].clone();
    let ids = library(&mut client, "ids", json!({"query": {}})).await["ids"].clone();
    assert_eq!(ids.as_array().unwrap().len(), 20);
    library(&mut client, "rename_collection", json!({"collection": collection, "name": " new "})).await;
    let unnamed =
        json!({"do": "library", "action": "rename_collection", "collection": collection, "name": " "});
    assert_eq!(client.request(unnamed).await["error"], "a collection needs a name");
    let renamed = library(&mut client, "collections", json!({})).await;
    assert_eq!(renamed["collections"]["rows"][0]["name"], "new");

    // The open game is deleted: it continues as a new one.
    expect_ok(client.request(json!({"do": "open", "game": ids[0]})).await);
    let some = json!([ids[0], ids[1], ids[2]]);
    let request = json!({"do": "library", "action": "delete_games", "games": some});
    let response = expect_ok(client.request(request).await);
    assert_ne!(response["game"]["id"], ids[0]);
    assert_eq!(list(&mut client, json!({})).await["total"], json!(17));
    assert_eq!(client.request(json!({"do": "open", "game": ids[1]})).await["cause"], "gone");
    library(&mut client, "restore_games", json!({"games": some})).await;
    assert_eq!(list(&mut client, json!({})).await["total"], json!(20));

    library(&mut client, "delete_collection", json!({"collection": collection})).await;
    assert_eq!(list(&mut client, json!({})).await["total"], json!(0));
    assert_eq!(client.request(json!({"do": "open", "game": ids[1]})).await["cause"], "gone");
    library(&mut client, "restore_collection", json!({"collection": collection})).await;
    assert_eq!(list(&mut client, json!({"collection": collection})).await["total"], json!(20));
    let gone =
        client.request(json!({"do": "library", "action": "delete_collection", "collection": "x"})).await;
    assert_eq!(gone["cause"], "gone");
}

#[tokio::test]
async fn an_imported_game_is_opened_edited_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut client =
        TestClient::with_game(start_server_with(Store::open(folder.path()).unwrap()).await, "chess").await;
    let file = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n\n\
        [White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 2. Qxd5 *\n\n[White \"E\"]\n\n1. Ke5 *\n";
    let report = import(&mut client, "two", file.as_bytes(), 10).await;
    assert_eq!((&report["games"], &report["cut"], &report["bad"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!((&report["remarked"], report["remarks"].as_array().unwrap().len()), (&json!(2), 2));
    let first = report["first"].clone();
    let opened = expect_ok(client.request(json!({"do": "open", "game": first})).await);
    assert_eq!(opened["tree"].as_array().unwrap().len(), 6);
    // The first edit gives each move a row of its own.
    client.play("b8c6").await;
    expect_ok(client.request(json!({"do": "comment", "node": 1, "text": "better"})).await);
    let mut other = TestClient::open(start_server_with(Store::open(folder.path()).unwrap()).await).await;
    let opened = expect_ok(other.request(json!({"do": "open", "game": first})).await);
    assert_eq!(
        (&opened["tree"][1]["comment"], opened["tree"].as_array().unwrap().len()),
        (&json!("better"), 7)
    );

    let ids = library(&mut client, "ids", json!({"query": {"sort": "players"}})).await["ids"].clone();
    let tags = library(&mut client, "tags", json!({"game": ids[1]})).await;
    assert_eq!((&tags["game"], &tags["tags"][0]), (&json!("chess"), &json!(["White", "C"])));
    let new_tags = json!([["White", "Zoe"], ["Event", "Final"]]);
    let former = library(&mut client, "set_tags", json!({"game": ids[1], "tags": new_tags})).await;
    assert_eq!(former["tags"], tags["tags"]);
    assert_eq!(list(&mut client, json!({"search": "zoe"})).await["rows"][0]["event"], "Final");
    assert_eq!(list(&mut client, json!({"search": "C", "field": "player"})).await["total"], json!(0));
    let text = library(&mut client, "export", json!({"games": ids})).await["text"].clone();
    let text = text.as_str().unwrap();
    assert!(
        text.contains("[White \"Zoe\"]") && text.contains("(1... c5 2. Nf3)") && text.contains("{better}")
    );
    assert_eq!(text.matches("[Event ").count(), 2);
}

#[tokio::test]
async fn a_pasted_text_of_several_games_becomes_a_collection() {
    let mut client = TestClient::with_game(start_server().await, "chess").await;
    let file = pgn_file(500, 4, 8);
    let response = expect_ok(client.request(json!({"do": "import", "text": file, "name": "pasted"})).await);
    assert_eq!(response["imported"]["games"], json!(500));
    assert_eq!(response["game"]["id"], response["imported"]["first"]);
    let games = client.request(json!({"do": "games"})).await;
    assert_eq!((&games["kept"], &games["more"]), (&json!([]), &json!(false)));
    let looks = library(&mut client, "looks", json!({})).await;
    assert_eq!(looks["looks"].as_object().unwrap().len(), 3);
}

/// Prints how long it takes to import, list and search 100,000 games. Nothing depends on the times.
#[tokio::test]
#[ignore = "long: 100,000 games"]
async fn a_library_of_100_000_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut client =
        TestClient::with_game(start_server_with(Store::open(folder.path()).unwrap()).await, "chess").await;
    let file = pgn_file(100_000, 5_000, 80);
    println!("{} MB of PGN", file.len() / 1_000_000);
    let start = Instant::now();
    let report = import(&mut client, "many", file.as_bytes(), 256 << 10).await;
    println!("import: {:.1} s", start.elapsed().as_secs_f64());
    assert_eq!(report["games"], json!(100_000));
    let size = |name: &str| folder.path().join(name).metadata().map_or(0, |data| data.len() / 1_000_000);
    println!("file: {} MB, log: {} MB", size("games.sqlite"), size("games.sqlite-wal"));
    for mv in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"] {
        client.play(mv).await;
    }
    let position = client.request(json!({"do": "go", "node": 5})).await["position"]["fen"].clone();
    for query in [
        json!({}),
        json!({"sort": "date", "descending": true}),
        json!({"sort": "players"}),
        json!({"sort": "opening"}),
        json!({"sort": "length"}),
        json!({"search": "castaneda"}),
        json!({"search": "许银川"}),
        json!({"search": "wijk 1999", "field": "event"}),
        json!({"search": "ruy lopez", "field": "opening"}),
        json!({"game": "chess", "position": position}),
    ] {
        let start = Instant::now();
        let total = list(&mut client, query.clone()).await["total"].clone();
        let first = start.elapsed();
        let start = Instant::now();
        let offset = total.as_u64().unwrap() / 2;
        library(&mut client, "list", json!({"query": query, "offset": offset, "limit": 100})).await;
        let next = start.elapsed();
        println!("{query}: {total} games, first part {first:.1?}, a part in the middle {next:.1?}");
    }
    for action in ["delete_collection", "restore_collection", "collections", "ids"] {
        let start = Instant::now();
        library(&mut client, action, json!({"collection": report["collection"]})).await;
        println!("{action}: {:.1?}", start.elapsed());
    }
}

#[tokio::test]
async fn games_of_a_base_without_names_have_numbers_and_scores_in_discs() {
    let file = include_bytes!("../../../crates/records/testdata/othello/synthetic-wth.wtb");
    let mut client = TestClient::with_game(start_server().await, "chess").await;
    let report = import(&mut client, "WTH_2026", file, 100).await;
    let rows = list(&mut client, json!({"collection": report["collection"]})).await["rows"].clone();
    let facts = rows.as_array().unwrap().iter().map(|row| {
        let is_numbered = |name: &Value| name.as_str().unwrap().starts_with('#');
        assert!(is_numbered(&row["players"][0]) && is_numbered(&row["players"][1]), "{row}");
        assert!(is_numbered(&row["event"]) && row["date"] == "2026", "{row}");
        (row["score"].clone(), row["plies"].as_u64().unwrap())
    });
    // The discs and the length of the first and the last game; passes are no moves.
    let facts: Vec<_> = facts.collect();
    assert_eq!((&facts[0], &facts[9]), (&(json!([37, 27]), 60), &(json!([47, 17]), 59)));
    let player = rows[0]["players"][0].as_str().unwrap().trim_start_matches('#');
    let found = list(&mut client, json!({"search": player, "field": "player"})).await["total"].clone();
    assert!(found.as_u64().unwrap() > 0);
    // The open game and the list of saved games say the same.
    let open = expect_ok(client.request(json!({"do": "open", "game": rows[0]["id"]})).await);
    assert_eq!(open["game"]["score"], rows[0]["score"]);
    let moves: Vec<_> =
        open["tree"].as_array().unwrap().iter().skip(1).map(|node| node["text"].clone()).collect();
    expect_ok(client.request(json!({"do": "new", "game": "othello", "moves": moves})).await);
    list(&mut client, json!({})).await;
    let saved = expect_ok(client.request(json!({"do": "games"})).await);
    let kept = &saved["kept"][0];
    assert_eq!((&kept["score"], &kept["plies"]), (&rows[0]["score"], &rows[0]["plies"]));
    let units: Vec<_> =
        saved["games"].as_array().unwrap().iter().map(|game| game["length_unit"].clone()).collect();
    assert_eq!(units, ["full_moves", "full_moves", "plies"]);
}
