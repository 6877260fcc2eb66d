//! Tests of `convert` and `games`: many games of files to other files, lists and counts.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[cfg(unix)]
use super::PROGRAM;
use super::{expect_error, expect_ok, expect_ok_with_input, run, run_with_input};

fn testdata(path: &str) -> String {
    let path =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/records/testdata")).join(path);
    path.to_str().unwrap().to_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a command with a status and returns the JSON of its only line.
fn json_with_status(args: &[&str], status: i32) -> Value {
    let (found, out, error) = run(args);
    assert_eq!(found, status, "{args:?}: {error}");
    assert_eq!(out.lines().count(), 1, "{args:?}: {out}");
    serde_json::from_str(&out).unwrap()
}

/// Returns the moves of the games of a file, a line each.
fn moves_of(file: &str) -> Vec<String> {
    let pgn = expect_ok(&["convert", file, "--to", "pgn", "--no-comments", "--no-variations"]);
    pgn.split("\n\n").skip(1).step_by(2).map(str::to_owned).collect()
}

const CHESS: &[u8] =
    b"[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Date \"1851.06.21\"]\n[ECO \"C33\"]\n\
    [Opening \"King's Gambit\"]\n\n1. e4 e5 2. f4 {sharp} exf4 (2... d5) 1-0\n\n\
    [White \"Morphy\"]\n[Black \"Anderssen\"]\n[Date \"1858.12.27\"]\n\n1. e4 e5 2. f4 exf4 1/2-1/2\n\n\
    [White \"Bad\"]\n\n1. e4 e9 *\n";

#[test]
fn standard_input_is_converted_to_standard_output() {
    let (status, out, error) =
        run_with_input(&["convert", "-", "--to", "pgn", "--filter", "plies>=4"], CHESS);
    assert_eq!(status, 1, "a fault");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("alfil: -: game 3, byte 252, line 17: move 1... e9: "), "{error}");
    assert!(
        out.ends_with("[Black \"Anderssen\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. f4 exf4 1/2-1/2\n"),
        "{out}"
    );
    assert!(out.contains("1. e4 e5 2. f4 {sharp} 2... exf4 (2... d5) 1-0\n\n[Event "), "{out}");
    // What is written is read as it is.
    assert_eq!(expect_ok_with_input(&["convert", "-", "--to", "pgn"], out.as_bytes()), out);
}

#[test]
fn totals_and_faults_are_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("in.pgn"), CHESS).unwrap();
    std::fs::write(path("notes.md"), "x").unwrap();
    let (input, out) = (path("in.pgn"), path("out.pgn"));
    let args = ["convert", folder.path().to_str().unwrap(), "--to", "pgn", "-o", &out, "--json"];
    let totals = json_with_status(&[&args[..], &["--dedupe"]].concat(), 1);
    let fault = &totals["faults"][0];
    assert!(fault["what"].as_str().unwrap().starts_with("line 17: move 1... e9: "), "{fault}");
    assert_eq!((&fault["file"], &fault["game"], &fault["byte"]), (&json!(input), &json!(3), &json!(252)));
    for (field, expected) in [("files", 1), ("games", 3), ("written", 2), ("skipped", 1), ("duplicates", 1)] {
        assert_eq!(totals[field], expected, "{field}: {totals}");
    }
    assert_eq!(totals["left_out"], json!([path("notes.md")]));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(
        text.contains("[White \"Anderssen\"]") && !text.contains("Morphy"),
        "the first game stays: {text}"
    );
    assert_eq!(names(folder.path()), ["in.pgn", "notes.md", "out.pgn"]);
    // The same in words.
    let (status, out, _) =
        run(&["convert", &input, "--to", "pgn", "-o", &out, "--force", "--filter", "white=Anderssen"]);
    assert_eq!((status, &*out), (0, "3 games read from 1 file, 1 written, 2 left out by the filter\n"));
}

