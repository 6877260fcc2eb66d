//! How the library is searched: the texts of a game in which words are searched, the words of a search, and the version
//! of the keys by which positions are found. Stores keep texts and keys in forms of their own.

use std::sync::OnceLock;

use alfil_session::registry;

use crate::letters::{with_usual_width, without_accent};
use crate::opponents::Opponents;
use crate::tag_summary::TagSummary;

/// The version of the searched texts: after a change, all games need new ones.
pub const SEARCHED_TEXTS_VERSION: &str = "9";

/// Returns the texts in which a game is searched: players, event with place and date, opening. Each has its words
/// in small letters without accents, between spaces.
///
/// ```
/// use alfil_page::{Opponents, TagSummary, searched_texts};
///
/// let tags = TagSummary { players: ["Dvořák, Dana".into(), "胡荣华".into()], ..TagSummary::default() };
/// let opponents = Opponents { person: None, two_people: false, level: 1 };
/// let [players, ..] = searched_texts(&tags, opponents, [""; 3]);
/// assert_eq!(players, " dvorak dana 胡 荣 华 ");
/// ```
pub fn searched_texts(tags: &TagSummary, opponents: Opponents, opening: [&str; 3]) -> [String; 3] {
    let players = [tags.players.join(" "), opponents.search_text(&tags.players)].join(" ");
    let event = [tags.event.as_str(), &tags.site, &tags.date].join(" ");
    [players, event, opening.join(" ")].map(|text| text_to_search(&text))
}

/// Returns the version of the hash keys: the keys of all start positions. Keys of another version cannot be compared.
pub fn key_version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let keys = registry::games().filter_map(|game| registry::open(game, None).ok());
        keys.map(|session| format!("{:016x}", session.view().hash_key)).collect()
    })
}

/// Returns whether a character is a word of its own in Chinese and Japanese text.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c.is_alphanumeric()
}

/// Returns the words of a text in small letters of the usual width without accents, each with a space before and after
/// it.
fn text_to_search(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 2);
    words.push(' ');
    let usual = text.chars().map(with_usual_width);
    for c in usual.flat_map(char::to_lowercase).filter_map(without_accent) {
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

/// The words of a search. Each has to be the beginning of a word of the text, without regard to capitals and accents,
/// and the ideographs of a word have to follow each other.
///
/// ```
/// use alfil_page::SearchWords;
///
/// let words = SearchWords::new("Dvoř 荣华");
/// let phrases: Vec<_> = words.phrases().collect();
/// assert_eq!(phrases, [("dvor", true), ("荣 华", false)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchWords(Vec<String>);

impl SearchWords {
    /// Returns the words of a search.
    pub fn new(search: &str) -> SearchWords {
        // A combining accent does not end a word.
        let ends_word = |c: char| !c.is_alphanumeric() && without_accent(c).is_some();
        let words = search.split(ends_word).map(|word| {
            let mut text = text_to_search(word);
            if !text.trim_end().ends_with(is_ideograph) {
                text.pop();
            }
            text
        });
        SearchWords(words.filter(|word| !word.trim().is_empty()).collect())
    }

    /// Returns the words as phrases of [`searched_texts`], each with whether its last part may be the beginning of a
    /// longer one. They consist of letters, digits and spaces.
    pub fn phrases(&self) -> impl Iterator<Item = (&str, bool)> {
        self.0.iter().map(|word| (word.trim(), !word.ends_with(' ')))
    }

    /// Returns whether each word is in one of the texts.
    pub(crate) fn are_in(&self, texts: &[&str]) -> bool {
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
        assert_eq!(text_to_search("Đặng Lý Huỳnh, Lǚ"), " dang ly huynh lu ");
        assert_eq!(text_to_search("Radosław, Łódź, Bjørn"), " radoslaw lodz bjorn ");
        assert_eq!(text_to_search("Ａｎｎａ　２ Ḥasan Ṭǡṻz"), " anna 2 hasan tauz ");
        assert_eq!(text_to_search("Παπαδόπουλος"), text_to_search("ΠΑΠΑΔΌΠΟΥΛΟΣ"));
        let finds = |search: &str| SearchWords::new(search).are_in(&[&text]);
        let combining = "Dvor\u{30c}a\u{301}k";
        for search in
            ["", " - ", "、", "dvo", "DVOŘÁK dana", combining, "荣华", "胡", "wijk zee", "a1 荣", "aan-z"]
        {
            assert!(finds(search), "{search}");
        }
        for search in ["vorak", "胡华", "wijk x", "荣华b", "1"] {
            assert!(!finds(search), "{search}");
        }
        assert!(SearchWords::new("anna zee").are_in(&[" anna ", " zee "]));
        let phrases = SearchWords::new("Wijk an-Zée 荣华 荣a");
        let phrases: Vec<_> = phrases.phrases().collect();
        assert_eq!(phrases, [("wijk", true), ("an", true), ("zee", true), ("荣 华", false), ("荣 a", true)]);
    }

    #[test]
    fn players_without_names_are_found_as_lists_show_them() {
        let analysis = Opponents { person: None, two_people: false, level: 3 };
        let computer = Opponents { person: Some(0), ..analysis };
        let two_people = Opponents { two_people: true, ..analysis };
        let players = |names: [&str; 2], opponents| {
            let tags = TagSummary { players: names.map(str::to_owned), ..TagSummary::default() };
            let [players, ..] = searched_texts(&tags, opponents, [""; 3]);
            players
        };
        assert_eq!(players(["Ann", ""], computer), " ann you computer level 3 您 电 脑 第 3 级 ");
        assert_eq!(players(["", ""], two_people), " two people 双 人 对 弈 ");
        assert_eq!(players(["", ""], analysis), " analysis 分 析 ");
        for (names, opponents) in
            [(["Ann", "Bob"], computer), (["Ann", ""], two_people), (["", "Bob"], analysis)]
        {
            let words: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
            assert_eq!(players(names, opponents).trim(), words.join(" ").to_lowercase());
        }
    }
}
