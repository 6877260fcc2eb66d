//! The searches of a game in the terminal.

use std::sync::mpsc::{Receiver, channel};

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_kernel::{Bound, Confidence};
use alfil_session::played_game::MissingReply;
use alfil_session::review::{DECIDED_CP, search_value_cp};
use alfil_session::{SearchLimits, SearchReport};

use super::super::messages::Message;
use super::super::review::{format_exact, format_hundredths, format_mate};
use super::TerminalGame;

/// The number of lines of an analysis.
const ANALYSIS_LINES: usize = 3;
/// The number of moves of a line that are shown.
const MAX_PV_MOVES: usize = 12;

/// A line of the analysis.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnalysisLine {
    /// The depth in plies.
    pub(crate) depth: u32,
    /// The score from the view of the side to move: `+0.24`, `#3`, `win` for a win by rule, or a bound, `≥+0.24`.
    pub(crate) value: String,
    /// The principal variation in the chosen dialect.
    pub(crate) pv: Vec<String>,
    /// How sure the score is as that of the end of the game: `95%` or `exact`; empty if the search does not reach it.
    pub(crate) confidence: String,
}

impl AnalysisLine {
    /// Formats the score and the first moves of the line, as many as fit: `+0.24 e2e4 e7e5`, `#3 d1h5 ...`, or
    /// `+4.00 95% g2 h1`.
    pub(crate) fn to_text(&self, fits: impl Fn(&str) -> bool) -> String {
        let space = if self.confidence.is_empty() { "" } else { " " };
        let mut text = format!("{:>6}{space}{}", self.value, self.confidence);
        for mv in &self.pv {
            let longer = format!("{text} {mv}");
            if !fits(&longer) {
                break;
            }
            text = longer;
        }
        text
    }
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchPurpose {
    /// The computer's move.
    Reply,
    /// A hint for the person.
    Hint,
    /// Lines to show until the analysis is stopped.
    Analysis,
    /// Lines to show, searched for the time of one move.
    QuickAnalysis,
}

/// A running search; dropping it stops the search.
pub(super) struct RunningSearch {
    pub(super) purpose: SearchPurpose,
    handle: SearchHandle,
    events: Receiver<SearchEvent>,
    /// Whether the move comes from the opening book.
    is_from_book: bool,
    /// Why the search failed, if it did; a move comes all the same.
    failure: Option<String>,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

impl TerminalGame {
    /// Starts a search. Returns whether it runs; if not, the message says why: the game is over, or the system gives no
    /// thread. A reply then waits for the person.
    pub(crate) fn start_search(&mut self, purpose: SearchPurpose) -> bool {
        self.stop_search();
        if self.is_over() {
            self.message = self.format_message(Message::GameOver, &[]);
            return false;
        }
        let time = Some(self.move_time);
        let time_budget = self.played.time_budget(alfil_engine::now());
        let limits = match purpose {
            SearchPurpose::Reply => {
                let time = time.filter(|_| time_budget.is_none());
                SearchLimits {
                    level: Some(self.level()),
                    seed: self.seed,
                    time,
                    time_budget,
                    uses_book: true,
                    ..SearchLimits::default()
                }
            }
            SearchPurpose::Hint => SearchLimits { time, ..SearchLimits::default() },
            SearchPurpose::Analysis => SearchLimits { multipv: ANALYSIS_LINES, ..SearchLimits::default() },
            SearchPurpose::QuickAnalysis => {
                SearchLimits { multipv: ANALYSIS_LINES, time, ..SearchLimits::default() }
            }
        };
        let (sender, events) = channel();
        // Sending fails after the search was dropped.
        let sink = Box::new(move |event| drop(sender.send(event)));
        match alfil_engine::start_search(self.session(), &limits, sink) {
            Ok(handle) => {
                self.search =
                    Some(RunningSearch { purpose, handle, events, is_from_book: false, failure: None })
            }
            Err(error) => {
                self.message = self.error_text(&error);
                if purpose == SearchPurpose::Reply {
                    self.on_reply_failed();
                }
            }
        }
        self.is_searching()
    }

