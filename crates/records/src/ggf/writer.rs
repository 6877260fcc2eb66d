//! Writes a game tree as GGF.

use alfil_kernel::{Position as _, Setup as _, Side};
use alfil_othello::{Move, Othello};

use super::{TAG_NAMES, black_margin, is_eight_by_eight};
use crate::annotation::{AnnotatedScore, normalise_comment};
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::sgf::escape;
use crate::tree_traversal::visit_main_line;
use crate::write_error::WriteError;

/// Formats the game in one line, unless a comment has line breaks. GGF cannot hold variations, NAGs, clock times,
/// comments before a move, depths of evaluations, mate scores, tags with the name of one of its own, and the result of
/// an unfinished game unless the tag `Score` has it: these are omitted. Parsing gives the same tree otherwise.
///
/// # Errors
/// Returns an error if the initial position or a move of the main line is illegal, or if it has a null move.
pub fn format_game(tree: &GameTree<Othello>) -> Result<String, WriteError> {
    let mut moves = format_comment(tree, ROOT);
    let position = visit_main_line(tree, FileFormat::Ggf, |position, node, mv| {
        moves += &format_move_tag(tree, node, mv, position.side_to_move());
        moves += &format_comment(tree, node);
    })?;
    let mut text = String::from("(;GM[Othello]");
    let ggf_name =
        |name: &str| TAG_NAMES.iter().find(|(_, pgn_name)| *pgn_name == name).map(|(ggf_name, _)| *ggf_name);
    let is_over = position.has_no_legal_move()
        && tree.result == Some(super::outcome_from_margin(black_margin(&position)));
    let final_score = is_over.then(|| format_score(black_margin(&position)));
    let is_type = |name: &str, value: &str| name == "Type" && is_eight_by_eight(value);
    // A tag of this name would be read as one of GGF.
    let is_of_ggf = |name: &str| {
        matches!(name, "GM" | "BO" | "B" | "W" | "C") || TAG_NAMES.iter().any(|(known, _)| *known == name)
    };
    let written =
        |(name, value): &(&str, &str)| is_type(name, value) || !(*name == "Type" || is_of_ggf(name));
    let tags: Vec<(&str, &str)> = tree.tags.iter().filter(written).collect();
    // The reader leaves out the usual type, which stands before the score.
    let mut missing_type = (!tags.iter().any(|(name, value)| is_type(name, value))).then_some(("Type", "8"));
    let has_score = tags.iter().any(|(name, _)| *name == "Score");
    let final_score = final_score.as_deref().filter(|_| !has_score).map(|score| ("Score", score));
    for tag in tags.into_iter().chain(final_score) {
        let type_ = if tag.0 == "Score" { missing_type.take() } else { None };
        for (name, value) in type_.into_iter().chain([tag]) {
            text += &format_tag(ggf_name(name).unwrap_or(name), value);
        }
    }
    if let Some((name, value)) = missing_type {
        text += &format_tag(ggf_name(name).unwrap_or(name), value);
    }
    text += &format_tag("BO", &format_board(&tree.start.to_text()));
    text += &moves;
    text += ";)";
    Ok(text)
}

/// Formats the games as a file, each on a new line.
///
/// # Errors
/// Returns the error of the first game that cannot be written.
pub fn format_games(games: &[GameTree<Othello>]) -> Result<Vec<u8>, WriteError> {
    let mut text = String::new();
    for game in games {
        text += &format_game(game)?;
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Formats the result as the Generic Game Server writes it.
pub(super) fn format_score(margin: i32) -> String {
    format!("{margin:+}.000")
}

fn format_tag(name: &str, value: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // `(;` would begin a game.
    let value = escape(value).replace("(;", "(\\;");
    format!("{name}[{value}]")
}

/// Formats the board with spaces between the rows and `*` for Black.
fn format_board(text: &str) -> String {
    let text = text.replace('X', "*");
    let (squares, side) = text.split_at(64);
    let rows = (0..8).map(|row| &squares[8 * row..8 * row + 8]);
    format!("8 {}{side}", rows.collect::<Vec<_>>().join(" "))
}

fn format_move_tag(tree: &GameTree<Othello>, node: NodeId, mv: Move, side: Side) -> String {
    let (name, annotation) = (if side == Side::First { "B" } else { "W" }, tree.annotation(node));
    let score_text = match annotation.eval.map(|eval| eval.score) {
        Some(AnnotatedScore::Centipawns(score)) => {
            let score = if side == Side::First { score } else { -score };
            crate::EvalAnnotation { score: AnnotatedScore::Centipawns(score), depth: None }.to_string()
        }
        _ => String::new(),
    };
    let time = annotation.elapsed.map(|time| {
        let time = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
        time.trim_end_matches('0').trim_end_matches('.').to_owned()
    });
    let square = if mv.is_pass() { "PA".to_owned() } else { mv.to_string() };
    let text = format!("{square}/{score_text}/{}", time.unwrap_or_default());
    format_tag(name, text.trim_end_matches('/'))
}

fn format_comment(tree: &GameTree<Othello>, node: NodeId) -> String {
    let comment = normalise_comment(&tree.annotation(node).comment_after);
    if comment.is_empty() { comment } else { format_tag("C", &comment) }
}

#[cfg(test)]
mod tests {
    use crate::ggf::{Reader, format_game};

    #[test]
    fn tags_keep_their_order() {
        for tags in ["RE[-12.000]a[x]", "a[x]RE[-12.000]", "TY[8r20]RE[?]PC[b]", "RE[?]TY[8r20]PC[b]", "a[x]"]
        {
            let text = format!("(;GM[Othello]{tags}B[f5];)");
            let tree = |text: &str| Reader::new(text.as_bytes()).next_game().unwrap().unwrap().parse().tree;
            let found = tree(&text);
            assert_eq!(tree(&format_game(&found).unwrap()), found, "{tags}");
        }
    }
}
