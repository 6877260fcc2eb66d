//! Tests of whose turn it is, and of which session searches the computer's reply.

use std::sync::Arc;

use alfil_engine::SearchEvent;
use serde_json::{Value, json};

use super::tests::{IdleSlot, TestSession, new_session, new_store, responses_to};
use super::*;
use crate::MemoryStore;
use crate::conformance::GROWING_HOST as HOST;

/// Returns two windows of the same server, and their store.
fn two_windows() -> ([TestSession; 2], Arc<MemoryStore>) {
    let store = new_store();
    let environment = PageEnvironment::new(HOST, store.clone());
    let window = |id| ClientSession::new(id, environment.clone(), IdleSlot::default());
    ([window(1), window(2)], store)
}

/// Lets another session know what was saved last in the open game of the first; returns the messages to its page.
fn reload(other: &mut TestSession) -> Vec<Value> {
    other.reload_game().iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

fn update(session: &mut TestSession, update: SearchUpdate) -> Vec<Value> {
    session.on_update(update).iter().map(|out| serde_json::to_value(out).unwrap()).collect()
}

/// Starts a game of the first side, and plays its first move.
fn play_first_move(session: &mut TestSession) -> Value {
    responses_to(session, json!({"do": "new", "game": "chess", "person": 0, "level": 4}));
    responses_to(session, json!({"do": "play", "text": "e2e4"}))[0].take()
}

fn game_id(session: &TestSession) -> String {
    session.game.as_ref().unwrap().id.clone()
}

#[test]
fn the_session_searches_the_reply_and_says_whose_turn_it_is() {
    let mut session = new_session(new_store());
    let opened = responses_to(&mut session, json!({"do": "new", "game": "chess", "person": 0, "level": 4}));
    assert_eq!(opened[0]["turn"], json!({"next": "person"}));
    let played = responses_to(&mut session, json!({"do": "play", "text": "e2e4"}));
    assert_eq!(played[0]["turn"], json!({"next": "computer", "replying": true}));
    let search = session.search.as_ref().unwrap();
    assert_eq!((search.limits.level, search.limits.uses_book, search.node), (Some(4), true, 1));
    // A page that shows another position still knows of the search.
    let earlier = responses_to(&mut session, json!({"do": "go", "node": 0}));
    assert_eq!(earlier[0]["turn"], json!({"next": "person", "replying": true}));
    responses_to(&mut session, json!({"do": "go", "node": 1}));
    let replied = update(&mut session, SearchUpdate::Finished(Some("e7e5".into())));
    assert_eq!((replied.len(), &replied[0]["event"]), (1, &json!("replied")));
    assert_eq!(
        (&replied[0]["turn"], &replied[0]["step"]["text"]),
        (&json!({"next": "person"}), &json!("e7e5"))
    );
    let analysed = responses_to(&mut session, json!({"do": "seat", "person": null, "level": 4}));
    assert_eq!(analysed[0]["turn"], json!({"next": "wait", "reason": "analysis"}));
}

#[test]
fn two_windows_of_a_game_start_one_search_and_the_other_takes_over() {
    let ([mut first, mut second], _store) = two_windows();
    play_first_move(&mut first);
    assert!(first.is_replying() && first.time_to_timer().is_none());
    let opened = responses_to(&mut second, json!({"do": "open", "game": game_id(&first)}));
    assert_eq!(opened[0]["turn"], json!({"next": "computer", "elsewhere": true}));
    // The other window tries again now and then.
    assert!(!second.is_replying() && second.time_to_timer().is_some());
    assert!(update(&mut second, SearchUpdate::Timer).is_empty());
    drop(first);
    let turns = update(&mut second, SearchUpdate::Timer);
    assert_eq!(turns, [json!({"event": "turn", "next": "computer", "replying": true})]);
    assert!(second.is_replying() && second.time_to_timer().is_none());
}

#[test]
fn the_other_window_gets_the_reply_and_searches_none() {
    let ([mut first, mut second], _store) = two_windows();
    play_first_move(&mut first);
    responses_to(&mut second, json!({"do": "open", "game": game_id(&first)}));
    update(&mut first, SearchUpdate::Finished(Some("e7e5".into())));
    let changed = reload(&mut second);
    assert_eq!((&changed[0]["turn"], &changed[0]["node"]), (&json!({"next": "person"}), &json!(2)));
    // The move of the second window is answered by it.
    responses_to(&mut second, json!({"do": "play", "text": "g1f3"}));
    assert!(second.is_replying());
    assert_eq!(reload(&mut first)[0]["turn"], json!({"next": "computer", "elsewhere": true}));
    assert!(!first.is_replying());
}

#[test]
fn the_window_of_the_move_searches_the_reply_even_if_the_other_one_receives_it_first() {
    let ([mut first, mut second], _store) = two_windows();
    play_first_move(&mut first);
    responses_to(&mut second, json!({"do": "open", "game": game_id(&first)}));
    update(&mut first, SearchUpdate::Finished(Some("e7e5".into())));
    reload(&mut second);
    // The other window gets the saved move before the first one has answered its page.
    first.handle_request(ClientRequest::Play { text: "g1f3".into(), dialect: None }).unwrap();
    assert_eq!(reload(&mut second)[0]["turn"], json!({"next": "computer", "elsewhere": true}));
    first.finish(Vec::new());
    assert!(first.is_replying() && !second.is_replying());
}

#[test]
fn a_reply_that_failed_or_was_stopped_waits_for_a_person_in_all_windows() {
    for (is_stopped, reason) in [(false, "reply_failed"), (true, "reply_stopped")] {
        let ([mut first, mut second], _store) = two_windows();
        play_first_move(&mut first);
        responses_to(&mut second, json!({"do": "open", "game": game_id(&first)}));
        let turn = json!({"event": "turn", "next": "wait", "reason": reason});
        if is_stopped {
            assert_eq!(responses_to(&mut first, json!({"do": "stop"})), [json!({"id": 7}), turn.clone()]);
        } else {
            let out = update(&mut first, SearchUpdate::Finished(None));
            assert_eq!(
                (&out[0]["event"], &out[0]["cause"], &out[1]),
                (&json!("replied"), &json!("failed"), &turn)
            );
        }
        assert_eq!(update(&mut second, SearchUpdate::Timer), [turn]);
        // Either window lets the game go on.
        let out = responses_to(&mut second, json!({"do": "continue"}));
        assert_eq!(out, [json!({"id": 7}), json!({"event": "turn", "next": "computer", "replying": true})]);
        assert!(second.is_replying() && !first.is_replying());
    }
}

#[test]
fn after_a_refused_request_the_page_receives_the_search_that_begins_again() {
    let mut session = new_session(new_store());
    play_first_move(&mut session);
    let out = responses_to(&mut session, json!({"do": "open", "game": "unknown"}));
    assert!(out[0]["error"].is_string() && session.is_replying());
    assert_eq!(out[1..], [json!({"event": "turn", "next": "computer", "replying": true})]);
}

#[test]
fn a_deletion_lets_the_computer_wait_unless_it_was_about_to_move() {
    let mut session = new_session(new_store());
    play_first_move(&mut session);
    update(&mut session, SearchUpdate::Finished(Some("e7e5".into())));
    let pruned = responses_to(&mut session, json!({"do": "prune", "node": 2}));
    assert_eq!(pruned[0]["turn"], json!({"next": "wait", "reason": "reply_stopped"}));
    let undone = responses_to(&mut session, json!({"do": "undo_change"}));
    assert_eq!(undone[0]["turn"], json!({"next": "person"}));
    // A variation of the person is deleted while the computer searches.
    responses_to(&mut session, json!({"do": "go", "node": 0}));
    responses_to(&mut session, json!({"do": "play", "text": "d2d4"}));
    responses_to(&mut session, json!({"do": "stop"}));
    responses_to(&mut session, json!({"do": "go", "node": 2}));
    responses_to(&mut session, json!({"do": "play", "text": "g1f3"}));
    let pruned = responses_to(&mut session, json!({"do": "prune", "node": 3}));
    assert_eq!(pruned[0]["turn"], json!({"next": "computer", "replying": true}));
}

#[test]
fn a_game_of_levels_goes_on_move_by_move_until_it_is_paused() {
    let mut session = new_session(new_store());
    let new = json!({"do": "new", "game": "chess", "levels": [2, 9]});
    let opened = responses_to(&mut session, new);
    assert_eq!(
        (&opened[0]["game"]["levels"], &opened[0]["turn"]),
        (&json!([2, 9]), &json!({"next": "computer"}))
    );
    for (level, text) in [(2, "e2e4"), (9, "e7e5")] {
        assert!(!session.is_replying());
        responses_to(&mut session, json!({"do": "continue"}));
        assert_eq!(session.search.as_ref().unwrap().limits.level, Some(level));
        let replied = update(&mut session, SearchUpdate::Finished(Some(text.into())));
        assert_eq!(replied[0]["turn"], json!({"next": "computer"}));
    }
    let paused = responses_to(&mut session, json!({"do": "pause", "paused": true}));
    assert_eq!(paused[0]["turn"], json!({"next": "wait", "reason": "paused"}));
    responses_to(&mut session, json!({"do": "continue"}));
    assert!(!session.is_replying());
    responses_to(&mut session, json!({"do": "pause", "paused": false}));
    responses_to(&mut session, json!({"do": "continue"}));
    assert!(session.is_replying());
    // A pause leaves the move that is searched.
    responses_to(&mut session, json!({"do": "pause", "paused": true}));
    assert!(session.is_replying());
    // A failure pauses the game, so that its page shows how it goes on.
    responses_to(&mut session, json!({"do": "pause", "paused": false}));
    let failed = update(&mut session, SearchUpdate::Finished(None));
    assert_eq!((&failed[0]["game"]["paused"], &failed[1]["reason"]), (&json!(true), &json!("paused")));
}

#[test]
fn a_game_of_levels_is_paused_when_it_is_opened_again_unless_another_window_plays_it() {
    let ([mut first, mut second], store) = two_windows();
    responses_to(&mut first, json!({"do": "new", "game": "chess", "levels": [2, 9]}));
    responses_to(&mut first, json!({"do": "continue"}));
    update(&mut first, SearchUpdate::Finished(Some("e2e4".into())));
    let open = json!({"do": "open", "game": game_id(&first)});
    let opened = responses_to(&mut second, open.clone());
    assert_eq!(opened[0]["turn"], json!({"next": "computer", "elsewhere": true}));
    responses_to(&mut second, json!({"do": "continue"}));
    assert!(!second.is_replying());
    drop((first, second));
    let opened = responses_to(&mut new_session(store), open);
    assert_eq!(opened[0]["turn"], json!({"next": "wait", "reason": "paused"}));
    assert_eq!((&opened[0]["game"]["paused"], &opened[0]["game"]["levels"]), (&json!(true), &json!([2, 9])));
}

/// Returns the moves of a game of Othello to a position without a move but the pass, and the index of the side that has
/// to pass.
fn moves_to_a_pass() -> (Vec<String>, usize) {
    for seed in 0_usize.. {
        let mut session = alfil_session::registry::open("othello", None).unwrap();
        let mut choice = seed;
        while session.game_end().is_none() {
            let targets = session.targets(None);
            if targets.len() == 1 && targets[0].to.is_none() {
                let side = session.view().side_to_move.index();
                return (session.played_moves(None).unwrap(), side);
            }
            choice = (choice * 31 + 7) % 1009;
            session.play(&targets[choice % targets.len()].text, None).unwrap();
        }
    }
    unreachable!("there are games with a pass")
}

#[test]
fn a_pass_without_a_choice_is_played_when_the_page_lets_it() {
    let mut session = new_session(new_store());
    let (moves, side) = moves_to_a_pass();
    let new = |person: usize| json!({"do": "new", "game": "othello", "moves": moves, "person": person});
    let opened = responses_to(&mut session, new(side));
    assert_eq!(opened[0]["turn"], json!({"next": "pass"}), "{opened:?}");
    let passed = responses_to(&mut session, json!({"do": "continue"}));
    assert!(passed[0]["step"].is_object());
    assert_eq!(passed[0]["turn"], json!({"next": "computer", "replying": true}));
    // The pass of the computer is its reply.
    let opened = responses_to(&mut session, new(1 - side));
    assert_eq!(opened[0]["turn"], json!({"next": "computer", "replying": true}));
}

#[test]
fn the_external_engine_belongs_to_the_game() {
    let mut session = new_session(new_store());
    let new = json!({"do": "new", "game": "chess", "person": 1, "level": 4, "engine": "fish"});
    assert_eq!(responses_to(&mut session, new)[0]["game"]["engine"], "fish");
    assert_eq!(session.search.as_ref().unwrap().engine.as_deref(), Some("fish"));
    // It may resign, which is no move.
    session.on_update(SearchUpdate::Event(SearchEvent::Failed("the engine resigns".into())));
    let out = update(&mut session, SearchUpdate::Finished(None));
    assert_eq!((&out[0]["error"], &out[1]["reason"]), (&json!("the engine resigns"), &json!("reply_failed")));
    responses_to(&mut session, json!({"do": "seat", "person": 1, "level": 4}));
    assert_eq!(session.search.as_ref().unwrap().engine, None);
}

#[test]
fn the_time_for_a_reply_is_that_of_the_page() {
    let mut session = new_session(new_store());
    responses_to(&mut session, json!({"do": "pace", "reply_ms": 3000}));
    play_first_move(&mut session);
    assert_eq!(session.search.as_ref().unwrap().limits.time, Some(Duration::from_secs(3)));
}
