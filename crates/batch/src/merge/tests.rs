use alfil_session::{FileFormat, TextGame, registry};

use super::*;
use crate::chunk::tests::options;
use crate::manifest::tests::three_games;
use crate::manifest::{PlannedGame, Shard};
use crate::queue::{MAX_ATTEMPTS, WorkQueue};
use crate::source::{Place, SourceGame};
use crate::sqlite_queue::SqliteQueue;
use crate::worker_loop::{execute_here, run_workers};

const FORMATS: [OutputFormat; 3] = [OutputFormat::Parquet, OutputFormat::JsonLines, OutputFormat::Pgn];

fn open(folder: &Path, shard: Shard, games: Vec<PlannedGame>) -> SqliteQueue {
    SqliteQueue::open(folder, shard, Box::new(|| 0), (&options(60), games.into_iter())).unwrap()
}

fn run(folder: &Path, shard: Shard, threads: usize) {
    run_workers(&open(folder, shard, three_games()), threads, "test", &execute_here, &|_| ()).unwrap();
}

/// Returns the names and bytes of the merged files of all formats.
fn merged(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = FORMATS.into_iter().flat_map(|format| merge(folder, format, || ()).unwrap().files);
    let read =
        |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    files.map(read).collect()
}

#[test]
fn merged_files_are_equal_however_the_work_was_divided() {
    let whole = tempfile::tempdir().unwrap();
    run(whole.path(), Shard::WHOLE, 2);
    let expected = merged(whole.path());
    let names: Vec<_> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "chess.parquet",
            "chess-games.parquet",
            "xiangqi.parquet",
            "xiangqi-games.parquet",
            "chess.jsonl",
            "chess-games.jsonl",
            "xiangqi.jsonl",
            "xiangqi-games.jsonl",
            "chess.pgn",
            "xiangqi.pgn"
        ]
    );
    let parts = tempfile::tempdir().unwrap();
    run(parts.path(), Shard { index: 2, count: 2 }, 1);
    let error = merge(parts.path(), OutputFormat::Pgn, || ()).unwrap_err().to_string();
    assert!(error.contains("the parts 1 of 2 are missing"), "{error}");
    run(parts.path(), Shard { index: 1, count: 2 }, 3);
    assert!(merged(parts.path()) == expected, "the files differ");
    // A merge that fails on the way leaves no unfinished file.
    let lost = Manifest::open(whole.path(), Shard::WHOLE).unwrap().unwrap().chunks().unwrap();
    fs::remove_file(result_path(whole.path(), &lost[2].id)).unwrap();
    assert!(merge(whole.path(), OutputFormat::Pgn, || ()).is_err());
    let entries = fs::read_dir(whole.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(entries.into_iter().all(|name| !name.to_string_lossy().ends_with(".part")));
}

#[test]
fn merged_rows_are_in_the_order_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), Shard::WHOLE, 3);
    let mut chunks = 0;
    let totals = merge(folder.path(), OutputFormat::JsonLines, || chunks += 1).unwrap();
    assert_eq!((totals.games, totals.positions, totals.failed_chunks, chunks), (3, 20, 0, 3));
    let text = fs::read_to_string(folder.path().join("chess.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let places: Vec<_> =
        rows.map(|row| (row["number"].as_u64().unwrap(), row["ply"].as_u64().unwrap())).collect();
    let expected = (0..=4).map(|ply| (1, ply)).chain((0..=10).map(|ply| (3, ply)));
    assert_eq!(places, expected.collect::<Vec<_>>());
    merge(folder.path(), OutputFormat::Pgn, || ()).unwrap();
    let pgn = fs::read(folder.path().join("xiangqi.pgn")).unwrap();
    let games = registry::read_games(&pgn, None).unwrap();
    let game = games[0].as_ref().unwrap();
    assert_eq!((games.len(), game.main_line().len()), (1, 3));
    assert!(game.moves.iter().all(|(_, mv)| mv.annotation.eval.is_some()));
}

#[test]
fn games_without_an_analysed_position_are_written_in_the_order_of_the_input() {
    let games = || three_games().into_iter();
    // Games 1 and 2 have four and three plies.
    let options = AnalysisOptions { from: 5, ..options(60) };
    for shards in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        for index in 1..=shards {
            let shard = Shard { index, count: shards };
            let queue = SqliteQueue::open(folder.path(), shard, Box::new(|| 0), (&options, games())).unwrap();
            run_workers(&queue, 1, "test", &execute_here, &|_| ()).unwrap();
        }
        for format in FORMATS {
            let totals = merge(folder.path(), format, || ()).unwrap();
            assert_eq!((totals.games, totals.positions), (3, 6));
        }
        let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
        let numbers = |name| -> Vec<_> {
            let rows = read(name);
            let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            rows.map(|row| row["number"].as_u64().unwrap()).collect()
        };
        assert_eq!((numbers("chess-games.jsonl"), numbers("xiangqi-games.jsonl")), (vec![1, 3], vec![2]));
        let pgn = read("chess.pgn");
        assert!(pgn.find("Ann").unwrap() < pgn.find("Cid").unwrap(), "{pgn}");
        assert_eq!(
            (pgn.matches("[Annotator ").count(), read("xiangqi.pgn").contains("[Annotator ")),
            (1, false)
        );
        assert_eq!(read("xiangqi.jsonl"), "");
    }
}

