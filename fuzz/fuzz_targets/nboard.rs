//! In the NBoard protocol every `ping` has one reply, and every `go` at most one.
#![no_main]

#[path = "../protocol_run/mod.rs"]
mod protocol_run;

use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "set depth 2",
    "set depth 6",
    "set contempt 1",
    "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)",
    "set game (;B[f5/1/2]W[d6])",
    "move f5",
    "move D6/1/1",
    "move C3",
    "hint 2",
    "go",
    "ping 1",
    "learn",
    "analyze",
];

fuzz_target!(|input: (&[u8], &str)| {
    let script = protocol_run::script("nboard 2", LINES, input.0, input.1);
    let replies = protocol_run::replies(&script);
    let lines = || replies.iter().map(String::as_str);
    let requests = |word| protocol_run::count(script.lines(), word);
    assert!(protocol_run::count(lines(), "===") <= requests("go"), "{script}\n{replies:#?}");
    let pings = script
        .lines()
        .filter(|line| line.trim_start().starts_with("ping ") && line.split_whitespace().count() > 1);
    assert!(
        requests("quit") > 0 || protocol_run::count(lines(), "pong") == pings.count(),
        "{script}\n{replies:#?}"
    );
});
