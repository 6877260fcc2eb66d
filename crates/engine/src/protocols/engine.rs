//! The engine state that all protocols share: the session, its position, the options and the running search.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use alfil_kernel::Waivers;
use alfil_protocol::{self as protocol, EngineOption, ParseError};

use super::networks::EvalFiles;
use super::strength::PlayingStrength;
use super::whole_number::parse_whole_number;
use super::{EngineEvent, InputMode, parse_bool};
use crate::{SearchEvent, SearchHandle, start_search};
use alfil_session::searcher::check_memory;
use alfil_session::{
    ClockInput, GameSession, MoveResult, Registry, SearchLimits, SearchResources, SessionError, TimeBudget,
    random_seed,
};

/// The maximum size of the transposition table, in MiB.
const MAX_HASH_MIB: u64 = 65_536;
/// The maximum number of search threads.
const MAX_THREADS: u64 = 256;
/// The maximum number of best lines.
const MAX_MULTIPV: u64 = 255;
/// The maximum time reserved for delays, in milliseconds.
const MAX_OVERHEAD_MS: u64 = 10_000;
/// The default time reserved for delays, in milliseconds.
const DEFAULT_OVERHEAD_MS: u64 = 30;

/// The name of the option for the opening book.
pub(crate) const OWN_BOOK: &str = "OwnBook";

/// The maximum depth of a bounded search, in plies: the search supports no more.
const MAX_BOUNDED_DEPTH: u32 = 127;
/// The maximum node limit of a bounded search: a day at ten million nodes a second.
const MAX_BOUNDED_NODES: u64 = 1_000_000_000_000;
/// The longest mate of a bounded search, in moves: it is found or refuted in some seconds.
const MAX_BOUNDED_MATE: u32 = 4;
/// The maximum time limit of a bounded search.
const MAX_BOUNDED_TIME: Duration = Duration::from_secs(86_400);

/// Returns whether a search can reach one of its limits. The end of the input stops a search that cannot.
fn is_bounded(limits: &SearchLimits) -> bool {
    limits.mate_in_moves.is_some_and(|moves| moves <= MAX_BOUNDED_MATE)
        || limits.depth.is_some_and(|depth| depth <= MAX_BOUNDED_DEPTH)
        || limits.nodes.is_some_and(|nodes| nodes <= MAX_BOUNDED_NODES)
        || limits.time_budget.is_some_and(|budget| budget.hard <= MAX_BOUNDED_TIME)
}

/// How the input that was read ahead ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputState {
    /// More lines may come.
    Open,
    /// The input has ended.
    Ended,
    /// The client has sent `quit`.
    Quit,
}

/// The engine behind all protocols.
pub(crate) struct Engine {
    pub(crate) registry: Registry,
    pub(crate) session: Box<dyn GameSession>,
    pub(crate) resources: SearchResources,
    /// The number of best lines to report.
    pub(crate) multipv: usize,
    /// The time reserved for delays at every move.
    pub(crate) overhead: Duration,
    /// The playing strength.
    pub(crate) strength: PlayingStrength,
    /// Whether moves of the opening book are played (the option `OwnBook`).
    uses_book: bool,
    /// The random seed of skill levels in this game.
    random_seed: u64,
    /// The lines to send, in order.
    pub(crate) replies: Vec<String>,
    /// The selected ruleset; `None` for the default of the game.
    ruleset: Option<String>,
    /// The evaluation networks that were read from files.
    pub(crate) eval_files: EvalFiles,
    position: PositionSpec,
    /// The error of the last position, if it was refused: then there is nothing to search.
    refusal: Option<String>,
    search: Option<SearchHandle>,
    /// The number of the search, which distinguishes its events from those of earlier searches.
    search_number: u64,
    /// Whether the limits of the search end it.
    is_bounded: bool,
    /// Whether the search ponders, and its time has not started.
    is_pondering: bool,
    event_sender: Sender<EngineEvent>,
    event_receiver: Receiver<EngineEvent>,
    /// The events that wait for the end of the search.
    queued_events: VecDeque<EngineEvent>,
    /// Whether the engine only waits for the end of the search, because the input has ended.
    is_closing: bool,
    /// How the queued events end.
    queued_end: InputState,
}

