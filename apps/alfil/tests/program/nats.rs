//! `alfil analyse --queue nats://...` and `alfil worker nats://...`, with a NATS server of the test's own. Without
//! `nats-server` a test is skipped with a message; `ALFIL_NO_SKIP` makes that a failure.

mod kill;

use std::fs;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::analyse::{children_of, json, merged_files, path_in, write_games};
use super::{PROGRAM, expect_error, expect_negative, expect_ok, find_program, run};

/// The longest time that any process of a test may take.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        Process(command.spawn().unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for the end; returns the status and stderr, which must be a pipe.
    fn finish(mut self) -> (Option<i32>, String) {
        wait_until("the process ends", || !self.is_running());
        let mut error = String::new();
        if let Some(mut stderr) = self.0.stderr.take() {
            std::io::Read::read_to_string(&mut stderr, &mut error).unwrap();
        }
        (self.0.wait().unwrap().code(), error)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < MAX_WAIT, "{what}: not after {MAX_WAIT:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A NATS server with a folder of its own.
pub(super) struct Server {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    args: Vec<String>,
    process: Option<Process>,
}

impl Server {
    /// Starts a server on a free port; `None` if there is none on this machine.
    pub(super) fn start(args: &[&str]) -> Option<Server> {
        let program = find_program("nats-server")?;
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        let mut server = Server { program, folder, port, args, process: None };
        server.restart();
        Some(server)
    }

    fn restart(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"]).arg(self.folder.path());
        command.args(&self.args).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(Process::start(&mut command));
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    fn kill(&mut self) {
        self.process.take().unwrap().kill();
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Returns the streams that the server stores.
    fn streams(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.path().join("jetstream/$G/streams")) else {
            return Vec::new();
        };
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

/// Returns a coordinator that gives the chunk of a silent worker to another one after a few seconds.
fn coordinator(url: &str, input: &str, out: &str, nodes: &str) -> Command {
    let mut command = coordinator_with_lease(url, input, out, "3");
    command.args(["--nodes", nodes]);
    command
}

fn coordinator_with_lease(url: &str, input: &str, out: &str, seconds: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["analyse", input, "-o", out, "--queue", url, "--lease", seconds]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn worker(program: &Path, url: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(["worker", url]).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns the totals of a worker that ends when it has been idle for some seconds.
fn idle_worker(url: &str, seconds: &str) -> serde_json::Value {
    let (status, out, error) = run(&["worker", url, "--idle", seconds, "--json"]);
    assert!(status == 0 && error.contains(": connected as "), "{error}");
    json(&out)
}

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn an_analysis_over_a_server_writes_the_same_files_as_one_process() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let input = write_games(folder.path());
    // Three analyses of the same games on one server at the same time, two of them with equal settings: they must not
    // mix.
    let outs = ["one", "two", "three"].map(|name| path_in(folder.path(), name));
    let nodes = ["2000", "2000", "900"];
    let mut workers: Vec<_> = (0..2)
        .map(|_| Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &["--threads", "2"])))
        .collect();
    let coordinators: Vec<_> = outs
        .iter()
        .zip(nodes)
        .map(|(out, nodes)| Process::start(&mut coordinator(&server.url(), &input, out, nodes)))
        .collect();
    for coordinator in coordinators {
        let (status, error) = coordinator.finish();
        assert_eq!(status, Some(0), "{error}");
        assert!(error.contains("the analysis is "), "{error}");
    }
    for (out, nodes) in outs.iter().zip(nodes) {
        let plain = path_in(folder.path(), "plain");
        expect_ok(&["analyse", &input, "-o", &plain, "--nodes", nodes]);
        assert!(merged_files(Path::new(out)) == merged_files(Path::new(&plain)), "the files differ");
        fs::remove_dir_all(&plain).unwrap();
        let status = json(&expect_ok(&["status", out, "--json"]));
        assert_eq!(
            (&status["parts"][0]["done"], &status["parts"][0]["running"]),
            (&status["chunks"], &0.into())
        );
    }
    assert!(workers.iter_mut().all(Process::is_running), "a worker has ended");
    assert_eq!(server.streams(), [""; 0]);
    // What is done needs no server.
    drop(server);
    let (status, _, error) = output(&mut coordinator("nats://127.0.0.1:1", &input, &outs[0], "2000"));
    assert_eq!(status, Some(0), "{error}");
}

#[test]
fn a_worker_ends_when_it_is_idle_and_gives_its_chunks_back_when_it_is_stopped() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let totals = idle_worker(&server.url(), "1");
    assert_eq!((&totals["chunks"], &totals["failed"]), (&0.into(), &0.into()));
    if !cfg!(unix) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    // With a lease of a day no other worker would get the chunk of one that does not give it back.
    let mut command = coordinator_with_lease(&server.url(), &input, &out, "86400");
    let mut coordinator = Process::start(command.args(["--nodes", "200000", "--to", "3"]));
    let first = Process::start(worker(Path::new(PROGRAM), &server.url(), &["--json"]).stdout(Stdio::piped()));
    wait_until("a chunk is being searched", || is_running_a_chunk(&out) || !coordinator.is_running());
    Command::new("kill").args(["-INT", &first.0.id().to_string()]).status().unwrap();
    let (status, _) = first.finish();
    assert_eq!(status, Some(130));
    let _second = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(0), "{error}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_analysis_gives_workers_nothing_until_it_goes_on() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let coordinate = || {
        let mut command = coordinator_with_lease(&server.url(), &input, &out, "86400");
        Process::start(command.args(["--nodes", "200000", "--to", "3"]))
    };
    let interrupt = |process: &Process| {
        Command::new("kill").args(["-INT", &process.0.id().to_string()]).status().unwrap();
    };
    let mut first = coordinate();
    let busy = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    wait_until("a chunk is being searched", || is_running_a_chunk(&out) || !first.is_running());
    interrupt(&first);
    assert_eq!(first.finish().0, Some(130));
    interrupt(&busy);
    assert_eq!(busy.finish().0, Some(130));
    let totals = idle_worker(&server.url(), "2");
    assert_eq!(totals["chunks"], 0);
    let second = coordinate();
    let _worker = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    let (status, error) = second.finish();
    assert_eq!(status, Some(0), "{error}");
}

/// Returns whether a worker has a chunk of an analysis.
fn is_running_a_chunk(out: &str) -> bool {
    let (code, status, _) = run(&["status", out, "--json"]);
    code == 0 && json(&status)["parts"][0]["running"].as_u64() > Some(0)
}

#[test]
fn servers_that_cannot_be_used_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let analyse = |url: &str, args: &[&str], status: i32, expected: &str| {
        expect_error(&[&["analyse", &input, "-o", &out, "--queue", url], args].concat(), status, expected);
    };
    analyse("http://host", &[], 2, "expected sqlite, nats://HOST or tls://HOST");
    analyse("nats://host", &["--threads", "2"], 2, "the workers of the server search");
    analyse("nats://host", &["--shard", "1/2"], 2, "the server divides the work");
    analyse("sqlite", &["--creds", "file"], 2, "are for a queue such as nats://host");
    for option in ["--lease=9", "--keys=file", "--check=9"] {
        analyse("sqlite", &[option], 2, "is for a queue such as nats://host");
    }
    expect_error(&["worker", "host"], 2, "expected nats://HOST");
    expect_error(&["worker", "-", "--tls-ca", "file"], 2, "are for a queue such as nats://host");
    for option in ["--threads=4", "--key=X", "--analysis=X", "--idle=9", "--json"] {
        expect_error(&["worker", "-", option], 2, "is for a queue such as nats://host");
    }
    analyse("nats://127.0.0.1:1", &[], 1, "nats://127.0.0.1:1: it cannot be reached");
    expect_error(&["worker", "nats://127.0.0.1:1"], 1, "is nats-server running there?");
    expect_error(&["worker", "nats://127.0.0.1:1", "--creds", "none"], 1, "none");
    let Some(server) = Server::start(&[]) else { return };
    expect_error(&["worker", &server.url()], 1, "start nats-server with -js");
    drop(server);
    let Some(server) = Server::start(&["-js", "--user", "ann", "--pass", "p@ss"]) else { return };
    analyse(&server.url(), &[], 1, "it refuses the user");
    expect_error(&["worker", &server.url().replace("//", "//ann:wrong@")], 1, "it refuses the user");
    idle_worker(&server.url().replace("//", "//ann:p%40ss@"), "0");
    let mut by_variable = Command::new(PROGRAM);
    by_variable.args(["worker", &server.url().replace("//", "//ann@"), "--idle", "0"]);
    let (status, _, error) = output(by_variable.env("ALFIL_NATS_PASSWORD", "p@ss"));
    assert_eq!(status, Some(0), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn workers_of_another_build_get_no_chunks() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    // A byte after the end of the program makes another build of it.
    let other = folder.path().join("alfil");
    fs::copy(PROGRAM, &other).unwrap();
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"\n").unwrap();
    let coordinator = Process::start(&mut coordinator(&server.url(), &input, &out, "500"));
    // The stream of the chunks, `ALFIL_<id>`, and that of the object store, `OBJ_alfil_<id>`.
    wait_until("the analysis is on the server", || server.streams().len() == 2);
    let streams = server.streams();
    let id = streams.iter().find_map(|stream| stream.strip_prefix("ALFIL_")).unwrap();
    let (status, _, error) = output(&mut worker(&other, &server.url(), &["--analysis", id]));
    assert!(status == Some(1) && error.contains("use the same program"), "{error}");
    let (status, _, error) = output(&mut worker(&other, &server.url(), &["--idle", "3"]));
    assert!(status == Some(0) && error.contains("it is left to other workers"), "{error}");
    let _worker = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &["--analysis", id]));
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("gets no chunks; this analysis is of "), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_chunk_that_ends_its_workers_fails_and_the_rest_is_finished() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (write_games(folder.path()), path_in(folder.path(), "out"));
    let coordinator = Process::start(&mut coordinator(&server.url(), &input, &out, "100000"));
    let mut first = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    wait_until("a chunk is being searched", || is_running_a_chunk(&out));
    first.kill();
    // The next worker searches the chunk in a process of its own, which this test kills at each of three attempts.
    let mut second = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    let mut killed = Vec::new();
    wait_until("the process of the chunk is killed three times", || {
        for pid in
            children_of(second.0.id()).into_iter().filter(|pid| !killed.contains(pid)).collect::<Vec<_>>()
        {
            Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
            killed.push(pid);
        }
        killed.len() >= 3
    });
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(1), "{error}");
    assert!(second.is_running(), "the worker has ended");
    assert!(error.contains("SIGKILL") && error.contains("it is not tried again"), "{error}");
    let status = json(&expect_negative(&["status", &out, "--json"]));
    let part = &status["parts"][0];
    assert_eq!((&part["failed"], &part["waiting"], &part["stopped"]), (&1.into(), &0.into(), &0.into()));
    assert_eq!(part["done"].as_u64().unwrap() + 1, part["chunks"].as_u64().unwrap());
    assert!(part["failed_chunks"][0]["reason"].as_str().unwrap().contains("SIGKILL"));
    assert_eq!(server.streams(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: thirty leases end"]
fn a_chunk_with_which_three_times_ten_workers_end_fails() {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (path_in(folder.path(), "game.pgn"), path_in(folder.path(), "out"));
    fs::write(&input, "[White \"A\"]\n\n1. e4 *\n").unwrap();
    // One position that no worker finishes.
    let coordinator =
        Process::start(coordinator(&server.url(), &input, &out, "1000000000000").args(["--to", "0"]));
    for round in 0..30 {
        let mut worker = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
        // After the first lease has ended, the chunk is searched in a process of its own.
        let has_chunk = || match round {
            0 => is_running_a_chunk(&out),
            _ => !children_of(worker.0.id()).is_empty(),
        };
        wait_until("the worker has the chunk", has_chunk);
        worker.kill();
    }
    let _last = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    let (status, error) = coordinator.finish();
    assert!(status == Some(1) && error.contains("10 workers had it"), "{error}");
    let status = json(&expect_negative(&["status", &out, "--json"]));
    assert!(status["parts"][0]["failed_chunks"][0]["reason"].as_str().unwrap().contains("10 workers had it"));
}

#[test]
fn chunks_that_are_larger_than_a_message_are_searched() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, input) = (path_in(folder.path(), "nats.conf"), path_in(folder.path(), "games.pgn"));
    fs::write(&settings, "max_payload: 8192\n").unwrap();
    let Some(server) = Server::start(&["-js", "-c", &settings]) else { return };
    let moves = ["Nf3 Nc6 Nc3 Nf6", "Nf3 Nf6 a3 a6", "Nh3 Nh6 b3 b6"]
        .map(|moves| moves.to_owned() + &" Rg1 Rg8 Rh1 Rh8".repeat(60));
    let games: String =
        moves.iter().cycle().take(24).map(|moves| format!("[White \"A\"]\n\n{moves} *\n\n")).collect();
    fs::write(&input, games).unwrap();
    let (plain, out) = (path_in(folder.path(), "plain"), path_in(folder.path(), "out"));
    let range = ["--from", "120", "--to", "120"];
    expect_ok(&[&["analyse", &input, "-o", &plain, "--nodes", "100"], &range[..]].concat());
    let coordinator = Process::start(coordinator(&server.url(), &input, &out, "100").args(range));
    let _worker = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(0), "{error}");
    // Eight games with more than 100 moves are more than a message of this server holds.
    let status = json(&expect_ok(&["status", &out, "--json"]));
    assert_eq!((&status["chunks"], &status["parts"][0]["positions"]), (&3.into(), &24.into()));
    assert!(merged_files(Path::new(&out)) == merged_files(Path::new(&plain)), "the files differ");
}

