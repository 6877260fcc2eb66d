//! A file, game by game.
//!
//! The bytes are cut into games before anything is read: a game ends where the next one's tags begin, or where moves are
//! numbered from 1 again after a result. Cutting looks at line beginnings, braces and semicolons only, so a game that
//! nobody asks about costs little more than finding the ends of its lines. A game is borrowed from the reader's buffer
//! until the next is asked for; no more than one is held at a time.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memchr2};

use super::tags;
use crate::charset::{Charset, LegacyEncoding};
use crate::error::{Origin, RecordError, RecordErrorKind};
use crate::game_tree::Tags;

/// How much is read at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// How many bytes of a file must be seen at least before its character code is judged, if it has so many.
const SAMPLE_BYTES: usize = 16 * 1024;

/// The longest game that is held, in bytes, unless another length is asked for: some hundred thousand annotated moves.
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
    /// Where in the buffer the next game begins, and where in the file the buffer does.
    game_start: usize,
    buffer_offset: u64,
    at_end: bool,
    line: u64,
    number: u64,
    newline: u8,
    legacy_encoding: LegacyEncoding,
    /// What the file is in, once a byte has been seen that is not ASCII.
    charset: Option<Charset>,
    max_game_bytes: usize,
}

/// A game as it stands in the file: nothing of it has been read yet.
#[derive(Clone, Debug)]
pub struct RawGame<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What they are in.
    pub charset: Charset,
    /// Whether it was longer than is held, and is cut off.
    pub is_truncated: bool,
    newline: u8,
}

impl<'a> RawGame<'a> {
    /// Its characters.
    pub fn text(&self) -> Cow<'a, str> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) if !self.charset.is_wide() || text.is_ascii() => Cow::Borrowed(text),
            _ => self.charset.decode(self.bytes),
        }
    }

    /// Its tags; the moves are not looked at.
    pub fn tags(&self) -> Tags {
        tags::parse_tag_section(&self.text()).tags
    }

    /// What is wrong at a byte of its text.
    pub(crate) fn error_at(&self, offset: usize, mv: String, reason: RecordErrorKind) -> RecordError {
        let RawGame { number, line, bytes, charset, newline, .. } = *self;
        Origin { number, offset: self.offset, line, bytes, charset, newline }.error_at(offset, mv, reason)
    }
}

impl<R: Read> Reader<R> {
    /// Reads from here. What is not UTF-8 is Windows-1252.
    pub fn new(input: R) -> Self {
        Self::with_legacy_encoding(input, LegacyEncoding::Western)
    }

    /// Reads from here; `legacy` says what bytes are that are not UTF-8.
    pub fn with_legacy_encoding(input: R, legacy: LegacyEncoding) -> Self {
        Reader {
            input,
            buffer: Vec::new(),
            game_start: 0,
            buffer_offset: 0,
            at_end: false,
            line: 1,
            number: 0,
            newline: b'\n',
            legacy_encoding: legacy,
            charset: None,
            max_game_bytes: MAX_GAME_BYTES,
        }
    }

    /// Holds no more than so many bytes of a game; what is beyond is passed over, and the game says that it is cut.
    #[must_use]
    pub fn with_max_game_bytes(mut self, bytes: usize) -> Self {
        self.max_game_bytes = bytes.max(1);
        self
    }

