//! Files of games: a streaming reader and the games as objects.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};

use alfil_records::{AnnotatedScore, FileFormat, NodeId, ROOT, TextGame, TextGames, TextMove, TreeNode};
use alfil_session::recorded_game::{replace_null_move, to_record};
use alfil_session::{Registry, format_result, registry};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::board_class::GameClasses;
use crate::errors::{RecordError, board_error, value_error};
use crate::game_classes;

/// A binary file object of Python as an input.
struct PythonFile(Py<PyAny>);

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let bytes = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = bytes.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
            let target = buffer
                .get_mut(..bytes.len())
                .ok_or_else(|| io::Error::other("the file returned more bytes than requested"))?;
            target.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

type Input = Box<dyn Read + Send>;

/// Returns the input of a path, of bytes or of a binary file object.
fn open(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Box::new(Cursor::new(bytes.as_bytes().to_vec())));
    }
    if source.hasattr("read")? {
        return Ok(Box::new(PythonFile(source.clone().unbind())));
    }
    let path: PathBuf = source.extract()?;
    let file = File::open(&path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        match error.kind() {
            io::ErrorKind::NotFound => pyo3::exceptions::PyFileNotFoundError::new_err(message),
            _ => PyOSError::new_err(message),
        }
    })?;
    Ok(Box::new(file))
}

/// Reads a file of games in any format: PGN of all games, XQF, CBR, CBL, CBF, UBB, DhtmlXQ, WXF, GGF, SGF, WTHOR, OBF,
/// transcripts. The source is a path, bytes, or a binary file object; PGN is read as a stream. `game` names the game
/// where the file does not. Returns an iterator of games. A game that cannot be read to its end has the moves before
/// the error; with `strict` the error is raised.
#[pyfunction]
#[pyo3(signature = (source, game=None, *, strict=false))]
pub(crate) fn read_games(
    source: &Bound<'_, PyAny>,
    game: Option<&str>,
    strict: bool,
) -> PyResult<GameReader> {
    let entry = |name| Registry::default().entry(name).map_err(value_error);
    let hint = game.map(entry).transpose()?.map(|entry| &entry.records);
    let input = open(source)?;
    let formats = registry::GAMES.iter().map(|entry| &entry.records).collect();
    let games = source.py().detach(|| TextGames::new(input, formats, hint)).map_err(read_error)?;
    Ok(GameReader { games: Mutex::new(games), strict })
}

fn read_error(error: io::Error) -> PyErr {
    // Errors of a file object of Python are passed on as they are.
    match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => RecordError::new_err(error.to_string()),
        Err(error) => PyOSError::new_err(error.to_string()),
    }
}

/// An iterator over the games of a file.
#[pyclass(name = "GameReader", module = "alfil", frozen)]
pub(crate) struct GameReader {
    games: Mutex<TextGames<'static, Input>>,
    strict: bool,
}

impl GameReader {
    /// Locks the reader. It is in use where another thread reads, or where a file object reads from its own reader.
    fn lock(&self) -> PyResult<MutexGuard<'_, TextGames<'static, Input>>> {
        match self.games.try_lock() {
            Ok(games) => Ok(games),
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the reader is in use: read from one thread at a time"))
            }
        }
    }
}

#[pymethods]
impl GameReader {
    /// The name of the format of the file; None if it is text of no certain format, which is read as PGN.
    #[getter]
    fn format(&self) -> PyResult<Option<&'static str>> {
        Ok(self.lock()?.file_format().map(FileFormat::id))
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Game> {
        let mut games = self.lock()?;
        let reader = &mut *games;
        let next = py.detach(move || reader.next_game());
        drop(games);
        let Some(placed) = next.map_err(read_error)? else { return Err(PyStopIteration::new_err(())) };
        let game = match placed.game {
            Ok(game) => game,
            Err(error) => TextGame { error: Some(error), ..TextGame::default() },
        };
        match &game.error {
            Some(error) if self.strict => Err(RecordError::new_err(error.to_string())),
            _ => Ok(Game { game, number: placed.number, offset: placed.offset }),
        }
    }
}

