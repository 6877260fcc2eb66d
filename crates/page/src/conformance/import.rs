//! The checks of imports.

use super::{
    FROZEN_HOST, GROWING_HOST, TestedStore, expect_not_found, import, last_new_id, library_of, names, rows,
    save,
};
use crate::game_store::GameStore;
use crate::library::{GameImport, ImportOptions};
use crate::wire::{CollectionName, ImportProgress, LibraryQuery};

/// Three games, the last of which cannot be read after its first move, and one that cannot be read at all.
const FILE: &str = "[White \"Dvořák\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"胡荣华\"]\n\n1. d4 (1. c4 {英国式}) d5 *\n\n\
    [White \"Cut\"]\n\n1. e4 Ke4 *\n\n[White \"Bad\"]\n\n1. Ke5 *\n";

/// A number of games that no store saves at once.
const MANY_GAMES: usize = 1_200;

/// Checks that files are imported in parts, that an import that ends early leaves nothing, and that its games are
/// hidden until it is complete.
///
/// # Panics
/// If the import does something else.
pub fn check_game_import<S: TestedStore>() {
    check_report(&S::empty(GROWING_HOST));
    check_many_games(&S::empty(GROWING_HOST));
    check_moves_that_are_not_kept(&S::empty(GROWING_HOST));
    check_interruption(&S::empty(GROWING_HOST));
    check_hidden_collection(&S::empty(GROWING_HOST));
    check_single_games_and_none(&S::empty(GROWING_HOST));
    check_names_of_files(&S::empty(GROWING_HOST));
    check_names_of_files(&S::empty(FROZEN_HOST));
    check_edited_game(&S::empty(GROWING_HOST));
}

fn begin(store: &impl GameStore, in_chinese: bool) -> Box<dyn GameImport> {
    let options =
        ImportOptions { name: "club".into(), game: Some("chess".into()), in_chinese, names: Vec::new() };
    library_of(store).begin_import(options).expect("the import begins")
}

fn finish(import: &mut dyn GameImport) -> ImportProgress {
    loop {
        let progress = import.finish().expect("the file has games");
        if progress.done {
            return progress;
        }
    }
}

fn all() -> LibraryQuery {
    LibraryQuery::default()
}

fn check_report(store: &impl TestedStore) {
    for in_chinese in [false, true] {
        let mut import = begin(store, in_chinese);
        // The parts end within characters and moves.
        for part in FILE.as_bytes().chunks(7) {
            let progress = import.push(part.to_vec()).expect("the import takes the part");
            assert!(!progress.done && progress.collection.is_none(), "an import that goes on: {progress:?}");
        }
        let report = finish(&mut *import);
        assert_eq!((report.games, report.cut, report.bad), (3, 1, 1), "games, cut and unreadable ones");
        assert_eq!((report.remarked, report.remarks.len(), report.bytes), (2, 2, FILE.len() as u64));
        let is_chinese = |text: &str| text.contains('。');
        assert!(
            report.remarks.iter().all(|remark| is_chinese(&remark.text) == in_chinese),
            "{:?}",
            report.remarks
        );
        let query = LibraryQuery { collection: report.collection.clone(), ..all() };
        assert_eq!(names(store, &query), "Dvořák 胡荣华 Cut", "the games in the order of the file");
        assert_eq!(Some(&rows(store, &query)[0].id), report.first.as_ref(), "the first game");
        // Its report stays the same, even if the page requests it again.
        assert_eq!(import.finish().expect("the import is done"), report, "the report again");
        drop(import);
        assert_eq!(names(store, &query), "Dvořák 胡荣华 Cut", "games of a complete import");
    }
    let loaded = store.load(&rows(store, &all())[1].id).expect("the game is loaded");
    assert_eq!(
        (loaded.tree().move_count(), loaded.revision),
        (3, 1),
        "moves and revision of an imported game"
    );
}

fn check_many_games(store: &impl TestedStore) {
    let report = import(store, "many", &"[White \"A\"]\n\n1. e4 e5 *\n\n".repeat(MANY_GAMES));
    let ids = library_of(store).ids(&all(), None).expect("the ids are listed");
    assert_eq!((report.games, ids.len()), (MANY_GAMES, MANY_GAMES), "number of games");
    assert_eq!(Some(&ids[0]), report.first.as_ref(), "the first of many games");
    let counts = library_of(store).collections().expect("the collections are listed");
    assert_eq!(
        (counts.all, counts.rows[0].games),
        (MANY_GAMES, MANY_GAMES),
        "number of games of the collection"
    );
}

/// Null moves are left out with what follows, and the result that moves give is that of the list.
fn check_moves_that_are_not_kept(store: &impl TestedStore) {
    import(
        store,
        "file",
        "[White \"Null\"]\n\n1. e4 e5 2. -- Nf6 *\n\n[White \"Mate\"]\n\n1. f3 e5 2. g4 Qh4# *\n",
    );
    let rows = rows(store, &all());
    let facts: Vec<_> = rows.iter().map(|row| (&*row.players[0], row.plies, &*row.result)).collect();
    assert_eq!(facts, [("Null", 2, ""), ("Mate", 4, "0-1")], "lengths and results");
    assert_eq!(rows[0].placement, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "last position");
    assert_eq!(names(store, &LibraryQuery { result: Some("0-1".into()), ..all() }), "Mate");
}

