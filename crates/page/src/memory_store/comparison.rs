//! Comparison of a game of a file with the one of the same id: whether one of them has all that the other has.

use alfil_session::played_game::{GameRecord, ROOT, TextNode, TextTree};

use super::damage::FileGame;

/// Returns whether `whole` has everything that was entered in `part`: its moves, comments, marks, tags and result.
pub(super) fn has_all_of(whole: FileGame, part: FileGame) -> bool {
    match (whole.into_record(), part.into_record()) {
        (Some(whole), Some(part)) => is_part(&part, &whole),
        _ => false,
    }
}

fn is_part(part: &GameRecord, whole: &GameRecord) -> bool {
    let same_start = (&part.game, &part.start) == (&whole.game, &whole.start);
    let same_end = part.resigned.is_none() || part.resigned == whole.resigned;
    let has_tags = part.tags.iter().all(|tag| whole.tags.contains(tag));
    same_start && same_end && has_tags && is_subtree(&part.tree, &whole.tree)
}

fn is_subtree(part: &TextTree, whole: &TextTree) -> bool {
    // A list instead of a recursion: a game may have thousands of moves.
    let mut pairs = vec![(ROOT, ROOT)];
    while let Some((of_part, of_whole)) = pairs.pop() {
        let (Some(node), Some(known)) = (part.node(of_part), whole.node(of_whole)) else { return false };
        if !has_texts(node, known) {
            return false;
        }
        for &child in &node.children {
            let text = part.move_text(child);
            let Some(&same) = known.children.iter().find(|&&known| whole.move_text(known) == text) else {
                return false;
            };
            pairs.push((child, same));
        }
    }
    true
}

/// Returns whether a node has the comment and the marks of another one.
fn has_texts(part: &TextNode, whole: &TextNode) -> bool {
    (part.comment.is_empty() || part.comment == whole.comment)
        && part.nags.iter().all(|nag| whole.nags.contains(nag))
}
