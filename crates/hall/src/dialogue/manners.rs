//! When a player offers a draw, takes one, or gives up: by its own scores at its last moves.

use alfil_protocol::Setting;
use alfil_protocol::words::short;

use super::engine::whole;
use crate::desk::DeskError;

/// A draw is welcome at once to whoever stands so much worse, in hundredths.
const WORSE: i32 = -150;
/// To whoever stands no better it is from this move of the game on, after so many own moves without an advantage.
const OLD: u32 = 30;
const EVEN_MOVES: usize = 3;
/// Who offers draws does so from this move on, after so many own moves within so many hundredths, and again after as many.
const DEAD: u32 = 40;
const DEAD_MOVES: usize = 8;
const DEAD_SCORE: i32 = 15;
/// So many own moves in a row are hopeless before it resigns.
const LOST_MOVES: usize = 3;
/// No score is further from 0.
const MOST: u64 = 30_000;

/// What is done about draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Draws {
    Never,
    #[default]
    Accept,
    Offer,
}

const DRAWS: [(&str, Draws); 3] =
    [("never", Draws::Never), ("accept", Draws::Accept), ("offer", Draws::Offer)];

/// The manners of a player, and its own scores in this game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manners {
    draws: Draws,
    /// It resigns when it stands so much worse, in hundredths; 0 for never.
    resign: i32,
    /// The ply of the last score.
    ply: usize,
    /// The number of the last move in the game.
    number: u32,
    /// Its scores at its moves in a row, the last at the end.
    scores: Vec<i32>,
}

impl Manners {
    /// What can be set.
    pub(crate) fn settings(&self) -> [Setting; 2] {
        let chosen = DRAWS.iter().find(|(_, draws)| *draws == self.draws).map_or("", |(name, _)| name);
        [
            Setting::combo("Draws", chosen, &DRAWS.map(|(name, _)| name)),
            Setting::spin("Resign", self.resign as u64, 0, MOST),
        ]
    }

    /// Sets one of these, its name without regard to case; whether there is one of that name.
    ///
    /// # Errors
    /// If the value is not one that it can have.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, DeskError> {
        match name.to_ascii_lowercase().as_str() {
            "draws" => {
                let known = DRAWS.iter().find(|(name, _)| *name == value);
                let &(_, draws) = known.ok_or_else(|| {
                    let names = DRAWS.map(|(name, _)| name).join(", ");
                    DeskError::new(format!("Draws is one of {names}, found {:?}", short(value)))
                })?;
                self.draws = draws;
            }
            "resign" => self.resign = whole("Resign", value, 0, MOST)? as i32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Another game begins.
    pub(crate) fn forget(&mut self) {
        self.scores.clear();
    }

    /// It has come to a score for its own move, so many plies and moves into a game.
    pub(crate) fn note(&mut self, ply: usize, number: u32, score: i32) {
        if ply == self.ply {
            self.scores.pop();
        } else if ply != self.ply + 2 {
            self.scores.clear();
        }
        (self.ply, self.number) = (ply, number);
        self.scores.push(score);
    }

    /// Whether all of so many last scores are such, and there are so many.
    fn lately(&self, moves: usize, such: impl Fn(i32) -> bool) -> bool {
        self.scores.len() >= moves && self.scores.iter().rev().take(moves).all(|&score| such(score))
    }

    /// Whether it takes a draw that is offered.
    pub(crate) fn accepts(&self) -> bool {
        let even = self.number >= OLD && self.lately(EVEN_MOVES, |score| score <= 0);
        self.draws != Draws::Never && (even || self.lately(1, |score| score <= WORSE))
    }

    /// Whether it offers a draw with this move.
    pub(crate) fn offers(&self) -> bool {
        let dead = self.number >= DEAD && self.lately(DEAD_MOVES, |score| score.abs() <= DEAD_SCORE);
        self.draws == Draws::Offer && dead && self.scores.len().is_multiple_of(DEAD_MOVES)
    }

    /// Whether it gives up instead of moving.
    pub(crate) fn resigns(&self) -> bool {
        self.resign > 0 && self.lately(LOST_MOVES, |score| score <= -self.resign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_taken_where_it_stands_worse_or_the_game_is_old_and_even() {
        let mut manners = Manners::default();
        assert!(!manners.accepts());
        for (ply, number, score, accepts) in [
            (10, 6, 0, false),
            (12, 7, -149, false),
            (14, 8, -150, true),
            (16, 9, 5, false),
            (60, 31, 0, false),
            (62, 32, 0, false),
            (64, 33, -1, true),
            (66, 34, 1, false),
            (68, 35, 0, false),
            // The move is thought about again.
            (68, 35, 0, false),
            (70, 36, 0, false),
            (72, 37, 0, true),
        ] {
            manners.note(ply, number, score);
            assert_eq!(
                (manners.accepts(), manners.offers(), manners.resigns()),
                (accepts, false, false),
                "{ply}"
            );
        }
        assert!(manners.set("Draws", "never").unwrap() && !manners.accepts());
        manners.forget();
        assert!(!manners.set("hash", "3").unwrap());
    }

    #[test]
    fn draws_are_offered_and_games_given_up_on_request() {
        let mut manners = Manners::default();
        let offers = |manners: &mut Manners, scores: &[i32]| {
            manners.forget();
            let noted = scores.iter().enumerate().map(|(at, &score)| {
                manners.note(100 + 2 * at, 50 + at as u32, score);
                (manners.offers(), manners.resigns())
            });
            noted
                .map(|(offers, resigns)| (u32::from(offers), u32::from(resigns)))
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let dead = [3, -15, 0, 15, 1, 1, 1, 1, 1, 1];
        let lost = [-900, -1000, -29_000, -1000, 20];
        assert_eq!((offers(&mut manners, &dead), offers(&mut manners, &lost)), ((0, 0), (0, 0)));
        assert!(manners.set("draws", "offer").unwrap() && manners.set("RESIGN", "900").unwrap());
        assert_eq!((offers(&mut manners, &dead), offers(&mut manners, &lost)), ((1, 0), (0, 2)));
        assert!(
            manners
                .set("draws", "often")
                .unwrap_err()
                .words
                .contains("never, accept, offer, found \"often\"")
        );
        assert!(manners.set("resign", "-5").is_err());
    }
}
