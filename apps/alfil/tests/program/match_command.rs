//! Tests of `alfil match` with real processes: failing engines, repeatable games, killed matches.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{PROGRAM, edit_run_file};

fn alfil(args: &[&str]) -> Output {
    Command::new(PROGRAM).arg("match").args(args).output().expect("it runs")
}

/// Runs a match that must succeed; returns its game rows by number and its result.
fn rows(args: &[&str]) -> (Vec<Value>, Value) {
    let output = alfil(&[args, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{args:?}: {error}");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let result = rows.pop().expect("a result")["result"].take();
    rows.sort_by_key(|row| row["number"].as_u64());
    (rows, result)
}

/// Removes the fields that differ from run to run.
fn without_times(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        let row = row.as_object_mut().expect("a row");
        row.remove("millis");
        row.remove("crc32");
    }
    rows
}

/// Writes a UCI engine as a shell script that runs `action` on `go`; returns its engine argument.
fn write_engine(folder: &Path, name: &str, action: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "while read -r line; do case $line in uci) echo 'id name fake'; echo uciok;; isready) echo readyok;;\n\
         go*) {action};;\nquit) exit;; esac; done\n"
    );
    std::fs::write(&path, script).expect("a script");
    format!("cmd='sh {}' proto=uci name={name} depth=1", path.display())
}

#[test]
fn failing_engines_lose_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, action, termination, logged) in [
        ("crash", "echo dying >&2; exit 3", "crash", "exit status: 3"),
        ("hang", "sleep 100", "hang", "> stop"),
        ("flood", "while :; do echo info depth 1 score cp 3 pv e2e4; done", "hang", "< info depth 1"),
        (
            "torrent",
            "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo bestmove e2e5",
            "illegal",
            "< bestmove e2e5",
        ),
        ("illegal", "echo bestmove e2e5", "illegal", "< bestmove e2e5"),
        ("garbage", "printf 'bestmove \\377\\001\\n'", "illegal", "< bestmove"),
        ("resigned", "echo 'bestmove (none)'", "dispute", "< bestmove (none)"),
        ("shut", "exec >&-; sleep 100", "crash", "the engine closed its output"),
    ] {
        let engine = write_engine(folder.path(), name, action);
        // A busy machine may start a shell slowly, so only the engines that hang get a short timeout.
        let timeout = if termination == "hang" { "2" } else { "30" };
        let args =
            ["chess", "--engine", &engine, "--engine", "nodes=20", "--games", "2", "--timeout", timeout];
        let (games, result) = rows(&args);
        assert_eq!(games.len(), 2, "{name}");
        for game in &games {
            assert_eq!(
                (&game["how"], &game["winner"]),
                (&termination.into(), &"alfil".into()),
                "{name}: {game}"
            );
            assert!(game["log"].to_string().contains(logged), "{name}: {}", game["log"]);
        }
        assert_eq!(result["lost_by"][0][termination], 2, "{name}: {result}");
        assert_eq!(result["pentanomial"], serde_json::json!([1, 0, 0, 0, 0]));
    }
}

#[test]
fn an_unusable_engine_ends_the_match_with_one_error_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let silent = folder.path().join("mute");
    std::fs::write(&silent, "sleep 100").expect("a script");
    let silent = format!("cmd='sh {}' proto=uci depth=1", silent.display());
    for (engine, status, expected) in [
        ("cmd=/nowhere/engine proto=uci depth=1", 1, "cannot start /nowhere/engine"),
        (silent.as_str(), 1, "not ready after 1 s"),
        ("cmd=true proto=uci depth=1", 1, "the engine exited: exit status: 0"),
        ("cmd=true proto=uci", 2, "only --timeout would end its searches"),
        ("cmd=true", 2, "proto="),
        ("cmd=true proto=morse", 2, "there is no protocol \"morse\""),
        ("", 2, "its search has no limit"),
        ("nodes=5 board=slate", 2, "no board \"slate\""),
    ] {
        let output = alfil(&["chess", "--engine", engine, "--engine", "nodes=20", "--timeout", "1"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{engine}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(expected), "{engine}: {error}");
    }
}

