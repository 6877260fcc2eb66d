//! The evaluation by patterns.

use std::sync::Arc;

use alfil_kernel::{
    BoardObserver, Evaluator, Move as _, ProbCut, Score, SearchPolicy, SearchTechniques, Side, Tactics,
    Verdict,
};
use alfil_othello::Othello;
use alfil_othello::bitboard::scalar::mobility;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use alfil_othello::piece::Piece;
use alfil_othello::square::Square;

use super::pattern_set::PatternStates;
use super::pattern_weights::{Counts, PatternWeights};
use super::{HandcraftedEval, Weights, prob_cut};
use crate::{EvalTrace, Tunable};

/// The least depth of a node whose moves are ordered by the positions after them, in plies: below, that would take more
/// time than it saves.
const MIN_ORDERED_DEPTH: i32 = 2;

/// The weight of the ordering score beside the histories, for a hundredth of a disc.
const ORDERING_WEIGHT: i32 = 12;

/// What a reply costs in the order of the moves, in hundredths of a disc.
const REPLY_PENALTY: i32 = 60;

/// The static evaluation of Othello: by patterns, or by the hand-made terms if it has no weights of patterns. It
/// observes the board to keep the states of the patterns.
#[derive(Clone, Debug, Default)]
pub struct PatternEval {
    terms: HandcraftedEval,
    patterns: Option<ActivePatterns>,
    /// Whether searches have no Multi-ProbCut.
    is_full_width: bool,
}

/// Weights, and the states of the patterns from the view of the first side.
#[derive(Clone, Debug)]
struct ActivePatterns {
    weights: Arc<PatternWeights>,
    states: PatternStates,
}

impl PatternEval {
    /// Creates an evaluation by patterns.
    pub fn new(weights: Arc<PatternWeights>) -> PatternEval {
        let patterns = ActivePatterns { weights, states: PatternStates::EMPTY };
        PatternEval { patterns: Some(patterns), ..PatternEval::default() }
    }

    /// Returns the evaluation with which searches have no Multi-ProbCut: with it, the errors of shallow searches are
    /// measured.
    #[must_use]
    pub fn without_prob_cut(self) -> PatternEval {
        PatternEval { is_full_width: true, ..self }
    }
}

/// Returns the digit of a disc: 1 for the first side, -1 for the second.
#[inline(always)]
fn digit(piece: Piece) -> i16 {
    1 - 2 * piece.index() as i16
}

impl BoardObserver<Othello> for PatternEval {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        match &mut self.patterns {
            None => self.terms.put(square, piece),
            Some(patterns) => patterns.states.add(square.index(), digit(piece)),
        }
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        match &mut self.patterns {
            None => self.terms.remove(square, piece),
            Some(patterns) => patterns.states.add(square.index(), -digit(piece)),
        }
    }

    #[inline]
    fn flip(&mut self, square: Square, piece: Piece) {
        match &mut self.patterns {
            None => self.terms.flip(square, piece),
            Some(patterns) => patterns.states.add(square.index(), 2 * digit(piece)),
        }
    }
}

impl<P: Board> Evaluator<P> for PatternEval {
    fn reset(&mut self, position: &P) {
        match &mut self.patterns {
            None => self.terms.reset(position),
            Some(patterns) => {
                let [first, second] = Side::BOTH.map(|side| position.discs(side).0);
                patterns.states = PatternStates::of(first, second);
            }
        }
    }

    #[inline]
    fn score(&mut self, position: &P) -> Score {
        let Some(ActivePatterns { weights, states }) = &self.patterns else {
            return self.terms.score(position);
        };
        let mover = position.side_to_move();
        let counts = Counts {
            moves: position.mobility(mover).0.count_ones(),
            replies: position.mobility(!mover).0.count_ones(),
            empty: position.empty_squares().0,
        };
        Score::from_cp(match mover {
            Side::First => weights.score(states, counts),
            Side::Second => weights.score(&states.swapped(), counts),
        })
    }
}

impl<P: Board> Tactics<P> for PatternEval {
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        self.terms.is_noisy(position, mv)
    }

    fn mvv_lva(&self, position: &P, mv: Move) -> i32 {
        self.terms.mvv_lva(position, mv)
    }

    fn see_ge(&self, position: &P, mv: Move, at_least: i32) -> bool {
        self.terms.see_ge(position, mv, at_least)
    }
}

impl<P: Board> SearchPolicy<P> for PatternEval {
    fn techniques(&self, position: &P) -> SearchTechniques {
        self.terms.techniques(position)
    }

