//! Xiangqi PGN: every dialect and encoding, and the deviations from the convention found in files.

use std::fs;
use std::path::Path;

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::pgn::{self, Reader};
use alfil_records::{Charset, GameTree, LegacyEncoding, ParsedGame, RecordErrorKind};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Setup, Xiangqi};
use proptest::prelude::*;

use crate::random_tree;

const FORMATS: [Dialect; 4] = [Dialect::Iccs, Dialect::Wxf, Dialect::Chinese, Dialect::ChineseTraditional];

fn parse_all(bytes: &[u8]) -> Vec<ParsedGame<Xiangqi>> {
    let mut reader = Reader::with_legacy_encoding(bytes, LegacyEncoding::Chinese);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse::<Xiangqi>());
    }
    games
}

#[track_caller]
fn parse_valid(text: &str) -> GameTree<Xiangqi> {
    let mut games = parse_all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).into_tree().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn iccs(tree: &GameTree<Xiangqi>) -> String {
    let text = pgn::format_game(tree, Dialect::Iccs).unwrap();
    text.split("\n\n").nth(1).unwrap().trim_end().replace('\n', " ")
}

#[test]
fn a_game_parses_from_every_dialect_and_encoding() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/xiangqi");
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let moves = String::from_utf8(file("roundtrip-moves.txt")).unwrap();
    let moves: Vec<_> = moves.lines().next().unwrap().split(' ').skip(2).collect();
    let names = ["chinese.gb18030", "chinese.utf8", "iccs", "wxf", "chinese-trad.big5"];
    let trees = names.map(|name| {
        let bytes = file(&format!("roundtrip-{name}.pgn"));
        let mut games = parse_all(&bytes);
        assert_eq!(games.len(), 1, "{name}");
        games.remove(0).into_tree().unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    for (name, tree) in names.iter().zip(&trees) {
        assert_eq!(tree.main_line_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), moves, "{name}");
        if *name != "chinese-trad.big5" {
            assert_eq!(tree.tags, trees[0].tags, "{name}");
            assert_eq!(tree.tags.value("Red"), Some("红方"));
            let variations = if *name == "chinese.utf8" { 2 } else { 0 };
            assert_eq!(tree.moves.move_count() - moves.len(), variations, "{name}");
            let comments: Vec<_> = tree
                .moves
                .main_line()
                .map(|node| &*tree.annotation(node).comment_after)
                .filter(|comment| !comment.is_empty())
                .collect();
            assert_eq!(comments, ["双方布成常见阵形。"]);
        }
    }
}

#[test]
fn a_damaged_byte_leaves_the_rest_of_a_file_readable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/xiangqi");
    for (name, charset) in [("utf8", Charset::Utf8), ("gb18030", Charset::Gb18030)] {
        let mut bytes = fs::read(folder.join(format!("roundtrip-chinese.{name}.pgn"))).unwrap();
        let valid = parse_all(&bytes).remove(0).into_tree().unwrap();
        let red = charset.encode("红方").unwrap();
        let at = bytes.windows(red.len()).position(|window| window == red).unwrap();
        bytes[at] = 0xFF;
        let mut read = parse_all(&bytes).remove(0).into_tree().unwrap();
        let value = read.tags.value("Red").unwrap();
        assert!(value.contains('\u{fffd}'), "{name}: {value}");
        read.tags.set("Red", "红方");
        assert_eq!(read, valid, "{name}");
    }
}

#[test]
fn deviations_from_the_convention_are_accepted() {
    let expected = "1. H2-E2 H9-G7 2. H0-G2 *";
    for text in [
        "1. 炮二平五 马８进７ 2. 马二进三",
        "[Game \"Chinese Chess\"]\n\n  1. 炮二平五\n  1.          马8进7\n  2. 马二进三 *\n=====\n 欢迎访问 { (\n",
        "[Format \"WXF\"]\n\n1. C2.5 N8+7 2. N2+3 *",
        "[Format \"wxf\"]\n\n1. Ｃ２＝５ Ｈ８＋７ 2. h2+3 *",
        "1.Ｃ２＝５ Ｈ８＋７ 2.Ｈ２＋３ *",
        "[Format \"ICCS\"]\n\n1. h2e2 h9g7 2. H0G2 *",
        "１．炮二平五　馬８進７　２、馬二進三 *",
        "[Variant \"xiangqi\"]\n\n1. Che2 Hg7 2. Hg2 *",
    ] {
        assert_eq!(iccs(&parse_valid(text)), expected, "{text}");
    }
    for (text, moves) in [
        ("炮二平五 {a {b} c} 马８进７", "1. H2-E2 ;a {b} c 1... H9-G7 *"),
        ("炮二平五 {a {b} 马８进７ {c}", "1. H2-E2 ;a {b 1... H9-G7 {c} *"),
        ("炮二平五 (正着) 马８进７", "1. H2-E2 {正着} 1... H9-G7 *"),
        ("炮二平五 (兵七进一 卒７进１ (马８进７)) *", "1. H2-E2 (1. C3-C4 G6-G5 (1... H9-G7)) *"),
        ("炮二平五 1-0 {lost on time} $1\n==== {advertisement}", "1. H2-E2 $1 {lost on time} 1-0"),
    ] {
        assert_eq!(iccs(&parse_valid(text)), moves, "{text}");
    }
}

