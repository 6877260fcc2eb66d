//! Recognition of games with the same start and main line, in 16 bytes a game.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use alfil_records::text_game::TextGame;

/// The games seen so far, by two hashes of 64 bits: two different games of a billion are equal in both with a
/// probability below one in 10^20.
#[derive(Debug, Default)]
pub(super) struct SeenGames(HashSet<[u64; 2]>);

impl SeenGames {
    /// Adds a game and returns whether it is the first of its kind. A game without moves from the start position of its
    /// game is always new, because such records name games whose moves are lost, and so is one with an error, because
    /// the moves after it are unknown.
    pub(super) fn is_new(&mut self, game: &TextGame) -> bool {
        let moves = game.main_line();
        if game.error.is_some() || moves.is_empty() && game.start.is_none() {
            return true;
        }
        let hash = |seed: u64| {
            // The keys of this hasher are constant.
            let mut hasher = DefaultHasher::new();
            (seed, &game.game, &game.start, &moves).hash(&mut hasher);
            hasher.finish()
        };
        self.0.insert([hash(1), hash(2)])
    }
}
