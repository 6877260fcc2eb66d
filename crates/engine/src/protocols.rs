//! The engine protocols: the first line names the protocol, and from then on a handler of that protocol answers every
//! line and reports every search event.
//!
//! One thread runs the handler; another reads lines, and others search. Both send events to the first one, so that
//! replies never mix and input during a search is an event like any other.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Sender};

use alfil_protocol as protocol;

use crate::SearchEvent;
use crate::threads;
use alfil_session::{Registry, SessionError};

mod cecp_features;
mod cecp_moves;
mod draw_policy;
mod engine;
mod flipello;
mod go_answer;
mod gtp;
mod inspect;
mod nboard;
mod networks;
mod othello;
mod strength;
mod ucci;
mod uci;
mod whole_number;
mod xboard;

pub(crate) use engine::Engine;

/// The name of the engine in the protocols.
const ENGINE_NAME: &str = concat!("Alfil ", env!("CARGO_PKG_VERSION"));
/// The authors of the engine in the protocols.
const AUTHOR: &str = "The Alfil authors";

/// Converts seconds into the whole milliseconds that protocols use.
fn to_milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}

/// Parses the value of a boolean option; CECP writes 1 and 0.
fn parse_bool(name: &str, value: &str) -> Result<bool, SessionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(SessionError::new(format!(
            "{name} is true or false, found {:?}",
            protocol::tokens::shorten(value)
        ))),
    }
}

/// The maximum length of an input line in bytes; a game of ten thousand moves is far shorter.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// An event for the handler of a protocol.
pub(crate) enum EngineEvent {
    /// A line of input.
    Line(String),
    /// An input line above [`MAX_LINE_BYTES`], which was discarded.
    LineTooLong,
    /// The end of the input.
    InputClosed,
    /// A search event, with the number of its search.
    Search(u64, SearchEvent),
}

/// The handling of input lines while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputMode {
    /// Lines are handled at once.
    Immediate,
    /// Lines wait until the search has ended by itself: they come from a file. Only an unlimited search is stopped, by
    /// `quit` and by the end of the input.
    Deferred,
    /// Lines wait, but `quit` stops the search.
    DeferredUntilQuit,
}

/// The result of a line: whether the engine continues, or the error of a parser or of the session.
pub(crate) type HandlerResult = Result<ControlFlow<()>, Box<dyn Error>>;

/// The engine side of a protocol.
pub(crate) trait ProtocolHandler {
    /// Handles a line. [`ProtocolHandler::report_error`] is called with an error.
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult;
    /// Reports a search event.
    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine);
    /// Reports an error in the form of the protocol.
    fn report_error(&mut self, message: &str, engine: &mut Engine);
    /// Handles a line and reports its error.
    fn handle_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow<()> {
        self.on_line(line, engine).unwrap_or_else(|error| {
            self.report_error(&error.to_string(), engine);
            ControlFlow::Continue(())
        })
    }
    /// Returns how input lines are handled now.
    fn input_mode(&self, _engine: &Engine) -> InputMode {
        InputMode::Immediate
    }
    /// Returns whether the client sends the whole position before a search. In the other protocols the moves are sent
    /// one by one.
    fn sends_positions(&self) -> bool {
        false
    }
    /// Stops the running search, if there is one, and reports its last events.
    fn finish_search(&mut self, engine: &mut Engine) {
        for event in engine.finish_search() {
            self.on_search_event(event, engine);
        }
        self.send_deferred_answer(engine);
    }
    /// Sends the best move that waits for a command, if there is one.
    fn send_deferred_answer(&mut self, _engine: &mut Engine) {}
}

/// Runs the engine until the input ends or a `quit` arrives, with this game or the default one of the protocol.
///
/// ```
/// use alfil_engine::protocols::run;
///
/// let mut output = Vec::new();
/// let script = "uci\nposition startpos moves h2e2\ngo depth 1 searchmoves h9g7\n";
/// run(Some("xiangqi"), script.as_bytes(), &mut output).unwrap();
/// assert!(String::from_utf8(output).unwrap().ends_with("bestmove h9g7\n"));
/// ```
///
/// # Errors
/// Returns an error if there is no such game, no thread can be started to read the input, or the output cannot be
/// written.
pub fn run(
    game: Option<&str>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), EngineIoError> {
    run_with(Registry::default(), game, input, output)
}

