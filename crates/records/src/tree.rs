//! The tree of a game: moves, what was said about them, and the moves that were not played.

use std::collections::HashSet;

use alfil_kernel::{Game, Outcome, Setup as _};

use crate::notes::{Notes, SILENCE};

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
    fn linked(link: u32) -> Option<NodeId> {
        (link != 0).then_some(NodeId(link))
    }
}

#[derive(Clone, Debug)]
struct Node<M> {
    mv: Option<M>,
    parent: u32,
    /// The first and the last move that follow here.
    child: u32,
    last: u32,
    /// The next alternative to this move.
    next: u32,
    /// One more than the index of its notes; 0 where there are none.
    notes: u32,
}

/// One step of a walk through a tree, in the order in which records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// A variation begins: the next move replaces the one before this.
    Open,
    /// A move.
    Move(NodeId),
    /// A variation ends.
    Close,
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
    pub fn said(&self, names: &[&str]) -> Option<&str> {
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
    pub fn take(&mut self, name: &str) -> Option<String> {
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
    pub fn unify(&mut self) {
        let mut known = HashSet::new();
        self.0.retain(|(name, _)| known.insert(name.clone()));
    }

    /// Puts the tags with these names first, in this order.
    pub fn lead_with(&mut self, names: &[&str]) {
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
pub struct Tree<G: Game> {
    /// What the record says about the game as a whole.
    pub tags: Tags,
    /// Where the game starts.
    pub start: G::Setup,
    /// How it ended; nothing where it did not, or nobody says.
    pub result: Option<Outcome>,
    nodes: Vec<Node<G::Move>>,
    notes: Vec<Notes>,
}

impl<G: Game> Default for Tree<G> {
    fn default() -> Self {
        Tree::new(G::Setup::start())
    }
}

impl<G: Game> Tree<G> {
    /// A tree without a move.
    pub fn new(start: G::Setup) -> Self {
        let root = Node { mv: None, parent: 0, child: 0, last: 0, next: 0, notes: 0 };
        Tree { tags: Tags::new(), start, result: None, nodes: vec![root], notes: Vec::new() }
    }

    /// Adds a move after `parent`: its main continuation if it is the first there, else one more alternative. `None` is a
    /// null move, by which annotators show what a side threatens.
    ///
    /// # Panics
    /// If the tree holds 2^32 nodes.
    pub fn add(&mut self, parent: NodeId, mv: Option<G::Move>) -> NodeId {
        let link = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 moves");
        self.nodes.push(Node { mv, parent: parent.0, child: 0, last: 0, next: 0, notes: 0 });
        let parent = &mut self.nodes[parent.index()];
        match std::mem::replace(&mut parent.last, link) {
            0 => parent.child = link,
            elder => self.nodes[elder as usize].next = link,
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
    pub fn main(&self, node: NodeId) -> Option<NodeId> {
        NodeId::linked(self.nodes[node.index()].child)
    }

    /// What may follow, the main continuation first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |&child: &NodeId| NodeId::linked(self.nodes[child.index()].next);
        std::iter::successors(self.main(node), next)
    }

    /// The main continuations from the start to the end of the game.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.main(NodeId::ROOT), |&node| self.main(node))
    }

    /// The moves of the main line; it ends before a null move.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
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
    pub fn notes(&self, node: NodeId) -> &Notes {
        match self.nodes[node.index()].notes {
            0 => &SILENCE,
            notes => &self.notes[notes as usize - 1],
        }
    }

    /// The same, to be changed.
    pub fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        let notes = &mut self.nodes[node.index()].notes;
        if *notes == 0 {
            self.notes.push(Notes::default());
            *notes = self.notes.len() as u32;
        }
        &mut self.notes[*notes as usize - 1]
    }

    /// Everything that was said, in no order.
    pub(crate) fn all_notes(&mut self) -> impl Iterator<Item = &mut Notes> {
        self.notes.iter_mut()
    }

    /// Walks through the tree in the order in which records are written: a move, then the variations that replace it, then
    /// what follows it.
    pub fn walk(&self) -> impl Iterator<Item = Visit> + '_ {
        let mut steps = vec![Step::After(NodeId::ROOT)];
        std::iter::from_fn(move || {
            while let Some(step) = steps.pop() {
                match step {
                    Step::After(node) => {
                        let Some(main) = self.main(node) else { continue };
                        steps.push(Step::After(main));
                        steps.push(Step::Beside(main));
                        return Some(Visit::Move(main));
                    }
                    Step::Beside(node) => {
                        let Some(next) = NodeId::linked(self.nodes[node.index()].next) else { continue };
                        steps.extend([Step::Beside(next), Step::Close, Step::After(next), Step::Move(next)]);
                        return Some(Visit::Open);
                    }
                    Step::Move(node) => return Some(Visit::Move(node)),
                    Step::Close => return Some(Visit::Close),
                }
            }
            None
        })
    }
}

/// What is still to be walked.
enum Step {
    Move(NodeId),
    After(NodeId),
    Beside(NodeId),
    Close,
}

impl<G: Game> PartialEq for Tree<G> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(ours, theirs)| match (ours, theirs) {
            (Visit::Move(ours), Visit::Move(theirs)) => {
                self.mv(ours) == other.mv(theirs) && self.notes(ours) == other.notes(theirs)
            }
            (ours, theirs) => ours == theirs,
        };
        self.start == other.start
            && self.result == other.result
            && self.tags == other.tags
            && self.len() == other.len()
            && self.notes(NodeId::ROOT) == other.notes(NodeId::ROOT)
            && self.walk().zip(other.walk()).all(same)
    }
}

impl<G: Game> Eq for Tree<G> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_othello::{Move, Othello};

    fn put(name: &str) -> Option<Move> {
        name.parse().ok().map(Move::put)
    }

    #[test]
    fn a_walk_tells_a_move_its_rivals_and_what_follows() {
        let mut tree = Tree::<Othello>::default();
        let f5 = tree.add(NodeId::ROOT, put("f5"));
        let d3 = tree.add(NodeId::ROOT, put("d3"));
        let d6 = tree.add(f5, put("d6"));
        let c3 = tree.add(d3, put("c3"));
        let f4 = tree.add(f5, put("f4"));
        let c4 = tree.add(NodeId::ROOT, put("c4"));
        let visits: Vec<_> = tree.walk().collect();
        use Visit::{Close, Move, Open};
        let expected = [
            Move(f5),
            Open,
            Move(d3),
            Move(c3),
            Close,
            Open,
            Move(c4),
            Close,
            Move(d6),
            Open,
            Move(f4),
            Close,
        ];
        assert_eq!(visits, expected);
    }

    #[test]
    fn equal_trees_say_the_same_in_whatever_order_they_were_built() {
        let build = |late: bool, word: &str| {
            let mut tree = Tree::<Othello>::default();
            let f5 = tree.add(NodeId::ROOT, put("f5"));
            if late {
                tree.add(f5, put("d6"));
            }
            let d3 = tree.add(NodeId::ROOT, put("d3"));
            if !late {
                tree.add(f5, put("d6"));
            }
            tree.notes_mut(f5);
            tree.notes_mut(d3).after = word.into();
            tree
        };
        assert_eq!(build(true, "x"), build(false, "x"));
        assert_ne!(build(true, "x"), build(false, "y"));
        let mut longer = build(true, "x");
        longer.add(NodeId::ROOT, put("c4"));
        assert_ne!(longer, build(true, "x"));
    }
}
