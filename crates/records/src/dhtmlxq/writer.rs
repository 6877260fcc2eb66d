//! Writes games in the tags of DhtmlXQ, as UBB text.

use alfil_kernel::Setup as _;
use alfil_xiangqi::{Move, Setup, Xiangqi};

use super::{KEYS, PIECES, RESULTS, digits_from_square};
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::move_tree::ROOT;
use crate::plain_comment::{self, format_comment, format_start_comment};
use crate::tree_traversal::check_moves;
use crate::write_error::WriteError;

/// Formats games one after the other, in UTF-8.
///
/// # Errors
/// Returns the error of the first game that cannot be written.
pub fn format_games(games: &[GameTree<Xiangqi>]) -> Result<Vec<u8>, WriteError> {
    let texts = games.iter().map(format_game).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.concat().into_bytes())
}

/// Formats a game. Characters that the format cannot hold are escaped. What DhtmlXQ has no key for is put into
/// comments, as [`crate::xqf::format_game`] does.
///
/// # Errors
/// Returns an error if the start position or a move is illegal, or if there is a null move.
pub fn format_game(tree: &GameTree<Xiangqi>) -> Result<String, WriteError> {
    check_moves(tree, FileFormat::Ubb)?;
    let mut text = String::from("[DhtmlXQ]\n");
    push(&mut text, "ver", "www_dpxq_com");
    for (key, tag) in KEYS {
        if let Some(value) = tree.tags.value(tag).filter(|value| is_field(tag, value)) {
            push(&mut text, key, &escape(value));
        }
    }
    let result = RESULTS.iter().find(|(_, outcome)| *outcome == tree.result).map_or("", |&(name, _)| name);
    push(&mut text, "result", result);
    push(&mut text, "binit", &format_board(&tree.start));
    if tree.start != Setup::start() {
        push(&mut text, "fen", &tree.start.to_text());
    }
    let start_comment = format_start_comment(tree, is_field);
    if !start_comment.is_empty() {
        push(&mut text, "comment0", &escape(&start_comment));
    }
    write_branches(tree, &mut text);
    text += "[/DhtmlXQ]\n";
    Ok(text)
}

/// Returns whether the value of a tag has a key and needs no place in a comment.
fn is_field(name: &str, value: &str) -> bool {
    plain_comment::is_field(KEYS, name, value)
}

/// Writes the moves and comments of the main line and of all branches, each branch before its own branches.
fn write_branches(tree: &GameTree<Xiangqi>, text: &mut String) {
    // The first move of a branch, its ply, and the branch that it replaces a move of.
    let mut pending = vec![(tree.moves.main_child(ROOT), 1, 0)];
    let mut number = 0;
    while let Some(&(first, first_ply, parent)) = pending.get(number) {
        let moves: Vec<_> = std::iter::successors(first, |&node| tree.moves.main_child(node)).collect();
        let digits: String = moves.iter().filter_map(|&node| tree.mv(node)).map(format_move).collect();
        let key = match number {
            0 => "movelist".to_owned(),
            _ => format!("move_{parent}_{first_ply}_{number}"),
        };
        push(text, &key, &digits);
        for (&node, ply) in moves.iter().zip(first_ply..) {
            let comment = format_comment(tree.annotation(node));
            if !comment.is_empty() {
                let key =
                    if number == 0 { format!("comment{ply}") } else { format!("comment{number}_{ply}") };
                push(text, &key, &escape(&comment));
            }
            // The first move of a branch is an alternative itself, and its siblings are written with the move replaced.
            if number == 0 || ply > first_ply {
                let siblings =
                    tree.moves.parent(node).into_iter().flat_map(|parent| tree.moves.children(parent));
                pending.extend(siblings.skip(1).map(|alternative| (Some(alternative), ply, number)));
            }
        }
        number += 1;
    }
}

fn format_move(mv: Move) -> String {
    digits_from_square(mv.origin()) + &digits_from_square(mv.target())
}

fn format_board(start: &Setup) -> String {
    let mut remaining: Vec<_> = PIECES.iter().map(|&piece| Some(piece)).collect();
    let mut squares = vec!["99".to_owned(); PIECES.len()];
    for square in alfil_xiangqi::Square::all() {
        let Some(piece) = start.board[square.index()] else { continue };
        if let Some(index) = remaining.iter().position(|&left| left == Some(piece)) {
            remaining[index] = None;
            squares[index] = digits_from_square(square);
        }
    }
    squares.concat()
}

fn push(text: &mut String, key: &str, value: &str) {
    *text += &format!("[DhtmlXQ_{key}]{value}[/DhtmlXQ_{key}]\n");
}

/// Escapes what would end a value or be read otherwise; a line break is `||`.
fn escape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\n' => text += "||",
            '[' | ']' | '|' | '\\' | '\u{10000}'.. => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    text += &format!("\\u{unit:04X}");
                }
            }
            _ => text.push(character),
        }
    }
    text
}
