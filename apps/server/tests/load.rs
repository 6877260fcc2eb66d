//! The server under load: many windows play, and some of them search.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use crate::common::TestClient;

const WINDOWS: usize = 200;
const SEARCHING: usize = 20;
const RUN_TIME: Duration = Duration::from_secs(20);
/// The time between two moves of a window.
const PAUSE: Duration = Duration::from_secs(1);
/// Moves that may be repeated: a new game begins after them.
const MOVES: [&str; 8] = ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"];

/// A third of what the server took when each save woke all sessions and every event had a thread of its own.
const MAX_LATENCY: Duration = Duration::from_millis(346);
const MAX_MEMORY_MB: usize = 300;
const MAX_THREADS: usize = 64;

/// A server in a process of its own, which ends with its value.
struct ServerProcess(Child);

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl ServerProcess {
    /// Starts the server that `ALFIL_SERVER` names, or that of the tests; returns the address of its WebSocket, too.
    fn start(folder: &std::path::Path) -> (ServerProcess, String) {
        let program = std::env::var("ALFIL_SERVER").unwrap_or(env!("CARGO_BIN_EXE_alfil-server").into());
        let mut words = program.split(' ');
        let mut command = Command::new(words.next().expect("a program"));
        command.args(words).args(["--port", "0", "--data"]).arg(folder).stdout(Stdio::piped());
        let mut server = ServerProcess(command.spawn().expect("the server starts"));
        let mut line = String::new();
        let output = server.0.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http:")).expect("an address");
        let (host, query) = address["http:".len()..].rsplit_once('/').expect("a path");
        (server, format!("ws:{host}/ws{query}"))
    }

    /// Returns a number of the state that Linux shows of the process.
    fn state(&self, name: &str) -> usize {
        let state = fs::read_to_string(format!("/proc/{}/status", self.0.id())).expect("its state");
        let line = state.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
        line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
    }
}

/// Plays moves until the end, and returns how long each took.
async fn play(mut client: TestClient, index: usize, end: Instant) -> Vec<Duration> {
    let mut latencies = Vec::new();
    client.request(json!({"do": "new", "game": "chess"})).await;
    sleep(PAUSE * u32::try_from(index).expect("few") / 200).await;
    for number in 0.. {
        if Instant::now() >= end {
            break;
        }
        if number > 0 && number % MOVES.len() == 0 {
            client.request(json!({"do": "new", "game": "chess"})).await;
        }
        let begun = Instant::now();
        let response = client.play(MOVES[number % MOVES.len()]).await;
        latencies.push(begun.elapsed());
        assert!(response["error"].is_null(), "{response}");
        sleep(PAUSE.saturating_sub(begun.elapsed())).await;
    }
    latencies
}

/// Searches until the end; returns the number of searches.
async fn search(mut client: TestClient, end: Instant) -> usize {
    client.request(json!({"do": "new", "game": "chess", "moves": ["e2e4"]})).await;
    for number in 0.. {
        let Ok(response) =
            tokio::time::timeout_at(end, client.request(json!({"do": "hint", "time": 500}))).await
        else {
            return number;
        };
        assert!(response["error"].is_null(), "{response}");
    }
    0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: 200 windows, 20 of which search"]
async fn many_windows_are_answered_soon_and_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, address) = ServerProcess::start(folder.path());
    let mut clients = Vec::new();
    for _ in 0..WINDOWS {
        clients.push(TestClient::connect(&address).await);
    }
    let end = Instant::now() + RUN_TIME;
    let searches: Vec<_> =
        clients.drain(..SEARCHING).map(|client| tokio::spawn(search(client, end))).collect();
    let plays = clients.into_iter().enumerate().map(|(index, client)| tokio::spawn(play(client, index, end)));
    let plays: Vec<_> = plays.collect();
    let mut latencies = Vec::new();
    for play in plays {
        latencies.extend(timeout(RUN_TIME * 4, play).await.expect("the end").expect("no panic"));
    }
    let mut search_count = 0;
    for search in searches {
        search_count += search.await.expect("no panic");
    }
    latencies.sort_unstable();
    let part = |percent: usize| latencies[(latencies.len() - 1) * percent / 100];
    let (memory, threads) = (server.state("VmHWM") * 1024 / 1_000_000, server.state("Threads"));
    println!(
        "{} moves: median {:?}, 95 % {:?}, 99 % {:?}; {search_count} searches; {memory} MB, {threads} threads",
        latencies.len(),
        part(50),
        part(95),
        part(99)
    );
    assert!(part(99) <= MAX_LATENCY, "99 % of the moves took up to {:?}", part(99));
    assert!(memory <= MAX_MEMORY_MB, "{memory} MB");
    assert!(threads <= MAX_THREADS, "{threads} threads");
}
