//! The engine's side of UCCI 3.0, which is spoken of xiangqi alone.

use std::collections::HashMap;
use std::time::Duration;

use alfil_protocol::Setting;
use alfil_protocol::ucci::{Command, Go, Reply, read};
use alfil_protocol::uci::Position;

use super::engine::{Engine, Place};
use super::manners::Manners;
use super::{AUTHOR, Flow, Hearing, NAME, Speaker, milliseconds, on};
use crate::clock::{Bounds, Clock};
use crate::desk::{DeskError, Limits, Thought};
use crate::registry;

/// The only game of the protocol.
const GAME: &str = "xiangqi";

/// What was found out about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Plies.
    depth: u32,
    score: i32,
    line: Vec<String>,
}

/// The state of a UCCI dialogue beside the engine's own.
#[derive(Debug, Default)]
pub(crate) struct Ucci {
    /// Times are milliseconds, not seconds.
    milliseconds: bool,
    /// Nothing is read while it thinks: the input is a file.
    batch: bool,
    /// First moves not to think about, until the next position.
    banned: Vec<String>,
    /// The answer must wait for `ponderhit` or `stop`.
    ponders: bool,
    /// The answer that waits.
    held: Option<Option<String>>,
    /// A draw was offered to it.
    offered: bool,
    manners: Manners,
    /// What is known of the position it thinks about.
    found: Found,
    /// The key of that position.
    key: u64,
    /// What it remembers of the positions that it thought about in this game, for `probe`.
    memory: HashMap<u64, Found>,
}

impl Ucci {
    /// Before the first line.
    ///
    /// # Errors
    /// If xiangqi cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, DeskError> {
        if engine.desk.game() != GAME {
            let words = format!("UCCI is spoken of {GAME} alone, so that is played");
            engine.say(Reply::Message(&words));
            engine.sit(GAME)?;
        }
        Ok(Ucci::default())
    }

    fn introduce(&self, engine: &mut Engine) {
        engine.say(Reply::Id("name", NAME));
        engine.say(Reply::Id("author", AUTHOR));
        let mut settings = vec![
            Setting::check("usemillisec", self.milliseconds),
            Setting::check("batch", self.batch),
            Setting::check("ponder", false),
            Setting::button("newgame"),
        ];
        for mut setting in engine.settings().into_iter().chain(self.manners.settings()) {
            // Names are one word here, and the table has one of its own.
            setting.name = match setting.name.as_str() {
                "Hash" => "hashsize".into(),
                name => name.to_ascii_lowercase().replace(' ', ""),
            };
            settings.push(setting);
        }
        for setting in &settings {
            engine.say(Reply::Option(setting));
        }
        engine.say(Reply::UcciOk);
    }

    /// Sets an option. GUIs send theirs without asking which there are, so what is not known is left alone.
    fn set(&mut self, name: &str, value: Option<&str>, engine: &mut Engine) -> Result<(), DeskError> {
        let text = value.unwrap_or_default();
        let name = name.to_ascii_lowercase();
        // 0 leaves it to the engine.
        let amount = |usual: &'static str| if text == "0" { usual.to_owned() } else { text.to_owned() };
        match name.as_str() {
            "usemillisec" => self.milliseconds = on(&name, text)?,
            "batch" => self.batch = on(&name, text)?,
            "newgame" => {
                engine.forget();
                self.manners.forget();
                self.memory.clear();
            }
            "hashsize" => drop(engine.set("hash", &amount("32"))?),
            "threads" => drop(engine.set("threads", &amount("1"))?),
            "multipv" | "ruleset" => drop(engine.set(&name, text)?),
            "moveoverhead" => drop(engine.set("move overhead", text)?),
            "skilllevel" => drop(engine.set("skill level", text)?),
            _ => drop(self.manners.set(&name, text)?),
        }
        Ok(())
    }

    fn lay(&mut self, position: &Position<'_>, engine: &mut Engine) {
        let before = engine.place();
        match engine.lay(place(position)) {
            Ok(waived) => {
                self.banned.clear();
                if !continues(&before, &engine.place()) {
                    self.manners.forget();
                }
                if let Some(complaint) = waived {
                    self.complain(&format!("played all the same: {complaint}"), engine);
                }
            }
            Err(refusal) => self.complain(&refusal.to_string(), engine),
        }
    }

    fn ban(&mut self, moves: &[&str], engine: &mut Engine) -> Result<(), DeskError> {
        let banned = moves.iter().map(|mv| engine.understood(&plain(mv), None)).collect::<Result<_, _>>()?;
        self.banned = banned;
        Ok(())
    }

    fn time(&self, amount: u64) -> Duration {
        if self.milliseconds {
            Duration::from_millis(amount)
        } else {
            Duration::from_secs(amount.min(u64::MAX / 1000))
        }
    }

    fn go(&mut self, go: &Go, engine: &mut Engine) -> Result<(), DeskError> {
        if go.depth == Some(0) {
            let score = engine.desk.value();
            engine.say(Reply::Depth(0, None, score, &[]));
            engine.say(Reply::NoBestMove);
            return Ok(());
        }
        // Every `go` must have its answer, so what is nothing is said to be and taken as the least.
        if go.nodes == Some(0) {
            self.complain("nodes is at least 1, found 0: it is taken as 1", engine);
        }
        if go.movestogo == Some(0) {
            self.complain("movestogo is at least 1, found 0: it is left out", engine);
        }
        let clock: Option<Bounds> = go.time.map(|left| {
            engine.bounds(&Clock {
                left: self.time(left.max(0) as u64),
                increment: self.time(go.increment),
                moves: go.movestogo.filter(|&moves| moves > 0),
                overhead: engine.overhead,
            })
        });
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            lines: engine.lines,
            without: self.banned.clone(),
            clock,
            ponder: go.ponder,
            ..Limits::default()
        };
        engine.think(&limits)?;
        self.found = Found::default();
        self.key = engine.desk.view().key;
        self.held = None;
        self.ponders = go.ponder;
        self.offered = go.draw;
        Ok(())
    }

    /// The answer, with the move that is expected then.
    fn answer(&mut self, best: Option<String>, engine: &mut Engine) {
        self.ponders = false;
        let found = std::mem::take(&mut self.found);
        let Some(best) = best else { return engine.say(Reply::NoBestMove) };
        // The line that was told last may begin with another move, where the search was cut off.
        let sure = found.line.first() == Some(&best);
        let expected = found.line.get(1).filter(|_| sure).map(String::as_str);
        let offered = std::mem::take(&mut self.offered);
        let mut word = None;
        if found.depth > 0 {
            self.manners.note(engine.ply(), engine.desk.view().number, found.score);
            word = match () {
                () if self.manners.resigns() => Some("resign"),
                () if self.manners.offers() || (offered && self.manners.accepts()) => Some("draw"),
                () => None,
            };
        }
        engine.say(Reply::BestMove(&best, expected, word));
        if sure {
            self.memory.insert(self.key, found);
        }
    }

    /// What waits, waits no longer; whether anything did.
    fn release(&mut self, engine: &mut Engine) -> bool {
        self.ponders = false;
        let held = self.held.take();
        let any = held.is_some();
        if let Some(best) = held {
            self.answer(best, engine);
        }
        any
    }

    /// What is remembered of a position, looked at on another desk.
    fn probe(&self, position: &Position<'_>, engine: &mut Engine) -> Result<(), DeskError> {
        let place = place(position);
        let mut desk = registry::open(GAME, None)?;
        desk.open(place.fen.as_deref().unwrap_or("startpos"), &alfil_kernel::Waivers::All)?;
        for text in &place.moves {
            desk.play(text, None)?;
        }
        let found = self.memory.get(&desk.view().key);
        let known = found.and_then(|found| Some((found.line.first()?.as_str(), found.score, found.depth)));
        engine.say(Reply::PopHash(known));
        Ok(())
    }
}

