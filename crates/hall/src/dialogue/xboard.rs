//! The engine's side of CECP, the protocol of XBoard and WinBoard: it keeps the game itself, plays one side, ponders and analyses.

use std::time::{Duration, Instant};

use alfil_kernel::{Outcome, Side};
use alfil_protocol::words::short;
use alfil_protocol::xboard::{Command, Level, Reply, Thinking, read};

use super::engine::{Engine, Place, Refusal};
use super::manners::Manners;
use super::{Flow, NAME, Speaker, milliseconds};
use crate::clock::{Bounds, Clock};
use crate::desk::{DeskError, Ending, Limits, Thought};

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
    Plays(Side),
    /// Others; the engine thinks about it.
    Analysis,
}

/// What it is thinking about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Doing {
    Nothing,
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
pub(crate) struct XBoard {
    /// The variants that can be played.
    known: Vec<&'static str>,
    variant: &'static str,
    mode: Mode,
    doing: Doing,
    post: bool,
    hard: bool,
    level: Level,
    /// For every move, in milliseconds.
    move_time: Option<u64>,
    depth: Option<u32>,
    /// What is left on its clock.
    left: Duration,
    begun: Instant,
    /// Pings that are answered when the move is played.
    pings: Vec<String>,
    /// The best line told so far, in the default dialect, and its score.
    best: Vec<String>,
    score: Option<i32>,
    /// A draw was offered to it, until its next move.
    offered: bool,
    manners: Manners,
    /// Milliseconds, positions and plies of the analysis.
    progress: (u64, u64, u32),
}

impl XBoard {
    /// Before the first line: of the game that the command line named, or of all.
    ///
    /// # Errors
    /// If its game cannot be played.
    pub(crate) fn new(asked: Option<&str>, engine: &mut Engine) -> Result<Self, DeskError> {
        let wanted = |game| asked.is_none_or(|asked| asked == game);
        let known: Vec<_> =
            VARIANTS.iter().filter(|(_, game)| wanted(*game)).map(|&(variant, _)| variant).collect();
        let level = Level { moves: 40, base: 300_000, increment: 0 };
        let mut speaker = XBoard {
            variant: known[0],
            known,
            mode: Mode::Force,
            doing: Doing::Nothing,
            post: false,
            hard: false,
            level,
            move_time: None,
            depth: None,
            left: Duration::from_millis(level.base),
            begun: Instant::now(),
            pings: Vec::new(),
            best: Vec::new(),
            score: None,
            offered: false,
            manners: Manners::default(),
            progress: (0, 0, 0),
        };
        speaker.sit(speaker.variant, engine)?;
        Ok(speaker)
    }

    fn introduce(&self, engine: &mut Engine) {
        engine.say(Reply::Features(FEATURES));
        engine.say(Reply::MyName(NAME));
        engine.say(Reply::Variants(&self.known));
        // The table's size and the threads have commands of their own.
        for setting in engine.settings().into_iter().chain(self.manners.settings()) {
            if !matches!(setting.name.as_str(), "Hash" | "Threads") {
                engine.say(Reply::Option(&setting));
            }
        }
        engine.say(Reply::Done);
    }

    /// Sits down to a variant.
    fn sit(&mut self, name: &str, engine: &mut Engine) -> Result<(), DeskError> {
        let known = self.known.iter().find(|&&known| known == name);
        let Some(&variant) = known else {
            return Err(DeskError::new(format!("unsupported variant, known are {}", self.known.join(", "))));
        };
        let game = VARIANTS.iter().find(|(name, _)| *name == variant).map_or("chess", |&(_, game)| game);
        engine.sit(game)?;
        self.variant = variant;
        self.forget();
        Ok(())
    }

    /// What stands on the desk has no past: what was found out and offered was of another position.
    fn forget(&mut self) {
        self.manners.forget();
        self.offered = false;
        self.score = None;
        self.best.clear();
    }

    /// A new game: the engine plays the second side.
    fn begin(&mut self, engine: &mut Engine) -> Result<(), DeskError> {
        self.sit(self.known[0], engine)?;
        engine.forget();
        self.mode = Mode::Plays(!engine.desk.view().side);
        self.depth = None;
        self.left = Duration::from_millis(self.level.base);
        Ok(())
    }

    /// A move as it was said, in the default dialect.
    fn heard(&self, text: &str, engine: &mut Engine) -> Result<String, DeskError> {
        match self.variant {
            _ if text.starts_with("O-O") => engine.understood(text, Some("san")),
            "fischerandom" => engine
                .understood(text, Some("uci960"))
                .or_else(|error| engine.understood(text, None).map_err(|_| error)),
            "reversi" if text == "@@@@" => engine.understood("pass", None),
            "reversi" => engine.understood(text.trim_start_matches("P@").trim_start_matches("p@"), None),
            _ => engine.understood(text, None),
        }
    }

