//! The edits of a played game, so that each of them can be undone and redone.

use std::collections::VecDeque;

use alfil_kernel::Side;

use super::edited_tree::{AnnotatedNode, EditedTree, NodeChange};

/// The maximal number of edits that can be undone.
const MAX_EDITS: usize = 1_000;

/// The maximal number of nodes of a tree on which stored edits are tried. A tree grows to the number of the node that
/// an edit changes, so a damaged edit could fill the memory; games have fewer moves.
const MAX_NODES: usize = 1 << 17;

/// The kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditKind {
    /// One or several moves were played.
    Moves,
    /// The last moves were taken back.
    TakeBack,
    /// A move was deleted with all moves after it.
    Deletion,
    /// A comment was changed.
    Comment,
    /// The annotation marks of a move were changed.
    Marks,
    /// A variation was put before the other moves at its branch point.
    Promotion,
    /// The tags were changed.
    Tags,
    /// The person resigned.
    Resignation,
}

impl EditKind {
    /// All kinds.
    pub const ALL: [EditKind; 8] = [
        EditKind::Moves,
        EditKind::TakeBack,
        EditKind::Deletion,
        EditKind::Comment,
        EditKind::Marks,
        EditKind::Promotion,
        EditKind::Tags,
        EditKind::Resignation,
    ];

    /// Returns the name in data.
    pub const fn name(self) -> &'static str {
        match self {
            EditKind::Moves => "moves",
            EditKind::TakeBack => "take_back",
            EditKind::Deletion => "deletion",
            EditKind::Comment => "comment",
            EditKind::Marks => "marks",
            EditKind::Promotion => "promotion",
            EditKind::Tags => "tags",
            EditKind::Resignation => "resignation",
        }
    }

    /// Returns whether such an edit adds or removes moves, or ends the game.
    pub const fn changes_play(self) -> bool {
        !matches!(self, EditKind::Comment | EditKind::Marks | EditKind::Promotion | EditKind::Tags)
    }
}

/// An edit that was made, undone or redone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditSummary {
    /// The kind of the edit.
    pub kind: EditKind,
    /// The number of moves that it added or removed.
    pub moves: usize,
}

/// Tags: names and values in their order.
pub type TagList = Vec<(String, String)>;

/// An edit with the states before and after it.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The kind of the edit.
    pub kind: EditKind,
    /// The changed nodes, in the order of their numbers.
    pub changes: Vec<NodeChange>,
    /// The tags before and after the edit, if it changed them.
    pub tags: Option<[TagList; 2]>,
    /// The side that had resigned before and after the edit.
    pub resigned: [Option<Side>; 2],
    /// The current node before and after the edit.
    pub current_node: [usize; 2],
    /// The ply from which the clock ran before and after the edit.
    pub clock_start_ply: [usize; 2],
}

/// The direction in which an edit is applied: its index is that of the state to restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditDirection {
    Undo = 0,
    Redo = 1,
}

impl NodeChange {
    /// Returns the state of the node after an edit is applied in a direction.
    fn state(&self, direction: EditDirection) -> Option<&AnnotatedNode> {
        match direction {
            EditDirection::Undo => self.before.as_ref(),
            EditDirection::Redo => self.after.as_ref(),
        }
    }

    /// Returns the state of the node before an edit is applied in a direction.
    fn present_state_mut(&mut self, direction: EditDirection) -> Option<&mut AnnotatedNode> {
        match direction {
            EditDirection::Undo => self.after.as_mut(),
            EditDirection::Redo => self.before.as_mut(),
        }
    }
}

impl Edit {
    /// Returns whether the edit changed nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.tags.is_none() && self.resigned[0] == self.resigned[1]
    }

    /// Returns the kind and the number of moves.
    pub(super) fn summary(&self) -> EditSummary {
        let is_move = |change: &&NodeChange| change.before.is_none() != change.after.is_none();
        EditSummary { kind: self.kind, moves: self.changes.iter().filter(is_move).count() }
    }

    /// Returns whether a node does not exist after the edit is applied in this direction.
    pub(super) fn removes(&self, node: usize, direction: EditDirection) -> bool {
        // The changes are in the order of their nodes.
        let found = self.changes.binary_search_by_key(&node, |change| change.node);
        found.is_ok_and(|index| self.changes[index].state(direction).is_none())
    }

    /// Sets the nodes of the tree to their state before or after the edit; returns whether all of them have labels.
    pub(super) fn apply(&self, tree: &mut EditedTree, direction: EditDirection) -> bool {
        for change in &self.changes {
            tree.restore(change.node, change.state(direction));
        }
        let mut nodes = self.changes.iter().filter_map(|change| tree.node(change.node));
        nodes.all(|node| node.label.is_some())
    }
}

/// The edits that can be undone, and those that can be redone.
#[derive(Clone, Debug, Default)]
pub struct EditHistory {
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
}

impl EditHistory {
    /// Creates a history: the edits that can be undone, the last one at the end, and those that can be redone, the next
    /// one at the end.
    pub fn new(done: Vec<Edit>, undone: Vec<Edit>) -> EditHistory {
        EditHistory { done: done.into(), undone }
    }

