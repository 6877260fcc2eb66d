//! What a page has before it, who thinks for it, and what it hears.

mod requests;

use std::sync::Arc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_kernel::Side;
use alfil_session::{GameEnd, SearchLimits, SessionError, review};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::open_game::{self, OpenGame};
use crate::request_error::{ErrorCode, RequestError};
use crate::review::GameReview;
use crate::search_queue::{QueuedSearch, SearchPurpose, SearchUpdate};
use crate::socket::OutgoingMessage;
use crate::store::{SaveError, SavedChange, Store};
use crate::text_tree::ROOT;
use crate::wire::{
    AppearanceDto, ClientRequest, GameDto, MoveResultDto, RequestMessage, Response, ScoreDto, SearchInfoDto,
    ServerEvent,
};

/// How long the computer thinks about a reply or a hint, if the page does not say.
const DEFAULT_REPLY_TIME: Duration = Duration::from_millis(700);
/// The longest it may be told to, in milliseconds.
const MAX_REPLY_MS: u64 = 60_000;
/// How long an analysis lasts until somebody says "go deeper".
const DEFAULT_ANALYSIS_TIME: Duration = Duration::from_secs(30);
/// The longest one, in seconds.
const MAX_ANALYSIS_SECONDS: u64 = 600;
/// How many lines an analysis may have: as many as a board has squares, so that each can show its value.
const MAX_ANALYSIS_LINES: u64 = 64;
/// A page's side of the door.
pub(crate) struct ClientSession {
    client_id: u64,
    game: Option<OpenGame>,
    /// The id under which the page knows it.
    known_id: String,
    search: Option<QueuedSearch>,
    review: Option<GameReview>,
    /// What the page must hear besides the answer.
    pending_messages: Vec<OutgoingMessage>,
    search_permits: Arc<Semaphore>,
    store: Store,
}

impl Drop for ClientSession {
    fn drop(&mut self) {
        self.pause_game();
    }
}

impl ClientSession {
    pub(crate) fn new(number: u64, thinkers: Arc<Semaphore>, store: Store) -> ClientSession {
        let besides = Vec::new();
        ClientSession {
            client_id: number,
            game: None,
            known_id: String::new(),
            search: None,
            review: None,
            pending_messages: besides,
            search_permits: thinkers,
            store,
        }
    }

    /// What is answered at once.
    pub(crate) fn on_request(&mut self, ask: RequestMessage) -> Vec<OutgoingMessage> {
        let mut out = Vec::new();
        let looks = matches!(ask.request, ClientRequest::Go { .. }) && self.is_replying();
        if !looks && !is_read_only(&ask.request) {
            // Whoever was thinking thought about another position; his question ends without an answer.
            out.extend(self.stop_search());
        }
        match self.respond(ask.id, ask.request) {
            Ok(more) => out.extend(more),
            Err(refusal) => out.push(OutgoingMessage::error(ask.id, refusal)),
        }
        self.update_clock();
        out.append(&mut self.pending_messages);
        out
    }

    /// Whether the computer thinks about its move: it does so wherever the page looks meanwhile.
    fn is_replying(&self) -> bool {
        self.search.as_ref().is_some_and(|question| question.purpose == SearchPurpose::Reply)
    }

    /// The clock goes on or stands. If somebody's time is over and the page does not know it yet, that is kept, and the page
    /// is shown how it stands.
    fn update_clock(&mut self) {
        let thinking = self.is_replying();
        if self.game.as_mut().is_some_and(|game| game.update_clock(thinking)) {
            // If it cannot be kept, the page is shown what counts instead.
            let _ = self.save_game();
        }
    }

    fn stop_search(&mut self) -> Option<OutgoingMessage> {
        self.review = None;
        let id = self.search.take()?.id;
        Some(OutgoingMessage::Response(Box::new(Response { id, ..Response::default() })))
    }

