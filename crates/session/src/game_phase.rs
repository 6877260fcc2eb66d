//! The phases of a game: opening, middle game and ending, by the pieces on the board and the number of plies.

use std::ops::RangeInclusive;

/// A phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GamePhase {
    /// The pieces are being developed.
    Opening,
    /// Neither opening nor ending.
    Middlegame,
    /// Few pieces, or in Othello few empty squares, are left.
    Ending,
}

impl GamePhase {
    /// All phases, in the order of a game.
    pub const ALL: [GamePhase; 3] = [GamePhase::Opening, GamePhase::Middlegame, GamePhase::Ending];

    /// Returns the name in data.
    pub const fn name(self) -> &'static str {
        match self {
            GamePhase::Opening => "opening",
            GamePhase::Middlegame => "middlegame",
            GamePhase::Ending => "ending",
        }
    }

    /// Returns the phase of that name.
    pub fn from_name(name: &str) -> Option<GamePhase> {
        GamePhase::ALL.into_iter().find(|phase| phase.name() == name)
    }
}

/// The data by which a game divides into phases.
#[derive(Clone, Debug)]
pub struct PhaseRules {
    /// The letters of the first side's counted pieces, which are counted for both sides; empty to count all pieces.
    pub counted_pieces: &'static [char],
    /// The number of counted pieces in an opening.
    pub opening: RangeInclusive<usize>,
    /// The ply from which on there is no opening any more.
    pub opening_plies: usize,
    /// The number of counted pieces in an ending.
    pub ending: RangeInclusive<usize>,
}

impl PhaseRules {
    /// Returns the phase of a position by its pieces and the plies since the start of the game.
    ///
    /// ```
    /// use alfil_session::game_phase::GamePhase;
    /// use alfil_session::registry;
    ///
    /// let view = registry::open("chess", None).unwrap().view();
    /// let rules = &registry::info("chess").unwrap().phases;
    /// assert_eq!(rules.phase(&view.pieces, view.game_ply), GamePhase::Opening);
    /// assert_eq!(rules.phase(&view.pieces, 60), GamePhase::Middlegame);
    /// ```
    pub fn phase(&self, pieces: &[(String, char)], game_ply: usize) -> GamePhase {
        let is_counted = |letter: char| {
            self.counted_pieces.is_empty() || self.counted_pieces.contains(&letter.to_ascii_uppercase())
        };
        let count = pieces.iter().filter(|&&(_, letter)| is_counted(letter)).count();
        if self.ending.contains(&count) {
            GamePhase::Ending
        } else if self.opening.contains(&count) && game_ply < self.opening_plies {
            GamePhase::Opening
        } else {
            GamePhase::Middlegame
        }
    }
}

#[cfg(test)]
mod tests {
    use alfil_kernel::Waivers;

    use super::*;
    use crate::registry;

    fn phase(game: &str, text: &str) -> GamePhase {
        let mut session = registry::open(game, None).unwrap();
        session.open(text, &Waivers::All).unwrap();
        let view = session.view();
        session.info().phases.phase(&view.pieces, view.game_ply)
    }

    #[test]
    fn every_game_begins_with_the_opening_and_ends_with_the_ending() {
        for entry in registry::GAMES {
            assert_eq!(phase(entry.info.name(), "startpos"), GamePhase::Opening, "{}", entry.info.name());
        }
        assert_eq!(phase("chess", "8/5k2/8/8/3R4/8/1r3PPP/6K1 w - - 0 40"), GamePhase::Ending);
        assert_eq!(
            phase("chess", "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 18"),
            GamePhase::Middlegame
        );
        assert_eq!(phase("xiangqi", "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 60"), GamePhase::Ending);
        let othello = |discs: usize| format!("{}{} X", "XO".repeat(discs / 2), "-".repeat(64 - discs));
        assert_eq!(phase("othello", &othello(20)), GamePhase::Opening);
        assert_eq!(phase("othello", &othello(32)), GamePhase::Middlegame);
        assert_eq!(phase("othello", &othello(46)), GamePhase::Ending);
    }

    #[test]
    fn phases_are_found_by_their_names() {
        for phase in GamePhase::ALL {
            assert_eq!(GamePhase::from_name(phase.name()), Some(phase));
        }
        assert_eq!(GamePhase::from_name("midgame"), None);
    }
}
