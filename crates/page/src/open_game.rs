//! An open game: a played game with the id under which it is saved, and the messages about it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use alfil_kernel::{Side, Waivers};
use alfil_session::game_clock::TimeControl;
use alfil_session::played_game::{
    Computer, DEFAULT_LEVEL, EditHistory, EditedTree, GameRecord, PlayError, PlayedGame, ROOT, TreeClock,
    validate_level, validate_players,
};
use alfil_session::{GameSession, MoveResult, OpeningNames, SessionError, registry};

use crate::opponents::requested_players;
use crate::request_error::RequestError;
use crate::tag_summary::TagSummary;
use crate::wire::{
    ClockDto, GameDto, MaterialDto, MoveResultDto, NewGame, NodeDto, PositionDto, RulesetDto, TreePositionDto,
};

/// The maximal number of moves that are animated one by one.
const MAX_SHOWN_STEPS: usize = 4;

/// A game that is open in a session.
///
/// ```
/// use alfil_page::OpenGame;
/// use alfil_page::wire::NewGame;
///
/// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into(), "e7e5".into()], ..NewGame::default() };
/// let game = OpenGame::new("a0".into(), new).unwrap();
/// assert_eq!((game.revision, game.record().main_line_plies()), (0, 2));
/// let wrong = NewGame { game: "go".into(), ..NewGame::default() };
/// assert!(OpenGame::new("a1".into(), wrong).is_err());
/// ```
pub struct OpenGame {
    /// The id under which the game is saved.
    pub id: String,
    /// The number of times the game was saved.
    pub revision: i64,
    /// The generation of the store in which the game was saved last, or from which it was loaded.
    pub store_generation: u64,
    /// The game.
    pub played: PlayedGame,
    /// The nodes that were changed since the game was saved.
    unsaved: BTreeSet<usize>,
    /// The nodes that were changed since they were sent to the page.
    unsent: BTreeSet<usize>,
}

impl OpenGame {
    /// Creates a game and plays its moves, even beyond a position in which the game could have ended.
    ///
    /// # Errors
    /// If game, position, moves, side, level or clock are invalid, or a waived issue does not exist.
    pub fn new(id: String, new: NewGame) -> Result<OpenGame, RequestError> {
        let clock = new.clock.map(TimeControl::try_from).transpose()?.map(TreeClock::new);
        if clock.is_some() && new.person.is_none() && !new.two_people {
            return Err("a clock needs a player: choose a side".into());
        }
        let level = validate_level(new.level.unwrap_or(DEFAULT_LEVEL))?;
        let computer = Computer { level, engine: new.engine.clone() };
        let players = requested_players(new.person, new.two_people, new.levels, computer)?;
        validate_players(&players)?;
        let record = GameRecord {
            start: new.fen.unwrap_or_else(|| "startpos".into()),
            players,
            level,
            engine: new.engine,
            ruleset: new.ruleset,
            clock,
            ..GameRecord::new(new.game)
        };
        let waivers = registry::open(&record.game, None)?.parse_waivers(&new.waive)?;
        let mut played = PlayedGame::open(record, &waivers)?;
        played.play_opening(new.moves)?;
        Ok(OpenGame::with_game(id, 0, played))
    }

    /// Creates an imported game, at the end of its main line. The issues of its position are waived.
    ///
    /// # Errors
    /// If the position or a move is invalid.
    pub(crate) fn from_record(id: String, record: GameRecord) -> Result<OpenGame, SessionError> {
        OpenGame::at_line_end(id, 0, record)
    }

    /// Opens a saved game, at the end of its main line. The issues of its position are waived, and its clock runs from
    /// `now`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_page::OpenGame;
    /// use alfil_session::played_game::{GameRecord, ROOT};
    ///
    /// let mut record = GameRecord::new("chess");
    /// let first = record.tree.add_move(ROOT, "e2e4");
    /// record.tree.add_move(first, "e7e5");
    /// let game = OpenGame::from_saved("a0".into(), 3, record, Duration::ZERO)?;
    /// assert_eq!((game.revision, game.played.current_node()), (3, 2));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// If the saved game cannot be replayed.
    pub fn from_saved(
        id: String,
        revision: i64,
        record: GameRecord,
        now: Duration,
    ) -> Result<OpenGame, SessionError> {
        let mut game = OpenGame::at_line_end(id, revision, record)?;
        game.played.resume(now);
        Ok(game)
    }

    fn at_line_end(id: String, revision: i64, record: GameRecord) -> Result<OpenGame, SessionError> {
        let line_end = record.tree.line_end(ROOT);
        let mut played = PlayedGame::open(record, &Waivers::All)?;
        played.go_to(line_end)?;
        Ok(OpenGame::with_game(id, revision, played))
    }

