//! Exact solutions of Othello positions, on threads that the caller provides.

use alfil_kernel::{
    Bound, Confidence, NeverStop, Position as _, Score, SearchControl, SearchInfo, Setup as _,
};
use alfil_othello::{Bitboard, Board, Move, Othello, obf};
use alfil_solver::{EndgameOracle, SolveMode, Solver};

use crate::requests::{Problem, Solution, SolveRequest};
use crate::session_error::SessionError;
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
    kept: &mut Option<EndgameOracle>,
    workers: &dyn Workers,
    mut control: &mut (dyn SearchControl<Move> + Send),
) -> Solution<Move> {
    let mover = position.side_to_move();
    let board = Bitboard::new(position.discs(mover).0, position.discs(!mover).0, mover);
    let empties = board.empty_squares().len();
    let table_mib = request.hash_mib.unwrap_or(match empties {
        0..=SMALL_TABLE_MAX_EMPTIES => SMALL_TABLE_MIB,
        _ => TABLE_MIB,
    });
    let is_kept = |oracle: &&mut EndgameOracle| {
        let kept_mib = oracle.solver().table_mebibytes();
        if request.hash_mib.is_some() { kept_mib == table_mib } else { kept_mib >= table_mib }
    };
    if kept.as_mut().filter(is_kept).is_none() {
        *kept = Some(EndgameOracle::new(super::new_solver(table_mib), super::SOLVER_EMPTIES));
    }
    let solver = kept.as_ref().expect("it is there now").solver();
    let mode = if request.outcome_only { SolveMode::Outcome } else { SolveMode::Exact };
    let threads = request.threads.max(1);
    let Some(solution) = solve_on_threads(solver, &board, mode, threads, workers, &mut control) else {
        unreachable!("nothing stops the solver");
    };
    let mut solution = Solution {
        score: solution.score,
        pv: solution.pv,
        nodes: solution.nodes,
        move_scores: solution.best_move.map(|best| (best, solution.score)).into_iter().collect(),
    };
    if !request.scores_all_moves {
        solution.move_scores.clear();
        return solution;
    }
    let best = solution.best_move().copied();
    for &mv in board.legal_moves().iter().filter(|&&mv| Some(mv) != best) {
        let mut child = board;
        child.make(mv, &mut ());
        let mut child_control = ChildControl { control: &mut control, nodes: solution.nodes };
        let Some(reply) = solve_on_threads(solver, &child, mode, threads, workers, &mut child_control) else {
            unreachable!("nothing stops the solver");
        };
        solution.nodes += reply.nodes;
        let score = -reply.score;
        let rank = solution.move_scores.partition_point(|&(_, other)| other >= score);
        solution.move_scores.insert(rank, (mv, score));
        let line: Vec<Move> = [mv].into_iter().chain(reply.pv).collect();
        control.report(&SearchInfo {
            depth: empties as u32,
            seldepth: empties as u32,
            score: Score::from_cp(100 * score),
            bound: Bound::Exact,
            nodes: solution.nodes,
            pv: &line,
            multipv: rank as u32 + 1,
            hashfull: 0,
            best_move_effort_permille: 1000,
            best_move_stability: 1,
            score_fall_cp: None,
            root_moves_done: Some(solution.move_scores.len() as u32),
            confidence: Some(Confidence::Exact),
        });
    }
    solution
}

/// Solves a position on this thread and on those of the workers; `None` if the control stops it.
fn solve_on_threads<C: SearchControl<Move> + Send>(
    solver: &Solver,
    board: &Bitboard,
    mode: SolveMode,
    threads: usize,
    workers: &dyn Workers,
    control: &mut C,
) -> Option<alfil_solver::Solution> {
    let task = solver.new_task(board, mode);
    let mut solution = None;
    let help = |worker: usize| drop(task.run(worker, &mut NeverStop));
    workers.run(threads - 1, &mut || solution = task.run(0, control), &help);
    solution
}

/// The control of the solution of a child: its own lines are not those of the root.
struct ChildControl<'a, C> {
    control: &'a mut C,
    /// The nodes searched before it.
    nodes: u64,
}

impl<C: SearchControl<Move>> SearchControl<Move> for ChildControl<'_, C> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.control.is_stopped(self.nodes + nodes)
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
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
