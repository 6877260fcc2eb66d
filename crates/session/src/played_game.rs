//! A played game: the tree of its moves, the players, the clock, whose turn it is, and the edits that can be undone.
//! The server and the terminal show it; neither has rules of playing of its own.
//!
//! The methods take the current time, counted from any fixed moment, where the clock matters.
//!
//! ```
//! use std::time::Duration;
//!
//! use alfil_kernel::Waivers;
//! use alfil_session::played_game::{GameRecord, PlayedGame, ROOT};
//!
//! let now = Duration::ZERO;
//! let mut game = PlayedGame::open(GameRecord::new("chess"), &Waivers::None).unwrap();
//! game.play("e4", Some("san"), now).unwrap();
//! game.play("e5", Some("san"), now).unwrap();
//! game.go_to(1).unwrap();
//! game.play("c5", Some("san"), now).unwrap();
//! assert_eq!(game.tree().node(1).unwrap().children(), [2, 3]);
//! game.prune(1, now).unwrap();
//! assert_eq!((game.tree().move_count(), game.current_node()), (0, ROOT));
//! assert_eq!(game.undo_edit(now).unwrap().summary.moves, 3);
//! assert_eq!((game.tree().move_count(), game.current_node()), (3, 3));
//! ```

mod edit_history;
mod edited_tree;
mod editing;
mod labels;
mod loss_reason;
mod main_line_review;
mod move_trial;
mod next_action;
mod players;
mod playing;
mod review_summary;
mod tree_clock;

use alfil_kernel::{Outcome, Side, Waivers};
use alfil_search::SKILL_LEVELS;

use crate::game_session::{GameSession, MoveResult};
use crate::material::{Material, material};
use crate::registry;
use crate::rulings::{Ruling, RulingRequest, rulings_under_all};
use crate::search_task::SearchResources;
use crate::session_error::SessionError;

pub use alfil_records::ROOT;
pub use edit_history::{Edit, EditHistory, EditKind, EditSummary, TagList};
pub use edited_tree::{AnnotatedMove, AnnotatedNode, EditedTree, NodeChange, NodeReview, NodeScore};
pub use editing::AppliedEdit;
pub use loss_reason::LossReason;
pub use main_line_review::{MainLineReview, ReviewedPosition};
pub use move_trial::{MoveTrial, TrialResult, TriedMove};
pub use next_action::{MissingReply, NextAction, WaitReason};
pub use players::{Computer, Player, Players, validate_players};
pub use review_summary::{MoveMark, ReviewSummary, ReviewedMove, SideReview};
pub use tree_clock::TreeClock;

/// The skill level of the computer, if none is chosen.
pub const DEFAULT_LEVEL: u32 = 3;

/// Everything about a played game that is kept when it is closed.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The name of the game.
    pub game: String,
    /// The start position as text.
    pub start: String,
    /// The players of both sides; `None` in analysis.
    pub players: Players,
    /// The skill level at which the computer plays against a person, or played last.
    pub level: u32,
    /// The external engine that plays against a person, or played last.
    pub engine: Option<String>,
    /// Whether the computer's moves wait until a person lets the game go on.
    pub paused: bool,
    /// The side that resigned.
    pub resigned: Option<Side>,
    /// The dialect of the labels; `None` for the default of the game.
    pub dialect: Option<String>,
    /// The ruleset; `None` for the default of the game.
    pub ruleset: Option<String>,
    /// The clock of a timed game.
    pub clock: Option<TreeClock>,
    /// The tags of the game: names and values.
    pub tags: TagList,
    /// The moves with their variations.
    pub tree: EditedTree,
}

impl GameRecord {
    /// Creates the record of a new analysis from the start position of a game.
    pub fn new(game: impl Into<String>) -> GameRecord {
        GameRecord {
            game: game.into(),
            start: "startpos".into(),
            players: None,
            level: DEFAULT_LEVEL,
            engine: None,
            paused: false,
            resigned: None,
            dialect: None,
            ruleset: None,
            clock: None,
            tags: Vec::new(),
            tree: EditedTree::default(),
        }
    }
}

/// The reason why a request to a played game was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over: take a move back or start a new one")]
    GameOver,
    /// A flag has fallen.
    #[error("a player has run out of time: moves cannot be taken back")]
    OutOfTime,
    /// No side is played by a person.
    #[error("cannot resign: no side is played by a person")]
    NoPerson,
    /// There is no edit to undo.
    #[error("there is nothing to undo in this game")]
    NothingToUndo,
    /// There is no undone edit.
    #[error("there is nothing to redo in this game")]
    NothingToRedo,
    /// The session refused a move, a name or a position.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// The game that is edited: all its variations, its players, its clock, its tags and the edits that can be undone,
