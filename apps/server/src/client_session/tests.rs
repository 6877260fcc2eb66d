//! What a page hears of a clock, and of an engine that breaks off.

use serde_json::{Value, json};

use super::*;

/// What a table says to a deed.
fn responses_to(table: &mut ClientSession, deed: Value) -> Vec<Value> {
    let mut ask = deed;
    ask["id"] = json!(7);
    let out = table.on_request(serde_json::from_value(ask).unwrap());
    out.iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

/// A table with a game of two moves, in which the person's time ends before anything else is asked.
fn session_with_expired_clock() -> (ClientSession, Store, String) {
    let store = Store::in_memory().unwrap();
    let mut table = ClientSession::new(1, Arc::new(Semaphore::new(1)), store.clone());
    let clock = json!({"base": 60_000, "increment": 0});
    responses_to(&mut table, json!({"do": "new", "game": "xiangqi", "person": 0, "clock": clock}));
    responses_to(&mut table, json!({"do": "walk", "moves": ["h2e2", "h9g7"]}));
    let game = table.game.as_mut().unwrap();
    let over = json!({"pace": clock, "left": [0, 60_000], "running": 0, "flagged": null, "node": 2});
    game.stored.clock = Some(serde_json::from_value(over).unwrap());
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
        let (mut table, store, id) = session_with_expired_clock();
        let heard = responses_to(&mut table, deed.clone());
        assert_eq!((heard.len(), heard[0]["error"].is_string()), (2, refused), "{deed}: {heard:?}");
        assert_eq!(
            (&heard[1]["event"], &heard[1]["position"]["clock"]["flagged"]),
            (&json!("changed"), &json!(0)),
            "{deed}"
        );
        assert!(store.load(&id).unwrap().is_over(), "{deed}");
        assert_eq!(responses_to(&mut table, json!({"do": "sights"})).len(), 1, "{deed}");
    }
}

#[test]
fn a_flag_that_falls_when_the_page_goes_is_kept() {
    let (table, store, id) = session_with_expired_clock();
    drop(table);
    assert!(store.load(&id).unwrap().is_over());
}

#[test]
fn an_engine_that_breaks_off_is_told_of_and_its_move_follows() {
    let mut table = ClientSession::new(1, Arc::new(Semaphore::new(1)), Store::in_memory().unwrap());
    responses_to(&mut table, json!({"do": "new", "game": "chess"}));
    responses_to(&mut table, json!({"do": "hint"}));
    let mut heard = table.on_update(SearchUpdate::Event(SearchEvent::Failed("the search broke off".into())));
    heard.extend(table.on_update(SearchUpdate::Finished(Some("e2e4".into()))));
    let heard: Vec<_> = heard.iter().map(|out| serde_json::to_value(out).unwrap()).collect();
    assert_eq!(heard, [json!({"event": "failed", "of": 7}), json!({"id": 7, "hint": "e2e4"})]);
    // Without any move there is no answer but that.
    responses_to(&mut table, json!({"do": "hint"}));
    let none = serde_json::to_value(&table.on_update(SearchUpdate::Finished(None))[0]).unwrap();
    assert_eq!((&none["id"], &none["cause"]), (&json!(7), &json!("failed")));
}
