//! Games of self-play: each depends on the seed of the run and its number only, whatever was played before it.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    Confidence, Game as _, GameHistory, Move as _, MoveBits as _, MoveOf, NeverStop, Oracle as _, Outcome,
    Position, Rules as _, SearchControl, SearchInfo, Side, Verdict, conformance,
};
use alfil_search::{SearchRequest, Worker};
use alfil_session::EvaluationChoice;
use alfil_session::game_profile::{EvaluatorOf, GameProfile, OracleOf, RulesOf};
use alfil_session::searcher::{evaluator, network_of};

use crate::TrainingError;
use crate::game_data::{Ending, GameData, NO_SCORE, ScoredPly};
use crate::trained_game::{SelfPlayParams, TrainedGame};

/// The options of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayOptions {
    /// The soft node limit of each search: the iteration that passes it is the last.
    pub nodes: u32,
    /// The seed of the run.
    pub seed: u32,
    /// The size of the transposition table of each thread, in MiB.
    pub hash_mib: usize,
    /// The evaluation.
    pub evaluation: EvaluationChoice,
}

/// A search is stopped inside an iteration after this multiple of the soft node limit.
const HARD_LIMIT_FACTOR: u64 = 10;

/// The greatest number of random openings that are tried for a game.
const MAX_OPENINGS: usize = 1_000;

/// A generator of self-play games, one per thread.
pub trait GameGenerator {
    /// Plays the game of this number. Equal seeds and numbers give equal games.
    ///
    /// # Errors
    /// If the evaluation finds one side too far ahead after each of 1,000 random openings.
    fn play_game(&mut self, number: u32) -> Result<GameData, TrainingError>;
}

