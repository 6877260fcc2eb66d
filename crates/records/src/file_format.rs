//! Recognition of file formats by their content. The name of a file does not matter.
//!
//! [`FileFormat`] and its table of rows are the one list of formats: a row has the name, the use and the recognition of
//! a format. The reader and the writer of a game's format are a row of [`crate::RecordFormat::FILES`].
//!
//! Sources: the notes on XQF of its author (Dong Shiwei, 1999), the files that CCBridge and dpxq.com write, the
//! description of the WTHOR base of the Fédération Française d'Othello, the standards of SGF 4, GGF and PGN, the book
//! format page of Polyglot, and the magic numbers that Syzygy tables begin with.

use memchr::memmem;

use crate::charset::strip_byte_order_mark;
use crate::{opening_columns, othello_recognition as othello};

/// The number of bytes at the start of a file that decide its format.
const HEAD_BYTES: usize = 64 << 10;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Games in Portable Game Notation.
    Pgn,
    /// Games of Othello in the Generic Game Format.
    Ggf,
    /// Games of Othello as lines of squares.
    Transcript,
    /// Named openings, one a line, with their moves in a column.
    OpeningTable,
    /// Positions with operations (EPD) or without (FEN), one a line.
    Epd,
    /// Positions of Othello with the scores of their moves, one a line.
    Obf,
    /// JSON objects, one a line.
    Json,
    /// Perft counts in the form of python-chess: lines `epd FEN` and `perft DEPTH COUNT`.
    PerftLines,
    /// A game of xiangqi from XQStudio.
    Xqf,
    /// A game of xiangqi from CCBridge.
    Cbr,
    /// A library of games of xiangqi from CCBridge.
    Cbl,
    /// A game of xiangqi as XML from CCBridge.
    Cbf,
    /// A page with a game of xiangqi in the tags of DhtmlXQ.
    DhtmlXq,
    /// A game of xiangqi in the tags of DhtmlXQ, as it is pasted into a forum.
    Ubb,
    /// A game of xiangqi with lines of keywords and its moves in braces, as PlayOK exports it.
    WxfFile,
    /// The games of a WTHOR base of Othello.
    Wthor,
    /// The names of the players or tournaments of a WTHOR base.
    WthorNames,
    /// Games of Othello in the Smart Game Format.
    OthelloSgf,
    /// Games of another kind in the Smart Game Format.
    OtherSgf,
    /// An opening book of chess in the format of Polyglot.
    Polyglot,
    /// An endgame tablebase of chess by Syzygy.
    Syzygy,
    /// A database of SQLite.
    Sqlite,
    /// A file packed by gzip.
    Gzip,
    /// A file packed by Zstandard.
    Zstd,
    /// A file packed by bzip2.
    Bzip2,
    /// A file packed by xz.
    Xz,
    /// A ZIP archive.
    Zip,
    /// Bytes that are no text, in no known format.
    Binary,
}

/// What the program does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatUse {
    /// Its games are read.
    Games,
    /// It contains positions, which other commands read.
    Positions,
    /// It has to be unpacked first.
    Packed,
    /// It contains nothing that is read.
    Other,
}

/// A row of the table of formats.
struct Row {
    format: FileFormat,
    /// The name on the command line.
    id: &'static str,
    /// The name with its article.
    name: &'static str,
    usage: FormatUse,
    /// Recognises a file of this format that no earlier row recognises.
    recognises: fn(&Sample<'_>) -> bool,
}

/// The beginning of a file in the forms in which formats are recognised.
struct Sample<'a> {
    /// The whole file.
    file: &'a [u8],
    /// The beginning without byte order mark and white space; empty in a file that is no text of single bytes.
    text: &'a [u8],
    /// The first line of the text that is no comment.
    line: &'a [u8],
    is_binary: bool,
}

impl<'a> Sample<'a> {
    fn new(file: &'a [u8]) -> Self {
        let head = &file[..file.len().min(HEAD_BYTES)];
        let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
        let is_binary = !is_utf16 && head.contains(&0);
        // UTF-16 has its own error.
        let text = if is_utf16 || is_binary { &[] } else { head };
        let text = strip_byte_order_mark(text).trim_ascii_start();
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let line = lines.find(|line| !matches!(line, [] | [b'#' | b'%', ..])).unwrap_or_default();
        Sample { file, text, line, is_binary }
    }

    /// Returns whether the text has this part: a page in the whole of it, after its scripts and styles.
    fn contains(&self, part: &[u8]) -> bool {
        let text = if self.text.starts_with(b"<") { self.file } else { self.text };
        memmem::find(text, part).is_some()
    }
}

