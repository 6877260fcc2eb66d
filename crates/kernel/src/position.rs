//! Positions: one game on one kind of board.

use alloc::string::String;
use core::fmt::Debug;

use crate::board_observer::BoardObserver;
use crate::errors::{PositionError, SetupError};
use crate::game::{Game, Setup, Waivers};
use crate::moves::MoveList;
use crate::outcome::Side;

/// The move type of a position's game.
pub type MoveOf<P> = <<P as Position>::Game as Game>::Move;
/// The square type of a position's game.
pub type SquareOf<P> = <<P as Position>::Game as Game>::Square;
/// The piece type of a position's game.
pub type PieceOf<P> = <<P as Position>::Game as Game>::Piece;
/// The setup type of a position's game.
pub type SetupOf<P> = <<P as Position>::Game as Game>::Setup;
/// The setup issue type of a position's game.
pub type IssueOf<P> = <SetupOf<P> as Setup>::Issue;
/// The type of what the parser of a position's text can expect.
pub type ExpectedOf<P> = <SetupOf<P> as Setup>::Expected;

/// The error of a text that is no position of a board.
pub type PositionErrorOf<P> = PositionError<ExpectedOf<P>, IssueOf<P>>;

/// A position: the pieces, the side to move and the rights, without history (see [`crate::GameHistory`]).
pub trait Position: Clone + Debug + Send + Sync + 'static {
    /// The game.
    type Game: Game;
    /// What `unmake` needs to restore the position before a move: a few words, or the old position itself.
    type Undo: Clone + Debug + Send + Sync + 'static;
    /// The name of this board on the command line: `mailbox`, `bitboard`.
    const BOARD: &'static str;

    /// Creates a board from a setup.
    ///
    /// # Errors
    /// The issues that are not waived.
    fn from_setup(setup: &SetupOf<Self>, waivers: &Waivers) -> Result<Self, SetupError<IssueOf<Self>>>;

    /// Returns the setup of this board with default counters, as counters belong to the [`crate::GameHistory`].
    fn to_setup(&self) -> SetupOf<Self>;

    /// Returns the side to move.
    fn side_to_move(&self) -> Side;
    /// Returns the hash key, which `make` and `unmake` update.
    fn hash_key(&self) -> u64;
    /// Returns the hash key computed from the board.
    fn compute_hash_key(&self) -> u64;
    /// Returns the hash key after a pseudo-legal move, without making it, so that a table can prefetch its entry. It
    /// may be wrong after a move that changes more than the pieces on its two squares. `None` if the board computes
    /// keys only by making moves.
    fn expected_key_after(&self, _mv: MoveOf<Self>) -> Option<u64> {
        None
    }
    /// Returns the internal representation of the board as text, for inspection: its arrays, sets and numbers. Every
    /// line ends with a line break.
    fn dump(&self) -> String;
    /// Returns the piece on a square.
    fn piece_on(&self, square: SquareOf<Self>) -> Option<PieceOf<Self>>;

    /// Appends the legal moves to `list`.
    fn generate_legal(&self, list: &mut MoveList<MoveOf<Self>>);
    /// Appends the legal captures to `list`: the legal moves for which [`Position::captured_piece`] returns a piece.
    fn generate_captures(&self, list: &mut MoveList<MoveOf<Self>>);
    /// Appends the pseudo-legal moves to `list`: those that follow the moves of the pieces but may leave the king in
    /// check.
    fn generate_pseudo_legal(&self, list: &mut MoveList<MoveOf<Self>>);
    /// Returns the legal moves in the order in which this board generates them. In a hot loop, reuse a list with
    /// [`Position::generate_legal`].
    fn legal_moves(&self) -> MoveList<MoveOf<Self>> {
        let mut list = MoveList::new();
        self.generate_legal(&mut list);
        list
    }
    /// Returns the number of legal moves.
    fn count_legal(&self) -> usize {
        self.legal_moves().len()
    }
    /// Returns the number of legal move paths of `depth` plies, by the fastest method of this board. It equals
    /// [`crate::perft::perft`].
    fn perft(&self, depth: u32) -> u64 {
        crate::perft::perft(&mut self.clone(), depth)
    }
    /// Returns whether [`Position::generate_pseudo_legal`] generates this move, without generating.
    fn is_pseudo_legal(&self, mv: MoveOf<Self>) -> bool;
    /// Returns whether [`Position::generate_legal`] generates this move, without generating.
    fn is_legal(&self, mv: MoveOf<Self>) -> bool;

    /// Returns the piece that a pseudo-legal move captures, if any.
    fn captured_piece(&self, mv: MoveOf<Self>) -> Option<PieceOf<Self>>;
    /// Returns whether this pseudo-legal move resets the halfmove clock. No position after it can equal one before it;
    /// that may be so after other moves, too.
    fn is_irreversible(&self, mv: MoveOf<Self>) -> bool;

    /// Makes a pseudo-legal move and reports its changes to `observer`. The caller ensures that the move is legal; a
    /// move that is not pseudo-legal leads to a wrong position, never to undefined behaviour.
    fn make<O: BoardObserver<Self::Game>>(&mut self, mv: MoveOf<Self>, observer: &mut O) -> Self::Undo;
    /// Unmakes the last move and reports the changes to `observer`.
    fn unmake<O: BoardObserver<Self::Game>>(&mut self, mv: MoveOf<Self>, undo: &Self::Undo, observer: &mut O);
    /// Makes a pseudo-legal move that is not unmade.
    #[inline]
    fn make_without_undo(&mut self, mv: MoveOf<Self>) {
        self.make(mv, &mut ());
    }
    /// Makes a null move: the other side is to move. The side to move must not be in check.
    fn make_null(&mut self) -> Self::Undo;
    /// Unmakes a null move.
    fn unmake_null(&mut self, undo: &Self::Undo);

    /// Returns whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Returns whether there is no legal move (in Othello: for neither side). [`crate::Rules`] decide what that means.
    fn has_no_legal_move(&self) -> bool;
}
