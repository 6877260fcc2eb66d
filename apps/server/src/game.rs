//! A game as it is played and kept: a desk, the tree of all that was tried, and where in it the desk stands.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use alfil_hall::clock::Bounds;
use alfil_hall::look::chinese;
use alfil_hall::{Desk, DeskError, LEVELS, Step, registry};
use alfil_kernel::{Outcome, Side, Waivers};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::refusal::{Cause, Refusal};
use crate::store::Store;
use crate::tree::{NodeShape, START, Tree};
use crate::wire::{BookShape, GameShape, NewGame, PositionShape, StepShape};

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Its kind.
    pub(crate) game: String,
    /// The text of the position it started from.
    pub(crate) start: String,
    /// The person's side; none in analysis.
    pub(crate) person: Option<usize>,
    /// The computer's strength.
    pub(crate) level: u32,
    /// The side that gave up.
    pub(crate) resigned: Option<usize>,
    /// The dialect the person reads.
    pub(crate) dialect: Option<String>,
    /// The rule book, if not the game's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) book: Option<String>,
    /// Both sides' time, if it is played by the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<Clock>,
    /// What a file said about the game as a whole: names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<(String, String)>,
    /// The moves.
    pub(crate) tree: Tree,
}

/// The strength of the computer where nobody has chosen one.
pub(crate) const USUAL_LEVEL: u32 = 3;
/// More steps than this are not shown one by one.
const SHOWN_STEPS: usize = 4;

/// The glyphs that people write as signs behind a move, by their numbers in PGN.
const SIGNS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// A game on a desk.
pub(crate) struct Game {
    /// By which it is opened again.
    pub(crate) id: String,
    /// How often it was saved.
    pub(crate) revision: i64,
    /// What is kept of it.
    pub(crate) record: Record,
    desk: Box<dyn Desk>,
    at: usize,
    /// Whether a flag fell and nobody was told.
    fallen: bool,
    /// Who begins, and the number of the first move.
    first: (usize, u32),
}

impl Game {
    /// A game that begins, with moves that were played elsewhere: there it may have gone on where it could have ended.
    ///
    /// # Errors
    /// If there is no such game, its position cannot be played, or one of its moves; if a complaint that is to be let pass
    /// does not exist, or side, level or clock.
    pub(crate) fn new(id: String, new: NewGame) -> Result<Game, Refusal> {
        let start = new.fen.unwrap_or_else(|| "startpos".into());
        let clock = new.clock.map(Clock::new).transpose()?;
        if clock.is_some() && new.person.is_none() {
            return Err("a clock is for a game that somebody plays".into());
        }
        let record = Record {
            game: new.game,
            start,
            person: side(new.person)?,
            level: level(new.level.unwrap_or(USUAL_LEVEL))?,
            resigned: None,
            dialect: None,
            book: new.book,
            clock,
            tags: Vec::new(),
            tree: Tree::default(),
        };
        let waivers = if new.waive.is_empty() { Waivers::None } else { Waivers::Named(new.waive) };
        let mut game = Game::on_desk(id, 0, record, &waivers)?;
        for text in &new.moves {
            game.step(text, None)?;
        }
        game.run_clock();
        Ok(game)
    }

    /// A game that somebody else has recorded, at its end.
    ///
    /// # Errors
    /// If its position cannot be played, or one of its moves.
    pub(crate) fn recorded(id: String, record: Record) -> Result<Game, DeskError> {
        let mut game = Game::on_desk(id, 0, record, &Waivers::None)?;
        game.go(game.record.tree.tip(START))?;
        Ok(game)
    }

    /// A game that was kept, at its end. Its position was accepted once: it is not complained about again.
    ///
    /// # Errors
    /// If what was kept cannot be played.
    pub(crate) fn resumed(id: String, revision: i64, record: Record) -> Result<Game, DeskError> {
        if !record.tree.is_sound() {
            return Err(DeskError::new(format!("the game {id} was not kept whole")));
        }
        let mut game = Game::on_desk(id, revision, record, &Waivers::All)?;
        game.go(game.record.tree.tip(START))?;
        game.resume();
        Ok(game)
    }

