//! Splits a PGN file into games.
//!
//! A game ends before the tags of the next one, or where move numbers restart from 1 after a result. The
//! splitter looks only at line starts, braces and semicolons, so skipping a game costs little more than
//! finding its line ends. A game borrows the reader's buffer until the next one is read; only one is in
//! memory.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memrchr, memrchr2};

use super::piece_letters::PieceLetters;
use super::tags::{self, TagSection};
use crate::charset::{Charset, LegacyEncoding, has_accents, strip_byte_order_mark};
use crate::error::{Origin, RecordError, RecordErrorKind};
use crate::tags::{Tags, is_tag_pair};

/// The number of bytes read at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// The number of bytes read before the encoding, the line ending and the byte order mark are detected.
const SAMPLE_BYTES: usize = 16 * 1024;

/// The default limit on the length of a game in bytes: some hundred thousand annotated moves.
pub const MAX_GAME_BYTES: usize = 64 << 20;

/// A streaming reader.
///
/// ```
/// use alfil_records::pgn::Reader;
///
/// let file = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 1-0\n\n[White \"Morphy\"]\n\n1. e4 1-0\n";
/// let mut reader = Reader::new(&file[..]);
/// let mut names = Vec::new();
/// while let Some(game) = reader.next_game()? {
///     names.push(game.tags().value("White").map(str::to_owned));
/// }
/// assert_eq!(names, [Some("Anderssen".into()), Some("Morphy".into())]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// The start of the next game in the buffer, and the offset of the buffer in the file.
    game_start: usize,
    buffer_offset: u64,
    at_end: bool,
    line: u64,
    number: u64,
    newline: u8,
    legacy_encoding: LegacyEncoding,
    /// The encoding of the file, detected at the first byte outside ASCII.
    charset: Option<Charset>,
    /// The language of the letters of the pieces, by the moves at the start of the file.
    piece_letters: PieceLetters,
    max_game_bytes: usize,
}

/// A game of a file before parsing.
#[derive(Clone, Debug)]
pub struct RawGame<'a> {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file.
    pub offset: u64,
    /// The first line of the game, from 1.
    pub line: u64,
    /// The bytes of the game.
    pub bytes: &'a [u8],
    /// The encoding of the bytes.
    pub charset: Charset,
    /// Whether the game exceeded the length limit and was truncated.
    pub is_truncated: bool,
    /// The language of the letters of the pieces in the file.
    pub piece_letters: PieceLetters,
    newline: u8,
    /// The tags, once they are parsed.
    section: OnceLock<Arc<TagSection>>,
}

impl<'a> RawGame<'a> {
    /// Creates a game from its text, or from the moves of a file of another format, at this byte and line.
    pub(crate) fn from_bytes(
        number: u64,
        (offset, line): (u64, u64),
        bytes: &'a [u8],
        charset: Charset,
    ) -> Self {
        let piece_letters = PieceLetters::English;
        let section = OnceLock::new();
        let (is_truncated, newline) = (false, b'\n');
        RawGame { number, offset, line, bytes, charset, is_truncated, piece_letters, newline, section }
    }

    /// Returns the decoded text.
    pub fn text(&self) -> Cow<'a, str> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) if !self.charset.is_double_byte() || text.is_ascii() => Cow::Borrowed(text),
            _ => self.charset.decode(self.bytes),
        }
    }

    /// Parses the tags only.
    pub fn tags(&self) -> Tags {
        self.section().tags.clone()
    }

    /// Returns the tag section of the decoded text.
    pub(crate) fn section(&self) -> &TagSection {
        self.section.get_or_init(|| Arc::new(tags::parse_tag_section(&self.text())))
    }

    /// Creates an error at a byte of the decoded text.
    pub(crate) fn error_at(&self, offset: usize, mv: String, kind: RecordErrorKind) -> RecordError {
        let RawGame { number, line, bytes, charset, newline, .. } = *self;
        Origin { number, offset: self.offset, line, bytes, charset, newline }.error_at(offset, mv, kind)
    }
}

