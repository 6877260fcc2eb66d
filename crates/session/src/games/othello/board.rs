//! What the boards of other languages need of Othello.

use alfil_kernel::Square as _;
use alfil_othello::notation::Dialect;
use alfil_othello::{Bitboard, Move, Ruleset, Square};

use crate::game_board::{BoardError, BoardProfile};

impl BoardProfile for Bitboard {
    // In records of Othello `--` is a pass.
    const HAS_NULL_TEXT: bool = false;

    fn parse_coordinates(text: &str) -> Option<Move> {
        match text {
            "pass" => Some(Move::PASS),
            name => Square::from_name(name).map(Move::from_square),
        }
    }

    fn written_dialect() -> Dialect {
        Dialect::Transcript
    }

    fn board_rules(name: Option<&str>) -> Result<Ruleset, BoardError> {
        match name {
            None => Ok(Ruleset::default()),
            Some(name) => {
                Err(BoardError::UnknownName(format!("Othello has one ruleset: leave out {name:?}")))
            }
        }
    }
}
