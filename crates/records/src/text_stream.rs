//! Games of a file as a stream: of PGN, one game is in memory at a time.

use std::io::{self, Chain, Cursor, Read};
use std::vec;

use crate::charset::{LegacyEncoding, strip_byte_order_mark};
use crate::error::RecordError;
use crate::file_format::{FileFormat, FormatUse};
use crate::game_outline::GameOutline;
use crate::opening_names::NamesOf;
use crate::othello_recognition::Header;
use crate::pgn;
use crate::tags::Tags;
use crate::text_game::{
    GameResult, Rewriting, RewrittenGame, TextFormat, TextGame, outline_pgn_game, parse_games,
    parse_pgn_game, rewrite_pgn_game,
};

/// The number of bytes at the start of a file from which its format, its game and its encoding are recognised.
const HEAD_BYTES: u64 = 256 << 10;
/// The number of bytes in which a file that begins like a page is searched for a game.
const PAGE_BYTES: u64 = 16 << 20;

/// The number of bytes of games with which a batch ends.
const BATCH_BYTES: usize = 256 << 10;
/// The number of games, read or skipped, with which a batch ends.
const BATCH_GAMES: u64 = 4096;
/// A batch ends before fewer bytes than this are left in the buffer, because waiting for more may take for ever while
/// its games could be read.
const MIN_BUFFERED_BYTES: usize = 32 << 10;

/// A game with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedGame<T = TextGame> {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file, if the format is read as a stream.
    pub offset: Option<u64>,
    /// The game, or the place and reason why nothing of it can be read.
    pub game: Result<T, RecordError>,
}

/// Some games of a file that follow each other, those of PGN before parsing, so that threads can share the work.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::text_game::TextFormat;
/// use alfil_records::text_stream::TextGames;
///
/// let file = b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
/// let chess = TextFormat::new::<Chess>();
/// let mut games = TextGames::new(&file[..], vec![&chess], None)?;
/// let mut numbers = Vec::new();
/// while let Some(batch) = games.next_batch(Some(&|tags| tags.value("White") == Some("B")))? {
///     numbers.extend(batch.into_games().iter().map(|game| game.number));
/// }
/// assert_eq!(numbers, [2]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBatch<'f> {
    formats: Vec<&'f TextFormat>,
    hint: Option<&'f TextFormat>,
    contents: BatchContents,
    skipped: u64,
    /// Whether the last game of a PGN file is the last one of the batch.
    has_last_game: bool,
}

#[derive(Clone, Debug)]
enum BatchContents {
    Pgn(pgn::RawGames),
    Read(Vec<PlacedGame>),
}

impl GameBatch<'_> {
    /// Returns the number of games that were skipped because of their tags.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Removes the last game of a PGN file, if it does not end with a result: where damage ends the file, the moves
    /// before it may be wrong.
    pub fn drop_unfinished_end(&mut self) {
        if let BatchContents::Pgn(games) = &mut self.contents
            && self.has_last_game
        {
            games.drop_unfinished_end();
        }
    }

    /// Returns whether these are games of PGN, which are parsed when they are read.
    pub fn is_pgn(&self) -> bool {
        matches!(self.contents, BatchContents::Pgn(_))
    }

    /// Reads the games in their order.
    pub fn into_games(self) -> Vec<PlacedGame> {
        let raw = match self.contents {
            BatchContents::Read(games) => return games,
            BatchContents::Pgn(raw) => raw,
        };
        let placed = raw.iter().map(|game| PlacedGame {
            number: game.number,
            offset: Some(game.offset),
            game: parse_pgn_game(&game, &self.formats, self.hint),
        });
        placed.collect()
    }

    /// Reads the outlines of the games in their order. With `names`, which has the named openings of a game, games
    /// without the tag `Opening` get it by their moves, and `ECO` in chess.
    pub fn outlines<'a>(
        &'a self,
        names: Option<NamesOf<'a>>,
    ) -> impl Iterator<Item = PlacedGame<GameOutline>> + 'a {
        let (raw, read) = self.contents();
        let parsed = raw.into_iter().flat_map(pgn::RawGames::iter).map(move |game| PlacedGame {
            number: game.number,
            offset: Some(game.offset),
            game: outline_pgn_game(&game, &self.formats, self.hint, names),
        });
        let outline = move |game: &TextGame| {
            let mut outline = GameOutline::of(game);
            let format = self.formats.iter().find(|format| format.name() == game.game);
            if let (Some(names), Some(format), None) = (names, format, game.tags.first_value(&["Opening"]))
                && let Some(opening) = format.opening_of(&names(&game.game), game)
            {
                opening.complete_tags(&mut outline.tags);
            }
            outline
        };
        let known = read.iter().map(move |PlacedGame { number, offset, game }| PlacedGame {
            number: *number,
            offset: *offset,
            game: game.as_ref().map(outline).map_err(RecordError::clone),
        });
        parsed.chain(known)
    }

    /// Reads the games of PGN in their order and writes each as PGN; the games of other formats are left out.
    pub fn rewrite<'a>(
        &'a self,
        rewriting: &'a Rewriting<'a>,
    ) -> impl Iterator<Item = PlacedGame<RewrittenGame>> + 'a {
        let (raw, _) = self.contents();
        raw.into_iter().flat_map(pgn::RawGames::iter).map(move |game| PlacedGame {
            number: game.number,
            offset: Some(game.offset),
            game: rewrite_pgn_game(&game, &self.formats, self.hint, rewriting),
        })
    }

    fn contents(&self) -> (Option<&pgn::RawGames>, &[PlacedGame]) {
        match &self.contents {
            BatchContents::Pgn(games) => (Some(games), &[]),
            BatchContents::Read(games) => (None, games),
        }
    }
}

