//! A review of the main line of a game, position by position. Its caller runs the searches.
//!
//! Every position is searched once, by one thread, with a fixed number of nodes and with the table of this review
//! alone. So two reviews of a game by the same engine say the same.

use alfil_kernel::Waivers;

use super::GameRecord;
use super::edited_tree::{NodeReview, NodeScore};
use super::review_summary::wdl_of_side;
use crate::game_phase::GamePhase;
use crate::game_session::GameSession;
use crate::registry;
use crate::review;
use crate::search_task::{SearchLimits, SearchReport};
use crate::session_error::SessionError;
use alfil_records::ROOT;

/// The result of the search of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedPosition {
    /// The node of the position.
    pub node: usize,
    /// The result; `None` if the first position was searched without a score.
    pub review: Option<NodeReview>,
}

/// A line of a search: its score from the first side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoredLine {
    pub(super) score: NodeScore,
    /// The probabilities of a win of the first side, a draw and a win of the second side, in permille.
    pub(super) wdl: [u32; 3],
}

impl ScoredLine {
    /// Converts the score of a search of the position of a session.
    pub(super) fn from_search(session: &dyn GameSession, report: &SearchReport) -> ScoredLine {
        let view = session.view();
        let wdl = review::search_wdl_permille(report, session.info(), view.game_ply);
        ScoredLine {
            score: NodeScore::from_report(view.side_to_move, report),
            wdl: wdl_of_side(view.side_to_move, wdl),
        }
    }

    /// Returns the score of the finished game of a session.
    pub(super) fn from_game_end(session: &dyn GameSession) -> Option<ScoredLine> {
        let game_end = session.game_end()?;
        let wdl = review::end_wdl_permille(&game_end);
        Some(ScoredLine { score: NodeScore::from_game_end(&game_end), wdl })
    }
}

/// A review of the main line of a game, with a session of its own.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_kernel::Waivers;
/// use alfil_session::SearchReport;
/// use alfil_session::played_game::{GameRecord, PlayedGame, ROOT};
///
/// let mut game = PlayedGame::open(GameRecord::new("chess"), &Waivers::None)?;
/// for mv in ["f3", "e5", "g4"] {
///     game.play(mv, Some("san"), Duration::ZERO).unwrap();
/// }
/// let mut review = game.review(10_000)?;
/// loop {
///     // In place of these scores: the reports of a search of `review.session()` with `review.search_limits()`.
///     let has_mate = review.remaining_positions() == 1;
///     let score = if has_mate { 10_000 } else { 0 };
///     let mate_plies = has_mate.then_some(1);
///     review.set_score(&SearchReport { multipv: 1, score, mate_plies, ..SearchReport::default() });
///     let position = review.finish_position(Some("a7a6".into()), None);
///     game.set_review(position.node, position.review.unwrap());
///     if !review.advance()? {
///         break;
///     }
/// }
/// let summary = game.review_summary().unwrap();
/// assert!(summary.is_complete && summary.turning_points == [3]);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub struct MainLineReview {
    session: Box<dyn GameSession>,
    nodes: u64,
    /// The remaining nodes with their moves, in reverse order.
    remaining_moves: Vec<(usize, String)>,
    node: usize,
    /// The best line found so far for the position, or that of the position before it.
    best: Option<ScoredLine>,
    /// The second best line of the position.
    second: Option<ScoredLine>,
    /// The best move, while the other moves are searched for the second best line.
    solved_best: Option<String>,
    /// The latest phase so far: the phases do not go back.
    phase: GamePhase,
}

impl MainLineReview {
    /// Creates a review of a game with so many nodes a position, at its start position.
    pub(super) fn new(record: &GameRecord, nodes: u64) -> Result<MainLineReview, SessionError> {
        let tree = &record.tree;
        let path = tree.path(tree.line_end(ROOT));
        let moves = path.into_iter().rev().map(|node| (node, tree.move_text(node).to_owned()));
        Ok(MainLineReview {
            session: open_start(record)?,
            nodes,
            remaining_moves: moves.collect(),
            node: ROOT,
            best: None,
            second: None,
            solved_best: None,
            phase: GamePhase::Opening,
        })
    }

