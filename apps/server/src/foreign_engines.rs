//! Engines of other programs, which the command line names. The page knows their names only, never a command.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_kernel::{Bound, Waivers};
use alfil_page::SearchRequest;
use alfil_session::{GameSession, SessionError, registry};

/// The time of an engine for a position, if the request has none.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// A position for an engine of another program.
pub struct ForeignPosition {
    /// The session, at the position, with the moves that led to it.
    pub session: Box<dyn GameSession>,
    /// The start position as text; `None` for that of the game.
    pub start: Option<String>,
    /// The time for the move.
    pub time: Duration,
}

/// The move of an engine of another program.
#[derive(Clone, Debug, Default)]
pub struct ForeignMove {
    /// The move in the default dialect; `None` if the engine resigns.
    pub text: Option<String>,
    /// The score from the view of the side to move, in centipawns or hundredths of a disc.
    pub score: Option<i32>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// The engines of other programs that a server offers.
pub trait ForeignEngines: Debug + Send + Sync {
    /// Returns the names of the engines that can play a game.
    fn names(&self, game: &str) -> Vec<String>;
    /// Lets an engine choose its move; blocks until it has.
    ///
    /// # Errors
    /// If there is no such engine, or it cannot be started, has ended or sends no legal move, as a sentence.
    fn choose_move(&self, name: &str, position: &ForeignPosition) -> Result<ForeignMove, String>;
}

/// Returns the position of a request for an engine of another program.
///
/// # Errors
/// If the game cannot be replayed.
pub(crate) fn foreign_position(request: &SearchRequest<'_>) -> Result<ForeignPosition, SessionError> {
    let mut session = registry::open(request.session.game(), None)?;
    session.open(request.start, &Waivers::All)?;
    for text in request.session.played_moves(None)? {
        session.play(&text, None)?;
    }
    let start = (request.start != "startpos").then(|| request.start.to_owned());
    let budget = request.limits.time_budget.map(|budget| budget.soft);
    let time = request.limits.time.or(budget).unwrap_or(DEFAULT_TIME);
    Ok(ForeignPosition { session, start, time })
}

/// Lets an engine choose its move, and sends the events of a search: what the engine has found, or why it has failed,
/// and the move.
pub(crate) fn run(
    engines: &Arc<dyn ForeignEngines>,
    name: &str,
    position: &ForeignPosition,
    sink: &mut dyn FnMut(SearchEvent),
) {
    let chosen = match engines.choose_move(name, position) {
        Ok(chosen) => chosen,
        Err(message) => {
            sink(SearchEvent::Failed(format!("{name}: {message}")));
            return sink(SearchEvent::BestMove(None));
        }
    };
    if let (Some(score), Some(text)) = (chosen.score, &chosen.text) {
        sink(SearchEvent::Info {
            multipv: 1,
            depth: chosen.depth.unwrap_or_default(),
            seldepth: chosen.depth.unwrap_or_default(),
            score,
            bound: Bound::Exact,
            mate_plies: None,
            nodes: chosen.nodes.unwrap_or_default(),
            hashfull: 0,
            seconds: position.time.as_secs_f64(),
            pv: vec![text.clone()],
            root_moves_done: None,
        });
    }
    if chosen.text.is_none() {
        sink(SearchEvent::Failed(format!("{name} resigns")));
    }
    sink(SearchEvent::BestMove(chosen.text));
}
