//! The introduction to the game.

use alfil_session::lessons::{EndLesson, Introduction, Lesson};

/// How the pawns move, and how a game ends.
pub static INTRODUCTION: Introduction = Introduction {
    lessons: &[Lesson::new(
        ["Pawn", "兵"],
        "5/5/2p2/1P3/5 w",
        Some("b2"),
        [
            "A pawn goes one square straight or diagonally forward. It captures diagonally only.",
            "兵向正前方或斜前方走一格，只能斜走吃子。",
        ],
    )],
    ends: &[
        EndLesson::new("last_rank", "Who reaches the last rank wins.", "到达底线者获胜。"),
        EndLesson::new("no_pawns", "Who has no pawns left loses.", "失去全部兵者负。"),
    ],
    quiz: &[],
};
