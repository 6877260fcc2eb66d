//! How strong an engine plays, in the two ways in which boards ask for it: by a level, or by points on a ladder.

use alfil_protocol::Setting;

use super::engine::whole;
use super::on;
use crate::desk::DeskError;

/// The full strength, as a level.
const FULL: u32 = alfil_search::LEVELS;

/// What each level from 2 on scored against the one below, in half points of sixty games (docs/strength.md).
const SCORES: [(&str, [u32; 9]); 3] = [
    ("xiangqi", [106, 99, 98, 95, 106, 107, 105, 83, 88]),
    ("chess", [116, 98, 102, 112, 106, 111, 108, 105, 107]),
    ("othello", [84, 105, 102, 100, 75, 91, 95, 86, 84]),
];
/// Half points of sixty games.
const HALVES: f64 = 120.0;

/// How strong it plays. Who says nothing gets full strength.
#[derive(Clone, Debug)]
pub(crate) struct Strength {
    /// From 1 to [`FULL`], which is full strength: nothing is drawn by lot.
    skill: u32,
    /// The points count, not the skill.
    limited: bool,
    /// Points above level 1.
    elo: u32,
}

impl Default for Strength {
    fn default() -> Self {
        Strength { skill: FULL, limited: false, elo: most() }
    }
}

/// The points of a level on the ladder of this game: Elo above level 1, by the scores between neighbours. They say nothing about any
/// rating list of people.
fn rung(game: &str, level: u32) -> u32 {
    let scores = SCORES.iter().find(|(name, _)| *name == game).map_or(&SCORES[0].1, |(_, scores)| scores);
    let elo = |&halves: &u32| {
        let share = f64::from(halves) / HALVES;
        400.0 * (share / (1.0 - share)).log10()
    };
    scores.iter().take(level as usize - 1).map(elo).sum::<f64>().round() as u32
}

/// The highest rung of all ladders.
fn most() -> u32 {
    SCORES.iter().map(|(game, _)| rung(game, FULL)).max().unwrap_or(0)
}

impl Strength {
    /// The skill, which every protocol with options has.
    pub(crate) fn skill(&self) -> Setting {
        Setting::spin("Skill Level", u64::from(self.skill), 1, u64::from(FULL))
    }

    /// The points, as UCI asks for them.
    pub(crate) fn points(&self) -> [Setting; 2] {
        let elo = Setting::spin("UCI_Elo", u64::from(self.elo), 0, u64::from(most()));
        [Setting::check("UCI_LimitStrength", self.limited), elo]
    }

    /// Sets one of these, its name in small letters; whether there is one of that name.
    ///
    /// # Errors
    /// If the value is not one that it can have.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, DeskError> {
        match name {
            "skill level" => self.skill = whole("Skill Level", value, 1, u64::from(FULL))? as u32,
            "uci_limitstrength" => self.limited = on("UCI_LimitStrength", value)?,
            "uci_elo" => self.elo = whole("UCI_Elo", value, 0, u64::from(most()))? as u32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The level at which it plays this game; none for full strength.
    pub(crate) fn level(&self, game: &str) -> Option<u32> {
        let nearest = || (1..=FULL).min_by_key(|&level| rung(game, level).abs_diff(self.elo));
        if self.limited { nearest() } else { Some(self.skill).filter(|&skill| skill < FULL) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_the_ladders_own() {
        for (game, rungs) in
            [("xiangqi", [0, 352, 2484]), ("chess", [0, 585, 3478]), ("othello", [0, 147, 1894])]
        {
            assert_eq!([1, 2, FULL].map(|level| rung(game, level)), rungs, "{game}");
            let mut strength = Strength::default();
            assert_eq!(strength.level(game), None);
            assert!(strength.set("uci_limitstrength", "true").unwrap());
            for level in 1..=FULL {
                strength.set("uci_elo", &rung(game, level).to_string()).unwrap();
                assert_eq!(strength.level(game), Some(level), "{game}");
            }
            // Half way it is the lower or the upper, and a little above it the upper.
            strength.set("uci_elo", &(rungs[1] * 3 / 5).to_string()).unwrap();
            assert_eq!(strength.level(game), Some(2));
        }
        let mut strength = Strength::default();
        strength.set("skill level", "3").unwrap();
        assert_eq!(strength.level("chess"), Some(3));
        for (name, value) in
            [("skill level", "0"), ("skill level", "11"), ("uci_elo", "-1"), ("uci_elo", "1e3")]
        {
            let error = strength.set(name, value).unwrap_err();
            assert!(error.words.contains(&format!("found {value:?}")), "{error}");
        }
        assert!(!strength.set("hash", "1").unwrap());
    }
}
