//! A game at the table, whatever shows it: who plays, what was said, and who is thinking.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alfil_hall::draw::Pieces;
use alfil_hall::{Desk, DeskError, Ending, Job, JudgeAsk, Limits, Target, Thought, View, lot};
use alfil_kernel::{Outcome, Side};

/// A line of the analysis.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Plies.
    pub(crate) depth: u32,
    /// Hundredths, from the view of the side to move.
    pub(crate) score: i32,
    /// A known end in so many plies: positive if the side to move wins.
    pub(crate) mate: Option<i32>,
    /// The line in the dialect chosen.
    pub(crate) line: Vec<String>,
}

impl Finding {
    /// The value and the line: `+0.24 e2e4 e7e5`, or `win in 5 d1h5 ...`.
    pub(crate) fn words(&self) -> String {
        let value = match self.mate {
            Some(plies) if plies > 0 => format!("win in {plies}"),
            Some(plies) => format!("loss in {}", -plies),
            None => format!("{:+.2}", f64::from(self.score) / 100.0),
        };
        format!("{value:>6} {}", self.line.join(" "))
    }
}

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The computer's move.
    Reply,
    /// A move for the person.
    Hint,
    /// Lines to look at, until somebody stops it.
    Analysis,
    /// Lines to look at, found in the time of a move.
    Glance,
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
    /// How moves are written: one of the game's dialects.
    dialect: &'static str,
    /// A move that was played would lose at once by law: it is played when it is given again.
    warned: Option<String>,
    time: Duration,
    /// What the computer draws its moves by: another one every time.
    seed: u64,
    start: String,
    resigned: bool,
    thinking: Option<Thinking>,
}

/// How many lines an analysis has.
const LINES: usize = 3;
/// How many moves of a line are told.
const TOLD: usize = 12;
/// The levels of strength.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

impl Table {
    pub(crate) fn new(
        desk: Box<dyn Desk>,
        person: Side,
        level: u32,
        time: Duration,
        pieces: Pieces,
        dialect: Option<&str>,
    ) -> Table {
        let dialects = desk.dialects();
        let named = dialects.iter().find(|&&name| Some(name) == dialect);
        let dialect = *named.unwrap_or(&dialects[0]);
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
            warned: None,
            time,
            seed: lot(),
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

    /// Why it ended as it did, or how often the position has stood; empty where there is nothing to add to the status.
    pub(crate) fn remark(&self, view: &View) -> String {
        if self.resigned {
            return String::new();
        }
        match (&view.ending, view.occurrences) {
            (Some(_), _) => self.reasons(),
            (None, 1) => String::new(),
            (None, times) => format!("This position has now stood {times} times."),
        }
    }

    /// The judge's reasons for a verdict by repetition.
    fn reasons(&self) -> String {
        let ruling = self.desk.rule(&JudgeAsk::default()).ok();
        ruling
            .filter(|ruling| ruling.window.is_some())
            .map_or(String::new(), |ruling| ruling.explanation.join(" "))
    }

    /// How moves are written.
    pub(crate) fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// Writes moves in this dialect from now on.
    ///
    /// # Errors
    /// If the game has none of that name.
    pub(crate) fn speak(&mut self, name: &str) -> Result<(), DeskError> {
        let dialects = self.desk.dialects();
        let unknown = || {
            let (game, known) = (self.desk.game(), dialects.join(", "));
            DeskError::new(format!("{game} has no dialect {name:?}; it knows {known}"))
        };
        self.dialect = *dialects.iter().find(|&&known| known == name).ok_or_else(unknown)?;
        self.said = format!("Moves are written as {name}.");
        Ok(())
    }

    /// Writes moves in the next of the game's dialects.
    pub(crate) fn speak_next(&mut self) {
        let dialects = self.desk.dialects();
        let here = dialects.iter().position(|&name| name == self.dialect).unwrap_or_default();
        self.dialect = dialects[(here + 1) % dialects.len()];
        self.said = format!("Moves are written as {}.", self.dialect);
    }

    /// Sets the computer's strength, from the next move on.
    pub(crate) fn set_level(&mut self, level: u32) {
        self.level = level.clamp(*LEVELS.start(), *LEVELS.end());
        self.said = format!("The computer plays at level {}.", self.level);
    }

    /// The moves so far, in the dialect chosen.
    pub(crate) fn record(&self) -> Vec<String> {
        // The dialect is one of the game's.
        self.desk.record(Some(self.dialect)).unwrap_or_default()
    }

    /// The legal moves in the dialect chosen.
    pub(crate) fn moves(&self) -> Vec<String> {
        self.desk.moves(Some(self.dialect)).unwrap_or_default()
    }

    /// A move of the default dialect as it is written here.
    fn written(&self, text: &str) -> String {
        self.desk.written(text, Some(self.dialect)).unwrap_or_else(|_| text.to_owned())
    }

    /// A line of moves from here, given in the default dialect, as it is written here.
    fn line_written(&mut self, line: &[String]) -> Vec<String> {
        let mut written = Vec::new();
        for text in line.iter().take(TOLD) {
            let here = self.written(text);
            if self.desk.play(text, None).is_err() {
                break;
            }
            written.push(here);
        }
        for _ in &written {
            self.desk.undo();
        }
        written
    }

    /// Plays a move of the person's, in whatever dialect of the game it was typed.
    ///
    /// # Errors
    /// If it is not legal, or the game is over; or, once, where the person would lose by law for having played it.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), DeskError> {
        let dialect = self.desk.dialect_of(text, Some(self.dialect))?;
        self.play_as(text, Some(dialect))
    }