fn check_interruption(store: &impl TestedStore) {
    let file = "1. e4 e5 *\n\n".repeat(MANY_GAMES);
    let mut import = begin(store, false);
    for part in file.as_bytes().chunks(file.len() / 3) {
        import.push(part.to_vec()).expect("the import takes the part");
        expect_empty(store, "while an import is running");
    }
    drop(import);
    expect_empty(store, "after an import was cancelled");
    let mut import = begin(store, false);
    import.push(file.into_bytes()).expect("the import takes the part");
    let done = import.finish().expect("the file has games").done;
    if !done {
        expect_empty(store, "while an import ends");
        drop(import);
        expect_empty(store, "after an import was cancelled at its end");
        // Its name is free.
        let report = super::import(store, "club", FILE);
        assert_eq!(
            report.collection_name.map(|named| named.name).as_deref(),
            Some("club"),
            "name of the next import"
        );
        assert_eq!(rows(store, &all()).len(), 3, "games of the next import");
    }
}

#[track_caller]
fn expect_empty(store: &impl GameStore, when: &str) {
    let list = library_of(store).collections().expect("the collections are listed");
    assert_eq!((list.all, list.deleted, list.rows.len()), (0, 0, 0), "numbers of games {when}");
    for deleted in [false, true] {
        assert_eq!(rows(store, &LibraryQuery { deleted, ..all() }).len(), 0, "games {when}");
    }
    assert!(store.list(0).expect("the games are listed").0.is_empty(), "single games {when}");
}

/// A collection whose import has not ended can be neither listed nor changed.
fn check_hidden_collection(store: &impl TestedStore) {
    let library = library_of(store);
    let mut import = begin(store, false);
    let id = last_new_id();
    import.push(FILE.into()).expect("the import takes the part");
    let query = LibraryQuery { collection: Some(id.clone()), ..all() };
    expect_not_found(library.ids(&query, None), "games of a collection that is imported");
    expect_not_found(library.rename_collection(&id, "x"), "another name of a collection that is imported");
    expect_not_found(library.set_collection_deleted(&id, true), "deletion of a collection that is imported");
    expect_not_found(
        library.set_collection_deleted(&id, false),
        "restoration of a collection that is imported",
    );
    let report = finish(&mut *import);
    assert_eq!(report.collection, Some(id), "id of the collection");
    assert_eq!(rows(store, &query).len(), 3, "games of the collection");
}

fn check_single_games_and_none(store: &impl TestedStore) {
    for (file, expected) in [("", "no games"), ("good morning", ""), ("[White \"Bad\"]\n\n1. Ke5 *\n", "Ke5")]
    {
        let mut import = begin(store, false);
        import.push(file.into()).expect("the import takes the part");
        let mut error = || loop {
            match import.finish() {
                Err(error) => return error,
                Ok(progress) => assert!(!progress.done, "a file without games is refused: {file:?}"),
            }
        };
        let first = error();
        assert!(first.message.contains(expected) && first.message_zh.is_some(), "{file:?}: {first}");
        assert_eq!(error().message, first.message, "the error again");
        drop(import);
        expect_empty(store, "after a file without games");
    }
    let report = import(store, "one", "[White \"A\"]\n\n1. e4 e5 *");
    assert_eq!(
        (report.games, &report.collection, &report.collection_name),
        (1, &None, &None),
        "a single game"
    );
    let listed = store.list(0).expect("the games are listed").0;
    assert_eq!(Some(&listed[0].id), report.first.as_ref(), "a single game is in no collection");
    let counts = library_of(store).collections().expect("the collections are listed");
    assert_eq!((counts.single, counts.rows.len()), (1, 0), "numbers after a single game");
}

/// A file that is imported again gets a number, and the report names the newest collection with the same games.
fn check_names_of_files(store: &impl TestedStore) {
    let named = |file: &str| import(store, "club", file).collection_name.expect("there is a collection");
    let expected = |name: &str, same: Option<&str>| CollectionName {
        name: name.to_owned(),
        is_renamed: name != "club",
        same_games: same.map(str::to_owned),
    };
    assert_eq!(named(FILE), expected("club", None), "the first file");
    assert_eq!(named(FILE), expected("club (2)", Some("club")), "the same file");
    assert_eq!(named(FILE), expected("club (3)", Some("club (2)")), "the same file once more");
    assert_eq!(named(&FILE.replace("胡荣华", "许银川")), expected("club (4)", None), "another player");
    // As many games, but another one is there twice.
    let [one, two] = ["1. e4 *\n\n", "1. d4 *\n\n"];
    assert_eq!(named(&[one, one, two].concat()), expected("club (5)", None), "two games, one of them twice");
    assert_eq!(named(&[one, two, two].concat()), expected("club (6)", None), "the other game twice");
    assert_eq!(named(&[two, one, two].concat()), expected("club (7)", Some("club (6)")), "another order");
    let listed = library_of(store).collections().expect("the collections are listed").rows;
    let deleted = listed.iter().find(|row| row.name == "club (7)").expect("there is the collection");
    library_of(store).set_collection_deleted(&deleted.id, true).expect("the collection is deleted");
    assert_eq!(
        named(&[two, one, two].concat()),
        expected("club (7)", Some("club (6)")),
        "the name of a deleted one"
    );
}

/// The first edit of an imported game keeps all its moves.
fn check_edited_game(store: &impl TestedStore) {
    let first = import(store, "club", FILE).first.expect("there is a game");
    let mut game = store.load(&first).expect("the game is loaded");
    super::play(&mut game, "b8c6");
    save(store, &mut game);
    let loaded = store.load(&first).expect("the game is loaded");
    let moves = |game: &crate::OpenGame| {
        let nodes = game.tree().iter().map(|(number, node)| (number, node.text.clone()));
        nodes.collect::<Vec<_>>()
    };
    assert_eq!((moves(&loaded), loaded.revision), (moves(&game), 2), "moves of an edited game");
}
