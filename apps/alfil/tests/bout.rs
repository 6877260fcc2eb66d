//! `alfil match` with real processes: engines that fail, games that repeat, matches that are killed.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn alfil(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alfil")).arg("match").args(words).output().expect("it runs")
}

/// The rows of a match that must go well: one for each game, by number, then the result.
fn rows(words: &[&str]) -> (Vec<Value>, Value) {
    let output = alfil(&[words, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{words:?}: {error}");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let result = rows.pop().expect("a result")["result"].take();
    rows.sort_by_key(|row| row["number"].as_u64());
    (rows, result)
}

/// Games without what differs from run to run.
fn without_times(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        row.as_object_mut().expect("a row").remove("millis");
    }
    rows
}

/// A UCI engine in a few lines of shell that does this when it shall move.
fn write_engine(folder: &Path, name: &str, deed: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "while read -r line; do case $line in uci) echo 'id name fake'; echo uciok;; isready) echo readyok;;\n\
         go*) {deed};;\nquit) exit;; esac; done\n"
    );
    std::fs::write(&path, script).expect("a script");
    format!("cmd='sh {}' proto=uci name={name}", path.display())
}

#[test]
fn engines_that_fail_lose_and_the_match_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, deed, how, shown) in [
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
        ("shut", "exec >&-; sleep 100", "crash", "it closed its output"),
    ] {
        let engine = write_engine(folder.path(), name, deed);
        // A busy machine may be slow to start a shell; only those that hang are waited for that long.
        let patience = if how == "hang" { "2" } else { "30" };
        let words =
            ["chess", "--engine", &engine, "--engine", "nodes=20", "--games", "2", "--patience", patience];
        let (games, result) = rows(&words);
        assert_eq!(games.len(), 2, "{name}");
        for game in &games {
            assert_eq!((&game["how"], &game["winner"]), (&how.into(), &"alfil".into()), "{name}: {game}");
            assert!(game["log"].to_string().contains(shown), "{name}: {}", game["log"]);
        }
        assert_eq!(result["lost_by"][0][how], 2, "{name}: {result}");
        assert_eq!(result["pentanomial"], serde_json::json!([1, 0, 0, 0, 0]));
    }
}

#[test]
fn an_engine_that_cannot_play_ends_the_match_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mute = folder.path().join("mute");
    std::fs::write(&mute, "sleep 100").expect("a script");
    let mute = format!("cmd='sh {}' proto=uci", mute.display());
    for (engine, status, expected) in [
        ("cmd=/nowhere/engine proto=uci", 1, "/nowhere/engine cannot be started"),
        (mute.as_str(), 1, "not ready after 1 s"),
        ("cmd=true proto=uci", 1, "it ended: exit status: 0"),
        ("cmd=true", 2, "proto="),
        ("cmd=true proto=morse", 2, "there is no protocol \"morse\""),
        ("", 2, "nothing bounds its thoughts"),
        ("nodes=5 board=slate", 2, "no board \"slate\""),
    ] {
        let output = alfil(&["chess", "--engine", engine, "--engine", "nodes=20", "--patience", "1"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{engine}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(expected), "{engine}: {error}");
    }
}

#[test]
fn wrong_words_are_named() {
    let two = ["--engine", "nodes=5", "--engine", "nodes=5"];
    for (words, expected) in [
        (&["chess", "--engine", "nodes=5"][..], "--engine twice"),
        (&[&["chess"], &two[..], &["--games", "3"]].concat(), "even number"),
        (&[&["chess"], &two[..], &["--rules", "axf"]].concat(), "no rule book \"axf\""),
        (&[&["xiangqi"], &two[..], &["--rules", "fide"]].concat(), "wxf2018"),
        (&[&["chess"], &two[..], &["--solve", "9"]].concat(), "no solver"),
        (&[&["chess"], &two[..], &["--win", "5"]].concat(), "MOVES:SCORE"),
        (&[&["chess"], &two[..], &["--draw", "1:2"]].concat(), "PLY:MOVES:SCORE"),
        (&[&["chess"], &two[..], &["--tc", "soon"]].concat(), "is no time"),
        (&two, "<GAME>"),
        (&["chess", "--resume", "x"], "--resume"),
    ] {
        let output = alfil(words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains(expected) && error.lines().count() == 1, "{words:?}: {error}");
    }
}

/// A match in play that is killed when so many games are in its file.
fn run_and_kill(words: &[&str], file: &Path, games: usize) {
    let mut child: Child = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .arg("match")
        .args(words)
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    let start = Instant::now();
    let played = || std::fs::read_to_string(file).map_or(0, |text| text.lines().count().saturating_sub(1));
    while played() < games && child.try_wait().expect("a child").is_none() {
        assert!(start.elapsed() < Duration::from_secs(300), "{games} games are not played");
        std::thread::sleep(Duration::from_millis(2));
    }
    // It may be over already, on a machine that was asleep.
    let _ = child.kill();
    child.wait().expect("it ends");
}

