//! The limits of the searches that a page requests.

use std::time::Duration;

use alfil_session::SearchLimits;
use alfil_session::played_game::validate_level;

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

/// Returns the search that a request needs, with its limits.
///
/// # Errors
/// If a limit is out of range.
pub(super) fn search_of_request(
    request: &ClientRequest,
) -> Result<Option<(SearchPurpose, SearchLimits)>, RequestError> {
    let milliseconds = |time: Option<u64>| {
        let time =
            time.map(|time| check_range("a search", time, 0, MAX_REPLY_MS, "milliseconds")).transpose()?;
        Ok::<_, RequestError>(time.map(Duration::from_millis))
    };
    Ok(Some(match *request {
        // The limit of the clock is known when the search starts.
        ClientRequest::Think { level, time } => {
            let (level, time) = (Some(validate_level(level)?), milliseconds(time)?);
            (SearchPurpose::Reply, SearchLimits { level, time, ..SearchLimits::default() })
        }
        ClientRequest::Hint { time } => {
            let time = Some(milliseconds(time)?.unwrap_or(DEFAULT_REPLY_TIME));
            (SearchPurpose::Hint, SearchLimits { time, ..SearchLimits::default() })
        }
        ClientRequest::Analyse { lines, seconds } => {
            let seconds = seconds
                .map(|time| check_range("an analysis", time, 0, MAX_ANALYSIS_SECONDS, "seconds"))
                .transpose()?;
            let lines = check_range("an analysis", lines as u64, 1, MAX_ANALYSIS_LINES, "lines")? as usize;
            let time = Some(seconds.map_or(DEFAULT_ANALYSIS_TIME, Duration::from_secs));
            (SearchPurpose::Analysis, SearchLimits { time, multipv: lines, ..SearchLimits::default() })
        }
        _ => return Ok(None),
    }))
}

/// Checks that a number is in a range.
fn check_range(subject: &str, number: u64, min: u64, max: u64, unit: &str) -> Result<u64, RequestError> {
    if (min..=max).contains(&number) {
        return Ok(number);
    }
    Err(format!("expected {min} to {max} {unit} for {subject}, found {number}").into())
}
