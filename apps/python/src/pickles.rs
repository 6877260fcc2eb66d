//! Pickling of results: an object is a name and the tuple of its fields, of which `_restore` makes it again.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::engine::{PlayResult, Report};
use crate::errors::value_error;
use crate::othello::PySolution;
use crate::records::{Game, Node};
use crate::results::{PyOutcome, PyRuling, PyRulingPly};
use crate::xiangqi::PyRefusedMove;

/// What `__reduce__` returns: the function `_restore` and its arguments.
pub(crate) type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyString>, Bound<'py, PyTuple>));

/// Returns the pickled form of an object of a class with a state.
///
/// # Errors
/// Returns the errors of Python.
pub(crate) fn pickled<'py>(
    py: Python<'py>,
    class: &str,
    state: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Pickled<'py>> {
    let restore = py.import("alfil._alfil")?.getattr("_restore")?;
    Ok((restore, (PyString::new(py, class), state.into_pyobject(py)?)))
}

/// Makes an object of its pickled form.
#[pyfunction]
#[pyo3(name = "_restore")]
pub(crate) fn restore<'py>(
    py: Python<'py>,
    class: &str,
    state: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    match class {
        "Game" => Game::from_state(state)?.into_bound_py_any(py),
        "Node" => Node::from_state(state)?.into_bound_py_any(py),
        "Outcome" => PyOutcome::from_state(state)?.into_bound_py_any(py),
        "PlayResult" => PlayResult::from_state(state)?.into_bound_py_any(py),
        "RefusedMove" => PyRefusedMove::from_state(state)?.into_bound_py_any(py),
        "Report" => Report::from_state(state)?.into_bound_py_any(py),
        "Ruling" => PyRuling::from_state(state)?.into_bound_py_any(py),
        "RulingPly" => PyRulingPly::from_state(state)?.into_bound_py_any(py),
        "Solution" => PySolution::from_state(state)?.into_bound_py_any(py),
        _ => Err(value_error(format!("no class {class:?} is pickled so"))),
    }
}