    /// The next game; nothing at the end of the file.
    ///
    /// # Errors
    /// What the input says, and that UTF-16 is not read.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame<'_>>> {
        if self.buffer_offset == 0 && self.game_start == 0 && self.buffer.is_empty() {
            self.read_file_head()?;
        }
        let mut cut = GameSplitter::default();
        // All places are counted from `begin`, because the buffer moves when it is filled.
        let (mut at, mut lines, mut dropped) = (0, 0, 0);
        loop {
            let (end, lost) = self.line_end(at)?;
            dropped += lost;
            let line = &self.buffer[self.game_start + at..self.game_start + end];
            if line.is_empty() || cut.is_next_game_start(line, self.charset.is_some_and(Charset::is_wide)) {
                break;
            }
            if !cut.is_started() {
                // Blank lines before a game belong to none.
                self.game_start += end;
                self.line += 1;
                continue;
            }
            lines += 1;
            if at + line.len() > self.max_game_bytes {
                let keep = self.game_start + at.max(self.max_game_bytes);
                dropped += self.game_start + end - keep;
                self.buffer.drain(keep..self.game_start + end);
                at = at.max(self.max_game_bytes);
            } else {
                at = end;
            }
        }
        if !cut.is_started() {
            return Ok(None);
        }
        self.number += 1;
        let (begin, offset, line) = (self.game_start, self.buffer_offset + self.game_start as u64, self.line);
        self.game_start += at;
        self.buffer_offset += dropped as u64;
        self.line += lines;
        let bytes = &self.buffer[begin..begin + at];
        let charset = self.game_charset(bytes);
        let (number, newline, cut) = (self.number, self.newline, dropped > 0);
        Ok(Some(RawGame { number, offset, line, bytes, charset, is_truncated: cut, newline }))
    }

    /// What one game is in: the file's code, if the game bears that out.
    fn game_charset(&self, bytes: &[u8]) -> Charset {
        match self.charset {
            None => Charset::Utf8,
            Some(Charset::Utf8 | Charset::Windows1252) if !bytes.is_ascii() => match self.legacy_encoding {
                LegacyEncoding::Western if std::str::from_utf8(bytes).is_err() => Charset::Windows1252,
                _ if std::str::from_utf8(bytes).is_err() => self.legacy_encoding.detect(bytes),
                _ => Charset::Utf8,
            },
            Some(Charset::Windows1252) => Charset::Utf8,
            Some(charset) => charset,
        }
    }

    /// Reads the first bytes and what they tell of the whole file.
    fn read_file_head(&mut self) -> io::Result<()> {
        while !self.at_end && self.buffer.len() < SAMPLE_BYTES {
            self.fill_buffer()?;
        }
        if matches!(self.buffer[..], [0xfe, 0xff, ..] | [0xff, 0xfe, ..]) {
            return Err(io::Error::new(ErrorKind::InvalidData, RecordErrorKind::Utf16));
        }
        if self.buffer.starts_with("\u{feff}".as_bytes()) {
            self.game_start = 3;
        }
        // Macintosh files of old end their lines in a carriage return alone.
        let head = &self.buffer[..self.buffer.len().min(SAMPLE_BYTES)];
        if memchr(b'\r', head).is_some() && memchr(b'\n', head).is_none() {
            self.newline = b'\r';
        }
        Ok(())
    }

    /// Where the line that begins at `at` ends, its line break included, counted from `begin` like `at` itself; and how
    /// many bytes of it were too many to be held.
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
                // The line is too long by itself. What is beyond is forgotten as it comes.
                dropped += searched - limit;
                self.buffer.truncate(self.game_start + limit);
                searched = limit;
            }
            self.fill_buffer()?;
        }
    }

    /// Reads more behind what is there.
    fn fill_buffer(&mut self) -> io::Result<()> {
        if self.game_start > 0 {
            self.buffer.drain(..self.game_start);
            self.buffer_offset += self.game_start as u64;
            self.game_start = 0;
        }
        let held = self.buffer.len();
        self.buffer.resize(held + CHUNK_BYTES, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[held..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.buffer.truncate(held);
                    return Err(error);
                }
                Ok(read) => break read,
            }
        };
        self.buffer.truncate(held + read);
        self.at_end = read == 0;
        if self.charset.is_none() && !self.buffer[held..].is_ascii() {
            let first = self.buffer[held..].iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
            let fresh = &self.buffer[held + first..];
            let marked =
                self.buffer_offset == 0 && held + first == 0 && fresh.starts_with("\u{feff}".as_bytes());
            let fresh = if marked { &fresh[3..] } else { fresh };
            if !fresh.is_ascii() {
                self.charset = Some(if marked { Charset::Utf8 } else { self.legacy_encoding.detect(fresh) });
            }
        }
        Ok(())
    }
}

