//! What whoever thinks asks of whoever lets it think.

use crate::evaluate::Score;

/// Whether a score is exact, or a bound because the window cut it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Bound {
    /// The value itself.
    Exact = 0,
    /// The value is this or more.
    Lower = 1,
    /// The value is this or less.
    Upper = 2,
}

/// What a search found out so far.
#[derive(Clone, Debug)]
pub struct SearchInfo<'a, M> {
    /// Depth completed, in plies.
    pub depth: u32,
    /// Deepest line looked at, in plies.
    pub seldepth: u32,
    /// From the view of the side to move at the root.
    pub score: Score,
    /// What the score is.
    pub bound: Bound,
    /// Positions visited.
    pub nodes: u64,
    /// The best line, the move to play first.
    pub pv: &'a [M],
    /// Which of several lines this is, from 1.
    pub multipv: u32,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// How much of what was visited lies under the first move of the line, in thousandths: 1000 where there is no other.
    pub best_move_effort_permille: u32,
    /// For how many depths in a row the first move of the best line has been this one.
    pub best_move_stability: u32,
}

/// The other end of a search: it may stop it, and hears its reports. Clocks, threads and printing live behind it.
pub trait SearchControl<M> {
    /// Asked every so many positions; `true` ends the search at once.
    fn is_stopped(&mut self, nodes: u64) -> bool;
    /// Told after each finished iteration.
    fn report(&mut self, info: &SearchInfo<'_, M>);
}

/// A control that never stops a search and drops its reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverStop;

impl<M> SearchControl<M> for NeverStop {
    fn is_stopped(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, _info: &SearchInfo<'_, M>) {}
}
