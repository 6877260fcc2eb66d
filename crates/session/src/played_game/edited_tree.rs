//! The tree of moves of a game that is played or analysed. It remembers which nodes have changed, so that a change
//! costs what it changes: its caller saves, sends and undoes those nodes only.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use alfil_kernel::Side;
use alfil_records::{MoveTree, ROOT, TreeNode};

use crate::game_phase::GamePhase;
use crate::position_view::GameEnd;
use crate::review::{end_value_cp, search_value_cp};
use crate::search_task::SearchReport;

/// A move, what people have written to it, and what the engine has found about the position after it. The root has no
/// move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// The move in the default dialect.
    pub text: String,
    /// The comment on the move.
    pub comment: String,
    /// The NAGs of the move, as in PGN: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// The clock times in the notation of PGN: `[%clk 0:03:00]`.
    pub clocks: String,
    /// The score of the position.
    pub score: Option<NodeScore>,
    /// The best move of the position, in the default dialect.
    pub best: Option<String>,
    /// The move in the chosen dialect; `None` until it is first needed.
    pub label: Option<String>,
    /// What a review of the game has found. Later analyses of the position do not change it.
    pub review: Option<NodeReview>,
}

/// A node of an [`EditedTree`].
pub type AnnotatedNode = TreeNode<AnnotatedMove>;

impl AnnotatedMove {
    /// Returns the score of the position: that of the last analysis, or that of the review.
    pub fn known_score(&self) -> Option<NodeScore> {
        self.score.or(self.review.as_ref().map(|review| review.score))
    }

    /// Returns the best move of the position in the default dialect: that of the last analysis, or that of the review.
    pub fn known_best(&self) -> Option<&str> {
        let (own, review) = (self.best.as_deref(), self.review.as_ref());
        if self.score.is_some() { own } else { own.or_else(|| review?.best.as_deref()) }
    }

    /// Takes over the labels and what the engine has found from another state of the same move.
    pub(super) fn take_analysis(&mut self, other: &AnnotatedMove) {
        self.score = other.score;
        self.best.clone_from(&other.best);
        self.label.clone_from(&other.label);
        self.review.clone_from(&other.review);
    }
}

/// What a review has found about a position, from the first side's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeReview {
    /// The score.
    pub score: NodeScore,
    /// The probabilities of a win of the first side, a draw and a win of the second side, in permille.
    pub wdl: [u32; 3],
    /// The same after the second best move; `None` if no second move was searched.
    pub second_wdl: Option<[u32; 3]>,
    /// The best move in the default dialect; `None` if the game is over.
    pub best: Option<String>,
    /// The best move in the chosen dialect.
    pub best_label: Option<String>,
    /// The phase of the game.
    pub phase: GamePhase,
    /// The number of nodes of the search.
    pub nodes: u64,
}

/// The score of a position, from the first side's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeScore {
    /// The score in centipawns (hundredths of a disc in Othello).
    pub value: i32,
    /// The plies to a forced end: positive if the first side wins.
    pub mate: Option<i32>,
    /// Whether it is the solved score of the end of the game.
    pub is_exact: bool,
}

impl NodeScore {
    /// Converts the score of a search of a position in which `side` is to move.
    pub fn from_report(side: Side, report: &SearchReport) -> NodeScore {
        let sign = if side == Side::First { 1 } else { -1 };
        let mate = report.mate_plies;
        NodeScore {
            value: sign * search_value_cp(report.score, mate),
            mate: mate.map(|plies| sign * plies),
            is_exact: report.is_exact(),
        }
    }

    /// Returns the score of a finished game.
    pub fn from_game_end(game_end: &GameEnd) -> NodeScore {
        NodeScore { value: end_value_cp(game_end), mate: None, is_exact: game_end.margin != 0 }
    }
}

/// A node before and after an edit; `None` where it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeChange {
    /// The number of the node.
    pub node: usize,
    /// The node before the edit.
    pub before: Option<AnnotatedNode>,
    /// The node after the edit.
    pub after: Option<AnnotatedNode>,
}

