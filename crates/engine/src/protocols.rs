//! What an engine says to whoever drives it: the first line names the protocol, and from then on a state machine of that
//! protocol answers every line and passes every thought on.
//!
//! There is one thread for all of it. Another reads lines, others think; both send to it. So answers never cross each other, and
//! whatever happens while the engine thinks is an event like any other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Sender};

use alfil_protocol as protocol;

use crate::SearchEvent;
use crate::threads;
use alfil_session::game_session::SessionError;

mod draw_policy;
mod engine;
mod flipello;
mod gtp;
mod nboard;
mod strength;
mod ucci;
mod uci;
mod wdl;
mod xboard;

pub(crate) use engine::Engine;

/// What whoever drives an engine is told that it is.
const ENGINE_NAME: &str = concat!("Alfil ", env!("CARGO_PKG_VERSION"));
/// And who made it.
const AUTHOR: &str = "The Alfil authors";

/// Seconds as the whole milliseconds that protocols count.
fn to_milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}

/// Whether a setting is on.
fn parse_bool(name: &str, value: &str) -> Result<bool, SessionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(SessionError::new(format!(
            "{name} is true or false, found {:?}",
            protocol::tokens::shorten(value)
        ))),
    }
}

/// The longest line that is read, in bytes: a game of ten thousand moves fits many times.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Something that happens to an engine.
pub(crate) enum EngineEvent {
    /// A line came.
    Line(String),
    /// A line came that was longer than any sensible one; it was not kept.
    LineTooLong,
    /// No line will ever come again.
    InputClosed,
    /// Whoever thinks said something. The number tells one thought from another.
    Search(u64, SearchEvent),
}

/// Whether a dialogue goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ControlFlow {
    /// It does.
    Continue,
    /// It is over.
    Break,
}

/// Whether a speaker hears lines while it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputMode {
    /// It does.
    Immediate,
    /// Lines wait until it has thought to the end, the last one, too: they come from a file. Only a thought without end is ended.
    Deferred,
    /// Lines wait, but the last one ends the thought.
    DeferredUntilEnd,
}

/// The engine's side of a protocol.
pub(crate) trait ProtocolHandler {
    /// Answers a line.
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow;
    /// Passes a thought on.
    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine);
    /// Says in the protocol's way that something was not understood.
    fn report_error(&mut self, words: &str, engine: &mut Engine);
    /// Whether it hears lines now.
    fn input_mode(&self, _engine: &Engine) -> InputMode {
        InputMode::Immediate
    }
    /// Ends the thought that runs, if there is one, and passes its last words on.
    fn finish_search(&mut self, engine: &mut Engine) {
        for thought in engine.finish_search() {
            self.on_search_event(thought, engine);
        }
    }
}

/// Speaks as an engine until the input ends or somebody says `quit`: of this game, or of the protocol's usual one.
///
/// ```
/// use alfil_session::dialogue::talk;
///
/// let mut output = Vec::new();
/// let script = "uci\nposition startpos moves h2e2\ngo depth 1 searchmoves h9g7\n";
/// talk(Some("xiangqi"), script.as_bytes(), &mut output).unwrap();
/// assert!(String::from_utf8(output).unwrap().ends_with("bestmove h9g7\n"));
/// ```
///
/// # Errors
/// If there is no such game, the system gives no thread to listen on, or the output cannot be written.
pub fn run(
    game: Option<&str>,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), EngineIoError> {
    let (mouth, ear) = mpsc::channel();
    let reader = mouth.clone();
    let mut engine = Engine::new(game, mouth, ear).map_err(EngineIoError::UnknownGame)?;
    threads::spawn(move || read_input(input, &reader))?;
    let mut speaker: Option<Box<dyn ProtocolHandler>> = None;
    loop {
        let hearing = speaker.as_deref().map_or(InputMode::Immediate, |speaker| speaker.input_mode(&engine));
        let event = engine.next_event(hearing);
        let flow = match &mut speaker {
            Some(speaker) => handle_event(event, speaker.as_mut(), &mut engine),
            None => handle_first_event(event, game, &mut speaker, &mut engine),
        };
        let written = write_replies(&mut output, &mut engine);
        if flow == ControlFlow::Break || written.is_err() {
            engine.abandon_search();
            return Ok(written?);
        }
    }
}

