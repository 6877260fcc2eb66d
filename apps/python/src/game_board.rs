//! The board of every game: a position with its history. The classes of the games are made of it by the macro of
//! `board_class.rs`.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use alfil_kernel::{
    Game, Move as _, MoveCounters, MoveOf, Piece as _, PieceOf, Position, Setup as _, Side, Square as _,
    SquareOf,
};
pub(crate) use alfil_session::game_profile::NULL_MOVE_COORDINATES;
use alfil_session::game_profile::{DialectOf, GameProfile, RulesOf};
use alfil_session::render::{PieceStyle, SvgArrow};
use alfil_session::{AnyBoard, ErrorKind, SessionError, game_board};
use pyo3::IntoPyObjectExt as _;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::{AlfilError, board_error, in_range};
use crate::results::PyOutcome;

/// The operations of an EPD: names and operands.
pub(crate) type Operations = Vec<(String, Vec<String>)>;

/// A board whose errors are exceptions.
#[derive(Clone, Debug)]
pub(crate) struct GameBoard<P: Position>(game_board::GameBoard<P>);

impl<P: Position> Deref for GameBoard<P> {
    type Target = game_board::GameBoard<P>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// A move as it is written in coordinates; none is the null move.
type Written<P> = Option<MoveOf<P>>;

impl<P: Position> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board from a position text, or at the start position.
    pub(crate) fn new(text: Option<&str>, waived: Vec<String>) -> PyResult<Self> {
        let waived: Vec<_> = waived.iter().map(String::as_str).collect();
        game_board::GameBoard::new(text, &waived).map(GameBoard).map_err(board_error)
    }

    /// Creates a board from a setup.
    pub(crate) fn from_setup(setup: &alfil_kernel::SetupOf<P>, waived: Vec<String>) -> PyResult<Self> {
        let waived: Vec<_> = waived.iter().map(String::as_str).collect();
        game_board::GameBoard::from_setup(setup, &waived).map(GameBoard).map_err(board_error)
    }

    /// Creates a board with the position and the moves of a board of this game, whatever type it has.
    pub(crate) fn from_board(board: &dyn AnyBoard) -> PyResult<Self> {
        game_board::GameBoard::from_board(board).map(GameBoard).map_err(board_error)
    }

    /// Creates a board from an EPD, with its operations.
    pub(crate) fn from_epd(text: &str, waived: Vec<String>) -> PyResult<(Self, Operations)> {
        let board = Self::new(Some(text), waived)?;
        let operations = match text.trim() {
            "startpos" => Vec::new(),
            text => game_board::GameBoard::<P>::epd_operations(text).map_err(board_error)?,
        };
        let operations = operations.into_iter().map(|operation| (operation.name, operation.operands));
        Ok((board, operations.collect()))
    }

    /// Returns the names of the issues that are waived.
    pub(crate) fn waived(&self) -> Vec<String> {
        self.0.waived().into_iter().map(str::to_owned).collect()
    }

    /// Returns the same game before its first move.
    pub(crate) fn root(&self) -> PyResult<Self> {
        self.0.root().map(GameBoard).map_err(board_error)
    }

    /// Returns the same position without the moves that led to it.
    pub(crate) fn without_moves(&self) -> PyResult<Self> {
        self.0.without_moves().map(GameBoard).map_err(board_error)
    }

    /// Returns the same position with the last so many of the moves that led to it.
    pub(crate) fn with_last_moves(&self, plies: usize) -> PyResult<Self> {
        self.0.with_last_moves(plies).map(GameBoard).map_err(board_error)
    }

    /// Returns the square of the king of the side to move if it is in check.
    pub(crate) fn checked_king(&self) -> Option<SquareOf<P>> {
        <P::Game as GameProfile<P>>::checked_king(self.history().position())
    }

