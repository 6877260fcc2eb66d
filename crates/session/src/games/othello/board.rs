//! The board profile of Othello: what boards for other programming languages need beside the board itself.

use alfil_kernel::Side;
use alfil_othello::{Bitboard, Ruleset};

use crate::game_board::{BoardError, BoardProfile};

impl BoardProfile for Bitboard {
    // In records of Othello `--` is a pass.
    const HAS_NULL_TEXT: bool = false;
    const WHITE: Side = Side::Second;

    fn board_rules(name: Option<&str>) -> Result<Ruleset, BoardError> {
        match name {
            None => Ok(Ruleset::default()),
            Some(name) => {
                Err(BoardError::UnknownName(format!("Othello has one ruleset: leave out {name:?}")))
            }
        }
    }
}
