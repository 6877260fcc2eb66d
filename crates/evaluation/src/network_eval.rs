//! An evaluation by a network, or by hand-made terms without one.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use alfil_kernel::{
    BoardObserver, Evaluator, Game, MoveOf, Position, Score, SearchPolicy, SearchTechniques, Side,
    Square as _, Tactics,
};
use alfil_nnue::{Accumulators, Network};

use crate::network_inputs::{NetworkInputs, placement, view};
use crate::{EvalTrace, Tunable};

/// The static evaluation of a game with networks. Exchanges, search techniques and the scores without a network are
/// those of the hand-made evaluation `T`.
pub struct NetworkEval<G: Game, T> {
    /// It follows the moves beside a network, too: exchanges and techniques may depend on the pieces that it has seen.
    terms: T,
    network: Option<ActiveNetwork<G>>,
}

/// A network and its sums for the position.
#[derive(Clone)]
struct ActiveNetwork<G: Game> {
    network: Arc<Network>,
    accumulators: Accumulators,
    /// The squares of the kings; `None` for a king that has not been on the board since the last reset.
    kings: [Option<G::Square>; 2],
    /// The number of pieces on the board.
    pieces: usize,
    game: PhantomData<G>,
}

impl<G: NetworkInputs, T: Default> NetworkEval<G, T> {
    /// Creates an evaluation by a network of the game.
    ///
    /// # Panics
    /// If it is a network of another game, which [`NetworkInputs::read_network`] refuses.
    pub fn with_network(network: Arc<Network>) -> Self {
        let info = network.info();
        assert_eq!((info.game.as_str(), info.inputs), (G::NAME, G::INPUTS), "the network is of this game");
        let accumulators = Accumulators::new(&network);
        let active = ActiveNetwork { network, accumulators, kings: [None; 2], pieces: 0, game: PhantomData };
        NetworkEval { terms: T::default(), network: Some(active) }
    }
}

impl<G: Game, T: Default> Default for NetworkEval<G, T> {
    /// Creates the evaluation by hand-made terms.
    fn default() -> Self {
        NetworkEval { terms: T::default(), network: None }
    }
}

impl<G: Game, T: Clone> Clone for NetworkEval<G, T> {
    fn clone(&self) -> Self {
        NetworkEval { terms: self.terms.clone(), network: self.network.clone() }
    }
}

impl<G: Game, T: fmt::Debug> fmt::Debug for NetworkEval<G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = self.network.as_ref().map(|active| active.network.description());
        f.debug_struct("NetworkEval").field("terms", &self.terms).field("network", &network).finish()
    }
}

impl<G: NetworkInputs> ActiveNetwork<G> {
    #[inline]
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        self.accumulators.put(placement::<G>(piece, square));
        self.pieces += 1;
        for side in Side::BOTH {
            if piece == G::king(side) {
                self.kings[side.index()] = Some(square);
            }
        }
    }

    #[inline]
    fn remove(&mut self, square: G::Square, piece: G::Piece) {
        self.accumulators.remove(placement::<G>(piece, square));
        self.pieces -= 1;
    }

    fn score<P: Position<Game = G>>(&mut self, position: &P) -> Score {
        let mover = position.side_to_move();
        let side_view = |side: Side| view(side, self.kings[side.index()].is_some_and(G::is_mirrored));
        let views = [side_view(mover), side_view(!mover)];
        let placements = || {
            let squares = (0..G::SQUARES).filter_map(G::Square::from_index);
            squares.filter_map(|square| Some(placement::<G>(position.piece_on(square)?, square)))
        };
        Score::from_cp(self.accumulators.evaluate(
            &self.network,
            G::features(),
            views,
            self.pieces,
            placements,
        ))
    }
}

impl<G: NetworkInputs, T: BoardObserver<G>> BoardObserver<G> for NetworkEval<G, T> {
    #[inline]
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        self.terms.put(square, piece);
        if let Some(active) = &mut self.network {
            active.put(square, piece);
        }
    }

    #[inline]
    fn remove(&mut self, square: G::Square, piece: G::Piece) {
        self.terms.remove(square, piece);
        if let Some(active) = &mut self.network {
            active.remove(square, piece);
        }
    }

    fn flip(&mut self, square: G::Square, piece: G::Piece) {
        self.terms.flip(square, piece);
    }

    #[inline]
    fn push(&mut self) {
        self.terms.push();
        if let Some(active) = &mut self.network {
            active.accumulators.push();
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.terms.pop();
        if let Some(active) = &mut self.network {
            active.accumulators.pop();
        }
    }
}

