//! Perft: the number of legal move paths, on which all boards must agree.

use crate::moves::MoveList;
use crate::outcome::Side;
use crate::position::{MoveOf, Position};

// Small processors have no 64-bit atomics.
#[cfg(target_has_atomic = "64")]
mod table;

#[cfg(target_has_atomic = "64")]
pub use table::PerftTable;

/// A whole position in 256 bits, up to symmetry: two positions with equal keys have the same number of legal move
/// paths of every depth. Each game has its own form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerftKey(pub [u64; 4]);

impl PerftKey {
    /// Returns the key of a position with at most 32 pieces on squares below 127: a bit for each occupied square, four
    /// for each piece in ascending order of the squares, and the side to move. `pieces` are the squares with the codes
    /// of the pieces, below 16. Returns `None` if there are more pieces.
    ///
    /// ```
    /// use alfil_kernel::{Side, perft::PerftKey};
    ///
    /// let key = |pieces: &[(usize, u8)]| PerftKey::from_pieces(pieces.iter().copied(), Side::First);
    /// assert_eq!(key(&[(0, 3), (70, 15)]), Some(PerftKey([1, 1 << 6, 0xf3, 0])));
    /// assert_eq!(key(&[(0, 0); 33]), None);
    /// ```
    pub fn from_pieces(pieces: impl Iterator<Item = (usize, u8)>, side: Side) -> Option<PerftKey> {
        let mut words = [0, (side.index() as u64) << 63, 0, 0];
        for (number, (square, code)) in pieces.enumerate() {
            debug_assert!(square < 127 && code < 16, "square {square}, code {code}");
            words[square / 64] |= 1 << (square % 64);
            *words.get_mut(2 + number / 16)? |= u64::from(code) << (4 * (number % 16));
        }
        Some(PerftKey(words))
    }

    /// Returns 64 well mixed bits, for the place of a key in a table. `seed` chooses one of many such functions.
    #[inline]
    pub fn mix(&self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |mixed, &word| {
            let word = (mixed ^ word).wrapping_mul(crate::zobrist::GOLDEN_GAMMA);
            (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29)
        })
    }
}

/// What a count with a table or in parts needs of a game and a board.
pub trait PathCounter<P: Position>: Sync {
    /// Returns the number of legal move paths of `depth` plies, without a table.
    fn count(&self, position: &P, depth: u32) -> u64;

    /// Returns the key of the position; `None` if it has too many pieces for one. It is then counted without a table.
    fn key(&self, position: &P) -> Option<PerftKey>;

    /// Returns the depth that remains after a move at `depth`, which is above 0.
    fn depth_after(&self, mv: MoveOf<P>, depth: u32) -> u32;
}

/// Returns the number of legal move paths of `depth` plies.
///
/// Depth 0 counts 1; a position without moves counts 0 above depth 0. The last ply is counted without making the moves
/// (bulk counting). Repetition and move limits are ignored, as they belong to the rules.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let mut list = MoveList::new();
            position.generate_legal(&mut list);
            let mut nodes = 0;
            for &mv in &list {
                let undo = position.make(mv, &mut ());
                nodes += perft(position, depth - 1);
                position.unmake(mv, &undo, &mut ());
            }
            nodes
        }
    }
}
