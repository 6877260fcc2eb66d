//! A game with its variations as a tree of moves in text form. The tree remembers which nodes have changed, so that a
//! change costs what it changes: its caller saves, sends and undoes those nodes only.

use std::collections::{BTreeMap, BTreeSet};

use alfil_kernel::Side;

use crate::game_phase::GamePhase;
use crate::game_session::GameEnd;
use crate::review::{end_value_cp, search_value_cp};

/// A node of the tree: a move and the position after it. The root has no move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextNode {
    /// The number of the parent; the root is its own parent.
    pub parent: usize,
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
    /// The children, the main line first.
    pub children: Vec<usize>,
    /// The move in the chosen dialect; `None` until it is first needed.
    pub label: Option<String>,
    /// The best move in the chosen dialect, if there is one.
    pub best_label: Option<String>,
    /// What a review of the game has found. Later analyses of the position do not change it.
    pub review: Option<NodeReview>,
}

impl TextNode {
    /// Returns the score of the position: that of the last analysis, or that of the review.
    pub fn known_score(&self) -> Option<NodeScore> {
        self.score.or(self.review.as_ref().map(|review| review.score))
    }

    /// Returns the best move of the position in the default dialect: that of the last analysis, or that of the review.
    pub fn known_best(&self) -> Option<&str> {
        let (own, review) = (self.best.as_deref(), self.review.as_ref());
        if self.score.is_some() { own } else { own.or_else(|| review?.best.as_deref()) }
    }

    /// Returns the move of [`TextNode::known_best`] in the chosen dialect.
    pub fn known_best_label(&self) -> Option<&str> {
        let (own, review) = (self.best_label.as_deref(), self.review.as_ref());
        if self.score.is_some() { own } else { own.or_else(|| review?.best_label.as_deref()) }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeScore {
    /// The score in centipawns (hundredths of a disc in Othello).
    pub value: i32,
    /// The plies to a forced end: positive if the first side wins.
    pub mate: Option<i32>,
}

impl NodeScore {
    /// Converts a search score from the view of `side` to that of the first side.
    pub fn from_side_score(side: Side, score: i32, mate: Option<i32>) -> NodeScore {
        let sign = if side == Side::First { 1 } else { -1 };
        NodeScore { value: sign * search_value_cp(score, mate), mate: mate.map(|plies| sign * plies) }
    }

    /// Returns the score of a finished game.
    pub fn from_game_end(game_end: &GameEnd) -> NodeScore {
        NodeScore { value: end_value_cp(game_end), mate: None }
    }
}

/// A node before and after an edit; `None` where it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeChange {
    /// The number of the node.
    pub node: usize,
    /// The node before the edit.
    pub before: Option<TextNode>,
    /// The node after the edit.
    pub after: Option<TextNode>,
}

/// The moves of a game. A node keeps its number; the highest numbers are used again after their nodes were removed.
#[derive(Clone, Debug)]
pub struct TextTree {
    nodes: Vec<Option<TextNode>>,
    /// The number of nodes.
    count: usize,
    /// The nodes that were changed, added or removed since [`TextTree::take_changed`].
    changed: BTreeSet<usize>,
    /// The nodes as they were before the current edit.
    before_edit: BTreeMap<usize, Option<TextNode>>,
}

/// The root of every tree.
pub const ROOT: usize = 0;

impl Default for TextTree {
    fn default() -> Self {
        TextTree::from_nodes(vec![Some(TextNode { label: Some(String::new()), ..TextNode::default() })])
    }
}

impl TextTree {
    /// Creates a tree from its nodes by number. Trees from outside the program have to be checked by
    /// [`TextTree::is_valid`].
    pub fn from_nodes(nodes: Vec<Option<TextNode>>) -> TextTree {
        let count = nodes.iter().flatten().count();
        TextTree { nodes, count, changed: BTreeSet::new(), before_edit: BTreeMap::new() }
    }

    /// Returns a node.
    pub fn node(&self, node: usize) -> Option<&TextNode> {
        self.nodes.get(node)?.as_ref()
    }

    /// Returns a node for changes of its text, and marks it as changed.
    pub fn node_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.mark_changed(node);
        self.slot_mut(node)
    }

