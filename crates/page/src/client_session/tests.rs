//! Tests of the messages of a session: about its clock, failing searches, other windows and undo.

use serde_json::{Value, json};

use super::*;
use crate::MemoryStore;
use crate::conformance::GROWING_HOST as HOST;
use crate::stored::StoredClock;

/// A slot whose searches never start.
#[derive(Default)]
pub(super) struct IdleSlot {
    /// Why no search can be started.
    refusal: Option<&'static str>,
}

impl SearchSlot for IdleSlot {
    fn queue(&mut self) -> bool {
        false
    }

    fn start(&mut self, _request: &SearchRequest<'_>) -> Result<(), SessionError> {
        self.refusal.map_or(Ok(()), |message| Err(SessionError::new(message)))
    }

    fn stop(&mut self) {}
}

pub(super) type TestSession = ClientSession<IdleSlot>;

pub(super) fn new_session(store: Arc<MemoryStore>) -> TestSession {
    ClientSession::new(1, PageEnvironment::new(HOST, store), IdleSlot::default())
}

pub(super) fn new_store() -> Arc<MemoryStore> {
    Arc::new(MemoryStore::new(HOST))
}

/// Returns the messages that answer a request.
pub(super) fn responses_to(session: &mut TestSession, request: Value) -> Vec<Value> {
    let mut message = request;
    message["id"] = json!(7);
    let out = session.on_text(&message.to_string());
    out.iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

/// Creates a session with a game of two moves in which the person's time is used up.
fn session_with_expired_clock() -> (TestSession, Arc<MemoryStore>, String) {
    let store = new_store();
    let mut session = new_session(store.clone());
    let clock = json!({"base": 60_000, "increment": 0});
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi", "person": 0, "clock": clock}));
    responses_to(&mut session, json!({"do": "walk", "moves": ["h2e2", "h9g7"]}));
    let game = session.game.as_mut().unwrap();
    let expired = json!({"pace": clock, "left": [0, 60_000], "running": 0, "flagged": null, "node": 2});
    let expired: StoredClock = serde_json::from_value(expired).unwrap();
    game.change_record(|record| record.clock = Some(expired.try_into().unwrap()));
    let id = game.id.clone();
    (session, store, id)
}

#[test]
fn a_table_for_which_there_is_no_memory_is_refused() {
    let host = PageHost { check_memory: |_| Err(SessionError::new("no memory")), ..HOST };
    let environment = PageEnvironment::new(host, new_store());
    let mut session = ClientSession::new(1, environment, IdleSlot::default());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    let out = responses_to(&mut session, json!({"do": "analyse", "lines": 1, "hash": 2048}));
    assert_eq!(out[0]["error"], "no memory", "{out:?}");
    assert!(session.resources.is_none());
    // The usual table was there before.
    assert!(responses_to(&mut session, json!({"do": "analyse", "lines": 1})).is_empty());
}

#[test]
fn a_flag_fall_during_any_request_is_sent_and_saved() {
    for (request, is_rejected) in [
        (json!({"do": "go", "node": 1}), false),
        (json!({"do": "tactical_marks"}), false),
        (json!({"do": "play", "text": "h0g2"}), true),
        (json!({"do": "undo", "plies": 1}), true),
        (json!({"do": "open", "game": "nowhere"}), true),
    ] {
        let (mut session, store, id) = session_with_expired_clock();
        let responses = responses_to(&mut session, request.clone());
        assert_eq!(
            (responses.len(), responses[0]["error"].is_string()),
            (2, is_rejected),
            "{request}: {responses:?}"
        );
        assert_eq!(
            (&responses[1]["event"], &responses[1]["position"]["clock"]["flagged"]),
            (&json!("changed"), &json!(0)),
            "{request}"
        );
        assert!(store.load(&id).unwrap().played.is_over(), "{request}");
        assert_eq!(responses_to(&mut session, json!({"do": "tactical_marks"})).len(), 1, "{request}");
    }
}

#[test]
fn a_flag_fall_at_disconnection_is_saved() {
    let (session, store, id) = session_with_expired_clock();
    drop(session);
    assert!(store.load(&id).unwrap().played.is_over());
}

#[test]
fn a_failing_search_is_reported_before_its_move() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    responses_to(&mut session, json!({"do": "hint"}));
    let mut responses =
        session.on_update(SearchUpdate::Event(SearchEvent::Failed("the search broke off".into())));
    responses.extend(session.on_update(SearchUpdate::Finished(Some("e2e4".into()))));
    let responses: Vec<_> = responses.iter().map(|out| serde_json::to_value(out).unwrap()).collect();
    assert_eq!(responses, [json!({"event": "failed", "of": 7}), json!({"id": 7, "hint": "e2e4"})]);
    // Without a move the response is an error.
    responses_to(&mut session, json!({"do": "hint"}));
    let none = serde_json::to_value(&session.on_update(SearchUpdate::Finished(None))[0]).unwrap();
    assert_eq!((&none["id"], &none["cause"]), (&json!(7), &json!("failed")));
}

