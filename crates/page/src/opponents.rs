//! The kinds of players of a game.

use alfil_kernel::Side;
use alfil_session::SessionError;
use alfil_session::played_game::{Computer, GameRecord, Player, Players};

/// Converts the number of a side.
///
/// # Errors
/// If there is no such side.
pub(crate) fn validate_side(side: Option<usize>) -> Result<Option<Side>, SessionError> {
    match side {
        None => Ok(None),
        Some(number) => match Side::BOTH.get(number) {
            Some(&side) => Ok(Some(side)),
            None => Err(SessionError::new(format!("there is no side {number}: sides are 0 and 1"))),
        },
    }
}

/// Returns the players that a request names: a person against `computer`, two people, two levels, or none.
///
/// # Errors
/// If the side does not exist.
pub(crate) fn requested_players(
    person: Option<usize>,
    two_people: bool,
    levels: Option<[u32; 2]>,
    computer: Computer,
) -> Result<Players, SessionError> {
    Ok(match (validate_side(person)?, levels) {
        (Some(person), _) => Player::against_computer(person, computer),
        (None, _) if two_people => Player::two_people(),
        (None, Some(levels)) => Player::two_computers(levels.map(Computer::new)),
        (None, None) => None,
    })
}

/// The kinds of players of a game: a person and the computer, two people, or none (analysis). Lists show them where
/// players have no names.
///
/// ```
/// use alfil_kernel::Side;
/// use alfil_page::Opponents;
/// use alfil_session::played_game::{Computer, GameRecord, Player};
///
/// let players = Player::against_computer(Side::Second, Computer::new(4));
/// let opponents = Opponents::from_record(&GameRecord { players, level: 4, ..GameRecord::new("chess") });
/// assert_eq!(opponents, Opponents { person: Some(1), two_people: false, level: 4 });
/// ```
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
