//! XQF: the files of XQStudio (象棋演播室), the most common records of xiangqi.
//!
//! A header of 1,024 bytes has the names and the start position; a tree of moves in preorder follows. The versions to
//! 0x12 are read. Those above 0x0A are scrambled with keys from the header.
//!
//! Sources: the notes on XQF 1.0 of its author (Dong Shiwei, 1999), and files of the versions 0x0A, 0x0C, 0x10 and
//! 0x12.

use alfil_kernel::{Outcome, Position as _, Setup as _, Side, Waivers};
use alfil_xiangqi::{Bitboard, Piece, PieceKind, Setup, Square, Xiangqi};

use crate::byte_reader::ByteReader;
use crate::charset::{Charset, detect_chinese_texts};
use crate::error::RecordErrorKind;
use crate::parsed_game::ParsedGame;
use crate::tree_builder::{TreeBuilder, failed_game};
use crate::xiangqi_file::{FileNode, first_origin, infer_side_to_move, read_moves, result_from_number};

mod keys;
mod writer;

use keys::Keys;
pub use writer::format_game;

/// The last version without keys, in which nothing is added to the length of a comment.
const PLAIN_VERSION: u8 = 0x0A;

/// The first version that rotates the order of the pieces.
const ROTATED_VERSION: u8 = 0x0C;

/// The last known version.
const LAST_VERSION: u8 = 0x12;

/// Offsets in the file: the fields of the header, and the tree behind it.
const VERSION_AT: usize = 0x02;
const SQUARES_AT: usize = 0x10;
const SIDE_AT: usize = 0x32;
const RESULT_AT: usize = 0x33;
/// 0 or 1 for a game from its beginning; other kinds begin with a position.
const KIND_AT: usize = 0x40;
const TREE_AT: usize = 0x400;

/// The text fields of the header: offset, size with the byte of their length, tag. `TitleB` is a tag of Alfil's
/// own.
const FIELDS: &[(usize, usize, &str)] = &[
    (0x50, 64, "Title"),
    (0x90, 64, "TitleB"),
    (0xD0, 64, "Event"),
    (0x110, 16, "Date"),
    (0x120, 16, "Site"),
    (0x130, 16, "Red"),
    (0x140, 16, "Black"),
    (0x150, 64, "TimeControl"),
    (0x190, 16, "RedTime"),
    (0x1A0, 16, "BlackTime"),
    (0x1D0, 16, "Annotator"),
    (0x1E0, 16, "Author"),
];

/// The pieces in the order in which XQF and DhtmlXQ have their squares.
pub(crate) const PIECES: [Piece; 32] = {
    use PieceKind::{Advisor, Cannon, Elephant, Horse, King, Rook, Soldier};
    const KINDS: [PieceKind; 16] = [
        Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Soldier,
        Soldier, Soldier, Soldier, Soldier,
    ];
    let mut pieces = [Piece::new(Side::First, King); 32];
    let mut index = 0;
    while index < 32 {
        let side = if index < 16 { Side::First } else { Side::Second };
        pieces[index] = Piece::new(side, KINDS[index % 16]);
        index += 1;
    }
    pieces
};

/// The flags of a move after version 0x0A.
const HAS_NEXT: u8 = 0x80;
const HAS_ALTERNATIVE: u8 = 0x40;
const HAS_COMMENT: u8 = 0x20;

/// What is added to the squares of a move.
const ORIGIN_OFFSET: u8 = 24;
const TARGET_OFFSET: u8 = 32;

/// Parses a file. It has one game; a damaged one keeps the moves before the damage.
///
/// ```
/// use alfil_records::{GameTree, xqf};
/// use alfil_xiangqi::Xiangqi;
///
/// let mut tree = GameTree::<Xiangqi>::default();
/// tree.tags.push("Red", "胡荣华");
/// let bytes = xqf::format_game(&tree)?;
/// assert_eq!(xqf::parse_game(&bytes).into_tree()?, tree);
/// let error = xqf::parse_game(&bytes[..900]).error.unwrap();
/// assert_eq!(error.to_string(), "game 1, byte 900: the file ends within the game");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_game(bytes: &[u8]) -> ParsedGame<Xiangqi> {
    let Some(header) = bytes.get(..TREE_AT) else {
        return failed_game(1, bytes.len(), RecordErrorKind::UnexpectedEnd);
    };
    let version = header[VERSION_AT];
    if version > LAST_VERSION {
        return failed_game(1, VERSION_AT, RecordErrorKind::UnknownVersion(version.into()));
    }
    let keys = Keys::new(header);
    let tree_bytes = keys.decode_tree(&bytes[TREE_AT..]);
    let nodes = FileNodes { keys, input: ByteReader::from_offset(&tree_bytes, 0) };
    parse_tree(header, nodes, &tree_bytes)
}

