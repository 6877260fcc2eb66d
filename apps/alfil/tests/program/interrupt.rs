//! Tests of progress and interruption: a bar on a terminal, nothing in a pipe, and what Ctrl-C prints.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;

use super::{PROGRAM, edit_run_file, expect_ok, replace_in_row};

/// The exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

fn interrupt(process: u32) {
    let status = Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Runs a command without end and interrupts it; returns its stdout and stderr. It waits longer if the command had not
/// installed its handler yet.
fn run_interrupted(args: &[&str]) -> (String, String) {
    for seconds in [1, 4, 16, 64] {
        let child =
            Command::new(PROGRAM).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        interrupt(child.id());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (out, error) = (text(output.stdout), text(output.stderr));
        match output.status.code() {
            None => continue,
            status => assert_eq!(status, Some(INTERRUPTED), "{args:?}: {out}{error}"),
        }
        return (out, error);
    }
    panic!("{args:?} installs no handler");
}

/// An ending with 29 empty squares: position 57 of the FFO test suite.
const ENDING: &str = "--XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX---------- O";

#[test]
fn a_piped_command_shows_no_progress_and_prints_what_is_known() {
    let (out, error) = run_interrupted(&["solve", "--fen", ENDING]);
    assert_eq!(error, "");
    assert!(
        out.starts_with("not solved: 29 empty squares, no bound after ") || out.contains("moves done, "),
        "{out}"
    );
    assert_eq!(out.lines().count(), 1, "{out}");
    let (out, error) = run_interrupted(&["perft", "chess", "--depth", "9"]);
    assert_eq!(error, "");
    let last = out.lines().last().unwrap();
    // A count of "at least 0" once looked like a result.
    assert!(last == "nothing is counted yet" || last.starts_with("at least "), "{out}");
    assert_ne!(last, "at least 0");
}

#[test]
fn an_interrupted_command_prints_only_json() {
    let last = |args: &[&str]| {
        let (out, error) = run_interrupted(args);
        assert_eq!(error, "", "{args:?}");
        let rows = out.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
        rows.collect::<Vec<_>>().pop().expect("a row")
    };
    let count = last(&["perft", "chess", "--depth", "9", "--json"]);
    assert_eq!((&count["interrupted"], &count["depth"]), (&true.into(), &9.into()));
    let is_counted = !count["divide"].as_array().unwrap().is_empty();
    assert!(count["at_least"].is_number() == is_counted && count["nodes"].is_null(), "{count}");
    let solution = last(&["solve", "--json", "--fen", ENDING]);
    assert_eq!((&solution["interrupted"], &solution["score"]), (&true.into(), &Value::Null));
    assert!(solution["seconds"].as_f64().unwrap() > 0.0);
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D10 30")
        .unwrap();
    let totals =
        last(&["perft", "chess", "--json", "--suite", suite.to_str().unwrap(), "--max-nodes", "100"]);
    let totals = [&totals["interrupted"], &totals["passed"], &totals["skipped"]];
    // A skipped row once was not counted before the next counted row.
    assert_eq!(totals, [&Value::from(true), &1.into(), &1.into()]);
    let problems = folder.path().join("problems.obf");
    std::fs::write(&problems, format!("{} X; +64;\n{ENDING};\n", "X".repeat(64))).unwrap();
    let totals = last(&["solve", "othello", "--json", "--suite", problems.to_str().unwrap()]);
    assert_eq!((&totals["interrupted"], &totals["passed"]), (&true.into(), &1.into()));
}

#[test]
fn standard_output_holds_results_only() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().to_str().unwrap();
    let args = ["selfplay", "othello", "--games", "1000000", "--nodes", "100000", "-o", games];
    let (out, error) = run_interrupted(&args);
    assert_eq!(out, "");
    assert!(error.starts_with("alfil: interrupted") && error.lines().count() == 1, "{error}");
}

/// The fit once began without a handler: an interruption printed nothing, and the status was that of the signal.
#[test]
fn an_interrupted_fit_says_how_far_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, terms) = (path("games"), path("terms.rs"));
    expect_ok(&["selfplay", "othello", "--games", "300", "--nodes", "10", "-o", &games, "--json"]);
    let args = ["train", "othello", &games, "--kind", "terms", "--epochs", "10000", "-o", &terms];
    let (out, error) = run_interrupted(&args);
    assert_eq!(out, "");
    assert!(error.starts_with("alfil: interrupted: ") && error.lines().count() == 1, "{error}");
    assert!(!error.contains("the same command continues"), "{error}");
}

