//! The checks of single games.

use alfil_session::played_game::ROOT;

use super::{
    FROZEN_HOST, GROWING_HOST, TestedStore, expect_not_found, library_of, open_game, play, rows, save,
    set_tags,
};
use crate::game_store::{GameStore, KEPT_SECONDS, MAX_LISTED_GAMES, SaveError, SavedDate};
use crate::open_game::OpenGame;
use crate::stored::{StoredGame, StoredNode};
use crate::wire::LibraryQuery;

/// Checks that games are saved, loaded, listed, deleted and restored, and that no game overwrites another one.
///
/// # Panics
/// If the store does something else.
pub fn check_game_store<S: TestedStore>() {
    check_saved_games_are_loaded(&S::empty(GROWING_HOST));
    check_refused_games(&S::empty(GROWING_HOST));
    check_clock_without_revision(&S::empty(GROWING_HOST));
    check_dates(&S::empty(GROWING_HOST));
    check_pages_of_the_list(&S::empty(GROWING_HOST));
    check_pages_of_the_list(&S::empty(FROZEN_HOST));
    check_results_of_the_list(&S::empty(GROWING_HOST));
    check_edits(&S::empty(GROWING_HOST));
    check_deleted_games(&S::empty(GROWING_HOST));
}

/// Everything of a game that a store keeps.
type SavedParts = (StoredGame, Vec<(usize, StoredNode)>, i64);

fn parts(game: &OpenGame) -> SavedParts {
    let nodes = game.tree().iter().map(|(number, node)| (number, StoredNode::from(node))).collect();
    (game.record().into(), nodes, game.revision)
}

#[track_caller]
fn expect_saved(store: &impl GameStore, game: &OpenGame) {
    let loaded = store.load(&game.id).expect("the game is loaded");
    assert_eq!(parts(&loaded), parts(game), "the loaded game beside the saved one");
}

/// Returns ids and plies of the list.
fn listed(store: &impl GameStore) -> Vec<(String, i64)> {
    let list = store.list(0).expect("the games are listed").0;
    list.into_iter().map(|game| (game.id, game.plies)).collect()
}

fn check_saved_games_are_loaded(store: &impl TestedStore) {
    let mut game = open_game("xiangqi", &["h2e2"]);
    let id = game.id.clone();
    expect_not_found(store.load(&id).map(|game| game.id.clone()), "a game that was never saved");
    save(store, &mut game);
    assert_eq!(game.revision, 1, "revision of a new game");
    expect_saved(store, &game);

    // More moves than a store keeps together: all replies to the first move, and all other first moves.
    for node in [1, ROOT] {
        game.played.go_to(node).expect("there is the node");
        for text in game.session().legal_moves(None).expect("the position has moves") {
            game.played.go_to(node).expect("there is the node");
            play(&mut game, &text);
        }
    }
    let last = game.played.current_node();
    game.played.set_comment(1, "a \"comment\"\nof two lines, 评注".into()).expect("there is the move");
    game.played.set_marks(1, &[1, 14]).expect("the marks are known");
    set_tags(&mut game, &[("Red", "Anna"), ("Note", "'; DROP TABLE games; --")]);
    game.played.set_dialect("chinese").expect("the dialect is known");
    save(store, &mut game);
    assert_eq!(game.revision, 2, "revision of a game that was saved twice");
    expect_saved(store, &game);

    let later = &mut store.load(&id).expect("the game is loaded");
    later.played.prune(last, GROWING_HOST.now()).expect("there is the move");
    later.played.promote(3).expect("there is the move");
    save(store, later);
    expect_saved(store, later);
    later.played.undo_edit(GROWING_HOST.now()).expect("an edit was done");
    save(store, later);
    expect_saved(store, later);
    assert_eq!(listed(store), [(id, 2)], "list of one game");
}

