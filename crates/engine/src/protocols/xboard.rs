//! The engine side of CECP, the protocol of XBoard and WinBoard: the engine keeps the game, plays one side, ponders and
//! analyses.

use std::time::{Duration, Instant};

use alfil_kernel::{Bound, Outcome, Side};
use alfil_protocol::tokens::shorten;
use alfil_protocol::xboard::{Command, LevelCommand, Reply, ThinkingOutput, parse_command};

use super::cecp_features::{find_option, send_features, variants};
use super::cecp_moves::{format_line, format_move, parse_move};
use super::draw_policy::DrawResignPolicy;
use super::engine::{Engine, PositionRejected, PositionSpec};
use super::{ControlFlow, HandlerResult, ProtocolHandler, to_milliseconds};
use crate::SearchEvent;
use alfil_session::{ClockInput, GameEnd, SearchLimits, SearchReport, SessionError, TimeBudget};

/// What the engine does when a position is reached: it waits, plays a side or analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The engine plays no side.
    Force,
    /// The engine plays this side.
    Playing(Side),
    /// The engine plays no side and analyses the position.
    Analysis,
}

/// The purpose of the running search.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    /// The engine's own move.
    Move,
    /// Pondering on the expected move, which is already played in the session. If the search has ended, `answer` is its
    /// best move.
    Ponder {
        expected: String,
        answer: Option<String>,
    },
    /// The analysis of the position.
    Analysis,
}

/// The state of a CECP engine beside [`Engine`].
#[derive(Debug)]
pub(crate) struct XboardHandler {
    /// The variants that can be played.
    variants: Vec<(&'static str, &'static str)>,
    variant: &'static str,
    mode: Mode,
    activity: Activity,
    shows_thinking: bool,
    ponders: bool,
    level: LevelCommand,
    /// The fixed time for each move, in milliseconds.
    move_time: Option<u64>,
    depth: Option<u32>,
    /// The remaining time of the engine.
    remaining: Duration,
    search_started: Instant,
    /// The pings to answer after the next move.
    pings: Vec<String>,
    /// The last reported best line, in the default dialect, and its score, which may be a bound.
    best_pv: Vec<String>,
    score: Option<(i32, Bound)>,
    /// Whether the opponent has offered a draw since the last own move.
    draw_offered: bool,
    policy: DrawResignPolicy,
    /// The milliseconds, nodes and plies of the analysis.
    progress: (u64, u64, u32),
    /// Whether the next lines may be pieces of a refused `edit`.
    is_editing: bool,
}

impl XboardHandler {
    /// Creates the state before the first line, with the variants of one game or of all.
    ///
    /// # Errors
    /// Returns an error if the game cannot be played.
    pub(crate) fn new(game: Option<&str>, engine: &mut Engine) -> Result<Self, SessionError> {
        let is_included = |name| game.is_none_or(|game| game == name);
        let variants: Vec<_> = variants(engine).into_iter().filter(|(_, game)| is_included(*game)).collect();
        let Some(&(first, _)) = variants.first() else {
            return Err(SessionError::new("the game has no CECP variant: use another protocol"));
        };
        let level = LevelCommand { moves: 40, base: 300_000, increment: 0 };
        let mut handler = XboardHandler {
            variant: first,
            variants,
            mode: Mode::Force,
            activity: Activity::Idle,
            shows_thinking: false,
            ponders: false,
            level,
            move_time: None,
            depth: None,
            remaining: Duration::from_millis(level.base),
            search_started: Instant::now(),
            pings: Vec::new(),
            best_pv: Vec::new(),
            score: None,
            draw_offered: false,
            policy: DrawResignPolicy::default(),
            progress: (0, 0, 0),
            is_editing: false,
        };
        handler.switch_variant(handler.variant, engine)?;
        Ok(handler)
    }

    /// Switches to a variant.
    fn switch_variant(&mut self, name: &str, engine: &mut Engine) -> Result<(), SessionError> {
        let Some(&(variant, game)) = self.variants.iter().find(|(variant, _)| *variant == name) else {
            let names: Vec<_> = self.variants.iter().map(|(variant, _)| *variant).collect();
            return Err(SessionError::new(format!(
                "unsupported variant: expected one of {}",
                names.join(", ")
            )));
        };
        engine.switch_game(game)?;
        self.variant = variant;
        self.clear_game_state();
        Ok(())
    }

    /// Clears the search results and draw offers of the previous position.
    fn clear_game_state(&mut self) {
        self.policy.clear();
        self.draw_offered = false;
        self.score = None;
        self.best_pv.clear();
    }

