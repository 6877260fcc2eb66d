//! Games of files as boards, and boards as games to write.

use alfil_kernel::{Game as _, Setup as _, SetupOf};
use alfil_records::text_game::NULL_MOVE;
use alfil_records::{MoveTree, NodeId, TextGame, TextMove};

use crate::game_board::{BoardError, BoardProfile, GameBoard};
use crate::game_profile::{GameProfile, NULL_MOVE_COORDINATES};

/// Returns the text of a move of a [`TextGame`] as [`GameBoard::parse_coordinates`] reads it: the null move, `--`,
/// becomes `0000`; any other text is in coordinates already.
pub fn replace_null_move(text: &str) -> &str {
    if text == NULL_MOVE { NULL_MOVE_COORDINATES } else { text }
}

impl<P: BoardProfile> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board at a node of a game of this kind, with the moves that lead there; node 0 is the start.
    ///
    /// ```
    /// use alfil_session::game_board::GameBoard;
    /// use alfil_session::registry;
    ///
    /// let game = registry::read_games(b"1. e4 (1. d4 d5) e5 *", Some("chess"))?.remove(0).unwrap();
    /// let node = game.moves.iter().find(|(_, mv)| mv.text == "d7d5").unwrap().0;
    /// let board = GameBoard::<alfil_chess::Bitboard>::from_record(&game, node)?;
    /// assert!(board.fen().starts_with("rnbqkbnr/ppp1pppp/8/3p4/3P4/"));
    /// assert_eq!(board.to_record().main_line(), ["d2d4", "d7d5"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such node, or a move of the game is not legal.
    pub fn from_record(game: &TextGame, node: NodeId) -> Result<Self, BoardError> {
        if game.moves.node(node).is_none() {
            let message = format!("the game has no node {node}: it has {}", game.moves.move_count() + 1);
            return Err(BoardError::UnknownName(message));
        }
        let mut board = Self::new(game.start.as_deref(), &["all"])?;
        for mv in game.moves.path(node) {
            board.push(Self::parse_coordinates(replace_null_move(&game.moves[mv].text))?)?;
        }
        Ok(board)
    }

    /// Returns a game with the moves of this board, without tags and result.
    pub fn to_record(&self) -> TextGame {
        let start = self.start_fen();
        let is_start_position = start == SetupOf::<P>::start().to_text();
        let moves = self.played_moves().iter().map(|&mv| {
            let text = if mv.is_none() { NULL_MOVE.to_owned() } else { Self::move_text(mv) };
            TextMove { text, ..TextMove::default() }
        });
        TextGame {
            game: P::Game::NAME.to_owned(),
            start: (!is_start_position).then_some(start),
            moves: MoveTree::from_line(TextMove::default(), moves),
            ..TextGame::default()
        }
    }
}
