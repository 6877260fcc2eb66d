//! The kinds of players of a game.

use alfil_kernel::Side;
use alfil_session::played_game::GameRecord;

/// The kinds of players of a game: a person and the computer, two people, or none (analysis). Lists show them where
/// players have no names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponents {
    /// The index of the side of the person who plays the computer; `None` if there is none.
    pub person: Option<usize>,
    /// Whether two people play at one screen.
    pub two_people: bool,
    /// The skill level of the computer.
    pub level: u32,
}

impl Opponents {
    /// Returns who plays a game.
    pub fn from_record(record: &GameRecord) -> Opponents {
        Opponents {
            person: record.person().map(Side::index),
            two_people: record.has_two_people(),
            level: record.level,
        }
    }

    /// Returns the text by which the search of the library finds players without names, in all languages.
    pub(crate) fn search_text(self, players: &[String; 2]) -> String {
        let is_named = |name: &String| !name.is_empty();
        match self.person {
            Some(_) if !players.iter().all(is_named) => {
                format!("You Computer level {0} 您 电脑 第 {0} 级", self.level)
            }
            None if self.two_people && !players.iter().any(is_named) => "Two people 双人对弈".into(),
            None if !players.iter().any(is_named) => "Analysis 分析".into(),
            _ => String::new(),
        }
    }
}
