//! Whatever is said to the engine in CECP, pings are answered in their order, and moves are answered with one move at most.
#![no_main]

#[path = "../talk/mod.rs"]
mod talk;

use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "protover 2",
    "new",
    "variant xiangqi",
    "variant fischerandom",
    "variant reversi",
    "force",
    "go",
    "playother",
    "sd 2",
    "st 0.01",
    "level 2 0:01 0",
    "time 10",
    "usermove e2e4",
    "usermove e7e5",
    "usermove h2e2",
    "P@f5",
    "O-O",
    "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "?",
    "ping 1",
    "ping 2",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "analyze",
    ".",
    "exit",
    "hint",
    "draw",
    "result 1-0 {so}",
    "memory 1",
    "option MultiPV=2",
    "option Skill Level=2",
    "option Draws=offer",
    "option Resign=50",
];

fuzz_target!(|given: (&[u8], &str)| {
    let script = talk::script("xboard\nmemory 1\nsd 2", LINES, given.0, given.1);
    let said = talk::said(&script);
    let numbers = |lines: &mut dyn Iterator<Item = &str>, word: &str| {
        let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
        words
            .filter(|words| words.len() > 1 && words[0] == word)
            .map(|words| words[1].to_owned())
            .collect::<Vec<_>>()
    };
    let (pings, pongs) =
        (numbers(&mut script.lines(), "ping"), numbers(&mut said.iter().map(String::as_str), "pong"));
    assert!(pings.starts_with(&pongs), "{script}\n{said:#?}");
    assert!(talk::count(script.lines(), "quit") > 0 || pings == pongs, "{script}\n{said:#?}");
});