#[test]
fn a_position_names_the_last_opening_that_the_game_has_reached() {
    let mut session = new_session(new_store());
    let opening = |out: Vec<Value>| out[0]["position"]["opening"].clone();
    let names = [
        ("xiangqi", json!([]), Value::Null),
        (
            "xiangqi",
            json!(["h2e2", "h7e7"]),
            json!({"eco": "", "name": "Same-Direction Cannons", "name_zh": "顺炮局"}),
        ),
        (
            "chess",
            json!(["e2e4", "e7e5", "f2f4", "a7a6", "a2a3"]),
            json!({"eco": "C30", "name": "King's Gambit", "name_zh": "王翼弃兵"}),
        ),
    ];
    for (game, moves, expected) in names {
        responses_to(&mut session, json!({"do": "new", "game": game}));
        assert_eq!(opening(responses_to(&mut session, json!({"do": "walk", "moves": moves}))), expected);
        assert_eq!(opening(responses_to(&mut session, json!({"do": "go", "node": 0}))), Value::Null);
    }
}

#[test]
fn a_search_that_cannot_start_does_not_use_the_clock() {
    let mut session = new_session(new_store());
    session.search_slot().refusal = Some("there is no engine");
    let clock = json!({"base": 60_000, "increment": 0});
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi", "person": 0, "clock": clock}));
    responses_to(&mut session, json!({"do": "play", "text": "h2e2"}));
    assert!(session.time_to_timer().is_some());
    let out = session.on_update(SearchUpdate::Ready);
    let error = serde_json::to_value(&out[0]).unwrap();
    assert_eq!((&error["event"], error["error"].is_string()), (&json!("replied"), true), "{error}");
    assert_eq!(session.time_to_timer(), None);
}

/// Returns two sessions of different clients that have opened the same game of some moves.
fn two_windows(new: Value) -> [TestSession; 2] {
    let store = new_store();
    let window = |id| ClientSession::new(id, PageEnvironment::new(HOST, store.clone()), IdleSlot::default());
    let (mut first, mut second) = (window(1), window(2));
    let opened = responses_to(&mut first, new);
    responses_to(&mut second, json!({"do": "open", "game": opened[0]["game"]["id"]}));
    [first, second]
}

/// Returns the moves, comments and marks of the open game, without its root.
fn text_of(session: &TestSession) -> Vec<(String, String, Vec<u8>)> {
    let tree = session.game.as_ref().unwrap().tree();
    let text = |(_, node): (usize, &alfil_session::played_game::AnnotatedNode)| {
        (node.text.clone(), node.comment.clone(), node.nags.clone())
    };
    tree.iter().skip(1).map(text).collect()
}

/// Neither session has received what the other one has saved before it sends its own change.
#[test]
fn changes_of_two_windows_at_the_same_time_are_both_kept() {
    let [mut first, mut second] =
        two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    for (of_first, of_second) in [
        (json!({"do": "play", "text": "g1f3"}), json!({"do": "play", "text": "f1c4"})),
        (
            json!({"do": "comment", "node": 1, "text": "one"}),
            json!({"do": "comment", "node": 2, "text": "two"}),
        ),
        (json!({"do": "marks", "node": 1, "nags": [1]}), json!({"do": "comment", "node": 1, "text": "both"})),
        (json!({"do": "comment", "node": 3, "text": "a"}), json!({"do": "tags", "tags": [["Event", "x"]]})),
    ] {
        assert!(responses_to(&mut first, of_first)[0]["error"].is_null());
        let out = responses_to(&mut second, of_second.clone());
        assert_eq!((&out[0]["id"], &out[0]["error"]), (&json!(7), &Value::Null), "{of_second}: {out:?}");
        // The page gets the game with both changes, and stays at the move that it has played.
        assert_eq!((out.len(), &out[1]["event"]), (2, &json!("changed")), "{out:?}");
        assert_eq!(out[1]["node"], 4);
        first.reload_game();
    }
    let expected =
        [("e2e4", "both", vec![1]), ("e7e5", "two", vec![]), ("g1f3", "a", vec![]), ("f1c4", "", vec![])];
    let expected: Vec<_> = expected.map(|(text, comment, nags)| (text.into(), comment.into(), nags)).into();
    assert_eq!((text_of(&second), text_of(&first)), (expected.clone(), expected));
    assert_eq!(first.game.as_ref().unwrap().record().tags[0].1, "x");
}

