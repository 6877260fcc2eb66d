//! Inputs on which readers of other projects failed, by their public reports, and others of their kinds: what has one
//! reading is read, and what is lost is said.

use alfil_chess::Chess;
use alfil_othello::Othello;
use alfil_records::charset::Charset;
use alfil_records::text_game::{TextFormat, TextGame, parse_games};
use alfil_records::{RecordError, RecordErrorKind};
use alfil_xiangqi::Xiangqi;

fn read_all(file: &[u8]) -> Vec<Result<TextGame, RecordError>> {
    let (xiangqi, chess, othello) =
        (TextFormat::new::<Xiangqi>(), TextFormat::new::<Chess>(), TextFormat::new::<Othello>());
    parse_games(file, &[&xiangqi, &chess, &othello], None)
}

#[track_caller]
fn read_one(text: &str) -> TextGame {
    let mut games = read_all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the moves of a text that is read without an error or a warning.
#[track_caller]
fn moves(text: &str) -> String {
    let game = read_one(text);
    assert_eq!((&game.error, &game.warnings), (&None, &vec![]), "{text}");
    game.main_line().join(" ")
}

#[test]
fn a_start_position_with_rights_that_it_cannot_have_loses_the_rights_and_not_the_game() {
    for (fen, mv, start, said) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "O-O",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "White cannot castle with a rook on a1; Black cannot castle with a rook on a8; Black cannot castle with a \
             rook on h8",
        ),
        (
            "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6 0 9",
            "Be2",
            "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq - 0 9",
            "no pawn can have just passed e6",
        ),
    ] {
        let game = read_one(&format!("[FEN \"{fen}\"]\n\n1. {mv} *"));
        assert_eq!((game.error, game.start.as_deref()), (None, Some(start)));
        assert_eq!(game.moves.move_count(), 1);
        let said = format!("game 1, line 1, byte 0: left out of the start position: {said}");
        assert_eq!(game.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(), [said]);
    }
    // Nothing of these is lost.
    for (fen, mv) in [
        ("[FEN \"k7/8/8/8/8/8/8/1R2K3 w - - 0 1\"]", "Rb8+"),
        ("[FEN \"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1\"]", "Rd7"),
        ("[Game \"Chinese Chess\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]", "帅五平六"),
    ] {
        assert_eq!(moves(&format!("{fen}\n\n1. {mv} *")).split(' ').count(), 1);
    }
    // No board accepts a position without a king.
    let error = read_all(b"[FEN \"8/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *").remove(0).unwrap_err();
    assert!(matches!(error.kind, RecordErrorKind::InvalidStart(_)), "{error}");
}

#[test]
fn the_start_position_and_the_ratings_of_a_wxf_file_are_read() {
    let file = "FORMAT WXF\nRED A;1850\nBLACK B;Shanghai\nFEN 4k4/9/9/9/9/9/9/9/4p4/3K5 b\nHANDICAP none\n\
                START{\n1. P5.6 *\n}END\n";
    let game = read_one(file);
    assert_eq!(game.start.as_deref(), Some("4k4/9/9/9/9/9/9/9/4p4/3K5 b - - 0 1"));
    assert_eq!(game.main_line(), ["e1f1"]);
    assert_eq!((game.tags.value("RedElo"), game.tags.value("RedTeam")), (Some("1850"), None));
    assert_eq!(game.tags.value("BlackTeam"), Some("Shanghai"));
    let said: Vec<_> = game.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["game 1, line 5, byte 71: the keyword \"HANDICAP\" is unknown, and its line is left out"]
    );
    let error = read_all(b"RED A\nFEN 4k4/9 w\nSTART{\nC2.5\n}END\n").remove(0).unwrap_err();
    assert!(matches!(error.kind, RecordErrorKind::InvalidFen(_)), "{error}");
}