    /// Lets the computer's move wait until the person lets the game go on.
    fn on_reply_failed(&mut self) {
        self.played.on_missing_reply(self.played.current_node(), MissingReply::Failed);
    }

    /// Returns whether a search is running.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Returns whether an analysis is running that continues until it is stopped. A quick analysis is none.
    pub(crate) fn has_endless_analysis(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == SearchPurpose::Analysis)
    }

    /// Stops the search.
    pub(crate) fn stop_search(&mut self) {
        self.search = None;
        self.analysis_lines.clear();
    }

    /// Handles the search events that have arrived; returns whether anything changed.
    pub(crate) fn poll_search(&mut self) -> bool {
        let mut changed = self.tick();
        while let Some(event) = self.search.as_ref().and_then(|search| search.events.try_recv().ok()) {
            changed = true;
            self.on_search_event(event);
        }
        changed
    }

    /// Waits until the search has finished.
    pub(crate) fn wait_for_search(&mut self) {
        while let Some(event) = self.search.as_ref().and_then(|search| search.events.recv().ok()) {
            self.on_search_event(event);
        }
    }

    /// Waits until a quick analysis has finished. Returns the message, if there is one, which says why the search was
    /// not started or has failed, and the lines of the analysis.
    pub(crate) fn finish_analysis(&mut self) -> Vec<String> {
        self.wait_for_search();
        let message = Some(self.message.clone()).filter(|message| !message.is_empty());
        let lines = self.analysis_lines.iter().map(|line| line.to_text(|_| true));
        message.into_iter().chain(lines).collect()
    }

    /// Formats a score from the view of the side to move.
    fn format_value(&self, score: i32, mate_plies: Option<i32>, bound: Bound) -> String {
        let value = match (mate_plies, search_value_cp(score, mate_plies)) {
            (Some(plies), _) => format_mate(plies, score),
            (None, DECIDED_CP) => self.format_message(Message::WinByRule, &[]),
            (None, cp) if cp == -DECIDED_CP => self.format_message(Message::LossByRule, &[]),
            (None, cp) => format_hundredths(cp),
        };
        let [at_least, at_most] = if self.is_ascii() { [">=", "<="] } else { ["≥", "≤"] };
        match bound {
            Bound::Exact => value,
            Bound::Lower => at_least.to_owned() + &value,
            Bound::Upper => at_most.to_owned() + &value,
        }
    }

