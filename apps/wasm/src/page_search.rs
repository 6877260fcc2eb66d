//! Searches for the page: its worker writes a search, another worker runs it and sends events back. Both have the same
//! module, so that the messages between them are known to Rust alone.

use std::time::Duration;

use alfil_engine::{SearchEvent, SearchHost, search_here};
use alfil_kernel::{Bound, Confidence};
use alfil_page::SearchRequest;
use alfil_session::{SearchLimits, SearchReport, SessionError, TimeBudget};
use serde::{Deserialize, Serialize};

use crate::engine_session::EngineSession;
use crate::errors::Error;
use crate::host;
use crate::requests::Request;

/// A position to search, with the limits of the search.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Search {
    fen: Option<String>,
    moves: Vec<String>,
    limits: Limits,
    /// Whether the entries of the table are those of another game or review, which the search must not use. On a server
    /// each of them has a table of its own.
    clears_table: bool,
}

/// The limits of a search.
#[derive(Debug, Serialize, Deserialize)]
struct Limits {
    depth: Option<u32>,
    nodes: Option<u64>,
    soft_nodes: Option<u64>,
    time: Option<Duration>,
    min_nodes: u64,
    level: Option<u32>,
    seed: u64,
    multipv: usize,
    mate_in_moves: Option<u32>,
    search_moves: Vec<String>,
    excluded_moves: Vec<String>,
    budget: Option<(Duration, Duration)>,
    uses_book: bool,
}

impl From<&SearchLimits> for Limits {
    fn from(limits: &SearchLimits) -> Self {
        let SearchLimits {
            depth,
            nodes,
            soft_nodes,
            time,
            min_nodes,
            level,
            seed,
            multipv,
            mate_in_moves,
            search_moves,
            excluded_moves,
            time_budget,
            uses_book,
            // A page never ponders.
            ponder: _,
        } = limits.clone();
        Limits {
            depth,
            nodes,
            soft_nodes,
            time,
            min_nodes,
            level,
            seed,
            multipv,
            mate_in_moves,
            search_moves,
            excluded_moves,
            budget: time_budget.map(|TimeBudget { soft, hard }| (soft, hard)),
            uses_book,
        }
    }
}

impl From<Limits> for SearchLimits {
    fn from(limits: Limits) -> Self {
        let Limits { depth, nodes, soft_nodes, time, min_nodes, level, seed, multipv, mate_in_moves, .. } =
            limits;
        SearchLimits {
            depth,
            nodes,
            soft_nodes,
            time,
            min_nodes,
            level,
            seed,
            multipv,
            mate_in_moves,
            search_moves: limits.search_moves,
            excluded_moves: limits.excluded_moves,
            time_budget: limits.budget.map(|(soft, hard)| TimeBudget { soft, hard }),
            uses_book: limits.uses_book,
            ponder: false,
        }
    }
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
            limits: request.limits.into(),
            clears_table,
        })
    }
}

/// Search info; see [`SearchEvent::Info`].
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Info {
    multipv: u32,
    depth: u32,
    seldepth: u32,
    score: i32,
    /// 0 if the score is exact, 1 if it is a lower bound, 2 if it is an upper bound.
    bound: u8,
    mate_plies: Option<i32>,
    nodes: u64,
    hashfull: u32,
    root_moves_done: Option<u32>,
    /// The confidence as a percentage; 100 is exact.
    confidence: Option<u8>,
    is_book: bool,
    seconds: f64,
    pv: Vec<String>,
}

impl From<Info> for SearchEvent {
    fn from(info: Info) -> Self {
        let report = SearchReport {
            multipv: info.multipv,
            depth: info.depth,
            seldepth: info.seldepth,
            score: info.score,
            bound: match info.bound {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            mate_plies: info.mate_plies,
            nodes: info.nodes,
            hashfull: info.hashfull,
            root_moves_done: info.root_moves_done,
            confidence: info.confidence.map(Confidence::from_percent),
            is_book: info.is_book,
            pv: info.pv,
            ..SearchReport::default()
        };
        SearchEvent::Info { report, seconds: info.seconds }
    }
}

/// The end of a search.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) best: Option<String>,
    pub(crate) failure: Option<String>,
}

/// Runs a search in an engine; `bytes` are a [`Search`] as JSON. Info is reported as it comes.
pub(crate) fn run(session: &mut dyn EngineSession, bytes: &[u8]) -> Result<End, Error> {
    let search: Search = serde_json::from_slice(bytes)
        .map_err(|error| Error::argument(format!("this search cannot be read: {error}")))?;
    session.go_to(&Request { fen: search.fen, moves: search.moves, ..Request::default() })?;
    if search.clears_table {
        session.clear_search();
    }
    let mut end = End::default();
    let host = SearchHost { now: host::now, is_stopped: host::is_stopped };
    search_here(session, &search.limits.into(), host, &mut |event| match event {
        SearchEvent::Info { report, seconds } => {
            let info = Info {
                multipv: report.multipv,
                depth: report.depth,
                seldepth: report.seldepth,
                score: report.score,
                bound: report.bound as u8,
                mate_plies: report.mate_plies,
                nodes: report.nodes,
                hashfull: report.hashfull,
                root_moves_done: report.root_moves_done,
                confidence: report.confidence.map(Confidence::percent),
                is_book: report.is_book,
                seconds,
                pv: report.pv,
            };
            // A structure of numbers and texts can always be written.
            host::report(&serde_json::to_string(&info).unwrap_or_default());
        }
        SearchEvent::Failed(failure) => end.failure = Some(failure),
        SearchEvent::BestMove(best) => end.best = best,
    })?;
    Ok(end)
}
