//! What a position of xiangqi is worth: material and where it stands, kept up to date by listening to the board.
//!
//! The numbers are our own, reasoned and not fitted: a soldier that has crossed the river is the unit of thought, 100.

use alfil_kernel::{Evaluate, Score, Temper, Watcher};

use crate::Xiangqi;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

mod exchange;

/// What each kind is worth in an exchange, in centipawns. The general's is above all others together.
pub const WORTH: [Score; 7] = [6_000, 110, 120, 420, 960, 450, 80];

/// What a man of Red's is worth on each point, over [`WORTH`]: ten ranks from Black's back rank down, files a to e; the other
/// four mirror them.
type Places = [[i16; 5]; 10];

/// Kept at home behind its guards; every step forward is a step towards the enemy's lines.
const KING: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 0, 0, 12];
    places[8] = [0, 0, 0, -14, -10];
    places[7] = [0, 0, 0, -26, -24];
    places
};

/// In front of the general they link up; at the top of the palace they stand apart.
const ADVISOR: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 0, 4, 0];
    places[8] = [0, 0, 0, 0, 10];
    places[7] = [0, 0, 0, -8, 0];
    places
};

/// In the middle both protect each other; at the edge one stands alone.
const ELEPHANT: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 4, 0, 0];
    places[7] = [-10, 0, 0, 0, 14];
    places[5] = [0, 0, 2, 0, 0];
    places
};

/// Weak at the edges and in its first place, strong near the enemy's palace.
const HORSE: Places = [
    [2, 10, 14, 8, -6],
    [6, 24, 46, 34, 6],
    [12, 26, 42, 46, 38],
    [20, 42, 38, 46, 36],
    [12, 32, 34, 38, 40],
    [10, 26, 32, 36, 38],
    [6, 14, 22, 24, 26],
    [8, 10, 18, 16, 14],
    [-4, 4, 8, 10, -24],
    [-16, -8, 2, 0, -6],
];

/// Active on open files and on the enemy's ranks; asleep in the corner.
const ROOK: Places = [
    [22, 24, 22, 32, 34],
    [24, 32, 28, 40, 52],
    [22, 24, 24, 36, 38],
    [22, 34, 32, 40, 40],
    [24, 30, 30, 38, 40],
    [24, 30, 28, 36, 38],
    [14, 24, 18, 30, 32],
    [8, 18, 14, 26, 26],
    [2, 14, 12, 24, 10],
    [-14, 10, 4, 22, 6],
];

/// Best on the central file and on the enemy's back ranks, where screens are many.
const CANNON: Places = [
    [24, 24, 12, -10, -16],
    [16, 16, 10, -4, -10],
    [12, 12, 8, -8, 4],
    [6, 12, 12, 12, 22],
    [6, 8, 10, 10, 24],
    [4, 6, 10, 10, 26],
    [4, 6, 12, 8, 22],
    [6, 10, 14, 14, 28],
    [2, 6, 8, 10, 12],
    [0, 2, 4, 8, 8],
];

/// Worth little before the river, most beside the palace, little again on the last rank, from which it cannot return.
const SOLDIER: Places = [
    [-30, -24, -16, -10, -6],
    [12, 34, 58, 78, 86],
    [12, 32, 54, 70, 78],
    [10, 26, 42, 54, 58],
    [8, 20, 30, 38, 42],
    [2, 0, 14, 0, 18],
    [0, 0, 2, 0, 10],
    [0; 5],
    [0; 5],
    [0; 5],
];

/// What each piece is worth on each point, to its own side.
static VALUES: [[i16; Square::COUNT]; Piece::COUNT] = values();

const fn values() -> [[i16; Square::COUNT]; Piece::COUNT] {
    const PLACES: [Places; 7] = [KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, SOLDIER];
    let mut values = [[0; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < 7 {
        let mut index = 0;
        while index < Square::COUNT {
            let Some(square) = Square::from_index(index) else { unreachable!() };
            let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
            // A general is never exchanged, so its worth stays out of the sum.
            let worth = if kind == Kind::King as usize { 0 } else { WORTH[kind] as i16 };
            let value = worth + PLACES[kind][9 - square.rank()][file];
            values[kind][index] = value;
            values[kind + 7][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    values
}

/// Sums of material and places, one for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    sums: [Score; 2],
}

/// The right to move, in centipawns.
const TEMPO: Score = 8;

impl Watcher<Xiangqi> for Values {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.sums[piece.side().index()] += Score::from(VALUES[piece.index()][square.index()]);
    }

    #[inline]
    fn lift(&mut self, square: Square, piece: Piece) {
        self.sums[piece.side().index()] -= Score::from(VALUES[piece.index()][square.index()]);
    }

    fn turn(&mut self, _: Square, _: Piece) {
        unreachable!("no man is turned over in xiangqi");
    }
}

impl<P: Board> Evaluate<P> for Values {
    fn reset(&mut self, position: &P) {
        *self = Values::default();
        for piece in Piece::all() {
            for index in position.pieces(piece) {
                self.put(Square::from_index(index).expect("a point of the board"), piece);
            }
        }
    }

    #[inline]
    fn score(&self, position: &P) -> Score {
        let mover = position.side();
        self.sums[mover.index()] - self.sums[(!mover).index()] + TEMPO
    }

    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        position.captured(mv).is_some()
    }

    #[inline]
    fn promise(&self, position: &P, mv: Move) -> Score {
        let worth = |piece: Piece| WORTH[piece.kind() as usize];
        let victim = position.captured(mv).map_or(0, worth);
        let attacker = position.piece_on(mv.origin()).map_or(0, worth);
        victim * 16 - attacker / 16
    }

    fn exchange(&self, position: &P, mv: Move, at_least: Score) -> bool {
        exchange::wins(position, mv, at_least)
    }

    /// Passing is never tried without a man that can attack: with soldiers and guards alone zugzwang is common.
    fn temper(&self, position: &P) -> Temper {
        let mover = position.side();
        let attacks = |kind| !position.pieces(Piece::new(mover, kind)).is_empty();
        let null_move = [Kind::Rook, Kind::Horse, Kind::Cannon].into_iter().any(attacks);
        Temper { null_move, quiescence: true, futility: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Side;

    #[test]
    fn tables_are_symmetric() {
        for piece in Piece::all() {
            for square in Square::all() {
                let value = VALUES[piece.index()][square.index()];
                assert_eq!(value, VALUES[piece.index()][square.mirrored().index()]);
                assert_eq!(value, VALUES[piece.swapped().index()][square.flipped().index()]);
            }
        }
        assert_eq!(VALUES[Piece::new(Side::First, Kind::Rook).index()][0], 960 - 14);
    }
}
