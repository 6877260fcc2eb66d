//! Recognition of file formats by their content. The name of a file does not matter.
//!
//! Sources: the notes on XQF of its author (Dong Shiwei, 1999), the files that CCBridge and dpxq.com write, the
//! description of the WTHOR base of the Fédération Française d'Othello, and the standards of SGF 4, GGF and PGN.

use memchr::memmem;

use crate::{ggf, opening_table, transcript};

/// The number of bytes at the start of a file that decide its format.
const HEAD_BYTES: usize = 64 << 10;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// Problems of Othello, one a line.
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
    /// The games of a WTHOR base of Othello.
    Wthor,
    /// The names of the players or tournaments of a WTHOR base.
    WthorNames,
    /// Games of Othello in the Smart Game Format.
    OthelloSgf,
    /// Games of another kind in the Smart Game Format.
    OtherSgf,
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
    /// It contains games that are not read yet.
    NotReadYet,
    /// It has to be unpacked first.
    Packed,
    /// It contains nothing that is read.
    Other,
}

impl FileFormat {
    /// Detects the format of a file; `None` if it is text of no certain format.
    ///
    /// ```
    /// use alfil_records::file_format::{FileFormat, FormatUse};
    ///
    /// let format = FileFormat::detect(b"CCBridge Record\0\0\0\0\x02").unwrap();
    /// assert_eq!((format, format.usage()), (FileFormat::Cbr, FormatUse::NotReadYet));
    /// assert_eq!(FileFormat::detect(b"[White \"Anderssen\"]\n\n1. e4 e5 *"), Some(FileFormat::Pgn));
    /// assert_eq!(FileFormat::detect("炮二平五".as_bytes()), None);
    /// ```
    pub fn detect(bytes: &[u8]) -> Option<FileFormat> {
        if let Some(format) = detect_signature(bytes) {
            return Some(format);
        }
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        // UTF-16 has its own error.
        if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
            return None;
        }
        if is_wthor(bytes, 0) {
            return Some(FileFormat::Wthor);
        }
        if is_wthor(bytes, 20) || is_wthor(bytes, 26) {
            return Some(FileFormat::WthorNames);
        }
        if head.contains(&0) {
            return Some(FileFormat::Binary);
        }
        detect_text(head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head))
    }

    /// Returns what the program does with files of this format.
    pub fn usage(self) -> FormatUse {
        use FileFormat::*;
        match self {
            Pgn | Ggf | Transcript | OpeningTable => FormatUse::Games,
            Epd | Obf | Json | PerftLines => FormatUse::Positions,
            Xqf | Cbr | Cbl | Cbf | DhtmlXq | Ubb | Wthor | OthelloSgf => FormatUse::NotReadYet,
            Gzip | Zstd | Bzip2 | Xz | Zip => FormatUse::Packed,
            WthorNames | OtherSgf | Sqlite | Binary => FormatUse::Other,
        }
    }

    /// Returns the format with its article: `an XQF file`.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Pgn => "a PGN file",
            FileFormat::Ggf => "a GGF file",
            FileFormat::Transcript => "a file of transcripts",
            FileFormat::OpeningTable => "a table of openings",
            FileFormat::Epd => "a file of positions (EPD)",
            FileFormat::Obf => "a file of Othello problems (OBF)",
            FileFormat::Json => "a file of JSON lines",
            FileFormat::PerftLines => "a file of perft counts",
            FileFormat::Xqf => "an XQF file",
            FileFormat::Cbr => "a CBR file",
            FileFormat::Cbl => "a CBL library",
            FileFormat::Cbf => "a CBF file",
            FileFormat::DhtmlXq => "a DhtmlXQ page",
            FileFormat::Ubb => "a UBB text (DhtmlXQ)",
            FileFormat::Wthor => "a WTHOR base",
            FileFormat::WthorNames => "the list of names of a WTHOR base",
            FileFormat::OthelloSgf => "an SGF file of Othello",
            FileFormat::OtherSgf => "an SGF file of another game",
            FileFormat::Sqlite => "an SQLite database",
            FileFormat::Gzip => "a gzip file",
            FileFormat::Zstd => "a Zstandard file",
            FileFormat::Bzip2 => "a bzip2 file",
            FileFormat::Xz => "an xz file",
            FileFormat::Zip => "a ZIP archive",
            FileFormat::Binary => "a binary file of no known format",
        }
    }
}