    /// Plays one of the targets.
    ///
    /// # Errors
    /// See [`Table::play`].
    pub(crate) fn choose(&mut self, target: &Target) -> Result<(), DeskError> {
        self.play_as(&target.text, None)
    }

    fn play_as(&mut self, text: &str, dialect: Option<&str>) -> Result<(), DeskError> {
        if self.is_over() {
            return Err(DeskError::new("the game is over: take a move back or start a new one"));
        }
        if !self.may_move() {
            return Err(DeskError::new("it is the computer's turn"));
        }
        let warned = self.warned.take();
        self.stop();
        let step = self.desk.play(text, dialect)?;
        if warned.as_deref() != Some(step.text.as_str())
            && let Some(words) = self.offence()
        {
            self.desk.undo();
            let written = self.written(&step.text);
            self.warned = Some(step.text);
            return Err(DeskError::new(format!(
                "{written} would lose the game; give it again to play it. {words}."
            )));
        }
        self.said = String::new();
        Ok(())
    }

    /// Why the person, who has just moved, has lost by a rule against repetition or will have by some reply; none if not.
    fn offence(&mut self) -> Option<String> {
        if let Some(ending) = self.desk.judge() {
            return self.offended(ending);
        }
        let replies = self.desk.moves(None).unwrap_or_default();
        replies.iter().find_map(|reply| {
            let ending = self.desk.play(reply, None).ok()?.ending;
            let words = ending.and_then(|ending| self.offended(ending));
            self.desk.undo();
            words
        })
    }

    /// The words of an ending that the person has lost by a rule against repetition.
    fn offended(&self, ending: Ending) -> Option<String> {
        let lost = ending.outcome == Outcome::Win(!self.person);
        // No reasons, no repetition: it was lost otherwise.
        (lost && !self.reasons().is_empty()).then_some(ending.words)
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
            self.warned = None;
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
            self.said = "The game is over.".into();
            return;
        }
        let time = Some(self.time);
        let limits = match purpose {
            Purpose::Reply => Limits { level: Some(self.level), seed: self.seed, time, ..Limits::default() },
            Purpose::Hint => Limits { time, ..Limits::default() },
            Purpose::Analysis => Limits { lines: LINES, ..Limits::default() },
            Purpose::Glance => Limits { lines: LINES, time, ..Limits::default() },
        };
        let (sender, heard) = channel();
        // Whoever left the table does not listen any more.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        match self.desk.think(&limits, sink) {
            Ok(job) => self.thinking = Some(Thinking { purpose, job, heard }),
            Err(error) => self.said = error.to_string(),
        }
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
            (Thought::Info { rank, depth, score, mate, line, .. }, Purpose::Analysis | Purpose::Glance) => {
                let index = (rank as usize).clamp(1, LINES) - 1;
                let line = self.line_written(&line);
                if self.findings.len() <= index {
                    let nothing = Finding { depth, score, mate, line: Vec::new() };
                    self.findings.resize(index + 1, nothing);
                }
                self.findings[index] = Finding { depth, score, mate, line };
            }
            (Thought::Failed(words), _) => self.said = words,
            (Thought::Info { .. }, _) | (Thought::Best(_), Purpose::Analysis | Purpose::Glance) => {}
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