/// Writes the rows of the table: format, name on the command line, name with its article, use, recognition.
macro_rules! rows {
    ($($format:ident $id:literal $name:literal $usage:ident $recognises:expr;)*) => {
        &[$(Row {
            format: FileFormat::$format,
            id: $id,
            name: $name,
            usage: FormatUse::$usage,
            recognises: $recognises,
        }),*]
    };
}

/// The formats in the order of recognition.
static ROWS: &[Row] = rows! {
    Xqf "xqf" "an XQF file" Games is_xqf;
    Cbr "cbr" "a CBR file" Games |sample| sample.file.starts_with(b"CCBridge Record\0");
    Cbl "cbl" "a CBL library" Games |sample| sample.file.starts_with(b"CCBridgeLibrary\0");
    Sqlite "sqlite" "an SQLite database" Other |sample| sample.file.starts_with(b"SQLite format 3\0");
    Gzip "gzip" "a gzip file" Packed |sample| sample.file.starts_with(b"\x1f\x8b");
    Zstd "zstd" "a Zstandard file" Packed |sample| sample.file.starts_with(b"\x28\xb5\x2f\xfd");
    Bzip2 "bzip2" "a bzip2 file" Packed |sample| sample.file.starts_with(b"BZh");
    Xz "xz" "an xz file" Packed |sample| sample.file.starts_with(b"\xfd7zXZ\0");
    Zip "zip" "a ZIP archive" Packed |sample| sample.file.starts_with(b"PK\x03\x04");
    Wthor "wthor" "a WTHOR base" Games is_wthor;
    WthorNames "wthor-names" "the list of names of a WTHOR base" Other
        |sample| othello::Names::parse(sample.file).is_some();
    Syzygy "syzygy" "a Syzygy endgame tablebase" Other is_syzygy;
    Polyglot "polyglot" "a Polyglot opening book" Other is_polyglot;
    Binary "binary" "a binary file of no known format" Other |sample| sample.is_binary;
    Cbf "cbf" "a CBF file" Games
        |sample| sample.text.starts_with(b"<") && sample.contains(b"<ChineseChessRecord");
    DhtmlXq "dhtmlxq" "a DhtmlXQ page" Games
        |sample| sample.text.starts_with(b"<") && sample.contains(b"[DhtmlXQ");
    // The comments of other files may mention DhtmlXQ.
    Ubb "ubb" "a UBB text (DhtmlXQ)" Games
        |sample| sample.contains(b"[DhtmlXQ") && !is_tag_line(sample.line) && !is_wxf_file(sample);
    // SGF begins like GGF.
    OthelloSgf "sgf" "an SGF file of Othello" Games |sample| sgf_game(sample.text) == Some(SgfGame::Othello);
    OtherSgf "other-sgf" "an SGF file of another game" Other
        |sample| sgf_game(sample.text) == Some(SgfGame::Other);
    Ggf "ggf" "a GGF file" Games |sample| othello::is_ggf(sample.text);
    Json "json" "a file of JSON lines" Positions |sample| is_json(sample.text);
    Transcript "transcript" "a file of transcripts" Games |sample| othello::is_transcript(sample.line);
    OpeningTable "openings" "a table of openings" Games |sample| opening_columns::is_table(sample.line);
    Obf "obf" "a file of Othello problems (OBF)" Games |sample| is_problem_line(sample.line);
    Epd "epd" "a file of positions (EPD)" Positions |sample| is_position_line(sample.line);
    PerftLines "perft" "a file of perft counts" Positions is_perft_lines;
    Pgn "pgn" "a PGN file" Games |sample| is_tag_line(sample.line);
    WxfFile "wxf" "a WXF file" Games is_wxf_file;
};

impl FileFormat {
    /// Detects the format of a file; `None` if it is text of no certain format.
    ///
    /// ```
    /// use alfil_records::file_format::{FileFormat, FormatUse};
    ///
    /// let format = FileFormat::detect(b"CCBridge Record\0\0\0\0\x02").unwrap();
    /// assert_eq!((format, format.usage()), (FileFormat::Cbr, FormatUse::Games));
    /// assert_eq!(FileFormat::detect(b"[White \"Anderssen\"]\n\n1. e4 e5 *"), Some(FileFormat::Pgn));
    /// assert_eq!(FileFormat::detect("炮二平五".as_bytes()), None);
    /// ```
    pub fn detect(bytes: &[u8]) -> Option<FileFormat> {
        let sample = Sample::new(bytes);
        ROWS.iter().find(|row| (row.recognises)(&sample)).map(|row| row.format)
    }

