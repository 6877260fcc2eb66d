//! The session of a page without a server. The worker of the page writes the changes of the games into the database of
//! the browser before it posts the messages, and gives searches to another worker.

use std::sync::Arc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_page::wire::{NeededGames, NeededLists, RequestMessage, StoreNeeds};
use alfil_page::{
    ClientSession, MemoryStore, MoveBlock, OutgoingMessage, PageEnvironment, PageHost, ReplyLeases,
    SavedChange, SavedCollection, SavedPositionKeys, SavedRow, SearchRequest, SearchSlot, SearchUpdate,
    StaleGames, StoreChanges,
};
use alfil_session::SessionError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, json};
use crate::errors::Error;
use crate::host;
use crate::page_search::{End, Info, Search};
use crate::requests::Request;

/// Clock, date and random numbers of JavaScript. The workers that search choose the memory of their tables.
const HOST: PageHost = PageHost {
    now: host::now,
    unix_seconds: host::unix_seconds,
    random: host::random,
    check_memory: |_| Ok(()),
};

/// The number of this window, and that of all others.
const OWN_CLIENT: u64 = 1;
const OTHER_CLIENT: u64 = 2;

/// The session of the page.
pub(crate) struct Page {
    store: Arc<MemoryStore>,
    session: ClientSession<WorkerSlot>,
    leases: ReplyLeases,
}

/// The search of the session, which another worker runs.
#[derive(Debug, Default)]
struct WorkerSlot {
    is_queued: bool,
    /// The number of the running search, or 0.
    running: u32,
    last: u32,
    /// What the table of the other worker belongs to.
    table: String,
    /// What the other worker has to do.
    order: Option<SearchOrder>,
}

/// What the worker of searches has to do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum SearchOrder {
    /// Stop the search.
    Stop,
    /// Start a search, and stop another one first.
    Start {
        number: u32,
        game: &'static str,
        rules: Option<String>,
        /// For the engine, as a text, because JavaScript has no integers of 64 bits.
        search: String,
    },
}

impl SearchSlot for WorkerSlot {
    fn queue(&mut self) -> bool {
        self.is_queued = true;
        false
    }

    fn start(&mut self, request: &SearchRequest<'_>) -> Result<(), SessionError> {
        let search = Search::of_request(request, self.table != request.table)?;
        self.table.clone_from(&request.table);
        self.last += 1;
        self.running = self.last;
        let rules = request.ruleset.map(str::to_owned);
        self.order = Some(SearchOrder::Start {
            number: self.last,
            game: request.session.game(),
            rules: rules.or_else(|| request.session.rulesets().first().map(|&name| name.to_owned())),
            search: serde_json::to_string(&search).map_err(SessionError::from_error)?,
        });
        Ok(())
    }

    fn stop(&mut self) {
        self.is_queued = false;
        if self.running > 0 {
            self.running = 0;
            self.order = Some(SearchOrder::Stop);
        }
    }
}

/// What the worker has to do after a call.
#[derive(Serialize)]
struct Output<'a> {
    /// The messages to the page, to be posted when the changes are in the database.
    messages: Vec<OutgoingMessage>,
    changes: StoreChanges,
    search: Option<SearchOrder>,
    /// The id and the revision of the open game.
    open: Option<(&'a str, i64)>,
    /// The milliseconds until a flag falls, or the next attempt to take a lease.
    flag: Option<u64>,
    /// The game on whose replies the session needs a lease among all windows; none if it gives it back.
    lease: Option<String>,
}

/// An update of a search.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum SearchMessage {
    Info(Info),
    End(End),
    /// The worker of searches has ended.
    Lost(String),
}

/// Games and collections of the database.
#[derive(Deserialize)]
struct DatabaseRows<G = DatabaseGame, C = SavedCollection> {
    games: Vec<G>,
    collections: Vec<C>,
}

/// A game of the database.
#[derive(Deserialize)]
struct DatabaseGame {
    row: SavedRow,
    blocks: Option<Vec<MoveBlock>>,
}

/// What has to be read from the database before a request can be handled.
#[derive(Default, Serialize)]
struct Needs {
    /// The games that the request names, unless they are known as they are there.
    games: Vec<NeededGame>,
    /// Whether the rows of all games are needed.
    rows: bool,
    /// Whether the collections are needed, and the games that [`MemoryStore::stale_games`] names.
    library: bool,
}

