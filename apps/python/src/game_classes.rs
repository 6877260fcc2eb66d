//! The classes of the games by their names, for what takes boards of any game.

use alfil_session::AnyBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::board_class::GameClasses;
use crate::errors::board_error;
use crate::{chess, othello, xiangqi};

static GAMES: [&GameClasses; 3] = [&xiangqi::CLASSES, &chess::CLASSES, &othello::CLASSES];

/// Returns the classes of a game.
pub(crate) fn find(name: &str) -> Option<&'static GameClasses> {
    GAMES.into_iter().find(|classes| classes.name == name)
}

/// Returns a copy of the board of an object, with the classes of its game.
///
/// # Errors
/// Returns an error if the object is no board.
pub(crate) fn board_of(object: &Bound<'_, PyAny>) -> PyResult<(&'static GameClasses, Box<dyn AnyBoard>)> {
    for classes in GAMES {
        if let Some(board) = (classes.board)(object)? {
            return Ok((classes, board));
        }
    }
    Err(PyTypeError::new_err("expected a board of alfil.xiangqi, alfil.chess or alfil.othello"))
}

/// Returns a legal move as it is written: castling may be given in another form, as the king captures its rook.
///
/// # Errors
/// Returns an error with the reason if the move is not legal.
pub(crate) fn written_move(board: &dyn AnyBoard, bits: u32) -> PyResult<u32> {
    let mut after = board.clone_board();
    after.push(bits).map_err(board_error)?;
    Ok(after.played_moves().last().copied().unwrap_or(bits))
}

/// Returns whether an object is a move of a game.
pub(crate) fn is_move(object: &Bound<'_, PyAny>) -> bool {
    GAMES.into_iter().any(|classes| (classes.move_bits)(object).is_some())
}

/// The error of an object that is no move of a game.
pub(crate) fn no_move_error(classes: &GameClasses) -> PyErr {
    PyTypeError::new_err(format!("expected a move of {}, or its text", classes.name))
}
