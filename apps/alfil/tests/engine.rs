//! `alfil engine` as a graphical board drives it: the program itself, through pipes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Nobody waits longer than this for a line: only what hangs takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(words: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alfil"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        // It may have ended already: then nobody reads what is said.
        let _ = input.write_all(text.as_bytes()).and_then(|()| input.write_all(b"\n"));
        let _ = input.flush();
    }

    /// The next line that begins like this, others left out.
    fn hear(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {start:?} came"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Everything from now to the end, and how it ended.
    fn rest(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end: {rest:?}"),
            }
        }
        (rest, self.child.wait().unwrap())
    }

    fn ends_well(self) -> Vec<String> {
        let (rest, status) = self.rest();
        assert!(status.success(), "{status}: {rest:?}");
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // After a failed test nobody else ends it; after a good one it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uci(words: &[&str]) -> Engine {
    let mut engine = Engine::start(words);
    engine.say("uci");
    engine.hear("uciok");
    engine
}

#[test]
fn without_a_word_it_is_an_engine() {
    let mut engine = uci(&[]);
    engine.say("position startpos\ngo depth 4");
    engine.hear("info depth 4 ");
    engine.hear("bestmove ");
    engine.say("quit");
    engine.ends_well();
}

#[test]
fn the_command_line_names_the_game() {
    let mut engine = uci(&["engine", "--game", "chess"]);
    engine.say("position startpos moves e2e4\ngo depth 2 searchmoves e7e5");
    assert!(engine.hear("bestmove").starts_with("bestmove e7e5"));
    engine.ends_well();
    let (lines, status) = Engine::start(&["engine", "--game", "go"]).rest();
    assert_eq!((lines.len(), status.code()), (0, Some(2)));
}

#[test]
fn stop_ends_thought_and_pondering() {
    let mut engine = uci(&["engine"]);
    for _ in 0..20 {
        engine.say("go infinite");
        engine.say("isready");
        engine.hear("readyok");
        engine.say("stop");
        engine.hear("bestmove ");
    }
    engine.say("position startpos moves h2e2\ngo ponder wtime 1000 btime 1000 winc 10 binc 10");
    engine.hear("info depth 1 ");
    engine.say("ponderhit");
    engine.hear("bestmove ");
    engine.say("go ponder movetime 1");
    engine.hear("info depth 1 ");
    engine.say("stop");
    engine.hear("bestmove ");
    engine.ends_well();
}

#[test]
fn a_storm_of_stops_is_survived() {
    let mut engine = uci(&["engine"]);
    engine.say(&"stop\nponderhit\n".repeat(2_000));
    engine.say(&"go infinite\nstop\nstop\nstop\n".repeat(100));
    for _ in 0..100 {
        engine.hear("bestmove ");
    }
    engine.say("isready");
    engine.hear("readyok");
    let rest = engine.ends_well();
    assert!(!rest.iter().any(|line| line.starts_with("bestmove")), "{rest:?}");
}

#[test]
fn garbage_is_answered_and_forgotten() {
    let mut engine = uci(&["engine"]);
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\x00 go\n\0\0\n").unwrap();
    engine.say(&"x".repeat(1 << 16));
    engine.say(&format!("go {}", "depth ".repeat(1 << 14)));
    engine.say(&format!("position fen {}", "9/".repeat(1 << 15)));
    engine.say(&format!("setoption name {} value {}", "y".repeat(1 << 15), "z ".repeat(1 << 15)));
    engine.say("isready");
    for _ in 0..6 {
        let remark = engine.hear("info string");
        assert!(remark.len() < 300, "{remark}");
    }
    engine.hear("readyok");
    engine.say("go depth 1");
    engine.hear("bestmove ");
    engine.ends_well();
}

/// The input ends in every state: before a protocol is chosen, idle, thinking with and without an end, pondering.
#[test]
fn a_closed_pipe_ends_it() {
    for script in ["", "\n", "hello\n", "uci", "uci\n", "uci\nposition startpos", "uci\nsetoption name Hash"]
    {
        let mut engine = Engine::start(&["engine"]);
        engine.say(script);
        engine.ends_well();
    }
    for go in ["go infinite", "go ponder wtime 1 btime 1", "go depth 100", "go movetime 600000", "go"] {
        let mut engine = uci(&["engine"]);
        engine.say(go);
        let rest = engine.ends_well();
        assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{go}: {rest:?}");
        let mut engine = uci(&["engine"]);
        engine.say(go);
        engine.say("quit");
        engine.ends_well();
    }
}

/// Whoever read the answers has gone: that is the end, and no failure.
#[test]
fn a_closed_output_ends_it() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(engine.stdout.take());
    let mut input = engine.stdin.take().unwrap();
    input.write_all(b"uci\nisready\n").unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    drop(input);
}
