//! Tests of the program: output, errors and exit status.

use super::{expect_error, expect_ok, run, run_unread};

const KINGS_FACING_FEN: &str = "3k5/9/9/9/9/9/9/9/9/3K5 w";

#[test]
fn perft_counts_are_correct() {
    assert_eq!(expect_ok(&["perft", "xiangqi", "--depth", "0"]), "1\n");
    assert_eq!(expect_ok(&["perft", "xiangqi", "--depth", "4"]), "3290240\n");
    assert_eq!(
        expect_ok(&["perft", "xiangqi", "--depth", "3", "--board", "mailbox", "--threads", "2"]),
        "79666\n"
    );
    assert_eq!(expect_ok(&["perft", "xiangqi", "--depth", "4", "--hash", "8"]), "3290240\n");
    assert_eq!(expect_ok(&["perft", "xiangqi", "--depth", "1", "--moves", "h2e2", "h9g7"]), "35\n");
    let output = expect_ok(&["perft", "xiangqi", "--depth", "2", "--divide"]);
    let rows: Vec<_> = output.lines().collect();
    assert_eq!(rows.len(), 45);
    assert_eq!((rows[0], rows[44]), ("a0a1: 44", "1920"));
    assert!(rows[..44].is_sorted());
}

#[test]
fn perft_prints_json() {
    let out = expect_ok(&["perft", "xiangqi", "--depth", "2", "--json", "--divide"]);
    assert_eq!(out.lines().count(), 1);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&object["game"], &object["depth"], &object["nodes"]),
        (&"xiangqi".into(), &2.into(), &1920.into())
    );
    assert_eq!(object["divide"].as_array().unwrap().len(), 44);
    for field in ["board", "fen", "seconds", "nps"] {
        assert!(!object[field].is_null(), "{field}");
    }
}

