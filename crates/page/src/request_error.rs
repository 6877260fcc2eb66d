//! Errors of requests: a message, and a code for errors whose text the page supplies in its own language.

use alfil_session::SessionError;
use alfil_session::game_clock::TimeControlError;
use alfil_session::played_game::PlayError;
use serde::Serialize;

/// The code of an error whose text the page supplies in its own language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The game is over, or a player has run out of time.
    #[serde(rename = "over")]
    GameOver,
    /// Another window has changed the game.
    Changed,
    /// There is no saved game, deleted game or collection with this id.
    #[serde(rename = "gone")]
    NotFound,
    /// The pasted text belongs to another game.
    #[serde(rename = "other")]
    OtherGame,
    /// The pasted text has neither a position nor a move.
    #[serde(rename = "empty")]
    NoContent,
    /// The search failed.
    #[serde(rename = "failed")]
    SearchFailed,
    /// There is no edit to undo or redo.
    NoEdit,
    /// The store cannot be written: the change is in memory alone, and an event says why.
    NotSaved,
}

/// An error of a request.
///
/// ```
/// use alfil_page::RequestError;
/// use alfil_page::wire::ErrorCode;
///
/// let error = RequestError::new(ErrorCode::NotFound, "there is no saved game");
/// assert_eq!(error.code, Some(ErrorCode::NotFound));
/// assert_eq!(RequestError::from("there is no open game").code, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The code of an error whose text the page supplies; the field `cause` of the response.
    pub code: Option<ErrorCode>,
    /// The message in English.
    pub message: String,
    /// The message in Chinese; errors with a code need none.
    pub message_zh: Option<String>,
    /// The game that the pasted text belongs to, if it is another one.
    pub other_game: Option<&'static str>,
    /// Whether the pasted text is a position all of whose issues can be waived in the position editor.
    pub waivable: bool,
}

impl RequestError {
    /// Creates an error with a code.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> RequestError {
        RequestError {
            code: Some(code),
            message: message.into(),
            message_zh: None,
            other_game: None,
            waivable: false,
        }
    }

    /// Creates the error of a text that belongs to another game than the open one.
    pub(crate) fn other_game(other: &'static str, game: &str) -> RequestError {
        let message = format!("this text belongs to {other}, but the open game is {game}");
        RequestError { other_game: Some(other), ..RequestError::new(ErrorCode::OtherGame, message) }
    }

    /// Creates the error of a request on a game that another window has changed.
    pub(crate) fn changed() -> RequestError {
        RequestError::new(ErrorCode::Changed, "another window has changed this game: check it and try again")
    }

    /// Creates the error of a change that is in memory alone.
    pub(crate) fn not_saved(reason: &SessionError) -> RequestError {
        RequestError::new(ErrorCode::NotSaved, format!("the change is not saved: {}", reason.message))
    }

    /// Creates the error of a collection that does not exist.
    ///
    /// ```
    /// use alfil_page::RequestError;
    /// use alfil_page::wire::ErrorCode;
    ///
    /// let error = RequestError::no_collection("a0");
    /// assert_eq!((error.code, &*error.message), (Some(ErrorCode::NotFound), "there is no collection \"a0\""));
    /// ```
    pub fn no_collection(id: &str) -> RequestError {
        RequestError::new(ErrorCode::NotFound, format!("there is no collection {id:?}"))
    }

    /// Creates the error of a text without position and moves.
    pub(crate) fn no_content() -> RequestError {
        RequestError::new(ErrorCode::NoContent, "this text contains neither a position nor a move")
    }
}

impl From<PlayError> for RequestError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Session(error) => error.into(),
            PlayError::GameOver | PlayError::OutOfTime => {
                RequestError::new(ErrorCode::GameOver, error.to_string())
            }
            PlayError::NothingToUndo | PlayError::NothingToRedo => {
                RequestError::new(ErrorCode::NoEdit, error.to_string())
            }
            // The page offers resignation only while a person plays, so no code and no Chinese text are needed.
            PlayError::NoPerson => error.to_string().into(),
        }
    }
}

impl From<SessionError> for RequestError {
    fn from(error: SessionError) -> Self {
        RequestError {
            code: None,
            message: error.message,
            message_zh: error.message_zh,
            other_game: None,
            waivable: false,
        }
    }
}

impl From<TimeControlError> for RequestError {
    fn from(error: TimeControlError) -> Self {
        RequestError::from(error.to_string())
    }
}

impl From<String> for RequestError {
    fn from(message: String) -> Self {
        RequestError { code: None, message, message_zh: None, other_game: None, waivable: false }
    }
}

impl From<&str> for RequestError {
    fn from(message: &str) -> Self {
        RequestError::from(message.to_owned())
    }
}
