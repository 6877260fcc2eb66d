//! DhtmlXQ: pages and forum texts with branches, and damaged ones.

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::{Charset, FileFormat, ROOT, RecordErrorKind, dhtmlxq};

use crate::samples::{self, check_damaged, testdata};
use crate::xiangqi_trees::{count_comments, count_variations, example_tree};

#[test]
fn a_text_with_a_branch_is_read() {
    let bytes = testdata("xiangqi/roundtrip.dhtmlxq.txt");
    assert_eq!(FileFormat::detect(&bytes), Some(FileFormat::Ubb));
    let tree = dhtmlxq::parse_games(&bytes).remove(0).into_tree().unwrap();
    assert_eq!((tree.moves.move_count(), count_variations(&tree), count_comments(&tree)), (16, 1, 2));
    assert_eq!(tree.annotation(ROOT).comment_after, "开局说明\n第二行");
    let moves: Vec<_> = tree.main_line_moves().collect();
    assert_eq!(moves, example_tree().main_line_moves().collect::<Vec<_>>());
    check_damaged(&bytes);
    // A page in GB18030 is the same game.
    let text = String::from_utf8(bytes).unwrap();
    let page = Charset::Gb18030.encode(&format!("<html><div>{text}</div></html>")).unwrap();
    assert_eq!(FileFormat::detect(&page), Some(FileFormat::DhtmlXq));
    assert_eq!(dhtmlxq::parse_games(&page).remove(0).into_tree().unwrap(), tree);
    let two = format!("{text}\n{text}");
    assert_eq!(samples::read(two.as_bytes()).len(), 2);
}

fn game(body: &str) -> alfil_records::ParsedGame<alfil_xiangqi::Xiangqi> {
    let text = format!("[DhtmlXQ]\n{body}[/DhtmlXQ]");
    dhtmlxq::parse_games(text.as_bytes()).remove(0)
}

#[test]
fn branches_may_come_in_any_order() {
    let first = "[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]";
    let branches = [
        "[DhtmlXQ_move_2_3_1]1927[/DhtmlXQ_move_2_3_1]",
        "[DhtmlXQ_move_0_2_2]72421967[/DhtmlXQ_move_0_2_2]",
        "[DhtmlXQ_comment1_3]跳马[/DhtmlXQ_comment1_3]",
    ];
    let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
    let trees = orders.map(|order| game(&(order.map(|index| branches[index]).concat() + first)));
    for parsed in trees {
        // Branch 2 plays a horse move that its square does not have: only its first ply stands.
        assert_eq!(parsed.warnings.len(), 2, "{:?}", parsed.warnings);
        assert_eq!(parsed.warnings[0].mv, "2. b0g2");
        assert_eq!(parsed.warnings[1].kind, RecordErrorKind::OrphanBranch("2_3_1".into()));
        assert_eq!((parsed.error, parsed.tree.moves.move_count()), (None, 4));
    }
    let valid = game(&format!(
        "{first}[DhtmlXQ_move_2_3_1]1927[/DhtmlXQ_move_2_3_1][DhtmlXQ_move_0_2_2]72427967[/DhtmlXQ_move_0_2_2]\
         [DhtmlXQ_comment1_3]跳马[/DhtmlXQ_comment1_3]"
    ));
    let tree = valid.into_tree().unwrap();
    assert_eq!((tree.moves.move_count(), count_comments(&tree)), (6, 1));
}

#[test]
fn an_unknown_result_is_reported() {
    let with_result = |result: &str| {
        game(&format!("[DhtmlXQ_result]{result}[/DhtmlXQ_result][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"))
    };
    for (text, result) in [(" 先负 ", Some(Outcome::Win(Side::Second))), ("未知", None), ("", None)] {
        assert_eq!(with_result(text).into_tree().unwrap().result, result, "{text:?}");
    }
    let game = with_result("中断");
    assert_eq!(
        game.warnings[0].to_string(),
        "game 1, line 2, byte 26: the result \"中断\" is unknown and left out"
    );
    assert_eq!((game.error, game.tree.result, game.tree.moves.move_count()), (None, None, 1));
}

#[test]
fn errors_name_their_position_and_keep_the_moves_before_them() {
    let parsed = game("[DhtmlXQ_movelist]774770627777[/DhtmlXQ_movelist]");
    let error = parsed.error.unwrap();
    assert_eq!(error.to_string(), "game 1, line 2, byte 36, move 2. 7777: expected two squares of the board");
    assert_eq!(parsed.tree.moves.move_count(), 2);
    let error = game("[DhtmlXQ_movelist]7747xyz[/DhtmlXQ_movelist]").error.unwrap();
    assert_eq!((error.mv.as_str(), error.kind), ("1... xyz", RecordErrorKind::NoMove));
    let parsed = game("[DhtmlXQ_fen]rnb x[/DhtmlXQ_fen][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]");
    assert!(parsed.tree.moves.is_empty(), "the moves belong to another position");
    let error = parsed.error.unwrap();
    assert!(matches!(error.kind, RecordErrorKind::InvalidFen(_)), "{error}");
    let endgame =
        "[DhtmlXQ_binit]9999999939999999999999999999999999999999409999999999999999999999[/DhtmlXQ_binit]";
    let tree = game(&format!("{endgame}[DhtmlXQ_movelist]40413938[/DhtmlXQ_movelist]")).into_tree().unwrap();
    assert_eq!(tree.start.to_text(), "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1");
}