#[test]
fn every_format_that_is_written_is_read_again_with_the_same_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let xiangqi = path("xiangqi.pgn");
    let text = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n[Black \"柳大华\"]\n\n1. 炮二平五 马8进7 2. 马二进三 1-0\n\n\
        [Game \"Chinese Chess\"]\n[Red \"吕钦\"]\n\n1. 兵七进一 卒7进1 1/2-1/2\n";
    std::fs::write(&xiangqi, text).unwrap();
    let othello = path("othello.ggf");
    std::fs::copy(testdata("othello/synthetic-games.ggf"), &othello).unwrap();
    for (input, formats) in [
        (&xiangqi, &["pgn", "ubb", "wxf", "xqf", "cbr", "cbf"][..]),
        (&othello, &["pgn", "ggf", "transcript", "wthor", "sgf"]),
    ] {
        let moves = moves_of(input);
        for format in formats {
            let is_folder = matches!(*format, "xqf" | "cbr" | "cbf");
            let out = path(&if is_folder { format!("{format}-files") } else { format!("all.{format}") });
            let totals = json_with_status(
                &["convert", input, "--to", format, "-o", &out, "--force", "--lossy", "--json"],
                0,
            );
            assert_eq!(totals["written"], moves.len(), "{format}");
            if is_folder {
                assert_eq!(names(Path::new(&out)).len(), moves.len());
            }
            let again = moves_of(&out);
            let without_result = |moves: &[String]| -> Vec<String> {
                let cut = |game: &String| game.rsplit_once(' ').unwrap_or_default().0.replace(" pass", "");
                moves.iter().map(cut).collect()
            };
            assert_eq!(without_result(&again), without_result(&moves), "{format}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_no_file() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        expect_no_file_after(Command::new(PROGRAM), signal, status);
    }
}

/// The program obeys the end of its terminal even if the tests were started with SIGHUP ignored, as `nohup` does.
#[cfg(target_os = "linux")]
#[test]
fn a_conversion_whose_terminal_ends_leaves_no_file() {
    let mut program = Command::new("env");
    program.args(["--default-signal=HUP", PROGRAM]);
    expect_no_file_after(program, "-HUP", 129);
}

#[cfg(unix)]
fn expect_no_file_after(mut program: Command, signal: &str, status: i32) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.pgn");
    // Standard input stays open, so the command waits for more.
    let mut child = program
        .args(["convert", "-", "--to", "pgn", "--json", "-o", out.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, &CHESS.repeat(4_000)).unwrap();
    while names(folder.path()).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status));
    let totals: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&totals["interrupted"], &totals["written"]), (&json!(true), &json!(0)));
    assert!(totals["games"].as_u64().unwrap() > 0);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn wrong_arguments_of_a_conversion_are_located() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.pgn");
    std::fs::write(&input, CHESS).unwrap();
    let input = input.to_str().unwrap();
    for (args, status, expected) in [
        (
            &["--to", "pgn", "--filter", "white~\"A\" and plys>40"][..],
            2,
            "--filter: column 15: there is no field",
        ),
        (&["--to", "pgn", "--sort", "-elo"], 2, "--sort: elo is of two players: use whiteelo or blackelo"),
        (&["--to", "pgn", "--split", "0", "-o", "x"], 2, "--split: a file cannot have 0 games"),
        (&["--to", "pgn", "--split", "10"], 2, "needs a directory"),
        (&["--to", "cbl"], 2, "xqf"),
        (&["--to", "pgn", "--json"], 2, "--output"),
        (&["--to", "pgn", "--dialect", "uci"], 2, "invalid value 'uci' for '--dialect <NAME>'"),
        (&["--to", "xqf", "--encoding", "big5"], 2, "an encoding can be chosen only for PGN"),
        (&["--to", "pgn", "-o", input], 1, "is an input"),
        (&["--to", "pgn", "--filter", "white=Nimzowitsch"], 1, "no game was written"),
    ] {
        let args = [&["convert", input, "--game", "chess"], args].concat();
        let (found, out, error) = run(&args);
        assert_eq!((found, &*out), (status, ""), "{args:?}: {error}");
        assert!(error.lines().last().unwrap().contains(expected), "{args:?}: {error}");
    }
    assert_eq!(std::fs::read(input).unwrap(), CHESS);
    expect_error(&["convert", "no-such-file", "--to", "pgn"], 1, "cannot read no-such-file");
    expect_error(&["convert", "-", "-", "--to", "pgn"], 2, "named twice");
}

#[test]
fn the_faults_of_sorted_games_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pgn"), folder.path().join("out.wtb"));
    let game = |year: u32, moves: &str| {
        format!("[Game \"Othello\"]\n[Date \"{year}.05.??\"]\n[Black \"A\"]\n\n{moves} *\n\n")
    };
    std::fs::write(&input, game(2005, "1. f5 d6") + &game(2004, "1. f5 f6")).unwrap();
    let (input, output) = (input.to_str().unwrap(), output.to_str().unwrap());
    let args = ["convert", input, "--to", "wthor", "--lossy", "--sort", "date", "-o", output];
    let (status, _, error) = run(&args);
    assert_eq!(status, 1, "{error}");
    assert!(error.contains("cannot hold the value \"2005.05.??\" of the tag Date"), "{error}");
}

