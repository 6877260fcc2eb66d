//! Words of each protocol's grammar with right and wrong values: every request has exactly one answer, and the engine
//! never hangs.

use std::io::Cursor;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use alfil_engine::protocols::run;
use proptest::prelude::*;

/// A script that takes longer is taken for a hang, on any machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Right, small, wrong and missing values.
const VALUES: [&str; 19] = [
    "",
    "0",
    "1",
    "2",
    "3",
    "4",
    "-1",
    "-99999999999",
    "1.5",
    "2e1",
    "1e400",
    "NaN",
    "inf",
    "x",
    "九",
    "depth",
    "99999999999999999999",
    "--",
    "0x10",
];

/// Returns the replies to these lines; the input ends after them.
fn replies(script: String) -> Vec<String> {
    let (sender, receiver) = mpsc::channel();
    let input = Cursor::new(script.clone());
    thread::spawn(move || {
        let mut output = Vec::new();
        run(None, input, &mut output).unwrap();
        let _ = sender.send(output);
    });
    let output = receiver.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("{error}: {script}"));
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

fn count(replies: &[String], prefixes: &[&str]) -> usize {
    replies.iter().filter(|line| prefixes.iter().any(|prefix| line.starts_with(prefix))).count()
}

/// Generates words of `keywords`, each followed by a value.
fn words(keywords: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = (prop::sample::select(keywords), prop::sample::select(&VALUES[..]));
    let word = word.prop_map(|(keyword, value)| format!("{keyword} {value}"));
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
}

/// Generates lines that begin with one of `commands` and have up to two values.
fn lines(commands: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let value = || prop::sample::select(&VALUES[..]);
    let line = (prop::sample::select(commands), value(), value());
    prop::collection::vec(line.prop_map(|(command, a, b)| format!("{command} {a} {b}")), 1..5)
}

const UCI_WORDS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "mate",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "often",
    "searchmoves h2e2",
];
const UCCI_WORDS: &[&str] =
    &["depth", "nodes", "time", "movestogo", "increment", "opptime", "infinite", "ponder", "draw", "often"];
const CECP_COMMANDS: &[&str] = &[
    "st 0.01\nlevel",
    "st",
    "sd",
    "time",
    "otim",
    "go",
    "playother",
    "setboard",
    "edit\n.",
    "usermove",
    "usermove e2e4",
    "undo",
    "remove",
    "draw",
    "hint",
    "bk",
    "analyze",
    "exit",
    "force",
    "new\nst 0.01",
    "memory -5",
    "cores x",
    "option MultiPV=",
    "variant",
    "protover",
    "hard",
    "easy",
    "post",
    "?",
    ".",
    "result",
];
const NBOARD_COMMANDS: &[&str] = &[
    "set depth 3\nhint",
    "set depth",
    "set game",
    "set contempt",
    "move",
    "move f5",
    "learn",
    "nboard",
    "set",
];
const GTP_COMMANDS: &[&str] = &[
    "genmove b",
    "genmove",
    "reg_genmove w",
    "play b",
    "play",
    "undo",
    "level",
    "boardsize",
    "komi",
    "time_left b",
    "time_settings",
    "set_game",
    "known_command",
    "showboard",
    "final_score",
    "clear_board",
    "name",
    "dance",
    "gogui-rules_legal_moves",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_go_of_uci_has_one_best_move(gos in prop::collection::vec(words(UCI_WORDS), 1..4)) {
        let script: String = gos.iter().map(|words| format!("go {words}\n")).collect();
        let replies = replies(format!("uci\n{script}quit\n"));
        prop_assert_eq!(count(&replies, &["bestmove "]), gos.len(), "{}{:?}", script, replies);
        // A best move follows its line.
        let best = replies.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next());
        let lines: Vec<_> = replies.iter().filter(|line| line.starts_with("info depth ")).collect();
        for mv in best {
            prop_assert!(lines.iter().any(|line| line.contains(&format!(" pv {mv}"))), "{}{:?}", script, replies);
        }
    }

    #[test]
    fn every_count_of_uci_ends(value in prop::sample::select(&VALUES[..]), other in words(UCI_WORDS)) {
        let replies = replies(format!("uci\ngo perft {value} {other}\nstop\nisready\nquit\n"));
        let answers = ["Nodes searched: ", "info string perft was stopped", "bestmove "];
        prop_assert_eq!(count(&replies, &answers), 1, "{:?}", replies);
        prop_assert_eq!(count(&replies, &["readyok"]), 1, "{:?}", replies);
    }

    #[test]
    fn every_go_of_ucci_has_one_best_move(gos in prop::collection::vec(words(UCCI_WORDS), 1..4)) {
        let script: String = gos.iter().map(|words| format!("go {words}\n")).collect();
        let replies = replies(format!("ucci\nposition startpos\n{script}quit\n"));
        prop_assert_eq!(count(&replies, &["bestmove ", "nobestmove"]), gos.len(), "{}{:?}", script, replies);
        prop_assert_eq!(replies.last().map(String::as_str), Some("bye"));
    }

    #[test]
    fn every_ping_of_cecp_has_one_pong(lines in lines(CECP_COMMANDS)) {
        let pings = lines.iter().zip(1..).map(|(line, number)| format!("{line}\nping {number}\n"));
        let script = format!("xboard\nprotover 2\nnew\nvariant normal\nst 0.01\nsd 2\n{}", pings.collect::<String>());
        let replies = replies(format!("{script}force\n"));
        for number in 1..=lines.len() {
            prop_assert_eq!(count(&replies, &[&format!("pong {number}")]), 1, "{}{:?}", script, replies);
        }
    }

    #[test]
    fn every_ping_of_nboard_has_one_pong(lines in lines(NBOARD_COMMANDS)) {
        let pings = lines.iter().zip(1..).map(|(line, number)| format!("{line}\nping {number}\n"));
        let script = format!("nboard 2\nset depth 2\n{}", pings.collect::<String>());
        let replies = replies(format!("{script}set depth 2\ngo\n"));
        for number in 1..=lines.len() {
            prop_assert_eq!(count(&replies, &[&format!("pong {number}")]), 1, "{}{:?}", script, replies);
        }
        // A refused game leaves no position, and then the `go` is refused.
        let refusals = ["=== ", "status there is no position", "status the game is over"];
        prop_assert!(count(&replies, &refusals) >= 1, "{}{:?}", script, replies);
    }

    #[test]
    fn every_request_of_gtp_has_one_response(lines in lines(GTP_COMMANDS)) {
        let requests = lines.iter().zip(1..).map(|(line, number)| format!("{number} {line}\n"));
        let script: String = requests.collect();
        let replies = replies(format!("level 1\n{script}99 quit\n"));
        for number in (1..=lines.len()).chain([99]) {
            let answers = [format!("={number} "), format!("?{number} ")];
            prop_assert_eq!(count(&replies, &answers.each_ref().map(String::as_str)), 1, "{}{:?}", script, replies);
        }
    }
}