#[test]
fn a_parenthesis_that_is_not_closed_is_reported() {
    for text in ["炮二平五 (正着 马８进７ *", "炮二平五 （正着 {好} 马８进７ *"] {
        let game = parse_all(text.as_bytes()).remove(0);
        assert_eq!((game.error, game.tree.moves.move_count()), (None, 1), "{text}");
        let warnings: Vec<_> = game.warnings.iter().map(|warning| &warning.kind).collect();
        assert_eq!(warnings, [&RecordErrorKind::UnclosedVariation], "{text}");
        assert_eq!(game.warnings[0].offset, text.len() as u64);
    }
}

#[test]
fn winboard_tags_are_accepted_and_convention_tags_are_written() {
    let tree = parse_valid(
        "[Variant \"xiangqi\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"\"]\n[Result \"1-0\"]\n\nChe2 1-0",
    );
    assert_eq!(tree.tags.iter().collect::<Vec<_>>(), [("Red", "A"), ("Black", "B")]);
    assert_eq!(tree.result, Some(Outcome::Win(Side::First)));
    let expected = "[Game \"Chinese Chess\"]\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Red \"A\"]\n\
                    [Black \"B\"]\n[Result \"1-0\"]\n[Format \"WXF\"]\n\n1. C2.5 1-0\n";
    assert_eq!(pgn::format_game(&tree, Dialect::Wxf).unwrap(), expected);
    let tree = parse_valid("[FEN \"3aka3/2c1n4/4bP3/9/4N4/9/9/9/9/4K4 w\"]\n\n马五进六 炮３平４ *");
    assert_eq!(iccs(&tree), "1. E5-D7 C8-D8 *");
}

#[test]
fn errors_are_reported_with_their_place() {
    for (text, line, part) in [
        ("[Game \"Go\"]\n\n炮二平五", 1, "expected a record of xiangqi"),
        ("[Variant \"janggi\"]\n\n炮二平五", 1, "expected a record of xiangqi"),
        ("[Format \"WXF\"]\n\nC2.5\n炮９平５", 4, "炮９平５"),
        ("炮二平五\n\n炮８平５ 炮二平五", 3, "move 2. 炮二平五"),
    ] {
        let error = parse_all(text.as_bytes()).remove(0).error.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    // The offset counts bytes of the file, not of the decoded text.
    let bytes = Charset::Gb18030.encode("[Red \"红方\"]\n\n炮二平五 马８进７ 炮二平五").unwrap();
    let error = parse_all(&bytes).remove(0).error.unwrap();
    assert_eq!((error.line, error.offset), (3, bytes.len() as u64 - 8));
}

fn any_tree() -> impl Strategy<Value = GameTree<Xiangqi>> {
    // The other start has many soldiers on two files.
    let soldiers = Setup::parse("3k5/9/1P5P1/1P5P1/1P7/9/9/9/9/4K4 w - - 0 7").unwrap();
    random_tree::any_tree(prop_oneof![Just(Setup::start()), Just(soldiers)], 40, Just(Vec::new()), true)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn written_games_parse_back(
        tree in any_tree(),
        format in prop::sample::select(&FORMATS[..]),
    ) {
        let text = pgn::format_game(&tree, format).unwrap();
        for charset in [Charset::Utf8, Charset::Gb18030, Charset::Big5] {
            // An encoding may lack a character of the text.
            let Ok(bytes) = charset.encode(&text) else { continue };
            let games = parse_all(&bytes);
            prop_assert_eq!(games.len(), 1, "{}", text);
            let parsed = games.into_iter().next().unwrap().into_tree();
            // A short text does not determine its encoding, so only longer ones are compared.
            if charset == Charset::Utf8 || charset == Charset::Gb18030 && format == Dialect::Chinese && tree.moves.move_count() > 9 {
                prop_assert_eq!(parsed.as_ref(), Ok(&tree), "{:?} {}", charset, text);
            }
        }
    }
}
