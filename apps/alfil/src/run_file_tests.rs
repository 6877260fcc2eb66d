//! Every kind of run goes on after a kill at any byte, notices every changed bit of its file, and refuses the files of
//! other runs, of other versions and of other processes.

use std::path::Path;

use alfil_batch::checked_row::checked_line;
use alfil_training::{BookPosition, BookTree};
use clap::Parser;
use serde_json::{Value, json};

use crate::book::state as book;
use crate::errors::Failure;
use crate::match_command::match_file::{self, MatchHeader};
use crate::perft::state_file::{PartCount, StateFile, StateHeader};
use crate::selfplay::shards::ShardPlan;
use crate::spsa::SpsaArgs;

/// The options of a run: those of its file, and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Options {
    Usual,
    Other,
}

/// A kind of run: the functions that its command uses.
struct Kind {
    name: &'static str,
    /// The number of rows of a whole run.
    rows: usize,
    /// Opens the file of a run, creates it if it is missing, and goes on to the end of the run. Returns the rows that
    /// were there.
    go_on: fn(&Path, Options) -> Result<Vec<String>, String>,
    /// What the refusal of a run with [`Options::Other`] contains; none if the options are in the file alone.
    other_options: Option<&'static str>,
    /// The file of an earlier version, and what its refusal contains; none if the run goes on with its rows.
    earlier: (String, Option<&'static str>),
    /// Whether a damaged row is refused. Otherwise its part of the run is done again.
    refuses_damaged_rows: bool,
}

fn kinds() -> Vec<Kind> {
    let match_header = serde_json::to_value(header()).unwrap();
    let spsa_args = json!({
        "game": "othello", "params": null, "param": ["rfp_margin"], "iterations": 3, "pairs": 8, "nodes": 2500,
        "seed": 1,
    });
    let spsa_header = json!({"version": "0", "args": spsa_args, "params": [["rfp_margin", 85.0, 5.0]]});
    vec![
        Kind {
            name: "match",
            rows: 3,
            go_on: go_on_with_match,
            other_options: None,
            earlier: (format!("{}\n{}\n", json!({"match": match_header}), game_row(1)), None),
            refuses_damaged_rows: true,
        },
        Kind {
            name: "spsa",
            rows: 3,
            go_on: go_on_with_spsa,
            other_options: Some("is of a run with --seed 1, not 2; "),
            earlier: (format!("{}\n{}\n", json!({"spsa": spsa_header}), iteration_row(1)), None),
            refuses_damaged_rows: true,
        },
        Kind {
            name: "perft",
            rows: 3,
            go_on: go_on_with_perft,
            other_options: Some("is of a count with --depth 5, not 6; "),
            earlier: ("{\"format\":\"alfil perft state 1\",\"count\":{}}\n".into(), Some("format 1")),
            refuses_damaged_rows: false,
        },
        Kind {
            name: "selfplay",
            rows: 0,
            go_on: go_on_with_selfplay,
            other_options: Some("is of a run with --nodes 60, not 61; "),
            earlier: (
                "{\"game\":\"chess\",\"seed\":1,\"nodes\":60,\"hash\":4,\"network\":null}\n".into(),
                None,
            ),
            refuses_damaged_rows: true,
        },
        Kind {
            name: "book",
            rows: 3,
            go_on: go_on_with_book,
            other_options: Some("is of a book with --depth 4, not 5; "),
            earlier: ("SQLite format 3\0 and so on".into(), Some("format 1")),
            refuses_damaged_rows: true,
        },
    ]
}

fn text(failure: Failure) -> String {
    match failure {
        Failure::Usage(text) | Failure::Input(text) => text,
        other => panic!("{other:?}"),
    }
}

fn header() -> MatchHeader {
    MatchHeader {
        version: "0".into(),
        args: Default::default(),
        openings: vec!["startpos".into()],
        networks: None,
    }
}

fn game_row(number: usize) -> Value {
    json!({"number": number, "result": "1-0", "words": "炮二平五"})
}

fn go_on_with_match(path: &Path, _: Options) -> Result<Vec<String>, String> {
    let describe = |error: anyhow::Error| format!("{error:#}");
    let (mut file, games) = match path.exists() {
        true => {
            let (file, found, games) = match_file::resume(path).map_err(describe)?;
            assert_eq!(found, header());
            (file, games)
        }
        false => (match_file::create(path, &header()).map_err(describe)?, Default::default()),
    };
    for number in (0..3).filter(|number| !games.contains_key(number)) {
        file.append(&game_row(number + 1)).unwrap();
    }
    Ok(games.into_values().map(|row| row.to_string()).collect())
}

#[derive(Debug, Parser)]
struct SpsaCommand {
    #[command(flatten)]
    args: SpsaArgs,
}

fn iteration_row(iteration: usize) -> Value {
    json!({"iteration": iteration, "points": 1.0, "values": {"rfp_margin": 85.0 + iteration as f64 / 3.0}})
}

fn go_on_with_spsa(path: &Path, options: Options) -> Result<Vec<String>, String> {
    let seed = if options == Options::Usual { "1" } else { "2" };
    let args = ["spsa", "othello", "--param", "rfp_margin", "--iterations", "3", "--seed", seed, "--state"];
    let command = SpsaCommand::try_parse_from(args.into_iter().chain([path.to_str().unwrap()])).unwrap();
    let (mut file, spsa, history) = command.args.open_state().map_err(text)?;
    for iteration in spsa.finished + 1..=3 {
        file.append(&iteration_row(iteration as usize)).unwrap();
    }
    Ok(history.into_iter().skip(1).map(|values| format!("{values:?}")).collect())
}

fn go_on_with_perft(path: &Path, options: Options) -> Result<Vec<String>, String> {
    let depth = if options == Options::Usual { 5 } else { 6 };
    let count = json!({"game": "chess", "depth": depth});
    let header = StateHeader { count, split: 2, parts: 3, fingerprint: 77 };
    let (file, known, _) = StateFile::open(path, &header).map_err(text)?;
    let count = |part| PartCount { nodes: u128::MAX - part as u128, seconds: 0.25 };
    for part in (0..3).filter(|part| !known.contains_key(part)) {
        file.add(part, count(part)).unwrap();
    }
    let mut known: Vec<_> = known.into_iter().collect();
    known.sort_by_key(|&(part, _)| part);
    Ok(known.into_iter().map(|(part, count)| format!("{part} {count:?}")).collect())
}

/// The file of a run of self-play has no rows.
fn go_on_with_selfplay(path: &Path, options: Options) -> Result<Vec<String>, String> {
    let nodes = if options == Options::Usual { 60 } else { 61 };
    let folder = path.parent().unwrap();
    let (seed, games, shard_games, hash) = (1, 6, 3, 4);
    let plan = ShardPlan { folder, game: "chess", seed, nodes, games, shard_games, hash, network: None };
    plan.lock().map_err(text)?.begin().unwrap();
    Ok(Vec::new())
}

fn go_on_with_book(path: &Path, options: Options) -> Result<Vec<String>, String> {
    let depth = if options == Options::Usual { 4 } else { 5 };
    let describe = |error: anyhow::Error| format!("{error:#}");
    let mut state = book::State::open(path, &book::Settings { depth, weights: 7 }).map_err(describe)?;
    let tree = state.read_tree().map_err(describe)?;
    let start = BookPosition::start();
    let next = BookTree::new(0).positions_to_score(start)[0];
    let done = tree.as_ref().map_or(0, |tree| tree.len() + tree.expanded());
    let steps = [(&[(start, -30)][..], &[][..]), (&[(next, -45)], &[]), (&[], &[start])];
    for (scores, expanded) in &steps[done..] {
        state.write(scores, expanded).unwrap();
    }
    Ok((0..done).map(|step| format!("{step}")).collect())
}

/// Calls a function with each kind, the path of a file and the bytes of a whole run.
fn for_each_kind(test: impl Fn(&Kind, &Path, &[u8])) {
    for kind in kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chess-s1.run.json");
        assert_eq!((kind.go_on)(&path, Options::Usual), Ok(Vec::new()), "{}", kind.name);
        let whole = std::fs::read(&path).unwrap();
        let text = std::str::from_utf8(&whole).unwrap();
        assert_eq!(text.lines().count(), 1 + kind.rows, "{text}");
        // People and `jq` can read it.
        text.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).expect(line)));
        test(&kind, &path, &whole);
    }
}

