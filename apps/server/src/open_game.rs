//! A game as it is played and kept: a desk, the tree of all that was tried, and where in it the desk stands.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::TimeBudget;
use alfil_session::appearance::chinese;
use alfil_session::{GameSession, MoveResult, SKILL_LEVELS, SessionError, registry};
use serde::{Deserialize, Serialize};

use crate::request_error::{ErrorCode, RequestError};
use crate::store::Store;
use crate::text_tree::{NodeDto, ROOT, TextTree};
use crate::tree_clock::TreeClock;
use crate::wire::{GameDto, MoveResultDto, NewGame, PositionDto, RulesetDto};

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredGame {
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
    pub(crate) clock: Option<TreeClock>,
    /// What a file said about the game as a whole: names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<(String, String)>,
    /// The moves.
    pub(crate) tree: TextTree,
}

/// The strength of the computer where nobody has chosen one.
pub(crate) const DEFAULT_LEVEL: u32 = 3;
/// More steps than this are not shown one by one.
const MAX_SHOWN_STEPS: usize = 4;

/// The glyphs that people write as signs behind a move, by their numbers in PGN.
const NAG_SIGNS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// A game on a desk.
pub(crate) struct OpenGame {
    /// By which it is opened again.
    pub(crate) id: String,
    /// How often it was saved.
    pub(crate) revision: i64,
    /// What is kept of it.
    pub(crate) stored: StoredGame,
    session: Box<dyn GameSession>,
    current_node: usize,
    /// Whether a flag fell and nobody was told.
    has_unreported_flag: bool,
    /// Who begins, and the number of the first move.
    first_move: (usize, u32),
}

impl OpenGame {
    /// A game that begins, with moves that were played elsewhere: there it may have gone on where it could have ended.
    ///
    /// # Errors
    /// If there is no such game, its position cannot be played, or one of its moves; if a complaint that is to be let pass
    /// does not exist, or side, level or clock.
    pub(crate) fn new(id: String, new: NewGame) -> Result<OpenGame, RequestError> {
        let start = new.fen.unwrap_or_else(|| "startpos".into());
        let clock = new.clock.map(TreeClock::new).transpose()?;
        if clock.is_some() && new.person.is_none() {
            return Err("a clock is for a game that somebody plays".into());
        }
        let record = StoredGame {
            game: new.game,
            start,
            person: validate_side(new.person)?,
            level: validate_level(new.level.unwrap_or(DEFAULT_LEVEL))?,
            resigned: None,
            dialect: None,
            book: new.book,
            clock,
            tags: Vec::new(),
            tree: TextTree::default(),
        };
        let waivers = if new.waive.is_empty() { Waivers::None } else { Waivers::Named(new.waive) };
        let mut game = OpenGame::from_stored(id, 0, record, &waivers)?;
        for text in &new.moves {
            game.apply_move(text, None)?;
        }
        game.run_clock();
        Ok(game)
    }

    /// A game that somebody else has recorded, at its end.
    ///
    /// # Errors
    /// If its position cannot be played, or one of its moves.
    pub(crate) fn from_record(id: String, record: StoredGame) -> Result<OpenGame, SessionError> {
        let mut game = OpenGame::from_stored(id, 0, record, &Waivers::None)?;
        game.go_to(game.stored.tree.line_end(ROOT))?;
        Ok(game)
    }

    /// A game that was kept, at its end. Its position was accepted once: it is not complained about again.
    ///
    /// # Errors
    /// If what was kept cannot be played.
    pub(crate) fn from_saved(
        id: String,
        revision: i64,
        record: StoredGame,
    ) -> Result<OpenGame, SessionError> {
        if !record.tree.is_valid() {
            return Err(SessionError::new(format!("the game {id} was not kept whole")));
        }
        let mut game = OpenGame::from_stored(id, revision, record, &Waivers::All)?;
        game.go_to(game.stored.tree.line_end(ROOT))?;
        game.resume();
        Ok(game)
    }

