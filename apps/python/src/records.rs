//! Files of games: a streaming reader, and the games as objects, whose trees are built and changed.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use alfil_kernel::{Outcome, Side};
use alfil_records::annotation::normalise_comment;
use alfil_records::text_game::NULL_MOVE;
use alfil_records::{
    AnnotatedScore, EvalAnnotation, FileFormat, MoveAnnotation, MoveTree, NodeId, ROOT, TextGame, TextGames,
    TextMove, TreeNode,
};
use alfil_session::recorded_game::{board_at, replace_null_move, to_record};
use alfil_session::{AnyBoard, BoardGame, Registry, format_result, registry};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyStopIteration, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::board_class::GameClasses;
use crate::errors::{RecordError, board_error, in_range, value_error};
use crate::game_board;
use crate::game_classes;
use crate::numbers::{mapping_items, number};
use crate::pickles::{self, Pickled};

/// A file object of Python, binary or of text, as an input.
struct PythonFile {
    file: Py<PyAny>,
    /// The bytes that were read and not passed on: a character of a file of text is up to four of them.
    pending: Cursor<Vec<u8>>,
}

impl PythonFile {
    /// Reads the next part of the file, of at most `size` bytes or characters; empty at its end.
    fn read_part(&self, size: usize) -> io::Result<Vec<u8>> {
        Python::attach(|py| {
            let mut part = self.file.bind(py).call_method1("read", (size,))?;
            if part.cast::<PyString>().is_ok() {
                // Bytes that the file could not decode are kept.
                part = part.call_method1("encode", ("utf-8", "surrogateescape"))?;
            } else if part.len()? > size {
                return Err(io::Error::other("the file returned more bytes than requested"));
            }
            Ok(part.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes().to_vec())
        })
    }
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pending.position() == self.pending.get_ref().len() as u64 {
            self.pending = Cursor::new(self.read_part(buffer.len())?);
        }
        self.pending.read(buffer)
    }
}

type Input = Box<dyn Read + Send>;

/// Returns the input of a path, of bytes or of a file object.
fn open(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Box::new(Cursor::new(bytes.as_bytes().to_vec())));
    }
    if source.hasattr("read")? {
        return Ok(Box::new(PythonFile { file: source.clone().unbind(), pending: Cursor::default() }));
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
/// transcripts. The source is a path, bytes, or a file object, binary or of text; PGN is read as a stream. `game` names
/// the game where the file does not. Returns an iterator of games. A game that cannot be read to its end has the moves
/// before the error; with `strict` the error is raised.
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
#[pyclass(name = "GameReader", module = "alfil", frozen, generic)]
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
            _ => Ok(Game::new(game, placed.number, placed.offset)),
        }
    }
}

/// A game of a file, or one that is made here: tags, a result and a tree of moves, all of which can be changed.
#[pyclass(name = "Game", module = "alfil", frozen, generic)]
#[derive(Debug)]
pub(crate) struct Game {
    /// Locked for moments in which no code of Python runs.
    record: Mutex<Record>,
    number: u64,
    offset: Option<u64>,
    error: Option<String>,
    warnings: Vec<String>,
}

/// A game with the stamps of its nodes: the tree gives the number of a removed node to a later one.
#[derive(Debug)]
struct Record {
    text: TextGame,
    /// The stamps of the nodes by their numbers; 0 for a node that the game had from the beginning.
    stamps: Vec<u64>,
    last_stamp: u64,
}

impl Deref for Record {
    type Target = TextGame;

    fn deref(&self) -> &TextGame {
        &self.text
    }
}

impl DerefMut for Record {
    fn deref_mut(&mut self) -> &mut TextGame {
        &mut self.text
    }
}

impl Record {
    fn new(text: TextGame) -> Self {
        Record { text, stamps: Vec::new(), last_stamp: 0 }
    }

    /// Returns the key of the node that has a number now.
    fn key(&self, index: NodeId) -> NodeKey {
        NodeKey { index, stamp: self.stamps.get(index).copied().unwrap_or(0) }
    }