#[test]
fn a_soldier_without_its_file_moves_in_the_only_way_it_can() {
    let game = |fen: &str, mv: &str| format!("[Variant \"xiangqi\"]\n[FEN \"{fen}\"]\n\n1... {mv} *");
    let sideways = "4k4/9/9/9/9/5Np2/9/9/9/3K5 b - - 0 1";
    assert_eq!(moves(&game(sideways, "xf4")), "g4f4");
    assert_eq!(moves(&game(sideways, "f4")), "g4f4");
    // Straight ahead is meant where that is possible.
    assert_eq!(moves(&game("4k4/9/9/9/5p3/5Np2/9/9/9/3K5 b - - 0 1", "xf4")), "f5f4");
    let error = read_one(&game("4k4/9/9/9/9/4pNp2/9/9/9/3K5 b - - 0 1", "xf4")).error.unwrap();
    assert!(error.to_string().contains("as a move in WinBoard's notation"), "{error}");
}

#[test]
fn a_sign_that_stands_alone_ends_no_game() {
    let expected = moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0");
    for sign in [
        "N", "TN", "D", "□", "+/=", "=/+", "±", "∓", "⩲", "⩱", "+-", "-+", "−+", "∞", "=∞", "→", "↑", "⇆",
        "⊕", "∆", "⌓", "!", "?!", "RR", "+", "#",
    ] {
        for at in 1..=6 {
            let mut words = ["1. e4", "e5", "2. Nf3", "Nc6", "3. Bb5", "a6", "1-0"].map(str::to_owned);
            words[at - 1] += &format!(" {sign}");
            assert_eq!(moves(&words.join(" ")), expected, "{sign} after {at} plies");
        }
    }
    assert_eq!(moves("1. e4 e5 2. Nf3 (2. f4 N exf4 +/= 3. Bc4 D) 2... Nc6 N 3. Bb5 □ a6 1-0"), expected);
    // An unknown sign is said; a move that cannot be read is an error where it is.
    let game = read_one("1. e4 e5 2. Nf3 ¤ Nc6 3. Bb5 a6 1-0");
    assert_eq!((game.error.is_none(), game.main_line().join(" ")), (true, expected));
    let said: Vec<_> = game.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["game 1, line 1, byte 16: the sign \"¤\" is unknown and left out"]);
    for (text, at) in
        [("1. e4 e5 2. Nf3 ¤ ¤ Nc6", 16), ("1. e4 e5 2. ¤ Nc6", 12), ("1. e4 e5 2. xyz Nf3", 12)]
    {
        assert_eq!(read_one(text).error.map(|error| error.offset), Some(at), "{text}");
    }
}