#[test]
fn a_killed_match_goes_on_and_ends_like_one_that_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.jsonl");
    let path = file.to_str().expect("a path");
    let seed = ["--seed", "5", "--games", "12", "--longest", "40"];
    let match_words =
        [&["xiangqi", "--engine", "nodes=150", "--engine", "nodes=60 name=small"], &seed[..]].concat();
    let (whole, whole_result) = rows(&match_words);
    assert_eq!(without_times(rows(&match_words).0), without_times(whole.clone()));
    run_and_kill(&[&match_words[..], &["--out", path, "--concurrency", "2"]].concat(), &file, 3);
    // A new match does not write over it.
    let again = alfil(&[&match_words[..], &["--out", path]].concat());
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("--resume"));
    for games in [5, 8] {
        run_and_kill(&["--resume", path, "--concurrency", "2"], &file, games);
        // As if it had been killed in the middle of writing.
        let torn = std::fs::read_to_string(&file).expect("a file") + "{\"number\": 12, \"resu";
        std::fs::write(&file, torn).expect("a file");
    }
    let (_, result) = rows(&["--resume", path]);
    let text = std::fs::read_to_string(&file).expect("a file");
    let mut kept: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    kept.sort_by_key(|row| row["number"].as_u64());
    assert_eq!(without_times(kept), without_times(whole));
    for field in ["wins", "draws", "losses", "pentanomial", "elo", "lost_by"] {
        assert_eq!(result[field], whole_result[field], "{field}");
    }
    // Nothing is left to play, and the result can be asked for again.
    let (none, last) = rows(&["--resume", path]);
    assert_eq!((none.len(), &last["pentanomial"]), (0, &whole_result["pentanomial"]));
}

/// Our own engine at the other end of each protocol: no failing on either side.
#[test]
fn the_engine_of_the_house_plays_by_every_protocol() {
    let program = env!("CARGO_BIN_EXE_alfil");
    for (game, words) in [
        ("xiangqi", "proto=uci"),
        ("xiangqi", "proto=uci ranks=1-10 option.UCI_Ranks=1-10"),
        ("xiangqi", "proto=ucci"),
        ("xiangqi", "proto=xboard"),
        ("chess", "proto=uci"),
        ("chess", "proto=xboard"),
        ("othello", "proto=uci"),
        ("othello", "proto=nboard"),
    ] {
        let engine = format!("cmd='{program} engine --game {game}' {words}");
        let limits = ["--games", "4", "--depth", "2", "--longest", "30"];
        let engines = ["--engine", "name=house", "--engine", &engine];
        let (games, _) = rows(&[&[game], &engines[..], &limits[..]].concat());
        assert_eq!(games.len(), 4);
        for game in games {
            let how = game["how"].as_str().expect("how");
            assert!(["board", "rule", "length"].contains(&how), "{words}: {game}");
        }
    }
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "# two\nf5 d6\nf5 f6 e6\n").expect("a file");
    let path = file.to_str().expect("a path");
    let words = ["othello", "--engine", "depth=1", "--engine", "depth=2", "--games", "4", "--openings", path];
    let (games, result) = rows(&words);
    let openings: Vec<_> =
        games.iter().map(|game| game["opening"].as_array().expect("moves").len()).collect();
    assert_eq!((openings, &result["games"]), (vec![2, 2, 3, 3], &4.into()));
    assert_eq!((&games[0]["first"], &games[1]["first"]), (&"alfil".into(), &"alfil (2)".into()));
    std::fs::write(&file, "f5 d6\nf5 f5\n").expect("a file");
    let output = alfil(&words);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("openings.txt: line 2: move 2"));
}

