//! The end of a game, played out with lent threads: the room's solver creates none.

use std::sync::Arc;

use alfil_kernel::{SearchInfo, Setup as _};
use alfil_othello::{Bitboard, Board, Move, obf};
use alfil_solver::{SolveMode, Solver};

use crate::game_profile::SolvedLine;
use crate::game_session::{Problem, SearchLimits, SessionError, SolveRequest};
use crate::pool;
use crate::time_manager::{LimitControl, StopSignal};

/// Size of the solver's table in MiB, where there is much to remember.
const TABLE_MIB: usize = 64;
/// And up to so many empty squares, where making a large table would take longer than solving.
const SMALL_TABLE_MAX_EMPTIES: usize = 18;
const SMALL_TABLE_MIB: usize = 2;

/// Solves a position of Othello. `heard` is told by the worker that leads.
pub(crate) fn solve_othello<P: Board>(
    position: &P,
    ask: &SolveRequest,
    heard: &mut (dyn FnMut(&SearchInfo<'_, Move>, f64) + Send),
) -> SolvedLine<Move> {
    let mover = position.side_to_move();
    let board = Bitboard::new(position.discs(mover).0, position.discs(!mover).0, mover);
    let goal = if ask.outcome_only { SolveMode::Outcome } else { SolveMode::Exact };
    let workers = ask.threads.max(1);
    let table =
        if board.empty_squares().len() <= SMALL_TABLE_MAX_EMPTIES { SMALL_TABLE_MIB } else { TABLE_MIB };
    let job = Solver::new(table).new_task(&board, goal, workers);
    let never = || Arc::new(StopSignal::new(false));
    let help = |worker: usize| {
        job.run(
            worker,
            &mut LimitControl::new(&SearchLimits::default(), never(), |_: &SearchInfo<'_, Move>, _| ()),
        );
    };
    let lead = || job.run(0, &mut LimitControl::new(&SearchLimits::default(), never(), heard));
    let solution = pool::run_with_helpers(workers, lead, help).expect("nobody stops it");
    SolvedLine { score: solution.score, pv: solution.pv, nodes: solution.nodes }
}

/// Reads problems of Othello (OBF).
pub(crate) fn parse_othello_problems(text: &str) -> Result<Vec<Problem>, SessionError> {
    let problems = obf::parse(text).map_err(SessionError::from_error)?;
    let plain = |problem: obf::Problem| Problem {
        line: problem.line_number,
        fen: problem.setup.to_text(),
        score: problem.score,
    };
    Ok(problems.into_iter().map(plain).collect())
}

#[cfg(test)]
mod tests {
    use crate::game_session::{SearchEvent, SolveRequest};
    use crate::registry;
    use alfil_kernel::Waivers;

    const END: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    #[test]
    fn any_number_of_threads_finds_the_same_score_on_either_board() {
        for board in ["bitboard", "mailbox"] {
            let mut desk = registry::open("othello", Some(board)).unwrap();
            desk.open(END, &Waivers::None).unwrap();
            for threads in [0, 1, 2, 5] {
                let mut told = 0;
                let mut hear =
                    |thought: SearchEvent| told += usize::from(matches!(thought, SearchEvent::Info { .. }));
                let solved = desk.solve(&SolveRequest { outcome_only: false, threads }, &mut hear).unwrap();
                assert_eq!((solved.score, solved.best_move.as_deref()), (6, Some("h5")));
                assert_eq!(solved.pv.first().map(String::as_str), Some("h5"));
                assert!(told > 0 && solved.nodes > 0);
            }
            let outcome = desk.solve(&SolveRequest { outcome_only: true, threads: 1 }, &mut |_| ()).unwrap();
            assert_eq!(outcome.score, 1);
        }
    }

    #[test]
    fn best_play_leads_to_the_score() {
        let mut desk = registry::open("othello", None).unwrap();
        desk.open(END, &Waivers::None).unwrap();
        let solved = desk.solve(&SolveRequest::default(), &mut |_| ()).unwrap();
        for mv in &solved.pv {
            desk.play(mv, None).unwrap();
        }
        let ending = desk.game_end().unwrap();
        assert_eq!(ending.message, "Neither side can move: Black wins 35 to 29 (30 to 29 on the board)");
    }

    #[test]
    fn a_game_without_a_solver_says_so() {
        let desk = registry::open("xiangqi", None).unwrap();
        let error = desk.solve(&SolveRequest::default(), &mut |_| ()).unwrap_err();
        assert!(error.message.contains("xiangqi has no solver"), "{error}");
        assert!(desk.parse_problems("").is_err());
    }
}
