//! The introduction to a game as the page gets it.

use std::collections::BTreeMap;

use alfil_session::lessons::{EndLesson, ShownLesson};
use serde::Serialize;

use super::TargetDto;

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