    fn respond(&mut self, id: u64, deed: ClientRequest) -> Result<Vec<OutgoingMessage>, RequestError> {
        let Some((purpose, limits)) = search_of_request(&deed)? else {
            let answer = self.handle_request(deed)?;
            return Ok(vec![OutgoingMessage::Response(Box::new(Response { id, ..answer }))]);
        };
        let game = self.open_game()?;
        let limits = SearchLimits { seed: game.seed(), ..limits };
        let node = game.current_node();
        if purpose == SearchPurpose::Review {
            self.review = Some(GameReview::from_stored(&game.stored)?);
        } else if game.is_over() {
            return Err(RequestError::game_over());
        }
        self.search = Some(QueuedSearch::new(id, purpose, limits, node, &self.search_permits));
        let busy = self.search_permits.available_permits() == 0;
        Ok(busy.then_some(OutgoingMessage::Event(ServerEvent::Waiting { of: id })).into_iter().collect())
    }

    fn open_game(&mut self) -> Result<&mut OpenGame, RequestError> {
        self.game.as_mut().ok_or("no game was started".into())
    }

    /// The game that lies here is looked at again.
    fn resume_clock(&mut self) {
        if let Some(game) = &mut self.game {
            game.resume();
        }
    }

    /// Keeps the game, unless nothing has happened in it. One that was thrown away begins a new life under another id. If
    /// another window was first, its game is the one that counts; if the disk refuses, what it has. Either way the page is
    /// shown what stands here now.
    fn save_game(&mut self) -> Result<(), RequestError> {
        let (number, store) = (self.client_id, self.store.clone());
        let game = self.open_game()?;
        if game.revision == 0 && game.is_untouched() {
            return Ok(());
        }
        let fell = game.take_unreported_flag();
        let saved = store.save(game, number).or_else(|unsaved| match unsaved {
            SaveError::Deleted => {
                game.assign_new_id();
                store.save(game, number)
            }
            other => Err(other),
        });
        self.after_save(saved, fell)
    }

    /// Keeps what was found out about the game. That brings none back that was thrown away.
    fn save_findings(&mut self) -> Result<(), RequestError> {
        let (number, store) = (self.client_id, self.store.clone());
        let game = self.open_game()?;
        if game.revision == 0 {
            return Ok(());
        }
        let fell = game.take_unreported_flag();
        let saved = match store.save(game, number) {
            Err(SaveError::Deleted) => Ok(()),
            saved => saved,
        };
        self.after_save(saved, fell)
    }

    /// The page hears what became of its game, if that is not what it thinks.
    fn after_save(&mut self, saved: Result<(), SaveError>, fell: bool) -> Result<(), RequestError> {
        let Err(unsaved) = saved else {
            if fell {
                let out = self.show_game();
                self.pending_messages.extend(out);
            }
            return Ok(());
        };
        let newer = self.game.as_ref().and_then(|game| self.store.load(&game.id).ok());
        let out = match newer {
            Some(newer) => self.replace_game(newer),
            None => self.show_game(),
        };
        self.pending_messages.extend(out);
        Err(match unsaved {
            SaveError::Storage(error) => error.into(),
            SaveError::Conflict | SaveError::Deleted => {
                RequestError::new(ErrorCode::Changed, "another window has played on in this game: look again")
            }
        })
    }

    /// Puts another game on the table; the time used in the last one is noted.
    fn set_game(&mut self, game: OpenGame) {
        self.pause_game();
        self.game = Some(game);
    }

    fn pause_game(&mut self) {
        if let Some(game) = self.game.as_mut().filter(|game| game.revision > 0)
            && game.pause()
        {
            // Nobody is there to hear that the disk refuses; the time is then given back.
            let _ = self.store.save_clock(game);
        }
    }

    /// Everything about the game.
    fn full_response(&mut self) -> Result<Response, RequestError> {
        let grown = self.tree_response(None)?;
        let game = self.open_game()?;
        let look = Some(AppearanceDto::from(game.session().appearance()));
        let shape = game.to_dto();
        self.known_id.clone_from(&shape.id);
        Ok(Response { game: Some(shape), look, ..grown })
    }

    /// The tree and the position, after a step if there was one.
    fn tree_response(&mut self, step: Option<MoveResultDto>) -> Result<Response, RequestError> {
        let renamed = self.renamed_game();
        let game = self.open_game()?;
        let (tree, position) = (Some(game.tree_dto()?), Some(game.position_dto()));
        Ok(Response {
            game: renamed,
            tree,
            node: Some(game.current_node()),
            step,
            position,
            ..Response::default()
        })
    }

