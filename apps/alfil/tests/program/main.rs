//! Tests of the program as a process: commands, protocols, files, matches, terminal and server.

mod accuracy_trial;
mod analyse;
mod chapter_pictures;
mod commands;
mod conversion;
mod documents;
mod engine;
mod existing_files;
#[cfg(target_os = "linux")]
mod faults;
mod game_files;
mod help;
mod interrupt;
mod judge;
mod kill;
mod match_command;
mod nats;
mod other_programs;
mod perft_parts;
mod play;
mod python_programs;
mod sprt;
mod spsa;
mod store;
mod training;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use alfil_batch::checked_row::{CHECKSUM_FIELD, checked_line};
use assert_cmd::Command;
use serde_json::Value;

/// The path of the program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_alfil");

/// Reports what is missing for a test.
///
/// # Panics
/// If `ALFIL_NO_SKIP` is set.
fn skip(message: &str) {
    let no_skip = std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    assert!(!no_skip, "{message}");
    // The test harness hides what `eprintln` prints, and shows this.
    std::io::stderr().write_all(format!("SKIPPED: {message}\n").as_bytes()).unwrap();
}

/// Returns the path of another program, or `None` if it is not installed.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs games and servers into folders that are not in the path of every user.
    let folders = std::env::split_paths(&path).chain(["/usr/games".into(), "/usr/sbin".into()]);
    let found = folders.map(|folder| folder.join(name)).find(|file| file.is_file());
    if found.is_none() {
        skip(&format!("{name} is not installed: see .ci/run"));
    }
    found
}

/// Changes the rows of the file of a run, the header first, and gives them new checksums.
fn edit_run_file(path: impl AsRef<Path>, edit: impl FnOnce(&mut Vec<Value>)) {
    let text = std::fs::read_to_string(&path).unwrap();
    let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for row in &mut rows {
        row.as_object_mut().unwrap().shift_remove(CHECKSUM_FIELD).expect("a checksum");
    }
    edit(&mut rows);
    let (header, seed) = checked_line(0, &rows[0]);
    let lines = rows[1..].iter().map(|row| checked_line(seed, row).0 + "\n");
    std::fs::write(path, lines.fold(header + "\n", |text, line| text + &line)).unwrap();
}

/// Replaces a text in a row.
fn replace_in_row(row: &mut Value, old: &str, new: &str) {
    let text = row.to_string();
    assert!(text.contains(old), "{text}");
    *row = serde_json::from_str(&text.replace(old, new)).unwrap();
}

/// Runs the program with an input; returns exit status, stdout and stderr.
fn run_with_input(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = Command::new(PROGRAM).args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs the program without input; returns exit status, stdout and stderr.
fn run(args: &[&str]) -> (i32, String, String) {
    run_with_input(args, b"")
}

/// Returns the output of a command that must succeed.
fn expect_ok_with_input(args: &[&str], input: &[u8]) -> String {
    let (status, out, error) = run_with_input(args, input);
    assert_eq!((status, error.as_str()), (0, ""), "{args:?}");
    out
}

/// Returns the output of a command without input that must succeed.
fn expect_ok(args: &[&str]) -> String {
    expect_ok_with_input(args, b"")
}

/// Returns the output of a command whose result is negative.
fn expect_negative(args: &[&str]) -> String {
    let (status, out, error) = run(args);
    assert_eq!((status, error.as_str()), (1, ""), "{args:?}");
    out
}

/// Returns the status and the standard error of a command whose output is closed.
fn run_unread(args: &[&str]) -> (i32, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = std::process::Command::new(PROGRAM).args(args).stdout(writer).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Expects one line on stderr and nothing on stdout.
fn expect_error_with_input(args: &[&str], input: &[u8], status: i32, expected: &str) {
    let (found, out, error) = run_with_input(args, input);
    assert_eq!((found, out.as_str()), (status, ""), "{args:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
    assert!(error.contains(expected), "{args:?}: {error}");
}

/// Expects one line on stderr and nothing on stdout, without input.
fn expect_error(args: &[&str], status: i32, expected: &str) {
    expect_error_with_input(args, b"", status, expected);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_a_usage_error() {
    let argument = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff");
    let output = std::process::Command::new(PROGRAM).arg(argument).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("alfil --help"), "{error}");
}
