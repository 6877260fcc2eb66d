//! The call of the player: a game is read with the positions after its moves. A module that has this call alone is half
//! as large as one with boards, which have rules, rulings and their messages.

use alfil_kernel::{Dialect as _, Move as _, Position};
use alfil_session::game_board::GameBoard;
use alfil_session::game_profile::{DialectOf, GameProfile, ply_from_move_number};
use serde::Serialize;

use crate::errors::Error;
use crate::requests::Request;

/// A game as the player shows it.
#[derive(Serialize)]
pub(crate) struct ShownGame {
    /// The start position and those after the moves.
    plies: Vec<ShownPly>,
    /// The plies of a whole game before the start position, by its move number.
    first_ply: usize,
    /// Why the next move cannot be read.
    error: Option<String>,
}

/// A position, with the move that led to it.
#[derive(Serialize)]
struct ShownPly {
    fen: String,
    /// The move as people write it.
    text: String,
    /// The squares of the move.
    squares: Vec<String>,
}

/// Reads the game of a request.
pub(crate) fn read<P: Position>(request: &Request) -> Result<ShownGame, Error>
where
    P::Game: GameProfile<P>,
{
    let mut board = GameBoard::<P>::new(request.fen.as_deref(), &[])?;
    let start = ShownPly { fen: board.fen(), text: String::new(), squares: Vec::new() };
    let first_ply = ply_from_move_number(board.history());
    let mut game = ShownGame { plies: vec![start], first_ply, error: None };
    for text in &request.moves {
        match play(&mut board, text) {
            Ok(ply) => game.plies.push(ply),
            Err(error) => {
                game.error = Some(error.message);
                break;
            }
        }
    }
    Ok(game)
}

fn play<P: Position>(board: &mut GameBoard<P>, text: &str) -> Result<ShownPly, Error>
where
    P::Game: GameProfile<P>,
{
    let dialect = DialectOf::<P>::WRITTEN;
    let mv = board.parse_any(text, dialect)?;
    let text = board.format(mv, dialect)?;
    board.push(mv)?;
    let squares = mv.map(|mv| [mv.origin(), mv.target()].into_iter().flatten()).into_iter().flatten();
    Ok(ShownPly { fen: board.fen(), text, squares: squares.map(|square| square.to_string()).collect() })
}
