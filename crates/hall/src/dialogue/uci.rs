//! The engine's side of UCI: xiangqi unless told otherwise, chess and Othello by `UCI_Variant`.

use std::time::Duration;

use alfil_kernel::Side;
use alfil_protocol::Setting;
use alfil_protocol::uci::{Command, Go, Info, Position, Reply, Score, read};
use alfil_protocol::words::short;

use super::engine::{Engine, Place, Refusal};
use super::{AUTHOR, Flow, NAME, Speaker, flipello, milliseconds, on, wdl};
use crate::clock::{Bounds, Clock};
use crate::desk::{DeskError, Limits, Thought};

/// The variants by the names GUIs know, and the games they are. `flipello` is Othello as Fairy-Stockfish writes it.
const VARIANTS: [(&str, &str); 5] = [
    ("xiangqi", "xiangqi"),
    ("chess", "chess"),
    ("othello", "othello"),
    ("flipello", "othello"),
    ("reversi", "othello"),
];

/// The state of a UCI dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct Uci {
    variant: &'static str,
    /// Xiangqi's ranks run from 1 to 10.
    ten: bool,
    chess960: bool,
    wdl: bool,
    /// How many plies old the game is that it thinks about.
    age: usize,
    /// First moves not to think about, until the next position.
    banned: Vec<String>,
    /// The answer must wait for `stop`, or for `ponderhit` if it thinks in the opponent's time.
    waits: Option<Waits>,
    /// The answer that waits.
    held: Option<Option<String>>,
    /// The best line told so far, in the default dialect.
    best: Vec<String>,
}

/// What an answer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    Stop,
    Hit,
}

impl Uci {
    /// Before the first line.
    pub(crate) fn new(engine: &Engine) -> Self {
        Uci {
            variant: engine.desk.game(),
            ten: false,
            chess960: false,
            wdl: false,
            age: 0,
            banned: Vec::new(),
            waits: None,
            held: None,
            best: Vec::new(),
        }
    }

