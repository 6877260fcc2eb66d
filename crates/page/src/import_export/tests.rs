//! Tests of import and export.

use alfil_session::played_game::MoveMark;
use alfil_session::review::Judgement;

use super::export::nag_beside;
use super::*;
use crate::conformance::GROWING_HOST as HOST;

fn import_games(game_name: &str, bytes: &[u8], chinese: bool) -> Result<Vec<OpenGame>, RequestError> {
    super::import_games(HOST, game_name, bytes, chinese)
}

fn position_text(game_name: &str, text: &str, chinese: bool) -> Result<String, RequestError> {
    super::position_text(HOST, game_name, text, chinese)
}

fn main_line(game: &OpenGame) -> Vec<&str> {
    let tree = &game.tree();
    tree.path(tree.line_end(ROOT)).into_iter().map(|node| tree.move_text(node)).collect()
}

#[track_caller]
fn import_one(game_name: &str, text: &str) -> OpenGame {
    let mut games = import_games(game_name, text.as_bytes(), false).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// The comment of the first of two equal variations was replaced by that of the second.
#[test]
fn a_move_that_a_file_has_twice_keeps_both_annotations() {
    let game =
        import_one("chess", "1. e4 e5 (1... c5 $1 {first} 2. Nf3) (1... c5 $1 $14 {second} 2. Nc3) 2. d4 *");
    let tree = game.tree();
    let found = tree.iter().find(|(_, node)| node.text == "c7c5").unwrap().1;
    assert_eq!((found.comment.as_str(), &found.nags[..]), ("first\nsecond", &[1, 14][..]));
    assert_eq!((found.children().len(), tree.move_count()), (2, 6));
    assert!(tree.is_valid());
}

#[test]
fn of_two_annotations_of_a_move_the_first_clock_and_score_stay_and_equal_comments_are_one() {
    let game = import_one(
        "chess",
        "1. e4 e5 (1... c5 {[%clk 0:03:00] [%eval 0.5] good}) (1... c5 {[%clk 0:01:00] [%eval 0.9] good}) *",
    );
    let found = game.tree().iter().find(|(_, node)| node.text == "c7c5").unwrap().1;
    assert_eq!((found.comment.as_str(), found.clocks.as_str()), ("good", "[%clk 0:03:00]"));
    assert_eq!(found.score.unwrap().value, 50);
}

#[test]
fn exported_games_can_be_imported() {
    let mut game = import_one("xiangqi", "h2e2 h9g7 h0g2");
    game.played.go_to(1).unwrap();
    game.played.play("b9c7", None, alfil_engine::now()).unwrap();
    game.change_record(|record| {
        let node = record.tree.node_mut(1).unwrap();
        node.comment = "the usual way\n{or not}".into();
        node.score = Some(NodeScore { value: 42, mate: None, ..NodeScore::default() });
        node.clocks = "[%clk 0:03:00]".into();
        node.nags = vec![1];
        record.tree.node_mut(4).unwrap().score =
            Some(NodeScore { value: -DECIDED_CP, mate: Some(-4), ..NodeScore::default() });
        record.tags = vec![("Red".into(), "A".into())];
        record.resigned = Some(Side::First);
    });
    for (dialect, line) in [
        (None, "1. H2-E2 $1 {[%eval 0.42] [%clk 0:03:00] the usual way} ;{or not}\n1... H9-G7"),
        (
            Some("chinese"),
            "1. 炮二平五 $1 {[%eval 0.42] [%clk 0:03:00] the usual way} ;{or not}\n1... 马８进７",
        ),
    ] {
        game.change_record(|record| record.dialect = dialect.map(str::to_owned));
        let text = export_pgn(&mut game, &ExportOptions::default()).unwrap();
        assert!(text.contains("[Red \"A\"]\n") && text.contains(line), "{text}");
        let again = import_one("chess", &text);
        let nodes: Vec<_> = again.tree().iter().map(|(_, node)| node.clone()).collect();
        assert_eq!(main_line(&again), ["h2e2", "h9g7", "h0g2"]);
        let first = game.tree().node(1).unwrap();
        let label = first.label.clone();
        assert_eq!(AnnotatedMove { label, ..nodes[1].value.clone() }, first.value);
        assert_eq!(first.children(), [2, 4]);
        assert_eq!(nodes[4].text, "b9c7");
        // The mate distance is converted from plies to moves and back.
        assert_eq!(
            nodes[4].score,
            Some(NodeScore { value: -DECIDED_CP, mate: Some(-3), ..NodeScore::default() })
        );
        let tags = [("Red", "A"), ("Result", "0-1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!((again.record().game.as_str(), again.record().tags.as_slice()), ("xiangqi", &tags[..]));
        assert_eq!(
            export_pgn(&mut import_one("chess", &text), &ExportOptions::default()).unwrap().lines().nth(7),
            Some("[Result \"0-1\"]")
        );
    }
}

#[test]
fn marks_of_the_review_are_exported_beside_those_of_a_person() {
    let loss = MoveMark::Loss(Judgement::Mistake);
    for (mark, nags, expected) in [
        (loss, &[][..], Some(2)),
        (loss, &[14], Some(2)),
        (loss, &[5], None),
        (loss, &[7], None),
        (MoveMark::OnlyMove, &[14], Some(7)),
        (MoveMark::OnlyMove, &[1], None),
        (MoveMark::OnlyMove, &[7], None),
    ] {
        assert_eq!(nag_beside(mark, nags), expected, "{mark:?} beside {nags:?}");
    }
}

#[test]
fn exported_games_have_their_result() {
    let mut game = import_one("chess", "1. f3 e5 2. g4 Qh4#");
    let text = export_pgn(&mut game, &ExportOptions::default()).unwrap();
    assert!(text.contains("[Result \"0-1\"]") && text.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text}");
    assert!(
        export_pgn(&mut import_one("othello", "f5d6"), &ExportOptions::default())
            .unwrap()
            .contains("[Game \"Othello\"]\n\n1. f5 d6 *")
    );
}

#[test]
fn a_recorded_result_stands_where_the_players_may_have_played_on() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let exported =
        |text: &str| export_pgn(&mut import_one("chess", text), &ExportOptions::default()).unwrap();
    // A repetition that was not claimed, and a loss on time after it.
    let text = exported(&format!("[Result \"1-0\"]\n\n{moves} 1-0"));
    assert!(text.contains("[Result \"1-0\"]") && text.ends_with(" 1-0\n"), "{text}");
    assert!(exported(moves).contains("[Result \"1/2-1/2\"]"));
    // A mate stands against a wrong record.
    assert!(exported("[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0").contains("[Result \"0-1\"]"));
}

#[test]
fn record_files_are_read_whatever_game_is_open() {
    let file = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. -- Nc6) *\n\n[White \"B\"]\n\n1. e4 Ke5 *\n\n\
                [Game \"Othello\"]\n\n1. f5 *\n";
    let games = import_games("xiangqi", file.as_bytes(), false).unwrap();
    let names: Vec<_> =
        games.iter().map(|game| (game.record().game.as_str(), main_line(game).len())).collect();
    assert_eq!(names, [("chess", 2), ("chess", 1), ("othello", 1)]);
    let comment = &games[0].tree().node(ROOT).unwrap().comment;
    assert!(
        comment.starts_with(
            "null moves and what follows them are left out (2 moves)\nGame 2 (B – ?): move 1... Ke5: "
        ),
        "{comment}"
    );
    assert!(games.iter().all(|game| game.tree().is_valid()));
    let many = "[White \"A\"]\n\n1. e4 *\n\n".repeat(MAX_IMPORTED_GAMES + 3);
    let games = import_games("chess", many.as_bytes(), false).unwrap();
    assert_eq!(games.len(), MAX_IMPORTED_GAMES);
    assert!(games[0].tree().node(ROOT).unwrap().comment.contains("3 games more than"));
}

/// A game without tags once vanished if it had a bad move.
#[test]
fn a_damaged_game_without_names_is_kept_up_to_its_bad_move() {
    let file = "(;GM[2];B[f5];W[d6];B[a1])(;GM[2];B[zz])(;GM[2];B[f5])";
    let games = import_games("othello", file.as_bytes(), false).unwrap();
    let lines: Vec<_> = games.iter().map(main_line).collect();
    assert_eq!(lines, [vec!["f5", "d6"], vec!["f5"]]);
    let comment = &games[0].tree().node(ROOT).unwrap().comment;
    assert!(comment.contains("The game is kept up to this point.\nGame 2: "), "{comment}");
}

#[test]
fn files_in_other_encodings_are_read_as_bytes() {
    // 炮二平五 in GB18030.
    let latin1_text: String =
        b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5".iter().map(|&byte| char::from(byte)).collect();
    let games = import_games("xiangqi", &file_bytes(latin1_text.clone(), true).unwrap(), false).unwrap();
    assert_eq!(main_line(&games[0]), ["h2e2"]);
    assert!(import_games("xiangqi", &file_bytes(latin1_text, false).unwrap(), false).is_err());
    assert!(file_bytes("炮".into(), true).is_err());
}

#[test]
fn a_text_of_chess_is_recognised_while_another_game_is_open() {
    for open in ["xiangqi", "othello"] {
        for text in ["1. e4 e5", "1. e4 e5 2. Ke3", "1. ♘f3 d5", "1. Sf3 d5 2. c4 Lf5"] {
            let error = import_games(open, text.as_bytes(), false).err().expect(text);
            assert_eq!(error.other_game, Some("chess"), "{open} {text}: {error:?}");
        }
    }
    assert_eq!(
        main_line(&import_one("chess", "1. ♘f3 d5 2. c4 ♗f5 3. ♕b3")),
        ["g1f3", "d7d5", "c2c4", "c8f5", "d1b3"]
    );
    assert_eq!(
        main_line(&import_one("chess", "1. Sf3 d5 2. c4 Lf5 3. Db3")),
        ["g1f3", "d7d5", "c2c4", "c8f5", "d1b3"]
    );
    let error = import_games("chess", b"1. P-K4 P-K4", false).err().unwrap();
    assert!(error.message.contains("descriptive notation"), "{}", error.message);
}

#[test]
fn text_of_another_game_is_recognised() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (game_name, text, expected) in [
        ("xiangqi", position, Some("chess")),
        ("xiangqi", "1. e4 e5 2. Nf3", Some("chess")),
        ("xiangqi", "f5d6c3", Some("othello")),
        ("chess", "炮二平五 马８进７", Some("xiangqi")),
        ("othello", position, Some("chess")),
        ("xiangqi", "h2e5 h9g7", None),
        ("xiangqi", "this is no move", None),
    ] {
        let error = import_games(game_name, text.as_bytes(), false).err().expect(text);
        assert_eq!(error.other_game, expected, "{game_name} {text}: {error:?}");
        assert_eq!(error.code == Some(crate::request_error::ErrorCode::OtherGame), expected.is_some());
        if let Some(other) = expected {
            assert_eq!(import_one(other, text).record().game, other);
        }
    }
}

#[test]
fn moves_in_any_dialect_with_or_without_spaces_are_read() {
    for text in [
        "1.h3e3 h10g8 2.h1g3",
        "h2e2h9g7h0g2",
        "1. 炮二平五 马８进７ 2. 马二进三",
        "1.砲二平五 馬8進7 2.傌二進三",
        "炮二平五馬８進７馬二進三",
        "1. C2.5 N8+7 2. N2+3",
        "1. C2=5 H8+7 2. H2+3",
    ] {
        assert_eq!(main_line(&import_one("xiangqi", text)), ["h2e2", "h9g7", "h0g2"], "{text}");
    }
    let soldier_moves = "[FEN \"3k5/2P3P2/2P3P2/p5P2/9/9/9/9/9/4K4 w\"]\n1. 33.4 P1+1 2.7-.6";
    assert_eq!(main_line(&import_one("xiangqi", soldier_moves)), ["g7f7", "a6a5", "c7d7"]);
    assert_eq!(main_line(&import_one("othello", "f5d6")), ["f5", "d6"]);
    assert_eq!(main_line(&import_one("xiangqi", "1-0 h2e2; (h0g2 (x)) {no} h9g7 *")), ["h2e2", "h9g7"]);
    // A line of a comment is no header.
    assert_eq!(main_line(&import_one("xiangqi", "h2e2 {good\n[no header] } h9g7")), ["h2e2", "h9g7"]);
}

#[test]
fn uci_position_commands_are_read() {
    for (start, count, text) in [
        ("3k5/8R/9/9/9/9/9/9/9/4K4 w", 3, "3k5/8R/9/9/9/9/9/9/9/4K4 w moves i8i9 d9d8 i9i8"),
        (
            "3k5/8R/9/9/9/9/9/9/9/4K4 w",
            1,
            " position fen 3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1 moves 车一进一\n",
        ),
        ("startpos", 2, "position startpos moves h2e2 h9g7"),
    ] {
        let game = &import_games("xiangqi", text.as_bytes(), false).unwrap()[0];
        assert!(game.record().start.starts_with(start), "{}", game.record().start);
        assert_eq!(main_line(game).len(), count, "{text}");
    }
    let error = position_text("xiangqi", "3k5/8R/9/9/9/9/9/9/9/4K4 w moves i8i9 d9d7", false).unwrap_err();
    assert!(error.message.starts_with("move 1... d9d7: "), "{}", error.message);
}

#[test]
fn a_position_text_or_fen_tag_is_the_start_position() {
    let fen = "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    assert_eq!(import_one("xiangqi", fen).record().start, fen);
    let game = import_one("xiangqi", &format!("[FEN \"{fen}\"]\n\n1. a1d1"));
    assert_eq!((game.record().start.as_str(), main_line(&game)), (fen, vec!["a1d1"]));
    assert!(import_games("xiangqi", b"startpos", false).unwrap()[0].is_untouched());
}

#[test]
fn games_with_too_many_moves_are_rejected_early() {
    let round = "h2e2 h9g7 e2h2 g7h9 ";
    assert_eq!(
        import_games("xiangqi", round.repeat(25).as_bytes(), false).unwrap()[0].tree().path(100).len(),
        100
    );
    let tagged =
        format!("[Game \"Xiangqi\"]\n[Format \"ICCS\"]\n\n{}*", "H2-E2 H9-G7 E2-H2 G7-H9 ".repeat(6_000));
    for text in [round.repeat(20_000), tagged] {
        let error = import_games("xiangqi", text.as_bytes(), false).err().unwrap();
        assert!(
            error.message.starts_with("a game on this page has at most 20000 moves"),
            "{}",
            error.message
        );
        assert!(error.message_zh.unwrap().contains("至多 20000 着"));
    }
}

#[test]
fn import_errors_have_both_languages() {
    for (text, part, part_zh, waivable) in [
        ("h4e4 h9g7", "move 1. h4e4: ", "着法 1. h4e4：“h4e4”在此不合规则：h4 没有子", false),
        ("https://lichess.org/abcdefgh", "the address of a web page", "网页地址", false),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "e0 and e9 face each other along an empty file", "照面", true),
        ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "invalid position: Black has 2 kings", "2 个将", false),
        ("9/9/9 w", "byte 5", "字节 5", false),
        ("[Red \"A\"]\n\n1. h2e5", "(line 3, byte 14)", "（第 3 行，字节 14）", false),
    ] {
        let error = import_games("xiangqi", text.as_bytes(), false).err().expect(text);
        assert!(error.message.contains(part) && error.other_game.is_none(), "{}", error.message);
        assert_eq!(error.waivable, waivable, "{text}");
        assert!(error.message_zh.is_some_and(|message| message.contains(part_zh)), "{text}");
    }
    let file = "[White \"A\"]\n\n1. e4 e5 2. -- Nc6 *\n\n[White \"B\"]\n\n1. e4 Ke5 *\n";
    let games = import_games("chess", file.as_bytes(), true).unwrap();
    let comment = &games[0].tree().node(ROOT).unwrap().comment;
    assert!(
        comment.starts_with("空着及其后的 2 着已略去\n第 2 局（B – ?）：着法 1... Ke5：“Ke5”"),
        "{comment}"
    );
    assert!(comment.ends_with("在此不合规则：黑王不能这样走到 e5。此局保留到此处为止。"), "{comment}");
}

