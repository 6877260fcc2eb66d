//! The engine's side of CECP, the protocol of XBoard and WinBoard: it keeps the game itself, plays one side, ponders and analyses.

use std::time::{Duration, Instant};

use alfil_kernel::{Outcome, Side};
use alfil_protocol::tokens::shorten;
use alfil_protocol::xboard::{Command, LevelCommand, Reply, ThinkingOutput, parse_command};

use super::draw_policy::DrawResignPolicy;
use super::engine::{Engine, PositionRejected, PositionSpec};
use super::{ControlFlow, ENGINE_NAME, ProtocolHandler, to_milliseconds};
use crate::SearchEvent;
use alfil_session::SearchLimits;
use alfil_session::game_session::{GameEnd, SessionError};
use alfil_session::{ClockInput, TimeBudget};

/// The variants by the protocol's names, and the games they are.
const VARIANTS: [(&str, &str); 4] =
    [("normal", "chess"), ("fischerandom", "chess"), ("xiangqi", "xiangqi"), ("reversi", "othello")];

/// What GUIs are told to expect, beside name, variants and options.
const FEATURES: &str = "setboard=1 usermove=1 ping=1 time=1 draw=1 colors=0 sigint=0 sigterm=0 san=0 reuse=1 analyze=1 \
                        memory=1 smp=1";

/// Who moves the men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Others.
    Force,
    /// The engine moves this side's.
    Playing(Side),
    /// Others; the engine thinks about it.
    Analysis,
}

/// What it is thinking about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    /// Its own move.
    Move,
    /// Its answer to the move that it expects, which stands on the desk. If it has thought to the end already: the answer.
    Ponder {
        expected: String,
        answer: Option<String>,
    },
    /// The position.
    Analysis,
}

/// The state of a CECP dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct XboardHandler {
    /// The variants that can be played.
    variants: Vec<&'static str>,
    variant: &'static str,
    mode: Mode,
    activity: Activity,
    shows_thinking: bool,
    ponders: bool,
    level: LevelCommand,
    /// For every move, in milliseconds.
    move_time: Option<u64>,
    depth: Option<u32>,
    /// What is left on its clock.
    remaining: Duration,
    search_started: Instant,
    /// Pings that are answered when the move is played.
    pings: Vec<String>,
    /// The best line told so far, in the default dialect, and its score.
    best_pv: Vec<String>,
    score: Option<i32>,
    /// A draw was offered to it, until its next move.
    draw_offered: bool,
    policy: DrawResignPolicy,
    /// Milliseconds, positions and plies of the analysis.
    progress: (u64, u64, u32),
}

impl XboardHandler {
    /// Before the first line: of the game that the command line named, or of all.
    ///
    /// # Errors
    /// If its game cannot be played.
    pub(crate) fn new(asked: Option<&str>, engine: &mut Engine) -> Result<Self, SessionError> {
        let wanted = |game| asked.is_none_or(|asked| asked == game);
        let known: Vec<_> =
            VARIANTS.iter().filter(|(_, game)| wanted(*game)).map(|&(variant, _)| variant).collect();
        let level = LevelCommand { moves: 40, base: 300_000, increment: 0 };
        let mut speaker = XboardHandler {
            variant: known[0],
            variants: known,
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
        };
        speaker.switch_variant(speaker.variant, engine)?;
        Ok(speaker)
    }

    fn send_features(&self, engine: &mut Engine) {
        engine.send(Reply::Features(FEATURES));
        engine.send(Reply::MyName(ENGINE_NAME));
        engine.send(Reply::Variants(&self.variants));
        // The table's size and the threads have commands of their own.
        for setting in engine.options().into_iter().chain(self.policy.options()) {
            if !matches!(setting.name.as_str(), "Hash" | "Threads") {
                engine.send(Reply::Option(&setting));
            }
        }
        engine.send(Reply::Done);
    }

    /// Sits down to a variant.
    fn switch_variant(&mut self, name: &str, engine: &mut Engine) -> Result<(), SessionError> {
        let known = self.variants.iter().find(|&&known| known == name);
        let Some(&variant) = known else {
            return Err(SessionError::new(format!(
                "unsupported variant, known are {}",
                self.variants.join(", ")
            )));
        };
        let game = VARIANTS.iter().find(|(name, _)| *name == variant).map_or("chess", |&(_, game)| game);
        engine.switch_game(game)?;
        self.variant = variant;
        self.clear_game_state();
        Ok(())
    }