    /// How moves are written; none for the default.
    fn dialect(&self, engine: &Engine) -> Option<&'static str> {
        match engine.desk.game() {
            "xiangqi" if self.ten => Some("uci10"),
            "chess" if self.chess960 => Some("uci960"),
            _ => None,
        }
    }

    /// A move as it was said, in the words the desk reads.
    fn heard(&self, text: &str, engine: &Engine) -> String {
        match (self.variant, engine.desk.game()) {
            ("flipello", _) => flipello::heard(text),
            // ICCS writes a hyphen, and upper case; the points are the same.
            (_, "xiangqi") => text.replace('-', "").to_ascii_lowercase(),
            _ => text.into(),
        }
    }

    /// A line in the default dialect, as it is said here.
    fn said(&self, line: Vec<String>, engine: &mut Engine) -> Vec<String> {
        let line = match self.dialect(engine) {
            // It is one of the game's.
            Some(dialect) => engine.desk.line_written(&line, Some(dialect)).unwrap_or_default(),
            None => line,
        };
        if self.variant == "flipello" { flipello::said(line, engine) } else { line }
    }

    fn introduce(&self, engine: &mut Engine) {
        engine.say(Reply::Id(NAME, AUTHOR));
        let variants = VARIANTS.map(|(variant, _)| variant);
        let mut settings = engine.settings();
        settings.extend(engine.strength.points());
        settings.extend([
            Setting::check("Ponder", false),
            Setting::button("Clear Hash"),
            Setting::combo("UCI_Variant", self.variant, &variants),
            Setting::combo("UCI_Ranks", if self.ten { "1-10" } else { "0-9" }, &["0-9", "1-10"]),
            Setting::check("UCI_Chess960", self.chess960),
            Setting::check("UCI_ShowWDL", self.wdl),
        ]);
        for setting in &settings {
            engine.say(Reply::Option(setting));
        }
        engine.say(Reply::UciOk);
    }

    fn set(&mut self, name: &str, value: Option<&str>, engine: &mut Engine) -> Result<(), DeskError> {
        let text = value.unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let known = VARIANTS.iter().find(|(variant, _)| variant.eq_ignore_ascii_case(text));
                let Some(&(variant, game)) = known else {
                    let known = VARIANTS.map(|(variant, _)| variant).join(", ");
                    return Err(DeskError::new(format!(
                        "UCI_Variant is one of {known}, found {:?}",
                        short(text)
                    )));
                };
                engine.sit(game)?;
                self.variant = variant;
                self.banned.clear();
            }
            "uci_ranks" => match text {
                "0-9" => self.ten = false,
                "1-10" => self.ten = true,
                _ => {
                    return Err(DeskError::new(format!("UCI_Ranks is 0-9 or 1-10, found {:?}", short(text))));
                }
            },
            "uci_chess960" => self.chess960 = on(name, text)?,
            "uci_showwdl" => self.wdl = on(name, text)?,
            // A GUI says `go ponder` when it wants it.
            "ponder" => drop(on(name, text)?),
            "clear hash" => engine.desk.forget(),
            _ => {
                if !engine.set(name, text)? {
                    return Err(DeskError::new(format!("there is no option {:?}", short(name))));
                }
            }
        }
        Ok(())
    }

    fn lay(&mut self, position: &Position<'_>, engine: &mut Engine) {
        let fen = match (self.variant, position.fen) {
            ("flipello", Some(fen)) => Some(flipello::board(fen)),
            (_, fen) => fen.map(str::to_owned),
        };
        let moves = position.moves.iter().map(|mv| self.heard(mv, engine)).collect();
        match engine.lay(Place { fen, moves, dialect: self.dialect(engine) }) {
            Ok(waived) => {
                self.banned.clear();
                if let Some(complaint) = waived {
                    engine.say(Reply::Remark(&format!("played all the same: {complaint}")));
                }
            }
            Err(Refusal::Foreign { game, here }) => {
                let words = format!(
                    "this is a position of {game}, and {here} is played: setoption name UCI_Variant value {game}"
                );
                self.complain(&words, engine);
            }
            Err(Refusal::Words(error)) => {
                let ranks = if self.ten { "1-10" } else { "0-9" };
                let hint = match error.other {
                    Some("ucci" | "uci10") => format!(" (UCI_Ranks is {ranks})"),
                    _ => String::new(),
                };
                self.complain(&format!("{error}{hint}"), engine);
            }
        }
    }

    fn go(&mut self, go: &Go<'_>, engine: &mut Engine) -> Result<(), DeskError> {
        let dialect = self.dialect(engine);
        let mut only = Vec::new();
        for mv in &go.searchmoves {
            only.push(engine.understood(&self.heard(mv, engine), dialect)?);
        }
        // Every `go` must have its answer, so what is nothing is said to be and taken as the least.
        let limits = [
            ("depth", go.depth.map(u64::from)),
            ("nodes", go.nodes),
            ("mate", go.mate.map(u64::from)),
            ("movetime", go.movetime),
            ("movestogo", go.movestogo.map(u64::from)),
        ];
        for (name, _) in limits.into_iter().filter(|(_, limit)| *limit == Some(0)) {
            let taken = if name == "movestogo" { "left out" } else { "taken as 1" };
            self.complain(&format!("{name} is at least 1, found 0: it is {taken}"), engine);
        }
        let clock = match go.movetime {
            Some(time) => Some(Bounds::exact(Duration::from_millis(time.max(1)))),
            None => self.clock(go, engine),
        };
        let limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || clock.is_some();
        let limits = Limits {
            depth: go.depth.map(|depth| depth.max(1)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            mate: go.mate.map(|mate| mate.max(1)),
            lines: engine.lines,
            only,
            without: self.banned.clone(),
            clock,
            ponder: go.ponder,
            ..Limits::default()
        };
        engine.think(&limits)?;
        self.age = wdl::age(&engine.desk.view());
        self.best.clear();
        self.held = None;
        self.waits = match go {
            _ if go.infinite || !limited => Some(Waits::Stop),
            _ if go.ponder => Some(Waits::Hit),
            _ => None,
        };
        Ok(())
    }

    /// What the clock of the side to move allows. `w` is Red, White in chess and Othello, and whoever begins in flipello.
    fn clock(&self, go: &Go<'_>, engine: &Engine) -> Option<Bounds> {
        let second = engine.desk.view().side == Side::Second;
        let white = second == (engine.desk.game() == "othello" && self.variant != "flipello");
        let mover = usize::from(!white);
        let left = go.time[mover]?;
        Some(engine.bounds(&Clock {
            left: Duration::from_millis(left.max(0) as u64),
            increment: Duration::from_millis(go.increment[mover]),
            moves: go.movestogo.filter(|&moves| moves > 0),
            overhead: engine.overhead,
        }))
    }

    fn ban(&mut self, moves: &[&str], engine: &mut Engine) -> Result<(), DeskError> {
        let dialect = self.dialect(engine);
        let mut banned = Vec::new();
        for mv in moves {
            banned.push(engine.understood(&self.heard(mv, engine), dialect)?);
        }
        self.banned = banned;
        Ok(())
    }

    /// The answer, with the move that is expected then.
    fn answer(&mut self, best: Option<String>, engine: &mut Engine) {
        self.waits = None;
        let line = match best {
            // The line that was told last may begin with another move, where the search was cut off.
            Some(best) if self.best.first() == Some(&best) => self.best.drain(..).take(2).collect(),
            best => best.into_iter().collect(),
        };
        let line = self.said(line, engine);
        let word = |number: usize| line.get(number).map(String::as_str);
        engine.say(Reply::BestMove(word(0), word(1)));
    }

    /// What waits, waits no longer.
    fn release(&mut self, engine: &mut Engine) {
        self.waits = None;
        if let Some(best) = self.held.take() {
            self.answer(best, engine);
        }
    }
}

