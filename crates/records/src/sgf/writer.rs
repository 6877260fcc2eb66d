//! Writes games of Othello as SGF.

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_othello::{Move, Othello, Setup, Square};

use super::PROPERTIES;
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::plain_comment::{self, format_comment, format_start_comment};
use crate::tree_traversal::check_moves;
use crate::write_error::WriteError;

/// Formats games as a collection in UTF-8.
///
/// # Errors
/// Returns the error of the first game that cannot be written.
pub fn format_games(games: &[GameTree<Othello>]) -> Result<Vec<u8>, WriteError> {
    let texts = games.iter().map(format_game).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.concat().into_bytes())
}

/// Formats a game. What SGF has no property for is put into comments, as [`crate::xqf::format_game`] does.
///
/// # Errors
/// Returns an error if the start position or a move is illegal, or if there is a null move.
pub fn format_game(tree: &GameTree<Othello>) -> Result<String, WriteError> {
    check_moves(tree, FileFormat::OthelloSgf)?;
    let mut text = String::from("(;FF[4]CA[UTF-8]GM[2]SZ[8]");
    for (property, tag) in PROPERTIES {
        if let Some(value) = tree.tags.value(tag).filter(|value| is_field(tag, value)) {
            push(&mut text, property, value);
        }
    }
    let result = match tree.result {
        Some(Outcome::Win(Side::First)) => "B+",
        Some(Outcome::Win(Side::Second)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "?",
    };
    push(&mut text, "RE", result);
    write_start(&tree.start, &mut text);
    let comment = format_start_comment(tree, is_field);
    if !comment.is_empty() {
        push(&mut text, "C", &comment);
    }
    let mut steps: Vec<_> = steps_after(tree, ROOT);
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(part) => text += part,
            Step::Node(node) => {
                write_node(tree, node, &mut text);
                steps.extend(steps_after(tree, node));
            }
        }
    }
    text += ")\n";
    Ok(text)
}

/// A step of writing: a move with all that follows it, or a parenthesis.
enum Step {
    Text(&'static str),
    Node(NodeId),
}

/// Returns the steps for what follows a node, the last one first.
fn steps_after(tree: &GameTree<Othello>, node: NodeId) -> Vec<Step> {
    let mut children: Vec<_> = tree.moves.children(node).collect();
    if children.len() < 2 {
        return children.into_iter().map(Step::Node).collect();
    }
    children.reverse();
    children.into_iter().flat_map(|child| [Step::Text(")"), Step::Node(child), Step::Text("\n(")]).collect()
}

/// Returns whether a tag has a property and needs no place in a comment.
fn is_field(name: &str, value: &str) -> bool {
    plain_comment::is_field(PROPERTIES, name, value)
}

fn write_start(start: &Setup, text: &mut String) {
    if *start == Setup::start() {
        return;
    }
    for (property, side) in [("AB", Side::First), ("AW", Side::Second)] {
        let squares: Vec<_> =
            Square::all().filter(|square| start.squares_of(side) >> square.index() & 1 != 0).collect();
        if !squares.is_empty() {
            *text += property;
            squares.iter().for_each(|square| *text += &format!("[{square}]"));
        }
    }
    push(text, "PL", if start.side_to_move == Side::First { "B" } else { "W" });
}

fn write_node(tree: &GameTree<Othello>, node: NodeId, text: &mut String) {
    let mv = tree.mv(node).unwrap_or(Move::PASS);
    // The side alternates, because passes are moves.
    let depth = std::iter::successors(tree.moves.parent(node), |&node| tree.moves.parent(node)).count();
    let is_first = (depth % 2 == 1) == (tree.start.side_to_move == Side::First);
    text.push(';');
    let square = mv.square().map_or(String::new(), |square| square.to_string());
    push(text, if is_first { "B" } else { "W" }, &square);
    let comment = format_comment(tree.annotation(node));
    if !comment.is_empty() {
        push(text, "C", &comment);
    }
}

fn push(text: &mut String, property: &str, value: &str) {
    *text += &format!("{property}[{}]", escape(value));
}

/// Puts backslashes before the characters of a value that would end it or protect the next one.
pub(crate) fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}
