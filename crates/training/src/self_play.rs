//! Self-play games for tuning.

use alfil_evaluation::Tunable;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    GameHistory, MoveOf, Position, Rules as _, SearchControl, SearchInfo, Setup as _, Side, Tactics as _,
    conformance,
};
use alfil_search::{SearchResult, Worker};

use super::{Sample, SelfPlayOptions};
use alfil_engine::threads;
use alfil_session::game_profile::GameProfile;
use alfil_session::game_profile::{EvaluatorOf, RulesOf};
use alfil_session::searcher::OracleOf;

/// The minimum number of random plies at the start of a game, and the number of further ones.
const RANDOM_PLIES: (usize, usize) = (6, 9);

/// The number of plies after which a game is drawn.
const MAX_PLIES: usize = 260;

/// The number of plies with a decisive score after which a game is over.
const DECIDED_PLIES: u32 = 6;

/// One quiet position of this number is kept, at random: neighbouring positions add little information.
const SAMPLING_INTERVAL: usize = 2;

/// The size of the transposition table of each search in MiB; a search visits a few hundred positions.
const HASH_MIB: usize = 1;

/// A search control that stops after a number of nodes.
struct NodeLimit(u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

pub(super) fn play_games<P: Position>(options: &SelfPlayOptions, on_game: &(dyn Fn() + Sync)) -> Vec<Sample>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let numbers: Vec<_> = (0..options.games).collect();
    let games = threads::parallel_map(&numbers, options.threads, |&number| {
        let samples = play_one_game::<P>(number, options);
        on_game();
        samples
    });
    games.into_iter().flatten().collect()
}

fn search_nodes<P: Position>(
    game: &GameHistory<P>,
    oracle: &OracleOf<P>,
    nodes: u64,
) -> SearchResult<MoveOf<P>>
where
    P::Game: GameProfile<P>,
{
    let rules = RulesOf::<P>::default();
    Worker::new(game.clone(), rules, EvaluatorOf::<P>::default(), HASH_MIB)
        .with_params(<P::Game as GameProfile<P>>::SEARCH_PARAMS)
        .with_oracle(oracle.clone())
        .search(u32::MAX, &mut NodeLimit(nodes))
}

/// Returns the history of a random opening in which neither side is far ahead.
fn random_opening<P: Position>(random: &mut SplitMix64, oracle: &OracleOf<P>, nodes: u64) -> GameHistory<P>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    loop {
        let mut game = GameHistory::<P>::from_start_position();
        let plies = RANDOM_PLIES.0 + random.below(RANDOM_PLIES.1);
        for _ in 0..plies {
            let moves = conformance::sorted_legal_moves(game.position());
            if let Some(&mv) = moves.get(random.below(moves.len().max(1))) {
                game.play(mv);
            }
        }
        let best = search_nodes(&game, oracle, 4 * nodes);
        if best.mv.is_some() && best.score.value().abs() < EvaluatorOf::<P>::DECISIVE_SCORE / 6 {
            return game;
        }
    }
}

fn play_one_game<P: Position>(number: usize, options: &SelfPlayOptions) -> Vec<Sample>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let mut random = SplitMix64::new((u64::from(options.seed) << 32) ^ number as u64);
    // With the solver of the game, if there is one; clones share its table.
    let (eval, oracle) = (EvaluatorOf::<P>::default(), P::Game::oracle());
    let mut game = random_opening::<P>(&mut random, &oracle, options.nodes);
    let rules = RulesOf::<P>::default();
    let decisive_score = EvaluatorOf::<P>::DECISIVE_SCORE;
    let mut positions: Vec<(String, i32)> = Vec::new();
    let mut decisive_plies = 0;
    let game_result = loop {
        if let Some(verdict) = rules.judge(&game) {
            break EvaluatorOf::<P>::game_result(&verdict);
        }
        if game.ply() >= MAX_PLIES {
            break 0.5;
        }
        // The number of nodes varies, so that equal positions need not lead to equal games.
        let best =
            search_nodes(&game, &oracle, options.nodes + random.below(options.nodes as usize / 4 + 1) as u64);
        let Some(mv) = best.mv else { break 0.5 };
        let score = if game.side_to_move() == Side::First { best.score.value() } else { -best.score.value() };
        decisive_plies = if score.abs() >= decisive_score { decisive_plies + 1 } else { 0 };
        if decisive_plies >= DECIDED_PLIES {
            break if score > 0 { 1.0 } else { 0.0 };
        }
        let is_quiet =
            !game.in_check() && !eval.is_noisy(game.position(), mv) && score.abs() < decisive_score;
        if is_quiet && random.below(SAMPLING_INTERVAL) == 0 {
            positions.push((game.position().to_setup().to_text(), score));
        }
        game.play(mv);
    };
    positions
        .into_iter()
        .map(|(position, score)| Sample { game: number, position, score, game_result })
        .collect()
}
