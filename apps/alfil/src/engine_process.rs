//! An engine process and the threads that transfer its lines.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use alfil_matches::external::{EngineLauncher, LineTransport, Received};

/// The number of lines that the log keeps.
const MAX_LOG_LINES: usize = 60;
/// The number of bytes of a line that are read; no protocol has longer lines.
const MAX_LINE_BYTES: usize = 64 << 10;
/// The number of bytes of a line that the log keeps.
const MAX_LOGGED_BYTES: usize = 300;
/// The number of unread lines after which an engine has to wait.
const MAX_QUEUED_LINES: usize = 1024;
/// The time that an engine has to exit.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The engine processes. After an interruption the lock is never released: no engine starts, and one that was killed
/// does not lose its game.
static PROCESSES: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Kills all engines before the process exits.
pub(crate) fn kill_engines() {
    let processes = lock(&PROCESSES);
    processes.iter().filter_map(Weak::upgrade).for_each(|child| kill(&mut lock(&child)));
    std::mem::forget(processes);
}

fn kill(child: &mut Child) {
    // `kill` fails if the process has exited in the meantime.
    let _ = child.kill();
    let _ = child.wait();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that a program is there, by its path or in the folders of `PATH`, as far as this can be said before it
/// starts.
///
/// # Errors
/// If it is not.
pub(crate) fn check_program(program: &str) -> Result<(), String> {
    // Windows adds the ending of programs; elsewhere they have none.
    let is_there =
        |path: &Path| path.is_file() || path.with_added_extension(std::env::consts::EXE_EXTENSION).is_file();
    if program.contains(std::path::is_separator) {
        return match Path::new(program) {
            path if is_there(path) => Ok(()),
            path if path.is_dir() => Err(format!("cannot start {program}: it is a folder")),
            _ => Err(format!("cannot start {program}: there is no such file")),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    match std::env::split_paths(&folders).any(|folder| is_there(&folder.join(program))) {
        true => Ok(()),
        false => Err(format!("cannot start {program}: there is no such program in the folders of PATH")),
    }
}

/// The command line that starts an engine.
pub(crate) struct EngineProgram(pub(crate) Vec<String>);

impl EngineLauncher for EngineProgram {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let EngineProgram(arguments) = self;
        let (program, arguments) = arguments.split_first().ok_or("the engine's command line is empty")?;
        let mut processes = lock(&PROCESSES);
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the match alone, which then ends its engines: one that it ended first would lose its game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(|error| format!("cannot start {program}: {error}"))?;
        let process = EngineProcess::new(child).ok_or("the engine process has no pipes")?;
        processes.retain(|child| child.strong_count() > 0);
        processes.push(Arc::downgrade(&process.child));
        Ok(Box::new(process))
    }
}

/// The last lines to and from an engine, with the seconds since its start.
struct LineLog {
    start: Instant,
    lines: VecDeque<String>,
}

impl LineLog {
    fn push(&mut self, mark: &str, text: &str) {
        let text = &text[..text.floor_char_boundary(MAX_LOGGED_BYTES)];
        if self.lines.len() == MAX_LOG_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(format!("{:.3} {mark} {text}", self.start.elapsed().as_secs_f64()));
    }
}

/// A running engine process.
struct EngineProcess {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    log: Arc<Mutex<LineLog>>,
}

impl EngineProcess {
    fn new(mut child: Child) -> Option<EngineProcess> {
        let log = Arc::new(Mutex::new(LineLog { start: Instant::now(), lines: VecDeque::new() }));
        let (input, output, errors) = (child.stdin.take(), child.stdout.take()?, child.stderr.take()?);
        let (sender, lines) = mpsc::sync_channel(MAX_QUEUED_LINES);
        // A thread ends with the pipe it reads. It is not joined, because a grandchild may keep the pipe open.
        thread::spawn(move || {
            for_each_line(output, |line| sender.send((Instant::now(), line)).is_ok());
        });
        let stderr_log = log.clone();
        thread::spawn(move || {
            for_each_line(errors, |line| {
                log_line(&stderr_log, "!", &line);
                true
            });
        });
        Some(EngineProcess { child: Arc::new(Mutex::new(child)), input, lines, log })
    }

    /// Returns how the engine ended, after its output has closed.
    fn exit_reason(&mut self) -> String {
        let end = Instant::now() + EXIT_TIMEOUT;
        loop {
            let status = lock(&self.child).try_wait();
            match status {
                Ok(Some(status)) => return format!("the engine exited: {status}"),
                Ok(None) if Instant::now() < end => thread::sleep(POLL_INTERVAL),
                _ => return "the engine closed its output".into(),
            }
        }
    }
}

fn log_line(log: &Mutex<LineLog>, mark: &str, text: &str) {
    if let Ok(mut log) = log.lock() {
        log.push(mark, text);
    }
}

/// Calls `on_line` for each line, cut to the maximal length, until the stream ends or it returns false. Invalid UTF-8
/// is replaced.
fn for_each_line(stream: impl Read, mut on_line: impl FnMut(String) -> bool) {
    let mut line = Vec::new();
    for byte in BufReader::new(stream).bytes() {
        match byte {
            Ok(b'\n') => {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
                if !on_line(text) {
                    return;
                }
                line.clear();
            }
            Ok(byte) if line.len() < MAX_LINE_BYTES => line.push(byte),
            // The rest of an overlong line is skipped.
            Ok(_) => {}
            Err(_) => break,
        }
    }
    if !line.is_empty() {
        on_line(String::from_utf8_lossy(&line).into_owned());
    }
}

impl LineTransport for EngineProcess {
    fn send(&mut self, line: &str) {
        log_line(&self.log, ">", line);
        if let Some(input) = &mut self.input
            && writeln!(input, "{line}").and_then(|()| input.flush()).is_err()
        {
            // The end of the output will report the reason.
            self.input = None;
        }
    }

    fn receive(&mut self, until: Instant) -> Received {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok((at, line)) => {
                log_line(&self.log, "<", &line);
                Received::Line(at, line)
            }
            Err(RecvTimeoutError::Timeout) => Received::Timeout,
            Err(RecvTimeoutError::Disconnected) => {
                // Waits for the exit if an interruption has killed the engine.
                drop(lock(&PROCESSES));
                let reason = self.exit_reason();
                log_line(&self.log, "=", &reason);
                Received::Closed(reason)
            }
        }
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().map(|log| log.lines.iter().cloned().collect()).unwrap_or_default()
    }

    fn close(&mut self) {
        self.input = None;
        let end = Instant::now() + EXIT_TIMEOUT;
        while Instant::now() < end {
            let status = lock(&self.child).try_wait();
            if let Ok(Some(_)) = status {
                return;
            }
            // Drains the queue, so that an engine that writes a lot can exit.
            while self.lines.try_recv().is_ok() {}
            thread::sleep(POLL_INTERVAL);
        }
        kill(&mut lock(&self.child));
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_the_log_have_bounded_length() {
        let mut stream = b"one\r\ntwo\xff\n".to_vec();
        stream.extend(vec![b'x'; 3 * MAX_LINE_BYTES]);
        stream.extend(b"\n\nlast");
        let mut lines = Vec::new();
        for_each_line(&stream[..], |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines[0], "one");
        assert_eq!(lines[1], "two\u{fffd}");
        assert_eq!((lines[2].len(), lines[3].as_str(), lines[4].as_str()), (MAX_LINE_BYTES, "", "last"));
        let mut log = LineLog { start: Instant::now(), lines: VecDeque::new() };
        for _ in 0..2 * MAX_LOG_LINES {
            log.push("<", &"馬".repeat(MAX_LOGGED_BYTES));
        }
        assert_eq!(log.lines.len(), MAX_LOG_LINES);
        assert!(log.lines[0].len() <= MAX_LOGGED_BYTES + 20);
    }

    #[test]
    fn the_error_of_a_missing_program_names_it() {
        let error = EngineProgram(vec!["/nowhere/engine".into()]).launch().err().unwrap();
        assert!(error.starts_with("cannot start /nowhere/engine"), "{error}");
    }
}
