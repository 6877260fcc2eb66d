//! Writes a game as CBR, version 2.

use alfil_xiangqi::{Square, Xiangqi};

use super::{
    BOARD_AT, FIELDS, FIRST_SIDE_AT, HAS_ALTERNATIVE, HAS_COMMENT, IS_LAST, MOVE_NUMBER_AT, RECORD_SIGNATURE,
    RESULT_AT, TREE_AT, VERSION_AT, byte_from_piece, byte_from_square, is_valid_field,
};
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::plain_comment::{format_comment, format_start_comment};
use crate::tree_traversal::{check_moves, preorder};
use crate::write_error::WriteError;
use crate::xiangqi_file::{flag_byte, number_from_result};

/// Formats a game. What CBR has no place for is put into comments, as [`crate::xqf::format_game`] does.
///
/// # Errors
/// Returns an error if the start position or a move is illegal, or if there is a null move.
pub fn format_game(tree: &GameTree<Xiangqi>) -> Result<Vec<u8>, WriteError> {
    check_moves(tree, FileFormat::Cbr)?;
    let mut bytes = vec![0; TREE_AT];
    bytes[..RECORD_SIGNATURE.len()].copy_from_slice(RECORD_SIGNATURE);
    bytes[VERSION_AT] = 2;
    for (name, value) in tree.tags.iter().filter(|(name, value)| is_field(name, value)) {
        let Some(&(offset, ..)) = FIELDS.iter().find(|(_, _, tag)| *tag == name) else { continue };
        let text = encode(value);
        bytes[offset..offset + text.len()].copy_from_slice(&text);
    }
    bytes[RESULT_AT] = number_from_result(tree.result);
    bytes[FIRST_SIDE_AT] = tree.start.side_to_move.index() as u8 + 1;
    bytes[MOVE_NUMBER_AT..MOVE_NUMBER_AT + 4]
        .copy_from_slice(&tree.start.counters.fullmove_number.to_le_bytes());
    for square in Square::all() {
        if let Some(piece) = tree.start.board[square.index()] {
            bytes[BOARD_AT + usize::from(byte_from_square(square))] = byte_from_piece(piece);
        }
    }
    bytes[TREE_AT - 4..].fill(0xFF);
    let start_comment = format_start_comment(tree, is_field);
    write_node((0, 0), (!tree.moves.is_empty(), false), &start_comment, &mut bytes);
    for step in preorder(tree) {
        let Some(mv) = tree.mv(step.node) else { continue };
        let squares = (byte_from_square(mv.origin()), byte_from_square(mv.target()));
        let comment = format_comment(tree.annotation(step.node));
        write_node(squares, (step.has_next, step.has_alternative), &comment, &mut bytes);
    }
    Ok(bytes)
}

/// Returns whether the header has a field for this tag that is long enough, with a zero at its end.
fn is_field(name: &str, value: &str) -> bool {
    let field = FIELDS.iter().find(|(_, _, tag)| *tag == name);
    let is_plain = value == value.trim() && is_valid_field(value);
    field.is_some_and(|(_, size, _)| is_plain && encode(value).len() + 2 <= *size)
}

fn encode(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn write_node(
    (origin, target): (u8, u8),
    (has_next, has_alternative): (bool, bool),
    comment: &str,
    bytes: &mut Vec<u8>,
) {
    let comment = encode(&comment.replace('\n', "\r\n"));
    let flags = flag_byte([
        (!has_next, IS_LAST),
        (has_alternative, HAS_ALTERNATIVE),
        (!comment.is_empty(), HAS_COMMENT),
    ]);
    bytes.extend([flags, 0, origin, target]);
    if !comment.is_empty() {
        bytes.extend((comment.len() as u32).to_le_bytes());
        bytes.extend(comment);
    }
}
