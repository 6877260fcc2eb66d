//! The classes of the games by their names, for what takes boards of any game.

use alfil_session::AnyBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::board_class::GameClasses;
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
