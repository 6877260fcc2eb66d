//! Trees of moves: one type for the moves of a record, for those of a game as text, and for a game that is edited.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use smallvec::SmallVec;

/// The number of a node of a tree.
pub type NodeId = usize;

/// The start of every tree, before any move.
pub const ROOT: NodeId = 0;

/// A node of a tree: the start or a move. It dereferences to its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNode<T> {
    parent: NodeId,
    /// Most nodes have one child.
    children: SmallVec<[NodeId; 2]>,
    /// The move and what is known about it.
    pub value: T,
}

impl<T> TreeNode<T> {
    /// Creates a node for [`MoveTree::from_nodes`] or [`MoveTree::replace`].
    pub fn new(parent: NodeId, children: &[NodeId], value: T) -> Self {
        TreeNode { parent, children: SmallVec::from_slice(children), value }
    }

    /// Returns the parent; the root is its own parent.
    pub fn parent(&self) -> NodeId {
        self.parent
    }

    /// Returns the continuations, the main one first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

impl<T> Deref for TreeNode<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for TreeNode<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A step of [`MoveTree::traverse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// A variation begins: the next move replaces the previous one.
    OpenVariation,
    /// A move.
    Move(NodeId),
    /// A variation ends.
    CloseVariation,
}

/// The moves of a game with variations. The nodes have numbers in the order of their addition. A node keeps its number;
/// the highest numbers are used again after their nodes were removed.
///
/// Two trees are equal if they have the same values in the same order of [`MoveTree::traverse`]: the numbers of their
/// nodes may differ.
///
/// ```
/// use alfil_records::move_tree::{MoveTree, ROOT};
///
/// let mut tree = MoveTree::default();
/// let e4 = tree.add(ROOT, "e4");
/// let d4 = tree.add(ROOT, "d4");
/// tree.add(d4, "d5");
/// assert_eq!(tree.node(ROOT).unwrap().children(), [e4, d4]);
/// assert!(tree.main_line().eq([e4]));
/// assert!(tree.promote(d4));
/// assert_eq!(tree.main_line().map(|node| *tree[node]).collect::<Vec<_>>(), ["d4", "d5"]);
/// assert_eq!((tree.remove(d4), tree.move_count()), (2, 1));
/// ```
#[derive(Clone, Debug)]
pub struct MoveTree<T> {
    nodes: Vec<Option<TreeNode<T>>>,
    /// The number of nodes that exist.
    count: usize,
}

impl<T: Default> Default for MoveTree<T> {
    fn default() -> Self {
        MoveTree::new(T::default())
    }
}

impl<T> MoveTree<T> {
    /// Creates a tree without moves.
    pub fn new(start: T) -> Self {
        MoveTree::from_nodes(vec![Some(TreeNode::new(ROOT, &[], start))])
    }

    /// Creates a tree of one line: the start and the moves after it.
    pub fn from_line(start: T, moves: impl IntoIterator<Item = T>) -> Self {
        let mut tree = MoveTree::new(start);
        // The nodes are numbered in their order, so the parent of a move is the number of moves before it.
        for (parent, value) in moves.into_iter().enumerate() {
            tree.add(parent, value);
        }
        tree
    }

    /// Creates a tree of the same form with other values. A move for which `convert` returns `None` is left out with
    /// all moves after it. Returns `None` if the start is left out.
    pub fn filter_map<U>(&self, mut convert: impl FnMut(NodeId, &T) -> Option<U>) -> Option<MoveTree<U>> {
        let mut tree = MoveTree::new(convert(ROOT, &self.node(ROOT)?.value)?);
        let mut pending: Vec<_> = self.children(ROOT).rev().map(|child| (child, ROOT)).collect();
        while let Some((node, parent)) = pending.pop() {
            if let Some(value) = self.node(node).and_then(|found| convert(node, &found.value)) {
                let added = tree.add(parent, value);
                pending.extend(self.children(node).rev().map(|child| (child, added)));
            }
        }
        Some(tree)
    }

    /// Creates a tree from its nodes by number. A tree from outside the program has to be checked by
    /// [`MoveTree::is_valid`].
    pub fn from_nodes(nodes: Vec<Option<TreeNode<T>>>) -> Self {
        let count = nodes.iter().flatten().count();
        MoveTree { nodes, count }
    }

    /// Returns whether there is a root and the links of the nodes are consistent: each move has a greater number than
    /// its parent, and is one of its children once.
    pub fn is_valid(&self) -> bool {
        let mut is_child = vec![false; self.nodes.len()];
        for (number, node) in self.iter() {
            for &child in &node.children {
                let follows = child > number && self.node(child).is_some_and(|child| child.parent == number);
                if !follows || std::mem::replace(&mut is_child[child], true) {
                    return false;
                }
            }
        }
        self.node(ROOT).is_some() && self.iter().all(|(number, _)| number == ROOT || is_child[number])
    }

    /// Adds a move after `parent`: as the main continuation if it is the first child, else as the last alternative.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add(&mut self, parent: NodeId, value: T) -> NodeId {
        let number = self.nodes.len();
        self[parent].children.push(number);
        self.nodes.push(Some(TreeNode::new(parent, &[], value)));
        self.count += 1;
        number
    }

    /// Removes a node with its descendants, and returns the number of removed nodes; the root stays.
    pub fn remove(&mut self, node: NodeId) -> usize {
        let Some(found) = self.node(node).filter(|_| node != ROOT) else { return 0 };
        let parent = found.parent;
        let removed = self.with_descendants(node);
        self[parent].children.retain(|child| *child != node);
        for &node in &removed {
            self.nodes[node] = None;
        }
        self.count -= removed.len();
        self.drop_empty_end();
        removed.len()
    }

    /// Returns a node and its descendants, each after its parent; nothing if there is no such node.
    pub fn with_descendants(&self, node: NodeId) -> Vec<NodeId> {
        let mut found: Vec<_> = self.node(node).map(|_| node).into_iter().collect();
        let mut index = 0;
        while let Some(&node) = found.get(index) {
            found.extend(self.children(node));
            index += 1;
        }
        found
    }

    /// Sets or removes a node without a change of its parent and its children, which have to be set too.
    pub fn replace(&mut self, number: NodeId, node: Option<TreeNode<T>>) {
        if number >= self.nodes.len() {
            self.nodes.resize_with(number + 1, || None);
        }
        self.count = self.count + usize::from(node.is_some()) - usize::from(self.nodes[number].is_some());
        self.nodes[number] = node;
        self.drop_empty_end();
    }

    fn drop_empty_end(&mut self) {
        while self.nodes.len() > 1 && self.nodes.last().is_some_and(Option::is_none) {
            self.nodes.pop();
        }
    }

    /// Returns the node at which the variation of `node` leaves the line above it, and the first move of the variation:
    /// on the path to the root, the first node whose main continuation is another child, and its child on the path.
    /// `None` for a node of the main line.
    ///
    /// ```
    /// use alfil_records::move_tree::{MoveTree, ROOT};
    ///
    /// let mut tree = MoveTree::from_line("", ["e4", "e5"]);
    /// let variation = tree.add(1, "c5");
    /// let reply = tree.add(variation, "Nf3");
    /// assert_eq!(tree.branch_point(reply), Some((1, variation)));
    /// assert_eq!(tree.branch_point(2), None);
    /// ```
    pub fn branch_point(&self, mut node: NodeId) -> Option<(NodeId, NodeId)> {
        while let Some(parent) = self.parent(node) {
            if self.main_child(parent) != Some(node) {
                return Some((parent, node));
            }
            node = parent;
        }
        None
    }

    /// Puts the variation to which a node belongs before the other moves at its branch point: before the main line, if
    /// it is a variation of the main line. Returns whether the node is in a variation.
    ///
    /// ```
    /// use alfil_records::move_tree::{MoveTree, ROOT};
    ///
    /// let mut tree = MoveTree::from_line("", ["e4", "e5"]);
    /// let other = tree.add(ROOT, "d4");
    /// assert!(tree.promote(other));
    /// assert_eq!(tree.main_line().collect::<Vec<_>>(), [other]);
    /// ```
    pub fn promote(&mut self, node: NodeId) -> bool {
        let Some((parent, variation)) = self.branch_point(node) else { return false };
        let children = &mut self[parent].children;
        children.retain(|child| *child != variation);
        children.insert(0, variation);
        true
    }

    /// Returns a node.
    pub fn node(&self, node: NodeId) -> Option<&TreeNode<T>> {
        self.nodes.get(node)?.as_ref()
    }

    /// Returns a node for changes of its value.
    pub fn node_mut(&mut self, node: NodeId) -> Option<&mut TreeNode<T>> {
        self.nodes.get_mut(node)?.as_mut()
    }

    /// Returns the parent of a node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).filter(|_| node != ROOT).map(|node| node.parent)
    }

