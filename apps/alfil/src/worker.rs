//! `alfil worker`: searches a chunk of an analysis in a process of its own, so that a crash ends this process alone.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use alfil_batch::chunk::Chunk;
use alfil_batch::queue::{ChunkResult, Lease};
use alfil_batch::worker_loop::ChunkFailure;
use anyhow::Context as _;
use clap::Args;

use crate::errors::{CommandResult, Failure};

/// The time between two signs of life of a chunk in another process.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Search one chunk of an analysis.
///
/// The chunk is a line of JSON on standard input, which stays open; its result is printed as JSON lines. The command
/// `alfil analyse` starts this for a chunk during which its process ended, so that a crash ends only this process.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// The source of the chunk: `-` is standard input.
    #[arg(value_parser = ["-"])]
    queue: String,
}

impl Worker {
    pub(crate) fn run(&self) -> CommandResult {
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
            let result = alfil_batch::analysis::analyse_chunk(&chunk, &mut || true);
            // The receiver waits until the sender is gone.
            let _ = sender.send(result);
        };
        alfil_engine::threads::spawn(search).context("cannot start a search thread")?;
        let result = receiver.recv().context("the search ended because of an internal error")?;
        let positions = result.map_err(|error| Failure::Input(error.to_string()))?;
        let mut out = std::io::stdout().lock();
        out.write_all(&ChunkResult::from_positions(&positions).bytes)?;
        out.flush()?;
        Ok(())
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

/// Searches a chunk in a process of its own.
///
/// # Errors
/// If the process ends without the result of the chunk.
pub(crate) fn execute_in_process(
    lease: &Lease,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<ChunkResult, ChunkFailure> {
    let failed = |error: &dyn std::fmt::Display| ChunkFailure::Failed(error.to_string());
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let child = Command::new(program)
        .args(["worker", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| failed(&error))?;
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
        return ChunkResult::from_bytes(output.stdout, &lease.chunk).map_err(ChunkFailure::Failed);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let last = message.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map_or(String::new(), |line| format!(": {}", line.trim()));
    Err(ChunkFailure::Failed(format!("the process that searched it ended with {}{last}", output.status)))
}