#[test]
fn the_setup_reads_the_same_texts_as_the_import() {
    let start = import_games("xiangqi", b"startpos", false).unwrap()[0].session().view().fen;
    let faulty = "9/9/9/9/9/9/9/9/9/9 w";
    let open = "3k5/8R/9/9/9/9/9/9/9/4K4 w";
    let with_operation = format!("{open} - - id \"two moves and a mate\";");
    for (text, fen) in [
        ("startpos", start.as_str()),
        (faulty, faulty),
        (&format!("position fen {open}"), open),
        (&format!("{open} moves i8i9"), "3k4R/9/9/9/9/9/9/9/9/4K4 b - - 1 1"),
        (&with_operation, &with_operation),
        ("[FEN \"3k5/8R/9/9/9/9/9/9/9/4K4 w\"]\n\n1. i8i9", "3k4R/9/9/9/9/9/9/9/9/4K4 b - - 1 1"),
    ] {
        assert_eq!(position_text("xiangqi", text, false).expect(text), fen, "{text}");
    }
    for text in ["", "hello", "9/9/9 w", "1. e4 e5 2. Nf3", "f5d6", "[Game \"Othello\"]\n\n1. f5 *"] {
        let error = position_text("xiangqi", text, false).expect_err(text);
        match import_games("xiangqi", text.as_bytes(), false) {
            Err(same) => assert_eq!(error, same, "{text}"),
            Ok(games) => assert_eq!(error.other_game, Some(games[0].session().game()), "{text}"),
        }
    }
    // An invalid position of this game is not looked up in other games.
    let error = import_games("chess", b"8/8/8/8/8/8/8/8 w", false).err().unwrap();
    assert!(error.other_game.is_none() && error.message.contains("no king"), "{}", error.message);
    for (game_name, text, part) in [
        ("othello", "--X--q", "byte 5"),
        ("xiangqi", "rnbx", "byte 3"),
        ("xiangqi", "h2e5", "move 1. h2e5: "),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "byte 42"),
    ] {
        let error = import_games(game_name, text.as_bytes(), false).err().unwrap();
        assert!(error.message.contains(part), "{}", error.message);
    }
}