/// ICCS writes a hyphen, and upper case; the points are the same.
fn plain(mv: &str) -> String {
    mv.replace('-', "").to_ascii_lowercase()
}

/// Whether a game goes on from one place to the next; where it pondered, the last move may have been another than it expected.
fn continues(before: &Place, after: &Place) -> bool {
    let sure = before.moves.split_last().map_or(&[][..], |(_, moves)| moves);
    before.fen == after.fen && after.moves.starts_with(sure)
}

fn place(position: &Position<'_>) -> Place {
    let moves = position.moves.iter().map(|mv| plain(mv)).collect();
    Place { fen: position.fen.map(str::to_owned), moves, dialect: None }
}

impl Speaker for Ucci {
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow {
        let command = match read(line) {
            Ok(command) => command,
            Err(fault) => {
                self.complain(&fault.to_string(), engine);
                return Flow::On;
            }
        };
        // Whatever changes the desk ends a thought first, so that every `go` has its answer.
        if matches!(
            command,
            Command::Position(_) | Command::Go(_) | Command::BanMoves(_) | Command::SetOption { .. }
        ) {
            self.settle(engine);
        }
        let mut done = Ok(());
        match command {
            Command::Ucci => self.introduce(engine),
            Command::IsReady => {
                engine.ready();
                engine.say(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => done = self.set(name, value, engine),
            Command::Position(position) => self.lay(&position, engine),
            Command::BanMoves(moves) => done = self.ban(&moves, engine),
            Command::Go(go) => done = self.go(&go, engine),
            Command::PonderHit { draw } => {
                self.offered |= draw;
                engine.hit();
                self.release(engine);
            }
            // A GUI that waits for an answer which never comes is helped by one that says nothing.
            Command::Stop if !engine.thinks() && self.held.is_none() => engine.say(Reply::NoBestMove),
            Command::Stop => {
                engine.stop();
                self.release(engine);
            }
            Command::Probe(position) => done = self.probe(&position, engine),
            Command::Idle => {}
            Command::Quit => {
                engine.abandon();
                engine.say(Reply::Bye);
                return Flow::Over;
            }
        }
        if let Err(error) = done {
            self.complain(&error.to_string(), engine);
        }
        Flow::On
    }

    fn pass_on(&mut self, thought: Thought, engine: &mut Engine) {
        match thought {
            Thought::Info { rank, depth, score, nodes, seconds, line, .. } => {
                engine.say(Reply::Effort(milliseconds(seconds), nodes));
                engine.say(Reply::Depth(depth, (engine.lines > 1).then_some(rank), score, &line));
                if rank == 1 {
                    self.found = Found { depth, score, line };
                }
            }
            Thought::Failed(words) => self.complain(&words, engine),
            Thought::Best(best) if self.ponders => self.held = Some(best),
            Thought::Best(best) => self.answer(best, engine),
        }
    }

    fn complain(&mut self, words: &str, engine: &mut Engine) {
        engine.say(Reply::Message(words));
    }

    fn hearing(&self, engine: &Engine) -> Hearing {
        if self.batch && engine.thinks() { Hearing::Patient } else { Hearing::Open }
    }

    fn settle(&mut self, engine: &mut Engine) {
        for thought in engine.settle() {
            self.pass_on(thought, engine);
        }
        self.release(engine);
    }
}