    /// Returns the node with a key.
    ///
    /// # Errors
    /// Returns an error if it was removed.
    fn find(&self, key: NodeKey) -> PyResult<&TreeNode<TextMove>> {
        let found = self.moves.node(key.index).filter(|_| self.key(key.index) == key);
        found.ok_or_else(|| no_node_error(key.index))
    }

    /// Adds a move after a node and returns the key of its node.
    fn add(&mut self, parent: NodeId, mv: TextMove) -> NodeKey {
        let index = self.moves.add(parent, mv);
        if self.stamps.len() <= index {
            self.stamps.resize(index + 1, 0);
        }
        self.last_stamp += 1;
        self.stamps[index] = self.last_stamp;
        self.key(index)
    }
}

/// The number and the stamp of a node: no other node that the game has or had shares both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeKey {
    index: NodeId,
    stamp: u64,
}

/// The key of the start, which is never removed.
const START: NodeKey = NodeKey { index: ROOT, stamp: 0 };

/// The start of a game or a move of it. A node knows its game: what is set here is set there. The use of a node that
/// was removed raises AlfilError.
#[pyclass(name = "Node", module = "alfil", frozen, generic)]
#[derive(Debug)]
pub(crate) struct Node {
    game: Py<Game>,
    key: NodeKey,
}

/// The tag of a start position and its companion, which PGN writes for a position other than that of the game.
const START_TAG: &str = "FEN";
const START_MARK_TAG: &str = "SetUp";

/// Returns the result that is written so.
fn parse_result(result: &str) -> PyResult<Option<Outcome>> {
    let outcomes =
        [None, Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)), Some(Outcome::Draw)];
    let found = outcomes.into_iter().find(|outcome| format_result(*outcome) == result);
    found.ok_or_else(|| value_error(format!("no result {result:?}: 1-0, 0-1, 1/2-1/2 or *")))
}

/// Returns a time of a number of seconds.
fn parse_seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let time = |seconds: f64| {
        let message = format!("{seconds}: expected a number of seconds from 0");
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| value_error(message))?;
        Ok(Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    };
    seconds.map(time).transpose()
}

/// Returns the evaluation of a pair of its kind and its value.
fn parse_eval(eval: Option<(String, i32)>, depth: Option<u32>) -> PyResult<Option<EvalAnnotation>> {
    let Some((kind, value)) = eval else { return Ok(None) };
    let score = match kind.as_str() {
        "cp" => AnnotatedScore::Centipawns(value),
        "mate" => AnnotatedScore::Mate(value),
        _ => return Err(value_error(format!("no evaluation {kind:?}: choose \"cp\" or \"mate\""))),
    };
    Ok(Some(EvalAnnotation { score, depth }))
}

/// Returns the kind and the value of an evaluation.
fn eval_pair(eval: EvalAnnotation) -> (&'static str, i32) {
    match eval.score {
        AnnotatedScore::Centipawns(score) => ("cp", score),
        AnnotatedScore::Mate(moves) => ("mate", moves),
    }
}

/// A node as it is pickled: its parent, its children, the move, both comments, the glyphs, the evaluation with its
/// depth, and both times in milliseconds.
type NodeState = (
    NodeId,
    Vec<NodeId>,
    String,
    (String, String),
    Vec<u32>,
    (Option<(String, i32)>, Option<u32>),
    (Option<u64>, Option<u64>),
);

fn node_state(node: &TreeNode<TextMove>) -> NodeState {
    let TextMove { text, annotation } = node.value.clone();
    let eval = annotation.eval.map(eval_pair).map(|(kind, value)| (kind.to_owned(), value));
    let milliseconds = |time: Duration| time.as_millis() as u64;
    (
        node.parent(),
        node.children().to_vec(),
        text,
        (annotation.comment_before, annotation.comment_after),
        annotation.nags.iter().map(|&nag| nag.into()).collect(),
        (eval, annotation.eval.and_then(|eval| eval.depth)),
        (annotation.clock.map(milliseconds), annotation.elapsed.map(milliseconds)),
    )
}

