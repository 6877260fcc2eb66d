//! Who thinks at the table, what for, and what comes of it.

use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_session::SearchLimits;

use super::super::messages::Word;
use super::super::review::{format_hundredths, format_mate};
use super::TerminalGame;

/// How many lines an analysis has.
const ANALYSIS_LINES: usize = 3;
/// How many moves of a line are told.
const MAX_PV_MOVES: usize = 12;

/// A line of the analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisLine {
    /// Plies.
    pub(crate) depth: u32,
    /// Hundredths, from the view of the side to move.
    pub(crate) score: i32,
    /// A known end in so many plies: positive if the side to move wins.
    pub(crate) mate: Option<i32>,
    /// The line in the dialect chosen.
    pub(crate) pv: Vec<String>,
}

impl AnalysisLine {
    /// The value and the line: `+0.24 e2e4 e7e5`, or `#3 d1h5 ...`.
    pub(crate) fn to_text(&self) -> String {
        let value =
            self.mate.map_or_else(|| format_hundredths(self.score), |plies| format_mate(plies, self.score));
        format!("{value:>6} {}", self.pv.join(" "))
    }
}

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchPurpose {
    /// The computer's move.
    Reply,
    /// A move for the person.
    Hint,
    /// Lines to look at, until somebody stops it.
    Analysis,
    /// Lines to look at, found in the time of a move.
    QuickAnalysis,
}

/// A thought under way; it stops when it is dropped.
pub(super) struct RunningSearch {
    pub(super) purpose: SearchPurpose,
    handle: SearchHandle,
    events: Receiver<SearchEvent>,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

impl TerminalGame {
    /// Begins to think, unless the game is over.
    pub(crate) fn start_search(&mut self, purpose: SearchPurpose) {
        self.stop_search();
        if self.is_over() {
            self.message = self.format_message(Word::Over, &[]);
            return;
        }
        let time = Some(self.move_time);
        let clock = self.clock.as_ref().and_then(|clock| clock.time_budget(Instant::now()));
        let limits = match purpose {
            SearchPurpose::Reply => {
                let time = time.filter(|_| clock.is_none());
                SearchLimits {
                    level: Some(self.level),
                    seed: self.seed,
                    time,
                    time_budget: clock,
                    ..SearchLimits::default()
                }
            }
            SearchPurpose::Hint => SearchLimits { time, ..SearchLimits::default() },
            SearchPurpose::Analysis => SearchLimits { multipv: ANALYSIS_LINES, ..SearchLimits::default() },
            SearchPurpose::QuickAnalysis => {
                SearchLimits { multipv: ANALYSIS_LINES, time, ..SearchLimits::default() }
            }
        };
        let (sender, heard) = channel();
        // Whoever left the table does not listen any more.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        match alfil_engine::start_search(self.session.as_ref(), &limits, sink) {
            Ok(job) => self.search = Some(RunningSearch { purpose, handle: job, events: heard }),
            Err(error) => self.message = self.error_text(&error),
        }
    }

    /// Whether it is the computer's turn to begin thinking.
    pub(crate) fn is_computer_to_move(&self) -> bool {
        !self.is_over() && self.session.view().side_to_move != self.person && !self.is_computer_searching()
    }

    /// Whether anybody thinks.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Whether somebody looks for lines.
    pub(crate) fn is_analysing(&self) -> bool {
        self.search.as_ref().is_some_and(|thinking| thinking.purpose == SearchPurpose::Analysis)
    }

    /// Stops whoever thinks.
    pub(crate) fn stop_search(&mut self) {
        self.search = None;
        self.analysis_lines.clear();
    }

    /// Hears what was found since; says whether anything changed.
    pub(crate) fn poll_search(&mut self) -> bool {
        let mut changed = self.tick();
        while let Some(thought) = self.search.as_ref().and_then(|thinking| thinking.events.try_recv().ok()) {
            changed = true;
            self.on_search_event(thought);
        }
        changed
    }

    /// Waits until whoever thinks is done.
    pub(crate) fn wait_for_search(&mut self) {
        while let Some(thought) = self.search.as_ref().and_then(|thinking| thinking.events.recv().ok()) {
            self.on_search_event(thought);
        }
    }

    fn on_search_event(&mut self, thought: SearchEvent) {
        let Some(purpose) = self.search.as_ref().map(|thinking| thinking.purpose) else { return };
        match (thought, purpose) {
            (
                SearchEvent::Info { multipv: rank, depth, score, mate_plies: mate, pv: line, .. },
                SearchPurpose::Analysis | SearchPurpose::QuickAnalysis,
            ) => {
                let index = (rank as usize).clamp(1, ANALYSIS_LINES) - 1;
                let told = &line[..line.len().min(MAX_PV_MOVES)];
                // The dialect is one of the game's.
                let line = self.session.format_line(told, Some(self.dialect)).unwrap_or_default();
                if self.analysis_lines.len() <= index {
                    let nothing = AnalysisLine { depth, score, mate, pv: Vec::new() };
                    self.analysis_lines.resize(index + 1, nothing);
                }
                self.analysis_lines[index] = AnalysisLine { depth, score, mate, pv: line };
            }
            (SearchEvent::Failed(words), _) => self.message = words,
            (SearchEvent::Info { .. }, _)
            | (SearchEvent::BestMove(_), SearchPurpose::Analysis | SearchPurpose::QuickAnalysis) => {}
            (SearchEvent::BestMove(None), _) => self.search = None,
            (SearchEvent::BestMove(Some(text)), SearchPurpose::Hint) => {
                self.search = None;
                self.message = self.format_message(Word::Hint, &[&self.format_move(&text)]);
            }
            (SearchEvent::BestMove(Some(text)), SearchPurpose::Reply) => {
                self.search = None;
                let (name, written) = (self.side_name(!self.person), self.format_move(&text));
                // The move may have come too late.
                self.tick();
                if self.is_over() {
                    return;
                }
                self.message = match self.session.play(&text, None) {
                    Ok(_) => self.format_message(Word::Plays, &[name, &written]),
                    Err(error) => self.error_text(&error),
                };
                self.switch_clock(!self.person);
            }
        }
    }
}