/// A position as the protocol specified it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionSpec {
    /// The position text; `None` for the start position.
    pub(crate) fen: Option<String>,
    /// The moves from that position.
    pub(crate) moves: Vec<String>,
    /// The dialect of the moves; `None` for the default.
    pub(crate) dialect: Option<&'static str>,
}

/// The error of a position that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionRejected {
    /// The position belongs to another game.
    #[error("this is a position of {game}, but the current game is {current}")]
    OtherGame {
        /// The game of the position.
        game: &'static str,
        /// The game of the session.
        current: &'static str,
    },
    /// The position is not valid, or a move is not legal.
    #[error("{0}")]
    Invalid(SessionError),
}

/// Returns whether a line is a `quit` command, with a number before it (GTP) or not.
fn is_quit(line: &str) -> bool {
    line.split_whitespace().find(|word| word.parse::<u64>().is_err()) == Some("quit")
}

impl Engine {
    /// Sets the option `EvalFile` (see [`EvalFiles::set`]).
    ///
    /// # Errors
    /// As [`EvalFiles::set`].
    pub(crate) fn set_eval_file(&mut self, path: &str) -> Result<String, SessionError> {
        self.eval_files.set(path, self.session.as_mut(), &self.registry)
    }

    /// Creates an engine for this game, or for the first game if `game` is `None`.
    pub(super) fn new(
        registry: Registry,
        game: Option<&str>,
        event_sender: Sender<EngineEvent>,
        event_receiver: Receiver<EngineEvent>,
    ) -> Result<Engine, SessionError> {
        let session = match game {
            Some(game) => registry.open(game, None)?,
            None => registry.entries()[0].open(None)?,
        };
        Ok(Engine {
            strength: PlayingStrength::new(&registry),
            uses_book: true,
            registry,
            session,
            resources: SearchResources::default(),
            multipv: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            random_seed: random_seed(),
            replies: Vec::new(),
            ruleset: None,
            eval_files: EvalFiles::default(),
            position: PositionSpec::default(),
            refusal: None,
            search: None,
            search_number: 0,
            is_bounded: true,
            is_pondering: false,
            event_sender,
            event_receiver,
            queued_events: VecDeque::new(),
            is_closing: false,
            queued_end: InputState::Open,
        })
    }

