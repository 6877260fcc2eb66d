//! What a man is worth where it stands, in the middle game and in the endgame: looked up by piece and square.

use alfil_kernel::TaperedScore;

use super::tuned_weights::WEIGHTS;
use alfil_chess::piece::{Piece, PieceKind};
use alfil_chess::square::Square;

/// What each piece is worth on each square, to its own side.
pub(super) static PSQT: [[TaperedScore; Square::COUNT]; Piece::COUNT] = {
    let mut places = [[TaperedScore::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::from_low_bits(index);
            let value = WEIGHTS.psqt_value(PieceKind::ALL[kind], square);
            places[kind][index] = value;
            places[kind + PieceKind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    places
};
