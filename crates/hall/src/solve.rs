//! The end of a game, played out with lent threads: the room's solver creates none.

use std::sync::Arc;

use alfil_kernel::{Info, Setup as _};
use alfil_solver::{Goal, Solver};
use alfil_othello::{Bitboard, Board, Move, obf};

use crate::clock::{Signal, Watch};
use crate::desk::{DeskError, Limits, Problem, SolveAsk};
use crate::pool;
use crate::room::Answer;

/// Size of the solver's table in MiB, where there is much to remember.
const TABLE: usize = 64;
/// And up to so many empty squares, where making a large table would take longer than solving.
const FEW_EMPTIES: usize = 18;
const SMALL_TABLE: usize = 2;

/// Solves a position of Othello. `heard` is told by the worker that leads.
pub(crate) fn othello<P: Board>(
    position: &P,
    ask: &SolveAsk,
    heard: &mut (dyn FnMut(&Info<'_, Move>, f64) + Send),
) -> Answer<Move> {
    let mover = position.side();
    let board = Bitboard::new(position.discs(mover).0, position.discs(!mover).0, mover);
    let goal = if ask.outcome { Goal::Outcome } else { Goal::Exact };
    let workers = ask.threads.max(1);
    let table = if board.empty().len() <= FEW_EMPTIES { SMALL_TABLE } else { TABLE };
    let job = Solver::new(table).job(&board, goal, workers);
    let never = || Arc::new(Signal::new(false));
    let help = |worker: usize| {
        job.run(worker, &mut Watch::new(&Limits::default(), never(), |_: &Info<'_, Move>, _| ()));
    };
    let lead = || job.run(0, &mut Watch::new(&Limits::default(), never(), heard));
    let solution = pool::crew(workers, lead, help).expect("nobody stops it");
    Answer { score: solution.score, line: solution.line, nodes: solution.nodes }
}

/// Reads problems of Othello (OBF).
pub(crate) fn othello_problems(text: &str) -> Result<Vec<Problem>, DeskError> {
    let problems = obf::read(text).map_err(DeskError::from)?;
    let plain = |problem: obf::Problem| Problem {
        line: problem.line,
        fen: problem.setup.write(),
        score: problem.score,
    };
    Ok(problems.into_iter().map(plain).collect())
}

#[cfg(test)]
mod tests {
    use crate::desk::{SolveAsk, Thought};
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
                    |thought: Thought| told += usize::from(matches!(thought, Thought::Info { .. }));
                let solved = desk.solve(&SolveAsk { outcome: false, threads }, &mut hear).unwrap();
                assert_eq!((solved.score, solved.best.as_deref()), (6, Some("h5")));
                assert_eq!(solved.line.first().map(String::as_str), Some("h5"));
                assert!(told > 0 && solved.nodes > 0);
            }
            let outcome = desk.solve(&SolveAsk { outcome: true, threads: 1 }, &mut |_| ()).unwrap();
            assert_eq!(outcome.score, 1);
        }
    }

    #[test]
    fn best_play_leads_to_the_score() {
        let mut desk = registry::open("othello", None).unwrap();
        desk.open(END, &Waivers::None).unwrap();
        let solved = desk.solve(&SolveAsk::default(), &mut |_| ()).unwrap();
        for mv in &solved.line {
            desk.play(mv, None).unwrap();
        }
        let ending = desk.judge().unwrap();
        assert_eq!(ending.words, "Neither side can move: Black wins 35 to 29 (30 to 29 on the board)");
    }

    #[test]
    fn a_game_without_a_solver_says_so() {
        let desk = registry::open("xiangqi", None).unwrap();
        let error = desk.solve(&SolveAsk::default(), &mut |_| ()).unwrap_err();
        assert!(error.words.contains("xiangqi has no solver"), "{error}");
        assert!(desk.problems("").is_err());
    }
}
