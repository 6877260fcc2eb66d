//! Files of games.

use std::ffi::c_char;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ptr;
use std::sync::{Arc, Mutex};

use alfil_records::{FileFormat, ROOT, TextGame, TextGames};
use alfil_session::{Registry, recorded_game, registry};

use crate::board::{Board, give_board, with_board};
use crate::handles::{self, Kind};
use crate::memory::{Items, Out, Text, give, give_text};
use crate::results::{Game, GameResult, give_game};
use crate::status::{Error, Status, guard};

/// A reader of a file of games.
#[derive(Debug)]
pub struct Reader {
    /// Gives each handle an address of its own.
    _memory: u64,
}

type Input = Box<dyn Read + Send>;

/// The object of a reader handle.
type ReaderObject = Mutex<TextGames<'static, Input>>;

fn read_error(error: &io::Error) -> Error {
    let status = if error.kind() == io::ErrorKind::InvalidData { Status::Record } else { Status::Io };
    Error::new(status, error.to_string())
}

fn give_reader(input: Input, game: Option<&str>) -> Result<*mut Reader, Error> {
    let entry = game.map(|name| Registry::default().entry(name)).transpose()?;
    let formats = registry::GAMES.iter().map(|entry| &entry.records).collect();
    let games = TextGames::new(input, formats, entry.map(|entry| &entry.records))
        .map_err(|error| read_error(&error))?;
    let object: Arc<ReaderObject> = Arc::new(Mutex::new(games));
    Ok(give(Reader { _memory: 0 }, Kind::Reader, object))
}

/// Opens a file of games of any format that Alfil reads: PGN of all games, XQF, CBR, CBL, CBF, UBB, DhtmlXQ, WXF, GGF,
/// SGF, WTHOR, OBF, transcripts. PGN of any size is read as a stream. `game` names the game where the file does not, or
/// is NULL.
///
/// The caller owns the reader and frees it with alfil_reader_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_reader_open(path: Text, game: Text, out_reader: Out<*mut Reader>) -> Status {
    guard(|| {
        let out = out_reader.start("out_reader", ptr::null_mut())?;
        let (path, game) = (path.required("path")?, game.optional("game")?);
        let file = File::open(path).map_err(|error| Error::new(Status::Io, format!("{path}: {error}")))?;
        out.set(give_reader(Box::new(file), game)?);
        Ok(())
    })
}

/// As alfil_reader_open, for the bytes of a file, which are copied.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_reader_from_bytes(
    bytes: Items<u8>,
    size: usize,
    game: Text,
    out_reader: Out<*mut Reader>,
) -> Status {
    guard(|| {
        let out = out_reader.start("out_reader", ptr::null_mut())?;
        let (bytes, game) = (bytes.slice("bytes", size)?.to_vec(), game.optional("game")?);
        out.set(give_reader(Box::new(Cursor::new(bytes)), game)?);
        Ok(())
    })
}

/// Gives the name of the format of the file, NULL if it is text of no certain format, which is read as PGN. The text
/// belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_reader_format(reader: *const Reader, out_format: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_format.start("out_format", ptr::null_mut())?;
        let object = handles::find::<ReaderObject>(reader.cast(), Kind::Reader)?;
        let format = handles::lock(&object, Kind::Reader)?.file_format();
        out.set(format.map_or(ptr::null_mut(), |format| give_text(format.id())));
        Ok(())
    })
}

/// Reads the next game; `out_game` is NULL at the end of the file. A game that cannot be read to its end has the moves
/// before the fault, and the fault in `error`. The game belongs to the caller, who frees it with alfil_game_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_reader_next(reader: *mut Reader, out_game: Out<*const Game>) -> Status {
    guard(|| {
        let out = out_game.start("out_game", ptr::null())?;
        let object = handles::find::<ReaderObject>(reader.cast(), Kind::Reader)?;
        let next = handles::lock(&object, Kind::Reader)?.next_game();
        let Some(placed) = next.map_err(|error| read_error(&error))? else { return Ok(()) };
        let game = placed.game.unwrap_or_else(|error| TextGame { error: Some(error), ..TextGame::default() });
        out.set(give_game(game, placed.number, placed.offset));
        Ok(())
    })
}

