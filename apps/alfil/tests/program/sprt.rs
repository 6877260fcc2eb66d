//! `alfil match --sprt`: a clear difference ends the match early, also when it is continued.

use serde_json::Value;

use super::{expect_error, expect_ok};

fn result(rows: &str) -> Value {
    let last = rows.lines().last().expect("a result row");
    serde_json::from_str::<Value>(last).expect("a JSON object")["result"].clone()
}

#[test]
fn a_decided_test_ends_the_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.jsonl");
    let file = file.to_str().expect("a path of letters");
    let engines = ["--engine", "name=deep depth=3", "--engine", "name=shallow depth=1"];
    let test = ["--sprt", "elo0=0,elo1=100,alpha=0.1,beta=0.1", "--games", "400", "-o", file, "--json"];
    let rows = expect_ok(&[&["match", "chess", "--win", "2:500"], &test[..], &engines[..]].concat());
    let first = result(&rows);
    let games = first["games"].as_u64().expect("a number of games");
    assert!(games < 400, "{first}");
    assert_eq!(first["sprt"]["accepted"], "elo1", "{first}");
    assert!(first["sprt"]["llr"].as_f64() >= first["sprt"]["high"].as_f64(), "{first}");
    let rows = expect_ok(&["match", "--resume", file, "--json"]);
    assert_eq!(rows.lines().count(), 1, "{rows}");
    assert_eq!((&result(&rows)["games"], &result(&rows)["sprt"]), (&first["games"], &first["sprt"]));
    let text = expect_ok(&["match", "--resume", file]);
    assert!(text.contains("LLR +") && text.contains("elo1 accepted"), "{text}");
}

#[test]
fn invalid_tests_and_balances_are_usage_errors() {
    let engines = ["--engine", "depth=1", "--engine", "depth=1"];
    for (args, expected) in [
        (["--sprt", "elo0=5,elo1=0"], "--sprt: \"elo0=5,elo1=0\" is no test: expected elo0=A,elo1=B"),
        (["--balance", "150..90"], "expected --balance with centipawns from 0, such as 60 or 90..150"),
    ] {
        expect_error(&[&["match", "chess"], &args[..], &engines[..]].concat(), 2, expected);
    }
}
