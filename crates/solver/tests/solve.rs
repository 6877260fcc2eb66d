//! The solver against known scores and against plain alpha-beta.

use std::fs;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    Bound, ExactResult, GameHistory, Oracle as _, Position, Score, SearchControl, SearchInfo, Setup as _,
};
use alfil_othello::geometry::Symmetry;
use alfil_othello::obf::{self, Problem};
use alfil_othello::{Bitboard, Board, Mailbox, Move, Setup};
use alfil_solver::{EndgameOracle, Solution, SolveMode, Solver};

/// Lets a solver think to the end.
struct NeverStop;

impl SearchControl<Move> for NeverStop {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

fn ffo() -> Vec<Problem> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/othello/ffo.obf");
    obf::parse(&fs::read_to_string(path).expect("the corpus is in the tree")).expect("a sound file")
}

fn solve(solver: &Solver, board: &Bitboard, goal: SolveMode) -> Solution {
    solver.solve(board, goal, &mut NeverStop).expect("nobody stops it")
}

/// The line is legal to the end of the game and ends with the score.
fn check_line(board: &Bitboard, solution: &Solution) {
    let mut end = *board;
    for &mv in &solution.pv {
        assert!(end.is_legal(mv), "{mv} in {end:?}");
        end.make(mv, &mut ());
    }
    assert!(end.has_no_legal_move(), "{:?} is not played to the end", solution.pv);
    let score = end.final_score(board.side_to_move());
    let told = if solution.mode == SolveMode::Exact { score } else { score.signum() };
    assert_eq!(told, solution.score, "the line {:?}", solution.pv);
    assert_eq!(solution.best_move, solution.pv.first().copied());
}

fn check_problems(from: usize, to: usize) {
    let solver = Solver::new(64);
    let mut nodes = 0;
    for (index, problem) in ffo()[from - 1..to].iter().enumerate() {
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let solution = solve(&solver, &board, SolveMode::Exact);
        println!("{} {:+} {} nodes {:?}", from + index, solution.score, solution.nodes, solution.pv);
        nodes += solution.nodes;
        assert_eq!(Some(solution.score), problem.score, "position {}", from + index);
        assert!(
            problem.is_best(solution.best_move.unwrap()),
            "position {}: {:?}",
            from + index,
            solution.best_move
        );
        check_line(&board, &solution);
    }
    println!("{nodes} nodes");
}

