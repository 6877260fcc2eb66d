//! What the speakers of all protocols share: a desk, what was placed on it, the settings, and the thought that runs.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use alfil_kernel::Waivers;
use alfil_protocol::{self as protocol, EngineOption};

use super::strength::PlayingStrength;
use super::{EngineEvent, InputMode};
use crate::{SearchEvent, SearchHandle, start_search};
use alfil_session::SearchLimits;
use alfil_session::SearchResources;
use alfil_session::game_session::{GameSession, MoveResult, SessionError, random_seed};
use alfil_session::registry;
use alfil_session::searcher::check_memory;
use alfil_session::{ClockInput, TimeBudget};

/// The greatest table that can be asked for, in MiB.
const MAX_HASH_MIB: u64 = 65_536;
/// The most threads that can be asked for.
const MAX_THREADS: u64 = 256;
/// The most lines that can be asked for.
const MAX_MULTIPV: u64 = 255;
/// The most time that can be kept back, in milliseconds.
const MAX_OVERHEAD_MS: u64 = 10_000;
/// How much of the clock is kept back for the road to the clock, in milliseconds, if nobody says.
const DEFAULT_OVERHEAD_MS: u64 = 30;

/// Whoever plays and thinks, whatever the protocol.
pub(crate) struct Engine {
    pub(crate) session: Box<dyn GameSession>,
    pub(crate) resources: SearchResources,
    /// How many lines are shown.
    pub(crate) multipv: usize,
    /// Kept back from every clock.
    pub(crate) overhead: Duration,
    /// How strong it plays.
    pub(crate) strength: PlayingStrength,
    /// What a level draws its moves by, in this game.
    random_seed: u64,
    /// What is to be said, line by line.
    pub(crate) replies: Vec<String>,
    /// The rule book that was chosen; none for the game's own.
    ruleset: Option<String>,
    position: PositionSpec,
    search: Option<SearchHandle>,
    /// Tells the thoughts of this job from those of any before.
    search_number: u64,
    /// The job ends by itself.
    is_bounded: bool,
    event_sender: Sender<EngineEvent>,
    event_receiver: Receiver<EngineEvent>,
    /// What came while nobody was to hear it.
    queued_events: VecDeque<EngineEvent>,
    /// The last line, or the end of all lines, is among them.
    has_last_line: bool,
}

/// What was placed on the desk, in the words that placed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionSpec {
    /// The position's text; none for the start of a game.
    pub(crate) fen: Option<String>,
    /// The moves from there.
    pub(crate) moves: Vec<String>,
    /// How the moves are written; none for the default dialect.
    pub(crate) dialect: Option<&'static str>,
}

/// Why a position was not put on the desk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionRejected {
    /// It is one of another game.
    #[error("this is a position of {game}, and {current} is played")]
    OtherGame {
        /// The game that it is a position of.
        game: &'static str,
        /// The game that is played.
        current: &'static str,
    },
    /// It is not sound, or a move is not legal.
    #[error("{0}")]
    Invalid(SessionError),
}

/// Whether a line says that it is over, with a number before it (GTP) or not.
fn is_quit(line: &str) -> bool {
    line.split_whitespace().find(|word| word.parse::<u64>().is_err()) == Some("quit")
}

/// A setting's whole number.
///
/// # Errors
/// If the value is none from `min` to `max`.
pub(crate) fn parse_whole_number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, SessionError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        let found = protocol::tokens::shorten(value);
        SessionError::new(format!("{name} is a whole number from {min} to {max}, found {found:?}"))
    })
}

/// The rule books of all games.
fn all_rulesets() -> Vec<&'static str> {
    registry::games()
        .filter_map(|game| registry::open(game, None).ok())
        .flat_map(|desk| desk.rulesets().to_vec())
        .collect()
}

