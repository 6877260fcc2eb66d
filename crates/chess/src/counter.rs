//! Counting the tree of legal moves.
use crate::Bitboard;
/// stub
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    alfil_kernel::perft::perft(&mut board.clone(), depth)
}