    fn with_game(id: String, revision: i64, mut played: PlayedGame) -> OpenGame {
        // A new game is saved and sent as a whole; a loaded one is saved as it is.
        played.take_changed_nodes();
        let (unsaved, unsent) = Default::default();
        OpenGame { id, revision, store_generation: 0, played, unsaved, unsent }
    }

    /// Takes over the changed nodes of the game.
    fn collect_changes(&mut self) {
        let changed = self.played.take_changed_nodes();
        self.unsaved.extend(&changed);
        self.unsent.extend(changed);
    }

    /// Returns the nodes that have to be saved: all of a game that was never saved, else the changed ones.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_page::OpenGame;
    /// use alfil_page::wire::NewGame;
    ///
    /// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into()], ..NewGame::default() };
    /// let mut game = OpenGame::new("a0".into(), new).unwrap();
    /// // All of a new game, then what has changed: the new move, and the node that it follows.
    /// assert_eq!(game.nodes_to_save(), [0, 1]);
    /// game.on_saved();
    /// game.played.play("e7e5", None, Duration::ZERO).unwrap();
    /// assert_eq!((game.nodes_to_save(), game.revision), (vec![1, 2], 1));
    /// ```
    pub fn nodes_to_save(&mut self) -> Vec<usize> {
        self.collect_changes();
        match self.revision {
            0 => self.all_nodes(),
            _ => self.unsaved.iter().copied().collect(),
        }
    }

    /// Returns all nodes, which are saved in a store that has nothing of the game.
    ///
    /// ```
    /// use alfil_page::OpenGame;
    /// use alfil_page::wire::NewGame;
    ///
    /// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into()], ..NewGame::default() };
    /// let mut game = OpenGame::new("a0".into(), new).unwrap();
    /// game.on_saved();
    /// assert_eq!((game.nodes_to_save().len(), game.all_nodes()), (0, vec![0, 1]));
    /// ```
    pub fn all_nodes(&self) -> Vec<usize> {
        self.tree().iter().map(|(number, _)| number).collect()
    }

    /// Notes that the game was saved.
    pub fn on_saved(&mut self) {
        self.revision += 1;
        self.unsaved.clear();
    }

    /// Takes over the scores and reviews that another window has saved, except those of positions that were searched
    /// here since. Returns false, and changes nothing, if the saved game differs in anything else.
    pub(crate) fn take_over_analysis(&mut self, saved: &mut OpenGame) -> bool {
        self.collect_changes();
        if saved.played.label_all().is_err() || !self.played.take_over_analysis(&saved.played, &self.unsaved)
        {
            return false;
        }
        self.unsent.extend(self.played.take_changed_nodes());
        (self.revision, self.store_generation) = (saved.revision, saved.store_generation);
        true
    }

    /// Assigns a new id to a deleted game, so that it can be saved again.
    pub fn assign_id(&mut self, id: String) {
        (self.id, self.revision) = (id, 0);
    }

    /// Returns whether the tags name a player or the event.
    pub(crate) fn is_titled(&self) -> bool {
        let summary = TagSummary::new(&self.record().game, &self.record().tags);
        !(summary.event.is_empty() && summary.players.concat().is_empty())
    }

    /// Gives an imported game without players and event the name of its file as its event. This belongs to the import.
    pub(crate) fn name_untitled(&mut self, name: &str) {
        if name.is_empty() || self.is_titled() {
            return;
        }
        let mut tags = self.record().tags.clone();
        tags.retain(|(tag, _)| tag != "Event");
        tags.insert(0, ("Event".into(), name.into()));
        self.played.set_tags(tags);
        self.played.set_edits(EditHistory::default());
    }

    /// Sets the comment of the start position of an imported game. It belongs to the import and cannot be undone alone.
    ///
    /// # Errors
    /// Never: a game has a start position.
    pub(crate) fn set_start_comment(&mut self, comment: String) -> Result<(), PlayError> {
        self.played.set_comment(ROOT, comment)?;
        self.played.set_edits(EditHistory::default());
        Ok(())
    }

