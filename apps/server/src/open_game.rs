//! An open game: its session, its stored form with all variations, and the current node.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::time::Duration;

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::TimeBudget;
use alfil_session::game_clock::TimeControl;
use alfil_session::{GameSession, MoveResult, OpeningNames, SKILL_LEVELS, SessionError, registry};

use crate::request_error::{ErrorCode, RequestError};
use crate::stored::{ROOT, StoredGame, TextTree, TreeClock, validate_side};
use crate::wire::{ClockDto, GameDto, MoveResultDto, NewGame, NodeDto, PositionDto, RulesetDto};

/// The skill level, if the page gives none.
pub(crate) const DEFAULT_LEVEL: u32 = 3;
/// The maximal number of moves that are animated one by one.
const MAX_SHOWN_STEPS: usize = 4;

/// The signs of NAGs that are shown behind a move, by NAG number.
const NAG_SIGNS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// A game that is open in a session.
pub(crate) struct OpenGame {
    /// The id under which the game is saved.
    pub(crate) id: String,
    /// The number of times the game was saved.
    pub(crate) revision: i64,
    /// The stored form.
    pub(crate) stored: StoredGame,
    session: Box<dyn GameSession>,
    current_node: usize,
    /// Whether a flag has fallen that was not reported to the page.
    has_unreported_flag: bool,
    /// The side and the number of the first move.
    first_move: (usize, u32),
}

impl OpenGame {
    /// Creates a game and plays its moves, even beyond a position in which the game could have ended.
    ///
    /// # Errors
    /// If game, position, moves, side, level or clock are invalid, or a waived issue does not exist.
    pub(crate) fn new(id: String, new: NewGame) -> Result<OpenGame, RequestError> {
        let start = new.fen.unwrap_or_else(|| "startpos".into());
        let clock = new.clock.map(TimeControl::try_from).transpose()?.map(TreeClock::new);
        if clock.is_some() && new.person.is_none() {
            return Err("a clock needs a player: choose a side".into());
        }
        let stored = StoredGame {
            game: new.game,
            start,
            person: validate_side(new.person)?,
            level: validate_level(new.level.unwrap_or(DEFAULT_LEVEL))?,
            resigned: None,
            dialect: None,
            ruleset: new.book,
            clock,
            tags: Vec::new(),
            tree: TextTree::default(),
        };
        let waivers = if new.waive.is_empty() { Waivers::None } else { Waivers::Named(new.waive) };
        let mut game = OpenGame::from_stored(id, 0, stored, &waivers)?;
        for text in &new.moves {
            game.apply_move(text, None)?;
        }
        game.run_clock();
        Ok(game)
    }

    /// Creates an imported game, at the end of its main line.
    ///
    /// # Errors
    /// If the position or a move is invalid.
    pub(crate) fn from_record(id: String, stored: StoredGame) -> Result<OpenGame, SessionError> {
        let mut game = OpenGame::from_stored(id, 0, stored, &Waivers::None)?;
        game.go_to(game.stored.tree.line_end(ROOT))?;
        Ok(game)
    }

    /// Opens a saved game, at the end of its main line. The issues of its position are waived.
    ///
    /// # Errors
    /// If the stored game cannot be replayed.
    pub(crate) fn from_saved(
        id: String,
        revision: i64,
        stored: StoredGame,
    ) -> Result<OpenGame, SessionError> {
        if !stored.tree.is_valid() {
            return Err(SessionError::new(format!("the saved game {id} is damaged")));
        }
        let mut game = OpenGame::from_stored(id, revision, stored, &Waivers::All)?;
        game.go_to(game.stored.tree.line_end(ROOT))?;
        game.resume();
        Ok(game)
    }

    fn from_stored(
        id: String,
        revision: i64,
        stored: StoredGame,
        waivers: &Waivers,
    ) -> Result<OpenGame, SessionError> {
        let mut session = registry::open(&stored.game, None)?;
        if let Waivers::Named(names) = waivers {
            let waivable = session.waivable_issues();
            if let Some(unknown) = names.iter().find(|name| !waivable.contains(&name.as_str())) {
                let message =
                    format!("there is no waivable issue {unknown:?}; use one of {}", waivable.join(", "));
                return Err(SessionError::new(message));
            }
        }
        if let Some(ruleset) = &stored.ruleset {
            session.set_ruleset(ruleset)?;
        }
        session.open(&stored.start, waivers)?;
        let view = session.view();
        Ok(OpenGame {
            id,
            revision,
            stored,
            session,
            current_node: ROOT,
            has_unreported_flag: false,
            first_move: (view.side_to_move.index(), view.fullmove_number),
        })
    }