#[test]
fn a_change_that_another_window_has_made_otherwise_is_refused() {
    let [mut first, mut second] =
        two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    for (of_first, of_second) in [
        (
            json!({"do": "comment", "node": 1, "text": "one"}),
            json!({"do": "comment", "node": 1, "text": "two"}),
        ),
        (json!({"do": "marks", "node": 1, "nags": [1]}), json!({"do": "marks", "node": 1, "nags": [2]})),
        (json!({"do": "tags", "tags": [["Event", "x"]]}), json!({"do": "tags", "tags": [["Event", "y"]]})),
        (json!({"do": "prune", "node": 2}), json!({"do": "comment", "node": 2, "text": "gone"})),
        (json!({"do": "play", "text": "c7c5"}), json!({"do": "prune", "node": 1})),
    ] {
        assert!(responses_to(&mut first, of_first)[0]["error"].is_null());
        let out = responses_to(&mut second, of_second.clone());
        assert_eq!((&out[0]["cause"], out.len()), (&json!("changed"), 2), "{of_second}: {out:?}");
        assert_eq!(text_of(&second), text_of(&first));
    }
    assert_eq!(
        text_of(&first),
        [("e2e4".into(), "one".into(), vec![1]), ("c7c5".into(), String::new(), vec![])]
    );
    assert_eq!(second.game.as_ref().unwrap().record().tags[0].1, "x");
}

/// The state of the other window is still on its way when the edit is sent.
#[test]
fn an_edit_of_a_replaced_state_is_refused() {
    let [mut first, mut second] =
        two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut first, json!({"do": "comment", "node": 1, "text": "one"}));
    responses_to(&mut first, json!({"do": "prune", "node": 2}));
    responses_to(&mut first, json!({"do": "play", "text": "c7c5"}));
    second.reload_game();
    for edit in [
        json!({"do": "comment", "node": 1, "text": "two", "reloads": 0}),
        json!({"do": "marks", "node": 2, "nags": [1], "reloads": 0}),
        json!({"do": "promote", "node": 2, "reloads": 0}),
        json!({"do": "prune", "node": 2, "reloads": 0}),
        json!({"do": "undo", "plies": 1, "reloads": 0}),
        json!({"do": "undo_change", "reloads": 0}),
        // What is read of a node may be of another move, too.
        json!({"do": "export", "node": 2, "reloads": 0}),
        json!({"do": "try", "node": 1, "text": "e7e5", "reloads": 0}),
    ] {
        let out = responses_to(&mut second, edit.clone());
        assert_eq!((&out[0]["cause"], out.len()), (&json!("changed"), 1), "{edit}");
    }
    let kept = [("e2e4".into(), "one".into(), vec![]), ("c7c5".into(), String::new(), vec![])];
    assert_eq!((text_of(&second), text_of(&first)), (kept.clone().into(), kept.into()));
    // A step leads nowhere else, and is no error.
    let node = second.game.as_ref().unwrap().played.current_node();
    let out = responses_to(&mut second, json!({"do": "go", "node": 1, "reloads": 0}));
    assert_eq!((&out[0]["error"], &out[0]["node"]), (&Value::Null, &json!(node)));
    let out = responses_to(&mut second, json!({"do": "comment", "node": 1, "text": "both", "reloads": 1}));
    assert_eq!((&out[0]["error"], &text_of(&second)[0].1), (&Value::Null, &"both".to_owned()));
}

