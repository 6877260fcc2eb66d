//! The file of a run may be anything: it is refused, or read the same with and without a lock, and goes on. The
//! checksums are also corrected, so that the input reaches what is behind them.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use alfil_batch::checked_row::checked_line;
use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

const EARLIER: [EarlierFormat; 3] =
    [EarlierFormat::Rows, EarlierFormat::Identity, EarlierFormat::Refused("OLD")];

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, bytes) = input;
    let earlier = EARLIER[usize::from(kind) % EARLIER.len()];
    let kind = RunKind { name: "count", is_synced: false, earlier, advice: "count again" };
    let path = FOLDER.path().join("run");
    check(&path, &kind, bytes);
    let rows =
        bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let (mut text, mut seed) = checked_line(0, &json!({"count": {}, "format": 2}));
    for row in rows.filter(|row| row.as_object().is_some_and(|fields| !fields.is_empty())) {
        let (line, checksum) = checked_line(seed, &row);
        text = text + "\n" + &line;
        seed = if row.get("format").is_some() { checksum } else { seed };
    }
    check(&path, &kind, (text + "\n").as_bytes());
});

fn check(path: &Path, kind: &RunKind, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
    let read = RunFile::read_contents(path, kind);
    let resumed = RunFile::resume(path, kind);
    match (read, resumed) {
        (Ok(read), Ok((mut run, resumed))) => {
            assert_eq!(read, resumed);
            run.append(&json!({"part": 1})).unwrap();
            let after = RunFile::read_contents(path, kind).unwrap();
            assert_eq!(after.rows.last().map(|(_, row)| row), Some(&json!({"part": 1})));
        }
        (Err(_), Err(_)) => assert_eq!(std::fs::read(path).unwrap(), bytes),
        (read, resumed) => panic!("{read:?} and {resumed:?}"),
    }
}
