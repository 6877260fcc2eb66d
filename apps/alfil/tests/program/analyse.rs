//! Tests of `alfil analyse`, `status` and `merge`: what they write, and that a killed run ends with the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{PROGRAM, expect_error, expect_negative, expect_ok, run, run_with_input};

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 {weak} e5 2. g4 Qh4# 0-1\n\n\
    [Game \"Chinese Chess\"]\n[Red \"A\"]\n[Black \"B\"]\n\n1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 *\n\n\
    [White \"Cid\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 *\n";
/// The number of positions of [`GAMES`].
const POSITIONS: u64 = 5 + 6 + 15;

pub(super) fn write_games(folder: &Path) -> String {
    let path = folder.join("games.pgn");
    fs::write(&path, GAMES).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(super) fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the rows of a file of JSON lines.
fn rows(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(json).collect()
}

/// Returns the merged files of a folder by name.
pub(super) fn merged_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let merged = files
        .filter(|path| path.is_file() && !path.file_name().unwrap().to_string_lossy().starts_with("queue"));
    merged
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn every_position_is_evaluated_and_a_second_run_has_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let args =
        ["analyse", &input, "-o", &out, "--nodes", "300", "--threads", "2", "--format", "jsonl", "--json"];
    let totals = json(&expect_ok(&args));
    assert_eq!(totals["positions"], POSITIONS);
    assert_eq!((&totals["done"], &totals["poisoned"]), (&totals["chunks"], &0.into()));
    assert_eq!((&totals["games"], &totals["kept"]), (&3.into(), &0.into()));
    let out_folder = folder.path().join("out");
    let chess = rows(&out_folder.join("chess.jsonl"));
    assert_eq!(chess.len(), 20);
    assert_eq!((&chess[3]["best_move"], &chess[3]["mate_plies"]), (&"d8h4".into(), &1.into()));
    assert_eq!((&chess[2]["judgement"], &chess[2]["move_played"]), (&"blunder".into(), &"g2g4".into()));
    assert_eq!((&chess[4]["game_end"], &chess[4]["score_cp"]), (&"checkmate".into(), &(-100_000).into()));
    let games = rows(&out_folder.join("chess-games.jsonl"));
    assert_eq!((&games[0]["first_player"], &games[0]["result"]), (&"Ann".into(), &"0-1".into()));
    assert!(games[0]["first_accuracy"].as_f64().unwrap() < games[0]["second_accuracy"].as_f64().unwrap());
    let before = merged_files(&out_folder);
    let again = json(&expect_ok(&args));
    assert_eq!((&again["kept"], &again["nodes"]), (&totals["chunks"], &totals["nodes"]));
    assert!(merged_files(&out_folder) == before);
    let status = json(&expect_ok(&["status", &out, "--json"]));
    assert_eq!((&status["parts"][0]["done"], &status["parts"][0]["running"]), (&totals["chunks"], &0.into()));
    // The other formats follow from the same results.
    expect_ok(&["merge", &out, "--format", "pgn"]);
    let pgn = fs::read_to_string(out_folder.join("chess.pgn")).unwrap().replace('\n', " ");
    assert!(pgn.contains("2. g4 $4 {[%eval #-1,") && pgn.contains("[WhiteAccuracy \""), "{pgn}");
    let merged = json(&expect_ok(&["merge", &out, "--json"]));
    assert_eq!(merged["positions"], POSITIONS);
    assert_eq!(
        (&merged["failed"], &merged["poisoned"]),
        (&0.into(), &0.into()),
        "the second is the earlier name"
    );
    assert!(fs::read(out_folder.join("xiangqi.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn other_options_or_input_need_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    expect_ok(&["analyse", &input, "-o", &out, "--nodes", "50", "--to", "2"]);
    expect_error(&["analyse", &input, "-o", &out, "--nodes", "60", "--to", "2"], 1, "--nodes 50, not 60");
    fs::write(&input, GAMES.replace("1. d4 d5", "1. c4 e6")).unwrap();
    let (status, _, error) = run(&["analyse", &input, "-o", &out, "--nodes", "50", "--to", "2"]);
    assert_eq!(status, 1);
    assert!(error.contains("changed since"), "{error}");
    expect_error(&["analyse", &input, "-o", &out, "--rules", "local"], 2, "possible values: axf");
    expect_error(&["analyse", &input, "-o", &out, "--shard", "3/2"], 2, "expected I/N");
    expect_error(&["status", &path_in(folder.path(), "none")], 1, "none");
    let empty = path_in(folder.path(), "empty.txt");
    fs::write(&empty, "").unwrap();
    let (status, _, error) = run(&["analyse", &empty, "-o", &path_in(folder.path(), "new")]);
    assert!(status == 1 && error.contains("no game or position to analyse"), "{error}");
    assert!(!folder.path().join("new").exists());
}

#[test]
fn results_are_not_read_as_games_and_replace_none() {
    let folder = tempfile::tempdir().unwrap();
    let (games, input) = (path_in(folder.path(), "games"), path_in(folder.path(), "games/chess.pgn"));
    let (one, two) = (path_in(folder.path(), "games/one"), path_in(folder.path(), "games/two"));
    fs::create_dir_all(&one).unwrap();
    fs::write(&input, GAMES).unwrap();
    // A game in the folder of the results is read by every run.
    fs::write(path_in(folder.path(), "games/one/more.txt"), "f5d6c3\n").unwrap();
    let analyse = |inputs: &[&str], out: &str| {
        let options = ["-o", out, "--nodes", "300", "--format", "pgn", "--json"];
        let totals = json(&expect_ok(&[&["analyse"], inputs, &options].concat()));
        assert_eq!(
            (&totals["positions"], &totals["left_out"]),
            (&(POSITIONS + 4).into(), &Value::Array(Vec::new()))
        );
        totals["kept"] == totals["chunks"]
    };
    assert!(!analyse(&[&games], &one) && analyse(&[&games], &one));
    // As a pattern of the shell names them before and after.
    let more = path_in(folder.path(), "games/one/more.txt");
    assert!(!analyse(&[&input, &more], &two) && analyse(&[&input, &more, &two], &two));
    let elsewhere = path_in(folder.path(), "games.pgn");
    fs::write(&elsewhere, GAMES).unwrap();
    for (input, status, error) in [
        (&games, 2, "the games are in the folder of the results"),
        (&input, 2, "name another one with -o, such as "),
        (&elsewhere, 1, "chess.pgn: the results would replace it"),
        (&path_in(folder.path(), "games/none"), 1, "cannot read "),
    ] {
        expect_error(&["analyse", input, "-o", &games, "--nodes", "300", "--format", "pgn"], status, error);
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), GAMES);
}

/// Earlier versions analysed games into their own folder.
#[test]
fn merged_results_do_not_replace_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out) = (path_in(folder.path(), "games"), folder.path().join("out"));
    let input = path_in(folder.path(), "games/chess.pgn");
    fs::create_dir(&games).unwrap();
    fs::write(&input, GAMES).unwrap();
    expect_ok(&["analyse", &input, "-o", out.to_str().unwrap(), "--nodes", "300", "--json"]);
    for name in ["queue.sqlite", "chunks"] {
        fs::rename(out.join(name), folder.path().join("games").join(name)).unwrap();
    }
    expect_error(&["merge", &games, "--format", "pgn"], 1, "chess.pgn has games of the analysis");
    assert_eq!(fs::read_to_string(&input).unwrap(), GAMES);
    assert!(!folder.path().join("games/xiangqi.pgn").exists());
}

#[test]
fn positions_of_standard_input_are_analysed_with_several_lines() {
    let folder = tempfile::tempdir().unwrap();
    let out = path_in(folder.path(), "out");
    let text = b"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#;\nno position\n";
    let args = ["analyse", "-", "-o", &out, "--nodes", "2000", "--lines", "2", "--format", "jsonl"];
    let (status, _, error) = run_with_input(&args, text);
    // What could be read is analysed, and the status says that something could not.
    assert_eq!(status, 1, "{error}");
    assert!(error.starts_with("alfil: -: game 2, ") && error.lines().count() == 1, "{error}");
    let rows = rows(&folder.path().join("out/chess.jsonl"));
    let lines: Vec<_> = rows.iter().map(|row| (&row["line"], &row["best_move"])).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], (&1.into(), &"f3f7".into()));
    assert_eq!(rows[0]["mate_plies"], 1);
    assert_ne!(lines[1].1, "f3f7");
}

