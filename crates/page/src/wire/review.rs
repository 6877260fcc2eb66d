//! The data of reviews, marks and printed positions in messages.

use std::collections::BTreeMap;

use alfil_kernel::Side;
use alfil_session::PositionView;
use alfil_session::accuracy::ACCURACY_VERSION;
use alfil_session::material::Material;
use alfil_session::nags::Nag;
use alfil_session::played_game::{
    LossReason, MoveMark, ReviewSummary, ReviewedMove, SideReview, TrialResult,
};
use alfil_session::review::{DEEP_REVIEW_NODES, Judgement};
use serde::Serialize;

use super::ScoreDto;

/// The captured pieces of a position, and who is ahead in material.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MaterialDto {
    /// The letters of each side's captured pieces, the most valuable first.
    pub captured: [Vec<char>; 2],
    /// The value of the first side's pieces less that of the second side's, in hundredths of the least valuable piece.
    pub difference: i32,
}

impl From<Material> for MaterialDto {
    fn from(Material { captured, difference }: Material) -> Self {
        MaterialDto { captured, difference }
    }
}

/// The review of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewDto {
    /// The reviewed moves of the main line.
    pub moves: Vec<ReviewedMoveDto>,
    /// The review of both sides.
    pub sides: [SideReviewDto; 2],
    /// The version of the formula of the accuracies.
    pub accuracy_version: u32,
    /// The ids of the mistakes and blunders that lost most, at most three, the largest loss first.
    pub turning_points: Vec<usize>,
    /// The part that is solved exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub solved: Option<SolvedPartDto>,
    /// The number of nodes with which each position was searched at least.
    pub nodes: u64,
    /// Whether every position of the main line was reviewed.
    pub complete: bool,
    /// The number of nodes of a deeper review.
    pub deep_nodes: u64,
}

/// A reviewed move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewedMoveDto {
    /// The id of the tree node.
    pub node: usize,
    /// The side that played it: 0 or 1.
    #[cfg_attr(test, ts(as = "super::values::Side"))]
    pub side: usize,
    /// The expected score that it lost, in permille.
    pub loss: u32,
    /// The mark: `inaccuracy`, `mistake`, `blunder` or `only_move`.
    #[cfg_attr(test, ts(as = "Option<super::values::ReviewMark>"))]
    pub mark: Option<&'static str>,
    /// The expected score of the first side after the move, in permille.
    pub expected: u32,
    /// The phase of the game: `opening`, `middlegame` or `ending`.
    #[cfg_attr(test, ts(as = "super::values::GamePhase"))]
    pub phase: &'static str,
    /// The best move instead, in the default dialect; null if the move was the best one.
    pub best: Option<String>,
    /// The best move instead, in the chosen dialect.
    pub best_label: Option<String>,
    /// Why a turning point lost, if that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reason: Option<LossReasonDto>,
}

/// The reason why a move lost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LossReasonDto {
    /// The opponent has a mate.
    AllowsMate {
        /// The number of moves.
        moves: u32,
    },
    /// The side had a mate, and has none after the move.
    MissesMate {
        /// The number of moves.
        moves: u32,
    },
    /// The ending is solved.
    Solved {
        /// The score before the move from the view of its side, in pieces.
        before: i32,
        /// The score after the move.
        after: i32,
    },
    /// The rules end the game with this move, and its side loses.
    Rule {
        /// The verdict in English.
        message: String,
        /// The verdict in Chinese.
        message_zh: String,
    },
    /// The best reply wins a piece that the move left hanging.
    Hanging {
        /// The reply in the chosen dialect.
        reply: String,
    },
}

impl From<LossReason> for LossReasonDto {
    fn from(reason: LossReason) -> Self {
        match reason {
            LossReason::AllowsMate(moves) => LossReasonDto::AllowsMate { moves },
            LossReason::MissesMate(moves) => LossReasonDto::MissesMate { moves },
            LossReason::Solved { before, after } => LossReasonDto::Solved { before, after },
            LossReason::LosesByRule { message, message_zh } => LossReasonDto::Rule { message, message_zh },
            LossReason::HangsPiece { reply } => LossReasonDto::Hanging { reply },
        }
    }
}

