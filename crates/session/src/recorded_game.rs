//! Games of files as boards, and boards as games to write.

use alfil_records::text_game::NULL_MOVE;
use alfil_records::{MoveTree, NodeId, TextGame, TextMove};

use crate::any_board::{AnyBoard, BoardGame};
use crate::game_profile::NULL_MOVE_COORDINATES;
use crate::session_error::SessionError;

/// Returns the text of a move of a [`TextGame`] as [`BoardGame::parse_coordinates`] reads it: the null move, `--`,
/// becomes `0000`; any other text is in coordinates already.
pub fn replace_null_move(text: &str) -> &str {
    if text == NULL_MOVE { NULL_MOVE_COORDINATES } else { text }
}

/// Makes a board at a node of a record of this game, with the moves that lead there; node 0 is the start.
///
/// ```
/// use alfil_session::recorded_game::{board_at, to_record};
/// use alfil_session::registry;
///
/// let record = registry::read_games(b"1. e4 (1. d4 d5) e5 *", Some("chess"))?.remove(0).unwrap();
/// let node = record.moves.iter().find(|(_, mv)| mv.text == "d7d5").unwrap().0;
/// let board = board_at(registry::board_game(&record.game)?, &record, node)?;
/// assert!(board.fen().starts_with("rnbqkbnr/ppp1pppp/8/3p4/3P4/"));
/// assert_eq!(to_record(&*board)?.main_line(), ["d2d4", "d7d5"]);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such node, or a move of the record is not legal.
pub fn board_at(
    game: &dyn BoardGame,
    record: &TextGame,
    node: NodeId,
) -> Result<Box<dyn AnyBoard>, SessionError> {
    if record.moves.node(node).is_none() {
        let count = record.moves.move_count() + 1;
        return Err(SessionError::new(format!("the game has no node {node}: it has {count}")));
    }
    let mut board = game.open(record.start.as_deref(), &["all"])?;
    for mv in record.moves.path(node) {
        board.push(game.parse_coordinates(replace_null_move(&record.moves[mv].text))?)?;
    }
    Ok(board)
}

/// Returns a record with the moves of a board, without tags and result.
///
/// # Errors
/// Returns no error for the boards of this crate, whose moves are moves of their game.
pub fn to_record(board: &dyn AnyBoard) -> Result<TextGame, SessionError> {
    let (game, start) = (board.game(), board.start_fen());
    let is_start_position = start == game.start_fen();
    let played = board.played_moves().into_iter().map(|mv| {
        let text = if mv == 0 { NULL_MOVE.to_owned() } else { game.move_squares(mv)?.text };
        Ok(TextMove { text, ..TextMove::default() })
    });
    let moves = played.collect::<Result<Vec<_>, SessionError>>()?;
    Ok(TextGame {
        game: game.name().to_owned(),
        start: (!is_start_position).then_some(start),
        moves: MoveTree::from_line(TextMove::default(), moves),
        ..TextGame::default()
    })
}
