//! Playing: moves, moves taken back, players and the clock.

use std::time::Duration;

use alfil_kernel::{Outcome, Side, Waivers};

use super::edit_history::EditKind;
use super::edited_tree::EditedTree;
use super::next_action::NextAction;
use super::players::{Player, Players, validate_players};
use super::{EditHistory, PlayError, PlayedGame, validate_level};
use crate::game_session::{GameSession, MoveResult};
use crate::session_error::SessionError;
use crate::time_budget::TimeBudget;
use alfil_records::ROOT;

impl PlayedGame {
    /// Plays a move, given in a dialect.
    ///
    /// # Errors
    /// If the move is illegal or the game is over.
    pub fn play(
        &mut self,
        text: &str,
        dialect: Option<&str>,
        now: Duration,
    ) -> Result<MoveResult, PlayError> {
        self.edit(EditKind::Moves, |game| game.play_move(text, dialect, now))
    }

    /// Plays several moves, or none if one of them cannot be played.
    ///
    /// # Errors
    /// See [`PlayedGame::play`].
    pub fn play_all(&mut self, moves: &[String], now: Duration) -> Result<Vec<MoveResult>, PlayError> {
        self.edit(EditKind::Moves, |game| moves.iter().map(|text| game.play_move(text, None, now)).collect())
    }

    fn play_move(
        &mut self,
        text: &str,
        dialect: Option<&str>,
        now: Duration,
    ) -> Result<MoveResult, PlayError> {
        self.tick(now);
        // A move after a resignation continues the game.
        if self.has_ended() {
            return Err(PlayError::GameOver);
        }
        let mover = self.session.view().side_to_move;
        let step = self.add_move(text, dialect)?;
        self.record.resigned = None;
        let (next, node) = (self.side_on_clock(), self.current_node);
        if let Some(clock) = &mut self.record.clock {
            clock.after_move(mover, next, node, now);
        }
        Ok(step)
    }

    /// Plays a move in the session and in the tree, even if the game is over.
    pub(super) fn add_move(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError> {
        let text = match dialect {
            Some(_) => self.find_move(text, dialect)?,
            None => text.to_owned(),
        };
        self.add_step(&text, |session| session.play(&text, None))
    }

    /// Plays a move of a record like [`Self::add_move`], even one that the ruleset refuses.
    pub(super) fn add_replayed_move(&mut self, text: &str) -> Result<MoveResult, SessionError> {
        self.add_step(text, |session| session.replay(text, None))
    }

    /// Adds the move that `play` plays to the tree. A new node gets its label here, because the label depends on the
    /// position before the move.
    fn add_step(
        &mut self,
        text: &str,
        play: impl FnOnce(&mut dyn GameSession) -> Result<MoveResult, SessionError>,
    ) -> Result<MoveResult, SessionError> {
        let label = self.session.format_move(text, self.record.dialect.as_deref());
        let step = play(&mut *self.session)?;
        self.current_node = self.record.tree.add_move(self.current_node, &step.text);
        if let Some(node) = self.record.tree.labels_mut(self.current_node) {
            node.label = label.ok();
        }
        Ok(step)
    }

    /// Returns the text of a legal move in the default dialect.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn find_move(&mut self, text: &str, dialect: Option<&str>) -> Result<String, SessionError> {
        let played = self.session.play(text, dialect)?;
        self.session.undo();
        Ok(played.text)
    }

    /// Takes back moves and returns the steps. In analysis it steps back and deletes nothing; in a game that is played
    /// it deletes the moves.
    ///
    /// # Errors
    /// If a flag has fallen.
    pub fn take_back(&mut self, plies: usize, now: Duration) -> Result<Vec<MoveResult>, PlayError> {
        self.tick(now);
        if self.flag_outcome().is_some() && self.session.game_end().is_none() {
            return Err(PlayError::OutOfTime);
        }
        let path = self.record.tree.path(self.current_node);
        let kept_count = path.len().saturating_sub(plies);
        let Some(&first) = path.get(kept_count) else { return Ok(Vec::new()) };
        let node = if kept_count == 0 { ROOT } else { path[kept_count - 1] };
        if !self.is_played() {
            return Ok(self.go_to(node)?);
        }
        self.edit(EditKind::TakeBack, |game| {
            let steps = game.go_to(node)?;
            game.record.resigned = None;
            game.clock_start_ply = game.clock_start_ply.min(kept_count);
            // Before the move is deleted, because a flag fall is judged at the clock's node.
            game.run_clock(now);
            game.record.tree.remove(first);
            Ok(steps)
        })
    }