/// The moves of a game, with the nodes that were changed.
///
/// ```
/// use alfil_session::played_game::{EditedTree, ROOT};
///
/// let mut tree = EditedTree::default();
/// let main = tree.add_move(ROOT, "e2e4");
/// let variation = tree.add_move(ROOT, "d2d4");
/// assert_eq!(tree.add_move(ROOT, "e2e4"), main);
/// assert!(tree.promote(variation));
/// assert_eq!(tree.move_text(tree.line_end(ROOT)), "d2d4");
/// ```
#[derive(Clone, Debug)]
pub struct EditedTree {
    moves: MoveTree<AnnotatedMove>,
    /// The nodes that were changed, added or removed since [`EditedTree::take_changed`].
    changed: BTreeSet<usize>,
    /// The nodes as they were before the current edit.
    before_edit: BTreeMap<usize, Option<AnnotatedNode>>,
}

impl From<MoveTree<AnnotatedMove>> for EditedTree {
    fn from(moves: MoveTree<AnnotatedMove>) -> Self {
        EditedTree { moves, changed: BTreeSet::new(), before_edit: BTreeMap::new() }
    }
}

impl Default for EditedTree {
    fn default() -> Self {
        let start = AnnotatedMove { label: Some(String::new()), ..AnnotatedMove::default() };
        MoveTree::new(start).into()
    }
}

/// All that reads a tree.
impl Deref for EditedTree {
    type Target = MoveTree<AnnotatedMove>;

    fn deref(&self) -> &MoveTree<AnnotatedMove> {
        &self.moves
    }
}

impl EditedTree {
    /// Returns a node for changes of its text, and marks it as changed.
    pub fn node_mut(&mut self, node: usize) -> Option<&mut AnnotatedMove> {
        self.mark_changed(node);
        self.labels_mut(node)
    }

    /// Returns a node for changes that are no edit: labels and evaluations. It is marked as changed.
    pub(super) fn analysis_mut(&mut self, node: usize) -> Option<&mut AnnotatedMove> {
        self.changed.insert(node);
        self.labels_mut(node)
    }

    /// Returns a node for new labels, which are neither saved nor an edit.
    pub(super) fn labels_mut(&mut self, node: usize) -> Option<&mut AnnotatedMove> {
        self.moves.node_mut(node).map(|node| &mut node.value)
    }

    fn mark_changed(&mut self, node: usize) {
        self.changed.insert(node);
        if !self.before_edit.contains_key(&node) {
            self.before_edit.insert(node, self.node(node).cloned());
        }
    }