#[test]
fn the_pieces_have_letters_of_one_language_a_file() {
    let expected = moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qd6 6. Re1 Kd8 *");
    for (language, text) in [
        ("German", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 6. Te1 Kd8 *"),
        ("French", "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. O-O Dd6 6. Te1 Rd8 *"),
        ("Spanish", "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. 0-0 Dd6 6. Te1 Rd8 *"),
        ("Dutch", "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 6. Te1 Kd8 *"),
        ("Russian", "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. С:c6 dc 5. 0-0 Фd6 6. Лe1 Крd8 *"),
        ("figurines", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♟a6 4. ♗×c6 dxc6 5. O–O ♛d6 6. ♖e1 ♚d8 *"),
        ("figurines of one colour", "1. ♙e4 e5 2. ♘f3 ♘c6 3. ♗b5 a6 4. ♗xc6 dxc6 5. 0–0 ♕d6 6. ♖e1 ♔d8 *"),
        ("small letters", "1. e4 e5 2. nf3 nc6 3. bb5 a6 4. bxc6 dxc6 5. o-o qd6 6. re1 kd8 *"),
    ] {
        assert_eq!(moves(text), expected, "{language}");
    }
    // The second game alone could be read in English: its rook is a king.
    let french =
        "1. e4 e5 2. Cf3 Cc6 3. Fc4 Fc5 *\n\n[FEN \"8/8/8/8/8/4k3/8/R3K2R w - - 0 1\"]\n\n1. Rd1 *\n";
    let games = read_all(french.as_bytes());
    assert_eq!(games[1].as_ref().unwrap().main_line(), ["e1d1"]);
    let english = "[FEN \"8/8/8/8/8/4k3/8/R3K2R w - - 0 1\"]\n\n1. Rd1 *\n";
    assert_eq!(moves(english), "a1d1");
    // A promotion has a letter, too.
    let german = "1. e4 d5 2. exd5 c6 3. dxc6 Sf6 4. cxb7 Sd5 5. bxa8D Sc3 6. Sxc3 Lb7 7. Dxb7 *";
    assert!(moves(german).contains("b7a8q"));
    // One odd word changes no English file.
    let odd = read_all(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 Lb4 *\n\n1. Nf3 Nf6 *\n");
    assert_eq!(odd[1].as_ref().unwrap().main_line(), ["g1f3", "g8f6"]);
}

#[test]
fn pawns_capture_in_the_forms_of_people() {
    let expected = moves("1. e4 d5 2. exd5 c5 3. dxc6 e.p. *");
    for text in [
        "1. e4 d5 2. xd5 c5 3. dxc6ep *",
        "1. e4 d5 2. ed c5 3. dxc6e.p. *",
        "1. e4 d5 2. exd c5 3. dc *",
        "1. e4, d5 2. e4xd5, c5 3. dc6 ep *",
    ] {
        assert_eq!(moves(text), expected, "{text}");
    }
    // Two pawns can capture.
    let error = read_one("1. e4 d5 2. c4 e5 3. xd5 *").error.unwrap();
    assert_eq!(error.mv, "3. xd5");
}

#[test]
fn games_that_share_a_line_or_lack_moves_are_apart() {
    let players = |file: &str| -> Vec<_> {
        let name = |game: Result<TextGame, RecordError>| {
            let game = game.unwrap();
            (game.tags.value("White").unwrap_or_default().to_owned(), game.moves.move_count())
        };
        read_all(file.as_bytes()).into_iter().map(name).collect()
    };
    let pair = [("A".to_owned(), 1), ("B".to_owned(), 2)];
    for file in [
        "[White \"A\"]\n\n1. e4 1-0 [White \"B\"]\n\n1. d4 d5 *\n",
        "[White \"A\"]\n\n1. e4 {won} 1-0 [Event \"x\"] [White \"B\"]\n1. d4 d5 *\n",
        "[White \"A\"]\n\n1. e4 * [White \"B\"] 1. d4 d5 *\n",
    ] {
        assert_eq!(players(file), pair, "{file}");
    }
    // The line of the second game is counted once.
    let error = read_all(b"[White \"A\"]\n\n1. e4 1-0 [White \"B\"]\n\n1. d4 d9 *\n").remove(1).unwrap();
    assert_eq!(error.error.map(|error| (error.game, error.line)), Some((2, 5)));
    // The header of the first game is cut off.
    for header in ["[Site \"x\"]\n[White \"A\"]\n[Black \"Mo\n", "[Site \"x\"]\n[White \"A\"]\n\n"] {
        let games = read_all(format!("{header}[Site \"y\"]\n[White \"B\"]\n\n1. d4 d5 *\n").as_bytes());
        assert_eq!(games.len(), 2, "{header}");
        assert_eq!(games[1].as_ref().unwrap().tags.value("White"), Some("B"));
    }
}

#[test]
fn xiangqi_is_read_as_chinese_programs_write_it() {
    let expected = moves("[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *");
    for text in [
        "1.炮二平五，马8进7 2.马二进三, 车9平8 *",
        "1.炮二平五 马8进7 （1...炮8平5） 2.马二进三 ｛常见｝ 车9平8",
        "1. h2e2 h9g7 2. h0g2 i9h9",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "[Format \"ICCS\"]\n\n1.炮二平五 马8进7 2.马二进三 车9平8",
        "[Format \"Morse\"]\n\n1.炮二平五 马8进7 2.马二进三 车9平8",
    ] {
        let text = format!("[Game \"Chinese Chess\"]\n{text}").replace("\n1", "\n\n1");
        assert_eq!(moves(&text), expected, "{text}");
    }
    let game =
        read_one("[Game \"Chinese Chess\"]\n\n1.炮二平五 马8进7 （1...炮8平5） 2.马二进三 ｛常见｝ 车9平8");
    assert_eq!(game.moves.move_count(), 5);
    for (word, result) in [
        ("红胜", "1-0"),
        ("红方胜", "1-0"),
        ("红先胜", "1-0"),
        ("黑勝", "0-1"),
        ("黑方胜", "0-1"),
        ("和棋", "1/2-1/2"),
        ("平局", "1/2-1/2"),
        ("1–0", "1-0"),
    ] {
        for text in [
            format!("[Game \"Chinese Chess\"]\n[Result \"{word}\"]\n\n1. 炮二平五 {word}"),
            format!("[Game \"Chinese Chess\"]\n\n1. 炮二平五 {word}"),
            format!("[Game \"Chinese Chess\"]\n[Result \"{word}\"]\n\n1. 炮二平五"),
        ] {
            let game = read_one(&text);
            let found = alfil_records::pgn::format_result(game.result);
            assert_eq!((found, game.warnings.len()), (result, 0), "{text}");
        }
    }
}

#[test]
fn othello_is_read_as_programs_of_many_variants_write_it() {
    // Their ranks count from the other edge.
    assert_eq!(moves("[Variant \"Flipello\"]\n\n1. P@c5 P@e6 *"), "c4 e3");
    let base = |games: u32, board_size: u8, records: usize| {
        let mut bytes = vec![20, 1, 12, 31];
        bytes.extend(games.to_le_bytes());
        bytes.extend([0, 0, 0xd1, 7, board_size, 0, 24, 0]);
        bytes.resize(16 + records, 0);
        bytes
    };
    for bytes in [base(1, 10, 100), base(3, 10, 312)] {
        let error = read_all(&bytes).remove(0).unwrap_err();
        assert!(error.to_string().ends_with("the board is 10 by 10, not 8 by 8"), "{error}");
    }
    assert_eq!(read_all(&base(0, 8, 0)), []);
}

#[test]
fn cyrillic_names_are_read_and_western_ones_stay() {
    for (charset, name) in [
        (Charset::Windows1251, "Алехин, Александр"),
        (Charset::Windows1251, "Ёлкина"),
        (Charset::Windows1252, "Núñez Ibáñez"),
        (Charset::Windows1252, "Réti, Æø"),
        (Charset::Utf8, "Капабланка"),
    ] {
        let text = format!("[White \"{name}\"]\n[Black \"Capablanca\"]\n\n1. e4 {{a remark}} e5 *\n");
        let mut games = read_all(&charset.encode(&text).unwrap());
        let game = games.remove(0).unwrap();
        assert_eq!((game.tags.value("White"), game.main_line().len()), (Some(name), 2));
    }
}

#[test]
fn short_cyrillic_names_are_read_as_those_of_the_file() {
    let games = "[White \"Алехин, Александр\"]\n\n1. e4 *\n\n[White \"Ли - Ян\"]\n\n1. d4 *\n\n[White \"Réti\"]\n\n1. Nf3 *\n";
    let (cyrillic, western) = games.split_at(games.find("[White \"Réti").unwrap());
    let file =
        [Charset::Windows1251.encode(cyrillic).unwrap(), Charset::Windows1252.encode(western).unwrap()];
    let names: Vec<_> = read_all(&file.concat())
        .into_iter()
        .map(|game| game.unwrap().tags.value("White").unwrap().to_owned())
        .collect();
    assert_eq!(names, ["Алехин, Александр", "Ли - Ян", "Réti"]);
}

/// Some programs write minutes and seconds, others hours and minutes.
#[test]
fn a_clock_time_of_two_fields_stays_as_it_is_written() {
    let game = read_one("1. e4 {[%clk 1:02]} e5 {[%clk 0:01:02] so} *");
    let moves: Vec<_> = game.moves.iter().map(|(_, text_move)| &text_move.annotation).collect();
    assert!(
        moves
            .iter()
            .any(|annotation| annotation.clock.is_none() && annotation.comment_after == "[%clk 1:02]")
    );
    assert!(moves.iter().any(|annotation| annotation.clock.is_some() && annotation.comment_after == "so"));
}

#[test]
fn a_comment_after_a_variation_is_one_on_the_move_before_it() {
    let game = read_one("1.e4 e6 {first note} (1...c6){, second note} 2.d4 d5 {third note}*");
    let comments: Vec<_> =
        game.moves.iter().map(|(_, text_move)| &text_move.annotation.comment_after[..]).collect();
    assert!(comments.contains(&"first note\n, second note"), "{comments:?}");
}
