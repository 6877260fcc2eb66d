//! The summary of games of self-play.

use crate::game_data::{Ending, GameData, NO_SCORE};

/// Counts over games of self-play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of games.
    pub games: u64,
    /// The number of plies.
    pub plies: u64,
    /// The number of random plies among them.
    pub random_plies: u64,
    /// The number of plies with an exact score.
    pub exact_plies: u64,
    /// The number of scores beyond 1,500, of either side.
    pub decided_plies: u64,
    /// The number of losses, draws and wins of the first side.
    pub results: [u64; 3],
    /// The number of games by their ending, in the order of [`Ending::ALL`].
    pub endings: [u64; 4],
    /// The length of the longest game, in plies.
    pub max_plies: u64,
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, game: &GameData) {
        let plies = game.plies.len() as u64;
        self.games += 1;
        self.plies += plies;
        self.random_plies += u64::from(game.random_plies);
        self.exact_plies += plies - u64::from(game.exact_from).min(plies);
        let is_decided = |score: i16| score != NO_SCORE && i32::from(score).abs() > 1_500;
        self.decided_plies += game.plies.iter().filter(|ply| is_decided(ply.score)).count() as u64;
        self.results[usize::from(game.result).min(2)] += 1;
        self.endings[game.ending as usize] += 1;
        self.max_plies = self.max_plies.max(plies);
    }

    /// Returns the number of games that ended so.
    pub fn ended_by(&self, ending: Ending) -> u64 {
        self.endings[ending as usize]
    }
}
