//! Turns: after every request and update the game says what happens next, and the session searches the computer's reply
//! itself. Of the windows that show a game one does, which has the lease on it.

use std::time::Duration;

use alfil_session::SearchLimits;
use alfil_session::played_game::{MissingReply, NextAction};

use super::ClientSession;
use super::search_requests::RequestedSearch;
use crate::game_store::SavedDate;
use crate::outgoing::{OutgoingMessage, error_response};
use crate::reply_leases::LeaseRefusal;
use crate::request_error::{ErrorCode, RequestError};
use crate::search_slot::{SearchPurpose, SearchSlot};
use crate::wire::{Response, ServerEvent, TurnDto};

/// How often a session tries to take a lease that another one has.
const LEASE_INTERVAL: Duration = Duration::from_secs(1);

/// The id in the events of a reply, which belongs to no request.
pub(super) const NO_REQUEST: u64 = 0;

impl<S: SearchSlot> ClientSession<S> {
    /// Lets the game go on after a request or an update, and completes the messages about it.
    pub(super) fn finish(&mut self, mut out: Vec<OutgoingMessage>) -> Vec<OutgoingMessage> {
        let waiting = self.play_on();
        self.update_clock();
        out.append(&mut self.pending_messages);
        out.extend(waiting);
        self.add_turn(&mut out);
        self.add_storage(&mut out);
        out
    }

    /// Starts the search for the computer's reply if the computer is to move and nothing else is searched; returns the
    /// message that it has to wait for other searches, if it does.
    fn play_on(&mut self) -> Vec<OutgoingMessage> {
        self.is_reply_elsewhere = false;
        let is_granted = std::mem::take(&mut self.is_move_granted);
        if self.search.is_some() {
            return Vec::new();
        }
        let Some(game) = &mut self.game else { return Vec::new() };
        let NextAction::ComputerMoves { computer, .. } = game.played.next_action() else {
            self.leases.release(self.client_id);
            return Vec::new();
        };
        // The page paces a game of the computer against itself; a window that has it already goes on.
        let is_paced = game.record().computers().is_some();
        let (id, revision, node) = (game.id.clone(), game.revision, game.played.current_node());
        if is_paced && !is_granted {
            self.is_reply_elsewhere = self.leases.is_held_elsewhere(&id, self.client_id);
            return Vec::new();
        }
        match self.leases.acquire(&id, revision, self.client_id) {
            Ok(()) => {}
            Err(LeaseRefusal::HeldElsewhere) => {
                self.is_reply_elsewhere = true;
                self.is_move_granted = is_granted;
                return Vec::new();
            }
            Err(LeaseRefusal::Missing(missing)) => {
                game.played.on_missing_reply(node, missing);
                return Vec::new();
            }
        }
        let limits = SearchLimits {
            level: Some(computer.level),
            time: self.reply_time,
            seed: game.seed(),
            uses_book: true,
            ..SearchLimits::default()
        };
        let search = RequestedSearch::built_in(NO_REQUEST, SearchPurpose::Reply, limits, node);
        // The page takes a reply only after it knows of its search: a request that was refused may have ended one.
        self.known_turn = None;
        self.queue_search(RequestedSearch { engine: computer.engine, ..search })
    }

    /// Takes the lease on the reply to a move before other windows know of the move: that in which it was played
    /// searches the reply. A game of the computer against itself is played by the window that lets it go on.
    pub(super) fn claim_reply(&self) {
        let Some(game) = &self.game else { return };
        let is_computer_next = matches!(game.played.next_action(), NextAction::ComputerMoves { .. });
        if is_computer_next && game.record().computers().is_none() {
            // A window that has it already keeps it.
            let _ = self.leases.acquire(&game.id, game.revision, self.client_id);
        }
    }

    /// Returns whose turn it is; `None` without a game.
    fn turn(&self) -> Option<TurnDto> {
        let action = self.game.as_ref()?.played.next_action();
        Some(TurnDto::new(&action, self.is_replying(), self.is_reply_elsewhere))
    }

