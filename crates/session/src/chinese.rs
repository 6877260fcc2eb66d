//! The Chinese messages for setup issues, unreadable positions, illegal moves and verdicts; those of faulty records are
//! in [`crate::record_errors`], those of rulings in [`crate::rulings`]. Every message is chosen by a `match` on the
//! error type, so that a new error without a message does not compile.

use std::fmt::Display;

use alfil_kernel::{FenError, NotationError};

use crate::appearance::chinese::ChineseNames;

/// Formats the error of an unreadable position text: its place, and what was expected.
pub(crate) fn fen_error<E: Display>(error: &FenError<E>, expected: &str) -> String {
    let found = error.found.map_or("文本到此结束".into(), |found| format!("此处是“{found}”"));
    // A space separates Chinese and Latin text.
    let space = if expected.starts_with(|first: char| first.is_ascii_alphanumeric()) { " " } else { "" };
    format!("局面文本，字节 {}：应为{space}{expected}；{found}", error.offset)
}

/// The reasons against a move that chess and xiangqi share; the game provides the names of pieces and sides.
pub(crate) mod pieces {
    use std::fmt::Display;

    pub(crate) fn no_piece(origin: impl Display) -> String {
        format!("{origin} 没有子")
    }

    pub(crate) fn not_its_turn(piece: &str, origin: impl Display, mover: &str) -> String {
        format!("{origin} 的子是{piece}，轮到{mover}走")
    }

    pub(crate) fn own_piece(mover: &str, target: impl Display) -> String {
        format!("{target} 上有{mover}自己的子")
    }

    pub(crate) fn cannot_move(piece: &str, origin: impl Display, target: impl Display) -> String {
        format!("{origin} 的{piece}走不到 {target}")
    }

    pub(crate) fn stays_in_check(mover: &str) -> String {
        format!("{mover}正被将军，这样走未能应将")
    }
}

/// Formats the error of a move that cannot be read or played, with the names of a game.
pub(crate) fn notation_error<R: Display>(
    error: &NotationError<R>,
    names: &ChineseNames,
    reason_zh: impl Fn(&R) -> String,
) -> String {
    match error {
        NotationError::Malformed { text, dialect, .. } => {
            format!("“{text}”不是着法；{}：如 {}", names.dialect_name(dialect), names.example_move(dialect))
        }
        NotationError::Illegal { text, reason } => format!("“{text}”在此不合规则：{}", reason_zh(reason)),
        NotationError::OtherDialect { text, dialect, other } => {
            let [dialect, other] = [dialect, other].map(|dialect| names.dialect_name(dialect));
            format!("“{text}”按“{dialect}”在此不合规则，按“{other}”则可走")
        }
        NotationError::Ambiguous { text, readings } => format!("“{text}”在此有歧义，可以是：{readings}"),
    }
}

