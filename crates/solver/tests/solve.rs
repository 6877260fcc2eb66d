//! The solver agrees with known scores and with plain alpha-beta.

use std::fs;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    Bound, Confidence, GameHistory, NeverStop, Oracle, OracleResult, Position, Score, SearchControl,
    SearchInfo, Setup as _,
};
use alfil_othello::geometry::Symmetry;
use alfil_othello::obf::{self, Problem};
use alfil_othello::{Bitboard, Board, Mailbox, Move, Setup};
use alfil_solver::{EndgameOracle, Solution, SolveMode, Solver};

fn ffo() -> Vec<Problem> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/ffo.obf");
    obf::parse(&fs::read_to_string(path).expect("testdata/ffo.obf is readable")).expect("ffo.obf parses")
}

fn solve(solver: &Solver, board: &Bitboard, mode: SolveMode) -> Solution {
    solver.solve(board, mode, &mut NeverStop).expect("the control never stops the solver")
}

/// Checks that the principal variation is legal to the end of the game and achieves the score.
fn check_pv(board: &Bitboard, solution: &Solution) {
    let mut end = *board;
    for &mv in &solution.pv {
        assert!(end.is_legal(mv), "{mv} in {end:?}");
        end.make(mv, &mut ());
    }
    assert!(end.has_no_legal_move(), "{:?} does not reach the end of the game", solution.pv);
    let score = end.final_score(board.side_to_move());
    let expected = if solution.mode == SolveMode::Exact { score } else { score.signum() };
    assert_eq!(solution.score, expected, "{:?}", solution.pv);
    assert_eq!(solution.best_move, solution.pv.first().copied());
}

/// Returns a solver that orders moves by the built-in patterns and, from 21 empty squares on, searches selectively
/// before it searches exactly.
fn pattern_solver(mebibytes: usize) -> Solver {
    Solver::new(mebibytes).with_patterns(Some(alfil_evaluation::nets::othello()))
}

fn check_problems(solver: &Solver, from: usize, to: usize) {
    let mut nodes = 0;
    for (index, problem) in ffo()[from - 1..to].iter().enumerate() {
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let solution = solve(solver, &board, SolveMode::Exact);
        println!("{} {:+} {} nodes {:?}", from + index, solution.score, solution.nodes, solution.pv);
        nodes += solution.nodes;
        assert_eq!(Some(solution.score), problem.score, "position {}", from + index);
        assert!(
            problem.is_best(solution.best_move.unwrap()),
            "position {}: {:?}",
            from + index,
            solution.best_move
        );
        check_pv(&board, &solution);
    }
    println!("{nodes} nodes");
}

#[test]
fn ffo_1_to_19() {
    check_problems(&Solver::new(64), 1, 19);
}