/// Writes what there is to say.
fn write_replies(output: &mut impl Write, engine: &mut Engine) -> io::Result<()> {
    for line in engine.replies.drain(..) {
        writeln!(output, "{line}")?;
    }
    output.flush()
}

/// Why a dialogue came to a bad end.
#[derive(Debug, thiserror::Error)]
pub enum EngineIoError {
    /// There is no such game.
    #[error("{0}")]
    UnknownGame(SessionError),
    /// Nothing can be heard, or the answers cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads lines to the end of the input.
fn read_input(input: impl Read, heard: &Sender<EngineEvent>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => EngineEvent::InputClosed,
            Ok(count) if count as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') => {
                if input.skip_until(b'\n').is_err() {
                    EngineEvent::InputClosed
                } else {
                    EngineEvent::LineTooLong
                }
            }
            Ok(_) => EngineEvent::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let closed = matches!(event, EngineEvent::InputClosed);
        // Nobody listens any more when the dialogue is over.
        if heard.send(event).is_err() || closed {
            return;
        }
    }
}

/// What happens once it is known which protocol is spoken.
fn handle_event(event: EngineEvent, speaker: &mut dyn ProtocolHandler, engine: &mut Engine) -> ControlFlow {
    match event {
        EngineEvent::Search(number, thought) if engine.is_from_current_search(number, &thought) => {
            speaker.on_search_event(thought, engine);
            ControlFlow::Continue
        }
        EngineEvent::Search(..) => ControlFlow::Continue,
        EngineEvent::Line(line) => speaker.on_line(&line, engine),
        EngineEvent::LineTooLong => {
            speaker.report_error(&line_too_long_message(), engine);
            ControlFlow::Continue
        }
        EngineEvent::InputClosed => {
            speaker.finish_search(engine);
            ControlFlow::Break
        }
    }
}

fn line_too_long_message() -> String {
    format!("a line of more than {MAX_LINE_BYTES} bytes was not read")
}

/// What happens before: the first line that names a protocol chooses it.
fn handle_first_event(
    event: EngineEvent,
    game: Option<&str>,
    speaker: &mut Option<Box<dyn ProtocolHandler>>,
    engine: &mut Engine,
) -> ControlFlow {
    match event {
        EngineEvent::InputClosed => return ControlFlow::Break,
        EngineEvent::Search(..) => {}
        EngineEvent::LineTooLong => engine.send(line_too_long_message()),
        EngineEvent::Line(line) => match choose_handler(&line, game, engine) {
            Some(chosen) => return speaker.insert(chosen).on_line(&line, engine),
            None if line.trim() == "quit" => return ControlFlow::Break,
            None if line.trim().is_empty() => {}
            None => engine.send(
                "the first line names the protocol: uci, ucci, xboard, nboard 2, or any command of GTP",
            ),
        },
    }
    ControlFlow::Continue
}