    /// A move in the default dialect, as it is said.
    fn said(&self, text: &str, engine: &Engine) -> String {
        match self.variant {
            "fischerandom" => match engine.desk.written(text, Some("san")) {
                Ok(san) if san.starts_with("O-O") => san.trim_end_matches(['+', '#']).into(),
                _ => text.into(),
            },
            "reversi" if text == "pass" => "@@@@".into(),
            "reversi" => format!("P@{text}"),
            _ => text.into(),
        }
    }

    /// Thinks about what is on the desk.
    fn think(&mut self, doing: Doing, engine: &mut Engine) -> Result<(), DeskError> {
        let analysis = doing == Doing::Analysis;
        let limits = Limits {
            depth: self.depth.filter(|_| !analysis),
            lines: engine.lines,
            clock: (!analysis).then(|| self.bounds(engine)),
            ponder: matches!(doing, Doing::Ponder { .. }),
            ..Limits::default()
        };
        engine.think(&limits)?;
        self.begun = Instant::now();
        self.best.clear();
        self.score = None;
        self.doing = doing;
        Ok(())
    }

    fn bounds(&self, engine: &Engine) -> Bounds {
        if let Some(time) = self.move_time {
            return Bounds::exact(Duration::from_millis(time).saturating_sub(engine.overhead));
        }
        let played = (engine.ply() / 2) as u32;
        engine.bounds(&Clock {
            left: self.left,
            increment: Duration::from_millis(self.level.increment),
            moves: (self.level.moves > 0).then(|| self.level.moves - played % self.level.moves.max(1)),
            overhead: engine.overhead,
        })
    }

    /// Does what is to be done when it is nobody's turn to speak: its own move, or an analysis.
    fn go_on(&mut self, engine: &mut Engine) -> Result<(), DeskError> {
        let view = engine.desk.view();
        match self.mode {
            Mode::Analysis => self.think(Doing::Analysis, engine),
            Mode::Plays(side) if side == view.side && view.ending.is_none() => {
                self.think(Doing::Move, engine)
            }
            Mode::Plays(_) | Mode::Force => Ok(()),
        }
    }

    /// Ends whatever it is doing, and has the desk stand as the GUI has it.
    fn rest(&mut self, engine: &mut Engine) {
        engine.abandon();
        if let Doing::Ponder { .. } = std::mem::replace(&mut self.doing, Doing::Nothing) {
            engine.take_back(1);
        }
        self.answer_pings(engine);
    }

    fn answer_pings(&mut self, engine: &mut Engine) {
        for ping in self.pings.drain(..) {
            engine.say(Reply::Pong(&ping));
        }
    }

    /// The opponent, or whoever moves the men, has moved.
    fn moved(&mut self, text: &str, engine: &mut Engine) -> Result<(), DeskError> {
        if let Doing::Ponder { expected, .. } = &self.doing {
            let expected = expected.clone();
            engine.take_back(1);
            let heard = self.heard(text, engine);
            engine.play(expected.clone())?;
            if heard.as_ref() == Ok(&expected) {
                return self.hit(engine);
            }
        } else if self.doing == Doing::Move {
            return Err(DeskError::new("it is not your turn"));
        }
        self.rest(engine);
        let heard = self.heard(text, engine)?;
        let step = engine.play(heard)?;
        if let (Some(ending), Mode::Plays(_)) = (step.ending, self.mode) {
            self.over(&ending, engine);
        }
        self.go_on(engine)
    }

    /// The expected move was played: what was its own thought in the opponent's time is a thought about its move.
    fn hit(&mut self, engine: &mut Engine) -> Result<(), DeskError> {
        let Doing::Ponder { answer, .. } = std::mem::replace(&mut self.doing, Doing::Move) else {
            return Ok(());
        };
        self.begun = Instant::now();
        match answer {
            Some(answer) => self.play(Some(answer), engine),
            None => {
                engine.hit();
                Ok(())
            }
        }
    }

    /// Plays its own move, and ponders.
    fn play(&mut self, best: Option<String>, engine: &mut Engine) -> Result<(), DeskError> {
        self.doing = Doing::Nothing;
        let Some(best) = best else { return Ok(()) };
        let spent = self.begun.elapsed();
        self.left = self.left.saturating_sub(spent) + Duration::from_millis(self.level.increment);
        if self.gives_up(engine) {
            return Ok(());
        }
        let said = self.said(&best, engine);
        let step = engine.play(best.clone())?;
        engine.say(Reply::Move(&said));
        self.answer_pings(engine);
        if let Some(ending) = step.ending {
            self.over(&ending, engine);
            return Ok(());
        }
        let expected = self.best.get(1).filter(|_| self.best[0] == best).cloned();
        if let (true, Some(expected)) = (self.hard, expected) {
            let step = engine.play(expected.clone())?;
            if step.ending.is_some() {
                engine.take_back(1);
                return Ok(());
            }
            let before = (self.best.clone(), self.score);
            self.think(Doing::Ponder { expected, answer: None }, engine)?;
            // The hint is still the expected move, until the pondering finds out more.
            (self.best, self.score) = before;
        }
        Ok(())
    }

