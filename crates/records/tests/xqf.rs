//! XQF: files of every version, and damaged files.

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::{FileFormat, GameTree, ROOT, RecordErrorKind, RecordFormat as _, WriteError, xqf};
use alfil_xiangqi::{Setup, Xiangqi};

use crate::samples::{self, check_damaged, sample, testdata};
use crate::xiangqi_trees::{count_comments, count_variations, example_tree};

#[test]
fn files_of_every_version_are_read() {
    for (file, expected) in [
        ("lgpl-2.1/xiangqi/XQFEXAMB.XQF", (435, 19, 32)),
        ("lgpl-2.1/xiangqi/XQFEXAMA.XQF", (110, 0, 11)),
        ("lgpl-2.1/xiangqi/SAMPLE.XQF", (75, 0, 12)),
        ("gpl-3/xiangqi/UnitTest.xqf", (19, 2, 3)),
        ("gpl-3/xiangqi/ucci_test2.xqf", (33, 4, 1)),
        ("gpl-3/xiangqi/BadMoveTest1.xqf", (43, 0, 3)),
        ("gpl-3/xiangqi/BadMoveTest2.xqf", (39, 1, 3)),
        ("gpl-3/xiangqi/EmptyTest.xqf", (0, 0, 0)),
        ("gpl-3/xiangqi/NoMove.xqf", (0, 0, 0)),
        ("gpl-3/xiangqi/game_varations.xqf", (24, 5, 0)),
        ("gpl-3/xiangqi/test_5_variations.xqf", (24, 4, 0)),
        ("gpl-3/xiangqi/pawn_move.xqf", (14, 0, 0)),
        ("gpl-3/xiangqi/ucci_test3.xqf", (5, 1, 1)),
        ("own/xiangqi/xqf-1.0-spec-example.xqf", (16, 0, 0)),
    ] {
        let Some(bytes) = sample(file) else { continue };
        let game = xqf::parse_game(&bytes);
        let tree = game.into_tree().unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(
            (tree.moves.move_count(), count_variations(&tree), count_comments(&tree)),
            expected,
            "{file}"
        );
        let written = xqf::format_game(&tree).unwrap();
        assert_eq!(xqf::parse_game(&written).into_tree(), Ok(tree), "{file}");
        check_damaged(&bytes);
    }
}

