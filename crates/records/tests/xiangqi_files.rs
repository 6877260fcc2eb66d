//! Tests of CBF and WXF files, of the list of file formats, and of damaged sample files.

use alfil_chess::Chess;
use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_othello::Othello;
use alfil_records::{
    Charset, FileFormat, FormatUse, ROOT, RecordErrorKind, RecordFormat as _, cbf, wxf_file,
};
use alfil_xiangqi::Xiangqi;
use proptest::prelude::*;

use crate::random_tree;
use crate::samples::{check_damaged, read, sample, testdata};
use crate::xiangqi_trees::{count_comments, example_tree};

#[test]
fn every_format_with_games_has_one_reader() {
    for format in FileFormat::all().filter(|format| format.usage() == FormatUse::Games) {
        let rows = [
            Xiangqi::FILES.iter().filter(|row| row.format == format).count(),
            Chess::FILES.iter().filter(|row| row.format == format).count(),
            Othello::FILES.iter().filter(|row| row.format == format).count(),
        ];
        let is_of_every_game = matches!(format, FileFormat::Pgn | FileFormat::OpeningTable);
        assert_eq!(rows.iter().sum::<usize>(), usize::from(!is_of_every_game), "{format:?}");
    }
}

#[test]
fn cbf_files_of_ccbridge_are_read() {
    let Some(bytes) = sample("gpl-3/xiangqi/test2.cbf") else { return };
    let tree = cbf::parse_game(&bytes).into_tree().unwrap();
    assert_eq!((tree.moves.move_count(), count_comments(&tree)), (75, 17));
    assert_eq!(tree.tags.value("Title"), Some("第十局 当头炮抵当头炮局(和)"));
    assert_eq!(tree.result, Some(Outcome::Draw));
    let written = cbf::format_game(&tree).unwrap();
    assert_eq!(cbf::parse_game(&written).into_tree(), Ok(tree));
    check_damaged(&bytes);
}

#[test]
fn errors_in_cbf_name_their_position_and_keep_the_moves_before_them() {
    let head =
        "<ChineseChessRecord>\n<Head><Red>A &amp; B</Red><RecordResult>1</RecordResult></Head>\n<MoveList>\n";
    let parse = |moves: &str| cbf::parse_game(format!("{head}{moves}").as_bytes());
    let end = "</MoveList></ChineseChessRecord>";
    let tree = parse(&format!("<Move value=\"00-00\"/><Move value=\"77-47\"><![CDATA[中炮]]></Move>{end}"))
        .into_tree();
    let tree = tree.unwrap();
    assert_eq!((tree.tags.value("Red"), tree.result), (Some("A & B"), Some(Outcome::Win(Side::First))));
    assert_eq!((tree.moves.move_count(), count_comments(&tree)), (1, 1));
    // What XML does not define stays as it is written, as does a tag that Alfil has not written.
    let comment = "[FEN \"xyz\"]\na&nbsp;b&#39;c";
    let foreign = parse(&format!("<Move value=\"00-00\">{comment}</Move>{end}")).into_tree().unwrap();
    assert_eq!(foreign.annotation(ROOT).comment_after, "[FEN \"xyz\"]\na&nbsp;b'c");
    let bad = parse(&format!("<Move value=\"77-47\"/>\n<Move value=\"77-47\"/>{end}"));
    let error = bad.error.unwrap().to_string();
    assert!(error.starts_with("game 1, line 5, byte 118, move 1... h2e2: "), "{error}");
    assert_eq!(bad.tree.moves.move_count(), 1);
    let start = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 14\"]\n";
    let numbered =
        parse(&format!("<Move value=\"00-00\">{start}</Move><Move value=\"77-49\"/>{end}")).error.unwrap();
    assert_eq!(numbered.mv, "14. h2e0", "the comment of the start has the number");
    let open = parse("<Move value=\"77-47\"/><Move value=");
    assert!(matches!(open.error.unwrap().kind, RecordErrorKind::InvalidXml(_)));
    assert_eq!(open.tree.moves.move_count(), 1);
    let rest = parse(&format!("<Move value=\"77-47\" end=\"1\"/><Move value=\"17-47\"/>{end}"));
    assert_eq!(rest.warnings[0].kind, RecordErrorKind::RestSkipped(1));
    let text = format!("\u{feff}{head}<Move value=\"77-47\"/>\n<Move value=\"77-47\"/>{end}");
    assert_eq!(cbf::parse_game(text.as_bytes()).error.unwrap().offset, 121, "after a byte order mark");
    let fen = cbf::parse_game(b"<ChineseChessRecord><FEN>x</FEN></ChineseChessRecord>").error.unwrap();
    assert!(matches!(fen.kind, RecordErrorKind::InvalidFen(_)));
}