/// The other window has played on: the moves of this one are a variation of the position that it showed.
#[test]
fn a_move_in_a_replaced_state_is_played_where_the_page_showed_it() {
    let [mut first, mut second] =
        two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut first, json!({"do": "play", "text": "g1f3"}));
    responses_to(&mut first, json!({"do": "play", "text": "b8c6"}));
    second.reload_game();
    assert_eq!(second.game.as_ref().unwrap().played.current_node(), 4);
    let out = responses_to(&mut second, json!({"do": "play", "text": "f1c4", "reloads": 0}));
    assert_eq!(
        (&out[0]["error"], &out[1]["event"], &out[1]["node"]),
        (&Value::Null, &json!("changed"), &json!(5))
    );
    let tree = second.game.as_ref().unwrap().tree();
    assert_eq!((tree.node(5).unwrap().parent(), tree.move_count()), (2, 5));
    // A comment on another move fits, too.
    responses_to(&mut first, json!({"do": "comment", "node": 1, "text": "one"}));
    let out = responses_to(&mut second, json!({"do": "comment", "node": 2, "text": "two", "reloads": 0}));
    assert_eq!(out[0]["error"], Value::Null);
    // The move was in the part that the other window has deleted.
    first.reload_game();
    responses_to(&mut first, json!({"do": "prune", "node": 2}));
    second.reload_game();
    let out = responses_to(&mut second, json!({"do": "walk", "moves": ["g8f6"], "reloads": 1}));
    assert_eq!(out[0]["cause"], json!("changed"));
}

/// The score of discs belongs to the end of the main line.
#[test]
fn a_final_score_that_other_moves_change_is_sent() {
    let moves = "f5d6c5f4e3f6g5e6e7"; // Black has all discs.
    let moves: Vec<_> = moves.as_bytes().chunks(2).map(|text| std::str::from_utf8(text).unwrap()).collect();
    let [mut session, _] = two_windows(json!({"do": "new", "game": "othello", "moves": moves[..8]}));
    let out = responses_to(&mut session, json!({"do": "play", "text": moves[8]}));
    assert_eq!(out[0]["game"]["score"], json!([64, 0]));
    assert!(responses_to(&mut session, json!({"do": "go", "node": 3}))[0]["game"].is_null());
    let out = responses_to(&mut session, json!({"do": "prune", "node": 9}));
    assert!(out[0]["game"].is_object() && out[0]["game"]["score"].is_null());
    // The page shows another position while the computer makes the last move.
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "othello", "moves": moves[..8], "person": 1}));
    responses_to(&mut session, json!({"do": "go", "node": 3}));
    let replies = session.on_update(SearchUpdate::Finished(Some(moves[8].into())));
    let replies: Vec<_> = replies.iter().map(|out| serde_json::to_value(out).unwrap()).collect();
    assert_eq!(replies[0]["game"]["score"], json!([64, 0]), "{replies:?}");
}

/// A damaged database may have an illegal variation.
#[test]
fn a_game_that_cannot_be_shown_leaves_the_open_one_open() {
    let store = new_store();
    let mut session = new_session(store.clone());
    responses_to(&mut session, json!({"do": "new", "game": "chess", "moves": ["e2e4"]}));
    let id = "0123456789ab".to_owned();
    let mut record = session.game.as_ref().unwrap().record().clone();
    record.tree.add_move(0, "a1a8");
    let mut damaged = OpenGame::from_record(id.clone(), record).unwrap();
    store.save(&mut damaged, 1, SavedDate::Now).unwrap();
    responses_to(&mut session, json!({"do": "new", "game": "othello"}));
    let open = session.game.as_ref().unwrap().id.clone();
    let out = responses_to(&mut session, json!({"do": "open", "game": id}));
    assert!(out[0]["error"].is_string(), "{out:?}");
    assert_eq!(session.game.as_ref().unwrap().id, open);
}