impl Engine {
    /// An engine for this game, or for the first of all if none is named.
    pub(super) fn new(
        asked: Option<&str>,
        mouth: Sender<EngineEvent>,
        ear: Receiver<EngineEvent>,
    ) -> Result<Engine, SessionError> {
        let desk = registry::open(asked.unwrap_or(registry::GAMES[0].0), None)?;
        Ok(Engine {
            session: desk,
            resources: SearchResources::default(),
            multipv: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            strength: PlayingStrength::default(),
            random_seed: random_seed(),
            replies: Vec::new(),
            ruleset: None,
            position: PositionSpec::default(),
            search: None,
            search_number: 0,
            is_bounded: true,
            event_sender: mouth,
            event_receiver: ear,
            queued_events: VecDeque::new(),
            has_last_line: false,
        })
    }

    /// What can be set in every protocol, as it stands.
    pub(crate) fn options(&self) -> Vec<EngineOption> {
        let (hash, threads) = (self.resources.hash_mib as u64, self.resources.threads as u64);
        let overhead = self.overhead.as_millis() as u64;
        let mut settings = vec![
            EngineOption::spin("Hash", hash, 1, MAX_HASH_MIB),
            EngineOption::spin("Threads", threads, 1, MAX_THREADS),
            EngineOption::spin("MultiPV", self.multipv as u64, 1, MAX_MULTIPV),
            EngineOption::spin("Move Overhead", overhead, 0, MAX_OVERHEAD_MS),
            self.strength.skill_option(),
        ];
        let books = all_rulesets();
        if let Some(first) = books.first() {
            settings.push(EngineOption::combo("Ruleset", self.ruleset.as_deref().unwrap_or(first), &books));
        }
        settings
    }