    /// What is said with its own move: an offer or the acceptance of a draw, or that it resigns; whether it does. Then others may
    /// move the men.
    fn gives_up(&mut self, engine: &mut Engine) -> bool {
        let offered = std::mem::take(&mut self.offered);
        let Some(score) = self.score else { return false };
        self.manners.note(engine.ply(), engine.desk.view().number, score);
        let resigns = self.manners.resigns();
        if resigns {
            self.mode = Mode::Force;
            engine.say(Reply::Resign);
            self.answer_pings(engine);
        } else if self.manners.offers() || (offered && self.manners.accepts()) {
            engine.say(Reply::OfferDraw);
        }
        resigns
    }

    fn over(&mut self, ending: &Ending, engine: &mut Engine) {
        // Black begins in Othello.
        let first = if self.variant == "reversi" { Side::Second } else { Side::First };
        let result = match ending.outcome {
            Outcome::Draw => "1/2-1/2",
            Outcome::Win(side) if side == first => "1-0",
            Outcome::Win(_) => "0-1",
        };
        engine.say(Reply::Result(result, &ending.words));
    }

    fn set_board(&mut self, fen: &str, engine: &mut Engine) -> Result<(), DeskError> {
        match engine.lay(Place { fen: Some(fen.into()), ..Place::default() }) {
            Ok(_) => {
                self.forget();
                self.go_on(engine)
            }
            Err(Refusal::Foreign { game, here }) => {
                let variant =
                    VARIANTS.iter().find(|(_, of)| *of == game).map_or(game, |&(variant, _)| variant);
                let words = format!("it is one of {game}, and {here} is played: variant {variant}");
                engine.say(Reply::UserError(format!("Illegal position: {words}")));
                Ok(())
            }
            Err(Refusal::Words(error)) => {
                engine.say(Reply::UserError(format!("Illegal position: {error}")));
                Ok(())
            }
        }
    }

    fn hint(&self, engine: &mut Engine) {
        let hint = match &self.doing {
            Doing::Ponder { expected, .. } => {
                let expected = expected.clone();
                engine.take_back(1);
                let said = self.said(&expected, engine);
                // It stood there a moment ago.
                let _ = engine.play(expected);
                Some(said)
            }
            _ => self
                .best
                .get(1)
                .filter(|mv| engine.understood(mv, None).is_ok())
                .map(|mv| self.said(mv, engine)),
        };
        if let Some(hint) = hint {
            engine.say(Reply::Hint(&hint));
        }
    }

    /// Why a command cannot be obeyed whatever it finds: then nothing at all is to change, not even what is thought about.
    fn objection(&self, command: &Command<'_>, engine: &Engine) -> Option<String> {
        // The move that it expects stands on the desk, but nobody has played it.
        let played = engine.ply() - usize::from(matches!(self.doing, Doing::Ponder { .. }));
        let (wanted, verb) = match command {
            Command::Undo => (1, "undo"),
            Command::Remove => (2, "remove"),
            Command::MoveTime(0) => return Some("a move takes more than 0 seconds".into()),
            Command::Depth(0) => return Some("a depth is at least 1".into()),
            Command::Level(Level { base: 0, increment: 0, .. }) => {
                return Some("a clock has more than 0 seconds".into());
            }
            _ => return None,
        };
        (played < wanted).then(|| format!("there are not so many moves to {verb}: {played} of {wanted}"))
    }

