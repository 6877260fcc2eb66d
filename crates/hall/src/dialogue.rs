//! What an engine says to whoever drives it: the first line names the protocol, and from then on a state machine of that
//! protocol answers every line and passes every thought on.
//!
//! There is one thread for all of it. Another reads lines, others think; both send to it. So answers never cross each other, and
//! whatever happens while the engine thinks is an event like any other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Sender};

use alfil_protocol as protocol;

use crate::desk::{DeskError, Thought};
use crate::pool;

mod engine;
mod flipello;
mod gtp;
mod manners;
mod nboard;
mod strength;
mod ucci;
mod uci;
mod wdl;
mod xboard;

pub(crate) use engine::Engine;

/// What whoever drives an engine is told that it is.
const NAME: &str = concat!("Alfil ", env!("CARGO_PKG_VERSION"));
/// And who made it.
const AUTHOR: &str = "The Alfil authors";

/// Seconds as the whole milliseconds that protocols count.
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}

/// Whether a setting is on.
fn on(name: &str, value: &str) -> Result<bool, DeskError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => {
            Err(DeskError::new(format!("{name} is true or false, found {:?}", protocol::words::short(value))))
        }
    }
}

/// The longest line that is read, in bytes: a game of ten thousand moves fits many times.
const LONGEST: u64 = 1 << 20;

/// Something that happens to an engine.
pub(crate) enum Event {
    /// A line came.
    Line(String),
    /// A line came that was longer than any sensible one; it was not kept.
    Endless,
    /// No line will ever come again.
    Closed,
    /// Whoever thinks said something. The number tells one thought from another.
    Thought(u64, Thought),
}

/// Whether a dialogue goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It does.
    On,
    /// It is over.
    Over,
}

/// Whether a speaker hears lines while it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hearing {
    /// It does.
    Open,
    /// Lines wait until it has thought to the end, the last one, too: they come from a file. Only a thought without end is ended.
    Patient,
    /// Lines wait, but the last one ends the thought.
    Hurried,
}

/// The engine's side of a protocol.
pub(crate) trait Speaker {
    /// Answers a line.
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow;
    /// Passes a thought on.
    fn pass_on(&mut self, thought: Thought, engine: &mut Engine);
    /// Says in the protocol's way that something was not understood.
    fn complain(&mut self, words: &str, engine: &mut Engine);
    /// Whether it hears lines now.
    fn hearing(&self, _engine: &Engine) -> Hearing {
        Hearing::Open
    }
    /// Ends the thought that runs, if there is one, and passes its last words on.
    fn settle(&mut self, engine: &mut Engine) {
        for thought in engine.settle() {
            self.pass_on(thought, engine);
        }
    }
}

/// Speaks as an engine until the input ends or somebody says `quit`: of this game, or of the protocol's usual one.
///
/// ```
/// use alfil_hall::dialogue::talk;
///
/// let mut output = Vec::new();
/// let script = "uci\nposition startpos moves h2e2\ngo depth 1 searchmoves h9g7\n";
/// talk(Some("xiangqi"), script.as_bytes(), &mut output).unwrap();
/// assert!(String::from_utf8(output).unwrap().ends_with("bestmove h9g7\n"));
/// ```
///
/// # Errors
/// If there is no such game, the system gives no thread to listen on, or the output cannot be written.
pub fn talk(
    game: Option<&str>,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), TalkError> {
    let (mouth, ear) = mpsc::channel();
    let reader = mouth.clone();
    let mut engine = Engine::new(game, mouth, ear).map_err(TalkError::Game)?;
    pool::start(move || listen(input, &reader))?;
    let mut speaker: Option<Box<dyn Speaker>> = None;
    loop {
        let hearing = speaker.as_deref().map_or(Hearing::Open, |speaker| speaker.hearing(&engine));
        let event = engine.next(hearing);
        let flow = match &mut speaker {
            Some(speaker) => handle(event, speaker.as_mut(), &mut engine),
            None => begin(event, game, &mut speaker, &mut engine),
        };
        let written = write(&mut output, &mut engine);
        if flow == Flow::Over || written.is_err() {
            engine.abandon();
            return Ok(written?);
        }
    }
}

/// Writes what there is to say.
fn write(output: &mut impl Write, engine: &mut Engine) -> io::Result<()> {
    for line in engine.replies.drain(..) {
        writeln!(output, "{line}")?;
    }
    output.flush()
}