    /// Sets one of [`Engine::settings`], its name without regard to case; whether there is one of that name.
    ///
    /// # Errors
    /// If the value is not one that it can have.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, SessionError> {
        let number = |min: u64, max: u64| parse_whole_number(name, value, min, max);
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let hash = number(1, MAX_HASH_MIB)? as usize;
                check_memory(hash)?;
                self.set_resources(SearchResources { hash_mib: hash, ..self.resources.clone() });
            }
            "threads" => {
                self.set_resources(SearchResources {
                    threads: number(1, MAX_THREADS)? as usize,
                    ..self.resources.clone()
                });
            }
            "multipv" => self.multipv = number(1, MAX_MULTIPV)? as usize,
            "move overhead" => self.overhead = Duration::from_millis(number(0, MAX_OVERHEAD_MS)?),
            "ruleset" => {
                // It may be meant for a game that is chosen only later.
                if self.session.rulesets().contains(&value) {
                    self.session.set_ruleset(value)?;
                } else if !all_rulesets().contains(&value) {
                    let (books, found) = (all_rulesets().join(", "), protocol::tokens::shorten(value));
                    return Err(SessionError::new(format!("Ruleset is one of {books}, found {found:?}")));
                }
                self.ruleset = Some(value.into());
            }
            name => return self.strength.set_option(name, value),
        }
        Ok(true)
    }

    /// Other means: what was found out is forgotten.
    fn set_resources(&mut self, means: SearchResources) {
        if means != self.resources {
            self.session.set_resources(&means);
            self.resources = means;
        }
    }

    /// Says a line, or several.
    pub(crate) fn send(&mut self, line: impl ToString) {
        self.replies.push(line.to_string());
    }

    /// The next thing that happens. While lines are not heard, only thoughts happen, and everything else waits.
    pub(super) fn next_event(&mut self, hearing: InputMode) -> EngineEvent {
        let open = hearing == InputMode::Immediate;
        if open && let Some(event) = self.queued_events.pop_front() {
            return event;
        }
        loop {
            // It may have come while an earlier thought ran, and waits its turn among the lines.
            if !open && self.has_last_line && (hearing == InputMode::DeferredUntilEnd || !self.is_bounded) {
                self.stop();
            }
            // The engine itself holds a sender, so the channel is never closed.
            let event = self.event_receiver.recv().unwrap_or(EngineEvent::InputClosed);
            if open || matches!(event, EngineEvent::Search(..)) {
                return event;
            }
            self.queue_event(event);
        }
    }

    /// Keeps what nobody is to hear yet.
    fn queue_event(&mut self, event: EngineEvent) {
        self.has_last_line |= match &event {
            EngineEvent::Line(line) => is_quit(line),
            event => matches!(event, EngineEvent::InputClosed),
        };
        self.queued_events.push_back(event);
    }

    /// What the clock allows. Where there is only one move, the first depth is enough.
    pub(crate) fn time_budget(&self, clock: &ClockInput) -> TimeBudget {
        let bounds = TimeBudget::from_clock(clock);
        let forced = self.session.legal_moves(None).is_ok_and(|moves| moves.len() == 1);
        if forced { TimeBudget { soft: Duration::ZERO, ..bounds } } else { bounds }
    }

    /// Does what the first thought would lose time with, unless one runs already: then whoever asks is answered at once.
    pub(crate) fn prepare(&self) {
        if !self.is_searching() {
            self.session.prepare();
        }
    }

    /// Another game begins: what was found out is forgotten, and a level draws by other lots.
    pub(crate) fn new_game(&mut self) {
        self.session.clear_search();
        self.random_seed = random_seed();
    }

    /// Thinks about what is on the desk; every thought comes as an event. Where nothing bounds it, that is an analysis, and at full
    /// strength.
    ///
    /// # Errors
    /// If a move that the limits name is not legal.
    pub(crate) fn start_search(&mut self, limits: &SearchLimits) -> Result<(), SessionError> {
        self.abandon_search();
        self.search_number += 1;
        let (number, mouth) = (self.search_number, self.event_sender.clone());
        // Nobody hears the last thoughts when the dialogue is over.
        let sink = Box::new(move |thought| drop(mouth.send(EngineEvent::Search(number, thought))));
        let ends = limits.depth.is_some() || limits.nodes.is_some() || limits.time_budget.is_some();
        let level = self.strength.level(self.session.game()).filter(|_| ends);
        self.search = Some(start_search(
            self.session.as_ref(),
            &SearchLimits { level, seed: self.random_seed, ..limits.clone() },
            sink,
        )?);
        self.is_bounded = ends && !limits.ponder;
        Ok(())
    }

    /// Asks the thought that runs to end.
    pub(crate) fn stop(&self) {
        if let Some(job) = &self.search {
            job.stop();
        }
    }

    /// The move that it thinks about was played: its own time begins.
    pub(crate) fn ponder_hit(&mut self) {
        self.is_bounded = true;
        if let Some(job) = &self.search {
            job.ponder_hit();
        }
    }

    /// Ends the thought that runs, if there is one; what it said last.
    pub(super) fn finish_search(&mut self) -> Vec<SearchEvent> {
        let Some(job) = &self.search else { return Vec::new() };
        job.stop();
        job.join();
        let mut thoughts = Vec::new();
        while let Ok(event) = self.event_receiver.try_recv() {
            match event {
                EngineEvent::Search(number, thought) if self.is_from_current_search(number, &thought) => {
                    thoughts.push(thought)
                }
                EngineEvent::Search(..) => {}
                event => self.queue_event(event),
            }
        }
        thoughts
    }

    /// Ends the thought that runs, if there is one, and forgets what it would have said.
    pub(crate) fn abandon_search(&mut self) {
        drop(self.finish_search());
    }

    /// Whether a thought is of the job that runs. With the best move that job is over.
    pub(super) fn is_from_current_search(&mut self, number: u64, thought: &SearchEvent) -> bool {
        let takes = self.search.is_some() && number == self.search_number;
        if takes && matches!(thought, SearchEvent::BestMove(_)) {
            self.search = None;
        }
        takes
    }

    /// Sits down to another game, at its start.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn switch_game(&mut self, game: &str) -> Result<(), SessionError> {
        if self.session.game() != game {
            let mut desk = registry::open(game, None)?;
            desk.set_resources(&self.resources);
            if let Some(book) = self.ruleset.as_deref().filter(|book| desk.rulesets().contains(book)) {
                desk.set_ruleset(book)?;
            }
            self.session = desk;
            self.position = PositionSpec::default();
        }
        // The start of a game is a sound position.
        self.set_position(PositionSpec::default())
            .map(drop)
            .map_err(|refusal| SessionError::new(refusal.to_string()))
    }

    /// Puts a position on the desk. What is there already is not played again, so that a long game costs no more with every
    /// move. Complaints about the position that can be waived are, and given back in words.
    ///
    /// # Errors
    /// If the position or a move is not what it should be; nothing is changed then.
    pub(crate) fn set_position(&mut self, place: PositionSpec) -> Result<Option<String>, PositionRejected> {
        let before = self.position.clone();
        let result = self.apply_position(place);
        if result.is_err() {
            // It stood there before, so it can stand there again.
            let back = self.apply_position(before);
            debug_assert!(back.is_ok(), "{back:?}");
        }
        result
    }

    fn apply_position(&mut self, place: PositionSpec) -> Result<Option<String>, PositionRejected> {
        let same = (&self.position.fen, self.position.dialect) == (&place.fen, place.dialect);
        let kept = match same {
            true => self.position.moves.iter().zip(&place.moves).take_while(|(old, new)| old == new).count(),
            false => 0,
        };
        let mut waived = None;
        if self.position.fen == place.fen {
            self.undo_moves(self.position.moves.len() - kept);
        } else {
            waived = self.open_position(place.fen.as_deref())?;
            self.position = PositionSpec { fen: place.fen, ..PositionSpec::default() };
        }
        self.position.dialect = place.dialect;
        for (number, text) in (kept + 1..).zip(place.moves.into_iter().skip(kept)) {
            self.play(text).map_err(|error| PositionRejected::Invalid(error.at_move(number)))?;
        }
        Ok(waived)
    }

    /// Opens the desk with a position; complaints that were waived.
    fn open_position(&mut self, fen: Option<&str>) -> Result<Option<String>, PositionRejected> {
        let text = fen.unwrap_or("startpos");
        let Err(error) = self.session.open(text, &Waivers::None) else { return Ok(None) };
        let here = self.session.game();
        let fits = |game: &str| {
            registry::open(game, None).is_ok_and(|mut desk| desk.open(text, &Waivers::None).is_ok())
        };
        if let Some(game) = registry::games().find(|&game| game != here && fits(game)) {
            return Err(PositionRejected::OtherGame { game, current: here });
        }
        match self.session.open(text, &Waivers::All) {
            Ok(()) => Ok(Some(error.to_string())),
            Err(_) => Err(PositionRejected::Invalid(error)),
        }
    }

    /// Plays a move, written as the others on the desk are.
    ///
    /// # Errors
    /// If it is no legal move.
    pub(crate) fn play(&mut self, text: String) -> Result<MoveResult, SessionError> {
        let step = self.session.play(&text, self.position.dialect)?;
        self.position.moves.push(text);
        Ok(step)
    }

    /// What was placed on the desk.
    pub(crate) fn position(&self) -> PositionSpec {
        self.position.clone()
    }

    /// How many moves were played since the position was laid out.
    pub(crate) fn ply(&self) -> usize {
        self.position.moves.len()
    }

    /// Whether it thinks.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Takes back so many moves, or as many as there are.
    pub(crate) fn undo_moves(&mut self, count: usize) {
        for _ in 0..count.min(self.position.moves.len()) {
            self.session.undo();
            self.position.moves.pop();
        }
    }

    /// A move in this dialect, as the default dialect writes it.
    ///
    /// # Errors
    /// If it is no legal move.
    pub(crate) fn to_default_dialect(
        &mut self,
        text: &str,
        dialect: Option<&str>,
    ) -> Result<String, SessionError> {
        let step = self.session.play(text, dialect)?;
        self.session.undo();
        Ok(step.text)
    }
}
