//! The games and their boards: one row a game.

use std::io::{self, Read};

use alfil_records::text_game::{self, GameResult, TextGame};
use alfil_records::{FileFormat, OpeningNames, TextGames};

use crate::any_board::{AnyBoard, BoardGame};
use crate::game_entry::GameEntry;
use crate::game_info::GameInfo;
use crate::game_session::GameSession;
use crate::games;
use crate::session_error::SessionError;

/// The games of the program, the default first.
pub static GAMES: [&GameEntry; 3] = [&games::xiangqi::ENTRY, &games::chess::ENTRY, &games::othello::ENTRY];

/// The games that sessions can be opened for: those of the program and, for tests, others.
///
/// ```
/// use alfil_session::Registry;
///
/// let registry = Registry::default();
/// assert_eq!(registry.games().collect::<Vec<_>>(), ["xiangqi", "chess", "othello"]);
/// let error = registry.open("go", None).err().unwrap();
/// assert_eq!(error.to_string(), r#"there is no game "go": the games are xiangqi, chess, othello"#);
/// ```
#[derive(Clone, Debug)]
pub struct Registry {
    entries: Vec<&'static GameEntry>,
}

impl Default for Registry {
    /// Returns the registry of [`GAMES`].
    fn default() -> Self {
        Registry { entries: GAMES.to_vec() }
    }
}

impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        self.games().eq(other.games())
    }
}

impl Eq for Registry {}

impl Registry {
    /// Adds a game.
    #[must_use]
    pub fn with(mut self, entry: &'static GameEntry) -> Self {
        self.entries.push(entry);
        self
    }

    /// Returns the entries of the games.
    pub fn entries(&self) -> &[&'static GameEntry] {
        &self.entries
    }

    /// Returns the names of the games.
    pub fn games(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.info.name())
    }

    /// Returns the entry of a game.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub fn entry(&self, game: &str) -> Result<&'static GameEntry, SessionError> {
        find(&self.entries, game)
    }

    /// Opens a session at the start position of a game, on its default board if `board` is `None`.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or the game has no such board.
    pub fn open(&self, game: &str, board: Option<&str>) -> Result<Box<dyn GameSession>, SessionError> {
        find(&self.entries, game)?.open(board)
    }

    /// Reads a file of games: see [`read_games`].
    ///
    /// # Errors
    /// Returns an error if there is no game `hint`.
    pub fn read_games(&self, bytes: &[u8], hint: Option<&str>) -> Result<Vec<GameResult>, SessionError> {
        let hint = hint.map(|hint| self.entry(hint)).transpose()?;
        let formats: Vec<_> = self.entries.iter().map(|entry| &entry.records).collect();
        Ok(text_game::parse_games(bytes, &formats, hint.map(|entry| &entry.records)))
    }

    /// Returns the named openings of a game: see [`opening_names`].
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub fn opening_names(&self, game: &str) -> Result<OpeningNames, SessionError> {
        Ok(self.entry(game)?.records.opening_names())
    }

    /// Writes games as one file: see [`write_file`].
    ///
    /// # Errors
    /// As [`write_file`].
    pub fn write_file(&self, format: FileFormat, games: &[TextGame]) -> Result<Vec<u8>, SessionError> {
        let Some(first) = games.first() else { return Err(SessionError::new("there are no games to write")) };
        let records = &self.entry(&first.game)?.records;
        records.format_file(format, games).map_err(|error| SessionError::new(error.to_string()))
    }

    /// Formats a game as PGN: see [`write_game`].
    ///
    /// # Errors
    /// Returns an error if there is no such game or dialect, or a move of the game is illegal.
    pub fn write_game(&self, game: &TextGame, dialect: Option<&str>) -> Result<String, SessionError> {
        let format = &self.entry(&game.game)?.records;
        format.format_pgn(game, dialect).map_err(|error| SessionError::new(error.to_string()))
    }
}

fn find(entries: &[&'static GameEntry], game: &str) -> Result<&'static GameEntry, SessionError> {
    entries.iter().copied().find(|entry| entry.info.name() == game).ok_or_else(|| {
        let games = entries.iter().map(|entry| entry.info.name()).collect::<Vec<_>>().join(", ");
        SessionError::new(format!("there is no game {game:?}: the games are {games}"))
    })
}

/// Checks that a game of the program has a ruleset of this name.
///
/// ```
/// use alfil_session::registry;
///
/// assert!(registry::check_ruleset("cxa2020").is_ok());
/// let error = registry::check_ruleset("village").unwrap_err();
/// assert!(error.to_string().contains("the rulesets are "), "{error}");
/// ```
///
/// # Errors
/// Returns an error with the names if none has.
pub fn check_ruleset(name: &str) -> Result<(), SessionError> {
    let rulesets = || GAMES.iter().flat_map(|entry| entry.info.rulesets).map(|ruleset| ruleset.name);
    if rulesets().any(|known| known == name) {
        return Ok(());
    }
    let names = rulesets().collect::<Vec<_>>().join(", ");
    Err(SessionError::new(format!("there is no ruleset {name:?}; the rulesets are {names}")))
}

/// Returns the names of the games of the program.
pub fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|entry| entry.info.name())
}

/// Returns the description of a game of the program.
///
/// ```
/// use alfil_session::registry;
///
/// let chess = registry::info("chess")?;
/// assert_eq!((chess.appearance.title, chess.names_zh.title), ("Chess", "国际象棋"));
/// assert_eq!((chess.appearance.files, chess.has_solver), (8, false));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such game.
pub fn info(game: &str) -> Result<&'static GameInfo, SessionError> {
    find(&GAMES, game).map(|entry| entry.info)
}