/// The page has opened another game before it knew that the former one was replaced.
#[test]
fn an_edit_of_a_replaced_state_is_not_made_in_another_game() {
    for is_new in [true, false] {
        let [mut first, mut second] = two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4"]}));
        let game_id = |session: &TestSession| session.game.as_ref().unwrap().id.clone();
        let shared = game_id(&first);
        let new = json!({"do": "new", "game": "chess", "moves": ["d2d4"]});
        responses_to(&mut second, new.clone());
        let open_other = json!({"do": "open", "game": game_id(&second)});
        responses_to(&mut second, json!({"do": "open", "game": shared}));
        responses_to(&mut first, json!({"do": "comment", "node": 1, "text": "one"}));
        second.reload_game();
        let out = responses_to(&mut second, if is_new { new } else { open_other });
        assert!(out[0]["error"].is_null());
        let out = responses_to(&mut second, json!({"do": "comment", "node": 0, "text": "two", "reloads": 0}));
        assert_eq!(out[0]["cause"], json!("changed"), "{out:?}");
    }
}

/// An evaluation and a dialect change nothing that an edit has changed.
#[test]
fn evaluations_and_dialects_of_another_window_keep_the_edits_to_undo() {
    let [mut first, mut second] =
        two_windows(json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut first, json!({"do": "play", "text": "g1f3"}));
    second.reload_game();
    responses_to(&mut second, json!({"do": "dialect", "name": "san"}));
    first.reload_game();
    let score = NodeScore { value: 30, mate: None, ..NodeScore::default() };
    second.game.as_mut().unwrap().played.set_evaluation(2, score, None);
    second.save_analysis().unwrap();
    first.reload_game();
    let undone = responses_to(&mut first, json!({"do": "undo_change"}));
    assert_eq!((&undone[0]["error"], &undone[0]["node"]), (&Value::Null, &json!(2)), "{undone:?}");
    assert_eq!(first.game.as_ref().unwrap().tree().node(2).unwrap().score, Some(score));
}

#[test]
fn tags_changed_in_the_library_keep_the_earlier_edits_to_undo() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess", "moves": ["e2e4", "e7e5"]}));
    responses_to(&mut session, json!({"do": "prune", "node": 2}));
    let id = session.game.as_ref().unwrap().id.clone();
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi"}));
    let tags = json!([["White", "Anna"]]);
    let change = json!({"do": "library", "action": "set_tags", "game": id, "tags": tags});
    let changed = responses_to(&mut session, change);
    assert!(changed[0]["error"].is_null(), "{changed:?}");
    responses_to(&mut session, json!({"do": "open", "game": id}));
    for expected in [1, 2] {
        let undone = responses_to(&mut session, json!({"do": "undo_change"}));
        assert!(undone[0]["error"].is_null(), "{undone:?}");
        assert_eq!(session.game.as_ref().unwrap().tree().move_count(), expected);
    }
}

#[test]
fn edits_can_be_undone_after_the_program_was_started_again() {
    let first = new_store();
    let mut session = new_session(first.clone());
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi"}));
    for request in [
        json!({"do": "play", "text": "h2e2"}),
        json!({"do": "play", "text": "h9g7"}),
        json!({"do": "comment", "node": 1, "text": "good"}),
        json!({"do": "tags", "tags": [["Red", "Anna"]]}),
        json!({"do": "prune", "node": 2}),
        json!({"do": "undo_change"}),
    ] {
        let responses = responses_to(&mut session, request.clone());
        assert!(responses[0]["error"].is_null(), "{request}: {responses:?}");
    }
    let id = session.game.as_ref().unwrap().id.clone();
    let saved = serde_json::to_value(first.take_changes(Some(&id))).unwrap()["games"][0].take();
    let open_again = |change: fn(&mut Value)| {
        let (store, mut saved) = (new_store(), saved.clone());
        change(&mut saved["row"]);
        let blocks: Vec<_> = saved["blocks"].as_object().unwrap().values().cloned().collect();
        let blocks = blocks.into_iter().map(|block| serde_json::from_value(block).unwrap()).collect();
        store.put(serde_json::from_value(saved["row"].take()).unwrap(), Some(blocks));
        let mut session = new_session(store);
        let edits = responses_to(&mut session, json!({"do": "open", "game": id}))[0]["edits"].take();
        (session, edits)
    };
    let (mut session, edits) = open_again(|_| {});
    assert!(edits["undo"].is_object() && edits["redo"].is_object(), "{edits}");
    let text = |session: &TestSession| {
        let game = session.game.as_ref().unwrap();
        let comment = game.tree().node(1).map(|node| node.comment.clone());
        (game.tree().move_count(), comment, game.record().tags.len())
    };
    let step = |session: &mut TestSession, request: &str| {
        let responses = responses_to(session, json!({"do": request}));
        (responses[0]["error"].is_null(), text(session))
    };
    let good = Some("good".to_owned());
    assert_eq!(step(&mut session, "redo_change"), (true, (1, good.clone(), 1)));
    assert_eq!(step(&mut session, "undo_change"), (true, (2, good.clone(), 1)));
    assert_eq!(step(&mut session, "undo_change"), (true, (2, good, 0)));
    assert_eq!(step(&mut session, "undo_change"), (true, (2, Some(String::new()), 0)));
    assert_eq!(step(&mut session, "undo_change"), (true, (1, Some(String::new()), 0)));
    assert_eq!(step(&mut session, "undo_change"), (true, (0, None, 0)));
    assert_eq!(step(&mut session, "undo_change"), (false, (0, None, 0)));
    // Edits of another revision, and damaged ones, are left out.
    let changes: [fn(&mut Value); 4] = [
        |row| row["edits"]["revision"] = json!(1),
        |row| row["edits"]["done"][0]["kind"] = json!("unknown"),
        |row| row["edits"]["done"][0]["changes"][0][0] = json!(1_000_000_000),
        |row| row["edits"]["done"][0]["nodes"][0] = json!(9),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (mut session, _) = open_again(change);
        assert!(!step(&mut session, "undo_change").0, "change {number}");
    }
}

