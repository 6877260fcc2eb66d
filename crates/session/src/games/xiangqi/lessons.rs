//! The introduction to xiangqi.

use super::quiz::QUIZ;
use crate::lessons::{EndLesson, Introduction, Lesson};

/// The introduction to xiangqi.
pub(crate) static INTRODUCTION: Introduction = Introduction {
    lessons: &[
        Lesson::new(
            ["Board and aim", "棋盘与目标"],
            "startpos",
            None,
            [
                "The pieces stand on the points where lines cross. Red moves first. You win by attacking the enemy king \
                 so that it cannot escape, or by leaving the opponent without any legal move. The gap in the middle is \
                 the river; the squares with diagonals are the palaces.",
                "棋子放在线的交叉点上，红方先走。攻击对方的将（帅）使其无法逃脱，或使对方无棋可走，即为获胜。\
                 棋盘中间是河界，画有斜线的方格是九宫。",
            ],
        ),
        Lesson::new(
            ["King", "帅（将）"],
            "3k5/9/9/9/9/9/9/9/4K4/9 w",
            Some("e1"),
            [
                "The king goes one point along a line and never leaves its palace. The two kings must not face each \
                 other on an open file: here the king may not go to the left.",
                "帅（将）沿线走一步，不得离开九宫。双方的将帅不得在同一直线上直接对面：此处帅不能向左走。",
            ],
        ),
        Lesson::new(
            ["Advisor", "仕（士）"],
            "3k5/9/9/9/9/9/9/9/4A4/4K4 w",
            Some("e1"),
            [
                "The advisor goes one point along a diagonal of the palace, which it never leaves.",
                "仕（士）沿九宫内的斜线走一步，不得离开九宫。",
            ],
        ),
        Lesson::new(
            ["Elephant", "相（象）"],
            "3k5/9/9/9/9/9/3N5/4B4/9/4K4 w",
            Some("e2"),
            [
                "The elephant goes exactly two points diagonally and never crosses the river. A piece on the point \
                 between, its eye, blocks it: here the horse stands in the way to the upper left.",
                "相（象）斜走两步（走“田”字），不得过河。田字中心（象眼）有子时不能走：此处马塞住了左上方的象眼。",
            ],
        ),
        Lesson::new(
            ["Horse", "马"],
            "3k5/9/9/9/4P4/4N4/9/9/9/4K4 w",
            Some("e4"),
            [
                "The horse goes one point straight and then one diagonally outwards. A piece on the first point, its \
                 leg, blocks it: here the soldier in front takes away both moves forward.",
                "马先直走一步，再斜走一步（走“日”字）。紧邻的直线方向有子（蹩马腿）则不能走：\
                 此处前面的兵使马不能向前跳。",
            ],
        ),
        Lesson::new(
            ["Rook", "车"],
            "3k5/9/9/4p4/9/4R4/9/9/9/4K4 w",
            Some("e4"),
            [
                "The rook goes any number of points along a line and captures what it meets: here the soldier ahead.",
                "车沿直线走任意步数，遇到对方的子可以吃掉：此处可吃前面的卒。",
            ],
        ),
        Lesson::new(
            ["Cannon", "炮"],
            "3k5/9/9/4p4/9/4P4/9/4C4/9/4K4 w",
            Some("e2"),
            [
                "The cannon moves like the rook. But it captures only by jumping over exactly one piece of either side, \
                 the screen: here it takes the black soldier over its own.",
                "炮的走法与车相同，但吃子时必须隔着一个棋子（炮架，双方的子均可）：此处隔着自己的兵吃黑卒。",
            ],
        ),
        Lesson::new(
            ["Soldier", "兵（卒）"],
            "3k5/9/9/4P4/9/9/P8/9/9/4K4 w",
            Some("e6"),
            [
                "The soldier goes one point forward. Once it has crossed the river it may also go sideways, as this one. \
                 It never goes back.",
                "兵（卒）向前走一步；过河以后还可以横走一步，如图中的兵。兵（卒）不能后退。",
            ],
        ),
    ],
    ends: &[
        EndLesson::new(
            "no_legal_move",
            "The side to move has no legal move. If its king is attacked, that is checkmate; if not, it is stalemate, \
             which loses in xiangqi as well.",
            "轮到走棋的一方无棋可走。被将军时为“将死”；未被将军时为“困毙”，在象棋中同样判负。",
        ),
        EndLesson::new(
            "perpetual_check",
            "A position came back while one side gave check with every move. A side that checks like this without \
             end must play another move, or it loses.",
            "局面循环重复，其中一方步步将军（长将）。长将的一方必须变着，否则判负。",
        ),
        EndLesson::new(
            "perpetual_chase",
            "A position came back while one side attacked the same piece with every move, so that it would have won it. \
             A side that chases like this without end must play another move, or it loses.",
            "局面循环重复，其中一方步步追捉同一个子（长捉）。长捉的一方必须变着，否则判负。",
        ),
        EndLesson::new(
            "prohibited",
            "A position came back, or many rounds passed, while one side checked, threatened mate or chased with every \
             move. Such a series of \
             moves is prohibited: the side that makes it loses.",
            "局面循环重复，或连续多个回合，其中一方着着将军、做杀或捉子。这种着法属于禁止着法，一方禁止而不变着者判负。",
        ),
        EndLesson::new(
            "mutual",
            "A position came back, and all moves of both sides were forbidden ones: checks, or chases, or under the \
             Chinese rules also threats of mate. Neither has to change, so the game is drawn.",
            "局面循环重复，双方着着都是禁止着法：将军、捉子，或（按中国象棋协会规则）做杀。双方均不变着，判为和棋。",
        ),
        EndLesson::new(
            "repetition",
            "A position came back several times without either side doing what is prohibited. The game is drawn.",
            "局面多次重复，双方均未违反禁例，判为和棋。",
        ),
        EndLesson::new(
            "natural_limit",
            "So many moves were made without a capture that the rules end the game as a draw.",
            "双方在规定的回合数内均未吃子，按自然限着判为和棋。",
        ),
        EndLesson::new(
            "material",
            "Neither side has the pieces to win: none that can cross the river, or, under the computer rules, only a cannon \
             without the pieces that it jumps over. The game is drawn.",
            "双方均无取胜的子力：没有可以过河的子，或（按电脑规则）只有一炮而没有炮架，判为和棋。",
        ),
        EndLesson::new(
            "only_refused_moves",
            "Some apps refuse another check or chase after too many in a row. A side that has no other move loses.",
            "有的平台不允许连续将军或捉子过多。除此之外无子可走的一方判负。",
        ),
        EndLesson::new(
            "game_length",
            "The rules of some apps end a game as a draw after a number of moves, whatever they were.",
            "有的平台规定对局满一定着数即判和棋。",
        ),
    ],
    quiz: &QUIZ,
};

#[cfg(test)]
mod tests {
    use alfil_xiangqi::rules::Cause;

    use super::*;

    #[test]
    fn every_end_is_explained() {
        let causes = [
            Cause::NoLegalMove,
            Cause::PerpetualCheck,
            Cause::PerpetualChase,
            Cause::Prohibited,
            Cause::MutualOffence,
            Cause::Repetition,
            Cause::NaturalLimit,
            Cause::Material,
            Cause::OnlyRefusedMoves,
            Cause::GameLength,
        ];
        assert_eq!(
            INTRODUCTION.ends.iter().map(|end| end.cause.to_owned()).collect::<Vec<_>>(),
            causes.map(|cause| cause.to_string())
        );
    }
}