const WXF_FILE: &str = "FORMAT\tWXF\nGAME\tLesson 1\nRED\tHu Ronghua;Shanghai;;\nBLACK\t柳大华\nDATE\t1990-01-02\n\
                        RESULT\t1-0\n\nSTART{\n1. C2.5 H8+7\n2. H2+3 R9.8 {good}\n3. R1.2\n}END\n";

#[test]
fn wxf_files_are_read_in_every_notation_and_encoding() {
    let parse = |bytes: &[u8]| wxf_file::parse_games(bytes).remove(0).into_tree().unwrap();
    let tree = parse(WXF_FILE.as_bytes());
    assert_eq!(FileFormat::detect(WXF_FILE.as_bytes()), Some(FileFormat::WxfFile));
    let tags: Vec<_> = tree.tags.iter().collect();
    let expected = [
        ("Date", "1990-01-02"),
        ("Red", "Hu Ronghua"),
        ("Black", "柳大华"),
        ("Title", "Lesson 1"),
        ("RedTeam", "Shanghai"),
    ];
    assert_eq!(tags, expected);
    assert_eq!((tree.moves.move_count(), tree.result), (5, Some(Outcome::Win(Side::First))));
    assert_eq!(parse(&Charset::Gb18030.encode(WXF_FILE).unwrap()), tree);
    let wxf_moves = ["C2.5", "H8+7", "H2+3", "R9.8", "R1.2"];
    let in_notation = |moves: [&str; 5]| {
        wxf_moves.iter().zip(moves).fold(WXF_FILE.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let iccs = in_notation(["h2-e2", "h9-g7", "h0-g2", "i9-h9", "i0-h0"]);
    let chinese = in_notation(["炮二平五", "马８进７", "马二进三", "车９平８", "车一平二"]);
    let mixed = in_notation(["C2.5", "h9-g7", "马二进三", "R9.8", "i0-h0"]);
    for text in [WXF_FILE, &iccs, &chinese, &mixed] {
        // `FORMAT` is not trusted.
        for format in ["FORMAT\tWXF\n", "FORMAT\tICCS\n", "FORMAT\tx\n", ""] {
            assert_eq!(parse(text.replace("FORMAT\tWXF\n", format).as_bytes()), tree, "{format}{text}");
        }
    }
    let moves: Vec<_> = tree.main_line_moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]);
    assert_eq!(read(format!("{WXF_FILE}\n{WXF_FILE}").as_bytes()).len(), 2);
    check_damaged(WXF_FILE.as_bytes());
}

#[test]
fn tags_that_a_wxf_file_would_read_otherwise_are_refused() {
    let format = |tag: &str, value: &str| {
        let mut tree = example_tree();
        tree.tags.set(tag, value);
        wxf_file::format_games(&[tree])
    };
    for (tag, value) in [("Red", "a;b"), ("Black", ";"), ("Event", "a start{ b"), ("RedTeam", "START{")] {
        let error = format(tag, value).unwrap_err().to_string();
        assert!(error.contains(&format!("the value {value:?} of the tag {tag}")), "{error}");
    }
    for (tag, value) in [("Event", "a;b"), ("RedTeam", "a;b"), ("Title", "START")] {
        let read = wxf_file::parse_games(&format(tag, value).unwrap()).remove(0).into_tree().unwrap();
        assert_eq!(read.tags.value(tag), Some(value));
    }
}

#[test]
fn errors_in_wxf_files_name_their_position() {
    let bad = wxf_file::parse_games(WXF_FILE.replace("R9.8", "R9.5").as_bytes()).remove(0);
    let error = bad.error.unwrap().to_string();
    assert!(error.starts_with("game 1, line 10, byte 123, move 2... R9.5: "), "{error}");
    assert_eq!((bad.tree.moves.move_count(), bad.tree.tags.value("Red")), (3, Some("Hu Ronghua")));
    let open = wxf_file::parse_games(WXF_FILE.replace("}END", "").as_bytes()).remove(0);
    assert_eq!(open.tree.moves.move_count(), 4, "the brace of the comment ends the moves");
    let open = wxf_file::parse_games(WXF_FILE.replace("}END", "").replace("{good}", "").as_bytes()).remove(0);
    assert_eq!(open.tree.moves.move_count(), 5);
    let start = WXF_FILE.find("\n1.").unwrap();
    let line = WXF_FILE[..start].lines().count();
    assert_eq!(
        open.error.unwrap().to_string(),
        format!("game 1, line {line}, byte {start}: the game has no }}END")
    );
}