    fn on_search_event(&mut self, event: SearchEvent) {
        let Some(purpose) = self.search.as_ref().map(|search| search.purpose) else { return };
        match (event, purpose) {
            (
                SearchEvent::Info {
                    report:
                        SearchReport { multipv, depth, score, bound, mate_plies: mate, pv, confidence, .. },
                    ..
                },
                SearchPurpose::Analysis | SearchPurpose::QuickAnalysis,
            ) => {
                let index = (multipv as usize).clamp(1, ANALYSIS_LINES) - 1;
                let shown_pv = &pv[..pv.len().min(MAX_PV_MOVES)];
                // The dialect is valid, so there is no error.
                let pv = self.played.format_line(shown_pv).unwrap_or_default();
                if self.analysis_lines.len() <= index {
                    let empty_line = AnalysisLine { depth, ..AnalysisLine::default() };
                    self.analysis_lines.resize(index + 1, empty_line);
                }
                let value = match (bound, confidence) {
                    (Bound::Exact, Some(Confidence::Exact)) => format_exact(score),
                    _ => self.format_value(score, mate, bound),
                };
                let confidence = match confidence.filter(|_| bound == Bound::Exact) {
                    Some(Confidence::Exact) => self.format_message(Message::Exact, &[]),
                    Some(selective) => format!("{}%", selective.percent()),
                    None => String::new(),
                };
                self.analysis_lines[index] = AnalysisLine { depth, value, pv, confidence };
            }
            (SearchEvent::Failed(text), _) => {
                self.message.clone_from(&text);
                self.search.iter_mut().for_each(|search| search.failure = Some(text.clone()));
            }
            (SearchEvent::Info { report: SearchReport { is_book, .. }, .. }, SearchPurpose::Reply) => {
                self.search.iter_mut().for_each(|search| search.is_from_book = is_book);
            }
            (SearchEvent::Info { .. }, _)
            | (SearchEvent::BestMove(_), SearchPurpose::Analysis | SearchPurpose::QuickAnalysis) => {}
            (SearchEvent::BestMove(None), purpose) => {
                self.search = None;
                if purpose == SearchPurpose::Reply {
                    self.on_reply_failed();
                }
            }
            (SearchEvent::BestMove(Some(text)), SearchPurpose::Hint) => {
                let failure = self.search.take().and_then(|mut search| search.failure.take());
                let hint = self.format_message(Message::Hint, &[&self.format_move(&text)]);
                self.message = with_failure(hint, failure);
            }
            (SearchEvent::BestMove(Some(text)), SearchPurpose::Reply) => {
                let Some(mut search) = self.search.take() else { return };
                let (is_from_book, failure) = (search.is_from_book, search.failure.take());
                let message =
                    if is_from_book { Message::ComputerPlaysBookMove } else { Message::ComputerPlays };
                let (name, move_text) = (self.side_name(!self.person()), self.format_move(&text));
                // The flag may have fallen before the move came.
                self.tick();
                if self.is_over() {
                    return;
                }
                let message = match self.played.play(&text, None, alfil_engine::now()) {
                    Ok(_) => self.format_message(message, &[name, &move_text]),
                    Err(error) => {
                        self.on_reply_failed();
                        self.refusal_text(&error)
                    }
                };
                self.message = with_failure(message, failure);
            }
        }
    }
}

/// Returns a text about the move of a search, with the reason why the search failed, if it did.
fn with_failure(text: String, failure: Option<String>) -> String {
    match failure {
        Some(failure) => format!("{text} ({failure})"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use alfil_kernel::{Score, Side};
    use alfil_session::registry;
    use alfil_session::render::PieceStyle;

    use super::super::GameOptions;
    use super::*;

    /// Returns a game whose computer plays White, and in which a search fails and ends with e4.
    fn game_with_failing_search(purpose: SearchPurpose) -> TerminalGame {
        let session = registry::open("chess", None).unwrap();
        let options = GameOptions { person: Side::Second, ..GameOptions::default_for_tests() };
        let mut game = TerminalGame::new(session, options).unwrap();
        assert!(game.start_search(purpose));
        // These events take the place of those of the search.
        let (sender, events) = channel();
        game.search.as_mut().unwrap().events = events;
        sender.send(SearchEvent::Failed("the search failed".into())).unwrap();
        sender.send(SearchEvent::BestMove(Some("e2e4".into()))).unwrap();
        game
    }

    /// The analysis once hid the message of a search that had failed.
    #[test]
    fn a_failed_analysis_says_why() {
        let mut game = game_with_failing_search(SearchPurpose::QuickAnalysis);
        assert_eq!(game.finish_analysis(), ["the search failed"]);
    }

    #[test]
    fn a_move_of_a_search_that_failed_comes_with_the_reason() {
        for (purpose, expected) in [
            (SearchPurpose::Hint, "A good move is e4. (the search failed)"),
            (SearchPurpose::Reply, "White plays e4. (the search failed)"),
        ] {
            let mut game = game_with_failing_search(purpose);
            game.wait_for_search();
            assert_eq!(game.message, expected);
        }
    }

    #[test]
    fn wins_by_rule_and_bounds_are_marked_in_the_analysis() {
        let session = registry::open("xiangqi", None).unwrap();
        let mut game = TerminalGame::new(session, GameOptions::default_for_tests()).unwrap();
        let texts = [Score::rule_win(5), Score::rule_loss(5), Score::mate_in(5), Score::from_cp(24)]
            .map(|score| game.format_value(score.value(), score.mate_plies(), Bound::Exact));
        assert_eq!(texts, ["win", "loss", "#3", "+0.24"]);
        for (piece_style, expected) in
            [(PieceStyle::Ascii, [">=+0.24", "<=+0.24"]), (PieceStyle::Letters, ["≥+0.24", "≤+0.24"])]
        {
            game.piece_style = piece_style;
            let texts = [Bound::Lower, Bound::Upper].map(|bound| game.format_value(24, None, bound));
            assert_eq!(texts, expected);
        }
    }
}
