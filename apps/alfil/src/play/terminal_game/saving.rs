//! Saving a game as PGN, going on with one, and keeping the game of a person who leaves.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use alfil_batch::temporary_file::create_temporary;
use alfil_kernel::{Side, Waivers};
use alfil_session::played_game::{GameRecord, PlayedGame, TreeClock};
use alfil_session::{MoveTree, NULL_MOVE, SessionError, TextGame, TextMove, random_seed, registry};

use super::super::messages::Message;
use super::TerminalGame;
use crate::match_command::game_row::pgn_date;
use crate::output::write_file;

/// The file of a game.
#[derive(Clone, Debug)]
pub(super) struct SavedGame {
    /// The file to which the game was saved, which may be replaced by a game that goes on from there.
    path: Option<PathBuf>,
    /// The moves in the file, and whether the game is over in it; at first those with which the game began.
    state: (Vec<String>, bool),
}

impl SavedGame {
    /// Returns the state of a game that has nothing to keep yet.
    pub(super) fn of_new_game(moves: Vec<String>) -> SavedGame {
        SavedGame { path: None, state: (moves, false) }
    }
}

/// Where a game is kept.
#[derive(Clone, Debug)]
enum Place {
    /// The file to which it was saved before.
    File(PathBuf),
    /// A new file in a folder.
    NewFile(PathBuf),
}

/// A game whose moves are in no file, ready to be written by any thread.
#[derive(Clone, Debug)]
pub(crate) struct UnsavedGame {
    game: &'static str,
    place: Place,
    pgn: String,
}

impl UnsavedGame {
    /// Writes the game; returns the path of its file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(&self) -> io::Result<PathBuf> {
        let folder = match &self.place {
            Place::File(path) => {
                write_file(path, self.pgn.as_bytes()).map_err(io::Error::other)?;
                return Ok(path.clone());
            }
            Place::NewFile(folder) => folder,
        };
        fs::create_dir_all(folder)?;
        let mut file = create_temporary(folder)?;
        file.write_all(self.pgn.as_bytes())?;
        file.as_file().sync_all()?;
        for number in 1_u64.. {
            let path = folder.join(format!("{}-{number}.pgn", self.game));
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => file = error.file,
                Err(error) => return Err(error.error),
            }
        }
        unreachable!("there are fewer files than numbers")
    }
}

impl TerminalGame {
    fn state(&self) -> (Vec<String>, bool) {
        (self.session().played_moves(None).unwrap_or_default(), self.is_over())
    }

    /// Returns whether the game has moves that are in no file.
    pub(crate) fn has_unsaved_moves(&self) -> bool {
        let state = self.state();
        state != self.saved.state && !state.0.is_empty()
    }

    /// Returns the game as PGN.
    fn pgn(&mut self) -> Result<String, SessionError> {
        let info = self.session().info();
        let mut game = TextGame {
            game: info.name().to_owned(),
            start: Some(self.played.record().start.clone()).filter(|start| start != "startpos"),
            result: self.played.outcome()?,
            ..TextGame::default()
        };
        game.tags.set("Date", pgn_date(SystemTime::now()));
        let computer = format!("Alfil, level {}", self.level());
        for side in Side::BOTH {
            let name = if side == self.person() { "Person" } else { &computer };
            game.tags.set(self.session().appearance().sides[side.index()], name);
        }
        let moves = self.session().played_moves(None)?;
        let moves = moves.into_iter().map(|text| TextMove { text, ..TextMove::default() });
        game.moves = MoveTree::from_line(TextMove::default(), moves);
        registry::write_game(&game, Some(self.dialect()))
    }

    /// Saves the game to a file; the message says so, or why not. A file that exists is replaced only if this game was
    /// saved there before.
    pub(crate) fn save(&mut self, path: &Path) {
        let name = path.display().to_string();
        let is_own = self.saved.path.as_deref() == Some(path);
        if path.is_file() && !is_own {
            self.message = self.format_message(Message::FileExists, &[&name]);
            return;
        }
        let written = self.pgn().map_err(|error| self.error_text(&error));
        let written =
            written.and_then(|pgn| write_file(path, pgn.as_bytes()).map_err(|error| format!("{error:#}")));
        self.message = match written {
            Ok(()) => {
                self.saved = SavedGame { path: Some(path.to_owned()), state: self.state() };
                self.format_message(Message::Saved, &[&name])
            }
            Err(error) => error,
        };
    }

    /// Returns the file to which the game is saved if the person names none: the one where it was saved, or a new one.
    pub(crate) fn proposed_file(&self) -> PathBuf {
        self.saved.path.clone().unwrap_or_else(|| {
            let names =
                (1_u64..).map(|number| PathBuf::from(format!("{}-{number}.pgn", self.session().game())));
            names.into_iter().find(|path| !path.exists()).unwrap_or_default()
        })
    }

