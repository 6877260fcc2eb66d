//! CBR and CBL: the records and libraries of CCBridge (象棋桥), for xiangqi.
//!
//! A record has a header with names in UTF-16 and the board, then a tree of moves in preorder. A library has an index
//! and then records, which are found by their mark: deleted ones stay in the file and are read, too. Source: files of
//! versions 1 and 2.

use alfil_kernel::{MoveCounters, Side};
use alfil_xiangqi::{Piece, PieceKind, Setup, Square, Xiangqi};
use memchr::memmem;

use crate::byte_reader::ByteReader;
use crate::error::RecordErrorKind;
use crate::parsed_game::ParsedGame;
use crate::tags::Tags;
use crate::tree_builder::{TreeBuilder, failed_game};
use crate::xiangqi_file::{FileNode, first_origin, infer_side_to_move, read_moves, result_from_number};

mod writer;

pub use writer::format_game;

/// The signature at the start of a record.
const RECORD_SIGNATURE: &[u8] = b"CCBridge Record\0";

/// The byte offsets of the header fields in version 2.
const VERSION_AT: usize = 19;
const RESULT_AT: usize = 2076;
const FIRST_SIDE_AT: usize = 2112;
const MOVE_NUMBER_AT: usize = 2116;
const BOARD_AT: usize = 2120;
const TREE_AT: usize = 2214;

/// How many bytes earlier version 1 has the text fields up to the name of Black, and the numbers, board and tree.
const VERSION_1_NAMES_SHIFT: usize = 128;
const VERSION_1_SHIFT: usize = 256;

/// The text fields of version 2: offset, size in bytes, tag.
const FIELDS: &[(usize, usize, &str)] = &[
    (180, 128, "Title"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (820, 32, "Group"),
    (852, 32, "Table"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeControl"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1204, 64, "RedTime"),
    (1268, 32, "RedElo"),
    (BLACK_AT, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1428, 64, "BlackTime"),
    (1492, 32, "BlackElo"),
    (1524, 64, "Referee"),
    (1652, 64, "Annotator"),
    (1780, 64, "Author"),
    (1908, 64, "Created"),
    (1972, 64, "Saved"),
];

/// The field of Black's name, the last one of those whose offset in version 1 is known.
const BLACK_AT: usize = 1300;

/// The kinds of pieces in the order of their codes in the file, which begin at 1.
const KINDS: [PieceKind; 7] = {
    use PieceKind::{Advisor, Cannon, Elephant, Horse, King, Rook, Soldier};
    [Rook, Horse, Elephant, Advisor, King, Cannon, Soldier]
};

/// The flag bits of a move.
const IS_LAST: u8 = 1;
const HAS_ALTERNATIVE: u8 = 2;
const HAS_COMMENT: u8 = 4;

/// Parses a record.
///
/// ```
/// use alfil_records::{GameTree, ccbridge};
/// use alfil_xiangqi::Xiangqi;
///
/// let mut tree = GameTree::<Xiangqi>::default();
/// tree.tags.push("Red", "胡荣华");
/// let bytes = ccbridge::format_game(&tree)?;
/// assert_eq!(ccbridge::parse_game(&bytes).into_tree()?, tree);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_game(bytes: &[u8]) -> ParsedGame<Xiangqi> {
    parse_record(bytes, 0, 1)
}

/// Parses the records of a library. One without records is one error.
pub fn parse_library(bytes: &[u8]) -> Vec<ParsedGame<Xiangqi>> {
    let starts: Vec<_> = memmem::find_iter(bytes, RECORD_SIGNATURE).collect();
    if starts.is_empty() {
        return vec![failed_game(1, bytes.len(), RecordErrorKind::UnexpectedEnd)];
    }
    let ends = starts.iter().copied().skip(1).chain([bytes.len()]);
    let records = starts.iter().copied().zip(ends).zip(1..);
    records.map(|((start, end), number)| parse_record(&bytes[start..end], start, number)).collect()
}

/// Parses the record that begins at byte `base` of the file.
fn parse_record(bytes: &[u8], base: usize, number: u64) -> ParsedGame<Xiangqi> {
    let end = base + bytes.len();
    let shift = match bytes.get(VERSION_AT) {
        Some(1) => VERSION_1_SHIFT,
        Some(2) => 0,
        Some(&version) => {
            return failed_game(number, base + VERSION_AT, RecordErrorKind::UnknownVersion(version.into()));
        }
        None => return failed_game(number, end, RecordErrorKind::UnexpectedEnd),
    };
    let Some(header) = bytes.get(..TREE_AT - shift) else {
        return failed_game(number, end, RecordErrorKind::UnexpectedEnd);
    };
    let mut nodes = FileNodes { base, input: ByteReader::from_offset(bytes, TREE_AT - shift) };
    let root = nodes.next();
    let start = parse_start(header, shift, first_origin(root.as_ref(), nodes.clone()));
    let mut builder = match TreeBuilder::new(number, base + BOARD_AT - shift, start) {
        Ok(builder) => builder,
        Err(failed) => return *failed,
    };
    read_fields(header, shift, &mut builder.tree.tags);
    let result_at = RESULT_AT - shift;
    builder.set_result(base + result_at, result_from_number(header[result_at]));
    let Some(root) = root else {
        // Some programs write no tree for a game without moves.
        if bytes.len() > TREE_AT - shift {
            builder.fail(end, "", RecordErrorKind::UnexpectedEnd);
        }
        return builder.finish();
    };
    read_moves(builder, &root, nodes, end, decode)
}

/// Returns the square of an index that counts from Black's left corner, rank by rank.
fn square_from_byte(byte: u8) -> Option<Square> {
    Square::from_coordinates((byte % 9).into(), 9 - isize::from(byte / 9))
}

fn byte_from_square(square: Square) -> u8 {
    ((9 - square.rank()) * 9 + square.file()) as u8
}

/// Returns the piece of a byte: the side in the upper four bits, the kind from 1 in the lower ones.
fn piece_from_byte(byte: u8) -> Option<Piece> {
    let side = match byte >> 4 {
        1 => Side::First,
        2 => Side::Second,
        _ => return None,
    };
    let kind = KINDS.get(usize::from(byte & 0x0F).checked_sub(1)?)?;
    Some(Piece::new(side, *kind))
}

fn byte_from_piece(piece: Piece) -> u8 {
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0);
    (piece.side().index() as u8 + 1) << 4 | (kind as u8 + 1)
}