/// The games of a file. PGN is read as a stream, every other format with games as a whole. Of a file in a format
/// without games only the beginning is read, of a page without one 16 MiB.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::text_game::TextFormat;
/// use alfil_records::text_stream::TextGames;
///
/// let file = b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
/// let chess = TextFormat::new::<Chess>();
/// let mut games = TextGames::new(&file[..], vec![&chess], None)?;
/// assert_eq!(games.next_game()?.unwrap().game.unwrap().main_line(), ["e2e4"]);
/// let second = games.next_game()?.unwrap();
/// assert_eq!((second.number, second.offset), (2, Some(22)));
/// assert!(games.next_game()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextGames<'f, R> {
    formats: Vec<&'f TextFormat>,
    hint: Option<&'f TextFormat>,
    file_format: Option<FileFormat>,
    games: Games<R>,
    /// The error of the input after the games of a batch.
    failed: Option<io::Error>,
}

#[derive(Debug)]
enum Games<R> {
    Pgn(Box<pgn::Reader<Chain<Cursor<Vec<u8>>, R>>>),
    Whole(vec::IntoIter<GameResult>, u64),
}

impl<'f, R: Read> TextGames<'f, R> {
    /// Begins to read a file. The games are recognised as by [`parse_games`], except that a PGN file names its game in
    /// its first 256 KiB.
    ///
    /// # Errors
    /// Returns the errors of the input.
    ///
    /// # Panics
    /// If there are no formats.
    pub fn new(mut input: R, formats: Vec<&'f TextFormat>, hint: Option<&'f TextFormat>) -> io::Result<Self> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
        let mut file_format = FileFormat::detect(&head);
        if file_format.is_none() && strip_byte_order_mark(&head).trim_ascii_start().starts_with(b"<") {
            // The game of a page may be far behind its scripts and styles.
            input.by_ref().take(PAGE_BYTES).read_to_end(&mut head)?;
            file_format = FileFormat::detect(&head);
        }
        let games = if matches!(file_format, None | Some(FileFormat::Pgn)) {
            let encoding = LegacyEncoding::of_pgn(&head, &formats, hint);
            let input = Cursor::new(head).chain(input);
            Games::Pgn(Box::new(pgn::Reader::with_legacy_encoding(input, encoding)))
        } else {
            // A file without games, such as a packed one, may be larger than the memory. The length of the whole file
            // is part of the recognition of a WTHOR base.
            let has_games = file_format.is_some_and(|format| format.usage() == FormatUse::Games);
            if has_games || Header::parse(&head).is_some() {
                input.read_to_end(&mut head)?;
                file_format = FileFormat::detect(&head);
            }
            Games::Whole(parse_games(&head, &formats, hint).into_iter(), 0)
        };
        Ok(TextGames { formats, hint, file_format, games, failed: None })
    }

    /// Returns the format of the file; `None` if it is text of no certain format, which is read as PGN.
    pub fn file_format(&self) -> Option<FileFormat> {
        self.file_format
    }

    /// Reads the next game; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns the errors of the input, and an error if a PGN file is in UTF-16.
    pub fn next_game(&mut self) -> io::Result<Option<PlacedGame>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        match &mut self.games {
            Games::Pgn(reader) => Ok(reader.next_game()?.map(|game| PlacedGame {
                number: game.number,
                offset: Some(game.offset),
                game: parse_pgn_game(&game, &self.formats, self.hint),
            })),
            Games::Whole(games, number) => Ok(games.next().map(|game| {
                *number += 1;
                PlacedGame { number: *number, offset: None, game }
            })),
        }
    }

    /// Reads the next games before their moves are parsed; `None` at the end of the file. A game of PGN is skipped if
    /// its tags, as written, are not accepted; games of other formats are never skipped.
    ///
    /// # Errors
    /// Returns the errors of the input, after the games before it, and an error if a PGN file is in UTF-16.
    pub fn next_batch(
        &mut self,
        accepts: Option<&dyn Fn(&Tags) -> bool>,
    ) -> io::Result<Option<GameBatch<'f>>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let (formats, hint) = (self.formats.clone(), self.hint);
        let reader = match &mut self.games {
            Games::Pgn(reader) => reader,
            Games::Whole(games, number) => {
                let numbered = |game| {
                    *number += 1;
                    PlacedGame { number: *number, offset: None, game }
                };
                let read: Vec<_> = games.by_ref().take(BATCH_GAMES as usize).map(numbered).collect();
                let is_at_end = read.is_empty();
                let contents = BatchContents::Read(read);
                let batch = GameBatch { formats, hint, contents, skipped: 0, has_last_game: false };
                return Ok((!is_at_end).then_some(batch));
            }
        };
        let (mut games, mut skipped, mut has_last_game) = (pgn::RawGames::default(), 0, false);
        loop {
            match reader.next_game() {
                Ok(Some(game)) if accepts.is_none_or(|accepts| accepts(&game.section().tags)) => {
                    games.push(&game);
                    has_last_game = reader.is_at_end();
                }
                Ok(Some(_)) => skipped += 1,
                Ok(None) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
            let count = games.len() as u64 + skipped;
            let is_full = games.byte_count() >= BATCH_BYTES || count >= BATCH_GAMES;
            if is_full || games.len() > 0 && reader.buffered_bytes() < MIN_BUFFERED_BYTES {
                break;
            }
        }
        if games.len() == 0 && skipped == 0 {
            return self.failed.take().map_or(Ok(None), Err);
        }
        Ok(Some(GameBatch { formats, hint, contents: BatchContents::Pgn(games), skipped, has_last_game }))
    }
}