/// The speaker of the protocol that a first line names.
fn choose_handler(line: &str, game: Option<&str>, engine: &mut Engine) -> Option<Box<dyn ProtocolHandler>> {
    let first = line.split_whitespace().next().filter(|&first| first != "quit")?;
    // The games that these speak of are always there.
    Some(match first {
        "ucci" => Box::new(ucci::UcciHandler::new(engine).ok()?),
        "xboard" | "protover" => Box::new(xboard::XboardHandler::new(game, engine).ok()?),
        "nboard" => Box::new(nboard::NboardHandler::new(engine).ok()?),
        _ if protocol::uci::COMMANDS.contains(&first) => Box::new(uci::UciHandler::new(engine)),
        _ if protocol::gtp::is_request(line) => Box::new(gtp::GtpHandler::new(engine).ok()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thought that runs without end, of which it is then said from elsewhere that it broke off.
    #[test]
    fn a_search_that_breaks_off_is_reported_and_answered() {
        for (game, script, remark, answer) in [
            ("chess", "uci\ngo infinite\nstop", "info string oh", "bestmove e2e4"),
            ("xiangqi", "ucci\nposition startpos\ngo", "info message oh", "bestmove h2e2"),
            ("xiangqi", "xboard\nprotover 2\nnew\nst 600\nvariant xiangqi\ngo", "Error (oh): ", "move h2e2"),
            ("othello", "nboard 2\nset depth 60\ngo", "status oh", "=== F5"),
            ("othello", "time_settings 90000 0 0\ngenmove b", "", "= f5"),
        ] {
            let (mouth, ear) = mpsc::channel();
            let mut engine = Engine::new(Some(game), mouth.clone(), ear).unwrap();
            let lines: Vec<_> = script.lines().collect();
            let mut speaker = choose_handler(lines[0], Some(game), &mut engine).unwrap();
            for line in &lines {
                speaker.on_line(line, &mut engine);
            }
            assert!(engine.is_searching(), "{script}");
            engine.replies.clear();
            let best = answer.rsplit(' ').next().map(str::to_owned);
            for thought in [SearchEvent::Failed("oh".into()), SearchEvent::BestMove(best)] {
                assert_eq!(
                    handle_event(EngineEvent::Search(1, thought), speaker.as_mut(), &mut engine),
                    ControlFlow::Continue
                );
            }
            assert!(!engine.is_searching(), "{script}");
            assert!(
                remark.is_empty() || engine.replies.iter().any(|line| line == remark),
                "{:?}",
                engine.replies
            );
            assert!(
                engine.replies.iter().any(|line| line.starts_with(answer)),
                "{script}: {:?}",
                engine.replies
            );
        }
    }

    /// What XBoard hears when the engine has come to this score for its move, and to that move.
    fn moved(lines: &[&str], score: i32) -> Vec<String> {
        let (mouth, ear) = mpsc::channel();
        let mut engine = Engine::new(Some("chess"), mouth.clone(), ear).unwrap();
        let mut speaker = choose_handler("xboard", Some("chess"), &mut engine).unwrap();
        for line in ["xboard", "protover 2", "new", "st 600"].iter().chain(lines) {
            speaker.on_line(line, &mut engine);
        }
        engine.replies.clear();
        let line = vec!["e2e4".to_owned()];
        let (nodes, seconds) = (9, 0.1);
        let info = SearchEvent::Info {
            multipv: 1,
            depth: 3,
            seldepth: 3,
            score,
            mate_plies: None,
            nodes,
            hashfull: 0,
            seconds,
            pv: line,
        };
        for thought in [info, SearchEvent::BestMove(Some("e2e4".into()))] {
            handle_event(EngineEvent::Search(1, thought), speaker.as_mut(), &mut engine);
        }
        engine.abandon_search();
        engine.replies
    }

    #[test]
    fn xboard_takes_draws_and_gives_up_where_it_stands_worse() {
        assert_eq!(moved(&["draw", "go"], -500), ["offer draw", "move e2e4"]);
        assert_eq!(moved(&["go", "draw"], -500), ["offer draw", "move e2e4"]);
        assert_eq!(moved(&["go", "draw"], 20), ["move e2e4"]);
        assert_eq!(moved(&["go"], -500), ["move e2e4"]);
        assert_eq!(moved(&["option Draws=never", "go", "draw"], -500), ["move e2e4"]);
        // One hopeless move is not enough to be sure.
        assert_eq!(moved(&["option Resign=400", "go"], -500), ["move e2e4"]);
    }
}
