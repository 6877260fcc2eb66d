//! A game in the terminal, independent of its display: players, clock, ruleset and messages.

mod rulings;
mod running_search;

use std::time::Duration;

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::appearance::chinese;
use alfil_session::game_clock::{GameClock, TimeControl};
use alfil_session::render::PieceStyle;
use alfil_session::{GameEnd, GameSession, PositionView, SessionError, Target, random_seed, registry};

use super::messages::{Message, format_message};
use super::review::GameReview;
use crate::language::Language;
use running_search::RunningSearch;
pub(crate) use running_search::{AnalysisLine, SearchPurpose};

/// The options of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameOptions {
    /// The start position as text.
    pub(crate) start: String,
    pub(crate) person: Side,
    pub(crate) level: u32,
    /// The time of the computer for a move, if there is no clock.
    pub(crate) move_time: Duration,
    pub(crate) time_control: Option<TimeControl>,
    pub(crate) piece_style: PieceStyle,
    pub(crate) language: Language,
    /// The dialect of moves; `None` for the default of the language.
    pub(crate) dialect: Option<String>,
    /// The ruleset; `None` for the default of the game.
    pub(crate) ruleset: Option<String>,
}

#[cfg(test)]
impl GameOptions {
    /// Returns options for a game from the start position, in ASCII, with a second per move.
    pub(crate) fn default_for_tests() -> GameOptions {
        GameOptions {
            start: "startpos".into(),
            person: Side::First,
            level: 3,
            move_time: Duration::from_secs(1),
            time_control: None,
            piece_style: PieceStyle::Ascii,
            language: Language::En,
            dialect: None,
            ruleset: None,
        }
    }
}

/// A game between a person and the computer.
pub(crate) struct TerminalGame {
    pub(crate) session: Box<dyn GameSession>,
    pub(crate) person: Side,
    pub(crate) level: u32,
    pub(crate) piece_style: PieceStyle,
    /// The side at the bottom of the board.
    pub(crate) bottom_side: Side,
    /// The last message to the person.
    pub(crate) message: String,
    /// The lines of a running analysis.
    pub(crate) analysis_lines: Vec<AnalysisLine>,
    pub(crate) language: Language,
    /// The dialect of moves.
    dialect: &'static str,
    /// Whether the person has chosen the dialect.
    is_dialect_chosen: bool,
    /// The ruleset; `None` in games that have only one.
    ruleset: Option<String>,
    /// The clock, in a timed game.
    clock: Option<GameClock>,
    /// The outcome of an exceeded time, if a flag fell.
    flag_outcome: Option<Outcome>,
    /// A move that would lose at once by the rules: it is played when it is entered again.
    move_to_confirm: Option<String>,
    move_time: Duration,
    /// The seed of random choices of the computer, another one for each game.
    seed: u64,
    start: String,
    /// The moves that were played before the game started here, in the default dialect.
    opening: Vec<String>,
    /// The ply from which the clock runs: after the opening, or earlier if more moves were taken back.
    clock_start_ply: usize,
    /// The number and the side of the first move.
    first_move: (u32, Side),
    resigned: bool,
    search: Option<RunningSearch>,
}

/// The times for a move that the keys select, in milliseconds.
const MOVE_TIMES_MS: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];
/// The skill levels.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

impl TerminalGame {
    /// Creates a game in a session, which is at the current position and has the ruleset of the options.
    pub(crate) fn new(session: Box<dyn GameSession>, options: GameOptions) -> TerminalGame {
        let GameOptions {
            start,
            person,
            level,
            move_time,
            time_control,
            piece_style,
            language,
            dialect,
            ruleset,
        } = options;
        let dialects = session.dialects();
        let chosen_dialect = dialects.iter().find(|&&name| Some(name) == dialect.as_deref()).copied();
        let dialect = chosen_dialect.unwrap_or_else(|| default_dialect(session.as_ref(), language));
        let opening = session.played_moves(None).unwrap_or_default();
        let first_move = find_first_move(session.game(), &start).unwrap_or((1, Side::First));
        let ruleset = ruleset.or_else(|| session.rulesets().first().map(|&name| name.to_owned()));
        TerminalGame {
            session,
            person,
            level,
            piece_style,
            bottom_side: person,
            message: String::new(),
            analysis_lines: Vec::new(),
            language,
            dialect,
            is_dialect_chosen: chosen_dialect.is_some(),
            ruleset,
            clock: time_control.map(GameClock::new),
            flag_outcome: None,
            move_to_confirm: None,
            move_time,
            seed: random_seed(),
            start,
            clock_start_ply: opening.len(),
            opening,
            first_move,
            resigned: false,
            search: None,
        }
    }

