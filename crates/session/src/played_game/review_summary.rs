//! The summary of a reviewed game: marks of the moves, accuracies, phases and turning points. It follows from what the
//! review has stored in the nodes, so it costs no search and stays the same.

use alfil_kernel::Side;

use super::PlayedGame;
use super::edited_tree::NodeReview;
use super::loss_reason::LossReason;
use crate::accuracy::{CountedMove, GameMoves};
use crate::game_phase::GamePhase;
use crate::review::{Judgement, expected_half_permille, loss_permille};
use alfil_records::ROOT;

/// The mark of a move in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMark {
    /// The move lost some of the expected score.
    Loss(Judgement),
    /// The move was the best one, and every other move would have been a blunder.
    OnlyMove,
}

impl MoveMark {
    /// The number of marks.
    pub const COUNT: usize = 4;

    /// Returns the name in data.
    pub const fn name(self) -> &'static str {
        match self {
            MoveMark::Loss(judgement) => judgement.name(),
            MoveMark::OnlyMove => "only_move",
        }
    }

    /// Returns the NAG of PGN.
    pub const fn nag(self) -> u8 {
        match self {
            MoveMark::Loss(judgement) => judgement.nag(),
            MoveMark::OnlyMove => crate::nags::ONLY_MOVE,
        }
    }

    /// Returns the index in the counts of [`SideReview::marks`].
    pub const fn index(self) -> usize {
        match self {
            MoveMark::Loss(judgement) => judgement as usize,
            MoveMark::OnlyMove => 3,
        }
    }
}

/// A reviewed move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedMove {
    /// The node of the move.
    pub node: usize,
    /// The side that played it.
    pub side: Side,
    /// The expected score that it lost, in permille.
    pub loss_permille: u32,
    /// The mark; `None` for most moves.
    pub mark: Option<MoveMark>,
    /// The expected score of the first side after the move, in permille.
    pub expected_permille: u32,
    /// The phase of the game after the move.
    pub phase: GamePhase,
    /// The best move instead, in the default dialect; `None` if the move was the best one.
    pub best: Option<String>,
    /// The best move instead, in the chosen dialect.
    pub best_label: Option<String>,
    /// Why a turning point lost, if that is proved.
    pub reason: Option<LossReason>,
}

/// The review of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideReview {
    /// The accuracy in percent; `None` without reviewed moves.
    pub accuracy: Option<f64>,
    /// The number of moves with each mark: inaccuracies, mistakes, blunders, only moves.
    pub marks: [usize; MoveMark::COUNT],
}

/// The summary of a reviewed game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewSummary {
    /// The reviewed moves of the main line.
    pub moves: Vec<ReviewedMove>,
    /// The review of both sides.
    pub sides: [SideReview; 2],
    /// The nodes of the mistakes and blunders that lost most, the largest loss first.
    pub turning_points: Vec<usize>,
    /// The number of nodes that each position was searched with: the smallest one.
    pub nodes: u64,
    /// The first node from which on every position is solved exactly, with its number of empty squares.
    pub solved_from: Option<(usize, usize)>,
    /// Whether every position of the main line is reviewed.
    pub is_complete: bool,
}

/// The maximal number of turning points.
const MAX_TURNING_POINTS: usize = 3;

impl ReviewSummary {
    /// Returns the mark of a move, if it has one.
    pub fn mark(&self, node: usize) -> Option<MoveMark> {
        self.moves.iter().find(|mv| mv.node == node)?.mark
    }
}

