//! Writes a game as CBF.

use alfil_kernel::Setup as _;
use alfil_xiangqi::Xiangqi;
use quick_xml::escape::escape;

use super::{ELEMENTS, START_VALUE};
use crate::dhtmlxq::digits_from_square;
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::plain_comment::{self, format_comment, format_start_comment};
use crate::tree_traversal::visit_main_line;
use crate::write_error::WriteError;
use crate::xiangqi_file::number_from_result;

/// Formats the main line of a game, with its comments: the form of variations in CBF is not known. What CBF has no
/// element for is put into comments, as [`crate::xqf::format_game`] does. Characters that XML cannot have are left out.
///
/// # Errors
/// Returns an error if the start position or a move is illegal, or if there is a null move.
pub fn format_game(tree: &GameTree<Xiangqi>) -> Result<Vec<u8>, WriteError> {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n",
    );
    for (element, tag) in ELEMENTS {
        let value = tree.tags.value(tag).filter(|value| is_field(tag, value)).unwrap_or_default();
        text += &format!("  <{element}>{}</{element}>\n", escape(clean(value)));
    }
    let result = number_from_result(tree.result);
    text += &format!(
        "  <RecordResult>{result}</RecordResult>\n  <FEN>{}</FEN>\n </Head>\n <MoveList>\n",
        tree.start.to_text()
    );
    push_move(&mut text, START_VALUE, tree.moves.is_empty(), &format_start_comment(tree, is_field));
    visit_main_line(tree, FileFormat::Cbf, |_, node, mv| {
        let value = format!("{}-{}", digits_from_square(mv.origin()), digits_from_square(mv.target()));
        let is_last = tree.moves.main_child(node).is_none();
        push_move(&mut text, &value, is_last, &format_comment(tree.annotation(node)));
    })?;
    text += " </MoveList>\n</ChineseChessRecord>\n";
    Ok(text.into_bytes())
}

/// Returns whether a tag has an element and needs no place in a comment.
fn is_field(name: &str, value: &str) -> bool {
    plain_comment::is_field(ELEMENTS, name, value)
}

/// Returns a text without the characters that XML cannot have.
fn clean(text: &str) -> String {
    let is_allowed = |character: &char| match character {
        '\n' | '\t' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        _ => *character >= ' ',
    };
    text.chars().filter(is_allowed).collect()
}

fn push_move(text: &mut String, value: &str, is_last: bool, comment: &str) {
    let end = if is_last { " end=\"1\"" } else { "" };
    *text += &match comment {
        "" => format!("  <Move value=\"{value}\"{end} />\n"),
        comment => format!("  <Move value=\"{value}\"{end}>{}</Move>\n", escape(clean(comment))),
    };
}
