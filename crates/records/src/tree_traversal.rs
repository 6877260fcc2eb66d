//! The moves of a tree in preorder or along the main line, checked on a board, for the writers of the formats.

use alfil_kernel::{Position as _, Waivers};

use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::record_format::RecordFormat;
use crate::write_error::WriteError;

/// A node of a tree that is visited in preorder.
pub(crate) struct PreorderStep {
    pub(crate) node: NodeId,
    /// Whether a move follows it: the next step.
    pub(crate) has_next: bool,
    /// Whether there is an alternative to it that is not visited yet.
    pub(crate) has_alternative: bool,
}

/// Iterates over the moves of a tree in preorder: a move, the moves that follow it, the alternatives to it.
pub(crate) fn preorder<G: RecordFormat>(tree: &GameTree<G>) -> impl Iterator<Item = PreorderStep> + '_ {
    // Nodes with the indices of their children to visit.
    let mut pending = vec![(ROOT, 0)];
    std::iter::from_fn(move || {
        let (parent, index) = pending.pop()?;
        let siblings = tree.moves.node(parent)?.children();
        let &node = siblings.get(index)?;
        let (has_next, has_alternative) = (tree.moves.main_child(node).is_some(), index + 1 < siblings.len());
        pending.extend(has_alternative.then_some((parent, index + 1)));
        pending.extend(has_next.then_some((node, 0)));
        Some(PreorderStep { node, has_next, has_alternative })
    })
}

/// Returns the board of the start position. Issues that can be waived are waived.
///
/// # Errors
/// Returns an error if no board accepts the position.
pub(crate) fn start_position<G: RecordFormat>(tree: &GameTree<G>) -> Result<G::Board, WriteError> {
    <G::Board as alfil_kernel::Position>::from_setup(&tree.start, &Waivers::All)
        .map_err(|error| WriteError::InvalidStart(error.to_string()))
}

/// Returns the move of a node after this number of plies.
///
/// # Errors
/// Returns an error if it is illegal or a null move.
fn legal_move<G: RecordFormat>(
    tree: &GameTree<G>,
    node: NodeId,
    position: &G::Board,
    plies: usize,
    format: FileFormat,
) -> Result<G::Move, WriteError> {
    let mv = tree.mv(node).ok_or(WriteError::NullMove { format, plies })?;
    if position.is_legal(mv) { Ok(mv) } else { Err(WriteError::IllegalMove { plies }) }
}

/// Checks that every move of a tree is legal and none a null move.
///
/// # Errors
/// Returns the first that is not.
pub(crate) fn check_moves<G: RecordFormat>(tree: &GameTree<G>, format: FileFormat) -> Result<(), WriteError> {
    let mut position = start_position(tree)?;
    let (mut line, mut pending) = (Vec::new(), Vec::new());
    for step in preorder(tree) {
        let plies = line.len();
        let mv = legal_move(tree, step.node, &position, plies, format)?;
        line.push((mv, position.make(mv, &mut ())));
        if step.has_alternative {
            pending.push(plies);
        }
        if !step.has_next {
            let depth = pending.pop().unwrap_or(0);
            while line.len() > depth
                && let Some((mv, undo)) = line.pop()
            {
                position.unmake(mv, &undo, &mut ());
            }
        }
    }
    Ok(())
}

/// Visits the moves of the main line, each with the position before it and its node, and returns the last position.
///
/// # Errors
/// Returns an error if no board accepts the start position, or at the first move that is illegal or a null move.
pub(crate) fn visit_main_line<G: RecordFormat>(
    tree: &GameTree<G>,
    format: FileFormat,
    mut visit: impl FnMut(&G::Board, NodeId, G::Move),
) -> Result<G::Board, WriteError> {
    let mut position = start_position(tree)?;
    for (plies, node) in tree.moves.main_line().enumerate() {
        let mv = legal_move(tree, node, &position, plies, format)?;
        visit(&position, node, mv);
        position.make(mv, &mut ());
    }
    Ok(position)
}
