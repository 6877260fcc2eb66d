//! What the speakers of all protocols share: a desk, what was placed on it, the settings, and the thought that runs.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use alfil_kernel::Waivers;
use alfil_protocol::{self as protocol, Setting};

use super::strength::Strength;
use super::{Event, Hearing};
use crate::clock::{Bounds, Clock};
use crate::desk::{Desk, DeskError, Job, Limits, Step, Thought, lot};
use crate::mind::{Means, fits};
use crate::registry;

/// The greatest table that can be asked for, in MiB.
const HASH_MAX: u64 = 65_536;
/// The most threads that can be asked for.
const THREADS_MAX: u64 = 256;
/// The most lines that can be asked for.
const LINES_MAX: u64 = 255;
/// The most time that can be kept back, in milliseconds.
const OVERHEAD_MAX: u64 = 10_000;
/// How much of the clock is kept back for the road to the clock, in milliseconds, if nobody says.
const OVERHEAD: u64 = 30;

/// Whoever plays and thinks, whatever the protocol.
pub(crate) struct Engine {
    pub(crate) desk: Box<dyn Desk>,
    pub(crate) means: Means,
    /// How many lines are shown.
    pub(crate) lines: usize,
    /// Kept back from every clock.
    pub(crate) overhead: Duration,
    /// How strong it plays.
    pub(crate) strength: Strength,
    /// What a level draws its moves by, in this game.
    lot: u64,
    /// What is to be said, line by line.
    pub(crate) replies: Vec<String>,
    /// The rule book that was chosen; none for the game's own.
    book: Option<String>,
    place: Place,
    job: Option<Job>,
    /// Tells the thoughts of this job from those of any before.
    number: u64,
    /// The job ends by itself.
    bounded: bool,
    mouth: Sender<Event>,
    ear: Receiver<Event>,
    /// What came while nobody was to hear it.
    waiting: VecDeque<Event>,
    /// The last line, or the end of all lines, is among them.
    last: bool,
}

/// What was placed on the desk, in the words that placed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The position's text; none for the start of a game.
    pub(crate) fen: Option<String>,
    /// The moves from there.
    pub(crate) moves: Vec<String>,
    /// How the moves are written; none for the default dialect.
    pub(crate) dialect: Option<&'static str>,
}

/// Why a position was not put on the desk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// It is one of another game.
    #[error("this is a position of {game}, and {here} is played")]
    Foreign {
        /// The game that it is a position of.
        game: &'static str,
        /// The game that is played.
        here: &'static str,
    },
    /// It is not sound, or a move is not legal.
    #[error("{0}")]
    Words(DeskError),
}

/// Whether a line says that it is over, with a number before it (GTP) or not.
fn is_quit(line: &str) -> bool {
    line.split_whitespace().find(|word| word.parse::<u64>().is_err()) == Some("quit")
}

/// A setting's whole number.
///
/// # Errors
/// If the value is none from `min` to `max`.
pub(crate) fn whole(name: &str, value: &str, min: u64, max: u64) -> Result<u64, DeskError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        let found = protocol::words::short(value);
        DeskError::new(format!("{name} is a whole number from {min} to {max}, found {found:?}"))
    })
}

/// The rule books of all games.
fn books() -> Vec<&'static str> {
    registry::games()
        .filter_map(|game| registry::open(game, None).ok())
        .flat_map(|desk| desk.books().to_vec())
        .collect()
}

impl Engine {
    /// An engine for this game, or for the first of all if none is named.
    pub(super) fn new(
        asked: Option<&str>,
        mouth: Sender<Event>,
        ear: Receiver<Event>,
    ) -> Result<Engine, DeskError> {
        let desk = registry::open(asked.unwrap_or(registry::GAMES[0].0), None)?;
        Ok(Engine {
            desk,
            means: Means::default(),
            lines: 1,
            overhead: Duration::from_millis(OVERHEAD),
            strength: Strength::default(),
            lot: lot(),
            replies: Vec::new(),
            book: None,
            place: Place::default(),
            job: None,
            number: 0,
            bounded: true,
            mouth,
            ear,
            waiting: VecDeque::new(),
            last: false,
        })
    }

    /// What can be set in every protocol, as it stands.
    pub(crate) fn settings(&self) -> Vec<Setting> {
        let (hash, threads) = (self.means.hash as u64, self.means.threads as u64);
        let overhead = self.overhead.as_millis() as u64;
        let mut settings = vec![
            Setting::spin("Hash", hash, 1, HASH_MAX),
            Setting::spin("Threads", threads, 1, THREADS_MAX),
            Setting::spin("MultiPV", self.lines as u64, 1, LINES_MAX),
            Setting::spin("Move Overhead", overhead, 0, OVERHEAD_MAX),
            self.strength.skill(),
        ];
        let books = books();
        if let Some(first) = books.first() {
            settings.push(Setting::combo("Ruleset", self.book.as_deref().unwrap_or(first), &books));
        }
        settings
    }