/// Set to write the answers of `testdata/requests.json` instead of comparing them.
const WRITE_ANSWERS: &str = "ALFIL_WRITE_ANSWERS";

#[test]
fn the_requests_of_a_page_with_a_store_in_memory_get_their_answers() {
    use crate::conformance::{answer_requests, check_requests};
    let mut session = new_session(new_store());
    let send = |request: &Value| {
        let mut answers = responses_to(&mut session, request.clone());
        answers.retain(|answer| answer["id"] == 7);
        answers.swap_remove(0)
    };
    if std::env::var_os(WRITE_ANSWERS).is_none() {
        return check_requests(send);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/requests.json");
    std::fs::write(path, answer_requests(send)).unwrap();
}

/// The page, the command line and the session rule by the same function.
#[test]
fn the_rulings_under_every_ruleset_are_those_of_the_session() {
    use alfil_session::RulingRequest;
    use alfil_session::rulings::rulings_under_all;
    let mut session = new_session(new_store());
    let fen = "3k5/9/c8/9/R8/9/9/9/9/5K3 w - - 0 1";
    responses_to(&mut session, json!({"do": "new", "game": "xiangqi", "person": null, "fen": fen}));
    let cycle = ["a5d5", "d9e9", "d5a5", "e9d9"];
    responses_to(&mut session, json!({"do": "walk", "moves": cycle.repeat(2)}));
    let answer = responses_to(&mut session, json!({"do": "rule_all"})).swap_remove(0);
    let played = &session.game.as_ref().unwrap().played;
    let expected = rulings_under_all(played.session(), &RulingRequest::default()).unwrap();
    let rows = answer["rulings"].as_array().unwrap();
    assert_eq!(rows.len(), expected.len());
    for (row, ruling) in rows.iter().zip(&expected) {
        let side = ruling.must_change.map(|side| side.index());
        assert_eq!((&row["ruleset"], &row["must_change"]), (&json!(ruling.ruleset), &json!(side)));
        assert_eq!((&row["articles"], &row["evidence"]), (&json!(ruling.articles), &json!(ruling.evidence)));
        assert_eq!(&row["reason"], &json!(ruling.explanation.last()));
        assert_eq!(&row["disputed"], &json!(ruling.disputed_notes));
    }
    let must_change = |name| rows.iter().find(|row| row["ruleset"] == name).unwrap()["must_change"].clone();
    assert_eq!((must_change("cxa2020"), must_change("axf")), (json!(0), Value::Null));
}

#[test]
fn a_game_is_opened_at_a_position_or_at_its_first_move() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "new", "game": "chess"}));
    let played = responses_to(&mut session, json!({"do": "walk", "moves": ["e2e4", "e7e5", "g1f3"]}));
    assert_eq!(played[0]["node"], 3);
    let id = session.game.as_ref().unwrap().id.clone();
    let mut node_after = |open: Value| {
        let mut request = json!({"do": "open", "game": id});
        request.as_object_mut().unwrap().extend(open.as_object().unwrap().clone());
        responses_to(&mut session, request)[0]["node"].clone()
    };
    // Move counters do not matter.
    let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 7 9";
    assert_eq!(node_after(json!({"position": position})), 2);
    assert_eq!(node_after(json!({"first": true})), 1);
    assert_eq!(node_after(json!({})), 3);
    // A position that the game does not have is no error.
    assert_eq!(node_after(json!({"position": "8/8/8/4k3/8/8/8/4K2R w K - 0 1"})), 3);
}

