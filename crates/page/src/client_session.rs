//! The session of a connected page: its open game, its search and the messages to it.

mod library_requests;
mod lost_changes;
mod repeated_edits;
mod requests;
mod reviews;
mod saving;
mod search_requests;
mod turns;
mod unsaved;

use std::sync::Arc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_kernel::{Bound, Confidence};
use alfil_session::after_pass::session_after_pass;
use alfil_session::played_game::{MainLineReview, MissingReply, MoveTrial, NodeScore, PlayError};
use alfil_session::{
    GameSession, OpeningNamesCache, SearchLimits, SearchReport, SearchResources, SessionError,
};

use self::repeated_edits::FormerState;
use self::search_requests::{RequestedSearch, engine_of_request, resources_of_request, search_of_request};
use self::unsaved::KnownStorage;
use crate::edit_histories::EditHistories;
use crate::game_store::{GameStore, SaveError, SavedDate};
use crate::host::PageHost;
use crate::library::GameImport;
use crate::open_game::OpenGame;
use crate::outgoing::OutgoingMessage;
use crate::page_environment::{EngineNames, PageEnvironment};
use crate::reply_leases::ReplyLeases;
use crate::request_error::{ErrorCode, RequestError};
use crate::search_slot::{SearchPurpose, SearchRequest, SearchSlot, SearchUpdate};
use crate::unsaved_games::UnsavedGames;
use crate::wire::{
    AppearanceDto, ClientRequest, GameDto, MoveResultDto, RequestMessage, Response, SearchEffect,
    SearchInfoDto, ServerEvent, TurnDto,
};

/// The time for a reply or a hint, if the request has none.
const DEFAULT_REPLY_TIME: Duration = Duration::from_millis(700);

/// The session of a connected page; its searches run in a [`SearchSlot`].
///
/// ```
/// use std::sync::Arc;
///
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::{ClientSession, MemoryStore, PageEnvironment};
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
/// session.on_text(r#"{"id":1,"do":"new","game":"chess"}"#);
/// let answers = session.on_text(r#"{"id":2,"do":"play","text":"Nf3","dialect":"san"}"#);
/// let answer = serde_json::to_value(&answers[0]).unwrap();
/// assert_eq!((&answer["id"], &answer["step"]["text"]), (&2.into(), &"g1f3".into()));
/// assert_eq!(answer["position"]["last"], serde_json::json!(["g1", "f3"]));
/// ```
pub struct ClientSession<S: SearchSlot> {
    client_id: u64,
    game: Option<OpenGame>,
    /// How often the open game was replaced by that of another window.
    reloads: u64,
    /// The states before the replacements that the page may not know yet, the last one first.
    former_states: Vec<FormerState>,
    /// The id of the game that the page knows.
    known_id: String,
    /// The final score of the game that the page knows.
    known_score: Option<[usize; 2]>,
    search: Option<RequestedSearch>,
    slot: S,
    review: Option<MainLineReview>,
    /// The position after a pass, whose search shows the threat.
    threat: Option<Box<dyn GameSession>>,
    /// The threads and the memory of the searches that the page wants; `None` for the defaults.
    resources: Option<SearchResources>,
    /// The tried move whose position is searched.
    trial: Option<Box<MoveTrial>>,
    /// The messages to send after the response.
    pending_messages: Vec<OutgoingMessage>,
    host: PageHost,
    store: Arc<dyn GameStore>,
    openings: OpeningNamesCache,
    edit_histories: EditHistories,
    engine_names: EngineNames,
    /// The time for a reply of the computer without a clock; `None` for the default.
    reply_time: Option<Duration>,
    leases: ReplyLeases,
    /// Whether another window searches the reply in the open game.
    is_reply_elsewhere: bool,
    /// Whether the page has let the computer begin its next move in a game against itself.
    is_move_granted: bool,
    /// Whose turn it is, as the page knows it.
    known_turn: Option<TurnDto>,
    /// The import of a file that comes in parts.
    import: Option<Box<dyn GameImport>>,
    /// Why the open game has changes that are not saved; `None` if it has none.
    unsaved: Option<SessionError>,
    /// What the page knows of that.
    known_storage: KnownStorage,
    unsaved_games: UnsavedGames,
}

