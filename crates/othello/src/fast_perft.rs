//! Perft by each [`PassConvention`]: on any board, and without visiting the leaves on the bitboard.

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{MoveList, Position};

use crate::Othello;
use crate::bitboard::Bitboard;
use crate::bitboard::simd::Isa;
use crate::board::Board;
use crate::geometry::{mirror, transpose};
use crate::pass_convention::PassConvention;

/// Counts the move paths of `depth` plies on any board. Depth 0 counts 1.
pub fn perft<P: Position<Game = Othello>>(position: &mut P, depth: u32, convention: PassConvention) -> u64 {
    match depth {
        0 => return 1,
        // Bulk counting, as no move of the last ply is made. A single move may be a pass, which needs the code below.
        1 => match position.count_legal() {
            0 | 1 => {}
            moves => return moves as u64,
        },
        _ => {}
    }
    let mut list = MoveList::new();
    position.generate_legal(&mut list);
    if list.is_empty() {
        return convention.leaves_if_finished(depth);
    }
    let mut nodes = 0;
    for &mv in &list {
        let undo = position.make(mv, &mut ());
        nodes += perft(position, convention.depth_after(mv, depth), convention);
        position.unmake(mv, &undo, &mut ());
    }
    nodes
}

/// Returns the key of a position for tables of counts: a position and its images under the eight symmetries of the
/// board have one key. The colours do not matter, only whose turn it is.
pub fn perft_key(board: &impl Board) -> PerftKey {
    let mover = board.side_to_move();
    let sets = [board.discs(mover).0, board.discs(!mover).0];
    let transposed = sets.map(transpose);
    let images = [sets, transposed].into_iter().flat_map(|sets| {
        let mirrored = sets.map(mirror);
        [sets, mirrored, sets.map(u64::swap_bytes), mirrored.map(u64::swap_bytes)]
    });
    let [mover, opponent] = images.min().unwrap_or(sets);
    PerftKey([mover, opponent, 0, 0])
}

/// Computes the same number as [`perft`] with the best instruction set of the machine. It works on two words without
/// hash keys and move lists, and counts the moves of the last ply by a population count.
pub fn fast_perft(board: &Bitboard, depth: u32, convention: PassConvention) -> u64 {
    fast_perft_with_isa(Isa::detect(), board, depth, convention)
}

/// Computes [`fast_perft`] with the given instruction set.
pub fn fast_perft_with_isa(isa: Isa, board: &Bitboard, depth: u32, convention: PassConvention) -> u64 {
    isa.fast_perft(board.mover(), board.opponent(), depth, convention)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Symmetry;
    use crate::setup::Setup;
    use alfil_kernel::{Setup as _, Side};

    #[test]
    fn only_images_of_a_position_have_its_key() {
        let text = "--OOO----XXXX---XXXOX---XXOXXO--OXXXX---O-XX------X------------- O";
        let board = |setup: &Setup| Bitboard::from_setup_unchecked(setup);
        let setup = Setup::parse(text).unwrap();
        let key = perft_key(&board(&setup));
        for symmetry in Symmetry::all() {
            assert_eq!(perft_key(&board(&setup.transformed(symmetry))), key);
        }
        let position = board(&setup);
        let exchanged = Bitboard::new(position.mover(), position.opponent(), Side::First);
        assert_eq!(perft_key(&exchanged), key);
        let other = Bitboard::new(position.opponent(), position.mover(), Side::First);
        assert_ne!(perft_key(&other), key);
    }
}
