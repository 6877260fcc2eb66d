//! The introduction to Othello.

use crate::lessons::{EndLesson, Introduction, Lesson, Sentences};

/// The introduction to Othello.
pub(crate) static INTRODUCTION: Introduction = Introduction {
    lessons: &[
        Lesson {
            title: Sentences { en: "Placing a disc", zh: "落子" },
            text: Sentences {
                en: "Black moves first. A move puts a disc on an empty square so that enemy discs lie in a straight line \
                     between it and another disc of yours. All of these are turned over. The side with more discs at \
                     the end wins.",
                zh: "黑方先走。在空格落子，使一条直线上的对方棋子夹在新落的子与己方另一子之间，\
                     这些被夹的子全部翻转。终局时棋子多的一方获胜。",
            },
            position: "startpos",
            square: None,
        },
        Lesson {
            title: Sentences { en: "Several lines", zh: "多个方向" },
            text: Sentences {
                en: "Lines run in all eight directions, and one disc may turn several of them: here a disc at g4 turns \
                     the three discs to its left and the two on the diagonal.",
                zh: "横、竖、斜八个方向均有效，一子可同时翻转几条线：此处下在 g4，翻转左边的三子和斜线上的两子。",
            },
            position: "--------\
                       --------\
                       --------\
                       --XOOO--\
                       -----O--\
                       ----O---\
                       ---X----\
                       -------- X",
            square: None,
        },
        Lesson {
            title: Sentences { en: "Corners", zh: "角" },
            text: Sentences {
                en: "A disc in a corner can never be turned over, and discs that lean on it become safe, too. Here Black \
                     can take the corner a1.",
                zh: "角上的棋子永远不会被翻转，依附于角的棋子也会变得安全。此处黑方可以占角 a1。",
            },
            position: "-OOX----\
                       --------\
                       --------\
                       ---OX---\
                       ---XO---\
                       --------\
                       --------\
                       -------- X",
            square: None,
        },
        Lesson {
            title: Sentences { en: "Passing", zh: "弃权" },
            text: Sentences {
                en: "A side that can turn no disc must pass, as Black here; one that can turn a disc must move. The game ends \
                     when neither side can move.",
                zh: "无处可下的一方必须弃权，如此处的黑方；有处可下则必须落子。双方都无处可下时终局。",
            },
            position: "OX------\
                       --------\
                       --------\
                       --------\
                       --------\
                       --------\
                       --------\
                       -------- X",
            square: None,
        },
    ],
    ends: &[
        EndLesson {
            cause: "full_board",
            text: Sentences {
                en: "Every square has a disc. The side with more discs has won; with the same number the game is drawn.",
                zh: "棋盘已下满，棋子多的一方获胜，棋子相同则为和棋。",
            },
        },
        EndLesson {
            cause: "wipeout",
            text: Sentences {
                en: "One side has no disc left, so it can never move again. The other side has won.",
                zh: "一方的棋子全部被翻转，再也不能落子，另一方获胜。",
            },
        },
        EndLesson {
            cause: "no_legal_move",
            text: Sentences {
                en: "There are empty squares, but neither side can turn a disc. The side with more discs has won, and most \
                     rules count the empty squares for it; with the same number the game is drawn.",
                zh: "尚有空格，但双方都无处可下。棋子多的一方获胜，多数规则把空格计给胜方；棋子相同则为和棋。",
            },
        },
    ],
    quiz: &[],
};

#[cfg(test)]
mod tests {
    use alfil_othello::Cause;

    use super::*;

    #[test]
    fn every_end_is_explained() {
        let causes = [Cause::FullBoard, Cause::Wipeout, Cause::NoLegalMove];
        assert_eq!(
            INTRODUCTION.ends.iter().map(|end| end.cause.to_owned()).collect::<Vec<_>>(),
            causes.map(|cause| cause.to_string())
        );
    }
}