#[test]
fn invalid_arguments_are_named_in_one_line() {
    let two = ["--engine", "nodes=5", "--engine", "nodes=5"];
    for (args, expected) in [
        (&["chess", "--engine", "nodes=5"][..], "expected --engine twice, found it once"),
        (&[&["chess"], &two[..], &two[..]].concat(), "gauntlet), found it 4 times"),
        (&[&["chess"], &two[..], &["--games", "3"]].concat(), "even number"),
        (&[&["chess"], &two[..], &["--rules", "axf"]].concat(), "no ruleset \"axf\""),
        (&[&["xiangqi"], &two[..], &["--rules", "fide"]].concat(), "wxf2018"),
        (&[&["chess"], &two[..], &["--solve", "9"]].concat(), "no solver"),
        (&[&["chess"], &two[..], &["--win", "5"]].concat(), "MOVES:SCORE"),
        (&[&["chess"], &two[..], &["--draw", "1:2"]].concat(), "PLY:MOVES:SCORE"),
        (&[&["chess"], &two[..], &["--tc", "soon"]].concat(), "as a time"),
        (
            &[&["chess"], &two[..], &["--seed", "7", "--openings", "x"]].concat(),
            "'--seed <N>' cannot be used with",
        ),
        (&[&["chess"], &two[..], &["-o", "x", "--pgn", "x"]].concat(), "are the same file"),
        (&[&["chess"], &two[..], &["--timeout", "18446744073709551615"]].concat(), "is not in 1..=86400"),
        (&["chess", "--engine", "cmd= nodes=5", "--engine", "nodes=5"], "cmd= is empty"),
        (&["chess", "--engine", "nodes=5 nodes=9", "--engine", "nodes=5"], "nodes= is given twice"),
        (
            &["chess", "--engine", "cmd=x proto=uci threads=1", "--engine", "nodes=5"],
            "are for the built-in engine",
        ),
        (&two, "<GAME>"),
        (&["chess", "--resume", "x"], "--resume"),
    ] {
        let output = alfil(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(expected) && error.lines().count() == 1, "{args:?}: {error}");
    }
}

/// Starts a match and kills it when its file has `games` games.
fn run_and_kill(args: &[&str], file: &Path, games: usize) {
    let mut child: Child =
        Command::new(PROGRAM).arg("match").args(args).stdout(Stdio::null()).spawn().expect("it runs");
    let start = Instant::now();
    let played = || std::fs::read_to_string(file).map_or(0, |text| text.lines().count().saturating_sub(1));
    while played() < games && child.try_wait().expect("a child").is_none() {
        assert!(start.elapsed() < Duration::from_secs(300), "{games} games are not played");
        std::thread::sleep(Duration::from_millis(2));
    }
    // The match may have ended already.
    let _ = child.kill();
    child.wait().expect("it ends");
}

#[test]
fn a_killed_match_resumes_and_ends_like_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.jsonl");
    let path = file.to_str().expect("a path");
    let seed = ["--seed", "5", "--games", "12", "--max-plies", "40"];
    let match_args =
        [&["xiangqi", "--engine", "nodes=150", "--engine", "nodes=60 name=small"], &seed[..]].concat();
    let (uninterrupted, uninterrupted_result) = rows(&match_args);
    assert_eq!(without_times(rows(&match_args).0), without_times(uninterrupted.clone()));
    run_and_kill(&[&match_args[..], &["-o", path, "--threads", "2"]].concat(), &file, 3);
    // A new match does not overwrite the file.
    let second_run = alfil(&[&match_args[..], &["-o", path]].concat());
    assert!(!second_run.status.success() && String::from_utf8_lossy(&second_run.stderr).contains("--resume"));
    for games in [5, 8] {
        run_and_kill(&["--resume", path, "--threads", "2"], &file, games);
        // Simulates a kill in the middle of a write.
        let torn = std::fs::read_to_string(&file).expect("a file") + "{\"number\": 12, \"resu";
        std::fs::write(&file, torn).expect("a file");
    }
    let (_, result) = rows(&["--resume", path]);
    let text = std::fs::read_to_string(&file).expect("a file");
    let mut saved: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    saved.sort_by_key(|row| row["number"].as_u64());
    assert_eq!(without_times(saved), without_times(uninterrupted));
    for field in ["wins", "draws", "losses", "pentanomial", "elo", "lost_by"] {
        assert_eq!(result[field], uninterrupted_result[field], "{field}");
    }
    // A finished match has no games left and prints its result again.
    let (no_games, last) = rows(&["--resume", path]);
    assert_eq!((no_games.len(), &last["pentanomial"]), (0, &uninterrupted_result["pentanomial"]));
    // Games by another network are not mixed with those of the file without a word.
    edit_run_file(&file, |rows| {
        let network = &mut rows[0]["match"]["networks"][0];
        *network = network.as_str().expect("a network").replace("xiangqi (", "other (").into();
    });
    let error = String::from_utf8_lossy(&alfil(&["--resume", path]).stderr).into_owned();
    assert!(
        error.contains("alfil: alfil evaluates by xiangqi (") && error.contains("before by other ("),
        "{error}"
    );
    assert!(!error.contains("small"), "{error}");
}

