//! Scores: the values of positions in search.

use core::ops::{Add, Neg, Sub};

/// A score from the view of the side to move.
///
/// Scores lie in three bands, from the middle outwards: evaluations in centipawns (hundredths of a disc in Othello),
/// wins and losses by rule, and mates. Scores of the outer bands count the plies from the root, so that a
/// shorter win is the better one. A win by rule depends on the path and on the rules, so it is never announced as a
/// mate.
///
/// ```
/// use alfil_kernel::Score;
///
/// assert!(Score::from_cp(900) < Score::rule_win(40) && Score::rule_win(3) < Score::mate_in(99));
/// assert_eq!(Score::mated_in(4), -Score::mate_in(4));
/// assert_eq!((Score::mated_in(4).mate_plies(), Score::rule_win(4).mate_plies()), (Some(-4), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// The score of a draw.
    pub const DRAW: Score = Score(0);
    /// A bound above any score that a search can return.
    pub const INFINITE: Score = Score(32_000);
    /// The greatest evaluation.
    pub const MAX_EVAL: Score = Score(28_999);

    const MATE: i32 = 31_000;
    const MIN_MATE: i32 = Self::MATE - Self::MAX_PLIES;
    const RULE_WIN: i32 = Self::MIN_MATE - 1;
    const MIN_WIN: i32 = Self::MAX_EVAL.0 + 1;
    /// The number of plies that the outer bands can express.
    const MAX_PLIES: i32 = 1_000;

    /// Returns the score of an evaluation in centipawns, limited to [`Score::MAX_EVAL`].
    #[inline(always)]
    pub const fn from_cp(cp: i32) -> Score {
        let limited = if cp > Self::MAX_EVAL.0 { Self::MAX_EVAL.0 } else { cp };
        Score(if limited < -Self::MAX_EVAL.0 { -Self::MAX_EVAL.0 } else { limited })
    }

    /// Returns the score of [`Score::value`].
    #[inline(always)]
    pub const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// Returns the score as a number: centipawns for an evaluation, and numbers beyond them for the other bands.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Returns the score of a mate by the side to move in this number of plies.
    #[inline]
    pub const fn mate_in(plies: u32) -> Score {
        Score(Self::MATE - Self::limited(plies, Self::MAX_PLIES))
    }

    /// Returns the score of a mate against the side to move in this number of plies.
    #[inline]
    pub const fn mated_in(plies: u32) -> Score {
        Score(-Self::mate_in(plies).0)
    }

    /// Returns the score of a win of the side to move by rule in this number of plies.
    #[inline]
    pub const fn rule_win(plies: u32) -> Score {
        Score(Self::RULE_WIN - Self::limited(plies, Self::RULE_WIN - Self::MIN_WIN))
    }

    /// Returns the score of a loss of the side to move by rule in this number of plies.
    #[inline]
    pub const fn rule_loss(plies: u32) -> Score {
        Score(-Self::rule_win(plies).0)
    }

    const fn limited(plies: u32, max: i32) -> i32 {
        if plies > max as u32 { max } else { plies as i32 }
    }

    /// Returns whether the score is a mate, by either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE
    }

    /// Returns whether the score is a win: by rule or mate.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_WIN
    }

    /// Returns whether the score is a loss: by rule or mate.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_WIN
    }

    /// Returns whether the score is a win or a loss.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::MIN_WIN
    }

    /// Returns the number of plies to the mate; negative if the side to move is mated. `None` for the other bands.
    pub const fn mate_plies(self) -> Option<i32> {
        if self.is_mate() { Some((Self::MATE - self.0.abs()) * self.0.signum()) } else { None }
    }

    /// Returns the number of plies to the win or loss, or `None` for an evaluation.
    pub const fn plies_to_end(self) -> Option<u32> {
        let distance = self.0.abs();
        if distance >= Self::MIN_MATE {
            Some((Self::MATE - distance) as u32)
        } else if distance >= Self::MIN_WIN {
            Some((Self::RULE_WIN - distance) as u32)
        } else {
            None
        }
    }

    /// Returns the score between two scores, rounded towards zero.
    #[inline]
    pub const fn midpoint(self, other: Score) -> Score {
        Score(i32::midpoint(self.0, other.0))
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// Says whether a score is exact, or a bound because the search window cut it off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Bound {
    /// The score is the value itself.
    #[default]
    Exact = 0,
    /// The value is this score or more (fail high).
    Lower = 1,
    /// The value is this score or less (fail low).
    Upper = 2,
}

impl Bound {
    /// Returns the name: `exact`, `lower` or `upper`.
    pub const fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }
}

/// How sure the score of a search to the end of the game is. A search that ends before the end of the game has none,
/// however sure its own cuts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Confidence {
    /// The search was selective: it left out moves that a shallow search refuted by a margin that holds this percentage
    /// of its errors, from 1 to 99.
    Selective(u8),
    /// The score is the result of the game.
    Exact,
}

impl Confidence {
    /// Returns the confidence as a percentage; 100 is exact.
    pub const fn percent(self) -> u8 {
        match self {
            Confidence::Selective(percent) if percent < 100 => percent,
            // A selective search is never exact.
            Confidence::Selective(_) => 99,
            Confidence::Exact => 100,
        }
    }

    /// Returns the confidence of a percentage; 100 is exact.
    pub const fn from_percent(percent: u8) -> Confidence {
        if percent < 100 { Confidence::Selective(percent) } else { Confidence::Exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_are_disjoint_and_ordered() {
        for plies in [0, 1, 128, 999, 5_000] {
            assert!(Score::from_cp(i32::MAX) < Score::rule_win(plies));
            assert!(
                Score::rule_win(plies) < Score::mate_in(plies) && Score::mate_in(plies) < Score::INFINITE
            );
            assert!(Score::mate_in(plies).is_mate() && Score::mated_in(plies).is_mate());
            assert!(Score::rule_loss(plies).is_loss() && !Score::rule_loss(plies).is_mate());
        }
        assert!(!Score::from_cp(i32::MIN).is_decisive());
        assert!(Score::rule_win(2) > Score::rule_win(3) && Score::mated_in(2) < Score::mated_in(3));
    }

    #[test]
    fn the_outer_bands_hold_their_distance() {
        assert_eq!(Score::mate_in(7).mate_plies(), Some(7));
        assert_eq!(Score::mated_in(0).mate_plies(), Some(0));
        assert_eq!(Score::rule_loss(7).mate_plies(), None);
        assert_eq!((Score::rule_loss(7).plies_to_end(), Score::from_cp(7).plies_to_end()), (Some(7), None));
    }
}
