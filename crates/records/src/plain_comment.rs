//! Annotations and tags as text, for formats that have only a comment for each move and a few fields for a game.
//!
//! What the format has no place for becomes part of a comment, in the forms of PGN: evaluation, clock times and NAGs as
//! commands (`[%eval 0.42]`, `[%nag 1]`), tags as lines (`[RedElo "2600"]`) before the comment of the start. Reading
//! takes them out again.

use alfil_kernel::{MoveCounters, Setup as _};

use crate::annotation::MoveAnnotation;
use crate::game_tree::GameTree;
use crate::move_tree::ROOT;
use crate::pgn;
use crate::record_format::RecordFormat;

/// Formats an annotation as one comment.
pub(crate) fn format_comment(annotation: &MoveAnnotation) -> String {
    let nags: Vec<_> = annotation.nags.iter().map(u8::to_string).collect();
    let nags = if nags.is_empty() { String::new() } else { format!("[%nag {}]", nags.join(",")) };
    let commands = [nags, annotation.format_commands()];
    let commands = commands.iter().filter(|text| !text.is_empty()).map(String::as_str);
    let commands = commands.collect::<Vec<_>>().join(" ");
    let after = [&*commands, &*annotation.comment_after];
    let after = after.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    let parts = [&*annotation.comment_before, &*after];
    parts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns whether a table of the fields of a format, each with the name of its tag, has one for this tag, and reading
/// does not change the value.
pub(crate) fn is_field(fields: &[(&str, &str)], name: &str, value: &str) -> bool {
    value == value.trim() && !value.is_empty() && fields.iter().any(|(_, tag)| *tag == name)
}

/// Formats the comment of the start, before it the tags for which `is_field` returns false, and the start position if
/// its counters are not 0 and 1, which formats with a board alone cannot hold.
pub(crate) fn format_start_comment<G: RecordFormat>(
    tree: &GameTree<G>,
    is_field: impl Fn(&str, &str) -> bool,
) -> String {
    let mut text = String::new();
    let others = tree.tags.iter().filter(|(name, value)| !is_field(name, value));
    for (name, value) in others {
        pgn::write_tag_pair(name, value, &mut text);
    }
    if tree.start.counters() != DEFAULT_COUNTERS {
        pgn::write_tag_pair("FEN", &tree.start.to_text(), &mut text);
    }
    let comment = format_comment(tree.annotation(ROOT));
    // An empty line ends the tags, so that a comment may begin like one.
    let begins_like_tag = comment.lines().next().is_some_and(is_tag_line);
    if !comment.is_empty() && (!text.is_empty() || begins_like_tag) {
        text.push('\n');
    }
    text + &comment
}

const DEFAULT_COUNTERS: MoveCounters = MoveCounters { halfmove_clock: 0, fullmove_number: 1 };

/// Sets the comment of the start, and the tags and counters before it. A FEN that cannot be read ends the tags: it
/// is not one that Alfil has written.
pub(crate) fn parse_start_comment<G: RecordFormat>(tree: &mut GameTree<G>, text: &str) {
    let mut comment = text;
    for line in text.split_inclusive('\n').take_while(|line| is_tag_line(line)) {
        let tags = pgn::parse_tag_section(line).tags;
        let setup = tags.value("FEN").map(G::Setup::parse);
        if let Some(Err(_)) = setup {
            break;
        }
        if let Some(Ok(setup)) = setup {
            tree.start = tree.start.clone().with_counters(setup.counters());
        }
        tags.iter().filter(|(name, _)| *name != "FEN").for_each(|(name, value)| tree.tags.set(name, value));
        comment = &comment[line.len()..];
    }
    tree.annotation_mut(ROOT).add_comment_after(comment);
}

/// Returns whether a line has tag pairs and nothing else.
fn is_tag_line(line: &str) -> bool {
    let section = pgn::parse_tag_section(line);
    let has_pairs_alone = section.warnings.is_empty() && section.comments.is_empty();
    !section.tags.is_empty() && has_pairs_alone && line[section.end..].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_more_than_tag_pairs_is_a_comment() {
        for line in [r#"[White "A \"x\"]"]"#, "[White \"A\"] [Black \"B\"]\n"] {
            assert!(is_tag_line(line), "{line}");
        }
        for line in ["", "\n", "[x \"]", r#"[A "x"] and then "b"]"#, r#"{c} [A "x"]"#, "% [A \"x\"]", "[A x]"]
        {
            assert!(!is_tag_line(line), "{line}");
        }
    }
}
