//! In UCI every `go` has at most one reply, every `isready` exactly one, and the engine can still search at the end.
#![no_main]

#[path = "../protocol_run/mod.rs"]
mod protocol_run;

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

fuzz_target!(|input: (&[u8], &str)| {
    let script = protocol_run::script("uci\nsetoption name Hash value 1", LINES, input.0, input.1);
    let replies = protocol_run::replies(&format!(
        "{script}\nstop\nsetoption name UCI_Variant value chess\nposition startpos\ngo depth 1\n"
    ));
    let has_quit = protocol_run::count(script.lines(), "quit") > 0;
    let lines = || replies.iter().map(String::as_str);
    let best_moves = protocol_run::count(lines(), "bestmove");
    assert!(best_moves <= protocol_run::count(script.lines(), "go") + 1, "{script}\n{replies:#?}");
    if !has_quit {
        assert!(best_moves > 0, "{script}\n{replies:#?}");
        assert_eq!(
            protocol_run::count(lines(), "readyok"),
            protocol_run::count(script.lines(), "isready"),
            "{script}\n{replies:#?}"
        );
    }
});
