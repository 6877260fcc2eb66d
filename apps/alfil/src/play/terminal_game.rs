//! A game at the table, whatever shows it: who plays, by what clock and which rule book, and what was said.

mod running_search;

use std::time::{Duration, Instant};

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::appearance::chinese;
use alfil_session::game_clock::{GameClock, TimeControl};
use alfil_session::render::PieceStyle;
use alfil_session::{
    GameEnd, GameSession, PositionView, Ruling, RulingRequest, SessionError, Target, random_seed, registry,
    rulings,
};

use super::messages::{Word, format_message};
use super::review::GameReview;
use crate::language::Language;
use running_search::RunningSearch;
pub(crate) use running_search::{AnalysisLine, SearchPurpose};

/// How somebody wants to play.
#[derive(Clone, Debug)]
pub(crate) struct GameOptions {
    /// The text of the position the game starts from.
    pub(crate) start: String,
    pub(crate) person: Side,
    pub(crate) level: u32,
    /// What the computer may think about a move where no clock bounds it.
    pub(crate) move_time: Duration,
    pub(crate) time_control: Option<TimeControl>,
    pub(crate) pieces: PieceStyle,
    pub(crate) language: Language,
    /// How moves are written; none for the usual of the language.
    pub(crate) dialect: Option<String>,
    /// The rule book; none for the one between people.
    pub(crate) ruleset: Option<String>,
}

#[cfg(test)]
impl GameOptions {
    /// A game from the start, drawn in ASCII, with a second a move.
    pub(crate) fn default_for_tests() -> GameOptions {
        GameOptions {
            start: "startpos".into(),
            person: Side::First,
            level: 3,
            move_time: Duration::from_secs(1),
            time_control: None,
            pieces: PieceStyle::Ascii,
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
    pub(crate) pieces: PieceStyle,
    /// Who sits below.
    pub(crate) bottom_side: Side,
    /// What was last said to the person.
    pub(crate) message: String,
    /// The best lines found, while the analysis is on.
    pub(crate) analysis_lines: Vec<AnalysisLine>,
    pub(crate) language: Language,
    /// How moves are written: one of the game's dialects.
    dialect: &'static str,
    /// Whether somebody chose it.
    is_dialect_chosen: bool,
    /// The rule book by which the game is judged; none in games that have only one.
    ruleset: Option<String>,
    /// Both sides' time, if it is played by the clock.
    clock: Option<GameClock>,
    /// What the fall of a flag means, if one fell.
    flag_outcome: Option<Outcome>,
    /// A move that was played would lose at once by law: it is played when it is given again.
    move_to_confirm: Option<String>,
    move_time: Duration,
    /// What the computer draws its moves by: another one every time.
    seed: u64,
    start: String,
    /// The moves played before the first one at this table, in the default dialect.
    opening: Vec<String>,
    /// The ply from which on it is played by the clock: after the opening, or earlier where more was taken back.
    clock_start_ply: usize,
    /// The number of the first move of all, and the side that makes it.
    first_move: (u32, Side),
    resigned: bool,
    search: Option<RunningSearch>,
}

/// Times to choose from for a move, in milliseconds.
const MOVE_TIMES_MS: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];
/// The levels of strength.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

impl TerminalGame {
    /// A game on that desk, which stands where it begins and is judged by the book that is wanted.
    pub(crate) fn new(desk: Box<dyn GameSession>, wants: GameOptions) -> TerminalGame {
        let GameOptions {
            start,
            person,
            level,
            move_time: time,
            time_control: pace,
            pieces,
            language,
            dialect,
            ruleset: book,
        } = wants;
        let dialects = desk.dialects();
        let named = dialects.iter().find(|&&name| Some(name) == dialect.as_deref()).copied();
        let dialect = named.unwrap_or_else(|| default_dialect(desk.as_ref(), language));
        let opening = desk.played_moves(None).unwrap_or_default();
        let origin = find_first_move(desk.game(), &start).unwrap_or((1, Side::First));
        let book = book.or_else(|| desk.rulesets().first().map(|&name| name.to_owned()));
        TerminalGame {
            session: desk,
            person,
            level,
            pieces,
            bottom_side: person,
            message: String::new(),
            analysis_lines: Vec::new(),
            language,
            dialect,
            is_dialect_chosen: named.is_some(),
            ruleset: book,
            clock: pace.map(GameClock::new),
            flag_outcome: None,
            move_to_confirm: None,
            move_time: time,
            seed: random_seed(),
            start,
            clock_start_ply: opening.len(),
            opening,
            first_move: origin,
            resigned: false,
            search: None,
        }
    }