#[test]
fn a_killed_tournament_resumes_and_every_pairing_plays_the_same_openings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tournament.jsonl");
    let path = file.to_str().expect("a path");
    let engines = ["--engine", "depth=2", "--engine", "depth=1", "--engine", "depth=1 name=last"];
    let args = [&["othello", "--tournament", "roundrobin", "--games", "4"], &engines[..]].concat();
    let (games, result) = rows(&args);
    let players =
        |game: &Value| [&game["first"], &game["second"]].map(|name| name.as_str().unwrap().to_owned());
    let meetings: Vec<_> = games.iter().take(6).map(players).collect();
    let expected = [
        ["alfil", "alfil (2)"],
        ["alfil (2)", "alfil"],
        ["alfil", "last"],
        ["last", "alfil"],
        ["alfil (2)", "last"],
        ["last", "alfil (2)"],
    ];
    assert_eq!(meetings, expected);
    assert!(games[..6].iter().all(|game| game["opening"] == games[0]["opening"]));
    assert!(games[6..].iter().all(|game| game["opening"] == games[6]["opening"]));
    assert_ne!(games[0]["opening"], games[6]["opening"]);
    run_and_kill(&[&args[..], &["-o", path, "--threads", "2"]].concat(), &file, 3);
    let (_, resumed) = rows(&["--resume", path]);
    assert_eq!((resumed["games"].as_u64(), &resumed["ratings"]), (Some(12), &result["ratings"]));
    assert_eq!(result["ratings"][0]["engine"], "alfil", "{result}");
}

/// The built-in engine at the other end of each protocol plays without failures.
#[test]
fn the_built_in_engine_plays_by_every_protocol() {
    let program = PROGRAM;
    for (game, args) in [
        ("xiangqi", "proto=uci"),
        ("xiangqi", "proto=uci ranks=1-10 option.UCI_Ranks=1-10"),
        ("xiangqi", "proto=ucci"),
        ("xiangqi", "proto=xboard"),
        ("chess", "proto=uci"),
        ("chess", "proto=xboard"),
        ("othello", "proto=uci"),
        ("othello", "proto=nboard"),
    ] {
        let engine = format!("cmd='{program} engine --game {game}' {args}");
        let limits = ["--games", "4", "--depth", "2", "--max-plies", "30"];
        let engines = ["--engine", "name=internal", "--engine", &engine];
        let (games, _) = rows(&[&[game], &engines[..], &limits[..]].concat());
        assert_eq!(games.len(), 4);
        for game in games {
            let termination = game["how"].as_str().expect("how");
            assert!(["board", "rule", "length"].contains(&termination), "{args}: {game}");
        }
    }
}

