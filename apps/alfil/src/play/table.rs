//! A game at the table, whatever shows it: who plays, by what clock and which rule book, and what was said.

mod thinking;

use std::time::{Duration, Instant};

use alfil_hall::clock::{GameClock, Pace};
use alfil_hall::draw::Pieces;
use alfil_hall::look::chinese;
use alfil_hall::{Desk, DeskError, Ending, JudgeAsk, Ruling, Target, View, judge, lot, registry};
use alfil_kernel::{Outcome, Side, Waivers};

use super::review::Review;
use super::words::{Word, say};
use crate::language::Language;
use thinking::Thinking;
pub(crate) use thinking::{Finding, Purpose};

/// How somebody wants to play.
#[derive(Clone, Debug)]
pub(crate) struct Wants {
    /// The text of the position the game starts from.
    pub(crate) start: String,
    pub(crate) person: Side,
    pub(crate) level: u32,
    /// What the computer may think about a move where no clock bounds it.
    pub(crate) time: Duration,
    pub(crate) pace: Option<Pace>,
    pub(crate) pieces: Pieces,
    pub(crate) language: Language,
    /// How moves are written; none for the usual of the language.
    pub(crate) dialect: Option<String>,
    /// The rule book; none for the one between people.
    pub(crate) book: Option<String>,
}

#[cfg(test)]
impl Wants {
    /// A game from the start, drawn in ASCII, with a second a move.
    pub(crate) fn usual() -> Wants {
        Wants {
            start: "startpos".into(),
            person: Side::First,
            level: 3,
            time: Duration::from_secs(1),
            pace: None,
            pieces: Pieces::Ascii,
            language: Language::En,
            dialect: None,
            book: None,
        }
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
    pub(crate) language: Language,
    /// How moves are written: one of the game's dialects.
    dialect: &'static str,
    /// Whether somebody chose it.
    named: bool,
    /// The rule book by which the game is judged; none in games that have only one.
    book: Option<String>,
    /// Both sides' time, if it is played by the clock.
    clock: Option<GameClock>,
    /// What the fall of a flag means, if one fell.
    fallen: Option<Outcome>,
    /// A move that was played would lose at once by law: it is played when it is given again.
    warned: Option<String>,
    time: Duration,
    /// What the computer draws its moves by: another one every time.
    seed: u64,
    start: String,
    /// The moves played before the first one at this table, in the default dialect.
    opening: Vec<String>,
    /// The ply from which on it is played by the clock: after the opening, or earlier where more was taken back.
    begun: usize,
    /// The number of the first move of all, and the side that makes it.
    origin: (u32, Side),
    resigned: bool,
    thinking: Option<Thinking>,
}

/// Times to choose from for a move, in milliseconds.
const USUAL_TIMES: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];
/// The levels of strength.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

impl Table {
    /// A game on that desk, which stands where it begins and is judged by the book that is wanted.
    pub(crate) fn new(desk: Box<dyn Desk>, wants: Wants) -> Table {
        let Wants { start, person, level, time, pace, pieces, language, dialect, book } = wants;
        let dialects = desk.dialects();
        let named = dialects.iter().find(|&&name| Some(name) == dialect.as_deref()).copied();
        let dialect = named.unwrap_or_else(|| usual_dialect(desk.as_ref(), language));
        let opening = desk.record(None).unwrap_or_default();
        let origin = origin(desk.game(), &start).unwrap_or((1, Side::First));
        let book = book.or_else(|| desk.books().first().map(|&name| name.to_owned()));
        Table {
            desk,
            person,
            level,
            pieces,
            below: person,
            said: String::new(),
            findings: Vec::new(),
            language,
            dialect,
            named: named.is_some(),
            book,
            clock: pace.map(GameClock::new),
            fallen: None,
            warned: None,
            time,
            seed: lot(),
            start,
            begun: opening.len(),
            opening,
            origin,
            resigned: false,
            thinking: None,
        }
    }

    /// Says something in the language chosen.
    pub(crate) fn say(&self, word: Word, parts: &[&str]) -> String {
        say(self.language, word, parts)
    }

    /// Why something cannot be done, in the language chosen where the desk knows it.
    pub(crate) fn told(&self, error: &DeskError) -> String {
        let chinese = error.words_zh.as_ref().filter(|_| self.language == Language::Zh);
        chinese.unwrap_or(&error.words).clone()
    }

