//! The limits of a search from the arguments of a call.

use std::time::Duration;

use alfil_engine::threads;
use alfil_session::time_budget::ClockInput;
use alfil_session::{AnyBoard, SKILL_LEVELS, SearchLimits, TimeBudget, random_seed};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board_class::GameClasses;
use crate::errors::{board_error, in_range, value_error};
use crate::game_classes;
use crate::numbers::number;

/// Returns a number of threads.
///
/// # Errors
/// Returns an error if it is 0 or too large.
pub(crate) fn check_threads(threads: usize) -> PyResult<usize> {
    threads::check_threads(threads).map_err(value_error)
}

/// Returns the depth of a perft.
///
/// # Errors
/// Returns an error if it is too large.
pub(crate) fn check_perft_depth(depth: u32) -> PyResult<u32> {
    alfil_session::check_perft_depth(depth).map_err(value_error)?;
    Ok(depth)
}

/// The names of the limits.
const NAMES: &[&str] = &[
    "depth",
    "nodes",
    "time",
    "mate",
    "clock",
    "increment",
    "moves_to_go",
    "level",
    "seed",
    "multipv",
    "root_moves",
];

/// Reads a whole number above 0.
fn positive<T: TryFrom<u64>>(name: &str, found: Option<Bound<'_, PyAny>>) -> PyResult<Option<T>> {
    let Some(found) = found else { return Ok(None) };
    let refused = |problem: &str| value_error(format!("{name}={found}: {problem}"));
    let number: u64 = found.extract().map_err(|error| {
        in_range(found.py(), error, || refused("expected a number above 0 and below 2^64"))
    })?;
    if number == 0 {
        return Err(refused("expected a number above 0"));
    }
    T::try_from(number).map(Some).map_err(|_| refused("the number is too large"))
}

/// Returns a move to which a search is limited, as a text in coordinates; texts stay as they are.
fn root_move((classes, board): (&GameClasses, &dyn AnyBoard), mv: &Bound<'_, PyAny>) -> PyResult<String> {
    match (classes.move_bits)(mv) {
        None => mv.extract().map_err(|_| game_classes::no_move_error(classes)),
        // The null move has no squares: the search says that it cannot be played.
        Some(0) => Ok(mv.str()?.to_string()),
        Some(bits) => {
            let written = game_classes::written_move(board, bits)?;
            Ok(board.game().move_squares(written).map_err(board_error)?.text)
        }
    }
}

/// Reads the limits of a search of a board from an `alfil.Limit` and from keyword arguments. Returns them with the
/// number of lines, if it was given.
///
/// # Errors
/// Returns an error if a limit is unknown, out of range or given twice, or if there must be a limit and there is none.
pub(crate) fn parse(
    (classes, board): (&GameClasses, &dyn AnyBoard),
    limit: Option<&Bound<'_, PyAny>>,
    keywords: Option<&Bound<'_, PyDict>>,
    must_end: bool,
) -> PyResult<(SearchLimits, Option<usize>)> {
    let fields = limit.map(|limit| limit.getattr("__dict__")).transpose()?;
    let fields = fields.map(|fields| fields.cast_into::<PyDict>()).transpose()?;
    let unknown = |name: &String| !NAMES.contains(&name.as_str());
    for dict in [fields.as_ref(), keywords].into_iter().flatten() {
        if let Some(name) = dict.keys().extract::<Vec<String>>()?.into_iter().find(unknown) {
            let message = format!("there is no limit {name:?}: the limits are {}", NAMES.join(", "));
            return Err(PyTypeError::new_err(message));
        }
    }
    fn item<'py>(dict: Option<&Bound<'py, PyDict>>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = dict.map(|dict| dict.get_item(name)).transpose()?.flatten();
        Ok(value.filter(|value| !value.is_none()))
    }
    let get = |name: &str| match (item(keywords, name)?, item(fields.as_ref(), name)?) {
        (Some(_), Some(_)) => {
            let message = format!("{name} is given twice: in the limit and as an argument of its own");
            Err(PyTypeError::new_err(message))
        }
        (argument, field) => Ok(argument.or(field)),
    };
    fn value<'py, T: FromPyObjectOwned<'py>>(
        found: PyResult<Option<Bound<'py, PyAny>>>,
    ) -> PyResult<Option<T>> {
        found?.map(|value| value.extract().map_err(Into::into)).transpose()
    }
    let seconds = |name: &str| -> PyResult<Option<Duration>> {
        let Some(seconds) = value::<f64>(get(name))? else { return Ok(None) };
        let message =
            |_| value_error(format!("{name}={seconds}: expected a number of seconds from 0 to 1e19"));
        Duration::try_from_secs_f64(seconds).map(Some).map_err(message)
    };
    let level = get("level")?.map(|level| number::<u32>(&level)).transpose()?;
    if let Some(level) = level.filter(|level| !(1..=SKILL_LEVELS).contains(level)) {
        return Err(value_error(format!("level {level}: choose 1 to {SKILL_LEVELS}")));
    }
    let multipv = positive("multipv", get("multipv")?)?;
    let clock = seconds("clock")?;
    let (increment, moves_to_go) = (seconds("increment")?, positive("moves_to_go", get("moves_to_go")?)?);
    if clock.is_none() && (increment.is_some() || moves_to_go.is_some()) {
        return Err(value_error("increment and moves_to_go belong to a clock: give clock, too"));
    }
    let increment = increment.unwrap_or_default();
    let budget = |remaining| ClockInput { remaining, increment, moves_to_go, overhead: Duration::ZERO };
    let root_moves = match get("root_moves")? {
        Some(moves) => {
            let moves = moves.try_iter()?.map(|mv| root_move((classes, board), &mv?));
            let moves = moves.collect::<PyResult<Vec<_>>>()?;
            if moves.is_empty() {
                return Err(value_error("root_moves is empty: give a move, or leave it out"));
            }
            moves
        }
        None => Vec::new(),
    };
    let limits = SearchLimits {
        depth: positive("depth", get("depth")?)?,
        nodes: positive("nodes", get("nodes")?)?,
        time: seconds("time")?,
        mate_in_moves: positive("mate", get("mate")?)?,
        level,
        seed: get("seed")?.map_or_else(|| Ok(random_seed()), |seed| number(&seed))?,
        multipv: multipv.unwrap_or(1),
        search_moves: root_moves,
        time_budget: clock.map(|remaining| TimeBudget::from_clock(&budget(remaining))),
        ..SearchLimits::default()
    };
    if must_end && !limits.has_end() {
        return Err(value_error(
            "the search has no limit: give depth, nodes, time, clock or a level below 10",
        ));
    }
    Ok((limits, multipv))
}
