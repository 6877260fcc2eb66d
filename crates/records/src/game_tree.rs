//! Game trees: the moves of a game with annotations and variations.

use alfil_kernel::{Game, Outcome, Setup as _};

use crate::annotation::{EMPTY_ANNOTATION, MoveAnnotation};
use crate::move_tree::{MoveTree, NodeId, ROOT};
use crate::tags::Tags;

/// A move of a record with its annotation.
#[derive(Clone, Debug)]
pub struct RecordedMove<M> {
    mv: Option<M>,
    /// Most moves have no annotation.
    annotation: Option<Box<MoveAnnotation>>,
}

impl<M> Default for RecordedMove<M> {
    fn default() -> Self {
        RecordedMove { mv: None, annotation: None }
    }
}

impl<M> RecordedMove<M> {
    fn annotation(&self) -> &MoveAnnotation {
        self.annotation.as_deref().unwrap_or(&EMPTY_ANNOTATION)
    }
}

impl<M: PartialEq> PartialEq for RecordedMove<M> {
    fn eq(&self, other: &Self) -> bool {
        self.mv == other.mv && self.annotation() == other.annotation()
    }
}

impl<M: Eq> Eq for RecordedMove<M> {}

/// A game with variations and annotations.
///
/// ```
/// use alfil_chess::{Chess, Move};
/// use alfil_records::GameTree;
/// use alfil_records::move_tree::ROOT;
///
/// let mut tree = GameTree::<Chess>::default();
/// let mv = |from: &str, to: &str| Some(Move::new(from.parse().unwrap(), to.parse().unwrap()));
/// let e4 = tree.add(ROOT, mv("e2", "e4"));
/// tree.add(ROOT, mv("d2", "d4"));
/// tree.annotation_mut(e4).nags.push(1);
/// assert_eq!(tree.moves.children(ROOT).count(), 2);
/// assert!(tree.moves.main_line().eq([e4]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree<G: Game> {
    /// The tags of the record.
    pub tags: Tags,
    /// The initial position.
    pub start: G::Setup,
    /// The result; none if the game is unfinished or its result unknown.
    pub result: Option<Outcome>,
    /// The moves.
    pub moves: MoveTree<RecordedMove<G::Move>>,
}

impl<G: Game> Default for GameTree<G> {
    fn default() -> Self {
        GameTree::new(G::Setup::start())
    }
}

impl<G: Game> GameTree<G> {
    /// Creates a tree without moves.
    pub fn new(start: G::Setup) -> Self {
        GameTree { tags: Tags::new(), start, result: None, moves: MoveTree::default() }
    }

    /// Adds a move after `parent`, as [`MoveTree::add`] does. `None` is a null move, which annotators use to show a
    /// threat.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add(&mut self, parent: NodeId, mv: Option<G::Move>) -> NodeId {
        self.moves.add(parent, RecordedMove { mv, annotation: None })
    }

    /// Returns the move of a node; `None` for a null move and for the root.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn mv(&self, node: NodeId) -> Option<G::Move> {
        self.moves[node].mv
    }

    /// Iterates over the moves of the main line up to a null move.
    pub fn main_line_moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.moves.main_line().map_while(|node| self.mv(node))
    }

    /// Returns the annotation of a move; at the root, of the game.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn annotation(&self, node: NodeId) -> &MoveAnnotation {
        self.moves[node].annotation()
    }

    /// Returns the annotation of a node for changing.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn annotation_mut(&mut self, node: NodeId) -> &mut MoveAnnotation {
        self.moves[node].annotation.get_or_insert_default()
    }

    /// Removes the variations.
    pub(crate) fn keep_main_line(&mut self) {
        if self.moves.main_line().count() < self.moves.move_count() {
            let main_line = self.moves.main_line().map(|node| self.moves[node].value.clone());
            self.moves = MoveTree::from_line(self.moves[ROOT].value.clone(), main_line);
        }
    }

    /// Iterates over the annotations of the nodes that have one.
    pub(crate) fn annotations_mut(&mut self) -> impl Iterator<Item = &mut MoveAnnotation> {
        self.moves.iter_mut().filter_map(|(_, node)| node.value.annotation.as_deref_mut())
    }
}

#[cfg(all(test, feature = "othello"))]
mod tests {
    use super::*;
    use alfil_othello::{Move, Othello};

    #[test]
    fn an_empty_annotation_is_none() {
        let f5 = "f5".parse().ok().map(Move::from_square);
        let [mut ours, mut theirs] = [GameTree::<Othello>::default(), GameTree::default()];
        let node = ours.add(ROOT, f5);
        theirs.add(ROOT, f5);
        ours.annotation_mut(node);
        assert_eq!(ours, theirs);
        ours.annotation_mut(node).nags.push(1);
        assert_ne!(ours, theirs);
    }
}
