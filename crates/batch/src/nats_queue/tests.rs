//! Tests of the messages, and of the queue of a server of the test's own. Without `nats-server` that test is skipped
//! with a message; `ALFIL_NO_SKIP` makes that a failure.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::protocol::{
    AttemptOutcome, ChunkBody, ChunkMessage, Names, Notice, ObjectReference, Report, number_of,
};
use super::worker::to_json;
use super::{
    CoordinationTotals, CoordinatorOptions, KeyList, NatsOptions, NatsQueue, OnNote, WorkerKey,
    WorkerOptions, coordinate,
};
use crate::analysis::analyse_chunk;
use crate::chunk::Chunk;
use crate::chunk::tests::options;
use crate::conformance::{TestedQueue, check_work_queue};
use crate::manifest::Shard;
use crate::manifest::tests::three_games;
use crate::queue::{ChunkResult, Lease, QueueCounts, WorkQueue};
use crate::sqlite_queue::{SqliteQueue, result_path, worker_status};
use crate::worker_loop::execute_here;

/// The time after which a silent worker loses its chunk.
const LEASE: Duration = Duration::from_secs(2);

/// A NATS server that ends with the test.
struct Server {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of the server; `None` if it is not installed.
fn find_server() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs servers into a folder that is not in the path of every user.
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let found = folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file());
    if found.is_none() {
        let no_skip =
            std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
        assert!(!no_skip, "nats-server is not installed");
        // The test harness hides what `eprintln` prints, and shows this.
        std::io::stderr().write_all(b"SKIPPED: nats-server is not installed\n").unwrap();
    }
    found
}

impl Server {
    fn start(program: PathBuf) -> Server {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(program);
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path());
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (server, start) = (Server { process, port, _folder: folder }, Instant::now());
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
        server
    }
}

/// An analysis whose coordinator is running.
struct Coordinated {
    nats: NatsOptions,
    queue: Arc<SqliteQueue>,
    folder: tempfile::TempDir,
    is_stopped: Arc<AtomicBool>,
    coordinator: Option<JoinHandle<CoordinationTotals>>,
    notes: Arc<Mutex<Vec<String>>>,
}

impl Coordinated {
    fn start(server: &Server) -> Coordinated {
        Coordinated::start_with(server, 50, None)
    }

    fn start_with(server: &Server, check_interval: u64, keys: Option<PathBuf>) -> Coordinated {
        let folder = tempfile::tempdir().unwrap();
        let plan = (&options(50), three_games().into_iter());
        let queue = SqliteQueue::open(folder.path(), Shard::WHOLE, Box::new(|| 0), plan).unwrap();
        let (queue, is_stopped) = (Arc::new(queue), Arc::new(AtomicBool::new(false)));
        let notes: Arc<Mutex<Vec<String>>> = Arc::default();
        let nats = NatsOptions { url: format!("nats://127.0.0.1:{}", server.port), ..NatsOptions::default() };
        let coordinator = std::thread::spawn({
            let (queue, is_stopped, notes) = (queue.clone(), is_stopped.clone(), notes.clone());
            let options = CoordinatorOptions { nats: nats.clone(), lease: LEASE, check_interval, keys };
            let on_note: OnNote = Arc::new(move |note| notes.lock().unwrap().push(note));
            move || coordinate(&queue, &options, &is_stopped, &on_note, &|_| ()).unwrap()
        });
        Coordinated { nats, queue, folder, is_stopped, coordinator: Some(coordinator), notes }
    }

    /// Connects a worker.
    fn worker(&self, name: &str, key: Option<WorkerKey>) -> NatsQueue {
        let options = WorkerOptions {
            nats: NatsOptions { name: name.into(), key, ..self.nats.clone() },
            build: self.queue.manifest().options().build.clone(),
            analysis: None,
            idle: Some(Duration::from_millis(100)),
        };
        NatsQueue::open(options, &(Arc::new(drop) as _)).unwrap()
    }