    /// Returns the nodes that were changed, added or removed since the last call.
    pub fn take_changed(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.changed)
    }

    /// Ends an edit: returns the nodes that it has changed.
    pub(super) fn finish_edit(&mut self) -> Vec<NodeChange> {
        let before = std::mem::take(&mut self.before_edit);
        let change = |(node, before)| NodeChange { node, before, after: self.node(node).cloned() };
        before.into_iter().map(change).filter(|change| change.before != change.after).collect()
    }

    /// Sets a node to an earlier or later state of its text. Its label and its evaluation are kept.
    pub(super) fn restore(&mut self, number: usize, state: Option<&AnnotatedNode>) {
        let mut state = state.cloned();
        if let (Some(state), Some(node)) = (&mut state, self.node(number)) {
            state.take_analysis(node);
        }
        self.moves.replace(number, state);
        self.changed.insert(number);
    }

    /// Returns the child with this move, which is added if it does not exist.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add_move(&mut self, parent: usize, text: &str) -> usize {
        let known = self.children(parent).find(|&child| self.move_text(child) == text);
        known.unwrap_or_else(|| {
            self.mark_changed(parent);
            let mv = AnnotatedMove { text: text.to_owned(), ..AnnotatedMove::default() };
            let child = self.moves.add(parent, mv);
            self.changed.insert(child);
            self.before_edit.entry(child).or_insert(None);
            child
        })
    }

    /// Removes a node with its descendants, and returns the number of removed nodes; the root stays.
    pub fn remove(&mut self, node: usize) -> usize {
        if let Some(parent) = self.parent(node) {
            self.mark_changed(parent);
            self.with_descendants(node).into_iter().for_each(|node| self.mark_changed(node));
        }
        self.moves.remove(node)
    }

    /// Puts a variation first, as [`MoveTree::promote`] does; returns whether the node is in a variation.
    pub fn promote(&mut self, node: usize) -> bool {
        if let Some((parent, _)) = self.branch_point(node) {
            self.mark_changed(parent);
        }
        self.moves.promote(node)
    }

    /// Returns the node with the same moves as `node` of another tree, or with the longest common part of them.
    pub fn corresponding_node(&self, other: &EditedTree, node: usize) -> usize {
        let mut at = ROOT;
        for step in other.path(node) {
            match self.children(at).find(|&child| self.move_text(child) == other.move_text(step)) {
                Some(child) => at = child,
                None => break,
            }
        }
        at
    }

    /// Returns the move of a node in the default dialect.
    pub fn move_text(&self, node: usize) -> &str {
        self.node(node).map_or("", |node| &node.text)
    }

    /// Returns whether another tree has the same moves, comments and marks under the same numbers; labels and
    /// evaluations may differ.
    pub fn has_same_text(&self, other: &EditedTree) -> bool {
        let text = |(number, node): (usize, &AnnotatedNode)| {
            let AnnotatedMove { text, comment, nags, clocks, .. } = node.value.clone();
            let text = AnnotatedMove { text, comment, nags, clocks, ..AnnotatedMove::default() };
            (number, TreeNode::new(node.parent(), node.children(), text))
        };
        self.move_count() == other.move_count() && self.iter().map(text).eq(other.iter().map(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tree with the main line a b c and the variation x after a.
    fn example() -> EditedTree {
        let mut tree = EditedTree::default();
        let a = tree.add_move(ROOT, "a");
        let b = tree.add_move(a, "b");
        tree.add_move(b, "c");
        tree.add_move(a, "x");
        tree
    }

    #[test]
    fn a_move_is_added_once() {
        let mut tree = example();
        assert_eq!((tree.add_move(ROOT, "a"), tree.add_move(1, "x")), (1, 4));
        assert_eq!((tree.add_move(1, "y"), tree.move_count()), (5, 5));
        assert!(tree.is_valid());
    }

    #[test]
    fn nodes_correspond_by_moves_and_not_by_number() {
        let mut other = EditedTree::default();
        let x = other.add_move(ROOT, "x");
        let a = other.add_move(ROOT, "a");
        let y = other.add_move(a, "y");
        assert_eq!(
            (
                example().corresponding_node(&other, a),
                example().corresponding_node(&other, y),
                example().corresponding_node(&other, x)
            ),
            (1, 1, ROOT)
        );
    }

    #[test]
    fn evaluations_are_no_text() {
        let (tree, mut other) = (example(), example());
        other.node_mut(2).unwrap().score = Some(NodeScore { value: 3, mate: None, ..NodeScore::default() });
        other.node_mut(2).unwrap().label = Some("B".into());
        assert!(tree.has_same_text(&other));
        other.node_mut(2).unwrap().nags.push(1);
        assert!(!tree.has_same_text(&other));
        assert!(!tree.has_same_text(&EditedTree::default()));
    }

    #[test]
    fn only_changed_nodes_are_reported() {
        let mut tree = example();
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        tree.add_move(4, "z");
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [4, 5]);
        tree.remove(2);
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(tree.take_changed().is_empty());
    }

    #[test]
    fn an_edit_can_be_reverted_node_by_node() {
        let mut tree = example();
        tree.finish_edit();
        let original = tree.clone();
        tree.remove(2);
        tree.add_move(4, "z");
        let changes = tree.finish_edit();
        assert!(changes.iter().map(|change| change.node).eq([1, 2, 3, 4, 5]), "{changes:?}");
        for change in &changes {
            tree.restore(change.node, change.before.as_ref());
        }
        assert!(tree.is_valid() && tree.iter().eq(original.iter()));
        assert_eq!(tree.move_count(), original.move_count());
    }
}
