//! Tests of files on the command line: games, positions and suites, recognised by their content.

use std::path::PathBuf;

use alfil_session::registry;
use serde_json::Value;

use super::{expect_error_with_input as expect_error, expect_ok_with_input, run_with_input};

fn expect_json(args: &[&str], input: &[u8]) -> Value {
    serde_json::from_str(&expect_ok_with_input(args, input)).unwrap()
}

fn testdata(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/records/testdata")).join(path)
}

const TWO_GAMES: &[u8] = b"[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {good} *\n\n\
    [White \"B\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n";

#[test]
fn a_game_of_a_file_is_a_position() {
    let show = ["show", "chess", "--json", "--pgn", "-"];
    let end = expect_json(&show, TWO_GAMES);
    assert_eq!(end["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    let second = expect_json(&[&show[..], &["--game", "2"]].concat(), TWO_GAMES);
    assert_eq!(second["fen"], "8/3k4/8/8/8/8/8/5RK1 w - - 2 2");
    let start = expect_json(&[&show[..], &["--game", "2", "--ply", "0"]].concat(), TWO_GAMES);
    assert_eq!(start["fen"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let further = expect_json(&[&show[..], &["--ply", "1", "--moves", "c7c5"]].concat(), TWO_GAMES);
    assert_eq!(further["fen"], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let moves = expect_json(&["moves", "chess", "--json", "--pgn", "-", "--dialect", "san"], TWO_GAMES);
    assert!(moves["moves"].as_array().unwrap().contains(&"Nc6".into()), "{moves}");
}

#[test]
fn games_of_every_format_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game");
    std::fs::write(&file, "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 *\n").unwrap();
    let shown = expect_json(&["show", "xiangqi", "--json", "--pgn", file.to_str().unwrap()], b"");
    assert_eq!(shown["fen"], "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
    for (file, end) in [
        (
            "roundtrip.dhtmlxq.txt",
            "r2akabr1/8c/1cn1b1n2/p1p1p1R1p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB2 w - - 14 8",
        ),
        ("spec-example.xqf", "2bakabr1/9/n5nc1/p1p1p1p1p/7r1/2P3P2/P3P3P/C1N1B1N2/9/1R1AKAB1R w - - 2 9"),
    ] {
        let file = testdata("xiangqi").join(file);
        let shown = expect_json(&["show", "xiangqi", "--json", "--pgn", file.to_str().unwrap()], b"");
        assert_eq!(shown["fen"], end, "{file:?}");
    }
    let ggf = testdata("othello/synthetic-games.ggf");
    let transcripts = testdata("othello/synthetic-games.tsv");
    let [one, other] = [ggf, transcripts].map(|file| {
        expect_json(
            &["show", "othello", "--json", "--game", "3", "--ply", "20", "--pgn", file.to_str().unwrap()],
            b"",
        )
    });
    assert_eq!(one["fen"], other["fen"]);
    let base = testdata("othello/synthetic-wth.wtb");
    let base = expect_json(
        &["show", "othello", "--json", "--game", "3", "--ply", "20", "--pgn", base.to_str().unwrap()],
        b"",
    );
    assert_eq!(one["fen"], base["fen"]);
    let sgf = expect_json(&["show", "othello", "--json", "--pgn", "-"], b"(;FF[4]GM[2];B[f5];W[d6])");
    let transcript = expect_json(&["show", "othello", "--json", "--pgn", "-"], b"f5d6");
    assert_eq!(sgf["fen"], transcript["fen"]);
    let board = "-".repeat(26) + "XXX------XO" + &"-".repeat(27);
    let problem = expect_json(
        &["show", "othello", "--json", "--pgn", "-"],
        format!("% two positions\n{board} O; f4:+2;\n").as_bytes(),
    );
    assert_eq!(problem["fen"], format!("{board} O"));
    let cbf = "<ChineseChessRecord><MoveList><Move value=\"77-47\"/></MoveList></ChineseChessRecord>";
    let wxf = "FORMAT WXF\nRED A\nSTART{\n1. C2.5\n}END\n";
    let [cbf, wxf] =
        [cbf, wxf].map(|text| expect_json(&["show", "xiangqi", "--json", "--pgn", "-"], text.as_bytes()));
    assert_eq!(cbf["fen"], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
    assert_eq!(cbf["fen"], wxf["fen"]);
    let openings = b"eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\nC40\tKing's Knight\t1. e4 e5 2. Nf3\n";
    let shown = expect_json(&["show", "chess", "--json", "--game", "2", "--pgn", "-"], openings);
    assert_eq!(shown["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

#[test]
fn a_game_of_a_file_is_judged() {
    // The rook checks for ever.
    let game = "[Game \"Chinese Chess\"]\n[FEN \"3k5/8R/9/9/9/9/9/9/9/4K4 r\"]\n[Format \"ICCS\"]\n\n\
        1. I8-I9 D9-D8 2. I9-I8 D8-D9 3. I8-I9 D9-D8 4. I9-I8 D8-D9 5. I8-I9 D9-D8 *\n";
    let args = ["judge", "xiangqi", "--json", "--rules", "axf", "--pgn", "-"];
    let ruling = expect_json(&args, game.as_bytes());
    assert_eq!((&ruling["verdict"], &ruling["cause"]), (&"red_loses".into(), &"perpetual_check".into()));
    let ruling = expect_json(&[&args[..], &["--ply", "2"]].concat(), game.as_bytes());
    assert_eq!(ruling["verdict"], "none");
}

#[test]
fn errors_in_game_files_are_located() {
    let show = |more: &[&'static str]| [&["show", "chess", "--pgn", "-"], more].concat();
    expect_error(
        &show(&["--game", "3"]),
        TWO_GAMES,
        1,
        "standard input: there are 2 games in the file, and no game 3",
    );
    expect_error(&show(&["--game", "0"]), TWO_GAMES, 2, "0 is not in 1..");
    expect_error(&show(&["--ply", "4"]), TWO_GAMES, 1, "game 1: the main line has 3 plies, and no ply 4");
    expect_error(&show(&[]), b"", 1, "there is no game in the file");
    expect_error(&show(&[]), b"1. e9 *", 1, "standard input: game 1, line 1, byte 3, move 1. e9: ");
    expect_error(
        &show(&["--game", "2", "--ply", "2"]),
        b"1. e4 *\n\n1. e4 e9 *",
        1,
        "the main line has 1 plies, and no ply 2: game 2, line 3, byte 15, move 1... e9",
    );
    expect_error(&show(&["--fen", "startpos"]), TWO_GAMES, 2, "cannot be used with");
    expect_error(&["show", "chess", "--game", "2"], b"", 2, "--pgn");
    expect_error(
        &["show", "xiangqi", "--pgn", "-"],
        TWO_GAMES,
        1,
        "game 1 is a game of chess, not of xiangqi",
    );
    expect_error(&["show", "chess", "--pgn", "no/such/file"], b"", 1, "cannot read no/such/file");
    expect_error(&show(&[]), b"1. e4 -- 2. d4 *", 1, "ply 2 is a null move; the last position is at --ply 1");
    let game = expect_json(&["show", "chess", "--json", "--pgn", "-", "--ply", "1"], b"1. e4 -- 2. d4 *");
    assert_eq!(game["side"], "black");
}

#[test]
fn a_game_with_a_bad_move_has_no_last_position() {
    let (status, out, error) = run_with_input(&["show", "chess", "--json", "--pgn", "-"], b"1. e4 e9 *");
    assert_eq!((status, out.as_str()), (1, ""));
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("alfil: standard input: game 1, line 1, byte 6, move 1... e9: "), "{error}");
    assert!(error.ends_with("; the position before it is at --ply 1\n"), "{error}");
    // The moves before the bad one can be read.
    expect_json(&["show", "chess", "--json", "--pgn", "-", "--ply", "1"], b"1. e4 e9 *");
}

#[test]
fn files_that_are_not_read_are_named_by_their_content() {
    for (bytes, expected) in [
        (&b"(;FF[4]GM[1];B[dd])"[..], "this is an SGF file of another game, not a file of games"),
        (b"SQLite format 3\0", "this is an SQLite database, not a file of games"),
        (b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;", "this is a file of positions (EPD), which has positions"),
        (b"\x1f\x8b\x08\0", "the gzip data are cut off here"),
        (b"PK\x03\x04\0", "it is a ZIP archive: unpack it first"),
        (
            b"\x71\xe8\x23\x5d\x31\0",
            "this is a Syzygy endgame tablebase, which has results of positions and no games",
        ),
        (
            b"\0\0\0\0\0\0\0\x01\x03\x1c\0\x01\0\0\0\0\0\0\0\0\0\0\0\x02\x03\x1c\0\x01\0\0\0\0\
              \0\0\0\0\0\0\0\x03\x03\x1c\0\x01\0\0\0\0",
            "this is a Polyglot opening book, which has moves of positions and no games",
        ),
        (b"\x7fELF\0\0", "this is a binary file of no known format, not a file of games"),
    ] {
        for game in registry::games() {
            expect_error(&["moves", game, "--pgn", "-"], bytes, 1, expected);
        }
    }
}

#[test]
fn an_epd_is_a_position_in_every_game() {
    let position =
        |game: &str, fen: &str| expect_json(&["show", game, "--json", "--fen", fen], b"")["fen"].clone();
    assert_eq!(
        position("chess", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\"; hmvc 3;"),
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 3 1"
    );
    assert_eq!(position("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(
        position("xiangqi", "3k5/9/9/9/9/9/9/9/9/4K4 w - - bm e0e1; fmvn 7;"),
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 7"
    );
    let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
    assert_eq!(position("othello", &format!("{board}; f5:+0; d3:+0;")), board.as_str());
    assert_eq!(position("othello", &format!("{board} bm f5; id \"start\"")), board.as_str());
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;";
    for command in [&["moves", "chess"][..], &["perft", "chess", "--depth", "1"]] {
        let (status, out, error) = run_with_input(&[command, &["--fen", fen]].concat(), b"");
        assert_eq!((status, error.as_str()), (0, ""), "{command:?}: {out}");
    }
    let solved =
        expect_json(&["solve", "othello", "--json", "--fen", &format!("{} X; id x;", "X".repeat(64))], b"");
    assert_eq!(solved["score"], 64);
    let fen = |text| ["show", "chess", "--fen", text];
    expect_error(&fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1 x"), b"", 1, "byte 31 (end)");
    expect_error(&fen("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; 5 x;"), b"", 1, "(operation): expected a name");
    expect_error(&fen("4k3/8/8/8/8/8/8/4K2R w K - id \"x"), b"", 1, "(operation): expected a closing quote");
}

#[test]
fn perft_suites_of_positions_with_counts_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite");
    let name = file.to_str().unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let run = |game: &str, text: &str| {
        std::fs::write(&file, text).unwrap();
        run_with_input(&["perft", game, "--suite", name, "--max-nodes", "2000"], b"")
    };
    let (status, out, _) = run("chess", &format!("# a suite\r\n{start} ;D1 20 ;D2 400 ;D6 119060324\r\n"));
    assert_eq!((status, out.lines().count()), (0, 4), "{out}");
    assert!(out.contains(&format!("ok {start} depth 2: 400\n")), "{out}");
    assert!(out.ends_with("1 skipped\n2 passed, 0 failed\n"), "{out}");
    let (status, out, _) = run("chess", &format!("{start} D1 21;"));
    assert_eq!(status, 1);
    assert!(out.contains("expected 21, counted 20"), "{out}");
    let (status, out, _) = run(
        "xiangqi",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 ;D1 44 ;id \"s\"",
    );
    assert_eq!((status, out.lines().last()), (0, Some("1 passed, 0 failed")));
    let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
    let (status, out, _) = run("othello", &format!("{board} ;D1 4 ;D3 56"));
    assert_eq!((status, out.lines().last()), (0, Some("2 passed, 0 failed")));
    let (status, out, _) = run("chess", &format!("id start\nepd {start}\nperft 1 20\nperft 2 400\n"));
    assert_eq!((status, out.lines().last()), (0, Some("2 passed, 0 failed")));
    let row = |more: &str| format!("{{\"fen\": \"{start}\", \"depth\": 1, \"nodes\": 20{more}}}\n");
    for (text, expected) in [
        // The conventions of all rows are checked before the first row is counted.
        (row("") + &row(", \"convention\": \"free\""), "suite:2: chess has no passes"),
        (start.to_owned(), "suite:1: the position has no counts such as ;D1 20"),
        (format!("{start} ;D1 20\n{start} ;D1 x"), "suite:2: D1: \"x\" is not a whole number"),
        ("[White \"A\"]\n\n1. e4 *".to_owned(), "this is a PGN file; a suite has JSON lines"),
    ] {
        let (status, out, error) = run("chess", &text);
        assert_eq!((status, out.as_str()), (1, ""), "{text}");
        assert!(error.contains(expected), "{text}: {error}");
    }
    // An argument is no fault of a row.
    std::fs::write(&file, format!("{start} ;D1 20")).unwrap();
    let pass = ["perft", "chess", "--suite", name, "--pass", "free"];
    expect_error(&pass, b"", 1, "alfil: chess has no passes");
    std::fs::write(&file, "(;GM[Othello])").unwrap();
    expect_error(
        &["solve", "othello", "--suite", name],
        b"",
        1,
        "this is a GGF file; a suite is a file of Othello problems",
    );
}

/// A bad move once made every position of its game unreachable.
#[test]
fn the_positions_before_a_bad_move_are_reached() {
    let file = b"[White \"A\"]\n\n1. d4 *\n\n[White \"B\"]\n\n1. e4 {well} e5 (1... c5) 2. Nf3 Ke4 3. d4 *\n\n[White \"C\"]\n\n*\n";
    let show = |ply| ["show", "chess", "--json", "--pgn", "-", "--game", "2", "--ply", ply];
    assert_eq!(
        expect_json(&show("0"), file)["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    let last = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(expect_json(&show("3"), file)["fen"], last);
    for ply in ["4", "5", "99"] {
        expect_error(&show(ply), file, 1, &format!("game 2: the main line has 3 plies, and no ply {ply}: "));
        expect_error(&show(ply), file, 1, "game 2, line 7, byte 68, move 2... Ke4");
    }
    let bad_start = b"[FEN \"4k3/8 w\"]\n\n1. e4 *\n";
    expect_error(&["show", "chess", "--pgn", "-", "--ply", "0"], bad_start, 1, "game 1, line ");
    let xiangqi = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 2. 车九进九 *\n";
    let show = ["show", "xiangqi", "--json", "--pgn", "-", "--ply", "2"];
    let shown = expect_json(&show, xiangqi.as_bytes());
    assert_eq!(shown["fen"], "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
}
