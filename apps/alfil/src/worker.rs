//! `alfil worker`: searches chunks of analyses, either those of a NATS server, or one in a process of its own, so that
//! a crash ends this process alone.

mod remote;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use alfil_batch::chunk::Chunk;
use alfil_batch::queue::{ChunkResult, Lease};
use alfil_batch::worker_loop::{ChunkFailure, execute_here};
use alfil_session::searcher::check_memory;
use anyhow::Context as _;
use clap::Args;

use crate::errors::{CommandResult, Failure};
use crate::nats_args::{NatsArgs, is_nats_url};

/// The time between two reports to the queue that another process still searches a chunk.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Search chunks of analyses that other machines coordinate.
///
/// With the address of a NATS server this serves every analysis there that `alfil analyse --queue nats://...` of the
/// same build coordinates, until it is stopped. Where no progress is drawn, as in a pipe, it prints on standard error
/// what it does, a few lines a second at most.
///
/// With `-` it searches one chunk, a line of JSON on standard input, which stays open; the result is printed as JSON
/// lines. A chunk during which a process ended is searched in this way, so that a crash ends only this process.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Address of the server: nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ before HOST if it needs them;
    /// `-` is a chunk on standard input.
    #[arg(value_name = "URL", value_parser = parse_source)]
    queue: String,
    /// Number of chunks searched at a time, each by a thread [default: 1].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: Option<u16>,
    #[command(flatten)]
    nats_args: NatsArgs,
    /// File with the key of this worker, which signs its results: `alfil keys` makes it. The server may know it by the
    /// key, too.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The only analysis to serve, by the name that its coordinator prints.
    #[arg(long, value_name = "ID")]
    analysis: Option<String>,
    /// End after so many seconds without a chunk.
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// Print the totals as one JSON object.
    #[arg(long)]
    json: bool,
}

fn parse_source(text: &str) -> Result<String, String> {
    match text {
        "-" => Ok(text.into()),
        _ if is_nats_url(text) => Ok(text.into()),
        _ => Err("expected nats://HOST, tls://HOST or -".into()),
    }
}

impl Worker {
    pub(crate) fn run(&self) -> CommandResult {
        if self.queue != "-" {
            return self.serve();
        }
        self.refuse_server_options()?;
        let mut input = BufReader::new(std::io::stdin());
        let mut line = String::new();
        input.read_line(&mut line).context("cannot read standard input")?;
        let chunk: Chunk =
            serde_json::from_str(&line).context("standard input is no chunk of an analysis")?;
        let build = build_id()?;
        if chunk.options.build != build {
            let found = &chunk.options.build;
            return Err(Failure::Input(format!("the chunk is of the build {found}, and this is {build}")));
        }
        // The end of the input means that the process which wants the result has ended.
        std::thread::spawn(move || {
            let _ = input.read_to_end(&mut Vec::new());
            std::process::exit(1);
        });
        let (sender, receiver) = mpsc::channel();
        let search = move || {
            let positions = alfil_batch::analysis::analyse_chunk(&chunk, &mut || true);
            // The receiver waits until the sender is gone.
            let _ = sender.send(positions.map(|positions| ChunkResult::from_positions(&positions, &chunk)));
        };
        alfil_engine::threads::spawn(search).context("cannot start a search thread")?;
        let result = receiver.recv().context("the search ended because of an internal error")?;
        let result = result.map_err(|error| Failure::Input(error.to_string()))?;
        let mut out = std::io::stdout().lock();
        out.write_all(&result.bytes)?;
        out.flush()?;
        Ok(())
    }

    /// Checks that no option is given that is for the chunks of a server.
    fn refuse_server_options(&self) -> CommandResult {
        self.nats_args.refuse()?;
        let options = [
            ("--threads", self.threads.is_some()),
            ("--key", self.key.is_some()),
            ("--analysis", self.analysis.is_some()),
            ("--idle", self.idle.is_some()),
            ("--json", self.json),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Failure::Usage(format!("{name} is for a queue such as nats://host"))),
            None => Ok(()),
        }
    }
}

/// Returns the name of this build of the program: results of different builds are not mixed.
///
/// # Errors
/// If the file of the program cannot be read.
pub(crate) fn build_id() -> anyhow::Result<String> {
    let path = std::env::current_exe().context("cannot find the file of the program")?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{}-{:08x}-{}", env!("CARGO_PKG_VERSION"), crc32fast::hash(&bytes), bytes.len()))
}

/// Searches a chunk: on the calling thread, or in a process of its own if it may be the cause of a crash.
///
/// # Errors
/// If the search fails, or the lease is lost.
pub(crate) fn execute(
    lease: &Lease,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<ChunkResult, ChunkFailure> {
    match lease.is_suspect {
        true => execute_in_process(lease, is_wanted),
        false => execute_here(lease, is_wanted),
    }
}

/// Searches a chunk in a process of its own.
///
/// # Errors
/// If the process cannot be started, or ends without the result of the chunk.
fn execute_in_process(
    lease: &Lease,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<ChunkResult, ChunkFailure> {
    let failed = |error: &dyn std::fmt::Display| ChunkFailure::Failed(error.to_string());
    if build_id().ok().as_ref() != Some(&lease.chunk.options.build) {
        let reason = "the file of the program was replaced or removed while it ran: start it again";
        return Err(ChunkFailure::Unable(reason.into()));
    }
    // In the other process this would be a failure of the chunk.
    check_memory(lease.chunk.options.hash_mib).map_err(|error| ChunkFailure::Unable(error.to_string()))?;
    let unable = |error: std::io::Error| ChunkFailure::Unable(format!("cannot start a process: {error}"));
    let program = std::env::current_exe().map_err(unable)?;
    let mut command = Command::new(program);
    command.args(["worker", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C is for this process alone: the other one ends with its input, and its end is no failure of the chunk.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(unable)?;
    let mut input = child.stdin.take();
    let text = serde_json::to_string(&lease.chunk).map_err(|error| failed(&error))?;
    // A process that ends at once does not read; its status has the reason.
    let _ = input.as_mut().map_or(Ok(()), |input| writeln!(input, "{text}"));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let output = loop {
        match receiver.recv_timeout(PROGRESS_INTERVAL) {
            Ok(output) => break output.map_err(|error| failed(&error))?,
            Err(RecvTimeoutError::Timeout) if is_wanted() => {}
            // The process ends with its input.
            Err(RecvTimeoutError::Timeout) => return Err(ChunkFailure::LeaseLost),
            Err(RecvTimeoutError::Disconnected) => return Err(failed(&"the process was lost")),
        }
    };
    drop(input);
    if output.status.success() {
        let result = ChunkResult::from_bytes(output.stdout, &lease.chunk);
        return result.map_err(|error| ChunkFailure::Failed(error.to_string()));
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let last = message.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map_or(String::new(), |line| format!(": {}", line.trim()));
    Err(ChunkFailure::Failed(format!("the process that searched it ended with {}{last}", output.status)))
}
