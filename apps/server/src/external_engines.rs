//! External engines: other programs, which the command line names. The page knows their names only, never a command.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use alfil_engine::{SearchEvent, SearchObserver};
use alfil_kernel::Waivers;
use alfil_page::SearchRequest;
use alfil_session::{GameSession, SessionError, registry};
use tokio::sync::mpsc::Sender;

/// The time of an analysis without a limit. Not every protocol has an infinite search, so a long time stands for it;
/// the page stops the search.
const UNLIMITED_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// A search of an external engine.
pub struct ExternalSearch {
    /// The session, at the position to search, with the moves that led to it.
    pub session: Box<dyn GameSession>,
    /// The start position as text; `None` for that of the game.
    pub start: Option<String>,
    /// The time for the move.
    pub time: Duration,
    /// The number of best lines.
    pub multipv: u32,
}

/// The external engines that a server offers.
pub trait ExternalEngines: Debug + Send + Sync {
    /// Returns the names of the engines that can play a game.
    fn names(&self, game: &str) -> Vec<String>;
    /// Lets an engine choose its move, in the default dialect, or resign (`None`). Blocks until it has, or until it is
    /// stopped.
    ///
    /// # Errors
    /// If there is no such engine, or it cannot be started, has ended or sends no legal move, as a sentence.
    fn choose_move(
        &self,
        name: &str,
        search: &ExternalSearch,
        observer: &mut dyn SearchObserver,
    ) -> Result<Option<String>, String>;
}

/// Returns the search that a request wants of an external engine.
///
/// # Errors
/// If the game cannot be replayed.
pub(crate) fn external_search(request: &SearchRequest<'_>) -> Result<ExternalSearch, SessionError> {
    let mut session = registry::open(request.session.game(), None)?;
    session.open(request.start, &Waivers::All)?;
    for text in request.session.played_moves(None)? {
        session.replay(&text, None)?;
    }
    let start = (request.start != "startpos").then(|| request.start.to_owned());
    let budget = request.limits.time_budget.map(|budget| budget.soft);
    let time = [request.limits.time, budget].into_iter().flatten().min().unwrap_or(UNLIMITED_TIME);
    let multipv = u32::try_from(request.limits.multipv.max(1)).map_err(SessionError::from_error)?;
    Ok(ExternalSearch { session, start, time, multipv })
}

/// Sends the events of a search as long as the page receives them.
struct EventSender(Sender<SearchEvent>);

impl SearchObserver for EventSender {
    fn on_info(&mut self, info: SearchEvent) {
        // Search info is dropped if the page reads too slowly.
        let _ = self.0.try_send(info);
    }

    fn is_stopped(&self) -> bool {
        self.0.is_closed()
    }
}

/// Lets an engine choose its move, and sends the events of a search: what the engine reports, a notice if the engine
/// has failed or resigns, and the move if there is one. Ends early if the receiver is dropped.
pub(crate) fn run(
    engines: &Arc<dyn ExternalEngines>,
    name: &str,
    search: &ExternalSearch,
    sender: Sender<SearchEvent>,
) {
    let mut sender = EventSender(sender);
    let (notice, text) = match engines.choose_move(name, search, &mut sender) {
        Ok(Some(text)) => (None, Some(text)),
        Ok(None) => (Some(format!("{name} resigns")), None),
        Err(message) => (Some(format!("{name}: {message}")), None),
    };
    // Sending fails only if the page does not wait for the search.
    for event in notice.map(SearchEvent::Failed).into_iter().chain([SearchEvent::BestMove(text)]) {
        let _ = sender.0.blocking_send(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_page::OpenGame;
    use alfil_page::wire::NewGame;
    use alfil_session::{SearchLimits, TimeBudget};

    #[test]
    fn an_external_engine_gets_no_more_time_than_its_clock_allows() {
        let new = NewGame { game: "chess".into(), person: Some(0), ..NewGame::default() };
        let game = OpenGame::new("x".into(), new).unwrap();
        let time_of = |time: Option<u64>, soft: Option<u64>| {
            let time_budget = soft.map(|soft| TimeBudget::exact(Duration::from_secs(soft)));
            let limits =
                SearchLimits { time: time.map(Duration::from_secs), time_budget, ..SearchLimits::default() };
            let request = SearchRequest {
                session: game.played.session(),
                start: "startpos",
                ruleset: None,
                limits: &limits,
                engine: Some("x"),
                table: String::new(),
            };
            external_search(&request).unwrap().time
        };
        assert_eq!(time_of(Some(10), Some(2)), Duration::from_secs(2));
        assert_eq!(time_of(Some(1), Some(2)), Duration::from_secs(1));
        assert_eq!(time_of(None, Some(2)), Duration::from_secs(2));
        assert_eq!(time_of(None, None), UNLIMITED_TIME);
    }
}
