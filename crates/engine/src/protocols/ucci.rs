//! The engine side of UCCI 3.0, a protocol for xiangqi only.

use std::collections::HashMap;
use std::time::Duration;

use alfil_kernel::Bound;
use alfil_protocol::EngineOption;
use alfil_protocol::ucci::{Command, Go, Reply, parse_command};
use alfil_protocol::uci::PositionCommand;

use super::draw_policy::DrawResignPolicy;
use super::engine::{Engine, OWN_BOOK, PositionSpec};
use super::go_answer::{DeferredAnswer, normalise_iccs, resolve_limits};
use super::{
    AUTHOR, ControlFlow, ENGINE_NAME, HandlerResult, InputMode, ProtocolHandler, parse_bool, to_milliseconds,
};
use crate::SearchEvent;
use alfil_session::{ClockInput, SearchLimits, SearchReport, SessionError, TimeBudget};

/// The only game of the protocol.
const GAME: &str = "xiangqi";

/// The search result of a position, for `probe`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ProbeEntry {
    /// The depth in plies.
    depth: u32,
    score: i32,
    pv: Vec<String>,
}

/// The state of a UCCI engine beside [`Engine`].
#[derive(Debug, Default)]
pub(crate) struct UcciHandler {
    /// Whether times are in milliseconds instead of seconds.
    uses_milliseconds: bool,
    /// Whether input waits during a search, because it comes from a file.
    batch: bool,
    /// The root moves to exclude, until the next position.
    excluded_moves: Vec<String>,
    deferred_answer: DeferredAnswer,
    /// Whether the opponent has offered a draw.
    draw_offered: bool,
    policy: DrawResignPolicy,
    /// The result of the current search so far.
    current: ProbeEntry,
    /// Whether its score is exact or a bound; `None` before the first result.
    bound: Option<Bound>,
    /// The hash key of the searched position.
    hash_key: u64,
    /// The search results of this game by hash key, for `probe`.
    probe_entries: HashMap<u64, ProbeEntry>,
}

/// Returns the name of an option in UCCI: a single word, and one of its own for the table size.
fn ucci_option_name(name: &str) -> String {
    match name {
        "Hash" => "hashsize".into(),
        name => name.to_ascii_lowercase().replace(' ', ""),
    }
}