    /// What stands on the desk has no past: what was found out and offered was of another position.
    fn clear_game_state(&mut self) {
        self.policy.clear();
        self.draw_offered = false;
        self.score = None;
        self.best_pv.clear();
    }

    /// A new game: the engine plays the second side.
    fn new_game(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        self.switch_variant(self.variants[0], engine)?;
        engine.new_game();
        self.mode = Mode::Playing(!engine.session.view().side_to_move);
        self.depth = None;
        self.remaining = Duration::from_millis(self.level.base);
        Ok(())
    }

    /// A move as it was said, in the default dialect.
    fn parse_move(&self, text: &str, engine: &mut Engine) -> Result<String, SessionError> {
        match self.variant {
            _ if text.starts_with("O-O") => engine.to_default_dialect(text, Some("san")),
            "fischerandom" => engine
                .to_default_dialect(text, Some("uci960"))
                .or_else(|error| engine.to_default_dialect(text, None).map_err(|_| error)),
            "reversi" if text == "@@@@" => engine.to_default_dialect("pass", None),
            "reversi" => {
                engine.to_default_dialect(text.trim_start_matches("P@").trim_start_matches("p@"), None)
            }
            _ => engine.to_default_dialect(text, None),
        }
    }

    /// A move in the default dialect, as it is said.
    fn format_move(&self, text: &str, engine: &Engine) -> String {
        match self.variant {
            "fischerandom" => match engine.session.format_move(text, Some("san")) {
                Ok(san) if san.starts_with("O-O") => san.trim_end_matches(['+', '#']).into(),
                _ => text.into(),
            },
            "reversi" if text == "pass" => "@@@@".into(),
            "reversi" => format!("P@{text}"),
            _ => text.into(),
        }
    }

