//! The WebSocket connection of a page.

use std::sync::atomic::{AtomicU64, Ordering};

use alfil_page::{ClientSession, OutgoingMessage, SavedChange, SearchUpdate};
use axum::extract::ws::{Message, WebSocket};
use tokio::sync::OwnedSemaphorePermit;

use crate::Shared;
use crate::search_queue::{SearchQueue, next_update};
use crate::watchers::StoreChange;

/// The id of the next client; it identifies the changes that a client has saved.
static NEXT_CLIENT_ID: AtomicU64 = AtomicU64::new(1);

/// Serves a page until it disconnects; it holds the permit of a WebSocket.
pub(crate) async fn serve_client(mut socket: WebSocket, shared: Shared, _permit: OwnedSemaphorePermit) {
    let Shared { environment, search_permits, search_tables, engines, store, .. } = shared;
    let table_place = search_tables.place();
    let tables_wanted = table_place.bell();
    let client_id = NEXT_CLIENT_ID.fetch_add(1, Ordering::Relaxed);
    let mut watch = store.watch(client_id);
    let mut session =
        ClientSession::new(client_id, environment, SearchQueue::new(search_permits, engines, table_place));
    loop {
        let event = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(message)) => ClientEvent::Message(message),
                // The page has disconnected, or sent too large a message.
                Some(Err(_)) | None => break,
            },
            update = next_update(&mut session) => ClientEvent::Update(update),
            change = watch.changed() => ClientEvent::StoreChange(change),
            () = tables_wanted.notified() => ClientEvent::TablesWanted,
        };
        let save_count = watch.save_count();
        // The database, imports and long games take their time: other connections go on meanwhile.
        let handled = tokio::task::spawn_blocking(move || {
            let texts = on_event(&mut session, event);
            (session, texts)
        });
        let Ok((returned, texts)) = handled.await else { return };
        session = returned;
        watch.follow(session.open_game_revision().map(|(id, _)| id), save_count);
        for text in texts {
            if socket.send(Message::Text(text.into())).await.is_err() {
                return close(session).await;
            }
        }
    }
    close(session).await;
}

/// Drops a session, which saves its clock.
async fn close(session: ClientSession<SearchQueue>) {
    // The session is dropped even if the thread of the task cannot be awaited.
    let _ = tokio::task::spawn_blocking(move || drop(session)).await;
}

/// What a session has to handle.
enum ClientEvent {
    Message(Message),
    Update(SearchUpdate),
    StoreChange(StoreChange),
    /// Other sessions search and need the memory.
    TablesWanted,
}

/// Handles an event; returns the JSON of the messages to send.
fn on_event(session: &mut ClientSession<SearchQueue>, event: ClientEvent) -> Vec<String> {
    let out = match event {
        ClientEvent::Message(Message::Text(text)) => session.on_text(&text),
        ClientEvent::Message(Message::Binary(_)) => {
            vec![OutgoingMessage::error(0, "expected a text message")]
        }
        ClientEvent::Message(_) => Vec::new(),
        ClientEvent::Update(update) => session.on_update(update),
        ClientEvent::StoreChange(StoreChange::Saved) => session.reload_game(),
        ClientEvent::StoreChange(StoreChange::NewFile) => {
            session.on_saved_change(&SavedChange::of_all_games())
        }
        ClientEvent::TablesWanted => {
            session.drop_search_tables();
            Vec::new()
        }
    };
    out.iter().filter_map(|message| serde_json::to_string(message).ok()).collect()
}
