//! The answer of a call.

use serde::Serialize;

use crate::errors::Error;

/// The answer of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A value as JSON.
    Json(Vec<u8>),
    /// The bytes of a file.
    #[cfg_attr(not(feature = "records"), expect(dead_code, reason = "only records are answered as bytes"))]
    Bytes(Vec<u8>),
}

/// Returns an answer of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Answer, Error> {
    let text = serde_json::to_vec(value);
    text.map(Answer::Json).map_err(|error| Error::argument(format!("the answer cannot be written: {error}")))
}
