//! Recognition of games with the same start and main line, in 16 bytes a game.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::game_facts::GameFacts;

/// What two games with the same start and main line share.
pub(super) type GameKey = [u64; 2];

/// The games written so far, by two hashes of 64 bits: two different games of a billion are equal in both with a
/// probability below one in 10^20.
#[derive(Debug, Default)]
pub(super) struct SeenGames(HashSet<GameKey>);

impl SeenGames {
    /// Returns the key of a game with this main line; `None` if it is never a repetition. So is a game without moves
    /// from the start position of its game, because such records name games whose moves are lost, and one with an
    /// error, because the moves after it are unknown.
    pub(super) fn key_of(
        facts: GameFacts<'_>,
        moves: &[impl AsRef<str>],
        has_error: bool,
    ) -> Option<GameKey> {
        if has_error || moves.is_empty() && facts.start().is_none() {
            return None;
        }
        let hash = |seed: u64| {
            // The keys of this hasher are constant.
            let mut hasher = DefaultHasher::new();
            (seed, facts.game(), facts.start()).hash(&mut hasher);
            moves.iter().for_each(|mv| mv.as_ref().hash(&mut hasher));
            hasher.finish()
        };
        Some([hash(1), hash(2)])
    }

    /// Returns whether a game with this key was added.
    pub(super) fn contains(&self, key: &GameKey) -> bool {
        self.0.contains(key)
    }

    /// Adds the key of a game.
    pub(super) fn add(&mut self, key: GameKey) {
        self.0.insert(key);
    }
}