/// Frees a reader. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_reader_free(reader: *mut Reader) -> Status {
    guard(|| handles::free(reader.cast(), Kind::Reader))
}

/// Frees a game with its tags and nodes. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_game_free(game: *const Game) -> Status {
    guard(|| handles::free(game.cast_mut().cast(), Kind::Game))
}

/// Returns the game of a handle, if something of it could be read.
fn find(game: *const Game) -> Result<Arc<TextGame>, Error> {
    let game = handles::find::<TextGame>(game.cast(), Kind::Game)?;
    if game.game.is_empty() {
        let error = game.error.as_ref().map_or_else(|| "the game is empty".to_owned(), ToString::to_string);
        return Err(Error::new(Status::Record, error));
    }
    Ok(game)
}

/// Makes a board at a node of a game, with the moves that lead there: 0 is the start. The board belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_game_board(game: *const Game, node: usize, out_board: Out<*mut Board>) -> Status {
    guard(|| {
        let out = out_board.start("out_board", ptr::null_mut())?;
        let game = find(game)?;
        let board = recorded_game::board_at(registry::board_game(&game.game)?, &game, node)?;
        out.set(give_board(board));
        Ok(())
    })
}

/// Makes a game of the moves of a board. `tags` are `tag_count` pairs of name and value: 2 * `tag_count` texts.
/// `result` is one of alfil_game_result. The game belongs to the caller, who frees it with alfil_game_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_game_from_board(
    board: *const Board,
    tags: Items<Text>,
    tag_count: usize,
    result: i32,
    out_game: Out<*const Game>,
) -> Status {
    guard(|| {
        let out = out_game.start("out_game", ptr::null())?;
        let count = tag_count.checked_mul(2);
        let tags = tags.slice("tags", count.ok_or_else(|| Error::argument("too many tags"))?)?;
        let mut game = with_board(board, |board| Ok(recorded_game::to_record(board)?))?;
        game.result = GameResult::outcome_of_number(result)?;
        for pair in tags.chunks_exact(2) {
            game.tags.push(pair[0].required("a tag")?, pair[1].required("a tag")?);
        }
        out.set(give_game(game, 1, None));
        Ok(())
    })
}

/// Writes a game in a format: "pgn" (or NULL), or one of those of its game that are written: "xqf", "cbr", "cbf", "ubb"
/// and "wxf" of xiangqi, "ggf", "sgf", "wthor", "obf" and "transcript" of Othello. `notation` is that of the moves of a
/// PGN, or NULL.
///
/// The bytes are written into `bytes`, at most `capacity` of them; `out_size` receives their full number. Call with
/// `capacity` 0 to learn the size.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_game_write(
    game: *const Game,
    format: Text,
    notation: Text,
    bytes: Out<u8>,
    capacity: usize,
    out_size: Out<usize>,
) -> Status {
    guard(|| {
        let size = out_size.start("out_size", 0)?;
        let game = find(game)?;
        let name = format.optional("format")?.unwrap_or("pgn");
        let notation = notation.optional("notation")?;
        let Some(format) = FileFormat::from_id(name) else {
            return Err(Error::argument(format!("there is no file format {name:?}")));
        };
        let write_error = |error| Error::new(Status::Record, format!("{error}"));
        let written = if format == FileFormat::Pgn {
            if let Some(name) = notation {
                registry::board_game(&game.game)?.check_dialect(name)?;
            }
            registry::write_game(&game, notation).map_err(write_error)?.into_bytes()
        } else if notation.is_some() {
            return Err(Error::argument(format!("{name} has one notation: leave it out")));
        } else {
            registry::write_file(format, std::slice::from_ref(&*game)).map_err(write_error)?
        };
        bytes.array(capacity).fill("bytes", &written)?;
        size.set(written.len());
        Ok(())
    })
}

/// Gives the index of the last node of the main line; 0 if there is no move.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_game_end(game: *const Game, out_node: Out<usize>) -> Status {
    guard(|| {
        let out = out_node.start("out_node", 0)?;
        out.set(find(game)?.moves.line_end(ROOT));
        Ok(())
    })
}
