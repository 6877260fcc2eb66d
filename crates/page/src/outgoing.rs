//! Messages to the page.

use serde::Serialize;

use crate::request_error::RequestError;
use crate::wire::{Response, ServerEvent};

/// A message to the page.
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
        let RequestError { code: cause, message, message_zh, other_game: other, waivable } = error.into();
        let (error, error_zh) = (Some(message), message_zh);
        let response = Response { id, error, error_zh, cause, other, waivable, ..Response::default() };
        OutgoingMessage::Response(Box::new(response))
    }
}
