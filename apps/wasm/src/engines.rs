//! The calls of engines: searches, evaluations and exact solutions, on the thread of the caller.

use std::time::Duration;

use alfil_engine::{SearchEvent, SearchHost, search_here};
use alfil_session::review::mate_moves;
use alfil_session::time_budget::ClockInput;
use alfil_session::{
    AnyBoard, CurrentThread, EvaluationChoice, GameSession, SKILL_LEVELS, SearchLimits, SearchMonitor,
    SearchReport, SearchResources, SolveRequest, TimeBudget, registry,
};
use serde::Serialize;

use crate::answer::{Answer, json};
use crate::engine_session::go_to;
use crate::errors::Error;
use crate::object_table::ObjectTable;
use crate::requests::{Limits, Request};
use crate::{games, host};

/// The size of the table of an engine, in MiB.
const DEFAULT_HASH_MIB: usize = 32;

/// An engine for one game.
pub(crate) struct Engine(Box<dyn GameSession>);

impl Engine {
    /// Makes the engine of a request: its game, the size of its table, and rules. It evaluates by the hand-made terms.
    fn new(request: &Request) -> Result<Self, Error> {
        let resources = SearchResources {
            hash_mib: request.hash.unwrap_or(DEFAULT_HASH_MIB),
            ..SearchResources::default()
        };
        host::check_memory(resources.hash_mib)?;
        let game = games::find(request.game.as_deref().unwrap_or_default())?;
        let mut session = registry::open(game.name, None)?;
        session.set_resources(&resources);
        if let Some(rules) = &request.rules {
            session.set_ruleset(rules)?;
        }
        Ok(Engine(session))
    }
}