#[test]
fn the_names_and_moves_of_the_published_example_are_read() {
    let tree = xqf::parse_game(&testdata("xiangqi/spec-example.xqf")).into_tree().unwrap();
    let tags: Vec<_> = tree.tags.iter().collect();
    let expected = [
        ("Event", "\"中立杯\"象棋电视快棋赛"),
        ("Site", "北京"),
        ("Date", "1997年11月16日"),
        ("Red", "柳大华"),
        ("Black", "吕  钦"),
        ("Title", "仙人指路对起马局"),
        ("Annotator", "刘殿中"),
        ("Author", "过河象"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(tree.result, Some(Outcome::Win(Side::Second)));
    let moves: Vec<_> = tree.main_line_moves().map(|mv| mv.to_string()).collect();
    assert_eq!((moves.len(), &*moves[0], &*moves[15]), (16, "c3c4", "i9h9"));
}

#[test]
fn a_game_without_variations_is_written_in_the_plain_version() {
    let mut tree = example_tree();
    assert_eq!(xqf::format_game(&tree).unwrap()[2], 0x12);
    let text = testdata("xiangqi/roundtrip-iccs.pgn");
    tree =
        alfil_records::pgn::Reader::new(&text[..]).next_game().unwrap().unwrap().parse().into_tree().unwrap();
    assert_eq!(xqf::format_game(&tree).unwrap()[2], 0x0A);
}

#[test]
fn each_piece_of_an_endgame_is_written_once() {
    // The position has a rook of two and two soldiers of five.
    let start = Setup::parse("3k5/9/9/9/9/9/1P5P1/9/4R4/5K3 w - - 0 1").unwrap();
    let tree = GameTree::<Xiangqi>::new(start);
    let bytes = xqf::format_game(&tree).unwrap();
    let mut squares: Vec<_> = bytes[0x10..0x30].iter().copied().filter(|&square| square != 0xFF).collect();
    squares.sort_unstable();
    assert_eq!(squares, [13, 39, 41, 50, 73]);
    assert_eq!(xqf::parse_game(&bytes).into_tree(), Ok(tree));
}

#[test]
fn names_whose_bytes_are_valid_in_utf8_are_read_as_gb18030() {
    for (name, comment) in [("全胜", ""), ("石陆", "谢"), ("Red", "全胜"), ("卢郑", "good")] {
        let mut tree = example_tree();
        tree.tags.retain(|_, _| false);
        tree.tags.push("Red", name);
        let nodes: Vec<_> = tree.moves.main_line().collect();
        for node in nodes.into_iter().chain([ROOT]) {
            tree.annotation_mut(node).comment_after = comment.to_owned();
        }
        let read = xqf::parse_game(&xqf::format_game(&tree).unwrap()).into_tree().unwrap();
        assert_eq!(read.tags.value("Red"), Some(name));
        let last = read.moves.main_line().last().unwrap();
        assert_eq!(read.annotation(last).comment_after, comment);
    }
    // GB18030 does not have this character; the others stay.
    let mut tree = GameTree::<Xiangqi>::default();
    tree.annotation_mut(ROOT).add_comment_after("好\u{E5E5}棋");
    let read = xqf::parse_game(&xqf::format_game(&tree).unwrap()).into_tree().unwrap();
    assert_eq!(read.annotation(ROOT).comment_after, "好?棋");
    let mut tree = GameTree::<Xiangqi>::default();
    tree.tags.push("Red", "全胜");
    assert_eq!(xqf::parse_game(&xqf::format_game(&tree).unwrap()).into_tree(), Ok(tree));
}

#[test]
fn names_in_utf8_are_read() {
    let mut tree = GameTree::<Xiangqi>::default();
    tree.tags.push("Red", "Hu Ronghua");
    let mut bytes = xqf::format_game(&tree).unwrap();
    let name = "胡荣华".as_bytes();
    bytes[0x130] = name.len() as u8;
    bytes[0x131..0x131 + name.len()].copy_from_slice(name);
    assert_eq!(xqf::parse_game(&bytes).tree.tags.value("Red"), Some("胡荣华"));
}

#[test]
fn a_bad_move_ends_the_game_and_keeps_the_variations_before_it() {
    let tree = example_tree();
    let mut bytes = xqf::format_game(&tree).unwrap();
    assert!(xqf::parse_game(&bytes).error.is_none());
    // The last move of the main line goes to an impossible square.
    let valid = xqf::parse_game(&bytes).tree;
    let at = (0x400..bytes.len()).rev().find(|&at| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        xqf::parse_game(&damaged).error.is_some_and(|error| !error.mv.is_empty())
    });
    let at = at.expect("a byte of the main line");
    bytes[at] ^= 1;
    let damaged = xqf::parse_game(&bytes);
    let error = damaged.error.clone().unwrap();
    assert!(error.mv.starts_with("7... "), "{error}");
    assert!((at - 3..=at).contains(&(error.offset as usize)), "{error}: {at}");
    assert_eq!(damaged.tree.moves.main_line().count(), valid.moves.main_line().count() - 1);
    let games = samples::read(&bytes);
    let game = games[0].as_ref().unwrap();
    assert_eq!((game.main_line().len(), game.error.as_ref()), (13, Some(&error)));
}

#[test]
fn the_header_is_not_trusted() {
    let bytes = xqf::format_game(&example_tree()).unwrap();
    let parse_with = |at: usize, value: u8| {
        let mut changed = bytes.clone();
        changed[at] = value;
        xqf::parse_game(&changed)
    };
    assert_eq!(parse_with(2, 0x13).error.unwrap().kind, RecordErrorKind::UnknownVersion(0x13));
    assert_eq!(parse_with(0x0C, 0).warnings[0].kind, RecordErrorKind::WrongChecksum);
    // The first move is Red's, whatever the header says.
    assert_eq!(parse_with(0x32, 1).into_tree().unwrap(), xqf::parse_game(&bytes).into_tree().unwrap());
    assert_eq!(parse_with(0x33, 4).tree.result, Some(Outcome::Draw));
    // A field cannot be longer than its place.
    assert_eq!(parse_with(0x50, 255).error, None);
}

#[test]
fn what_has_no_place_is_refused_by_name() {
    let mut tree = example_tree();
    tree.add(ROOT, None);
    let error = xqf::format_game(&tree).unwrap_err();
    assert_eq!(error, WriteError::NullMove { format: FileFormat::Xqf, plies: 0 });
    assert!(error.to_string().starts_with("an XQF file cannot hold the null move after 0 plies"));
    let games = [example_tree(), example_tree()];
    let row = Xiangqi::FILES.iter().find(|row| row.format == FileFormat::Xqf).unwrap();
    let error = row.writer.as_ref().unwrap().write(row.format, &games).unwrap_err();
    assert_eq!(error, WriteError::OneGameOnly { format: FileFormat::Xqf, games: 2 });
}

#[test]
fn an_unknown_result_is_reported() {
    let mut bytes = xqf::format_game(&example_tree()).unwrap();
    for (number, result) in [(2, Some(Outcome::Win(Side::Second))), (4, Some(Outcome::Draw)), (0, None)] {
        bytes[51] = number;
        assert_eq!(xqf::parse_game(&bytes).into_tree().unwrap().result, result, "{number}");
    }
    bytes[51] = 9;
    let game = xqf::parse_game(&bytes);
    assert_eq!(game.warnings[0].to_string(), "game 1, byte 51: the result \"9\" is unknown and left out");
    assert_eq!((game.error, game.tree.result), (None, None));
}
