//! The games of this module. The registry of the program has all boards of each game, with their searches.

#[cfg(feature = "records")]
use alfil_records::text_game::TextFormat;
#[cfg(feature = "boards")]
use alfil_session::any_board::{BoardGame, board_game};

use crate::errors::Error;
#[cfg(feature = "player")]
use crate::player::{self, ShownGame};
#[cfg(feature = "player")]
use crate::requests::Request;

/// A game of this module.
pub(crate) struct Game {
    pub(crate) name: &'static str,
    #[cfg(feature = "boards")]
    pub(crate) boards: &'static dyn BoardGame,
    /// Reads a game for the player.
    #[cfg(feature = "player")]
    pub(crate) read: fn(&Request) -> Result<ShownGame, Error>,
    /// Reads and writes files of games.
    #[cfg(feature = "records")]
    pub(crate) records: TextFormat,
}

/// The games of this module.
pub(crate) static GAMES: &[Game] = &[
    #[cfg(feature = "xiangqi")]
    Game {
        name: "xiangqi",
        #[cfg(feature = "boards")]
        boards: board_game::<alfil_xiangqi::Bitboard>(),
        #[cfg(feature = "player")]
        read: player::read::<alfil_xiangqi::Bitboard>,
        #[cfg(feature = "records")]
        records: TextFormat::new::<alfil_xiangqi::Xiangqi>(),
    },
    #[cfg(feature = "chess")]
    Game {
        name: "chess",
        #[cfg(feature = "boards")]
        boards: board_game::<alfil_chess::Bitboard>(),
        #[cfg(feature = "player")]
        read: player::read::<alfil_chess::Bitboard>,
        #[cfg(feature = "records")]
        records: TextFormat::new::<alfil_chess::Chess>(),
    },
    #[cfg(feature = "othello")]
    Game {
        name: "othello",
        #[cfg(feature = "boards")]
        boards: board_game::<alfil_othello::Bitboard>(),
        #[cfg(feature = "player")]
        read: player::read::<alfil_othello::Bitboard>,
        #[cfg(feature = "records")]
        records: TextFormat::new::<alfil_othello::Othello>(),
    },
];

/// Returns the game of a name.
///
/// # Errors
/// Returns an error if this module does not have it.
pub(crate) fn find(name: &str) -> Result<&'static Game, Error> {
    GAMES.iter().find(|game| game.name == name).ok_or_else(|| {
        let games = GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", ");
        Error::argument(format!("there is no game {name:?} in this module: its games are {games}"))
    })
}