    /// Takes back moves until it is the person's turn with a choice; returns the number of plies. Takes back nothing if
    /// the person has not moved: the computer would move again.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_kernel::{Side, Waivers};
    /// use alfil_session::played_game::{Computer, GameRecord, PlayedGame, Player};
    ///
    /// let players = Player::against_computer(Side::First, Computer::default());
    /// let record = GameRecord { players, ..GameRecord::new("chess") };
    /// let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    /// for mv in ["e2e4", "e7e5"] {
    ///     game.play(mv, None, Duration::ZERO)?;
    /// }
    /// assert_eq!((game.take_back_turn(Duration::ZERO)?, game.tree().move_count()), (2, 0));
    /// # Ok::<(), alfil_session::played_game::PlayError>(())
    /// ```
    ///
    /// # Errors
    /// If a flag has fallen.
    pub fn take_back_turn(&mut self, now: Duration) -> Result<usize, PlayError> {
        let (current_node, mut plies) = (self.current_node, 0);
        while let Some(node) = self.record.tree.node(self.current_node).filter(|_| self.current_node != ROOT)
        {
            self.go_to(node.parent())?;
            plies += 1;
            // A forced pass is taken back together with the move before it.
            if matches!(self.action_of_players(), NextAction::PersonMoves { .. }) {
                break;
            }
        }
        let is_computer_first = self.is_computer_to_move();
        self.go_to(current_node)?;
        Ok(self.take_back(if is_computer_first { 0 } else { plies }, now)?.len())
    }

    /// Starts the game again after its opening, with a stopped clock and without its edits.
    ///
    /// # Errors
    /// Never in a valid game.
    pub fn restart(&mut self) -> Result<(), SessionError> {
        self.session.open(&self.record.start, &Waivers::All)?;
        (self.record.tree, self.current_node, self.is_labelled) = (EditedTree::default(), ROOT, true);
        (self.edits, self.record.resigned, self.has_new_flag_fall) = (EditHistory::default(), None, false);
        self.continue_play();
        if let Some(clock) = &mut self.record.clock {
            clock.game_clock.reset();
            (clock.node, clock.drawn) = (ROOT, false);
        }
        let opening = std::mem::take(&mut self.opening);
        self.play_opening(opening)
    }

    /// Resigns for the person; of two people, for the one to move.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_kernel::{Outcome, Side, Waivers};
    /// use alfil_session::played_game::{Computer, GameRecord, PlayedGame, Player};
    ///
    /// let players = Player::against_computer(Side::First, Computer::default());
    /// let record = GameRecord { players, ..GameRecord::new("othello") };
    /// let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    /// game.resign(Duration::ZERO)?;
    /// assert_eq!(game.resigned(), Some(Side::First));
    /// assert_eq!(game.outcome()?, Some(Outcome::Win(Side::Second)));
    /// # Ok::<(), alfil_session::played_game::PlayError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no person, or the game is over.
    pub fn resign(&mut self, now: Duration) -> Result<(), PlayError> {
        // An earlier position of a line may be shown, also of a finished one.
        let line_end = self.record.tree.line_end(self.current_node);
        let to_move = match self.record.has_two_people() {
            true => Some(self.at_node(line_end, |session| session.view().side_to_move)?),
            false => None,
        };
        let Some(person) = self.record.person().or(to_move) else { return Err(PlayError::NoPerson) };
        self.tick(now);
        if self.is_over() || self.at_node(line_end, |session| session.game_end().is_some())? {
            return Err(PlayError::GameOver);
        }
        self.edit(EditKind::Resignation, |game| {
            game.record.resigned = Some(person);
            Ok(game.run_clock_at_its_node(now)?)
        })
    }

    /// Sets the players. A person who continues after a flag fall plays without a clock.
    ///
    /// # Errors
    /// If a level does not exist.
    pub fn set_players(&mut self, players: Players, now: Duration) -> Result<(), SessionError> {
        validate_players(&players)?;
        let before = self.record.sides_of_people();
        self.record.players = players;
        if let Some(computer) = self.record.opponent().cloned() {
            (self.record.level, self.record.engine) = (computer.level, computer.engine);
        }
        self.continue_play();
        self.tick(now);
        // Levels and engines alone affect neither the clock nor the pause.
        if self.record.sides_of_people() != before {
            self.record.paused = false;
            let is_played = self.is_played();
            self.record.clock.take_if(|clock| is_played && clock.game_clock.flagged().is_some());
            self.run_clock(now);
        }
        Ok(())
    }

