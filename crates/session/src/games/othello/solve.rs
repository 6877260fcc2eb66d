//! Exact solutions of Othello positions, on threads that the caller provides.

use alfil_kernel::{NeverStop, Setup as _};
use alfil_othello::{Bitboard, Board, Move, Othello, obf};
use alfil_solver::SolveMode;

use crate::game_session::{Problem, SessionError, Solution, SolveRequest};
use crate::searcher::MonitorControl;
use crate::workers::Workers;

/// The size of the solver's table in MiB.
const TABLE_MIB: usize = 64;
/// With at most this number of empty squares the solver gets a small table, because allocating a large one takes longer
/// than solving.
const SMALL_TABLE_MAX_EMPTIES: usize = 18;
const SMALL_TABLE_MIB: usize = 2;

/// Solves a position of Othello. `control` receives the reports of the worker on this thread.
pub(crate) fn solve_othello<P: Board<Game = Othello>>(
    position: &P,
    request: &SolveRequest,
    workers: &dyn Workers,
    control: &mut MonitorControl<'_, P>,
) -> Solution<Move> {
    let mover = position.side_to_move();
    let board = Bitboard::new(position.discs(mover).0, position.discs(!mover).0, mover);
    let mode = if request.outcome_only { SolveMode::Outcome } else { SolveMode::Exact };
    let count = request.threads.max(1);
    let table_mib =
        if board.empty_squares().len() <= SMALL_TABLE_MAX_EMPTIES { SMALL_TABLE_MIB } else { TABLE_MIB };
    let task = super::new_solver(table_mib).new_task(&board, mode, count);
    let mut solution = None;
    let help = |worker: usize| drop(task.run(worker, &mut NeverStop));
    workers.run(count - 1, &mut || solution = task.run(0, control), &help);
    let solution = solution.expect("nothing stops the solver");
    Solution { score: solution.score, pv: solution.pv, nodes: solution.nodes }
}

/// Reads Othello problems (OBF).
pub(crate) fn parse_othello_problems(text: &str) -> Result<Vec<Problem>, SessionError> {
    let problems = obf::parse(text).map_err(SessionError::from_error)?;
    let plain = |problem: obf::Problem| Problem {
        line: problem.line_number,
        fen: problem.setup.to_text(),
        score: problem.score,
    };
    Ok(problems.into_iter().map(plain).collect())
}
