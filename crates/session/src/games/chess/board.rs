//! The board profile of chess: what boards for other programming languages need beside the board itself.

use alfil_chess::notation::{castling_from_king_move, to_uci_form};
use alfil_chess::{Bitboard, Move, Ruleset};
use alfil_kernel::Side;

use crate::game_board::{BoardError, BoardProfile};

impl BoardProfile for Bitboard {
    const HAS_NULL_TEXT: bool = true;
    const WHITE: Side = Side::First;

    fn written_move(&self, mv: Move) -> Move {
        to_uci_form(self, mv)
    }

    fn read_move(&self, written: Move) -> Move {
        castling_from_king_move(self, written).unwrap_or(written)
    }

    fn board_rules(name: Option<&str>) -> Result<Ruleset, BoardError> {
        match name {
            None | Some("unclaimed") => Ok(Ruleset::UNCLAIMED),
            Some("claimed") => Ok(Ruleset::CLAIMED),
            Some(name) => {
                let message = format!("chess has no ruleset {name:?}: choose \"unclaimed\" or \"claimed\"");
                Err(BoardError::UnknownName(message))
            }
        }
    }
}
