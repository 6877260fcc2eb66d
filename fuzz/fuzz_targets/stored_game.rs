//! The rows of a saved game may be anything: such a game is opened or refused, and others are listed all the same.
#![no_main]

mod no_searches;

use std::sync::Arc;

use alfil_page::conformance::GROWING_HOST as HOST;
use alfil_page::{ClientSession, MemoryStore, MoveBlock, PageEnvironment, SavedRow, unpack_tree};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

use no_searches::NoSearches;

fuzz_target!(|input: (u8, &str, &str, &str)| {
    let (kind, record, moves, edits) = input;
    let _ = unpack_tree(moves);
    let game = ["chess", "xiangqi", "othello"][usize::from(kind) % 3];
    let mut stored = json!({
        "game": game, "start": "startpos", "person": null, "level": 3, "resigned": null, "dialect": null,
    });
    if let Ok(Value::Object(fields)) = serde_json::from_str(record) {
        stored.as_object_mut().unwrap().extend(fields);
    }
    let row = json!({
        "id": "damaged", "game": game, "plies": 2, "revision": 1, "changed": 1, "record": stored,
        "edits": serde_json::from_str::<Value>(edits).unwrap_or_default(),
    });
    let Ok(row) = serde_json::from_value::<SavedRow>(row) else { return };
    let blocks = match serde_json::from_str::<Vec<MoveBlock>>(moves) {
        Ok(blocks) => blocks,
        Err(_) => vec![MoveBlock::Packed(moves.to_owned())],
    };
    let store = Arc::new(MemoryStore::new(HOST));
    store.put(row, Some(blocks));
    let mut session = ClientSession::new(1, PageEnvironment::new(HOST, store), NoSearches);
    for mut request in [
        json!({"do": "open", "game": "damaged"}),
        json!({"do": "undo_edit"}),
        json!({"do": "go", "node": 1}),
        json!({"do": "summary"}),
        json!({"do": "library", "query": {}}),
        json!({"do": "games"}),
    ] {
        request["id"] = json!(7);
        let answers = session.on_text(&request.to_string());
        assert!(!answers.is_empty(), "{request}");
    }
});
