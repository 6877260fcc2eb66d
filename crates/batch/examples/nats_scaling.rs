//! Measures how many chunks a second one NATS server and one coordinator pass to workers that only sleep: tasks of one
//! process, each with a connection of its own.
//!
//! ```sh
//! nats-server -js -sd /tmp/nats &
//! cargo run --release -p alfil-batch --features nats --example nats_scaling -- nats://localhost 1000 20000 5000
//! ```
//!
//! The arguments are the address of the server, the number of workers, the number of chunks, and the time in
//! milliseconds that a worker sleeps over a chunk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alfil_batch::analysis::{LineResult, PositionResult};
use alfil_batch::chunk::{AnalysisOptions, Chunk};
use alfil_batch::manifest::{PlannedGame, Shard};
use alfil_batch::nats_queue::{
    CoordinatorOptions, NatsOptions, NatsWorker, OnNote, WorkerOptions, coordinate,
};
use alfil_batch::queue::ChunkResult;
use alfil_batch::sqlite_queue::SqliteQueue;
use alfil_batch::worker_loop::ChunkEvent;

const BUILD: &str = "scaling";
/// The number of positions of a chunk, if there are enough of them.
const POSITIONS: u64 = 8;

fn options() -> AnalysisOptions {
    AnalysisOptions::with_nodes(BUILD, 60_000_000 / POSITIONS)
}

/// Returns a game with as many positions as a chunk has.
fn game(number: u64) -> PlannedGame {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(POSITIONS as usize - 1);
    PlannedGame {
        file: "games.pgn".into(),
        file_number: number + 1,
        game: "chess".into(),
        start: None,
        moves: moves.map(str::to_owned).collect(),
        record: String::new(),
        error: None,
    }
}

/// Returns a result of the usual size that no search has made.
fn sleeper_result(chunk: &Chunk) -> ChunkResult {
    let line = LineResult {
        score_cp: 20,
        mate_plies: None,
        wdl: [300, 500, 200],
        depth: 20,
        pv: vec!["e2e4".into(); 12],
    };
    let positions: Vec<_> = chunk
        .games
        .iter()
        .flat_map(|game| game.plies.iter().map(|&ply| (game.index, ply)))
        .map(|(game, ply)| PositionResult {
            game,
            ply,
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            key: ply as u64,
            first_to_move: ply % 2 == 0,
            end: None,
            ruling: None,
            nodes: 1_000,
            lines: vec![line.clone()],
        })
        .collect();
    ChunkResult::from_positions(&positions, chunk)
}

async fn work(nats: NatsOptions, name: String, sleep: Duration, on_note: OnNote) {
    let options =
        WorkerOptions { nats, build: BUILD.into(), analysis: None, idle: Some(Duration::from_secs(10)) };
    let worker = NatsWorker::open(options, &on_note).await.expect("a server");
    while let Some(lease) = worker.lease(&name).await.expect("a chunk") {
        tokio::time::sleep(sleep).await;
        worker.acknowledge(&lease, &sleeper_result(&lease.chunk)).await.expect("an upload");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, workers, chunks, sleep_ms] = &args[..] else {
        panic!("expected: URL WORKERS CHUNKS SLEEP_MS");
    };
    let number = |text: &String| text.parse::<u64>().expect("a number");
    let (workers, chunks, sleep) = (number(workers), number(chunks), Duration::from_millis(number(sleep_ms)));
    let nats = NatsOptions { url: url.clone(), name: "scaling".into(), ..NatsOptions::default() };
    let on_note: OnNote = Arc::new(|text| eprintln!("{text}"));
    let folder = std::env::temp_dir().join(format!("alfil-scaling-{}", std::process::id()));
    let clock = Box::new(|| 0);
    let queue = SqliteQueue::open(&folder, Shard::WHOLE, clock, (&options(), (0..chunks).map(game)))
        .expect("a queue");
    println!(
        "{} chunks of {POSITIONS} positions, {workers} workers that sleep {sleep:?}",
        queue.counts().expect("counts").chunks()
    );
    let (of_workers, note) = (nats.clone(), on_note.clone());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let tasks = tokio::task::LocalSet::new();
        for worker in 0..workers {
            tasks.spawn_local(work(of_workers.clone(), format!("worker-{worker}"), sleep, note.clone()));
        }
        runtime.block_on(tasks);
    });
    // The workers connect before the chunks are sent.
    std::thread::sleep(Duration::from_secs(5));
    let (start, done) = (Instant::now(), AtomicU64::new(0));
    let on_event = |event: ChunkEvent| {
        if let ChunkEvent::Done { is_counted: true, .. } = event {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(1_000) {
                let seconds = start.elapsed().as_secs_f64();
                println!("{done} chunks in {seconds:.1} s: {:.0} a second", done as f64 / seconds);
            }
        }
    };
    let options = CoordinatorOptions { check_interval: 0, keys: None, nats, lease: Duration::from_secs(60) };
    coordinate(&queue, &options, &AtomicBool::new(false), &on_note, &on_event).expect("results");
    let (seconds, done) = (start.elapsed().as_secs_f64(), done.load(Ordering::Relaxed));
    assert_eq!(done, chunks, "every chunk counts once");
    println!("{done} chunks in {seconds:.1} s: {:.0} a second", done as f64 / seconds);
    drop(queue);
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}
