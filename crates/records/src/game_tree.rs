//! The tree of a game: moves, what was said about them, and the moves that were not played.

use std::collections::HashSet;

use alfil_kernel::{Game, Outcome, Setup as _};

use crate::annotation::{EMPTY_ANNOTATION, MoveAnnotation};

/// A place in a tree: the start, or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start, where no move has been played.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }

    /// The place of that link; 0 links to nothing, because nothing leads to the root.
    fn from_link(link: u32) -> Option<NodeId> {
        (link != 0).then_some(NodeId(link))
    }
}

#[derive(Clone, Debug)]
struct Node<M> {
    mv: Option<M>,
    parent: u32,
    /// The first and the last move that follow here.
    first_child: u32,
    last_child: u32,
    /// The next alternative to this move.
    next_sibling: u32,
    /// One more than the index of its notes; 0 where there are none.
    annotation: u32,
}

/// One step of a walk through a tree, in the order in which records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// A variation begins: the next move replaces the one before this.
    OpenVariation,
    /// A move.
    Move(NodeId),
    /// A variation ends.
    CloseVariation,
}

/// The tags of a record, in their order: `White` is `Adolf Anderssen`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// No tags.
    pub const fn new() -> Tags {
        Tags(Vec::new())
    }

    /// The value of the first tag of that name; letter case counts.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of the first of these tags that says something: neither empty nor `?`.
    pub fn first_value(&self, names: &[&str]) -> Option<&str> {
        let values = names.iter().filter_map(|name| self.value(name)).map(str::trim);
        values.into_iter().find(|value| !matches!(*value, "" | "?" | "-"))
    }

    /// Gives the tag of that name this value, in its place if it is there, else at the end.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.push(name, value),
        }
    }

    /// Adds a tag at the end, whether there is one of that name or not.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Takes out all tags of that name, and gives the value of the first.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        let (_, value) = self.0.remove(index);
        self.0.retain(|(known, _)| known != name);
        Some(value)
    }

    /// Keeps the tags for which `keep` says yes, given name and value.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// Keeps the first tag of each name.
    pub fn dedup_names(&mut self) {
        let mut known = HashSet::new();
        self.0.retain(|(name, _)| known.insert(name.clone()));
    }

    /// Puts the tags with these names first, in this order.
    pub fn move_to_front(&mut self, names: &[&str]) {
        self.0.sort_by_key(|(name, _)| names.iter().position(|known| known == name).unwrap_or(names.len()));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A game with everything that its record says. The nodes lie in one vector, in the order in which they were added; the
/// first move that follows a node is the main one, the others are its alternatives.
///
/// Two trees are equal if they say the same, in whatever order they were built.
///
/// ```
/// use alfil_chess::{Chess, Move};
/// use alfil_records::tree::{NodeId, Tree};
///
/// let mut tree = Tree::<Chess>::default();
/// let mv = |from: &str, to: &str| Some(Move::new(from.parse().unwrap(), to.parse().unwrap()));
/// let e4 = tree.add(NodeId::ROOT, mv("e2", "e4"));
/// tree.add(NodeId::ROOT, mv("d2", "d4"));
/// tree.notes_mut(e4).nags.push(1);
/// assert_eq!(tree.children(NodeId::ROOT).count(), 2);
/// assert_eq!(tree.main_line().collect::<Vec<_>>(), [e4]);
/// ```
#[derive(Clone, Debug)]
pub struct GameTree<G: Game> {
    /// What the record says about the game as a whole.
    pub tags: Tags,
    /// Where the game starts.
    pub start: G::Setup,
    /// How it ended; nothing where it did not, or nobody says.
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
    /// A tree without a move.
    pub fn new(start: G::Setup) -> Self {
        let root =
            Node { mv: None, parent: 0, first_child: 0, last_child: 0, next_sibling: 0, annotation: 0 };
        GameTree { tags: Tags::new(), start, result: None, nodes: vec![root], annotations: Vec::new() }
    }

    /// Adds a move after `parent`: its main continuation if it is the first there, else one more alternative. `None` is a
    /// null move, by which annotators show what a side threatens.
    ///
    /// # Panics
    /// If the tree holds 2^32 nodes.
    pub fn add(&mut self, parent: NodeId, mv: Option<G::Move>) -> NodeId {
        let link = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 moves");
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
            elder => self.nodes[elder as usize].next_sibling = link,
        }
        NodeId(link)
    }

    /// The move; nothing for a null move and for the root.
    pub fn mv(&self, node: NodeId) -> Option<G::Move> {
        self.nodes[node.index()].mv
    }

    /// The node before; nothing for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.nodes[node.index()].parent))
    }

    /// The main continuation.
    pub fn main_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::from_link(self.nodes[node.index()].first_child)
    }

    /// What may follow, the main continuation first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |&child: &NodeId| NodeId::from_link(self.nodes[child.index()].next_sibling);
        std::iter::successors(self.main_child(node), next)
    }

    /// The main continuations from the start to the end of the game.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.main_child(NodeId::ROOT), |&node| self.main_child(node))
    }

    /// The moves of the main line; it ends before a null move.
    pub fn main_line_moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.main_line().map_while(|node| self.mv(node))
    }

    /// How many moves the tree holds, all variations together.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether it holds no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was said about a move; at the root, about the game.
    pub fn annotation(&self, node: NodeId) -> &MoveAnnotation {
        match self.nodes[node.index()].annotation {
            0 => &EMPTY_ANNOTATION,
            notes => &self.annotations[notes as usize - 1],
        }
    }

    /// The same, to be changed.
    pub fn annotation_mut(&mut self, node: NodeId) -> &mut MoveAnnotation {
        let notes = &mut self.nodes[node.index()].annotation;
        if *notes == 0 {
            self.annotations.push(MoveAnnotation::default());
            *notes = self.annotations.len() as u32;
        }
        &mut self.annotations[*notes as usize - 1]
    }

    /// Everything that was said, in no order.
    pub(crate) fn annotations_mut(&mut self) -> impl Iterator<Item = &mut MoveAnnotation> {
        self.annotations.iter_mut()
    }

    /// Walks through the tree in the order in which records are written: a move, then the variations that replace it, then
    /// what follows it.
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