impl PlayedGame {
    /// Returns the summary of the review; `None` if no position of the main line was reviewed.
    pub fn review_summary(&self) -> Option<ReviewSummary> {
        let tree = self.tree();
        let line = std::iter::once(ROOT).chain(tree.path(tree.line_end(ROOT)));
        let reviews: Vec<_> =
            line.map(|node| (node, tree.node(node).and_then(|node| node.review.as_ref()))).collect();
        let nodes = reviews.iter().filter_map(|(_, review)| review.map(|review| review.nodes)).min()?;
        let info = self.session().info();
        let (mut summary, mut side) =
            (ReviewSummary { nodes, ..ReviewSummary::default() }, self.first_move().0);
        summary.is_complete = reviews.iter().all(|(_, review)| review.is_some());
        let chance = |review: &NodeReview| info.accuracy.win_percent(review.score.value, review.score.mate);
        let mut counted = GameMoves::default();
        for pair in reviews.windows(2) {
            if let [(parent, Some(before)), (node, Some(after))] = pair {
                let reviewed = reviewed_move(side, before, *node, after, tree.move_text(*node));
                // A move of a game that was over says nothing about its side, and a pass was no choice.
                let is_counted = before.best.is_some() && !info.length_unit.is_pass(tree.move_text(*node));
                let chances = [(*parent, chance(before)), (*node, chance(after))];
                let is_best = reviewed.best.is_none();
                counted.push(chances, is_counted.then_some(CountedMove { side, is_best }));
                if let Some(mark) = reviewed.mark {
                    summary.sides[side.index()].marks[mark.index()] += 1;
                }
                summary.moves.push(reviewed);
            }
            side = !side;
        }
        let accuracies = counted.accuracies(&info.accuracy);
        for (side, accuracy) in summary.sides.iter_mut().zip(accuracies) {
            side.accuracy = accuracy;
        }
        let is_turning = |mv: &&ReviewedMove| mv.loss_permille >= Judgement::Mistake.min_loss_permille();
        let mut turning: Vec<_> = summary.moves.iter().filter(is_turning).collect();
        // The sort is stable: of equal losses the first one comes first.
        turning.sort_by_key(|mv| std::cmp::Reverse(mv.loss_permille));
        summary.turning_points = turning.iter().take(MAX_TURNING_POINTS).map(|mv| mv.node).collect();
        for pair in reviews.windows(2) {
            if let [(_, Some(before)), (node, Some(after))] = pair
                && summary.turning_points.contains(node)
                && let Some(mv) = summary.moves.iter_mut().find(|mv| mv.node == *node)
            {
                mv.reason = self.loss_reason(mv.side, before, *node, after);
            }
        }
        let solved =
            reviews.iter().rev().take_while(|(_, review)| review.is_some_and(|one| one.score.is_exact));
        summary.solved_from = solved.last().map(|(node, _)| (*node, self.empty_squares(*node)));
        Some(summary)
    }

    /// Returns the number of empty squares after a move of the main line of a game in which every move but a pass fills
    /// one.
    fn empty_squares(&self, node: usize) -> usize {
        let (info, view) = (self.session().info(), self.session().view());
        let count = |node: usize| {
            let path = self.tree().path(node);
            path.into_iter().filter(|&node| !info.length_unit.is_pass(self.tree().move_text(node))).count()
        };
        let squares = info.appearance.files * info.appearance.ranks;
        (squares + count(self.current_node())).saturating_sub(view.pieces.len() + count(node))
    }
}

/// Returns probabilities from the first side's view, from the view of a side.
pub(super) fn wdl_of_side(side: Side, [wins, draws, losses]: [u32; 3]) -> [u32; 3] {
    if side == Side::First { [wins, draws, losses] } else { [losses, draws, wins] }
}

fn reviewed_move(
    side: Side,
    before: &NodeReview,
    node: usize,
    after: &NodeReview,
    text: &str,
) -> ReviewedMove {
    let best_wdl = wdl_of_side(side, before.wdl);
    let is_best = before.best.as_deref() == Some(text);
    // Where the game was over, as after a repetition or a limit that was not claimed, no move is better.
    let is_judged = !is_best && before.best.is_some();
    let loss = if is_judged { loss_permille(best_wdl, wdl_of_side(side, after.wdl)) } else { 0 };
    let second_loss = before.second_wdl.map_or(0, |wdl| loss_permille(best_wdl, wdl_of_side(side, wdl)));
    let is_only_move = is_best && second_loss >= Judgement::Blunder.min_loss_permille();
    let judgement = Judgement::from_loss_permille(loss).map(MoveMark::Loss);
    ReviewedMove {
        node,
        side,
        loss_permille: loss,
        mark: judgement.or(is_only_move.then_some(MoveMark::OnlyMove)),
        expected_permille: expected_half_permille(after.wdl) / 2,
        phase: after.phase,
        best: before.best.clone().filter(|_| !is_best),
        best_label: before.best_label.clone().filter(|_| !is_best),
        reason: None,
    }
}
