//! Lists of positions, one a line: FEN, or EPD with operations.

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Read};

use alfil_kernel::Waivers;
use alfil_kernel::epd::EpdOperation;
use alfil_records::text_game::TextGame;
use alfil_session::{GameSession, SessionError, registry};

use super::EPD_TAG;

/// The maximal length of a line in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// A line of a list of positions.
pub(super) struct ListedPosition {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// The byte offset of its line.
    pub(super) byte: u64,
    /// Whether its line has an end.
    pub(super) has_line_end: bool,
    /// A game without moves, or the line in the file and the reason why it is no position.
    pub(super) game: Result<TextGame, String>,
}

/// The positions of a file.
pub(super) struct PositionLines<R> {
    input: BufReader<R>,
    /// A session of each game that the positions may be of.
    sessions: Vec<Box<dyn GameSession>>,
    /// The start positions of the games.
    starts: Vec<String>,
    byte: u64,
    line: u64,
    number: u64,
}

impl<R: Read> PositionLines<R> {
    /// Begins to read positions of a game, or of any game.
    pub(super) fn new(input: R, game: Option<&str>) -> Self {
        let names = registry::games().filter(|name| game.is_none_or(|game| game == *name));
        let sessions: Vec<_> = names.filter_map(|name| registry::open(name, None).ok()).collect();
        let starts = sessions.iter().map(|session| session.view().fen).collect();
        PositionLines { input: BufReader::new(input), sessions, starts, byte: 0, line: 0, number: 0 }
    }

    /// Reads the next position; none at the end.
    pub(super) fn next_position(&mut self) -> io::Result<Option<ListedPosition>> {
        loop {
            let mut line = Vec::new();
            let byte = self.byte;
            let read = self.input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            // The rest of a line that is too long is no line of its own.
            let has_line_end = line.ends_with(b"\n");
            let is_cut = read as u64 == MAX_LINE_BYTES && !has_line_end;
            let rest = if is_cut { self.input.skip_until(b'\n')? } else { 0 };
            self.byte += (read + rest) as u64;
            self.line += 1;
            let text = self.decode(&line);
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with(['#', '%']) {
                continue;
            }
            self.number += 1;
            let line = self.line;
            let parsed = match rest {
                0 => self.parse(text),
                _ => Err(SessionError::new(format!("it is longer than {MAX_LINE_BYTES} bytes"))),
            };
            let game = parsed.map_err(|error| format!("line {line}: {error}"));
            return Ok(Some(ListedPosition { number: self.number, byte, has_line_end, game }));
        }
    }

    /// Decodes a line. One that is not UTF-8 has the encoding of the records of its game.
    fn decode<'a>(&self, line: &'a [u8]) -> Cow<'a, str> {
        let text = String::from_utf8_lossy(line);
        if let Cow::Borrowed(_) = text {
            return text;
        }
        let game = self.sessions.iter().zip(&self.starts).find(|(_, start)| has_ranks_of(&text, start));
        let entry = game.and_then(|(session, _)| registry::Registry::default().entry(session.game()).ok());
        let encoding = entry.map(|entry| entry.records.legacy_encoding()).unwrap_or_default();
        encoding.detect(line).decode(line)
    }

    /// Parses a position as one of the first game that accepts it.
    fn parse(&mut self, text: &str) -> Result<TextGame, SessionError> {
        let mut error = None;
        let is_only_game = self.sessions.len() == 1;
        for (session, start) in self.sessions.iter_mut().zip(&self.starts) {
            match session.open(text, &Waivers::None) {
                Ok(()) => return Ok(position_game(session.as_ref(), start, text)),
                // The error of the game to which the number of ranks points is the better one.
                Err(found) if has_ranks_of(text, start) || is_only_game => error = Some(found),
                Err(_) => {}
            }
        }
        Err(error.unwrap_or_else(|| SessionError::new("this is no position of any game")))
    }
}

fn position_game(session: &dyn GameSession, start: &str, text: &str) -> TextGame {
    let fen = session.view().fen;
    let mut game = TextGame {
        game: session.game().to_owned(),
        start: (fen != start).then_some(fen),
        ..TextGame::default()
    };
    if let Some(operations) = operations_of(session, text) {
        game.tags.push(EPD_TAG, operations);
    }
    game
}

/// Returns the operations of a position as they are written.
fn operations_of(session: &dyn GameSession, text: &str) -> Option<String> {
    let operations = session.epd_operations(text).ok()?;
    let EpdOperation { name: first, operands } = operations.first()?;
    let is_between = |c: char| c == ';' || c.is_ascii_whitespace();
    let written = &text[operations_offset(session, text, first)?..];
    let written = written.trim_start_matches(is_between).trim_end();
    // A name that is no operation in the text is the whole operand.
    if let [name] = &operands[..]
        && !written.starts_with(|c: char| c.is_ascii())
    {
        let others = written.strip_prefix(name.as_str())?.trim_start_matches(is_between);
        let id = format!("{first} \"{}\"; {others}", name.replace('"', "'"));
        return Some(id.trim_end().to_owned());
    }
    Some(written.to_owned())
}

/// Returns the offset at which the operations of a position begin, as [`alfil_kernel::epd::parse`] reads them: at the
/// first `;` if a position precedes it, as in perft suites, else at the name of the first operation.
fn operations_offset(session: &dyn GameSession, text: &str, first: &str) -> Option<usize> {
    let is_after_position =
        |at: &usize| session.epd_operations(&text[..*at]).is_ok_and(|operations| operations.is_empty());
    let names = text.split_ascii_whitespace().filter(|word| word.split(';').next() == Some(first));
    let offsets = names.map(|name| name.as_ptr() as usize - text.as_ptr() as usize);
    text.find(';').into_iter().chain(offsets).find(is_after_position)
}

/// Returns whether the placement of a text has the number of ranks of a start position, or the length of one that has
/// no separators of ranks.
fn has_ranks_of(text: &str, start: &str) -> bool {
    let [text, start] = [text, start].map(|text| text.split_ascii_whitespace().next().unwrap_or_default());
    match start.matches('/').count() {
        0 => text.len() == start.len(),
        ranks => text.matches('/').count() == ranks,
    }
}