/// Games of a file before parsing that own their bytes, so that another thread can parse them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawGames {
    bytes: Vec<u8>,
    /// The games without their bytes, and where those are.
    games: Vec<(RawGame<'static>, Range<usize>)>,
}

impl RawGames {
    /// Adds a copy of a game.
    pub(crate) fn push(&mut self, game: &RawGame<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(game.bytes);
        let RawGame { number, offset, line, charset, is_truncated, piece_letters, newline, .. } = *game;
        let (bytes, section) = (&[][..], game.section.clone());
        let game =
            RawGame { number, offset, line, bytes, charset, is_truncated, piece_letters, newline, section };
        self.games.push((game, start..self.bytes.len()));
    }

    /// Removes the last game if it does not end with a result.
    pub(crate) fn drop_unfinished_end(&mut self) {
        let last = self.games.last();
        if last.is_some_and(|(_, range)| !has_trailing_result(&self.bytes[range.clone()])) {
            self.games.pop();
        }
    }

    /// Returns the number of bytes of all games.
    pub(crate) fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of games.
    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// Iterates over the games.
    pub(crate) fn iter(&self) -> impl Iterator<Item = RawGame<'_>> {
        self.games.iter().map(|(game, range)| RawGame { bytes: &self.bytes[range.clone()], ..game.clone() })
    }
}

impl<R: Read> Reader<R> {
    /// Creates a reader that decodes bytes other than UTF-8 as Windows-1252.
    pub fn new(input: R) -> Self {
        Self::with_legacy_encoding(input, LegacyEncoding::Western)
    }

    /// Creates a reader that decodes bytes other than UTF-8 as `legacy_encoding`.
    pub fn with_legacy_encoding(input: R, legacy_encoding: LegacyEncoding) -> Self {
        Reader {
            input,
            buffer: Vec::new(),
            game_start: 0,
            buffer_offset: 0,
            at_end: false,
            line: 1,
            number: 0,
            newline: b'\n',
            legacy_encoding,
            charset: None,
            piece_letters: PieceLetters::English,
            max_game_bytes: MAX_GAME_BYTES,
        }
    }

    /// Limits the length of a game; the rest of a longer game is skipped, and it is marked as truncated.
    #[must_use]
    pub fn with_max_game_bytes(mut self, bytes: usize) -> Self {
        self.max_game_bytes = bytes.max(1);
        self
    }

    /// Returns the number of bytes that were read and belong to no game yet.
    pub(crate) fn buffered_bytes(&self) -> usize {
        self.buffer.len() - self.game_start
    }

