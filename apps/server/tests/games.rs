//! Games as they are kept, looked into and shared between windows.

mod common;

use alfil_server::Store;
use common::{TestClient, moves_to_position, start_server, start_server_with};
use serde_json::{Value, json};

/// An answer without an error.
fn expect_ok(answer: Value) -> Value {
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

/// All that comes until the answer to this question, the answer last.
async fn messages_until_response(page: &mut TestClient, mut deed: Value) -> Vec<Value> {
    deed["id"] = json!(9000);
    page.send(deed.to_string()).await;
    let mut heard = Vec::new();
    loop {
        let message = page.receive().await;
        let last = message["event"].is_null() && message["id"] == 9000;
        heard.push(message);
        if last {
            return heard;
        }
    }
}

#[tokio::test]
async fn a_game_is_there_again_after_the_server_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut page =
        TestClient::with_game(start_server_with(Store::open(folder.path()).unwrap()).await, "othello").await;
    page.play("f5").await;
    page.request(json!({"do": "seat", "person": 1, "level": 7})).await;
    let listed = page.request(json!({"do": "games"})).await["kept"].clone();
    assert_eq!((&listed[0]["game"], &listed[0]["plies"]), (&json!("othello"), &json!(1)));

    let mut page = TestClient::open(start_server_with(Store::open(folder.path()).unwrap()).await).await;
    let id = page.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let answer = expect_ok(page.request(json!({"do": "open", "game": id})).await);
    assert_eq!(moves_to_position(&answer), json!(["f5"]));
    assert_eq!((&answer["game"]["person"], &answer["game"]["level"]), (&json!(1), &json!(7)));
    page.request(json!({"do": "forget", "game": id})).await;
    assert!(page.request(json!({"do": "open", "game": id})).await["error"].is_string());
}

#[tokio::test]
async fn a_game_in_which_nothing_happened_is_not_kept() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    assert_eq!(page.request(json!({"do": "games"})).await["kept"], json!([]));
}

#[tokio::test]
async fn two_windows_on_one_game_see_the_same() {
    let port = start_server().await;
    let mut one = TestClient::with_game(port, "xiangqi").await;
    let id = one.play("h2e2").await;
    assert!(id["error"].is_null());
    let id = one.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let mut other = TestClient::open(port).await;
    expect_ok(other.request(json!({"do": "open", "game": id})).await);
    one.play("h9g7").await;
    let changed = other.receive().await;
    assert_eq!(changed["event"], "changed");
    assert_eq!(moves_to_position(&changed), json!(["h2e2", "h9g7"]));
    other.play("h0g2").await;
    assert_eq!(moves_to_position(&one.receive().await), json!(["h2e2", "h9g7", "h0g2"]));
}

#[tokio::test]
async fn variations_comments_and_dialects() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(page.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "h0g2"]})).await);
    let back = expect_ok(page.request(json!({"do": "go", "node": 1})).await);
    assert_eq!(back["steps"].as_array().unwrap().len(), 2);
    expect_ok(page.play("b9c7").await);
    expect_ok(page.request(json!({"do": "comment", "node": 4, "text": "also good"})).await);
    let answer = expect_ok(page.request(json!({"do": "dialect", "name": "uci10"})).await);
    let labels: Vec<_> =
        answer["tree"].as_array().unwrap().iter().map(|node| node["label"].clone()).collect();
    assert_eq!(json!(labels), json!(["", "h3e3", "h10g8", "h1g3", "b10c8"]));
    assert_eq!(answer["tree"][4]["comment"], "also good");
    assert_eq!(answer["tree"][1]["children"], json!([2, 4]));
    let text = expect_ok(page.request(json!({"do": "export"})).await)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("(1... B9-C7 {also good})"), "{text}");
    let imported = expect_ok(page.request(json!({"do": "import", "text": text})).await);
    assert_eq!(moves_to_position(&imported), json!(["h2e2", "h9g7", "h0g2"]));
    let pruned = expect_ok(page.request(json!({"do": "prune", "node": 2})).await);
    assert_eq!((&pruned["node"], moves_to_position(&pruned)), (&json!(1), json!(["h2e2"])));
    let chinese = expect_ok(page.request(json!({"do": "dialect", "name": "chinese"})).await);
    assert_eq!(chinese["game"]["dialect"], "chinese");
    let told = json!({"do": "play", "text": "馬8進7", "dialect": "chinese-traditional"});
    let told = expect_ok(page.request(told).await);
    assert_eq!(moves_to_position(&told), json!(["h2e2", "h9g7"]));
    let labels: Vec<_> = told["tree"].as_array().unwrap().iter().map(|node| node["label"].clone()).collect();
    // The variation came back with the game.
    assert_eq!(json!(labels), json!(["", "炮二平五", "马２进３", "马８进７"]));
    for deed in [
        json!({"do": "go", "node": 77}),
        json!({"do": "prune", "node": 0}),
        json!({"do": "comment", "node": 77, "text": "x"}),
        json!({"do": "dialect", "name": "klingon"}),
        json!({"do": "import", "text": "帥帥"}),
        json!({"do": "seat", "person": 2, "level": 1}),
    ] {
        assert!(page.request(deed.clone()).await["error"].is_string(), "{deed}");
    }
}