/// The revision of no game.
const UNKNOWN_REVISION: i64 = -1;

/// A game that is read from the database, unless it is known as it is there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NeededGame {
    id: String,
    revision: i64,
    needs_moves: bool,
}

impl Page {
    fn new() -> Page {
        let store = Arc::new(MemoryStore::new(HOST));
        let leases = ReplyLeases::granted_by_app();
        let environment = PageEnvironment::new(HOST, store.clone()).with_leases(leases.clone());
        let session = ClientSession::new(OWN_CLIENT, environment, WorkerSlot::default());
        Page { store, session, leases }
    }

    /// Returns what a request needs of the database.
    fn needs(&self, request: &[u8]) -> Needs {
        let Ok(RequestMessage { request, .. }) = serde_json::from_slice(request) else {
            return Needs::default();
        };
        let StoreNeeds { games, lists } = request.description().needs;
        let (ids, needs_moves) = match games {
            NeededGames::None => (Vec::new(), false),
            NeededGames::WithMoves(ids) => (ids.to_vec(), true),
            NeededGames::WithoutMoves(ids) | NeededGames::Removed(ids) => (ids.to_vec(), false),
            NeededGames::Restored(ids) => (self.store.games_to_restore(ids), false),
        };
        // A game that another window has restored has the same revision.
        let is_removal = matches!(games, NeededGames::Removed(_));
        let games = ids.into_iter().map(|id| {
            let (revision, has_no_moves) = self.store.revision(&id).unwrap_or((0, true));
            let revision = if is_removal { UNKNOWN_REVISION } else { revision };
            NeededGame { id, revision, needs_moves: needs_moves && has_no_moves }
        });
        let (rows, library) = match lists {
            NeededLists::None => (false, false),
            NeededLists::Games => (true, false),
            NeededLists::Library | NeededLists::Query(_) => (true, true),
        };
        Needs { games: games.collect(), rows, library }
    }

    /// Returns what a list of games needs of the database; `has_positions` says that all positions were read.
    fn stale_games(&self, request: &[u8], has_positions: bool) -> StaleGames {
        let Ok(RequestMessage { request, .. }) = serde_json::from_slice(request) else {
            return StaleGames::default();
        };
        match request.description().needs.lists {
            NeededLists::Query(query) => self.store.stale_games(query, has_positions),
            NeededLists::None | NeededLists::Games | NeededLists::Library => StaleGames::default(),
        }
    }

    /// Takes what has changed in the store.
    fn take_changes(&self) -> StoreChanges {
        self.store.take_changes(self.session.open_game_revision().map(|(id, _)| id))
    }

    /// Handles an update of the search with this number.
    fn on_search(&mut self, number: u32, message: SearchMessage) -> Vec<OutgoingMessage> {
        if self.session.search_slot().running != number {
            return Vec::new();
        }
        let failed = |text| SearchUpdate::Event(SearchEvent::Failed(text));
        let (first, best) = match message {
            SearchMessage::Info(info) => return self.session.on_update(SearchUpdate::Event(info.into())),
            SearchMessage::End(End { best, failure }) => (failure.map(failed), best),
            SearchMessage::Lost(text) => (Some(failed(text)), None),
        };
        let mut out = first.map(|update| self.session.on_update(update)).unwrap_or_default();
        let slot = self.session.search_slot();
        // The search is over: there is nothing to stop.
        slot.running = 0;
        out.extend(self.session.on_update(SearchUpdate::Finished(best)));
        out
    }

    /// Starts the search that was requested, if any, and returns what the worker has to do.
    fn output(&mut self, mut messages: Vec<OutgoingMessage>) -> Result<Answer, Error> {
        while std::mem::take(&mut self.session.search_slot().is_queued) {
            messages.extend(self.session.on_update(SearchUpdate::Ready));
        }
        let search = self.session.search_slot().order.take();
        let flag = self.session.time_to_timer().map(milliseconds);
        let open = self.session.open_game_revision();
        let changes = self.take_changes();
        let lease = self.leases.wanted();
        json(&Output { messages, changes, search, open, flag, lease })
    }
}