    /// Returns the session with the position to search.
    pub fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Returns the limits of the search of the position. The second line shows whether there was only one good move.
    /// The exact solver of a game is fastest with one line, so an ending that it may solve is searched twice: see
    /// [`MainLineReview::needs_second_search`].
    pub fn search_limits(&self) -> SearchLimits {
        let multipv = if self.may_solve() { 1 } else { 2 };
        let excluded_moves = self.solved_best.iter().cloned().collect();
        let nodes = Some(review::position_nodes(self.nodes, self.may_solve()));
        SearchLimits { nodes, multipv, excluded_moves, ..SearchLimits::default() }
    }

    /// Returns whether the exact solver of the game may solve the position.
    fn may_solve(&self) -> bool {
        self.session.info().has_solver && self.current_phase() == GamePhase::Ending
    }

    /// Takes the best move of a search that has ended; returns whether the position needs another search, of its other
    /// moves.
    pub fn needs_second_search(&mut self, best: Option<&str>) -> bool {
        if self.solved_best.is_some() || !self.may_solve() || self.session.game_end().is_some() {
            return false;
        }
        let has_choice = self.session.legal_moves(None).is_ok_and(|moves| moves.len() > 1);
        self.solved_best = best.filter(|_| has_choice).map(str::to_owned);
        self.solved_best.is_some()
    }

    /// Returns the number of positions to search, the current one included.
    pub fn remaining_positions(&self) -> usize {
        self.remaining_moves.len() + 1
    }

    /// Stores the score of a line of the search.
    pub fn set_score(&mut self, report: &SearchReport) {
        let line = ScoredLine::from_search(self.session.as_ref(), report);
        match report.multipv {
            1 if self.solved_best.is_some() => self.second = Some(line),
            1 => self.best = Some(line),
            2 => self.second = Some(line),
            _ => {}
        }
    }

    /// Returns the phase of the position.
    fn current_phase(&self) -> GamePhase {
        let view = self.session.view();
        self.phase.max(self.session.info().phases.phase(&view.pieces, view.game_ply))
    }

    /// Returns the result of the position, with the label of its best move in a dialect. A finished game is scored by
    /// its result; a search without a score, as of an only legal move, leaves the score of the position before it.
    pub fn finish_position(&mut self, best: Option<String>, dialect: Option<&str>) -> ReviewedPosition {
        let end = ScoredLine::from_game_end(self.session.as_ref());
        let best = self.solved_best.take().or(best).filter(|_| end.is_none());
        // Of moves with the same value, the played one is the best one.
        let played = self.remaining_moves.last().map(|(_, text)| text);
        let is_as_good =
            |text: &&String| best.as_ref().is_some_and(|best| self.session.are_symmetric(best, text));
        let best = played.filter(is_as_good).cloned().or(best);
        self.best = end.or(self.best);
        self.phase = self.current_phase();
        // The dialect may have changed since the review began.
        let best_label = best.as_ref().and_then(|text| self.session.format_move(text, dialect).ok());
        let second = self.second.take().filter(|_| end.is_none());
        let review = self.best.map(|line| NodeReview {
            score: line.score,
            wdl: line.wdl,
            second_wdl: second.map(|line| line.wdl),
            best,
            best_label,
            phase: self.phase,
            nodes: self.nodes,
        });
        ReviewedPosition { node: self.node, review }
    }

    /// Moves on to the next position; returns whether there is one.
    ///
    /// # Errors
    /// If the move cannot be played.
    pub fn advance(&mut self) -> Result<bool, SessionError> {
        let Some((node, text)) = self.remaining_moves.pop() else { return Ok(false) };
        self.session.replay(&text, None)?;
        self.node = node;
        Ok(true)
    }
}

/// Opens a session at the start position of a game.
pub(super) fn open_start(record: &GameRecord) -> Result<Box<dyn GameSession>, SessionError> {
    let mut session = registry::open(&record.game, None)?;
    if let Some(ruleset) = &record.ruleset {
        session.set_ruleset(ruleset)?;
    }
    session.open(&record.start, &Waivers::All)?;
    Ok(session)
}