    /// Iterates over all formats.
    pub fn all() -> impl Iterator<Item = FileFormat> {
        ROWS.iter().map(|row| row.format)
    }

    /// Returns the format with this name on the command line.
    ///
    /// ```
    /// use alfil_records::FileFormat;
    ///
    /// assert_eq!(FileFormat::from_id("xqf"), Some(FileFormat::Xqf));
    /// assert!(FileFormat::all().all(|format| FileFormat::from_id(format.id()) == Some(format)));
    /// ```
    pub fn from_id(id: &str) -> Option<FileFormat> {
        ROWS.iter().find(|row| row.id == id).map(|row| row.format)
    }

    /// Returns the name of this format on the command line.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns what the program does with files of this format.
    pub fn usage(self) -> FormatUse {
        self.row().usage
    }

    /// Returns the format with its article: `an XQF file`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.format == self).expect("every format has a row, as a test checks")
    }
}

/// Returns whether the file is an XQF file: the version after its letters is a control character.
fn is_xqf(sample: &Sample<'_>) -> bool {
    matches!(sample.file, [b'X', b'Q', 1..0x20, ..])
}

/// Returns whether the bytes are the games of a WTHOR base: a header with a date and the number of games.
fn is_wthor(sample: &Sample<'_>) -> bool {
    let header = othello::Header::parse(sample.file).filter(|header| header.names == 0);
    header.is_some_and(|header| header.matches_games(&sample.file[othello::HEADER_BYTES..]))
}

/// Returns whether the file begins with the magic number of a table of results (`.rtbw`) or of distances (`.rtbz`).
fn is_syzygy(sample: &Sample<'_>) -> bool {
    const MAGIC_NUMBERS: [u32; 2] = [0x5d23_e871, 0xa50c_66d7];
    MAGIC_NUMBERS.iter().any(|number| sample.file.starts_with(&number.to_le_bytes()))
}

/// Returns whether the file is a book of Polyglot: entries of 16 bytes in the order of their keys, each with a move.
/// The format has no magic number, so that a book of one or two entries is not recognised.
fn is_polyglot(sample: &Sample<'_>) -> bool {
    const ENTRY_BYTES: usize = 16;
    const MIN_ENTRIES: usize = 3;
    let entries = sample.file[..sample.file.len().min(HEAD_BYTES)].chunks_exact(ENTRY_BYTES);
    sample.is_binary
        && sample.file.len().is_multiple_of(ENTRY_BYTES)
        && entries.len() >= MIN_ENTRIES
        // The key is a big-endian integer, so the order of its bytes is that of its value.
        && entries.clone().is_sorted_by_key(|entry| &entry[..8])
        && entries.clone().all(|entry| is_polyglot_move(u16::from_be_bytes([entry[8], entry[9]])))
}

/// Returns whether the bits are a move of a book: target and origin, six bits each, and a promotion from none to queen.
fn is_polyglot_move(bits: u16) -> bool {
    bits & 0x3f != bits >> 6 & 0x3f && bits >> 12 <= 4
}

/// The game of a file in the Smart Game Format.
#[derive(PartialEq, Eq)]
enum SgfGame {
    Othello,
    Other,
}

/// Returns the game of an SGF file; `None` for another file, such as GGF, which names its game and does not number it.
fn sgf_game(text: &[u8]) -> Option<SgfGame> {
    if !othello::is_ggf(text) {
        return None;
    }
    let value = |tag: &[u8]| {
        let start = memmem::find(text, tag)? + tag.len();
        let length = text[start..].iter().position(|&byte| byte == b']')?;
        Some(text[start..start + length].trim_ascii())
    };
    match (value(b"GM["), value(b"FF[")) {
        (Some(b"2"), _) => Some(SgfGame::Othello),
        (Some([b'0'..=b'9', ..]), _) | (None, Some([b'1'..=b'4'])) => Some(SgfGame::Other),
        _ => None,
    }
}

/// Returns whether a text begins with an object of JSON: a name in quotes and a colon. A comment of PGN may begin with
/// quotes, too.
fn is_json(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"{\"") else { return false };
    let end = name.iter().position(|&byte| byte == b'"');
    end.is_some_and(|end| name[end + 1..].trim_ascii_start().starts_with(b":"))
}

/// Returns whether the text has lines of positions and of counts.
fn is_perft_lines(sample: &Sample<'_>) -> bool {
    (sample.line.starts_with(b"id ") || sample.line.starts_with(b"epd ")) && sample.contains(b"\nperft ")
}