fn node_from_state(state: NodeState) -> PyResult<TreeNode<TextMove>> {
    let (parent, children, text, (comment_before, comment_after), nags, (eval, depth), (clock, elapsed)) =
        state;
    let annotation = MoveAnnotation {
        comment_before,
        comment_after,
        nags: parse_nags(nags)?,
        eval: parse_eval(eval, depth)?,
        clock: clock.map(Duration::from_millis),
        elapsed: elapsed.map(Duration::from_millis),
    };
    Ok(TreeNode::new(parent, &children, TextMove { text, annotation }))
}

/// Returns the numeric annotation glyphs of any iterable.
fn read_nags(nags: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let nag = |nag: PyResult<Bound<'_, PyAny>>| {
        let nag = nag?;
        nag.extract().map_err(|error| in_range(nag.py(), error, || no_nag_error(&nag)))
    };
    nags.try_iter()?.map(nag).collect()
}

fn no_nag_error(nag: impl Display) -> PyErr {
    value_error(format!("no glyph {nag}: choose 0 to 255"))
}

/// Returns numeric annotation glyphs.
fn parse_nags(nags: Vec<u32>) -> PyResult<Vec<u8>> {
    let nag = |nag: u32| u8::try_from(nag).map_err(|_| no_nag_error(nag));
    nags.into_iter().map(nag).collect()
}

impl Game {
    fn new(mut record: TextGame, number: u64, offset: Option<u64>) -> Self {
        let error = record.error.take().map(|error| error.to_string());
        let warnings = record.warnings.drain(..).map(|warning| warning.to_string()).collect();
        Game { record: Mutex::new(Record::new(record)), number, offset, error, warnings }
    }

    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let ((game, tags, start, result), nodes, (number, offset, error, warnings)) = state.extract()?;
        let (tags, result): (Vec<(String, String)>, String) = (tags, result);
        let nodes: Vec<Option<NodeState>> = nodes;
        let nodes = nodes.into_iter().map(|node| node.map(node_from_state).transpose());
        let moves = MoveTree::from_nodes(nodes.collect::<PyResult<_>>()?);
        if !moves.is_valid() {
            return Err(value_error("the moves are no tree: a move does not follow its parent"));
        }
        let mut record =
            TextGame { game, start, result: parse_result(&result)?, moves, ..TextGame::default() };
        for (name, value) in tags {
            record.tags.push(name, value);
        }
        Ok(Game { record: Mutex::new(Record::new(record)), number, offset, error, warnings })
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the classes of the game.
    ///
    /// # Errors
    /// Returns an error if nothing of the game could be read.
    fn classes(&self) -> PyResult<&'static GameClasses> {
        game_classes::find(&self.record().game).ok_or_else(|| self.unreadable())
    }

    fn board_game(&self) -> PyResult<&'static dyn BoardGame> {
        registry::board_game(self.classes()?.name).map_err(board_error)
    }

    /// The error of a game of which nothing could be read.
    fn unreadable(&self) -> PyErr {
        RecordError::new_err(self.error.clone().unwrap_or_else(|| "the game is empty".to_owned()))
    }

    /// Returns the object of a move.
    fn move_object(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        (self.classes()?.move_object)(py, replace_null_move(text))
    }

    /// Makes a board at a node, with the moves that lead there.
    fn board_at(&self, node: NodeKey) -> PyResult<Box<dyn AnyBoard>> {
        let game = self.board_game()?;
        let record = self.record();
        record.find(node)?;
        board_at(game, &record, node.index).map_err(board_error)
    }

    /// Returns the names of the tags that every record of the game has.
    fn roster(&self) -> &'static [&'static str] {
        Registry::default().entry(&self.record().game).map_or(&[], |entry| entry.records.tag_roster())
    }

    /// Sets the start position, which a game with moves keeps.
    fn set_start(&self, fen: Option<&str>) -> PyResult<()> {
        let game = self.board_game()?;
        let start = fen.map(|fen| game.open(Some(fen), &["all"])).transpose().map_err(board_error)?;
        let start = start.map(|board| board.fen()).filter(|fen| *fen != game.start_fen());
        let mut record = self.record();
        if start != record.start && !record.moves.is_empty() {
            return Err(value_error("the game has moves: set the start position before them"));
        }
        record.start = start;
        Ok(())
    }

    /// Changes a node.
    fn change<T>(&self, node: NodeKey, change: impl FnOnce(&mut TextMove) -> T) -> PyResult<T> {
        let mut record = self.record();
        record.find(node)?;
        Ok(change(&mut record.moves[node.index]))
    }

    /// Returns what `read` reads of a node.
    fn read<T>(&self, node: NodeKey, read: impl FnOnce(&TreeNode<TextMove>) -> T) -> PyResult<T> {
        Ok(read(self.record().find(node)?))
    }

    /// Returns the keys of the nodes that `read` reads of the game.
    fn keys(&self, read: impl FnOnce(&TextGame) -> Vec<NodeId>) -> Vec<NodeKey> {
        let record = self.record();
        read(&record).into_iter().map(|index| record.key(index)).collect()
    }

    /// Adds a move after a node and returns the node of the move.
    fn add_move(&self, node: NodeKey, mv: &Bound<'_, PyAny>) -> PyResult<NodeKey> {
        let board = self.board_at(node)?;
        let classes = self.classes()?;
        let bits = match (classes.move_bits)(mv) {
            Some(bits) => bits,
            None => {
                let text = mv.extract::<String>().map_err(|_| game_classes::no_move_error(classes))?;
                board.parse(&text, None).map_err(board_error)?
            }
        };
        let bits = game_classes::written_move(&*board, bits)?;
        let text = if bits == 0 {
            NULL_MOVE.to_owned()
        } else {
            board.game().move_squares(bits).map_err(board_error)?.text
        };
        let mut record = self.record();
        // Another thread may have removed the node meanwhile.
        record.find(node)?;
        let known = record.moves.children(node.index).find(|&child| record.moves[child].text == text);
        Ok(match known {
            Some(child) => record.key(child),
            None => record.add(node.index, TextMove { text, ..TextMove::default() }),
        })
    }
}

