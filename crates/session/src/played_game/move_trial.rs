//! A move that a reader of a review tries instead of a mistake. The move is judged, not played.

use alfil_kernel::Side;

use super::edited_tree::{NodeReview, NodeScore};
use super::main_line_review::{ScoredLine, open_start};
use super::review_summary::wdl_of_side;
use super::{PlayError, PlayedGame};
use crate::game_phase::GamePhase;
use crate::game_session::GameSession;
use crate::review::{Judgement, loss_permille, position_nodes};
use crate::search_task::{SearchLimits, SearchReport};
use crate::session_error::SessionError;

/// A tried move.
pub enum TriedMove {
    /// The review knows the move.
    Judged(TrialResult),
    /// The position after the move has to be searched.
    Unsearched(Box<MoveTrial>),
}

/// The judgement on a tried move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialResult {
    /// The node of the position in which the move was tried.
    pub node: usize,
    /// The move in the default dialect.
    pub text: String,
    /// The move in the chosen dialect.
    pub label: String,
    /// The expected score that the move loses, in permille.
    pub loss_permille: u32,
    /// The judgement; `None` for a good move.
    pub judgement: Option<Judgement>,
    /// Whether it is the best move of the review.
    pub is_best: bool,
    /// The score of the position after the move, from the first side's view.
    pub score: NodeScore,
}

/// A tried move whose position is searched with a session of its own.
pub struct MoveTrial {
    /// The session after the move.
    session: Box<dyn GameSession>,
    result: TrialResult,
    /// The side that tries the move.
    side: Side,
    /// The review of the position before the move.
    review: NodeReview,
    line: Option<ScoredLine>,
}

impl PlayedGame {
    /// Judges a move, given in the default dialect, instead of the one that was played from a reviewed position. The
    /// best move of the review and the played move are known; another one is searched with the nodes of the review.
    ///
    /// # Errors
    /// If there is no such node, it was not reviewed, or the move is illegal there.
    pub fn try_move(&self, node: usize, text: &str) -> Result<TriedMove, PlayError> {
        let tree = self.tree();
        let Some(found) = tree.node(node) else {
            return Err(SessionError::new(format!("this game has no move {node}")).into());
        };
        let Some(review) = found.review.clone() else {
            return Err(SessionError::new("this position was not reviewed: review the game first").into());
        };
        let mut session = open_start(self.record())?;
        for node in tree.path(node) {
            session.replay(tree.move_text(node), None)?;
        }
        let side = session.view().side_to_move;
        let label = session.format_move(text, self.record().dialect.as_deref())?;
        let is_best = review.best.as_ref().is_some_and(|best| session.are_symmetric(best, text));
        let text = session.play(text, None)?.text;
        let result = TrialResult {
            node,
            label,
            loss_permille: 0,
            judgement: None,
            is_best,
            score: review.score,
            text,
        };
        let mut trial = MoveTrial { session, result, side, review, line: None };
        let is_played = |&child: &usize| tree.move_text(child) == trial.result.text;
        let played = found.children().iter().copied().find(is_played);
        let known = played.and_then(|child| tree.node(child)?.review.as_ref());
        let known = known.map(|review| ScoredLine { score: review.score, wdl: review.wdl });
        trial.line = known.or_else(|| ScoredLine::from_game_end(trial.session.as_ref()));
        Ok(match is_best || trial.line.is_some() {
            true => TriedMove::Judged(trial.finish()),
            false => TriedMove::Unsearched(Box::new(trial)),
        })
    }
}

impl MoveTrial {
    /// Returns the session with the position to search.
    pub fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Returns the limits of the search.
    pub fn search_limits(&self) -> SearchLimits {
        let may_be_solved = self.session.info().has_solver && self.review.phase == GamePhase::Ending;
        let nodes = Some(position_nodes(self.review.nodes, may_be_solved));
        SearchLimits { nodes, ..SearchLimits::default() }
    }

    /// Stores the score of the search.
    pub fn set_score(&mut self, report: &SearchReport) {
        self.line = Some(ScoredLine::from_search(self.session.as_ref(), report));
    }

    /// Returns the judgement on the move. A search without a score leaves the score of the position before it.
    pub fn finish(self) -> TrialResult {
        let MoveTrial { result, side, review, line, .. } = self;
        let Some(line) = line.filter(|_| !result.is_best) else { return result };
        let loss = loss_permille(wdl_of_side(side, review.wdl), wdl_of_side(side, line.wdl));
        TrialResult {
            loss_permille: loss,
            judgement: Judgement::from_loss_permille(loss),
            score: line.score,
            ..result
        }
    }
}