#[tokio::test]
async fn an_analysis_gives_its_lines_and_stops_when_told() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    page.send(json!({"id": 5, "do": "analyse", "lines": 3}).to_string()).await;
    let mut ranks = std::collections::BTreeSet::new();
    while ranks.len() < 3 {
        let thought = page.receive().await;
        if thought["event"] == "thought" {
            assert_eq!((&thought["of"], &thought["node"]), (&json!(5), &json!(0)));
            assert_eq!(
                thought["line"].as_array().unwrap().len(),
                thought["labels"].as_array().unwrap().len()
            );
            ranks.insert(thought["rank"].as_u64().unwrap());
        }
    }
    let heard = messages_until_response(&mut page, json!({"do": "stop"})).await;
    assert!(heard.iter().any(|message| message["id"] == 5), "its question ends: {heard:?}");
    let hint = expect_ok(page.request(json!({"do": "hint"})).await)["hint"].as_str().unwrap().to_owned();
    expect_ok(page.play(&hint).await);
}

#[tokio::test]
async fn scores_are_told_from_the_view_of_the_first_side() {
    let mut page = TestClient::open(start_server().await).await;
    // Red has two chariots more, whoever is to move.
    for side in ["w", "b"] {
        let fen = format!("4k4/4a4/9/9/9/9/9/R7R/4A4/4K4 {side} - - 0 1");
        expect_ok(page.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await);
        let heard =
            messages_until_response(&mut page, json!({"do": "analyse", "lines": 1, "seconds": 1})).await;
        let thought = heard.iter().rfind(|message| message["event"] == "thought").expect("a thought");
        assert!(thought["score"]["value"].as_i64().unwrap() > 100, "{thought}");
    }
}

#[tokio::test]
async fn a_review_gives_every_position_a_value() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(page.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "e2e6"]})).await);
    let heard = messages_until_response(&mut page, json!({"do": "review", "time": 30})).await;
    let nodes: Vec<_> = heard
        .iter()
        .filter(|message| message["event"] == "reviewed")
        .map(|one| one["node"].clone())
        .collect();
    assert_eq!(json!(nodes), json!([0, 1, 2, 3]));
    let tree = heard.last().unwrap()["tree"].as_array().unwrap();
    assert!(tree.iter().all(|node| node["score"]["value"].is_i64() && node["best"].is_string()), "{tree:?}");
}

#[tokio::test]
async fn a_review_that_has_no_time_blames_no_usual_move() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(page.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "h0g2"]})).await);
    let heard = messages_until_response(&mut page, json!({"do": "review", "time": 0})).await;
    let tree = heard.last().unwrap()["tree"].as_array().unwrap();
    let values: Vec<_> = tree.iter().map(|node| node["score"]["value"].as_i64().unwrap()).collect();
    // What is worth a word to the page is a loss of 60.
    assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 60), "{values:?}");
}

#[tokio::test]
async fn a_position_is_set_up_by_hand_and_its_faults_are_told_by_square() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    let men = json!({"e0": "K", "d9": "k", "a9": "B"});
    let setup =
        expect_ok(page.request(json!({"do": "arrange", "men": men, "side": 1})).await)["setup"].clone();
    assert_eq!(setup["fen"], "B2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1");
    let fault = &setup["grievances"][0];
    assert_eq!((&fault["squares"], &fault["waivable"]), (&json!(["a9"]), &json!(true)));
    let new = json!({"do": "new", "game": "xiangqi", "fen": setup["fen"]});
    assert!(page.request(new.clone()).await["error"].is_string());
    let mut waived = new;
    waived["waive"] = json!([fault["name"]]);
    expect_ok(page.request(waived).await);
    let read = expect_ok(page.request(json!({"do": "examine", "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w"})).await);
    assert_eq!(read["setup"]["men"], json!({"e0": "K", "e9": "k"}));
    assert!(page.request(json!({"do": "examine", "fen": "9/9"})).await["error"].is_string());
    for game in ["xiangqi", "othello"] {
        let start = expect_ok(page.request(json!({"do": "new", "game": game})).await);
        let men = start["position"]["men"].clone();
        let setup =
            expect_ok(page.request(json!({"do": "arrange", "men": men, "side": 0})).await)["setup"].clone();
        assert_eq!((&setup["fen"], &setup["grievances"]), (&start["position"]["fen"], &json!([])));
    }
}

