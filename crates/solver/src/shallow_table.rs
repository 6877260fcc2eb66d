//! The table of a worker for the last empty squares: small enough for the second-level cache of a processor core.

/// The base-2 logarithm of the number of entries.
const LOG2_ENTRIES: u32 = 12;

/// The bounds of a position in discs from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShallowEntry {
    mover: u64,
    opponent: u64,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// The square of the best move of the last search.
    pub(crate) best_move: u8,
}

/// A table with one entry for each index: a new position replaces the one before it.
#[derive(Debug)]
pub(crate) struct ShallowTable {
    entries: Box<[ShallowEntry]>,
}

impl ShallowTable {
    pub(crate) fn new() -> ShallowTable {
        // No position that is searched has an empty board.
        let empty = ShallowEntry { mover: 0, opponent: 0, lower: -64, upper: 64, best_move: 0 };
        ShallowTable { entries: vec![empty; 1 << LOG2_ENTRIES].into() }
    }

    #[inline(always)]
    fn entry(&mut self, mover: u64, opponent: u64) -> &mut ShallowEntry {
        let mixed = mover ^ opponent.rotate_left(32).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        &mut self.entries[(mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - LOG2_ENTRIES)) as usize]
    }

    /// Returns the entry of a position.
    #[inline(always)]
    pub(crate) fn probe(&mut self, mover: u64, opponent: u64) -> Option<ShallowEntry> {
        let entry = self.entry(mover, opponent);
        (entry.mover == mover && entry.opponent == opponent).then_some(*entry)
    }

    /// Stores the score and the best move of a search with the null window (`alpha`, `alpha + 1`).
    #[inline(always)]
    pub(crate) fn store(&mut self, (mover, opponent): (u64, u64), alpha: i32, (score, best_move): (i32, u8)) {
        let entry = self.entry(mover, opponent);
        if entry.mover != mover || entry.opponent != opponent {
            *entry = ShallowEntry { mover, opponent, lower: -64, upper: 64, best_move };
        }
        if score > alpha {
            entry.lower = score as i8;
        } else {
            entry.upper = score as i8;
        }
        entry.best_move = best_move;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_both_bounds_of_its_position_only() {
        let mut table = ShallowTable::new();
        assert!(table.probe(1, 2).is_none());
        table.store((1, 2), 3, (8, 10));
        table.store((1, 2), 9, (8, 11));
        let entry = table.probe(1, 2).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.best_move), (8, 8, 11));
        assert!(table.probe(2, 1).is_none());
        // Many positions: each is found after it is stored, whatever it replaced.
        for word in 1..20_000 {
            table.store((word, !word), -3, (-3, 5));
            let entry = table.probe(word, !word).unwrap();
            assert_eq!((entry.lower, entry.upper), (-64, -3));
        }
    }
}
