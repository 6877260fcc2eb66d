//! What a man is worth where it stands, in the middle game and in the endgame: looked up by piece and point.

use alfil_kernel::Taper;

use super::numbers::WEIGHTS;
use alfil_xiangqi::piece::{Kind, Piece};
use alfil_xiangqi::square::Square;

/// What each piece is worth on each point, to its own side.
pub(super) static PLACES: [[Taper; Square::COUNT]; Piece::COUNT] = {
    let mut places = [[Taper::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let Some(square) = Square::from_index(index) else { unreachable!() };
            let value = WEIGHTS.place(Kind::ALL[kind], square);
            places[kind][index] = value;
            places[kind + Kind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_symmetric() {
        for piece in Piece::all() {
            for square in Square::all() {
                let value = PLACES[piece.index()][square.index()];
                assert_eq!(value, PLACES[piece.index()][square.mirrored().index()]);
                assert_eq!(value, PLACES[piece.swapped().index()][square.flipped().index()]);
            }
        }
    }
}
