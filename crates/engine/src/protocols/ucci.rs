//! The engine's side of UCCI 3.0, which is spoken of xiangqi alone.

use std::collections::HashMap;
use std::time::Duration;

use alfil_protocol::EngineOption;
use alfil_protocol::ucci::{Command, Go, Reply, parse_command};
use alfil_protocol::uci::PositionCommand;

use super::draw_policy::DrawResignPolicy;
use super::engine::{Engine, PositionSpec};
use super::{AUTHOR, ControlFlow, ENGINE_NAME, InputMode, ProtocolHandler, parse_bool, to_milliseconds};
use crate::SearchEvent;
use alfil_session::SearchLimits;
use alfil_session::game_session::SessionError;
use alfil_session::registry;
use alfil_session::{ClockInput, TimeBudget};

/// The only game of the protocol.
const GAME: &str = "xiangqi";

/// What was found out about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ProbeEntry {
    /// Plies.
    depth: u32,
    score: i32,
    pv: Vec<String>,
}

/// The state of a UCCI dialogue beside the engine's own.
#[derive(Debug, Default)]
pub(crate) struct UcciHandler {
    /// Times are milliseconds, not seconds.
    uses_milliseconds: bool,
    /// Nothing is read while it thinks: the input is a file.
    batch: bool,
    /// First moves not to think about, until the next position.
    excluded_moves: Vec<String>,
    /// The answer must wait for `ponderhit` or `stop`.
    is_pondering: bool,
    /// The answer that waits.
    deferred_answer: Option<Option<String>>,
    /// A draw was offered to it.
    draw_offered: bool,
    policy: DrawResignPolicy,
    /// What is known of the position it thinks about.
    current: ProbeEntry,
    /// The key of that position.
    hash_key: u64,
    /// What it remembers of the positions that it thought about in this game, for `probe`.
    probe_entries: HashMap<u64, ProbeEntry>,
}

