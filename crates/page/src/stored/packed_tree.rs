//! The moves of an imported game in one text: most of its nodes are a move that follows the one before, without
//! annotations. A game that is edited gets a row for each of its moves.

use alfil_session::played_game::EditedTree;
use serde::{Deserialize, Serialize};

use super::StoredNode;

/// A node in the packed form: the text of a move that follows the node before, or a whole node without its children.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum PackedNode {
    Text(String),
    Whole(Box<StoredNode>),
}

/// Returns the packed form of a tree without gaps whose nodes follow their parents, the main continuation before its
/// alternatives, as in an imported game. `None` for another tree.
///
/// ```
/// use alfil_page::{StoredGame, pack_tree, unpack_tree};
/// use alfil_session::played_game::{EditedTree, GameRecord, ROOT};
///
/// let mut tree = EditedTree::default();
/// let first = tree.add_move(ROOT, "e2e4");
/// tree.add_move(first, "e7e5");
/// assert_eq!(pack_tree(&tree).unwrap(), r#"["","e2e4","e7e5"]"#);
/// // A variation that was added last has a number after those of the main line.
/// tree.add_move(ROOT, "d2d4");
/// let nodes = unpack_tree(&pack_tree(&tree).unwrap())?;
/// let record = StoredGame::from(&GameRecord::new("chess")).into_record(nodes).unwrap();
/// assert_eq!(record.tree.move_text(3), "d2d4");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn pack_tree(tree: &EditedTree) -> Option<String> {
    let mut nodes = Vec::with_capacity(tree.move_count() + 1);
    for (index, (number, node)) in tree.iter().enumerate() {
        let is_next = index == number && (index == 0 || node.parent() < index);
        if !is_next || !node.children().is_sorted() {
            return None;
        }
        let node = StoredNode { children: Vec::new(), ..StoredNode::from(node) };
        let plain =
            StoredNode { parent: index.saturating_sub(1), text: node.text.clone(), ..StoredNode::default() };
        nodes.push(if node == plain {
            PackedNode::Text(node.text)
        } else {
            PackedNode::Whole(Box::new(node))
        });
    }
    serde_json::to_string(&nodes).ok()
}

/// Returns the nodes of a packed tree by number.
///
/// # Errors
/// If the text is no packed tree.
pub fn unpack_tree(text: &str) -> serde_json::Result<Vec<Option<StoredNode>>> {
    let packed: Vec<PackedNode> = serde_json::from_str(text)?;
    let mut nodes: Vec<StoredNode> = Vec::with_capacity(packed.len());
    for (index, node) in packed.into_iter().enumerate() {
        let node = match node {
            PackedNode::Text(text) => {
                StoredNode { parent: index.saturating_sub(1), text, ..StoredNode::default() }
            }
            PackedNode::Whole(node) => *node,
        };
        if index > 0
            && let Some(parent) = nodes.get_mut(node.parent)
        {
            parent.children.push(index);
        }
        nodes.push(node);
    }
    Ok(nodes.into_iter().map(Some).collect())
}

#[cfg(test)]
mod tests {
    use alfil_session::played_game::ROOT;

    use super::*;

    #[test]
    fn a_packed_tree_is_unpacked_unchanged() {
        let mut tree = EditedTree::default();
        let first = tree.add_move(ROOT, "e2e4");
        let second = tree.add_move(first, "e7e5");
        tree.add_move(second, "g1f3");
        let other = tree.add_move(first, "c7c5");
        if let Some(node) = tree.node_mut(other) {
            node.comment = "sharp".into();
        }
        let packed = pack_tree(&tree).unwrap();
        assert_eq!(packed, r#"["","e2e4","e7e5","g1f3",{"parent":1,"text":"c7c5","comment":"sharp"}]"#);
        let nodes = unpack_tree(&packed).unwrap();
        let expected: Vec<_> = tree.iter().map(|(_, node)| Some(StoredNode::from(node))).collect();
        assert_eq!(nodes, expected);
        assert!(unpack_tree("[1]").is_err());
        // A tree with a removed node has a gap.
        tree.remove(second);
        assert_eq!(pack_tree(&tree), None);
    }
}
