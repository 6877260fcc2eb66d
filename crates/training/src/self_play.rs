//! Games of the engine against itself.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    GameHistory, MoveOf, Position, Rules as _, Score, SearchControl, SearchInfo, Setup as _, Side,
    Tactics as _, Tunable, conformance,
};
use alfil_search::{SearchResult, Worker};

use super::{Sample, SelfPlayOptions};
use alfil_engine::threads;
use alfil_session::game_profile::GameProfile;
use alfil_session::searcher::OracleOf;
use alfil_session::typed_session::{EvaluatorOf, RulesOf};

/// A game begins with so many random plies, and up to so many more.
const RANDOM_PLIES: (usize, usize) = (6, 9);

/// A game without an end is drawn after so many plies.
const MAX_PLIES: usize = 260;

/// A game is over when its lead has been decided for so many plies.
const DECIDED_PLIES: u32 = 6;

/// One quiet position in so many is kept, drawn by lot: neighbours teach the same.
const SAMPLING_INTERVAL: usize = 2;

/// Of the table of each search, which sees a few hundred positions.
const HASH_MIB: usize = 1;

/// Thinks about so many positions.
struct NodeLimit(u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

pub(super) fn play_games<P: Position>(ask: &SelfPlayOptions, heard: &(dyn Fn() + Sync)) -> Vec<Sample>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let numbers: Vec<_> = (0..ask.games).collect();
    let games = threads::parallel_map(&numbers, ask.threads, |&number| {
        let samples = play_one_game::<P>(number, ask);
        heard();
        samples
    });
    games.into_iter().flatten().collect()
}

fn think<P: Position>(line: &GameHistory<P>, oracle: &OracleOf<P>, nodes: u64) -> SearchResult<MoveOf<P>>
where
    P::Game: GameProfile<P>,
{
    let laws = RulesOf::<P>::default();
    Worker::new(line.clone(), laws, EvaluatorOf::<P>::default(), HASH_MIB)
        .with_oracle(oracle.clone())
        .search(u32::MAX, &mut NodeLimit(nodes))
}

/// The road of a game's first plies: random, but neither side must be far ahead after them.
fn opening<P: Position>(random: &mut SplitMix64, oracle: &OracleOf<P>, nodes: u64) -> GameHistory<P>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    loop {
        let mut line = GameHistory::<P>::from_start_position();
        let plies = RANDOM_PLIES.0 + random.below(RANDOM_PLIES.1);
        for _ in 0..plies {
            let moves = conformance::sorted_legal_moves(line.position());
            if let Some(&mv) = moves.get(random.below(moves.len().max(1))) {
                line.play(mv);
            }
        }
        let best = think(&line, oracle, 4 * nodes);
        if best.mv.is_some() && best.score.abs() < EvaluatorOf::<P>::DECISIVE_SCORE / 6 {
            return line;
        }
    }
}

fn play_one_game<P: Position>(number: usize, ask: &SelfPlayOptions) -> Vec<Sample>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let mut random = SplitMix64::new((u64::from(ask.seed) << 32) ^ number as u64);
    // With the game's solver, if it has one: copies share what it remembers.
    let (eval, oracle) = (EvaluatorOf::<P>::default(), P::Game::oracle());
    let mut line = opening::<P>(&mut random, &oracle, ask.nodes);
    let laws = RulesOf::<P>::default();
    let decided = EvaluatorOf::<P>::DECISIVE_SCORE;
    let mut kept: Vec<(String, Score)> = Vec::new();
    let mut decided_for = 0;
    let share = loop {
        if let Some(verdict) = laws.judge(&line) {
            break EvaluatorOf::<P>::game_result(&verdict);
        }
        if line.ply() >= MAX_PLIES {
            break 0.5;
        }
        // Not always the same number of nodes, so that equal positions need not lead to equal games.
        let best = think(&line, &oracle, ask.nodes + random.below(ask.nodes as usize / 4 + 1) as u64);
        let Some(mv) = best.mv else { break 0.5 };
        let score = if line.side_to_move() == Side::First { best.score } else { -best.score };
        decided_for = if score.abs() >= decided { decided_for + 1 } else { 0 };
        if decided_for >= DECIDED_PLIES {
            break if score > 0 { 1.0 } else { 0.0 };
        }
        let quiet = !line.in_check() && !eval.is_noisy(line.position(), mv) && score.abs() < decided;
        if quiet && random.below(SAMPLING_INTERVAL) == 0 {
            kept.push((line.position().to_setup().to_text(), score));
        }
        line.play(mv);
    };
    kept.into_iter()
        .map(|(position, score)| Sample { game: number, position, score, game_result: share })
        .collect()
}
