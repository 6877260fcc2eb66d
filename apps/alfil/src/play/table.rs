//! A game at the table, whatever shows it: who plays, what was said, and who is thinking.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alfil_hall::draw::Pieces;
use alfil_hall::{Desk, DeskError, Job, Limits, Target, Thought, View};
use alfil_kernel::Side;

/// A line of the analysis.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Plies.
    pub(crate) depth: u32,
    /// Hundredths, from the view of the side to move.
    pub(crate) score: i32,
    /// The line in the default dialect.
    pub(crate) line: Vec<String>,
}

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The computer's move.
    Reply,
    /// A move for the person.
    Hint,
    /// Lines to look at.
    Analysis,
}

/// A thought under way; it stops when it is dropped.
struct Thinking {
    purpose: Purpose,
    job: Job,
    heard: Receiver<Thought>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.job.stop();
    }
}

/// A game between a person and the computer.
pub(crate) struct Table {
    pub(crate) desk: Box<dyn Desk>,
    pub(crate) person: Side,
    pub(crate) level: u32,
    pub(crate) pieces: Pieces,
    /// Who sits below.
    pub(crate) below: Side,
    /// What was last said to the person.
    pub(crate) said: String,
    /// The best lines found, while the analysis is on.
    pub(crate) findings: Vec<Finding>,
    dialect: Option<String>,
    time: Duration,
    /// What the computer draws its moves by: another one every time.
    seed: u64,
    start: String,
    resigned: bool,
    thinking: Option<Thinking>,
}

/// How many lines an analysis has.
const LINES: usize = 3;

impl Table {
    pub(crate) fn new(
        desk: Box<dyn Desk>,
        person: Side,
        level: u32,
        time: Duration,
        pieces: Pieces,
        dialect: Option<String>,
    ) -> Table {
        let start = desk.view().fen;
        Table {
            desk,
            person,
            level,
            pieces,
            below: person,
            said: String::new(),
            findings: Vec::new(),
            dialect,
            time,
            seed: RandomState::new().build_hasher().finish(),
            start,
            resigned: false,
            thinking: None,
        }
    }

