//! The board of every game: a position with its history. The classes of the games are made of it by the macro of
//! `board_class.rs`.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use alfil_kernel::{Game, MoveOf, Piece as _, Position, Side, Square as _, SquareOf};
pub(crate) use alfil_session::game_profile::NULL_MOVE_COORDINATES;
use alfil_session::game_profile::{DialectOf, GameProfile, RulesOf};
use alfil_session::render::PieceStyle;
use alfil_session::{ErrorKind, SessionError, game_board};
use pyo3::prelude::*;

use crate::errors::{AlfilError, board_error};
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
        if let Ok(name) = square.extract::<String>() {
            return self.0.piece_at(&name).map_err(board_error);
        }
        let square = square_with_index::<P>(square.extract()?)?;
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
    let pieces = (0..P::Game::PIECES).filter_map(alfil_kernel::PieceOf::<P>::from_index);
    pieces.map(|piece| piece.letter()).collect()
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