    /// Searches what the server has until the coordinator ends; returns what came out.
    fn work_to_end(&mut self, worker: &NatsQueue) -> CoordinationTotals {
        let start = Instant::now();
        while self.coordinator.as_ref().is_some_and(|coordinator| !coordinator.is_finished()) {
            assert!(start.elapsed() < Duration::from_secs(120), "the coordinator does not end");
            if let Some(lease) = worker.lease("thread 1").unwrap() {
                let result = execute_here(&lease, &mut || true).unwrap();
                worker.acknowledge(&lease, &result).unwrap();
            }
        }
        self.coordinator.take().unwrap().join().unwrap()
    }

    /// Checks that all chunks have the results of a search.
    fn check_results(&self) {
        let manifest = self.queue.manifest();
        for row in manifest.chunks().unwrap() {
            let chunk = manifest.chunk(row.number).unwrap();
            let right = ChunkResult::from_positions(&analyse_chunk(&chunk, &mut || true).unwrap(), &chunk);
            assert_eq!(self.result(&row.id), Some(right.bytes), "chunk {}", row.number);
        }
    }

    /// Returns the names of the workers, the number of chunks of each, and whether it is set aside.
    fn workers(&self) -> Vec<(String, u64, bool)> {
        let workers = worker_status(&self.queue.manifest()).unwrap();
        workers.into_iter().map(|worker| (worker.name, worker.done, worker.set_aside.is_some())).collect()
    }
}

fn first_lease(worker: &NatsQueue) -> Lease {
    let start = Instant::now();
    loop {
        if let Some(lease) = worker.lease("thread 1").unwrap() {
            return lease;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "no chunk is leased");
    }
}

#[test]
fn a_worker_whose_result_differs_is_set_aside_by_name_and_its_chunks_are_searched_again() {
    let Some(program) = find_server() else { return };
    let server = Server::start(program);
    let mut coordinated = Coordinated::start_with(&server, 1, None);
    let liar = coordinated.worker("liar", None);
    // Its checksums are right.
    let lease = first_lease(&liar);
    let mut positions = analyse_chunk(&lease.chunk, &mut || true).unwrap();
    positions[0].lines[0].score_cp += 1;
    assert!(liar.acknowledge(&lease, &ChunkResult::from_positions(&positions, &lease.chunk)).unwrap());
    let honest = coordinated.worker("honest", None);
    let totals = coordinated.work_to_end(&honest);
    let reason = format!("its result of chunk {} is wrong", lease.number);
    assert_eq!(totals.set_aside.into_iter().collect::<Vec<_>>(), [("liar".to_owned(), reason)]);
    coordinated.check_results();
    let chunks = coordinated.counts().chunks();
    assert_eq!(coordinated.counts().done, chunks);
    assert_eq!(coordinated.workers(), [("honest".into(), chunks, false), ("liar".into(), 0, true)]);
    let notes = coordinated.notes.lock().unwrap().join("\n");
    assert!(notes.contains("the results of liar and of honest differ"), "{notes}");
    assert!(notes.contains("the worker liar is set aside"), "{notes}");
}

#[test]
fn the_results_of_two_honest_workers_confirm_each_other() {
    let Some(program) = find_server() else { return };
    let server = Server::start(program);
    let mut coordinated = Coordinated::start_with(&server, 1, None);
    let chunks = coordinated.counts().chunks();
    let one = coordinated.worker("one", None);
    let lease = first_lease(&one);
    one.acknowledge(&lease, &execute_here(&lease, &mut || true).unwrap()).unwrap();
    let two = coordinated.worker("two", None);
    let totals = coordinated.work_to_end(&two);
    // The chunks of the second worker are not checked when the first one has been silent for long.
    assert!(totals.checked >= 1 && totals.checked + totals.unchecked == chunks, "{totals:?}");
    assert!(totals.set_aside.is_empty(), "{totals:?}");
    coordinated.check_results();
}

