//! Tests of `alfil judge --report`.

use std::fs;

use super::{expect_error, expect_negative, expect_ok};

/// Reference figure 8 of the Chinese rules: nine rounds in which a rook checks and chases on six squares. No position
/// occurs three times.
const NINE_ROUNDS: (&str, &str) = (
    "2R6/3ka4/3a5/9/9/4p4/8c/4B1r2/4A4/3A1KB2 w",
    "c9c8 d8d9 c8c9 d9d8 c9i9 i3h3 i9h9 h3i3 h9i9 i3h3 i9h9 h3i3 h9h3 i3i0 h3h0 i0i3 h0h3 i3i0",
);

#[test]
fn a_report_has_the_rounds_of_attacks_that_offend_without_a_repetition() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let (fen, moves) = NINE_ROUNDS;
    let text =
        format!("[Red \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n[FEN \"{fen}\"]\n\n{moves} 1/2-1/2\n");
    std::fs::write(&file, text).unwrap();
    let report = ["judge", "xiangqi", "--pgn", file.to_str().unwrap(), "--report", "csv"];
    let csv = expect_ok(&report);
    assert!(csv.split_inclusive('\n').all(|row| row.ends_with("\r\n")), "{csv:?}");
    let (header, row) = csv.trim_end().split_once("\r\n").expect("a row");
    assert_eq!(
        header,
        "game,red,black,result,axf,computer,wxf2018,cxa2020,elephanteye,xqwlight,tiantian,differs,error"
    );
    assert_eq!(row, "1,A,B,draw,none,none,none,\"red_loses (prohibited, ply 18)\",none,none,none,cxa2020,");
    let unknown_board = [&report[..], &["--board", "cardboard"]].concat();
    expect_error(&unknown_board, 2, "cardboard");
}

/// A check and a chase in turn: a loss under the Chinese rules, a draw under the others.
const CHECK_AND_CHASE: (&str, &str) =
    ("3k5/9/c8/9/R8/9/9/9/9/5K3 w", "a5d5 d9e9 d5a5 e9d9 a5d5 d9e9 d5a5 e9d9");
/// A rook that checks with every move: a loss under every ruleset that judges at the third occurrence.
const CHECKS: (&str, &str) = ("3k5/9/9/9/4R4/9/9/9/9/5K3 w", "e5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5 e9d9");

fn game(red: &str, result: &str, (fen, moves): (&str, &str)) -> String {
    format!("[Red \"{red}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n")
}

#[test]
fn a_report_on_files_counts_where_authorities_differ_and_names_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, second) = (path("first.pgn"), path("second.pgn"));
    fs::write(&first, game("A", "1/2-1/2", CHECK_AND_CHASE) + &game("C", "0-1", CHECKS)).unwrap();
    let quiet = "[Red \"D\"]\n[Black \"E\"]\n[Result \"*\"]\n\n1. h2e2 *\n\n";
    let broken = "[Red \"F\"]\n[Black \"G\"]\n[Result \"*\"]\n\n1. h2e2 h2e2 *\n\n";
    fs::write(&second, quiet.to_owned() + broken).unwrap();

    let text = expect_ok(&["judge", "--report", &first, &second]);
    let line = |start: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with(start));
        let cells = lines.next().unwrap_or_else(|| panic!("{start}: {text}"));
        cells.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    assert!(text.starts_with("4 games, 2 with a repetition or rounds of attacks\n"), "{text}");
    let drawn = format!("{first}:1 A - B");
    assert_eq!(line("axf "), ["axf", "2", "2", "0"]);
    assert_eq!(line("cxa2020 "), ["cxa2020", "2", "2", "1", &drawn]);
    assert_eq!(line("elephanteye "), ["elephanteye", "0", "0", "0"], "before the fourth occurrence");
    assert_eq!(line("axf, computer"), ["axf, computer", "2", "0", "0"]);
    assert_eq!(line("axf, cxa2020"), ["axf, cxa2020", "2", "1", "0", &format!("{drawn} | -")]);
    let both = format!("- | {drawn}; {first}:2 C - B");
    assert_eq!(line("axf, elephanteye"), ["axf, elephanteye", "0", "0", "2", &both]);
    assert!(text.contains(&format!("not read to its end: {second}:2 F - G: ")), "{text}");

    let rows: Vec<serde_json::Value> = expect_ok(&["judge", "--json", "--report", &first, &second])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 4, "three games and the counts");
    assert_eq!((&rows[0]["file"], &rows[0]["game"]), (&first.as_str().into(), &1.into()));
    assert_eq!(rows[0]["verdicts"]["cxa2020"]["verdict"], "red_loses");
    assert_eq!(rows[0]["differs"], serde_json::json!(["cxa2020"]));
    let counts = &rows[3];
    assert_eq!((&counts["games"], &counts["listed"]), (&4.into(), &3.into()));
    let pair = counts["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|pair| pair["rules"] == serde_json::json!(["axf", "cxa2020"]));
    let expected =
        serde_json::json!({"rules": ["axf", "cxa2020"], "both": 2, "differ": [drawn], "only_one": []});
    assert_eq!(pair, Some(&expected));

    let csv = expect_ok(&["judge", "--report", "csv", &first]);
    assert!(csv.starts_with("file,game,red,black,result,axf,"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().starts_with(&format!("{first},1,A,B,draw,")), "{csv}");
}

#[test]
fn a_report_without_files_or_with_files_that_cannot_be_read_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.pgn");
    expect_error(&["judge", "--report", "text"], 2, "--report needs files");
    expect_error(&["judge", "--report", missing.to_str().unwrap()], 1, "missing.pgn");
    expect_error(&["judge", "--report", "a.pgn", "--pgn", "b.pgn"], 2, "not both");
    expect_error(&["judge", "--report", "csv", "a.pgn", "--json"], 2, "--json");
    let chess = folder.path().join("chess.pgn");
    fs::write(&chess, "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 *\n").unwrap();
    let text = expect_negative(&["judge", "--report", chess.to_str().unwrap()]);
    assert!(text.contains("not read to its end"), "{text}");
}
