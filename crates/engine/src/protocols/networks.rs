//! The evaluation networks of an engine, by the option `EvalFile`.

use std::fs;
use std::sync::Arc;

use alfil_session::{EvaluationChoice, GameSession, Registry, SessionError};

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
pub(crate) fn evaluation_message(session: &dyn GameSession) -> String {
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

    /// Sets the option `EvalFile`: a file with a network of the current game or of another one, which is used when that
    /// game is selected. An empty value returns to the built-in evaluations. Returns a message for the user.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no network of any game; the evaluation is then unchanged.
    pub(crate) fn set(
        &mut self,
        path: &str,
        session: &mut dyn GameSession,
        registry: &Registry,
    ) -> Result<String, SessionError> {
        let without_file = match path {
            "" | EMPTY => Some((String::new(), EvaluationChoice::BuiltIn)),
            TERMS => Some((path.into(), EvaluationChoice::Terms)),
            _ => None,
        };
        if let Some((path, others)) = without_file {
            session.set_evaluation(&others)?;
            *self = EvalFiles { path, networks: Vec::new(), others };
            return Ok(evaluation_message(session));
        }
        let located = |error: &dyn std::fmt::Display| {
            SessionError::new(format!("EvalFile {path}: {error}; the evaluation is unchanged"))
        };
        let bytes: Arc<[u8]> = fs::read(path).map_err(|error| located(&error))?.into();
        let network = EvaluationChoice::Network(bytes.clone());
        let (game, message) = match session.set_evaluation(&network) {
            Ok(()) => (session.game(), evaluation_message(session)),
            Err(error) => {
                find_network_game(registry, &network, &bytes, error).map_err(|error| located(&error))?
            }
        };
        self.networks.retain(|(other, _)| *other != game);
        self.networks.push((game, network));
        self.path = path.into();
        Ok(message)
    }
}

/// Returns the game of a network that may be selected later, with the message for the user. `error` is that of the
/// current game.
fn find_network_game(
    registry: &Registry,
    network: &EvaluationChoice,
    bytes: &[u8],
    error: SessionError,
) -> Result<(&'static str, String), SessionError> {
    let mut reason = error;
    for entry in registry.entries() {
        let mut session = entry.open(None)?;
        match session.set_evaluation(network) {
            Ok(()) => {
                let (game, message) = (session.game(), evaluation_message(session.as_ref()));
                return Ok((game, format!("{message}; it is used when the game is {game}")));
            }
            // A game whose files begin otherwise, or that has none, says nothing about this file.
            Err(error) if entry.info.network_magic.is_some_and(|magic| bytes.starts_with(&magic)) => {
                reason = error;
            }
            Err(_) => {}
        }
    }
    Err(reason)
}
