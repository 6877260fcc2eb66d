//! What a format cannot hold of a game: found by reading the written game again.

use alfil_records::tags::is_known;
use alfil_records::text_game::TextGame;
use alfil_records::{FileFormat, MoveAnnotation};

/// Returns what of a game is missing from its written form, as `reread` has it: `WXF cannot hold ...`.
pub(super) fn losses(game: &TextGame, reread: &TextGame, format: FileFormat) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let lines = [game, reread].map(|game| {
        let mut line = game.main_line();
        // Some formats leave out passes at the end.
        while line.last() == Some(&"pass") {
            line.pop();
        }
        line
    });
    if lines[0] != lines[1] {
        parts.push("the moves".into());
    } else if variation_moves(game) > variation_moves(reread) {
        parts.push("variations".into());
    }
    for (name, count) in COUNTS {
        let total = |game: &TextGame| game.moves.iter().map(|(_, mv)| count(&mv.annotation)).sum::<usize>();
        if total(game) > total(reread) {
            parts.push((*name).into());
        }
    }
    if game.result != reread.result {
        parts.push("the result".into());
    }
    if game.start != reread.start {
        parts.push("the start position".into());
    }
    let is_kept =
        |(name, value)| reread.tags.value(name).is_some_and(|found| found.trim() == str::trim(value));
    let lost: Vec<&str> = game
        .tags
        .iter()
        .filter(|&(name, value)| is_known(value) && !is_kept((name, value)))
        .map(|(name, _)| name)
        .collect();
    if !lost.is_empty() {
        let word = if lost.len() == 1 { "tag" } else { "tags" };
        parts.push(format!("the {word} {}", lost.join(", ")));
    }
    (!parts.is_empty()).then(|| format!("{} cannot hold {}", format.name(), join(&parts)))
}

/// A part of an annotation: its name, and how much of it there is.
type AnnotationCount = (&'static str, fn(&MoveAnnotation) -> usize);

const COUNTS: &[AnnotationCount] = &[
    // Some formats join the two comments of a move.
    ("comments", |annotation| {
        let comments = [&annotation.comment_before, &annotation.comment_after];
        comments.iter().flat_map(|comment| comment.chars()).filter(|c| !c.is_whitespace()).count()
    }),
    ("NAGs", |annotation| annotation.nags.len()),
    ("evaluations", |annotation| usize::from(annotation.eval.is_some())),
    ("clock times", |annotation| {
        usize::from(annotation.clock.is_some()) + usize::from(annotation.elapsed.is_some())
    }),
];

/// Returns the number of moves outside the main line.
fn variation_moves(game: &TextGame) -> usize {
    game.moves.move_count() - game.main_line().len()
}

/// Joins parts as a sentence does.
fn join(parts: &[String]) -> String {
    match parts {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        parts => parts.concat(),
    }
}