#[test]
fn suites_report_passed_failed_and_skipped_rows() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let row = |depth: u32, nodes: &str| {
        format!("{{\"fen\": \"{start}\", \"depth\": {depth}, \"nodes\": {nodes}}}\n")
    };
    let passing = file("sound", &(row(1, "44") + &row(2, "1920") + &row(30, "99999999999999999999999999")));
    let out = expect_ok(&["perft", "xiangqi", "--suite", &passing, "--max-nodes", "5000"]);
    assert!(out.ends_with("1 skipped\n2 passed, 0 failed\n"), "{out}");
    let failing = file("wrong", &(row(1, "45") + &row(2, "1920")));
    let (status, out, _) = run(&["perft", "xiangqi", "--suite", &failing]);
    assert_eq!(status, 1);
    assert!(out.contains("expected 45, counted 44") && out.ends_with("1 passed, 1 failed\n"), "{out}");
    // The exit status says whether the rows passed, even if nothing reads them.
    assert_eq!(run_unread(&["perft", "xiangqi", "--suite", &failing]), (1, String::new()));
    let (status, out, _) = run(&["perft", "xiangqi", "--suite", &failing, "--json"]);
    assert_eq!(status, 1);
    assert!(out.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(out.lines().last(), Some(r#"{"passed":1,"failed":1,"skipped":0}"#));
    for (text, expected) in [
        ("nonsense\n", ":1: position text, byte 1 (placement)"),
        ("{\"fen\"\n", ":1: not a JSON object"),
        ("\n{\"depth\": 1, \"nodes\": 1}\n", ":2: fen (or board) is missing"),
        ("{\"fen\": \"9 w\", \"depth\": 1, \"nodes\": 1}\n", ":1: position text, byte 1"),
        ("{\"fen\": \"startpos\", \"depth\": -1, \"nodes\": 1}\n", ":1: depth is not a whole number"),
    ] {
        expect_error(&["perft", "xiangqi", "--suite", &file("bad", text)], 1, expected);
    }
    expect_error(&["perft", "xiangqi", "--suite", "no/such/file"], 1, "cannot read no/such/file");
}

#[test]
fn moves_are_listed_in_every_dialect() {
    let moves = expect_ok(&["moves", "xiangqi"]);
    assert_eq!(moves.lines().count(), 44);
    assert!(moves.lines().is_sorted());
    for (dialect, part) in [
        ("uci10", "h1g3\n"),
        ("iccs", "H0-G2\n"),
        ("wxf", "N2+3\n"),
        ("chinese", "马二进三\n"),
        ("chinese-traditional", "馬二進三\n"),
    ] {
        let moves = expect_ok(&["moves", "xiangqi", "--dialect", dialect]);
        assert!(moves.contains(part) && moves.lines().count() == 44, "{moves}");
    }
}

/// A seventh check in a row is listed apart, with the reason, and only under the ruleset that refuses it.
#[test]
fn refused_moves_are_listed_apart() {
    let checks = "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9";
    let mut args = vec!["moves", "xiangqi", "--fen", "4k4/9/3R5/9/9/4P4/9/9/9/3K5 w", "--moves"];
    args.extend(checks.split(' '));
    let all = expect_ok(&args);
    assert!(all.contains("f7e7\n") && !all.contains("refused"), "{all}");
    let refusing = [&args[..], &["--rules", "tiantian"]].concat();
    let listed = expect_ok(&refusing);
    let refusal = "f7e7 refused: 6 checks in a row are allowed, and it is one more\n";
    assert!(!listed.contains("f7e7\n") && listed.contains(refusal), "{listed}");
    assert_eq!(listed.lines().count(), all.lines().count());
    let json: serde_json::Value =
        serde_json::from_str(&expect_ok(&[&refusing[..], &["--json"]].concat())).unwrap();
    let refused = json["refused"].as_array().unwrap();
    assert!(refused.iter().any(|row| row["move"] == "f7e7" && row["cause"] == "perpetual_check"), "{json}");
    assert!(refused.iter().all(|row| row["limit"] == 6), "{json}");
}

#[test]
fn moves_are_read_in_the_named_dialect_only() {
    let after = expect_ok(&["show", "xiangqi", "--moves", "h2e2", "--json"]);
    assert_eq!(expect_ok(&["show", "xiangqi", "--dialect", "uci10", "--moves", "h3e3", "--json"]), after);
    for (dialect, text) in [
        ("iccs", "H2-E2"),
        ("wxf", "C2.5"),
        ("wxf", "c2=5"),
        ("chinese", "炮二平五"),
        ("chinese", "砲２平５"),
        ("chinese-traditional", "炮2平5"),
    ] {
        assert_eq!(expect_ok(&["show", "xiangqi", "--dialect", dialect, "--moves", text, "--json"]), after);
    }
    expect_error(
        &["show", "xiangqi", "--moves", "h2e2", "h10g8"],
        1,
        "move 2: \"h10g8\" is illegal here as ucci; as uci10",
    );
    expect_error(&["show", "xiangqi", "--moves", "H2-E2"], 1, "as iccs it would be legal");
    expect_error(&["show", "xiangqi", "--moves", "炮二平五"], 1, "as chinese it would be legal");
    expect_error(
        &["show", "xiangqi", "--dialect", "chinese", "--moves", "C2.5"],
        1,
        "as wxf it would be legal",
    );
    expect_error(
        &["show", "xiangqi", "--dialect", "wxf", "--moves", "C2.5", "h9g7"],
        1,
        "move 2: \"h9g7\" is illegal here as wxf; as ucci",
    );
}

#[test]
fn show_prints_board_representation_json_and_svg() {
    let hanzi = expect_ok(&["show", "xiangqi"]);
    assert!(hanzi.contains("車──馬──相──仕──帥──仕──相──馬──車") && hanzi.contains("楚河"), "{hanzi}");
    assert!(expect_ok(&["show", "xiangqi", "--pieces", "ascii"]).is_ascii());
    assert!(expect_ok(&["show", "xiangqi", "--raw", "--board", "mailbox"]).contains("bit-files"));
    let object: serde_json::Value = serde_json::from_str(&expect_ok(&["show", "xiangqi", "--json"])).unwrap();
    assert_eq!((&object["side"], &object["occurrences"]), (&"red".into(), &1.into()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    expect_ok(&["show", "xiangqi", "--svg", file.to_str().unwrap()]);
    let picture = std::fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("Red king e0"));
    expect_error(
        &["show", "xiangqi", "--svg", "/no/such/folder/x.svg"],
        1,
        "cannot write /no/such/folder/x.svg",
    );
}

#[test]
fn repetitions_are_counted_and_end_the_game() {
    let shuttle = ["h2e2", "h7e7", "e2h2", "e7h7"];
    let shown_after = |cycles: usize| {
        let mut args = vec!["show", "xiangqi", "--json", "--moves"];
        (0..cycles).for_each(|_| args.extend(shuttle));
        serde_json::from_str::<serde_json::Value>(&expect_ok(&args)).unwrap()
    };
    assert_eq!(
        (&shown_after(1)["occurrences"], &shown_after(1)["cause"]),
        (&2.into(), &serde_json::Value::Null)
    );
    assert_eq!((&shown_after(2)["occurrences"], &shown_after(2)["cause"]), (&3.into(), &"repetition".into()));
}

#[test]
fn invalid_arguments_are_usage_errors() {
    // Without arguments and without a terminal the program is an engine, which ends with its input.
    assert_eq!(expect_ok(&[]), "");
    expect_error(&["moves", "go"], 2, "xiangqi");
    expect_error(&["moves", "xiangqi", "--board", "slate"], 2, "mailbox");
    expect_error(
        &["moves", "xiangqi", "--dialect", "wax"],
        2,
        "ucci, uci10, iccs, wxf, chinese, chinese-traditional",
    );
    expect_error(&["moves", "xiangqi", "--waive", "unknown"], 2, "generals_facing");
    expect_error(
        &["play", "xiangqi", "--waive", "generals_facing,unknown"],
        2,
        "invalid value 'unknown' for '--waive <NAME>'",
    );
    expect_error(&["perft", "xiangqi"], 2, "--depth");
    expect_error(&["perft", "xiangqi", "--depth", "-1"], 2, "-1");
    expect_error(&["perft", "xiangqi", "--depth", "5000"], 2, "64");
    expect_error(&["perft", "xiangqi", "--depth", "x"], 2, "invalid value 'x'");
    expect_error(&["perft", "xiangqi", "--depth", "1", "--threads", "0"], 2, "threads");
    expect_error(&["show", "xiangqi", "--pieces", "stones"], 2, "hanzi");
    for option in ["--raw", "--json"] {
        expect_error(&["show", "xiangqi", option, "--pieces", "ascii"], 2, "cannot be used with");
    }
    for option in ["--dialect=san", "--960"] {
        expect_error(&["perft", "chess", "--suite", "file", option], 2, "cannot be used with");
    }
}

#[test]
fn a_command_of_one_game_needs_no_name_of_it() {
    const ENDING: [&str; 2] = ["--fen", "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"];
    let first_lines = |args: &[&str]| {
        let text = expect_ok(args);
        text.lines().take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let solution = first_lines(&[&["solve"], &ENDING[..]].concat());
    assert_eq!(solution, ["score +6", "best h5", "pv h5"]);
    assert_eq!(solution, first_lines(&[&["solve", "othello"], &ENDING[..]].concat()));
    assert_eq!(expect_ok(&["judge"]), expect_ok(&["judge", "xiangqi"]));
    expect_error(&["book"], 2, "--state <FILE>");
    // Chess has neither, so castling cannot be written there.
    for command in ["judge", "solve"] {
        expect_error(&[command, "--960"], 2, "unexpected argument '--960'");
        expect_error(&[command, "chess"], 2, "invalid value 'chess'");
    }
}

#[test]
fn input_errors_name_cause_and_place() {
    expect_error(&["moves", "xiangqi", "--fen", "x"], 1, "byte 0 (placement)");
    expect_error(&["moves", "xiangqi", "--fen", ""], 1, "found the end");
    expect_error(
        &["moves", "xiangqi", "--position", "9/9/9/9/9/9/9/9/9/9 x"],
        1,
        "byte 20 (side): expected w or r",
    );
    expect_error(
        &["moves", "xiangqi", "--fen", "9/9/9/9/9/9/9/9/9/9 w"],
        1,
        "Red has no king (cannot be waived)",
    );
    expect_error(&["moves", "xiangqi", "--fen", KINGS_FACING_FEN], 1, "can be waived as generals_facing");
    expect_error(&["moves", "xiangqi", "--moves", "e0e5"], 1, "the Red king on e0 cannot move to e5");
    expect_error(&["moves", "xiangqi", "--moves", "e1e8"], 1, "there is no piece on e1");
    expect_error(&["moves", "xiangqi", "--moves", "h9g7"], 1, "it is Red's turn, and h9 has a Black horse");
    expect_error(&["moves", "xiangqi", "--moves", "帥帥"], 1, "as a move in ucci");
    expect_error(&["moves", "othello", "--moves", "帥帥"], 1, "as a move in transcript");
    expect_error(&["moves", "xiangqi", "--moves", "zz"], 1, "cannot read \"zz\" as a move in ucci");
    expect_error(&["perft", "xiangqi", "--depth", "2", "--pass", "ply"], 1, "no passes");
}

#[test]
fn setup_issues_are_waived_by_name() {
    let perft = ["perft", "xiangqi", "--depth", "1", "--fen", KINGS_FACING_FEN, "--waive"];
    for name in ["generals_facing", "all"] {
        assert_eq!(expect_ok(&[&perft[..], &[name]].concat()), "1\n");
    }
}

#[test]
fn help_lists_the_games_of_a_command() {
    for (command, games) in [("judge", "[possible values: xiangqi]"), ("solve", "[possible values: othello]")]
    {
        assert!(expect_ok(&[command, "--help"]).contains(games), "{command}");
    }
    assert!(expect_ok(&["moves", "--help"]).contains("[possible values: xiangqi, chess, othello]"));
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let commands = super::help::commands();
    assert!(commands.len() > 20 && commands.iter().any(|command| command == "selfplay"), "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = expect_ok(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command.as_str())), "{shell}");
        assert!(script.contains("all-rules"), "{shell}");
    }
    expect_error(&["completions", "csh"], 2, "possible values: bash");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    expect_ok(&["man", pages.to_str().unwrap()]);
    for command in &commands {
        let page = std::fs::read_to_string(pages.join(format!("alfil-{command}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(".SH SYNOPSIS"), "{page}");
    }
    let judge = std::fs::read_to_string(pages.join("alfil-judge.1")).unwrap();
    assert!(
        judge.contains("all\\-rules") && judge.contains("xiangqi") && !judge.contains("othello"),
        "{judge}"
    );
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    expect_error(&["man", file.join("pages").to_str().unwrap()], 1, "cannot write");
}

#[test]
fn a_closed_output_is_no_error() {
    let pipeline = format!("{} moves xiangqi | head -1", env!("CARGO_BIN_EXE_alfil"));
    let output = std::process::Command::new("sh").args(["-c", &pipeline]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a0a1\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_used_port_gives_one_error_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    expect_error(
        &["serve", "--port", &port, "--data", folder.path().to_str().unwrap()],
        1,
        &format!("cannot open port {port} on this machine"),
    );
}

#[test]
fn all_boards_of_a_game_visit_equal_node_counts() {
    for (game, boards) in [("xiangqi", 3), ("chess", 2)] {
        let out = expect_ok(&["bench", game, "--json"]);
        let rows: Vec<serde_json::Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), boards);
        assert!(rows.iter().all(|row| row["nodes"] == rows[0]["nodes"] && row["game"] == game), "{out}");
    }
}

#[test]
fn othello_perft_follows_the_pass_convention() {
    assert_eq!(expect_ok(&["perft", "othello", "--depth", "7"]), "55092\n");
    assert_eq!(expect_ok(&["perft", "othello", "--depth", "9", "--pass", "free"]), "3005320\n");
    assert_eq!(
        expect_ok(&["perft", "othello", "--depth", "9", "--pass", "ply", "--board", "mailbox"]),
        "3005288\n"
    );
    assert_eq!(expect_ok(&["moves", "othello", "--moves", "f5"]), "d6\nf4\nf6\n");
    expect_error(&["moves", "othello", "--moves", "a1"], 1, "would not flip any disc");
    assert_eq!(expect_ok(&["perft", "othello", "--depth", "2", "--hash", "1"]), "12\n");
    let full = format!("{} X", "X".repeat(64));
    assert_eq!(expect_ok(&["perft", "othello", "--depth", "3", "--fen", &full]), "1\n");
    assert_eq!(expect_ok(&["perft", "othello", "--depth", "3", "--pass", "full", "--fen", &full]), "0\n");
}

const CASTLING_FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn chess_commands_work() {
    assert_eq!(expect_ok(&["perft", "chess", "--depth", "5"]), "4865609\n");
    assert_eq!(
        expect_ok(&["perft", "chess", "--depth", "4", "--board", "mailbox", "--threads", "2"]),
        "197281\n"
    );
    assert_eq!(expect_ok(&["perft", "chess", "--depth", "4", "--hash", "8"]), "197281\n");
    assert_eq!(expect_ok(&["moves", "chess", "--moves", "e2e4", "e7e5"]).lines().count(), 29);
    let san = expect_ok(&["moves", "chess", "--dialect", "san", "--moves", "e4", "e5", "Nf3"]);
    assert!(san.contains("Nc6\n") && san.lines().is_sorted(), "{san}");
    let text = expect_ok(&["show", "chess", "--moves", "f2f3", "e7e5", "g2g4", "d8h4"]);
    assert!(text.contains('♛') && text.contains("status       Checkmate: Black wins"), "{text}");
    assert!(expect_ok(&["show", "chess", "--pieces", "ascii"]).is_ascii());
    let object: serde_json::Value = serde_json::from_str(&expect_ok(&["show", "chess", "--json"])).unwrap();
    assert_eq!((&object["side"], &object["pieces"]["e1"]), (&"white".into(), &"K".into()));
    assert_eq!(object["men"], object["pieces"], "the earlier name");
}

#[test]
fn castling_notation_follows_the_dialect() {
    let plain = expect_ok(&["perft", "chess", "--depth", "1", "--divide", "--fen", CASTLING_FEN]);
    assert!(plain.contains("e1c1: 1\n") && plain.contains("e1g1: 1\n"), "{plain}");
    let chess960 = expect_ok(&["perft", "chess", "--depth", "1", "--divide", "--960", "--fen", CASTLING_FEN]);
    assert!(
        chess960.contains("e1a1: 1\n") && chess960.contains("e1h1: 1\n") && !chess960.contains("e1g1"),
        "{chess960}"
    );
    let san =
        expect_ok(&["perft", "chess", "--depth", "1", "--divide", "--dialect", "san", "--fen", CASTLING_FEN]);
    assert!(san.contains("O-O: 1\n") && san.contains("O-O-O: 1\n"), "{san}");
    let expected = expect_ok(&["show", "chess", "--json", "--fen", CASTLING_FEN, "--moves", "e1g1"]);
    assert_eq!(
        expect_ok(&["show", "chess", "--json", "--960", "--fen", CASTLING_FEN, "--moves", "e1h1"]),
        expected
    );
    assert_eq!(
        expect_ok(&["show", "chess", "--json", "--dialect", "san", "--fen", CASTLING_FEN, "--moves", "O-O"]),
        expected
    );
    let listed: serde_json::Value =
        serde_json::from_str(&expect_ok(&["moves", "chess", "--960", "--json"])).unwrap();
    assert_eq!(listed["dialect"], "uci960");
    expect_error(
        &["moves", "chess", "--fen", CASTLING_FEN, "--moves", "e1h1"],
        1,
        "as uci960 it would be legal",
    );
    expect_error(
        &["moves", "chess", "--960", "--fen", CASTLING_FEN, "--moves", "e1g1"],
        1,
        "as uci it would be legal",
    );
    expect_error(&["moves", "chess", "--moves", "Nf3"], 1, "as san it would be legal");
    expect_error(&["moves", "xiangqi", "--960"], 2, "xiangqi has no castling");
}

#[test]
fn castling_rights_are_read_in_all_notations() {
    let chess960 = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w";
    for rights in ["FBfb", "KQkq", "BFbf"] {
        let fen = format!("{chess960} {rights} - 0 9");
        assert_eq!(expect_ok(&["perft", "chess", "--depth", "3", "--fen", &fen]), "14569\n");
    }
    expect_error(
        &["moves", "chess", "--fen", &format!("{chess960} AHah - 0 9")],
        1,
        "cannot castle with a rook on a1",
    );
    expect_error(
        &["moves", "chess", "--fen", "8/8/8/8/8/8/8/4K3 w"],
        1,
        "Black has no king (cannot be waived)",
    );
    expect_error(
        &["moves", "chess", "--fen", "4k3/8/8/4R3/8/8/8/4K3 w"],
        1,
        "can be waived as opponent_in_check",
    );
}

/// Rank 1 comes first, as in the source text on the 0x88 board.
#[test]
fn the_0x88_board_is_printed_in_memory_order() {
    let raw = expect_ok(&["show", "chess", "--raw", "--board", "mailbox"]);
    let rows: Vec<_> = raw.lines().collect();
    assert_eq!((rows[0], rows[1], rows[7]), ("RNBQKBNR", "PPPPPPPP", "rnbqkbnr"), "rank 1 on top");
    assert!(rows[8].starts_with("white: K04 R00") && rows[9].starts_with("black: k74"), "{raw}");
    assert!(expect_ok(&["show", "chess", "--raw"]).contains("pinned"));
}

#[test]
fn chess_perft_suite_passes() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/chess/testdata/perft.jsonl");
    let out = expect_ok(&["perft", "chess", "--suite", suite, "--max-nodes", "100000"]);
    assert!(out.ends_with(" passed, 0 failed\n") && out.contains(" skipped\n"), "{out}");
}

const ENDGAME_FEN: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

#[test]
fn othello_endgames_are_solved() {
    let out = expect_ok(&["solve", "othello", "--fen", ENDGAME_FEN]);
    let rows: Vec<_> = out.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[1]), (4, "score +6", "best h5"));
    assert_eq!(rows[2], "pv h5", "then neither side can move");
    let out = expect_ok(&[
        "solve",
        "othello",
        "--position",
        ENDGAME_FEN,
        "--moves",
        "h5",
        "--threads",
        "2",
        "--json",
    ]);
    assert_eq!(out.lines().count(), 1);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["score"], -6);
    assert_eq!(object["pv"][0], object["best"]);
    assert!(object["nodes"].as_u64().is_some() && object["seconds"].as_f64().is_some());
    let ffo_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let out = expect_ok(&["solve", "othello", "--fen", ffo_1]);
    assert!(out.starts_with("score +18\nbest g8\npv g8 "), "{out}");
    assert!(expect_ok(&["solve", "othello", "--fen", ENDGAME_FEN, "--wld"]).starts_with("score +1\n"));
    let out = expect_ok(&["solve", "othello", "--fen", ffo_1, "--all"]);
    let rows: Vec<_> = out.lines().collect();
    assert_eq!((rows[0], rows[1], rows[3]), ("score +18", "best g8", "g8 +18"));
    let out = expect_ok(&["solve", "othello", "--fen", ffo_1, "--all", "--json", "--hash", "16"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["moves"][0], serde_json::json!({ "move": "g8", "score": 18 }));
    assert_eq!(object["moves"].as_array().unwrap().len(), rows.len() - 4);
    expect_error(&["solve", "xiangqi"], 2, "invalid value 'xiangqi' for '[GAME]' [possible values: othello]");
    expect_error(&["solve", "chess"], 2, "possible values: othello");
}

/// The solution of the start position once began without end or warning.
#[test]
fn a_position_that_cannot_be_solved_is_refused() {
    expect_error(
        &["solve"],
        1,
        "a position with 60 empty squares cannot be solved in a lifetime: name an ending",
    );
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("problems.obf");
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
    std::fs::write(&suite, format!("{} X; +64;\n{start};\n", "X".repeat(64))).unwrap();
    let expected = "problems.obf:2: a position with 60 empty squares cannot be solved in a lifetime";
    expect_error(&["solve", "--suite", suite.to_str().unwrap()], 1, expected);
}

#[test]
fn an_engine_of_the_page_that_does_not_exist_is_refused_at_the_start() {
    for (program, expected) in [
        ("/nonexistent", "engine nonexistent: cannot start /nonexistent: there is no such file"),
        ("no-such-program", "there is no such program in the folders of PATH"),
        ("/usr", "cannot start /usr: it is a folder"),
    ] {
        expect_error(&["serve", "--engine", &format!("cmd={program} proto=uci")], 1, expected);
    }
}

#[test]
fn problem_files_are_solved_row_by_row() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let file = folder.join("problems.obf");
    let name = file.to_str().unwrap();
    let write = |text: String| std::fs::write(&file, text).unwrap();
    write(format!("\u{feff}{ENDGAME_FEN}; h5:+6;\n% a comment\n{ENDGAME_FEN}; h5:+8;\n{ENDGAME_FEN};\n"));
    let (status, out, error) = run(&["solve", "othello", "--suite", name]);
    assert_eq!((status, error.as_str()), (1, ""));
    let rows: Vec<_> = out.lines().collect();
    assert_eq!(rows[rows.len() - 2..], ["1 without an expected score", "1 passed, 1 failed"]);
    assert!(rows[0].ends_with("ok") && rows[1].ends_with("MISMATCH, expected +8"), "{out}");
    let out = expect_ok(&["solve", "othello", "--suite", name, "--to", "1", "--threads", "2"]);
    assert_eq!(out.lines().last(), Some("1 passed, 0 failed"));
    let (status, out, _) = run(&["solve", "othello", "--suite", name, "--from", "2", "--json"]);
    let totals: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((status, &totals["failed"], &totals["skipped"]), (1, &1.into(), &1.into()));
    expect_error(&["solve", "othello", "--suite", name, "--from", "4"], 2, "has 3 positions");
    // A pipe can be read once.
    let pipeline =
        format!("cat {name} | {} solve othello --suite /dev/stdin --to 1", env!("CARGO_BIN_EXE_alfil"));
    let output = std::process::Command::new("sh").args(["-c", &pipeline]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("1 passed, 0 failed\n"));
    expect_error(
        &["solve", "othello", "--suite", name, "--from", "3", "--to", "2"],
        2,
        "the range 3 to 2 is invalid",
    );
    expect_error(&["solve", "xiangqi", "--suite", name], 2, "possible values: othello");
    write(format!("{ENDGAME_FEN}; h9:+6;\n"));
    expect_error(&["solve", "othello", "--suite", name], 1, "line 1, ");
    // No position is solved if one is invalid: here d4 is empty.
    write(format!("{ENDGAME_FEN};\n{}-{} X;\n", "X".repeat(27), "X".repeat(36)));
    expect_error(&["solve", "othello", "--suite", name], 1, ":2: ");
    expect_error(&["solve", "othello", "--suite", "/nowhere.obf"], 1, "cannot read /nowhere.obf");
    expect_error(&["solve", "othello", "--suite", name, "--fen", ENDGAME_FEN], 2, "cannot be used with");
}

const CHASE_ARGS: [&str; 13] = [
    "--fen",
    "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w",
    "--moves",
    "c2a2",
    "a7b7",
    "a2b2",
    "b7a7",
    "b2a2",
    "a7b7",
    "a2b2",
    "b7a7",
    "b2a2",
    "--json",
];

#[test]
fn judge_writes_pictures_of_a_repetition_and_reports_on_games() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let pictures = folder.join("pictures");
    let args = [&["judge", "xiangqi", "--svg", pictures.to_str().unwrap()], &CHASE_ARGS[..12]].concat();
    expect_ok(&args);
    let mut names: Vec<_> =
        std::fs::read_dir(&pictures).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), 8, "a picture for each ply of the repetition");
    let picture = std::fs::read_to_string(&names[1]).unwrap();
    assert!(
        names[1].ends_with("ply-0003.svg") && picture.contains("<title>3. a2b2: chase</title>"),
        "{picture}"
    );
    // The cannon on b2, the rook on b7, and the cannon on e7 that could take back.
    for ring in ["cx=\"1\" cy=\"7\"", "cx=\"1\" cy=\"2\"", "cx=\"4\" cy=\"2\""] {
        assert!(picture.contains(ring), "{picture}");
    }
    let file = folder.join("games.pgn");
    let moves = "1. c2a2 a7b7 2. a2b2 b7a7 3. b2a2 a7b7 4. a2b2 b7a7 5. b2a2";
    let text = format!(
        "[Red \"A, B\"]\n[Black \"<C>\"]\n[Result \"1/2-1/2\"]\n[FEN \"{}\"]\n\n{moves} 1/2-1/2\n\n\
         [Red \"D\"]\n[Black \"E\"]\n[Result \"*\"]\n\n1. h2e2 *\n",
        CHASE_ARGS[1]
    );
    std::fs::write(&file, &text).unwrap();
    let report =
        |format| expect_ok(&["judge", "xiangqi", "--pgn", file.to_str().unwrap(), "--report", format]);
    let csv = report("csv");
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "game,red,black,result,axf,computer,wxf2018,cxa2020,elephanteye,xqwlight,tiantian,differs,error"
    );
    assert_eq!(lines.len(), 2, "the second game had no repetition");
    assert!(lines[1].starts_with("1,\"A, B\",<C>,draw,\"red_loses (perpetual_chase, ply 9)\","), "{csv}");
    assert!(lines[1].ends_with(",none,none,none,axf computer wxf2018 cxa2020,"), "{csv}");
    std::fs::write(&file, text.replace("A, B", "=HYPERLINK(1)")).unwrap();
    let formula = report("csv");
    assert!(formula.contains("\n1,\"'=HYPERLINK(1)\",<C>,"), "{formula}");
    let html = report("html");
    assert!(html.contains("1 of 2 games") && html.contains("<td>&lt;C&gt;</td>"), "{html}");
    expect_error(&["judge", "xiangqi", "--report", "csv"], 2, "--pgn <FILE>");
    for option in ["--lang=zh", "--dialect=wxf"] {
        let name = option.split('=').next().unwrap();
        expect_error(&["judge", "xiangqi", "--pgn", "x", "--report", "html", option], 2, name);
    }
}

