//! Tests of edits: what is sent after a change, and how changes are undone.

use alfil_server::Store;
use serde_json::{Value, json};

use crate::common::{TestClient, expect_ok, moves_to_position, start_server, start_server_with};

/// Returns the ids of some nodes.
fn ids(nodes: &Value) -> Vec<u64> {
    nodes.as_array().into_iter().flatten().map(|node| node["node"].as_u64().expect("an id")).collect()
}

#[tokio::test]
async fn a_response_has_only_the_changed_moves() {
    let mut client = TestClient::open(start_server().await).await;
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
    let opened = client.request(json!({"do": "new", "game": "chess", "moves": moves})).await;
    assert_eq!((ids(&opened["tree"]).len(), &opened["nodes"]), (7, &Value::Null));
    let played = expect_ok(client.play("b5a4").await);
    assert_eq!((ids(&played["nodes"]), &played["removed"]), (vec![6, 7], &Value::Null));
    assert_eq!(played["nodes"][1]["label"], "b5a4");
    let commented = client.request(json!({"do": "comment", "node": 2, "text": "open"})).await;
    assert_eq!((ids(&commented["nodes"]), &commented["nodes"][0]["comment"]), (vec![2], &json!("open")));
    let pruned = client.request(json!({"do": "prune", "node": 5})).await;
    assert_eq!((ids(&pruned["nodes"]), &pruned["removed"]), (vec![4], &json!([5, 6, 7])));
    let undone = expect_ok(client.request(json!({"do": "undo_change"})).await);
    assert_eq!((ids(&undone["nodes"]), &undone["removed"]), (vec![4, 5, 6, 7], &Value::Null));
    // Another position changes no move.
    let shown = expect_ok(client.request(json!({"do": "go", "node": 1})).await);
    assert_eq!((&shown["nodes"], &shown["tree"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn edits_are_undone_and_redone_in_their_order() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    assert_eq!(client.request(json!({"do": "undo_change"})).await["cause"], "no_edit");
    expect_ok(client.play("h2e2").await);
    expect_ok(client.play("h9g7").await);
    expect_ok(client.request(json!({"do": "comment", "node": 1, "text": "central"})).await);
    expect_ok(client.request(json!({"do": "tags", "tags": [["Event", "A match"]]})).await);
    let pruned = expect_ok(client.request(json!({"do": "prune", "node": 1})).await);
    assert_eq!(pruned["edits"], json!({"undo": {"kind": "deletion", "moves": 2}, "redo": null}));
    for (kind, moves) in [
        ("deletion", json!(["h2e2", "h9g7"])),
        ("tags", json!(["h2e2", "h9g7"])),
        ("comment", json!(["h2e2", "h9g7"])),
        ("moves", json!(["h2e2"])),
        ("moves", json!([])),
    ] {
        let undone = expect_ok(client.request(json!({"do": "undo_change"})).await);
        assert_eq!((&undone["edit"]["kind"], moves_to_position(&undone)), (&json!(kind), moves));
    }
    assert_eq!(client.request(json!({"do": "undo_change"})).await["cause"], "no_edit");
    for _ in 0..4 {
        expect_ok(client.request(json!({"do": "redo_change"})).await);
    }
    let text = client.request(json!({"do": "export"})).await["text"].as_str().unwrap().to_owned();
    assert!(text.contains("A match") && text.contains("central"), "{text}");
    let redone = expect_ok(client.request(json!({"do": "redo_change"})).await);
    assert_eq!(redone["removed"], json!([1, 2]));
    assert_eq!(client.request(json!({"do": "redo_change"})).await["cause"], "no_edit");
}

#[tokio::test]
async fn edits_can_be_undone_after_the_page_was_loaded_again() {
    let port = start_server().await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    expect_ok(client.play("h2e2").await);
    let pruned = expect_ok(client.request(json!({"do": "prune", "node": 1})).await);
    assert_eq!(moves_to_position(&pruned), json!([]));
    let id = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    // The same page opens another game and comes back; then it is loaded again.
    expect_ok(client.request(json!({"do": "new", "game": "chess"})).await);
    let opened = expect_ok(client.request(json!({"do": "open", "game": id})).await);
    assert_eq!(opened["edits"]["undo"]["kind"], "deletion");
    client.socket.close(None).await.unwrap();
    let mut again = TestClient::open(port).await;
    // The server closes the old connection soon after the page has left.
    let mut opened = Value::Null;
    for _ in 0..100 {
        opened = expect_ok(again.request(json!({"do": "open", "game": id})).await);
        if !opened["edits"]["undo"].is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(opened["edits"]["undo"], json!({"kind": "deletion", "moves": 1}));
    let undone = expect_ok(again.request(json!({"do": "undo_change"})).await);
    assert_eq!(moves_to_position(&undone), json!(["h2e2"]));
}

#[tokio::test]
async fn the_edits_of_a_game_that_another_window_has_changed_are_not_undone() {
    let port = start_server().await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    expect_ok(client.play("h2e2").await);
    let id = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let mut other = TestClient::open(port).await;
    expect_ok(other.request(json!({"do": "open", "game": id})).await);
    expect_ok(other.play("h9g7").await);
    let changed = client.receive().await;
    assert_eq!((&changed["event"], &changed["edits"]["undo"]), (&json!("changed"), &Value::Null));
    assert_eq!(client.request(json!({"do": "undo_change"})).await["cause"], "no_edit");
}

#[tokio::test]
async fn a_deleted_game_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let port = start_server_with(Store::open(folder.path()).unwrap()).await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    expect_ok(client.play("h2e2").await);
    let id = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    expect_ok(client.request(json!({"do": "forget", "game": id})).await);
    assert_eq!(client.request(json!({"do": "open", "game": id})).await["cause"], "gone");
    let restored = expect_ok(client.request(json!({"do": "restore", "game": id})).await);
    assert_eq!(restored["kept"][0]["id"], id);
    let opened = expect_ok(client.request(json!({"do": "open", "game": id})).await);
    assert_eq!(moves_to_position(&opened), json!(["h2e2"]));
    assert_eq!(client.request(json!({"do": "restore", "game": "nowhere"})).await["cause"], "gone");
}

/// A current-thread runtime stands still while one connection works, unless the work is done on another thread.
#[tokio::test]
async fn an_import_does_not_hold_up_other_connections() {
    let port = start_server().await;
    let mut importing = TestClient::with_game(port, "chess").await;
    let mut other = TestClient::with_game(port, "chess").await;
    let moves: Vec<_> =
        (1..=60).map(|round| format!("{round}. {}", ["Nf3 Nf6", "Ng1 Ng8"][(round - 1) % 2])).collect();
    let game = format!("[Event \"long\"]\n\n{} *\n\n", moves.join(" "));
    importing.send(json!({"id": 500, "do": "import", "text": game.repeat(200)}).to_string()).await;
    // All these requests are answered before the import is.
    for _ in 0..20 {
        expect_ok(other.request(json!({"do": "tactical_marks"})).await);
    }
    let unanswered = tokio::time::timeout(std::time::Duration::from_millis(1), importing.receive()).await;
    assert!(unanswered.is_err(), "the import was answered first");
    let imported = importing.receive().await;
    assert_eq!((&imported["id"], &imported["error"]), (&json!(500), &Value::Null));
}
