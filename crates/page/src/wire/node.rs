//! The data of the tree of moves in messages.

use alfil_session::played_game::{AnnotatedNode, NodeScore};
use serde::Serialize;

use super::{MoveResultDto, PositionDto};

/// The score of a position, from the first side's view.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoreDto {
    /// The score in centipawns (hundredths of a disc in Othello).
    pub value: i32,
    /// The plies to a forced end: positive if the first side wins.
    pub mate: Option<i32>,
    /// Whether it is the solved score of the end of the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub exact: bool,
}

impl From<NodeScore> for ScoreDto {
    fn from(score: NodeScore) -> Self {
        ScoreDto { value: score.value, mate: score.mate, exact: score.is_exact }
    }
}

/// A node of the tree of moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeDto {
    /// The number of the node, which does not change.
    pub node: usize,
    /// The number of the parent; the root is its own parent.
    pub parent: usize,
    /// The move in the default dialect.
    pub text: String,
    /// The comment on the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The NAGs of the move, as in PGN: 1 is `!`, 2 is `?`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// The clock times in the notation of PGN: `[%clk 0:03:00]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clocks: String,
    /// The score of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<ScoreDto>,
    /// The score that the review of the game has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub review: Option<ScoreDto>,
    /// The children, the main line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    /// The move in the chosen dialect, with the signs of its NAGs.
    pub label: String,
}

impl NodeDto {
    /// Returns a labelled node.
    pub(crate) fn new(number: usize, node: &AnnotatedNode) -> NodeDto {
        NodeDto {
            node: number,
            parent: node.parent(),
            text: node.text.clone(),
            comment: node.comment.clone(),
            nags: node.nags.clone(),
            clocks: node.clocks.clone(),
            score: node.known_score().map(ScoreDto::from),
            review: node.review.as_ref().map(|review| review.score.into()),
            children: node.children().to_vec(),
            label: node.label_with_signs(),
        }
    }
}

/// A position of the game that the page can show before it goes there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreePositionDto {
    /// The number of the node.
    pub node: usize,
    /// The position, without the clock.
    pub position: PositionDto,
    /// The move that leads to the position; null at the start.
    pub step: Option<MoveResultDto>,
    /// How that move is taken back.
    pub back: Option<MoveResultDto>,
}