    /// Returns a shallow search of the same parity, whose score is rarely farther than its margin from that of the deep
    /// one.
    fn prob_cut(&self, position: &P, depth: i32) -> Option<ProbCut> {
        if self.patterns.is_none() || self.is_full_width {
            return None;
        }
        prob_cut::prob_cut(depth, position.empty_squares().len() as i32)
    }

    fn orders_quiets(&self, depth: i32) -> bool {
        self.patterns.is_some() && depth >= MIN_ORDERED_DEPTH
    }

    /// Returns the score of the position after the move by the patterns, less for each reply: a position with few
    /// replies has a small tree (fastest-first).
    fn quiet_move_score(&self, position: &P, mv: Move) -> i32 {
        let (Some(patterns), Some(square)) = (&self.patterns, mv.target()) else {
            return 0;
        };
        let mover = position.side_to_move();
        let flipped = position.flips(mover, square).0;
        let (own, other) = (position.discs(mover).0, position.discs(!mover).0);
        let (next, last) = (other ^ flipped, own | flipped | 1 << square.index());
        let states = if mover == Side::First { patterns.states } else { patterns.states.swapped() };
        let states = states.after_move(square.index(), flipped).swapped();
        let replies = mobility(next, last).count_ones();
        let counts =
            Counts { moves: replies, replies: mobility(last, next).count_ones(), empty: !(next | last) };
        -ORDERING_WEIGHT * (patterns.weights.score(&states, counts) + REPLY_PENALTY * replies as i32)
    }

    fn outcome_score<C>(&self, verdict: &Verdict<C>, mover: Side, ply: u32) -> Score {
        SearchPolicy::<P>::outcome_score(&self.terms, verdict, mover, ply)
    }
}

/// The hand-made terms are tuned; the patterns are fitted by `alfil train`.
impl<P: Board> Tunable<P> for PatternEval {
    type Weights = Weights;

    const DECISIVE_SCORE: i32 = <HandcraftedEval as Tunable<P>>::DECISIVE_SCORE;

    fn weights() -> &'static Weights {
        <HandcraftedEval as Tunable<P>>::weights()
    }

    fn trace(position: &P) -> EvalTrace {
        <HandcraftedEval as Tunable<P>>::trace(position)
    }

    fn game_result(result: u8, margin: i32) -> f64 {
        <HandcraftedEval as Tunable<P>>::game_result(result, margin)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::random_games::check_random_games;
    use super::*;
    use crate::othello::{PHASES, PatternFeatures};
    use alfil_kernel::GameHistory;
    use alfil_kernel::conformance::sorted_legal_moves;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_othello::Bitboard;

    #[test]
    fn kept_states_equal_fresh_ones() {
        let mut random = SplitMix64::new(84);
        let count = PatternFeatures::new().weight_count();
        let mut row = || (0..count).map(|_| random.below(41) as i16 - 20).collect();
        let rows: Vec<Vec<i16>> = (0..PHASES).map(|_| row()).collect();
        let mut eval = PatternEval::new(Arc::new(PatternWeights::new(&rows, "", "")));
        let mut distinct = HashSet::new();
        let unmade = check_random_games(85, 60, &eval, |game, eval, score| {
            distinct.insert(score.value());
            check_quiet_move_scores(game, eval);
        });
        Evaluator::<Bitboard>::reset(&mut eval, GameHistory::from_start_position().position());
        let start = eval.patterns.unwrap().states;
        assert!(unmade.into_iter().all(|eval| eval.patterns.unwrap().states == start));
        assert!(distinct.len() > 300, "the scores vary: {}", distinct.len());
    }

    /// Checks that the score of each move that places a disc is that of the position after it.
    fn check_quiet_move_scores(game: &GameHistory<Bitboard>, eval: &PatternEval) {
        for mv in sorted_legal_moves(game.position()).into_iter().filter(|mv| mv.square().is_some()) {
            let (mut after, mut eval_after) = (game.clone(), eval.clone());
            after.push(mv, &mut eval_after);
            let position = after.position();
            let score = Evaluator::<Bitboard>::score(&mut eval_after, position).value();
            let replies = position.mobility(after.side_to_move()).0.count_ones() as i32;
            assert_eq!(
                SearchPolicy::<Bitboard>::quiet_move_score(eval, game.position(), mv),
                -ORDERING_WEIGHT * (score + REPLY_PENALTY * replies)
            );
        }
    }

    #[test]
    fn without_weights_the_terms_decide() {
        let position = *GameHistory::<Bitboard>::from_start_position().position();
        let (mut terms, mut eval) = (HandcraftedEval::default(), PatternEval::default());
        terms.reset(&position);
        eval.reset(&position);
        assert_eq!(Evaluator::<Bitboard>::score(&mut eval, &position), terms.score(&position));
    }
}
