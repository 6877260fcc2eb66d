//! The introduction to a game as the page gets it.

use std::collections::BTreeMap;

use alfil_session::lessons::{EndLesson, ShownLesson, ShownLoop};
use alfil_session::{GameInfo, RulingPly};
use serde::Serialize;

use super::{MoveResultDto, RulingSummaryDto, TargetDto};

/// A step of the introduction to a game: an example with the moves of a piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LessonDto {
    /// The title in English.
    pub title: &'static str,
    /// The title in Chinese.
    pub title_zh: &'static str,
    /// The explanation in English.
    pub text: &'static str,
    /// The explanation in Chinese.
    pub text_zh: &'static str,
    /// The letters of the pieces by square.
    pub pieces: BTreeMap<String, char>,
    /// The square of the piece whose moves are shown; null if new pieces are placed, or nothing moves.
    pub square: Option<&'static str>,
    /// The moves that are shown.
    pub targets: Vec<TargetDto>,
}

impl From<ShownLesson> for LessonDto {
    fn from(ShownLesson { lesson, pieces, targets }: ShownLesson) -> Self {
        LessonDto {
            title: lesson.title.en,
            title_zh: lesson.title.zh,
            text: lesson.text.en,
            text_zh: lesson.text.zh,
            pieces: pieces.into_iter().collect(),
            square: lesson.square,
            targets: targets.into_iter().map(TargetDto::from).collect(),
        }
    }
}

/// The explanation of a way in which a game ends.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EndLessonDto {
    /// The cause in one word, as in `GameEndDto::cause`.
    pub cause: &'static str,
    /// The explanation in English.
    pub text: &'static str,
    /// The explanation in Chinese.
    pub text_zh: &'static str,
}

impl From<&EndLesson> for EndLessonDto {
    fn from(end: &EndLesson) -> Self {
        EndLessonDto { cause: end.cause, text: end.text.en, text_zh: end.text.zh }
    }
}

/// A repetition of which the reader says who must change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QuizLoopDto {
    /// The letters of the pieces by square, where the repetition begins.
    pub pieces: BTreeMap<String, char>,
    /// The moves that lead back to this position.
    pub moves: Vec<QuizMoveDto>,
    /// The ruling after the third occurrence of the position.
    pub ruling: RulingSummaryDto,
    /// The reason for the verdict in English.
    pub text: &'static str,
    /// The reason for the verdict in Chinese.
    pub text_zh: &'static str,
}

/// A move of a repetition of the quiz.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QuizMoveDto {
    /// The move in the requested dialect.
    pub label: String,
    /// The move with its changes of the board.
    pub step: MoveResultDto,
    /// What the move is under the ruleset: `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    #[cfg_attr(test, ts(as = "super::values::MoveClass"))]
    pub nature: &'static str,
}

impl QuizLoopDto {
    /// Converts a repetition of the quiz of a game.
    pub fn new(ShownLoop { quiz_loop, pieces, moves, ruling }: ShownLoop, game: &GameInfo) -> Self {
        let quiz_move = |(step, ply): (_, &RulingPly)| QuizMoveDto {
            label: ply.mv.clone(),
            step: MoveResultDto::from(step),
            nature: ply.move_class,
        };
        QuizLoopDto {
            pieces: pieces.into_iter().collect(),
            moves: moves.iter().zip(&ruling.plies).map(quiz_move).collect(),
            text: quiz_loop.text.en,
            text_zh: quiz_loop.text.zh,
            ruling: RulingSummaryDto::new(ruling, game.rulesets),
        }
    }
}