impl Speaker for Uci {
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow {
        let command = match read(line) {
            Ok(command) => command,
            Err(fault) => {
                self.complain(&fault.to_string(), engine);
                return Flow::On;
            }
        };
        // Whatever changes the desk ends a thought first, so that every `go` has its answer.
        match command {
            Command::Position(_) | Command::Go(_) | Command::BanMoves(_) => self.settle(engine),
            Command::SetOption { .. } | Command::NewGame => self.settle(engine),
            _ => {}
        }
        let done = match command {
            Command::Uci => {
                self.introduce(engine);
                Ok(())
            }
            Command::IsReady => {
                engine.ready();
                engine.say(Reply::ReadyOk);
                Ok(())
            }
            Command::NewGame => {
                engine.forget();
                Ok(())
            }
            Command::SetOption { name, value } => self.set(name, value, engine),
            Command::Position(position) => {
                self.lay(&position, engine);
                Ok(())
            }
            Command::BanMoves(moves) => self.ban(&moves, engine),
            Command::Go(go) => self.go(&go, engine),
            Command::Stop => {
                engine.stop();
                self.release(engine);
                Ok(())
            }
            Command::PonderHit => {
                engine.hit();
                if self.waits == Some(Waits::Hit) {
                    self.release(engine);
                }
                Ok(())
            }
            Command::Idle => Ok(()),
            Command::Quit => return Flow::Over,
        };
        if let Err(error) = done {
            self.complain(&error.to_string(), engine);
        }
        Flow::On
    }

    fn pass_on(&mut self, thought: Thought, engine: &mut Engine) {
        match thought {
            Thought::Info { rank, depth, seldepth, score, mate, nodes, full, seconds, line } => {
                if rank == 1 {
                    self.best.clone_from(&line);
                }
                let wdl = self.wdl.then(|| wdl::chances(score, mate, engine.desk.game(), self.age));
                let (score, time) = (Score::new(score, mate), milliseconds(seconds));
                let pv = &self.said(line, engine)[..];
                let info =
                    Info { depth, seldepth, multipv: rank, score, wdl, nodes, time, hashfull: full, pv };
                engine.say(Reply::Info(info));
            }
            Thought::Failed(words) => self.complain(&words, engine),
            Thought::Best(best) if self.waits.is_some() => self.held = Some(best),
            Thought::Best(best) => self.answer(best, engine),
        }
    }

    fn complain(&mut self, words: &str, engine: &mut Engine) {
        engine.say(Reply::Remark(words));
    }

    fn settle(&mut self, engine: &mut Engine) {
        for thought in engine.settle() {
            self.pass_on(thought, engine);
        }
        self.release(engine);
    }
}