/// The formats of problems accept a start position with issues.
#[test]
fn a_problem_is_merged_with_the_other_games() {
    // The kings face each other.
    let start = Some("4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1".to_owned());
    let problem = TextGame { game: "xiangqi".into(), start, ..TextGame::default() };
    let file = registry::write_file(FileFormat::Xqf, &[problem]).unwrap();
    let game = registry::read_games(&file, None).unwrap().remove(0).unwrap();
    let place = Place { file: "problem.xqf".into(), number: 1, byte: None };
    let planned = PlannedGame::from_source(&SourceGame { place, game, is_position: false }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), Shard::WHOLE, [vec![planned], three_games()].concat());
    run_workers(&queue, 1, "test", &execute_here, &|_| ()).unwrap();
    for format in FORMATS {
        assert_eq!(merge(folder.path(), format, || ()).unwrap().games, 4);
    }
}

/// The same file may have another path on each machine.
#[test]
fn a_game_has_the_file_name_of_the_part_with_its_first_position() {
    let folder = tempfile::tempdir().unwrap();
    for (index, name) in [(1, "a/games.pgn"), (2, "b/games.pgn")] {
        let games = three_games().into_iter().map(|game| PlannedGame { file: name.into(), ..game });
        let queue = open(folder.path(), Shard { index, count: 2 }, games.collect());
        run_workers(&queue, 1, "test", &execute_here, &|_| ()).unwrap();
    }
    merge(folder.path(), OutputFormat::JsonLines, || ()).unwrap();
    for table in ["chess.jsonl", "chess-games.jsonl"] {
        let text = fs::read_to_string(folder.path().join(table)).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut files: Vec<_> = rows
            .map(|row| (row["number"].as_u64().unwrap(), row["file"].as_str().unwrap().to_owned()))
            .collect();
        files.dedup();
        assert_eq!(files, [(1, "a/games.pgn".to_owned()), (3, "b/games.pgn".to_owned())], "{table}");
    }
}

#[test]
fn an_unfinished_or_damaged_analysis_is_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), Shard::WHOLE, three_games());
    let lease = queue.lease("w").unwrap().unwrap();
    queue.acknowledge(&lease, &execute_here(&lease, &mut || true).unwrap()).unwrap();
    let error = merge(folder.path(), OutputFormat::Parquet, || ()).unwrap_err().to_string();
    assert!(error.starts_with("2 of 3 chunks have no result yet"), "{error}");
    drop(queue);
    run(folder.path(), Shard::WHOLE, 1);
    let path = result_path(folder.path(), &lease.id);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = merge(folder.path(), OutputFormat::Parquet, || ()).unwrap_err().to_string();
    let expected = "is damaged: run the same `alfil analyse` again";
    assert!(error.contains(expected) && error.contains(&lease.id), "{error}");
    let queue = open(folder.path(), Shard::WHOLE, three_games());
    let damaged: Vec<_> = queue.damaged_results().iter().map(|(number, _)| *number).collect();
    assert_eq!(damaged, [lease.number]);
    drop(queue);
    run(folder.path(), Shard::WHOLE, 1);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    fs::remove_file(&path).unwrap();
    let error = merge(folder.path(), OutputFormat::Parquet, || ()).unwrap_err().to_string();
    assert!(error.contains("is missing: run the same") && error.contains(&lease.id), "{error}");
    run(folder.path(), Shard::WHOLE, 1);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // A copy of the queue adds nothing.
    fs::copy(Shard::WHOLE.path(folder.path()), folder.path().join("queue-copy.sqlite")).unwrap();
    let totals = merge(folder.path(), OutputFormat::JsonLines, || ()).unwrap();
    assert_eq!((totals.games, totals.positions), (3, 20));
    assert!(merge(folder.path(), OutputFormat::Parquet, || ()).is_ok());
}