/// Opens a session of a game of the program: see [`Registry::open`].
///
/// # Errors
/// Returns an error if there is no such game, or the game has no such board.
pub fn open(game: &str, board: Option<&str>) -> Result<Box<dyn GameSession>, SessionError> {
    find(&GAMES, game)?.open(board)
}

/// Opens a session at the position of a board, with the moves that led to it.
///
/// ```
/// use alfil_session::registry;
///
/// let mut board = registry::board_game("chess")?.open(None, &[])?;
/// let mv = board.parse("e4", None)?;
/// board.push(mv)?;
/// let session = registry::open_board(&*board)?;
/// assert_eq!(session.played_moves(Some("san"))?, ["e4"]);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if the board is of a game that the program has not.
pub fn open_board(board: &dyn AnyBoard) -> Result<Box<dyn GameSession>, SessionError> {
    let mut session = open(board.game().name(), None)?;
    session.set_board(board)?;
    Ok(session)
}

/// Returns a game of the program whose boards are objects.
///
/// # Errors
/// Returns an error if there is no such game.
pub fn board_game(game: &str) -> Result<&'static dyn BoardGame, SessionError> {
    find(&GAMES, game).map(|entry| entry.game)
}

/// Reads a file of games in any format that is read: see [`FileFormat`]. The file says which game it contains; where it
/// does not, `hint` decides. A bad move ends its game with an error that has its place and reason; a game of which
/// nothing can be read is an error.
///
/// ```
/// use alfil_session::registry;
///
/// let file = b"[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e5 *\n";
/// let games = registry::read_games(file, Some("chess"))?;
/// assert_eq!(games[0].as_ref().unwrap().moves[1].text, "e2e4");
/// assert!(games[1].as_ref().unwrap_err().to_string().starts_with("game 2, line 7, byte 41, move 1. e5: "));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no game `hint`.
pub fn read_games(bytes: &[u8], hint: Option<&str>) -> Result<Vec<GameResult>, SessionError> {
    Registry::default().read_games(bytes, hint)
}

/// Reads a file of games as [`read_games`], one game after another. Of PGN, one game is in memory at a time.
///
/// ```
/// use alfil_session::registry;
///
/// let mut games = registry::stream_games(&b"1. e4 e5 *\n\n1. d4 *\n"[..], Some("chess")).unwrap();
/// assert_eq!(games.next_game()?.unwrap().game.unwrap().moves.move_count(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of the input, and an error if there is no game `hint`.
pub fn stream_games<R: Read>(input: R, hint: Option<&str>) -> io::Result<TextGames<'static, R>> {
    let hint = hint.map(|hint| find(&GAMES, hint)).transpose().map_err(io::Error::other)?;
    let formats = GAMES.iter().map(|entry| &entry.records).collect();
    TextGames::new(input, formats, hint.map(|entry| &entry.records))
}

/// Returns the named openings of a game. All of them are played here: keep the value.
///
/// ```
/// use alfil_session::registry;
///
/// let names = registry::opening_names("xiangqi")?;
/// let mut session = registry::open("xiangqi", None)?;
/// for mv in ["h2e2", "h7e7", "h0g2"] {
///     session.play(mv, None)?;
/// }
/// let opening = session.opening(&names).unwrap();
/// assert_eq!((opening.name, opening.name_zh), ("Same-Direction Cannons", "顺炮局"));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such game.
pub fn opening_names(game: &str) -> Result<OpeningNames, SessionError> {
    Registry::default().opening_names(game)
}

/// Writes games of one kind as one file of a format other than PGN.
///
/// ```
/// use alfil_session::{FileFormat, registry};
///
/// let games = registry::read_games(b"f5d6c3d3c4", Some("othello"))?;
/// let game = games[0].clone().expect("a game");
/// assert!(registry::write_file(FileFormat::OthelloSgf, &[game])?.ends_with(b";B[f5];W[d6];B[c3];W[d3];B[c4])\n"));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there are no games, or if they cannot be written in this format.
pub fn write_file(format: FileFormat, games: &[TextGame]) -> Result<Vec<u8>, SessionError> {
    Registry::default().write_file(format, games)
}

/// Formats a game as PGN, its moves in the record dialect that is closest to `dialect`, or in the default one.
///
/// ```
/// use alfil_session::registry;
///
/// let games = registry::read_games("1. 炮二平五 马8进7 *".as_bytes(), Some("xiangqi"))?;
/// let pgn = registry::write_game(games[0].as_ref().unwrap(), Some("wxf"))?;
/// assert!(pgn.ends_with("1. C2.5 N8+7 *\n"), "{pgn}");
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such game or dialect, or a move of the game is illegal.
pub fn write_game(game: &TextGame, dialect: Option<&str>) -> Result<String, SessionError> {
    Registry::default().write_game(game, dialect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_a_solver_say_so() {
        for entry in GAMES {
            // A file without problems is read where there is a solver.
            let session = entry.open(None).unwrap();
            assert_eq!(session.parse_problems("").is_ok(), entry.info.has_solver, "{}", session.game());
        }
    }

    #[test]
    fn exactly_the_listed_boards_open() {
        for entry in GAMES {
            let game = entry.info.name();
            for board in entry.board_names() {
                let session = open(game, Some(board)).unwrap();
                assert_eq!((session.game(), session.board()), (game, board));
                assert_eq!(session.info().name(), game);
            }
            let error = open(game, Some("slate")).err().unwrap();
            assert!(error.message.contains(entry.boards[0].name), "{error}");
        }
        assert!(open("go", None).is_err_and(|error| error.message.contains("xiangqi")));
    }
}
