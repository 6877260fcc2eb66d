//! How the moves of a rook or cannon along a line depend on single squares of it.

use crate::geometry::LineMoves;

/// A rook or cannon of the other side, with its view along rank and file.
#[derive(Clone, Copy)]
pub(super) struct SliderView {
    pub(super) file: u8,
    pub(super) rank: u8,
    pub(super) lines: [LineView; 2],
}

impl SliderView {
    pub(super) const EMPTY: SliderView =
        SliderView { file: 0, rank: 0, lines: [LineView { allowed: 0, is_cannon: false }; 2] };
}

/// One line from the view of a rook or cannon on it.
#[derive(Clone, Copy)]
pub(super) struct LineView {
    /// The squares to which the piece may go.
    pub(super) allowed: u32,
    pub(super) is_cannon: bool,
}

/// What depends on the squares of a line.
pub(super) struct LineDependence {
    /// The number of moves along the line.
    pub(super) count: i32,
    /// The squares that can have an effect.
    pub(super) visible: u32,
    /// The squares for which there was an effect.
    pub(super) changed: u32,
}

impl LineView {
    #[inline(always)]
    fn count_targets<const N: usize>(&self, table: &[LineMoves; N], word: u32) -> i32 {
        let line = table[(word >> 1) as usize & (N - 1)];
        let (rook, cannon) = (u32::from(line.rook), u32::from(line.cannon));
        let targets = if self.is_cannon { (rook & !word) | (cannon & word) } else { rook };
        (targets & self.allowed).count_ones() as i32
    }

    /// Returns the sum over the moves from one square of this line to others of their effect beyond the separate
    /// effects of both squares.
    pub(super) fn joint_correction<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u32,
        origin_set: u32,
        targets: u32,
    ) -> i32 {
        let alone = self.count_targets(table, word) - self.count_targets(table, word ^ origin_set);
        let (mut sum, mut unvisited) = (0, targets);
        while unvisited != 0 {
            let to = unvisited & unvisited.wrapping_neg();
            unvisited ^= to;
            sum += self.count_targets(table, word ^ origin_set ^ to) - self.count_targets(table, word ^ to)
                + alone;
        }
        sum
    }

    /// Calls `sink` with each square within `reach` that has an effect, and with the effect.
    #[inline(always)]
    pub(super) fn for_each_delta<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u32,
        reach: u32,
        mut sink: impl FnMut(usize, i32),
    ) -> LineDependence {
        let rook = |word: u32| u32::from(table[(word >> 1) as usize & (N - 1)].rook);
        let mut visible = rook(word);
        if self.is_cannon {
            // A cannon also depends on the squares behind the first piece each way.
            visible |= rook(word & !visible);
        }
        let count = self.count_targets(table, word);
        let (mut unvisited, mut changed) = (visible & reach, 0);
        while unvisited != 0 {
            let index = unvisited.trailing_zeros() as usize;
            let square = unvisited & unvisited.wrapping_neg();
            unvisited ^= square;
            let change = self.count_targets(table, word ^ square) - count;
            changed |= if change == 0 { 0 } else { square };
            sink(index, change);
        }
        LineDependence { count, visible, changed }
    }
}