#[test]
fn a_branch_has_a_number_of_its_own() {
    let main = "[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]";
    let place = |parsed: alfil_records::ParsedGame<alfil_xiangqi::Xiangqi>| parsed.error.unwrap().kind;
    let first = "[DhtmlXQ_move_0_1_1]1747[/DhtmlXQ_move_0_1_1]";
    let second = "[DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1]";
    for (branches, refused, kept) in [
        ([first, second].concat(), "0_2_1", "b2e2"),
        ([second, first].concat(), "0_1_1", "h7e7"),
        ("[DhtmlXQ_move_0_2_0]7242[/DhtmlXQ_move_0_2_0]".to_owned() + first, "0_2_0", "b2e2"),
    ] {
        let parsed = game(&format!("{main}{branches}[DhtmlXQ_comment2]main[/DhtmlXQ_comment2]"));
        let moves: Vec<_> = parsed.tree.main_line_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2"]);
        let second_move = parsed.tree.moves.main_line().nth(1).unwrap();
        assert_eq!(parsed.tree.annotation(second_move).comment_after, "main");
        let alternative = parsed.tree.moves.traverse().find_map(|visit| match visit {
            alfil_records::Visit::Move(node) => {
                parsed.tree.mv(node).map(|mv| mv.to_string()).filter(|mv| !moves.contains(mv))
            }
            _ => None,
        });
        assert_eq!(alternative.as_deref(), Some(kept), "{branches}");
        assert_eq!(place(parsed), RecordErrorKind::OrphanBranch(refused.into()));
    }
}

#[test]
fn branches_that_take_too_many_moves_to_reach_are_left_out_and_named() {
    let main = "0908000108090100".repeat(1_250);
    let branch = |number| format!("[DhtmlXQ_move_0_5000_{number}]1022[/DhtmlXQ_move_0_5000_{number}]");
    let branches: String = (1..=4_002).map(branch).collect();
    let parsed = game(&format!("[DhtmlXQ_movelist]{main}[/DhtmlXQ_movelist]{branches}"));
    let left_out: Vec<_> = parsed.warnings.iter().map(|warning| warning.kind.clone()).collect();
    let expected = ["0_5000_4001", "0_5000_4002"];
    assert_eq!(left_out, expected.map(|digits| RecordErrorKind::TooManyBranches(digits.into())));
    assert!(parsed.warnings[0].to_string().contains("is left out"), "{}", parsed.warnings[0]);
}

#[test]
fn two_comments_of_a_move_keep_the_order_of_the_file() {
    let main = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]";
    for (first, second) in [("1", "0_1"), ("0_1", "1")] {
        let text = format!(
            "{main}[DhtmlXQ_comment{first}]a[/DhtmlXQ_comment{first}]\
             [DhtmlXQ_comment{second}]b[/DhtmlXQ_comment{second}]"
        );
        // Several times, because the seed of a hash table differs each time.
        for _ in 0..16 {
            let tree = game(&text).into_tree().unwrap();
            let node = tree.moves.main_line().next().unwrap();
            assert_eq!(tree.annotation(node).comment_after, "a\nb");
        }
    }
}

#[test]
fn a_unit_of_utf_16_has_four_hexadecimal_digits() {
    let text =
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment1]\\u4f60 \\u+123 \\u12[/DhtmlXQ_comment1]";
    let tree = game(text).into_tree().unwrap();
    let node = tree.moves.main_line().next().unwrap();
    assert_eq!(tree.annotation(node).comment_after, "你 \\u+123 \\u12");
}

#[test]
fn a_long_text_without_closing_tags_is_read() {
    let mut text = String::from("[DhtmlXQ]");
    (0..200_000).for_each(|number| text += &format!("[DhtmlXQ_{number}]"));
    text += &"[DhtmlXQ_".repeat(100_000);
    // No key is so long.
    text += &" ".repeat(40);
    text += "[DhtmlXQ_movelist]7747";
    let game = dhtmlxq::parse_games(text.as_bytes()).remove(0);
    assert_eq!((game.tree.moves.move_count(), game.error.unwrap().kind), (1, RecordErrorKind::UnexpectedEnd));
}

#[test]
fn a_byte_order_mark_counts_in_the_places_of_errors() {
    let text = "[DhtmlXQ][DhtmlXQ_movelist]77477777";
    let place = |text: &str| dhtmlxq::parse_games(text.as_bytes()).remove(0).error.unwrap().offset;
    assert_eq!((place(text), place(&format!("\u{feff}{text}"))), (31, 34));
}

#[test]
fn a_game_is_written_as_the_pages_have_it() {
    let text = dhtmlxq::format_game(&example_tree()).unwrap();
    let original = String::from_utf8(testdata("xiangqi/roundtrip.dhtmlxq.txt")).unwrap();
    for key in ["movelist", "move_0_11_1", "comment6"] {
        let value = |text: &str| {
            let start = text.find(&format!("[DhtmlXQ_{key}]")).unwrap_or_else(|| panic!("{key} in {text}"));
            text[start..].lines().next().unwrap().to_owned()
        };
        assert_eq!(value(&text), value(&original));
    }
}
