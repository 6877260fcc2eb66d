//! CBR and CBL: files of CCBridge, and damaged ones.

use alfil_records::{GameTree, RecordErrorKind, ccbridge};
use alfil_xiangqi::Xiangqi;

use crate::samples::{self, check_damaged, sample};
use crate::xiangqi_trees::{count_comments, count_variations, example_tree};

#[test]
fn files_of_ccbridge_are_read() {
    for (file, expected) in [("test.cbr", (102, 11, 13)), ("test2.cbr", (2, 0, 3))] {
        let Some(bytes) = sample(&format!("gpl-3/xiangqi/{file}")) else { continue };
        let tree = ccbridge::parse_game(&bytes).into_tree().unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(
            (tree.moves.move_count(), count_variations(&tree), count_comments(&tree)),
            expected,
            "{file}"
        );
        let written = ccbridge::format_game(&tree).unwrap();
        assert_eq!(ccbridge::parse_game(&written).into_tree(), Ok(tree), "{file}");
        check_damaged(&bytes);
    }
}

/// Returns a library with records at steps of 4,096 bytes.
fn library(games: &[GameTree<Xiangqi>]) -> Vec<u8> {
    let mut bytes = b"CCBridgeLibrary\0".to_vec();
    bytes.resize(101_952, 0);
    for game in games {
        bytes.extend(ccbridge::format_game(game).unwrap());
        let end = 101_952 + (bytes.len() - 101_952).next_multiple_of(4_096);
        bytes.resize(end, 0);
    }
    bytes
}

#[test]
fn every_record_of_a_library_is_read() {
    let mut second = example_tree();
    second.tags.set("Red", "王嘉良");
    let games = [example_tree(), second];
    let bytes = library(&games);
    let read: Vec<_> =
        ccbridge::parse_library(&bytes).into_iter().map(|game| game.into_tree().unwrap()).collect();
    for (read, game) in read.iter().zip(&games) {
        assert_eq!(read.tags.value("Red"), game.tags.value("Red"));
        assert_eq!(read.main_line_moves().collect::<Vec<_>>(), game.main_line_moves().collect::<Vec<_>>());
    }
    assert_eq!(samples::read(&bytes).len(), 2);
    let empty = library(&[]);
    let error = ccbridge::parse_library(&empty).remove(0).error.unwrap();
    assert_eq!((error.offset, error.kind), (empty.len() as u64, RecordErrorKind::UnexpectedEnd));
    // A damaged record does not affect the others, and its place is that in the library.
    let mut damaged = bytes.clone();
    damaged[101_952 + 19] = 7;
    let read = ccbridge::parse_library(&damaged);
    let error = read[0].error.as_ref().unwrap();
    assert_eq!((error.game, error.offset, &error.kind), (1, 101_971, &RecordErrorKind::UnknownVersion(7)));
    assert!(read[1].error.is_none());
    check_damaged(&bytes[100_000..]);
}

#[test]
fn a_record_of_version_1_has_its_fields_earlier() {
    let tree = example_tree();
    let new = ccbridge::format_game(&tree).unwrap();
    // Without the 128 bytes before the title and the 128 after the name of Black.
    let mut old = [&new[..52], &new[180..1364], &new[1492..]].concat();
    old[19] = 1;
    let read = ccbridge::parse_game(&old).into_tree().unwrap();
    assert_eq!(read.tags.value("Red"), tree.tags.value("Red"));
    assert_eq!(read.tags.value("Black"), tree.tags.value("Black"));
    assert_eq!(read.moves.move_count(), tree.moves.move_count());
}

#[test]
fn a_name_that_looks_like_uninitialised_memory_is_put_into_the_comment() {
    let mut tree = GameTree::<Xiangqi>::default();
    tree.tags.push("Red", "胡\u{fffd}华");
    assert_eq!(ccbridge::parse_game(&ccbridge::format_game(&tree).unwrap()).into_tree(), Ok(tree));
}

#[test]
fn a_record_may_end_at_its_board() {
    let mut tree = GameTree::<Xiangqi>::default();
    tree.tags.push("Red", "胡荣华");
    let bytes = ccbridge::format_game(&tree).unwrap();
    assert_eq!(bytes.len(), 2_218);
    assert_eq!(ccbridge::parse_game(&bytes[..2_214]).into_tree().as_ref(), Ok(&tree));
    let error = ccbridge::parse_game(&bytes[..2_216]).error.unwrap();
    assert_eq!((error.offset, error.kind), (2_216, RecordErrorKind::UnexpectedEnd));
    // A record that ends before its board is no game, and its error is where it ends.
    let game = ccbridge::parse_game(&bytes[..2_000]);
    let error = game.error.unwrap();
    assert_eq!((error.offset, error.kind), (2_000, RecordErrorKind::UnexpectedEnd));
    assert_eq!((game.tree.moves.move_count(), game.tree.tags.len()), (0, 0));
}

#[test]
fn an_unknown_result_is_reported() {
    let mut bytes = ccbridge::format_game(&example_tree()).unwrap();
    // Several results are none.
    bytes[2_076] = 4;
    assert_eq!(ccbridge::parse_game(&bytes).into_tree().unwrap().result, None);
    bytes[2_076] = 5;
    let game = ccbridge::parse_game(&bytes);
    assert_eq!(game.warnings[0].to_string(), "game 1, byte 2076: the result \"5\" is unknown and left out");
    assert_eq!((game.error, game.tree.result), (None, None));
}
