//! Tests of reviews, of tried moves, and of requests about the record.

use alfil_session::SearchReport;
use serde_json::{Value, json};

use super::tests::{TestSession, new_session, new_store, responses_to};
use super::*;
use crate::{MemoryStore, SavedChange};

/// Returns the messages that an update causes.
fn updated(session: &mut TestSession, update: SearchUpdate) -> Vec<Value> {
    session.on_update(update).iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

/// Returns a search event with a score.
fn info(multipv: u32, score: i32, pv: &str) -> SearchUpdate {
    SearchUpdate::Event(SearchEvent::Info {
        report: SearchReport {
            multipv,
            depth: 5,
            seldepth: 5,
            score,
            nodes: 10,
            pv: vec![pv.into()],
            ..SearchReport::default()
        },
        seconds: 0.1,
    })
}

/// Ends the searches of a review: `found` has the score of the side to move and the best move of each position.
fn finish_review(session: &mut TestSession, found: &[(i32, Option<&str>)]) -> Vec<Value> {
    let mut out = Vec::new();
    for &(score, best) in found {
        updated(session, SearchUpdate::Ready);
        if let Some(best) = best {
            updated(session, info(1, score, best));
            updated(session, info(2, score - 10, best));
        }
        out.extend(updated(session, SearchUpdate::Finished(best.map(str::to_owned))));
    }
    out
}

/// Returns a session with the moves 1. e4 e5 2. Qh5 Ke7 3. Qxe5 and its review.
fn reviewed_session(store: Arc<MemoryStore>) -> (TestSession, Value) {
    let mut session = new_session(store);
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    let moves = ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"];
    responses_to(&mut session, json!({"do": "walk", "moves": moves}));
    responses_to(&mut session, json!({"do": "review"}));
    let found = [
        (30, Some("e2e4")),
        (-25, Some("e7e5")),
        (30, Some("g1f3")),
        (20, Some("b8c6")),
        (2_000, Some("h5e5")),
        (0, None),
    ];
    let out = finish_review(&mut session, &found);
    (session, out.last().unwrap().clone())
}

#[test]
fn a_review_is_sent_with_its_marks_and_kept_with_the_game() {
    let store = new_store();
    let (session, response) = reviewed_session(store.clone());
    let review = &response["review"];
    assert_eq!(review["moves"].as_array().unwrap().len(), 5);
    assert_eq!(
        (&review["moves"][3]["mark"], &review["moves"][3]["best"]),
        (&json!("blunder"), &json!("b8c6"))
    );
    assert_eq!((&review["turning_points"], &review["complete"]), (&json!([4]), &json!(true)));
    assert_eq!((&review["sides"][1]["blunder"], &review["accuracy_version"]), (&json!(1), &json!(2)));
    let accuracy = review["sides"][0]["accuracy"].as_f64().unwrap();
    assert!((accuracy - 90.24).abs() < 0.01, "{accuracy}");
    let nodes = response["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|node| node["node"] == 4).unwrap();
    assert_eq!((&node["review"]["value"], &node["score"]["value"]), (&json!(2000), &json!(2000)));
    // The game that is opened again has the same review.
    let id = session.game.as_ref().unwrap().id.clone();
    drop(session);
    let mut again = new_session(store);
    let opened = responses_to(&mut again, json!({"do": "open", "game": id}));
    assert_eq!(&opened[0]["review"], review);
    assert_eq!(&responses_to(&mut again, json!({"do": "summary"}))[0]["review"], review);
    // After the mistake is deleted with all that follows, it is no turning point any more.
    let deleted = responses_to(&mut again, json!({"do": "prune", "node": 4}));
    assert_eq!(deleted[0]["review"]["turning_points"], json!([]));
    let restored = responses_to(&mut again, json!({"do": "undo_change"}));
    assert_eq!(restored[0]["review"]["turning_points"], json!([4]));
    let unreviewed = responses_to(&mut again, json!({"do": "new", "game": "chess"}));
    assert_eq!(unreviewed[0]["review"], Value::Null);
}

#[test]
fn a_review_goes_on_while_other_positions_are_shown() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4"]}));
    responses_to(&mut session, json!({"do": "review"}));
    finish_review(&mut session, &[(30, Some("e2e4"))]);
    let shown = responses_to(&mut session, json!({"do": "go", "node": 0}));
    assert_eq!((shown.len(), &shown[0]["node"]), (1, &json!(0)));
    let out = finish_review(&mut session, &[(-25, Some("e7e5"))]);
    let response = out.last().unwrap();
    assert_eq!(response["review"]["moves"].as_array().unwrap().len(), 1);
    // The page stays where it is.
    assert_eq!(session.game.as_ref().unwrap().played.current_node(), 0);
    // Another request ends a review.
    responses_to(&mut session, json!({"do": "review"}));
    let ended = responses_to(&mut session, json!({"do": "play", "text": "e2e4"}));
    assert_eq!((ended.len(), session.review.is_none()), (2, true));
}

#[test]
fn a_dialect_that_is_chosen_during_a_review_labels_the_positions_that_follow() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["h2e2"]}));
    responses_to(&mut session, json!({"do": "review"}));
    finish_review(&mut session, &[(10, Some("h2e2"))]);
    responses_to(&mut session, json!({"do": "dialect", "name": "chinese"}));
    finish_review(&mut session, &[(-10, Some("h9g7"))]);
    let tree = session.game.as_ref().unwrap().tree();
    let labels = [0, 1].map(|node| tree.node(node).unwrap().review.as_ref().unwrap().best_label.as_deref());
    assert_eq!(labels, [Some("炮二平五"), Some("马８进７")]);
}