    /// Sets the skill level of the computer against a person; without such a game, that of the next one.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn set_level(&mut self, level: u32) -> Result<(), SessionError> {
        self.record.level = validate_level(level)?;
        if self.record.person().is_some()
            && let Some(players) = &mut self.record.players
        {
            for player in players {
                if let Player::Computer(computer) = player {
                    computer.level = level;
                }
            }
        }
        Ok(())
    }

    /// Sets the ruleset.
    ///
    /// # Errors
    /// If the game has no such ruleset.
    pub fn set_ruleset(&mut self, ruleset: &str, now: Duration) -> Result<(), SessionError> {
        self.session.set_ruleset(ruleset)?;
        self.record.ruleset = Some(ruleset.to_owned());
        // Under another ruleset the game may be over at the clock's node, or not over any more.
        self.run_clock_at_its_node(now)
    }

    /// Returns the side whose clock runs: the side to move, if a move was played here and the game is not over.
    fn side_on_clock(&self) -> Option<Side> {
        let view = self.session.view();
        let played = self.is_played() && view.ply > self.clock_start_ply;
        (played && !self.is_over()).then_some(view.side_to_move)
    }

    /// Runs the clock at the end of the line of its last move, after moves were deleted or restored.
    pub(super) fn reset_clock(&mut self, now: Duration) -> Result<(), SessionError> {
        let Some(clock) = &self.record.clock else { return Ok(()) };
        let (tree, current_node) = (&self.record.tree, self.current_node);
        let node = if tree.node(clock.node).is_some() { clock.node } else { current_node };
        self.go_to(tree.line_end(node))?;
        self.run_clock(now);
        self.go_to(current_node)?;
        Ok(())
    }

    /// Runs the clock for the side to move after its own move, or stops it, whatever position is shown.
    pub(super) fn run_clock_at_its_node(&mut self, now: Duration) -> Result<(), SessionError> {
        let (current_node, clock) = (self.current_node, self.record.clock.as_ref());
        let clock_node = clock.map(|clock| clock.node).filter(|&node| self.record.tree.node(node).is_some());
        self.go_to(clock_node.unwrap_or(current_node))?;
        self.run_clock(now);
        self.go_to(current_node)?;
        Ok(())
    }

    /// Runs the clock for the side to move at the current position, or stops it.
    pub(super) fn run_clock(&mut self, now: Duration) {
        self.tick(now);
        let (side, node) = (self.side_on_clock(), self.current_node);
        if let Some(clock) = &mut self.record.clock {
            clock.run(side, node, now);
        }
    }

    /// Updates the clock, and returns the side whose flag falls now.
    pub fn tick(&mut self, now: Duration) -> Option<Side> {
        let flagged = self.record.clock.as_mut()?.game_clock.tick(now)?;
        self.has_new_flag_fall = true;
        // The position at the clock's node decides whether the opponent can win.
        let (current_node, node) = (self.current_node, self.record.clock.as_ref()?.node);
        let drawn = self.go_to(node).is_ok() && self.session.flag_outcome(flagged) == Outcome::Draw;
        let _ = self.go_to(current_node);
        self.record.clock.as_mut()?.drawn = drawn;
        Some(flagged)
    }

    /// Returns whether a flag has fallen since the last call. A fall may be noticed during a request that is then
    /// refused, so it is remembered until it is reported.
    pub fn take_flag_fall(&mut self, now: Duration) -> bool {
        self.tick(now);
        std::mem::take(&mut self.has_new_flag_fall)
    }

    /// Returns whether [`PlayedGame::take_flag_fall`] would return true.
    pub fn has_flag_fall(&self) -> bool {
        self.has_new_flag_fall
    }

    /// Pauses the computer's clock unless it searches, whatever position is shown.
    pub fn update_clock(&mut self, is_searching: bool, now: Duration) {
        self.tick(now);
        let people = self.record.sides_of_people().unwrap_or_default();
        let Some(clock) = &mut self.record.clock else { return };
        match clock.game_clock.running() {
            Some(side) if people[side.index()] || is_searching => clock.game_clock.resume(now),
            _ => {
                clock.game_clock.pause(now);
            }
        }
    }

    /// Pauses the clock; returns whether its state has to be saved.
    pub fn pause(&mut self, now: Duration) -> bool {
        self.tick(now);
        let clock_ran = self.record.clock.as_mut().is_some_and(|clock| clock.game_clock.pause(now));
        // After a flag fall the clock does not run any more.
        clock_ran || self.has_new_flag_fall
    }

    /// Resumes the clock.
    pub fn resume(&mut self, now: Duration) {
        if let Some(clock) = &mut self.record.clock {
            clock.game_clock.resume(now);
        }
    }

    /// Returns the time until the running clock's flag falls.
    pub fn time_to_flag(&self, now: Duration) -> Option<Duration> {
        self.record.clock.as_ref()?.game_clock.time_to_flag(now)
    }

    /// Returns the time budget of the side to move.
    pub fn time_budget(&self, now: Duration) -> Option<TimeBudget> {
        self.record.clock.as_ref()?.game_clock.time_budget(now)
    }

    /// Returns the side that has run out of time; `None` in analysis.
    pub fn flagged(&self) -> Option<Side> {
        if !self.is_played() {
            return None;
        }
        self.record.clock.as_ref()?.game_clock.flagged()
    }

    /// Returns the outcome of a flag fall; `None` in analysis.
    pub fn flag_outcome(&self) -> Option<Outcome> {
        self.recorded_flag_outcome().filter(|_| self.is_played())
    }

    /// Returns the outcome of a flag fall, in analysis, too.
    pub(super) fn recorded_flag_outcome(&self) -> Option<Outcome> {
        let clock = self.record.clock.as_ref()?;
        let flagged = clock.game_clock.flagged()?;
        Some(if clock.drawn { Outcome::Draw } else { Outcome::loss(flagged) })
    }
}
