//! When a player offers a draw, takes one, or gives up: by its own scores at its last moves.

use alfil_protocol::EngineOption;
use alfil_protocol::tokens::shorten;

use super::engine::parse_whole_number;
use alfil_session::game_session::SessionError;

/// A draw is welcome at once to whoever stands so much worse, in hundredths.
const ACCEPT_DRAW_CP: i32 = -150;
/// To whoever stands no better it is from this move of the game on, after so many own moves without an advantage.
const EVEN_MOVE_NUMBER: u32 = 30;
const EVEN_MOVES: usize = 3;
/// Who offers draws does so from this move on, after so many own moves within so many hundredths, and again after as many.
const OFFER_MOVE_NUMBER: u32 = 40;
const OFFER_MOVES: usize = 8;
const OFFER_MAX_CP: i32 = 15;
/// So many own moves in a row are hopeless before it resigns.
const RESIGN_MOVES: usize = 3;
/// No score is further from 0.
const MAX_RESIGN_CP: u64 = 30_000;

/// What is done about draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DrawPolicy {
    Never,
    #[default]
    Accept,
    Offer,
}

const DRAW_POLICIES: [(&str, DrawPolicy); 3] =
    [("never", DrawPolicy::Never), ("accept", DrawPolicy::Accept), ("offer", DrawPolicy::Offer)];

/// The manners of a player, and its own scores in this game.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawResignPolicy {
    draw_policy: DrawPolicy,
    /// It resigns when it stands so much worse, in hundredths; 0 for never.
    resign_cp: i32,
    /// The ply of the last score.
    ply: usize,
    /// The number of the last move in the game.
    move_number: u32,
    /// Its scores at its moves in a row, the last at the end.
    scores: Vec<i32>,
}

impl DrawResignPolicy {
    /// What can be set.
    pub(crate) fn options(&self) -> [EngineOption; 2] {
        let chosen =
            DRAW_POLICIES.iter().find(|(_, draws)| *draws == self.draw_policy).map_or("", |(name, _)| name);
        [
            EngineOption::combo("Draws", chosen, &DRAW_POLICIES.map(|(name, _)| name)),
            EngineOption::spin("Resign", self.resign_cp as u64, 0, MAX_RESIGN_CP),
        ]
    }

    /// Sets one of these, its name without regard to case; whether there is one of that name.
    ///
    /// # Errors
    /// If the value is not one that it can have.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, SessionError> {
        match name.to_ascii_lowercase().as_str() {
            "draws" => {
                let known = DRAW_POLICIES.iter().find(|(name, _)| *name == value);
                let &(_, draws) = known.ok_or_else(|| {
                    let names = DRAW_POLICIES.map(|(name, _)| name).join(", ");
                    SessionError::new(format!("Draws is one of {names}, found {:?}", shorten(value)))
                })?;
                self.draw_policy = draws;
            }
            "resign" => self.resign_cp = parse_whole_number("Resign", value, 0, MAX_RESIGN_CP)? as i32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Another game begins.
    pub(crate) fn clear(&mut self) {
        self.scores.clear();
    }

    /// It has come to a score for its own move, so many plies and moves into a game.
    pub(crate) fn add_score(&mut self, ply: usize, number: u32, score: i32) {
        if ply == self.ply {
            self.scores.pop();
        } else if ply != self.ply + 2 {
            self.scores.clear();
        }
        (self.ply, self.move_number) = (ply, number);
        self.scores.push(score);
    }

    /// Whether all of so many last scores are such, and there are so many.
    fn has_recent_scores(&self, moves: usize, such: impl Fn(i32) -> bool) -> bool {
        self.scores.len() >= moves && self.scores.iter().rev().take(moves).all(|&score| such(score))
    }

    /// Whether it takes a draw that is offered.
    pub(crate) fn should_accept_draw(&self) -> bool {
        let even =
            self.move_number >= EVEN_MOVE_NUMBER && self.has_recent_scores(EVEN_MOVES, |score| score <= 0);
        self.draw_policy != DrawPolicy::Never
            && (even || self.has_recent_scores(1, |score| score <= ACCEPT_DRAW_CP))
    }

    /// Whether it offers a draw with this move.
    pub(crate) fn should_offer_draw(&self) -> bool {
        let dead = self.move_number >= OFFER_MOVE_NUMBER
            && self.has_recent_scores(OFFER_MOVES, |score| score.abs() <= OFFER_MAX_CP);
        self.draw_policy == DrawPolicy::Offer && dead && self.scores.len().is_multiple_of(OFFER_MOVES)
    }

    /// Whether it gives up instead of moving.
    pub(crate) fn should_resign(&self) -> bool {
        self.resign_cp > 0 && self.has_recent_scores(RESIGN_MOVES, |score| score <= -self.resign_cp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_taken_where_it_stands_worse_or_the_game_is_old_and_even() {
        let mut manners = DrawResignPolicy::default();
        assert!(!manners.should_accept_draw());
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
            manners.add_score(ply, number, score);
            assert_eq!(
                (manners.should_accept_draw(), manners.should_offer_draw(), manners.should_resign()),
                (accepts, false, false),
                "{ply}"
            );
        }
        assert!(manners.set_option("Draws", "never").unwrap() && !manners.should_accept_draw());
        manners.clear();
        assert!(!manners.set_option("hash", "3").unwrap());
    }

    #[test]
    fn draws_are_offered_and_games_given_up_on_request() {
        let mut manners = DrawResignPolicy::default();
        let offers = |manners: &mut DrawResignPolicy, scores: &[i32]| {
            manners.clear();
            let noted = scores.iter().enumerate().map(|(at, &score)| {
                manners.add_score(100 + 2 * at, 50 + at as u32, score);
                (manners.should_offer_draw(), manners.should_resign())
            });
            noted
                .map(|(offers, resigns)| (u32::from(offers), u32::from(resigns)))
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let dead = [3, -15, 0, 15, 1, 1, 1, 1, 1, 1];
        let lost = [-900, -1000, -29_000, -1000, 20];
        assert_eq!((offers(&mut manners, &dead), offers(&mut manners, &lost)), ((0, 0), (0, 0)));
        assert!(
            manners.set_option("draws", "offer").unwrap() && manners.set_option("RESIGN", "900").unwrap()
        );
        assert_eq!((offers(&mut manners, &dead), offers(&mut manners, &lost)), ((1, 0), (0, 2)));
        assert!(
            manners
                .set_option("draws", "often")
                .unwrap_err()
                .message
                .contains("never, accept, offer, found \"often\"")
        );
        assert!(manners.set_option("resign", "-5").is_err());
    }
}