#[test]
fn a_run_that_is_killed_at_any_byte_keeps_its_whole_rows_and_ends_with_the_same_file() {
    for_each_kind(|kind, path, whole| {
        let rows = (kind.go_on)(path, Options::Usual).unwrap();
        assert_eq!(rows.len(), kind.rows, "{}", kind.name);
        for length in 0..whole.len() {
            std::fs::write(path, &whole[..length]).unwrap();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let found = (kind.go_on)(path, Options::Usual);
            if lines == 0 && kind.name == "match" {
                // A match is created apart, and its file says nothing without its header.
                let error = found.unwrap_err();
                assert!(error.contains(":1: expected the match header"), "{error}");
                continue;
            }
            assert_eq!(found.as_deref(), Ok(&rows[..lines.saturating_sub(1)]), "{} {length}", kind.name);
            assert!(std::fs::read(path).unwrap() == whole, "{} {length}", kind.name);
        }
    });
}

/// The test of [`checked_line`] changes every bit; here one of each byte is enough, and all of the last row.
#[test]
fn a_changed_bit_of_any_byte_is_noticed() {
    for_each_kind(|kind, path, whole| {
        let rows = (kind.go_on)(path, Options::Usual).unwrap();
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
        let last_row = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let bits = (0..last_row).map(|at| 8 * at + at % 8).chain(8 * last_row..8 * whole.len());
        for bit in bits {
            let (at, mut changed) = (bit / 8, whole.to_vec());
            changed[at] ^= 1 << (bit % 8);
            std::fs::write(path, &changed).unwrap();
            let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
            match (kind.go_on)(path, Options::Usual) {
                // A last row without its line end is one that was cut off.
                Ok(found) if at == whole.len() - 1 && kind.rows > 0 => {
                    assert_eq!(found, rows[..kind.rows - 1])
                }
                Ok(found) => {
                    assert!(at > header && !kind.refuses_damaged_rows, "{} {bit}", kind.name);
                    assert!(found.len() < rows.len(), "{} {bit}", kind.name);
                    assert!(found.iter().all(|row| rows.contains(row)), "{} {bit}: {found:?}", kind.name);
                }
                Err(error) => {
                    assert!(
                        error.contains(&format!("{}:{line}: ", path.display())),
                        "{} {bit}: {error}",
                        kind.name
                    );
                    assert!(std::fs::read(path).unwrap() == changed, "{} {bit}", kind.name);
                }
            }
        }
    });
}

