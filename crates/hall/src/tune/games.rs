//! Games of the engine against itself.

use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{
    Control, Evaluate, Info, Laws as _, Line, MoveOf, Position, Score, Setup as _, Side, Tunable, conformance,
};
use alfil_search::{Best, Worker};

use super::{PlayAsk, Sample};
use crate::pool;
use crate::room::Room;
use crate::mind::OracleOf;
use crate::session::{EvaluateOf, LawsOf};

/// A game begins with so many random plies, and up to so many more.
const RANDOM: (usize, usize) = (6, 9);

/// A game without an end is drawn after so many plies.
const LONGEST: usize = 260;

/// A game is over when its lead has been decided for so many plies.
const DECIDED_FOR: u32 = 6;

/// One quiet position in so many is kept, drawn by lot: neighbours teach the same.
const KEPT: usize = 2;

/// Of the table of each search, which sees a few hundred positions.
const MEBIBYTES: usize = 1;

/// Thinks about so many positions.
struct Nodes(u64);

impl<M> Control<M> for Nodes {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn report(&mut self, _: &Info<'_, M>) {}
}

pub(super) fn play<P: Position>(ask: &PlayAsk, heard: &(dyn Fn() + Sync)) -> Vec<Sample>
where
    P::Game: Room<P>,
    EvaluateOf<P>: Tunable<P>,
{
    let numbers: Vec<_> = (0..ask.games).collect();
    let games = pool::share(&numbers, ask.threads, |&number| {
        let samples = one::<P>(number, ask);
        heard();
        samples
    });
    games.into_iter().flatten().collect()
}

fn think<P: Position>(line: &Line<P>, oracle: &OracleOf<P>, nodes: u64) -> Best<MoveOf<P>>
where
    P::Game: Room<P>,
{
    let laws = LawsOf::<P>::default();
    Worker::new(line.clone(), laws, EvaluateOf::<P>::default(), MEBIBYTES)
        .with_oracle(oracle.clone())
        .think(u32::MAX, &mut Nodes(nodes))
}

/// The road of a game's first plies: random, but neither side must be far ahead after them.
fn opening<P: Position>(random: &mut SplitMix64, oracle: &OracleOf<P>, nodes: u64) -> Line<P>
where
    P::Game: Room<P>,
    EvaluateOf<P>: Tunable<P>,
{
    loop {
        let mut line = Line::<P>::start_of_game();
        let plies = RANDOM.0 + random.below(RANDOM.1);
        for _ in 0..plies {
            let moves = conformance::legal(line.position());
            if let Some(&mv) = moves.get(random.below(moves.len().max(1))) {
                line.play(mv);
            }
        }
        let best = think(&line, oracle, 4 * nodes);
        if best.mv.is_some() && best.score.abs() < EvaluateOf::<P>::DECIDED / 6 {
            return line;
        }
    }
}

fn one<P: Position>(number: usize, ask: &PlayAsk) -> Vec<Sample>
where
    P::Game: Room<P>,
    EvaluateOf<P>: Tunable<P>,
{
    let mut random = SplitMix64::new((u64::from(ask.seed) << 32) ^ number as u64);
    // With the game's solver, if it has one: copies share what it remembers.
    let (eval, oracle) = (EvaluateOf::<P>::default(), P::Game::oracle());
    let mut line = opening::<P>(&mut random, &oracle, ask.nodes);
    let laws = LawsOf::<P>::default();
    let decided = EvaluateOf::<P>::DECIDED;
    let mut kept: Vec<(String, Score)> = Vec::new();
    let mut decided_for = 0;
    let share = loop {
        if let Some(verdict) = laws.judge(&line) {
            break EvaluateOf::<P>::share(&verdict);
        }
        if line.ply() >= LONGEST {
            break 0.5;
        }
        // Not always the same number of nodes, so that equal positions need not lead to equal games.
        let best = think(&line, &oracle, ask.nodes + random.below(ask.nodes as usize / 4 + 1) as u64);
        let Some(mv) = best.mv else { break 0.5 };
        let score = if line.side() == Side::First { best.score } else { -best.score };
        decided_for = if score.abs() >= decided { decided_for + 1 } else { 0 };
        if decided_for >= DECIDED_FOR {
            break if score > 0 { 1.0 } else { 0.0 };
        }
        let quiet = !line.check() && !eval.is_noisy(line.position(), mv) && score.abs() < decided;
        if quiet && random.below(KEPT) == 0 {
            kept.push((line.position().setup().write(), score));
        }
        line.play(mv);
    };
    kept.into_iter().map(|(position, score)| Sample { game: number, position, score, share }).collect()
}