    /// Starts a new game in which the engine plays the second side. An analysis goes on with the start position.
    fn new_game(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        self.switch_variant(self.variants[0].0, engine)?;
        engine.new_game();
        if self.mode != Mode::Analysis {
            self.mode = Mode::Playing(!engine.session.view().side_to_move);
        }
        self.depth = None;
        self.remaining = Duration::from_millis(self.level.base);
        self.continue_game(engine)
    }

    /// Starts a search of the current position.
    fn start_search(&mut self, activity: Activity, engine: &mut Engine) -> Result<(), SessionError> {
        let is_analysis = activity == Activity::Analysis;
        let limits = SearchLimits {
            depth: self.depth.filter(|_| !is_analysis),
            multipv: engine.multipv,
            time_budget: (!is_analysis).then(|| self.time_budget(engine)),
            uses_book: activity == Activity::Move,
            ponder: matches!(activity, Activity::Ponder { .. }),
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        self.search_started = Instant::now();
        self.best_pv.clear();
        self.score = None;
        self.activity = activity;
        Ok(())
    }

    fn time_budget(&self, engine: &Engine) -> TimeBudget {
        if let Some(time) = self.move_time {
            return TimeBudget::exact(Duration::from_millis(time).saturating_sub(engine.overhead));
        }
        let played = (engine.ply() / 2) as u32;
        engine.time_budget(&ClockInput {
            remaining: self.remaining,
            increment: Duration::from_millis(self.level.increment),
            moves_to_go: (self.level.moves > 0).then(|| self.level.moves - played % self.level.moves.max(1)),
            overhead: engine.overhead,
        })
    }

    /// Starts what the mode demands in the current position: a search for the own move, or an analysis.
    fn continue_game(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        let view = engine.session.view();
        match self.mode {
            _ if engine.check_position().is_err() => Ok(()),
            Mode::Analysis => self.start_search(Activity::Analysis, engine),
            Mode::Playing(side) if side == view.side_to_move && self.can_continue(engine) => {
                self.start_search(Activity::Move, engine)
            }
            Mode::Playing(_) | Mode::Force => Ok(()),
        }
    }

    /// Returns whether the game has not ended, or has an end that the GUI might not recognise. In xiangqi the rulesets
    /// count moves without a capture and judge repetitions in different ways, and XBoard has a way of its own. It ends
    /// the game by itself, and an engine that claims an end that XBoard does not recognise has lost. So the engine
    /// plays on.
    fn can_continue(&self, engine: &Engine) -> bool {
        engine.session.game_end().is_none()
            || self.variant == "xiangqi"
                && engine.session.legal_moves(None).is_ok_and(|moves| !moves.is_empty())
    }

    /// Stops the current activity, and restores the position as the GUI has it.
    fn stop_activity(&mut self, engine: &mut Engine) {
        engine.abandon_search();
        if let Activity::Ponder { .. } = std::mem::replace(&mut self.activity, Activity::Idle) {
            engine.undo_moves(1);
        }
        self.answer_pings(engine);
    }

    fn answer_pings(&mut self, engine: &mut Engine) {
        for ping in self.pings.drain(..) {
            engine.send(Reply::Pong(&ping));
        }
    }

    /// Handles a move of the opponent or, in force mode, of either side.
    fn on_user_move(&mut self, text: &str, engine: &mut Engine) -> Result<(), SessionError> {
        engine.check_position()?;
        // An illegal move changes nothing: analysis and pondering go on.
        let mv = if let Activity::Ponder { expected, .. } = &self.activity {
            let expected = expected.clone();
            engine.undo_moves(1);
            let mv = parse_move(self.variant, text, engine);
            engine.play(expected.clone())?;
            if mv.as_ref() == Ok(&expected) {
                return self.ponder_hit(engine);
            }
            mv?
        } else if self.activity == Activity::Move {
            return Err(SessionError::new("it is not your turn"));
        } else {
            parse_move(self.variant, text, engine)?
        };
        self.stop_activity(engine);
        let result = engine.play(mv)?;
        if let (Some(end), Mode::Playing(_)) = (result.game_end, self.mode) {
            self.offer_unrecognised_draw(&end, engine);
            self.send_result(&end, engine);
        }
        self.continue_game(engine)
    }

    /// Switches from pondering to the own move, because the expected move was played.
    fn ponder_hit(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        let Activity::Ponder { answer, .. } = std::mem::replace(&mut self.activity, Activity::Move) else {
            return Ok(());
        };
        self.search_started = Instant::now();
        match answer {
            Some(answer) => self.play_own_move(Some(answer), engine),
            None => {
                engine.ponder_hit();
                Ok(())
            }
        }
    }

    /// Plays the own move, and starts to ponder.
    fn play_own_move(&mut self, best: Option<String>, engine: &mut Engine) -> Result<(), SessionError> {
        self.activity = Activity::Idle;
        let Some(best) = best else { return Ok(()) };
        let elapsed = self.search_started.elapsed();
        self.remaining = self.remaining.saturating_sub(elapsed) + Duration::from_millis(self.level.increment);
        if self.resign_or_offer_draw(engine) {
            return Ok(());
        }
        let formatted = format_move(self.variant, &best, engine);
        let result = engine.play(best.clone())?;
        if let Some(end) = &result.game_end {
            self.offer_unrecognised_draw(end, engine);
        }
        engine.send(Reply::Move(&formatted));
        if let Some(end) = &result.game_end {
            self.send_result(end, engine);
        }
        // The result of the game precedes the answers to pings, which say that all earlier output is sent.
        self.answer_pings(engine);
        if result.game_end.is_some() {
            return Ok(());
        }
        let expected = self.best_pv.get(1).filter(|_| self.best_pv[0] == best).cloned();
        // A search does not know which moves below its root the ruleset refuses.
        if let (true, Some(expected)) = (self.ponders, expected)
            && let Ok(result) = engine.play(expected.clone())
        {
            if result.game_end.is_some() {
                engine.undo_moves(1);
                return Ok(());
            }
            let hint = (self.best_pv.clone(), self.score);
            self.start_search(Activity::Ponder { expected, answer: None }, engine)?;
            // The hint stays the expected move until pondering has found a line.
            (self.best_pv, self.score) = hint;
        }
        Ok(())
    }

    /// Resigns, offers a draw or accepts one, together with the own move. Returns whether it resigns; the engine then
    /// plays no side.
    fn resign_or_offer_draw(&mut self, engine: &mut Engine) -> bool {
        let draw_offered = std::mem::take(&mut self.draw_offered);
        let Some((score, bound)) = self.score else { return false };
        self.policy.add_score(engine.ply(), engine.session.view().fullmove_number, score, bound);
        let should_resign = self.policy.should_resign();
        if should_resign {
            self.mode = Mode::Force;
            engine.send(Reply::Resign);
            self.answer_pings(engine);
        } else if self.policy.should_offer_draw() || (draw_offered && self.policy.should_accept_draw()) {
            engine.send(Reply::OfferDraw);
        }
        should_resign
    }

    /// Offers a draw, which the opponent may refuse, if the game is drawn by an end that the GUI might not recognise.
    fn offer_unrecognised_draw(&self, end: &GameEnd, engine: &mut Engine) {
        if end.outcome == Outcome::Draw && self.can_continue(engine) {
            engine.send(Reply::OfferDraw);
        }
    }

    /// Reports the end of the game, unless the GUI might not recognise it.
    fn send_result(&self, end: &GameEnd, engine: &mut Engine) {
        if self.can_continue(engine) {
            return;
        }
        // White wins are written 1-0, also where Black moves first.
        let white = engine.session.info().white;
        let result = match end.outcome {
            Outcome::Draw => "1/2-1/2",
            Outcome::Win(side) if side == white => "1-0",
            Outcome::Win(_) => "0-1",
        };
        engine.send(Reply::Result(result, &end.message));
    }

    fn set_board(&mut self, fen: &str, engine: &mut Engine) -> Result<(), SessionError> {
        let fen = Some(fen.to_owned());
        match engine.set_position(PositionSpec { fen, ..PositionSpec::default() }) {
            Ok(waived) => {
                if let Some(note) = waived {
                    engine.send(Reply::UserError(note));
                }
                self.clear_game_state();
                engine.prepare();
                self.continue_game(engine)
            }
            Err(PositionRejected::OtherGame { game, current }) => {
                let variant = variants(engine)
                    .into_iter()
                    .find(|(_, name)| *name == game)
                    .map_or(game, |(variant, _)| variant);
                let message = format!(
                    "it is a position of {game}, but the current game is {current}: variant {variant}"
                );
                engine.send(Reply::UserError(format!("Illegal position: {message}")));
                Ok(())
            }
            Err(PositionRejected::Invalid(error)) => {
                engine.send(Reply::UserError(format!("Illegal position: {error}")));
                Ok(())
            }
        }
    }

    fn send_hint(&self, engine: &mut Engine) {
        let hint = match &self.activity {
            Activity::Ponder { expected, .. } => {
                let expected = expected.clone();
                engine.undo_moves(1);
                let formatted = format_move(self.variant, &expected, engine);
                // The move was just taken back, so it is legal.
                let _ = engine.play(expected);
                Some(formatted)
            }
            _ => self
                .best_pv
                .get(1)
                .filter(|mv| engine.convert_to_default_dialect(mv, None).is_ok())
                .map(|mv| format_move(self.variant, mv, engine)),
        };
        if let Some(hint) = hint {
            engine.send(Reply::Hint(&hint));
        }
    }

    /// Returns the reason to reject a command without any effect, not even on a running search.
    fn rejection_reason(&self, command: &Command<'_>, engine: &Engine) -> Option<String> {
        // The expected move is played in the session, but not by the GUI.
        let played = engine.ply() - usize::from(matches!(self.activity, Activity::Ponder { .. }));
        let needs_position = matches!(
            command,
            Command::Go | Command::PlayOther | Command::Analyze | Command::Undo | Command::Remove
        );
        if let (true, Err(error)) = (needs_position, engine.check_position()) {
            return Some(error.to_string());
        }
        let (wanted, verb) = match command {
            Command::Undo => (1, "undo"),
            Command::Remove => (2, "remove"),
            Command::MoveTime(0) => return Some("the time for a move must be more than 0 seconds".into()),
            Command::Depth(0) => return Some("the depth must be at least 1".into()),
            Command::Level(LevelCommand { base: 0, increment: 0, .. }) => {
                return Some("the clock must have more than 0 seconds".into());
            }
            _ => return None,
        };
        (played < wanted).then(|| format!("cannot {verb}: {played} of {wanted} moves have been played"))
    }

    /// Executes a command.
    fn execute(&mut self, command: &Command<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        match *command {
            Command::Protover(_) => send_features(&self.variants, &self.policy, engine),
            Command::New => self.new_game(engine)?,
            Command::Variant(name) => {
                self.switch_variant(name, engine)?;
                if let Mode::Playing(_) = self.mode {
                    self.mode = Mode::Playing(!engine.session.view().side_to_move);
                }
                self.continue_game(engine)?;
            }
            Command::Force | Command::Result | Command::Exit => self.mode = Mode::Force,
            Command::Go => {
                self.mode = Mode::Playing(engine.session.view().side_to_move);
                // In a finished game, the result is the answer.
                if let Some(end) = engine.session.game_end() {
                    self.send_result(&end, engine);
                }
                self.continue_game(engine)?;
            }
            Command::PlayOther => {
                self.mode = Mode::Playing(!engine.session.view().side_to_move);
                self.continue_game(engine)?;
            }
            Command::Level(level) => {
                (self.level, self.move_time) = (level, None);
                self.remaining = Duration::from_millis(level.base);
            }
            Command::MoveTime(time) => self.move_time = Some(time),
            Command::Depth(depth) => self.depth = Some(depth),
            Command::Time(remaining) => self.remaining = Duration::from_millis(remaining),
            Command::UserMove(_) | Command::Quit => {}
            Command::MoveNow if self.activity == Activity::Move => engine.stop(),
            Command::Ping(number) if self.activity == Activity::Move => self.pings.push(number.into()),
            Command::Ping(number) => engine.send(Reply::Pong(number)),
            // During the own search an offer waits for the move, whose score may change the decision.
            Command::Draw if self.activity != Activity::Move && self.policy.should_accept_draw() => {
                engine.send(Reply::OfferDraw)
            }
            Command::Draw => self.draw_offered = true,
            Command::SetBoard(fen) => self.set_board(fen, engine)?,
            Command::Edit => {
                self.is_editing = true;
                let error = SessionError::new("edit is not supported: use setboard");
                engine.refuse_position(&error);
                return Err(error);
            }
            Command::Hint => self.send_hint(engine),
            // The engine plays the moves of its book, but does not list them.
            Command::Book => engine.send(Reply::NoBook),
            Command::Undo | Command::Remove => {
                engine.undo_moves(if *command == Command::Undo { 1 } else { 2 });
                self.policy.clear();
                if self.mode == Mode::Analysis {
                    self.continue_game(engine)?;
                }
            }
            Command::Hard => self.ponders = true,
            Command::Easy => self.ponders = false,
            Command::Post => self.shows_thinking = true,
            Command::NoPost => self.shows_thinking = false,
            Command::Analyze => {
                self.mode = Mode::Analysis;
                self.continue_game(engine)?;
            }
            Command::Progress if self.activity == Activity::Analysis => {
                let (time, nodes, depth) = self.progress;
                engine.send(Reply::Progress(time, nodes, depth));
            }
            Command::Memory(size) => drop(engine.set_option("hash", &size.to_string())?),
            Command::Cores(count) => drop(engine.set_option("threads", &count.to_string())?),
            Command::Option(name, value) => {
                let value = value.unwrap_or_default();
                let name = &find_option(name, engine);
                if !engine.set_option(name, value)? && !self.policy.set_option(name, value)? {
                    return Err(SessionError::new(format!("unknown option {:?}", shorten(name))));
                }
            }
            Command::MoveNow | Command::Progress => {}
            Command::XBoard | Command::OpponentTime(_) | Command::Ignored => {}
        }
        Ok(())
    }
}

/// Returns whether a line puts a piece on the board (`Pa4`), takes one off (`xa4`), or is one of the signs of `edit`.
fn is_edit_line(line: &str) -> bool {
    match line.as_bytes() {
        b"#" | b"c" => true,
        [b'A'..=b'Z' | b'x', b'a'..=b'z', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// Returns whether a command changes the position or the player, so that a running search is useless.
fn is_interrupting(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::New
            | Command::Variant(_)
            | Command::Force
            | Command::Go
            | Command::PlayOther
            | Command::SetBoard(_)
            | Command::Edit
            | Command::Undo
            | Command::Remove
            | Command::Result
            | Command::Analyze
            | Command::Exit
            | Command::Quit
    )
}

impl ProtocolHandler for XboardHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult {
        if std::mem::take(&mut self.is_editing) {
            self.is_editing = is_edit_line(line.trim());
            if self.is_editing || line.split_whitespace().next() == Some(".") {
                return Ok(ControlFlow::Continue(()));
            }
        }
        let command = match parse_command(line) {
            Ok(command) => command,
            Err(error) => {
                let reason = match error {
                    alfil_protocol::ParseError::UnknownCommand(_) => "unknown command".into(),
                    error => error.to_string(),
                };
                engine.send(Reply::Error(reason, shorten(line.trim())));
                return Ok(ControlFlow::Continue(()));
            }
        };
        if let Some(reason) = self.rejection_reason(&command, engine) {
            engine.send(Reply::Error(reason, shorten(line.trim())));
            return Ok(ControlFlow::Continue(()));
        }
        let stops_pondering = command == Command::Easy && matches!(self.activity, Activity::Ponder { .. });
        if is_interrupting(&command) || stops_pondering {
            self.stop_activity(engine);
        }
        if let Command::UserMove(mv) = command {
            if let Err(error) = self.on_user_move(mv, engine) {
                engine.send(Reply::IllegalMove(error.to_string(), &shorten(mv)));
            }
        } else if let Err(error) = self.execute(&command, engine) {
            engine.send(Reply::Error(error.to_string(), shorten(line.trim())));
        }
        Ok(if command == Command::Quit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine) {
        match event {
            SearchEvent::Info {
                report: SearchReport { multipv, depth, score, bound, mate_plies, nodes, pv: line, .. },
                seconds,
            } => {
                let time = to_milliseconds(seconds);
                if multipv == 1 {
                    (self.best_pv, self.score) = (line.clone(), Some((score, bound)));
                    self.progress = (time, nodes, depth);
                }
                if self.shows_thinking || self.activity == Activity::Analysis {
                    let pv = format_line(self.variant, line, engine);
                    engine.send(Reply::Thinking(ThinkingOutput {
                        depth,
                        score,
                        mate_in_plies: mate_plies,
                        time,
                        nodes,
                        pv: &pv,
                    }));
                }
            }
            SearchEvent::Failed(message) => self.report_error(&message, engine),
            SearchEvent::BestMove(best) => match &mut self.activity {
                Activity::Move => {
                    if let Err(error) = self.play_own_move(best, engine) {
                        engine.send(Reply::Error(error.to_string(), "go".into()));
                    }
                }
                Activity::Ponder { answer, .. } => *answer = best,
                Activity::Analysis | Activity::Idle => {}
            },
        }
    }

    fn report_error(&mut self, message: &str, engine: &mut Engine) {
        engine.send(Reply::Error(message.into(), String::new()));
    }
}