/// The error of a node that was removed.
fn no_node_error(node: NodeId) -> PyErr {
    value_error(format!("the game has no node {node}: it was removed"))
}

/// Returns the node of a game with a key.
fn node(game: &Bound<'_, Game>, key: NodeKey) -> Node {
    Node { game: game.clone().unbind(), key }
}

#[pymethods]
impl Game {
    /// Makes a game without moves: `game` is `chess`, `xiangqi` or `othello`, `fen` its start position.
    #[new]
    #[pyo3(signature = (game, fen=None))]
    fn py_new(game: &str, fen: Option<&str>) -> PyResult<Self> {
        let name = registry::board_game(game).map_err(board_error)?.name().to_owned();
        let game = Game::new(TextGame { game: name, ..TextGame::default() }, 1, None);
        game.set_start(fen)?;
        Ok(game)
    }

    /// Makes a game of the moves of a board, with the headers of any mapping and this result: `1-0`, `0-1`, `1/2-1/2`
    /// or `*`; without one, with that of the headers. The start position is that of the board, whatever the headers
    /// say.
    #[staticmethod]
    #[pyo3(signature = (board, headers=None, result=None))]
    fn from_board(
        board: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
        result: Option<&str>,
    ) -> PyResult<Self> {
        let (_, board) = game_classes::board_of(board)?;
        let record = to_record(&*board).map_err(board_error)?;
        let game = Game::new(record, 1, None);
        let pairs = headers.map(|headers| mapping_items(headers, "a mapping of headers to their values"));
        for pair in pairs.transpose()?.into_iter().flatten() {
            let (name, value): (String, Bound<'_, PyAny>) = pair?.extract()?;
            if name != START_TAG && name != START_MARK_TAG {
                game.set_header(&name, &value.str()?.to_string())?;
            }
        }
        if let Some(result) = result {
            game.record().result = parse_result(result)?;
        }
        Ok(game)
    }

    /// The name of the game: `xiangqi`, `chess` or `othello`; empty if nothing could be read.
    #[getter]
    fn game(&self) -> String {
        self.record().game.clone()
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

    /// The tags as a mapping that changes the game: those that every record has, `?` if unknown, with the result, then
    /// the others, and `SetUp` and `FEN` for a start position of its own. Of tags with one name, the first counts.
    #[getter]
    fn headers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("alfil._headers")?.getattr("Headers")?.call1((slf,))
    }

    /// Returns names and values of the headers.
    #[pyo3(name = "_header_pairs")]
    fn header_pairs(&self) -> Vec<(String, String)> {
        let roster = self.roster();
        let record = self.record();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for &name in roster {
            let value = match name {
                "Result" => format_result(record.result),
                "Date" => record.tags.value(name).unwrap_or("????.??.??"),
                _ => record.tags.value(name).unwrap_or("?"),
            };
            pairs.push((name.to_owned(), value.to_owned()));
        }
        for (name, value) in record.tags.iter() {
            if pairs.iter().all(|(known, _)| known != name) {
                pairs.push((name.to_owned(), value.to_owned()));
            }
        }
        if let Some(fen) = &record.start {
            pairs.push((START_MARK_TAG.to_owned(), "1".to_owned()));
            pairs.push((START_TAG.to_owned(), fen.clone()));
        }
        pairs
    }

    /// Sets a header. `SetUp` follows from `FEN` and is not stored.
    #[pyo3(name = "_set_header")]
    fn set_header(&self, name: &str, value: &str) -> PyResult<()> {
        match name {
            "Result" => self.record().result = parse_result(value)?,
            START_TAG => self.set_start(Some(value))?,
            START_MARK_TAG if matches!(value, "0" | "1") => {}
            START_MARK_TAG => {
                return Err(value_error(format!("{START_MARK_TAG} is 0 or 1, not {value:?}")));
            }
            _ => self.record().tags.set(name, value),
        }
        Ok(())
    }

    /// Removes a header; one that every record has is then unknown.
    #[pyo3(name = "_remove_header")]
    fn remove_header(&self, name: &str) -> PyResult<()> {
        if self.header_pairs().iter().all(|(known, _)| known != name) {
            return Err(PyKeyError::new_err(name.to_owned()));
        }
        match name {
            "Result" => self.record().result = None,
            START_TAG | START_MARK_TAG => self.set_start(None)?,
            _ => drop(self.record().tags.remove(name)),
        }
        Ok(())
    }

    /// The tags as pairs of name and value, in the order of the file, without the result, the start position and
    /// unknown values.
    #[getter]
    fn tags(&self) -> Vec<(String, String)> {
        let record = self.record();
        record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is unknown.
    #[getter]
    fn result(&self) -> &'static str {
        format_result(self.record().result)
    }

    #[setter]
    fn set_result(&self, result: &str) -> PyResult<()> {
        self.record().result = parse_result(result)?;
        Ok(())
    }

    /// The text of the initial position; None for the start position of the game.
    #[getter]
    fn start(&self) -> Option<String> {
        self.record().start.clone()
    }

    /// The place and reason of the error that ended the game; None if it was read to its end.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The parts that were skipped in reading.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Returns the moves of the main line.
    fn mainline_moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.mainline_texts().iter().map(|text| self.move_object(py, text)).collect()
    }

