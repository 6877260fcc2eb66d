//! Twenty repetitions of which the reader says who must change. The positions are constructed from the articles, as in
//! `testdata/articles.jsonl` of `alfil-xiangqi`, with the sides exchanged in some; the judge gives the answers.

use crate::lessons::QuizLoop;

/// The repetitions, the simpler ones first.
pub(super) static QUIZ: [QuizLoop; 20] = [
    QuizLoop::new(
        "3k5/9/9/9/4R4/9/9/9/9/5K3 w - - 0 1",
        "e5d5 d9e9 d5e5 e9d9",
        "axf",
        ["Every move of the rook is a check.", "车步步将军。"],
    ),
    QuizLoop::new(
        "3k5/9/9/9/R8/9/9/9/9/5K3 w - - 0 1",
        "a5d5 d9e9 d5a5 e9d9",
        "cxa2020",
        ["The rook checks with one move and attacks nothing with the other.", "车一着将军，一着闲着。"],
    ),
    QuizLoop::new(
        "3aka3/9/4b4/9/9/1r7/9/C8/9/3AKAB2 b - - 0 1",
        "b4a4 a2b2 a4b4 b2a2",
        "wxf2018",
        ["The rook attacks the same unprotected cannon with every move.", "车步步捉同一只无根炮。"],
    ),
    QuizLoop::new(
        "3akab2/9/c7r/9/1R7/9/9/4B4/9/3AKA3 w - - 0 1",
        "b5a5 a7b7 a5b5 b7a7",
        "cxa2020",
        [
            "The rook follows a cannon that another rook protects: it wins nothing.",
            "车跟炮，而炮有车保护，得不到子。",
        ],
    ),
    QuizLoop::new(
        "5k3/R8/9/9/9/9/9/7r1/1R7/3K5 w - - 0 1",
        "b1c1 h2h3 c1b1 h3h2",
        "cxa2020",
        ["Every move threatens mate on the back rank.", "步步在底线做杀。"],
    ),
    QuizLoop::new(
        "3akab2/9/9/9/R7p/9/6n2/4B4/9/3AKA3 w - - 0 1",
        "a5a3 g9i7 a3a5 i7g9",
        "cxa2020",
        [
            "One move chases the horse. The other attacks a soldier that has not crossed the river, which is allowed.",
            "一着捉马；另一着攻击未过河的卒，不算捉。",
        ],
    ),
    QuizLoop::new(
        "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/C5NC1/9/1NBAKAB1R b - - 0 1",
        "a7b7 a2b2 b7a7 b2a2",
        "axf",
        [
            "The cannon attacks the rook with every move. A rook has the higher value: its protection does not count.",
            "炮步步捉车。车的价值高于炮，有无保护都算捉。",
        ],
    ),
    QuizLoop::new(
        "3k5/9/c8/9/R8/9/9/9/9/5K3 w - - 0 1",
        "a5d5 d9e9 d5a5 e9d9",
        "cxa2020",
        [
            "A check and a chase in turn. Under the Chinese rules every mixture of attacks is prohibited.",
            "一将一捉。按中国规则，将、杀、捉无论怎样组合都属禁止。",
        ],
    ),
    QuizLoop::new(
        "3akab2/9/9/9/R7c/9/7r1/4B4/9/3AKA3 w - - 0 1",
        "a5a3 g9i7 a3a5 i7g9",
        "cxa2020",
        [
            "One move chases the cannon. The other meets a rook that could capture first: an offer to exchange.",
            "一着捉炮；另一着与对方车互为攻击，是邀兑。",
        ],
    ),
    QuizLoop::new(
        "3aka3/9/4b4/7P1/9/r7C/9/9/9/3AKAB2 b - - 0 1",
        "a4a6 g0i2 a6a4 i2g0",
        "cxa2020",
        [
            "Cannon and soldier are chased in turn. The soldier has crossed the river, so it counts.",
            "轮流捉炮和过河兵；兵已过河，算子力。",
        ],
    ),
    QuizLoop::new(
        "4k4/9/2cn5/2P6/9/9/9/9/9/3K5 w - - 0 1",
        "c6d6 e9e8 d6c6 e8e9",
        "cxa2020",
        ["Soldiers and kings may attack for ever.", "兵（卒）、帅（将）可以长捉。"],
    ),
    QuizLoop::new(
        "9/4k4/3r5/3c5/3P5/9/9/4C4/9/3K5 w - - 0 1",
        "d5e5 d6e6 e5d5 e6d6",
        "wxf2018",
        ["Both sides check with every move, so neither offends more.", "双方步步将军，彼此相当。"],
    ),
    QuizLoop::new(
        "5k3/9/9/9/R7c/5n3/7c1/9/9/5K3 w - - 0 1",
        "a5a3 f9f8 a3a5 f8f9",
        "cxa2020",
        [
            "Two cannons are chased in turn. The horse stands between the kings and may not take back.",
            "轮流捉两炮；马在两将之间，不能离线反吃，是假根。",
        ],
    ),
    QuizLoop::new(
        "3k5/9/9/7C1/5N3/r7C/9/9/9/5K3 b - - 0 1",
        "a4a6 f0f1 a6a4 f1f0",
        "cxa2020",
        [
            "The horse protects one of the cannons, so only every other move chases.",
            "马保护着其中一炮，只有一着是捉。",
        ],
    ),
    QuizLoop::new(
        "3akabr1/9/2n6/9/R8/9/9/4B4/9/3AKA3 w - - 0 1",
        "a5b5 g9i7 b5a5 i7g9",
        "cxa2020",
        ["The rook offers itself to the horse and attacks nothing.", "车只是献给马吃，没有捉子。"],
    ),
    QuizLoop::new(
        "3kc4/4a4/9/4R4/9/r7C/9/9/9/3AKAB2 b - - 0 1",
        "a4a6 g0i2 a6a4 i2g0",
        "cxa2020",
        [
            "Cannon and rook are chased in turn. The rook is pinned to its king and cannot capture its attacker.",
            "轮流捉炮和车；车被牵制，不能吃对方的车，所以不是兑。",
        ],
    ),
    QuizLoop::new(
        "3akab2/nn7/9/9/P8/9/9/4B4/RR7/3AKA3 w - - 0 1",
        "a5b5 g9i7 b5a5 i7g9",
        "cxa2020",
        [
            "The soldier may attack for ever, but the rooks that it uncovers may not.",
            "兵可以长捉，但它让开后车捉马，就算捉。",
        ],
    ),
    QuizLoop::new(
        "3k5/8r/9/9/9/8C/4pC3/9/9/R3K4 b - - 0 1",
        "i8e8 a0a1 e8i8 a1a0",
        "cxa2020",
        [
            "One move chases the cannon. After the other the soldier could take a cannon and uncover a check: a chase.",
            "一着捉炮；另一着后卒可吃炮并露将，算捉。",
        ],
    ),
    QuizLoop::new(
        "3akab2/9/9/1r7/P8/9/9/1C2B4/C8/3AKA3 w - - 0 1",
        "a5b5 b6a6 b5a5 a6b6",
        "cxa2020",
        [
            "The cannons chase the rook, and the rook chases the cannons: both offend alike.",
            "炮捉车，车捉炮，双方犯例相当。",
        ],
    ),
    QuizLoop::new(
        "3aka3/9/4b4/6N2/9/r7C/9/9/9/3AKAB2 b - - 0 1",
        "a4a6 g0i2 a6a4 i2g0",
        "cxa2020",
        [
            "Two unprotected pieces are chased in turn. Under the Chinese rules the victims may differ.",
            "轮流捉两个无根子。按中国规则，所捉之子可以不同。",
        ],
    ),
];