/// A report of a search; the time is in milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportAnswer {
    multipv: u32,
    depth: u32,
    seldepth: u32,
    score: i32,
    bound: &'static str,
    mate: Option<i32>,
    nodes: u64,
    nps: u64,
    time: f64,
    hashfull: u32,
    pv: Vec<String>,
    san: Vec<String>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct SearchAnswer {
    best_move: Option<String>,
    failure: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SolutionAnswer {
    score: i32,
    best_move: Option<String>,
    pv: Vec<String>,
    nodes: u64,
}

/// Answers a call of engines; `bytes` are those of a network.
pub(crate) fn answer(
    engines: &mut ObjectTable<Engine>,
    name: &str,
    request: &Request,
    bytes: Vec<u8>,
) -> Result<Answer, Error> {
    if name == "new" {
        let engine = Engine::new(request)?;
        return json(&engines.add(engine)?);
    }
    let Engine(session) = engines.get(request.id)?;
    match name {
        "setNetwork" => {
            let choice = match bytes.is_empty() {
                true => EvaluationChoice::Terms,
                false => EvaluationChoice::Network(bytes.into()),
            };
            session.set_evaluation(&choice)?;
            json(&session.evaluation_network())
        }
        "clear" => {
            session.clear_search();
            json(&())
        }
        "bench" => json(&session.bench()),
        "evaluate" => {
            go_to(&mut **session, request.fen.as_deref(), &request.moves)?;
            json(&session.static_eval())
        }
        "search" => json(&search(&mut **session, request)?),
        #[cfg(feature = "page")]
        "pageSearch" => json(&crate::page_search::run(&mut **session, &bytes)?),
        "solve" => json(&solve(&mut **session, request)?),
        _ => Err(Error::argument(format!("an engine has no call {name:?}"))),
    }
}

fn search(session: &mut dyn GameSession, request: &Request) -> Result<SearchAnswer, Error> {
    let mut board = go_to(session, request.fen.as_deref(), &request.moves)?;
    let limits = limits_of(&request.limits)?;
    let mut answer = SearchAnswer::default();
    let host = SearchHost { now: host::now, is_stopped: host::is_stopped };
    let searched = search_here(session, &limits, host, &mut |event| match event {
        SearchEvent::Info { report: found, seconds } => {
            let report = ReportAnswer {
                multipv: found.multipv,
                depth: found.depth,
                seldepth: found.seldepth,
                score: found.score,
                bound: found.bound.name(),
                mate: found.mate_plies.map(mate_moves),
                nodes: found.nodes,
                nps: if seconds > 0.0 { (found.nodes as f64 / seconds) as u64 } else { 0 },
                time: seconds * 1000.0,
                hashfull: found.hashfull,
                san: written_line(&mut *board, &found.pv),
                pv: found.pv,
            };
            // A structure of numbers and texts can always be written.
            host::report(&serde_json::to_string(&report).unwrap_or_default());
        }
        SearchEvent::Failed(failure) => answer.failure = Some(failure),
        SearchEvent::BestMove(best_move) => answer.best_move = best_move,
    });
    // A move of the limits that is not legal is a wrong argument, as any other limit.
    searched.map_err(|error| Error::argument(error.message))?;
    Ok(answer)
}

/// Returns a line as people write it. The reference is exclusive because a board may be sent to the thread of a search,
/// and not shared with it.
fn written_line(board: &mut dyn AnyBoard, pv: &[String]) -> Vec<String> {
    let line: Result<Vec<_>, _> = pv.iter().map(|text| board.game().parse_coordinates(text)).collect();
    line.and_then(|line| board.format_line(&line, None)).unwrap_or_default()
}

/// Drops the reports of the solver, whose callers wait for the solution.
struct NoMonitor;

impl SearchMonitor for NoMonitor {
    fn is_stopped(&mut self, _nodes: u64) -> bool {
        false
    }

    fn on_report(&mut self, _report: SearchReport) {}
}

fn solve(session: &mut dyn GameSession, request: &Request) -> Result<SolutionAnswer, Error> {
    go_to(session, request.fen.as_deref(), &request.moves)?;
    let options = SolveRequest { outcome_only: request.outcome_only, ..SolveRequest::default() };
    let solution = session.solve(&options, &CurrentThread, &mut NoMonitor)?;
    Ok(SolutionAnswer {
        score: solution.score,
        best_move: solution.best_move().cloned(),
        pv: solution.pv,
        nodes: solution.nodes,
    })
}

/// Returns a time of a request.
fn milliseconds(name: &str, time: Option<f64>) -> Result<Option<Duration>, Error> {
    let Some(time) = time else { return Ok(None) };
    let message = |_| Error::argument(format!("{name} {time}: expected milliseconds from 0 to 1e22"));
    Duration::try_from_secs_f64(time / 1000.0).map(Some).map_err(message)
}

fn limits_of(limits: &Limits) -> Result<SearchLimits, Error> {
    if let Some(level) = limits.level.filter(|level| !(1..=SKILL_LEVELS).contains(level)) {
        return Err(Error::argument(format!("level {level}: choose 1 to {SKILL_LEVELS}")));
    }
    let numbers = [
        ("depth", limits.depth == Some(0)),
        ("nodes", limits.nodes == Some(0)),
        ("mate", limits.mate == Some(0)),
        ("multipv", limits.multipv == Some(0)),
        ("movesToGo", limits.moves_to_go == Some(0)),
    ];
    if let Some((name, _)) = numbers.iter().find(|(_, is_zero)| *is_zero) {
        return Err(Error::argument(format!("{name} 0: expected a number above 0")));
    }
    let clock = milliseconds("clock", limits.clock)?;
    let increment = milliseconds("increment", limits.increment)?;
    let moves_to_go = limits.moves_to_go;
    if clock.is_none() && (increment.is_some() || moves_to_go.is_some()) {
        return Err(Error::argument("increment and movesToGo belong to a clock: give clock, too"));
    }
    if limits.root_moves.as_ref().is_some_and(Vec::is_empty) {
        return Err(Error::argument("rootMoves is empty: give a move, or leave it out"));
    }
    let increment = increment.unwrap_or_default();
    let budget = |remaining| ClockInput { remaining, increment, moves_to_go, overhead: Duration::ZERO };
    Ok(SearchLimits {
        depth: limits.depth,
        nodes: limits.nodes,
        time: milliseconds("time", limits.time)?,
        mate_in_moves: limits.mate,
        level: limits.level,
        seed: limits.seed,
        multipv: limits.multipv.unwrap_or(1),
        search_moves: limits.root_moves.clone().unwrap_or_default(),
        time_budget: clock.map(|remaining| TimeBudget::from_clock(&budget(remaining))),
        ..SearchLimits::default()
    })
}
