//! A game of a file as the source of a position: `--pgn FILE --game N`.

use std::path::{Path, PathBuf};

use alfil_batch::packing::read_unpacked;
use alfil_kernel::Waivers;
use alfil_session::{GameSession, NULL_MOVE, TextGame, registry};
use clap::Args;

use crate::errors::Failure;

/// The text of the start position of each game.
const START_POSITION: &str = "startpos";

/// A game of a file.
#[derive(Debug, Args)]
pub(crate) struct GameFileArgs {
    /// Start from the main line of a game in a file (PGN, XQF, DhtmlXQ, CBR, CBL, CBF, UBB, WXF, WTHOR, SGF, GGF,
    /// OBF, transcripts, table of openings); `-` is standard input.
    #[arg(long = "pgn", value_name = "FILE", conflicts_with = "fen")]
    pgn_file: Option<PathBuf>,
    /// Number of the game in the file, counted from 1.
    #[arg(long = "game", value_name = "N", requires = "pgn_file", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game_number: u64,
    /// Number of plies of its main line to play [default: all].
    #[arg(long, value_name = "PLY", requires = "pgn_file")]
    ply: Option<usize>,
}

impl GameFileArgs {
    /// Returns whether a file is named.
    pub(crate) fn is_given(&self) -> bool {
        self.pgn_file.is_some()
    }

    /// Returns the name of the game of which the file has a record, where it says so; `None` without a file, and for
    /// standard input, which can be read only once.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn game_name(&self) -> Result<Option<String>, Failure> {
        let Some(file) = self.pgn_file.as_ref().filter(|file| *file != Path::new("-")) else {
            return Ok(None);
        };
        let (_, bytes) = read_bytes(file)?;
        let game = registry::read_games(&bytes, None)?.into_iter().nth(self.game_number as usize - 1);
        Ok(game.and_then(Result::ok).map(|game| game.game))
    }

    /// Returns all games of the file, or why one cannot be read. A game with an error inside is cut there.
    ///
    /// # Errors
    /// If the file cannot be read or is no file of games.
    pub(crate) fn read_all(
        &self,
        session: &dyn GameSession,
    ) -> Result<Vec<Result<TextGame, String>>, Failure> {
        let Some(file) = &self.pgn_file else { return Ok(Vec::new()) };
        let (name, bytes) = read_bytes(file)?;
        let games = registry::read_games(&bytes, Some(session.game()))?;
        if let [Err(error)] = &games[..] {
            return Err(Failure::Input(format!("{name}: {error}")));
        }
        let checked = games
            .into_iter()
            .map(|game| check_game(session.game(), game.map_err(|error| error.to_string())?));
        Ok(checked.collect())
    }

    /// Opens the start position of the game of the file in the session and plays its main line. Returns the text of the
    /// start position.
    ///
    /// # Errors
    /// If the file cannot be read, has no such game, or the game is of another kind; the error names the place.
    pub(crate) fn open_in(
        &self,
        session: &mut dyn GameSession,
        waivers: &Waivers,
    ) -> Result<String, Failure> {
        let Some(file) = &self.pgn_file else { return Ok(START_POSITION.into()) };
        let (name, bytes) = read_bytes(file)?;
        let number = self.game_number;
        let located = |error: String| Failure::Input(format!("{name}: {error}"));
        let mut games = registry::read_games(&bytes, Some(session.game()))?;
        // The error of a file that is no file of games concerns every number.
        let count = games.len() as u64;
        if let ([Err(error)], 2..) = (&games[..], number) {
            return Err(located(error.to_string()));
        }
        if number > count {
            return Err(located(match count {
                0 => "there is no game in the file".into(),
                1 => format!("there is one game in the file, and no game {number}"),
                _ => format!("there are {count} games in the file, and no game {number}"),
            }));
        }
        let game = games.swap_remove(number as usize - 1).map_err(|error| located(error.to_string()))?;
        if game.game != session.game() {
            let (found, expected) = (&game.game, session.game());
            return Err(located(format!("game {number} is a game of {found}, not of {expected}")));
        }
        let located = |error: String| located(format!("game {number}: {error}"));
        let start = game.start.as_deref().unwrap_or(START_POSITION);
        session.open(start, waivers).map_err(|error| located(error.message))?;
        let moves = game.main_line();
        let plies = self.ply.unwrap_or(moves.len());
        let Some(moves) = moves.get(..plies) else {
            let reason = game.error.as_ref().map_or(String::new(), |error| format!(": {error}"));
            return Err(located(format!(
                "the main line has {} plies, and no ply {plies}{reason}",
                moves.len()
            )));
        };
        if let (Some(error), None) = (&game.error, self.ply) {
            let message = format!("{name}: {error}; the position before it is at --ply {plies}");
            return Err(Failure::Input(message));
        }
        for (text, ply) in moves.iter().zip(1..) {
            if *text == NULL_MOVE {
                let before = ply - 1;
                return Err(located(format!(
                    "ply {ply} is a null move; the last position is at --ply {before}"
                )));
            }
            session.replay(text, None).map_err(|error| located(error.at_move(ply).message))?;
        }
        Ok(start.to_owned())
    }
}

/// Reads a file, unpacked if it is packed, or standard input if its name is `-`. Returns its name for errors, too.
fn read_bytes(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    let (name, bytes) = if file == Path::new("-") {
        ("standard input".to_owned(), read_unpacked(std::io::stdin()))
    } else {
        (file.display().to_string(), std::fs::File::open(file).and_then(read_unpacked))
    };
    match bytes {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(Failure::Input(format!("cannot read {name}: {error}"))),
    }
}

/// Returns a record, or an error if its game is not that of this name.
pub(crate) fn check_game(name: &str, game: TextGame) -> Result<TextGame, String> {
    match game.game == name {
        true => Ok(game),
        false => Err(format!("a game of {}, not of {name}", game.game)),
    }
}
