//! Errors of the games: rejected positions and moves.

use core::fmt;

#[cfg(feature = "chess")]
use alfil_chess::Chess;
use alfil_kernel::{FenError, Game, NotationError, Setup, SetupError, SetupIssue};
#[cfg(feature = "othello")]
use alfil_othello::Othello;
#[cfg(feature = "xiangqi")]
use alfil_xiangqi::Xiangqi;

/// The expectations of a game's position parser.
pub type ExpectedOf<G> = <<G as Game>::Setup as Setup>::Expected;

/// The issues of a game's positions.
pub type SetupIssueOf<G> = <<G as Game>::Setup as Setup>::Issue;

/// A rejected text of a game: `E` are the expectations of its position parser, `I` the issues of its positions,
/// `R` the reasons for which a move is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError<E: fmt::Display, I, R: fmt::Display> {
    /// The text of a position is invalid.
    InvalidPositionText(FenError<E>),
    /// The position is illegal.
    InvalidSetup(SetupError<I>),
    /// The text of a move is invalid or names no legal move.
    InvalidMoveText(NotationError<R>),
    /// The move is illegal.
    IllegalMove(R),
}

impl<E: fmt::Display, I: SetupIssue, R: fmt::Display> fmt::Display for GameError<E, I, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::InvalidPositionText(error) => error.fmt(f),
            GameError::InvalidSetup(error) => error.fmt(f),
            GameError::InvalidMoveText(error) => error.fmt(f),
            GameError::IllegalMove(reason) => reason.fmt(f),
        }
    }
}

impl<E: fmt::Display, I, R: fmt::Display> GameError<E, I, R> {
    /// Returns whether the text of a move is no move on any board.
    pub fn is_unreadable_move(&self) -> bool {
        matches!(self, GameError::InvalidMoveText(NotationError::Malformed { .. }))
    }
}

/// An error of chess.
#[cfg(feature = "chess")]
pub type ChessError = GameError<ExpectedOf<Chess>, SetupIssueOf<Chess>, alfil_chess::notation::IllegalReason>;

/// An error of Othello.
#[cfg(feature = "othello")]
pub type OthelloError =
    GameError<ExpectedOf<Othello>, SetupIssueOf<Othello>, alfil_othello::notation::IllegalReason>;

/// An error of xiangqi.
#[cfg(feature = "xiangqi")]
pub type XiangqiError =
    GameError<ExpectedOf<Xiangqi>, SetupIssueOf<Xiangqi>, alfil_xiangqi::notation::IllegalReason>;

/// An error of one of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyGameError {
    /// An error of chess.
    #[cfg(feature = "chess")]
    Chess(ChessError),
    /// An error of Othello.
    #[cfg(feature = "othello")]
    Othello(OthelloError),
    /// An error of xiangqi.
    #[cfg(feature = "xiangqi")]
    Xiangqi(XiangqiError),
    /// An error of a game outside this crate, as text.
    Other(String),
}

impl AnyGameError {
    /// Returns whether the text of a move is no move on any board.
    pub fn is_unreadable_move(&self) -> bool {
        match self {
            #[cfg(feature = "chess")]
            AnyGameError::Chess(error) => error.is_unreadable_move(),
            #[cfg(feature = "othello")]
            AnyGameError::Othello(error) => error.is_unreadable_move(),
            #[cfg(feature = "xiangqi")]
            AnyGameError::Xiangqi(error) => error.is_unreadable_move(),
            AnyGameError::Other(_) => false,
        }
    }
}

impl fmt::Display for AnyGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "chess")]
            AnyGameError::Chess(error) => error.fmt(f),
            #[cfg(feature = "othello")]
            AnyGameError::Othello(error) => error.fmt(f),
            #[cfg(feature = "xiangqi")]
            AnyGameError::Xiangqi(error) => error.fmt(f),
            AnyGameError::Other(error) => error.fmt(f),
        }
    }
}