/// A game of a file, or one made of a board.
#[pyclass(name = "Game", module = "alfil", frozen)]
#[derive(Debug)]
pub(crate) struct Game {
    game: TextGame,
    number: u64,
    offset: Option<u64>,
}

/// A move of a game with its annotations. The node of index 0 is the start of the game.
#[pyclass(name = "Node", module = "alfil", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Node {
    /// The index of the node in `Game.nodes`.
    index: usize,
    /// The index of the node before it; None at the start.
    parent: Option<usize>,
    /// The move; None at the start.
    r#move: Option<Py<PyAny>>,
    /// The comment before the move, at the start of a variation.
    comment_before: String,
    /// The comment after the move.
    comment: String,
    /// The numeric annotation glyphs: 1 is `!`, 2 is `?`.
    nags: Vec<u32>,
    /// The evaluation for the first side: ("cp", centipawns) or ("mate", moves); None without one.
    eval: Option<(&'static str, i32)>,
    /// The time left to the player who moved, in seconds.
    clock: Option<f64>,
    /// The time spent on the move, in seconds.
    elapsed: Option<f64>,
}

#[pymethods]
impl Node {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = match &self.r#move {
            Some(mv) => mv.bind(py).str()?.to_string(),
            None => "start".to_owned(),
        };
        Ok(format!("<Node {} {text}>", self.index))
    }
}

impl Game {
    /// Returns the classes of the game.
    ///
    /// # Errors
    /// Returns an error if nothing of the game could be read.
    fn classes(&self) -> PyResult<&'static GameClasses> {
        game_classes::find(&self.game.game).ok_or_else(|| self.unreadable())
    }

    /// The error of a game of which nothing could be read.
    fn unreadable(&self) -> PyErr {
        let error =
            self.game.error.as_ref().map_or_else(|| "the game is empty".to_owned(), ToString::to_string);
        RecordError::new_err(error)
    }

    /// Returns the object of a move.
    fn move_object(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        (self.classes()?.move_object)(py, replace_null_move(text))
    }
}

