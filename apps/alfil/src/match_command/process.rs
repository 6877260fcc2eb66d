//! An engine as a process, with threads that carry its lines.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use alfil_matches::external::{EngineLauncher, LineTransport, Received};

/// Lines of the conversation that are kept to show what happened.
const MAX_LOG_LINES: usize = 60;
/// Of a line so many bytes are read; no engine means more.
const MAX_LINE_BYTES: usize = 64 << 10;
/// And so many are kept in the log.
const MAX_LOGGED_BYTES: usize = 300;
/// Lines on their way before an engine that floods must wait.
const MAX_QUEUED_LINES: usize = 1024;
/// How long an engine may take to end when it is told to.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A command line that starts an engine.
pub(crate) struct EngineProgram(pub(crate) Vec<String>);

impl EngineLauncher for EngineProgram {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let EngineProgram(words) = self;
        let (program, words) = words.split_first().ok_or("its command line is empty")?;
        let child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        EngineProcess::new(child)
            .map(|process| Box::new(process) as Box<dyn LineTransport>)
            .ok_or_else(|| "it has no pipes".into())
    }
}

/// The last lines of a conversation, with seconds since its start.
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

/// A running engine.
struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    log: Arc<Mutex<LineLog>>,
}

impl EngineProcess {
    fn new(mut child: Child) -> Option<EngineProcess> {
        let log = Arc::new(Mutex::new(LineLog { start: Instant::now(), lines: VecDeque::new() }));
        let (input, output, errors) = (child.stdin.take(), child.stdout.take()?, child.stderr.take()?);
        let (sender, lines) = mpsc::sync_channel(MAX_QUEUED_LINES);
        // Neither thread outlives the pipe it reads, and nobody waits for them: a grandchild may hold the pipe.
        thread::spawn(move || {
            for_each_line(output, |line| sender.send((Instant::now(), line)).is_ok());
        });
        let heard = log.clone();
        thread::spawn(move || {
            for_each_line(errors, |line| {
                log_line(&heard, "!", &line);
                true
            });
        });
        Some(EngineProcess { child, input, lines, log })
    }

    /// How it ended, after its output did.
    fn exit_reason(&mut self) -> String {
        let end = Instant::now() + EXIT_TIMEOUT;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("it ended: {status}"),
                Ok(None) if Instant::now() < end => thread::sleep(POLL_INTERVAL),
                _ => return "it closed its output".into(),
            }
        }
    }
}

fn log_line(log: &Mutex<LineLog>, mark: &str, text: &str) {
    if let Ok(mut log) = log.lock() {
        log.push(mark, text);
    }
}

/// Reads lines of bounded length until the end, or until nobody wants any more. What is no UTF-8 is replaced.
fn for_each_line(stream: impl Read, mut wanted: impl FnMut(String) -> bool) {
    let (mut line, mut over) = (Vec::new(), false);
    for byte in BufReader::new(stream).bytes() {
        match byte {
            Ok(b'\n') => {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
                if !wanted(text) {
                    return;
                }
                line.clear();
                over = false;
            }
            Ok(byte) if line.len() < MAX_LINE_BYTES => line.push(byte),
            // The rest of a line that is too long is read and forgotten.
            Ok(_) => over = true,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => break,
        }
    }
    if !line.is_empty() || over {
        wanted(String::from_utf8_lossy(&line).into_owned());
    }
}

impl LineTransport for EngineProcess {
    fn send(&mut self, line: &str) {
        log_line(&self.log, ">", line);
        if let Some(input) = &mut self.input
            && writeln!(input, "{line}").and_then(|()| input.flush()).is_err()
        {
            // The end of its output says more than this.
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
                let why = self.exit_reason();
                log_line(&self.log, "=", &why);
                Received::Closed(why)
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
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            // A flood must not keep it from ending.
            while self.lines.try_recv().is_ok() {}
            thread::sleep(POLL_INTERVAL);
        }
        // It may have ended just now; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
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
    fn lines_are_bounded_whatever_comes() {
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
    fn a_program_that_is_not_there_is_named() {
        let error = EngineProgram(vec!["/nowhere/engine".into()]).launch().err().unwrap();
        assert!(error.starts_with("/nowhere/engine cannot be started"), "{error}");
    }
}
