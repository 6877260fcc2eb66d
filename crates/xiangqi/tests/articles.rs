//! Repetitions constructed from the articles of the Chinese association's rules of 2020. The ruling that the article
//! demands was written down before the code was run.

use std::collections::BTreeMap;

use crate::common::games::{field, game_from_row, outcome_key};
use alfil_xiangqi::{Bitboard, Mailbox, Ruleset};

/// Each row is a cycle played twice, with the article that decides it and the reason. Ten rows each have a `kind`, the
/// definition on which they turn.
const ARTICLES: &str = include_str!("../testdata/articles.jsonl");

#[test]
fn rulings_follow_the_articles() {
    let (mut by_article, mut by_kind, mut different) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for row in ARTICLES.lines() {
        let expected = field(row, "cxa2020").unwrap();
        let analysis = Ruleset::CXA2020.analyse_repetition(&game_from_row::<Bitboard>(row)).unwrap();
        let other = Ruleset::CXA2020.analyse_repetition(&game_from_row::<Mailbox>(row));
        assert_eq!(other.as_ref(), Some(&analysis), "both boards: {row}");
        let found = outcome_key(analysis.verdict.outcome);
        *by_article.entry(field(row, "article").unwrap()).or_insert(0) += 1;
        if let Some(kind) = field(row, "kind") {
            *by_kind.entry(kind).or_insert(0) += 1;
        }
        if found != expected {
            let id = field(row, "id").unwrap();
            different.push(format!("{id}: {found}, not {expected}: {}", field(row, "why").unwrap()));
        }
    }
    println!("{by_article:?} {by_kind:?}");
    assert!(by_kind.len() == 4 && by_kind.values().all(|&count| count == 10), "ten cases of each kind");
    let missing = [
        "24", "24.13", "25.1", "25.2", "25.3", "26.1", "26.1.1", "26.1.2", "26.1.4", "26.2", "26.5", "26.8",
        "26.9.1", "26.9.4",
    ]
    .into_iter()
    .find(|article| !by_article.contains_key(article));
    assert_eq!(missing, None, "an article without a case");
    assert!(different.is_empty(), "{different:#?}");
}
