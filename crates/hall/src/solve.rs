//! Exact solutions of Othello positions, with threads of this crate: the solver crate starts none.

use std::sync::Arc;

use alfil_kernel::{SearchInfo, Setup as _};
use alfil_othello::{Bitboard, Board, Move, obf};
use alfil_solver::{SolveMode, Solver};

use crate::game_profile::SolvedLine;
use crate::game_session::{Problem, SearchLimits, SessionError, SolveRequest};
use crate::pool;
use crate::time_manager::{LimitControl, StopSignal};

/// The size of the solver's table in MiB.
const TABLE_MIB: usize = 64;
/// With at most this number of empty squares the solver gets a small table, because allocating a large one takes longer
/// than solving.
const SMALL_TABLE_MAX_EMPTIES: usize = 18;
const SMALL_TABLE_MIB: usize = 2;

/// Solves a position of Othello. `on_info` is called on the main thread.
pub(crate) fn solve_othello<P: Board>(
    position: &P,
    request: &SolveRequest,
    on_info: &mut (dyn FnMut(&SearchInfo<'_, Move>, f64) + Send),
) -> SolvedLine<Move> {
    let mover = position.side_to_move();
    let board = Bitboard::new(position.discs(mover).0, position.discs(!mover).0, mover);
    let mode = if request.outcome_only { SolveMode::Outcome } else { SolveMode::Exact };
    let workers = request.threads.max(1);
    let table =
        if board.empty_squares().len() <= SMALL_TABLE_MAX_EMPTIES { SMALL_TABLE_MIB } else { TABLE_MIB };
    let task = Solver::new(table).new_task(&board, mode, workers);
    let no_stop = || Arc::new(StopSignal::new(false));
    let helper = |worker: usize| {
        task.run(
            worker,
            &mut LimitControl::new(&SearchLimits::default(), no_stop(), |_: &SearchInfo<'_, Move>, _| ()),
        );
    };
    let main = || task.run(0, &mut LimitControl::new(&SearchLimits::default(), no_stop(), on_info));
    let solution = pool::run_with_helpers(workers, main, helper).expect("the search has no stop signal");
    SolvedLine { score: solution.score, pv: solution.pv, nodes: solution.nodes }
}

/// Reads Othello problems (OBF).
pub(crate) fn parse_othello_problems(text: &str) -> Result<Vec<Problem>, SessionError> {
    let problems = obf::parse(text).map_err(SessionError::from_error)?;
    let to_problem = |problem: obf::Problem| Problem {
        line: problem.line,
        fen: problem.setup.to_text(),
        score: problem.score,
    };
    Ok(problems.into_iter().map(to_problem).collect())
}

#[cfg(test)]
mod tests {
    use crate::game_session::{SearchEvent, SolveRequest};
    use crate::registry;
    use alfil_kernel::Waivers;

    const END: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    #[test]
    fn the_score_does_not_depend_on_threads_or_board() {
        for board in ["bitboard", "mailbox"] {
            let mut session = registry::open("othello", Some(board)).unwrap();
            session.open(END, &Waivers::None).unwrap();
            for threads in [0, 1, 2, 5] {
                let mut reports = 0;
                let mut on_event =
                    |event: SearchEvent| reports += usize::from(matches!(event, SearchEvent::Info { .. }));
                let solution =
                    session.solve(&SolveRequest { outcome_only: false, threads }, &mut on_event).unwrap();
                assert_eq!((solution.score, solution.best_move.as_deref()), (6, Some("h5")));
                assert_eq!(solution.pv.first().map(String::as_str), Some("h5"));
                assert!(reports > 0 && solution.nodes > 0);
            }
            let outcome =
                session.solve(&SolveRequest { outcome_only: true, threads: 1 }, &mut |_| ()).unwrap();
            assert_eq!(outcome.score, 1);
        }
    }

    #[test]
    fn best_play_leads_to_the_score() {
        let mut session = registry::open("othello", None).unwrap();
        session.open(END, &Waivers::None).unwrap();
        let solution = session.solve(&SolveRequest::default(), &mut |_| ()).unwrap();
        for mv in &solution.pv {
            session.play(mv, None).unwrap();
        }
        let end = session.game_end().unwrap();
        assert_eq!(end.message, "Neither side can move: Black wins 35 to 29 (30 to 29 on the board)");
    }

    #[test]
    fn a_game_without_a_solver_returns_an_error() {
        let session = registry::open("xiangqi", None).unwrap();
        let error = session.solve(&SolveRequest::default(), &mut |_| ()).unwrap_err();
        assert!(error.message.contains("xiangqi has no solver"), "{error}");
        assert!(session.parse_problems("").is_err());
    }
}