#[cfg(all(test, feature = "xiangqi", feature = "chess"))]
mod tests {
    use alfil_chess::Chess;
    use alfil_xiangqi::Xiangqi;

    use super::*;
    use crate::error::RecordErrorKind;

    fn stream(file: &[u8]) -> Vec<GameResult> {
        let (chess, xiangqi) = (TextFormat::new::<Chess>(), TextFormat::new::<Xiangqi>());
        let mut games = TextGames::new(file, vec![&xiangqi, &chess], None).unwrap();
        let next = || games.next_game().unwrap();
        std::iter::from_fn(next).map(|placed| placed.game).collect()
    }

    #[test]
    fn a_stream_has_the_games_of_the_whole_file() {
        let (chess, xiangqi) = (TextFormat::new::<Chess>(), TextFormat::new::<Xiangqi>());
        let many = "[White \"A\"]\n\n1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *\n\n".repeat(10_000);
        let ubb = "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
        let chinese = encoding_rs::GB18030.encode("[Game \"Chinese Chess\"]\n\n1. 炮二平五 马８进７ *").0;
        let page = format!("<html>{}{ubb}</html>", " ".repeat(2 * HEAD_BYTES as usize));
        let openings = "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n";
        for file in [
            many.as_bytes(),
            ubb.as_bytes(),
            page.as_bytes(),
            &chinese,
            openings.as_bytes(),
            b"1. e4 e9",
            b"",
        ] {
            assert_eq!(stream(file), parse_games(file, &[&xiangqi, &chess], None));
        }
    }

    /// An input that cannot be read.
    struct Unreadable;

    impl Read for Unreadable {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the rest is not needed"))
        }
    }

    #[test]
    fn only_the_beginning_of_a_file_without_games_is_read() {
        let chess = TextFormat::new::<Chess>();
        let zeros = vec![0_u8; HEAD_BYTES as usize];
        let packed = |magic: &[u8]| [magic, &zeros[..]].concat();
        for (head, format) in [
            (packed(b"\x1f\x8b\x08"), FileFormat::Gzip),
            (packed(b"\x28\xb5\x2f\xfd"), FileFormat::Zstd),
            (packed(b"SQLite format 3\0"), FileFormat::Sqlite),
            (b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n".repeat(10_000), FileFormat::Epd),
        ] {
            let input = (&head[..]).chain(Unreadable);
            let mut games = TextGames::new(input, vec![&chess], None).unwrap();
            assert_eq!(games.file_format(), Some(format));
            let error = games.next_game().unwrap().unwrap().game.unwrap_err();
            assert_eq!(error.kind, RecordErrorKind::UnsupportedFile(format));
            assert!(games.next_game().unwrap().is_none());
        }
        // The first game of this base has no moves, so that the length of the whole file decides.
        let mut base = vec![20_u8, 26, 11, 20];
        base.extend(5_000_u32.to_le_bytes());
        base.extend([0, 0, 0xea, 7, 8, 0, 24, 0]);
        base.resize(16 + 5_000 * 68, 0);
        let games = TextGames::new(&base[..], vec![&chess], None).unwrap();
        assert_eq!(games.file_format(), Some(FileFormat::Wthor));
    }

    #[test]
    fn utf_16_is_an_error_of_the_input() {
        let chess = TextFormat::new::<Chess>();
        let mut games = TextGames::new(&b"\xff\xfe[\0E\0"[..], vec![&chess], None).unwrap();
        assert!(games.next_game().unwrap_err().to_string().contains("UTF-16"));
    }
}
