//! Writes a game as XQF: version 0x0A, or 0x12 if it has variations.

use alfil_kernel::Setup as _;
use alfil_xiangqi::{Setup, Xiangqi};

use super::keys::{CHECKSUM_AT, Keys};
use super::{
    FIELDS, HAS_ALTERNATIVE, HAS_COMMENT, HAS_NEXT, KIND_AT, LAST_VERSION, PIECES, PLAIN_VERSION, RESULT_AT,
    SIDE_AT, SQUARES_AT, TREE_AT, VERSION_AT, byte_from_square,
};
use crate::charset::Charset;
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::plain_comment::{format_comment, format_start_comment};
use crate::tree_traversal::{check_moves, preorder};
use crate::write_error::WriteError;
use crate::xiangqi_file::{flag_byte, number_from_result};

/// The key bytes of version 0x12. Any will do if the four from [`CHECKSUM_AT`] on add up to a multiple of 256.
const KEY_BYTES: [u8; 13] = [0x51, 0, 0, 0, 0, 0x13, 0x2B, 0x4D, 0x6F, 0x82, 0x6A, 0x3C, 0xD8];

/// The number of a captured piece.
const CAPTURED: u8 = 0xFF;

/// Formats a game. Texts are in GB18030; the one character that it does not have becomes `?`.
///
/// What XQF has no place for is put into comments in the forms of PGN: tags without a field or longer than theirs and
/// the counters of the start position into that of the start, evaluations, clock times and NAGs into that of their
/// move. [`super::parse_game`] takes them out again. The comment before a move joins the one after it.
///
/// # Errors
/// Returns an error if the start position or a move is illegal, or if there is a null move.
pub fn format_game(tree: &GameTree<Xiangqi>) -> Result<Vec<u8>, WriteError> {
    check_moves(tree, FileFormat::Xqf)?;
    let mut bytes = vec![0; TREE_AT];
    bytes[..2].copy_from_slice(b"XQ");
    let has_variations = preorder(tree).any(|step| step.has_alternative);
    bytes[VERSION_AT] = if has_variations { LAST_VERSION } else { PLAIN_VERSION };
    if has_variations {
        bytes[VERSION_AT + 1..CHECKSUM_AT + 4].copy_from_slice(&KEY_BYTES);
    }
    let keys = Keys::new(&bytes);
    write_header(tree, &keys, &mut bytes);
    let mut nodes = Vec::new();
    // The numbers that XQStudio puts where the first node would have squares.
    let root = [keys.encode_origin(0), keys.encode_target(0)];
    let start_comment = format_start_comment(tree, is_field);
    write_node(&keys, root, (!tree.moves.is_empty(), false), &start_comment, &mut nodes);
    for step in preorder(tree) {
        let Some(mv) = tree.mv(step.node) else { continue };
        let (origin, target) = (byte_from_square(mv.origin()), byte_from_square(mv.target()));
        let squares = [keys.encode_origin(origin), keys.encode_target(target)];
        let comment = format_comment(tree.annotation(step.node));
        write_node(&keys, squares, (step.has_next, step.has_alternative), &comment, &mut nodes);
    }
    keys.encode_tree(&mut nodes);
    bytes.extend(nodes);
    Ok(bytes)
}

/// Returns whether the header has a field for this tag that is long enough.
fn is_field(name: &str, value: &str) -> bool {
    let field = FIELDS.iter().find(|(_, _, tag)| *tag == name);
    field.is_some_and(|(_, size, _)| value == value.trim() && encode(value).len() < *size)
}

/// Encodes a text in GB18030. It does not have U+E5E5, of the characters for private use.
fn encode(text: &str) -> Vec<u8> {
    Charset::Gb18030.encode(text).unwrap_or_else(|missing| encode(&text.replace(missing, "?")))
}

fn write_header(tree: &GameTree<Xiangqi>, keys: &Keys, bytes: &mut [u8]) {
    // The first entry of a kind has the first square with such a piece, the second entry the second one.
    let squares = std::array::from_fn(|index| {
        let piece = PIECES[index];
        let earlier = PIECES[..index].iter().filter(|&&other| other == piece).count();
        tree.start.squares_of(piece).nth(earlier).map_or(CAPTURED, byte_from_square)
    });
    bytes[SQUARES_AT..SQUARES_AT + 32].copy_from_slice(&keys.encode_squares(squares));
    bytes[SIDE_AT] = tree.start.side_to_move.index() as u8;
    bytes[RESULT_AT] = number_from_result(tree.result);
    bytes[KIND_AT] = if tree.start.board == Setup::start().board { 0 } else { 3 };
    for (name, value) in tree.tags.iter().filter(|(name, value)| is_field(name, value)) {
        let Some(&(offset, ..)) = FIELDS.iter().find(|(_, _, tag)| *tag == name) else { continue };
        let text = encode(value);
        bytes[offset] = text.len() as u8;
        bytes[offset + 1..offset + 1 + text.len()].copy_from_slice(&text);
    }
}

fn write_node(
    keys: &Keys,
    squares: [u8; 2],
    (has_next, has_alternative): (bool, bool),
    comment: &str,
    nodes: &mut Vec<u8>,
) {
    let comment = encode(&comment.replace('\n', "\r\n"));
    let flags = match keys.is_plain() {
        true if has_next => 0xF0,
        true => 0,
        false => flag_byte([
            (has_next, HAS_NEXT),
            (has_alternative, HAS_ALTERNATIVE),
            (!comment.is_empty(), HAS_COMMENT),
        ]),
    };
    nodes.extend([squares[0], squares[1], flags, 0]);
    if keys.is_plain() || !comment.is_empty() {
        nodes.extend((comment.len() as u32).wrapping_add(keys.comment_offset).to_le_bytes());
        nodes.extend(comment);
    }
}