    /// Returns whether no game follows the one that was read last.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at_end && self.buffered_bytes() == 0
    }

    /// Returns the next game; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns the errors of the input, and an error if the file is UTF-16.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame<'_>>> {
        if self.buffer_offset == 0 && self.game_start == 0 && self.buffer.is_empty() {
            self.read_file_head()?;
        }
        let mut splitter = GameSplitter::new(self.charset.is_some_and(Charset::is_double_byte), self.newline);
        // Offsets are relative to `game_start`, because filling the buffer moves its contents.
        let (mut at, mut lines, mut dropped) = (0, 0, 0);
        loop {
            let (line_end, excess) = self.line_end(at)?;
            dropped += excess;
            splitter.is_double_byte = self.charset.is_some_and(Charset::is_double_byte);
            let line = &self.buffer[self.game_start + at..self.game_start + line_end];
            let end = at + length_to_tag_after_result(line).unwrap_or(line.len());
            let game = &self.buffer[self.game_start..self.game_start + end];
            let line = &game[at..];
            if line.is_empty() || splitter.is_next_game_start(game, at) {
                break;
            }
            if !splitter.is_started() {
                // Blank lines before a game do not belong to it.
                self.game_start += end;
                self.line += 1;
                continue;
            }
            lines += u64::from(end == line_end);
            if at + line.len() > self.max_game_bytes {
                splitter.scan_pending(game);
                let start = self.game_start + at.max(self.max_game_bytes);
                dropped += self.game_start + end - start;
                self.buffer.drain(start..self.game_start + end);
                at = at.max(self.max_game_bytes);
            } else {
                at = end;
            }
        }
        if !splitter.is_started() {
            return Ok(None);
        }
        self.number += 1;
        let (start, offset, line) = (self.game_start, self.buffer_offset + self.game_start as u64, self.line);
        self.game_start += at;
        self.buffer_offset += dropped as u64;
        self.line += lines;
        let bytes = &self.buffer[start..start + at];
        let charset = self.game_charset(bytes);
        let Reader { number, newline, piece_letters, .. } = *self;
        let is_truncated = dropped > 0;
        let section = OnceLock::new();
        let game =
            RawGame { number, offset, line, bytes, charset, is_truncated, piece_letters, newline, section };
        Ok(Some(game))
    }

    /// Returns the encoding of one game: that of the file, if the game is consistent with it.
    fn game_charset(&self, bytes: &[u8]) -> Charset {
        match self.charset {
            None => Charset::Utf8,
            Some(Charset::Utf8 | Charset::Windows1252 | Charset::Windows1251) => {
                match (std::str::from_utf8(bytes), self.legacy_encoding) {
                    (Ok(_), _) => Charset::Utf8,
                    // Short names do not show that they are Cyrillic.
                    (Err(_), LegacyEncoding::Western)
                        if self.charset == Some(Charset::Windows1251) && !has_accents(bytes) =>
                    {
                        Charset::Windows1251
                    }
                    (Err(_), LegacyEncoding::Western) => self.legacy_encoding.detect_invalid_utf8(bytes),
                    (Err(_), _) => self.legacy_encoding.detect(bytes),
                }
            }
            Some(charset) => charset,
        }
    }

    /// Reads the first bytes; detects the byte order mark, the line ending and the letters of the pieces.
    fn read_file_head(&mut self) -> io::Result<()> {
        self.fill_buffer()?;
        if matches!(self.buffer[..], [0xfe, 0xff, ..] | [0xff, 0xfe, ..]) {
            return Err(io::Error::new(ErrorKind::InvalidData, RecordErrorKind::Utf16));
        }
        if self.buffer.starts_with("\u{feff}".as_bytes()) {
            self.game_start = 3;
        }
        // Old Macintosh files end lines with a carriage return alone.
        let head = &self.buffer[..self.buffer.len().min(SAMPLE_BYTES)];
        if memchr(b'\r', head).is_some() && memchr(b'\n', head).is_none() {
            self.newline = b'\r';
        }
        let sample = &self.buffer[self.game_start..];
        self.piece_letters = PieceLetters::detect(&self.charset.unwrap_or(Charset::Utf8).decode(sample));
        Ok(())
    }

    /// Returns the end of the line at `at`, including its line break and relative to `game_start`, and the
    /// number of bytes dropped because of the length limit.
    fn line_end(&mut self, at: usize) -> io::Result<(usize, usize)> {
        let (mut searched, mut dropped) = (at, 0);
        loop {
            if let Some(found) = memchr(self.newline, &self.buffer[self.game_start + searched..]) {
                return Ok((searched + found + 1, dropped));
            }
            searched = self.buffer.len() - self.game_start;
            if self.at_end {
                return Ok((searched, dropped));
            }
            let limit = at.max(self.max_game_bytes);
            if searched > limit + CHUNK_BYTES {
                // The line alone exceeds the limit: drop the excess as it is read.
                dropped += searched - limit;
                self.buffer.truncate(self.game_start + limit);
                searched = limit;
            }
            self.fill_buffer()?;
        }
    }

    /// Reads the next chunk into the buffer: at least [`SAMPLE_BYTES`], if the file has them, where these bytes are the
    /// first or decide the encoding.
    fn fill_buffer(&mut self) -> io::Result<()> {
        if self.game_start > 0 {
            self.buffer.drain(..self.game_start);
            self.buffer_offset += self.game_start as u64;
            self.game_start = 0;
        }
        let length = self.buffer.len();
        let mut filled = length;
        self.buffer.resize(length + CHUNK_BYTES, 0);
        let mut failed = None;
        let is_first = self.buffer_offset == 0 && length == 0;
        // A pipe may give a few bytes at a time, which do not show the encoding.
        let decides = |new: &[u8]| new.is_empty() || is_first || (self.charset.is_none() && !new.is_ascii());
        while filled < length + SAMPLE_BYTES && !self.at_end && decides(&self.buffer[length..filled]) {
            match self.input.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    failed = Some(error);
                    break;
                }
                Ok(read) => {
                    filled += read;
                    self.at_end = read == 0;
                }
            }
        }
        self.buffer.truncate(filled);
        if self.charset.is_none() && !self.buffer[length..].is_ascii() {
            let first = self.buffer[length..].iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
            let new = &self.buffer[length + first..];
            let has_bom =
                self.buffer_offset == 0 && length + first == 0 && new.starts_with("\u{feff}".as_bytes());
            let new = if has_bom { &new[3..] } else { new };
            if !new.is_ascii() {
                self.charset = Some(if has_bom { Charset::Utf8 } else { self.legacy_encoding.detect(new) });
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

/// Finds the end of a game line by line. Lines of moves are scanned together when a line comes that may begin the next
/// game: most games need one scan, which looks only at the last comments.
#[derive(Default)]
struct GameSplitter {
    /// Whether the encoding has characters of two bytes.
    is_double_byte: bool,
    newline: u8,
    /// The first byte of the lines that are not scanned.
    pending: Option<usize>,
    /// Whether the game has a tag; a comment or move; a move.
    has_tag: bool,
    has_comment_or_move: bool,
    has_move: bool,
    /// Whether the tags `Event` and `Game` have occurred, with which files begin their games.
    seen_first_tags: [bool; 2],
    in_comment: bool,
    after_blank_line: bool,
    after_result: bool,
}

impl GameSplitter {
    fn new(is_double_byte: bool, newline: u8) -> Self {
        GameSplitter { is_double_byte, newline, ..GameSplitter::default() }
    }

    /// Returns whether the game has begun.
    fn is_started(&self) -> bool {
        self.has_tag || self.has_comment_or_move || self.has_move
    }

    /// Returns whether the next game begins with the last line of these bytes, which begins at `line_start`; otherwise
    /// adds the line to the game.
    fn is_next_game_start(&mut self, game: &[u8], line_start: usize) -> bool {
        let line = &game[line_start..];
        let text = line.trim_ascii();
        let text = strip_byte_order_mark(text);
        let Some(&first) = text.first() else {
            self.after_blank_line = true;
            return false;
        };
        let after_blank_line = std::mem::take(&mut self.after_blank_line);
        if !matches!(first, b'[' | b'%') && !is_first_move(text) {
            self.has_comment_or_move = true;
            self.pending.get_or_insert(line_start);
            return false;
        }
        self.scan_pending(&game[..line_start]);
        if self.in_comment {
            // A tag inside a comment means that its closing brace is missing. Begin the next game here.
            let is_first_tag = text.starts_with(b"[Event \"") || text.starts_with(b"[Game \"");
            if (is_first_tag || after_blank_line) && is_tag_pair(text) {
                return true;
            }
            self.scan(text);
            return false;
        }
        match first {
            b'[' => self.is_next_game_tag(&game[..line_start], text, after_blank_line),
            b'%' if line[0] == b'%' => {
                // It may also stand between two tags.
                self.has_comment_or_move |= !self.has_tag;
                false
            }
            _ if self.after_result && is_first_move(text) => true,
            _ => {
                self.scan(text);
                false
            }
        }
    }

    fn is_next_game_tag(&mut self, header: &[u8], text: &[u8], after_blank_line: bool) -> bool {
        if self.has_tag
            && !self.has_move
            && (after_blank_line || ends_in_tag(header))
            && has_tag_name(header, text)
        {
            // The header of a game without moves, or one that is cut off.
            return true;
        }
        let index = [&b"[Event "[..], b"[Game "].iter().position(|name| text.starts_with(name));
        let is_repeated = index.is_some_and(|index| self.seen_first_tags[index]);
        if self.has_move || self.has_tag && self.has_comment_or_move || is_repeated {
            return true;
        }
        if let Some(index) = index {
            self.seen_first_tags[index] = true;
        }
        // Comments before the first tag belong to the game of the tag.
        self.has_comment_or_move &= self.has_tag;
        self.has_tag = true;
        let rest = tags::skip_tag_pairs(text, self.is_double_byte);
        if !rest.trim_ascii().is_empty() {
            self.scan(rest);
        }
        false
    }

    /// Scans the lines that are not scanned: those at the end of these bytes.
    fn scan_pending(&mut self, game: &[u8]) {
        let Some(from) = self.pending.take() else { return };
        let mut lines = &game[from..];
        let is_blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
        // A comment after a semicolon may contain braces.
        let is_simple = !self.is_double_byte && memchr(b';', lines).is_none();
        if is_simple && self.in_comment {
            let Some(end) = memchr(b'}', lines) else { return };
            self.in_comment = false;
            lines = &lines[end + 1..];
        }
        let first_moves = &lines[..memchr(b'{', lines).unwrap_or(lines.len())];
        let is_simple = is_simple && (self.has_move || !is_blank(first_moves));
        if !is_simple || !self.scan_end(lines) {
            let newline = self.newline;
            lines.split_inclusive(|&byte| byte == newline).for_each(|line| self.scan(line));
        }
    }

    /// Scans lines of moves from their end, which alone counts: whether they end in a comment, and the last moves.
    /// Returns false if a brace closes no comment.
    fn scan_end(&mut self, lines: &[u8]) -> bool {
        // Moves are between a closing brace and the first opening brace after it.
        let after = |brace: Option<usize>| brace.map_or(0, |at| at + 1);
        let mut end = lines.len();
        let in_comment = memrchr2(b'{', b'}', lines).is_some_and(|at| lines[at] == b'{');
        if in_comment {
            let start = after(memrchr(b'}', lines));
            end = start + memchr(b'{', &lines[start..]).unwrap_or(0);
        }
        loop {
            let closing = memrchr(b'}', &lines[..end]);
            let opening = match closing {
                Some(closing) => {
                    let start = after(memrchr(b'}', &lines[..closing]));
                    let Some(length) = memchr(b'{', &lines[start..closing]) else { return false };
                    start + length
                }
                None => 0,
            };
            let moves = &lines[after(closing)..end];
            if !moves.iter().all(u8::is_ascii_whitespace) {
                self.after_result = has_trailing_result(moves);
            } else if closing.is_some() {
                end = opening;
                continue;
            }
            (self.has_move, self.in_comment) = (true, in_comment);
            return true;
        }
    }

    /// Adds a line, or the part of it after the tags.
    fn scan(&mut self, mut text: &[u8]) {
        let is_double_byte = self.is_double_byte;
        self.has_comment_or_move = true;
        // The last moves of the line decide whether a result ends it.
        let mut last_moves: &[u8] = &[];
        loop {
            if self.in_comment {
                let Some(end) = find_either(text, b'}', b'}', is_double_byte) else { break };
                self.in_comment = false;
                text = &text[end + 1..];
            }
            let found = find_either(text, b'{', b';', is_double_byte);
            let moves = &text[..found.unwrap_or(text.len())];
            if !moves.iter().all(u8::is_ascii_whitespace) {
                last_moves = moves;
            }
            match found {
                Some(at) if text[at] == b'{' => {
                    self.in_comment = true;
                    text = &text[at + 1..];
                }
                _ => break,
            }
        }
        if !last_moves.is_empty() {
            self.has_move = true;
            self.after_result = has_trailing_result(last_moves);
        }
    }
}

/// Returns whether the last line of a header is a tag that is cut off.
fn ends_in_tag(header: &[u8]) -> bool {
    let header = header.trim_ascii_end();
    let line = &header[memrchr2(b'\n', b'\r', header).map_or(0, |at| at + 1)..];
    line.trim_ascii_start().starts_with(b"[") && !line.ends_with(b"]")
}

/// Returns whether a header has a tag with the name of the tag with which a line begins.
fn has_tag_name(header: &[u8], line: &[u8]) -> bool {
    let length = line.iter().position(|byte| matches!(byte, b' ' | b'"')).unwrap_or(line.len());
    let mut lines = header.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii_start);
    lines.any(|other| {
        other.starts_with(&line[..length]) && matches!(other.get(length), None | Some(b' ' | b'"'))
    })
}

/// Returns where the tags of the next game begin in a line of moves with a result before them.
fn length_to_tag_after_result(line: &[u8]) -> Option<usize> {
    if line.first() == Some(&b'[') {
        return None;
    }
    static END_OF_TAG: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\"]"));
    END_OF_TAG.find(line)?;
    memchr::memchr_iter(b'[', line).find(|&at| {
        let is_apart = at > 0 && line[at - 1].is_ascii_whitespace();
        is_apart
            && tags::skip_tag_pairs(&line[at..], false).len() < line.len() - at
            && has_trailing_result(&line[..at])
    })
}

