//! Whatever is said to the engine in NBoard's protocol, pings are answered, and `go` has one answer at most.
#![no_main]

#[path = "../talk/mod.rs"]
mod talk;

use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "set depth 2",
    "set depth 60",
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

fuzz_target!(|given: (&[u8], &str)| {
    let script = talk::script("nboard 2", LINES, given.0, given.1);
    let said = talk::said(&script);
    let lines = || said.iter().map(String::as_str);
    let asked = |word| talk::count(script.lines(), word);
    assert!(talk::count(lines(), "===") <= asked("go"), "{script}\n{said:#?}");
    let pings = script
        .lines()
        .filter(|line| line.trim_start().starts_with("ping ") && line.split_whitespace().count() > 1);
    assert!(asked("quit") > 0 || talk::count(lines(), "pong") == pings.count(), "{script}\n{said:#?}");
});
