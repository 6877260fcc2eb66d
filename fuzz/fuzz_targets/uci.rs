//! Whatever is said to the engine in UCI, no `go` has more than one answer, every `isready` has one, and it still thinks.
#![no_main]

#[path = "../talk/mod.rs"]
mod talk;

use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position startpos moves e2e4",
    "position startpos moves f5 d6",
    "setoption name UCI_Variant value xiangqi",
    "setoption name UCI_Variant value chess",
    "setoption name UCI_Variant value flipello",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Ranks value 1-10",
    "setoption name MultiPV value 3",
    "setoption name UCI_ShowWDL value true",
    "setoption name Ruleset value wxf2018",
    "setoption name Skill Level value 2",
    "setoption name UCI_LimitStrength value true",
    "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "position fen 8/8/8/3pP3/3Pp3/8/8/8 w",
    "banmoves h2e2 b2e2",
    "go depth 2",
    "go nodes 500",
    "go ponder wtime 50 btime 50 movestogo 2",
    "go infinite searchmoves h2e2",
    "go movetime 1",
    "go mate 1",
];

fuzz_target!(|given: (&[u8], &str)| {
    let script = talk::script("uci\nsetoption name Hash value 1", LINES, given.0, given.1);
    let said = talk::said(&format!(
        "{script}\nstop\nsetoption name UCI_Variant value chess\nposition startpos\ngo depth 1\n"
    ));
    let quit = talk::count(script.lines(), "quit") > 0;
    let lines = || said.iter().map(String::as_str);
    let answers = talk::count(lines(), "bestmove");
    assert!(answers <= talk::count(script.lines(), "go") + 1, "{script}\n{said:#?}");
    if !quit {
        assert!(answers > 0, "{script}\n{said:#?}");
        assert_eq!(
            talk::count(lines(), "readyok"),
            talk::count(script.lines(), "isready"),
            "{script}\n{said:#?}"
        );
    }
});