/// around the [`GameSession`] of its current position.
pub struct PlayedGame {
    record: GameRecord,
    session: Box<dyn GameSession>,
    current_node: usize,
    /// The side and the number of the first move.
    first_move: (Side, u32),
    /// The pieces of the start position.
    start_pieces: Vec<(String, char)>,
    /// The moves that were played before the game began here, in the default dialect.
    opening: Vec<String>,
    /// The ply from which the clock runs: after the opening, or earlier if more moves were taken back.
    clock_start_ply: usize,
    edits: EditHistory,
    /// Whether a flag has fallen since [`PlayedGame::take_flag_fall`].
    has_new_flag_fall: bool,
    /// The node after which the computer's reply failed or was stopped, until the game goes on.
    missing_reply: Option<(usize, MissingReply)>,
    /// Whether every node has a label.
    is_labelled: bool,
}

impl PlayedGame {
    /// Opens the game of a record at its start position.
    ///
    /// # Errors
    /// If the game, the ruleset or the position is invalid.
    pub fn open(record: GameRecord, waivers: &Waivers) -> Result<PlayedGame, SessionError> {
        let mut session = registry::open(&record.game, None)?;
        if let Some(ruleset) = &record.ruleset {
            session.set_ruleset(ruleset)?;
        }
        session.open(&record.start, waivers)?;
        Ok(PlayedGame::at_start(session, record))
    }

    /// Creates a game from a session, which was opened at the start position of the record and has played the opening.
    /// The tree of the record is replaced by these moves.
    ///
    /// # Errors
    /// If the moves of the session cannot be played again.
    pub fn from_session(
        mut session: Box<dyn GameSession>,
        record: GameRecord,
    ) -> Result<PlayedGame, SessionError> {
        let opening = session.played_moves(None)?;
        while session.undo().is_some() {}
        let record = GameRecord { tree: EditedTree::default(), ..record };
        let mut game = PlayedGame::at_start(session, record);
        game.play_opening(opening)?;
        Ok(game)
    }

    /// Creates a game whose session is at its start position.
    fn at_start(session: Box<dyn GameSession>, mut record: GameRecord) -> PlayedGame {
        // How the tree was built is no edit.
        record.tree.finish_edit();
        let view = session.view();
        // Engines and game files read position texts, but not the operations of an EPD.
        if record.start != "startpos" {
            record.start = view.fen;
        }
        PlayedGame {
            first_move: (view.side_to_move, view.fullmove_number),
            start_pieces: view.pieces,
            session,
            current_node: ROOT,
            opening: Vec::new(),
            clock_start_ply: 0,
            edits: EditHistory::default(),
            has_new_flag_fall: false,
            missing_reply: None,
            is_labelled: record.tree.move_count() == 0,
            record,
        }
    }