    /// Returns the moves of the main line in coordinates; `--` is a null move.
    fn mainline_texts(&self) -> Vec<String> {
        self.record().main_line().into_iter().map(str::to_owned).collect()
    }

    /// Returns the nodes of the main line, without the start.
    fn mainline(slf: &Bound<'_, Self>) -> Vec<Node> {
        let keys = slf.get().keys(|record| record.moves.main_line().collect());
        keys.into_iter().map(|key| node(slf, key)).collect()
    }

    /// The start and the moves with variations and annotations. A move follows its parent, and the main continuation
    /// of a file precedes its alternatives. Each access makes the list anew.
    #[getter]
    fn nodes(slf: &Bound<'_, Self>) -> Vec<Node> {
        let keys = slf.get().keys(|record| record.moves.iter().map(|(index, _)| index).collect());
        keys.into_iter().map(|key| node(slf, key)).collect()
    }

    /// The node of the start.
    #[getter]
    fn root(slf: &Bound<'_, Self>) -> Node {
        node(slf, START)
    }

    /// Adds a move at the start of the game: see `Node.add_variation`.
    #[pyo3(signature = (r#move, *, comment=None, starting_comment=None, nags=None))]
    fn add_variation(
        slf: &Bound<'_, Self>,
        r#move: &Bound<'_, PyAny>,
        comment: Option<&str>,
        starting_comment: Option<&str>,
        nags: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        node(slf, START).add_variation(slf.py(), r#move, comment, starting_comment, nags)
    }

    /// Adds a line of moves at the start of the game: see `Node.add_line`.
    fn add_line(slf: &Bound<'_, Self>, moves: &Bound<'_, PyAny>) -> PyResult<Node> {
        node(slf, START).add_line(slf.py(), moves)
    }

    /// Returns the first node of the main line; None if the game has no moves.
    fn next(slf: &Bound<'_, Self>) -> Option<Node> {
        let next = slf.get().keys(|record| record.moves.main_child(ROOT).into_iter().collect());
        next.first().map(|&key| node(slf, key))
    }

    /// The comment before the first move.
    #[getter]
    fn comment(&self) -> PyResult<String> {
        self.read(START, |start| start.annotation.comment_after.clone())
    }

    #[setter]
    fn set_comment(&self, comment: &str) -> PyResult<()> {
        self.change(START, |start| set_comment_after(&mut start.annotation, comment))
    }

    /// Returns a board at the initial position.
    fn board(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        (self.classes()?.board_object)(py, &*self.board_at(START)?)
    }

    /// Returns a board at the end of the main line, with its moves.
    fn end(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let end = {
            let record = self.record();
            record.key(record.moves.line_end(ROOT))
        };
        (self.classes()?.board_object)(py, &*self.board_at(end)?)
    }

    /// Returns the game as PGN, with its moves in the record notation nearest to `notation`.
    #[pyo3(signature = (notation=None))]
    fn pgn(&self, notation: Option<&str>) -> PyResult<String> {
        self.classes()?;
        let record = self.record();
        registry::write_game(&record, notation).map_err(|error| RecordError::new_err(error.to_string()))
    }

    fn __str__(&self) -> PyResult<String> {
        self.pgn(None)
    }

    fn __repr__(&self) -> String {
        let record = self.record();
        let (game, plies) = (&record.game, record.main_line().len());
        format!("<Game {} {game} {plies} plies {}>", self.number, format_result(record.result))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let (heads, nodes) = {
            let record = self.record();
            let tags: Vec<_> =
                record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let mut nodes: Vec<Option<NodeState>> = Vec::new();
            for (index, node) in record.moves.iter() {
                nodes.resize_with(index, || None);
                nodes.push(Some(node_state(node)));
            }
            ((record.game.clone(), tags, record.start.clone(), format_result(record.result)), nodes)
        };
        let places = (self.number, self.offset, self.error.clone(), self.warnings.clone());
        pickles::pickled(py, "Game", (heads, nodes, places))
    }
}

/// Replaces the comment after a move. Evaluation and clock times in it, such as `[%clk 0:03:00]`, become those of the
/// move if it has none.
fn set_comment_after(annotation: &mut MoveAnnotation, comment: &str) {
    annotation.comment_after.clear();
    annotation.add_comment_after(comment);
    annotation.comment_after = normalise_comment(&annotation.comment_after);
}

impl Node {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (game, index): (Bound<'_, Game>, NodeId) = state.extract()?;
        let key = {
            let record = game.get().record();
            let key = record.key(index);
            record.find(key)?;
            key
        };
        Ok(node(&game, key))
    }

