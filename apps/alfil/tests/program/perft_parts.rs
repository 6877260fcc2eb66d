//! Tests of counts in parts: state files, processes that are killed, parts of several processes, and the table.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{PROGRAM, edit_run_file, expect_error, expect_ok, run};

/// A count of some tenths of a second, and its number.
const COUNT: &[&str] = &["perft", "chess", "--depth", "6", "--split", "3"];
const NODES: &str = "119060324\n";

fn with(more: &[&str]) -> Vec<String> {
    COUNT.iter().chain(more).map(|&word| word.to_owned()).collect()
}

fn expect_count(more: &[&str]) -> String {
    let args = with(more);
    expect_ok(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_count_that_is_killed_again_and_again_ends_with_the_same_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = 1_u64;
    for round in 0..3 {
        let state = path(folder.path(), &format!("state-{round}"));
        let size = || std::fs::metadata(&state).map_or(0, |metadata| metadata.len());
        let (mut growths, mut kills) = (0, 0);
        // Later processes may have longer than the ones before, so that a slow machine comes to an end, too.
        while growths < 3 && kills < 100 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let milliseconds = 10 + (random >> 33) % (30 + 10 * kills);
            let before = size();
            let mut child = Command::new(PROGRAM)
                .args(with(&["--state", &state, "--threads", "2"]))
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(milliseconds));
            // SIGKILL: the process cannot write anything more.
            child.kill().unwrap();
            child.wait().unwrap();
            growths += u32::from(size() > before.max(1000));
            kills += 1;
        }
        assert!(growths > 0, "no process of {kills} has finished a part");
        assert_eq!(expect_count(&["--state", &state]), NODES, "after {kills} kills");
        // Everything is known now.
        let rows = std::fs::read_to_string(&state).unwrap();
        let out = expect_count(&["--state", &state, "--json", "--divide"]);
        let object: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&object["nodes"], &object["nps"]), (&119_060_324.into(), &0.into()));
        let parts = object["parts"].as_u64().unwrap() as usize;
        assert!(parts > 1000 && rows.lines().count() > parts, "{parts} parts");
        assert_eq!(std::fs::read_to_string(&state).unwrap(), rows);
        let plain = expect_ok(&["perft", "chess", "--depth", "6", "--json", "--divide"]);
        let plain: Value = serde_json::from_str(&plain).unwrap();
        assert_eq!(object["divide"], plain["divide"]);
    }
}

#[test]
fn processes_share_a_count_by_shards() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| path(folder.path(), name));
    let nodes = |out: &str| out.split(' ').next().unwrap().parse::<u64>().unwrap();
    let half = expect_count(&["--shard", "1/2", "--state", &first]);
    assert!(half.contains(" parts"), "{half}");
    let other_half = expect_count(&["--shard", "2/2", "--state", &second]);
    assert_eq!(nodes(&half) + nodes(&other_half), 119_060_324);
    assert_eq!(expect_count(&["--add", &first, "--add", &second]), NODES);
    assert_eq!(expect_count(&["--shard", "2/2", "--state", &second, "--add", &first]), NODES);
    expect_error(
        &["perft", "chess", "--depth", "5", "--split", "3", "--add", &first],
        1,
        "is of a count with --depth 6, not 5, ",
    );
    expect_error(&["perft", "chess", "--depth", "5", "--shard", "3/2"], 2, "expected I/N");
    expect_error(&["perft", "chess", "--depth", "5", "--add", "no/such/file"], 1, "cannot read no/such/file");
    let damaged = std::fs::read_to_string(&first).unwrap().replacen("\"nodes\":1", "\"nodes\":2", 1);
    std::fs::write(&first, damaged).unwrap();
    let (status, out, error) =
        run(&with(&["--add", &first, "--add", &second]).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((status, out.as_str()), (0, NODES));
    assert!(error.starts_with("1 damaged line") && error.lines().count() == 1, "{error}");
    // With --divide, a shard prints only the first moves that it counts completely.
    let rows = |split: &str, shard: &str| -> Vec<String> {
        let args = ["perft", "chess", "--depth", "3", "--divide", "--split", split, "--shard", shard];
        expect_ok(&args).lines().filter(|line| line.contains(": ")).map(str::to_owned).collect()
    };
    let whole = rows("1", "1/1");
    for (split, expected) in [("1", 20), ("2", 0)] {
        let mut halves = [rows(split, "1/2"), rows(split, "2/2")].concat();
        halves.sort();
        assert_eq!(halves.len(), expected, "split {split}");
        assert!(halves.iter().all(|row| whole.contains(row)), "{halves:?}");
    }
}

/// Once the counts of the last file silently replaced those of the others.
#[test]
fn files_that_disagree_about_a_part_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, third] = ["first", "second", "third"].map(|name| path(folder.path(), name));
    let count = |more: &[&str]| {
        let args = ["perft", "chess", "--depth", "3", "--split", "1"];
        run(&[&args[..], more].concat())
    };
    assert_eq!(count(&["--state", &first]), (0, "8902\n".into(), String::new()));
    // Another program has counted part 3, and found another number.
    std::fs::copy(&first, &second).unwrap();
    edit_run_file(&second, |rows| {
        rows.truncate(1);
        rows.push(json!({"part": 3, "nodes": 7, "seconds": 0.0}));
    });
    std::fs::copy(&second, &third).unwrap();
    for (more, files) in [
        (["--add", &first, "--add", &second], format!("{first} and {second}")),
        (["--add", &first, "--state", &second], format!("{first} and {second}")),
    ] {
        let (status, out, error) = count(&more);
        assert_eq!((status, out.as_str()), (1, ""), "{error}");
        assert!(error.contains(&format!("{files}: part 3 has two counts")), "{error}");
    }
    // Equal counts of two files are one count.
    let (status, out, error) = count(&["--add", &second, "--add", &third]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert_ne!(out, "8902\n");
}

#[test]
fn a_count_without_moves_belongs_to_one_shard() {
    let count = |shard| expect_ok(&["perft", "chess", "--depth", "0", "--shard", shard]);
    assert_eq!((count("1/2").as_str(), count("2/2").as_str()), ("1\n", "0 in 0 of 1 parts\n"));
}

#[test]
fn tables_threads_and_splits_do_not_change_the_number() {
    for more in [
        &["--hash", "1"][..],
        &["--hash", "16", "--threads", "2"],
        &["--hash", "4", "--hash-seed", "77", "--board", "mailbox"],
        &["--threads", "3"],
    ] {
        assert_eq!(expect_count(more), NODES, "{more:?}");
    }
    for pass in ["ply", "free", "full"] {
        let plain = expect_ok(&["perft", "othello", "--depth", "9", "--pass", pass]);
        let parts = ["perft", "othello", "--depth", "9", "--pass", pass, "--hash", "8", "--threads", "2"];
        assert_eq!(expect_ok(&parts), plain, "{pass}");
    }
    let xiangqi =
        expect_ok(&["perft", "xiangqi", "--depth", "5", "--hash", "16", "--split", "2", "--divide"]);
    assert_eq!(xiangqi, expect_ok(&["perft", "xiangqi", "--depth", "5", "--divide"]));
}