    fn chinese(&self) -> Option<&'static chinese::Names> {
        if self.language == Language::Zh { chinese::of(self.desk.game()) } else { None }
    }

    /// The game's name.
    pub(crate) fn title(&self) -> &'static str {
        self.chinese().map_or(self.desk.look().title, |names| names.title)
    }

    /// A side's name.
    pub(crate) fn name(&self, side: Side) -> &'static str {
        let sides = self.chinese().map_or(self.desk.look().sides, |names| names.sides);
        sides[side.index()]
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned || self.flagged().is_some() || self.desk.judge().is_some()
    }

    /// Whose time is over.
    pub(crate) fn flagged(&self) -> Option<Side> {
        self.clock.as_ref()?.flagged()
    }

    /// Whether the person may move.
    pub(crate) fn may_move(&self) -> bool {
        !self.is_over() && self.desk.view().side == self.person && !self.replies()
    }

    /// Whether the computer thinks about its move.
    pub(crate) fn replies(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Reply)
    }

    /// How the game stands, in a sentence.
    pub(crate) fn status(&self, view: &View) -> String {
        if self.resigned {
            return self.say(Word::Resigned, &[self.name(self.person), self.name(!self.person)]);
        }
        if let (Some(late), None) = (self.flagged(), &view.ending) {
            let word = if self.fallen == Some(Outcome::Draw) { Word::FlagDrawn } else { Word::Flag };
            return self.say(word, &[self.name(late), self.name(!late)]);
        }
        match &view.ending {
            Some(ending) => self.verdict(ending),
            None if self.replies() => self.say(Word::Thinking, &[]),
            None => self.turn(view),
        }
    }

    /// Whose move it is.
    pub(crate) fn turn(&self, view: &View) -> String {
        let word = if view.check.is_some() { Word::InCheck } else { Word::ToMove };
        self.say(word, &[self.name(view.side)])
    }

    /// An ending in a sentence.
    fn verdict(&self, ending: &Ending) -> String {
        if self.language == Language::Zh { ending.words_zh.clone() } else { ending.words.clone() }
    }

    /// Why it ended as it did, or how often the position has stood; empty where there is nothing to add to the status.
    pub(crate) fn remark(&self, view: &View) -> String {
        if self.resigned || self.flagged().is_some() {
            return String::new();
        }
        match (&view.ending, view.occurrences) {
            (Some(_), _) => self.reasons(),
            (None, 1) => String::new(),
            (None, times) => self.say(Word::Stood, &[&times.to_string()]),
        }
    }

    /// The judge's reasons for a verdict by repetition.
    fn reasons(&self) -> String {
        let ask = JudgeAsk { book: self.book.clone(), ..self.case() };
        let ruling = self.desk.rule(&ask).ok();
        let gap = if ask.chinese { "" } else { " " };
        ruling
            .filter(|ruling| ruling.window.is_some())
            .map_or(String::new(), |ruling| ruling.explanation.join(gap))
    }

    /// Whether a judge has anything to say: the game is over, or a position has come back.
    pub(crate) fn is_case(&self) -> bool {
        let view = self.desk.view();
        !self.desk.books().is_empty() && (view.ending.is_some() || view.occurrences > 1)
    }

    /// The rule book of that name.
    ///
    /// # Errors
    /// If the game has none of that name.
    pub(crate) fn known(&self, book: &str) -> Result<&'static str, DeskError> {
        let books = self.desk.books();
        let unknown = || match books {
            [] => DeskError::new(self.say(Word::NoBooks, &[self.title()])),
            _ => DeskError::new(self.say(Word::NoBook, &[book, &books.join(", ")])),
        };
        books.iter().find(|&&known| known == book).copied().ok_or_else(unknown)
    }

    /// What a rule book says of the position that came back, or of the end.
    ///
    /// # Errors
    /// If there is no such book.
    pub(crate) fn rule(&self, book: &str) -> Result<Ruling, DeskError> {
        let view = self.desk.view();
        // What is no repetition yet for the book is ruled on as if it were.
        let early = view.ending.is_none() && view.occurrences > 1;
        let book = Some(self.known(book)?.to_owned());
        self.desk.rule(&JudgeAsk { book, occurrences: early.then_some(view.occurrences), ..self.case() })
    }

    /// What is asked of every judge.
    fn case(&self) -> JudgeAsk {
        let chinese = self.language == Language::Zh;
        JudgeAsk { chinese, dialect: Some(self.dialect.to_owned()), ..JudgeAsk::default() }
    }

    /// The rule book of this game, if there is a choice.
    pub(crate) fn book(&self) -> Option<&str> {
        self.book.as_deref()
    }

    /// Judges this game by another rule book from now on.
    ///
    /// # Errors
    /// If there is no such book.
    pub(crate) fn judge_by(&mut self, book: &str) -> Result<(), DeskError> {
        let book = self.known(book)?;
        self.stop();
        self.desk.choose(book)?;
        self.book = Some(book.to_owned());
        self.run_clock();
        self.said = self.say(Word::Book, &[self.book_title(book)]);
        Ok(())
    }

    /// What people call a rule book.
    pub(crate) fn book_title(&self, book: &str) -> &'static str {
        judge::title(book, self.language == Language::Zh)
    }

    /// What people call the dialect in which moves are written.
    pub(crate) fn dialect_name(&self) -> &'static str {
        let look = self.desk.look();
        self.chinese().map_or(look.dialect_name(self.dialect), |names| names.dialect_name(self.dialect))
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
        let unknown =
            || DeskError::new(self.say(Word::NoDialect, &[self.title(), name, &dialects.join(", ")]));
        self.dialect = *dialects.iter().find(|&&known| known == name).ok_or_else(unknown)?;
        self.named = true;
        self.said = self.say(Word::Dialect, &[self.dialect_name()]);
        Ok(())
    }

    /// Writes moves in the next of the game's dialects.
    pub(crate) fn speak_next(&mut self) {
        let dialects = self.desk.dialects();
        let here = dialects.iter().position(|&name| name == self.dialect).unwrap_or_default();
        self.dialect = dialects[(here + 1) % dialects.len()];
        self.named = true;
        self.said = self.say(Word::Dialect, &[self.dialect_name()]);
    }

    /// Speaks this language from now on, and writes moves as is usual in it unless somebody chose how.
    pub(crate) fn speak_in(&mut self, language: Language) {
        self.language = language;
        if !self.named {
            self.dialect = usual_dialect(self.desk.as_ref(), language);
        }
        self.said = self.say(Word::Dialect, &[self.dialect_name()]);
    }

    /// Sets the computer's strength, from the next move on.
    pub(crate) fn set_level(&mut self, level: u32) {
        self.level = level.clamp(*LEVELS.start(), *LEVELS.end());
        self.said = self.say(Word::Level, &[&self.level.to_string()]);
    }

    /// Sets the computer's time for a move, from the next one on.
    pub(crate) fn set_time(&mut self, time: Duration) {
        if self.clock.is_none() {
            self.time = time;
        }
        self.said = self.time_words();
    }

    /// How long the computer may think about a move.
    pub(crate) fn time_words(&self) -> String {
        match self.clock {
            Some(_) => self.say(Word::ByClock, &[]),
            None => self.say(Word::Time, &[&self.time.as_secs_f64().to_string()]),
        }
    }

    /// Gives the computer the next longer usual time for a move, or the next shorter.
    pub(crate) fn step_time(&mut self, longer: bool) {
        let usual = USUAL_TIMES.map(Duration::from_millis);
        let next = if longer {
            usual.into_iter().find(|&time| time > self.time)
        } else {
            usual.into_iter().rfind(|&time| time < self.time)
        };
        self.set_time(next.unwrap_or(self.time));
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

    /// The number of a ply, counted from 0, as the start position's text numbers moves; and whether it is the second of its pair.
    pub(crate) fn numbered(&self, ply: usize) -> (usize, bool) {
        let (number, first) = self.origin;
        let half = ply + first.index();
        (number as usize + half / 2, half % 2 == 1)
    }

    /// A move of the default dialect as it is written here.
    fn written(&self, text: &str) -> String {
        self.desk.written(text, Some(self.dialect)).unwrap_or_else(|_| text.to_owned())
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
        self.tick();
        if self.is_over() {
            // When somebody's time is over no move is taken back.
            let word = if self.flagged().is_some() { Word::Over } else { Word::OverHelp };
            return Err(DeskError::new(self.say(word, &[])));
        }
        if !self.may_move() {
            return Err(DeskError::new(self.say(Word::TheirTurn, &[])));
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
            return Err(DeskError::new(self.say(Word::Offence, &[&written, &words])));
        }
        self.said = String::new();
        self.pass_on(self.person);
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
        (lost && !self.reasons().is_empty()).then(|| self.verdict(&ending))
    }

    /// The pass that is the person's only move, if it is.
    pub(crate) fn forced(&self) -> Option<Target> {
        let mut targets = if self.may_move() { self.desk.targets(None) } else { Vec::new() };
        (targets.len() == 1 && targets[0].to.is_none()).then(|| targets.remove(0))
    }

    /// Takes back the person's last move and the answer to it.
    pub(crate) fn take_back(&mut self) {
        self.tick();
        if self.flagged().is_some() {
            self.said = self.say(Word::LateBack, &[]);
            return;
        }
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
        self.begun = self.begun.min(self.desk.view().ply);
        self.said = if undone == 0 { self.say(Word::NothingBack, &[]) } else { String::new() };
        self.run_clock();
    }

    /// Starts again from the same position.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.resigned = false;
        self.warned = None;
        self.said = String::new();
        // It was accepted once, and so were the moves from there.
        if let Err(error) = self.desk.open(&self.start, &Waivers::All) {
            self.said = self.told(&error);
        }
        for text in &self.opening {
            if let Err(error) = self.desk.play(text, None) {
                self.said = self.told(&error);
            }
        }
        self.begun = self.opening.len();
        // Another game, not the same again.
        self.seed = lot();
        self.fallen = None;
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
    }

    /// The person gives up.
    pub(crate) fn resign(&mut self) {
        self.tick();
        self.stop();
        self.resigned = !self.is_over();
        self.run_clock();
    }

    /// The clock, if it is played by one.
    pub(crate) fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// How long until a flag falls, if time runs.
    pub(crate) fn falls_in(&self) -> Option<Duration> {
        self.clock.as_ref()?.falls_in(Instant::now())
    }

    /// Takes off the time that was used; whether a flag fell by it. Then nobody thinks any more.
    pub(crate) fn tick(&mut self) -> bool {
        let late = self.clock.as_mut().and_then(|clock| clock.tick(Instant::now()));
        if let Some(side) = late {
            self.fallen = Some(self.desk.flag(side));
            self.stop();
            self.said.clear();
        }
        late.is_some()
    }

    /// Whose time runs from now on: that of the side to move, in a game that was begun here and is not over.
    fn on_the_clock(&self) -> Option<Side> {
        let view = self.desk.view();
        (!self.is_over() && view.ply > self.begun).then_some(view.side)
    }

    fn run_clock(&mut self) {
        self.tick();
        let next = self.on_the_clock();
        if let Some(clock) = &mut self.clock {
            clock.run(next, Instant::now());
        }
    }

    /// A side has moved: the clock runs for the next.
    fn pass_on(&mut self, mover: Side) {
        let next = self.on_the_clock();
        if let Some(clock) = &mut self.clock {
            clock.moved(mover, next, Instant::now());
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
    pub(crate) fn review(&self) -> Result<Option<Review>, DeskError> {
        let played = self.desk.view().ply > 0;
        let review = || Review::of(self.desk.as_ref(), &self.start, self.book(), self.time);
        played.then(review).transpose()
    }
}

/// How moves are written in a language where nobody chose: as people do who play the game in it.
fn usual_dialect(desk: &dyn Desk, language: Language) -> &'static str {
    let names = chinese::of(desk.game()).filter(|_| language == Language::Zh);
    names.and_then(|names| names.dialect).unwrap_or(desk.look().dialect)
}

/// The number of the first move from a position, and whose it is; none if there is no such position.
fn origin(game: &str, start: &str) -> Option<(u32, Side)> {
    let mut desk = registry::open(game, None).ok()?;
    desk.open(start, &Waivers::All).ok()?;
    let view = desk.view();
    Some((view.number, view.side))
}