    /// Returns the session.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.played.session()
    }

    /// Replaces what is kept of the game, and goes to the end of the main line.
    #[cfg(test)]
    pub(crate) fn change_record(&mut self, change: impl FnOnce(&mut GameRecord)) {
        let mut record = self.record().clone();
        change(&mut record);
        *self = OpenGame::at_line_end(self.id.clone(), self.revision, record).unwrap();
    }

    /// Returns what is kept of the game.
    pub fn record(&self) -> &GameRecord {
        self.played.record()
    }

    /// Returns the moves.
    pub fn tree(&self) -> &EditedTree {
        self.played.tree()
    }

    /// Returns whether there is nothing to save yet. The page does not name such a game in its address.
    pub(crate) fn is_untouched(&self) -> bool {
        let record = self.record();
        let has_start_comment = record.tree.node(ROOT).is_some_and(|root| !root.comment.is_empty());
        let is_new = record.tree.move_count() == 0 && record.start == "startpos" && record.clock.is_none();
        is_new && record.tags.is_empty() && !has_start_comment && self.played.edits().is_empty()
    }

    /// Returns the nodes that have changed since they were sent, and the removed ones.
    ///
    /// # Errors
    /// Never in a valid game.
    pub(crate) fn take_unsent_nodes(&mut self) -> Result<(Vec<NodeDto>, Vec<usize>), SessionError> {
        self.played.label_all()?;
        self.collect_changes();
        let unsent = std::mem::take(&mut self.unsent);
        let (present, removed): (Vec<_>, Vec<_>) =
            unsent.into_iter().partition(|&number| self.tree().node(number).is_some());
        let nodes = present.into_iter().filter_map(|number| Some((number, self.tree().node(number)?)));
        Ok((nodes.map(|(number, node)| NodeDto::new(number, node)).collect(), removed))
    }

    /// Returns the tree with its labels.
    ///
    /// # Errors
    /// Never in a valid game.
    pub(crate) fn tree_dto(&mut self) -> Result<Vec<NodeDto>, SessionError> {
        self.played.label_all()?;
        self.collect_changes();
        self.unsent.clear();
        Ok(self.tree().iter().map(|(number, node)| NodeDto::new(number, node)).collect())
    }

    /// Returns the game as the page gets it.
    pub(crate) fn to_dto(&self) -> GameDto {
        let (record, session) = (self.record(), self.session());
        let dialects = session.dialects();
        let (appearance, names_zh) = (session.appearance(), session.info().names_zh);
        let (first, number) = self.played.first_move();
        GameDto {
            id: self.id.clone(),
            game: session.game(),
            person: record.person().map(Side::index),
            two_people: record.has_two_people(),
            level: record.level,
            levels: record.computers().map(|computers| computers.map(|computer| computer.level)),
            engine: record.engine.clone(),
            paused: record.paused,
            resigned: record.resigned.map(Side::index),
            dialect: self.played.dialect().to_owned(),
            dialect_en: appearance.english_dialect,
            dialect_zh: names_zh.dialect,
            dialects_en: dialects.iter().map(|&dialect| appearance.dialect_name(dialect)).collect(),
            dialects_zh: dialects.iter().map(|&dialect| names_zh.dialect_name(dialect)).collect(),
            samples: dialect_samples(session.game(), &dialects).unwrap_or_default(),
            dialects,
            ruleset: self.played.ruleset().map(str::to_owned),
            rulesets: session.info().rulesets.iter().map(RulesetDto::from_info).collect(),
            tags: record.tags.clone(),
            score: record.final_score(),
            start: record.start.clone(),
            first: first.index(),
            number,
        }
    }

    /// Returns the current position with the clock.
    pub(crate) fn position_dto(&self, openings: &OpeningNames, now: Duration) -> PositionDto {
        let clock = self.record().clock.as_ref().map(|clock| ClockDto::new(clock, now));
        PositionDto { clock, ..self.untimed_position_dto(openings) }
    }

    /// Goes to a node; returns its position and the move that leads to it.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn tree_position_dto(
        &mut self,
        node: usize,
        openings: &OpeningNames,
    ) -> Result<TreePositionDto, SessionError> {
        self.played.go_to(node)?;
        let parent = self.tree().node(node).map_or(ROOT, |found| found.parent());
        let back = self.played.go_to(parent)?;
        let step = self.played.go_to(node)?;
        let only_move = |moves: &[MoveResult]| moves.first().map(MoveResultDto::from);
        let position = self.untimed_position_dto(openings);
        Ok(TreePositionDto { node, position, step: only_move(&step), back: only_move(&back) })
    }

    fn untimed_position_dto(&self, openings: &OpeningNames) -> PositionDto {
        let record = self.record();
        PositionDto {
            material: self.played.material().map(MaterialDto::from),
            ..PositionDto::from_session(self.session(), record.dialect.as_deref(), openings)
        }
    }

    /// Returns the seed of the computer's random choices, which depends on the game.
    pub(crate) fn seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.id.hash(&mut hasher);
        hasher.finish()
    }
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

#[cfg(test)]
mod tests;
