//! Playing at one screen, premoves, threats, introductions, and the options of an analysis.

use alfil_session::registry;
use serde_json::{Value, json};

use crate::common::{TestClient, cookie, expect_ok, fetch_with, start_server};

#[tokio::test]
async fn two_people_play_with_a_clock_and_the_side_to_move_resigns() {
    let mut page = TestClient::open(start_server().await).await;
    let clock = json!({"base": 90_000, "increment": 1000});
    let new = json!({"do": "new", "game": "chess", "two_people": true, "clock": clock});
    let opened = expect_ok(page.request(new).await);
    assert_eq!((&opened["game"]["two_people"], &opened["game"]["person"]), (&json!(true), &Value::Null));
    expect_ok(page.play("e2e4").await);
    let played = expect_ok(page.play("e7e5").await);
    // White has got an increment, and its clock runs.
    assert_eq!(played["position"]["clock"]["running"], json!(0));
    let id = opened["game"]["id"].clone();
    let again = expect_ok(page.request(json!({"do": "open", "game": id})).await);
    assert_eq!(again["game"]["two_people"], json!(true));
    let taken_back = expect_ok(page.request(json!({"do": "undo", "plies": 1})).await);
    assert_eq!(taken_back["tree"].as_array().unwrap().len(), 2);
    let resigned = expect_ok(page.request(json!({"do": "resign"})).await);
    assert_eq!(resigned["game"]["resigned"], json!(1));
    let analysed = expect_ok(page.request(json!({"do": "seat", "person": null, "level": 3})).await);
    assert!(analysed["game"]["two_people"].is_null());
}

#[tokio::test]
async fn premoves_are_listed_while_the_computer_searches() {
    let mut page = TestClient::open(start_server().await).await;
    expect_ok(page.request(json!({"do": "pace", "reply_ms": 60_000})).await);
    expect_ok(page.request(json!({"do": "new", "game": "chess", "person": 0, "level": 10})).await);
    expect_ok(page.play("e2e4").await);
    let response = expect_ok(page.request(json!({"do": "premoves"})).await);
    let texts: Vec<_> =
        response["premoves"].as_array().unwrap().iter().map(|target| &target["text"]).collect();
    assert!(texts.contains(&&json!("g1f3")) && !texts.contains(&&json!("e7e5")), "{texts:?}");
    // The search goes on.
    let stopped = expect_ok(page.request(json!({"do": "stop"})).await);
    assert!(stopped["premoves"].is_null());
    // The reply waits for the person.
    let turn = page.receive().await;
    assert_eq!((&turn["event"], &turn["reason"]), (&json!("turn"), &json!("reply_stopped")));
}

#[tokio::test]
async fn a_threat_is_what_the_opponent_plays_after_a_pass_and_refused_in_check() {
    let mut page = TestClient::with_game(start_server().await, "chess").await;
    let open = |fen: &str| json!({"do": "new", "game": "chess", "fen": fen});
    expect_ok(page.request(open("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1")).await);
    page.send(json!({"id": 70, "do": "analyse", "lines": 1, "seconds": 1, "threat": true}).to_string()).await;
    let line = loop {
        let message = page.receive().await;
        if message["event"] == json!("thought") {
            break message;
        }
    };
    assert_eq!((&line["line"][0], &line["threat_squares"]), (&json!("a1a8"), &json!(["a1", "a8"])));
    expect_ok(page.request(open("R5k1/5p1p/6p1/8/8/8/5PPP/6K1 b - - 0 1")).await);
    let refused = page.request(json!({"do": "analyse", "lines": 1, "threat": true})).await;
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("check")), "{refused}");
    assert!(refused["error_zh"].as_str().is_some_and(|error| error.contains("将军")), "{refused}");
}

#[tokio::test]
async fn the_options_of_an_analysis_have_ranges() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    for (name, value, range) in
        [("threads", 100_000, "threads"), ("hash", 0, "1 to 4096 MiB"), ("hash", 9000, "MiB")]
    {
        let refused = page.request(json!({"do": "analyse", "lines": 1, name: value})).await;
        assert!(refused["error"].as_str().is_some_and(|error| error.contains(range)), "{refused}");
    }
    let options = json!({"id": 90, "do": "analyse", "lines": 1, "threads": 1, "hash": 8, "infinite": true});
    page.send(options.to_string()).await;
    while page.receive().await["event"] != json!("thought") {}
    expect_ok(page.request(json!({"do": "stop"})).await);
}

#[tokio::test]
async fn every_game_has_an_introduction() {
    let mut page = TestClient::open(start_server().await).await;
    for game in registry::games() {
        let response = expect_ok(page.request(json!({"do": "lessons", "game": game})).await);
        let lessons = response["lessons"].as_array().unwrap();
        assert!(lessons.iter().any(|lesson| !lesson["targets"][0]["script"].is_null()), "{game}");
        assert!(response["ends"].as_array().unwrap().iter().any(|end| end["text_zh"] != json!("")), "{game}");
    }
    let refused = page.request(json!({"do": "lessons", "game": "tiddlywinks"})).await;
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("tiddlywinks")));
}

#[tokio::test]
async fn texts_are_compressed_for_browsers_that_can_read_it() {
    let port = start_server().await;
    let head = fetch_with(port, "/", &["Accept-Encoding: gzip", &cookie(port)]).await.to_lowercase();
    assert!(head.contains("content-encoding: gzip") && head.contains("vary: accept-encoding"), "{head}");
}

#[tokio::test]
async fn the_response_says_that_a_move_comes_from_the_opening_book() {
    let mut page = TestClient::open(start_server().await).await;
    expect_ok(page.request(json!({"do": "pace", "reply_ms": 50})).await);
    for (game, mv, from_book) in [("othello", "f5", json!(true)), ("chess", "e2e4", Value::Null)] {
        expect_ok(page.request(json!({"do": "new", "game": game, "person": 0, "level": 10})).await);
        expect_ok(page.play(mv).await);
        let reply = page.reply().await;
        assert!(reply["step"].is_object(), "{reply}");
        assert_eq!(reply["from_book"], from_book, "{game}");
    }
}
