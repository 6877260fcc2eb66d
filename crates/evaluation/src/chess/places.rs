//! What a man is worth where it stands, in the middle game and in the endgame: looked up by piece and square.

use alfil_kernel::Taper;

use super::numbers::WEIGHTS;
use alfil_chess::piece::{Kind, Piece};
use alfil_chess::square::Square;

/// What each piece is worth on each square, to its own side.
pub(super) static PLACES: [[Taper; Square::COUNT]; Piece::COUNT] = {
    let mut places = [[Taper::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::of_bits(index);
            let value = WEIGHTS.place(Kind::ALL[kind], square);
            places[kind][index] = value;
            places[kind + Kind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    places
};