/// Runs the engine with the games of a registry: see [`run`].
///
/// ```
/// use alfil_engine::protocols::run_with;
/// use alfil_session::Registry;
///
/// let mut output = Vec::new();
/// let error = run_with(Registry::default(), Some("go"), &b"uci\n"[..], &mut output).unwrap_err();
/// assert!(error.to_string().starts_with("there is no game \"go\""), "{error}");
/// ```
///
/// # Errors
/// Returns an error like [`run`].
pub fn run_with(
    registry: Registry,
    game: Option<&str>,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), EngineIoError> {
    let (event_sender, event_receiver) = mpsc::channel();
    let input_sender = event_sender.clone();
    let mut engine =
        Engine::new(registry, game, event_sender, event_receiver).map_err(EngineIoError::UnknownGame)?;
    threads::spawn(move || read_input(input, &input_sender))?;
    let mut handler: Option<Box<dyn ProtocolHandler>> = None;
    loop {
        let mut input_mode =
            handler.as_deref().map_or(InputMode::Immediate, |handler| handler.input_mode(&engine));
        if input_mode == InputMode::Immediate && engine.is_searching() && engine.is_closing() {
            input_mode = InputMode::Deferred;
        }
        let event = engine.next_event(input_mode);
        let flow = match &mut handler {
            Some(handler) => handle_event(event, handler.as_mut(), &mut engine),
            None => handle_first_event(event, game, &mut handler, &mut engine),
        };
        let written = write_replies(&mut output, &mut engine);
        if flow == ControlFlow::Break(()) || written.is_err() {
            engine.abandon_search();
            return Ok(written?);
        }
    }
}

/// Writes the pending replies.
fn write_replies(output: &mut impl Write, engine: &mut Engine) -> io::Result<()> {
    for line in engine.replies.drain(..) {
        writeln!(output, "{line}")?;
    }
    output.flush()
}

/// The error of an engine run.
#[derive(Debug, thiserror::Error)]
pub enum EngineIoError {
    /// The game does not exist.
    #[error("{0}")]
    UnknownGame(SessionError),
    /// The input thread cannot be started, or the output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads lines until the end of the input.
fn read_input(input: impl Read, events: &Sender<EngineEvent>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => EngineEvent::InputClosed,
            Ok(count) if count as u64 > MAX_LINE_BYTES && line.last() != Some(&b'\n') => {
                if input.skip_until(b'\n').is_err() {
                    EngineEvent::InputClosed
                } else {
                    EngineEvent::LineTooLong
                }
            }
            Ok(_) => EngineEvent::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let closed = matches!(event, EngineEvent::InputClosed);
        // Sending fails after the end of the run.
        if events.send(event).is_err() || closed {
            return;
        }
    }
}

/// Handles an event once the protocol is known.
fn handle_event(
    event: EngineEvent,
    handler: &mut dyn ProtocolHandler,
    engine: &mut Engine,
) -> ControlFlow<()> {
    match event {
        EngineEvent::Search(number, search_event) if engine.is_from_current_search(number, &search_event) => {
            handler.on_search_event(search_event, engine);
            ControlFlow::Continue(())
        }
        EngineEvent::Search(..) => ControlFlow::Continue(()),
        EngineEvent::Line(line) => handler.handle_line(&line, engine),
        EngineEvent::LineTooLong => {
            let error = SessionError::new(line_too_long_message());
            // It may have been a position: then a search would answer for the one before.
            if handler.sends_positions() {
                handler.finish_search(engine);
                engine.refuse_position(&error);
            }
            handler.report_error(&error.message, engine);
            ControlFlow::Continue(())
        }
        // A bounded search still has an answer: the event comes again after it.
        EngineEvent::InputClosed if engine.is_searching() && !engine.is_closing() => {
            engine.close_after_search();
            ControlFlow::Continue(())
        }
        EngineEvent::InputClosed => {
            handler.finish_search(engine);
            ControlFlow::Break(())
        }
    }
}

fn line_too_long_message() -> String {
    format!("a line of more than {MAX_LINE_BYTES} bytes was not read")
}

