//! The stored form of the last edits of a game, so that they can be undone after the program was started again.

use alfil_kernel::Side;
use alfil_session::played_game::{Edit, EditHistory, EditKind, NodeChange, TagList};
use serde::{Deserialize, Serialize};

use super::StoredNode;
use crate::opponents::validate_side;

/// The maximal number of edits that are stored of each list: those to undo and those to redo.
const MAX_EDITS: usize = 30;
/// The maximal number of changed nodes of the edits of a list.
const MAX_CHANGES: usize = 400;

/// The last edits of a game at a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEdits {
    /// The revision of the game.
    revision: i64,
    /// The edits that can be undone, the last one at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    done: Vec<StoredEdit>,
    /// The edits that can be redone, the next one at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undone: Vec<StoredEdit>,
}

/// The stored form of an edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredEdit {
    kind: String,
    /// The numbers of the changed nodes, and the nodes before and after the edit.
    changes: Vec<(usize, Option<StoredNode>, Option<StoredNode>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tags: Option<[TagList; 2]>,
    resigned: [Option<usize>; 2],
    nodes: [usize; 2],
}

impl From<&Edit> for StoredEdit {
    fn from(edit: &Edit) -> StoredEdit {
        let node = |node: &Option<_>| node.as_ref().map(StoredNode::from);
        let change = |change: &NodeChange| (change.node, node(&change.before), node(&change.after));
        StoredEdit {
            kind: edit.kind.name().to_owned(),
            changes: edit.changes.iter().map(change).collect(),
            tags: edit.tags.clone(),
            resigned: edit.resigned.map(|side| side.map(Side::index)),
            nodes: edit.current_node,
        }
    }
}

impl StoredEdit {
    /// Returns the edit; `None` if it is of another version.
    fn into_edit(self) -> Option<Edit> {
        let change = |(node, before, after): (_, Option<StoredNode>, Option<StoredNode>)| NodeChange {
            node,
            before: before.map(Into::into),
            after: after.map(Into::into),
        };
        let [before, after] = self.resigned.map(|side| validate_side(side).ok());
        Some(Edit {
            kind: EditKind::ALL.into_iter().find(|kind| kind.name() == self.kind)?,
            changes: self.changes.into_iter().map(change).collect(),
            tags: self.tags,
            resigned: [before?, after?],
            current_node: self.nodes,
            // The clock of a game that is opened again runs from the start.
            clock_start_ply: [0, 0],
        })
    }
}

/// Returns the edits at the end of a list that are stored.
fn last_edits<'a>(edits: impl DoubleEndedIterator<Item = &'a Edit>) -> Vec<StoredEdit> {
    let mut changes = 0;
    let mut stored: Vec<_> = edits
        .rev()
        .take(MAX_EDITS)
        .take_while(|edit| {
            changes += edit.changes.len();
            changes <= MAX_CHANGES
        })
        .map(StoredEdit::from)
        .collect();
    stored.reverse();
    stored
}

impl StoredEdits {
    /// Returns the last edits of a game that is saved as this revision; `None` if it has none.
    pub(crate) fn new(edits: &EditHistory, revision: i64) -> Option<StoredEdits> {
        let (done, undone) = (last_edits(edits.done()), last_edits(edits.undone()));
        (!done.is_empty() || !undone.is_empty()).then_some(StoredEdits { revision, done, undone })
    }

    /// Returns the edits for the next revision, if they are those of `revision`: nothing was edited between both.
    pub(crate) fn for_next_revision(self, revision: i64) -> Option<StoredEdits> {
        (self.revision == revision).then_some(StoredEdits { revision: revision + 1, ..self })
    }

    /// Returns the edits, if they are those of this revision.
    pub(crate) fn into_history(self, revision: i64) -> Option<EditHistory> {
        let edits = |stored: Vec<StoredEdit>| stored.into_iter().map(StoredEdit::into_edit).collect();
        let (done, undone): (Option<Vec<_>>, Option<Vec<_>>) = (edits(self.done), edits(self.undone));
        (self.revision == revision).then(|| Some(EditHistory::new(done?, undone?))).flatten()
    }
}
