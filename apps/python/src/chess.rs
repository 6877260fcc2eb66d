//! The classes of chess.

use alfil_chess::{Bitboard, Ruleset, Setup};
use alfil_kernel::GameHistory;
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

/// The plies of fifty moves of each side (FIDE Laws of Chess, 9.3).
const FIFTY_MOVES_PLIES: u32 = 100;

/// The plies of seventy-five moves of each side (FIDE Laws of Chess, 9.6.2).
const SEVENTY_FIVE_MOVES_PLIES: u32 = 150;

/// Returns whether so many plies were played without a capture or a pawn move, and there is a legal move.
fn has_counted(game: &GameHistory<Bitboard>, plies: u32) -> bool {
    game.halfmove_clock() >= plies && !game.position().has_no_legal_move()
}

/// Returns whether a property holds after one of the legal moves.
fn is_after_some_move(
    game: &GameHistory<Bitboard>,
    property: impl Fn(&GameHistory<Bitboard>) -> bool,
) -> bool {
    let mut after = game.clone();
    game.position().legal_moves().iter().any(|&mv| {
        after.push(mv, &mut ());
        let holds = property(&after);
        after.pop(&mut ());
        holds
    })
}

/// Returns whether a legal move of a position captures a pawn en passant.
fn is_en_passant(position: &Bitboard, mv: alfil_chess::Move) -> bool {
    use alfil_chess::Board as _;
    let is_pawn =
        position.piece_on(mv.origin()).is_some_and(|piece| piece.kind() == alfil_chess::PieceKind::Pawn);
    is_pawn && position.en_passant() == Some(mv.target()) && mv.origin().file() != mv.target().file()
}

board_classes!(Bitboard, "alfil.chess", "chess", {
    /// Returns a board at the start position of Chess960 with this number, 0 to 959.
    #[staticmethod]
    fn from_chess960_pos(#[pyo3(from_py_with = crate::numbers::number)] number: usize) -> PyResult<Self> {
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
    fn is_castling(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        use alfil_chess::Board as _;
        Ok(self.0.history().position().is_castling(self.0.legal(Move::from_object(r#move)?)?))
    }

    /// Returns whether a legal move is castling with the rook on the side of the h-file.
    fn is_kingside_castling(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.0.legal(Move::from_object(r#move)?)?;
        Ok(self.is_castling(r#move)? && mv.target().file() > mv.origin().file())
    }

    /// Returns whether a legal move is castling with the rook on the side of the a-file.
    fn is_queenside_castling(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.is_castling(r#move)? && !self.is_kingside_castling(r#move)?)
    }

    /// The squares of the rooks that may still castle.
    #[getter]
    fn castling_rights(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let rooks = self.0.castling_rights().into_iter();
        let rooks = rooks.map(|right| game_board::parse_square::<Bitboard>(&right.rook));
        square_set(py, rooks.collect::<PyResult<Vec<_>>>()?.into_iter())
    }

    /// Returns whether a side may still castle on one of the two sides.
    fn has_castling_rights(&self, color: bool) -> bool {
        self.0.castling_rights().iter().any(|right| right.side == game_board::side(color))
    }

    /// Returns whether a side may still castle with the rook on the side of the h-file.
    fn has_kingside_castling_rights(&self, color: bool) -> bool {
        let rights = self.0.castling_rights();
        rights.iter().any(|right| right.side == game_board::side(color) && right.is_kingside)
    }

    /// Returns whether a side may still castle with the rook on the side of the a-file.
    fn has_queenside_castling_rights(&self, color: bool) -> bool {
        let rights = self.0.castling_rights();
        rights.iter().any(|right| right.side == game_board::side(color) && !right.is_kingside)
    }

    /// The square behind a pawn that has just moved two squares, if a pawn of the side to move attacks it; else None.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        self.0.en_passant_square().map(|square| square.index())
    }

    /// Returns whether a legal move captures a pawn en passant.
    fn is_en_passant(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(is_en_passant(self.0.history().position(), self.0.legal(Move::from_object(r#move)?)?))
    }

    /// Returns whether a legal move captures a pawn en passant now.
    fn has_legal_en_passant(&self) -> bool {
        let position = self.0.history().position();
        position.legal_moves().iter().any(|&mv| is_en_passant(position, mv))
    }

    /// Returns whether the player to move can claim a draw now, or with a legal move that is announced.
    fn can_claim_draw(&self) -> bool {
        self.can_claim_fifty_moves() || self.can_claim_threefold_repetition()
    }

    /// Returns whether fifty moves without a capture or a pawn move were played, or will be with a legal move.
    fn can_claim_fifty_moves(&self) -> bool {
        let is_claimed = |game: &GameHistory<Bitboard>| has_counted(game, FIFTY_MOVES_PLIES);
        let game = self.0.history();
        is_claimed(game)
            || game.halfmove_clock() + 1 >= FIFTY_MOVES_PLIES && is_after_some_move(game, is_claimed)
    }

    /// Returns whether fifty moves without a capture or a pawn move were played, and the game continues.
    fn is_fifty_moves(&self) -> bool {
        has_counted(self.0.history(), FIFTY_MOVES_PLIES)
    }

    /// Returns whether seventy-five moves without a capture or a pawn move were played, without checkmate: a draw.
    fn is_seventyfive_moves(&self) -> bool {
        has_counted(self.0.history(), SEVENTY_FIVE_MOVES_PLIES)
    }

    /// Returns whether the position has occurred five times: a draw.
    fn is_fivefold_repetition(&self) -> bool {
        self.0.history().has_occurred(5)
    }

    /// Returns whether the position has occurred three times, or one will have with a legal move.
    fn can_claim_threefold_repetition(&self) -> bool {
        let is_claimed = |game: &GameHistory<Bitboard>| game.has_occurred(3);
        is_claimed(self.0.history()) || is_after_some_move(self.0.history(), is_claimed)
    }
});