/// Returns the start position. The piece of the first move shows which side moves first.
fn parse_start(header: &[u8], shift: usize, first_origin: Option<Square>) -> Setup {
    let mut start = Setup::EMPTY;
    for index in 0..Square::COUNT as u8 {
        if let Some(square) = square_from_byte(index) {
            start.board[square.index()] = piece_from_byte(header[BOARD_AT - shift + usize::from(index)]);
        }
    }
    let number = ByteReader::from_offset(header, MOVE_NUMBER_AT - shift)
        .read_u32()
        .filter(|number| (1..10_000).contains(number));
    start.counters = MoveCounters { halfmove_clock: 0, fullmove_number: number.unwrap_or(1) };
    if header[FIRST_SIDE_AT - shift] == 2 {
        start.side_to_move = Side::Second;
    }
    infer_side_to_move(&mut start, first_origin);
    start
}

fn read_fields(header: &[u8], shift: usize, tags: &mut Tags) {
    for &(offset, size, tag) in FIELDS {
        let offset = match shift {
            0 => offset,
            _ if offset <= BLACK_AT => offset - VERSION_1_NAMES_SHIFT,
            _ => continue,
        };
        let text = decode(&header[offset..offset + size]);
        if is_valid_field(&text) {
            tags.push(tag, text.trim());
        }
    }
}

/// Returns whether a text is that of a used field: CCBridge writes uninitialised memory, so that an unused one may
/// contain anything.
fn is_valid_field(text: &str) -> bool {
    !text.contains(char::is_control) && !text.contains('\u{fffd}')
}

/// Decodes UTF-16 to the first zero.
fn decode(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    let units: Vec<_> = units.take_while(|&unit| unit != 0).collect();
    String::from_utf16_lossy(&units)
}

/// The nodes of the tree in the file; the first one has no move.
#[derive(Clone)]
struct FileNodes<'a> {
    /// The byte of the file at which the record begins.
    base: usize,
    input: ByteReader<'a>,
}

impl<'a> Iterator for FileNodes<'a> {
    type Item = FileNode<'a>;

    fn next(&mut self) -> Option<FileNode<'a>> {
        let offset = self.base + self.input.offset();
        let [flags, _, origin, target] = self.input.read_array()?;
        let mut node = FileNode {
            offset,
            origin: square_from_byte(origin),
            target: square_from_byte(target),
            has_next: flags & IS_LAST == 0,
            has_alternative: flags & HAS_ALTERNATIVE != 0,
            comment: &[],
            is_truncated: false,
        };
        if flags & HAS_COMMENT != 0 {
            let length = self.input.read_u32();
            node.read_comment(&mut self.input, length);
        }
        Some(node)
    }
}