    /// Returns the rulesets of all games.
    fn all_rulesets(&self) -> Vec<&'static str> {
        let sessions = self.registry.entries().iter().filter_map(|entry| entry.open(None).ok());
        sessions.flat_map(|session| session.rulesets().to_vec()).collect()
    }

    /// Returns the options of all protocols with their current values.
    pub(crate) fn options(&self) -> Vec<EngineOption> {
        let (hash, threads) = (self.resources.hash_mib as u64, self.resources.threads as u64);
        let overhead = self.overhead.as_millis() as u64;
        let mut options = vec![
            EngineOption::spin("Hash", hash, 1, MAX_HASH_MIB),
            EngineOption::spin("Threads", threads, 1, MAX_THREADS),
            EngineOption::spin("MultiPV", self.multipv as u64, 1, MAX_MULTIPV),
            EngineOption::spin("Move Overhead", overhead, 0, MAX_OVERHEAD_MS),
            EngineOption::string("EvalFile", self.eval_files.path()),
            self.strength.skill_option(),
        ];
        if self.registry.entries().iter().any(|entry| entry.info.has_opening_book) {
            options.push(EngineOption::check(OWN_BOOK, self.uses_book));
        }
        let rulesets = self.all_rulesets();
        if let Some(first) = rulesets.first() {
            options.push(EngineOption::combo("Ruleset", self.ruleset.as_deref().unwrap_or(first), &rulesets));
        }
        options
    }

    /// Sets one of [`Engine::options`], whose name ignores case. Returns whether there is such an option.
    ///
    /// # Errors
    /// Returns an error if the value is not valid.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, SessionError> {
        let number = |min: u64, max: u64| parse_whole_number(name, value, min, max);
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let hash_mib = number(1, MAX_HASH_MIB)? as usize;
                check_memory(hash_mib)?;
                self.set_resources(SearchResources { hash_mib, ..self.resources.clone() });
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
                // The ruleset may be for a game that is selected later.
                if self.session.rulesets().contains(&value) {
                    self.session.set_ruleset(value)?;
                } else if !self.all_rulesets().contains(&value) {
                    let (rulesets, found) =
                        (self.all_rulesets().join(", "), protocol::tokens::shorten(value));
                    return Err(SessionError::new(format!("Ruleset is one of {rulesets}, found {found:?}")));
                }
                self.ruleset = Some(value.into());
            }
            "ownbook" => self.uses_book = parse_bool(name, value)?,
            "evalfile" => drop(self.set_eval_file(value)?),
            name => return self.strength.set_option(name, value),
        }
        Ok(true)
    }

    /// Changes the resources, which clears the search.
    fn set_resources(&mut self, resources: SearchResources) {
        if resources != self.resources {
            self.session.set_resources(&resources);
            self.resources = resources;
        }
    }

    /// Sends one line or several.
    pub(crate) fn send(&mut self, line: impl ToString) {
        self.replies.push(line.to_string());
    }

    /// Returns the next event. In a deferred input mode only search events are returned, and other events are queued.
    pub(super) fn next_event(&mut self, input_mode: InputMode) -> EngineEvent {
        let is_immediate = input_mode == InputMode::Immediate;
        if is_immediate && let Some(event) = self.queued_events.pop_front() {
            return event;
        }
        loop {
            let ends_by_itself = self.is_bounded && !self.is_pondering;
            // The end may have been queued during an earlier search.
            let is_last = match self.queued_end {
                InputState::Open => false,
                InputState::Ended => !ends_by_itself,
                InputState::Quit => !ends_by_itself || input_mode == InputMode::DeferredUntilQuit,
            };
            if !is_immediate && is_last {
                self.stop();
            }
            // The engine holds a sender itself, so the channel is never closed.
            let event = self.event_receiver.recv().unwrap_or(EngineEvent::InputClosed);
            if is_immediate || matches!(event, EngineEvent::Search(..)) {
                return event;
            }
            self.queue_event(event);
        }
    }

    /// Queues an event for later.
    fn queue_event(&mut self, event: EngineEvent) {
        self.queued_end = match &event {
            EngineEvent::Line(line) if is_quit(line) => InputState::Quit,
            EngineEvent::InputClosed if self.queued_end == InputState::Open => InputState::Ended,
            _ => self.queued_end,
        };
        self.queued_events.push_back(event);
    }

    /// Notes that the input has ended, and repeats that event after the search.
    pub(super) fn close_after_search(&mut self) {
        self.is_closing = true;
        self.queue_event(EngineEvent::InputClosed);
    }

    /// Returns whether the engine only waits for the end of the search.
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Returns how the queued input ends: whether the client has left.
    pub(super) fn queued_end(&self) -> InputState {
        self.queued_end
    }

    /// Queues the input that has arrived, and returns whether the queue has the line `stop`, which is removed.
    pub(super) fn take_stop(&mut self) -> bool {
        while let Ok(event) = self.event_receiver.try_recv() {
            self.queue_event(event);
        }
        let is_stop = |event: &EngineEvent| matches!(event, EngineEvent::Line(line) if line.trim() == "stop");
        let index = self.queued_events.iter().position(is_stop);
        index.and_then(|index| self.queued_events.remove(index)).is_some()
    }

    /// Returns the time budget from a clock. With a single legal move, the first depth is enough.
    pub(crate) fn time_budget(&self, clock: &ClockInput) -> TimeBudget {
        let budget = TimeBudget::from_clock(clock);
        let has_single_move = self.session.legal_moves(None).is_ok_and(|moves| moves.len() == 1);
        if has_single_move { TimeBudget { soft: Duration::ZERO, ..budget } } else { budget }
    }

    /// Prepares the first search, so that it does not spend its time on memory; unless a search is running, because
    /// then the reply must not wait.
    pub(crate) fn prepare(&self) {
        if !self.is_searching() {
            self.session.prepare();
        }
    }

    /// Starts another game: clears the search and changes the random seed of skill levels.
    pub(crate) fn new_game(&mut self) {
        self.session.clear_search();
        self.random_seed = random_seed();
        self.prepare();
    }

    /// Starts a search of the current position, whose events arrive in [`Engine::next_event`]. An unlimited search is
    /// an analysis, at full strength.
    ///
    /// # Errors
    /// Returns an error if a move in the limits is not legal.
    pub(crate) fn start_search(&mut self, limits: &SearchLimits) -> Result<(), SessionError> {
        self.abandon_search();
        self.search_number += 1;
        let (number, event_sender) = (self.search_number, self.event_sender.clone());
        // Sending fails after the end of the run.
        let sink = Box::new(move |event| drop(event_sender.send(EngineEvent::Search(number, event))));
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.time_budget.is_some();
        let level = self.strength.level(self.session.info()).filter(|_| is_limited);
        let uses_book = limits.uses_book && self.uses_book;
        let limits = SearchLimits { level, seed: self.random_seed, uses_book, ..limits.clone() };
        self.search = Some(start_search(self.session.as_ref(), &limits, sink)?);
        (self.is_bounded, self.is_pondering) = (is_bounded(&limits), limits.ponder);
        Ok(())
    }

    /// Requests the running search to stop.
    pub(crate) fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// Switches a pondering search to its own time.
    pub(crate) fn ponder_hit(&mut self) {
        self.is_pondering = false;
        if let Some(search) = &self.search {
            search.ponder_hit();
        }
    }

    /// Stops the running search, if there is one, and returns its last events.
    pub(super) fn finish_search(&mut self) -> Vec<SearchEvent> {
        let Some(search) = &self.search else { return Vec::new() };
        search.stop();
        search.join();
        let mut events = Vec::new();
        while let Ok(event) = self.event_receiver.try_recv() {
            match event {
                EngineEvent::Search(number, search_event)
                    if self.is_from_current_search(number, &search_event) =>
                {
                    events.push(search_event)
                }
                EngineEvent::Search(..) => {}
                event => self.queue_event(event),
            }
        }
        events
    }

    /// Stops the running search, if there is one, and discards its last events.
    pub(crate) fn abandon_search(&mut self) {
        drop(self.finish_search());
    }

    /// Returns whether an event belongs to the running search, which ends with its best move.
    pub(super) fn is_from_current_search(&mut self, number: u64, event: &SearchEvent) -> bool {
        let is_current = self.search.is_some() && number == self.search_number;
        if is_current && matches!(event, SearchEvent::BestMove(_)) {
            self.search = None;
        }
        is_current
    }

    /// Switches to another game, at its start position.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub(crate) fn switch_game(&mut self, game: &str) -> Result<(), SessionError> {
        if self.session.game() != game {
            let mut session = self.registry.open(game, None)?;
            session.set_resources(&self.resources);
            self.eval_files.apply(session.as_mut())?;
            if let Some(ruleset) =
                self.ruleset.as_deref().filter(|ruleset| session.rulesets().contains(ruleset))
            {
                session.set_ruleset(ruleset)?;
            }
            self.session = session;
            self.prepare();
            self.position = PositionSpec::default();
        }
        // The start position is always valid.
        self.set_position(PositionSpec::default())
            .map(drop)
            .map_err(|error| SessionError::new(error.to_string()))
    }

    /// Sets the position. Moves that the current position shares with the new one are not replayed, so that the cost
    /// does not grow with the length of the game. Issues that can be waived are waived; then a sentence for the user
    /// is returned that names them.
    ///
    /// # Errors
    /// Returns an error if the position or a move is not valid. The session then keeps the position before, but
    /// [`Engine::check_position`] returns the error until a position is
    /// accepted.
    pub(crate) fn set_position(
        &mut self,
        position: PositionSpec,
    ) -> Result<Option<String>, PositionRejected> {
        let previous = self.position.clone();
        let result = self.apply_position(position);
        if result.is_err() {
            // The previous position was valid.
            let restored = self.apply_position(previous);
            debug_assert!(restored.is_ok(), "{restored:?}");
        }
        self.refusal = result.as_ref().err().map(ToString::to_string);
        let note = |issues: String| format!("position accepted despite issues: {issues}");
        result.map(|waived| waived.map(note))
    }

    /// Notes that the client has sent a position that cannot be read.
    pub(crate) fn refuse_position(&mut self, error: &dyn Error) {
        self.refusal = Some(error.to_string());
    }

    /// Returns a parsed command. If it sets a position and cannot be read, `stop` ends what is running, and the
    /// position is refused.
    ///
    /// # Errors
    /// Returns the error of the parser.
    pub(crate) fn accept_command<C>(
        &mut self,
        command: Result<C, ParseError>,
        sets_position: bool,
        stop: impl FnOnce(&mut Engine),
    ) -> Result<C, ParseError> {
        if sets_position && let Err(error) = &command {
            stop(self);
            self.refuse_position(error);
        }
        command
    }

    /// Returns an error if the client's last position was refused: a search would answer for another position.
    ///
    /// # Errors
    /// Returns the error of that position.
    pub(crate) fn check_position(&self) -> Result<(), SessionError> {
        match &self.refusal {
            Some(reason) => Err(SessionError::new(format!(
                "there is no position, because the last one was refused: {reason}"
            ))),
            None => Ok(()),
        }
    }

    fn apply_position(&mut self, position: PositionSpec) -> Result<Option<String>, PositionRejected> {
        let has_same_start = (&self.position.fen, self.position.dialect) == (&position.fen, position.dialect);
        let shared = match has_same_start {
            true => {
                self.position.moves.iter().zip(&position.moves).take_while(|(old, new)| old == new).count()
            }
            false => 0,
        };
        let mut waived = None;
        if self.position.fen == position.fen {
            self.undo_moves(self.position.moves.len() - shared);
        } else {
            waived = self.open_position(position.fen.as_deref())?;
            self.position = PositionSpec { fen: position.fen, ..PositionSpec::default() };
        }
        self.position.dialect = position.dialect;
        for (number, text) in (shared + 1..).zip(position.moves.into_iter().skip(shared)) {
            // A game may have been played under other rules than those of the engine.
            let replayed = self.session.replay(&text, self.position.dialect);
            replayed.map_err(|error| PositionRejected::Invalid(error.at_move(number)))?;
            self.position.moves.push(text);
        }
        Ok(waived)
    }

    /// Opens a position and returns the issues that were waived.
    fn open_position(&mut self, fen: Option<&str>) -> Result<Option<String>, PositionRejected> {
        let text = fen.unwrap_or("startpos");
        let Err(error) = self.session.open(text, &Waivers::None) else { return Ok(None) };
        let current = self.session.game();
        let is_valid_in = |game: &str| {
            self.registry.open(game, None).is_ok_and(|mut session| session.open(text, &Waivers::None).is_ok())
        };
        if let Some(game) = self.registry.games().find(|&game| game != current && is_valid_in(game)) {
            return Err(PositionRejected::OtherGame { game, current });
        }
        match self.session.open(text, &Waivers::All) {
            Ok(()) => Ok(Some(error.to_string())),
            Err(_) => Err(PositionRejected::Invalid(error)),
        }
    }

    /// Plays a move in the dialect of the position.
    ///
    /// # Errors
    /// Returns an error if the move is not legal, or the ruleset refuses it.
    pub(crate) fn play(&mut self, text: String) -> Result<MoveResult, SessionError> {
        let result = self.session.play(&text, self.position.dialect)?;
        self.position.moves.push(text);
        Ok(result)
    }

    /// Returns the current position as it was specified.
    pub(crate) fn position(&self) -> PositionSpec {
        self.position.clone()
    }

    /// Returns the number of moves since the specified start position.
    pub(crate) fn ply(&self) -> usize {
        self.position.moves.len()
    }

    /// Returns whether a search is running.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Takes back this number of moves, or all if there are fewer.
    pub(crate) fn undo_moves(&mut self, count: usize) {
        for _ in 0..count.min(self.position.moves.len()) {
            self.session.undo();
            self.position.moves.pop();
        }
    }

    /// Converts a move from a dialect into the default dialect.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub(crate) fn convert_to_default_dialect(
        &mut self,
        text: &str,
        dialect: Option<&str>,
    ) -> Result<String, SessionError> {
        let result = self.session.play(text, dialect)?;
        self.session.undo();
        Ok(result.text)
    }

    /// Converts moves that are to be excluded from a dialect into the default dialect, also those that the ruleset
    /// refuses. Returns them, and the errors of those that are not legal.
    pub(crate) fn convert_excluded_moves(
        &mut self,
        moves: &[String],
        dialect: Option<&str>,
    ) -> (Vec<String>, Vec<SessionError>) {
        let (mut converted, mut errors) = (Vec::new(), Vec::new());
        for mv in moves {
            match self.session.replay(mv, dialect) {
                Ok(result) => {
                    converted.push(result.text);
                    self.session.undo();
                }
                Err(error) => errors.push(error),
            }
        }
        (converted, errors)
    }
}
