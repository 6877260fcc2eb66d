//! Piece-square tables for midgame and endgame, material included.

use crate::TaperedScore;

use super::tuned_weights::WEIGHTS;
use alfil_xiangqi::piece::{Piece, PieceKind};
use alfil_xiangqi::square::Square;

/// The value of each piece on each square, to its own side.
pub(super) static PSQT: [[TaperedScore; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[TaperedScore::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let Some(square) = Square::from_index(index) else { unreachable!() };
            let value = WEIGHTS.psqt_value(PieceKind::ALL[kind], square);
            table[kind][index] = value;
            table[kind + PieceKind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_symmetric() {
        for piece in Piece::all() {
            for square in Square::all() {
                let value = PSQT[piece.index()][square.index()];
                assert_eq!(value, PSQT[piece.index()][square.mirrored().index()]);
                assert_eq!(value, PSQT[piece.swapped().index()][square.flipped().index()]);
            }
        }
    }
}