#[pymethods]
impl Game {
    /// Makes a game of the moves of a board, with these tags and this result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[staticmethod]
    #[pyo3(signature = (board, headers=None, result="*"))]
    fn from_board(
        board: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyDict>>,
        result: &str,
    ) -> PyResult<Self> {
        use alfil_kernel::{Outcome, Side};
        let (_, board) = game_classes::board_of(board)?;
        let mut game = to_record(&*board).map_err(board_error)?;
        let outcomes =
            [None, Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)), Some(Outcome::Draw)];
        let found = outcomes.into_iter().find(|outcome| format_result(*outcome) == result);
        game.result =
            found.ok_or_else(|| value_error(format!("no result {result:?}: 1-0, 0-1, 1/2-1/2 or *")))?;
        for (name, value) in headers.into_iter().flatten() {
            game.tags.push(name.extract::<String>()?, value.str()?.to_string());
        }
        Ok(Game { game, number: 1, offset: None })
    }

    /// The name of the game: `xiangqi`, `chess` or `othello`; empty if nothing could be read.
    #[getter]
    fn game(&self) -> &str {
        &self.game.game
    }

    /// The number of the game in its file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// The byte offset of the game in its file; None in formats that are read as a whole.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The tags as a dictionary; of tags with one name, the first.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.game.tags.iter() {
            if !dict.contains(name)? {
                dict.set_item(name, value)?;
            }
        }
        Ok(dict)
    }

    /// The tags as pairs of name and value, in the order of the file.
    #[getter]
    fn tags(&self) -> Vec<(&str, &str)> {
        self.game.tags.iter().collect()
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is unknown.
    #[getter]
    fn result(&self) -> &'static str {
        format_result(self.game.result)
    }

    /// The text of the initial position; None for the start position of the game.
    #[getter]
    fn start(&self) -> Option<&str> {
        self.game.start.as_deref()
    }

    /// The place and reason of the error that ended the game; None if it was read to its end.
    #[getter]
    fn error(&self) -> Option<String> {
        self.game.error.as_ref().map(ToString::to_string)
    }

    /// The parts that were skipped in reading.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.game.warnings.iter().map(ToString::to_string).collect()
    }

    /// Returns the moves of the main line.
    fn mainline_moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.game.main_line().into_iter().map(|text| self.move_object(py, text)).collect()
    }

    /// Returns the moves of the main line in coordinates; `--` is a null move.
    fn mainline_texts(&self) -> Vec<&str> {
        self.game.main_line()
    }

    /// The start and the moves with variations and annotations. A move follows its parent, and the main continuation
    /// precedes its alternatives. Each access makes the list anew.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Vec<Node>> {
        let node = |(index, mv): (NodeId, &TreeNode<TextMove>)| {
            let annotation = &mv.annotation;
            let eval = annotation.eval.map(|eval| match eval.score {
                AnnotatedScore::Centipawns(score) => ("cp", score),
                AnnotatedScore::Mate(moves) => ("mate", moves),
            });
            let is_start = index == ROOT;
            Ok(Node {
                index,
                parent: (!is_start).then_some(mv.parent()),
                r#move: (!is_start).then(|| self.move_object(py, &mv.text)).transpose()?,
                comment_before: annotation.comment_before.clone(),
                comment: annotation.comment_after.clone(),
                nags: annotation.nags.iter().map(|&nag| nag.into()).collect(),
                eval,
                clock: annotation.clock.map(|time| time.as_secs_f64()),
                elapsed: annotation.elapsed.map(|time| time.as_secs_f64()),
            })
        };
        self.game.moves.iter().map(node).collect()
    }

    /// Returns a board at the initial position.
    fn board(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        (self.classes()?.board_object)(py, self.game.start.as_deref())
    }

    /// Returns a board at the end of the main line, with its moves.
    fn end(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let board = self.board(py)?;
        for mv in self.mainline_moves(py)? {
            board.call_method1(py, "push", (mv,))?;
        }
        Ok(board)
    }

    /// Returns the game as PGN, with its moves in the record notation nearest to `notation`.
    #[pyo3(signature = (notation=None))]
    fn pgn(&self, notation: Option<&str>) -> PyResult<String> {
        self.classes()?;
        registry::write_game(&self.game, notation).map_err(|error| RecordError::new_err(error.to_string()))
    }

    fn __str__(&self) -> PyResult<String> {
        self.pgn(None)
    }

    fn __repr__(&self) -> String {
        let plies = self.game.main_line().len();
        format!("<Game {} {} {plies} plies {}>", self.number, self.game.game, self.result())
    }
}

/// Writes games of one kind as one file and returns its bytes. The formats are `pgn` and those of the game: `xqf`,
/// `cbr`, `cbf`, `ubb`, `wxf`, `ggf`, `sgf`, `wthor`, `transcript`.
#[pyfunction]
#[pyo3(signature = (games, format="pgn", *, notation=None))]
pub(crate) fn write_games<'py>(
    games: &Bound<'py, PyAny>,
    format: &str,
    notation: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let write_error = |error| RecordError::new_err(format!("{error}"));
    let mut list = Vec::new();
    for game in games.try_iter()? {
        let game = game?.cast_into::<Game>()?;
        game.get().classes()?;
        list.push(game.get().game.clone());
    }
    let Some(file) = FileFormat::from_id(format) else {
        return Err(value_error(format!("there is no file format {format:?}")));
    };
    let bytes = if file == FileFormat::Pgn {
        let texts =
            list.iter().map(|game| registry::write_game(game, notation)).collect::<Result<Vec<_>, _>>();
        texts.map_err(write_error)?.join("\n").into_bytes()
    } else if notation.is_some() {
        return Err(value_error(format!("{format} has one notation: leave it out")));
    } else {
        registry::write_file(file, &list).map_err(write_error)?
    };
    Ok(PyBytes::new(games.py(), &bytes))
}
