//! The stored form of games: the JSON of the database. Field names must not change, because old databases are read.

mod text_tree;
mod tree_clock;

use serde::{Deserialize, Serialize};

pub(crate) use text_tree::{NodeScore, ROOT, TextNode, TextTree};
pub(crate) use tree_clock::{TreeClock, to_milliseconds, validate_side};

/// The stored form of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredGame {
    /// The name of the game.
    pub(crate) game: String,
    /// The start position as text.
    pub(crate) start: String,
    /// The person's side; `None` in analysis.
    pub(crate) person: Option<usize>,
    /// The skill level of the computer.
    pub(crate) level: u32,
    /// The side that resigned.
    pub(crate) resigned: Option<usize>,
    /// The dialect of the labels.
    pub(crate) dialect: Option<String>,
    /// The ruleset; `None` for the default of the game.
    #[serde(rename = "book", default, skip_serializing_if = "Option::is_none")]
    pub(crate) ruleset: Option<String>,
    /// The clock of a timed game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<TreeClock>,
    /// The tags of an imported game: names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<(String, String)>,
    /// The moves with their variations.
    pub(crate) tree: TextTree,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of version 0.1.0 with every field.
    const OLD_GAME: &str = r#"{"game":"xiangqi","start":"startpos","person":0,"level":3,"resigned":null,"dialect":"chinese","book":"wxf2018","clock":{"pace":{"base":300000,"increment":3000},"left":[296001,293000],"running":0,"flagged":null,"node":2},"tags":[["Red","A"]],"tree":{"nodes":[{"parent":0,"text":"","children":[1]},{"parent":0,"text":"h2e2","comment":"good","nags":[1],"clocks":"[%clk 0:03:00]","score":{"value":42,"mate":null},"best":"h9g7","children":[2]},{"parent":1,"text":"h9g7"}]}}"#;

    #[test]
    fn games_of_old_databases_are_read_and_written_unchanged() {
        let minimal = r#"{"game":"chess","start":"startpos","person":null,"level":1,"resigned":1,"dialect":null,"tree":{"nodes":[{"parent":0,"text":""}]}}"#;
        for json in [OLD_GAME, minimal] {
            let game: StoredGame = serde_json::from_str(json).unwrap();
            assert!(game.tree.is_valid());
            assert_eq!(serde_json::to_string(&game).unwrap(), json);
        }
    }
}