#[test]
fn a_tried_move_is_judged_and_not_played() {
    let (mut session, _) = reviewed_session(new_store());
    let trial = |out: &Value| (out["trial"]["best"].clone(), out["trial"]["mark"].clone());
    let best = responses_to(&mut session, json!({"do": "try", "node": 3, "text": "b8c6"}));
    assert_eq!(trial(&best[0]), (json!(true), Value::Null));
    let played = responses_to(&mut session, json!({"do": "try", "node": 3, "text": "e8e7"}));
    assert_eq!(trial(&played[0]), (json!(false), json!("blunder")));
    // Another move is searched.
    assert!(responses_to(&mut session, json!({"do": "try", "node": 3, "text": "d8e7"})).is_empty());
    updated(&mut session, SearchUpdate::Ready);
    updated(&mut session, info(1, 30, "b1c3"));
    let searched = updated(&mut session, SearchUpdate::Finished(Some("b1c3".into())));
    assert_eq!((trial(&searched[0]), &searched[0]["id"]), ((json!(false), Value::Null), &json!(7)));
    assert_eq!(searched[0]["trial"]["label"], "d8e7");
    let errors =
        [json!({"do": "try", "node": 3, "text": "e8e6"}), json!({"do": "try", "node": 99, "text": "e8e7"})];
    for request in errors {
        assert!(responses_to(&mut session, request.clone())[0]["error"].is_string(), "{request}");
    }
    assert_eq!(session.game.as_ref().unwrap().tree().move_count(), 5);
}

#[test]
fn marks_promotions_and_diagrams_answer_with_what_changed() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut session, json!({"do": "go", "node": 1}));
    responses_to(&mut session, json!({"do": "play", "text": "d7d5"}));
    responses_to(&mut session, json!({"do": "play", "text": "e4d5"}));
    let nags = responses_to(&mut session, json!({"do": "nags"}))[0]["nags"].clone();
    assert!(nags.as_array().unwrap().iter().any(|nag| nag["sign"] == "±" && nag["of_move"] == false));
    let marked = responses_to(&mut session, json!({"do": "marks", "node": 3, "nags": [5, 222]}));
    assert_eq!(marked[0]["nodes"][0]["label"], "d7d5!? $222");
    assert_eq!(marked[0]["position"]["material"], json!({"captured": [[], ["p"]], "difference": 100}));
    let promoted = responses_to(&mut session, json!({"do": "promote", "node": 4}));
    assert_eq!(promoted[0]["nodes"][0]["children"], json!([3, 2]));
    assert!(responses_to(&mut session, json!({"do": "promote", "node": 4}))[0]["error"].is_string());
    let undone = responses_to(&mut session, json!({"do": "undo_change"}));
    assert_eq!(undone[0]["edit"]["kind"], "promotion");
    let drawn = responses_to(&mut session, json!({"do": "diagrams", "nodes": [4, 2]}))[0]["diagrams"].clone();
    assert_eq!((&drawn[0]["pieces"]["d5"], &drawn[1]["last"]), (&json!("P"), &json!(["e7", "e5"])));
    // The position on the board stays.
    assert_eq!(session.game.as_ref().unwrap().played.current_node(), 4);
    assert!(responses_to(&mut session, json!({"do": "diagrams", "nodes": [9]}))[0]["error"].is_string());
    assert_eq!(session.game.as_ref().unwrap().played.current_node(), 4);
}

