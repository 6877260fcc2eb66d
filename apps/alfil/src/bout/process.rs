//! An engine as a process, with threads that carry its lines.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use alfil_hall::bout::remote::{Launch, Link, Received};

/// Lines of the conversation that are kept to show what happened.
const LOG: usize = 60;
/// Of a line so many bytes are read; no engine means more.
const LINE: usize = 64 << 10;
/// And so many are kept in the log.
const SHOWN: usize = 300;
/// Lines on their way before an engine that floods must wait.
const WAITING: usize = 1024;
/// How long an engine may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(500);
const GLANCE: Duration = Duration::from_millis(10);

/// A command line that starts an engine.
pub(crate) struct Program(pub(crate) Vec<String>);

impl Launch for Program {
    fn launch(&mut self) -> Result<Box<dyn Link>, String> {
        let Program(words) = self;
        let (program, words) = words.split_first().ok_or("its command line is empty")?;
        let child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        Process::new(child)
            .map(|process| Box::new(process) as Box<dyn Link>)
            .ok_or_else(|| "it has no pipes".into())
    }
}

/// The last lines of a conversation, with seconds since its start.
struct Log {
    start: Instant,
    lines: VecDeque<String>,
}

impl Log {
    fn add(&mut self, mark: &str, text: &str) {
        let text = &text[..text.floor_char_boundary(SHOWN)];
        if self.lines.len() == LOG {
            self.lines.pop_front();
        }
        self.lines.push_back(format!("{:.3} {mark} {text}", self.start.elapsed().as_secs_f64()));
    }
}

/// A running engine.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    log: Arc<Mutex<Log>>,
}

impl Process {
    fn new(mut child: Child) -> Option<Process> {
        let log = Arc::new(Mutex::new(Log { start: Instant::now(), lines: VecDeque::new() }));
        let (input, output, errors) = (child.stdin.take(), child.stdout.take()?, child.stderr.take()?);
        let (sender, lines) = mpsc::sync_channel(WAITING);
        // Neither thread outlives the pipe it reads, and nobody waits for them: a grandchild may hold the pipe.
        thread::spawn(move || {
            each_line(output, |line| sender.send((Instant::now(), line)).is_ok());
        });
        let heard = log.clone();
        thread::spawn(move || {
            each_line(errors, |line| {
                note(&heard, "!", &line);
                true
            });
        });
        Some(Process { child, input, lines, log })
    }

    /// How it ended, after its output did.
    fn ended(&mut self) -> String {
        let end = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("it ended: {status}"),
                Ok(None) if Instant::now() < end => thread::sleep(GLANCE),
                _ => return "it closed its output".into(),
            }
        }
    }
}

fn note(log: &Mutex<Log>, mark: &str, text: &str) {
    if let Ok(mut log) = log.lock() {
        log.add(mark, text);
    }
}

/// Reads lines of bounded length until the end, or until nobody wants any more. What is no UTF-8 is replaced.
fn each_line(stream: impl Read, mut wanted: impl FnMut(String) -> bool) {
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
            Ok(byte) if line.len() < LINE => line.push(byte),
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

impl Link for Process {
    fn send(&mut self, line: &str) {
        note(&self.log, ">", line);
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
                note(&self.log, "<", &line);
                Received::Line(at, line)
            }
            Err(RecvTimeoutError::Timeout) => Received::Silence,
            Err(RecvTimeoutError::Disconnected) => {
                let why = self.ended();
                note(&self.log, "=", &why);
                Received::Gone(why)
            }
        }
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().map(|log| log.lines.iter().cloned().collect()).unwrap_or_default()
    }

    fn close(&mut self) {
        self.input = None;
        let end = Instant::now() + FAREWELL;
        while Instant::now() < end {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            // A flood must not keep it from ending.
            while self.lines.try_recv().is_ok() {}
            thread::sleep(GLANCE);
        }
        // It may have ended just now; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
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
        stream.extend(vec![b'x'; 3 * LINE]);
        stream.extend(b"\n\nlast");
        let mut lines = Vec::new();
        each_line(&stream[..], |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines[0], "one");
        assert_eq!(lines[1], "two\u{fffd}");
        assert_eq!((lines[2].len(), lines[3].as_str(), lines[4].as_str()), (LINE, "", "last"));
        let mut log = Log { start: Instant::now(), lines: VecDeque::new() };
        for _ in 0..2 * LOG {
            log.add("<", &"馬".repeat(SHOWN));
        }
        assert_eq!(log.lines.len(), LOG);
        assert!(log.lines[0].len() <= SHOWN + 20);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Program(vec!["/nowhere/engine".into()]).launch().err().unwrap();
        assert!(error.starts_with("/nowhere/engine cannot be started"), "{error}");
    }
}
