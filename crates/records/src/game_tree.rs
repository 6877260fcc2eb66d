//! Game trees: moves, annotations and variations.

use alfil_kernel::{Game, Outcome, Setup as _};

use crate::annotation::{EMPTY_ANNOTATION, MoveAnnotation};
use crate::tags::Tags;

/// A node of a game tree: the start or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start, before any move.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }

    /// Converts a link to a node; 0 is no link, because no link leads to the root.
    fn from_link(link: u32) -> Option<NodeId> {
        (link != 0).then_some(NodeId(link))
    }
}

#[derive(Clone, Debug)]
struct Node<M> {
    mv: Option<M>,
    parent: u32,
    /// The first and the last move after this one; 0 for none.
    first_child: u32,
    last_child: u32,
    /// The next alternative to this move; 0 for none.
    next_sibling: u32,
    /// One more than the index of the annotation; 0 for none.
    annotation: u32,
}

/// A step of [`GameTree::traverse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// A variation begins: the next move replaces the previous one.
    OpenVariation,
    /// A move.
    Move(NodeId),
    /// A variation ends.
    CloseVariation,
}

/// A game with variations and annotations. The nodes are stored in one vector in the order of their addition.
/// The first child of a node is the main continuation, the others are its alternatives.
///
/// Equality does not depend on the order in which variations of different nodes were added.
///
/// ```
/// use alfil_chess::{Chess, Move};
/// use alfil_records::game_tree::{GameTree, NodeId};
///
/// let mut tree = GameTree::<Chess>::default();
/// let mv = |from: &str, to: &str| Some(Move::new(from.parse().unwrap(), to.parse().unwrap()));
/// let e4 = tree.add(NodeId::ROOT, mv("e2", "e4"));
/// tree.add(NodeId::ROOT, mv("d2", "d4"));
/// tree.annotation_mut(e4).nags.push(1);
/// assert_eq!(tree.children(NodeId::ROOT).count(), 2);
/// assert_eq!(tree.main_line().collect::<Vec<_>>(), [e4]);
/// ```
#[derive(Clone, Debug)]
pub struct GameTree<G: Game> {
    /// The tags of the record.
    pub tags: Tags,
    /// The initial position.
    pub start: G::Setup,
    /// The result; none if the game is unfinished or its result unknown.
    pub result: Option<Outcome>,
    nodes: Vec<Node<G::Move>>,
    annotations: Vec<MoveAnnotation>,
}

impl<G: Game> Default for GameTree<G> {
    fn default() -> Self {
        GameTree::new(G::Setup::start())
    }
}

impl<G: Game> GameTree<G> {
    /// Creates a tree without moves.
    pub fn new(start: G::Setup) -> Self {
        let root =
            Node { mv: None, parent: 0, first_child: 0, last_child: 0, next_sibling: 0, annotation: 0 };
        GameTree { tags: Tags::new(), start, result: None, nodes: vec![root], annotations: Vec::new() }
    }

    /// Adds a move after `parent`: as the main continuation if it is the first child, else as the last
    /// alternative. `None` is a null move, which annotators use to show a threat.
    ///
    /// # Panics
    /// Panics if the tree has 2^32 nodes.
    pub fn add(&mut self, parent: NodeId, mv: Option<G::Move>) -> NodeId {
        let link = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 nodes");
        self.nodes.push(Node {
            mv,
            parent: parent.0,
            first_child: 0,
            last_child: 0,
            next_sibling: 0,
            annotation: 0,
        });
        let parent = &mut self.nodes[parent.index()];
        match std::mem::replace(&mut parent.last_child, link) {
            0 => parent.first_child = link,
            previous => self.nodes[previous as usize].next_sibling = link,
        }
        NodeId(link)
    }

    /// Returns the move of a node; `None` for a null move and for the root.
    pub fn mv(&self, node: NodeId) -> Option<G::Move> {
        self.nodes[node.index()].mv
    }