/// What is known of a game while its end is looked for.
#[derive(Default)]
struct GameSplitter {
    /// A tag has been seen; a comment or a move; a move.
    has_tag: bool,
    has_comment_or_move: bool,
    has_move: bool,
    /// The names of the tags with which files begin their games that have been seen: `Event`, `Game`.
    seen_first_tags: [bool; 2],
    in_comment: bool,
    after_blank_line: bool,
    after_result: bool,
}

impl GameSplitter {
    /// Whether anything but blank lines has been seen.
    fn is_started(&self) -> bool {
        self.has_tag || self.has_comment_or_move || self.has_move
    }

    /// Whether a new game begins with this line; otherwise the line is taken in.
    fn is_next_game_start(&mut self, line: &[u8], wide: bool) -> bool {
        let text = line.trim_ascii();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let Some(&first) = text.first() else {
            self.after_blank_line = true;
            return false;
        };
        let blank = std::mem::take(&mut self.after_blank_line);
        if self.in_comment {
            // Someone forgot a brace. The next game must not be lost with this one.
            let head = text.starts_with(b"[Event \"") || text.starts_with(b"[Game \"");
            if (head || blank) && tags::is_tag_pair(text) {
                return true;
            }
            self.scan(text, wide);
            return false;
        }
        match first {
            b'[' => self.is_next_game_tag(text, wide),
            b'%' if line[0] == b'%' => {
                self.has_comment_or_move = true;
                false
            }
            _ if self.after_result && is_first_move(text) => true,
            _ => {
                self.scan(text, wide);
                false
            }
        }
    }

    fn is_next_game_tag(&mut self, text: &[u8], wide: bool) -> bool {
        let name = [&b"[Event "[..], b"[Game "].iter().position(|name| text.starts_with(name));
        let again = name.is_some_and(|name| self.seen_first_tags[name]);
        if self.has_move || self.has_tag && self.has_comment_or_move || again {
            return true;
        }
        if let Some(name) = name {
            self.seen_first_tags[name] = true;
        }
        self.has_tag = true;
        let rest = tags::skip_tag_pairs(text, wide);
        if !rest.trim_ascii().is_empty() {
            self.scan(rest, wide);
        }
        false
    }

    /// Takes in what is no tag.
    fn scan(&mut self, mut text: &[u8], wide: bool) {
        self.has_comment_or_move = true;
        loop {
            if self.in_comment {
                let Some(end) = find_either(text, b'}', b'}', wide) else { return };
                self.in_comment = false;
                text = &text[end + 1..];
            }
            let found = find_either(text, b'{', b';', wide);
            let moves = &text[..found.unwrap_or(text.len())];
            if !moves.trim_ascii().is_empty() {
                self.has_move = true;
                self.after_result = has_trailing_result(moves);
            }
            match found {
                Some(at) if text[at] == b'{' => {
                    self.in_comment = true;
                    text = &text[at + 1..];
                }
                _ => return,
            }
        }
    }
}

/// Where the first of two ASCII characters stands.
fn find_either(text: &[u8], one: u8, two: u8, wide: bool) -> Option<usize> {
    if !wide {
        return memchr2(one, two, text);
    }
    // In GB18030 and Big5 a byte from 0x81 on takes the next with it, whatever that looks like.
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
    let word = moves.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    super::token::parse_result(word).is_some()
}

/// Whether moves are numbered from 1 here: `1. e4`, but not `1... e5`.
fn is_first_move(text: &[u8]) -> bool {
    matches!(text, [b'1', b'.', next, ..] if *next != b'.') || matches!(text, [b'1', b' ' | b'\t', ..])
}