impl UcciHandler {
    /// Before the first line.
    ///
    /// # Errors
    /// If xiangqi cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        if engine.session.game() != GAME {
            let words = format!("UCCI is spoken of {GAME} alone, so that is played");
            engine.send(Reply::InfoMessage(&words));
            engine.switch_game(GAME)?;
        }
        Ok(UcciHandler::default())
    }

    fn send_identification(&self, engine: &mut Engine) {
        engine.send(Reply::Id("name", ENGINE_NAME));
        engine.send(Reply::Id("author", AUTHOR));
        let mut settings = vec![
            EngineOption::check("usemillisec", self.uses_milliseconds),
            EngineOption::check("batch", self.batch),
            EngineOption::check("ponder", false),
            EngineOption::button("newgame"),
        ];
        for mut setting in engine.options().into_iter().chain(self.policy.options()) {
            // Names are one word here, and the table has one of its own.
            setting.name = match setting.name.as_str() {
                "Hash" => "hashsize".into(),
                name => name.to_ascii_lowercase().replace(' ', ""),
            };
            settings.push(setting);
        }
        for setting in &settings {
            engine.send(Reply::Option(setting));
        }
        engine.send(Reply::UcciOk);
    }

    /// Sets an option. GUIs send theirs without asking which there are, so what is not known is left alone.
    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        engine: &mut Engine,
    ) -> Result<(), SessionError> {
        let text = value.unwrap_or_default();
        let name = name.to_ascii_lowercase();
        // 0 leaves it to the engine.
        let amount = |usual: &'static str| if text == "0" { usual.to_owned() } else { text.to_owned() };
        match name.as_str() {
            "usemillisec" => self.uses_milliseconds = parse_bool(&name, text)?,
            "batch" => self.batch = parse_bool(&name, text)?,
            "newgame" => {
                engine.new_game();
                self.policy.clear();
                self.probe_entries.clear();
            }
            "hashsize" => drop(engine.set_option("hash", &amount("32"))?),
            "threads" => drop(engine.set_option("threads", &amount("1"))?),
            "multipv" | "ruleset" => drop(engine.set_option(&name, text)?),
            "moveoverhead" => drop(engine.set_option("move overhead", text)?),
            "skilllevel" => drop(engine.set_option("skill level", text)?),
            _ => drop(self.policy.set_option(&name, text)?),
        }
        Ok(())
    }

    fn set_position(&mut self, position: &PositionCommand<'_>, engine: &mut Engine) {
        let before = engine.position();
        match engine.set_position(to_position_spec(position)) {
            Ok(waived) => {
                self.excluded_moves.clear();
                if !is_same_game(&before, &engine.position()) {
                    self.policy.clear();
                }
                if let Some(complaint) = waived {
                    self.report_error(&format!("played all the same: {complaint}"), engine);
                }
            }
            Err(refusal) => self.report_error(&refusal.to_string(), engine),
        }
    }

    fn exclude_moves(&mut self, moves: &[&str], engine: &mut Engine) -> Result<(), SessionError> {
        let banned = moves
            .iter()
            .map(|mv| engine.to_default_dialect(&normalise_move(mv), None))
            .collect::<Result<_, _>>()?;
        self.excluded_moves = banned;
        Ok(())
    }

    fn to_duration(&self, amount: u64) -> Duration {
        if self.uses_milliseconds {
            Duration::from_millis(amount)
        } else {
            Duration::from_secs(amount.min(u64::MAX / 1000))
        }
    }

    fn go(&mut self, go: &Go, engine: &mut Engine) -> Result<(), SessionError> {
        if go.depth == Some(0) {
            let score = engine.session.static_eval();
            engine.send(Reply::InfoDepth(0, None, score, &[]));
            engine.send(Reply::NoBestMove);
            return Ok(());
        }
        // Every `go` must have its answer, so what is nothing is said to be and taken as the least.
        if go.nodes == Some(0) {
            self.report_error("nodes is at least 1, found 0: it is taken as 1", engine);
        }
        if go.movestogo == Some(0) {
            self.report_error("movestogo is at least 1, found 0: it is left out", engine);
        }
        let clock: Option<TimeBudget> = go.time.map(|left| {
            engine.time_budget(&ClockInput {
                remaining: self.to_duration(left.max(0) as u64),
                increment: self.to_duration(go.increment),
                moves_to_go: go.movestogo.filter(|&moves| moves > 0),
                overhead: engine.overhead,
            })
        });
        let limits = SearchLimits {
            depth: go.depth,
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            multipv: engine.multipv,
            excluded_moves: self.excluded_moves.clone(),
            time_budget: clock,
            ponder: go.ponder,
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        self.current = ProbeEntry::default();
        self.hash_key = engine.session.view().hash_key;
        self.deferred_answer = None;
        self.is_pondering = go.ponder;
        self.draw_offered = go.draw;
        Ok(())
    }

    /// The answer, with the move that is expected then.
    fn send_best_move(&mut self, best: Option<String>, engine: &mut Engine) {
        self.is_pondering = false;
        let found = std::mem::take(&mut self.current);
        let Some(best) = best else { return engine.send(Reply::NoBestMove) };
        // The line that was told last may begin with another move, where the search was cut off.
        let sure = found.pv.first() == Some(&best);
        let expected = found.pv.get(1).filter(|_| sure).map(String::as_str);
        let offered = std::mem::take(&mut self.draw_offered);
        let mut word = None;
        if found.depth > 0 {
            self.policy.add_score(engine.ply(), engine.session.view().fullmove_number, found.score);
            word = match () {
                () if self.policy.should_resign() => Some("resign"),
                () if self.policy.should_offer_draw() || (offered && self.policy.should_accept_draw()) => {
                    Some("draw")
                }
                () => None,
            };
        }
        engine.send(Reply::BestMove(&best, expected, word));
        if sure {
            self.probe_entries.insert(self.hash_key, found);
        }
    }

    /// What waits, waits no longer; whether anything did.
    fn send_deferred_answer(&mut self, engine: &mut Engine) -> bool {
        self.is_pondering = false;
        let held = self.deferred_answer.take();
        let any = held.is_some();
        if let Some(best) = held {
            self.send_best_move(best, engine);
        }
        any
    }

    /// What is remembered of a position, looked at on another desk.
    fn probe(&self, position: &PositionCommand<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let place = to_position_spec(position);
        let mut desk = registry::open(GAME, None)?;
        desk.open(place.fen.as_deref().unwrap_or("startpos"), &alfil_kernel::Waivers::All)?;
        for text in &place.moves {
            desk.play(text, None)?;
        }
        let found = self.probe_entries.get(&desk.view().hash_key);
        let known = found.and_then(|found| Some((found.pv.first()?.as_str(), found.score, found.depth)));
        engine.send(Reply::PopHash(known));
        Ok(())
    }
}