    /// Returns the parent of a node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.nodes[node.index()].parent))
    }

    /// Returns the main continuation.
    pub fn main_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::from_link(self.nodes[node.index()].first_child)
    }

    /// Iterates over the continuations, the main one first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |&child: &NodeId| NodeId::from_link(self.nodes[child.index()].next_sibling);
        std::iter::successors(self.main_child(node), next)
    }

    /// Iterates over the nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.main_child(NodeId::ROOT), |&node| self.main_child(node))
    }

    /// Iterates over the moves of the main line up to a null move.
    pub fn main_line_moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.main_line().map_while(|node| self.mv(node))
    }

    /// Returns the next alternative to a move.
    pub(crate) fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        NodeId::from_link(self.nodes[node.index()].next_sibling)
    }

    /// Returns the number of moves, including variations.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns whether the tree has no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the annotation of a move; at the root, of the game.
    pub fn annotation(&self, node: NodeId) -> &MoveAnnotation {
        match self.nodes[node.index()].annotation {
            0 => &EMPTY_ANNOTATION,
            link => &self.annotations[link as usize - 1],
        }
    }

    /// Returns the annotation of a node for changing.
    pub fn annotation_mut(&mut self, node: NodeId) -> &mut MoveAnnotation {
        let link = &mut self.nodes[node.index()].annotation;
        if *link == 0 {
            self.annotations.push(MoveAnnotation::default());
            *link = self.annotations.len() as u32;
        }
        &mut self.annotations[*link as usize - 1]
    }

    /// Iterates over all annotations in unspecified order.
    pub(crate) fn annotations_mut(&mut self) -> impl Iterator<Item = &mut MoveAnnotation> {
        self.annotations.iter_mut()
    }

    /// Traverses the tree in the order of records: a move, its alternatives as variations, its continuation.
    pub fn traverse(&self) -> impl Iterator<Item = Visit> + '_ {
        let mut steps = vec![TraversalStep::AfterMove(NodeId::ROOT)];
        std::iter::from_fn(move || {
            while let Some(step) = steps.pop() {
                match step {
                    TraversalStep::AfterMove(node) => {
                        let Some(main) = self.main_child(node) else { continue };
                        steps.push(TraversalStep::AfterMove(main));
                        steps.push(TraversalStep::Siblings(main));
                        return Some(Visit::Move(main));
                    }
                    TraversalStep::Siblings(node) => {
                        let Some(next) = NodeId::from_link(self.nodes[node.index()].next_sibling) else {
                            continue;
                        };
                        steps.extend([
                            TraversalStep::Siblings(next),
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
    Siblings(NodeId),
    CloseVariation,
}

impl<G: Game> PartialEq for GameTree<G> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(ours, theirs)| match (ours, theirs) {
            (Visit::Move(ours), Visit::Move(theirs)) => {
                self.mv(ours) == other.mv(theirs) && self.annotation(ours) == other.annotation(theirs)
            }
            (ours, theirs) => ours == theirs,
        };
        self.start == other.start
            && self.result == other.result
            && self.tags == other.tags
            && self.len() == other.len()
            && self.annotation(NodeId::ROOT) == other.annotation(NodeId::ROOT)
            && self.traverse().zip(other.traverse()).all(is_same)
    }
}

impl<G: Game> Eq for GameTree<G> {}

#[cfg(all(test, feature = "othello"))]
mod tests {
    use super::*;
    use alfil_othello::{Move, Othello};

    fn disc(name: &str) -> Option<Move> {
        name.parse().ok().map(Move::from_square)
    }

    #[test]
    fn traversal_visits_a_move_its_alternatives_and_its_continuation() {
        let mut tree = GameTree::<Othello>::default();
        let f5 = tree.add(NodeId::ROOT, disc("f5"));
        let d3 = tree.add(NodeId::ROOT, disc("d3"));
        let d6 = tree.add(f5, disc("d6"));
        let c3 = tree.add(d3, disc("c3"));
        let f4 = tree.add(f5, disc("f4"));
        let c4 = tree.add(NodeId::ROOT, disc("c4"));
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
    fn equality_ignores_the_order_of_addition() {
        let build = |late: bool, comment: &str| {
            let mut tree = GameTree::<Othello>::default();
            let f5 = tree.add(NodeId::ROOT, disc("f5"));
            if late {
                tree.add(f5, disc("d6"));
            }
            let d3 = tree.add(NodeId::ROOT, disc("d3"));
            if !late {
                tree.add(f5, disc("d6"));
            }
            tree.annotation_mut(f5);
            tree.annotation_mut(d3).comment_after = comment.into();
            tree
        };
        assert_eq!(build(true, "x"), build(false, "x"));
        assert_ne!(build(true, "x"), build(false, "y"));
        let mut longer = build(true, "x");
        longer.add(NodeId::ROOT, disc("c4"));
        assert_ne!(longer, build(true, "x"));
    }
}
