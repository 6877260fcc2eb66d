//! What the boards of other languages need of chess.

use alfil_chess::notation::{Dialect, castling_from_king_move, to_uci_form};
use alfil_chess::{Bitboard, Move, PieceKind, Ruleset, Square};
use alfil_kernel::Square as _;

use crate::game_board::{BoardError, BoardProfile};

impl BoardProfile for Bitboard {
    const HAS_NULL_TEXT: bool = true;

    fn written_move(&self, mv: Move) -> Move {
        to_uci_form(self, mv)
    }

    fn read_move(&self, written: Move) -> Move {
        castling_from_king_move(self, written).unwrap_or(written)
    }

    fn parse_coordinates(text: &str) -> Option<Move> {
        let origin = Square::from_name(text.get(..2)?)?;
        let target = Square::from_name(text.get(2..4)?)?;
        if origin == target {
            return None;
        }
        match text.get(4..)? {
            "" => Some(Move::new(origin, target)),
            letter => {
                let mut kinds = PieceKind::PROMOTIONS.into_iter();
                let kind = kinds.find(|kind| kind.letter().to_string() == letter)?;
                Some(Move::with_promotion(origin, target, kind))
            }
        }
    }

    fn written_dialect() -> Dialect {
        Dialect::San
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
