//! The searches of a session: what the session requests, and what it receives.

use alfil_engine::SearchEvent;
use alfil_session::played_game::GameRecord;
use alfil_session::{GameSession, SearchLimits, SessionError};

use crate::open_game::OpenGame;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPurpose {
    /// The computer's move.
    Reply,
    /// A hint for the person.
    Hint,
    /// The lines of an analysis.
    Analysis,
    /// The lines of the opponent, if the side to move passed.
    Threat,
    /// The score of a position in a game review.
    Review,
    /// The score of a move that is tried instead of a mistake.
    Trial,
}

/// A position to search.
pub struct SearchRequest<'a> {
    /// The session with the position.
    pub session: &'a dyn GameSession,
    /// The start position of the game as text, from which the moves of the session were played.
    pub start: &'a str,
    /// The ruleset of the game, if one was chosen.
    pub ruleset: Option<&'a str>,
    /// The limits of the search.
    pub limits: &'a SearchLimits,
    /// The external engine that searches; `None` for the built-in one.
    pub engine: Option<&'a str>,
    /// What the session belongs to: a game, a review, a trial or a threat. Searches of different ones do not share
    /// a table.
    pub table: String,
}

impl<'a> SearchRequest<'a> {
    /// Creates the request to search the position of a session with the table of the game.
    pub(crate) fn new(game: &'a OpenGame, session: &'a dyn GameSession, limits: &'a SearchLimits) -> Self {
        let GameRecord { start, ruleset, .. } = game.record();
        let table = format!("game {}", game.id);
        SearchRequest { session, start, ruleset: ruleset.as_deref(), limits, engine: None, table }
    }
}

/// Where the searches of a session run, one at a time. A server has threads for them, a worker of a browser another
/// worker. Dropping it stops the search.
///
/// ```
/// use std::sync::Arc;
///
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::{ClientSession, MemoryStore, PageEnvironment, SearchRequest, SearchSlot, SearchUpdate};
/// use alfil_session::SessionError;
///
/// /// Notes the position that is searched. A real slot searches it on a thread.
/// #[derive(Default)]
/// struct NotedSearch(Option<String>);
/// impl SearchSlot for NotedSearch {
///     fn queue(&mut self) -> bool {
///         false
///     }
///     fn start(&mut self, request: &SearchRequest<'_>) -> Result<(), SessionError> {
///         self.0 = Some(request.session.view().fen);
///         Ok(())
///     }
///     fn stop(&mut self) {
///         self.0 = None;
///     }
/// }
///
/// let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
/// let mut session = ClientSession::new(1, environment, NotedSearch::default());
/// session.on_text(r#"{"id":1,"do":"new","game":"chess","person":0}"#);
/// session.on_text(r#"{"id":2,"do":"play","text":"e2e4"}"#);
/// session.on_update(SearchUpdate::Ready);
/// assert!(session.search_slot().0.as_ref().unwrap().contains(" b "));
/// let events = session.on_update(SearchUpdate::Finished(Some("e7e5".into())));
/// let event = serde_json::to_value(&events[0]).unwrap();
/// assert_eq!((&event["event"], &event["step"]["text"]), (&"replied".into(), &"e7e5".into()));
/// ```
pub trait SearchSlot {
    /// Requests a turn and returns whether the search has to wait for it. [`SearchUpdate::Ready`] follows in any case.
    fn queue(&mut self) -> bool;

    /// Starts a search, of which updates follow.
    ///
    /// # Errors
    /// If a move of the limits is illegal, or there are no means to search.
    fn start(&mut self, request: &SearchRequest<'_>) -> Result<(), SessionError>;

    /// Stops the search, or gives up the turn; no more updates follow.
    fn stop(&mut self);
}

/// An update of a queued or running search.
///
/// ```
/// use std::sync::Arc;
///
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::{ClientSession, MemoryStore, PageEnvironment, SearchUpdate};
/// # use alfil_page::{SearchRequest, SearchSlot};
/// # use alfil_session::SessionError;
/// # struct NoSearches;
/// # impl SearchSlot for NoSearches {
/// #     fn queue(&mut self) -> bool { false }
/// #     fn start(&mut self, _: &SearchRequest<'_>) -> Result<(), SessionError> { Ok(()) }
/// #     fn stop(&mut self) {}
/// # }
///
/// let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
/// let mut session = ClientSession::new(1, environment, NoSearches);
/// session.on_text(r#"{"id":1,"do":"new","game":"othello"}"#);
/// session.on_text(r#"{"id":2,"do":"hint"}"#);
/// session.on_update(SearchUpdate::Ready);
/// let answers = session.on_update(SearchUpdate::Finished(Some("f5".into())));
/// let answer = serde_json::to_value(&answers[0]).unwrap();
/// assert_eq!((&answer["id"], &answer["hint"]), (&2.into(), &"f5".into()));
/// ```
#[derive(Debug)]
pub enum SearchUpdate {
    /// The search may start.
    Ready,
    /// Search info.
    Event(SearchEvent),
    /// The end of the search, with the best move.
    Finished(Option<String>),
    /// A flag may have fallen, or the lease on the replies of another window may be free.
    Timer,
}