#[test]
fn invalid_text_is_rejected_with_the_place_of_the_error() {
    for (text, part) in [
        ("", "nor a move"),
        ("{nothing}", "nor a move"),
        ("h2e5 h2e2", "move 1. h2e5: "),
        ("帥帥", "move 1. 帥帥: "),
        ("hello there, what is this?", "neither a position nor a move"),
        ("www.xqbase.com/xqbase/?gameid=1", "the address of a web page"),
        ("9/9/9 w", "position text"),
        ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "invalid position"),
        ("[Red \"A\"]\n\n1. h2e5 h9g7", "move 1. h2e5: "),
    ] {
        let error = import_games("xiangqi", text.as_bytes(), false).map(|_| ()).unwrap_err().message;
        assert!(error.contains(part), "{text:?}: {error}");
    }
}

#[test]
fn the_moves_before_a_bad_move_are_kept_with_a_remark() {
    for (game, text, moves, remark) in [
        ("xiangqi", "h2e2 h9g7 h2e2", 2, "the moves from here on cannot be read: move 2. h2e2: "),
        ("xiangqi", "3k5/8R/9/9/9/9/9/9/9/4K4 w moves i8i9 d9d7", 1, "move 1... d9d7: "),
        ("chess", "1. e4 e5 2. Bc4 Nc6 3. Qxf7 Kxf7", 4, "move 3. Qxf7: "),
        ("chess", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Qxf2 3. Nc3", 3, "Move 2... Qxf2: "),
        ("othello", "f5d6c3 nonsense", 3, "nonsense"),
    ] {
        let mut game = import_one(game, text);
        assert_eq!(main_line(&game).len(), moves, "{text}");
        let comment = &game.tree().node(ROOT).unwrap().comment;
        assert!(comment.contains(remark), "{text}: {comment}");
        // The remark belongs to the import: it cannot be undone alone.
        assert!(game.played.undo_edit(alfil_engine::now()).is_err());
        let moves_before = game.tree().move_count();
        game.played.set_comment(ROOT, "my comment".into()).unwrap();
        game.played.undo_edit(alfil_engine::now()).unwrap();
        assert_eq!(game.tree().move_count(), moves_before);
        assert!(game.tree().node(ROOT).unwrap().comment.contains(remark));
    }
    let games = import_games("xiangqi", b"h2e2 h2e2", true).unwrap();
    let comment = &games[0].tree().node(ROOT).unwrap().comment;
    assert!(comment.starts_with("此后的着法无法读取：着法 1... h2e2：“h2e2”"), "{comment}");
    // A position of a part of the moves would be another one.
    let error = position_text("xiangqi", "h2e2 h2e2", false).unwrap_err();
    assert!(error.message.starts_with("move 1... h2e2: "), "{}", error.message);
}

#[test]
fn a_bad_move_ends_a_game_of_a_file_with_a_remark() {
    let text = "[Red \"A\"]\n\n1. h2e2 h9g7 2. h2e2 *\n\n[Red \"B\"]\n\n1. h2e2 *";
    for (is_chinese, expected) in [(false, "Move 2. h2e2: "), (true, "着法 2. h2e2：")] {
        let games = import_games("xiangqi", text.as_bytes(), is_chinese).unwrap();
        assert_eq!(games.len(), 2);
        let tree = &games[0].tree();
        assert_eq!(tree.iter().count(), 3);
        let comment = &tree.node(ROOT).unwrap().comment;
        assert!(comment.contains(expected), "{comment}");
    }
}

#[test]
fn a_game_from_a_position_with_issues_is_imported_and_the_remark_names_them() {
    let text = "[FEN \"3ak4/9/9/9/9/9/9/9/4R4/3K5 w\"]\n\n1. e1e2 *\n\n[Red \"B\"]\n\n1. h2e2 *";
    for (is_chinese, expected) in [
        (false, "invalid position: Black is in check from e1 but is not to move"),
        (true, "没有这样的局面："),
    ] {
        let games = import_games("xiangqi", text.as_bytes(), is_chinese).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tree().iter().count(), 2);
        let comment = &games[0].tree().node(ROOT).unwrap().comment;
        assert!(comment.starts_with(expected), "{comment}");
        assert_eq!(games[1].tree().node(ROOT).unwrap().comment, "");
    }
}

