//! A game with its variations, as the page shows it: moves in text, and nothing of their meaning.

use serde::{Deserialize, Serialize};

use crate::wire::ScoreDto;

/// A move of the tree. The first node is the start and has no text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextNode {
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
    pub score: Option<ScoreDto>,
    /// The best move after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// What may follow, the main line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
}

/// A node as the page sees it.
#[derive(Clone, Debug, Serialize)]
pub struct NodeDto {
    /// Its number, which it keeps.
    pub node: usize,
    /// What stands of it.
    #[serde(flatten)]
    pub inner: TextNode,
    /// The move in the dialect chosen, with the signs of its glyphs.
    pub label: String,
    /// The best move from there in that dialect, where one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_label: Option<String>,
}

/// All moves of a game. Numbers are kept while a node stands; the last ones are given again after they were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextTree {
    nodes: Vec<Option<TextNode>>,
}

/// The start of every tree.
pub const ROOT: usize = 0;

impl Default for TextTree {
    fn default() -> Self {
        TextTree { nodes: vec![Some(TextNode::default())] }
    }
}

impl TextTree {
    /// A node by its number, if it is there.
    pub fn node(&self, node: usize) -> Option<&TextNode> {
        self.nodes.get(node)?.as_ref()
    }

    /// A node to be changed.
    pub fn node_mut(&mut self, node: usize) -> Option<&mut TextNode> {
        self.nodes.get_mut(node)?.as_mut()
    }

    /// The nodes that are there.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &TextNode)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Whether nothing has been played.
    pub fn has_no_moves(&self) -> bool {
        self.iter().count() == 1
    }

    /// The move of this text after a node: the one that is there, or a new one.
    ///
    /// # Panics
    /// If there is no such node: numbers from outside are looked up first.
    pub fn add_move(&mut self, parent: usize, text: &str) -> usize {
        let Some(node) = self.node(parent) else {
            panic!("there is no node {parent} after which {text} could stand")
        };
        let known = node.children.iter().copied().find(|&child| self.move_text(child) == text);
        known.unwrap_or_else(|| {
            let child = self.nodes.len();
            self.nodes.push(Some(TextNode { parent, text: text.to_owned(), ..TextNode::default() }));
            if let Some(node) = self.node_mut(parent) {
                node.children.push(child);
            }
            child
        })
    }

    /// The node of this tree that is reached by the moves of a node of another; where they part, the last common one.
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

    /// A node's move in the default dialect.
    pub fn move_text(&self, node: usize) -> &str {
        self.node(node).map_or("", |node| &node.text)
    }

    /// Removes a node and what follows it; the start stays.
    pub fn prune(&mut self, node: usize) {
        if node == ROOT {
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
    pub fn path(&self, mut node: usize) -> Vec<usize> {
        let mut road = Vec::new();
        while node != ROOT {
            road.push(node);
            node = self.node(node).map_or(ROOT, |node| node.parent);
        }
        road.reverse();
        road
    }

    /// The end of the main line from a node on.
    pub fn line_end(&self, mut node: usize) -> usize {
        while let Some(&child) = self.node(node).and_then(|node| node.children.first()) {
            node = child;
        }
        node
    }

    /// Whether what was read makes sense: parents before children, and known to each other.
    pub fn is_valid(&self) -> bool {
        let known = |number: usize, node: &TextNode| {
            let told = self.node(node.parent).is_some_and(|parent| parent.children.contains(&number));
            let children = node
                .children
                .iter()
                .all(|&child| child > number && self.node(child).is_some_and(|child| child.parent == number));
            children && (number == ROOT || (node.parent < number && told))
        };
        self.node(ROOT).is_some() && self.iter().all(|(number, node)| known(number, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A main line a b c, and x instead of b.
    fn example() -> TextTree {
        let mut tree = TextTree::default();
        let a = tree.add_move(ROOT, "a");
        let b = tree.add_move(a, "b");
        tree.add_move(b, "c");
        tree.add_move(a, "x");
        tree
    }

    #[test]
    fn a_move_is_there_once() {
        let mut tree = example();
        assert_eq!((tree.add_move(ROOT, "a"), tree.add_move(1, "x")), (1, 4));
        assert_eq!(tree.add_move(1, "y"), 5);
        assert!(tree.is_valid());
    }

    #[test]
    #[should_panic(expected = "there is no node 9 after which y could stand")]
    fn nothing_stands_after_a_node_that_is_not_there() {
        example().add_move(9, "y");
    }

    #[test]
    fn a_node_is_found_again_by_its_moves_and_not_by_its_number() {
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
    fn roads_and_tips() {
        let tree = example();
        assert_eq!((tree.path(3), tree.path(4), tree.path(ROOT)), (vec![1, 2, 3], vec![1, 4], vec![]));
        assert_eq!((tree.line_end(ROOT), tree.line_end(4)), (3, 4));
    }

    #[test]
    fn what_is_pruned_is_gone_with_all_that_follows() {
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
    fn a_tree_that_makes_no_sense_is_known_as_such() {
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