#[tokio::test]
async fn who_gives_up_has_lost_until_a_move_is_taken_back() {
    let mut page = TestClient::open(start_server().await).await;
    expect_ok(page.request(json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1})).await);
    page.play("h2e2").await;
    assert_eq!(expect_ok(page.request(json!({"do": "resign"})).await)["game"]["resigned"], 0);
    page.request(json!({"do": "undo", "plies": 1})).await;
    assert!(
        page.request(json!({"do": "seat", "person": null, "level": 1})).await["game"]["resigned"].is_null()
    );
    assert!(page.request(json!({"do": "resign"})).await["error"].is_string());
}

#[tokio::test]
async fn pictures_and_sights_come_as_data() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    let sights = expect_ok(page.request(json!({"do": "sights"})).await)["sights"].clone();
    assert!(
        sights.as_array().unwrap().contains(&json!({"kind": "blocked", "side": 0, "squares": ["b0", "c0"]}))
    );
    let look = page.request(json!({"do": "new", "game": "xiangqi"})).await["look"].clone();
    assert_eq!(look["legend"].as_array().unwrap().len(), look["legend_outlines"].as_array().unwrap().len());
    assert_eq!((&look["title_zh"], &look["men"]["k"]["name_zh"]), (&json!("象棋"), &json!("黑将")));
}

#[tokio::test]
async fn a_repetition_is_ruled_on_under_every_book_with_its_reasons() {
    let mut page = TestClient::open(start_server().await).await;
    // A chariot gives check for ever.
    let fen = "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let start = expect_ok(page.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await);
    let books = start["game"]["books"].as_array().unwrap().clone();
    assert!(books.len() > 1);
    assert_eq!(
        (&books[0]["title"], &books[0]["title_zh"]),
        (&json!("Asian rules (AXF)"), &json!("亚洲规则（AXF）"))
    );
    let round = ["a8a9", "d9d8", "a9a8", "d8d9"];
    let moves: Vec<_> = round.iter().cycle().take(8).collect();
    let answer = page.request(json!({"do": "walk", "moves": moves})).await;
    // Whether the usual book ends it earlier is for the laws' own tests.
    assert!(answer["error"].is_null() || answer["error"].as_str().unwrap().contains("over"), "{answer}");
    for chinese in [false, true] {
        for book in books.iter().map(|book| &book["name"]) {
            let ruling = expect_ok(
                page.request(json!({"do": "rule", "book": book, "chinese": chinese})).await,
            )["ruling"]
                .clone();
            assert_eq!(&ruling["book"], book);
            assert!(!ruling["explanation"].as_array().unwrap().is_empty(), "{ruling}");
        }
    }
    assert!(page.request(json!({"do": "rule", "book": "fairy tales"})).await["error"].is_string());
    assert!(page.request(json!({"do": "rule", "occurrences": 1})).await["error"].is_string());
}

#[tokio::test]
async fn two_hundred_silent_sockets_disturb_nobody() {
    let port = start_server().await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(TestClient::open(port).await);
    }
    let mut page = TestClient::with_game(port, "xiangqi").await;
    assert_eq!(page.play("h2e2").await["position"]["side"], 1);
    assert!(silent[199].request(json!({"do": "games"})).await["games"].is_array());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_thinking_games_queue_and_everybody_else_is_answered() {
    let port = start_server().await;
    let mut thinking = Vec::new();
    // On a machine with many processors more than twenty are needed for a queue.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..20.max(2 * processors) {
        let mut page = TestClient::with_game(port, "xiangqi").await;
        page.send(json!({"id": 7, "do": "think", "level": 10, "time": 300}).to_string()).await;
        thinking.push(page);
    }
    // A click is answered while the others are being thought about, and a queued one can be taken back.
    let mut page = TestClient::with_game(port, "xiangqi").await;
    assert_eq!(page.play("h2e2").await["position"]["side"], 1);
    let mut queued = 0;
    for mut page in thinking {
        loop {
            let message = page.receive().await;
            queued += usize::from(message["event"] == "waiting");
            if message["id"] == 7 {
                assert_eq!(moves_to_position(&message).as_array().unwrap().len(), 1);
                break;
            }
        }
    }
    assert!(queued > 0, "more games than processors think one after another");
}