    fn on_desk(id: String, revision: i64, record: Record, waivers: &Waivers) -> Result<Game, DeskError> {
        let mut desk = registry::open(&record.game, None)?;
        if let Waivers::Named(names) = waivers {
            let all = desk.waivable();
            if let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) {
                let words = format!(
                    "no complaint that can be let pass is called {unknown:?}, only {}",
                    all.join(", ")
                );
                return Err(DeskError::new(words));
            }
        }
        if let Some(book) = &record.book {
            desk.choose(book)?;
        }
        desk.open(&record.start, waivers)?;
        let view = desk.view();
        Ok(Game {
            id,
            revision,
            record,
            desk,
            at: START,
            fallen: false,
            first: (view.side.index(), view.number),
        })
    }

    /// As a game that was never kept, after it was thrown away.
    pub(crate) fn renew(&mut self) {
        (self.id, self.revision) = (Store::fresh_id(), 0);
    }

    /// The desk.
    pub(crate) fn desk(&self) -> &dyn Desk {
        self.desk.as_ref()
    }

    /// Where in the tree the desk stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether there is nothing worth keeping yet.
    pub(crate) fn is_bare(&self) -> bool {
        self.record.tree.is_bare() && self.record.start == "startpos" && self.record.clock.is_none()
    }

    /// Whether nothing more is played: by the rules, or because somebody's time is over. In analysis nobody's time counts.
    pub(crate) fn is_over(&self) -> bool {
        self.flagged().is_some() || self.desk.judge().is_some()
    }

    /// Whose time runs here: of the side to move in a game that was begun and is not over.
    fn on_the_clock(&self) -> Option<Side> {
        let played = self.record.person.is_some() && self.record.resigned.is_none() && self.at != START;
        (played && !self.is_over()).then(|| self.desk.view().side)
    }

    fn run_clock(&mut self) {
        self.tick();
        let (side, node) = (self.on_the_clock(), self.at);
        if let Some(clock) = &mut self.record.clock {
            clock.run(side, node, Instant::now());
        }
    }

    /// The computer's time runs only while it thinks: wherever a page looks meanwhile, nobody loses by it. Whether a flag
    /// fell and nobody was told.
    pub(crate) fn hold(&mut self, thinking: bool) -> bool {
        self.tick();
        let (person, now) = (self.record.person, Instant::now());
        let Some(clock) = &mut self.record.clock else { return self.fallen };
        match clock.time.running() {
            Some(side) if Some(side.index()) == person || thinking => clock.time.resume(now),
            _ => {
                clock.time.pause(now);
            }
        }
        self.fallen
    }

    /// Whether a flag fell since this was asked last: whoever asks tells it. A fall is seen by whatever looks at the clock
    /// first, which may be a deed that is then refused, so it is remembered until here.
    pub(crate) fn fell(&mut self) -> bool {
        self.tick();
        std::mem::take(&mut self.fallen)
    }

    /// How long until somebody's time is over, if it runs.
    pub(crate) fn falls_in(&self) -> Option<Duration> {
        self.record.clock.as_ref()?.time.falls_in(Instant::now())
    }

    /// How much of its time the side to move may spend on this move.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        self.record.clock.as_ref()?.time.bounds(Instant::now())
    }

    /// Takes off the time that was used.
    fn tick(&mut self) {
        let Some(clock) = &mut self.record.clock else { return };
        let Some(late) = clock.time.tick(Instant::now()) else { return };
        self.fallen = true;
        // What the fall means is seen where the game stands, wherever a page looks.
        let (here, node) = (self.at, clock.node);
        let drawn = self.go(node).is_ok() && self.desk.flag(late) == Outcome::Draw;
        let _ = self.go(here);
        if let Some(clock) = &mut self.record.clock {
            clock.drawn = drawn;
        }
    }

    /// How the fall of a flag ended the game, if one did.
    pub(crate) fn flagged(&self) -> Option<Outcome> {
        let clock = self.record.clock.as_ref().filter(|_| self.record.person.is_some())?;
        let late = clock.time.flagged()?;
        Some(if clock.drawn { Outcome::Draw } else { Outcome::loss(late) })
    }

    /// Nobody looks any more; whether time was used that has to be kept.
    pub(crate) fn pause(&mut self) -> bool {
        self.tick();
        let ran = self.record.clock.as_mut().is_some_and(|clock| clock.time.pause(Instant::now()));
        // A clock whose flag has just fallen stands already.
        ran || self.fallen
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub(crate) fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<Step, Refusal> {
        self.tick();
        if self.is_over() {
            return Err(Refusal::over());
        }
        let mover = self.desk.view().side;
        let step = self.step(text, dialect)?;
        self.record.resigned = None;
        let (next, node) = (self.on_the_clock(), self.at);
        if let Some(clock) = &mut self.record.clock {
            clock.moved(mover, next, node, Instant::now());
        }
        Ok(step)
    }

    /// A move on the desk and in the tree, whatever a judge would say.
    fn step(&mut self, text: &str, dialect: Option<&str>) -> Result<Step, DeskError> {
        let step = self.desk.play(text, dialect)?;
        self.at = self.record.tree.grow(self.at, &step.text);
        Ok(step)
    }

    /// Plays several moves; if one cannot be played, none is.
    ///
    /// # Errors
    /// See [`Game::play`].
    pub(crate) fn walk(&mut self, moves: &[String]) -> Result<Vec<Step>, Refusal> {
        let (from, record) = (self.at, self.record.clone());
        let steps: Result<Vec<_>, _> = moves.iter().map(|text| self.play(text, None)).collect();
        if steps.is_err() {
            self.go(from)?;
            self.record = record;
        }
        steps
    }

    /// Stands elsewhere; the steps on the way, in their order.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn go(&mut self, node: usize) -> Result<Vec<Step>, DeskError> {
        if self.record.tree.node(node).is_none() {
            return Err(DeskError::new(format!("there is no move {node} in this game")));
        }
        let tree = &self.record.tree;
        let (old, new) = (tree.road(self.at), tree.road(node));
        let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let mut steps: Vec<_> = (common..old.len()).filter_map(|_| self.desk.undo()).collect();
        for &node in &new[common..] {
            steps.push(self.desk.play(tree.text(node), None)?);
        }
        self.at = node;
        Ok(steps)
    }

    /// Takes back and forgets so many moves.
    ///
    /// # Errors
    /// If somebody's time is over.
    pub(crate) fn undo(&mut self, plies: usize) -> Result<Vec<Step>, Refusal> {
        self.tick();
        if self.is_over() && self.desk.judge().is_none() {
            return Err(Refusal::of(Cause::Over, "somebody's time is over: no move is taken back"));
        }
        let road = self.record.tree.road(self.at);
        let kept = road.len().saturating_sub(plies);
        let Some(&first) = road.get(kept) else { return Ok(Vec::new()) };
        let node = if kept == 0 { START } else { road[kept - 1] };
        let steps = self.go(node)?;
        self.record.resigned = None;
        // As long as the move is there after which it ran: a flag that falls is judged by it.
        self.run_clock();
        self.record.tree.prune(first);
        Ok(steps)
    }

    /// Removes a move and what follows it; who stands there goes back to the move before.
    ///
    /// # Errors
    /// If there is no such node, or it is the start.
    pub(crate) fn prune(&mut self, node: usize) -> Result<(), DeskError> {
        let parent = match self.record.tree.node(node) {
            Some(found) if node != START => found.parent,
            _ => return Err(DeskError::new(format!("there is no move {node} to remove"))),
        };
        let goes = |tree: &Tree, at| tree.road(at).contains(&node);
        if goes(&self.record.tree, self.at) {
            self.go(parent)?;
        }
        // The clock runs after the move that was played last, wherever a page looks; it goes back only with that move, and
        // as long as it is there: a flag that falls is judged by it.
        if self.record.clock.as_ref().is_some_and(|clock| goes(&self.record.tree, clock.node)) {
            self.run_clock();
        }
        self.record.tree.prune(node);
        Ok(())
    }

    /// Says something about a move.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn comment(&mut self, node: usize, text: String) -> Result<(), DeskError> {
        let found = self.record.tree.node_mut(node);
        found.ok_or(DeskError::new(format!("there is no move {node} in this game")))?.comment = text;
        Ok(())
    }

    /// Somebody looks at it.
    pub(crate) fn resume(&mut self) {
        if let Some(clock) = &mut self.record.clock {
            clock.time.resume(Instant::now());
        }
    }

    /// A line from here on, as the chosen dialect writes it.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn labels(&self, line: &[String]) -> Result<Vec<String>, DeskError> {
        self.desk.line_written(line, self.record.dialect.as_deref())
    }

    /// Chooses the dialect of the labels.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn speak(&mut self, dialect: &str) -> Result<(), DeskError> {
        self.desk.moves(Some(dialect))?;
        self.record.dialect = Some(dialect.to_owned());
        Ok(())
    }

    /// Chooses the rule book by which it goes on.
    ///
    /// # Errors
    /// If the game has no such book.
    pub(crate) fn judge_by(&mut self, book: &str) -> Result<(), DeskError> {
        self.desk.choose(book)?;
        self.record.book = Some(book.to_owned());
        // Another book may end the game or let it go on where it stands, wherever a page looks.
        let (here, clock) = (self.at, self.record.clock.as_ref());
        let stood = clock.map(|clock| clock.node).filter(|&node| self.record.tree.node(node).is_some());
        self.go(stood.unwrap_or(here))?;
        self.run_clock();
        self.go(here)?;
        Ok(())
    }

    /// The tree with its labels.
    ///
    /// # Errors
    /// Never in a game that is whole.
    pub(crate) fn tree(&mut self) -> Result<Vec<NodeShape>, DeskError> {
        let here = self.at;
        let mut shapes = Vec::new();
        // The main line is walked first, so that the desk rarely turns back.
        let mut ahead = vec![START];
        while let Some(node) = ahead.pop() {
            let Some(inner) = self.record.tree.node(node).cloned() else { continue };
            let label = if node == START {
                String::new()
            } else {
                self.go(inner.parent)?;
                let label = self.desk.written(&inner.text, self.record.dialect.as_deref())?;
                inner
                    .nags
                    .iter()
                    .filter_map(|&nag| SIGNS.get(usize::from(nag)))
                    .fold(label, |label, sign| label + sign)
            };
            ahead.extend(inner.children.iter().rev());
            let best_label = match &inner.best {
                Some(best) => {
                    self.go(node)?;
                    self.desk.written(best, self.record.dialect.as_deref()).ok()
                }
                None => None,
            };
            shapes.push(NodeShape { node, inner, label, best_label });
        }
        self.go(here)?;
        shapes.sort_by_key(|shape| shape.node);
        Ok(shapes)
    }

    /// Who plays.
    pub(crate) fn shape(&self) -> GameShape {
        let dialects = self.desk.dialects();
        let usual = dialects.first().copied().unwrap_or_default();
        GameShape {
            id: self.id.clone(),
            game: self.desk.game(),
            person: self.record.person,
            level: self.record.level,
            resigned: self.record.resigned,
            dialect: self.record.dialect.clone().unwrap_or_else(|| usual.to_owned()),
            dialect_en: self.desk.look().dialect,
            dialect_zh: chinese::of(self.desk.game()).and_then(|names| names.dialect),
            dialects_en: dialects.iter().map(|&dialect| self.desk.look().dialect_name(dialect)).collect(),
            dialects_zh: dialects
                .iter()
                .map(|&dialect| {
                    chinese::of(self.desk.game()).map_or(dialect, |names| names.dialect_name(dialect))
                })
                .collect(),
            samples: samples(self.desk.game(), &dialects).unwrap_or_default(),
            dialects,
            book: self.record.book.clone().or(self.desk.books().first().map(|&book| book.to_owned())),
            books: self.desk.books().iter().map(|&book| BookShape::of(book)).collect(),
            start: self.record.start.clone(),
            first: self.first.0,
            number: self.first.1,
        }
    }

    /// The position here, and the clock as it stands just now.
    pub(crate) fn position(&self) -> PositionShape {
        let clock = self.record.clock.as_ref().map(|clock| clock.shape(Instant::now()));
        PositionShape { clock, ..PositionShape::of(self.desk(), self.record.dialect.as_deref()) }
    }

    /// Seats a person, or nobody. Whoever plays on after a time was over plays without a clock.
    ///
    /// # Errors
    /// If there is no such side or level.
    pub(crate) fn seat(&mut self, person: Option<usize>, strength: u32) -> Result<(), DeskError> {
        let before = self.record.person;
        (self.record.level, self.record.person) = (level(strength)?, side(person)?);
        self.tick();
        let flagged = self.record.clock.as_ref().is_some_and(|clock| clock.time.flagged().is_some());
        if flagged && person.is_some() {
            self.record.clock = None;
        }
        // Another level alone leaves the clock where it runs, wherever a page looks.
        if self.record.person != before {
            self.run_clock();
        }
        Ok(())
    }

    /// The person gives up.
    ///
    /// # Errors
    /// If nobody plays, or the game is over.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        let Some(person) = self.record.person else {
            return Err("nobody plays: there is nothing to resign".into());
        };
        self.tick();
        if self.is_over() {
            return Err(Refusal::over());
        }
        self.record.resigned = Some(person);
        self.run_clock();
        Ok(())
    }

    /// What the computer draws its moves by: every game has its own.
    pub(crate) fn seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.id.hash(&mut hasher);
        hasher.finish()
    }
}

