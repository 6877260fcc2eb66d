//! One game on one kind of board.

use alloc::string::String;
use core::fmt::Debug;

use crate::board_observer::BoardObserver;
use crate::errors::SetupError;
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
/// The complaint type of a position's game.
pub type IssueOf<P> = <SetupOf<P> as Setup>::Issue;
/// What a reader of a position text of this game can have expected.
pub type ExpectedOf<P> = <SetupOf<P> as Setup>::Expected;

/// A position: who stands where, and whose move it is. It knows no history: see [`crate::Line`].
pub trait Position: Clone + Debug + Send + Sync + 'static {
    /// The game it is a position of.
    type Game: Game;
    /// What a move destroys and `unmake` needs: a few words, or the old position itself.
    type Undo: Clone + Debug + Send + Sync + 'static;
    /// The name of this kind of board on the command line: `mailbox`, `bitboard`.
    const BOARD: &'static str;

    /// A board of that setup.
    ///
    /// # Errors
    /// The complaints that are not waived.
    fn from_setup(setup: &SetupOf<Self>, waivers: &Waivers) -> Result<Self, SetupError<IssueOf<Self>>>;

    /// The setup of this board, with fresh counters: the counters belong to the [`crate::Line`].
    fn to_setup(&self) -> SetupOf<Self>;

    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// The hash key, kept up to date by `make`.
    fn hash_key(&self) -> u64;
    /// The same key computed afresh from the board.
    fn compute_hash_key(&self) -> u64;
    /// The representation itself in text, for those who want to see how the board is kept: its own numbers, lines,
    /// sets. Several lines, each ended by a line break.
    fn dump(&self) -> String;
    /// What stands on a square.
    fn piece_on(&self, square: SquareOf<Self>) -> Option<PieceOf<Self>>;

    /// Appends the legal moves.
    fn generate_legal(&self, list: &mut MoveList<MoveOf<Self>>);
    /// Appends the legal captures: those of `moves` for which [`Position::captured`] is something.
    fn generate_captures(&self, list: &mut MoveList<MoveOf<Self>>);
    /// Appends the pseudo-legal moves: as the men move, own king's safety aside. A superset of `moves`.
    fn generate_pseudo_legal(&self, list: &mut MoveList<MoveOf<Self>>);
    /// The legal moves, as a list of their own, in the order in which this board finds them. In a loop that must not
    /// fill a new list every time, [`Position::moves`] appends to one.
    fn legal_moves(&self) -> MoveList<MoveOf<Self>> {
        let mut list = MoveList::new();
        self.generate_legal(&mut list);
        list
    }
    /// The number of legal moves.
    fn count_legal(&self) -> usize {
        self.legal_moves().len()
    }
    /// The number of legal move paths of `depth` plies, by the fastest way this board has; the same number as
    /// [`crate::perft::perft`] gives.
    fn perft(&self, depth: u32) -> u64 {
        crate::perft::perft(&mut self.clone(), depth)
    }
    /// Whether `pseudo` would give this move, found without generating.
    fn is_pseudo_legal(&self, mv: MoveOf<Self>) -> bool;
    /// Whether `moves` would give this move, found without generating.
    fn is_legal(&self, mv: MoveOf<Self>) -> bool;

    /// The piece that a pseudo-legal move takes, if any.
    fn captured_piece(&self, mv: MoveOf<Self>) -> Option<PieceOf<Self>>;
    /// Whether no later position can equal an earlier one across this pseudo-legal move; it sets the count of quiet
    /// plies back to zero.
    fn is_irreversible(&self, mv: MoveOf<Self>) -> bool;

    /// Plays a pseudo-legal move. The caller answers for its legality; a move that is not pseudo-legal leaves a
    /// wrong position, never undefined behaviour.
    fn make<W: BoardObserver<Self::Game>>(&mut self, mv: MoveOf<Self>, watcher: &mut W) -> Self::Undo;
    /// Takes back the last move made.
    fn unmake<W: BoardObserver<Self::Game>>(&mut self, mv: MoveOf<Self>, undo: &Self::Undo, watcher: &mut W);
    /// Gives the move to the other side; never while in check.
    fn make_null(&mut self) -> Self::Undo;
    /// Takes back a null move.
    fn unmake_null(&mut self, undo: &Self::Undo);

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Whether there is no legal move (in Othello: for neither side). What that means is for [`crate::Laws`].
    fn has_no_legal_move(&self) -> bool;
}
