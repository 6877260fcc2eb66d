//! What the files of the xiangqi programs share: moves between two squares, results as numbers, the side that moves
//! first, and trees of moves in preorder.

use alfil_kernel::Outcome;
use alfil_kernel::Side;
use alfil_xiangqi::{Move, Setup, Square, Xiangqi};

use crate::byte_reader::ByteReader;
use crate::error::RecordErrorKind;
use crate::parsed_game::ParsedGame;
use crate::plain_comment::parse_start_comment;
use crate::tree_builder::{PreorderBuilder, PreorderMove, TreeBuilder};

/// The results by their numbers in a file; the last number stands for several results.
const RESULTS: [Option<Outcome>; 5] =
    [None, Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)), Some(Outcome::Draw), None];

/// Returns the result of a number, `None` if it is open, or the error that the number has no meaning.
pub(crate) fn result_from_number(number: u8) -> Result<Option<Outcome>, RecordErrorKind> {
    RESULTS
        .get(usize::from(number))
        .copied()
        .ok_or_else(|| RecordErrorKind::unknown_result(&number.to_string()))
}

/// Returns the result of a word by the words of a format, `None` if it is open or there is no word, or the error that
/// the word is none of them. Upper and lower case are the same.
pub(crate) fn result_from_word(
    words: &[(&str, Option<Outcome>)],
    word: &str,
) -> Result<Option<Outcome>, RecordErrorKind> {
    match words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)) {
        Some(&(_, outcome)) => Ok(outcome),
        None if word.is_empty() => Ok(None),
        None => Err(RecordErrorKind::unknown_result(word)),
    }
}

/// Returns the number of a result.
pub(crate) fn number_from_result(result: Option<Outcome>) -> u8 {
    RESULTS.iter().position(|&known| known == result).map_or(0, |number| number as u8)
}

/// Returns the byte with the flags that are set.
pub(crate) fn flag_byte(flags: [(bool, u8); 3]) -> u8 {
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum()
}

/// Returns the move between two squares, or the error that there is none.
pub(crate) fn move_from_squares(
    origin: Option<Square>,
    target: Option<Square>,
) -> Result<Move, (RecordErrorKind, String)> {
    match (origin, target) {
        (Some(origin), Some(target)) if origin != target => Ok(Move::new(origin, target)),
        _ => {
            let name = |square: Option<Square>| square.map_or("?".to_owned(), |square| square.to_string());
            Err((RecordErrorKind::NoMove, name(origin) + &name(target)))
        }
    }
}

/// Lets the side of the first piece that moves begin: files are often wrong about the side to move.
pub(crate) fn infer_side_to_move(start: &mut Setup, first_origin: Option<Square>) {
    if let Some(piece) = first_origin.and_then(|origin| start.board[origin.index()]) {
        start.side_to_move = piece.side();
    }
}

/// A node of the tree in a binary file: a move, or the start at the root.
pub(crate) struct FileNode<'a> {
    /// The byte of the file at which the node is.
    pub(crate) offset: usize,
    pub(crate) origin: Option<Square>,
    pub(crate) target: Option<Square>,
    /// Whether moves follow this one.
    pub(crate) has_next: bool,
    /// Whether an alternative to this move follows after them.
    pub(crate) has_alternative: bool,
    pub(crate) comment: &'a [u8],
    /// Whether the file ends in the comment.
    pub(crate) is_truncated: bool,
}

impl<'a> FileNode<'a> {
    /// Reads the comment of this length; `None` if the file ends before the length.
    pub(crate) fn read_comment(&mut self, input: &mut ByteReader<'a>, length: Option<u32>) {
        match length.and_then(|length| input.take(length as usize)) {
            Some(comment) => self.comment = comment,
            None => {
                self.is_truncated = true;
                self.comment = if length.is_some() { input.read_rest() } else { &[] };
            }
        }
    }
}

/// Returns the square from which the first move after the root starts. `nodes` is behind the root.
pub(crate) fn first_origin<'a>(
    root: Option<&FileNode<'a>>,
    mut nodes: impl Iterator<Item = FileNode<'a>>,
) -> Option<Square> {
    root.filter(|root| root.has_next)?;
    nodes.next()?.origin
}

/// Reads the comment of the root and the moves after it. `end` is the byte at which the file ends.
pub(crate) fn read_moves<'a>(
    builder: TreeBuilder<Xiangqi>,
    root: &FileNode<'a>,
    mut nodes: impl Iterator<Item = FileNode<'a>>,
    end: usize,
    decode: impl Fn(&[u8]) -> String,
) -> ParsedGame<Xiangqi> {
    let mut moves = PreorderBuilder::new(builder);
    parse_start_comment(&mut moves.builder.tree, &decode(root.comment));
    let mut is_truncated = root.is_truncated;
    while root.has_next && !is_truncated && !moves.is_complete() {
        let Some(node) = nodes.next() else {
            is_truncated = true;
            break;
        };
        is_truncated = node.is_truncated;
        moves.add(PreorderMove {
            offset: node.offset,
            mv: move_from_squares(node.origin, node.target),
            has_next: node.has_next,
            has_alternative: node.has_alternative,
            comment: decode(node.comment),
        });
    }
    if is_truncated {
        moves.end_of_file(end);
    }
    moves.builder.finish()
}