impl<P: Position, T: Evaluator<P>> Evaluator<P> for NetworkEval<P::Game, T>
where
    P::Game: NetworkInputs,
{
    fn reset(&mut self, position: &P) {
        self.terms.reset(position);
        let Some(active) = &mut self.network else { return };
        active.accumulators.reset(&active.network);
        active.kings = Side::BOTH.map(|side| {
            let mut squares = (0..P::Game::SQUARES).filter_map(<P::Game as Game>::Square::from_index);
            squares.find(|&square| position.piece_on(square) == Some(P::Game::king(side)))
        });
        let squares = (0..P::Game::SQUARES).filter_map(<P::Game as Game>::Square::from_index);
        active.pieces = squares.filter(|&square| position.piece_on(square).is_some()).count();
    }

    #[inline]
    fn score(&mut self, position: &P) -> Score {
        match &mut self.network {
            None => self.terms.score(position),
            Some(active) => active.score(position),
        }
    }
}

impl<P: Position, T: Tactics<P>> Tactics<P> for NetworkEval<P::Game, T> {
    #[inline]
    fn is_noisy(&self, position: &P, mv: MoveOf<P>) -> bool {
        self.terms.is_noisy(position, mv)
    }

    #[inline]
    fn mvv_lva(&self, position: &P, mv: MoveOf<P>) -> i32 {
        self.terms.mvv_lva(position, mv)
    }

    #[inline]
    fn see_ge(&self, position: &P, mv: MoveOf<P>, at_least: i32) -> bool {
        self.terms.see_ge(position, mv, at_least)
    }
}

impl<P: Position, T: SearchPolicy<P>> SearchPolicy<P> for NetworkEval<P::Game, T> {
    #[inline]
    fn techniques(&self, position: &P) -> SearchTechniques {
        self.terms.techniques(position)
    }

    #[inline]
    fn pawn_key(&self, position: &P) -> u64 {
        self.terms.pawn_key(position)
    }
}

