//! The positions of requests in sessions that search.

use alfil_session::{AnyBoard, GameSession, SessionError, registry};

use crate::boards;

/// Goes to a position and the moves after it, and returns a board there.
pub(crate) fn go_to(
    session: &mut dyn GameSession,
    fen: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn AnyBoard>, SessionError> {
    let mut board = registry::board_game(session.game())?.open(fen, &["all"])?;
    boards::play(&mut *board, moves, None)?;
    session.set_board(&*board)?;
    Ok(board)
}