    fn record(&self) -> &Game {
        self.game.get()
    }

    fn node(&self, py: Python<'_>, key: NodeKey) -> Node {
        Node { game: self.game.clone_ref(py), key }
    }

    fn is_start(&self) -> bool {
        self.key == START
    }

    /// Returns what `read` reads of the game, in which the node is.
    fn read_game<T>(&self, read: impl FnOnce(&mut Record) -> T) -> PyResult<T> {
        let mut record = self.record().record();
        record.find(self.key)?;
        Ok(read(&mut record))
    }
}

#[pymethods]
impl Node {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The number of the node, which it keeps; that of the start is 0. When the node was removed, another one may get
    /// the number.
    #[getter]
    fn index(&self) -> usize {
        self.key.index
    }

    /// The node before it; None at the start.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Node>> {
        let parent =
            self.read_game(|record| record.moves.parent(self.key.index).map(|index| record.key(index)))?;
        Ok(parent.map(|key| self.node(py, key)))
    }

    /// The nodes after it, the main continuation first.
    #[getter]
    fn variations(&self, py: Python<'_>) -> PyResult<Vec<Node>> {
        let children = self.read_game(|record| {
            let children = record.moves.children(self.key.index);
            children.map(|index| record.key(index)).collect::<Vec<_>>()
        })?;
        Ok(children.into_iter().map(|key| self.node(py, key)).collect())
    }