/// The keywords of WXF files with the names of their tags.
pub(crate) const WXF_KEYWORDS: &[(&str, &str)] = &[
    ("GAME", "Title"),
    ("EVENT", "Event"),
    ("ROUND", "Round"),
    ("DATE", "Date"),
    ("PLACE", "Site"),
    ("SITE", "Site"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("TIME", "TimeControl"),
    ("AUTHOR", "Author"),
];

/// Returns whether the first line begins with a keyword of WXF and a later one opens the braces around the moves.
fn is_wxf_file(sample: &Sample<'_>) -> bool {
    let mut words = sample.line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_keyword = |word: &[u8]| {
        let tags = WXF_KEYWORDS.iter().map(|&(keyword, _)| keyword);
        tags.chain(["FORMAT", "RESULT"]).any(|keyword| word.eq_ignore_ascii_case(keyword.as_bytes()))
    };
    words.next().is_some_and(is_keyword)
        && memmem::find(&sample.text.to_ascii_uppercase(), b"START{").is_some()
}

/// Returns whether a line is a board of 64 squares and the side to move, then `;`.
fn is_problem_line(line: &[u8]) -> bool {
    let board = line.split(|&byte| byte == b';').next().unwrap_or_default();
    let squares = board.iter().filter(|byte| !byte.is_ascii_whitespace());
    board.len() < line.len()
        && squares.clone().count() == 65
        && squares.clone().all(|byte| b"XxOo*-.BbWw".contains(byte))
}

/// Returns whether a line begins with a placement of eight or ten ranks and a side to move.
fn is_position_line(line: &[u8]) -> bool {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let placement = fields.next().unwrap_or_default();
    let ranks = placement.iter().filter(|&&byte| byte == b'/').count() + 1;
    let is_placement = placement.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'/');
    is_placement && matches!(ranks, 8 | 10) && matches!(fields.next(), Some(b"w" | b"b" | b"r"))
}

