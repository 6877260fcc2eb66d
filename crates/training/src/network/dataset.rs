//! The positions for training a network, as lists of placements.

use alfil_evaluation::network_inputs::{NetworkInputs, placement, view};
use alfil_kernel::{Evaluator as _, GameHistory, Position, Score, Side, Square as _, Tactics as _};
use alfil_session::game_profile::EvaluatorOf;

use crate::TrainingError;
use crate::fit::expected_result;
use crate::game_data::{GameData, NO_SCORE};
use crate::replay::replay;
use crate::trained_game::TrainedGame;
use alfil_engine::threads;

/// Positions with a score beyond this, of either side, are not used.
const MAX_SCORE: i32 = 1_500;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TrainingPosition {
    /// The index of its first placement.
    start: usize,
    /// The number of its placements.
    count: u8,
    /// The views of the side to move and of its opponent.
    pub(crate) views: [u8; 2],
    /// The result for the side to move: 0 loss, 1 draw, 2 win.
    pub(crate) result: u8,
    /// The score for the side to move, in centipawns: see [`ScoreLabels`].
    pub(crate) score: i16,
}

/// How the positions of a game get their scores from its searches.
///
/// A score is the lambda-return of the game (TD(lambda); R. S. Sutton, "Learning to Predict by the Methods of Temporal
/// Differences", 1988): the expected result by the search of the position, and with the weight `lambda` the return of
/// the next ply, whose last one is the result of the game. Later searches see what a shallow one has missed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreLabels {
    /// From 0, the score of the position's own search, to 1, the result of the game.
    pub(crate) lambda: f32,
    /// The score whose expected result is 73 %, in centipawns.
    pub(crate) score_scale: f32,
}

impl ScoreLabels {
    /// Returns the scores of the plies of a game, within [`MAX_SCORE`], each for the side to move; 0 for random plies.
    fn of_game(&self, game: &GameData) -> Vec<i16> {
        let (lambda, scale) = (f64::from(self.lambda), f64::from(self.score_scale));
        let bound = expected_result(MAX_SCORE.into(), scale);
        let mut scores = vec![0; game.plies.len()];
        let side_to_move = if game.plies.len().is_multiple_of(2) { Side::First } else { Side::Second };
        let mut value = f64::from(result_of(game, side_to_move)) / 2.0;
        for (score, ply) in scores.iter_mut().zip(&game.plies).skip(game.random_plies.into()).rev() {
            value = (1.0 - lambda) * expected_result(ply.score.into(), scale) + lambda * (1.0 - value);
            let bounded = value.clamp(1.0 - bound, bound);
            *score = ((bounded / (1.0 - bounded)).ln() * scale).round() as i16;
        }
        scores
    }
}

/// Positions of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dataset {
    placements: Vec<u16>,
    pub(crate) records: Vec<TrainingPosition>,
}

impl Dataset {
    /// Returns the placements of a position.
    #[inline]
    pub(crate) fn placements(&self, record: &TrainingPosition) -> &[u16] {
        &self.placements[record.start..][..usize::from(record.count)]
    }

    /// Adds a position.
    pub(crate) fn push(
        &mut self,
        placements: impl Iterator<Item = u16>,
        views: [u8; 2],
        result: u8,
        score: i16,
    ) {
        let start = self.placements.len();
        self.placements.extend(placements);
        let count = (self.placements.len() - start) as u8;
        self.records.push(TrainingPosition { start, count, views, result, score });
    }

    fn append(&mut self, other: &Dataset) {
        let offset = self.placements.len();
        self.placements.extend(&other.placements);
        let moved = |record: &TrainingPosition| TrainingPosition { start: record.start + offset, ..*record };
        self.records.extend(other.records.iter().map(moved));
    }

    /// Collects the quiet positions of games: no random plies, no check, no noisy best move, no decided score, and no
    /// position twice in a game.
    pub(crate) fn from_games<P: Position>(
        games: &[GameData],
        labels: ScoreLabels,
        thread_count: usize,
    ) -> Result<Dataset, TrainingError>
    where
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        let blocks: Vec<_> = games.chunks(256).collect();
        let parts = threads::parallel_map(&blocks, thread_count, |games| {
            let mut part = Dataset::default();
            for game in games.iter() {
                part.add_game::<P>(game, labels)?;
            }
            Ok(part)
        });
        let mut dataset = Dataset::default();
        for part in parts {
            dataset.append(&part?);
        }
        Ok(dataset)
    }

    fn add_game<P: Position>(&mut self, game: &GameData, labels: ScoreLabels) -> Result<(), TrainingError>
    where
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        let scores = labels.of_game(game);
        visit_quiet_positions::<P>(game, |history, _| {
            let position = history.position();
            let mover = position.side_to_move();
            let views = [mover, !mover].map(|side| side_view::<P>(position, side) as u8);
            self.push(placements(position), views, result_of(game, mover), scores[history.ply()]);
        })
    }
}