    /// Iterates over the continuations, the main one first.
    pub fn children(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.node(node).map_or(&[][..], |node| &node.children).iter().copied()
    }

    /// Returns the main continuation.
    pub fn main_child(&self, node: NodeId) -> Option<NodeId> {
        self.node(node)?.children.first().copied()
    }

    /// Iterates over the nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.main_child(ROOT), |&node| self.main_child(node))
    }

    /// Returns the end of the main line from a node on.
    pub fn line_end(&self, mut node: NodeId) -> NodeId {
        while let Some(child) = self.main_child(node) {
            node = child;
        }
        node
    }

    /// Returns the nodes from the first move to this one.
    ///
    /// ```
    /// use alfil_records::move_tree::MoveTree;
    ///
    /// let mut tree = MoveTree::from_line("", ["e4", "e5"]);
    /// let variation = tree.add(1, "c5");
    /// assert_eq!(tree.path(variation), [1, variation]);
    /// ```
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let is_move = |&node: &NodeId| node != ROOT;
        let mut path: Vec<_> =
            std::iter::successors(Some(node), |&node| self.parent(node)).filter(is_move).collect();
        path.reverse();
        path
    }

    /// Returns whether `node` is `root` or one of its descendants.
    pub fn is_in_subtree(&self, node: NodeId, root: NodeId) -> bool {
        std::iter::successors(Some(node), |&node| self.parent(node)).any(|node| node == root)
    }

    /// Returns the number of moves, including variations.
    pub fn move_count(&self) -> usize {
        self.count.saturating_sub(1)
    }

    /// Returns whether the tree has no moves.
    pub fn is_empty(&self) -> bool {
        self.move_count() == 0
    }

    /// Iterates over the nodes with their numbers, the root first.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &TreeNode<T>)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Iterates over the nodes for changes of their values, the root first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (NodeId, &mut TreeNode<T>)> {
        self.nodes.iter_mut().enumerate().filter_map(|(number, node)| Some((number, node.as_mut()?)))
    }

    /// Traverses the tree in the order of records: a move, its alternatives as variations, its continuation.
    pub fn traverse(&self) -> impl Iterator<Item = Visit> + '_ {
        let mut steps = vec![TraversalStep::AfterMove(ROOT)];
        std::iter::from_fn(move || {
            while let Some(step) = steps.pop() {
                match step {
                    TraversalStep::AfterMove(node) => {
                        let Some(main) = self.main_child(node) else { continue };
                        steps.push(TraversalStep::AfterMove(main));
                        steps.push(TraversalStep::Alternative(node, 1));
                        return Some(Visit::Move(main));
                    }
                    TraversalStep::Alternative(parent, index) => {
                        let Some(next) = self.children(parent).nth(index) else { continue };
                        steps.extend([
                            TraversalStep::Alternative(parent, index + 1),
                            TraversalStep::CloseVariation,
                            TraversalStep::AfterMove(next),
                            TraversalStep::Move(next),
                        ]);
                        return Some(Visit::OpenVariation);
                    }
                    TraversalStep::Move(node) => return Some(Visit::Move(node)),
                    TraversalStep::CloseVariation => return Some(Visit::CloseVariation),
                }
            }
            None
        })
    }
}