#[test]
fn openings_are_read_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "# two\nf5 d6\nf5 f6 e6\n").expect("a file");
    let path = file.to_str().expect("a path");
    let args = ["othello", "--engine", "depth=1", "--engine", "depth=2", "--games", "4", "--openings", path];
    let (games, result) = rows(&args);
    let openings: Vec<_> =
        games.iter().map(|game| game["opening"].as_array().expect("moves").len()).collect();
    assert_eq!((openings, &result["games"]), (vec![2, 2, 3, 3], &4.into()));
    assert_eq!((&games[0]["first"], &games[1]["first"]), (&"alfil".into(), &"alfil (2)".into()));
    let mut longer = args;
    longer[6] = "6";
    let output = alfil(&longer);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.contains("3 game pairs are played from 2 openings"), "{error}");
    let output = alfil(&[&args[..], &["--plies", "4"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--plies is for a file of games"));
    std::fs::write(&file, "f5 d6\nf5 f5\n").expect("a file");
    let output = alfil(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("openings.txt: line 2: move 2"));
}

/// The PGN file of a match contains the games of its rows.
#[test]
fn the_pgn_file_contains_the_games_of_the_match() {
    use alfil_kernel::{Outcome, Side};
    use alfil_session::{ROOT, TextGame, registry};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let games = |file: &str| -> Vec<TextGame> {
        let bytes = std::fs::read(file).expect("a file");
        let games = registry::read_games(&bytes, None).unwrap();
        games.into_iter().map(|game| game.expect("a sound record")).collect()
    };
    let engines = ["--engine", "name=long depth=2 tc=60", "--engine", "name=short depth=1 tc=60"];
    let positions = path("positions");
    // An EPD, whose operations are no part of the FEN tag.
    let texts = "8/8/8/4k3/8/8/3PP3/4K3 b - - fmvn 7; id \"its moves\"; moves e5e4\nstartpos\n";
    std::fs::write(&positions, texts).expect("a file");
    for (game, extra_args) in
        [("chess", &["--openings", &positions][..]), ("xiangqi", &[]), ("othello", &["--solve", "8"])]
    {
        let (rows_file, pgn) = (path(&format!("{game}.jsonl")), path(&format!("{game}.pgn")));
        let args = [
            &[game, "--games", "4", "--max-plies", "40", "-o", &rows_file, "--pgn", &pgn],
            &engines[..],
            extra_args,
        ];
        let (rows, _) = rows(&args.concat());
        let saved = games(&pgn);
        assert_eq!(saved.len(), 4);
        for (row, saved) in rows.iter().zip(&saved) {
            assert_eq!(saved.tags.value("Date"), row["date"].as_str());
            assert_eq!((&*saved.game, saved.tags.value("Round")), (game, Some(&*row["number"].to_string())));
            let texts = |field: &str| row[field].as_array().expect("a row").clone();
            let moves = [texts("opening"), texts("moves")].concat();
            let found: Vec<Value> =
                saved.moves.iter().skip(1).map(|(_, mv)| mv.text.as_str().into()).collect();
            assert_eq!(found, moves, "{game}");
            let result = match row["result"].as_str() {
                Some("1-0") => Outcome::Win(Side::First),
                Some("0-1") => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            };
            assert_eq!(saved.result, Some(result));
            assert_eq!(saved.start.is_some(), row["start"] != "startpos", "{row}");
            assert!(
                saved.moves[saved.moves.line_end(ROOT)]
                    .annotation
                    .comment_after
                    .ends_with(row["words"].as_str().expect("words"))
            );
            for (at, score) in texts("scores").iter().enumerate().filter(|(_, score)| !score.is_null()) {
                let notes = &saved.moves[1 + texts("opening").len() + at].annotation;
                assert!(
                    notes.eval.is_some() && notes.clock.is_some() && notes.elapsed.is_some(),
                    "{score}: {notes:?}"
                );
            }
        }
        // Interrupts the match after two games, with an incomplete third game in the PGN file.
        let text = std::fs::read_to_string(&rows_file).expect("rows");
        let head: Vec<_> = text.lines().take(3).collect();
        std::fs::write(&rows_file, format!("{}\n{{\"torn", head.join("\n"))).expect("a file");
        let complete = std::fs::read(&pgn).expect("a file");
        std::fs::write(&pgn, &complete[..complete.len() * 5 / 8]).expect("a file");
        assert!(alfil(&["--resume", &rows_file, "--pgn", &pgn]).status.success());
        let second_run = games(&pgn);
        let move_texts = |games: &[TextGame]| -> Vec<Vec<String>> {
            games.iter().map(|game| game.moves.iter().map(|(_, mv)| mv.text.clone()).collect()).collect()
        };
        assert_eq!(move_texts(&second_run), move_texts(&saved), "{game}");
        // A file that the match did not write is not overwritten, neither by a new match nor by a resumed one.
        let refused_run = alfil(&[&[game, "--pgn", &pgn], &engines[..]].concat());
        let message = String::from_utf8_lossy(&refused_run.stderr);
        assert!(
            !refused_run.status.success() && message.contains("to continue the match: --resume FILE"),
            "{message}"
        );
        assert!(!alfil(&["--resume", &rows_file, "--pgn", &positions]).status.success());
    }
}

#[test]
fn a_resumed_match_does_not_overwrite_the_pgn_file_of_another_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let play = |seed: &str| {
        let (rows_file, pgn) = (path(&format!("{seed}.jsonl")), path(&format!("{seed}.pgn")));
        let args = ["othello", "--games", "2", "--max-plies", "12", "--seed", seed, "-o", &rows_file];
        let engines = ["--pgn", &pgn, "--engine", "name=one nodes=5", "--engine", "name=two nodes=5"];
        assert!(alfil(&[&args[..], &engines].concat()).status.success());
        (rows_file, pgn)
    };
    let ((rows_file, pgn), (_, other)) = (play("1"), play("2"));
    let before = std::fs::read(&other).expect("a file");
    let output = alfil(&["--resume", &rows_file, "--pgn", &other]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("is not the PGN file of this match"), "{message}");
    assert_eq!(std::fs::read(&other).expect("a file"), before);
    assert!(alfil(&["--resume", &rows_file, "--pgn", &pgn]).status.success());
}

/// A row that cannot be converted once emptied the PGN file.
#[test]
fn a_refused_resume_leaves_the_pgn_file_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let (rows_file, pgn, link) = (path("match.jsonl"), path("match.pgn"), path("link.pgn"));
    let args = ["othello", "--games", "2", "--max-plies", "12", "-o", &rows_file, "--pgn", &pgn];
    let engines = ["--engine", "name=one nodes=5", "--engine", "name=two nodes=5"];
    assert!(alfil(&[&args[..], &engines].concat()).status.success());
    let (rows, games) = (
        std::fs::read_to_string(&rows_file).expect("a file"),
        std::fs::read_to_string(&pgn).expect("a file"),
    );
    // The score does not need `words`; the PGN file does.
    edit_run_file(&rows_file, |rows| {
        drop(rows.last_mut().and_then(Value::as_object_mut).expect("a row").remove("words"));
    });
    let output = alfil(&["--resume", &rows_file, "--pgn", &pgn]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("cannot convert this row to PGN"), "{message}");
    assert_eq!(std::fs::read_to_string(&pgn).expect("a file"), games);
    // A symbolic link is not replaced by a file.
    std::fs::write(&rows_file, &rows).expect("a file");
    std::os::unix::fs::symlink(&pgn, &link).expect("a link");
    assert!(alfil(&["--resume", &rows_file, "--pgn", &link]).status.success());
    assert!(std::fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(std::fs::read_to_string(&pgn).expect("a file"), games);
}

/// The PGN file contains the scores that external engines report.
#[test]
fn the_pgn_file_contains_the_scores_of_external_engines() {
    use alfil_session::{AnnotatedScore, EvalAnnotation, registry};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let start = path("openings");
    std::fs::write(&start, "startpos\n").expect("a file");
    for (name, output, score) in [
        ("mates", "echo info depth 3 score mate 5", Some(AnnotatedScore::Mate(5))),
        ("mated", "echo info depth 3 score mate -2", Some(AnnotatedScore::Mate(-2))),
        ("raw", "echo info depth 3 score cp 30500", Some(AnnotatedScore::Centipawns(28_999))),
        ("mute", "sleep 0.05", None),
    ] {
        let engine = write_engine(folder.path(), name, &format!("{output}; echo bestmove e2e4"));
        let pgn = path(&format!("{name}.pgn"));
        let args = ["chess", "--engine", &engine, "--engine", "nodes=20", "--games", "2"];
        let output = alfil(&[&args[..], &["--openings", &start, "--pgn", &pgn]].concat());
        assert!(output.status.success(), "{output:?}");
        let bytes = std::fs::read(&pgn).expect("a file");
        let game = registry::read_games(&bytes, None).unwrap().remove(0).expect("a sound record");
        let notes = &game.moves[1].annotation;
        assert_eq!(notes.eval, score.map(|score| EvalAnnotation { score, depth: Some(3) }), "{name}");
        assert!(notes.elapsed.is_some_and(|spent| score.is_some() || !spent.is_zero()), "{name}: {notes:?}");
    }
}

#[test]
fn a_rejected_match_creates_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("old"), "something else\n").expect("a file");
    for (out, pgn) in [("old", "new"), ("new", "old"), ("new", "nowhere/new")] {
        let (out, pgn) = (path(out), path(pgn));
        let (out, pgn) = (out.to_str().expect("letters"), pgn.to_str().expect("letters"));
        let args = ["chess", "--engine", "nodes=5", "--engine", "nodes=5", "--games", "2"];
        let output = alfil(&[&args[..], &["-o", out, "--pgn", pgn]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(!path("new").exists(), "{out} {pgn}");
        assert_eq!(std::fs::read_to_string(path("old")).expect("a file"), "something else\n");
    }
}

#[test]
fn the_pgn_file_can_leave_comments_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let path = file.to_str().expect("a path");
        let args = [
            "chess",
            "--engine",
            "depth=1",
            "--engine",
            "depth=1",
            "--games",
            "2",
            "--max-plies",
            "20",
            "--pgn",
        ];
        assert!(alfil(&[&args[..], &[path], more].concat()).status.success());
        std::fs::read_to_string(file).expect("a file")
    };
    let [with_comments, without_comments] = [write("with", &[]), write("without", &["--no-comments"])];
    assert!(with_comments.contains("[%eval") && with_comments.contains('{'), "{with_comments}");
    assert!(!without_comments.contains('{') && without_comments.contains("1. "), "{without_comments}");
    let moves = |text: &str| {
        let games = alfil_session::registry::read_games(text.as_bytes(), None).unwrap();
        games.into_iter().map(|game| game.expect("a sound record").moves.move_count()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&with_comments), moves(&without_comments));
    let output = alfil(&["chess", "--engine", "depth=1", "--engine", "depth=1", "--no-comments"]);
    assert_eq!(output.status.code(), Some(2));
}

/// One short or illegal game once refused a whole file.
#[test]
fn games_that_cannot_be_openings_are_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.pgn");
    let path = file.to_str().expect("a path");
    let good = "[White \"A\"]\n\n1. e4 e5 *\n\n";
    let bad = "[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"C\"]\n\n1. e5 *\n\n";
    std::fs::write(&file, format!("{good}{bad}[White \"D\"]\n\n1. d4 *\n")).expect("a file");
    let args =
        ["chess", "--engine", "depth=1", "--engine", "depth=1", "--games", "4", "--max-plies", "6", "--json"];
    let args = [&args[..], &["--openings", path]].concat();
    let output = alfil(&args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let expected = format!("alfil: {path}: 2 games were skipped; the first: game 2: the game is over: ");
    assert!(error.starts_with(&expected) && error.lines().count() == 1, "{error}");
    let rows = String::from_utf8_lossy(&output.stdout);
    assert!(rows.contains("[\"e2e4\",\"e7e5\"]") && rows.contains("[\"d2d4\"]"), "{rows}");
    std::fs::write(&file, bad).expect("a file");
    let output = alfil(&args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{error}");
    assert!(
        error.contains("none of the 2 games is an opening; the first: game 1: the game is over"),
        "{error}"
    );
}
