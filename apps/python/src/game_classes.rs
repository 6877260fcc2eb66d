//! The classes of the games by their names, for what takes boards of any game.

use alfil_session::AnyBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::{chess, othello, xiangqi};

/// The classes of a game.
#[derive(Debug)]
pub(crate) struct GameClasses {
    /// The name of the game.
    pub(crate) name: &'static str,
    /// Returns a copy of the board of an object; none if the object is not of the class `Board` of this game.
    pub(crate) board: fn(&Bound<'_, PyAny>) -> PyResult<Option<Box<dyn AnyBoard>>>,
    /// Makes a board at the position of a text, whatever issues it has that can be waived.
    pub(crate) board_object: fn(Python<'_>, Option<&str>) -> PyResult<Py<PyAny>>,
    /// Makes the object of a move in coordinates.
    pub(crate) move_object: fn(Python<'_>, &str) -> PyResult<Py<PyAny>>,
}

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
