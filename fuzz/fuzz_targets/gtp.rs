//! Whatever is said to the engine in GTP, every request has exactly one answer, in its order, with its number.
#![no_main]

#[path = "../talk/mod.rs"]
mod talk;

use alfil_protocol::gtp::read;
use libfuzzer_sys::fuzz_target;

const LINES: &[&str] = &[
    "1 name",
    "known_command undo",
    "list_commands",
    "boardsize 8",
    "2 clear_board",
    "time_settings 0 1 100",
    "time_left b 1 50",
    "play b f5",
    "play w d6",
    "play b pass",
    "3 genmove b",
    "genmove w",
    "reg_genmove b",
    "undo",
    "showboard",
    "final_score",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "set_game Othello",
    "level 2",
    "# nothing",
];

fuzz_target!(|given: (&[u8], &str)| {
    let script = talk::script("protocol_version\ntime_settings 0 1 100", LINES, given.0, given.1);
    let said = talk::said(&script);
    let mut asked = Vec::new();
    for request in script.lines().filter_map(read) {
        asked.push(request.id);
        if matches!(request.command, Ok(alfil_protocol::gtp::Command::Quit)) {
            break;
        }
    }
    let answers: Vec<_> = said.split(String::is_empty).filter_map(|answer| answer.first()).collect();
    assert_eq!(answers.len(), asked.len(), "{script}\n{said:#?}");
    for (answer, id) in answers.iter().zip(asked) {
        let number = answer.trim_start_matches(['=', '?']).split(' ').next().unwrap_or_default();
        assert_eq!(number, id.map_or(String::new(), |id| id.to_string()), "{script}\n{said:#?}");
    }
});
