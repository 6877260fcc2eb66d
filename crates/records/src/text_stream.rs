//! Games of a file as a stream: of PGN, one game is in memory at a time.

use std::io::{self, Chain, Cursor, Read};
use std::vec;

use crate::charset::{LegacyEncoding, strip_byte_order_mark};
use crate::file_format::{FileFormat, FormatUse};
use crate::othello_recognition::Header;
use crate::pgn;
use crate::text_game::{GameResult, TextFormat, parse_games, parse_pgn_game};

/// The number of bytes at the start of a file from which its format, its game and its encoding are recognised.
const HEAD_BYTES: u64 = 256 << 10;
/// The number of bytes in which a file that begins like a page is searched for a game.
const PAGE_BYTES: u64 = 16 << 20;

/// A game with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedGame {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file, if the format is read as a stream.
    pub offset: Option<u64>,
    /// The game, or the place and reason why nothing of it can be read.
    pub game: GameResult,
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
        Ok(TextGames { formats, hint, file_format, games })
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
