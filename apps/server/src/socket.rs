//! One page at its socket: what comes in, what goes out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, broadcast};

use crate::refusal::Refusal;
use crate::store::{Change, Store};
use crate::table::Table;
use crate::wire::{Answer, Ask, Event};

/// What goes out.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Out {
    Answer(Box<Answer>),
    Event(Event),
}

impl Out {
    /// That something cannot be done.
    pub(crate) fn refusal(id: u64, refusal: impl Into<Refusal>) -> Out {
        let Refusal { cause, words, words_zh, other, waivable } = refusal.into();
        let error = Some(words);
        let answer = Answer { id, error, error_zh: words_zh, cause, other, waivable, ..Answer::default() };
        Out::Answer(Box::new(answer))
    }
}

/// Sockets are counted, so that each knows its own changes.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Answers a page until it goes.
pub(crate) async fn attend(mut socket: WebSocket, thinkers: Arc<Semaphore>, store: Store) {
    let mut changes = store.changes();
    let mut table = Table::new(NEXT.fetch_add(1, Ordering::Relaxed), thinkers, store);
    loop {
        let out = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => hear(&mut table, &text),
                Some(Ok(Message::Binary(_))) => vec![Out::refusal(0, "only text is understood here")],
                Some(Ok(_)) => Vec::new(),
                // The page went, or sent more than it may.
                Some(Err(_)) | None => return,
            },
            heard = table.hear() => table.heard(heard),
            change = changes.recv() => changed(&mut table, change, &mut changes),
        };
        for message in out {
            let Ok(text) = serde_json::to_string(&message) else { return };
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }
}

fn hear(table: &mut Table, text: &str) -> Vec<Out> {
    match serde_json::from_str::<Ask>(text) {
        Ok(ask) => table.ask(ask),
        Err(error) => {
            let id = serde_json::from_str::<serde_json::Value>(text).ok();
            let id = id.and_then(|ask| ask.get("id")?.as_u64()).unwrap_or_default();
            vec![Out::refusal(id, format!("this message is not understood: {error}"))]
        }
    }
}

fn changed(
    table: &mut Table,
    change: Result<Change, RecvError>,
    changes: &mut broadcast::Receiver<Change>,
) -> Vec<Out> {
    match change {
        Ok(change) => table.changed(&change),
        Err(RecvError::Lagged(_)) => {
            *changes = changes.resubscribe();
            table.missed()
        }
        // The store outlives every table.
        Err(RecvError::Closed) => Vec::new(),
    }
}