/// The hand-made terms are tuned.
impl<P: Position, T: Tunable<P>> Tunable<P> for NetworkEval<P::Game, T>
where
    P::Game: NetworkInputs,
{
    type Weights = T::Weights;

    const DECISIVE_SCORE: i32 = T::DECISIVE_SCORE;

    fn weights() -> &'static T::Weights {
        T::weights()
    }

    fn trace(position: &P) -> EvalTrace {
        T::trace(position)
    }

    fn game_result(result: u8, margin: i32) -> f64 {
        T::game_result(result, margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{GameHistory, MoveList, Setup as _, Waivers};
    use alfil_nnue::{FEATURE_ONE, Kernels, NetworkInfo};

    /// Returns a network of random weights.
    fn random_network<G: NetworkInputs>(width: usize) -> Network {
        let mut random = SplitMix64::new(41);
        let mut numbers = |count: usize, bound: usize| -> Vec<i16> {
            (0..count).map(|_| random.below(2 * bound + 1) as i16 - bound as i16).collect()
        };
        let info = NetworkInfo {
            game: G::NAME.into(),
            inputs: G::INPUTS,
            width,
            buckets: 8,
            scale: 400,
            licence: "MIT".into(),
            command_hash: 0,
        };
        let features = numbers(G::INPUTS * width, FEATURE_ONE as usize / 4);
        let output_biases = (0..8).map(|bucket| 900 * bucket).collect();
        Network::new(info, features, numbers(width, 200), numbers(16 * width, 127), output_biases).unwrap()
    }

    /// Plays random moves and null moves and takes some back. After some steps the kept sums give the score of new
    /// ones, with every SIMD implementation, and exchanges and techniques are those of the hand-made evaluation.
    fn check_random_games<P: Position, T>(plies: usize, starts: impl Fn(&mut SplitMix64) -> GameHistory<P>)
    where
        P::Game: NetworkInputs,
        T: Evaluator<P> + Tactics<P> + SearchPolicy<P> + Default + Clone,
    {
        let network = random_network::<P::Game>(32);
        let evals = Kernels::available().into_iter().map(|kernels| {
            NetworkEval::<P::Game, T>::with_network(Arc::new(network.clone().with_kernels(kernels)))
        });
        let mut evals: Vec<_> = evals.collect();
        let mut recomputed = evals[0].clone();
        let mut random = SplitMix64::new(42);
        let (mut left, mut distinct) = (plies, std::collections::HashSet::new());
        while left > 0 {
            let mut game = starts(&mut random);
            evals.iter_mut().for_each(|eval| eval.reset(game.position()));
            let start = game.ply();
            for _ in 0..200 {
                left = left.saturating_sub(1);
                let mut moves = MoveList::new();
                game.position().generate_legal(&mut moves);
                // Every evaluation follows its own copy of the game.
                let step = random.below(10);
                let choice = random.below(moves.len().max(1));
                let before = game.clone();
                for eval in &mut evals {
                    game = before.clone();
                    match step {
                        0 if !game.in_check() => game.push_null(eval),
                        1..=3 if game.ply() > start => drop(game.pop(eval)),
                        _ if moves.is_empty() => break,
                        _ => game.push(moves[choice], eval),
                    }
                }
                // Scores are computed in some positions only, so that updates pass over several plies.
                if random.below(3) == 0 {
                    recomputed.reset(game.position());
                    let expected = recomputed.score(game.position());
                    distinct.insert(expected.value());
                    let mut terms = T::default();
                    terms.reset(game.position());
                    for eval in &mut evals {
                        assert_eq!(eval.score(game.position()), expected, "{}", game.to_setup().to_text());
                        check_tactics(eval, &terms, game.position());
                    }
                }
                if moves.is_empty() {
                    break;
                }
            }
        }
        assert!(distinct.len() > 200, "the scores vary: {}", distinct.len());
    }

    /// Checks that exchanges of the legal moves, techniques and the hash of the pawns are those of the terms.
    fn check_tactics<P: Position, T>(eval: &NetworkEval<P::Game, T>, terms: &T, position: &P)
    where
        T: Tactics<P> + SearchPolicy<P>,
    {
        assert_eq!(eval.techniques(position), terms.techniques(position));
        assert_eq!(eval.pawn_key(position), terms.pawn_key(position));
        let mut moves = MoveList::new();
        position.generate_legal(&mut moves);
        for &mv in &moves {
            for at_least in [-300, 0, 1, 300] {
                let expected = terms.see_ge(position, mv, at_least);
                assert_eq!(eval.see_ge(position, mv, at_least), expected, "{mv:?} {at_least}");
            }
        }
    }

    const QUICK: usize = 20_000;

    fn check_chess(plies: usize) {
        type Terms = crate::chess::HandcraftedEval;
        check_random_games::<alfil_chess::Bitboard, Terms>(plies, |random| {
            let setup = alfil_chess::Setup::chess960(random.below(960)).unwrap();
            GameHistory::new(&setup, &Waivers::None).unwrap()
        });
        // Pawns that promote, also with captures.
        check_random_games::<alfil_chess::Mailbox, Terms>(plies / 4, |_| {
            let text = "rn1qk1nr/1P4PP/8/8/8/8/1p4pp/RN1QK1NR w KQkq - 0 1";
            GameHistory::new(&alfil_chess::Setup::parse(text).unwrap(), &Waivers::None).unwrap()
        });
    }

    fn check_xiangqi(plies: usize) {
        type Terms = crate::xiangqi::HandcraftedEval;
        check_random_games::<alfil_xiangqi::Bitboard, Terms>(plies, |_| GameHistory::from_start_position());
    }

    #[test]
    fn kept_sums_equal_new_ones_through_random_games() {
        check_chess(QUICK);
        check_xiangqi(QUICK);
    }

    #[test]
    #[ignore = "long: a million plies"]
    fn kept_sums_equal_new_ones_through_a_million_plies() {
        check_chess(600_000);
        check_xiangqi(600_000);
    }

    #[test]
    fn the_score_is_the_same_for_exchanged_sides() {
        use alfil_chess::{Bitboard, Chess, Setup};
        let mut eval =
            NetworkEval::<Chess, crate::chess::HandcraftedEval>::with_network(Arc::new(random_network::<
                Chess,
            >(16)));
        let mut score = |setup: &Setup| {
            let position = Bitboard::from_setup(setup, &Waivers::None).unwrap();
            eval.reset(&position);
            eval.score(&position)
        };
        for text in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        ] {
            let setup = Setup::parse(text).unwrap();
            assert_eq!(score(&setup), score(&setup.swapped()), "{text}");
        }
    }

    #[test]
    fn without_a_network_the_terms_decide() {
        use alfil_xiangqi::{Bitboard, Xiangqi};
        type Terms = crate::xiangqi::HandcraftedEval;
        let position = *GameHistory::<Bitboard>::from_start_position().position();
        let (mut terms, mut eval) = (Terms::default(), NetworkEval::<Xiangqi, Terms>::default());
        Evaluator::<Bitboard>::reset(&mut terms, &position);
        Evaluator::<Bitboard>::reset(&mut eval, &position);
        assert_eq!(Evaluator::<Bitboard>::score(&mut eval, &position), terms.score(&position));
    }
}