#[test]
fn a_server_that_has_lost_everything_is_filled_again() {
    let Some(mut server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let input = write_games(folder.path());
    let (plain, out) = (path_in(folder.path(), "plain"), path_in(folder.path(), "out"));
    expect_ok(&["analyse", &input, "-o", &plain, "--nodes", "60000"]);
    let coordinator = Process::start(&mut coordinator(&server.url(), &input, &out, "60000"));
    let mut worker = Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]));
    wait_until("a chunk is being searched", || is_running_a_chunk(&out));
    server.kill();
    fs::remove_dir_all(server.folder.path().join("jetstream")).unwrap();
    server.restart();
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("the connection is lost") && error.contains("connected again"), "{error}");
    assert!(worker.is_running(), "the worker has ended");
    assert!(merged_files(Path::new(&out)) == merged_files(Path::new(&plain)), "the files differ");
}

/// Returns a server that knows the workers of a list by their keys.
fn server_with_keys(list: &str, folder: &Path) -> Option<Server> {
    let config = path_in(folder, "nats.conf");
    let users = expect_ok(&["keys", list, "--server"]).replace("$ALFIL_NATS_PASSWORD", "secret");
    fs::write(&config, users).unwrap();
    Server::start(&["-js", "-c", &config])
}

#[test]
fn workers_with_keys_say_what_they_do_and_only_their_results_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| path_in(folder.path(), name);
    let (list, key, gone) = (path("workers.keys"), path("node7.key"), path("node8.key"));
    expect_ok(&["keys", &list, "--add", "node7", "-o", &key]);
    expect_ok(&["keys", &list, "--add", "node8", "-o", &gone]);
    expect_error(&["keys", &list, "--add", "node7", "-o", &path("other")], 1, "has a key already");
    expect_error(&["keys", &list, "--add", "node9", "-o", &key], 1, "cannot create ");
    expect_error(&["keys", &list, "--revoke", "node9"], 1, "has no key of node9");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let Some(server) = server_with_keys(&list, folder.path()) else { return };
    expect_ok(&["keys", &list, "--revoke", "node8"]);
    let listed = json(&expect_ok(&["keys", &list, "--json"]));
    assert_eq!((&listed["keys"][0]["revoked"], &listed["keys"][1]["revoked"]), (&false.into(), &true.into()));
    let (input, out) = (write_games(folder.path()), path("out"));
    let url = server.url().replace("nats://", "nats://coordinator:secret@");
    let coordinator = Process::start(coordinator(&url, &input, &out, "20000").args(["--keys", &list]));
    // The server knows both workers, and the coordinator takes nothing of the second.
    let with_key = |key: &str| {
        let mut command = worker(Path::new(PROGRAM), &server.url(), &["--key", key]);
        Process::start(command.stderr(Stdio::piped()))
    };
    let (known, revoked) = (with_key(&key), with_key(&gone));
    let (status, error) = coordinator.finish();
    assert_eq!(status, Some(0), "{error}");
    let shown = json(&expect_ok(&["status", &out, "--json"]));
    let workers = shown["parts"][0]["workers"].as_array().unwrap();
    let done =
        |name: &str| workers.iter().find(|worker| worker["name"] == name).map(|worker| &worker["done"]);
    assert_eq!(done("node7"), Some(&shown["chunks"]), "{shown}");
    assert!(done("node8").is_none_or(|done| *done == 0), "{shown}");
    let text = expect_ok(&["status", &out]);
    assert!(text.contains("  node7: ") && text.contains(" s ago\n"), "{text}");
    let plain = path("plain");
    expect_ok(&["analyse", &input, "-o", &plain, "--nodes", "20000"]);
    assert!(merged_files(Path::new(&out)) == merged_files(Path::new(&plain)), "the files differ");
    let stop = |process: Process| {
        Command::new("kill").args(["-INT", &process.0.id().to_string()]).status().unwrap();
        process.finish().1
    };
    let lines = stop(known);
    for expected in [
        ": connected as node7, 1 thread; waiting for chunks\n",
        ": searching ",
        ": done in ",
        " positions/s\n",
    ] {
        assert!(lines.contains(expected), "{expected}: {lines}");
    }
    assert!(stop(revoked).contains(": connected as node8"));
    // Without its key the server does not let a worker in.
    expect_error(&["worker", &server.url(), "--idle", "1"], 1, "--key FILE");
}