#[test]
fn a_repetition_is_judged_by_every_ruleset() {
    // Input and output use the same dialect.
    const WRITTEN: [&str; 10] = [
        "3k4R/9/9/9/9/9/9/9/9/4K4 b",
        "--moves",
        "将4进1",
        "车一退一",
        "将4退1",
        "车一进一",
        "将4进1",
        "车一退一",
        "将4退1",
        "车一进一",
    ];
    let judge = |args: &[&str]| {
        let out = expect_ok(&[&["judge", "xiangqi"], args, &CHASE_ARGS].concat());
        let rows: Vec<serde_json::Value> =
            out.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        rows
    };
    let rows = judge(&["--rules", "computer"]);
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["verdict"], &rows[0]["cause"]), (&"red_loses".into(), &"perpetual_chase".into()));
    assert_eq!(rows[0]["window"], serde_json::json!([2, 9]));
    assert_eq!(rows[0]["plies"][1]["victims"][0]["square"], "b7");
    assert!(rows[0]["uncertain"].is_null());
    let all = judge(&["--all-rules"]);
    let rules: Vec<_> = all.iter().map(|row| row["rules"].as_str().unwrap()).collect();
    assert_eq!(rules, ["axf", "computer", "wxf2018", "cxa2020", "elephanteye", "xqwlight", "tiantian"]);
    assert_eq!(all[4]["verdict"], "none", "before the fourth occurrence");
    assert_eq!((&all[0]["articles"][0], &all[0]["evidence"]), (&"32".into(), &"diagrams".into()));
    // Only the Chinese rules search, and say how deep.
    let depth = |row: usize| all[row]["plies"][1]["searched_plies"].as_u64();
    assert!(depth(0) == Some(0) && depth(3) > Some(0), "{:?}", all[3]);
    assert_eq!(judge(&["--rules", "xqwlight", "--occurrences", "3"])[0]["verdict"], "draw");
    let chinese = judge(&["--lang", "zh"]);
    assert!(chinese[0]["explanation"][0].as_str().unwrap().contains("第3次"));
    let report = expect_ok(&[&["judge", "xiangqi"], &CHASE_ARGS[..12]].concat());
    assert!(report.starts_with("Red loses (perpetual chase)\n"), "{report}");
    let report = expect_ok(&[&["judge", "xiangqi", "--lang", "zh"], &CHASE_ARGS[..12]].concat());
    assert!(report.starts_with("红方判负（长捉）\n") && report.contains("可改走："), "{report}");
    expect_error(&["judge", "xiangqi", "--rules", "village"], 2, "[possible values: axf, computer");
    expect_error(&["judge", "xiangqi", "--occurrences", "1"], 2, "1 is not in 2..=100");
    expect_error(&["judge", "othello"], 2, "possible values: xiangqi");
    expect_error(&["judge", "chess"], 2, "invalid value 'chess' for '[GAME]' [possible values: xiangqi]");
    let report = expect_ok(
        &[&["judge", "xiangqi", "--lang", "zh", "--dialect", "chinese", "--fen"], &WRITTEN[..]].concat(),
    );
    assert!(report.contains("第2步，红方车一退一"), "{report}");
    let undecided = expect_ok(&["judge", "xiangqi", "--json"]);
    assert!(undecided.contains("\"verdict\":\"none\",\"cause\":\"none\""), "{undecided}");
}