#[test]
fn unknown_results_and_malformed_attributes_are_reported() {
    let games = format!("{WXF_FILE}\n{}", WXF_FILE.replace("RESULT\t1-0", "RESULT\tRot gewinnt"));
    let game = wxf_file::parse_games(games.as_bytes()).remove(1);
    let at = games.find("RESULT\tRot").unwrap();
    let line = games[..at].matches('\n').count() + 1;
    assert_eq!(
        game.warnings[0].to_string(),
        format!("game 2, line {line}, byte {at}: the result \"Rot\" is unknown and left out")
    );
    assert_eq!((game.warnings.len(), game.tree.result, game.tree.moves.move_count()), (1, None, 5));
    let cut = wxf_file::parse_games(b"RED\ta\nRESULT\tx\n").remove(0);
    assert_eq!((cut.warnings[0].line, cut.warnings[0].offset), (2, 6));
    for open in ["RESULT\t*", "RESULT\t", "RESULT"] {
        let text = WXF_FILE.replace("RESULT\t1-0", open);
        assert_eq!(
            wxf_file::parse_games(text.as_bytes()).remove(0).into_tree().unwrap().result,
            None,
            "{open}"
        );
    }
    let cbf = |result: &str, attribute: &str| {
        let text = format!(
            "<ChineseChessRecord><Head><RecordResult>{result}</RecordResult></Head>\
             <MoveList><Move value=\"77-47\" {attribute}/></MoveList></ChineseChessRecord>"
        );
        cbf::parse_game(text.as_bytes())
    };
    for (text, result) in [("2", Some(Outcome::Win(Side::Second))), ("4", None), ("", None)] {
        assert_eq!(cbf(text, "end=\"1\"").into_tree().unwrap().result, result, "{text:?}");
    }
    for unknown in ["5", "10", "红胜"] {
        let game = cbf(unknown, "");
        assert_eq!(game.warnings[0].kind, RecordErrorKind::UnknownResult(unknown.into()));
        assert_eq!((game.warnings.len(), game.tree.moves.move_count()), (1, 1));
    }
    let game = cbf("1", "end=1");
    assert_eq!(
        game.warnings[0].to_string(),
        "game 1, line 1, byte 97: the XML is malformed: attribute value must be enclosed in `\"` or `'`"
    );
    assert_eq!((game.warnings.len(), game.error, game.tree.moves.move_count()), (1, None, 1));
}

#[test]
fn a_long_wxf_file_is_read() {
    let text = "RED a\nSTART{\n".repeat(200_000);
    let games = wxf_file::parse_games(text.as_bytes());
    let error = games[199_999].error.as_ref().unwrap();
    assert_eq!(
        (games.len(), error.line, &error.kind),
        (200_000, 400_000, &RecordErrorKind::UnclosedGame("}END"))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_random_main_line_round_trips_through_wxf(moves in random_tree::random_moves(60)) {
        let tree = random_tree::build::<Xiangqi>(alfil_xiangqi::Setup::start(), &moves, false);
        let written = wxf_file::format_games(&[tree.clone(), example_tree()]).unwrap();
        let games = wxf_file::parse_games(&written);
        prop_assert_eq!(games.len(), 2);
        for (game, tree) in games.into_iter().zip([&tree, &example_tree()]) {
            let read = game.into_tree().unwrap();
            prop_assert!(read.main_line_moves().eq(tree.main_line_moves()));
            prop_assert_eq!(read.tags.value("Red"), tree.tags.value("Red"));
        }
    }
}

#[test]
fn readers_survive_damaged_sample_files() {
    for file in [
        "xiangqi/roundtrip-chinese.gb18030.pgn",
        "xiangqi/roundtrip-chinese-trad.big5.pgn",
        "xiangqi/spec-example.xqf",
        "othello/synthetic-games.tsv",
    ] {
        check_damaged(&testdata(file));
    }
}