/// Returns the result of a game for a side: 0 loss, 1 draw, 2 win.
fn result_of(game: &GameData, side: Side) -> u8 {
    if side == Side::First { game.result } else { 2 - game.result }
}

/// Returns the search scores of quiet positions and the results of their games for the side to move, from 0 to 1: those
/// of the first games, with at least `count` positions if there are so many.
pub(crate) fn scores_and_results<P: Position>(
    games: &[GameData],
    count: usize,
) -> Result<Vec<(f64, f64)>, TrainingError>
where
    P::Game: TrainedGame<P>,
{
    let mut pairs = Vec::new();
    for game in games {
        if pairs.len() >= count {
            break;
        }
        visit_quiet_positions::<P>(game, |history, score| {
            let result = result_of(game, history.side_to_move());
            pairs.push((score.into(), f64::from(result) / 2.0));
        })?;
    }
    Ok(pairs)
}

/// Returns the static scores of the hand-made terms in the positions that [`Dataset::from_games`] takes from games.
pub(crate) fn terms_scores<P: Position>(
    games: &[GameData],
    thread_count: usize,
) -> Result<Vec<Score>, TrainingError>
where
    P::Game: TrainedGame<P>,
{
    let parts = threads::parallel_map(&games.chunks(256).collect::<Vec<_>>(), thread_count, |games| {
        let (mut terms, mut scores) = (EvaluatorOf::<P>::default(), Vec::new());
        for game in games.iter() {
            visit_quiet_positions::<P>(game, |history, _| {
                terms.reset(history.position());
                scores.push(terms.score(history.position()));
            })?;
        }
        Ok(scores)
    });
    parts.into_iter().collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
}

/// Visits the quiet positions of a game with their search scores.
fn visit_quiet_positions<P: Position>(
    game: &GameData,
    mut visit: impl FnMut(&GameHistory<P>, i16),
) -> Result<(), TrainingError>
where
    P::Game: TrainedGame<P>,
{
    let eval = EvaluatorOf::<P>::default();
    replay::<P>(game, |history, mv, ply| {
        let is_usable = ply.score != NO_SCORE
            && i32::from(ply.score).abs() <= MAX_SCORE
            && !history.in_check()
            && !eval.is_noisy(history.position(), mv)
            && history.earlier_occurrences().next().is_none();
        if is_usable {
            visit(history, ply.score);
        }
    })
    .map_err(|error| TrainingError::Replay { game: game.number, error })?;
    Ok(())
}

/// Returns the placements of a position.
fn placements<P: Position>(position: &P) -> impl Iterator<Item = u16> {
    use alfil_kernel::Game;
    (0..P::Game::SQUARES).filter_map(|index| {
        let square = <P::Game as Game>::Square::from_index(index)?;
        Some(placement::<P::Game>(position.piece_on(square)?, square))
    })
}

/// Returns the view of a side.
fn side_view<P: Position>(position: &P, side: Side) -> usize
where
    P::Game: NetworkInputs,
{
    use alfil_kernel::Game;
    let king = (0..P::Game::SQUARES)
        .filter_map(<P::Game as Game>::Square::from_index)
        .find(|&square| position.piece_on(square) == Some(P::Game::king(side)));
    view(side, king.is_some_and(P::Game::is_mirrored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_data::{Ending, ScoredPly};

    /// A game that the first side won, with two random plies before four searched ones.
    fn game() -> GameData {
        let plies = [NO_SCORE, NO_SCORE, 100, -50, 30, 1_900];
        GameData {
            game: "chess",
            result: 2,
            ending: Ending::ScoreWin,
            random_plies: 2,
            nodes: 100,
            seed: 1,
            number: 0,
            margin: 0,
            exact_from: 6,
            plies: plies.map(|score| ScoredPly { move_bits: 0, score }).to_vec(),
        }
    }

    fn labels(lambda: f32) -> Vec<i16> {
        ScoreLabels { lambda, score_scale: 250.0 }.of_game(&game())
    }

    #[test]
    fn lambda_0_is_the_own_search_and_1_the_result() {
        assert_eq!(labels(0.0), [0, 0, 100, -50, 30, MAX_SCORE as i16]);
        assert_eq!(labels(1.0), [0, 0, 1_500, -1_500, 1_500, -1_500]);
    }

    #[test]
    fn the_return_of_a_ply_holds_the_next_one_from_the_other_side() {
        let result_of = |score: f64| 1.0 / (1.0 + (-score / 250.0).exp());
        // From the last ply on, each for its side to move: the second side moves last, and has lost.
        let last = 0.5 * result_of(1_900.0) + 0.5 * 0.0;
        let third = 0.5 * result_of(30.0) + 0.5 * (1.0 - last);
        let second = 0.5 * result_of(-50.0) + 0.5 * (1.0 - third);
        let first = 0.5 * result_of(100.0) + 0.5 * (1.0 - second);
        let score_of = |value: f64| ((value / (1.0 - value)).ln() * 250.0).round() as i16;
        assert_eq!(labels(0.5), [0, 0, score_of(first), score_of(second), score_of(third), score_of(last)]);
    }
}
