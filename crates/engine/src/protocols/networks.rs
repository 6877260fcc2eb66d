//! The evaluation networks of an engine, by the option `EvalFile`.

use std::fs;
use std::sync::Arc;

use alfil_session::{EvaluationChoice, GameSession, SessionError};

use super::engine::Engine;

/// The value of `EvalFile` that means no file, as UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// The value of `EvalFile` that means the hand-made terms.
const TERMS: &str = "<terms>";

/// The evaluation of each game.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvalFiles {
    /// The last value of the option.
    path: String,
    /// The games with a network from a file, and the network.
    networks: Vec<(&'static str, EvaluationChoice)>,
    /// The evaluation of the other games: built-in, or hand-made terms.
    others: EvaluationChoice,
}

/// Returns a sentence with the evaluation of a session.
fn evaluation_message(session: &dyn GameSession) -> String {
    match session.evaluation_network() {
        Some(network) => format!("evaluation by the network {network}"),
        None => format!("evaluation of {} by hand-made terms", session.game()),
    }
}

impl EvalFiles {
    /// Returns the value of the option.
    pub(crate) fn path(&self) -> &str {
        if self.path.is_empty() { EMPTY } else { &self.path }
    }

    /// Gives a session the evaluation of its game.
    ///
    /// # Errors
    /// Returns an error if the session does not accept it; it accepted it when the file was read.
    pub(crate) fn apply(&self, session: &mut dyn GameSession) -> Result<(), SessionError> {
        let of_game = self.networks.iter().find(|(game, _)| *game == session.game());
        session.set_evaluation(of_game.map_or(&self.others, |(_, network)| network))
    }
}

impl Engine {
    /// Sets the option `EvalFile`: a file with a network of the current game or of another one, which is used when that
    /// game is selected. An empty value returns to the built-in evaluations. Returns a message for the user.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no network of any game; the evaluation is then unchanged.
    pub(crate) fn set_eval_file(&mut self, path: &str) -> Result<String, SessionError> {
        let without_file = match path {
            "" | EMPTY => Some((String::new(), EvaluationChoice::BuiltIn)),
            TERMS => Some((path.into(), EvaluationChoice::Terms)),
            _ => None,
        };
        if let Some((path, others)) = without_file {
            self.session.set_evaluation(&others)?;
            self.eval_files = EvalFiles { path, networks: Vec::new(), others };
            return Ok(self.evaluation_message());
        }
        let located = |error: &dyn std::fmt::Display| {
            SessionError::new(format!("EvalFile {path}: {error}; the evaluation is unchanged"))
        };
        let bytes: Arc<[u8]> = fs::read(path).map_err(|error| located(&error))?.into();
        let network = EvaluationChoice::Network(bytes.clone());
        let (game, message) = match self.session.set_evaluation(&network) {
            Ok(()) => (self.session.game(), self.evaluation_message()),
            Err(error) => self.find_network_game(&network, &bytes, error).map_err(|error| located(&error))?,
        };
        self.eval_files.networks.retain(|(other, _)| *other != game);
        self.eval_files.networks.push((game, network));
        self.eval_files.path = path.into();
        Ok(message)
    }

    /// Returns a sentence with the evaluation of the current game.
    pub(crate) fn evaluation_message(&self) -> String {
        evaluation_message(self.session.as_ref())
    }

    /// Returns the game of a network that may be selected later, with the message for the user. `error` is that of the
    /// current game.
    fn find_network_game(
        &self,
        network: &EvaluationChoice,
        bytes: &[u8],
        error: SessionError,
    ) -> Result<(&'static str, String), SessionError> {
        let mut reason = error;
        for entry in self.registry.entries() {
            let mut session = entry.open(None)?;
            match session.set_evaluation(network) {
                Ok(()) => return Ok((session.game(), evaluation_message(session.as_ref()))),
                // A game whose files begin otherwise, or that has none, says nothing about this file.
                Err(error) if entry.info.network_magic.is_some_and(|magic| bytes.starts_with(&magic)) => {
                    reason = error;
                }
                Err(_) => {}
            }
        }
        Err(reason)
    }
}
