//! Numeric annotation glyphs (NAGs) of PGN: their signs and their words.

/// A numeric annotation glyph with its usual sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nag {
    /// The number, as in `$1`.
    pub number: u8,
    /// The sign.
    pub sign: &'static str,
    /// Whether it judges the move; otherwise it describes the position.
    pub is_about_move: bool,
    /// The meaning in English.
    pub words: &'static str,
    /// The meaning in Chinese.
    pub words_zh: &'static str,
}

/// The number of the mark of an only move.
pub const ONLY_MOVE: u8 = 7;

const fn of_move(number: u8, sign: &'static str, words: &'static str, words_zh: &'static str) -> Nag {
    Nag { number, sign, is_about_move: true, words, words_zh }
}

const fn of_position(number: u8, sign: &'static str, words: &'static str, words_zh: &'static str) -> Nag {
    Nag { number, sign, is_about_move: false, words, words_zh }
}

/// The glyphs that can be entered, in the order of a menu. Both members of a pair (White, Black) have the same sign,
/// but for those that say which side is ahead.
pub const NAGS: &[Nag] = &[
    of_move(3, "!!", "brilliant move", "妙着"),
    of_move(1, "!", "good move", "好着"),
    of_move(5, "!?", "interesting move", "值得注意"),
    of_move(6, "?!", "dubious move", "疑问着"),
    of_move(2, "?", "mistake", "失着"),
    of_move(4, "??", "blunder", "败着"),
    of_move(ONLY_MOVE, "□", "only move", "唯一着"),
    of_move(8, "□", "singular move", "别无他着"),
    of_position(10, "=", "equal", "均势"),
    of_position(13, "∞", "unclear", "形势不明"),
    of_position(14, "+=", "first side slightly better", "先手稍优"),
    of_position(15, "=+", "second side slightly better", "后手稍优"),
    of_position(16, "±", "first side better", "先手优势"),
    of_position(17, "∓", "second side better", "后手优势"),
    of_position(18, "+−", "first side winning", "先手胜势"),
    of_position(19, "−+", "second side winning", "后手胜势"),
    of_position(22, "⨀", "zugzwang", "等着被动"),
    of_position(23, "⨀", "zugzwang", "等着被动"),
    of_position(32, "⟳", "lead in development", "出子领先"),
    of_position(33, "⟳", "lead in development", "出子领先"),
    of_position(36, "↑", "initiative", "主动"),
    of_position(37, "↑", "initiative", "主动"),
    of_position(40, "→", "attack", "攻势"),
    of_position(41, "→", "attack", "攻势"),
    of_position(44, "=∞", "compensation for the material", "有补偿"),
    of_position(45, "=∞", "compensation for the material", "有补偿"),
    of_position(132, "⇆", "counterplay", "反击"),
    of_position(133, "⇆", "counterplay", "反击"),
    of_position(138, "⊕", "time trouble", "时间紧张"),
    of_position(139, "⊕", "time trouble", "时间紧张"),
    of_position(140, "∆", "with the idea", "意在"),
    of_position(145, "RR", "editorial comment", "编者注"),
    of_position(146, "N", "novelty", "新着"),
];

/// Returns the glyph of a number, if it is known.
pub fn find(number: u8) -> Option<&'static Nag> {
    NAGS.iter().find(|nag| nag.number == number)
}

/// Returns the signs of glyphs as they stand behind a move: those of the move directly, the others after a blank. An
/// unknown glyph is written as in PGN, so that it is not lost from sight.
///
/// ```
/// assert_eq!(alfil_session::nags::signs(&[1, 16]), "! ±");
/// assert_eq!(alfil_session::nags::signs(&[222]), " $222");
/// ```
pub fn signs(numbers: &[u8]) -> String {
    let sign = |&number: &u8| match find(number) {
        Some(nag) if nag.is_about_move => nag.sign.to_owned(),
        Some(nag) => format!(" {}", nag.sign),
        None if number == 0 => String::new(),
        None => format!(" ${number}"),
    };
    numbers.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_listed_once_with_sign_and_words() {
        for (index, nag) in NAGS.iter().enumerate() {
            assert!(NAGS[..index].iter().all(|other| other.number != nag.number), "{nag:?}");
            assert!(!nag.sign.is_empty() && !nag.words.is_empty() && !nag.words_zh.is_empty(), "{nag:?}");
        }
        assert!(NAGS.iter().filter(|nag| nag.is_about_move).all(|nag| nag.number < 10));
    }

    #[test]
    fn signs_of_the_move_come_directly_behind_it() {
        assert_eq!(signs(&[]), "");
        assert_eq!(signs(&[4, ONLY_MOVE, 19]), "??□ −+");
        assert_eq!(signs(&[0]), "");
    }
}