impl<S: SearchSlot> Drop for ClientSession<S> {
    fn drop(&mut self) {
        self.close_game();
    }
}

impl<S: SearchSlot> ClientSession<S> {
    /// Creates the session of a page. Its changes have the number `client_id` in the store.
    pub fn new(client_id: u64, environment: PageEnvironment, slot: S) -> ClientSession<S> {
        let PageEnvironment { host, store, openings, edit_histories, leases, engine_names, unsaved_games } =
            environment;
        let generation = store.generation();
        ClientSession {
            client_id,
            game: None,
            reloads: 0,
            former_states: Vec::new(),
            known_id: String::new(),
            known_score: None,
            search: None,
            slot,
            review: None,
            threat: None,
            resources: None,
            trial: None,
            pending_messages: Vec::new(),
            host,
            store,
            openings,
            edit_histories,
            engine_names,
            reply_time: None,
            leases,
            is_reply_elsewhere: false,
            is_move_granted: false,
            known_turn: None,
            import: None,
            unsaved: None,
            known_storage: KnownStorage::new(generation),
            unsaved_games,
        }
    }

    /// Returns where the searches run.
    pub fn search_slot(&mut self) -> &mut S {
        &mut self.slot
    }

    /// Handles a message of the page, a [`RequestMessage`] in JSON; returns the messages to send.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::{ClientSession, MemoryStore, PageEnvironment};
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
    /// let answer = |text: &str| serde_json::to_value(&session.on_text(text)[0]).unwrap();
    /// let [unreadable, refused] = [r#"{"id":3,"do":"fly"}"#, r#"{"id":4,"do":"summary"}"#].map(answer);
    /// assert_eq!(unreadable["id"], 3);
    /// assert!(unreadable["error"].as_str().unwrap().starts_with("cannot read this message: "));
    /// assert!(refused["id"] == 4 && refused["error"] == "there is no open game: start one");
    /// ```
    pub fn on_text(&mut self, text: &str) -> Vec<OutgoingMessage> {
        match serde_json::from_str::<RequestMessage>(text) {
            Ok(request) => self.on_request(request),
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(text).ok();
                let id = id.and_then(|request| request.get("id")?.as_u64()).unwrap_or_default();
                vec![OutgoingMessage::error(id, format!("cannot read this message: {error}"))]
            }
        }
    }

    /// Handles a request; returns the messages to send.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::{ClientRequest, NewGame, RequestMessage};
    /// use alfil_page::{ClientSession, MemoryStore, OutgoingMessage, PageEnvironment};
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
    /// let new = NewGame { game: "othello".into(), ..NewGame::default() };
    /// let request = RequestMessage { id: 1, reloads: None, request: ClientRequest::New(new) };
    /// let [OutgoingMessage::Response(response)] = &session.on_request(request)[..] else { panic!() };
    /// assert_eq!(response.position.as_ref().unwrap().targets.len(), 4);
    /// ```
    pub fn on_request(&mut self, message: RequestMessage) -> Vec<OutgoingMessage> {
        if self.is_outdated(&message) {
            let out = self.on_outdated(&message);
            return self.finish(out);
        }
        let mut out = Vec::new();
        let reply_node = self.search.as_ref().filter(|_| self.is_replying()).map(|search| search.node);
        let ends_search = match message.request.description().search {
            SearchEffect::GoesOn => false,
            SearchEffect::EndsForOtherPosition => !self.search_allows_navigation(),
            SearchEffect::Ends | SearchEffect::Starts => true,
        };
        if ends_search {
            // The request of the search ends with an empty response.
            out.extend(self.stop_search());
        }
        if let (ClientRequest::Stop, Some(node)) = (&message.request, reply_node) {
            self.wait_for_person(node, MissingReply::Stopped);
        }
        // After a deletion the computer waits, unless it was about to move.
        let goes_on = matches!(message.request, ClientRequest::Prune { .. }) && reply_node.is_some();
        let edit = self.repeatable_edit(&message.request);
        match self.respond(message.id, message.request) {
            Ok(more) => out.extend(more),
            Err(error) => out.extend(self.repeat_edit(message.id, edit, error)),
        }
        if let Some(game) = self.game.as_mut().filter(|_| goes_on) {
            game.played.continue_play();
        }
        self.finish(out)
    }

    /// Returns whether the computer's reply is being searched.
    fn is_replying(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == SearchPurpose::Reply)
    }

    /// Returns whether the search continues while the page shows other positions: a reply and a review do.
    fn search_allows_navigation(&self) -> bool {
        let purpose = self.search.as_ref().map(|search| search.purpose);
        matches!(purpose, Some(SearchPurpose::Reply | SearchPurpose::Review))
    }

    /// Runs or pauses the clock. If a flag has fallen that the page does not know yet, saves the game and sends its
    /// state.
    fn update_clock(&mut self) {
        let (thinking, now) = (self.is_replying(), self.host.now());
        let has_flag_fall = self.game.as_mut().is_some_and(|game| {
            game.played.update_clock(thinking, now);
            game.played.has_flag_fall()
        });
        if has_flag_fall {
            // After an error the page gets the saved game instead.
            let _ = self.save_game();
        }
    }

    fn stop_search(&mut self) -> Option<OutgoingMessage> {
        (self.review, self.trial, self.threat) = (None, None, None);
        let RequestedSearch { id, purpose, .. } = self.end_search()?;
        // A reply belongs to no request: whose turn it is says that its search has ended.
        let is_requested = purpose != SearchPurpose::Reply;
        is_requested.then(|| OutgoingMessage::Response(Box::new(Response { id, ..Response::default() })))
    }

    /// Ends the search, if there is one, and returns it.
    fn end_search(&mut self) -> Option<RequestedSearch> {
        let search = self.search.take()?;
        self.slot.stop();
        Some(search)
    }

    fn respond(&mut self, id: u64, request: ClientRequest) -> Result<Vec<OutgoingMessage>, RequestError> {
        match &request {
            ClientRequest::Review { deep } => return self.start_review(id, *deep),
            ClientRequest::Try { node, text } => return self.try_move(id, *node, text),
            _ => {}
        }
        let resources = resources_of_request(&request)?;
        let engine = engine_of_request(&request).map(str::to_owned);
        let Some((purpose, limits)) = search_of_request(&request)? else {
            let response = self.handle_request(request)?;
            return Ok(vec![OutgoingMessage::Response(Box::new(Response { id, ..response }))]);
        };
        if resources.is_some() && resources != self.resources {
            if let Some(wanted) = &resources {
                (self.host.check_memory)(wanted.hash_mib)?;
            }
            self.resources = resources;
            self.apply_resources();
        }
        let game = self.open_game()?;
        let limits = SearchLimits { seed: game.seed(), ..limits };
        let node = game.played.current_node();
        if game.played.has_ended() {
            return Err(PlayError::GameOver.into());
        } else if purpose == SearchPurpose::Threat {
            let mut threat = session_after_pass(game.session())?;
            if let Some(resources) = &self.resources {
                // The game's session keeps its table: a second one of that size would double the memory.
                let hash_mib = resources.hash_mib.min(SearchResources::default().hash_mib);
                threat.set_resources(&SearchResources { hash_mib, ..resources.clone() });
            }
            self.threat = Some(threat);
        }
        let search = RequestedSearch::built_in(id, purpose, limits, node);
        Ok(self.queue_search(RequestedSearch { engine, ..search }))
    }

    fn open_game(&mut self) -> Result<&mut OpenGame, RequestError> {
        self.game.as_mut().ok_or("there is no open game: start one".into())
    }

    /// Drops the tables of the searches of the open game, to save memory: the next search begins with empty ones. A
    /// search that still runs keeps the old ones.
    pub fn drop_search_tables(&mut self) {
        if let Some(game) = &mut self.game {
            game.played.set_resources(&self.resources.clone().unwrap_or_default());
        }
    }

    /// Gives the searches of the open game the threads and the memory that the page wants.
    fn apply_resources(&mut self) {
        if let (Some(game), Some(resources)) = (&mut self.game, &self.resources) {
            game.played.set_resources(resources);
        }
    }

    /// Resumes the clock of the open game.
    fn resume_clock(&mut self) {
        if let Some(game) = &mut self.game {
            game.played.resume(self.host.now());
        }
    }

    /// Opens another game and saves the clock of the last one.
    fn set_game(&mut self, game: OpenGame) {
        self.close_game();
        self.game = Some(game);
        self.apply_resources();
    }

    /// Saves the clock of the game, and keeps its edits. Requests that refer to its former states are refused.
    fn close_game(&mut self) {
        self.former_states.clear();
        self.leases.release(self.client_id);
        self.pause_game();
        self.keep_unsaved();
        if let Some(game) = &mut self.game {
            self.edit_histories.keep(game);
        }
    }

    /// Stops the clock, and saves it with what stopped searches have found.
    fn pause_game(&mut self) {
        let (client_id, now) = (self.client_id, self.host.now());
        let Some(game) = self.game.as_mut().filter(|game| game.revision > 0) else { return };
        let has_run = game.played.pause(now);
        let has_analysis = !game.nodes_to_save().is_empty();
        let saved = has_analysis.then(|| self.store.save(game, client_id, SavedDate::Kept));
        let is_saved = matches!(saved, Some(Ok(())));
        match saved {
            Some(Ok(())) => self.unsaved = None,
            Some(Err(SaveError::Storage(error))) => self.unsaved = Some(error),
            Some(Err(SaveError::Conflict | SaveError::Deleted)) | None => {}
        }
        if has_run && !is_saved {
            // The page is gone; after an error the used time is lost.
            let _ = self.store.save_clock(game);
        }
    }

    /// Returns the response with everything about the game.
    fn full_response(&mut self) -> Result<Response, RequestError> {
        let tree = self.open_game()?.tree_dto()?;
        let tree_response = self.tree_response(None)?;
        let game = self.open_game()?;
        let look = Some(AppearanceDto::from(game.session().info()));
        let game_dto = game.to_dto();
        self.known_id.clone_from(&game_dto.id);
        self.known_score = game_dto.score;
        self.with_review(Response {
            game: Some(game_dto),
            look,
            reloads: Some(self.reloads),
            tree: Some(tree),
            // The page takes a change with nodes for scores of another window, and one with a tree for the game.
            nodes: None,
            ..tree_response
        })
    }

    /// Returns the response with the changed moves and the position, and with the played move if there is one.
    fn tree_response(&mut self, step: Option<MoveResultDto>) -> Result<Response, RequestError> {
        let (openings, now) = (self.openings.clone(), self.host.now());
        let game = self.open_game()?;
        let position = game.position_dto(&openings.names_of(&game.record().game), now);
        let (nodes, removed) = game.take_unsent_nodes()?;
        let may_have_new_score = !nodes.is_empty() || !removed.is_empty();
        let changed_game = self.changed_game(may_have_new_score);
        let game = self.open_game()?;
        Ok(Response {
            game: changed_game,
            nodes: Some(nodes),
            removed,
            edits: Some(game.played.edits().into()),
            node: Some(game.played.current_node()),
            step,
            position: Some(position),
            ..Response::default()
        })
    }

    /// Returns the game if its id has changed.
    fn renamed_game(&mut self) -> Option<GameDto> {
        self.changed_game(false)
    }

    /// Returns the game if its id has changed, or its final score, which only other moves can change.
    fn changed_game(&mut self, has_other_moves: bool) -> Option<GameDto> {
        let game = self.game.as_ref()?;
        let has_new_score = has_other_moves && game.record().final_score() != self.known_score;
        if game.id == self.known_id && !has_new_score {
            return None;
        }
        let game_dto = game.to_dto();
        self.known_id.clone_from(&game_dto.id);
        self.known_score = game_dto.score;
        Some(game_dto)
    }

    /// Handles an update; returns the messages to send.
    pub fn on_update(&mut self, update: SearchUpdate) -> Vec<OutgoingMessage> {
        let out = match (update, &self.search) {
            // What follows looks for flags and leases.
            (SearchUpdate::Timer, _) => {
                self.save_again();
                Vec::new()
            }
            (_, None) => Vec::new(),
            (update, Some(search)) => {
                let (id, purpose, node) = (search.id, search.purpose, search.node);
                let out = match update {
                    // A search that could not be started must not hold the clock.
                    SearchUpdate::Ready => self.start_search().inspect_err(|_| drop(self.stop_search())),
                    SearchUpdate::Event(event) => self.on_search_event(id, purpose, node, event),
                    SearchUpdate::Finished(best) => self.on_search_end(id, purpose, node, best),
                    SearchUpdate::Timer => Ok(Vec::new()),
                };
                out.unwrap_or_else(|error| match purpose {
                    SearchPurpose::Reply => self.on_reply_failed(node, error),
                    _ => vec![OutgoingMessage::error(id, error)],
                })
            }
        };
        self.finish(out)
    }

    /// Starts the search of the queued request.
    fn start_search(&mut self) -> Result<Vec<OutgoingMessage>, RequestError> {
        let Some(search) = &mut self.search else { return Ok(Vec::new()) };
        let Some(game) = &mut self.game else { return Err("there is no open game: start one".into()) };
        match (search.purpose, &self.review, &self.trial, &self.threat) {
            (SearchPurpose::Threat, .., Some(threat)) => {
                let start = threat.view().fen;
                let engine = search.engine.as_deref();
                let request = SearchRequest {
                    table: format!("threat {}", search.id),
                    start: &start,
                    engine,
                    ..SearchRequest::new(game, threat.as_ref(), &search.limits)
                };
                self.slot.start(&request).map_err(engine_failed)?;
            }
            (SearchPurpose::Review, Some(review), ..) => {
                let table = format!("review {}", search.id);
                let request =
                    SearchRequest { table, ..SearchRequest::new(game, review.session(), &search.limits) };
                self.slot.start(&request).map_err(engine_failed)?;
            }
            (SearchPurpose::Trial, _, Some(trial), _) => {
                let table = format!("trial {}", search.id);
                let request =
                    SearchRequest { table, ..SearchRequest::new(game, trial.session(), &search.limits) };
                self.slot.start(&request).map_err(engine_failed)?;
            }
            _ => {
                if search.purpose == SearchPurpose::Reply {
                    search.limits.time_budget = game.played.time_budget(self.host.now());
                    if search.limits.time_budget.is_none() {
                        search.limits.time.get_or_insert(DEFAULT_REPLY_TIME);
                    }
                }
                let current_node = game.played.current_node();
                game.played.go_to(search.node)?;
                let engine = search.engine.as_deref();
                let request =
                    SearchRequest { engine, ..SearchRequest::new(game, game.session(), &search.limits) };
                let started = self.slot.start(&request);
                game.played.go_to(current_node)?;
                started.map_err(engine_failed)?;
            }
        }
        Ok(Vec::new())
    }

    /// Handles an event of the search.
    fn on_search_event(
        &mut self,
        id: u64,
        purpose: SearchPurpose,
        requested_node: usize,
        event: SearchEvent,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        let (report, seconds) = match event {
            SearchEvent::Info { report, seconds } => (report, seconds),
            // The best move found so far, or any legal move, follows.
            SearchEvent::Failed(message)
                if let Some(search) = self.search.as_mut().filter(|one| one.engine.is_some()) =>
            {
                search.notice = Some(message);
                return Ok(Vec::new());
            }
            SearchEvent::Failed(_) => {
                return Ok(vec![OutgoingMessage::Event(ServerEvent::Failed { of: id })]);
            }
            SearchEvent::BestMove(_) => return Ok(Vec::new()),
        };
        self.search.iter_mut().for_each(|search| search.from_book = report.is_book);
        // A bound of an exact search is no exact score.
        let confidence = report.confidence.filter(|_| report.bound == Bound::Exact);
        match (purpose, &mut self.review, &mut self.trial) {
            (SearchPurpose::Review, Some(review), _) => {
                review.set_score(&report);
                return Ok(Vec::new());
            }
            (SearchPurpose::Trial, _, Some(trial)) => {
                trial.set_score(&report);
                return Ok(Vec::new());
            }
            _ => {}
        }
        let threat = self.threat.as_deref().filter(|_| purpose == SearchPurpose::Threat);
        let game = self.game.as_mut().ok_or("there is no open game: start one")?;
        let searched = threat.unwrap_or(game.session());
        let score = NodeScore::from_report(searched.view().side_to_move, &report);
        let SearchReport { multipv, pv, .. } = report;
        let node = game.played.current_node();
        if node != requested_node {
            // The line does not fit the position that the page shows.
            return Ok(Vec::new());
        }
        let labels = match threat {
            Some(threat) => threat.format_line(&pv, Some(game.played.dialect()))?,
            None => game.played.format_line(&pv)?,
        };
        if multipv == 1 && purpose == SearchPurpose::Analysis {
            game.played.set_evaluation(node, score, pv.first().cloned());
        }
        let info = SearchInfoDto {
            of: id,
            node,
            rank: multipv,
            depth: report.depth,
            score: score.into(),
            nodes: report.nodes,
            seconds,
            threat_squares: threat.map(|threat| first_move_squares(threat, &pv)),
            book: threat.is_none() && pv.first().is_some_and(|first| game.session().is_book_move(first)),
            line: pv,
            labels,
            confidence: confidence.map(Confidence::percent),
        };
        Ok(vec![OutgoingMessage::Event(ServerEvent::Thought(info))])
    }

    /// Handles the end of a search.
    fn on_search_end(
        &mut self,
        id: u64,
        purpose: SearchPurpose,
        requested_node: usize,
        best: Option<String>,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        match purpose {
            SearchPurpose::Review => return self.on_position_reviewed(id, best),
            SearchPurpose::Trial => return Ok(self.on_trial_end(id)),
            _ => {}
        }
        let search = self.end_search();
        self.threat = None;
        let from_book = search.as_ref().is_some_and(|search| search.from_book);
        if let Some(notice) = search.and_then(|search| search.notice) {
            return Err(notice.into());
        }
        let response = match (purpose, best) {
            (SearchPurpose::Threat, _) => Response::default(),
            (SearchPurpose::Analysis, _) => {
                // After a conflict the page gets the saved game.
                let _ = self.save_analysis();
                Response::default()
            }
            (_, None) => {
                return Err(RequestError::new(ErrorCode::SearchFailed, "the computer found no move"));
            }
            (SearchPurpose::Hint, hint) => Response { hint, ..Response::default() },
            (_, Some(text)) => {
                let reply = self.play_reply(requested_node, text);
                // The page gets the game with the reply, which is saved later.
                if matches!(&reply, Err(error) if error.code == Some(ErrorCode::NotSaved)) {
                    return Ok(Vec::new());
                }
                let reply = Response { from_book, ..reply? };
                return Ok(vec![OutgoingMessage::Event(ServerEvent::Replied(Box::new(reply)))]);
            }
        };
        Ok(vec![OutgoingMessage::Response(Box::new(Response { id, ..response }))])
    }

    /// Plays the computer's move where it was requested; the page stays at the position it shows.
    fn play_reply(&mut self, requested_node: usize, text: String) -> Result<Response, RequestError> {
        let game = self.open_game()?;
        let current_node = game.played.current_node();
        if current_node == requested_node {
            return self.handle_request(ClientRequest::Play { text, dialect: None });
        }
        game.played.go_to(requested_node)?;
        let message_count = self.pending_messages.len();
        let played = self.handle_request(ClientRequest::Play { text, dialect: None });
        let is_replaced = matches!(&played, Err(error) if error.code == Some(ErrorCode::Changed));
        // If the game could not be saved, the page gets the state of the session with its position.
        if !is_replaced && self.pending_messages.len() == message_count {
            self.open_game()?.played.go_to(current_node)?;
        }
        let Response { game, nodes, removed, .. } = played?;
        Ok(Response { game, nodes, removed, ..self.tree_response(None)? })
    }
}

/// Returns the squares of the first move of a line: where the piece comes from, if it does, and where it goes.
fn first_move_squares(session: &dyn GameSession, line: &[String]) -> Vec<String> {
    let target = session.targets(None).into_iter().find(|target| Some(&target.text) == line.first());
    target.into_iter().flat_map(|target| [target.from, target.to]).flatten().collect()
}

/// Returns the error of a search that could not be started.
fn engine_failed(error: SessionError) -> RequestError {
    RequestError::new(ErrorCode::SearchFailed, error.message)
}

#[cfg(test)]
mod review_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod turn_tests;
