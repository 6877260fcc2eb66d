//! Arrays for the caller: of NumPy if it is installed, else of the standard library.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns an array of this element type and shape; `bytes` has the elements in native order.
///
/// # Errors
/// Returns the errors of Python.
pub(crate) fn array<'py>(
    py: Python<'py>,
    element: &str,
    bytes: &[u8],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let helper = py.import("alfil._arrays")?.getattr("from_bytes")?;
    helper.call1((element, PyBytes::new(py, bytes), shape.to_vec()))
}