#[test]
fn an_imported_record_is_opened_at_its_first_move_and_keeps_the_name_of_its_file() {
    let mut session = new_session(new_store());
    let mut import = |text: &str, name: &str| {
        let request = json!({"do": "import", "game": "chess", "text": text, "name": name});
        let response = responses_to(&mut session, request).remove(0);
        (response["node"].clone(), response["game"]["tags"].clone(), response["edits"]["undo"].clone())
    };
    assert_eq!(import("1. e4 e5 2. Nf3", ""), (json!(3), json!([]), Value::Null));
    let named = json!([["Event", "lesson 3"]]);
    assert_eq!(import("1. e4 e5 2. Nf3", "lesson 3"), (json!(1), named, Value::Null));
    let tags = json!([["White", "Anna"]]);
    assert_eq!(
        import("[White \"Anna\"]\n[Event \"?\"]\n\n1. e4 e5", "lesson 3"),
        (json!(1), tags, Value::Null)
    );
    // Without moves there is no first one.
    let start = import("[White \"Anna\"]\n[FEN \"8/8/8/4k3/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n*", "");
    assert_eq!(start.0, 0);
}

#[test]
fn the_starts_of_a_game_can_be_played() {
    let mut session = new_session(new_store());
    for (game, handicaps, number) in [("xiangqi", 3, None), ("chess", 3, Some(0)), ("othello", 4, None)] {
        let request = json!({"do": "starts", "game": game, "number": number});
        let starts = responses_to(&mut session, request)[0]["starts"].clone();
        let mut positions = starts["handicaps"].as_array().unwrap().clone();
        assert_eq!(positions.len(), handicaps, "{game}");
        assert_eq!(starts["numbered"].is_null(), number.is_none(), "{game}");
        positions.extend(number.map(|_| json!({"fen": starts["fen"], "waive": []})));
        for start in positions {
            let (fen, waive) = (&start["fen"], &start["waive"]);
            let new = json!({"do": "new", "game": game, "fen": fen, "waive": waive, "person": 0});
            let answer = responses_to(&mut session, new).remove(0);
            assert!(answer["error"].is_null() && !answer["position"]["targets"].is_null(), "{fen}: {answer}");
        }
    }
    let beyond = responses_to(&mut session, json!({"do": "starts", "game": "chess", "number": 960}));
    assert!(beyond[0]["starts"]["fen"].is_null());
}

#[test]
fn a_base_is_imported_with_its_files_of_names() {
    let file = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    let games = file(include_bytes!("../../testdata/synthetic-wth.wtb"));
    let players = file(include_bytes!("../../testdata/synthetic-wthor.jou"));
    let tournaments = file(include_bytes!("../../testdata/synthetic-wthor.trn"));
    let mut session = new_session(new_store());
    let mut library = |request: Value| {
        let mut request = request;
        request["do"] = json!("library");
        responses_to(&mut session, request).remove(0)
    };
    let begin = json!({"action": "import_begin", "name": "2004", "names": [players, tournaments]});
    assert!(library(begin)["error"].is_null());
    library(json!({"action": "import_chunk", "data": games}));
    while library(json!({"action": "import_end"}))["library"]["import"]["done"] == false {}
    let rows = library(json!({"action": "list", "limit": 1}))["library"]["list"]["rows"].clone();
    for name in [&rows[0]["players"][0], &rows[0]["players"][1], &rows[0]["event"]] {
        let name = name.as_str().unwrap();
        assert!(!name.is_empty() && !name.starts_with('#'), "{rows}");
    }
    let refused = library(json!({"action": "import_begin", "name": "x", "names": ["1. e4"]}));
    assert!(refused["error"].as_str().unwrap().contains("no list of names"), "{refused}");
}
