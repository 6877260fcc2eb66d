//! One page at its socket: what comes in, what goes out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, broadcast};

use crate::client_session::ClientSession;
use crate::request_error::RequestError;
use crate::store::{SavedChange, Store};
use crate::wire::{RequestMessage, Response, ServerEvent};

/// What goes out.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum OutgoingMessage {
    Response(Box<Response>),
    Event(ServerEvent),
}

impl OutgoingMessage {
    /// That something cannot be done.
    pub(crate) fn error(id: u64, refusal: impl Into<RequestError>) -> OutgoingMessage {
        let RequestError { code: cause, message: words, message_zh: words_zh, other_game: other, waivable } =
            refusal.into();
        let error = Some(words);
        let answer =
            Response { id, error, error_zh: words_zh, cause, other, waivable, ..Response::default() };
        OutgoingMessage::Response(Box::new(answer))
    }
}

/// Sockets are counted, so that each knows its own changes.
static NEXT_CLIENT_ID: AtomicU64 = AtomicU64::new(1);

/// Answers a page until it goes.
pub(crate) async fn serve_client(mut socket: WebSocket, thinkers: Arc<Semaphore>, store: Store) {
    let mut changes = store.subscribe();
    let mut table = ClientSession::new(NEXT_CLIENT_ID.fetch_add(1, Ordering::Relaxed), thinkers, store);
    loop {
        let out = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => on_message(&mut table, &text),
                Some(Ok(Message::Binary(_))) => vec![OutgoingMessage::error(0, "only text is understood here")],
                Some(Ok(_)) => Vec::new(),
                // The page went, or sent more than it may.
                Some(Err(_)) | None => return,
            },
            heard = table.next_update() => table.on_update(heard),
            change = changes.recv() => on_saved_change(&mut table, change, &mut changes),
        };
        for message in out {
            let Ok(text) = serde_json::to_string(&message) else { return };
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }
}

fn on_message(table: &mut ClientSession, text: &str) -> Vec<OutgoingMessage> {
    match serde_json::from_str::<RequestMessage>(text) {
        Ok(ask) => table.on_request(ask),
        Err(error) => {
            let id = serde_json::from_str::<serde_json::Value>(text).ok();
            let id = id.and_then(|ask| ask.get("id")?.as_u64()).unwrap_or_default();
            vec![OutgoingMessage::error(id, format!("this message is not understood: {error}"))]
        }
    }
}

fn on_saved_change(
    table: &mut ClientSession,
    change: Result<SavedChange, RecvError>,
    changes: &mut broadcast::Receiver<SavedChange>,
) -> Vec<OutgoingMessage> {
    match change {
        Ok(change) => table.on_saved_change(&change),
        Err(RecvError::Lagged(_)) => {
            *changes = changes.resubscribe();
            table.reload_game()
        }
        // The store outlives every table.
        Err(RecvError::Closed) => Vec::new(),
    }
}