#[test]
fn games_are_listed_and_counted() {
    let (status, out, error) = run_with_input(&["games", "-"], CHESS);
    assert_eq!(status, 1, "{error}");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "1\tAnderssen - Kieseritzky\t1-0\t4\tC33 King's Gambit");
    // Openings are named by the moves where the tags do not.
    assert_eq!(lines[1], "2\tMorphy - Anderssen\t1/2-1/2\t4\tC33 King's Gambit Accepted");
    assert_eq!(lines[2], "3\tBad - ?\t*\t1\tB00 King's Pawn Game");
    let convert = ["convert", "-", "--to", "pgn"];
    let (_, plain, _) = run_with_input(&convert, CHESS);
    assert_eq!(plain.matches("[Opening ").count(), 1, "{plain}");
    let (_, named, _) = run_with_input(&[&convert[..], &["--openings"]].concat(), CHESS);
    assert!(named.contains("[ECO \"C33\"]\n[Opening \"King's Gambit Accepted\"]\n"), "{named}");
    let row = expect_ok_with_input(&["games", "-", "--json"], &CHESS[..213]);
    let row: Value = serde_json::from_str(row.lines().next().unwrap()).unwrap();
    assert_eq!((&row["players"], &row["plies"]), (&json!(["Anderssen", "Kieseritzky"]), &json!(4)));
    assert_eq!(
        (&row["date"], &row["byte"], &row["game"]),
        (&json!("1851.06.21"), &json!(0), &json!("chess"))
    );
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.pgn");
    std::fs::write(&input, CHESS).unwrap();
    let input = input.to_str().unwrap();
    let stats = json_with_status(&["games", input, "--stats", "--json", "--filter", "player=anderssen"], 0);
    assert_eq!(stats["results"], json!({"1-0": 1, "0-1": 0, "1/2-1/2": 1, "*": 0}));
    assert_eq!(
        stats["players"][0],
        json!({"name": "Anderssen", "games": 2, "wins": 1, "draws": 1, "losses": 0, "score": 0.75})
    );
    assert_eq!(stats["years"], json!([{"year": 1851, "games": 1}, {"year": 1858, "games": 1}]));
    // The faulty game is left out by its tags, and its moves are not read.
    assert_eq!(stats["fault_count"], 0);
    let (_, text, _) = run(&["games", input, "--stats"]);
    assert!(text.starts_with("3 games: 3 chess\n9 plies, 1 to 4 a game, 3.0 on average\n"), "{text}");
    assert!(
        text.contains("\nplayer: games, score, the first 4 of 4\n        2  75.0 %  Anderssen\n"),
        "{text}"
    );
    let spec_example = testdata("xiangqi/spec-example.xqf");
    let (_, with_name, _) = run(&["games", &spec_example, input, "--filter", "game=xiangqi"]);
    assert!(with_name.starts_with(&format!("{spec_example}:1\t")), "{with_name}");
    assert_eq!(with_name.lines().count(), 1);
}

#[test]
fn a_game_cut_short_by_an_error_is_no_repetition() {
    let games = b"[White \"a\"]\n\n1. e4 e5 *\n\n[White \"bad\"]\n\n1. e4 e5 2. Ke3 d5 *\n\n[White \"c\"]\n\n1. e4 e5 *\n";
    let (status, out, _) = run_with_input(&["convert", "-", "--to", "pgn", "--dedupe"], games);
    let names: Vec<_> = out.lines().filter(|line| line.starts_with("[White ")).collect();
    assert_eq!((status, names), (1, vec!["[White \"a\"]", "[White \"bad\"]"]));
}

#[cfg(unix)]
#[test]
fn pipes_and_broken_links_of_a_directory_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("b.pgn"), "[White \"A\"]\n\n1. e4 e5 1-0\n").unwrap();
    std::os::unix::fs::symlink("/nonexistent", path("a.pgn")).unwrap();
    std::os::unix::fs::symlink(folder.path(), path("loop")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("c.pgn")).status().unwrap().success());
    let (status, out, error) = run(&["games", folder.path().to_str().unwrap()]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}{error}");
    assert!(out.contains("\tA - ?\t1-0\t2\t"), "{out}");
    assert_eq!(error.matches("cannot be read").count(), 2, "{error}");
}

