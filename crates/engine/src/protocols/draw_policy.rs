//! Draw offers, draw acceptance and resignation, decided by the engine's own scores at its last moves.

use alfil_kernel::Bound;
use alfil_protocol::EngineOption;
use alfil_protocol::tokens::shorten;

use super::whole_number::parse_whole_number;
use alfil_session::SessionError;

/// A draw is accepted at or below this score, in centipawns.
const ACCEPT_DRAW_CP: i32 = -150;
/// From this move number on, a draw is also accepted after [`NO_ADVANTAGE_MOVES`] own moves with scores of 0 or less.
const NO_ADVANTAGE_MIN_MOVE_NUMBER: u32 = 30;
const NO_ADVANTAGE_MOVES: usize = 3;
/// From this move number on, a draw is offered after [`OFFER_MOVES`] own moves with scores within [`OFFER_MAX_CP`], and
/// again after as many.
const OFFER_MIN_MOVE_NUMBER: u32 = 40;
const OFFER_MOVES: usize = 8;
const OFFER_MAX_CP: i32 = 15;
/// The number of own lost positions in a row before the engine resigns.
const RESIGN_MOVES: usize = 3;
/// The maximum of the option `Resign`, in centipawns.
const MAX_RESIGN_CP: u64 = 30_000;

/// The policy for draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DrawPolicy {
    Never,
    #[default]
    Accept,
    Offer,
}

const DRAW_POLICIES: [(&str, DrawPolicy); 3] =
    [("never", DrawPolicy::Never), ("accept", DrawPolicy::Accept), ("offer", DrawPolicy::Offer)];

/// The draw and resignation policy, and the engine's own scores in this game.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawResignPolicy {
    draw_policy: DrawPolicy,
    /// The deficit at which the engine resigns, in centipawns; 0 for never.
    resign_cp: i32,
    /// The ply of the last score.
    ply: usize,
    /// The move number of the last score.
    move_number: u32,
    /// The scores at the engine's last consecutive moves, the latest last, and whether they are exact or bounds.
    scores: Vec<(i32, Bound)>,
}

impl DrawResignPolicy {
    /// Returns the options with their current values.
    pub(crate) fn options(&self) -> [EngineOption; 2] {
        let current =
            DRAW_POLICIES.iter().find(|(_, policy)| *policy == self.draw_policy).map_or("", |(name, _)| name);
        [
            EngineOption::combo("Draws", current, &DRAW_POLICIES.map(|(name, _)| name)),
            EngineOption::spin("Resign", self.resign_cp as u64, 0, MAX_RESIGN_CP),
        ]
    }

