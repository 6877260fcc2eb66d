//! Reviews of the open game, moves that are tried instead of mistakes, and what is read from the record.

use alfil_session::played_game::{MoveTrial, ROOT, ReviewedPosition, TrialResult, TriedMove};
use alfil_session::review::{DEEP_REVIEW_NODES, REVIEW_NODES};
use alfil_session::{SearchLimits, SessionError};

use super::{ClientSession, RequestedSearch};
use crate::outgoing::OutgoingMessage;
use crate::request_error::RequestError;
use crate::search_slot::{SearchPurpose, SearchSlot};
use crate::wire::{DiagramDto, Response, ReviewDto, ServerEvent, TrialDto};

/// The maximal number of positions that are drawn at once.
const MAX_DIAGRAMS: usize = 200;
/// The maximal number of positions that are sent at once with their moves.
const MAX_POSITIONS: usize = 32;

/// Returns the message of a response.
fn response_message(id: u64, response: Response) -> OutgoingMessage {
    OutgoingMessage::Response(Box::new(Response { id, ..response }))
}

impl<S: SearchSlot> ClientSession<S> {
    /// Queues a search; returns the message that it has to wait, if it does.
    pub(super) fn queue_search(&mut self, search: RequestedSearch) -> Vec<OutgoingMessage> {
        let of = search.id;
        self.search = Some(search);
        let waiting = self.slot.queue().then_some(OutgoingMessage::Event(ServerEvent::Waiting { of }));
        waiting.into_iter().collect()
    }

    /// Starts a review; a deep one searches each position with more nodes.
    pub(super) fn start_review(&mut self, id: u64, deep: bool) -> Result<Vec<OutgoingMessage>, RequestError> {
        let nodes = if deep { DEEP_REVIEW_NODES } else { REVIEW_NODES };
        let game = self.open_game()?;
        let (review, node) = (game.played.review(nodes)?, game.played.current_node());
        let limits = review.search_limits();
        self.review = Some(review);
        Ok(self.queue_search(RequestedSearch::built_in(id, SearchPurpose::Review, limits, node)))
    }

    /// Handles the end of a search of the review: the next position follows, or the response.
    pub(super) fn on_position_reviewed(
        &mut self,
        id: u64,
        best: Option<String>,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        let mut out = Vec::new();
        // The dialect may have changed since the review began.
        let dialect = self.open_game()?.record().dialect.clone();
        let Some(review) = &mut self.review else { return Ok(out) };
        if review.needs_second_search(best.as_deref()) {
            let limits = review.search_limits();
            let node = self.end_search().map_or(ROOT, |search| search.node);
            self.search = Some(RequestedSearch::built_in(id, SearchPurpose::Review, limits, node));
            self.slot.queue();
            return Ok(out);
        }
        let ReviewedPosition { node, review: found } = review.finish_position(best, dialect.as_deref());
        let next_limits: Option<SearchLimits> = review.advance()?.then(|| review.search_limits());
        self.end_search();
        if let Some(found) = found {
            let (score, best) = (found.score.into(), found.best.clone());
            out.push(OutgoingMessage::Event(ServerEvent::Reviewed { of: id, node, score, best }));
            self.open_game()?.played.set_review(node, found);
        }
        if let Some(limits) = next_limits {
            // Other searches take turns between two positions.
            self.search = Some(RequestedSearch::built_in(id, SearchPurpose::Review, limits, node));
            self.slot.queue();
        } else {
            self.review = None;
            self.save_analysis()?;
            let response = self.tree_response(None)?;
            out.push(response_message(id, self.with_review(response)?));
        }
        Ok(out)
    }

    /// Judges a move instead of the one that was played: at once, or after a search.
    pub(super) fn try_move(
        &mut self,
        id: u64,
        node: usize,
        text: &str,
    ) -> Result<Vec<OutgoingMessage>, RequestError> {
        match self.open_game()?.played.try_move(node, text)? {
            TriedMove::Judged(result) => Ok(vec![trial_message(id, &result)]),
            TriedMove::Unsearched(trial) => {
                let limits = trial.search_limits();
                self.trial = Some(trial);
                Ok(self.queue_search(RequestedSearch::built_in(id, SearchPurpose::Trial, limits, node)))
            }
        }
    }

    /// Handles the end of the search of a tried move.
    pub(super) fn on_trial_end(&mut self, id: u64) -> Vec<OutgoingMessage> {
        self.end_search();
        let result = self.trial.take().map(|trial| MoveTrial::finish(*trial));
        result.iter().map(|result| trial_message(id, result)).collect()
    }

    /// Adds the review of the game to a response.
    pub(super) fn with_review(&mut self, response: Response) -> Result<Response, RequestError> {
        let summary = self.open_game()?.played.review_summary();
        Ok(Response { review: Some(summary.map(ReviewDto::from)), ..response })
    }

    /// Returns positions of the game to be drawn.
    pub(super) fn diagrams(&mut self, nodes: &[usize]) -> Result<Response, RequestError> {
        check_count(nodes, MAX_DIAGRAMS)?;
        let played = &mut self.open_game()?.played;
        let current_node = played.current_node();
        let mut diagram = |&node: &usize| {
            played.go_to(node)?;
            Ok::<_, SessionError>(DiagramDto::new(node, played.session().view()))
        };
        let diagrams: Result<Vec<_>, _> = nodes.iter().map(&mut diagram).collect();
        played.go_to(current_node)?;
        Ok(Response { diagrams: Some(diagrams?), ..Response::default() })
    }

    /// Returns positions of the game with the moves that lead to them, and stays at the current one.
    pub(super) fn positions(&mut self, nodes: &[usize]) -> Result<Response, RequestError> {
        check_count(nodes, MAX_POSITIONS)?;
        let openings = self.openings.clone();
        let game = self.open_game()?;
        let names = openings.names_of(&game.record().game);
        let current_node = game.played.current_node();
        let positions: Result<Vec<_>, _> =
            nodes.iter().map(|&node| game.tree_position_dto(node, &names)).collect();
        game.played.go_to(current_node)?;
        Ok(Response { positions: Some(positions?), ..Response::default() })
    }
}

/// Refuses a request for too many positions.
fn check_count(nodes: &[usize], limit: usize) -> Result<(), SessionError> {
    let found = nodes.len();
    let error = || SessionError::new(format!("expected at most {limit} positions, found {found}"));
    if found > limit { Err(error()) } else { Ok(()) }
}

/// Returns the response to a tried move.
fn trial_message(id: u64, result: &TrialResult) -> OutgoingMessage {
    response_message(id, Response { trial: Some(TrialDto::from(result)), ..Response::default() })
}
