//! The playing strength, by skill level or by Elo.

use alfil_protocol::EngineOption;

use super::parse_bool;
use super::whole_number::parse_whole_number;
use alfil_session::{GameInfo, Registry, SessionError};

/// The level of full strength.
const FULL_LEVEL: u32 = alfil_session::SKILL_LEVELS;

/// The playing strength; the default is full strength.
#[derive(Clone, Debug)]
pub(crate) struct PlayingStrength {
    /// The skill level from 1 to [`FULL_LEVEL`], at which no move is random.
    skill_level: u32,
    /// Whether `elo` decides instead of `skill_level`.
    is_elo_limited: bool,
    /// The Elo above level 1.
    elo: u32,
    /// The highest Elo of all games.
    max_elo: u32,
}

/// Returns the Elo of a level above level 1 in this game. It is not comparable with rating lists of people.
fn level_elo(game: &GameInfo, level: u32) -> u32 {
    game.level_steps.iter().take(level as usize - 1).sum()
}

impl PlayingStrength {
    /// Creates the full strength in the games of a registry.
    pub(crate) fn new(registry: &Registry) -> Self {
        let max_elo = registry.entries().iter().map(|entry| level_elo(entry.info, FULL_LEVEL)).max();
        let max_elo = max_elo.expect("a registry has a game");
        PlayingStrength { skill_level: FULL_LEVEL, is_elo_limited: false, elo: max_elo, max_elo }
    }

    /// Returns the option of the skill level, for every protocol with options.
    pub(crate) fn skill_option(&self) -> EngineOption {
        EngineOption::spin("Skill Level", u64::from(self.skill_level), 1, u64::from(FULL_LEVEL))
    }

    /// Returns the Elo options of UCI.
    pub(crate) fn elo_options(&self) -> [EngineOption; 2] {
        let elo = EngineOption::spin("UCI_Elo", u64::from(self.elo), 0, u64::from(self.max_elo));
        [EngineOption::check("UCI_LimitStrength", self.is_elo_limited), elo]
    }

    /// Sets one of the options by its lower-case name. Returns whether there is such an option.
    ///
    /// # Errors
    /// Returns an error if the value is not valid.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, SessionError> {
        match name {
            "skill level" => {
                self.skill_level = parse_whole_number("Skill Level", value, 1, u64::from(FULL_LEVEL))? as u32
            }
            "uci_limitstrength" => self.is_elo_limited = parse_bool("UCI_LimitStrength", value)?,
            "uci_elo" => self.elo = parse_whole_number("UCI_Elo", value, 0, u64::from(self.max_elo))? as u32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the skill level for this game; `None` for full strength.
    pub(crate) fn level(&self, game: &GameInfo) -> Option<u32> {
        let nearest = (1..=FULL_LEVEL).min_by_key(|&level| level_elo(game, level).abs_diff(self.elo));
        let level = if self.is_elo_limited { nearest } else { Some(self.skill_level) };
        level.filter(|&level| level < FULL_LEVEL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::registry;

    #[test]
    fn the_elo_of_each_level_selects_that_level() {
        for (game, elos) in
            [("xiangqi", [0, 531, 3212]), ("chess", [0, 470, 3930]), ("othello", [0, 319, 2108])]
        {
            let game = registry::info(game).unwrap();
            assert_eq!([1, 2, FULL_LEVEL].map(|level| level_elo(game, level)), elos, "{}", game.name());
            let mut strength = PlayingStrength::new(&Registry::default());
            assert_eq!(strength.level(game), None);
            assert!(strength.set_option("uci_limitstrength", "true").unwrap());
            for level in 1..=FULL_LEVEL {
                strength.set_option("uci_elo", &level_elo(game, level).to_string()).unwrap();
                let expected = Some(level).filter(|&level| level < FULL_LEVEL);
                assert_eq!(strength.level(game), expected, "{}", game.name());
            }
            // Between two levels the nearer one is selected.
            strength.set_option("uci_elo", &(elos[1] * 3 / 5).to_string()).unwrap();
            assert_eq!(strength.level(game), Some(2));
        }
        let mut strength = PlayingStrength::new(&Registry::default());
        strength.set_option("skill level", "3").unwrap();
        assert_eq!(strength.level(registry::info("chess").unwrap()), Some(3));
        for (name, value) in
            [("skill level", "0"), ("skill level", "11"), ("uci_elo", "-1"), ("uci_elo", "1e3")]
        {
            let error = strength.set_option(name, value).unwrap_err();
            assert!(error.message.contains(&format!("found {value:?}")), "{error}");
        }
        assert!(!strength.set_option("hash", "1").unwrap());
    }
}
