//! The database of an analysis with any bytes changed: it is refused, or all of it that its checksums cover is as it
//! was.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use alfil_batch::chunk::{AnalysisOptions, Chunk};
use alfil_batch::manifest::{Manifest, PlannedGame, Shard};
use alfil_batch::sqlite_queue::counts;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// An analysis that is planned.
struct Planned {
    folder: TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    chunks: Vec<Chunk>,
}

static PLANNED: LazyLock<Planned> = LazyLock::new(|| {
    let options = AnalysisOptions::with_nodes("fuzz", 10);
    let game = |number: u64| PlannedGame {
        file: "a.pgn".into(),
        file_number: number,
        game: "chess".into(),
        start: None,
        moves: ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"].map(str::to_owned).to_vec(),
        record: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 *\n".into(),
        error: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest::plan(folder.path(), Shard::WHOLE, &options, (1..5).map(game)).unwrap();
    let chunks = read_chunks(&manifest).unwrap();
    drop(manifest);
    let path = Shard::WHOLE.path(folder.path());
    let bytes = std::fs::read(&path).unwrap();
    Planned { folder, path, bytes, chunks }
});

fn read_chunks(manifest: &Manifest) -> Option<Vec<Chunk>> {
    manifest.chunks().ok()?.iter().map(|row| manifest.chunk(row.number).ok()).collect()
}

fuzz_target!(|input: (Vec<(u16, u8)>, Option<u16>)| {
    let (changes, length) = input;
    let mut bytes = PLANNED.bytes.clone();
    for (at, value) in changes {
        let at = usize::from(at) % bytes.len();
        bytes[at] ^= value;
    }
    bytes.truncate(length.map_or(bytes.len(), usize::from));
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", PLANNED.path.display()));
    }
    std::fs::write(&PLANNED.path, &bytes).unwrap();
    let Ok(Some(manifest)) = Manifest::open(PLANNED.folder.path(), Shard::WHOLE) else { return };
    // Whatever is not verified may be wrong, and must be an error at most.
    let (_, chunks, _) = (counts(&manifest), read_chunks(&manifest), manifest.games_without_positions());
    if manifest.verify().is_ok() {
        assert!(chunks.is_some_and(|chunks| chunks == PLANNED.chunks));
    }
});