    /// Sets one of [`Engine::settings`], its name without regard to case; whether there is one of that name.
    ///
    /// # Errors
    /// If the value is not one that it can have.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, DeskError> {
        let number = |min: u64, max: u64| whole(name, value, min, max);
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let hash = number(1, HASH_MAX)? as usize;
                fits(hash)?;
                self.furnish(Means { hash, ..self.means.clone() });
            }
            "threads" => {
                self.furnish(Means { threads: number(1, THREADS_MAX)? as usize, ..self.means.clone() });
            }
            "multipv" => self.lines = number(1, LINES_MAX)? as usize,
            "move overhead" => self.overhead = Duration::from_millis(number(0, OVERHEAD_MAX)?),
            "ruleset" => {
                // It may be meant for a game that is chosen only later.
                if self.desk.books().contains(&value) {
                    self.desk.choose(value)?;
                } else if !books().contains(&value) {
                    let (books, found) = (books().join(", "), protocol::words::short(value));
                    return Err(DeskError::new(format!("Ruleset is one of {books}, found {found:?}")));
                }
                self.book = Some(value.into());
            }
            name => return self.strength.set(name, value),
        }
        Ok(true)
    }

    /// Other means: what was found out is forgotten.
    fn furnish(&mut self, means: Means) {
        if means != self.means {
            self.desk.furnish(&means);
            self.means = means;
        }
    }

    /// Says a line, or several.
    pub(crate) fn say(&mut self, line: impl ToString) {
        self.replies.push(line.to_string());
    }

    /// The next thing that happens. While lines are not heard, only thoughts happen, and everything else waits.
    pub(super) fn next(&mut self, hearing: Hearing) -> Event {
        let open = hearing == Hearing::Open;
        if open && let Some(event) = self.waiting.pop_front() {
            return event;
        }
        loop {
            // It may have come while an earlier thought ran, and waits its turn among the lines.
            if !open && self.last && (hearing == Hearing::Hurried || !self.bounded) {
                self.stop();
            }
            // The engine itself holds a sender, so the channel is never closed.
            let event = self.ear.recv().unwrap_or(Event::Closed);
            if open || matches!(event, Event::Thought(..)) {
                return event;
            }
            self.keep(event);
        }
    }

    /// Keeps what nobody is to hear yet.
    fn keep(&mut self, event: Event) {
        self.last |= match &event {
            Event::Line(line) => is_quit(line),
            event => matches!(event, Event::Closed),
        };
        self.waiting.push_back(event);
    }

    /// What the clock allows. Where there is only one move, the first depth is enough.
    pub(crate) fn bounds(&self, clock: &Clock) -> Bounds {
        let bounds = Bounds::of(clock);
        let forced = self.desk.moves(None).is_ok_and(|moves| moves.len() == 1);
        if forced { Bounds { soft: Duration::ZERO, ..bounds } } else { bounds }
    }

    /// Does what the first thought would lose time with, unless one runs already: then whoever asks is answered at once.
    pub(crate) fn ready(&self) {
        if !self.thinks() {
            self.desk.ready();
        }
    }

    /// Another game begins: what was found out is forgotten, and a level draws by other lots.
    pub(crate) fn forget(&mut self) {
        self.desk.forget();
        self.lot = lot();
    }

    /// Thinks about what is on the desk; every thought comes as an event. Where nothing bounds it, that is an analysis, and at full
    /// strength.
    ///
    /// # Errors
    /// If a move that the limits name is not legal.
    pub(crate) fn think(&mut self, limits: &Limits) -> Result<(), DeskError> {
        self.abandon();
        self.number += 1;
        let (number, mouth) = (self.number, self.mouth.clone());
        // Nobody hears the last thoughts when the dialogue is over.
        let sink = Box::new(move |thought| drop(mouth.send(Event::Thought(number, thought))));
        let ends = limits.depth.is_some() || limits.nodes.is_some() || limits.clock.is_some();
        let level = self.strength.level(self.desk.game()).filter(|_| ends);
        self.job = Some(self.desk.think(&Limits { level, seed: self.lot, ..limits.clone() }, sink)?);
        self.bounded = ends && !limits.ponder;
        Ok(())
    }

    /// Asks the thought that runs to end.
    pub(crate) fn stop(&self) {
        if let Some(job) = &self.job {
            job.stop();
        }
    }

    /// The move that it thinks about was played: its own time begins.
    pub(crate) fn hit(&mut self) {
        self.bounded = true;
        if let Some(job) = &self.job {
            job.hit();
        }
    }

    /// Ends the thought that runs, if there is one; what it said last.
    pub(super) fn settle(&mut self) -> Vec<Thought> {
        let Some(job) = &self.job else { return Vec::new() };
        job.stop();
        job.join();
        let mut thoughts = Vec::new();
        while let Ok(event) = self.ear.try_recv() {
            match event {
                Event::Thought(number, thought) if self.takes(number, &thought) => thoughts.push(thought),
                Event::Thought(..) => {}
                event => self.keep(event),
            }
        }
        thoughts
    }

    /// Ends the thought that runs, if there is one, and forgets what it would have said.
    pub(crate) fn abandon(&mut self) {
        drop(self.settle());
    }

    /// Whether a thought is of the job that runs. With the best move that job is over.
    pub(super) fn takes(&mut self, number: u64, thought: &Thought) -> bool {
        let takes = self.job.is_some() && number == self.number;
        if takes && matches!(thought, Thought::Best(_)) {
            self.job = None;
        }
        takes
    }

    /// Sits down to another game, at its start.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn sit(&mut self, game: &str) -> Result<(), DeskError> {
        if self.desk.game() != game {
            let mut desk = registry::open(game, None)?;
            desk.furnish(&self.means);
            if let Some(book) = self.book.as_deref().filter(|book| desk.books().contains(book)) {
                desk.choose(book)?;
            }
            self.desk = desk;
            self.place = Place::default();
        }
        // The start of a game is a sound position.
        self.lay(Place::default()).map(drop).map_err(|refusal| DeskError::new(refusal.to_string()))
    }

    /// Puts a position on the desk. What is there already is not played again, so that a long game costs no more with every
    /// move. Complaints about the position that can be waived are, and given back in words.
    ///
    /// # Errors
    /// If the position or a move is not what it should be; nothing is changed then.
    pub(crate) fn lay(&mut self, place: Place) -> Result<Option<String>, Refusal> {
        let before = self.place.clone();
        let result = self.lay_out(place);
        if result.is_err() {
            // It stood there before, so it can stand there again.
            let back = self.lay_out(before);
            debug_assert!(back.is_ok(), "{back:?}");
        }
        result
    }

    fn lay_out(&mut self, place: Place) -> Result<Option<String>, Refusal> {
        let same = (&self.place.fen, self.place.dialect) == (&place.fen, place.dialect);
        let kept = match same {
            true => self.place.moves.iter().zip(&place.moves).take_while(|(old, new)| old == new).count(),
            false => 0,
        };
        let mut waived = None;
        if self.place.fen == place.fen {
            self.take_back(self.place.moves.len() - kept);
        } else {
            waived = self.open(place.fen.as_deref())?;
            self.place = Place { fen: place.fen, ..Place::default() };
        }
        self.place.dialect = place.dialect;
        for (number, text) in (kept + 1..).zip(place.moves.into_iter().skip(kept)) {
            self.play(text).map_err(|error| Refusal::Words(error.of_move(number)))?;
        }
        Ok(waived)
    }

    /// Opens the desk with a position; complaints that were waived.
    fn open(&mut self, fen: Option<&str>) -> Result<Option<String>, Refusal> {
        let text = fen.unwrap_or("startpos");
        let Err(error) = self.desk.open(text, &Waivers::None) else { return Ok(None) };
        let here = self.desk.game();
        let fits = |game: &str| {
            registry::open(game, None).is_ok_and(|mut desk| desk.open(text, &Waivers::None).is_ok())
        };
        if let Some(game) = registry::games().find(|&game| game != here && fits(game)) {
            return Err(Refusal::Foreign { game, here });
        }
        match self.desk.open(text, &Waivers::All) {
            Ok(()) => Ok(Some(error.to_string())),
            Err(_) => Err(Refusal::Words(error)),
        }
    }

    /// Plays a move, written as the others on the desk are.
    ///
    /// # Errors
    /// If it is no legal move.
    pub(crate) fn play(&mut self, text: String) -> Result<Step, DeskError> {
        let step = self.desk.play(&text, self.place.dialect)?;
        self.place.moves.push(text);
        Ok(step)
    }

    /// What was placed on the desk.
    pub(crate) fn place(&self) -> Place {
        self.place.clone()
    }

    /// How many moves were played since the position was laid out.
    pub(crate) fn ply(&self) -> usize {
        self.place.moves.len()
    }

    /// Whether it thinks.
    pub(crate) fn thinks(&self) -> bool {
        self.job.is_some()
    }

    /// Takes back so many moves, or as many as there are.
    pub(crate) fn take_back(&mut self, count: usize) {
        for _ in 0..count.min(self.place.moves.len()) {
            self.desk.undo();
            self.place.moves.pop();
        }
    }

    /// A move in this dialect, as the default dialect writes it.
    ///
    /// # Errors
    /// If it is no legal move.
    pub(crate) fn understood(&mut self, text: &str, dialect: Option<&str>) -> Result<String, DeskError> {
        let step = self.desk.play(text, dialect)?;
        self.desk.undo();
        Ok(step.text)
    }
}