/// The first move of a game as each dialect writes it: that tells people more than its name.
fn samples(game: &str, dialects: &[&str]) -> Result<Vec<String>, DeskError> {
    let desk = registry::open(game, None)?;
    let first = desk.moves(None)?.into_iter().next().unwrap_or_default();
    dialects.iter().map(|dialect| desk.written(&first, Some(dialect))).collect()
}

/// The steps as they are sent: none where there are so many that nobody would watch them.
pub(crate) fn shown(steps: &[Step]) -> Option<Vec<StepShape>> {
    (steps.len() <= SHOWN_STEPS).then(|| steps.iter().map(StepShape::from).collect())
}

/// A side by its number, if one is given.
///
/// # Errors
/// If there is no such side.
pub(crate) fn side(side: Option<usize>) -> Result<Option<usize>, DeskError> {
    match side {
        Some(side) if side > 1 => Err(DeskError::new(format!("there is no side {side}: sides are 0 and 1"))),
        side => Ok(side),
    }
}

/// A level of the computer.
///
/// # Errors
/// If there is no such level.
pub(crate) fn level(level: u32) -> Result<u32, DeskError> {
    match level {
        1..=LEVELS => Ok(level),
        _ => Err(DeskError::new(format!("there is no level {level}: levels are 1 to {LEVELS}"))),
    }
}

#[cfg(test)]
mod tests;