#[test]
fn positions_are_sent_with_their_moves_and_the_search_goes_on() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4", "d7d5", "e4d5"]}));
    responses_to(&mut session, json!({"do": "go", "node": 2}));
    assert!(responses_to(&mut session, json!({"do": "analyse", "lines": 1, "id": 5})).is_empty());
    let sent = responses_to(&mut session, json!({"do": "positions", "nodes": [3, 0, 1]}));
    assert_eq!(sent.len(), 1, "the analysis has not ended: {sent:?}");
    assert_eq!(session.game.as_ref().unwrap().played.current_node(), 2);
    let positions = sent[0]["positions"].clone();
    let lift = |square: &str, piece: &str| json!({"do": "lift", "square": square, "piece": piece});
    let put = |square: &str, piece: &str| json!({"do": "put", "square": square, "piece": piece});
    assert_eq!(positions[0]["step"]["sound"], "capture");
    assert_eq!(positions[0]["step"]["script"], json!([lift("d5", "p"), lift("e4", "P"), put("d5", "P")]));
    let back = positions[0]["back"]["script"].as_array().unwrap();
    assert!([lift("d5", "P"), put("e4", "P"), put("d5", "p")].iter().all(|change| back.contains(change)));
    assert_eq!((&positions[1]["step"], &positions[1]["back"]), (&Value::Null, &Value::Null));
    // They are the positions to which a step leads.
    for (i, node) in [3, 0, 1].into_iter().enumerate() {
        let there = responses_to(&mut session, json!({"do": "go", "node": node}));
        let response = there.last().unwrap();
        assert_eq!((&positions[i]["node"], &positions[i]["position"]), (&json!(node), &response["position"]));
    }
    for nodes in [vec![9], vec![0; 33]] {
        assert!(
            responses_to(&mut session, json!({"do": "positions", "nodes": nodes}))[0]["error"].is_string()
        );
        assert_eq!(session.game.as_ref().unwrap().played.current_node(), 1);
    }
}

#[test]
fn a_line_and_a_reviewed_game_are_exported() {
    let (mut session, _) = reviewed_session(new_store());
    responses_to(&mut session, json!({"do": "dialect", "name": "san"}));
    let mut text =
        |request: Value| responses_to(&mut session, request)[0]["text"].as_str().unwrap().to_owned();
    let whole = text(json!({"do": "export", "review": true}));
    assert!(whole.contains("Ke7 $4") && whole.contains("[%eval 20.00]"), "{whole}");
    assert!(
        whole.contains("[WhiteAccuracy \"90.2\"]") && whole.contains("[AccuracyVersion \"2\"]"),
        "{whole}"
    );
    let plain = text(json!({"do": "export"}));
    assert!(!plain.contains("$4") && !plain.contains("Accuracy"), "{plain}");
    let line = text(json!({"do": "export", "node": 2}));
    assert!(line.contains("e5") && !line.contains("Qh5"), "{line}");
    // Only the whole main line has the result of the game.
    assert!(plain.trim_end().ends_with("1-0") && line.trim_end().ends_with('*'), "{plain} {line}");
    assert!(text(json!({"do": "export", "node": 5})).trim_end().ends_with("1-0"));
    assert!(responses_to(&mut session, json!({"do": "export", "node": 77}))[0]["error"].is_string());
}