/// A pending step of the traversal.
enum TraversalStep {
    Move(NodeId),
    AfterMove(NodeId),
    /// The child of a node with this index and those after it.
    Alternative(NodeId, usize),
    CloseVariation,
}

impl<T> Index<NodeId> for MoveTree<T> {
    type Output = TreeNode<T>;

    /// Returns a node.
    ///
    /// # Panics
    /// If there is no such node.
    fn index(&self, node: NodeId) -> &TreeNode<T> {
        self.node(node).unwrap_or_else(|| panic!("there is no node {node}"))
    }
}

impl<T> IndexMut<NodeId> for MoveTree<T> {
    fn index_mut(&mut self, node: NodeId) -> &mut TreeNode<T> {
        self.node_mut(node).unwrap_or_else(|| panic!("there is no node {node}"))
    }
}

impl<T: PartialEq> PartialEq for MoveTree<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(ours, theirs)| match (ours, theirs) {
            (Visit::Move(ours), Visit::Move(theirs)) => self[ours].value == other[theirs].value,
            (ours, theirs) => ours == theirs,
        };
        self.move_count() == other.move_count()
            && self[ROOT].value == other[ROOT].value
            && self.traverse().zip(other.traverse()).all(is_same)
    }
}

impl<T: Eq> Eq for MoveTree<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tree with the main line a b c and the variation x after a.
    fn example() -> MoveTree<&'static str> {
        let mut tree = MoveTree::default();
        let a = tree.add(ROOT, "a");
        let b = tree.add(a, "b");
        tree.add(b, "c");
        tree.add(a, "x");
        tree
    }

    fn numbers<T>(tree: &MoveTree<T>) -> Vec<NodeId> {
        tree.iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn traversal_visits_a_move_its_alternatives_and_its_continuation() {
        let mut tree = MoveTree::<()>::default();
        let f5 = tree.add(ROOT, ());
        let d3 = tree.add(ROOT, ());
        let d6 = tree.add(f5, ());
        let c3 = tree.add(d3, ());
        let f4 = tree.add(f5, ());
        let c4 = tree.add(ROOT, ());
        let visits: Vec<_> = tree.traverse().collect();
        use Visit::{CloseVariation, Move, OpenVariation};
        let expected = [
            Move(f5),
            OpenVariation,
            Move(d3),
            Move(c3),
            CloseVariation,
            OpenVariation,
            Move(c4),
            CloseVariation,
            Move(d6),
            OpenVariation,
            Move(f4),
            CloseVariation,
        ];
        assert_eq!(visits, expected);
    }

    #[test]
    fn equality_ignores_the_numbers() {
        let build = |late: bool, third: &'static str| {
            let mut tree = MoveTree::default();
            let a = tree.add(ROOT, "a");
            if late {
                tree.add(a, "b");
            }
            tree.add(ROOT, third);
            if !late {
                tree.add(a, "b");
            }
            tree
        };
        assert_eq!(build(true, "x"), build(false, "x"));
        assert_ne!(build(true, "x"), build(false, "y"));
        let mut longer = build(true, "x");
        longer.add(ROOT, "z");
        assert_ne!(longer, build(true, "x"));
    }

    #[test]
    #[should_panic(expected = "there is no node 9")]
    fn adding_to_a_missing_node_panics() {
        example().add(9, "y");
    }

    #[test]
    fn paths_and_line_ends() {
        let tree = example();
        assert_eq!((tree.path(3), tree.path(4), tree.path(ROOT)), (vec![1, 2, 3], vec![1, 4], vec![]));
        assert_eq!((tree.line_end(ROOT), tree.line_end(4)), (3, 4));
        let is_in = |node, root| tree.is_in_subtree(node, root);
        assert!(is_in(3, 1) && is_in(3, 3) && is_in(3, ROOT) && !is_in(4, 2) && !is_in(1, 2));
    }

    #[test]
    fn removing_a_node_removes_all_descendants() {
        let mut tree = example();
        assert_eq!((tree.remove(2), numbers(&tree)), (2, vec![0, 1, 4]));
        assert_eq!((tree.line_end(ROOT), tree.remove(2)), (4, 0));
        assert_eq!(tree.remove(ROOT), 0);
        assert!(tree.is_valid() && tree.node(ROOT).is_some());
        assert_eq!((tree.remove(1), tree.move_count()), (2, 0));
        assert_eq!(tree.add(ROOT, "y"), 1);
    }

    #[test]
    fn a_variation_is_promoted_one_branch_point_at_a_time() {
        let mut tree = example();
        let y = tree.add(4, "y");
        let z = tree.add(4, "z");
        assert!(tree.promote(z));
        assert_eq!((tree.line_end(4), tree.line_end(ROOT)), (z, 3));
        assert!(tree.promote(z));
        assert_eq!((tree.line_end(ROOT), tree.path(y)), (z, vec![1, 4, y]));
        assert!(!tree.promote(z) && !tree.promote(ROOT) && !tree.promote(99) && tree.is_valid());
    }

    #[test]
    fn a_tree_is_converted_with_the_order_of_its_variations() {
        let mut tree = example();
        tree.promote(4);
        let upper = tree.filter_map(|_, value| Some(value.to_uppercase())).unwrap();
        assert!(upper.iter().map(|(_, node)| node.value.as_str()).eq(["", "A", "X", "B", "C"]));
        assert_eq!(upper[1].children(), [2, 3]);
        let part = tree.filter_map(|node, _| (node != 2).then_some(node)).unwrap();
        assert!(part.iter().map(|(_, node)| node.value).eq([0, 1, 4]));
        assert_eq!(tree.filter_map(|node, _| (node != ROOT).then_some(())), None);
    }

    #[test]
    fn inconsistent_trees_are_invalid() {
        let node = |parent, children: &[NodeId]| Some(TreeNode::new(parent, children, ()));
        for nodes in [
            vec![],
            vec![None],
            vec![node(0, &[7])],
            vec![node(0, &[]), node(1, &[1])],
            vec![node(0, &[]), node(0, &[])],
            vec![node(0, &[1, 1]), node(0, &[])],
            vec![node(0, &[1, 1]), node(0, &[]), node(0, &[])],
            vec![node(0, &[1, 2]), node(0, &[2]), node(0, &[])],
        ] {
            assert!(!MoveTree::from_nodes(nodes.clone()).is_valid(), "{nodes:?}");
        }
    }

    #[test]
    fn conversion_leaves_out_children_that_are_missing() {
        let node = |parent, children: &[NodeId]| Some(TreeNode::new(parent, children, ()));
        let damaged = MoveTree::from_nodes(vec![node(0, &[1, 7]), node(0, &[2])]);
        assert_eq!(damaged.filter_map(|_, _| Some(())).unwrap().move_count(), 1);
    }
}
