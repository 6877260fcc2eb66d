//! A game in the terminal, independent of its display: players, clock, ruleset and messages.

mod rulings;
mod running_search;
mod saving;

use std::path::{Path, PathBuf};
use std::time::Duration;

use alfil_kernel::{Outcome, Side};
use alfil_session::appearance::chinese;
use alfil_session::game_clock::{GameClock, TimeControl};
use alfil_session::played_game::{
    Computer, GameRecord, NextAction, PlayError, PlayedGame, Player, TreeClock,
};
use alfil_session::render::PieceStyle;
use alfil_session::{
    GameEnd, GameSession, PositionView, RefusedTarget, SKILL_LEVELS, SessionError, Target, random_seed,
};

use super::MAX_MOVE_TIME_MS;
use super::messages::{Message, format_message};
use super::review::GameReview;
use crate::language::Language;
use running_search::RunningSearch;
pub(crate) use running_search::{AnalysisLine, SearchPurpose};
use saving::SavedGame;
pub(crate) use saving::UnsavedGame;

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
    /// The folder of the games of persons who have left; `None` if the system has no folder for data.
    pub(crate) kept_games: Option<PathBuf>,
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
            kept_games: None,
        }
    }
}

/// A game between a person and the computer.
pub(crate) struct TerminalGame {
    /// The moves, the players and the clock.
    pub(super) played: PlayedGame,
    pub(crate) piece_style: PieceStyle,
    /// The side at the bottom of the board.
    pub(crate) bottom_side: Side,
    /// The last message to the person.
    pub(crate) message: String,
    /// The lines of a running analysis.
    pub(crate) analysis_lines: Vec<AnalysisLine>,
    pub(crate) language: Language,
    /// Whether the person has chosen the dialect.
    is_dialect_chosen: bool,
    /// A move after which a rule would decide the game against its side, at once or after a reply: it is played when it
    /// is entered again.
    move_to_confirm: Option<String>,
    move_time: Duration,
    /// The seed of random choices of the computer, another one for each game.
    seed: u64,
    search: Option<RunningSearch>,
    /// The file of the game.
    saved: SavedGame,
    kept_games: Option<PathBuf>,
}

/// The times for a move that the keys select, in milliseconds.
const MOVE_TIMES_MS: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];
/// The skill levels.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=SKILL_LEVELS;

impl TerminalGame {
    /// Creates a game in a session, which is at the current position and has the ruleset of the options.
    ///
    /// # Errors
    /// If the moves of the session cannot be played again.
    pub(crate) fn new(
        session: Box<dyn GameSession>,
        options: GameOptions,
    ) -> Result<TerminalGame, SessionError> {
        let GameOptions { person, piece_style, language, move_time, .. } = options;
        let dialects = session.dialects();
        let chosen_dialect = dialects.into_iter().find(|&name| Some(name) == options.dialect.as_deref());
        let dialect = chosen_dialect.unwrap_or_else(|| default_dialect(session.as_ref(), language));
        let record = GameRecord {
            start: options.start,
            players: Player::against_computer(person, Computer::new(options.level)),
            level: options.level,
            dialect: Some(dialect.to_owned()),
            ruleset: options.ruleset,
            clock: options.time_control.map(TreeClock::new),
            ..GameRecord::new(session.game())
        };
        let saved = SavedGame::of_new_game(session.played_moves(None)?);
        Ok(TerminalGame {
            played: PlayedGame::from_session(session, record)?,
            piece_style,
            bottom_side: person,
            message: String::new(),
            analysis_lines: Vec::new(),
            language,
            is_dialect_chosen: chosen_dialect.is_some(),
            move_to_confirm: None,
            move_time,
            seed: random_seed(),
            search: None,
            saved,
            kept_games: options.kept_games,
        })
    }

