//! What the arguments of Python are read as: whole numbers, letters of pieces, lists of names, mappings.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};

use crate::errors::{in_range, value_error};

/// Returns a whole number.
///
/// # Errors
/// Returns AlfilError if it is negative or too large.
pub(crate) fn number<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
    object: &Bound<'_, PyAny>,
) -> PyResult<T> {
    let refused = || value_error(format!("the number {object} is out of range"));
    object.extract::<T>().map_err(|error| in_range(object.py(), error, refused))
}

/// Returns a whole number; none for None.
///
/// # Errors
/// Returns AlfilError if it is negative or too large.
pub(crate) fn optional_number<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<T>> {
    if object.is_none() { Ok(None) } else { number(object).map(Some) }
}

/// Returns the letter of a piece; none for None.
///
/// # Errors
/// Returns an error if the object is no text, or if it has not one letter.
pub(crate) fn piece_letter(object: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
    if object.is_none() {
        return Ok(None);
    }
    let Ok(text) = object.extract::<String>() else {
        return Err(PyTypeError::new_err("expected a piece, its letter or None"));
    };
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(Some(letter)),
        _ => Err(value_error(format!("there is no piece {text:?}: a piece has one letter"))),
    }
}

/// Returns the names of any iterable but a text.
///
/// # Errors
/// Returns an error if the object is no such iterable.
pub(crate) fn names(object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let refused = || PyTypeError::new_err("expected a list of names");
    if object.cast::<PyString>().is_ok() {
        return Err(PyTypeError::new_err("expected a list of names, not a text"));
    }
    let names = object.try_iter().map_err(|_| refused())?;
    names.map(|name| name?.extract().map_err(|_| refused())).collect()
}

/// Returns the keys and values of a mapping.
///
/// # Errors
/// Returns an error, which says what was expected, if the object is no mapping.
pub(crate) fn mapping_items<'py>(
    object: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<Bound<'py, PyIterator>> {
    if !object.hasattr("items")? {
        return Err(PyTypeError::new_err(format!("expected {expected}")));
    }
    object.call_method0("items")?.try_iter()
}