fn parse_tree(header: &[u8], mut nodes: FileNodes<'_>, tree_bytes: &[u8]) -> ParsedGame<Xiangqi> {
    let charset = detect_charset(header, nodes.clone());
    let keys = nodes.keys;
    // The first node holds the comment of the start.
    let root = nodes.next();
    let start = parse_start(header, &keys, first_origin(root.as_ref(), nodes.clone()));
    let mut builder = match TreeBuilder::new(1, SQUARES_AT, start) {
        Ok(builder) => builder,
        Err(failed) => return *failed,
    };
    if !keys.is_checksum_valid {
        builder.warn(keys::CHECKSUM_AT, "", RecordErrorKind::WrongChecksum);
    }
    parse_header(header, charset, &mut builder);
    let Some(root) = root else {
        builder.fail(TREE_AT + tree_bytes.len(), "", RecordErrorKind::UnexpectedEnd);
        return builder.finish();
    };
    read_moves(builder, &root, nodes, TREE_AT + tree_bytes.len(), |bytes| decode(charset, bytes))
}

/// Returns the square of a byte: 10 times the file, plus the rank from Red's side.
fn square_from_byte(byte: u8) -> Option<Square> {
    Square::from_coordinates((byte / 10).into(), (byte % 10).into())
}

fn byte_from_square(square: Square) -> u8 {
    (square.file() * 10 + square.rank()) as u8
}

/// Returns the start position. The piece of the first move shows which side moves first; the header is wrong in many
/// files. A whole game with impossible squares begins at the start position.
fn parse_start(header: &[u8], keys: &Keys, first_origin: Option<Square>) -> Setup {
    let mut start = Setup { board: keys.board(header), ..Setup::EMPTY };
    let is_whole_game = matches!(header[KIND_AT], 0 | 1);
    if is_whole_game && Bitboard::from_setup(&start, &Waivers::All).is_err() {
        start = Setup::start();
    }
    if header[SIDE_AT] == 1 {
        start.side_to_move = Side::Second;
    }
    infer_side_to_move(&mut start, first_origin);
    start
}

/// Reads the tags and the result.
fn parse_header(header: &[u8], charset: Charset, builder: &mut TreeBuilder<Xiangqi>) {
    for &(offset, size, tag) in FIELDS {
        builder.tree.tags.push(tag, decode(charset, field(header, offset, size)).trim());
    }
    let result = match header[RESULT_AT] {
        4 => Ok(Some(Outcome::Draw)),
        number => result_from_number(number),
    };
    builder.set_result(RESULT_AT, result);
}

/// Returns the bytes of a text field, which begins with its length.
fn field(header: &[u8], offset: usize, size: usize) -> &[u8] {
    let length = usize::from(header[offset]).min(size - 1);
    &header[offset + 1..offset + 1 + length]
}

/// Detects the encoding from all texts of the file.
fn detect_charset(header: &[u8], nodes: FileNodes<'_>) -> Charset {
    let fields = FIELDS.iter().map(|&(offset, size, _)| field(header, offset, size));
    let texts: Vec<_> = fields.chain(nodes.comments()).map(text_bytes).collect();
    detect_chinese_texts(&texts)
}

/// Decodes a text. A program that cuts texts to a length may have cut the last character.
fn decode(charset: Charset, bytes: &[u8]) -> String {
    let text = charset.decode(text_bytes(bytes));
    text.strip_suffix('\u{fffd}').unwrap_or(&text).to_owned()
}

/// Returns a text without the zero byte that may end it.
fn text_bytes(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    &bytes[..end]
}

/// The nodes of the tree in the file.
#[derive(Clone)]
struct FileNodes<'a> {
    keys: Keys,
    input: ByteReader<'a>,
}

impl<'a> FileNodes<'a> {
    /// Iterates over the comments of the tree: what follows its last move is no text.
    fn comments(mut self) -> impl Iterator<Item = &'a [u8]> {
        // The number of lines that are not complete.
        let mut open = 1_usize;
        std::iter::from_fn(move || {
            let node = if open > 0 { self.next()? } else { return None };
            open += usize::from(node.has_alternative);
            open -= usize::from(!node.has_next);
            Some(node.comment)
        })
    }
}

impl<'a> Iterator for FileNodes<'a> {
    type Item = FileNode<'a>;

    fn next(&mut self) -> Option<FileNode<'a>> {
        let offset = TREE_AT + self.input.offset();
        let [origin, target, flags, _] = self.input.read_array()?;
        let is_plain = self.keys.is_plain();
        let (has_next, has_alternative, has_comment) = match is_plain {
            true => (flags & 0xF0 != 0, flags & 0x0F != 0, true),
            false => (flags & HAS_NEXT != 0, flags & HAS_ALTERNATIVE != 0, flags & HAS_COMMENT != 0),
        };
        let mut node = FileNode {
            offset,
            origin: square_from_byte(self.keys.decode_origin(origin)),
            target: square_from_byte(self.keys.decode_target(target)),
            has_next,
            has_alternative,
            comment: &[],
            is_truncated: false,
        };
        if has_comment {
            let length = self.input.read_u32().map(|length| length.wrapping_sub(self.keys.comment_offset));
            node.read_comment(&mut self.input, length);
        }
        Some(node)
    }
}