    /// Returns the session, at the current position.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.played.session()
    }

    /// Returns the person's side.
    pub(crate) fn person(&self) -> Side {
        self.played.record().person().unwrap_or(Side::First)
    }

    /// Returns whether the output must be ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.piece_style == PieceStyle::Ascii
    }

    /// Returns the skill level of the computer.
    pub(crate) fn level(&self) -> u32 {
        self.played.record().level
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

    /// Returns the text of a refusal, in the chosen language.
    pub(crate) fn refusal_text(&self, error: &PlayError) -> String {
        match error {
            PlayError::Session(error) => self.error_text(error),
            PlayError::OutOfTime => self.format_message(Message::NoUndoAfterFlag, &[]),
            // The longer message proposes to take a move back, which is not possible after an exceeded time.
            PlayError::GameOver if self.flagged_side().is_some() => {
                self.format_message(Message::GameOver, &[])
            }
            PlayError::GameOver => self.format_message(Message::GameOverHelp, &[]),
            // The terminal always has a person, and takes moves back without the list of edits.
            PlayError::NoPerson | PlayError::NothingToUndo | PlayError::NothingToRedo => error.to_string(),
        }
    }

    fn chinese_names(&self) -> Option<&'static chinese::ChineseNames> {
        if self.language == Language::Zh { Some(self.session().info().names_zh) } else { None }
    }

    /// Returns the name of the game.
    pub(crate) fn game_title(&self) -> &'static str {
        self.chinese_names().map_or(self.session().appearance().title, |names| names.title)
    }

    /// Returns the name of a side.
    pub(crate) fn side_name(&self, side: Side) -> &'static str {
        let sides = self.chinese_names().map_or(self.session().appearance().sides, |names| names.sides);
        sides[side.index()]
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.played.is_over()
    }

    /// Returns the side that has exceeded its time.
    pub(crate) fn flagged_side(&self) -> Option<Side> {
        self.played.flagged()
    }

    /// Returns what happens next, which the display lets happen.
    pub(crate) fn next_action(&self) -> NextAction {
        self.played.next_action()
    }

    /// Lets the computer search again after a search that failed.
    pub(crate) fn continue_play(&mut self) {
        self.played.continue_play();
    }

    /// Returns whether the person may move.
    pub(crate) fn may_move(&self) -> bool {
        self.played.may_person_move() && !self.is_computer_searching()
    }

    /// Returns whether the computer searches its move.
    pub(crate) fn is_computer_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == SearchPurpose::Reply)
    }

    /// Returns the state of the game in a sentence.
    pub(crate) fn status(&self, view: &PositionView) -> String {
        if let Some(side) = self.played.resigned() {
            return self.format_message(Message::Resigned, &[self.side_name(side), self.side_name(!side)]);
        }
        if let (Some(flagged), None) = (self.flagged_side(), &view.game_end) {
            let message = if self.played.flag_outcome() == Some(Outcome::Draw) {
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
        if self.played.resigned().is_some() || self.flagged_side().is_some() {
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
        let appearance = self.session().appearance();
        self.chinese_names()
            .map_or(appearance.dialect_name(self.dialect()), |names| names.dialect_name(self.dialect()))
    }

    /// Returns the dialect of moves.
    pub(crate) fn dialect(&self) -> &'static str {
        let mut dialects = self.session().dialects().into_iter();
        dialects.find(|&name| name == self.played.dialect()).unwrap_or_default()
    }

    /// Sets the dialect of moves.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn set_dialect(&mut self, name: &str) -> Result<(), SessionError> {
        let dialects = self.session().dialects();
        let unknown =
            || {
                SessionError::new(self.format_message(
                    Message::UnknownDialect,
                    &[self.game_title(), name, &dialects.join(", ")],
                ))
            };
        if !dialects.contains(&name) {
            return Err(unknown());
        }
        self.played.set_dialect(name)?;
        self.is_dialect_chosen = true;
        self.message = self.format_message(Message::Dialect, &[self.dialect_name()]);
        Ok(())
    }

    /// Selects the next dialect of the game.
    pub(crate) fn next_dialect(&mut self) {
        let dialects = self.session().dialects();
        let here = dialects.iter().position(|&name| name == self.dialect()).unwrap_or_default();
        if let Err(error) = self.set_dialect(dialects[(here + 1) % dialects.len()]) {
            self.message = self.error_text(&error);
        }
    }

    /// Sets the language, and its default dialect unless the person has chosen one.
    pub(crate) fn set_language(&mut self, language: Language) {
        self.language = language;
        if !self.is_dialect_chosen {
            // The game has its default dialect, so there is no error.
            let _ = self.played.set_dialect(default_dialect(self.session(), language));
        }
        self.message = self.format_message(Message::Dialect, &[self.dialect_name()]);
    }

    /// Sets the skill level, beginning with the next move.
    pub(crate) fn set_level(&mut self, level: u32) {
        let level = level.clamp(*LEVELS.start(), *LEVELS.end());
        // The level is valid, so there is no error.
        let _ = self.played.set_level(level);
        self.message = self.format_message(Message::Level, &[&level.to_string()]);
    }

    /// Sets the computer's time for a move, beginning with the next move.
    pub(crate) fn set_move_time(&mut self, move_time: Duration) {
        if self.clock().is_none() {
            self.move_time = move_time;
        }
        self.message = self.move_time_text();
    }

    /// Returns the message about the computer's time for a move.
    pub(crate) fn move_time_text(&self) -> String {
        match self.clock() {
            Some(_) => self.format_message(Message::TimeSetByClock, &[]),
            None => self.format_message(Message::Time, &[&self.move_time.as_millis().to_string()]),
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
        self.session().played_moves(Some(self.dialect())).unwrap_or_default()
    }

    /// Changes a setting, saves or loads by a command with a value, and sets the message. Returns false if `command` is
    /// no such command.
    pub(crate) fn run_command(&mut self, command: &str, value: &str) -> bool {
        match command {
            "level" => match value.parse().ok().filter(|level| LEVELS.contains(level)) {
                Some(level) => self.set_level(level),
                None => self.message = self.format_message(Message::InvalidLevel, &[value]),
            },
            "movetime" => match value.parse().ok().filter(|ms| *ms <= MAX_MOVE_TIME_MS) {
                Some(ms) => self.set_move_time(Duration::from_millis(ms)),
                None => self.message = self.format_message(Message::InvalidTime, &[value]),
            },
            "dialect" => {
                if let Err(error) = self.set_dialect(value) {
                    self.message = self.error_text(&error);
                }
            }
            "rules" => {
                if let Err(error) = self.set_ruleset(value) {
                    self.message = self.error_text(&error);
                }
            }
            "lang" => match value {
                "en" => self.set_language(Language::En),
                "zh" => self.set_language(Language::Zh),
                _ => self.message = self.format_message(Message::UnknownLanguage, &[value]),
            },
            "save" => self.save(Path::new(value)),
            "load" => self.load(Path::new(value)),
            _ => return false,
        }
        true
    }

    /// Returns the legal moves in the chosen dialect.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        self.session().legal_moves(Some(self.dialect())).unwrap_or_default()
    }

    /// Returns the legal moves that the ruleset refuses, in the chosen dialect, each with the reason.
    pub(crate) fn refused_moves(&self) -> Vec<String> {
        let text = |refused: RefusedTarget| {
            let mv = self.session().format_move(&refused.target.text, Some(self.dialect()));
            let reason = if self.language == Language::Zh { refused.reason_zh } else { refused.reason };
            format!("{}: {reason}", mv.unwrap_or(refused.target.text))
        };
        self.session().refused_targets().into_iter().map(text).collect()
    }

    /// Returns the move number of a ply, counted from 0, and whether it is the second ply of that number.
    pub(crate) fn move_number(&self, ply: usize) -> (usize, bool) {
        let (first, number) = self.played.first_move();
        let half = ply + first.index();
        (number as usize + half / 2, half % 2 == 1)
    }

    /// Converts a move from the default dialect to the chosen one.
    fn format_move(&self, text: &str) -> String {
        self.session().format_move(text, Some(self.dialect())).unwrap_or_else(|_| text.to_owned())
    }

    /// Plays a move of the person, typed in any dialect of the game.
    ///
    /// # Errors
    /// If the move is illegal or the game is over; and once, before a move that loses by repetition.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), SessionError> {
        let dialect = self.session().detect_dialect(text, Some(self.dialect()))?;
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
            return Err(SessionError::new(self.refusal_text(&PlayError::GameOver)));
        }
        if !self.may_move() {
            return Err(SessionError::new(self.format_message(Message::NotYourTurn, &[])));
        }
        let warned = self.move_to_confirm.take();
        self.stop_search();
        let text = self.played.find_move(text, dialect)?;
        if warned.as_ref() != Some(&text)
            && let Some(reason) = self.repetition_loss(&text)
        {
            let move_text = self.format_move(&text);
            self.move_to_confirm = Some(text);
            return Err(SessionError::new(
                self.format_message(Message::LosesByRepetition, &[&move_text, &reason]),
            ));
        }
        self.message = String::new();
        let played = self.played.play(&text, None, alfil_engine::now());
        played.map(drop).map_err(|error| SessionError::new(self.refusal_text(&error)))
    }

    /// Takes back the person's last move and the reply.
    pub(crate) fn undo(&mut self) {
        self.stop_search();
        self.message = match self.played.take_back_turn(alfil_engine::now()) {
            Ok(0) => self.format_message(Message::NothingToUndo, &[]),
            Ok(_) => {
                self.move_to_confirm = None;
                String::new()
            }
            Err(error) => self.refusal_text(&error),
        };
    }

    /// Starts again from the start position and its opening moves.
    pub(crate) fn restart(&mut self) {
        self.stop_search();
        self.move_to_confirm = None;
        self.message = self.played.restart().err().map(|error| self.error_text(&error)).unwrap_or_default();
        self.saved = SavedGame::of_new_game(self.session().played_moves(None).unwrap_or_default());
        // A new seed gives another game.
        self.seed = random_seed();
    }

    /// Resigns for the person; has no effect if the game is over.
    pub(crate) fn resign(&mut self) {
        self.stop_search();
        let _ = self.played.resign(alfil_engine::now());
    }

    /// Returns the clock of a timed game.
    pub(crate) fn clock(&self) -> Option<&GameClock> {
        self.played.record().clock.as_ref().map(|clock| &clock.game_clock)
    }

    /// Returns the time until the running clock's flag falls.
    pub(crate) fn time_to_flag(&self) -> Option<Duration> {
        self.played.time_to_flag(alfil_engine::now())
    }

    /// Updates the clock; if a flag falls, stops the search and returns true.
    pub(crate) fn tick(&mut self) -> bool {
        let flag_fell = self.played.take_flag_fall(alfil_engine::now());
        if flag_fell {
            self.stop_search();
            self.message.clear();
        }
        flag_fell
    }

    /// Pauses the clock.
    pub(crate) fn pause(&mut self) {
        self.played.pause(alfil_engine::now());
    }

    /// Resumes the clock.
    pub(crate) fn resume(&mut self) {
        self.played.resume(alfil_engine::now());
    }

    /// Creates a review of the game; returns `None` if no move was played.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub(crate) fn review(&self) -> Result<Option<GameReview>, SessionError> {
        let has_moves = self.session().view().ply > 0;
        has_moves.then(|| GameReview::new(&self.played)).transpose()
    }
}

/// Returns the default dialect of a language. In English a dialect that counts the files from each player's right is
/// not the default, because the edges of the drawn board have coordinates.
fn default_dialect(session: &dyn GameSession, language: Language) -> &'static str {
    let appearance = session.appearance();
    let english = appearance.english_dialect;
    let has_own_edge_names = appearance.edge_names.iter().any(|(dialect, _)| *dialect == english);
    let coordinates = session.dialects().first().copied().filter(|_| has_own_edge_names);
    let names = Some(session.info().names_zh).filter(|_| language == Language::Zh);
    names.and_then(|names| names.dialect).or(coordinates).unwrap_or(english)
}