#[test]
fn ffo_1_to_39_with_patterns() {
    check_problems(&pattern_solver(64), 1, 39);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn ffo_20_to_39() {
    check_problems(&Solver::new(64), 20, 39);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn ffo_40_to_49_with_patterns() {
    check_problems(&pattern_solver(64), 40, 49);
}

/// Plays a random game to a position with `empties` empty squares in which a legal move exists.
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

/// Returns the score by plain alpha-beta.
fn alpha_beta(board: &Bitboard, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = sorted_legal_moves(board);
    if moves.is_empty() {
        return board.final_score(board.side_to_move());
    }
    // Fewest replies first, because 2,000 positions take too long without any ordering.
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

fn check_against_alpha_beta(solver: &Solver, positions: usize, empties: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..positions {
        let board = random_position(&mut random, empties);
        let score = alpha_beta(&board, -64, 64);
        let exact = solve(solver, &board, SolveMode::Exact);
        assert_eq!(exact.score, score, "{board:?}");
        check_pv(&board, &exact);
        let outcome = solve(solver, &board, SolveMode::Outcome);
        assert_eq!(outcome.score, score.signum(), "{board:?}");
        check_pv(&board, &outcome);
    }
}

#[test]
fn scores_equal_alpha_beta_at_10_empties() {
    check_against_alpha_beta(&Solver::new(4), 1_000, 10, 61);
    check_against_alpha_beta(&pattern_solver(4), 1_000, 10, 64);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn scores_equal_alpha_beta_at_14_empties() {
    check_against_alpha_beta(&pattern_solver(4), 2_000, 14, 65);
}

/// The selective searches before the exact one change no score, whatever they left in the table.
#[test]
fn scores_are_the_same_with_and_without_selective_searches() {
    let mut random = SplitMix64::new(66);
    let plain = Solver::new(16);
    for empties in [18; 12].into_iter().chain([21, 21]) {
        let board = random_position(&mut random, empties);
        let expected = solve(&plain, &board, SolveMode::Exact).score;
        for mode in [SolveMode::Exact, SolveMode::Outcome] {
            let selective = pattern_solver(16);
            if empties == 18 {
                // Selective searches come first from 21 empty squares on: here they are tasks of their own.
                for percent in [87, 98] {
                    let confidence = Confidence::Selective(percent);
                    let task = selective.new_task(&board, mode).with_confidence(confidence);
                    assert_eq!(task.run(0, &mut NeverStop).unwrap().confidence, confidence);
                }
            }
            let solution = solve(&selective, &board, mode);
            assert_eq!(
                solution.score,
                if mode == SolveMode::Exact { expected } else { expected.signum() },
                "{board:?}"
            );
            check_pv(&board, &solution);
        }
    }
}

#[test]
fn scores_equal_alpha_beta_with_few_empties() {
    for empties in 1..10 {
        check_against_alpha_beta(&Solver::new(4), 300, empties, 62);
    }
}

/// Solves setups that cannot occur in a game: scattered discs, one side without discs, full boards, finished games.
#[test]
fn random_setups_are_solved() {
    let mut random = SplitMix64::new(63);
    let solver = Solver::new(1);
    for round in 0..400 {
        let occupied = random.next_u64() | random.next_u64() | random.next_u64();
        let black = if round % 4 == 0 { 0 } else { occupied & random.next_u64() };
        let board = Bitboard::new(black, occupied & !black, alfil_kernel::Side::First);
        let solution = solve(&solver, &board, SolveMode::Exact);
        assert_eq!(solution.score, alpha_beta(&board, -64, 64), "{board:?}");
        check_pv(&board, &solution);
    }
    let empty = solve(&solver, &Bitboard::from_setup_unchecked(&Setup::EMPTY), SolveMode::Exact);
    assert_eq!((empty.score, empty.best_move), (0, None));
}

#[test]
fn solutions_are_invariant_under_symmetry() {
    for problem in &ffo()[..6] {
        for symmetry in Symmetry::all() {
            // A new table for each symmetry, so that no result comes from another one.
            let solution = solve(
                &Solver::new(16),
                &Bitboard::from_setup_unchecked(&problem.setup.transformed(symmetry)),
                SolveMode::Exact,
            );
            assert_eq!(Some(solution.score), problem.score);
            let original = |mv: Move| {
                let mut squares = alfil_othello::Square::all();
                let square = squares.find(|&square| Move::from_square(symmetry.map_square(square)) == mv);
                Move::from_square(square.expect("a symmetry maps some square to every square"))
            };
            assert!(problem.is_best(original(solution.best_move.unwrap())), "{symmetry:?}: {solution:?}");
        }
    }
}

#[test]
fn two_workers_and_one_give_equal_scores() {
    let one_worker = Solver::new(16);
    for (index, problem) in ffo()[..28].iter().enumerate() {
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let two_workers = if index < 19 { Solver::new(16) } else { pattern_solver(16) };
        let task = two_workers.new_task(&board, SolveMode::Exact);
        let solution = std::thread::scope(|scope| {
            scope.spawn(|| task.run(1, &mut NeverStop));
            task.run(0, &mut NeverStop)
        });
        let solution = solution.unwrap();
        if index < 19 {
            assert_eq!(solution.score, solve(&one_worker, &board, SolveMode::Exact).score);
        }
        assert_eq!(Some(solution.score), problem.score);
        check_pv(&board, &solution);
    }
}

#[test]
fn more_workers_than_cores_find_the_score() {
    let problem = &ffo()[23];
    let board = Bitboard::from_setup_unchecked(&problem.setup);
    for workers in [5, 8] {
        let solver = Solver::new(16);
        let task = solver.new_task(&board, SolveMode::Exact);
        let solution = std::thread::scope(|scope| {
            for worker in 1..workers {
                let task = &task;
                scope.spawn(move || task.run(worker, &mut NeverStop));
            }
            task.run(0, &mut NeverStop)
        });
        assert_eq!(solution.map(|solution| solution.score), problem.score);
    }
}

/// A search control that stops the solver at the given number of polls.
struct StopAfter(u32);

impl SearchControl<Move> for StopAfter {
    fn is_stopped(&mut self, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

fn stop_after_40_polls(stops: bool) -> StopAfter {
    StopAfter(if stops { 40 } else { u32::MAX })
}

/// A search control that records the reports.
#[derive(Default)]
struct ReportLog {
    lines: Vec<(i32, Bound, Move)>,
    /// The reports without a line: bounds, and the number of finished root moves.
    progress: Vec<(i32, Bound, u32)>,
}

impl SearchControl<Move> for ReportLog {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        let (score, done) = (info.score.value(), info.root_moves_done.unwrap());
        match info.pv.first() {
            Some(&mv) => self.lines.push((score, info.bound, mv)),
            None => self.progress.push((score, info.bound, done)),
        }
    }
}

#[test]
fn reports_improve_and_end_with_the_solution() {
    let problem = &ffo()[11];
    let mut log = ReportLog::default();
    let solution = Solver::new(4)
        .solve(&Bitboard::from_setup_unchecked(&problem.setup), SolveMode::Exact, &mut log)
        .unwrap();
    let (last, before) = log.lines.split_last().unwrap();
    assert_eq!(*last, (100 * solution.score, Bound::Exact, solution.best_move.unwrap()));
    assert!(
        !before.is_empty()
            && before.iter().all(|&(score, bound, _)| score <= last.0 && bound == Bound::Lower)
    );
    assert!(before.is_sorted_by(|a, b| a.0 < b.0), "{before:?}");
    // What is reported without a line is true, too.
    let moves = Bitboard::from_setup_unchecked(&problem.setup).legal_moves().len() as u32;
    assert!(log.progress.iter().any(|&(_, _, done)| done == moves), "{:?}", log.progress);
    for (score, bound, done) in log.progress {
        assert!(done <= moves && if bound == Bound::Upper { score >= last.0 } else { score == -6400 });
    }
}

#[test]
fn reported_bounds_of_a_search_around_a_guess_hold() {
    for problem in &ffo()[19..24] {
        let mut log = ReportLog::default();
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let solution = pattern_solver(16).solve(&board, SolveMode::Exact, &mut log).unwrap();
        let exact = 100 * solution.score;
        let lines = log.lines.iter().map(|&(score, bound, _)| (score, bound));
        for (score, bound) in lines.chain(log.progress.iter().map(|&(score, bound, _)| (score, bound))) {
            let holds = match bound {
                Bound::Lower => score <= exact,
                Bound::Upper => score >= exact,
                Bound::Exact => score == exact,
            };
            assert!(holds, "{score} {bound:?} {exact}");
        }
    }
}

#[test]
fn any_control_stops_all_workers() {
    let hard = Bitboard::from_setup_unchecked(&ffo()[57].setup);
    for stopper in 0..2 {
        let solver = Solver::new(1);
        let task = solver.new_task(&hard, SolveMode::Exact);
        let solution = std::thread::scope(|scope| {
            scope.spawn(|| task.run(1, &mut stop_after_40_polls(stopper == 1)));
            task.run(0, &mut stop_after_40_polls(stopper == 0))
        });
        assert_eq!(solution, None);
        assert!(task.is_stopped());
    }
    // A task that is stopped before it runs returns no solution.
    let task = Solver::new(1).new_task(&hard, SolveMode::Exact);
    task.stop();
    assert_eq!(task.run(0, &mut NeverStop), None);
}

/// A search control that panics at the fourth poll.
struct PanicsOnFourthPoll(u32);

impl SearchControl<Move> for PanicsOnFourthPoll {
    fn is_stopped(&mut self, _: u64) -> bool {
        self.0 += 1;
        assert!(self.0 < 4, "intended panic");
        false
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

#[test]
fn panicking_worker_stops_the_task() {
    let hard = Bitboard::from_setup_unchecked(&ffo()[57].setup);
    for panicking in 0..2 {
        let solver = Solver::new(1);
        let task = solver.new_task(&hard, SolveMode::Exact);
        let run = |worker| {
            if worker == panicking {
                task.run(worker, &mut PanicsOnFourthPoll(0))
            } else {
                task.run(worker, &mut NeverStop)
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3).map(|worker| scope.spawn(move || run(worker))).collect();
            for (worker, result) in workers.into_iter().map(|worker| worker.join()).enumerate() {
                assert_eq!(result.is_err(), worker == panicking);
                assert_eq!(result.unwrap_or(None), None);
            }
        });
        assert!(task.is_stopped());
    }
}

#[test]
fn one_worker_is_deterministic() {
    let board = Bitboard::from_setup_unchecked(&ffo()[9].setup);
    let first = solve(&Solver::new(4), &board, SolveMode::Exact);
    assert_eq!(solve(&Solver::new(4), &board, SolveMode::Exact), first);
}

#[test]
fn oracle_solves_up_to_its_number_of_empty_squares() {
    let mut random = SplitMix64::new(72);
    let mut game = GameHistory::<Mailbox>::from_start_position();
    while game.position().empty_squares().len() > 8 && !game.position().has_no_legal_move() {
        let moves = sorted_legal_moves(game.position());
        game.play(moves[random.below(moves.len())]);
    }
    let solve_up_to = |max_empties| {
        let mut oracle = EndgameOracle::new(Solver::new(1), max_empties);
        oracle.solve(game.position(), Confidence::Exact, &mut NeverStop)
    };
    let board = Bitboard::from_setup_unchecked(&game.position().to_setup());
    let solution = solve(&Solver::new(1), &board, SolveMode::Exact);
    let score = Score::from_cp(100 * solution.score);
    let confidence = Confidence::Exact;
    assert_eq!(solve_up_to(8), Some(OracleResult { score, mv: solution.best_move, depth: 8, confidence }));
    assert_eq!(solve_up_to(7), None);
}

#[test]
fn selective_solution_says_its_confidence_and_is_never_exact() {
    // FFO 42, whose first selective score is wrong, and 40.
    let mut differing = 0;
    for problem in [&ffo()[41], &ffo()[39]] {
        let board = Bitboard::from_setup_unchecked(&problem.setup);
        let solver = pattern_solver(16);
        for percent in [73, 87, 95, 98, 99, 100] {
            let confidence = Confidence::from_percent(percent);
            let mut log = ConfidenceLog::default();
            let task = solver.new_task(&board, SolveMode::Exact).with_confidence(confidence);
            let solution = task.run(0, &mut log).unwrap();
            assert_eq!(solution.confidence, confidence);
            assert_eq!((solution.confidence == Confidence::Exact, solution.score % 2), (percent == 100, 0));
            // No search below the requested one is reported, and each report says what it is.
            assert!(
                !log.0.is_empty() && log.0.iter().all(|&reported| reported == Some(confidence)),
                "{log:?}"
            );
            differing += i32::from(Some(solution.score) != problem.score);
            assert!(percent < 100 || Some(solution.score) == problem.score);
        }
    }
    assert!(differing > 0, "the positions must show that a selective score may be wrong");
}

/// A search control that records the confidences of the reports.
#[derive(Debug, Default)]
struct ConfidenceLog(Vec<Option<Confidence>>);

impl SearchControl<Move> for ConfidenceLog {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.push(info.confidence);
    }
}

#[test]
fn oracle_begins_with_selective_searches_where_an_exact_one_takes_long() {
    let board = Bitboard::from_setup_unchecked(&ffo()[39].setup);
    let oracle = |solver| EndgameOracle::new(solver, 18).with_selective_empties(30);
    let confidences = Oracle::confidences(&oracle(pattern_solver(1)), &board);
    assert!(confidences.is_sorted() && confidences.first().unwrap() < &Confidence::Exact);
    assert_eq!(confidences.last(), Some(&Confidence::Exact));
    // A solver without patterns has no selective search, and few empty squares need none.
    assert_eq!(Oracle::confidences(&oracle(Solver::new(1)), &board), []);
    let ending = Bitboard::from_setup_unchecked(&ffo()[0].setup);
    assert_eq!(Oracle::confidences(&oracle(pattern_solver(1)), &ending), [Confidence::Exact]);
    let mut few = oracle(pattern_solver(1));
    let result = few.solve(&ending, Confidence::Selective(73), &mut NeverStop).unwrap();
    assert_eq!(result.confidence, Confidence::Exact);
}

/// A search control that counts its polls and never stops.
#[derive(Default)]
struct PollCounter(u64);

impl SearchControl<Move> for PollCounter {
    fn is_stopped(&mut self, _: u64) -> bool {
        self.0 += 1;
        false
    }

    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

#[test]
fn clones_of_an_oracle_help_the_one_that_solves() {
    let board = Bitboard::from_setup_unchecked(&ffo()[39].setup);
    let oracle = EndgameOracle::new(pattern_solver(16), 20);
    let mut shared: EndgameOracle = Oracle::<Bitboard>::shared(&oracle);
    let helper = shared.clone();
    let is_solving = |oracle: &EndgameOracle| Oracle::<Bitboard>::is_solving(oracle);
    assert!(!is_solving(&helper));
    let (result, polls) = std::thread::scope(|scope| {
        let helping = scope.spawn(|| {
            while !is_solving(&helper) {
                std::thread::yield_now();
            }
            // The oracle of another search has nothing to do with this one.
            assert!(!is_solving(&oracle));
            let mut counter = PollCounter::default();
            Oracle::<Bitboard>::help(&helper, 1, &mut counter);
            counter.0
        });
        let result = shared.solve(&board, Confidence::Exact, &mut NeverStop).unwrap();
        (result, helping.join().unwrap())
    });
    assert_eq!(result.score, Score::from_cp(3_800));
    assert!(polls > 0, "the helper has searched");
    assert!(!is_solving(&helper));
    // Help that comes too late returns at once.
    Oracle::<Bitboard>::help(&helper, 1, &mut PollCounter::default());
}

/// The helpers of a search once waited for ever for a task that had panicked.
#[test]
fn oracle_that_panics_does_not_solve_any_more() {
    let hard = Bitboard::from_setup_unchecked(&ffo()[57].setup);
    let mut oracle = EndgameOracle::new(Solver::new(1), 60);
    let helper = oracle.clone();
    let solve = || oracle.solve(&hard, Confidence::Exact, &mut PanicsOnFourthPoll(0));
    let result = std::thread::scope(|scope| scope.spawn(solve).join());
    assert!(result.is_err() && !Oracle::<Bitboard>::is_solving(&helper));
}