/// Returns whether a line is a tag of PGN.
fn is_tag_line(line: &[u8]) -> bool {
    let Some(tag) = line.strip_prefix(b"[") else { return false };
    let name = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && tag[name..].trim_ascii_start().starts_with(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wthor(games: u32, names: u16, records: usize) -> Vec<u8> {
        let mut bytes = vec![20, 26, 11, 20];
        bytes.extend(games.to_le_bytes());
        bytes.extend(names.to_le_bytes());
        bytes.extend([0xea, 7, 8, 0, 24, 0]);
        bytes.resize(16 + records, b'a');
        bytes
    }

    #[test]
    fn binary_files_are_recognised_by_their_first_bytes() {
        for (bytes, expected) in [
            (&b"XQ\x0a\0\0\0"[..], FileFormat::Xqf),
            (b"XQ\x12\x51", FileFormat::Xqf),
            (b"CCBridge Record\0\0\0\0\x02", FileFormat::Cbr),
            (b"CCBridgeLibrary\0\0", FileFormat::Cbl),
            (b"SQLite format 3\0", FileFormat::Sqlite),
            (b"\x1f\x8b\x08\0", FileFormat::Gzip),
            (b"\x28\xb5\x2f\xfd\x04", FileFormat::Zstd),
            (b"BZh91AY", FileFormat::Bzip2),
            (b"\xfd7zXZ\0\0", FileFormat::Xz),
            (b"PK\x03\x04\x14", FileFormat::Zip),
            (b"\x71\xe8\x23\x5d\x31\0", FileFormat::Syzygy),
            (b"\xd7\x66\x0c\xa5\x31\0", FileFormat::Syzygy),
            (b"\x7fELF\x02\x01\x01\0", FileFormat::Binary),
        ] {
            assert_eq!(FileFormat::detect(bytes), Some(expected), "{bytes:?}");
        }
        assert_eq!(FileFormat::detect(&wthor(2, 0, 2 * 68)), Some(FileFormat::Wthor));
        assert_eq!(FileFormat::detect(&wthor(0, 3, 3 * 20)), Some(FileFormat::WthorNames));
        assert_eq!(FileFormat::detect(&wthor(0, 3, 3 * 26)), Some(FileFormat::WthorNames));
        assert_eq!(FileFormat::detect(&wthor(2, 0, 68)), Some(FileFormat::Binary), "a game is missing");
    }

    #[test]
    fn a_book_is_recognised_by_the_order_of_its_keys_and_its_moves() {
        let book = |entries: &[(u64, u16)]| {
            let entry = |&(key, mv): &(u64, u16)| {
                [&key.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
            };
            entries.iter().flat_map(entry).collect::<Vec<u8>>()
        };
        // Two moves of the start position, e2e4 and d2d4, between a castling move and a promotion to a queen.
        let entries = [(0x12, 0x0107), (0x463b, 0x031c), (0x463b, 0x02db), (0xffff_0000_0000_0000, 0x4c38)];
        let valid = book(&entries);
        assert_eq!(FileFormat::detect(&valid), Some(FileFormat::Polyglot));
        let mut unsorted = entries;
        unsorted.swap(0, 1);
        let not_a_move = [entries[0], entries[1], (0x463b, 0)];
        let no_promotion = [entries[0], entries[1], (0x463b, 0x52db)];
        for bytes in [&book(&unsorted), &book(&not_a_move), &book(&no_promotion), &valid[..60], &valid[..32]]
        {
            assert_eq!(FileFormat::detect(bytes), Some(FileFormat::Binary), "{bytes:?}");
        }
    }

    #[test]
    fn every_format_has_one_row() {
        for format in FileFormat::all() {
            assert_eq!(ROWS.iter().filter(|row| row.format == format || row.id == format.id()).count(), 1);
        }
        // The last variant of the enumeration has the highest number.
        assert_eq!(ROWS.len(), FileFormat::Binary as usize + 1);
    }

    #[test]
    fn text_files_are_recognised_by_their_first_line() {
        let board = "-".repeat(64);
        let problem = format!("% problems\n{board} X; f5:+2;\n");
        let page = format!("<html><style>{}</style>[DhtmlXQ]\n[DhtmlXQ_ver]", " ".repeat(HEAD_BYTES));
        for (text, expected) in [
            ("\u{feff}<?xml version=\"1.0\"?>\n<ChineseChessRecord Version=\"1.0\">", FileFormat::Cbf),
            ("<html><div>[DhtmlXQ]\n[DhtmlXQ_ver]", FileFormat::DhtmlXq),
            (&page, FileFormat::DhtmlXq),
            ("转贴：\n[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", FileFormat::Ubb),
            ("[Red \"A\"]\n\n1. 炮二平五 {[DhtmlXQ_red]}", FileFormat::Pgn),
            ("RED [DhtmlXQ\nSTART{\n}END", FileFormat::WxfFile),
            ("Result 1-0\nSTART{\n}END", FileFormat::WxfFile),
            ("DATE\t1990\nSTART{\n}END", FileFormat::WxfFile),
            ("(;GM[Othello]PC[GGS]", FileFormat::Ggf),
            ("2 (;GM[Othello]PC[GGS]", FileFormat::Ggf),
            ("(;FF[4]GM[2]SZ[8];B[f5]", FileFormat::OthelloSgf),
            ("(;FF[4]GM[1]SZ[19]", FileFormat::OtherSgf),
            ("(;FF[4]SZ[19]", FileFormat::OtherSgf),
            ("{\"fen\": \"x\", \"depth\": 1}", FileFormat::Json),
            ("# games\nf5d6c3d3c4\n", FileFormat::Transcript),
            ("eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n", FileFormat::OpeningTable),
            (&problem, FileFormat::Obf),
            ("# suite\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n", FileFormat::Epd),
            ("9/9/9/9/9/9/9/9/9/9 r ;D1 1\n", FileFormat::Epd),
            ("id pos-2\nepd 8/8/8/8/8/8/8/8 w - -\nperft 1 48\n", FileFormat::PerftLines),
            ("\u{feff}\n[Event \"x\"]\n", FileFormat::Pgn),
            ("% a comment\n[FEN \"x\"]\n", FileFormat::Pgn),
            ("FORMAT WXF\nRED Hu\n\nSTART{\n1. C2.5 H8+7\n}END\n", FileFormat::WxfFile),
        ] {
            assert_eq!(FileFormat::detect(text.as_bytes()), Some(expected), "{text}");
        }
        for text in [
            "",
            "1. e4 e5",
            "h2e2 h9g7",
            "炮二平五",
            "startpos moves e2e4",
            "[x]",
            "XQ",
            "id 5\nx",
            "{\"The Immortal Game\"} 1. e4",
            "DATE\t1990\n",
            "\u{feff}",
        ] {
            assert_eq!(FileFormat::detect(text.as_bytes()), None, "{text}");
        }
        assert_eq!(FileFormat::detect(b"\xff\xfe[\0E\0"), None, "UTF-16 is not binary");
    }
}