    /// Formats a message in the chosen language.
    pub(crate) fn format_message(&self, message: Message, arguments: &[&str]) -> String {
        format_message(self.language, message, arguments)
    }

    /// Returns the text of an error, in the chosen language if the session provides it.
    pub(crate) fn error_text(&self, error: &SessionError) -> String {
        let chinese = error.message_zh.as_ref().filter(|_| self.language == Language::Zh);
        chinese.unwrap_or(&error.message).clone()
    }

    fn chinese_names(&self) -> Option<&'static chinese::ChineseNames> {
        if self.language == Language::Zh { Some(self.session.info().names_zh) } else { None }
    }

    /// Returns the name of the game.
    pub(crate) fn game_title(&self) -> &'static str {
        self.chinese_names().map_or(self.session.appearance().title, |names| names.title)
    }

    /// Returns the name of a side.
    pub(crate) fn side_name(&self, side: Side) -> &'static str {
        let sides = self.chinese_names().map_or(self.session.appearance().sides, |names| names.sides);
        sides[side.index()]
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned || self.flagged_side().is_some() || self.session.game_end().is_some()
    }

    /// Returns the side that has exceeded its time.
    pub(crate) fn flagged_side(&self) -> Option<Side> {
        self.clock.as_ref()?.flagged()
    }

    /// Returns whether the person may move.
    pub(crate) fn may_move(&self) -> bool {
        !self.is_over() && self.session.view().side_to_move == self.person && !self.is_computer_searching()
    }

    /// Returns whether the computer searches its move.
    pub(crate) fn is_computer_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == SearchPurpose::Reply)
    }

    /// Returns the state of the game in a sentence.
    pub(crate) fn status(&self, view: &PositionView) -> String {
        if self.resigned {
            return self.format_message(
                Message::Resigned,
                &[self.side_name(self.person), self.side_name(!self.person)],
            );
        }
        if let (Some(flagged), None) = (self.flagged_side(), &view.game_end) {
            let message = if self.flag_outcome == Some(Outcome::Draw) {
                Message::FlagFellDraw
            } else {
                Message::FlagFell
            };
            return self.format_message(message, &[self.side_name(flagged), self.side_name(!flagged)]);
        }
        match &view.game_end {
            Some(game_end) => self.verdict_text(game_end),
            None if self.is_computer_searching() => self.format_message(Message::ComputerSearching, &[]),
            None => self.turn_text(view),
        }
    }

    /// Returns the sentence that names the side to move.
    pub(crate) fn turn_text(&self, view: &PositionView) -> String {
        let message = if view.checked_king.is_some() { Message::InCheck } else { Message::ToMove };
        self.format_message(message, &[self.side_name(view.side_to_move)])
    }

    /// Returns the sentence of a game end.
    fn verdict_text(&self, game_end: &GameEnd) -> String {
        if self.language == Language::Zh { game_end.message_zh.clone() } else { game_end.message.clone() }
    }

    /// Returns the reasons of a result, or the number of occurrences of a repeated position; otherwise an empty text.
    pub(crate) fn remark(&self, view: &PositionView) -> String {
        if self.resigned || self.flagged_side().is_some() {
            return String::new();
        }
        match (&view.game_end, view.occurrences) {
            (Some(_), _) => self.ruling_reasons(),
            (None, 1) => String::new(),
            (None, count) => self.format_message(Message::RepeatedPosition, &[&count.to_string()]),
        }
    }

    /// Returns the display name of the dialect.
    pub(crate) fn dialect_name(&self) -> &'static str {
        let appearance = self.session.appearance();
        self.chinese_names()
            .map_or(appearance.dialect_name(self.dialect), |names| names.dialect_name(self.dialect))
    }

    /// Returns the dialect of moves.
    pub(crate) fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// Sets the dialect of moves.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn set_dialect(&mut self, name: &str) -> Result<(), SessionError> {
        let dialects = self.session.dialects();
        let unknown =
            || {
                SessionError::new(self.format_message(
                    Message::UnknownDialect,
                    &[self.game_title(), name, &dialects.join(", ")],
                ))
            };
        self.dialect = *dialects.iter().find(|&&known| known == name).ok_or_else(unknown)?;
        self.is_dialect_chosen = true;
        self.message = self.format_message(Message::Dialect, &[self.dialect_name()]);
        Ok(())
    }

    /// Selects the next dialect of the game.
    pub(crate) fn next_dialect(&mut self) {
        let dialects = self.session.dialects();
        let here = dialects.iter().position(|&name| name == self.dialect).unwrap_or_default();
        self.dialect = dialects[(here + 1) % dialects.len()];
        self.is_dialect_chosen = true;
        self.message = self.format_message(Message::Dialect, &[self.dialect_name()]);
    }

    /// Sets the language, and its default dialect unless the person has chosen one.
    pub(crate) fn set_language(&mut self, language: Language) {
        self.language = language;
        if !self.is_dialect_chosen {
            self.dialect = default_dialect(self.session.as_ref(), language);
        }
        self.message = self.format_message(Message::Dialect, &[self.dialect_name()]);
    }

    /// Sets the skill level, beginning with the next move.
    pub(crate) fn set_level(&mut self, level: u32) {
        self.level = level.clamp(*LEVELS.start(), *LEVELS.end());
        self.message = self.format_message(Message::Level, &[&self.level.to_string()]);
    }

    /// Sets the computer's time for a move, beginning with the next move.
    pub(crate) fn set_move_time(&mut self, move_time: Duration) {
        if self.clock.is_none() {
            self.move_time = move_time;
        }
        self.message = self.move_time_text();
    }

    /// Returns the message about the computer's time for a move.
    pub(crate) fn move_time_text(&self) -> String {
        match self.clock {
            Some(_) => self.format_message(Message::TimeSetByClock, &[]),
            None => self.format_message(Message::Time, &[&self.move_time.as_secs_f64().to_string()]),
        }
    }

    /// Selects the next longer or shorter time for a move.
    pub(crate) fn change_move_time(&mut self, longer: bool) {
        let move_times = MOVE_TIMES_MS.map(Duration::from_millis);
        let next = if longer {
            move_times.into_iter().find(|&move_time| move_time > self.move_time)
        } else {
            move_times.into_iter().rfind(|&move_time| move_time < self.move_time)
        };
        self.set_move_time(next.unwrap_or(self.move_time));
    }

    /// Returns the moves so far in the chosen dialect.
    pub(crate) fn played_moves(&self) -> Vec<String> {
        // The dialect is valid, so there is no error.
        self.session.played_moves(Some(self.dialect)).unwrap_or_default()
    }

    /// Returns the legal moves in the chosen dialect.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        self.session.legal_moves(Some(self.dialect)).unwrap_or_default()
    }

    /// Returns the move number of a ply, counted from 0, and whether it is the second ply of that number.
    pub(crate) fn move_number(&self, ply: usize) -> (usize, bool) {
        let (number, first) = self.first_move;
        let half = ply + first.index();
        (number as usize + half / 2, half % 2 == 1)
    }

    /// Converts a move from the default dialect to the chosen one.
    fn format_move(&self, text: &str) -> String {
        self.session.format_move(text, Some(self.dialect)).unwrap_or_else(|_| text.to_owned())
    }

    /// Plays a move of the person, typed in any dialect of the game.
    ///
    /// # Errors
    /// If the move is illegal or the game is over; and once, before a move that loses by repetition.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), SessionError> {
        let dialect = self.session.detect_dialect(text, Some(self.dialect))?;
        self.play_in_dialect(text, Some(dialect))
    }

    /// Plays a target.
    ///
    /// # Errors
    /// See [`TerminalGame::play`].
    pub(crate) fn play_target(&mut self, target: &Target) -> Result<(), SessionError> {
        self.play_in_dialect(&target.text, None)
    }

    fn play_in_dialect(&mut self, text: &str, dialect: Option<&str>) -> Result<(), SessionError> {
        self.tick();
        if self.is_over() {
            // After an exceeded time no move can be taken back.
            let message =
                if self.flagged_side().is_some() { Message::GameOver } else { Message::GameOverHelp };
            return Err(SessionError::new(self.format_message(message, &[])));
        }
        if !self.may_move() {
            return Err(SessionError::new(self.format_message(Message::NotYourTurn, &[])));
        }
        let warned = self.move_to_confirm.take();
        self.stop_search();
        let played = self.session.play(text, dialect)?;
        if warned.as_deref() != Some(played.text.as_str())
            && let Some(text) = self.repetition_loss()
        {
            self.session.undo();
            let move_text = self.format_move(&played.text);
            self.move_to_confirm = Some(played.text);
            return Err(SessionError::new(
                self.format_message(Message::LosesByRepetition, &[&move_text, &text]),
            ));
        }
        self.message = String::new();
        self.switch_clock(self.person);
        Ok(())
    }

    /// Returns the person's pass, if it is the only move.
    pub(crate) fn forced_pass(&self) -> Option<Target> {
        let mut targets = if self.may_move() { self.session.targets(None) } else { Vec::new() };
        (targets.len() == 1 && targets[0].to.is_none()).then(|| targets.remove(0))
    }

    /// Takes back the person's last move and the reply.
    pub(crate) fn undo(&mut self) {
        self.tick();
        if self.flagged_side().is_some() {
            self.message = self.format_message(Message::NoUndoAfterFlag, &[]);
            return;
        }
        self.stop_search();
        self.resigned = false;
        let mut undone = 0;
        // A forced pass is taken back together with the move before it.
        while self.session.undo().is_some() {
            undone += 1;
            self.move_to_confirm = None;
            if self.session.view().side_to_move == self.person && self.forced_pass().is_none() {
                break;
            }
        }
        self.clock_start_ply = self.clock_start_ply.min(self.session.view().ply);
        self.message =
            if undone == 0 { self.format_message(Message::NothingToUndo, &[]) } else { String::new() };
        self.run_clock();
    }

    /// Starts again from the start position and its opening moves.
    pub(crate) fn restart(&mut self) {
        self.stop_search();
        self.resigned = false;
        self.move_to_confirm = None;
        self.message = String::new();
        // The position and these moves were accepted when the game was created.
        if let Err(error) = self.session.open(&self.start, &Waivers::All) {
            self.message = self.error_text(&error);
        }
        for text in &self.opening {
            if let Err(error) = self.session.play(text, None) {
                self.message = self.error_text(&error);
            }
        }
        self.clock_start_ply = self.opening.len();
        // A new seed gives another game.
        self.seed = random_seed();
        self.flag_outcome = None;
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
    }

    /// Resigns for the person.
    pub(crate) fn resign(&mut self) {
        self.tick();
        self.stop_search();
        self.resigned = !self.is_over();
        self.run_clock();
    }

    /// Returns the clock of a timed game.
    pub(crate) fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// Returns the time until the running clock's flag falls.
    pub(crate) fn time_to_flag(&self) -> Option<Duration> {
        self.clock.as_ref()?.time_to_flag(alfil_engine::now())
    }

    /// Updates the clock; if a flag falls, stops the search and returns true.
    pub(crate) fn tick(&mut self) -> bool {
        let flagged = self.clock.as_mut().and_then(|clock| clock.tick(alfil_engine::now()));
        if let Some(side) = flagged {
            self.flag_outcome = Some(self.session.flag_outcome(side));
            self.stop_search();
            self.message.clear();
        }
        flagged.is_some()
    }

    /// Returns the side whose clock runs: the side to move, if a move was played here and the game is not over.
    fn side_on_clock(&self) -> Option<Side> {
        let view = self.session.view();
        (!self.is_over() && view.ply > self.clock_start_ply).then_some(view.side_to_move)
    }

    fn run_clock(&mut self) {
        self.tick();
        let next = self.side_on_clock();
        if let Some(clock) = &mut self.clock {
            clock.set_running(next, alfil_engine::now());
        }
    }

    /// Switches the clock after a move.
    fn switch_clock(&mut self, mover: Side) {
        let next = self.side_on_clock();
        if let Some(clock) = &mut self.clock {
            clock.on_move(mover, next, alfil_engine::now());
        }
    }

    /// Pauses the clock.
    pub(crate) fn pause(&mut self) {
        self.tick();
        if let Some(clock) = &mut self.clock {
            clock.pause(alfil_engine::now());
        }
    }

    /// Resumes the clock.
    pub(crate) fn resume(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.resume(alfil_engine::now());
        }
    }

    /// Creates a review of the game; returns `None` if no move was played.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub(crate) fn review(&self) -> Result<Option<GameReview>, SessionError> {
        let played = self.session.view().ply > 0;
        let review =
            || GameReview::from_session(self.session.as_ref(), &self.start, self.ruleset(), self.move_time);
        played.then(review).transpose()
    }
}

/// Returns the default dialect of a language. In English a dialect that counts the files from each player's right is
/// not the default, because the edges of the drawn board have coordinates.
fn default_dialect(session: &dyn GameSession, language: Language) -> &'static str {
    let appearance = session.appearance();
    let english = appearance.english_dialect;
    let has_other_edges = appearance.edge_names.iter().any(|(dialect, _)| *dialect == english);
    let coordinates = session.dialects().first().copied().filter(|_| has_other_edges);
    let names = Some(session.info().names_zh).filter(|_| language == Language::Zh);
    names.and_then(|names| names.dialect).or(coordinates).unwrap_or(english)
}

/// Returns the number and the side of the first move from a position, or `None` if the position is invalid.
fn find_first_move(game: &str, start: &str) -> Option<(u32, Side)> {
    let mut session = registry::open(game, None).ok()?;
    session.open(start, &Waivers::All).ok()?;
    let view = session.view();
    Some((view.fullmove_number, view.side_to_move))
}