impl UcciHandler {
    /// Creates the state before the first line.
    ///
    /// # Errors
    /// Returns an error if xiangqi cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        if engine.session.game() != GAME {
            let message = format!("UCCI supports only {GAME}: the game is now {GAME}");
            engine.send(Reply::InfoMessage(&message));
            engine.switch_game(GAME)?;
        }
        Ok(UcciHandler::default())
    }

    fn send_identification(&self, engine: &mut Engine) {
        engine.send(Reply::Id("name", ENGINE_NAME));
        engine.send(Reply::Id("author", AUTHOR));
        let mut options = vec![
            EngineOption::check("usemillisec", self.uses_milliseconds),
            EngineOption::check("batch", self.batch),
            EngineOption::check("ponder", false),
            EngineOption::button("newgame"),
        ];
        let common = engine.options().into_iter().filter(|option| option.name != OWN_BOOK);
        for mut option in common.chain(self.policy.options()) {
            option.name = ucci_option_name(&option.name);
            options.push(option);
        }
        for option in &options {
            engine.send(Reply::Option(option));
        }
        engine.send(Reply::UcciOk);
    }

    /// Sets an option. GUIs send options without checking which exist, so unknown ones are ignored.
    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        engine: &mut Engine,
    ) -> Result<(), SessionError> {
        let text = value.unwrap_or_default();
        let name = name.to_ascii_lowercase();
        // The value 0 selects the default.
        let amount = |default: &'static str| if text == "0" { default.to_owned() } else { text.to_owned() };
        let option = engine.options().into_iter().find(|option| ucci_option_name(&option.name) == name);
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
            "evalfile" => {
                let message = engine.set_eval_file(text)?;
                engine.send(Reply::InfoMessage(&message));
            }
            _ => match option {
                Some(option) => drop(engine.set_option(&option.name, text)?),
                None => drop(self.policy.set_option(&name, text)?),
            },
        }
        Ok(())
    }

    fn set_position(&mut self, position: &PositionCommand<'_>, engine: &mut Engine) {
        let previous = engine.position();
        match engine.set_position(to_position_spec(position)) {
            Ok(waived) => {
                self.excluded_moves.clear();
                engine.prepare();
                if !is_same_game(&previous, &engine.position()) {
                    self.policy.clear();
                }
                if let Some(note) = waived {
                    self.report_error(&note, engine);
                }
            }
            Err(error) => self.report_error(&error.to_string(), engine),
        }
    }

    /// Excludes moves from the next searches. One that is not legal is reported and left out.
    fn exclude_moves(&mut self, moves: &[&str], engine: &mut Engine) {
        let moves: Vec<_> = moves.iter().map(|mv| normalise_iccs(mv)).collect();
        let (excluded, errors) = engine.convert_excluded_moves(&moves, None);
        self.excluded_moves = excluded;
        for error in errors {
            self.report_error(&format!("banmoves: {error}"), engine);
        }
    }

    fn to_duration(&self, amount: u64) -> Duration {
        if self.uses_milliseconds {
            Duration::from_millis(amount)
        } else {
            Duration::from_secs(amount.min(u64::MAX / 1000))
        }
    }

    /// Executes a `go`, which always has an answer.
    fn go(&mut self, go: &Go, engine: &mut Engine) {
        for issue in &go.issues {
            self.report_error(&issue.to_string(), engine);
        }
        if let Err(error) = engine.check_position().and_then(|()| self.start_search(go, engine)) {
            self.report_error(&error.to_string(), engine);
            engine.send(Reply::NoBestMove);
        }
    }

    fn start_search(&mut self, go: &Go, engine: &mut Engine) -> Result<(), SessionError> {
        if go.depth == Some(0) {
            let score = engine.session.static_eval();
            engine.send(Reply::InfoDepth(0, None, score, &[]));
            engine.send(Reply::NoBestMove);
            return Ok(());
        }
        let time_budget: Option<TimeBudget> = go.time.map(|remaining| {
            engine.time_budget(&ClockInput {
                remaining: self.to_duration(remaining.max(0) as u64),
                increment: self.to_duration(go.increment),
                moves_to_go: go.movestogo,
                overhead: engine.overhead,
            })
        });
        let has_limit = go.depth.is_some() || go.nodes.is_some() || time_budget.is_some();
        let has_issue = !go.issues.is_empty();
        let (time_budget, is_limited) = resolve_limits(time_budget, has_limit, go.infinite, has_issue);
        let limits = SearchLimits {
            depth: go.depth,
            nodes: go.nodes,
            multipv: engine.multipv,
            excluded_moves: self.excluded_moves.clone(),
            time_budget,
            ponder: go.ponder,
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        (self.current, self.bound) = (ProbeEntry::default(), None);
        self.hash_key = engine.session.view().hash_key;
        self.deferred_answer.start_search(is_limited, go.ponder);
        self.draw_offered = go.draw;
        Ok(())
    }

    /// Sends the best move and, if known, the expected reply.
    fn send_best_move(&mut self, best: Option<String>, engine: &mut Engine) {
        let (entry, bound) = (std::mem::take(&mut self.current), self.bound.take());
        let Some(best) = best else { return engine.send(Reply::NoBestMove) };
        // After an aborted search the last reported line may begin with another move.
        let has_best_pv = entry.pv.first() == Some(&best);
        let expected = entry.pv.get(1).filter(|_| has_best_pv).map(String::as_str);
        let draw_offered = std::mem::take(&mut self.draw_offered);
        let mut announcement = None;
        if let Some(bound) = bound.filter(|_| entry.depth > 0) {
            let move_number = engine.session.view().fullmove_number;
            self.policy.add_score(engine.ply(), move_number, entry.score, bound);
            announcement = match () {
                () if self.policy.should_resign() => Some("resign"),
                () if self.policy.should_offer_draw()
                    || (draw_offered && self.policy.should_accept_draw()) =>
                {
                    Some("draw")
                }
                () => None,
            };
        }
        engine.send(Reply::BestMove(&best, expected, announcement));
        if has_best_pv {
            self.probe_entries.insert(self.hash_key, entry);
        }
    }

    /// Sends the stored result of a position, which is set up in another session.
    fn probe(&self, command: &PositionCommand<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let position = to_position_spec(command);
        let mut session = engine.registry.open(GAME, None)?;
        session.open(position.fen.as_deref().unwrap_or("startpos"), &alfil_kernel::Waivers::All)?;
        for text in &position.moves {
            session.replay(text, None)?;
        }
        let entry = self.probe_entries.get(&session.view().hash_key);
        let known = entry.and_then(|entry| Some((entry.pv.first()?.as_str(), entry.score, entry.depth)));
        engine.send(Reply::PopHash(known));
        Ok(())
    }
}

