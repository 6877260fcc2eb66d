//! Sessions that search the positions of requests.

use alfil_session::GameSession;
use alfil_session::any_board::AnyBoard;
use alfil_session::game_board::{BoardError, BoardProfile, GameBoard};
use alfil_session::game_profile::GameProfile;
use alfil_session::typed_session::TypedSession;

use crate::requests::Request;

/// A session that searches the positions of requests.
pub(crate) trait EngineSession: GameSession {
    /// Goes to the position of a request and returns a board there.
    fn go_to(&mut self, request: &Request) -> Result<Box<dyn AnyBoard>, BoardError>;
}

impl<P: BoardProfile + Send + 'static> EngineSession for TypedSession<P>
where
    P::Game: GameProfile<P>,
    GameBoard<P>: AnyBoard,
    TypedSession<P>: GameSession,
{
    fn go_to(&mut self, request: &Request) -> Result<Box<dyn AnyBoard>, BoardError> {
        let mut board = GameBoard::<P>::new(request.fen.as_deref(), &["all"])?;
        for text in &request.moves {
            let mv = board.parse_any(text, P::written_dialect())?;
            board.push(mv)?;
        }
        self.set_game(board.history().clone());
        Ok(Box::new(board))
    }
}