/// Why a dialogue came to a bad end.
#[derive(Debug, thiserror::Error)]
pub enum TalkError {
    /// There is no such game.
    #[error("{0}")]
    Game(DeskError),
    /// Nothing can be heard, or the answers cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Reads lines to the end of the input.
fn listen(input: impl Read, heard: &Sender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => Event::Closed,
            Ok(count) if count as u64 == LONGEST && line.last() != Some(&b'\n') => {
                if input.skip_until(b'\n').is_err() { Event::Closed } else { Event::Endless }
            }
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let closed = matches!(event, Event::Closed);
        // Nobody listens any more when the dialogue is over.
        if heard.send(event).is_err() || closed {
            return;
        }
    }
}

/// What happens once it is known which protocol is spoken.
fn handle(event: Event, speaker: &mut dyn Speaker, engine: &mut Engine) -> Flow {
    match event {
        Event::Thought(number, thought) if engine.takes(number, &thought) => {
            speaker.pass_on(thought, engine);
            Flow::On
        }
        Event::Thought(..) => Flow::On,
        Event::Line(line) => speaker.hear(&line, engine),
        Event::Endless => {
            speaker.complain(&too_long(), engine);
            Flow::On
        }
        Event::Closed => {
            speaker.settle(engine);
            Flow::Over
        }
    }
}

fn too_long() -> String {
    format!("a line of more than {LONGEST} bytes was not read")
}

/// What happens before: the first line that names a protocol chooses it.
fn begin(
    event: Event,
    game: Option<&str>,
    speaker: &mut Option<Box<dyn Speaker>>,
    engine: &mut Engine,
) -> Flow {
    match event {
        Event::Closed => return Flow::Over,
        Event::Thought(..) => {}
        Event::Endless => engine.say(too_long()),
        Event::Line(line) => match choose(&line, game, engine) {
            Some(chosen) => return speaker.insert(chosen).hear(&line, engine),
            None if line.trim() == "quit" => return Flow::Over,
            None if line.trim().is_empty() => {}
            None => engine
                .say("the first line names the protocol: uci, ucci, xboard, nboard 2, or any command of GTP"),
        },
    }
    Flow::On
}

/// The speaker of the protocol that a first line names.
fn choose(line: &str, game: Option<&str>, engine: &mut Engine) -> Option<Box<dyn Speaker>> {
    let first = line.split_whitespace().next().filter(|&first| first != "quit")?;
    // The games that these speak of are always there.
    Some(match first {
        "ucci" => Box::new(ucci::Ucci::new(engine).ok()?),
        "xboard" | "protover" => Box::new(xboard::XBoard::new(game, engine).ok()?),
        "nboard" => Box::new(nboard::NBoard::new(engine).ok()?),
        _ if protocol::uci::COMMANDS.contains(&first) => Box::new(uci::Uci::new(engine)),
        _ if protocol::gtp::begins(line) => Box::new(gtp::Gtp::new(engine).ok()?),
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
            let mut speaker = choose(lines[0], Some(game), &mut engine).unwrap();
            for line in &lines {
                speaker.hear(line, &mut engine);
            }
            assert!(engine.thinks(), "{script}");
            engine.replies.clear();
            let best = answer.rsplit(' ').next().map(str::to_owned);
            for thought in [Thought::Failed("oh".into()), Thought::Best(best)] {
                assert_eq!(handle(Event::Thought(1, thought), speaker.as_mut(), &mut engine), Flow::On);
            }
            assert!(!engine.thinks(), "{script}");
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
        let mut speaker = choose("xboard", Some("chess"), &mut engine).unwrap();
        for line in ["xboard", "protover 2", "new", "st 600"].iter().chain(lines) {
            speaker.hear(line, &mut engine);
        }
        engine.replies.clear();
        let line = vec!["e2e4".to_owned()];
        let (nodes, seconds) = (9, 0.1);
        let info = Thought::Info {
            rank: 1,
            depth: 3,
            seldepth: 3,
            score,
            mate: None,
            nodes,
            full: 0,
            seconds,
            line,
        };
        for thought in [info, Thought::Best(Some("e2e4".into()))] {
            handle(Event::Thought(1, thought), speaker.as_mut(), &mut engine);
        }
        engine.abandon();
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