    /// The game, if the page knows it under an id that it has no more.
    fn renamed_game(&mut self) -> Option<GameDto> {
        let game = self.game.as_ref().filter(|game| game.id != self.known_id)?;
        let shape = game.to_dto();
        self.known_id.clone_from(&shape.id);
        Some(shape)
    }

    /// The next thing a thinking desk says, or the fall of a flag; waits for ever where nobody thinks and no clock runs.
    pub(crate) async fn next_update(&mut self) -> SearchUpdate {
        let falls = self.game.as_ref().and_then(OpenGame::time_to_flag);
        let question = self.search.as_mut();
        let thought = async {
            match question {
                Some(question) => question.next_update().await,
                None => std::future::pending().await,
            }
        };
        let flag = async {
            match falls {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = thought => heard,
            () = flag => SearchUpdate::FlagTimer,
        }
    }

    /// What becomes of it.
    pub(crate) fn on_update(&mut self, heard: SearchUpdate) -> Vec<OutgoingMessage> {
        let mut out = match (heard, &self.search) {
            // Holding the clock sees that, as after any deed.
            (SearchUpdate::FlagTimer, _) | (_, None) => Vec::new(),
            (heard, Some(question)) => {
                let (id, purpose) = (question.id, question.purpose);
                let out = match heard {
                    SearchUpdate::Ready(permit) => self.start_search(permit),
                    SearchUpdate::Event(thought) => self.on_search_event(id, purpose, question.node, thought),
                    SearchUpdate::Finished(best) => self.on_search_end(id, purpose, question.node, best),
                    SearchUpdate::FlagTimer => Ok(Vec::new()),
                };
                out.unwrap_or_else(|refusal| vec![OutgoingMessage::error(id, refusal)])
            }
        };
        self.update_clock();
        out.append(&mut self.pending_messages);
        out
    }

    /// It is the turn of the question.
    fn start_search(
        &mut self,
        permit: Result<OwnedSemaphorePermit, AcquireError>,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        let Some(question) = &mut self.search else { return Ok(Vec::new()) };
        let permit = permit.map_err(SessionError::from_error)?;
        match (&self.review, &mut self.game) {
            (Some(review), _) if question.purpose == SearchPurpose::Review => {
                question.start(review.session(), permit).map_err(engine_failed)?
            }
            (_, Some(game)) => {
                if question.purpose == SearchPurpose::Reply {
                    question.limits.time_budget = game.time_budget();
                    if question.limits.time_budget.is_none() {
                        question.limits.time.get_or_insert(DEFAULT_REPLY_TIME);
                    }
                }
                let here = game.current_node();
                game.go_to(question.node)?;
                let begun = question.start(game.session(), permit);
                game.go_to(here)?;
                begun.map_err(engine_failed)?;
            }
            _ => return Err("no game was started".into()),
        }
        Ok(Vec::new())
    }

    /// A finding.
    fn on_search_event(
        &mut self,
        id: u64,
        purpose: SearchPurpose,
        asked: usize,
        thought: SearchEvent,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        let (rank, depth, score, mate, nodes, seconds, line) = match thought {
            SearchEvent::Info {
                multipv: rank,
                depth,
                score,
                mate_plies: mate,
                nodes,
                seconds,
                pv: line,
                ..
            } => (rank, depth, score, mate, nodes, seconds, line),
            // What it had found by then, or any legal move, follows all the same; the page says that it is no more than that.
            SearchEvent::Failed(_) => {
                return Ok(vec![OutgoingMessage::Event(ServerEvent::Failed { of: id })]);
            }
            SearchEvent::BestMove(_) => return Ok(Vec::new()),
        };
        if let (SearchPurpose::Review, Some(review)) = (purpose, &mut self.review) {
            review.update(
                ScoreDto::from_side_score(review.session().view().side_to_move, score, mate),
                line.first(),
            );
            return Ok(Vec::new());
        }
        let game = self.open_game()?;
        let score = ScoreDto::from_side_score(game.session().view().side_to_move, score, mate);
        let node = game.current_node();
        if node != asked {
            // The page looks elsewhere: the line means nothing there.
            return Ok(Vec::new());
        }
        if let Some(found) =
            game.stored.tree.node_mut(node).filter(|_| rank == 1 && purpose == SearchPurpose::Analysis)
        {
            found.score = Some(score);
            found.best = line.first().cloned();
        }
        let labels = game.format_line(&line)?;
        let thought = SearchInfoDto { of: id, node, rank, depth, score, nodes, seconds, line, labels };
        Ok(vec![OutgoingMessage::Event(ServerEvent::Thought(thought))])
    }

    /// The end of a thought.
    fn on_search_end(
        &mut self,
        id: u64,
        purpose: SearchPurpose,
        asked: usize,
        best: Option<String>,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        if purpose == SearchPurpose::Review {
            return self.on_position_reviewed(id);
        }
        self.search = None;
        let answer = match (purpose, best) {
            (SearchPurpose::Analysis, _) => {
                // What was found out is kept with the game; if another window was first, the page hears of that.
                let _ = self.save_findings();
                Response::default()
            }
            (_, None) => return Err(RequestError::new(ErrorCode::Failed, "the computer found no move")),
            (SearchPurpose::Hint, hint) => Response { hint, ..Response::default() },
            (_, Some(text)) => self.play_reply(asked, text)?,
        };
        Ok(vec![OutgoingMessage::Response(Box::new(Response { id, ..answer }))])
    }

    /// The computer moves where it was asked to; a page that looks elsewhere goes on doing so.
    fn play_reply(&mut self, asked: usize, text: String) -> Result<Response, RequestError> {
        let game = self.open_game()?;
        let here = game.current_node();
        if here == asked {
            return self.handle_request(ClientRequest::Play { text, dialect: None });
        }
        game.go_to(asked)?;
        let played = self.handle_request(ClientRequest::Play { text, dialect: None });
        let replaced = matches!(&played, Err(refusal) if refusal.code == Some(ErrorCode::Changed));
        if !replaced {
            self.open_game()?.go_to(here)?;
        }
        played?;
        self.tree_response(None)
    }

    /// One position of a review is done: the next, or the end.
    fn on_position_reviewed(&mut self, id: u64) -> Result<Vec<OutgoingMessage>, RequestError> {
        let mut out = Vec::new();
        let Some(review) = &mut self.review else { return Ok(out) };
        let (node, score, best) = review.take_result();
        let more = review.advance()?;
        if let Some(score) = score {
            out.push(OutgoingMessage::Event(ServerEvent::Reviewed {
                of: id,
                node,
                score,
                best: best.clone(),
            }));
            if let Some(found) = self.open_game()?.stored.tree.node_mut(node) {
                (found.score, found.best) = (Some(score), best);
            }
        }
        let limits = self.search.take().map(|question| question.limits.clone()).unwrap_or_default();
        if more {
            // Everybody else has his turn between two positions.
            self.search =
                Some(QueuedSearch::new(id, SearchPurpose::Review, limits, ROOT, &self.search_permits));
        } else {
            self.review = None;
            self.save_findings()?;
            out.push(OutgoingMessage::Response(Box::new(Response { id, ..self.tree_response(None)? })));
        }
        Ok(out)
    }

    /// Somebody saved a game: if it is this one, and another window did it, this page hears of it.
    pub(crate) fn on_saved_change(&mut self, change: &SavedChange) -> Vec<OutgoingMessage> {
        let ours = self.game.as_ref().is_some_and(|game| game.id == change.id);
        if change.saved_by == self.client_id || !ours { Vec::new() } else { self.reload_game() }
    }

    /// The game as it is kept now.
    pub(crate) fn reload_game(&mut self) -> Vec<OutgoingMessage> {
        let Some(game) = &self.game else { return Vec::new() };
        let Ok(newer) = self.store.load(&game.id) else { return Vec::new() };
        if newer.revision == game.revision { Vec::new() } else { self.replace_game(newer) }
    }

    /// The game as another window left it comes in the place of ours. Who stood at the end stands at the new end; who was
    /// looking at something else still does, if it is there.
    fn replace_game(&mut self, mut newer: OpenGame) -> Vec<OutgoingMessage> {
        if let Some(game) = &self.game {
            let (old, at) = (&game.stored.tree, game.current_node());
            if old.line_end(ROOT) != at {
                // Every move of a tree that was read has been played.
                let _ = newer.go_to(newer.stored.tree.corresponding_node(old, at));
            }
        }
        self.game = Some(newer);
        self.show_game()
    }

    /// Shows the page the whole game; whoever was thinking thought about another.
    fn show_game(&mut self) -> Vec<OutgoingMessage> {
        let mut out: Vec<_> = self.stop_search().into_iter().collect();
        if let Ok(answer) = self.full_response() {
            out.push(OutgoingMessage::Event(ServerEvent::Changed(Box::new(answer))));
        }
        out
    }
}

/// Nobody begins to think.
fn engine_failed(error: SessionError) -> RequestError {
    RequestError::new(ErrorCode::Failed, error.message)
}

/// What a deed wants to be thought about, and how long.
///
/// # Errors
/// If it wants more than there is.
fn search_of_request(deed: &ClientRequest) -> Result<Option<(SearchPurpose, SearchLimits)>, RequestError> {
    let milliseconds = |time: Option<u64>| {
        let time =
            time.map(|time| check_range("a thought", time, 0, MAX_REPLY_MS, "milliseconds")).transpose()?;
        Ok::<_, RequestError>(time.map(Duration::from_millis))
    };
    Ok(Some(match *deed {
        // How long it may take by the clock is seen when it begins.
        ClientRequest::Think { level, time } => {
            let (level, time) = (Some(open_game::validate_level(level)?), milliseconds(time)?);
            (SearchPurpose::Reply, SearchLimits { level, time, ..SearchLimits::default() })
        }
        ClientRequest::Hint { time } => {
            let time = Some(milliseconds(time)?.unwrap_or(DEFAULT_REPLY_TIME));
            (SearchPurpose::Hint, SearchLimits { time, ..SearchLimits::default() })
        }
        ClientRequest::Analyse { lines, seconds } => {
            let seconds = seconds
                .map(|time| check_range("an analysis", time, 0, MAX_ANALYSIS_SECONDS, "seconds"))
                .transpose()?;
            let lines = check_range("an analysis", lines as u64, 1, MAX_ANALYSIS_LINES, "lines")? as usize;
            let time = Some(seconds.map_or(DEFAULT_ANALYSIS_TIME, Duration::from_secs));
            (SearchPurpose::Analysis, SearchLimits { time, multipv: lines, ..SearchLimits::default() })
        }
        ClientRequest::Review { time } => (
            SearchPurpose::Review,
            review::search_limits(milliseconds(time)?.unwrap_or(review::DEFAULT_TIME)),
        ),
        _ => return Ok(None),
    }))
}

/// A number that may not be any.
fn check_range(what: &str, number: u64, least: u64, most: u64, unit: &str) -> Result<u64, RequestError> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(format!("{what} has {least} to {most} {unit}, not {number}").into())
}

/// Whether a deed leaves the position, and whoever thinks about it, alone.
fn is_read_only(deed: &ClientRequest) -> bool {
    matches!(
        deed,
        ClientRequest::Games { .. }
            | ClientRequest::Sights
            | ClientRequest::Rule { .. }
            | ClientRequest::Arrange { .. }
            | ClientRequest::Examine { .. }
            | ClientRequest::Export
            | ClientRequest::Comment { .. }
            | ClientRequest::Dialect { .. }
            | ClientRequest::Forget { .. }
    )
}

impl ScoreDto {
    /// What a side's score means for the first side.
    pub(crate) fn from_side_score(side: Side, score: i32, mate: Option<i32>) -> ScoreDto {
        let sign = if side == Side::First { 1 } else { -1 };
        ScoreDto { value: sign * score, mate: mate.map(|plies| sign * plies) }
    }

    /// The score of a game that is over.
    pub(crate) fn from_game_end(ending: &GameEnd) -> ScoreDto {
        ScoreDto { value: review::end_value_cp(ending), mate: None }
    }
}

#[cfg(test)]
mod tests;
