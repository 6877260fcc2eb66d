//! Arrays for the caller: of NumPy if it is installed, else of the standard library.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns an array of this shape. `dtype` is the name of the element type in NumPy, `uint8` or `uint32`; `bytes` has
/// the elements in native byte order.
///
/// # Errors
/// Returns the errors of Python.
pub(crate) fn array<'py>(
    py: Python<'py>,
    dtype: &str,
    bytes: &[u8],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let helper = py.import("alfil._arrays")?.getattr("from_bytes")?;
    helper.call1((dtype, PyBytes::new(py, bytes), shape.to_vec()))
}