/// Converts a time, rounded up.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// Reads JSON of the worker.
fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes)
        .map_err(|error| Error::argument(format!("a message cannot be read: {error}")))
}

/// Returns the values that can be read.
fn valid<T: DeserializeOwned>(values: Vec<serde_json::Value>) -> Vec<T> {
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect()
}

/// Reads rows of the database. Damaged ones are left out, so that the others can be used; their number is returned.
fn read_rows(bytes: &[u8]) -> Result<(DatabaseRows, usize), Error> {
    if let Ok(rows) = read(bytes) {
        return Ok((rows, 0));
    }
    let DatabaseRows { games, collections } = read::<DatabaseRows<_, _>>(bytes)?;
    let count = games.len() + collections.len();
    let rows: DatabaseRows = DatabaseRows { games: valid(games), collections: valid(collections) };
    let damaged = count - rows.games.len() - rows.collections.len();
    Ok((rows, damaged))
}

/// Reads a text of the page.
fn text_of(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| Error::argument(format!("a message cannot be read: {error}")))
}

/// Answers a call of the worker of the page; `bytes` are what the call is about.
pub(crate) fn answer(
    page: &mut Option<Page>,
    name: &str,
    request: &Request,
    bytes: Vec<u8>,
) -> Result<Answer, Error> {
    let page = page.get_or_insert_with(Page::new);
    let number = request.number.unwrap_or_default();
    match name {
        "needs" => json(&page.needs(&bytes)),
        "stale" => json(&page.stale_games(&bytes, number > 0)),
        "put" => {
            let (DatabaseRows { games, collections }, damaged) = read_rows(&bytes)?;
            collections.into_iter().for_each(|collection| page.store.put_collection(collection));
            games.into_iter().for_each(|game| page.store.put(game.row, game.blocks));
            json(&damaged)
        }
        "check" => {
            let damaged = page.store.damaged_part(&bytes);
            json(&damaged.map_err(|error| Error::argument(format!("a file cannot be read: {error}")))?)
        }
        "contains" => {
            let contains = MemoryStore::has_all_of(&bytes);
            json(&contains.map_err(|error| Error::argument(format!("games cannot be read: {error}")))?)
        }
        "positions" => {
            let positions: Vec<SavedPositionKeys> = valid(read(&bytes)?);
            page.store.put_position_keys(&positions);
            json(&())
        }
        "refresh" => {
            let ids: Vec<String> = read(&bytes)?;
            page.store.refresh(&ids);
            json(&page.take_changes())
        }
        "purge" => {
            page.store.purge();
            json(&page.take_changes())
        }
        "remove" => {
            page.store.remove(text_of(&bytes)?);
            json(&())
        }
        "removeCollection" => {
            page.store.remove_collection(text_of(&bytes)?);
            json(&())
        }
        "text" => {
            let messages = page.session.on_text(text_of(&bytes)?);
            page.output(messages)
        }
        "nameNewGame" => {
            page.session.name_new_game(text_of(&bytes)?);
            page.output(Vec::new())
        }
        "search" => {
            let messages = page.on_search(number, read(&bytes)?);
            page.output(messages)
        }
        "flag" => {
            let messages = page.session.on_update(SearchUpdate::Timer);
            page.output(messages)
        }
        "lease" => {
            page.leases.grant(text_of(&bytes)?);
            let messages = page.session.on_update(SearchUpdate::Timer);
            page.output(messages)
        }
        "changed" => {
            let change = SavedChange { id: text_of(&bytes)?.to_owned(), saved_by: OTHER_CLIENT };
            let messages = page.session.on_saved_change(&change);
            page.output(messages)
        }
        "lost" => {
            let error: LostChanges = read(&bytes)?;
            let error = SessionError::new(error.message).with_chinese(error.message_zh);
            let messages = page.session.on_lost_changes(number.into(), error);
            page.output(messages)
        }
        _ => Err(Error::argument(format!("a page has no call {name:?}"))),
    }
}

/// Why the changes of a request are not in the database.
#[derive(Deserialize)]
struct LostChanges {
    message: String,
    message_zh: String,
}
