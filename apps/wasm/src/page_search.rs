//! Searches for the page: its worker writes a search, another worker runs it and sends events back. Both have the same
//! module, so that the messages between them are known to Rust alone.

use alfil_engine::{SearchEvent, SearchHost, search_here};
use alfil_page::SearchRequest;
use alfil_session::{GameSession, SearchLimits, SearchReport, SessionError};
use serde::{Deserialize, Serialize};

use crate::engine_session::go_to;
use crate::errors::Error;
use crate::host;

/// A position to search, with the limits of the search.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Search {
    fen: Option<String>,
    moves: Vec<String>,
    limits: SearchLimits,
    /// Whether the entries of the table are those of another game or review, which the search must not use. On a server
    /// each of them has a table of its own.
    clears_table: bool,
}

impl Search {
    /// Writes the search of a request.
    ///
    /// # Errors
    /// Never in a valid game.
    pub(crate) fn of_request(
        request: &SearchRequest<'_>,
        clears_table: bool,
    ) -> Result<Search, SessionError> {
        Ok(Search {
            fen: Some(request.start.to_owned()).filter(|start| start != "startpos"),
            moves: request.session.played_moves(None)?,
            limits: request.limits.clone(),
            clears_table,
        })
    }
}

/// Search info; see [`SearchEvent::Info`].
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Info {
    report: SearchReport,
    seconds: f64,
}

impl From<Info> for SearchEvent {
    fn from(Info { report, seconds }: Info) -> Self {
        SearchEvent::Info { report, seconds }
    }
}

/// The end of a search.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) best: Option<String>,
    pub(crate) failure: Option<String>,
}

/// Runs a search in an engine; `bytes` are a [`Search`] as JSON. Info is reported as it comes.
pub(crate) fn run(session: &mut dyn GameSession, bytes: &[u8]) -> Result<End, Error> {
    let search: Search = serde_json::from_slice(bytes)
        .map_err(|error| Error::argument(format!("this search cannot be read: {error}")))?;
    go_to(session, search.fen.as_deref(), &search.moves)?;
    if search.clears_table {
        session.clear_search();
    }
    let mut end = End::default();
    let host = SearchHost { now: host::now, is_stopped: host::is_stopped };
    search_here(session, &search.limits, host, &mut |event| match event {
        SearchEvent::Info { report, seconds } => {
            // A structure of numbers and texts can always be written.
            host::report(&serde_json::to_string(&Info { report, seconds }).unwrap_or_default());
        }
        SearchEvent::Failed(failure) => end.failure = Some(failure),
        SearchEvent::BestMove(best) => end.best = best,
    })?;
    Ok(end)
}