    /// Goes on with the main line of the first game of a file; the message says so, or why not. The game before is
    /// kept.
    pub(crate) fn load(&mut self, path: &Path) {
        let loaded = self.read_game(path);
        self.message = match loaded {
            Ok(game) => {
                let kept = self.keep();
                self.replace_game(game);
                let name = path.display().to_string();
                let loaded = self.format_message(Message::Loaded, &[&name]);
                match kept {
                    None => loaded,
                    Some(kept) => format!("{loaded} {kept}"),
                }
            }
            Err(error) => self.error_text(&error),
        };
    }

    fn read_game(&self, path: &Path) -> Result<PlayedGame, SessionError> {
        let located =
            |error: &dyn std::fmt::Display| SessionError::new(format!("{}: {error}", path.display()));
        let bytes = fs::read(path).map_err(|error| located(&error))?;
        let name = self.session().game();
        let first = registry::read_games(&bytes, Some(name))?.into_iter().next();
        let game = first.ok_or_else(|| located(&"there is no game in the file"))?;
        let game = game.and_then(TextGame::into_complete).map_err(|error| located(&error))?;
        if game.game != name {
            return Err(located(&format_args!("this is a game of {}, not of {name}", game.game)));
        }
        let mut session = registry::open(name, None)?;
        if let Some(ruleset) = self.ruleset() {
            session.set_ruleset(ruleset)?;
        }
        let start = game.start.clone().unwrap_or_else(|| "startpos".into());
        session.open(&start, &Waivers::None)?;
        for (ply, text) in (1..).zip(game.main_line()) {
            if text == NULL_MOVE {
                return Err(located(&format_args!("ply {ply} is a null move")));
            }
            session.replay(text, None).map_err(|error| located(&error.at_move(ply)))?;
        }
        let record = self.played.record();
        let clock = self.clock().map(|clock| TreeClock::new(clock.snapshot().time_control));
        let record = GameRecord {
            start,
            players: record.players.clone(),
            level: record.level,
            dialect: record.dialect.clone(),
            ruleset: record.ruleset.clone(),
            clock,
            ..GameRecord::new(name)
        };
        PlayedGame::from_session(session, record)
    }

    fn replace_game(&mut self, game: PlayedGame) {
        self.stop_search();
        self.move_to_confirm = None;
        self.played = game;
        self.saved = SavedGame::of_new_game(self.state().0);
        self.seed = random_seed();
    }

    /// Saves the game of a person who leaves, if it has moves that are in no file. Returns what to say: where it is,
    /// and how to go on with it.
    pub(crate) fn keep(&mut self) -> Option<String> {
        if !self.has_unsaved_moves() {
            return None;
        }
        let kept = self.unsaved().and_then(|unsaved| unsaved.write());
        Some(match kept {
            Ok(path) => {
                self.saved = SavedGame { path: Some(path.clone()), state: self.state() };
                let command = self.command_to_go_on(&path);
                self.format_message(Message::Kept, &[&path.display().to_string(), &command])
            }
            Err(error) => self.format_message(Message::NotKept, &[&error.to_string()]),
        })
    }

    /// Returns the game as it is kept.
    ///
    /// # Errors
    /// If the system has no folder for data.
    pub(crate) fn unsaved(&mut self) -> io::Result<UnsavedGame> {
        let pgn = self.pgn().map_err(|error| io::Error::other(error.message))?;
        // A game whose moves were taken back does not replace the longer one that the person saved.
        let goes_on = self.state().0.starts_with(&self.saved.state.0);
        let place = match (self.saved.path.as_ref().filter(|_| goes_on), &self.kept_games) {
            (Some(path), _) => Place::File(path.clone()),
            (None, Some(folder)) => Place::NewFile(folder.clone()),
            (None, None) => return Err(io::Error::other("there is no folder for data")),
        };
        Ok(UnsavedGame { game: self.session().game(), place, pgn })
    }

    /// Returns the command line that goes on with a game.
    fn command_to_go_on(&self, path: &Path) -> String {
        let game = self.session().game();
        let path = path.display().to_string();
        let mut command = format!("alfil play {game} --pgn {}", shell_words::quote(&path));
        if self.person() == Side::Second {
            command += " --side 2";
        }
        // The file does not say by which rules the game is judged.
        if let Some(ruleset) = &self.played.record().ruleset {
            command += &format!(" --rules {ruleset}");
        }
        format!("{command} --level {}", self.level())
    }
}