    /// Plays moves before the game begins: they are no edits, do not start the clock, and may go on where the game
    /// could have ended.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn play_opening(&mut self, opening: Vec<String>) -> Result<(), SessionError> {
        for text in &opening {
            self.add_replayed_move(text)?;
        }
        self.record.tree.finish_edit();
        (self.clock_start_ply, self.opening) = (opening.len(), opening);
        Ok(())
    }

    /// Returns the session, at the current position.
    pub fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Sets the threads and the memory of the searches of the session.
    pub fn set_resources(&mut self, resources: &SearchResources) {
        self.session.set_resources(resources);
    }

    /// Returns what is kept of the game.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Returns the moves.
    pub fn tree(&self) -> &EditedTree {
        &self.record.tree
    }

    /// Returns the current node of the tree.
    pub fn current_node(&self) -> usize {
        self.current_node
    }

    /// Returns the side and the number of the first move.
    pub fn first_move(&self) -> (Side, u32) {
        self.first_move
    }

    /// Returns the edits that can be undone and redone.
    pub fn edits(&self) -> &EditHistory {
        &self.edits
    }

    /// Takes the edits out of a game that is closed.
    pub fn take_edits(&mut self) -> EditHistory {
        std::mem::take(&mut self.edits)
    }

    /// Takes over the edits of the same game, which was closed and opened again.
    pub fn set_edits(&mut self, edits: EditHistory) {
        self.edits = edits;
    }

    /// Returns the nodes that were changed, added or removed since the last call.
    pub fn take_changed_nodes(&mut self) -> std::collections::BTreeSet<usize> {
        self.record.tree.take_changed()
    }

    /// Returns the dialect of the labels.
    pub fn dialect(&self) -> &str {
        let default_dialect = || self.session.dialects().first().copied().unwrap_or_default();
        self.record.dialect.as_deref().unwrap_or_else(default_dialect)
    }

    /// Returns the ruleset; `None` in games that have only one.
    pub fn ruleset(&self) -> Option<&str> {
        self.record.ruleset.as_deref().or_else(|| self.session.rulesets().first().copied())
    }

    /// Goes to a node; returns the moves that were undone and played on the way.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn go_to(&mut self, node: usize) -> Result<Vec<MoveResult>, SessionError> {
        let tree = &self.record.tree;
        if tree.node(node).is_none() {
            return Err(SessionError::new(format!("this game has no move {node}")));
        }
        let (old_path, new) = (tree.path(self.current_node), tree.path(node));
        let common = old_path.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let mut steps: Vec<_> = (common..old_path.len()).filter_map(|_| self.session.undo()).collect();
        for &node in &new[common..] {
            steps.push(self.session.replay(tree.move_text(node), None)?);
        }
        self.current_node = node;
        Ok(steps)
    }

    /// Returns whether a person plays the game, against the computer or another person. In an analysis, and in a game
    /// of the computer against itself, taking back deletes nothing, and no clock runs.
    pub fn is_played(&self) -> bool {
        self.record.players.iter().flatten().any(Player::is_person)
    }

    /// Returns whether the game is over at the current position: by the rules, by time or by resignation.
    pub fn is_over(&self) -> bool {
        self.resigned().is_some() || self.has_ended()
    }

    /// Returns whether no move can be played at the current position: the game is over by the rules or by time.
    /// Analysis ignores the clock.
    pub fn has_ended(&self) -> bool {
        self.flag_outcome().is_some() || self.session.game_end().is_some()
    }

    /// Returns the side that resigned; `None` in analysis.
    pub fn resigned(&self) -> Option<Side> {
        self.record.resigned.filter(|_| self.is_played())
    }

    /// Returns the outcome of the game: of its main line, of a resignation or of a flag fall. `None` if it is not over.
    ///
    /// # Errors
    /// Never in a valid game.
    pub fn outcome(&mut self) -> Result<Option<Outcome>, SessionError> {
        if let Some(side) = self.record.resigned {
            return Ok(Some(Outcome::loss(side)));
        }
        // It counts when the game is analysed afterwards, too.
        if let Some(outcome) = self.recorded_flag_outcome() {
            return Ok(Some(outcome));
        }
        self.at_line_end(|session| session.game_end().map(|game_end| game_end.outcome))
    }

    /// Returns whether the game ended by a resignation, a flag fall or a position without legal moves, and not by a
    /// rule that a player or a referee has to apply, as after a repetition.
    ///
    /// # Errors
    /// Never in a valid game.
    pub fn has_indisputable_end(&mut self) -> Result<bool, SessionError> {
        if self.record.resigned.is_some() || self.recorded_flag_outcome().is_some() {
            return Ok(true);
        }
        Ok(self.at_line_end(|session| session.legal_moves(None))??.is_empty())
    }

    /// Reads something at the end of the main line.
    fn at_line_end<T>(&mut self, read: impl FnOnce(&dyn GameSession) -> T) -> Result<T, SessionError> {
        self.at_node(self.record.tree.line_end(ROOT), read)
    }

    /// Reads something at a node.
    fn at_node<T>(
        &mut self,
        node: usize,
        read: impl FnOnce(&dyn GameSession) -> T,
    ) -> Result<T, SessionError> {
        let current_node = self.current_node;
        self.go_to(node)?;
        let found = read(self.session.as_ref());
        self.go_to(current_node)?;
        Ok(found)
    }

    /// Returns a ruling on the current position, by default under the ruleset of the game; its moves are written in
    /// the dialect of the game.
    ///
    /// # Errors
    /// If the game has no such ruleset.
    pub fn ruling(
        &self,
        ruleset: Option<String>,
        occurrences: Option<usize>,
        in_chinese: bool,
    ) -> Result<Ruling, SessionError> {
        let ruleset = ruleset.or_else(|| self.record.ruleset.clone());
        self.session.ruling(&RulingRequest { ruleset, ..self.ruling_request(occurrences, in_chinese) })
    }

    /// Returns the rulings on the current position under every ruleset, as [`rulings_under_all`]; their moves are
    /// written in the dialect of the game.
    ///
    /// # Errors
    /// If fewer than two occurrences are requested.
    pub fn rulings_under_all(
        &self,
        occurrences: Option<usize>,
        in_chinese: bool,
    ) -> Result<Vec<Ruling>, SessionError> {
        rulings_under_all(&*self.session, &self.ruling_request(occurrences, in_chinese))
    }

    fn ruling_request(&self, occurrences: Option<usize>, in_chinese: bool) -> RulingRequest {
        RulingRequest { ruleset: None, occurrences, in_chinese, dialect: Some(self.dialect().to_owned()) }
    }

    /// Opens a session of its own at the current position.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub fn open_copy(&self) -> Result<Box<dyn GameSession>, SessionError> {
        let mut copy = main_line_review::open_start(&self.record)?;
        for node in self.record.tree.path(self.current_node) {
            copy.replay(self.record.tree.move_text(node), None)?;
        }
        Ok(copy)
    }

    /// Returns a review of the main line with so many nodes a position.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub fn review(&self, nodes: u64) -> Result<MainLineReview, SessionError> {
        MainLineReview::new(&self.record, nodes)
    }

    /// Returns the captured pieces and the difference of material at the current position; `None` in games whose
    /// pieces have no values.
    pub fn material(&self) -> Option<Material> {
        material(self.session.info(), &self.start_pieces, &self.session.view().pieces)
    }
}

/// Checks a skill level.
///
/// # Errors
/// If there is no such level.
pub fn validate_level(level: u32) -> Result<u32, SessionError> {
    match level {
        1..=SKILL_LEVELS => Ok(level),
        _ => Err(SessionError::new(format!("there is no level {level}: levels are 1 to {SKILL_LEVELS}"))),
    }
}

#[cfg(test)]
mod review_tests;
#[cfg(test)]
mod tests;
