//! Tests of `alfil engine` as a process, driven through pipes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::PROGRAM;

/// The timeout for a line; only an engine that hangs takes so long.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A running engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut child = Command::new(PROGRAM)
            .args(args)
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

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        // The engine may have exited already.
        let _ = input.write_all(text.as_bytes()).and_then(|()| input.write_all(b"\n"));
        let _ = input.flush();
    }

    /// Returns the next line that begins with `start`; skips other lines.
    fn wait_for_line(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no {start:?} came"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Returns the remaining lines and the exit status.
    fn read_to_end(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end: {lines:?}"),
            }
        }
        (lines, self.child.wait().unwrap())
    }

    fn expect_clean_exit(self) -> Vec<String> {
        let (lines, status) = self.read_to_end();
        assert!(status.success(), "{status}: {lines:?}");
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Only a failed test leaves a running engine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uci(args: &[&str]) -> Engine {
    let mut engine = Engine::start(args);
    engine.send("uci");
    engine.wait_for_line("uciok");
    engine
}

#[test]
fn without_arguments_the_program_is_an_engine() {
    let mut engine = uci(&[]);
    engine.send("position startpos\ngo depth 4");
    engine.wait_for_line("info depth 4 ");
    engine.wait_for_line("bestmove ");
    engine.send("quit");
    engine.expect_clean_exit();
}

#[test]
fn the_command_line_selects_the_game() {
    let mut engine = uci(&["engine", "--game", "chess"]);
    engine.send("position startpos moves e2e4\ngo depth 2 searchmoves e7e5");
    assert!(engine.wait_for_line("bestmove").starts_with("bestmove e7e5"));
    engine.expect_clean_exit();
    let (lines, status) = Engine::start(&["engine", "--game", "go"]).read_to_end();
    assert_eq!((lines.len(), status.code()), (0, Some(2)));
}

/// Returns the resident memory of a process.
#[cfg(target_os = "linux")]
fn resident_mebibytes(engine: &Engine) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    resident.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

/// Otherwise the first search would touch the memory while its clock runs.
#[test]
#[cfg(target_os = "linux")]
fn the_hash_table_is_prefaulted_before_the_first_search() {
    // The unknown command is answered after the line before it.
    for (line, answer) in [
        ("isready", "readyok"),
        ("position startpos\nwave", "info string unknown"),
        ("ucinewgame\nwave", "info string unknown"),
    ] {
        let mut engine = uci(&["engine"]);
        let before = resident_mebibytes(&engine);
        engine.send(&format!("setoption name Hash value 256\n{line}"));
        engine.wait_for_line(answer);
        let after = resident_mebibytes(&engine);
        assert!(before < 200 && after >= 256, "{line}: {before} MiB, then {after}");
        engine.send("quit");
        engine.expect_clean_exit();
    }
}

/// A client that sends no `isready` sends `go` right after the reply to its first line.
#[test]
#[cfg(target_os = "linux")]
fn the_default_hash_table_is_prefaulted_before_the_first_reply() {
    // The reply without a table is that of a line that names no protocol.
    let resident = |line: &str, answer: &str| {
        let mut engine = Engine::start(&["engine"]);
        engine.send(line);
        engine.wait_for_line(answer);
        resident_mebibytes(&engine)
    };
    let before = resident("hello", "unknown protocol");
    for (line, answer) in [
        ("uci", "uciok"),
        ("uci\nsetoption name UCI_Variant value chess\nwave", "info string unknown"),
        ("ucci", "ucciok"),
        ("xboard\nprotover 2", "feature done=1"),
        ("nboard 2", "set myname"),
        ("protocol_version", "= 2"),
    ] {
        let after = resident(line, answer);
        assert!(after >= before + 30, "{line}: {before} MiB, then {after}");
    }
}

#[test]
fn stop_ends_search_and_pondering() {
    let mut engine = uci(&["engine"]);
    for _ in 0..20 {
        engine.send("go infinite");
        engine.send("isready");
        engine.wait_for_line("readyok");
        engine.send("stop");
        engine.wait_for_line("bestmove ");
    }
    engine.send("position startpos moves h2e2\ngo ponder wtime 1000 btime 1000 winc 10 binc 10");
    engine.wait_for_line("info depth 1 ");
    engine.send("ponderhit");
    engine.wait_for_line("bestmove ");
    engine.send("go ponder movetime 1");
    engine.wait_for_line("info depth 1 ");
    engine.send("stop");
    engine.wait_for_line("bestmove ");
    engine.expect_clean_exit();
}

#[test]
fn many_stops_give_one_bestmove_per_search() {
    let mut engine = uci(&["engine"]);
    engine.send(&"stop\nponderhit\n".repeat(2_000));
    engine.send(&"go infinite\nstop\nstop\nstop\n".repeat(100));
    for _ in 0..100 {
        engine.wait_for_line("bestmove ");
    }
    engine.send("isready");
    engine.wait_for_line("readyok");
    let lines = engine.expect_clean_exit();
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
}

#[test]
fn invalid_input_is_reported_and_ignored() {
    let mut engine = uci(&["engine"]);
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\x00 go\n\0\0\n").unwrap();
    engine.send(&"x".repeat(1 << 16));
    engine.send(&format!("go {}", "depth ".repeat(1 << 14)));
    engine.send(&format!("position fen {}", "9/".repeat(1 << 15)));
    engine.send(&format!("setoption name {} value {}", "y".repeat(1 << 15), "z ".repeat(1 << 15)));
    engine.send("isready");
    for _ in 0..6 {
        let info = engine.wait_for_line("info string");
        assert!(info.len() < 300, "{info}");
    }
    engine.wait_for_line("readyok");
    engine.send("go depth 1");
    engine.wait_for_line("bestmove ");
    engine.expect_clean_exit();
}

/// The end of input ends the engine in every state: before the handshake, idle, searching and pondering.
#[test]
fn the_end_of_input_ends_the_engine() {
    for script in ["", "\n", "hello\n", "uci", "uci\n", "uci\nposition startpos", "uci\nsetoption name Hash"]
    {
        let mut engine = Engine::start(&["engine"]);
        engine.send(script);
        engine.expect_clean_exit();
    }
    let one_answer = |go: &str, lines: &[String]| {
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{go}: {lines:?}");
    };
    for go in ["go infinite", "go ponder wtime 1 btime 1", "go", "go depth 9", "go movetime 300"] {
        let mut engine = uci(&["engine"]);
        engine.send(go);
        one_answer(go, &engine.expect_clean_exit());
    }
    for go in ["go infinite", "go ponder wtime 1 btime 1", "go depth 100", "go movetime 600000"] {
        let mut engine = uci(&["engine"]);
        engine.send(go);
        engine.send("quit");
        one_answer(go, &engine.expect_clean_exit());
    }
}

/// A closed output is no failure.
#[test]
fn a_closed_output_ends_the_engine_without_error() {
    let mut engine = Command::new(PROGRAM)
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

fn xboard(game: &str, variant: &str) -> Engine {
    let mut engine = Engine::start(&["engine", "--game", game]);
    engine.send("xboard\nprotover 2");
    let variants = engine.wait_for_line("feature variants=");
    assert!(variants.contains(variant), "{variants}");
    engine.wait_for_line("feature done=1");
    engine.send("accepted setboard\nnew\nrandom\nlevel 40 5 0\npost\nhard\neasy\nname Opponent\nrating 1 2");
    if !variants.contains(&format!("\"{variant}")) {
        engine.send(&format!("variant {variant}"));
    }
    engine
}

#[test]
fn xboard_plays_every_variant() {
    for (game, variant, moves) in [
        ("xiangqi", "xiangqi", ["h2e2", "h0g2"]),
        ("chess", "normal", ["e2e4", "d2d4"]),
        ("chess", "fischerandom", ["e2e4", "d2d4"]),
        ("othello", "reversi", ["P@f5", "@@@@"]),
    ] {
        let mut engine = xboard(game, variant);
        engine.send(&format!("option OwnBook=0\nsd 3\ntime 30000\notim 30000\nusermove {}", moves[0]));
        engine.wait_for_line("3 ");
        let reply = engine.wait_for_line("move ");
        engine.send(&format!("usermove {}", moves[1]));
        let next = engine.wait_for_line(if game == "othello" { "Illegal move" } else { "move " });
        assert_ne!(reply, next);
        engine.send("force\nremove\nundo\nundo\nundo\nusermove a1a1\nping 3");
        engine.wait_for_line("Illegal move (");
        engine.wait_for_line("pong 3");
        engine.send("quit");
        engine.expect_clean_exit();
    }
}

#[test]
fn xboard_obeys_every_command() {
    let mut engine = xboard("xiangqi", "xiangqi");
    engine.send(
        "memory 16\ncores 2\noption MultiPV=2\noption Ruleset=wxf2018\noption Colour=red\nwave\nsd soon",
    );
    engine.wait_for_line("Error (unknown option \"Colour\"): option Colour=red");
    engine.wait_for_line("Error (unknown command): wave");
    engine.wait_for_line("Error (expected a whole number after sd, found \"soon\"): sd soon");
    engine.send("option MultiPV=1\nforce\nsetboard 4k4/9/9/9/9/9/9/9/9/4K4 w\nsetboard 8/8 w\nbk\nhint\ndraw\nvariant shogi");
    // Facing kings are accepted, or rejected with the reason.
    engine.wait_for_line("tellusererror Illegal position: ");
    engine.wait_for_line(" No book");
    engine.wait_for_line("Error (unsupported variant: expected one of xiangqi): variant shogi");
    engine.send("new\nforce\nusermove h2e2\nusermove h9g7\ngo\n?\nping 1");
    engine.wait_for_line("move ");
    engine.wait_for_line("pong 1");
    engine.send("st 0.05\nplayother\ngo");
    engine.wait_for_line("move ");
    engine.send("result 1/2-1/2 {enough}\nanalyze");
    engine.wait_for_line("3 ");
    engine.send(".");
    engine.wait_for_line("stat01: ");
    engine.send("undo");
    engine.wait_for_line("3 ");
    engine.send("exit\nping 2");
    engine.wait_for_line("pong 2");
    engine.expect_clean_exit();
}

/// The engine ponders and answers every move once.
#[test]
fn xboard_ponders_and_answers_once() {
    let mut engine = xboard("chess", "normal");
    engine.send("hard\nsd 4\nusermove e2e4");
    for _ in 0..6 {
        engine.wait_for_line("move ");
        engine.send("hint");
        let hint = engine.wait_for_line("Hint: ");
        engine.send(&format!("ping 1\nusermove {}", &hint[6..]));
        engine.wait_for_line("pong 1");
    }
    engine.wait_for_line("move ");
    engine.send("force\nsetboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo");
    let mate = engine.wait_for_line("move ");
    assert_eq!(mate, "move a1a8");
    engine.expect_clean_exit();
}

/// A draw offer and the search result behind it hold for one position only.
#[test]
fn xboard_takes_no_draw_for_another_position() {
    let mut engine = xboard("chess", "normal");
    let (losing_fen, start) =
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    engine.send(&format!("nopost\nforce\nsd 3\nsetboard {losing_fen}\ngo"));
    engine.wait_for_line("move ");
    engine.send("draw\nping 1");
    assert_eq!([engine.wait_for_line(""), engine.wait_for_line("")], ["offer draw", "pong 1"]);
    engine.send(&format!("force\nsetboard {start}\ndraw\nping 2"));
    assert_eq!(engine.wait_for_line(""), "pong 2");
    // The offer ends with its position.
    engine.send(&format!("setboard {losing_fen}\ngo"));
    assert!(engine.wait_for_line("").starts_with("move "));
    engine.send("force\nundo\ndraw\nping 3");
    assert_eq!(engine.wait_for_line(""), "pong 3");
    engine.expect_clean_exit();
}

#[test]
fn xboard_reports_the_result() {
    let mut engine = xboard("chess", "normal");
    engine.send("force\nsetboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nsd 3\ngo");
    engine.wait_for_line("move a1a8");
    assert_eq!(engine.wait_for_line("1-0"), "1-0 {Checkmate: White wins}");
    engine.expect_clean_exit();
    let mut engine = xboard("chess", "fischerandom");
    engine.send("force\nsetboard 4k3/8/8/8/8/8/8/5KR1 w G - 0 1\nusermove O-O\nundo\nusermove f1g1\nping 1");
    engine.wait_for_line("pong 1");
    engine.expect_clean_exit();
}

#[test]
fn nboard_searches_on_demand() {
    let mut engine = Engine::start(&["engine"]);
    engine.send("nboard 2\nset depth 4\nhint 3");
    engine.wait_for_line("search ");
    engine.wait_for_line("nodestats ");
    engine.send("go");
    let mv = engine.wait_for_line("=== ");
    assert_eq!(mv.split('/').count(), 3, "{mv}");
    engine.send("move F5\nmove D6\nanalyze");
    for moves in ["2", "1", "0"] {
        engine.wait_for_line(&format!("analysis {moves} "));
    }
    engine.send("set depth 60\nhint 1\nping 5");
    engine.wait_for_line("pong 5");
    engine.send("move D6\nmove C3");
    assert!(engine.wait_for_line("status ").contains("d6 is occupied"));
    engine.send("quit");
    engine.expect_clean_exit();
}

/// A game may have been played under other rules than those of the engine.
#[test]
fn a_position_may_be_reached_by_a_move_that_the_ruleset_refuses() {
    let checks = "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7";
    let mut engine = Engine::start(&["engine"]);
    engine.send("ucci\nsetoption ruleset tiantian");
    engine.send(&format!("position fen 4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1 moves {checks}\ngo nodes 200"));
    let reply = engine.wait_for_line("bestmove ");
    assert!(reply.starts_with("bestmove e9"), "{reply}");
    engine.send("quit");
    engine.expect_clean_exit();
}

#[test]
fn ucci_waits_and_ponders() {
    let mut engine = Engine::start(&["engine"]);
    engine.send("ucci");
    engine.wait_for_line("ucciok");
    engine.send("position startpos\ngo ponder time 1 increment 0");
    engine.wait_for_line("info depth 1 ");
    engine.send("ponderhit draw");
    engine.wait_for_line("bestmove ");
    engine.send("go infinite\nisready");
    engine.wait_for_line("readyok");
    engine.send("stop");
    engine.wait_for_line("bestmove ");
    engine.send("stop");
    engine.wait_for_line("nobestmove");
    engine.send("quit");
    assert_eq!(engine.expect_clean_exit().last().unwrap(), "bye");
}

/// The end of input and `quit` end every protocol, idle and searching; overlong lines do no harm.
#[test]
fn every_protocol_ends_cleanly() {
    for (handshake, search) in [
        ("uci", "go perft 3"),
        ("ucci", "go infinite"),
        ("ucci\nsetoption batch true", "go infinite"),
        ("xboard\nprotover 2\nnew\nlevel 0 0:10 0", "go"),
        ("xboard\nnew\nhard\nst 1", "analyze"),
        ("nboard 2\nset depth 6", "hint 1"),
        ("nboard 2\nset depth 6", "analyze"),
        ("protocol_version\ntime_settings 10 0 0", "genmove b"),
    ] {
        for end in ["", "\nquit"] {
            for state in [handshake.to_owned(), format!("{handshake}\n{search}")] {
                let mut engine = Engine::start(&["engine"]);
                engine.send(&format!("{state}{end}"));
                engine.expect_clean_exit();
            }
        }
        let mut engine = Engine::start(&["engine"]);
        engine.send(handshake);
        engine.send(&format!("{}\n{search} {}", "x".repeat(1 << 16), "y ".repeat(1 << 15)));
        engine.input.as_mut().unwrap().write_all(b"\xff\xfe\n\0\n").unwrap();
        engine.send("quit");
        assert!(engine.expect_clean_exit().iter().all(|line| line.len() < 2_000));
    }
}