fn check_refused_games(store: &impl TestedStore) {
    let mut one = open_game("xiangqi", &["h2e2"]);
    save(store, &mut one);
    let mut other = store.load(&one.id).expect("the game is loaded");
    play(&mut one, "h9g7");
    save(store, &mut one);
    play(&mut other, "b9c7");
    let refused = store.save(&mut other, 2, SavedDate::Now);
    assert!(
        matches!(refused, Err(SaveError::Conflict)),
        "a game that was saved since it was read: {refused:?}"
    );
    assert_eq!(other.revision, 1, "revision of a refused game");
    expect_saved(store, &one);
    let mut copy =
        OpenGame::new(one.id.clone(), crate::wire::NewGame { game: "chess".into(), ..Default::default() })
            .expect("the game is known");
    let refused = store.save(&mut copy, 2, SavedDate::Now);
    assert!(
        matches!(refused, Err(SaveError::Conflict)),
        "a new game with the id of another one: {refused:?}"
    );
    expect_saved(store, &one);

    store.delete(&one.id).expect("the game is deleted");
    play(&mut one, "h0g2");
    for (game, what) in
        [(&mut one, "a game that was deleted"), (&mut copy, "a new game with the id of a deleted one")]
    {
        let refused = store.save(game, 1, SavedDate::Now);
        assert!(matches!(refused, Err(SaveError::Deleted)), "{what}: {refused:?}");
    }
    assert_eq!((one.revision, listed(store)), (2, Vec::new()), "nothing is saved of a deleted game");
    store.restore(&one.id).expect("the game is restored");
    assert_eq!(
        store.load(&one.id).expect("the game is loaded").tree().move_count(),
        2,
        "moves of the restored game"
    );
    store.delete(&one.id).expect("the game is deleted");
    // The page goes on with a new id.
    one.assign_id(GROWING_HOST.new_id());
    save(store, &mut one);
    assert_eq!((one.revision, listed(store)), (1, vec![(one.id.clone(), 3)]), "a deleted game with a new id");
    expect_saved(store, &one);
}

