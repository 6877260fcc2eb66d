//! Every GTP request has exactly one response, in order and with its number.
#![no_main]

#[path = "../protocol_run/mod.rs"]
mod protocol_run;

use alfil_protocol::gtp::{Command, parse_request};
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

fuzz_target!(|input: (&[u8], &str)| {
    let script = protocol_run::script("protocol_version\ntime_settings 0 1 100", LINES, input.0, input.1);
    let replies = protocol_run::replies(&script);
    let mut ids = Vec::new();
    for request in script.lines().filter_map(parse_request) {
        ids.push(request.id);
        if matches!(request.command, Ok(Command::Quit)) {
            break;
        }
    }
    let responses: Vec<_> = replies.split(String::is_empty).filter_map(|response| response.first()).collect();
    assert_eq!(responses.len(), ids.len(), "{script}\n{replies:#?}");
    for (response, id) in responses.iter().zip(ids) {
        let number = response.trim_start_matches(['=', '?']).split(' ').next().unwrap_or_default();
        assert_eq!(number, id.map_or(String::new(), |id| id.to_string()), "{script}\n{replies:#?}");
    }
});
