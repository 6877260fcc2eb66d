//! Whatever is said to the engine in UCCI, every `go` and `stop` has one answer at most, and every `probe` that is understood one.
#![no_main]

#[path = "../talk/mod.rs"]
mod talk;

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

fuzz_target!(|given: (&[u8], &str)| {
    let script = talk::script("ucci\nsetoption hashsize 1", LINES, given.0, given.1);
    let said = talk::said(&script);
    let lines = || said.iter().map(String::as_str);
    let asked = |word| talk::count(script.lines(), word);
    let answers = talk::count(lines(), "bestmove") + talk::count(lines(), "nobestmove");
    assert!(answers <= asked("go") + asked("stop"), "{script}\n{said:#?}");
    assert!(talk::count(lines(), "pophash") <= asked("probe"), "{script}\n{said:#?}");
    assert!(asked("quit") > 0 || talk::count(lines(), "readyok") == asked("isready"), "{script}\n{said:#?}");
});