    /// Thinks about what is on the desk.
    fn start_search(&mut self, doing: Activity, engine: &mut Engine) -> Result<(), SessionError> {
        let analysis = doing == Activity::Analysis;
        let limits = SearchLimits {
            depth: self.depth.filter(|_| !analysis),
            multipv: engine.multipv,
            time_budget: (!analysis).then(|| self.time_budget(engine)),
            ponder: matches!(doing, Activity::Ponder { .. }),
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        self.search_started = Instant::now();
        self.best_pv.clear();
        self.score = None;
        self.activity = doing;
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

    /// Does what is to be done when it is nobody's turn to speak: its own move, or an analysis.
    fn continue_game(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        let view = engine.session.view();
        match self.mode {
            Mode::Analysis => self.start_search(Activity::Analysis, engine),
            Mode::Playing(side) if side == view.side_to_move && view.game_end.is_none() => {
                self.start_search(Activity::Move, engine)
            }
            Mode::Playing(_) | Mode::Force => Ok(()),
        }
    }

    /// Ends whatever it is doing, and has the desk stand as the GUI has it.
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

    /// The opponent, or whoever moves the men, has moved.
    fn on_user_move(&mut self, text: &str, engine: &mut Engine) -> Result<(), SessionError> {
        if let Activity::Ponder { expected, .. } = &self.activity {
            let expected = expected.clone();
            engine.undo_moves(1);
            let heard = self.parse_move(text, engine);
            engine.play(expected.clone())?;
            if heard.as_ref() == Ok(&expected) {
                return self.ponder_hit(engine);
            }
        } else if self.activity == Activity::Move {
            return Err(SessionError::new("it is not your turn"));
        }
        self.stop_activity(engine);
        let heard = self.parse_move(text, engine)?;
        let step = engine.play(heard)?;
        if let (Some(ending), Mode::Playing(_)) = (step.game_end, self.mode) {
            self.send_result(&ending, engine);
        }
        self.continue_game(engine)
    }

    /// The expected move was played: what was its own thought in the opponent's time is a thought about its move.
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

    /// Plays its own move, and ponders.
    fn play_own_move(&mut self, best: Option<String>, engine: &mut Engine) -> Result<(), SessionError> {
        self.activity = Activity::Idle;
        let Some(best) = best else { return Ok(()) };
        let spent = self.search_started.elapsed();
        self.remaining = self.remaining.saturating_sub(spent) + Duration::from_millis(self.level.increment);
        if self.resign_or_offer_draw(engine) {
            return Ok(());
        }
        let said = self.format_move(&best, engine);
        let step = engine.play(best.clone())?;
        engine.send(Reply::Move(&said));
        self.answer_pings(engine);
        if let Some(ending) = step.game_end {
            self.send_result(&ending, engine);
            return Ok(());
        }
        let expected = self.best_pv.get(1).filter(|_| self.best_pv[0] == best).cloned();
        if let (true, Some(expected)) = (self.ponders, expected) {
            let step = engine.play(expected.clone())?;
            if step.game_end.is_some() {
                engine.undo_moves(1);
                return Ok(());
            }
            let before = (self.best_pv.clone(), self.score);
            self.start_search(Activity::Ponder { expected, answer: None }, engine)?;
            // The hint is still the expected move, until the pondering finds out more.
            (self.best_pv, self.score) = before;
        }
        Ok(())
    }

    /// What is said with its own move: an offer or the acceptance of a draw, or that it resigns; whether it does. Then others may
    /// move the men.
    fn resign_or_offer_draw(&mut self, engine: &mut Engine) -> bool {
        let offered = std::mem::take(&mut self.draw_offered);
        let Some(score) = self.score else { return false };
        self.policy.add_score(engine.ply(), engine.session.view().fullmove_number, score);
        let resigns = self.policy.should_resign();
        if resigns {
            self.mode = Mode::Force;
            engine.send(Reply::Resign);
            self.answer_pings(engine);
        } else if self.policy.should_offer_draw() || (offered && self.policy.should_accept_draw()) {
            engine.send(Reply::OfferDraw);
        }
        resigns
    }

    fn send_result(&mut self, ending: &GameEnd, engine: &mut Engine) {
        // Black begins in Othello.
        let first = if self.variant == "reversi" { Side::Second } else { Side::First };
        let result = match ending.outcome {
            Outcome::Draw => "1/2-1/2",
            Outcome::Win(side) if side == first => "1-0",
            Outcome::Win(_) => "0-1",
        };
        engine.send(Reply::Result(result, &ending.message));
    }

    fn set_board(&mut self, fen: &str, engine: &mut Engine) -> Result<(), SessionError> {
        match engine.set_position(PositionSpec { fen: Some(fen.into()), ..PositionSpec::default() }) {
            Ok(_) => {
                self.clear_game_state();
                self.continue_game(engine)
            }
            Err(PositionRejected::OtherGame { game, current: here }) => {
                let variant =
                    VARIANTS.iter().find(|(_, of)| *of == game).map_or(game, |&(variant, _)| variant);
                let words = format!("it is one of {game}, and {here} is played: variant {variant}");
                engine.send(Reply::UserError(format!("Illegal position: {words}")));
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
                let said = self.format_move(&expected, engine);
                // It stood there a moment ago.
                let _ = engine.play(expected);
                Some(said)
            }
            _ => self
                .best_pv
                .get(1)
                .filter(|mv| engine.to_default_dialect(mv, None).is_ok())
                .map(|mv| self.format_move(mv, engine)),
        };
        if let Some(hint) = hint {
            engine.send(Reply::Hint(&hint));
        }
    }

    /// Why a command cannot be obeyed whatever it finds: then nothing at all is to change, not even what is thought about.
    fn rejection_reason(&self, command: &Command<'_>, engine: &Engine) -> Option<String> {
        // The move that it expects stands on the desk, but nobody has played it.
        let played = engine.ply() - usize::from(matches!(self.activity, Activity::Ponder { .. }));
        let (wanted, verb) = match command {
            Command::Undo => (1, "undo"),
            Command::Remove => (2, "remove"),
            Command::MoveTime(0) => return Some("a move takes more than 0 seconds".into()),
            Command::Depth(0) => return Some("a depth is at least 1".into()),
            Command::Level(LevelCommand { base: 0, increment: 0, .. }) => {
                return Some("a clock has more than 0 seconds".into());
            }
            _ => return None,
        };
        (played < wanted).then(|| format!("there are not so many moves to {verb}: {played} of {wanted}"))
    }

    /// Does what a command says.
    fn execute(&mut self, command: &Command<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        match *command {
            Command::Protover(_) => self.send_features(engine),
            Command::New => self.new_game(engine)?,
            Command::Variant(name) => {
                self.switch_variant(name, engine)?;
                if let Mode::Playing(_) = self.mode {
                    self.mode = Mode::Playing(!engine.session.view().side_to_move);
                }
            }
            Command::Force | Command::Result | Command::Exit => self.mode = Mode::Force,
            Command::Go => {
                self.mode = Mode::Playing(engine.session.view().side_to_move);
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
            Command::Time(left) => self.remaining = Duration::from_millis(left),
            Command::UserMove(_) | Command::Quit => {}
            Command::MoveNow if self.activity == Activity::Move => engine.stop(),
            Command::Ping(number) if self.activity == Activity::Move => self.pings.push(number.into()),
            Command::Ping(number) => engine.send(Reply::Pong(number)),
            // An offer stands until the next move, when it may be seen in another light.
            Command::Draw if self.activity != Activity::Move && self.policy.should_accept_draw() => {
                engine.send(Reply::OfferDraw)
            }
            Command::Draw => self.draw_offered = true,
            Command::SetBoard(fen) => self.set_board(fen, engine)?,
            Command::Hint => self.send_hint(engine),
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
                if !engine.set_option(name, value)? && !self.policy.set_option(name, value)? {
                    return Err(SessionError::new(format!("no option {:?}", shorten(name))));
                }
            }
            Command::MoveNow | Command::Progress => {}
            Command::XBoard | Command::OpponentTime(_) | Command::Ignored => {}
        }
        Ok(())
    }
}

/// Whether a command changes what stands on the desk, or who plays: what is thought about is then of no use.
fn is_interrupting(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::New
            | Command::Variant(_)
            | Command::Force
            | Command::Go
            | Command::PlayOther
            | Command::SetBoard(_)
            | Command::Undo
            | Command::Remove
            | Command::Result
            | Command::Analyze
            | Command::Exit
            | Command::Quit
    )
}

impl ProtocolHandler for XboardHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow {
        let command = match parse_command(line) {
            Ok(command) => command,
            Err(fault) => {
                let why = match fault {
                    alfil_protocol::ParseError::UnknownCommand(_) => "unknown command".into(),
                    fault => fault.to_string(),
                };
                engine.send(Reply::Error(why, shorten(line.trim())));
                return ControlFlow::Continue;
            }
        };
        if let Some(why) = self.rejection_reason(&command, engine) {
            engine.send(Reply::Error(why, shorten(line.trim())));
            return ControlFlow::Continue;
        }
        let easy = command == Command::Easy && matches!(self.activity, Activity::Ponder { .. });
        if is_interrupting(&command) || easy {
            self.stop_activity(engine);
        }
        if let Command::UserMove(mv) = command {
            if let Err(error) = self.on_user_move(mv, engine) {
                engine.send(Reply::IllegalMove(error.to_string(), &shorten(mv)));
            }
        } else if let Err(error) = self.execute(&command, engine) {
            engine.send(Reply::Error(error.to_string(), shorten(line.trim())));
        }
        if command == Command::Quit { ControlFlow::Break } else { ControlFlow::Continue }
    }

    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine) {
        match thought {
            SearchEvent::Info {
                multipv: rank,
                depth,
                score,
                mate_plies: mate,
                nodes,
                seconds,
                pv: line,
                ..
            } => {
                let time = to_milliseconds(seconds);
                if rank == 1 {
                    (self.best_pv, self.score) = (line.clone(), Some(score));
                    self.progress = (time, nodes, depth);
                }
                if self.shows_thinking || self.activity == Activity::Analysis {
                    let mut pv = line;
                    if let Some(first) = pv.first_mut() {
                        *first = self.format_move(first, engine);
                    }
                    engine.send(Reply::Thinking(ThinkingOutput {
                        depth,
                        score,
                        mate_in_plies: mate,
                        time,
                        nodes,
                        pv: &pv,
                    }));
                }
            }
            SearchEvent::Failed(words) => self.report_error(&words, engine),
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

    fn report_error(&mut self, words: &str, engine: &mut Engine) {
        engine.send(Reply::Error(words.into(), String::new()));
    }
}