#[test]
fn only_reports_that_a_known_key_signs_are_taken() {
    let Some(program) = find_server() else { return };
    let server = Server::start(program);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("workers.keys");
    let mut keys = KeyList::default();
    let (key, gone) = (keys.add("node7").unwrap(), keys.add("node8").unwrap());
    std::fs::write(&path, keys.to_text()).unwrap();
    let mut coordinated = Coordinated::start_with(&server, 0, Some(path.clone()));
    // The last worker has its chunk when its key is revoked. A running coordinator reads a changed list.
    for (name, key, expected) in [
        ("stranger", None, "a report of the worker stranger is refused: it has no key here"),
        ("node7", None, "a report of the worker node7 is refused: it has not signed"),
        ("process", Some(gone), "a report of the worker node8 is refused: its key is revoked"),
    ] {
        let worker = coordinated.worker(name, key);
        let lease = first_lease(&worker);
        if name == "process" {
            keys.revoke("node8");
            std::fs::write(&path, keys.to_text()).unwrap();
            std::thread::sleep(Duration::from_secs(2));
        }
        worker.acknowledge(&lease, &execute_here(&lease, &mut || true).unwrap()).unwrap();
        let start = Instant::now();
        while !coordinated.notes.lock().unwrap().iter().any(|note| note == expected) {
            assert!(start.elapsed() < Duration::from_secs(60), "{expected}");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(coordinated.counts().done, 0, "{name}");
    }
    let known = coordinated.worker("process", Some(key));
    coordinated.work_to_end(&known);
    coordinated.check_results();
    let chunks = coordinated.counts().chunks();
    assert!(coordinated.workers().contains(&("node7".into(), chunks, false)));
}

/// Passes bytes on between clients and a server until `is_dead` is set: then both sides receive nothing, and no
/// connection is closed.
fn pass_on(listener: TcpListener, port: u16, is_dead: Arc<AtomicBool>) {
    for client in listener.incoming().flatten() {
        let server = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let directions = [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)];
        for (mut from, mut to) in directions {
            let is_dead = is_dead.clone();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(length @ 1..) = from.read(&mut bytes) {
                    while is_dead.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    if to.write_all(&bytes[..length]).is_err() {
                        break;
                    }
                }
            });
        }
    }
}

#[test]
fn a_worker_behind_a_dead_link_says_so_soon() {
    let Some(program) = find_server() else { return };
    let server = Server::start(program);
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    let (is_dead, port) = (Arc::new(AtomicBool::new(false)), server.port);
    let of_proxy = is_dead.clone();
    std::thread::spawn(move || pass_on(listener, port, of_proxy));
    let (sender, notes) = std::sync::mpsc::channel();
    let on_note: OnNote = Arc::new(move |note| drop(sender.send(note)));
    let nats = NatsOptions { url, ..NatsOptions::default() };
    let _worker = NatsQueue::open(WorkerOptions { nats, ..WorkerOptions::default() }, &on_note).unwrap();
    is_dead.store(true, Ordering::Relaxed);
    let note = notes.recv_timeout(Duration::from_secs(12)).expect("a note within twelve seconds");
    assert!(note.contains("the connection is lost"), "{note}");
    is_dead.store(false, Ordering::Relaxed);
    let note = notes.recv_timeout(Duration::from_secs(30)).expect("a note when the link is back");
    assert!(note.contains("connected again"), "{note}");
}

impl Drop for Coordinated {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let ended = self.coordinator.take().map(JoinHandle::join);
        assert!(
            std::thread::panicking() || ended.is_none_or(|ended| ended.is_ok()),
            "the coordinator failed"
        );
    }
}

impl TestedQueue for Coordinated {
    fn connect(&self, work: &mut dyn FnMut(&dyn WorkQueue)) {
        let options = WorkerOptions {
            nats: self.nats.clone(),
            build: self.queue.manifest().options().build.clone(),
            analysis: None,
            idle: Some(Duration::from_millis(100)),
        };
        work(&NatsQueue::open(options, &(Arc::new(drop) as _)).unwrap());
    }

    fn expire(&self) {
        std::thread::sleep(LEASE + Duration::from_millis(200));
    }

    fn counts(&self) -> QueueCounts {
        self.queue.counts().unwrap()
    }

    fn result(&self, id: &str) -> Option<Vec<u8>> {
        std::fs::read(result_path(self.folder.path(), id)).ok()
    }
}