    /// Returns the indices of the squares that the piece on a square attacks or protects: it is among the attackers of
    /// them.
    pub(crate) fn attacks(&self, origin: SquareOf<P>) -> Vec<usize> {
        let Some(piece) = self.history().position().piece_on(origin) else { return Vec::new() };
        let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
        let attacked = squares.filter(|&square| self.0.attackers(square, piece.side()).contains(&origin));
        attacked.map(|square| square.index()).collect()
    }

    /// Returns the legal move between the squares of a move that promotes to a queen.
    pub(crate) fn queen_promotion(&self, mv: Written<P>) -> Written<P> {
        let squares = move_squares::<P>(mv);
        self.0.legal_moves().into_iter().find(|&legal| {
            let letter = <P::Game as GameProfile<P>>::promotion_letter(legal);
            letter.is_some_and(|letter| letter.eq_ignore_ascii_case(&'q'))
                && move_squares::<P>(Some(legal)) == squares
        })
    }

    /// Formats a line of moves from this position as people write it, with the numbers of the moves.
    pub(crate) fn numbered_line(&self, line: &[Written<P>]) -> PyResult<String> {
        use alfil_kernel::Dialect as _;
        let texts = self.format_line(line, DialectOf::<P>::WRITTEN)?;
        let mut number = self.history().to_setup().counters().fullmove_number;
        let mut side = self.history().side_to_move();
        let mut words = Vec::with_capacity(texts.len());
        for (ply, text) in texts.into_iter().enumerate() {
            words.push(match side {
                Side::First => format!("{number}. {text}"),
                Side::Second if ply == 0 => format!("{number}...{text}"),
                Side::Second => text,
            });
            number += u32::from(side == Side::Second);
            side = !side;
        }
        Ok(words.join(" "))
    }

    /// Returns the position as EPD, without counters, with operations. `read_move` returns the move of an object; none
    /// for an object that is no move.
    pub(crate) fn epd(
        &self,
        operations: Option<&Bound<'_, PyDict>>,
        read_move: impl Fn(&Bound<'_, PyAny>) -> PyResult<Option<Written<P>>>,
    ) -> PyResult<String> {
        use alfil_kernel::Dialect as _;
        let setup = self.history().to_setup();
        let MoveCounters { halfmove_clock, fullmove_number } = setup.counters();
        let fen = setup.to_text();
        let counters = format!(" {halfmove_clock} {fullmove_number}");
        let mut epd = fen.strip_suffix(&counters).unwrap_or(&fen).to_owned();
        for (name, value) in operations.into_iter().flatten() {
            let name = name.extract::<String>()?;
            check_epd_name(&name)?;
            epd += &format!(" {name}");
            let is_list = value.cast::<PyString>().is_err() && value.hasattr("__iter__")?;
            let operands: Vec<Bound<'_, PyAny>> = match is_list {
                true => value.try_iter()?.collect::<PyResult<_>>()?,
                false if value.is_none() => Vec::new(),
                false => vec![value],
            };
            let has_alternatives = EPD_ALTERNATIVES.contains(&name.as_str());
            let mut board = self.clone();
            for operand in operands {
                let text = match read_move(&operand)? {
                    None => epd_operand(&operand)?,
                    Some(mv) => {
                        let text = board.format(mv, DialectOf::<P>::WRITTEN)?;
                        if !has_alternatives {
                            board.push(mv)?;
                        }
                        text
                    }
                };
                epd += &format!(" {text}");
            }
            epd.push(';');
        }
        Ok(epd)
    }

    pub(crate) fn is_first_to_move(&self) -> bool {
        self.history().side_to_move() == Side::First
    }

    /// Returns the legal move that is written so.
    pub(crate) fn legal(&self, written: Written<P>) -> PyResult<MoveOf<P>> {
        self.0.legal(written).map_err(board_error)
    }

    /// Plays a legal move, or a null move.
    pub(crate) fn push(&mut self, written: Written<P>) -> PyResult<()> {
        self.0.push(written).map_err(board_error)
    }

