//! The searches that requests need: their purpose, limits and resources.

use std::time::Duration;

use alfil_session::{SearchLimits, SearchResources};

use super::DEFAULT_REPLY_TIME;
use crate::request_error::RequestError;
use crate::search_slot::SearchPurpose;
use crate::wire::ClientRequest;

/// The maximal time for a reply or a hint, in milliseconds.
const MAX_REPLY_MS: u64 = 60_000;
/// The time of an analysis, if the request has none.
const DEFAULT_ANALYSIS_TIME: Duration = Duration::from_secs(30);
/// The maximal time of an analysis, in seconds.
const MAX_ANALYSIS_SECONDS: u64 = 600;
/// The maximal number of lines of an analysis: the number of squares of a board, so that each can show its score.
const MAX_ANALYSIS_LINES: u64 = 64;
/// The maximal number of threads of an analysis. The page offers those of the machine.
const MAX_THREADS: u64 = 256;
/// The maximal size of the transposition table of an analysis, in MiB.
const MAX_HASH_MIB: u64 = 4096;

/// A search that is queued or running.
pub(super) struct RequestedSearch {
    /// The id of the request.
    pub(super) id: u64,
    pub(super) purpose: SearchPurpose,
    pub(super) limits: SearchLimits,
    /// The node of the position to search.
    pub(super) node: usize,
    /// The external engine that searches.
    pub(super) engine: Option<String>,
    /// The notice that this engine has failed or resigns.
    pub(super) notice: Option<String>,
    /// Whether the move comes from the opening book.
    pub(super) from_book: bool,
}

impl RequestedSearch {
    /// Creates a search of the built-in engine.
    pub(super) fn built_in(
        id: u64,
        purpose: SearchPurpose,
        limits: SearchLimits,
        node: usize,
    ) -> RequestedSearch {
        RequestedSearch { id, purpose, limits, node, engine: None, notice: None, from_book: false }
    }
}

/// Returns the search that a request needs, with its limits.
///
/// # Errors
/// If a limit is out of range.
pub(super) fn search_of_request(
    request: &ClientRequest,
) -> Result<Option<(SearchPurpose, SearchLimits)>, RequestError> {
    Ok(Some(match *request {
        ClientRequest::Hint { time } => {
            let time = Some(validate_reply_time(time)?.unwrap_or(DEFAULT_REPLY_TIME));
            (SearchPurpose::Hint, SearchLimits { time, ..SearchLimits::default() })
        }
        ClientRequest::Analyse { lines, seconds, infinite, threat, .. } => {
            let seconds = seconds
                .map(|time| check_range("an analysis", time, 0, MAX_ANALYSIS_SECONDS, "seconds"))
                .transpose()?;
            let lines = check_range("an analysis", lines as u64, 1, MAX_ANALYSIS_LINES, "lines")? as usize;
            let time = (!infinite).then(|| seconds.map_or(DEFAULT_ANALYSIS_TIME, Duration::from_secs));
            let purpose = if threat { SearchPurpose::Threat } else { SearchPurpose::Analysis };
            (purpose, SearchLimits { time, multipv: lines, ..SearchLimits::default() })
        }
        _ => return Ok(None),
    }))
}

/// Checks the time for a reply or a hint in milliseconds.
///
/// # Errors
/// If it is out of range.
pub(super) fn validate_reply_time(time: Option<u64>) -> Result<Option<Duration>, RequestError> {
    let time = time.map(|time| check_range("a search", time, 0, MAX_REPLY_MS, "milliseconds")).transpose()?;
    Ok(time.map(Duration::from_millis))
}

/// Checks that a number is in a range.
fn check_range(subject: &str, number: u64, min: u64, max: u64, unit: &str) -> Result<u64, RequestError> {
    if (min..=max).contains(&number) {
        return Ok(number);
    }
    Err(format!("expected {min} to {max} {unit} for {subject}, found {number}").into())
}

/// Returns the threads and the memory that a request wants for the searches of its game, if it names any.
///
/// # Errors
/// If a number is out of range.
pub(super) fn resources_of_request(request: &ClientRequest) -> Result<Option<SearchResources>, RequestError> {
    let ClientRequest::Analyse { threads, hash, .. } = *request else { return Ok(None) };
    if threads.is_none() && hash.is_none() {
        return Ok(None);
    }
    let defaults = SearchResources::default();
    let threads = match threads {
        Some(threads) => check_range("an analysis", threads, 1, MAX_THREADS, "threads")? as usize,
        None => defaults.threads,
    };
    let hash_mib = match hash {
        Some(hash) => check_range("the table of an analysis", hash, 1, MAX_HASH_MIB, "MiB")? as usize,
        None => defaults.hash_mib,
    };
    Ok(Some(SearchResources { threads, hash_mib, ..defaults }))
}

/// Returns the name of the external engine that a request wants to search.
pub(super) fn engine_of_request(request: &ClientRequest) -> Option<&str> {
    match request {
        ClientRequest::Analyse { engine, .. } => engine.as_deref(),
        _ => None,
    }
}