/// ICCS writes a hyphen, and upper case; the points are the same.
fn normalise_move(mv: &str) -> String {
    mv.replace('-', "").to_ascii_lowercase()
}

/// Whether a game goes on from one place to the next; where it pondered, the last move may have been another than it expected.
fn is_same_game(before: &PositionSpec, after: &PositionSpec) -> bool {
    let sure = before.moves.split_last().map_or(&[][..], |(_, moves)| moves);
    before.fen == after.fen && after.moves.starts_with(sure)
}

fn to_position_spec(position: &PositionCommand<'_>) -> PositionSpec {
    let moves = position.moves.iter().map(|mv| normalise_move(mv)).collect();
    PositionSpec { fen: position.fen.map(str::to_owned), moves, dialect: None }
}

impl ProtocolHandler for UcciHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow {
        let command = match parse_command(line) {
            Ok(command) => command,
            Err(fault) => {
                self.report_error(&fault.to_string(), engine);
                return ControlFlow::Continue;
            }
        };
        // Whatever changes the desk ends a thought first, so that every `go` has its answer.
        if matches!(
            command,
            Command::Position(_) | Command::Go(_) | Command::BanMoves(_) | Command::SetOption { .. }
        ) {
            self.finish_search(engine);
        }
        let mut done = Ok(());
        match command {
            Command::Ucci => self.send_identification(engine),
            Command::IsReady => {
                engine.prepare();
                engine.send(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => done = self.set_option(name, value, engine),
            Command::Position(position) => self.set_position(&position, engine),
            Command::BanMoves(moves) => done = self.exclude_moves(&moves, engine),
            Command::Go(go) => done = self.go(&go, engine),
            Command::PonderHit { draw } => {
                self.draw_offered |= draw;
                engine.ponder_hit();
                self.send_deferred_answer(engine);
            }
            // A GUI that waits for an answer which never comes is helped by one that says nothing.
            Command::Stop if !engine.is_searching() && self.deferred_answer.is_none() => {
                engine.send(Reply::NoBestMove)
            }
            Command::Stop => {
                engine.stop();
                self.send_deferred_answer(engine);
            }
            Command::Probe(position) => done = self.probe(&position, engine),
            Command::Ignored => {}
            Command::Quit => {
                engine.abandon_search();
                engine.send(Reply::Bye);
                return ControlFlow::Break;
            }
        }
        if let Err(error) = done {
            self.report_error(&error.to_string(), engine);
        }
        ControlFlow::Continue
    }

    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine) {
        match thought {
            SearchEvent::Info { multipv: rank, depth, score, nodes, seconds, pv: line, .. } => {
                engine.send(Reply::InfoTime(to_milliseconds(seconds), nodes));
                engine.send(Reply::InfoDepth(depth, (engine.multipv > 1).then_some(rank), score, &line));
                if rank == 1 {
                    self.current = ProbeEntry { depth, score, pv: line };
                }
            }
            SearchEvent::Failed(words) => self.report_error(&words, engine),
            SearchEvent::BestMove(best) if self.is_pondering => self.deferred_answer = Some(best),
            SearchEvent::BestMove(best) => self.send_best_move(best, engine),
        }
    }

    fn report_error(&mut self, words: &str, engine: &mut Engine) {
        engine.send(Reply::InfoMessage(words));
    }

    fn input_mode(&self, engine: &Engine) -> InputMode {
        if self.batch && engine.is_searching() { InputMode::Deferred } else { InputMode::Immediate }
    }

    fn finish_search(&mut self, engine: &mut Engine) {
        for thought in engine.finish_search() {
            self.on_search_event(thought, engine);
        }
        self.send_deferred_answer(engine);
    }
}