    /// Takes the last move back and returns it.
    pub(crate) fn pop(&mut self) -> PyResult<Written<P>> {
        self.0.pop().map_err(board_error)
    }

    pub(crate) fn peek(&self) -> PyResult<Written<P>> {
        self.played_moves()
            .last()
            .copied()
            .ok_or_else(|| board_error(SessionError::with_kind(ErrorKind::NoMove, "no move was played")))
    }

    /// Returns the dialect of a name.
    pub(crate) fn dialect(name: &str) -> PyResult<DialectOf<P>> {
        game_board::GameBoard::<P>::dialect(name).map_err(board_error)
    }

    pub(crate) fn dialect_names() -> Vec<&'static str> {
        use alfil_kernel::Dialect as _;
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    /// Parses a legal move in a dialect, and returns it as it is written in coordinates.
    pub(crate) fn parse_in(&self, text: &str, dialect: DialectOf<P>) -> PyResult<Written<P>> {
        self.0.parse_in(text, dialect).map_err(board_error)
    }

    /// Parses a legal move in the dialect that can read it, the preferred one first.
    pub(crate) fn parse_any(&self, text: &str, preferred: DialectOf<P>) -> PyResult<Written<P>> {
        self.0.parse_any(text, preferred).map_err(board_error)
    }

    /// Parses coordinates, legal or not.
    pub(crate) fn parse_coordinates(text: &str) -> PyResult<Written<P>> {
        game_board::GameBoard::<P>::parse_coordinates(text).map_err(board_error)
    }

    /// Formats a legal move in a dialect.
    pub(crate) fn format(&self, written: Written<P>, dialect: DialectOf<P>) -> PyResult<String> {
        self.0.format(written, dialect).map_err(board_error)
    }

    /// Formats a line of moves from this position.
    pub(crate) fn format_line(&self, line: &[Written<P>], dialect: DialectOf<P>) -> PyResult<Vec<String>> {
        self.0.format_line(line, dialect).map_err(board_error)
    }

    pub(crate) fn is_capture(&self, written: Written<P>) -> PyResult<bool> {
        self.0.captured_piece(written).map(|captured| captured.is_some()).map_err(board_error)
    }

    pub(crate) fn gives_check(&self, written: Written<P>) -> PyResult<bool> {
        self.0.gives_check(written).map_err(board_error)
    }

    /// Returns the end of the game under these rules; none if it continues.
    pub(crate) fn end(&self, rules: &RulesOf<P>) -> Option<PyOutcome> {
        self.0.end(rules).map(PyOutcome::from)
    }

    /// Returns the letter of the piece on the square of an index or a name.
    pub(crate) fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let square = square_of::<P>(square)?;
        Ok(self.history().position().piece_on(square).map(|piece| piece.letter()))
    }

    pub(crate) fn text(&self, is_ascii: bool) -> String {
        self.0.to_text(if is_ascii { PieceStyle::Ascii } else { PieceStyle::Hanzi })
    }

    /// Returns the issues of a position text: the name, the sentence, and whether the issue can be waived.
    pub(crate) fn issues(text: &str) -> PyResult<Vec<(&'static str, String, bool)>> {
        game_board::GameBoard::<P>::issues(text).map_err(board_error)
    }

    /// Returns one plane of bytes for each piece, then one that is 1 if the first side is to move.
    pub(crate) fn append_planes(&self, bytes: &mut Vec<u8>) {
        let (squares, pieces) = (P::Game::SQUARES, P::Game::PIECES);
        let start = bytes.len();
        bytes.resize(start + squares * (pieces + 1), 0);
        let planes = &mut bytes[start..];
        for square in (0..squares).filter_map(SquareOf::<P>::from_index) {
            if let Some(piece) = self.history().position().piece_on(square) {
                planes[piece.index() * squares + square.index()] = 1;
            }
        }
        planes[pieces * squares..].fill(u8::from(self.is_first_to_move()));
    }
}