#[test]
fn pasted_addresses_and_quoted_positions_are_read() {
    let fen = "8/8/8/4k3/8/8/8/4K2R w K - 0 1";
    for text in [format!("\"{fen}\""), format!("https://lichess.org/editor/{}", fen.replace(' ', "_"))] {
        assert_eq!(position_text("chess", &text, false).unwrap(), fen, "{text}");
        let games = import_games("chess", text.as_bytes(), false).unwrap();
        assert_eq!(games[0].session().view().fen, fen, "{text}");
    }
}

#[test]
fn files_that_are_not_read_are_named() {
    for (bytes, expected, chinese) in [
        (
            &b"(;FF[4]GM[1];B[dd])"[..],
            "this is an SGF file of another game, not a file",
            "其他棋类的 SGF 文件，不是棋谱",
        ),
        (b"PK\x03\x04\x14\0", "this is a ZIP archive: unpack it first", "请先解压"),
    ] {
        for game in registry::games() {
            let error = import_games(game, bytes, false).err().unwrap();
            assert!(error.message.starts_with(expected), "{game}: {}", error.message);
            assert!(error.message_zh.as_deref().unwrap().contains(chinese), "{:?}", error.message_zh);
        }
    }
}

#[test]
fn an_epd_is_imported_as_a_position() {
    let game = import_one("chess", "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"castle\";");
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!((game.session().view().fen.as_str(), game.record().start.as_str()), (fen, fen));
}
