//! The players of a game: each side a person or the computer, or no players in analysis.

use alfil_kernel::Side;

use super::{DEFAULT_LEVEL, GameRecord, validate_level};
use crate::session_error::SessionError;

/// The computer as the player of a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Computer {
    /// The skill level of the built-in engine.
    pub level: u32,
    /// The name of the external engine that plays; `None` for the built-in one.
    pub engine: Option<String>,
}

impl Computer {
    /// Creates the built-in engine with a skill level.
    pub const fn new(level: u32) -> Computer {
        Computer { level, engine: None }
    }
}

impl Default for Computer {
    fn default() -> Computer {
        Computer::new(DEFAULT_LEVEL)
    }
}

/// The player of a side.
///
/// ```
/// use alfil_kernel::{Side, Waivers};
/// use alfil_session::played_game::{Computer, GameRecord, PlayedGame, Player};
///
/// let players = Player::against_computer(Side::Second, Computer::new(5));
/// let game = PlayedGame::open(GameRecord { players, ..GameRecord::new("chess") }, &Waivers::None)?;
/// assert_eq!(game.record().person(), Some(Side::Second));
/// assert!(!game.may_person_move());
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// A person, who enters the moves.
    Person,
    /// The computer, which replies by itself.
    Computer(Computer),
}

/// The players by the index of their side; `None` in analysis.
pub type Players = Option<[Player; 2]>;

impl Player {
    /// Returns the players of a game of a person against the computer.
    pub fn against_computer(person: Side, computer: Computer) -> Players {
        let computer = Player::Computer(computer);
        Some(match person {
            Side::First => [Player::Person, computer],
            Side::Second => [computer, Player::Person],
        })
    }

    /// Returns the players of a game of two people at one screen.
    pub const fn two_people() -> Players {
        Some([Player::Person, Player::Person])
    }

    /// Returns the players of a game of the computer against itself, such as of two levels.
    pub fn two_computers(computers: [Computer; 2]) -> Players {
        Some(computers.map(Player::Computer))
    }

    /// Returns whether a person plays.
    pub(super) const fn is_person(&self) -> bool {
        matches!(self, Player::Person)
    }

    /// Returns the computer, if it plays.
    pub const fn computer(&self) -> Option<&Computer> {
        match self {
            Player::Person => None,
            Player::Computer(computer) => Some(computer),
        }
    }
}

impl GameRecord {
    /// Returns the player of a side; `None` in analysis.
    pub fn player(&self, side: Side) -> Option<&Player> {
        self.players.as_ref().map(|players| &players[side.index()])
    }

    /// Returns the side of the person who plays against the computer; `None` without such a person.
    pub fn person(&self) -> Option<Side> {
        let person = Side::BOTH.into_iter().find(|&side| self.player(side) == Some(&Player::Person))?;
        self.player(!person)?.computer().map(|_| person)
    }

    /// Returns whether two people play at one screen.
    pub fn has_two_people(&self) -> bool {
        self.players == Player::two_people()
    }

    /// Returns the computer that plays against a person.
    pub fn opponent(&self) -> Option<&Computer> {
        self.player(!self.person()?)?.computer()
    }

    /// Returns both computers of a game of the computer against itself.
    pub fn computers(&self) -> Option<[&Computer; 2]> {
        let [first, second] = self.players.as_ref()?;
        Some([first.computer()?, second.computer()?])
    }

    /// Returns which sides people play; `None` in analysis.
    pub(super) fn sides_of_people(&self) -> Option<[bool; 2]> {
        self.players.as_ref().map(|players| players.each_ref().map(Player::is_person))
    }
}

/// Checks the skill levels of players.
///
/// # Errors
/// If there is no such level.
pub fn validate_players(players: &Players) -> Result<(), SessionError> {
    let computers = players.iter().flatten().filter_map(Player::computer);
    computers.map(|computer| validate_level(computer.level)).try_for_each(|level| level.map(drop))
}