#[test]
fn the_positions_of_a_failed_chunk_are_missing_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), Shard::WHOLE, three_games());
    for _ in 0..MAX_ATTEMPTS {
        let lease = queue.lease("w").unwrap().unwrap();
        queue.fail(&lease, "a reason").unwrap();
    }
    drop(queue);
    run(folder.path(), Shard::WHOLE, 2);
    let totals = merge(folder.path(), OutputFormat::JsonLines, || ()).unwrap();
    assert_eq!((totals.games, totals.positions, totals.failed_chunks), (3, 12, 1));
    let games = fs::read_to_string(folder.path().join("chess-games.jsonl")).unwrap();
    assert!(games.lines().next().unwrap().contains("\"positions\":0"), "{games}");
}

#[test]
fn queues_of_different_analyses_are_not_merged() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [first, second] = [1, 2].map(|index| Shard { index, count: 2 });
    let mut games = three_games();
    games.pop();
    drop(open(folder.path(), first, games));
    drop(open(other.path(), second, three_games()));
    fs::copy(second.path(other.path()), second.path(folder.path())).unwrap();
    let error = merge(folder.path(), OutputFormat::Parquet, || ()).unwrap_err().to_string();
    assert!(error.contains("different analyses"), "{error}");
}

/// Goes on with an analysis and merges it.
fn resume(folder: &Path) -> Result<Vec<u8>, String> {
    let queue =
        SqliteQueue::open(folder, Shard::WHOLE, Box::new(|| 0), (&options(60), three_games().into_iter()));
    let queue = queue.map_err(|error| error.to_string())?;
    run_workers(&queue, 1, "test", &execute_here, &|_| ()).map_err(|error| error.to_string())?;
    drop(queue);
    merge_positions(folder)
}

/// Merges an analysis; returns the bytes of its tables.
fn merge_positions(folder: &Path) -> Result<Vec<u8>, String> {
    let totals = merge(folder, OutputFormat::JsonLines, || ()).map_err(|error| error.to_string())?;
    Ok(totals.files.iter().flat_map(|file| fs::read(file).unwrap()).collect())
}

#[test]
fn a_changed_bit_of_a_queue_is_refused_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let expected = resume(folder.path()).unwrap();
    let path = Shard::WHOLE.path(folder.path());
    let bytes = fs::read(&path).unwrap();
    let mut refused = 0;
    let count = 150;
    for index in 0..count {
        let bit = bytes.len() * 8 / count * index + index % 8;
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, changed).unwrap();
        for result in [merge_positions(folder.path()), resume(folder.path())] {
            match result {
                Ok(merged) => assert!(merged == expected, "bit {bit} gives other tables"),
                Err(error) => {
                    refused += 1;
                    assert!(error.contains("queue.sqlite"), "bit {bit}: {error}");
                }
            }
        }
        for name in ["queue.sqlite-wal", "queue.sqlite-shm"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
    }
    assert!(refused > count / 4, "{refused} of {count}");
    // The way out that the error names: the results are kept.
    fs::remove_file(&path).unwrap();
    let queue = open(folder.path(), Shard::WHOLE, three_games());
    assert_eq!((queue.counts().unwrap().pending, queue.counts().unwrap().nodes > 0), (0, true));
    drop(queue);
    assert!(merge_positions(folder.path()).unwrap() == expected);
}

#[test]
fn a_changed_bit_of_a_result_is_named_and_its_chunk_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let expected = resume(folder.path()).unwrap();
    let manifest = Manifest::open(folder.path(), Shard::WHOLE).unwrap().unwrap();
    let rows = manifest.chunks().unwrap();
    let [path, other] = [0, 1].map(|index: usize| result_path(folder.path(), &rows[index].id));
    drop(manifest);
    let bytes = fs::read(&path).unwrap();
    let damage = |changed: &[u8]| {
        fs::write(&path, changed).unwrap();
        let error = merge_positions(folder.path()).unwrap_err();
        assert!(error.contains(&rows[0].id), "{error}");
        assert!(resume(folder.path()).unwrap() == expected);
        assert!(fs::read(&path).unwrap() == bytes);
    };
    for index in 0..60 {
        let bit = bytes.len() * 8 / 60 * index + index % 8;
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        damage(&changed);
    }
    damage(&bytes[..bytes.len() / 2]);
    damage(&fs::read(other).unwrap());
}