    fn from_stored(
        id: String,
        revision: i64,
        record: StoredGame,
        waivers: &Waivers,
    ) -> Result<OpenGame, SessionError> {
        let mut desk = registry::open(&record.game, None)?;
        if let Waivers::Named(names) = waivers {
            let all = desk.waivable_issues();
            if let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) {
                let words = format!(
                    "no complaint that can be let pass is called {unknown:?}, only {}",
                    all.join(", ")
                );
                return Err(SessionError::new(words));
            }
        }
        if let Some(book) = &record.book {
            desk.set_ruleset(book)?;
        }
        desk.open(&record.start, waivers)?;
        let view = desk.view();
        Ok(OpenGame {
            id,
            revision,
            stored: record,
            session: desk,
            current_node: ROOT,
            has_unreported_flag: false,
            first_move: (view.side_to_move.index(), view.fullmove_number),
        })
    }

    /// As a game that was never kept, after it was thrown away.
    pub(crate) fn assign_new_id(&mut self) {
        (self.id, self.revision) = (Store::new_id(), 0);
    }

    /// The desk.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Where in the tree the desk stands.
    pub(crate) fn current_node(&self) -> usize {
        self.current_node
    }

    /// Whether there is nothing worth keeping yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.stored.tree.has_no_moves() && self.stored.start == "startpos" && self.stored.clock.is_none()
    }

    /// Whether nothing more is played: by the rules, or because somebody's time is over. In analysis nobody's time counts.
    pub(crate) fn is_over(&self) -> bool {
        self.flag_outcome().is_some() || self.session.game_end().is_some()
    }

    /// Whose time runs here: of the side to move in a game that was begun and is not over.
    fn side_on_clock(&self) -> Option<Side> {
        let played =
            self.stored.person.is_some() && self.stored.resigned.is_none() && self.current_node != ROOT;
        (played && !self.is_over()).then(|| self.session.view().side_to_move)
    }

    fn run_clock(&mut self) {
        self.tick();
        let (side, node) = (self.side_on_clock(), self.current_node);
        if let Some(clock) = &mut self.stored.clock {
            clock.run(side, node, Instant::now());
        }
    }

    /// The computer's time runs only while it thinks: wherever a page looks meanwhile, nobody loses by it. Whether a flag
    /// fell and nobody was told.
    pub(crate) fn update_clock(&mut self, thinking: bool) -> bool {
        self.tick();
        let (person, now) = (self.stored.person, Instant::now());
        let Some(clock) = &mut self.stored.clock else { return self.has_unreported_flag };
        match clock.game_clock.running() {
            Some(side) if Some(side.index()) == person || thinking => clock.game_clock.resume(now),
            _ => {
                clock.game_clock.pause(now);
            }
        }
        self.has_unreported_flag
    }

    /// Whether a flag fell since this was asked last: whoever asks tells it. A fall is seen by whatever looks at the clock
    /// first, which may be a deed that is then refused, so it is remembered until here.
    pub(crate) fn take_unreported_flag(&mut self) -> bool {
        self.tick();
        std::mem::take(&mut self.has_unreported_flag)
    }

    /// How long until somebody's time is over, if it runs.
    pub(crate) fn time_to_flag(&self) -> Option<Duration> {
        self.stored.clock.as_ref()?.game_clock.time_to_flag(Instant::now())
    }

    /// How much of its time the side to move may spend on this move.
    pub(crate) fn time_budget(&self) -> Option<TimeBudget> {
        self.stored.clock.as_ref()?.game_clock.time_budget(Instant::now())
    }

    /// Takes off the time that was used.
    fn tick(&mut self) {
        let Some(clock) = &mut self.stored.clock else { return };
        let Some(late) = clock.game_clock.tick(Instant::now()) else { return };
        self.has_unreported_flag = true;
        // What the fall means is seen where the game stands, wherever a page looks.
        let (here, node) = (self.current_node, clock.node);
        let drawn = self.go_to(node).is_ok() && self.session.flag_outcome(late) == Outcome::Draw;
        let _ = self.go_to(here);
        if let Some(clock) = &mut self.stored.clock {
            clock.drawn = drawn;
        }
    }

    /// How the fall of a flag ended the game, if one did.
    pub(crate) fn flag_outcome(&self) -> Option<Outcome> {
        let clock = self.stored.clock.as_ref().filter(|_| self.stored.person.is_some())?;
        let late = clock.game_clock.flagged()?;
        Some(if clock.drawn { Outcome::Draw } else { Outcome::loss(late) })
    }

    /// Nobody looks any more; whether time was used that has to be kept.
    pub(crate) fn pause(&mut self) -> bool {
        self.tick();
        let ran = self.stored.clock.as_mut().is_some_and(|clock| clock.game_clock.pause(Instant::now()));
        // A clock whose flag has just fallen stands already.
        ran || self.has_unreported_flag
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub(crate) fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, RequestError> {
        self.tick();
        if self.is_over() {
            return Err(RequestError::game_over());
        }
        let mover = self.session.view().side_to_move;
        let step = self.apply_move(text, dialect)?;
        self.stored.resigned = None;
        let (next, node) = (self.side_on_clock(), self.current_node);
        if let Some(clock) = &mut self.stored.clock {
            clock.after_move(mover, next, node, Instant::now());
        }
        Ok(step)
    }

    /// A move on the desk and in the tree, whatever a judge would say.
    fn apply_move(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError> {
        let step = self.session.play(text, dialect)?;
        self.current_node = self.stored.tree.add_move(self.current_node, &step.text);
        Ok(step)
    }

    /// Plays several moves; if one cannot be played, none is.
    ///
    /// # Errors
    /// See [`Game::play`].
    pub(crate) fn play_all(&mut self, moves: &[String]) -> Result<Vec<MoveResult>, RequestError> {
        let (from, record) = (self.current_node, self.stored.clone());
        let steps: Result<Vec<_>, _> = moves.iter().map(|text| self.play(text, None)).collect();
        if steps.is_err() {
            self.go_to(from)?;
            self.stored = record;
        }
        steps
    }

    /// Stands elsewhere; the steps on the way, in their order.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn go_to(&mut self, node: usize) -> Result<Vec<MoveResult>, SessionError> {
        if self.stored.tree.node(node).is_none() {
            return Err(SessionError::new(format!("there is no move {node} in this game")));
        }
        let tree = &self.stored.tree;
        let (old, new) = (tree.path(self.current_node), tree.path(node));
        let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let mut steps: Vec<_> = (common..old.len()).filter_map(|_| self.session.undo()).collect();
        for &node in &new[common..] {
            steps.push(self.session.play(tree.move_text(node), None)?);
        }
        self.current_node = node;
        Ok(steps)
    }

    /// Takes back and forgets so many moves.
    ///
    /// # Errors
    /// If somebody's time is over.
    pub(crate) fn undo(&mut self, plies: usize) -> Result<Vec<MoveResult>, RequestError> {
        self.tick();
        if self.is_over() && self.session.game_end().is_none() {
            return Err(RequestError::new(ErrorCode::Over, "somebody's time is over: no move is taken back"));
        }
        let road = self.stored.tree.path(self.current_node);
        let kept = road.len().saturating_sub(plies);
        let Some(&first) = road.get(kept) else { return Ok(Vec::new()) };
        let node = if kept == 0 { ROOT } else { road[kept - 1] };
        let steps = self.go_to(node)?;
        self.stored.resigned = None;
        // As long as the move is there after which it ran: a flag that falls is judged by it.
        self.run_clock();
        self.stored.tree.prune(first);
        Ok(steps)
    }

    /// Removes a move and what follows it; who stands there goes back to the move before.
    ///
    /// # Errors
    /// If there is no such node, or it is the start.
    pub(crate) fn prune(&mut self, node: usize) -> Result<(), SessionError> {
        let parent = match self.stored.tree.node(node) {
            Some(found) if node != ROOT => found.parent,
            _ => return Err(SessionError::new(format!("there is no move {node} to remove"))),
        };
        let goes = |tree: &TextTree, at| tree.path(at).contains(&node);
        if goes(&self.stored.tree, self.current_node) {
            self.go_to(parent)?;
        }
        // The clock runs after the move that was played last, wherever a page looks; it goes back only with that move, and
        // as long as it is there: a flag that falls is judged by it.
        if self.stored.clock.as_ref().is_some_and(|clock| goes(&self.stored.tree, clock.node)) {
            self.run_clock();
        }
        self.stored.tree.prune(node);
        Ok(())
    }

    /// Says something about a move.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn set_comment(&mut self, node: usize, text: String) -> Result<(), SessionError> {
        let found = self.stored.tree.node_mut(node);
        found.ok_or(SessionError::new(format!("there is no move {node} in this game")))?.comment = text;
        Ok(())
    }

    /// Somebody looks at it.
    pub(crate) fn resume(&mut self) {
        if let Some(clock) = &mut self.stored.clock {
            clock.game_clock.resume(Instant::now());
        }
    }

    /// A line from here on, as the chosen dialect writes it.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn format_line(&self, line: &[String]) -> Result<Vec<String>, SessionError> {
        self.session.format_line(line, self.stored.dialect.as_deref())
    }

    /// Chooses the dialect of the labels.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn set_dialect(&mut self, dialect: &str) -> Result<(), SessionError> {
        self.session.legal_moves(Some(dialect))?;
        self.stored.dialect = Some(dialect.to_owned());
        Ok(())
    }

    /// Chooses the rule book by which it goes on.
    ///
    /// # Errors
    /// If the game has no such book.
    pub(crate) fn set_ruleset(&mut self, book: &str) -> Result<(), SessionError> {
        self.session.set_ruleset(book)?;
        self.stored.book = Some(book.to_owned());
        // Another book may end the game or let it go on where it stands, wherever a page looks.
        let (here, clock) = (self.current_node, self.stored.clock.as_ref());
        let stood = clock.map(|clock| clock.node).filter(|&node| self.stored.tree.node(node).is_some());
        self.go_to(stood.unwrap_or(here))?;
        self.run_clock();
        self.go_to(here)?;
        Ok(())
    }

    /// The tree with its labels.
    ///
    /// # Errors
    /// Never in a game that is whole.
    pub(crate) fn tree_dto(&mut self) -> Result<Vec<NodeDto>, SessionError> {
        let here = self.current_node;
        let mut shapes = Vec::new();
        // The main line is walked first, so that the desk rarely turns back.
        let mut ahead = vec![ROOT];
        while let Some(node) = ahead.pop() {
            let Some(inner) = self.stored.tree.node(node).cloned() else { continue };
            let label = if node == ROOT {
                String::new()
            } else {
                self.go_to(inner.parent)?;
                let label = self.session.format_move(&inner.text, self.stored.dialect.as_deref())?;
                inner
                    .nags
                    .iter()
                    .filter_map(|&nag| NAG_SIGNS.get(usize::from(nag)))
                    .fold(label, |label, sign| label + sign)
            };
            ahead.extend(inner.children.iter().rev());
            let best_label = match &inner.best {
                Some(best) => {
                    self.go_to(node)?;
                    self.session.format_move(best, self.stored.dialect.as_deref()).ok()
                }
                None => None,
            };
            shapes.push(NodeDto { node, inner, label, best_label });
        }
        self.go_to(here)?;
        shapes.sort_by_key(|shape| shape.node);
        Ok(shapes)
    }

    /// Who plays.
    pub(crate) fn to_dto(&self) -> GameDto {
        let dialects = self.session.dialects();
        let usual = dialects.first().copied().unwrap_or_default();
        GameDto {
            id: self.id.clone(),
            game: self.session.game(),
            person: self.stored.person,
            level: self.stored.level,
            resigned: self.stored.resigned,
            dialect: self.stored.dialect.clone().unwrap_or_else(|| usual.to_owned()),
            dialect_en: self.session.appearance().english_dialect,
            dialect_zh: chinese::names_for_game(self.session.game()).and_then(|names| names.dialect),
            dialects_en: dialects
                .iter()
                .map(|&dialect| self.session.appearance().dialect_name(dialect))
                .collect(),
            dialects_zh: dialects
                .iter()
                .map(|&dialect| {
                    chinese::names_for_game(self.session.game())
                        .map_or(dialect, |names| names.dialect_name(dialect))
                })
                .collect(),
            samples: dialect_samples(self.session.game(), &dialects).unwrap_or_default(),
            dialects,
            book: self.stored.book.clone().or(self.session.rulesets().first().map(|&book| book.to_owned())),
            books: self.session.rulesets().iter().map(|&book| RulesetDto::from_name(book)).collect(),
            start: self.stored.start.clone(),
            first: self.first_move.0,
            number: self.first_move.1,
        }
    }

    /// The position here, and the clock as it stands just now.
    pub(crate) fn position_dto(&self) -> PositionDto {
        let clock = self.stored.clock.as_ref().map(|clock| clock.to_dto(Instant::now()));
        PositionDto { clock, ..PositionDto::from_session(self.session(), self.stored.dialect.as_deref()) }
    }

    /// Seats a person, or nobody. Whoever plays on after a time was over plays without a clock.
    ///
    /// # Errors
    /// If there is no such side or level.
    pub(crate) fn set_player(&mut self, person: Option<usize>, strength: u32) -> Result<(), SessionError> {
        let before = self.stored.person;
        (self.stored.level, self.stored.person) = (validate_level(strength)?, validate_side(person)?);
        self.tick();
        let flagged = self.stored.clock.as_ref().is_some_and(|clock| clock.game_clock.flagged().is_some());
        if flagged && person.is_some() {
            self.stored.clock = None;
        }
        // Another level alone leaves the clock where it runs, wherever a page looks.
        if self.stored.person != before {
            self.run_clock();
        }
        Ok(())
    }

    /// The person gives up.
    ///
    /// # Errors
    /// If nobody plays, or the game is over.
    pub(crate) fn resign(&mut self) -> Result<(), RequestError> {
        let Some(person) = self.stored.person else {
            return Err("nobody plays: there is nothing to resign".into());
        };
        self.tick();
        if self.is_over() {
            return Err(RequestError::game_over());
        }
        self.stored.resigned = Some(person);
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
fn dialect_samples(game: &str, dialects: &[&str]) -> Result<Vec<String>, SessionError> {
    let desk = registry::open(game, None)?;
    let first = desk.legal_moves(None)?.into_iter().next().unwrap_or_default();
    dialects.iter().map(|dialect| desk.format_move(&first, Some(dialect))).collect()
}

/// The steps as they are sent: none where there are so many that nobody would watch them.
pub(crate) fn shown_steps(steps: &[MoveResult]) -> Option<Vec<MoveResultDto>> {
    (steps.len() <= MAX_SHOWN_STEPS).then(|| steps.iter().map(MoveResultDto::from).collect())
}

/// A side by its number, if one is given.
///
/// # Errors
/// If there is no such side.
pub(crate) fn validate_side(side: Option<usize>) -> Result<Option<usize>, SessionError> {
    match side {
        Some(side) if side > 1 => {
            Err(SessionError::new(format!("there is no side {side}: sides are 0 and 1")))
        }
        side => Ok(side),
    }
}

/// A level of the computer.
///
/// # Errors
/// If there is no such level.
pub(crate) fn validate_level(level: u32) -> Result<u32, SessionError> {
    match level {
        1..=SKILL_LEVELS => Ok(level),
        _ => Err(SessionError::new(format!("there is no level {level}: levels are 1 to {SKILL_LEVELS}"))),
    }
}

#[cfg(test)]
mod tests;