/// Formats a list of squares.
pub(crate) fn list_squares<S: Display>(squares: &[S]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join("、")
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use alfil_kernel::Waivers;

    /// Returns whether a message is in Chinese, apart from names of squares, letters of texts and protocol names.
    fn is_chinese(message: &str) -> bool {
        let is_han = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
        let longest = message.split(|c: char| !c.is_ascii_alphabetic()).map(str::len).max();
        message.contains(is_han) && longest.is_some_and(|letters| letters < 5)
    }

    /// The compiler checks that no issue lacks a message; this test checks the messages.
    #[test]
    fn every_issue_names_its_squares_in_both_languages() {
        for (game, text, name) in [
            ("xiangqi", "9/9/9/9/9/9/9/9/9/9 w", "general_missing"),
            ("xiangqi", "3kk4/9/9/9/9/9/9/9/9/3K5 w", "general_doubled"),
            ("xiangqi", "4k4/9/9/9/4K4/9/9/9/9/9 w", "general_outside"),
            ("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w", "generals_facing"),
            ("xiangqi", "3k5/9/9/9/9/9/9/9/RRR6/4K4 w", "too_many"),
            ("xiangqi", "3k5/9/9/9/9/9/9/9/9/B3K4 w", "impossible_point"),
            ("xiangqi", "3k5/9/9/9/9/9/9/9/3R5/4K4 w", "opponent_in_check"),
            ("chess", "8/8/8/8/8/8/8/4K3 w", "king_missing"),
            ("chess", "4k3/4k3/8/8/8/8/8/3K4 w", "king_doubled"),
            ("chess", "4k3/8/8/8/8/8/PPPPPPP1/PNBQKBNR w", "impossible_square"),
            ("chess", "4k3/8/8/8/8/8/8/4K2R w Q", "castling"),
            ("chess", "4k3/8/8/8/8/8/8/4K3 b - e3", "en_passant"),
            ("chess", "4k3/8/8/8/P7/PPPPPPPP/8/4K3 w", "too_many_pawns"),
            ("chess", "4k3/8/8/4R3/8/8/8/3K4 w", "opponent_in_check"),
            ("chess", "4k3/8/8/PPPPPPPP/8/8/RNNBBNNR/R3K2R w", "too_many"),
            ("othello", "8/8/8/8/8/8/8/8 b", "centre_empty"),
            ("othello", "P7/8/8/3pP3/3Pp3/8/8/8 b", "island"),
        ] {
            let mut session = registry::open(game, None).unwrap();
            let issues = session.issues(text).unwrap();
            let issue = issues.iter().find(|issue| issue.name == name);
            let issue = issue.unwrap_or_else(|| panic!("{game} {text} is not {name}: {issues:?}"));
            assert!(!is_chinese(&issue.message) && is_chinese(&issue.message_zh), "{issue:?}");
            let is_in_both =
                |square: &String| issue.message_zh.contains(square) == issue.message.contains(square);
            assert!(issue.squares.iter().all(is_in_both), "{issue:?}");
            let error = session.open(text, &Waivers::None).unwrap_err();
            assert!(error.message_zh.is_some_and(|message| is_chinese(&message)), "{text}");
        }
    }

    #[test]
    fn chinese_fen_errors_name_the_place() {
        for (game, text, part) in [
            ("xiangqi", "rnbakabnx/9", "字节 8：应为棋子"),
            ("xiangqi", "9/9/9 w", "字节 5：应为"),
            ("chess", "8/8/8/8/8/8/8/8 w KQkx", "此处是“x”"),
            ("chess", "", "文本到此结束"),
            ("othello", "--X--q", "f1 的棋子"),
        ] {
            let error = registry::open(game, None).unwrap().issues(text).unwrap_err();
            assert!(
                error.message_zh.is_some_and(|message| is_chinese(&message) && message.contains(part)),
                "{text}"
            );
        }
    }

    /// All reasons of all games.
    #[test]
    fn chinese_move_errors_name_the_reason() {
        const START: &str = "startpos";
        const PINNED: &str = "3k5/9/9/9/4r4/9/9/9/4R4/4K4 w";
        const IN_CHECK: &str = "3k5/9/9/9/4r4/9/9/9/9/R3K4 w";
        const CASTLE: &str = "4k3/8/8/8/8/8/8/4K2R w K";
        const PAWN: &str = "4k3/P7/8/8/8/8/8/4K3 w";
        for (game, fen, text, dialect, reason) in [
            ("xiangqi", START, "e5e6", "ucci", "e5 没有子"),
            ("xiangqi", START, "h7e7", "ucci", "h7 的子是黑炮，轮到红方走"),
            ("xiangqi", START, "a0b0", "ucci", "b0 上有红方自己的子"),
            ("xiangqi", START, "h2f3", "ucci", "h2 的红炮走不到 f3"),
            ("xiangqi", IN_CHECK, "a0a1", "ucci", "红方正被将军，这样走未能应将"),
            ("xiangqi", PINNED, "车五平六", "chinese", "这样走是送将，红帅会被吃"),
            ("xiangqi", START, "炮三平五", "chinese", "红方三路没有炮"),
            ("xiangqi", PINNED, "C+.4", "wxf", "红方没有炮"),
            ("xiangqi", "rnbakabnr/9/9/9/9/9/9/9/9/3K5 b", "P3+1", "wxf", "黑方 3 路没有卒"),
            ("xiangqi", START, "马二进五", "chinese", "红方二路的马不能这样走"),
            ("xiangqi", START, "前炮平五", "chinese", "红方没有能这样走的炮"),
            ("chess", START, "e5e6", "uci", "e5 没有子"),
            ("chess", START, "e7e5", "uci", "e7 的子是黑兵，轮到白方走"),
            ("chess", START, "a1a2", "uci", "a2 上有白方自己的子"),
            ("chess", START, "e2e5", "uci", "e2 的白兵走不到 e5"),
            ("chess", "4k3/8/8/8/4r3/8/8/4K2R w", "h1h2", "uci", "白方正被将军，这样走未能应将"),
            ("chess", "4k3/8/8/8/4r3/8/4B3/4K3 w", "Bd3", "san", "这样走会使白王被将军"),
            ("chess", CASTLE, "Qd4", "san", "棋盘上没有白后"),
            ("chess", START, "Nd4", "san", "白马不能这样走到 d4"),
            ("chess", "4k3/8/8/8/8/8/8/4K2R w", "O-O", "san", "白方无权在那一侧易位"),
            ("chess", START, "e1g1", "uci", "易位的路上有子阻挡"),
            ("chess", "4k3/8/8/8/4r3/8/8/4K2R w K", "e1g1", "uci", "王被将军时不能易位"),
            ("chess", "4k3/8/8/8/5r2/8/8/4K2R w K", "O-O", "san", "易位时王会经过或停在受攻击的格"),
            ("chess", PAWN, "a7a8", "uci", "兵走到 a8 须升变，写作 a7a8n、a7a8b、a7a8r 或 a7a8q"),
            ("chess", PAWN, "a8", "san", "兵走到 a8 须升变，须加上 =N、=B、=R 或 =Q"),
            ("chess", START, "e2e4q", "uci", "走到 e4 不能升变"),
            ("othello", &format!("X{} O", "-".repeat(63)), "c1", "transcript", "对局已结束"),
            ("othello", START, "pass", "transcript", "黑方有棋可下，不得弃权"),
            ("othello", &format!("XO{} O", "-".repeat(62)), "c1", "transcript", "白方无处可下，只能弃权"),
            ("othello", START, "d4", "transcript", "d4 已有棋子"),
            ("othello", START, "a1", "transcript", "黑方下在 a1 翻不了任何棋子"),
        ] {
            let mut session = registry::open(game, None).unwrap();
            session.open(fen, &Waivers::All).unwrap();
            let error = session.play(text, Some(dialect)).unwrap_err();
            let message = error.message_zh.unwrap();
            assert_eq!(message, format!("“{text}”在此不合规则：{reason}"), "{fen}");
            assert!(is_chinese(reason), "{reason}");
        }
    }

    #[test]
    fn unreadable_moves_have_a_chinese_message() {
        const ROOKS: &str = "3k5/9/9/9/4R4/9/9/9/4R4/4K4 w";
        for (fen, text, message) in [
            ("startpos", "hello", "“hello”不是着法；UCCI 坐标：如 h2e2"),
            ("startpos", "C2.5", "“C2.5”按“UCCI 坐标”在此不合规则，按“WXF 记谱”则可走"),
            (ROOKS, "R5.4", "“R5.4”在此有歧义，可以是：R+.4, R-.4"),
        ] {
            let mut session = registry::open("xiangqi", None).unwrap();
            session.open(fen, &Waivers::None).unwrap();
            let dialect = if fen == ROOKS { "wxf" } else { "ucci" };
            assert_eq!(session.play(text, Some(dialect)).unwrap_err().message_zh.as_deref(), Some(message));
        }
    }
}
