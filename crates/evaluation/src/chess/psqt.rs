//! The piece-square tables (PSQT), material included.

use crate::TaperedScore;

use super::tuned_weights::WEIGHTS;
use alfil_chess::piece::{Piece, PieceKind};
use alfil_chess::square::Square;

/// The value of each piece on each square, from the view of its own side.
pub(super) static PSQT: [[TaperedScore; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[TaperedScore::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::from_low_bits(index);
            let value = WEIGHTS.psqt_value(PieceKind::ALL[kind], square);
            table[kind][index] = value;
            table[kind + PieceKind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    table
};