#[test]
fn the_run_of_another_process_and_one_with_other_options_are_refused() {
    for_each_kind(|kind, path, whole| {
        let file = std::fs::File::open(path).unwrap();
        file.lock().unwrap();
        let error = (kind.go_on)(path, Options::Usual).unwrap_err();
        assert!(error.contains("another process has locked "), "{error}");
        file.unlock().unwrap();
        if let Some(expected) = kind.other_options {
            let error = (kind.go_on)(path, Options::Other).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(std::fs::read(path).unwrap() == whole, "{}", kind.name);
    });
}

#[test]
fn files_of_other_versions_go_on_or_are_refused_by_their_version() {
    for_each_kind(|kind, path, _| {
        let (text, refusal) = &kind.earlier;
        std::fs::write(path, text).unwrap();
        let found = (kind.go_on)(path, Options::Usual);
        match refusal {
            Some(expected) => {
                let error = found.unwrap_err();
                assert!(error.contains(expected) && error.contains(kind.name), "{error}");
                assert_eq!(&std::fs::read_to_string(path).unwrap(), text);
            }
            None => {
                let rows = text.lines().count() - 1;
                assert_eq!(found.map(|rows| rows.len()), Ok(rows), "{}", kind.name);
                // All that is written from now on has checksums, and a second process goes on with both.
                let found = std::fs::read_to_string(path).unwrap();
                let new = found.strip_prefix(&**text).unwrap_or(&found);
                assert_eq!(new.matches("\"crc32\":").count(), 1 + kind.rows - rows, "{found}");
                let again = (kind.go_on)(path, Options::Usual);
                assert_eq!(again.map(|rows| rows.len()), Ok(kind.rows), "{}", kind.name);
                assert_eq!(std::fs::read_to_string(path).unwrap(), found);
                let damaged = found.replacen(",\"format\":2", ",\"format\":3", 1);
                std::fs::write(path, damaged).unwrap();
                (kind.go_on)(path, Options::Usual).unwrap_err();
            }
        }
        let (later, _) = checked_line(0, &json!({ kind.name: {}, "format": 3 }));
        std::fs::write(path, later + "\n").unwrap();
        let error = (kind.go_on)(path, Options::Usual).unwrap_err();
        let expected = format!("this is a {} file of format 3, and this program writes format 2", kind.name);
        assert!(error.contains(&expected), "{error}");
    });
}

#[test]
fn files_of_other_kinds_are_refused() {
    for_each_kind(|kind, path, _| {
        for text in ["my notes\n", "{}\n", "{\"other\":{}}\n", "\n", "\u{feff}\n"] {
            std::fs::write(path, text).unwrap();
            let error = (kind.go_on)(path, Options::Usual).unwrap_err();
            assert!(error.contains(&*path.display().to_string()), "{} {text}: {error}", kind.name);
            assert_eq!(std::fs::read_to_string(path).unwrap(), text);
        }
        let (other, _) = checked_line(0, &json!({"other": {}, "format": 2}));
        std::fs::write(path, other + "\n").unwrap();
        let error = (kind.go_on)(path, Options::Usual).unwrap_err();
        assert!(error.contains(":1: "), "{error}");
    });
}

#[test]
fn a_row_of_another_run_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let kind = alfil_batch::run_file::RunKind {
        name: "test",
        is_synced: false,
        earlier: alfil_batch::run_file::EarlierFormat::Rows,
        advice: "use another file",
    };
    for (path, seed) in [(&one, 1), (&two, 2)] {
        let mut file = alfil_batch::run_file::RunFile::create(path, &kind, &json!({"seed": seed})).unwrap();
        file.append(&json!({"row": 1})).unwrap();
    }
    let [one_text, two_text] = [&one, &two].map(|path| std::fs::read_to_string(path).unwrap());
    let row = two_text.lines().nth(1).unwrap();
    std::fs::write(&one, format!("{one_text}{row}\n")).unwrap();
    let contents = alfil_batch::run_file::RunFile::read_contents(&one, &kind).unwrap();
    assert_eq!((contents.rows.len(), contents.damaged_lines), (1, vec![3]));
}