    /// Adds whose turn it is to the last message with a position; if there is none and it has changed, adds an event.
    fn add_turn(&mut self, out: &mut Vec<OutgoingMessage>) {
        let Some(turn) = self.turn() else { return };
        let with_position = out.iter_mut().rev().find_map(|message| match message {
            OutgoingMessage::Response(response)
            | OutgoingMessage::Event(ServerEvent::Changed(response) | ServerEvent::Replied(response)) => {
                response.position.is_some().then_some(response)
            }
            OutgoingMessage::Event(_) => None,
        });
        match with_position {
            Some(response) => response.turn = Some(turn),
            None if self.known_turn != Some(turn) => {
                out.push(OutgoingMessage::Event(ServerEvent::Turn(turn)))
            }
            None => {}
        }
        self.known_turn = Some(turn);
    }

    /// Lets the game go on: plays the pass without a choice, lets the computer of a paced game begin, or the reply that
    /// is missing.
    pub(super) fn continue_play(&mut self) -> Result<Response, RequestError> {
        let game = self.open_game()?;
        game.played.continue_play();
        let (id, action) = (game.id.clone(), game.played.next_action());
        self.leases.clear_missing(&id);
        match action {
            NextAction::ForcedPass { pass, .. } => self.play_move(&pass.text, None),
            NextAction::ComputerMoves { .. } => {
                self.is_move_granted = true;
                Ok(Response::default())
            }
            NextAction::PersonMoves { .. } | NextAction::Wait(_) => Ok(Response::default()),
        }
    }

    /// Pauses the computer's moves, or lets them come again.
    pub(super) fn set_paused(&mut self, is_paused: bool) -> Result<Response, RequestError> {
        self.open_game()?.played.set_paused(is_paused);
        self.save_with_date(SavedDate::Kept)?;
        self.full_response()
    }

    /// Pauses a game of the computer against itself that is opened, unless another window plays it: it goes on when the
    /// user lets it.
    pub(super) fn pause_unwatched(&mut self) {
        if let Some(game) = &mut self.game
            && game.record().computers().is_some()
            && !self.leases.is_held_elsewhere(&game.id, self.client_id)
        {
            game.played.set_paused(true);
        }
    }

    /// Lets the game wait for a person after a reply to a node that failed; returns the message with the reason. A game
    /// of the computer against itself is paused.
    pub(super) fn on_reply_failed(&mut self, node: usize, error: RequestError) -> Vec<OutgoingMessage> {
        self.stop_search();
        // What another window has saved takes the place of the reply.
        if error.code == Some(ErrorCode::Changed) {
            return Vec::new();
        }
        self.wait_for_person(node, MissingReply::Failed);
        let mut response = error_response(NO_REQUEST, error);
        if let Some(game) = self.game.as_mut().filter(|game| game.record().computers().is_some()) {
            game.played.set_paused(true);
            response.game = Some(game.to_dto());
        }
        vec![OutgoingMessage::Event(ServerEvent::Replied(Box::new(response)))]
    }

    /// Lets the game wait for a person in all windows after a reply to a node that did not come.
    pub(super) fn wait_for_person(&mut self, node: usize, missing: MissingReply) {
        self.leases.release(self.client_id);
        if let Some(game) = &mut self.game {
            game.played.on_missing_reply(node, missing);
            self.leases.set_missing(&game.id, game.revision, self.client_id, missing);
        }
    }

    /// Returns the time until a flag falls, or until the next attempt to take the lease of another window, at which
    /// [`SearchUpdate::Timer`](crate::SearchUpdate::Timer) is due.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
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
    /// let clock = r#""two_people":true,"clock":{"base":60000,"increment":0}"#;
    /// session.on_text(&format!(r#"{{"id":1,"do":"new","game":"chess",{clock}}}"#));
    /// assert_eq!(session.time_to_timer(), None);
    /// session.on_text(r#"{"id":2,"do":"play","text":"e2e4"}"#);
    /// assert!(session.time_to_timer().unwrap() <= Duration::from_mins(1));
    /// ```
    pub fn time_to_timer(&self) -> Option<Duration> {
        let to_flag = self.game.as_ref().and_then(|game| game.played.time_to_flag(self.host.now()));
        let to_lease = self.is_reply_elsewhere.then_some(LEASE_INTERVAL);
        [to_flag, to_lease, self.time_to_save()].into_iter().flatten().min()
    }
}
