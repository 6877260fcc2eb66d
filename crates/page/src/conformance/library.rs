//! The checks of lists and collections.

use super::{
    FROZEN_HOST, GROWING_HOST, TestedStore, expect_not_found, import, library_of, names, open_game, play,
    rows, save, set_tags,
};
use crate::game_store::{GameStore, KEPT_SECONDS, SavedDate};
use crate::open_game::OpenGame;
use crate::wire::{LibraryQuery, LibrarySort, NewGame, SearchField};

/// Games of a file: names in both languages, a variation, a game with an unreadable end, and one of which nothing is
/// known.
const FILE: &str = r#"[Event "Wijk aan Zee"]
[Site "Wijk"]
[White "Dvořák, Dana"]
[WhiteElo "2400"]
[BlackElo "0"]
[Black "胡荣华"]
[Date "1999.01.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {the Spanish game} 1-0

[Event "round 2"]
[White "Adams, Anna"]
[Black "Botha, Bert"]
[Date "1950"]
[Result "0-1"]

1. d4 Nf6 (1... d5 2. c4) 2. c4 g6 0-1

[White "Zukertort, Zoe"]

1. e4 Ke4 *

1. a3 a6 *

[Event "五羊杯"]
[White "许银川, Xu"]
[Black "łuczak"]
[Date "1999.??.??"]
[Result "1/2-1/2"]

1. f3 e5 2. g4 Qh4# 1/2-1/2
"#;

/// A position of the variation.
const VARIATION: &str = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";

/// Checks that games are searched, sorted and listed in parts, and that collections and games are renamed, deleted,
/// restored and removed.
///
/// # Panics
/// If the library does something else.
pub fn check_game_library<S: TestedStore>() {
    check_rows(&S::empty(GROWING_HOST));
    check_searches(&S::empty(GROWING_HOST));
    check_kinds_of_players(&S::empty(GROWING_HOST));
    check_filters(&S::empty(GROWING_HOST));
    check_orders(&S::empty(GROWING_HOST));
    check_equal_games(&S::empty(FROZEN_HOST));
    check_names_in_order(&S::empty(GROWING_HOST));
    check_parts_of_a_list(&S::empty(GROWING_HOST));
    check_edited_games(&S::empty(GROWING_HOST));
    check_collections(&S::empty(GROWING_HOST));
    check_collections(&S::empty(FROZEN_HOST));
    check_deleted_games(&S::empty(GROWING_HOST));
    check_removal(&S::empty(GROWING_HOST));
    check_purge(&S::empty(GROWING_HOST));
}

fn query(search: &str) -> LibraryQuery {
    LibraryQuery { search: search.into(), ..LibraryQuery::default() }
}

/// Saves a game of chess with these names.
fn save_named(store: &impl GameStore, white: &str, black: &str) -> OpenGame {
    let mut game = open_game("chess", &["e2e4"]);
    set_tags(&mut game, &[("White", white), ("Black", black)]);
    save(store, &mut game);
    game
}

fn check_rows(store: &impl TestedStore) {
    let report = import(store, "club", FILE);
    let row = rows(store, &query("dana")).remove(0);
    assert_eq!(Some(&row.id), report.first.as_ref(), "id of the first game");
    assert_eq!(row.collection, report.collection, "collection of an imported game");
    assert_eq!(row.players, ["Dvořák, Dana", "胡荣华"], "players");
    assert_eq!(row.ratings, ["2400", ""], "ratings");
    assert_eq!((row.plies, &*row.result, &*row.date, &*row.event), (5, "1-0", "1999.01.02", "Wijk aan Zee"));
    assert_eq!((&*row.eco, &*row.opening, &*row.game), ("C60", "Ruy Lopez", "chess"), "opening");
    assert!(!row.opening_zh.is_empty() && row.score.is_none(), "Chinese name of the opening, and score");
    assert_eq!(row.placement, "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", "last position");

    let moves = ["f5", "d6"];
    let new = NewGame {
        game: "othello".into(),
        person: Some(1),
        level: Some(4),
        moves: moves.map(str::to_owned).into(),
        ..NewGame::default()
    };
    let mut game = OpenGame::new(GROWING_HOST.new_id(), new).expect("the game is valid");
    save(store, &mut game);
    let row = rows(store, &LibraryQuery { game: Some("othello".into()), ..query("") }).remove(0);
    assert_eq!(
        (row.person, row.two_people, row.level, row.plies),
        (Some(1), false, 4, 2),
        "a game with the computer"
    );
    assert_eq!((row.id, row.collection, row.players), (game.id, None, Default::default()), "a played game");
}

fn check_searches(store: &impl TestedStore) {
    import(store, "club", FILE);
    let others =
        ["Παπαδόπουλος", "Ботвинник, Миша", "हिन्दी नाम", "Ａｎｎａ 2", "Ǟris Ḥasan", "O'Neil \"%_*", "สมชาย"];
    for name in others {
        save_named(store, name, "");
    }
    let field = |field, search| LibraryQuery { field: Some(field), ..query(search) };
    for (query, expected) in [
        (query("dvorak"), "Dvořák"),
        (query("DVOR\u{30c}A"), "Dvořák"),
        (query("vorak"), ""),
        (query("荣华"), "Dvořák"),
        (query("胡华"), ""),
        (query("荣 胡"), "Dvořák"),
        (query("wijk zee"), "Dvořák"),
        (query("wijk zee adams"), ""),
        (query("adams bot"), "Adams"),
        (query("LUCZ"), "许银川"),
        (query("羊杯"), "许银川"),
        (query("1999"), "Dvořák 许银川"),
        (query("ruy lopez"), "Dvořák"),
        (query("西班牙"), "Dvořák"),
        (query("c60"), "Dvořák"),
        (field(SearchField::Opening, "ruy"), "Dvořák"),
        (field(SearchField::Event, "ruy"), ""),
        (field(SearchField::Event, "zee"), "Dvořák"),
        (field(SearchField::Player, "zee"), ""),
        (field(SearchField::Player, "zoe"), "Zukertort"),
        (query("ΠΑΠΑΔΌΠΟΥΛΟΣ"), "Παπαδόπουλος"),
        (query("ботв"), "Ботвинник"),
        (query("हि"), "हिन्दी नाम"),
        (query("ह"), "हिन्दी नाम"),
        (query("นชาย"), ""),
        (query("สม"), "สมชาย"),
        (query("ａｎｎａ　２"), "Adams Ａｎｎａ 2"),
        (field(SearchField::Player, "anna"), "Adams Ａｎｎａ 2"),
        (query("aris hasan"), "Ǟris Ḥasan"),
        (query("neil"), "O'Neil \"%_*"),
        (query("neil\" OR \"adams"), ""),
        (query("Nemo"), ""),
    ] {
        assert_eq!(names(store, &query), expected, "{query:?}");
    }
    for all in ["", " ", "-", "%", "、"] {
        assert_eq!(rows(store, &query(all)).len(), 5 + others.len(), "a search without words: {all:?}");
    }
}

fn check_kinds_of_players(store: &impl TestedStore) {
    let new = |game: &str| NewGame { game: game.into(), ..NewGame::default() };
    for new in [
        NewGame { person: Some(0), level: Some(3), ..new("xiangqi") },
        NewGame { two_people: true, ..new("othello") },
        new("chess"),
    ] {
        save(store, &mut OpenGame::new(GROWING_HOST.new_id(), new).expect("the game is valid"));
    }
    for (search, expected) in [
        ("you", "xiangqi"),
        ("computer level 3", "xiangqi"),
        ("computer level 4", ""),
        ("电脑", "xiangqi"),
        ("two people", "othello"),
        ("双人", "othello"),
        ("analysis", "chess"),
        ("分析", "chess"),
    ] {
        let found = rows(store, &LibraryQuery { field: Some(SearchField::Player), ..query(search) });
        let games: Vec<_> = found.iter().map(|row| row.game.as_str()).collect();
        assert_eq!(games.join(" "), expected, "{search}");
        assert_eq!(found.iter().any(|row| row.two_people), expected == "othello", "two people");
    }
}

fn check_filters(store: &impl TestedStore) {
    let collection = import(store, "club", FILE).collection;
    let mut game = open_game("chess", &["c2c4", "d7d5", "d2d4"]);
    set_tags(&mut game, &[("White", "Own")]);
    save(store, &mut game);
    let mut other = open_game("xiangqi", &["h2e2"]);
    set_tags(&mut other, &[("Red", "Red")]);
    save(store, &mut other);
    let file = "Dvořák Adams Zukertort  许银川";
    let position =
        |fen: &str| LibraryQuery { position: Some(fen.into()), game: Some("chess".into()), ..query("") };
    for (query, expected) in [
        (LibraryQuery { collection: collection.clone(), ..query("") }, file),
        // A collection is more than the wish for single games.
        (LibraryQuery { collection: collection.clone(), single: true, ..query("") }, file),
        (LibraryQuery { collection: collection.clone(), ..query("own") }, ""),
        (LibraryQuery { single: true, ..query("") }, "Red Own"),
        (LibraryQuery { game: Some("xiangqi".into()), ..query("") }, "Red"),
        (LibraryQuery { game: Some("othello".into()), ..query("") }, ""),
        (LibraryQuery { result: Some("0-1".into()), ..query("") }, "Adams"),
        (LibraryQuery { result: Some("1/2-1/2".into()), collection, ..query("") }, "许银川"),
        (position(VARIATION), "Own Adams"),
        (LibraryQuery { single: true, ..position(VARIATION) }, "Own"),
        (position("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"), ""),
    ] {
        assert_eq!(sorted(&names(store, &query)), sorted(expected), "{query:?}");
    }
    let unknown = LibraryQuery { collection: Some("nowhere".into()), ..query("") };
    expect_not_found(library_of(store).list_games(&unknown, None, 0, 1), "list of an unknown collection");
    expect_not_found(library_of(store).ids(&unknown, None), "ids of an unknown collection");
    let deleted = LibraryQuery { deleted: true, ..unknown };
    assert_eq!(names(store, &deleted), "", "the deleted games of all collections are listed together");
}

fn sorted(names: &str) -> Vec<&str> {
    let mut names: Vec<_> = names.split(' ').collect();
    names.sort_unstable();
    names
}

/// Games of which nothing is known come last in both directions, and equal ones stay in the order of their file.
fn check_orders(store: &impl TestedStore) {
    import(store, "club", FILE);
    for (sort, ascending, descending) in [
        (LibrarySort::Changed, "Dvořák Adams Zukertort  许银川", "Dvořák Adams Zukertort  许银川"),
        (LibrarySort::Date, "Adams 许银川 Dvořák Zukertort ", "Dvořák 许银川 Adams Zukertort "),
        (LibrarySort::Players, "Adams Dvořák Zukertort 许银川 ", "许银川 Zukertort Dvořák Adams "),
        (LibrarySort::Event, "Adams Dvořák 许银川 Zukertort ", "许银川 Dvořák Adams Zukertort "),
        (LibrarySort::Length, "Zukertort  Adams 许银川 Dvořák", "Dvořák Adams 许银川  Zukertort"),
        (LibrarySort::Result, "Adams Dvořák 许银川 Zukertort ", "许银川 Dvořák Adams Zukertort "),
    ] {
        let by = |descending| LibraryQuery { sort, descending, ..query("") };
        assert_eq!(names(store, &by(false)), ascending, "{sort:?}, ascending");
        assert_eq!(names(store, &by(true)), descending, "{sort:?}, descending");
    }
    let by_opening = LibraryQuery { sort: LibrarySort::Opening, ..query("") };
    let codes: Vec<_> = rows(store, &by_opening).into_iter().map(|row| row.eco).collect();
    assert!(codes.is_sorted() && codes.contains(&"C60".to_owned()), "order of openings: {codes:?}");
    // A game that was changed last is the first.
    let id = library_of(store).ids(&by_opening, None).expect("the ids are listed").remove(1);
    let mut game = store.load(&id).expect("the game is loaded");
    save(store, &mut game);
    let newest = LibraryQuery { descending: true, ..query("") };
    assert_eq!(rows(store, &newest)[0].id, id, "the game that was changed last");
}

/// Played games that are equal are listed the newest first, before or after those of files by the query alone.
fn check_equal_games(store: &impl TestedStore) {
    let ids: Vec<_> = ["one", "two", "three"].map(|_| save_named(store, "Anna", "Bert").id).into();
    let newest: Vec<_> = ids.iter().rev().cloned().collect();
    for sort in [LibrarySort::Changed, LibrarySort::Players, LibrarySort::Event, LibrarySort::Length] {
        for descending in [false, true] {
            let found = rows(store, &LibraryQuery { sort, descending, ..query("") });
            let found: Vec<_> = found.into_iter().map(|row| row.id).collect();
            assert_eq!(found, newest, "equal games by {sort:?}");
        }
    }
}

/// Names are sorted for readers of both languages: capitals, accents and width do not count, Chinese is in the order of
/// Pinyin.
fn check_names_in_order(store: &impl TestedStore) {
    let ordered = [
        ["adams", "Bert"],
        ["Álvarez", ""],
        ["ALVAREZ", "zoe"],
        ["Ｌｉ", "a"],
        ["li", "B"],
        ["Łuczak", ""],
        ["Öst", ""],
        ["Ботвинник", ""],
        ["胡荣华", ""],
        ["柳大华", ""],
        ["吕钦", ""],
        ["许银川", ""],
        ["翊", ""],
    ];
    for index in [5, 11, 0, 8, 3, 12, 7, 1, 10, 2, 6, 9, 4] {
        let [white, black] = ordered[index];
        save_named(store, white, black);
    }
    // A name of the second player alone is a name.
    save_named(store, "", "Zoe");
    save_named(store, "", "");
    let by = |descending| {
        let found = rows(store, &LibraryQuery { sort: LibrarySort::Players, descending, ..query("") });
        found.into_iter().map(|row| row.players).collect::<Vec<_>>()
    };
    let owned = |names: &[[&str; 2]]| names.iter().map(|pair| pair.map(str::to_owned)).collect::<Vec<_>>();
    let expected = [owned(&[["", "Zoe"]]), owned(&ordered)].concat();
    assert_eq!(by(false), [expected.clone(), owned(&[["", ""]])].concat(), "names in ascending order");
    let reversed = expected.into_iter().rev().chain(owned(&[["", ""]])).collect::<Vec<_>>();
    assert_eq!(by(true), reversed, "names in descending order");
}

fn check_parts_of_a_list(store: &impl TestedStore) {
    import(store, "club", FILE);
    let library = library_of(store);
    let part =
        |offset, limit| library.list_games(&query(""), None, offset, limit).expect("the games are listed");
    let all = part(0, 100);
    assert_eq!((all.total, all.rows.len()), (5, 5), "numbers of games");
    for (offset, limit) in [(0, 2), (2, 2), (4, 2), (5, 2), (9, 1), (1, 0)] {
        let found = part(offset, limit);
        let expected: Vec<_> = all.rows.iter().skip(offset).take(limit).cloned().collect();
        assert_eq!((found.rows, found.total), (expected, 5), "part of {limit} games after {offset}");
        assert_eq!(found.version, all.version, "version of an unchanged library");
    }
    let first = all.rows[0].id.clone();
    let mut last_version = all.version;
    let mut expect_change = |what: &str| {
        let version = part(0, 1).version;
        assert_ne!(version, last_version, "version after {what}");
        last_version = version;
    };
    save_named(store, "Anna", "Bert");
    expect_change("a new game");
    store.delete(&first).expect("the game is deleted");
    expect_change("a deletion");
    store.restore(&first).expect("the game is restored");
    expect_change("a restoration");
    import(store, "cup", FILE);
    expect_change("an import");
}

/// What lists show of a game follows its moves and its tags.
fn check_edited_games(store: &impl TestedStore) {
    let first = import(store, "club", FILE).first.expect("there is a game");
    let mut game = store.load(&first).expect("the game is loaded");
    play(&mut game, "a7a6");
    save(store, &mut game);
    let row = rows(store, &query("dvorak")).remove(0);
    assert_eq!((row.plies, &*row.eco), (6, "C70"), "length and opening after another move");
    assert!(row.collection.is_some() && row.placement.starts_with("r1bqkbnr/1ppp1ppp/p1n5"), "last position");
    set_tags(&mut game, &[("White", "Novák"), ("Event", "Final")]);
    save(store, &mut game);
    assert_eq!(
        (names(store, &query("novak")), names(store, &query("dvorak"))),
        ("Novák".into(), String::new())
    );
    assert_eq!(rows(store, &query("novak"))[0].event, "Final", "event");
    let position = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
    let position = LibraryQuery { position: Some(position.into()), game: Some("chess".into()), ..query("") };
    assert_eq!(names(store, &position), "Novák", "position of the new move");
    store.save(&mut game, 1, SavedDate::Kept).expect("the game is saved");
    assert_eq!(names(store, &position), "Novák", "position after an evaluation was saved");
    game.played.prune(6, GROWING_HOST.now()).expect("there is the move");
    save(store, &mut game);
    assert_eq!(names(store, &position), "", "position of a removed move");
}

fn check_collections(store: &impl TestedStore) {
    let library = library_of(store);
    let one = import(store, "club", FILE).collection.expect("there is a collection");
    let two = import(store, "cup", FILE).collection.expect("there is a collection");
    let own = save_named(store, "Anna", "Bert");
    let listed = || {
        let list = library.collections().expect("the collections are listed");
        let rows: Vec<_> = list.rows.into_iter().map(|row| (row.name, row.games)).collect();
        ([list.all, list.single, list.deleted], rows)
    };
    let (club, cup) = (("club".to_owned(), 5), ("cup".to_owned(), 5));
    assert_eq!(listed(), ([11, 1, 0], vec![cup.clone(), club.clone()]), "collections, the newest first");
    library.rename_collection(&one, "x").expect("the collection is renamed");
    assert_eq!(listed().1, [cup.clone(), ("x".into(), 5)], "a renamed collection");
    library.rename_collection(&one, "club").expect("the collection is renamed");
    expect_not_found(library.rename_collection("nowhere", "x"), "another name of an unknown collection");
    for is_deleted in [true, false] {
        expect_not_found(library.set_collection_deleted("nowhere", is_deleted), "an unknown collection");
    }
    expect_not_found(
        library.set_collection_deleted(&one, false),
        "restoration of a collection that is not deleted",
    );

    let query_one = LibraryQuery { collection: Some(one.clone()), ..query("") };
    let games = library.ids(&query_one, None).expect("the ids are listed");
    library.set_collection_deleted(&one, true).expect("the collection is deleted");
    assert_eq!(listed(), ([6, 1, 5], vec![cup.clone()]), "collections without the deleted one");
    expect_not_found(library.set_collection_deleted(&one, true), "deletion of a deleted collection");
    expect_not_found(library.rename_collection(&one, "x"), "another name of a deleted collection");
    expect_not_found(library.ids(&query_one, None), "list of a deleted collection");
    expect_not_found(store.load(&games[0]).map(|game| game.id.clone()), "a game of a deleted collection");
    assert_eq!(rows(store, &query("")).len(), 6, "games that are not deleted");
    library.set_collection_deleted(&one, false).expect("the collection is restored");
    assert_eq!(listed(), ([11, 1, 0], vec![cup.clone(), club]), "collections with the restored one");
    assert_eq!(
        library.ids(&query_one, None).expect("the ids are listed"),
        games,
        "games of the restored collection"
    );

    store.delete(&games[0]).expect("the game is deleted");
    store.delete(&own.id).expect("the game is deleted");
    assert_eq!(listed(), ([9, 0, 2], vec![cup.clone(), ("club".into(), 4)]), "numbers without deleted games");
    library.set_collection_deleted(&two, true).expect("the collection is deleted");
    assert_eq!(listed(), ([4, 0, 7], vec![("club".into(), 4)]), "numbers without a deleted collection");
}

/// The ids of all games by their names.
fn ids_by_name(store: &impl TestedStore) -> Vec<String> {
    let by_name = LibraryQuery { sort: LibrarySort::Players, ..query("") };
    library_of(store).ids(&by_name, None).expect("the ids are listed")
}

fn check_deleted_games(store: &impl TestedStore) {
    let library = library_of(store);
    let collection = import(store, "club", FILE).collection.expect("there is a collection");
    let deleted = LibraryQuery { deleted: true, sort: LibrarySort::Players, ..query("") };
    let ids = ids_by_name(store);
    library.delete_games(&[ids[0].clone(), "nowhere".into()]).expect("the game is deleted");
    assert_eq!((&*names(store, &deleted), rows(store, &query("")).len()), ("Adams", 4), "one deleted game");
    let of_collection =
        LibraryQuery { collection: Some(collection.clone()), single: true, ..deleted.clone() };
    assert_eq!(names(store, &of_collection), "Adams", "deleted games are listed together");
    assert_eq!(
        names(store, &LibraryQuery { search: "bert".into(), ..deleted.clone() }),
        "Adams",
        "their search"
    );
    assert_eq!(names(store, &LibraryQuery { search: "dana".into(), ..deleted.clone() }), "", "their search");
    library.set_collection_deleted(&collection, true).expect("the collection is deleted");
    assert_eq!(names(store, &deleted), "Adams Dvořák Zukertort 许银川 ", "a deleted collection");

    // All or none.
    let some = [ids[2].clone(), "nowhere".into()];
    expect_not_found(library.restore_games(&some), "restoration of a game that is not there");
    assert_eq!(rows(store, &deleted).len(), 5, "deleted games after a failed restoration");
    // The collection comes back with the restored games; the others stay deleted, each by itself.
    let restored = library.restore_games(&[ids[2].clone(), ids[0].clone()]).expect("the games are restored");
    assert_eq!(restored, std::slice::from_ref(&collection), "collections that come back");
    assert_eq!(names(store, &LibraryQuery { sort: LibrarySort::Players, ..query("") }), "Adams Zukertort");
    assert_eq!(names(store, &deleted), "Dvořák 许银川 ", "games that stay deleted");
    assert_eq!(library.restore_games(&ids[1..2]).expect("the game is restored"), Vec::<String>::new());
    assert_eq!(rows(store, &query("")).len(), 3, "one more game");
    let more: Vec<_> = (1..=3).map(|number| import(store, &format!("cup {number}"), FILE)).collect();
    for report in &more {
        let collection = report.collection.as_ref().expect("there is a collection");
        library.set_collection_deleted(collection, true).expect("the collection is deleted");
    }
    let order = [2, 0, 1, 0];
    let firsts: Vec<_> = order.iter().filter_map(|&index| more[index].first.clone()).collect();
    let expected: Vec<_> = order[..3].iter().filter_map(|&index| more[index].collection.clone()).collect();
    assert_eq!(
        library.restore_games(&firsts).expect("the games are restored"),
        expected,
        "in the order of the games"
    );

    // A game that was never listed before its deletion is found by its names.
    let game = save_named(store, "Zuse", "");
    store.delete(&game.id).expect("the game is deleted");
    let found = rows(store, &LibraryQuery { search: "zuse".into(), ..deleted });
    assert_eq!(
        (&found[0].id, &*found[0].opening),
        (&game.id, "King's Pawn Game"),
        "a game that was never listed"
    );
    store.restore(&game.id).expect("the game is restored");
    assert_eq!(names(store, &query("zuse")), "Zuse", "a restored game");
}

fn check_removal(store: &impl TestedStore) {
    let library = library_of(store);
    let collection = import(store, "club", FILE).collection.expect("there is a collection");
    let ids = ids_by_name(store);
    library.delete_games(&ids[..2]).expect("the games are deleted");
    library.remove_games(&ids).expect("the games are removed");
    let deleted = LibraryQuery { deleted: true, ..query("") };
    assert_eq!(
        (rows(store, &deleted).len(), rows(store, &query("")).len()),
        (0, 3),
        "games that are not deleted stay"
    );
    expect_not_found(library.restore_games(&ids[..1]), "restoration of a removed game");
    library.set_collection_deleted(&collection, true).expect("the collection is deleted");
    library.remove_games(&ids[2..4]).expect("the games are removed");
    library.set_collection_deleted(&collection, false).expect("the collection is restored");
    let left = library.ids(&query(""), None).expect("the ids are listed");
    assert_eq!(left, ids[4..], "the game of a deleted collection that was not removed");
}

fn check_purge(store: &impl TestedStore) {
    let library = library_of(store);
    let report = import(store, "club", FILE);
    let kept = import(store, "cup", FILE);
    let (collection, ids) = (report.collection.expect("a collection"), ids_by_name(store));
    let first = report.first.expect("a game");
    let before = (GROWING_HOST.unix_seconds)();
    library.set_collection_deleted(&collection, true).expect("the collection is deleted");
    // One of its games is deleted by itself, in a window that does not know it yet.
    let later = (GROWING_HOST.unix_seconds)();
    store.delete(&first).expect("the game is deleted");
    store.purge_at(before + KEPT_SECONDS);
    assert_eq!(library.collections().expect("the collections are listed").deleted, 5, "games that are kept");
    store.purge_at(later + KEPT_SECONDS);
    let list = library.collections().expect("the collections are listed");
    assert_eq!((list.all, list.deleted, list.rows.len()), (5, 0, 1), "what is left after some time");
    expect_not_found(
        library.set_collection_deleted(&collection, false),
        "a collection that was deleted long ago",
    );
    expect_not_found(store.restore(&first), "a game of a collection that was deleted long ago");
    let left = ids_by_name(store);
    assert!(left.len() == 5 && left.iter().all(|id| ids.contains(id)), "the games of the other collection");
    assert!(kept.first.is_some_and(|id| store.load(&id).is_ok()), "a game of the other collection");
}