    /// Says something in the language chosen.
    pub(crate) fn format_message(&self, word: Word, parts: &[&str]) -> String {
        format_message(self.language, word, parts)
    }

    /// Why something cannot be done, in the language chosen where the desk knows it.
    pub(crate) fn error_text(&self, error: &SessionError) -> String {
        let chinese = error.message_zh.as_ref().filter(|_| self.language == Language::Zh);
        chinese.unwrap_or(&error.message).clone()
    }

    fn chinese_names(&self) -> Option<&'static chinese::ChineseNames> {
        if self.language == Language::Zh { chinese::names_for_game(self.session.game()) } else { None }
    }

    /// The game's name.
    pub(crate) fn game_title(&self) -> &'static str {
        self.chinese_names().map_or(self.session.appearance().title, |names| names.title)
    }

    /// A side's name.
    pub(crate) fn side_name(&self, side: Side) -> &'static str {
        let sides = self.chinese_names().map_or(self.session.appearance().sides, |names| names.sides);
        sides[side.index()]
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned || self.flagged_side().is_some() || self.session.game_end().is_some()
    }

    /// Whose time is over.
    pub(crate) fn flagged_side(&self) -> Option<Side> {
        self.clock.as_ref()?.flagged()
    }

    /// Whether the person may move.
    pub(crate) fn may_move(&self) -> bool {
        !self.is_over() && self.session.view().side_to_move == self.person && !self.is_computer_searching()
    }

    /// Whether the computer thinks about its move.
    pub(crate) fn is_computer_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|thinking| thinking.purpose == SearchPurpose::Reply)
    }

    /// How the game stands, in a sentence.
    pub(crate) fn status(&self, view: &PositionView) -> String {
        if self.resigned {
            return self.format_message(
                Word::Resigned,
                &[self.side_name(self.person), self.side_name(!self.person)],
            );
        }
        if let (Some(late), None) = (self.flagged_side(), &view.game_end) {
            let word = if self.flag_outcome == Some(Outcome::Draw) { Word::FlagDrawn } else { Word::Flag };
            return self.format_message(word, &[self.side_name(late), self.side_name(!late)]);
        }
        match &view.game_end {
            Some(ending) => self.verdict_text(ending),
            None if self.is_computer_searching() => self.format_message(Word::Thinking, &[]),
            None => self.turn_text(view),
        }
    }

    /// Whose move it is.
    pub(crate) fn turn_text(&self, view: &PositionView) -> String {
        let word = if view.checked_king.is_some() { Word::InCheck } else { Word::ToMove };
        self.format_message(word, &[self.side_name(view.side_to_move)])
    }

    /// An ending in a sentence.
    fn verdict_text(&self, ending: &GameEnd) -> String {
        if self.language == Language::Zh { ending.message_zh.clone() } else { ending.message.clone() }
    }

    /// Why it ended as it did, or how often the position has stood; empty where there is nothing to add to the status.
    pub(crate) fn remark(&self, view: &PositionView) -> String {
        if self.resigned || self.flagged_side().is_some() {
            return String::new();
        }
        match (&view.game_end, view.occurrences) {
            (Some(_), _) => self.ruling_reasons(),
            (None, 1) => String::new(),
            (None, times) => self.format_message(Word::Stood, &[&times.to_string()]),
        }
    }

    /// The judge's reasons for a verdict by repetition.
    fn ruling_reasons(&self) -> String {
        let ask = RulingRequest { ruleset: self.ruleset.clone(), ..self.ruling_request() };
        let ruling = self.session.ruling(&ask).ok();
        let gap = if ask.in_chinese { "" } else { " " };
        ruling
            .filter(|ruling| ruling.repetition_plies.is_some())
            .map_or(String::new(), |ruling| ruling.explanation.join(gap))
    }

    /// Whether a judge has anything to say: the game is over, or a position has come back.
    pub(crate) fn has_ruling(&self) -> bool {
        let view = self.session.view();
        !self.session.rulesets().is_empty() && (view.game_end.is_some() || view.occurrences > 1)
    }

    /// The rule book of that name.
    ///
    /// # Errors
    /// If the game has none of that name.
    pub(crate) fn find_ruleset(&self, book: &str) -> Result<&'static str, SessionError> {
        let books = self.session.rulesets();
        let unknown = || match books {
            [] => SessionError::new(self.format_message(Word::NoBooks, &[self.game_title()])),
            _ => SessionError::new(self.format_message(Word::NoBook, &[book, &books.join(", ")])),
        };
        books.iter().find(|&&known| known == book).copied().ok_or_else(unknown)
    }

    /// What a rule book says of the position that came back, or of the end.
    ///
    /// # Errors
    /// If there is no such book.
    pub(crate) fn ruling(&self, book: &str) -> Result<Ruling, SessionError> {
        let view = self.session.view();
        // What is no repetition yet for the book is ruled on as if it were.
        let early = view.game_end.is_none() && view.occurrences > 1;
        let book = Some(self.find_ruleset(book)?.to_owned());
        self.session.ruling(&RulingRequest {
            ruleset: book,
            occurrences: early.then_some(view.occurrences),
            ..self.ruling_request()
        })
    }

    /// What is asked of every judge.
    fn ruling_request(&self) -> RulingRequest {
        let chinese = self.language == Language::Zh;
        RulingRequest {
            in_chinese: chinese,
            dialect: Some(self.dialect.to_owned()),
            ..RulingRequest::default()
        }
    }

    /// The rule book of this game, if there is a choice.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.ruleset.as_deref()
    }

    /// Judges this game by another rule book from now on.
    ///
    /// # Errors
    /// If there is no such book.
    pub(crate) fn set_ruleset(&mut self, book: &str) -> Result<(), SessionError> {
        let book = self.find_ruleset(book)?;
        self.stop_search();
        self.session.set_ruleset(book)?;
        self.ruleset = Some(book.to_owned());
        self.run_clock();
        self.message = self.format_message(Word::Book, &[self.ruleset_title(book)]);
        Ok(())
    }

    /// What people call a rule book.
    pub(crate) fn ruleset_title(&self, book: &str) -> &'static str {
        rulings::ruleset_title(book, self.language == Language::Zh)
    }

    /// What people call the dialect in which moves are written.
    pub(crate) fn dialect_name(&self) -> &'static str {
        let look = self.session.appearance();
        self.chinese_names().map_or(look.dialect_name(self.dialect), |names| names.dialect_name(self.dialect))
    }

    /// How moves are written.
    pub(crate) fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// Writes moves in this dialect from now on.
    ///
    /// # Errors
    /// If the game has none of that name.
    pub(crate) fn set_dialect(&mut self, name: &str) -> Result<(), SessionError> {
        let dialects = self.session.dialects();
        let unknown = || {
            SessionError::new(
                self.format_message(Word::NoDialect, &[self.game_title(), name, &dialects.join(", ")]),
            )
        };
        self.dialect = *dialects.iter().find(|&&known| known == name).ok_or_else(unknown)?;
        self.is_dialect_chosen = true;
        self.message = self.format_message(Word::Dialect, &[self.dialect_name()]);
        Ok(())
    }

    /// Writes moves in the next of the game's dialects.
    pub(crate) fn next_dialect(&mut self) {
        let dialects = self.session.dialects();
        let here = dialects.iter().position(|&name| name == self.dialect).unwrap_or_default();
        self.dialect = dialects[(here + 1) % dialects.len()];
        self.is_dialect_chosen = true;
        self.message = self.format_message(Word::Dialect, &[self.dialect_name()]);
    }

    /// Speaks this language from now on, and writes moves as is usual in it unless somebody chose how.
    pub(crate) fn set_language(&mut self, language: Language) {
        self.language = language;
        if !self.is_dialect_chosen {
            self.dialect = default_dialect(self.session.as_ref(), language);
        }
        self.message = self.format_message(Word::Dialect, &[self.dialect_name()]);
    }

    /// Sets the computer's strength, from the next move on.
    pub(crate) fn set_level(&mut self, level: u32) {
        self.level = level.clamp(*LEVELS.start(), *LEVELS.end());
        self.message = self.format_message(Word::Level, &[&self.level.to_string()]);
    }

    /// Sets the computer's time for a move, from the next one on.
    pub(crate) fn set_move_time(&mut self, time: Duration) {
        if self.clock.is_none() {
            self.move_time = time;
        }
        self.message = self.move_time_text();
    }

    /// How long the computer may think about a move.
    pub(crate) fn move_time_text(&self) -> String {
        match self.clock {
            Some(_) => self.format_message(Word::ByClock, &[]),
            None => self.format_message(Word::Time, &[&self.move_time.as_secs_f64().to_string()]),
        }
    }

    /// Gives the computer the next longer usual time for a move, or the next shorter.
    pub(crate) fn change_move_time(&mut self, longer: bool) {
        let usual = MOVE_TIMES_MS.map(Duration::from_millis);
        let next = if longer {
            usual.into_iter().find(|&time| time > self.move_time)
        } else {
            usual.into_iter().rfind(|&time| time < self.move_time)
        };
        self.set_move_time(next.unwrap_or(self.move_time));
    }

    /// The moves so far, in the dialect chosen.
    pub(crate) fn played_moves(&self) -> Vec<String> {
        // The dialect is one of the game's.
        self.session.played_moves(Some(self.dialect)).unwrap_or_default()
    }

    /// The legal moves in the dialect chosen.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        self.session.legal_moves(Some(self.dialect)).unwrap_or_default()
    }

    /// The number of a ply, counted from 0, as the start position's text numbers moves; and whether it is the second of its pair.
    pub(crate) fn move_number(&self, ply: usize) -> (usize, bool) {
        let (number, first) = self.first_move;
        let half = ply + first.index();
        (number as usize + half / 2, half % 2 == 1)
    }

    /// A move of the default dialect as it is written here.
    fn format_move(&self, text: &str) -> String {
        self.session.format_move(text, Some(self.dialect)).unwrap_or_else(|_| text.to_owned())
    }

    /// Plays a move of the person's, in whatever dialect of the game it was typed.
    ///
    /// # Errors
    /// If it is not legal, or the game is over; or, once, where the person would lose by law for having played it.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), SessionError> {
        let dialect = self.session.detect_dialect(text, Some(self.dialect))?;
        self.play_in_dialect(text, Some(dialect))
    }

    /// Plays one of the targets.
    ///
    /// # Errors
    /// See [`Table::play`].
    pub(crate) fn play_target(&mut self, target: &Target) -> Result<(), SessionError> {
        self.play_in_dialect(&target.text, None)
    }

    fn play_in_dialect(&mut self, text: &str, dialect: Option<&str>) -> Result<(), SessionError> {
        self.tick();
        if self.is_over() {
            // When somebody's time is over no move is taken back.
            let word = if self.flagged_side().is_some() { Word::Over } else { Word::OverHelp };
            return Err(SessionError::new(self.format_message(word, &[])));
        }
        if !self.may_move() {
            return Err(SessionError::new(self.format_message(Word::TheirTurn, &[])));
        }
        let warned = self.move_to_confirm.take();
        self.stop_search();
        let step = self.session.play(text, dialect)?;
        if warned.as_deref() != Some(step.text.as_str())
            && let Some(words) = self.repetition_loss()
        {
            self.session.undo();
            let written = self.format_move(&step.text);
            self.move_to_confirm = Some(step.text);
            return Err(SessionError::new(self.format_message(Word::Offence, &[&written, &words])));
        }
        self.message = String::new();
        self.switch_clock(self.person);
        Ok(())
    }

    /// Why the person, who has just moved, has lost by a rule against repetition or will have by some reply; none if not.
    fn repetition_loss(&mut self) -> Option<String> {
        if let Some(ending) = self.session.game_end() {
            return self.repetition_loss_text(ending);
        }
        let replies = self.session.legal_moves(None).unwrap_or_default();
        replies.iter().find_map(|reply| {
            let ending = self.session.play(reply, None).ok()?.game_end;
            let words = ending.and_then(|ending| self.repetition_loss_text(ending));
            self.session.undo();
            words
        })
    }

    /// The words of an ending that the person has lost by a rule against repetition.
    fn repetition_loss_text(&self, ending: GameEnd) -> Option<String> {
        let lost = ending.outcome == Outcome::Win(!self.person);
        // No reasons, no repetition: it was lost otherwise.
        (lost && !self.ruling_reasons().is_empty()).then(|| self.verdict_text(&ending))
    }

    /// The pass that is the person's only move, if it is.
    pub(crate) fn forced_pass(&self) -> Option<Target> {
        let mut targets = if self.may_move() { self.session.targets(None) } else { Vec::new() };
        (targets.len() == 1 && targets[0].to.is_none()).then(|| targets.remove(0))
    }

    /// Takes back the person's last move and the answer to it.
    pub(crate) fn undo(&mut self) {
        self.tick();
        if self.flagged_side().is_some() {
            self.message = self.format_message(Word::LateBack, &[]);
            return;
        }
        self.stop_search();
        self.resigned = false;
        let mut undone = 0;
        // A pass was no choice of the person's: it goes, too.
        while self.session.undo().is_some() {
            undone += 1;
            self.move_to_confirm = None;
            if self.session.view().side_to_move == self.person && self.forced_pass().is_none() {
                break;
            }
        }
        self.clock_start_ply = self.clock_start_ply.min(self.session.view().ply);
        self.message = if undone == 0 { self.format_message(Word::NothingBack, &[]) } else { String::new() };
        self.run_clock();
    }

    /// Starts again from the same position.
    pub(crate) fn restart(&mut self) {
        self.stop_search();
        self.resigned = false;
        self.move_to_confirm = None;
        self.message = String::new();
        // It was accepted once, and so were the moves from there.
        if let Err(error) = self.session.open(&self.start, &Waivers::All) {
            self.message = self.error_text(&error);
        }
        for text in &self.opening {
            if let Err(error) = self.session.play(text, None) {
                self.message = self.error_text(&error);
            }
        }
        self.clock_start_ply = self.opening.len();
        // Another game, not the same again.
        self.seed = random_seed();
        self.flag_outcome = None;
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
    }

    /// The person gives up.
    pub(crate) fn resign(&mut self) {
        self.tick();
        self.stop_search();
        self.resigned = !self.is_over();
        self.run_clock();
    }

    /// The clock, if it is played by one.
    pub(crate) fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// How long until a flag falls, if time runs.
    pub(crate) fn time_to_flag(&self) -> Option<Duration> {
        self.clock.as_ref()?.time_to_flag(Instant::now())
    }

    /// Takes off the time that was used; whether a flag fell by it. Then nobody thinks any more.
    pub(crate) fn tick(&mut self) -> bool {
        let late = self.clock.as_mut().and_then(|clock| clock.tick(Instant::now()));
        if let Some(side) = late {
            self.flag_outcome = Some(self.session.flag_outcome(side));
            self.stop_search();
            self.message.clear();
        }
        late.is_some()
    }

    /// Whose time runs from now on: that of the side to move, in a game that was begun here and is not over.
    fn side_on_clock(&self) -> Option<Side> {
        let view = self.session.view();
        (!self.is_over() && view.ply > self.clock_start_ply).then_some(view.side_to_move)
    }

    fn run_clock(&mut self) {
        self.tick();
        let next = self.side_on_clock();
        if let Some(clock) = &mut self.clock {
            clock.set_running(next, Instant::now());
        }
    }

    /// A side has moved: the clock runs for the next.
    fn switch_clock(&mut self, mover: Side) {
        let next = self.side_on_clock();
        if let Some(clock) = &mut self.clock {
            clock.on_move(mover, next, Instant::now());
        }
    }

    /// Nobody looks for a while: the clock stands.
    pub(crate) fn pause(&mut self) {
        self.tick();
        if let Some(clock) = &mut self.clock {
            clock.pause(Instant::now());
        }
    }

    /// Somebody looks again.
    pub(crate) fn resume(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.resume(Instant::now());
        }
    }

    /// The game from its beginning, to be looked at again; none where nothing was played.
    ///
    /// # Errors
    /// If it cannot be played again.
    pub(crate) fn review(&self) -> Result<Option<GameReview>, SessionError> {
        let played = self.session.view().ply > 0;
        let review =
            || GameReview::from_session(self.session.as_ref(), &self.start, self.ruleset(), self.move_time);
        played.then(review).transpose()
    }
}

/// How moves are written in a language where nobody chose: as people do who play the game in it.
fn default_dialect(desk: &dyn GameSession, language: Language) -> &'static str {
    let names = chinese::names_for_game(desk.game()).filter(|_| language == Language::Zh);
    names.and_then(|names| names.dialect).unwrap_or(desk.appearance().english_dialect)
}

/// The number of the first move from a position, and whose it is; none if there is no such position.
fn find_first_move(game: &str, start: &str) -> Option<(u32, Side)> {
    let mut desk = registry::open(game, None).ok()?;
    desk.open(start, &Waivers::All).ok()?;
    let view = desk.view();
    Some((view.fullmove_number, view.side_to_move))
}