    /// Sets one of the options, whose name ignores case. Returns whether there is such an option.
    ///
    /// # Errors
    /// Returns an error if the value is not valid.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, SessionError> {
        match name.to_ascii_lowercase().as_str() {
            "draws" => {
                let policy = DRAW_POLICIES.iter().find(|(name, _)| *name == value);
                let &(_, draw_policy) = policy.ok_or_else(|| {
                    let names = DRAW_POLICIES.map(|(name, _)| name).join(", ");
                    SessionError::new(format!("Draws is one of {names}, found {:?}", shorten(value)))
                })?;
                self.draw_policy = draw_policy;
            }
            "resign" => self.resign_cp = parse_whole_number("Resign", value, 0, MAX_RESIGN_CP)? as i32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Clears the scores, for another game.
    pub(crate) fn clear(&mut self) {
        self.scores.clear();
    }

    /// Adds the score of the engine's own move at this ply and move number.
    pub(crate) fn add_score(&mut self, ply: usize, move_number: u32, score: i32, bound: Bound) {
        if ply == self.ply {
            self.scores.pop();
        } else if ply != self.ply + 2 {
            self.scores.clear();
        }
        (self.ply, self.move_number) = (ply, move_number);
        self.scores.push((score, bound));
    }

    /// Returns whether the last `moves` scores exist and all satisfy the condition.
    fn has_recent_scores(&self, moves: usize, condition: impl Fn(i32, Bound) -> bool) -> bool {
        let mut last = self.scores.iter().rev().take(moves);
        self.scores.len() >= moves && last.all(|&(score, bound)| condition(score, bound))
    }

    /// Returns whether the last `moves` scores exist and are known to be at most `max`, which an upper bound can show.
    fn are_recent_scores_at_most(&self, moves: usize, max: i32) -> bool {
        self.has_recent_scores(moves, |score, bound| bound != Bound::Lower && score <= max)
    }

    /// Returns whether the engine accepts a draw offer.
    pub(crate) fn should_accept_draw(&self) -> bool {
        let has_no_advantage = self.move_number >= NO_ADVANTAGE_MIN_MOVE_NUMBER
            && self.are_recent_scores_at_most(NO_ADVANTAGE_MOVES, 0);
        self.draw_policy != DrawPolicy::Never
            && (has_no_advantage || self.are_recent_scores_at_most(1, ACCEPT_DRAW_CP))
    }

    /// Returns whether the engine offers a draw with this move.
    pub(crate) fn should_offer_draw(&self) -> bool {
        let is_even = |&&(score, bound): &&(i32, Bound)| bound == Bound::Exact && score.abs() <= OFFER_MAX_CP;
        let even_moves = self.scores.iter().rev().take_while(is_even).count();
        let Some(moves) = self.move_number.checked_sub(OFFER_MIN_MOVE_NUMBER) else { return false };
        // Of a longer row of even moves, the last eight count at the first move at which a draw is offered.
        let counted = even_moves.min(moves as usize + OFFER_MOVES);
        self.draw_policy == DrawPolicy::Offer && counted > 0 && counted.is_multiple_of(OFFER_MOVES)
    }

    /// Returns whether the engine resigns instead of moving.
    pub(crate) fn should_resign(&self) -> bool {
        self.resign_cp > 0 && self.are_recent_scores_at_most(RESIGN_MOVES, -self.resign_cp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_accepted_in_worse_games_and_late_without_an_advantage() {
        let mut policy = DrawResignPolicy::default();
        assert!(!policy.should_accept_draw());
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
            // A repeated search of the same ply replaces the score.
            (68, 35, 0, false),
            (70, 36, 0, false),
            (72, 37, 0, true),
        ] {
            policy.add_score(ply, number, score, Bound::Exact);
            assert_eq!(
                (policy.should_accept_draw(), policy.should_offer_draw(), policy.should_resign()),
                (accepts, false, false),
                "{ply}"
            );
        }
        assert!(policy.set_option("Draws", "never").unwrap() && !policy.should_accept_draw());
        policy.clear();
        assert!(!policy.set_option("hash", "3").unwrap());
    }

    #[test]
    fn draw_offers_and_resignations_are_optional() {
        let mut policy = DrawResignPolicy::default();
        let count_decisions = |policy: &mut DrawResignPolicy, scores: &[i32]| {
            policy.clear();
            let noted = scores.iter().enumerate().map(|(at, &score)| {
                policy.add_score(100 + 2 * at, 50 + at as u32, score, Bound::Exact);
                (policy.should_offer_draw(), policy.should_resign())
            });
            noted
                .map(|(offers, resigns)| (u32::from(offers), u32::from(resigns)))
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let dead = [3, -15, 0, 15, 1, 1, 1, 1, 1, 1];
        // The moves before the even ones do not count.
        let later = [3, 100, 3, -15, 0, 15, 1, 1, 1, 1];
        let lost = [-900, -1000, -29_000, -1000, 20];
        assert_eq!(
            (count_decisions(&mut policy, &dead), count_decisions(&mut policy, &lost)),
            ((0, 0), (0, 0))
        );
        assert!(policy.set_option("draws", "offer").unwrap() && policy.set_option("RESIGN", "900").unwrap());
        assert_eq!(
            (count_decisions(&mut policy, &dead), count_decisions(&mut policy, &lost)),
            ((1, 0), (0, 2))
        );
        assert_eq!(count_decisions(&mut policy, &later), (1, 0));
        // A draw is offered at move 40 if the eight moves to it were even, and again at move 48.
        policy.clear();
        let offers = (4..56).filter(|&number| {
            policy.add_score(2 * number, number as u32, 0, Bound::Exact);
            policy.should_offer_draw()
        });
        assert_eq!(offers.collect::<Vec<_>>(), [40, 48]);
        assert!(
            policy
                .set_option("draws", "often")
                .unwrap_err()
                .message
                .contains("never, accept, offer, found \"often\"")
        );
        assert!(policy.set_option("resign", "-5").is_err());
    }

    #[test]
    fn a_bound_decides_only_what_it_shows() {
        let mut policy = DrawResignPolicy::default();
        assert!(policy.set_option("draws", "offer").unwrap() && policy.set_option("resign", "400").unwrap());
        for (score, bound, decisions) in [
            (-500, Bound::Exact, [true, false, true]),
            (-500, Bound::Upper, [true, false, true]),
            (-500, Bound::Lower, [false, false, false]),
            (5, Bound::Exact, [false, true, false]),
            (5, Bound::Upper, [false, false, false]),
            (-5, Bound::Lower, [false, false, false]),
        ] {
            policy.clear();
            for at in 0..OFFER_MOVES {
                policy.add_score(100 + 2 * at, 50 + at as u32, score, bound);
            }
            let found = [policy.should_accept_draw(), policy.should_offer_draw(), policy.should_resign()];
            assert_eq!(found, decisions, "{score} {bound:?}");
        }
    }
}