    /// Does what a command says.
    fn obey(&mut self, command: &Command<'_>, engine: &mut Engine) -> Result<(), DeskError> {
        match *command {
            Command::Protover(_) => self.introduce(engine),
            Command::New => self.begin(engine)?,
            Command::Variant(name) => {
                self.sit(name, engine)?;
                if let Mode::Plays(_) = self.mode {
                    self.mode = Mode::Plays(!engine.desk.view().side);
                }
            }
            Command::Force | Command::Result | Command::Exit => self.mode = Mode::Force,
            Command::Go => {
                self.mode = Mode::Plays(engine.desk.view().side);
                self.go_on(engine)?;
            }
            Command::PlayOther => {
                self.mode = Mode::Plays(!engine.desk.view().side);
                self.go_on(engine)?;
            }
            Command::Level(level) => {
                (self.level, self.move_time) = (level, None);
                self.left = Duration::from_millis(level.base);
            }
            Command::MoveTime(time) => self.move_time = Some(time),
            Command::Depth(depth) => self.depth = Some(depth),
            Command::Time(left) => self.left = Duration::from_millis(left),
            Command::UserMove(_) | Command::Quit => {}
            Command::MoveNow if self.doing == Doing::Move => engine.stop(),
            Command::Ping(number) if self.doing == Doing::Move => self.pings.push(number.into()),
            Command::Ping(number) => engine.say(Reply::Pong(number)),
            // An offer stands until the next move, when it may be seen in another light.
            Command::Draw if self.doing != Doing::Move && self.manners.accepts() => {
                engine.say(Reply::OfferDraw)
            }
            Command::Draw => self.offered = true,
            Command::SetBoard(fen) => self.set_board(fen, engine)?,
            Command::Hint => self.hint(engine),
            Command::Book => engine.say(Reply::NoBook),
            Command::Undo | Command::Remove => {
                engine.take_back(if *command == Command::Undo { 1 } else { 2 });
                self.manners.forget();
                if self.mode == Mode::Analysis {
                    self.go_on(engine)?;
                }
            }
            Command::Hard => self.hard = true,
            Command::Easy => self.hard = false,
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => {
                self.mode = Mode::Analysis;
                self.go_on(engine)?;
            }
            Command::Progress if self.doing == Doing::Analysis => {
                let (time, nodes, depth) = self.progress;
                engine.say(Reply::Progress(time, nodes, depth));
            }
            Command::Memory(size) => drop(engine.set("hash", &size.to_string())?),
            Command::Cores(count) => drop(engine.set("threads", &count.to_string())?),
            Command::Option(name, value) => {
                let value = value.unwrap_or_default();
                if !engine.set(name, value)? && !self.manners.set(name, value)? {
                    return Err(DeskError::new(format!("no option {:?}", short(name))));
                }
            }
            Command::MoveNow | Command::Progress => {}
            Command::XBoard | Command::OpponentTime(_) | Command::Idle => {}
        }
        Ok(())
    }
}

/// Whether a command changes what stands on the desk, or who plays: what is thought about is then of no use.
fn interrupts(command: &Command<'_>) -> bool {
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

impl Speaker for XBoard {
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow {
        let command = match read(line) {
            Ok(command) => command,
            Err(fault) => {
                let why = match fault {
                    alfil_protocol::Fault::Unknown(_) => "unknown command".into(),
                    fault => fault.to_string(),
                };
                engine.say(Reply::Error(why, short(line.trim())));
                return Flow::On;
            }
        };
        if let Some(why) = self.objection(&command, engine) {
            engine.say(Reply::Error(why, short(line.trim())));
            return Flow::On;
        }
        let easy = command == Command::Easy && matches!(self.doing, Doing::Ponder { .. });
        if interrupts(&command) || easy {
            self.rest(engine);
        }
        if let Command::UserMove(mv) = command {
            if let Err(error) = self.moved(mv, engine) {
                engine.say(Reply::Illegal(error.to_string(), &short(mv)));
            }
        } else if let Err(error) = self.obey(&command, engine) {
            engine.say(Reply::Error(error.to_string(), short(line.trim())));
        }
        if command == Command::Quit { Flow::Over } else { Flow::On }
    }

    fn pass_on(&mut self, thought: Thought, engine: &mut Engine) {
        match thought {
            Thought::Info { rank, depth, score, mate, nodes, seconds, line, .. } => {
                let time = milliseconds(seconds);
                if rank == 1 {
                    (self.best, self.score) = (line.clone(), Some(score));
                    self.progress = (time, nodes, depth);
                }
                if self.post || self.doing == Doing::Analysis {
                    let mut pv = line;
                    if let Some(first) = pv.first_mut() {
                        *first = self.said(first, engine);
                    }
                    engine.say(Reply::Thinking(Thinking { depth, score, mate, time, nodes, pv: &pv }));
                }
            }
            Thought::Failed(words) => self.complain(&words, engine),
            Thought::Best(best) => match &mut self.doing {
                Doing::Move => {
                    if let Err(error) = self.play(best, engine) {
                        engine.say(Reply::Error(error.to_string(), "go".into()));
                    }
                }
                Doing::Ponder { answer, .. } => *answer = best,
                Doing::Analysis | Doing::Nothing => {}
            },
        }
    }

    fn complain(&mut self, words: &str, engine: &mut Engine) {
        engine.say(Reply::Error(words.into(), String::new()));
    }
}