fn check_clock_without_revision(store: &impl TestedStore) {
    let clock = serde_json::from_str(r#"{"base": 60000, "increment": 0}"#).expect("a clock");
    let new = crate::wire::NewGame {
        game: "chess".into(),
        person: Some(0),
        clock: Some(clock),
        ..Default::default()
    };
    let mut game = OpenGame::new(GROWING_HOST.new_id(), new).expect("the game is valid");
    save(store, &mut game);
    let other = store.load(&game.id).expect("the game is loaded");
    let start = GROWING_HOST.now();
    game.played.resume(start);
    game.played.pause(start + std::time::Duration::from_secs(7));
    store.save_clock(&game).expect("the clock is saved");
    expect_saved(store, &game);
    play(&mut game, "e2e4");
    save(store, &mut game);
    store.save_clock(&other).expect("an old clock is no error");
    expect_saved(store, &game);
    store.delete(&game.id).expect("the game is deleted");
    store.save_clock(&game).expect("the clock of a deleted game is no error");
    assert!(store.load(&game.id).is_err(), "the clock does not bring a deleted game back");
}

fn check_dates(store: &impl TestedStore) {
    let (mut one, mut two) = (open_game("chess", &["e2e4"]), open_game("othello", &[]));
    // A new game has the present date in any case.
    store.save(&mut one, 1, SavedDate::Kept).expect("the game is saved");
    save(store, &mut two);
    let ids = || listed(store).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    assert_eq!(ids(), [two.id.clone(), one.id.clone()], "the last changed game is the first of the list");
    store.save(&mut one, 1, SavedDate::Kept).expect("the game is saved");
    assert_eq!(ids(), [two.id.clone(), one.id.clone()], "a game with its former date stays where it is");
    store.save_clock(&one).expect("the clock is saved");
    assert_eq!(ids(), [two.id.clone(), one.id.clone()], "a game whose clock was saved stays where it is");
    save(store, &mut one);
    assert_eq!(ids(), [one.id.clone(), two.id.clone()], "a changed game is the first of the list");
}

fn check_pages_of_the_list(store: &impl TestedStore) {
    let mut ids = Vec::new();
    for _ in 0..MAX_LISTED_GAMES + 5 {
        let mut game = open_game("chess", &[]);
        save(store, &mut game);
        ids.insert(0, game.id);
    }
    let list = |skip: usize| {
        let (games, more) = store.list(skip as u32).expect("the games are listed");
        (games.into_iter().map(|game| game.id).collect::<Vec<_>>(), more)
    };
    assert_eq!(list(0), (ids[..MAX_LISTED_GAMES].to_vec(), true), "first page of the list");
    assert_eq!(list(5), (ids[5..].to_vec(), false), "a page that ends with the list");
    assert_eq!(list(MAX_LISTED_GAMES), (ids[MAX_LISTED_GAMES..].to_vec(), false), "second page of the list");
    assert_eq!(list(ids.len()), (Vec::new(), false), "a page after the end of the list");
}

/// The result that the moves of a game give is found when the library lists it.
fn check_results_of_the_list(store: &impl TestedStore) {
    let mut game = open_game("chess", &["f2f3", "e7e5", "g2g4"]);
    play(&mut game, "d8h4");
    set_tags(&mut game, &[("White", "Anna"), ("Black", "Bert"), ("Event", "Cup")]);
    save(store, &mut game);
    let query = LibraryQuery::default();
    let result = || {
        let library = rows(store, &query)[0].result.clone();
        let listed = store.list(0).expect("the games are listed").0.remove(0);
        assert_eq!(
            (listed.players, &*listed.event),
            (["Anna".into(), "Bert".into()], "Cup"),
            "names of the list"
        );
        (library, listed.result)
    };
    let won = ("0-1".to_owned(), "0-1".to_owned());
    assert_eq!(result(), won, "result of a checkmate");
    store.save(&mut game, 1, SavedDate::Kept).expect("the game is saved");
    let listed = store.list(0).expect("the games are listed").0.remove(0).result;
    assert_eq!(listed, "0-1", "result in the list after an evaluation was saved");
    assert_eq!(result(), won, "result after an evaluation was saved");
    game.played.prune(4, GROWING_HOST.now()).expect("there is the move");
    save(store, &mut game);
    assert_eq!(result(), Default::default(), "result without the last move");
    set_tags(&mut game, &[("White", "Anna"), ("Black", "Bert"), ("Event", "Cup"), ("Result", "1/2-1/2")]);
    save(store, &mut game);
    assert_eq!(result(), ("1/2-1/2".into(), "1/2-1/2".into()), "result of the tags");
}

/// A store may keep the edits of a game, but only those that lead to its present state.
fn check_edits(store: &impl TestedStore) {
    let mut game = open_game("xiangqi", &["h2e2"]);
    game.played.set_comment(1, "good".into()).expect("there is the move");
    save(store, &mut game);
    let last_edit = |revision| store.edits(&game.id, revision).map(|edits| edits.last_done());
    let known = last_edit(1);
    assert!(
        known.is_none() || known == Some(game.played.edits().last_done()),
        "edits of the saved game: {known:?}"
    );
    assert_eq!((last_edit(0), last_edit(2)), (None, None), "edits of other revisions");
    let mut other = store.load(&game.id).expect("the game is loaded");
    store.save(&mut other, 2, SavedDate::Kept).expect("the game is saved");
    assert_eq!((last_edit(1), last_edit(2)), (None, known), "edits after another window saved an evaluation");
    let mut other = store.load(&game.id).expect("the game is loaded");
    save(store, &mut other);
    assert_eq!(last_edit(3), None, "edits after another window saved the game");
}

fn check_deleted_games(store: &impl TestedStore) {
    let (mut one, mut two) = (open_game("xiangqi", &["h2e2"]), open_game("chess", &[]));
    save(store, &mut one);
    save(store, &mut two);
    store.delete("nowhere").expect("a game that is not there is no error");
    expect_not_found(store.restore("nowhere"), "restoration of a game that was never saved");
    let before = (GROWING_HOST.unix_seconds)();
    store.delete(&one.id).expect("the game is deleted");
    expect_not_found(store.load(&one.id).map(|game| game.id.clone()), "a deleted game");
    assert_eq!(listed(store), [(two.id.clone(), 0)], "list without the deleted game");
    store.purge_at(before + KEPT_SECONDS);
    store.restore(&one.id).expect("the game is restored");
    store.restore(&one.id).expect("a game that is not deleted is no error");
    expect_saved(store, &one);
    assert_eq!(listed(store).len(), 2, "list with the restored game");

    store.delete(&one.id).expect("the game is deleted");
    // A second deletion does not count.
    let later = (GROWING_HOST.unix_seconds)();
    store.delete(&one.id).expect("a deleted game is no error");
    store.purge_at(later + KEPT_SECONDS);
    expect_not_found(store.restore(&one.id), "a game that was deleted long ago");
    expect_saved(store, &two);
    let counts = library_of(store).collections().expect("the collections are listed");
    assert_eq!((counts.all, counts.deleted), (1, 0), "numbers of games");
    // Its id is free again.
    one.revision = 0;
    save(store, &mut one);
    expect_saved(store, &one);
}