    /// Assigns a new id to a deleted game, so that it can be saved again.
    pub(crate) fn assign_new_id(&mut self) {
        (self.id, self.revision) = (new_id(), 0);
    }

    /// Returns the session.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Returns the current node of the tree.
    pub(crate) fn current_node(&self) -> usize {
        self.current_node
    }

    /// Returns whether there is nothing to save yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.stored.tree.has_no_moves() && self.stored.start == "startpos" && self.stored.clock.is_none()
    }

    /// Returns whether the game is over by the rules or by time. Analysis ignores the clock.
    pub(crate) fn is_over(&self) -> bool {
        self.flag_outcome().is_some() || self.session.game_end().is_some()
    }

    /// Returns the side whose clock runs: the side to move, if a move was played and the game is not over.
    fn side_on_clock(&self) -> Option<Side> {
        let played =
            self.stored.person.is_some() && self.stored.resigned.is_none() && self.current_node != ROOT;
        (played && !self.is_over()).then(|| self.session.view().side_to_move)
    }

    fn run_clock(&mut self) {
        self.tick();
        let (side, node) = (self.side_on_clock(), self.current_node);
        if let Some(clock) = &mut self.stored.clock {
            clock.run(side, node, alfil_engine::now());
        }
    }

    /// Pauses the computer's clock unless it searches, whatever position the page shows. Returns whether a flag has
    /// fallen that was not reported yet.
    pub(crate) fn update_clock(&mut self, thinking: bool) -> bool {
        self.tick();
        let (person, now) = (self.stored.person, alfil_engine::now());
        let Some(clock) = &mut self.stored.clock else { return self.has_unreported_flag };
        match clock.game_clock.running() {
            Some(side) if Some(side.index()) == person || thinking => clock.game_clock.resume(now),
            _ => {
                clock.game_clock.pause(now);
            }
        }
        self.has_unreported_flag
    }

    /// Returns whether a flag has fallen that was not reported yet, and marks it as reported. A fall may be noticed
    /// during a request that is then rejected, so it is remembered until it is reported.
    pub(crate) fn take_unreported_flag(&mut self) -> bool {
        self.tick();
        std::mem::take(&mut self.has_unreported_flag)
    }

    /// Returns the time until the running clock's flag falls.
    pub(crate) fn time_to_flag(&self) -> Option<Duration> {
        self.stored.clock.as_ref()?.game_clock.time_to_flag(alfil_engine::now())
    }

    /// Returns the time budget of the side to move.
    pub(crate) fn time_budget(&self) -> Option<TimeBudget> {
        self.stored.clock.as_ref()?.game_clock.time_budget(alfil_engine::now())
    }

    /// Updates the clock.
    fn tick(&mut self) {
        let Some(clock) = &mut self.stored.clock else { return };
        let Some(flagged) = clock.game_clock.tick(alfil_engine::now()) else { return };
        self.has_unreported_flag = true;
        // The position at the clock's node decides whether the opponent can win.
        let (current_node, node) = (self.current_node, clock.node);
        let drawn = self.go_to(node).is_ok() && self.session.flag_outcome(flagged) == Outcome::Draw;
        let _ = self.go_to(current_node);
        if let Some(clock) = &mut self.stored.clock {
            clock.drawn = drawn;
        }
    }

    /// Returns the outcome of a flag fall.
    pub(crate) fn flag_outcome(&self) -> Option<Outcome> {
        let clock = self.stored.clock.as_ref().filter(|_| self.stored.person.is_some())?;
        let flagged = clock.game_clock.flagged()?;
        Some(if clock.drawn { Outcome::Draw } else { Outcome::loss(flagged) })
    }

    /// Pauses the clock; returns whether it has to be saved.
    pub(crate) fn pause(&mut self) -> bool {
        self.tick();
        let clock_ran =
            self.stored.clock.as_mut().is_some_and(|clock| clock.game_clock.pause(alfil_engine::now()));
        // After a flag fall the clock does not run any more.
        clock_ran || self.has_unreported_flag
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is illegal or the game is over.
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
            clock.after_move(mover, next, node, alfil_engine::now());
        }
        Ok(step)
    }

    /// Plays a move in the session and in the tree, even if the game is over.
    fn apply_move(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError> {
        let step = self.session.play(text, dialect)?;
        self.current_node = self.stored.tree.add_move(self.current_node, &step.text);
        Ok(step)
    }

    /// Plays several moves, or none if one of them cannot be played.
    ///
    /// # Errors
    /// See [`OpenGame::play`].
    pub(crate) fn play_all(&mut self, moves: &[String]) -> Result<Vec<MoveResult>, RequestError> {
        let (from, stored) = (self.current_node, self.stored.clone());
        let steps: Result<Vec<_>, _> = moves.iter().map(|text| self.play(text, None)).collect();
        if steps.is_err() {
            self.go_to(from)?;
            self.stored = stored;
        }
        steps
    }

    /// Goes to a node; returns the moves that were undone and played on the way.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn go_to(&mut self, node: usize) -> Result<Vec<MoveResult>, SessionError> {
        if self.stored.tree.node(node).is_none() {
            return Err(SessionError::new(format!("this game has no move {node}")));
        }
        let tree = &self.stored.tree;
        let (old_path, new) = (tree.path(self.current_node), tree.path(node));
        let common = old_path.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let mut steps: Vec<_> = (common..old_path.len()).filter_map(|_| self.session.undo()).collect();
        for &node in &new[common..] {
            steps.push(self.session.play(tree.move_text(node), None)?);
        }
        self.current_node = node;
        Ok(steps)
    }

    /// Takes back moves and deletes them.
    ///
    /// # Errors
    /// If a flag has fallen.
    pub(crate) fn undo(&mut self, plies: usize) -> Result<Vec<MoveResult>, RequestError> {
        self.tick();
        if self.is_over() && self.session.game_end().is_none() {
            return Err(RequestError::new(
                ErrorCode::Over,
                "a player has run out of time: moves cannot be taken back",
            ));
        }
        let path = self.stored.tree.path(self.current_node);
        let kept_count = path.len().saturating_sub(plies);
        let Some(&first) = path.get(kept_count) else { return Ok(Vec::new()) };
        let node = if kept_count == 0 { ROOT } else { path[kept_count - 1] };
        let steps = self.go_to(node)?;
        self.stored.resigned = None;
        // Before the move is deleted, because a flag fall is judged at the clock's node.
        self.run_clock();
        self.stored.tree.prune(first);
        Ok(steps)
    }

    /// Removes a move with its descendants; a position among them is left for the move before.
    ///
    /// # Errors
    /// If there is no such node, or it is the root.
    pub(crate) fn prune(&mut self, node: usize) -> Result<(), SessionError> {
        let parent = match self.stored.tree.node(node) {
            Some(found) if node != ROOT => found.parent,
            _ => {
                return Err(SessionError::new(format!(
                    "cannot remove move {node}: this game has no such move"
                )));
            }
        };
        let is_removed = |tree: &TextTree, at| tree.path(at).contains(&node);
        if is_removed(&self.stored.tree, self.current_node) {
            self.go_to(parent)?;
        }
        // The clock belongs to the move that was played last. It is reset if that move is removed, and before it is
        // removed, because a flag fall is judged at the clock's node.
        if self.stored.clock.as_ref().is_some_and(|clock| is_removed(&self.stored.tree, clock.node)) {
            self.run_clock();
        }
        self.stored.tree.prune(node);
        Ok(())
    }

    /// Sets the comment on a move.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn set_comment(&mut self, node: usize, text: String) -> Result<(), SessionError> {
        let found = self.stored.tree.node_mut(node);
        found.ok_or(SessionError::new(format!("this game has no move {node}")))?.comment = text;
        Ok(())
    }

    /// Resumes the clock.
    pub(crate) fn resume(&mut self) {
        if let Some(clock) = &mut self.stored.clock {
            clock.game_clock.resume(alfil_engine::now());
        }
    }

    /// Formats a line from the current position in the chosen dialect.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn format_line(&self, line: &[String]) -> Result<Vec<String>, SessionError> {
        self.session.format_line(line, self.stored.dialect.as_deref())
    }

    /// Sets the dialect of the labels.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub(crate) fn set_dialect(&mut self, dialect: &str) -> Result<(), SessionError> {
        self.session.legal_moves(Some(dialect))?;
        self.stored.dialect = Some(dialect.to_owned());
        Ok(())
    }

    /// Sets the ruleset.
    ///
    /// # Errors
    /// If the game has no such ruleset.
    pub(crate) fn set_ruleset(&mut self, ruleset: &str) -> Result<(), SessionError> {
        self.session.set_ruleset(ruleset)?;
        self.stored.ruleset = Some(ruleset.to_owned());
        // Under another ruleset the game may be over at the clock's node, or not over any more.
        let (current_node, clock) = (self.current_node, self.stored.clock.as_ref());
        let clock_node = clock.map(|clock| clock.node).filter(|&node| self.stored.tree.node(node).is_some());
        self.go_to(clock_node.unwrap_or(current_node))?;
        self.run_clock();
        self.go_to(current_node)?;
        Ok(())
    }

    /// Returns the tree with its labels.
    ///
    /// # Errors
    /// Never in a valid game.
    pub(crate) fn tree_dto(&mut self) -> Result<Vec<NodeDto>, SessionError> {
        let current_node = self.current_node;
        let mut dtos = Vec::new();
        // Depth first, main line first, so that the session undoes few moves.
        let mut pending = vec![ROOT];
        while let Some(node) = pending.pop() {
            let Some(text_node) = self.stored.tree.node(node).cloned() else { continue };
            let label = if node == ROOT {
                String::new()
            } else {
                self.go_to(text_node.parent)?;
                let label = self.session.format_move(&text_node.text, self.stored.dialect.as_deref())?;
                text_node
                    .nags
                    .iter()
                    .filter_map(|&nag| NAG_SIGNS.get(usize::from(nag)))
                    .fold(label, |label, sign| label + sign)
            };
            pending.extend(text_node.children.iter().rev());
            let best_label = match &text_node.best {
                Some(best) => {
                    self.go_to(node)?;
                    self.session.format_move(best, self.stored.dialect.as_deref()).ok()
                }
                None => None,
            };
            dtos.push(NodeDto::new(node, text_node, label, best_label));
        }
        self.go_to(current_node)?;
        dtos.sort_by_key(|dto| dto.node);
        Ok(dtos)
    }

    /// Returns the game as the page gets it.
    pub(crate) fn to_dto(&self) -> GameDto {
        let dialects = self.session.dialects();
        let default_dialect = dialects.first().copied().unwrap_or_default();
        GameDto {
            id: self.id.clone(),
            game: self.session.game(),
            person: self.stored.person,
            level: self.stored.level,
            resigned: self.stored.resigned,
            dialect: self.stored.dialect.clone().unwrap_or_else(|| default_dialect.to_owned()),
            dialect_en: self.session.appearance().english_dialect,
            dialect_zh: self.session.info().names_zh.dialect,
            dialects_en: dialects
                .iter()
                .map(|&dialect| self.session.appearance().dialect_name(dialect))
                .collect(),
            dialects_zh: dialects
                .iter()
                .map(|&dialect| self.session.info().names_zh.dialect_name(dialect))
                .collect(),
            samples: dialect_samples(self.session.game(), &dialects).unwrap_or_default(),
            dialects,
            book: self.stored.ruleset.clone().or(self
                .session
                .rulesets()
                .first()
                .map(|&ruleset| ruleset.to_owned())),
            books: self.session.info().rulesets.iter().map(RulesetDto::from_info).collect(),
            start: self.stored.start.clone(),
            first: self.first_move.0,
            number: self.first_move.1,
        }
    }

    /// Returns the current position with the clock.
    pub(crate) fn position_dto(&self, openings: &OpeningNames) -> PositionDto {
        let clock = self.stored.clock.as_ref().map(|clock| ClockDto::new(clock, alfil_engine::now()));
        let dialect = self.stored.dialect.as_deref();
        PositionDto { clock, ..PositionDto::from_session(self.session(), dialect, openings) }
    }

    /// Sets the person's side and the skill level. A person who continues after a flag fall plays without a clock.
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
        // The level alone does not affect the clock.
        if self.stored.person != before {
            self.run_clock();
        }
        Ok(())
    }

    /// Resigns for the person.
    ///
    /// # Errors
    /// If there is no person, or the game is over.
    pub(crate) fn resign(&mut self) -> Result<(), RequestError> {
        let Some(person) = self.stored.person else {
            return Err("cannot resign: no side is played by a person".into());
        };
        self.tick();
        if self.is_over() {
            return Err(RequestError::game_over());
        }
        self.stored.resigned = Some(person);
        self.run_clock();
        Ok(())
    }

    /// Returns the seed of the computer's random choices, which depends on the game.
    pub(crate) fn seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.id.hash(&mut hasher);
        hasher.finish()
    }
}

/// Returns a new game id.
pub(crate) fn new_id() -> String {
    // The hasher has random keys.
    format!("{:012x}", RandomState::new().build_hasher().finish() >> 16)
}

/// Returns the first legal move of a game in each dialect, as examples of the notations.
fn dialect_samples(game: &str, dialects: &[&str]) -> Result<Vec<String>, SessionError> {
    let session = registry::open(game, None)?;
    let first = session.legal_moves(None)?.into_iter().next().unwrap_or_default();
    dialects.iter().map(|dialect| session.format_move(&first, Some(dialect))).collect()
}

/// Returns the moves to animate, or `None` if there are too many.
pub(crate) fn shown_steps(steps: &[MoveResult]) -> Option<Vec<MoveResultDto>> {
    (steps.len() <= MAX_SHOWN_STEPS).then(|| steps.iter().map(MoveResultDto::from).collect())
}

/// Checks a skill level.
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