#[cfg(unix)]
#[test]
fn faults_without_a_reader_do_not_stop_a_conversion() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pgn"), folder.path().join("out.pgn"));
    std::fs::write(&input, CHESS).unwrap();
    // The shell closes the reading end of standard error before the program starts.
    let script = format!(
        "(sleep 0.2; '{}' convert '{}' --to pgn -o '{}'; echo $? > '{}') 2>&1 >/dev/null | true; wait",
        super::PROGRAM,
        input.display(),
        output.display(),
        folder.path().join("status").display()
    );
    assert!(std::process::Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let status = std::fs::read_to_string(folder.path().join("status")).unwrap();
    assert_eq!(status.trim(), "1");
    assert_eq!(moves_of(output.to_str().unwrap()).len(), 3);
    assert_eq!(names(folder.path()), ["in.pgn", "out.pgn", "status"]);
}

#[cfg(unix)]
#[test]
fn a_file_on_standard_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("in.pgn");
    std::fs::write(&file, CHESS).unwrap();
    let output = std::process::Command::new(super::PROGRAM)
        .args(["convert", "-", "--to", "pgn", "--no-comments", "-o", file.to_str().unwrap()])
        .stdin(std::fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("is an input, which is never overwritten"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), CHESS);
    let to_device = ["convert", file.to_str().unwrap(), "--to", "pgn", "-o", "/dev/stdout"];
    expect_error(&to_device, 1, "/dev/stdout is no file");
}

/// `games` once found the openings by the moves, and `convert` and `analyse` only by the tags.
#[test]
fn a_filter_finds_the_same_games_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = path("games.pgn");
    let moves = ["1. b4 e5 2. Bb2 *", "1. b4 d5 *", "1. e4 c5 *", "1. e4 e5 *"];
    std::fs::write(&input, moves.map(|game| format!("[White \"A\"]\n\n{game}\n\n")).concat()).unwrap();
    for (filter, count) in [("eco=A00", 2), ("opening~sicilian", 1), ("not opening~polish and plies>1", 2)] {
        let listed = expect_ok(&["games", &input, "--filter", filter]);
        assert_eq!(listed.lines().count(), count, "{filter}: {listed}");
        let converted = expect_ok(&["convert", &input, "--to", "pgn", "--filter", filter]);
        assert_eq!(converted.matches("[White ").count(), count, "{filter}: {converted}");
        // The games themselves stay as they are.
        assert!(!converted.contains("[ECO ") && !converted.contains("[Opening "), "{converted}");
        let out = path(&format!("analysis-{count}-{}", filter.len()));
        let analysis = json_with_status(
            &["analyse", &input, "--filter", filter, "--nodes", "20", "-o", &out, "--json"],
            0,
        );
        assert_eq!(analysis["games"], count, "{filter}: {analysis}");
    }
    let sorted = expect_ok(&["convert", &input, "--to", "pgn", "--sort", "-eco"]);
    let places: Vec<_> = ["e5 *", "c5 *", "b4 "].iter().map(|text| sorted.find(text).unwrap()).collect();
    assert!(places.is_sorted(), "{sorted}");
    expect_ok(&["convert", &input, "--to", "pgn", "--split", "eco", "-o", &path("by-eco")]);
    assert_eq!(names(&folder.path().join("by-eco")), ["A00.pgn", "B20.pgn", "C20.pgn"]);
}

#[test]
fn a_game_that_cannot_be_read_has_one_exit_status_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = path("games.pgn");
    std::fs::write(&input, CHESS).unwrap();
    for args in [
        &["games", &input][..],
        &["games", &input, "--stats"],
        &["convert", &input, "--to", "pgn", "-o", &path("out.pgn")],
        &["analyse", &input, "--nodes", "20", "-o", &path("analysis")],
    ] {
        let (status, _, error) = run(args);
        assert_eq!((status, error.lines().count()), (1, 1), "{args:?}: {error}");
        assert!(error.contains("game 3, byte 252, line 17: move 1... e9: "), "{args:?}: {error}");
    }
}

#[test]
fn the_same_fault_of_many_games_is_one_line_and_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = path("games.pgn");
    std::fs::write(&input, "[White \"A\"]\n\n1. e4 e5 *\n\n".repeat(500)).unwrap();
    let (status, out, error) = run(&["convert", &input, "--to", "xqf", "-o", &path("files")]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}");
    let lines: Vec<_> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(lines[0].contains("games.pgn: game 1, byte 0, "), "{error}");
    assert!(lines[1].starts_with("alfil: 499 more: ") && lines[2] == "alfil: no game was written", "{error}");
}

#[test]
fn a_folder_without_games_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    for args in [&["games", name][..], &["games", name, "--stats"], &["games", name, "--json"]] {
        expect_error(args, 1, "alfil: there is no game");
    }
    std::fs::write(folder.path().join("notes.md"), "1. e4").unwrap();
    expect_error(&["games", name], 1, "there is no game; 1 file left out by the name");
}
