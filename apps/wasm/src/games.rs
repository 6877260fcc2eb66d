//! The games of this module.

use crate::errors::Error;

/// The games of this module.
pub(crate) const GAMES: &[&str] = &[
    #[cfg(feature = "xiangqi")]
    "xiangqi",
    #[cfg(feature = "chess")]
    "chess",
    #[cfg(feature = "othello")]
    "othello",
];

/// Evaluates an expression with `$board` as the type of the board of a game.
macro_rules! for_game {
    ($name:expr, $board:ident => $value:expr) => {
        match $name {
            #[cfg(feature = "xiangqi")]
            "xiangqi" => {
                type $board = alfil_xiangqi::Bitboard;
                $value
            }
            #[cfg(feature = "chess")]
            "chess" => {
                type $board = alfil_chess::Bitboard;
                $value
            }
            #[cfg(feature = "othello")]
            "othello" => {
                type $board = alfil_othello::Bitboard;
                $value
            }
            other => Err($crate::games::no_game(other)),
        }
    };
}
pub(crate) use for_game;

/// Returns the error of an unknown game.
pub(crate) fn no_game(name: &str) -> Error {
    let games = GAMES.join(", ");
    Error::argument(format!("there is no game {name:?} in this module: its games are {games}"))
}