/// Detects the formats that begin with fixed bytes.
fn detect_signature(bytes: &[u8]) -> Option<FileFormat> {
    let signatures: [(&[u8], FileFormat); 8] = [
        (b"CCBridge Record\0", FileFormat::Cbr),
        (b"CCBridgeLibrary\0", FileFormat::Cbl),
        (b"SQLite format 3\0", FileFormat::Sqlite),
        (b"\x1f\x8b", FileFormat::Gzip),
        (b"\x28\xb5\x2f\xfd", FileFormat::Zstd),
        (b"BZh", FileFormat::Bzip2),
        (b"\xfd7zXZ\0", FileFormat::Xz),
        (b"PK\x03\x04", FileFormat::Zip),
    ];
    // The version of an XQF file is a control character.
    if let [b'X', b'Q', 1..0x20, ..] = bytes {
        return Some(FileFormat::Xqf);
    }
    signatures.iter().find(|(signature, _)| bytes.starts_with(signature)).map(|&(_, format)| format)
}

/// Returns whether the bytes are a file of a WTHOR base: 16 bytes with a date and the numbers of games and names, then
/// names of this length, or games if it is 0.
fn is_wthor(bytes: &[u8], name_length: usize) -> bool {
    let Some((header, records)) = bytes.split_first_chunk::<16>() else { return false };
    let [century, year, month, day, a, b, c, d, e, f, _, _, board_size, ..] = *header;
    let is_date = matches!((century, year, month, day), (19..=20, 0..=99, 1..=12, 1..=31));
    let games = u32::from_le_bytes([a, b, c, d]) as usize;
    let names = usize::from(u16::from_le_bytes([e, f]));
    // Two tournament and player numbers, two scores and the squares of the moves.
    let game_length = if board_size == 10 { 104 } else { 68 };
    is_date
        && match name_length {
            0 => games > 0 && records.len() == games.saturating_mul(game_length),
            _ => games == 0 && names > 0 && records.len() == names * name_length,
        }
}

fn detect_text(text: &[u8]) -> Option<FileFormat> {
    let contains = |part: &[u8]| memmem::find(text, part).is_some();
    let trimmed = text.trim_ascii_start();
    if trimmed.starts_with(b"<") && contains(b"<ChineseChessRecord") {
        return Some(FileFormat::Cbf);
    }
    if contains(b"[DhtmlXQ") {
        let is_page = trimmed.starts_with(b"<");
        return Some(if is_page { FileFormat::DhtmlXq } else { FileFormat::Ubb });
    }
    // SGF begins like GGF.
    if ggf::is_ggf(trimmed) {
        return Some(detect_bracket_format(trimmed));
    }
    if trimmed.starts_with(b"{\"") {
        return Some(FileFormat::Json);
    }
    let mut lines = trimmed.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.find(|line| !matches!(line, [] | [b'#' | b'%', ..])).unwrap_or_default();
    if transcript::is_transcript(line) {
        return Some(FileFormat::Transcript);
    }
    if opening_table::is_table(line) {
        return Some(FileFormat::OpeningTable);
    }
    if is_problem_line(line) {
        return Some(FileFormat::Obf);
    }
    if is_position_line(line) {
        return Some(FileFormat::Epd);
    }
    if line.starts_with(b"id ") || line.starts_with(b"epd ") {
        return Some(FileFormat::PerftLines).filter(|_| contains(b"\nperft "));
    }
    is_tag_line(line).then_some(FileFormat::Pgn)
}

/// Distinguishes GGF, which names its game, from SGF, which numbers it.
fn detect_bracket_format(text: &[u8]) -> FileFormat {
    let value = |tag: &[u8]| {
        let start = memmem::find(text, tag)? + tag.len();
        let length = text[start..].iter().position(|&byte| byte == b']')?;
        Some(text[start..start + length].trim_ascii())
    };
    match (value(b"GM["), value(b"FF[")) {
        (Some(b"2"), _) => FileFormat::OthelloSgf,
        (Some([b'0'..=b'9', ..]), _) | (None, Some([b'1'..=b'4'])) => FileFormat::OtherSgf,
        _ => FileFormat::Ggf,
    }
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
    fn text_files_are_recognised_by_their_first_line() {
        let board = "-".repeat(64);
        let problem = format!("% problems\n{board} X; f5:+2;\n");
        for (text, expected) in [
            ("\u{feff}<?xml version=\"1.0\"?>\n<ChineseChessRecord Version=\"1.0\">", FileFormat::Cbf),
            ("<html><div>[DhtmlXQ]\n[DhtmlXQ_ver]", FileFormat::DhtmlXq),
            ("转贴：\n[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", FileFormat::Ubb),
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
            "\u{feff}",
        ] {
            assert_eq!(FileFormat::detect(text.as_bytes()), None, "{text}");
        }
        assert_eq!(FileFormat::detect(b"\xff\xfe[\0E\0"), None, "UTF-16 is not binary");
    }
}