/// Handles an event before the protocol is known: the first line chooses it.
fn handle_first_event(
    event: EngineEvent,
    game: Option<&str>,
    handler: &mut Option<Box<dyn ProtocolHandler>>,
    engine: &mut Engine,
) -> ControlFlow<()> {
    match event {
        EngineEvent::InputClosed => return ControlFlow::Break(()),
        EngineEvent::Search(..) => {}
        EngineEvent::LineTooLong => {
            let error = SessionError::new(line_too_long_message());
            engine.refuse_position(&error);
            engine.send(error.message);
        }
        EngineEvent::Line(line) => match choose_handler(&line, game, engine) {
            Ok(Some(chosen)) => {
                // The client waits for the reply to its first line, and not for the memory of the first search.
                engine.prepare();
                return handler.insert(chosen).handle_line(&line, engine);
            }
            Ok(None) if line.trim() == "quit" => return ControlFlow::Break(()),
            Ok(None) if line.trim().is_empty() => {}
            Ok(None) => {
                engine.send("unknown protocol: expected uci, ucci, xboard, nboard 2 or a GTP command")
            }
            Err(error) => engine.send(error),
        },
    }
    ControlFlow::Continue(())
}

/// Returns the handler of the protocol that a first line names; `None` if it names none.
///
/// # Errors
/// Returns an error if the protocol cannot play the game.
fn choose_handler(
    line: &str,
    game: Option<&str>,
    engine: &mut Engine,
) -> Result<Option<Box<dyn ProtocolHandler>>, SessionError> {
    let Some(first) = line.split_whitespace().next().filter(|&first| first != "quit") else {
        return Ok(None);
    };
    Ok(Some(match first {
        "ucci" => Box::new(ucci::UcciHandler::new(engine)?),
        "xboard" | "protover" => Box::new(xboard::XboardHandler::new(game, engine)?),
        "nboard" => Box::new(nboard::NboardHandler::new(engine)?),
        _ if protocol::uci::COMMANDS.contains(&first) => Box::new(uci::UciHandler::new(engine)),
        _ if protocol::gtp::is_request(line) => Box::new(gtp::GtpHandler::new(engine)?),
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use alfil_kernel::Bound;
    use alfil_session::SearchReport;

    use super::*;

    /// Returns an engine of a game and its handler after these lines, whose replies are discarded, and the sender of
    /// its input.
    fn engine_after(game: &str, script: &str) -> (Engine, Box<dyn ProtocolHandler>, Sender<EngineEvent>) {
        let (event_sender, event_receiver) = mpsc::channel();
        let mut engine =
            Engine::new(Registry::default(), Some(game), event_sender.clone(), event_receiver).unwrap();
        let first = script.lines().next().unwrap();
        let mut handler = choose_handler(first, Some(game), &mut engine).unwrap().unwrap();
        for line in script.lines() {
            let _ = handler.handle_line(line, &mut engine);
        }
        engine.replies.clear();
        (engine, handler, event_sender)
    }

    /// Injects an event of the search with this number. The search itself is stopped.
    fn inject(number: u64, event: SearchEvent, handler: &mut dyn ProtocolHandler, engine: &mut Engine) {
        engine.stop();
        let flow = handle_event(EngineEvent::Search(number, event), handler, engine);
        assert_eq!(flow, ControlFlow::Continue(()));
    }

    /// An unlimited search is started, and the events of its failure are injected.
    #[test]
    fn a_failed_search_is_reported_and_answered() {
        for (game, script, remark, answer) in [
            ("chess", "uci\ngo infinite\nstop", "info string oh", "bestmove e2e4"),
            ("xiangqi", "ucci\nposition startpos\ngo\nstop", "info message oh", "bestmove h2e2"),
            ("xiangqi", "xboard\nprotover 2\nnew\nst 600\nvariant xiangqi\ngo", "Error (oh): ", "move h2e2"),
            ("othello", "nboard 2\nset depth 60\ngo", "status oh", "=== F5"),
            ("othello", "time_settings 90000 0 0\ngenmove b", "", "= f5"),
        ] {
            let (mut engine, mut handler, _) = engine_after(game, script);
            assert!(engine.is_searching(), "{script}");
            let best = answer.rsplit(' ').next().map(str::to_owned);
            for event in [SearchEvent::Failed("oh".into()), SearchEvent::BestMove(best)] {
                inject(1, event, handler.as_mut(), &mut engine);
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

    /// A search without a limit ends by itself when the result is certain.
    #[test]
    fn the_best_move_of_an_unlimited_search_waits_for_stop() {
        for (game, script) in [
            ("xiangqi", "uci\ngo infinite"),
            ("xiangqi", "ucci\nposition startpos\ngo infinite"),
            ("xiangqi", "ucci\nposition startpos\ngo"),
            ("xiangqi", "ucci\nposition startpos\ngo ponder\nponderhit"),
        ] {
            let (mut engine, mut handler, _) = engine_after(game, script);
            inject(1, SearchEvent::BestMove(Some("h2e2".into())), handler.as_mut(), &mut engine);
            assert_eq!(engine.replies, Vec::<String>::new(), "{script}");
            let _ = handler.handle_line("stop", &mut engine);
            assert_eq!(engine.replies, ["bestmove h2e2"], "{script}");
        }
    }

    /// The `stop` may be in the queue already, because the search before was ended.
    #[test]
    fn a_queued_stop_stops_a_perft() {
        let (mut engine, mut handler, sender) = engine_after("chess", "uci\ngo infinite");
        for line in ["isready", "stop"] {
            sender.send(EngineEvent::Line(line.into())).unwrap();
        }
        let _ = handler.handle_line("go perft 5", &mut engine);
        assert_eq!(engine.replies.last().unwrap(), "info string perft was stopped");
        assert!(!engine.take_stop());
    }

    /// The engine once went on for a minute.
    #[test]
    fn a_queued_quit_ends_a_perft() {
        let (mut engine, mut handler, sender) = engine_after("chess", "uci");
        sender.send(EngineEvent::Line("quit".into())).unwrap();
        let _ = handler.handle_line("go perft 5", &mut engine);
        assert_eq!(engine.replies, ["info string perft was stopped"]);
    }

    /// Returns the replies of an XBoard game to these lines and to searches with these scores.
    fn replies_to_searches(lines: &str, scores: &[(i32, Bound)]) -> Vec<String> {
        let script = format!("xboard\nprotover 2\nnew\nst 600\n{lines}");
        let (mut engine, mut handler, _) = engine_after("chess", &script);
        let moves = [("", "e2e4"), ("usermove e7e5", "d2d4"), ("usermove d7d5", "c2c4")];
        for ((number, &(score, bound)), (line, mv)) in (1..).zip(scores).zip(moves) {
            let _ = handler.handle_line(line, &mut engine);
            let info = SearchEvent::Info {
                report: SearchReport {
                    multipv: 1,
                    depth: 3,
                    seldepth: 3,
                    score,
                    bound,
                    nodes: 9,
                    pv: vec![mv.to_owned()],
                    ..SearchReport::default()
                },
                seconds: 0.1,
            };
            for event in [info, SearchEvent::BestMove(Some(mv.into()))] {
                inject(number, event, handler.as_mut(), &mut engine);
            }
        }
        engine.abandon_search();
        engine.replies
    }

    #[test]
    fn xboard_accepts_draws_and_resigns_by_its_score() {
        let replies_to_search = |lines: &str, score, bound| replies_to_searches(lines, &[(score, bound)]);
        let (exact, lower) = (Bound::Exact, Bound::Lower);
        assert_eq!(replies_to_search("draw\ngo", -500, exact), ["offer draw", "move e2e4"]);
        assert_eq!(replies_to_search("go\ndraw", -500, exact), ["offer draw", "move e2e4"]);
        assert_eq!(replies_to_search("go\ndraw", -500, lower), ["move e2e4"]);
        assert_eq!(replies_to_search("go\ndraw", 20, exact), ["move e2e4"]);
        assert_eq!(replies_to_search("go", -500, exact), ["move e2e4"]);
        assert_eq!(replies_to_search("option Draws=never\ngo\ndraw", -500, exact), ["move e2e4"]);
        // One lost position is not enough to resign, and a lower bound is none.
        let resigning = "option Resign=400\ngo";
        assert_eq!(replies_to_search(resigning, -500, exact), ["move e2e4"]);
        let lost = [(-500, exact), (-500, Bound::Upper), (-500, exact)];
        assert_eq!(replies_to_searches(resigning, &lost), ["move e2e4", "move d2d4", "resign"]);
        let unclear = [(-500, exact), (-500, exact), (-500, lower)];
        assert_eq!(replies_to_searches(resigning, &unclear), ["move e2e4", "move d2d4", "move c2c4"]);
    }
}
