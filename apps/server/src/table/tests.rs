//! What a page hears of a clock, and of an engine that breaks off.

use serde_json::{Value, json};

use super::*;

/// What a table says to a deed.
fn said(table: &mut Table, deed: Value) -> Vec<Value> {
    let mut ask = deed;
    ask["id"] = json!(7);
    let out = table.ask(serde_json::from_value(ask).unwrap());
    out.iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

/// A table with a game of two moves, in which the person's time ends before anything else is asked.
fn late() -> (Table, Store, String) {
    let store = Store::in_memory().unwrap();
    let mut table = Table::new(1, Arc::new(Semaphore::new(1)), store.clone());
    let clock = json!({"base": 60_000, "increment": 0});
    said(&mut table, json!({"do": "new", "game": "xiangqi", "person": 0, "clock": clock}));
    said(&mut table, json!({"do": "walk", "moves": ["h2e2", "h9g7"]}));
    let game = table.game.as_mut().unwrap();
    let over = json!({"pace": clock, "left": [0, 60_000], "running": 0, "flagged": null, "node": 2});
    game.record.clock = Some(serde_json::from_value(over).unwrap());
    let id = game.id.clone();
    (table, store, id)
}

#[test]
fn a_flag_that_falls_beside_a_deed_is_shown_and_kept() {
    for (deed, refused) in [
        (json!({"do": "go", "node": 1}), false),
        (json!({"do": "sights"}), false),
        (json!({"do": "play", "text": "h0g2"}), true),
        (json!({"do": "undo", "plies": 1}), true),
        (json!({"do": "open", "game": "nowhere"}), true),
    ] {
        let (mut table, store, id) = late();
        let heard = said(&mut table, deed.clone());
        assert_eq!((heard.len(), heard[0]["error"].is_string()), (2, refused), "{deed}: {heard:?}");
        assert_eq!(
            (&heard[1]["event"], &heard[1]["position"]["clock"]["flagged"]),
            (&json!("changed"), &json!(0)),
            "{deed}"
        );
        assert!(store.load(&id).unwrap().is_over(), "{deed}");
        assert_eq!(said(&mut table, json!({"do": "sights"})).len(), 1, "{deed}");
    }
}

#[test]
fn a_flag_that_falls_when_the_page_goes_is_kept() {
    let (table, store, id) = late();
    drop(table);
    assert!(store.load(&id).unwrap().is_over());
}

#[test]
fn an_engine_that_breaks_off_is_told_of_and_its_move_follows() {
    let mut table = Table::new(1, Arc::new(Semaphore::new(1)), Store::in_memory().unwrap());
    said(&mut table, json!({"do": "new", "game": "chess"}));
    said(&mut table, json!({"do": "hint"}));
    let mut heard = table.heard(Heard::Info(Thought::Failed("the search broke off".into())));
    heard.extend(table.heard(Heard::Best(Some("e2e4".into()))));
    let heard: Vec<_> = heard.iter().map(|out| serde_json::to_value(out).unwrap()).collect();
    assert_eq!(heard, [json!({"event": "failed", "of": 7}), json!({"id": 7, "hint": "e2e4"})]);
    // Without any move there is no answer but that.
    said(&mut table, json!({"do": "hint"}));
    let none = serde_json::to_value(&table.heard(Heard::Best(None))[0]).unwrap();
    assert_eq!((&none["id"], &none["cause"]), (&json!(7), &json!("failed")));
}
