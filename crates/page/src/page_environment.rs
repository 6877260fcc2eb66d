//! What the sessions of pages share.

use std::fmt;
use std::sync::Arc;

use alfil_session::OpeningNamesCache;

use crate::edit_histories::EditHistories;
use crate::game_store::GameStore;
use crate::host::PageHost;
use crate::reply_leases::ReplyLeases;
use crate::unsaved_games::UnsavedGames;

/// What all sessions share.
#[derive(Clone, Debug)]
pub struct PageEnvironment {
    pub(crate) host: PageHost,
    pub(crate) store: Arc<dyn GameStore>,
    pub(crate) openings: OpeningNamesCache,
    pub(crate) edit_histories: EditHistories,
    pub(crate) leases: ReplyLeases,
    pub(crate) engine_names: EngineNames,
    pub(crate) unsaved_games: UnsavedGames,
}

/// Returns names by the name of a game.
type NamesOfGame = dyn Fn(&str) -> Vec<String> + Send + Sync;

/// Returns the names of the external engines that can play a game.
///
/// ```
/// use std::sync::Arc;
///
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::{ClientSession, EngineNames, MemoryStore, PageEnvironment};
/// # use alfil_page::{SearchRequest, SearchSlot};
/// # use alfil_session::SessionError;
/// # struct NoSearches;
/// # impl SearchSlot for NoSearches {
/// #     fn queue(&mut self) -> bool { false }
/// #     fn start(&mut self, _: &SearchRequest<'_>) -> Result<(), SessionError> { Ok(()) }
/// #     fn stop(&mut self) {}
/// # }
///
/// let names = |game: &str| if game == "chess" { vec!["Stockfish".to_owned()] } else { Vec::new() };
/// let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
/// let environment = environment.with_engines(EngineNames(Arc::new(names)));
/// let mut session = ClientSession::new(1, environment, NoSearches);
/// let answers = session.on_text(r#"{"id":1,"do":"engines","game":"chess"}"#);
/// assert_eq!(serde_json::to_string(&answers[0]).unwrap(), r#"{"id":1,"engines":["Stockfish"]}"#);
/// ```
#[derive(Clone)]
pub struct EngineNames(pub Arc<NamesOfGame>);

impl fmt::Debug for EngineNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineNames")
    }
}

impl PageEnvironment {
    /// Creates the environment of the sessions of a store.
    pub fn new(host: PageHost, store: Arc<dyn GameStore>) -> PageEnvironment {
        let (openings, edit_histories, leases, unsaved_games) = Default::default();
        let engine_names = EngineNames(Arc::new(|_| Vec::new()));
        PageEnvironment { host, store, openings, edit_histories, leases, engine_names, unsaved_games }
    }

    /// Shares the leases on the computer's replies with other windows.
    #[must_use]
    pub fn with_leases(self, leases: ReplyLeases) -> PageEnvironment {
        PageEnvironment { leases, ..self }
    }

    /// Offers external engines, which the search slots of the sessions know by these names.
    #[must_use]
    pub fn with_engines(self, engine_names: EngineNames) -> PageEnvironment {
        PageEnvironment { engine_names, ..self }
    }
}
