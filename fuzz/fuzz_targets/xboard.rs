//! In CECP every `ping` has one reply, in order.
#![no_main]

#[path = "../protocol_run/mod.rs"]
mod protocol_run;

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

fuzz_target!(|input: (&[u8], &str)| {
    let script = protocol_run::script("xboard\nmemory 1\nsd 2", LINES, input.0, input.1);
    let replies = protocol_run::replies(&script);
    let numbers = |lines: &mut dyn Iterator<Item = &str>, command: &str| {
        let tokens = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
        tokens
            .filter(|tokens| tokens.len() > 1 && tokens[0] == command)
            .map(|tokens| tokens[1].to_owned())
            .collect::<Vec<_>>()
    };
    let (pings, pongs) =
        (numbers(&mut script.lines(), "ping"), numbers(&mut replies.iter().map(String::as_str), "pong"));
    assert!(pings.starts_with(&pongs), "{script}\n{replies:#?}");
    assert!(protocol_run::count(script.lines(), "quit") > 0 || pings == pongs, "{script}\n{replies:#?}");
});
