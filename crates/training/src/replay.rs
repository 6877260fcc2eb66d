//! Games of self-play replayed through the game history: the check of a file, and the positions for training.

use alfil_kernel::{GameHistory, Move as _, MoveBits as _, MoveOf, Position, Rules as _};
use alfil_session::game_profile::RulesOf;
use thiserror::Error;

use crate::game_data::{Ending, GameData, NO_SCORE, ScoredPly};
use crate::self_play::first_side_result;
use crate::trained_game::TrainedGame;

/// The reason why a game cannot have been played as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The bits of a move are those of no move.
    #[error("ply {}: {bits:#06x} is not a move", .ply + 1)]
    NotAMove {
        /// The index of the ply, from 0.
        ply: usize,
        /// The bits.
        bits: u16,
    },
    /// A move is illegal.
    #[error("ply {}: {reason}", .ply + 1)]
    IllegalMove {
        /// The index of the ply, from 0.
        ply: usize,
        /// The reason.
        reason: String,
    },
    /// A random ply has a score, or another has none.
    #[error("ply {}: the score must be absent in the random plies and present after them", .0 + 1)]
    Score(usize),
    /// The rules end the game before its last ply.
    #[error("the rules end the game after ply {0}, but it goes on")]
    GoesOn(usize),
    /// The rules do not end the game, or end it otherwise.
    #[error(
        "the game has result {stored}, margin {margin} and ending {}, but the rules give {ruled}",
        ending.name()
    )]
    Result {
        /// The stored result.
        stored: u8,
        /// The stored margin.
        margin: i16,
        /// The stored ending.
        ending: Ending,
        /// What the rules say.
        ruled: String,
    },
}

/// Returns the move of a ply.
pub(crate) fn move_of<P: Position>(index: usize, ply: ScoredPly) -> Result<MoveOf<P>, ReplayError> {
    type BitsOf<P> = <MoveOf<P> as alfil_kernel::Move>::Bits;
    let mv = MoveOf::<P>::from_bits(BitsOf::<P>::from_u64(ply.move_bits.into()));
    mv.ok_or(ReplayError::NotAMove { ply: index, bits: ply.move_bits })
}

/// Replays a game: `visit` is called with the history before each ply, the move and the score.
///
/// # Errors
/// With the ply of the first illegal move.
pub(crate) fn replay<P: Position>(
    game: &GameData,
    mut visit: impl FnMut(&GameHistory<P>, MoveOf<P>, ScoredPly),
) -> Result<GameHistory<P>, ReplayError> {
    let mut history = GameHistory::<P>::from_start_position();
    for (index, &ply) in game.plies.iter().enumerate() {
        let mv = move_of::<P>(index, ply)?;
        visit(&history, mv, ply);
        let illegal = |error: alfil_kernel::IllegalMoveError<_>| ReplayError::IllegalMove {
            ply: index,
            reason: error.to_string(),
        };
        history.try_play(mv).map_err(illegal)?;
    }
    Ok(history)
}

/// Checks that every move is legal, that the rules end the game where it ends or not at all, and that they give its
/// result.
pub(crate) fn check<P: Position>(game: &GameData) -> Result<(), ReplayError>
where
    P::Game: TrainedGame<P>,
{
    let rules = RulesOf::<P>::default();
    for (index, ply) in game.plies.iter().enumerate() {
        if (index < usize::from(game.random_plies)) != (ply.score == NO_SCORE) {
            return Err(ReplayError::Score(index));
        }
    }
    let mut early_end = None;
    let history = replay::<P>(game, |history, _, _| {
        // The random plies of an opening are not judged, as repetitions do not end them.
        if early_end.is_none()
            && history.ply() > usize::from(game.random_plies)
            && rules.judge(history).is_some()
        {
            early_end = Some(history.ply());
        }
    })?;
    if let Some(ply) = early_end {
        return Err(ReplayError::GoesOn(ply));
    }
    let verdict = rules.judge(&history);
    let ruled = verdict.map(|verdict| first_side_result((verdict.outcome, verdict.margin)));
    let is_right = match (ruled, game.ending) {
        (Some(ruled), Ending::Rules) => ruled == (game.result, game.margin),
        (None, Ending::ScoreWin) => game.result != 1,
        (None, Ending::ScoreDraw | Ending::PlyLimit) => game.result == 1,
        _ => false,
    };
    if is_right {
        return Ok(());
    }
    let ruled = ruled.map_or("no end".into(), |(result, margin)| format!("result {result}, margin {margin}"));
    let GameData { result, margin, ending, .. } = *game;
    Err(ReplayError::Result { stored: result, margin, ending, ruled })
}