#[test]
fn a_repetition_of_xiangqi_is_ruled_on() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (path_in(folder.path(), "game.pgn"), path_in(folder.path(), "out"));
    let cycle = "1. i8i9 d9d8 2. i9i8 d8d9 ".repeat(6);
    let pgn = format!(
        "[Game \"Chinese Chess\"]\n[FEN \"3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n[Format \"ICCS\"]\n\n{} *\n",
        cycle.replace("1. ", "").replace("2. ", "")
    );
    fs::write(&input, pgn).unwrap();
    expect_ok(&["analyse", &input, "-o", &out, "--nodes", "20", "--rules", "axf", "--format", "jsonl"]);
    let game = rows(&folder.path().join("out/xiangqi-games.jsonl")).remove(0);
    assert_eq!((&game["ruling"], &game["ruling_cause"]), (&"red_loses".into(), &"perpetual_check".into()));
    let ply = game["ruling_ply"].as_u64().unwrap();
    let positions = rows(&folder.path().join("out/xiangqi.jsonl"));
    let first = positions.iter().find(|row| !row["ruling"].is_null()).unwrap();
    assert_eq!(first["ply"], ply);
}

#[test]
fn the_parts_of_an_analysis_are_merged_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_games(folder.path());
    let (whole, parts) = (path_in(folder.path(), "whole"), path_in(folder.path(), "parts"));
    let analyse = |out: &str, shard: &[&str]| {
        let args = ["analyse", &input, "-o", out, "--nodes", "100"];
        expect_ok(&[&args[..], shard].concat())
    };
    analyse(&whole, &[]);
    let hint = format!("part 1 of 2 is done; when all are: alfil merge {parts}");
    for (format, argument) in [("pgn", " --format pgn"), ("jsonl", " --format jsonl"), ("parquet", "")] {
        let out = analyse(&parts, &["--shard", "1/2", "--format", format]);
        assert_eq!(out.lines().last(), Some(format!("{hint}{argument}").as_str()));
    }
    expect_error(&["merge", &parts], 1, "the parts 2 of 2 are missing");
    let mut part = Command::new(PROGRAM);
    part.args(["analyse", &input, "-o", &parts, "--nodes", "100", "--shard", "slurm"]);
    part.envs([("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "0"), ("SLURM_ARRAY_TASK_COUNT", "2")]);
    let output = part.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    expect_ok(&["merge", &parts]);
    assert!(merged_files(Path::new(&parts)) == merged_files(Path::new(&whole)), "the files differ");
}

/// Starts a run with two threads.
fn start(input: &str, out: &str, nodes: &str) -> Child {
    Command::new(PROGRAM)
        .args(["analyse", input, "-o", out, "--nodes", nodes, "--threads", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills a run `kills` times, at times that differ, then lets it finish; compares its files with those of a run without
/// interruption.
fn kill_and_compare(kills: u32, nodes: &str) {
    let folder = tempfile::tempdir().unwrap();
    let input = write_games(folder.path());
    let (whole, killed) = (path_in(folder.path(), "whole"), path_in(folder.path(), "killed"));
    let start_time = Instant::now();
    let expected = json(&expect_ok(&["analyse", &input, "-o", &whole, "--nodes", nodes, "--json"]));
    // All the killed runs together, with two threads, have less than the time that one run with one thread needs.
    let step = start_time.elapsed() / (26 * kills);
    let mut running = 0;
    for kill in 0..kills {
        let mut child = start(&input, &killed, nodes);
        // Quadratic residues modulo a prime are an irregular and repeatable sequence.
        std::thread::sleep(step * (kill * kill % 13));
        child.kill().unwrap();
        running += u32::from(!child.wait().unwrap().success());
    }
    assert!(running > kills / 2, "only {running} of {kills} runs were still working when they were killed");
    let totals = json(&expect_ok(&["analyse", &input, "-o", &killed, "--nodes", nodes, "--json"]));
    for field in ["chunks", "done", "poisoned", "positions_done", "nodes"] {
        assert_eq!(totals[field], expected[field], "{field}");
    }
    assert!(merged_files(Path::new(&killed)) == merged_files(Path::new(&whole)), "the files differ");
    let chunk_files = |out: &str| fs::read_dir(Path::new(out).join("chunks")).unwrap().count();
    assert_eq!(chunk_files(&killed), chunk_files(&whole));
}

#[test]
fn a_run_that_is_killed_several_times_ends_with_the_same_bytes() {
    kill_and_compare(6, "60000");
}

#[test]
#[ignore = "long: 50 kills"]
fn a_run_that_is_killed_fifty_times_ends_with_the_same_bytes() {
    kill_and_compare(50, "400000");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_its_totals_and_exits_with_130() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    for seconds in [1, 4, 16] {
        let child = Command::new(PROGRAM)
            .args(["analyse", &input, "-o", &out, "--nodes", "1000000000", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        // A run that is interrupted before it has a handler is ended by the signal.
        let Some(status) = output.status.code() else { continue };
        assert_eq!(status, 130);
        let totals = json(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!((&totals["interrupted"], &totals["done"]), (&true.into(), &0.into()));
        let status = json(&expect_ok(&["status", &out, "--json"]));
        assert_eq!((&status["parts"][0]["stopped"], &status["parts"][0]["running"]), (&1.into(), &0.into()));
        return;
    }
    panic!("the command installs no handler");
}

#[test]
fn a_worker_searches_the_chunk_of_its_own_build_only() {
    let (status, out, error) = run_with_input(&["worker", "-"], b"{}\n");
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(error.contains("no chunk of an analysis"), "{error}");
    let chunk = br#"{"options":{"build":"other","nodes":1,"movetime_ms":null,"lines":1,"hash_mib":1,"from":0,"to":null,"every":1,"rules":null},"games":[]}"#;
    let (status, _, error) = run_with_input(&["worker", "-"], chunk);
    assert!(status == 1 && error.contains("the chunk is of the build other"), "{error}");
}

/// Returns the processes that a process started.
#[cfg(target_os = "linux")]
pub(super) fn children_of(process: u32) -> Vec<u32> {
    let is_child = |pid: &u32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        status.lines().any(|line| line.split_whitespace().eq(["PPid:", &process.to_string()]))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(is_child).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_chunk_whose_process_ends_three_times_fails_and_the_rest_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let args = ["analyse", &input, "-o", &out, "--nodes", "30000", "--format", "jsonl"];
    // A run that is killed leaves a chunk, which is then searched in a process of its own.
    let status_has = |state: &str| run(&["status", &out, "--json"]).1.contains(state);
    let is_left_by_kill = |_| {
        let mut child = Command::new(PROGRAM).args(args).stdout(Stdio::null()).spawn().unwrap();
        while !status_has("\"running\":1") && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
        // The chunk may have ended before the kill.
        status_has("\"stopped\":1")
    };
    assert!((0..5).any(is_left_by_kill), "no run was killed during a chunk");
    let mut child =
        Command::new(PROGRAM).args(args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut killed = Vec::new();
    while killed.len() < 3 && child.try_wait().unwrap().is_none() {
        for pid in children_of(child.id()).into_iter().filter(|pid| !killed.contains(pid)).collect::<Vec<_>>()
        {
            Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
            killed.push(pid);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((killed.len(), output.status.code()), (3, Some(1)), "{error}");
    assert!(error.contains("SIGKILL") && error.contains("it is not tried again"), "{error}");
    let status = json(&expect_negative(&["status", &out, "--json"]));
    let part = &status["parts"][0];
    assert_eq!((&part["failed"], &part["waiting"]), (&1.into(), &0.into()));
    assert_eq!(part["done"].as_u64().unwrap() + 1, part["chunks"].as_u64().unwrap());
    assert!(part["failed_chunks"][0]["reason"].as_str().unwrap().contains("SIGKILL"));
    // The names of earlier versions are there, too.
    assert_eq!((&part["poisoned"], &part["poison"]), (&part["failed"], &part["failed_chunks"]));
    let text = expect_negative(&["status", &out]);
    assert!(text.contains("failed    1 chunk\n") && text.contains("games.pgn, game "), "{text}");
    // On request it is tried again.
    let retry = [&args[..], &["--retry", "--json"]].concat();
    let report = json(&expect_ok(&retry));
    assert_eq!((&report["failed"], &report["poisoned"]), (&0.into(), &0.into()));
}

#[test]
fn a_folder_has_one_division() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.pgn"), "1. e4 *\n").unwrap();
    let analyse = |out: &str, more: &[&str]| {
        let args = ["analyse", &path("a.pgn"), "-o", &path(out), "--nodes", "10"];
        run(&[&args[..], more].concat())
    };
    assert_eq!(analyse("parts", &["--shard", "1/2"]).0, 0);
    for more in [&[][..], &["--shard", "2/3"]] {
        let (status, _, error) = analyse("parts", more);
        assert!(status == 1 && error.contains("divided into 2 parts with --shard"), "{error}");
    }
    assert_eq!(analyse("whole", &[]).0, 0);
    let (status, _, error) = analyse("whole", &["--shard", "1/2"]);
    assert!(status == 1 && error.contains("not divided"), "{error}");
    let (status, _, error) = analyse("whole", &["--from", "10", "--to", "5"]);
    assert!(status == 2 && error.contains("--to 5 is before --from 10"), "{error}");
}

/// The user and group without rights of every Unix.
#[cfg(unix)]
const UNPRIVILEGED: u32 = 65_534;

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_read_and_says_so_to_a_new_run() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let folder = tempfile::tempdir().unwrap();
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(folder.path(), 0o755);
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let args = ["analyse", &input, "-o", &out, "--nodes", "100", "--format", "jsonl"];
    expect_ok(&args);
    let names = || fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let before = names();
    // Modes do not hold root back, who gives the program to a user without rights.
    let is_root = fs::metadata(folder.path()).unwrap().uid() == 0;
    let program = folder.path().join("alfil");
    fs::copy(PROGRAM, &program).unwrap();
    let elsewhere = path_in(folder.path(), "elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    set_mode(Path::new(&elsewhere), 0o777);
    set_mode(Path::new(&out), 0o555);
    let run = |args: &[&str]| {
        let mut command = Command::new(&program);
        if is_root {
            command.uid(UNPRIVILEGED).gid(UNPRIVILEGED);
        }
        let output = command.args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, text, error) = run(&["status", &out]);
    assert!(status == Some(0) && text.contains("failed    0 chunks"), "{text}{error}");
    let (status, _, error) = run(&["merge", &out, "--format", "jsonl"]);
    assert!(status == Some(1) && error.contains("-o DIR writes the results elsewhere"), "{error}");
    let merge = ["merge", &out, "--format", "jsonl", "-o", &elsewhere];
    let (status, _, error) = run(&merge);
    assert_eq!(status, Some(0), "{error}");
    let results = |folder: &str| fs::read(Path::new(folder).join("chess.jsonl")).unwrap();
    assert!(results(&elsewhere) == results(&out));
    let (status, _, error) = run(&merge);
    assert!(status == Some(1) && error.contains(".jsonl exists: --force replaces it"), "{error}");
    assert_eq!(run(&[&merge[..], &["--force"]].concat()).0, Some(0));
    // The lock can be written, and nothing else.
    set_mode(&Path::new(&out).join("queue.lock"), 0o666);
    let (status, _, error) = run(&args);
    assert!(status == Some(1) && error.contains(&format!("cannot write in {out}: ")), "{error}");
    set_mode(Path::new(&out), 0o755);
    assert_eq!(names(), before);
}