    /// Returns a node for changes that are no edit: labels and evaluations. It is marked as changed.
    pub(super) fn findings_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.changed.insert(node);
        self.slot_mut(node)
    }

    /// Returns a node for new labels, which are neither saved nor an edit.
    pub(super) fn labels_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.slot_mut(node)
    }

    fn slot_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.nodes.get_mut(node)?.as_mut()
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
    pub(super) fn restore(&mut self, number: usize, state: Option<&TextNode>) {
        let mut state = state.cloned();
        if let (Some(state), Some(node)) = (&mut state, self.node(number)) {
            state.score = node.score;
            state.best.clone_from(&node.best);
            state.label.clone_from(&node.label);
            state.best_label.clone_from(&node.best_label);
            state.review.clone_from(&node.review);
        }
        if number >= self.nodes.len() {
            self.nodes.resize(number + 1, None);
        }
        self.count = self.count + usize::from(state.is_some()) - usize::from(self.nodes[number].is_some());
        self.nodes[number] = state;
        self.changed.insert(number);
        self.drop_empty_end();
    }

    fn drop_empty_end(&mut self) {
        while self.nodes.len() > 1 && self.nodes.last().is_some_and(Option::is_none) {
            self.nodes.pop();
        }
    }

    /// Iterates over the nodes with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &TextNode)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Returns the number of moves, variations included.
    pub fn move_count(&self) -> usize {
        self.count.saturating_sub(1)
    }

    /// Returns the child with this move, which is added if it does not exist.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add_move(&mut self, parent: usize, text: &str) -> usize {
        let Some(node) = self.node(parent) else { panic!("cannot add {text}: there is no node {parent}") };
        let known = node.children.iter().copied().find(|&child| self.move_text(child) == text);
        known.unwrap_or_else(|| {
            let child = self.nodes.len();
            self.mark_changed(child);
            self.nodes.push(Some(TextNode { parent, text: text.to_owned(), ..TextNode::default() }));
            self.count += 1;
            if let Some(node) = self.node_mut(parent) {
                node.children.push(child);
            }
            child
        })
    }

    /// Returns the node with the same moves as `node` of another tree, or with the longest common part of them.
    pub fn corresponding_node(&self, other: &TextTree, node: usize) -> usize {
        let mut at = ROOT;
        for step in other.path(node) {
            let mut children = self.node(at).into_iter().flat_map(|node| &node.children).copied();
            let Some(child) = children.find(|&child| self.move_text(child) == other.move_text(step)) else {
                break;
            };
            at = child;
        }
        at
    }

    /// Returns the move of a node in the default dialect.
    pub fn move_text(&self, node: usize) -> &str {
        self.node(node).map_or("", |node| &node.text)
    }

    /// Removes a node with its descendants, and returns the number of removed nodes; the root stays.
    pub fn prune(&mut self, node: usize) -> usize {
        if node == ROOT || self.node(node).is_none() {
            return 0;
        }
        let parent = self.node(node).map_or(ROOT, |node| node.parent);
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|&child| child != node);
        }
        let (mut pending, mut removed) = (vec![node], 0);
        while let Some(node) = pending.pop() {
            self.mark_changed(node);
            let Some(node) = self.nodes[node].take() else { continue };
            removed += 1;
            pending.extend(node.children);
        }
        self.count -= removed;
        self.drop_empty_end();
        removed
    }

    /// Puts the variation to which a node belongs before the other moves of its fork: before the main line, if it is a
    /// variation of the main line. Returns whether there is such a fork.
    pub fn promote(&mut self, mut node: usize) -> bool {
        while let Some(parent) = self.node(node).map(|node| node.parent).filter(|_| node != ROOT) {
            if self.node(parent).is_some_and(|parent| parent.children.first() != Some(&node)) {
                if let Some(parent) = self.node_mut(parent) {
                    parent.children.retain(|&child| child != node);
                    parent.children.insert(0, node);
                }
                return true;
            }
            node = parent;
        }
        false
    }

    /// Returns whether another tree has the same moves, comments and marks under the same numbers; labels and
    /// evaluations may differ.
    pub fn has_same_text(&self, other: &TextTree) -> bool {
        let text = |node: &TextNode| {
            let TextNode { parent, text, comment, nags, clocks, children, .. } = node.clone();
            TextNode { parent, text, comment, nags, clocks, children, ..TextNode::default() }
        };
        let texts =
            |tree: &TextTree| tree.iter().map(|(number, node)| (number, text(node))).collect::<Vec<_>>();
        self.count == other.count && texts(self) == texts(other)
    }

    /// Returns the nodes from the first move to this one.
    pub fn path(&self, mut node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while node != ROOT {
            path.push(node);
            node = self.node(node).map_or(ROOT, |node| node.parent);
        }
        path.reverse();
        path
    }

    /// Returns whether `node` is `ancestor` or one of its descendants.
    pub fn is_below(&self, mut node: usize, ancestor: usize) -> bool {
        while node != ancestor && node != ROOT {
            node = self.node(node).map_or(ROOT, |node| node.parent);
        }
        node == ancestor
    }

    /// Returns the end of the main line from a node on.
    pub fn line_end(&self, mut node: usize) -> usize {
        while let Some(&child) = self.node(node).and_then(|node| node.children.first()) {
            node = child;
        }
        node
    }

    /// Returns whether the links of a tree are consistent.
    pub fn is_valid(&self) -> bool {
        let is_linked = |number: usize, node: &TextNode| {
            let is_child = self.node(node.parent).is_some_and(|parent| parent.children.contains(&number));
            let children = node
                .children
                .iter()
                .all(|&child| child > number && self.node(child).is_some_and(|child| child.parent == number));
            children && (number == ROOT || (node.parent < number && is_child))
        };
        self.node(ROOT).is_some() && self.iter().all(|(number, node)| is_linked(number, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tree with the main line a b c and the variation x after a.
    fn example() -> TextTree {
        let mut tree = TextTree::default();
        let a = tree.add_move(ROOT, "a");
        let b = tree.add_move(a, "b");
        tree.add_move(b, "c");
        tree.add_move(a, "x");
        tree
    }

    fn numbers(tree: &TextTree) -> Vec<usize> {
        tree.iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn a_move_is_added_once() {
        let mut tree = example();
        assert_eq!((tree.add_move(ROOT, "a"), tree.add_move(1, "x")), (1, 4));
        assert_eq!((tree.add_move(1, "y"), tree.move_count()), (5, 5));
        assert!(tree.is_valid());
    }

    #[test]
    #[should_panic(expected = "cannot add y: there is no node 9")]
    fn adding_to_a_missing_node_panics() {
        example().add_move(9, "y");
    }

    #[test]
    fn nodes_correspond_by_moves_and_not_by_number() {
        let mut other = TextTree::default();
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
    fn paths_and_line_ends() {
        let tree = example();
        assert_eq!((tree.path(3), tree.path(4), tree.path(ROOT)), (vec![1, 2, 3], vec![1, 4], vec![]));
        assert_eq!((tree.line_end(ROOT), tree.line_end(4)), (3, 4));
        let below = |node, ancestor| tree.is_below(node, ancestor);
        assert!(below(3, 1) && below(3, 3) && below(3, ROOT) && !below(4, 2) && !below(1, 2));
    }

    #[test]
    fn pruning_removes_all_descendants() {
        let mut tree = example();
        assert_eq!((tree.prune(2), numbers(&tree)), (2, vec![0, 1, 4]));
        assert_eq!((tree.line_end(ROOT), tree.prune(2)), (4, 0));
        assert_eq!(tree.prune(ROOT), 0);
        assert!(tree.is_valid() && tree.node(ROOT).is_some());
        assert_eq!((tree.prune(1), tree.move_count()), (2, 0));
    }

    #[test]
    fn a_variation_is_promoted_one_fork_at_a_time() {
        let mut tree = example();
        let y = tree.add_move(4, "y");
        let z = tree.add_move(4, "z");
        assert!(tree.promote(z));
        assert_eq!((tree.line_end(4), tree.line_end(ROOT)), (z, 3));
        assert!(tree.promote(z));
        assert_eq!((tree.line_end(ROOT), tree.path(y)), (z, vec![1, 4, y]));
        assert!(!tree.promote(z) && !tree.promote(ROOT) && !tree.promote(99) && tree.is_valid());
    }

    #[test]
    fn evaluations_are_no_text() {
        let (tree, mut other) = (example(), example());
        other.node_mut(2).unwrap().score = Some(NodeScore { value: 3, mate: None });
        other.node_mut(2).unwrap().label = Some("B".into());
        assert!(tree.has_same_text(&other));
        other.node_mut(2).unwrap().nags.push(1);
        assert!(!tree.has_same_text(&other));
        assert!(!tree.has_same_text(&TextTree::default()));
    }

    #[test]
    fn only_changed_nodes_are_reported() {
        let mut tree = example();
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        tree.add_move(4, "z");
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [4, 5]);
        tree.prune(2);
        assert_eq!(tree.take_changed().into_iter().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(tree.take_changed().is_empty());
    }

    #[test]
    fn an_edit_can_be_reverted_node_by_node() {
        let mut tree = example();
        tree.finish_edit();
        let original = tree.clone();
        tree.prune(2);
        tree.add_move(4, "z");
        let changes = tree.finish_edit();
        assert!(changes.iter().map(|change| change.node).eq([1, 2, 3, 4, 5]), "{changes:?}");
        for change in &changes {
            tree.restore(change.node, change.before.as_ref());
        }
        assert!(tree.is_valid() && tree.iter().eq(original.iter()));
        assert_eq!(tree.move_count(), original.move_count());
    }

    #[test]
    fn inconsistent_trees_are_invalid() {
        let node = |parent, children: &[usize]| {
            Some(TextNode { parent, children: children.to_vec(), ..TextNode::default() })
        };
        for nodes in [
            vec![],
            vec![None],
            vec![node(0, &[7])],
            vec![node(0, &[]), node(1, &[1])],
            vec![node(0, &[]), node(0, &[])],
        ] {
            assert!(!TextTree::from_nodes(nodes.clone()).is_valid(), "{nodes:?}");
        }
    }
}
