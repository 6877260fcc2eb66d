//! The positions for training a network, as lists of placements.

use alfil_evaluation::network_inputs::{NetworkInputs, placement, view};
use alfil_kernel::{Evaluator as _, GameHistory, Position, Score, Side, Square as _, Tactics as _};
use alfil_session::game_profile::EvaluatorOf;

use crate::TrainingError;
use crate::game_data::{GameData, NO_SCORE};
use crate::replay::replay;
use crate::trained_game::TrainedGame;
use alfil_engine::threads;

/// Positions with a score beyond this, of either side, are not used.
const MAX_SCORE: i32 = 1_500;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The index of its first placement.
    start: usize,
    /// The number of its placements.
    count: u8,
    /// The views of the side to move and of its opponent.
    pub(crate) views: [u8; 2],
    /// The result for the side to move: 0 loss, 1 draw, 2 win.
    pub(crate) result: u8,
    /// The search score for the side to move, in centipawns.
    pub(crate) score: i16,
}

/// Positions of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dataset {
    placements: Vec<u16>,
    pub(crate) records: Vec<Record>,
}

impl Dataset {
    /// Returns the placements of a position.
    #[inline]
    pub(crate) fn placements(&self, record: &Record) -> &[u16] {
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
        self.records.push(Record { start, count, views, result, score });
    }

    fn append(&mut self, other: &Dataset) {
        let offset = self.placements.len();
        self.placements.extend(&other.placements);
        let moved = |record: &Record| Record { start: record.start + offset, ..*record };
        self.records.extend(other.records.iter().map(moved));
    }

    /// Collects the quiet positions of games: no random plies, no check, no noisy best move, no decided score, and no
    /// position twice in a game.
    pub(crate) fn from_games<P: Position>(
        games: &[GameData],
        thread_count: usize,
    ) -> Result<Dataset, TrainingError>
    where
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        let blocks: Vec<_> = games.chunks(256).collect();
        let parts = threads::parallel_map(&blocks, thread_count, |games| {
            let mut part = Dataset::default();
            for game in games.iter() {
                part.add_game::<P>(game)?;
            }
            Ok(part)
        });
        let mut dataset = Dataset::default();
        for part in parts {
            dataset.append(&part?);
        }
        Ok(dataset)
    }

    fn add_game<P: Position>(&mut self, game: &GameData) -> Result<(), TrainingError>
    where
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        visit_quiet_positions::<P>(game, |history, score| {
            let position = history.position();
            let mover = position.side_to_move();
            let result = if mover == Side::First { game.result } else { 2 - game.result };
            let views = [mover, !mover].map(|side| side_view::<P>(position, side) as u8);
            self.push(placements(position), views, result, score);
        })
    }
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