    /// Returns the main continuation; None at the end of a line.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Node>> {
        let next =
            self.read_game(|record| record.moves.main_child(self.key.index).map(|index| record.key(index)))?;
        Ok(next.map(|key| self.node(py, key)))
    }

    /// Returns whether the node is in the main line.
    fn is_mainline(&self) -> PyResult<bool> {
        self.read_game(|record| record.moves.branch_point(self.key.index).is_none())
    }

    /// Returns the number of moves from the start to this node.
    fn ply(&self) -> PyResult<usize> {
        self.read_game(|record| record.moves.path(self.key.index).len())
    }

    /// The move; None at the start.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.is_start() {
            return Ok(None);
        }
        let text = self.record().read(self.key, |found| found.text.clone())?;
        self.record().move_object(py, &text).map(Some)
    }

    /// Returns the move as people write it, or in a notation. Raises AlfilError at the start.
    #[pyo3(signature = (notation=None))]
    fn san(&self, notation: Option<&str>) -> PyResult<String> {
        if self.is_start() {
            return Err(value_error("the start of a game has no move"));
        }
        let (parent, text) = self.read_game(|record| {
            let found = &record.moves[self.key.index];
            (record.moves.parent(self.key.index).unwrap_or(ROOT), found.text.clone())
        })?;
        let parent = self.record().record().key(parent);
        let board = self.record().board_at(parent)?;
        let mv = board.game().parse_coordinates(replace_null_move(&text)).map_err(board_error)?;
        Ok(board.format_line(&[mv], notation).map_err(board_error)?.remove(0))
    }

    /// Returns a board at the node, with the moves that lead there.
    fn board(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        (self.record().classes()?.board_object)(py, &*self.record().board_at(self.key)?)
    }

    /// Adds a legal move after the node and returns its node: as the main continuation if it is the first, else as the
    /// last alternative. The move may be a text in any notation. If the move is there already, its node is returned.
    #[pyo3(signature = (r#move, *, comment=None, starting_comment=None, nags=None))]
    fn add_variation(
        &self,
        py: Python<'_>,
        r#move: &Bound<'_, PyAny>,
        comment: Option<&str>,
        starting_comment: Option<&str>,
        nags: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        let nags = nags.map(read_nags).transpose()?;
        let added = self.node(py, self.record().add_move(self.key, r#move)?);
        self.record().change(added.key, |found| {
            if let Some(comment) = comment {
                set_comment_after(&mut found.annotation, comment);
            }
            if let Some(comment) = starting_comment {
                found.annotation.comment_before = normalise_comment(comment);
            }
            if let Some(nags) = nags {
                found.annotation.nags = nags;
            }
        })?;
        Ok(added)
    }

    /// Adds moves one after the other as `add_variation` does, and returns the node of the last.
    fn add_line(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Node> {
        let mut key = self.key;
        for mv in moves.try_iter()? {
            key = self.record().add_move(key, &mv?)?;
        }
        Ok(self.node(py, key))
    }

    /// Makes the line of the node the main continuation where it leaves the line above it. Returns whether it left one.
    fn promote(&self) -> PyResult<bool> {
        self.read_game(|record| record.moves.promote(self.key.index))
    }

    /// Removes the node with all moves after it; the start stays. Whatever is read or changed of a removed node raises
    /// AlfilError; it is equal to no node of the game.
    fn remove(&self) -> PyResult<()> {
        self.read_game(|record| record.moves.remove(self.key.index)).map(|_| ())
    }

    /// The comment after the move. Evaluation and clock times in it, such as `[%clk 0:03:00]`, become those of the move
    /// if it has none.
    #[getter]
    fn comment(&self) -> PyResult<String> {
        self.record().read(self.key, |found| found.annotation.comment_after.clone())
    }

    #[setter]
    fn set_comment(&self, comment: &str) -> PyResult<()> {
        self.record().change(self.key, |found| set_comment_after(&mut found.annotation, comment))
    }

    /// The comment before the move, at the start of a variation.
    #[getter]
    fn starting_comment(&self) -> PyResult<String> {
        self.record().read(self.key, |found| found.annotation.comment_before.clone())
    }

    #[setter]
    fn set_starting_comment(&self, comment: &str) -> PyResult<()> {
        self.record().change(self.key, |found| found.annotation.comment_before = normalise_comment(comment))
    }

    /// The numeric annotation glyphs: 1 is `!`, 2 is `?`. Set the list to change them.
    #[getter]
    fn nags(&self) -> PyResult<Vec<u32>> {
        self.record().read(self.key, |found| found.annotation.nags.iter().map(|&nag| nag.into()).collect())
    }

    #[setter]
    fn set_nags(&self, nags: &Bound<'_, PyAny>) -> PyResult<()> {
        let nags = read_nags(nags)?;
        self.record().change(self.key, |found| found.annotation.nags = nags)
    }

    /// The evaluation for the first side: ("cp", centipawns) or ("mate", moves); None without one.
    #[getter]
    fn eval(&self) -> PyResult<Option<(&'static str, i32)>> {
        self.record().read(self.key, |found| found.annotation.eval.map(eval_pair))
    }

    #[setter]
    fn set_eval(&self, eval: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let pair = |eval: &Bound<'_, PyAny>| {
            let (kind, value): (String, Bound<'_, PyAny>) = eval.extract().map_err(|_| {
                PyTypeError::new_err("expected None, or a tuple of \"cp\" or \"mate\" and a number")
            })?;
            Ok::<_, PyErr>((kind, number(&value)?))
        };
        let eval = parse_eval(eval.map(pair).transpose()?, None)?;
        self.record().change(self.key, |found| found.annotation.eval = eval)
    }

    /// The time left to the player who moved, in seconds.
    #[getter]
    fn clock(&self) -> PyResult<Option<f64>> {
        self.record().read(self.key, |found| found.annotation.clock.map(|time| time.as_secs_f64()))
    }

    #[setter]
    fn set_clock(&self, seconds: Option<f64>) -> PyResult<()> {
        let time = parse_seconds(seconds)?;
        self.record().change(self.key, |found| found.annotation.clock = time)
    }

    /// The time spent on the move, in seconds.
    #[getter]
    fn elapsed(&self) -> PyResult<Option<f64>> {
        self.record().read(self.key, |found| found.annotation.elapsed.map(|time| time.as_secs_f64()))
    }

    #[setter]
    fn set_elapsed(&self, seconds: Option<f64>) -> PyResult<()> {
        let time = parse_seconds(seconds)?;
        self.record().change(self.key, |found| found.annotation.elapsed = time)
    }

    fn __richcmp__(&self, other: PyRef<'_, Self>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let is_equal = || self.game.is(&other.game) && self.key == other.key;
        game_board::compare(other.py(), op, is_equal)
    }

    fn __hash__(&self) -> u64 {
        let game = (self.game.as_ptr() as usize as u64).wrapping_mul(31);
        game.wrapping_add(self.key.index as u64).wrapping_mul(31).wrapping_add(self.key.stamp)
    }

    fn __repr__(&self) -> String {
        let index = self.key.index;
        match self.record().read(self.key, |found| found.text.clone()) {
            Ok(_) if self.is_start() => format!("<Node {index} start>"),
            Ok(text) => format!("<Node {index} {text}>"),
            Err(_) => format!("<Node {index}, removed>"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        self.read_game(|_| ())?;
        pickles::pickled(py, "Node", (self.game.clone_ref(py), self.key.index))
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
        list.push(game.get().record().text.clone());
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
