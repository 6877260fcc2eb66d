//! A game with its variations as a tree of moves in text form.

use alfil_kernel::Side;
use alfil_session::GameEnd;
use alfil_session::review::{end_value_cp, search_value_cp};
use serde::{Deserialize, Serialize};

/// A node of the tree: a move and the position after it. The root has no move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextNode {
    /// The number of the parent; the root is its own parent.
    pub(crate) parent: usize,
    /// The move in the default dialect.
    pub(crate) text: String,
    /// The comment on the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) comment: String,
    /// The NAGs of the move, as in PGN: 1 is `!`, 2 is `?`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) nags: Vec<u8>,
    /// The clock times in the notation of PGN: `[%clk 0:03:00]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) clocks: String,
    /// The score of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<NodeScore>,
    /// The best move of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) best: Option<String>,
    /// The children, the main line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
}

/// The score of a position, from the first side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NodeScore {
    /// The score in centipawns (hundredths of a disc in Othello).
    pub(crate) value: i32,
    /// The plies to a forced end: positive if the first side wins.
    pub(crate) mate: Option<i32>,
}

impl NodeScore {
    /// Converts a search score from the view of `side` to that of the first side.
    pub(crate) fn from_side_score(side: Side, score: i32, mate: Option<i32>) -> NodeScore {
        let sign = if side == Side::First { 1 } else { -1 };
        NodeScore { value: sign * search_value_cp(score, mate), mate: mate.map(|plies| sign * plies) }
    }

    /// Returns the score of a finished game.
    pub(crate) fn from_game_end(game_end: &GameEnd) -> NodeScore {
        NodeScore { value: end_value_cp(game_end), mate: None }
    }
}

/// The moves of a game. A node keeps its number; the highest numbers are used again after their nodes were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextTree {
    nodes: Vec<Option<TextNode>>,
}

/// The root of every tree.
pub(crate) const ROOT: usize = 0;

impl Default for TextTree {
    fn default() -> Self {
        TextTree { nodes: vec![Some(TextNode::default())] }
    }
}

impl TextTree {
    /// Returns a node.
    pub(crate) fn node(&self, node: usize) -> Option<&TextNode> {
        self.nodes.get(node)?.as_ref()
    }

    /// Returns a node for changes.
    pub(crate) fn node_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.nodes.get_mut(node)?.as_mut()
    }

    /// Iterates over the nodes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &TextNode)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Returns whether the tree has only the root.
    pub(crate) fn has_no_moves(&self) -> bool {
        self.iter().count() == 1
    }

    /// Returns the child with this move, which is added if it does not exist.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub(crate) fn add_move(&mut self, parent: usize, text: &str) -> usize {
        let Some(node) = self.node(parent) else { panic!("cannot add {text}: there is no node {parent}") };
        let is_linked = node.children.iter().copied().find(|&child| self.move_text(child) == text);
        is_linked.unwrap_or_else(|| {
            let child = self.nodes.len();
            self.nodes.push(Some(TextNode { parent, text: text.to_owned(), ..TextNode::default() }));
            if let Some(node) = self.node_mut(parent) {
                node.children.push(child);
            }
            child
        })
    }

    /// Returns the node with the same moves as `node` of another tree, or with the longest common part of them.
    pub(crate) fn corresponding_node(&self, other: &TextTree, node: usize) -> usize {
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
    pub(crate) fn move_text(&self, node: usize) -> &str {
        self.node(node).map_or("", |node| &node.text)
    }

    /// Removes a node with its descendants; the root stays.
    pub(crate) fn prune(&mut self, node: usize) {
        if node == ROOT {
            return;
        }
        let Some(removed) = self.nodes.get_mut(node).and_then(Option::take) else { return };
        if let Some(parent) = self.node_mut(removed.parent) {
            parent.children.retain(|&child| child != node);
        }
        let mut removed_nodes = removed.children;
        while let Some(child) = removed_nodes.pop() {
            removed_nodes.extend(self.nodes[child].take().map(|node| node.children).unwrap_or_default());
        }
        while self.nodes.len() > 1 && self.nodes.last().is_some_and(Option::is_none) {
            self.nodes.pop();
        }
    }

    /// Returns the nodes from the first move to this one.
    pub(crate) fn path(&self, mut node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while node != ROOT {
            path.push(node);
            node = self.node(node).map_or(ROOT, |node| node.parent);
        }
        path.reverse();
        path
    }

    /// Returns the end of the main line from a node on.
    pub(crate) fn line_end(&self, mut node: usize) -> usize {
        while let Some(&child) = self.node(node).and_then(|node| node.children.first()) {
            node = child;
        }
        node
    }

    /// Returns whether the links of a loaded tree are consistent.
    pub(crate) fn is_valid(&self) -> bool {
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

    #[test]
    fn a_move_is_added_once() {
        let mut tree = example();
        assert_eq!((tree.add_move(ROOT, "a"), tree.add_move(1, "x")), (1, 4));
        assert_eq!(tree.add_move(1, "y"), 5);
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
    }

    #[test]
    fn pruning_removes_all_descendants() {
        let mut tree = example();
        tree.prune(2);
        assert_eq!(tree.iter().map(|(number, _)| number).collect::<Vec<_>>(), [0, 1, 4]);
        assert_eq!(tree.line_end(ROOT), 4);
        tree.prune(ROOT);
        assert!(tree.is_valid() && tree.node(ROOT).is_some());
        tree.prune(1);
        assert!(tree.has_no_moves());
    }

    #[test]
    fn inconsistent_trees_are_invalid() {
        for text in [
            r#"{"nodes":[]}"#,
            r#"{"nodes":[null]}"#,
            r#"{"nodes":[{"parent":0,"text":"","children":[7]}]}"#,
            r#"{"nodes":[{"parent":0,"text":""},{"parent":1,"text":"a","children":[1]}]}"#,
            r#"{"nodes":[{"parent":0,"text":""},{"parent":0,"text":"a"}]}"#,
        ] {
            assert!(!serde_json::from_str::<TextTree>(text).unwrap().is_valid(), "{text}");
        }
        let text = serde_json::to_string(&example()).unwrap();
        assert_eq!(serde_json::from_str::<TextTree>(&text).unwrap(), example());
    }
}
