//! A game with its variations, as the page shows it: moves in text, and nothing of their meaning.

use serde::{Deserialize, Serialize};

use crate::wire::ScoreShape;

/// A move of the tree. The first node is the start and has no text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The move before; the start is its own.
    pub parent: usize,
    /// The move in the default dialect.
    pub text: String,
    /// What somebody said about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Glyphs, as PGN numbers them: 1 is `!`, 2 is `?`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What clocks said, as records write it: `[%clk 0:03:00]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clocks: String,
    /// What the position after it is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreShape>,
    /// The best move after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// What may follow, the main line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
}

/// A node as the page sees it.
#[derive(Clone, Debug, Serialize)]
pub struct NodeShape {
    /// Its number, which it keeps.
    pub node: usize,
    /// What stands of it.
    #[serde(flatten)]
    pub inner: Node,
    /// The move in the dialect chosen, with the signs of its glyphs.
    pub label: String,
    /// The best move from there in that dialect, where one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_label: Option<String>,
}

/// All moves of a game. Numbers are kept while a node stands; the last ones are given again after they were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Option<Node>>,
}

/// The start of every tree.
pub const START: usize = 0;

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Some(Node::default())] }
    }
}

impl Tree {
    /// A node by its number, if it is there.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)?.as_ref()
    }

    /// A node to be changed.
    pub fn node_mut(&mut self, node: usize) -> Option<&mut Node> {
        self.nodes.get_mut(node)?.as_mut()
    }

    /// The nodes that are there.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Whether nothing has been played.
    pub fn is_bare(&self) -> bool {
        self.iter().count() == 1
    }

    /// The move of this text after a node: the one that is there, or a new one.
    ///
    /// # Panics
    /// If there is no such node: numbers from outside are looked up first.
    pub fn grow(&mut self, parent: usize, text: &str) -> usize {
        let Some(node) = self.node(parent) else {
            panic!("there is no node {parent} after which {text} could stand")
        };
        let known = node.children.iter().copied().find(|&child| self.text(child) == text);
        known.unwrap_or_else(|| {
            let child = self.nodes.len();
            self.nodes.push(Some(Node { parent, text: text.to_owned(), ..Node::default() }));
            if let Some(node) = self.node_mut(parent) {
                node.children.push(child);
            }
            child
        })
    }

    /// The node of this tree that is reached by the moves of a node of another; where they part, the last common one.
    pub fn same(&self, other: &Tree, node: usize) -> usize {
        let mut at = START;
        for step in other.road(node) {
            let mut children = self.node(at).into_iter().flat_map(|node| &node.children).copied();
            let Some(child) = children.find(|&child| self.text(child) == other.text(step)) else { break };
            at = child;
        }
        at
    }

    /// A node's move in the default dialect.
    pub fn text(&self, node: usize) -> &str {
        self.node(node).map_or("", |node| &node.text)
    }

    /// Removes a node and what follows it; the start stays.
    pub fn prune(&mut self, node: usize) {
        if node == START {
            return;
        }
        let Some(removed) = self.nodes.get_mut(node).and_then(Option::take) else { return };
        if let Some(parent) = self.node_mut(removed.parent) {
            parent.children.retain(|&child| child != node);
        }
        let mut doomed = removed.children;
        while let Some(child) = doomed.pop() {
            doomed.extend(self.nodes[child].take().map(|node| node.children).unwrap_or_default());
        }
        while self.nodes.len() > 1 && self.nodes.last().is_some_and(Option::is_none) {
            self.nodes.pop();
        }
    }

    /// The nodes from the first move to this one.
    pub fn road(&self, mut node: usize) -> Vec<usize> {
        let mut road = Vec::new();
        while node != START {
            road.push(node);
            node = self.node(node).map_or(START, |node| node.parent);
        }
        road.reverse();
        road
    }

    /// The end of the main line from a node on.
    pub fn tip(&self, mut node: usize) -> usize {
        while let Some(&child) = self.node(node).and_then(|node| node.children.first()) {
            node = child;
        }
        node
    }

    /// Whether what was read makes sense: parents before children, and known to each other.
    pub fn is_sound(&self) -> bool {
        let known = |number: usize, node: &Node| {
            let told = self.node(node.parent).is_some_and(|parent| parent.children.contains(&number));
            let children = node
                .children
                .iter()
                .all(|&child| child > number && self.node(child).is_some_and(|child| child.parent == number));
            children && (number == START || (node.parent < number && told))
        };
        self.node(START).is_some() && self.iter().all(|(number, node)| known(number, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A main line a b c, and x instead of b.
    fn example() -> Tree {
        let mut tree = Tree::default();
        let a = tree.grow(START, "a");
        let b = tree.grow(a, "b");
        tree.grow(b, "c");
        tree.grow(a, "x");
        tree
    }

    #[test]
    fn a_move_is_there_once() {
        let mut tree = example();
        assert_eq!((tree.grow(START, "a"), tree.grow(1, "x")), (1, 4));
        assert_eq!(tree.grow(1, "y"), 5);
        assert!(tree.is_sound());
    }

    #[test]
    #[should_panic(expected = "there is no node 9 after which y could stand")]
    fn nothing_stands_after_a_node_that_is_not_there() {
        example().grow(9, "y");
    }

    #[test]
    fn a_node_is_found_again_by_its_moves_and_not_by_its_number() {
        let mut other = Tree::default();
        let x = other.grow(START, "x");
        let a = other.grow(START, "a");
        let y = other.grow(a, "y");
        assert_eq!(
            (example().same(&other, a), example().same(&other, y), example().same(&other, x)),
            (1, 1, START)
        );
    }

    #[test]
    fn roads_and_tips() {
        let tree = example();
        assert_eq!((tree.road(3), tree.road(4), tree.road(START)), (vec![1, 2, 3], vec![1, 4], vec![]));
        assert_eq!((tree.tip(START), tree.tip(4)), (3, 4));
    }

    #[test]
    fn what_is_pruned_is_gone_with_all_that_follows() {
        let mut tree = example();
        tree.prune(2);
        assert_eq!(tree.iter().map(|(number, _)| number).collect::<Vec<_>>(), [0, 1, 4]);
        assert_eq!(tree.tip(START), 4);
        tree.prune(START);
        assert!(tree.is_sound() && tree.node(START).is_some());
        tree.prune(1);
        assert!(tree.is_bare());
    }

    #[test]
    fn a_tree_that_makes_no_sense_is_known_as_such() {
        for text in [
            r#"{"nodes":[]}"#,
            r#"{"nodes":[null]}"#,
            r#"{"nodes":[{"parent":0,"text":"","children":[7]}]}"#,
            r#"{"nodes":[{"parent":0,"text":""},{"parent":1,"text":"a","children":[1]}]}"#,
            r#"{"nodes":[{"parent":0,"text":""},{"parent":0,"text":"a"}]}"#,
        ] {
            assert!(!serde_json::from_str::<Tree>(text).unwrap().is_sound(), "{text}");
        }
        let text = serde_json::to_string(&example()).unwrap();
        assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), example());
    }
}
