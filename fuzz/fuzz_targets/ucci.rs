//! In UCCI every `go`, `stop` and `probe` has at most one reply, and every `isready` exactly one.
#![no_main]

#[path = "../protocol_run/mod.rs"]
mod protocol_run;

use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "isready",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position fen 4k4/9/9/9/9/9/9/9/R8/5K3 b",
    "setoption usemillisec true",
    "setoption batch true",
    "setoption multipv 2",
    "setoption newgame",
    "setoption skilllevel 2",
    "setoption draws offer",
    "setoption resign 50",
    "banmoves h2e2",
    "probe startpos",
    "go depth 0",
    "go depth 2",
    "go draw nodes 300",
    "go ponder time 1 increment 1",
    "go infinite",
];

fuzz_target!(|input: (&[u8], &str)| {
    let script = protocol_run::script("ucci\nsetoption hashsize 1", LINES, input.0, input.1);
    let replies = protocol_run::replies(&script);
    let lines = || replies.iter().map(String::as_str);
    let requests = |word| protocol_run::count(script.lines(), word);
    let best_moves = protocol_run::count(lines(), "bestmove") + protocol_run::count(lines(), "nobestmove");
    assert!(best_moves <= requests("go") + requests("stop"), "{script}\n{replies:#?}");
    assert!(protocol_run::count(lines(), "pophash") <= requests("probe"), "{script}\n{replies:#?}");
    assert!(
        requests("quit") > 0 || protocol_run::count(lines(), "readyok") == requests("isready"),
        "{script}\n{replies:#?}"
    );
});
