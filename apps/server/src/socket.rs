//! The WebSocket connection of a page.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::Shared;
use crate::client_session::ClientSession;
use crate::outgoing::OutgoingMessage;
use crate::store::SavedChange;
use crate::wire::RequestMessage;

/// The id of the next client; it identifies the changes that a client has saved.
static NEXT_CLIENT_ID: AtomicU64 = AtomicU64::new(1);

/// Serves a page until it disconnects.
pub(crate) async fn serve_client(mut socket: WebSocket, shared: Shared) {
    let mut changes = shared.store.subscribe();
    let mut session = ClientSession::new(NEXT_CLIENT_ID.fetch_add(1, Ordering::Relaxed), shared);
    loop {
        let out = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => on_message(&mut session, &text),
                Some(Ok(Message::Binary(_))) => vec![OutgoingMessage::error(0, "expected a text message")],
                Some(Ok(_)) => Vec::new(),
                // The page has disconnected, or sent too large a message.
                Some(Err(_)) | None => return,
            },
            update = session.next_update() => session.on_update(update),
            change = changes.recv() => on_saved_change(&mut session, change, &mut changes),
        };
        for message in out {
            let Ok(text) = serde_json::to_string(&message) else { return };
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }
}

fn on_message(session: &mut ClientSession, text: &str) -> Vec<OutgoingMessage> {
    match serde_json::from_str::<RequestMessage>(text) {
        Ok(request) => session.on_request(request),
        Err(error) => {
            let id = serde_json::from_str::<serde_json::Value>(text).ok();
            let id = id.and_then(|request| request.get("id")?.as_u64()).unwrap_or_default();
            vec![OutgoingMessage::error(id, format!("cannot read this message: {error}"))]
        }
    }
}

fn on_saved_change(
    session: &mut ClientSession,
    change: Result<SavedChange, RecvError>,
    changes: &mut broadcast::Receiver<SavedChange>,
) -> Vec<OutgoingMessage> {
    match change {
        Ok(change) => session.on_saved_change(&change),
        Err(RecvError::Lagged(_)) => {
            *changes = changes.resubscribe();
            session.reload_game()
        }
        // Not possible: the store outlives all sessions.
        Err(RecvError::Closed) => Vec::new(),
    }
}