/// Returns two sessions with the same game of chess after 1. e4 e5 in an analysis, and its id.
fn two_windows(store: &Arc<MemoryStore>) -> (TestSession, TestSession, String) {
    let mut session = new_session(store.clone());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4", "e7e5"]}));
    let id = session.game.as_ref().unwrap().id.clone();
    let environment = PageEnvironment::new(crate::conformance::GROWING_HOST, store.clone());
    let mut other = ClientSession::new(2, environment, Default::default());
    responses_to(&mut other, json!({"do": "open", "game": id}));
    (session, other, id)
}

#[test]
fn an_evaluation_in_another_window_does_not_end_the_search_of_this_one() {
    let store = new_store();
    let (mut session, mut other, id) = two_windows(&store);
    responses_to(&mut session, json!({"do": "review"}));
    responses_to(&mut other, json!({"do": "analyse", "lines": 1}));
    updated(&mut other, SearchUpdate::Ready);
    updated(&mut other, info(1, 33, "g1f3"));
    updated(&mut other, SearchUpdate::Finished(Some("g1f3".into())));
    let changed = session.on_saved_change(&SavedChange { id: id.clone(), saved_by: 2 });
    let changed: Vec<_> = changed.iter().map(|out| serde_json::to_value(out).unwrap()).collect();
    assert_eq!((changed.len(), &changed[0]["event"]), (1, &json!("changed")), "{changed:?}");
    assert_eq!((&changed[0]["game"], &changed[0]["nodes"][0]["node"]), (&Value::Null, &json!(2)));
    assert_eq!(changed[0]["nodes"][0]["score"]["value"], 33);
    let reviewed =
        finish_review(&mut session, &[(30, Some("e2e4")), (-25, Some("e7e5")), (31, Some("g1f3"))]);
    assert!(reviewed.last().unwrap()["review"].is_object(), "{reviewed:?}");
    let saved = store.load(&id).unwrap();
    let last = &saved.tree().node(2).unwrap().value;
    assert!(last.review.is_some() && last.score.is_some_and(|score| score.value == 33));
}

#[test]
fn what_a_stopped_search_has_found_is_saved_when_the_page_is_closed() {
    let store = new_store();
    let (mut session, other, id) = two_windows(&store);
    drop(other);
    responses_to(&mut session, json!({"do": "analyse", "lines": 1}));
    updated(&mut session, SearchUpdate::Ready);
    updated(&mut session, info(1, 33, "g1f3"));
    responses_to(&mut session, json!({"do": "stop"}));
    drop(session);
    let score = store.load(&id).unwrap().tree().node(2).unwrap().value.score;
    assert_eq!(score.map(|score| score.value), Some(33));
}

#[test]
fn an_evaluation_in_another_window_leaves_the_edits_of_this_one() {
    let store = new_store();
    let mut session = new_session(store.clone());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut session, json!({"do": "comment", "node": 1, "text": "good"}));
    let id = session.game.as_ref().unwrap().id.clone();
    let mut other = ClientSession::new(
        2,
        PageEnvironment::new(crate::conformance::GROWING_HOST, store),
        Default::default(),
    );
    responses_to(&mut other, json!({"do": "open", "game": id}));
    responses_to(&mut other, json!({"do": "analyse", "lines": 1}));
    updated(&mut other, SearchUpdate::Ready);
    updated(&mut other, info(1, 33, "g1f3"));
    updated(&mut other, SearchUpdate::Finished(Some("g1f3".into())));
    responses_to(&mut other, json!({"do": "dialect", "name": "san"}));
    let changed = session.on_saved_change(&SavedChange { id: id.clone(), saved_by: 2 });
    let changed = serde_json::to_value(&changed[0]).unwrap();
    assert_eq!(
        (&changed["event"], &changed["edits"]["undo"]["kind"]),
        (&json!("changed"), &json!("comment"))
    );
    let undone = responses_to(&mut session, json!({"do": "undo_change"}));
    assert_eq!(undone[0]["edit"]["kind"], "comment");
    // An edit of the other window ends the edits of this one, because its nodes have changed.
    responses_to(&mut other, json!({"do": "open", "game": id}));
    responses_to(&mut other, json!({"do": "comment", "node": 2, "text": "usual"}));
    let changed = session.on_saved_change(&SavedChange { id, saved_by: 2 });
    assert_eq!(serde_json::to_value(&changed[0]).unwrap()["edits"]["undo"], Value::Null);
}