/// A search control that stops after a number of nodes.
pub(crate) struct NodeLimit(pub(crate) u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

/// A generator for one of the three games. Its worker is reused; histories and table are cleared before each game.
pub(crate) struct TypedGenerator<P: Position>
where
    P::Game: TrainedGame<P>,
{
    worker: Worker<P, RulesOf<P>, EvaluatorOf<P>>,
    oracle: OracleOf<P>,
    options: SelfPlayOptions,
}

/// The state of a game that is played.
struct RunningGame {
    plies: Vec<ScoredPly>,
    exact_from: Option<usize>,
    /// The number of plies in a row whose scores agree on the winner, and that winner.
    decided: (usize, Side),
    /// The number of plies in a row with a score within `draw_score` of 0.
    drawish_plies: usize,
}

impl RunningGame {
    /// Records a ply with the score of the side to move.
    fn push<P: Position>(&mut self, position: &P, mv: MoveOf<P>, score: i32, params: &SelfPlayParams) {
        self.plies.push(ScoredPly { move_bits: move_bits::<P>(mv), score: score as i16 });
        let mover = position.side_to_move();
        let winner = if score > 0 { mover } else { !mover };
        let is_decided = score.abs() >= params.win_score;
        self.decided = match self.decided {
            (plies, side) if is_decided && side == winner => (plies + 1, side),
            _ => (usize::from(is_decided), winner),
        };
        self.drawish_plies = if score.abs() <= params.draw_score { self.drawish_plies + 1 } else { 0 };
    }

    /// Returns the outcome and its reason if the scores or the limit of plies end the game.
    fn adjudicate(&self, params: &SelfPlayParams) -> Option<(Outcome, Ending)> {
        let (decided_plies, winner) = self.decided;
        if decided_plies >= params.win_plies {
            return Some((Outcome::Win(winner), Ending::ScoreWin));
        }
        if self.drawish_plies >= params.draw_plies && self.plies.len() >= params.draw_from_ply {
            return Some((Outcome::Draw, Ending::ScoreDraw));
        }
        (self.plies.len() >= params.max_plies).then_some((Outcome::Draw, Ending::PlyLimit))
    }
}

/// Returns the bits of a move, which fit into 16 in all three games.
fn move_bits<P: Position>(mv: MoveOf<P>) -> u16 {
    mv.bits().to_u64() as u16
}

impl<P: Position> TypedGenerator<P>
where
    P::Game: TrainedGame<P>,
{
    pub(crate) fn new(options: &SelfPlayOptions) -> Result<Self, TrainingError> {
        let (game, rules) = (GameHistory::from_start_position(), RulesOf::<P>::default());
        let network = network_of::<P>(&options.evaluation);
        let eval = evaluator::<P>(network.map_err(|error| TrainingError::Network(error.to_string()))?);
        let worker = Worker::new(game, rules, eval, options.hash_mib)
            .with_params(<P::Game as GameProfile<P>>::info().search_params);
        Ok(TypedGenerator { worker, oracle: P::Game::exact_oracle(), options: options.clone() })
    }

    /// Returns the move to play and its score, and whether the score is exact.
    fn search(&mut self) -> (Option<MoveOf<P>>, i32, bool) {
        if let Some(exact) =
            self.oracle.solve(self.worker.game().position(), Confidence::Exact, &mut NeverStop)
        {
            return (exact.mv, exact.score.value(), true);
        }
        let nodes = u64::from(self.options.nodes);
        let request = SearchRequest { soft_nodes: nodes, ..SearchRequest::default() };
        let result = self.worker.search_with(&request, &mut NodeLimit(HARD_LIMIT_FACTOR * nodes));
        (result.mv, result.score.value(), false)
    }

    /// Starts a game with random plies after which neither side is far ahead. Returns them; `None` if none were found.
    fn start_game(&mut self, random: &mut SplitMix64, params: &SelfPlayParams) -> Option<Vec<ScoredPly>> {
        for _ in 0..MAX_OPENINGS {
            let mut game = GameHistory::<P>::from_start_position();
            let (min, max) = params.random_plies;
            let count = min + random.below(max - min + 1);
            let mut plies = Vec::with_capacity(count);
            for _ in 0..count {
                let moves = conformance::sorted_legal_moves(game.position());
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                plies.push(ScoredPly { move_bits: move_bits::<P>(mv), score: NO_SCORE });
                game.play(mv);
            }
            if plies.len() < count || game.position().has_no_legal_move() {
                continue;
            }
            self.worker.start_game(game);
            if self.search().1.abs() <= params.max_opening_score {
                return Some(plies);
            }
        }
        None
    }

    fn play(&mut self, number: u32) -> Result<GameData, TrainingError> {
        let params = P::Game::SELF_PLAY_PARAMS;
        let mut random = SplitMix64::new(u64::from(self.options.seed) << 32 | u64::from(number));
        // A table of earlier games could change which of several best moves the oracle returns.
        self.oracle = P::Game::exact_oracle();
        let plies = self.start_game(&mut random, &params).ok_or(TrainingError::NoOpening {
            number,
            openings: MAX_OPENINGS,
            max_score: params.max_opening_score,
        })?;
        let random_plies = plies.len();
        let mut running =
            RunningGame { plies, exact_from: None, decided: (0, Side::First), drawish_plies: 0 };
        let rules = RulesOf::<P>::default();
        let (verdict, ending) = loop {
            if let Some(Verdict { outcome, margin, .. }) = rules.judge(self.worker.game()) {
                break ((outcome, margin), Ending::Rules);
            }
            if let Some((outcome, ending)) = running.adjudicate(&params) {
                break ((outcome, 0), ending);
            }
            let (mv, score, is_exact) = self.search();
            let mv = mv.expect("a game that is not over has a legal move");
            if is_exact && running.exact_from.is_none() {
                running.exact_from = Some(running.plies.len());
            }
            running.push(self.worker.game().position(), mv, score, &params);
            self.worker.play(mv).expect("a search returns legal moves");
        };
        let (result, margin) = first_side_result(verdict);
        let RunningGame { plies, exact_from, .. } = running;
        Ok(GameData {
            game: P::Game::NAME,
            result,
            ending,
            random_plies: random_plies as u16,
            nodes: self.options.nodes,
            seed: self.options.seed,
            number,
            margin,
            exact_from: exact_from.unwrap_or(plies.len()) as u16,
            plies,
        })
    }
}

/// Returns the result and the margin of a verdict for the header of a [`GameData`], for the first side: 2 for a win, 1
/// for a draw, 0 for a loss.
pub(crate) fn first_side_result((outcome, margin): (Outcome, i32)) -> (u8, i16) {
    match outcome {
        Outcome::Win(Side::First) => (2, margin as i16),
        Outcome::Draw => (1, 0),
        Outcome::Win(Side::Second) => (0, -margin as i16),
    }
}

impl<P: Position> GameGenerator for TypedGenerator<P>
where
    P::Game: TrainedGame<P>,
{
    fn play_game(&mut self, number: u32) -> Result<GameData, TrainingError> {
        self.play(number)
    }
}
