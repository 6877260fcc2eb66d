//! Scores: the values of positions in search.

/// A score in centipawns (hundredths of a disc in Othello), from the view of the side to move.
pub type Score = i32;

/// A bound above any score that a search can return.
pub const INFINITE: Score = 32_000;
/// The score of a win at the root; a win in `n` plies is `MATE - n`.
pub const MATE: Score = 31_000;
/// The lowest score of a win in a known number of plies; its negation is the highest such loss.
pub const MATE_BOUND: Score = MATE - 1_000;

/// Says whether a score is exact, or a bound because the search window cut it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Bound {
    /// The score is the value itself.
    Exact = 0,
    /// The value is this score or more (fail high).
    Lower = 1,
    /// The value is this score or less (fail low).
    Upper = 2,
}