    /// A side's name.
    pub(crate) fn name(&self, side: Side) -> &'static str {
        self.desk.look().sides[side.index()]
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned || self.desk.judge().is_some()
    }

    /// Whether the person may move.
    pub(crate) fn may_move(&self) -> bool {
        !self.is_over() && self.desk.view().side == self.person && !self.replies()
    }

    fn replies(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Reply)
    }

    /// How the game stands, in a sentence.
    pub(crate) fn status(&self, view: &View) -> String {
        if self.resigned {
            return format!("{} resigns: {} wins", self.name(self.person), self.name(!self.person));
        }
        match (&view.ending, self.replies()) {
            (Some(ending), _) => ending.words.clone(),
            (None, true) => "The computer is thinking ...".into(),
            (None, false) => view.words.clone(),
        }
    }

    /// The moves so far, in the dialect chosen.
    pub(crate) fn record(&self) -> Vec<String> {
        // The dialect was looked up when the game began.
        self.desk.record(self.dialect.as_deref()).unwrap_or_default()
    }

    /// The legal moves in the dialect chosen.
    pub(crate) fn moves(&self) -> Vec<String> {
        self.desk.moves(self.dialect.as_deref()).unwrap_or_default()
    }

    /// A move of the default dialect as it is written here.
    pub(crate) fn written(&self, text: &str) -> String {
        self.desk.written(text, self.dialect.as_deref()).unwrap_or_else(|_| text.to_owned())
    }

    /// Plays a move of the person's, as it is written here.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), DeskError> {
        if self.is_over() {
            return Err(DeskError("the game is over: take a move back or start a new one".into()));
        }
        self.stop();
        self.desk.play(text, self.dialect.as_deref())?;
        self.said = String::new();
        Ok(())
    }

    /// Plays one of the targets.
    ///
    /// # Errors
    /// See [`Table::play`].
    pub(crate) fn choose(&mut self, target: &Target) -> Result<(), DeskError> {
        let text = self.written(&target.text);
        self.play(&text)
    }

    /// The pass that is the person's only move, if it is.
    pub(crate) fn forced(&self) -> Option<Target> {
        let mut targets = if self.may_move() { self.desk.targets(None) } else { Vec::new() };
        (targets.len() == 1 && targets[0].to.is_none()).then(|| targets.remove(0))
    }

    /// Takes back the person's last move and the answer to it.
    pub(crate) fn take_back(&mut self) {
        self.stop();
        self.resigned = false;
        let mut undone = 0;
        // A pass was no choice of the person's: it goes, too.
        while self.desk.undo().is_some() {
            undone += 1;
            if self.desk.view().side == self.person && self.forced().is_none() {
                break;
            }
        }
        self.said = if undone == 0 { "There is no move to take back.".into() } else { String::new() };
    }

    /// Starts again from the same position.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.resigned = false;
        self.said = String::new();
        // It was accepted once.
        if let Err(error) = self.desk.open(&self.start, &alfil_kernel::Waivers::All) {
            self.said = error.to_string();
        }
    }

    /// The person gives up.
    pub(crate) fn resign(&mut self) {
        self.stop();
        self.resigned = !self.is_over();
    }

    /// Begins to think, unless the game is over.
    pub(crate) fn think(&mut self, purpose: Purpose) {
        self.stop();
        if self.is_over() {
            return;
        }
        let time = Some(self.time);
        let limits = match purpose {
            Purpose::Reply => Limits { level: Some(self.level), seed: self.seed, time, ..Limits::default() },
            Purpose::Hint => Limits { time, ..Limits::default() },
            Purpose::Analysis => Limits { lines: LINES, ..Limits::default() },
        };
        let (sender, heard) = channel();
        // Whoever left the table does not listen any more.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        let job = self.desk.think(&limits, sink).expect("limits that name no move are always good");
        self.thinking = Some(Thinking { purpose, job, heard });
    }

    /// Whether it is the computer's turn to begin thinking.
    pub(crate) fn owes_reply(&self) -> bool {
        !self.is_over() && self.desk.view().side != self.person && !self.replies()
    }

    /// Whether somebody looks for lines.
    pub(crate) fn analyses(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Analysis)
    }

    /// Stops whoever thinks.
    pub(crate) fn stop(&mut self) {
        self.thinking = None;
        self.findings.clear();
    }

    /// Hears what was found since; says whether anything changed.
    pub(crate) fn hear(&mut self) -> bool {
        let mut changed = false;
        while let Some(thought) = self.thinking.as_ref().and_then(|thinking| thinking.heard.try_recv().ok()) {
            changed = true;
            self.take(thought);
        }
        changed
    }

    /// Waits until whoever thinks is done.
    pub(crate) fn wait(&mut self) {
        while let Some(thought) = self.thinking.as_ref().and_then(|thinking| thinking.heard.recv().ok()) {
            self.take(thought);
        }
    }

    fn take(&mut self, thought: Thought) {
        let Some(purpose) = self.thinking.as_ref().map(|thinking| thinking.purpose) else { return };
        match (thought, purpose) {
            (Thought::Info { rank, depth, score, line, .. }, Purpose::Analysis) => {
                let index = (rank as usize).clamp(1, LINES) - 1;
                self.findings.truncate(LINES);
                if self.findings.len() <= index {
                    self.findings.resize(index + 1, Finding { depth, score, line: Vec::new() });
                }
                self.findings[index] = Finding { depth, score, line };
            }
            (Thought::Info { .. }, _) => {}
            (Thought::Failed(words), _) => self.said = words,
            (Thought::Best(_), Purpose::Analysis) => {}
            (Thought::Best(None), _) => self.thinking = None,
            (Thought::Best(Some(text)), Purpose::Hint) => {
                self.thinking = None;
                self.said = format!("A good move is {}.", self.written(&text));
            }
            (Thought::Best(Some(text)), Purpose::Reply) => {
                self.thinking = None;
                let (name, written) = (self.name(!self.person), self.written(&text));
                self.said = match self.desk.play(&text, None) {
                    Ok(_) => format!("{name} plays {written}."),
                    Err(error) => error.to_string(),
                };
            }
        }
    }
}
