//! Who thinks at the table, what for, and what comes of it.

use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use alfil_hall::{Job, Limits, Thought};

use super::super::review::{hundredths, mated};
use super::super::words::Word;
use super::Table;

/// How many lines an analysis has.
const LINES: usize = 3;
/// How many moves of a line are told.
const TOLD: usize = 12;

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
    /// The value and the line: `+0.24 e2e4 e7e5`, or `#3 d1h5 ...`.
    pub(crate) fn words(&self) -> String {
        let value = self.mate.map_or_else(|| hundredths(self.score), |plies| mated(plies, self.score));
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
pub(super) struct Thinking {
    pub(super) purpose: Purpose,
    job: Job,
    heard: Receiver<Thought>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.job.stop();
    }
}

impl Table {
    /// Begins to think, unless the game is over.
    pub(crate) fn think(&mut self, purpose: Purpose) {
        self.stop();
        if self.is_over() {
            self.said = self.say(Word::Over, &[]);
            return;
        }
        let time = Some(self.time);
        let clock = self.clock.as_ref().and_then(|clock| clock.bounds(Instant::now()));
        let limits = match purpose {
            Purpose::Reply => {
                let time = time.filter(|_| clock.is_none());
                Limits { level: Some(self.level), seed: self.seed, time, clock, ..Limits::default() }
            }
            Purpose::Hint => Limits { time, ..Limits::default() },
            Purpose::Analysis => Limits { lines: LINES, ..Limits::default() },
            Purpose::Glance => Limits { lines: LINES, time, ..Limits::default() },
        };
        let (sender, heard) = channel();
        // Whoever left the table does not listen any more.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        match self.desk.think(&limits, sink) {
            Ok(job) => self.thinking = Some(Thinking { purpose, job, heard }),
            Err(error) => self.said = self.told(&error),
        }
    }

    /// Whether it is the computer's turn to begin thinking.
    pub(crate) fn owes_reply(&self) -> bool {
        !self.is_over() && self.desk.view().side != self.person && !self.replies()
    }

    /// Whether anybody thinks.
    pub(crate) fn thinks(&self) -> bool {
        self.thinking.is_some()
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
        let mut changed = self.tick();
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
                let told = &line[..line.len().min(TOLD)];
                // The dialect is one of the game's.
                let line = self.desk.line_written(told, Some(self.dialect)).unwrap_or_default();
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
                self.said = self.say(Word::Hint, &[&self.written(&text)]);
            }
            (Thought::Best(Some(text)), Purpose::Reply) => {
                self.thinking = None;
                let (name, written) = (self.name(!self.person), self.written(&text));
                // The move may have come too late.
                self.tick();
                if self.is_over() {
                    return;
                }
                self.said = match self.desk.play(&text, None) {
                    Ok(_) => self.say(Word::Plays, &[name, &written]),
                    Err(error) => self.told(&error),
                };
                self.pass_on(!self.person);
            }
        }
    }
}