/// The games of a match as our own reader of records finds them, against its rows.
#[test]
fn games_are_kept_as_records() {
    use alfil_kernel::{Outcome, Side};
    use alfil_session::{TextGame, registry};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let games = |file: &str| -> Vec<TextGame> {
        let bytes = std::fs::read(file).expect("a file");
        registry::read_games(&bytes, None).into_iter().map(|game| game.expect("a sound record")).collect()
    };
    let engines = ["--engine", "name=long depth=2 tc=60", "--engine", "name=short depth=1 tc=60"];
    let positions = path("positions");
    std::fs::write(&positions, "8/8/8/4k3/8/8/3PP3/4K3 b - - 0 7 moves e5e4\nstartpos\n").expect("a file");
    for (game, more) in
        [("chess", &["--openings", &positions][..]), ("xiangqi", &[]), ("othello", &["--solve", "8"])]
    {
        let (rows_file, pgn) = (path(&format!("{game}.jsonl")), path(&format!("{game}.pgn")));
        let words = [
            &[game, "--games", "4", "--longest", "40", "--out", &rows_file, "--pgn", &pgn],
            &engines[..],
            more,
        ];
        let (rows, _) = rows(&words.concat());
        let kept = games(&pgn);
        assert_eq!(kept.len(), 4);
        for (row, kept) in rows.iter().zip(&kept) {
            assert_eq!(kept.tags.value("Date"), row["date"].as_str());
            assert_eq!((&*kept.game, kept.tags.value("Round")), (game, Some(&*row["number"].to_string())));
            let texts = |field: &str| row[field].as_array().expect("a row").clone();
            let moves = [texts("opening"), texts("moves")].concat();
            let found: Vec<Value> = kept.moves[1..].iter().map(|mv| mv.text.as_str().into()).collect();
            assert_eq!(found, moves, "{game}");
            let result = match row["result"].as_str() {
                Some("1-0") => Outcome::Win(Side::First),
                Some("0-1") => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            };
            assert_eq!(kept.result, Some(result));
            assert_eq!(kept.start.is_some(), row["start"] != "startpos", "{row}");
            assert!(
                kept.moves
                    .last()
                    .expect("a move")
                    .annotation
                    .comment_after
                    .ends_with(row["words"].as_str().expect("words"))
            );
            for (at, score) in texts("scores").iter().enumerate().filter(|(_, score)| !score.is_null()) {
                let notes = &kept.moves[1 + texts("opening").len() + at].annotation;
                assert!(
                    notes.eval.is_some() && notes.clock.is_some() && notes.elapsed.is_some(),
                    "{score}: {notes:?}"
                );
            }
        }
        // Broken off after two games, the record in the midst of the third.
        let text = std::fs::read_to_string(&rows_file).expect("rows");
        let head: Vec<_> = text.lines().take(3).collect();
        std::fs::write(&rows_file, format!("{}\n{{\"torn", head.join("\n"))).expect("a file");
        let sound = std::fs::read(&pgn).expect("a file");
        std::fs::write(&pgn, &sound[..sound.len() * 5 / 8]).expect("a file");
        assert!(alfil(&["--resume", &rows_file, "--pgn", &pgn]).status.success());
        let again = games(&pgn);
        let told = |games: &[TextGame]| -> Vec<Vec<String>> {
            games.iter().map(|game| game.moves.iter().map(|mv| mv.text.clone()).collect()).collect()
        };
        assert_eq!(told(&again), told(&kept), "{game}");
        // Neither a new match nor one that goes on writes over what is none of its own.
        let again = alfil(&[&[game, "--pgn", &pgn], &engines[..]].concat());
        let words = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(!again.status.success() && words.contains("to go on with it: --resume FILE"), "{words}");
        assert!(!alfil(&["--resume", &rows_file, "--pgn", &positions]).status.success());
    }
}

/// What other engines say of their moves, or do not say, in the records.
#[test]
fn records_hold_what_others_say() {
    use alfil_session::{AnnotatedScore, EvalAnnotation, registry};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    let start = path("openings");
    std::fs::write(&start, "startpos\n").expect("a file");
    for (name, said, score) in [
        ("mates", "echo info depth 3 score mate 5", Some(AnnotatedScore::Mate(5))),
        ("mated", "echo info depth 3 score mate -2", Some(AnnotatedScore::Mate(-2))),
        ("raw", "echo info depth 3 score cp 30500", Some(AnnotatedScore::Centipawns(29_999))),
        ("mute", "sleep 0.05", None),
    ] {
        let engine = write_engine(folder.path(), name, &format!("{said}; echo bestmove e2e4"));
        let pgn = path(&format!("{name}.pgn"));
        let words = ["chess", "--engine", &engine, "--engine", "nodes=20", "--games", "2"];
        let output = alfil(&[&words[..], &["--openings", &start, "--pgn", &pgn]].concat());
        assert!(output.status.success(), "{output:?}");
        let bytes = std::fs::read(&pgn).expect("a file");
        let game = registry::read_games(&bytes, None).remove(0).expect("a sound record");
        let notes = &game.moves[1].annotation;
        assert_eq!(notes.eval, score.map(|score| EvalAnnotation { score, depth: Some(3) }), "{name}");
        assert!(notes.elapsed.is_some_and(|spent| score.is_some() || !spent.is_zero()), "{name}: {notes:?}");
    }
}

#[test]
fn a_match_that_is_refused_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("old"), "something else\n").expect("a file");
    for (out, pgn) in [("old", "new"), ("new", "old"), ("new", "new"), ("new", "nowhere/new")] {
        let (out, pgn) = (path(out), path(pgn));
        let (out, pgn) = (out.to_str().expect("letters"), pgn.to_str().expect("letters"));
        let words = ["chess", "--engine", "nodes=5", "--engine", "nodes=5", "--games", "2"];
        let output = alfil(&[&words[..], &["--out", out, "--pgn", pgn]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(!path("new").exists(), "{out} {pgn}");
        assert_eq!(std::fs::read_to_string(path("old")).expect("a file"), "something else\n");
    }
}
