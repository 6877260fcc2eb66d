//! A file that exists is replaced by no command without `--force`; the run of a state goes on, and devices are written.

use std::path::Path;

use super::{PROGRAM, expect_error, expect_ok};

const PRECIOUS: &str = "of the user";

/// The perpetual check whose plies are drawn.
const REPETITION: &str =
    "judge xiangqi --fen FEN --moves d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9 --svg pictures";

/// Runs a command line in a folder; returns exit status and standard error.
fn run_in(folder: &Path, line: &str) -> (i32, String) {
    let args = line.split(' ').map(|word| word.replace("FEN", "3k4R/9/9/9/9/9/9/9/9/4K4 b"));
    let output = std::process::Command::new(PROGRAM).args(args).current_dir(folder).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn no_command_replaces_a_file_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = |name: &str| folder.join(name);
    std::fs::write(path("games.pgn"), "1. e4 e5 *\n").unwrap();
    std::fs::create_dir(path("pictures")).unwrap();
    expect_ok(&[
        "selfplay",
        "chess",
        "--games",
        "32",
        "--nodes",
        "50",
        "-o",
        path("shards").to_str().unwrap(),
    ]);
    let match_line = "match othello --games 2 --nodes 20 --engine name=one --engine name=two";
    let with = |line: &str, rest: &str| format!("{line} {rest}");
    for (line, file) in [
        ("show xiangqi --svg FILE", "board.svg"),
        (REPETITION, "pictures/ply-0001.svg"),
        ("convert games.pgn --to pgn -o FILE", "out.pgn"),
        ("convert games.pgn --to pgn --split 1 -o {}.parts", "000001.parts"),
        ("book --state book.state --positions 1 --depth 1 -o FILE", "othello.book"),
        (
            "spsa othello --param rfp_margin --iterations 1 --pairs 1 --nodes 20 --state s --plot FILE",
            "plot.svg",
        ),
        ("train chess shards --width 16 --epochs 1 -o chess.net", "chess.net"),
        ("train chess shards --width 16 --epochs 1 -o other.net", "other.net.csv"),
        ("train chess shards --width 16 --epochs 1 -o third.net", "third.net.svg"),
        ("train chess shards --kind terms --epochs 1 -o FILE", "terms.rs"),
        (&with(match_line, "-o FILE"), "match.jsonl"),
        (&with(match_line, "--pgn FILE"), "match.pgn"),
        (&with("man", "."), "alfil-perft.1"),
    ] {
        let line = line.replace("FILE", file);
        std::fs::write(path(file), PRECIOUS).unwrap();
        let (status, error) = run_in(folder, &line);
        assert_eq!(status, 1, "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
        assert!(error.contains(file) && error.contains("--force"), "{line}: {error}");
        assert_eq!(std::fs::read_to_string(path(file)).unwrap(), PRECIOUS, "{line}");
        // A state would be that of a run that goes on.
        assert!(!path("book.state").exists(), "{line}");
        let (status, error) = run_in(folder, &format!("{line} --force"));
        assert_eq!(status, 0, "{line} --force: {error}");
        assert_ne!(std::fs::read(path(file)).unwrap(), PRECIOUS.as_bytes(), "{line}");
        let _ = std::fs::remove_file(path("book.state"));
    }
}

#[test]
fn a_run_that_goes_on_replaces_its_own_output_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let book = "book --state book.state --depth 1 -o othello.book --positions";
    let spsa =
        "spsa othello --param rfp_margin --iterations 1 --pairs 1 --nodes 20 --state s --plot plot.svg";
    for line in [format!("{book} 1"), format!("{book} 3"), spsa.to_owned(), spsa.to_owned()] {
        let (status, error) = run_in(folder, &line);
        assert_eq!(status, 0, "{line}: {error}");
    }
    for (line, file) in [(&*format!("{book} 4"), "othello.book"), (spsa, "plot.svg")] {
        std::fs::write(folder.join(file), PRECIOUS).unwrap();
        let (status, error) = run_in(folder, line);
        assert!(status == 1 && error.contains("exists: --force replaces it"), "{line}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn devices_are_written_as_they_are() {
    let picture = expect_ok(&["show", "othello", "--svg", "/dev/stdout", "--json"]);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with('}'), "{picture}");
    let games =
        ["match", "othello", "--games", "2", "--nodes", "20", "--engine", "name=one", "--engine", "name=two"];
    let (status, out, error) = super::run(&[&games[..], &["--pgn", "/dev/stdout"]].concat());
    assert_eq!((status, out.matches("[Result ").count()), (0, 2), "{error}");
}

#[test]
fn the_file_of_a_match_that_another_process_plays_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.jsonl");
    let name = file.to_str().unwrap();
    let args =
        ["match", "othello", "--nodes", "20", "--engine", "name=one", "--engine", "name=two", "-o", name];
    expect_ok(&[&args[..], &["--games", "2", "--seed", "5"]].concat());
    let held = std::fs::OpenOptions::new().read(true).write(true).open(&file).unwrap();
    held.lock().unwrap();
    expect_error(&[&args[..], &["--games", "2", "--force"]].concat(), 1, "another process has locked");
    drop(held);
    expect_ok(&[&args[..], &["--games", "2", "--force"]].concat());
}
