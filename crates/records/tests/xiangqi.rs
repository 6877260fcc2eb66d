//! PGN of xiangqi: every format and code of characters, and the ways in which files stray from the convention.

use std::fs;
use std::path::Path;

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::pgn::{self, Reader};
use alfil_records::{Charset, GameTree, LegacyEncoding, NodeId, ParsedGame};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Setup, Xiangqi};
use proptest::prelude::*;

mod grow;

const FORMATS: [Dialect; 4] = [Dialect::Iccs, Dialect::Wxf, Dialect::Chinese, Dialect::ChineseTraditional];

fn read(bytes: &[u8]) -> Vec<ParsedGame<Xiangqi>> {
    let mut reader = Reader::with_legacy_encoding(bytes, LegacyEncoding::Chinese);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse::<Xiangqi>());
    }
    games
}

#[track_caller]
fn sound(text: &str) -> GameTree<Xiangqi> {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).into_tree().unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn iccs(tree: &GameTree<Xiangqi>) -> String {
    let text = pgn::format_game(tree, Dialect::Iccs).unwrap();
    text.split("\n\n").nth(1).unwrap().trim_end().replace('\n', " ")
}

/// The same game in every format and code.
#[test]
fn the_same_game_is_read_from_every_format_and_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/xiangqi/records");
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let moves = String::from_utf8(file("roundtrip-moves.txt")).unwrap();
    let moves: Vec<_> = moves.lines().next().unwrap().split(' ').skip(2).collect();
    let names = ["chinese.gb18030", "chinese.utf8", "iccs", "wxf", "chinese-trad.big5"];
    let trees = names.map(|name| {
        let bytes = file(&format!("roundtrip-{name}.pgn"));
        let mut games = read(&bytes);
        assert_eq!(games.len(), 1, "{name}");
        games.remove(0).into_tree().unwrap_or_else(|fault| panic!("{name}: {fault}"))
    });
    for (name, tree) in names.iter().zip(&trees) {
        assert_eq!(tree.main_line_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), moves, "{name}");
        if *name != "chinese-trad.big5" {
            assert_eq!(tree.tags, trees[0].tags, "{name}");
            assert_eq!(tree.tags.value("Red"), Some("红方"));
            let variations = if *name == "chinese.utf8" { 2 } else { 0 };
            assert_eq!(tree.len() - moves.len(), variations, "{name}");
            let said: Vec<_> = tree
                .main_line()
                .map(|node| &*tree.annotation(node).comment_after)
                .filter(|said| !said.is_empty())
                .collect();
            assert_eq!(said, ["双方布成常见阵形。"]);
        }
    }
}

#[test]
fn files_stray_from_the_convention_in_many_ways() {
    let usual = "1. H2-E2 H9-G7 2. H0-G2 *";
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
        assert_eq!(iccs(&sound(text)), usual, "{text}");
    }
    for (text, moves) in [
        ("炮二平五 {a {b} c} 马８进７", "1. H2-E2 ;a {b} c 1... H9-G7 *"),
        ("炮二平五 {a {b} 马８进７ {c}", "1. H2-E2 ;a {b 1... H9-G7 {c} *"),
        ("炮二平五 (正着) 马８进７", "1. H2-E2 {正着} 1... H9-G7 *"),
        ("炮二平五 (兵七进一 卒７进１ (马８进７)) *", "1. H2-E2 (1. C3-C4 G6-G5 (1... H9-G7)) *"),
        ("炮二平五 {[%eval 0.3]} 1-0 {advertisement}", "1. H2-E2 {[%eval 0.30]} 1-0"),
    ] {
        assert_eq!(iccs(&sound(text)), moves, "{text}");
    }
}

#[test]
fn either_set_of_tags_is_taken_and_the_conventions_own_is_written() {
    let tree = sound(
        "[Variant \"xiangqi\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"\"]\n[Result \"1-0\"]\n\nChe2 1-0",
    );
    assert_eq!(tree.tags.iter().collect::<Vec<_>>(), [("Red", "A"), ("Black", "B")]);
    assert_eq!(tree.result, Some(Outcome::Win(Side::First)));
    let expected = "[Game \"Chinese Chess\"]\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Red \"A\"]\n\
                    [Black \"B\"]\n[Result \"1-0\"]\n[Format \"WXF\"]\n\n1. C2.5 1-0\n";
    assert_eq!(pgn::format_game(&tree, Dialect::Wxf).unwrap(), expected);
    let tree = sound("[FEN \"3aka3/2c1n4/4bP3/9/4N4/9/9/9/9/4K4 w\"]\n\n马五进六 炮３平４ *");
    assert_eq!(iccs(&tree), "1. E5-D7 C8-D8 *");
}

#[test]
fn refusals_say_what_and_where() {
    for (text, line, part) in [
        ("[Format \"Morse\"]\n\n炮二平五", 1, "expected Chinese, WXF or ICCS"),
        ("[Game \"Go\"]\n\n炮二平五", 1, "which does not name xiangqi"),
        ("[Variant \"janggi\"]\n\n炮二平五", 1, "does not name xiangqi"),
        ("[Format \"WXF\"]\n\nC2.5\n炮８平５", 4, "as chinese it would be legal"),
        ("炮二平五\n\n炮８平５ 炮二平五", 3, "move 2. 炮二平五"),
    ] {
        let fault = read(text.as_bytes()).remove(0).error.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(fault.line, line, "{text}: {fault}");
        assert!(fault.to_string().contains(part), "{text}: {fault}");
    }
    // The byte is one of the file, not of its characters.
    let bytes = Charset::Gb18030.encode("[Red \"红方\"]\n\n炮二平五 马８进７ 炮二平五").unwrap();
    let fault = read(&bytes).remove(0).error.unwrap();
    assert_eq!((fault.line, fault.offset), (3, bytes.len() as u64 - 8));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn what_is_written_is_read_again(
        shoots in grow::shoots(40),
        result in grow::result(),
        endgame in any::<bool>(),
        words in grow::words(),
        format in prop::sample::select(&FORMATS[..]),
    ) {
        let start = match endgame {
            false => Setup::start(),
            // Many soldiers on two files.
            true => Setup::parse("3k5/9/1P5P1/1P5P1/1P7/9/9/9/9/4K4 w - - 0 7").unwrap(),
        };
        let mut tree = grow::grow::<Xiangqi>(start, &shoots, true);
        tree.result = result;
        tree.annotation_mut(NodeId::ROOT).comment_after = words;
        let text = pgn::format_game(&tree, format).unwrap();
        for charset in [Charset::Utf8, Charset::Gb18030, Charset::Big5] {
            // Not every code has every character.
            let Ok(bytes) = charset.encode(&text) else { continue };
            let games = read(&bytes);
            prop_assert_eq!(games.len(), 1, "{}", text);
            let again = games.into_iter().next().unwrap().into_tree();
            // Few bytes do not tell their code: then it is UTF-8 or whatever has more of the common characters.
            if charset == Charset::Utf8 || charset == Charset::Gb18030 && format == Dialect::Chinese && tree.len() > 9 {
                prop_assert_eq!(again.as_ref(), Ok(&tree), "{:?} {}", charset, text);
            }
        }
    }
}
