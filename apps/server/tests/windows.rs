//! A game in several windows, thrown away, and by the clock.

mod common;

use alfil_server::Store;
use common::{Page, record, serve, serve_from};
use serde_json::{Value, json};

/// An answer without an error.
#[track_caller]
fn good(answer: Value) -> Value {
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

/// Two servers that keep their games in the same file, and a page at each with the same game before it.
async fn two_servers() -> (tempfile::TempDir, Page, Page) {
    let folder = tempfile::tempdir().unwrap();
    let mut pages = Vec::new();
    for _ in 0..2 {
        pages.push(Page::open(serve_from(Store::open(folder.path()).unwrap()).await).await);
    }
    let (mut other, mut one) = (pages.remove(1), pages.remove(0));
    let new = json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2"]});
    let id = good(one.ask(new).await)["game"]["id"].clone();
    good(other.ask(json!({"do": "open", "game": id})).await);
    (folder, one, other)
}

#[tokio::test]
async fn after_a_conflict_the_page_is_shown_the_game_that_counts() {
    let (_folder, mut one, mut other) = two_servers().await;
    good(one.ask(json!({"do": "undo", "plies": 1})).await);
    good(one.play("b0c2").await);
    let refused = other.ask(json!({"do": "comment", "node": 3, "text": "of h0g2"})).await;
    assert_eq!(refused["cause"], "changed");
    let changed = other.hear().await;
    assert_eq!((&changed["event"], record(&changed)), (&json!("changed"), json!(["h2e2", "h9g7", "b0c2"])));
    assert!(changed["look"].is_object() && changed["tree"][3]["comment"].is_null(), "{changed}");
    good(other.play("b9c7").await);
}

#[tokio::test]
async fn a_reply_that_is_thought_about_is_not_played_in_the_game_that_counts() {
    let (_folder, mut one, mut other) = two_servers().await;
    good(one.play("b9c7").await);
    other.send(json!({"id": 70, "do": "think", "level": 10, "time": 60_000}).to_string()).await;
    // A comment leaves whoever thinks alone.
    let mut deed = json!({"do": "comment", "node": 1, "text": "the usual way"});
    deed["id"] = json!(71);
    other.send(deed.to_string()).await;
    let (mut refused, mut ended, mut shown) = (false, false, false);
    while !(refused && ended && shown) {
        let message = other.hear().await;
        if message["event"] == "changed" {
            shown = true;
            assert_eq!(record(&message), json!(["h2e2", "h9g7", "h0g2", "b9c7"]));
        } else if message["id"] == 71 {
            refused = message["cause"] == "changed";
        } else if message["id"] == 70 {
            ended = message["step"].is_null();
        }
    }
    let answer = good(other.play("b0c2").await);
    assert_eq!(record(&answer), json!(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2"]));
}

#[tokio::test]
async fn who_looks_at_a_variation_that_is_gone_is_not_shown_another_move_for_it() {
    let port = serve().await;
    let mut one = Page::open(port).await;
    let new = json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2"]});
    let id = good(one.ask(new).await)["game"]["id"].clone();
    good(one.ask(json!({"do": "go", "node": 2})).await);
    good(one.play("b0c2").await);
    let mut other = Page::open(port).await;
    good(other.ask(json!({"do": "open", "game": id, "node": 4})).await);
    good(one.ask(json!({"do": "undo", "plies": 1})).await);
    assert_eq!(record(&other.hear().await), json!(["h2e2", "h9g7"]));
    // The number 4 is given again, to another move.
    good(one.ask(json!({"do": "go", "node": 1})).await);
    good(one.play("b9c7").await);
    assert_eq!(record(&other.hear().await), json!(["h2e2", "h9g7"]));
}

#[tokio::test]
async fn the_game_on_the_board_goes_on_as_a_new_one_when_it_is_thrown_away() {
    let mut page = Page::playing(serve().await, "xiangqi").await;
    for text in ["h2e2", "h9g7", "h0g2"] {
        good(page.play(text).await);
    }
    let old = page.ask(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let answer = good(page.ask(json!({"do": "forget", "game": old})).await);
    let new = answer["game"]["id"].clone();
    assert_eq!((&answer["kept"], new != old), (&json!([]), true));
    // What the engine found out brings nothing back.
    good(page.ask(json!({"do": "analyse", "lines": 1, "seconds": 0})).await);
    assert_eq!(page.ask(json!({"do": "games"})).await["kept"], json!([]));
    assert_eq!(record(&good(page.play("b9c7").await)), json!(["h2e2", "h9g7", "h0g2", "b9c7"]));
    good(page.play("b0c2").await);
    let kept = page.ask(json!({"do": "games"})).await["kept"].clone();
    assert_eq!((&kept[0]["id"], kept.as_array().unwrap().len()), (&new, 1));
    let gone = page.ask(json!({"do": "open", "game": old})).await;
    assert_eq!(gone["cause"], "gone");
}

#[tokio::test]
async fn who_looks_through_his_games_or_chooses_a_notation_is_still_replied_to() {
    let mut page = Page::playing(serve().await, "xiangqi").await;
    good(page.play("h2e2").await);
    page.send(json!({"id": 70, "do": "think", "level": 10, "time": 1_000}).to_string()).await;
    page.send(json!({"id": 71, "do": "forget", "game": "another"}).to_string()).await;
    page.send(json!({"id": 72, "do": "dialect", "name": "uci10"}).to_string()).await;
    let reply = loop {
        let message = page.hear().await;
        if message["id"] == 70 {
            break message;
        }
    };
    assert_eq!(record(&good(reply)).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_game_thrown_away_in_another_window_goes_on_as_a_new_one() {
    let port = serve().await;
    let mut one = Page::playing(port, "xiangqi").await;
    good(one.play("h2e2").await);
    let mut other = Page::open(port).await;
    let old = other.ask(json!({"do": "games"})).await["kept"][0]["id"].clone();
    good(other.ask(json!({"do": "forget", "game": old})).await);
    let answer = good(one.play("h9g7").await);
    assert!(answer["game"]["id"].is_string() && answer["game"]["id"] != old, "{answer}");
    assert!(good(one.play("h0g2").await)["game"].is_null());
    assert_eq!(one.ask(json!({"do": "games"})).await["kept"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_game_that_could_have_been_drawn_and_went_on_is_opened() {
    let moves = json!(["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"]);
    let mut page = Page::open(serve().await).await;
    let answer = good(page.ask(json!({"do": "new", "game": "chess", "moves": moves})).await);
    assert_eq!(record(&answer), moves);
    let id = &answer["game"]["id"];
    assert_eq!(record(&good(page.ask(json!({"do": "open", "game": id})).await)), moves);
}

#[tokio::test]
async fn the_clock_runs_for_both_and_is_kept() {
    let port = serve().await;
    let mut page = Page::open(port).await;
    let clock = json!({"base": 300_000, "increment": 3_000});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    let start = good(page.ask(new).await);
    let at_first = &start["position"]["clock"];
    assert_eq!((&at_first["left"], &at_first["running"]), (&json!([300_000, 300_000]), &Value::Null));
    assert_eq!(good(page.play("h2e2").await)["position"]["clock"]["running"], 1);
    // Without a time of its own the computer takes its share of the clock, and its move adds to it.
    let reply = good(page.ask(json!({"do": "think", "level": 1})).await);
    let told = &reply["position"]["clock"];
    assert_eq!(
        (&told["running"], &told["base"], &told["increment"]),
        (&json!(0), &clock["base"], &clock["increment"])
    );
    assert!(told["left"][1].as_u64().unwrap() <= 303_000);
    drop(page);
    let mut page = Page::open(port).await;
    let again = good(page.ask(json!({"do": "open", "game": start["game"]["id"]})).await);
    assert_eq!(again["position"]["clock"]["running"], 0);
    assert!(again["position"]["clock"]["left"][0].as_u64().unwrap() <= 300_000);
}

#[tokio::test]
async fn whose_flag_falls_has_lost_and_every_window_hears_it() {
    let mut page = Page::open(serve().await).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 1, "level": 1, "clock": clock});
    let id = good(page.ask(new).await)["game"]["id"].clone();
    good(page.play("h2e2").await);
    let fallen = page.hear().await;
    assert_eq!((&fallen["event"], &fallen["position"]["clock"]["flagged"]), (&json!("changed"), &json!(1)));
    for deed in
        [json!({"do": "play", "text": "h9g7"}), json!({"do": "undo", "plies": 1}), json!({"do": "resign"})]
    {
        assert_eq!(page.ask(deed).await["cause"], "over");
    }
    let again = good(page.ask(json!({"do": "open", "game": id})).await);
    assert_eq!(again["position"]["clock"]["flagged"], 1);
    good(page.ask(json!({"do": "seat", "person": null, "level": 1})).await);
    good(page.play("h9g7").await);
}

#[tokio::test]
async fn the_fall_of_a_flag_is_a_draw_where_the_other_side_cannot_win() {
    let mut page = Page::open(serve().await).await;
    let (fen, clock) = ("4k3/q7/8/8/8/8/8/4K3 w - - 0 1", json!({"base": 1_000, "increment": 0}));
    let new = json!({"do": "new", "game": "chess", "fen": fen, "person": 1, "level": 1, "clock": clock});
    good(page.ask(new).await);
    let told = good(page.play("e1e2").await);
    assert_eq!(told["position"]["clock"]["drawn"], false);
    // What the person looks at does not matter.
    let fallen = loop {
        let clock = good(page.ask(json!({"do": "go", "node": 0})).await)["position"]["clock"].clone();
        if !clock["flagged"].is_null() {
            break clock;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!((&fallen["flagged"], &fallen["drawn"]), (&json!(1), &json!(true)));
    let text = page.ask(json!({"do": "export"})).await["text"].clone();
    assert!(text.as_str().unwrap().contains("[Result \"1/2-1/2\"]"), "{text}");
}

#[tokio::test]
async fn who_steps_back_while_the_computer_thinks_is_still_replied_to() {
    let mut page = Page::open(serve().await).await;
    let clock = json!({"base": 600_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 10, "clock": clock});
    good(page.ask(new).await);
    good(page.play("h2e2").await);
    page.send(json!({"id": 70, "do": "think", "level": 10, "time": 2_000}).to_string()).await;
    good(page.ask(json!({"do": "go", "node": 0})).await);
    let reply = loop {
        let message = page.hear().await;
        if message["id"] == 70 {
            break good(message);
        }
    };
    // Who looks back goes on doing so; the move stands in the record, and the person's time runs.
    assert_eq!((&reply["node"], &reply["step"]), (&json!(0), &Value::Null));
    assert_eq!(reply["tree"].as_array().unwrap().len(), 3);
    assert_eq!(reply["position"]["clock"]["running"], 0);
    let tip = good(page.ask(json!({"do": "go", "node": 2})).await);
    assert_eq!(tip["position"]["side"], 0);
}

#[tokio::test]
async fn nobody_loses_time_for_a_computer_that_was_not_asked() {
    let port = serve().await;
    let mut page = Page::open(port).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    good(page.ask(new).await);
    good(page.play("h2e2").await);
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    let reply = good(page.ask(json!({"do": "think", "level": 1})).await);
    assert_eq!((&reply["position"]["clock"]["flagged"], reply["step"].is_object()), (&Value::Null, true));
}

#[tokio::test]
async fn a_move_that_would_offend_is_told_before_it_is_played_under_the_book_that_was_chosen() {
    let mut page = Page::open(serve().await).await;
    let fen = "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let moves = ["d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"];
    let new = json!({"do": "new", "game": "xiangqi", "fen": fen, "moves": moves});
    let answer = good(page.ask(new).await);
    let warnings = &answer["position"]["warnings"];
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!((&warnings[0]["text"], &warnings[0]["ending"]["winner"]), (&json!("a8a9"), &json!(1)));
    assert_eq!(warnings[0]["ending"]["cause"], "perpetual_check");
    assert_eq!(warnings[0]["ending"]["words_zh"], "红方长将判负，黑方胜");
    let answer = good(page.ask(json!({"do": "dialect", "name": "chinese"})).await);
    assert_eq!(answer["position"]["warnings"][0]["label"], "车九进一");
    // By a book that asks for one occurrence more nothing happens yet.
    let answer = good(page.ask(json!({"do": "book", "name": "elephanteye"})).await);
    assert_eq!(
        (&answer["game"]["book"], &answer["position"]["warnings"]),
        (&json!("elephanteye"), &json!([]))
    );
    let id = answer["game"]["id"].clone();
    let again = good(page.ask(json!({"do": "open", "game": id})).await);
    assert_eq!((&again["game"]["book"], &again["position"]["warnings"]), (&json!("elephanteye"), &json!([])));
    assert!(page.ask(json!({"do": "book", "name": "cycle"})).await["error"].is_string());
}
