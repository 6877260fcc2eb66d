//! Comparison of a game of a file with the one of the same id: whether one of them has all that the other has, so that
//! it can replace it.

use alfil_session::played_game::{AnnotatedMove, EditedTree, GameRecord, ROOT, TreeClock};

use super::damage::FileGame;

/// Returns whether `whole` has everything of `part`: its moves in their order, comments, NAGs, clock times, tags,
/// players, result, reviews and scores. Scores of the engine for the same position count as the same.
pub(super) fn has_all_of(whole: FileGame, part: FileGame) -> bool {
    match (whole.into_record(), part.into_record()) {
        (Some(whole), Some(part)) => is_part(&part, &whole),
        _ => false,
    }
}

fn is_part(part: &GameRecord, whole: &GameRecord) -> bool {
    let same_start = (&part.game, &part.start) == (&whole.game, &whole.start);
    let same_end = part.resigned.is_none() || part.resigned == whole.resigned;
    let same_players = (&part.players, part.level) == (&whole.players, whole.level);
    let same_rules = same_players && part.ruleset == whole.ruleset;
    let has_clock = part.clock.as_ref().is_none_or(|clock| has_clock(clock, whole.clock.as_ref()));
    let has_tags = part.tags.iter().all(|tag| whole.tags.contains(tag));
    same_start && same_end && same_rules && has_clock && has_tags && is_subtree(&part.tree, &whole.tree)
}

/// Returns whether there is a clock, with the flag fall of the given one.
fn has_clock(part: &TreeClock, whole: Option<&TreeClock>) -> bool {
    let flag_fall = |clock: &TreeClock| clock.game_clock.flagged().map(|side| (side, clock.drawn));
    whole.is_some_and(|whole| flag_fall(part).is_none() || flag_fall(part) == flag_fall(whole))
}

fn is_subtree(part: &EditedTree, whole: &EditedTree) -> bool {
    // A list instead of a recursion: a game may have thousands of moves.
    let mut pairs = vec![(ROOT, ROOT)];
    while let Some((of_part, of_whole)) = pairs.pop() {
        let (Some(node), Some(known)) = (part.node(of_part), whole.node(of_whole)) else { return false };
        if !has_texts(node, known) {
            return false;
        }
        // The variations have the same order: each is sought after the one before.
        let mut others = whole.children(of_whole);
        for child in part.children(of_part) {
            let text = part.move_text(child);
            let Some(same) = others.find(|&known| whole.move_text(known) == text) else { return false };
            pairs.push((child, same));
        }
    }
    true
}

/// Returns whether a node has the texts, the NAGs, a score and a review of another one.
fn has_texts(part: &AnnotatedMove, whole: &AnnotatedMove) -> bool {
    (part.comment.is_empty() || part.comment == whole.comment)
        && (part.clocks.is_empty() || part.clocks == whole.clocks)
        && part.nags.iter().all(|nag| whole.nags.contains(nag))
        && (part.score.is_none() || whole.known_score().is_some())
        && (part.best.is_none() || whole.known_best().is_some())
        && has_review(part, whole)
}

/// Returns whether a node has a review that is at least as long as that of another one, if that has one.
fn has_review(part: &AnnotatedMove, whole: &AnnotatedMove) -> bool {
    let length = |node: &AnnotatedMove| node.review.as_ref().map(|review| review.nodes);
    length(part) <= length(whole)
}
