//! Times of the solver on the FFO positions. Run `cargo bench -p alfil-solver`.

use alfil_kernel::NeverStop;
use alfil_othello::{Bitboard, obf};
use alfil_solver::{SolveMode, Solver};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Solves FFO 20 to 30, each with an empty table. The items are nodes.
#[divan::bench(args = [SolveMode::Exact, SolveMode::Outcome], sample_count = 3)]
fn ffo_20_to_30(bencher: Bencher<'_, '_>, mode: &SolveMode) {
    let text = include_str!("../testdata/ffo.obf");
    let problems = obf::parse(text).expect("ffo.obf parses");
    let solve = || {
        let solutions = problems[19..30].iter().map(|problem| {
            Solver::new(16)
                .solve(&Bitboard::from_setup_unchecked(&problem.setup), *mode, &mut NeverStop)
                .expect("the control never stops the solver")
        });
        solutions.map(|solution| solution.nodes).sum::<u64>()
    };
    let nodes = solve();
    bencher.counter(ItemsCount::new(nodes)).bench_local(solve);
}