#[test]
fn the_queue_of_a_server_conforms() {
    let Some(program) = find_server() else { return };
    let server = Server::start(program);
    check_work_queue(|| Coordinated::start(&server));
}

#[test]
fn streams_of_other_programs_are_no_analyses() {
    let names = Names::new("0123abcd");
    assert_eq!(Names::of_stream(&names.stream()), Some(names.clone()));
    assert_eq!(Names::of_stream(&names.bucket_stream()), None);
    assert_eq!(Names::of_stream("EVENTS"), None);
    assert_eq!(number_of(&names.chunk_subject(17)), Some(17));
    assert_eq!(number_of(&names.report_subject("*")), None);
}

#[test]
fn messages_are_read_as_they_were_written() {
    let object = ObjectReference { name: "a.b".into(), sha256: "00".into() };
    let chunk = Chunk { options: options(5), games: Vec::new() };
    for body in [ChunkBody::Chunk(chunk), ChunkBody::Object(object.clone())] {
        let message =
            ChunkMessage { id: "a".into(), failed_attempts: 1, is_suspect: true, found_by: None, body };
        assert_eq!(serde_json::from_slice::<ChunkMessage>(&to_json(&message)).unwrap(), message);
    }
    let failed = AttemptOutcome::Failed { reason: "crash".into() };
    for outcome in [AttemptOutcome::Done { object }, failed] {
        let report = Report { id: "a".into(), worker: "w".into(), failed_attempts: 0, outcome };
        assert_eq!(serde_json::from_slice::<Report>(&to_json(&report)).unwrap(), report);
    }
    let notice = Notice::Started { number: 3, worker: "w".into() };
    assert_eq!(serde_json::from_slice::<Notice>(&to_json(&notice)).unwrap(), notice);
}

/// Serves one client as a NATS server does, and answers each message that is published with `answer`.
fn answer_messages(listener: &TcpListener, answer: &str) {
    let (stream, _) = listener.accept().unwrap();
    let mut output = stream.try_clone().unwrap();
    let info = r#"{"server_id":"A","version":"2.9.10","max_payload":1048576,"headers":true,"proto":1}"#;
    write!(output, "INFO {info}\r\n").unwrap();
    let (mut input, mut subscriptions, mut line) = (BufReader::new(stream), Vec::new(), String::new());
    while {
        line.clear();
        input.read_line(&mut line).is_ok_and(|length| length > 0)
    } {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["PING"] => output.write_all(b"PONG\r\n").unwrap(),
            ["SUB", subject, id] => {
                subscriptions.push((subject.trim_end_matches('*').to_owned(), id.to_owned()))
            }
            ["PUB" | "HPUB", _, reply, .., length] => {
                input.read_exact(&mut vec![0; length.parse::<usize>().unwrap() + 2]).unwrap();
                let is_of = |(subject, _): &&(String, String)| reply.starts_with(subject.as_str());
                let id = &subscriptions.iter().find(is_of).unwrap().1;
                write!(output, "MSG {reply} {id} {}\r\n{answer}\r\n", answer.len()).unwrap();
            }
            _ => {}
        }
    }
}

/// The text of an error is for people: another version or proxy may word it otherwise.
#[test]
fn a_second_message_of_a_subject_is_known_by_the_code_of_the_error() {
    let full = r#"{"error":{"code":503,"err_code":10077,"description":"maximum bytes exceeded"}}"#;
    let second = r#"{"error":{"code":400,"err_code":10071,"description":"es gibt schon eine"}}"#;
    let first = r#"{"stream":"ALFIL_1","seq":1}"#;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (answer, expected) in [(first, Some(true)), (second, Some(false)), (full, None)] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = format!("nats://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || answer_messages(&listener, answer));
        let published = runtime.block_on(async {
            let context = async_nats::jetstream::new(async_nats::connect(address).await.unwrap());
            super::worker::publish_once(&context, "alfil.1.report.0".into(), b"{}".to_vec()).await
        });
        assert_eq!(published.ok(), expected, "{answer}");
    }
}
