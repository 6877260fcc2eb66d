//! What people read in Chinese besides the judge's reasons: faults of positions, of their texts and of moves, and verdicts.
//! Each sentence is chosen by the type of what it says, so that a new fault is not forgotten here: the match would not compile.

use std::fmt::Display;

use alfil_kernel::{FenError, NotationError};
use alfil_records::Fault;

pub(crate) mod chess;
pub(crate) mod othello;
pub(crate) mod xiangqi;

/// A position text that cannot be read: where, and what should stand there.
pub(crate) fn fen<E: Display>(error: &FenError<E>, expected: &str) -> String {
    let found = error.found.map_or("文本到此结束".into(), |found| format!("此处是“{found}”"));
    format!("局面文本，字节 {}：应为{expected}；{found}", error.offset)
}

/// A move that cannot be read or played.
pub(crate) fn notation(error: &NotationError) -> String {
    match error {
        NotationError::Malformed { text, dialect, .. } => format!("“{text}”不是着法（记谱法：{dialect}）"),
        // The rooms say why in English only; that is more than nothing.
        NotationError::Illegal { text, reason } => format!("“{text}”在此局面不合规则（{reason}）"),
        NotationError::OtherDialect { text, dialect, other } => {
            format!("“{text}”按 {dialect} 记谱法在此不合规则，按 {other} 则可走")
        }
        NotationError::Ambiguous { text, readings } => format!("“{text}”在此有歧义，可以是：{readings}"),
    }
}

/// A record that cannot be read: where, and why in the words of its room.
pub fn fault(fault: &Fault) -> String {
    let mv = if fault.mv.is_empty() { String::new() } else { format!("，着法 {}", fault.mv) };
    let Fault { game, line, offset, reason, .. } = fault;
    format!("第 {game} 局，第 {line} 行，字节 {offset}{mv}：此处读不懂，或不合规则（{reason}）")
}

/// Squares in a row.
fn squares<S: Display>(squares: &[S]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join("、")
}

#[cfg(test)]
mod tests {
    use crate::registry;
    use alfil_kernel::Waivers;

    /// Whether a sentence is in Chinese, the names of squares, letters of a text and of protocols aside.
    fn is_chinese(words: &str) -> bool {
        let han = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
        let longest = words.split(|c: char| !c.is_ascii_alphabetic()).map(str::len).max();
        words.contains(han) && longest.is_some_and(|letters| letters < 5)
    }

    /// The compiler sees that none is forgotten; here each is read.
    #[test]
    fn every_complaint_is_said_in_both_languages_with_its_squares() {
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
            let mut desk = registry::open(game, None).unwrap();
            let found = desk.grievances(text).unwrap();
            let one = found.iter().find(|one| one.name == name);
            let one = one.unwrap_or_else(|| panic!("{game} {text} is not {name}: {found:?}"));
            assert!(!is_chinese(&one.words) && is_chinese(&one.words_zh), "{one:?}");
            let told = |square: &String| one.words_zh.contains(square) == one.words.contains(square);
            assert!(one.squares.iter().all(told), "{one:?}");
            let refused = desk.open(text, &Waivers::None).unwrap_err();
            assert!(refused.words_zh.is_some_and(|words| is_chinese(&words)), "{text}");
        }
    }

    #[test]
    fn texts_that_cannot_be_read_are_told_in_chinese_where_they_go_wrong() {
        for (game, text, part) in [
            ("xiangqi", "rnbakabnx/9", "字节 8：应为棋子"),
            ("xiangqi", "9/9/9 w", "字节 5：应为"),
            ("chess", "8/8/8/8/8/8/8/8 w KQkx", "此处是“x”"),
            ("chess", "", "文本到此结束"),
            ("othello", "--X--q", "f1 的棋子"),
        ] {
            let refused = registry::open(game, None).unwrap().grievances(text).unwrap_err();
            assert!(
                refused.words_zh.is_some_and(|words| is_chinese(&words) && words.contains(part)),
                "{text}"
            );
        }
    }

    #[test]
    fn moves_that_cannot_be_played_are_told_in_chinese() {
        for (game, text, reason) in [
            ("xiangqi", "h2f3", "（the Red cannon on h2 cannot go to f3）"),
            ("xiangqi", "hello", ""),
            ("xiangqi", "C2.5", ""),
            ("chess", "e2e5", "（the White pawn on e2 cannot go to e5）"),
            ("othello", "a1", "（a disc of Black's on a1 would turn nothing over）"),
        ] {
            let refused = registry::open(game, None).unwrap().play(text, None).unwrap_err();
            let words = refused.words_zh.unwrap();
            assert!(words.contains(text) && words.ends_with(reason), "{words}");
            assert!(is_chinese(&words.replace(reason, "").replace(text, "")), "{words}");
        }
    }
}
