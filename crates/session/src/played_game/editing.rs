//! Edits: every change of the moves, comments and tags can be undone and redone.

use std::collections::BTreeSet;
use std::time::Duration;

use super::edit_history::{Edit, EditDirection, EditKind, EditSummary, TagList};
use super::edited_tree::{AnnotatedNode, NodeReview, NodeScore};
use super::next_action::{MissingReply, NextAction};
use super::{PlayError, PlayedGame};
use crate::game_session::MoveResult;
use crate::session_error::SessionError;
use alfil_records::ROOT;

/// An edit that was undone or redone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// What the edit was.
    pub summary: EditSummary,
    /// The moves that were undone and played on the way to the position of the edit.
    pub steps: Vec<MoveResult>,
}

impl PlayedGame {
    /// Makes an edit. If it fails, nothing has changed.
    pub(super) fn edit<T>(
        &mut self,
        kind: EditKind,
        change: impl FnOnce(&mut PlayedGame) -> Result<T, PlayError>,
    ) -> Result<T, PlayError> {
        let node_before = self.current_node;
        let (resigned, clock) = (self.record.resigned, self.record.clock.clone());
        let clock_start_ply = self.clock_start_ply;
        let tags = (kind == EditKind::Tags).then(|| self.record.tags.clone());
        let made = change(self);
        let mut edit = Edit {
            kind,
            changes: self.record.tree.finish_edit(),
            tags: tags.map(|before| [before, self.record.tags.clone()]),
            resigned: [resigned, self.record.resigned],
            current_node: [node_before, self.current_node],
            clock_start_ply: [clock_start_ply, self.clock_start_ply],
        };
        if made.is_err() {
            self.leave_removed_nodes(&edit, EditDirection::Undo)?;
            edit.apply(&mut self.record.tree, EditDirection::Undo);
            self.go_to(node_before)?;
            // A flag fall stays.
            if !self.has_new_flag_fall {
                self.record.clock = clock;
            }
            self.record.resigned = resigned;
            self.clock_start_ply = clock_start_ply;
            return made;
        }
        if kind.changes_play() {
            self.continue_play();
        }
        edit.tags = edit.tags.filter(|[before, after]| before != after);
        if !edit.is_empty() {
            self.edits.push(edit);
        }
        made
    }