/// The part of a game that is solved exactly, up to its end.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolvedPartDto {
    /// The id of the first tree node of it.
    pub node: usize,
    /// The number of empty squares there.
    pub empties: usize,
}

/// The review of a side.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideReviewDto {
    /// The accuracy in percent; null without reviewed moves.
    pub accuracy: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracy: usize,
    /// The number of mistakes.
    pub mistake: usize,
    /// The number of blunders.
    pub blunder: usize,
    /// The number of only moves.
    pub only_move: usize,
}

impl From<ReviewedMove> for ReviewedMoveDto {
    fn from(mv: ReviewedMove) -> Self {
        ReviewedMoveDto {
            node: mv.node,
            side: mv.side.index(),
            loss: mv.loss_permille,
            mark: mv.mark.map(MoveMark::name),
            expected: mv.expected_permille,
            phase: mv.phase.name(),
            best: mv.best,
            best_label: mv.best_label,
            reason: mv.reason.map(LossReasonDto::from),
        }
    }
}

impl From<SideReview> for SideReviewDto {
    fn from(side: SideReview) -> Self {
        let [inaccuracy, mistake, blunder, only_move] = side.marks;
        SideReviewDto { accuracy: side.accuracy, inaccuracy, mistake, blunder, only_move }
    }
}

impl From<ReviewSummary> for ReviewDto {
    fn from(summary: ReviewSummary) -> Self {
        ReviewDto {
            moves: summary.moves.into_iter().map(ReviewedMoveDto::from).collect(),
            sides: summary.sides.map(SideReviewDto::from),
            accuracy_version: ACCURACY_VERSION,
            turning_points: summary.turning_points,
            solved: summary.solved_from.map(|(node, empties)| SolvedPartDto { node, empties }),
            nodes: summary.nodes,
            complete: summary.is_complete,
            deep_nodes: DEEP_REVIEW_NODES,
        }
    }
}

/// The judgement on a tried move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrialDto {
    /// The id of the tree node in whose position the move was tried.
    pub node: usize,
    /// The move in the default dialect.
    pub text: String,
    /// The move in the chosen dialect.
    pub label: String,
    /// The expected score that the move loses, in permille.
    pub loss: u32,
    /// The mark: `inaccuracy`, `mistake` or `blunder`; null for a good move.
    #[cfg_attr(test, ts(as = "Option<super::values::Judgement>"))]
    pub mark: Option<&'static str>,
    /// Whether it is the best move of the review.
    pub best: bool,
    /// The score of the position after the move.
    pub score: ScoreDto,
}

impl From<&TrialResult> for TrialDto {
    fn from(result: &TrialResult) -> Self {
        TrialDto {
            node: result.node,
            text: result.text.clone(),
            label: result.label.clone(),
            loss: result.loss_permille,
            mark: result.judgement.map(Judgement::name),
            best: result.is_best,
            score: result.score.into(),
        }
    }
}

/// An annotation mark that can be entered.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NagDto {
    /// The number, as in PGN.
    pub number: u8,
    /// The sign.
    pub sign: &'static str,
    /// Whether it judges the move, and not the position.
    pub of_move: bool,
    /// The meaning in English.
    pub words: &'static str,
    /// The meaning in Chinese.
    pub words_zh: &'static str,
}

impl From<&Nag> for NagDto {
    fn from(nag: &Nag) -> Self {
        let Nag { number, sign, is_about_move: of_move, words, words_zh } = *nag;
        NagDto { number, sign, of_move, words, words_zh }
    }
}

/// A position to be drawn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiagramDto {
    /// The id of the tree node.
    pub node: usize,
    /// The side to move: 0 or 1.
    #[cfg_attr(test, ts(as = "super::values::Side"))]
    pub side: usize,
    /// The piece letters by square.
    pub pieces: BTreeMap<String, char>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// The square of the king in check.
    pub check: Option<String>,
}

impl DiagramDto {
    /// Returns the drawing of the position of a node.
    pub(crate) fn new(node: usize, view: PositionView) -> DiagramDto {
        DiagramDto {
            node,
            side: Side::index(view.side_to_move),
            pieces: view.pieces.into_iter().collect(),
            last: view.last_move,
            check: view.checked_king,
        }
    }
}
