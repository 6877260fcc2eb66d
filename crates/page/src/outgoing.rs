//! Messages to the page.

use serde::Serialize;

use crate::request_error::RequestError;
use crate::wire::{Response, ServerEvent};

/// Returns the response of a request that was refused or has failed.
pub(crate) fn error_response(id: u64, error: RequestError) -> Response {
    let RequestError { code: cause, message, message_zh, other_game: other, waivable } = error;
    let (error, error_zh) = (Some(message), message_zh);
    Response { id, error, error_zh, cause, other, waivable, ..Response::default() }
}

/// A message to the page.
///
/// ```
/// use alfil_page::OutgoingMessage;
///
/// let message = OutgoingMessage::error(5, "there is no open game");
/// assert_eq!(serde_json::to_string(&message).unwrap(), r#"{"id":5,"error":"there is no open game"}"#);
/// ```
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum OutgoingMessage {
    /// The response to a request.
    Response(Box<Response>),
    /// What happened without a request, or during one.
    Event(ServerEvent),
}

impl OutgoingMessage {
    /// Creates an error response.
    pub fn error(id: u64, error: impl Into<RequestError>) -> OutgoingMessage {
        OutgoingMessage::Response(Box::new(error_response(id, error.into())))
    }
}
