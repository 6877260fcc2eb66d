//! Tests of `alfil judge --report`.

use super::{expect_error, expect_ok};

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