/// Returns whether the new position continues the game. After pondering, the last move may differ from the expected
/// one.
fn is_same_game(before: &PositionSpec, after: &PositionSpec) -> bool {
    let certain = before.moves.split_last().map_or(&[][..], |(_, moves)| moves);
    before.fen == after.fen && after.moves.starts_with(certain)
}

fn to_position_spec(position: &PositionCommand<'_>) -> PositionSpec {
    let moves = position.moves.iter().map(|mv| normalise_iccs(mv)).collect();
    PositionSpec { fen: position.fen.map(str::to_owned), moves, dialect: None }
}

impl ProtocolHandler for UcciHandler {
    fn sends_positions(&self) -> bool {
        true
    }

    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult {
        let sets_position = line.split_whitespace().next() == Some("position");
        let command =
            engine.accept_command(parse_command(line), sets_position, |engine| self.finish_search(engine))?;
        // Commands that change the position end the search first, so that every `go` gets its answer.
        if matches!(
            command,
            Command::Position(_)
                | Command::Go(_)
                | Command::BanMoves(_)
                | Command::SetOption { .. }
                | Command::Quit
        ) {
            self.finish_search(engine);
        }
        match command {
            Command::Ucci => self.send_identification(engine),
            Command::IsReady => {
                engine.prepare();
                engine.send(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => self.set_option(name, value, engine)?,
            Command::Position(position) => self.set_position(&position, engine),
            Command::BanMoves(moves) => self.exclude_moves(&moves, engine),
            Command::Go(go) => self.go(&go, engine),
            Command::PonderHit { draw } => {
                self.draw_offered |= draw;
                engine.ponder_hit();
                if self.deferred_answer.is_pondering() {
                    self.send_deferred_answer(engine);
                }
            }
            // A GUI that waits for a best move which never comes gets an empty one.
            Command::Stop if !engine.is_searching() && !self.deferred_answer.is_waiting() => {
                engine.send(Reply::NoBestMove)
            }
            Command::Stop => {
                engine.stop();
                self.send_deferred_answer(engine);
            }
            Command::Probe(position) => self.probe(&position, engine)?,
            Command::Ignored => {}
            Command::Quit => {
                engine.send(Reply::Bye);
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine) {
        match event {
            SearchEvent::Info {
                report: SearchReport { multipv, depth, score, bound, nodes, pv, .. },
                seconds,
            } => {
                engine.send(Reply::InfoTime(to_milliseconds(seconds), nodes));
                engine.send(Reply::InfoDepth(depth, (engine.multipv > 1).then_some(multipv), score, &pv));
                if multipv == 1 {
                    (self.current, self.bound) = (ProbeEntry { depth, score, pv }, Some(bound));
                }
            }
            SearchEvent::Failed(message) => self.report_error(&message, engine),
            SearchEvent::BestMove(best) => {
                if let Some(best) = self.deferred_answer.on_best_move(best) {
                    self.send_best_move(best, engine);
                }
            }
        }
    }

    fn report_error(&mut self, message: &str, engine: &mut Engine) {
        engine.send(Reply::InfoMessage(message));
    }

    fn input_mode(&self, engine: &Engine) -> InputMode {
        if self.batch && engine.is_searching() { InputMode::Deferred } else { InputMode::Immediate }
    }

    fn send_deferred_answer(&mut self, engine: &mut Engine) {
        if let Some(best) = self.deferred_answer.take() {
            self.send_best_move(best, engine);
        }
    }
}