/// What is still to be walked.
enum TraversalStep {
    Move(NodeId),
    AfterMove(NodeId),
    Siblings(NodeId),
    CloseVariation,
}

impl<G: Game> PartialEq for GameTree<G> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(ours, theirs)| match (ours, theirs) {
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
            && self.traverse().zip(other.traverse()).all(same)
    }
}

impl<G: Game> Eq for GameTree<G> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_othello::{Move, Othello};

    fn put(name: &str) -> Option<Move> {
        name.parse().ok().map(Move::from_square)
    }

    #[test]
    fn a_walk_tells_a_move_its_rivals_and_what_follows() {
        let mut tree = GameTree::<Othello>::default();
        let f5 = tree.add(NodeId::ROOT, put("f5"));
        let d3 = tree.add(NodeId::ROOT, put("d3"));
        let d6 = tree.add(f5, put("d6"));
        let c3 = tree.add(d3, put("c3"));
        let f4 = tree.add(f5, put("f4"));
        let c4 = tree.add(NodeId::ROOT, put("c4"));
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
    fn equal_trees_say_the_same_in_whatever_order_they_were_built() {
        let build = |late: bool, word: &str| {
            let mut tree = GameTree::<Othello>::default();
            let f5 = tree.add(NodeId::ROOT, put("f5"));
            if late {
                tree.add(f5, put("d6"));
            }
            let d3 = tree.add(NodeId::ROOT, put("d3"));
            if !late {
                tree.add(f5, put("d6"));
            }
            tree.annotation_mut(f5);
            tree.annotation_mut(d3).comment_after = word.into();
            tree
        };
        assert_eq!(build(true, "x"), build(false, "x"));
        assert_ne!(build(true, "x"), build(false, "y"));
        let mut longer = build(true, "x");
        longer.add(NodeId::ROOT, put("c4"));
        assert_ne!(longer, build(true, "x"));
    }
}