#[test]
fn a_resumed_run_without_a_new_game_prints_the_earlier_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Leaves so many rows of a file, and searches without end in its header.
    let cut = |file: &str, rows: usize, replaced: &[&str], endless: &str| {
        edit_run_file(file, |lines| {
            lines.truncate(rows + 1);
            replaced.iter().for_each(|old| replace_in_row(&mut lines[0], old, endless));
        });
    };
    let file = path("match.jsonl");
    let engines = ["match", "othello", "--engine", "name=a nodes=20", "--engine", "name=b nodes=30"];
    expect_ok(&[&engines[..], &["--games", "4", "-o", &file]].concat());
    cut(&file, 2, &["nodes=20", "nodes=30"], "nodes=1000000000000");
    let (out, error) = run_interrupted(&["match", "--resume", &file]);
    assert_eq!(error, "");
    assert!(out.contains("a against b: othello, 2 games (this run: 0 in "), "{out}");
    let (out, error) = run_interrupted(&["match", "--resume", &file, "--json"]);
    assert_eq!(error, "");
    let row: Value = serde_json::from_str(&out).expect("a row");
    assert_eq!((&row["result"]["games"], &row["result"]["interrupted"]), (&2.into(), &true.into()));

    let state = path("spsa");
    let spsa = |nodes| {
        let args = ["spsa", "othello", "--pairs", "2", "--iterations", "3", "--param", "rfp_margin"];
        [&args[..], &["--nodes", nodes, "--state", &state]].concat()
    };
    expect_ok(&spsa("60"));
    cut(&state, 1, &["\"nodes\":60"], "\"nodes\":1000000000000");
    let endless = spsa("1000000000000");
    let (out, error) = run_interrupted(&endless);
    assert_eq!(error, "");
    assert!(out.starts_with("1 of 3 iterations\nrfp_margin = "), "{out}");
    let (out, error) = run_interrupted(&[&endless[..], &["--json"]].concat());
    assert_eq!((out.as_str(), error.as_str()), ("", "alfil: interrupted: 1 of 3 iterations\n"));
}

#[test]
fn an_interrupted_match_says_which_games_are_in_the_score() {
    for json in [true, false] {
        let mut args = vec![
            "match", "othello", "--engine", "nodes=20", "--engine", "nodes=30", "--games", "100000",
            "--plies", "0",
        ];
        args.extend(json.then_some("--json"));
        let mut child = Command::new(PROGRAM).args(args).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut rows: Vec<_> = lines.by_ref().take(3).collect();
        interrupt(child.id());
        rows.extend(lines);
        assert_eq!(child.wait().unwrap().code(), Some(INTERRUPTED));
        let last = rows.last().unwrap();
        if json {
            let rows: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).expect(row)).collect();
            let result = &rows.last().unwrap()["result"];
            assert_eq!(result["interrupted"], true);
            let games = result["games"].as_u64().unwrap();
            assert_eq!(games, rows.len() as u64 - 1, "every game of the sum has a row");
            assert_eq!(result["unpaired_games"], games % 2);
        } else {
            let games = rows.iter().filter(|row| row.starts_with("game ")).count();
            let note = format!("(of {} finished pair", games / 2);
            assert_eq!(last.contains(&note) && last.ends_with(", without 1 game)"), games % 2 == 1, "{last}");
        }
    }
}

#[test]
fn a_solution_that_takes_hours_is_announced() {
    // The position after ply 28 of the third game of samples/club/othello.wtb. It has no bound after 25 seconds.
    let position = "------O--O--X-OO--OOOXO----OXXO----OXXOX-OXO-O-X-X--OOXXXO---O-- X";
    let (_, error) = run_interrupted(&["solve", "--fen", position]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("alfil: 32 empty squares may take hours"), "{error}");
}