/// The operations of an EPD whose moves are alternatives in its position: best moves and moves to avoid.
const EPD_ALTERNATIVES: [&str; 2] = ["bm", "am"];

/// Checks the name of an EPD operation.
fn check_epd_name(name: &str) -> PyResult<()> {
    let is_follower = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_follower) {
        return Ok(());
    }
    let message = format!("{name:?} is no name of an EPD operation: a letter, then letters, digits, _ and -");
    Err(AlfilError::new_err(message))
}

/// Formats an operand of an EPD operation that is no move: a text in quotes, or a number.
fn epd_operand(operand: &Bound<'_, PyAny>) -> PyResult<String> {
    let written = operand.str()?.to_string();
    if operand.cast::<PyString>().is_err() {
        return match written.contains(|letter: char| letter.is_whitespace() || matches!(letter, '"' | ';')) {
            true => Err(AlfilError::new_err(format!("an EPD cannot hold {written:?}: give it as a text"))),
            false => Ok(written),
        };
    }
    match written.contains(['"', '\n', '\r']) {
        true => Err(AlfilError::new_err(format!("an EPD cannot hold the text {written:?}: it has a quote"))),
        false => Ok(format!("\"{written}\"")),
    }
}

/// Compares objects that are equal or not, and have no order.
pub(crate) fn compare(py: Python<'_>, op: CompareOp, equal: impl Fn() -> bool) -> PyResult<Py<PyAny>> {
    match op {
        CompareOp::Eq => equal().into_py_any(py),
        CompareOp::Ne => (!equal()).into_py_any(py),
        _ => Ok(py.NotImplemented()),
    }
}

/// Returns the side of a colour in Python: True is the side with the first move.
pub(crate) fn side(color: bool) -> Side {
    if color { Side::First } else { Side::Second }
}

