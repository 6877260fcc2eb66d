//! The classes of chess.

use alfil_chess::{Bitboard, Ruleset, Setup};
use alfil_session::format_result;

use crate::board_class::board_classes;
use crate::errors::AlfilError;
use crate::results::PyOutcome;

/// The number of ranks.
pub(crate) const RANKS: usize = 8;

/// Returns the ruleset in which draws may be claimed, or not.
fn ruleset(claim_draw: bool) -> Ruleset {
    if claim_draw { Ruleset::CLAIMED } else { Ruleset::UNCLAIMED }
}

board_classes!(Bitboard, "alfil.chess", "chess", {
    /// Returns a board at the start position of Chess960 with this number, 0 to 959.
    #[staticmethod]
    fn from_chess960_pos(number: usize) -> PyResult<Self> {
        let message = || AlfilError::new_err(format!("Chess960 has no position {number}: choose 0 to 959"));
        GameBoard::from_setup(&Setup::chess960(number).ok_or_else(message)?, Vec::new()).map(Board)
    }

    /// Returns the end of the game; None if it continues.
    #[pyo3(signature = (*, claim_draw=false))]
    fn outcome(&self, claim_draw: bool) -> Option<PyOutcome> {
        self.0.end(&ruleset(claim_draw))
    }

    /// Returns whether the game is over: `outcome` is not None.
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.outcome(claim_draw).is_some()
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`, or `*` if the game continues.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        self.outcome(claim_draw).map_or(format_result(None), |outcome| outcome.result())
    }

    /// Returns whether no series of legal moves can mate.
    fn is_insufficient_material(&self) -> bool {
        alfil_chess::rules::is_dead_position(self.0.history().position())
    }

    /// Returns whether a legal move is castling.
    fn is_castling(&self, r#move: &Move) -> PyResult<bool> {
        use alfil_chess::Board as _;
        Ok(self.0.history().position().is_castling(self.0.legal(r#move.0)?))
    }
});
