//! The order of names in lists, for readers of both languages: Latin names by their letters, Chinese ones by Pinyin.

use std::sync::OnceLock;

use encoding_rs::GBK;

use crate::letters::{with_usual_width, without_accent};

/// The number of the common characters of GB 2312 (level 1), which are in the order of Pinyin: each at one reading, and
/// within a syllable by tones and strokes.
const COMMON_COUNT: usize = 3755;
/// The first and the last lead byte of the common characters.
const COMMON_LEADS: std::ops::RangeInclusive<u8> = 0xb0..=0xd7;
/// Where the common characters are in a key, in their order: in the private use area, after the letters of all scripts.
const COMMON: u32 = 0xe000;
/// Where the other characters are, after the common ones, in the order of Unicode, which is that of radicals.
const OTHERS: u32 = 0xf_0000;

/// Returns the common characters with their places in the order of Pinyin, in ascending order of the characters.
fn common_characters() -> &'static [(char, u32)] {
    static TABLE: OnceLock<Vec<(char, u32)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let bytes: Vec<u8> =
            COMMON_LEADS.flat_map(|lead| (0xa1..=0xfe).flat_map(move |trail| [lead, trail])).collect();
        let text = GBK.decode_without_bom_handling(&bytes).0;
        let mut table: Vec<_> = text.chars().zip(COMMON..).take(COMMON_COUNT).collect();
        table.sort_unstable();
        table
    })
}

/// Returns the place of a Chinese character in a key.
fn place_of_ideograph(c: char) -> char {
    let common = common_characters();
    let place = match common.binary_search_by_key(&c, |&(character, _)| character) {
        Ok(index) => common[index].1,
        Err(_) => OTHERS + u32::from(c),
    };
    char::from_u32(place).unwrap_or(c)
}

/// Returns the text by which a name is sorted: names are in the order of their keys. Capitals, accents and the width of
/// letters do not count. Chinese characters follow all letters: the common ones by Pinyin, then the others by radicals.
///
/// ```
/// use alfil_page::name_sort_key;
///
/// let mut names = ["许银川", "Zukertort", "Łuczak", "胡荣华", "morphy", "Álvarez", "Ｌｉ"];
/// names.sort_by_cached_key(|name| name_sort_key(name));
/// assert_eq!(names, ["Álvarez", "Ｌｉ", "Łuczak", "morphy", "Zukertort", "胡荣华", "许银川"]);
/// ```
pub fn name_sort_key(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let key = |c| match c {
        '\u{3400}'..='\u{9fff}' => place_of_ideograph(c),
        _ => c,
    };
    name.chars()
        .map(with_usual_width)
        .flat_map(char::to_lowercase)
        .filter_map(without_accent)
        .map(key)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_characters_are_in_the_order_of_pinyin() {
        let (first, last) = (place_of_ideograph('啊'), place_of_ideograph('座'));
        assert_eq!((u32::from(first), u32::from(last)), (COMMON, COMMON + COMMON_COUNT as u32 - 1));
        // Hú, Liǔ, Lǚ, Wáng, Xǔ, Zhào, then one that is not common (Yì).
        let names = ["胡荣华", "柳大华", "吕钦", "王天一", "许银川", "赵鑫鑫", "翊"];
        assert!(names.is_sorted_by_key(|name| name_sort_key(name)));
    }

    #[test]
    fn capitals_accents_and_width_do_not_count() {
        for (one, other) in
            [("DVOŘÁK", "dvorak"), ("Ａｄａｍｓ\u{3000}Ａ", "Adams A"), ("Zo\u{301}e", "zoe"), ("", "")]
        {
            assert_eq!(name_sort_key(one), name_sort_key(other));
        }
        assert!(["", "1", "a", "z", "ж", "ひ", "한", "安"].is_sorted_by_key(|name| name_sort_key(name)));
    }
}