/// Finds the first of two ASCII characters.
fn find_either(text: &[u8], one: u8, two: u8, is_double_byte: bool) -> Option<usize> {
    if !is_double_byte {
        return memchr2(one, two, text);
    }
    // In GB18030 and Big5 a byte above 0x80 begins a character of two bytes.
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == one || byte == two {
            return Some(at);
        }
        at += if byte > 0x80 { 2 } else { 1 };
    }
    None
}

fn has_trailing_result(moves: &[u8]) -> bool {
    let moves = moves.trim_ascii_end();
    // Results end with 0, 1, 2, * or ½.
    if !matches!(moves.last(), Some(b'0'..=b'2' | b'*' | 0xbd)) {
        return false;
    }
    let word = moves.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    super::token::parse_result(word).is_some()
}

/// Returns whether move numbers start from 1 here: `1. e4`, but not `1... e5`.
fn is_first_move(text: &[u8]) -> bool {
    matches!(text, [b'1', b'.', next, ..] if *next != b'.') || matches!(text, [b'1', b' ' | b'\t', ..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PIECES: [&str; 22] = [
        "1. e4",
        "e5",
        "1.",
        "1 ",
        "2. Nf3",
        "1-0",
        "*",
        "½-½",
        "{a}",
        "{",
        "}",
        "{ b\nc }",
        ";x\n",
        ";{\n",
        "%z\n",
        "[Event \"x\"]",
        "[White \"A\"]",
        "[x",
        "\n",
        "\n",
        "\n\n",
        " ",
    ];

    /// Returns the lines that begin a game. `is_eager` scans each line at once.
    fn game_starts(text: &str, is_eager: bool) -> Vec<usize> {
        let (mut starts, mut start, mut at) = (Vec::new(), 0, 0);
        let mut splitter = GameSplitter::new(false, b'\n');
        for line in text.split_inclusive('\n') {
            if splitter.is_next_game_start(&text.as_bytes()[start..at + line.len()], at - start) {
                starts.push(at);
                start = at;
                splitter = GameSplitter::new(false, b'\n');
                assert!(!splitter.is_next_game_start(line.as_bytes(), 0), "{text:?}");
            }
            at += line.len();
            if is_eager {
                splitter.scan_pending(&text.as_bytes()[start..at]);
            }
        }
        starts
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]
        #[test]
        fn lines_scanned_together_begin_the_same_games(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..24)) {
            let text = pieces.concat();
            prop_assert_eq!(game_starts(&text, false), game_starts(&text, true), "{:?}", text);
        }
    }
}
