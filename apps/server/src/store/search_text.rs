//! Words of a search, and the texts in which they are searched (SQLite FTS5).

use alfil_page::TagSummary;
use alfil_page::wire::SearchField;
use alfil_session::played_game::GameRecord;

/// The version of the searched texts: after a change, the games get new ones.
pub(super) const TEXTS_VERSION: &str = "2";

/// Returns the words for players without names, as lists show them in each language: a person and the computer with its
/// level, or an analysis.
pub(super) fn nameless_players(record: &GameRecord, tags: &TagSummary) -> String {
    let is_named = |name: &String| !name.is_empty();
    match record.person {
        Some(_) if !tags.players.iter().all(is_named) => {
            format!("You Computer level {0} 您 电脑 第 {0} 级", record.level)
        }
        None if !record.two_people && !tags.players.iter().any(is_named) => "Analysis 分析".into(),
        _ => String::new(),
    }
}

/// Returns whether a character is a word of its own in Chinese and Japanese text.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns a text with spaces around ideographs, because the tokenizer takes only spaces and signs for ends of words.
pub(super) fn text_to_index(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for c in text.chars() {
        if is_ideograph(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    spaced
}

/// Returns the FTS5 query for the words of a search: each has to be the beginning of a word of the text, and those of a
/// word with ideographs have to follow each other. `None` if there are no words.
pub(super) fn fts_query(search: &str, field: Option<SearchField>) -> Option<String> {
    let words = search.split(|c: char| c.is_whitespace() || (!c.is_alphanumeric() && !is_ideograph(c)));
    // Words consist of letters and digits, so none has a quote.
    let terms: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(|word| {
            let is_prefix = !word.ends_with(is_ideograph);
            format!("\"{}\"{}", text_to_index(word).trim(), if is_prefix { " *" } else { "" })
        })
        .collect();
    if terms.is_empty() {
        return None;
    }
    let columns = match field {
        None => "",
        Some(SearchField::Player) => "players : ",
        Some(SearchField::Event) => "event : ",
        Some(SearchField::Opening) => "opening : ",
    };
    Some(format!("{columns}({})", terms.join(" AND ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_beginnings_and_ideographs_are_words() {
        assert_eq!(fts_query("  ", None), None);
        assert_eq!(fts_query("-", None), None);
        assert_eq!(fts_query("Wijk an-Zee", None).unwrap(), r#"("Wijk" * AND "an" * AND "Zee" *)"#);
        let field = Some(SearchField::Player);
        assert_eq!(fts_query("荣华", field).unwrap(), "players : (\"荣  华\")");
        assert_eq!(text_to_index("胡荣华 A1"), " 胡  荣  华  A1");
        assert_eq!(fts_query(r#"a" OR b*"#, None).unwrap(), r#"("a" * AND "OR" * AND "b" *)"#);
    }
}