    /// Goes to the nearest ancestor that exists after an edit is applied; returns the steps.
    fn leave_removed_nodes(
        &mut self,
        edit: &Edit,
        direction: EditDirection,
    ) -> Result<Vec<MoveResult>, SessionError> {
        let path = self.record.tree.path(self.current_node);
        match path.iter().find(|&&node| edit.removes(node, direction)) {
            Some(&removed) => {
                let parent = self.record.tree.node(removed).map_or(ROOT, |node| node.parent());
                self.go_to(parent)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Undoes the last edit. Against the computer, its reply is undone together with the person's move.
    ///
    /// # Errors
    /// If there is no edit, or a flag has fallen and the edit changed the play by more than a deletion.
    pub fn undo_edit(&mut self, now: Duration) -> Result<AppliedEdit, PlayError> {
        self.apply_edits(EditDirection::Undo, now)
    }

    /// Redoes the edit that was undone last. Against the computer, its reply is redone together with the person's move.
    ///
    /// # Errors
    /// If there is no undone edit, or a flag has fallen and the edit changed the play by more than a deletion.
    pub fn redo_edit(&mut self, now: Duration) -> Result<AppliedEdit, PlayError> {
        self.apply_edits(EditDirection::Redo, now)
    }

    /// Applies an edit, and further moves until it is the person's turn. A forced pass is applied with the move before
    /// it, because the apps play it by themselves.
    fn apply_edits(&mut self, direction: EditDirection, now: Duration) -> Result<AppliedEdit, PlayError> {
        let mut applied = self.apply_edit(direction, now)?;
        let has_no_choice = |game: &PlayedGame| {
            game.is_computer_to_move() || matches!(game.action_of_players(), NextAction::ForcedPass { .. })
        };
        let mut count = 1;
        while applied.summary.kind == EditKind::Moves
            && has_no_choice(self)
            && self.edits.has_moves(direction)
        {
            let next = self.apply_edit(direction, now)?;
            applied.steps.extend(next.steps);
            applied.summary.moves += next.summary.moves;
            count += 1;
        }
        let is_first_move_of_computer = direction == EditDirection::Undo
            && applied.summary.kind == EditKind::Moves
            && self.is_computer_to_move();
        if is_first_move_of_computer {
            // The computer would play again at once, and the undone edits would be lost.
            for _ in 0..count {
                self.apply_edit(EditDirection::Redo, now)?;
            }
            return Err(PlayError::NothingToUndo);
        }
        Ok(applied)
    }

    fn apply_edit(&mut self, direction: EditDirection, now: Duration) -> Result<AppliedEdit, PlayError> {
        self.tick(now);
        let no_edit = || match direction {
            EditDirection::Undo => PlayError::NothingToUndo,
            EditDirection::Redo => PlayError::NothingToRedo,
        };
        let kind = self.edits.next(direction).ok_or_else(no_edit)?.kind;
        let changes_play = kind.changes_play();
        // Moves are deleted after a flag fall too, and it stays.
        if changes_play && kind != EditKind::Deletion && self.flagged().is_some() {
            return Err(PlayError::OutOfTime);
        }
        self.edits.keep_analysis(direction, &self.record.tree);
        let edit = self.edits.next(direction).cloned().ok_or_else(no_edit)?;
        let mut steps = self.leave_removed_nodes(&edit, direction)?;
        self.is_labelled &= edit.apply(&mut self.record.tree, direction);
        if let Some(tags) = &edit.tags {
            self.record.tags.clone_from(&tags[direction as usize]);
        }
        steps.extend(self.go_to(edit.current_node[direction as usize])?);
        if changes_play {
            self.continue_play();
            self.record.resigned = edit.resigned[direction as usize];
            self.clock_start_ply = edit.clock_start_ply[direction as usize];
            match edit.kind {
                EditKind::Deletion => self.reset_clock(now)?,
                EditKind::Resignation => self.run_clock_at_its_node(now)?,
                _ => self.run_clock(now),
            }
        }
        self.edits.step(direction);
        Ok(AppliedEdit { summary: edit.summary(), steps })
    }

    /// Removes a move with all moves after it, and returns the number of removed moves. If the current position is
    /// among them, the position before the move is left.
    ///
    /// # Errors
    /// If there is no such node, or it is the root.
    pub fn prune(&mut self, node: usize, now: Duration) -> Result<usize, PlayError> {
        let parent = match self.record.tree.node(node) {
            Some(found) if node != ROOT => found.parent(),
            _ => {
                let message = format!("cannot remove move {node}: this game has no such move");
                return Err(SessionError::new(message).into());
            }
        };
        let removed = self.edit(EditKind::Deletion, |game| {
            if game.record.tree.is_in_subtree(game.current_node, node) {
                game.go_to(parent)?;
            }
            // The clock belongs to the move that was played last. It is reset if that move is removed, and before it is
            // removed, because a flag fall is judged at the clock's node.
            let clock_node = game.record.clock.as_ref().map(|clock| clock.node);
            if clock_node.is_some_and(|clock_node| game.record.tree.is_in_subtree(clock_node, node)) {
                game.run_clock(now);
            }
            Ok(game.record.tree.remove(node))
        })?;
        // If the computer replied at once to what is left, the deletion could not be undone.
        if self.is_computer_to_move() {
            self.on_missing_reply(self.current_node, MissingReply::Stopped);
        }
        Ok(removed)
    }

    /// Sets the comment on a move.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_kernel::Waivers;
    /// use alfil_session::played_game::{GameRecord, PlayedGame};
    ///
    /// let mut game = PlayedGame::open(GameRecord::new("chess"), &Waivers::None).unwrap();
    /// game.play("e2e4", None, Duration::ZERO)?;
    /// game.set_comment(1, "Best by test.".into())?;
    /// assert_eq!(game.tree().node(1).unwrap().comment, "Best by test.");
    /// game.undo_edit(Duration::ZERO)?;
    /// assert_eq!(game.tree().node(1).unwrap().comment, "");
    /// # Ok::<(), alfil_session::played_game::PlayError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_comment(&mut self, node: usize, text: String) -> Result<(), PlayError> {
        if self.record.tree.node(node).is_none() {
            return Err(SessionError::new(format!("this game has no move {node}")).into());
        }
        self.edit(EditKind::Comment, |game| {
            if let Some(node) = game.record.tree.node_mut(node) {
                node.comment = text;
            }
            Ok(())
        })
    }

    /// Sets the comment on a move that is being typed: if the last edit has changed the same comment, both are one
    /// edit, which is undone in one step.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn continue_comment(&mut self, node: usize, text: String) -> Result<(), PlayError> {
        let is_changed = self.record.tree.node(node).is_some_and(|found| found.comment != text);
        let continues_edit = is_changed && self.edits.is_comment_on(node);
        self.set_comment(node, text)?;
        if continues_edit {
            self.edits.join_comments();
        }
        Ok(())
    }

    /// Sets the annotation marks of a move: its NAGs, without doubles.
    ///
    /// # Errors
    /// If there is no such node, or it is the root, or a mark is 0.
    pub fn set_marks(&mut self, node: usize, nags: &[u8]) -> Result<(), PlayError> {
        if node == ROOT || self.record.tree.node(node).is_none() {
            return Err(
                SessionError::new(format!("cannot mark move {node}: this game has no such move")).into()
            );
        }
        if nags.contains(&0) {
            return Err(SessionError::new("there is no annotation mark $0: marks are 1 to 255").into());
        }
        let is_first = |(index, nag): &(usize, &u8)| !nags[..*index].contains(nag);
        let unique: Vec<u8> = nags.iter().enumerate().filter(is_first).map(|(_, &nag)| nag).collect();
        self.edit(EditKind::Marks, |game| {
            if let Some(node) = game.record.tree.node_mut(node) {
                node.nags = unique;
            }
            Ok(())
        })
    }

    /// Puts the variation to which a node belongs before the other moves at its branch point.
    ///
    /// # Errors
    /// If there is no such node, or it is on the main line.
    pub fn promote(&mut self, node: usize) -> Result<(), PlayError> {
        if self.record.tree.node(node).is_none() {
            return Err(SessionError::new(format!("this game has no move {node}")).into());
        }
        self.edit(EditKind::Promotion, |game| match game.record.tree.promote(node) {
            true => Ok(()),
            false => Err(SessionError::new("this move is on the main line already").into()),
        })
    }

    /// Returns whether another opened form of this game differs in nothing that can be edited: in evaluations, in the
    /// dialect or in the clock alone. The edits of one can then be undone in the other.
    pub fn has_same_text(&self, other: &PlayedGame) -> bool {
        let (own, others) = (&self.record, &other.record);
        (&own.game, &own.start, &own.tags, own.resigned)
            == (&others.game, &others.start, &others.tags, others.resigned)
            && own.tree.has_same_text(&others.tree)
    }

    /// Takes over the scores and reviews of another opened form of this game, except those of the nodes `own`. This is
    /// no edit. Returns false, and changes nothing, if the two differ in anything else, as in a running clock.
    pub fn take_over_analysis(&mut self, other: &PlayedGame, own: &BTreeSet<usize>) -> bool {
        let (record, others) = (&self.record, &other.record);
        let is_same = self.has_same_text(other)
            && self.dialect() == other.dialect()
            && (&record.players, record.level, record.paused, &record.ruleset)
                == (&others.players, others.level, others.paused, &others.ruleset)
            && record.clock == others.clock;
        if !is_same {
            return false;
        }
        for (number, theirs) in others.tree.iter().filter(|(number, _)| !own.contains(number)) {
            let has_other_analysis = |node: &AnnotatedNode| {
                (node.score, &node.best, &node.review) != (theirs.score, &theirs.best, &theirs.review)
            };
            if self.record.tree.node(number).is_some_and(has_other_analysis)
                && let Some(node) = self.record.tree.analysis_mut(number)
            {
                node.take_analysis(theirs);
            }
        }
        true
    }

    /// Takes over the edits of another opened form of this game, if it has the same text.
    pub fn take_over_edits(&mut self, other: &mut PlayedGame) {
        if self.has_same_text(other) {
            self.edits = other.take_edits();
            if self.dialect() != other.dialect() {
                self.edits.clear_labels();
            }
        }
    }

    /// Replaces the tags.
    pub fn set_tags(&mut self, tags: TagList) {
        // This edit cannot fail.
        let _ = self.edit(EditKind::Tags, |game| {
            game.record.tags = tags;
            Ok(())
        });
    }

    /// Sets the score and the best move of a position that was searched. This is no edit.
    pub fn set_evaluation(&mut self, node: usize, score: NodeScore, best: Option<String>) {
        if let Some(node) = self.record.tree.analysis_mut(node) {
            (node.score, node.best) = (Some(score), best);
        }
    }

    /// Stores what a review has found about a position. This is no edit.
    pub fn set_review(&mut self, node: usize, review: NodeReview) {
        if let Some(node) = self.record.tree.analysis_mut(node) {
            node.review = Some(review);
        }
    }
}
