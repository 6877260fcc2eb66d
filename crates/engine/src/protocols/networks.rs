//! The evaluation networks of an engine, by the option `EvalFile`.

use std::fs;

use alfil_session::{GameSession, SessionError};

use super::engine::Engine;

/// The value of `EvalFile` that means no file, as UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// The networks that were read from files.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvalFiles {
    /// The last value of the option.
    path: String,
    /// The game of each network and its bytes.
    networks: Vec<(&'static str, Vec<u8>)>,
}

impl EvalFiles {
    /// Returns the value of the option.
    pub(crate) fn path(&self) -> &str {
        if self.path.is_empty() { EMPTY } else { &self.path }
    }

    /// Gives a session the network of its game, if there is one.
    ///
    /// # Errors
    /// Returns an error if the session does not accept it; it accepted it when the file was read.
    pub(crate) fn apply(&self, session: &mut dyn GameSession) -> Result<(), SessionError> {
        let of_game = self.networks.iter().find(|(game, _)| *game == session.game());
        of_game.map_or(Ok(()), |(_, bytes)| session.set_network(Some(bytes)).map(drop))
    }
}

impl Engine {
    /// Sets the option `EvalFile`: a file with a network of the current game or of another one, which is used when that
    /// game is selected. An empty value returns to the default evaluations. Returns a message for the user.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no network of any game; the evaluation is then unchanged.
    pub(crate) fn set_eval_file(&mut self, path: &str) -> Result<String, SessionError> {
        if path.is_empty() || path == EMPTY {
            self.session.set_network(None)?;
            self.eval_files = EvalFiles::default();
            return Ok("default evaluation".into());
        }
        let located = |error: &dyn std::fmt::Display| {
            SessionError::new(format!("EvalFile {path}: {error}; the evaluation is unchanged"))
        };
        let bytes = fs::read(path).map_err(|error| located(&error))?;
        let (game, description) = match self.session.set_network(Some(&bytes)) {
            Ok(description) => (self.session.game(), description),
            Err(error) => self.find_network_game(&bytes, error).map_err(|error| located(&error))?,
        };
        self.eval_files.networks.retain(|(other, _)| *other != game);
        self.eval_files.networks.push((game, bytes));
        self.eval_files.path = path.into();
        Ok(format!("network {}", description.unwrap_or_default()))
    }

    /// Returns the game of a network that may be selected later, with the description of the network. `error` is that
    /// of the current game.
    fn find_network_game(
        &self,
        bytes: &[u8],
        error: SessionError,
    ) -> Result<(&'static str, Option<String>), SessionError> {
        let mut reason = error;
        for entry in self.registry.entries() {
            let mut session = entry.open(None)?;
            match session.set_network(Some(bytes)) {
                Ok(description) => return Ok((session.game(), description)),
                // The reason of a game without networks says nothing about the file.
                Err(error) if entry.info.has_networks => reason = error,
                Err(_) => {}
            }
        }
        Err(reason)
    }
}
