//! Words of a search, and the texts in which they are searched. They match as in the database of the server: each word
//! is the beginning of a word of the text, without regard to capitals and accents.

/// Returns whether a character is a word of its own in Chinese and Japanese text.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns a small letter without its accent.
fn without_accent(c: char) -> Option<char> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ǐ' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' | 'ǒ' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ǔ' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        '\u{300}'..='\u{36f}' => return None,
        other => other,
    })
}

/// Returns the words of a text, each with a space before and after it.
pub(super) fn text_to_search(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 2);
    words.push(' ');
    for c in text.chars().flat_map(char::to_lowercase).filter_map(without_accent) {
        if is_ideograph(c) {
            if !words.ends_with(' ') {
                words.push(' ');
            }
            words.extend([c, ' ']);
        } else if c.is_alphanumeric() {
            words.push(c);
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

/// The words of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchWords(Vec<String>);

impl SearchWords {
    /// Returns the words of a search.
    pub(super) fn new(search: &str) -> SearchWords {
        let words = search.split(|c: char| c.is_whitespace() || (!c.is_alphanumeric() && !is_ideograph(c)));
        let words = words.filter(|word| !word.is_empty()).map(|word| {
            let mut text = text_to_search(word);
            if !word.ends_with(is_ideograph) {
                text.pop();
            }
            text
        });
        SearchWords(words.filter(|word| !word.trim().is_empty()).collect())
    }

    /// Returns whether each word is in one of the texts.
    pub(super) fn are_in(&self, texts: &[&str]) -> bool {
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_beginnings_without_accents_and_ideographs_are_words() {
        let text = text_to_search("Dvořák, Dana – 胡荣华 A1 Wijk-aan-Zee");
        assert_eq!(text, " dvorak dana 胡 荣 华 a1 wijk aan zee ");
        let finds = |search: &str| SearchWords::new(search).are_in(&[&text]);
        for search in ["", " - ", "dvo", "DVOŘÁK dana", "荣华", "胡", "wijk zee", "a1 荣", "aan-z"] {
            assert!(finds(search), "{search}");
        }
        for search in ["vorak", "胡华", "wijk x", "荣华b", "1"] {
            assert!(!finds(search), "{search}");
        }
        assert!(SearchWords::new("anna zee").are_in(&[" anna ", " zee "]));
    }
}
