//! The introduction to chess.

use crate::lessons::{EndLesson, Introduction, Lesson};

/// The introduction to chess.
pub(crate) static INTRODUCTION: Introduction = Introduction {
    lessons: &[
        Lesson::new(
            ["Board and aim", "棋盘与目标"],
            "startpos",
            None,
            [
                "White moves first. You win by attacking the enemy king so that it cannot escape: checkmate. A piece \
                 captures by going to the square of an enemy piece.",
                "白方先走。攻击对方的王使其无法逃脱（将杀）即为获胜。棋子走到对方棋子所在的格即吃掉它。",
            ],
        ),
        Lesson::new(
            ["King", "王"],
            "4k3/8/8/8/3K4/8/8/8 w - - 0 1",
            Some("d4"),
            [
                "The king goes one square in any direction, but never to a square that is attacked.",
                "王可向任意方向走一格，但不能走到受攻击的格。",
            ],
        ),
        Lesson::new(
            ["Queen", "后"],
            "4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1",
            Some("d4"),
            ["The queen goes any number of squares straight or diagonally.", "后可沿直线或斜线走任意格数。"],
        ),
        Lesson::new(
            ["Rook", "车"],
            "4k3/3p4/8/8/3R4/8/8/4K3 w - - 0 1",
            Some("d4"),
            [
                "The rook goes any number of squares straight and captures what it meets: here the pawn ahead.",
                "车沿直线走任意格数，可吃掉遇到的对方棋子：此处可吃前面的兵。",
            ],
        ),
        Lesson::new(
            ["Bishop", "象"],
            "4k3/8/8/8/3B4/8/8/4K3 w - - 0 1",
            Some("d4"),
            [
                "The bishop goes any number of squares diagonally and stays on squares of one colour.",
                "象沿斜线走任意格数，始终在同一种颜色的格上。",
            ],
        ),
        Lesson::new(
            ["Knight", "马"],
            "4k3/8/8/2PPP3/2PNP3/2PPP3/8/4K3 w - - 0 1",
            Some("d4"),
            [
                "The knight goes two squares straight and one to the side. It jumps over all pieces between.",
                "马走“日”字：直走两格，再横走一格，可以越过其他棋子。",
            ],
        ),
        Lesson::new(
            ["Pawn", "兵"],
            "4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1",
            Some("e2"),
            [
                "The pawn goes one square forward, from its first square one or two. It captures diagonally forward, as \
                 here to both sides.",
                "兵向前走一格，在起始格可走一格或两格。兵斜前方吃子：此处可吃左右两个兵。",
            ],
        ),
        Lesson::new(
            ["Promotion", "升变"],
            "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1",
            Some("e7"),
            [
                "A pawn that reaches the last rank becomes a queen, a rook, a bishop or a knight, as its player chooses.",
                "兵走到底线时升变为后、车、象或马，由棋手选择。",
            ],
        ),
        Lesson::new(
            ["Castling", "王车易位"],
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
            Some("e1"),
            [
                "Once in a game the king may go two squares towards a rook, which jumps over it. Neither may have moved, \
                 nothing may stand between them, and the king may not be attacked on its way.",
                "每局一次，王可向一侧的车走两格，车越过王落在另一侧。王和车都未走动过，其间无子，\
                 且王不能被攻击或经过受攻击的格。",
            ],
        ),
        Lesson::new(
            ["En passant", "吃过路兵"],
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            Some("e5"),
            [
                "A pawn that has just gone two squares may be captured as if it had gone one: here the white pawn \
                 captures the black one beside it, at once or never.",
                "对方的兵刚走两格、与己方的兵并列时，可按它只走一格来吃：此处白兵可吃旁边的黑兵，只能立即吃。",
            ],
        ),
    ],
    ends: &[
        EndLesson::new(
            "checkmate",
            "The king of the side to move is attacked, and no move ends the attack. That side has lost.",
            "轮到走棋一方的王被攻击，且没有任何着法可以解除。该方告负。",
        ),
        EndLesson::new(
            "stalemate",
            "The side to move is not in check but has no legal move. In chess that is a draw.",
            "轮到走棋的一方未被将军，但无棋可走。在国际象棋中为和棋（逼和）。",
        ),
        EndLesson::new(
            "material",
            "Neither side has enough pieces left to give mate, however both play. The game is drawn.",
            "双方剩余的子力都不足以将杀对方，判为和棋。",
        ),
        EndLesson::new(
            "threefold",
            "The same position, with the same side to move, occurred for the third time. The game is drawn.",
            "同一局面（轮走方相同）第三次出现，判为和棋。",
        ),
        EndLesson::new(
            "fivefold",
            "The same position, with the same side to move, occurred for the fifth time. The game is drawn without a \
             claim.",
            "同一局面（轮走方相同）第五次出现，无需提出即判为和棋。",
        ),
        EndLesson::new(
            "fifty_moves",
            "Each side made fifty moves without a capture or a pawn move. The game is drawn.",
            "双方连续五十回合没有吃子也没有动兵，判为和棋。",
        ),
        EndLesson::new(
            "seventy_five_moves",
            "Each side made seventy-five moves without a capture or a pawn move. The game is drawn without a claim.",
            "双方连续七十五回合没有吃子也没有动兵，无需提出即判为和棋。",
        ),
    ],
    quiz: &[],
};

#[cfg(test)]
mod tests {
    use alfil_chess::Cause;

    use super::*;

    #[test]
    fn every_end_is_explained() {
        let causes = [
            Cause::Checkmate,
            Cause::Stalemate,
            Cause::InsufficientMaterial,
            Cause::Threefold,
            Cause::Fivefold,
            Cause::FiftyMoves,
            Cause::SeventyFiveMoves,
        ];
        assert_eq!(
            INTRODUCTION.ends.iter().map(|end| end.cause.to_owned()).collect::<Vec<_>>(),
            causes.map(|cause| cause.to_string())
        );
    }
}