    /// Iterates over the edits that can be undone, in their order.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Edit> {
        self.done.iter()
    }

    /// Iterates over the edits that can be redone, the next one at the end.
    pub fn undone(&self) -> impl DoubleEndedIterator<Item = &Edit> {
        self.undone.iter()
    }

    /// Returns whether the edits can be undone and redone from the end of a game with these moves: those that were
    /// stored may be damaged.
    pub fn fits(&self, tree: &EditedTree) -> bool {
        let all = || self.done.iter().chain(&self.undone);
        let is_small = |change: &NodeChange| change.node < MAX_NODES;
        let is_possible = |tree: &mut EditedTree, edit: &Edit, direction: EditDirection| {
            edit.apply(tree, direction);
            tree.is_valid() && tree.node(edit.current_node[direction as usize]).is_some()
        };
        let (mut back, mut forth) = (tree.clone(), tree.clone());
        all().all(|edit| edit.changes.iter().all(is_small))
            && self.done.iter().rev().all(|edit| is_possible(&mut back, edit, EditDirection::Undo))
            && self.undone.iter().rev().all(|edit| is_possible(&mut forth, edit, EditDirection::Redo))
    }

    /// Adds an edit. The undone edits cannot be redone any more.
    pub(super) fn push(&mut self, edit: Edit) {
        self.undone.clear();
        if self.done.len() == MAX_EDITS {
            self.done.pop_front();
        }
        self.done.push_back(edit);
    }

    /// Returns whether the last edit has changed the comment of a node, and nothing was undone since.
    pub(super) fn is_comment_on(&self, node: usize) -> bool {
        let is_comment = |edit: &Edit| {
            edit.kind == EditKind::Comment && edit.changes.iter().all(|change| change.node == node)
        };
        self.undone.is_empty() && self.done.back().is_some_and(is_comment)
    }

    /// Makes one edit of the last two, which have changed the same comment. If both together change nothing, none is
    /// left.
    pub(super) fn join_comments(&mut self) {
        let Some([former, last]) = self.done.make_contiguous().last_chunk_mut::<2>() else { return };
        let ([before], [after]) = (&mut former.changes[..], &mut last.changes[..]) else { return };
        if before.node != after.node {
            return;
        }
        before.after = after.after.take();
        let comment = |node: &Option<AnnotatedNode>| node.as_ref().map(|node| node.comment.clone());
        let is_as_before = comment(&before.before) == comment(&before.after);
        self.done.truncate(self.done.len() - 1 - usize::from(is_as_before));
    }

    /// Removes the labels of the removed nodes, because they are in another dialect.
    pub(super) fn clear_labels(&mut self) {
        let edits = self.done.iter_mut().chain(&mut self.undone);
        for change in edits.flat_map(|edit| &mut edit.changes) {
            for node in [&mut change.before, &mut change.after].into_iter().flatten() {
                node.label = None;
                if let Some(review) = &mut node.review {
                    review.best_label = None;
                }
            }
        }
    }

    /// Returns whether an edit of moves can be undone or redone.
    pub(super) fn has_moves(&self, direction: EditDirection) -> bool {
        let is_moves = |edit: &Edit| edit.kind == EditKind::Moves;
        match direction {
            EditDirection::Undo => self.done.iter().any(is_moves),
            EditDirection::Redo => self.undone.iter().any(is_moves),
        }
    }

    /// Returns the edit that is the next to be undone or redone.
    pub(super) fn next(&self, direction: EditDirection) -> Option<&Edit> {
        match direction {
            EditDirection::Undo => self.done.back(),
            EditDirection::Redo => self.undone.last(),
        }
    }

    /// Notes what was found about the nodes that the next edit removes, so that they have it when they come back.
    pub(super) fn keep_analysis(&mut self, direction: EditDirection, tree: &EditedTree) {
        let next = match direction {
            EditDirection::Undo => self.done.back_mut(),
            EditDirection::Redo => self.undone.last_mut(),
        };
        for change in next.into_iter().flat_map(|edit| &mut edit.changes) {
            let (number, is_removed) = (change.node, change.state(direction).is_none());
            if let (true, Some(kept), Some(node)) =
                (is_removed, change.present_state_mut(direction), tree.node(number))
            {
                kept.take_analysis(node);
            }
        }
    }

    /// Moves the next edit to the other list, and returns it.
    pub(super) fn step(&mut self, direction: EditDirection) -> Option<&Edit> {
        match direction {
            EditDirection::Undo => {
                self.undone.push(self.done.pop_back()?);
                self.undone.last()
            }
            EditDirection::Redo => {
                self.done.push_back(self.undone.pop()?);
                self.done.back()
            }
        }
    }

    /// Returns whether there is nothing to undo or redo.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty() && self.undone.is_empty()
    }

    /// Returns the edit that [`PlayedGame::undo_edit`](super::PlayedGame::undo_edit) would undo.
    pub fn last_done(&self) -> Option<EditSummary> {
        self.done.back().map(Edit::summary)
    }

    /// Returns the edit that [`PlayedGame::redo_edit`](super::PlayedGame::redo_edit) would redo.
    pub fn last_undone(&self) -> Option<EditSummary> {
        self.undone.last().map(Edit::summary)
    }
}