/// An engine that did not read its input went on without the match.
#[test]
fn an_interrupted_match_leaves_no_engine_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (script, processes) = (path("engine"), path("processes"));
    let text = format!(
        "echo $$ >> {processes}\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;;\n\
         go*) exec sleep 1000;; esac; done\n"
    );
    std::fs::write(&script, text).unwrap();
    let engine = format!("cmd='sh {script}' proto=uci");
    let args = ["match", "chess", "--engine", &engine, "--engine", "name=own", "--nodes", "20"];
    let (out, error) = run_interrupted(&[&args[..], &["--games", "2", "--plies", "0"]].concat());
    assert_eq!((out.as_str(), error.as_str()), ("", "alfil: interrupted: 0 of 2 games\n"));
    let processes = std::fs::read_to_string(processes).unwrap();
    for process in processes.lines() {
        let status = Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success(), "the engine {process} runs");
    }
}

/// Runs a command in a terminal until a text appears, presses Ctrl-C, and returns its output and exit status.
fn interrupt_in_terminal(term: &str, args: &[&str], text: &str) -> (String, u32) {
    let pair = native_pty_system()
        .openpty(PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 })
        .unwrap();
    let mut command = CommandBuilder::new(PROGRAM);
    command.args(args);
    command.env("TERM", term);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut reader, mut writer) =
        (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
    let (mut output, mut buffer) = (Vec::new(), [0; 4096]);
    let mut is_pressed = false;
    // At the end, Linux reports an error.
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        output.extend(&buffer[..count]);
        if !is_pressed && String::from_utf8_lossy(&output).contains(text) {
            writer.write_all(b"\x03").unwrap();
            is_pressed = true;
        }
    }
    (String::from_utf8_lossy(&output).into_owned(), child.wait().unwrap().exit_code())
}

#[test]
fn a_terminal_shows_progress() {
    let (out, status) = interrupt_in_terminal("xterm", &["solve", "--fen", ENDING], "29 empty squares");
    assert_eq!(status, INTERRUPTED as u32, "{out}");
    assert!(out.contains("not solved: 29 empty squares") || out.contains("moves done, "), "{out}");
    let (out, status) = interrupt_in_terminal("xterm", &["perft", "chess", "--depth", "9"], "/20");
    assert_eq!(status, INTERRUPTED as u32, "{out}");
    // The time that is left is not known before anything is counted.
    assert!(!out.contains("left"), "{out}");
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let moves = [
        "match", "othello", "--engine", "nodes=20", "--engine", "nodes=30", "--games", "100000", "--plies",
        "0",
    ];
    let (out, status) = interrupt_in_terminal("dumb", &moves, "game 3: ");
    assert_eq!(status, INTERRUPTED as u32);
    assert!(!out.contains('\x1b'), "{out:?}");
    let (out, _) = interrupt_in_terminal("dumb", &["play", "chess", "--level", "1"], "You play White");
    assert!(!out.contains('\x1b'), "{out:?}");
}

#[test]
fn threads_that_do_not_fit_into_memory_are_refused_in_one_line() {
    for args in [
        &["perft", "chess", "--depth", "3", "--threads", "256"][..],
        &["solve", "--fen", ENDING, "--threads", "256"],
        &["selfplay", "othello", "--nodes", "20", "--threads", "256", "-o", "never-created"],
        &[
            "match",
            "othello",
            "--engine",
            "nodes=50",
            "--engine",
            "nodes=60",
            "--games",
            "512",
            "--threads",
            "256",
        ],
        &["match", "othello", "--engine", "nodes=50 threads=256", "--engine", "nodes=60", "--games", "2"],
    ] {
        let limited = "ulimit -v 1000000; exec \"$0\" \"$@\"";
        let output = Command::new("bash").args(["-c", limited, PROGRAM]).args(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{args:?}: {error}");
        assert!(error.contains("not enough memory"), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// The error once named the first row of the suite.
#[test]
fn a_table_that_does_not_fit_into_memory_is_no_fault_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(folder.path().join("suite.epd"), format!("{start} ;D1 20")).unwrap();
    let limited = "ulimit -v 1000000; exec \"$0\" perft chess --suite suite.epd --hash 4096";
    let output = Command::new("bash").args(["-c", limited, PROGRAM]).current_dir(&folder).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("alfil: not enough memory: 4096 MiB requested"), "{error}");
}

#[test]
fn a_match_that_does_not_fit_into_memory_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let limited = "ulimit -v 1000000; exec \"$0\" match othello --engine 'nodes=50 threads=256' --engine nodes=60 \
                   --games 2 -o match.jsonl --pgn match.pgn";
    let output = Command::new("bash").args(["-c", limited, PROGRAM]).current_dir(&folder).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("not enough memory"), "{error}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}
