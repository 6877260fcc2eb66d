//! The registry entry of a game: its description, boards and record format.

use alfil_records::text_game::TextFormat;

use crate::any_board::BoardGame;
use crate::game_info::GameInfo;
use crate::game_session::GameSession;
use crate::lessons::Introduction;
use crate::session_error::SessionError;

/// The registry entry of a game.
///
/// ```
/// use alfil_session::registry::GAMES;
///
/// let chess = GAMES.iter().find(|entry| entry.info.name() == "chess").unwrap();
/// assert_eq!(chess.board_names()[0], chess.open(None)?.board());
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Debug)]
pub struct GameEntry {
    /// The description of the game.
    pub info: &'static GameInfo,
    /// The game on its default board, for programs that hold boards as objects.
    pub game: &'static dyn BoardGame,
    /// The boards, the default first.
    pub boards: &'static [BoardEntry],
    /// The reading and writing of the game's records.
    pub records: TextFormat,
    /// How the pieces move and how a game ends, for people who do not know the game.
    pub introduction: &'static Introduction,
}

/// A board of a game.
#[derive(Clone, Copy, Debug)]
pub struct BoardEntry {
    /// The name of the board on the command line.
    pub name: &'static str,
    /// Opens a session at the start position.
    pub open: fn() -> Box<dyn GameSession>,
}

impl GameEntry {
    /// Returns the names of the boards, the default first.
    pub fn board_names(&self) -> Vec<&'static str> {
        self.boards.iter().map(|board| board.name).collect()
    }

    /// Opens a session at the start position, on the default board if `board` is `None`.
    ///
    /// # Errors
    /// Returns an error if the game has no such board.
    pub fn open(&self, board: Option<&str>) -> Result<Box<dyn GameSession>, SessionError> {
        let name = board.unwrap_or(self.boards[0].name);
        let Some(entry) = self.boards.iter().find(|entry| entry.name == name) else {
            let (game, boards) = (self.info.name(), self.board_names().join(", "));
            return Err(SessionError::new(format!("{game} has no board {name:?}: its boards are {boards}")));
        };
        Ok((entry.open)())
    }
}