/// Returns the square of a number or a name.
pub(crate) fn square_of<P: Position>(square: &Bound<'_, PyAny>) -> PyResult<SquareOf<P>>
where
    P::Game: GameProfile<P>,
{
    match square.extract::<String>() {
        Ok(name) => game_board::GameBoard::<P>::parse_square(&name).map_err(board_error),
        Err(_) => square_with_index::<P>(square.extract().map_err(|error| {
            let refused = || AlfilError::new_err(format!("{} has no square {square}", P::Game::NAME));
            in_range(square.py(), error, refused)
        })?),
    }
}

/// Returns the index of the piece with a letter.
pub(crate) fn piece_index<P: Position>(letter: char) -> Option<usize> {
    (0..P::Game::PIECES)
        .find(|&index| PieceOf::<P>::from_index(index).is_some_and(|piece| piece.letter() == letter))
}

/// Returns the type of the piece with a letter: the index of the piece of the first side, from 1.
pub(crate) fn piece_type<P: Position>(letter: char) -> Option<usize> {
    Some(piece_index::<P>(letter)? % (P::Game::PIECES / 2) + 1)
}

/// Returns whether the piece with a letter is of the first side.
pub(crate) fn piece_color<P: Position>(letter: char) -> Option<bool> {
    Some(PieceOf::<P>::from_index(piece_index::<P>(letter)?)?.side() == Side::First)
}

/// Returns the letter of the piece of a type and a side.
pub(crate) fn piece_letter<P: Position>(piece_type: usize, color: bool) -> PyResult<char> {
    let types = P::Game::PIECES / 2;
    let error = || {
        let message = format!("{} has no piece type {piece_type}: choose 1 to {types}", P::Game::NAME);
        AlfilError::new_err(message)
    };
    let index = piece_type.checked_sub(1).filter(|&index| index < types).ok_or_else(error)?;
    let piece = PieceOf::<P>::from_index(index + if color { 0 } else { types }).ok_or_else(error)?;
    Ok(piece.letter())
}

/// Returns the move in coordinates, or of its squares and the piece promoted to.
pub(crate) fn read_move<P: Position>(
    origin: &Bound<'_, PyAny>,
    target: Option<&Bound<'_, PyAny>>,
    promotion: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written<P>>
where
    P::Game: GameProfile<P>,
{
    if target.is_none()
        && promotion.is_none()
        && let Ok(text) = origin.extract::<String>()
    {
        return GameBoard::<P>::parse_coordinates(&text);
    }
    let squares = [Some(origin), target].into_iter().flatten().filter(|square| !square.is_none());
    let mut text = String::new();
    for square in squares {
        text += &square_of::<P>(square)?.to_string();
    }
    if let Some(promotion) = promotion {
        text += &match promotion.extract::<usize>() {
            Ok(piece_type) => piece_letter::<P>(piece_type, false)?.to_string(),
            Err(_) => promotion.extract::<String>()?.to_ascii_lowercase(),
        };
    }
    GameBoard::<P>::parse_coordinates(&text)
}

/// The error of an object that is no move of a module.
pub(crate) fn no_move_error(object: &Bound<'_, PyAny>, module: &str) -> PyErr {
    let name = object.get_type().fully_qualified_name();
    let found = name.map_or_else(|_| "another object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected a move ({module}.Move), not {found}: parse_san and parse_uci read texts"
    ))
}

/// Returns the names of the squares of a move; none of the null move.
pub(crate) fn move_squares<P: Position>(written: Written<P>) -> Vec<String> {
    let squares = written.map(|mv| [mv.origin(), mv.target()]);
    squares.into_iter().flatten().flatten().map(|square| square.to_string()).collect()
}

/// Returns an arrow from the origin to the target of a move.
pub(crate) fn move_arrow<P: Position>(written: Written<P>) -> PyResult<SvgArrow>
where
    P::Game: GameProfile<P>,
{
    let mut squares = move_squares::<P>(written).into_iter();
    let Some(from) = squares.next() else {
        let text = game_board::GameBoard::<P>::move_text(written);
        return Err(AlfilError::new_err(format!("the move {text} has no squares for an arrow")));
    };
    let to = squares.next().unwrap_or_else(|| from.clone());
    Ok(SvgArrow { from, to, colour: None })
}

/// Returns the arrow of a tuple of two squares and perhaps a colour.
pub(crate) fn read_arrow<P: Position>(arrow: &Bound<'_, PyAny>) -> PyResult<SvgArrow>
where
    P::Game: GameProfile<P>,
{
    let parts = arrow.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let (from, to, colour) = match &parts[..] {
        [from, to] => (from, to, None),
        [from, to, colour] => (from, to, Some(colour.extract::<String>()?)),
        _ => {
            let message = "an arrow is a move, or a tuple of two squares and perhaps a colour";
            return Err(AlfilError::new_err(message));
        }
    };
    let name = |square| Ok::<_, PyErr>(square_of::<P>(square)?.to_string());
    Ok(SvgArrow { from: name(from)?, to: name(to)?, colour })
}

/// Returns the square with an index.
fn square_with_index<P: Position>(index: usize) -> PyResult<SquareOf<P>> {
    let error = || AlfilError::new_err(format!("{} has no square {index}", P::Game::NAME));
    SquareOf::<P>::from_index(index).ok_or_else(error)
}

/// Returns the name of the square with an index.
pub(crate) fn square_name<P: Position>(index: usize) -> PyResult<String> {
    Ok(square_with_index::<P>(index)?.to_string())
}

/// Returns the index of the square with a name.
pub(crate) fn parse_square<P: Position>(name: &str) -> PyResult<usize>
where
    P::Game: GameProfile<P>,
{
    let square = game_board::GameBoard::<P>::parse_square(name).map_err(board_error)?;
    Ok(square.index())
}

/// Returns the letters of the pieces in the order of their planes.
pub(crate) fn piece_letters<P: Position>() -> String {
    let pieces = (0..P::Game::PIECES).filter_map(PieceOf::<P>::from_index);
    pieces.map(|piece| piece.letter()).collect()
}

/// Returns the characters that show the pieces, in the order of their letters.
pub(crate) fn piece_glyphs<P: Position>() -> String
where
    P::Game: GameProfile<P>,
{
    let appearance = <P::Game as GameProfile<P>>::info().appearance;
    let pieces = (0..P::Game::PIECES).filter_map(PieceOf::<P>::from_index);
    pieces.filter_map(|piece| appearance.piece(piece.letter())).map(|piece| piece.glyph).collect()
}

/// Returns the piece that a move promotes to, as a letter.
pub(crate) fn promotion<P: Position>(mv: MoveOf<P>) -> Option<char>
where
    P::Game: GameProfile<P>,
{
    <P::Game as GameProfile<P>>::promotion_letter(mv)
}

/// Returns the bits of moves, 0 for a null move, to be pickled.
pub(crate) fn move_bits<P: Position>(moves: &[Written<P>]) -> Vec<u64>
where
    P::Game: GameProfile<P>,
{
    moves.iter().map(|&mv| game_board::GameBoard::<P>::move_bits(mv).into()).collect()
}

/// Returns the moves of such bits.
///
/// # Errors
/// Returns an error if bits encode no move.
pub(crate) fn moves_from_bits<P: Position>(bits: &[u64]) -> PyResult<Vec<Written<P>>>
where
    P::Game: GameProfile<P>,
{
    let parse = |&bits: &u64| {
        // No move has bits above the 32nd, and all of them set are no move either.
        let bits = u32::try_from(bits).unwrap_or(u32::MAX);
        game_board::GameBoard::<P>::move_from_bits(bits).map_err(board_error)
    };
    bits.iter().map(parse).collect()
}

/// The number of plies whose moves are counted as separate tasks.
const SPLIT_PLIES: u32 = 2;

/// The depth that the board counts at once: a fraction of a second, after which the count looks at the flag.
const UNINTERRUPTED_PLIES: u32 = 4;

/// Counts the legal move paths to a depth; too few if `stop` was set meanwhile.
fn count_paths<P: Position>(position: &P, depth: u32, stop: &AtomicBool) -> u128
where
    P::Game: GameProfile<P>,
{
    if depth <= UNINTERRUPTED_PLIES || position.has_no_legal_move() {
        return u128::from(<P::Game as GameProfile<P>>::perft(position, depth));
    }
    let moves = position.legal_moves();
    let going = moves.iter().take_while(|_| !stop.load(Ordering::Relaxed));
    going.map(|&mv| count_paths(&after(position, mv), depth - 1, stop)).sum()
}

/// Returns the position after a move.
fn after<P: Position>(position: &P, mv: MoveOf<P>) -> P {
    let mut after = position.clone();
    after.make(mv, &mut ());
    after
}

/// Counts the legal move paths to a depth; `None` if `stop` was set meanwhile.
pub(crate) fn perft<P: Position>(position: &P, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u128>
where
    P::Game: GameProfile<P>,
{
    let mut tasks = vec![(position.clone(), depth)];
    for _ in 0..SPLIT_PLIES {
        // What positions without moves count depends on the game.
        let split = |(position, depth): (P, u32)| {
            if depth <= 1 || position.has_no_legal_move() {
                return vec![(position, depth)];
            }
            position.legal_moves().iter().map(|&mv| (after(&position, mv), depth - 1)).collect()
        };
        tasks = tasks.into_iter().flat_map(split).collect();
    }
    let counts = alfil_engine::threads::parallel_map(&tasks, threads, |(position, depth)| {
        if stop.load(Ordering::Relaxed) { 0 } else { count_paths(position, *depth, stop) }
    });
    (!stop.load(Ordering::Relaxed)).then(|| counts.into_iter().sum())
}