#[test]
fn ffo_1_to_19() {
    check_problems(1, 19);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn ffo_20_to_39() {
    check_problems(20, 39);
}

/// A position some random plies into a game, with this many empty squares and a move to be made.
fn random_position(random: &mut SplitMix64, empties: usize) -> Bitboard {
    loop {
        let mut board = Bitboard::from_setup_unchecked(&Setup::start());
        while board.empty_squares().len() > empties && !board.has_no_legal_move() {
            let moves = sorted_legal_moves(&board);
            board.make(moves[random.below(moves.len())], &mut ());
        }
        if !board.has_no_legal_move() {
            return board;
        }
    }
}

/// The score, by the rules, with nothing but a window.
fn alpha_beta(board: &Bitboard, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = sorted_legal_moves(board);
    if moves.is_empty() {
        return board.final_score(board.side_to_move());
    }
    // Fewest replies first: else two thousand positions take too long.
    let after = |mv: &Move| {
        let mut next = *board;
        next.make(*mv, &mut ());
        next
    };
    moves.sort_by_cached_key(|mv| after(mv).count_legal());
    let mut best = -65;
    for mv in &moves {
        best = best.max(-alpha_beta(&after(mv), -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn equals_alpha_beta(positions: usize, empties: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let solver = Solver::new(4);
    for _ in 0..positions {
        let board = random_position(&mut random, empties);
        let score = alpha_beta(&board, -64, 64);
        let exact = solve(&solver, &board, SolveMode::Exact);
        assert_eq!(exact.score, score, "{board:?}");
        check_line(&board, &exact);
        let outcome = solve(&solver, &board, SolveMode::Outcome);
        assert_eq!(outcome.score, score.signum(), "{board:?}");
        check_line(&board, &outcome);
    }
}

#[test]
fn the_solver_equals_plain_alpha_beta_at_10_empties() {
    equals_alpha_beta(2_000, 10, 61);
}

#[test]
fn the_solver_equals_plain_alpha_beta_with_few_empties() {
    for empties in 1..10 {
        equals_alpha_beta(300, empties, 62);
    }
}

/// Any two sets of discs can be solved, such as no game brings about: scattered, wiped out, full, finished.
#[test]
fn any_setup_is_solved() {
    let mut random = SplitMix64::new(63);
    let solver = Solver::new(1);
    for round in 0..400 {
        let full = random.next_u64() | random.next_u64() | random.next_u64();
        let black = if round % 4 == 0 { 0 } else { full & random.next_u64() };
        let board = Bitboard::new(black, full & !black, alfil_kernel::Side::First);
        let solution = solve(&solver, &board, SolveMode::Exact);
        assert_eq!(solution.score, alpha_beta(&board, -64, 64), "{board:?}");
        check_line(&board, &solution);
    }
    let empty = solve(&solver, &Bitboard::from_setup_unchecked(&Setup::EMPTY), SolveMode::Exact);
    assert_eq!((empty.score, empty.best_move), (0, None));
}

/// Turned and mirrored, a position has the same score, and the moves that reach it are turned and mirrored too.
#[test]
fn twins_have_equal_scores_and_mirrored_moves() {
    for problem in &ffo()[..6] {
        for symmetry in Symmetry::all() {
            // Each on a table of its own, so that the eight are solved and not remembered.
            let solution = solve(
                &Solver::new(16),
                &Bitboard::from_setup_unchecked(&problem.setup.transformed(symmetry)),
                SolveMode::Exact,
            );
            assert_eq!(Some(solution.score), problem.score);
            let back = |mv: Move| {
                let at =
                    alfil_othello::Square::all().find(|&at| Move::from_square(symmetry.map_square(at)) == mv);
                Move::from_square(at.expect("a square is the image of one"))
            };
            assert!(problem.is_best(back(solution.best_move.unwrap())), "{symmetry:?}: {solution:?}");
        }
    }
}

#[test]
fn two_threads_and_one_give_equal_scores() {
    let one = Solver::new(16);
    for problem in ffo()[..19].iter() {
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let two = Solver::new(16);
        let job = two.new_task(&board, SolveMode::Exact, 2);
        let solution = std::thread::scope(|scope| {
            scope.spawn(|| job.run(1, &mut NeverStop));
            job.run(0, &mut NeverStop)
        });
        let solution = solution.unwrap();
        assert_eq!(solution.score, solve(&one, &board, SolveMode::Exact).score);
        assert_eq!(Some(solution.score), problem.score);
        check_line(&board, &solution);
    }
}

/// More workers than there are cores, and a worker that never comes: neither is waited for in vain.
#[test]
fn many_workers_and_missing_ones() {
    let problem = &ffo()[23];
    let board = Bitboard::from_setup_unchecked(&problem.setup);
    for (made_for, come) in [(8, 8), (4, 1), (2, 5)] {
        let solver = Solver::new(16);
        let job = solver.new_task(&board, SolveMode::Exact, made_for);
        let solution = std::thread::scope(|scope| {
            for worker in 1..come {
                let job = &job;
                scope.spawn(move || job.run(worker, &mut NeverStop));
            }
            job.run(0, &mut NeverStop)
        });
        assert_eq!(solution.map(|solution| solution.score), problem.score);
    }
}

/// Counts how often it is asked, and stops after so many.
struct StopAfter(u32);

impl SearchControl<Move> for StopAfter {
    fn is_stopped(&mut self, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

fn stop_after_40(stops: bool) -> StopAfter {
    StopAfter(if stops { 40 } else { u32::MAX })
}

/// Remembers the reports.
#[derive(Default)]
struct ReportLog(Vec<(i32, Bound, Move)>);

impl SearchControl<Move> for ReportLog {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.push((info.score.value(), info.bound, info.pv[0]));
    }
}

#[test]
fn improvements_are_reported_and_the_solution_last() {
    let problem = &ffo()[11];
    let mut ears = ReportLog::default();
    let solution = Solver::new(4)
        .solve(&Bitboard::from_setup_unchecked(&problem.setup), SolveMode::Exact, &mut ears)
        .unwrap();
    let (last, before) = ears.0.split_last().unwrap();
    assert_eq!(*last, (100 * solution.score, Bound::Exact, solution.best_move.unwrap()));
    assert!(
        !before.is_empty()
            && before.iter().all(|&(score, bound, _)| score <= last.0 && bound == Bound::Lower)
    );
    assert!(before.is_sorted_by(|a, b| a.0 < b.0), "{before:?}");
}

#[test]
fn control_stops_every_worker() {
    let hard = Bitboard::from_setup_unchecked(&ffo()[57].setup);
    for stopper in 0..2 {
        let solver = Solver::new(1);
        let job = solver.new_task(&hard, SolveMode::Exact, 2);
        let solution = std::thread::scope(|scope| {
            scope.spawn(|| job.run(1, &mut stop_after_40(stopper == 1)));
            job.run(0, &mut stop_after_40(stopper == 0))
        });
        assert_eq!(solution, None);
        assert!(job.is_stopped());
    }
    // A job stopped before it was begun does nothing.
    let job = Solver::new(1).new_task(&hard, SolveMode::Exact, 1);
    job.stop();
    assert_eq!(job.run(0, &mut NeverStop), None);
}

/// Panics when it is asked for the fourth time.
struct PanicsOnFourthPoll(u32);

impl SearchControl<Move> for PanicsOnFourthPoll {
    fn is_stopped(&mut self, _: u64) -> bool {
        self.0 += 1;
        assert!(self.0 < 4, "on purpose");
        false
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

/// Nobody waits for a worker that panics, and nothing is concluded without what it had taken.
#[test]
fn a_worker_that_panics_ends_the_job() {
    let hard = Bitboard::from_setup_unchecked(&ffo()[57].setup);
    for alarmed in 0..2 {
        let solver = Solver::new(1);
        let job = solver.new_task(&hard, SolveMode::Exact, 3);
        let run = |worker| {
            if worker == alarmed {
                job.run(worker, &mut PanicsOnFourthPoll(0))
            } else {
                job.run(worker, &mut NeverStop)
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3).map(|worker| scope.spawn(move || run(worker))).collect();
            for (worker, ended) in workers.into_iter().map(|worker| worker.join()).enumerate() {
                assert_eq!(ended.is_err(), worker == alarmed);
                assert_eq!(ended.unwrap_or(None), None);
            }
        });
        assert!(job.is_stopped());
    }
}

/// One worker visits the same positions every time.
#[test]
fn one_worker_is_deterministic() {
    let board = Bitboard::from_setup_unchecked(&ffo()[9].setup);
    let first = solve(&Solver::new(4), &board, SolveMode::Exact);
    assert_eq!(solve(&Solver::new(4), &board, SolveMode::Exact), first);
}

#[test]
fn the_oracle_solves_up_to_its_number_of_empty_squares() {
    let mut random = SplitMix64::new(72);
    let mut line = GameHistory::<Mailbox>::from_start_position();
    while line.position().empty_squares().len() > 8 && !line.position().has_no_legal_move() {
        let moves = sorted_legal_moves(line.position());
        line.play(moves[random.below(moves.len())]);
    }
    let exact = EndgameOracle::new(Solver::new(1), 8).solve(line.position(), &mut NeverStop).unwrap();
    let board = Bitboard::from_setup_unchecked(&line.position().to_setup());
    let solution = solve(&Solver::new(1), &board, SolveMode::Exact);
    assert_eq!(
        exact,
        ExactResult { score: Score::from_cp(100 * solution.score), mv: solution.best_move, depth: 8 }
    );
    assert_eq!(EndgameOracle::new(Solver::new(1), 7).solve(line.position(), &mut NeverStop), None);
}
